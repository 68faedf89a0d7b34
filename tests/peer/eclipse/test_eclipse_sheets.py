"""Sheets of fluids in place in NAME.PRT (RPTSOL, RPTSCHED FIP, output.sheets) beside OPM Flow's: the same lines and numbers, which Flow
has for what is in place at report times, in METRIC and FIELD units; at which times they are there; what is in place originally."""
import os
import re
import sys

import flow
import runs

flow.need()
checks = runs.Checks()
FIELD = {"runspec": flow.BASE["runspec"].replace("METRIC", "FIELD"), "props": "DENSITY\n 53 63 1 /\nPVTW\n 3000 1.01 3E-6 0.5 0 /\n",
         "pvdo": "PVDO\n 1000 1.06 2.8\n 3000 1.05 3.0\n 6000 1.03 3.4 /\n", "rock": "ROCK\n 3000 4E-6 /\n",
         "solution": "EQUIL\n 2010 3000 2020 0.1 4* -3 /\n",
         "controls": "WCONINJE\n I WATER OPEN RATE 60 1* 5000 /\n/\nWCONPROD\n P1 OPEN LRAT 3* 40 1* 1000 /\n P2 OPEN LRAT 3* 20 1* 1000 /\n/\n"}
DECKS = {"metric": {}, "fieldunits": FIELD}
SHEET = re.compile(r"=====\n +:  +(Field Totals|FIPNUM report region +\d+) +:\n +: +PAV += +(\d+) +(\w+) +:\n +: +PORV = +(\d+) +(\w+) +:\n(?:.*\n){2,6}?"
                   r":Currently   in place    : +(\d+) +0 +(\d+): +(\d+) +:(?: +0)+:\n:-.*\n:Originally  in place    : +(\d+) +0 +\d+: +(\d+) ")
VOLUME = re.compile(r"^(Field total|FIPNUM report region \d+) pressure dependent pore volume = (\d+) (\w+)$", re.M)


def read(path):
    with open(path, encoding="utf-8") as f:
        text = f.read()
    return [(re.sub(" +", " ", m[0]), *m[1:]) for m in SHEET.findall(text)], VOLUME.findall(text)


def near(a, b):
    return abs(int(a) - int(b)) <= 1 + 2e-4 * int(b)


with runs.folder() as folder:
    for name, parts in DECKS.items():
        deck = flow.Deck(step=5, regions="FIPNUM\n 90*1 90*2 /\n", schedule="TSTEP\n 10 /\nRPTSCHED\n FIP=2 WELLS /\nTSTEP\n 10 10 /\n", **parts)
        path = os.path.join(folder, name.upper() + ".DATA")
        with open(path, "w") as f:
            f.write(deck.text())
        flow.run_flow(path, os.path.join(folder, name + ".flow"), 5)
        log = os.path.join(folder, name + ".PRT")
        runs.run(path, folder, ["timestep.max=5", "timestep.initial=0.5", "timestep.accuracy=0"], name=name, arguments=["--log", log])
        mine, volumes = read(log)
        theirs, their_volumes = read(os.path.join(folder, name + ".flow", name.upper() + ".PRT"))
        titles = ["Field Totals", "FIPNUM report region 1", "FIPNUM report region 2"]
        checks.true(name + ": sheets at the two last reports", [m[0] for m in mine] == 2 * titles, mine)
        checks.true(name + ": Flow's, the last ones", [m[0] for m in theirs[-6:]] == 2 * titles, theirs)
        for a, b in zip(mine, theirs[-6:]):
            same = a[2] == b[2] and a[4] == b[4] and all(near(a[n], b[n]) for n in (1, 3, 5, 6, 7))
            checks.true("%s: %s" % (name, a[0]), same, (a, b))
        checks.true(name + ": volumes", len(volumes) == 6 and all(a[0] == b[0] and a[2] == b[2] and near(a[1], b[1]) for a, b in zip(volumes, their_volumes[-6:])),
                    (volumes, their_volumes))
        checks.true(name + ": originally", int(mine[0][8]) == int(mine[1][8]) + int(mine[2][8]) or abs(int(mine[0][8]) - int(mine[1][8]) - int(mine[2][8])) <= 2)
        checks.true(name + ": the same later", [m[8:] for m in mine[:3]] == [m[8:] for m in mine[3:]])
    done = runs.hepta("import", os.path.join(folder, "METRIC.DATA"), "-o", os.path.join(folder, "own.cfg"))
    log = os.path.join(folder, "own.PRT")
    runs.run(os.path.join(folder, "own.cfg"), folder, ["timestep.max=5", "timestep.initial=0.5", "timestep.accuracy=0"], name="own", arguments=["--log", log])
    checks.true("the imported deck's", read(log) == read(os.path.join(folder, "metric.PRT")))
    log = os.path.join(folder, "start.PRT")
    runs.run(os.path.join(folder, "own.cfg"), folder, ["output.sheets=none", "output.sheets_at_start=field"], name="start", arguments=["--log", log])
    found = read(log)[0]
    checks.true("of the start alone", [m[0] for m in found] == ["Field Totals"] and found[0][5] == found[0][8] and found[0][7] == found[0][9], found)

sys.exit(checks.result())
