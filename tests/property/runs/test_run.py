"""Properties of whole runs: symmetric decks give symmetric answers, a reservoir means
the same in every unit system and along every axis, and seeded random decks run to
their end with the mass balance closed and every number in its bounds."""
import os
import random
import sys

import runs

numpy = runs.numpy
FLUIDS = """
fluids = {
  water = { density = 1020.0; reference_pressure = 180.0; compressibility = 4.4e-5; viscosity = 0.5; };
  oil = { density = 850.0; reference_pressure = 180.0; compressibility = 1.2e-4; viscosity = 1.5; };
};
saturation = { model = "corey"; swc = 0.2; sor = 0.2; krw_max = 0.5; nw = 2.0; no = 2.0; pc_entry = 0.2; };
rock = { reference_pressure = 180.0; compressibility = 4.0e-5; };
initial = { datum_depth = 1800.0; datum_pressure = 180.0; contact_depth = 1900.0; };
report = { every = 100.0; end = 300.0; };
"""
TIGHT = ["newton.tolerance_cnv=1e-8", "newton.tolerance_mb=1e-12", "linear.tolerance=1e-8", "output.double=true",
         "newton.max_iterations=30"]


def run(deck, where, name, options=()):
    path = os.path.join(where, name + ".cfg")
    with open(path, "w") as f:
        f.write(deck)
    return runs.run(path, where, options, name=name, arguments=["--threads", "1", "--progress", "never"])


def well(name, i, j, text):
    return '{ name = "%s"; i = %d; j = %d; radius = 0.1; %s }' % (name, i, j, text)


INJECT = 'type = "injector"; control = "rate"; rate = 40.0; bhp = 400.0;'
PRODUCE = 'type = "producer"; control = "bhp"; bhp = 150.0;'


def symmetric(checks, where):
    """A five-spot on a square: the fields are unchanged by both mirrors and the transposition."""
    corners = ",\n".join(well("P%d%d" % (i, j), i, j, PRODUCE) for i in (1, 9) for j in (1, 9))
    deck = FLUIDS + """
grid = { size = [9, 9, 3]; dx = 20.0; dy = 20.0; dz = [3.0, 5.0, 4.0]; top = 1800.0; porosity = [0.2, 0.25, 0.15];
         permx = [50.0, 400.0, 120.0]; permz = 15.0; };
wells = (%s,
%s);
""" % (well("INJ", 5, 5, INJECT), corners)
    r = run(deck, where, "five_spot", TIGHT)
    for name, scale in (("sw", 1.0), ("pressure", 180e5)):
        field = r.field(name)
        spread = field.max() - field.min()
        checks.true("%s varies" % name, spread > 1e-3 * scale, spread)
        for what, image in (("i mirrored", field[:, :, ::-1]), ("j mirrored", field[:, ::-1, :]),
                            ("i and j exchanged", field.transpose(0, 2, 1))):
            checks.between("%s, %s: largest difference" % (name, what), abs(field - image).max() / scale, 0.0, 2e-7)
    rates = [r.vector("WOPR:P%d%d" % (i, j))[-1] for i in (1, 9) for j in (1, 9)]
    checks.between("the producers' rates differ by", (max(rates) - min(rates)) / max(rates), 0.0, 1e-6)


def along_each_axis(checks, where):
    """A row of cells along i or j; dx and dy change places. The wells stand upright in both."""
    answers = []
    for axis in ("i", "j"):
        n = 15
        size, sizes = ([n, 1, 1], (20.0, 30.0)) if axis == "i" else ([1, n, 1], (30.0, 20.0))
        deck = FLUIDS + """
grid = { size = [%d, %d, %d]; dx = %.1f; dy = %.1f; dz = 5.0; top = 1800.0; porosity = 0.2; permx = 200.0; };
wells = ( %s, %s );
""" % (*size, *sizes, well("INJ", 1, 1, INJECT), well("P", size[0], size[1], PRODUCE))
        r = run(deck, where, "row_" + axis, TIGHT)
        answers.append((r.field("sw").ravel(), r.field("pressure").ravel(), r.vector("FOPT")))
    for name, a, b, scale in zip(("sw", "pressure", "FOPT"), *answers, (1.0, 180e5, 1e4)):
        checks.between("along i and along j: %s differs by" % name, abs(a - b).max() / scale, 0.0, 1e-9)


def in_units(system):
    """One reservoir in the units of `system`; factors are SI over deck unit."""
    length, time, pressure, viscosity, perm, density, volume = {
        "metric": (1.0, 86400.0, 1e5, 1e-3, 9.869232667160e-16, 1.0, 1.0),
        "field": (0.3048, 86400.0, 6894.757293168, 1e-3, 9.869232667160e-16, 16.01846337, 0.158987294928),
        "lab": (0.01, 3600.0, 101325.0, 1e-3, 9.869232667160e-16, 1000.0, 1e-6),
        "si": (1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0)}[system]
    rate = volume / time
    values = dict(units=system, l=20.0 / length, h=5.0 / length, top=1800.0 / length, contact=1900.0 / length,
                  k=2e-13 / perm, rw=1020.0 / density, ro=850.0 / density, p=180e5 / pressure, cw=4.4e-10 * pressure,
                  co=1.2e-9 * pressure, cr=4e-10 * pressure, muw=5e-4 / viscosity, muo=1.5e-3 / viscosity,
                  pc=2e4 / pressure, rate=4e-4 / rate, pmax=400e5 / pressure, pmin=150e5 / pressure, r=0.1 / length,
                  end=3e7 / time, every=1e7 / time, first=86400.0 / time)
    return """
units = "%(units)s";
grid = { size = [6, 5, 2]; dx = %(l).17e; dy = %(l).17e; dz = %(h).17e; top = %(top).17e; porosity = 0.2;
         permx = %(k).17e; };
fluids = {
  water = { density = %(rw).17e; reference_pressure = %(p).17e; compressibility = %(cw).17e; viscosity = %(muw).17e; };
  oil = { density = %(ro).17e; reference_pressure = %(p).17e; compressibility = %(co).17e; viscosity = %(muo).17e; };
};
saturation = { model = "corey"; swc = 0.2; sor = 0.2; nw = 2.0; no = 2.0; pc_entry = %(pc).17e; };
rock = { reference_pressure = %(p).17e; compressibility = %(cr).17e; };
initial = { datum_depth = %(top).17e; datum_pressure = %(p).17e; contact_depth = %(contact).17e; };
wells = ( { name = "INJ"; i = 1; j = 1; radius = %(r).17e; type = "injector"; control = "rate"; rate = %(rate).17e;
            bhp = %(pmax).17e; },
          { name = "P"; i = 6; j = 5; radius = %(r).17e; type = "producer"; control = "bhp"; bhp = %(pmin).17e; } );
report = { every = %(every).17e; end = %(end).17e; };
timestep = { initial = %(first).17e; };
""" % values


def every_unit_system(checks, where):
    answers = {}
    for system in ("metric", "field", "lab", "si"):
        r = run(in_units(system), where, system, TIGHT)
        answers[system] = r.field("sw"), r.field("pressure")
        table = r.stdout.split("\n\n")[0].strip("\n").splitlines()
        checks.true("%s: the columns of the table line up" % system, len({len(line) for line in table}) == 1, r.stdout)
        checks.true("%s: numbers stand apart" % system, all(len(line.split()) == 9 for line in table[2:]), r.stdout)
    for system in ("field", "lab", "si"):
        for name, a, b, scale in zip(("sw", "pressure"), answers["metric"], answers[system], (1.0, 180e5)):
            checks.between("%s and metric: %s differs by" % (system, name), abs(a - b).max() / scale, 0.0, 1e-7)


def awkward_wells(checks, where):
    """Wells that cannot do what they are asked for, in two layers whose heads differ from the well's."""
    grid = """grid = { size = [6, 6, 2]; dx = 20.0; dy = 20.0; dz = 4.0; top = 1800.0; porosity = 0.2; permx = %s; };
wells = ( %s, %s );"""
    cases = (
        # name, permeability, injector, producer, more options
        ("ten darcy", "10000.0", INJECT.replace("40.0", "4.0"), PRODUCE, []),
        ("injector below the reservoir", "100.0", INJECT.replace("400.0", "100.0"), PRODUCE, []),
        ("oil wanted from water", "100.0", INJECT,
         'type = "producer"; control = "oil-rate"; oil_rate = 5.0; bhp = 120.0;', ["initial.contact_depth=1700.0"]),
        ("rates of zero", "100.0", 'type = "injector"; control = "rate"; rate = 0.0; bhp = 400.0;',
         'type = "producer"; control = "liquid-rate"; liquid_rate = 0.0; bhp = 100.0;', []),
        ("producer above the reservoir", "100.0", 'type = "injector"; control = "shut";',
         PRODUCE.replace("150.0", "250.0"), []),
    )
    for name, permeability, injector, producer, options in cases:
        deck = FLUIDS + grid % (permeability, well("INJ", 1, 1, injector), well("P", 6, 6, producer))
        r = run(deck, where, name.replace(" ", "_"), options)
        checks.near(name + ": runs to its end", r.times[-1], 300.0, 1e-6)
        checks.near(name + ": without a cut", sum(r.solver["cuts"]), 0.0, 0.5)
        checks.between(name + ": mass balance error", max(r.mass_balance_errors()), 0.0, 1e-6)
        # the pore volume is 11520 m3
        backwards = sum(r.vector(v)[-1] for v in ("WOPT:INJ", "WWPT:INJ", "WOIT:P", "WWIT:P"))
        checks.between(name + ": what goes the wrong way, in all", backwards, 0.0, 1e-2)
        if name == "ten darcy":
            checks.near(name + ": injection", r.vector("FWIT")[-1], 1200.0, 0.12)
        if name == "oil wanted from water":
            checks.true(name + ": the limit takes over", r.vector("WMCTL:P")[-1] == "BHP", r.vector("WMCTL:P"))
        if name in ("rates of zero", "producer above the reservoir"):
            checks.between(name + ": flow", r.vector("FLPT")[-1] + r.vector("FWIT")[-1], 0.0, 1e-2)


def random_deck(seed):
    """A small reservoir with a few wells; everything about it from the seed."""
    rng = random.Random(seed)
    n = [rng.randint(1, 8), rng.randint(1, 8), rng.randint(1, 4)]
    if n[0] * n[1] == 1:
        n[0] = 4
    columns = [(i, j) for i in range(1, n[0] + 1) for j in range(1, n[1] + 1)]
    rng.shuffle(columns)
    wells = []
    for w in range(min(len(columns), rng.randint(1, 5))):
        kind = rng.choice(["rate", "press", "bhp", "oil-rate", "liquid-rate", "reservoir-rate"])
        amount = 10.0 ** rng.uniform(-1.0, 2.0)
        text = {"rate": 'type = "injector"; phase = "%s"; control = "rate"; rate = %.4g; bhp = 350.0;'
                        % (rng.choice(["water", "water", "oil"]), amount),
                "press": 'type = "injector"; control = "bhp"; bhp = %.4g;' % rng.uniform(200.0, 320.0),
                "bhp": 'type = "producer"; control = "bhp"; bhp = %.4g;' % rng.uniform(60.0, 170.0)}.get(
                    kind, 'type = "producer"; control = "%s"; %s = %.4g; bhp = 50.0;'
                    % (kind, kind.replace("-", "_"), amount))
        wells.append(well("W%d" % w, *columns[w], text + " crossflow = %s;" % rng.choice(["true", "true", "false"])))
    events = ",\n".join('{ time = %.4g; well = "W%d"; status = "%s"; }'
                        % (rng.uniform(1.0, 200.0), rng.randrange(len(wells)), rng.choice(["shut", "open"]))
                        for _ in range(rng.randint(0, 3)))
    model = rng.choice(['model = "corey"; nw = 2.0; no = 3.0; krw_max = 0.4;',
                        'model = "let"; lw = 2.0; ew = 3.0; tw = 1.0; lo = 2.5; eo = 2.0; to = 1.0;',
                        'model = "brooks-corey"; lambda = 2.0; pc_max = 3.0;',
                        'model = "van-genuchten"; m = 0.6; pc_max = 3.0;'])
    return """
grid = { size = [%d, %d, %d]; dx = %.4g; dy = %.4g; dz = %.4g; top = 1800.0; porosity = %.3g;
         permx = { generator = "lognormal"; seed = %d; mean = %.4g; log_stddev = %.3g; correlation = [2.0, 2.0, 1.0]; };
         boxes = ( { multiply = { permz = %.3g; }; } ); };
fluids = {
  water = { density = %.5g; reference_pressure = 180.0; formation_volume_factor = 1.01; compressibility = 4.4e-5;
            viscosity = %.4g; };
  oil = { density = %.4g; reference_pressure = 180.0; formation_volume_factor = %.4g; compressibility = 1.2e-4;
          viscosity = %.4g; viscosibility = 1e-4; };
};
saturation = { %s swc = %.3g; sor = %.3g; pc_entry = %.3g; };
rock = { reference_pressure = 180.0; compressibility = %.3g; };
initial = { datum_depth = 1800.0; datum_pressure = 180.0; contact_depth = %.6g; };
wells = (
%s
);
schedule = ( %s );
report = { every = 60.0; end = 240.0; };
timestep = { initial = %.3g; };
linear = { method = "%s"; ordering = "%s"; };
""" % (*n, rng.uniform(10.0, 60.0), rng.uniform(10.0, 60.0), rng.uniform(2.0, 10.0), rng.uniform(0.08, 0.3), seed,
       10.0 ** rng.uniform(0.5, 3.0), rng.uniform(0.0, 1.5), 10.0 ** rng.uniform(-2.0, 0.0),
       rng.uniform(1000.0, 1100.0), rng.uniform(0.3, 1.0), rng.uniform(750.0, 930.0), rng.uniform(1.0, 1.3),
       10.0 ** rng.uniform(-0.5, 1.5), model, rng.uniform(0.0, 0.25), rng.uniform(0.0, 0.25),
       rng.choice([0.0, 0.1, 0.5]), 10.0 ** rng.uniform(-6.0, -4.0),
       rng.uniform(1795.0, 1860.0), ",\n".join(wells), events, rng.choice([0.5, 1.0, 10.0]),
       rng.choice(["bicgstab", "gmres", "tfqmr"]), rng.choice(["natural", "red-black"]))


def random_decks(checks, where, seeds):
    for seed in seeds:
        what = "random deck %d" % seed
        r = run(random_deck(seed), where, "random%d" % seed)
        checks.near(what + ": runs to its end", r.times[-1], 240.0, 1e-6)
        checks.between(what + ": mass balance error", max(r.mass_balance_errors()), 0.0, 1e-6)
        for name, column in r.summary.items():
            if isinstance(column, list):
                continue
            checks.true("%s: %s is finite" % (what, name), numpy.isfinite(column).all(), column)
            if name.split(":")[0][1:] in ("OPT", "WPT", "LPT", "OIT", "WIT"):
                rises = (numpy.diff(column) >= 0.0).all() and column[0] >= 0.0
                checks.true("%s: %s does not fall" % (what, name), rises, column)
        sw, p = r.field("sw"), r.field("pressure")
        checks.between(what + ": smallest saturation", sw.min(), 0.0, 1.0)
        checks.between(what + ": largest saturation", sw.max(), 0.0, 1.0)
        checks.between(what + ": lowest pressure", p.min(), 1e5, 1e8)
        checks.between(what + ": highest pressure", p.max(), 1e5, 1e8)


def turns(values, size):
    """The sixth largest turn back in the last 24 steps, as a share of `size`: what goes on, not what happens once."""
    v = values[-24:]
    back = sorted((min(abs(b - a), abs(c - b)) for a, b, c in zip(v, v[1:], v[2:]) if (b - a) * (c - b) < 0.0), reverse=True)
    return back[5] / size if len(back) > 5 else 0.0


CROSSFLOW = (8, 27, 109, 262, 587, 726, 832, 878)
MANY = ["timestep.accuracy=0", "timestep.initial=0.1", "newton.tolerance_cnv=1e-4", "newton.tolerance_mb=1e-9",
        "report.end=20.0"]


def flows(r):
    """(vector:well, rates, all that flows through the well [at most]) of a run."""
    for well in sorted({name.split(":")[1] for name in r.summary if ":" in name}):
        rates = {v: r.vector(v + ":" + well) for v in ("WOPR", "WWPR", "WOIR", "WWIR")}
        all_flow = sum(max(abs(x) for x in rate) for rate in rates.values())
        for vector, rate in rates.items() if all_flow > 0.0 else ():
            yield vector + ":" + well, rate, all_flow


def at_rest(checks, where):
    """Decks in which fluid crosses between layers in a well that hardly produces: its rates come to rest, to the same
    ones for longer and shorter steps."""
    for seed in CROSSFLOW[::runs.every(1, 4)]:
        resting = []
        for most in (0.5, 0.25):
            r = run(random_deck(seed), where, "crossflow%d" % seed,
                    MANY + ["timestep.max=%g" % most, "report.every=%g" % most])
            rates = {}
            for name, rate, all_flow in flows(r):
                what = "crossflow %d, steps of %g day: %s" % (seed, most, name)
                checks.between(what + " turns back by", turns(rate, all_flow), 0.0, 0.1)
                late = rate[-int(4.0 / most):]
                rates[name] = sum(late) / len(late) / all_flow
            resting.append(rates)
        for name in resting[0]:
            checks.near("crossflow %d: %s by steps of half the length" % (seed, name), resting[0][name], resting[1][name],
                        0.04)


def count_turns(where, seeds):
    """Random decks in steps of half a day: how many have rates that turn back for good, by how much of a well's flow."""
    turned = {}
    for seed in seeds:
        r = run(random_deck(seed), where, "turns%d" % seed, MANY + ["timestep.max=0.5", "report.every=0.5"])
        turned[seed] = max([turns(rate, all_flow) for _, rate, all_flow in flows(r)], default=0.0)
    more = {seed: by for seed, by in turned.items() if by > 0.01}
    print("%d of %d decks turn back by more than 1 %%: %s" %
          (len(more), len(turned), ", ".join("%d by %.1f %%" % (s, 100.0 * by) for s, by in more.items()) or "none"))


def main():
    checks = runs.Checks()
    with runs.folder() as where:
        if sys.argv[1:2] == ["turns"]:  # python3 tests/property/runs/test_run.py turns FIRST LAST
            count_turns(where, range(int(sys.argv[2]), int(sys.argv[3]) + 1))
            return 0
        if len(sys.argv) > 1:  # python3 tests/property/runs/test_run.py FIRST LAST
            random_decks(checks, where, range(int(sys.argv[1]), int(sys.argv[2]) + 1))
            return checks.result()
        symmetric(checks, where)
        along_each_axis(checks, where)
        every_unit_system(checks, where)
        awkward_wells(checks, where)
        at_rest(checks, where)
        random_decks(checks, where, range(1, 31, runs.every(1, 8)))
    return checks.result()


if __name__ == "__main__":
    sys.exit(main())
