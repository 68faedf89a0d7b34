"""Whole runs by several ranks: the same bits, reports and events for any number of them and any threads of each, restarts with
another number included, and one process within what the rounding of sums leaves; each failure is reported once."""
import glob
import os
import signal
import socket
import subprocess
import sys
import time

import runs

sys.path.insert(0, os.path.join(runs.SOURCE, "tests", "property", "runs"))
import random_decks
from rank_runs import FAULTED, MPIRUN, differences, numbers, same_bits, sets, start

CLOSED = ["fluids.water.compressibility=0", "fluids.oil.compressibility=0", "rock.compressibility=0", "wells.PROD.status=shut", "wells.INJ.bhp=1e9",
          "timestep.min=0.5", "linear.max_iterations=20"]
TIGHT = ["timestep.accuracy=0", "linear.tolerance=1e-11"]


def totals(where, name):
    table = runs.read_csv(os.path.join(where, name + ".summary.csv"))
    return {key: v[-1] for key, v in table.items() if key in ("FOPT", "FWPT", "FWIT", "FPR") or key[:4] in ("ROIP", "RWIP", "RPR:")}


def near_one_process(checks, deck, name, where, options):
    """At tight tolerances, where steps of both are the same."""
    one = subprocess.run([runs.PROGRAM, "run", deck, "-q", "-o", "one", "--threads", "1"] + sets(options), cwd=where,
                         capture_output=True, text=True)
    checks.true(name + ": one process", one.returncode == 0, one.stderr)
    start(3, ["run", deck, "-q", "-o", "three"] + sets(options), where)
    alone, together = totals(where, "one"), totals(where, "three")
    for key, value in alone.items():
        checks.near("%s: %s" % (name, key), together[key], value, 1e-6 * max(abs(value), 1e-3))


def check_hypre(checks, deck, where, options):
    """hypre's multigrid over ranks: its own bits for every number of them, the same reservoir."""
    if os.environ["HEPTA_HAVE_HYPRE"] == "OFF":
        return
    options = options + ["linear.preconditioner=cpr", "linear.cpr.amg=hypre", "timestep.accuracy=0"]
    one = subprocess.run([runs.PROGRAM, "run", deck, "-q", "-o", "hypre"] + sets(options), cwd=where, capture_output=True, text=True)
    checks.true("hypre: one process", one.returncode == 0, one.stderr)
    alone = totals(where, "hypre")
    start(3, ["run", deck, "-q", "-o", "hypre_ranks"] + sets(options), where)
    for key, value in totals(where, "hypre_ranks").items():
        checks.near("hypre, 3 ranks: " + key, value, alone[key], 1e-4 * max(abs(alone[key]), 1e-3))


def check_files(checks, where):
    """Fields of all kinds, Eclipse's files, rock without compressibility, steps that fail as those of one rank do."""
    deck, short = runs.deck("five_spot_channels"), ["report.end=20", "report.every=10", "output.interval=10"]
    for name, options in (("eclipse", ["output.compression=0", "output.eclipse=true", 'output.vectors=["ROIP","RPR","WBHP","WBP9","WPI"]', 'output.arrays=["FLOWS","FLORES","ALLPROPS"]',
                                    'output.rft=({ well = "*"; data = "both"; when = "steps"; })']),
                          ("rigid", ["output.double=true", "output.compression=5", "rock.compressibility=0"]))[:2 // runs.every(2, 2)]:
        same_bits(checks, deck, name, where, short + options, ((1, 1), (3, 1)))
    same_bits(checks, runs.deck("quarter_five_spot"), "few bricks", where, [
        "grid.size=[20,20,2]", "wells.PROD.i=20", "wells.PROD.j=20", "linear.preconditioner=dilu", "report.every=20", "report.end=20"],
              ((1, 1), (3, 1), (5, 1)))
    for end in ("UNRST", "UNSMRY", "EGRID", "INIT", "RFT"):
        with open(os.path.join(where, "ECLIPSE_1_1." + end), "rb") as one, open(os.path.join(where, "ECLIPSE_3_1." + end), "rb") as other:
            checks.true("eclipse: " + end, one.read() == other.read(), "other bytes")
    for ranks in (1, 2):
        start(ranks, ["run", deck, "-q", "--restart", "eclipse_3_1", "-o", "later_%d" % ranks] +
              sets(["output.eclipse=true", "report.every=10", "report.end=30"]), where)
    for end in ("UNRST", "UNSMRY", "EGRID", "INIT"):
        with open(os.path.join(where, "LATER_1." + end), "rb") as one, open(os.path.join(where, "LATER_2." + end), "rb") as other:
            checks.true("eclipse, from a run by 3 ranks on: " + end, one.read() == other.read(), "other bytes")
    left = [f for folder, _, files in os.walk(where) for f in files if f.endswith(".tmp")]
    checks.true("no temporary files are left", not left, left)
    fails = ["run", deck, "-q", "--set", "newton.max_iterations=1", "--set", "newton.min_iterations=1", "--set", "timestep.min=0.1"]
    said = [start(ranks, fails + ["-o", "fails"], where, check=False).stderr.split("\nTo go on")[0] for ranks in (1, 3)]
    checks.true("a run whose steps fail says the same", "Try --monitor" in said[0] and said[0] == said[1].replace("-n 3", "-n 1"), said)
    done = start(3, ["run", runs.deck("quarter_five_spot"), "-q", "-o", "closed"] + sets(CLOSED), where, check=False)
    checks.true("nothing can give way, as no single rank can know", "incompressible and no well holds a pressure" in done.stderr, done.stderr)


def file_bytes(where, base):
    """The files of a result that HDF5 makes, but the master, which has times of this run."""
    found = {}
    for path in sorted(glob.glob(os.path.join(where, base + ".steps", "*.h5"))):
        with open(path, "rb") as f:
            found[os.path.basename(path)] = f.read()
    return found


def check_written(checks, where):
    """Each rank writes what it has packed: files of the same bytes by any number of ranks, compressed or not, also where ranks are on
    several hosts, and where a rank does not find the files, which a note says once. Chunks are more than ranks."""
    deck = runs.deck("quarter_five_spot")
    options = ["run", deck] + sets(["grid.size=[600,220,2]", "grid.dx=2.0", "grid.dy=2.0", "wells.PROD.i=600", "wells.PROD.j=220",
                                    "linear.preconditioner=dilu", "report.end=0.001", "report.every=0.001", "timestep.initial=0.001", "output.double=true",
                                    "timestep.accuracy=1.0", "newton.tolerance_cnv=1.0", "newton.tolerance_flow=1.0", "newton.tolerance_mb=1e-3", "linear.tolerance=0.1"])
    for level in ("1", "0"):
        first = None
        for ranks, variables, noted in ((1, {}, ""), (3, {"HEPTA_TEST_RANKS_HOSTS": "1"}, ""), (5, {}, ""),
                                        (2, {"HEPTA_TEST_RANKS_HOSTS": "2"}, "the folder of results is on a file system whose hosts write whole pages, such as NFS"),
                                        (3, {"HEPTA_TEST_RANKS_BLIND": "1"}, "rank 1 on %s does not find the files of results that rank 0 makes" % socket.gethostname()[:63])):
            if level == "0" and (ranks == 5 or noted) or level == "1" and "HEPTA_TEST_RANKS_HOSTS" in variables and not noted and runs.every(2, 2) > 1:
                continue
            done = start(ranks, options + ["-o", "written", "--set", "output.compression=" + level], where, **variables)
            found = file_bytes(where, "written")
            first = first or found
            name = "files by %d ranks, compression %s, %s" % (ranks, level, variables)
            checks.true(name, len(found) >= 4 and found == first, "other bytes: %s" % [n for n in first if found.get(n) != first[n]])
            said = done.stdout + done.stderr
            checks.true(name + ": note", said.count("rank 0 writes for all") == (noted != "") and noted + (": rank 0 writes" if noted else "") in said, said[-2000:])


def check_far(checks, where):
    """Cells far from each other that are connected: numerical aquifers, whose outflow the summary has, and connections along j
    where rock tables and relative permeabilities differ by the direction, and perforations with tables of their own."""
    deck = FAULTED.replace("connections = (", "connections = ( (3, 1, 1, 3, 42, 1, 9.0), ").replace('"ROE:3" ]', '"ROE:3", "ANQR", "ANQT", "ANQP" ]').replace("timestep = {", """
    aquifers = ( { type = "numerical"; cells = ( { i = 6; j = 4; k = 1; area = 2e5; length = 600.0; porosity = 0.25; permeability = 300.0; },
                                                 { i = 13; j = 40; k = 2; area = 3e5; length = 9000.0; porosity = 0.2; permeability = 200.0; } );
                   faces = ( { i = 14; j = [1, 41]; face = "i+"; }, { i = [2, 9]; j = 42; face = "j+"; } ); } );
    timestep = {""").replace("rock = { reference_pressure = 180.0; compressibility = 4.0e-5; };",
                             "rock = { table = ( [50.0, 0.9, 0.9, 0.4, 0.3], [180.0, 1.0, 1.0, 0.5, 0.3] ); irreversible = true; };")
    deck = deck.replace("saturation = {", "saturation = ( {").replace("pc_entry = 0.3; };", 'pc_entry = 0.3; }, { model = "corey"; swc = 0.25; sor = 0.1; nw = 2.0; no = 2.0; } );')
    deck = deck.replace("regions = {", "regions = { saturation_x = 2; saturation_y_minus = 2;").replace('name = "BHP";', 'name = "BHP"; saturation = 2;')
    with open(os.path.join(where, "far.cfg"), "w", encoding="utf-8") as f:
        f.write(deck)
    same_bits(checks, "far.cfg", "far", where, ["linear.preconditioner=dilu", "report.every=10", "report.end=10"], ((1, 1), (5, 1)))
    table = runs.read_csv(os.path.join(where, "far_5_1.summary.csv"))
    gave = [v[-1] for key, v in table.items() if key.startswith("ANQT")]
    checks.true("far: the aquifer gives water", len(gave) == 1 and gave[0] > 1.0, gave)


def check_restart(checks, deck, where, whole):
    """whole: the numbers of the run that does not stop."""
    start(3, ["run", deck, "-q", "-o", "begun", "--set", "report.end=10"], where)
    start(1, ["run", deck, "-q", "--restart", "begun", "--set", "report.end=20"], where)
    odd = [k for k in differences(whole, numbers(where, "begun")) if "restart" not in k]
    checks.true("a run that three ranks begin and one goes on with", not odd, "other bits: %s" % odd[:5])


def check_exchanges(checks, deck, where):
    """Random delays change nothing; an exchange that is left out does. Returns the numbers of the run without them."""
    options = ["run", deck, "-q", "--set", "report.end=20"]
    start(3, options + ["-o", "right"], where)
    right = numbers(where, "right")
    start(3, options + ["-o", "shaken"], where, HEPTA_TEST_RANKS_SHAKE="1")
    odd = differences(right, numbers(where, "shaken"))
    checks.true("random delays", not odd, "other bits: %s" % odd[:5])
    noticed = 0
    left_out = range(60, 60 + 20 * (4 - runs.every(2, 2)), 20)
    for number in left_out:
        done = start(3, options + ["-o", "wrong"], where, check=False, HEPTA_TEST_RANKS_SKIP=str(number))
        noticed += done.returncode != 0 or len(differences(right, numbers(where, "wrong"))) > 0
    # not all: some bring what is there already, such as saturations that have not changed
    checks.true("exchanges that are left out", 2 * noticed >= len(left_out), "%d of %d are noticed" % (noticed, len(left_out)))
    return right


def check_fewer(checks, deck, where, whole):
    """Levels of multigrid that go to fewer ranks in steps or at once, and to one of them before they are whole."""
    options = ["run", deck, "--profile", "--set", "report.end=20"]
    for ranks, levels in ((3, "150,0"), (5, "60,0"), (8, "1000000,200"))[::runs.every(3, 3)]:
        done = start(ranks, options + ["-o", "fewer"], where, HEPTA_TEST_RANKS_LEVELS=levels)
        odd = differences(whole, numbers(where, "fewer"))
        checks.true("%d ranks, levels %s" % (ranks, levels), not odd, "other bits: %s" % odd[:5])
        lines = iter(done.stdout.splitlines())
        next((line for line in lines if line.split()[:3] == ["level", "rows", "ranks"]), None)
        on = []
        for words in (line.split() for line in lines):
            if len(words) != 7 or words[0] != str(len(on)):
                break
            on.append(int(words[2]))
        checks.true("%d ranks, levels %s: on fewer ranks" % (ranks, levels), len(on) > 1 and on[0] == ranks > on[-1] and
                    on == sorted(on, reverse=True), on)


def check_cuts(checks, deck, where, whole):
    """Cuts by chance. whole: the numbers of a run by others."""
    options = ["run", deck, "-q", "--set", "report.end=20"]
    for seed in range(int(os.environ.get("HEPTA_TEST_CUTS", max(1, 2 // runs.every(2, 2))))):
        ranks = 2 + seed % 4
        start(ranks, options + ["-o", "cut"], where, HEPTA_TEST_RANKS_CUT=str(seed))
        odd = differences(whole, numbers(where, "cut"))
        checks.true("%d ranks, cut %d" % (ranks, seed), not odd, "other bits: %s" % odd[:5])


def check_killed(checks, deck, where):
    """A rank that is killed ends all; what was written stands, and another number of ranks goes on from it to the same bits."""
    options = ["-q", "--set", "timestep.max=1.0", "--set", "timestep.initial=0.5"]
    start(2, ["run", deck, "-o", "never"] + options, where)
    job = subprocess.Popen([MPIRUN, "-n", "3", runs.PROGRAM, "run", deck, "-o", "killed"] + options, cwd=where,
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    steps = os.path.join(where, "killed.steps")
    while job.poll() is None and (not os.path.isdir(steps) or len(os.listdir(steps)) < 3):
        time.sleep(0.01)
    found = subprocess.run(["pgrep", "-n", "-P", str(job.pid)], capture_output=True, text=True).stdout.split()
    if not found:
        checks.true("the run to be killed was found", False, "it was over")
        return
    os.kill(int(found[-1]), signal.SIGKILL)
    said = job.communicate(timeout=60)[0]
    checks.true("a killed rank ends the run", job.returncode != 0, "exit code 0")
    tells = "hydra" in os.path.realpath(MPIRUN) or "--restart killed" in said  # which has another signal for the others
    checks.true("rank 0 says once how to go on", tells and said.count("hepta: ") < 2, said)
    start(2, ["run", deck, "--restart", "killed"] + options, where)
    odd = [k for k in differences(numbers(where, "never"), numbers(where, "killed")) if "restart" not in k]
    checks.true("a run that was killed goes on", not odd, "other bits: %s" % odd[:5])


def check_wells(checks, where):
    """Decks by chance: producers in which much fluid crosses look for their bhp, levels of pressure that nothing holds move so far
    only, what has nowhere to go is dropped."""
    for seed in (24920, -107)[:2 // runs.every(1, 2)]:
        path = os.path.join(where, "random%d.cfg" % seed)
        with open(path, "w", encoding="utf-8") as f:
            f.write(random_decks.Deck(abs(seed), rigid=seed < 0).text)
        same_bits(checks, path, "random%d" % seed, where, ["linear.preconditioner=block-jacobi"], ((1, 1), (3, 1)))


def check_alone(checks, where):
    """Of processes that MPI does not find as one run the first refuses for all, and says who can start them."""
    for number, said in (("0", 1), ("1", 0)):
        done = subprocess.run([runs.PROGRAM, "run", runs.deck("quarter_five_spot")], cwd=where, capture_output=True, text=True,
                              env=dict(os.environ, SLURM_STEP_NUM_TASKS="2", SLURM_PROCID=number))
        checks.true("process %s of two that are alone" % number, done.returncode == 2 and done.stdout == "" and
                    done.stderr.count("srun --mpi=list") == done.stderr.count("hepta: 2 processes") == said, done.stderr)
    checks.true("they leave no files", not [f for f in os.listdir(where) if f.startswith("quarter")], os.listdir(where))


def check_failures(checks, where):
    with open(os.path.join(where, "bad.cfg"), "w", encoding="utf-8") as f:
        f.write("grid = { size = [4, 4, 1]; };\n")
    done = start(3, ["run", "bad.cfg"], where, check=False)
    checks.true("a deck with errors", done.returncode == 2, done.returncode)
    said = [line for line in done.stderr.splitlines() if "bad.cfg" in line]
    checks.true("its errors are reported once", len(said) > 0 and len(said) == len(set(said)), done.stderr)
    done = start(3, ["run", runs.deck("quarter_five_spot"), "--backend", "cuda", "--set", "linear.execution=graph"], where, check=False)
    missing = "no CUDA device" in done.stderr or "has no CUDA" in done.stderr
    checks.true("ranks without a GPU, or whose solves are graphs", done.returncode != 0 and (missing or "per-operation" in done.stderr), done.stderr)
    checks.true("which is reported once", done.stderr.count("hepta: ") == 1, done.stderr)
    done = start(2, ["run", runs.deck("quarter_five_spot"), "--set", "linear.ordering=natural"], where, check=False)
    checks.true("an order that ranks would wait in is refused", done.returncode == 2 and "bricks" in done.stderr, done.stderr)
    done = start(2, ["run", runs.deck("quarter_five_spot"), "-o", "/dev/null/x"], where, check=False)
    checks.true("results that cannot be written", done.returncode != 0 and done.stderr.count("/dev/null/x") >= 1, done.stderr)


def main():
    checks = runs.Checks()
    with runs.folder() as where:
        faulted = os.path.join(where, "faulted.cfg")
        with open(faulted, "w", encoding="utf-8") as f:
            f.write(FAULTED.replace("time = 60.0", "time = 10.0").replace("time = 120.0", "time = 20.0")
                    .replace("every = 60.0; end = 180.0", "every = 10.0; end = 30.0"))
        whole = same_bits(checks, faulted, "faulted", where, ["report.end=20"], ((1, 1), (3, 2), (5, 1)))
        same_bits(checks, faulted, "faulted, dilu", where, ["linear.preconditioner=dilu", "report.end=20"], ((1, 1), (3, 1)))
        near_one_process(checks, faulted, "faulted", where, TIGHT + ["report.end=20"])
        channels = runs.deck("five_spot_channels")
        short = ["report.end=20", "report.every=10"]
        same_bits(checks, channels, "channels", where, short, ((1, 1), (2, 2)))
        few = ["grid.size=[3,8,1]", "wells.PROD.i=3", "wells.PROD.j=8", "report.end=0.5", "report.every=0.5", "linear.preconditioner=jacobi"]
        same_bits(checks, runs.deck("quarter_five_spot"), "three chunks of sums", where, few, ((1, 1), (5, 1)))
        check_hypre(checks, channels, where, short)
        aquifer = runs.deck("aquifer_fault")
        same_bits(checks, aquifer, "aquifer", where, ["report.end=20", "report.every=10"], ((1, 1), (3, 1)))
        check_files(checks, where)
        check_written(checks, where)
        check_far(checks, where)
        check_restart(checks, faulted, where, whole)
        right = check_exchanges(checks, faulted, where)
        check_fewer(checks, faulted, where, right)
        check_cuts(checks, faulted, where, right)
        check_killed(checks, faulted, where)
        check_wells(checks, where)
        check_failures(checks, where)
        check_alone(checks, where)
    return checks.result()


sys.exit(main())
