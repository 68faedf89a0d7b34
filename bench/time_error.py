"""The error in time of each deck: before its correction, after it, what the run says is left, and the truth by short steps.

    python3 bench/time_error.py [--hepta PROGRAM] [--parts N] [--set KEY=VALUE ...] [DECK ...]   without a deck: those in decks/
    python3 bench/time_error.py --random N [--first SEED] [--parts 6] ...   random decks (tests/property/runs/random_decks.py)

Prints steps, Newton and linear iterations (failed attempts counted) with the defaults and with timestep.accuracy=0, and of the
oil and water produced at the end, in percent of each: the true error before the correction and after it, and `within`. The
truth is the same deck in steps N times shorter (8), corrected, whose own error is some N^2 times smaller; where wells switch in
other steps or an economic limit closes them it is not: what steps twice as long differ by, in the last column, is no error of the run.
The last lines count the totals that are within what was told, and those that the correction made better and worse. Random decks of
more than 400 steps are left out."""
import argparse
import concurrent.futures
import csv
import glob
import os
import re
import statistics
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LEAST = 5e-4     # an error below is as good as none
TRACE = 5e-4     # of all that is produced and injected: a total below is not looked at
MOST_STEPS = 400 # of a random deck
WORK = re.compile(r"^Work: (\d+) time steps?, (\d+) Newton iterations? .*?(\d+) linear", re.M)
WASTED = re.compile(r"^Wasted: \d+ cuts?, (\d+) Newton and (\d+) linear", re.M)
SAID = re.compile(r"^Error in time: within about (.*) (?:produced|injected), after", re.M)


class Run:
    def __init__(self, program, deck, where, options):
        base = os.path.join(where, "run")
        command = [program, "run", deck, "-o", base, "--threads", "1", "--progress", "never", "--set", "output.fields=false"]
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
        self.through = sum(self.total.values()) + last[".summary.csv"]["FOIT"] + last[".summary.csv"]["FWIT"]
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


class Deck:
    """Runs of a deck: as it is and, unless it has too many steps, without the estimate, in short steps and in steps twice as long."""

    def __init__(self, program, deck, parts, options, most_steps):
        self.name, self.plain, self.short, self.half = os.path.basename(deck), None, None, None
        with tempfile.TemporaryDirectory() as where:
            self.usual = Run(program, deck, where, options)
            if self.usual.work[0] > most_steps:
                return
            self.plain = Run(program, deck, where, options + ["timestep.accuracy=0"])
            self.short, self.half = (self.in_steps(program, deck, where, options, n) for n in (parts, 0.5 * parts))

    def in_steps(self, program, deck, where, options, parts):
        longest = self.usual.end / self.usual.work[0] / parts
        return Run(program, deck, where, options + ["timestep.accuracy=1", "timestep.max=%g" % longest,
                                                    "timestep.initial=%g" % (0.1 * longest)])

    def errors(self):
        """(phase, before, after, within, doubt) of each total, relative to the true one; within: None where nothing is told."""
        for phase, true in self.short.total.items():
            if true > TRACE * self.short.through:
                after, before = self.usual.total[phase], self.usual.total[phase] - self.usual.correction[phase]
                told = self.usual.within.get(phase)  # of what is reported
                told = None if told is None else told * after / true
                doubt = abs(self.half.total[phase] / true - 1.0)
                yield phase, before / true - 1.0, after / true - 1.0, None if told is None else 0.01 * told, doubt


def report(deck):
    head = "%-24s %-16s %-16s" % (deck.name, "%d/%d/%d" % tuple(deck.usual.work), "%d/%d/%d" % tuple(deck.plain.work))
    for phase, before, after, within, doubt in deck.errors():
        told = "%9.2g" % (100.0 * within) if within is not None else "%9s" % "-"
        beyond = "" if within is None or abs(after) <= within + 0.5 * LEAST + doubt else "  beyond"
        print("%s %-6s %+9.3f %+9.3f %s %9.3f%s" % (head, phase, 100.0 * before, 100.0 * after, told, 100.0 * doubt, beyond),
              flush=True)
        head = " " * len(head)


def summary(decks):
    sums = [[sum(run.work[n] for run in kind) for n in range(3)] for kind in zip(*((d.usual, d.plain) for d in decks))]
    print("all, times: steps %.2f, Newton %.2f, linear %.2f" % tuple(a / b for a, b in zip(*sums)))
    totals = [e for d in decks for e in d.errors()]
    told = [e for e in totals if e[3] is not None]
    within = sum(abs(after) <= within + 0.5 * LEAST + doubt for _, _, after, within, doubt in told)
    better = sum(abs(after) < abs(before) - LEAST for _, before, after, _, _ in totals)
    worse = sum(abs(after) > abs(before) + LEAST for _, before, after, _, _ in totals)
    print("totals %d: told of %d, in the median %.2g %%, %d of them within; by more than %.2g %% better %d, worse %d" % (
        len(totals), len(told), 100.0 * statistics.median(e[3] for e in told), within, 100.0 * LEAST, better, worse))


def random_decks(seeds, folder):
    sys.path.insert(0, os.path.join(ROOT, "tests", "property", "runs"))
    import random_decks as source
    paths = [os.path.join(folder, "random%d.cfg" % seed) for seed in seeds]
    for seed, path in zip(seeds, paths):
        with open(path, "w") as f:
            f.write(source.Deck(seed).text.replace('units = "metric"; restart', "restart"))  # times as --set has them
    return paths


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("decks", nargs="*", metavar="DECK")
    parser.add_argument("--hepta", default=os.path.join(ROOT, "build", "release", "hepta"), metavar="PROGRAM")
    parser.add_argument("--parts", type=int, default=8, metavar="N")
    parser.add_argument("--random", type=int, default=0, metavar="N")
    parser.add_argument("--first", type=int, default=1, metavar="SEED")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE")
    asked = parser.parse_args()
    bundled = [d for kind in ("*.cfg", "*.DATA") for d in sorted(glob.glob(os.path.join(ROOT, "decks", kind)))]
    print("%-24s %-16s %-16s %-6s %9s %9s %9s %9s" % (
        "deck", "steps/Newton/lin", "accuracy = 0", "", "before", "after", "within", "of steps"))
    decks = []
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as team:
        paths = random_decks(range(asked.first, asked.first + asked.random), folder) if asked.random else asked.decks or bundled
        most = MOST_STEPS if asked.random else sys.maxsize
        for deck in team.map(lambda path: Deck(asked.hepta, path, asked.parts, asked.set, most), paths):
            if deck.short is not None:
                report(deck)
                decks.append(deck)
    summary(decks)


if __name__ == "__main__":
    main()
