"""Pictures of hepta's results; `hepta plot` (sim/cli_plot.c) starts this with checked options.

    plot.py -o OUT [--well NAME] [--data FILE.csv]... RESULT.h5...
    plot.py -o OUT --map ARRAY [--layer K] [--time T] RESULT.h5

Exit codes: 0 done, 1 a file cannot be read or drawn, 2 what was asked for is not there; 69 no h5py, 70 no matplotlib.
"""
import argparse
import csv
import os
import re
import sys

try:
    import h5py
    import numpy
except ImportError:
    sys.exit(69)
try:
    import matplotlib
    from matplotlib import colors
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D
except ImportError:
    sys.exit(70)

COLOURS = ["#0067b1", "#c8500a", "#00805c", "#a2388a", "#8a6d00", "#6d4bd1", "#b3202c", "#4b5563"]
MARKERS = "osD^v<>P"
SECONDS = [("setup", "linear setup", "#0067b1"), ("solve", "linear solve", "#7a5bc7"),
           ("assembly", "properties and assembly", "#d98200"), ("wells", "wells", "#00805c"), ("output", "output", "#9aa3ad")]
RASTER = 50000  # cells of a map beyond which a vector picture holds an image
FIELDS = ("sw", "so", "pressure")
# The deck's units of pressure and length in SI, for maps: the files are in Pa and m
PRESSURE = {"metric": ("bar", 1e5), "field": ("psi", 6894.757293168361), "lab": ("atm", 101325.0), "si": ("Pa", 1.0)}
LENGTH = {"metric": ("m", 1.0), "field": ("ft", 0.3048), "lab": ("cm", 0.01), "si": ("m", 1.0)}


class Fault(Exception):
    """What ends the program, and its exit code."""

    def __init__(self, text, code=1):
        super().__init__(text)
        self.code = code


# ---- results and data -------------------------------------------------------------------


class Result:
    """A result file: columns of /summary and /solver by name."""

    def __init__(self, path):
        self.path, self.name = path, re.sub(r"\.h5$", "", os.path.basename(path))
        try:
            self.file = h5py.File(path, "r")
        except OSError as error:
            if os.path.isfile(path) and os.access(path, os.R_OK) and not h5py.is_hdf5(path):
                raise Fault("%s: not the master file of a result; its name ends in .h5" % path, 2) from None
            raise Fault("%s: cannot open as an HDF5 file: %s" % (path, error), 2) from None
        if self.file.attrs.get("format") != "hepta result" or "time" not in self.file:
            raise Fault("%s: not the master file of a result; give NAME.h5, which names all others" % path, 2)

    def column(self, group, name):
        """(values, unit)"""
        if group not in self.file or name not in self.file[group]:
            raise Fault("%s: has no /%s/%s: the run has not ended, or output.summary is off" % (self.path, group, name))
        data = self.file[group][name]
        return data[:].astype(float), data.attrs.get("unit", "")

    def well(self, name):
        """The well's name in columns."""
        if "wells" not in self.file:
            raise Fault("%s: its grid file is missing" % self.path)
        names = {group.attrs["name"]: key for key, group in self.file["wells"].items()}
        if name not in names:
            raise Fault("%s: has no well '%s'; there are %s" % (self.path, name, ", ".join(sorted(names)) or "none"), 2)
        return names[name]

    def injects(self, name):
        """Whether the well begins as an injector."""
        return self.file["wells"][self.well(name)].attrs["type"] == "injector"


class Data:
    """Measured or reference values: a CSV file with the column TIME and others of the summary's names, each NAME or
    NAME[UNIT]. An empty entry is none."""

    def __init__(self, path):
        self.path, self.name, self.columns, self.used = path, os.path.basename(path), {}, False
        try:
            with open(path, newline="", encoding="utf-8-sig") as f:
                rows = list(csv.reader(f))
        except (OSError, UnicodeDecodeError, csv.Error) as error:
            raise Fault("%s: cannot be read: %s" % (path, error), 2) from None
        heads = [re.fullmatch(r"\s*(.*?)\s*(?:\[(.*)\])?\s*", text) for text in (rows[0] if rows else [])]
        for n, head in enumerate(heads):
            self.columns[head.group(1)] = ([self.entry(row, n, line + 2) for line, row in enumerate(rows[1:])], head.group(2))
        if "TIME" not in self.columns:
            raise Fault("%s: has no column TIME in its first line" % path, 2)

    def entry(self, row, n, line):
        text = row[n].strip() if n < len(row) else ""
        try:
            return float(text) if text else float("nan")
        except ValueError:
            return text  # told only if the column is drawn

    def column(self, name, unit):
        """Values in `unit`, the result's, or None."""
        if name not in self.columns:
            return None
        values, own = self.columns[name]
        if own is not None and own.upper() != unit.upper():
            raise Fault("%s: %s is in [%s], the results are in [%s]" % (self.path, name, own, unit), 2)
        for line, value in enumerate(values):
            if isinstance(value, str):
                raise Fault("%s:%d: %s: '%s' is no number" % (self.path, line + 2, name, value), 2)
        return numpy.array(values)


# ---- curves ---------------------------------------------------------------------------------


def same_unit(results, group, name):
    """The unit that all results have the column in."""
    units = {r.column(group, name)[1] for r in results}
    if len(units) > 1:
        raise Fault("%s is in different units: %s" % (name, ", ".join(sorted(units))), 2)
    return units.pop()


def width(n, results):
    """Of the n-th line: those below show beside those above."""
    return 1.3 + 1.8 * (len(results) - 1 - n) / len(results)


def short(name):
    return name if len(name) <= 16 else name[:15] + "\u2026"


def draw_summary(axes, results, data, columns, label, legend):
    """columns: [(column of a result, line style, words)], of each result in its colour."""
    units = []
    for name, style, words in columns:
        unit = same_unit(results, "summary", name(results[0]))
        units.append(unit)
        for n, r in enumerate(results):
            time, time_unit = r.column("summary", "TIME")
            line, = axes.plot(time, r.column("summary", name(r))[0], style, color=COLOURS[n % len(COLOURS)],
                              linewidth=width(n, results))
            line.set_gid("%s of %s" % (name(r), r.name))
            if n == 0 and len(columns) > 1:
                axes.plot([], [], style, color="0.3", label=words)
        for n, d in enumerate(data):
            true_name = columns_name(name(results[0]), results[0])
            values = d.column(true_name, unit)
            if values is None:
                continue
            points, = axes.plot(d.column("TIME", time_unit), values, MARKERS[n % len(MARKERS)], color="black",
                                markerfacecolor="none", markersize=4.5, label=None)
            points.set_gid("%s of %s" % (true_name, d.name))
            d.used = True
    axes.set_ylabel(label + (" [%s]" % units[0] if units[0] else ""))
    if legend and len(columns) > 1:
        axes.legend(fontsize=8, frameon=False)


def columns_name(column, result):
    """The name of a column as people write it: that of a well with a / in it stands in an attribute."""
    return result.file["summary"][column].attrs.get("name", column)


def draw_solver(axes, results, value, label, gid):
    for n, r in enumerate(results):
        time, y = r.column("solver", "time")[0], value(r)
        line, = axes.plot(time, y, color=COLOURS[n % len(COLOURS)], linewidth=width(n, results),
                          drawstyle="steps-pre")
        line.set_gid("%s of %s" % (gid, r.name))
    axes.set_ylabel(label)
    axes.set_ylim(bottom=0)


def linear_per_newton(r):
    newton, linear = r.column("solver", "newton")[0], r.column("solver", "linear")[0]
    return linear / numpy.maximum(newton, 1.0)


def draw_seconds(axes, results):
    """Where the seconds of each run went."""
    left = numpy.zeros(len(results))
    for column, words, colour in SECONDS:
        width = numpy.array([r.column("solver", column)[0].sum() for r in results])
        bars = axes.barh(range(len(results)), width, left=left, color=colour, label=words, height=0.6)
        for r, bar in zip(results, bars):
            bar.set_gid("%s of %s" % (column, r.name))
        left += width
    axes.set_yticks(range(len(results)), [short(r.name) for r in results], fontsize=8)
    axes.invert_yaxis()
    axes.set_xlabel("time steps, seconds")
    axes.set_ylim(len(results) + 0.5, -0.7)
    axes.legend(fontsize=7, ncol=3, frameon=False, loc="lower left")


def does(results, columns):
    """Whether one of the columns is ever anything but 0."""
    return any(r.column("summary", name(r))[0].any() for r in results for name, *rest in columns)


def curves(results, data, well):
    """The page of curves."""
    for r in results:
        for group in ("summary", "solver"):
            if group not in r.file:
                raise Fault("%s: has no /%s: the run has not ended, or output.summary is off" % (r.path, group))
    level = "W" if well else "F"

    def of(vector):
        return (lambda r: "%s%s:%s" % (level, vector, r.well(well))) if well else (lambda r: level + vector)

    figure = Figure(figsize=(11.5, 10.5))
    axes = figure.subplots(3, 2)
    produced = [(of("OPR"), "-", "oil produced"), (of("WPR"), "--", "water produced")]
    injected = [(of("WIR"), ":", "water injected")]
    if well:  # a well does one of the two, or both where the schedule makes it the other kind
        injector = all(r.injects(well) for r in results)
        produced = produced if not injector or does(results, produced) else []
        injected = injected if injector or does(results, injected) else []
    draw_summary(axes[0, 0], results, data, produced + injected, "rates" if produced else "water injected", True)
    if produced:
        draw_summary(axes[0, 1], results, data, [(of("WCT"), "-", "")], "water cut", False)
    else:
        draw_summary(axes[0, 1], results, data, [(of("WIT"), ":", "")], "water injected in all", False)
    pressure = of("BHP") if well else of("PR")
    draw_summary(axes[1, 0], results, data, [(pressure, "-", "")],
                 "bottom-hole pressure" if well else "average pressure", False)
    draw_solver(axes[1, 1], results, lambda r: r.column("solver", "newton")[0], "Newton iterations a time step", "newton")
    draw_solver(axes[2, 0], results, linear_per_newton, "linear iterations a Newton iteration", "linear")
    draw_seconds(axes[2, 1], results)
    unit = results[0].column("summary", "TIME")[1]
    same_unit(results, "summary", "TIME")
    for a in axes.flat[:5]:
        a.set_xlabel("time [%s]" % unit)
        a.grid(color="0.9")
        a.set_axisbelow(True)
    handles = [Line2D([], [], color=COLOURS[n % len(COLOURS)], label=r.name) for n, r in enumerate(results)]
    for n, d in enumerate(data):
        if not d.used:
            raise Fault("%s: none of its columns is drawn (%s)" % (d.path, ", ".join(d.columns)), 2)
        handles.append(Line2D([], [], linestyle="", marker=MARKERS[n % len(MARKERS)], color="black",
                                     markerfacecolor="none", label=d.name))
    title = results[0].file.attrs.get("title", "") if len(results) == 1 else ""
    figure.suptitle(" - ".join(t for t in (title, "well " + well if well else "") if t) or None)
    figure.legend(handles=handles, loc="lower center", ncol=4, fontsize=9, frameon=False)
    rows = (len(handles) + 3) // 4
    figure.subplots_adjust(left=0.07, right=0.985, top=0.95, bottom=0.065 + 0.019 * rows, hspace=0.25, wspace=0.2)
    return figure


# ---- a map ----------------------------------------------------------------------------------------


def read_array(r, array, time):
    """([nz][ny][nx], unit, words for the title)"""
    f = r.file
    if "static" in f and array in f["static"]:
        return f["static"][array][:].astype(float), f["static"][array].attrs.get("unit", ""), array
    if array not in FIELDS:
        known = list(FIELDS) + (sorted(f["static"]) if "static" in f else [])
        raise Fault("%s: has no array '%s'; there are %s" % (r.path, array, ", ".join(known)), 2)
    times = f["time"][:] / f.attrs["time_factor"]
    if len(times) == 0:
        raise Fault("%s: holds no report step: output.fields is off" % r.path, 2)
    n = len(times) - 1 if time is None else int(numpy.argmin(abs(times - time)))
    unit = f.attrs["time_unit"]
    if time is not None and abs(times[n] - time) > 1e-6 * max(1.0, abs(time)):
        print("No report at %g %s: this is the nearest, %g %s" % (time, unit, times[n], unit))
    step = "steps/%06d" % f["step"][n]
    if step not in f:
        raise Fault("%s: the file of report step %d is missing" % (r.path, f["step"][n]))
    values = f[step + "/" + array][:].astype(float)
    if array != "pressure":
        return values, "", "%s at %g %s" % (array, times[n], unit)
    label, factor = PRESSURE.get(f.attrs["units"], ("Pa", 1.0))
    return values / factor, label, "pressure at %g %s" % (times[n], unit)


def corners(r, layer, length):
    """x and y [ny+1][nx+1] of the cells' corners on top of a layer, in a unit of `length` metres."""
    grid = r.file["grid"]
    if "nodes" in grid:
        return grid["nodes"][layer, :, :, 0] / length, grid["nodes"][layer, :, :, 1] / length
    return numpy.meshgrid(grid["x"][:] / length, grid["y"][:] / length)


def draw_wells(axes, r, length):
    """Each well where its path begins, its path if it leaves the vertical."""
    for group in r.file["wells"].values():
        path, injector = group["path"][:] / length, group.attrs["type"] == "injector"
        colour = "#1f4fd8" if injector else "black"
        axes.plot(path[:, 0], path[:, 1], color=colour, linewidth=1.2)
        head, = axes.plot(path[0, 0], path[0, 1], "v" if injector else "o", color=colour, markeredgecolor="white",
                          markersize=7)
        head.set_gid("well " + group.attrs["name"])
        axes.annotate(group.attrs["name"], path[0, :2], xytext=(5, 5), textcoords="offset points", fontsize=8,
                      color=colour, bbox={"facecolor": "white", "alpha": 0.75, "edgecolor": "none", "pad": 1.0})


def make_map(r, array, layer, time):
    for group in ("grid", "static", "wells"):
        if group not in r.file:
            raise Fault("%s: its grid file is missing" % r.path)
    values, unit, words = read_array(r, array, time)
    if not 1 <= layer <= values.shape[0]:
        raise Fault("--layer %d: the grid has layers 1 to %d" % (layer, values.shape[0]), 2)
    shown = numpy.ma.masked_where(r.file["grid/active"][layer - 1] == 0, values[layer - 1])
    if shown.count() == 0:
        raise Fault("--layer %d: no cell of it is active" % layer, 2)
    wide = array.startswith("perm") and shown.min() > 0.0 and shown.max() > 10.0 * shown.min()
    label, length = LENGTH.get(r.file.attrs["units"], ("m", 1.0))
    x, y = corners(r, layer - 1, length)
    span = (numpy.ptp(x), numpy.ptp(y))
    equal = max(span) <= 8.0 * min(span)
    # as high as the map, so that the colour bar does not stand above it
    height = min(max(6.6 * span[1] / span[0] + 1.1, 2.6), 8.5) if equal else 7.0
    figure = Figure(figsize=(8.5, height), constrained_layout=True)
    axes = figure.subplots()
    mesh = axes.pcolormesh(x, y, shown, cmap="viridis", norm=colors.LogNorm() if wide else None,
                           rasterized=shown.size > RASTER)
    mesh.set_gid("map")
    figure.colorbar(mesh, ax=axes, label=array + (" [%s]" % unit if unit else ""))
    draw_wells(axes, r, length)
    if equal:
        axes.set_aspect("equal")
    axes.set_xlabel("x [%s], along i" % label)
    axes.set_ylabel("y [%s], along j" % label)
    title = r.file.attrs.get("title", "")
    axes.set_title("%s%s, layer %d of %d" % (title + "\n" if title else "", words, layer, values.shape[0]), fontsize=11)
    return figure


# ---- the program ------------------------------------------------------------------------------------


def save(figure, path):
    """The same bytes for the same picture: no dates in it."""
    kind = os.path.splitext(path)[1].lower()
    nothing = {".pdf": {"CreationDate": None}, ".svg": {"Date": None}}
    try:
        figure.savefig(path, dpi=130, metadata=nothing.get(kind))
    except OSError as error:
        raise Fault("%s: cannot be written: %s" % (path, error.strerror or error)) from None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("results", nargs="+")
    parser.add_argument("-o", "--output", required=True)
    parser.add_argument("--well")
    parser.add_argument("--data", action="append", default=[])
    parser.add_argument("--map")
    parser.add_argument("--layer", type=int, default=1)
    parser.add_argument("--time", type=float)
    a = parser.parse_args()
    matplotlib.rcParams.update({"svg.hashsalt": "hepta", "path.simplify": False, "svg.fonttype": "none", "font.size": 9})
    try:
        results = [Result(path) for path in a.results]
        names = [r.name for r in results]
        for r in results:  # results of the same name in several folders
            if names.count(r.name) > 1:
                r.name = re.sub(r"\.h5$", "", r.path)
        figure = make_map(results[0], a.map, a.layer, a.time) if a.map else curves(results, [Data(p) for p in a.data], a.well)
        save(figure, a.output)
    except Fault as fault:
        print("hepta: %s" % fault, file=sys.stderr)
        return fault.code
    except (KeyError, OSError, ValueError) as error:
        print("hepta: %s: is damaged or incomplete: %s" % (a.results[0], error), file=sys.stderr)
        return 2
    print("wrote " + a.output)
    return 0


if __name__ == "__main__":
    sys.exit(main())
