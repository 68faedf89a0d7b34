"""Reports of a run: the line on a terminal, colours, --quiet, --log, --json (docs/reference/terminal.md)."""
import json
import os
import re
import signal
import subprocess
import sys
import time

import runs
from cli_deck import CLOSED, DECK, sets, write
from test_cli import readable, start_long_run

SWITCHING = ["wells.P1.control=liquid-rate", "wells.P1.liquid_rate=20.0", "wells.P1.bhp=178.0", "wells.INJ.rate=15.0",
             "timestep.accuracy=0", 'schedule=({time=100.0; well="INJ"; status="shut";})']
CONTROLS = {"SHUT": "shut", "BHP": "bhp", "ORAT": "oil-rate", "LRAT": "liquid-rate", "RESV": "reservoir-rate",
            "WRAT": "water-rate", "RATE": "water-rate"}
ESCAPE = re.compile(r"\033\[[0-9;]*[mK]")
BLOCKS, PLAIN = "▁▂▃▄▅▆▇█", "_.-=+*#@"
VECTORS = "FOPR FWPR FOIR FWIR FOPT FWPT FOIT FWIT FPR FWCT".split()


# ---- events ------------------------------------------------------------------------------------

def documented():
    """Keys of each event in the table of docs/reference/terminal.md: those that are always there, and those that may be."""
    with open(os.path.join(runs.SOURCE, "docs", "reference", "terminal.md"), encoding="utf-8") as f:
        rows = re.findall(r"^\| `(\w+)` \|[^|]*\|(.*)\|$", f.read(), re.MULTILINE)
    always, maybe = {}, {}
    for name, keys in rows:
        first, _, rest = keys.partition(",")
        always[name] = set(re.findall(r"`(\w+)`", first)) | {"event", "seconds"}
        always[name] |= set(VECTORS) if "and vectors" in keys else set()
        maybe[name] = set(re.findall(r"`(\w+)`", rest))
    return always, maybe


def refuse(name):
    raise ValueError("no JSON: " + name)


def parse(checks, what, text):
    """Every line is one object with the documented keys, seconds never fall, and the end comes last."""
    always, maybe = documented()
    events = [json.loads(line, parse_constant=refuse) for line in text.splitlines()]
    for e in events:
        name = e["event"]
        if name not in always:
            checks.true("%s: the event '%s' is documented" % (what, name), False)
            continue
        keys = set(e)
        checks.true("%s: keys of '%s'" % (what, name), always[name] <= keys <= always[name] | maybe[name],
                    "missing %s, more %s" % (always[name] - keys, keys - always[name] - maybe[name]))
    seconds = [e["seconds"] for e in events]
    checks.true(what + ": seconds", seconds == sorted(seconds) and seconds[0] >= 0.0, seconds)
    checks.true(what + ": the end is the last", [e["event"] for e in events].index("end") == len(events) - 1)
    return events


def of(events, name):
    return [e for e in events if e["event"] == name]


def check_steps(checks, events, where, base):
    """Steps, reports and totals are those of the CSV files."""
    solver = runs.read_csv(os.path.join(where, base + ".solver.csv"))
    summary = runs.read_csv(os.path.join(where, base + ".summary.csv"))
    steps = of(events, "step")
    checks.true("an event a time step", [e["step"] for e in steps] == list(solver["step"]), len(steps))
    for key in ("newton", "linear", "cuts"):
        checks.true("%s of the steps" % key, [e[key] for e in steps] == list(solver[key]))
    for key, column in [("time", "TIME")] + [(v, v) for v in VECTORS]:
        wrong = [abs(e[key] - v) for e, v in zip(steps, summary[column]) if abs(e[key] - v) > 1e-8 * max(1.0, abs(v))]
        checks.true("%s of the steps" % key, not wrong, wrong[:3])
    reports = of(events, "report")
    expected = [(1, 50), (2, 100), (3, 150), (4, 200)]
    checks.true("reports", [(e["report"], e["time"]) for e in reports] == expected, reports)
    totals = of(events, "totals")[0]
    checks.true("totals", (totals["steps"], totals["newton"]) == (len(steps), sum(e["newton"] for e in steps)), totals)
    return summary


def check_controls(checks, events, summary):
    """A control event wherever the summary's WMCTL changes, and nowhere else."""
    expected = []
    asked = {"INJ": "water-rate", "P1": "liquid-rate"}
    times = summary["TIME"]
    for n in range(len(times)):
        for well in ("INJ", "P1"):
            now = CONTROLS[summary["WMCTL:" + well][n]]
            before = CONTROLS[summary["WMCTL:" + well][n - 1]] if n > 0 else asked[well]
            if now != before:
                expected.append((n + 1, well, before, now))
    seen = [(e["step"], e["well"], e["from"], e["to"]) for e in of(events, "control")]
    checks.true("control events", seen == expected and len(seen) >= 2, "%s, expected %s" % (seen, expected))
    shut = [e for e in of(events, "control") if e["to"] == "shut"]
    checks.true("asked for by the schedule", [e["asked"] for e in shut] == ["shut"], shut)
    limited = [e for e in of(events, "control") if e["to"] == "bhp"]
    checks.true("held by a limit", limited and all(e["asked"] == "liquid-rate" for e in limited), limited)


def check_json(checks, where):
    done = runs.hepta("run", "base.cfg", "-o", "json", "--json", *sets(SWITCHING), where=where)
    checks.true("--json", done.returncode == 0, done.stderr)
    events = parse(checks, "--json", done.stdout)
    checks.true("the start is the first", events[0]["event"] == "start" and events[0]["grid"] == [6, 5, 2], events[0])
    checks.true("units", events[0]["units"] == {"time": "day", "rate": "sm3/day", "volume": "sm3", "pressure": "bar"})
    checks.true("the tables on standard error", "Mass balance" in done.stderr and "Work:" in done.stderr)
    check_controls(checks, events, check_steps(checks, events, where, "json"))
    # in a file, with nothing on the terminal and the tables where they are always
    done = runs.hepta("run", "base.cfg", "-o", "json", "--json=events.json", "--progress", "never", "--monitor",
                      *sets(SWITCHING), where=where)
    with open(os.path.join(where, "events.json"), encoding="utf-8") as f:
        again = parse(checks, "--json=FILE", f.read())
    checks.true("--json=FILE: the tables on standard output", "Mass balance" in done.stdout and not done.stderr)
    counts = [e["newton"] for e in of(events, "step")]
    checks.true("the same steps again", counts == [e["newton"] for e in of(again, "step")])
    iterations = of(again, "newton")
    sums = [sum(e.get("linear", 0) for e in iterations if e["step"] == s["step"]) for s in of(again, "step")]
    checks.true("--monitor: iterations as events", len(iterations) == sum(counts) + len(counts), len(iterations))
    checks.true("--monitor: their linear iterations", sums == [e["linear"] for e in of(again, "step")], sums)
    # names that are no UTF-8, and what JSON escapes
    with open(os.path.join(where, "odd.cfg"), "wb") as f:
        f.write(DECK.encode() + b'title = "\xfcber\\\\ \\"quoted\\"\ttab \xc3\xa9";\n')
    done = subprocess.run([runs.PROGRAM, "run", "odd.cfg", "--json", "-q"], cwd=where, capture_output=True)
    title = parse(checks, "odd title", done.stdout.decode("utf-8"))[0]["title"]
    checks.true("a title that is no UTF-8", title == '\ufffdber\\ "quoted"\ttab \u00e9', repr(title))


def check_json_failures(checks, where):
    """Errors, cuts, warnings, an interrupt."""
    done = runs.hepta("run", "base.cfg", "-o", "bad", "--json", "--set", "grid.poroity=0.2", where=where)
    events = parse(checks, "a wrong deck", done.stdout)
    errors = of(events, "error")
    checks.true("a wrong deck: where", any("grid.porosity" in e["text"] for e in errors), errors)
    checks.true("a wrong deck: the end", (events[-1]["status"], events[-1]["exit_code"]) == ("refused", 2), events[-1])
    write(os.path.join(where, "wrong.cfg"), DECK.replace("dx = 20.0", "dx = -20.0"))
    done = runs.hepta("run", "wrong.cfg", "--json", where=where)
    errors = of(parse(checks, "a wrong value", done.stdout), "error")
    checks.true("a wrong value: file and line", errors[0]["file"] == "wrong.cfg" and errors[0]["line"] == 2, errors)
    done = runs.hepta("run", "base.cfg", "-o", "closed", "--json", *sets(CLOSED), where=where)
    events = parse(checks, "a run that fails", done.stdout)
    cuts = of(events, "cut")
    checks.true("a run that fails: its cuts", len(cuts) == 10 and all(e["next"] < e["dt"] for e in cuts), len(cuts))
    checks.true("a run that fails: error, totals, end", (len(of(events, "error")), of(events, "totals")[0]["cuts"],
                events[-1]["status"], events[-1]["exit_code"], done.returncode) == (1, 10, "failed", 1, 1), events[-3:])
    done = runs.hepta("run", runs.deck("FIVE_SPOT.DATA"), "-o", "note", "--json", "-q", where=where)
    notes = of(parse(checks, "a note", done.stdout), "warning")
    checks.true("a note: its file", notes and notes[0]["file"].endswith("FIVE_SPOT.DATA"), notes)
    checks.true("--quiet: no notes", done.returncode == 0 and done.stderr == "", done.stderr)
    process = start_long_run(where, "stopped", ["--json=stopped.json"])
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    with open(os.path.join(where, "stopped.json")) as f:
        events = parse(checks, "interrupted", f.read())
    checks.true("interrupted: the end", (events[-1]["status"], events[-1]["exit_code"]) == ("interrupted", 130))


def check_restart(checks, where):
    """A run that goes on from a report: where it begins, and a past that the bar does not know."""
    runs.hepta("run", "base.cfg", "-o", "again", "--set", "report.end=100.0", where=where)
    done = runs.hepta("run", "base.cfg", "--restart", "again", "-o", "on", "--json", "--log", "on.log", where=where)
    events = parse(checks, "a restart", done.stdout)
    start = events[0]
    checks.true("a restart: its begin", done.returncode == 0 and start["time"] == 100.0 and start["step"] > 0, start)
    checks.true("a restart: goes on", of(events, "step")[0]["step"] == start["step"] + 1)
    with open(os.path.join(where, "on.log")) as f:
        log = f.read()
    checks.true("a restart: in the log", "restart  step %d at 100 day" % start["step"] in log, log)
    checks.true("a restart: no control has changed", of(events, "control") == [], of(events, "control"))
    code, text = runs.on_terminal(["run", "base.cfg", "--restart", "again", "-o", "on"], where, 160)
    line = last_bar(text)
    bar = line[1:line.index("]")]
    checks.true("a restart: half of the bar is not known", code == 0 and bar.count("░") == len(bar) // 2
                and bar.startswith("░" * (len(bar) // 2)), line)


def check_as_it_goes(checks, where):
    """Events and log can be read while the run goes on, in whole lines."""
    process = start_long_run(where, "live", ["--json=live.json", "--log", "live.log"])
    counts = []
    for _ in range(3):
        limit = time.time() + 30.0
        while time.time() < limit:
            with open(os.path.join(where, "live.json")) as f:
                lines = f.read().splitlines(keepends=True)
            if len(lines) > (counts[-1] if counts else 0) + 5:
                break
            time.sleep(0.02)
        counts.append(len(lines))
        checks.true("read along: whole objects", all(json.loads(line) for line in lines if line.endswith("\n")))
    with open(os.path.join(where, "live.log")) as f:
        log = f.read()
    checks.true("read along: more and more", counts[0] < counts[1] < counts[2], counts)
    checks.true("read along: still running", process.poll() is None)
    checks.true("read along: the log", log.count("  newton ") > 5, log[-300:])
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=60)


def check_reader_gone(checks, where):
    """Who reads events, tables or progress through a pipe and goes away: a quiet end, with whole files."""
    long = ["base.cfg", "-q", "--threads", "1"] + sets(["timestep.initial=0.01", "timestep.max=0.01",
                                                        "report.end=100000.0"])
    process = subprocess.Popen([runs.PROGRAM, "run", *long, "-o", "head", "--json"], cwd=where, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, universal_newlines=True)
    lines = [json.loads(process.stdout.readline())["event"] for _ in range(5)]
    process.stdout.close()
    error = process.stderr.read()
    checks.true("a reader who goes: 130", (lines[0], process.wait(timeout=60)) == ("start", 130), process.returncode)
    checks.true("a reader who goes: why, and how to go on", error.count("\n") == 2 and "\nTo go on: " in error and
                "the reader of its output has gone" in error, error)
    checks.true("a reader who goes: steps were made", readable(checks, "a reader who goes", where + "/head") > 0.0)
    process = subprocess.Popen([runs.PROGRAM, "run", *long[:1], *long[2:], "-o", "head", "--monitor"], cwd=where,
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, universal_newlines=True)
    process.stderr.readline()
    process.stderr.close()
    checks.true("a reader of progress who goes: 130", process.wait(timeout=60) == 130, process.returncode)
    readable(checks, "a reader of progress who goes", where + "/head")
    process = subprocess.Popen([runs.PROGRAM, "run", "base.cfg", "-o", "head"], cwd=where, stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL)
    process.stdout.close()
    checks.true("tables for nobody: 0", process.wait(timeout=60) == 0, process.returncode)


# ---- quiet and log ----------------------------------------------------------------------------------

def without_times(text):
    """Lines of a log without what differs from run to run."""
    text = re.sub(r"^hepta \d+\.\d+.*\n", "", text)
    text = text[:text.index("Multigrid") if "Multigrid" in text else text.index("\nWhere the time went")]
    return re.sub(r"results .*|\d+(\.\d+)? (MB|kB)", "", text)


def check_quiet(checks, where):
    for option in ("-q", "--quiet"):
        done = runs.hepta("run", "base.cfg", "-o", "quiet", option, where=where)
        checks.true(option + ": nothing", (done.returncode, done.stdout, done.stderr) == (0, "", ""), done.stderr)
    done = runs.hepta("run", "base.cfg", "-o", "quiet", "-q", *sets(CLOSED), where=where)
    lines = done.stderr.splitlines()
    checks.true("--quiet: the error and how to go on", done.returncode == 1 and done.stdout == "" and len(lines) == 2
                and lines[0].startswith("hepta: stopped at time"), done.stderr)
    done = runs.hepta("run", "base.cfg", "-q", "--set", "grid.poroity=0.2", where=where)
    checks.true("--quiet: what is wrong with a deck", "grid.poroity" in done.stderr and done.stdout == "", done.stderr)
    for option in ("--monitor", "--profile", "--check-jacobian"):
        done = runs.hepta("run", "base.cfg", "-q", option, where=where)
        reported = done.returncode == 2 and "--log FILE" in done.stderr
        checks.true("--quiet %s: nowhere to go" % option, reported, done.stderr)


def check_log(checks, where):
    logs = []
    for n, options in enumerate((["-q"], ["--progress", "never"], [], ["--progress", "always"])):
        name = "log%d.txt" % n
        done = runs.hepta("run", "base.cfg", "-o", "log", "--log", name, *options, *sets(SWITCHING), where=where)
        checks.true("--log", done.returncode == 0, done.stderr)
        with open(os.path.join(where, name)) as f:
            logs.append(f.read())
    checks.true("the log is the same whatever the terminal shows",
                all(without_times(log) == without_times(logs[0]) for log in logs[1:]))
    log = logs[0]
    steps = len(runs.read_csv(os.path.join(where, "log.solver.csv"))["step"])
    checks.true("a line a step", len(re.findall(r"^  \S+ day  step \d+  dt ", log, re.MULTILINE)) == steps, log)
    for words in ("hepta run base.cfg", "grid     6 x 5 x 2", "P1 now on bhp (was liquid-rate)",
                  "INJ now shut (was rate)",
                  "report 4 of 4 at 200 day", "oil rate", "Mass balance, sm3", "Where the time went", "cut 0."):
        checks.true("the log has: " + words, words in log, log)
    checks.true("no escapes in the log", "\033" not in log and "\r" not in log)
    runs.hepta("run", "base.cfg", "-o", "log", "--log", "m.txt", "-q", "--monitor", "--check-jacobian", "--profile",
               "--dump-matrix", "1", where=where)
    with open(os.path.join(where, "m.txt")) as f:
        log = f.read()
    for words in ("CNV oil", "|r|/|b|", "us per call", "wrote the first system of step 1", "difference"):
        checks.true("the log has: " + words, words in log, log[:3000])
    runs.hepta("run", "base.cfg", "-o", "log", "--log", "fails.txt", "-q", *sets(CLOSED), where=where)
    with open(os.path.join(where, "fails.txt")) as f:
        log = f.read()
    checks.true("the log has cuts and the error", "cut to" in log and "hepta: stopped at time" in log, log[-400:])
    for option in ("--log", "--json"):
        done = runs.hepta("run", "base.cfg", "-o", "log", option + "=base.cfg/x", where=where)
        checks.true(option + " that cannot be made", done.returncode == 2 and "base.cfg/x" in done.stderr, done.stderr)
        done = runs.hepta("run", "base.cfg", "-o", "log", option + "=/dev/full", where=where)
        checks.true(option + ": a full disk", done.returncode == 1 and "/dev/full" in done.stderr, done.stderr)
        done = runs.hepta("run", "base.cfg", option + "=", where=where)
        checks.true(option + "= without a name", done.returncode == 2 and "name of a file" in done.stderr, done.stderr)


def lines_of(text, well):
    """Reports about a well: [(days, what)]."""
    return [(float(day), what) for day, what in re.findall(r"^  (\S+) day  %s (.*)$" % well, text, re.MULTILINE)]


def check_wells(checks, where):
    """Wells on another control, on standard error, in the log and as events."""
    done = runs.hepta("run", "base.cfg", "-o", "wells", "--json=wells.json", "--log", "wells.txt",
                      *sets(SWITCHING), where=where)
    with open(os.path.join(where, "wells.txt")) as f:
        log = f.read()
    with open(os.path.join(where, "wells.json")) as f:
        events = [json.loads(line) for line in f]
    when = [e["time"] for e in of(events, "control") if e["well"] == "P1"]
    reported = lines_of(done.stderr, "P1")
    checks.true("the switch is shown", reported == [(when[0], "now on bhp (was liquid-rate)")] and len(when) == 1, reported)
    scheduled = [x for _, x in lines_of(log, "INJ")]
    checks.true("what the schedule asks for is in the log only",
                not lines_of(done.stderr, "INJ") and scheduled == ["now shut (was rate)"], log)

    # a limit that goes up and down: six lines, all in the log
    flips = ", ".join('{time=%d.0; well="P1"; bhp=%s;}' % (10 * n, ("178.0", "100.0")[n % 2]) for n in range(1, 20))
    done = runs.hepta("run", "base.cfg", "-o", "wells", "--json=wells.json", "--log", "wells.txt",
                      *sets(SWITCHING[:2] + ["timestep.accuracy=0", "wells.P1.bhp=100.0", "wells.INJ.rate=15.0",
                                             "schedule=(%s)" % flips]),
                      where=where)
    with open(os.path.join(where, "wells.txt")) as f:
        log = lines_of(f.read(), "P1")
    with open(os.path.join(where, "wells.json")) as f:
        switches = of([json.loads(line) for line in f], "control")
    reported = lines_of(done.stderr, "P1")
    checks.true("many switches", len(switches) > 8 and len(log) == len(switches), (len(log), len(switches)))
    more = "(more about this well in --log and --json)"
    checks.true("six lines of them", len(reported) == 6 and [more in x for _, x in reported] == 5 * [False] + [True], reported)

    # a producer whose limit is above the pressure around it, until the schedule takes it down
    done = runs.hepta("run", "base.cfg", "-o", "wells", "--json=wells.json",
                      *sets(["timestep.accuracy=0", "wells.P1.bhp=400.0", 'schedule=({time=50.0; well="P1"; bhp=150.0;})']), where=where)
    reported = lines_of(done.stderr, "P1")
    with open(os.path.join(where, "wells.json")) as f:
        names = [e["event"] for e in map(json.loads, f) if e["event"] in ("still", "flows")]
    checks.true("it stands still, and flows again",
                [x for _, x in reported] == ["stands still: at its bhp of 400 bar nothing flows into it; it waits until something does "
                                             "(OPM Flow shuts such a well until its next control)", "flows again"] and
                50.0 < reported[-1][0] and names == ["still", "flows"], (reported, names, done.stderr))


# ---- terminal ------------------------------------------------------------------------------------------

def colours(text):
    return re.findall(r"\033\[[0-9;]*m", text)


def last_bar(text):
    """The letters of the last drawing of the line, as they are seen."""
    drawn = [ESCAPE.sub("", part.split("\r\n")[0]) for part in text.split("\r\033[K")]
    return [part for part in drawn if "%" in part][-1]


def check_colours(checks, where):
    run = ["run", "base.cfg", "-o", "tty"]
    code, text = runs.on_terminal(run, where, 160)
    checks.true("a terminal: colours", code == 0 and len(colours(text)) >= 6, repr(text[-400:]))
    for what, environment in (("NO_COLOR=1", {"NO_COLOR": "1"}), ("NO_COLOR=0", {"NO_COLOR": "0"})):
        code, text = runs.on_terminal(run, where, 160, **environment)
        checks.true(what + ": no colours", code == 0 and not colours(text), colours(text)[:3])
        checks.true(what + ": a bar", "\r\033[K[" in text, repr(text[-200:]))
    code, text = runs.on_terminal(run, where, 160, NO_COLOR="")
    checks.true("NO_COLOR set to nothing counts as not set", colours(text) != [])
    code, text = runs.on_terminal(run, where, 160, TERM="dumb")
    checks.true("TERM=dumb: plain lines", code == 0 and "\033" not in text and "200 day  oil" in text, repr(text))
    code, text = runs.on_terminal(run + ["-q"], where, 160)
    checks.true("--quiet on a terminal: silence", (code, text) == (0, ""), text)
    code, text = runs.on_terminal(run + ["-q"] + sets(CLOSED), where, 160)
    checks.true("an error on a terminal is coloured", code == 1 and "\033[31mhepta:\033[0m stopped" in text, repr(text))
    code, text = runs.on_terminal(run + ["-q"] + sets(CLOSED), where, 160, NO_COLOR="1")
    checks.true("NO_COLOR: an error is not", code == 1 and not colours(text) and "hepta: stopped" in text, repr(text))
    code, text = runs.on_terminal(run + sets(CLOSED), where, 160)
    cuts = text.count("\033[33m  time 0 day: step of")
    checks.true("cuts stay above the bar, coloured", cuts == 10, repr(text[:600]))
    done = runs.hepta(*run, "--progress", "always", where=where)
    checks.true("--progress always without a terminal: a bar, no colours", "\033[K[" in done.stderr
                and not colours(done.stderr), done.stderr[-200:])
    done = runs.hepta(*run, where=where)
    checks.true("without a terminal: no escapes", "\033" not in done.stderr and "\r" not in done.stderr)


def check_spark(checks, where):
    """The last line: the height of each letter is the water cut of the summary at that share of the time."""
    deck = runs.deck("quarter_five_spot")
    options = ["-o", "spark", "--threads", "1"] + sets(["grid.size=[12, 12, 1]", "wells.PROD.i=12", "wells.PROD.j=12",
                                                        "report.end=150.0"])
    for letters, locale in ((BLOCKS, "C.UTF-8"), (PLAIN, "C")):
        code, text = runs.on_terminal(["run", deck] + options, where, 200, LC_ALL=locale)
        line = last_bar(text)
        bar = line[1:line.index("]")]
        what = "locale " + locale
        checks.true(what + ": a full bar of its letters", len(bar) == 32 and set(bar) <= set(letters), line)
        summary = runs.read_csv(os.path.join(where, "spark.summary.csv"))
        times, cut, end = summary["TIME"], summary["FWCT"], summary["TIME"][-1]
        for n, letter in enumerate(bar):
            mark = ((n + 1) * 96 // 32) / 96 * end
            step = next(m for m in range(len(times)) if times[m] >= mark * (1.0 - 1e-12))
            expected = letters[min(7, int(8.0 * cut[step]))]
            checks.true("%s: letter %d" % (what, n), letter == expected, "%s, expected %s" % (letter, expected))
        checks.true(what + ": the flood is in it", bar[0] == letters[0] and letters.index(bar[-1]) >= 5, bar)
        for words in ("100%", "150 of 150 day", "left 0 s", "cut %.2f" % cut[-1], "oil %.4g" % summary["FOPR"][-1],
                      "water %.4g" % summary["FWPR"][-1], "newton ", "linear ", "step "):
            checks.true(what + ": " + words, words in line, line)
    for width in (160, 80, 60, 12, 100, 40, 20)[:7 // runs.every(1, 2)]:
        code, text = runs.on_terminal(["run", deck] + options, where, width)
        drawn = [ESCAPE.sub("", part.split("\r\n")[0]) for part in text.split("\r\033[K")[1:]]
        what = "a terminal of %d columns" % width
        checks.true(what + ": in one line", code == 0 and all(len(part) < width for part in drawn), drawn)
        checks.true(what + ": how far", "100%" in last_bar(text), drawn[-2:])
        if width >= 80:
            for words in ("[", "150 of 150 day", "oil ", "water ", "cut "):
                checks.true(what + ": " + words, words in last_bar(text), last_bar(text))


def main():
    checks = runs.Checks()
    with runs.folder() as where:
        write(os.path.join(where, "base.cfg"), DECK)
        write(os.path.join(where, "fluids.inc"), runs.FLUIDS)
        for part in (check_json, check_json_failures, check_restart, check_as_it_goes,
                     check_reader_gone, check_quiet, check_log, check_wells,
                     check_colours, check_spark):
            part(checks, where)
    return checks.result()


if __name__ == "__main__":
    sys.exit(main())
