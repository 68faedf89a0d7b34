"""`hepta check` as a user meets it: tables of a deck, of its schedule, of ranks and GPUs, notes, volumes in place."""
import os
import re
import shutil
import sys

import runs
from cli_deck import CLOSED, DECK, sets, write


def check_settings(checks, where):
    """Every setting that a deck changes is shown, by its key and in the deck's units; defaults are not."""
    asked = {"timestep.max": "20 day", "newton.max_iterations": "20", "linear.restart": "40", "linear.matrix": "ell", "linear.cpr.smoother": "jacobi",
             "linear.cpr.seed": "7", "output.eclipse": "true"}
    done = runs.hepta("check", runs.deck("quarter_five_spot"), *sets(["linear.preconditioner=cpr"] + ["%s=%s" % (key, value.split()[0]) for key, value in asked.items()]),
                      where=where)
    shown = done.stdout[done.stdout.find("\nsettings "):]
    checks.true("settings that are no defaults", done.returncode == 0 and all("%s = %s" % pair in shown for pair in asked.items()), done)
    plain = runs.hepta("check", runs.deck("quarter_five_spot"), *sets(["linear.restart=30", "output.eclipse=false"]), where=where)
    checks.true("and none of the defaults", not re.search("linear.restart|output.eclipse", plain.stdout), plain.stdout)


def check_ranks_with_gpus(checks, ask):
    """Memory of each rank's GPU: less the smaller its part, more with a solver that has more vectors, and about what one GPU
    needs in all, but that the pressure system's matrices stay in double and ghosts count twice."""
    units = {"kB": 1e3, "MB": 1e6, "GB": 1e9}
    big = ("--backend", "cuda", "--set", "grid.size=[60,220,4]")  # the least that a GPU takes hides the rest of fewer cells

    def memory(*more):
        done = ask(*big, *more)
        found = re.findall(r"^ {9} *(?:\d+) +\d+ .* ([\d.]+) (kB|MB|GB) +([\d.]+) (kB|MB|GB)$", done.stdout, re.M)
        checks.true("check --backend cuda %s: a column of GPUs" % " ".join(more), done.returncode == 0 and
                    all(words in done.stdout for words in ("with a GPU each", "on its GPU", "on a rank's GPU")), done)
        return [float(row[2]) * units[row[3]] for row in found]
    alone = re.search(r"and ([\d.]+) (kB|MB|GB) on the GPU", ask(*big).stdout)
    alone = float(alone.group(1)) * units[alone.group(2)]
    two, four, gmres = memory("--ranks", "2"), memory("--ranks", "4"), memory("--ranks", "2", "--set", "linear.method=gmres")
    checks.true("two and four GPUs", len(two) == 2 and len(four) == 4 and max(four) < 0.75 * min(two), (two, four))
    checks.true("one GPU and two", alone < sum(two) < 2.0 * alone, (alone, two))
    checks.true("gmres has more vectors", min(gmres) > max(two), (gmres, two))
    for gpus in ("1", "2", "1,0"):
        checks.true("a GPU each of %s" % gpus, memory("--ranks", "2", "--gpus", gpus) == two, two)
    host = lambda accuracy: float(re.search(r"about ([\d.]+) MB on the CPU", ask("--backend", "cuda", "--set", "grid.size=[60,220,85]", "--set",
                                            "timestep.accuracy=%g" % accuracy).stdout).group(1))
    each = (host(0.005) - host(0)) * 1e6 / (60 * 220 * 85)
    # 16 of the estimate in each of four copies, two that wait for a file and two that are held, 16 of what is shown in those held, 16 of
    # the state that goes on
    checks.true("a GPU's host has the estimate and the state that goes on: %g bytes a cell" % each, 110 < each < 115)
    done = ask("--backend", "cuda", "--ranks", "2", "--gpus", "0,1,2")
    checks.true("more GPUs than ranks", done.returncode == 2 and "--gpus: 3 GPUs for 2 ranks" in done.stderr and
                "hepta without mpirun" in done.stderr, done)
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
    check_settings(checks, where)
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
    for words in ("schedule[0]            10 day  1983-01-11  P            producer, bhp 140 bar  (lists.DATA:",
                  "schedule[1]            10 day  1983-01-11  I            injector of water, rate 15 sm3/day",
                  "schedule[2]            20 day  1983-01-21  P            shut"):
        checks.true("check numbers the schedule: " + words, words in done.stdout, done.stdout)
    checks.true("lists are long: only with --list", "cells[0]" not in done.stdout, done.stdout)
    options = sets(["schedule[1].rate=12", "schedule[2].status=open", "wells.P.cells[0]=[3,3,1]",
                    "saturation.table[1][1]=0.15", "report.times[2]=40"])
    done = runs.hepta("check", "lists.DATA", "--list", *options, where=where)
    checks.true("check --list", done.returncode == 0, done.stderr)
    for words in ("schedule[1]            10 day  1983-01-11  I            injector of water, rate 12 sm3/day",
                  "schedule[2]            20 day  1983-01-21  P            producer, bhp 140 bar",
                  'wells.P.cells[0] = (3, 3, 1, "z")', 'wells.P.cells[1] = (4, 3, 2, "z")',
                  "saturation.table[1] = [0.5, 0.15, 0.3, 0]", "fluids.oil.table[1] = [300, 1.02, 1.6]",
                  "report.times[2] = 40  1983-02-10\n", "start    1983-01-01\n", "to 40 day, 1983-02-10; steps"):
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


def check_groups(checks, where):
    """Targets of groups, the groups of wells, and tests of wells that limits shut are shown."""
    deck = os.path.join(where, "groups.cfg")
    write(deck, DECK + """groups = ( { name = "WEST"; parent = "ALL"; in_production = false; }, { name = "ALL"; oil_rate = 40.0; },
        { name = "NAMED"; }, { time = 1.0; liquid_rate = 60.0; } );\n""")
    done = runs.hepta("check", deck, "--list", *sets(["wells.P1.group=WEST", "wells.P1.min_oil_rate=1.0", "wells.P1.test_interval=30.0",
                                                      "wells.P1.max_tests=4.0"]))
    for words in (r"groups\[0\] +0 day  WEST in ALL, takes no part in production targets above it, no targets", r"groups\[1\] +0 day  ALL, oil 40",
                  r"groups\[3\] +1 day  FIELD, liquid 60", ", in WEST, shut below 1 sm3/day of oil, tested every 30 day, 4 times"):
        checks.true("check shows " + words, done.returncode == 0 and re.search(words, done.stdout) is not None, done.stdout + done.stderr)
    checks.true("a group that asks for nothing is not shown", "NAMED" not in done.stdout, done.stdout)


def check_check(checks, where):
    done = runs.hepta("check", "base.cfg", where=where)
    checks.true("check", done.returncode == 0 and done.stderr == "", done.stderr)
    for words in ("6 x 5 x 2 = 60 cells, 60 active", "2, 4 perforations", "injector of water, rate 20 sm3/day",
                  "bhp 150 bar", "4 report times to 200 day", "bicgstab, dilu", "memory"):
        checks.true("check says " + words, words in done.stdout, done.stdout)
    later = sets(["wells.P1.status=shut", 'schedule=({time=10.0; well="P1"; status="open";})'])
    done = runs.hepta("check", "base.cfg", *later, where=where)
    checks.true("a well that opens later", "P1" in done.stdout and "shut until 10 day, then producer, bhp 150 bar" in done.stdout,
                done.stdout + done.stderr)
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


TABLE = """
grid = { size = [3, 3, 1]; dx = 30.0; dy = 30.0; dz = 6.0; top = 1900.0; porosity = 0.2; permx = 150.0; };
fluids = { water = { density = 1000.0; reference_pressure = 190.0; compressibility = 4e-5; viscosity = 0.5; };
           oil = { density = 820.0; table = ( [100.0, 1.10, 1.0], [200.0, 1.09, 1.5] ); }; };
saturation = { model = "corey"; swc = 0.2; sor = 0.2; };
rock = { reference_pressure = 190.0; compressibility = 4e-5; };
initial = { datum_depth = 1900.0; datum_pressure = 190.0; contact_depth = 2500.0; };
wells = ( { name = "UP"; type = "injector"; i = 1; j = 1; radius = 0.1; control = "bhp"; bhp = %g; } );
report = { end = 200.0; every = 100.0; };
"""


def check_table_ends(checks, where):
    """A pressure at which a curve straight on would be below 0: told beforehand by well, in a run by cell, and only then."""
    def both(bhp):
        deck = os.path.join(where, "ends.cfg")
        write(deck, TABLE % bhp)
        before, run = runs.hepta("check", deck), runs.hepta("run", deck, "-o", os.path.join(where, "ends"))
        checks.true("ends at %g bar: check, run" % bhp, before.returncode == run.returncode == 0, before.stderr + run.stderr)
        return before.stdout + before.stderr, run.stdout + run.stderr
    # 1/(mu B) falls from 1/1.1 to 1/1.635 in 100 bar: a tenth of that is reached at 385.05, 0 at 405.61
    before, run = both(600.0)
    checks.true("check: pressure and well", re.search(r"above 385\.047 bar 1/\(B viscosity\) of oil .* 405\.607 bar\. UP may", before), before)
    checks.true("run: cell and well", re.search(r"cell \(1,1,1\) of well UP is at .* above 385\.047 bar", run), run)
    quiet = runs.hepta("run", os.path.join(where, "ends.cfg"), "-o", os.path.join(where, "ends"), "--progress", "never")
    checks.true("never: told all the same, and no progress", re.findall(r"^hepta: note: .*of well UP is at", quiet.stderr, re.M) != []
                and "day  " not in quiet.stderr, quiet.stderr)
    silent = runs.hepta("run", os.path.join(where, "ends.cfg"), "-o", os.path.join(where, "ends"), "--quiet")
    checks.true("quiet: not told", silent.stderr == "", silent.stderr)
    before, run = both(220.0)
    checks.true("what no well reaches is not told", "held at a tenth" not in before + run, before + run)

def check_without(checks, where):
    """Keywords that stop a deck are left out where that is asked for, and only those; the rest runs to the same bits; it is said."""
    with open(runs.deck("FIVE_SPOT.DATA")) as f:
        text = f.read()
    sound, deck = os.path.join(where, "SOUND.DATA"), os.path.join(where, "STOPS.DATA")
    write(sound, text)
    write(deck, text.replace("TSTEP\n 1 4", "WSEGVALV\n 'P1' 2 0.7 1e-3 /\n/\nNONSENSE\n 'P1' 7 /\n/\nWLIFT\n P1 /\n/\n"
                             "TSTEP\n 1 4", 1))
    short = sets(["report.end=30"])
    done = runs.hepta("check", deck)
    checks.true("all stop the deck", done.returncode == 2 and all(w in done.stderr for w in ("WSEGVALV: not", "NONSENSE: unknown", "WLIFT: not")), done.stderr)
    done = runs.hepta("check", deck, "--without", "wsegvalv,NONSENSE")
    checks.true("some are left out", done.returncode == 2 and "left out, as asked for: WSEGVALV NONSENSE" in done.stderr and "WLIFT: not" in done.stderr and
                "stop this deck: WLIFT" in done.stderr, done.stderr)
    base = runs.hepta("run", sound, "-o", os.path.join(where, "sound"), *short)
    for option in (["--without", "WSEGVALV,WLIFT", "--without", "NONSENSE"], ["--parsing-strictness", "low"], ["--without", "*"]):
        done = runs.hepta("run", deck, "-o", os.path.join(where, "left"), *option, *short)
        checks.true("left out " + option[-1], done.returncode == base.returncode == 0 and "  without WSEGVALV NONSENSE WLIFT, as asked for" in done.stderr and
                    "\nWithout WSEGVALV NONSENSE WLIFT, as asked for" in done.stdout, done.stderr + done.stdout)
        one, other = (open(os.path.join(where, n + ".summary.csv")).read() for n in ("sound", "left"))
        checks.true("the rest is the same", one == other)
    for option, words in ((["--without", "WCONPROD"], "without WCONPROD: it works"), (["--without", "WELLDIMS"], "without WELLDIMS: it has no bearing"),
                          (["--without", "A B"], "keywords apart by commas"), (["--without", "A" * 1100], "too many keywords"), (["--parsing-strictness", "none"], "low, normal or high"),
                          (["--parsing-strictness", "high"], "1 note about the deck")):
        for command in ("check", "run"):
            done = runs.hepta(command, sound, *option)
            checks.true("%s: %s" % (command, words), done.returncode == 2 and words in done.stderr, done.stderr)
    done = runs.hepta("check", os.path.join(where, "base.cfg"), "--without", "X")
    checks.true("of Eclipse decks only", done.returncode == 2 and "Eclipse deck" in done.stderr, done.stderr)


def main():
    checks = runs.Checks()
    with runs.folder() as where:
        write(os.path.join(where, "base.cfg"), DECK)
        write(os.path.join(where, "fluids.inc"), runs.FLUIDS)
        for part in (check_decks, check_check, check_groups, check_notes, check_table_ends, check_in_place, check_without):
            part(checks, where)
    return checks.result()


if __name__ == "__main__":
    sys.exit(main())
