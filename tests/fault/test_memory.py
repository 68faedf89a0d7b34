"""The n-th block of memory for an array of the program is refused, for each 23rd n of a small run, from the deck's
first line to the last table: the program ends with a message and exit code 1, and gives back all that it had. So for a
run that goes on, and for `hepta check`, whose blocks are mostly those of any run: each 71st, 29th and 31st. The n-th
block that a library asks for is refused: a message, exit code 1, what the master names is what the undisturbed run
wrote; each STRIDE-th of runs, each 197th of `hepta check`. With HEPTA_FAULTS_STRIDE=1 in the environment every n."""
import os
import re
import signal
import sys

import restarts
import runs

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import faults  # noqa: E402


STRIDE = int(os.environ.get("HEPTA_FAULTS_STRIDE", "1013"))
SHORT = restarts.KEEP + ["report.end=4.0", "linear.preconditioner=cpr", "output.refresh=0"]
# what is needed to go on from steps that the master does not name yet is kept in memory
HELD = ["report.end=4.0", "report.every=1.0", "output.refresh=1e9"]


def every_block(checks, what, start, least, stride):
    """least: blocks that are known to be asked for."""
    stride = min(STRIDE, stride)
    at, reported = 1 - stride, 0
    while True:
        at += stride
        done = start(at)
        found = re.search(r"blocks: (\d+) asked for, (\d+) not freed", done.stderr)
        here = "%s: without block %d" % (what, at)
        checks.true(here + ": no crash", done.returncode >= 0 and found is not None,
                    (done.returncode, done.stderr[-300:]))
        if found is None:
            break
        checks.true(here + ": nothing leaks", int(found.group(2)) == 0, done.stderr[-300:])
        if int(found.group(1)) < at:
            checks.true(what + ": undisturbed", done.returncode == 0, (done.returncode, done.stderr[-300:]))
            break
        checks.true(here + ": 1", done.returncode == 1, (done.returncode, done.stderr[-300:]))
        said = "out of memory" in done.stderr
        reported += said
        checks.true(here + ": says so", said, done.stderr[-300:])
        if checks.failures > 8:
            break
    print("%s: %d blocks, refused in steps of %d" % (what, int(found.group(1)) if found else at, stride))
    checks.true(what + ": many blocks", reported >= least // stride, reported)


def library_blocks(checks, what, start, stride, least, base=None, whole=None):
    """base: the result that start writes, whole: the same undisturbed."""
    count = int(re.search(r"blocks: (\d+) asked for by libraries", start(0).stderr).group(1))
    checks.true(what + ": many blocks of libraries", count >= least, count)
    tried, named = 0, 0
    for at in range(1, count + 1, stride):
        if base is not None:
            faults.remove(base)
        done = start(at)
        here = "%s: without block %d of a library" % (what, at)
        checks.true(here + ": 1", done.returncode == 1, (done.returncode, done.stderr[-300:]))
        checks.true(here + ": says so", "out of memory" in done.stderr, done.stderr[-300:])
        tried += 1
        named += base is not None and len(faults.look(checks, here, base, whole)) > 0
        if checks.failures > 8:
            break
    print("%s: %d of %d blocks of libraries, %d left report steps" % (what, tried, count, named))
    checks.true(what + ": some left report steps", base is None or 2 * named > 10, named)


def main():
    faults.skip_without_library()
    checks = runs.Checks()
    with runs.folder() as where:
        deck = restarts.write_deck(where, faults.DECK)
        base = os.path.join(where, "small")
        every_block(checks, "run", lambda n: faults.start(deck, base, "memory", n, SHORT), 200, 23)
        checks.true("whole", faults.start(deck, base, "none", 0, SHORT).returncode == 0)
        every_block(checks, "run --restart",
                    lambda n: faults.go_on(deck, base + "-on", base + ":0", "memory", n, HELD), 750, 71)
        every_block(checks, "check",
                    lambda n: runs.hepta("check", deck, environment=faults.environment("memory", n)), 50, 29)
        every_block(checks, "check, refined",
                    lambda n: runs.hepta("check", deck, "--set", "grid.refine=[2,1,2]", environment=faults.environment("memory", n)), 60, 31)
        library_blocks(checks, "run", lambda n: faults.start(deck, base + "-lib", "library", n, SHORT), STRIDE, 5000,
                       base + "-lib", base)
        library_blocks(checks, "run --restart",
                       lambda n: faults.go_on(deck, base + "-on", base + ":0", "library", n, HELD), STRIDE, 2000)
        library_blocks(checks, "check",
                       lambda n: runs.hepta("check", deck, environment=faults.environment("library", n)), min(STRIDE, 197), 50)
    return checks.result()


if __name__ == "__main__":
    sys.exit(main())
