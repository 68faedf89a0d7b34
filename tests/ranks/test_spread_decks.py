"""Decks that several ranks read together, each for its planes of i: all data sets of all files, to the bytes of packed chunks,
and the bytes of Eclipse's files are those of a run in which one rank has read the deck alone; messages, too. One deck by more
ranks than there are planes, HEPTA_TEST_EVERY=1: of each format and kind of grid, and decks that are much like another one (LIKE)."""
import os
import re
import sys

import h5py
import numpy

import rank_runs
import runs

NX, NY, NZ = 9, 6, 4
MORE = NX + 1 if runs.every(2, 2) == 1 else 4  # ranks; ten processes of two processors mostly wait
EBIN = ("output.eclipse=true", "output.arrays=[\"FLOWS\",\"FLORES\",\"KRW\"]", "output.rft=({ well = \"*\"; data = \"both\"; })")
LIKE = ("columns", "options over a deck", "RESTART, fewer cells", "corners in data sets", "grid.refine of blocks")

HEAD = """
title = "All forms of arrays";
grid = {
  size = [9, 6, 4];
  dx = [50.0, 52.0, 54.0, 50.0, 50.0, 48.0, 50.0, 50.0, 51.0]; dy = 40.0;
  dz = { layers = ( { k = [1, 2]; value = 4.0; }, { k = [3, 4]; value = [5.0, 6.0]; } ); };
  %s
  porosity = { file = "porosity.txt"; index = 1; multiply = 0.01; min = 0.02; };
  permx = { file = "PERM.GRDECL"; format = "eclipse"; keyword = "PERMX"; };
  permy = { file = "rock.h5"; format = "hdf5"; dataset = "/ky"; max = 900.0; };
  permz = { layers = ( { k = 1; value = { file = "rock.h5"; format = "hdf5"; dataset = "/layer"; }; },
                       { k = [2, 4]; value = { generator = "lognormal"; seed = 3; mean = 20.0; log_stddev = 1.0;
                                               correlation = [2.0, 2.0, 0.0]; covariance = "gaussian"; }; } ); };
  ntg = { generator = "channels"; seed = 5; fraction = 0.4; width = 2.0; thickness = 1.5; background = 0.8;
          channel = { generator = "normal"; seed = 6; mean = 0.9; stddev = 0.05; correlation = [4.0, 1.0, 1.0]; max = 1.0; }; };
  active = { file = "active.txt"; };
  boxes = ( { i = [2, 8]; j = [2, 3]; k = [2, 3]; multiply = { permx = 2.5; porosity = 0.9; multx = 0.5; }; },
            { i = 9; set = { pore_volume = 700.0; }; }, { j = 6; set = { multpv = 2.0; trany = 1.5; }; add = { permz = 3.0; }; },
            { i = [3, 5]; k = 4; set = { active = 0; }; } );
  connections = ( (1, 1, 1, 9, 6, 4, 3.0), (2, 2, 2, 3, 2, 2, 1.0), (5, 1, 1, 5, 2, 3, 2.0), (4, 1, 1, 6, 6, 1, 1.0) );
  minpv = 500.0;
};
faults = ( { name = "A"; faces = ( { i = 3; j = [1, 4]; face = "i+"; }, { i = 4; j = [3, 5]; face = "i-"; } ); multiplier = 0.1; },
           { name = "B"; faces = ( { i = [2, 8]; j = 2; k = [1, 3]; face = "j+"; } ); multiplier = 0.5; } );
fluids = ( {
  water = { density = 1020.0; reference_pressure = 180.0; compressibility = 4.4e-5; viscosity = 0.5; };
  oil = { density = 850.0; reference_pressure = 180.0; compressibility = 1.2e-4; viscosity = 1.5; };
}, {
  water = { density = 1030.0; reference_pressure = 180.0; compressibility = 4.4e-5; viscosity = 0.6; };
  oil = { density = 870.0; reference_pressure = 180.0; compressibility = 1.1e-4; viscosity = 1.7; };
} );
saturation = ( { model = "corey"; swc = 0.2; sor = 0.2; krw_max = 0.5; nw = 2.0; no = 2.0; pc_entry = 0.3; },
               { model = "corey"; swc = 0.15; sor = 0.25; krw_max = 0.6; nw = 2.5; no = 2.0; } );
rock = { reference_pressure = 180.0; compressibility = 4.0e-5; };
%s
wells = (
  { name = "COLUMN"; type = "injector"; i = 1; j = 1; radius = 0.1; control = "rate"; rate = 40.0; bhp = 300.0; },
  { name = "CELLS"; type = "producer"; radius = 0.1; control = "bhp"; bhp = 150.0;
    cells = ( [6, 5, 1], (7, 5, 1, "x"), (8, 5, 1, "x") ); },
  { name = "PATH"; type = "producer"; radius = 0.1; control = "liquid-rate"; liquid_rate = 20.0; bhp = 120.0;
    path = ( (75.0, 220.0, 1490.0), (80.0, 222.0, 1506.0), (390.0, 110.0, 1514.0) ); }
);
report = { end = 0.5; };
timestep = { initial = 0.5; };
output = { %s };
"""
EQUILIBRIA = """
regions = { saturation = { file = "number.txt"; }; pvt = { file = "number.txt"; }; equilibrium = { file = "number.txt"; };
            fip = { file = "number.txt"; }; };
endpoints = { swl = { file = "swl.txt"; }; three_point = true; };
thresholds = ( { regions = [1, 2]; } );
initial = ( { datum_depth = 1500.0; datum_pressure = 180.0; contact_depth = 1512.0; accuracy = -5; },
            { datum_depth = 1500.0; datum_pressure = 182.0; contact_depth = 1516.0; } );
"""
OWN_CORNERS = """
  corner_point = { coord = { file = "corners.inc"; format = "eclipse"; keyword = "COORD"; };
                   zcorn = { file = "corners.inc"; format = "eclipse"; keyword = "ZCORN"; }; };
  pinch = { thickness = 0.1; };
"""
STRUCTURE = """structure = ( { type = "dome"; x = 200.0; y = 100.0; radius = 250.0; height = 4.0; }, { type = "dip"; dip = 0.5; azimuth = 20.0; },
                { type = "fault"; i = 4; throws = [3.0, 6.0]; }, { type = "fault"; j = 3; throws = [2.0]; reach = 80.0; } );"""
OWN_AQUIFERS = """
aquifers = ( { type = "numerical"; number = 4; cells = ( { i = 8; j = 6; k = 4; area = 2e4; length = 300.0; porosity = 0.25; permeability = 300.0; depth = 1530.0; },
                                                         { i = 1; j = 6; k = 1; area = 3e4; length = 500.0; porosity = 0.2; permeability = 200.0; saturation = 2; } );
               faces = ( { i = [1, 9]; j = 1; k = [3, 4]; face = "j-"; multiplier = 0.5; }, { i = 9; face = "i+"; of_face = true; } ); },
             { type = "numerical"; cells = ( { i = 5; j = 6; k = 3; pressure = 190.0; }, { i = 6; j = 6; k = 3; } ); },
              { type = "carter-tracy"; datum_depth = 1510.0; permeability = 300.0; porosity = 0.25; compressibility = 9e-5; radius = 400.0;
               thickness = 20.0; connections = ( (3, 1, 1, 20.0), (9, 6, 4, 30.0), (5, 2, 2, 10.0) );
               faces = ( { i = [2, 9]; face = "i-"; }, { k = 4; face = "k+"; coefficient = 9.0; } ); } );
"""
INITIAL = """
initial = { datum_depth = 1500.0; datum_pressure = 180.0; contact_depth = 1512.0; accuracy = -5; };
"""
ARRAYS = """
regions = { saturation = { file = "number.txt"; }; };
initial = { pressure = { file = "pressure.txt"; }; saturation = { generator = "normal"; seed = 11; mean = 0.4; stddev = 0.1; min = 0.2; max = 0.8; }; };
"""


def write(where, name, numbers, words="%.17g"):
    with open(os.path.join(where, name), "w", encoding="utf-8") as f:
        for n, v in enumerate(numbers):
            f.write((words % v) + ("\n" if n % 7 == 6 else " "))


def write_arrays(where):
    """[k][j][i], i fastest, as decks have them."""
    cells = NX * NY * NZ
    n = numpy.arange(2 * cells)
    noise = (numpy.sin(n * 12.9898) * 43758.5453) % 1.0
    write(where, "porosity.txt", 10.0 + 20.0 * noise)
    write(where, "active.txt", (noise[:cells] > 0.04).astype(int), "%d")
    write(where, "number.txt", 1 + (n[:cells] % NX >= 4), "%d")
    write(where, "swl.txt", numpy.where(noise[:cells] < 0.5, -1.0, 0.2 + 0.05 * noise[:cells]))
    write(where, "pressure.txt", 180.0 + 5.0 * noise[:cells])
    write(where, "tops.txt", 1500.0 + numpy.repeat([0.0, 4.0, 8.0, 13.0], NX * NY) + numpy.tile(noise[:NX * NY], NZ))
    with open(os.path.join(where, "PERM.GRDECL"), "w", encoding="utf-8") as f:
        f.write("-- a comment\nPORO\n %d*0.2 /\n\nPERMX -- by rows\n" % cells)
        for row in range(NY * NZ):
            f.write(" %d*%.17g %s -- row\n" % (3, 50.0 + 300.0 * noise[row], " ".join("%.17g" % v for v in 100.0 + 400.0 * noise[row * 6:row * 6 + 6])))
        f.write("/\n")
    with h5py.File(os.path.join(where, "rock.h5"), "w") as f:
        f.create_dataset("ky", data=(100.0 + 1000.0 * noise[:cells]).reshape(NZ, NY, NX), chunks=(3, 2, 4), compression=4)
        f["layer"] = (10.0 + noise[:NX * NY]).astype("f4").reshape(NY, NX)


def result(where, name):
    """All data sets, with the bytes of their chunks, and the tables of a result."""
    found = {}

    def note(file, key, v):
        found[file + key + "@"] = sorted((k, str(a)) for k, a in v.attrs.items() if k not in ("written", "command_line", "machine", "checksums"))
        if isinstance(v, h5py.Dataset):
            found[file + key] = (v[()].tobytes(), v.shape, v.chunks, str(v.dtype))
            for n in range(v.id.get_num_chunks() if v.chunks else 0):
                found[file + key + "#%d" % n] = v.id.read_direct_chunk(v.id.get_chunk_info(n).chunk_offset)[1]

    files = [name + ".grid.h5"] + [os.path.join(name + ".steps", f) for f in sorted(os.listdir(os.path.join(where, name + ".steps")))]
    for path in files:
        with h5py.File(os.path.join(where, path), "r") as f:
            note(path[len(name):] + "/", "", f)
            f.visititems(lambda key, v, path=path: note(path[len(name):] + "/", key, v))
    for end in (".EGRID", ".INIT", ".UNRST", ".SMSPEC", ".UNSMRY", ".RFT"):
        if os.path.exists(os.path.join(where, name + end)):
            with open(os.path.join(where, name + end), "rb") as f:
                found[end] = f.read()
    for end in (".summary.csv", ".wells.vtp", ".xdmf2"):
        with open(os.path.join(where, name + end), encoding="utf-8") as f:
            found[end] = "".join(line for line in f.read().replace(name, "NAME").splitlines(True) if 'Name="rank"' not in line)
    return {key: v for key, v in found.items() if "static/rank" not in key}


def notes(text):
    return sorted({line for line in text.splitlines() if (": note:" in line or " is held" in line) and "rank 0 holds all cells" not in line})


def compare(checks, what, deck, where, options=(), counts=(3,), spread=True):
    """Of runs by so many ranks; spread: they do read together."""
    if what in LIKE and runs.every(2, 2) > 1:
        return
    words = ["run", deck] + rank_runs.sets(options)
    whole = rank_runs.start(1, words + ["-o", "WHOLE"], where, HEPTA_TEST_RANKS_WHOLE="1")
    right = result(where, "WHOLE")
    for count in counts:
        done = rank_runs.start(count, words + ["-o", "SPREAD"], where)
        said = done.stdout + done.stderr
        checks.true("%s, %d ranks: read together" % (what, count), ("rank 0 holds all cells" in said) == (not spread and count > 1), said[-1000:])
        found = result(where, "SPREAD")
        odd = [key for key in sorted(set(right) | set(found)) if right.get(key) != found.get(key)]
        checks.true("%s, %d ranks: data sets" % (what, count), not odd and len(right) > 40, "differ: %s" % odd[:5])
        checks.true("%s, %d ranks: notes" % (what, count), notes(said) == notes(whole.stdout + whole.stderr), notes(said))
        held = "47 cells in 1 group, the first with cell (3,1,1), have no flow" in said
        checks.true("%s, %d ranks: a group whose pressure is held" % (what, count), held == (what == "tops"), said[-2000:])


def rigid(text):
    """Nothing is compressible, and cells i >= 3 of j = 1 and 2 are two groups without a well that a connection makes one."""
    text = re.sub(r" compressibility = [0-9.e-]*;", " compressibility = 0.0;", text)
    for old, new in (("(2, 2, 2, 3, 2, 2, 1.0), (5, 1, 1, 5, 2, 3, 2.0), (4, 1, 1, 6, 6, 1, 1.0)", "(5, 1, 1, 5, 2, 3, 2.0), (3, 1, 1, 9, 2, 4, 1.0)"),
                     ("            { i = [3, 5]; k = 4;", "            { i = [3, 9]; j = 2; set = { multy = 0.0; }; }, { i = 2; j = [1, 2]; set = { multx = 0.0; }; },\n"
                      "            { i = 6; j = [1, 2]; set = { multx = 0.0; }; }, { i = [3, 5]; k = 4;")):
        if text.count(old) != 1:
            raise ValueError(old)
        text = text.replace(old, new)
    return text


def check_forms(checks, where):
    for name, top, rest, output in (("lines", "top = 1500.0; " + STRUCTURE, EQUILIBRIA, "vectors = [ \"ROIP\", \"RPR\" ];"),
                                    ("tops", 'tops = { file = "tops.txt"; };', ARRAYS, "compression = 0;"),
                                    ("columns", "top = { generator = \"normal\"; seed = 2; mean = 1500.0; stddev = 3.0; };", EQUILIBRIA, "double = true;")):
        deck = os.path.join(where, name + ".cfg")
        text = HEAD % (top, rest, output)
        with open(deck, "w", encoding="utf-8") as f:
            f.write(rigid(text) if name == "tops" else text)
        compare(checks, name, deck, where, *((EBIN, (1, NX + 2)) if name == "lines" else ((), (3,))))


def write_lists(where):
    """Lists in the text of a deck and of what it includes, long ones left out of what ranks parse; two notes say where they stand."""
    noise = (numpy.sin(numpy.arange(4000) * 12.9898) * 43758.5453) % 1.0

    def numbers(words, each=7):
        lines = [", ".join(words[n:n + each]) for n in range(0, len(words), each)]
        return ", # by hand\n".join(lines[:5]) + ",\n" + ",\n".join(lines[5:])

    def rows(count, last, brackets=("()", "[]"), first=0):
        found = []
        for n in range(first, first + count):
            a, b = ([1 + int(size * v) for size, v in zip((NX, NY, NZ), noise[3 * n + shift:])] for shift in (0, 1500))
            if a != b and abs(a[0] - b[0]) > 1:
                found.append(brackets[n % 2][0] + ", ".join(["%d.0" % v if n % 2 else "%d" % v for v in a + b] + ["%.9g" % (last + noise[n])]) + brackets[n % 2][1])
        return "(\n" + ",\n".join(found) + " // the last one\n)"

    files = {
        "lists.inc": "  permx = [ %s ];\n  @include \"deep.inc\"\n" % numbers(["%.17g" % (100.25 + 400.0 * v) for v in noise[:NX * NY * NZ]]),
        "deep.inc": "/* net to gross */ ntg = ( %s );\n" % numbers(["1" if v < 0.3 else "%.8fe0" % (0.5 + 0.5 * v) for v in noise[:NX * NY * NZ]]),
        "tail.inc": "regions = { fip = [ %s ]; };\n\nlinear = { preconditioner = \"dilu\"; cpr = { strength = 0.3; }; };\n"
                    % numbers(["%d    " % (1 + n % 3) for n in range(NX * NY * NZ)], 9)}
    for name, text in files.items():
        with open(os.path.join(where, name), "w", encoding="utf-8") as f:
            f.write(text)
    text = HEAD % ("top = 1500.0;", INITIAL, "")
    for old, new in (("dx = [", "dx = [ /* %s */ " % ("along i\n" * 150)),
                     ('porosity = { file = "porosity.txt"; index = 1; multiply = 0.01; min = 0.02; };', "porosity = [ %s ];" % numbers(["%.12f" % (0.1 + 0.2 * v) for v in noise[:NX * NY * NZ]])),
                     ('permx = { file = "PERM.GRDECL"; format = "eclipse"; keyword = "PERMX"; };', '@include "lists.inc"'),
                     ('active = { file = "active.txt"; };', "active = [ %s ];" % numbers(["%d   " % (v > 0.04) for v in noise[:NX * NY * NZ]])),
                     ("connections = ( (1, 1, 1, 9, 6, 4, 3.0),", "connections = %s;\n" % rows(80, 0.5)), ("timestep =", '@include "tail.inc"\ntimestep =')):
        if text.count(old) != 1:
            raise ValueError(old)
        text = text.replace(old, new)
    text = text[:text.index(" (2, 2, 2, 3, 2, 2, 1.0)")] + text[text.index("  minpv ="):]
    text = text[:text.index("  ntg = {")] + text[text.index("  active = ["):]
    text += "thresholds = ( { connections = %s; } );\n" % rows(60, 0.01)
    text += "multipliers = ( { time = 0.01; connections = %s; } );\n" % rows(60, 0.2)
    text += "aquifers = ( { type = \"flux\"; flux = 0.01; connections = ( %s ); } );\n" % ", ".join(
        "(%d, %d, 1, %.9g)" % (i, j, 10.0 + noise[i * j]) for i in range(1, NX + 1) for j in range(1, NY + 1) if noise[i - 1 + NX * (j - 1)] > 0.04)
    return text


def check_lists(checks, where):
    deck, text = os.path.join(where, "lists.cfg"), write_lists(where)
    with open(deck, "w", encoding="utf-8") as f:
        f.write(text)
    far = text.index(", ", text.index("porosity = [") + 2000)  # beyond what is looked at before a list is left out
    for name, changed in (("integer", text[:far] + ", 1" + text[far:]), ("word", text[:far] + ", x" + text[far:]),
                          ("circle", text + '@include "list_circle.cfg"\n'), ("zero", text + "\0"))[::runs.every(2, 2)]:
        bad = os.path.join(where, "list_%s.cfg" % name)
        with open(bad, "w", encoding="utf-8") as f:
            f.write(changed)
        one = runs.hepta("run", bad, "-o", "bad", where=where)
        many = rank_runs.start(3, ["run", bad, "-o", "bad"], where, check=False)
        said = [[line for line in done.stderr.splitlines() if bad in line or "circle" in line] for done in (one, many)]
        checks.true("errors of a long list: " + name, one.returncode == many.returncode == 2 and said[0] == said[1] and len(said[0]) > 0, said)
    compare(checks, "lists of numbers", deck, where, options=LONGER)
    entries = ("grid.porosity[0]=0.25", "grid.porosity[100]=0.11", "grid.porosity[100]=0.12", "grid.active[57]=0", "grid.ntg[30]=1",
               "grid.connections[3][6]=2.5", "grid.connections[10]=(1, 2, 3, 8, 5, 4, 1)", "thresholds[0].connections[2][6]=0.5",
               "multipliers[0].connections[1][6]=0.75", "regions.fip[200]=2")
    compare(checks, "entries of lists", deck, where, options=SHORT + entries)
    for name, option in (("index", "grid.porosity[1000]=0.2"), ("type", "grid.active[3]=0.5"), ("word", "grid.porosity[3]=x"), ("value", "grid.porosity[3]=-1.0"),
                         ("row", "grid.connections[3]=(1, 2)"), ("array", "grid.connections[3]=(1, 2, 3, 8, 5, 4, 1)"), ("column", "grid.connections[3][7]=1.0"), ("name", "grid.porosity.first=1.0"))[::runs.every(2, 2)]:
        words = ["run", deck, "-o", "bad", "--set", option]
        one, many = runs.hepta(*words, where=where), rank_runs.start(3, words, where, check=False)
        said = [[line for line in done.stderr.splitlines() if "--set" in line or "lists.cfg" in line] for done in (one, many)]
        checks.true("errors of an entry of a list: " + name, one.returncode == many.returncode == 2 and said[0] == said[1] and len(said[0]) > 0, said)


def check_long_text(checks, where):
    """A schedule of more than 16 MB, all of which ranks parse; most of its controls are of a time after the run."""
    deck, count = os.path.join(where, "long.cfg"), 150000
    name = "A_NAME_OF_THIRTY_ONE_CHARACTERS"
    with open(runs.deck("quarter_five_spot"), encoding="utf-8") as f:
        text = f.read().replace('"PROD"', '"%s"' % name)
    entry = '  { time = %.17g; well = "' + name + '"; status = "open"; bhp = %.17g; }'
    with open(deck, "w", encoding="utf-8") as f:
        f.write(text + "\nschedule = (\n" + ",\n".join(entry % (0.5 + (n + 1) / 7.0, 90.0 + n % 50 / 7.0) for n in range(count)) + "\n);\n")
    checks.true("a long text: its size", os.path.getsize(deck) > 17000000, os.path.getsize(deck))
    compare(checks, "a long text", deck, where, options=("report.every=1", "report.end=2", "linear.preconditioner=dilu"))


def check_errors(checks, where):
    """Errors of a deck are reported as by one process, wherever the cell is."""
    with open(os.path.join(where, "lines.cfg"), encoding="utf-8") as f:
        text = f.read()
    for name, old, new in (("number", "multiply = 0.01; min = 0.02;", "multiply = 0.04; min = 0.02;"),
                           ("file", "PERM.GRDECL", "NONE.GRDECL"), ("size", "size = [9, 6, 4]", "size = [9, 6, 5]"),
                           ("shape", 'dataset = "/ky"', 'dataset = "/layer"'), ("well", "[6, 5, 1]", "[4, 1, 4]"),
                           ("depth", "contact_depth = 1516.0", "contact_depth = 1516000.0"), ("key", "minpv", "minpw")):
        path = os.path.join(where, "bad_%s.cfg" % name)
        with open(path, "w", encoding="utf-8") as f:
            f.write(text.replace(old, new))
        one = runs.hepta("run", path, "-o", "bad", where=where)
        many = rank_runs.start(3, ["run", path, "-o", "bad"], where, check=False)
        said = [[line for line in done.stderr.splitlines() if path in line] for done in (one, many)]
        checks.true("errors: " + name, one.returncode == many.returncode == 2 and said[0] == said[1] and len(said[0]) > 1, said)


ECLIPSE = """
RUNSPEC
DIMENS
 9 6 4 /
OIL
WATER
METRIC
ENDSCALE
/
TABDIMS
 2 2 /
EQLDIMS
 2 /
EQLOPTS
 THPRES /
START
 1 JAN 2020 /
GRID
INCLUDE
 'cells.inc' /
EQUALS
 PERMY 120 1 9 1 6 1 1 /
 PERMY 80 4* 2 4 /
 PERMY 300 7 9 2 3 2 3 /
/
COPY
 PERMX PERMZ /
 PERMX PERMY 2 3 4 5 2 2 /
/
MULTIPLY
 PERMZ 0.1 /
 PERMZ 3 1 2 /
/
ADD
 PORO 0.01 3 8 1 6 4 4 /
/
MAXVALUE
 PERMX 450 /
/
OPERATE
 NTG 2 9 1 6 1 4 MULTA PORO 1.5 0.3 /
/
BOX
 4 9 2 5 1 2 /
MULTX
 48*0.5 /
MULTX-
 24*0.9 1* 23*0.8 /
ENDBOX
EQUALREG
 MULTPV 1.5 2 F /
/
MULTREGT
 1 2 0.25 XY ALL F /
 2 3 0.5 1* NNC M /
/
FAULTS
 A 3 3 1 4 1 4 X /
 A 4 4 3 5 1 4 X- /
 B 2 8 2 2 1 3 Y /
/
MULTFLT
 A 0.1 /
 B 0.5 /
/
NNC
 1 1 1 9 6 4 3.0 /
 2 2 2 3 2 2 1.0 /
 5 1 1 5 2 3 2.0 /
/
MINPV
 500 /
EDIT
MULTPV
 0.9 71*1 0.8 143*1.1 /
MULTIPLY
 TRANX 0.7 3 6 1 6 1 4 /
/
ADD
 TRANY 0.5 2 9 1 5 1 4 /
 PORV 10 5 9 4* /
/
EDITNNCR
 1 1 1 9 6 4 2.5 /
 6 2 1 7 2 1 1.5 /
/
EDITNNC
 4 3 2 4 4 2 0.5 /
/
PROPS
DENSITY
 850 1020 1 /
 870 1030 1 /
PVTW
 180 1 4.4e-5 0.5 0 /
 180 1 4.4e-5 0.6 0 /
PVCDO
 180 1.1 1.2e-4 1.5 0 /
 180 1.1 1.1e-4 1.7 0 /
ROCK
 180 %s /
 180 %s /
SWOF
 0.2 0 1 0.3
 0.5 0.2 0.3 0.1
 0.8 0.5 0 0 /
 0.15 0 1 0.2
 0.75 0.6 0 0 /
%s
REGIONS
INCLUDE
 'regions.inc' /
SOLUTION
%s
SCHEDULE
WELSPECS
 INJ G 1 1 1* WATER /
 PROD G 6 5 1500 OIL /
/
COMPDAT
 INJ 2* 1 4 OPEN 2* 0.2 /
 PROD 6 5 1 4 OPEN 2 1* 0.2 /
 PROD 7 5 1 1 OPEN 2* 0.2 3* X /
/
WCONINJE
 INJ WATER OPEN RATE 40 1* 300 /
/
WCONPROD
 PROD OPEN BHP 5* 150 /
/
TSTEP
 0.5 /
END
"""
SHORT = ("report.end=0.01", "timestep.initial=0.01")
LONGER = ("report.every=0.01", "report.end=0.02", "timestep.initial=0.01")
LATER = """TSTEP
 0.01 /
COMPDAT
 PROD 6 5 1 2 OPEN 2 1* 0.3 1* 2.0 /
/
MULTFLT
 A 5 /
/
BOX
 4 9 1 6 1 4 /
MULTX
 %s /
ENDBOX
TSTEP
 0.49 /"""
OWN_LATER = """
multipliers = ( { time = 0.01; fault = "*"; by = 4.0; }, { time = 0.01; i = [4, 9]; k = [2, 3]; face = "i+"; by = 0.5; },
                { time = 0.01; connections = ( (1, 1, 1, 9, 6, 4, 3.0), (4, 1, 1, 6, 6, 1, 0.3), (7, 5, 1, 7, 6, 1, 2.0) ); } );
"""
SWL = """
INCLUDE
 'swl.inc' /
"""
EQUIL = """
EQUIL
 1500 180 1512 0 4* -5 /
 1500 182 1516 0 /
THPRES
 1 2 /
/
"""


AQUIFERS = """
AQUCT
 1 1510 1* 300 0.3 9e-5 400 20 360 1 1 /
/
AQUFETP
 2 1505 185 1e7 9e-5 50 2 /
/
AQUFLUX
 3 0.01 /
/
AQUANCON
 1 1 9 1 6 4 4 K+ 1* 0.9 /
 1 1 9 2 5 1 4 I- 12 1.1 NO /
 2 2 9 1 6 1 4 I- /
 2 9 9 1 6 1 4 I+ 1* 2 /
 3 1 9 1 1 2 3 J- /
/
THPRESFT
 A 0.2 /
 B 0.1 /
/
"""
CELLS = """
AQUNUM
 7 1 1 4 2E4 300 0.25 300 1540 190 1* 2 /
 4 9 6 4 1E4 100 0.2 100 /
 7 6 6 1 3E4 500 1* 200 /
/
AQUCON
 7 3 7 3 4 2 3 I- 0.5 1 YES /
 7 1 9 1 1 1 4 J- 2 0 /
 4 4 9 2 6 1 1 K- 1 1 /
 4 7 7 1 6 1 4 I- /
/
"""
VECTORS = """
SUMMARY
ANQR
/
ANQT
/
ANQP
/
AAQR
/
SCHEDULE
"""


def write_eclipse_arrays(where):
    """Arrays beyond HP_ECL_GAP_BYTES, which are left out of the text, and short ones."""
    cells = NX * NY * NZ
    noise = (numpy.sin(numpy.arange(cells) * 12.9898) * 43758.5453) % 1.0

    def lines(f, name, words, end="\n/\n", each=7):
        f.write("%s -- behind it\n" % name)
        for n in range(0, len(words), each):
            f.write(" ".join(words[n:n + each]) + ("\n" if n + each < len(words) else end))

    with open(os.path.join(where, "cells.inc"), "w", encoding="utf-8") as f:
        lines(f, "DXV", ["50", "52", "54", "50", "50", "48", "2*50", "51"])
        f.write("DY\n 216*40 /\nDZ\n 108*4 54*5 54*6 /\n")
        lines(f, "TOPS", ["%.10g" % (1500 + v) for v in noise[:NX * NY]])
        lines(f, "PORO", ["%.9f" % (0.1 + 0.2 * v) for v in noise], " / dropped\n")
        words = ["%.17g" % (50.0 + 400.0 * v) for v in noise]
        words[30:40] = ["4*111.5", "3*1.2D2", "+17.", "1*90,", "95 -- 7 8 9"]
        lines(f, "PERMX", words, "\n-- a comment / \n\n/\n", 5)
        lines(f, "ACTNUM", ["0" if v < 0.04 else "1" for v in noise], " /\n", 70)
        lines(f, "FLUXNUM", ["%d" % (1 + (n % NX >= 4)) for n in range(cells)], "/\n", 30)
        lines(f, "MULTNUM", ["%d" % (1 + (n % NX) // 3) for n in range(cells)])
        lines(f, "SGCR", ["%.9f" % v for v in noise])
    with open(os.path.join(where, "regions.inc"), "w", encoding="utf-8") as f:
        for name in ("SATNUM", "PVTNUM", "EQLNUM", "FIPNUM"):
            lines(f, name, ["%d     " % (1 + (n % NX >= 4)) for n in range(cells)], " /\n", 9)
    for name, words in (("SWL", ["%.9f" % (0.2 + 0.02 * v) if v > 0.3 else "1*" for v in noise]),
                        ("PRESSURE", ["%.9f" % (180.0 + 5.0 * v) for v in noise]), ("SWAT", ["%.9f" % (0.3 + 0.3 * v) for v in noise])):
        with open(os.path.join(where, name.lower() + ".inc"), "w", encoding="utf-8") as f:
            lines(f, name, words)


def check_eclipse(checks, where):
    write_eclipse_arrays(where)
    start = "INCLUDE\n 'pressure.inc' /\nINCLUDE\n SWAT.INC /\n"
    for name, rock, props, solution in (("EQUIL", "4e-5", SWL, EQUIL), ("ARRAYS", "0", "", start)):
        with open(os.path.join(where, name + ".DATA"), "w", encoding="utf-8") as f:
            f.write(ECLIPSE % (rock, rock, props, solution))
        compare(checks, name, os.path.join(where, name + ".DATA"), where, options=SHORT, counts=(MORE,) if name == "ARRAYS" else (4,))
    compare(checks, "options over a deck", os.path.join(where, "ARRAYS.DATA"), where, options=("initial.pressure=185.0",) + SHORT)
    with open(os.path.join(where, "EQUIL.DATA"), encoding="utf-8") as f:
        text = f.read()
    write_deck(where, "BLOCKS", text.replace("MINPV", "NEWTRAN\nMINPV"))
    compare(checks, "NEWTRAN of blocks that do not line up", os.path.join(where, "BLOCKS.DATA"), where, options=SHORT)
    return text


def write_deck(where, name, text):
    with open(os.path.join(where, name + ".DATA"), "w", encoding="utf-8") as f:
        f.write(text)


def write_corners(where, thrown=True):
    """Slanted pillars, throws between columns, layers that thin out and others that overlap."""
    noise = (numpy.sin(numpy.arange(4096) * 12.9898) * 43758.5453) % 1.0
    i, j = numpy.meshgrid(numpy.arange(NX + 1), numpy.arange(NY + 1))
    pillar = numpy.stack([50.0 * i + 3.0 * noise[:i.size].reshape(i.shape), 40.0 * j, 1450.0 + 0.0 * i,
                          50.0 * i + 8.0, 40.0 * j + 5.0 * noise[100:100 + i.size].reshape(i.shape), 1560.0 + 0.0 * i], axis=2)
    depth = numpy.empty((2 * NZ, 2 * NY, 2 * NX))
    for k in range(2 * NZ):
        x, y = numpy.meshgrid((numpy.arange(2 * NX) + 1) // 2, (numpy.arange(2 * NY) + 1) // 2)
        column = numpy.add.outer(numpy.arange(2 * NY) // 2 * 5, numpy.arange(2 * NX) // 2) % 17
        depth[k] = 1500.0 + 5.0 * ((k + 1) // 2) + 0.3 * x + 0.1 * y + numpy.where(column > 11, 3.0 * noise[column], 0.0)
    depth[4, 3:7, 5:9] = depth[3, 3:7, 5:9] = depth[5, 3:7, 5:9]  # layer 3, of no thickness
    depth[2, 8, 13] -= 2.5  # overlaps what is above
    if not thrown:
        depth = numpy.broadcast_to(1500.0 + 5.0 * ((numpy.arange(2 * NZ) + 1) // 2)[:, None, None] + 0.3 * x + 0.1 * y, depth.shape)
    with open(os.path.join(where, "corners.inc" if thrown else "even.inc"), "w", encoding="utf-8") as f:
        for name, number in (("COORD", pillar), ("ZCORN", depth)):
            f.write("%s\n%s /\n" % (name, "\n".join("%.9g" % v for v in number.flat)))
    with open(os.path.join(where, "cells.inc"), encoding="utf-8") as f:
        text = f.read()
    with open(os.path.join(where, "rock.inc"), "w", encoding="utf-8") as f:
        f.write(text[text.index("PORO"):])


def write_pairs(where):
    """Records beyond HP_ECL_GAP_BYTES, of which some come in a second piece: NNC, what edits them and faces between planes, and the
    connections of an aquifer one by one."""
    noise = (numpy.sin(numpy.arange(20000) * 78.233) * 43758.5453) % 1.0

    def cell(n):
        return (1 + int(NX * noise[n]), 1 + int(NY * noise[n + 1]), 1 + int(NZ * noise[n + 2]))

    pairs = [(cell(3 * n), cell(3 * n + 3000)) for n in range(900)]
    pairs = [(a, b) for a, b in pairs if abs(a[0] - b[0]) > 1]
    with open(os.path.join(where, "nnc.inc"), "w", encoding="utf-8") as f:
        f.write("NNC -- behind it\n")
        for n, (a, b) in enumerate(pairs):
            f.write(" %d %d %d %d %d %d %.9g / dropped 'as ever%s\n%s" % (a + b + (0.01 + noise[n], "." * 90, "-- a comment / '\n\n" if n % 50 == 7 else "")))
        f.write("/\n")
    with open(os.path.join(where, "edit.inc"), "w", encoding="utf-8") as f:
        for name, shift in (("EDITNNC", 0), ("EDITNNCR", 1)):
            f.write(name + "\n")
            for n in range(shift, 120, 2):
                (i, j, k), other = pairs[n]
                other = other if n % 3 == 0 else (i % NX + 1, j, k) if n % 3 == 1 else (i, j, k % NZ + 1)
                if (i, j, k) != other:
                    f.write(" %d %d %d %d %d %d %.9g /\n" % ((i, j, k) + other + (0.2 + noise[n + 7],)))
            f.write("/\n")
    return "".join(" 1 %d %d %d %d 4 4 'K+' 1* 0.9 / %s\n" % (i, i, j, j, "-" * 9) for i in range(1, NX + 1) for j in range(1, NY + 1))


def check_corners(checks, where, deck):
    write_corners(where)
    single = write_pairs(where)
    deck = deck.replace("'cells.inc' /", "'corners.inc' /\nINCLUDE\n 'rock.inc' /").replace("MINPV", "PINCH\n 0.1 /\nMINPV")
    write_deck(where, "CORNERS", deck)
    gaps = deck.replace("PINCH\n 0.1 /", "PINCH\n 0.1 NOGAP 1.5 ALL ALL /").replace(EQUIL, EQUIL + AQUIFERS)
    gaps = gaps.replace("NNC\n 1 1 1", CELLS + "INCLUDE\n 'nnc.inc' /\nNNC\n 1 1 1", 1).replace("SCHEDULE\n", VECTORS)
    gaps = gaps.replace("\nEDITNNCR\n", "\nINCLUDE\n 'edit.inc' /\nEDITNNCR\n").replace(" 1 1 9 1 6 4 4 K+ 1* 0.9 /\n", single)
    write_deck(where, "GAPS", gaps.replace("TSTEP\n 0.5 /", LATER % " ".join("%.17g" % (0.5 + 0.1 * numpy.sin(n)) for n in range(144))))
    compare(checks, "corners, gaps, aquifers, thresholds of faults, multipliers of a later time", os.path.join(where, "GAPS.DATA"), where,
            options=LONGER + EBIN, counts=(MORE,))
    own = HEAD % ("", EQUILIBRIA, "vectors = [ \"ANQR\", \"ANQT\", \"ANQP\" ];")
    own = own[:own.index("  dx =")] + OWN_CORNERS + own[own.index("  porosity ="):]
    with open(os.path.join(where, "own.cfg"), "w", encoding="utf-8") as f:
        f.write(own.replace('name = "A";', 'name = "A"; threshold = 0.2;') + OWN_AQUIFERS + OWN_LATER)
    compare(checks, "own corners, multipliers of a later time", os.path.join(where, "own.cfg"), where, options=LONGER)
    runs.hepta("import", "CORNERS.DATA", "-o", "imported.cfg", where=where)
    compare(checks, "corners in data sets", os.path.join(where, "imported.cfg"), where, options=SHORT)


def check_refined(checks, where):
    """grid.refine: of blocks, where the deck closes faces and a path gives a well's depth; of corners."""
    text = HEAD % ('tops = { file = "tops.txt"; };', EQUILIBRIA, "")
    text = text[:text.index("  connections =")] + "  refine = [3, 2, 2];\n" + text[text.index("  minpv ="):]
    text = text.replace("set = { active = 0; }; } );", "set = { active = 0; }; }, { i = [2, 7]; j = 3; k = 2; set = { tranx = 0.0; }; } );").replace(" trany = 1.5;", "")
    blocks, corners = os.path.join(where, "refined.cfg"), os.path.join(where, "refined_corners.cfg")
    with open(blocks, "w", encoding="utf-8") as f:
        f.write(text)
    compare(checks, "grid.refine of blocks", blocks, where, options=SHORT)
    write_corners(where, thrown=False)
    text = text[:text.index("  dx =")] + OWN_CORNERS.replace("corners.inc", "even.inc") + text[text.index("  porosity ="):]
    with open(corners, "w", encoding="utf-8") as f:
        f.write(text)
    compare(checks, "grid.refine of corners", corners, where, options=SHORT + EBIN, counts=(NX + 1,))


def check_begun(checks, where):
    """RESTART: values of active cells in the file's order, of those that are active here or of those that EGRID names."""
    with open(os.path.join(where, "EQUIL.DATA"), encoding="utf-8") as f:
        text = f.read()
    done = runs.hepta("run", "EQUIL.DATA", "-o", "EARLIER", "--set", "output.eclipse=true", *rank_runs.sets(SHORT), where=where)
    checks.true("a file to begin with", done.returncode == 0, done.stderr)
    head = text[:text.index("SCHEDULE")].replace("\nTHPRES\n 1 2 /", "\nRESTART\n EARLIER 1 /\nTHPRES\n 1 2 0.5 /")
    head = head[:head.index("EQUIL\n 1500")] + head[head.index("RESTART"):]
    write_deck(where, "LATER", head + "SCHEDULE\nTSTEP\n 0.5 /\nEND\n")
    write_deck(where, "FEWER", head.replace("MINPV\n 500", "MINPV\n 800") + "SCHEDULE\nTSTEP\n 0.5 /\nEND\n")
    compare(checks, "RESTART", os.path.join(where, "LATER.DATA"), where, options=LONGER, counts=(4,))
    compare(checks, "RESTART, fewer cells", os.path.join(where, "FEWER.DATA"), where, options=LONGER)
    write_deck(where, "WRONG", head.replace("EARLIER 1", "EARLIER 7") + "SCHEDULE\nTSTEP\n 0.5 /\nEND\n")
    one = runs.hepta("run", "WRONG.DATA", "-o", "bad", where=where)
    many = rank_runs.start(3, ["run", "WRONG.DATA", "-o", "bad"], where, check=False)
    said = [[line for line in done.stderr.splitlines() if "WRONG" in line] for done in (one, many)]
    checks.true("RESTART: a report that is not there", one.returncode == many.returncode == 2 and said[0] == said[1] and len(said[0]) > 0, said)


def check_eclipse_errors(checks, where):
    with open(os.path.join(where, "EQUIL.DATA"), encoding="utf-8") as f:
        deck = f.read()
    with open(os.path.join(where, "cells.inc"), encoding="utf-8") as f:
        cells = f.read()
    for name, old, new in (("word", "4*111.5", "4*11x.5"), ("value", "ACTNUM -- behind it\n0", "ACTNUM -- behind it\n2"),
                           ("file", "'cells.inc'", "'none.inc'"), ("table", " 2 2 /\nEQLDIMS", " 1 2 /\nEQLDIMS")):
        path = os.path.join(where, "BAD_%s.DATA" % name.upper())
        with open(path, "w", encoding="utf-8") as f:
            f.write(deck.replace(old, new).replace("'cells.inc'", "'bad.inc'"))
        with open(os.path.join(where, "bad.inc"), "w", encoding="utf-8") as f:
            f.write(cells.replace(old, new))
        one = runs.hepta("run", path, "-o", "bad", where=where)
        many = rank_runs.start(3, ["run", path, "-o", "bad"], where, check=False)
        said = [[line for line in done.stderr.splitlines() if where in line] for done in (one, many)]
        checks.true("errors of an Eclipse deck: " + name, one.returncode == many.returncode == 2 and said[0] == said[1] and len(said[0]) > 1, said)


def main():
    checks = runs.Checks()
    with runs.folder() as where:
        write_arrays(where)
        check_forms(checks, where)
        check_lists(checks, where)
        check_long_text(checks, where)
        check_errors(checks, where)
        deck = check_eclipse(checks, where)
        check_corners(checks, where, deck)
        check_refined(checks, where)
        check_begun(checks, where)
        check_eclipse_errors(checks, where)
    return checks.result()


sys.exit(main())
