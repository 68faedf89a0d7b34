"""hepta compare of results that exist: a run beside its own files for Eclipse differs by nothing, whose grid, states and vectors are those
of the run; beside another run the page has the differences of both tables and fields; what cannot be compared is refused."""
import os
import re
import shutil
import struct
import sys

import h5py
import numpy

import drawing
import eclipse_files
import runs

try:
    import matplotlib  # noqa: F401
except ImportError:
    runs.skip("needs matplotlib")
sys.path.append(os.path.join(os.environ["HEPTA_SOURCE"], "sim", "commands", "plot"))
import eclipse

DECK = """
units = "%s"; start = "2020-01-31";
grid = { size = [7, 5, 3]; dx = 20.0; dy = 30.0; dz = [4.0, 3.0, 5.0]; top = 2000.0; porosity = 0.2; permx = %g;
         boxes = ( { i = [1, 2]; j = 5; set = { active = 0; }; } ); };
%sinitial = { datum_depth = 2000.0; datum_pressure = 200.0; contact_depth = 2100.0; };
wells = (
  { name = "INJ"; type = "injector"; i = 1; j = 1; radius = 0.1; control = "rate"; rate = 15.0; bhp = 400.0; },
  { name = "P"; type = "producer"; i = 7; j = 5; radius = 0.1; control = "bhp"; bhp = 180.0; }
);
report = { every = 100.0; end = 400.0; };
timestep = { initial = 1.0; max = 20.0; };
output = { eclipse = true; vectors = [ "BPR:1,1,2", "COPR", "RPR" ]; };
"""
SOFT = re.compile(r"[-+0-9.e]+(?=\xa0%)")


def run(where, name, *of):
    with open(os.path.join(where, name + ".cfg"), "w") as f:
        f.write(DECK % (*of, runs.FLUIDS))
    done = runs.hepta("run", name + ".cfg", "-o", name, "--threads", "1", where=where)
    assert done.returncode == 0, done.stderr
    shutil.move(os.path.join(where, name.upper() + ".SMSPEC"), os.path.join(where, name + "_E.SMSPEC"))
    for ending in ("UNSMRY", "EGRID", "UNRST"):
        shutil.move(os.path.join(where, "%s.%s" % (name.upper(), ending)), os.path.join(where, "%s_E.%s" % (name, ending)))


def check_reader(checks, where, name):
    """All that the run's own files hold."""
    read = eclipse.EclipseResult(os.path.join(where, name + "_E.SMSPEC"))
    with h5py.File(os.path.join(where, name + ".h5")) as f:
        columns = [c for c in f["summary"] if f["summary"][c].dtype.kind == "f"]
        odd = [c for c in columns if c not in read.file["summary"] or not numpy.allclose(read.file["summary"][c], f["summary"][c], rtol=2e-7, atol=1e-30)]
        checks.true(name + ": columns of Eclipse's files", not odd and len(columns) > 40, odd)
        units = [c for c in columns if read.file["summary"][c].attrs["unit"] != f["summary"][c].attrs["unit"]]
        checks.true(name + ": their units", not units, units)
        checks.true(name + ": times", numpy.allclose(read.file["time"], f["time"]) and len(f["time"]) == 5, read.file["time"][:])
        checks.true(name + ": active cells", (read.file["grid/active"][:] == (f["grid/active"][:] != 0)).all() and not f["grid/active"][:].all(), "")
        for n, step in enumerate(f["step"]):
            there = f["grid/active"][:] != 0
            for array, size in (("pressure", 1e5), ("sw", 1.0)):
                mine, own = f["steps/%06d" % step][array][:], read.field(n, array)
                checks.true("%s: %s of step %d" % (name, array, n), numpy.allclose(mine[there], own[there], rtol=3e-7, atol=3e-7 * size), abs(mine - own)[there].max())
        import maps
        length = maps.LENGTH[f.attrs["units"]][1]
        cells = maps.read_cells(read, length)
        middle = cells.mean(axis=3)
        whole = type("R", (), {"file": f})
        if maps.read_cells(whole, length) is not None:
            own = maps.read_cells(whole, length).mean(axis=3)
        else:
            own = numpy.stack([sum(a[k:k + 3, j:j + 5, i:i + 7] for k in (0, 1) for j in (0, 1) for i in (0, 1)) / 8.0
                               for a in maps.read_nodes(whole, length)], axis=-1)
        checks.true(name + ": places of cells", abs(middle - own)[there].max() < 1e-3, (middle[0, 0, 0], own[0, 0, 0]))
        return {c: f["summary"][c][:] for c in columns}


def page(where, python, *words, name="compare.html"):
    done = runs.hepta("compare", *words, where=where, environment=python)
    assert done.returncode == 0 and done.stdout == "wrote %s\n" % name, done.stdout + done.stderr
    return drawing.Page(os.path.join(where, name))


def check_same(checks, where, python, name):
    """Differences to one's own files are those of numbers in single precision."""
    found = page(where, python, name, name + "_E")
    rows = [r for r in found.rows if len(r) in (3, 4) and SOFT.search(r[-1])]
    worst = [abs(float(SOFT.search(r[-1]).group())) for r in rows]
    checks.true(name + ": nothing differs", len(rows) >= 8 and max(worst) < 2e-5, rows)
    checks.true(name + ": maps", sum("layer" in p for p in found.pictures) == 2 or "the same" in found.text, sorted(found.pictures))
    checks.true("nothing runs or is fetched", not found.tags & {"script", "link", "iframe"} and not found.links, found.tags)


def check_other(checks, where, python, first, other):
    found = page(where, python, "a", "b", "-o", "out/of/two.html", name="out/of/two.html")
    with h5py.File(os.path.join(where, "a.h5")) as a, h5py.File(os.path.join(where, "b.h5")) as b:
        last = [[f["summary"][c][-1] for c in ("FOPT", "WOPT:P")] for f in (a, b)]
    for n, (start, place) in enumerate((("oil produced", 0), ("P", 2))):
        row = next(r for r in found.rows if r[0].startswith(start) and (place == 0 or r[1] == "oil produced"))
        value = float(SOFT.search(row[-1]).group())
        right = 100.0 * (last[1][n] - last[0][n]) / max(last[0][n], last[1][n])
        checks.near("%s: the difference" % start, value, right, 6e-3 * abs(right))
        checks.true("%s: it is one" % start, abs(right) > 0.1, right)
    checks.true("maps of differences", len([p for p in found.pictures if "layer" in p]) == 2, sorted(found.pictures))


def check_bare(checks, where, python):
    """A summary alone, with names of twelve letters as later files of Eclipse have them: no maps, all else."""
    shutil.copy(os.path.join(where, "a_E.UNSMRY"), os.path.join(where, "bare.UNSMRY"))
    arrays = eclipse_files.read(os.path.join(where, "a_E.SMSPEC"))
    names = next(values for name, _, values in arrays if name == "WGNAMES")
    with open(os.path.join(where, "bare.SMSPEC"), "wb") as f:
        f.write(eclipse_files.binary([a for a in arrays if a[0] != "WGNAMES"]))
        f.write(struct.pack(">i8si4si", 16, b"NAMES   ", len(names), b"C012", 16))
        for n in range(0, len(names), 105):
            body = b"".join(name.encode().ljust(12) for name in names[n:n + 105])
            f.write(struct.pack(">i", len(body)) + body + struct.pack(">i", len(body)))
    found = page(where, python, "a", "bare", "-o", "bare.html", name="bare.html")
    checks.true("bare: no maps, and said", not any("layer" in p for p in found.pictures) and "no grid, in common" in found.text, sorted(found.pictures))
    checks.true("bare: wells have their names", any(r[:2] == ["P", "oil produced"] for r in found.rows), found.rows)


def check_refusals(checks, where, python):
    shutil.copy(os.path.join(where, "a_E.SMSPEC"), os.path.join(where, "torn.SMSPEC"))
    with open(os.path.join(where, "a_E.UNSMRY"), "rb") as f, open(os.path.join(where, "torn.UNSMRY"), "wb") as out:
        out.write(f.read()[:2000])
    for words, code, said in ((("a", "torn"), 2, "torn.UNSMRY: is damaged"), (("a", "none"), 2, "none: No such file"),
                              (("a", "f"), 2, "in different units"), (("a", "b", "--case", "x:"), 2, "--case is not for results"), (("a", "b", "--threads", "2"), 2, "--threads is not for results"),
                              (("a", "b", "-o", "x.txt"), 2, "the name ends in .html"), (("a", "b", "-o", "a.cfg/x.html"), 2, "a.cfg")):
        done = runs.hepta("compare", *words, where=where, environment=python)
        checks.true("refused: " + " ".join(words), done.returncode == code and said in done.stderr, (done.returncode, done.stderr))
    done = runs.hepta("report", "a_E", where=where, environment=python)
    checks.true("a report is of hepta's", done.returncode == 2 and "hepta compare" in done.stderr, done.stderr)
    for words in (("--map", "sw", "-o", "m.png"), ("--well", "P", "-o", "w.png"), ("-o", "c.png")):
        done = runs.hepta("plot", "a_E", *words, where=where, environment=python)
        checks.true("plot of Eclipse's files", done.returncode == 0, done.stderr)


def main():
    checks = runs.Checks()
    with runs.folder() as where, drawing.python() as python:
        environment = dict(os.environ, HEPTA_PYTHON=python)
        run(where, "a", "metric", 90.0)
        run(where, "b", "metric", 30.0)
        run(where, "f", "field", 90.0)
        for name in ("a", "f"):
            check_reader(checks, where, name)
            check_same(checks, where, environment, name)
        check_other(checks, where, environment, "a", "b")
        check_bare(checks, where, environment)
        check_refusals(checks, where, environment)
    return checks.result()


if __name__ == "__main__":
    sys.exit(main())
