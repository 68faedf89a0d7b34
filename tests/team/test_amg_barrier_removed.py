"""ThreadSanitizer is silent on the intact multigrid (refresh and cycle) and notices the removal of any single barrier.

As test_barrier_removed.py does it for the Krylov methods; every smoother that has barriers of its own. Of the first smoother
each second barrier, of the others each eighth one, from another one on each, since most are the cycle's; HEPTA_TEST_EVERY=1: every one.
"""
import concurrent.futures
import sys

import runs
from test_barrier_removed import run

SMOOTHERS = ("damped-jacobi", "jacobi", "block-jacobi", "coloured", "block-gauss-seidel", "hybrid", "gauss-seidel",
             "chebyshev", "spai-1", "schwarz")
SEEDS = tuple(range(1, 9))


def noticed(smoother, barrier, members=3, *gpus):
    return any(run(smoother, "skip", barrier, members, seed, *gpus, names=False)[0] == 66 for seed in SEEDS)


def check(smoother):
    """Faults of one smoother, a text each."""
    failures = []
    for members in (1, 2, 3, 8):
        code, _, text = run(smoother, "skip", 0, members, 1)
        if code != 0:
            failures.append(f"{smoother}, intact, {members} members: exit code {code}\n{text[:2000]}")
    step = runs.every(12, 12) if smoother != SMOOTHERS[0] else runs.every(3, 3)
    code, text, _ = run(smoother, "count")
    barriers = [int(line) for line in text.split()]
    if code != 0 or len(barriers) < 15:
        failures.append(f"{smoother}, count: exit code {code}, {len(barriers)} barriers")
    chosen = barriers[SMOOTHERS.index(smoother) % step::step]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for barrier, seen in zip(chosen, pool.map(lambda n: noticed(smoother, n), chosen)):
            if not seen:
                failures.append(f"{smoother}: nobody noticed that barrier {barrier} of {barriers[-1]} was missing")
    return failures


def check_first(gpus, members):
    """Where the first of several GPUs works on coarse levels alone: its own barriers, numbered below 0, and those of all."""
    failures = []
    code, _, text = run("damped-jacobi", "skip", 0, members, 1, gpus)
    if code != 0:
        failures.append(f"{gpus} GPUs, intact: exit code {code}\n{text[:2000]}")
    code, text, _ = run("damped-jacobi", "count-first", gpus)
    barriers = [int(line) for line in text.split()]
    if code != 0 or min(barriers) > -5 or max(barriers) < 8:
        failures.append(f"{gpus} GPUs, count: exit code {code}, barriers {barriers}")
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for barrier, seen in zip(barriers, pool.map(lambda n: noticed("damped-jacobi", n, members, gpus), barriers)):
            if not seen:
                failures.append(f"{gpus} GPUs: nobody noticed that barrier {barrier} was missing")
    return failures


def main():
    failures = []
    for smoother in SMOOTHERS:
        failures += check(smoother)
    failures += check_first(2, 6)
    print("\n".join(failures))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
