"""hepta bench bratu: its tables, its CSV file, the solution it writes, mistakes."""
import csv
import os
import sys

import numpy
import runs


def bench(*arguments):
    return runs.hepta("bench", "bratu", "--threads", "1", *arguments)


def check_tables(checks, where):
    path, solution = os.path.join(where, "bratu.csv"), os.path.join(where, "u.mtx")
    done = bench("--size", "9,11x12x1", "--matrix", "gh,csr,sg-dia", "--preconditioner", "none,amg", "--samples", "3",
                 "--csv", path, "--write", solution)
    checks.true("runs", done.returncode == 0 and not done.stderr, done.stderr)
    checks.true("says what it solves", "lambda 6, Newton to 1e-08, gmres(30) to 1e-05" in done.stdout)
    with open(path, newline="") as f:
        rows = list(csv.DictReader(f))
    expected = [(n, m, p) for n in ("9 9 9", "11 12 1") for m in ("gh", "csr", "sg-dia") for p in ("none", "amg")]
    checks.true("every combination", [("%s %s %s" % (r["nx"], r["ny"], r["nz"]), r["matrix"], r["preconditioner"])
                                      for r in rows] == expected)
    parts = [name for name in rows[0] if name.endswith("_seconds")]
    checks.true("the parts", len(parts) == 8, str(parts))
    for r in rows:
        name = "%s %s %s" % (r["nx"], r["matrix"], r["preconditioner"])
        checks.true(name + ": converged", r["end"] == "converged")
        checks.true(name + ": residual", float(r["residual"]) <= 1e-8 * float(r["first_residual"]))
        checks.true(name + ": cycles", (int(r["cycles"]) > 0) == (r["preconditioner"] == "amg"))
        checks.true(name + ": products", int(r["products"]) >= int(r["linear"]) > int(r["newton"]))
        total, sum_of = float(r["seconds"]), sum(float(r[p]) for p in parts)
        checks.true(name + ": the parts are all of it", 0.2 * total <= sum_of <= 1.001 * total, "%g of %g" % (sum_of, total))
        same = [s for s in rows if s["nx"] == r["nx"] and s["preconditioner"] == r["preconditioner"]]
        checks.true(name + ": the same counts in every format", len({(s["newton"], s["linear"]) for s in same}) == 1)
    u = numpy.loadtxt(solution, comments="%", skiprows=2).reshape(11, 12)
    edge = numpy.concatenate([u[0], u[-1], u[:, 0], u[:, -1]])
    checks.true("the solution", abs(edge).max() == 0.0 and u.max() > 0.5 and abs(u - u[::-1, ::-1]).max() < 1e-9)


def check_view(checks):
    lines = bench("--size", "9", "--view", "--lambda", "1").stdout.splitlines()
    checks.true("iterations", [line.split()[:2] for line in lines if line.startswith("  newton")][:2] == [["newton", "0"], ["newton", "1"]])
    done = bench("--size", "64x3x3", "--rtol", "1e-7", "--restart", "5", "--newton-tolerance", "1e-10")
    checks.true("tolerances", "Newton to 1e-10, gmres(5) to 1e-07" in done.stdout and done.returncode == 0, done.stderr)
    checks.true("no paper's time for other sizes", "C2070" not in done.stdout)


def check_peer(checks, where):
    """PETSc's row beside hepta's; a build without it refuses."""
    path = os.path.join(where, "peer.csv")
    done = bench("--size", "9,8x1x7", "--preconditioner", "none,amg", "--samples", "2", "--peer", "petsc", "--csv", path)
    if os.environ["HEPTA_HAVE_PETSC"] == "OFF":
        checks.true("--peer petsc is refused", done.returncode == 2 and "this build has no PETSc" in done.stderr, done.stderr)
        return
    checks.true("--peer petsc", done.returncode == 0 and not done.stderr, done.stderr)
    with open(path, newline="") as f:
        rows = list(csv.DictReader(f))
    checks.true("its rows", [r["backend"] for r in rows] == ["cpu", "cpu", "petsc"] * 2)
    for ours, theirs in ((rows[0], rows[2]), (rows[3], rows[5])):
        checks.true("the same counts", (ours["newton"], ours["linear"]) == (theirs["newton"], theirs["linear"]))
        checks.true("it converged, in some time", theirs["end"] == "converged" and float(theirs["seconds"]) > 0.0)
    checks.true("one solution", all(float(line.split()[-1]) < 1e-10 for line in done.stdout.splitlines() if "differ by" in line)
                and done.stdout.count("differ by") == 2)
    checks.true("its examples", "ex14.c" in done.stdout and "ex5.c" in done.stdout, done.stdout)
    for options, text in ((("--size", "9x1x1"), "not one"), (("--size", "9", "--lambda", "7"), "below 6.81")):
        done = bench(*options, "--peer", "petsc")
        checks.true(f"{options} have no example", done.returncode == 2 and text in done.stderr, done.stderr)
    done = bench("--size", "9", "--preconditioner", "amg", "--peer", "petsc")
    checks.true("beside none only", done.returncode == 2 and "--preconditioner none" in done.stderr, done.stderr)


def check_failures(checks):
    done = bench("--size", "9", "--lambda", "60")
    checks.true("no solution", done.returncode == 1 and "lambda too large" in done.stdout and "not every run converged" in done.stderr,
                done.stdout + done.stderr)
    done = bench("--size", "33", "--iterations", "2")
    checks.true("too few iterations", done.returncode == 1 and "--iterations" in done.stdout, done.stdout)
    for arguments, word in ((["--size", "2"], "at least 3"), (["--size", "9x9x2"], "--size 9x9x2"), (["--lambda", "-1"], "--lambda"),
                            (["--matrix", "coo"], "--matrix"), (["--preconditioner", "dilu"], "--preconditioner"),
                            (["--rtol", "0"], "--rtol"), (["--newton-tolerance", "1"], "--newton-tolerance"),
                            (["--newton-iterations", "0"], "--newton-iterations"), (["--restart", "0"], "--restart"),
                            (["--samples", "0"], "--samples"), (["--peer", "hypre"], "--peer"), (["--backend", "gpu"], "--backend"), (["extra"], "extra")):
        done = bench(*arguments)
        checks.true(" ".join(arguments), done.returncode == 2 and word in done.stderr, done.stderr)


checks = runs.Checks()
with runs.folder() as where:
    check_tables(checks, where)
    check_view(checks)
    check_peer(checks, where)
    check_failures(checks)
sys.exit(checks.result())
