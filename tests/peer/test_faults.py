"""Connections of faulted corner point grids beside OPM Flow: pairs of cells and transmissibilities of EGRID and INIT, as
both write them, one by one; and pairs and numbers of NAME.grid.h5 against those of EGRID and INIT."""
import math
import os
import subprocess
import sys

import eclipse_files
import flow
import runs

flow.need()
checks = runs.Checks(say=True)
SIZE = (4, 3, 5)
CELLS = SIZE[0] * SIZE[1] * SIZE[2]
TOLERANCE = 1e-6


def upright(i, j):
    return 100.0 * i, 80.0 * j, 0.0, 100.0 * i, 80.0 * j, 4000.0


def slanted(i, j):
    return (100.0 * i + 3 * j, 80.0 * j + 5 * i, 1500.0,
            100.0 * i + 40 * (i % 2) + 10 * j, 80.0 * j - 30 * (j % 2) + 7 * i, 2500.0)


# depth(i, j, a, b, k): the surface k, 0..5, in the column i, j, at its corner a, b (0 or 1)
def level(i, j, a, b, k):
    return 2000.0 + 10.0 * k


def half_layer(i, j, a, b, k):
    return level(i, j, a, b, k) + (5.0 if i >= 2 else 0.0)


def throws(i, j, a, b, k):
    return half_layer(i, j, a, b, k) + (23.0 if j >= 1 else 0.0)


def crossing(i, j, a, b, k):
    return level(i, j, a, b, k) + (10.0 * (i + a) if j != 1 else 30.0 - 13.0 * (i + a)) + 2.4 * (j + b)


def wild(i, j, a, b, k):
    return 2000.0 + (10.0 + 2.0 * math.sin(i + 2 * j)) * k + 13.0 * math.sin(3 * i + 5 * j + a + 2 * b)


def flat_layer(i, j, a, b, k):
    return 2000.0 + (0.0, 10.0, 10.0 if i != 1 else 14.0, 20.0, 20.0, 31.0)[k] + (4.0 if i >= 2 else 0.0)


def overlapping(i, j, a, b, k, below):
    """Of top (below = 0) and bottom of layer k: the bottom of (2,1,2) lies in the cell below, a corner of (3,2,3) on its head."""
    z = half_layer(i, j, a, b, k + below)
    if (i, j, k, below) == (1, 0, 1, 1):
        return z + 3.0
    return z - 12.0 if (i, j, a, b) == (2, 1, 1, 0) and k + below == 3 else z


def each(name, value):
    return name + "\n" + "".join(" %.9g\n" % value(m) for m in range(CELLS)) + "/\n"


def corners(pillar, depth):
    nx, ny, nz = SIZE
    coord = "COORD\n" + "".join(" %.9g %.9g %.9g %.9g %.9g %.9g\n" % pillar(i, j) for j in range(ny + 1) for i in range(nx + 1))
    at = depth if depth is overlapping else lambda i, j, a, b, k, c: depth(i, j, a, b, k + c)
    zcorn = "ZCORN\n" + "".join(" %.9g\n" % at(i, j, a, b, k, c) for k in range(nz) for c in (0, 1) for j in range(ny)
                                 for b in (0, 1) for i in range(nx) for a in (0, 1))
    return coord + "/\n" + zcorn + "/\n"


def blocks(thickness):
    """Columns that lie deeper and deeper along i and j."""
    return ("DX\n" + " 100 80 120 90\n" * 15 + "/\n" + "DY\n" + " 4*50 4*70 4*60\n" * 5
            + "/\n" + each("DZ", thickness) + "TOPS\n" + "".join(" %g\n" % (2000 + 3 * (m % 4) + 5 * (m // 4)) for m in range(12)) + "/\nNEWTRAN\n")


def text(pillar, depth, grid="", edit="", units="METRIC", mesh=None):
    """`mesh`: in place of pillars and depths."""
    if mesh is None:
        mesh = corners(pillar, depth)
    rock = (each("PORO", lambda m: 0.2) + each("PERMX", lambda m: 100 + 37 * (m % 7) + m)
            + each("PERMY", lambda m: 80 + 31 * (m % 5) + m) + each("PERMZ", lambda m: 10 + 3 * (m % 11)))
    deck = flow.Deck()
    return ("RUNSPEC\nDIMENS\n %d %d %d /\nOIL\nWATER\n%s\nTABDIMS\n/\nEQLDIMS\n/\nUNIFOUT\nGRID\nINIT\nGRIDFILE\n 0 1 /\n" % (SIZE + (units,))
            + mesh + rock + grid + ("EDIT\n" + edit if edit else "") + "PROPS\n" + deck.part["props"]
            + deck.part["pvdo"] + deck.part["rock"] + deck.part["swof"] + "SOLUTION\nEQUIL\n 2000 200 2400 0 /\n"
            + "SCHEDULE\nTSTEP\n 1 /\nEND\n")


def arrays(base):
    """EGRID and INIT by name."""
    return {name: values for end in (".EGRID", ".INIT") for name, _, values in eclipse_files.read(base + end)}


def connections(found):
    """{(cell, cell): transmissibility}, cells numbered from 1. Flow has a connection across pinched-out cells in TRANZ."""
    active = found.get("ACTNUM") or [1] * CELLS
    cells = [n for n in range(CELLS) if active[n]]
    pairs = {}

    def add(a, b, trans):
        pairs[min(a, b) + 1, max(a, b) + 1] = pairs.get((min(a, b) + 1, max(a, b) + 1), 0.0) + trans

    for name, stride in (("TRANX", 1), ("TRANY", SIZE[0]), ("TRANZ", SIZE[0] * SIZE[1])):
        for n, trans in zip(cells, found[name]):
            other = n + stride
            while name == "TRANZ" and other < CELLS and not active[other]:
                other += stride
            if trans > 0.0:
                add(n, other, trans)
    for a, b, trans in zip(found.get("NNC1", []), found.get("NNC2", []), found.get("TRANNNC", [])):
        add(a - 1, b - 1, trans)
    return pairs


def compare(folder, name, deck, beyond):
    """`beyond`: how many connections are of cells that are not neighbours, at least."""
    path = os.path.join(folder, name + ".DATA")
    with open(path, "w") as f:
        f.write(deck)
    out = os.path.join(folder, name + ".flow")
    done = subprocess.run([flow.FLOW, path, "--output-dir=" + out, "--enable-dry-run=true"], capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout[-2000:]
    base = os.path.join(folder, "R" + name)
    done = runs.hepta("run", path, "-o", base, "--set", "output.eclipse=true")
    assert done.returncode == 0, done.stderr[-2000:]
    theirs, mine = arrays(os.path.join(out, name)), arrays(base)
    checks.true("%s: the same cells are active" % name, (theirs.get("ACTNUM") or [1] * CELLS) == mine["ACTNUM"])
    a, b = connections(theirs), connections(mine)
    worst, where = 0.0, None
    for pair in set(a) | set(b):
        x, y = a.get(pair, 0.0), b.get(pair, 0.0)
        if max(x, y) > 2e-6 and abs(x - y) / max(x, y) > worst:  # both leave out what is below 1e-6
            worst, where = abs(x - y) / max(x, y), pair
    checks.true("%s: %d connections, %d across: %.1e apart" % (name, len(b), len(mine.get("NNC1", [])), worst), worst < TOLERANCE,
                str((where, a.get(where), b.get(where))))
    checks.true("%s: enough of them" % name, len(mine.get("NNC1", [])) >= beyond)
    stored(name, base, mine)


def stored(name, base, mine):
    with runs.h5py.File(base + ".grid.h5", "r") as f:
        group = f["grid/connections"]
        numbers = [[1 + (i - 1) + SIZE[0] * ((j - 1) + SIZE[1] * (k - 1)) for i, j, k in group[end][:]] for end in ("cell", "other")]
        unit = 1e-3 * 0.158987294928 / runs.DAY / 6894.75729316836 if name == "FIELD" else 1e-3 / runs.DAY / runs.BAR
        apart = max(abs(t / unit - x) / x for t, x in zip(group["transmissibility"][:], mine["TRANNNC"]))
        checks.true("%s: the pairs of NAME.grid.h5" % name, numbers == [mine["NNC1"], mine["NNC2"]])
        checks.true("%s: their transmissibilities" % name, apart < TOLERANCE)


REGIONS = "FLUXNUM\n" + " 1 1 2 3\n" * 15 + "/\n"
GIVEN = "NNC\n 1 1 1 4 1 3 5 /\n 2 1 2 3 1 4 7 /\n 2 2 2 3 2 2 3 /\n 1 1 1 4 1 3 2 /\n/\n"
DECKS = {
    "HALF": (text(upright, half_layer), 12),
    "THROWS": (text(upright, throws), 32),
    "CROSSING": (text(upright, crossing), 60),
    "SLANTED": (text(slanted, half_layer), 12),
    "WILD": (text(slanted, wild), 150),
    "FLAT": (text(slanted, flat_layer), 9),
    "PINCH": (text(slanted, flat_layer, "PINCH\n/\n"), 30),
    "MINPV": (text(slanted, wild, "MINPV\n 16000 /\nPINCH\n/\n"), 8),
    "PINCHZ": (text(slanted, flat_layer, "PINCH\n/\nMULTZ\n 20*0.5 40*0.2 /\nMULTZ-\n 30*0.7 30*0.9 /\n"), 30),
    "PINCHALL": (text(slanted, flat_layer, "PINCH\n 4* ALL /\nMULTZ\n 20*0.5 40*0.2 /\n"), 30),
    "BLOCKS": (text(None, None, "MULTX\n 60*0.5 /\n", mesh=blocks(lambda m: 8 + m * 7 % 5)), 60),
    "FIELD": (text(slanted, wild, units="FIELD"), 150),
    "REPAIRED": (text(upright, overlapping), 12),
    "NTG": (text(slanted, wild, "NTG\n 30*0.5 30*0.8 /\nACTNUM\n 10*1 3*0 20*1 5*0 12*1 0 1 0 7*1 /\n"), 100),
    "MULTX": (text(slanted, wild, "MULTX\n 30*0.5 30*0.2 /\nMULTX-\n 20*0.3 40*0.7 /\nMULTY\n 25*0.9 35*0.6 /\n"), 150),
    "MULTFLT": (text(slanted, wild, "FAULTS\n A 2 2 1 3 1 5 X /\n B 1 4 1 1 1 4 Y /\n B 3 3 3 3 1 5 X- /\n/\nMULTFLT\n A 0.1 /\n B 0.3 /\n/\n"), 150),
    "EDITED": (text(slanted, wild, "FAULTS\n A 2 2 1 3 1 5 X /\n/\n", "MULTFLT\n A 0.1 /\n A 0.3 /\n/\n"), 150),
    "REGIONS": (text(slanted, wild, REGIONS + "MULTREGT\n 1 2 0.1 /\n 1* 3 0.2 XYZ ALL F /\n/\n"), 150),
    "ONLYNNC": (text(slanted, wild, REGIONS + "MULTREGT\n 1 2 0.1 X NNC /\n/\n"), 150),
    "NONNC": (text(slanted, wild, REGIONS + "MULTREGT\n 1 2 0.1 X NONNC /\n/\n"), 150),
    "NNC": (text(slanted, wild, GIVEN), 150),
    "EDITNNC": (text(slanted, wild, GIVEN, "EDITNNC\n 1 1 1 4 1 3 0.5 /\n 2 1 2 3 1 1 0.25 /\n/\n"), 150),
    "TRANX": (text(slanted, wild, "MULTX\n 60*0.5 /\n", "EQUALS\n TRANX 3 1 2 1 3 1 3 /\n/\nMULTIPLY\n TRANY 0.1 /\n/\n"), 150),
}
with runs.folder() as folder:
    for name, (deck, beyond) in flow.chosen(DECKS):
        compare(folder, name, deck, beyond)
sys.exit(checks.result())
