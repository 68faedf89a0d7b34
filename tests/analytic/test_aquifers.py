"""Aquifers against solutions by hand, on one cell full of water.

Fetkovich, tank: a tank of pore volume V and compressibility c (rock alone) that begins at p_r beside an aquifer at p_a. With
T_a = c_a V_a / J and T_r = c V / J both come to rest:

    p_a - p_r = (p_a0 - p_r0) exp(-t (1/T_a + 1/T_r)),    W = c V (p_r - p_r0)

Fetkovich, cell at a constant pressure p (a well holds it): W = c_a V_a (p_a0 - p) (1 - exp(-t/T_a)), exact for any step.

Carter-Tracy: a rate q that is made for good by a well in a rigid cell comes from the aquifer, and van Everdingen and Hurst's
pressure drop at its radius, q mu / (2 pi k h) P(td), is exact for any step; P(td) = (ln td + 0.80907) / 2 at large td.
"""
import math
import os
import sys

import runs

DECK = """RUNSPEC
DIMENS
 1 1 1 /
OIL
WATER
METRIC
START
 1 JAN 2020 /
GRID
DX
 100 /
DY
 100 /
DZ
 10 /
TOPS
 1995 /
PORO
 0.2 /
PERMX
 1E6 /
PERMY
 1E6 /
PERMZ
 1E6 /
PROPS
DENSITY
 800 1000 1 /
PVTW
 200 1 0 0.5 0 /
PVCDO
 200 1 0 1 0 /
ROCK
 200 %(rock)s /
SWOF
 0.2 0 1 0
 1.0 1 0 0 /
%(table)sSOLUTION
PRESSURE
 200 /
SWAT
 1 /
%(aquifer)s
AQUANCON
 1 1 1 1 1 1 1 I- /
/
SUMMARY
FPR
AAQR
/
AAQT
/
AAQP
/
SCHEDULE
%(wells)s
TSTEP
 %(steps)s /
END
"""
TIGHT = ["newton.tolerance_mb=1e-12", "newton.tolerance_cnv=1e-10", "newton.tolerance_well=1e-12", "linear.tolerance=1e-8", "timestep.accuracy=0"]
WELL = "WELSPECS\n P G 1 1 2000 OIL /\n/\nCOMPDAT\n P 2* 1 1 OPEN 1* 1E6 0.2 /\n/\nWCONPROD\n P OPEN %s /\n/\n"
checks = runs.Checks(say=True)


def run(where, name, dt, steps, **parts):
    path = os.path.join(where, name.upper() + ".DATA")
    with open(path, "w") as f:
        f.write(DECK % {"steps": steps, "table": "", **parts})
    return runs.run(path, where, TIGHT + ["timestep.initial=%g" % dt, "timestep.max=%g" % dt], name)


def worst(r, vector, exact, size):
    return max(abs(v - exact(t)) for t, v in zip(r.vector("TIME"), r.vector(vector))) / size


def tank(where):
    rock, volume, c_a, v_a, index = 1e-4, 2e4, 5e-5, 1e5, 0.4  # 1/bar, m3, 1/bar, m3, m3/day/bar
    t_a, t_r = c_a * v_a / index, rock * volume / index
    rate = 1 / t_a + 1 / t_r
    for name, start in (("in", 230.0), ("out", 180.0)):
        r = run(where, "tank_" + name, 0.005, "20", rock="%g" % rock, wells="",
                aquifer="AQUFETP\n 1 2000 %g %g %g %g /\n/\n" % (start, v_a, c_a, index))
        gap = start - 200

        def gone(t):
            return gap * (1 - math.exp(-rate * t)) * t_a / (t_a + t_r)  # what the tank's pressure has risen by

        checks.true("tank, %s: pressure" % name, worst(r, "FPR", lambda t: 200 + gone(t), abs(gap)) < 1.5e-3)
        checks.true("tank, %s: influx" % name, worst(r, "AAQT:1", lambda t: rock * volume * gone(t), rock * volume * abs(gap)) < 1.5e-3)
        checks.true("tank, %s: the aquifer's pressure" % name,
                    worst(r, "AAQP:1", lambda t: start - gone(t) * t_r / t_a, abs(gap)) < 1.5e-3)
        checks.true("tank, %s: mass balance" % name, max(r.mass_balance_errors()) < 1e-10)


def held(where):
    c_a, v_a, index, p = 5e-5, 1e5, 0.4, 150.0
    for dt in (0.5, 7.0):  # whatever the step
        r = run(where, "held_%d" % dt, dt, "5*7", rock="0", wells=WELL % ("BHP 5* %g" % p),
                aquifer="AQUFETP\n 1 2000 200 %g %g %g /\n/\n" % (v_a, c_a, index))
        cell = r.vector("FPR")[-1]
        checks.near("held, steps of %g days: the cell's pressure" % dt, cell, p, 0.01)
        error = worst(r, "AAQT:1", lambda t: c_a * v_a * (200 - p) * (1 - math.exp(-t * index / (c_a * v_a))), c_a * v_a * 50)
        checks.true("held, steps of %g days: influx off by %.1e" % (dt, error), error < 1e-6)


def constant_rate(where):
    k, phi, c, radius, h, mu, q = 200.0, 0.25, 1e-4, 50.0, 20.0, 0.5, 30.0
    unit = 24 * 3600 * runs.MILLIDARCY * runs.BAR / runs.CENTIPOISE  # of k h dp / mu in m3/day
    constant = mu * runs.CENTIPOISE * phi * c / runs.BAR * radius ** 2 / (k * runs.MILLIDARCY) / 86400  # days
    drop = q * mu / (6.283 * k * h * unit)
    times, influence = (0, 1, 10, 100, 1000, 10000), (0.1, 0.9, 1.7, 2.7, 3.9, 5.0)
    table = "AQUTAB\n" + "".join(" %g %g\n" % row for row in zip(times, influence)) + "/\n 0 0.1\n 1 0.9\n 10 1.7 /\n"  # straight on beyond the last row
    aquifer = "AQUCT\n 1 2000 200 %g %g %g %g %g 360 1 %s /\n/\n"

    def linear(t, last=6):
        td = t / constant
        n = max(i for i in range(last - 1) if times[i] <= td or i == 0)
        return influence[n] + (influence[n + 1] - influence[n]) * (td - times[n]) / (times[n + 1] - times[n])

    for dt in (0.01, 0.25):
        for name, number, exact, limit in (("table", 2, linear, 1e-7), ("short", 3, lambda t: linear(t, 3), 1e-7),
                                           ("infinite", 1, lambda t: 0.5 * (math.log(t / constant) + 0.80907), 0.02)):
            path = "%s_%d" % (name, 100 * dt)
            r = run(where, path, dt, "4*0.5", rock="0", wells=WELL % ("WRAT 1* %g 3* 1" % q), table=table,
                    aquifer=aquifer % (k, phi, c, radius, h, number))
            off = max(abs((200 - p) / (drop * exact(t)) - 1) for t, p in zip(r.vector("TIME"), r.vector("FPR"))
                      if number > 1 or 100 < t / constant < 9000)
            told = "aquifer 1: its table of influence ends at %.6g day" % (10 * constant) in r.stderr
            checks.true("constant rate, %s: a table that ends before the run is noted" % name, told == (name == "short"), r.stderr)
            checks.true("constant rate, %s, steps of %g days: pressure drop off by %.1e" % (name, dt, off), off < limit)
            checks.near("constant rate, %s: influx" % name, r.vector("AAQT:1")[-1], 2 * q, 1e-6 * q)


with runs.folder() as folder:
    tank(folder)
    held(folder)
    constant_rate(folder)
sys.exit(checks.result())
