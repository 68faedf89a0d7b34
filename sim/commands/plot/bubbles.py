"""Bubbles on a map: a number of each well as the area of a disc around it."""
import re

import numpy

from curves import Clock, computed, misfit, misfit_to, phase_colour
from results import Fault, shown

LARGEST = 46.0  # points across


class Bubbles:
    """A vector of wells, as WOPT, or "misfit:WOPR": how far a result is from what was observed."""

    def __init__(self, wanted, data=()):
        self.wanted, self.data, self.largest = wanted, data, None
        self.of_misfit = wanted.startswith("misfit:")
        self.kind = re.sub("^misfit:", "", wanted)
        if not re.fullmatch("W[A-Z0-9_]+", self.kind):
            raise Fault("--bubbles %s: a vector of wells, like WOPT, or misfit:WOPR" % shown(wanted), 2)
        if data and not self.of_misfit:
            raise Fault("--data is for curves and for --bubbles misfit:VECTOR", 2)

    def values(self, r, time):
        """({well: value}, unit, what they are) at a time in the result's unit; a misfit is of all times."""
        columns = {group.attrs["name"]: self.kind + ":" + key for key, group in r.file["wells"].items()}
        columns = {name: c for name, c in columns.items() if c in r.file.get("summary", ())}
        if not columns:
            kinds = sorted({c.split(":")[0] for c in r.file.get("summary", ()) if c.startswith("W") and c != "WMCTL"})
            raise Fault("--bubbles: no well has %s; there are %s" % (shown(self.kind), " ".join(kinds) or "none"), 2)
        if any(r.file["summary"][c].dtype.kind not in "fiu" for c in columns.values()):
            raise Fault("--bubbles: %s holds texts" % self.kind, 2)
        unit = r.column("summary", next(iter(columns.values())))[1]
        if not self.of_misfit:
            found = {name: float(computed(r, c, numpy.array([time]))[0]) for name, c in columns.items()}
            return {name: v for name, v in found.items() if numpy.isfinite(v)}, unit, self.kind
        if self.data:
            clock, found = Clock([r]), {}
            for d in self.data:
                for name in columns:
                    if "%s:%s" % (self.kind, name) in d.columns:
                        found[name] = misfit_to(r, clock, d, "%s:%s" % (self.kind, name))
            found = {name: f for name, f in found.items() if f is not None}
            in_deviations = bool(found) and all(f[2] is not None for f in found.values())
            found = {name: f[2] if in_deviations else f[1] for name, f in found.items()}
            unit = "standard deviations" if in_deviations else unit
        else:
            found = {name: misfit(r, c) for name, c in columns.items()}
            found = {name: f[0] for name, f in found.items() if f is not None}
        if not found:
            raise Fault("--bubbles %s: nothing was observed of it: have the deck ask for %sH (output.vectors, SUMMARY), or give --data" % (
                self.wanted, self.kind), 2)
        return found, unit, "misfit of " + self.kind

    def scale(self, r, times):
        """One scale for maps of several times."""
        self.largest = max(abs(v) for time in times for v in self.values(r, time)[0].values())

    def draw(self, axes, labels, r, time):
        """Around the wells of draw_wells; (labels with the numbers, what stands beside the map)."""
        values, unit, what = self.values(r, time)
        largest = self.largest if self.largest is not None else max((abs(v) for v in values.values()), default=0.0)
        colour = "#c62828" if self.of_misfit else phase_colour(self.kind)
        out = []
        for name, place, ink in labels:
            value = values.get(name)
            if value is None:
                out.append((name, place, ink))
                continue
            disc, = axes.plot(place[0], place[1], "o", color=colour, alpha=0.55, markeredgecolor="white", clip_on=False, zorder=3,
                              markersize=LARGEST * (abs(value) / largest) ** 0.5 if largest > 0.0 else 0.0)
            disc.set_gid("bubble " + name)
            out.append(("%s  %.4g" % (name, value), place, ink))
        return out, "bubbles: %s%s" % (what, " [%s]" % unit if unit else "")
