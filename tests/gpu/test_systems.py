"""Linear systems of a run on a GPU as files: the same layout and, by numpy, the residual that the run reports; `hepta bench
solve --backend cuda` with the run's solver gives its iterations and bits, on a CPU a solution to the same tolerance."""
import csv
import glob
import os
import sys

import h5py
import numpy

import runs
from test_decks import SMALL


def bench(where, files, *arguments):
    path = os.path.join(where, "solve.csv")
    done = runs.hepta("bench", "solve", *files, "--samples", "1", "--csv", path, *arguments)
    if done.returncode != 0:
        print(done.stdout[-1000:], done.stderr[-2000:])
        sys.exit(1)
    with open(path, newline="") as f:
        return list(csv.DictReader(f))


def check(checks, where, preconditioner):
    base = os.path.join(where, preconditioner)
    runs.run("schedule", where, SMALL + ["linear.preconditioner=" + preconditioner], name=preconditioner,
             arguments=["--backend", "cuda", "--dump-systems", base + ":1,2,3"])
    files = sorted(glob.glob(base + ".step*.h5"))
    checks.true(preconditioner + ": systems", len(files) > 5, len(files))
    product, attributes = runs.documented_product(), []
    for path in files:
        with h5py.File(path) as f:
            r = numpy.linalg.norm(f["b"][:] - product(f, f["x"][:]))
            checks.near(path + ": |b - A x|", r, f.attrs["residual"], 1e-9 * f.attrs["norm_b"])
            attributes.append(dict(f.attrs))
    for row, a in zip(bench(where, files, "--backend", "cuda", "--preconditioner", preconditioner), attributes):
        what = "%s, step %s, Newton %s" % (preconditioner, row["step"], row["newton"])
        checks.true(what + ": iterations", int(row["iterations"]) == a["iterations"], row["iterations"])
        checks.true(what + ": bits", row["same_bits"] == "1", row["off_run"])
        checks.near(what + ": residual", float(row["residual"]), a["residual"] / a["norm_b"], 1e-9)
    rows = bench(where, files, "--preconditioner", preconditioner, "--ordering", "red-black")
    for row, a in zip(rows, attributes):
        checks.true("on a CPU: converges", row["reason"] == "converged" and float(row["residual"]) <= a["tolerance"])


checks = runs.Checks()
with runs.folder() as folder:
    runs.skip_without_gpu(folder)
    for preconditioner in ("dilu", "cpr"):
        check(checks, folder, preconditioner)
sys.exit(checks.result())
