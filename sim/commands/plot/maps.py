"""Maps of layers, and sections along i or j."""
import re

import numpy
from matplotlib import collections, colors, ticker
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from results import Fault, shown
from texts import DPI, add_title, plain, shorten

# Oil is brown and water blue, told apart by everybody and in grey
FLUIDS = colors.LinearSegmentedColormap.from_list("fluids", ["#4a2600", "#a8682a", "#f0e2c4", "#7db4de", "#08366f"])
RASTER = 50000  # cells of a map beyond which a vector picture holds an image
# Of areas that stand side by side, told apart by everybody: Paul Tol's "muted"
REGIONS = ["#cc6677", "#332288", "#ddcc77", "#117733", "#88ccee", "#882255", "#44aa99", "#999933", "#aa4499"]
FIELDS = ("sw", "so", "pressure")
WORDS = {"sw": "water saturation", "so": "oil saturation", "pore_volume": "pore volume", "ntg": "net to gross",
         "permx": "permeability along i", "permy": "permeability along j", "permz": "permeability along k",
         "time_from_injectors": "time of flight from injectors", "time_to_producers": "time of flight to producers",
         "time_in_all": "time of flight from end to end", "flooded_by": "flooded regions", "drained_by": "drainage regions"}
ENDS = {"flooded_by": ("sources", "from_"), "drained_by": ("sinks", "to_")}  # tables of hepta diagnose that regions count in
# The deck's units of pressure and length in SI: the files are in Pa and m
PRESSURE = {"metric": ("bar", 1e5), "field": ("psi", 6894.757293168361), "lab": ("atm", 101325.0), "si": ("Pa", 1.0)}
LENGTH = {"metric": ("m", 1.0), "field": ("ft", 0.3048), "lab": ("cm", 0.01), "si": ("m", 1.0)}


def read_array(r, array, time):
    """([nz][ny][nx], unit, when: "400 day", or "")"""
    f = r.file
    if "static" in f and array in f["static"]:
        return f["static"][array][:].astype(float), shown(f["static"][array].attrs.get("unit", "")), ""
    more = r.more_fields()
    if array not in FIELDS + more:
        known = list(FIELDS + more) + (sorted(f["static"]) if "static" in f else [])
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
    values = r.field(f["step"][n], array).astype(float)
    when = "%g %s" % (times[n], unit)
    if array in more:
        return values, shown(f["steps/%06d/%s" % (f["step"][n], array)].attrs.get("unit", "")), when
    if array != "pressure":
        return values, "", when
    label, factor = PRESSURE.get(f.attrs["units"], ("Pa", 1.0))
    return values / factor, label, when


def words_of(r, array):
    """The array in words: shares have the names of their wells."""
    for table, head in ENDS.values():
        if array.startswith(head) and array in r.more_fields():
            names = [name for name in r.ends(table) if re.sub("[^A-Za-z0-9_-]", "_", name) == array[len(head):]]
            return "share %s %s" % (head[:-1], names[0] if names else array[len(head):])
    return WORDS.get(array, array)


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


def region_colours(r, array, numbers):
    """(colours, scale, ticks, names) of the wells and aquifers that a region is of, 0 grey; only of those that are seen, in their order."""
    names = ["none"] + r.ends(ENDS[array][0])
    seen = sorted({int(n) for n in numbers})
    paint = ["0.8" if n == 0 else REGIONS[(n - 1) % len(REGIONS)] for n in seen]
    edges = [n - 0.5 for n in seen] + [seen[-1] + 0.5]
    middle = [0.5 * (a + b) for a, b in zip(edges, edges[1:])]
    return colors.ListedColormap(paint), colors.BoundaryNorm(edges, len(paint)), middle, [shorten(names[n], 18) for n in seen]


def colour_scale(shown, array):
    """(scale, ticks or None): one value everywhere stands in the middle of a scale around it."""
    if array.startswith(("from_", "to_")):
        return colors.Normalize(0.0, 1.0), None
    low, high = float(shown.min()), float(shown.max())
    if high - low <= 1e-6 * max(abs(low), abs(high)):
        value = 0.5 * (low + high)
        if array in ("sw", "so"):
            return colors.Normalize(0.0, 1.0), None
        room = 0.5 * abs(value) if value != 0.0 else 1.0
        return colors.Normalize(value - room, value + room), [value]
    if array == "rank":
        return colors.Normalize(low, high), list(range(int(low), int(high) + 1, int((high - low) // 16) + 1))
    if array.startswith(("perm", "time_")) and low > 0.0 and high > 10.0 * low:
        return colors.LogNorm(low, high), None
    return colors.Normalize(low, high), None


def palette_of(array):
    return {"sw": FLUIDS, "so": FLUIDS.reversed()}.get(array, "viridis")


def scale_of(series):
    """One scale for several maps of an array: their visible numbers."""
    return colors.Normalize(min(float(v.min()) for v in series), max(float(v.max()) for v in series))


def scale_in_time(r, array, axis, number, times):
    """One scale for maps of several times."""
    side = {"k": 0, "j": 1, "i": 2}[axis]
    seen = [read_array(r, array, t)[0] for t in times]
    if not 1 <= number <= seen[0].shape[side] or array in ENDS:
        return None
    active = numpy.take(r.file["grid/active"][:] != 0, number - 1, axis=side)
    seen = [numpy.take(values, number - 1, axis=side)[active] for values in seen]
    seen = [values[~numpy.isnan(values)] for values in seen]
    return scale_of([values for values in seen if values.size > 0]) if any(values.size for values in seen) else None


def add_bar(figure, mesh, axes, label, ticks, names):
    bar = figure.colorbar(mesh, cax=axes, spacing="uniform" if names else "proportional")
    bar.set_label(label)
    if names:
        bar.set_ticks(ticks if len(names) <= 40 else [])
        bar.set_ticklabels([plain(name) for name in names] if len(names) <= 40 else [], fontsize=8 if len(names) <= 20 else 6)
        bar.ax.tick_params(length=0)
        bar.ax.minorticks_off()
    elif ticks is not None:
        bar.set_ticks(ticks)
        bar.set_ticklabels(["%.6g" % t for t in ticks])
    elif isinstance(mesh.norm, colors.LogNorm):
        short = mesh.norm.vmax / mesh.norm.vmin < 1e3
        bar.ax.yaxis.set_major_locator(ticker.LogLocator(subs=(1.0, 2.0, 5.0) if short else (1.0,)))
        bar.ax.yaxis.set_major_formatter(ticker.FuncFormatter(lambda v, place: "%.6g" % v))
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


def make_map(r, array, axis, number, time, norm=None, palette=None, bubbles=None):
    """(figure, what stands in the name of its file); norm: the scale of a series, None: of this map"""
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
    active = plane.layer(r.file["grid/active"][:]) != 0
    visible = numpy.ma.masked_where(~active | numpy.isnan(plane.layer(values)), plane.layer(values))
    if not active.any():
        raise Fault("%s %d: no cell of it is active" % (option, number), 2)
    if visible.count() == 0:
        raise Fault("%s %d: no cell of it is reached" % (option, number), 2)
    names, palette = None, palette or palette_of(array)
    if array in ENDS:
        palette, norm, ticks, names = region_colours(r, array, visible.compressed())
    else:
        norm, ticks = (norm, None) if norm is not None and norm.vmin < norm.vmax else colour_scale(visible, array)
    span = (max(numpy.ptp(plane.across), 1e-30), max(numpy.ptp(plane.up), 1e-30))
    equal = axis == "k" and max(span) <= 8.0 * min(span)
    title = shown(r.file.attrs.get("title", ""))
    what = words_of(r, array)
    words = "%s%s, %s %d of %d" % (what, " at " + plural(when) + r.date(float(when.split()[0])) if when else "", word, number,
                                   values.shape[side])
    # twice: the height of the titles is known when they are wrapped
    width, top = 8.9, 0.0
    for turn in range(2):
        top = add_title(Figure(figsize=(width, 7.0)), "%s: %s" % (r.name, words), title, int(78 * width / 8.9)) + 0.12
        size, place, bar = map_frame(span, equal, top)
        width = size[0]
    figure = Figure(figsize=size, dpi=DPI)
    FigureCanvasAgg(figure)
    add_title(figure, "%s: %s" % (r.name, words), title, int(78 * size[0] / 8.9))
    axes = figure.add_axes(place)
    missing = active & numpy.ma.getmaskarray(visible)  # cells without a value: grey
    if plane.polygons is None:
        if missing.any():
            axes.pcolormesh(plane.across, plane.up, numpy.ma.masked_where(~missing, missing), cmap=colors.ListedColormap(["0.8"]))
        mesh = axes.pcolormesh(plane.across, plane.up, visible, cmap=palette, norm=norm, rasterized=visible.size > RASTER)
    else:
        there = ~numpy.ma.getmaskarray(visible)
        if missing.any():
            axes.add_collection(collections.PolyCollection(plane.polygons[missing], facecolor="0.8"))
        mesh = collections.PolyCollection(plane.polygons[there], array=visible[there].data, cmap=palette, norm=norm,
                                          edgecolors="face", linewidths=0.2, rasterized=visible.size > RASTER)
        axes.add_collection(mesh)
        faults = axes.add_collection(collections.LineCollection(plane.traces, colors="white", linewidths=1.6))
        faults.set_gid("faults")
    mesh.set_gid("map")
    add_bar(figure, mesh, figure.add_axes(bar), what + (" [%s]" % unit if unit else "") + (" (grey: not reached)" if missing.any() else ""),
            ticks, names)
    labels = draw_wells(axes, r, plane, length)
    if bubbles is not None:
        when_drawn = float(when.split()[0]) if when else r.column("summary", "TIME")[0][-1]
        labels, beside = bubbles.draw(axes, labels, r, when_drawn)
        axes.annotate(plain(beside), (1.0, 1.0), xytext=(0, 4), xycoords="axes fraction", textcoords="offset points", ha="right", va="bottom", fontsize=8)
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
    drawn = [array, name] + ([when.replace(" ", "")] if when else []) + ([bubbles.wanted.replace(":", ".")] if bubbles else [])
    return figure, ".".join(drawn)
