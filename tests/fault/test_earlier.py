"""Files that stand where a run is to write are checked before anything is touched: an earlier result that may not be
replaced as a whole is refused with exit code 2, all of its files as they were. Another user than the owner of the files
is asked for; root becomes one."""
import hashlib
import os
import shutil
import struct
import subprocess
import sys

import restarts
import runs

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import faults  # noqa: E402

OPTIONS = ["output.restart=-1"]
NOBODY = 65534


def state(where):
    """All files and folders below, with what the files hold."""
    found = {}
    for folder, _, names in os.walk(where):
        found[folder] = ""
        for path in (os.path.join(folder, name) for name in names):
            if os.path.islink(path):
                found[path] = os.readlink(path)
                continue
            with open(path, "rb") as f:
                found[path] = hashlib.sha256(f.read()).hexdigest()
    return found


def as_another(program, *arguments):
    """The program by a user who does not own the files, as restarts.start and go_on; where the tests are not root's by
    the same user, whose right to write is taken away."""
    def leave_root():
        if os.geteuid() == 0:
            os.setgid(NOBODY)
            os.setuid(NOBODY)
    return subprocess.run([program, "run", *arguments, "--progress", "never", *restarts.sets(OPTIONS)],
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=600, preexec_fn=leave_root)


def refused(checks, what, where, start, said):
    """Exit code 2, with what is said, and nothing is touched."""
    before = state(where)
    done = start()
    checks.true(what + ": 2", done.returncode == 2, (done.returncode, done.stderr))
    checks.true(what + ": says so", all(s in done.stderr for s in said), done.stderr)
    after = state(where)
    checks.true(what + ": nothing is touched", before == after,
                [p for p in {**before, **after} if before.get(p) != after.get(p)][:5])


def not_writable(checks, where, program, deck):
    """The folder of the step files may not be written, the one around it may: nothing of the result is lost."""
    public = os.path.join(where, "public")
    os.mkdir(public)
    base = os.path.join(public, "a")
    checks.true("a result", restarts.start(deck, base, OPTIONS).returncode == 0)
    os.chmod(public, 0o777)
    os.chmod(base + ".steps", 0o555)
    said = ["a.steps", "Permission denied", "-o"]
    refused(checks, "steps that cannot be written", where, lambda: as_another(program, deck, "-o", base), said)
    refused(checks, "going on in place", where, lambda: as_another(program, deck, "--restart", base), said)
    os.chmod(base + ".steps", 0o777)
    if os.geteuid() == 0:  # who owns the folder may remove whatever stands in it
        os.chmod(public, 0o1777)
        refused(checks, "files of somebody else in a sticky folder", where,
                lambda: as_another(program, deck, "-o", base), ["a.h5", "belongs to somebody else"])
        os.chmod(public, 0o777)
    done = as_another(program, deck, "-o", base)
    checks.true("where all may be written", done.returncode == 0, done.stderr)


def not_readable(checks, where, program, deck):
    """A file that may not be read does not count as missing."""
    private = os.path.join(where, "private")
    os.mkdir(private)
    base, on = os.path.join(private, "a"), os.path.join(where, "public", "on")
    checks.true("a result", restarts.start(deck, base, OPTIONS).returncode == 0)
    for path, named in ((base + ".steps", "a.steps/restart_000000.h5"), (private, "private/a.h5")):
        os.chmod(path, 0o000)
        done = as_another(program, deck, "--restart", base, "-o", on)
        checks.true(named + " cannot be read: 2", done.returncode == 2, (done.returncode, done.stderr))
        checks.true(named + ": says so", named + ": cannot be read: Permission denied" in done.stderr, done.stderr)
        os.chmod(path, 0o755)
    done = as_another(program, deck, "--restart", base, "-o", on)
    checks.true("where it can be read", done.returncode == 0, done.stderr)


def in_the_way(checks, where, deck):
    """A plain file where the folder is to be, a folder where a file is to be, a link that leads nowhere."""
    base = os.path.join(where, "way")
    with open(base + ".steps", "w") as f:
        f.write("notes")
    refused(checks, "a file named .steps", where, lambda: restarts.start(deck, base),
            ["way.steps", "exists and is not a folder"])
    os.remove(base + ".steps")
    os.symlink("nowhere", base + ".steps")
    refused(checks, "a link that leads nowhere", where, lambda: restarts.start(deck, base), ["cannot write in the"])
    os.remove(base + ".steps")
    checks.true("nothing in the way", restarts.start(deck, base).returncode == 0)
    os.remove(base + ".solver.csv")
    os.mkdir(base + ".solver.csv")
    refused(checks, "a folder named .solver.csv", where, lambda: restarts.start(deck, base), ["way.solver.csv"])


ECLIPSE = ["output.eclipse=true"]
SUFFIXES = [".EGRID", ".INIT", ".UNRST", ".SMSPEC", ".UNSMRY"]


def array(name, values):
    """An array of integers as Eclipse's binary files have them."""
    record = struct.pack(">i%di" % (len(values) + 1), 4 * len(values), *values, 4 * len(values))
    return struct.pack(">i8si4si", 16, name.ljust(8).encode(), len(values), b"INTE", 16) + record


def eclipse_files(checks, where, deck):
    """Another simulator's files in capital letters beside a deck are not overwritten, hepta's own are."""
    folder = os.path.join(where, "eclipse")
    os.mkdir(folder)
    base, upper = os.path.join(folder, "case"), os.path.join(folder, "CASE")
    heads = {".EGRID": array("FILEHEAD", [3, 2007] + 98 * [0]), ".INIT": array("INTEHEAD", [0] * 411),
             ".UNRST": array("SEQNUM", [0]) + array("INTEHEAD", [0] * 411), ".UNSMRY": array("SEQHDR", [1]),
             ".SMSPEC": array("INTEHEAD", [1, 100]) + array("DIMENS", [1, 4, 3, 2, 0, 0])}
    for suffix in SUFFIXES:
        head = heads[suffix]
        for what, content in (("another simulator's", head), ("a cut", head[:30]), ("a text", b"notes\n")):
            with open(upper + suffix, "wb") as f:
                f.write(content)
            refused(checks, "%s %s" % (what, suffix), where, lambda: restarts.start(deck, base, ECLIPSE),
                    ["CASE" + suffix, "exists and is not a hepta result", "-o"])
        os.remove(upper + suffix)
    checks.true("hepta's own", restarts.start(deck, base, ECLIPSE).returncode == 0)
    first = state(folder)
    checks.true("all five", all(upper + suffix in first for suffix in SUFFIXES), sorted(first))
    done = restarts.start(deck, base, ECLIPSE)
    checks.true("hepta's own again", done.returncode == 0, done.stderr)
    second = state(folder)
    checks.true("the same", all(first[upper + suffix] == second[upper + suffix] for suffix in SUFFIXES))
    refused(checks, "a name in other letters", where, lambda: restarts.start(deck, upper, ECLIPSE),
            ["capital", "result case"])
    for name in (base, upper):
        done = restarts.start(deck, name)
        checks.true("without the option they do not matter", done.returncode == 0, done.stderr)


def main():
    checks = runs.Checks()
    with runs.folder() as where:
        os.chmod(where, 0o755)
        program = shutil.copy(runs.PROGRAM, os.path.join(where, "hepta"))  # where every user can reach it
        deck = restarts.write_deck(where, faults.DECK)
        not_writable(checks, where, program, deck)
        not_readable(checks, where, program, deck)
        in_the_way(checks, where, deck)
        eclipse_files(checks, where, deck)
    return checks.result()


if __name__ == "__main__":
    sys.exit(main())
