"""linear.cpr.amg = "hypre": CPR whose first stage is hypre's BoomerAMG. On the same systems it takes the iterations of hepta's own
multigrid or a few more or less, runs end at the same totals, the bits do not depend on the number of threads, a run that goes on
from a file has them too; `bench solve` has it beside the others. Without hypre it is refused by name."""
import csv
import os
import re
import sys

import restarts
import runs

checks = runs.Checks()
HYPRE = ["linear.cpr.amg=hypre"]
FIVE_SPOT = runs.deck("quarter_five_spot.cfg")


def refused():
    done = runs.hepta("check", FIVE_SPOT, "--set", HYPRE[0])
    checks.true("refused without hypre", done.returncode == 2 and "this build has no hypre" in done.stderr, done.stderr)
    return checks.result()


def totals(base):
    table = runs.read_csv(base + ".summary.csv")
    return [table[name][-1] for name in ("FOPT", "FWPT", "FWIT")]


def check_systems(where):
    """Some hundred systems of a deck with an aquifer, a fault that opens and shut wells, and of a heterogeneous one, solved by both;
    hypre makes its pattern from every pressure system anew, so hepta does too."""
    quarter = ["report.end=50", "grid.size=[30,30,14]"] + ["wells.%s=%d" % place for place in
               (("INJ.i", 15), ("INJ.j", 15), ("P2.i", 30), ("P3.j", 30), ("P4.i", 30), ("P4.j", 30))]
    for name, options in (("aquifer_fault.cfg", ["report.end=1500"]), ("five_spot_lognormal.cfg", quarter)):
        folder = os.path.join(where, name + ".compare")
        done = runs.hepta("compare", runs.deck(name), "--same-steps", *restarts.sets(options), "--set", "linear.tolerance=1e-6",
                          "--case", "own: linear.cpr.rebuild=step", "--case", "hypre: " + HYPRE[0], "-o", folder)
        rows = {m.group(1): [float(v) for v in m.groups()[1:]] for m in
                re.finditer(r"^(own|hypre) +finished +(\d+) +(\d+) .* ([\d.e+-]+) +([\d.e+-]+)$", done.stdout, re.M)}
        checks.true(name + ": both solve all systems", done.returncode == 0 and len(rows) == 2 and
                    rows["own"][0] == rows["hypre"][0] > 20, done.stdout + done.stderr)
        if len(rows) == 2:
            checks.between(name + ": linear iterations, of hepta's own", rows["hypre"][1] / rows["own"][1], 0.75, 1.34)
            checks.true(name + ": the same solutions", max(rows["hypre"][2:]) < 2e-3, rows)


def check_runs(where):
    bases = {}
    for name, threads, options in (("own", "1", ["linear.preconditioner=cpr"]), ("one", "1", HYPRE), ("two", "2", HYPRE), ("three", "3", HYPRE)):
        bases[name] = os.path.join(where, name)
        done = restarts.start(FIVE_SPOT, bases[name], restarts.KEEP + ["report.end=200"] + options, ["--threads", threads])
        checks.true(name + ": runs", done.returncode == 0, done.stderr)
        checks.true(name + ": says what was set up", re.search(r"Multigrid: set up once .*; \d+ levels?, operator complexity [1-9]", done.stdout), done.stdout)
    for one, other in zip(totals(bases["own"]), totals(bases["one"])):
        checks.near("totals", other, one, 2e-3 * max(abs(one), 1.0))
    for name in ("two", "three"):
        restarts.same_as(checks, name + " threads", bases[name], bases["one"])
    done = runs.hepta("check", FIVE_SPOT, "--set", HYPRE[0])
    checks.true("check says whose", "cpr (true-impes, hypre's pmis, extended+i, damped-jacobi)" in done.stdout, done.stdout)
    for interpolation, smoother, runs_as in (("averaging", "schwarz", "direct, gauss-seidel"), ("classical", "spai-0", "classical, l1-jacobi"),
                                             ("direct", "block-jacobi", "direct, damped-jacobi")):
        done = runs.hepta("check", FIVE_SPOT, *restarts.sets(HYPRE + ["linear.cpr.interpolation=" + interpolation, "linear.cpr.smoother=" + smoother]))
        checks.true("what runs for %s, %s" % (interpolation, smoother), "hypre's pmis, %s)" % runs_as in done.stdout, done.stdout)
    part = os.path.join(where, "part")
    step = runs.Result(bases["one"], "", "").steps[3]
    done = restarts.go_on(FIVE_SPOT, part, "%s:%d" % (bases["one"], step), restarts.KEEP + ["report.end=200"] + HYPRE)
    checks.true("goes on", done.returncode == 0, done.stderr)
    restarts.same_as(checks, "from step %d" % step, part, bases["one"])


def check_bench(where):
    base = os.path.join(where, "dumped")
    runs.hepta("run", FIVE_SPOT, "-o", base, "-q", "--set", "report.end=60", "--set", "linear.preconditioner=cpr", "--dump-systems", base + ":5")
    files = sorted(os.path.join(where, n) for n in os.listdir(where) if re.match(r"dumped\.step.*\.h5$", n))
    path = os.path.join(where, "solve.csv")
    done = runs.hepta("bench", "solve", *files[:1], "--preconditioner", "cpr,cpr-hypre", "--tolerance", "1e-8", "--samples", "1", "--csv", path)
    with open(path, newline="") as f:
        rows = list(csv.DictReader(f))
    checks.true("bench solve has both", done.returncode == 0 and [r["preconditioner"] for r in rows] == ["cpr", "cpr-hypre"] and
                all(float(r["residual"]) < 1e-8 for r in rows), done.stdout + done.stderr)


def main():
    if os.environ["HEPTA_HAVE_HYPRE"] == "OFF":
        return refused()
    with runs.folder() as where:
        check_systems(where)
        check_runs(where)
        check_bench(where)
    done = runs.hepta("check", FIVE_SPOT, "--set", HYPRE[0], "--backend", "cuda")
    checks.true("not on a GPU", done.returncode == 2 and 'linear.cpr.amg = "hypre" runs on the CPU only' in done.stderr, done.stderr + done.stdout)
    return checks.result()


sys.exit(main())
