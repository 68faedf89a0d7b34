"""ACTIONX and UDQ on small decks: dates and totals of OPM Flow; the same bits from restarts and from imported decks; faults."""
import os
import re
import sys

import flow
import runs

WELLS = ("WELSPECS\n I G 1 1 1* WATER /\n I2 G 5 3 1* WATER /\n P1 G 10 6 1* OIL /\n P2 G 10 1 1* OIL /\n/\n"
         "COMPDAT\n I 2* 1 3 OPEN 2* 0.2 /\n I2 2* 1 3 OPEN 2* 0.2 /\n P1 2* 1 3 OPEN 2* 0.2 /\n P2 2* 1 3 OPEN 2* 0.2 /\n/\n"
         "WLIST\n '*L' NEW P1 P2 /\n/\n")
CONTROLS = ("WCONINJE\n I WATER OPEN RATE 400 1* 600 /\n I2 WATER SHUT RATE 30 1* 700 /\n/\n"
            "WCONPROD\n P1 OPEN ORAT %s 3* 80 /\n P2 OPEN LRAT 3* %s 1* 80 /\n/\n").replace("3* 80", "4* 80")
STEPS = "TSTEP\n 60*5 /\n"
SHUT = "ACTIONX\n SHUTIN 10 /\n WWCT '*L' > 0.35 AND /\n ( FWCT > 0.1 OR FPR < 10 ) /\n/\nWELOPEN\n '?' SHUT /\n/\nENDACTIO\n"
TURN = ("ACTIONX\n TURN 1 /\n FOPR < 260 AND /\n ( MNTH .GE. FEB OR YEAR > 2020 ) /\n/\nWELOPEN\n P2 SHUT /\n/\n"
        "WCONINJE\n I2 WATER OPEN RATE 60 1* 700 /\n/\nWELTARG\n I WRAT 300 /\n P1 BHP 95 /\n/\nENDACTIO\n"
        "ACTIONX\n AGAIN 3 40 /\n WWCT P1 > 0.05 OR /\n WWCT 'P2' .GT. 0.05 /\n/\nWEFAC\n '?' 0.9 /\n/\nENDACTIO\n")
RATIO = ("UDQ\n ASSIGN FULIM 100 /\n DEFINE WUOR WOPR 'P*' / (WLPR 'P*' + 0.001) /\n DEFINE FURAT MAX(WUOR) * 150 + SUM(WWCT 'P*')*2 /\n"
         " DEFINE WUT (WOPR 'P*' > 60) * 20 + 150 /\n UNITS FURAT SM3/DAY /\n/\n")
LOWER = "ACTIONX\n LOWER 2 20 /\n FURAT < 149 AND /\n FOPT > 1000 /\n/\nWELTARG\n P1 ORAT 120 /\n/\nENDACTIO\n"
# Actions and their days, and totals at day 300 of OPM Flow 2022.10 (tests/support/flow.py: run_flow of these decks).
FLOW = {"shut": ([(225, "SHUTIN", "P2")], {"FOPT": 85951.414, "FWPT": 4284.6694, "FWIT": 120000.0, "FPR": 558.80005, "WOPT:P2": 40951.418}),
        "turn": ([(135, "AGAIN", "P2"), (175, "AGAIN", "P2"), (215, "AGAIN", "P2"), (240, "TURN", "")],
                 {"FOPT": 86276.344, "FWPT": 4840.2534, "FWIT": 117600.0, "FPR": 514.30652, "WOPT:P2": 41276.344}),
        "ratio": ([(270, "LOWER", ""), (290, "LOWER", "")],
                  {"FOPT": 85956.5625, "FWPT": 9053.4512, "FPR": 493.93762, "WOPT:P1": 43960.652, "FURAT": 145.18919, "WUOR:P1": 0.96029037,
                   "WUT:P2": 170.0})}
OPTIONS = ["timestep.max=5", "timestep.initial=0.5", "timestep.accuracy=0", "timestep.target_newton=8", "newton.tolerance_cnv=1e-3", "newton.tolerance_mb=1e-8"]


def decks():
    return {"shut": flow.Deck(wells=WELLS, controls=CONTROLS % (150, 200), schedule=SHUT + STEPS),
            "turn": flow.Deck(wells=WELLS, controls=CONTROLS % (150, 200), schedule=TURN + STEPS),
            "ratio": flow.Deck(wells=WELLS, controls=RATIO + CONTROLS % ("FURAT", "WUT"), schedule=LOWER + STEPS, add={"summary": "FURAT\nWUOR\n/\nWUT\n/\n"})}


def rows(base):
    with open(base + ".summary.csv", encoding="utf-8") as f:
        return f.read()


def check_flow(checks, name, run):
    days, totals = FLOW[name]
    said = re.findall(r"time (\S+) day: action (\w+) runs(?: for (.*))?\n", run.stderr)
    checks.true(name + ": actions", [(float(d), a, w) for d, a, w in said] == days, said)
    table = runs.Table(run.base + ".summary.csv")
    for v, total in totals.items():
        checks.near("%s: %s" % (name, v), table.at(v, 300), total, 0.003 * total)


def check_again(checks, where, name, path, whole):
    """From report steps around actions, from an imported deck."""
    for step in (10, 45, 54, 55):
        base = os.path.join(where, "again")
        done = runs.hepta("run", path, "-q", "-o", base, "--restart", "%s:%d" % (whole.base, step), *[w for o in OPTIONS for w in ("--set", o)])
        checks.true("%s from step %d" % (name, step), done.returncode == 0 and rows(base) == rows(whole.base), done.stderr[-300:])
    own = os.path.join(where, name + ".cfg")
    done = runs.hepta("import", path, "-o", own)
    checks.true(name + ": imported", done.returncode == 0, done.stderr)
    imported = runs.run(own, where, OPTIONS, name=name + "_imported")
    checks.true(name + ": imported, the same bits", rows(imported.base) == rows(whole.base))


def check_faults(checks, where):
    """In the schedule behind the controls; NONE: a note."""
    action = "ACTIONX\n A 1 /\n WWCT P1 > 0.5 /\n/\n%sENDACTIO\n"
    cases = {"PYACTION\n A SINGLE /\n 'a.py' /\n": "PYACTION: not supported", action % "WELOPEN\n NOSUCH SHUT /\n/\n": "no well 'NOSUCH'",
             action % "TSTEP\n 5 /\n": "TSTEP: is not supported between ACTIONX and ENDACTIO",
             action % "WLIST\n '*L' ADD I /\n/\n": "WLIST: is not supported between", action % "DATES\n 1 JAN 2030 /\n/\n": "DATES: is not supported",
             "ENDACTIO\n": "no ACTIONX stands before it", "ACTIONX\n A 1 /\n FOPR > 1 /\n/\nWELOPEN\n P1 SHUT /\n/\n": "ENDACTIO is missing",
             "ACTIONX\n A 1 /\n FOPR >> 1 /\n/\nENDACTIO\n": "a quantity of at most 8 letters or a number", "UDQ\n DEFINE CUX 1 /\n/\n": "CU quantities are not supported",
             "UDQ\n DEFINE FUX RANDN(1) /\n/\n": "random numbers", "UDQ\n DEFINE FUX WOPR /\n/\n": "quantity FUX: the expression gives a number for each well",
             "UDQ\n ASSIGN FUX /\n/\n": "is not a number", "UDQ\n FREEZE FUX 1 /\n/\n": "only DEFINE, ASSIGN, UNITS and UPDATE",
             "WELTARG\n P1 ORAT FUX /\n/\n": "is not a quantity that UDQ has made before",
             action % "WELTARG\n I ORAT 5 /\n/\n": "it has no such rate", action % "COMPDAT\n P1 2* 1 1 OPEN 2* 0.2 /\n/\n": "needs its factor",
             "UDT\n TUX 2 /\n": "only tables of one", "UDT\n TUX 1 /\n XX 1 2 /\n 3 4 /\n /\n/\n": "only NV, LC and LL"}
    for text, expected in cases.items():
        path = os.path.join(where, "FAULT.DATA")
        with open(path, "w", encoding="utf-8") as f:
            f.write(flow.Deck(wells=WELLS, controls=CONTROLS % (150, 200), schedule=text + STEPS).text())
        done = runs.hepta("check", path)
        checks.true(expected, done.returncode == 2 and expected in done.stderr and re.search(r"FAULT.DATA:\d+", done.stderr), done.stderr)
    path = os.path.join(where, "NEVER.DATA")
    with open(path, "w", encoding="utf-8") as f:
        f.write(flow.Deck(wells=WELLS, controls=RATIO + CONTROLS % (150, 200), schedule=(action % "WELOPEN\n ? SHUT /\n/\n").replace("WWCT P1", "WWCT 'X*'") + STEPS).text())
    done = runs.hepta("check", path)
    checks.true("a condition that never holds", done.returncode == 0 and "action A: its condition can never hold" in done.stderr, done.stderr)
    checks.true("counts", "1 action, 4 quantities" in done.stdout, done.stdout)


def main():
    checks = runs.Checks()
    with runs.folder() as where:
        for name, deck in decks().items():
            path = os.path.join(where, name.upper() + ".DATA")
            with open(path, "w", encoding="utf-8") as f:
                f.write(deck.text())
            whole = runs.run(path, where, OPTIONS + ["output.restart=-1"], name=name)
            check_flow(checks, name, whole)
            check_again(checks, where, name, path, whole)
        check_faults(checks, where)
    return checks.result()


sys.exit(main())
