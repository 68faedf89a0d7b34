"""hepta bench bsr: block rows beside other formats, matrices of files and of patterns, its CSV file, mistakes."""
import csv
import os
import sys

import runs


def bench(*arguments):
    return runs.hepta("bench", "bsr", "--seconds", "0.001", "--threads", "1", *arguments)


def check_table(checks, where):
    path = os.path.join(where, "bsr.csv")
    done = bench("--size", "5", "--pattern", "grid,dual,band,scattered,tailed", "--q", "1,3,16,20", "--csv", path)
    checks.true("runs", done.returncode == 0 and not done.stderr, done.stderr)
    checks.true("a copy is measured", "a copy moves" in done.stdout.splitlines()[0])
    with open(path, newline="") as f:
        rows = list(csv.DictReader(f))
    blocks = {"grid": 125 + 2 * 3 * 100, "dual": 2 * (125 + 600) + 250, "band": 125 * 27}
    for r in rows:
        q, name = int(r["q"]), "%s %s %s" % (r["pattern"], r["q"], r["format"])
        checks.true("%s: another right product" % name, float(r["difference"]) < 1e-13)
        checks.true("%s: bytes" % name, int(r["bytes"]) >= 8 * (int(r["blocks"]) * q * q + 2 * int(r["rows"]) * q))
        checks.true("%s: blocks" % name, int(r["blocks"]) == blocks.get(r["pattern"], int(r["blocks"])))
        checks.true("%s: one place" % name, (r["gpus"], r["speedup"]) == ("1", "1"))
        checks.near("%s: rate" % name, float(r["gflops"]), 2e-9 * int(r["blocks"]) * q * q / float(r["seconds"]), 1e-3)
    for pattern in ("grid", "dual", "band", "scattered", "tailed"):
        for q in (1, 3, 16, 20):
            mine = [(r["format"], r["cut"]) for r in rows if r["pattern"] == pattern and int(r["q"]) == q]
            expected = [("blocks", "0")] + [("blocks", "16")] * (pattern == "tailed") + [("gh", "0")] * (pattern == "grid" and q < 17)
            checks.true("%s, q = %d: every format" % (pattern, q), mine == expected + [(f, "0") for f in ("bsr", "csr", "sell", "hyb")])


def check_file(checks, where):
    path = os.path.join(where, "a.mtx")
    with open(path, "w") as f:
        f.write("%%MatrixMarket matrix coordinate real general\n4 4 6\n1 1 2\n2 2 3\n3 3 4\n4 4 5\n1 4 -1\n4 2 -1\n")
    done = bench("--matrix", path, "--promote", "1,2,5", "--format", "blocks,csr")
    lines = done.stdout.splitlines()
    checks.true("a file", done.returncode == 0 and "a.mtx: 4 block rows, 6 blocks" in done.stdout, done.stderr)
    checks.true("its blocks", [line.split()[:2] for line in lines[4:]] == [[q, f] for q in "125" for f in ("blocks", "csr")])
    done = bench("--matrix", path, "--q", "40", "--memory", "0.00001", "--format", "blocks")
    checks.true("what is too large is left out", done.returncode == 0 and "left out (--memory)" in done.stdout)


def check_cuts(checks):
    done = bench("--size", "6", "--pattern", "tailed", "--q", "2", "--cut", "0,4,100000", "--format", "blocks")
    checks.true("cuts", done.returncode == 0 and " cut 4 " in done.stdout and " cut 100000 " in done.stdout, done.stderr)


def check_mistakes(checks):
    for arguments, word in ((["--pattern", "ring"], "--pattern"), (["--q", "0"], "--q"), (["--q", "1025"], "--q"),
                            (["--cut", "-1"], "--cut"), (["--format", "coo"], "--format"), (["--format", "csr,sell-p"], "--format sell-p is for --backend cuda"), (["--unroll", "3"], "--unroll"),
                            (["--unroll", "4"], "--unroll is for --backend cuda"),
                            (["--search", "exhaustive"], "--search is for --backend cuda"), (["--tuned"], "--tuned is for --backend cuda"),
                            (["--search", "some"], "--search"), (["--save", "--backend", "cuda"], "--save needs --search"),
                            (["--search", "random", "--trials", "5", "--gpus", "2", "--backend", "cuda"], "leave out --gpus"),
                            (["--gpus", "2"], "--gpus is for --backend cuda"), (["--gpus", "0,0"], "--gpus is for --backend cuda"),
                            (["--gpus", "all"], "--gpus is for --backend cuda"), (["--gpus", "0"], "--gpus 0"),
                            (["--gpus", "0,x"], "--gpus"), (["--gpus", "0,"], "--gpus"), (["--gpus", "33"], "--gpus"),
                            (["--memory", "0"], "--memory"), (["--matrix", "none.mtx"], "none.mtx"), (["--size", "2x2"], "--size"),
                            (["--size", "2", "--pattern", "band"], "27 blocks in a row of 8"), (["extra"], "extra")):
        done = bench(*arguments)
        checks.true(" ".join(arguments), done.returncode != 0 and word in done.stderr, done.stderr)


checks = runs.Checks()
with runs.folder() as where:
    check_table(checks, where)
    check_file(checks, where)
    check_cuts(checks)
    check_mistakes(checks)
sys.exit(checks.result())
