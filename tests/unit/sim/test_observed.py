"""Measured values with standard deviations beside results (--data of hepta plot, report and compare): misfits are those that numpy
finds in the summary, bars stand at the points, bubbles on maps have the areas of their numbers, and mistakes are named with file and
line."""
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


def bubbles(path):
    """{well: (area of its disc, number in its label)} of a map's SVG."""
    with open(path, encoding="utf-8") as f:
        text = f.read()
    found = {}
    for name, group in re.findall(r'<g id="bubble ([^"]*)">(.*?)</g>', text, re.S):
        across = numpy.ptp([float(x) for x in re.findall(r"-?[\d.]+", re.search(r' d="(.*?)"', group, re.S).group(1))])
        found[name] = (across ** 2, float(re.search(r">%s  ([-+\d.e]+)<" % re.escape(name), text).group(1)))
    return found


def observed_rms(table, name, observed):
    """Of what the summary differs by from a constant, over time."""
    step = numpy.diff(numpy.array(table["TIME"]), prepend=0.0)
    return numpy.sqrt((step * (numpy.array(table[name]) - observed) ** 2).sum() / step.sum())


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
    # bubbles: a vector at a time, misfits to data and to what the deck has of observed values
    done = hepta(folder, "plot", "a", "--map", "sw", "--time", "200", "--bubbles", "WOPT", "-o", "oil.svg")
    checks.true("bubbles", done.returncode == 0, done.stderr)
    oil, at = bubbles(os.path.join(folder, "oil.svg")), numpy.interp(200.0, tables[0]["TIME"], tables[0]["WOPT:A/1"])
    checks.true("what was produced", abs(oil["A/1"][1] / at - 1) < 1e-3 and oil["A/1"][0] > 100.0, (oil, at))
    done = hepta(folder, "plot", "a", "--map", "sw", "--time", "100,400", "--bubbles", "WOPT", "-o", "series.svg")
    early, late = (bubbles(os.path.join(folder, "series.%dday.WOPT.svg" % t))["A/1"] if done.returncode == 0 else (0, 0) for t in (100, 400))
    checks.true("one scale in a series", late[0] > 0 and abs(early[0] / late[0] - early[1] / late[1]) < 0.02, (done.stderr, done.stdout, early, late))
    history = ["wells.A/1.history_oil_rate=12", "wells.A/1.history_bhp=181", "wells.INJ.history_water_rate=13", 'output.vectors=["WOPRH:*","WBHPH:*","WWIRH:*"]']
    seen = runs.run(os.path.join(folder, "deck.cfg"), folder, history, name="seen")
    table = runs.Table(seen.base + ".summary.csv")
    right = {"WOPR": observed_rms(table, "WOPR:A/1", 12.0), "WBHP": observed_rms(table, "WBHP:A/1", 181.0), "WWIR": observed_rms(table, "WWIR:INJ", 13.0)}
    for kind, well in (("WOPR", "A/1"), ("WBHP", "A/1"), ("WWIR", "INJ")):
        done = hepta(folder, "plot", "seen", "--map", "pressure", "--bubbles", "misfit:" + kind, "-o", "misfit.svg")
        drawn = bubbles(os.path.join(folder, "misfit.svg")) if done.returncode == 0 else {}
        checks.true("misfits of " + kind, well in drawn and abs(drawn[well][1] / right[kind] - 1) < 1e-3, (done.stderr, drawn, right))
    write(folder, "two.csv", [(200.0, "WBHP:A/1", 170.0, 2.0), (200.0, "WBHP:INJ", table["WBHP:INJ"][numpy.argmax(numpy.array(table["TIME"]) >= 200 - 1e-6)] - 20.0, 1.0)])
    done = hepta(folder, "plot", "seen", "--map", "pressure", "--bubbles", "misfit:WBHP", "--data", "two.csv", "-o", "misfit.svg")
    drawn = bubbles(os.path.join(folder, "misfit.svg")) if done.returncode == 0 else {}
    checks.true("deviations: 5 and 20, areas as 1 to 4", len(drawn) == 2 and abs(drawn["A/1"][1] - 5) < 1e-3 and abs(drawn["INJ"][1] - 20) < 0.05 and
                abs(drawn["INJ"][0] / drawn["A/1"][0] - 4) < 0.1, (done.stderr, drawn))
    for options, message in ((["--bubbles", "WXX"], "no well has WXX; there are WBHP"), (["--bubbles", "FOPT"], "a vector of wells, like WOPT"),
                             (["--bubbles", "WMCTL"], "holds texts"), (["--bubbles", "misfit:WOPT"], "nothing was observed of it"),
                             (["--bubbles", "WOPT", "--data", "two.csv"], "--data is for curves and for --bubbles misfit:VECTOR"),
                             (["--data", "two.csv"], "not for --map without --bubbles")):
        done = hepta(folder, "plot", "seen" if "misfit:WOPT" not in options else "a", "--map", "sw", "-o", "bad.svg", *options)
        checks.true(message, done.returncode == 2 and message in done.stderr, done.stderr)
    done = hepta(folder, "plot", "a", "--bubbles", "WOPT")
    checks.true("only on maps", done.returncode == 2 and "are for --map" in done.stderr, done.stderr)
    # the table of hepta info, and the map of a report
    said = hepta(folder, "info", "seen").stdout.split("misfit of")
    rows = {line.split()[0]: line.split()[1:] for line in said[-1].splitlines()[2:] if line.split()}
    checks.true("info: misfits", len(said) == 2 and abs(float(rows["A/1"][0]) / right["WOPR"] - 1) < 1e-5 and rows["A/1"][3] == "-" and
                abs(float(rows["A/1"][4]) / right["WBHP"] - 1) < 1e-5 and abs(float(rows["INJ"][3]) / right["WWIR"] - 1) < 1e-5, said[-1])
    checks.true("info: none", "misfit" not in hepta(folder, "info", "a").stdout)
    done = hepta(folder, "report", "seen")
    with open(os.path.join(folder, "seen.html")) as f:
        checks.true("a report's map of misfits", done.returncode == 0 and "misfit.WOPR" in f.read(), done.stderr)
sys.exit(checks.result())
