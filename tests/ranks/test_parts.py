"""The parts of a run by several ranks: `hepta check --ranks` says beforehand, without MPI, what the run has; the tables and
events at the end of the run, and the field `rank` of its results."""
import json
import os
import re
import subprocess
import sys

import h5py

import runs

MPIRUN = os.environ.get("HEPTA_MPIRUN") or runs.skip("this build has no MPI")
UNITS = {"B": 1.0, "kB": 1e3, "MB": 1e6, "GB": 1e9}

# Wells along i and j, connections that reach far, inactive cells, few layers: chunks of sums are several columns.
DECK = """
grid = {
  size = [30, 44, 3]; dx = 40.0; dy = 20.0; dz = 4.0; top = 1500.0;
  porosity = 0.2; permx = { generator = "lognormal"; seed = 4; mean = 150.0; log_stddev = 1.0; correlation = [3.0, 3.0, 1.0]; };
  boxes = ( { i = [20, 30]; j = [30, 44]; set = { active = 0; }; }, { i = 3; j = [2, 9]; set = { active = 0; }; } );
  connections = ( (1, 1, 1, 14, 42, 3, 3.0), (7, 2, 1, 8, 2, 3, 2.0), (29, 2, 1, 1, 40, 2, 2.0) );
};
""" + runs.FLUIDS + """
initial = { datum_depth = 1500.0; datum_pressure = 180.0; contact_depth = 1600.0; };
wells = (
  { name = "INJ"; type = "injector"; i = 1; j = 1; radius = 0.1; control = "rate"; rate = 120.0; bhp = 300.0; },
  { name = "LONG"; type = "producer"; radius = 0.1; control = "bhp"; bhp = 100.0; cells = ( %s ); },
  { name = "BHP"; type = "producer"; i = 14; j = 42; radius = 0.1; control = "bhp"; bhp = 150.0; }
);
report = { every = 2.0; end = 2.0; };
""" % ", ".join('(19, %d, 2, "y")' % j for j in range(6, 37))


def check(deck, ranks, options, where):
    done = runs.hepta("check", deck, "--ranks", str(ranks), *options, where=where)
    if done.returncode != 0:
        raise RuntimeError(done.stderr)
    return done.stdout


def table(text):
    """Rows of the table: rank or name, six counts, bytes."""
    rows = {}
    for line in text.splitlines():
        m = re.match(r" {9} *(\d+|least|mean|most) +(\d+) +(\d+) +(\d+) +(\d+) +(\d+) +(\d+) +([\d.]+) (k?M?G?B)$", line)
        if m:
            rows[m.group(1)] = [int(m.group(n)) for n in range(2, 8)] + [float(m.group(8)) * UNITS[m.group(9)]]
    return rows


def run(deck, ranks, base, options, where):
    """Its terminal and its events."""
    done = subprocess.run([MPIRUN, "-n", str(ranks), runs.PROGRAM, "run", deck, "-o", base, "--progress", "auto",
                           "--json=" + base + ".json"] + options, cwd=where, capture_output=True, text=True, timeout=600,
                          stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        raise RuntimeError(done.stderr[-2000:])
    with open(os.path.join(where, base + ".json"), encoding="utf-8") as f:
        return done.stdout, done.stderr, [json.loads(line) for line in f]


def of_parts(text):
    return re.search(r"parts at most ([\d.]+) of the mean, (\d+) wells? cut", text).groups()


def same_parts(checks, what, deck, ranks, options, where, within=0.3):
    said = check(deck, ranks, options, where)
    rows = table(said)
    tables, shown, events = run(deck, ranks, "parts", options + ["--profile"], where)
    event = [e for e in events if e["event"] == "ranks"]
    checks.true(what + ": one event", len(event) == 1 and event[0]["ranks"] == ranks, event)
    event = event[0]
    for column, key in ((1, "active"), (2, "ghosts"), (3, "neighbours"), (4, "cut_faces")):
        reported = [rows[str(r)][column] for r in range(ranks)]
        checks.true("%s: %s" % (what, key), reported == event[key], "%s, and the run has %s" % (reported, event[key]))
        checks.near("%s: the mean of %s" % (what, key), rows["mean"][column], sum(reported) / ranks, 0.5)
    for r in range(ranks):
        checks.near("%s: memory of rank %d" % (what, r), rows[str(r)][6], event["memory"][r], within * event["memory"][r])
    start = [e for e in events if e["event"] == "start"][0]
    checks.true(what + ": imbalance and cut wells", of_parts(said) == of_parts(start["machine"]), (said, start["machine"]))
    checks.true(what + ": each face that is cut is two ranks'", sum(event["cut_faces"]) % 2 == 0 and
                [f > 0 for f in event["cut_faces"]] == [0 < a < sum(event["active"]) for a in event["active"]], event)
    checks.true(what + ": active cells are each somebody's", sum(event["active"]) == start["active"], event["active"])
    empty = re.findall(r"the grid is too small for so many ranks: \d+ of \d+ ha\w+ no cells", said)
    checks.true("%s: the same warning" % what, len(empty) == (0 in event["active"]) and all(text in shown for text in empty), shown)
    for kind in ("requests", "exchanges", "sums", "gathered"):
        checks.true("%s: %s" % (what, kind), event[kind]["calls"] > 0 and len(event[kind]["wait"]) == ranks, event[kind])
    profile = re.search(r"^%d ranks .*\n  active cells +(\d+) +(\d+) +(\d+)\n  ghosts +(\d+) +(\d+) +(\d+)\n" % ranks, tables, re.M)
    checks.true(what + ": the table", profile is not None, tables)
    counts = [int(x) for x in profile.groups()]
    for n, key in ((0, "active"), (3, "ghosts")):
        of = event[key]
        checks.true("%s: %s in the table" % (what, key), counts[n] == min(of) and counts[n + 2] == max(of) and
                    abs(counts[n + 1] - sum(of) / ranks) <= 0.5, counts)
    return said


def check_many(checks, where):
    """Of many ranks the least, the mean and the most; with --list each."""
    few, all_rows = (table(check(runs.deck("five_spot_channels"), 24, options, where)) for options in ([], ["--list"]))
    checks.true("24 ranks: three rows", sorted(few) == ["least", "mean", "most"], few)
    checks.true("24 ranks: each", [name for name in all_rows if name.isdigit()] == [str(r) for r in range(24)], list(all_rows))
    for n in range(6):
        checks.true("24 ranks: least and most of column %d" % n, all_rows["least"][n] == min(all_rows[str(r)][n] for r in range(24)) and
                    all_rows["most"][n] == max(all_rows[str(r)][n] for r in range(24)), all_rows)


def check_waiting(checks, where):
    """Rank 1 of two has its part and most of the time none of the work: it waits."""
    event = run(runs.deck("quarter_five_spot"), 2, "wait", ["--set", "report.end=100", "--set", "report.every=50"], where)[2]
    event = [e for e in event if e["event"] == "ranks"][0]
    waits = event["requests"]["wait"]
    checks.true("rank 0 waits for no requests, the other does", waits[0] < 0.2 * waits[1], waits)
    for r in range(2):
        spent = event["work"][r] + sum(event[k]["wait"][r] for k in ("requests", "exchanges", "sums", "gathered"))
        checks.true("rank %d: work and waiting are all its time" % r, 0.0 < event["work"][r] < spent, event)
    tables = run(runs.deck("quarter_five_spot"), 1, "alone", ["--set", "report.end=50", "--profile"], where)
    checks.true("one rank: no table of ranks", "1 rank" not in tables[0] and
                not [e for e in tables[2] if e["event"] == "ranks"], tables[0])


def check_started(checks, where):
    """`check` by mpirun speaks of as many ranks."""
    deck = runs.deck("five_spot_channels")
    done = subprocess.run([MPIRUN, "-n", "2", runs.PROGRAM, "check", deck], cwd=where, capture_output=True, text=True,
                          stdin=subprocess.DEVNULL)
    checks.true("check by mpirun", done.returncode == 0 and done.stdout == check(deck, 2, [], where), done.stdout + done.stderr)


def check_memory(checks, where):
    """Rank 0 has no more than the others once the run has begun."""
    memory = run(runs.deck("spe10_class"), 6, "memory", ["--set", "report.end=0.1"], where)[2]
    memory = [e for e in memory if e["event"] == "ranks"][0]["memory"]
    checks.true("memory of rank 0", memory[0] < 1.15 * max(memory[1:]), memory)


def check_predicted(checks, where):
    """Memory within a tenth where parts have thousands of cells: with messages and lists of the ghosts that rows read, and levels of
    multigrid that have ghosts of their own."""
    egg = runs.find_shared("data", "egg", "Egg_Model_ECL.DATA")
    layers = ["--set", "grid.size=[60,220,4]", "--set", "report.every=0.1", "--set", "report.end=0.1"]
    short = ["--set", "report.every=0.5", "--set", "report.end=0.5"]
    for name, deck, ranks, options in (("Egg", egg, 8, short), ("SPE10's class", runs.deck("spe10_class"), 4, layers)):
        for solver in ("cpr", "dilu") if runs.every(2, 2) == 1 else ("cpr",) if ranks == 8 else ("dilu",):
            if deck is not None:
                same_parts(checks, "%s, %s, %d ranks" % (name, solver, ranks), deck, ranks,
                           options + ["--set", "linear.preconditioner=" + solver, "--threads", "1"], where, 0.1)


def check_field(checks, where):
    """`rank`: each cell its owner's number, as many as check says; in the file of what ParaView reads, and drawn by plot."""
    deck, short = runs.deck("five_spot_channels"), ["--set", "report.every=10", "--set", "report.end=20"]
    active = [row[1] for name, row in table(check(deck, 3, short, where)).items() if name.isdigit()]
    columns = [row[0] for name, row in table(check(deck, 3, short, where)).items() if name.isdigit()]
    run(deck, 3, "field", short, where)

    def ranks(base):
        with h5py.File(os.path.join(where, base + ".h5"), "r") as f:
            return f["static/rank"][:] if "rank" in f["static"] else None, f["grid/active"][:]
    field, mask = ranks("field")
    checks.true("rank: active cells of each", [int((field[mask != 0] == r).sum()) for r in range(3)] == active, active)
    checks.true("rank: whole columns", [int((field[0] == r).sum()) for r in range(3)] == columns and (field == field[0]).all(), columns)
    for r in range(3):  # boxes
        j, i = (field[0] == r).nonzero()
        checks.true("rank %d has a box" % r, (field[0][j.min():j.max() + 1, i.min():i.max() + 1] == r).all())
    with open(os.path.join(where, "field.xdmf2"), encoding="utf-8") as f:
        text = f.read()
    checks.true("rank: ParaView lists it", text.count('Name="rank"') == text.count('Name="porosity"') > 0, text[:2000])
    drawn = runs.hepta("plot", "field", "--map", "rank", "-o", "field.svg", where=where)
    checks.true("rank is drawn", drawn.returncode == 0 or "matplotlib" in drawn.stderr, drawn.stderr)
    view = runs.hepta("paraview", "field", "--field", "rank", where=where)
    checks.true("rank colours ParaView's cells", view.returncode == 0, view.stderr)
    more = ["--set", "report.every=10", "--set", "report.end=30"]
    run(deck, 2, "field", more + ["--restart", "field"], where)
    checks.true("rank: goes on with another number of ranks", set(ranks("field")[0].ravel()) == {0, 1})
    run(deck, 1, "one", short, where)
    checks.true("one rank: no such field", ranks("one")[0] is None)
    view = runs.hepta("paraview", "one", "--field", "rank", where=where)
    checks.true("and ParaView's cells are not coloured by it", view.returncode == 2 and "no array 'rank'" in view.stderr, view.stderr)


def main():
    checks = runs.Checks()
    with runs.folder() as where:
        deck = os.path.join(where, "parts.cfg")
        with open(deck, "w", encoding="utf-8") as f:
            f.write(DECK)
        same_parts(checks, "3 ranks", deck, 3, [], where)
        said = same_parts(checks, "7 ranks", deck, 7, [], where)
        checks.true("LONG is cut between 7 ranks", of_parts(said)[1] == "1", said)
        # a rank exchanges perforated cells only of wells that it has rows of, or perforations
        most = table(check(deck, 16, [], where))["most"][3]
        checks.true("neighbours of 16 ranks", 4 <= most <= 11, most)
        small = [word for o in ("grid.size=[12,12,2]", "wells.PROD.i=12", "wells.PROD.j=12", "report.end=2", "report.every=2")
                 for word in ("--set", o)]
        said = same_parts(checks, "144 columns of 4 ranks", runs.deck("quarter_five_spot"), 4, small, where)
        checks.true("they are one brick, which is not cut", "3 of 4 have no cells" in said, said)
        said = same_parts(checks, "four bricks of 5 ranks", runs.deck("quarter_five_spot"), 5, [
            word.replace("[12,12,2]", "[20,20,2]").replace("=12", "=20") for word in small], where)
        checks.true("four bricks of 5 ranks: a rank without cells", "1 of 5 has no cells" in said, said)
        tiny = [word for o in ("grid.size=[3,8,1]", "wells.PROD.i=3", "wells.PROD.j=8", "linear.preconditioner=jacobi", "report.end=0.2", "report.every=0.2")
                 for word in ("--set", o)]
        said = same_parts(checks, "24 columns of 5 ranks", runs.deck("quarter_five_spot"), 5, tiny, where, within=0.5)  # 8 cells each: memory is mostly MPI's
        checks.true("ranks without cells", "2 of 5 have no cells" in said and [r[1] for r in table(said).values()][3:5] == [0, 0], said)
        same_parts(checks, "jacobi, 4 ranks", deck, 4, ["--set", "linear.preconditioner=jacobi"], where)
        said = same_parts(checks, "channels", runs.deck("five_spot_channels"), 3, ["--set", "report.end=2", "--set", "report.every=2"], where)
        checks.true("channels: parts are equal", of_parts(said)[0] == "1.00", said)
        said = check(runs.deck("quarter_five_spot"), 144, small, where)
        checks.true("as many ranks as columns", table(said)["most"][0] == 144 and "143 of 144 have no cells" in said, said)
        said = check(runs.deck("quarter_five_spot"), 144, small + ["--set", "linear.preconditioner=jacobi"], where)
        checks.true("as many ranks as columns: parts are chunks of sums, here rows of 12 columns",
                    table(said)["most"][0] == 12 and "132 of 144 have no cells" in said, said)
        done = runs.hepta("check", runs.deck("quarter_five_spot"), "--ranks", "145", *small, where=where)
        checks.true("one more is refused", done.returncode == 2 and "145 parts are too many" in done.stderr, done.stderr)
        # levels that every rank has, and a rank's second team, are the most of what so small parts hold
        short = ["--set", "report.every=1", "--set", "report.end=1", "--set", "linear.preconditioner=cpr"]
        same_parts(checks, "cpr, 5 ranks", runs.deck("quarter_five_spot"), 5, short, where, 0.2)
        if os.environ.get("HEPTA_HAVE_HYPRE") == "ON":
            same_parts(checks, "cpr with hypre, 2 ranks", runs.deck("five_spot_channels"), 2, short + ["--set", "linear.cpr.amg=hypre"], where,
                       0.2)
        check_predicted(checks, where)
        check_waiting(checks, where)
        check_started(checks, where)
        check_many(checks, where)
        check_memory(checks, where)
        check_field(checks, where)
    return checks.result()


sys.exit(main())
