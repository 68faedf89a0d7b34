"""Results as Eclipse's binary files (output.eclipse): a deck in FIELD units with inactive cells, nine wells, one of them
deviated, one that opens later; the same in SI units; corner points; what is left out when it is not asked for.

Numbers are compared with the HDF5 and CSV results of the same run and with what is worked out here by hand.
"""
import datetime
import math
import os
import re
import sys

import eclipse_files
import flow
import runs

PSI, FOOT, BARREL, MILLIDARCY, DAY = 6894.757293168, 0.3048, 0.158987294928, 9.869232667160e-16, 86400.0
NX, NY, NZ = 12, 7, 4
NAMES = ["PRODUCER_NORTH", "PRODUCER_SOUTH", "W3", "W4", "W5", "W6", "W7", "DEVIATED"]
SHORT = ["INJ", "PRODUCER", "PRODUC~2", "W3", "W4", "W5", "W6", "W7", "DEVIATED"]


def deck(units="field"):
    wells = "{ name = \"INJ\"; type = \"injector\"; phase = \"water\"; i = 1; j = 1; radius = 0.3; control = \"rate\"; " \
            "rate = 900.0; bhp = 6000.0; }"
    for n, name in enumerate(NAMES[:-1]):
        wells += ",\n { name = \"%s\"; type = \"producer\"; i = %d; j = %d; radius = 0.25; skin = 1.5; control = " \
                 "\"bhp\"; bhp = 2500.0; k = [2, 3]; %s }" % (name, 3 + n, 2 + n % 5, "status = \"shut\";" if n == 3 else "")
    wells += ",\n { name = \"DEVIATED\"; type = \"producer\"; path = ([950.0, 500.0, 7000.0], [1600.0, 500.0, 7075.0]); " \
             "radius = 0.25; control = \"bhp\"; bhp = 2500.0; }"
    return """
title = "Blocks"; units = "%s"; start = "2023-12-31T18:00:00";
grid = { size = [%d, %d, %d]; dx = [%s]; dy = 110.0; dz = [10.0, 20.0, 30.0, 40.0]; top = 7000.0;
  porosity = 0.2; permx = 100.0; permy = 150.0; permz = 10.0; ntg = 0.9;
  boxes = ({ i = [12, 12]; j = [6, 7]; set = { active = 0; }; }, { k = [3, 3]; set = { permx = 40.0; }; }); };
fluids = { water = { density = 64.0; reference_pressure = 3600.0; formation_volume_factor = 1.01; compressibility = 3.0e-6;
  viscosity = 0.5; }; oil = { density = 52.0; reference_pressure = 3600.0; formation_volume_factor = 1.1;
  compressibility = 1.0e-5; viscosity = 1.2; }; };
rock = { reference_pressure = 3600.0; compressibility = 4.0e-6; };
saturation = { model = "corey"; swc = 0.2; sor = 0.2; krw_max = 0.4; kro_max = 1.0; nw = 2.0; no = 2.0; };
initial = { datum_depth = 7000.0; datum_pressure = 3600.0; contact_depth = 7500.0; };
wells = (%s);
schedule = ({ time = 45.0; well = "W4"; status = "open"; });
report = { times = [30.0, 60.0, 90.0]; };
timestep = { initial = 2.0; max = 10.0; };
output = { eclipse = true; vectors = ["FOE", "ROIP", "RPR:1", "COPR:PRODUCER_SOUTH", "CWIR:INJ:1,1,4", "WVPR"]; };
""" % (units, NX, NY, NZ, ", ".join("%.1f" % (100.0 + 5.0 * i) for i in range(NX)), wells)


def run(folder, name, text, options=()):
    path = os.path.join(folder, name + ".cfg")
    with open(path, "w") as f:
        f.write(text)
    return runs.run(path, folder, options, name=name)


def near_all(checks, what, found, expected, relative=1e-6):
    """Every entry, relative to itself but for a floor at a millionth of the largest."""
    floor = 1e-6 * max(abs(x) for x in expected) if len(expected) > 0 else 0.0
    worst = max([abs(a - b) / max(abs(b), floor, 1e-30) for a, b in zip(found, expected)], default=1.0)
    checks.true("%s: %d entries of %d, differ by %.1e" % (what, len(found), len(expected), worst),
                len(found) == len(expected) and worst <= relative)


def check_grid(checks, base):
    arrays = eclipse_files.read(base + ".EGRID")
    coord, zcorn = eclipse_files.one(arrays, "COORD"), eclipse_files.one(arrays, "ZCORN")
    checks.true("unit of the mesh", eclipse_files.one(arrays, "GRIDUNIT") == ["FEET", ""])
    checks.true("heads", eclipse_files.one(arrays, "FILEHEAD")[:7] == [3, 2007, 0, 0, 0, 0, 1]
                and eclipse_files.one(arrays, "GRIDHEAD")[:4] == [1, NX, NY, NZ])
    pillars = []
    for j in range(NY + 1):
        for i in range(NX + 1):
            x, y = sum(100.0 + 5.0 * n for n in range(i)), 110.0 * j
            pillars += [x, y, 7000.0, x, y, 7100.0]
    near_all(checks, "pillars", coord, pillars)
    edge = [7000.0, 7010.0, 7010.0, 7030.0, 7030.0, 7060.0, 7060.0, 7100.0]
    near_all(checks, "depths of corners", zcorn, [z for z in edge for _ in range(4 * NX * NY)])
    active = [0 if i == 11 and j >= 5 else 1 for k in range(NZ) for j in range(NY) for i in range(NX)]
    checks.true("active cells", eclipse_files.one(arrays, "ACTNUM") == active and arrays[-1][0] == "ENDGRID")
    return active


def check_init(checks, r, active):
    arrays = eclipse_files.read(r.base.upper_base + ".INIT")
    get = lambda name: eclipse_files.one(arrays, name)
    cells = [n for n, a in enumerate(active) if a]
    head = get("INTEHEAD")
    checks.true("INTEHEAD", len(head) == 411 and head[2] == 2 and head[8:12] == [NX, NY, NZ, len(cells)] and head[14] == 3
                and head[64:67] == [31, 12, 2023] and head[206:208] == [18, 0] and head[94] == 100)
    checks.true("sizes of the heads", len(get("LOGIHEAD")) == 121 and len(get("DOUBHEAD")) == 229)
    for name, static, factor in (("PORO", "porosity", 1.0), ("PERMX", "permx", 1.0), ("PERMY", "permy", 1.0),
                                 ("PERMZ", "permz", 1.0), ("NTG", "ntg", 1.0), ("DEPTH", "depth", FOOT)):
        near_all(checks, name, get(name), r.static(static).ravel()[cells] / factor)
    near_all(checks, "PORV", get("PORV"), r.static("pore_volume").ravel() / BARREL)
    dx = [100.0 + 5.0 * (n % NX) for n in cells]
    near_all(checks, "DX", get("DX"), dx)
    near_all(checks, "DZ", get("DZ"), [10.0 * (1 + n // (NX * NY)) for n in cells])
    # two half transmissibilities in series: cells 1 and 2 of the first row, K dy dz ntg / (dx/2)
    half = [100.0 * MILLIDARCY * 110.0 * 10.0 * FOOT ** 2 * 0.9 / (0.5 * d * FOOT) for d in dx[:2]]
    si = 1.0 / (1.0 / half[0] + 1.0 / half[1])
    checks.near("TRANX of the first cell, cP rb/day/psi", get("TRANX")[0], si / (1e-3 * BARREL / DAY / PSI), 1e-5)
    checks.true("closed faces", get("TRANX")[NX - 1] == 0.0 and get("TRANZ")[-1] == 0.0)
    checks.true("regions", all(get(name) == [1] * len(cells) for name in ("SATNUM", "PVTNUM", "EQLNUM")))


def check_reports(checks, r, active):
    steps = eclipse_files.reports(r.base.upper_base + ".UNRST")
    cells = [n for n, a in enumerate(active) if a]
    checks.true("report steps", [step["SEQNUM"] for step in steps] == [[0], [1], [2], [3]])
    for n, step in enumerate(steps):
        near_all(checks, "pressure, report %d" % n, step["PRESSURE"], r.field("pressure", n).ravel()[cells] / PSI)
        near_all(checks, "saturation, report %d" % n, step["SWAT"], r.field("sw", n).ravel()[cells])
        checks.near("days of report %d" % n, step["DOUBHEAD"][0], 30.0 * n, 1e-9)
    # 31 December 2023 18:00 and 60 days: over a leap day; and 90 days
    checks.true("dates", steps[2]["INTEHEAD"][64:67] == [29, 2, 2024] and steps[3]["INTEHEAD"][64:67] == [30, 3, 2024])
    checks.true("time step and report of the last step", steps[3]["INTEHEAD"][67:69] == [int(r.steps[-1]), 3])
    check_wells(checks, r, steps)


def check_wells(checks, r, steps):
    head = steps[3]["INTEHEAD"]
    niwel, nswel, nxwel, nzwel, nicon, nscon, nxcon = (head[n] for n in (24, 25, 26, 27, 32, 33, 34))
    most = head[17]
    checks.true("names", [steps[0]["ZWEL"][nzwel * w] for w in range(head[16])] == SHORT)
    well = lambda s, w: steps[s]["IWEL"][niwel * w:niwel * (w + 1)]
    connection = lambda s, w, q: steps[s]["ICON"][nicon * (most * w + q):nicon * (most * w + q + 1)]
    checks.true("injector", well(0, 0)[:8] == [1, 1, 1, 4, 4, 1, 3, 2] and well(0, 0)[10] == 1)
    checks.true("producer in layers 2 and 3", well(1, 1)[:8] == [3, 2, 2, 3, 2, 1, 1, 7])
    checks.true("W4 opens between the first and the second report",
                [well(s, 4)[10] for s in range(4)] == [-1000, -1000, 1, 1] and well(0, 4)[6] == 1 and well(0, 4)[7] == 0)
    checks.true("connections of a vertical well", [connection(0, 1, q)[:6] for q in range(2)] ==
                [[1, 3, 2, 2, 0, 1], [2, 3, 2, 3, 0, 1]] and connection(0, 1, 0)[13] == 3 and connection(0, 1, 2) == [0] * nicon)
    checks.true("the deviated well runs along i", all(connection(0, 8, q)[13] == 1 for q in range(well(0, 8)[4]))
                and well(0, 8)[4] >= 5)
    # Peaceman in layer 3 of a column of 110 by 110 ft, permx 40, permy 150
    kx, ky, dx, dy, h = 40.0 * MILLIDARCY, 150.0 * MILLIDARCY, 110.0 * FOOT, 110.0 * FOOT, 30.0 * 0.9 * FOOT
    r0 = 0.28 * math.sqrt(math.sqrt(ky / kx) * dx * dx + math.sqrt(kx / ky) * dy * dy) / ((ky / kx) ** 0.25 + (kx / ky) ** 0.25)
    kh = math.sqrt(kx * ky) * h
    factor = 2.0 * math.pi * kh / (math.log(r0 / (0.25 * FOOT)) + 1.5) / (1e-3 * BARREL / DAY / PSI)
    scon = steps[1]["SCON"][nscon * (most * 1 + 1):]
    near_all(checks, "connection factor, depth, diameter, Kh, skin", scon[:5],
             [factor, 7045.0, 0.5, kh / (MILLIDARCY * FOOT), 1.5], 1e-5)
    at = lambda name, w: r.at(90.0, "%s:%s" % (name, (["INJ"] + NAMES)[w]))
    for w in (0, 2, 4, 8):
        x = steps[3]["XWEL"][nxwel * w:nxwel * (w + 1)]
        near_all(checks, "rates, pressure, totals of %s" % SHORT[w], [x[n] for n in (0, 1, 6, 18, 19, 23)],
                 [at("WOPR", w), at("WWPR", w) - at("WWIR", w), at("WBHP", w), at("WOPT", w), at("WWPT", w), at("WWIT", w)], 1e-9)
        oil = sum(steps[3]["XCON"][nxcon * (most * w + q)] for q in range(well(3, w)[4]))
        checks.near("oil of the connections of %s" % SHORT[w], oil, at("WOPR", w), 2e-3 * max(1.0, at("WOPR", w)))
    checks.true("no rates before it opens", not any(steps[1]["XWEL"][nxwel * 4:nxwel * 5]))
    swel = steps[3]["SWEL"][:nswel]
    checks.near("target of the injector", swel[1], 900.0, 1e-3)
    checks.near("its limit", swel[6], 6000.0, 1e-2)
    checks.true("no other", swel[0] > 9e19 and swel[3] > 9e19 and swel[24] == 1.0)


def check_summary(checks, r):
    s = eclipse_files.Summary(r.base.upper_base)
    checks.true("start", s.head["STARTDAT"] == [31, 12, 2023, 18, 0, 0] and s.head["DIMENS"][1:4] == [NX, NY, NZ])
    csv = runs.read_csv(r.base + ".summary.csv", keep_units=True)
    short = dict(zip(["INJ"] + NAMES, SHORT))
    found = 0
    for head, values in csv.items():
        if head == "DATE":
            times, unit = (csv["TIME[DAYS]"], 86400.0) if "TIME[DAYS]" in csv else (csv["TIME[HR]"], 3600.0)
            since = [round((datetime.datetime.fromisoformat(v) - datetime.datetime(2023, 12, 31, 18)).total_seconds()) for v in values]
            checks.true("dates of the rows", all(abs(t - unit * d) < 1.0 for t, d in zip(since, times)), values[:3])
            continue
        name, unit = head.rstrip("]").split("[") if "[" in head else (head, "")
        keyword, _, who = name.partition(":")
        key = (keyword, short[who]) if who in short else (keyword,)
        if keyword[0] == "R":
            key = (keyword, ":+:+:+:+", int(who))
        if keyword[0] == "C":
            well, i, j, k = re.fullmatch(r"(.*):(\d+),(\d+),(\d+)", who).groups()
            key = (keyword, short[well], int(i) + NX * (int(j) - 1 + NY * (int(k) - 1)))
        if keyword == "WMCTL":
            values = [{"SHUT": 0, "BHP": 7, "RATE": 2}[v] for v in values]
        else:
            checks.true("unit of " + name, s.unit(*key) == unit)
        near_all(checks, name, s.vector(*key), list(values))
        found += 1
    checks.true("every column, and years", found + 1 == len(s.keys) and found > 105)
    near_all(checks, "YEARS", s.vector("YEARS"), [t / 365.25 for t in s.vector("TIME")])
    checks.true("regions and connections are among them", {("ROIP", ":+:+:+:+", 1), ("RPR", ":+:+:+:+", 1),
                ("CWIR", "INJ", 1 + 3 * NX * NY), ("COPR", "PRODUC~2", 4 + NX * (2 + NY))} <= set(s.keys))
    return s


class Base(str):
    """The path of the results, and the one in capital letters that Eclipse's files have."""

    @property
    def upper_base(self):
        return os.path.join(os.path.dirname(self), os.path.basename(self).upper())


def check_field_units(checks, folder):
    r = run(folder, "Blocks", deck())
    r.base = Base(r.base)
    active = check_grid(checks, r.base.upper_base)
    check_init(checks, r, active)
    check_reports(checks, r, active)
    s = check_summary(checks, r)
    times = runs.read_csv(r.base + ".summary.csv")["TIME"]
    checks.true("time steps belong to their reports", s.report == [1 + int((t - 1e-9) // 30.0) for t in times])
    plain = run(folder, "plain", deck(), ["output.eclipse=false"])
    checks.true("the other results have the same bits", runs.datasets(r.base + ".h5") == runs.datasets(plain.base + ".h5"))
    checks.true("nothing that was not asked for", not [f for f in os.listdir(folder) if f.startswith("PLAIN.")])
    return r, s


def check_si(checks, folder, r, s):
    """A summary in SI units: Eclipse has no such system, the files are METRIC."""
    si = run(folder, "si", deck(), ["output.units=si"])
    metric = run(folder, "metric", deck(), ["output.units=metric"])
    si.base, metric.base = Base(si.base), Base(metric.base)
    a, b = eclipse_files.Summary(si.base.upper_base), eclipse_files.Summary(metric.base.upper_base)
    checks.true("SI: the same vectors and units", a.head == b.head and a.head["INTEHEAD"][0] == 1)
    for n in range(len(a.rows)):
        near_all(checks, "SI: time step %d" % n, a.rows[n], b.rows[n])
    near_all(checks, "barrels and cubic metres", [x * BARREL for x in s.vector("FOPT")], b.vector("FOPT"))
    for x, y in zip(eclipse_files.reports(si.base.upper_base + ".UNRST"), eclipse_files.reports(metric.base.upper_base + ".UNRST")):
        checks.true("SI: the same report", x == y)
    checks.true("SI: the same mesh and rock", all(eclipse_files.read(si.base.upper_base + e) ==
                                                  eclipse_files.read(metric.base.upper_base + e) for e in (".EGRID", ".INIT")))


def check_left_out(checks, folder):
    run(folder, "nofields", deck(), ["output.fields=false"])
    done = runs.hepta("run", "nofields.cfg", "-o", "norows", "--set", "output.summary=false", where=folder)
    checks.true("no fields, no summary", done.returncode == 0 and
                sorted(f for f in os.listdir(folder) if f.startswith("NO")) ==
                ["NOFIELDS.EGRID", "NOFIELDS.INIT", "NOFIELDS.SMSPEC", "NOFIELDS.UNSMRY", "NOROWS.EGRID", "NOROWS.INIT", "NOROWS.UNRST"])
    steps = eclipse_files.reports(os.path.join(folder, "NOROWS.UNRST"))
    checks.true("the wells are known without a summary", any(steps[-1]["XWEL"]))


def check_undated(checks, folder):
    """Without a start the run begins on the first of January 1983, as in Eclipse."""
    r = run(folder, "undated", re.sub(r'start = "\S*";', "", deck()))
    base = Base(r.base).upper_base
    heads = [step["INTEHEAD"] for step in eclipse_files.reports(base + ".UNRST")]
    checks.true("1 January 1983, and 60 days", heads[0][64:67] == [1, 1, 1983] and heads[2][64:67] == [2, 3, 1983])
    checks.true("in the summary, too", eclipse_files.Summary(base).head["STARTDAT"] == [1, 1, 1983, 0, 0, 0])


def check_corners(checks, folder):
    """COORD and ZCORN come back as the deck has them; connections are at the depths of their cells."""
    sheared = [(x + 3.0 * (z - 2000.0), y, z) for j in range(7) for i in range(11) for x, y in [(40.0 * i, 50.0 * j)] for z in (2000.0, 2024.0)]
    coord = [v for point in sheared for v in point]
    edges = [2000.0, 2008.0, 2008.0, 2016.0, 2016.0, 2024.0]
    zcorn = [z + 0.1 * ((i + 1) // 2) for z in edges for j in range(12) for i in range(20)]
    grid = "COORD\n%s /\nZCORN\n%s /\n" % ("\n".join("%.9g" % v for v in coord), "\n".join("%.9g" % v for v in zcorn))
    rock = flow.BASE["grid"][flow.BASE["grid"].index("PORO"):]
    path = os.path.join(folder, "CORNERS.DATA")
    with open(path, "w") as f:
        f.write(flow.Deck(grid=grid + rock, schedule="TSTEP\n 5 /\n").text())
    runs.run(path, folder, ["output.eclipse=true"], name="CORNERS")
    arrays = eclipse_files.read(os.path.join(folder, "CORNERS.EGRID"))
    near_all(checks, "COORD of the deck", eclipse_files.one(arrays, "COORD"), coord, 1e-7)
    near_all(checks, "ZCORN of the deck", eclipse_files.one(arrays, "ZCORN"), zcorn, 1e-7)


def main():
    checks = runs.Checks()
    with runs.folder() as folder:
        r, s = check_field_units(checks, folder)
        check_si(checks, folder, r, s)
        check_left_out(checks, folder)
        check_undated(checks, folder)
        check_corners(checks, folder)
    return checks.result()


sys.exit(main())
