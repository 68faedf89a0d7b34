"""hepta bench spmv and krylov: all formats on small matrices, tables, CSV files, mistakes."""
import csv
import os
import sys

import runs

FORMATS = {"gh", "csr", "bsr", "sell", "dia", "ell", "hyb", "hec", "sg-dia"}
HALF = {"gh-h", "csr-h"}


def check_table(checks, where):
    path = os.path.join(where, "spmv.csv")
    rows = []
    for cache, formats in (("hot", ["--size", "6,5x4x3", "--q", "1,2,3"]),
                           ("cold", ["--size", "6", "--q", "2", "--format", "gh,csr,gh-h"])):
        done = runs.hepta("bench", "spmv", "--seconds", "0.001", "--threads", "1",
                          "--cache", cache, "--csv", path, *formats)
        checks.true("runs", done.returncode == 0 and not done.stderr)
        checks.true("a copy is measured", "a copy moves" in done.stdout.splitlines()[0])
        with open(path, newline="") as f:
            rows += list(csv.DictReader(f))
    for size in ((6, 6, 6), (5, 4, 3)):
        for q in (1, 2, 3):
            mine = [r for r in rows if (int(r["nx"]), int(r["ny"]), int(r["nz"]), int(r["q"])) == (*size, q)]
            expected = FORMATS | (HALF if q % 2 == 0 else set())
            cold = {"gh", "csr", "gh-h"} if (size[0], q) == (6, 2) else {}
            for cache, formats in (("hot", expected), ("cold", cold)):
                checks.true(f"{size}, q = {q}: every format, {cache}",
                            sorted(r["format"] for r in mine if r["cache"] == cache) == sorted(formats))
            wells, cells = size[0] * size[1] // 4, size[0] * size[1] * size[2]
            blocks = cells + 2 * sum(cells // n * (n - 1) for n in size)
            for r in mine:
                checks.true("another right product", float(r["difference"]) < 1e-15 * 64)
                if r["format"] in HALF:
                    continue
                checks.true("rows", int(r["rows"]) == cells * q + wells)
                checks.true("entries", int(r["entries"]) == blocks * q * q + 2 * wells * size[2] * q + wells)
                checks.near("rate", float(r["gflops"]), 2e-9 * int(r["entries"]) / float(r["seconds"]), 1e-3)
    checks.true("csr holds more bytes than gh", all(
        int(a["bytes"]) > int(b["bytes"]) for a in rows for b in rows
        if a["format"] == "csr" and b["format"] == "gh" and a["nx"] == b["nx"] and a["q"] == b["q"]))


def check_choice(checks):
    done = runs.hepta("bench", "spmv", "--size", "4", "--format", "csr,gh", "--cache", "hot", "--seconds", "0.001",
                      "--wells", "0")
    lines = [line.split()[0] for line in done.stdout.splitlines()[5:]]
    checks.true("only what was chosen", done.returncode == 0 and lines == ["gh", "csr"])
    checks.true("no wells", "0 wells" in done.stdout and "cold" not in done.stdout)


def check_connections(checks):
    """Formats with column indices multiply with connections beyond the diagonals, the others say why not."""
    done = runs.hepta("bench", "spmv", "--size", "8", "--connections", "100", "--cache", "hot", "--seconds", "0.001")
    lines = {line.split()[0]: line for line in done.stdout.splitlines()[4:]}
    for name in ("gh", "csr", "bsr", "sell", "ell", "hyb", "hec"):
        checks.true(f"{name}: another right product", name in lines and float(lines[name].split()[-1]) < 1e-15 * 64)
    for name in ("dia", "sg-dia", "gh-h"):
        checks.true(f"{name} refuses", "no place for" in lines.get(name, ""))
    done = runs.hepta("bench", "krylov", "--size", "8", "--connections", "100", "--method", "bicgstab", "--preconditioner",
                      "dilu", "--samples", "1")
    checks.true("a solve with connections", done.returncode == 0 and "bicgstab" in done.stdout)


def check_krylov(checks, where):
    """bench krylov over formats, q and a matrix from a file: BSR has the bits of GH and so its iterations, another order of sums
    ends within a few of them; operations are counted, shares are of the iteration."""
    path = os.path.join(where, "krylov.csv")
    done = runs.hepta("bench", "krylov", "--size", "6x5x4", "--q", "1,3", "--wells", "2", "--format", "gh,bsr,csr", "--preconditioner",
                      "none", "--method", "bicgstab,gmres", "--samples", "1", "--iterations", "16", "--threads", "2", "--csv", path)
    with open(path, newline="") as f:
        rows = list(csv.DictReader(f))
    checks.true("krylov: rows", done.returncode == 0 and [(r["q"], r["method"], r["format"]) for r in rows] ==
                [(q, m, f) for q in "13" for m in ("bicgstab", "gmres") for f in ("gh", "csr", "bsr")], done.stderr)
    for first in range(0, len(rows), 3):
        gh, csr, bsr = rows[first:first + 3]
        checks.true("krylov: iterations of formats", gh["iterations"] == bsr["iterations"] and
                    abs(int(csr["iterations"]) - int(gh["iterations"])) <= 3, (gh, csr, bsr))
    peak = None
    for r in rows:
        q = int(r["q"])
        rows_of, entries = 120 * q + 2, (120 + 2 * (5 * 20 + 6 * 16 + 6 * 15)) * q * q + 2 * 2 * 4 * q + 2
        # BiCG-Stab: 7 sums, 6 updates; GMRES(30): each new vector twice against all others, in groups of seven
        basis = sum(8 * (j + 1) + 4 * (j // 7 + 1) + 1 for j in range(30)) + 2 * 30 + 5
        flops = 4 * entries + 26 * rows_of if r["method"] == "bicgstab" else 2 * entries + basis / 30 * rows_of
        seconds = float(r["iteration_seconds"])
        if r["pair"] == "0" or seconds <= 0.0:
            continue
        checks.near("krylov: operations counted", float(r["gflops"]) * seconds * 1e9, flops, 2e-2 * flops)
        checks.true("krylov: shares", float(r["product_percent"]) > 0.0 and float(r["barrier_percent"]) > 0.0, r)
        product, barrier, vectors = (float(r[name + "_percent"]) for name in ("product", "barrier", "vector"))
        checks.near("krylov: the rest", vectors, max(0.0, 100.0 - product - barrier), 0.2 + 1e-3 * (product + barrier))
        checks.near("krylov: operations", float(r["operations"]), flops, 2e-2 * flops)
        # One peak for all rows. A share may be above 100 %: the peak is measured once, perhaps while other programs run.
        rate = float(r["gflops"]) / float(r["peak_percent"])
        peak = peak or rate
        checks.near("krylov: of one peak", rate, peak, 2e-3 * peak)
    done = runs.hepta("bench", "krylov", "--size", "6x5x4", "--q", "2,4", "--wells", "2", "--format", "gh,gh-h,csr-h,bsr-h,dia-h,hyb-h",
                      "--samples", "1", "--threads", "2", "--csv", path)
    with open(path, newline="") as f:
        rows = [r for r in csv.DictReader(f) if r["format"].endswith("-h")]
    checks.true("krylov: GH-h without a preconditioner", done.returncode == 0 and not done.stderr and [(r["q"], r["format"], r["preconditioner"]) for r in rows] ==
                [(q, name, "none") for q in "24" for name in ("gh-h", "csr-h", "bsr-h", "dia-h", "hyb-h")], done.stdout + done.stderr)
    for first in (0, 5):
        checks.true("krylov: one matrix, one number of iterations", len({r["iterations"] for r in rows[first:first + 5]}) == 1 and
                    {r["end"] for r in rows} == {"converged"}, rows)
    done = runs.hepta("bench", "krylov", "--size", "9", "--wells", "2", "--format", "gh,gh-single", "--method", "bicgstab,gmres", "--preconditioner", "none",
                      "--samples", "1", "--tolerance", "1e-5", "--threads", "2", "--csv", path)
    with open(path, newline="") as f:
        rows = [r for r in csv.DictReader(f) if r["method"] == "bicgstab"]
    checks.true("krylov: single precision", done.returncode == 0 and [(r["format"], r["end"]) for r in rows] == [("gh", "converged"), ("gh-single", "converged")] and
                int(rows[1]["iterations"]) <= 1.5 * int(rows[0]["iterations"]) + 4, done.stdout + done.stderr)
    checks.true("krylov: single precision is BiCG-Stab's", "single precision is of bicgstab" in done.stdout, done.stdout)
    done = runs.hepta("bench", "krylov", "--size", "4", "--wells", "1", "--format", "gh-h", "--method", "qmr", "--preconditioner", "none,jacobi",
                      "--samples", "1")
    checks.true("krylov: GH-h has no transposed product and no preconditioner", done.returncode == 0 and "transposed" in done.stdout and
                "built-in preconditioners read GH" in done.stdout, done.stdout)
    done = runs.hepta("bench", "krylov", "--size", "6x5x4", "--method", "bicgstab,qmr", "--reordered", "--samples", "1", "--csv", path)
    with open(path, newline="") as f:
        rows = list(csv.DictReader(f))
    checks.true("krylov: reordered beside each row", done.returncode == 0 and len(rows) == 16 and
                [r["execution"] for r in rows] == ["team", "reordered"] * 8, done.stdout + done.stderr)
    checks.true("krylov: reordered has the iterations", all(a["iterations"] == b["iterations"] for a, b in zip(rows[::2], rows[1::2])), rows)
    done = runs.hepta("bench", "krylov", "--size", "5x4x3", "--q", "1,2", "--wells", "1", "--stencil", "star,box", "--method", "bicgstab,cg",
                      "--format", "gh,sg-dia,csr,bsr", "--preconditioner", "none", "--samples", "1",
                      "--threads", "2", "--csv", path)
    with open(path, newline="") as f:
        rows = [r for r in csv.DictReader(f) if r["method"] == "bicgstab"]
    checks.true("krylov: boxes", done.returncode == 0 and done.stdout.count("boxes of 27 points: ") == 2 and
                [(r["q"], r["stencil"], r["format"], r["end"]) for r in rows] ==
                [(q, stencil, f, "converged") for q in "12" for stencil, formats in
                 (("star", ("gh", "csr", "bsr", "sg-dia")), ("box", ("csr", "bsr", "sg-dia"))) for f in formats], done.stdout + done.stderr)
    checks.true("krylov: what boxes have not", done.stdout.count("a box of 27 points is sg-dia") == 4 and
                done.stdout.count("cg looks whether a matrix is symmetric") == 2, done.stdout)
    for r in rows:
        if r["stencil"] == "box" and r["pair"] != "0":
            q = int(r["q"])
            flops = 4 * (13 * 10 * 7 * q * q + 2 * 3 * q + 1) + 26 * (60 * q + 1)
            checks.near("krylov: operations of a box", float(r["operations"]), flops, 2e-2 * flops)
    done = runs.hepta("bench", "krylov", "--size", "4", "--stencil", "box", "--samples", "1", "--threads", "1")
    checks.true("krylov: a box is sg-dia without a preconditioner", done.returncode == 0 and
                [line.split()[1:3] for line in done.stdout.splitlines() if line.startswith("bicgstab")] == [["none", "sg-dia"]], done.stdout)
    matrix = os.path.join(where, "m.mtx")
    runs.hepta("bench", "amg", "--problem", "poisson", "--size", "7x6x5", "--write", matrix)
    done = runs.hepta("bench", "krylov", "--matrix", matrix, "--method", "cg,bicgstab", "--samples", "1", "--csv", path)
    with open(path, newline="") as f:
        rows = list(csv.DictReader(f))
    checks.true("krylov: a matrix from a file", done.returncode == 0 and "m.mtx: 210 rows" in done.stdout and
                [(r["nz"], r["format"], r["end"]) for r in rows] == [("210", "csr", "converged")] * 2, done.stdout + done.stderr)
    done = runs.hepta("bench", "krylov", "--matrix", matrix, "--method", "bicgstab,gmres", "--format", "csr,bsr,sell,hyb", "--samples", "1",
                      "--threads", "2", "--csv", path)
    with open(path, newline="") as f:
        rows = list(csv.DictReader(f))
    checks.true("krylov: formats of a matrix from a file", done.returncode == 0 and not done.stderr and [r["format"] for r in rows] ==
                ["csr", "bsr", "sell", "hyb"] * 2 and all(len({r["iterations"] for r in rows[n:n + 4]}) == 1 for n in (0, 4)) and
                {r["end"] for r in rows} == {"converged"}, done.stdout + done.stderr)
    for arguments, word in ((["--matrix", matrix, "--size", "3"], "--size"), (["--matrix", matrix, "--format", "csr,gh"], "--format gh"), (["--matrix", matrix, "--stencil", "box"], "--stencil"),
                            (["--stencil", "ring"], "--stencil"), (["--stencil", "box", "--connections", "3"], "--connections are of stars"),
                            (["--format", "coo"], "--format"), (["--q", "17"], "--q"), (["--matrix", "/nonexistent.mtx"], "/nonexistent.mtx"),
                            (["--q", "2,3", "--format", "csr-h"], "--format csr-h needs an even q, not 3")):
        done = runs.hepta("bench", "krylov", *arguments)
        checks.true("krylov: " + " ".join(arguments), done.returncode in (1, 2) and word in done.stderr, done.stderr)


def check_mistakes(checks):
    for arguments, word in ((["--size", "4", "--connections", "65"], "65 connections"), (["--size", "4x"], "--size"), (["--size", "4x5"], "--size"), (["--q", "17"], "--q"),
                            (["--format", "coo"], "--format"), (["--cache", "warm"], "--cache"),
                            (["--wells", "x"], "--wells"), (["--seconds", "0"], "--seconds"),
                            (["--threads", "0"], "--threads"), (["--backend", "vulkan"], "--backend"),
                            (["--nonsense"], "--nonsense"), (["extra"], "extra"), (["--size"], "needs a value"),
                            (["--csv", "/proc/none/x.csv", "--size", "4"], "/proc/none/x.csv"),
                            (["--size", "4", "--format", "gh,gh-pairs"], "--format gh-pairs is for --backend cuda"),
                            (["--size", "4", "--q", "2,3", "--format", "gh-h"], "even q, not 3"),
                            (["--size", "4", "--format", "gh-team"], "--format gh-team is for --backend cuda"),
                            (["--size", "4", "--gpus", "2"], "--gpus is for --backend cuda"),
                            (["--backend", "cuda", "--gpus", "0"], "--gpus 0"),
                            (["--backend", "cuda", "--gpus", "2", "--format", "csr"], "on several there is gh-team"),
                            (["--backend", "cuda", "--cache", "cold", "--format", "gh-team"], "--cache hot"),
                            (["--size", "4", "--block", "128"], "--block is for --backend cuda"),
                            (["--size", "4", "--loads", "wide"], "--loads is for --backend cuda"),
                            (["--backend", "cuda", "--loads", "wide", "--format", "csr"], "--loads is for --format gh"),
                            (["--backend", "cuda", "--loads", "wide", "--q", "2,3"], "--loads is for q = 1, 2, 4"),
                            (["--size", "4", "--wells", "99"], "99 wells")):
        done = runs.hepta("bench", "spmv", *arguments)
        checks.true(" ".join(arguments), done.returncode == 2 and word in done.stderr)
    done = runs.hepta("bench", "nothing")
    checks.true("no such verb", done.returncode == 2 and "unknown measurement" in done.stderr)
    for arguments in (["bench", "--help"], ["bench", "spmv", "--help"]):
        done = runs.hepta(*arguments)
        checks.true(" ".join(arguments), done.returncode == 0 and "usage: hepta bench" in done.stdout)
        checks.true("within 110 columns", all(len(line) <= 110 for line in done.stdout.splitlines()))
    checks.true("no arguments", runs.hepta("bench").returncode == 2)


def check_paper(checks):
    """One table of `hepta bench paper`, whose own test no sanitizer sees."""
    done = runs.hepta("bench", "paper", "gh-7", "--small", "--threads", "1")
    checks.true("a table of a paper", done.returncode == 0 and "products with GH" in done.stdout, done.stdout + done.stderr)


checks = runs.Checks()
with runs.folder() as folder:
    check_table(checks, folder)
check_paper(checks)
with runs.folder() as folder:
    check_krylov(checks, folder)
check_choice(checks)
check_connections(checks)
check_mistakes(checks)
sys.exit(checks.result())
