"""hepta compare by several ranks: its tables and the results of its cases have the bits of one rank, rank 0's memory falls with the number
of ranks, differences of cells are those that h5py finds in the results, cases that fail are rows as in one process."""
import csv
import os
import sys

import h5py
import numpy

import rank_runs
import runs

# Differ between numbers of ranks, as seconds do.
OTHER = ("where", "peak_memory[B]", "solver_memory[B]")
BAR = 1e5
SHORT = ["--set", "report.end=20", "--set", "timestep.max=10"]
CASES = ("dilu: linear.preconditioner=dilu", "jacobi: linear.preconditioner=block-jacobi", "gmres: linear.method=gmres", "fails: linear.preconditioner=none linear.max_iterations=1 linear.tolerance=1e-9")
PLAIN = ("jacobi: linear.preconditioner=block-jacobi", "dilu: linear.preconditioner=dilu linear.ordering=bricks",
         "cpr: linear.preconditioner=cpr linear.ordering=bricks",
         "short: linear.preconditioner=none linear.max_iterations=2")
LARGE = """
grid = { size = [60, 40, 5]; dx = 20.0; dy = 20.0; dz = 4.0; top = 1800.0; porosity = 0.2; permx = 150.0; permz = 15.0; };
""" + runs.FLUIDS + """initial = { datum_depth = 1800.0; datum_pressure = 180.0; contact_depth = 1900.0; };
wells = (
  { name = "INJ"; type = "injector"; i = 1; j = 1; radius = 0.1; control = "rate"; rate = 20.0; bhp = 300.0; },
  { name = "P1"; type = "producer"; i = 60; j = 40; radius = 0.1; control = "bhp"; bhp = 150.0; }
);
report = { end = 1.0; };
output = { compression = 0; };
"""


def words(deck, name, cases, options):
    return ["compare", deck, "-o", name, "--progress", "never", "--threads", "1", *options] + [word for case in cases for word in ("--case", case)]


def compare(where, deck, name, ranks, cases, options=()):
    done = rank_runs.start(ranks, words(deck, name, cases, options), where)
    return tables(os.path.join(where, name)), done.stdout + done.stderr


def tables(folder):
    """{(table, row, column): text} of all three."""
    found = {}
    for name in ("compare.csv", "compare.solves.csv", "compare.residuals.csv"):
        with open(os.path.join(folder, name), newline="", encoding="utf-8") as f:
            found.update({(name, n, key): value for n, row in enumerate(csv.DictReader(f)) for key, value in row.items()})
    return found


def same(checks, what, one, other):
    odd = [key for key in sorted(set(one) | set(other)) if key[2] not in OTHER and not key[2].endswith("[s]") and one.get(key) != other.get(key)]
    checks.true(what + ": the tables", not odd and len(one) > 500, "differ: %s" % [(key, one.get(key), other.get(key)) for key in odd[:5]])


def column(found, key, table="compare.csv"):
    """By case, in their order."""
    return [value for (name, _, of), value in sorted(found.items()) if name == table and of == key]


def last_state(where, name):
    """Of the last report step [Pa, -]."""
    steps = os.path.join(where, name + ".steps")
    with h5py.File(os.path.join(steps, sorted(os.listdir(steps))[-1]), "r") as f:
        return f["pressure"][()].astype(numpy.float64), f["sw"][()].astype(numpy.float64)


def check_runs(checks, where, deck):
    """Each case with its own steps; parts are cut in other places for a solver without bricks."""
    options = SHORT + ["--set", "output.double=true"]
    one, _ = compare(where, deck, "own_1", 1, CASES, options)
    for ranks in (2, 3):
        name = "own_%d" % ranks
        found, _ = compare(where, deck, name, ranks, CASES, options)
        same(checks, "own steps, %d ranks" % ranks, one, found)
        for case in ("dilu", "jacobi", "gmres"):
            odd = rank_runs.differences(rank_runs.numbers(os.path.join(where, "own_1"), case), rank_runs.numbers(os.path.join(where, name), case))
            checks.true("own steps, %d ranks: results of %s" % (ranks, case), not odd, odd[:5])
    checks.true("own steps: states", column(one, "state") == ["finished"] * 3 + ["failed"], column(one, "state"))
    first, other = (last_state(os.path.join(where, "own_3"), case) for case in ("dilu", "jacobi"))
    found = [float(column(one, key)[1]) for key in (next(of for _, _, of in one if of.startswith("off_cell_pressure")), "off_cell_sw")]
    for what, unit, value, a, b in zip(("pressure", "sw"), (BAR, 1.0), found, first, other):
        right = numpy.nanmax(numpy.abs(a - b)) / unit
        checks.true("own steps: the largest difference of " + what, right > 0.0 and abs(value - right) <= 1e-9 * right, (value, right))


def check_systems(checks, where, deck):
    """The systems of one run; the first case has no bricks, but others have."""
    options = SHORT + ["--same-steps", "--set", "timestep.max=5"]
    one, said = compare(where, deck, "same_1", 1, PLAIN, options)
    for ranks in (2, 3):
        found, _ = compare(where, deck, "same_%d" % ranks, ranks, PLAIN, options)
        same(checks, "same steps, %d ranks" % ranks, one, found)
    checks.true("same steps: states", column(one, "state") == ["finished"] * 3 + ["failed"], said)
    off = [float(v) for v in column(one, "off_update_p")[1:]]
    checks.true("same steps: updates differ", all(0.0 < v < 100.0 for v in off), off)
    done = runs.hepta(*words(deck, "process", PLAIN, options), where=where)
    checks.true("same steps: one process", done.returncode == 0, done.stderr)
    # one process has other bits, and so maybe another number of systems
    alone = tables(os.path.join(where, "process"))
    systems = [float(column(of, "newton")[0]) for of in (one, alone)]
    for n, (a, b) in enumerate(zip(column(one, "linear"), column(alone, "linear"))):
        each = [float(iterations) / count for iterations, count in zip((a, b), systems)]
        checks.near("same steps: iterations a system of %s and of one process" % PLAIN[n].split(":")[0], each[0], each[1], 0.15 * each[1])
    # a well is cut between ranks, whose rows are those of one process nevertheless
    for key in ("levels", "operator_complexity"):
        alone = column(tables(os.path.join(where, "process")), key)
        checks.true("same steps: %s of one process" % key, column(one, key) == alone and alone[2] != "", (column(one, key), alone))


def check_memory(checks, where):
    """Rank 0 has its part alone: of 4 ranks about a quarter of what one has, and what does not depend on cells."""
    with open(os.path.join(where, "large.cfg"), "w", encoding="utf-8") as f:
        f.write(LARGE)
    peaks, solvers = {}, {}
    for ranks in (1, 4):
        found, _ = compare(where, "large.cfg", "large_%d" % ranks, ranks, CASES[:2])
        peaks[ranks] = [int(v) for v in column(found, "peak_memory[B]")]
        found, _ = compare(where, "large.cfg", "large_%d" % ranks, ranks, CASES[:2], ["--same-steps"])
        solvers[ranks] = [int(v) for v in column(found, "solver_memory[B]")]
    for n, case in enumerate(("dilu", "jacobi")):
        checks.true("memory of rank 0, %s" % case, peaks[4][n] < 0.45 * peaks[1][n], (peaks[1][n], peaks[4][n]))
        checks.true("memory of rank 0's solver, %s" % case, solvers[4][n] < 0.45 * solvers[1][n], (solvers[1][n], solvers[4][n]))


def main():
    checks = runs.Checks()
    with runs.folder() as where:
        deck = os.path.join(where, "faulted.cfg")
        with open(deck, "w", encoding="utf-8") as f:
            f.write(rank_runs.FAULTED)
        check_runs(checks, where, deck)
        check_systems(checks, where, deck)
        check_memory(checks, where)
    return checks.result()


sys.exit(main())
