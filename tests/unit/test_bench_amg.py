"""hepta bench amg: its results and their table, matrices written and read, what does not go together."""
import csv
import os
import re
import sys

import runs


def bench(*arguments):
    return runs.hepta("bench", "amg", "--samples", "1", "--threads", "1", *arguments)


def check_models(checks, where):
    path = os.path.join(where, "amg.csv")
    for problem, size, rows, entries in (("poisson", "9", 729, 7 * 729 - 6 * 81), ("poisson", "12x11x1", 132, 614),
                                         ("lognormal", "8x7x6", 336, 7 * 336 - 2 * (56 + 48 + 42)),
                                         ("anisotropic", "7", 343, 7 * 343 - 6 * 49),
                                         ("wells", "6x6x5", 200, 7 * 180 - 2 * (36 + 30 + 30) + 2 * 20 * 5 + 20)):
        done = bench("--problem", problem, "--size", size, "--csv", path, "--view")
        checks.true(f"{problem} {size} runs", done.returncode == 0 and not done.stderr)
        with open(path, newline="") as f:
            row = next(csv.DictReader(f))
        checks.true(f"{problem} {size}: {row['rows']} rows, {row['entries']} entries",
                    (int(row["rows"]), int(row["entries"])) == (rows, entries))
        checks.true("converged", row["reason"] == "converged" and float(row["residual"]) <= 1e-6)
        checks.true("times", all(float(row[t]) > 0.0 for t in ("setup", "refresh", "solve")))
        checks.true("printed", f"{row['iterations']} iterations" in done.stdout and "non-zeros" in done.stdout)


def check_files(checks, where):
    """A model by GH and as the file it writes: the same system, the same iterations by every method."""
    path, table = os.path.join(where, "a.mtx"), os.path.join(where, "a.csv")
    for method in ("none", "cg", "bicgstab", "gmres", "tfqmr"):
        rows = []
        for source in (["--problem", "wells", "--size", "10x9x8", "--write", path], ["--matrix", path]):
            done = bench(*source, "--method", method, "--csv", table, "--tolerance", "1e-9")
            checks.true(f"{source[0]} {method} runs", done.returncode == 0)
            with open(table, newline="") as f:
                rows.append(next(csv.DictReader(f)))
        a, b = rows
        checks.true(f"{method}: the same matrix and hierarchy", (a["entries"], a["operator_complexity"]) ==
                    (b["entries"], b["operator_complexity"]) and a["method"] == method)
        checks.true(f"{method}: iterations", abs(int(a["iterations"]) - int(b["iterations"])) <= 1)
    with open(os.path.join(where, "b.mtx"), "w") as f:
        f.write("%%MatrixMarket matrix array real general\n740 1\n" + "1\n" * 740)
    checks.true("a right-hand side", bench("--matrix", path, "--rhs", os.path.join(where, "b.mtx")).returncode == 0)
    done = bench("--matrix", path, "--iterations", "1", "--tolerance", "1e-12")
    checks.true("not converging is said", done.returncode == 1 and "iteration limit" in done.stderr)


def check_choices(checks):
    names = dict(line.split(": ") for line in bench("--names").stdout.splitlines())
    for option in ("coarsening", "interpolation", "smoother"):
        for name in names[option].split():
            done = bench("--problem", "poisson", "--size", "10", f"--{option}", name, "--tolerance", "1e-3")
            checks.true(f"{option} {name}", done.returncode == 0 and name in done.stdout)
    for more in (["--cycle", "w"], ["--cycle", "f"], ["--sweeps", "2,1"], ["--precision", "single"], ["--weights", "0"],
                 ["--truncation", "0.2"], ["--levels", "2"], ["--coarsest", "300"], ["--strength", "0.5"],
                 ["--correlation", "3", "--sigma", "1"], ["--rhs", "random"],
                 ["--boundary", "closed", "--storage", "1"]):
        checks.true(" ".join(more), bench("--problem", "poisson", "--size", "10", *more).returncode == 0)


def check_formats(checks):
    """A line a matrix: what every format stores, and times; A, P and R of every level but the last, whose A only."""
    for precision in ("double", "single"):
        done = bench("--problem", "wells", "--size", "12x11x10", "--formats", "--precision", precision)
        rows = [line.split() for line in done.stdout.splitlines() if re.match(r" +\d+ [APR] ", line)]
        checks.true(f"{precision}: formats", done.returncode == 0 and len(rows) % 3 == 1 and len(rows) >= 4, done.stderr)
        checks.true(f"{precision}: A, P, R", [r[1] for r in rows] == ["A", "P", "R"] * (len(rows) // 3) + ["A"])
        for r in rows:
            cells = [c.strip().split() for c in " ".join(r).split("|")[1:]]
            padded = [float(c[0].rstrip("%")) for c in cells]
            checks.true(f"{precision}: level {r[0]} {r[1]}", len(cells) == 3 and padded[2] == 0.0 and min(padded) >= 0.0 and
                        all(float(c[2]) > 0.0 for c in cells))


def check_mistakes(checks):
    poisson = ["--problem", "poisson", "--size", "5"]
    for arguments, word in ((["--problem", "stokes"], "--problem"), (["--size", "5x5", *poisson[:2]], "--size"),
                            ([*poisson, "--smoother", "ilu"], "--smoother"), ([*poisson, "--cycle", "x"], "--cycle"),
                            ([*poisson, "--sweeps", "1"], "--sweeps"), ([*poisson, "--sweeps", "0,0"], "sweep"),
                            ([*poisson, "--method", "qmr"], "transposed"),
                            ([*poisson, "--method", "cg", "--cycle", "f"], "symmetric"),
                            ([*poisson, "--method", "cg", "--sweeps", "1,2"], "symmetric"),
                            ([*poisson, "--matrix", "a.mtx"], "--matrix"), ([*poisson, "--paper"], "--paper"),
                            (["--size", "5"], "--problem"), (["--matrix", "/nonexistent/a.mtx"], "/nonexistent/a.mtx"),
                            ([*poisson, "--wells", "26"], "26 wells"), ([*poisson, "--backend", "vulkan"], "--backend"),
                            ([*poisson, "--rhs", "/nonexistent/b.mtx"], "/nonexistent/b.mtx"),
                            ([*poisson, "--csv", "/nonexistent/a.csv"], "/nonexistent/a.csv"), (["extra"], "extra"),
                            ([*poisson, "--backend", "cuda", "--smoother", "gauss-seidel"], "one row after the other"),
                            ([*poisson, "--formats", "--view"], "--formats"), (["--formats"], "--formats"),
                            ([*poisson, "--block", "17"], "--block"), ([*poisson, "--domains", "0"], "--domains"),
                            ([*poisson, "--backend", "cuda", "--method", "tfqmr"], "bicgstab, gmres and cg"),
                            ([*poisson, "--backend", "cuda", "--wells-apart"], "--wells-apart is for the CPU"),
                            ([*poisson, "--backend", "cuda", "--threads", "2"], "--threads is for --backend cpu"),
                            (["--backend", "cuda", "--matrix", "a.mtx"], "--matrix runs on the CPU")):
        done = bench(*arguments)
        checks.true(f"{arguments} is refused: {done.stderr}", done.returncode in (1, 2) and word in done.stderr)


def main():
    checks = runs.Checks()
    with runs.folder() as where:
        check_models(checks, where)
        check_files(checks, where)
    check_choices(checks)
    check_formats(checks)
    check_mistakes(checks)
    sys.exit(checks.result())


if __name__ == "__main__":
    main()
