"""A page about several results side by side, of hepta's or of Eclipse's files: HTML with its pictures inside, without scripts."""
import numpy
from matplotlib import colors

from curves import Clock, check_tables, curves, is_rate
from maps import make_map, read_array
from report import document, image, misfits, misfits_to, number, table, text, well_curves
from results import Fault, shown

FIELD = (("FOPT", "oil produced"), ("FWPT", "water produced"), ("FLPT", "liquid produced"), ("FOIT", "oil injected"), ("FWIT", "water injected"),
         ("FWCT", "water cut"), ("FPR", "average pressure"))
WELL = (("WOPT", "oil produced"), ("WWPT", "water produced"), ("WOIT", "oil injected"), ("WWIT", "water injected"), ("WBHP", "bottom-hole pressure"))
MOST = 200  # wells in the table: those that differ most


def at(r, column, time):
    """The value of a column at a time: rates hold for their time step, all else changes within it; None: there is none."""
    if column not in r.file["summary"]:
        return None
    times, values = r.column("summary", "TIME")[0], r.column("summary", column)[0]
    if len(times) == 0:
        return None
    if is_rate(column):
        return values[min(numpy.searchsorted(times, time * (1.0 - 1e-9)), len(values) - 1)]
    total = column.split(":")[0].endswith("T") and not column.startswith("FWCT")
    return float(numpy.interp(time, numpy.append(0.0, times), numpy.append(0.0, values)) if total else numpy.interp(time, times, values))


def off(value, first, scale):
    """A difference in percent of `scale`, the larger of both if that is more."""
    whole = max(abs(first), abs(value), scale)
    return 100.0 * (value - first) / whole if whole > 0.0 else 0.0


def cell(value, first, scale):
    if value is None or first is None:
        return "-"
    difference = off(value, first, scale)
    return "%s <span class=\"soft\">%+.3g&nbsp;%%</span>" % (number(value), difference if abs(difference) >= 1e-6 else 0.0)


def runs_table(results):
    rows = []
    for r in results:
        times = r.column("summary", "TIME")[0]
        clock = Clock([r])
        what = "hepta %s" % shown(r.file.attrs["version"]) if r.file.attrs.get("version", "") else "Eclipse's files"
        grid = "x".join(str(n) for n in r.file["grid/active"].shape[::-1]) if "grid" in r.file else "-"
        rows.append([text(r.name), text(what), text(r.path), text(clock.words()), str(len(times)), text(grid)])
    return table(["result", "written by", "file", "time", "time steps", "grid"], rows, "left")


def totals(results, end):
    """Of the field at the end that all have, differences to the first result."""
    whole = max(sum(at(r, c, end) or 0.0 for c in ("FOPT", "FWPT", "FOIT", "FWIT")) for r in results)
    rows = []
    for column, words in FIELD:
        values = [at(r, column, end) for r in results]
        if any(v is None for v in values) or not any(values):
            continue
        scale = 1e-6 * whole if column.endswith("T") else 0.0
        rows.append(["%s<br><span class=\"soft\">%s</span>" % (words, text(results[0].column("summary", column)[1])), number(values[0])] +
                    [cell(v, values[0], scale) for v in values[1:]])
    return table([""] + [text(r.name) for r in results], rows)


def over_time(results, end):
    """The largest difference of a column at any time, over its largest value in the first result."""
    rows, first = [], results[0]
    times = first.column("summary", "TIME")[0]
    times = times[times <= end * (1.0 + 1e-9)]
    for column in ("FOPR", "FWPR", "FWIR", "FOPT", "FWPT", "FWIT", "FWCT", "FPR"):
        if any(column not in r.file["summary"] for r in results):
            continue
        mine = numpy.array([at(first, column, t) for t in times])
        size = abs(mine).max(initial=0.0)
        if size == 0.0:
            continue
        worst = []
        for r in results[1:]:
            difference = abs(numpy.array([at(r, column, t) for t in times]) - mine)
            n = int(difference.argmax())
            percent = 100.0 * difference[n] / size
            worst.append("%.3g %% <span class=\"soft\">at %.6g</span>" % (percent, times[n]) if percent >= 1e-6 else "0 %")
        rows.append([column] + worst)
    return table(["largest difference"] + [text(r.name) for r in results[1:]], rows) if rows else ""


def members(results):
    """Names of the wells that all results have, in the order of the first: [(key in columns of each result, name)]."""
    keys = [{shown(g.attrs["name"]): key for key, g in r.file["wells"].items()} if "wells" in r.file else {} for r in results]
    order = sorted(keys[0], key=lambda name: int(results[0].file["wells"][keys[0][name]].attrs["index"]))
    return [([k[name] for k in keys], name) for name in order if all(name in k for k in keys)]


def wells_table(results, there, end):
    whole = max(sum(at(r, c, end) or 0.0 for c in ("FOPT", "FWPT", "FOIT", "FWIT")) for r in results)
    rows = []
    for keys, name in there:
        for column, words in WELL:
            values = [at(r, "%s:%s" % (column, key), end) for r, key in zip(results, keys)]
            if any(v is None for v in values) or not any(values):
                continue
            scale = 1e-5 * whole if column.endswith("T") else 0.0
            worst = max(abs(off(v, values[0], scale)) for v in values[1:])
            rows.append((worst, [text(name), words, number(values[0])] + [cell(v, values[0], scale) for v in values[1:]]))
    kept = sorted(rows, key=lambda row: -row[0])[:MOST]
    note = "<p class=\"soft\">The %d lines of %d that differ most.</p>" % (MOST, len(rows)) if len(rows) > MOST else ""
    return note + table(["well", ""] + [text(r.name) for r in results], [row for worst, row in rows if any(row is k[1] for k in kept)]) if rows else ""


class Difference:
    """A result whose fields are what another one's are off by, on the same grid."""

    def __init__(self, first, other):
        self.first, self.other, self.file, self.path = first, other, first.file, other.path
        self.name = "%s less %s" % (other.name, first.name)

    def __getattr__(self, name):
        return getattr(self.first, name)

    def field(self, step, array):
        time = self.first.file["time"][list(self.first.file["step"]).index(step)]
        n = int(abs(self.other.file["time"][:] - time).argmin())
        return self.other.field(self.other.file["step"][n], array) - self.first.field(step, array)


def common_time(first, other):
    """The last report time that both have, in the first's unit; None: none, or their grids differ."""
    if any("grid" not in r.file or len(r.file["time"]) == 0 for r in (first, other)):
        return None
    if first.file["grid/active"].shape != other.file["grid/active"].shape:
        return None
    mine, theirs = first.file["time"][:], other.file["time"][:]
    both = [t for t in mine if abs(theirs - t).min() <= 1e-6 * max(1.0, t)]
    return both[-1] / first.file.attrs["time_factor"] if both else None


def maps(results):
    """Differences of the last state that both have, in the layer where they are largest."""
    out = []
    for other in results[1:]:
        time = common_time(results[0], other)
        if time is None:
            out.append("<p>%s and %s have no report time, or no grid, in common: no maps.</p>" % (text(results[0].name), text(other.name)))
            continue
        difference = Difference(results[0], other)
        active = results[0].file["grid/active"][:] != 0
        for array in ("sw", "pressure"):
            values = numpy.nan_to_num(numpy.where(active, read_array(difference, array, time)[0], 0.0))
            layer = int(abs(values).max(axis=(1, 2)).argmax())
            most = abs(values[layer]).max()
            if not active[layer].any() or most == 0.0:
                out.append("<p>%s: the same %s in all cells at %g %s.</p>" % (
                    text(difference.name), "water saturations" if array == "sw" else "pressures", time, text(results[0].file.attrs["time_unit"])))
                continue
            figure, what = make_map(difference, array, "k", layer + 1, time, colors.Normalize(-most, most), "RdBu")
            out.append(image(figure, what, "png", dpi=100))
    return '<div class="maps">%s</div>' % "".join(out)


def page(results, data=()):
    """The text of the page."""
    check_tables(results, ("summary",))
    units = {shown(r.file.attrs["units"]) for r in results}
    if len(units) > 1:
        raise Fault("the results are in different units: %s" % ", ".join(sorted(units)), 2)
    clock, there = Clock(results), members(results)
    end = min(r.column("summary", "TIME")[0].max(initial=0.0) for r in results)
    parts = [("", runs_table(results)),
             ("Field after %g %s" % (end, clock.unit.lower()), totals(results, end) + over_time(results, end)),
             ("Curves", image(curves(results, data, None, "flow"), "curves of the field")),
             ("Wells", wells_table(results, there, end) + well_curves(results, clock, there, data)),
             ("Beside what was observed", misfits(results, there) + misfits_to(results, clock, data)),
             ("Maps of differences", maps(results))]
    return document("%s beside %s" % (results[0].name, ", ".join(r.name for r in results[1:])),
                    "Differences are to %s, in percent." % results[0].name, parts)
