"""Multipliers of SCHEDULE (MULTFLT, MULTX and the like): at time zero they give the bits of those of GRID; later on a run
goes on from any report step to the last bit, with any number of threads; a deck without the change, or with another
one, is refused; connections across a fault change with it. `check` and `info` count connections, `check` lists thresholds."""
import os
import re
import sys

import flow
import multipliers
import restarts
import runs
from multipliers import FAULT, LATER

checks = runs.Checks()


def write(folder, name, grid, schedule):
    path = os.path.join(folder, name + ".DATA")
    with open(path, "w") as f:
        f.write(multipliers.deck(grid, schedule).text())
    return path


with runs.folder() as where:
    for kind, grid in (("throw", FAULT), ("blocks", ""))[::runs.every(1, 2)]:
        path = write(where, kind, grid, LATER)
        whole = os.path.join(where, kind)
        done = restarts.start(path, whole)
        checks.true(kind + ": runs", done.returncode == 0, done.stderr)
        table = runs.read_csv(whole + ".summary.csv")
        plain = write(where, kind + "_plain", grid, "TSTEP\n 5*20 /\n")
        checks.true(kind + ": runs without", restarts.start(plain, os.path.join(where, "plain")).returncode == 0)
        other = runs.read_csv(os.path.join(where, "plain.summary.csv"))
        checks.true(kind + ": the multipliers act", abs(table["FPR"][-1] - other["FPR"][-1]) > 0.5, (table["FPR"][-1], other["FPR"][-1]))
        for n, step in enumerate(runs.Result(whole, "", "").steps[:-1:runs.every(1, 2)]):
            base = os.path.join(where, kind + "-part")
            done = restarts.go_on(path, base, "%s:%d" % (whole, step), arguments=["--threads", str(1 + n % 3)])
            checks.true("%s from step %d" % (kind, step), done.returncode == 0, done.stderr)
            restarts.same_as(checks, "%s from step %d" % (kind, step), base, whole)
        last = runs.Result(whole, "", "").steps[-2]
        for what, schedule in (("without it", "TSTEP\n 5*20 /\n"), ("another factor", LATER.replace("0.05", "0.06"))):
            done = restarts.go_on(write(where, "other", grid, schedule), os.path.join(where, "x"), "%s:%d" % (whole, last))
            checks.true(kind + ": " + what + " is refused", done.returncode == 2 and "transmissibilities" in done.stderr, done.stderr)
        done = runs.hepta("check", path)
        checks.true(kind + ": check lists them", "A                     40 day  2020-02-10  times 0.05, " in done.stdout, done.stdout)
        counts = re.findall(r"(\d+) connections? of cells that are not neighbours: (\d+) between columns side by side, (\d+) within a "
                            r"column, (\d+) elsewhere", done.stdout)
        reported = re.findall(r"(\d+) connections? of cells that are not neighbours: (\d+) between columns side by side, (\d+) within a "
                          r"column, (\d+) elsewhere", runs.hepta("info", whole + ".h5").stdout)
        checks.true(kind + ": check and info count connections alike", counts == reported and len(counts) == (kind == "throw"),
                    (counts, reported))
        checks.true(kind + ": they are across the fault", not counts or counts[0][0] == counts[0][1] != "0", counts)
        # 6 columns of 3 faces; a throw of one layer and a half leaves three pairs of cells in each column, none on one level
        named = ["%s 18 faces, %d connections, multiplier 1" % (name, 18 if kind == "throw" else 0) for name in "AB"]
        for command, read in (("check", path), ("info", whole + ".h5")):
            out = runs.hepta(command, read).stdout
            checks.true("%s: %s lists the faults" % (kind, command), "2 by name\n" in out and
                        re.findall(r"^ +([AB]) +(\d+ faces, .*)$", out, re.M) == [tuple(n.split(" ", 1)) for n in named], out)
        done = runs.hepta("check", path, "--set", "grid.refine=[2,1,1]")
        checks.true(kind + ": no refine", done.returncode != 0 and ("SCHEDULE" in done.stderr or "cannot be refined" in done.stderr), done.stderr)

    path = os.path.join(where, "pinched.DATA")
    with open(path, "w") as f:
        f.write(flow.Deck(add={"grid": "ACTNUM\n 60*1 60*0 60*1 /\nPINCH\n 50 /\n"}, schedule="TSTEP\n 1 /\n").text())
    runs.run(path, where)
    for done in (runs.hepta("check", path), runs.hepta("info", os.path.join(where, "pinched.h5"))):
        checks.true("pinched-out cells are counted", "60 within a column (across 60 cells), 0 elsewhere" in done.stdout, done.stdout)

    held = flow.Deck(tabdims="TABDIMS\n 1 1 30 30 5 /\nEQLDIMS\n 3 /\nEQLOPTS\n THPRES /\n", schedule="TSTEP\n 1 /\n",
                     regions="EQLNUM\n 60*1 60*2 60*3 /\n", solution="EQUIL\n" + 3 * " 2000 200 2100 0 /\n"
                     + "THPRES\n 1 2 40 /\n 2 3 1* /\n/\n")
    path = os.path.join(where, "held.DATA")
    with open(path, "w") as f:
        f.write(held.text())
    done = runs.hepta("check", path)
    checks.true("check lists thresholds", "regions 1 and 2: 40 bar" in done.stdout and
                "regions 2 and 3: the largest difference at the start" in done.stdout and "1 and 3" not in done.stdout,
                done.stdout + done.stderr)

    now = runs.run(write(where, "now", "", "MULTFLT\n A 0.05 /\n B 0.5 /\n/\nTSTEP\n 30 /\n"), where)
    grid = write(where, "grid", "", "TSTEP\n 30 /\n")
    with open(grid) as f:
        text = f.read()
    with open(grid, "w") as f:
        f.write(text.replace("PROPS\n", "MULTFLT\n A 0.05 /\n B 0.5 /\n/\nPROPS\n", 1))
    first = runs.run(grid, where)
    checks.true("at time zero: the fields of MULTFLT in GRID", abs(now.field("pressure") - first.field("pressure")).max() < 1.0)
sys.exit(checks.result())
