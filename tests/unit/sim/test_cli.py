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

DECK = """
grid = { size = [6, 5, 2]; dx = 20.0; dy = 20.0; dz = 4.0; top = 1800.0; porosity = 0.2; permx = 150.0; permz = 15.0; };
@include "fluids.inc"
initial = { datum_depth = 1800.0; datum_pressure = 180.0; contact_depth = 1900.0; };
wells = (
  { name = "INJ"; type = "injector"; i = 1; j = 1; radius = 0.1; control = "rate"; rate = 20.0; bhp = 300.0; },
  { name = "P1"; type = "producer"; i = 6; j = 5; radius = 0.1; control = "bhp"; bhp = 150.0; }
);
report = { every = 50.0; end = 200.0; };
timestep = { initial = 0.5; };
"""
# nothing gives way and only water comes in: no solution exists
CLOSED = ["fluids.water.compressibility=0.0", "fluids.oil.compressibility=0.0", "rock.compressibility=0.0",
          "wells.P1.status=shut", "wells.INJ.bhp=1e9"]
FILES = ["base.grid.h5", "base.h5", "base.solver.csv", "base.steps", "base.summary.csv", "base.view.py",
         "base.wells.vtp", "base.xdmf2"]


def sets(options):
    return [a for o in options for a in ("--set", o)]


def write(path, text):
    with open(path, "w") as f:
        f.write(text)


def check_help(checks, where):
    for arguments, words in (([], "usage: hepta COMMAND"), (["run"], "usage: hepta run"),
                             (["check"], "usage: hepta check"), (["info"], "usage: hepta info"),
                             (["import"], "usage: hepta import")):
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
        ([], "usage"), (["walk"], "no command 'walk'"), (["run"], "which deck?"), (["check"], "which deck?"),
        (["import"], "which deck?"), (["import", "A.DATA", "B.DATA"], "one deck"),
        (["import", "A.DATA", "-o"], "-o needs"), (["import", "base.cfg"], "an Eclipse deck is named *.DATA"),
        (["import", "base"], "an Eclipse deck is named *.DATA"),
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


def check_ranks_with_gpus(checks, ask):
    """Memory of each rank's GPU: less the smaller its part, more with a solver that has more vectors, and about what one GPU
    needs in all, but that the pressure system's matrices stay in double and ghosts count twice."""
    units = {"kB": 1e3, "MB": 1e6, "GB": 1e9}
    big = ("--backend", "cuda", "--set", "grid.size=[60,220,4]")  # the least that a GPU takes hides the rest of fewer cells

    def memory(*more):
        done = ask(*big, *more)
        found = re.findall(r"^ {9} *(?:\d+) +\d+ .* ([\d.]+) (kB|MB|GB) +([\d.]+) (kB|MB|GB)$", done.stdout, re.M)
        checks.true("check --backend cuda %s: a column of GPUs" % " ".join(more), done.returncode == 0 and
                    "on its GPU" in done.stdout and "with a GPU each" in done.stdout and "on a rank's GPU" in done.stdout, done)
        return [float(row[2]) * units[row[3]] for row in found]
    alone = re.search(r"and ([\d.]+) (kB|MB|GB) on the GPU", ask(*big).stdout)
    alone = float(alone.group(1)) * units[alone.group(2)]
    two, four, gmres = memory("--ranks", "2"), memory("--ranks", "4"), memory("--ranks", "2", "--set", "linear.method=gmres")
    checks.true("two and four GPUs", len(two) == 2 and len(four) == 4 and max(four) < 0.75 * min(two), (two, four))
    checks.true("one GPU and two", alone < sum(two) < 2.0 * alone, (alone, two))
    checks.true("gmres has more vectors", min(gmres) > max(two), (gmres, two))
    done = ask("--backend", "cuda", "--ranks", "2", "--gpus", "1,0")
    checks.true("with a list of GPUs", done.returncode == 0 and "on its GPU" in done.stdout, done)
    done = ask("--backend", "cuda", "--ranks", "2", "--set", "linear.execution=graph")
    checks.true("what ranks with GPUs do not have", done.returncode == 2 and "per-operation" in done.stderr, done)


def check_ranks(checks, where):
    """The parts of a run by ranks, which a build without MPI shows, too; tests/ranks compares them with a run's."""
    ask = lambda *more: runs.hepta("check", runs.deck("five_spot_channels"), *more, where=where)
    three, many = ask("--ranks", "3"), ask("--ranks", "20", "--threads", "2")
    rows = re.findall(r"^ {9} *(\d+|least|mean|most) +(\d+) +(\d+) +", three.stdout, re.M)
    checks.true("check --ranks 3: a row of each", [row[0] for row in rows] == ["0", "1", "2", "least", "mean", "most"], three.stdout)
    checks.true("and each column and cell once", sum(int(r[1]) for r in rows[:3]) == 1800 and
                sum(int(r[2]) for r in rows[:3]) == 14400, three.stdout)
    checks.true("check --ranks 3: memory", "on rank 0, which writes all" in three.stdout, three.stdout)
    checks.true("check --ranks 20: three rows", re.findall(r"^ {9} *(\d+|least|mean|most) +\d", many.stdout, re.M) ==
                ["least", "mean", "most"] and "20 of 2 threads" in many.stdout, many.stdout)
    check_ranks_with_gpus(checks, ask)
    for more, word in ((("--ranks", "10000"), "Start fewer ranks"), (("--ranks", "2", "--set", "linear.method=qmr"), "transposed"),
                       (("--ranks", "2", "--set", "linear.ordering=natural"), "bricks")):
        done = ask(*more)
        checks.true("check %s is refused" % " ".join(more), done.returncode == 2 and word in done.stderr, done.stderr)


def check_decks(checks, where):
    """Decks that cannot be read or are wrong: 2, with the file's name."""
    write(os.path.join(where, "empty.cfg"), "")
    write(os.path.join(where, "empty.DATA"), "")
    with open(os.path.join(where, "binary.cfg"), "wb") as f:
        f.write(bytes(range(256)) * 8)
    os.mkdir(os.path.join(where, "folder.cfg"))
    os.mkdir(os.path.join(where, "folder.DATA"))
    for name in ("missing.cfg", "missing.DATA", "empty.cfg", "empty.DATA", "binary.cfg", "folder.cfg", "folder.DATA"):
        for command in ("run", "check"):
            done = runs.hepta(command, name, where=where)
            checks.true("%s %s" % (command, name), done.returncode == 2 and name in done.stderr and not done.stdout,
                        "%d %s" % (done.returncode, done.stderr))
    done = runs.hepta("run", "base.cfg", "--set", "grid.poroity=0.2", where=where)
    checks.true("an unknown key", done.returncode == 2 and "did you mean 'grid.porosity'" in done.stderr, done.stderr)
    done = runs.hepta("info", "missing.h5", where=where)
    checks.true("info of a missing file", done.returncode == 2 and "missing.h5" in done.stderr, done.stderr)
    done = runs.hepta("info", "base.cfg", where=where)
    checks.true("info of a deck", done.returncode == 2 and "base.cfg" in done.stderr, done.stderr)
    for option in ("linear.preconditioner=jacobi", "linear.preconditioner=none"):
        done = runs.hepta("check", "base.cfg", "--set", option, where=where)
        checks.true("check with %s alone" % option, done.returncode == 0, done.stderr)
    done = runs.hepta("check", "base.cfg", where=where)
    checks.true("check for the CPU: it would run", "would not run" not in done.stdout, done.stdout)
    done = runs.hepta("check", "base.cfg", "--backend", "cuda", where=where)
    run = runs.hepta("run", "base.cfg", "--backend", "cuda", "-o", "gpu", where=where)
    said = re.search(r" (\S+ \SB) on GPU 2 and (\S+ \SB|0 B) on GPU 5$", runs.hepta(
        "check", "base.cfg", "--backend", "cuda", "--gpus", "2,5", where=where).stdout, re.M)
    checks.true("check says what is on each GPU", said, done.stdout)
    halves = runs.hepta("check", "base.cfg", "--backend", "cuda", "--gpus", "0,0", where=where)
    checks.true("check with a GPU named twice: as on one", halves.stdout == done.stdout, halves.stdout)
    for execution, code in (("in-kernel", 0), ("per-operation", 2), ("graph", 2), ("library", 2)):
        several = runs.hepta("check", "base.cfg", "--backend", "cuda", "--gpus", "0,0", "--set", "linear.execution=" + execution,
                             "--set", "linear.preconditioner=dilu", where=where)
        checks.true("check of %s on several GPUs" % execution, several.returncode == code and
                    ("run on one GPU" in several.stderr) == (code == 2), several.stderr)
    check_ranks(checks, where)
    checks.true("check for a GPU: sound whether there is one or not", done.returncode == 0, done.stderr)
    checks.true("check says whether the run would start",
                ("would not run here" in done.stdout) == (run.returncode != 0), done.stdout + run.stderr)


ECLIPSE = """RUNSPEC
DIMENS
 4 3 2 /
OIL
WATER
METRIC
GRID
EQUALS
 DX 20 /
 DY 20 /
 DZ 4 /
 PERMX 100 /
 PERMY 100 /
 PERMZ 10 /
 TOPS 1800 1 4 1 3 1 1 /
 PORO 0.2 1 4 1 3 1 2 /
/
PROPS
DENSITY
 850 1020 /
PVTW
 180 1 4E-5 0.5 /
PVDO
 100 1.05 1.4
 300 1.02 1.6 /
SWOF
 0.2 0 1 0
 0.5 0.1 0.3 0
 0.8 0.5 0 0 /
SOLUTION
EQUIL
 1800 180 1900 0 /
SCHEDULE
WELSPECS
 I G 1 1 /
 P G 4 3 /
/
COMPDAT
 '*' 2* 1 2 OPEN 2* 0.2 /
/
WCONINJE
 I WATER OPEN RATE 20 1* 300 /
/
WCONPROD
 P OPEN BHP 5* 150 /
/
TSTEP
 10 /
WELTARG
 P BHP 140 /
 I RATE 15 /
/
TSTEP
 10 /
WELOPEN
 P SHUT /
/
TSTEP
 10 /
"""


def check_lists(checks, where):
    """The numbers by which --set counts: shown by check, and they are the ones that change."""
    where = os.path.join(where, "lists")
    os.mkdir(where)
    write(os.path.join(where, "lists.DATA"), ECLIPSE.replace("I RATE", "I WRAT"))
    done = runs.hepta("check", "lists.DATA", where=where)
    checks.true("check of an Eclipse deck", done.returncode == 0, done.stderr)
    for words in ("schedule[0]            10 day  P            producer, bhp 140 bar  (lists.DATA:",
                  "schedule[1]            10 day  I            injector of water, rate 15 sm3/day",
                  "schedule[2]            20 day  P            shut"):
        checks.true("check numbers the schedule: " + words, words in done.stdout, done.stdout)
    checks.true("lists are long: only with --list", "cells[0]" not in done.stdout, done.stdout)
    options = sets(["schedule[1].rate=12", "schedule[2].status=open", "wells.P.cells[0]=[3,3,1]",
                    "saturation.table[1][1]=0.15", "report.times[2]=40"])
    done = runs.hepta("check", "lists.DATA", "--list", *options, where=where)
    checks.true("check --list", done.returncode == 0, done.stderr)
    for words in ("schedule[1]            10 day  I            injector of water, rate 12 sm3/day",
                  "schedule[2]            20 day  P            producer, bhp 140 bar",
                  'wells.P.cells[0] = (3, 3, 1, "z")', 'wells.P.cells[1] = (4, 3, 2, "z")',
                  "saturation.table[1] = [0.5, 0.15, 0.3, 0]", "fluids.oil.table[1] = [300, 1.02, 1.6]",
                  "report.times[2] = 40"):
        checks.true("check --list says " + words, words in done.stdout, done.stdout)
    done = runs.hepta("run", "lists.DATA", "-o", "lists", *options, where=where)
    rows = runs.read_csv(os.path.join(where, "lists.summary.csv"))
    checks.near("a single entry of the schedule at work", rows["WWIR:I"][-1], 12.0, 1e-3)
    larger = sets(["grid.size=[5,3,2]", "wells.P.i=5"])
    done = runs.hepta("check", "lists.DATA", *larger, where=where)
    checks.true("a larger grid: boxes of the old size leave cells out, with line and key", done.returncode == 2
                and "lists.DATA:15: TOPS: cell (5,1,1): no value" in done.stderr
                and "lists.DATA:16: PORO: cell (5,1,1): no value" in done.stderr
                and "give grid.porosity by --set too" in done.stderr, done.stderr)
    done = runs.hepta("check", "lists.DATA", *larger, *sets(["grid.porosity=0.2", "grid.top=1800"]), where=where)
    checks.true("a larger grid: given by --set", done.returncode == 0 and "5 x 3 x 2 = 30 cells" in done.stdout,
                done.stdout + done.stderr)
    shutil.rmtree(where)


def check_check(checks, where):
    done = runs.hepta("check", "base.cfg", where=where)
    checks.true("check", done.returncode == 0 and done.stderr == "", done.stderr)
    for words in ("6 x 5 x 2 = 60 cells, 60 active", "2, 4 perforations", "injector of water, rate 20 sm3/day",
                  "bhp 150 bar", "4 report times to 200 day", "bicgstab, dilu", "memory"):
        checks.true("check says " + words, words in done.stdout, done.stdout)
    check_lists(checks, where)
    path = "path = ( [30.0, 10.0, 1804.0], [110.0, 10.0, 1804.0], [110.0, %s, 1804.0] );"
    for end, words in (("90.0", ""), ("270.0", "note: wells[1]: well P1: 50 % of its path is outside the grid and left out")):
        write(os.path.join(where, "path.cfg"), DECK.replace("i = 6; j = 5;", path % end))
        done = runs.hepta("check", "path.cfg", where=where)
        checks.true("a path to y = " + end, done.returncode == 0 and words in done.stderr and bool(words) == bool(done.stderr),
                    done.stderr)
    done = runs.hepta("check", "base.cfg", *sets(CLOSED), where=where)
    checks.true("check warns of incompressible decks", "incompressible" in done.stdout, done.stdout)


def notes_of(done):
    """Notes of `check`: from reading the deck, and about the state that it describes."""
    return ([line for line in done.stdout.splitlines() if line.startswith("note ")]
            + [line for line in done.stderr.splitlines() if "note: " in line])


def check_in_place(checks, where):
    """Volumes in place, by regions, against the sum of the run's own start; where the contact is."""
    two = "initial=({datum_depth=1800.0;datum_pressure=180.0;contact_depth=1804.0;}," \
          "{datum_depth=1800.0;datum_pressure=180.0;contact_depth=1900.0;})"
    options = sets([two, "regions.equilibrium={layers=({k=1;value=1;},{k=2;value=2;});}", "regions.fip=[1,3]"])
    done = runs.hepta("check", "base.cfg", *options, where=where)
    line = r"oil (\S+) sm3, water (\S+) sm3 in (\S+) rm3 of pores"
    found = {name: [float(x) for x in m.groups()] if m else None for name, m in
             ((name, re.search(name + line, done.stdout)) for name in
              ("in place ", "equilibrium 1: ", "equilibrium 2: ", "fip 1: ", "fip 3: "))}
    checks.true("in place of all regions", all(found.values()), done.stdout)
    if not all(found.values()):
        return
    ran = runs.hepta("run", "base.cfg", "-o", "regions", *options, where=where)
    for n, phase in enumerate(("oil", "water")):
        start = float(re.search(r"\n  %s +(\S+)" % phase, ran.stdout).group(1))
        checks.near("%s in place is the run's" % phase, found["in place "][n] / start, 1.0, 1e-5)
        for kind in ("equilibrium %d: ", "fip %d: "):
            parts = sum(found[kind % of][n] for of in ((1, 2) if "eq" in kind else (1, 3)))
            checks.near("%s of %s adds up" % (phase, kind), parts / start, 1.0, 1e-5)
    checks.true("the regions differ", found["equilibrium 1: "] == found["fip 1: "] != found["fip 3: "], found)
    for words in ("contact at 1804 m, below all cells", "contact at 1900 m, below all cells"):
        checks.true(words, words in done.stdout, done.stdout)
    ran = runs.hepta("run", "base.cfg", "-o", "wet", "--set", "initial.contact_depth=1700", where=where)
    checks.true("a run notes a contact above the field", "note: the contact, 1700 m, is above all cells" in ran.stderr,
                ran.stderr)


def check_notes(checks, where):
    """Values that look like another unit: a note each, and none on the decks that come with the program."""
    second = 'wells=({name="%s";type="injector";i=1;j=1;radius=0.1;control="rate";rate=20.0;bhp=300.0;},' \
             '{name="P1";type="producer";i=%d;j=1;radius=0.1;control="bhp";bhp=150.0;%s})'
    start = "initial={pressure=%s;saturation=0.2;}"
    cases = [  # options, words of the notes
        (["fluids.oil.density=53"], ["oil's density, 53 kg/m3, is not within 500 and 1.5e+03"]),
        (["fluids.oil.density=499"], ["oil's density"]), (["fluids.oil.density=501"], []),
        (["fluids.water.density=1501"], ["water's density"]), (["fluids.water.density=1499"], []),
        (["fluids.water.viscosity=0.0005"], ["water's viscosity, 0.0005 cP, is not within 0.05 and 10000"]),
        (["fluids.oil.viscosity=10001"], ["oil's viscosity"]), (["fluids.oil.viscosity=9999"], []),
        (["fluids.oil={density = 850.0; table = ([180.0, 1.0, 1.5], [200.0, 0.99, 0.01]);}"],
         ["oil's viscosity, 0.01 cP"]),
        (["grid.permx=1.1e5"], ["permeability along i is at least 1.1e+05 mD"]),
        (["grid.permx=1e-7"], ["permeability along i is at most 1e-07 mD"]), (["grid.permx=9e4"], []),
        (["wells.P1.bhp=190"],
         ["P1 cannot produce at first: its bhp limit, 190 bar, is above the pressure at its cells, 180."]),
        (["wells.P1.bhp=179"], []),
        (["wells.INJ.bhp=170"],
         ["INJ cannot inject at first: its bhp limit, 170 bar, is below the pressure at its cells, 18"]),
        (["wells.INJ.bhp=182"], []), (["wells.P1.bhp=190", "wells.P1.status=shut"], []),
        (["grid.dx=3001"], ["dx is at least 3001 m"]), (["grid.dy=3001"], ["dy is at least 3001 m"]),
        (["grid.dz=[201.0,300.0]", "initial.contact_depth=2900"], ["dz is at least 201 m"]),
        (["grid.dz=[199.0,300.0]", "initial.contact_depth=2900"], []),
        (["grid.top=5900", "initial.datum_depth=5900", "initial.contact_depth=6000"], ["0.31 times", "ft for m"]),
        (["initial.datum_pressure=2611"], ["15 times the pressure of a column of water", "psi for bar",
                                           "INJ cannot inject at first"]),
        (["initial.datum_pressure=1500", "grid.top=400", "initial.datum_depth=400", "wells.INJ.bhp=3000"], []),
        (["fluids.water.viscosity=0.0005"], ["Pa s for cP? 0.0005 Pa s is 0.5 cP"]),
        (["grid.permx=1e-13"],
         ["permeability along i is at most 1e-13 mD in all cells: m2 for mD? 1e-13 m2 is 101.3 mD"]),
        (["grid.permz=1e-13"], ["permeability along k"]), (["grid.permz=0"], []),
        (["rock.compressibility=4e-10"],
         ["rock's compressibility, 4e-10 1/bar, is less than any rock's or liquid's: 1/Pa for 1/bar? "
          "4e-10 1/Pa is 4e-05 1/bar"]),
        (["fluids.oil.compressibility=1e-9"], ["oil's compressibility", "1/Pa"]),
        (["rock.compressibility=5"], ["rock's compressibility, 5 1/bar, is more than"]),
        (["rock.compressibility=0", "fluids.oil.compressibility=1e-7"], []),
        (["fluids.oil.reference_pressure=1.8e7"],
         ["the reference pressure of oil, 1.8e+07 bar, is more than any reservoir has: Pa for bar? "
          "1.8e+07 Pa is 180 bar"]),
        ([start % "2e7", "wells.INJ.bhp=3e7"], ["the initial pressure, 2e+07 bar"]), ([start % "200.0"], []),
        ([second % ("INJ", 1, "")],
         ["wells INJ and P1 are both in cell (1,1,1); so are wells in 1 more place: a slip in i or j?"]),
        ([second % ("INJ", 2, "")], []), ([second % ("INJ", 1, 'status="shut";')], []),
        (["initial.contact_depth=1700"],
         ["note: the contact, 1700 m, is above all cells, which begin at 1800 m: they are in the water zone",
          "no oil can flow"]),
        ([start % "180.0", "initial.saturation=0.85"], ["no oil can flow"])]
    for options, words in cases[::runs.every(1, 7)]:
        done = runs.hepta("check", "base.cfg", *sets(options), where=where)
        notes = notes_of(done)
        right = done.returncode == 0 and bool(notes) == bool(words) and all(w in "".join(notes) for w in words)
        checks.true("notes of " + " ".join(options), right, done.stdout + done.stderr)
    bundled = os.path.join(runs.SOURCE, "decks")
    decks = [os.path.join(bundled, name) for name in sorted(os.listdir(bundled))]
    for folder, name in (("egg", "Egg_Model_ECL"), ("spe1", "SPE1CASE2_2P"), ("spe10_layers", "SPE10_L84_85")):
        decks.append(runs.find_shared("data", folder, name + ".DATA"))
    for deck in [d for d in decks if d is not None][::runs.every(1, 3)]:
        done = runs.hepta("check", deck, where=where)
        notes = [line for line in notes_of(done) if line.endswith("?") or "water zone" in line]
        checks.true("no notes of " + deck, done.returncode == 0 and not notes, notes)


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
    info = runs.hepta("info", "results/base.h5", where=where)
    checks.true("info", info.returncode == 0 and "60 cells, 60 active" in info.stdout and "P1" in info.stdout,
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
    rigid = full + ["fluids.water.compressibility=0.0", "rock.compressibility=0.0", "wells.INJ.bhp=1e9",
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


def main():
    checks = runs.Checks()
    with runs.folder() as where:
        write(os.path.join(where, "base.cfg"), DECK)
        write(os.path.join(where, "fluids.inc"), runs.FLUIDS)
        for part in (check_help, check_usage, check_decks, check_check, check_notes, check_in_place, check_run, same_bits,
                     check_failure, check_advice, check_folders, check_import, check_interrupt, check_terminal):
            part(checks, where)
    return checks.result()


if __name__ == "__main__":
    sys.exit(main())
