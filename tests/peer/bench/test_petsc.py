"""Solid-fuel ignition by `hepta bench bratu --peer petsc`, beside PETSc's own examples: the same Newton iterations, the same
linear ones in each of them, the same residuals, the same solution."""
import os
import re
import sys

import runs

# nodes, lambda; the last ones near the largest lambda with a solution, where Newton's method takes more steps
CASES = (("12x12x12", "6"), ("20x9x13", "3.5"), ("33x33x33", "6"), ("41x41x1", "6"), ("1x24x24", "6.7"), ("31x1x12", "3.4"), ("9x31x1", "5"))
DIFFERENCE = 1e-10  # of the solutions, whose largest value is of the order of 1


def solve(size, value, matrix):
    """Of hepta and of PETSc [(residual, linear iterations until there)], and by how much the solutions differ."""
    done = runs.hepta("bench", "bratu", "--size", size, "--lambda", value, "--matrix", matrix, "--threads", "1", "--view",
                      "--peer", "petsc")
    if done.returncode != 0:
        print(done.stdout, done.stderr)
        return None
    ours, linear = [], 0
    for norm, count in re.findall(r"newton +\d+  \|F\| (\S+)(?:  linear +(\d+))?", done.stdout):
        ours.append((float(norm), linear))
        linear += int(count or 0)
    theirs = [(float(norm), int(count)) for norm, count in re.findall(r"petsc +\d+  \|F\| (\S+)  linear +(\d+) so far",
                                                                     done.stdout)]
    return ours, theirs, float(re.search(r"differ by at most (\S+)", done.stdout).group(1))


def check(checks, size, value, matrix):
    what = f"{size}, lambda {value}, {matrix}"
    found = solve(size, value, matrix)
    checks.true(f"{what}: solved", found is not None)
    if found is None:
        return
    ours, theirs, difference = found
    print(f"{what}: {len(ours) - 1} Newton iterations, {ours[-1][1]} linear; PETSc {len(theirs) - 1}, {theirs[-1][1]}; "
          f"solutions differ by {difference:.1e}")
    counts = [n for _, n in ours]
    checks.true(f"{what}: linear iterations {counts}, PETSc {theirs}", counts == [n for _, n in theirs] and len(counts) > 3)
    # the last residuals are what rounding leaves
    for n, (a, b) in enumerate(zip(ours[:-1], theirs)):
        checks.near(f"{what}: residual {n}", a[0], b[0], 1e-6 * b[0])
    checks.true(f"{what}: solutions differ by {difference}", difference <= DIFFERENCE)


def main():
    if os.environ["HEPTA_HAVE_PETSC"] == "OFF":
        runs.skip("a build without PETSc")
    checks = runs.Checks()
    for size, value in CASES:
        for matrix in ("gh",) if "1" in size.split("x") else ("gh", "csr", "sg-dia"):  # squares: one format
            check(checks, size, value, matrix)
    sys.exit(checks.result())


if __name__ == "__main__":
    main()
