"""Vectors of SUMMARY that are written on demand, beside OPM Flow: in place and pressure by region (FIPNUM), rates of
connections, reservoir volumes; and what must add up. `hepta info` shows regions and connections."""
import sys

import flow
import runs

flow.need()
checks = runs.Checks(say=True)
LAYERS = (1, 2, 3)
THROUGH = ("OPR", "WPR", "WIR", "OPT", "WPT", "WIT")
CELLS = ("5,3,2", "1,1,3", "10,6,3")
WORK = ("TIMESTEP", "NEWTON", "MLINEARS", "NLINEARS", "MSUMNEWT", "MSUMLINS", "TCPU")
DECK = flow.Deck(
    add={"summary": "FOIP\nFWIP\nFOE\nFVPR\nFVIR\nWVPR\n/\nWVIR\n I /\nRPR\n/\nROIP\n/\nRWIP\n 1 2 3 /\nROE\n/\n"
                    "COPR\n P1 /\n 'P2' 10 1 2 /\n/\nCWPR\n 'P*' /\n/\nCWIR\n I /\n/\nCOPT\n P1 /\n/\nCWPT\n P1 /\n/\nCWIT\n I /\n/\n"
                    + "".join("R%s\n/\n" % v for v in THROUGH)
                    + "".join("%s\n 5 3 2 /\n 1 1 3 /\n 10 6 3 /\n/\n" % v for v in ("BPR", "BWSAT", "BOSAT")) + "PERFORMA\n"},
    regions="EQUALS\n FIPNUM 1 /\n FIPNUM 2 6 10 1 6 1 3 /\n FIPNUM 3 1 3 1 6 2 2 /\n/\n",
    solution="EQUIL\n 2000 200 2012 0 /\n")
LIMITS = {"FOIP": 1e-4, "FWIP": 1e-4, "FVPR": 1e-3, "FVIR": 1e-4, "WVPR:P1": 1e-3, "WVIR:I": 1e-4,
          "COPR:P2:10,1,2": 0.01}
LIMITS.update({"%s:%d" % (v, r): 1e-3 for v in ("RPR", "ROIP", "RWIP") for r in (1, 2, 3)})
LIMITS.update({"COPR:P1:10,6,%d" % k: 0.01 for k in LAYERS})
LIMITS.update({"CWPR:%s,%d" % (w, k): 0.01 for w in ("P1:10,6", "P2:10,1") for k in LAYERS})
LIMITS.update({"CWIR:I:1,1,%d" % k: 0.01 for k in LAYERS})
LIMITS.update({"C%s,%d" % (of, k): 0.003 for of in ("OPT:P1:10,6", "WPT:P1:10,6", "WIT:I:1,1") for k in LAYERS})
LIMITS.update({"R%s:%d" % (v, r): 0.003 if v[2] == "T" else 0.01 for v in THROUGH for r in ((2,) if v[1] == "P" else (1, 3))})
LIMITS.update({"BPR:" + cell: 1e-3 for cell in CELLS})
LIMITS.update({"B%sSAT:%s" % (phase, cell): 2e-3 for phase in "OW" for cell in CELLS})

# observed rates that change, of wells that are shut, cut back and come to be forecast
HISTORY = ("OPRH", "WPRH", "LPRH", "WCTH", "WIRH", "OPTH", "WPTH", "LPTH", "WITH")
OBSERVED = flow.Deck(
    add={"summary": "".join("F%s\nG%s\n/\nW%s\n/\n" % (v, v, v) for v in HISTORY) + "WBHPH\n/\nWTHPH\n/\n"},
    controls="GRUPTREE\n G TOP /\n/\nGEFAC\n G 0.9 /\n TOP 0.7 /\n/\nWCONINJH\n I WATER OPEN 300 250 17 /\n/\nWCONHIST\n P1 OPEN ORAT 80 20 0 2* 14 120 /\n P2 OPEN RESV 60 90 0 /\n/\n",
    schedule="TSTEP\n 3*30 /\nGRUPTREE\n G OTHER /\n/\nGEFAC\n G 0.6 /\n/\nWCONHIST\n P1 OPEN ORAT 120 20 0 /\n P2 SHUT ORAT 0 0 /\n/\nWEFAC\n P1 0.8 /\n/\nTSTEP\n 3*30 /\n"
             "WCONINJH\n I WATER OPEN 150 /\n/\nWELOPEN\n P1 SHUT /\n/\nWCONPROD\n P2 OPEN LRAT 3* 100 1* 80 /\n/\nTSTEP\n 4*30 /\n")
SEEN = {"F" + v: 1e-5 for v in HISTORY}
SEEN.update({"W%s:%s" % (v, w): 1e-5 for v in HISTORY for w in ("P1", "P2", "I")})
SEEN.update({"G%s:%s" % (v, g): 1e-5 for v in HISTORY for g in ("G", "OTHER")})
SEEN.update({"G%s:TOP" % v: 1e-5 for v in HISTORY if v[1:] in ("PTH", "ITH")})  # Flow leaves its last rates to a group that has lost its wells
SEEN.update({"WBHPH:P1": 1e-5, "WBHPH:I": 1e-5, "WTHPH:P1": 1e-5})

with runs.folder() as folder:
    seen = flow.compare(checks, folder, "observed", OBSERVED, SEEN)
    whole = open(seen.base + ".summary.csv").read().splitlines()
    options = ["timestep.max=%g" % flow.STEP, "timestep.accuracy=0", "output.restart=-1"]
    runs.run(folder + "/OBSERVED.DATA", folder, name="observed_part", options=options + ["report.end=150"])
    on = runs.run(folder + "/OBSERVED.DATA", folder, name="observed_on", options=options,
                  arguments=["--restart", folder + "/observed_part"])
    names = whole[0].split(",")
    columns = [n for n, name in enumerate(names) if name.split("[")[0].split(":")[0].endswith("H") and name[1:].startswith(HISTORY)]
    last = [[row.split(",")[n] for n in columns] for row in (whole[-1], open(on.base + ".summary.csv").read().splitlines()[-1])]
    checks.true("a run that goes on has the same", last[0] == last[1] and len(columns) == 7 * len(HISTORY), last)
    mine = flow.compare(checks, folder, "vectors", DECK, LIMITS)
    for day in (30, 300):
        value = lambda name: mine.at(day, name)
        for of_region, of_field in (("ROIP", "FOIP"), ("RWIP", "FWIP")):
            total = sum(value("%s:%d" % (of_region, r)) for r in (1, 2, 3))
            checks.near("%s adds up to %s" % (of_region, of_field), total, value(of_field), 1e-9 * total)
        checks.near("COPR adds up to WOPR", sum(value("COPR:P1:10,6,%d" % k) for k in LAYERS), value("WOPR:P1"), 1e-8)
        checks.near("CWIR adds up to WWIR", sum(value("CWIR:I:1,1,%d" % k) for k in LAYERS), value("WWIR:I"), 1e-6)
        start = value("FOIP") / (1 - value("FOE"))
        checks.near("the recovery is what was produced", value("FOE") * start, value("FOPT"), 1e-5 * start)
        gone = sum(value("ROIP:%d" % r) * value("ROE:%d" % r) / (1 - value("ROE:%d" % r)) for r in (1, 2, 3))
        checks.near("and so are those of the regions", gone, value("FOPT"), 1e-5 * start)
    for vector, of, of_field in (("COPT", "P1:10,6", "WOPT:P1"), ("CWIT", "I:1,1", "WWIT:I")):
        added = sum(mine.at(300, "%s:%s,%d" % (vector, of, k)) for k in LAYERS)
        checks.near("%s adds up to %s" % (vector, of_field), added, mine.at(300, of_field), 1e-8 * added)
    for v in THROUGH:
        checks.near("R%s adds up to F%s" % (v, v), sum(mine.at(300, "R%s:%d" % (v, r)) for r in (1, 2, 3)), mine.at(300, "F" + v), 1e-6)
    solver = runs.read_csv(mine.base + ".solver.csv")
    for name, column in (("NEWTON", "newton"), ("MLINEARS", "linear"), ("TIMESTEP", "dt")):
        checks.true(name + " of each step", list(mine.vector(name)) == list(solver[column]), name)
        if name != "TIMESTEP":
            checks.near("their sum", mine.vector("MSUM" + {"NEWTON": "NEWT", "MLINEARS": "LINS"}[name])[-1], sum(solver[column]), 0.5)
    wanted = ("region", "connection", "P1:10,6,3", "I:1,1,1", "recovery", "%.6g" % mine.at(300, "ROIP:2"))
    reported = runs.hepta("info", mine.base + ".h5").stdout
    for text in wanted:
        checks.true("info shows " + text, text in reported, reported if text not in reported else "")
    files = runs.run(folder + "/VECTORS.DATA", folder, name="binary", options=["output.eclipse=true"])
    spec = flow.summary(folder + "/BINARY", 0)
    checks.true("units of the program's work", [spec.unit(v) for v in WORK] == ["DAYS"] + 5 * [""] + ["SECONDS"], [spec.unit(v) for v in WORK])
    for name in ("FOE", "ROIP:2", "BPR:5,3,2", "BWSAT:1,1,3", "COPT:P1:10,6,3", "RWIT:1", "RPR:3", "COPR:P1:10,6,3", "CWIR:I:1,1,2", "WVPR:P2"):
        times, values = flow.vector_by_tool(folder + "/BINARY", name)
        last = files.vector(name)[-1]
        checks.near(name + " in Eclipse's files", values[-1], last, max(1e-5 * abs(last), 5e-7)) # as printed
    two = runs.run(folder + "/VECTORS.DATA", folder, name="two", arguments=["--threads", "2"])
    one = runs.run(folder + "/VECTORS.DATA", folder, name="one", arguments=["--threads", "1"])
    tables = [[row.rsplit(",", 1)[0] for row in open(r.base + ".summary.csv")] for r in (one, two)] # without TCPU
    checks.true("any number of threads", tables[0] == tables[1])
    part = runs.run(folder + "/VECTORS.DATA", folder, name="part", options=["report.end=150"])
    on = runs.run(folder + "/VECTORS.DATA", folder, name="on", arguments=["--restart", part.base])
    checks.true("a run that goes on", [row.rsplit(",", 1)[0] for row in open(on.base + ".summary.csv")] == tables[0])
sys.exit(checks.result())
