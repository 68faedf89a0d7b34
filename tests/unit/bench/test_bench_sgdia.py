"""hepta bench sgdia on the CPU: every stencil, boundary, precision and format, its CSV file, bytes and rates; mistakes."""
import csv
import os
import sys

import runs


def bench(*arguments, **more):
    return runs.hepta("bench", "sgdia", *arguments, **more)


def entries(r):
    """Inside the grid, by counting cells and neighbours."""
    size = [int(r[k]) for k in ("nx", "ny", "nz")]
    star, periodic, count = r["stencil"] == "star", r["boundary"] == "periodic", 0
    reach = [(-1, 0, 1) if n > 1 else (0,) for n in size]
    for x in reach[0]:
        for y in reach[1]:
            for z in reach[2]:
                if star and abs(x) + abs(y) + abs(z) > 1:
                    continue
                cells = 1
                for n, d in zip(size, (x, y, z)):
                    cells *= n if periodic else n - abs(d)
                count += cells
    return count * int(r["q"]) ** 2


def check_table(checks, where):
    path = os.path.join(where, "stencil.csv")
    done = bench("--size", "5,9x7x1", "--stencil", "star,box", "--boundary", "open,periodic", "--precision", "double,single",
                 "--q", "1,3", "--seconds", "0.001", "--threads", "2", "--csv", path)
    checks.true("runs", done.returncode == 0 and not done.stderr, done.stderr)
    with open(path, newline="") as f:
        rows = list(csv.DictReader(f))
    checks.true("all of them", len(rows) == 2 * 2 * 2 * 2 * 2 * 3 and len({tuple(r.values())[:11] for r in rows}) == len(rows), len(rows))
    for r in rows:
        name = " ".join(r[k] for k in ("stencil", "nx", "boundary", "precision", "q", "format"))
        real, n = 4 if r["precision"] == "single" else 8, int(r["rows"])
        points = {("star", 1): 5, ("box", 1): 9, ("star", 5): 7, ("box", 5): 27}[r["stencil"], int(r["nz"])]
        checks.true(name + ": right", float(r["difference"]) < (2e-6 if real == 4 else 3e-15), r["difference"])
        checks.true(name + ": entries", int(r["entries"]) == entries(r), r["entries"])
        if r["format"] == "sg-dia":
            checks.true(name + ": bytes", int(r["bytes"]) == real * n * (points * int(r["q"]) + 2), r["bytes"])
        if r["format"] == "csr":
            checks.true(name + ": bytes", int(r["bytes"]) == entries(r) * (real + 4) + 4 * (n + 1) + 2 * n * real, r["bytes"])
        checks.near(name + ": rate", float(r["gflops"]), 2e-9 * entries(r) / float(r["seconds"]), 1e-3 * float(r["gflops"]))
    done = bench("--size", "8", "--q", "2", "--memory", "0.00001", "--seconds", "0.001", "--threads", "1")
    checks.true("what is too large is left out", done.returncode == 0 and done.stdout.count("more than is allowed") == 2, done.stdout)


def check_mistakes(checks, where):
    for arguments, word in ((["--size", "0"], "--size"), (["--stencil", "cross"], "cross"), (["--boundary", "closed"], "closed"),
                            (["--precision", "half"], "half"), (["--q", "17"], "--q"), (["--format", "ell"], "ell"),
                            (["--format", "library"], "--backend cuda"), (["--search", "random"], "--backend cuda"),
                            (["--specialise"], "--specialise is for --backend cuda"), (["--compile"], "--compile needs --search"),
                            (["--save"], "--save needs --search"), (["--cache", "warm"], "--cache"), (["--csv", "/proc/none/x"], "/proc/none/x")):
        done = bench(*arguments, where=where)
        checks.true(" ".join(arguments), done.returncode == 2 and word in done.stderr and not done.stdout, done.stderr)
    done = bench("--size", "8x2x8", "--boundary", "periodic", "--threads", "1", "--q", "1")
    checks.true("two periodic cells", done.returncode == 2 and "two neighbours" in done.stderr, done.stderr)


checks = runs.Checks()
with runs.folder() as folder:
    check_table(checks, folder)
    check_mistakes(checks, folder)
sys.exit(checks.result())
