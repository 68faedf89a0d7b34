"""Room that is limited: files may grow to a size only (ulimit -f), or the disk is small. A run that needs more ends
with a message that names the file and exit code 1, and what its master names is what the undisturbed run wrote. On a
small disk it names all report steps that stand, and the run goes on from them on a larger one."""
import os
import resource
import subprocess
import sys
import time

import restarts
import runs

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import faults  # noqa: E402


OPTIONS = faults.OPTIONS + ["report.every=0.2"]  # in the end the master is the largest file


def start_limited(deck, base, size):
    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
    command = [runs.PROGRAM, "run", deck, "-o", base, "--threads", "1", "--progress", "never",
               *restarts.sets(OPTIONS)]
    return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=600,
                          preexec_fn=limit)


def reported(checks, what, done, where, reason):
    checks.true(what + ": 1", done.returncode == 1, (done.returncode, done.stderr))
    lines = [line for line in done.stderr.splitlines() if line and not line.startswith("To go on")]
    error = lines[-1] if lines else ""
    checks.true(what + ": says which file and why", error.startswith("hepta: " + where) and reason in error, error)


def sizes_of_files(checks, where, deck, whole):
    """One byte less than each file of the result needs."""
    sizes = {}
    for folder in (where, whole + ".steps"):
        for name in os.listdir(folder):
            path = os.path.join(folder, name)
            if os.path.isfile(path) and path.startswith(whole + "."):
                sizes[os.path.getsize(path)] = name
    base, named = os.path.join(where, "limited"), 0
    for size in sorted(sizes):
        faults.remove(base)
        done = start_limited(deck, base, size - 1)
        what = "files of %d bytes, as %s" % (size - 1, sizes[size])
        reported(checks, what, done, where, "File too large")
        named += len(faults.look(checks, what, base, whole)) > 0
    checks.true("limited: many sizes, some results", len(sizes) > 8 and named > 0, (sizes, named))
    faults.remove(base)
    done = start_limited(deck, base, max(sizes) + 4096)  # the command line is in the file of the mesh
    checks.true("limited: enough", done.returncode == 0, (done.returncode, done.stderr))


def step_files(base):
    """Names; none where not even their folder had room."""
    return os.listdir(base + ".steps") if os.path.isdir(base + ".steps") else []


def steps_on_disk(base):
    return sorted(int(n[5:11]) for n in step_files(base) if n.startswith("step_") and n.endswith(".h5"))


def same_to_the_digits(checks, what, base, whole):
    """As restarts.same_as, but that tables which a small master left to the CSV files have the digits of these."""
    right = runs.datasets(whole + ".h5")
    checks.true(what + ": summary.csv", restarts.text(base + ".summary.csv") == restarts.text(whole + ".summary.csv"))
    checks.true(what + ": solver.csv", restarts.solver_rows(base) == restarts.solver_rows(whole))
    checks.true(what + ": fields", all(data == right[name] for name, data in runs.datasets(base + ".h5").items()))
    return True


def small_disks(checks, where, deck, keep, refresh):
    """Report steps wait for their place in the master (output.refresh) until the disk is full, or it is full while they get it
    beside the run: they have it then, with what is needed to go on where there is room for it."""
    options = ["output.double=true", "output.refresh=%g" % refresh, "report.every=0.1", "output.restart=%d" % keep]
    whole, base, on = (os.path.join(where, "%s%d" % (name, keep)) for name in ("plenty", "small", "on"))
    checks.true("plenty of room", faults.start(deck, whole, "none", 0, options).returncode == 0)
    several, continued, every = 0, 0, runs.every(4, 4)
    for room in range(100000, 1000000, 37000 * every):
        what = "keeping %d, names each %g s, a disk of %d bytes" % (keep, refresh, room)
        faults.remove(base)
        done = faults.start(deck, base, "room", room, options)
        if done.returncode == 0:
            break
        reported(checks, what, done, where, "No space left")
        steps = faults.look(checks, what, base, whole)
        stand = steps_on_disk(base)
        checks.true(what + ": all steps that stand are named", steps == stand, (steps, stand))
        stray = [f for f in step_files(base) if f.endswith(".tmp")]
        checks.true(what + ": nothing half written", not stray, stray)
        several += len(steps) > 2
        if any(n.startswith("restart_") for n in step_files(base)) and continued < 4:
            done = faults.go_on(deck, on, base, "none", 0, options)
            checks.true(what + ": goes on", done.returncode == 0, done.stderr)
            continued += done.returncode == 0 and same_to_the_digits(checks, what + ", gone on", on, whole)
    print("keeping %d, names each %g s: up to %d bytes, %d results of several steps, %d gone on with" % (keep, refresh, room, several, continued))
    checks.true("small disks: several steps, most of the time", several >= 8 // every and continued > 0, (several, continued))


def sizes_of_grids(checks, where):
    """Grids that the machine's memory, here 1 GB, does not hold: refused at their line before any of it is made."""
    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (1000000000, 1000000000))

    own, eclipse = runs.deck("quarter_five_spot"), runs.deck("FIVE_SPOT.DATA")
    large = os.path.join(where, "LARGE.DATA")
    with open(eclipse) as f, open(large, "w") as out:
        out.write(f.read().replace(" 15 15 4 /", " 1000 1000 100 /"))
    cases = [(own, "grid.size=[2147483647,1,1]", "2147483647 cells take 258 GB"),
             (own, "grid.size=[300,300,300]", "27000000 cells"),
             (own, "grid.refine=[100,100,2]", "50000000 cells"),
             (eclipse, "grid.refine=[100,100,20]", "180000000 cells"),
             (large, "newton.max_iterations=9", "DIMENS: 1000 x 1000 x 100: 100000000 cells")]
    for deck, option, words in cases:
        for command in (["check", deck], ["run", deck, "-o", os.path.join(where, "large")]):
            began = time.time()
            done = subprocess.run([runs.PROGRAM, *command, "--set", option, "--threads", "1"], capture_output=True,
                                  text=True, timeout=60, preexec_fn=limit)
            what = "%s %s %s" % (command[0], os.path.basename(deck), option)
            checks.true(what, done.returncode == 2 and words in done.stderr
                        and "this machine has 1 GB of memory" in done.stderr, (done.returncode, done.stderr))
            checks.true(what + ": at once", time.time() - began < 5.0)
    run = [runs.PROGRAM, "run", own, "-o", os.path.join(where, "large"), "--set", "grid.size=[1300,1300,1]",
           "--threads", "1"]
    done = subprocess.run(run, capture_output=True, text=True, timeout=60, preexec_fn=limit)
    words = "a run of 1300 x 1300 x 1 cells takes at least"
    right = done.returncode == 1 and words in done.stderr
    checks.true("a run that does not fit", right, (done.returncode, done.stderr))
    checks.true("leaves nothing", [n for n in os.listdir(where) if n.startswith("large")] == [])


def main():
    checks = runs.Checks()
    with runs.folder() as where:
        sizes_of_grids(checks, where)
        deck = restarts.write_deck(where, faults.DECK)
        whole = os.path.join(where, "whole")
        done = restarts.start(deck, whole, OPTIONS, ["--threads", "1"])
        checks.true("undisturbed", done.returncode == 0, done.stderr)
        sizes_of_files(checks, where, deck, whole)
        for keep, refresh in ((-1, 1e9), (2, 1e9), (2, 1e-9)) if faults.PRELOADED else ():
            small_disks(checks, where, deck, keep, refresh)
    return checks.result()


if __name__ == "__main__":
    sys.exit(main())
