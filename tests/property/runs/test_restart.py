"""A run that goes on from a report step gives the bits of the run that never stopped: from every report step, with
wells of every kind, controls and perforations that change in between, economic limits, any number of threads, every
preconditioner, after an interruption, after a step that could not be made, and from a result that was itself
continued. Another schedule afterwards is a forecast; another grid, fluid or well before is refused by name."""
import csv
import os
import re
import shutil
import signal
import subprocess
import sys
import time

import h5py

import eclipse_files
import restarts
import runs
from restarts import CPR, DECK, KEEP
from test_run import CROSSFLOW, MANY, random_deck

# What groups are asked for, at times of report steps and between.
FIELD = """
groups = ( { time = 20.0; liquid_rate = 60.0; voidage = 1.0; },
          { time = 90.0; liquid_rate = 40.0; injection_rate = 50.0; },
          { name = "A"; liquid_rate = 25.0; },
          { time = 30.0; name = "B"; parent = "A"; efficiency = 0.9; oil_rate = 8.0; },
          { time = 70.0; name = "A"; oil_rate = 10.0; in_production = false; },
          { time = 75.0; name = "B"; },
          { time = 120.0; } );
schedule ="""
PROPERTIES = """
  { time = 20.0; well = "RESV"; efficiency = 0.8; },
  { time = 40.0; well = "LIQUID"; i = 3; multiply_index = 0.5; },
  { time = 45.0; well = "OIL"; k = [2, 3]; completion = 7; },
  { time = 50.0; well = "OIL"; max_water_cut = 0.1; workover = "perforation"; },
  { time = 55.0; well = "NOCROSS"; min_liquid_rate = 100.0; test_interval = 20.0; max_tests = 2; },
  { time = 65.0; well = "LIQUID"; i = 3; multiply_index = 3.0; },
"""


def steps_of(base):
    with h5py.File(base + ".h5", "r") as f:
        return [int(s) for s in f["step"][:]]


def controls(base):
    """The control in force of each well after each time step."""
    summary = runs.read_csv(base + ".summary.csv")
    return {name: list(v) for name, v in summary.items() if name.startswith("WMCTL")}


def every_step(checks, where, deck, name, options, threads=(1, 2, 3)):
    whole = os.path.join(where, name)
    done = restarts.start(deck, whole, KEEP + options)
    checks.true(name + ": the whole run", done.returncode == 0, done.stderr)
    steps = steps_of(whole)
    checks.true(name + ": several steps", len(steps) >= 4, steps)
    switched, every = 0, runs.every(6, 8)
    for n, step in list(enumerate(steps))[::every]:
        base = os.path.join(where, name + "-part")
        done = restarts.go_on(deck, base, "%s:%d" % (whole, step), KEEP + options,
                              ["--threads", str(threads[n // every % len(threads)])])
        what = "%s from step %d" % (name, step)
        checks.true(what, done.returncode == 0, done.stderr)
        missing = restarts.same_as(checks, what, base, whole)
        checks.true(what + ": its steps", steps_of(base) == steps[n:], steps_of(base))
        checks.true(what + ": those before are elsewhere", all(int(m[:6]) < step for m in missing), sorted(missing)[:3])
        switched += any(len(set(v[step:])) > 1 for v in controls(base).values())
    checks.true(name + ": controls switched after some of them", switched >= (2 if every == 1 else 1), switched)
    return whole


def chain(checks, where, deck, options):
    """A result that was continued is continued, three times over, in its own files at last."""
    whole = os.path.join(where, "whole")
    checks.true("chain: whole", restarts.start(deck, whole, KEEP + options).returncode == 0)
    a, b = os.path.join(where, "a"), os.path.join(where, "b")
    done = restarts.start(deck, a, KEEP + options + ["report.end=40.0"])
    checks.true("chain: to day 40", done.returncode == 0, done.stderr)
    done = restarts.go_on(deck, b, a, KEEP + options + ["report.end=80.0"])
    checks.true("chain: to day 80 under another name", done.returncode == 0, done.stderr)
    done = restarts.go_on(deck, None, b + ".h5", KEEP + options)
    checks.true("chain: to the end in place", done.returncode == 0, done.stderr)
    restarts.same_as(checks, "chain", b, whole)
    done = restarts.go_on(deck, None, b, KEEP + options)
    checks.true("chain: nothing left to do", done.returncode == 0, done.stderr)
    restarts.same_as(checks, "chain at its end", b, whole)
    checks.true("chain: all its steps", steps_of(b) == [s for s in steps_of(whole) if s >= steps_of(b)[0]])


def late_start(checks, where):
    """Nothing moves for two months: cpr's hierarchy is made when the wells open, later than the first restarts."""
    text = DECK
    for well in ("RATE", "PRESS", "BHP", "OIL", "LIQUID", "RESV", "NOCROSS"):
        text = text.replace('name = "%s";' % well, 'name = "%s"; status = "shut";' % well)
    text = text.replace("schedule = (", 'schedule = ( { time = 60.0; well = "*"; status = "open"; },')
    text = text.replace("pc_entry = 0.3;", "").replace("{ time = 40.0;", "{ time = 61.0;")
    text = text.replace("every = 40.0; end = 120.0", "every = 20.0; end = 120.0")
    deck = restarts.write_deck(where, text, "late")
    whole = every_step(checks, where, deck, "late", CPR + ["newton.min_iterations=0"])
    linear = runs.read_csv(whole + ".solver.csv")
    idle = [n for n, t in zip(linear["linear"], linear["time"]) if t < 60.0]
    checks.true("late: no linear system before the wells open", len(idle) > 1 and sum(idle) == 0, idle)


def relaxations(base, step):
    """Of the wellbores' sections after a report step, without signs; 0: none yet."""
    with h5py.File(os.path.join(base + ".steps", "restart_%06d.h5" % step), "r") as f:
        column = f["perforations"].attrs["columns"].split().index("relaxation")
        return [abs(row[column]) for row in f["perforations"][:]]


def crossflow(checks, where):
    """Densities of a wellbore that go only a part of the way go on so; after an event they go half the way again."""
    often = ["report.every=1.0", "report.end=12.0", "timestep.max=0.5"] + [o for o in MANY if "report" not in o]
    text = random_deck(CROSSFLOW[0])
    deck = restarts.write_deck(where, text, "crossflow")
    whole = os.path.join(where, "crossflow-whole")
    done = restarts.start(deck, whole, KEEP + often)
    checks.true("crossflow: the whole run", done.returncode == 0, done.stderr)
    steps = steps_of(whole)
    half = steps[len(steps) // 2]
    checks.true("crossflow: densities are relaxed", 0.0 < min(relaxations(whole, half)) < 0.25, relaxations(whole, half))
    base = os.path.join(where, "crossflow-part")
    done = restarts.go_on(deck, base, "%s:%d" % (whole, half), KEEP + often)
    checks.true("crossflow: from its middle", done.returncode == 0, done.stderr)
    restarts.same_as(checks, "crossflow", base, whole)
    # the same with an event at the middle that has each well do what it does
    wells = sorted(set(re.findall(r'name = "(W\d+)"', text)))
    time_of = runs.read_csv(whole + ".summary.csv")["TIME"]
    events = ", ".join('{ time = %.12g; well = "%s"; status = "open"; }' % (time_of[half - 1], w) for w in wells)
    ordered = restarts.write_deck(where, re.sub(r"schedule = \(.*?\);", "schedule = ( %s );" % events, text, flags=re.S),
                               "ordered")
    base = os.path.join(where, "crossflow-ordered")
    done = restarts.start(ordered, base, KEEP + often + ["report.end=%.12g" % (time_of[half - 1] + 0.01)])
    checks.true("crossflow: with an event", done.returncode == 0, done.stderr)
    last = steps_of(base)[-1]
    checks.true("crossflow: before the event", min(relaxations(base, half)) < 0.25, relaxations(base, half))
    checks.true("crossflow: after it", last > half and min(relaxations(base, last)) >= 0.25, relaxations(base, last))


def commands_to_go_on(err):
    return [line.partition(": ")[2] for line in err.splitlines() if line.startswith("To go on")]


def follow(checks, what, err, more=""):
    """The command that a run printed when it stopped, as a shell takes it, with another option maybe."""
    found = commands_to_go_on(err)
    checks.true(what + ": says how to go on", len(found) == 1 and found[0].startswith(runs.PROGRAM + " run "), err)
    done = subprocess.run(found[0] + more, shell=True, capture_output=True, text=True)
    checks.true(what + ": goes on as it says", done.returncode == 0, done.stderr)
    return done


def interrupted(checks, where, deck, options):
    """Ctrl-C at some moment; the run goes on in place, with one step of fields more than the whole run."""
    whole = os.path.join(where, "undisturbed")
    more = KEEP + options + ["timestep.max=0.05", "timestep.initial=0.05", "report.end=40.0", "report.every=10.0"]
    checks.true("interrupted: whole", restarts.start(deck, whole, more).returncode == 0)
    os.chdir(where)
    base = "new/folder/it's stopped"
    process = subprocess.Popen([runs.PROGRAM, "run", deck, "-o", base, "--progress", "never", *restarts.sets(more)],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True)
    limit = time.time() + 60.0
    while time.time() < limit and not (os.path.exists(base + ".summary.csv") and
                                       os.path.getsize(base + ".summary.csv") > 40000):
        time.sleep(0.005)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    checks.true("interrupted: 130", process.returncode == 130, process.returncode)
    rows = len(runs.read_csv(base + ".summary.csv")["TIME"])
    checks.true("interrupted: in the middle, with fields of the last step", rows < 800 and steps_of(base)[-1] == rows,
                (rows, steps_of(base)))
    checks.true("interrupted: the command has what the user gave", commands_to_go_on(err) and
                all(option in commands_to_go_on(err)[0] for option in more), err)
    follow(checks, "interrupted", err)
    restarts.same_as(checks, "interrupted", base, whole, steps_may_be_more=True)
    checks.true("interrupted: all steps of the whole run", set(steps_of(whole)) <= set(steps_of(base)))


def stuck(checks, where, deck):
    """A step that cannot be made ends the run; with a smaller shortest step it goes on from there, as a run would have
    gone that had it from the start."""
    hard = KEEP + ["newton.max_iterations=4", "timestep.initial=0.5", "timestep.accuracy=0", "report.every=120.0"]
    whole, base = os.path.join(where, "patient"), os.path.join(where, "stuck")
    done = restarts.start(deck, whole, hard)
    checks.true("stuck: the patient run", done.returncode == 0, done.stderr[-300:])
    solver = runs.read_csv(whole + ".solver.csv")
    cuts = [n for n, c in enumerate(solver["cuts"]) if c > 0]
    checks.true("stuck: steps are cut", len(cuts) > 0 and solver["time"][cuts[0]] > 0.5, cuts)
    done = restarts.start(deck, base, hard + ["timestep.max_cuts=1"])
    checks.true("stuck: the hasty run fails", done.returncode == 1 and "stopped at time" in done.stderr,
                done.stderr[-300:])
    at = steps_of(base)[-1]
    checks.true("stuck: after the last step that was made", at == cuts[0], (at, cuts))
    done = restarts.go_on(deck, None, base, hard + ["timestep.max_cuts=1"])
    checks.true("stuck: there again", done.returncode == 1 and steps_of(base)[-1] == at, done.stderr[-300:])
    done = follow(checks, "stuck", done.stderr, " --set timestep.max_cuts=10")
    restarts.same_as(checks, "stuck", base, whole, steps_may_be_more=True)
    table = [[line for line in out.splitlines() if line.startswith(("Work", "Wasted"))]
             for out in (done.stdout, runs.hepta("run", deck, "-o", whole, "--progress", "never",
                                                 *restarts.sets(hard)).stdout)]
    checks.true("stuck: the work is counted once", table[0] == table[1], table)


def quote_first_cut(base, text):
    """Why the first step was cut becomes `text` in the solver's CSV; the step."""
    path = base + ".solver.csv"
    with open(path, newline="") as f:
        rows = list(csv.reader(f))
    why = rows[0].index("why")
    first = next(n for n, row in enumerate(rows) if n > 0 and row[why] != "")
    rows[first][why] = text
    with open(path, "w", newline="") as f:
        csv.writer(f, lineterminator="\n").writerows(rows)
    return first


def rows_of_csv(checks, where, deck):
    """Tables that are too large for a master at every report are in the CSV files alone when the run is killed: with
    the twelve digits that stand there it goes on as the whole run does."""
    hard = KEEP + ["newton.max_iterations=4", "timestep.initial=0.5", "timestep.accuracy=0"]
    whole, base = os.path.join(where, "patient"), os.path.join(where, "killed")
    checks.true("rows: whole", restarts.start(deck, whole, hard).returncode == 0)
    checks.true("rows: to day 80", restarts.start(deck, base, hard + ["report.end=80.0"]).returncode == 0)
    with runs.edited(base + ".h5") as f:
        del f["summary"], f["solver"]
    said = 'it said "no", twice'
    cut = [quote_first_cut(name, said) for name in (whole, base)]
    checks.true("rows: a step was cut before", cut[0] == cut[1] > 0, cut)
    refuse_rows(checks, where, deck, base, hard)
    done = restarts.go_on(deck, None, base, hard)
    checks.true("rows: goes on", done.returncode == 0, done.stderr)
    checks.true("rows: summary.csv", restarts.text(base + ".summary.csv") == restarts.text(whole + ".summary.csv"))
    checks.true("rows: solver.csv", restarts.solver_rows(base) == restarts.solver_rows(whole))
    checks.true("rows: fields", all(data == runs.datasets(whole + ".h5")[name]
                                    for name, data in runs.datasets(base + ".h5").items()))
    with h5py.File(base + ".h5", "r") as mine, h5py.File(whole + ".h5", "r") as other:
        for name in other["summary"]:
            a, b = mine["summary"][name][:], other["summary"][name][:]
            same = (a == b).all() if a.dtype.kind == "S" else (abs(a - b) <= 1e-11 * abs(b)).all()
            checks.true("rows: " + name, len(a) == len(b) and same)
        checks.true("rows: the quoted text", mine["solver"]["why"][cut[0] - 1].decode() == said)


def refuse_rows(checks, where, deck, base, options):
    """CSV files that lack what is needed; nothing of the result is lost by trying."""
    path = base + ".summary.csv"
    rows = restarts.text(path)
    never = os.path.join(where, "never")
    for what, text, said in (("cut in its last row", rows[:-2], "is not whole"),
                             ("without its last row", rows[:rows.rindex("\n", 0, -1) + 1], "too few entries"),
                             ("with a short row", rows[:rows.rindex(",")] + "\n", "too few entries")):
        with open(path, "w") as f:
            f.write(text)
        done = restarts.go_on(deck, never, base, options)
        checks.true("rows: " + what, done.returncode == 2 and path + ": row" in done.stderr and said in done.stderr,
                    (done.returncode, done.stderr))
    os.remove(path)
    refused(checks, "rows: none", deck, never, base, "has no /summary, and there is no " + path, options)
    with open(path, "w") as f:
        f.write(rows)
    checks.true("rows: nothing is written", not any(f.startswith("never") for f in os.listdir(where)))


def forecast(checks, where, deck):
    """Controls from the restart's time on may differ: the same as a run whose schedule was so from the start."""
    text = restarts.text(deck)
    change = '{ time = 80.0; well = "OIL"; status = "open"; oil_rate = 200.0; }'
    other = '{ time = 80.0; well = "OIL"; status = "open"; oil_rate = 20.0; }'
    assert change in text
    more = text.replace(change, other).replace("end = 120.0", "end = 160.0").replace(
        "schedule = (", 'schedule = ( { time = 140.0; well = "RATE"; rate = 90.0; },')
    new = restarts.write_deck(where, more, "forecast")
    history, want, got = (os.path.join(where, n) for n in ("history", "want", "got"))
    checks.true("forecast: history", restarts.start(deck, history).returncode == 0)
    checks.true("forecast: at once", restarts.start(new, want).returncode == 0)
    at = steps_of(history)[2]
    done = restarts.go_on(new, got, "%s:%d" % (history, at))
    checks.true("forecast: from day 80", done.returncode == 0, done.stderr)
    restarts.same_as(checks, "forecast", got, want)
    checks.true("forecast: differs from the history", runs.datasets(got + ".h5") != runs.datasets(history + ".h5"))
    done = restarts.go_on(new, got + "2", "%s:%d" % (history, steps_of(history)[3]))
    checks.true("forecast: not from day 120", done.returncode == 2 and "well OIL's schedule" in done.stderr and
                "before 120 day" in done.stderr, done.stderr)
    checks.true("forecast: nothing is written", not os.path.exists(got + "2.h5"))
    # what does not change the past may change: tolerances, report times, threads
    done = restarts.go_on(deck, got, "%s:%d" % (history, at), KEEP + ["linear.tolerance=1e-6", "report.every=7.0"])
    checks.true("forecast: other tolerances and report times", done.returncode == 0, done.stderr)


DIFFERENCES = [
    ("size = [9, 8, 4]", "size = [9, 8, 5]", "the number of cells"),
    ("i = 5; j = [4, 5]; set", "i = 5; j = [4, 4]; set", "the active cells"),
    ("top = 1800.0", "top = 1800.5", "depths"),
    ("mean = 0.2;", "mean = 0.21;", "pore volumes"),
    ("mean = 150.0", "mean = 151.0", "transmissibilities"),
    ("size = [9, 8, 4]", "connections = ( (1, 1, 1, 9, 8, 4, 0.001) ); size = [9, 8, 4]", "transmissibilities"),
    ("viscosity = 1.5", "viscosity = 1.6", "oil"),
    ("density = 1020.0", "density = 1021.0", "water"),
    ("swc = 0.2", "swc = 0.21", "relative permeabilities"),
    ("compressibility = 4.0e-5", "compressibility = 4.1e-5", "the rock's compressibility"),
    ("contact_depth = 1814.0", "contact_depth = 1813.0", "the initial state"),
    ('name = "LATER"', 'name = "LATE"', "the wells' number, names or order"),
    ("skin = 1.0", "skin = 1.5", "well LIQUID's perforations"),
    ("rate = 60.0; bhp", "rate = 61.0; bhp", "well RATE's schedule"),
    ("schedule =", "groups = ( { time = 10.0; liquid_rate = 60.0; } ); schedule =", "groups and their targets"),
]


def refusals(checks, where, deck):
    whole = os.path.join(where, "whole")
    at = steps_of(whole)[2]
    text = restarts.text(deck)
    for old, new, what in DIFFERENCES[::runs.every(1, 4)]:
        assert old in text, old
        changed = text.replace(old, new)
        if "LATE" in new:
            changed = changed.replace('"LATER"', '"LATE"')
        other = restarts.write_deck(where, changed, "other")
        done = restarts.go_on(other, os.path.join(where, "never"), "%s:%d" % (whole, at))
        checks.true("differs in " + what, done.returncode == 2 and
                    "cannot be continued with this deck" in done.stderr and what in done.stderr.split(" in: ")[-1],
                    done.stderr)
    checks.true("refused: nothing is written", not any(f.startswith("never") for f in os.listdir(where)))


def refused(checks, what, deck, base, result, said, options=KEEP):
    done = restarts.go_on(deck, base, result, options)
    checks.true(what + ": 2", done.returncode == 2, (done.returncode, done.stderr))
    checks.true(what + ": says so", said in done.stderr, done.stderr)


def written_rows(checks, where, deck):
    """Dates and regions that rows already written depend on must be the same, in the form in which values are compared;
    where no row does they may be others."""
    short = KEEP + ["report.end=80.0"]
    dated, other = ['start="2020-01-31"'], ['start="2020-01-30"']
    asked = ['output.vectors=["ROIP"]']
    halves, uneven = (["regions.fip={ layers = ( { k = [1, %d]; value = 1; }, { k = [%d, 4]; value = 2; } ); }" %
                       (k, k + 1)] for k in (2, 1))
    base, never = os.path.join(where, "dated"), os.path.join(where, "never")
    done = restarts.start(deck, base, short + dated + asked + halves)
    checks.true("written rows: run", done.returncode == 0, done.stderr)
    at = "%s:%d" % (base, steps_of(base)[1])
    for options, said in ((other + halves, "the date of the start"), (dated + uneven, "regions of reports (FIPNUM)"),
                          (other, "the date of the start, regions of reports (FIPNUM)")):
        refused(checks, "written rows: " + said, deck, never, at, "day in: " + said, short + asked + options)
    checks.true("written rows: nothing is written", not any(f.startswith("never") for f in os.listdir(where)))
    for what, options in (("the same", ['start="2020-01-31T00:00:00"'] + asked + halves), ("no date", asked + halves),
                          ("no regions asked for", dated + uneven)):
        done = restarts.go_on(deck, os.path.join(where, "on"), at, short + options)
        checks.true("written rows: " + what, done.returncode == 0, done.stderr)


def kept_in_memory(checks, where, deck):
    """Steps that the master does not name yet: the latest alone get a file, all where all are kept, and room for a
    million of them is not taken."""
    base = os.path.join(where, "waits")
    for keep, files in ((1, 1), (2, 2), (1000000, None)):
        done = restarts.start(deck, base, ["output.restart=%d" % keep, "output.refresh=1e9"])
        steps = steps_of(base)
        left = sorted(n for n in os.listdir(base + ".steps") if n.startswith("restart_"))
        expected = ["restart_%06d.h5" % s for s in steps[-(files or len(steps)):]]
        checks.true("%d kept: the latest" % keep, done.returncode == 0 and left == expected, (left, expected))
        memory = re.search(r"peak memory ([\d.]+) (kB|MB|GB)", done.stdout)
        checks.true("%d kept: memory" % keep, memory is not None and memory.group(2) != "GB" and
                    (memory.group(2) == "kB" or float(memory.group(1)) < 100.0), done.stdout[-300:])


def mistakes(checks, where, deck):
    whole, never = os.path.join(where, "whole"), os.path.join(where, "never")
    before = runs.datasets(whole + ".h5")
    refused(checks, "no such result", deck, never, os.path.join(where, "none"), "no such result")
    refused(checks, "no such step", deck, never, whole + ":3",
            "there is no report step 3; a run can be continued from steps 0,")
    refused(checks, "no name", deck, never, ":3", "--restart takes NAME or NAME:STEP")
    refused(checks, "the deck ends before", deck, never, whole, "after the last report time of the deck, 80 day",
            KEEP + ["report.end=80.0"])
    refused(checks, "other units", deck, never, whole, "set output.units", KEEP + ["output.units=field"])
    refused(checks, "later steps in place", deck, None, "%s:%d" % (whole, steps_of(whole)[1]), "would be lost")
    refused(checks, "in place by another path", deck, os.path.join(where, ".", "whole"),
            "%s:%d" % (whole, steps_of(whole)[1]), "would be lost")
    refused(checks, "Eclipse's files in place", deck, None, whole, "name new results with -o",
            KEEP + ["output.eclipse=true"])
    few = os.path.join(where, "few")
    checks.true("few: run", restarts.start(deck, few, ["report.every=20.0"]).returncode == 0)
    kept = sorted(f for f in os.listdir(few + ".steps") if f.startswith("restart"))
    checks.true("few: the last two are kept", kept == ["restart_%06d.h5" % s for s in steps_of(few)[-2:]], kept)
    refused(checks, "not kept", deck, never, "%s:%d" % (few, steps_of(few)[1]),
            "without what a run needs to go on; a run can be continued from steps %d and %d" %
            tuple(steps_of(few)[-2:]))
    checks.true("none: run", restarts.start(deck, few, ["output.restart=0"]).returncode == 0)
    checks.true("none: no restart files", not any(f.startswith("restart") for f in os.listdir(few + ".steps")))
    refused(checks, "none kept", deck, never, few, "no report step was written with what a run needs")
    without = os.path.join(where, "without")
    checks.true("no summary: run", restarts.start(deck, without, KEEP + ["output.summary=false"]).returncode == 0)
    for base in (never, None):
        refused(checks, "no summary", deck, base, without, "there is no %s.summary.csv" % without)
    done = restarts.go_on(deck, None, without, KEEP + ["output.summary=false"])
    checks.true("no summary: goes on without one", done.returncode == 0, done.stderr)
    # damaged files
    hurt = os.path.join(where, "hurt")
    for suffix in (".h5", ".grid.h5", ".summary.csv", ".solver.csv"):
        shutil.copy(whole + suffix, hurt + suffix)
    shutil.copytree(whole + ".steps", hurt + ".steps")
    last = os.path.join(hurt + ".steps", "restart_%06d.h5" % steps_of(whole)[-2])
    with open(last, "r+b") as f:
        f.truncate(os.path.getsize(last) // 2)
    refused(checks, "a truncated file", deck, never, "%s:%d" % (hurt, steps_of(whole)[-2]),
            "restart_%06d.h5: cannot open" % steps_of(whole)[-2])
    with runs.edited(os.path.join(hurt + ".steps", "restart_%06d.h5" % steps_of(whole)[1])) as f:
        del f["balance"]
    refused(checks, "a file without the balance", deck, never, "%s:%d" % (hurt, steps_of(whole)[1]), "/balance")
    step = steps_of(whole)[0]
    with runs.edited(os.path.join(hurt + ".steps", "restart_%06d.h5" % step)) as f:
        f["sw"][0] = 2.0
    refused(checks, "a saturation above one", deck, never, "%s:%d" % (hurt, step), "pressures or saturations")
    with runs.edited(os.path.join(hurt + ".steps", "restart_%06d.h5" % step)) as f:
        perforations = f["perforations"][:-1]
        del f["perforations"]
        f["perforations"] = perforations
        f["perforations"].attrs["columns"] = " ".join(perforations.shape[1] * "a")
    refused(checks, "a perforation less", deck, never, "%s:%d" % (hurt, step), "do not fit its deck")
    with h5py.File(hurt + ".other.h5", "w") as f:
        f["x"] = 1
    refused(checks, "not a result", deck, never, hurt + ".other", "is not a hepta result")
    with open(hurt + ".h5", "r+b") as f:
        f.truncate(os.path.getsize(hurt + ".h5") // 2)
    refused(checks, "a truncated master", deck, never, hurt, "hurt.h5: cannot open")
    checks.true("mistakes: nothing is written", not any(f.startswith("never") for f in os.listdir(where)))
    checks.true("mistakes: nothing is lost", runs.datasets(whole + ".h5") == before)


def connections_anew(checks, where):
    """Connections that COMPDAT has given anew: a continued run's Eclipse files have the new ones."""
    with open(os.path.join(runs.SOURCE, "decks", "FIVE_SPOT.DATA")) as f:
        text = f.read()
    begin, end = text.index("TSTEP\n 1 4 10"), text.index("TSTEP\n 12*30.5")
    new = "COMPDAT\n 'P1' 2* 2 3 OPEN 2* 0.5 1* 4 /\n/\n"
    deck, whole, part = (os.path.join(where, n) for n in ("ANEW.DATA", "ANEW", "PART"))
    with open(deck, "w") as f:
        f.write(text[:begin] + "TSTEP\n 1 /\n" + new + "TSTEP\n 1 /\nTSTEP\n 1 /\nEND\n" + text[end:])
    options = KEEP + ["output.eclipse=true"]
    done = restarts.start(deck, whole, options)
    checks.true("anew: run", done.returncode == 0, done.stderr)
    done = restarts.go_on(deck, part, "%s:%d" % (whole, steps_of(whole)[2]), options)
    checks.true("anew: continued", done.returncode == 0, done.stderr)
    for name in ("ICON", "SCON"):
        of = [[v for n, _, v in eclipse_files.read(base + ".UNRST") if n == name] for base in (whole, part)]
        checks.true("anew: %s of the last report" % name, list(of[0][-1]) == list(of[1][-1]), (of[0][-1][:90], of[1][-1][:90]))
        checks.true("anew: %s has changed" % name, name == "ICON" or list(of[0][0]) != list(of[0][-1]))


def main():
    checks = runs.Checks()
    with runs.folder() as where:
        every = ["report.every=20.0"]
        deck = restarts.write_deck(where)
        few = runs.every(1, 2) > 1  # under a sanitizer
        every_step(checks, where, deck, "cpr", every + CPR, threads=(2, 1))
        if not few:
            every_step(checks, where, deck, "dilu", every + ["linear.preconditioner=dilu"])
            every_step(checks, where, deck, "rebuilt",
                       CPR + ["linear.cpr.rebuild=step", "linear.cpr.smoother=gauss-seidel"])
        text = DECK.replace("schedule = (", "schedule = (" + PROPERTIES).replace("end = 120.0", "end = 160.0")
        limits = restarts.write_deck(where, text, "limits")
        if not few:
            whole = every_step(checks, where, limits, "limits", every + CPR)
            checks.true("limits: a well is given up", controls(whole)["WMCTL:NOCROSS"][-1] == "SHUT", controls(whole))
        asked = text.replace("schedule =", FIELD).replace("rate = 60.0; bhp", "rate = 90.0; bhp")
        asked = asked.replace('{ name = "OIL";', '{ name = "OIL"; group = "A";').replace('{ name = "LIQUID";', '{ name = "LIQUID"; group = "B";')
        shared = restarts.write_deck(where, asked, "shared")
        vectors = ['output.vectors=["FVPR", "FOE", "ROIP", "COPR:BHP", "GOPT", "GWIT", "GMCTP"]']
        whole = every_step(checks, where, shared, "shared", every + CPR + vectors)
        groups = runs.read_csv(whole + ".summary.csv")
        checks.true("shared: groups' targets rule, too", 1 in groups["GMCTP:A"] and 4 in groups["GMCTP:A"], groups["GMCTP:A"])
        for v in ("GOPT:A", "GOPT:B"):  # a group that leaves takes nothing along
            checks.true("shared: %s does not fall" % v, min(b - a for a, b in zip(groups[v], groups[v][1:])) >= 0.0, groups[v])
        checks.true("shared: the field's targets rule wells", any("GRUP" in v for v in controls(whole).values()),
                    controls(whole))
        chain(checks, where, deck, CPR)
        if not few:
            crossflow(checks, where)
            late_start(checks, where)
            stuck(checks, where, deck)
            forecast(checks, where, deck)
            kept_in_memory(checks, where, deck)
            connections_anew(checks, where)
        interrupted(checks, where, deck, CPR)
        rows_of_csv(checks, where, deck)
        refusals(checks, where, deck)
        written_rows(checks, where, deck)
        mistakes(checks, where, deck)
    return checks.result()


if __name__ == "__main__":
    sys.exit(main())
