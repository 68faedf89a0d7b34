"""hepta bench barrier on the CPU: its table, its CSV file; mistakes there and of hepta tune;
what both say where there is no GPU."""
import csv
import os
import sys

import runs

TESTS = ["bare", "sum", "work", "overlapped"]


def check_table(checks, where):
    path = os.path.join(where, "barrier.csv")
    done = runs.hepta("bench", "barrier", "--backend", "cpu", "--threads", "3", "--rounds", "20", "--repeat", "3",
                      "--csv", path)
    checks.true("runs", done.returncode == 0 and not done.stderr, done.stderr)
    with open(path, newline="") as f:
        rows = list(csv.DictReader(f))
    checks.true("every team and test", [(r["threads"], r["test"]) for r in rows] ==
                [(str(n), t) for n in (1, 2, 3) for t in TESTS], rows)
    for r in rows:
        least, median, most = float(r["least"]), float(r["seconds"]), float(r["most"])
        checks.true("times in order", 0 < least <= median <= most, r)
        checks.true("what was measured", (r["rounds"], r["repeat"], r["backend"]) == ("20", "3", "cpu"), r)
    lines = done.stdout.splitlines()
    checks.true("its columns", lines[1].split()[-4:] == TESTS, lines[1])
    for line, row in zip(lines[2:], rows[::4]):  # three decimals in the table, six digits in the file
        shown = float(line.split()[4])
        checks.true("the table has the file's numbers", line.split()[3] == row["threads"] and
                    abs(shown - 1e6 * float(row["seconds"])) < 1e-3 + 1e-5 * shown, line)


def check_mistakes(checks, where):
    for arguments, word in ((["bench", "barrier", "--rounds", "0"], "--rounds"),
                            (["bench", "barrier", "--repeat", "x"], "--repeat"),
                            (["bench", "barrier", "--threads", "2"], "--backend cpu"),
                            (["bench", "barrier", "--backend", "abacus"], "abacus"),
                            (["bench", "barrier", "--backend", "cpu", "--gpus", "2"], "--gpus is for --backend cuda"),
                            (["bench", "barrier", "--gpus", "0"], "--gpus takes"),
                            (["bench", "barrier", "more"], "more"), (["bench", "barrier", "--csv"], "needs a value"),
                            (["bench", "barrier", "--backend", "cpu", "--csv", "/proc/none/x"], "/proc/none/x"),
                            (["tune", "--size", "20"], "--size"), (["tune", "--size", "20x20x"], "--size"),
                            (["tune", "--size", "20x0x20"], "--size"), (["tune", "--rounds", "0"], "--rounds"),
                            (["tune", "--rounds", "100"], "--rounds"), (["tune", "-o"], "needs a value"),
                            (["tune", "--iterations", "x"], "--iterations"), (["tune", "--what", "formats"], "formats"),
                            (["tune", "--q", "17"], "--q"), (["tune", "--q", "0"], "--q"), (["tune", "--trials", "-1"], "--trials"),
                            (["tune", "--seed", "x"], "--seed"), (["tune", "deck.cfg"], "deck.cfg"),
                            (["tune", "--gpus", "0"], "--gpus takes"),
                            (["tune", "--gpus", "2", "--what", "solves,vectors"], "only solves are tuned"),
                            (["tune", "--csv", "/proc/none/x"], "/proc/none/x"), (["tune", "--fast"], "--fast")):
        done = runs.hepta(*arguments, where=where)
        checks.true(" ".join(arguments), done.returncode == 2 and word in done.stderr and not done.stdout, done.stderr)
    for arguments in (["bench", "barrier", "--help"], ["tune", "--help"]):
        done = runs.hepta(*arguments)
        checks.true(" ".join(arguments), done.returncode == 0 and "usage: hepta " + arguments[0] in done.stdout)
        checks.true("within 100 columns", all(len(line) <= 100 for line in done.stdout.splitlines()))


def check_output(checks, where):
    """hepta tune -o FILE that cannot be written: said before a GPU is looked for, and nothing is made."""
    environment = dict(os.environ, CUDA_VISIBLE_DEVICES="")
    for name, word in ((".", "is not a file"), ("new/", "is not a file"), ("/dev/null", "is not a file"),
                       ("barrier.csv/x.cfg", "'barrier.csv' is not a folder"),
                       ("barrier.csv/new/x.cfg", "Not a directory"), ("x" * 2000, "")):
        done = runs.hepta("tune", "-o", name, where=where, environment=environment)
        checks.true("-o " + name[:30], done.returncode == 2 and word in done.stderr and not done.stdout and
                    done.stderr.startswith("hepta tune: -o " + name[:200]), done.stderr)
    if os.geteuid() != 0:
        closed = os.path.join(where, "closed")
        os.mkdir(closed, 0o500)
        done = runs.hepta("tune", "-o", os.path.join(closed, "new", "x.cfg"), where=where, environment=environment)
        checks.true("a closed folder", done.returncode == 2 and "Permission denied" in done.stderr, done.stderr)
        os.rmdir(closed)
    done = runs.hepta("tune", "-o", os.path.join("new", "x.cfg"), where=where, environment=environment)
    checks.true("a folder to be made is no mistake", "CUDA" in done.stderr and "new" not in done.stderr, done.stderr)


def check_without_gpu(checks, where):
    """No CUDA in the build: 2; CUDA but no GPU to be seen: 1. Nothing is written."""
    environment = dict(os.environ, CUDA_VISIBLE_DEVICES="", XDG_CACHE_HOME=os.path.join(where, "cache"))
    for arguments in (["bench", "barrier"], ["tune"], ["tune", "-o", os.path.join(where, "here.cfg")]):
        done = runs.hepta(*arguments, where=where, environment=environment)
        built = "no CUDA device" in done.stderr
        checks.true(" ".join(arguments) + " without a GPU", done.returncode == (1 if built else 2) and
                    (built or "no CUDA" in done.stderr), "%d %s" % (done.returncode, done.stderr))
        checks.true("it says what else to do", "cpu" in done.stderr.lower(), done.stderr)
    checks.true("nothing is written", os.listdir(where) == ["barrier.csv"], os.listdir(where))


checks = runs.Checks()
with runs.folder() as folder:
    check_table(checks, folder)
    check_mistakes(checks, folder)
    check_output(checks, folder)
    check_without_gpu(checks, folder)
sys.exit(checks.result())
