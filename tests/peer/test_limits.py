"""Ten of the random decks of tests/property/runs/test_limits.c (HEPTA_TEST_EVERY=1: twenty) beside OPM Flow, both with steps of
half a day at most: the same controls, bottom-hole pressures, rates and totals after every event.

The decks are those in which no open well stands still and Flow's own iteration holds: Flow shuts a well for good where
nothing can flow at its limit, hepta keeps it open.
"""
import os
import subprocess
import sys

import flow
import runs

SEEDS = (7, 32, 70, 81, 120, 122, 133, 167, 172, 181, 184, 196, 204, 205, 216, 218, 226, 251, 254, 309)
CODES = {"SHUT": 0, "ORAT": 1, "WRAT": 2, "RATE": 2, "LRAT": 4, "RESV": 5, "BHP": 7}
LIMITS = {"FOPT": 0.01, "FWPT": 0.01, "FWIT": 0.01, "FPR": 0.002, "WBHP": 0.002, "WOPR": 0.02, "WWPR": 0.02,
          "WWIR": 0.02}
STEP, WELLS = 0.5, ("W0", "W1", "W2", "W3")

flow.need()
DECKS = os.environ.get("HEPTA_LIMITS") or runs.skip("HEPTA_LIMITS does not name test_property_limits")


def vectors(case, names):
    """Columns of a Flow summary by time (two digits)."""
    out = {}
    for name in names:
        times, values = flow.vector(case, name)
        out[name] = dict(zip((round(t, 2) for t in times), values))
    return out


def check(checks, folder, seed):
    name = "LIMITS%d" % seed
    path = os.path.join(folder, name + ".DATA")
    deck = subprocess.run([DECKS, "deck", str(seed), str(STEP)], capture_output=True, text=True, check=True).stdout
    with open(path, "w") as f:
        f.write(deck)
    case = os.path.join(flow.run_flow(path, os.path.join(folder, "flow%d" % seed), STEP,
                                      ["--tolerance-wells=1e-6"]), name)
    ours = runs.Table(runs.run(path, folder, ["timestep.max=%g" % STEP, "timestep.accuracy=0", "timestep.target_newton=8", "newton.tolerance_cnv=1e-3",
                                              "newton.tolerance_mb=1e-8", "linear.tolerance=1e-4", "output.fields=false"]).base + ".summary.csv")
    days = [5.0 * n for n in range(1, 14)]
    names = [v for v in LIMITS if v[0] == "F"] + [v + ":" + w for v in LIMITS if v[0] == "W" for w in WELLS]
    there = vectors(case, names + ["WMCTL:" + w for w in WELLS])
    for v in names:
        if not there[v]:
            continue
        size = max(5.0 if v[1:4] in ("OPR", "WPR", "WIR") else 0.0, max(abs(x) for x in there[v].values()))
        if v == "FWPT":  # before the water comes its total is next to nothing
            size = max(size, 0.05 * max(there["FOPT"].values()))
        wells = [d for d in days if v[0] == "F" or ours.at("WMCTL:" + v[5:], d) != "SHUT"]
        worst = max((abs(ours.at(v, d) - there[v][d]) / (size or 1.0) for d in wells), default=0.0)
        checks.true("deck %d: %s differs by %.2f %%" % (seed, v, 100 * worst), worst < LIMITS[v.split(":")[0]])
    same = total = 0
    for w in WELLS:
        for d in days:
            code = there["WMCTL:" + w].get(d)
            total += code is not None
            same += code is not None and abs(code) == CODES[ours.at("WMCTL:" + w, d)]
    return same, total


checks = runs.Checks()
with runs.folder() as folder:
    counts = [check(checks, folder, seed) for seed in SEEDS[::runs.every(2, 2)]]
same, total = (sum(c[n] for c in counts) for n in (0, 1))
print("the same control in %d of %d" % (same, total))
checks.true("controls are the same but where two limits meet", total == 52 * len(counts) and same >= 0.99 * total, (same, total))
sys.exit(checks.result())
