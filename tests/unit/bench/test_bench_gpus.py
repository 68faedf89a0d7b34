"""bench/gpus.py on threads of the CPU, which it takes in place of GPUs: rows, bits that are the same and bits that are not, runs
that fail and runs that take too long; which grids --weak and --largest choose."""
import csv
import os
import re
import subprocess
import sys

import runs

SCRIPT = os.path.join(runs.SOURCE, "bench", "gpus.py")
SHORT = ["grid.size=[8,8,1]", "wells.PROD.i=8", "wells.PROD.j=8", "report.end=20", "report.every=10", "output.fields=true"]


def measure(folder, *arguments, programs=(runs.PROGRAM,), cells="0.026"):
    path = os.path.join(folder, "gpus.csv")
    options = [a for key in SHORT for a in ("--set", key)] + [a for p in programs for a in ("--hepta", p)]
    done = subprocess.run([sys.executable, SCRIPT, "--deck", runs.deck("quarter_five_spot"), "--cells", cells, "--csv", path,
                           *options, *arguments], capture_output=True, text=True)
    if not os.path.exists(path):
        return done, []
    with open(path, newline="", encoding="utf-8") as f:
        return done, list(csv.DictReader(f))


def wrap(folder, name, text):
    """A program that runs hepta in another way."""
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as f:
        f.write("#!/bin/sh\n" + text)
    os.chmod(path, 0o755)
    return path


def check_rows(checks, folder):
    done, rows = measure(folder, "--threads", "1", "2", "--samples", "2")
    checks.true("done", done.returncode == 0, done.stderr)
    checks.true("a row each", [(r["units"], r["samples"], r["bits"]) for r in rows] == [("1", "2", "same"), ("2", "2", "same")],
                [(r["units"], r["samples"], r["bits"]) for r in rows])
    run = runs.hepta("run", runs.deck("quarter_five_spot"), "-o", os.path.join(folder, "r"), "--progress", "never",
                     *[a for key in SHORT + ["timestep.accuracy=0"] for a in ("--set", key)])
    newton, linear = re.search(r"(\d+) Newton iterations .*, (\d+) linear", run.stdout).groups()
    checks.true("iterations", all(r["linear"] == linear and r["newton"] == newton for r in rows), rows)
    checks.true("seconds", all(0.0 < float(r["least"]) <= float(r["whole"]) <= float(r["most"]) for r in rows), rows)
    checks.true("medians of both samples", all(0.0 < float(r["in_steps"]) <= float(r["whole"]) for r in rows), rows)
    checks.true("parts of one", all(0.0 < float(r["start"]) <= float(r["most"]) >= float(r["solve"]) > 0.0 for r in rows), rows)
    checks.true("faster than itself", float(rows[0]["faster"]) == 1.0)
    checks.true("the table", done.stdout.count("same") == 2 and "steps_faster" in done.stdout, done.stdout)


def check_bits(checks, folder):
    other = wrap(folder, "other", f'exec {runs.PROGRAM} "$@" --set wells.PROD.bhp=149.999\n')
    done, rows = measure(folder, "--threads", "1", programs=(runs.PROGRAM, other))
    checks.true("other bits: exit code", done.returncode == 1, done.stderr)
    checks.true("other bits are told", [r["bits"] for r in rows] in (["first", "OTHER: run.summary.csv"], ["first", "other files"]),
                [r["bits"] for r in rows])


def check_failures(checks, folder):
    slow = wrap(folder, "slow", "exec sleep 30\n")
    broken = wrap(folder, "broken", "echo it broke >&2; exit 3\n")
    done, rows = measure(folder, "--threads", "1", "--limit", "0.5", programs=(slow, broken))
    checks.true("failures: exit code", done.returncode == 1 and rows == [], done.stdout)
    checks.true("failures are told", "not through after 0.5 s" in done.stderr and "exit code 3" in done.stderr and
                "it broke" in done.stderr, done.stderr)


def check_machines(checks):
    sys.path.insert(0, os.path.dirname(SCRIPT))
    import gpus  # noqa: E402, PLC0415
    given = {"GPU NVIDIA H200, 666 MB taken of 150 GB that were free": "GPU NVIDIA H200",
             "GPUs 0, 1, 2 (NVIDIA H200), 393 MB taken of 150 GB that were free on GPU 0 and 397 MB": "GPUs 0, 1, 2 (NVIDIA H200)"}
    checks.true("names of machines", all(gpus.machine_of(text) == name for text, name in given.items()),
                [gpus.machine_of(text) for text in given])


def check_list(checks):
    def listed(*arguments):
        done = subprocess.run([sys.executable, SCRIPT, "--list", "--gpus", "1", "2", *arguments], capture_output=True, text=True)
        return done, [re.search(r"^(\S+) million cells: .*grid\.refine=(\S+) ", line).groups() for line in done.stdout.splitlines()]

    done, cases = listed("--largest", "--memory", "84")
    checks.true("the largest grids", cases == [("67.32", "[2,2,15]"), ("139.1", "[2,2,31]")], done.stdout + done.stderr)
    _, cases = listed("--largest", "--memory", "500")
    checks.true("no more than a hierarchy can number", cases == [("421.9", "[2,2,94]"), ("498.2", "[2,2,111]")], cases)
    checks.true("on two GPUs", done.stdout.count("--gpus 2") == 1, done.stdout)
    done, cases = listed("--weak", "18")
    checks.true("18 million cells a GPU", cases == [("18", "[4,2,2]"), ("36", "[4,4,2]")], done.stdout + done.stderr)
    done, cases = listed("--largest", "--memory", "1")
    checks.true("no room", done.returncode == 1 and "no room for 4.49 million cells" in done.stderr, done.stderr)


checks = runs.Checks()
check_list(checks)
with runs.folder() as where:
    check_rows(checks, where)
    check_bits(checks, where)
    check_failures(checks, where)
    check_machines(checks)
sys.exit(checks.result())
