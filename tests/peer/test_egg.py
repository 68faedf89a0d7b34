"""The Egg model against OPM Flow, steps of at most 6 days on both sides:
cumulative oil and water within 0.5 %, water cuts within 0.01, final saturation
within 0.01 in the mean."""
import os

import h5py
import numpy as np

import hepta_run as hr

deck = hr.shared("data", "egg", "Egg_Model_ECL.DATA")
reference = hr.Table(hr.shared("reference", "egg_opmflow.csv"))
fields = hr.shared("reference", "egg_opmflow_fields.h5")

folder = hr.scratch()
done = hr.run(deck, os.path.join(folder, "egg"), ["timestep.max=6"])
ours = hr.Table(os.path.join(folder, "egg.summary.csv"))

for vector in ("FOPT", "FWPT", "FWIT"):
    # relative to the final total: early totals of water are zero
    worst = max(abs(ours.at(vector, t) - v) for t, v in zip(reference["TIME"], reference[vector])) / reference[vector][-1]
    hr.check(worst < 0.005, "%s: largest difference %.4f %% of the final total" % (vector, 100 * worst))
    end = abs(ours[vector][-1] / reference[vector][-1] - 1)
    hr.check(end < 0.005, "%s: %.6g at the end, OPM Flow %.6g (%.3f %%)" % (vector, ours[vector][-1], reference[vector][-1], 100 * end))

for well in ("PROD1", "PROD2", "PROD3", "PROD4"):
    worst = 0.0
    for n, t in enumerate(reference["TIME"]):
        oil, water = reference["WOPR:" + well][n], reference["WWPR:" + well][n]
        cut = ours.at("WWPR:" + well, t) / (ours.at("WWPR:" + well, t) + ours.at("WOPR:" + well, t))
        worst = max(worst, abs(cut - water / (oil + water)))
    hr.check(worst < 0.01, "%s: largest difference of water cut %.4f" % (well, worst))

with h5py.File(fields) as theirs, h5py.File(os.path.join(folder, "egg.h5")) as mine:
    sw = theirs["step_0120/water_saturation"][...]
    last = sorted(mine["steps"])[-1]
    active = np.isfinite(sw)
    hr.check(int(active.sum()) == 18553, "18553 active cells")
    difference = np.abs(mine["steps"][last]["sw"][...] - sw)[active].mean()
    hr.check(difference < 0.01, "final saturation: mean absolute difference %.5f" % difference)
    p = theirs["step_0120/pressure"][...]
    difference = np.abs(mine["steps"][last]["pressure"][...] / 1e5 - p)[active].mean()
    hr.check(difference < 0.5, "final pressure: mean absolute difference %.4f bar" % difference)

error = max(hr.mass_balance(done))
hr.check(error < 1e-6, "mass balance error %.1e" % error)
hr.finish()
