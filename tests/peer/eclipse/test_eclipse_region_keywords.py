"""Regions and end points on small decks beside OPM Flow: SATNUM, PVTNUM, EQLNUM
with the tables of each, ENDSCALE with end points of cells, SCALECRS, SWATINIT. A
run of the deck without the keyword lies outside the limits."""
import sys

import flow
import runs
from region_decks import DATUM, DECKS

flow.need()
checks = runs.Checks(say=True)
LIMITS = {"FOPT": 0.003, "FWPT": 0.006, "FWIT": 0.003, "FPR": 0.002, "WBHP:I": 0.003, "WBHP:P1": 0.006,
          "WBHP:P2": 0.006, "WOPT:P1": 0.005, "WOPT:P2": 0.005}
plain = None
with runs.folder() as folder:
    for name, sections in flow.chosen(DECKS):
        mine = flow.compare(checks, folder, name, flow.Deck(**sections), LIMITS)
        if plain is None:
            path = folder + "/PLAIN.DATA"
            with open(path, "w") as f:
                f.write(flow.Deck(solution=DATUM).text())
            plain = runs.run(path, folder, name="plain")
        moved = max(abs(mine.at(t, v) - plain.at(t, v)) / abs(plain.at(300, v)) for t in (30, 300)
                    for v in ("FPR", "FOPT", "WOPT:P2", "WBHP:I", "FWPT"))
        checks.true("%s: the keywords move a result by %.2f %%" % (name, 100 * moved), moved > 0.02)
sys.exit(checks.result())
