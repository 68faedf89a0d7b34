"""Pictures of hepta's results; `hepta plot` (sim/commands/plot.c) starts this with checked options.

    plot.py [-o OUT] [--well NAME | --vector LIST] [--data FILE.csv]... RESULT.h5...
    plot.py [-o OUT] --map ARRAY [--layer K | --i I | --j J] [--time T] RESULT.h5

Exit codes: 0 done, 1 a file cannot be read or drawn, 2 what was asked for is not there; 69 no h5py, 70 no matplotlib.
"""
import argparse
import csv
import datetime
import fnmatch
import os
import re
import sys
import textwrap
import warnings

try:
    import h5py
    import numpy
except ImportError:
    sys.exit(69)
try:
    import matplotlib
    from matplotlib import collections, colors, dates, ticker
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D
except ImportError:
    sys.exit(70)

# Of results, and of wells where they are many: after the last colour they come again with other dashes and with markers
COLOURS = ["#0067b1", "#c8500a", "#00805c", "#a2388a", "#8a6d00", "#6d4bd1", "#b3202c", "#4b5563", "#0a8a9f", "#7a4a1f"]
DASHES = ["-", (0, (6, 2)), (0, (2, 1.5)), (0, (8, 2, 2, 2)), (0, (8, 2, 2, 2, 2, 2)), (0, (1, 1))]
MARKS = "oDs^vP*X"
MARKERS = "osD^v<>P"  # of data
OIL, WATER, LIQUID, INJECTED = "#1a7f37", "#1f6fd0", "#6b5b4b", "#8e3fb0"
SECONDS = [("setup", "linear setup", "#0067b1"), ("solve", "linear solve", "#7a5bc7"),
           ("assembly", "properties and assembly", "#d98200"), ("wells", "wells", "#00805c"), ("output", "output", "#9aa3ad")]
RASTER = 50000  # cells of a map beyond which a vector picture holds an image
FIELDS = ("sw", "so", "pressure")
WORDS = {"sw": "water saturation", "so": "oil saturation", "pore_volume": "pore volume", "ntg": "net to gross",
         "permx": "permeability along i", "permy": "permeability along j", "permz": "permeability along k"}
# The deck's units of pressure and length in SI, for maps: the files are in Pa and m
PRESSURE = {"metric": ("bar", 1e5), "field": ("psi", 6894.757293168361), "lab": ("atm", 101325.0), "si": ("Pa", 1.0)}
LENGTH = {"metric": ("m", 1.0), "field": ("ft", 0.3048), "lab": ("cm", 0.01), "si": ("m", 1.0)}


def shown(text):
    """Text of files without control characters, overrides of direction and bytes that are no UTF-8, as core/show.c does."""
    return "".join(c if c.isprintable() else c.encode("ascii", "backslashreplace").decode()
                   if ord(c) > 126 else "\\x%02x" % ord(c) for c in str(text))


class Fault(Exception):
    """A failure that ends the program, with its exit code."""

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

    def start(self):
        """The date of time zero, None: the deck gives none."""
        text = self.file.attrs.get("start", "")
        for form in ("%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M:%S", "%Y-%m-%d"):
            try:
                return datetime.datetime.strptime(text, form)
            except ValueError:
                pass
        return None

    def column(self, group, name):
        """(values, unit)"""
        if group not in self.file or name not in self.file[group]:
            raise Fault("%s: has no /%s/%s: the run has not ended, or output.summary is off" % (self.path, group, name))
        data = self.file[group][name]
        return data[:].astype(float), shown(data.attrs.get("unit", ""))

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
            return text  # reported only if the column is drawn

    def column(self, name, unit):
        """Values in `unit`, the result's, or None."""
        if name not in self.columns:
            return None
        values, own = self.columns[name]
        if own is not None and own.upper() != unit.upper():
            raise Fault("%s: %s is in [%s], the results are in [%s]" % (self.path, name, own, unit), 2)
        for line, value in enumerate(values):
            if isinstance(value, str):
                raise Fault("%s:%d: %s: '%s' is not a number" % (self.path, line + 2, name, value), 2)
        return numpy.array(values)


# ---- texts -----------------------------------------------------------------------------------


def plain(text):
    """A text of a deck as it stands: without control characters, and no formula."""
    text = "".join(c if c.isprintable() else " " for c in text)
    return text if "text.parse_math" in matplotlib.rcParams else text.replace("$", r"\$")


def shorten(text, length):
    return text if len(text) <= length else text[:length - 1] + "\u2026"


def add_title(figure, first, second, letters):
    """The title: field and time; below it the deck's title. Lines break so that nothing is cut. Returns the height of all [inch]."""
    lines = textwrap.wrap(plain(first), letters) or [""]
    more = textwrap.wrap(plain(second), int(1.15 * letters))[:3]
    height = figure.get_size_inches()[1]
    top = 0.09
    for text, size, weight in [(t, 11, "bold") for t in lines] + [(t, 9.5, "normal") for t in more]:
        figure.text(0.5, 1.0 - top / height, text, ha="center", va="top", fontsize=size, fontweight=weight)
        top += 0.0195 * size
    return top


def add_legend(where, handles, labels, **keywords):
    """Names may begin with an underscore, which would keep them out."""
    legend = where.legend(handles, ["x" * min(len(label), 60) for label in labels], **keywords)
    for text, label in zip(legend.get_texts(), labels):
        text.set_text(plain(label))
    return legend


# ---- curves ---------------------------------------------------------------------------------


class Clock:
    """Times as they stand on the axes: dates where all decks begin at the same one."""

    def __init__(self, results):
        self.unit = same_unit(results, "summary", "TIME")
        self.factor = float(results[0].file.attrs["time_factor"]) / 86400.0
        starts = {r.start() for r in results}
        self.start = starts.pop() if len(starts) == 1 else None
        self.last = max(r.column("summary", "TIME")[0].max(initial=0.0) for r in results)
        if self.start is not None and self.last * self.factor > 365.25 * (9990 - self.start.year):
            self.start = None  # matplotlib's dates end with the year 9999

    def places(self, times):
        return times if self.start is None else dates.date2num(self.start) + self.factor * times

    def date(self, time):
        return (self.start + datetime.timedelta(days=self.factor * time)).strftime("%Y-%m-%d")

    def words(self):
        text = "0 to %.6g %s" % (self.last, self.unit.lower())
        return text if self.start is None else "%s, %s to %s" % (text, self.date(0.0), self.date(self.last))

    def finish(self, axes):
        axes.grid(color="0.9")
        axes.set_axisbelow(True)
        if self.start is None:
            axes.set_xlabel("time [%s]" % self.unit)
            return
        locator = dates.AutoDateLocator(minticks=3, maxticks=6)
        axes.xaxis.set_major_locator(locator)
        axes.xaxis.set_major_formatter(dates.ConciseDateFormatter(locator))
        axes.set_xlabel("date (time 0 is %s)" % self.date(0.0))


def same_unit(results, group, name):
    """The unit that all results have the column in."""
    units = {r.column(group, name)[1] for r in results}
    if len(units) > 1:
        raise Fault("%s is in different units: %s" % (name, ", ".join(sorted(units))), 2)
    return units.pop()


def style(n, count, colour=None, marks_after=len(DASHES)):
    """Of the n-th of so many results or curves: dashes, and markers when these begin again."""
    out = {"color": colour or COLOURS[n % len(COLOURS)], "linestyle": DASHES[n % len(DASHES)],
           "linewidth": 1.6 if n == 0 or count > 6 else 1.3}
    if n >= marks_after:
        out.update(marker=MARKS[(n // marks_after - 1) % len(MARKS)], markersize=4.5, markevery=(n % 7 / 70.0, 0.1))
    return out


def of_many(n):
    """Of the n-th of many curves of one kind: ten colours, then dashes and markers with them."""
    turn = n // len(COLOURS)
    out = {"color": COLOURS[n % len(COLOURS)], "linestyle": DASHES[turn % len(DASHES)], "linewidth": 1.4}
    if turn > 0:
        out.update(marker=MARKS[(turn - 1) % len(MARKS)], markersize=4.5, markevery=(n % 7 / 70.0, 0.1))
    return out


def is_rate(column):
    """Whether a column of the summary holds for its time step: rates and what is made of them."""
    return re.match(r"[A-Z](([OWLV][PI])R|WCT)(:|$)", column) is not None


def draw_column(axes, clock, r, column, gid, how):
    """A rate holds for its time step; all else changes within it."""
    time, values = r.column("summary", "TIME")[0], r.column("summary", column)[0]
    if is_rate(column) and len(time) > 0:
        time, values = numpy.append(0.0, time), numpy.append(values[0], values)
        how = dict(how, drawstyle="steps-pre")
    line, = axes.plot(clock.places(time), values, **how)
    line.set_gid("%s of %s" % (gid, r.name))
    return line


def draw_data(axes, clock, results, data, column, unit, colour):
    name = columns_name(column, results[0])
    for n, d in enumerate(data):
        values = d.column(name, unit)
        if values is None:
            continue
        points, = axes.plot(clock.places(d.column("TIME", clock.unit)), values, MARKERS[n % len(MARKERS)], color=colour,
                            markerfacecolor="none", markersize=4.5)
        points.set_gid("%s of %s" % (name, d.name))
        d.used = True


def draw_summary(axes, clock, results, data, columns, label):
    """columns: [(column of a result, colour, words)]: the colours are of phases, the dashes of results."""
    for name, colour, words in columns:
        unit = same_unit(results, "summary", name(results[0]))
        for n, r in enumerate(results):
            draw_column(axes, clock, r, name(r), name(r), style(n, len(results), colour))
        draw_data(axes, clock, results, data, name(results[0]), unit, colour if len(columns) > 1 else "black")
    unit = same_unit(results, "summary", columns[0][0](results[0]))
    axes.set_ylabel(label + (" [%s]" % unit if unit else ""))
    axes.yaxis.set_major_formatter(ticker.ScalarFormatter(useOffset=False))
    if len(columns) > 1:
        add_legend(axes, [Line2D([], [], color=colour) for name, colour, words in columns],
                   [words for name, colour, words in columns], fontsize=8, frameon=True, framealpha=0.7, edgecolor="none")
    clock.finish(axes)


def columns_name(column, result):
    """The name of a column as people write it: that of a well with a / in it stands in an attribute."""
    return shown(result.file["summary"][column].attrs.get("name", column))


def draw_solver(axes, clock, results, value, label, gid):
    for n, r in enumerate(results):
        time, y = r.column("solver", "time")[0], value(r)
        line, = axes.plot(clock.places(time), y, drawstyle="steps-pre", **style(n, len(results)))
        line.set_gid("%s of %s" % (gid, r.name))
    axes.set_ylabel(label)
    axes.set_ylim(0, 1.08 * max(max(value(r), default=1.0) for r in results))
    clock.finish(axes)


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
    many = len(results) > 24
    axes.set_yticks([] if many else range(len(results)), [] if many else [plain(shorten(r.name, 16)) for r in results],
                    fontsize=8 if len(results) < 12 else 6)
    axes.set_ylabel("results, in their order" if many else "")
    axes.invert_yaxis()
    axes.set_xlabel("seconds of the time steps")
    axes.set_ylim(len(results) * 1.45 + 0.3, -0.7)
    axes.legend(fontsize=7.5, ncol=3, frameon=False, loc="lower center", columnspacing=1.0)


def does(results, columns):
    """Whether one of the columns is ever anything but 0."""
    return any(r.column("summary", name(r))[0].any() for r in results for name, *rest in columns)


def recovery(r):
    """The column of recovery, or oil produced less injected over what was in place; None where nobody knows that."""
    if "FOE" in r.file["summary"]:
        return r.column("summary", "FOE")[0]
    at_start = r.file.attrs.get("oil_at_start", 0.0)
    if not at_start > 0.0:
        return None
    return (r.column("summary", "FOPT")[0] - r.column("summary", "FOIT")[0]) / at_start


def draw_recovery(axes, clock, results):
    for n, r in enumerate(results):
        values = recovery(r)
        if values is not None:
            line, = axes.plot(clock.places(r.column("summary", "TIME")[0]), values, **style(n, len(results), OIL))
            line.set_gid("recovery of %s" % r.name)
    axes.set_ylabel("recovery, of the oil at the start")
    clock.finish(axes)


def name_results(figure, results, data):
    """The legend of the page below it; returns its height [inch]."""
    handles = [Line2D([], [], **{k: v for k, v in style(n, len(results)).items() if k != "markevery"})
               for n in range(len(results))] if len(results) > 1 else []
    labels = [shorten(r.name, 60) for r in results] if len(results) > 1 else []
    for n, d in enumerate(data):
        if not d.used:
            raise Fault("%s: none of its columns is drawn (%s)" % (d.path, ", ".join(d.columns)), 2)
        handles.append(Line2D([], [], linestyle="", marker=MARKERS[n % len(MARKERS)], color="black",
                              markerfacecolor="none"))
        labels.append(shorten(d.name, 60))
    if not handles:
        return 0.0
    columns = max(1, min(5, 118 // (max(len(label) for label in labels) + 8)))
    add_legend(figure, handles, labels, loc="lower center", ncol=columns, fontsize=8.5, frameon=False, handlelength=3.5)
    return 0.1 + 0.19 * ((len(handles) + columns - 1) // columns)


WIDTH, ROW = 11.5, 3.1  # [inch] of a page of curves, of a row of it
BESIDE = 8              # curves; the names of more stand beside the axes


def page(widths, heights=None):
    """A figure with axes in two columns: of each its width, 1, or 2 for a row of its own, and what its row needs at least
    [inch]. [(axes, room beside them)]"""
    places, rows, column = [], [ROW], 0
    for n, width in enumerate(widths):
        if column + width > 2:
            rows, column = rows + [ROW], 0
        rows[-1] = max(rows[-1], heights[n] if heights is not None else ROW)
        places.append((len(rows) - 1, column))
        column += width
    figure = Figure(figsize=(WIDTH, sum(rows) + 1.2))
    FigureCanvasAgg(figure)
    grid, out = figure.add_gridspec(len(rows), 40, height_ratios=rows), []
    for width, (y, x) in zip(widths, places):
        if width == 1:
            out.append((figure.add_subplot(grid[y, 0:18] if x == 0 else grid[y, 22:40]), None))
            continue
        beside = figure.add_subplot(grid[y, 25:40])
        beside.set_axis_off()
        out.append((figure.add_subplot(grid[y, 0:24]), beside))
    return figure, out


def finish_page(figure, results, data, clock, what):
    names = results[0].name if len(results) == 1 else "%d results" % len(results)
    title = shown(results[0].file.attrs.get("title", "")) if len(results) == 1 else ""
    height = figure.get_size_inches()[1]
    top = add_title(figure, "%s, %s" % (what % names, clock.words()), title, 95)
    below = name_results(figure, results, data)
    figure.subplots_adjust(left=0.075, right=0.985, top=1.0 - (top + 0.12) / height, bottom=(below + 0.5) / height,
                           hspace=0.3, wspace=0.0)
    return figure


def check_tables(results):
    for r in results:
        for group in ("summary", "solver"):
            if group not in r.file:
                raise Fault("%s: has no /%s: the run has not ended, or output.summary is off" % (r.path, group))


def curves(results, data, well):
    """The page of curves."""
    check_tables(results)
    level = "W" if well else "F"

    def of(vector):
        return (lambda r: "%s%s:%s" % (level, vector, r.well(well))) if well else (lambda r: level + vector)

    produced = [(of("OPR"), OIL, "oil produced"), (of("WPR"), WATER, "water produced")]
    injected = [(of("WIR"), INJECTED, "water injected")]
    totals = [(of("OPT"), OIL, "oil produced"), (of("WPT"), WATER, "water produced")]
    put_in = [(of("WIT"), INJECTED, "water injected")]
    oil_in = [(of("OIR"), LIQUID, "oil injected")]
    if does(results, oil_in):
        injected, put_in = injected + oil_in, put_in + [(of("OIT"), LIQUID, "oil injected")]
    if well:  # a well does one of the two, or both where the schedule makes it the other kind
        injector = all(r.injects(well) for r in results)
        if injector and not does(results, produced):
            produced = totals = []
        if not injector and not does(results, injected):
            injected = put_in = []
    clock = Clock(results)
    water_cut = (of("WCT"), WATER, "")
    pressure = (of("BHP") if well else of("PR"), "#333333", "")
    panels = [lambda a: draw_summary(a, clock, results, data, produced + injected, "rates" if produced else "water injected"),
              lambda a: draw_summary(a, clock, results, data, totals + put_in, "totals" if produced else "water injected in all")]
    if produced:
        panels.append(lambda a: draw_summary(a, clock, results, data, [water_cut], "water cut"))
    if not well and any(recovery(r) is not None for r in results):
        panels.append(lambda a: draw_recovery(a, clock, results))
    panels.append(lambda a: draw_summary(a, clock, results, data, [pressure],
                                         "bottom-hole pressure" if well else "average pressure"))
    panels.append(lambda a: draw_solver(a, clock, results, lambda r: r.column("solver", "newton")[0],
                                        "Newton iterations per time step", "newton"))
    panels.append(lambda a: draw_solver(a, clock, results, linear_per_newton, "linear per Newton iteration", "linear"))
    panels.append(lambda a: draw_seconds(a, results))
    figure, axes = page([1] * len(panels))
    for draw, (a, beside) in zip(panels, axes):
        draw(a)
    return finish_page(figure, results, data, clock, "%s" + (": well " + well if well else ""))


# ---- columns that are asked for --------------------------------------------------------------


def phase_colour(kind):
    """Of a column's name without what it is of: oil, water, injection."""
    if re.match(r"[A-Z][OWV]I", kind) and kind[2:] != "IP":
        return INJECTED
    if re.match(r"[A-Z](O[PEI]|OE)", kind):
        return OIL
    return WATER if re.match(r"[A-Z]W(P|CT|I)", kind) else "#333333"


def find_columns(results, wanted):
    """{kind: [columns]}, in the order asked for; a pattern stands for all columns that it fits."""
    there = {}
    for r in results:
        for column in r.file["summary"]:
            there.setdefault(columns_name(column, r), []).append((r, column))
    out = {}
    for pattern in (w.strip() for w in wanted.split(",")):
        found = [c for c in sorted(there, key=natural) if c == pattern] or [
            c for c in sorted(there, key=natural) if c != "TIME" and not c.startswith("WMCTL:") and
            fnmatch.fnmatchcase(c, pattern)]
        if not found or pattern == "TIME":
            kinds = sorted({c.split(":")[0] for c in there} - {"TIME", "WMCTL"})
            raise Fault("--vector: '%s' fits no column of the summary; there are %s, those of wells with :NAME" % (
                pattern, " ".join(kinds)), 2)
        for column in found:
            if any(r.file["summary"][own].dtype.kind not in "fiu" for r, own in there[column]):
                raise Fault("--vector: %s holds texts" % column, 2)
            same = out.setdefault(column.split(":")[0], [])
            if column not in same:
                same.append(column)
    return out, there


def natural(name):
    return [int(p) if p.isdigit() else p for p in re.split(r"(\d+)", name)]


def name_curve(kind, column, r, results, columns):
    return shorten(column[len(kind) + 1:] or r.name, 32) + (
        ", " + shorten(r.name, 28) if len(results) > 1 and len(columns) > 1 else "")


def legend_beside(labels):
    """(size of letters, columns, height [inch]) of the names of many curves, such that they have room beside the axes."""
    longest = max(len(label) for label in labels)
    for size in (8, 6.5, 5.5):
        columns = max(1, int(3.9 * 72 / (size * (0.62 * longest + 6.0))))
        height = -(-len(labels) // columns) * 1.75 * size / 72
        if height <= ROW - 0.7:
            break
    return size, min(columns, -(-len(labels) // 14)) if height <= ROW - 0.7 else columns, height


def vectors(results, data, wanted):
    """A page with axes for each kind of column."""
    check_tables(results)
    clock = Clock(results)
    kinds, there = find_columns(results, wanted)
    many = {kind: sum(len(there[c]) for c in columns) > BESIDE for kind, columns in kinds.items()}
    names = {kind: [name_curve(kind, c, r, results, columns) for c in columns for r, own in there[c]]
             for kind, columns in kinds.items()}
    figure, axes = page([2 if many[kind] else 1 for kind in kinds],
                        [legend_beside(names[kind])[2] + 0.7 if many[kind] else ROW for kind in kinds])
    for (a, beside), (kind, columns) in zip(axes, kinds.items()):
        units = {r.column("summary", own)[1] for c in columns for r, own in there[c]}
        if len(units) > 1:
            raise Fault("%s is in different units: %s" % (kind, ", ".join(sorted(units))), 2)
        unit, handles, labels = units.pop(), [], names[kind]
        for column in columns:
            for r, own in there[column]:
                how = of_many(len(handles)) if len(columns) > 1 else style(results.index(r), len(results), phase_colour(kind))
                line = draw_column(a, clock, r, own, column, how)
                handles.append(line)
            draw_data(a, clock, [there[column][0][0]], data, there[column][0][1], unit, "black")
        a.set_ylabel(kind + (" [%s]" % unit if unit else ""))
        a.yaxis.set_major_formatter(ticker.ScalarFormatter(useOffset=False))
        if many[kind]:
            letters, across, _ = legend_beside(labels)
            add_legend(beside, handles, labels, fontsize=letters, ncol=across, frameon=False, handlelength=3.0,
                       loc="upper left", borderaxespad=0.0)
        elif len(columns) > 1:
            add_legend(a, handles, labels, fontsize=7.5, framealpha=0.6, edgecolor="none", handlelength=2.6, loc="best")
        elif ":" in columns[0]:
            a.set_title(plain(shorten(columns[0], 60)), fontsize=9)
        clock.finish(a)
    return finish_page(figure, results, data, clock, "%s")


# ---- maps and sections -------------------------------------------------------------------------------


def read_array(r, array, time):
    """([nz][ny][nx], unit, when: "400 day", or "")"""
    f = r.file
    if "static" in f and array in f["static"]:
        return f["static"][array][:].astype(float), shown(f["static"][array].attrs.get("unit", "")), ""
    if array not in FIELDS:
        known = list(FIELDS) + (sorted(f["static"]) if "static" in f else [])
        raise Fault("%s: has no array '%s'; there are %s" % (r.path, array, ", ".join(known)), 2)
    times = f["time"][:] / f.attrs["time_factor"]
    if len(times) == 0:
        raise Fault("%s: holds no report step: output.fields is off" % r.path, 2)
    n = len(times) - 1 if time is None else int(numpy.argmin(abs(times - time)))
    unit = shown(f.attrs["time_unit"])
    if time is not None and abs(times[n] - time) > 1e-6 * max(1.0, abs(time)):
        there = ["%.6g" % t for t in times]
        print("No report at %g %s: this is the nearest, %g %s; there are %s" % (
            time, shown(unit), times[n], shown(unit), " ".join(there if len(there) <= 24 else there[:12] + ["..."] + there[-11:])))
    step = "steps/%06d" % f["step"][n]
    if step not in f:
        raise Fault("%s: the file of report step %d is missing" % (r.path, f["step"][n]))
    values = f[step + "/" + array][:].astype(float)
    when = "%g %s" % (times[n], unit)
    if array != "pressure":
        return values, "", when
    label, factor = PRESSURE.get(f.attrs["units"], ("Pa", 1.0))
    return values / factor, label, when


def read_nodes(r, length):
    """x, y, z [nz+1][ny+1][nx+1] in a unit of `length` metres, z upwards."""
    grid = r.file["grid"]
    up = 1.0 if grid.attrs.get("positive") == "up" else -1.0  # earlier versions: z is depth
    if "nodes" in grid:
        nodes = grid["nodes"][:] / length
        return nodes[..., 0], nodes[..., 1], up * nodes[..., 2]
    z, y, x = numpy.meshgrid(*(grid[a][:] / length for a in "zyx"), indexing="ij")
    return x, y, up * z


def read_cells(r, length):
    """x, y, z [nz][ny][nx][8][3] in a unit of `length` metres, z upwards, of grids whose cells have nodes of their own, as
    faulted ones; None for others. The first four nodes are one of a cell's faces along k, the others the other one, each
    as (i, j), (i+1, j), (i+1, j+1), (i, j+1)."""
    grid = r.file["grid"]
    if "nodes" not in grid or grid["nodes"].ndim != 2:
        return None
    return (grid["nodes"][:] / length)[grid["cells"][:]]


def plural(when):
    """As words: "400 days" of "400 day"; units of one letter stay."""
    return when if when.startswith("1 ") or len(when.split()[-1]) == 1 else when + "s"


def fault_traces(top, active):
    """Edges between active neighbours of a layer whose corners do not meet; top [ny][nx][4][3]."""
    traces = []
    for one, other, ends in ((numpy.s_[:, :-1], numpy.s_[:, 1:], ((1, 0), (2, 3))), (numpy.s_[:-1], numpy.s_[1:], ((3, 0), (2, 1)))):
        both = active[one] & active[other]
        apart = numpy.maximum(*(abs(top[one][:, :, a, 2] - top[other][:, :, b, 2]) for a, b in ends))
        broken = both & (apart > 1e-6 * max(1.0, abs(top[..., 2]).max()))
        traces += list(top[one][broken][:, [a for a, b in ends], :2])
    return traces


class Plane:
    """A layer seen from above, or the cells of one i or j seen from the side: corners of the cells, their values, and
    where wells are. across, up: what spans the picture; follows: whether x changes along i, and y along j."""

    def __init__(self, r, axis, number, length):
        self.axis, self.number, self.axes = axis, number, {"k": 0, "j": 1, "i": 2}[axis]
        self.polygons, self.traces = None, []
        cells = read_cells(r, length)
        if cells is None:
            self.of_lattice(number - 1, *read_nodes(r, length))
        else:
            self.of_cells(cells, r.file["grid/active"][:] != 0)

    def of_cells(self, cells, active):
        """Of cells with nodes of their own: a polygon each, and the faults of a layer."""
        flat = self.layer(cells)  # [rows][columns][8][3]
        first, last = flat[:, :, :4], flat[:, :, 4:]
        there = self.layer(active)
        if self.axis == "k":
            top = numpy.where((first[..., 2].mean(axis=2) > last[..., 2].mean(axis=2))[..., None, None], first, last)
            self.polygons = top[..., :2]
            self.traces = fault_traces(top, there)
            self.follows = top[0, 0, 0, 0] != top[0, -1, 1, 0], top[0, 0, 0, 1] != top[-1, 0, 3, 1]
        else:
            low, high = ((0, 3), (1, 2)) if self.axis == "j" else ((0, 1), (3, 2))
            ends = [part[:, :, list(side)].mean(axis=2) for part, side in ((first, low), (first, high), (last, high), (last, low))]
            corner = numpy.stack(ends, axis=2)  # [nz][columns][4][3]
            weight = there[..., None]
            left, right = (numpy.where(weight, corner[:, :, n, :2], 0.0).sum(axis=0) / numpy.maximum(1, weight.sum(axis=0)) for n in (0, 1))
            used = there.any(axis=0)
            own = 0 if self.axis == "j" else 1
            drift = numpy.concatenate([left[used, 1 - own], right[used, 1 - own]])
            straight = numpy.ptp(drift) < 1e-6 * max(numpy.ptp(corner[there][..., own]), 1e-30)
            steps = numpy.where(used, numpy.hypot(*(right - left).T), 0.0)
            start = numpy.append(0.0, numpy.cumsum(steps))
            across = corner[..., own]
            if not straight:
                across = numpy.broadcast_to(start[:-1][None, :, None] + steps[None, :, None] * numpy.array([0, 1, 1, 0]), across.shape)
            self.along = numpy.append(left[:, own], right[-1:, own]) if straight else start
            self.labels = ("x" if self.axis == "j" else "y") if straight else "distance"
            self.polygons = numpy.stack([across, -corner[..., 2]], axis=-1)
            count = numpy.maximum(1, active.sum(axis=0))[..., None]
            middle = numpy.where(active[..., None], cells[..., :2].mean(axis=3), 0.0).sum(axis=0) / count
            self.columns = numpy.where(active.any(axis=0)[..., None], middle, 1e30)
        self.across, self.up = self.polygons[there][..., 0], self.polygons[there][..., 1]

    def of_lattice(self, n, x, y, z):
        axis = self.axis
        if axis == "k":
            self.across, self.up = x[n], y[n]
            self.follows = x[n][0, 0] != x[n][0, -1], y[n][0, 0] != y[n][-1, 0]
        else:
            side = 1 if axis == "j" else 2
            middle = [numpy.take(a, [n, n + 1], axis=side).mean(axis=side) for a in (x, y, z)]
            steps = numpy.hypot(numpy.diff(middle[0].mean(axis=0)), numpy.diff(middle[1].mean(axis=0)))
            line = numpy.append(0.0, numpy.cumsum(steps))
            own = middle[0 if axis == "j" else 1].mean(axis=0)
            straight = numpy.ptp(middle[1 if axis == "j" else 0].mean(axis=0)) < 1e-6 * max(numpy.ptp(own), 1e-30)
            self.along = own if straight else line
            self.labels = ("x" if axis == "j" else "y") if straight else "distance"
            self.across, self.up = numpy.broadcast_to(self.along, middle[2].shape), -middle[2]
            centre = lambda a: 0.25 * (a[0, :-1, :-1] + a[0, 1:, :-1] + a[0, :-1, 1:] + a[0, 1:, 1:])
            self.columns = numpy.stack([centre(x), centre(y)], axis=-1)  # [ny][nx][2]

    def layer(self, values):
        return numpy.take(values, self.number - 1, axis=self.axes)

    def path(self, points):
        """The points of a well's path [n][3] on the plane, as drawn: [m][2]; of a section those in its cells only."""
        if self.axis == "k":
            return points[:, :2]
        off = numpy.linalg.norm(self.columns[None] - points[:, None, None, :2], axis=3)
        j, i = numpy.unravel_index(off.reshape(len(points), -1).argmin(axis=1), self.columns.shape[:2])
        inside = (j if self.axis == "j" else i) == self.number - 1
        at = i if self.axis == "j" else j
        middle = 0.5 * (self.along[1:] + self.along[:-1])
        exact = {"x": points[:, 0], "y": points[:, 1]}.get(self.labels, middle[at])
        return numpy.stack([exact, points[:, 2]], axis=1)[inside]


def draw_wells(axes, r, plane, length):
    """Each well where its path begins, its path if it leaves the vertical; returns [(name, place, colour)]."""
    labels = []
    up = 1.0 if r.file["grid"].attrs.get("positive") == "up" else -1.0
    for group in r.file["wells"].values():
        points, injector = group["path"][:] / length, group.attrs["type"] == "injector"
        if len(points) == 0:
            continue
        points[:, 2] *= -up  # depth
        path = plane.path(points)
        if len(path) == 0:
            continue
        colour = "#1f4fd8" if injector else "black"
        axes.plot(path[:, 0], path[:, 1], color=colour, linewidth=1.2, clip_on=plane.axis != "k")
        if plane.axis != "k":  # a path may begin above the cells
            path[0, 1] = max(path[0, 1], plane.up.min())
        head, = axes.plot(path[0, 0], path[0, 1], "v" if injector else "o", color=colour, markeredgecolor="white",
                          markersize=7, clip_on=False, zorder=4)
        head.set_gid("well " + shown(group.attrs["name"]))
        labels.append((shown(group.attrs["name"]), path[0], colour))
    return labels


def overlap(a, b):
    return max(0.0, min(a[2], b[2]) - max(a[0], b[0])) * max(0.0, min(a[3], b[3]) - max(a[1], b[1]))


def place_labels(figure, axes, labels):
    """Names beside their wells: each where it covers least of the names and marks before it and leaves the picture least,
    the farther ones with a line to the well."""
    figure.canvas.draw()
    renderer = figure.canvas.get_renderer()
    scale = figure.dpi / 72.0
    size = 8 if len(labels) <= 25 else 6.5
    page = [0, 0, figure.bbox.width, figure.bbox.height]
    marks = [axes.transData.transform(place) for name, place, colour in labels]
    taken = [[m[0] - 4 * scale, m[1] - 4 * scale, m[0] + 4 * scale, m[1] + 4 * scale] for m in marks]
    edge = axes.get_window_extent(renderer).extents
    taken.append([0, edge[3] + 2 * scale, page[2], page[3]])  # the titles
    for (name, place, colour), mark in zip(labels, marks):
        text = axes.annotate(plain(name), place, xytext=(0, 0), textcoords="offset points", fontsize=size, color=colour,
                             annotation_clip=False, zorder=5,
                             bbox={"facecolor": "white", "alpha": 0.75, "edgecolor": "none", "pad": 0.8})
        wide, high = text.get_window_extent(renderer).size + 2 * scale
        best = None
        for away in (5, 14, 26, 40, 60, 85):
            for right, above in ((1, 1), (1, -1), (-1, 1), (-1, -1), (0, 1), (0, -1), (1, 0), (-1, 0)):
                low = [mark[0] + (right * away * scale if right > 0 else -wide - away * scale if right < 0 else -wide / 2),
                       mark[1] + (above * away * scale if above > 0 else -high - away * scale if above < 0 else -high / 2)]
                box = [low[0], low[1], low[0] + wide, low[1] + high]
                outside = wide * high - overlap(box, edge)
                cut = wide * high - overlap(box, page)
                cost = sum(overlap(box, t) for t in taken) + 0.3 * outside + 20.0 * cut + 0.02 * away * high
                if best is None or cost < best[0]:
                    best = (cost, box, away)
        cost, box, away = best
        text.xyann = ((box[0] + scale - mark[0]) / scale, (box[1] + scale - mark[1]) / scale)
        if away > 14:
            axes.annotate("", place, xytext=((box[0] + wide / 2 - mark[0]) / scale, (box[1] + high / 2 - mark[1]) / scale),
                          textcoords="offset points", annotation_clip=False, zorder=3,
                          arrowprops={"arrowstyle": "-", "color": colour, "linewidth": 0.6})
        taken.append(box)


def colour_scale(shown, array):
    """(scale, ticks or None): one value everywhere stands in the middle of a scale around it."""
    low, high = float(shown.min()), float(shown.max())
    if high - low <= 1e-6 * max(abs(low), abs(high)):
        value = 0.5 * (low + high)
        if array in ("sw", "so"):
            return colors.Normalize(0.0, 1.0), None
        room = 0.5 * abs(value) if value != 0.0 else 1.0
        return colors.Normalize(value - room, value + room), [value]
    if array == "rank":
        return colors.Normalize(low, high), list(range(int(low), int(high) + 1, int((high - low) // 16) + 1))
    if array.startswith("perm") and low > 0.0 and high > 10.0 * low:
        return colors.LogNorm(low, high), None
    return colors.Normalize(low, high), None


def add_bar(figure, mesh, axes, label, ticks):
    bar = figure.colorbar(mesh, cax=axes)
    bar.set_label(label)
    if ticks is not None:
        bar.set_ticks(ticks)
        bar.set_ticklabels(["%.6g" % t for t in ticks])
    elif isinstance(mesh.norm, colors.LogNorm):
        short = mesh.norm.vmax / mesh.norm.vmin < 1e3
        bar.ax.yaxis.set_major_locator(ticker.LogLocator(subs=(1.0, 2.0, 5.0) if short else (1.0,)))
        bar.ax.yaxis.set_major_formatter(ticker.FuncFormatter(lambda v, place: "%.4g" % v))
        bar.ax.yaxis.set_minor_formatter(ticker.NullFormatter())
    else:
        bar.ax.yaxis.set_major_formatter(ticker.ScalarFormatter(useOffset=False))


def map_frame(span, equal, top):
    """(size of the page, axes, colour bar in parts of it): as high as the map, within bounds; nothing is cut."""
    left, right, below = 0.95, 1.75, 0.75  # [inch]
    if equal:
        width = 6.2
        height = width * span[1] / span[0]
        if height > 7.0:
            width, height = 7.0 * span[0] / span[1], 7.0
        wide = max(width, 4.6)
    else:
        width, height, wide = 6.6, 5.0, 6.6
    tall = max(height, 1.6)
    page = (left + wide + right, below + tall + top)
    axes = [(left + 0.5 * (wide - width)) / page[0], (below + 0.5 * (tall - height)) / page[1], width / page[0],
            height / page[1]]
    bar = [(left + wide + 0.3) / page[0], below / page[1], 0.22 / page[0], tall / page[1]]
    return page, axes, bar


def make_map(r, array, axis, number, time):
    """(figure, what stands in the name of its file)"""
    for group in ("grid", "static", "wells"):
        if group not in r.file:
            raise Fault("%s: its grid file is missing" % r.path)
    values, unit, when = read_array(r, array, time)
    side = {"k": 0, "j": 1, "i": 2}[axis]
    option, word = ("--layer", "layer") if axis == "k" else ("--" + axis, axis)
    if not 1 <= number <= values.shape[side]:
        raise Fault("%s %d: the grid has %s 1 to %d" % (option, number, "layers" if axis == "k" else axis + " from",
                                                       values.shape[side]), 2)
    label, length = LENGTH.get(r.file.attrs["units"], ("m", 1.0))
    plane = Plane(r, axis, number, length)
    visible = numpy.ma.masked_where(plane.layer(r.file["grid/active"][:]) == 0, plane.layer(values))
    if visible.count() == 0:
        raise Fault("%s %d: no cell of it is active" % (option, number), 2)
    norm, ticks = colour_scale(visible, array)
    span = (max(numpy.ptp(plane.across), 1e-30), max(numpy.ptp(plane.up), 1e-30))
    equal = axis == "k" and max(span) <= 8.0 * min(span)
    title = shown(r.file.attrs.get("title", ""))
    words = "%s%s, %s %d of %d" % (WORDS.get(array, array), " at " + plural(when) if when else "", word, number,
                                   values.shape[side])
    # twice: the height of the titles is known when they are wrapped
    figure = Figure(figsize=(8.9, 7.0))
    top = add_title(figure, "%s: %s" % (r.name, words), title, 78) + 0.12
    size, place, bar = map_frame(span, equal, top)
    figure = Figure(figsize=size, dpi=DPI)
    FigureCanvasAgg(figure)
    add_title(figure, "%s: %s" % (r.name, words), title, int(78 * size[0] / 8.9))
    axes = figure.add_axes(place)
    if plane.polygons is None:
        mesh = axes.pcolormesh(plane.across, plane.up, visible, cmap="viridis", norm=norm, rasterized=visible.size > RASTER)
    else:
        there = ~numpy.ma.getmaskarray(visible)
        mesh = collections.PolyCollection(plane.polygons[there], array=visible[there].data, cmap="viridis", norm=norm,
                                          edgecolors="face", linewidths=0.2, rasterized=visible.size > RASTER)
        axes.add_collection(mesh)
        faults = axes.add_collection(collections.LineCollection(plane.traces, colors="white", linewidths=1.6))
        faults.set_gid("faults")
    mesh.set_gid("map")
    add_bar(figure, mesh, figure.add_axes(bar), WORDS.get(array, array) + (" [%s]" % unit if unit else ""), ticks)
    labels = draw_wells(axes, r, plane, length)
    axes.set_xlim(plane.across.min(), plane.across.max())
    if axis == "k":
        axes.set_ylim(plane.up.min(), plane.up.max())
        if equal:
            axes.set_aspect("equal")
        axes.set_xlabel("x [%s]%s" % (label, ", along i" if plane.follows[0] else ""))
        axes.set_ylabel("y [%s]%s" % (label, ", along j" if plane.follows[1] else ""))
    else:
        axes.set_ylim(plane.up.max(), plane.up.min())  # deeper is lower
        axes.set_xlabel("%s [%s], along %s" % (plane.labels, label, "i" if axis == "j" else "j"))
        axes.set_ylabel("depth [%s]" % label)
    axes.xaxis.set_major_locator(ticker.MaxNLocator(max(2, int(place[2] * size[0] / 0.9))))
    axes.yaxis.set_major_locator(ticker.MaxNLocator(max(2, min(9, int(place[3] * size[1] / 0.35)))))
    for a in (axes.xaxis, axes.yaxis):
        a.set_major_formatter(ticker.ScalarFormatter(useOffset=False))
        a.get_major_formatter().set_scientific(False)
    place_labels(figure, axes, labels)
    name = "%s%d" % (word, number)
    return figure, ".".join([array, name] + ([when.replace(" ", "")] if when else []))


# ---- the program ------------------------------------------------------------------------------------

DPI = 130


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
    if a.map is None:
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
        results = [Result(path) for path in a.results]
        names = [r.name for r in results]
        for r in results:  # results of the same name in several folders
            if names.count(r.name) > 1:
                r.name = re.sub(r"\.h5$", "", r.path)
        figure, usual = draw(a, results)
        for path in a.results + a.data:
            if os.path.exists(usual) and not a.output and os.path.samefile(path, usual):
                raise Fault("%s: is the file %s, which is drawn; refusing to overwrite it: name the picture with -o" % (
                    usual, path), 2)
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
