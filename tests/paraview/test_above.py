"""The three-dimensional view is the map and not its mirror image: ParaView's picture from above, the map of
`hepta plot --map` and the files say the same of each column, on an L-shaped field, on corners whose rows run from north to
south, and on Egg. Sections show the cells that they name. Cells are not inside out. Results of earlier versions, where z is
depth, are read and shown as well. HEPTA_TEST_EVERY=1: also Egg, and twice as many sections.
"""
import os
import re
import shutil
import sys
import xml.etree.ElementTree

import drawing
import pvscripts
import runs

h5py, numpy = runs.h5py, runs.numpy
SVG = "{http://www.w3.org/2000/svg}"
ENVIRONMENT = dict(os.environ)
L_SHAPED = """
title = "L-shaped field"; units = "metric";
grid = { size = [12, 8, 3]; dx = 20.0; dy = 25.0; dz = 4.0; top = 1800.0; porosity = 0.2; permx = 150.0;
         boxes = ({ i = [5, 12]; j = [4, 8]; set = { active = false; }; }, { i = [1, 2]; j = 1; set = { permx = 15.0; }; }); };
""" + runs.FLUIDS + """
initial = { pressure = 180.0; saturation = 0.2; };
wells = (
  { name = "INJ"; type = "injector"; i = 1; j = 8; radius = 0.1; control = "rate"; rate = 100.0; bhp = 900.0; },
  { name = "P1"; type = "producer"; i = 12; j = 1; radius = 0.1; control = "bhp"; bhp = 150.0; }
);
report = { every = 60.0; end = 240.0; };
timestep = { initial = 0.5; };
"""
NX, NY, NZ = 5, 4, 2


def corners_deck():
    """An L of corners in an Eclipse deck: x from 1000 to 1150, y from 2400 southwards, a dip along i."""
    pillars = ["%g %g 1700 %g %g 1900" % ((1000.0 + 30 * i, 2400.0 - 40 * j) * 2)
               for j in range(NY + 1) for i in range(NX + 1)]
    depths = []
    for k in range(2 * NZ):
        for j in range(2 * NY):
            depths += ["%g" % (1800.0 + 5 * ((k + 1) // 2) + 2 * ((i + 1) // 2)) for i in range(2 * NX)]
    active = [0 if i >= 2 and j >= 2 else 1 for k in range(NZ) for j in range(NY) for i in range(NX)]
    permeability = ["%d" % (100 + 10 * i + 35 * j) for k in range(NZ) for j in range(NY) for i in range(NX)]
    lines = lambda values: "\n".join(" ".join(map(str, values[n:n + 8])) for n in range(0, len(values), 8))
    return """RUNSPEC
DIMENS
 %d %d %d /
OIL
WATER
METRIC
START
 1 JAN 2020 /
WELLDIMS
 2 2 1 2 /
TABDIMS
/
GRID
COORD
%s /
ZCORN
%s /
ACTNUM
%s /
PORO
 40*0.2 /
PERMX
%s /
COPY
 PERMX PERMY /
 PERMX PERMZ /
/
PROPS
PVTW
 180 1.0 4.4e-5 0.5 0 /
PVCDO
 180 1.0 1.2e-4 1.0 0 /
DENSITY
 850 1020 1 /
ROCK
 180 4e-5 /
SWOF
 0.2 0 1 0
 0.8 0.4 0 0 /
SOLUTION
PRESSURE
 40*180 /
SWAT
 40*0.2 /
SCHEDULE
WELSPECS
 INJ G 1 4 1* WATER /
 P1 G 5 1 1* OIL /
/
COMPDAT
 INJ 1 4 1 2 OPEN 2* 0.2 /
 P1 5 1 1 2 OPEN 2* 0.2 /
/
WCONINJE
 INJ WATER OPEN RATE 20 1* 500 /
/
WCONPROD
 P1 OPEN BHP 5* 150 /
/
TSTEP
 3*60 /
END
""" % (NX, NY, NZ, lines(pillars), lines(depths), lines(active), lines(permeability))


def write(path, text):
    with open(path, "w") as f:
        f.write(text)
    return path


# ---- what the pictures say of each column ------------------------------------------------------


def columns(base, layers=None):
    """(cells that are seen from above, places in them from 0 to 1 across what is seen of so many layers): [n][3] k, j, i,
    and [n][2]."""
    with h5py.File(base + ".grid.h5") as f:
        active = f["grid/active"][:] == 1
        x, y = f["grid/nodes"][:, :, :, 0], f["grid/nodes"][:, :, :, 1]
    seen = [(int(numpy.argmax(active[:, j, i])), j, i) for j, i in numpy.argwhere(active.any(axis=0))]
    corner = lambda a, k, j, i: a[k, j:j + 2, i:i + 2]
    # off the middle, where wells and their names stand
    place = numpy.array([[(corner(a, *c) * [[0.5, 0.2], [0.2, 0.1]]).sum() for a in (x, y)] for c in seen])
    inside = [c for c in seen if layers is None or c[0] < layers]
    low = numpy.array([min(corner(a, *c).min() for c in inside) for a in (x, y)])
    high = numpy.array([max(corner(a, *c).max() for c in inside) for a in (x, y)])
    return numpy.array(seen), (place - low) / (high - low)


def position(colours, palette="viridis"):
    """Where on the scale of colours, 0 to 1; NaN: not one of its colours. colours [n][3]."""
    import matplotlib
    scale = matplotlib.colormaps.get_cmap(palette)(numpy.linspace(0, 1, 512))[:, :3]
    off = numpy.linalg.norm(colours[:, None, :] - scale[None, :, :], axis=2)
    return numpy.where(off.min(axis=1) < 0.03, off.argmin(axis=1) / 511.0, numpy.nan)


def read_picture(path, places):
    """Positions on the scale at places of ParaView's picture from above."""
    from matplotlib.image import imread
    pixels = imread(path)[:, :, :3].astype(float)
    body = pixels.max(axis=2) - pixels.min(axis=2) > 0.06  # no texts
    body[:, int(0.84 * pixels.shape[1]):] = False  # the colour bar
    body[int(0.8 * pixels.shape[0]):, :int(0.1 * pixels.shape[1])] = False  # the axes
    rows, across = numpy.where(body.sum(axis=1) > 20)[0], numpy.where(body.sum(axis=0) > 20)[0]
    column = across[0] + places[:, 0] * (across[-1] - across[0])
    row = rows[-1] - places[:, 1] * (rows[-1] - rows[0])  # upwards
    return position(pixels[row.round().astype(int), column.round().astype(int)])


def read_map(path, places, array):
    """The same of an SVG of `hepta plot --map`."""
    root = xml.etree.ElementTree.parse(path)
    group = next(g for g in root.iter(SVG + "g") if g.get("id") == "map")
    cells = []
    for p in group.iter(SVG + "path"):
        fill = re.search(r"fill: #([0-9a-f]{6})", p.get("style"))
        corner = numpy.array([float(v) for v in re.findall(r"-?[\d.]+(?:e-?\d+)?", p.get("d"))]).reshape(-1, 2)[:4]
        if fill and "opacity: 0" not in p.get("style"):
            cells.append((corner.min(axis=0), corner.max(axis=0), [int(fill.group(1)[n:n + 2], 16) / 255 for n in (0, 2, 4)]))
    low, high = numpy.min([c[0] for c in cells], axis=0), numpy.max([c[1] for c in cells], axis=0)
    wanted = low + numpy.stack([places[:, 0], 1.0 - places[:, 1]], axis=1) * (high - low)
    found = [next((c[2] for c in cells if (c[0] <= w).all() and (w <= c[1]).all()), [1, 1, 1]) for w in wanted]
    sys.path.insert(0, os.path.join(os.environ["HEPTA_SOURCE"], "sim", "commands", "plot"))
    import maps
    return position(numpy.array(found), maps.palette_of(array))


def picture_of(checks, folder, what, base, *options):
    """The script of WHAT.png, and its arguments: one pvbatch draws all of them (tests/paraview/test_front.py has --picture)."""
    script = base + "." + what + ".py"  # beside the result, which it finds there
    done = runs.hepta("paraview", base + ".h5", "--above", *options, "-o", script)
    checks.true(what + ": the script", done.returncode == 0, done.stdout + done.stderr)
    return script, ["--picture", os.path.join(folder, what + ".png")]


def check(checks, what, base, array, values, folder):
    """values: of the cells seen, as positions on ParaView's scale and on that of the map."""
    seen, places = columns(base)
    picture, drawn = os.path.join(folder, what + ".png"), os.path.join(folder, what + ".svg")
    done = runs.hepta("plot", base + ".h5", "--map", array, "-o", drawn, environment=ENVIRONMENT)
    checks.true(what + ": the map", done.returncode == 0, done.stdout + done.stderr)
    for kind, found, expected in (("picture", read_picture(picture, places), values[0]),
                                  ("map", read_map(drawn, columns(base, 1)[1], array), values[1])):
        read = ~numpy.isnan(found) & ~numpy.isnan(expected)
        checks.true("%s: colours of the %s" % (what, kind), read.sum() > 0.7 * (~numpy.isnan(expected)).sum(), read.mean())
        off = abs(found - expected)[read]
        checks.true("%s: the %s is right side up" % (what, kind), (off < 0.05).mean() > 0.97, (off.max(), (off < 0.05).mean()))
    # a mirror image would be told from it
    mirror = read_picture(picture, numpy.stack([places[:, 0], 1.0 - places[:, 1]], axis=1))
    same = numpy.isnan(mirror) | (abs(mirror - values[0]) < 0.05)
    checks.true(what + ": its mirror image is another", same.mean() < 0.9, same.mean())


def seen_values(result, array, report=None):
    cells, _ = columns(result.base)
    values = result.static(array) if report is None else result.field(array, report)
    return values[cells[:, 0], cells[:, 1], cells[:, 2]]


def layer_values(base, values):
    """On the map of layer 1, NaN where that has no cell."""
    cells, _ = columns(base)
    return numpy.where(cells[:, 0] == 0, values, numpy.nan)


def scaled(values, low, high, log=False):
    if log:
        values, low, high = numpy.log(values), numpy.log(low), numpy.log(high)
    return (values - low) / (high - low)


def saturation(result):
    """The range of sw that check() expects: from 0 to 1 in ParaView, from the least to the most on the map."""
    sw = seen_values(result, "sw", -1)
    layer = layer_values(result.base, sw)
    return sw, scaled(layer, numpy.nanmin(layer), numpy.nanmax(layer))


# ---- sections ----------------------------------------------------------------------------------------


def check_layer(checks, result, number, picture):
    """From above, a section along k is that layer, which the ones above it do not hide."""
    cells, places = columns(result.base)
    found, sw = read_picture(picture, places), result.field("sw", -1)
    for k in range(sw.shape[0]):
        same = abs(found - sw[k][cells[:, 1], cells[:, 2]]) < 0.03
        same = same[~numpy.isnan(found)].mean()
        checks.true("section along k: layer %d" % (k + 1), same > 0.97 if k + 1 == number else same < 0.6, same)


def section_scripts(checks, cases):
    """cases: [(base, {section: (axis, low, high)})]: where cells are seen."""
    scripts = []
    for base, bounds in cases:
        for section in bounds:
            script = "%s.%s.py" % (base, section)  # beside the result, which it finds there
            done = runs.hepta("paraview", base + ".h5", "--section", section, "-o", script)
            checks.true("--section " + section, done.returncode == 0, done.stdout + done.stderr)
            with open(script) as f:
                text = f.read()
            text = text.replace("PICTURE_SIZE = [1600, 1000]", "PICTURE_SIZE = [160, 100]")  # which nobody looks at
            write(script, text[:-len("main()\n")] + """
view, reservoir = show(FIELD, None, PICTURE_SIZE, section=SECTION)
surface = ExtractSurface(Input=FindSource("section"))
surface.UpdatePipeline(GetAnimationScene().AnimationTime)
print("bounds", *surface.GetDataInformation().GetBounds())
print("kept", set(reservoir.CellData.keys()) <= set(FindSource("section").CellData.keys()))
print("how", *[s.Text for s in GetSources().values() if s.SMProxy.GetXMLName() == "TextSource"])
""")
            scripts.append((script, []))
    return scripts


def check_sections(checks, cases, said, errors):
    """The cells cut away lie towards the eye. said: by the scripts."""
    for base, bounds in cases:
        for section, (axis, low, high) in bounds.items():
            out = said.get("%s.%s.py" % (base, section), "")
            what = "section %s of %s" % (section, base)
            words = dict(line.split(" ", 1) for line in out.splitlines() if " " in line)
            found = [float(w) for w in words.get("bounds", "0 0 0 0 0 0").split()][2 * axis:2 * axis + 2]
            checks.true("what is seen of " + what, numpy.allclose(found, [low, high]), (found, errors))
            checks.true(what + " keeps all arrays", words.get("kept") == "True", out)
            reported = "section at %s = %s of " % tuple(section.split("="))
            checks.true(what + " is reported", reported in out, out)
    base = cases[0][0]
    for section, words in (("j=9999", "the grid has j from 1 to"), ("j=0", "not a value"), ("l=1", "not a value"),
                           ("k", "not a value"), ("k=1x", "not a value"), ("j=-1", "not a value")):
        done = runs.hepta("paraview", base + ".h5", "--section", section)
        checks.true("--section " + section, done.returncode == 2 and words in done.stderr, done.stderr)


# ---- results of earlier versions -------------------------------------------------------------------


def make_old(base, result):
    """The files as they were: z is depth, rows and layers in a rectilinear mesh."""
    folder = os.path.dirname(base)
    for name in os.listdir(os.path.dirname(result.base)):
        if name.startswith(os.path.basename(result.base) + "."):
            copy = shutil.copytree if name.endswith(".steps") else shutil.copy
            copy(os.path.join(os.path.dirname(result.base), name), os.path.join(folder, name))
    with runs.edited(base + ".h5"):
        pass
    with runs.edited(base + ".grid.h5") as f:
        sizes = [len(f["grid"][a]) for a in "xyz"]
        f["grid/z"][:] = -f["grid/z"][:]
        for well in f["wells"].values():
            well["path"][:, 2] = -well["path"][:, 2]
        del f["grid/nodes"], f["grid/cells"], f["grid"].attrs["positive"]
    steps = base + ".steps"
    for name in os.listdir(steps):
        if name.startswith("restart_"):
            with runs.edited(os.path.join(steps, name)) as f:
                f.attrs.modify("format_version", 2)
    with open(base + ".xdmf2") as f:
        text = f.read()
    mesh = '<Topology TopologyType="3DRectMesh" Dimensions="%d %d %d"/><Geometry GeometryType="VXVYVZ">' % tuple(sizes[::-1])
    for name, size in zip("xyz", sizes):
        mesh += '<DataItem Dimensions="%d" NumberType="Float" Precision="8" Format="HDF">%s.grid.h5:/grid/%s</DataItem>' % (
            size, os.path.basename(base), name)
    write(base + ".xdmf2", re.sub(r"<Topology.*?</Geometry>", lambda m: mesh + "</Geometry>", text, flags=re.S))
    with open(base + ".wells.vtp") as f:
        text = f.read()
    points = re.search(r"<Points>.*?</Points>", text, re.S).group(0)
    write(base + ".wells.vtp", text.replace(points, re.sub(r" -([\d.]+)\n", r" \1\n", points)))


def check_old(checks, deck, base, picture, now):
    """now: the picture of the same result as it is written now."""
    folder = os.path.dirname(base)
    for command in (["info"], ["plot", "-o", os.path.join(folder, "a.png")], ["plot", "--map", "sw", "-o",
                                                                             os.path.join(folder, "b.png")]):
        done = runs.hepta(command[0], base + ".h5", *command[1:], environment=ENVIRONMENT)
        checks.true("an older result: " + " ".join(command[:2]), done.returncode == 0, done.stderr)
    from matplotlib.image import imread
    off = abs(imread(now) - imread(picture)).max(axis=2)
    checks.true("an older result is seen from above as one of now", (off > 0.1).mean() < 0.002, (off > 0.1).mean())
    done = runs.hepta("run", deck, "--restart", base, "--progress", "never", "--set", "report.end=300")
    checks.true("an older result is not gone on with", done.returncode == 2 and "another version of hepta" in done.stderr, done.stderr)
    with h5py.File(base + ".grid.h5") as f:
        checks.true("it stays what it is", "cells" not in f["grid"])


# ---- the fields ------------------------------------------------------------------------------------


def check_files(checks, base):
    """z is -depth in the nodes, and so it is in ParaView, where no cell is inside out."""
    with h5py.File(base + ".grid.h5") as f:
        active, depth = f["grid/active"][:] == 1, f["static/depth"][:]
        nodes, cells = f["grid/nodes"][:].reshape(-1, 3), f["grid/cells"][:]
        z = nodes[cells][:, :, :, :, 2].mean(axis=3)
        checks.true("z is -depth", abs(z + depth)[active].max() < 0.6, abs(z + depth)[active].max())
        checks.true("wells, too", all(well["path"][:, 2].max() < 0 for well in f["wells"].values()))
        at = nodes[cells[active]]
        edges = [at[:, n] - at[:, 0] for n in (1, 3, 4)]
        jacobian = (numpy.cross(edges[0], edges[1]) * edges[2]).sum(axis=1)
        checks.true("cells are not inside out", (jacobian > 0).all(), jacobian.min())


def main():
    if shutil.which("pvbatch") is None or (pvscripts.screen() and shutil.which(pvscripts.screen()[0]) is None):
        runs.skip("no pvbatch, or no screen for it")
    checks = runs.Checks()
    with runs.folder() as where, drawing.python() as ENVIRONMENT["HEPTA_PYTHON"]:
        whole = runs.every(2, 2) == 1
        deck = write(os.path.join(where, "L.cfg"), L_SHAPED)
        result = runs.run(deck, where)
        corners = runs.run(write(os.path.join(where, "CORNERS.DATA"), corners_deck()), where)
        old = os.path.join(where, "old", os.path.basename(result.base))
        os.mkdir(os.path.dirname(old))
        make_old(old, result)
        found = runs.find_shared("data", "egg", "Egg_Model_ECL.DATA")
        egg = runs.run(found, where, ["report.times=[0.1]", "report.end=0.1"]) if found is not None and whole else None
        sections = [(result.base, {"i=6": (0, 0.0, 120.0)}), (old, {"k=2": (2, 1804.0, 1812.0)}),
                    (corners.base, {"j=2": (1, 2320.0, 2400.0)})]
        if whole:
            sections += [(result.base, {"j=3": (1, 50.0, 200.0), "k=2": (2, -1812.0, -1804.0)}), (old, {"i=6": (0, 0.0, 120.0)}),
                         (corners.base, {"i=2": (0, 1000.0, 1060.0)})]
        scripts = [picture_of(checks, where, "L", result.base, "--field", "sw"),
                   picture_of(checks, where, "layer", result.base, "--section", "k=3"),
                   picture_of(checks, where, "old", old, "--field", "sw"),
                   picture_of(checks, where, "corners", corners.base, "--field", "sw")]
        if egg is not None:
            scripts.append(picture_of(checks, where, "egg", egg.base, "--field", "permx"))
        done, said = pvscripts.run(where, *[[s] for s in scripts], section_scripts(checks, sections))
        checks.true("the scripts", done.returncode == 0, done.stdout + done.stderr)

        check_files(checks, result.base)
        check(checks, "L", result.base, "sw", saturation(result), where)
        check_layer(checks, result, 3, os.path.join(where, "layer.png"))
        check_sections(checks, sections, said, done.stderr)
        check_old(checks, deck, old, os.path.join(where, "old.png"), os.path.join(where, "L.png"))
        check_files(checks, corners.base)
        with h5py.File(corners.base + ".grid.h5") as f:
            checks.true("corners are where the deck has them", f["grid/nodes"][0, 0, 0].tolist() == [1000.0, 2400.0, -1800.0])
            checks.true("wells, too", f["wells/INJ/path"][1, :2].tolist() == [1015.0, 2260.0], f["wells/INJ/path"][:])
        check(checks, "corners", corners.base, "sw", saturation(corners), where)
        if egg is not None:
            check_files(checks, egg.base)
            values = seen_values(egg, "permx")
            rock = egg.static("permx")
            with h5py.File(egg.base + ".grid.h5") as f:
                active = f["grid/active"][:] == 1
            layer = layer_values(egg.base, values)
            limits = [rock[active].min(), rock[active].max(), rock[0][active[0]].min(), rock[0][active[0]].max()]
            check(checks, "egg", egg.base, "permx",
                  (scaled(values, *limits[:2], True), scaled(layer, *limits[2:], limits[3] > 10 * limits[2])), where)
        keep = os.environ.get("HEPTA_KEEP_PICTURES")
        if keep:
            for name in os.listdir(where):
                if name.endswith((".png", ".svg")):
                    shutil.copy(os.path.join(where, name), keep)
    return checks.result()


if __name__ == "__main__":
    sys.exit(main())
