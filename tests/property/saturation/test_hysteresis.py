"""Runs with hysteresis: the same bits for any team and from any report step on, the Jacobian, the mass balance, mirrored wells,
shorter steps, the deck that import makes, and what is refused by name."""
import os
import sys

import restarts
import runs
from region_decks import STEERED
import flow

KEEP = restarts.KEEP
STEPS = ["timestep.initial=1", "timestep.max=10"]
VECTORS = ("FOPT", "FWPT", "FPR")

# A line of cells in which water and oil are injected in turns, as one of hepta's own decks.
LINE = """units = "metric";
grid = { size = [12, 1, 4]; dx = 20.0; dy = 20.0; dz = 2.0; top = 2000.0; porosity = 0.2; permx = 200.0; permz = 20.0; };
fluids = { water = { density = 1020.0; viscosity = 0.5; compressibility = 4.4e-5; };
           oil = { density = 850.0; viscosity = 2.0; compressibility = 1.2e-4; }; };
saturation = ( { model = "corey"; swc = 0.2; sor = 0.1; krw_max = 0.6; pc_entry = 0.5; },
               { model = "let"; swc = 0.2; sor = 0.3; krw_max = 0.5; lw = 2.0; ew = 2.0; tw = 1.0; lo = 2.0; eo = 2.0; to = 1.0; pc_entry = 0.3; } );
regions = { imbibition = 2; };
hysteresis = { %s };
rock = { reference_pressure = 200.0; compressibility = 5e-5; };
initial = { pressure = 200.0; saturation = 0.3; };
wells = ( { name = "I"; type = "injector"; phase = "water"; i = %d; j = 1; k = [1, 4]; radius = 0.1; control = "rate"; rate = 20.0; },
          { name = "P"; type = "producer"; i = %d; j = 1; k = [1, 4]; radius = 0.1; control = "bhp"; bhp = 190.0; } );
schedule = ( { time = 60.0; well = "I"; phase = "oil"; rate = 15.0; }, { time = 120.0; well = "I"; phase = "water"; rate = 25.0; } );
report = { every = 20.0; end = 200.0; };
"""


def line(where, name, settings, turned=False):
    return restarts.write_deck(where, LINE % ((settings,) + ((12, 1) if turned else (1, 12))), name)


def own_deck(checks, where):
    """Formulas, mirrored wells and shorter steps."""
    one = 'oil = "carlson"; water = "imbibition"; pc = true;'
    deck = line(where, "line", one)
    a = runs.run(deck, where, STEPS, "line-a", ["--check-jacobian"])
    checks.true("own deck: Jacobian", "they agree" in a.stderr, a.stderr[:2000])
    checks.true("own deck: mass balance", max(a.mass_balance_errors()) < 1e-6, a.mass_balance_errors())
    plainly = STEPS + ["timestep.accuracy=0"]  # a corrected state is not solved for as far as that
    one, other = (runs.run(d, where, plainly, n) for d, n in ((deck, "line-1"), (line(where, "turned", one, True), "line-2")))
    off = abs(one.field("sw") - other.field("sw")[:, :, ::-1]).max()
    checks.true("own deck: mirrored", off < 1e-5, off)
    short = runs.run(deck, where, ["timestep.initial=0.5", "timestep.max=2.5"], "line-s")
    plain = runs.run(line(where, "plain", ""), where, STEPS, "line-p")
    for v in VECTORS:
        moved = abs(a.at(200, v) - plain.at(200, v))
        checks.true("own deck: %s in steps a quarter as long" % v, abs(a.at(200, v) - short.at(200, v)) < 0.1 * moved,
                    (a.at(200, v), short.at(200, v), plain.at(200, v)))


def least(checks, where, path, whole):
    """The least saturations are those of the result, and cannot be missing."""
    last = sorted(f for f in os.listdir(whole + ".steps") if f.startswith("restart_"))[-1]
    file = os.path.join(whole + ".steps", last)
    with runs.edited(file) as f:
        low, now = f["driest_sw"][:], f["sw"][:]
        checks.true("least: below what came later", (low <= now).all() and (now - low).max() > 0.1, float((now - low).min()))
        del f["driest_sw"]
    done = restarts.go_on(path, os.path.join(where, "o"), whole, KEEP + STEPS)
    checks.true("least: missing", done.returncode == 2 and "do not fit its deck" in done.stderr, done.stderr)


def refused(checks, where, deck, whole):
    """Another model at a restart; what a deck cannot have."""
    text = flow.Deck(**deck).text()
    other = restarts.write_data(where, "other", text.replace("0.05 2 1* 0.2", "0.05 2 1* 0.3"))
    done = restarts.go_on(other, os.path.join(where, "o"), whole, KEEP + STEPS)
    checks.true("another trapping", done.returncode == 2 and "relative permeabilities" in done.stderr, done.stderr)
    for change, expected in ((("0.05 2 1*", "0.05 4 1*"), "model 4 is not supported, only 0 to 3"),
                             (("0.2 /\n", "0.2 BOTH NEW /\n"), "'NEW' is not supported"), (("HYSTER", "OIL"), "'OIL' is not supported"),
                             (("EHYSTR\n 0.05 2 1* 0.2 /\n", ""), "SATOPTS HYSTER in RUNSPEC needs EHYSTR"),
                             (("IMBNUM\n 180*2", "IMBNUM\n 180*3"), "IMBNUM: cell (1,1,1): 3, there are only 2")):
        assert change[0] in text
        done = runs.hepta("check", restarts.write_data(where, "refused", text.replace(change[0], change[1], 1)))
        checks.true("refused: " + expected, done.returncode == 2 and expected in done.stderr, done.stderr)
    done = runs.hepta("check", restarts.write_data(where, "noted", text.replace("SATOPTS\n HYSTER /\n", "")))
    checks.true("without HYSTER", done.returncode == 0 and "EHYSTR: without SATOPTS HYSTER in RUNSPEC it has no effect" in done.stderr
                and "IMBNUM has no effect" in done.stderr, done.stderr)


def main():
    checks = runs.Checks()
    with runs.folder() as where:
        deck = STEERED["killough"][0]
        path = restarts.write_data(where, "killough", flow.Deck(**deck))
        whole = restarts.same_bits(checks, where, "killough", path, KEEP + STEPS, (3,), lambda steps: (steps[3], steps[7]))
        r = runs.run(path, where, STEPS, "killough-j", ["--check-jacobian"])
        checks.true("Jacobian", "they agree" in r.stderr, r.stderr[:2000])
        checks.true("mass balance", max(r.mass_balance_errors()) < 1e-6, r.mass_balance_errors())
        done = runs.hepta("import", path, "-o", os.path.join(where, "import.cfg"))
        checks.true("import", done.returncode == 0, done.stderr)
        again = runs.run(os.path.join(where, "import.cfg"), where, STEPS, "import-i")
        checks.true("import: the same fields", runs.datasets(again.base + ".h5") == runs.datasets(r.base + ".h5"))
        own_deck(checks, where)
        refused(checks, where, deck, whole)
        least(checks, where, path, whole)
    return checks.result()


if __name__ == "__main__":
    sys.exit(main())
