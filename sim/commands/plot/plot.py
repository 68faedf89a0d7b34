"""Pictures of hepta's results; `hepta plot` (sim/commands/plot.c) starts this with checked options.

    plot.py [-o OUT] [--well NAME | --vector LIST] [--data FILE.csv]... RESULT.h5...
    plot.py [-o OUT.html] --report RESULT.h5
    plot.py [-o OUT.html] --compare RESULT ...      .h5, or .SMSPEC of Eclipse or OPM Flow
    plot.py [-o OUT] --map ARRAY [--layer K | --i I | --j J] [--time T] RESULT.h5

Exit codes: 0 done, 1 a file cannot be read or drawn, 2 what was asked for is not there; 69 no h5py, 70 no matplotlib.
"""
import argparse
import os
import re
import sys
import warnings

sys.dont_write_bytecode = True  # nothing is left beside an installed program
try:
    import h5py  # noqa: F401
    import numpy  # noqa: F401
except ImportError:
    sys.exit(69)
try:
    import matplotlib
except ImportError:
    sys.exit(70)

from curves import curves, vectors
from flow import flow
from maps import make_map
import compare
import eclipse
import report
from results import Data, Fault, Result, shown
from texts import DPI


def save(figure, path):
    """The same bytes for the same picture: no dates in it."""
    kind = os.path.splitext(path)[1].lower()
    nothing = {".pdf": {"CreationDate": None}, ".svg": {"Date": None}}
    try:
        figure.savefig(path, dpi=DPI, metadata=nothing.get(kind))
    except OSError as error:
        raise Fault("%s: cannot be written: %s" % (path, error.strerror or error)) from None


def draw(a, results):
    """The picture, and the name of its file."""
    name = results[0].name.split("/")[-1]
    if a.report:
        return None, name + ".html"
    if a.compare:
        return None, "compare.html"
    if a.map is None:
        if any(r.is_diagnosis() for r in results):
            if len(results) > 1 or a.data or a.vector or a.well:
                raise Fault("%s: is of hepta diagnose, which is drawn by itself, without --well, --vector and --data" % next(
                    r.path for r in results if r.is_diagnosis()), 2)
            return flow(results[0]), name + ".png"
        data = [Data(p) for p in a.data]
        if a.vector is not None:
            return vectors(results, data, a.vector), name + ".vectors.png"
        return curves(results, data, a.well), name + ("." + a.well.replace("/", "_") if a.well else "") + ".png"
    axis, number = ("i", a.i) if a.i else ("j", a.j) if a.j else ("k", a.layer)
    figure, what = make_map(results[0], a.map, axis, number, a.time)
    return figure, "%s.%s.png" % (name, what)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("results", nargs="+")
    parser.add_argument("-o", "--output")
    parser.add_argument("--well")
    parser.add_argument("--vector")
    parser.add_argument("--data", action="append", default=[])
    parser.add_argument("--report", action="store_true")
    parser.add_argument("--compare", action="store_true")
    parser.add_argument("--map")
    parser.add_argument("--layer", type=int, default=1)
    parser.add_argument("--i", type=int)
    parser.add_argument("--j", type=int)
    parser.add_argument("--time", type=float)
    a = parser.parse_args()
    matplotlib.rcParams.update({"svg.hashsalt": "hepta", "path.simplify": False, "svg.fonttype": "none", "font.size": 9})
    warnings.filterwarnings("ignore", "Glyph .* missing from")  # a letter that no font has is drawn as a box
    if "text.parse_math" in matplotlib.rcParams:
        matplotlib.rcParams["text.parse_math"] = False
    try:
        results = [eclipse.EclipseResult(path) if eclipse.is_meant(path) else Result(path) for path in a.results]
        names = [r.name for r in results]
        for r in results:  # results of the same name in several folders
            if names.count(r.name) > 1:
                r.name = re.sub(r"\.h5$|" + eclipse.ENDINGS, "", r.path)
        figure, usual = draw(a, results)
        for path in a.results + a.data:
            if os.path.exists(usual) and not a.output and os.path.samefile(path, usual):
                raise Fault("%s: is the file %s, which is drawn; refusing to overwrite it: name the picture with -o" % (
                    usual, path), 2)
        if a.report:
            report.write(report.page(results[0]), a.output or usual)
        elif a.compare:
            report.write(compare.page(results), a.output or usual)
        else:
            save(figure, a.output or usual)
    except Fault as fault:
        print("hepta: %s" % shown(fault), file=sys.stderr)
        return fault.code
    except (KeyError, IndexError, AttributeError, TypeError, ArithmeticError, MemoryError, RuntimeError, OSError,
            ValueError) as error:
        print("hepta: %s: is damaged or incomplete: %s" % (shown(a.results[0]), shown(error)), file=sys.stderr)
        return 2
    try:
        print("wrote " + shown(a.output or usual), flush=True)
    except OSError as error:
        print("hepta: standard output cannot be written: %s" % error.strerror, file=sys.stderr)
        os._exit(1)  # or Python tries once more
    return 0


if __name__ == "__main__":
    sys.exit(main())
