"""A shorter time step is never less accurate. Thirty decks with a producer near a water contact, where heads of a tenth of a bar
decide which phase flows where, and bundled decks, each at steps that are halved down to 0.1 days: totals come nearer to their
limit with each halving, or stay within 0.1 % of it, a run with tight tolerances gives the same, and no error is more than 0.1 %
larger than the run says that is left. The error that a run estimates, its correction, is the true one of its steps within a factor
of 2, or to 0.01 %. By default one deck in ten, and each second halving."""
import os
import random
import re
import sys

import runs

STEPS = [1.6, 0.8, 0.4, 0.2, 0.1]
NEAR = 1e-3   # of what is produced of the phase, or
LEAST = 1e-2  # of this share of all that is produced, if that is more
NONE = 1e-4   # an error below is as good as none
TIGHT = ["newton.tolerance_cnv=1e-6", "newton.tolerance_mb=1e-10", "newton.tolerance_flow=1e-4", "linear.tolerance=1e-4"]

DECK = """
units = "metric";
grid = { size = [%(nx)d, %(ny)d, %(nz)d]; dx = 50.0; dy = 50.0; dz = %(dz)g; top = 2000.0; porosity = 0.2; permx = %(permx)s;
         boxes = ( { multiply = { permz = %(permz)g; }; } ); };
fluids = { water = { density = %(rho_w)g; reference_pressure = 200.0; formation_volume_factor = 1.01; compressibility = 4.5e-5;
                     viscosity = 0.5; };
           oil = { density = %(rho_o)g; reference_pressure = 200.0; formation_volume_factor = 1.05; compressibility = %(c_o)g;
                   viscosity = %(mu_o)g; }; };
saturation = { model = "corey"; swc = %(swc)g; sor = %(sor)g; krw_max = %(krw)g; nw = %(nw)g; no = %(no)g; };
rock = { reference_pressure = 200.0; compressibility = %(c_r)g; };
initial = { datum_depth = 2000.0; datum_pressure = 200.0; contact_depth = %(contact)g; };
wells = ( %(wells)s );
%(aquifers)s
report = { every = 60.0; end = 60.0; };
"""
PRODUCER = """{ name = "P"; type = "producer"; i = %d; j = %d; k = [1, %d]; radius = 0.1; control = "%s"; %s = %g; bhp = 60.0; }"""
EMPTIES = """, { name = "Q"; type = "producer"; i = 1; j = 1; k = 2; radius = 0.1; control = "bhp"; bhp = 100.0; }"""
INJECTOR = """, { name = "I"; type = "injector"; i = 1; j = 1; k = [%d, %d]; radius = 0.1; control = "rate"; rate = %g; bhp = 400.0; }"""
AQUIFER = """aquifers = ( { type = "carter-tracy"; datum_depth = %g; permeability = 400.0; porosity = 0.25; compressibility = 9e-5;
                            radius = 1000.0; thickness = 20.0; angle = 180.0; faces = ( { i = 1; face = "i-"; } ); } );"""
LOGNORMAL = """{ generator = "lognormal"; seed = %d; mean = %g; log_stddev = %g; correlation = [3.0, 3.0, 1.0]; }"""


def contact_deck(seed):
    r = random.Random(seed)
    nx, ny, nz, dz = r.choice([6, 8, 10]), r.choice([5, 7, 9]), r.choice([3, 4, 6]), r.choice([2.0, 4.0, 8.0])
    contact = 2000.0 + dz * (nz - r.choice([0.5, 1.0, 1.5, 2.0]))
    mean = 10.0 ** r.uniform(1.0, 3.3)
    rate = 0.2 * r.choice([1e-4, 3e-4, 6e-4]) * nx * ny * nz * 2500.0 * dz * 0.2
    control = r.choice(["oil-rate", "liquid-rate"])
    wells = PRODUCER % (nx // 2, ny // 2, r.choice([1, 2]), control, control.replace("-", "_"), rate)
    if r.random() < 0.3:
        wells += INJECTOR % (nz - 1, nz, rate * r.choice([0.5, 1.0]))
    return DECK % {"nx": nx, "ny": ny, "nz": nz, "dz": dz, "contact": contact, "wells": wells,
                   "permx": LOGNORMAL % (seed, mean, r.uniform(0.3, 1.5)) if r.random() < 0.5 else "%g" % mean,
                   "permz": r.choice([0.1, 0.3, 1.0]), "aquifers": AQUIFER % contact if r.random() < 0.5 else "",
                   "rho_w": r.uniform(1000.0, 1100.0), "rho_o": r.uniform(750.0, 950.0), "mu_o": 10.0 ** r.uniform(-0.3, 1.3),
                   "c_o": 10.0 ** r.uniform(-5.0, -3.5), "c_r": 10.0 ** r.uniform(-5.5, -3.5), "swc": r.uniform(0.1, 0.25),
                   "sor": r.uniform(0.15, 0.3), "krw": r.uniform(0.3, 0.8), "nw": r.uniform(1.5, 4.0), "no": r.uniform(1.5, 4.0)}


def crossflow_deck(seed):
    """A producer through six layers that nothing else connects; another one empties the second."""
    r = random.Random(seed)
    nx, ny, dz = r.choice([6, 8, 10]), r.choice([5, 7, 9]), r.choice([2.0, 4.0, 8.0])
    layers = ", ".join("%.3f" % 10.0 ** r.uniform(0.5, 3.3) for _ in range(6))
    rate = nx * ny * dz * r.choice([0.05, 0.3, 0.6])
    wells = PRODUCER % (nx // 2, ny // 2, 6, "oil-rate", "oil_rate", rate) + EMPTIES
    return DECK % {"nx": nx, "ny": ny, "nz": 6, "dz": dz, "contact": 2000.0 + dz * r.choice([3.5, 4.5, 5.5, 8.0]), "wells": wells,
                   "permx": "[%s]" % layers, "permz": 0.0, "aquifers": "", "rho_w": 1050.0, "rho_o": 850.0, "mu_o": 2.0,
                   "c_o": 10.0 ** r.uniform(-5.0, -3.5), "c_r": 10.0 ** r.uniform(-5.5, -3.8), "swc": 0.2, "sor": 0.2,
                   "krw": 0.5, "nw": r.uniform(1.5, 4.0), "no": r.uniform(1.5, 4.0)}


# name, overrides: so far that a run at the shortest steps takes seconds
BUNDLED = [("quarter_five_spot", ["report.end=60"]), ("schedule", ["report.end=60"]), ("buckley_leverett", ["report.end=60"]),
           ("aquifer_fault", ["report.end=120"]), ("gravity_capillary", ["report.end=60"]),
           ("horizontal_deviated", ["report.end=60"]), ("FIVE_SPOT.DATA", ["report.end=60"]),
           ("five_spot_channels", ["report.end=5"]), ("five_spot_lognormal", ["report.end=5"]), ("spe10_class", ["report.end=5"])]
CONTACTS = 30


def start(deck, where, sets, checks, what):
    """Volumes produced (or, where nothing is, injected), errors in time by phase as the run tells them, corrections [m3]."""
    base = os.path.join(where, "run")
    words = [a for o in sets + ["output.fields=false"] for a in ("--set", o)]
    done = runs.hepta("run", deck, "-o", base, "--progress", "never", *words)
    checks.true(what + ": runs", done.returncode == 0, done.stderr)
    if done.returncode != 0:
        return None, {}, None
    summary = runs.read_csv(base + ".summary.csv")
    made = [float(summary[v][-1]) for v in ("FOPT", "FWPT")]
    said = re.search(r"within about (.*) (?:produced|injected), after", done.stdout)
    told = dict((phase, 0.01 * float(value)) for value, phase in re.findall(r"([0-9.e+-]+) % of (oil|water)", said.group(1) if said else ""))
    solver = runs.read_csv(base + ".solver.csv")
    corrections = [float(solver["correction_" + phase][-1]) for phase in ("oil", "water")]
    return made if any(made) else [0.0, float(summary["FWIT"][-1])], told, corrections


def look(checks, where, name, deck, more, steps):
    at, errors_told, corrections = [], [], []
    for step in steps:
        made, told, corrected = start(deck, where, more + ["timestep.accuracy=1", "timestep.initial=0.1", "timestep.max=%g" % step],
                                      checks, "%s, %g days" % (name, step))
        if made is None:
            return
        at.append(made)
        errors_told.append(told)
        corrections.append(corrected)
    tight, *_ = start(deck, where, more + TIGHT + ["timestep.accuracy=1", "timestep.initial=0.1", "timestep.max=%g" % steps[-1]],
                     checks, name + ", tight")
    for a, phase in enumerate(("oil", "water")):
        size = max(at[-1][a], LEAST * sum(at[-1]))
        if size == 0.0:  # nothing flows through wells
            continue
        ratio = steps[-2] / steps[-1]
        limit = (ratio * at[-1][a] - at[-2][a]) / (ratio - 1.0)
        errors = [(made[a] - limit) / size for made in at]
        says = [told.get(phase, 0.0) * made[a] / size for told, made in zip(errors_told, at)]
        print("%-20s %-5s errors %s %%, told %s %%, tight %+.4f %%" %
              (name, phase, " ".join("%+.4f" % (100.0 * e) for e in errors), " ".join("%+.4f" % (100.0 * e) for e in says),
               100.0 * (at[-1][a] - tight[a]) / size))
        for n in range(1, len(steps)):
            checks.true("%s: %s, %g days are not less accurate than %g" % (name, phase, steps[n], steps[n - 1]),
                        abs(errors[n]) <= max(NEAR, abs(errors[n - 1])), errors)
        checks.near("%s: %s as with tight tolerances" % (name, phase), at[-1][a] / size, tight[a] / size, NEAR)
        for told, error in zip(says, errors):
            checks.true("%s: %s, told" % (name, phase), abs(error) <= told + NEAR, (told, error))
        before = [error - c[a] / size for error, c in zip(errors, corrections)]
        print("%-20s %-5s before the correction %s %%" % (name, phase, " ".join("%+.4f" % (100.0 * e) for e in before)))
        for one, error in zip(before, errors):
            checks.true("%s: %s, corrected" % (name, phase), abs(error) <= max(NONE, 0.5 * abs(one)), (one, error))


def check_said(checks, where):
    """A run that would take hundreds of thousands of steps says so once, and one that would not says nothing."""
    short = ["timestep.initial=1e-6", "timestep.min=1e-9", "timestep.growth=1.002", "output.fields=false", "report.every=2.0",
             "report.end=2.0"]
    deck = os.path.join(where, "few.cfg")
    with open(deck, "w") as f:
        f.write(contact_deck(0))
    for options, times in ((short, 1), (short[3:], 0)):
        r = runs.run(deck, where, options)
        said = (r.stdout + r.stderr).count("time steps in a row were so short")
        checks.true("said %d times" % times, said == times, (said, options))


def alternation(rates, controls):
    """The largest part of a rate by which four in a row lie in turn above and below the mean of their neighbours, under one control."""
    one = [len(set(controls[max(0, n - 3):n + 4])) == 1 for n in range(1, len(rates) - 1)]
    off = [(b - 0.5 * (a + c)) / b if b != 0.0 and same else 0.0 for a, b, c, same in zip(rates, rates[1:], rates[2:], one)]
    return max(min(map(abs, four)) if all(a * b < 0.0 for a, b in zip(four, four[1:])) else 0.0 for four in zip(off, off[1:], off[2:], off[3:]))


def check_rates(checks, where):
    """Reported rates do not alternate from step to step, whatever the solve of the error in time leaves over."""
    decks = [("contact %d" % seed, contact_deck(seed)) for seed in (9, 11, 12, 14, 17)]
    decks += [("crossflow %d" % seed, crossflow_deck(seed)) for seed in range(12)]
    for name, text in decks:
        deck = os.path.join(where, "rates.cfg")
        with open(deck, "w") as f:
            f.write(text)
        for step in (0.1, 0.25, 0.5)[::runs.every(2, 3)]:
            r = runs.run(deck, where, ["timestep.accuracy=1", "timestep.initial=%g" % step, "timestep.max=%g" % step, "output.fields=false",
                                       "linear.preconditioner=dilu", "report.every=30.0", "report.end=30.0"])
            table = runs.read_csv(r.base + ".summary.csv")
            rates = {v: [float(q) for q in table[v]][len(table[v]) // 10:] for v in table if v.startswith(("WOPR:", "WWPR:", "WWIR:"))}
            least = 0.01 * max(sum(q) / len(q) for q in rates.values())
            worst = max((alternation(q, list(table["WMCTL" + v[4:]])[-len(q):]), v) for v, q in rates.items() if min(q) > least)
            print("%-12s %.2g days: %s alternates by %.3f %%" % (name, step, worst[1], 100.0 * worst[0]))
            checks.true("%s, %g days: %s" % (name, step, worst[1]), worst[0] < 0.005, worst[0])


def check_crossflow(checks, where):
    """The correction includes what mixtures and heads change by in a step: totals of steps of a day are off by 0.03 to 0.12 % without."""
    deck, tight = os.path.join(where, "crossflow.cfg"), ["linear.preconditioner=cpr", "linear.tolerance=1e-4", "newton.tolerance_flow=1e-4"]
    for seed, phase, most in ((2, 1, 3e-4), (4, 0, 1e-4), (5, 0, 5e-5)):
        with open(deck, "w") as f:
            f.write(crossflow_deck(seed))
        at = [start(deck, where, tight + ["timestep.accuracy=1", "timestep.initial=%g" % step, "timestep.max=%g" % step], checks, "crossflow")
              for step in (1.0, 0.125)]
        made = [totals[phase] for totals, *_ in at]
        print("crossflow %d: steps of a day are off by %.4f %%" % (seed, 100.0 * abs(made[0] - made[1]) / made[1]))
        checks.near("crossflow %d: steps of a day" % seed, made[0], made[1], most * made[1])


def main():
    checks = runs.Checks()
    n = runs.every(10, 30)
    steps = STEPS if n == 1 else STEPS[::2]
    with runs.folder() as where:
        check_said(checks, where)
        check_rates(checks, where)
        check_crossflow(checks, where)
        for seed in range(CONTACTS)[2::n]:
            deck = os.path.join(where, "contact%d.cfg" % seed)
            with open(deck, "w") as f:
                f.write(contact_deck(seed))
            look(checks, where, "contact %d" % seed, deck, [], steps)
        for name, more in BUNDLED[::n]:
            look(checks, where, name, runs.deck(name), more, steps)
    sys.exit(checks.result())


main()
