"""hepta bench paper: its list, every table that has a small version, the numbers beside the paper's against the rows that they
come from, mistakes. Of tables that have a like one HEPTA_TEST_EVERY=1 alone runs these."""
import csv
import os
import re
import sys

import runs

checks = runs.Checks()
LIKE = ("ksparse-3", "ksparse-10", "gh-9b")  # ksparse-17 and gh-8a measure the same, in other rows


def paper(*arguments):
    return runs.hepta("bench", "paper", *arguments)


def paper_command(name):
    """Its command on a GPU, which is printed before the machine turns out to have none."""
    return runs.hepta("bench", "paper", name, "--backend", "cuda", "--small").stdout.splitlines()[0]


def reported(text):
    """Numbers of the comparison by label: (least, largest), None where there is none."""
    lines = text[text.index(" here\n") + 6:].splitlines()
    found = {}
    for line in lines:
        match = re.match(r"(\S.*?) {2,}(?:\S.*? {2,})?(-|[\d.e+-]+)(?: to ([\d.e+-]+))?(?: \S*)?$", line.strip())
        if match:
            low = match.group(2)
            found[match.group(1)] = None if low == "-" else (float(low), float(match.group(3) or low))
    return found


def ratios(rows, where, over, same, column="seconds"):
    """Quotients as a table's line has them."""
    values = []
    for row in rows:
        if not where(row):
            continue
        for other in rows:
            if over(other) and all(row[s] == other[s] for s in same):
                values.append(float(other[column]) / float(row[column]))
    return min(values), max(values)


listed = paper()
names = re.findall(r"^  (\S+) +(?:Figures?|Table|Section|Examples) ", listed.stdout, re.M)
checks.true("the list", listed.returncode == 0 and len(names) == 19 and len(set(names)) == 19 and
            listed.stdout.count("(Tesla") + listed.stdout.count("(Xeon") == 4, listed.stdout)
with runs.folder() as where:
    path = os.path.join(where, "rows.csv")
    for name in names:
        if name in LIKE and runs.every(2, 2) > 1:
            continue
        done = paper(name, "--small", "--csv", path, "--threads", "2" if name == "amg" else "1")  # amg: beside one core
        numbers = reported(done.stdout)
        # no GPU here, hence neither two nor cuBLAS nor what only a GPU has
        without = {label for label, number in numbers.items() if number is None}
        with open(path, newline="") as f:
            rows = list(csv.DictReader(f))
        timed = all(r.get("pair") != "0" for r in rows)  # else too short for this machine's noise, and left out
        checks.true(name + ": every line has numbers", done.returncode == 0 and numbers and (not timed or
                    without == {label for label in numbers if re.search(" GPUs over one|cuBLAS|cuSPARSE's CSR|SELL-P|CSR of hepta|untuned", label)}),
                    done.stdout[-600:] + done.stderr)
        checks.true(name + ": the command is reported", re.match(r"hepta bench (spmv|bsr|krylov|vectors|sgdia|bratu|amg) --\S.* --backend cpu\n", done.stdout), done.stdout[:200])
        if name == "gh-8a":
            for label, form in (("time with CSR over GH's", "csr"), ("with BSR", "bsr"), ("with HYB", "hyb"), ("with DIA", "dia")):
                least, largest = ratios(rows, lambda r: r["format"] == "gh", lambda r: r["format"] == form, ("nx", "q"))
                checks.near(label, numbers[label][0], least, 1e-3 * least)
                checks.near(label, numbers[label][1], largest, 1e-3 * largest)
        if name == "ksparse-17":
            blocks = [r for r in rows if r["format"] == "blocks"]
            checks.true("whole rows and pieces", {r["cut"] for r in blocks} == {"0", "16"})
            least, largest = ratios(blocks, lambda r: r["cut"] == "16", lambda r: r["cut"] == "0", ("q",))
            checks.near("pieces", numbers["time of whole rows over that of pieces"][1], largest, 1e-3 * largest)
        if name == "bratu-4.3":
            for row in rows:
                label = "nodes %s a side" % row["nx"]
                checks.near(label, numbers[label][0], float(row["seconds"]), 1e-3 * float(row["seconds"]))
        if name == "amg":
            for label, smoother in (("damped Jacobi, iterations", "damped-jacobi"), ("l1-Jacobi, iterations", "l1-jacobi")):
                counts = {float(r["iterations"]) for r in rows if r["smoother"] == smoother}
                checks.true(label, counts == set(numbers[label]), counts)
            rows = paper("amg", "--small", "--threads", "1")
            numbers = reported(rows.stdout)
            checks.true("on one thread, too", rows.returncode == 0 and numbers["damped Jacobi, iterations"] is not None and
                        numbers["l1-Jacobi, iterations"] is not None and numbers["solve on one core"] is not None, rows.stdout)
        if name == "gh-8b":
            for label, form, half in (("rate of GH over GH-h's", "gh", "gh-h"), ("rate of GH as CSR over GH-h's as CSR", "csr", "csr-h")):
                least, largest = ratios(rows, lambda r: r["format"] == half, lambda r: r["format"] == form, ("nx",), "gflops")
                checks.near(label, numbers[label][0], least, 1e-3 * least)
                checks.near(label, numbers[label][1], largest, 1e-3 * largest)
            entries = {(r["nx"], r["format"]): int(r["entries"]) for r in rows}
            checks.true("GH-h has fewer entries", all(0.5 < entries[n, "gh-h"] / entries[n, "gh"] < 0.7 for n in ("6", "8")), entries)
            for r in rows:
                checks.near("a rate is of the entries", float(r["gflops"]), 2e-9 * int(r["entries"]) / float(r["seconds"]), 1e-4 * float(r["gflops"]))
        if name == "gh-qmr":
            for label, column in (("time of a solve by QMR over BiCG-Stab's", "solve_seconds"), ("operations", "solve_operations"),
                                  ("iterations", "iterations")):
                least, largest = ratios(rows, lambda r: r["method"] == "bicgstab", lambda r: r["method"] == "qmr", ("nx", "q"), column)
                checks.near(label, numbers[label][0], least, 1e-3 * least)
                checks.near(label, numbers[label][1], largest, 1e-3 * largest)
            for r in rows:  # two products an iteration, the vectors' operations, and a true residual; what could be timed
                if r["pair"] == "0":
                    continue
                size = int(r["nx"]) ** 3 * 2 + int(r["wells"])
                whole = int(r["iterations"]) * float(r["operations"])
                checks.true("operations of a solve are those of its iterations and little more",
                            whole < float(r["solve_operations"]) < whole + 70 * size, r)
        if name == "gh-9a":
            checks.true("a GPU's command has the libraries", "library" in paper_command("gh-9a"))
        checks.true(name + ": what is not the paper's is said", ("The matrices are not the paper's" in done.stdout) == name.startswith("ksparse") and
                    ("in which precision" in done.stdout) == name.startswith("gh-"), done.stdout[-300:])
        if name == "gh-7":
            values = [float(r["gflops"]) for r in rows if (r["format"], r["cache"]) == ("gh", "cold")]
            checks.near("largest", numbers["products with GH"][1], max(values), 1e-3 * max(values))
            values = [float(r["gflops"]) for r in rows if (r["format"], r["cache"]) == ("gh-single", "hot")]
            checks.near("single precision", numbers["likewise, single precision"][1], max(values), 1e-3 * max(values))
    os.environ["TMPDIR"] = where
    done = paper("gh-8b", "--small", "--threads", "2")
    checks.true("its own file goes", done.returncode == 0 and not [n for n in os.listdir(where) if n.startswith("hepta-paper-")])
for arguments, word in ((["nothing"], "no such table or figure"), (["gh-7", "gh-8a"], "one table or figure at a time"), (["--small"], "which"),
                        (["gh-7", "--threads", "0"], "--threads"), (["gh-7", "--backend", "vulkan"], "--backend"),
                        (["gh-7", "--small", "--csv", "/proc/none/x.csv"], "/proc/none/x.csv")):
    done = paper(*arguments)
    checks.true(" ".join(arguments), done.returncode == 2 and word in done.stderr, done.stderr)
sys.exit(checks.result())
