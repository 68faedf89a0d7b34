"""Cost of the control of the error in time: each deck with its defaults and with timestep.accuracy=0.

    python3 bench/time_error.py [--hepta PROGRAM] [DECK ...]     without a deck: those in decks/

Prints steps, Newton and linear iterations of both runs (failed attempts counted) with what the first one reports of its
error, then the ratios of the sums."""
import argparse
import glob
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
WORK = re.compile(r"^Work: (\d+) time steps?, (\d+) Newton iterations? .*?(\d+) linear", re.M)
WASTED = re.compile(r"^Wasted: \d+ cuts?, (\d+) Newton and (\d+) linear", re.M)
REPORTED = re.compile(r"^Error in time: (.*)$", re.M)


def run(program, deck, where, *options):
    command = [program, "run", deck, "-o", os.path.join(where, "run"), "--progress", "never"]
    done = subprocess.run([*command, "--set", "output.fields=false", *options], capture_output=True, text=True)
    work, wasted, reported = WORK.search(done.stdout), WASTED.search(done.stdout), REPORTED.search(done.stdout)
    if done.returncode != 0 or not (work and wasted and reported):
        sys.exit(f"{deck}: {done.stderr or done.stdout}")
    steps, newton, linear = (int(n) for n in work.groups())
    return [steps, newton + int(wasted.group(1)), linear + int(wasted.group(2))], reported.group(1)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("decks", nargs="*", metavar="DECK")
    parser.add_argument("--hepta", default=os.path.join(ROOT, "build", "release", "hepta"), metavar="PROGRAM")
    asked = parser.parse_args()
    bundled = [d for kind in ("*.cfg", "*.DATA") for d in sorted(glob.glob(os.path.join(ROOT, "decks", kind)))]
    sums = [[0, 0, 0], [0, 0, 0]]
    print("%-28s %-22s %-22s reported" % ("deck", "steps/Newton/linear", "accuracy = 0"))
    with tempfile.TemporaryDirectory() as where:
        for deck in asked.decks or bundled:
            control, reported = run(asked.hepta, deck, where)
            without, _ = run(asked.hepta, deck, where, "--set", "timestep.accuracy=0")
            for n in range(3):
                sums[0][n] += control[n]
                sums[1][n] += without[n]
            print("%-28s %-22s %-22s %s" % (os.path.basename(deck), "%d/%d/%d" % tuple(control),
                                            "%d/%d/%d" % tuple(without), reported), flush=True)
    print("all, times: steps %.2f, Newton %.2f, linear %.2f" % tuple(a / b for a, b in zip(*sums)))


if __name__ == "__main__":
    main()
