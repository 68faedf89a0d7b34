"""A page about one run: HTML with its pictures inside, without scripts."""
import base64
import fnmatch
import html
import io
import os
import re

import numpy
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from bubbles import Bubbles
from curves import (INJECTED, LIQUID, OIL, WATER, Clock, check_tables, curves, draw_column, draw_data, draw_observed, misfit, misfit_to, natural,
                    style, vectors)
from flow import flow, table as flow_table
from maps import make_map, read_array, scale_of
from results import Fault, Result, shown
from texts import add_legend, plain, shorten

MOST = 60  # wells with curves; of more those that moved most
ACROSS, BLOCK = 3, 24  # wells side by side, and in one picture
RATES = (("OPR", OIL), ("WPR", WATER), ("WIR", INJECTED), ("OIR", LIQUID))
WORDS_OF_RATES = ("oil produced", "water produced", "water injected", "oil injected")
TOTALS = (("OPT", "oil produced"), ("WPT", "water produced"), ("OIT", "oil injected"), ("WIT", "water injected"))
STYLE = """
:root { color-scheme: light dark; --ink: #1c2430; --soft: #5a6675; --line: #d5dbe3; --back: #fff; --card: #f5f7fa; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6eaf0; --soft: #a3afbd; --line: #3a4450; --back: #14181d; --card: #1d232a; }
}
* { box-sizing: border-box; }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--back); margin: 0 auto; padding: 1.5rem; max-width: 70rem; }
h1 { font-size: 1.6rem; margin: 0; } h2 { font-size: 1.2rem; margin: 2.2rem 0 .6rem; border-bottom: 1px solid var(--line); }
p { margin: .4rem 0; } .soft { color: var(--soft); }
.tiles { display: flex; flex-wrap: wrap; gap: .7rem; margin: 1.2rem 0; padding: 0; list-style: none; }
.tiles li { background: var(--card); border: 1px solid var(--line); border-radius: .4rem; padding: .5rem .8rem; flex: 1 1 9rem; }
.tiles b { display: block; font-size: 1.25rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; margin: .5rem 0; font-variant-numeric: tabular-nums; }
th, td { padding: .2rem .8rem .2rem 0; text-align: right; border-bottom: 1px solid var(--line); white-space: nowrap; }
th { color: var(--soft); font-weight: 600; vertical-align: bottom; } th:first-child, td:first-child, .left td, .left th { text-align: left; }
.left td { white-space: normal; overflow-wrap: anywhere; }
img { display: block; width: 100%; background: #fff; border-radius: .3rem; margin: .6rem 0; }
.maps { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(30rem, 100%), 1fr)); gap: .8rem; align-items: start; }
pre { background: var(--card); border: 1px solid var(--line); border-radius: .4rem; padding: .8rem; white-space: pre-wrap; overflow-wrap: anywhere; font-size: .82rem; }
@media print {
  :root { --ink: #000; --soft: #444; --line: #bbb; --back: #fff; --card: #fff; }
  body { max-width: none; padding: 0; font-size: 10pt; }
  img, table, .tiles { break-inside: avoid; } h2 { break-after: avoid; } .maps { grid-template-columns: 1fr 1fr; }
}
"""


def text(value):
    return html.escape(shown(value))


def number(value):
    return "%.6g" % value


def image(figure, alt, kind="svg", **how):
    out = io.BytesIO()
    figure.savefig(out, format=kind, metadata={"Date": None} if kind == "svg" else None, **how)
    mime = "image/svg+xml" if kind == "svg" else "image/png"
    return '<img src="data:%s;base64,%s" alt="%s">' % (mime, base64.b64encode(out.getvalue()).decode("ascii"), text(alt))


def table(head, rows, kind=""):
    """head and rows hold texts of HTML; None: no head."""
    lines = ["<tr>%s</tr>" % "".join("<td>%s</td>" % cell for cell in row) for row in rows]
    first = "<thead><tr>%s</tr></thead>" % "".join("<th>%s</th>" % cell for cell in head) if head else ""
    return '<div class="wide"><table class="%s">%s<tbody>%s</tbody></table></div>' % (kind, first, "".join(lines))


def last(r, column):
    """The last value of a column of the summary, None: there is none."""
    if column not in r.file["summary"] or len(r.file["summary"][column]) == 0:
        return None
    value = r.file["summary"][column][-1]
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value


def unit_of(r, column):
    return shown(r.file["summary"][column].attrs.get("unit", "")) if column in r.file["summary"] else ""


def said(r):
    return "".join(t.decode("utf-8", "replace") for t in r.file["said"][:]) if "said" in r.file else ""


# ---- parts -----------------------------------------------------------------------------------


def run_table(r, clock):
    about = r.file["grid"].file.attrs if "grid" in r.file else {}
    rows = [("deck", r.file.attrs.get("deck", "")), ("command", about.get("command_line", "")), ("hepta", r.file.attrs.get("version", "")),
            ("machine", about.get("machine", "")), ("written", about.get("written", "")), ("time", clock.words())]
    if "grid" in r.file:
        active = r.file["grid/active"]
        rows.append(("grid", "%d x %d x %d cells, %d active" % (active.shape[2], active.shape[1], active.shape[0], numpy.count_nonzero(active[:]))))
    return table(None, [(name, text(value)) for name, value in rows if str(value)], "left")


def tiles(r):
    out, start = [], r.file.attrs.get("oil_at_start", 0.0)
    for column, words in (("FOPT", "oil produced"), ("FWPT", "water produced"), ("FWIT", "water injected"), ("FPR", "average pressure")):
        if last(r, column) is not None:
            out.append((words, "%s %s" % (number(last(r, column)), unit_of(r, column))))
    if start > 0.0 and last(r, "FOPT") is not None:
        out.append(("recovery", "%.2f %%" % (100.0 * (last(r, "FOPT") - last(r, "FOIT")) / start)))
    if last(r, "FNPV") is not None:
        out.append(("net present value", number(last(r, "FNPV"))))
    if last(r, "FWCT") is not None:
        out.append(("water cut at the end", "%.4f" % last(r, "FWCT")))
    return '<ul class="tiles">%s</ul>' % "".join("<li>%s<b>%s</b></li>" % (text(w), text(v)) for w, v in out)


def in_place(r):
    """Of the field by its balance, and of regions by their vectors."""
    parts = []
    found = re.findall(r"Mass balance, (\S+) .*\n  oil +(.+)\n  water +(.+)\n", said(r))
    if found:
        unit, oil, water = found[-1]
        parts.append(table([text(unit), "at start", "injected", "produced", "now", "relative error"],
                           [["oil"] + oil.split(), ["water"] + water.split()]))
    regions = sorted({c.split(":")[1] for c in r.file["summary"] if re.match(r"R[OW]IP:", c)}, key=natural)
    if regions:
        kinds = [k for k in ("ROIP", "RWIP", "RPR", "ROE") if "%s:%s" % (k, regions[0]) in r.file["summary"]]
        words = {"ROIP": "oil in place", "RWIP": "water in place", "RPR": "pressure", "ROE": "recovery"}
        parts.append(table(["region"] + ["%s<br>%s" % (words[k], text(unit_of(r, "%s:%s" % (k, regions[0])))) for k in kinds],
                           [[text(n)] + [number(last(r, "%s:%s" % (k, n))) for k in kinds] for n in regions]))
    errors = re.findall(r"^Error in time: .*$", said(r), re.M)
    return "".join(parts) + ("<p>%s</p>" % text(errors[-1]) if errors else "")


def wells(r):
    """[(key in columns, name)] as the deck has them."""
    names = {key: shown(group.attrs["name"]) for key, group in r.file["wells"].items()} if "wells" in r.file else {}
    order = sorted(names, key=lambda key: int(r.file["wells"][key].attrs["index"]))
    return [(key, names[key]) for key in order if "WOPT:" + key in r.file["summary"]]


def totals_table(r, level, members):
    kinds = [(k, w) for k, w in TOTALS if any(last(r, "%s%s:%s" % (level, k, key)) for key, name in members)]
    if not members or not kinds:
        return ""
    head = ["well" if level == "W" else "group"] + ["%s<br>%s" % (w, text(unit_of(r, "%s%s:%s" % (level, k, members[0][0])))) for k, w in kinds]
    ends = [(c, w) for c, w in (("WCT", "water cut"), ("BHP", "bhp"), ("MCTL", "control")) if "%s%s:%s" % (level, c, members[0][0]) in r.file["summary"]]
    rows = []
    for key, name in members:
        values = [number(last(r, "%s%s:%s" % (level, k, key)) or 0.0) for k, w in kinds]
        at_end = [last(r, "%s%s:%s" % (level, c, key)) for c, w in ends]
        rows.append([text(name)] + values + [text(v) if isinstance(v, str) else number(v) for v in at_end])
    return table(head + ["%s<br>%s" % (w, text(unit_of(r, "%s%s:%s" % (level, c, members[0][0])))) for c, w in ends], rows)


OBSERVED = (("OPR", "oil rate"), ("WPR", "water rate"), ("WCT", "water cut"), ("WIR", "water injected"), ("OIR", "oil injected"), ("BHP", "bottom-hole pressure"))


def misfits(results, members):
    """Rows of what was observed and of the misfit of each result: of the field, and of each well in them all. members: as of well_curves."""
    rows = []
    for keys, name in [([""] * len(results), "field")] + members:
        for kind, words in OBSERVED:
            found = [misfit(r, "W%s:%s" % (kind, key) if key else "F" + kind) for r, key in zip(results, keys)]
            if None in found or any(f[2] != found[0][2] for f in found):
                continue
            rows.append([text(name), words, text(found[0][2]), number(found[0][1])] +
                        ["%s%s" % (number(off), ' <span class="soft">%.3g&nbsp;%%</span>' % (100.0 * off / abs(mean)) if mean else "")
                         for off, mean, unit in found])
    if not rows:
        return ""
    return table(["", "", "", "observed,<br>mean"] + [text(r.name) if len(results) > 1 else "misfit" for r in results], rows) + (
        '<p class="soft">Misfit: the root mean square over time of what is computed less what was observed, and in percent of the mean observed.</p>')


def well_panels(results, clock, members, data=()):
    """A picture of the rates of wells, with what was observed, a panel each; members: [(keys in the columns of each result, name)]."""
    rows = -(-len(members) // ACROSS)
    figure = Figure(figsize=(11.5, 2.5 * rows), layout="constrained")
    FigureCanvasAgg(figure)
    for n, (keys, name) in enumerate(members):
        axes = figure.add_subplot(rows, ACROSS, n + 1)
        for kind, colour in RATES:
            for m, (one, own) in enumerate(zip(results, keys)):
                column = "W%s:%s" % (kind, own)
                if column in one.file["summary"] and one.file["summary"][column][:].any():
                    draw_column(axes, clock, one, column, column, dict(style(m, len(results), colour), linewidth=1.3))
                    draw_observed(axes, clock, one, column, colour)
                    if m == 0:
                        draw_data(axes, clock, results, data, column, unit_of(one, column), colour)
        axes.set_title(plain(shorten(name, 40)), fontsize=9)
        axes.set_ylabel(unit_of(results[0], "WOPR:" + keys[0]))
        axes.set_ylim(bottom=0.0)
        clock.finish(axes)
        axes.set_xlabel("")
    return figure


def wells_like(results, pattern):
    """Pages of the wells whose names fit the pattern: [(figure, names of the first and the last well)]."""
    clock = Clock(results)
    here = [dict((name, key) for key, name in wells(r)) for r in results]
    members = [([own[name] for own in here], name) for key, name in wells(results[0])
               if fnmatch.fnmatchcase(name, pattern) and all(name in own for own in here)]
    if not members:
        raise Fault("%s: no well is like '%s'; there are %s" % (results[0].path, pattern, ", ".join(n for k, n in wells(results[0])) or "none"), 2)
    pages = [members[first:first + BLOCK] for first in range(0, len(members), BLOCK)]
    out = []
    for members in pages:
        figure = well_panels(results, clock, members)
        figure.suptitle(plain(shorten(", ".join(r.name for r in results), 80)) + ": rates, " + clock.words(), fontsize=11, fontweight="bold")
        add_legend(figure.axes[0], [Line2D([], [], color=colour, linewidth=1.6) for kind, colour in RATES], WORDS_OF_RATES, fontsize=7,
                   framealpha=0.6, edgecolor="none", loc="best")
        out.append((figure, members[0][1], members[-1][1]))
    return out


def misfits_to(results, clock, data):
    """Rows of data and of the misfit of each result, file by file, vector by vector."""
    parts = []
    for d in data:
        rows = []
        for name in sorted(d.vectors(), key=natural):
            found = [misfit_to(r, clock, d, name) for r in results]
            if all(f is None for f in found):
                raise Fault("%s: %s: no result has such a vector with a point within its times: name one as NAME.summary.csv does, or ask "
                            "for it (output.vectors)" % (d.path, shown(name)), 2)
            points, _, _, mean, unit = next(f for f in found if f is not None)
            cells = ["" if f is None else "%s%s" % (number(f[1]), "" if f[2] is None else " <b>%.3g&nbsp;&sigma;</b>" % f[2]) for f in found]
            rows.append([text(name), text(unit), str(points), number(mean)] + cells)
        parts.append(table([text(d.name), "", "points", "mean"] + [text(r.name) if len(results) > 1 else "misfit" for r in results], rows))
    return "".join(parts) + ('<p class="soft">Misfit to data: the root mean square over the points of what is computed less the value; '
                             "&sigma;: of the same over its standard deviation. Of rates the time step's is taken, of others what lies between steps.</p>"
                             if parts else "")


def well_curves(results, clock, members, data=()):
    """Pictures of the rates of wells, with what was observed; of several results with dashes of their own. members: [(key in the columns
    of each result, name)]."""
    r = results[0]
    members = [(keys[0], name, keys) for keys, name in members]
    moved = {key: sum(last(r, "W%s:%s" % (k, key)) or 0.0 for k, w in TOTALS) for key, name, keys in members}
    most = sorted(members, key=lambda m: -moved[m[0]])[:MOST]
    drawn = [m for m in members if m in most]
    out = []
    for first in range(0, len(drawn), BLOCK):
        block = drawn[first:first + BLOCK]
        figure = well_panels(results, clock, [(keys, name) for key, name, keys in block], data)
        out.append(image(figure, "rates of wells %d to %d" % (first + 1, first + len(block))))
    note = "" if len(members) <= MOST else " Of %d wells the %d that moved most." % (len(members), MOST)
    legend = ", ".join('<span style="color:%s">&#9632;</span> %s' % (colour, words) for (k, colour), words in
                       zip(RATES, WORDS_OF_RATES))
    return '<p class="soft">%s; points: observed.%s</p>%s' % (legend, note, "".join(out)) if out else ""


def maps(r):
    """The saturation at first, halfway and at the end in the layer where it changes most, the pressure there with the misfits of
    wells as bubbles, if anything was observed, and a section along the row where it changes most."""
    times = r.file["time"][:] / r.file.attrs["time_factor"]
    if len(times) == 0 or "grid" not in r.file:
        return ""
    active = r.file["grid/active"][:] != 0
    water = {t: read_array(r, "sw", t)[0] for t in (times[0], times[len(times) // 2], times[-1])}
    change = numpy.where(active, abs(water[times[-1]] - water[times[0]]), 0.0)
    layer = int(change.sum(axis=(1, 2)).argmax()) + 1
    if not active[layer - 1].any():
        return ""
    scale = scale_of([w[layer - 1][active[layer - 1]] for w in water.values()])
    observed = next((kind for kind, _ in OBSERVED if any(misfit(r, "W%s:%s" % (kind, key)) for key, _ in wells(r))), None)
    bubbles = Bubbles("misfit:W" + observed) if observed else None
    pictures = [("sw", "k", layer, t, scale, None) for t in water] + [("pressure", "k", layer, times[-1], None, bubbles)]
    along = int(change.sum(axis=(0, 2)).argmax()) + 1
    if active.shape[0] > 1 and active[:, along - 1].any():
        pictures.append(("sw", "j", along, times[-1], None, None))
    out = []
    for array, axis, place, time, norm, shown_on_wells in pictures:
        figure, what = make_map(r, array, axis, place, time, norm, None, shown_on_wells)
        out.append(image(figure, what, "png", dpi=100))
    return '<div class="maps">%s</div>' % "".join(out)


def diagnosis(r):
    """Flow diagnostics beside the result, of one of its report steps: pore volumes by well, allocation, curves."""
    path = re.sub(r"\.h5$", "", r.path) + ".flow.h5"
    if not os.path.exists(path):
        return ""
    d = Result(path)
    written = [f["grid"].file.attrs.get("written", "") if "grid" in f else "" for f in (d.file, r.file)]
    if written[0] < written[1]:  # of an earlier run
        return ""
    if not d.is_diagnosis() or d.file["step"][-1] not in r.file["step"][:] or d.file.attrs.get("deck") != r.file.attrs.get("deck"):
        return ""
    parts = []
    for name, column, words in (("sources", "FLOODED", "floods"), ("sinks", "DRAINED", "drains")):
        ends, units = flow_table(d, name)
        whole = sum(ends[column]) or 1.0
        parts.append(table(["from" if name == "sources" else "to", "rate<br>%s" % text(units["RATE"]), "%s<br>%s" % (words, text(units[column])),
                            "%s<br>%%" % words],
                           [[text(end), number(rate), number(volume), "%.2f" % (100.0 * volume / whole)]
                            for end, rate, volume in zip(ends["NAME"], ends["RATE"], ends[column])]))
    return "".join(parts) + image(flow(d), "allocation, pore volumes, F-Phi, sweep")


def work_table(r):
    solver = r.file["solver"]
    rows = [("time steps", len(solver["step"]))]
    rows += [(words, int(solver[c][:].sum())) for c, words in (("newton", "Newton iterations"), ("linear", "linear iterations"), ("cuts", "cuts"),
             ("wasted_newton", "Newton iterations of failed attempts"))]
    return table(None, [(words, str(value)) for words, value in rows])


def page(r, data=()):
    """The text of the page."""
    if r.is_of_eclipse:
        raise Fault("%s: a report is about a run of hepta; hepta compare and hepta plot read Eclipse's files" % r.path, 2)
    check_tables([r])
    clock = Clock([r])
    title = shown(r.file.attrs.get("title", ""))
    there = wells(r)
    groups = sorted({c.split(":")[1] for c in r.file["summary"] if c.startswith("GOPR:")}, key=natural)
    of_groups = [k for k in ("GOPR", "GWPR", "GWIR", "GWCT") if groups and "%s:%s" % (k, groups[0]) in r.file["summary"]]
    parts = [("", run_table(r, clock) + tiles(r)),
             ("Fluids in place", in_place(r)),
             ("Field", image(curves([r], data, None, "flow"), "curves of the field")),
             ("Money", image(vectors([r], [], "FNPV,FCASH,FCASHR"), "net present value and cash flow") if "FNPV" in r.file["summary"] else ""),
             ("Groups", (image(vectors([r], [], ",".join(k + ":*" for k in of_groups)), "curves of groups") if of_groups else "") +
              totals_table(r, "G", [(g, g) for g in groups])),
             ("Wells", totals_table(r, "W", there) + well_curves([r], clock, [([key], name) for key, name in there], data)),
             ("Beside what was observed", misfits([r], [([key], name) for key, name in there]) + misfits_to([r], clock, data)),
             ("Maps", maps(r)),
             ("Flow diagnostics", diagnosis(r)),
             ("What the run said", "<pre>%s</pre>" % html.escape("\n".join(shown(line) for line in said(r).split("\n"))) if said(r) else ""),
             ("Work", work_table(r) + image(curves([r], [], None, "work"), "iterations and seconds"))]
    return document(r.name.split("/")[-1], title, parts)


def document(name, under, parts):
    """A page of parts: (heading or "", HTML)."""
    body = "".join(("<h2>%s</h2>" % head if head else "") + part for head, part in parts if part)
    name = text(name)
    return ('<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
            "<title>%s</title><style>%s</style></head>\n<body><h1>%s</h1>%s%s</body></html>\n" % (
                name, STYLE, name, '<p class="soft">%s</p>' % text(under) if under else "", body))


def write(content, path):
    try:
        with open(path, "w", encoding="utf-8") as f:
            f.write(content)
    except OSError as error:
        raise Fault("%s: cannot be written: %s" % (path, error.strerror or error)) from None
