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


def check_numbers(checks, where):
    """Options of smoothers change how fast it converges."""
    path = os.path.join(where, "numbers.csv")

    def factor(*more):
        done = bench("--problem", "lognormal", "--size", "12", "--method", "none", "--csv", path, *more)
        checks.true(" ".join(more), done.returncode == 0, done.stderr)
        with open(path, newline="") as f:
            return next(csv.DictReader(f))["factor"]

    for smoother, option, values in (("damped-jacobi", "--damping", ("0.4", "0.8")),
                                     ("chebyshev", "--order", ("1", "3")),
                                     ("block-jacobi", "--block", ("2", "8")),
                                     ("block-jacobi", "--damping", ("0.4", "0.8")),
                                     ("block-gauss-seidel", "--block", ("2", "8")),
                                     ("hybrid", "--domain", ("50", "1000")), ("schwarz", "--domain", ("50", "1000")))[::runs.every(1, 3)]:
        found = [factor("--smoother", smoother, option, value) for value in values]
        checks.true(f"{smoother} {option}: factors {found}", found[0] != found[1])
    for smoother in ("hybrid", "schwarz")[::runs.every(1, 2)]:
        found = [factor("--smoother", smoother, "--domain", "50", "--domains", n) for n in ("1", "4", "16")]
        checks.true(f"{smoother} --domains: factors {found}", len(set(found)) == 3)


def check_choices(checks):
    names = dict(line.split(": ") for line in bench("--names").stdout.splitlines())
    for option in ("coarsening", "interpolation", "smoother", "cycle-format"):
        for name in names[option].split()[::runs.every(1, 3)]:
            done = bench("--problem", "poisson", "--size", "10", f"--{option}", name, "--tolerance", "1e-3")
            checks.true(f"{option} {name}", done.returncode == 0 and (name in done.stdout or option == "cycle-format"))
    for more in (["--cycle", "w"], ["--cycle", "f"], ["--sweeps", "2,1"], ["--precision", "single"], ["--weights", "0"],
                 ["--truncation", "0.2"], ["--levels", "2"], ["--coarsest", "300"], ["--strength", "0.5"],
                 ["--correlation", "3", "--sigma", "1"], ["--rhs", "random"],
                 ["--boundary", "closed", "--storage", "1"])[::runs.every(1, 3)]:
        checks.true(" ".join(more), bench("--problem", "poisson", "--size", "10", *more).returncode == 0)


def check_cycle_formats(checks):
    """A row for each format: on a CPU the same bits, hence iterations, from other storage."""
    for more in ([], ["--smoother", "chebyshev", "--precision", "single"], ["--method", "none", "--smoother", "spai-1"]):
        done = bench("--problem", "lognormal", "--size", "14", "--cycle-format", "csr,sliced,hec", *more)
        rows = [line.split() for line in done.stdout.splitlines() if re.match(r"(sliced|hec|csr) ", line)]
        checks.true("formats run", done.returncode == 0 and not done.stderr, done.stderr)
        checks.true("a row each", [row[0] for row in rows] == ["sliced", "hec", "csr"], rows)
        checks.true("times", all(float(word) > 0.0 for row in rows for word in row[1:5]), rows)
        checks.true("iterations", len({row[5] for row in rows}) == 1 and int(rows[0][5]) > 0, rows)
        checks.true("other memory", len({row[6] for row in rows}) > 1, rows)
        checks.true("the same bits", all(float(row[7]) == 0.0 for row in rows), rows)
    for more in ([], ["--problem", "poisson", "--view"], ["--paper"]):
        done = bench("--cycle-format", "hec,csr", *more)
        checks.true("refused " + " ".join(more), done.returncode == 2 and "several formats" in done.stderr, done.stderr)
    done = bench("--problem", "poisson", "--size", "8", "--cycle-format", "ell")
    checks.true("no such format", done.returncode == 2 and "--cycle-format ell" in done.stderr, done.stderr)


def view_levels(*system):
    """Rows and entries a row of every level's A, as --view prints them."""
    rows = re.findall(r"^ +\d+ +(\d+) +\d+ +([\d.]+) ", bench(*system, "--view").stdout, re.MULTILINE)
    return [(int(n), float(entries)) for n, entries in rows]


def format_rows(done):
    """Level, name, rows, entries a row and what each format takes (padding %, MB, us, share %) of every matrix."""
    found = []
    for line in done.stdout.splitlines():
        if re.match(r" +\d+ [APR] ", line):
            head, *formats = line.split("|")
            level, name, rows, entries = head.split()
            found.append((int(level), name, int(rows), float(entries),
                          [[float(word.rstrip("%")) for word in cell.split()] for cell in formats]))
    return found


def check_formats(checks, where):
    """A line a matrix, A, P and R of every level but the last, whose A only: the levels of --view, what the formats
    store, and times."""
    wells = ["--problem", "wells", "--size", "12x11x10"]
    path = os.path.join(where, "formats.mtx")
    checks.true("a matrix is written", bench(*wells, "--write", path).returncode == 0)
    seen = set()
    for system in (wells, [*wells, "--wells-apart"], ["--matrix", path], [*wells, "--strength", "0.6"]):
        levels = view_levels(*system)
        seen.add(tuple(levels))
        for precision, real in (("double", 8), ("single", 4)):
            what = f"{' '.join(system)}, {precision}"
            done = bench(*system, "--formats", "--precision", precision)
            rows = format_rows(done)
            checks.true(f"{what}: formats", done.returncode == 0 and precision in done.stdout, done.stderr)
            checks.true(f"{what}: A, P, R", [r[:2] for r in rows] ==
                        [(n // 3, "APR"[n % 3]) for n in range(3 * len(levels) - 2)])
            A = [r for r in rows if r[1] == "A"]
            checks.true(f"{what}: levels {levels}", len(levels) >= 2 and [r[2] for r in A] == [n for n, _ in levels] and
                        all(abs(r[3] - e) <= 0.06 for r, (_, e) in zip(A, levels)))
            checks.true(f"{what}: P and R", all(p[2] == a[2] and r[2] == b[2] and abs(p[2] * p[3] - r[2] * r[3]) <=
                                                0.01 * (p[2] + r[2]) for a, p, r, b in
                                                zip(rows[0::3], rows[1::3], rows[2::3], rows[3::3])))
            for level, name, n, entries, formats in rows:
                checks.true(f"{what}: level {level} {name}", len(formats) == 3 and formats[2][0] == 0.0 and
                            min(f[0] for f in formats) >= 0.0 and all(f[2] > 0.0 and f[3] >= 0.0 for f in formats))
                csr = 1e-6 * (n * entries * (4 + real) + 4 * (n + 1))
                checks.near(f"{what}: level {level} {name}, MB as CSR", formats[2][1], csr,
                            1e-3 + 1e-8 * n * (4 + real))
    checks.true("options change the levels", len(seen) == 3)
    checks.true("no wells", bench("--problem", "poisson", "--size", "7", "--formats").returncode == 0)


def check_paper(checks, where):
    """The choices of Liu, Yu & Chen 2013 on a small grid, on one core and on two threads: by classical interpolation no more
    iterations than the paper has on its large ones in three dimensions, 21 with damped Jacobi and 25 with the weighted one."""
    path = os.path.join(where, "paper.csv")
    done = bench("--paper", "--size", "22x20x18", "--csv", path, "--threads", "2")
    with open(path, newline="") as f:
        rows = list(csv.DictReader(f))
    checks.true("--paper: both smoothers and interpolations, on a core and on two threads", done.returncode == 0 and
                [(r["smoother"], r["interpolation"], r["where"]) for r in rows] ==
                [(s, i, w) for s in ("damped-jacobi", "l1-jacobi") for i in ("classical", "averaging")
                 for w in ("CPU, 1 thread", "CPU, 2 threads")], done.stderr)
    for row, most in zip(rows, (21, 21, 60, 60, 25, 25, 60, 60)):
        checks.true(f"--paper: {row['smoother']}: {row['iterations']} iterations, at most {most}; converged",
                    4 < int(row["iterations"]) <= most and row["reason"] == "converged" and int(row["rows"]) == 7920)
        checks.true(f"--paper: {row['smoother']}: rs, cycles by themselves", (row["coarsening"], row["method"]) ==
                    ("rs", "none") and int(row["levels"]) <= 8)
    printed = re.findall(r"^  (one core|CPU, 2)\D+?(?:threads)? +\d+ +\d+ +[\d.]+ +[\d.]+ +([\d.]+) +\d+ +[\d.]+ +([\d.]+)$", done.stdout, re.M)
    checks.true("--paper: a line of each", len(printed) == 8 and done.stdout.count("22 x 20 x 18, ") == 4, done.stdout)
    for (_, core, one), (_, solve, times) in zip(printed[0::2], printed[1::2]):
        checks.true("--paper: speed-up over one core", one == "1.00" and abs(float(core) / float(solve) - float(times)) < 0.1 * float(times) + 0.1,
                    done.stdout)
    done = bench("--paper", "--size", "9x8x7", "--interpolation", "direct", "--threads", "1")
    checks.true("--paper: another interpolation", done.returncode == 0 and done.stdout.count(", direct\n") == 2 and
                done.stdout.count("one core of the CPU") == 2, done.stdout + done.stderr)


def check_peer(checks, where):
    """hypre beside hepta, in one table and in rows of the csv; a build without it refuses."""
    path = os.path.join(where, "peer.csv")
    lognormal = ["--problem", "lognormal", "--size", "9x8x7", "--csv", path, "--peer", "hypre"]
    done = bench(*lognormal, "--tolerance", "1e-10", "--smoother", "spai-0")
    if os.environ["HEPTA_HAVE_HYPRE"] == "OFF":
        checks.true("--peer hypre is refused", done.returncode == 2 and "this build has no hypre" in done.stderr and
                    not done.stdout and not os.path.exists(path), done.stderr)
        return
    checks.true("--peer hypre", done.returncode == 0 and not done.stderr, done.stderr)
    names = re.findall(r"^(hepta|hypre) +\d+ +[\d.]+ ", done.stdout, re.MULTILINE)
    differ = re.search(r"differ by at most (\S+) of", done.stdout)
    checks.true("both rows", names == ["hepta", "hypre"] and "l1-jacobi instead of spai-0" in done.stdout)
    checks.true("the same solution", differ is not None and 0.0 < float(differ.group(1)) < 1e-7, done.stdout)
    with open(path, newline="") as f:
        ours, theirs = csv.DictReader(f)
    checks.true("rows of the csv", theirs["where"].startswith("hypre ") and theirs["reason"] == "converged" and
                float(theirs["residual"]) <= 1.01e-10 and theirs["rows"] == ours["rows"] == "504" and
                float(theirs["setup"]) > 0.0 and float(theirs["solve"]) > 0.0 and theirs["refresh"] == "")
    done = bench(*lognormal, "--iterations", "2", "--tolerance", "1e-10")
    checks.true("not converging is said", done.returncode == 1 and done.stdout.count("(not converged)") == 2)
    done = bench("--problem", "poisson", "--formats", "--peer", "hypre")
    checks.true("--formats --peer is refused", done.returncode == 2 and "--peer stands beside" in done.stderr)
    done = bench("--paper", "--size", "9x8x7", "--peer", "hypre")
    checks.true("--paper with hypre beside", done.returncode == 0 and len(re.findall(r"^  hypre [\d.]+, CPU", done.stdout, re.M)) == 4,
                done.stdout + done.stderr)


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
                            ([*poisson, "--csv", "/proc/none/a.csv"], "/proc/none/a.csv"), (["extra"], "extra"),
                            ([*poisson, "--backend", "cuda", "--smoother", "gauss-seidel"], "one row after the other"),
                            ([*poisson, "--peer", "petsc"], "--peer"),
                            ([*poisson, "--formats", "--view"], "--formats"), (["--formats"], "--formats"),
                            ([*poisson, "--formats", "--csv", "a.csv"], "--formats"),
                            (["--paper", "--formats"], "--formats"), (["--seed", "2"], "--problem"),
                            (["--paper", "--seed", "2"], "--problem"),
                            (["--paper", "--size", "8", "--wells", "1"], "--problem"),
                            ([*poisson, "--formats", "--rhs", "random"], "--formats"),
                            ([*poisson, "--formats", "--smoother", "jacobi"], "--formats"),
                            ([*poisson, "--formats", "--block", "2"], "--formats"),
                            ([*poisson, "--formats", "--method", "cg"], "--formats"),
                            ([*poisson, "--formats", "--iterations", "3"], "--formats"),
                            (["--matrix", "/nonexistent/a.mtx", "--formats"], "/nonexistent/a.mtx"),
                            ([*poisson, "--block", "17"], "--block"), ([*poisson, "--domains", "0"], "--domains"),
                            ([*poisson, "--backend", "cuda", "--method", "tfqmr"], "bicgstab, gmres and cg"),
                            ([*poisson, "--backend", "cuda", "--wells-apart"], "--wells-apart is for the CPU"),
                            ([*poisson, "--backend", "cuda", "--threads", "2"], "--threads is for --backend cpu"),
                            (["--gpus", "2"], "--gpus is for --backend cuda"), (["--one-gpu-rows", "9"], "--one-gpu-rows is for --gpus"),
                            (["--one-gpu-rows", "-1"], "--one-gpu-rows"), (["--backend", "cuda", "--gpus", "1,"], "--gpus 1,"),
                            (["--backend", "cuda", "--matrix", "a.mtx"], "--matrix runs on the CPU"))[::runs.every(1, 4)]:
        done = bench(*arguments)
        checks.true(f"{arguments} is refused: {done.stderr}", done.returncode in (1, 2) and word in done.stderr)


def main():
    checks = runs.Checks()
    with runs.folder() as where:
        check_models(checks, where)
        check_files(checks, where)
        check_formats(checks, where)
        check_numbers(checks, where)
        check_paper(checks, where)
        check_peer(checks, where)
    check_choices(checks)
    check_cycle_formats(checks)
    check_mistakes(checks)
    sys.exit(checks.result())


if __name__ == "__main__":
    main()
