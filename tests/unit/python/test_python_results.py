"""hepta.open of the package for Python: tables, fields, wells, grid, maps beside what h5py and the CSV files have; with numpy and
h5py alone, too. Examples in the package's documentation are run."""
import contextlib
import doctest
import importlib.util
import inspect
import io
import os
import subprocess
import sys
import types

import numpy

import python_package
import runs
from python_package import PRODUCER, write_deck

import hepta
import hepta.grids
import hepta.program
import hepta.results
import hepta.runs

HAS = {name: importlib.util.find_spec(name) is not None for name in ("pandas", "xarray", "matplotlib")}


def raised(call, kind):
    try:
        call()
    except kind as error:
        return str(error)
    return ""


def check_times(checks, result):
    checks.true("times", list(result.times) == [0, 20, 40, 60, 80, 100] and result.time_unit == "day" and result.steps[0] == 0, result.times)
    checks.true("dates", str(result.dates[1]) == "2026-01-21T06:00:00", result.dates)
    checks.true("title", result.title == "Überflutung" and "Überflutung" in repr(result), result)
    checks.true("said", "Mass balance" in result.said, result.said)


def check_tables(checks, result, where):
    with_units = runs.read_csv(os.path.join(where, "r.summary.csv"), keep_units=True)
    names = [head.partition("[")[0] for head in with_units]
    for name, (head, values) in zip(names, with_units.items()):
        if name != "DATE":
            column = result.vector(name)
            good = list(column) == values if isinstance(values, list) else numpy.allclose(column, values, rtol=1e-6, atol=1e-12)
            checks.true("column " + name, good, column)
    checks.true("no such column", "has no WOPR:X" in raised(lambda: result.vector("WOPR:X"), hepta.HeptaError))
    if not HAS["pandas"]:
        checks.true("without pandas", "needs the package pandas" in raised(lambda: result.summary, ImportError))
        return
    table = result.summary
    checks.true("table", [table.index.name, *sorted(table.columns)] == ["TIME", *sorted(n for n in names if n != "TIME")], list(table.columns))
    checks.true("units", all(table.attrs["units"][h.partition("[")[0]] == h.partition("[")[2].rstrip("]") for h in with_units if "DATE" not in h),
                table.attrs)
    dates = [str(d)[:19].replace("T", " ") for d in table["DATE"].dt.round("s")]
    checks.true("dates of a table", dates == with_units["DATE"], dates[:3])
    well = result.wells[PRODUCER].summary
    checks.true("of a well", list(well["WBHP"]) == list(result.vector("WBHP:" + PRODUCER)) and "FOPR" not in well and "WWCT" in well, list(well.columns))
    checks.true("solver", list(result.solver["newton"]) == list(result.vector("newton", "solver")), result.solver.columns)


def check_fields(checks, result, where):
    own = runs.Result(os.path.join(where, "r"), "", "")
    field = result.field("pressure", time=60.0)
    active = result.grid.active
    checks.true("a field", numpy.array_equal(field.values[active], own.field("pressure", 3)[active]) and numpy.isnan(field.values[~active]).all())
    checks.true("what it is", (field.unit, field.time, str(field.date), field.step) == ("Pa", 60.0, "2026-03-02T06:00:00", own.steps[3]), field)
    checks.true("by its date", result.field("sw", date="2026-03-02T06:00:00").step == field.step and result.field("sw", 3).step == field.step)
    checks.true("in bar", numpy.allclose(numpy.asarray(field.to("bar"))[active], own.field("pressure", 3)[active] / 1e5))
    checks.true("as an array", numpy.nanmax(field) == field.values[active].max() and "bar" in repr(field.to("bar")))
    checks.true("rock", numpy.allclose(result.field("permx").values[active], 150.0) and result.field("permx").time is None)
    checks.true("no unit", "has no unit 'K'" in raised(lambda: field.to("K"), ValueError) and
                "has no unit" in raised(lambda: result.field("sw").to("bar"), ValueError))
    checks.true("no such field", "there are pressure, so, sw" in raised(lambda: result.field("so2"), hepta.HeptaError))
    checks.true("no such step", "no report step 9 of 6" in raised(lambda: result.field("sw", 9), IndexError))
    checks.true("no such time", "nearest is at 60" in raised(lambda: result.field("sw", time=61.0), ValueError))
    if HAS["xarray"]:
        data = result.dataset()
        checks.true("dataset", data.sw.dims == ("time", "k", "j", "i") and data.pressure.attrs["unit"] == "Pa" and
                    numpy.array_equal(data.sw.values[3], result.field("sw", 3).values, equal_nan=True) and data.permx.dims == ("k", "j", "i"), data)
    else:
        checks.true("without xarray", "needs the package xarray" in raised(result.dataset, ImportError))


def volumes(points, cells):
    """Of hexahedra in VTK's order, by five tetrahedra each."""
    corner = points[cells]
    total = 0.0
    for a, b, c, d in ((0, 1, 3, 4), (1, 2, 3, 6), (1, 4, 5, 6), (3, 4, 6, 7), (1, 3, 4, 6)):
        edges = corner[:, [b, c, d]] - corner[:, [a]]
        total = total + abs(numpy.linalg.det(edges)) / 6.0
    return total


def check_grid(checks, result, where):
    grid, active = result.grid, result.grid.active
    checks.true("grid", grid.shape == (2, 8, 8) and active.sum() == 2 * 62 and result.wells["IN 1"].type == "injector", grid.shape)
    if importlib.util.find_spec("pyvista") is None:
        points, cells = grid.mesh()
        pores = volumes(points, cells) * result.field("porosity").values[active]
        checks.true("volumes of cells", numpy.allclose(pores, result.field("pore_volume").values[active], rtol=1e-5), pores[:3])
        checks.true("without pyvista", "needs the package pyvista" in raised(lambda: grid.mesh(result.field("sw")), ImportError))
    checks.true("centres", numpy.allclose(-grid.centres[..., 2][active], result.field("depth").values[active]) and numpy.isnan(grid.centres[0, 3, 2]).all())
    heads = {name: well.path[-1, :2] for name, well in result.wells.items()}
    checks.true("wells are in their cells", numpy.allclose(heads["IN 1"], grid.centres[0, 0, 0, :2]) and
                numpy.allclose(heads[PRODUCER], grid.centres[0, 7, 7, :2]), heads)
    faulted = hepta.run(runs.deck("aquifer_fault"), output=os.path.join(where, "f"), set={"report.end": 1.0, "report.every": 1.0})
    if importlib.util.find_spec("pyvista") is None:
        own = faulted.grid.active
        rock = faulted.field("porosity").values * faulted.field("ntg").values
        pores = (volumes(*faulted.grid.mesh()) * rock[own]).sum()
        checks.near("cells beside a fault", pores / faulted.field("pore_volume").values[own].sum(), 1.0, 1e-4)


def check_pyvista(checks, result):
    """Its arguments, by one that stands in for it."""
    made = types.SimpleNamespace(cell_data={})

    def make(cells, kinds, points):
        made.cells, made.kinds, made.points = cells, kinds, points
        return made

    sys.modules["pyvista"] = types.SimpleNamespace(UnstructuredGrid=make)
    try:
        mesh = result.grid.mesh(result.field("sw"), result.field("permx"))
    finally:
        del sys.modules["pyvista"]
    count = result.grid.active.sum()
    checks.true("pyvista", len(made.cells) == 9 * count and (made.cells[::9] == 8).all() and (made.kinds == 12).all() and
                len(mesh.cell_data["sw"]) == count and not numpy.isnan(mesh.cell_data["permx"]).any())


def check_maps(checks, result):
    if not HAS["matplotlib"]:
        checks.true("without matplotlib", "needs the package matplotlib" in raised(lambda: result.map("sw"), ImportError))
        return
    import matplotlib

    matplotlib.use("Agg")
    axes = result.map("pressure", layer=2, unit="bar", cmap="turbo", clim=(100, 250))
    axes.figure.canvas.draw()
    cells = axes.collections[0]
    active = result.grid.active[1]
    checks.true("a map", numpy.array_equal(cells.get_array(), result.field("pressure").to("bar").values[1][active]) and cells.get_clim() == (100, 250))
    checks.true("its words", "layer 2, 100 day" in axes.get_title() and {t.get_text() for t in axes.texts} == set(result.wells), axes.get_title())
    checks.true("no such layer", "the grid has 2" in raised(lambda: result.map("sw", layer=3), ValueError))


def check_alone(checks, where):
    """With numpy and h5py alone, in a process that refuses to import any other."""
    program = """
import sys
class Nobody:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("pandas", "xarray", "pyvista", "matplotlib", "vtk"):
            raise ImportError(name + " is not installed")
sys.meta_path.insert(0, Nobody())
import hepta
result = hepta.run(sys.argv[1], output=sys.argv[2], set={"report.end": 20.0})
print(result.vector("FOPR")[-1] > 0, result.field("sw").values.shape, result.grid.mesh()[1].shape, sorted(result.wells), hepta.check(sys.argv[1]).ok)
for call in (lambda: result.summary, result.dataset, lambda: result.map("sw"), lambda: result.grid.mesh(result.field("sw"))):
    try:
        call()
    except hepta.MissingPackage as error:
        print(error)
"""
    done = subprocess.run([sys.executable, "-c", program, os.path.join(where, "eine Flut.cfg"), os.path.join(where, "alone")], capture_output=True,
                          text=True, env={**os.environ, "PYTHONPATH": python_package.PACKAGE, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONIOENCODING": "utf-8"})
    lines = done.stdout.splitlines()
    checks.true("numpy and h5py alone", done.returncode == 0 and lines[:1] == ["True (2, 8, 8) (124, 8) ['IN 1', '%s'] True" % PRODUCER], done.stdout + done.stderr)
    checks.true("packages by their names", [line.split("needs the package ")[-1].split(":")[0] for line in lines[1:]] ==
                ["pandas", "xarray", "matplotlib", "pyvista"], lines[1:])


def check_wrong(checks, where):
    path = os.path.join(where, "not.h5")
    for what, text in (("is not there", None), ("is text", "nothing"), ("is another file", "")):
        if text is not None:
            with open(path, "w") as f:
                f.write(text)
        if text == "":
            with runs.h5py.File(path, "w") as f:
                f["time"] = [1.0]
        error = raised(lambda: hepta.open(path), hepta.HeptaError)
        checks.true(what, error.startswith(path + ": ") and len(error) > len(path) + 10, error)


def check_documentation(checks):
    """Examples, and each public function has types and says what it is."""
    for module in (hepta.program, hepta.runs, hepta.results, hepta.grids):
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            failed, _ = doctest.testmod(module)
        checks.true("examples of " + module.__name__, failed == 0, said.getvalue())
    for name in hepta.__all__:
        thing = getattr(hepta, name)
        checks.true("documented: " + name, inspect.getdoc(thing))
        functions = [thing] if inspect.isfunction(thing) else [f for n, f in vars(thing).items() if inspect.isfunction(f)] + [
            f.fget for f in vars(thing).values() if isinstance(f, property)]
        for function in functions:
            untyped = [p for p in inspect.signature(function).parameters.values() if p.annotation is p.empty and p.name != "self"]
            checks.true("types of %s" % function.__qualname__, not untyped and "return" in function.__annotations__, untyped)


def main():
    checks = runs.Checks()
    with runs.folder() as where:
        result = hepta.run(write_deck(where), output=os.path.join(where, "r"))
        check_times(checks, result)
        check_tables(checks, result, where)
        check_fields(checks, result, where)
        check_grid(checks, result, where)
        check_pyvista(checks, result)
        check_maps(checks, result)
        check_alone(checks, where)
        check_wrong(checks, where)
        check_documentation(checks)
    return checks.result()


if __name__ == "__main__":
    sys.exit(main())
