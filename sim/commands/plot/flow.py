"""Allocation, pore volumes, F-Phi and sweep of a result of `hepta diagnose`."""
import numpy
from matplotlib import colors, ticker
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from maps import REGIONS, plural
from results import shown
from texts import DPI, add_legend, add_title, plain, shorten

MOST = 30  # wells in a picture: those with the largest rates
STORAGE = "0.75"  # colour of what rock and fluids store


def table(r, name):
    """{column: values} of a table in the step's file, and {column: unit}."""
    group = r.last_step()[name]
    values = {c: group[c][:] for c in group}
    units = {c: shown(group[c].attrs.get("unit", "")) for c in group}
    return {c: [shown(t.decode("utf-8", "replace")) for t in v] if v.dtype.kind in "SO" else v for c, v in values.items()}, units


def matrix(pairs, column, rows, columns):
    """[sources][sinks] of a column of the pairs."""
    out = numpy.zeros((len(rows), len(columns)))
    for source, sink, value in zip(pairs["FROM"], pairs["TO"], pairs[column]):
        if source in rows and sink in columns:
            out[rows.index(source), columns.index(sink)] += value
    return out


def largest(ends):
    """Names of the ends that flow, at most MOST of them, in their order; of storage if it is a hundredth of all."""
    rates = ends["RATE"]
    kept = sorted(sorted(range(len(rates)), key=lambda n: -rates[n])[:MOST])
    return [ends["NAME"][n] for n in kept if rates[n] > (1e-2 if n + 1 == len(rates) else 1e-4) * sum(rates)]


def draw_matrix(axes, values, rows, columns, unit):
    seen = values > 1e-3 * values.max(initial=0.0)
    shade = numpy.ma.masked_where(~seen, values)
    mesh = axes.imshow(shade, cmap="viridis", aspect="auto", norm=colors.Normalize(0.0, values.max(initial=1e-30)))
    small = max(len(rows), len(columns)) > 12
    labels = [plain(shorten(c, 14)) for c in columns]
    tight = len(columns) * (max(map(len, labels), default=0) + 1) > (75 if small else 55)
    axes.set_xticks(range(len(columns)), labels, rotation=60 if tight else 0, ha="right" if tight else "center", rotation_mode="anchor",
                    fontsize=6 if small else 8)
    axes.set_yticks(range(len(rows)), [plain(shorten(name, 14)) for name in rows], fontsize=6 if small else 8)
    axes.set_xticks(numpy.arange(len(columns) - 1) + 0.5, minor=True)
    axes.set_yticks(numpy.arange(len(rows) - 1) + 0.5, minor=True)
    axes.grid(which="minor", color="white", linewidth=1.0)
    axes.tick_params(which="both", length=0)
    for (i, p), value in numpy.ndenumerate(values):
        if not small and seen[i, p]:
            axes.text(p, i, "%.4g" % value, ha="center", va="center", fontsize=8 if len(columns) <= 6 else 6.5,
                      color="black" if value > 0.55 * values.max() else "white")
    if small:
        axes.figure.colorbar(mesh, ax=axes, fraction=0.04, pad=0.02)
    axes.set_title("rates, from (rows) to (columns) [%s]" % unit, fontsize=9)
    mesh.set_gid("allocation")


def name_few(values, rows):
    """(values, names, colours) of no more sources than there are colours: of more the largest ones, and all others together."""
    colours = [STORAGE if name == "expansion" else REGIONS[i % len(REGIONS)] for i, name in enumerate(rows)]
    if len(rows) <= len(REGIONS) + 1:
        return values, rows, colours
    order = numpy.argsort(-values.sum(axis=1), kind="stable")
    kept = sorted(order[:len(REGIONS)])
    others = values[sorted(order[len(REGIONS):])].sum(axis=0)
    return (numpy.vstack([values[kept], others]), [rows[i] for i in kept] + ["%d others" % (len(rows) - len(kept))],
            [STORAGE if rows[i] == "expansion" else REGIONS[n] for n, i in enumerate(kept)] + ["0.9"])


def draw_volumes(axes, values, rows, columns, unit):
    """A bar a sink: the pore volume that it drains, by where that fluid comes from."""
    values, rows, colours = name_few(values, rows)
    begin, handles = numpy.zeros(len(columns)), []
    for volumes, colour in zip(values, colours):
        handles.append(axes.barh(range(len(columns)), volumes, left=begin, color=colour, edgecolor="white", linewidth=0.4, height=0.75))
        begin += volumes
    axes.set_yticks(range(len(columns)), [plain(shorten(c, 14)) for c in columns], fontsize=8 if len(columns) <= 12 else 6)
    axes.invert_yaxis()
    axes.set_xlim(left=0.0)
    axes.xaxis.set_major_locator(ticker.MaxNLocator(4))
    axes.set_xlabel("pore volume drained [%s]" % unit)
    axes.grid(color="0.9", axis="x")
    axes.set_axisbelow(True)
    axes.set_title("what each takes, by where it comes from", fontsize=9)
    add_legend(axes, handles, [shorten(name, 16) for name in rows], fontsize=7, loc="upper left",
               bbox_to_anchor=(1.0, 1.0), frameon=False, handlelength=1.0, borderpad=0.2)


def draw_curves(left, right, r):
    """F-Phi and sweep."""
    curve = r.last_step()["curve"]
    phi, flow, injected, swept = (curve[c][:] for c in ("PHI", "F", "INJECTED", "SWEPT"))
    left.fill_between(phi, phi, flow, color=REGIONS[4], alpha=0.5, linewidth=0.0)
    line, = left.plot(phi, flow, color=REGIONS[1], linewidth=1.6)
    line.set_gid("F")
    left.plot([0.0, 1.0], [0.0, 1.0], color="0.4", linewidth=1.0, linestyle="--")
    left.text(0.96, 0.06, "Lorenz coefficient %.3f" % curve.attrs["lorenz"], ha="right", transform=left.transAxes)
    left.set_xlabel("storage capacity \u03a6, share of the pore volume [-]")
    left.set_ylabel("flow capacity F, share of the flow [-]")
    left.set_title("F-\u03a6: fastest paths first", fontsize=9)
    most = 3.0
    inside = injected <= most
    line, = right.plot(numpy.append(0.0, injected[inside]), numpy.append(0.0, swept[inside]), color=REGIONS[1], linewidth=1.6)
    line.set_gid("swept")
    right.plot([1.0], [curve.attrs["swept_at_one"]], "o", color=REGIONS[0], markersize=5)
    right.text(1.08, curve.attrs["swept_at_one"] - 0.03, "%.3f after one pore volume" % curve.attrs["swept_at_one"], va="top")
    right.set_xlim(0.0, most)
    right.set_xlabel("pore volumes injected [-]")
    right.set_ylabel("swept share of the pore volume [-]")
    right.set_title("sweep efficiency", fontsize=9)
    for axes in (left, right):
        axes.set_ylim(0.0, 1.0)
        axes.grid(color="0.9")
        axes.set_axisbelow(True)
    left.set_xlim(0.0, 1.0)


def flow(r):
    """The figure."""
    (pairs, units), (sources, more), (sinks, more) = (table(r, name) for name in ("pairs", "sources", "sinks"))
    rows, columns = largest(sources), largest(sinks)
    has_curve = "curve" in r.last_step()
    figure = Figure(figsize=(11.0, 8.6 if has_curve else 4.8), dpi=DPI)
    FigureCanvasAgg(figure)
    time = r.file["time"][-1] / r.file.attrs["time_factor"]
    when = "%g %s" % (time, shown(r.file.attrs["time_unit"]))
    top = add_title(figure, "%s: flow at %s%s" % (r.name, plural(when), r.date(time)), shown(r.file.attrs.get("title", "")), 100)
    height = figure.get_size_inches()[1]
    grid = figure.add_gridspec(2 if has_curve else 1, 2, left=0.1, right=0.88, bottom=0.08 if has_curve else 0.16, top=1.0 - (top + 0.35) / height,
                               hspace=0.42, wspace=0.34)
    unit = units["PORE_VOLUME"].lower()
    draw_matrix(figure.add_subplot(grid[0, 0]), matrix(pairs, "RATE", rows, columns), rows, columns, units["RATE"].lower())
    draw_volumes(figure.add_subplot(grid[0, 1]), matrix(pairs, "PORE_VOLUME", rows, columns), rows, columns, unit)
    if has_curve:
        draw_curves(figure.add_subplot(grid[1, 0]), figure.add_subplot(grid[1, 1]), r)
    return figure
