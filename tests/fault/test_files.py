"""The program is killed at calls that change files, each 23rd of them from another one on, writes torn or not (with
HEPTA_FAULTS_STRIDE=1 in the environment at every single one): all that its master names can be read, by h5py and by
ParaView, is what the undisturbed run wrote, and the run goes on from it to the same end. So in a run that goes on in
place. A disk that is full, a quota, a disk that fails: an error that names a file, exit code 1, what was written before
can be read. Two runs do not write the same files; files of another kind are not removed."""
import os
import shutil
import signal
import subprocess
import sys
import time

import h5py

import restarts
import runs

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import faults  # noqa: E402

PVBATCH = shutil.which("pvbatch")
STRIDE = min(23, int(os.environ.get("HEPTA_FAULTS_STRIDE", "23")))


def kills(checks, where, deck, whole, kind, options, least, first):
    """Kills at each STRIDE-th call; goes on from what is left, under another name and in place."""
    started, at = 0, first - STRIDE
    while True:
        at += STRIDE
        what = "%s at call %d" % (kind, at)
        base = os.path.join(where, "%s%d" % (kind, at))
        done = faults.start(deck, base, kind, at, options)
        if done.returncode == 0:
            break
        checks.true(what, done.returncode == -signal.SIGKILL, done.returncode)
        steps = faults.look(checks, what, base, whole)
        if not steps:
            continue
        started += 1
        again = os.path.join(where, "again")
        done = faults.go_on(deck, again, base, "none", 0)
        checks.true(what + ": goes on under another name", done.returncode == 0, done.stderr)
        restarts.same_as(checks, what + ", under another name", again, whole)
        done = faults.go_on(deck, None, base, "none", 0)
        checks.true(what + ": goes on in place", done.returncode == 0, done.stderr)
        restarts.same_as(checks, what + ", in place", base, whole)
        checks.true(what + ": all its steps", faults.steps_of(base) == faults.steps_of(whole), faults.steps_of(base))
        stray = [f for f in os.listdir(base + ".steps") if f.endswith(".tmp")]
        checks.true(what + ": nothing left behind", not stray, stray)
        if checks.failures > 5:
            break
    print("%s: %d calls, %d of them left something to go on from" % (kind, at - 1, started))
    checks.true(kind + ": many calls", at > 60 and started > least // STRIDE, (at, started))


def kills_going_on(checks, where, deck, whole):
    """A run that goes on in place is killed at such calls, then goes on to the end."""
    begun = os.path.join(where, "begun")
    checks.true("begun", faults.start(deck, begun, "none", 0, faults.OPTIONS + ["report.end=4.0"]).returncode == 0)
    at = 1 - STRIDE
    while True:
        at += STRIDE
        what = "going on, torn at call %d" % at
        folder = os.path.join(where, "on%d" % at)
        os.mkdir(folder)
        for name in os.listdir(where):
            if name.startswith("begun."):
                source = os.path.join(where, name)
                (shutil.copytree if os.path.isdir(source) else shutil.copy)(source, os.path.join(folder, name))
        base = os.path.join(folder, "begun")
        done = faults.go_on(deck, None, base, "torn", at)
        if done.returncode == 0:
            break
        checks.true(what, done.returncode == -signal.SIGKILL, (done.returncode, done.stderr))
        checks.true(what + ": no step is lost", len(faults.look(checks, what, base, whole)) >= 3)
        done = faults.go_on(deck, None, base, "none", 0)
        checks.true(what + ": goes on", done.returncode == 0, done.stderr)
        restarts.same_as(checks, what, base, whole)
        shutil.rmtree(folder)
        if checks.failures > 5:
            break
    checks.true("going on: many calls", at > 30, at)


def shown(checks, where, deck, whole):
    """ParaView opens what kills left: the steps of each, without a word of complaint."""
    if PVBATCH is None:
        print("no pvbatch: not shown to ParaView")
        return
    bases, at = [], 1 - STRIDE
    while True:
        at += STRIDE
        base = os.path.join(where, "shown%d" % at)
        if faults.start(deck, base, "torn", at).returncode == 0:
            break
        if os.path.exists(base + ".xdmf2"):
            bases.append(base)
    script = os.path.join(where, "show.py")
    with open(script, "w") as f:
        f.write("import sys\nfrom paraview.simple import *\n"
                "for base in sys.argv[1:]:\n"
                "    r = OpenDataFile(base + '.xdmf2')\n"
                "    r.UpdatePipelineInformation()\n"
                "    times = list(r.TimestepValues) if hasattr(r.TimestepValues, '__len__') else [r.TimestepValues]\n"
                "    for t in times:\n"
                "        r.UpdatePipeline(t)\n"
                "        a = r.CellData.GetArray('pressure')\n"
                "        assert a is not None and a.GetRange()[0] > 1e6, (base, t)\n"
                "    r.UpdatePipeline()\n"
                "    assert r.GetDataInformation().GetNumberOfCells() == 24, base\n"
                "    print('shown', len(times))\n"
                "    Delete(r)\n")
    done = subprocess.run([PVBATCH, script, *bases], capture_output=True, text=True, timeout=600)
    said = done.stdout + done.stderr
    counts = [int(line.split()[1]) for line in done.stdout.splitlines() if line.startswith("shown")]
    checks.true("ParaView opens all", done.returncode == 0 and len(counts) == len(bases) > 30 // STRIDE and "ERROR" not in said.upper(),
                said[-1500:])
    masters = [len(faults.steps_of(b)) for b in bases]  # the xdmf2 file is written after the master
    checks.true("ParaView: the steps of the masters", all(n - 1 <= c <= n for c, n in zip(counts, masters)) and
                set(counts) >= {0, 1, 2, 3}, (counts, masters))


def full(checks, where, deck, whole, kind, said, first):
    at, before, late = first - STRIDE, 0, 0
    while True:
        at += STRIDE
        what = "%s from call %d on" % (kind, at)
        base = os.path.join(where, "full")
        for name in os.listdir(where):
            if name.startswith("full."):
                path = os.path.join(where, name)
                shutil.rmtree(path) if os.path.isdir(path) else os.remove(path)
        done = faults.start(deck, base, kind, at)
        if done.returncode == 0:
            break
        checks.true(what + ": 1", done.returncode == 1, (done.returncode, done.stderr))
        lines = [line for line in done.stderr.splitlines() if line and not line.startswith("To go on")]
        error = lines[-1] if lines else ""
        checks.true(what + ": says which file and why", error.startswith("hepta: ") and "cannot" in error and said in error and
                    ("full" in error or ".: " in error or where in error), done.stderr)
        if os.path.exists(base + ".h5"):
            late += len(faults.look(checks, what, base, whole)) > 1
        before += 1
        if checks.failures > 5:
            break
    checks.true(kind + ": many calls, some late", before > 60 // STRIDE and late > 10 // STRIDE, (before, late))


def still_going(checks, where, deck):
    base = os.path.join(where, "going")
    command = [runs.PROGRAM, "run", deck, "-o", base, "--progress", "never", "--threads", "1",
               *restarts.sets(["timestep.max=0.0001", "timestep.initial=0.0001", "report.every=0.5", "output.refresh=0.0"])]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True)
    limit = time.time() + 60.0
    while time.time() < limit and not (os.path.exists(base + ".h5") and len(faults.steps_of(base)) > 1):
        time.sleep(0.01)
    process.send_signal(signal.SIGSTOP)
    checks.true("still going: stopped on its way", process.poll() is None)
    had = runs.datasets(base + ".h5")
    for name, done in (("another run", restarts.start(deck, base)), ("going on in place", restarts.go_on(deck, None, base))):
        checks.true(name + ": 2", done.returncode == 2 and "still writing" in done.stderr, (done.returncode, done.stderr))
    checks.true("still going: nothing is lost", runs.datasets(base + ".h5") == had)
    done = restarts.go_on(deck, os.path.join(where, "beside"), base, [])
    checks.true("going on beside it", done.returncode == 0, done.stderr)
    process.send_signal(signal.SIGCONT)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    checks.true("still going: it ends well", process.returncode == 130, process.returncode)
    checks.true("afterwards: another run", restarts.start(deck, base).returncode == 0)


def not_ours(checks, where, deck):
    base = os.path.join(where, "rock")
    with h5py.File(base + ".h5", "w") as f:
        f["permx"] = [1.0, 2.0]
    done = restarts.start(deck, base)
    checks.true("a file of another kind: 2", done.returncode == 2 and "not a hepta result" in done.stderr, done.stderr)
    with h5py.File(base + ".h5", "r") as f:
        checks.true("it is still there", list(f["permx"][:]) == [1.0, 2.0])
    checks.true("nothing beside it", [n for n in os.listdir(where) if n.startswith("rock")] == ["rock.h5"])
    if os.geteuid() != 0:  # root may write anywhere
        closed = os.path.join(where, "closed")
        os.mkdir(closed, 0o500)
        done = restarts.start(deck, os.path.join(closed, "x"))
        checks.true("a folder that cannot be written", done.returncode == 2 and "cannot write in the folder" in done.stderr)


def includes(checks, where):
    """An include that is missing, a folder, or cut in the middle: the deck's error, nothing written."""
    text = faults.DECK.replace('rock = {', '@include "rock.inc"\nunused = {').split("unused = {")[0]
    deck = restarts.write_deck(where, text + faults.DECK.split("compressibility = 4.0e-5; };", 1)[1], "including")
    part = os.path.join(where, "rock.inc")
    base = os.path.join(where, "included")
    for name, content, said in (("missing", None, "rock.inc"), ("cut", "rock = { reference_pressure = 18", "rock.inc"),
                                ("folder", "", "rock.inc")):
        if name == "folder":
            os.remove(part)
            os.mkdir(part)
        elif content is not None:
            with open(part, "w") as f:
                f.write(content)
        done = restarts.start(deck, base, [])
        checks.true("include %s: 2" % name, done.returncode == 2 and said in done.stderr, (done.returncode, done.stderr))
    checks.true("includes: nothing is written", not any(n.startswith("included") for n in os.listdir(where)))


def main():
    faults.skip_without_library()
    checks = runs.Checks()
    with runs.folder() as where:
        deck = restarts.write_deck(where, faults.DECK)
        whole = os.path.join(where, "whole")
        done = faults.start(deck, whole, "none", 0)
        checks.true("undisturbed", done.returncode == 0, done.stderr)
        first = (1, min(3, STRIDE), min(5, STRIDE))
        kills(checks, where, deck, whole, "kill", faults.OPTIONS, 30, first[0])
        kills(checks, where, deck, whole, "torn", faults.OPTIONS, 30, first[1])
        # report steps that wait for their place in the master (output.refresh) are not lost but for the work
        kills(checks, where, deck, whole, "torn", ["output.double=true", "output.refresh=1e9"], 10, first[2])
        kills_going_on(checks, where, deck, whole)
        shown(checks, where, deck, whole)
        for kind, said, at in zip(("ENOSPC", "EDQUOT", "EIO"), ("No space left", "quota", "Input/output error"), first):
            full(checks, where, deck, whole, kind, said, at)
        still_going(checks, where, deck)
        not_ours(checks, where, deck)
        includes(checks, where)
    return checks.result()


if __name__ == "__main__":
    sys.exit(main())
