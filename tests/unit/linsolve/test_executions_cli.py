"""linear.execution and hepta bench krylov on the command line: what hepta check and a run refuse, with the reason; the
bench's table and its CSV file on the CPU."""
import csv
import os
import sys

import runs


def check_refusals(checks, where):
    deck = runs.deck("gravity_capillary")
    cases = [([], "cpu", 0, ""),
             (["linear.execution=graph"], "cpu", 2, "on the CPU"),
             (["linear.execution=per-operation"], "cuda", 0, ""),
             (["linear.execution=graph", "linear.method=gmres"], "cuda", 0, ""),
             (["linear.execution=library", "linear.method=gmres"], "cuda", 0, ""),
             (["linear.execution=library", "linear.method=qmr"], "cuda", 2, "bicgstab and gmres only"),
             (["linear.execution=per-operation", "linear.method=gmres"], "cuda", 0, ""),
             (["linear.execution=per-operation", "linear.method=gmres", "linear.matrix=sg-dia"], "cuda", 0, ""),
             (["linear.execution=per-operation", "linear.method=tfqmr"], "cuda", 2, "bicgstab and gmres only"),
             (["linear.execution=graph", "linear.matrix=csr"], "cuda", 2, "cuSPARSE"),
             (["linear.execution=graph", "linear.matrix=bsr"], "cuda", 0, ""),
             (["linear.execution=per-operation", "linear.matrix=bsr"], "cuda", 0, ""),
             (["linear.execution=library", "linear.matrix=ell"], "cuda", 2, "cuSPARSE"),
             (["linear.execution=library", "linear.matrix=bsr"], "cuda", 0, ""),
             (["linear.specialise=true"], "cpu", 2, "linear.specialise is false on the CPU"),
             (["linear.exchange=host"], "cpu", 2, "linear.exchange is of ranks with a GPU each"),
             (["linear.exchange=nccl"], "cuda", 2, "linear.exchange is of ranks with a GPU each"),
             (["linear.specialise=true"], "cuda", 0, ""),
             (["linear.specialise=true", "linear.method=gmres"], "cuda", 0, ""),
             (["linear.specialise=true", "linear.execution=graph"], "cuda", 2, "in-kernel"),
             (["linear.matrix=csr"], "cuda", 2, "per-operation"),
             (["linear.ordering=natural"], "cuda", 2, "red-black"),
             (["linear.ordering=natural", "linear.preconditioner=cpr"], "cuda", 2, '"bricks" or "red-black"'),
             (["linear.ordering=bricks"], "cuda", 2, "second stage of cpr only"),
             (["linear.ordering=bricks", "linear.preconditioner=cpr"], "cuda", 0, ""),
             (["linear.ordering=bricks"], "cpu", 0, ""),
             (["linear.ordering=bricks", "linear.preconditioner=jacobi"], "cpu", 2, "an ordering is for"),
             (["linear.execution=per-operation", "linear.matrix=hec"], "cuda", 0, "")]
    for settings, backend, code, text in cases:
        arguments = [a for s in settings for a in ("--set", s)]
        done = runs.hepta("check", deck, "--backend", backend, *arguments)
        checks.true("check %s on %s" % (settings, backend), done.returncode == code and text in done.stderr, done.stderr)
        if code == 0 and settings and "specialise" in settings[0]:
            checks.true("says that a kernel is compiled", "linear.specialise = true" in done.stdout, done.stdout)
        if code == 0 and settings and "execution" in settings[0]:
            checks.true("says the execution", settings[0].replace("=", " = ") in done.stdout, done.stdout)
    done = runs.hepta("run", deck, "-o", os.path.join(where, "x"), "--set", "linear.execution=library")
    checks.true("run refuses", done.returncode == 2 and "on the CPU" in done.stderr, done.stderr)
    done = runs.hepta("check", deck, "--set", "linear.execution=kernel")
    checks.true("no such execution", done.returncode == 2 and "in-kernel, per-operation, graph or library" in done.stderr, done.stderr)


def check_bench(checks, where):
    path = os.path.join(where, "krylov.csv")
    done = runs.hepta("bench", "krylov", "--size", "6,7x5x4", "--wells", "2", "--method", "bicgstab,gmres", "--iterations",
                      "8", "--samples", "1", "--tolerance", "1e-9", "--execution", "in-kernel,graph", "--threads", "2",
                      "--csv", path)
    checks.true("runs", done.returncode == 0 and not done.stderr, done.stderr)
    checks.true("refused on the CPU", done.stdout.count("on the CPU") == 16, done.stdout)
    with open(path, newline="") as f:
        rows = list(csv.DictReader(f))
    expected = [(size, m, p) for size in ("6", "7") for m in ("bicgstab", "gmres")
                for p in ("none", "jacobi", "block-jacobi", "dilu")]
    checks.true("every combination", [(r["nx"], r["method"], r["preconditioner"]) for r in rows] == expected, rows)
    barriers = {"none": 4, "jacobi": 8, "block-jacobi": 8}  # with wells one more for each application
    # a measurement of some microseconds that another program disturbs is said to be one, and has no numbers
    noise = [r for r in rows if r["pair"] == "0"]
    checks.true("noise is said", done.stdout.count("twice the iterations took no longer") == len(noise) <= len(rows) // 2, noise)
    for r in rows:
        checks.true("converged", r["end"] == "converged" and 0 < int(r["iterations"]) < 1000, r)
        checks.true("times", float(r["setup_seconds"]) >= 0 and float(r["solve_seconds"]) > 0, r)
        if r in noise:
            checks.true("noise: no numbers", float(r["iteration_seconds"]) == float(r["gflops"]) == 0.0, r)
            continue
        checks.true("a pair", int(r["pair"]) in (2, 4, 8), r)
        if r["method"] == "bicgstab" and r["preconditioner"] in barriers:
            checks.near("barriers of " + r["preconditioner"], float(r["iteration_barriers"]),
                        barriers[r["preconditioner"]], 0.0)
    iterations = {(r["nx"], r["method"], r["preconditioner"]): int(r["iterations"]) for r in rows}
    checks.true("dilu saves iterations", iterations["6", "bicgstab", "dilu"] < iterations["6", "bicgstab", "none"],
                iterations)


def check_symmetric(checks):
    """cg refuses the family's matrices but for the symmetric ones."""
    for options, converges in (([], False), (["--symmetric"], True)):
        done = runs.hepta("bench", "krylov", "--size", "6", "--method", "cg", "--preconditioner", "none,dilu", "--iterations",
                          "4", "--samples", "1", "--threads", "1", *options)
        checks.true(f"cg {options}", done.returncode == 0 and ("not symmetric" in done.stdout) != converges, done.stdout)


def check_mistakes(checks):
    for arguments, word in ((["--size", "6x"], "--size"), (["--q", "17"], "--q"), (["--method", "bicgstab,"], "--method"),
                            (["--preconditioner", "ilu"], "--preconditioner"), (["--execution", "x"], "--execution"),
                            (["--iterations", "1"], "--iterations"), (["--samples", "101"], "--samples"),
                            (["--tolerance", "1"], "--tolerance"), (["--precision", "half"], "--precision"),
                            (["--backend", "abacus"], "abacus"), (["--chip", "1"], "--chip is for --backend cuda"),
                            (["--specialise"], "--specialise is for --backend cuda"), (["--tuned"], "--tuned is for --backend cuda"),
                            (["--backend", "cuda", "--chip", "33"], "--chip"), (["more"], "more"), (["--csv"], "needs a value"),
                            (["--csv", "/proc/none/x"], "/proc/none/x")):
        done = runs.hepta("bench", "krylov", *arguments)
        checks.true("bench krylov %s" % arguments, done.returncode == 2 and word in done.stderr, done.stderr)


checks = runs.Checks()
with runs.folder() as folder:
    check_refusals(checks, folder)
    check_bench(checks, folder)
check_symmetric(checks)
check_mistakes(checks)
sys.exit(checks.result())
