"""Pictures of hepta's results; `hepta plot` (sim/commands/plot.c) starts this with checked options.

    plot.py [-o OUT] [--well NAME | --vector LIST] [--data FILE.csv]... RESULT.h5...
    plot.py [-o OUT.html] --report [--data FILE.csv]... RESULT.h5
    plot.py [-o OUT.html] --compare [--data FILE.csv]... RESULT ...      .h5, or .SMSPEC of Eclipse or OPM Flow
    plot.py [-o OUT] --map ARRAY [--layer K | --i I | --j J] [--time T[,T...]] [--range LOW,HIGH] [--bubbles VECTOR] RESULT.h5

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

from matplotlib import colors

from bubbles import Bubbles
from curves import curves, vectors
from flow import flow
from maps import make_map, scale_in_time
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
    """The pictures, each with the usual name of its file and what stands in others' names."""
    name = results[0].name.split("/")[-1]
    if a.report:
        return [(None, name + ".html", "")]
    if a.compare:
        return [(None, "compare.html", "")]
    if a.map is None:
        if any(r.is_diagnosis() for r in results):
            if len(results) > 1 or a.data or a.vector or a.well:
                raise Fault("%s: is of hepta diagnose, which is drawn by itself, without --well, --vector and --data" % next(
                    r.path for r in results if r.is_diagnosis()), 2)
            return [(flow(results[0]), name + ".png", "")]
        data = [Data(p) for p in a.data]
        if a.vector is not None:
            return [(vectors(results, data, a.vector), name + ".vectors.png", "")]
        if a.well and re.search(r"[*?]", a.well) and not any(r.has_well(a.well) for r in results):
            if data:
                raise Fault("--data is for one well or the field, not for --well %s" % a.well, 2)
            pages = report.wells_like(results, a.well)
            part = lambda first, last: "wells" if len(pages) == 1 else "wells.%s-%s" % (first.replace("/", "_"), last.replace("/", "_"))
            return [(figure, "%s.%s.png" % (name, part(first, last)), part(first, last)) for figure, first, last in pages]
        return [(curves(results, data, a.well), name + ("." + a.well.replace("/", "_") if a.well else "") + ".png", "")]
    axis, number = ("i", a.i) if a.i else ("j", a.j) if a.j else ("k", a.layer)
    times = a.time or [None]
    scale = colors.Normalize(*a.range) if a.range else scale_in_time(results[0], a.map, axis, number, times) if len(times) > 1 else None
    bubbles = Bubbles(a.bubbles, [Data(p) for p in a.data]) if a.bubbles else None
    if bubbles and len(times) > 1:
        bubbles.scale(results[0], times)
    maps = [make_map(results[0], a.map, axis, number, time, scale, None, bubbles) for time in times]
    return [(figure, "%s.%s.png" % (name, what), what.split(".", 2)[-1]) for figure, what in maps]


def given(a):
    """Data of a page, which need not be in one picture."""
    data = [Data(path) for path in a.data]
    for d in data:
        d.must_be_drawn = False
    return data


def numbers(text):
    return [float(number) for number in text.split(",")]


def name_of(a, usual, part, several):
    """Where a picture goes: of several under one name each has its part in it."""
    if not a.output or not several:
        return a.output or usual
    stem, ending = os.path.splitext(a.output)
    return "%s.%s%s" % (stem, part, ending)


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
    parser.add_argument("--time", type=numbers)
    parser.add_argument("--range", type=numbers)
    parser.add_argument("--bubbles")
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
        pictures = draw(a, results)
        files = list(dict.fromkeys(name_of(a, usual, part, len(pictures) > 1) for figure, usual, part in pictures))
        for path in a.results + a.data:
            for file in files:
                if os.path.exists(file) and os.path.samefile(path, file):
                    raise Fault("%s: is the file %s, which is drawn; refusing to overwrite it: name the picture with -o" % (
                        file, path), 2)
        for figure, usual, part in pictures:
            if a.report:
                report.write(report.page(results[0], given(a)), a.output or usual)
            elif a.compare:
                report.write(compare.page(results, given(a)), a.output or usual)
            else:
                save(figure, name_of(a, usual, part, len(pictures) > 1))
    except Fault as fault:
        print("hepta: %s" % shown(fault), file=sys.stderr)
        return fault.code
    except (KeyError, IndexError, AttributeError, TypeError, ArithmeticError, MemoryError, RuntimeError, OSError,
            ValueError) as error:
        print("hepta: %s: is damaged or incomplete: %s" % (shown(a.results[0]), shown(error)), file=sys.stderr)
        return 2
    try:
        print("\n".join("wrote " + shown(file) for file in files), flush=True)
    except OSError as error:
        print("hepta: standard output cannot be written: %s" % error.strerror, file=sys.stderr)
        os._exit(1)  # or Python tries once more
    return 0


if __name__ == "__main__":
    sys.exit(main())
