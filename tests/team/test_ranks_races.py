"""ThreadSanitizer is silent on runs by two ranks of two and three threads each, whose bits are the same, and notices a barrier
that is left out in the teams of ranks.

Wells of every kind, cpr with levels over both ranks, dilu with gmres, Eclipse's files. HEPTA_TEST_TEAM rotates which
thread has which indices and leaves a barrier out (docs/developer/checking.md). HEPTA_TEST_EVERY=1: more barriers.
"""
import os
import shutil
import subprocess
import sys

import runs
from test_run_bits import DECK

sys.path.insert(0, os.path.join(runs.SOURCE, "tests", "ranks"))
import rank_runs  # noqa: E402

FOUND = 66  # exit code of ThreadSanitizer
SUPPRESSED = os.path.join(runs.SOURCE, "tests", "team", "ranks.supp")
SEEDS = (1, 2, 3)  # of the rotated ownership: under one of them two loops may happen to have the same owners
SHORT = ["report.every=10", "report.end=10", "timestep.initial=10", "timestep.accuracy=0"]
CPR = ["linear.preconditioner=cpr", "linear.cpr.coarsest=8"]
GMRES = ["linear.preconditioner=dilu", "linear.method=gmres", "output.eclipse=true"]
# addresses that ThreadSanitizer of older compilers can work with, where the system allows to ask for them
FIXED = ["setarch", "-R"]
if not shutil.which("setarch") or subprocess.run([*FIXED, "true"], capture_output=True).returncode:
    FIXED = []


def run(where, deck, name, threads, options, team="1", names=True):
    """Exit code and messages. names: of functions in the messages, which take most of the time."""
    env = dict(os.environ, HEPTA_TEST_TEAM=team, HEPTA_TEST_RANKS_LEVELS="5,60",
               TSAN_OPTIONS="halt_on_error=1 exitcode=%d report_signal_unsafe=0 symbolize=%d suppressions=%s" % (FOUND, names, SUPPRESSED))
    done = subprocess.run([rank_runs.MPIRUN, "-n", "2", *FIXED, runs.PROGRAM, "run", deck, "-q", "-o", name, "--threads", str(threads)] +
                          rank_runs.sets(SHORT + options), cwd=where, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=300,
                          env=env)
    return done.returncode, done.stdout + done.stderr


def check_intact(checks, where, deck, name, options, team_sizes):
    first = None
    for threads in team_sizes:
        base = "%s%d" % (name, threads)
        code, text = run(where, deck, base, threads, options)
        checks.true("%s, two ranks of %d threads: no data race" % (name, threads), code == 0 and "ThreadSanitizer" not in text, text[:3000])
        found = rank_runs.numbers(where, base)
        first = first or found
        checks.true("%s, two ranks of %d threads: the same bits" % (name, threads), len(found) > 4 and not rank_runs.differences(first, found))


def noticed(where, deck, options, barrier):
    for seed in SEEDS:
        code, text = run(where, deck, "removed", 3, options, "%d,%d" % (seed, barrier), names=False)
        if code == FOUND and "ThreadSanitizer: data race" in text:
            return True
    return False


def main():
    checks = runs.Checks()
    with runs.folder() as where:
        deck = os.path.join(where, "wells.cfg")
        with open(deck, "w", encoding="utf-8") as f:
            f.write(DECK)
        check_intact(checks, where, deck, "cpr", CPR, (2, 3))
        check_intact(checks, where, deck, "gmres", GMRES, (2, 3) if runs.every(1, 2) == 1 else (3,))
        for barrier in range(433, 933, runs.every(250, 250)):  # of solves; some of a set-up's come in pairs
            checks.true("somebody noticed that barrier %d is missing" % barrier, noticed(where, deck, CPR, barrier))
    return checks.result()


sys.exit(main())
