"""Checks of `hepta import`: the deck that it writes gives the results of the Eclipse deck to the bit, and goes on with them
(HEPTA_TEST_EVERY=1: in the deck's own units, too)."""
import os

import runs


def imported(checks, folder, path, name, first, options=(), settings=()):
    """The deck that import writes, run: the same fields and summary."""
    done = runs.hepta("import", path, "-o", os.path.join(folder, name + ".cfg"), *options)
    checks.true(name + " is imported", done.returncode == 0, done.stderr)
    if done.returncode != 0:
        return
    second = runs.run(os.path.join(folder, name + ".cfg"), folder, settings, name)
    checks.true(name + ": the same fields to the bit",
                runs.datasets(first.base + ".h5") == runs.datasets(second.base + ".h5"))
    tables = [open(r.base + ".summary.csv").read() for r in (first, second)]
    checks.true(name + ": the same summary", tables[0] == tables[1])
    if len(first.steps) < 2 or (not options and runs.every(2, 2) > 1):
        return
    base = os.path.join(folder, name + "_on")  # it goes on with the Eclipse deck's own result, too
    done = runs.hepta("run", os.path.join(folder, name + ".cfg"), "-o", base, "-q", "--restart",
                      "%s:%d" % (first.base, first.steps[-2]), *(word for s in settings for word in ("--set", s)))
    checks.true(name + ": goes on with the result of the Eclipse deck", done.returncode == 0 and
                set(runs.datasets(base + ".h5").items()) <= set(runs.datasets(first.base + ".h5").items()), done.stderr)


def both(checks, folder, path, name, units="field", settings=()):
    """In the deck's own units, and in others, where most numbers are no round ones. Returns the run of the Eclipse deck."""
    first = runs.run(path, folder, settings, name)
    imported(checks, folder, path, name + "_i", first, settings=settings)
    imported(checks, folder, path, name + "_u", first, ["--units", units], settings)
    return first
