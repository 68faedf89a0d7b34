"""Seconds of whole runs, each a process of its own by the clock, its start included, into bench/measured/runs.csv.

    python3 bench/whole_runs.py DECK [--set KEY=VALUE ...] [--case KEY=VALUE ...] [--backend cuda] [--flow]
                                [--flow-ranks N] [--samples N] [--csv FILE]

The cases, default ones `default` and `timestep.accuracy=0`, and with --flow OPM Flow take turns, N times each. A row of the
table has the medians, the least and the most; Newton and linear iterations count failed attempts. Rows of the same deck,
settings, program, case and machine are replaced, the others stay. OPM Flow runs with --linear-solver=cpr."""
import argparse
import csv
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
COLUMNS = ("deck settings cells program case backend machine threads samples steps newton linear whole least most "
           "processor").split()
KEY = ("deck", "settings", "program", "case", "backend", "machine", "threads")


def timed(command, where):
    """Seconds by the clock and of the processors."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run(command, cwd=where, capture_output=True, text=True)
    whole, after = time.monotonic() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: {done.stderr or done.stdout}")
    return whole, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def run_hepta(a, case, where):
    events = os.path.join(where, "events.json")
    command = [a.hepta, "run", a.deck, "-q", "-o", os.path.join(where, "run"), "--json=" + events, "--backend", a.backend]
    for key in a.set + ([] if case == "default" else [case]):
        command += ["--set", key]
    seconds = timed(command + (["--threads", str(a.threads)] if a.threads else []), where)
    with open(events, encoding="utf-8") as f:
        event = {e["event"]: e for e in map(json.loads, f)}
    start, totals = event["start"], event["totals"]
    os.remove(events)
    return seconds, {"cells": start["active"], "machine": start["machine"].split(",")[0], "steps": totals["steps"],
                     "newton": totals["newton"] + totals["wasted_newton"],
                     "linear": totals["linear"] + totals["wasted_linear"]}


def run_flow(a, case, where):
    command = ["flow", a.deck, "--linear-solver=cpr", "--output-dir=" + os.path.join(where, "flow")]
    if a.flow_ranks:
        command = ["mpirun", "-n", str(a.flow_ranks), *command, "--threads-per-process=1"]
    elif a.threads:
        command += [f"--threads-per-process={a.threads}"]
    return timed(command, where), {"machine": "CPU"}


def measure(a):
    runs = [("hepta", case, run_hepta) for case in a.case or ["default", "timestep.accuracy=0"]]
    runs += [("OPM Flow", "default", run_flow)] if a.flow else []
    seconds, facts = [[] for _ in runs], [{} for _ in runs]
    for _ in range(a.samples):
        for n, (_, case, run) in enumerate(runs):
            with tempfile.TemporaryDirectory() as where:
                sample, facts[n] = run(a, case, where)
            seconds[n].append(sample)
    cells = next(f["cells"] for f in facts if "cells" in f)
    for (program, case, run), samples, fact in zip(runs, seconds, facts):
        whole, processor = zip(*samples)
        yield {"deck": os.path.basename(a.deck), "settings": " ".join(a.set), "program": program, "case": case,
               "backend": a.backend if run is run_hepta else "cpu", "threads": a.threads or "", "samples": a.samples,
               "cells": cells, "whole": "%.3g" % statistics.median(whole), "least": "%.3g" % min(whole),
               "most": "%.3g" % max(whole), "processor": "%.3g" % statistics.median(processor), **fact}


def write(path, rows):
    """Lines that begin with # stay at the top."""
    notes, kept = [], []
    if os.path.exists(path):
        with open(path, newline="", encoding="utf-8") as f:
            lines = f.readlines()
        notes = [line for line in lines if line.startswith("#")]
        table = csv.DictReader(line for line in lines if not line.startswith("#"))
        if table.fieldnames != COLUMNS:
            sys.exit(f"{path}: has other columns than {','.join(COLUMNS)}")
        new = {tuple(str(r.get(k, "")) for k in KEY) for r in rows}
        kept = [r for r in table if tuple(r[k] for k in KEY) not in new]
    with open(path, "w", newline="", encoding="utf-8") as f:
        f.writelines(notes)
        table = csv.DictWriter(f, COLUMNS, restval="", lineterminator="\n")
        table.writeheader()
        table.writerows(kept + rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("deck", metavar="DECK")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE")
    parser.add_argument("--case", action="append", default=[], metavar="KEY=VALUE", help="or 'default': the deck as it is")
    parser.add_argument("--backend", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--threads", type=int, default=0, metavar="N")
    parser.add_argument("--flow", action="store_true", help="OPM Flow takes its turn")
    parser.add_argument("--flow-ranks", type=int, default=0, metavar="N", help="by so many processes of a thread each (default: one)")
    parser.add_argument("--samples", type=int, default=5, metavar="N")
    parser.add_argument("--csv", metavar="FILE")
    parser.add_argument("--hepta", default=os.environ.get("HEPTA", os.path.join(ROOT, "build", "release", "hepta")),
                        metavar="PROGRAM")
    a = parser.parse_args()
    a.deck = os.path.abspath(a.deck)
    rows = list(measure(a))
    print("%-10s %-24s %6s %7s %7s %9s %9s %9s %9s" %
          ("program", "case", "steps", "Newton", "linear", "whole s", "least", "most", "processor"))
    for r in rows:
        print("%-10s %-24s %6s %7s %7s %9s %9s %9s %9s" %
              (r["program"], r["case"], r.get("steps", ""), r.get("newton", ""), r.get("linear", ""), r["whole"],
               r["least"], r["most"], r["processor"]))
    if a.csv:
        write(a.csv, rows)


if __name__ == "__main__":
    main()
