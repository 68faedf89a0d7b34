"""Runs decks with the program under test and reads the results; for the Python tests.

    with runs.folder() as folder:
        r = runs.run("quarter_five_spot", folder, ["report.end=100"])
        checks = runs.Checks()
        checks.near("oil rate", r.vector("FOPR")[-1], 100.0, 1e-3)
    sys.exit(checks.result())

Environment: HEPTA the program, HEPTA_SOURCE the repository (set by ctest). Real
decks and reference results are looked for in HEPTA_SHARED, or in `shared` beside
the repository; a test that lacks its data or tool calls skip().
"""
import contextlib
import csv
import importlib.util
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile

SKIPPED = 77
PROGRAM = os.environ.get("HEPTA", "")
SOURCE = os.environ.get("HEPTA_SOURCE", os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DAY, BAR, MILLIDARCY, CENTIPOISE = 86400.0, 1e5, 9.869232667160130e-16, 1e-3

# Groups of a deck that many tests begin with.
FLUIDS = """
fluids = {
  water = { density = 1020.0; reference_pressure = 180.0; compressibility = 4.4e-5; viscosity = 0.5; };
  oil = { density = 850.0; reference_pressure = 180.0; compressibility = 1.2e-4; viscosity = 1.5; };
};
saturation = { model = "corey"; swc = 0.2; sor = 0.2; krw_max = 0.5; nw = 2.0; no = 2.0; };
rock = { reference_pressure = 180.0; compressibility = 4.0e-5; };
"""


class Later:
    """A module that is imported when something of it is asked for: it takes a third of a second, and many tests never ask."""

    def __init__(self, name):
        self.module = name

    def __getattr__(self, what):
        return getattr(importlib.import_module(self.module), what)


if importlib.util.find_spec("h5py") is None or importlib.util.find_spec("numpy") is None:
    print("skipped: needs h5py and numpy")
    sys.exit(SKIPPED)
h5py, numpy = Later("h5py"), Later("numpy")


def every(usual, sanitized):
    """Of a long row of cases each n-th is run: this n, usually and under a sanitizer, which makes them many times slower and
    sees in few what it sees in all. HEPTA_TEST_EVERY in the environment is this n whatever the build; 1 runs all."""
    asked = os.environ.get("HEPTA_TEST_EVERY")
    n = int(asked) if asked else sanitized if os.environ.get("HEPTA_SANITIZED") else usual
    return max(1, n)


def skip(why):
    """Ends the test as skipped."""
    print("skipped:", why)
    sys.exit(SKIPPED)


def find_shared(*path):
    """A file of the shared data, or None."""
    root = os.environ.get("HEPTA_SHARED", os.path.join(os.path.dirname(SOURCE), "shared"))
    full = os.path.join(root, *path)
    return full if os.path.exists(full) else None


def shared(*path):
    """A file of the shared data, or skip."""
    full = find_shared(*path)
    if full is None:
        skip("no " + os.path.join(*path))
    return full


MEMORY, ROOM = "/dev/shm", 2 << 30


def folder():
    """A temporary folder for the results, removed at the end of `with`; in memory where this has room, since a small run waits
    for the disk (fsync) longer than it computes. TMPDIR in the environment is the place whatever it is."""
    where = None
    if "TMPDIR" not in os.environ and os.access(MEMORY, os.W_OK):
        disk = os.statvfs(MEMORY)
        where = MEMORY if disk.f_bavail * disk.f_frsize > ROOM else None
    return tempfile.TemporaryDirectory(prefix="hepta-test-", dir=where)


def deck(name):
    """Path of a bundled deck; without an extension it is a .cfg."""
    return os.path.join(SOURCE, "decks", name if os.path.splitext(name)[1] else name + ".cfg")


class Result:
    """The files of a run: base.h5, base.summary.csv, base.solver.csv; and what it printed."""

    def __init__(self, base, stdout, stderr):
        self.base, self.stdout, self.stderr = base, stdout, stderr
        self.summary = read_csv(base + ".summary.csv")
        self.solver = read_csv(base + ".solver.csv")
        with h5py.File(base + ".h5", "r") as f:
            self.times = f["time"][:] / DAY  # of the fields, days
            self.steps = f["step"][:]

    def vector(self, name):
        """A column of the summary by its name without unit, such as "WBHP:P1": numbers or texts, a row a time step."""
        return self.summary[name]

    def field(self, name, report=-1):
        """Cell field [nz][ny][nx] of a report, in SI: "pressure" or "sw". Report 0 is the initial state."""
        with h5py.File(self.base + ".h5", "r") as f:
            return f["steps/%06d/%s" % (self.steps[report], name)][:].astype(float)

    def static(self, name):
        """porosity, permx [mD], depth [m], ...: [nz][ny][nx]."""
        with h5py.File(self.base + ".grid.h5", "r") as f:
            return f["static/" + name][:].astype(float)

    def at(self, time, name):
        """The summary's value at the last row with TIME <= time (days, by rounding)."""
        t = self.summary["TIME"]
        rows = [n for n in range(len(t)) if t[n] <= time * (1.0 + 1e-9) + 1e-9]
        return self.summary[name][rows[-1]]

    def mass_balance_errors(self):
        """The relative errors of oil and water in the table at the end of the run."""
        after = self.stdout[self.stdout.index("Mass balance"):].splitlines()[1:3]
        return [abs(float(line.split()[-1])) for line in after]


class Table:
    """A summary CSV, ours or another simulator's; values are found by time."""

    def __init__(self, path):
        self.columns = read_csv(path)

    def __getitem__(self, name):
        """Plain numbers, so that dividing by zero is an error and no NaN; texts where not all are numbers."""
        return list(self.columns[name]) if isinstance(self.columns[name], list) else self.columns[name].tolist()

    def at(self, name, time):
        """The value of the row at that time; KeyError if no row is there (to a part in a million)."""
        times = self["TIME"]
        best = min(range(len(times)), key=lambda n: abs(times[n] - time))
        if abs(times[best] - time) > 1e-6 * max(1.0, time):
            raise KeyError("no row at time %g" % time)
        return self[name][best]


@contextlib.contextmanager
def edited(path):
    """A file of a result that a test changes, as one of an earlier version, which had no checksums; a restart file, which is of
    this version alone, with a list of checksums that names nothing."""
    with h5py.File(path, "r+") as f:
        yield f
        f.attrs.pop("checksums", None)
        if f.attrs.get("format") == "hepta restart":
            f.attrs["checksums"] = "%016x\n" % 0
        elif f.attrs.get("format_version", 0) > 1:
            f.attrs.modify("format_version", 1)


def datasets(path):
    """All cell fields of a result by step and name, as bytes: for comparing to the last bit."""
    found = {}
    with h5py.File(path, "r") as f:
        for step in f["steps"]:
            for name, data in f["steps"][step].items():
                found[step + "/" + name] = data[:].tobytes()
    return found


def read_csv(path, keep_units=False):
    """Columns by name without [unit]; numbers where every entry is one."""
    with open(path, newline="") as f:
        rows = list(csv.reader(f))
    columns = {}
    for n, head in enumerate(rows[0]):
        text = [row[n] for row in rows[1:]]
        try:
            values = numpy.array([float(v) for v in text])
        except ValueError:
            values = text
        columns[head if keep_units else re.sub(r"\[[^]]*\]$", "", head)] = values
    return columns


def hepta(*arguments, where=None, timeout=600, environment=None):
    """The program with these arguments in the folder `where`: the finished process, whatever its exit code."""
    if not PROGRAM:
        print("HEPTA is not set: name the program to test")
        sys.exit(1)
    return subprocess.run([PROGRAM, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, universal_newlines=True, cwd=where, timeout=timeout, env=environment)


def processes():
    """Of hepta, as seen from here: the number, the words and the environment of each."""
    found = []
    for number in filter(str.isdigit, os.listdir("/proc")):
        try:
            words, environment = (pathlib.Path("/proc", number, name).read_bytes().split(b"\0") for name in ("cmdline", "environ"))
        except OSError:  # it has ended, or is somebody else's
            continue
        if words[0] == PROGRAM.encode():
            found.append((int(number), words, environment))
    return found


def skip_unless_cuda(done):
    """Of a run with --backend cuda: skipped where this build or this machine has none."""
    if done.returncode != 0 and ("no CUDA" in done.stderr or "compute capability" in done.stderr):
        skip(done.stderr.strip().splitlines()[-1])


def skip_without_gpu(where):
    skip_unless_cuda(hepta("run", deck("gravity_capillary"), "-o", os.path.join(where, "try"), "--backend", "cuda", "--set",
                           "report.times=[1.0]"))


def documented_product():
    """product(file, x), the product with the matrix of a linear system's file as docs/reference/output.md has it."""
    with open(os.path.join(SOURCE, "docs", "reference", "output.md"), encoding="utf-8") as f:
        text = next(b for b in re.findall(r"```python\n(.*?)```", f.read(), re.S) if "def product" in b)
    names = {}
    exec(text, names)
    return names["product"]


def on_terminal(arguments, where, width, **environment):
    """stderr on a terminal of that width, stdout in a pipe: what the terminal got."""
    import fcntl
    import pty
    import struct
    import termios

    env = {**os.environ, "TERM": "xterm", "LC_ALL": "C.UTF-8", "NO_COLOR": "", **environment}
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
    process = subprocess.Popen([PROGRAM] + arguments, cwd=where, stdout=subprocess.DEVNULL, stderr=slave,
                               stdin=subprocess.DEVNULL, env=env)
    os.close(slave)
    text = b""
    while True:
        try:
            piece = os.read(master, 65536)
        except OSError:  # the other end is closed
            piece = b""
        if not piece:
            break
        text += piece
    os.close(master)
    return process.wait(), text.decode()


def run(deck_name, where, options=(), name=None, arguments=()):
    """Runs a bundled deck (or a path to one) with --set options; ends the test if the program fails."""
    path = deck_name if os.path.sep in deck_name else deck(deck_name)
    base = os.path.join(where, name or os.path.splitext(os.path.basename(path))[0])
    command = ["run", path, "-o", base] + [a for o in options for a in ("--set", o)] + list(arguments)
    done = hepta(*command, timeout=1500)
    if done.returncode != 0:
        print("hepta", " ".join(command), "\nended with", done.returncode)
        print(done.stdout[-2000:], done.stderr[-4000:])
        sys.exit(1)
    return Result(base, done.stdout, done.stderr)


class Checks:
    """Collects failures, one line each; with `say` also prints what is right."""

    def __init__(self, say=False):
        self.failures, self.say = 0, say

    def true(self, what, condition, detail=""):
        if condition and self.say:
            print("ok    ", what, detail)
        if not condition:
            self.failures += 1
            print("failed: %s %s" % (what, detail))

    def near(self, what, value, expected, tolerance):
        ok = math.isfinite(value) and abs(value - expected) <= tolerance
        self.true(what, ok, "is %.9g, expected %.9g within %.3g" % (value, expected, tolerance))

    def between(self, what, value, low, high):
        self.true(what, low <= value <= high, "is %.9g, expected %.9g to %.9g" % (value, low, high))

    def result(self):
        return 0 if self.failures == 0 else 1
