"""The command line as a user meets it: help, mistakes, exit codes, what a run that
ends early leaves behind, the same bits twice, and the bar on a terminal."""
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time

import runs
from cli_deck import CLOSED, DECK, sets, write

FILES = ["base.grid.h5", "base.h5", "base.solver.csv", "base.steps", "base.summary.csv", "base.view.py",
         "base.wells.vtp", "base.xdmf2"]


def check_help(checks, where):
    for arguments, words in (([], "usage: hepta COMMAND"), (["run"], "usage: hepta run"),
                             (["check"], "usage: hepta check"), (["info"], "usage: hepta info"),
                             (["import"], "usage: hepta import"), (["export"], "usage: hepta export")):
        for option in ("--help", "-h"):
            done = runs.hepta(*arguments, option, where=where)
            what = " ".join(arguments + [option])
            checks.true(what + ": on stdout, 0", done.returncode == 0 and words in done.stdout and not done.stderr)
            checks.true(what + ": within 90 columns", all(len(line) <= 90 for line in done.stdout.splitlines()))
    done = runs.hepta("run", "--help")
    options = re.findall(r"--[a-z-]+", done.stdout)
    for option in ("--output", "--set", "--threads", "--backend", "--monitor", "--profile", "--check-jacobian",
                   "--dump-matrix", "--progress", "--quiet", "--log", "--json"):
        checks.true("help names " + option, option in options)
    done = runs.hepta("--version")
    version = r"hepta \d+\.\d+\.\d+\ncommit \S+\n\w+ \d+\.\S+.*\nHDF5 \d+\.\d+\.\d+\nlibconfig \d+\.\d+\.\d+\nCUDA (none|\d+\.\d+)\n$"
    checks.true("--version", done.returncode == 0 and re.match(version, done.stdout) is not None, done.stdout)


def check_usage(checks, where):
    """Mistakes: exit code 2, a word about it and where to read on, on stderr alone; no files."""
    mistakes = [
        ([], "usage"), (["walk"], "no command 'walk'"), (["runn"], "did you mean 'run'?"),
        (["some.cfg"], "to run the deck: hepta run some.cfg"), (["A.DATA"], "hepta run A.DATA"), (["run"], "which deck?"), (["check"], "which deck?"),
        (["import"], "which deck?"), (["import", "A.DATA", "B.DATA"], "one deck"),
        (["import", "A.DATA", "-o"], "-o needs"), (["import", "base.cfg"], "an Eclipse deck is named *.DATA"),
        (["import", "base"], "an Eclipse deck is named *.DATA"),
        (["export"], "which deck?"), (["export", "base.cfg", "-o", "A.cfg"], "-o A.cfg: an Eclipse deck is named *.DATA"),
        (["export", "base.cfg", "-u", "si"], "--units si: must be metric, field or lab"),
        (["import", "A.DATA", "-x"], "no option '-x'"),
        (["info"], "which result file?"), (["run", "base.cfg", "more.cfg"], "'more.cfg'"),
        (["check", "base.cfg", "more.cfg"], "one deck"), (["info", "a", "b"], "one result"),
        (["run", "base.cfg", "-o"], "-o needs a value"), (["run", "base.cfg", "-o", ""], "-o needs a name"),
        (["run", "base.cfg", "--set", "linear"], "expected KEY=VALUE"), (["run", "base.cfg", "--set"], "needs a value"),
        (["check", "base.cfg", "--set", "linear"], "expected KEY=VALUE"),
        (["run", "base.cfg", "--threads", "0"], "'0'"), (["run", "base.cfg", "--threads", "-3"], "'-3'"),
        (["run", "base.cfg", "--threads", "2x"], "'2x'"), (["run", "base.cfg", "--threads", "100000"], "'100000'"),
        (["run", "base.cfg", "--progress", "maybe"], "'maybe'"),
        (["run", "base.cfg", "--backend", "abacus"], "'abacus'"),
        (["run", "base.cfg", "--gpus", "2"], "--gpus is for --backend cuda"),
        (["check", "base.cfg", "--gpus", "all"], "--gpus is for --backend cuda"),
        (["run", "base.cfg", "--backend", "cuda", "--gpus", "0"], "1 to 8"),
        (["run", "base.cfg", "--backend", "cuda", "--gpus", "9"], "'9'"),
        (["check", "base.cfg", "--backend", "cuda", "--gpus", "0,x"], "'0,x'"),
        (["check", "base.cfg", "--ranks", "0"], "'0'"), (["check", "base.cfg", "--ranks", "two"], "'two'"),
        (["run", "base.cfg", "--dump-matrix", "0"], "'0'"), (["run", "base.cfg", "--monitor=3"], "takes no value"),
        (["run", "base.cfg", "--faster"], "no option '--faster'"), (["run", "base.cfg", "-x"], "no option '-x'"),
        (["check", "base.cfg", "--monitor"], "no option '--monitor'"),
        (["check", "base.cfg", "--threads", "0"], "'0'"), (["info", "-x"], "no option '-x'"),
        (["run", "base.cfg", "-o", "base.cfg/x"], "cannot make the folder 'base.cfg': a file of that name is there"),
        (["run", "base.cfg", "-o", "base.cfg/x/y/z"], "cannot make the folder 'base.cfg'"),
        (["import", runs.deck("FIVE_SPOT.DATA"), "-o", "base.cfg/x"], "cannot make the folder 'base.cfg'"),
        (["compare", "base.cfg", "--set-of", "solvers", "-o", "base.cfg/x"], "cannot make the folder 'base.cfg'"),
        (["run", "base.cfg", "-o", "x" * 2000], "longer than"),
    ]
    for arguments, words in mistakes[::runs.every(1, 7)]:
        done = runs.hepta(*arguments, where=where)
        what = "hepta " + " ".join(arguments)[:60]
        checks.true(what, done.returncode == 2, "ended with %d" % done.returncode)
        checks.true(what, words in done.stderr, "says: " + done.stderr)
        checks.true(what + ": nothing on stdout", done.stdout == "")
        if arguments:
            hint = re.search(r"Try 'hepta( \w+)? --help'", done.stderr)
            checks.true(what + ": says where to read on", hint, done.stderr)
    checks.true("mistakes leave no files", sorted(os.listdir(where)) == ["base.cfg", "fluids.inc"], os.listdir(where))


def check_run(checks, where):
    """A deck in another folder with an include, results in a third one; what goes where."""
    results = os.path.join(where, "results")
    os.mkdir(results)
    before = sorted(os.listdir(where))
    done = runs.hepta("run", "../base.cfg", "-o", "elsewhere/x", "-o", "./", where=results)
    checks.true("run", done.returncode == 0, done.stderr)
    checks.true("the last -o counts; a folder takes the deck's name", sorted(os.listdir(results)) == FILES,
                os.listdir(results))
    checks.true("nothing is left beside the deck", sorted(os.listdir(where)) == before)
    for words in ("oil rate", "inj. total", "pressure", "Mass balance, sm3", "Work:", "Wasted:", "Where the time went",
                  "linear setup", "linear solve", "To see it: paraview --script=./base.view.py"):
        checks.true("the report says " + words, words in done.stdout, done.stdout)
    rows = [line.split() for line in done.stdout.splitlines()]
    times = [float(r[0]) for r in rows[3:7]]
    checks.true("a row for each report time", times == [50.0, 100.0, 150.0, 200.0], times)
    plain = "200 day" in done.stderr and "\033" not in done.stderr
    checks.true("progress without a terminal: lines, no escapes", plain, done.stderr)
    checks.true("nothing but the tables on stdout", done.stdout.startswith("\n        time"), done.stdout[:80])
    quiet = runs.hepta("run", "base.cfg", "-o", "quiet", "--progress", "never", where=where)
    checks.true("--progress never: silence", quiet.returncode == 0 and quiet.stderr == "", quiet.stderr)
    always = runs.hepta("run", "base.cfg", "-o", "always", "--progress", "always", where=where)
    checks.true("--progress always: a bar", "\033[K[" in always.stderr and "100%" in always.stderr, always.stderr)
    checks.true("the bar is taken away", always.stderr.endswith("\033[K"), repr(always.stderr[-80:]))
    bars = [line for line in always.stderr.splitlines() if "%" in line]
    checks.true("the bar is shorter than 80 letters", all(len(line.replace("\033[K", "")) < 80 for line in bars), bars)
    flood = ("run", runs.deck("quarter_five_spot"), "--set")
    runs.hepta(*flood, "report.end=100", "-q", "-o", "flood", where=where)
    longer = runs.hepta(*flood, "report.end=110", "-o", "longer", "--restart", "flood", "--profile", where=where)
    other = re.search(r"^  other +(-?[0-9.]+) +(-?[0-9.]+)%", longer.stdout, re.M)
    checks.true("a run that goes on counts no second twice", other is not None and float(other[2]) > -0.5, longer.stdout + longer.stderr)
    info = runs.hepta("info", "results/base.h5", where=where)
    checks.true("info", info.returncode == 0 and "60 cells, 60 active" in info.stdout and "P1" in info.stdout and
                info.stdout.count("a run can go on from it") == 2,
                info.stdout + info.stderr)
    with open(os.path.join(where, "results", "base.h5"), "rb") as whole, \
            open(os.path.join(where, "cut.h5"), "wb") as cut:
        cut.write(whole.read()[:3000])
    shutil.copy(os.path.join(where, "results", "base.grid.h5"), os.path.join(where, "alone.grid.h5"))
    for name in ("cut.h5", "base.cfg", "alone.grid.h5"):  # the last without the result that it belongs to
        for command in ("info", "paraview"):
            done = runs.hepta(command, name, where=where)
            checks.true("%s of %s" % (command, name),
                        done.returncode == 2 and name in done.stderr and not done.stdout, done.stderr)
    with open("/dev/full", "w") as full:
        done = subprocess.run([runs.PROGRAM, "info", "results/base.h5"], cwd=where, stdout=full, stderr=subprocess.PIPE)
    checks.true("info on a full disk", done.returncode == 1, done.stderr)
    dump = runs.hepta("run", "base.cfg", "-o", "dump", "--dump-matrix", "1", "--check-jacobian", "--monitor",
                      "--profile", where=where)
    checks.true("looking glasses", dump.returncode == 0 and os.path.exists(os.path.join(where, "dump.step1.mtx")))
    checks.true("--profile", "us per call" in dump.stdout and "barriers of the team" in dump.stdout)
    start = re.search(r"\n  reading and initialisation +2 +([0-9.]+) .*\n((?:    .*\n)+)", dump.stdout)
    parts = dict(re.findall(r"    (\D+?) +([0-9.]+)\n", start.group(2))) if start else {}
    checks.true("what the start is made of", set(parts) == {"reading the deck", "grid and rock", "wells and initial state",
                "memory, copies, first balance", "result files"}, dump.stdout)
    checks.true("its parts add up to it, or to little less", start and
                -0.003 < float(start.group(1)) - sum(map(float, parts.values())) < 0.2, dump.stdout)
    checks.true("--monitor", "CNV oil" in dump.stderr and "|r|/|b|" in dump.stderr)
    runs.hepta("run", "base.cfg", "-o", "dump", "--log", "it's.log", "--set", "wells.P1.k=[1, 2]", where=where)
    with open(os.path.join(where, "it's.log")) as f:
        checks.true("a log begins with what a shell reads", "--log 'it'\\''s.log' --set 'wells.P1.k=[1, 2]'" in f.read())
    late = runs.hepta("run", "base.cfg", "-o", "dump", "--dump-matrix", "9999", where=where)
    checks.true("--dump-matrix beyond the end says so", "--dump-matrix 9999" in late.stderr, late.stderr)


def same_bits(checks, where):
    bases = [os.path.join(where, "one"), os.path.join(where, "two")]
    for base in bases:
        done = runs.hepta("run", "base.cfg", "-o", base, "--set", "output.double=true", where=where)
        checks.true("run", done.returncode == 0, done.stderr)
    one, two = [open(base + ".summary.csv").read() for base in bases]
    checks.true("the same summary twice", one == two)
    one, two = [runs.read_csv(base + ".solver.csv", keep_units=True) for base in bases]
    for column in one:
        if not column.endswith("[s]"):
            checks.true("the same %s twice" % column, list(one[column]) == list(two[column]))
    one, two = [runs.datasets(base + ".h5") for base in bases]
    checks.true("the same fields twice", one == two and len(one) == 5 * 3, len(one))


def readable(checks, what, base):
    """The files of a run that ended early belong together; returns the time of the last fields and rows."""
    info = runs.hepta("info", base + ".h5")
    checks.true(what + ": info reads it", info.returncode == 0, info.stderr)
    r = runs.Result(base, "", "")
    last = r.summary["TIME"][-1] if len(r.summary["TIME"]) else 0.0
    checks.true(what + ": the last fields are those of the last row", abs(r.times[-1] - last) <= 1e-6 * max(last, 1.0),
                "%g, %g" % (r.times[-1], last))
    checks.true(what + ": pressures are finite", runs.numpy.isfinite(r.field("pressure")).all())
    checks.true(what + ": one solver row a summary row", len(r.solver["step"]) == len(r.summary["TIME"]))
    with open(base + ".xdmf2") as f:
        checks.true(what + ": the xdmf2 names the same steps", f.read().count("<Time ") == len(r.times))
    return last


def check_failure(checks, where):
    """A run that cannot go on: 1, a reason, advice, and all that was computed."""
    done = runs.hepta("run", "base.cfg", "-o", "closed", *sets(CLOSED), where=where)
    checks.true("a closed box: exit code 1", done.returncode == 1, done.returncode)
    checks.true("a closed box: says what to do", "incompressible" in done.stderr and "compressibility" in done.stderr,
                done.stderr)
    checks.true("a closed box: the tables come all the same", "Wasted: 10 cuts" in done.stdout, done.stdout)
    readable(checks, "a closed box", os.path.join(where, "closed"))
    # one good day, then the box is closed and filled
    done = runs.hepta("run", "base.cfg", "-o", "later", *sets(CLOSED), "--set", "wells.P1.status=open", "--set",
                      "schedule=({time=60.0; well=\"P1\"; status=\"shut\";})", where=where)
    checks.true("a box closed later: exit code 1", done.returncode == 1, done.returncode)
    last = readable(checks, "a box closed later", os.path.join(where, "later"))
    checks.near("a box closed later: stops there", last, 60.0, 1e-6)
    rows = [line.split() for line in done.stdout.splitlines()[3:5]]
    checks.true("a box closed later: rows up to the stop", [float(r[0]) for r in rows] == [50.0, 60.0], rows)


def start_long_run(where, name, more=()):
    command = [runs.PROGRAM, "run", "base.cfg", "-o", name, "--threads", "1", "--set", "timestep.initial=0.01", "--set",
               "timestep.max=0.01", "--set", "report.end=100000.0", *more]
    process = subprocess.Popen(command, cwd=where, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               universal_newlines=True)
    limit = time.time() + 30.0
    table = os.path.join(where, name + ".summary.csv")
    while time.time() < limit and not (os.path.exists(table) and os.path.getsize(table) > 4000):
        time.sleep(0.01)
    return process


def check_advice(checks, where):
    """The command advised when a run stops makes it go on."""
    full = ["initial.contact_depth=1700.0", "saturation.sor=0.0"]  # of water: no oil in any cell
    rigid = full + ["fluids.water.compressibility=0.0", "rock.compressibility=0.0", "wells.INJ.bhp=1e15",
                    "wells.P1.status=shut"]
    done = runs.hepta("run", "base.cfg", "-o", "advice", "-q", *sets(rigid), where=where)
    checks.true("compressible oil, but none there: what to do", done.returncode == 1 and
                "of the phase that is not, there is nothing in them" in done.stderr and
                "rock.compressibility = 1e-5" in done.stderr, done.stderr)
    done = runs.hepta("run", "base.cfg", "-o", "advice", "-q", *sets(rigid), "--set", "rock.compressibility=1e-5",
                      where=where)
    checks.true("compressible oil, but none there: that is the cure", done.returncode == 0, done.stderr)
    done = runs.hepta("run", "base.cfg", "-o", "advice", "-q", *sets(full), "--set", "linear.preconditioner=jacobi",
                      where=where)
    checks.true("a singular block: another preconditioner", done.returncode == 1 and "singular block" in done.stderr and
                "Try linear.preconditioner = dilu, cpr or block-jacobi" in done.stderr and
                "--monitor" not in done.stderr, done.stderr)
    for preconditioner in ("dilu", "cpr", "block-jacobi"):
        done = runs.hepta("run", "base.cfg", "-o", "advice", "-q", *sets(full), "--set",
                          "linear.preconditioner=" + preconditioner, where=where)
        checks.true("a singular block: %s is a cure" % preconditioner, done.returncode == 0, done.stderr)


def check_interrupt(checks, where):
    process = start_long_run(where, "stopped")
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    checks.true("interrupted: 130", process.returncode == 130, process.returncode)
    checks.true("interrupted: says when", "interrupted at time" in err, err[-300:])
    checks.true("interrupted: the tables", "Mass balance" in out and "To see it" in out)
    last = readable(checks, "interrupted", os.path.join(where, "stopped"))
    checks.true("interrupted: after some steps", last > 0.0, last)
    # a terminal that closes: any number of times, with whole files; not under nohup
    process = start_long_run(where, "hung")
    process.send_signal(signal.SIGHUP)
    process.send_signal(signal.SIGHUP)
    _, err = process.communicate(timeout=60)
    checks.true("SIGHUP: 130", process.returncode == 130, process.returncode)
    checks.true("SIGHUP: says when", "interrupted at time" in err, err[-300:])
    checks.true("SIGHUP: after some steps", readable(checks, "SIGHUP", os.path.join(where, "hung")) > 0.0)
    ignored = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    process = start_long_run(where, "nohup")
    signal.signal(signal.SIGHUP, ignored)
    process.send_signal(signal.SIGHUP)
    time.sleep(0.2)
    checks.true("SIGHUP under nohup: goes on", process.poll() is None, process.returncode)
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=60)
    checks.true("SIGHUP under nohup: then SIGTERM is the first", process.returncode == 130 and
                readable(checks, "nohup", os.path.join(where, "nohup")) > 0.0, process.returncode)
    # twice: whatever the moment, it ends at once, and what was reported stays readable
    process = start_long_run(where, "killed")
    process.send_signal(signal.SIGINT)
    process.send_signal(signal.SIGTERM)
    _, err = process.communicate(timeout=60)
    checks.true("interrupted twice: 130", process.returncode == 130, process.returncode)
    info = runs.hepta("info", os.path.join(where, "killed.h5"))
    checks.true("interrupted twice: readable", info.returncode == 0, info.stderr)
    again = re.search("To go on from the last report step in the files: (.*)\n", err)
    checks.true("interrupted twice: says how to go on", again is not None, err)
    process = subprocess.Popen(shlex.split(again.group(1)), cwd=where, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               universal_newlines=True)
    line = ""
    while "rates" not in line and process.poll() is None:
        line = process.stderr.readline()
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    checks.true("interrupted twice: goes on", process.returncode == 130 and "--restart killed" in err, err)


def check_folders(checks, where):
    """Folders of all outputs are made; what cannot be made is reported with its reason, before anything runs."""
    cases = [(["run", "base.cfg", "-o", "a/b/"], "a/b/base.h5"), (["run", "base.cfg", "-o", "a/b/c"], "a/b/c.h5"),
             (["run", "base.cfg", "-q", "--log", "d/e/run.log"], "d/e/run.log"),
             (["run", "base.cfg", "-q", "--json=f/g/run.json"], "f/g/run.json"),
             (["run", "base.cfg", "-q", "--dump-systems", "h/i/s:1"], "h/i/s.step0001.newton01.h5"),
             (["import", runs.deck("FIVE_SPOT.DATA"), "-o", "k/l/m.cfg"], "k/l/m.arrays.h5"),
             (["compare", "base.cfg", "--case", "a:", "--case", "b: linear.method=gmres", "-o", "n/o/p"],
              "n/o/p/compare.html"),
             (["paraview", "a/b/c.h5", "-o", "q/r/s.py"], "q/r/s.py"),
             (["bench", "krylov", "--size", "6", "--iterations", "4", "--samples", "1", "--csv", "t/u/k.csv"], "t/u/k.csv")]
    for arguments, made in cases:
        done = runs.hepta(*arguments, where=where)
        checks.true("makes the folders: " + " ".join(arguments), done.returncode == 0 and
                    os.path.exists(os.path.join(where, made)), done.stderr)
    for arguments in (["run", "base.cfg", "-o", "~/x"], ["run", "base.cfg", "-o", "~me/"], ["run", "base.cfg", "-o", "~"],
                      ["run", "base.cfg", "-q", "--log", "~/run.log"], ["import", runs.deck("FIVE_SPOT.DATA"), "-o", "~/m.cfg"],
                      ["compare", "base.cfg", "--case", "a:", "--case", "b: linear.method=gmres", "-o", "~"]):
        done = runs.hepta(*arguments, where=where)
        checks.true("no home folder: " + " ".join(arguments), done.returncode == 2 and not [n for n in os.listdir(where) if n.startswith("~")] and
                    "~ stands for a home folder in a shell only, and not in quotes: write its path" in done.stderr, done.stderr)
    runs.hepta("plot", "a/b/c.h5", "-o", "v/w/x.png", where=where)  # draws where Python has what it needs
    checks.true("makes the folders: plot", os.path.isdir(os.path.join(where, "v/w")))
    for option in ("--log", "--json"):
        done = runs.hepta("run", "base.cfg", "-o", "y", option + "=base.cfg/x", where=where)
        checks.true(option + ": a folder that cannot be made", done.returncode == 2 and
                    "base.cfg/x: cannot make the folder 'base.cfg'" in done.stderr, done.stderr)
    checks.true("nothing has run", not [name for name in os.listdir(where) if name.startswith("y.")])


def check_import(checks, where):
    """A file that stands there is overwritten where --force says so, and else kept."""
    deck, own = runs.deck("FIVE_SPOT.DATA"), os.path.join(where, "own")
    os.mkdir(own)
    for arguments, name in (([], "FIVE_SPOT"), (["-o", "other.cfg"], "other")):
        for suffix in (".cfg", ".arrays.h5"):
            path = os.path.join(own, name + suffix)
            write(path, "mine")
            done = runs.hepta("import", deck, *arguments, where=own)
            checks.true("import over %s%s" % (name, suffix), done.returncode == 2 and done.stdout == "" and
                        "%s%s: exists; refusing to overwrite it" % (name, suffix) in done.stderr and
                        "--force" in done.stderr, done.stderr)
            with open(path) as f:
                checks.true("import: nothing is touched", f.read() == "mine" and os.listdir(own) == [name + suffix])
            done = runs.hepta("import", deck, *arguments, "--force", where=own)
            checks.true("import --force", done.returncode == 0, done.stderr)
            done = runs.hepta("check", name + ".cfg", where=own)
            checks.true("import --force: a deck", done.returncode == 0, done.stderr)
            for left in os.listdir(own):
                os.remove(os.path.join(own, left))


def check_terminal(checks, where):
    for width in (200, 80, 40, 12):
        code, text = runs.on_terminal(["run", "base.cfg", "-o", "tty"], where, width)
        what = "a terminal of %d columns" % width
        bars = [line.split("\r\n")[0] for line in text.split("\r\033[K")[1:]]
        checks.true(what + ": a bar", code == 0 and any("%" in bar for bar in bars), text)
        seen = [re.sub("\033\\[[0-9]*m", "", bar) for bar in bars]
        checks.true(what + ": in one line", all(len(bar) < width for bar in seen), bars)
        checks.true(what + ": no leftovers", text.endswith("\r\033[K"), repr(text[-60:]))
        if width >= 80:
            for words in ("200 of 200 day", "oil", "water", "cut", "left "):
                checks.true(what + ": " + words, words in bars[-2], bars[-2])
    code, text = runs.on_terminal(["run", "base.cfg", "-o", "tty", "--progress", "never"], where, 80)
    checks.true("--progress never on a terminal", code == 0 and text == "", text)


def check_no_laboratory(checks, where):
    """Without hepta-bench the commands that it has say which package brings it; the others go on."""
    alone = os.path.join(where, "alone")
    os.mkdir(alone)
    shutil.copy(os.environ["HEPTA"], os.path.join(alone, "hepta"))
    for command in ("bench", "tune"):
        done = subprocess.run([os.path.join(alone, "hepta"), command], capture_output=True, text=True, env={**os.environ, "PATH": alone})
        checks.true("hepta %s alone" % command, done.returncode == 1 and "hepta %s: hepta-bench cannot be started" % command in done.stderr
                    and "install the package hepta-bench" in done.stderr, done.stderr)
    done = subprocess.run([os.path.join(alone, "hepta"), "--version"], capture_output=True, text=True, env={**os.environ, "PATH": alone})
    checks.true("hepta --version alone", done.returncode == 0 and "hepta" in done.stdout, done.stderr)


def main():
    checks = runs.Checks()
    with runs.folder() as where:
        write(os.path.join(where, "base.cfg"), DECK)
        write(os.path.join(where, "fluids.inc"), runs.FLUIDS)
        for part in (check_help, check_usage, check_run, same_bits, check_failure, check_advice, check_folders, check_import,
                     check_interrupt, check_terminal, check_no_laboratory):
            part(checks, where)
    return checks.result()


if __name__ == "__main__":
    sys.exit(main())
