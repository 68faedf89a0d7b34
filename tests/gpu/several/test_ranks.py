"""Runs by several ranks with a GPU each: the bits of ranks on processors, for any number of them, all on one GPU, and
on different ones where there are two or four. Faults, connections that reach far, wells over several ranks, aquifers, rock tables; restarts;
exchanges that are left out; a GPU that fails; hepta compare; ranks without cells. HEPTA_TEST_RANKS_GPU: names of the checks to run, with commas between."""
import csv
import os
import subprocess
import sys

import runs

sys.path.insert(0, os.path.join(runs.SOURCE, "tests", "ranks"))
from rank_runs import CUDA, FAULTED, WITHOUT_POW, differences, numbers, sets, start, visible_gpus  # noqa: E402

DILU = ["linear.preconditioner=dilu"]
SHORT = ["report.end=60", "report.every=30"]
SMALL = ["grid.size=[12, 12, 3]", "wells.INJ.i=6", "wells.INJ.j=6", "wells.P2.i=12", "wells.P3.j=12", "report.end=10",
         "report.every=10", "timestep.initial=5", "timestep.max=5", "timestep.min=5", "linear.max_iterations=5000"]


def one_gpu():
    """The first one alone."""
    return {"CUDA_VISIBLE_DEVICES": visible_gpus()[0]}


def same_as_processors(checks, what, deck, where, options, ranks=(1, 2, 3)):
    start(2, ["run", deck, "-q", "-o", "cpu"] + sets(options), where)
    right = numbers(where, "cpu")
    for count in ranks:
        start(count, ["run", deck, "-q", "-o", "gpu%d" % count] + CUDA + sets(options), where, **one_gpu())
        odd = differences(right, numbers(where, "gpu%d" % count))
        checks.true("%s: %d ranks on one GPU" % (what, count), not odd, "other bits than processors: %s" % odd[:5])


def check_one_process(checks, where, faulted):
    """Bricks outside the in-kernel solver, without ranks."""
    options = sets(DILU + ["linear.ordering=bricks", "report.end=60"])
    cpu = runs.hepta("run", faulted, "-q", "-o", os.path.join(where, "alone"), *options)
    checks.true("bricks by one process on the CPU", cpu.returncode == 0, cpu.stderr)
    for execution in ("per-operation", "graph"):
        name = "alone-" + execution
        gpu = runs.hepta("run", faulted, "-q", "-o", os.path.join(where, name), *CUDA, *options, "--set", "linear.execution=" + execution)
        checks.true("bricks %s" % execution, gpu.returncode == 0, gpu.stderr)
        odd = differences(numbers(where, "alone"), numbers(where, name))
        checks.true("bricks %s: the CPU's bits" % execution, not odd, "other bits: %s" % odd[:5])


def check_decks(checks, where, faulted):
    same_as_processors(checks, "faulted", faulted, where, DILU + ["report.end=120"])
    same_as_processors(checks, "single precision", faulted, where, DILU + SHORT + ["linear.precision=single"], (2,))
    same_as_processors(checks, "channels", runs.deck("five_spot_channels"), where, DILU + SHORT + WITHOUT_POW)
    same_as_processors(checks, "aquifer", runs.deck("aquifer_fault"), where, DILU + SHORT + WITHOUT_POW, (1, 3))


def check_cpr(checks, where, faulted):
    """The default; levels that ranks share, and all whole; both precisions, other smoothers, weights and cycles."""
    CPR = ["linear.preconditioner=cpr"]
    same_as_processors(checks, "cpr, faulted", faulted, where, CPR + ["report.end=120"])
    same_as_processors(checks, "defaults", runs.deck("five_spot_channels"), where, SHORT + WITHOUT_POW)
    same_as_processors(checks, "cpr, all levels whole", runs.deck("quarter_five_spot"), where, CPR + SHORT, (1, 2))
    for options in (["linear.cpr.precision=double"], ["linear.cpr.smoother=l1-jacobi"], ["linear.cpr.cycle=w"],
                    ["linear.cpr.weights=quasi-impes"], ["linear.cpr.rebuild=step"], ["linear.cpr.refresh=solve"]):
        same_as_processors(checks, "cpr, %s" % options[0], faulted, where, CPR + SHORT + options, (3,))


def check_gmres(checks, where, faulted):
    """More vectors than a group, restarts, and both kinds of preconditioners."""
    GMRES = SHORT + ["linear.method=gmres", "linear.max_iterations=2000"]
    same_as_processors(checks, "gmres, cpr", faulted, where, GMRES + ["linear.preconditioner=cpr"])
    same_as_processors(checks, "gmres, dilu", faulted, where, GMRES + DILU, (2,))
    same_as_processors(checks, "gmres, short restarts", faulted, where, GMRES + DILU + ["linear.restart=5"], (3,))


def check_preconditioners(checks, where, faulted):
    for name in ("jacobi", "block-jacobi"):
        same_as_processors(checks, name, runs.deck("schedule"), where, SMALL + ["linear.preconditioner=" + name], (2,))


def check_gpus(checks, where, faulted):
    """Two ranks on two GPUs, and with more GPUs than ranks, which is refused."""
    for gpus in ("3", "0,0,0"):
        done = start(2, ["run", faulted, "-q", "-o", "refused"] + CUDA + ["--gpus", gpus] + sets(DILU), where, check=False, **one_gpu())
        checks.true("--gpus %s of two ranks" % gpus, done.returncode == 2 and "3 GPUs for 2 ranks" in done.stderr, done.stderr[-2000:])
    done = start(2, ["run", faulted, "-o", "named"] + CUDA + ["--gpus", "0,0"] + sets(DILU + SHORT), where, **one_gpu())
    checks.true("the solver names them", "2 ranks with a GPU each" in done.stderr, done.stderr[:2000])
    if len(visible_gpus()) < 2:
        print("  two GPUs: not checked, there are %d" % len(visible_gpus()))
        return
    start(2, ["run", faulted, "-q", "-o", "cpu"] + sets(DILU + SHORT), where)
    right = numbers(where, "cpu")
    for name, gpus in (("each its own", []), ("a list", ["--gpus", "1,0"]), ("all", ["--gpus", "all"]),
                       ("a number", ["--gpus", "2"])):
        start(2, ["run", faulted, "-q", "-o", "gpus"] + CUDA + gpus + sets(DILU + SHORT), where)
        odd = differences(right, numbers(where, "gpus"))
        checks.true("two ranks on two GPUs, %s" % name, not odd, "other bits: %s" % odd[:5])


def check_ways(checks, where, faulted):
    """Ghosts through the host, by MPI in the GPU's memory where it says so, by NCCL where there are two GPUs: the same bits."""
    CPR = SHORT + ["linear.preconditioner=cpr"]
    shared = start(2, ["run", faulted, "-q", "-o", "shared"] + CUDA + sets(CPR + ["linear.exchange=nccl"]), where, check=False, **one_gpu())
    checks.true("NCCL on one GPU is refused", shared.returncode != 0 and "share" in shared.stderr, shared.stderr[-2000:])
    two = len(visible_gpus()) >= 2
    start(2, ["run", faulted, "-q", "-o", "cpu"] + sets(CPR), where)
    right = numbers(where, "cpu")
    for way in ("auto", "host", "mpi") + (("nccl",) if two else ()):
        done = start(2, ["run", faulted, "-o", "way"] + CUDA + sets(CPR + ["linear.exchange=" + way]), where, check=False,
                     **({} if two else one_gpu()))
        if way == "mpi" and "does not say that it reaches" in done.stderr:
            continue
        checks.true("ghosts: " + way, done.returncode == 0, done.stderr[-2000:])
        print("  " + "".join(line for line in done.stderr.splitlines() if "ghosts through" in line))
        odd = differences(right, numbers(where, "way"))
        checks.true("ghosts: %s: bits" % way, not odd, "other bits: %s" % odd[:5])
    if not two:
        print("  two GPUs: not checked, there are %d" % len(visible_gpus()))
        return
    noticed, left_out = 0, range(60, 140, 20)
    for number in left_out:
        done = start(2, ["run", faulted, "-q", "-o", "wrong"] + CUDA + sets(CPR + ["linear.exchange=nccl"]), where, check=False,
                     HEPTA_TEST_RANKS_SKIP=str(number))
        noticed += done.returncode != 0 or len(differences(right, numbers(where, "wrong"))) > 0
    checks.true("exchanges by NCCL that are left out", 2 * noticed >= len(left_out), "%d of %d are noticed" % (noticed, len(left_out)))


def check_restart(checks, where, faulted):
    """Begun by ranks with GPUs, ended by others without, and the other way round."""
    start(2, ["run", faulted, "-q", "-o", "whole"] + sets(DILU), where)
    whole = numbers(where, "whole")
    for name, first, then in (("GPUs begin", CUDA, []), ("GPUs go on", [], CUDA)):
        start(3, ["run", faulted, "-q", "-o", "begun"] + first + sets(DILU + ["report.end=120"]), where, **one_gpu())
        start(2, ["run", faulted, "-q", "--restart", "begun"] + then + sets(DILU), where, **one_gpu())
        odd = [key for key in differences(whole, numbers(where, "begun")) if "restart" not in key]
        checks.true("a restart: " + name, not odd, "other bits: %s" % odd[:5])


def check_exchanges(checks, where, faulted):
    """One that is left out changes the results, or fails."""
    options = ["run", faulted, "-q"] + CUDA + sets(DILU + ["report.end=60"])
    start(3, options + ["-o", "right"], where, **one_gpu())
    right, noticed, left_out = numbers(where, "right"), 0, range(60, 140, 20)
    for number in left_out:
        done = start(3, options + ["-o", "wrong"], where, check=False, HEPTA_TEST_RANKS_SKIP=str(number), **one_gpu())
        noticed += done.returncode != 0 or len(differences(right, numbers(where, "wrong"))) > 0
    checks.true("exchanges that are left out", 3 * noticed >= 2 * len(left_out), "%d of %d are noticed" % (noticed, len(left_out)))


def check_system(checks, where, faulted):
    """The system of all ranks as one."""
    options = ["run", faulted, "-q", "--dump-matrix", "1"] + sets(DILU + ["report.end=60"])
    start(2, options + ["-o", "host"], where)
    start(2, options + CUDA + ["-o", "device"], where, **one_gpu())
    for end in (".step1.mtx", ".step1.mtx.rhs"):
        with open(os.path.join(where, "host" + end), "rb") as one, open(os.path.join(where, "device" + end), "rb") as other:
            checks.true("a system dumped by GPUs: " + end, one.read() == other.read(), "other numbers")


def check_failures(checks, where, faulted):
    """A call that fails on the GPUs ends all ranks with a message, none is left waiting."""
    for call in (40, 400, 4000):
        done = start(2, ["run", faulted, "-q", "-o", "fails"] + CUDA + sets(DILU), where, check=False,
                     HEPTA_TEST_GPU_FAIL_AT=str(call), **one_gpu())
        checks.true("call %d fails" % call, done.returncode != 0 and "lost" in done.stderr, done.stderr[-2000:])
    for options, words in ((["linear.cpr.format=csr"], "slices only"), (["linear.method=tfqmr"], "bicgstab and gmres only"),
                           (["linear.execution=graph"], "per-operation"), (["linear.ordering=red-black"], "bricks")):
        done = start(2, ["run", faulted, "-q", "-o", "refused"] + CUDA + sets(DILU[:0] + options), where, check=False, **one_gpu())
        checks.true("%s is refused" % options, done.returncode == 2 and words in done.stderr, done.stderr[-2000:])


def compare_tables(where, name):
    with open(os.path.join(where, name, "compare.csv"), newline="", encoding="utf-8") as f:
        return {row["case"]: row for row in csv.DictReader(f)}


def check_compare(checks, where, faulted):
    """Cases on processors and on a GPU: the same results, whichever is the first; the same systems."""
    kinds = {"cpu": "linear.ordering=bricks", "gpu": "backend=cuda", "named": "backend=cuda gpus=0,0"}
    for kind in kinds:  # the same on both
        kinds[kind] += " linear.preconditioner=cpr"
    for first in ("cpu", "gpu"):
        names = sorted(kinds, key=lambda name: name != first)
        cases = [word for name in names for word in ("--case", "%s: %s" % (name, kinds[name]))]
        for steps in ([], ["--same-steps"]):
            name = "compare-" + "-".join([first] + steps)
            start(2, ["compare", faulted, "-o", name, "--progress", "never"] + steps + sets(SHORT) + cases, where, **one_gpu())
            rows, what = compare_tables(where, name), "compare %s, the first %s: " % (" ".join(steps), first)
            checks.true(what + "states", [rows[n]["state"] for n in names] == ["finished"] * 3, rows)
            checks.true(what + "iterations", len({rows[n]["linear"] for n in names}) == 1 and int(rows[first]["linear"]) > 20, rows)
            off = {(n, key): v for n in names[1:] for key, v in rows[n].items() if key.startswith("off_") and v and float(v) != 0.0}
            checks.true(what + "the same numbers", not off, off)
            if not steps:
                for other in names[1:]:
                    odd = differences(numbers(os.path.join(where, name), first), numbers(os.path.join(where, name), other))
                    checks.true(what + other, not odd, "other bits: %s" % odd[:5])


def check_empty(checks, where, faulted):
    """Ranks without cells, which have a GPU as well."""
    tiny = ["grid.size=[3,8,1]", "wells.PROD.i=3", "wells.PROD.j=8", "report.end=1", "linear.preconditioner=jacobi"]
    same_as_processors(checks, "ranks without cells", runs.deck("quarter_five_spot"), where, tiny + WITHOUT_POW, (3, 5))


CHECKS = {"one_process": check_one_process, "decks": check_decks, "cpr": check_cpr, "gmres": check_gmres,
          "preconditioners": check_preconditioners, "gpus": check_gpus, "ways": check_ways,
          "restart": check_restart, "exchanges": check_exchanges, "system": check_system, "failures": check_failures,
          "compare": check_compare, "empty": check_empty}


def main():
    checks = runs.Checks()
    asked = os.environ.get("HEPTA_TEST_RANKS_GPU")
    with runs.folder() as where:
        runs.skip_without_gpu(where)
        faulted = os.path.join(where, "faulted.cfg")
        with open(faulted, "w", encoding="utf-8") as f:
            f.write(FAULTED)
        for name, check in CHECKS.items():
            if asked is None or name in asked.split(","):
                print(name, flush=True)
                check(checks, where, faulted)
    return checks.result()


if __name__ == "__main__":
    sys.exit(main())
