"""Rock tables (ROCKTAB) beside OPM Flow: reversible, irreversible, by regions with ROCK beside them. Their effect on pressures
and totals is far above the limits, and so is the difference between reversible and irreversible."""
import os
import sys

import compaction
import flow
import runs

flow.need()
checks = runs.Checks(say=True)
LIMITS = {"FOPT": 0.003, "FWPT": 0.003, "FWIT": 0.003, "FOPR": 0.01, "FWPR": 0.01, "FPR": 0.003, "WBHP:I": 0.005, "WBHP:P1": 0.005,
          "WBHP:P2": 0.005}


def effect(one, other):
    return max(abs(one.at(v, day) - other.at(v, day)) / other.at(v, day) for v in ("FPR", "WBHP:P1") for day in (120, 150, 300))


with runs.folder() as folder:
    path = os.path.join(folder, "NONE.DATA")
    with open(path, "w") as f:
        f.write(compaction.none().text())
    table = {"none": runs.Table(runs.run(path, folder).base + ".summary.csv")}
    for name, other in (("reversible", "none"), ("irreversible", "reversible"), ("regions", "none")):
        mine = flow.compare(checks, folder, name, getattr(compaction, name)(), LIMITS)
        table[name] = runs.Table(mine.base + ".summary.csv")
        size = effect(table[name], table[other])
        checks.true("%s: pressures other than %s by %.0f %%" % (name, other, 100 * size), size > 0.05)
sys.exit(checks.result())
