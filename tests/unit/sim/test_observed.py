"""Measured values with standard deviations beside results (--data of hepta plot, report and compare): misfits are those that numpy
finds in the summary, bars stand at the points, and mistakes are named with file and line."""
import os
import re
import sys

import numpy

import drawing
import runs

try:
    import matplotlib  # noqa: F401
except ImportError:
    runs.skip("needs matplotlib")

sys.path.insert(0, os.path.join(runs.SOURCE, "sim", "commands", "plot"))
import results  # noqa: E402

PYTHON = dict(os.environ, HEPTA_PYTHON=sys.executable)
checks = runs.Checks()
DECK = """
title = "observed"; start = "2020-01-01";
grid = { size = [7, 5, 1]; dx = 20.0; dy = 20.0; dz = 4.0; top = 2000.0; porosity = 0.2; permx = 90.0; };
%s
initial = { datum_depth = 2000.0; datum_pressure = 200.0; contact_depth = 2100.0; };
wells = (
  { name = "INJ"; type = "injector"; i = 1; j = 1; radius = 0.1; control = "rate"; rate = 15.0; bhp = 400.0; },
  { name = "A/1"; type = "producer"; i = 7; j = 5; radius = 0.1; control = "bhp"; bhp = 180.0; } );
report = { every = 100.0; end = 400.0; };
timestep = { initial = 1.0; max = 20.0; };
""" % runs.FLUIDS
LINES = [(100.0, "WOPR:A/1", 14.0, 0.5), (150.0, "WOPR:A/1", 15.5, 0.25), (300.0, "WOPR:A/1", 12.0, None), (200.0, "FPR", 191.0, 2.0),
         (250.5, "FPR", 190.0, 4.0), (400.0, "WWCT:A/1", 0.3, 0.05), (900.0, "WWCT:A/1", 0.9, 0.05)]


def hepta(where, *arguments):
    return runs.hepta(*arguments, where=where, environment=PYTHON)


def write(where, name, lines, head="TIME,VECTOR,VALUE,SIGMA"):
    with open(os.path.join(where, name), "w") as f:
        f.write(head + "\n" + "".join(",".join("" if x is None else str(x) for x in line) + "\n" for line in lines))


def expected(table, vector):
    """Root mean squares of differences, and of those over standard deviations where there are any: rates of the time step."""
    times, values = numpy.array(table["TIME"]), numpy.array(table[vector])
    off, scaled = [], []
    for t, v, value, sigma in LINES:
        if v != vector or t > times[-1]:
            continue
        mine = numpy.interp(t, times, values) if v == "FPR" else values[numpy.argmax(times >= t - 1e-6)]
        off.append(mine - value)
        if sigma is not None:
            scaled.append((mine - value) / sigma)
    return len(off), numpy.sqrt(numpy.mean(numpy.square(off))), numpy.sqrt(numpy.mean(numpy.square(scaled)))


def check_row(what, row, tables, vector):
    """row: vector, unit, points, mean, misfits."""
    checks.true("%s: a row of %s" % (what, vector), len(row) == 4 + len(tables), row)
    for cell, table in zip(row[4:], tables):
        points, off, scaled = expected(table, vector)
        numbers = [float(x) for x in re.findall(r"[0-9.e+-]+", cell)]
        checks.true("%s: points of %s" % (what, vector), int(row[2]) == points, row)
        checks.true("%s: misfit of %s" % (what, vector), len(numbers) == 2 and abs(numbers[0] - off) <= 2e-5 * off and abs(numbers[1] - scaled) <= 6e-3 * scaled,
                    (cell, off, scaled))


with runs.folder() as folder:
    with open(os.path.join(folder, "deck.cfg"), "w") as f:
        f.write(DECK)
    a = runs.run(os.path.join(folder, "deck.cfg"), folder, name="a")
    b = runs.run(os.path.join(folder, "deck.cfg"), folder, ["wells.A/1.bhp=185"], name="b")
    tables = [runs.Table(r.base + ".summary.csv") for r in (a, b)]
    write(folder, "seen.csv", LINES)
    done = hepta(folder, "report", "a", "--data", "seen.csv")
    checks.true("a page", done.returncode == 0, done.stderr)
    page = drawing.Page(os.path.join(folder, "a.html"))
    for vector in ("WOPR:A/1", "FPR", "WWCT:A/1"):
        check_row("report", page.row(vector), tables[:1], vector)
    done = hepta(folder, "compare", "a", "b", "-o", "ab.html", "--data", "seen.csv")
    checks.true("a page of two", done.returncode == 0, done.stderr)
    page = drawing.Page(os.path.join(folder, "ab.html"))
    for vector in ("WOPR:A/1", "FPR", "WWCT:A/1"):
        check_row("compare", next(row for row in page.rows if row[:1] == [vector] and len(row) == 6), tables, vector)
    # by dates, wide as before, and in a picture
    write(folder, "dated.csv", [("2020-04-10", "WOPR:A/1", 14.0, 0.5), ("2020-05-30", "WOPR:A/1", 15.5, 0.25)], "DATE,VECTOR,VALUE,SIGMA")
    done = hepta(folder, "plot", "a", "--well", "A/1", "--data", "dated.csv", "-o", "dated.svg")
    checks.true("dates", done.returncode == 0, done.stderr)
    picture = open(os.path.join(folder, "dated.svg")).read()
    write(folder, "bare.csv", [("2020-04-10", "WOPR:A/1", 14.0), ("2020-05-30", "WOPR:A/1", 15.5)], "DATE,VECTOR,VALUE")
    done = hepta(folder, "plot", "a", "--well", "A/1", "--data", "bare.csv", "-o", "bare.svg")
    checks.true("without deviations", done.returncode == 0, done.stderr)
    bare = open(os.path.join(folder, "bare.svg")).read()
    checks.true("points", "WOPR:A/1 of dated.csv" in picture and "WOPR:A/1 of bare.csv" in bare)
    checks.true("bars where deviations are known", "WOPR:A/1 of dated.csv, deviations" in picture and "deviations" not in bare)
    for lines, head, message in (
            ([(1, "FOPR", 2, 1), (2, "FOPR", 2, 0)], None, "bad.csv:3: SIGMA: '0.0' must be a number > 0"), ([(1, "FOPR", 2, "x")], None, "bad.csv:2: SIGMA: 'x'"),
            ([(1, "FOPR", "x", 1)], None, "bad.csv:2: FOPR: 'x' is not a number"), ([(1, "", 2, 1)], None, "bad.csv:2: VECTOR: must be a name"),
            ([(1, "FOPR", 2)], "TIME,VECTOR,AMOUNT", "no column VALUE"), ([(1, "FOPR", 2, 1)], "TIME,VECTOR,VALUE,ERROR", "column ERROR: beside VECTOR"),
            ([(1, "FOPR", 2, 1, "STB/DAY")], "TIME,VECTOR,VALUE,SIGMA,UNIT", "FOPR is in [STB/DAY], the results are in [SM3/DAY]")):
        write(folder, "bad.csv", lines, *([head] if head else []))
        try:
            results.Data(os.path.join(folder, "bad.csv")).column("FOPR", "SM3/DAY")
            said = ""
        except results.Fault as fault:
            said = str(fault)
        checks.true(message, message in said, said)
    write(folder, "bad.csv", [(1, "WOPR:NO", 2, 1)])
    done = hepta(folder, "report", "a", "-o", "bad.html", "--data", "bad.csv")
    checks.true("no such vector", done.returncode == 2 and "bad.csv: WOPR:NO: no result has such a vector" in done.stderr and
                not os.path.exists(os.path.join(folder, "bad.html")), done.stderr)
    done = hepta(folder, "report", "a", "-o", "bad.html", "--data", "none.csv")
    checks.true("a file that is not there", done.returncode == 2 and "none.csv" in done.stderr, done.stderr)
    done = hepta(folder, "compare", "deck.cfg", "--case", "a:", "--case", "b:", "--data", "seen.csv")
    checks.true("not beside a deck", done.returncode == 2 and "--data is for results that exist" in done.stderr, done.stderr)
sys.exit(checks.result())
