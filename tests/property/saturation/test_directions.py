"""Relative permeabilities by direction of the flow and by perforation, end points of imbibition: the same bits for any team and
from any report step on, the Jacobian, the mass balance, which of the tables a flow takes, the decks that import and export make,
and what is refused by name. tests/peer compares with OPM Flow, which knows no tables of flow towards minus."""
import os
import sys

import flow
import restarts
import runs
from region_decks import STEERED, TWO_TABLES, turns

KEEP = restarts.KEEP
STEPS = ["timestep.initial=1", "timestep.max=10"]
PLAINLY = ["rock.table=([50.0,0.95],[400.0,1.02])", "timestep.accuracy=0", "newton.tolerance_flow=1e-6"]

# A block with a connection across it and wells through several layers.
BLOCK = """units = "metric";
grid = { size = [6, 4, 3]; dx = 20.0; dy = 20.0; dz = 4.0; top = 2000.0; porosity = 0.2; permx = (200.0, 50.0, 400.0);
         boxes = ( { multiply = { permz = 0.2; }; } ); connections = ( (2, 1, 1, 5, 4, 3, 2.0) ); };
fluids = { water = { density = 1020.0; viscosity = 0.5; compressibility = 4.4e-5; };
           oil = { density = 850.0; viscosity = 2.0; compressibility = 1.2e-4; }; };
saturation = ( { model = "corey"; swc = 0.2; sor = 0.1; krw_max = 0.6; pc_entry = 0.2; },
               { model = "table"; table = ( [0.2, 0.0, 0.9, 0.2], [0.4, 0.02, 0.6, 0.1], [0.6, 0.1, 0.2, 0.05], [0.8, 0.4, 0.0, 0.0] ); },
               { model = "let"; swc = 0.25; sor = 0.2; krw_max = 0.5; lw = 2.0; ew = 2.0; tw = 1.0; lo = 2.0; eo = 2.0; to = 1.0; pc_entry = 0.1; } );
rock = { table = ( [50.0, 0.95, 0.9, 0.8, 0.7], [200.0, 1.0, 1.0, 1.0, 1.0], [400.0, 1.02, 1.1, 1.2, 1.3] ); };
regions = { %s };
%s
initial = { pressure = 200.0; saturation = 0.3; };
wells = ( { name = "I"; type = "injector"; phase = "water"; i = 1; j = 1; k = [1, 3]; radius = 0.1; control = "rate"; rate = 60.0; },
          { name = "P"; type = "producer"; i = 6; j = 4; k = [1, 3]; radius = 0.1; control = "bhp"; bhp = 190.0; %s } );
schedule = ( { time = 40.0; well = "P"; k = 2; connection_factor = 5.0; %s } );
report = { every = 10.0; end = 80.0; };
"""
AXES = "saturation = [%s]; saturation_x = 2; saturation_y = 1; saturation_x_minus = 3; saturation_z_minus = 2;" % ", ".join(
    "1" if n % 5 else "3" for n in range(72))
ENDS = "endpoints = { swl = 0.22; swcr = 0.26; sowcr = 0.15; krw = 0.4; kro = 0.7; };"


def block(where, name, regions=AXES, ends="", wells="saturations = [2, 0, 3];", later="saturation = 2;"):
    return restarts.write_deck(where, BLOCK % (regions, ends, wells, later), name)


def both_ways(checks, where):
    """A line of cells without gravity, flooded from either end: towards plus the tables towards minus do not matter, and back."""
    text = BLOCK.replace("size = [6, 4, 3]", "size = [12, 1, 1]").replace(" connections = ( (2, 1, 1, 5, 4, 3, 2.0) );", "").replace(
        "permx = (200.0, 50.0, 400.0)", "permx = 200.0").replace("k = [1, 3]", "k = 1").replace("k = 2; connection_factor", "connection_factor").replace(
        "pc_entry = 0.2", "pc_entry = 0.0").replace("pc_entry = 0.1", "pc_entry = 0.0").replace("0.9, 0.2]", "0.9, 0.0]").replace("0.6, 0.1]", "0.6, 0.0]").replace("0.2, 0.05]", "0.2, 0.0]")

    def run(name, regions, turned):
        deck = text % (regions, "", "", "")
        for well, i in (("I", 12 if turned else 1), ("P", 1 if turned else 12)):
            at = deck.index('name = "%s"' % well)
            deck = deck[:at] + deck[at:].replace("i = %d; j = %d" % ((1, 1) if well == "I" else (6, 4)), "i = %d; j = 1" % i, 1)
        return runs.run(restarts.write_deck(where, deck, name), where, STEPS + PLAINLY, name)

    fields = {}
    for turned in (False, True):
        found = {key: run("line", tables, turned).field("sw").ravel() for key, tables in (
            ("both", "saturation_x = 2; saturation_x_minus = 3;"), ("plus", "saturation_x = 2;"), ("minus", "saturation_x = 3;"))}
        right, wrong = ("minus", "plus") if turned else ("plus", "minus")
        off, apart = (abs(found["both"] - found[key]).max() for key in (right, wrong))
        checks.true("turned %d: the tables of the way it flows: %.1e, of the other: %.1e" % (turned, off, apart), off < 1e-6 and apart > 0.01)
        fields[turned] = found["plus"]
    off = abs(fields[False] - fields[True][::-1]).max()
    checks.true("one table for both ways: mirrored", off < 1e-6, off)


def of_cell(checks, where):
    """The cell's own table, named by a perforation or a face, changes no bit."""
    plain = runs.run(block(where, "own", "", ENDS, "", ""), where, STEPS)
    named = runs.run(block(where, "named", "saturation_x = 1; saturation_z_minus = 1;", ENDS, "saturations = [1, 0, 1];", "saturation = 1;"), where, STEPS)
    checks.true("the cell's own table: the same bits", runs.datasets(plain.base + ".h5") == runs.datasets(named.base + ".h5"))


def through_decks(checks, where):
    """An Eclipse deck with all of it, what import makes of it, and what export makes of that."""
    text = flow.Deck(**dict(TWO_TABLES, add={"runspec": "SATOPTS\n DIRECT IRREVERS /\nENDSCALE\n /\n", "props": "SWL\n 180*0.22 /\n"},
                            regions="SATNUM\n 60*1 120*2 /\nKRNUMX\n 180*2 /\nKRNUMY-\n 90*1 90*2 /\nKRNUMX-\n 90*1 90*2 /\n",
                            wells=flow.BASE["wells"].replace("P1 2* 1 3 OPEN 2*", "P1 2* 1 2 OPEN 2 1*"),
                            schedule="TSTEP\n 30 /\nCOMPDAT\n P1 2* 2 2 OPEN 1 1* 0.2 /\n P1 2* 3 3 OPEN 2 1* 0.2 /\n/\nTSTEP\n 30 /\n")).text()
    deck = restarts.write_data(where, "all", text)
    a = runs.run(deck, where, STEPS)
    for command, name in (("import", "again.cfg"), ("export", "AGAIN.DATA")):
        path = os.path.join(where, name)
        done = runs.hepta(command, deck, "-o", path)
        checks.true(command, done.returncode == 0, done.stderr)
        b = runs.run(path, where, STEPS, name.split(".")[0] + "-r")
        if command == "import":
            checks.true("import: the same fields", runs.datasets(a.base + ".h5") == runs.datasets(b.base + ".h5"))
        for v in ("FOPT", "FWPT", "FPR", "WBHP:P1"):
            checks.near("%s: %s" % (command, v), b.at(60, v), a.at(60, v), 1e-6 * a.at(60, v))
        deck = path


def imbibed(checks, where):
    """End points of imbibition in an Eclipse deck: Jacobian, import and export."""
    deck = restarts.write_data(where, "ends", flow.Deck(**STEERED["iends"][0]))
    a = runs.run(deck, where, STEPS, arguments=["--check-jacobian"])
    checks.true("end points of imbibition: Jacobian", "they agree" in a.stderr, a.stderr[:2000])
    for command, name in (("import", "ends2.cfg"), ("export", "ENDS3.DATA")):
        path = os.path.join(where, name)
        done = runs.hepta(command, deck, "-o", path)
        checks.true("end points of imbibition: " + command, done.returncode == 0, done.stderr)
        b = runs.run(path, where, STEPS)
        for v in ("FOPT", "FWPT", "FPR"):
            checks.near("%s: %s" % (command, v), b.at(300, v), a.at(300, v), 1e-6 * a.at(300, v))
        deck = path


def refused(checks, where):
    two = flow.Deck(**dict(TWO_TABLES, tabdims=TWO_TABLES["tabdims"] + "SATOPTS\n DIRECT /\n", regions="KRNUMX\n 180*2 /\n")).text()
    turned = flow.Deck(**turns("EHYSTR\n 0.05 2 1* 0.2 /\n")).text()
    perforation = ("P1 2* 1 3 OPEN 2*", "P1 2* 1 3 OPEN %d 1*")
    for text, change, expected in (
            (two, ("SATOPTS\n DIRECT /\n", ""), "KRNUMX needs SATOPTS DIRECT in RUNSPEC"),
            (two, ("KRNUMX\n", "KRNUMX-\n"), "KRNUMX- needs SATOPTS IRREVERS in RUNSPEC"),
            (two, ("180*2", "180*3"), "KRNUMX: cell (1,1,1): 3, there are only 2"),
            (two, ("DIRECT", "OIL"), "OIL' is not supported: of the options of saturation functions there are HYSTER, DIRECT and IRREVERS"),
            (two, (perforation[0], perforation[1] % 3), "saturation table 3: there are only 2"),
            (turned, ("HYSTER", "HYSTER DIRECT"), None),
            (turned, ("REGIONS\n", "REGIONS\nKRNUMX\n 180*2 /\n"), "KRNUMX needs SATOPTS DIRECT"),
            (turned.replace("HYSTER", "HYSTER DIRECT"), ("REGIONS\n", "REGIONS\nKRNUMX\n 180*2 /\n"), "KRNUMX) beside hysteresis are not supported"),
            (turned, (perforation[0], perforation[1] % 2), "with hysteresis connections have the saturation functions of their cells"),
            (turned, ("PROPS\n", "PROPS\nISWL\n 180*0.2 /\n"), "ISWL needs ENDSCALE in RUNSPEC"),
            (turned.replace("OIL\nWATER\n", "OIL\nWATER\nENDSCALE\n /\n"), ("PROPS\n", "PROPS\nISWCR\n 180*0.95 /\n"),
             "ISWCR: cell (1,1,1): of imbibition: end points of a cell: swl 0.2 <= swcr 0.95 < swu 0.9")):
        assert change[0] in text, change
        done = runs.hepta("check", restarts.write_data(where, "refused", text.replace(change[0], change[1], 1)))
        good = done.returncode == 0 if expected is None else done.returncode == 2 and expected in done.stderr
        checks.true("refused: %s" % expected, good, done.stderr)
    for options, expected in ((dict(wells="saturations = [2, 0];"), "wells[1].saturations: must be a list of 3 numbers"),
                              (dict(wells="saturation = 4;"), "well P: entry 4 of saturation for a perforation, there are only 3"),
                              (dict(wells="saturation = -1;"), "must be >= 0"), (dict(later="saturation = 7;"), "entry 7 of saturation"),
                              (dict(regions="saturation_y = 4;"), "4 in cell 1,1,1: must be a whole number in 1..3"),
                              (dict(ends='hysteresis = { oil = "carlson"; };'), "beside hysteresis are not supported")):
        done = runs.hepta("check", block(where, "refused", **options))
        checks.true("refused: " + expected, done.returncode == 2 and expected in done.stderr, done.stderr)
    done = runs.hepta("check", block(where, "needs"), "--set", "schedule=({time=10.0;well=\"P\";saturation=2;multiply_index=2.0;})")
    checks.true("saturation alone in the schedule", done.returncode == 2 and "needs connection_factor" in done.stderr, done.stderr)


def main():
    checks = runs.Checks()
    with runs.folder() as where:
        deck = block(where, "block")
        whole = restarts.same_bits(checks, where, "block", deck, KEEP + STEPS, (3,), lambda steps: (steps[3], steps[6]))
        for name, path in (("block", deck), ("with end points", block(where, "ends", ends=ENDS))):
            r = runs.run(path, where, STEPS, "jacobian", ["--check-jacobian"])
            checks.true(name + ": Jacobian", "they agree" in r.stderr, r.stderr[:2000])
            checks.true(name + ": mass balance", max(r.mass_balance_errors()) < 1e-6, r.mass_balance_errors())
        other = block(where, "other", wells="saturations = [2, 0, 1];")
        done = restarts.go_on(other, os.path.join(where, "o"), whole + ":8", KEEP + STEPS)
        checks.true("another table of a perforation at a restart", done.returncode == 2 and "well" in done.stderr, done.stderr)
        done = restarts.go_on(block(where, "other", AXES.replace("saturation_y = 1", "saturation_y = 2")), os.path.join(where, "o"), whole + ":8", KEEP + STEPS)
        checks.true("another table of a face at a restart", done.returncode == 2 and "relative permeabilities" in done.stderr, done.stderr)
        both_ways(checks, where)
        of_cell(checks, where)
        through_decks(checks, where)
        imbibed(checks, where)
        refused(checks, where)
    return checks.result()


if __name__ == "__main__":
    sys.exit(main())
