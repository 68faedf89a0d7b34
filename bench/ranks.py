"""Whole runs by several MPI ranks, of one thread each, beside each other and beside OPM Flow by as many.

    python3 bench/ranks.py DECK --ranks 1,2,4 [--set KEY=VALUE ...] [--flow FLOW_DECK] [--samples N] [--csv FILE]
    python3 bench/ranks.py decks/spe10_class.cfg --ranks 1,2,4 --weak 60x220x8    the grid grows along i with the ranks

The runs take turns, N times each; seconds are medians by the clock, the start of the processes included. `work` is what the
ranks did by themselves, their mean; `ghosts`, `sums` and `orders` are the least that any rank spent in these calls, which is
what they cost where nobody waits for a slower one. Calls are those of a linear iteration."""
import argparse
import csv
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
COLUMNS = ("deck settings program ranks samples cells steps newton linear whole least most work ghosts sums orders "
           "ghost_calls sum_calls largest").split()


def start(a, ranks, command, where):
    began = time.monotonic()
    done = subprocess.run([a.mpirun, "-n", str(ranks)] + command, cwd=where, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{ranks} ranks: {' '.join(command)}: {done.stderr or done.stdout}")
    return time.monotonic() - began


def settings(a, ranks):
    if not a.weak:
        return a.set
    size = [int(n) for n in a.weak.split("x")]
    return a.set + ["grid.size=[%d,%d,%d]" % (size[0] * ranks, size[1], size[2])]


def run_hepta(a, ranks, where):
    command = [a.hepta, "run", a.deck, "-q", "-o", "run", "--json=events.json", "--threads", "1"]
    for key in settings(a, ranks):
        command += ["--set", key]
    seconds = start(a, ranks, command, where)
    with open(os.path.join(where, "events.json"), encoding="utf-8") as f:
        event = {e["event"]: e for e in map(json.loads, f)}
    totals, parts = event["totals"], event.get("ranks")
    newton, linear = totals["newton"] + totals["wasted_newton"], totals["linear"] + totals["wasted_linear"]
    facts = {"cells": event["start"]["active"], "steps": totals["steps"], "newton": newton, "linear": linear}
    if parts is not None:
        facts.update({"work": "%.3g" % statistics.mean(parts["work"]), "ghosts": "%.3g" % min(parts["exchanges"]["wait"]),
                      "sums": "%.3g" % min(parts["sums"]["wait"]), "orders": "%.3g" % min(parts["orders"]["wait"]),
                      "ghost_calls": "%.3g" % (parts["exchanges"]["calls"] / linear),
                      "sum_calls": "%.3g" % (parts["sums"]["calls"] / linear),
                      "largest": "%.3g" % (max(parts["active"]) / statistics.mean(parts["active"]))})
    return seconds, facts


def run_flow(a, ranks, where):
    command = ["flow", os.path.abspath(a.flow), "--linear-solver=cpr", "--threads-per-process=1", "--output-dir=."]
    return start(a, ranks, command, where), {}


def measure(a):
    runs = [(program, run, r) for r in a.ranks for program, run in
            [("hepta", run_hepta)] + ([("OPM Flow", run_flow)] if a.flow else [])]
    seconds, facts = [[] for _ in runs], [{} for _ in runs]
    for _ in range(a.samples):
        for n, (_, run, ranks) in enumerate(runs):
            with tempfile.TemporaryDirectory() as where:
                sample, facts[n] = run(a, ranks, where)
            seconds[n].append(sample)
    for (program, run, ranks), samples, fact in zip(runs, seconds, facts):
        yield {"deck": os.path.basename(a.deck if run is run_hepta else a.flow), "program": program, "ranks": ranks,
               "settings": " ".join(settings(a, ranks)) if run is run_hepta else "", "samples": a.samples,
               "whole": "%.3g" % statistics.median(samples), "least": "%.3g" % min(samples),
               "most": "%.3g" % max(samples), **fact}


def show(rows):
    names = "program ranks cells steps newton linear whole work ghosts sums orders ghost_calls sum_calls largest".split()
    print(" ".join("%9s" % n for n in names + ["faster"]))
    first = {}
    for r in rows:
        first.setdefault(r["program"], float(r["whole"]))
        faster = first[r["program"]] / float(r["whole"])
        print(" ".join("%9s" % r.get(n, "") for n in names) + " %9.2f" % faster)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("deck", metavar="DECK")
    parser.add_argument("--ranks", default="1,2", metavar="R,...", type=lambda text: [int(r) for r in text.split(",")])
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE")
    parser.add_argument("--weak", metavar="NXxNYxNZ", help="cells of a rank; the grid is R NX x NY x NZ")
    parser.add_argument("--flow", metavar="DECK", help="OPM Flow takes its turn with this Eclipse deck")
    parser.add_argument("--samples", type=int, default=3, metavar="N")
    parser.add_argument("--csv", metavar="FILE")
    parser.add_argument("--mpirun", default="mpirun", metavar="PROGRAM")
    parser.add_argument("--hepta", default=os.environ.get("HEPTA", os.path.join(ROOT, "build", "release", "hepta")),
                        metavar="PROGRAM")
    a = parser.parse_args()
    a.deck = os.path.abspath(a.deck)
    rows = list(measure(a))
    show(rows)
    if a.csv:
        with open(a.csv, "w", newline="", encoding="utf-8") as f:
            table = csv.DictWriter(f, COLUMNS, restval="", lineterminator="\n")
            table.writeheader()
            table.writerows(rows)


if __name__ == "__main__":
    main()
