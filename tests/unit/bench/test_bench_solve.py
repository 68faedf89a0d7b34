"""hepta run --dump-systems and hepta bench solve: files as docs/reference/output.md describes them, read with h5py and solved by
numpy; the run's own solver on them gives its iterations and its bits, whatever its settings, after a cut, after a restart;
rows of what does not converge or does not run; mistakes."""
import csv
import glob
import json
import os
import sys

import h5py
import numpy

import runs

DECK = "schedule"
SMALL = ["grid.size=[8, 8, 2]", "wells.INJ.i=4", "wells.INJ.j=4", "wells.P2.i=8", "wells.P2.j=3", "wells.P3.i=3",
         "wells.P3.j=8", "report.end=60", "report.every=30"]
CPR = ["linear.preconditioner=cpr"]


def dump(where, name, options=(), arguments=(), chosen=""):
    """A run with files of its systems: their paths."""
    command = [a for o in SMALL + list(options) for a in ("--set", o)]
    done = runs.hepta("run", runs.deck(DECK), "-o", os.path.join(where, name), "--dump-systems",
                      os.path.join(where, name) + chosen, "--progress", "never", *command, *arguments)
    if done.returncode != 0:
        print(done.stdout[-1000:], done.stderr[-2000:])
        sys.exit(1)
    return sorted(glob.glob(os.path.join(where, name + ".step*.h5")))


def bench(where, files, *arguments, samples="1"):
    """Rows of the CSV table."""
    path = os.path.join(where, "solve.csv")
    done = runs.hepta("bench", "solve", *files, "--samples", samples, "--csv", path, *arguments)
    if done.returncode != 0:
        print(done.stdout[-1000:], done.stderr[-2000:])
        sys.exit(1)
    with open(path, newline="") as f:
        return list(csv.DictReader(f)), done


def matrix_of(f):
    """The matrix of a file by the text of docs/reference/output.md."""
    nx, ny, nz, q = (int(f.attrs[k]) for k in ("nx", "ny", "nz", "q"))
    ncell, nwell = nx * ny * nz, int(f.attrs["nwell"])
    h, w, wt, d = (f["matrix/" + k][:] for k in ("h", "w", "wt", "d"))
    A = numpy.zeros((ncell * q + nwell,) * 2)
    for u, step in enumerate(((-1, 0, 0), (0, -1, 0), (0, 0, -1), (0, 0, 0), (0, 0, 1), (0, 1, 0), (1, 0, 0))):
        for m in range(ncell):
            i, j, k = m // (nz * ny), m // nz % ny, m % nz
            i, j, k = i + step[0], j + step[1], k + step[2]
            if not (0 <= i < nx and 0 <= j < ny and 0 <= k < nz):
                assert not h[u, :, m, :].any()
                continue
            n = k + nz * (j + ny * i)
            A[m * q:m * q + q, n * q:n * q + q] = h[u, :, m, :].T
    begin, cell = f["wells/begin"][:], f["wells/cell"][:]
    for well in range(nwell):
        row = ncell * q + well
        A[row, row] = d[well]
        for p in range(begin[well], begin[well + 1]):
            m = cell[p, 2] + nz * (cell[p, 1] + ny * cell[p, 0])
            A[row, m * q:m * q + q] = w[p]
            A[m * q:m * q + q, row] = wt[p]
    return A


def check_files(checks, where):
    files = dump(where, "run", CPR, chosen=":1,3.2")
    names = [os.path.basename(f) for f in files]
    checks.true("names", names[0] == "run.step0001.newton01.h5" and names[-1] == "run.step0003.newton02.h5" and
                sum("step0003" in n for n in names) == 1 and len(names) > 3, names)
    product = runs.documented_product()
    for path in files:
        with h5py.File(path) as f:
            what = os.path.basename(path)
            A, b, x = matrix_of(f), f["b"][:], f["x"][:]
            r = numpy.linalg.norm(b - A @ x)
            checks.near(what + ": the example's product", numpy.abs(product(f, x) - A @ x).max(), 0.0,
                        1e-12 * numpy.abs(A @ x).max())
            checks.near(what + ": |b|", numpy.linalg.norm(b), f.attrs["norm_b"], 1e-12 * f.attrs["norm_b"])
            checks.near(what + ": |b - A x|", r, f.attrs["residual"], 1e-9 * f.attrs["norm_b"])
            checks.true(what + ": within the tolerance", 0.0 < r <= f.attrs["tolerance"] * f.attrs["norm_b"] and f.attrs["tolerance"] in (1e-2, 4e-2))
            exact = numpy.linalg.solve(A, b)
            checks.true(what + ": near the solution", numpy.linalg.norm(exact - x) < 0.1 * numpy.linalg.norm(exact))
            checks.true(what + ": described", f.attrs["deck"] == "schedule.cfg" and f.attrs["cpr"] == 1 and
                        f.attrs["solver"].startswith("bicgstab, cpr") and f.attrs["reason"] == "converged" and
                        f.attrs["commit"] != "" and f.attrs["dt"] > 0 and f["active"][:].all())
            first = f["matrix"].attrs["newton"] == 1
            checks.true(what + ": numbers", ("numbers" in f) != first and (first or f["numbers"].attrs["newton"] == 1))
    return files


def check_own(checks, where, what, files, *arguments):
    """The solver of the run on its own systems; under AddressSanitizer on the first ones, since each is read by a process of its own."""
    files = files[:len(files) if runs.every(1, 2) == 1 else 6]
    rows, _ = bench(where, files, *arguments)
    checks.true(what + ": a row a system", len(rows) == len(files) and len(files) > 3, len(rows))
    for row, path in zip(rows, files):
        with h5py.File(path) as f:
            name = "%s: %s" % (what, os.path.basename(path))
            checks.true(name + ": iterations", int(row["iterations"]) == f.attrs["iterations"], row["iterations"])
            checks.true(name + ": bits", row["same_bits"] == "1" and float(row["off_run"]) == 0.0, row["off_run"])
            checks.near(name + ": residual", float(row["residual"]), f.attrs["residual"] / f.attrs["norm_b"], 1e-10)
            checks.true(name + ": place", (row["step"], row["attempt"], row["newton"]) ==
                        tuple(str(f["matrix"].attrs[k]) for k in ("step", "attempt", "newton")))


def check_same_bits(checks, where, cpr_files):
    for threads in ("1", "2"):
        check_own(checks, where, "cpr, %s threads" % threads, cpr_files, "--preconditioner", "cpr", "--threads", threads)
    one = ["--threads", "1"]
    for name, options, arguments in (
            ("dilu", ["linear.preconditioner=dilu", "report.end=30"], ["--preconditioner", "dilu"]),
            ("gmres", CPR + ["linear.method=gmres", "report.end=30"], ["--preconditioner", "cpr", "--method", "gmres"]),
            ("rebuild", CPR + ["linear.cpr.rebuild=step", "report.end=30"], ["--preconditioner", "cpr"]),
            ("refresh", CPR + ["linear.cpr.refresh=solve", "report.end=30"], ["--preconditioner", "cpr"]),
            ("red-black", CPR + ["linear.ordering=red-black", "report.end=30"],
             ["--preconditioner", "cpr", "--ordering", "red-black"]))[::runs.every(1, 4)]:
        check_own(checks, where, name, dump(where, name, options, one), *arguments, *one)
    cut = dump(where, "cut", CPR + ["newton.max_iterations=4", "timestep.initial=5", "report.end=30"], one)
    checks.true("a step was cut", any("attempt2" in f for f in cut), len(cut))
    check_own(checks, where, "after a cut", cut, "--preconditioner", "cpr", *one)


def contents(path):
    found = {}

    def add(name, item):
        found[name] = (dict(item.attrs), item[()].tobytes() if isinstance(item, h5py.Dataset) else b"")

    with h5py.File(path) as f:
        f.visititems(add)
        found[""] = {k: v for k, v in f.attrs.items() if k != "machine"}
    return found


def check_restart(checks, where):
    """A run that goes on has no first system of its own; its files have the whole run's."""
    whole = dump(where, "whole", CPR, chosen="")
    with h5py.File(os.path.join(where, "whole.h5")) as f:
        first = int(f["step"][1])
    part = dump(where, "part", CPR, ["--restart", "%s:%d" % (os.path.join(where, "whole"), first)])
    checks.true("systems after the restart", 3 < len(part) < len(whole), len(part))
    for path in part:
        other = path.replace("part.step", "whole.step")
        checks.true(os.path.basename(path) + ": as in the whole run", contents(path) == contents(other))
    with h5py.File(part[-1]) as f:
        checks.true("the pattern is the whole run's", f["pattern"].attrs["step"] == 1)
    with h5py.File(os.path.join(where, "whole.steps", "restart_%06d.h5" % first)) as f:
        checks.true("a dump keeps restarts", f.attrs["step"] == first)


def check_rows(checks, where, path):
    """Solves that do not converge or run have a row, and the numbers of the tables fit together."""
    rows, done = bench(where, [path], "--method", "bicgstab,gmres,qmr,cg", "--preconditioner", "none,dilu,cpr",
                       "--execution", "in-kernel,graph", "--ordering", "natural,red-black", "--iterations", "1",
                       "--tolerance", "1e-12", "--threads", "1", "--json", samples="3" if runs.every(1, 2) == 1 else "1")
    keys = [(r["method"], r["preconditioner"], r["execution"], r["ordering"]) for r in rows]
    checks.true("a row a choice", len(rows) == 4 * 2 * 5 and len(set(keys)) == len(keys), len(rows))
    for row in rows:
        what = " ".join(row[k] for k in ("method", "preconditioner", "execution", "ordering"))
        pair = (row["method"], row["preconditioner"])
        if row["execution"] == "graph" and pair not in (("qmr", "cpr"), ("cg", "cpr")):
            checks.true(what, row["iterations"] == "" and "ways to use a GPU" in row["reason"], row["reason"])
        elif pair in (("qmr", "cpr"), ("cg", "cpr"), ("cg", "dilu")):
            checks.true(what, row["iterations"] == "" and "needs" in row["reason"], row["reason"])
        elif row["method"] == "cg":
            checks.true(what, "not symmetric" in row["reason"], row["reason"])
        else:
            checks.true(what + ": said", row["reason"] == "iteration limit reached", row["reason"])
            checks.true(what + ": one iteration", row["iterations"] == "1")
            checks.true(what + ": order of times", all(
                0 < float(row[t + "_least"]) <= float(row[t]) <= float(row[t + "_most"])
                for t in ("setup", "refresh", "factors", "solve")))
            checks.near(what + ": residual", float(row["residual"]), float(row["recurred_residual"]), 1e-9)
            checks.near(what + ": an iteration", float(row["iteration"]), float(row["solve"]), 1e-5 * float(row["solve"]))
            parts = sum(float(row[k]) for k in ("matrix_bytes", "preconditioner_bytes", "vector_bytes"))
            checks.near(what + ": bytes", float(row["iteration_bytes"]), parts, 1.0)
            checks.near(what + ": rate", float(row["gbs"]), 1e-9 * parts / float(row["solve"]), 2e-3 * float(row["gbs"]))
            checks.near(what + ": share", float(row["share"]), float(row["gbs"]) / float(row["copy_gbs"]), 2e-3 * float(row["share"]))
            checks.true(what + ": barriers", 0 < float(row["iteration_barriers"]) <= int(row["barriers"]))
    events = [json.loads(line) for line in done.stdout.splitlines()]
    checks.true("events", [e["event"] for e in events] == ["system"] + ["solve"] * len(rows))
    checks.true("the table is elsewhere", "does not run" in done.stderr and "a copy moves" in done.stderr)
    for event, row in zip(events[1:], rows):
        if "refused" in event:
            checks.true("refused", event["refused"] == row["reason"])
        else:
            checks.true("the same numbers", event["iterations"] == int(row["iterations"]) and
                        abs(event["solve"]["median"] - float(row["solve"])) <= 1e-5 * float(row["solve"]))


def check_mistakes(checks, where, path):
    text = os.path.join(where, "text.h5")
    with open(text, "w") as f:
        f.write("no HDF5\n")
    torn = os.path.join(where, "torn.h5")
    with open(path, "rb") as a, open(torn, "wb") as b:
        b.write(a.read()[:20000])
    nan = os.path.join(where, "nan.h5")
    with open(path, "rb") as a, open(nan, "wb") as b:
        b.write(a.read())
    with runs.edited(nan) as f:
        f["b"][3] = numpy.nan
    for arguments, words in ((["nowhere.h5"], "nowhere.h5: cannot open"), ([text], "cannot open"), ([torn], "torn.h5"),
                             ([nan], "/b: number 4 of 260 is not finite"),
                             ([os.path.join(where, "run.h5")], "holds no linear system"),
                             ([path, text], "cannot open"), ([], "which systems?"),
                             ([path, "--method", "sor"], "--method sor"), ([path, "--preconditioner", "amg"], "amg"),
                             ([path, "--ordering", "wild"], "wild"), ([path, "--samples", "0"], "--samples 0"),
                             ([path, "--tolerance", "1"], "--tolerance 1"), ([path, "--threads", "0"], "--threads 0"),
                             ([path, "--gpus", "2"], "--gpus is for --backend cuda"), ([path, "--gpus", "0"], "--gpus 0"),
                             ([path, "--iterations", "0"], "--iterations 0"), ([path, "--backend", "x"], "--backend x"),
                             ([path, "--backend", "cuda", "--threads", "2"], "--threads is for"),
                             ([path, "--csv", "/proc/none/x"], "/proc/none/x"), ([path, "--json=/proc/none/x"], "/proc/none/x"))[::runs.every(1, 3)]:
        done = runs.hepta("bench", "solve", *arguments)
        what = " ".join(os.path.basename(a) for a in arguments)
        checks.true(what, done.returncode == 2 and words in done.stderr, "%d %s" % (done.returncode, done.stderr))
    done = runs.hepta("bench", "solve", "--help")
    checks.true("help", done.returncode == 0 and "usage: hepta bench solve FILE" in done.stdout and
                all(len(line) <= 110 for line in done.stdout.splitlines()))
    for name in ("a:0", "a:3,", ":3", "/proc/none/x"):
        done = runs.hepta("run", runs.deck(DECK), "-o", os.path.join(where, "x"), "--dump-systems", name)
        checks.true("--dump-systems " + name, done.returncode == 2 and done.stderr != "", done.stderr)
    done = runs.hepta("run", runs.deck(DECK), "-o", os.path.join(where, "late"), "--dump-systems",
                      os.path.join(where, "late") + ":2.99,9999", *[a for o in SMALL for a in ("--set", o)])
    checks.true("what was not reached is said", done.returncode == 0 and "wrote 0 linear systems" in done.stderr and
                "step 2 has no system 99" in done.stderr and "step 9999 solved no linear system" in done.stderr, done.stderr)


checks = runs.Checks()
with runs.folder() as folder:
    found = check_files(checks, folder)
    check_same_bits(checks, folder, found)
    check_restart(checks, folder)
    check_rows(checks, folder, found[0])
    check_mistakes(checks, folder, found[0])
sys.exit(checks.result())
