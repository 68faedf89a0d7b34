"""Exit codes at the edges: names that no file can have, a full disk behind standard output, standard output closed, and
`--` before a name that looks like an option."""
import os
import subprocess
import sys

import runs

LONG = "x" * 260


def refused(checks, what, done, said):
    checks.true(what + ": 2", done.returncode == 2, (done.returncode, done.stderr))
    checks.true(what + ": says why", said in done.stderr, done.stderr)


def names(checks, where):
    deck = runs.deck("quarter_five_spot")
    before = sorted(os.listdir(where))
    for name, said in (("a:b", "cannot hold ':'"), (".", "not a folder"), ("..", "not a folder"), ("./.", "not a folder"),
                       (LONG, "too long"), ("x" * 245, "too long"))[::runs.every(1, 3)]:
        refused(checks, "-o " + name[:20], runs.hepta("run", deck, "-o", name, where=where), said)
        refused(checks, "--dump-systems " + name[:20],
                runs.hepta("run", deck, "-o", "fine", "--dump-systems", name + ":1", where=where), said)
    for option in ("--log", "--json"):
        refused(checks, option, runs.hepta("run", deck, "-o", "fine", option + "=" + LONG, where=where), "too long")
    checks.true("nothing is written", sorted(os.listdir(where)) == before, os.listdir(where))


def with_output(arguments, where, stdout):
    return subprocess.run([runs.PROGRAM, *arguments], cwd=where, stdin=subprocess.DEVNULL, stdout=stdout,
                          stderr=subprocess.PIPE, universal_newlines=True, timeout=600)


def full(checks, where):
    """All that prints to standard output says that it could not."""
    deck, eclipse, end = runs.deck("quarter_five_spot"), runs.deck("FIVE_SPOT.DATA"), ["--set", "report.end=1.0"]
    with open("/dev/full", "w") as device:
        for arguments in (["--help"], ["--version"], ["run", "--help"], ["run", deck, "-o", "full", *end],
                          ["run", deck, "-o", "full", "-q", "--json", *end], ["check", deck], ["info", "known.h5"],
                          ["import", "-f", eclipse], ["paraview", "known.h5"], ["plot", "known.h5"], ["bench", "spmv", "--size", "4", "--seconds", "0.01"],
                          ["compare", deck, "--case", "a:", "--case", "b:", *end])[::runs.every(1, 2)]:
            done = with_output(arguments, where, device)
            what = "full device, " + " ".join(arguments[:2])
            checks.true(what + ": 1", done.returncode == 1, (done.returncode, done.stderr))
            checks.true(what + ": said", "written" in done.stderr or "cannot write" in done.stderr, done.stderr)


def closed(checks, where):
    """Closed streams: what is printed gets into no file that is opened later."""
    command = '"%s" run "%s" -o shut --set report.end=1.0 --log shut.log >&- 2>&-' % (runs.PROGRAM,
                                                                                     runs.deck("quarter_five_spot"))
    checks.true("closed streams: 0", subprocess.run(["/bin/sh", "-c", command], cwd=where).returncode == 0)
    done = runs.hepta("info", "shut.h5", where=where)
    checks.true("closed streams: the result is whole", done.returncode == 0, done.stderr)
    with open(os.path.join(where, "shut.log")) as f:
        checks.true("closed streams: the log is the log", f.read().startswith("hepta "))


def operands(checks, where):
    deck = runs.deck("quarter_five_spot")
    os.symlink("known.h5", os.path.join(where, "-known.h5"))
    checks.true("info -- FILE", runs.hepta("info", "--", "known.h5", where=where).returncode == 0)
    checks.true("info -- -FILE", runs.hepta("info", "--", "-known.h5", where=where).returncode == 0)
    checks.true("info FILE --help", runs.hepta("info", "known.h5", "--help", where=where).stdout.startswith("usage"))
    checks.true("check -- FILE", runs.hepta("check", "--", deck, where=where).returncode == 0)
    refused(checks, "info -x", runs.hepta("info", "-x", where=where), "no option '-x'")
    refused(checks, "info", runs.hepta("info", "--", where=where), "which result file?")


def main():
    checks = runs.Checks()
    with runs.folder() as where:
        runs.run("quarter_five_spot", where, ["report.end=1.0"], "known")
        names(checks, where)
        full(checks, where)
        closed(checks, where)
        operands(checks, where)
    return checks.result()


if __name__ == "__main__":
    sys.exit(main())
