"""hepta report: one file without scripts or links, whose tables are the numbers of the result and whose pictures are there; it says what
the run said, also of one that went on in its files or stopped."""
import base64
import html
import os
import re
import sys
import xml.etree.ElementTree

import h5py
import numpy

import drawing
import runs

try:
    import matplotlib  # noqa: F401
except ImportError:
    runs.skip("needs matplotlib")

DECK = """
title = "A <u>title</u> & more";
start = "2020-01-31";
grid = { size = [7, 5, 3]; dx = 20.0; dy = 20.0; dz = 4.0; top = 2000.0; porosity = 0.2; permx = 90.0;
         boxes = ( { i = [1, 2]; set = { active = 0; }; j = 5; } ); };
fluids = {
  water = { density = 1000.0; reference_pressure = 200.0; compressibility = 4.0e-5; viscosity = 0.5; };
  oil = { density = 850.0; reference_pressure = 200.0; compressibility = 8.0e-5; viscosity = 1.5; };
};
saturation = { model = "corey"; swc = 0.2; sor = 0.2; krw_max = 0.5; nw = 2.0; no = 2.0; };
rock = { reference_pressure = 200.0; compressibility = 4.0e-5; };
initial = { datum_depth = 2000.0; datum_pressure = 200.0; contact_depth = 2100.0; };
regions = { fip = { layers = ( { k = 1; value = 1; }, { k = [2, 3]; value = 2; } ); }; };
wells = (
  { name = "INJ"; type = "injector"; i = 1; j = 1; radius = 0.1; control = "rate"; rate = 15.0; bhp = 400.0; group = "N"; },
  { name = "A<i>/1"; type = "producer"; i = 7; j = 5; radius = 0.1; control = "bhp"; bhp = 180.0; group = "N"; history_oil_rate = 9.5; }
);
groups = ( { name = "N"; } );
report = { every = 100.0; end = 400.0; };
timestep = { initial = 1.0; max = 20.0; };
output = { restart = 2; vectors = ["GOPR", "GWPR", "GOPT", "ROIP", "RPR", "WOPRH"]; };
"""


def near(text, value):
    return abs(float(text) - value) <= 1e-5 * abs(value) + 1e-12


def check_page(checks, where, python):
    done = runs.hepta("run", "deck.cfg", "-o", "r", "--threads", "1", where=where)
    checks.true("the run says where to see it", done.returncode == 0 and re.search(r"^ +\S*hepta\S* report r$", done.stdout, re.M), done.stdout + done.stderr)
    done = runs.hepta("report", "r", where=where, environment=python)
    checks.true("a page", done.returncode == 0 and done.stdout == "wrote r.html\n", done.stderr)
    page = drawing.Page(os.path.join(where, "r.html"))
    checks.true("nothing runs or is fetched", not page.tags & {"script", "link", "iframe", "u", "i"} and not page.links, (page.tags, page.links))
    checks.true("texts of the deck are texts", "A <u>title</u> & more" in page.text and page.row("A<i>/1") != [], page.rows)
    with h5py.File(os.path.join(where, "r.h5")) as f:
        last = {name: column[-1] for name, column in f["summary"].items() if column.dtype.kind == "f"}
        said, steps = f["said"][0].decode(), len(f["solver/step"])
    well = page.row("A<i>/1")
    checks.true("totals of a well", near(well[1], last["WOPT:A<i>_1"]) and near(well[2], last["WWPT:A<i>_1"]) and near(well[5], last["WBHP:A<i>_1"]) and
                well[6] == "BHP", well)
    checks.true("totals of an injector", near(page.row("INJ")[3], last["WWIT:INJ"]), page.row("INJ"))
    checks.true("totals of a group", near(page.row("N")[1], last["GOPT:N"]), page.row("N"))
    for region in ("1", "2"):
        row = page.row(region)
        checks.true("region " + region, row and near(row[1], last["ROIP:" + region]) and near(row[2], last["RPR:" + region]), row)
    balance = page.row("oil")
    with h5py.File(os.path.join(where, "r.h5")) as f:
        weight = numpy.diff(f["summary/TIME"][:], prepend=0.0)
        off = numpy.sqrt((weight * (f["summary/WOPR:A<i>_1"][:] - f["summary/WOPRH:A<i>_1"][:]) ** 2).sum() / weight.sum())
    row = next((r for r in page.rows if r[:2] == ["A<i>/1", "oil rate"]), ["", "", "", "nan", "nan"])
    checks.true("misfit", near(row[3], 9.5) and near(row[4].split()[0], off) and off > 0.1, (row, off))
    checks.true("mass balance", abs(float(balance[3]) - last["FOPT"]) < 1e-4 * last["FOPT"] and
                abs(float(balance[1]) - float(balance[3]) - float(balance[4])) < 2e-5 * float(balance[1]), balance)
    checks.true("steps", page.row("time steps") == ["time steps", str(steps)], page.rows)
    checks.true("grid", any("7 x 5 x 3 cells, 99 active" in cell for row in page.rows for cell in row), page.rows)
    checks.true("what was said", "Mass balance" in page.said and "Error in time" in page.said and page.said.strip() == said.strip(), page.said)
    for alt, gids in (("curves of the field", ["FOPR of r", "FWCT of r"]), ("curves of groups", ["GOPR:N of r"]),
                      ("rates of wells 1 to 2", ["WOPR:A<i>_1 of r", "WOPRH:A<i>_1 of r"]), ("iterations and seconds", ["newton of r"])):
        kind, data = page.picture(alt)
        found = {g.get("id") for g in xml.etree.ElementTree.fromstring(data).iter("{http://www.w3.org/2000/svg}g")}
        checks.true("picture: " + alt, kind == "image/svg+xml" and set(gids) <= found, sorted(str(g) for g in found)[:40])
    maps = [a for a in page.pictures if page.picture(a)[1].startswith(b"\x89PNG")]
    checks.true("maps: sw three times, pressure, a section", len(maps) == 5 and len([a for a in maps if a.startswith("sw.layer")]) == 3 and
                any(a.startswith("sw.j") for a in maps) and any(a.startswith("pressure.") for a in maps), maps)
    first = open(os.path.join(where, "r.html"), "rb").read()
    runs.hepta("report", "r.h5", "-o", "again/r.html", where=where, environment=python)
    checks.true("the same bytes twice, in a folder that is made", open(os.path.join(where, "again/r.html"), "rb").read() == first)


def check_kept(checks, where, python):
    """The words that are kept are the same with --quiet, go on with a run that goes on, and name what stopped one."""
    words = []
    for name, options in (("q", ["-q"]), ("m", ["--monitor"])):
        runs.hepta("run", "deck.cfg", "-o", name, "--threads", "1", *options, where=where)
        with h5py.File(os.path.join(where, name + ".h5")) as f:
            words.append(re.sub(r"(results .*|Multigrid.*)", "", f["said"][0].decode()))
    checks.true("the same words, said or not, without Newton's iterations", words[0] == words[1] and "Work:" in words[0] and "CNV" not in words[1], words)
    runs.hepta("run", "deck.cfg", "-o", "g", "-q", "--set", "report.end=200", where=where)
    with h5py.File(os.path.join(where, "g.h5")) as f:
        before = f["said"][0].decode()
    done = runs.hepta("run", "deck.cfg", "--restart", "g", "-q", where=where)
    with h5py.File(os.path.join(where, "g.h5")) as f:
        after = f["said"][0].decode()
    checks.true("a run that went on says both", done.returncode == 0 and after.startswith(before) and after.count("Mass balance") == 2 and
                "restart " in after[len(before):], after)
    done = runs.hepta("run", "deck.cfg", "-o", "s", "-q", "--set", "newton.max_iterations=1", "--set", "timestep.min=0.9", where=where)
    checks.true("a run that stops", done.returncode == 1, done.stderr)
    if os.path.exists(os.path.join(where, "s.h5")):
        with h5py.File(os.path.join(where, "s.h5")) as f:
            stopped = f["said"][0].decode() if "said" in f else ""
        why = done.stderr.split("hepta: ")[1].split("\n")[0][:60]
        checks.true("says why it stopped", "Stopped:\n" in stopped and why in stopped, (stopped, done.stderr))


def check_many_wells(checks, where, python):
    """Of many wells those that moved most have curves, and the page says so."""
    sys.path.insert(0, os.path.join(runs.SOURCE, "sim", "commands", "plot"))
    import report
    report.MOST = 1
    r = report.Result(os.path.join(where, "r.h5"))
    there = report.wells(r)
    text = report.well_curves([r], report.Clock([r]), [([key], name) for key, name in there])
    most = max(there, key=lambda m: sum(report.last(r, "W%s:%s" % (k, m[0])) for k in ("OPT", "WPT", "OIT", "WIT")))
    checks.true("one of two wells", len(there) == 2 and "Of 2 wells the 1 that moved most" in text and text.count("<img") == 1, text[:400])
    svg = base64.b64decode(text.split(";base64,")[1].split('"')[0]).decode()
    checks.true("the one that moved most", [name for key, name in there if ("W%s:%s of r" % ("WIR" if key == "INJ" else "OPR", html.escape(key))) in svg]
                == [most[1]], most)


def check_refusals(checks, where, python):
    with h5py.File(os.path.join(where, "r.h5")) as f, h5py.File(os.path.join(where, "old.h5"), "w") as out:
        for name in f:
            link = f.get(name, getlink=True)
            if isinstance(link, h5py.ExternalLink):
                out[name] = link
            elif name != "said":
                f.copy(name, out)
        out.attrs.update({k: 1 if k == "format_version" else v for k, v in f.attrs.items() if k != "checksums"})
    done = runs.hepta("report", "old.h5", where=where, environment=python)
    page = drawing.Page(os.path.join(where, "old.html")) if done.returncode == 0 else None
    checks.true("of an earlier version, which kept nothing", page is not None and page.said == "" and page.row("A<i>/1") != [], done.stderr)
    for arguments, code, words in ((["none.h5"], 2, "none.h5"), ([], 2, "which result file"), (["r", "q"], 2, "one result"), (["r", "-o", "r.png"], 2, ".html"),
                                   (["deck.cfg"], 2, "deck.cfg"), (["r", "-o", "/proc/none/r.html"], 2, "/proc/none")):
        done = runs.hepta("report", *arguments, where=where, environment=python)
        checks.true("refused: " + " ".join(arguments), done.returncode in (1, code) and words in done.stderr, (done.returncode, done.stderr))


def main():
    checks = runs.Checks()
    with runs.folder() as where, drawing.python() as python:
        with open(os.path.join(where, "deck.cfg"), "w") as f:
            f.write(DECK)
        environment = dict(os.environ, HEPTA_PYTHON=python)
        for part in (check_page, check_kept, check_many_wells, check_refusals):
            part(checks, where, environment)
    return checks.result()


if __name__ == "__main__":
    sys.exit(main())
