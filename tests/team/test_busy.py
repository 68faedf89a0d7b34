"""A default run while other programs use every processor: it takes at most three times as long as with one thread, and
at most two and a half times its processor time (a team whose members spin for others that have no core takes five to
ten times both). The results have the same bits.
"""
import os
import subprocess
import sys
import tempfile
import time

SKIPPED = 77
BURN = """import os
os.sched_setaffinity(0, [%d])
while os.getppid() == %d:
    for _ in range(100000): pass"""


def run(hepta, deck, folder, options):
    name = os.path.join(folder, "threads" + "".join(options).strip("-"))
    began = time.monotonic()
    pid = os.posix_spawn(hepta, [hepta, "run", deck, "-q", "-o", name, *options], os.environ)
    _, status, used = os.wait4(pid, 0)
    if status != 0:
        sys.exit("the run failed")
    with open(name + ".summary.csv", "rb") as f:
        return time.monotonic() - began, used.ru_utime + used.ru_stime, f.read()


def main():
    hepta, deck = os.environ["HEPTA"], os.path.join(os.environ["HEPTA_SOURCE"], "decks", "quarter_five_spot.cfg")
    cores = sorted(os.sched_getaffinity(0))
    if len(cores) < 2:
        print("one processor: nothing to test")
        return SKIPPED
    os.sched_setaffinity(0, cores[:2])
    burners = [subprocess.Popen([sys.executable, "-c", BURN % (core, os.getpid())]) for core in cores[:2]]
    one, default, results = [], [], set()
    try:
        with tempfile.TemporaryDirectory(prefix="hepta-test-") as folder:
            for _ in range(3):
                for options, taken in ((["--threads=1"], one), ([], default)):
                    wall, used, result = run(hepta, deck, folder, options)
                    taken.append((wall, used))
                    results.add(result)
    finally:
        for burner in burners:
            burner.kill()
            burner.wait()
    print("seconds, of them on a processor: one thread %s, default %s" % tuple(
        ", ".join("%.2f %.2f" % pair for pair in taken) for taken in (one, default)))
    if len(results) != 1:
        sys.exit("the results differ")
    for kind, most, name in ((0, 3.0, "time"), (1, 2.5, "processor time")):
        if min(pair[kind] for pair in default) > most * min(pair[kind] for pair in one):
            sys.exit("a default run takes more than %g times the %s of one thread" % (most, name))
    return 0


sys.exit(main())
