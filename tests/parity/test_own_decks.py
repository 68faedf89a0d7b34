"""Decks of hepta's own, written by hand, beside the Eclipse decks that say the same: the same fields, vectors and time steps to
the bit. And they go on from a report step in the middle to the same end."""
import os
import sys

import h5py

import aquifers
import flow
import restarts
import runs

TIMES = "report = { every = 10.0; end = 50.0; };\n"
WELLS = """wells = (
  { name = "P1"; type = "producer"; i = 10; j = 6; k = [1, 3]; diameter = 0.2; control = "oil-rate"; oil_rate = 150.0; bhp = 20.0; },
  { name = "P2"; type = "producer"; i = 10; j = 1; k = [1, 3]; diameter = 0.2; control = "liquid-rate"; liquid_rate = 200.0; bhp = 20.0; }
);
"""
INJECTOR = """wells = (
  { name = "I"; type = "injector"; i = 1; j = 1; k = [1, 3]; diameter = 0.2; control = "rate"; rate = 400.0; bhp = 600.0; },
  { name = "P1"; type = "producer"; i = 10; j = 6; k = [1, 3]; diameter = 0.2; control = "oil-rate"; oil_rate = 150.0; bhp = 80.0; },
  { name = "P2"; type = "producer"; i = 10; j = 1; k = [1, 3]; diameter = 0.2; control = "liquid-rate"; liquid_rate = 200.0; bhp = 80.0; }
);
"""
CONTACT = "initial = { datum_depth = 2000.0; datum_pressure = 200.0; contact_depth = %g.0; accuracy = -5; };\n"
CORNER = "{ i = 1; j = 6; set = { active = 0; }; }"
SWOF = 'saturation = { model = "table"; table = ( [0.2, 0.0, 1.0, 0.5], [0.4, 0.05, 0.5, 0.2], [0.6, 0.2, 0.1, 0.1], [0.8, 0.5, 0.0, 0.0] ); };\n'
ROCK = "rock = { reference_pressure = 200.0; compressibility = 5e-5; };\n"
SIZES = "dx = 40.0; dy = 50.0; dz = 8.0; top = 2000.0;"


def own(more, boxes=(), step=0.5, wells=WELLS, initial=CONTACT % 2016, saturation=SWOF, rock=ROCK, vectors="", grid="", sizes=SIZES):
    """The base of flow.py with the wells of aquifers.py."""
    changes = ", ".join(("{ multiply = { permz = 0.1; }; }",) + tuple(boxes))
    return ('units = "metric"; start = "2020-01-01";\ngrid = {\n  size = [10, 6, 3]; %s\n'
            "  porosity = 0.2; permx = [200.0, 50.0, 400.0];\n  boxes = ( %s );\n%s};\n" % (sizes, changes, grid) +
            "fluids = {\n  water = { density = 1020.0; reference_pressure = 200.0; formation_volume_factor = 1.01; compressibility = 4.5e-5; "
            "viscosity = 0.5; };\n  oil = { density = 850.0; table = ( [100.0, 1.06, 2.8], [200.0, 1.05, 3.0], [400.0, 1.03, 3.4] ); };\n};\n"
            + saturation + rock + initial + wells + TIMES
            + "timestep = { initial = %g; max = %g; };\noutput = { vectors = [%s]; };\n" % (min(0.5, step), step, vectors) + more)


def aquifer(text, vectors="AAQ", **k):
    return own("aquifers = (\n" + text + "\n);\n", vectors=", ".join('"%s%s"' % (vectors, v) for v in "RTP"), **k)


CARTER_TRACY = aquifer("""  { type = "carter-tracy"; datum_depth = 2010.0; permeability = 300.0; porosity = 0.25; compressibility = 9e-5;
    radius = 400.0; thickness = 24.0; angle = 120.0;
    faces = ( { i = 1; face = "i-"; }, { i = [2, 6]; j = 1; k = [2, 3]; face = "j-"; multiplier = 0.5; } ); }""")
TABLE = aquifer("""  { number = 3; type = "carter-tracy"; datum_depth = 2000.0; pressure = 215.0; permeability = 600.0; porosity = 0.2;
    compressibility = 8e-5; radius = 600.0; thickness = 60.0; angle = 90.0;
    table = ( [0.01, 0.112], [0.05, 0.229], [0.1, 0.315], [0.2, 0.424], [0.4, 0.564], [0.7, 0.762], [1.0, 0.96], [2.0, 1.62] );
    faces = ( { i = [1, 5]; face = "i-"; coefficient = 300.0; multiplier = 0.7; },
              { i = 1; j = 6; k = [1, 2]; face = "j+"; coefficient = 500.0; } ); }""",
                boxes=["{ i = [3, 4]; j = [2, 3]; set = { active = 0; }; }"])
FETKOVICH = aquifer("""  { number = 2; type = "fetkovich"; datum_depth = 2020.0; pressure = 160.0; volume = 4e5; compressibility = 8e-5;
    productivity = 1.5; faces = ( { i = [2, 10]; j = 6; k = 3; face = "j+"; multiplier = 2.0; } ); },
  { number = 1; type = "fetkovich"; datum_depth = 2005.0; volume = 3e6; compressibility = 1e-4; productivity = 12.0;
    connections = ( %s ); }""" % ", ".join("[1.0, %d.0, %d.0, 400.0]" % (j, k) for j in range(1, 7) for k in range(1, 4)))
FLUX = aquifer("""  { type = "flux"; flux = 0.2; faces = ( { i = 1; face = "i-"; multiplier = 0.5; } ); }""")
CHAIN = aquifer("""  { type = "numerical"; faces = ( { i = 1; j = [1, 5]; face = "i-"; multiplier = 0.5; } );
    cells = ( { i = 1; j = 6; k = 1; area = 2e5; length = 600.0; porosity = 0.25; permeability = 300.0; },
              { i = 1; j = 6; k = 2; area = 3e5; length = 2000.0; porosity = 0.2; permeability = 200.0; depth = 2030.0; },
              { i = 1; j = 6; k = 3; area = 3e5; length = 8000.0; permeability = 100.0; depth = 2050.0; } ); }""",
                vectors="ANQ", boxes=[CORNER])
BY_FACE = aquifer("""  { number = 4; type = "numerical"; faces = ( { i = 1; j = [1, 5]; face = "i-"; of_face = true; },
              { i = 8; j = [2, 3]; k = 2; face = "j+"; multiplier = 0.1; of_face = true; inner = true; } );
    cells = ( { i = 1; j = 6; k = 2; area = 4e5; length = 900.0; porosity = 0.2; permeability = 250.0; depth = 2040.0; pressure = 215.0;
                saturation = 2; } ); },
  { number = 2; type = "numerical"; faces = ( { i = [3, 6]; k = 3; face = "k+"; multiplier = 2.0; } );
    cells = ( { i = 1; j = 6; k = 1; area = 2e5; length = 3000.0; porosity = 0.3; permeability = 150.0; depth = 2020.0; } ); }""",
                  vectors="ANQ", boxes=[CORNER, "{ i = [1, 4]; k = 1; set = { ntg = 0.7; }; }"], saturation=SWOF.replace(" = {", " = ( {").replace(
                      "};\n", '}, { model = "table"; table = ( [0.2, 0.0, 1.0, 0.0], [1.0, 1.0, 0.0, 0.0] ); } );\n'))
THRESHOLDS = own("""regions = { equilibrium = { file = "regions.dat"; }; };
thresholds = ( { regions = [1, 2]; }, { regions = [3, 2]; pressure = 2.7; } );
""", initial="initial = ( %s );\n" % ", ".join("{ datum_depth = 2000.0; datum_pressure = %d.0; contact_depth = 2100.0; accuracy = -5; }" % p
                                               for p in (200, 165, 160)), wells=INJECTOR, step=5)
COLUMNS = " ".join("5*1 3*2 2*3" for _ in range(18))
HELD = flow.Deck(tabdims="TABDIMS\n 1 1 30 30 5 /\nEQLDIMS\n 3 /\nEQLOPTS\n THPRES /\n", regions="EQLNUM\n " + COLUMNS + " /\n", schedule="TSTEP\n 5*10 /\n",
                 solution="EQUIL\n 2000 200 2100 0 /\n 2000 165 2100 0 /\n 2000 160 2100 0 /\nTHPRES\n 1 2 1* /\n 2 3 2.7 /\n/\n")
COMPACTED = own("", wells=INJECTOR, initial=CONTACT % 2100, step=5,
                rock="rock = { table = ( [50.0, 0.9, 0.45], [120.0, 0.94, 0.6], [200.0, 1.0, 1.0], [300.0, 1.02, 1.1] ); irreversible = true; };\n")
IRREVERSIBLE = flow.Deck(add={"runspec": "ROCKCOMP\n IRREVERS 1 NO /\n"}, schedule="TSTEP\n 5*10 /\n",
                         rock="ROCKTAB\n 50 0.90 0.45\n 120 0.94 0.6\n 200 1.0 1.0\n 300 1.02 1.1 /\n")
FAULTED = own("""faults = (
  { name = "A"; multiplier = 0.7; faces = ( { i = 5; face = "i+"; }, { i = 6; j = [5, 6]; face = "i-"; } ); },
  { name = "B"; multiplier = 0.3; faces = ( { i = 6; j = [1, 3]; face = "i-"; } ); }
);
multipliers = ( { time = 40.0; fault = "*"; by = 4.0; }, { time = 20.0; fault = "A"; by = 0.05; },
                { time = 20.0; j = [3, 4]; face = "j-"; by = 0.1; },
                { time = 30.0; name = "leaks"; connections = ( [1, 1, 1, 1, 1, 2, 3], [10, 6, 3, 10, 6, 2, 2] ); } );
""", wells=INJECTOR, initial=CONTACT % 2100, step=5)
MULTIPLIED = flow.Deck(add={"grid": "FAULTS\n A 5 5 1 6 1 3 X /\n A 6 6 5 6 1 3 X- /\n B 6 6 1 3 1 3 X- /\n/\nMULTFLT\n A 0.7 /\n B 0.3 /\n/\n"},
                       schedule="TSTEP\n 10 10 /\nMULTFLT\n A 0.05 /\n/\nBOX\n 1 10 3 4 1 3 /\nMULTY-\n 60*0.1 /\nTSTEP\n 10 /\n"
                       "BOX\n 1 1 1 1 1 1 /\nMULTZ\n 3 /\nBOX\n 10 10 6 6 2 2 /\nMULTZ\n 2 /\nTSTEP\n 10 /\nMULTFLT\n * 4 /\n/\nTSTEP\n 10 /\n")


def numbers(flat=(), throw=0.0, dip=0.0):
    """coord and zcorn of 10 x 6 x 3 cells: slanted pillars, layers that bend; cells of `flat` have a hundredth of a millimetre of
    thickness, the columns from i = 6 on lie deeper by `throw`."""
    def depth(i, j, k):
        return 2000.67 + dip * (1.37 * i + 0.93 * j + 0.011 * i * j) + k * 8.0

    coord = [v for j in range(7) for i in range(11) for v in (40.0 * i, 50.0 * j, 1900.0, 40.3 * i, 50.1 * j, 2100.0)]
    zcorn = [round(depth(i + a, j + b, k + (0 if (i, j, k) in flat else c)) + (1e-5 if (i, j, k) in flat and c else 0.0)
                   + (throw if i >= 5 else 0.0), 5)
             for k in range(3) for c in (0, 1) for j in range(6) for b in (0, 1) for i in range(10) for a in (0, 1)]
    return coord, zcorn


def floats(values):
    return "[" + ", ".join("%r" % float(v) for v in values) + "]"


def by_corners(coord, zcorn, more=""):
    return "corner_point = { coord = %s; zcorn = %s; %s };" % (floats(coord), floats(zcorn), more)


def keywords(coord, zcorn):
    text = " ".join("%r" % v for v in coord), " ".join("%r" % v for v in zcorn)
    wrapped = ["\n ".join(t.split()) for t in text]
    return "COORD\n %s /\nZCORN\n %s /\n" % tuple(wrapped) + flow.BASE["grid"][flow.BASE["grid"].index("PORO"):]


PLAIN, THROWN = numbers(dip=1.0), numbers(flat={(3, 2, 1), (4, 2, 1)}, throw=12.0, dip=0.3)
CORNERS = own("", wells=INJECTOR, initial=CONTACT % 2100, step=5, sizes=by_corners(*PLAIN), boxes=["{ i = 4; j = 4; k = 3; set = { active = 0; }; }"])
CORNERS_E = flow.Deck(grid=keywords(*PLAIN) + "EQUALS\n ACTNUM 0 4 4 4 4 3 3 /\n/\n", schedule="TSTEP\n 5*10 /\n")
PINCHED = """  minpv = 0.5; multz = 0.6; multx = 0.9; pinch = { thickness = 0.01; gap = 9.0; };
  connections = ( (1, 1, 1, 10, 6, 3, 2.5), (1, 1, 1, 2, 1, 1, 0.7) );
"""
FIELD = own("""faults = ( { name = "A"; multiplier = 0.7; faces = ( { i = 5; face = "i+"; } ); } );
multipliers = ( { time = 20.0; fault = "A"; by = 0.05; }, { time = 30.0; k = 1; face = "k+"; by = 0.5; } );
aquifers = ( { type = "fetkovich"; datum_depth = 2005.0; volume = 3e6; compressibility = 1e-4; productivity = 12.0; faces = ( { i = 1; face = "i-"; } ); } );
""", wells=INJECTOR, initial=CONTACT % 2100, step=5, sizes=by_corners(*THROWN), grid=PINCHED, vectors='"AAQR", "AAQT", "AAQP"')
FIELD_E = flow.Deck(grid=keywords(*THROWN) + "MINPV\n 0.5 /\nEQUALS\n MULTZ 0.6 /\n MULTX 0.9 /\n/\nPINCH\n 0.01 GAP 9 /\nFAULTS\n A 5 5 1 6 1 3 X /\n/\nMULTFLT\n A 0.7 /\n/\n"
                    "NNC\n 1 1 1 10 6 3 2.5 /\n 1 1 1 2 1 1 0.7 /\n/\n", summary=flow.BASE["summary"] + "AAQR\n/\nAAQT\n/\nAAQP\n/\n",
                    solution="EQUIL\n 2000 200 2100 0 /\nAQUFETP\n 1 2005 1* 3E6 1E-4 12 /\n/\nAQUANCON\n 1 1 1 1 6 1 3 I- /\n/\n",
                    schedule="TSTEP\n 10 10 /\nMULTFLT\n A 0.05 /\n/\nTSTEP\n 10 /\nBOX\n 1 10 1 6 1 1 /\nMULTZ\n 60*0.5 /\nENDBOX\nTSTEP\n 10 10 /\n")


def without(deck, text):
    """Settings that hepta's own decks cannot express: multipliers of a cell's faces towards -."""
    assert text in deck.part["grid"]
    deck.part["grid"] = deck.part["grid"].replace(text, "")
    return deck


SHORT = {"schedule": "TSTEP\n 5*10 /\n"}
PAIRS = {
    "carter_tracy": (CARTER_TRACY, aquifers.carter_tracy(**SHORT)),
    "table": (TABLE, aquifers.table(**SHORT)),
    "fetkovich": (FETKOVICH, aquifers.fetkovich(**SHORT)),
    "flux": (FLUX, aquifers.flux(**SHORT)),
    "chain": (CHAIN, aquifers.chain(**SHORT)),
    "by_face": (BY_FACE, without(aquifers.by_face(**SHORT), " MULTX- 0.4 1 1 1 2 1 3 /\n")),
    "thresholds": (THRESHOLDS, HELD),
    "faulted": (FAULTED, MULTIPLIED),
    "corners": (CORNERS, CORNERS_E),
    "field": (FIELD, FIELD_E),
    "compacted": (COMPACTED, IRREVERSIBLE),
}


def same(checks, name, mine, other):
    """Fields to the bit, and the vectors that both have: those of the deck's own list are among them."""
    checks.true(name + ": the same fields", runs.datasets(mine.base + ".h5") == runs.datasets(other.base + ".h5"))
    both = [v for v in mine.summary if v in other.summary]
    differ = [v for v in both if list(mine.vector(v)) != list(other.vector(v))]
    checks.true(name + ": the same vectors", differ == [], differ)
    lost = [v for v in mine.summary if v[0] == "A" and v not in other.summary] + [v for v in other.summary if v[0] == "A" and v not in mine.summary]
    checks.true(name + ": vectors of aquifers in both", lost == [] and len(both) > 20, lost)


def drawn(checks, folder, name):
    """The grid of the Eclipse files, with its connections, and the mesh of hepta's own."""
    for deck, base in ((name + ".cfg", "mine"), (name.upper() + "_E.DATA", "other")):
        runs.run(os.path.join(folder, deck), folder, ["output.eclipse=true"], base)
    for ending in ("EGRID", "INIT"):
        files = [open(os.path.join(folder, base + "." + ending), "rb").read() for base in ("MINE", "OTHER")]
        checks.true("%s: the same %s" % (name, ending), files[0] == files[1] and len(files[0]) > 1000, [len(f) for f in files])
    meshes = []
    for base in ("mine", "other"):
        with h5py.File(os.path.join(folder, base + ".grid.h5"), "r") as f:
            meshes.append({n: f["grid"][n][:].tobytes() for n in ("nodes", "cells")})
    checks.true(name + ": the same mesh", meshes[0] == meshes[1])


def main():
    checks = runs.Checks()
    with runs.folder() as folder:
        with open(os.path.join(folder, "regions.dat"), "w") as f:
            f.write(" ".join(" ".join([w[2:]] * int(w[0])) for w in COLUMNS.split()))
        for name, (text, eclipse) in PAIRS.items():
            path = os.path.join(folder, name + ".cfg")
            with open(path, "w") as f:
                f.write(text)
            mine = runs.run(path, folder, restarts.KEEP)
            other = runs.run(restarts.write_data(folder, name + "_e", eclipse), folder, restarts.KEEP)
            same(checks, name, mine, other)
            if name in ("corners", "field"):
                drawn(checks, folder, name)
            if name == "corners":
                finer = [runs.run(p, folder, restarts.KEEP + ["grid.refine=[2,1,2]"], name + "_finer" + n)
                         for p, n in ((path, ""), (os.path.join(folder, "CORNERS_E.DATA"), "_e"))]
                same(checks, name + " refined", *finer)
            if name == "field":
                reported = runs.hepta("check", path).stdout
                checks.true("field: across the fault, pinched-out cells, elsewhere", "17 between columns side by side, 2 within a column (across 2 cells), 1 else"
                            in reported, reported)
            base = os.path.join(folder, name + "_on")
            done = restarts.go_on(path, base, "%s:%d" % (mine.base, mine.steps[2]))
            checks.true(name + ": goes on", done.returncode == 0, done.stderr)
            restarts.same_as(checks, name + " from the middle", base, mine.base)
    return checks.result()


if __name__ == "__main__":
    sys.exit(main())
