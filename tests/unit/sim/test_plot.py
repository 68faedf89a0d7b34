"""hepta plot: what stands in its pictures is what h5py reads in the results, points and colours recovered from the SVG; data,
wells, layers and times as asked for; what is wrong or missing is said; it works from a build folder and installed."""
import datetime
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree

import h5py
import numpy

import drawing
import runs

try:
    import matplotlib.colors
    import matplotlib.image
except ImportError:
    runs.skip("needs matplotlib")

DECK = """
units = "field";
title = "A <plot>";
grid = { size = [7, 5, 3]; dx = 60.0; dy = 50.0; dz = 12.0; top = 6000.0; porosity = 0.2;
         permx = 90.0;
         boxes = ( { k = 2; multiply = { permx = 4.0; }; }, { i = [1, 2]; j = 5; set = { active = 0; }; } ); };
fluids = {
  water = { density = 62.4; reference_pressure = 2600.0; compressibility = 3.0e-6; viscosity = 0.5; };
  oil = { density = 53.0; reference_pressure = 2600.0; compressibility = 8.0e-6; viscosity = 1.5; };
};
saturation = { model = "corey"; swc = 0.2; sor = 0.2; krw_max = 0.5; nw = 2.0; no = 2.0; };
rock = { reference_pressure = 2600.0; compressibility = 3.0e-6; };
initial = { datum_depth = 6000.0; datum_pressure = 2600.0; contact_depth = 9000.0; };
wells = (
  { name = "INJ"; type = "injector"; i = 1; j = 1; radius = 0.3; control = "rate"; rate = 150.0; bhp = 6000.0; },
  { name = "P-1"; type = "producer"; i = 7; j = 5; radius = 0.3; control = "bhp"; bhp = 2200.0; }
);
report = { every = 100.0; end = 400.0; };
timestep = { initial = 1.0; max = 40.0; };
output = { double = true; };
"""
ODD = ("$x^{$", "_a", "A_WELL_WITH_A_LONG_NAME")


def many_wells(count=12):
    """The deck with so many producers, a date, and a long title."""
    wells = ['  { name = "%s"; type = "producer"; i = %d; j = %d; radius = 0.3; control = "bhp"; bhp = %d.0; }' % (
        ODD[n] if n < len(ODD) else "P%d" % n, 2 + n // 4, 1 + n % 4, 2200 + n) for n in range(count)]
    text = DECK.replace("A <plot>", "It costs $x^{$ and " + "more and more " * 12 + "to its end")
    text = text.replace("size = [7, 5, 3]", "size = [%d, 5, 3]" % max(7, 2 + count // 4))
    text = text.replace('units = "field";', 'units = "field"; start = "2020-01-31";')
    return re.sub(r",\n  { name = \"P-1\".*?}\n", lambda m: ",\n" + ",\n".join(wells) + "\n", text)


SVG = "{http://www.w3.org/2000/svg}"
PLAIN = dict(os.environ, HEPTA_PYTHON=sys.executable)
QUICK = dict(PLAIN)  # tests/support/drawing.py; a picture of each kind is drawn without it


def plot(where, *arguments, environment=None):
    return runs.hepta("plot", *arguments, where=where, environment=environment or QUICK)


# ---- reading a picture back -----------------------------------------------------------------


class Picture:
    """An SVG file: groups by their id."""

    def __init__(self, path):
        self.groups = {}
        for group in xml.etree.ElementTree.parse(path).iter(SVG + "g"):
            self.groups.setdefault(group.get("id"), group)
        self.text = [t.text for t in xml.etree.ElementTree.parse(path).iter(SVG + "text")]

    def line(self, name):
        """Corners of a line [n][2]."""
        path = self.groups[name].find(SVG + "path").get("d")
        return numpy.array([float(v) for v in re.findall(r"-?[\d.]+(?:e-?\d+)?", path)]).reshape(-1, 2)

    def points(self, name):
        uses = self.groups[name].iter(SVG + "use")
        return numpy.array([[float(u.get("x")), float(u.get("y"))] for u in uses])

    def cells(self):
        """(corners [4][2], colour) of the cells of a map."""
        for path in self.groups["map"].iter(SVG + "path"):
            corners = numpy.array([float(v) for v in re.findall(r"-?[\d.]+(?:e-?\d+)?", path.get("d"))]).reshape(-1, 2)
            colour = re.search(r"fill: (#[0-9a-f]{6})", path.get("style"))
            if "fill: none" not in path.get("style") and "opacity: 0" not in path.get("style"):
                yield corners[:4], colour.group(1)


def is_flat(values):
    return numpy.ptp(values) <= 1e-12 * abs(values).max()


def fit(values, places):
    """The straight scale from values to places, and how far the places are off it."""
    scale = numpy.polyfit(values, places, 1) if not is_flat(values) else numpy.array([0.0, places.mean()])
    return scale, abs(numpy.polyval(scale, values) - places).max()


def summary(base, name):
    with h5py.File(base + ".h5") as f:
        return f["summary/" + name][:]


def check_line(checks, picture, base, column, others=()):
    """A line and those of other columns in the same axes are the values, on one scale, those of rates held for their time
    step. Returns the two scales."""
    name = os.path.basename(base)
    columns = (column,) + tuple(others)
    places = [picture.line("%s of %s" % (c, name)) for c in columns]
    for n, c in enumerate(columns):
        if re.match(r"[FW]([OW][PI]R|WCT)", c):
            checks.true(c + ": holds from the step before on", abs(places[n][3::2, 0] - places[n][2:-1:2, 0]).max() < 1e-3 and
                        abs(places[n][1::2, 1] - places[n][2::2, 1]).max() < 1e-3)
            places[n] = places[n][2::2]
    time = numpy.concatenate([summary(base, "TIME") for c in columns])
    values = numpy.concatenate([summary(base, c) for c in columns])
    checks.true(column + ": a corner a time step", sum(len(p) for p in places) == len(time), len(places[0]))
    x, off = fit(time, numpy.concatenate(places)[:, 0])
    checks.true(column + ": times", off < 1e-3 and x[0] > 0, off)
    y, off = fit(values, numpy.concatenate(places)[:, 1])
    checks.true(column + ": values", off < 1e-3 and (y[0] < 0 or is_flat(values)), off)
    return x, y


# ---- curves ---------------------------------------------------------------------------------


def check_curves(checks, where):
    a, b = os.path.join(where, "a"), os.path.join(where, "b")
    done = plot(where, "a.h5", "b.h5", "-o", "both.svg")
    checks.true("two results", done.returncode == 0 and done.stdout == "wrote both.svg\n", done.stderr)
    picture = Picture(os.path.join(where, "both.svg"))
    scales = [check_line(checks, picture, base, "FOPR", ("FWPR", "FWIR")) for base in (a, b)]
    checks.true("both on one scale", numpy.allclose(scales[0], scales[1], rtol=1e-4), scales)
    for base in (a, b):
        check_line(checks, picture, base, "FWCT")
        check_line(checks, picture, base, "FPR")
        with h5py.File(base + ".h5") as f:
            newton, linear = f["solver/newton"][:], f["solver/linear"][:]
            seconds = {c: f["solver/" + c][:].sum() for c in ("setup", "solve", "assembly", "wells", "output")}
        name = os.path.basename(base)
        for gid, values in (("newton", newton), ("linear", linear / newton)):
            levels = picture.line("%s of %s" % (gid, name))[::2, 1]  # a stair has two corners a step
            off = fit(values.astype(float), levels)[1] if len(levels) == len(values) else numpy.inf
            checks.true("%s of %s" % (gid, name), off < 1e-3, off)
        widths = {c: numpy.ptp(picture.line("%s of %s" % (c, name))[:, 0]) for c in seconds}
        share = widths["output"] / seconds["output"]
        checks.true("seconds of " + name, all(abs(widths[c] - share * seconds[c]) < 0.01 for c in seconds), widths)
    checks.true("units", "rates [STB/DAY]" in picture.text and "average pressure [PSIA]" in picture.text, picture.text)
    checks.true("the results are named", {"a", "b"} <= set(picture.text))
    for kind, magic, first in (("pdf", b"%PDF", QUICK), ("svg", b"<?xml", PLAIN)):
        files = []
        for n, environment in (("1", first), ("2", QUICK)):
            done = plot(where, "a.h5", "-o", "%s.%s" % (n, kind), environment=environment)
            with open(os.path.join(where, "%s.%s" % (n, kind)), "rb") as f:
                files.append(f.read())
        checks.true(kind, done.returncode == 0 and files[0].startswith(magic) and len(files[0]) > 5000, done.stderr)
        checks.true(kind + ": the same bytes twice", files[0] == files[1])
    done = plot(where, "a.h5")
    checks.true("without -o", done.stdout == "wrote a.png\n" and os.path.exists(os.path.join(where, "a.png")), done.stderr)
    pixels = matplotlib.image.imread(os.path.join(where, "a.png"))
    checks.true("a picture that is not blank", pixels.shape[0] > 800 and pixels.std() > 0.05, pixels.shape)


def check_data(checks, where):
    base = os.path.join(where, "a")
    with open(os.path.join(where, "ref.csv"), "w") as f:
        f.write("TIME[DAYS],WOPR:P-1[STB/DAY],WWCT:P-1,FOPR[STB/DAY]\n50,100,\n150,,0.25\n250,80,0.5\n")
    done = plot(where, "a.h5", "--well", "P-1", "--data", "ref.csv", "-o", "well.svg")
    checks.true("a well with data", done.returncode == 0, done.stderr)
    picture = Picture(os.path.join(where, "well.svg"))
    x, y = check_line(checks, picture, base, "WOPR:P-1", ("WWPR:P-1",))
    checks.true("a producer injects nothing", not any("WWIR" in str(name) for name in picture.groups) and
                "water injected" not in picture.text, picture.text)
    points = picture.points("WOPR:P-1 of ref.csv")
    expected = [[numpy.polyval(x, t), numpy.polyval(y, v)] for t, v in ((50, 100), (250, 80))]
    checks.true("points where they belong, empty entries none",
                points.shape == (2, 2) and abs(points - expected).max() < 1e-2, points)
    x, y = check_line(checks, picture, base, "WWCT:P-1")
    points = picture.points("WWCT:P-1 of ref.csv")
    expected = [[numpy.polyval(x, t), numpy.polyval(y, v)] for t, v in ((150, 0.25), (250, 0.5))]
    checks.true("points of the water cut", points.shape == (2, 2) and abs(points - expected).max() < 1e-2, points)
    check_line(checks, picture, base, "WBHP:P-1")
    for text, words in (("TIME[DAYS],FOPR[SM3/DAY]\n1,2\n", "in [SM3/DAY]"), ("TIME,FOPR\n1,2\n3,x\n", "3: FOPR: 'x'"),
                        ("DAY,FOPR\n1,2\n", "no column TIME"), ("DATE,FOPR\n2020-02-01,2\n", "no date to count from"), ("TIME,OIL\n1,2\n", "none of its columns"), ("", "TIME")):
        with open(os.path.join(where, "bad.csv"), "w") as f:
            f.write(text)
        done = plot(where, "a.h5", "--data", "bad.csv", "-o", "bad.png")
        checks.true("data: " + words, done.returncode == 2 and "bad.csv" in done.stderr and words in done.stderr and
                    not os.path.exists(os.path.join(where, "bad.png")), done.stderr)


def check_dated(checks, where):
    """Data and --time with dates are what they are with the times of these dates; 2020 is a leap year."""
    with open(os.path.join(where, "dated.cfg"), "w") as f:
        f.write(DECK.replace('units = "field";', 'units = "field"; start = "2020-01-31 12:00";'))
    done = runs.hepta("run", "dated.cfg", "-o", "dated", "-q", where=where)
    checks.true("dated: runs", done.returncode == 0, done.stderr)
    for name, rows in (("time", "TIME,FOPR\n50,90\n150.5,80\n"), ("date", "DATE,FOPR\n2020-03-21 12:00,90\n2020-06-30,80\n")):
        with open(os.path.join(where, name + ".csv"), "w") as f:
            f.write(rows)
        done = plot(where, "dated.h5", "--data", name + ".csv", "-o", name + ".svg")
        checks.true("dated: data by " + name, done.returncode == 0, done.stderr)
    points = [Picture(os.path.join(where, n + ".svg")).points("FOPR of %s.csv" % n) for n in ("time", "date")]
    checks.true("dated: the same points", points[0].shape == (2, 2) and abs(points[0] - points[1]).max() < 1e-3, points)
    with open(os.path.join(where, "bad.csv"), "w") as f:
        f.write("DATE,FOPR\n2020-02-30,2\n")
    done = plot(where, "dated.h5", "--data", "bad.csv", "-o", "bad.png")
    checks.true("dated: a day that is none", done.returncode == 2 and "bad.csv:2: DATE: '2020-02-30' must be a date that exists" in done.stderr,
                done.stderr)
    with h5py.File(os.path.join(where, "dated.h5")) as f:
        times = f["time"][:] / 86400.0
    date = (datetime.datetime(2020, 1, 31, 12) + datetime.timedelta(days=times[1])).isoformat(sep=" ", timespec="seconds")
    done = plot(where, "dated.h5", "--map", "sw", "--time", date, "-o", "map.svg")
    told = " at %g days, %s, " % (times[1], date[:10])
    checks.true("dated: the map of a date", done.returncode == 0 and done.stderr == "" and
                any(told in str(t) for t in Picture(os.path.join(where, "map.svg")).text), (done.stderr, told))
    for command, more in (("plot", ("--map", "sw")), ("paraview", ("--picture", "x.png"))):
        for result, time, said in (("dated", "2020-01-30", "is before start, which is 2020-01-31T12:00:00"), ("a", "2020-03-01", "a date needs start")):
            done = runs.hepta(command, result, *more, "--time", time, where=where)
            checks.true("%s --time %s: %s" % (command, time, said), done.returncode == 2 and said in done.stderr, done.stderr)


def check_observed(checks, where):
    """Observed values of the deck are points."""
    options = ["wells.P-1.history_oil_rate=50.0", "wells.P-1.history_bhp=80.0", 'output.vectors=["WOPRH", "WOPTH", "WBHPH", "FOPRH"]']
    run = runs.run(os.path.join(where, "deck.cfg"), where, options, "seen")
    for arguments, names in ((["--well", "P-1"], ("WOPRH:P-1", "WOPTH:P-1", "WBHPH:P-1")), ([], ("FOPRH",)),
                             (["--vector", "WOPR:P-1"], ("WOPRH:P-1",))):
        done = plot(where, "seen.h5", *arguments, "-o", "seen.svg")
        checks.true("observed: done", done.returncode == 0, done.stderr)
        picture = Picture(os.path.join(where, "seen.svg"))
        for name in names:
            points = picture.points("%s of seen" % name)
            checks.true(name + ": points", 10 < len(points) <= 40 and (is_flat(points[:, 1]) or "PT" in name), points)
    total = summary(run.base, "WOPTH:P-1")[-1]
    checks.near("what is observed adds up", total, 50.0 * summary(run.base, "TIME")[-1], 1e-9 * total)


def check_injector(checks, where):
    """No zero curves of what a well never does; both kinds of one that the schedule turns round."""
    done = plot(where, "a.h5", "b.h5", "--well", "INJ", "-o", "injector.svg")
    checks.true("an injector", done.returncode == 0, done.stderr)
    picture = Picture(os.path.join(where, "injector.svg"))
    drawn = sorted(str(name) for name in picture.groups if str(name).startswith("W"))
    expected = sorted("%s:INJ of %s" % (v, n) for v in ("WBHP", "WWIR", "WWIT") for n in "ab")
    checks.true("an injector: what it does", drawn == expected, drawn)
    for name in "ab":
        for column in ("WWIR:INJ", "WWIT:INJ"):
            check_line(checks, picture, os.path.join(where, name), column)
    checks.true("an injector: no words of production", "water cut" not in picture.text and
                {"water injected [STB/DAY]", "water injected in all [STB]"} <= set(picture.text), picture.text)
    turned = 'schedule=({time = 200.0; well = "P-1"; type = "injector"; control = "rate"; rate = 50.0; bhp = 6000.0;})'
    runs.run(os.path.join(where, "deck.cfg"), where, [turned], "turned")
    done = plot(where, "turned.h5", "--well", "P-1", "-o", "turned.svg")
    picture = Picture(os.path.join(where, "turned.svg"))
    checks.true("a well that became an injector: both", done.returncode == 0 and
                {"WOPR:P-1 of turned", "WWIR:P-1 of turned", "WWCT:P-1 of turned"} <= set(picture.groups), done.stderr)


# ---- maps -------------------------------------------------------------------------------------


def palette(array):
    """Water is blue."""
    sys.path.insert(0, os.path.join(runs.SOURCE, "sim", "commands", "plot"))
    import maps
    found = maps.palette_of(array)
    return matplotlib.colormaps[found] if isinstance(found, str) else found


def check_map(checks, where, arguments, values, words, environment=None):
    """The colours of a map's cells are those of `values` [ny][nx], NaN where nothing may be drawn."""
    done = plot(where, "a.h5", "--map", *arguments, "-o", "map.svg", environment=environment)
    what = "map " + " ".join(arguments)
    checks.true(what, done.returncode == 0, done.stderr)
    picture = Picture(os.path.join(where, "map.svg"))
    checks.true(what + ": " + words, any(t and words in t for t in picture.text), picture.text)
    with h5py.File(os.path.join(where, "a.h5")) as f:
        x, y = f["grid/x"][:], f["grid/y"][:]
    cells = list(picture.cells())
    drawn = numpy.argwhere(~numpy.isnan(values))
    checks.true(what + ": the active cells", len(cells) == len(drawn), "%d, %d" % (len(cells), len(drawn)))
    centre = numpy.array([c.mean(axis=0) for c, colour in cells])
    for d, edges, at in ((0, x, drawn[:, 1]), (1, y, drawn[:, 0])):
        off = fit(0.5 * (edges[at] + edges[at + 1]), centre[:, d])[1]
        checks.true(what + ": where they are, %d" % d, off < 1e-2, off)
    low, high = numpy.nanmin(values), numpy.nanmax(values)
    norm = matplotlib.colors.Normalize(low, high)
    for (corners, colour), (j, i) in zip(cells, drawn):
        expected = matplotlib.colors.to_hex(palette(arguments[0])(norm(values[j, i])))
        near = max(abs(int(colour[n:n + 2], 16) - int(expected[n:n + 2], 16)) for n in (1, 3, 5)) <= 3
        checks.true(what + ": the colour of (%d, %d)" % (i, j), near, "%s, %s" % (colour, expected))
    checks.true(what + ": wells", "well INJ" in picture.groups and "well P-1" in picture.groups)
    checks.true(what + ": their names", {"INJ", "P-1"} <= set(picture.text))
    return done


def check_maps(checks, where):
    with h5py.File(os.path.join(where, "a.h5")) as f:
        active = f["grid/active"][:] == 1
        steps = {round(t / 86400.0): "steps/%06d/" % s for t, s in zip(f["time"][:], f["step"][:])}
        value = lambda t, name, k: numpy.where(active[k], f[steps[t] + name][k], numpy.nan)
        checks.true("some cells are inactive", 0 < active[1].sum() < active[1].size)
        check_map(checks, where, ["sw"], value(400, "sw", 0), "water saturation at 400 days, layer 1 of 3", PLAIN)
        check_map(checks, where, ["sw", "--layer", "2", "--time", "200"], value(200, "sw", 1), "water saturation at 200 days, layer 2 of 3")
        done = check_map(checks, where, ["pressure", "--layer", "3", "--time", "290"], value(300, "pressure", 2),
                         "pressure at 300 days, layer 3 of 3")
        checks.true("no report there: the nearest, and says so", "No report at 290 day" in done.stdout and
                    "there are 0 100 200 300 400" in done.stdout, done.stdout)
        checks.true("the scale in the deck's unit", "pressure [psi]" in Picture(os.path.join(where, "map.svg")).text)
        checks.true("lengths in the deck's unit", "x [ft], along i" in Picture(os.path.join(where, "map.svg")).text)
        depth = numpy.where(active[1], f["static/depth"][1], numpy.nan)
    done = plot(where, "a.h5", "--map", "depth", "--layer", "2", "-o", "depth.png")
    checks.true("an array that does not change", done.returncode == 0 and numpy.isfinite(depth).any(), done.stderr)
    for arguments, words in ((["--map", "swat"], "no array 'swat'"), (["--map", "sw", "--layer", "4"], "layers 1 to 3")):
        done = plot(where, "a.h5", *arguments, "-o", "no.png")
        checks.true(words, done.returncode == 2 and words in done.stderr, done.stderr)


def check_series(checks, where):
    """Maps of several times have one scale, that of all, or the one that is asked for; oil is brown and water blue."""
    done = plot(where, "a.h5", "--map", "sw", "--time", "0,200,400", "-o", "series.svg")
    names = ["series.%dday.svg" % t for t in (0, 200, 400)]
    checks.true("a series of maps", done.stdout == "".join("wrote %s\n" % n for n in names), done.stdout + done.stderr)
    with h5py.File(os.path.join(where, "a.h5")) as f:
        active = f["grid/active"][0] == 1
        seen = [f["steps/%06d/sw" % s][0] for t, s in zip(f["time"][:], f["step"][:]) if round(t / 86400.0) in (0, 200, 400)]
    low, high = min(v[active].min() for v in seen), max(v[active].max() for v in seen)
    for ask, ends in (((), (low, high)), (("--range", "0.1,0.95"), (0.1, 0.95))):
        done = plot(where, "a.h5", "--map", "sw", "--time", "0,200,400", *ask, "-o", "series.svg")
        norm = matplotlib.colors.Normalize(*ends)
        for name, values in zip(names, seen):
            cells = [colour for corners, colour in Picture(os.path.join(where, name)).cells()]
            wanted = [matplotlib.colors.to_hex(palette("sw")(norm(v))) for v in values[active]]
            near = [max(abs(int(c[n:n + 2], 16) - int(w[n:n + 2], 16)) for n in (1, 3, 5)) <= 3 for c, w in zip(cells, wanted)]
            checks.true("%s %s: the colours" % (name, ask), done.returncode == 0 and len(cells) == len(wanted) and all(near), (done.stderr, near))
    oil, water = palette("sw")(0.0), palette("sw")(1.0)
    checks.true("oil is brown and water blue", oil[0] > oil[2] and water[2] > water[0], (oil, water))
    for arguments in (["--map", "sw", "--range", "1,0"], ["--map", "sw", "--range", "a"], ["--range", "0,1"], ["--map", "sw", "--time", "1,,2"]):
        checks.true("refused: %s" % arguments, plot(where, "a.h5", *arguments, "-o", "no.svg").returncode == 2)
    done = plot(where, "a.h5", "--well", "P*", "-o", "wells.svg")
    text = Picture(os.path.join(where, "wells.svg")).text
    checks.true("wells by a pattern: a panel each", done.returncode == 0 and "P-1" in text and "INJ" not in text, (done.stderr, text))
    done = plot(where, "a.h5", "--well", "X*", "-o", "no.svg")
    checks.true("wells by a pattern: none", done.returncode == 2 and "no well is like 'X*'; there are" in done.stderr, done.stderr)


def check_sections(checks, where):
    """A row of cells from the side: depth downwards, and the wells in it."""
    done = plot(where, "a.h5", "--map", "sw", "--j", "1", "-o", "j.svg")
    checks.true("a section", done.returncode == 0, done.stderr)
    picture = Picture(os.path.join(where, "j.svg"))
    with h5py.File(os.path.join(where, "a.h5")) as f:
        values, edges = f["steps/%06d/sw" % f["step"][-1]][:][:, 0, :], f["grid/x"][:]
    cells = list(picture.cells())
    drawn = numpy.argwhere(~numpy.isnan(values))
    checks.true("a section: its cells", len(cells) == len(drawn), len(cells))
    centre = numpy.array([c.mean(axis=0) for c, colour in cells])
    checks.true("a section: along i", fit(0.5 * (edges[1:] + edges[:-1])[drawn[:, 1]], centre[:, 0])[1] < 1e-2)
    depth = fit(drawn[:, 0].astype(float), centre[:, 1])
    checks.true("a section: deeper is lower", depth[1] < 1e-2 and depth[0][0] > 0, depth)
    norm = matplotlib.colors.Normalize(values.min(), values.max())
    near = [max(abs(int(c[n:n + 2], 16) - int(e[n:n + 2], 16)) for n in (1, 3, 5)) <= 3 for (p, c), e in zip(
        cells, (matplotlib.colors.to_hex(palette("sw")(norm(values[k, i]))) for k, i in drawn))]
    checks.true("a section: colours", all(near), near)
    checks.true("a section: the well in it, and no other", "well INJ" in picture.groups and "well P-1" not in picture.groups)
    done = plot(where, "a.h5", "--map", "sw", "--i", "8")
    checks.true("a section outside", done.returncode == 2 and "1 to 7" in done.stderr, done.stderr)
    for arguments, name in ((["sw", "--layer", "2", "--time", "200"], "a.sw.layer2.200day.png"),
                            (["permx", "--i", "3"], "a.permx.i3.png"), (["sw", "--j", "5"], "a.sw.j5.400day.png")):
        done = plot(where, "a.h5", "--map", *arguments)
        checks.true("the file's name says place and time: " + name, done.stdout == "wrote %s\n" % name and
                    os.path.exists(os.path.join(where, name)), done.stdout + done.stderr)


def check_names(checks, where):
    """Results named without .h5, and those that a pattern catches."""
    for arguments in (["a"], ["a.h5", "a.grid.h5"], ["a.grid.h5"], ["a.grid.h5", "a.h5"]):
        done = plot(where, *arguments, "--vector", "FOPR", "-o", "one.svg")
        checks.true("plot " + " ".join(arguments), done.returncode == 0, done.stderr)
        checks.true("plot %s: one result" % arguments, "FOPR of a" in Picture(os.path.join(where, "one.svg")).groups)
        done = runs.hepta("info", *arguments, where=where)
        checks.true("info " + " ".join(arguments), done.returncode == 0 and "A <plot>" in done.stdout, done.stderr)
        done = runs.hepta("paraview", *arguments, "-o", "names.py", where=where)
        checks.true("paraview " + " ".join(arguments), done.returncode == 0, done.stderr)


def check_vectors(checks, where):
    """Columns that are asked for, by name and by pattern; more than ten curves are told apart."""
    done = plot(where, "a.h5", "--vector", "FOPR,WBHP:*", "-o", "v.svg")
    checks.true("--vector", done.returncode == 0, done.stderr)
    picture = Picture(os.path.join(where, "v.svg"))
    drawn = sorted(str(g) for g in picture.groups if str(g).endswith(" of a"))
    checks.true("--vector: what was asked for", drawn == ["FOPR of a", "WBHP:INJ of a", "WBHP:P-1 of a"], drawn)
    check_line(checks, picture, os.path.join(where, "a"), "FOPR")
    check_line(checks, picture, os.path.join(where, "a"), "WBHP:P-1", ("WBHP:INJ",))
    for wanted, words in (("FGOR", "'FGOR' fits no column"), ("WMCTL:P-1", "holds texts")):
        done = plot(where, "a.h5", "--vector", wanted, "-o", "no.png")
        checks.true("--vector " + wanted, done.returncode == 2 and words in done.stderr, done.stderr)
    done = plot(where, "many.h5", "--vector", "WOPR:*", "-o", "many.svg")
    checks.true("many wells", done.returncode == 0, done.stderr)
    picture = Picture(os.path.join(where, "many.svg"))
    looks = []
    for name, group in picture.groups.items():
        if str(name).startswith("WOPR:"):
            css = group.find(SVG + "path").get("style")
            looks.append((re.search(r"stroke: (#\w+)", css).group(1), "dasharray" in css, bool(list(group.iter(SVG + "use")))))
    checks.true("many wells: no two alike", len(looks) == 13 and len(set(looks)) == 13, looks)
    checks.true("many wells: dashes and markers beyond ten", sum(l[1] and l[2] for l in looks) == 3, looks)


def check_odd_names(checks, where):
    """Names that would be formulas, long names and titles: as they stand, and nothing of them is cut."""
    for arguments in (["--map", "sw"], [], ["--vector", "WOPR:*"], ["--well", "$x^{$"]):
        done = plot(where, "many.h5", *arguments, "-o", "odd.svg")
        checks.true("odd names: " + " ".join(arguments), done.returncode == 0, done.stderr)
        text = " ".join(t for t in Picture(os.path.join(where, "odd.svg")).text if t)
        checks.true("odd names: %s: the title as it stands" % arguments, "costs $x^{$ and" in text and "to its end" in text, text)
        if arguments and arguments[0] != "--well":
            checks.true("odd names: %s: the wells" % arguments, "$x^{$" in text and "_a" in text and
                        "A_WELL_WITH_A_LONG_NAME" in text, text)
    done = plot(where, "many.h5", "--map", "porosity", "-o", "constant.svg")
    text = [t for t in Picture(os.path.join(where, "constant.svg")).text if t]
    checks.true("a constant field: its value stands alone on the scale", done.returncode == 0 and "0.2" in text, text)
    cells = {colour for corners, colour in Picture(os.path.join(where, "constant.svg")).cells()}
    checks.true("a constant field: the middle of the colours", cells == {matplotlib.colors.to_hex(
        matplotlib.colormaps["viridis"](0.5))}, cells)
    shutil.copy(os.path.join(where, "many.h5"), os.path.join(where, "edge.h5"))
    with h5py.File(os.path.join(where, "edge.h5"), "r+") as f:  # its bar of seconds ends so that the last tick is at the axes' end
        seconds = [f["solver/" + c] for c in ("setup", "solve", "assembly", "wells", "output")]
        scale = 0.01 / 1.05 / sum(numpy.sum(s[...]) for s in seconds)
        for s in seconds:
            s[...] *= scale
    for result, arguments in (("many.h5", ["--map", "sw"]), ("many.h5", []), ("edge.h5", []), ("crowd.h5", ["--vector", "WOPR:*"])):
        boxes = text_boxes(where, result, arguments)  # no text outside, no two on each other
        for n, (t, b) in enumerate(boxes):
            checks.true("'%s' of %s is not cut" % (t, arguments), b[0] >= 0 and b[1] >= 0 and b[2] <= b[4] and b[3] <= b[5], b)
            for other, c in boxes[:n]:
                across, high = min(b[2], c[2]) - max(b[0], c[0]), min(b[3], c[3]) - max(b[1], c[1])
                checks.true("'%s' and '%s' of %s are apart" % (t, other, arguments), across < 1 or high < 3, (b, c))


def text_boxes(where, result, arguments):
    """(text, [left, bottom, right, top, page's width, height]) of all texts of a picture, as matplotlib draws them."""
    sys.path.insert(0, os.path.join(runs.SOURCE, "sim", "commands", "plot"))
    import plot as program
    a = dict(report=False, compare=False, map=None, vector=None, well=None, data=[], i=None, j=None, layer=1, time=None, range=None, bubbles=None)
    a.update({arguments[0][2:]: arguments[1]} if arguments else {})
    program.matplotlib.rcParams.update({"text.parse_math": False, "font.size": 9})
    (figure, name, part), = program.draw(type("Arguments", (), a), [program.Result(os.path.join(where, result))])
    matplotlib.backends.backend_agg.FigureCanvasAgg(figure)
    figure.canvas.draw()
    renderer = figure.canvas.get_renderer()
    ticks = {id(label): a for a in figure.axes for axis in (a.xaxis, a.yaxis)
             for tick in axis.majorTicks + axis.minorTicks for label in (tick.label1, tick.label2)}
    out = []
    for t in figure.findobj(program.matplotlib.text.Text):
        if t.get_text().strip() and t.get_visible():
            box = t.get_window_extent(renderer)
            axes = ticks.get(id(t))
            if axes is not None:
                inside = axes.get_window_extent(renderer)
                x, y = 0.5 * (box.x0 + box.x1), 0.5 * (box.y0 + box.y1)
                if not (inside.x0 - 1 <= x <= inside.x1 + 1 or inside.y0 - 1 <= y <= inside.y1 + 1):
                    continue  # of a tick that is not shown
            if box.width > 0 and not any(o == t.get_text() and abs(b[0] - box.x0) < 1 and abs(b[1] - box.y0) < 1 for o, b in out):
                out.append((t.get_text(), [box.x0, box.y0, box.x1, box.y1, figure.bbox.width, figure.bbox.height]))
    return out


# ---- mistakes, surroundings ------------------------------------------------------------------------


def check_mistakes(checks, where):
    for arguments, words in (([], "which result file?"), (["none.h5"], "none.h5"), (["a.h5", "-o", "a.gif"], ".png, .pdf"),
                             (["a.h5", "--layer", "2"], "for --map"), (["a.h5", "--map", "sw", "--layer", "0"], "'0'"),
                             (["a.h5", "--map", "sw", "--time", "x"], "--time x"), (["a.h5", "b.h5", "--map", "sw"], "one result"),
                             (["a.h5", "--map", "sw", "--well", "P-1"], "not for --map"), (["a.h5", "--colour"], "'--colour'"),
                             (["a.h5", "--data", "none.csv"], "none.csv"), (["a.h5", "--well", "X"], "no well 'X'"),
                             (["a.h5", "--well", "-x"], "no well '-x'")):
        done = plot(where, *arguments)
        checks.true("hepta plot " + " ".join(arguments), done.returncode == 2 and words in done.stderr and not done.stdout,
                    "%d %s" % (done.returncode, done.stderr))
    done = plot(where, "deck.cfg", "-o", "no.png")
    checks.true("not a result", done.returncode == 2 and "not the master file" in done.stderr, done.stderr)
    with open(os.path.join(where, "a.h5"), "rb") as whole, open(os.path.join(where, "cut.h5"), "wb") as cut:
        cut.write(whole.read()[:3000])
    done = plot(where, "cut.h5", "-o", "no.png")
    checks.true("a truncated result", done.returncode == 2 and "cut.h5: cannot open" in done.stderr, done.stderr)
    done = plot(where, "a.h5", "--vector", "FOPR", "-o", "nowhere/x.png")
    checks.true("a folder that is not there is made", done.returncode == 0 and
                os.path.exists(os.path.join(where, "nowhere", "x.png")), done.stderr)
    done = plot(where, "--help")
    checks.true("--help", done.returncode == 0 and "usage: hepta plot" in done.stdout and
                all(len(line) <= 90 for line in done.stdout.splitlines()))


def check_python(checks, where):
    """Which Python draws, and what is said where none can."""
    for code, words in ((69, "without h5py"), (70, "without matplotlib")):
        with open(os.path.join(where, "python3"), "w") as f:
            f.write("#!/bin/sh\nexit %d\n" % code)
        os.chmod(os.path.join(where, "python3"), 0o755)
        done = plot(where, "a.h5", environment=dict(os.environ, HEPTA_PYTHON=os.path.join(where, "python3")))
        checks.true(words, done.returncode == 1 and words in done.stderr and "apt install python3 python3-h5py" in done.stderr,
                    done.stderr)
    done = plot(where, "a.h5", environment=dict(os.environ, HEPTA_PYTHON="/nowhere/python3"))
    checks.true("no Python", done.returncode == 1 and "no /nowhere/python3" in done.stderr, done.stderr)
    usual = {k: v for k, v in os.environ.items() if k != "HEPTA_PYTHON"}
    usual["PATH"] = where + ":" + usual["PATH"]  # the one without matplotlib comes first
    system = subprocess.run(["/usr/bin/python3", "-c", "import h5py, matplotlib"], stderr=subprocess.DEVNULL, check=False)
    done = plot(where, "a.h5", "--vector", "FOPR", "-o", "usual.png", environment=usual)
    checks.true("the next Python draws", (done.returncode == 0) == (system.returncode == 0), done.stderr)
    for suffix in (".h5", ".grid.h5", ".steps"):  # names that a shell would take apart
        copy = os.path.join(where, "x y;touch evil;'" + suffix)
        (shutil.copytree if suffix == ".steps" else shutil.copy)(os.path.join(where, "a" + suffix), copy)
    done = plot(where, "x y;touch evil;'.h5", "--vector", "FOPR", "-o", "$(touch evil).png")
    checks.true("names are not for a shell", done.returncode == 0 and not os.path.exists(os.path.join(where, "evil")) and
                os.path.exists(os.path.join(where, "$(touch evil).png")), done.stderr)


def check_installed(checks, where):
    """cmake --install: the program finds its script wherever the two are moved together."""
    cmake = shutil.which("cmake")
    if cmake is None:
        print("no cmake: not installed")
        return
    done = subprocess.run([cmake, "--install", os.path.dirname(runs.PROGRAM), "--prefix", os.path.join(where, "first")],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True, check=False)
    checks.true("cmake --install", done.returncode == 0, done.stdout)
    os.rename(os.path.join(where, "first"), os.path.join(where, "opt"))
    program = os.path.join(where, "opt", "bin", "hepta")
    command = [program, "plot", "a.h5", "--vector", "FOPR", "-o", "installed.png"]
    done = subprocess.run(command, cwd=where, env=QUICK, stderr=subprocess.PIPE, universal_newlines=True, check=False,
                          stdout=subprocess.DEVNULL)
    checks.true("installed", done.returncode == 0 and os.path.exists(os.path.join(where, "installed.png")), done.stderr)
    os.remove(os.path.join(where, "opt", "share", "hepta", "plot", "plot.py"))
    done = subprocess.run(command, cwd=where, env=QUICK, stderr=subprocess.PIPE, universal_newlines=True, check=False)
    checks.true("without its script", done.returncode == 1 and "share/hepta" in done.stderr, done.stderr)


def main():
    checks = runs.Checks()
    with runs.folder() as where, drawing.python() as python:
        QUICK["HEPTA_PYTHON"] = python
        with open(os.path.join(where, "deck.cfg"), "w") as f:
            f.write(DECK)
        deck = os.path.join(where, "deck.cfg")
        runs.run(deck, where, [], "a")
        runs.run(deck, where, ["wells.INJ.rate=120.0"], "b")
        with open(os.path.join(where, "many.cfg"), "w") as f:
            f.write(many_wells())
        runs.run(os.path.join(where, "many.cfg"), where, ["report.end=100"], "many")
        with open(os.path.join(where, "crowd.cfg"), "w") as f:
            f.write(many_wells(90))
        runs.run(os.path.join(where, "crowd.cfg"), where, ["report.end=100"], "crowd")
        for part in (check_curves, check_data, check_dated, check_observed, check_injector, check_maps, check_sections, check_series, check_names, check_vectors,
                     check_odd_names, check_mistakes, check_python, check_installed):
            part(checks, where)
    return checks.result()


if __name__ == "__main__":
    sys.exit(main())
