"""Linear systems of a run on a GPU as files: the same layout and, by numpy, the residual that the run reports; `hepta bench
solve --backend cuda` with the run's solver gives its iterations and bits, on a CPU a solution to the same tolerance."""
import csv
import glob
import os
import re
import sys

import h5py
import numpy

import runs
from test_decks import SMALL


def skip_without_gpu(where):
    done = runs.hepta("run", runs.deck("gravity_capillary"), "-o", os.path.join(where, "try"), "--backend", "cuda", "--set",
                      "report.times=[1.0]")
    if done.returncode != 0 and ("no CUDA" in done.stderr or "compute capability" in done.stderr):
        runs.skip(done.stderr.strip().splitlines()[-1])


def example():
    """The product of docs/output.md."""
    with open(os.path.join(runs.SOURCE, "docs", "output.md"), encoding="utf-8") as f:
        text = next(b for b in re.findall(r"```python\n(.*?)```", f.read(), re.S) if "def product" in b)
    names = {}
    exec(text, names)
    return names["product"]


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
    product, attributes = example(), []
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
    for row in bench(where, files, "--preconditioner", preconditioner, "--ordering", "red-black"):
        checks.true("on a CPU: converges", row["reason"] == "converged" and float(row["residual"]) <= 5e-3)


checks = runs.Checks()
with runs.folder() as folder:
    skip_without_gpu(folder)
    for preconditioner in ("dilu", "cpr"):
        check(checks, folder, preconditioner)
sys.exit(checks.result())
