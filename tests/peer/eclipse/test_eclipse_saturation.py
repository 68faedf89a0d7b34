"""Saturation functions as decks steer them, beside OPM Flow: STEERED of tests/support/region_decks.py. Without its keywords a deck
lies ten limits away."""
import sys

import flow
import runs
from region_decks import STEERED

flow.need()
checks = runs.Checks(say=True)
LIMITS = {"FOPT": 0.003, "FWPT": 0.003, "FWIT": 0.003, "FPR": 0.003, "FOPR": 0.01, "FWPR": 0.01, "WOPR:P2": 0.01,
          "WWPR:P2": 0.01, "WBHP:I": 0.005, "WBHP:P1": 0.005, "WBHP:P2": 0.005}
with runs.folder() as folder:
    for name, (deck, theirs, plain) in flow.chosen(STEERED):
        mine = flow.compare(checks, folder, name, flow.Deck(**(theirs or deck)), LIMITS,
                            mine=flow.Deck(**deck) if theirs else None)
        path = folder + "/" + name.upper() + "_PLAIN.DATA"
        with open(path, "w") as f:
            f.write(flow.Deck(**plain).text())
        without = runs.run(path, folder, name=name + "_plain")
        moved = max(abs(mine.at(t, v) - without.at(t, v)) / abs(without.at(300, v)) / LIMITS[v] for t in (30, 300)
                    for v in ("FPR", "FOPT", "WBHP:I", "FWPT"))
        checks.true("%s: the keyword moves a result by %.0f times its limit" % (name, moved), moved > 10)
sys.exit(checks.result())
