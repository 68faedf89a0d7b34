"""Linear iterations of CPR to 5e-3 beside those of OPM Flow's (--linear-solver=cpr), both in the steps that their Newton
iterations allow: at most 1.3 times with the second stage in natural order, 1.8 times in red-black order. Flow 2022.10 took
223 linear iterations in 84 Newton iterations on the first 300 days of the Egg model, 1760 in 372 on all 3600, and 307 in 98 on
the first 110 days of SPE10 layers 84-85, 2570 in 275 on all 2000.
The first days of each deck in one of the orders; HEPTA_TEST_EVERY=1: all days in both."""
import os
import sys

import runs

# days and Flow's ratio of a part, of the whole
CASES = [("egg", ("egg", "Egg_Model_ECL.DATA"), (300, 223 / 84), (3600, 1760 / 372)),
         ("spe10", ("spe10_layers", "SPE10_L84_85.DATA"), (110, 307 / 98), (2000, 2570 / 275))]

checks = runs.Checks(say=True)
scratch = runs.folder()
for number, (name, path, part, whole) in enumerate(CASES):
    deck = runs.shared("data", *path)
    days, flow = whole if runs.every(2, 2) == 1 else part
    for other, (order, factor) in enumerate((("natural", 1.3), ("red-black", 1.8))):
        if (number + other) % runs.every(2, 2) != 0:
            continue
        done = runs.run(deck, scratch.name, ["linear.preconditioner=cpr", "linear.ordering=" + order, "output.fields=false",
                                         "timestep.accuracy=0", "report.end=%d" % days],
                        name=name + order)
        its = sum(done.solver["linear"]) / sum(done.solver["newton"])
        checks.true("%s, %s order: %.2f linear iterations a Newton iteration, OPM Flow %.2f" % (name, order, its, flow),
                    its <= factor * flow)
        checks.true("%s, %s order: no cut" % (name, order), sum(done.solver["cuts"]) <= 1)
sys.exit(checks.result())
