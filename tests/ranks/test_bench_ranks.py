"""bench/ranks.py: runs of hepta and of OPM Flow by a rank and by two, their counts, threads, runs by themselves, Flow's options, and what
is left out."""
import csv
import os
import shutil
import subprocess
import sys

import runs
from rank_runs import MPIRUN

SHORT = ["grid.size=[8,8,1]", "wells.PROD.i=8", "wells.PROD.j=8", "report.end=1", "report.every=1"]


def measure(where, *options):
    """Its result, and its rows by program and ranks."""
    path = os.path.join(where, "ranks.csv")
    words = [sys.executable, os.path.join(runs.SOURCE, "bench", "ranks.py"), runs.deck("quarter_five_spot"), "--ranks", "1,2", "--samples", "1",
             "--mpirun", MPIRUN, "--hepta", runs.PROGRAM, "--csv", path, *[w for key in SHORT for w in ("--set", key)], *options]
    if os.path.exists(path):
        os.remove(path)
    done = subprocess.run(words, cwd=where, capture_output=True, text=True, timeout=300)
    if not os.path.exists(path):
        return done, {}
    with open(path, newline="", encoding="utf-8") as f:
        return done, {(r["program"], r["ranks"]): r for r in csv.DictReader(f)}


def main():
    checks = runs.Checks()
    with runs.folder() as where:
        deck = os.path.join(where, "Short.DATA")  # Flow writes its name in capitals
        with open(runs.deck("FIVE_SPOT.DATA"), encoding="utf-8") as f:
            text = f.read()
        with open(deck, "w", encoding="utf-8") as f:
            f.write(text[:text.rindex("TSTEP")] + "TSTEP\n 1 /\nEND\n")
        has_flow = shutil.which("flow") is not None
        flow = ["--flow", deck, "--flow-options=--initial-time-step-in-days=0.25"] if has_flow else []
        done, rows = measure(where, *flow)
        checks.true("it ends", done.returncode == 0 and len(rows) == (4 if has_flow else 2), done.stdout + done.stderr)
        counts = [[int(r[key]) for key in ("steps", "newton", "linear")] for r in rows.values()]
        checks.true("counts of all", all(0 < steps <= newton <= linear for steps, newton, linear in counts), counts)
        two = rows["hepta", "2"]
        checks.true("what ranks did", all(float(two[key]) > 0.0 for key in ("work", "ghosts", "sums", "ghost_calls", "cell_ns")), two)
        done, rows = measure(where, "--apart")
        checks.true("processes by themselves", done.returncode == 0 and list(rows) == [("apart", "1"), ("apart", "2")] and
                    all(float(r["whole"]) > 0.0 and float(r["largest"]) >= 1.0 for r in rows.values()), done.stdout + done.stderr)
        done, rows = measure(where, "--threads", "2")
        checks.true("ranks of two threads", done.returncode == 0 and [rows["hepta", "2"][key] for key in ("newton", "linear")] ==
                    [two[key] for key in ("newton", "linear")], done.stdout + done.stderr)
        for options, why in ((["--set", "no.such=1"], "exit code 2"), (["--within", "0.01"], "cut off after 0 s"),
                             (["--ranks", "100000"], "100000 processes for")):
            done, rows = measure(where, "--apart", *options)
            checks.true("left out: " + why, done.returncode == 1 and not rows and why in done.stderr, done.stderr)
        done, rows = measure(where, "--apart", "--threads", "2")
        checks.true("threads of processes by themselves are refused", done.returncode == 2 and "--apart has" in done.stderr, done.stderr)
        done = subprocess.run([MPIRUN, "-n", "2", runs.PROGRAM, "bench", "step", runs.deck("quarter_five_spot")], cwd=where, capture_output=True,
                              text=True, stdin=subprocess.DEVNULL, timeout=60)
        checks.true("bench step is of one process", done.returncode != 0 and "without mpirun" in done.stderr, done.stderr)
        if has_flow:
            checks.true("Flow begins with its option's step", counts[2][0] > 1, counts)
            done, rows = measure(where, "--flow", deck, "--flow-options=--no-such-option=1")
            checks.true("Flow's mistakes are named, the others go on", done.returncode == 1 and len(rows) == 2 and
                        "left out: OPM Flow, 2 ranks: " in done.stdout, done.stdout + done.stderr)
    return checks.result()


if __name__ == "__main__":
    sys.exit(main())
