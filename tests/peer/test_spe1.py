"""SPE1CASE2_2P against Eclipse's own numbers and OPM Flow's: totals and
pressures within 0.5 %, rates within 1 % of their peak, the switch of the
producer to BHP on the same report step.

Steps are those of the other side: at most 10 days beside OPM Flow, a month
(the deck's report steps) beside Eclipse, which made 123 steps for 120 reports."""
import os
import sys

import h5py
import numpy as np

import runs

deck = runs.shared("data", "spe1", "SPE1CASE2_2P.DATA")
flow = runs.Table(runs.shared("reference", "spe1case2_2p_opmflow.csv"))
eclipse = runs.shared("reference", "spe1case2_2p_eclipse2016.1.txt")
fields = runs.shared("reference", "spe1case2_2p_opmflow_fields.h5")

checks = runs.Checks(say=True)
scratch = runs.folder()
folder = scratch.name
done = runs.run(deck, folder, ["timestep.max=10", "timestep.accuracy=0"], name="spe1")
ours = runs.Table(os.path.join(folder, "spe1.summary.csv"))
months = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] * 10
reports = [float(t) for t in np.cumsum(months)]


def relative(name, a, b, limit):
    checks.true("%s: %.6g, there %.6g (%.3f %%)" % (name, a, b, 100 * abs(a / b - 1)), abs(a / b - 1) < limit)


# OPM Flow at every report time
peak = max(flow["WOPR:PROD"])
worst = max(abs(ours.at("WOPR:PROD", t) - flow.at("WOPR:PROD", t)) for t in reports) / peak
checks.true("WOPR:PROD against Flow: largest difference %.3f %% of the peak" % (100 * worst), worst < 0.01)
peak = max(flow["WWIR:INJ"])
worst = max(abs(ours.at("WWIR:INJ", t) - flow.at("WWIR:INJ", t)) for t in reports) / peak
checks.true("WWIR:INJ against Flow: largest difference %.3f %% of the peak" % (100 * worst), worst < 0.01)
for vector in ("WOPT:PROD", "WWIT:INJ"):
    worst = max(abs(ours.at(vector, t) / flow.at(vector, t) - 1) for t in reports)
    checks.true("%s against Flow: largest relative difference %.3f %%" % (vector, 100 * worst), worst < 0.005)
for vector in ("WBHP:PROD", "WBHP:INJ"):
    worst = max(abs(ours.at(vector, t) / flow.at(vector, t) - 1) for t in reports)
    checks.true("%s against Flow: largest relative difference %.3f %%" % (vector, 100 * worst), worst < 0.005)

# Eclipse's printed tables
runs.run(deck, folder, ["timestep.initial=1", "timestep.max=31", "timestep.accuracy=0"], name="monthly")
small_steps, ours = ours, runs.Table(os.path.join(folder, "monthly.summary.csv"))
for line in open(eclipse):
    if line.startswith("#") or not line.strip():
        continue
    day, fopr, bhp_prod, ctrl_prod, fwir, bhp_inj, ctrl_inj, fopt, fwit = line.split()[:9]
    t = float(day)
    where = " at %g days against Eclipse" % t
    if fopr != "-":
        oil, water = ours.at("FOPR", t), ours.at("FWIR", t)
        checks.true("FOPR %.5g, there %s" % (oil, fopr) + where, abs(oil - float(fopr)) < 0.01 * 20000)
        checks.true("FWIR %.5g, there %s" % (water, fwir) + where, abs(water - float(fwir)) < 0.01 * 1000)
    relative("WBHP:PROD" + where, ours.at("WBHP:PROD", t), float(bhp_prod), 0.005)
    relative("WBHP:INJ" + where, ours.at("WBHP:INJ", t), float(bhp_inj), 0.005)
    relative("FOPT" + where, ours.at("FOPT", t), 1e3 * float(fopt), 0.005)
    relative("FWIT" + where, ours.at("FWIT", t), 1e3 * float(fwit), 0.005)
for t, average in ((59, 4586.9), (1856, 1079.2), (3650, 997.2)):
    relative("FPR at %g days against Eclipse" % t, ours.at("FPR", t), average, 0.005)

ours = small_steps

# the producer leaves its rate at the same report step: the first with less than 20000 stb/d
first_there = next(t for t in reports if flow.at("WOPR:PROD", t) < 19999.0)
modes = dict(zip(("%.3f" % t for t in ours["TIME"]), ours["WMCTL:PROD"]))
first_here = next(t for t in reports if "BHP" in modes["%.3f" % t].upper())
checks.true("PROD goes to BHP by the report at %g days, Flow's at %g" % (first_here, first_there),
            first_here == first_there)

with h5py.File(fields) as theirs, h5py.File(os.path.join(folder, "spe1.h5")) as mine:
    last = sorted(mine["steps"])[-1]
    p = theirs["step_0120/pressure"][...]
    worst = np.abs(mine["steps"][last]["pressure"][...] / 6894.757293168 / p - 1).max()
    checks.true("final pressure: largest relative difference %.3f %%" % (100 * worst), worst < 0.005)

error = max(done.mass_balance_errors())
checks.true("mass balance error %.1e" % error, error < 1e-6)
sys.exit(checks.result())
