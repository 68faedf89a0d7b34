"""Runs of faulted corner point grids beside OPM Flow, at the same small steps: a throw that cuts the way from injector to
producers, layers that cross at a fault, connections given by NNC. Each deck is run once more without its connections:
their effect is far above the limits."""
import math
import sys

import flow
import runs

flow.need()
checks = runs.Checks(say=True)
NX, NY, NZ = 10, 6, 3
LIMITS = {"FOPT": 0.003, "FWPT": 0.003, "FWIT": 0.003, "FOPR": 0.01, "FWPR": 0.01, "FPR": 0.003, "WBHP:I": 0.005, "WBHP:P1": 0.005,
          "WBHP:P2": 0.005, "WOPR:P1": 0.01, "WOPR:P2": 0.01, "WWPR:P1": 0.01, "WWPR:P2": 0.01}


def corners(depth):
    """COORD and ZCORN; depth(i, j, k) of corner (i, j) of surface k as cells of column (ci, cj) have it."""
    coord = "".join(" %g %g 1900 %g %g 2200\n" % (40 * i, 50 * j, 40 * i + 10 * (j % 2), 50 * j)
                    for j in range(NY + 1) for i in range(NX + 1))
    zcorn = "".join(" %.8g\n" % depth(i, j, i + a, j + b, k + c) for k in range(NZ) for c in (0, 1) for j in range(NY)
                    for b in (0, 1) for i in range(NX) for a in (0, 1))
    return "COORD\n" + coord + "/\nZCORN\n" + zcorn + "/\n"


def throw(ci, cj, i, j, k):
    return 2000.0 + 8.0 * k + 0.5 * i + (12.0 if ci >= 5 else 0.0) + (5.0 if cj >= 3 else 0.0)


def crossing(ci, cj, i, j, k):
    return 2000.0 + 8.0 * k + (1.5 * i if cj < 3 else 15.0 - 1.7 * i) + (10.0 * math.sin(j) if ci >= 4 else 0.0)


def level(ci, cj, i, j, k):
    return 2000.0 + 8.0 * k


ROCK = ("PORO\n 180*0.2 /\nPERMX\n 60*200 60*50 60*400 /\nCOPY\n PERMX PERMY /\n PERMX PERMZ /\n/\nMULTIPLY\n PERMZ 0.1 /\n/\n")
WALL = "FAULTS\n F 5 5 1 6 1 3 X /\n/\n"
DECKS = {
    "throw": (corners(throw) + ROCK + WALL, "MULTFLT\n F 0.05 /\n/\n"),
    "crossing": (corners(crossing) + ROCK + WALL, "MULTFLT\n F 0.02 /\n/\n"),
    "given": (corners(level) + ROCK + "EQUALS\n MULTX 0.02 5 5 1 6 1 3 /\n/\n",
              "NNC\n 5 1 1 6 2 3 0.8 /\n 5 3 1 6 3 2 1.5 /\n 5 6 3 6 5 1 2.5 /\n 1 1 2 10 6 2 0.3 /\n/\n"),
}

with runs.folder() as folder:
    for name, (grid, change) in DECKS.items():
        plain = flow.compare(checks, folder, name, flow.Deck(grid=grid), LIMITS)
        changed = flow.compare(checks, folder, name + "_changed", flow.Deck(grid=grid + change), LIMITS)
        one, other = (runs.Table(run.base + ".summary.csv") for run in (plain, changed))
        effect = max(abs(one.at(v, 300) - other.at(v, 300)) / one.at(v, 300) for v in ("FOPT", "FWPT", "FPR"))
        checks.true("%s: the change moves a total or the pressure by %.0f %%" % (name, 100 * effect), effect > 0.03)
    # multipliers of SCHEDULE, each on top of what was before
    steps = ("TSTEP\n 60 /\n%sTSTEP\n 60 /\n%sTSTEP\n 60 /\nMULTFLT\n F 0.5 /\n/\nTSTEP\n 60 /\n")
    for name, one, other in (("multflt", "MULTFLT\n F 0.05 /\n/\n", "MULTFLT\n F 5 /\n/\n"),
                             ("multx", "BOX\n 5 5 1 6 1 3 /\nMULTX\n 18*0.05 /\nENDBOX\n", "BOX\n 6 6 1 6 1 3 /\nMULTX-\n 18*5 /\n")):
        plain = flow.Deck(grid=corners(crossing) + ROCK + WALL, schedule="TSTEP\n 4*60 /\n")
        changed = flow.Deck(grid=corners(crossing) + ROCK + WALL, schedule=steps % (one, other))
        runs_of = [runs.Table(flow.compare(checks, folder, name + kind, d, LIMITS, days=(60, 120, 180, 240)).base + ".summary.csv")
                   for kind, d in (("", changed), ("_plain", plain))]
        effect = max(abs(runs_of[0].at(v, 240) - runs_of[1].at(v, 240)) / runs_of[1].at(v, 240) for v in ("FOPT", "FPR", "WBHP:I"))
        checks.true("%s: multipliers of SCHEDULE move a total or a pressure by %.0f %%" % (name, 100 * effect), effect > 0.03)
sys.exit(checks.result())
