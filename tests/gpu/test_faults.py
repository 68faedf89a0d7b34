"""A GPU that is missing, too small, lost, or without memory in the middle of a run, as a user meets it: exit code 1,
a message with the numbers, no files where nothing was computed, readable files up to the last report where
something was, and never a continuation on the CPU. Faults are injected by environment
variables (docs/developer/checking.md)."""
import os
import re
import sys

import h5py

import runs

OPTIONS = ["report.end=120", "report.every=10", "output.double=true"]


# cpr's hierarchy takes its memory when it is built: in the first time step, and with this in every other too, on a deck
# of so many cells that a later one needs more than the first
BUILDS = ["report.end=12", "report.every=1", "output.double=true", "linear.preconditioner=cpr", "linear.cpr.rebuild=step"]


def hepta_run(where, name, options=OPTIONS, deck="schedule", **variables):
    arguments = ["run", runs.deck(deck), "-o", os.path.join(where, name), "--backend", "cuda"]
    for option in options:
        arguments += ["--set", option]
    return runs.hepta(*arguments, environment=dict(os.environ, **variables))


def files(where, name):
    return [f for f in os.listdir(where) if f.startswith(name + ".")]


def missing(checks, where):
    done = hepta_run(where, "missing", CUDA_VISIBLE_DEVICES="")
    checks.true("no GPU to be seen: 1", done.returncode == 1, done.returncode)
    checks.true("it says so", "no CUDA device" in done.stderr and "--backend cpu" in done.stderr, done.stderr)
    checks.true("nothing was computed", files(where, "missing") == [] and "Work:" not in done.stdout, done.stdout)
    for arguments in (["tune", "--size", "8x8x8"], ["bench", "barrier"]):
        done = runs.hepta(*arguments, environment=dict(os.environ, CUDA_VISIBLE_DEVICES="", XDG_CACHE_HOME=where))
        checks.true(" ".join(arguments), done.returncode == 1 and "no CUDA device" in done.stderr, done.stderr)


def too_small(checks, where):
    done = hepta_run(where, "small", HEPTA_TEST_GPU_MEMORY="1000000")
    checks.true("too little memory: 1", done.returncode == 1, done.returncode)
    found = re.search(r"needs about .*\((\d+) bytes\) on the GPU .*\((\d+) bytes\) are free", done.stderr)
    checks.true("needed and free bytes", found and int(found.group(1)) > int(found.group(2)) > 0 and
                int(found.group(2)) <= 1000000, done.stderr)
    checks.true("nothing was computed", files(where, "small") == [], files(where, "small"))
    done = hepta_run(where, "small", HEPTA_TEST_GPU_MEMORY="lots")
    checks.true("no number: 2", done.returncode == 2 and "HEPTA_TEST_GPU_MEMORY=lots" in done.stderr, done.stderr)


def read_all(checks, base, whole):
    """Every field and row of a run that was cut short is there, and is what the whole run has. Reports kept."""
    with h5py.File(base + ".h5", "r") as f:
        steps = list(f["step"][:])
        checks.true("as many steps as times", len(steps) == len(f["time"][:]) == len(f["steps"]))
    mine, all_of_it = runs.datasets(base + ".h5"), runs.datasets(whole.base + ".h5")
    checks.true("fields as in the whole run", all(all_of_it.get(k) == v for k, v in mine.items()), base)
    checks.true("not all of it", len(mine) < len(all_of_it))
    with open(base + ".summary.csv") as a, open(whole.base + ".summary.csv") as b:
        part, rows = a.read(), b.read()
    checks.true("rows as in the whole run", rows.startswith(part) and len(part) < len(rows) and part.endswith("\n"), base)
    done = runs.hepta("info", base + ".h5")
    checks.true("hepta info reads it", done.returncode == 0, done.stderr)
    return len(steps)


def lost(checks, where, whole):
    late, at = 0, 20
    while True:
        name = "lost%d" % at
        done = hepta_run(where, name, HEPTA_TEST_GPU_FAIL_AT=str(at))
        if done.returncode == 0:
            break
        checks.true(name + ": 1", done.returncode == 1, done.returncode)
        checks.true(name + ": says what was lost and at what", "GPU" in done.stderr and "lost while" in done.stderr,
                    done.stderr[-500:])
        checks.true(name + ": no time steps elsewhere", "CPU, " not in done.stderr + done.stdout)
        if "Work:" in done.stdout:
            checks.true(name + ": at what time", "stopped at time" in done.stderr and "are kept" in done.stderr,
                        done.stderr[-500:])
            late += read_all(checks, os.path.join(where, name), whole) > 2
        elif files(where, name):
            read_all(checks, os.path.join(where, name), whole)
        at = at * 6 // 5
    checks.true("some runs were lost late", late >= 2, late)
    checks.true("a fault that never comes changes nothing",
                runs.datasets(os.path.join(where, name + ".h5")) == runs.datasets(whole.base + ".h5"))


def out_of_memory(checks, where, whole):
    """The GPU has no memory left after so many allocations: those of the start, of the first build of the hierarchy, of
    builds in later steps, where other cells are coarse."""
    at_start = in_first = later = 0
    after = 2
    while True:
        name = "memory%d" % after
        done = hepta_run(where, name, BUILDS, "horizontal_deviated", HEPTA_TEST_GPU_MEMORY="1", HEPTA_TEST_GPU_MEMORY_AFTER=str(after))
        if done.returncode == 0:
            break
        said = done.stderr[-600:]
        checks.true(name + ": 1", done.returncode == 1, done.returncode)
        found = re.search(r"(\d+) bytes are needed on the GPU \(.*\), where (\d+) bytes are free and (\d+) are held",
                          done.stderr)
        checks.true(name + ": needed, free and held bytes", found and int(found.group(1)) > 0 and
                    int(found.group(2)) == 0 and int(found.group(3)) > 0, said)
        checks.true(name + ": no time steps elsewhere", "CPU, " not in done.stderr + done.stdout)
        if "Work:" not in done.stdout:
            at_start += 1
            checks.true(name + ": nothing was computed", files(where, name) == [], files(where, name))
        else:
            checks.true(name + ": at what time", "stopped at time" in done.stderr and "are kept" in done.stderr and
                        "multigrid" in done.stderr, said)
            steps = read_all(checks, os.path.join(where, name), whole)
            rows = len(runs.read_csv(os.path.join(where, name + ".summary.csv"))["TIME"])
            in_first += rows == 0
            later += rows > 0 and steps > 1
            checks.true(name + ": time of the last row", rows > 0 or "stopped at time 0 " in done.stderr, said)
        after += 1 if at_start > 0 and "Work:" in done.stdout else 5
    print("%d starts, %d first steps, %d later steps without memory" % (at_start, in_first, later))
    checks.true("at the start, in the first step, in later ones", at_start > 0 and in_first > 0 and later > 0)
    checks.true("a limit that never comes changes nothing",
                runs.datasets(os.path.join(where, name + ".h5")) == runs.datasets(whole.base + ".h5"))


def main():
    checks = runs.Checks()
    with runs.folder() as where:
        done = hepta_run(where, "try")
        runs.skip_unless_cuda(done)
        checks.true("undisturbed", done.returncode == 0, done.stderr)
        whole = runs.Result(os.path.join(where, "try"), done.stdout, done.stderr)
        missing(checks, where)
        too_small(checks, where)
        lost(checks, where, whole)
        done = hepta_run(where, "builds", BUILDS, "horizontal_deviated")
        checks.true("undisturbed, with builds", done.returncode == 0, done.stderr)
        out_of_memory(checks, where, runs.Result(os.path.join(where, "builds"), done.stdout, done.stderr))
    return checks.result()


if __name__ == "__main__":
    sys.exit(main())
