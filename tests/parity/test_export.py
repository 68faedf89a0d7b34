"""hepta export: the Eclipse deck that it writes gives the totals of the deck that it was made from, within a millionth where no
formula becomes a table, whatever its units; bundled decks, decks with every part that can be exported, and answers to bad input."""
import os
import re
import sys

import aquifers
import flow
import imports
import region_decks
import runs

checks = runs.Checks()
TABLE = ('saturation = { model = "table"; table = ( [0.2, 0.0, 1.0, 0.5], [0.4, 0.05, 0.5, 0.2], [0.6, 0.2, 0.1, 0.1], '
         "[0.8, 0.5, 0.0, 0.0] ); };\n")
FORMULAS = """saturation = (
  { model = "brooks-corey"; swc = 0.2; sor = 0.15; krw_max = 0.5; krw_full = 0.8; lambda = 2.0; pc_entry = 0.2; pc_max = 5.0; },
  { model = "let"; swc = 0.15; sor = 0.2; krw_max = 0.4; lw = 2.0; ew = 2.0; tw = 1.0; lo = 2.5; eo = 3.0; to = 1.2; pc_entry = 0.4; },
  { model = "van-genuchten"; swc = 0.2; sor = 0.2; m = 0.6; pc_entry = 0.1; pc_max = 2.0; } );
regions = { saturation = [1, 2, 3]; };
"""
FLUIDS = """fluids = {
  water = { density = 1020.0; reference_pressure = 200.0; formation_volume_factor = 1.01; compressibility = 4.5e-5; viscosity = 0.5; };
  oil = { density = 850.0; reference_pressure = 200.0; compressibility = 1e-4; viscosity = 2.0; viscosibility = 1e-4; };
};
rock = { reference_pressure = 200.0; compressibility = 5e-5; };
"""
OWN = ('title = "a deck"; units = "%s"; start = "2020-02-28 06:00";\ngrid = { size = [8, 6, 3]; dx = "40 m"; dy = "50 m"; dz = "8 m"; '
       'top = "2000 m"; porosity = 0.2; permx = ("200 mD", "50 mD", "400 mD"); boxes = ( { multiply = { permz = 0.1; }; } ); %s };\n')
START = 'initial = { datum_depth = "2000 m"; datum_pressure = "200 bar"; contact_depth = "2020 m"; accuracy = -3; };\n'
WELLS = """wells = (
  { name = "I"; type = "injector"; i = 1; j = 1; diameter = 0.2; control = "rate"; rate = 300.0; bhp = 600.0; group = "IN"; },
  { name = "P1"; type = "producer"; path = ( [300.0, 20.0, 2004.0], [310.0, 280.0, 2012.0] ); diameter = 0.2; control = "oil-rate";
    oil_rate = 150.0; bhp = 80.0; group = "WEST"; min_oil_rate = 1.0; max_water_cut = 0.9; workover = "well"; },
  { name = "P2"; type = "producer"; cells = ( (6, 1, 1, "x"), (5, 1, 1, "x") ); diameter = 0.2; skin = 2.0; control = "bhp"; bhp = 150.0;
    group = "WEST"; efficiency = 0.9; } );
"""
PATH = WELLS[WELLS.index("path"):WELLS.index("diameter = 0.2; control = \"oil-rate\"")]
LATER = """groups = ( { name = "IN"; }, { name = "WEST"; parent = "TOP"; }, { name = "TOP"; oil_rate = 140.0; efficiency = 0.95; },
  { time = 60.0; name = "TOP"; liquid_rate = 200.0; } );
schedule = ( { time = 20.0; well = "I"; rate = 250.0; }, { time = 33.5; well = "P2"; i = 5; perforations = "shut"; },
  { time = 50.0; well = "P*"; bhp = 70.0; }, { time = 70.0; well = "P2"; multiply_index = 2.0; status = "open"; } );
multipliers = ( { time = 45.0; fault = "F"; by = 0.1; } );
tuning = ( { time = 40.0; max = 4.0; } );
report = { times = (10.0, 30.0, 60.0, "2020-05-28 06:00", 120.0); };
timestep = { initial = 1.0; max = 10.0; };
output = { vectors = ["FOIP", "WVPR:P1", "BPR:1,1,1", "GOPR:TOP", "COPR:P2"]; };
"""
FAULT = 'faults = ( { name = "F"; multiplier = 0.3; threshold = 0.5; faces = ( { i = 4; face = "i+"; } ); } );\n'


def corner_deck():
    """Columns from i = 5 on lie half a layer deeper, and the fault between them leaves a third of what the rock conducts."""
    words = imports.corners(8, 6, 3, fault=4).split("/")
    coord, zcorn = (", ".join("%r" % float(x) for x in w.split()[1:]) for w in words[:2])
    shape = "corner_point = { coord = [" + coord + "]; zcorn = [" + zcorn + "]; }; "
    return OWN.replace('dx = "40 m"; dy = "50 m"; dz = "8 m"; top = "2000 m"; ', shape) % ("metric", "multpv = 1.5;")


# numbers with the units of METRIC in a deck in FIELD
FLUIDS_FIELD = re.sub(r"(density|reference_pressure|compressibility|viscosibility) = ([0-9.e-]+)",
                      lambda m: '%s = "%s %s"' % (m[1], m[2], {"d": "kg/m3", "r": "bar", "c": "1/bar", "v": "1/bar"}[m[1][0]]), FLUIDS)
WELLS_FIELD = re.sub(r" (max_water_cut|efficiency|workover|group|min_oil_rate) = [^;]+;", "", WELLS).replace(
    PATH, "path = ( [1000.0, 20.0, 6580.0], [1010.0, 900.0, 6610.0] ); ")

MINE = {  # deck, settings, tolerance
    "own": (OWN % ("metric", "") + FLUIDS + TABLE + START + WELLS + LATER + FAULT, (), 1e-6),
    "fine": (OWN % ("field", "") + FLUIDS_FIELD + TABLE + START + WELLS_FIELD + "report = { every = 10.0; end = 60.0; };\n", ("grid.refine=[2,1,2]",), 1e-6),
    "formulas": (OWN % ("metric", "") + FLUIDS + FORMULAS + START + WELLS + LATER + FAULT, (), 3e-4),
    "corner_fault": (corner_deck() + FLUIDS + TABLE + START + WELLS.replace(PATH, "i = 8; j = 6;") + LATER.replace("multipliers", "#multipliers")
                     + FAULT.replace(" threshold = 0.5;", ""), (), 1e-6),
}
LIFT = flow.Deck(add={"wells": flow.lift_producer() + flow.lift_injector()}, controls=flow.lift_control(
    "THP 500 1* 600 100 1", "THP 5* 50 15 1 0", "LRAT 3* 200 1* 50 10 1 5"),
    schedule="TSTEP\n 2*10 /\nWELTARG\n P1 THP 20 /\n P2 LIFT 10 /\n/\nTSTEP\n 2*10 /\n")
THRESHOLDS = flow.Deck(tabdims="TABDIMS\n 1 1 30 30 5 /\nEQLDIMS\n 2 /\nEQLOPTS\n THPRES IRREVERS /\n",
                       regions="EQLNUM\n " + " ".join("5*1 5*2" for _ in range(18)) + " /\n",
                       solution="EQUIL\n 2000 200 2100 0 /\n 2000 180 2100 0 /\nTHPRES\n 1 2 10 /\n 2 1 1* /\n/\n",
                       schedule="TSTEP\n 3*20 /\n")
HISTORY = flow.Deck(controls="WCONINJH\n I WATER OPEN 250 /\n/\nWCONHIST\n P1 OPEN RESV 80 20 /\n P2 OPEN LRAT 60 5 4* 120 /\n/\n",
                    schedule="TSTEP\n 2*10 /\nWCONHIST\n P2 SHUT LRAT 50 5 /\n/\nTSTEP\n 10 /\nWCONPROD\n P2 OPEN LRAT 3* 90 1* 70 /\n/\n"
                             "WTEST\n P2 5 PE 3 /\n/\nWCUTBACK\n P1 0.95 /\n/\nTSTEP\n 20 /\n")
PEERS = {"lift": LIFT, "thresholds": THRESHOLDS, "history": HISTORY, "table": aquifers.table(), "two": aquifers.two(),
         "field_units": aquifers.field_units(), "killough": flow.Deck(**region_decks.STEERED["killough"][0]),
         "rocksat": flow.Deck(**region_decks.DECKS["rocksat"]), "swatinit": flow.Deck(**region_decks.DECKS["swatinit"]),
         **{name: flow.Deck(**imports.DECKS[name]) for name in list(imports.DECKS)[::runs.every(2, 6)]}}


def compare(name, mine, theirs, tolerance):
    """The same vectors, steps and last totals."""
    one, other = (runs.Table(base + ".summary.csv") for base in (mine, theirs))
    rows = len(one["TIME"]), len(other["TIME"])
    checks.true(name + ": the same vectors", set(one.columns) <= set(other.columns), set(one.columns) - set(other.columns))
    checks.true("%s: %d and %d steps" % (name, *rows), rows[0] == rows[1] or tolerance > 1e-6)
    least = 1e-3 * max(one["FOPT"][-1], one["FWIT"][-1], one["FWPT"][-1])
    checks.true(name + ": something flows", least > 0.0)
    for v in one.columns:
        if v[1:4] not in ("OPT", "WPT", "OIT", "WIT") and v.split(":")[0] not in ("FPR", "FOIP", "AAQT", "BPR", "WBHP"):
            continue
        a, b = one[v][-1], other[v][-1]
        if v.startswith("WBHP") or tolerance > 1e-6 and v.startswith("W"):
            continue
        checks.near("%s: %s" % (name, v), b, a, tolerance * max(abs(a), least))


def exported(folder, name, path, settings=(), tolerance=1e-6, arguments=()):
    """Exports a deck in its own units and runs both."""
    deck = os.path.join(folder, name + "_x.DATA")
    options = [word for s in settings for word in ("--set", s)]
    done = runs.hepta("export", path, "-o", deck, *options, *arguments)
    checks.true(name + " is exported", done.returncode == 0, done.stderr)
    if done.returncode != 0:
        return None
    mine = runs.run(path, folder, settings, name)
    compare(name, mine.base, runs.run(deck, folder, ["output.units=%s" % unit(path)], name + "_x").base, tolerance)
    return open(deck).read()


def unit(path):
    text = open(path).read()
    return "field" if re.search(r'^FIELD$|units = "field"', text, re.M) else "metric"


def written(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "w") as f:
        f.write(text)
    return path


def refused(folder, what, name, text, message, *options):
    path = written(folder, name, text)
    done = runs.hepta("export", path, "-o", os.path.join(folder, "no.DATA"), *options)
    checks.true(what + " is refused", done.returncode in (1, 2) and message in done.stderr, done.stderr)
    checks.true(what + ": no deck is left", not os.path.exists(os.path.join(folder, "no.DATA")))


with runs.folder() as folder:
    for name, limit, settings in (("FIVE_SPOT.DATA", 1e-6, ["report.end=100"]), ("schedule.cfg", 2e-4, ["grid.size=[10,10,2]"]),
                                  ("aquifer_fault.cfg", 1e-4, ["report.end=1460"]), ("faulted_dome.cfg", 2e-4, ["report.end=365"])):
        if name.startswith("schedule"):  # fits a smaller grid
            settings += ["wells.%s.%s=%d" % x for x in (("INJ", "i", 5), ("INJ", "j", 5), ("P2", "i", 9), ("P3", "i", 5), ("P3", "j", 10))]
        exported(folder, name.split(".")[0], runs.deck(name), settings, limit)
    for name, (text, settings, limit) in MINE.items():
        deck = exported(folder, name, written(folder, name + ".cfg", text), settings, limit)
        if name == "own" and deck is not None:
            for line in ("START\n 28 FEB 2020 06:00:00 /", "FAULTS\n 'F1' 4 4 1 1 1 3 X /", "GRUPTREE\n 'WEST' 'TOP' /", "DX\n 144*40 /",
                         "WECON\n 'P1' 1 1* 0.9 2* WELL NO 5* 0 /", "COPY\n PERMX PERMY /", "WPIMULT\n 'P2' 2 6 1 1 /", "PERMX\n 48*200 48*50 48*400 /",
                         "TSTEP\n 6.5 /", "BPR\n 1 1 1 /\n/", "WELTARG\n 'P1' BHP 70 /\n/"):
                checks.true("the exported deck reads: " + line, line in deck)
    for n, (name, deck) in enumerate(PEERS.items()):
        path = written(folder, name.upper() + ".DATA", deck.text().replace("METRIC\n", "" if name in ("field", "field_units") else "METRIC\n"))
        exported(folder, name, path, arguments=("-u", ("metric", "field", "lab")[n % 3]))
    base = OWN % ("metric", "") + FLUIDS + TABLE + START + WELLS + "groups = ( { name = \"IN\"; }, { name = \"WEST\"; } );\nreport = { every = 10.0; end = 20.0; };\n"
    numerical = 'aquifers = ( { type = "numerical"; cells = ( { i = 8; j = 6; k = 3; area = 1e4; length = 100.0; permeability = 100.0; } ); faces = ( { i = 7; j = 6; k = 3; face = "i+"; } ); } );\n'
    refused(folder, "a numerical aquifer", "n.cfg", base + numerical, "numerical aquifers are not exported")
    refused(folder, "a name with a quote", "q.cfg", base.replace('"P2"', '"P\'2"'), "names in an Eclipse deck must not contain")
    refused(folder, "hysteresis of water alone", "h.cfg", base + 'hysteresis = { water = "imbibition"; };\n', "hysteresis.water without hysteresis.oil")
    refused(folder, "actions", "a.cfg", base + 'actions = ( { name = "A"; condition = "FOPR > 1"; does = "well P1 status=shut"; } );\n', "actions and quantities of the user are not exported")
    refused(folder, "si", "s.cfg", base, "must be metric, field or lab", "-u", "si")
    refused(folder, "a deck with a mistake", "m.cfg", base.replace("porosity = 0.2", "porosity = -0.2"), "m.cfg:2: grid.porosity")
    path = written(folder, "twice.cfg", base)
    first, second = (runs.hepta("export", path, "-o", os.path.join(folder, "twice.DATA")) for _ in range(2))
    checks.true("a deck that exists is not overwritten", first.returncode == 0 and second.returncode == 2 and
                "exists; refusing to overwrite it" in second.stderr, second.stderr)
    done = runs.hepta("export", path, "-o", os.path.join(folder, "twice.DATA"), "--force", "--set", "newton.tolerance_cnv=1e-4")
    checks.true("what an Eclipse deck cannot say is named", done.returncode == 0 and "newton.tolerance_cnv" in done.stderr, done.stderr)
    done = runs.hepta("export", path, "-o", os.path.join(folder, "twice.cfg"))
    checks.true("a name of another kind", done.returncode == 2 and "an Eclipse deck is named *.DATA" in done.stderr, done.stderr)
sys.exit(checks.result())
