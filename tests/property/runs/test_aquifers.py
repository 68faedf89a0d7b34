"""Runs with aquifers: the same bits for any team and from any report step on, the Jacobian, cells whose pressure only an
aquifer holds, two aquifers in a cell, faces that add up, numerical aquifers, vectors, and what is refused by name."""
import os
import sys

import h5py

import aquifers
import restarts
import runs

KEEP = restarts.KEEP
STEPS = ["timestep.initial=1", "timestep.max=6"]
KINDS = ("carter_tracy", "table", "fetkovich", "flux")


def same_bits(checks, where, name, path):
    """Teams of 1 to 3 members, and a run that goes on from each report step."""
    return restarts.same_bits(checks, where, name, path, KEEP + STEPS, (2, 3), lambda steps: steps[::3])


def other_decks(checks, where, whole, deck):
    """Another aquifer before is another run; a result without aquifers has no state of them."""
    other = restarts.write_data(where, "other", deck.text().replace("3E6 1E-4 12", "3E6 1E-4 13"))
    done = restarts.go_on(other, os.path.join(where, "o"), whole, KEEP + STEPS)
    checks.true("another aquifer", done.returncode == 2 and "differs" in done.stderr and "aquifers" in done.stderr, done.stderr)
    none = restarts.write_data(where, "none", aquifers.none())
    done = restarts.go_on(none, os.path.join(where, "o"), whole, KEEP + STEPS)
    checks.true("no aquifer any more", done.returncode == 2 and "the initial state" in done.stderr, done.stderr)
    base = os.path.join(where, "lost")
    done = restarts.start(restarts.write_data(where, "lost", deck), base, KEEP + STEPS)
    last = sorted(f for f in os.listdir(base + ".steps") if f.startswith("restart_"))[-1]
    with runs.edited(os.path.join(base + ".steps", last)) as f:
        f["aquifers"][0, 2] = float("nan")
    done = restarts.go_on(os.path.join(where, "LOST.DATA"), os.path.join(where, "o"), base, KEEP + STEPS)
    checks.true("damaged", done.returncode == 2 and "damaged: the aquifers" in done.stderr, done.stderr)
    with runs.edited(os.path.join(base + ".steps", last)) as f:
        del f["aquifers"]
    done = restarts.go_on(os.path.join(where, "LOST.DATA"), os.path.join(where, "o"), base, KEEP + STEPS)
    checks.true("without their rows", done.returncode == 2 and "do not fit its deck" in done.stderr, done.stderr)


def jacobian(checks, where, name, path):
    r = runs.run(path, where, STEPS, name + "-j", ["--check-jacobian"])
    checks.true(name + ": Jacobian", "they agree" in r.stderr, r.stderr[:2000])
    return r


def balance(checks, name, r):
    error = max(r.mass_balance_errors())
    checks.true(name + ": mass balance", error < 1e-6, "%.1e" % error)
    total, field = sum(r.at(100, v) for v in r.summary if v.startswith("AAQT")), r.at(100, "FAQT")
    checks.near(name + ": FAQT", field, total, 1e-9 * abs(total))
    rate = sum(r.at(100, v) for v in r.summary if v.startswith("AAQR"))
    checks.near(name + ": FAQR", r.at(100, "FAQR"), rate, 1e-9 * abs(rate))


def dry(checks, where):
    """An aquifer of low pressure below cells whose water does not move: it takes no more than they have, and steps stay long."""
    deck = aquifers.fetkovich(solution="EQUIL\n 2000 200 2060 0 /\nAQUFETP\n 1 2010 5 5E6 1E-4 200 /\n/\n"
                              "AQUANCON\n 1 1 10 1 6 3 3 K+ /\n/\n")
    deck.part["summary"] += "FAQR\nFAQT\n"
    path = restarts.write_data(where, "dry", deck)
    r = runs.run(path, where, STEPS + ["output.double=true"], "dry", ["--check-jacobian"])
    checks.true("dry: Jacobian", "they agree" in r.stderr, r.stderr[:2000])
    checks.true("dry: no attempt failed", sum(r.solver["cuts"]) == 0, sum(r.solver["cuts"]))
    checks.true("dry: saturations", r.field("sw").min() > 0.1999, r.field("sw").min())
    balance(checks, "dry", r)
    checks.true("dry: it takes what expands", 0.0 > r.at(100, "FAQT") > -1500.0, r.at(100, "FAQT"))


def failures(checks, where, path):
    """Attempts that fail count nothing: their volumes would be missing in the balance."""
    r = runs.run(path, where, ["timestep.initial=4", "timestep.max=30", "newton.max_iterations=3", "newton.tolerance_cnv=1e-6"], "failures")
    checks.true("failures: attempts failed", sum(r.solver["cuts"]) > 0, sum(r.solver["cuts"]))
    balance(checks, "failures", r)


def held(checks, where):
    """Nothing is compressible and the wells hold no pressure: the aquifer does; constant flux does not. Behind a wall of cells
    that nothing flows through, one of which the second aquifer of the deck is connected to."""
    rigid = {"props": "DENSITY\n 850 1020 1 /\nPVTW\n 200 1 0 0.5 0 /\n", "pvdo": "PVCDO\n 200 1.05 0 3 0 /\n", "rock": "",
             "summary": aquifers.VECTORS + "FAQR\nFAQT\n", "controls": "WCONPROD\n P1 OPEN LRAT 3* 100 /\n P2 OPEN LRAT 3* 50 /\n/\n"}
    r = runs.run(restarts.write_data(where, "held", aquifers.fetkovich(**rigid)), where, STEPS, "held")
    checks.true("held: no note", "the pressure there is held" not in r.stderr, r.stderr)
    checks.near("held: what is produced flows in", r.at(100, "FAQR"), r.at(100, "FWPR") + 1.05 * r.at(100, "FOPR"), 0.5)
    done = runs.hepta("check", restarts.write_data(where, "loose", aquifers.flux(**rigid)))
    done_held = runs.hepta("check", os.path.join(where, "HELD.DATA"))
    checks.true("held: check", "must hold a pressure" not in done_held.stdout, done_held.stdout)
    checks.true("held: aquifers in check", "aquifers 2\n" in done_held.stdout and "Fetkovich, connected to 18 cells" in done_held.stdout,
                done_held.stdout)
    checks.true("held: constant flux holds none", "must hold a pressure" in done.stdout, done.stdout)
    cut = {"add": {"grid": "EQUALS\n PERMX 0 3 3 1 6 1 3 /\n PERMY 0 3 3 1 6 1 3 /\n PERMZ 0 3 3 1 6 1 3 /\n/\n"}}
    for name, cells in (("fetkovich", 17), ("flux", 18 + 36)):
        deck = getattr(aquifers, name)(**rigid)
        deck.part["grid"] += cut["add"]["grid"]
        done = runs.hepta("check", restarts.write_data(where, "cut_" + name, deck))
        checks.true("held: %s behind a wall" % name, "%d cells in" % cells in done.stdout or "%d cells, the first" % cells in done.stdout,
                    done.stdout)


def shares(checks, where):
    """A flux shows the areas: both faces of a corner; inner faces only where item 11 says so; inactive cells never."""
    def total(connections, grid=""):
        deck = aquifers.deck("AQUFLUX\n 1 1 /\n/\nAQUANCON\n" + connections + "/\n")
        deck.part["grid"] += grid
        deck.part["schedule"] = "TSTEP\n 1 /\n"
        return runs.run(restarts.write_data(where, "shares", deck), where, ["timestep.initial=1", "timestep.max=1"], "shares").at(1, "AAQR:1")
    i, j, k = 50 * 8, 40 * 8, 40 * 50  # faces [m2]
    for name, connections, grid, expected in (
            ("one side", " 1 1 10 1 6 1 3 I- /\n", "", 18 * i),
            ("a corner's two faces", " 1 1 1 1 1 1 1 I- /\n 1 1 1 1 1 1 1 J- 1* 0.5 /\n", "", i + 0.5 * j),
            ("a coefficient", " 1 1 1 1 1 1 1 I- 70 2 /\n 1 1 1 1 1 1 1 J- 9 /\n", "", 149),
            ("the other sides", " 1 1 10 1 6 1 3 'X+' /\n 1 1 10 1 6 1 3 Y /\n 1 1 10 1 6 1 3 K- /\n", "", 18 * i + 30 * j + 60 * k),
            ("inner faces", " 1 5 5 2 3 2 2 J+ 2* YES /\n", "", 2 * j),
            ("a hole's sides", " 1 2 5 1 6 1 3 I+ /\n 1 2 5 1 6 1 3 J- /\n", aquifers.HOLE, 6 * i + (12 + 6 - 0) * j))[::-runs.every(1, 3)]:
        checks.near("shares: " + name, total(connections, grid), expected, 1e-9 * expected)


def numerical(checks, where):
    """Cells of the grid: the aquifer is full of water, at rest or at its pressure, and gives water."""
    for name in ("by_face",) if runs.every(1, 2) > 1 else ("chain", "by_face"):
        path = restarts.write_data(where, name, getattr(aquifers, name)())
        whole = same_bits(checks, where, name, path)
        r = jacobian(checks, where, name, path)
        error = max(r.mass_balance_errors())
        checks.true(name + ": mass balance", error < 1e-6, "%.1e" % error)
        done = runs.hepta("check", path, "--set", "grid.refine=[2,1,1]")
        checks.true(name + ": grid.refine", done.returncode == 2, done.stderr)
    with h5py.File(os.path.join(whole + ".steps", "step_000000.h5"), "r") as f:
        sw, p = f["sw"][:, 5, 0], f["pressure"][:, 5, 0]
    checks.true("by_face: full of water", sw[0] == sw[1] == 1, sw)
    checks.near("by_face: its pressure", p[1], 215e5, 1)


# An aquifer at the end of a row of cells. Fetkovich's follows their pressure within four days.
ROW = """
units = "metric";
grid = { size = [6, 1, 1]; dx = 200.0; dy = 200.0; dz = 20.0; top = 2000.0; porosity = 0.25; permx = 50.0; };
%s
initial = { datum_depth = 2000.0; datum_pressure = 250.0; contact_depth = 2500.0; };
aquifers = ( { datum_depth = 2010.0; faces = ( { i = 1; face = "i-"; inner = true; } ); %s } );
wells = ( { name = "P"; type = "producer"; i = 1; j = 1; radius = 0.1; control = "bhp"; bhp = 120.0; liquid_rate = 20.0; } );
report = { every = 20.0; end = 100.0; };
timestep = { accuracy = 1.0; };
output = { vectors = ["AAQT:1"]; };
"""
OF_ROW = {  # and the error of the influx in steps of 20 days
    "fetkovich": ('type = "fetkovich"; compressibility = 8e-5; volume = 700000.0; productivity = 18.0;', 3e-3),
    "carter-tracy": ('type = "carter-tracy"; compressibility = 2e-4; permeability = 50.0; porosity = 0.2; radius = 100.0; '
                     'thickness = 20.0; angle = 180.0;', 6e-3)}


def order(checks, where):
    """The influx is corrected, with what the aquifer does by itself in long steps: halved ones leave a quarter of the error."""
    path = os.path.join(where, "row.cfg")
    for kind, (keys, most) in OF_ROW.items():
        with open(path, "w") as f:
            f.write(ROW % (runs.FLUIDS, keys))
        made = [runs.run(path, where, ["timestep.max=%g" % longest, "timestep.initial=%g" % (0.02 * longest)], "row").at(100, "AAQT:1")
                for longest in (20.0, 10.0, 5.0, 0.25)]
        error = [abs(influx / made[-1] - 1.0) for influx in made[:-1]]
        print(kind, "influx in steps of 20, 10 and 5 days: errors", *("%.2g" % e for e in error))
        checks.true(kind + ": second order", error[0] < most and all(b < 0.4 * a for a, b in zip(error, error[1:])), error)


def refused(checks, where):
    path = restarts.write_data(where, "refused", aquifers.two())
    done = runs.hepta("check", path, "--set", "grid.refine=[2,1,1]")
    checks.true("grid.refine", done.returncode == 2 and "aquifers" in done.stderr, done.stderr)
    done = runs.hepta("check", path, "--set", "grid.size=[5,6,3]")
    checks.true("grid.size", done.returncode == 2 and "connections of aquifers do not move" in done.stderr, done.stderr)


def main():
    checks = runs.Checks()
    with runs.folder() as where:
        for name in KINDS[::runs.every(1, 6)]:
            deck = getattr(aquifers, name)()
            deck.part["summary"] += "FAQR\nFAQT\n"
            path = restarts.write_data(where, name, deck)
            whole = same_bits(checks, where, name, path)
            if name == "fetkovich":
                other_decks(checks, where, whole, deck)
            balance(checks, name, jacobian(checks, where, name, path))
        two = aquifers.two()
        two.part["summary"] += "FAQR\nFAQT\n"
        path = restarts.write_data(where, "two", two)
        same_bits(checks, where, "two", path)
        r = jacobian(checks, where, "two", path)
        balance(checks, "two", r)
        failures(checks, where, path)
        columns = [c for c in r.summary if c[:3] == "AAQ"]
        checks.true("two: columns", columns == ["%s:%d" % (v, n) for v in ("AAQR", "AAQT", "AAQP") for n in (2, 5, 9)], columns)
        info = runs.hepta("info", r.base).stdout
        checks.true("two: info", all("\n  %d  " % n in info for n in (2, 5, 9)) and "from aquifers" in info, info)
        dry(checks, where)
        held(checks, where)
        shares(checks, where)
        numerical(checks, where)
        order(checks, where)
        refused(checks, where)
    return checks.result()


if __name__ == "__main__":
    sys.exit(main())
