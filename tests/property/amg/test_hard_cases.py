"""Runs that are hard on the numbers, each with what must come of it: months without flow, wells in closed boxes, phases
that cannot move, tables with plateaus, parts of the grid without a well, rock from nothing to 1e8, grids of one cell and
of one line. A run that cannot go on says at which cell, in which phase, by how much, and what to try."""
import re
import sys

import numpy

import restarts
import runs

DAY = 86400.0
SATURATION = 'saturation = { model = "corey"; swc = 0.2; sor = 0.2; krw_max = 0.5; nw = 2.0; no = 2.0; };'
TABLE = """saturation = { model = "table"; table = ( [0.2, 0.0, 1.0, 0.2], [0.3, 0.0, 1.0, 0.2], [0.4, 0.1, 0.5, 0.1],
  [0.6, 0.1, 0.5, 0.1], [0.7, 0.1, 0.0, 0.0], [0.8, 0.5, 0.0, 0.0] ); };"""
INJ = '{ name = "I"; type = "injector"; i = 1; j = 1; radius = 0.1; control = "rate"; rate = 20.0; bhp = 400.0; }'
PROD = '{ name = "P"; type = "producer"; i = %d; j = %d; k = %d; radius = 0.1; control = "bhp"; bhp = 150.0; }'


def deck(where, name, size=(8, 6, 2), wells=None, schedule="", saturation=SATURATION, grid="", initial="", every=30.0,
         end=120.0, perm="100.0"):
    wells = [INJ, PROD % size] if wells is None else wells
    initial = initial or "pressure = 180.0; saturation = 0.25;"
    text = """
grid = { size = [%d, %d, %d]; dx = 20.0; dy = 25.0; dz = 4.0; top = 1800.0; porosity = 0.2; permx = %s; %s };
fluids = {
  water = { density = 1020.0; reference_pressure = 180.0; compressibility = 4.4e-5; viscosity = 0.5; };
  oil = { density = 850.0; reference_pressure = 180.0; compressibility = 1.2e-4; viscosity = 1.5; };
};
%s
rock = { reference_pressure = 180.0; compressibility = 4.0e-5; };
initial = { %s };
wells = ( %s );
schedule = ( %s );
report = { every = %g; end = %g; };
timestep = { initial = 0.5; max = 15.0; };
""" % (*size, perm, grid, saturation, initial, ",\n".join(wells), schedule, every, end)
    return restarts.write_deck(where, text, name)


def run(checks, where, name, options=(), **what):
    path = deck(where, name, **what)
    r = runs.run(path, where, ["output.double=true", *options], name=name, arguments=["--progress", "never"])
    end = what.get("end", 120.0)
    checks.near(name + ": to the end", r.times[-1], end, 1e-9 * end)
    checks.true(name + ": mass balance", max(r.mass_balance_errors()) < 1e-6, r.mass_balance_errors())
    sw, p = r.field("sw"), r.field("pressure")
    checks.true(name + ": sound numbers", numpy.isfinite(p).all() and (p > 0).all() and (sw >= 0).all() and (sw <= 1).all())
    cuts = sum(r.solver["cuts"])
    checks.true(name + ": no more than a few cuts", cuts <= 4, cuts)
    return r


def no_flow(checks, where):
    """All wells shut for a month, then again open: rates of 0, steps as long as they may be, no cuts."""
    r = run(checks, where, "month", schedule="""{ time = 30.0; well = "*"; status = "shut"; },
            { time = 60.0; well = "*"; status = "open"; }""")
    for t in (45.0, 60.0):
        checks.near("month: no oil at day %g" % t, r.at(t, "FOPR"), 0.0, 0.0)
        checks.near("month: no water at day %g" % t, r.at(t, "FWIR"), 0.0, 0.0)
    checks.true("month: flow afterwards", r.at(120.0, "FOPR") > 0.1 and r.at(120.0, "FWIR") > 1.0)
    checks.near("month: totals stand", r.at(60.0, "FOPT"), r.at(30.0, "FOPT"), 0.0)
    r = run(checks, where, "shut", wells=[w.replace('name', 'status = "shut"; name') for w in (INJ, PROD % (8, 6, 2))])
    checks.true("shut: nothing ever flows", max(r.vector("FOPT")) == 0.0 and max(r.vector("FWIT")) == 0.0)
    p = [r.field("pressure", n).mean() for n in (0, -1)]
    checks.near("shut: the mean pressure stands", p[1] / p[0], 1.0, 1e-5)


def closed_boxes(checks, where):
    """A producer in a closed box makes what expansion gives and ends at its own pressure; an injector fills up to its."""
    r = run(checks, where, "box", wells=[PROD % (4, 3, 1)], end=2000.0, every=500.0)
    checks.near("box: pressure of the well", r.field("pressure")[0].mean() / 1e5, 150.0, 0.1)
    checks.true("box: it ran dry", r.vector("FOPR")[-1] < 1e-4 * r.vector("FOPR")[0], r.vector("FOPR")[-1])
    r = run(checks, where, "full", wells=[INJ], end=2000.0, every=500.0)
    checks.true("full: at the limit of the injector", r.vector("WMCTL:I")[-1] == "BHP", r.vector("WMCTL:I")[-1])
    checks.true("full: nothing goes in any more", r.vector("FWIR")[-1] < 1e-3 * 20.0, r.vector("FWIR")[-1])
    box = "boxes = ( { i = 4; set = { active = 0; }; } );"
    r = run(checks, where, "apart", grid=box, wells=[INJ], end=300.0, every=100.0)
    there = r.field("pressure")[:, :, 4:]
    checks.near("apart: the part without a well rests", there.max() / there.min(), r.field("pressure", 0)[:, :, 4:].max() /
                r.field("pressure", 0)[:, :, 4:].min(), 5e-3)
    checks.near("apart: its saturation", r.field("sw")[:, :, 4:].mean(), 0.25, 1e-4)


def phases_that_stand(checks, where):
    """The controlled phase has no mobility: the well goes to the pressure that is its limit, and makes none of it."""
    water = '{ name = "P"; type = "producer"; i = 8; j = 6; radius = 0.1; control = "water-rate"; water_rate = 10.0; bhp = 150.0; }'
    r = run(checks, where, "dry", wells=[water], initial="pressure = 180.0; saturation = 0.2;")
    checks.true("dry: at its bhp", r.vector("WMCTL:P")[-1] == "BHP", r.vector("WMCTL:P"))
    checks.near("dry: no water", r.vector("WWPT:P")[-1], 0.0, 1e-2)  # what expands past its end point
    oil = water.replace("water-rate", "oil-rate").replace("water_rate", "oil_rate")
    r = run(checks, where, "watered", wells=[oil], initial="pressure = 180.0; saturation = 0.8;")
    checks.true("watered: at its bhp", r.vector("WMCTL:P")[-1] == "BHP", r.vector("WMCTL:P"))
    checks.near("watered: no oil", r.vector("WOPT:P")[-1], 0.0, 1e-2)
    for s in (0.0, 0.2, 0.8, 1.0):
        r = run(checks, where, "end%g" % s, initial="pressure = 180.0; saturation = %g;" % s)
        checks.true("end %g: water goes in" % s, r.vector("FWIT")[-1] > 100.0)
        checks.true("end %g: what comes out" % s, (r.vector("FOPT")[-1] > 100.0) == (s < 0.5), r.vector("FOPT")[-1])
    run(checks, where, "plateaus", saturation=TABLE, end=720.0, every=60.0)


def rock(checks, where):
    """Permeability 0 in a column is a wall, and eight orders of magnitude side by side are no trouble."""
    wall = "boxes = ( { i = 4; set = { permx = 0.0; permy = 0.0; permz = 0.0; }; } );"
    r = run(checks, where, "wall", grid=wall, wells=[INJ.replace("bhp = 400.0", "bhp = 300.0")], end=300.0, every=100.0)
    checks.true("wall: nothing behind it", abs(r.field("pressure")[:, :, 4:] / r.field("pressure", 0)[:, :, 4:] - 1).max() < 5e-3)
    for order in ("0.0001", "10000.0"):
        grid = "boxes = ( { i = [3, 5]; j = [2, 4]; set = { permx = %s; permy = %s; permz = %s; }; } );" % ((order,) * 3)
        perm = "10000.0" if order == "0.0001" else "0.0001"
        wells = [INJ.replace("rate = 20.0", "rate = 0.001")] if perm == "0.0001" else None
        run(checks, where, "contrast" + order, grid=grid, perm=perm, wells=wells)


def small_grids(checks, where):
    """One cell, and a line of cells along each direction: the same flood whichever it is."""
    r = run(checks, where, "cell", size=(1, 1, 1), wells=[PROD % (1, 1, 1)])
    checks.near("cell: pressure of the well", r.field("pressure").mean() / 1e5, 150.0, 0.1)
    floods = []
    for axis in range(3):
        size = [1, 1, 1]
        size[axis] = 30
        along = "dx = 10.0; dy = 10.0; dz = 10.0; permy = 100.0; permz = 100.0;"
        path = deck(where, "line%d" % axis, size=tuple(size), wells=[INJ.replace("rate = 20.0", "rate = 2.0").replace(
            "j = 1;", "j = 1; k = 1;"), PROD % tuple(size)], grid="", end=240.0)
        text = restarts.text(path).replace("dx = 20.0; dy = 25.0; dz = 4.0;", along).replace("850.0", "1020.0")
        path = restarts.write_deck(where, text, "line%d" % axis)
        r = runs.run(path, where, ["output.double=true"], name="line%d" % axis, arguments=["--progress", "never"])
        checks.true("line %d: mass balance" % axis, max(r.mass_balance_errors()) < 1e-6)
        floods.append(r.field("sw").ravel())
        checks.true("line %d: a front" % axis, floods[-1][0] > 0.5 and abs(floods[-1][-1] - 0.25) < 1e-3, floods[-1][[0, -1]])
    for axis in (1, 2):
        checks.near("lines: the same flood along %d" % axis, float(abs(floods[axis] - floods[0]).max()), 0.0, 5e-3)


def cannot_go_on(checks, where):
    path = deck(where, "stop")
    done = restarts.start(path, where + "/stop", ["newton.max_iterations=1", "timestep.max_cuts=3"])
    checks.true("stop: 1", done.returncode == 1, done.returncode)
    found = re.search(r"stopped at time .*worst cell \((\d+), (\d+), (\d+)\), (oil|water) balance, CNV \S+ \(limit \S+\), "
                      r"MB \S+ \(limit \S+\).*Try ", done.stderr, re.S)
    checks.true("stop: cell, phase, error, what to try", found is not None, done.stderr[-600:])
    closed = ["fluids.water.compressibility=0.0", "fluids.oil.compressibility=0.0", "rock.compressibility=0.0"]
    path = deck(where, "stiff", wells=[INJ])
    r = runs.run(path, where, closed, name="stiff")  # nothing can leave: the injector comes to its limit, and takes nothing
    checks.near("stiff: at its limit", r.vector("WBHP:I")[-1], 400.0, 1e-6)
    checks.near("stiff: nothing goes in but what the balance may miss", r.vector("FWIT")[-1], 0.0, 1e-2)


def too_large(checks, where):
    """Numbers of cells that do not fit in 32 or 64 bits: refused at the deck's line, at once."""
    for size in ("[46341, 46341, 1]", "[65536, 65536, 1]", "[2147483647, 2147483647, 2147483647]", "[2097152, 2097152, 4194304]"):
        text = restarts.text(deck(where, "large")).replace("[8, 6, 2]", size)
        path = restarts.write_deck(where, text, "large")
        done = runs.hepta("check", path, timeout=60)
        checks.true("size %s: 2, at its line" % size, done.returncode == 2 and "large.cfg:2: grid.size" in done.stderr and
                    "more than 2147483647 cells" in done.stderr, done.stderr)
    text = restarts.text(deck(where, "large")).replace("[8, 6, 2]", "[4294967297L, 1, 1]")
    done = runs.hepta("check", restarts.write_deck(where, text, "large"), timeout=60)
    checks.true("size of 33 bits: 2, at its line", done.returncode == 2 and "large.cfg:2" in done.stderr, done.stderr)
    text = restarts.text(runs.deck("FIVE_SPOT.DATA"))
    text, n = re.subn(r"(?m)^(\s*DIMENS\s*\n)[^/]*/", r"\1 65536 65536 65536 /", text, 1)
    assert n == 1
    path = where + "/LARGE.DATA"
    with open(path, "w") as f:
        f.write(text)
    done = runs.hepta("check", path, timeout=60)
    line = 1 + text[:text.index("65536")].count("\n")
    checks.true("DIMENS: 2, at its line", done.returncode == 2 and re.search(r"LARGE.DATA:%d: .*cells" % line, done.stderr),
                done.stderr[:400])


def main():
    checks = runs.Checks()
    with runs.folder() as where:
        for case in (no_flow, closed_boxes, phases_that_stand, rock, small_grids, cannot_go_on, too_large):
            case(checks, where)
    return checks.result()


if __name__ == "__main__":
    sys.exit(main())
