"""The Egg model against OPM Flow, steps of at most 6 days on both sides:
cumulative oil and water within 0.5 %, water cuts within 0.01, final saturation
within 0.01 in the mean. To day 900, long after the water has come to all producers;
HEPTA_TEST_EVERY=1: to the end, day 3600."""
import os
import sys

import h5py
import numpy as np

import runs

deck = runs.shared("data", "egg", "Egg_Model_ECL.DATA")
reference = runs.Table(runs.shared("reference", "egg_opmflow.csv"))
reports = 120 if runs.every(4, 4) == 1 else 30
rows = [n for n, t in enumerate(reference["TIME"]) if t <= 30.0 * reports]
fields = runs.shared("reference", "egg_opmflow_fields.h5")

checks = runs.Checks(say=True)
scratch = runs.folder()
folder = scratch.name
done = runs.run(deck, folder, ["timestep.max=6", "timestep.accuracy=0", "report.end=%d" % (30 * reports)], name="egg")
ours = runs.Table(os.path.join(folder, "egg.summary.csv"))

for vector in ("FOPT", "FWPT", "FWIT"):
    # relative to the final total: early totals of water are zero
    final = reference[vector][rows[-1]]
    worst = max(abs(ours.at(vector, reference["TIME"][n]) - reference[vector][n]) for n in rows) / final
    checks.true("%s: largest difference %.4f %% of the final total" % (vector, 100 * worst), worst < 0.005)
    end = abs(ours[vector][-1] / final - 1)
    checks.true("%s: %.6g at the end, OPM Flow %.6g (%.3f %%)" % (vector, ours[vector][-1], final, 100 * end),
                end < 0.005)

for well in ("PROD1", "PROD2", "PROD3", "PROD4"):
    worst = 0.0
    for n in rows:
        t = reference["TIME"][n]
        oil, water = reference["WOPR:" + well][n], reference["WWPR:" + well][n]
        cut = ours.at("WWPR:" + well, t) / (ours.at("WWPR:" + well, t) + ours.at("WOPR:" + well, t))
        worst = max(worst, abs(cut - water / (oil + water)))
    checks.true("%s: largest difference of water cut %.4f" % (well, worst), worst < 0.01)

with h5py.File(fields) as theirs, h5py.File(os.path.join(folder, "egg.h5")) as mine:
    sw = theirs["step_%04d/water_saturation" % reports][...]
    last = sorted(mine["steps"])[-1]
    active = np.isfinite(sw)
    checks.true("18553 active cells", int(active.sum()) == 18553)
    difference = np.abs(mine["steps"][last]["sw"][...] - sw)[active].mean()
    checks.true("final saturation: mean absolute difference %.5f" % difference, difference < 0.01)
    p = theirs["step_%04d/pressure" % reports][...]
    difference = np.abs(mine["steps"][last]["pressure"][...] / 1e5 - p)[active].mean()
    checks.true("final pressure: mean absolute difference %.4f bar" % difference, difference < 0.5)

error = max(done.mass_balance_errors())
checks.true("mass balance error %.1e" % error, error < 1e-6)
sys.exit(checks.result())
