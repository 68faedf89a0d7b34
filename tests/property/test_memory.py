"""What `hepta check` says that a run needs is what it needs, to 10 %: all bundled decks, methods and preconditioners."""
import os
import re
import sys

import runs

UNIT = {"B": 1.0, "kB": 1e3, "MB": 1e6, "GB": 1e9}
CASES = [(name, []) for name in ("quarter_five_spot", "schedule", "gravity_capillary", "horizontal_deviated", "spe10_class",
                                 "buckley_leverett", "five_spot_channels", "five_spot_lognormal")]
CASES += [("five_spot_lognormal", [o]) for o in ("linear.preconditioner=dilu", "linear.method=gmres", "output.restart=0")]
CASES += [("spe10_class", ["grid.refine=[1,2,1]"])]


def amount(pattern, text):
    number, unit = re.search(pattern + r" ([0-9.]+) (B|kB|MB|GB)", text).groups()
    return float(number) * UNIT[unit]


def main():
    checks = runs.Checks()
    with runs.folder() as where:
        for name, options in CASES:
            short = options + ["report.end=10.0", "report.every=5.0"]
            sets = [a for o in short for a in ("--set", o)]
            said = runs.hepta("check", runs.deck(name), *sets)
            ran = runs.hepta("run", runs.deck(name), "-o", os.path.join(where, "m"), "--progress", "never", *sets)
            checks.true(name + ": both work", said.returncode == 0 and ran.returncode == 0, said.stderr + ran.stderr)
            want, have = amount("memory   about", said.stdout), amount("peak memory", ran.stdout)
            print(name, options, "%.3g said, %.3g needed: %+.1f %%" % (want, have, 100.0 * (want / have - 1.0)))
            checks.near(" ".join([name] + options), want / have, 1.0, 0.1)
    return checks.result()


if __name__ == "__main__":
    sys.exit(main())
