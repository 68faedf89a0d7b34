"""Threshold pressures between equilibration regions (THPRES) beside OPM Flow: given, and the differences at the start;
and across a fault. Their effect is far above the limits."""
import sys

import flow
import runs

flow.need()
checks = runs.Checks(say=True)
LIMITS = {"FOPT": 0.003, "FWPT": 0.003, "FWIT": 0.003, "FOPR": 0.01, "FWPR": 0.01, "FPR": 0.003, "WBHP:I": 0.005, "WBHP:P1": 0.005,
          "WBHP:P2": 0.005}
REGIONS = "EQLNUM\n " + " ".join("5*1 5*2" for _ in range(18)) + " /\n"
EQUIL = "EQUIL\n 2000 %g 2100 0 /\n 2000 %g 2100 0 /\n"
TABDIMS = "TABDIMS\n 1 1 30 30 5 /\nEQLDIMS\n 2 /\n"


def deck(first, second, threshold, add=None):
    option = "EQLOPTS\n THPRES /\n" if threshold is not None else ""
    given = "THPRES\n 1 2 %s /\n/\n" % threshold if threshold is not None else ""
    return flow.Deck(tabdims=TABDIMS + option, regions=REGIONS, solution=EQUIL % (first, second) + given, add=add)


NNC = {"grid": "NNC\n 5 1 1 6 2 3 0.8 /\n 5 3 1 6 3 2 1.5 /\n/\nEQUALS\n MULTX 0.2 5 5 1 6 1 3 /\n/\n"}
CASES = {  # the deck, and the same without its threshold
    "given": (deck(200, 200, "40"), deck(200, 200, None)),
    "start": (deck(200, 165, "1*"), deck(200, 165, None)),
    "connections": (deck(200, 200, "35", NNC), deck(200, 200, None, NNC)),
}

with runs.folder() as folder:
    for name, (held, free) in CASES.items():
        one, other = (runs.Table(flow.compare(checks, folder, name + kind, d, LIMITS).base + ".summary.csv")
                      for kind, d in (("", held), ("_free", free)))
        effect = max(abs(one.at(v, day) - other.at(v, day)) / other.at(v, day) for v in ("FPR", "WBHP:I") for day in (30, 300))
        checks.true("%s: a threshold changes pressures by %.0f %%" % (name, 100 * effect), effect > 0.05)
sys.exit(checks.result())
