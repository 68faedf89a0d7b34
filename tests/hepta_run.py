"""Running hepta from a test and reading what it wrote.

ctest sets HEPTA (the program) and HEPTA_SOURCE (the repository); real decks and
reference results are looked for in HEPTA_SHARED, or in `shared` beside the
repository. A test that lacks its data or tool calls skip().
"""
import csv
import os
import subprocess
import sys
import tempfile

SOURCE = os.environ.get("HEPTA_SOURCE", os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAM = os.environ.get("HEPTA", os.path.join(SOURCE, "build", "release", "hepta"))
failures = []


def skip(why):
    """Ends the test as skipped."""
    print("skipped:", why)
    sys.exit(77)


def shared(*path):
    """A file of the shared data, or skip."""
    root = os.environ.get("HEPTA_SHARED", os.path.join(os.path.dirname(SOURCE), "shared"))
    full = os.path.join(root, *path)
    if not os.path.exists(full):
        skip("no " + os.path.join(*path))
    return full


def deck(name):
    """A bundled deck."""
    return os.path.join(SOURCE, "decks", name)


def scratch():
    """A folder that goes away with the test."""
    folder = tempfile.TemporaryDirectory(prefix="hepta-test-")
    _keep.append(folder)
    return folder.name


_keep = []


def run(deck_path, name, settings=(), options=(), expect=0, timeout=1500):
    """Runs a deck into results called `name`; returns the finished process."""
    command = [PROGRAM, "run", deck_path, "-o", name, "--progress", "never"]
    for s in settings:
        command += ["--set", s]
    command += list(options)
    done = subprocess.run(command, capture_output=True, text=True, timeout=timeout)
    if done.returncode != expect:
        print(" ".join(command), "ended with", done.returncode, file=sys.stderr)
        print(done.stdout[-2000:], done.stderr[-4000:], file=sys.stderr)
        sys.exit(1)
    return done


class Table:
    """A summary CSV: columns by vector name, with or without the unit in brackets."""

    def __init__(self, path):
        with open(path, newline="") as f:
            rows = list(csv.reader(f))
        self.header = rows[0]
        self.column = {}
        for c, title in enumerate(rows[0]):
            name = title.split("[")[0]
            self.column.setdefault(name, []).append([row[c] for row in rows[1:]])
        self.rows = len(rows) - 1

    def __contains__(self, name):
        return name in self.column

    def __getitem__(self, name):
        return [float(v) for v in self.column[name][0]]

    def text(self, name):
        return self.column[name][0]

    def at(self, name, time):
        """Value at a time that the table has (to a part in a million)."""
        times = self["TIME"]
        best = min(range(len(times)), key=lambda n: abs(times[n] - time))
        if abs(times[best] - time) > 1e-6 * max(1.0, time):
            raise KeyError("no row at time %g" % time)
        return self[name][best]


def mass_balance(process):
    """The errors of oil and water in the table at the end of a run."""
    lines = process.stdout.splitlines()
    start = next(n for n, line in enumerate(lines) if line.startswith("Mass balance"))
    return [abs(float(lines[start + 1 + p].split()[-1])) for p in range(2)]


def check(condition, text):
    """Notes a failure and goes on."""
    print(("ok    " if condition else "FAILED ") + text)
    if not condition:
        failures.append(text)


def finish():
    sys.exit(1 if failures else 0)
