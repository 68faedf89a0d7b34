"""Room that is limited: files may grow to a size only (ulimit -f). A run that needs more ends with a message that names
the file and exit code 1, and what its master names is what the undisturbed run wrote."""
import os
import resource
import subprocess
import sys

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
    return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=600, preexec_fn=limit)


def told(checks, what, done, where, reason):
    checks.true(what + ": 1", done.returncode == 1, (done.returncode, done.stderr))
    error = done.stderr.strip().splitlines()[-1] if done.stderr.strip() else ""
    checks.true(what + ": says which file and why", error.startswith("hepta: " + where) and reason in error, done.stderr)


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
        told(checks, what, done, where, "File too large")
        named += len(faults.look(checks, what, base, whole)) > 0
    checks.true("limited: many sizes, some results", len(sizes) > 8 and named > 0, (sizes, named))
    faults.remove(base)
    done = start_limited(deck, base, max(sizes) + 4096)  # the command line is in the file of the mesh
    checks.true("limited: enough", done.returncode == 0, (done.returncode, done.stderr))


def main():
    checks = runs.Checks()
    with runs.folder() as where:
        deck = restarts.write_deck(where, faults.DECK)
        whole = os.path.join(where, "whole")
        done = restarts.start(deck, whole, OPTIONS, ["--threads", "1"])
        checks.true("undisturbed", done.returncode == 0, done.stderr)
        sizes_of_files(checks, where, deck, whole)
    return checks.result()


if __name__ == "__main__":
    sys.exit(main())
