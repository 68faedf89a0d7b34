"""Multigrid against hypre's BoomerAMG on the same systems, by `hepta bench amg --peer hypre`: with the same coarsening,
interpolation and smoother hepta needs at most 1.3 times as many iterations, or one more, to 1e-6, and both find the
same solution. Of each problem and operator a third of smoothers and methods in turn; HEPTA_TEST_EVERY=1: all."""
import csv
import os
import re
import sys

import runs

PROBLEMS = (("poisson", "24"), ("lognormal", "20x44x17"), ("anisotropic", "16"))
# coarsening, interpolation, weights of a row at most (0: all)
OPERATORS = (("pmis", "extended+i", 4), ("hmis", "extended+i", 4), ("cljp", "classical", 4), ("rs", "classical", 0),
             ("rs", "classical", 4), ("rs", "direct", 4))
SMOOTHERS = ("damped-jacobi", "l1-jacobi", "hybrid")
METHODS = ("none", "cg")
MORE_METHODS = ("bicgstab", "gmres")  # of the first operators: few iterations say little about them
DIFFERENCE = 1e-4  # of the largest value: what residuals of 1e-6 leave


def solve(table, problem, size, operator, smoother, method):
    """Rows of hepta and of hypre, and by how much their solutions differ; None if the command fails."""
    coarsening, interpolation, weights = operator
    done = runs.hepta("bench", "amg", "--problem", problem, "--size", size, "--coarsening", coarsening,
                      "--interpolation", interpolation, "--weights", str(weights), "--smoother", smoother, "--method",
                      method, "--samples", "1", "--threads", "1", "--peer", "hypre", "--csv", table)
    if done.returncode != 0:
        print(done.stderr)
        return None
    with open(table, newline="") as f:
        ours, theirs = csv.DictReader(f)
    return ours, theirs, float(re.search(r"differ by at most (\S+) of", done.stdout).group(1))


def check(checks, what, found):
    """One line's part of the table that is printed."""
    checks.true(f"{what}: solved", found is not None)
    if found is None:
        return "failed"
    ours, theirs, difference = found
    n, most = int(ours["iterations"]), int(theirs["iterations"])
    checks.true(f"{what}: {n} iterations, hypre {most}", n <= max(1.3 * most, most + 1))
    checks.true(f"{what}: converged", all(row["reason"] == "converged" and float(row["residual"]) <= 1.01e-6
                                          for row in (ours, theirs)))
    checks.true(f"{what}: solutions differ by {difference}", difference <= DIFFERENCE)
    return f"{n:3d} ({float(ours['factor']):.3f}) | {most:3d} ({float(theirs['factor']):.3f})"


def check_levels(checks, table):
    """Where --levels ends coarsening, hypre's last level is solved directly or smoothed as hepta's is, by the number of its rows."""
    print("poisson 100 x 100, rs, classical, by the number of levels: iterations (factor per iteration), hepta | hypre")
    for levels in ("4", "3"):
        done = runs.hepta("bench", "amg", "--problem", "poisson", "--size", "100x100x1", "--coarsening", "rs", "--interpolation",
                          "classical", "--weights", "0", "--smoother", "damped-jacobi", "--method", "none", "--levels", levels, "--samples",
                          "1", "--threads", "1", "--peer", "hypre", "--csv", table)
        with open(table, newline="") as f:
            ours, theirs = csv.DictReader(f)
        print("  %s levels, %s rows on the last, hypre %s:" % (levels, ours["coarsest"], theirs["coarsest"]),
              check(checks, levels + " levels", (ours, theirs, 0.0)))
        checks.true(levels + " levels", ours["levels"] == theirs["levels"] == levels and done.returncode == 0, done.stdout)
        n, most, direct = int(ours["iterations"]), int(theirs["iterations"]), int(theirs["coarsest"]) <= 1000
        checks.true(levels + " levels: as many iterations, about", abs(n - most) <= 2 + n // 8, (n, most))
        checks.true(levels + " levels: solved directly or not, both", direct == (int(ours["coarsest"]) <= 1000) and
                    direct == (most < 20), (ours["coarsest"], theirs["coarsest"]))


def main():
    if os.environ["HEPTA_HAVE_HYPRE"] == "OFF":
        runs.skip("a build without hypre")
    checks = runs.Checks()
    with runs.folder() as where:
        table = os.path.join(where, "amg.csv")
        check_levels(checks, table)
        step = runs.every(4, 4)
        for p, (problem, size) in enumerate(PROBLEMS):
            print(f"{problem} {size}: iterations (factor per iteration), hepta | hypre")
            for o, operator in enumerate(OPERATORS):
                for s, smoother in enumerate(SMOOTHERS):
                    line = []
                    for m, method in enumerate(METHODS + (MORE_METHODS if o == 0 else ())):
                        if (p + o + s + m) % step == 0:
                            what = f"{problem}, {operator}, {smoother}, {method}"
                            line.append(f"{method} " + check(checks, what, solve(table, problem, size, operator, smoother, method)))
                    if line:
                        print(f"  {operator[0]:5s} {operator[1]:11s} {operator[2]} {smoother:13s}", "   ".join(line))
    sys.exit(checks.result())


if __name__ == "__main__":
    main()
