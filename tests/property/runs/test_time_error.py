"""The error in time that a run corrects and what it says is left of it, beside the true ones: the same deck with steps of a
quarter and an eighth, extrapolated to none. Eleven decks: bundled ones, and small ones with a front, depletion, wells that change,
gravity (each third of them; HEPTA_TEST_EVERY=1: all). What is left is no more than the run says; the correction is the error
within a factor of 2 wherever that is above a twentieth of a percent; halved steps leave a quarter; saturations stay within their
ends, and volumes are conserved. What is told of random decks holds, too."""
import math
import os
import re
import sys

import numpy

import random_decks
import runs

LARGEST = 0.01   # of a total
LEAST = 5e-4     # an error below is as good as none
TRACE = 1e-3     # of all that is produced: a total below is not looked at
MOST_STEPS = 400 # of a random deck
RANDOM = (1, 4, 11, 12, 28, 31, 36, 55, 67, 82, 160)
# Not looked at: wells that economic limits close in other of the short steps; two fluids, and an order below 1 (method.md).
OTHER = (114, 198, 252)

# A field in layers: an injector in a corner, a producer across, one that opens later.
LAYERS = """
units = "metric";
grid = { size = [20, 20, 3]; dx = 30.0; dy = 30.0; dz = 5.0; top = 1800.0; porosity = [0.2, 0.24, 0.18];
         permx = %s; permz = 20.0; };
%s
initial = { datum_depth = 1800.0; datum_pressure = 180.0; contact_depth = %g; };
wells = ( { name = "INJ"; type = "injector"; i = 1; j = 1; radius = 0.1; control = "%s"; rate = %g; bhp = %g; },
          { name = "P1"; type = "producer"; i = 20; j = 20; radius = 0.1; control = "bhp"; bhp = 140.0; },
          { name = "P2"; type = "producer"; i = 20; j = 1; radius = 0.1; control = "liquid-rate"; liquid_rate = 60.0;
            bhp = 100.0; status = "%s"; } );
%s
report = { every = 100.0; end = 1500.0; };
"""
# One cell that is emptied through a well: exponential decline.
TANK = """
units = "metric";
grid = { size = [1, 1, 1]; dx = 200.0; dy = 200.0; dz = 20.0; top = 2000.0; porosity = 0.25; permx = 5.0; };
%s
initial = { datum_depth = 2000.0; datum_pressure = 250.0; contact_depth = 2500.0; };
wells = ( { name = "P"; type = "producer"; i = 1; j = 1; radius = 0.1; control = "bhp"; bhp = 120.0; } );
report = { every = 20.0; end = 200.0; };
timestep = { initial = 5.0; max = 10.0; };
""" % runs.FLUIDS
# Water into rock that nothing leaves: the well takes less and less. The steps may be much longer than the deck's first.
FILLING = """
units = "metric";
grid = { size = [31, 31, 1]; dx = 20.0; dy = 20.0; dz = 10.0; top = 2000.0; porosity = 0.25; permx = 20.0; };
%s
initial = { datum_depth = 2000.0; datum_pressure = 200.0; contact_depth = 2003.0; };
wells = ( { name = "I"; type = "injector"; i = 16; j = 16; radius = 0.1; control = "bhp"; bhp = 300.0; rate = 1e6; } );
report = { every = 50.0; end = 100.0; };
timestep = { initial = 0.01; };
""" % runs.FLUIDS
EVENTS = """schedule = ( { time = 300.0; well = "P2"; status = "open"; }, { time = 700.0; well = "INJ"; rate = 300.0; },
                         { time = 1000.0; well = "P1"; bhp = 110.0; } );"""


LOGNORMAL = """{ generator = "lognormal"; seed = 7; mean = 200.0; log_stddev = 1.2; correlation = [4.0, 4.0, 1.0]; }"""


def layers(contact=1900.0, control="rate", rate=450.0, bhp=400.0, second="open", schedule="",
           rock="[300.0, 60.0, 150.0]"):
    return LAYERS % (rock, runs.FLUIDS, contact, control, rate, bhp, second, schedule)


# name, deck (a bundled one by its name), overrides
CASES = [("quarter_five_spot", None, []),
         ("schedule", None, []),
         ("FIVE_SPOT.DATA", None, []),
         ("buckley_leverett", None, ["timestep.max=20.0"]),
         ("layers", layers(), []),
         ("layers at pressures", layers(control="bhp", rate=1e5, bhp=230.0), []),
         ("layers with events", layers(second="shut", schedule=EVENTS), []),
         ("lognormal layers", layers(rock=LOGNORMAL), []),
         ("water below", layers(contact=1808.0), []),
         ("tank", TANK, []),
         ("filling", FILLING, [])]

REPORTED = re.compile(r"^Error in time: within about (.*) (?:produced|injected), after a correction of (.*)$", re.M)


def reported(run, checks, what):
    """The error left, and the correction, of each phase, relative, as the run reports them."""
    found = REPORTED.search(run.stdout)
    checks.true(what + ": reported", found is not None, run.stdout[-600:])
    return tuple({phase: 0.01 * float(value) for value, phase in re.findall(r"([-+0-9.e]+) % of (oil|water)", text)}
                 for text in (found.groups() if found else ("", "")))


def totals(run):
    """Volume produced or, where nothing was, injected."""
    made = {"oil": float(run.vector("FOPT")[-1]), "water": float(run.vector("FWPT")[-1])}
    return made if any(made.values()) else {"oil": 0.0, "water": float(run.vector("FWIT")[-1])}


def start(case, deck, where, more):
    base = os.path.join(where, "run")
    sets = [a for o in case + more + ["output.fields=false"] for a in ("--set", o)]
    done = runs.hepta("run", deck, "-o", base, "--progress", "never", *sets)
    if done.returncode != 0:
        print(done.stderr)
    return done, base


class Totals:
    def __init__(self, done, base):
        self.stdout, self.summary = done.stdout, runs.read_csv(base + ".summary.csv")
        self.balance = {m[0]: abs(float(m[1])) for m in re.findall(r"^  (oil|water) .* (\S+)$", done.stdout, re.M)}

    def vector(self, name):
        return self.summary[name]


def run(deck, where, options, more, checks, what):
    done, base = start(options, deck, where, more)
    checks.true(what + ": runs", done.returncode == 0, done.stderr)
    return Totals(done, base)


def look(checks, where, name, text, options):
    if text is None or "\n" not in text:
        deck = runs.deck(text or name)
    else:
        deck = os.path.join(where, "deck.cfg")
        with open(deck, "w") as f:
            f.write(text)
    usual = run(deck, where, options, [], checks, name)
    (left, correction), made = reported(usual, checks, name), totals(usual)
    steps, end = len(usual.vector("TIME")), float(usual.vector("TIME")[-1])
    fine = []
    for parts in (4, 8):
        longest = end / steps / parts
        fine.append(totals(run(deck, where, options,
                               ["timestep.accuracy=0", "timestep.max=%.6g" % longest, "timestep.initial=%.6g" %
                                (0.25 * longest), "newton.tolerance_cnv=1e-3"], checks, name + " in short steps")))
    for phase in ("oil", "water"):
        limit = 2.0 * fine[1][phase] - fine[0][phase]
        if limit <= TRACE * sum(fine[1].values()):
            continue
        true, before = made[phase] / limit - 1.0, made[phase] * (1.0 - correction.get(phase, 0.0)) / limit - 1.0
        print("%-22s %-5s %4d steps: within %.4f %%, true %+.4f %%; corrected by %+.4f %%, true error before %+.4f %%" % (
            name, phase, steps, 100.0 * left.get(phase, 0.0), 100.0 * true, 100.0 * correction.get(phase, 0.0),
            100.0 * before))
        checks.true("%s: %s within what is said" % (name, phase), abs(true) <= left.get(phase, 0.0) + 0.5 * LEAST,
                    (left, true))
        if text in (None, FILLING):
            checks.true("%s: %s within 1 %%" % (name, phase), abs(true) <= LARGEST, true)
        if abs(before) >= LEAST:
            checks.true("%s: %s is corrected" % (name, phase), 0.5 <= -correction.get(phase, 0.0) / before <= 2.0,
                        (correction, before))
    for phase, error in usual.balance.items():
        checks.true("%s: %s is conserved" % (name, phase), error < 1e-6, error)


def order(checks, where):
    """Halved steps: the error falls by 2 without a correction, by 4 with it."""
    made = []
    for parts in (1, 2, 4, 16):
        options = ["report.end=300", "timestep.accuracy=1", "timestep.max=%g" % (16.0 / parts), "timestep.initial=%g" %
                   (0.8 / parts), "timestep.target_newton=100", "newton.tolerance_cnv=1e-4", "linear.tolerance=1e-4"]
        done = run(runs.deck("quarter_five_spot"), where, options, [], checks, "steps / %d" % parts)
        _, correction = reported(done, checks, "steps / %d" % parts)
        made.append((totals(done)["oil"], totals(done)["oil"] * (1.0 - correction["oil"])))
    error = [[abs(row[n] - made[-1][0]) for row in made[:-1]] for n in range(2)]
    orders = [[math.log2(e[k] / e[k + 1]) for k in range(2)] for e in error]
    print("halved steps: errors of oil corrected %s, before %s sm3: orders %s, %s" % (
        *(" ".join("%.3g" % v for v in e) for e in error), *(" ".join("%.2f" % v for v in o) for o in orders)))
    checks.true("second order", min(orders[0]) > 1.5, orders)
    checks.true("of first order before", 0.7 < min(orders[1]) and max(orders[1]) < 1.3, orders)


def ends(checks, where):
    r = runs.run("quarter_five_spot", where, [], "ends")
    for report in range(len(r.steps)):
        sw = r.field("sw", report)
        checks.true("saturations within their ends", 0.195 <= sw.min() and sw.max() <= 0.805,
                    (report, sw.min(), sw.max()))


def fields(checks, where):
    """Saturations of cells beside those by short steps, on average: nearer with the correction."""
    reports = ["report.every=200", "report.end=400", "output.double=true"]
    short, plain, usual = (runs.run("quarter_five_spot", where, reports + more, name) for name, more in (
        ("short", ["timestep.accuracy=1", "timestep.max=1", "timestep.initial=0.1"]), ("plain", ["timestep.accuracy=0"]), ("usual", [])))
    for report in (1, 2):
        before, after = (numpy.abs(r.field("sw", report) - short.field("sw", report)).mean() for r in (plain, usual))
        print("day %g: mean error of saturations %.4f, corrected %.4f" % (short.times[report], before, after))
        checks.true("fields are corrected", after < 0.5 * before, (before, after))


def random_totals(checks, where):
    """Totals are within what is told where events, switches of controls and aquifers turn rates, against steps of a twelfth; what
    steps of a sixth differ by from these is no error of the run. HEPTA_TEST_EVERY=1: all of 300 decks."""
    seeds = RANDOM if runs.every(2, 2) > 1 else [seed for seed in range(1, 301) if seed not in OTHER]
    for seed in seeds:
        path, runs_of = os.path.join(where, "random.cfg"), []
        with open(path, "w") as f:
            f.write(random_decks.Deck(seed).text.replace('units = "metric"; restart', "restart"))
        usual = run(path, where, [], [], checks, "random %d" % seed)
        steps = len(usual.vector("TIME"))
        if steps > MOST_STEPS or not (usual.vector("FOPT")[-1] > 0.0 or usual.vector("FWPT")[-1] > 0.0):
            continue
        for parts in (6, 12):
            longest = float(usual.vector("TIME")[-1]) / steps / parts
            more = ["timestep.accuracy=1", "timestep.max=%g" % longest, "timestep.initial=%g" % (0.1 * longest)]
            runs_of.append(totals(run(path, where, [], more, checks, "random %d" % seed)))
        left, _ = reported(usual, checks, "random %d" % seed)
        for phase, made in totals(usual).items():
            error, doubt = abs(runs_of[1][phase] - made), abs(runs_of[1][phase] - runs_of[0][phase])
            if made > TRACE * sum(usual.vector(name)[-1] for name in ("FOPT", "FWPT", "FOIT", "FWIT")):
                checks.true("random %d: %s within what is said" % (seed, phase),
                            error <= (left.get(phase, 0.0) + LEAST) * made + doubt, (left, error / made, doubt / made))
    checks.true("next to nothing is left out", "% of oil" not in found_text(where, 2), 2)


def found_text(where, seed):
    """The words of a random deck's run."""
    path = os.path.join(where, "trace.cfg")
    with open(path, "w") as f:
        f.write(random_decks.Deck(seed).text)
    return REPORTED.search(start([], path, where, [])[0].stdout).group(0)


def stops(checks, where):
    """The fields of a run whose step fails have the correction of its totals: the bits of a run that ends there."""
    text = layers(second="shut", schedule='schedule = ( { time = 95.0; well = "INJ"; rate = 30000.0; bhp = 3000.0; } );')
    path, base, states = os.path.join(where, "stops.cfg"), os.path.join(where, "stops"), []
    with open(path, "w") as f:
        f.write(text)
    options = ["timestep.max=10", "newton.max_iterations=5", "timestep.max_cuts=1", "output.double=true"]
    for more, code in ([], 1), (["report.end=95"], 0):
        done = runs.hepta("run", path, "-o", base, *[a for o in options + more for a in ("--set", o)])
        checks.true("a step fails: code %d" % code, done.returncode == code, (done.returncode, done.stderr[-600:]))
        with runs.h5py.File(base + ".h5", "r") as f:
            last = f["steps/%06d" % f["step"][-1]]
            states.append((f["time"][-1], last["pressure"][()].tobytes(), last["sw"][()].tobytes()))
    checks.true("fields of day 95", states[0] == states[1], (states[0][0], states[1][0]))


def main():
    checks = runs.Checks()
    with runs.folder() as where:
        for name, text, options in CASES[::runs.every(3, 3)]:
            look(checks, where, name, text, options)
        order(checks, where)
        ends(checks, where)
        fields(checks, where)
        stops(checks, where)
        random_totals(checks, where)
        # tighter: less error, for more steps; none: nothing is reported, the steps of the iterations alone
        loose = run(runs.deck("quarter_five_spot"), where, [], ["timestep.accuracy=0.005"], checks, "loose")
        tight = run(runs.deck("quarter_five_spot"), where, [], ["timestep.accuracy=0.0005"], checks, "tight")
        errors = [abs(reported(r, checks, "accuracy")[1]["oil"]) for r in (loose, tight)]
        checks.true("accuracy counts", errors[1] < 0.5 * errors[0], errors)
        still = run(runs.deck("gravity_capillary"), where, [], ["report.end=100"], checks, "without wells")
        checks.true("nothing to report", "Error in time: nothing flowed through wells" in still.stdout, still.stdout[-600:])
        none = run(runs.deck("quarter_five_spot"), where, [], ["timestep.accuracy=0"], checks, "none")
        checks.true("not estimated", "Error in time: not estimated" in none.stdout, none.stdout[-600:])
    sys.exit(checks.result())


main()
