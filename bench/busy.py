"""Runs beside programs that use the same cores: all threads by default, one, and as many as there are cores.

    python3 bench/busy.py build/release/hepta [DECK ...] [--cores 2] [--samples 9]

runs each deck (none: three of decks/) on the first cores that this process may use, without and with burners pinned to the
first 0, 1, .. of them; --burners 0,2 names their numbers. The ways to run take turns. The table has medians of seconds by the clock on
the wall, in brackets on a processor, and what the default takes over the better of the other two. --before OLD adds the
default of another program. An option of the runs: --set KEY=VALUE, which may be repeated.
"""
import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "decks")
DECKS = ("gravity_capillary.cfg", "quarter_five_spot.cfg", "five_spot_channels.cfg")
BURN = """import os
os.sched_setaffinity(0, [%d])
while os.getppid() == %d:
    for _ in range(100000): pass"""


def run(command):
    """Seconds on the wall and on a processor."""
    began = time.monotonic()
    pid = os.posix_spawn(command[0], command, os.environ)
    _, status, used = os.wait4(pid, 0)
    if status != 0:
        sys.exit("failed: " + " ".join(command))
    return time.monotonic() - began, used.ru_utime + used.ru_stime


def measure(ways, deck, sets, samples, folder):
    """Medians (wall, processor) for each way."""
    taken = {name: [] for name in ways}
    for _ in range(samples):
        for name, (program, options) in ways.items():
            command = [program, "run", deck, "-q", "-o", os.path.join(folder, "run"), *options]
            taken[name].append(run(command + ["--set=" + s for s in sets]))
    return {name: tuple(statistics.median(column) for column in zip(*t)) for name, t in taken.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("hepta")
    parser.add_argument("decks", nargs="*", default=[os.path.join(HERE, deck) for deck in DECKS])
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--burners")
    parser.add_argument("--samples", type=int, default=9)
    parser.add_argument("--before")
    parser.add_argument("--set", action="append", default=[])
    a = parser.parse_intermixed_args()
    cores = sorted(os.sched_getaffinity(0))[:a.cores]
    os.sched_setaffinity(0, cores)
    counts = [int(n) for n in a.burners.split(",")] if a.burners else range(len(cores) + 1)
    hepta = os.path.abspath(a.hepta)
    ways = {"default": (hepta, []), "1 thread": (hepta, ["--threads=1"]),
            "%d threads" % len(cores): (hepta, ["--threads=%d" % len(cores)])}
    if a.before:
        ways["before"] = (os.path.abspath(a.before), [])
    print("%-26s %7s  %s  %s" % ("deck", "burners", "  ".join("%-16s" % name for name in ways), "default / better"))
    with tempfile.TemporaryDirectory(prefix="hepta-busy-") as folder:
        for deck in a.decks:
            for count in counts:
                burners = [subprocess.Popen([sys.executable, "-c", BURN % (core, os.getpid())]) for core in cores[:count]]
                try:
                    time.sleep(0.5)
                    took = measure(ways, deck, a.set, a.samples, folder)
                finally:
                    for burner in burners:
                        burner.kill()
                        burner.wait()
                better = min(took[name][0] for name in list(ways)[1:3])
                print("%-26s %7d  %s  %.2f" % (os.path.basename(deck), count, "  ".join(
                    "%-16s" % ("%.3f (%.3f)" % pair) for pair in took.values()), took["default"][0] / better), flush=True)


main()
