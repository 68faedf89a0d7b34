"""Runs of one deck on one and on several GPUs of a host, in turn: seconds, how much faster, and whether the bits are the same.

    python3 bench/gpus.py [--gpus LIST ...] [--cells 1.12 4.49 9 36 ...] [--samples N] [--csv FILE]
    python3 bench/gpus.py --weak [18]                    36 million cells a GPU, or 18
    python3 bench/gpus.py --largest                      the largest grid that the GPUs' memory holds, some steps
    python3 bench/gpus.py --largest --list               what would be run
    python3 bench/gpus.py --barriers                     what a barrier costs, beside it
    python3 bench/gpus.py --threads 1 2 --cells 0.026    threads of the CPU in place of GPUs

A LIST is what `--gpus` of `hepta run` takes, such as 2 or 0,1; without it 1, 2, 4 and 8, as many as `nvidia-smi` lists. The deck is
decks/spe10_class.cfg with more cells: what --cells takes, in millions, and how long the runs last, is in CASES. Further --set
come behind theirs. A run that fails, or lasts longer than --limit, is told, and the others go on; the exit code is then 1.

A row of the table: seconds by the clock, start of the process included; `steps`, without what the run reads and sets up before its first
step; how much faster both are than the first list; linear iterations; milliseconds of solves a linear iteration; seconds of its
parts, from the run's own table (`--profile`); barriers that the team passed. `bits` compares the summary with the first
run's of the same cells, byte by byte, and where fields are written these as well. --hepta may be repeated: programs take turns."""
import argparse
import csv
import filecmp
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
MODEL = ["grid.size=[60,220,85]"]
CASES = {  # millions of cells: settings, fields are written
    "0.026": (["report.end=20"], True),
    "1.12": (MODEL + ["report.end=2000"], True),
    "4.49": (MODEL + ["grid.refine=[2,2,1]", "report.end=1000"], True),
    "9": (MODEL + ["grid.refine=[2,2,2]", "report.end=100"], False),
    "18": (MODEL + ["grid.refine=[4,2,2]", "report.end=5"], False),
    "36": (MODEL + ["grid.refine=[4,4,2]", "report.end=5"], False),
    "56": (MODEL + ["grid.refine=[5,5,2]", "report.end=1"], False),
    "72": (MODEL + ["grid.refine=[4,4,4]", "report.end=1"], False),
    "123": (MODEL + ["grid.refine=[5,11,2]", "report.end=0.1"], False),
    "144": (MODEL + ["grid.refine=[8,4,4]", "report.end=0.1"], False),
    "242": (MODEL + ["grid.refine=[6,6,6]", "report.end=0.01"], False),
    "471": (MODEL + ["grid.refine=[7,6,10]", "report.end=0.01"], False),
}
WEAK = {"18": {1: "18", 2: "36", 4: "72", 8: "144"}, "36": {1: "36", 2: "72", 4: "144"}}  # millions a GPU
LAYER = 60 * 220 * 85 * 2 * 2  # cells of grid.refine=[2,2,1]
CELL_BYTES, FILL = 1135, 0.96  # on the GPUs (docs/developer/gpu.md); of their memory, without the driver's
CELL_ENTRIES, ENTRIES = 8.6, 4294963199  # of the second level, which numbers them with 32 bits: HP_CSR_ENTRIES_MAX
PARTS = {  # columns, of operations as `--profile` calls them
    "start": ("reading and initialisation",),
    "assembly": ("cell properties", "assembly of cell rows", "Newton update and norms", "wells: controls and rows"),
    "refresh": ("preconditioner setup",),
    "solve": ("Krylov iterations",),
    "bus": ("launches, reports, small copies",),
    "output": ("fields to the host", "output"),
}
COLUMNS = ("cells settings program units machine samples active steps newton linear whole least most in_steps faster "
           "steps_faster ms_linear").split() + list(PARTS) + ["barriers", "memory", "largest", "bits"]
SHOWN = ("cells units newton linear whole in_steps faster steps_faster ms_linear".split() + list(PARTS) +
         ["barriers", "largest", "bits"])


def count_gpus():
    try:
        done = subprocess.run(["nvidia-smi", "-L"], capture_output=True, text=True)
    except OSError:
        return 0
    return sum(line.startswith("GPU ") for line in done.stdout.splitlines())


def memory_of(a, units):
    """Bytes of the GPUs of a list together, as if each had what the smallest has."""
    if a.memory:
        return a.memory * 1e9 * size_of(units)
    done = subprocess.run(["nvidia-smi", "--query-gpu=memory.total", "--format=csv,noheader,nounits"], capture_output=True,
                          text=True, check=True)
    each = [int(line) * 2 ** 20 for line in done.stdout.split()]
    chosen = [each[int(n)] for n in units.split(",")] if "," in units else each[:int(units)]
    if len(chosen) < size_of(units):
        sys.exit("--gpus %s: nvidia-smi lists %d" % (units, len(each)))
    return min(chosen) * len(chosen)


def largest_case(a, units):
    """The name of a case with as many layers as fit and as a hierarchy can number, which is put among the others."""
    layers = int(min(FILL * memory_of(a, units) / CELL_BYTES, ENTRIES / CELL_ENTRIES) / LAYER)
    if layers == 0:
        sys.exit("--largest: %s GPUs have no room for %.3g million cells" % (units, LAYER / 1e6))
    name = "%.4g" % (layers * LAYER / 1e6)
    CASES[name] = (MODEL + ["grid.refine=[2,2,%d]" % layers, "report.end=0.01"], False)
    return name


def size_of(units):
    return len(units.split(",")) if "," in units else int(units)


def numbers(text):
    """From the run's tables: seconds of operations, barriers, memory."""
    found = {}
    for part, names in PARTS.items():
        rows = [re.search(r"^  %s +\d+ +([\d.]+)" % re.escape(name), text, re.M) for name in names]
        found[part] = "%.3g" % sum(float(r.group(1)) for r in rows if r)
    barriers = re.search(r"^  barriers of the team +(\d+)", text, re.M)
    memory = re.search(r"^Memory on the GPUs?: ([\d.]+ \w+)", text, re.M)
    each = re.findall(r"^  GPU \d+ +([\d.]+ \w+)", text, re.M)
    found["barriers"] = barriers.group(1) if barriers else ""
    found["memory"] = memory.group(1) if memory else ""
    found["largest"] = max(each, key=lambda t: float(t.split()[0]) * {"B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9}[t.split()[1]],
                           default=found["memory"])
    return found


def command_of(a, program, cells, units, where):
    keys, fields = CASES[cells]
    command = [program, "run", a.deck, "-o", os.path.join(where, "run"), "--progress", "never", "--profile",
               "--json=" + os.path.join(where, "events.json")]
    command += ["--backend", "cpu", "--threads", units] if a.threads else ["--backend", "cuda"]
    command += ["--gpus", units] if not a.threads and units != "1" else []
    for key in keys + ([] if fields else ["output.fields=false"]) + ["timestep.accuracy=0"] + a.set:
        command += ["--set", key]
    return command


def machine_of(text):
    """GPUs 0, 1 (their name), without their memory; threads of a CPU without its name."""
    return re.split(r", [\d.]+ \w+ taken |, (?!\d)", text)[0]


def run(a, program, cells, units, where):
    """Facts of one run, or why there are none."""
    command = command_of(a, program, cells, units, where)
    began = time.monotonic()
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=a.limit)
    except subprocess.TimeoutExpired:
        return "not through after %g s: %s" % (a.limit, " ".join(command))
    whole = time.monotonic() - began
    if done.returncode != 0:
        return "exit code %d: %s\n%s" % (done.returncode, " ".join(command), done.stderr.strip() or done.stdout[-2000:])
    with open(os.path.join(where, "events.json"), encoding="utf-8") as f:
        event = {e["event"]: e for e in map(json.loads, f)}
    start, totals = event["start"], event["totals"]
    found = {"whole": whole, "active": start["active"], "machine": machine_of(start["machine"]), "steps": totals["steps"],
             "newton": totals["newton"] + totals["wasted_newton"], "linear": totals["linear"] + totals["wasted_linear"]}
    found.update(numbers(done.stdout))
    found["in_steps"] = totals["wall"] - float(found["start"])
    found["ms_linear"] = 1e3 * float(found["solve"]) / max(1, found["linear"])
    return found


def result_files(where):
    """Summary and fields: what may not depend on the number of GPUs."""
    names = ["run.summary.csv"]
    folder = os.path.join(where, "run.steps")
    if os.path.isdir(folder):
        names += [os.path.join("run.steps", name) for name in sorted(os.listdir(folder)) if name.endswith(".h5")]
    return names


def compare(first, where):
    names = result_files(where)
    if names != result_files(first):
        return "other files"
    _, other, lost = filecmp.cmpfiles(first, where, names, shallow=False)
    return "OTHER: " + (other + lost)[0] if other or lost else "same"


def rows_of(a, cells, takes):
    """Runs of these cells, every program on every list in turn; a row each."""
    samples, failed = {take: [] for take in takes}, 0
    with tempfile.TemporaryDirectory(dir=a.work) as keep:
        first = None
        for n in range(a.samples):
            for take in takes:
                where = os.path.join(keep, "%d" % len(os.listdir(keep)))
                os.mkdir(where)
                found = run(a, take[0], cells, take[1], where)
                if isinstance(found, str):
                    print("%s million cells on %s: %s" % (cells, take[1], found), file=sys.stderr, flush=True)
                    failed += 1
                    continue
                first = first or where
                found["bits"] = compare(first, where) if where != first else "first"
                print("%s million cells, %s on %s: %.3g s, %.3g in steps, %d linear, %s" %
                      (cells, take[0], take[1], found["whole"], found["in_steps"], found["linear"], found["bits"]),
                      file=sys.stderr, flush=True)
                samples[take].append(found)
                if where != first:
                    subprocess.run(["rm", "-rf", where], check=True)
    return [row(a, cells, take, found) for take, found in samples.items() if found], failed


def row(a, cells, take, found):
    whole = [f["whole"] for f in found]
    r = {**found[-1], "cells": cells, "settings": " ".join(a.set), "program": take[0], "units": take[1], "samples": len(found),
         "least": min(whole), "most": max(whole)}
    for key in ("whole", "in_steps", "ms_linear"):
        r[key] = statistics.median(f[key] for f in found)
    r["bits"] = max((f["bits"] for f in found), key=lambda b: (b not in ("first", "same"), b == "same"))
    return r


def add_speeds(rows, weak):
    """How much faster than the program's first row; --weak: the share of the first row's speed on every GPU, a linear iteration."""
    first = {}
    for r in rows:
        base = first.setdefault(r["program"] if weak else (r["program"], r["cells"]), r)
        if weak:
            r["steps_faster"] = base["ms_linear"] / r["ms_linear"] * (r["active"] / base["active"]) / size_of(r["units"])
        else:
            r["faster"], r["steps_faster"] = base["whole"] / r["whole"], base["in_steps"] / r["in_steps"]


def text_of(r, key):
    v = r.get(key, "")
    return "%.3g" % v if isinstance(v, float) else str(v)


def show(rows):
    table = [SHOWN] + [[text_of(r, key) for key in SHOWN] for r in rows]
    width = [max(len(line[n]) for line in table) for n in range(len(SHOWN))]
    for line in table:
        print("  ".join(cell.rjust(w) for cell, w in zip(line, width)))


def write(path, rows):
    with open(path, "w", newline="", encoding="utf-8") as f:
        table = csv.DictWriter(f, COLUMNS, restval="", lineterminator="\n")
        table.writeheader()
        table.writerows({key: text_of(r, key) for key in COLUMNS} for r in rows)


def barriers(a, units):
    for program in a.hepta:
        command = [program, "bench", "barrier"] + (["--gpus", units] if not a.threads else
                                                   ["--backend", "cpu", "--threads", units])
        print(" ".join(command), flush=True)
        subprocess.run(command, check=False)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gpus", nargs="+", metavar="LIST", help="one after the other")
    parser.add_argument("--threads", nargs="+", metavar="N", help="of the CPU, in place of GPUs")
    parser.add_argument("--cells", nargs="+", choices=list(CASES), default=["1.12", "4.49", "9", "36"], metavar="MILLIONS")
    parser.add_argument("--weak", nargs="?", const="36", choices=list(WEAK), metavar="MILLIONS", help="a grid that grows with the GPUs")
    parser.add_argument("--largest", action="store_true", help="as many cells as fit")
    parser.add_argument("--memory", type=float, metavar="GB", help="of a GPU; without it what nvidia-smi says")
    parser.add_argument("--list", action="store_true", help="print the commands")
    parser.add_argument("--barriers", action="store_true", help="run `hepta bench barrier` on each, too")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE")
    parser.add_argument("--samples", type=int, default=1, metavar="N")
    parser.add_argument("--limit", type=float, default=300.0, metavar="SECONDS", help="of one run")
    parser.add_argument("--csv", metavar="FILE")
    parser.add_argument("--work", metavar="FOLDER", help="where results stand until they are compared")
    parser.add_argument("--deck", default=os.path.join(ROOT, "decks", "spe10_class.cfg"))
    parser.add_argument("--hepta", action="append", metavar="PROGRAM")
    a = parser.parse_args()
    a.hepta = a.hepta or [os.environ.get("HEPTA", os.path.join(ROOT, "build", "release", "hepta"))]
    present = count_gpus()
    a.units = a.threads or a.gpus or [str(n) for n in (1, 2, 4, 8) if n <= max(1, present)]
    return a


def main():
    a = arguments()
    takes = [(program, units) for program in a.hepta for units in a.units]
    rounds = [(cells, takes) for cells in a.cells]
    if a.weak:
        grown = WEAK[a.weak]
        rounds = [(grown[size_of(u)], [(p, u) for p in a.hepta]) for u in a.units if size_of(u) in grown]
    if a.largest:
        rounds = [(largest_case(a, u), [(p, u) for p in a.hepta]) for u in a.units]
    if a.list:
        for cells, runs in rounds:
            for take in runs:
                print("%s million cells: %s" % (cells, " ".join(command_of(a, take[0], cells, take[1], "FOLDER"))))
        return
    for units in a.units if a.barriers else []:
        barriers(a, units)
    rows, failed = [], 0
    for cells, runs in rounds:
        new, bad = rows_of(a, cells, runs)
        rows, failed = rows + new, failed + bad
        add_speeds(rows, a.weak or a.largest)
        if a.csv:  # what is done stays, whatever becomes of the next
            write(a.csv, rows)
    show(rows)
    other = [r for r in rows if r["bits"] not in ("first", "same")]
    sys.exit(1 if failed or other else 0)


if __name__ == "__main__":
    main()
