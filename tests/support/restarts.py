"""Shared by the tests of restarts: a deck with wells of every kind, and results compared to the last bit."""
import csv
import os
import sys

import h5py

import runs

sys.path.insert(0, os.path.join(runs.SOURCE, "tests", "team"))
from test_run_bits import DECK  # noqa: E402

# Every report step can be gone on from, and is compared in double precision.
KEEP = ["output.restart=-1", "output.double=true"]
CPR = ["linear.preconditioner=cpr"]


def write_deck(where, text=DECK, name="base"):
    path = os.path.join(where, name + ".cfg")
    with open(path, "w") as f:
        f.write(text)
    return path


def sets(options):
    return [a for o in options for a in ("--set", o)]


def start(deck, base, options=KEEP, arguments=(), environment=None):
    """hepta run, whatever comes of it."""
    return runs.hepta("run", deck, "-o", base, "--progress", "never", *sets(options), *arguments,
                      environment=environment)


def go_on(deck, base, result, options=KEEP, arguments=(), environment=None):
    """hepta run --restart; base None: in the files of the result."""
    own = ["-o", base] if base is not None else []
    return runs.hepta("run", deck, "--restart", result, "--progress", "never", *own, *sets(options), *arguments,
                      environment=environment)


def write_data(where, name, deck):
    """An Eclipse deck, a text or a flow.Deck."""
    path = os.path.join(where, name.upper() + ".DATA")
    with open(path, "w") as f:
        f.write(deck if isinstance(deck, str) else deck.text())
    return path


def same_bits(checks, where, name, deck, options, threads, pick):
    """The bits of one thread with each of `threads`, and of runs that go on from the report steps pick(all). Returns the run's base."""
    whole = os.path.join(where, name)
    done = start(deck, whole, options, ["--threads", "1"])
    checks.true(name + ": run", done.returncode == 0, done.stderr)
    for count in threads[::runs.every(1, 2)]:
        base = "%s-%d" % (whole, count)
        done = start(deck, base, options, ["--threads", "%d" % count])
        checks.true("%s: %d threads" % (name, count), done.returncode == 0, done.stderr)
        same_as(checks, "%s: %d threads" % (name, count), base, whole)
    with h5py.File(whole + ".h5", "r") as f:
        steps = [int(s) for s in f["step"][:]]
    for step in pick(steps)[::runs.every(1, 2)]:
        base = whole + "-part"
        done = go_on(deck, base, "%s:%d" % (whole, step), options, ["--threads", "2"])
        checks.true("%s from step %d" % (name, step), done.returncode == 0, done.stderr)
        same_as(checks, "%s from step %d" % (name, step), base, whole)
    return whole


def tables(base):
    """The columns of /summary and /solver, but for times by a clock, as bytes."""
    found = {}
    with h5py.File(base + ".h5", "r") as f:
        for group in ("summary", "solver"):
            for name, data in f[group].items():
                if data.attrs.get("unit") != "s":
                    found[group + "/" + name] = data[:].tobytes()
    return found


def solver_rows(base):
    """Rows of the solver's CSV without times by a clock."""
    with open(base + ".solver.csv", newline="") as f:
        rows = list(csv.reader(f))
    keep = [n for n, head in enumerate(rows[0]) if not head.endswith("[s]")]
    return [[row[n] for n in keep] for row in rows]


def text(path):
    with open(path) as f:
        return f.read()


def same_as(checks, what, base, whole, steps_may_be_more=False):
    """A result that was continued holds what the whole run holds: tables, CSV files, fields of each step it has."""
    mine, other = tables(base), tables(whole)
    differ = [name for name in other if mine.get(name) != other[name]]
    checks.true(what + ": tables", not differ and len(mine) == len(other), differ[:5])
    checks.true(what + ": summary.csv", text(base + ".summary.csv") == text(whole + ".summary.csv"))
    checks.true(what + ": solver.csv", solver_rows(base) == solver_rows(whole))
    mine, other = runs.datasets(base + ".h5"), runs.datasets(whole + ".h5")
    differ = [name for name in mine if mine[name] != other.get(name) and not (steps_may_be_more and name not in other)]
    checks.true(what + ": fields", not differ and len(mine) > 0, differ[:5])
    return set(other) - set(mine)
