"""Incompressible decks whose wells are all at rates, with limits of the bhp that make them well posed: what goes in comes out, and
the first well to meet its limit holds the pressure. Fifteen random ones (HEPTA_TEST_EVERY=1: sixty), one by hand, and one whose
rates make up for each other, which is refused with advice that works."""
import os
import random
import sys

import runs

DECK = """
grid = { size = [%d, %d, %d]; dx = 20.0; dy = 20.0; dz = 5.0; top = 2000.0; porosity = 0.2;
         permx = { generator = "lognormal"; seed = %d; mean = 100.0; log_stddev = %.3g; }; };
fluids = { water = { density = 1000.0; formation_volume_factor = %.4g; viscosity = 0.5; };
           oil = { density = 800.0; formation_volume_factor = %.4g; viscosity = %.3g; }; };
saturation = { model = "corey"; swc = 0.2; sor = 0.2; };
initial = { pressure = 200.0; saturation = %.3g; };
wells = ( %s );
report = { end = 30.0; every = 10.0; };
output = { vectors = ["FVPR", "FVIR"]; };
"""


def well(name, i, j, text):
    return '{ name = "%s"; i = %d; j = %d; radius = 0.1; %s }' % (name, i, j, text)


def random_deck(seed):
    """Text, and what injectors and producers want at most, in surface volumes."""
    rng = random.Random(seed)
    nx, ny, nz = rng.randint(3, 7), rng.randint(3, 7), rng.randint(1, 3)
    columns = [(i, j) for i in range(1, nx + 1) for j in range(1, ny + 1)]
    rng.shuffle(columns)
    wells = []
    for n in range(rng.randint(1, 2)):
        wells.append(well("I%d" % n, *columns.pop(), 'type = "injector"; control = "rate"; rate = %.4g; bhp = %.4g;'
                          % (10.0 ** rng.uniform(-0.5, 1.5), rng.uniform(250.0, 1000.0))))
    for n in range(rng.randint(1, 3)):
        control = rng.choice(["oil-rate", "liquid-rate", "liquid-rate", "reservoir-rate", "water-rate"])
        wells.append(well("P%d" % n, *columns.pop(), 'type = "producer"; control = "%s"; %s = %.4g; bhp = %.4g;'
                          % (control, control.replace("-", "_"), 10.0 ** rng.uniform(-0.5, 1.5), rng.uniform(20.0, 180.0))))
    return DECK % (nx, ny, nz, seed, rng.choice([0.0, 1.0, 2.0]), rng.uniform(1.0, 1.05), rng.uniform(1.0, 1.3),
                   10.0 ** rng.uniform(-0.3, 1.5), rng.choice([0.2, 0.5, 0.75]), ",\n".join(wells))


def run(where, name, text, options=(), words=()):
    path = os.path.join(where, name + ".cfg")
    with open(path, "w") as f:
        f.write(text)
    return runs.hepta("run", path, "-o", os.path.join(where, name), "--threads", "1", "--progress", "never",
                      *words, *[word for o in options for word in ("--set", o)])


def random_decks(checks, where):
    for seed in range(1, 61, runs.every(4, 20)):
        name = "deck%d" % seed
        done = run(where, name, random_deck(seed))
        checks.true(name + " runs to its end", done.returncode == 0, done.stderr[-400:])
        if done.returncode != 0:
            continue
        r = runs.Result(os.path.join(where, name), done.stdout, done.stderr)
        checks.between(name + ": mass balance", max(r.mass_balance_errors()), 0.0, 1e-6)
        # tolerances leave a part of the pore volume in each step; over the run it is carried on, and vanishes
        steps = [b - a for a, b in zip([0.0] + list(r.vector("TIME")), r.vector("TIME"))]
        out, gone = (sum(q * dt for q, dt in zip(r.vector(v), steps)) for v in ("FVPR", "FVIR"))
        checks.between(name + ": what goes in comes out", abs(out - gone), 0.0, 1e-3 * gone + 0.05)
        modes = {r.vector(v)[-1] for v in r.summary if v.startswith("WMCTL")}
        checks.true(name + ": a well holds the pressure", "BHP" in modes, modes)


BY_HAND = DECK % (5, 5, 1, 1, 0.0, 1.0, 1.0, 2.0, 0.2, "%s,\n%s") % (
    well("I", 1, 1, 'type = "injector"; control = "rate"; rate = 10.0; bhp = 1000.0;'),
    well("P", 5, 5, 'type = "producer"; control = "liquid-rate"; liquid_rate = 20.0; bhp = 100.0;'))


def storage(checks, where):
    """Compressible oil beside rock and water that are not gives the pressure a level: a producer without an injector makes its rate while
    that lasts, and what a deck with next to no compressibility of water makes."""
    text = DECK.replace("viscosity = %.3g; };", "viscosity = %.3g; reference_pressure = 200.0; compressibility = 1e-4; };")
    for rate in (0.02, 2.0, 50.0):
        alone = well("P", 3, 3, 'type = "producer"; control = "oil-rate"; oil_rate = %g; bhp = 50.0;' % rate)
        made = []
        for name, options in (("rigid", []), ("soft", ["fluids.water.compressibility=1e-12"])):
            options = options + ["fluids.water.reference_pressure=200.0", "timestep.max=1.0"]
            done = run(where, name, text % (5, 5, 2, 3, 1.0, 1.0, 1.1, 2.0, 0.2, alone), options)
            checks.true("storage, %g: %s runs" % (rate, name), done.returncode == 0, done.stderr[-400:])
            if done.returncode == 0:
                r = runs.Result(os.path.join(where, name), done.stdout, done.stderr)
                made.append(r.vector("FOPT")[-1])
                checks.between("storage, %g: mass balance of %s" % (rate, name), max(r.mass_balance_errors()), 0.0, 1e-6)
        if len(made) < 2:
            continue
        on = ["fluids.water.reference_pressure=200.0", "timestep.max=1.0"]
        run(where, "part", text % (5, 5, 2, 3, 1.0, 1.0, 1.1, 2.0, 0.2, alone), on + ["report.end=20.0"])
        done = run(where, "on", text % (5, 5, 2, 3, 1.0, 1.0, 1.1, 2.0, 0.2, alone), on, ["--restart", os.path.join(where, "part")])
        rows = [open(os.path.join(where, name + ".summary.csv")).read() for name in ("rigid", "on")]
        checks.true("storage, %g: a run that goes on" % rate, done.returncode == 0 and rows[0] == rows[1], done.stderr)
        checks.near("storage, %g: the same oil" % rate, made[0], made[1], 2e-3 * made[1])


def by_hand(checks, where):
    """10 go in, 20 are wanted: the producer makes 10 at its limit. With 30 injected the injector is at its limit."""
    tight = ["newton.tolerance_mb=1e-10"]
    for rate, made, mode in ((10.0, 10.0, ("RATE", "BHP")), (30.0, 20.0, ("BHP", "LRAT"))):
        name = "hand%g" % rate
        done = run(where, name, BY_HAND, ["wells.I.rate=%g" % rate] + tight)
        checks.true(name + " runs", done.returncode == 0, done.stderr[-400:])
        r = runs.Result(os.path.join(where, name), done.stdout, done.stderr)
        checks.near(name + ": produced", r.vector("FLPR")[-1], made, 1e-3 * made)
        checks.near(name + ": injected", r.vector("FWIR")[-1], made, 1e-3 * made)
        checks.true(name + ": controls", (r.vector("WMCTL:I")[-1], r.vector("WMCTL:P")[-1]) == mode, r.stdout)
        held = ("WBHP:P", 100.0) if mode[1] == "BHP" else ("WBHP:I", 1000.0)
        checks.near(name + ": " + held[0], r.vector(held[0])[-1], held[1], 1e-6 * held[1])


def refused(checks, where):
    same = ["wells.I.rate=20.0"]
    done = run(where, "same", BY_HAND, same)
    checks.true("rates that make up for each other are refused", done.returncode == 1 and "make up for each other" in done.stderr and
                "a compressibility, or a well the control bhp" in done.stderr, done.stderr)
    for advice in (["rock.compressibility=1e-5"], ["wells.P.control=bhp", 'wells.P.liquid_rate="none"']):
        done = run(where, "advice", BY_HAND, same + advice)
        checks.true("the advice works: %s" % advice, done.returncode == 0, done.stderr)


def main():
    checks = runs.Checks()
    with runs.folder() as where:
        storage(checks, where)
        by_hand(checks, where)
        refused(checks, where)
        random_decks(checks, where)
    return checks.result()


if __name__ == "__main__":
    sys.exit(main())
