"""Every bundled deck runs and shows what its header promises.

Large decks run on a coarser grid of the same field (fewer cells, larger ones),
so that the whole test takes seconds. Beside the promises a few totals are
compared with stored numbers; their tolerances leave room for other time steps
and linear solvers, not for other physics.
"""
import glob
import os
import re
import sys

import h5py
import numpy

import runs


def common(checks, name, r, end):
    """Requirements of every run."""
    checks.near(name + ": runs to its end", r.vector("TIME")[-1], end, 1e-6 * end)
    checks.near(name + ": last report", r.times[-1], end, 1e-6 * end)
    for phase, error in zip(("oil", "water"), r.mass_balance_errors()):
        checks.between("%s: mass balance of %s" % (name, phase), error, 0.0, 1e-6)
    for report in range(len(r.times)):
        sw, p = r.field("sw", report), r.field("pressure", report)
        checks.true("%s: saturations in 0..1, pressures positive" % name,
                    numpy.isfinite(sw).all() and sw.min() >= -1e-9 and sw.max() <= 1.0 + 1e-9 and p.min() > 0.0)


def breakthrough(r, well, cut=0.01):
    """First time [days] with a water cut above `cut`; infinite if there is none."""
    over = numpy.nonzero(r.vector("WWCT:" + well) > cut)[0]
    return r.vector("TIME")[over[0]] if len(over) > 0 else float("inf")


def buckley_leverett(checks, where):
    r = runs.run("buckley_leverett", where)
    common(checks, "buckley_leverett", r, 300.0)
    checks.near("buckley_leverett: oil rate", r.vector("FOPR")[-1], 20.0, 0.01)
    checks.near("buckley_leverett: no water yet", r.vector("FWPT")[-1], 0.0, 1e-3)
    sw = r.field("sw")[0, 0, :]
    checks.near("buckley_leverett: front [m]", 5.0 * (numpy.argmax(sw < 0.35) + 0.5), 809.0, 40.0)


def gravity_capillary(checks, where):
    r = runs.run("gravity_capillary", where)
    common(checks, "gravity_capillary", r, 3650.0)
    sw = r.field("sw")[:, 0, 0]
    checks.near("gravity_capillary: top", sw[0], 0.2, 0.01)
    checks.true("gravity_capillary: water below 1091 m", (sw[91:] == 1.0).all() and sw[89] < 1.0)
    checks.true("gravity_capillary: rises with depth", (numpy.diff(sw) >= 0.0).all())


def quarter_five_spot(checks, where):
    options = ["grid.size=[25, 25, 1]", "grid.dx=20.0", "grid.dy=20.0", "wells.PROD.i=25", "wells.PROD.j=25"]
    r = runs.run("quarter_five_spot", where, options)
    common(checks, "quarter_five_spot", r, 1000.0)
    for report in range(len(r.times)):
        sw = r.field("sw", report)[0]
        checks.near("quarter_five_spot: symmetry, day %g" % r.times[report], numpy.abs(sw - sw.T).max(), 0.0, 1e-3)
    checks.near("quarter_five_spot: injection", r.vector("FWIR")[-1], 100.0, 0.01)
    checks.between("quarter_five_spot: breakthrough", breakthrough(r, "PROD"), 300.0, 370.0)
    checks.between("quarter_five_spot: water cut at the end", r.vector("FWCT")[-1], 0.88, 0.95)
    return {"oil": (r.vector("FOPT")[-1], 0.01)}


def five_spot_lognormal(checks, where):
    options = ["grid.size=[20, 20, 5]", "grid.dx=30.0", "grid.dy=30.0", "grid.dz=6.0", "wells.INJ.i=10",
               "wells.INJ.j=10", "wells.P2.i=20", "wells.P3.j=20", "wells.P4.i=20", "wells.P4.j=20"]
    r = runs.run("five_spot_lognormal", where, options)
    common(checks, "five_spot_lognormal", r, 1460.0)
    checks.near("five_spot_lognormal: injection", r.vector("FWIT")[-1], 1460.0e3, 1.5e3)
    times = [breakthrough(r, "P%d" % p) for p in range(1, 5)]
    checks.true("five_spot_lognormal: producers differ", max(times) > 1.2 * min(times), str(times))
    checks.true("five_spot_lognormal: breakthrough everywhere", max(times) <= 1460.0, str(times))
    checks.between("five_spot_lognormal: water cut at the end", r.vector("FWCT")[-1], 0.75, 0.92)
    permx, porosity = r.static("permx"), r.static("porosity")
    checks.true("five_spot_lognormal: porosity follows permeability",
                numpy.corrcoef(numpy.log(permx).ravel(), porosity.ravel())[0, 1] > 0.98)
    return {"oil": (r.vector("FOPT")[-1], 0.01)}


def five_spot_channels(checks, where):
    options = ["report.end=600", "report.every=200"]
    r = runs.run("five_spot_channels", where, options)
    common(checks, "five_spot_channels", r, 600.0)
    permx = r.static("permx")
    channel = permx > 100.0
    checks.true("five_spot_channels: contrast", permx.max() >= 0.999e4 * permx.min())
    checks.between("five_spot_channels: share of channels", channel.mean(), 0.25, 0.45)
    sw = r.field("sw")
    checks.true("five_spot_channels: water runs in channels",
                (sw[channel] - 0.2).mean() > 5.0 * (sw[~channel] - 0.2).mean())
    first, late = [breakthrough(r, p) for p in ("P1", "P3")], [breakthrough(r, p) for p in ("P2", "P4")]
    checks.true("five_spot_channels: water by way of channels", max(first) <= 600.0 and min(late) == float("inf"),
                "%s %s" % (first, late))
    checks.between("five_spot_channels: injector's pressure [bar]", r.vector("WBHP:INJ")[-1], 190.0, 215.0)
    return {"oil": (r.vector("FOPT")[-1], 0.02)}


def spe_files(checks, where, options, rock):
    """The same deck with rock from files laid out as spe_perm.dat and spe_phi.dat: six numbers a line, i fastest."""
    folder = os.path.join(where, "rock")
    os.makedirs(folder)
    for name, fields in (("spe_perm.dat", (rock["permx"], rock["permx"], rock["permz"])), ("spe_phi.dat", (rock["porosity"],))):
        numbers = numpy.concatenate([f.ravel() for f in fields])
        with open(os.path.join(folder, name), "w") as f:
            for n in range(0, numbers.size, 6):
                f.write("  ".join("%.9g" % v for v in numbers[n:n + 6]) + "\n")
    files = ["grid.porosity={file=\"%s/spe_phi.dat\";}" % folder, "grid.permx={file=\"%s/spe_perm.dat\";}" % folder,
             "grid.permz={file=\"%s/spe_perm.dat\"; index=2;}" % folder]
    r = runs.run("spe10_class", where, options + files + ["report.end=1", "report.every=1"], name="spe_files")
    for name, field in rock.items():
        checks.true("spe10_class: %s from the files" % name, numpy.array_equal(r.static(name), field))


def spe10_class(checks, where):
    options = ["grid.size=[15, 55, 2]", "grid.dx=80.0", "grid.dy=40.0", "wells.INJ.i=8", "wells.INJ.j=28",
               "wells.P2.i=15", "wells.P3.i=15", "wells.P3.j=55", "wells.P4.j=55", "report.end=500"]
    r = runs.run("spe10_class", where, options)
    common(checks, "spe10_class", r, 500.0)
    rock = {name: r.static(name) for name in ("porosity", "permx", "permz")}
    permx, permz, porosity = rock["permx"], rock["permz"], rock["porosity"]
    checks.true("spe10_class: contrast", permx.max() > 1e5 * permx.min(), "%g" % (permx.max() / permx.min()))
    checks.true("spe10_class: two formations", numpy.median(permx[:1]) > 20.0 * numpy.median(permx[1:]))
    checks.near("spe10_class: kv/kh above", numpy.median(permz[:1] / permx[:1]), 0.3, 0.001)
    checks.true("spe10_class: porosity from 0 to 0.5", porosity.min() == 0.0 and 0.4 < porosity.max() <= 0.5)
    spe_files(checks, where, options, rock)
    checks.true("spe10_class: limits", r.vector("WBHP:INJ").max() < 10000.001
                and min(r.vector("WBHP:P%d" % p).min() for p in range(1, 5)) > 3999.999)
    whole = runs.hepta("check", os.path.join(runs.SOURCE, "decks", "spe10_class.cfg"), "--set", "grid.size[2]=85")
    for words in ("60 x 220 x 85 = 1122000 cells", "420 perforations", "rate 5000 stb/day"):
        checks.true("spe10_class: the whole model by its size alone: " + words, words in whole.stdout, whole.stdout)
    checks.true("spe10_class: a note says which layers a well leaves out",
                "well INJ: 2 of 85 layers are inactive here" in whole.stderr, whole.stderr)
    return {"oil": (r.vector("FOPT")[-1], 0.01)}


def horizontal_deviated(checks, where):
    r = runs.run("horizontal_deviated", where, ["report.end=600"])
    common(checks, "horizontal_deviated", r, 600.0)
    checks.near("horizontal_deviated: liquid rate", r.vector("WLPR:HOR")[-1], 150.0, 0.1)
    checks.true("horizontal_deviated: control", r.vector("WMCTL:HOR")[-1] == "LRAT")
    checks.between("horizontal_deviated: breakthrough", breakthrough(r, "HOR"), 110.0, 200.0)
    sw0, sw = r.field("sw", 0), r.field("sw")
    # Cell (22,15) below the middle of the well against (22,2), far from it.
    rise = (sw - sw0)[:, 14, 21].sum() - (sw - sw0)[:, 1, 21].sum()
    checks.true("horizontal_deviated: a crest below the well", rise > 0.1, "%g" % rise)
    return {"oil": (r.vector("FOPT")[-1], 0.01)}


def schedule(checks, where):
    r = runs.run("schedule", where)
    common(checks, "schedule", r, 1500.0)
    t = r.vector("TIME")
    for event in (200.0, 400.0, 600.0, 800.0, 1000.0, 1200.0):
        checks.near("schedule: no step crosses day %g" % event, numpy.abs(t - event).min(), 0.0, 1e-6)
    checks.near("schedule: P3 shut", r.at(200.0, "WLPT:P3"), 0.0, 0.0)
    checks.near("schedule: P3 opened", r.at(225.0, "WLPR:P3"), 80.0, 0.1)
    shut = (t > 400.0 + 1e-6) & (t < 600.0 + 1e-6)
    checks.near("schedule: P1 shut", numpy.abs(r.vector("WLPR:P1")[shut]).max(), 0.0, 0.0)
    checks.true("schedule: P1 shut, control", r.at(500.0, "WMCTL:P1") == "SHUT")
    checks.near("schedule: P1 opened", r.at(650.0, "WLPR:P1"), 100.0, 0.1)
    checks.true("schedule: P1's controls", r.at(100.0, "WMCTL:P1") == "ORAT" and r.at(650.0, "WMCTL:P1") == "LRAT",
                "%s %s" % (r.at(100.0, "WMCTL:P1"), r.at(650.0, "WMCTL:P1")))
    checks.near("schedule: P1's first rate", r.at(100.0, "WOPR:P1"), 120.0, 0.1)
    checks.true("schedule: INJ at its limit", r.at(900.0, "WMCTL:INJ") == "BHP")
    checks.near("schedule: INJ's pressure", r.at(900.0, "WBHP:INJ"), 300.0, 0.01)
    checks.between("schedule: INJ below its target", r.at(900.0, "WWIR:INJ"), 250.0, 1999.0)
    checks.true("schedule: INJ back", r.at(1100.0, "WMCTL:INJ") == "RATE")
    checks.near("schedule: INJ's rate", r.at(1100.0, "WWIR:INJ"), 250.0, 0.1)
    for p in ("P1", "P2", "P3"):
        checks.true("schedule: %s by bhp" % p, r.at(1500.0, "WMCTL:" + p) == "BHP")
        checks.near("schedule: pressure of " + p, r.at(1500.0, "WBHP:" + p), 130.0, 0.01)
    return {"oil": (r.vector("FOPT")[-1], 0.005), "water": (r.vector("FWPT")[-1], 0.02)}


def aquifer_fault(checks, where):
    r = runs.run("aquifer_fault", where)
    common(checks, "aquifer_fault", r, 2190.0)
    west, east = ([r.field("pressure", n)[:, :, cells].mean() / 1e5 for n in range(len(r.times))]
                  for cells in (slice(0, 15), slice(17, 30)))
    checks.between("aquifer_fault: the west is held [bar]", west[0] - min(west), 2.0, 5.0)
    checks.between("aquifer_fault: the east is not [bar]", east[0] - east[3], 40.0, 60.0)
    checks.between("aquifer_fault: until the fault leaks [bar]", west[4] - east[4], 0.0, 2.0)
    t = r.vector("TIME")
    checks.near("aquifer_fault: no step crosses day 1095", numpy.abs(t - 1095.0).min(), 0.0, 1e-6)
    checks.near("aquifer_fault: E is shut", r.at(1500.0, "WOPR:E"), 0.0, 0.0)
    return {"aquifer": (r.vector("AAQT:1")[-1], 0.02), "water": (r.vector("FWPT")[-1], 0.02)}


def faulted_dome(checks, where):
    r = runs.run("faulted_dome", where, ["report.end=1825"])
    common(checks, "faulted_dome", r, 1825.0)
    # shapes move what is above each other by the same: pore volumes stay those of blocks
    volume = re.search(r"pore volume (\S+) rm3", runs.hepta("check", os.path.join(runs.SOURCE, "decks", "faulted_dome.cfg")).stdout)
    checks.near("faulted_dome: pore volume [m3]", float(volume.group(1)), 40 * 30 * 8 * 50.0 * 50.0 * 4.0 * 0.2, 1.0)
    with h5py.File(r.base + ".grid.h5", "r") as f:
        nodes = f["grid/nodes"][:]
    at = lambda x, y: sorted(abs(nodes[numpy.hypot(nodes[:, 0] - x, nodes[:, 1] - y) < 1.0, 2]))
    # dome, dip, and what is left of the throw 300 m behind the fault
    tilt = numpy.tan(numpy.radians(1.0)) * (1000.0 * numpy.cos(numpy.radians(30.0)) + 750.0 * numpy.sin(numpy.radians(30.0)))
    checks.near("faulted_dome: top of the crest [m]", at(1000.0, 750.0)[0], 2000.0 - 60.0 + tilt + 25.0 * (1.0 - 300.0 / 900.0), 1e-6)
    sides = at(700.0, 750.0)  # 9 depths of layers west of the fault, 9 of those east of it, which lie 25 m deeper
    checks.near("faulted_dome: throw in the middle of the fault [m]", sides[-1] - sides[0], 8 * 4.0 + 25.0, 1e-6)
    checks.between("faulted_dome: first water in DEV [days]", breakthrough(r, "DEV"), 100.0, 400.0)
    sw = r.field("sw", 0)
    checks.true("faulted_dome: oil on the crest, water on the flank", sw[0, 14, 20] < 0.21 and sw[0, 29, 39] > 0.99)
    return {"oil": (r.vector("FOPT")[-1], 0.005), "water": (r.vector("FWPT")[-1], 0.02)}


DECKS = (buckley_leverett, gravity_capillary, quarter_five_spot, five_spot_lognormal, five_spot_channels, spe10_class,
         horizontal_deviated, schedule, aquifer_fault, faulted_dome)

# Totals at the end of the runs above with steps of at most two days, in the deck's units (the aquifer's: of the usual steps).
GOLDEN = {
    "quarter_five_spot: oil": 48773.0,
    "five_spot_lognormal: oil": 867317.0,
    "five_spot_channels: oil": 174810.0,
    "spe10_class: oil": 39803.0,
    "horizontal_deviated: oil": 78279.0,
    "schedule: oil": 231972.0,
    "schedule: water": 137279.0,
    "faulted_dome: oil": 840436.6,
    "faulted_dome: water": 163313.4,
    "aquifer_fault: aquifer": 373400.0,
    "aquifer_fault: water": 132237.0,
}


def main():
    checks = runs.Checks()
    names = {f.__name__ for f in DECKS}
    bundled = {os.path.splitext(os.path.basename(p))[0] for p in glob.glob(os.path.join(runs.SOURCE, "decks", "*.cfg"))}
    checks.true("every bundled deck is tested", bundled <= names, str(bundled - names))
    chosen = sys.argv[1:]
    with runs.folder() as where:
        for deck in DECKS:
            if chosen and deck.__name__ not in chosen:
                continue
            for total, (value, tolerance) in (deck(checks, where) or {}).items():
                key = deck.__name__ + ": " + total
                checks.true(key + " has a stored number", key in GOLDEN, "%.6g" % value)
                if key in GOLDEN:
                    checks.near(key, value, GOLDEN[key], tolerance * abs(GOLDEN[key]))
    return checks.result()


if __name__ == "__main__":
    sys.exit(main())
