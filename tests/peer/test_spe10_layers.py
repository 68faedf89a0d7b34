"""SPE10 layers 84-85 (channels, permeability over eight orders of magnitude)
against OPM Flow, steps of at most 10 days: totals within 1 %. To day 500;
HEPTA_TEST_EVERY=1: to the end, day 2000, with the saturation of the cells."""
import os
import sys

import h5py
import numpy as np

import runs

deck = runs.shared("data", "spe10_layers", "SPE10_L84_85.DATA")
flow = runs.Table(runs.shared("reference", "spe10_l84_85_opmflow.csv"))
fields = runs.shared("reference", "spe10_l84_85_opmflow_fields.h5")

checks = runs.Checks(say=True)
scratch = runs.folder()
folder = scratch.name
end = 2000.0 if runs.every(4, 4) == 1 else 500.0
done = runs.run(deck, folder, ["timestep.max=10", "timestep.accuracy=0", "report.end=%g" % end], name="spe10")
ours = runs.Table(os.path.join(folder, "spe10.summary.csv"))
reports = [float(t) for t in np.cumsum([1, 2, 3, 4, 5, 5, 10, 10, 20, 20, 30, 30, 30, 30, 50, 50] + 17 * [100]) if t <= end]
checks.true("runs to the end: %g days" % ours["TIME"][-1], abs(ours["TIME"][-1] - end) < 1e-6)

for vector in ("FOPT", "FWPT"):
    final = flow.at(vector, end)
    worst = max(abs(ours.at(vector, t) - flow.at(vector, t)) for t in reports) / final
    checks.true("%s: largest difference %.3f %% of the final total" % (vector, 100 * worst), worst < 0.01)
    relative = abs(ours[vector][-1] / final - 1)
    checks.true("%s: %.6g at the end, OPM Flow %.6g (%.3f %%)" % (vector, ours[vector][-1], final, 100 * relative),
                relative < 0.01)
worst = max(abs(ours.at("FPR", t) / flow.at("FPR", t) - 1) for t in reports)
checks.true("FPR: largest relative difference %.3f %%" % (100 * worst), worst < 0.005)
for well in ("P1", "P2", "P3", "P4"):
    worst = max(abs(ours.at("WWCT:" + well, t) - flow.at("WWCT:" + well, t)) for t in reports if t >= 100)
    checks.true("WWCT:%s after 100 days: largest difference %.4f" % (well, worst), worst < 0.05)

if end == 2000.0:
    with h5py.File(fields) as theirs, h5py.File(os.path.join(folder, "spe10.h5")) as mine:
        sw = theirs["step_0033/water_saturation"][...]
        last = sorted(mine["steps"])[-1]
        active = np.isfinite(sw)
        difference = np.abs(mine["steps"][last]["sw"][...] - sw)[active]
        checks.true("final saturation: mean absolute difference %.5f, largest %.4f" % (difference.mean(), difference.max()),
                    difference.mean() < 0.01 and difference.max() < 0.05)

error = max(done.mass_balance_errors())
checks.true("mass balance error %.1e" % error, error < 1e-6)
sys.exit(checks.result())
