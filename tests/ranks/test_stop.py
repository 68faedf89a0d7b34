"""SIGUSR1 stops a run after its time step, however long that takes: sent to mpirun, which passes it on to all ranks, or to one
process. The command that the run names goes on from there to the bits of a run that never stopped."""
import os
import re
import shlex
import signal
import subprocess
import sys
import time

import h5py

import runs

MPIRUN = os.environ.get("HEPTA_MPIRUN") or runs.skip("this build has no MPI")
# mpiexec of MPICH at times ends with 0 after a signal, whatever its processes end with.
LOSES_CODE = "hydra" in os.path.realpath(MPIRUN)
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
    code = job.returncode == 130 or (LOSES_CODE and words[0] == MPIRUN and job.returncode == 0)
    checks.true(what + ": stops", code and "interrupted at time" in said, "%d: %s" % (job.returncode, said))
    found = re.search(r"^To go on: (.*)$", said, re.M)
    checks.true(what + ": can go on", found is not None, said)
    return found.group(1)


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
    return checks.result()


sys.exit(main())
