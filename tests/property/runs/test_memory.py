"""The memory that `hepta check` predicts is what a run needs, to 10 %: bundled decks, methods, preconditioners,
options of cpr, many wells, long schedules and tables of many time steps. Of a half of the options, each on one of three decks, and of
the others each second; HEPTA_TEST_EVERY=1: all, on all decks."""
import math
import os
import re
import sys

import runs

UNIT = {"B": 1.0, "kB": 1e3, "MB": 1e6, "GB": 1e9}
SHORT = ["report.end=1.0", "report.every=0.5", "timestep.initial=0.5"]  # two steps, each with a report
DECKS = ["quarter_five_spot", "schedule", "gravity_capillary", "horizontal_deviated", "spe10_class", "buckley_leverett",
         "five_spot_channels", "five_spot_lognormal"]
CPR = ["coarsening=cljp", "coarsening=rs", "max_weights=0", "interpolation=direct", "interpolation=classical",
       "strength=0.9", "smoother=schwarz", "precision=double", "format=hec", "format=csr"]
# of five_spot_lognormal a quarter of the cells, for options
QUARTER = ["grid.size=[30, 30, 14]", "wells.INJ.i=15", "wells.INJ.j=15", "wells.P2.i=30", "wells.P3.j=30", "wells.P4.i=30",
           "wells.P4.j=30"]
CASES = [(name + ".cfg", SHORT, []) for name in DECKS]
CASES += [("five_spot_lognormal.cfg", SHORT + QUARTER + [o], [])
          for o in ("linear.preconditioner=dilu", "linear.method=gmres", "output.restart=0")]
CASES += [(name, SHORT + (QUARTER if d == 1 else []) + ["linear.cpr." + o], [])
          for d, name in enumerate(("five_spot_channels.cfg", "five_spot_lognormal.cfg", "quarter_five_spot.cfg"))
          for n, o in enumerate(CPR) if (n + d) % runs.every(6, 6) == 0]
CASES += [("five_spot_lognormal.cfg", SHORT + QUARTER + ["linear.cpr.smoother=schwarz", "linear.cpr.domain=1"], []),
          ("five_spot_channels.cfg", SHORT, ["--threads", "16"]),
          ("quarter_five_spot.cfg", SHORT + ["grid.refine=[2,2,3]"], []),
          ("quarter_five_spot.cfg", SHORT + ["grid.refine=[1,1,4]"], []),
          ("five_spot_channels.cfg", SHORT + ["grid.refine=[1,2,1]"], []),
          ("quarter_five_spot.cfg", ["report.end=200", "report.every=1", "linear.preconditioner=dilu"], []),
          ("buckley_leverett.cfg",
           ["report.every=100", "report.end=600", "timestep.max=0.5", "timestep.initial=0.5"], []),
          ("FIVE_SPOT.DATA", [], []), ("buckley_leverett.cfg", [], []), ("gravity_capillary.cfg", [], [])]


def many_wells(path):
    """200 wells through 4 layers, and 2000 entries of the schedule long after the run's end."""
    with open(runs.deck("five_spot_lognormal")) as f:
        text = f.read()
    place = "i = %d; j = %d; radius = 0.1;"
    injector = '{ name = "I"; type = "injector"; phase = "water"; control = "rate"; rate = 9.0; %s }' % (place % (60, 60))
    well = '{ name = "W%d"; type = "producer"; control = "bhp"; bhp = 200.0; ' + place + " }"
    wells = [injector] + [well % (n, 2 + 3 * (n % 18), 2 + 3 * (n // 18)) for n in range(200)]
    entry = '{ time = %g; well = "W%d"; bhp = %g; }'
    schedule = [entry % (1000.0 + 0.01 * n, n % 200, 199.0 - n % 7) for n in range(2000)]
    lists = "wells = (\n" + ",\n".join(wells) + "\n);\nschedule = (" + ",\n".join(schedule) + ");"
    text = re.sub(r"wells = \(.*?\n\);", lists, text, flags=re.S)
    with open(path, "w") as f:
        f.write(text.replace("size = [60, 60, 14]", "size = [60, 60, 4]"))


def amount(pattern, text):
    number, unit = re.search(pattern + r" ([0-9.]+) (B|kB|MB|GB)", text).groups()
    return float(number) * UNIT[unit]


def compare(checks, where, deck, options, more):
    """The tables at the end report the run's peak."""
    sets = [a for o in options for a in ("--set", o)]
    name = " ".join([os.path.basename(deck)] + options + more)
    said = runs.hepta("check", deck, *sets, *more)
    ran = runs.hepta("run", deck, "-o", os.path.join(where, "m"), "--progress", "never", *sets, *more)
    checks.true(name + ": both work", said.returncode == 0 and ran.returncode == 0, said.stderr + ran.stderr)
    if said.returncode != 0 or ran.returncode != 0:
        return
    want, have = amount("memory   about", said.stdout), amount("peak memory", ran.stdout)
    print(name, "%.3g said, %.3g needed: %+.1f %%" % (want, have, 100.0 * (want / have - 1.0)))
    # how much waits to be written at a time depends on the machine: at most what was said, seldom all of it; both have two digits
    digit = 10.0 ** (math.floor(math.log10(want)) - 1)
    checks.between(name, (want - 0.5 * digit) / (have + 0.5 * digit), 0.9, 1.12)


def main():
    checks = runs.Checks()
    with runs.folder() as where:
        for deck, options, more in CASES[::runs.every(3, 3)]:
            compare(checks, where, os.path.join(os.path.dirname(runs.deck("schedule")), deck), options, more)
        deck = os.path.join(where, "many.cfg")
        many_wells(deck)
        for options in ([], ["linear.preconditioner=dilu", 'output.vectors=["COPR"]']):
            compare(checks, where, deck, SHORT + options, [])
    return checks.result()


if __name__ == "__main__":
    sys.exit(main())
