"""hepta bench vectors on the CPU: its table and its CSV file, bytes and rates, mistakes, and what it says without a GPU."""
import csv
import os
import sys

import runs

VECTORS = {"axpy": 3, "maxpy": 7, "waxpy": 3, "dot": 2, "norm": 1, "scale": 2}


def bench(*arguments, **more):
    return runs.hepta("bench", "vectors", *arguments, **more)


def check_table(checks, where):
    path = os.path.join(where, "vectors.csv")
    done = bench("--size", "1e3,4097", "--vectors", "5", "--seconds", "0.001", "--threads", "2", "--csv", path)
    checks.true("runs", done.returncode == 0 and not done.stderr, done.stderr)
    with open(path, newline="") as f:
        rows = list(csv.DictReader(f))
    checks.true("every operation and length", [(r["operation"], r["n"]) for r in rows] ==
                [(o, n) for o in VECTORS for n in ("1000", "4097")], rows)
    for r in rows:
        name = r["operation"] + " " + r["n"]
        moved = 8e-9 * VECTORS[r["operation"]] * int(r["n"])
        checks.near(name + ": rate", float(r["gbs"]), moved / float(r["seconds"]), 1e-3 * float(r["gbs"]))
        checks.near(name + ": share", float(r["share"]), float(r["gbs"]) / float(r["copy_gbs"]), 1e-3 * float(r["share"]))
        checks.true(name + ": right", float(r["difference"]) < 1e-15, r)
        checks.true(name + ": by a team", (r["backend"], r["kind"], r["cache"], r["loads"]) == ("cpu", "team", "cold", ""), r)
        checks.true(name + ": vectors", r["vectors"] == ("5" if r["operation"] == "maxpy" else "1"), r)
    lines = [line for line in done.stdout.splitlines() if " team " in line]
    checks.true("a line for each", len(lines) == len(rows) and any(line.startswith("maxpy 5") for line in lines), done.stdout)
    done = bench("--operation", "dot,norm", "--size", "100", "--cache", "hot", "--seconds", "0.001", "--threads", "1")
    checks.true("some operations", done.returncode == 0 and done.stdout.count(" team ") == 2, done.stdout)


def check_mistakes(checks, where):
    for arguments, word in ((["--size", "1e-3"], "--size"), (["--size", "1.5"], "--size"), (["--size", "5,"], "--size"),
                            (["--size", "3e9"], "--size"), (["--operation", "gemm"], "gemm"), (["--vectors", "65"], "--vectors"),
                            (["--cache", "both"], "--cache"), (["--search", "all"], "--search"), (["--samples", "0"], "--samples"),
                            (["--search", "random"], "--backend cuda"), (["--save"], "--save needs --search"),
                            (["--log", "x"], "--log needs --search"), (["--compile"], "--compile needs --search"), (["--csv", "/proc/none/x"], "/proc/none/x"),
                            (["--backend", "cuda", "--search", "random", "--log", "/proc/none/x"], "/proc/none/x"), (["more"], "more")):
        done = bench(*arguments, where=where)
        checks.true(" ".join(arguments), done.returncode == 2 and word in done.stderr and not done.stdout, done.stderr)
    done = bench("--backend", "cuda", where=where, environment=dict(os.environ, CUDA_VISIBLE_DEVICES=""))
    checks.true("without a GPU", done.returncode in (1, 2) and "CUDA" in done.stderr, done.stderr)


checks = runs.Checks()
with runs.folder() as folder:
    check_table(checks, folder)
    check_mistakes(checks, folder)
sys.exit(checks.result())
