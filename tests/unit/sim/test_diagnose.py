"""hepta diagnose: balances with aquifers, faults, connections, inactive cells, crossflow and compressible fluids; rates are those of the
summary; a mirrored reservoir has mirrored numbers; what a result was made with is found again; pictures, page, and what is refused."""
import os
import shutil
import sys

import diagnoses
import runs

import numpy

AQUIFERS = """aquifers = (
  { type = "fetkovich"; datum_depth = 2010.0; volume = 3e7; compressibility = 1e-4; productivity = 8.0; faces = ( { i = 1; face = "i-"; } ); },
  { type = "numerical"; cells = ( { i = 12; j = 1; k = 3; area = 2e4; length = 900.0; porosity = 0.25; permeability = 300.0; } );
    faces = ( { i = 12; j = [5, 8]; k = 3; face = "i+"; } ); } );
"""
# Water that nothing compresses: a volume of it is the same everywhere.
HARD = """
units = "metric";
start = "2026-01-01";
grid = { size = [12, 8, 3]; dx = 40.0; dy = 30.0; dz = 6.0; top = 2000.0; porosity = 0.2; permx = 150.0;
         boxes = ( { multiply = { permz = 0.1; }; }, { i = [1, 6]; multiply = { permx = 3.0; }; }, { i = [5, 7]; j = 4; set = { active = 0; }; } );
         connections = ( (2, 2, 1, 11, 2, 3, 4.0), (3, 8, 3, 10, 8, 1, 2.0) ); };
faults = ( { name = "F"; multiplier = 0.05; faces = ( { i = 6; j = [1, 3]; face = "i+"; } ); } );
fluids = {
  water = { density = 1020.0; reference_pressure = 200.0; compressibility = 0.0; viscosity = 0.5; };
  oil = { density = 850.0; reference_pressure = 200.0; compressibility = 1.5e-4; viscosity = 1.5; };
};
saturation = { model = "brooks-corey"; swc = 0.2; sor = 0.2; krw_max = 0.5; pc_entry = 0.1; pc_max = 3.0; lambda = 2.0; };
rock = { reference_pressure = 200.0; compressibility = 5.0e-5; };
initial = { datum_depth = 2000.0; datum_pressure = 200.0; contact_depth = 2016.0; };
""" + AQUIFERS + """
wells = (
  { name = "INJ/1"; type = "injector"; i = 11; j = 7; k = [1, 3]; radius = 0.1; control = "rate"; rate = 60.0; bhp = 400.0; efficiency = 0.8; },
  { name = "A"; type = "producer"; i = 3; j = 2; k = [1, 2]; radius = 0.1; control = "liquid-rate"; liquid_rate = 70.0; bhp = 80.0; },
  { name = "B"; type = "producer"; i = 8; j = 6; k = 2; radius = 0.1; control = "bhp"; bhp = 175.0; } );
report = { every = 100.0; end = 400.0; };
timestep = { initial = 1.0; max = 20.0; accuracy = 0.0; };
newton = { tolerance_cnv = 1.0e-6; };
output = { restart = -1; double = true; vectors = ["AAQR", "ANQR"]; };
"""


def hard(checks, where):
    run = diagnoses.make(where, HARD, "hard", ["--set", "wells.A.liquid_rate=75"])
    d = diagnoses.Diagnosis(where, "hard")
    diagnoses.check_balance(checks, "hard", d)
    checks.near("the injector's rate", d.rates["sources"]["INJ/1"], 0.8 * run.vector("WWIR:INJ/1")[-1], 1e-4)
    for number, column in (("1", "AAQR:1"), ("2", "ANQR:2")):
        net = d.rates["sources"].get("aquifer " + number, 0.0) - d.rates["sinks"].get("aquifer " + number, 0.0)
        checks.near("the rate of aquifer " + number, net, run.vector(column)[-1], 2e-2)
    produced = d.rates["sinks"]["B"] - run.vector("WWPR:B")[-1]
    checks.between("the oil of B, which was larger in the reservoir", produced / run.vector("WOPR:B")[-1], 1.0, 1.05)
    checks.true("a change by --set is known again", abs(run.vector("WLPR:A")[-1] - 75.0) < 0.1, run.vector("WLPR:A")[-1])
    grid = runs.h5py.File(os.path.join(where, "hard.grid.h5"))
    active = grid["grid/active"][:] != 0
    checks.true("inactive cells hold nothing", all(d.fields[n][~active].max() == 0.0 for n in ("from_A", "to_B") if n in d.fields)
                and numpy.isnan(d.fields["time_in_all"][~active]).all())
    for side, field, head in (("sources", "flooded_by", "from_"), ("sinks", "drained_by", "to_")):
        names = [n for n in d.ends[side] if n not in ("expansion", "compression")]
        shares = numpy.array([d.fields[head + n.replace("/", "_").replace(" ", "_")] for n in names])
        expected = numpy.where(shares.sum(axis=0) >= 0.5, shares.argmax(axis=0) + 1, 0)
        at = abs(shares.sum(axis=0) - 0.5) > 1e-6
        checks.true(field, (d.fields[field] == expected)[at].all() and len(set(d.fields[field][active])) > 1)
    early = diagnoses.Diagnosis(where, "hard", run.steps[2])
    diagnoses.check_balance(checks, "hard, step 2", early)
    checks.true("another step has other numbers", early.pairs != d.pairs)
    dated = diagnoses.Diagnosis(where, "hard.h5".replace(".h5", ""), "2026-07-20")
    checks.true("a date names a step", dated.pairs == early.pairs, "%s days" % run.times[2])


def mirrored(checks, where):
    random = numpy.random.default_rng(3)
    perm = 10.0 ** random.uniform(1, 3, (2, 5, 7))
    found = []
    for name, turn in (("plain", lambda a, i: (a, i)), ("mirror", lambda a, i: (a[:, :, ::-1], 8 - i))):
        values, (one, other) = turn(perm, 1)[0], (turn(perm, 1)[1], turn(perm, 6)[1])
        diagnoses.make(where, """
grid = { size = [7, 5, 2]; dx = 30.0; dy = 30.0; dz = 5.0; top = 1000.0; porosity = 0.2; permx = [%s]; };
wells = ( { name = "I"; type = "injector"; i = %d; j = 1; radius = 0.1; control = "rate"; rate = 10.0; bhp = 9000.0; },
          { name = "J"; type = "injector"; i = %d; j = 4; radius = 0.1; control = "rate"; rate = 6.0; bhp = 9000.0; },
          { name = "P"; type = "producer"; i = %d; j = 5; radius = 0.1; control = "bhp"; bhp = 100.0; } );
""" % (", ".join("%.17g" % v for v in values.ravel()), one, other, turn(perm, 4)[1]) + diagnoses.FLUIDS, name)
        found.append(diagnoses.Diagnosis(where, name))
    plain, mirror = found
    for field in plain.fields:
        if field != "pressure":
            close = numpy.allclose(plain.fields[field], mirror.fields[field][:, :, ::-1], rtol=2e-5, atol=2e-5, equal_nan=True)
            checks.true("mirrored: " + field, close)
    checks.near("mirrored: Lorenz", plain.numbers["lorenz"], mirror.numbers["lorenz"], 1e-6)


def crossing(checks, where):
    """A well that stands still between a layer that an injector fills and one that a producer drains."""
    diagnoses.make(where, """
grid = { size = [9, 1, 2]; dx = 30.0; dy = 30.0; dz = 5.0; top = 1000.0; porosity = 0.2; permx = 100.0; permz = 0.0; };
wells = ( { name = "I"; type = "injector"; i = 1; j = 1; k = 1; radius = 0.1; control = "rate"; rate = 10.0; bhp = 9000.0; },
          { name = "X"; type = "producer"; i = 9; j = 1; k = [1, 2]; radius = 0.1; control = "liquid-rate"; liquid_rate = 4.0; bhp = 50.0; },
          { name = "P"; type = "producer"; i = 1; j = 1; k = 2; radius = 0.1; control = "bhp"; bhp = 100.0; } );
""" + diagnoses.FLUIDS, "cross")
    d = diagnoses.Diagnosis(where, "cross")
    diagnoses.check_balance(checks, "crossing", d)
    checks.near("crossing: into the well", d.pairs["I", "X"][0], 10.0, 1e-3)
    checks.near("crossing: out of it", d.pairs["X", "P"][0], 6.0, 1e-3)
    checks.true("crossing: the layer below is the well's", (d.fields["flooded_by"][1] == d.ends["sources"].index("X") + 1).all())


def pictures(checks, where):
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        return
    drawn = runs.hepta("plot", "hard.flow", "-o", "flow.svg", where=where)
    checks.true("a picture", drawn.returncode == 0, drawn.stderr)
    with open(os.path.join(where, "flow.svg"), encoding="utf-8") as f:
        text = f.read()
    checks.true("its parts", all('id="%s"' % part in text for part in ("allocation", "F", "swept")) and "INJ/1" in text)
    for field, words in (("drained_by", "drainage regions"), ("time_from_injectors", "time of flight from injectors [day]"), ("from_INJ_1", "share from INJ/1")):
        drawn = runs.hepta("plot", "hard.flow.h5", "--map", field, "--layer", "2", "-o", "map.svg", where=where)
        with open(os.path.join(where, "map.svg"), encoding="utf-8") as f:
            checks.true("a map of " + field, drawn.returncode == 0 and words in f.read(), drawn.stderr)
    done = runs.hepta("plot", "hard.flow", "--well", "A", where=where)
    checks.true("--well is refused", done.returncode == 2 and "hepta diagnose" in done.stderr, done.stderr)
    done = runs.hepta("report", "hard", where=where)
    with open(os.path.join(where, "hard.html"), encoding="utf-8") as f:
        page = f.read()
    checks.true("the page has it", done.returncode == 0 and "Flow diagnostics" in page and "<td>aquifer 2</td>" in page, done.stderr)
    diagnoses.make(where, HARD, "hard", ["--set", "wells.A.liquid_rate=75"])
    runs.hepta("report", "hard", where=where)
    with open(os.path.join(where, "hard.html"), encoding="utf-8") as f:
        checks.true("the page of another run does not", "Flow diagnostics" not in f.read())
    done = runs.hepta("paraview", "hard.flow", "--field", "flooded_by", where=where)
    with open(os.path.join(where, "hard.flow.xdmf2"), encoding="utf-8") as f:
        checks.true("ParaView finds it", done.returncode == 0 and 'Name="flooded_by"' in f.read(), done.stderr)


def refused(checks, where):
    def says(what, code, words, *arguments):
        done = runs.hepta("diagnose", *arguments, where=where)
        checks.true(what, done.returncode == code and all(w in done.stderr for w in words), "%d %s" % (done.returncode, done.stderr))

    says("nothing", 2, ["which result?"])
    says("two", 2, ["one result at a time"], "hard", "cross")
    says("no result", 2, ["no such result"], "none")
    says("no such step", 2, ["there is no report step 3"], "hard:3")
    says("a diagnosis", 2, ["give the result of the run"], "cross.flow")
    says("no time", 2, ["report step 0"], "hard:0")
    says("pairs", 2, ["--pairs"], "hard", "--pairs", "0")
    says("another deck", 2, ["perforations"], "hard", "--deck", "hard.cfg", "--set", "wells.A.k=1")
    says("an unknown key", 2, ["unknown key"], "hard", "--set", "wells.A.nonsense=1")
    says("its own result", 2, ["hard"], "hard", "-o", "hard")
    shutil.copy(os.path.join(where, "hard.cfg"), os.path.join(where, "kept.cfg"))
    os.remove(os.path.join(where, "hard.cfg"))
    says("the deck is gone", 2, ["hard.cfg", "--deck"], "hard")
    says("the deck is elsewhere", 0, [], "hard", "--deck", "kept.cfg", "--set", "wells.A.liquid_rate=75", "-q", "-o", "new/else")
    checks.true("files by another name", all(os.path.exists(os.path.join(where, "new", "else" + e)) for e in (".h5", ".csv", ".xdmf2")))
    forget(where, "hard")
    says("an aquifer without restart data", 2, ["aquifer 1", "output.restart"], "hard", "--deck", "kept.cfg", "--set", "wells.A.liquid_rate=75")


def forget(where, name):
    """Removes all restart data."""
    for file in os.listdir(os.path.join(where, name + ".steps")):
        if file.startswith("restart"):
            os.remove(os.path.join(where, name + ".steps", file))


def without_restart_data(checks, where):
    """From the fields, of a step after which another well is opened: what flows then is as it was with restart data, but for the little
    that changes in a short step."""
    run = diagnoses.make(where, HARD.replace(AQUIFERS, "").replace("report =", """
schedule = ( { time = 200.0; well = "B"; status = "shut"; }, { time = 250.0; well = "B"; control = "bhp"; bhp = 60.0; },
             { time = 300.0; well = "A"; status = "shut"; } );
report ="""), "plain")
    step = run.steps[3]
    kept = diagnoses.Diagnosis(where, "plain", step)
    forget(where, "plain")
    d = diagnoses.Diagnosis(where, "plain", step)
    diagnoses.check_balance(checks, "fields", d)
    checks.true("fields: it is said", "no restart data" in d.said and "no restart data" not in kept.said, d.said)
    checks.near("fields: the injector", d.rates["sources"]["INJ/1"], kept.rates["sources"]["INJ/1"], 1e-3)
    for pair, (rate, *more) in kept.pairs.items():
        checks.near("fields: %s to %s" % pair, d.pairs.get(pair, [0.0])[0], rate, 0.02 * sum(kept.rates["sinks"].values()))
    checks.true("fields: wells of that time", {"A", "B"} <= set(d.ends["sinks"]), d.ends)
    steered = os.path.join(where, "lines")
    with open(steered, "w") as f:
        f.write("continue\ncontinue\nwell INJ/1 rate=33\ncontinue\ncontinue\n")
    run = diagnoses.make(where, HARD.replace(AQUIFERS, "").replace("restart = -1", "restart = 1"), "steered", ["--control", steered])
    for what, step in (("with restart data", run.steps[-1]), ("without", run.steps[-2])):
        told = diagnoses.Diagnosis(where, "steered", step)
        checks.near("what the run was told, " + what, told.rates["sources"]["INJ/1"], 0.8 * 33.0, 1e-3)
    last = diagnoses.Diagnosis(where, "plain")
    checks.true("fields: wells of the last step", "B" in last.ends["sinks"] and "A" not in last.ends["sinks"], last.ends)


def main():
    checks = runs.Checks()
    with runs.folder() as where:
        for check in (hard, mirrored, crossing, pictures, refused, without_restart_data):
            check(checks, where)
    return checks.result()


sys.exit(main())
