"""A run by several ranks on a disk that is full, for rank 0 or for another: rank 0 says once which file and why, and the
command that goes on; all ranks end with exit code 1; what was written stands, and the next start goes on from it to the bits of
a run that nothing disturbed. Likewise where a rank is killed while it writes, and where rank 0 is between two report steps, of
which the first is named then. A rank without memory ends all."""
import glob
import os
import re
import signal
import subprocess
import sys
import time

import runs

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import faults  # noqa: E402

MPIRUN = os.environ.get("HEPTA_MPIRUN") or runs.skip("this build has no MPI")
OPTIONS = ["-q"] + [word for option in ("grid.size=[12,12,1]", "wells.PROD.i=12", "wells.PROD.j=12", "timestep.initial=2.0",
                                        "timestep.max=4.0", "timestep.accuracy=0", "report.every=4", "report.end=40",
                                        "output.refresh=0") for word in ("--set", option)]

# The library stands before one rank's program alone, not before mpirun and what it starts.
ONE = 'case "${OMPI_COMM_WORLD_RANK-$PMI_RANK}" in %d) export LD_PRELOAD="$HEPTA_FAULTS";; esac; exec "$@"'


def start(ranks, arguments, where, rank=0, at=None, kind="ENOSPC", **extra):
    """at: from this call that changes files on the disk of `rank` is full; the first ones are MPI's."""
    words = [MPIRUN, "-n", str(ranks)] + (["sh", "-c", ONE % rank, "sh"] if at else []) + [runs.PROGRAM, "run"] + arguments
    if at:
        extra.update(HEPTA_FAULT=kind, HEPTA_FAULT_AT=str(at))
    return subprocess.run(words, cwd=where, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=600,
                          env=dict(os.environ, **extra))


def check(checks, deck, where, name, **fault):
    """fault: of start. The run ends, and goes on to the bits of `whole`."""
    done = start(2, [deck, "-o", name] + OPTIONS, where, **fault)
    checks.true(name + ": all end", done.returncode != 0, "exit code %d: %s" % (done.returncode, done.stderr))
    if fault.get("kind") != "kill":
        said = [line for line in done.stderr.splitlines() if line.startswith("hepta: ")]
        checks.true(name + ": one message with file and reason", done.returncode == 1 and len(said) == 1 and name + "." in said[0] and
                    "No space left" in said[0], done.stderr)
        checks.true(name + ": how it goes on", len(re.findall(r"^To go on.*--restart %s$" % name, done.stderr, re.M)) == 1, done.stderr)
    elif "hydra" not in os.path.realpath(MPIRUN):  # MPICH's starter gives nobody time to say it
        checks.true(name + ": who has ended", "hepta: rank 1 has ended; the starter ends all processes" in done.stderr, done.stderr)
    steps, all_steps = faults.steps_of(os.path.join(where, name)), faults.steps_of(os.path.join(where, "whole"))
    checks.true(name + ": in the middle of the run", 1 < len(steps) < len(all_steps), (steps, all_steps))
    mine, whole = (runs.datasets(os.path.join(where, n + ".h5")) for n in (name, "whole"))
    odd = [key for key in mine if key.startswith("steps") and mine[key] != whole.get(key)]
    checks.true(name + ": what is named stands", not odd, odd[:5])
    done = start(2, [deck, "--restart", name] + OPTIONS, where)
    mine = runs.datasets(os.path.join(where, name + ".h5"))
    odd = [key for key in whole if mine.get(key) != whole[key]]
    checks.true(name + ": it goes on to the same bits", done.returncode == 0 and not odd, "%s %s" % (done.stderr, odd[:5]))
    left = [f for folder, _, files in os.walk(where) for f in files if f.endswith(".tmp")]
    checks.true(name + ": no temporary files are left", not left, left)


# Half a second of two processors and more from one report step to the next, so that names take less than a twentieth.
SLOW = ["-q"] + [word for option in ("grid.size=[60,60,12]", "timestep.initial=0.1", "timestep.max=0.1", "timestep.accuracy=0",
                                     "report.every=4") for word in ("--set", option)]


def wait_until(job, is_so):
    until = time.time() + 120
    while time.time() < until and job.poll() is None and not is_so():
        time.sleep(0.005)
    return job.poll() is None and is_so()


def check_named(checks, deck, where):
    """Each report step gets its name before the next one has been computed, without `output.refresh`; rank 0 is killed."""
    base = os.path.join(where, "beside")
    job = subprocess.Popen([MPIRUN, "-n", "2", runs.PROGRAM, "run", deck, "-o", "beside"] + SLOW + ["--set", "report.end=4000"], cwd=where,
                           stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    files = lambda: len(glob.glob(base + ".steps/step_*.h5"))
    for count in (2, 3):
        checks.true("beside: files of step %d" % count, wait_until(job, lambda: files() >= count))
        checks.true("beside: name of step %d" % count, wait_until(job, lambda: len(faults.steps_of(base)) >= count))
        checks.true("beside: before the next one's files", files() == count, files())
    first = [number for number, words, environment in runs.processes()
             if b"beside" in words and {b"OMPI_COMM_WORLD_RANK=0", b"PMI_RANK=0"} & set(environment)]
    os.kill(first[0], signal.SIGKILL)
    job.wait(timeout=60)
    steps = faults.steps_of(base)
    checks.true("beside: all are named", len(steps) == files() >= 3, (steps, files()))
    end = ["--set", "report.end=%d" % (4 * len(steps))]
    done = start(2, [deck, "--restart", "beside"] + SLOW + end, where)
    undisturbed = start(2, [deck, "-o", "at_once"] + SLOW + end, where)
    mine, right = (runs.datasets(os.path.join(where, n + ".h5")) for n in ("beside", "at_once"))
    odd = [key for key in right if mine.get(key) != right[key]]
    checks.true("beside: it goes on to the same bits", done.returncode == undisturbed.returncode == 0 and not odd, done.stderr or odd[:5])


def check_memory(checks, deck, where):
    """A block of memory that one rank is refused, from the deck's first line to the last table: no rank waits for ever or crashes, and
    what ends says why, in the end of all at once, too. A deck that ranks cannot read together each reads alone."""
    for rank in (0, 1):
        ended = 0
        for at in range(2, 4000, 61):
            done = start(2, [deck, "-o", "memory"] + OPTIONS + ["--set", "report.end=8"], where, rank=rank, at=at, kind="memory")
            asked = re.search(r"blocks: (\d+) asked for", done.stderr)
            if asked is not None and int(asked.group(1)) < at:
                break
            what = "memory of rank %d, block %d" % (rank, at)
            checks.true(what + ": no crash", done.returncode in (0, 1), (done.returncode, done.stderr[:1000]))
            ended += done.returncode == 1 and "out of memory" in done.stderr
        checks.true("memory of rank %d: blocks that end the run" % rank, ended >= 3, ended)


def main():
    checks = runs.Checks()
    faults.skip_without_library()
    with runs.folder() as where:
        deck = runs.deck("quarter_five_spot")
        done = start(2, [deck, "-o", "whole"] + OPTIONS, where)
        checks.true("a run that nothing disturbs", done.returncode == 0, done.stderr)
        check(checks, deck, where, "full", at=300)
        # rank 1 writes the saturations of each report step, and nothing else by pwrite
        check(checks, deck, where, "full_elsewhere", rank=1, at=4, HEPTA_FAULT_OF="pwrite")
        check(checks, deck, where, "killed", rank=1, at=4, kind="kill", HEPTA_FAULT_OF="pwrite")
        check_named(checks, deck, where)
        check_memory(checks, deck, where)
    return checks.result()


sys.exit(main())
