"""Economics: net present values against the closed formula of constant rates, costs of wells when they open, units, ends at a loss;
economic limits of groups (GECON, groups[].min_oil_rate, ...) and ends of runs by them; the same bits after a restart, and in decks
that are written anew."""
import math
import os
import sys

import flow
import restarts
import runs

checks = runs.Checks()
YEAR = 365.25
BASE = """title = "money"; units = "%s"; start = "2020-01-01";
grid = { size = [6, 6, 1]; dx = "60 m"; dy = "60 m"; dz = "10 m"; top = "2000 m"; porosity = 0.2; permx = 500.0; };
fluids = { water = { density = "1000 kg/m3"; reference_pressure = "200 bar"; compressibility = "4e-5 1/bar"; viscosity = 0.5; };
           oil = { density = "850 kg/m3"; reference_pressure = "200 bar"; compressibility = "1e-4 1/bar"; viscosity = 1.0; }; };
saturation = { model = "corey"; swc = 0.2; sor = 0.2; krw_max = 0.5; };
rock = { reference_pressure = "200 bar"; compressibility = "5e-5 1/bar"; };
initial = { datum_depth = "2000 m"; datum_pressure = "200 bar"; contact_depth = "2100 m"; };
wells = (
  { name = "I"; type = "injector"; i = 1; j = 1; radius = "0.1 m"; control = "rate"; rate = "20 sm3/day"; bhp = "600 bar"; },
  { name = "P1"; type = "producer"; i = 6; j = 6; radius = "0.1 m"; control = "oil-rate"; oil_rate = "12 sm3/day"; bhp = "50 bar"; group = "G"; },
  { name = "P2"; type = "producer"; i = 6; j = 1; radius = "0.1 m"; control = "oil-rate"; oil_rate = "8 sm3/day"; bhp = "50 bar"; group = "G"; status = "shut"; } );
groups = ( { name = "G"; } );
schedule = ( { time = 200.0; well = "P2"; status = "open"; } );
report = { every = 100.0; end = 800.0; };
"""
MONEY = "economics = { oil_price = %s; oil_cost = %s; injection_cost = %s; fixed_cost = 500.0; well_cost = 1e6; discount_rate = 0.1; };\n"
FIVE = runs.deck("FIVE_SPOT.DATA")


def discount(t, rate):
    return (1 + rate) ** (-t / YEAR)


def annuity(a, b, rate):
    """The value at time zero of 1 a day from a to b."""
    return (discount(a, rate) - discount(b, rate)) * YEAR / math.log(1 + rate) if rate else b - a


def written(where, name, text):
    path = os.path.join(where, name)
    with open(path, "w") as f:
        f.write(text)
    return path


def run(where, name, text, options=(), arguments=()):
    return runs.run(written(where, name + ".cfg", text), where, name=name, options=options, arguments=arguments)


def expected(t, rate, price=400.0, lift=60.0, inject=4.0, fixed=500.0, well=1e6):
    """Nothing but constant rates: 12 sm3/day of oil from time zero on, 8 more from day 200 on."""
    oil = price - lift
    value = (12 * oil - 20 * inject - fixed) * annuity(0, t, rate) - 2 * well
    return value + (8 * oil * annuity(200, t, rate) - well * discount(200, rate) if t > 200 else 0.0)


def closed_formula(where):
    for units, per in (("metric", 1.0), ("field", 0.158987294928)):
        for rate in (0.1, 0.0):
            text = BASE % units + MONEY % tuple("%r" % (x * per) for x in (400.0, 60.0, 4.0))
            r = run(where, "closed_%s_%g" % (units, rate), text, ["economics.discount_rate=%g" % rate, "output.eclipse=true"])
            table = runs.Table(r.base + ".summary.csv")
            for v, of in (("FNPV", rate), ("FCASH", 0.0)):
                worst = max(abs(value - expected(t, of)) for t, value in zip(table["TIME"], table[v]))
                checks.true("%s, %g: %s of constant rates" % (units, rate, v), worst < 1e-6 * 3e6, worst)
            checks.near(units + ": cash flow a day", table["FCASHR"][-1], 20 * 340 - 80 - 500, 1e-4)
            times, values = flow.vector(r.base.replace(os.path.basename(r.base), os.path.basename(r.base).upper()), "FNPV")
            checks.near(units + ": FNPV in UNSMRY", values[-1], table["FNPV"][-1], 1e-6 * abs(table["FNPV"][-1]))
            checks.true(units + ": told at the end", "Money: net present value %.6g at %.4g %% a year" % (table["FNPV"][-1], 100 * rate) in r.stdout, r.stdout)
            info = runs.hepta("info", r.base + ".h5").stdout
            checks.true(units + ": in hepta info", "net present value" in info and "%.8g" % table["FNPV"][-1] in info, info)


def losses(where):
    """Fixed costs that the oil of two wells pays for, but not that of P1 alone: the run ends at a report."""
    text = BASE % "metric" + MONEY % ("400.0", "60.0", "4.0")
    never = run(where, "never", text, ["economics.fixed_cost=5000"])
    checks.near("a loss alone ends nothing", never.vector("TIME")[-1], 800.0, 1e-9)
    step = run(where, "step", text, ["economics.fixed_cost=5000", 'economics.end_at_loss=step'])
    report = run(where, "report", text, ["economics.fixed_cost=5000", 'economics.end_at_loss=report'])
    for r in (step, report):
        checks.near("ends at the first report", r.vector("TIME")[-1], 100.0, 1e-9)
        checks.true("and says why", "the field makes a loss" in r.stderr + r.stdout, r.stderr)
    rich = run(where, "rich", text, ["economics.end_at_loss=step"])
    checks.near("costs of wells are no loss", rich.vector("TIME")[-1], 800.0, 1e-9)


def groups(where):
    """FIVE_SPOT with GECON, and the same as --set."""
    text = open(FIVE).read()
    start = text.index("TSTEP")
    times = {}
    whole = runs.run(FIVE, where, name="whole")
    producers = [c[5:] for c in whole.summary if c.startswith("WOPR:") and max(whole.vector(c)) > 0]
    rates = sorted(whole.vector("FOPR"))
    limit = rates[len(rates) // 3]
    for name, gecon, own in (
            ("oil", "FIELD %r 4* NONE YES" % limit, "{ min_oil_rate = %r; end_run = true; }" % limit),
            ("cut", "FIELD 1* 1* 0.5 2* WELL YES", '{ max_water_cut = 0.5; workover = "well"; end_run = true; }'),
            ("all", "FIELD 1* 1* 0.5 2* ALL YES", '{ max_water_cut = 0.5; workover = "all"; end_run = true; }'),
            ("part", "FIELD 1* 1* 0.5 2* CON NO", '{ max_water_cut = 0.5; workover = "perforation"; }'),
            ("none", "FIELD 1* 1* 0.5 2* NONE YES", '{ max_water_cut = 0.5; end_run = true; }')):
        path = written(where, name.upper() + ".DATA", text[:start] + "GECON\n %s /\n/\n" % gecon + text[start:])
        r = runs.run(path, where, name=name)
        other = runs.run(FIVE, where, name=name + "_own", options=["groups=( %s )" % own])
        mine = [open(x.base + ".summary.csv").read() for x in (r, other)]
        checks.true(name + ": the same as groups[]", mine[0] == mine[1])
        for verb, to in (("import", "_i.cfg"), ("export", "_X.DATA")):
            deck = os.path.join(where, name + to)
            done = runs.hepta(verb, path, "-o", deck)
            checks.true("%s: %s" % (name, verb), done.returncode == 0, done.stderr)
            again = runs.run(deck, where, name=name + "_" + verb)
            checks.true("%s: the same after %s" % (name, verb), again.vector("FOPT")[-1] == r.vector("FOPT")[-1] and len(again.vector("TIME")) == len(r.vector("TIME")))
        times[name] = r
    oil = times["oil"]
    below = next(n for n, x in enumerate(oil.vector("FOPR")) if x < limit)
    checks.true("all are shut where the limit is met first", all(x == 0 for x in oil.vector("FOPR")[below + 1:]))
    checks.true("the run ends there", len(oil.vector("TIME")) < len(whole.vector("TIME")))
    checks.true("and says so", "group FIELD: oil rate" in oil.stdout + oil.stderr and "the run ends at the next report" in oil.stdout + oil.stderr)
    checks.true("no workover, no end", times["none"].vector("FOPT")[-1] == whole.vector("FOPT")[-1])
    cut = times["cut"]
    over = [n for n, x in enumerate(cut.vector("FWCT")) if x > 0.5]
    checks.true("above the limit", bool(over))
    first = over[0]
    worst = max(producers, key=lambda w: cut.vector("WWCT:" + w)[first])
    said = cut.stdout + cut.stderr
    checks.true("the wettest well goes first", "well %s shut" % worst in said and said.index("well %s shut" % worst) == min(
        said.index("well %s shut" % w) for w in producers if "well %s shut" % w in said), said)
    after = cut.vector("WMCTL:" + worst)[first + 1:] if first + 1 < len(cut.vector("TIME")) else ["SHUT"]
    checks.true("and stays shut", all(m == "SHUT" for m in after))
    checks.true("perforations go one by one", "perforation (" in times["part"].stdout + times["part"].stderr)


def restarted(where):
    text = BASE % "metric" + MONEY % ("400.0", "60.0", "4.0")
    options = restarts.KEEP + ["economics.end_at_loss=report", "groups.G.min_oil_rate=19.999", "groups.G.end_run=true", "wells.P1.bhp=150"]
    deck = written(where, "kept.cfg", text)
    whole = runs.run(deck, where, name="kept", options=options)
    checks.true("the run ends by its group", whole.vector("TIME")[-1] < 800.0, whole.vector("TIME")[-1])
    for step in whole.steps[1:-1][::2]:
        base = os.path.join(where, "on%d" % step)
        done = restarts.go_on(deck, base, "%s:%d" % (whole.base, step), options)
        checks.true("goes on from %d" % step, done.returncode == 0, done.stderr)
        checks.true("the same summary from %d on" % step, open(base + ".summary.csv").read() == open(whole.base + ".summary.csv").read())


def refused(where):
    def refuse(what, text, message, name="bad.cfg", options=()):
        done = runs.hepta("check", written(where, name, text), *restarts.sets(options))
        checks.true(what, done.returncode == 2 and message in done.stderr, done.stderr)
    base = BASE % "metric"
    refuse("a price below 0", base + MONEY % ("-1.0", "0.0", "0.0"), "bad.cfg:15: economics.oil_price: -1 1/sm3: must be >= 0")
    refuse("no price", base + "economics = { discount_rate = 0.1; };\n", "bad.cfg:15: economics: no price and no cost")
    refuse("a key that there is not", base + "economics = { oil_prize = 4.0; };\n", "oil_price")
    refuse("a vector without economics", base + 'output = { vectors = ["FNPV"]; };\n', "'FNPV': needs economics")
    refuse("a loss of another kind", base + MONEY % ("4.0", "0.0", "0.0"), "no such choice; did you mean 'never'?", options=['economics.end_at_loss=ever'])
    text = open(FIVE).read()
    for record, message in (("FIELD 1* 1* 1.5", "GECON: item 4 (largest water cut): 1.5: must be <= 1"), ("NOBODY 10", "no group 'NOBODY'"),
                            ("FIELD 1* 5", "GECON: item 3 (smallest gas rate)"), ("FIELD 5* 1* PLUG", "'PLUG' is not supported"),
                            ("FIELD 7* YES 3", "GECON: item 9 (most open wells)")):
        refuse("GECON " + record, text.replace("TSTEP", "GECON\n %s /\n/\nTSTEP" % record, 1), message, "BAD.DATA")


with runs.folder() as folder:
    for part in (closed_formula, losses, groups, restarted, refused):
        part(folder)
sys.exit(checks.result())
