"""A run by several ranks on a disk that is full: rank 0, which alone writes, says once which file and why, and the
command that goes on; all ranks end with exit code 1; what was written stands, and the next start goes on from it to the bits of
a run that nothing disturbed."""
import os
import re
import subprocess
import sys

import runs

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import faults  # noqa: E402

MPIRUN = os.environ.get("HEPTA_MPIRUN") or runs.skip("this build has no MPI")
OPTIONS = ["-q"] + [word for option in ("grid.size=[12,12,1]", "wells.PROD.i=12", "wells.PROD.j=12", "timestep.initial=2.0",
                                        "timestep.max=4.0", "timestep.accuracy=0", "report.every=4", "report.end=40",
                                        "output.refresh=0") for word in ("--set", option)]

# The library stands before rank 0's program alone, not before mpirun and what it starts.
FIRST = 'case "${OMPI_COMM_WORLD_RANK-$PMI_RANK}" in 0) export LD_PRELOAD="$HEPTA_FAULTS";; esac; exec "$@"'


def start(ranks, arguments, where, full_at=None):
    """full_at: from this call that changes files on rank 0's disk is full; the first ones are MPI's."""
    words = [MPIRUN, "-n", str(ranks)] + (["sh", "-c", FIRST, "sh"] if full_at else []) + [runs.PROGRAM, "run"] + arguments
    extra = {"HEPTA_FAULT": "ENOSPC", "HEPTA_FAULT_AT": str(full_at)} if full_at else {}
    return subprocess.run(words, cwd=where, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=600,
                          env=dict(os.environ, **extra))


def main():
    checks = runs.Checks()
    faults.skip_without_library()
    with runs.folder() as where:
        deck = runs.deck("quarter_five_spot")
        done = start(2, [deck, "-o", "whole"] + OPTIONS, where)
        checks.true("a run that nothing disturbs", done.returncode == 0, done.stderr)
        done = start(2, [deck, "-o", "full"] + OPTIONS, where, full_at=300)
        said = [line for line in done.stderr.splitlines() if line.startswith("hepta: ")]
        checks.true("all end", done.returncode == 1, "exit code %d: %s" % (done.returncode, done.stderr))
        checks.true("one message with file and reason", len(said) == 1 and "full." in said[0] and "No space left" in said[0], done.stderr)
        checks.true("how it goes on", len(re.findall(r"^To go on.*--restart full$", done.stderr, re.M)) == 1, done.stderr)
        steps, all_steps = faults.steps_of(os.path.join(where, "full")), faults.steps_of(os.path.join(where, "whole"))
        checks.true("in the middle of the run", 1 < len(steps) < len(all_steps), (steps, all_steps))
        done = start(2, [deck, "--restart", "full"] + OPTIONS, where)
        mine, whole = (runs.datasets(os.path.join(where, name + ".h5")) for name in ("full", "whole"))
        odd = [name for name in whole if mine.get(name) != whole[name]]
        checks.true("it goes on to the same bits", done.returncode == 0 and not odd, "%s %s" % (done.stderr, odd[:5]))
    return checks.result()


sys.exit(main())
