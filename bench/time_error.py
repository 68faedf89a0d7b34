"""The error in time of each deck: before its correction, after it, what the run says is left, and the truth by short steps.

    python3 bench/time_error.py [--hepta PROGRAM] [--parts N] [--set KEY=VALUE ...] [DECK ...]   without a deck: those in decks/

Prints steps, Newton and linear iterations (failed attempts counted) with the defaults and with timestep.accuracy=0, and of the
oil and water produced at the end, in percent of each: the true error before the correction and after it, and `within`. The
truth is the same deck in steps N times shorter (8), corrected, whose own error is some N^2 times smaller."""
import argparse
import csv
import glob
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
WORK = re.compile(r"^Work: (\d+) time steps?, (\d+) Newton iterations? .*?(\d+) linear", re.M)
WASTED = re.compile(r"^Wasted: \d+ cuts?, (\d+) Newton and (\d+) linear", re.M)
SAID = re.compile(r"^Error in time: within about (.*) (?:produced|injected), after", re.M)


class Run:
    def __init__(self, program, deck, where, options):
        base = os.path.join(where, "run")
        command = [program, "run", deck, "-o", base, "--progress", "never", "--set", "output.fields=false"]
        done = subprocess.run(command + [a for o in options for a in ("--set", o)], capture_output=True, text=True)
        work, wasted = WORK.search(done.stdout), WASTED.search(done.stdout)
        if done.returncode != 0 or not (work and wasted):
            sys.exit(f"{deck}: {done.stderr or done.stdout}")
        steps, newton, linear = (int(n) for n in work.groups())
        self.work = [steps, newton + int(wasted.group(1)), linear + int(wasted.group(2))]
        said = SAID.search(done.stdout)
        self.within = {phase: float(v) for v, phase in re.findall(r"([0-9.e+-]+) % of (oil|water)", said.group(1))} if said else {}
        last = {file: self.last(base + file) for file in (".summary.csv", ".solver.csv")}
        self.end = last[".summary.csv"]["TIME"]
        self.total = {"oil": last[".summary.csv"]["FOPT"], "water": last[".summary.csv"]["FWPT"]}
        self.correction = {phase: last[".solver.csv"]["correction_" + phase] for phase in self.total}

    @staticmethod
    def last(path):
        with open(path, newline="") as f:
            rows = list(csv.reader(f))
        numbers = {}
        for head, text in zip(rows[0], rows[-1]):
            try:
                numbers[re.sub(r"\[.*", "", head)] = float(text)
            except ValueError:
                pass
        return numbers


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("decks", nargs="*", metavar="DECK")
    parser.add_argument("--hepta", default=os.path.join(ROOT, "build", "release", "hepta"), metavar="PROGRAM")
    parser.add_argument("--parts", type=int, default=8, metavar="N")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE")
    asked = parser.parse_args()
    bundled = [d for kind in ("*.cfg", "*.DATA") for d in sorted(glob.glob(os.path.join(ROOT, "decks", kind)))]
    sums = [[0, 0, 0], [0, 0, 0]]
    print("%-24s %-16s %-16s %-6s %9s %9s %9s" % ("deck", "steps/Newton/lin", "accuracy = 0", "", "before", "after", "within"))
    with tempfile.TemporaryDirectory() as where:
        for deck in asked.decks or bundled:
            usual = Run(asked.hepta, deck, where, asked.set)
            plain = Run(asked.hepta, deck, where, asked.set + ["timestep.accuracy=0"])
            longest = usual.end / usual.work[0] / asked.parts
            short = Run(asked.hepta, deck, where, asked.set + ["timestep.accuracy=1", "timestep.max=%g" % longest,
                                                               "timestep.initial=%g" % (0.1 * longest)])
            for n in range(3):
                sums[0][n] += usual.work[n]
                sums[1][n] += plain.work[n]
            head = "%-24s %-16s %-16s" % (os.path.basename(deck), "%d/%d/%d" % tuple(usual.work), "%d/%d/%d" % tuple(plain.work))
            for phase, true in short.total.items():
                if true > 1e-3 * sum(short.total.values()):
                    after, before = usual.total[phase], usual.total[phase] - usual.correction[phase]
                    print("%s %-6s %+9.3f %+9.3f %9.2g" % (head, phase, 100.0 * (before / true - 1.0), 100.0 * (after / true - 1.0),
                                                          usual.within.get(phase, 0.0)), flush=True)
                    head = " " * len(head)
    print("all, times: steps %.2f, Newton %.2f, linear %.2f" % tuple(a / b for a, b in zip(*sums)))


if __name__ == "__main__":
    main()
