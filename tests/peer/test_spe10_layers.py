"""SPE10 layers 84-85 (channels, permeability over eight orders of magnitude)
against OPM Flow, steps of at most 10 days: totals within 1 %."""
import os

import h5py
import numpy as np

import hepta_run as hr

deck = hr.shared("data", "spe10_layers", "SPE10_L84_85.DATA")
flow = hr.Table(hr.shared("reference", "spe10_l84_85_opmflow.csv"))
fields = hr.shared("reference", "spe10_l84_85_opmflow_fields.h5")

folder = hr.scratch()
done = hr.run(deck, os.path.join(folder, "spe10"), ["timestep.max=10"])
ours = hr.Table(os.path.join(folder, "spe10.summary.csv"))
reports = [float(t) for t in np.cumsum([1, 2, 3, 4, 5, 5, 10, 10, 20, 20, 30, 30, 30, 30, 50, 50] + 17 * [100])]
hr.check(abs(ours["TIME"][-1] - 2000) < 1e-6, "runs to the end: %g days" % ours["TIME"][-1])

for vector in ("FOPT", "FWPT"):
    final = flow[vector][-1]
    worst = max(abs(ours.at(vector, t) - flow.at(vector, t)) for t in reports) / final
    hr.check(worst < 0.01, "%s: largest difference %.3f %% of the final total" % (vector, 100 * worst))
    relative = abs(ours[vector][-1] / final - 1)
    hr.check(relative < 0.01, "%s: %.6g at the end, OPM Flow %.6g (%.3f %%)" % (vector, ours[vector][-1], final, 100 * relative))
worst = max(abs(ours.at("FPR", t) / flow.at("FPR", t) - 1) for t in reports)
hr.check(worst < 0.005, "FPR: largest relative difference %.3f %%" % (100 * worst))
for well in ("P1", "P2", "P3", "P4"):
    worst = max(abs(ours.at("WWCT:" + well, t) - flow.at("WWCT:" + well, t)) for t in reports if t >= 100)
    hr.check(worst < 0.05, "WWCT:%s after 100 days: largest difference %.4f" % (well, worst))

with h5py.File(fields) as theirs, h5py.File(os.path.join(folder, "spe10.h5")) as mine:
    sw = theirs["step_0033/water_saturation"][...]
    last = sorted(mine["steps"])[-1]
    active = np.isfinite(sw)
    difference = np.abs(mine["steps"][last]["sw"][...] - sw)[active].mean()
    hr.check(difference < 0.01, "final saturation: mean absolute difference %.5f" % difference)

error = max(hr.mass_balance(done))
hr.check(error < 1e-6, "mass balance error %.1e" % error)
hr.finish()
