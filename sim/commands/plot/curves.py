"""Curves of results against time: the usual page, and columns that are asked for."""
import datetime
import fnmatch
import re

import numpy
from matplotlib import dates, ticker
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from results import Fault, shown
from texts import add_legend, add_title, plain, shorten

# Of results, and of wells where they are many: after the last colour they come again with other dashes and with markers
COLOURS = ["#0067b1", "#c8500a", "#00805c", "#a2388a", "#8a6d00", "#6d4bd1", "#b3202c", "#4b5563", "#0a8a9f", "#7a4a1f"]
DASHES = ["-", (0, (6, 2)), (0, (2, 1.5)), (0, (8, 2, 2, 2)), (0, (8, 2, 2, 2, 2, 2)), (0, (1, 1))]
MARKS = "oDs^vP*X"
MARKERS = "osD^v<>P"  # of data
OIL, WATER, LIQUID, INJECTED = "#1a7f37", "#1f6fd0", "#6b5b4b", "#8e3fb0"
SECONDS = [("setup", "linear setup", "#0067b1"), ("solve", "linear solve", "#7a5bc7"),
           ("assembly", "properties and assembly", "#d98200"), ("wells", "wells", "#00805c"), ("output", "output", "#9aa3ad")]


class Clock:
    """Times as they stand on the axes: dates where all decks begin at the same one."""

    def __init__(self, results):
        self.unit = same_unit(results, "summary", "TIME")
        self.factor = float(results[0].file.attrs["time_factor"]) / 86400.0
        starts = {r.start() for r in results}
        self.start = self.zero = starts.pop() if len(starts) == 1 else None
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


def draw_observed(axes, clock, r, column, colour):
    """Observed values of the column, if the summary has them: forty points, and the end of each rate and pressure."""
    name = re.sub(r"(:|$)", r"H\1", column, count=1)
    if name not in r.file["summary"]:
        return
    time, values = r.column("summary", "TIME")[0], r.column("summary", name)[0]
    if not values.any():
        return
    at = numpy.zeros(len(time), bool)
    at[numpy.unique(numpy.linspace(0, len(time) - 1, 40).astype(int))] = True
    if is_rate(column) or "BHP" in column:
        at[:-1] |= values[1:] != values[:-1]
    if "BHP" in column:
        at &= values != 0.0  # not observed
    points, = axes.plot(clock.places(time[at]), values[at], "o", color=colour, markerfacecolor="none", markersize=4.0)
    points.set_gid("%s of %s" % (name, r.name))


def misfit(r, column):
    """(misfit, mean of what was observed, unit): the root mean square over time of what a column of the summary differs by from its
    observed values; None: nothing was observed."""
    name = re.sub(r"(:|$)", r"H\1", column, count=1)
    if name not in r.file["summary"] or column not in r.file["summary"]:
        return None
    time = r.column("summary", "TIME")[0]
    (values, unit), observed = r.column("summary", column), r.column("summary", name)[0]
    weight = numpy.diff(time, prepend=0.0)
    if "BHP" in column:
        weight = numpy.where(observed != 0.0, weight, 0.0)  # not observed
    if not observed.any() or not weight.any():
        return None
    weight = weight / weight.sum()
    return float(numpy.sqrt((weight * (values - observed) ** 2).sum())), float((weight * observed).sum()), unit


def computed(r, column, times):
    """Values of a column at times in the result's unit: of the time step for a rate, else between steps; NAN before the first and
    behind the last one."""
    time, values = r.column("summary", "TIME")[0], r.column("summary", column)[0]
    if is_rate(column):
        at = numpy.minimum(numpy.searchsorted(time, times * (1.0 - 1e-9)), len(time) - 1)
        out, first = values[at], 0.0
    else:
        out, first = numpy.interp(times, time, values), time[0]
    return numpy.where((times >= first * (1.0 - 1e-9)) & (times <= time[-1] * (1.0 + 1e-9)), out, numpy.nan)


def misfit_to(r, clock, d, name):
    """(points, root mean square of what the result differs by from data, the same in standard deviations, mean of the data, unit) of a
    vector; the second is None where no deviation is known. None: the summary has no such vector, or no point is within its times."""
    own = {columns_name(column, r): column for column in r.file["summary"]}.get(name)
    if own is None or r.file["summary"][own].dtype.kind not in "fiu":
        return None
    unit = r.column("summary", own)[1]
    values, off = d.column(name, unit), computed(r, own, d.times(clock))
    there = numpy.isfinite(values) & numpy.isfinite(off)
    if not there.any():
        return None
    off = off - values
    known = there & numpy.isfinite(d.sigma.get(name, numpy.full(len(values), numpy.nan)))
    scaled = float(numpy.sqrt(((off[known] / d.sigma[name][known]) ** 2).mean())) if known.any() else None
    return int(there.sum()), float(numpy.sqrt((off[there] ** 2).mean())), scaled, float(values[there].mean()), unit


def draw_data(axes, clock, results, data, column, unit, colour):
    name = columns_name(column, results[0])
    for n, d in enumerate(data):
        values = d.column(name, unit)
        if values is None:
            continue
        times = clock.places(d.times(clock))
        points, = axes.plot(times, values, MARKERS[n % len(MARKERS)], color=colour, markerfacecolor="none", markersize=4.5)
        if name in d.sigma and numpy.isfinite(d.sigma[name]).any():
            there = numpy.isfinite(d.sigma[name])
            _, _, bars = axes.errorbar(times[there], values[there], yerr=d.sigma[name][there], fmt="none", ecolor=colour, elinewidth=0.9, capsize=2.0)
            bars[0].set_gid("%s of %s, deviations" % (name, d.name))
        points.set_gid("%s of %s" % (name, d.name))
        d.used = True


def draw_summary(axes, clock, results, data, columns, label):
    """columns: [(column of a result, colour, words)]: the colours are of phases, the dashes of results."""
    for name, colour, words in columns:
        unit = same_unit(results, "summary", name(results[0]))
        for n, r in enumerate(results):
            draw_column(axes, clock, r, name(r), name(r), style(n, len(results), colour))
        draw_observed(axes, clock, results[0], name(results[0]), colour)
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
    return any(r.column("summary", name(r))[0].any() for r in results for name, *rest in columns if name(r) in r.file["summary"])


def kept(results, columns):
    """Those that all have: files of Eclipse hold what their decks ask for."""
    return [c for c in columns if all(not r.is_of_eclipse or c[0](r) in r.file["summary"] for r in results)]


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
        if not d.used and not d.must_be_drawn:
            continue
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
    figure.subplots_adjust(left=0.075, right=0.98, top=1.0 - (top + 0.12) / height, bottom=(below + 0.5) / height,
                           hspace=0.3, wspace=0.0)
    return figure


def check_tables(results, tables=("summary", "solver")):
    for r in results:
        for group in tables:
            if group not in r.file:
                raise Fault("%s: has no /%s: the run has not ended, or output.summary is off" % (r.path, group))


def curves(results, data, well, part=None):
    """The page of curves; part: "flow" or "work" of them alone, of a well the first. Files of Eclipse have no work."""
    part = part or ("flow" if any(r.is_of_eclipse for r in results) else None)
    check_tables(results, ("summary",) if part == "flow" else ("summary", "solver"))
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
    produced, injected, totals, put_in = (kept(results, columns) for columns in (produced, injected, totals, put_in))
    clock = Clock(results)
    water_cut = (of("WCT"), WATER, "")
    pressure = (of("BHP") if well else of("PR"), "#333333", "")
    panels = []
    if produced + injected:
        panels.append(lambda a: draw_summary(a, clock, results, data, produced + injected, "rates" if produced else "water injected"))
    if totals + put_in:
        panels.append(lambda a: draw_summary(a, clock, results, data, totals + put_in, "totals" if totals else "water injected in all"))
    if produced and kept(results, [water_cut]):
        panels.append(lambda a: draw_summary(a, clock, results, data, [water_cut], "water cut"))
    if not well and any(recovery(r) is not None for r in results):
        panels.append(lambda a: draw_recovery(a, clock, results))
    if kept(results, [pressure]):
        panels.append(lambda a: draw_summary(a, clock, results, data, [pressure], "bottom-hole pressure" if well else "average pressure"))
    work = [lambda a: draw_solver(a, clock, results, lambda r: r.column("solver", "newton")[0], "Newton iterations per time step", "newton"),
            lambda a: draw_solver(a, clock, results, linear_per_newton, "linear per Newton iteration", "linear"),
            lambda a: draw_seconds(a, results)]
    panels = work if part == "work" else panels if part == "flow" or well else panels + work
    if not panels:
        raise Fault("%s: holds no vector of the usual picture: --vector names others" % results[0].path, 2)
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
    check_tables(results, ("summary",))
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
                draw_observed(a, clock, r, own, line.get_color())
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
