"""docs/guide/plot_result.py, the example of reading results elsewhere: the curves it draws are the CSV's columns, the map is the
saturation of the last report, the picture is not blank."""
import importlib.util
import os
import subprocess
import sys

import numpy

import runs

try:
    import matplotlib.image
except ImportError:
    runs.skip("needs matplotlib")
PATH = os.path.join(runs.SOURCE, "docs", "guide", "plot_result.py")
OPTIONS = ["grid.size=[12, 9, 2]", "wells.PROD.i=12", "wells.PROD.j=9", "report.end=200", "report.every=50",
           "grid.boxes=({ i = 3; j = 4; k = 1; set = { active = 0; }; })"]


def check_curves(checks, figure, r):
    rates = figure.axes[0]
    cut = [a for a in figure.axes if a.get_ylabel() == "water cut"][0]
    lines = rates.get_lines() + cut.get_lines()
    checks.true("three curves", [line.get_label() for line in lines] == ["PROD oil", "PROD water", "PROD water cut"])
    for line, name in zip(lines, ("WOPR:PROD", "WWPR:PROD", "WWCT:PROD")):
        x, y = line.get_data()
        checks.true("times of " + name, len(x) > 10 and numpy.allclose(x, r.vector("TIME"), rtol=1e-10))
        checks.true("values of " + name, numpy.allclose(y, r.vector(name), rtol=1e-10, atol=1e-9))
    checks.true("units", rates.get_xlabel() == "time [DAYS]" and rates.get_ylabel() == "rate [SM3/DAY]")


def check_map(checks, figure, r):
    axes = [a for a in figure.axes if a.get_ylabel() == "y [m]"][0]
    drawn = numpy.ma.filled(axes.collections[0].get_array().astype(float).reshape(9, 12), numpy.nan)
    expected = r.field("sw")[0]
    checks.true("the hole is left out", numpy.isnan(drawn[3, 2]) and numpy.isnan(drawn).sum() == 1)
    expected[3, 2] = drawn[3, 2] = 0.0
    checks.true("saturations", numpy.allclose(drawn, expected, atol=1e-6) and expected.max() > 0.5)
    checks.true("its time", axes.get_title() == "200 days")


def main():
    checks = runs.Checks()
    spec = importlib.util.spec_from_file_location("plot_result", PATH)
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    with runs.folder() as folder:
        r = runs.run("quarter_five_spot", folder, OPTIONS)
        figure = example.draw(r.base + ".h5")
        check_curves(checks, figure, r)
        check_map(checks, figure, r)
        picture = os.path.join(folder, "picture.png")
        done = subprocess.run([sys.executable, PATH, r.base + ".h5", picture], capture_output=True, text=True)
        checks.true("the program", done.returncode == 0, done.stderr[-800:])
        image = matplotlib.image.imread(picture)[:, :, :3]
        checks.true("1100 x 450, not blank", image.shape[:2] == (450, 1100) and (image.min(axis=2) < 0.9).mean() > 0.1)
        done = subprocess.run([sys.executable, PATH], capture_output=True, text=True)
        checks.true("says how to use it", done.returncode == 1 and "python3 docs/guide/plot_result.py" in done.stderr)
    return checks.result()


sys.exit(main())
