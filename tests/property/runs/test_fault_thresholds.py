"""Threshold pressures of faults (THPRESFT): where a fault parts two equilibration regions they give the bits of THPRES between
these, which is compared with OPM Flow elsewhere, also with connections across the fault; with both the larger counts. The
deck that `import` writes, `faults[].threshold` of a deck of hepta's own and a run that goes on give the same; `check` says so."""
import os
import sys

import imports
import multipliers
import restarts
import runs

checks = runs.Checks()
REGIONS = "EQLNUM\n " + " ".join("5*1 5*2" for _ in range(18)) + " /\n"
TABDIMS = "TABDIMS\n 1 1 30 30 5 /\nEQLDIMS\n 2 /\nEQLOPTS\n THPRES /\n"
EQUIL = "EQUIL\n 2000 200 2100 0 /\n 2000 200 2100 0 /\n"
HELD = {"regions": "THPRES\n 1 2 40 /\n/\n", "fault": "THPRESFT\n A 40 /\n/\n", "both": "THPRES\n 1 2 15 /\n/\nTHPRESFT\n B 25 /\n A 40 /\n/\n",
        "lower": "THPRES\n 1 2 40 /\n/\nTHPRESFT\n '*' 15 /\n/\n", "none": ""}


def write(folder, name, grid, held):
    deck = multipliers.deck(grid, "TSTEP\n 5*20 /\n")
    deck.part.update(tabdims=TABDIMS, regions=REGIONS, solution=EQUIL + HELD[held])
    path = os.path.join(folder, name + ".DATA")
    with open(path, "w") as f:
        f.write(deck.text())
    return path


def table(base):
    with open(base + ".summary.csv") as f:
        return f.read()


with runs.folder() as where:
    for kind, grid in (("blocks", ""), ("throw", multipliers.FAULT))[::runs.every(1, 2)]:
        base = {}
        for held in HELD:
            base[held] = os.path.join(where, kind + "-" + held)
            done = restarts.start(write(where, kind + "-" + held, grid, held), base[held])
            checks.true("%s, %s: runs" % (kind, held), done.returncode == 0, done.stderr)
        for held in ("fault", "both", "lower"):
            checks.true("%s: %s gives the bits of THPRES" % (kind, held), table(base[held]) == table(base["regions"]) and
                        runs.datasets(base[held] + ".h5") == runs.datasets(base["regions"] + ".h5"))
        free, thrown = (runs.read_csv(base[held] + ".summary.csv")["WBHP:I"] for held in ("none", "fault"))
        most = max(abs(a - b) for a, b in zip(free, thrown))
        checks.true("%s: it holds the phases back" % kind, most > 5.0, most)
        path = write(where, kind + "-i", grid, "fault")
        imports.both(checks, where, path, kind + "-i")
        for threads, step in enumerate(runs.Result(base["fault"], "", "").steps[1:-1:2], 1):
            part = os.path.join(where, kind + "-part")
            done = restarts.go_on(path, part, "%s:%d" % (base["fault"], step), arguments=["--threads", str(threads)])
            checks.true("%s: goes on from step %d" % (kind, step), done.returncode == 0, done.stderr)
            restarts.same_as(checks, "%s from step %d" % (kind, step), part, base["fault"])
        for other in ("lower", "regions", "none"):
            done = restarts.go_on(os.path.join(where, kind + "-" + other + ".DATA"), part, "%s:%d" % (base["fault"], step))
            checks.true("%s: does not go on with other thresholds (%s)" % (kind, other),
                        done.returncode == 2 and "in: the initial state" in done.stderr, done.stderr)
        done = runs.hepta("check", path)
        checks.true("%s: check says so" % kind, "threshold faults: " in done.stdout and "at most 40 bar" in done.stdout and
                    ", multiplier 1, threshold 40 bar\n" in done.stdout, done.stdout)
        done = runs.hepta("info", base["fault"] + ".h5")
        checks.true("%s: info says so" % kind, ", multiplier 1, threshold 40 bar\n" in done.stdout, done.stdout)
        done = runs.hepta("check", path, "--set", "grid.refine=[2,1,1]")
        checks.true("%s: no refine" % kind, done.returncode != 0 and "refine" in done.stderr, done.stderr)

    with open(os.path.join(where, "blocks-i_i.cfg")) as f:  # the same, as a fault of a deck of hepta's own
        text = f.read()
    begin, end = text.index("thresholds = ("), text.index(");\n", text.index("thresholds = (")) + 3
    own = os.path.join(where, "own.cfg")
    with open(own, "w") as f:
        f.write(text[:begin] + 'faults = ( { name = "A"; threshold = 40.0; faces = ( { i = 5; face = "i+"; } ); } );\n' + text[end:])
    done = runs.hepta("run", own, "-o", os.path.join(where, "own"), "-q")
    checks.true("a fault of a deck of hepta's own", done.returncode == 0 and table(os.path.join(where, "own")) == table(os.path.join(where, "blocks-i")),
                done.stderr)
    for setting, word in (('thresholds=({connections=([1,1,1,1,1,1,2]);})', "a cell and itself"),
                          ('thresholds=({connections=([1,1,1,1,1,9,2]);})', "9"),
                          ('thresholds=({connections=([1,1,1,2,1,1,-2]);})', "must be >= 0"),
                          ('thresholds=({pressure=2.0;})', "regions or connections is missing")):
        done = runs.hepta("check", os.path.join(where, "blocks-i_i.cfg"), "--set", setting)
        checks.true(setting, done.returncode == 2 and word in done.stderr, done.stderr)
sys.exit(checks.result())
