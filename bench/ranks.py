"""Whole runs by several MPI ranks, of one thread each, in turn with each other and with OPM Flow by as many.

    python3 bench/ranks.py DECK --ranks 1,2,4 [--set KEY=VALUE ...] [--flow FLOW_DECK [--flow-options ARGUMENTS]]
                                                [--samples N] [--csv FILE]
    python3 bench/ranks.py decks/spe10_class.cfg --ranks 1,2,4 --weak 60x220x8    the grid grows along i with the ranks
    python3 bench/ranks.py decks/spe10_class.cfg --million --csv strong.csv      1.12 million cells by 16, 8, 1, 32, 4 and 2 ranks
    python3 bench/ranks.py decks/spe10_class.cfg --growing --csv weak.csv        105,600 cells a rank by 1 to 32 ranks
    python3 bench/ranks.py decks/spe10_class.cfg --apart --ranks 1,16 --set grid.size=[60,220,5]   so many runs by themselves

The runs take turns, N times each; seconds are medians by the clock, the start of the processes included. `work` is what the
ranks did by themselves, their mean; `ghosts`, `sums` and `requests` are the least that any rank spent in these calls, which is
what they cost where nobody waits for a slower one. Calls are those of a linear iteration. For the model of
docs/laboratory/scaling.md: `cell_ns` is work by cell and linear iteration, `ghost_us` and `sum_us` seconds by call.
`faster` is the time of the fewest ranks over this one, of a grid that grows the efficiency.

With --within SECONDS (240 by --million and --growing) no run goes beyond that time: what it cuts off is left out and named.
A run that fails is named, and the others go on. The file is written anew after each run. Of ranks and cores each rank gets a
core of its own where this mpirun can do so (--map says otherwise). --threads N: each rank has so many.

With --apart that many processes run the whole deck each, at once, each on a core of its own and without messages: how much longer
they take than one alone is what the machine's memory and clock cost, whatever a program does with them. `largest` is then the
slowest process's time over the mean."""
import argparse
import csv
import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
COLUMNS = ("deck settings program ranks samples cells steps newton linear whole least most work ghosts sums requests "
           "ghost_calls sum_calls largest cell_ns ghost_us sum_us").split()
MAPPINGS = (["--bind-to", "core", "--map-by", "core"], ["--use-hwthread-cpus", "--bind-to", "hwthread"], [],
            ["--oversubscribe", "--bind-to", "none"])
MILLION = ["grid.size=[60,220,85]", "report.end=5"]
GROWING = ["report.end=5"]


class Left(Exception):
    """A run that gave nothing."""


def environment():
    """Open MPI's consent to root, whom containers have."""
    env = dict(os.environ)
    if os.geteuid() == 0:
        env.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    return env


def start_processes(command, where, limit):
    """Ended when the time is up: mpirun ends its processes, if it is asked to."""
    process = subprocess.Popen(command, cwd=where, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               start_new_session=True)
    try:
        out, err = process.communicate(timeout=limit)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGTERM)
        try:
            process.communicate(timeout=10)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
        raise Left("cut off after %.0f s" % limit) from None
    if process.returncode != 0:
        raise Left(" / ".join((err or out).strip().splitlines()[:3]) or "exit code %d" % process.returncode)


def mapping(a, ranks, where):
    """Arguments of mpirun with which so many processes start, each on a core of its own if possible."""
    if a.map is not None:
        return a.map.split()
    if ranks not in a.mapped:
        for choice in MAPPINGS:
            try:
                start_processes([a.mpirun] + choice + ["-n", str(ranks), "true"], where, 30)
                a.mapped[ranks] = choice
                break
            except Left:
                continue
        else:
            raise Left("%s starts no %d processes" % (a.mpirun, ranks))
    return a.mapped[ranks]


def start(a, ranks, command, where):
    arguments = mapping(a, ranks, where)
    limit = None if a.within is None else a.began + a.within - time.monotonic()
    if limit is not None and limit < 1.0:
        raise Left("no time left")
    began = time.monotonic()
    start_processes([a.mpirun] + arguments + ["-n", str(ranks)] + command, where, limit)
    return time.monotonic() - began


def settings(a, ranks):
    if not a.weak:
        return a.set
    size = [int(n) for n in a.weak.split("x")]
    return a.set + ["grid.size=[%d,%d,%d]" % (size[0] * ranks, size[1], size[2])]


def facts_of(path):
    with open(path, encoding="utf-8") as f:
        event = {e["event"]: e for e in map(json.loads, f)}
    totals, parts = event["totals"], event.get("ranks")
    newton, linear = totals["newton"] + totals["wasted_newton"], totals["linear"] + totals["wasted_linear"]
    cells = event["start"]["active"]
    facts = {"cells": cells, "steps": totals["steps"], "newton": newton, "linear": linear}
    if parts is None:
        return facts
    work, ghosts, sums = statistics.mean(parts["work"]), parts["exchanges"], parts["sums"]
    facts.update({"work": "%.3g" % work, "ghosts": "%.3g" % min(ghosts["wait"]), "sums": "%.3g" % min(sums["wait"]),
                  "requests": "%.3g" % min(parts["requests"]["wait"]), "ghost_calls": "%.3g" % (ghosts["calls"] / linear),
                  "sum_calls": "%.3g" % (sums["calls"] / linear),
                  "largest": "%.3g" % (max(parts["active"]) / statistics.mean(parts["active"])),
                  "cell_ns": "%.3g" % (1e9 * work * len(parts["work"]) / (cells * linear)),
                  "ghost_us": "%.3g" % (1e6 * min(ghosts["wait"]) / max(1, ghosts["calls"])),
                  "sum_us": "%.3g" % (1e6 * min(sums["wait"]) / max(1, sums["calls"]))})
    return facts


def run_hepta(a, ranks, where):
    seconds = start(a, ranks, command_of(a, ranks, "run"), where)
    return seconds, facts_of(os.path.join(where, "run.json"))


def command_of(a, ranks, name):
    command = [a.hepta, "run", a.deck, "-q", "-o", name, "--json=%s.json" % name, "--threads", str(a.threads)]
    for key in settings(a, ranks):
        command += ["--set", key]
    return command


def run_apart(a, count, where):
    """Processes that know nothing of each other, in the order of elimination that ranks have; the mean of their seconds."""
    cores = sorted(os.sched_getaffinity(0))
    if count > len(cores):
        raise Left("%d processes for %d processors" % (count, len(cores)))
    processes, took = [], []
    began = time.monotonic()
    for n in range(count):
        command = command_of(a, 1, "run%d" % n) + ["--set", "linear.preconditioner=cpr", "--set", "linear.ordering=bricks"]
        processes.append(subprocess.Popen(command, cwd=where, preexec_fn=lambda n=n: os.sched_setaffinity(0, [cores[n]])))
    while len(took) < count:
        done = [p for p in processes if p.poll() is not None]
        took += [time.monotonic() - began for _ in done]
        processes = [p for p in processes if p not in done]
        failed = [p.returncode for p in done if p.returncode != 0]
        if failed or (a.within is not None and time.monotonic() > a.began + a.within):
            for p in processes:
                p.kill()
                p.wait()
            raise Left("exit code %d" % failed[0] if failed else "cut off after %.0f s" % (time.monotonic() - began))
        time.sleep(0.01)
    mean = statistics.mean(took)
    return mean, {**facts_of(os.path.join(where, "run0.json")), "largest": "%.3g" % (max(took) / mean)}


def flow_facts(path):
    """Of the table with a row for each time step, those included that failed."""
    with open(path, encoding="utf-8") as f:
        names, *rows = [line.split() for line in f]
    steps = [dict(zip(names, map(float, row))) for row in rows]
    return {"steps": sum(s["Conv"] == 1.0 for s in steps), "newton": int(sum(s["NewtIt"] for s in steps)),
            "linear": int(sum(s["LinIt"] for s in steps))}


def run_flow(a, ranks, where):
    command = ["flow", os.path.abspath(a.flow), "--linear-solver=cpr", "--threads-per-process=1", "--output-dir=."]
    seconds = start(a, ranks, command + a.flow_options.split(), where)
    return seconds, flow_facts(next(os.path.join(where, name) for name in os.listdir(where) if name.endswith(".INFOSTEP")))


def row_of(a, program, ranks, samples, facts):
    hepta = program != "OPM Flow"
    return {"deck": os.path.basename(a.deck if hepta else a.flow), "program": program, "ranks": ranks,
            "settings": " ".join(settings(a, 1 if a.apart else ranks)) if hepta else "", "samples": len(samples),
            "whole": "%.3g" % statistics.median(samples), "least": "%.3g" % min(samples), "most": "%.3g" % max(samples), **facts}


def write(a, rows):
    if not a.csv:
        return
    with open(a.csv, "w", newline="", encoding="utf-8") as f:
        table = csv.DictWriter(f, COLUMNS, restval="", lineterminator="\n")
        table.writeheader()
        table.writerows(rows)


def measure(a):
    runs = [(program, run, r) for r in a.ranks for program, run in
            [("apart", run_apart) if a.apart else ("hepta", run_hepta)] + ([("OPM Flow", run_flow)] if a.flow else [])]
    seconds, facts, left, rows = [[] for _ in runs], [{} for _ in runs], [], []
    for _ in range(a.samples):
        for n, (program, run, ranks) in enumerate(runs):
            try:
                with tempfile.TemporaryDirectory() as where:
                    sample, facts[n] = run(a, ranks, where)
                seconds[n].append(sample)
                print("%s, %d ranks: %.1f s" % (program, ranks, sample), file=sys.stderr, flush=True)
            except Left as why:
                left.append("%s, %d ranks: %s" % (program, ranks, why))
                print("left out: " + left[-1], file=sys.stderr, flush=True)
            rows = [row_of(a, p, r, seconds[k], facts[k]) for k, (p, _, r) in enumerate(runs) if seconds[k]]
            write(a, sorted(rows, key=lambda r: (r["program"] == "OPM Flow", r["ranks"])))
    return sorted(rows, key=lambda r: (r["program"] == "OPM Flow", r["ranks"])), left


def processor():
    with open("/proc/cpuinfo", encoding="utf-8") as f:
        names = [line.split(":", 1)[1].strip() for line in f if line.startswith("model name")]
    return "%s, %d processors for these runs" % (names[0] if names else "?", len(os.sched_getaffinity(0)))


def show(a, rows):
    names = ("program ranks cells steps newton linear whole work ghosts sums requests ghost_calls sum_calls largest cell_ns "
             "ghost_us sum_us").split()
    print(processor() + "; mpirun " + (a.map if a.map is not None else ", ".join(
        "%d: %s" % (ranks, " ".join(choice) or "as it is") for ranks, choice in sorted(a.mapped.items()))))
    print(" ".join("%11s" % n for n in names + ["faster"]))
    first = {}
    for r in rows:
        first.setdefault(r["program"], float(r["whole"]))
        faster = first[r["program"]] / float(r["whole"])
        print(" ".join("%11s" % r.get(n, "") for n in names) + " %11.2f" % faster)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("deck", metavar="DECK")
    parser.add_argument("--ranks", metavar="R,...", type=lambda text: [int(r) for r in text.split(",")])
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE")
    parser.add_argument("--weak", metavar="NXxNYxNZ", help="cells of a rank; the grid is R NX x NY x NZ")
    parser.add_argument("--million", action="store_true", help="strong scaling: " + " ".join(MILLION))
    parser.add_argument("--growing", action="store_true", help="weak scaling: --weak 60x220x8 " + " ".join(GROWING))
    parser.add_argument("--apart", action="store_true", help="as many processes, each by itself")
    parser.add_argument("--threads", type=int, default=1, metavar="N", help="of a rank")
    parser.add_argument("--within", type=float, metavar="SECONDS", help="all runs together")
    parser.add_argument("--flow", metavar="DECK", help="OPM Flow takes its turn with this Eclipse deck")
    parser.add_argument("--flow-options", default="", metavar="ARGUMENTS", help="of OPM Flow beside those for cpr and one thread")
    parser.add_argument("--samples", type=int, metavar="N")
    parser.add_argument("--csv", metavar="FILE")
    parser.add_argument("--map", metavar="ARGUMENTS", help="of mpirun, such as '--bind-to none'")
    parser.add_argument("--mpirun", default="mpirun", metavar="PROGRAM")
    parser.add_argument("--hepta", default=os.environ.get("HEPTA", os.path.join(ROOT, "build", "release", "hepta")),
                        metavar="PROGRAM")
    a = parser.parse_args()
    if a.apart and (a.map is not None or a.threads != 1 or a.flow):
        parser.error("--apart has processes of one thread, which no mpirun starts, and no Flow")
    known = a.million or a.growing
    a.ranks = a.ranks or ([16, 8, 1, 32, 4, 2] if a.million else [1, 2, 4, 8, 16, 32] if a.growing else [1, 2])
    a.set = (MILLION if a.million else GROWING if a.growing else []) + a.set
    a.weak = a.weak or ("60x220x8" if a.growing else None)
    a.samples = a.samples or (1 if known else 3)
    a.within = a.within or (240.0 if known else None)
    a.deck, a.hepta, a.mapped, a.began = os.path.abspath(a.deck), os.path.abspath(a.hepta), {}, time.monotonic()
    return a


def main():
    a = arguments()
    rows, left = measure(a)
    if not rows:
        sys.exit("no run gave anything: " + "; ".join(left))
    show(a, rows)
    for why in left:
        print("left out: " + why)
    return 1 if left and a.within is None else 0


if __name__ == "__main__":
    sys.exit(main())
