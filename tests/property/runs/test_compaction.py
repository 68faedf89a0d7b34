"""Runs with rock tables: the same bits for any team and from any report step on, the Jacobian, the mass balance, one direction
told from another, the deck that import makes, and what is refused by name."""
import os
import sys


import compaction
import flow
import restarts
import runs

KEEP = restarts.KEEP
STEPS = ["timestep.initial=1", "timestep.max=10"]
KINDS = ("reversible", "irreversible", "regions", "directions")
VECTORS = ("FOPT", "FWPT", "FWIT", "FPR")


def same_bits(checks, where, name, path):
    """Teams of 1 and 3 members, and a run that goes on from report steps before and behind the lowest pressure."""
    return restarts.same_bits(checks, where, name, path, KEEP + STEPS, (3,), lambda steps: (steps[3], steps[7]))


def lowest(checks, where, whole):
    """The state of rock that stays compacted is that of the result, and cannot be missing."""
    path = os.path.join(where, "IRREVERSIBLE.DATA")
    last = sorted(f for f in os.listdir(whole + ".steps") if f.startswith("restart_"))[-1]
    with runs.edited(os.path.join(whole + ".steps", last)) as f:
        low, now = f["lowest_pressure"][:], f["pressure"][:]
        checks.true("lowest: below what came later", (low < now - 1e5).all(), float((now - low).min()))
        f["lowest_pressure"][3] = float("nan")
    done = restarts.go_on(path, os.path.join(where, "o"), whole, KEEP + STEPS)
    checks.true("lowest: damaged", done.returncode == 2 and "are damaged" in done.stderr, done.stderr)
    with runs.edited(os.path.join(whole + ".steps", last)) as f:
        del f["lowest_pressure"]
    done = restarts.go_on(path, os.path.join(where, "o"), whole, KEEP + STEPS)
    checks.true("lowest: missing", done.returncode == 2 and "do not fit its deck" in done.stderr, done.stderr)


def other_table(checks, where, whole):
    other = restarts.write_data(where, "other", compaction.reversible().text().replace("0.94 0.6", "0.94 0.61"))
    done = restarts.go_on(other, os.path.join(where, "o"), whole, KEEP + STEPS)
    checks.true("another table", done.returncode == 2 and "the rock's compressibility" in done.stderr, done.stderr)


def directions(checks, where, whole):
    """Equal columns are one column; x, y and z are told from each other."""
    tables = {"x": "ROCKTAB\n 50 1 0.1 1 1\n 200 1 1 1 1 /\n", "y": "ROCKTAB\n 50 1 1 0.1 1\n 200 1 1 1 1 /\n",
              "z": "ROCKTAB\n 50 1 1 1 0.1\n 200 1 1 1 1 /\n", "none": "ROCKTAB\n 50 1 1 1 1\n 200 1 1 1 1 /\n"}
    found = {}
    for name, table in list(tables.items())[::runs.every(1, 6)]:
        path = restarts.write_data(where, "dir_" + name, compaction.deck("RKTRMDIR\nROCKCOMP\n /\n", table + "ROCK\n 200 5E-5 /\n"))
        r = runs.run(path, where, STEPS, "dir_" + name)
        found[name] = [r.at(150, v) for v in VECTORS]
    for one, other in (("x", "y"), ("x", "z"), ("y", "z"), ("x", "none"), ("y", "none"), ("z", "none")):
        if one in found and other in found:
            checks.true("directions: %s and %s" % (one, other), found[one] != found[other], found[one])
    rows = [line.split() for line in compaction.TABLE.splitlines()[1:]]
    wide = "ROCKTAB\n" + "\n".join(" ".join(r[:3] + [r[2], r[2]] + r[3:]) for r in rows) + "\n"
    path = restarts.write_data(where, "equal", compaction.deck("RKTRMDIR\nROCKCOMP\n /\n", wide))
    base = os.path.join(where, "equal")
    done = restarts.start(path, base, KEEP + STEPS)
    checks.true("directions: run", done.returncode == 0, done.stderr)
    restarts.same_as(checks, "directions: equal columns", base, whole)


def imported(checks, where, name):
    """The libconfig deck that import makes runs as the Eclipse deck does; and so do its keys by --set."""
    path = os.path.join(where, name.upper() + ".DATA")
    target = os.path.join(where, name + "_import.cfg")
    done = runs.hepta("import", path, "-o", target)
    checks.true(name + ": import", done.returncode == 0, done.stderr)
    one, other = (runs.run(p, where, STEPS, name + kind) for p, kind in ((path, "-d"), (target, "-i")))
    for v in VECTORS:
        checks.near("%s: import, %s" % (name, v), other.at(300, v), one.at(300, v), 1e-9 * abs(one.at(300, v)))


def set_by_options(checks, where):
    one = runs.run(os.path.join(where, "IRREVERSIBLE.DATA"), where, STEPS, "set-d")
    table = "([50.0,0.90,0.45],[120.0,0.94,0.6],[200.0,1.0,1.0],[300.0,1.02,1.1])"
    path = restarts.write_data(where, "plain", flow.Deck(controls=compaction.CONTROLS, schedule=compaction.SCHEDULE, rock=""))
    other = runs.run(path, where, STEPS + ["rock={table=%s;irreversible=true;}" % table], "set-o")
    for v in VECTORS:
        checks.near("--set: " + v, other.at(300, v), one.at(300, v), 1e-9 * abs(one.at(300, v)))


def main():
    checks = runs.Checks()
    with runs.folder() as where:
        whole = {}
        for name in KINDS[:len(KINDS) // runs.every(1, 2)]:
            path = restarts.write_data(where, name, getattr(compaction, name)())
            whole[name] = same_bits(checks, where, name, path)
            r = runs.run(path, where, STEPS, name + "-j", ["--check-jacobian"])
            checks.true(name + ": Jacobian", "they agree" in r.stderr, r.stderr[:2000])
            error = max(r.mass_balance_errors())
            checks.true(name + ": mass balance", error < 1e-6, "%.1e" % error)
            if name != "reversible":
                imported(checks, where, name)
        other_table(checks, where, whole["reversible"])
        directions(checks, where, whole["reversible"])
        set_by_options(checks, where)
        lowest(checks, where, whole["irreversible"])
    return checks.result()


if __name__ == "__main__":
    sys.exit(main())
