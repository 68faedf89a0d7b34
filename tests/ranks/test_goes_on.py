"""--restart by several ranks: no rank has the state of all cells, parts get theirs from the file, and the bits are those of a
run in which rank 0 has all; by other numbers of ranks than wrote it, from and to one process."""
import os
import sys

import h5py

import rank_runs
import runs

ROCK = "rock = { table = ( [100.0, 0.96, 0.70], [180.0, 0.99, 0.92], [300.0, 1.0, 1.0] ); irreversible = true; };"
LATER = """
multipliers = ( { time = 10.0; k = 1; face = "k+"; by = 0.5; }, { time = 40.0; i = [3, 9]; face = "i+"; by = 0.3; },
                { time = 40.0; connections = ( (2, 39, 2, 13, 1, 2), (7, 2, 1, 8, 2, 3), (5, 7, 2, 5, 8, 2) ); by = 2.0; } );
"""
SHORT = ["--set", "report.every=20", "--set", "timestep.max=10", "--set", "output.restart=-1"]


def go_on(where, deck, name, ranks, check=True, **environment):
    done = rank_runs.start(ranks, ["run", deck, "--restart", "BEGUN", "-o", name, "--set", "report.end=60"] + SHORT, where, check, **environment)
    return done, done.returncode == 0 and rank_runs.numbers(where, name)


def check_begun(checks, where, deck, by):
    """Of a run that `by` ranks have begun, 0: one process."""
    words = ["run", deck, "-o", "BEGUN", "--set", "report.end=20"] + SHORT
    done = rank_runs.start(by, words, where) if by > 0 else runs.hepta(*words, where=where)
    checks.true("begun by %d" % by, done.returncode == 0, done.stderr)
    with h5py.File(os.path.join(where, "BEGUN.steps", "restart_%06d.h5" % last_step(where)), "r") as f:
        checks.true("all arrays that there may be", {"lowest_pressure", "error_in_time", "rate_of_change"} <= set(f), list(f))
    right = go_on(where, deck, "WHOLE%d" % by, 2, HEPTA_TEST_RANKS_WHOLE="1")[1]
    for ranks in (3, 4) if by > 0 else (3,):
        done, found = go_on(where, deck, "PLANES%d" % by, ranks)
        checks.true("begun by %d, %d go on: no rank has all cells" % (by, ranks), "rank 0 holds" not in done.stdout + done.stderr, done.stderr)
        odd = rank_runs.differences(right, found)
        checks.true("begun by %d, %d go on" % (by, ranks), not odd and len(right) > 40, "other bits: %s" % odd[:5])
    return right


def last_step(where):
    return max(int(f[8:14]) for f in os.listdir(os.path.join(where, "BEGUN.steps")) if f.startswith("restart_"))


def check_in_place(checks, where, deck, right):
    """Where the first run was."""
    rank_runs.start(3, ["run", deck, "--restart", "BEGUN", "--set", "report.end=60"] + SHORT, where)
    found = rank_runs.numbers(where, "BEGUN")
    odd = [key for key in right if right[key] != found.get(key)]
    checks.true("in the place of the first run", not odd, "other bits: %s" % odd[:5])
    left = [f for folder, _, files in os.walk(where) for f in files if f.endswith(".tmp")]
    checks.true("no temporary files are left", not left, left)


def check_one_process(checks, where, deck):
    """One process goes on with what ranks have begun, to the same results but for the rounding of sums."""
    runs.hepta("run", deck, "--restart", "BEGUN", "-o", "ALONE", "--set", "report.end=60", *SHORT, where=where)
    last = [runs.read_csv(os.path.join(where, name + ".summary.csv"))["FOPT"][-1] for name in ("ALONE", "WHOLE2")]
    checks.near("one process goes on", last[0], last[1], 1e-3 * last[1])


def check_steered(checks, where, deck):
    """The first rank reads what --control says; all have it, at a restart, too."""
    with open(os.path.join(where, "lines.txt"), "w") as f:
        f.write("continue\nwell BHP bhp=120\nwell LONG j=[6, 20] perforations=shut\ngroup FIELD reinjection=1\ncontinue\n")
    words = ["-q", "--set", "report.end=60"] + SHORT
    for ranks in (1, 2):
        rank_runs.start(ranks, ["run", deck, "-o", "STEERED%d" % ranks, "--control", "lines.txt"] + words, where)
    right, found = (rank_runs.numbers(where, "STEERED%d" % ranks) for ranks in (1, 2))
    odd = rank_runs.differences(right, found)
    checks.true("steered, by two", not odd and len(right) > 40, "other bits: %s" % odd[:5])
    with h5py.File(os.path.join(where, "STEERED2.h5"), "r") as f:
        step = int(f["step"][-2])
    rank_runs.start(3, ["run", deck, "-o", "LATER", "--restart", "STEERED2:%d" % step] + words, where)
    rows = [rank_runs.numbers(where, name)["summary"] for name in ("STEERED1", "LATER")]
    checks.true("steered, by three from a restart", rows[0] == rows[1])


def check_refused(checks, where, deck):
    """A deck that differs, an array of another shape, a value that cannot be: what one process says, and the results stand."""
    with open(deck, encoding="utf-8") as f:
        text = f.read()
    other = os.path.join(where, "other.cfg")
    with open(other, "w", encoding="utf-8") as f:
        f.write(text.replace("[3.0, 3.0, 1.0]", "[3.0, 3.1, 1.0]"))
    damaged = os.path.join(where, "BEGUN.steps", "restart_%06d.h5" % last_step(where))
    for what, path in (("another deck", other), ("another shape", deck), ("a pressure that is no number", deck)):
        if path == deck:
            with runs.edited(damaged) as f:
                balance = f["/balance"][...]
                del f["/balance"]
                f["/balance"] = balance.reshape(balance.shape[::-1])
                if what != "another shape":
                    f["/pressure"][1500] = float("nan")
        one = runs.hepta("run", path, "--restart", "BEGUN", "-o", "NONE", "--set", "report.end=60", *SHORT, where=where)
        many = go_on(where, path, "NONE", 3, check=False)[0]
        said = [[line for line in done.stderr.splitlines() if "BEGUN" in line] for done in (one, many)]
        checks.true(what, one.returncode == many.returncode == 2 and said[0] == said[1] and len(said[0]) > 0, (said, many.stderr))
        checks.true(what + ": no results", not [f for f in os.listdir(where) if f.startswith("NONE")], os.listdir(where))


def check_flow(checks, where):
    """As OPM Flow is started by several processes: one log, everything said once, the results of one process."""
    link = os.path.join(where, "flow")
    os.symlink(runs.PROGRAM, link)
    with open(runs.deck("FIVE_SPOT.DATA")) as f, open(os.path.join(where, "FIVE.DATA"), "w") as to:
        to.write(f.read().replace("11*30.5 /", "/").replace("12*30.5", "10"))
    many = rank_runs.start(3, ["FIVE", "--output-dir=many", "--linear-solver=x"], where, program=link)
    one = rank_runs.start(1, ["FIVE", "--output-dir=one"], where, program=link)
    with open(os.path.join(where, "many", "FIVE.PRT")) as f:
        log = f.read()
    checks.true("flow by 3 ranks", many.returncode == one.returncode == 0 and log.count("End of simulation") == 1 and many.stderr.count("--linear-solver=x") == 1,
                many.stderr + log[-300:])
    rows = [open(os.path.join(where, name, "FIVE.summary.csv")).read() for name in ("one", "many")]
    checks.true("flow by 3 ranks: the same rows", rows[0] == rows[1] != "")
    for arguments, words, code in ((["none"], "there is no such deck", 2), (["--help"], "usage: hepta-flow", 0), (["--report-versions"], ".", 0)):
        done = rank_runs.start(3, arguments, where, check=False, program=link)
        said = done.stdout if code == 0 else "".join(line for line in done.stderr.splitlines() if line.startswith("hepta"))
        checks.true("flow %s by 3 ranks says it once" % arguments[0], (done.returncode == 0) == (code == 0) and
                    (said.count(words) == 1 or len(said.splitlines()) == 1), said)


def main():
    checks = runs.Checks()
    with runs.folder() as where:
        deck = os.path.join(where, "deck.cfg")
        with open(deck, "w", encoding="utf-8") as f:
            f.write(rank_runs.FAULTED.replace("rock = { reference_pressure = 180.0; compressibility = 4.0e-5; };", ROCK) + LATER)
        check_begun(checks, where, deck, 0)
        right = check_begun(checks, where, deck, 2)
        check_one_process(checks, where, deck)
        check_in_place(checks, where, deck, right)
        check_steered(checks, where, deck)
        check_refused(checks, where, deck)
        check_flow(checks, where)
    return checks.result()


sys.exit(main())
