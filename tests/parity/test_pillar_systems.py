"""Decks with NUMRES 2. Where both systems stand on the same pillars, joined and beside each other, everything has the bits of
the deck with one system, faults and pinched-out layers included. Systems on different pillars that are apart are two
reservoirs: each cell, face and well has the numbers that it has in a deck of its own. Such decks are imported, refined
and continued; EGRID has both sets of pillars, the mesh the corners of all cells."""
import os
import sys

import h5py
import numpy as np

import eclipse_files
import flow
import imports
import restarts
import runs

sys.path.insert(0, os.path.join(runs.SOURCE, "tests", "parity"))
from test_own_decks import THROWN, floats, keywords, own  # noqa: E402

NX, NY = 10, 6
ROCK = flow.BASE["grid"][flow.BASE["grid"].index("PORO"):]
PINCH = "MINPV\n 0.5 /\nPINCH\n 0.01 GAP 9 /\nFAULTS\n A 5 5 1 6 1 3 X /\n/\nMULTFLT\n A 0.7 /\n/\n"
RUNSPEC = {"runspec": "NUMRES\n 2 /\n"}
SHORT = "TSTEP\n 10 20 /\n"


def one_system():
    return flow.Deck(grid=keywords(*THROWN) + PINCH, schedule=SHORT)


def twice():
    """The same pillars for the layers 1 and 2, and 3."""
    coord, zcorn = THROWN
    coordsys = "COORDSYS\n 1 2 INCOMP JOIN 1 2 /\n 3 3 1* SEPARATE 1 2 /\n"
    return flow.Deck(add=RUNSPEC, grid="SPECGRID\n 10 6 3 2 F /\n" + coordsys + keywords(coord + coord, zcorn) + PINCH, schedule=SHORT)


def pillars(system):
    """Slanted, no two alike; the lower system's stand 500 m aside and lean the other way."""
    lean = (25.0, -40.0)[system]
    return [v for j in range(NY + 1) for i in range(NX + 1)
            for v in (40.0 * i + 500.0 * system, 50.0 * j, 1900.0, 40.3 * i + 500.0 * system + lean + 2.0 * j, 50.1 * j - lean, 2100.0)]


def depths(layers, throw=3.0):
    return [round(2000.67 + 1.37 * (i + a) + 0.93 * (j + b) + 8.0 * (k + c) + (throw if i >= 5 else 0.0), 5)
            for k in layers for c in (0, 1) for j in range(NY) for b in (0, 1) for i in range(NX) for a in (0, 1)]


def wells(names, first, last):
    """One injector and one producer in the layers first to last."""
    text = "WELSPECS\n %s G 1 1 1* WATER /\n %s G 10 6 1* OIL /\n/\n" % names
    return text + "COMPDAT\n" + "".join(" %s 2* %d %d OPEN 2* 0.2 /\n" % (n, first, last) for n in names) + "/\n"


def controls(names):
    return "WCONINJE\n %s WATER OPEN RATE 100 1* 600 /\n/\nWCONPROD\n %s OPEN BHP 5* 150 /\n/\n" % names


UPPER, LOWER = ("I", "P"), ("J", "Q")


def apart(joined="SEPARATE", throw=3.0):
    coordsys = "COORDSYS\n 1 2 INCOMP %s /\n 3 3 /\n" % joined
    return flow.Deck(add=RUNSPEC, grid=coordsys + keywords(pillars(0) + pillars(1), depths(range(3), throw)), schedule=SHORT,
                     wells=wells(UPPER, 1, 2) + wells(LOWER, 3, 3), controls=controls(UPPER) + controls(LOWER))


def alone(system):
    """One of the two in a deck of its own."""
    layers, names = ((0, 1), UPPER) if system == 0 else ((2,), LOWER)
    rock = "PORO\n %d*0.2 /\n" % (60 * len(layers)) + "PERMX\n " + " ".join("60*%d" % (200, 50, 400)[k] for k in layers) + " /\n"
    grid = keywords(pillars(system), depths(layers)).split("PORO")[0] + rock + ROCK[ROCK.index("COPY"):]
    return flow.Deck(grid=grid, schedule=SHORT, wells=wells(names, 1, len(layers)), controls=controls(names),
                     runspec=flow.BASE["runspec"].replace("10 6 3", "10 6 %d" % len(layers)))


def arrays(folder, name):
    base = os.path.join(folder, name.upper())
    return eclipse_files.read(base + ".EGRID"), eclipse_files.read(base + ".INIT")


def run(folder, name, deck):
    """The run of the Eclipse deck, with Eclipse's files."""
    path = restarts.write_data(folder, name + "_e", deck)
    tight = ["newton.tolerance_cnv=1e-6", "newton.tolerance_mb=1e-10", "timestep.max=5", "timestep.accuracy=0", "linear.tolerance=1e-8"]
    return runs.run(path, folder, restarts.KEEP + ["output.eclipse=true"] + tight, name)


def mesh(base):
    with h5py.File(base + ".grid.h5", "r") as f:
        return {name: f["grid"][name][:] for name in ("nodes", "cells")}


def check_same(checks, folder):
    single, double = run(folder, "one", one_system()), run(folder, "two", twice())
    checks.true("one and two: the same fields to the bit", runs.datasets(single.base + ".h5") == runs.datasets(double.base + ".h5"))
    tables = [open(r.base + ".summary.csv").read() for r in (single, double)]
    checks.true("one and two: the same summary", tables[0] == tables[1] and len(tables[0]) > 500)
    meshes = [mesh(r.base) for r in (single, double)]
    checks.true("one and two: the same mesh", all((meshes[0][n] == meshes[1][n]).all() for n in meshes[0]))
    (one, one_init), (two, two_init) = arrays(folder, "one"), arrays(folder, "two")
    checks.true("one and two: the same INIT", one_init == two_init)
    coord = eclipse_files.one(one, "COORD")
    checks.true("EGRID has the pillars twice", eclipse_files.one(two, "COORD") == coord + coord)
    checks.true("EGRID: two systems", eclipse_files.one(two, "GRIDHEAD")[24] == 2 and eclipse_files.one(one, "GRIDHEAD")[24] == 1)
    checks.true("COORDSYS behind COORD", [n for n, _, _ in two][3:6] == ["COORD", "COORDSYS", "ZCORN"] and
                eclipse_files.one(two, "COORDSYS") == [1, 2, 0, 1, 1, 2, 3, 3, 0, 0, 1, 2])
    checks.true("no COORDSYS with one", all(n != "COORDSYS" for n, _, _ in one))
    rest = [[a for a in file if a[0] not in ("COORD", "COORDSYS", "GRIDHEAD")] for file in (one, two)]
    pairs = len(eclipse_files.one(one, "NNC1"))
    checks.true("the same connections and all else", rest[0] == rest[1] and pairs > 10, pairs)


def in_layers(values, system):
    """Of the 3 layers, those of one system."""
    return list(values[:120]) if system == 0 else list(values[120:])


def check_apart(checks, folder):
    both = run(folder, "apart", apart())
    file, init = arrays(folder, "apart")
    table = runs.Table(both.base + ".summary.csv")
    for system, names in enumerate((UPPER, LOWER)):
        name = "alone%d" % system
        one = run(folder, name, alone(system))
        own_file, own_init = arrays(folder, name)
        for array in ("PORV", "DEPTH", "DX", "DY", "DZ", "TRANX", "TRANY", "TRANZ"):
            mine, other = in_layers(eclipse_files.one(init, array), system), eclipse_files.one(own_init, array)
            checks.true("%s of system %d" % (array, system + 1), mine == other and len(other) == 120 / (system + 1) and max(other) >= 0.0)
        size = len(eclipse_files.one(own_file, "COORD"))
        checks.true("pillars of system %d" % (system + 1),
                    eclipse_files.one(file, "COORD")[system * size:(system + 1) * size] == eclipse_files.one(own_file, "COORD"))
        own_table = runs.Table(one.base + ".summary.csv")
        for vector in ("WWIT:%s" % names[0], "WBHP:%s" % names[0], "WOPT:%s" % names[1]):
            checks.near("%s beside the run alone" % vector, table.at(vector, 30) / own_table.at(vector, 30), 1.0, 1e-7)
        shift, own_mesh, together = 120 * system, mesh(one.base), mesh(both.base)
        for cell in (0, 37, 59):
            places = [m["nodes"][m["cells"].reshape(-1, 8)[c]] for m, c in ((together, cell + shift), (own_mesh, cell))]
            if own_mesh["nodes"].ndim == 4:
                places[1] = own_mesh["nodes"].reshape(-1, 3)[own_mesh["cells"].reshape(-1, 8)[cell]]
            checks.true("corners of cell %d of system %d" % (cell, system + 1), np.array_equal(*places), places)
    faces = eclipse_files.one(init, "TRANZ")
    checks.true("nothing through the border", set(faces[60:120]) == {0.0} and min(faces[:60]) > 0.0)
    run(folder, "joined", apart("JOIN"))
    faces = eclipse_files.one(arrays(folder, "joined")[1], "TRANZ")
    checks.true("unless the two are joined", min(faces[60:120]) > 0.0)


def check_import(checks, folder):
    for name, deck in (("thrown", twice()), ("aside", apart()), ("open", apart("JOIN"))):
        path = restarts.write_data(folder, name, deck)
        first = imports.both(checks, folder, path, name)
        text = open(os.path.join(folder, name + "_i.cfg")).read()
        checks.true(name + ": systems", "{ k = [1, 2];" in text and ("joined = true" in text) == (name != "aside")
                    and ("beside = [1, 2]" in text) == (name == "thrown"), text)
        files = []
        for path in (path, os.path.join(folder, name + "_i.cfg")):
            made = runs.run(path, folder, ["output.eclipse=true"], name + "_f")
            files.append([open(os.path.join(folder, name.upper() + "_F." + e), "rb").read() for e in ("EGRID", "INIT")] + [
                {n: a.tobytes() for n, a in mesh(made.base).items()}])
        checks.true(name + ": the same EGRID, INIT and mesh", files[0] == files[1])
        base = os.path.join(folder, name + "_on")
        restarted = restarts.go_on(path, base, "%s:%d" % (first.base, first.steps[-2]), options=[])
        checks.true(name + ": goes on", restarted.returncode == 0, restarted.stderr)
    reported = runs.hepta("check", os.path.join(folder, "ASIDE.DATA")).stdout
    checks.true("check says how many", "2 systems of pillars, one below the other" in reported, reported)


def check_own(checks, folder):
    """A deck of hepta's own that says the same, and both on a finer grid."""
    corners = "corner_point = { coord = %s; zcorn = %s; systems = ( { k = [1, 2]; joined = true; }, { k = 3; } ); };" % (
        floats(pillars(0) + pillars(1)), floats(depths(range(3))))
    path = os.path.join(folder, "mine.cfg")
    with open(path, "w") as f:
        f.write(own("", sizes=corners))
    deck = flow.Deck(add=RUNSPEC, grid="COORDSYS\n 1 2 1* JOIN /\n 3 3 /\n" + keywords(pillars(0) + pillars(1), depths(range(3))),
                     schedule="TSTEP\n 5*10 /\n", solution="EQUIL\n 2000 200 2016 0 4* -5 /\n", step=0.5)
    text = deck.text()
    other = restarts.write_data(folder, "theirs", text[:text.index("WELSPECS")] + "WELSPECS\n P1 G 10 6 1* OIL /\n P2 G 10 1 1* OIL /\n/\n"
                                "COMPDAT\n P1 2* 1 3 OPEN 2* 0.2 /\n P2 2* 1 3 OPEN 2* 0.2 /\n/\nWCONPROD\n P1 OPEN ORAT 150 4* 20 /\n"
                                " P2 OPEN LRAT 3* 200 1* 20 /\n/\nTSTEP\n 5*10 /\n")
    made = [runs.run(p, folder, restarts.KEEP, n) for p, n in ((path, "mine"), (other, "theirs"))]
    checks.true("own deck: the same fields", runs.datasets(made[0].base + ".h5") == runs.datasets(made[1].base + ".h5"))
    closed = restarts.write_data(folder, "closed", apart(throw=0.0))
    for name, more in (("coarse", []), ("finer", ["grid.refine=[1,1,2]"])):
        runs.run(closed, folder, ["output.eclipse=true"] + more, name)
    volumes = [sum(eclipse_files.one(arrays(folder, name)[1], "PORV")) for name in ("coarse", "finer")]
    checks.near("finer: the pore volume", volumes[1] / volumes[0], 1.0, 1e-6)
    file, init = arrays(folder, "finer")
    layers = [set(v > 0.0 for v in eclipse_files.one(init, "TRANZ")[60 * k:60 * (k + 1)]) for k in range(5)]
    checks.true("finer: the border stays closed", layers == [{True}] * 3 + [{False}, {True}], layers)
    checks.true("finer: the systems", eclipse_files.one(file, "COORDSYS") == [1, 4, 0, 0, 1, 1, 5, 6, 0, 0, 2, 2])


def main():
    checks = runs.Checks()
    with runs.folder() as folder:
        check_same(checks, folder)
        check_apart(checks, folder)
        check_import(checks, folder)
        check_own(checks, folder)
    return checks.result()


if __name__ == "__main__":
    sys.exit(main())
