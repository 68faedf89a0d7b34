"""A run that goes on: its result opens at any time with h5py, ParaView and `hepta info`, and shows the steps so far.

The run is stopped (SIGSTOP) for some of the looks, to be sure that it is still going on, whatever the machine's speed,
and that no lock is held while it is between two writes.
"""
import os
import shutil
import signal
import subprocess
import sys
import time

import runs

h5py, numpy = runs.h5py, runs.numpy
HERE = os.path.dirname(os.path.abspath(__file__))
OPTIONS = ["report.every=0.5", "report.end=5000.0", "timestep.max=0.5", "grid.size=[60, 60, 1]", "wells.PROD.i=60",
           "wells.PROD.j=60", "output.refresh=0.25"]


def start(where):
    command = [runs.PROGRAM, "run", runs.deck("quarter_five_spot"), "-o", os.path.join(where, "live"), "--threads", "1",
               "--progress", "never"]
    return subprocess.Popen(command + [a for o in OPTIONS for a in ("--set", o)], stdout=subprocess.DEVNULL)


def look(base):
    """Report times [s] so far, and the water in place of each; every step that the master names can be read."""
    with h5py.File(base + ".h5", "r") as f:
        times, steps = f["time"][:], f["step"][:]
        water = [f["steps/%06d/sw" % s][:].astype(float).sum() for s in steps[-3:]]
        rows = len(f["summary/TIME"])
    return times, steps, water, rows


def wait_for(base, count, process):
    """A look with at least so many steps."""
    limit = time.time() + 60.0
    while time.time() < limit and process.poll() is None:
        if os.path.exists(base + ".h5"):
            times, steps, water, rows = look(base)
            if len(times) >= count:
                return times, steps, water, rows
        time.sleep(0.02)
    print("no %d steps within a minute; the run has ended with %s" % (count, process.poll()))
    process.kill()
    sys.exit(1)


def check_h5py(checks, base, process):
    counts = []
    for n in range(5):
        times, steps, water, rows = wait_for(base, counts[-1] + 1 if counts else 3, process)
        counts.append(len(times))
        checks.true("times rise", (numpy.diff(times) > 0).all() and (numpy.diff(steps) > 0).all(), times)
        checks.true("water comes in", (numpy.diff(water) > 0).all(), water)
        checks.true("the summary has its rows", rows >= len(times) - 1, (rows, len(times)))
    checks.true("h5py: more steps at every look", all(b > a for a, b in zip(counts, counts[1:])), counts)


def check_kept_open(checks, base, process):
    """A file that a reader keeps open stays as it was, and does not disturb the run."""
    with h5py.File(base + ".h5", "r") as f:
        before = len(f["time"])
        later = wait_for(base, before + 3, process)
        checks.true("kept open: as it was", len(f["time"]) == before)
        checks.true("opened again: the new steps", len(later[0]) >= before + 3)


def check_paraview(checks, base, process):
    """While ParaView starts, the run stands: it would make thousands of steps that nobody looks at."""
    if shutil.which("pvbatch") is None:
        return
    process.send_signal(signal.SIGSTOP)
    try:
        watch = subprocess.Popen(["pvbatch", os.path.join(HERE, "watch.py"), base, "4"], stdout=subprocess.PIPE,
                                 stderr=subprocess.STDOUT, text=True)
        said = ""
        for line in iter(watch.stdout.readline, ""):
            said += line
            if line == "started\n":
                break
    finally:
        process.send_signal(signal.SIGCONT)
    said += watch.communicate(timeout=300)[0]
    looks = [[float(w) for w in line.split()[1:]] for line in said.splitlines() if line.startswith("look")]
    checks.true("pvbatch", len(looks) == 4 and "ERR" not in said and "Traceback" not in said, said[-3000:])
    for name, column in (("fresh reader", 0), ("reader after Reload Files", 1), ("water in place", 2)):
        values = [row[column] for row in looks]
        checks.true("ParaView, %s: more at every look" % name, all(b > a for a, b in zip(values, values[1:])), looks)
    checks.true("Reload Files: as many steps as a fresh reader, or those that came since",
                all(row[1] >= row[0] for row in looks), looks)


def named_in_xdmf2(base):
    with open(base + ".xdmf2") as f:
        return f.read().count("<Time ")


def stop_when_agreed(base, process):
    """Stops the run where the xdmf2, which is written right after the master, names all that the master does: a look,
    and what the xdmf2 named at each try."""
    named = []
    limit = time.time() + 60.0
    while True:
        process.send_signal(signal.SIGSTOP)
        found = look(base)
        named.append((named_in_xdmf2(base), len(found[0])))
        if named[-1][0] == named[-1][1] or time.time() > limit:
            return found, named
        process.send_signal(signal.SIGCONT)
        time.sleep(0.03)


def check_stopped(checks, base, process):
    """Between two writes of the run: all that is written opens, with h5py's locks as they come."""
    try:
        (times, steps, water, rows), named = stop_when_agreed(base, process)
        info = runs.hepta("info", base + ".h5")
        checks.true("info of a run that goes on", info.returncode == 0, info.stderr)
        checks.true("info: the steps so far", str(len(times)) in info.stdout, info.stdout[:600])
        script = base + "-now.py"
        done = runs.hepta("paraview", base + ".h5", "-o", script)
        checks.true("paraview of a run that goes on", done.returncode == 0 and os.path.exists(script), done.stderr)
        checks.true("the xdmf2 names them", named[-1] == (len(times), len(times)), named)
        checks.true("the xdmf2 never names more than the master", all(x <= m for x, m in named), named)
    finally:
        process.send_signal(signal.SIGCONT)


def main():
    checks = runs.Checks()
    with runs.folder() as where:
        base = os.path.join(where, "live")
        process = start(where)
        try:
            check_h5py(checks, base, process)
            for _ in range(3):
                check_stopped(checks, base, process)
            check_kept_open(checks, base, process)
            check_paraview(checks, base, process)
            checks.true("the run was still going on", process.poll() is None, process.poll())
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(60)
        checks.true("looked at, the run is none the worse", process.returncode == 130, process.returncode)
    return checks.result()


if __name__ == "__main__":
    sys.exit(main())
