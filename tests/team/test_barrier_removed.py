"""ThreadSanitizer is silent on the intact solver and notices the removal of any single barrier.

The helper (barrier_removed.c) runs setup and two iterations of a Krylov method with red-black block DILU;
hp_team_options.skip_barrier leaves out the barrier with a given number. A barrier whose removal nobody can
notice would be superfluous; one whose absence TSan did not see would make the other team tests worthless.
"""
import concurrent.futures
import os
import shutil
import subprocess
import sys

METHODS = ("bicgstab", "qmr", "tfqmr", "cg")
SEEDS = (1, 2, 3)  # of the rotated ownership: under one of them two loops may happen to have the same owners
PROGRAM = os.environ["BARRIER_REMOVED"]  # barrier_removed.c, or amg_barrier_removed.c
# addresses that ThreadSanitizer of older compilers can work with, where the system allows to ask for them
FIXED = ["setarch", "-R"]
if not shutil.which("setarch") or subprocess.run([*FIXED, "true"], capture_output=True).returncode:
    FIXED = []


def run(*args, names=True):
    """Exit code and messages; 66 is TSan's. names: of functions and lines in the messages, which take most of the time."""
    env = dict(os.environ, TSAN_OPTIONS="halt_on_error=1 exitcode=66 report_signal_unsafe=0 symbolize=%d" % names)
    done = subprocess.run([*FIXED, PROGRAM, *map(str, args)], capture_output=True, text=True, env=env, timeout=120)
    return done.returncode, done.stdout, done.stderr


def noticed(method, barrier):
    return any(run(method, "skip", barrier, 3, seed, names=False)[0] == 66 for seed in SEEDS)


def check(method):
    """Faults of one method, a text each."""
    failures = []
    for members in (1, 2, 3, 8):
        code, _, text = run(method, "skip", 0, members, 1)
        if code != 0:
            failures.append(f"{method}, intact, {members} members: exit code {code}\n{text[:2000]}")
    code, text, _ = run(method, "count")
    barriers = [int(line) for line in text.split()]
    if code != 0 or len(barriers) < 15:
        failures.append(f"{method}, count: exit code {code}, {len(barriers)} barriers")
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for barrier, seen in zip(barriers, pool.map(lambda n: noticed(method, n), barriers)):
            if not seen:
                failures.append(f"{method}: nobody noticed that barrier {barrier} of {barriers[-1]} was missing")
    return failures


def main():
    failures = []
    for method in METHODS:
        failures += check(method)
    if run("end", 0)[0] != 0 or not any(run("end", 1)[0] == 66 for _ in SEEDS):
        failures.append("the barrier at the end of a run")
    print("\n".join(failures))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
