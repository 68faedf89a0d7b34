"""hepta compare: every case has its row, in the order given; its numbers are those of the result files, its differences
those that h5py finds in them; cases that fail or cannot run are there with their reason; what is wrong is refused before
anything runs; the page says what the CSV says, and is whole in itself."""
import csv
import html.parser
import os
import re
import shlex
import signal
import subprocess
import sys
import time

import h5py
import numpy

import runs

DECK = """
grid = { size = [6, 5, 2]; dx = 20.0; dy = 20.0; dz = 4.0; top = 1800.0; porosity = 0.2; permx = 150.0; permz = 15.0; };
""" + runs.FLUIDS + """initial = { datum_depth = 1800.0; datum_pressure = 180.0; contact_depth = 1900.0; };
wells = (
  { name = "INJ"; type = "injector"; i = 1; j = 1; radius = 0.1; control = "rate"; rate = 20.0; bhp = 300.0; },
  { name = "P1"; type = "producer"; i = 6; j = 5; radius = 0.1; control = "bhp"; bhp = 150.0; }
);
report = { every = 50.0; end = 200.0; };
timestep = { initial = 0.5; accuracy = 0.0; };
output = { double = true; };
"""
# a box without give that is filled from day 100 on: a run that fails after its first reports
LATE = ("late: fluids.water.compressibility=0.0 fluids.oil.compressibility=0.0 rock.compressibility=0.0 wells.INJ.bhp=1e15 "
        'schedule=({time = 100.0; well = "P1"; status = "shut";})')
FAILS = "fails: linear.preconditioner=none linear.max_iterations=1 linear.tolerance=1e-9"
BAR = 1e5


def compare(where, *arguments, deck="base.cfg", **options):
    return runs.hepta("compare", deck, *arguments, where=where, **options)


def table(folder, name="compare.csv"):
    with open(os.path.join(folder, name), newline="") as f:
        return list(csv.DictReader(f))


class Page(html.parser.HTMLParser):
    """Tables by id: {row head: [cells]}; and whether the tags match."""

    VOID = {"meta", "br"}

    def __init__(self, path):
        super().__init__()
        self.tables, self.stack, self.ids, self.faults = {}, [], [], []
        self.cell, self.row, self.external = None, None, []
        with open(path, encoding="utf-8") as f:
            self.text = f.read()
        self.feed(self.text)
        self.faults += self.stack

    def handle_starttag(self, tag, attributes):
        named = dict(attributes)
        self.external += [v for k, v in attributes if k in ("src", "href", "xlink:href")]
        if tag == "script":
            self.external.append("a script")
        if tag in self.VOID:
            self.cell = self.cell + " " if self.cell is not None else None
            return
        self.stack.append(tag)
        if "id" in named:
            self.ids.append(named["id"])
        if tag == "table":
            self.rows = self.tables.setdefault(named["id"], {})
        if tag == "tr":
            self.row = []
        if tag in ("td", "th"):
            self.cell = ""

    def handle_endtag(self, tag):
        if not self.stack or self.stack.pop() != tag:
            self.faults.append("/" + tag)
        if tag in ("td", "th"):
            self.row.append(self.cell.strip())
            self.cell = None
        if tag == "tr":
            self.rows[self.row[0]] = self.row[1:]

    def handle_startendtag(self, tag, attributes):
        pass

    def handle_data(self, data):
        if self.cell is not None:
            self.cell += data


def number(text):
    return float(text) if text else float("nan")


def near(checks, what, text, expected, tolerance=1e-9):
    """A number of a table; NaN: it must be empty."""
    value = number(text)
    if expected != expected:
        checks.true(what, text == "", "is '%s', expected nothing" % text)
    else:
        checks.true(what, abs(value - expected) <= tolerance * max(1.0, abs(expected)),
                    "is '%s', expected %.12g" % (text, expected))


# ---- what is wrong ------------------------------------------------------------------------


def check_mistakes(checks, where):
    with open(os.path.join(where, "bad.cfg"), "w") as f:
        f.write('compare = (\n  { name = "a"; },\n  { name = "b"; sets = "linear.method=gmres"; }\n);\n')
    with open(os.path.join(where, "gpus.cfg"), "w") as f:
        f.write('compare = (\n  { name = "a"; },\n  { name = "b"; backend = "cuda"; gpus = 1.5; }\n);\n')
    with open(os.path.join(where, "syntax.cfg"), "w") as f:
        f.write('compare = (\n  { name = ; }\n);\n')
    with open(runs.deck("FIVE_SPOT.DATA")) as f, open(os.path.join(where, "nosim.DATA"), "w") as to:
        to.write(f.read().replace("UNIFOUT", "NOSIM\nUNIFOUT"))
    done = runs.hepta("compare", "nosim.DATA", "--set-of", "formats", where=where)
    checks.true("compare NOSIM", done.returncode != 0 and "NOSIM: the deck asks for no simulation" in done.stderr, done.stderr)
    a = ["--case", "a:"]
    mistakes = [
        ([], "two cases"), (a, "two cases"), (["--case", "linear.method=gmres"] + a, "name: key=value"),
        (a + ["--case", ": linear.method=gmres"], "needs a name"), (a + a, "'a' is given twice"),
        (a + ["--case", "b: linear"], "KEY=VALUE"), (a + ["--case", "b: backend=abacus"], "'abacus'"),
        (a + ["--case", "b: backend=cuda gpus=0"], "'0'"), (a + ["--case", "b: gpus=2"], "gpus is for backend=cuda"),
        (a + ["--case", "b:", "--gpus", "2"], "--gpus is for --backend cuda"),
        (a + ["--case", "b: backend=cuda gpus=2 linear.execution=graph"], "run on one GPU"),
        (a + ["--case", "b: threads=0"], "'0'"), (a + ["--case", "b: linear.metod=gmres"], "linear.method"),
        (a + ["--case", "b: linear.metod=gmres"], "case 'b'"), (a + ["--case", "b: linear.method=gmress"], "case 'b'"),
        (a + ["--case", "b: linear.execution=graph"], "case 'b': the executions"),
        (a + ["--case", "b: linear.preconditioner=cpr linear.method=qmr"], "case 'b'"),
        (a + ["--case", "b: timestep.max=5", "--same-steps"], "case 'b': timestep.max=5: with --same-steps"),
        (["--set-of", "everything"], "'everything'"), (["--cases", "missing.cfg"], "missing.cfg"),
        (["--cases", "bad.cfg"], "bad.cfg:3: sets: not a key of a case"), (["--cases", "syntax.cfg"], "syntax.cfg:2"),
        (["--cases", "gpus.cfg"], "gpus.cfg:3: gpus: expected a whole number"),
        (["--cases", "base.cfg"], "base.cfg:2: grid"), (a + ["--system", "3"], "STEP.NEWTON"),
        (a + ["--case", "b:", "-o", "base.cfg"], "not a folder"), (a + ["--case", "b:", "--fast"], "'--fast'"),
        (a + ["--case", "b:", "other.cfg"], "one deck"), (a + ["--case", "b:", "--set", "report"], "KEY=VALUE"),
        (a + ["--case", "b:", "--set", "report.ende=1"], "report.end"),
    ]
    before = sorted(os.listdir(where))
    for arguments, words in mistakes:
        done = compare(where, *arguments)
        what = "hepta compare " + " ".join(arguments)
        checks.true(what, done.returncode == 2 and words in done.stderr and done.stdout == "",
                    "%d %s" % (done.returncode, done.stderr))
    checks.true("mistakes leave nothing behind", sorted(os.listdir(where)) == before, os.listdir(where))
    done = runs.hepta("compare", "--help")
    checks.true("--help", done.returncode == 0 and "usage: hepta compare" in done.stdout and not done.stderr)
    checks.true("--help within 90 columns", all(len(line) <= 90 for line in done.stdout.splitlines()))


# ---- runs of their own ------------------------------------------------------------------------


def at_reports(base, names):
    """Columns of /summary at the report times of the fields, without the start: {time: values}."""
    with h5py.File(base + ".h5") as f:
        day = f.attrs["time_factor"]
        rows = {}
        for t in f["time"][1:]:
            n = int(numpy.argmin(abs(f["summary/TIME"][:] * day - t)))
            rows[round(t / day, 6)] = [f["summary/" + name][n] for name in names]
        return rows


def last_fields(base):
    with h5py.File(base + ".h5") as f:
        step = "steps/%06d/" % f["step"][-1]
        active = f["grid/active"][:] == 1
        return f["time"][-1], f[step + "pressure"][:][active], f[step + "sw"][:][active]


def check_differences(checks, row, first, base):
    """Every difference of a row, found again in the two results."""
    names = ["FOPT", "FWPT", "FWIT", "FWCT", "FPR"]
    a, b = at_reports(first, names), at_reports(base, names)
    common = sorted(set(a) & set(b))
    near(checks, row["case"] + ": compared until", row["compared_until[DAYS]"], common[-1], 1e-6)
    for n, column in enumerate(["off_FOPT", "off_FWPT", "off_injected", "off_FWCT", "off_FPR[BARSA]"]):
        largest = max(abs(a[t][n] - b[t][n]) for t in common)
        if n < 3:
            largest /= max(max(a[t][n], b[t][n]) for t in common) or 1.0
        near(checks, row["case"] + ": " + column, row[column], largest, 1e-8)
    ta, pa, sa = last_fields(first)
    tb, pb, sb = last_fields(base)
    same = abs(ta - tb) < 1e-6 and len(pa) == len(pb)
    near(checks, row["case"] + ": cell pressures", row["off_cell_pressure[BARSA]"],
         abs(pa - pb).max() / BAR if same else float("nan"), 1e-8)
    near(checks, row["case"] + ": cell saturations", row["off_cell_sw"], abs(sa - sb).max() if same else float("nan"),
         1e-8)


def check_counts(checks, row, base):
    """Counts of a finished run."""
    with h5py.File(base + ".h5") as f:
        s = {name: f["solver/" + name][:] for name in ("newton", "linear", "cuts", "wasted_newton", "wasted_linear",
                                                       "setup", "solve", "step")}
        for column, value in (("steps", len(s["step"])), ("cuts", s["cuts"].sum()),
                              ("newton", s["newton"].sum() + s["wasted_newton"].sum()),
                              ("solves", s["newton"].sum() + s["wasted_newton"].sum()),
                              ("linear", s["linear"].sum() + s["wasted_linear"].sum())):
            checks.true("%s: %s" % (row["case"], column), row[column] == "%d" % value, "%s, %d" % (row[column], value))
        total, by = f["summary/FOPT"][-1], f["solver/correction_oil"][-1]
        known = "accuracy" in row["settings"]  # the deck has 0
        near(checks, row["case"] + ": correction", row["corrected_FOPT"], by / total if known else float("nan"), 1e-6)
        checks.true(row["case"] + ": error left", (row["error_FOPT"] != "") == known, row)
        if s["cuts"].sum() == 0:  # the seconds of attempts that failed stand in no row of the file
            near(checks, row["case"] + ": setup", row["setup[s]"], s["setup"].sum(), 1e-6)
            near(checks, row["case"] + ": solve", row["solve[s]"], s["solve"].sum(), 1e-6)


def check_page(checks, folder, rows, columns):
    """The page has what the CSV has: each case, its state, its reason, its numbers; columns: {table: {place: column}}."""
    page = Page(os.path.join(folder, "compare.html"))
    checks.true("the page's tags match", not page.faults, page.faults)
    checks.true("nothing from elsewhere", not page.external and "url(" not in page.text and "@import" not in page.text and
                "http" not in page.text, page.external)
    wide = page.text.count('<div class="scroll" tabindex="0"><table id=')
    checks.true("every table scrolls by itself, by keys, too", wide == len(page.tables) == page.text.count("<table"), wide)
    # the shade stays at the right edge of the window, and what covers it goes with the table
    for words in ("prefers-color-scheme:dark", "max-width:760px", "<svg", "right/60px 100% no-repeat local",
                  "right/22px 100% no-repeat scroll", "var(--shade)"):
        checks.true("the page has " + words, words in page.text)
    for name, places in columns.items():
        checks.true("all cases in " + name, list(page.tables[name])[1:] == [r["case"] for r in rows],
                    list(page.tables[name]))
        for r in rows:
            for place, column in places.items():
                shown, reported = page.tables[name][r["case"]][place], r[column]
                same = shown == reported or (shown != "" and reported != "" and column != "state" and
                                         abs(float(shown) - float(reported)) <= 6e-3 * abs(float(reported)))
                checks.true("page, %s: %s of %s" % (name, column, r["case"]), same, "'%s', '%s'" % (shown, reported))
    for r in rows:
        if r["why"]:
            checks.true("the page says why of " + r["case"], "<b>%s</b>, %s: " % (r["case"], r["state"]) in page.text)
    checks.true("the page has pictures of time and memory", "times" in page.ids and "memory" in page.ids, page.ids)
    checks.true("machine and versions", "hepta " in page.tables["machine"]["versions"][0] and
                "HDF5" in page.tables["machine"]["versions"][0], page.tables["machine"])
    return page


def check_runs(checks, where):
    folder = os.path.join(where, "own")
    cases = ["deck:", "gmres: linear.method=gmres linear.tolerance=0.05", FAILS, "short steps: timestep.max=5.0 timestep.accuracy=0.005", LATE,
             "gpu: backend=cuda"]
    done = compare(where, *[a for c in cases for a in ("--case", c)], "-o", "own", "--threads", "1")
    checks.true("compare", done.returncode == 0, done.stderr)
    rows = table(folder)
    checks.true("a row a case, in their order", [r["case"] for r in rows] == [c.split(":")[0] for c in cases], rows)
    by = {r["case"]: r for r in rows}
    gpu = by["gpu"]["state"]
    checks.true("states", [r["state"] for r in rows] == ["finished", "finished", "failed", "finished", "failed", gpu],
                [r["state"] for r in rows])
    checks.true("a GPU that is not there: not run, with the reason",
                gpu == "finished" or (gpu == "not run" and by["gpu"]["why"] != "" and by["gpu"]["solves"] == "0"), by["gpu"])
    checks.true("why it fails", "the linear solver failed" in by["fails"]["why"], by["fails"]["why"])
    checks.true("why it fails late", "stopped at time 100" in by["late"]["why"], by["late"]["why"])
    for name in by:
        checks.true("the terminal has " + name, re.search(r"^%s +%s" % (name, by[name]["state"]), done.stdout, re.M),
                    done.stdout)
        if by[name]["why"]:
            checks.true("the terminal says why", "%s, %s: %s" % (name, by[name]["state"], by[name]["why"]) in done.stdout)
    first = os.path.join(folder, "deck")
    for name, file in (("deck", "deck"), ("gmres", "gmres"), ("short steps", "short-steps"), ("late", "late")):
        check_differences(checks, by[name], first, os.path.join(folder, file))
        if by[name]["state"] == "finished":
            check_counts(checks, by[name], os.path.join(folder, file))
            checks.true("times are there", number(by[name]["whole[s]"]) > number(by[name]["setup[s]"]) > 0.0, by[name])
            checks.true("memory is there", int(by[name]["peak_memory[B]"]) > int(by[name]["solver_memory[B]"]) > 0)
    checks.true("differences are shown", number(by["gmres"]["off_FPR[BARSA]"]) > 0.0 and
                number(by["short steps"]["off_cell_sw"]) > 0.01 and number(by["late"]["compared_until[DAYS]"]) == 100.0, rows)
    checks.true("gmres holds more vectors", int(by["gmres"]["solver_memory[B]"]) > int(by["deck"]["solver_memory[B]"]))
    check_page(checks, folder, rows, {
        "results": {0: "state", 1: "time[DAYS]", 2: "steps", 3: "cuts", 4: "newton", 5: "linear", 7: "setup[s]",
                    8: "solve[s]", 9: "whole[s]"},
        "differences": {0: "compared_until[DAYS]", 1: "off_FOPT", 2: "off_FWPT", 3: "off_injected", 4: "off_FWCT",
                        5: "off_FPR[BARSA]", 6: "off_cell_pressure[BARSA]", 7: "off_cell_sw"},
        "cases": {}, "memories": {}})
    check_solves(checks, folder, by)
    plain = runs.run(os.path.join(where, "base.cfg"), where, ["linear.method=gmres", "linear.tolerance=0.05"], "plain",
                     ["--threads", "1"])
    checks.true("a case is the run that hepta run makes",
                runs.datasets(plain.base + ".h5") == runs.datasets(os.path.join(folder, "gmres.h5")))


def check_solves(checks, folder, by):
    """A row a linear solve; the residuals of the one with the most iterations."""
    solves, curves = table(folder, "compare.solves.csv"), table(folder, "compare.residuals.csv")
    for name, row in by.items():
        own = [s for s in solves if s["case"] == name]
        curve = [c for c in curves if c["case"] == name]
        checks.true(name + ": a row a solve", len(own) == int(row["solves"]), len(own))
        if not own:
            checks.true(name + ": no residuals", curve == [])
            continue
        checks.true(name + ": iterations", sum(int(s["iterations"]) for s in own) == int(row["linear"]))
        checks.true(name + ": the most", max(int(s["iterations"]) for s in own) == int(row["most"]))
        short = [s for s in own if s["end"] != "converged"]
        checks.true(name + ": stopped short", len(short) == int(row["stopped_short"]), len(short))
        checks.near(name + ": setup", sum(float(s["setup[s]"]) for s in own), number(row["setup[s]"]), 1e-8)
        checks.true(name + ": its residuals", len(curve) == int(row["most"]) + 1 and float(curve[0]["residual"]) == 1.0 and
                    [int(c["iteration"]) for c in curve] == list(range(len(curve))), curve)
        of = [s for s in own if all(s[k] == curve[0][k] for k in ("step", "attempt", "newton"))]
        checks.true(name + ": of a solve that took them", len(of) == 1 and int(of[0]["iterations"]) == len(curve) - 1, of)


# ---- the same systems for all -----------------------------------------------------------------


def check_systems(checks, where):
    folder = os.path.join(where, "same")
    cases = ["deck: linear.tolerance=1e-11", "again: linear.tolerance=1e-11", "gmres: linear.method=gmres linear.tolerance=1e-11",
             "loose: linear.tolerance=0.05", FAILS]
    done = compare(where, *[a for c in cases for a in ("--case", c)], "-o", "same", "--same-steps", "--threads", "2")
    checks.true("compare --same-steps", done.returncode == 0, done.stderr)
    rows = table(folder)
    by = {r["case"]: r for r in rows}
    checks.true("a row a case", list(by) == [c.split(":")[0] for c in cases], list(by))
    plain = runs.run(os.path.join(where, "base.cfg"), where, ["linear.tolerance=1e-11"], "plain-same", ["--threads", "2"])
    checks.true("the first case is the run that hepta run makes",
                runs.datasets(plain.base + ".h5") == runs.datasets(os.path.join(folder, "deck.h5")))
    systems = int(sum(plain.solver["newton"]) + sum(plain.solver["wasted_newton"]))
    checks.true("every case got every system", all(int(r["solves"]) == systems for r in rows), rows)
    solves = {name: [s for s in table(folder, "compare.solves.csv") if s["case"] == name] for name in by}
    keys = ("step", "attempt", "newton", "time[DAYS]", "dt[DAYS]")
    checks.true("the same steps", all([[s[k] for k in keys] for s in own] == [[s[k] for k in keys] for s in solves["deck"]]
                                      for own in solves.values()))
    checks.true("the same solver: the same iterations, no difference", by["again"]["linear"] == by["deck"]["linear"] and
                number(by["again"]["off_update_p"]) == 0.0 and number(by["again"]["off_update_s"]) == 0.0, by["again"])
    checks.true("another method, as tight: close", 0.0 < number(by["gmres"]["off_update_p"]) < 1e-6, by["gmres"])
    checks.true("a loose one: differs", number(by["loose"]["off_update_p"]) > 1e-5 and
                1e-6 < number(by["loose"]["residual"]) <= 0.2, by["loose"])
    checks.true("iterations differ", int(by["loose"]["linear"]) < int(by["deck"]["linear"]))
    checks.true("one that fails is there, with its reason", by["fails"]["state"] == "failed" and
                "systems not solved" in by["fails"]["why"] and number(by["fails"]["residual"]) > 0.1, by["fails"])
    for name, row in by.items():
        for column, key in (("residual", "residual"), ("off_update_p", "off_p"), ("off_update_s", "off_s")):
            near(checks, name + ": largest " + column, row[column], max(float(s[key]) for s in solves[name]))
    check_page(checks, folder, rows, {
        "results": {0: "state", 1: "solves", 2: "linear", 4: "most", 5: "stopped_short", 6: "setup[s]", 7: "solve[s]"},
        "differences": {0: "residual", 1: "off_update_p", 2: "off_update_s"}, "cases": {}, "memories": {}})
    checks.true("the terminal", all(re.search(r"^%s +%s +%d " % (n, by[n]["state"], systems), done.stdout, re.M) for n in by),
                done.stdout)
    check_chosen(checks, where)


def check_chosen(checks, where):
    """--system: the residuals of that one, for all; and a first solve's against a dense one."""
    done = compare(where, "--case", "a: linear.tolerance=1e-10", "--case", "b: linear.method=gmres linear.tolerance=1e-10",
                   "--same-steps", "--system", "2.1", "-o", "chosen", "--set", "report.end=50",
                   "--set", 'schedule=({time=500.0; well="P1"; bhp=140.0;})')
    checks.true("--system", done.returncode == 0, done.stderr)
    checks.true("a note of all cases comes once", done.stderr.count("has no effect") == 1, done.stderr)
    curves = table(os.path.join(where, "chosen"), "compare.residuals.csv")
    for name in ("a", "b"):
        own = [c for c in curves if c["case"] == name]
        checks.true("the system asked for", {(c["step"], c["newton"]) for c in own} == {("2", "1")}, own[:1])
        checks.true("converges", float(own[0]["residual"]) == 1.0 and 0.0 < float(own[-1]["residual"]) <= 1e-10, own[-1:])


# ---- where cases come from ------------------------------------------------------------------------


def check_sources(checks, where):
    with open(os.path.join(where, "cases.cfg"), "w") as f:
        f.write('compare = (\n  { name = "deck"; },\n  { name = "b/c: d"; set = ["linear.method=gmres", "linear.restart=5"]; '
                'threads = 1; },\n  { name = "e"; set = "linear.method=tfqmr"; backend = "cpu"; }\n);\n')
    done = compare(where, "--cases", "cases.cfg", "--case", "f: linear.method=qmr", "--set", "report.end=50", "-o", "file/")
    rows = table(os.path.join(where, "file"))
    checks.true("cases of a file, then of the command line", done.returncode == 0 and
                [(r["case"], r["settings"], r["state"]) for r in rows] ==
                [("deck", "", "finished"), ("b/c: d", "threads=1 linear.method=gmres linear.restart=5", "finished"),
                 ("e", "backend=cpu linear.method=tfqmr", "finished"), ("f", "linear.method=qmr", "finished")],
                done.stderr + str(rows))
    checks.true("their solvers", [r["solver"].split(",")[0] for r in rows] == ["bicgstab", "gmres", "tfqmr", "qmr"], rows)
    checks.true("their threads", rows[1]["where"] == "CPU, 1 thread", rows[1]["where"])
    checks.true("settings of all", all(number(r["time[DAYS]"]) == 50.0 for r in rows), rows)
    checks.true("names of files", os.path.exists(os.path.join(where, "file", "b-c--d.h5")))
    with open(os.path.join(where, "gpus.cfg"), "w") as f:
        f.write('compare = (\n  { name = "cpu"; },\n  { name = "two"; backend = "cuda"; gpus = 2; },\n'
                '  { name = "these"; backend = "cuda"; gpus = "0,0"; }\n);\n')
    done = compare(where, "--cases", "gpus.cfg", "--set", "report.end=5", "--set", "report.every=5", "-o", "gpus",
                   environment=dict(os.environ, CUDA_VISIBLE_DEVICES=""))
    rows = table(os.path.join(where, "gpus"))
    checks.true("numbers and lists of GPUs in a file", done.returncode == 0 and
                [(r["settings"], r["state"]) for r in rows] ==
                [("", "finished"), ("backend=cuda gpus=2", "not run"), ("backend=cuda gpus=0,0", "not run")], str(rows))
    for name, count in (("solvers", 10), ("amg", 13), ("formats", 9), ("executions", 8), ("papers", 15)):
        done = compare(where, "--set-of", name, "--same-steps", "--set", "report.end=5", "--set", "report.every=5", "-o", name,
                       "--threads", "1", "--set", "linear.cpr.coarsest=5", "--set", "linear.preconditioner=cpr")
        rows = table(os.path.join(where, name))
        checks.true("the set " + name, done.returncode == 0 and len(rows) == count, done.stderr)
        checks.true(name + ": every case has an end", all(r["state"] == "finished" or r["why"] for r in rows), rows)
        if name == "papers":
            kinds = [re.search(r"(rs|cljp), (classical|averaging), damped-jacobi", r["solver"]) for r in rows]
            checks.true("papers: classical multigrid four times", len({k.group(0) for k in kinds if k}) == 4, rows)
            checks.true("papers: what a GPU runs in three ways", [r["case"] for r in rows if "backend=cuda" in r["settings"]] ==
                        ["in-kernel", "per-operation", "library", "qmr in-kernel"], rows)
            rows = [r for r in rows if "backend=cuda" not in r["settings"]]
        if name != "executions":
            checks.true(name + ": all were run", all(int(r["solves"]) == int(rows[0]["solves"]) > 0 for r in rows), rows)
        if name == "formats":
            checks.true("formats: the same iterations", len({r["linear"] for r in rows}) == 1, rows)
        if name == "amg":
            checks.true("amg: hierarchies of several kinds", len({(r["levels"], r["operator_complexity"]) for r in rows}) > 2)


def check_interrupt(checks, where):
    """Computed results are written; the cases that had no turn say so."""
    command = [runs.PROGRAM, "compare", "base.cfg", "--case", "long: report.end=100000.0 timestep.initial=0.01 timestep.max=0.01", "--case", "next:",
               "-o", "stopped", "--threads", "1"]
    process = subprocess.Popen(command, cwd=where, stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True)
    rows, limit = os.path.join(where, "stopped", "long.summary.csv"), time.time() + 30.0
    while process.poll() is None and time.time() < limit and not (os.path.exists(rows) and os.path.getsize(rows) > 4000):
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    checks.true("interrupted: 130", process.returncode == 130, process.returncode)
    states = [(r["case"], r["state"]) for r in table(os.path.join(where, "stopped"))]
    checks.true("interrupted: the cases", states == [("long", "failed"), ("next", "not run")], states)
    checks.true("interrupted: said so", "interrupted" in out and "interrupted" in err, err)
    checks.true("interrupted: a page", "next" in Page(os.path.join(where, "stopped", "compare.html")).tables["results"])


def check_docs(checks, where):
    """Every command of docs/guide/compare.md, made short."""
    with open(os.path.join(runs.SOURCE, "docs", "guide", "compare.md"), encoding="utf-8") as f:
        text = f.read()
    with open(os.path.join(where, "solvers.cfg"), "w") as f:
        f.write(re.search(r"```libconfig\n(.*?)```", text, re.S).group(1))
    os.symlink(os.path.join(runs.SOURCE, "decks"), os.path.join(where, "decks"))
    commands = [shlex.split(c.replace("\\\n", " ")) for c in re.findall(r"^    (hepta compare (?:.*\\\n)*.*)$", text[:text.index("## Results that exist")], re.M)]
    checks.true("docs/guide/compare.md has commands", len(commands) >= 4, commands)
    for command in commands:
        done = runs.hepta(*command[1:], "--set", "report.every=2", "--set", "report.end=2", "--progress", "never", where=where)
        checks.true(" ".join(command), done.returncode == 0 and done.stderr == "", done.stderr)
    columns = re.findall(r"`([^`]+)`", text[text.index("## The tables"):])
    for name in table(os.path.join(where, "own"))[0]:
        checks.true("docs/guide/compare.md explains " + name, re.sub(r"\[.*\]", "", name) in columns)


def main():
    checks = runs.Checks()
    with runs.folder() as where:
        with open(os.path.join(where, "base.cfg"), "w") as f:
            f.write(DECK)
        for part in (check_mistakes, check_runs, check_systems, check_sources, check_interrupt, check_docs):
            part(checks, where)
    return checks.result()


if __name__ == "__main__":
    sys.exit(main())
