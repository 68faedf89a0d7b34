"""Decks that several ranks read together, each for its planes of i: all data sets of all files, to the bytes of packed chunks,
are those of a run in which rank 0 has read the deck alone; messages, too."""
import os
import sys

import h5py
import numpy

import rank_runs
import runs

NX, NY, NZ = 9, 6, 4

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
        found[file + key + "@"] = sorted((k, str(a)) for k, a in v.attrs.items() if k not in ("written", "command_line", "machine"))
        if isinstance(v, h5py.Dataset):
            found[file + key] = (v[()].tobytes(), v.shape, v.chunks, str(v.dtype))
            for n in range(v.id.get_num_chunks() if v.chunks else 0):
                found[file + key + "#%d" % n] = v.id.read_direct_chunk(v.id.get_chunk_info(n).chunk_offset)[1]

    files = [name + ".grid.h5"] + [os.path.join(name + ".steps", f) for f in sorted(os.listdir(os.path.join(where, name + ".steps")))]
    for path in files:
        with h5py.File(os.path.join(where, path), "r") as f:
            f.visititems(lambda key, v, path=path: note(path[len(name):] + "/", key, v))
    for end in (".summary.csv", ".wells.vtp", ".xdmf2"):
        with open(os.path.join(where, name + end), encoding="utf-8") as f:
            found[end] = f.read().replace(name, "NAME")
    return {key: v for key, v in found.items() if "static/rank" not in key}


def notes(text):
    return sorted({line for line in text.splitlines() if ": note:" in line and "rank 0 holds all cells" not in line})


def compare(checks, what, deck, where, options=(), counts=(3,), spread=True):
    """Of runs by so many ranks; spread: they do read together."""
    words = ["run", deck] + rank_runs.sets(options)
    for count in counts:
        whole = rank_runs.start(count, words + ["-o", "WHOLE"], where, HEPTA_TEST_RANKS_WHOLE="1")
        right = result(where, "WHOLE")
        done = rank_runs.start(count, words + ["-o", "SPREAD"], where)
        said = done.stdout + done.stderr
        checks.true("%s, %d ranks: read together" % (what, count), ("rank 0 holds all cells" in said) == (not spread and count > 1), said[-1000:])
        found = result(where, "SPREAD")
        odd = [key for key in sorted(set(right) | set(found)) if right.get(key) != found.get(key)]
        checks.true("%s, %d ranks: data sets" % (what, count), not odd and len(right) > 40, "differ: %s" % odd[:5])
        checks.true("%s, %d ranks: notes" % (what, count), notes(said) == notes(whole.stdout + whole.stderr), notes(said))


def check_forms(checks, where):
    for name, top, rest, output in (("lines", "top = 1500.0;", EQUILIBRIA, ""),
                                    ("tops", 'tops = { file = "tops.txt"; };', ARRAYS, "compression = 0;"),
                                    ("columns", "top = { generator = \"normal\"; seed = 2; mean = 1500.0; stddev = 3.0; };", EQUILIBRIA, "double = true;")):
        deck = os.path.join(where, name + ".cfg")
        with open(deck, "w", encoding="utf-8") as f:
            f.write(HEAD % (top, rest, output))
        compare(checks, name, deck, where, counts=(1, 4, NX + 2) if name == "lines" else (3,))


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
        one = rank_runs.start(1, ["run", path, "-o", "bad"], where, check=False, HEPTA_TEST_RANKS_WHOLE="1")
        many = rank_runs.start(3, ["run", path, "-o", "bad"], where, check=False)
        said = [[line for line in done.stderr.splitlines() if path in line] for done in (one, many)]
        checks.true("errors: " + name, one.returncode == many.returncode == 2 and said[0] == said[1] and len(said[0]) > 1, said)


def main():
    checks = runs.Checks()
    with runs.folder() as where:
        write_arrays(where)
        check_forms(checks, where)
        check_errors(checks, where)
    return checks.result()


sys.exit(main())
