"""Multigrid against hypre's BoomerAMG on the same matrices, which `hepta bench amg --write` hands over: with the same
coarsening, interpolation and smoother hepta needs at most 1.3 times as many iterations, or one more, to 1e-6.
HYPRE_SOLVE, set by ctest where hypre is installed, is the program made of hypre_solve.c."""
import csv
import os
import subprocess
import sys

import runs

PROBLEMS = (("poisson", "32"), ("lognormal", "20x44x17"), ("anisotropic", "24"))
# coarsening, interpolation, weights of a row at most (0: all)
OPERATORS = (("pmis", "extended+i", 4), ("hmis", "extended+i", 4), ("cljp", "classical", 4), ("rs", "classical", 0),
             ("rs", "classical", 4), ("rs", "direct", 4))
METHODS = ("none", "cg", "bicgstab")


def smoothers():
    """hypre's name (see hypre_solve.c) to hepta's: damped by 2/3, by the row's sum, hybrid Gauss-Seidel."""
    names = runs.hepta("bench", "amg", "--names").stdout.split("smoother:")[1].split()
    damped = "damped-jacobi" if "damped-jacobi" in names else "jacobi"
    hybrid = "hybrid" if "hybrid" in names else "gauss-seidel"
    return {"jacobi": damped, "l1-jacobi": "l1-jacobi", "gauss-seidel": hybrid}


def ours(where, coarsening, interpolation, weights, smoother, method):
    table = os.path.join(where, "amg.csv")
    done = runs.hepta("bench", "amg", "--matrix", os.path.join(where, "a.mtx"), "--coarsening", coarsening,
                      "--interpolation", interpolation, "--weights", str(weights), "--smoother", smoother,
                      "--method", method, "--samples", "1", "--csv", table)
    if done.returncode != 0:
        return None
    with open(table, newline="") as f:
        row = next(csv.DictReader(f))
    return int(row["iterations"]), float(row["factor"])


def theirs(where, *choices):
    """Iterations and factor of each method."""
    environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    command = [os.environ["HYPRE_SOLVE"], os.path.join(where, "a.mtx"), *map(str, choices), ",".join(METHODS), "1e-6"]
    done = subprocess.run(command + ["500"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True,
                          env=environment, timeout=300)
    lines = [line.split() for line in done.stdout.splitlines()]
    if done.returncode != 0 or len(lines) != len(METHODS):
        print("hypre_solve failed:", done.stderr[-2000:])
        sys.exit(1)
    return [(int(words[0]), float(words[1]) ** (1.0 / max(1, int(words[0])))) for words in lines]


def main():
    if not os.path.exists(os.environ.get("HYPRE_SOLVE", "")):
        runs.skip("no hypre")
    checks, compared = runs.Checks(), 0
    names = smoothers()
    for problem, size in PROBLEMS:
        with runs.folder() as where:
            written = runs.hepta("bench", "amg", "--problem", problem, "--size", size, "--samples", "1", "--write",
                                 os.path.join(where, "a.mtx"))
            checks.true(f"{problem} is written", written.returncode == 0)
            print(f"{problem} {size}: iterations (factor an iteration), hepta | hypre")
            for operator in OPERATORS:
                for smoother in names:
                    line = []
                    for method, h in zip(METHODS, theirs(where, *operator, smoother)):
                        n = ours(where, *operator, names[smoother], method)
                        what = f"{problem}, {operator}, {smoother}, {method}: hepta {n}, hypre {h}"
                        checks.true(what, n is not None and n[0] <= max(1.3 * h[0], h[0] + 1))
                        compared += 1
                        mine = f"{n[0]:3d} ({n[1]:.3f})" if n is not None else "failed"
                        line.append(f"{method} {mine} | {h[0]:3d} ({h[1]:.3f})")
                    print(f"  {operator[0]:5s} {operator[1]:11s} {operator[2]} {smoother:13s}", "   ".join(line))
    checks.true("all were compared", compared == len(PROBLEMS) * len(OPERATORS) * len(names) * len(METHODS))
    sys.exit(checks.result())


if __name__ == "__main__":
    main()
