"""SIGUSR1 stops a run after its time step, however long that takes: sent to mpirun, which passes it on to all ranks, or to one
process. The command that the run names goes on from there to the bits of a run that never stopped. Readers of standard output
or error that go away stop a run likewise, by ranks as by one process, with one message; so does SIGTERM for mpirun. A rank that
crashes ends the run. The fields of a run whose step fails are corrected as its totals are."""
import os
import re
import shlex
import signal
import subprocess
import sys
import time

import h5py

import rank_runs
import runs

from rank_runs import MPIRUN

# MPICH's starter at times ends with 0 after a signal, whatever its processes end with; where it ends itself it gives them no time to
# say anything.
HYDRA = "hydra" in os.path.realpath(MPIRUN)
SHORT = ["--set", "timestep.max=0.4", "--set", "timestep.initial=0.4", "--set", "report.end=120", "--set", "report.every=60"]


def summary(where, name):
    with open(os.path.join(where, name + ".summary.csv"), encoding="utf-8") as f:
        return f.read()


def fields(where, name):
    with h5py.File(os.path.join(where, name + ".h5"), "r") as f:
        last = "steps/%06d/" % f["step"][-1]
        return f[last + "pressure"][()].tobytes() + f[last + "sw"][()].tobytes()


def stop(checks, what, words, name, where):
    """The command with which the run goes on."""
    log = os.path.join(where, name + ".log")
    job = subprocess.Popen(words + ["run", runs.deck("quarter_five_spot"), "-o", name, "-q", "--log", log] + SHORT, cwd=where,
                           stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    until = time.time() + 60.0
    while time.time() < until and not (os.path.exists(log) and "  step 20 " in open(log, encoding="utf-8").read()):
        time.sleep(0.01)
    job.send_signal(signal.SIGUSR1)
    said = job.communicate(timeout=60)[1]
    code = job.returncode == 130 or (HYDRA and words[0] == MPIRUN and job.returncode == 0)
    checks.true(what + ": stops", code and "interrupted at time" in said, "%d: %s" % (job.returncode, said))
    found = re.search(r"^To go on: (.*)$", said, re.M)
    checks.true(what + ": can go on", found is not None, said)
    return found.group(1)


# Readers go, and signals come, long before the end.
LONG = ["--set", "timestep.max=0.1", "--set", "timestep.initial=0.1", "--set", "report.end=100000", "--set", "report.every=1"]


def said(text):
    """Messages of hepta, not those of the starter, nor the deck's title."""
    return [line for line in text.splitlines() if line.startswith("hepta: ") and not line.endswith("Quarter five-spot")]


def reader_goes(checks, what, words, streams, where):
    """streams: those whose reader goes, of which hepta writes some lines a step. The log has what the run says in any case."""
    name = "reader_%d_%s" % (len(words), "_".join(streams))
    log = os.path.join(where, name + ".log")
    asks = (["--json"] if "stdout" in streams else []) + (["--monitor"] if "stderr" in streams else ["-q"])
    job = subprocess.Popen(words + ["run", runs.deck("quarter_five_spot"), "-o", name, "--log", log] + asks + LONG, cwd=where,
                           stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    gone = [getattr(job, stream) for stream in streams]
    for stream in gone:
        for _ in range(5):
            stream.readline()
    for stream in gone:
        stream.close()
    error = "" if "stderr" in streams else job.stderr.read()
    # where its own messages have no reader, either, Open MPI at times ends by that
    codes = [130] + ([-signal.SIGPIPE] if words[0] == MPIRUN and "stderr" in streams else []) + ([0] if words[0] == MPIRUN and HYDRA else [])
    checks.true(what + ": ends", job.wait(timeout=60) in codes, "exit code %d: %s" % (job.returncode, error))
    with open(log, encoding="utf-8") as f:
        text = f.read()
    message = said(text)
    checks.true(what + ": the log has one message", len(message) == 1 and message[0].startswith("hepta: interrupted at time") and
                "the reader of its output has gone" in message[0], text[-1000:])
    if "stderr" not in streams:
        checks.true(what + ": one message", said(error) == message, error)
        checks.true(what + ": how it goes on, once", len(re.findall(r"^To go on: .* --restart %s$" % name, error, re.M)) == 1, error)
    steps = summary(where, name).count("\n")
    checks.true(what + ": a whole summary in the middle of the run", 1 <= steps < 1000, steps)


def check_readers(checks, where):
    for what, words in (("one process", [runs.PROGRAM]), ("two ranks", [MPIRUN, "-n", "2", runs.PROGRAM])):
        for streams in (("stdout",), ("stderr",), ("stdout", "stderr")):
            reader_goes(checks, "%s, the reader of %s goes" % (what, " and ".join(streams)), words, streams, where)


def started(where, name, options):
    """A run by two ranks whose first steps have been read."""
    job = subprocess.Popen([MPIRUN, "-n", "2", runs.PROGRAM, "run", runs.deck("quarter_five_spot"), "-o", name, "-q", "--json"] + LONG + options,
                           cwd=where, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    for _ in range(5):
        job.stdout.readline()
    return job


def check_elsewhere(checks, where):
    """Output that does not pass through mpirun is not lost with a reader of mpirun's."""
    job = subprocess.Popen([MPIRUN, "-n", "2", "sh", "-c", 'exec "$0" "$@" > elsewhere.json', runs.PROGRAM, "run", runs.deck("quarter_five_spot"), "-o",
                            "elsewhere", "-q", "--json"] + SHORT, cwd=where, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    job.stdout.close()
    error = job.stderr.read()
    with open(os.path.join(where, "elsewhere.json"), encoding="utf-8") as f:
        last = f.read().splitlines()[-1:]
    checks.true("output to a file: whole", job.wait(timeout=60) == 0 and not said(error) and '"end"' in "".join(last), (job.returncode, error, last))


def check_compare(checks, where):
    """A signal for mpirun in the middle of a comparison: one message."""
    if HYDRA:
        return
    job = subprocess.Popen([MPIRUN, "-n", "2", runs.PROGRAM, "compare", runs.deck("quarter_five_spot"), "-o", "compared", "--progress", "never",
                            "--case", "first: linear.preconditioner=jacobi", "--case", "second: linear.preconditioner=dilu"] + LONG, cwd=where,
                           stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    until = time.time() + 60.0
    while time.time() < until and not os.path.exists(os.path.join(where, "compared", "first.summary.csv")):
        time.sleep(0.01)
    job.send_signal(signal.SIGTERM)
    error = job.communicate(timeout=60)[1]
    checks.true("mpirun is ended in a comparison: one message", job.returncode not in (0, 139, -11) and len(said(error)) == 1, (job.returncode, error))


def check_starter(checks, where):
    """Text that mpirun has not yet passed on when the reader goes, and a signal for mpirun, end the run by it: with one message."""
    job = started(where, "late", [])
    job.send_signal(signal.SIGSTOP)
    time.sleep(0.2)
    job.stdout.close()
    job.send_signal(signal.SIGCONT)
    error = job.stderr.read()
    checks.true("the reader goes before mpirun writes: it ends", job.wait(timeout=60) != 0, error)
    if not HYDRA:
        checks.true("the reader goes before mpirun writes: one message", len(said(error)) == 1, error)
        checks.true("the reader goes before mpirun writes: how it goes on, once", len(re.findall("^To go on.* --restart late$", error, re.M)) == 1, error)
    check_elsewhere(checks, where)
    check_compare(checks, where)
    job = started(where, "ended", [])
    job.send_signal(signal.SIGTERM)
    error = job.communicate(timeout=60)[1]
    if not HYDRA:
        checks.true("mpirun is ended: one message", job.returncode != 0 and len(said(error)) == 1, error)
        checks.true("mpirun is ended: how it goes on, once", len(re.findall("^To go on.* --restart ended$", error, re.M)) == 1, error)


def check_crashed(checks, where):
    """A rank that crashes ends the run: it dies at once of the signal, which nobody catches, for a stack cannot be printed without memory."""
    crashes = (signal.SIGABRT, signal.SIGBUS, signal.SIGFPE, signal.SIGILL, signal.SIGSEGV)
    for crash in (signal.SIGABRT, signal.SIGSEGV):
        name = "crashed_%d" % crash
        job = started(where, name, [])
        ranks = [number for number, words, _ in runs.processes() if name.encode() in words]
        with open("/proc/%d/status" % ranks[-1], encoding="utf-8") as f:
            caught = int(re.search(r"^SigCgt:\s*(\w+)$", f.read(), re.M).group(1), 16)
        checks.true(name + ": nobody catches it", len(ranks) == 2 and not any(caught >> (n - 1) & 1 for n in crashes), (ranks, hex(caught)))
        os.kill(ranks[-1], crash)
        error = job.communicate(timeout=60)[1]
        checks.true(name + ": the run ends", job.returncode != 0, error)


def check_failed(checks, where):
    """The last fields have the bits of a run that ends there."""
    deck, states = os.path.join(where, "fails.cfg"), []
    event = '{ time = 60.0; well = "LATER"; status = "open"; }'
    with open(deck, "w", encoding="utf-8") as f:
        f.write(rank_runs.FAULTED.replace(event, '{ time = 50.0; well = "INJ"; rate = 30000.0; bhp = 3000.0; }'))
    options = ["newton.max_iterations=6", "timestep.max_cuts=1", "output.double=true"]
    for more, code in ([], 1), (["report.end=50"], 0):
        done = rank_runs.start(2, ["run", deck, "-o", "fails"] + [a for o in options + more for a in ("--set", o)], where, check=False)
        checks.true("two ranks whose step fails: code %d" % code, done.returncode == code, done.stderr)
        states.append(fields(where, "fails"))
    checks.true("the fields of the last step", states[0] == states[1])


def main():
    checks = runs.Checks()
    with runs.folder() as where:
        whole = runs.hepta("run", runs.deck("quarter_five_spot"), "-o", "whole", "-q", "--threads", "1", *SHORT, where=where)
        checks.true("a run that never stops", whole.returncode == 0, whole.stderr)
        for what, words, name in (("one process", [runs.PROGRAM], "alone"), ("two ranks", [MPIRUN, "-n", "2", runs.PROGRAM], "ranks")):
            command = stop(checks, what, words, name, where)
            if name == "ranks":
                checks.true("the command starts two ranks", command.startswith("mpirun -n 2 "), command)
                command = command.replace("mpirun", MPIRUN, 1)
                done = subprocess.run(words + ["run", runs.deck("quarter_five_spot"), "-o", "whole", "-q"] + SHORT, cwd=where)
                checks.true("two ranks that never stop", done.returncode == 0)
            done = subprocess.run(shlex.split(command), cwd=where, capture_output=True, text=True, stdin=subprocess.DEVNULL)
            checks.true(what + ": goes on", done.returncode == 0, done.stderr)
            checks.true(what + ": the same bits", summary(where, name) == summary(where, "whole") and
                        fields(where, name) == fields(where, "whole"))
        check_readers(checks, where)
        check_starter(checks, where)
        check_crashed(checks, where)
        check_failed(checks, where)
    return checks.result()


sys.exit(main())
