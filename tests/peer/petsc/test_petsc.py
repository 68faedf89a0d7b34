"""Solid-fuel ignition by `hepta bench bratu` and by PETSc (bratu.c): the same Newton and linear iterations, the same
residuals, the same solution."""
import os
import re
import shutil
import subprocess
import sys

import numpy
import runs

# nodes, lambda; the last near the end of the solutions, where Newton's method takes more steps
CASES = (("12x12x12", "6"), ("20x9x13", "3.5"), ("33x33x33", "6"), ("41x41x1", "6"), ("1x30x30", "6.7"), ("1x1x65", "3.4"))
DIFFERENCE = 1e-10  # of the solutions, whose largest value is of the order of 1


def compile_peer(folder):
    """The program, or skip."""
    compiler = shutil.which("mpicc")
    if compiler is None or shutil.which("pkg-config") is None:
        runs.skip("no mpicc or no pkg-config")
    found = subprocess.run(["pkg-config", "--cflags", "--libs", "petsc"], capture_output=True, text=True)
    if found.returncode != 0:
        runs.skip("no PETSc (libpetsc-real-dev)")
    program = os.path.join(folder, "bratu_petsc")
    source = os.path.join(runs.SOURCE, "tests", "peer", "petsc", "bratu.c")
    done = subprocess.run([compiler, "-O2", source, "-o", program] + found.stdout.split() + ["-lm"], capture_output=True,
                          text=True)
    if done.returncode != 0:
        print(done.stderr)
        sys.exit(1)
    return program


def solve_peer(program, size, value, folder):
    """Residuals, linear iterations before each, the end, the solution."""
    path = os.path.join(folder, "petsc.txt")
    environment = dict(os.environ, OMP_NUM_THREADS="1", OMPI_MCA_btl_vader_single_copy_mechanism="none")
    done = subprocess.run([program] + size.split("x") + [value, path], capture_output=True, text=True, env=environment)
    if done.returncode != 0:
        print(done.stdout, done.stderr)
        return None
    lines = [line.split() for line in done.stdout.splitlines()]
    steps = [line for line in lines if line[0].isdigit()]
    return ([float(s[1]) for s in steps], [int(s[2]) for s in steps], [s[1] for s in lines if s[0] == "end"][0],
            numpy.loadtxt(path))


def solve(size, value, matrix, folder):
    path = os.path.join(folder, "hepta.mtx")
    done = runs.hepta("bench", "bratu", "--size", size, "--lambda", value, "--matrix", matrix, "--threads", "1", "--view",
                      "--write", path)
    if done.returncode != 0:
        print(done.stdout, done.stderr)
        return None
    found = re.findall(r"newton +\d+  \|F\| (\S+)(?:  linear +(\d+))?", done.stdout)
    linear = [0]
    for _, count in found[:-1]:
        linear.append(linear[-1] + int(count))
    return [float(norm) for norm, _ in found], linear, numpy.loadtxt(path, comments="%", skiprows=2)


def check(checks, program, size, value, folder):
    theirs = solve_peer(program, size, value, folder)
    checks.true(f"{size}, lambda {value}: PETSc converges", theirs is not None and theirs[2].startswith("CONVERGED"))
    for matrix in ("gh", "csr", "sg-dia"):
        what = f"{size}, lambda {value}, {matrix}"
        ours = solve(size, value, matrix, folder)
        checks.true(f"{what}: solved", ours is not None)
        if theirs is None or ours is None:
            continue
        difference = abs(ours[2] - theirs[3]).max()
        print(f"{what}: {len(ours[0]) - 1} Newton iterations, {ours[1][-1]} linear; PETSc {len(theirs[0]) - 1}, "
              f"{theirs[1][-1]}; solutions differ by {difference:.1e} of {theirs[3].max():.3f}")
        checks.true(f"{what}: linear iterations {ours[1]}, PETSc {theirs[1]}", ours[1] == theirs[1])
        # the last residuals are what rounding leaves
        for n, (a, b) in enumerate(zip(ours[0][:-1], theirs[0])):
            checks.near(f"{what}: residual {n}", a, b, 1e-6 * b + 1e-12 * theirs[0][0])
        checks.true(f"{what}: solutions differ by {difference}", difference <= DIFFERENCE)


def main():
    checks = runs.Checks()
    with runs.folder() as folder:
        program = compile_peer(folder)
        for size, value in CASES:
            check(checks, program, size, value, folder)
    sys.exit(checks.result())


if __name__ == "__main__":
    main()
