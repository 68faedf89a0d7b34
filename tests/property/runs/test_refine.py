"""Runs with grid.refine: beside the same deck written at the fine size, gone on from a report step, all result files,
options in any order, fluids in place, and decks of Eclipse beside their blocks."""
import os
import sys

import h5py
import numpy

import eclipse_files
import flow
import restarts
import runs

checks = runs.Checks()
R = (2, 3, 2)
EVEN = """
grid = { size = [%d, %d, %d]; dx = %.17g; dy = %.17g; dz = %.17g; top = 1800.0; porosity = 0.2; permx = 200.0; permz = 20.0; };
""" + runs.FLUIDS + """
initial = { datum_depth = 1800.0; datum_pressure = 180.0; contact_depth = 1815.0; };
wells = (
  { name = "I"; type = "injector"; radius = 0.1; reference_depth = 1802.0; control = "rate"; rate = 60.0; bhp = 400.0; %s },
  { name = "P"; type = "producer"; radius = 0.1; reference_depth = 1802.0; control = "bhp"; bhp = 150.0; %s } );
schedule = ( { time = 20.0; well = "P"; k = [%d, %d]; perforations = "shut"; } );
report = { every = 10.0; end = 40.0; };
timestep = { accuracy = 1.0; };
output = { restart = -1; double = true; };
"""


def deck(where, name, r):
    """5 x 4 x 4 cells of 24 x 30 x 4 m, each cut by hand; wells in columns (1, 1) and (5, 4)."""
    middle = [(n - 1) // 2 + 1 for n in r]
    places = ["i = %d; j = %d;" % (i * r[0] + middle[0], j * r[1] + middle[1]) for i, j in ((0, 0), (4, 3))]
    text = EVEN % (5 * r[0], 4 * r[1], 4 * r[2], 24.0 / r[0], 30.0 / r[1], 4.0 / r[2], *places, 3 * r[2] + 1, 4 * r[2])
    path = os.path.join(where, name + ".cfg")
    with open(path, "w") as f:
        f.write(text)
    return path


def same_files(name, a, b):
    checks.true(name + ": the same fields to the bit", runs.datasets(a.base + ".h5") == runs.datasets(b.base + ".h5"))
    tables = [open(r.base + ".summary.csv").read() for r in (a, b)]
    checks.true(name + ": the same summary", tables[0] == tables[1])


def by_hand(where):
    coarse, option = deck(where, "coarse", (1, 1, 1)), "grid.refine=[%d,%d,%d]" % R
    whole = runs.run(coarse, where, name="whole")
    same_files("[1,1,1]", whole, runs.run(coarse, where, ["grid.refine=[1,1,1]"], name="one"))
    fine = runs.run(deck(where, "fine", R), where, name="fine")
    refined = runs.run(coarse, where, [option], name="refined")
    same_files("by hand", refined, fine)
    checks.true("the run says so", "refined from 5 x 4 x 4" in refined.stderr + refined.stdout)
    for name in ("porosity", "permz", "depth", "pore_volume"):
        checks.true("static " + name, numpy.array_equal(refined.static(name), fine.static(name)))
    with h5py.File(refined.base + ".grid.h5", "r") as f:
        checks.true("grid file", f["grid/active"].shape == (8, 12, 10) and abs(f["grid/x"][-1] - 120.0) < 1e-9)
    with open(refined.base + ".xdmf2") as f:
        checks.true("xdmf2", 'Dimensions="8 12 10"' in f.read())
    # an array of the deck's own size, before and after the option; nx is the deck's
    for order in (1, -1):
        options = ["grid.porosity={layers=({k=(1,\"nz / 2\");value=0.1;},{k=(\"nz / 2 + 1\",\"nz\");value=0.3;});}", option][::order]
        said = runs.hepta("check", coarse, *restarts.sets(options))
        checks.true("order of options", said.returncode == 0 and "refined from 5 x 4 x 4" in said.stdout, said.stderr)
        result = runs.run(coarse, where, options + ["report.end=10"], name="order%d" % order)
        porosity = result.static("porosity")
        checks.true("layers of the deck", numpy.allclose(porosity[:4], 0.1) and numpy.allclose(porosity[4:], 0.3))
    # to go on
    shorter = runs.run(coarse, where, [option, "report.end=20"], name="part")
    done = restarts.go_on(coarse, None, shorter.base, [option])
    checks.true("it goes on", done.returncode == 0, done.stderr)
    checks.true("the same fields after a restart", runs.datasets(shorter.base + ".h5") == runs.datasets(refined.base + ".h5"))
    done = restarts.go_on(coarse, os.path.join(where, "other"), refined.base + ":4", ["grid.refine=[2,3,1]"])
    checks.true("not from another refinement", done.returncode != 0 and "cells" in done.stderr, done.stderr)


def in_place(where):
    """Fluids of arrays are the deck's; of an equilibrium, those of the same columns."""
    path = deck(where, "place", (1, 1, 1))
    arrays = "initial={pressure={layers=({k=(1,2);value=190.0;},{k=(3,4);value=200.0;});};saturation={layers=({k=(1,3);value=0.3;},{k=4;value=0.7;});};}"
    asked = ["output.vectors=[\"FOIP\",\"FWIP\",\"CWIR:I:1,1,2\"]", "report.end=0.001", "timestep.initial=0.0005", "wells.I.status=shut",
             "wells.P.status=shut"]
    for start in ([], [arrays]):
        a = runs.run(path, where, asked + start, name="a")
        b = runs.run(path, where, asked + start + ["grid.refine=[3,2,2]"], name="b")
        for vector in ("FOIP", "FWIP"):
            # hydrostatic cells in halves: compressibility times half a cell's head, squared
            checks.near(vector, b.vector(vector)[0] / a.vector(vector)[0], 1.0, 2e-7 if start else 1e-6)
    columns = [c for c in b.summary if c.startswith("CWIR")]
    checks.true("a connection's vector", columns == ["CWIR:I:2,1,3", "CWIR:I:2,1,4"], str(columns))


def eclipse(where):
    """Corner points of plane layers, and blocks: the same run; multipliers, holes, wells that are completed later."""
    schedule = ("TSTEP\n 10 /\nCOMPDAT\n P1 2* 3 3 OPEN 1* 4 0.3 /\n/\nTSTEP\n 10 /\nWELOPEN\n P1 SHUT 0 0 1 /\n/\nWPIMULT\n P2 0.5 /\n/\n"
                "TSTEP\n 10 /\n")
    extra = {"add": {"grid": "EQUALS\n NTG 0.7 1 10 1 6 2 2 /\n MULTX 0.1 4 4 1 6 1 3 /\n 'MULTY-' 0.2 1 10 3 3 1 3 /\n"
                             " MULTPV 2 1 2 4* /\n ACTNUM 0 5 5 3 3 1 2 /\n/\n"}, "schedule": schedule,
             "wells": flow.BASE["wells"].replace("P1 2* 1 3", "P1 2* 1 2")}
    path = os.path.join(where, "BLOCKS.DATA")
    with open(path, "w") as f:
        f.write(flow.Deck(**extra).text())
    option = ["grid.refine=[2,3,2]", "output.eclipse=true", "output.double=true"]
    whole = runs.run(path, where, option[1:], name="blocks")
    parts = runs.run(path, where, option, name="CUT")
    n, m = whole.static("pore_volume").shape, parts.static("pore_volume").shape
    checks.true("size", m == (2 * n[0], 3 * n[1], 2 * n[2]), str(m))
    pv = parts.static("pore_volume").reshape(n[0], 2, n[1], 3, n[2], 2).sum(axis=(1, 3, 5))
    checks.true("pore volume of each cell", numpy.allclose(pv, whole.static("pore_volume"), rtol=1e-6))
    active = parts.static("pore_volume") > 0.0
    checks.true("holes", numpy.array_equal(active, (whole.static("pore_volume") > 0.0).repeat(2, 0).repeat(3, 1).repeat(2, 2)))
    checks.near("oil produced, coarse and fine", parts.vector("FOPT")[-1] / whole.vector("FOPT")[-1], 1.0, 0.05)
    for error in parts.mass_balance_errors():
        checks.between("mass balance", error, 0.0, 1e-6)
    head = eclipse_files.one(eclipse_files.read(parts.base + ".EGRID"), "GRIDHEAD")
    checks.true("EGRID", head[1:4] == [m[2], m[1], m[0]], str(head[:4]))
    porv = eclipse_files.one(eclipse_files.read(parts.base + ".INIT"), "PORV")
    checks.near("INIT", sum(porv) / parts.static("pore_volume").sum(), 1.0, 1e-5)
    return path


def compare(where):
    path = deck(where, "compared", (1, 1, 1))
    done = runs.hepta("compare", path, "-o", os.path.join(where, "cases"), "--case", "coarse:", "--case", "fine: grid.refine=[2,1,1]", "--set",
                      "report.end=10")
    checks.true("compare", done.returncode == 0, done.stderr[-500:])


def main():
    with runs.folder() as where:
        by_hand(where)
        in_place(where)
        eclipse(where)
        compare(where)
    return checks.result()


if __name__ == "__main__":
    sys.exit(main())
