"""Linear iterations of CPR to 5e-3 beside those of OPM Flow's (--linear-solver=cpr), both in the steps that their Newton
iterations allow: at most 1.3 times with the second stage in natural order, 1.8 times in red-black order. Flow 2022.10 took
1760 linear iterations in 372 Newton iterations on the Egg model and 2570 in 275 on SPE10 layers 84-85.
Each deck in one of the orders; HEPTA_TEST_EVERY=1: in both."""
import os
import sys

import runs

CASES = [("egg", ("egg", "Egg_Model_ECL.DATA"), 1760 / 372), ("spe10", ("spe10_layers", "SPE10_L84_85.DATA"), 2570 / 275)]

checks = runs.Checks(say=True)
scratch = runs.folder()
for number, (name, path, flow) in enumerate(CASES):
    deck = runs.shared("data", *path)
    for other, (order, factor) in enumerate((("natural", 1.3), ("red-black", 1.8))):
        if (number + other) % runs.every(2, 2) != 0:
            continue
        done = runs.run(deck, scratch.name, ["linear.preconditioner=cpr", "linear.ordering=" + order, "output.fields=false",
                                         "timestep.accuracy=0"],
                        name=name + order)
        its = sum(done.solver["linear"]) / sum(done.solver["newton"])
        checks.true("%s, %s order: %.2f linear iterations a Newton iteration, OPM Flow %.2f" % (name, order, its, flow),
                    its <= factor * flow)
        checks.true("%s, %s order: no cut" % (name, order), sum(done.solver["cuts"]) <= 1)
sys.exit(checks.result())
