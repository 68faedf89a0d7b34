"""The tables of bench/measured are as the commands write them that docs/laboratory/performance.md names: the same columns in the
same order. bench/whole_runs.py runs a deck, says its iterations, and replaces its own rows only."""
import csv
import glob
import os
import subprocess
import sys

import runs

MEASURED = os.path.join(runs.SOURCE, "bench", "measured")
SCRIPT = os.path.join(runs.SOURCE, "bench", "whole_runs.py")
DECK = "quarter_five_spot"
SHORT = ["report.end=20", "grid.size=[8,8,1]", "wells.PROD.i=8", "wells.PROD.j=8"]


def table(path):
    with open(path, newline="", encoding="utf-8") as f:
        reader = csv.DictReader(line for line in f if not line.startswith("#"))
        return reader.fieldnames, list(reader)


def whole_runs(path, *arguments):
    options = [a for key in SHORT for a in ("--set", key)]
    return subprocess.run([sys.executable, SCRIPT, runs.deck(DECK), *options, "--samples", "1", "--threads", "1", "--csv", path,
                           *arguments], capture_output=True, text=True)


def write_spmv(path, folder):
    return runs.hepta("bench", "spmv", "--size", "4", "--format", "gh", "--cache", "hot", "--seconds", "0.001", "--csv", path)


def write_solve(path, folder):
    name = os.path.join(folder, "s")
    options = [a for key in SHORT for a in ("--set", key)]
    done = runs.hepta("run", runs.deck(DECK), "-q", "-o", name, "--dump-systems", name + ":2.1", *options)
    return done if done.returncode else runs.hepta("bench", "solve", *glob.glob(name + ".step*.h5"), "--samples", "1",
                                                   "--threads", "1", "--csv", path)


def write_runs(path, folder):
    return whole_runs(path)


def check_columns(checks, folder):
    for name, write in (("spmv.csv", write_spmv), ("solve.csv", write_solve), ("runs.csv", write_runs)):
        path = os.path.join(folder, name)
        done = write(path, folder)
        checks.true(name + " is written", done.returncode == 0, done.stderr)
        written, kept = table(path), table(os.path.join(MEASURED, name))
        checks.true(name + ": columns", kept[0] == written[0], kept[0])
        checks.true(name + ": no row has more", all(None not in r and None not in r.values() for r in kept[1]))


def check_runs(checks, folder):
    path = os.path.join(folder, "runs.csv")
    rows = table(path)[1]
    name = os.path.join(folder, "r")
    done = runs.hepta("run", runs.deck(DECK), "-o", name, "--progress", "never",
                      *[a for key in SHORT for a in ("--set", key)])
    steps, newton, linear = (rows[0][k] for k in ("steps", "newton", "linear"))
    checks.true("both cases", [r["case"] for r in rows] == ["default", "timestep.accuracy=0"], rows)
    checks.true("iterations", f"{steps} time steps, {newton} Newton iterations" in done.stdout and
                f"{linear} linear" in done.stdout, done.stdout)
    checks.true("cells, machine", {(r["cells"], r["machine"], r["settings"]) for r in rows} == {("64", "CPU", " ".join(SHORT))})
    checks.true("seconds", all(0.0 < float(r["least"]) <= float(r["whole"]) <= float(r["most"]) for r in rows))
    with open(path, encoding="utf-8") as f:
        text = f.read()
    with open(path, "w", encoding="utf-8") as f:
        f.write("# kept\n" + text)
    checks.true("again", whole_runs(path, "--case", "timestep.max=5").returncode == 0)
    checks.true("again", whole_runs(path, "--case", "default").returncode == 0)
    with open(path, encoding="utf-8") as f:
        checks.true("the note stays", f.readline() == "# kept\n")
    checks.true("rows of one case are replaced", [r["case"] for r in table(path)[1]] ==
                ["timestep.accuracy=0", "timestep.max=5", "default"])
    with open(path, "w", encoding="utf-8") as f:
        f.write("a,b\n")
    done = whole_runs(path)
    checks.true("another table stays", done.returncode == 1 and "other columns" in done.stderr)


checks = runs.Checks()
with runs.folder() as where:
    check_columns(checks, where)
    check_runs(checks, where)
sys.exit(checks.result())
