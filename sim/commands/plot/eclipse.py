"""Results of Eclipse and of OPM Flow as results of hepta's: NAME.SMSPEC with NAME.UNSMRY and, where they are there, NAME.EGRID and
NAME.UNRST beside it."""
import datetime
import os
import re

import h5py
import numpy

from results import Fault, Result

KINDS = {b"INTE": (">i4", 1000), b"REAL": (">f4", 1000), b"DOUB": (">f8", 1000), b"LOGI": (">i4", 1000), b"CHAR": ("S8", 105), b"MESS": ("S1", 1)}
UNITS = {1: ("metric", 1e5, "day", 86400.0, 1.0), 2: ("field", 6894.757293168361, "day", 86400.0, 0.3048), 3: ("lab", 101325.0, "hour", 3600.0, 0.01)}
ENDINGS = r"\.(SMSPEC|UNSMRY|UNRST|EGRID)$"
NUMBERED, CELLS = "ARB", "BC"  # first letters of vectors that have a number, and of those whose number is a cell's


def is_meant(path):
    return re.search(ENDINGS, path, re.I) is not None


def arrays(path):
    """(name, values) of an unformatted file, one after the other."""
    try:
        with open(path, "rb") as f:
            data = f.read()
        at = 0
        while at < len(data):
            name, count, kind = data[at + 4:at + 12], int.from_bytes(data[at + 12:at + 16], "big"), data[at + 16:at + 20]
            at += 24
            if kind[:1] == b"C" and kind[1:].isdigit():  # C0NN: texts of NN letters
                form, most = "S%d" % int(kind[1:]), 105
            else:
                form, most = KINDS[kind]
            item, parts, left = numpy.dtype(form).itemsize, [], count if kind != b"MESS" else 0
            while left > 0:
                length = int.from_bytes(data[at:at + 4], "big")
                if length % item != 0 or not 0 < length <= item * max(most, left) or at + 8 + length > len(data):
                    raise ValueError("a record of %d bytes" % length)
                parts.append(numpy.frombuffer(data, form, length // item, at + 4))
                left -= length // item
                at += 8 + length
            yield name.decode("ascii").strip(), numpy.concatenate(parts) if parts else numpy.empty(0)
    except OSError as error:
        raise Fault("%s: cannot be read: %s" % (path, error.strerror or error), 2) from None
    except (KeyError, ValueError, UnicodeDecodeError) as error:
        raise Fault("%s: is damaged, or not an unformatted file of Eclipse: %s" % (path, error), 2) from None


def words(values):
    return [v.decode("latin-1").strip() for v in values]


def column_of(keyword, name, number, size):
    """The name of a vector as hepta has it, None: it belongs to nothing that hepta knows."""
    level = keyword[:1]
    if level in CELLS and number > 0:
        n = number - 1
        cell = "%d,%d,%d" % (n % size[0] + 1, n // size[0] % size[1] + 1, n // size[0] // size[1] + 1)
        return "%s:%s" % (keyword, cell) if level == "B" else "%s:%s:%s" % (keyword, name, cell)
    if level in NUMBERED:
        return "%s:%d" % (keyword, number) if number > 0 else None
    if level in "WG":
        return "%s:%s" % (keyword, name) if name and not name.startswith(":+") else None
    return keyword


class Grid:
    """Active cells and corners [m] of an EGRID."""

    def __init__(self, path, length):
        found = dict(arrays(path))
        nx, ny, nz = (int(n) for n in found["GRIDHEAD"][1:4])
        self.active = (found["ACTNUM"] if "ACTNUM" in found else numpy.ones(nx * ny * nz)).reshape(nz, ny, nx) != 0
        coord = found["COORD"].astype(float).reshape(ny + 1, nx + 1, 2, 3) * length
        z = found["ZCORN"].astype(float).reshape(nz, 2, ny, 2, nx, 2) * length
        corners = numpy.empty((nz, ny, nx, 8, 3))
        for n, (k, j, i) in enumerate((k, j, i) for k in (0, 1) for j, i in ((0, 0), (0, 1), (1, 1), (1, 0))):
            depth = z[:, k, :, j, :, i]
            top, bottom = (coord[j:ny + j, i:nx + i, end] for end in (0, 1))
            high = bottom[..., 2] - top[..., 2]
            share = (depth - top[..., 2]) / numpy.where(high != 0.0, high, 1.0)
            for axis in (0, 1):
                corners[..., n, axis] = top[..., axis] + share * (bottom[..., axis] - top[..., axis])
            corners[..., n, 2] = -depth
        self.corners = corners.reshape(-1, 3)


class EclipseResult(Result):
    """The same of files of Eclipse: what hepta writes into HDF5 files stands in one that is in memory alone."""
    is_of_eclipse = True

    def __init__(self, path):
        self.path, self.base = path, re.sub(ENDINGS, "", path, flags=re.I)
        self.name = os.path.basename(self.base)
        self.states = []
        spec = dict(arrays(self.beside("SMSPEC")))
        if not {"KEYWORDS", "NUMS", "UNITS", "DIMENS"} <= set(spec) or not {"WGNAMES", "NAMES"} & set(spec):
            raise Fault("%s: is no summary of Eclipse's" % self.beside("SMSPEC"), 2)
        self.file = h5py.File("in memory %d" % id(self), "w", driver="core", backing_store=False)
        unit = int(spec["INTEHEAD"][0]) if "INTEHEAD" in spec else 1
        self.units, self.pressure, time, factor, length = UNITS.get(unit, UNITS[1])
        self.file.attrs.update({"units": self.units, "time_unit": time, "time_factor": factor, "title": "", "deck": "", "version": "",
                                "oil_at_start": 0.0})
        if "STARTDAT" in spec:
            day, month, year = (int(n) for n in spec["STARTDAT"][:3])
            clock = [int(n) for n in spec["STARTDAT"][3:5]] if len(spec["STARTDAT"]) > 4 else [0, 0]
            try:
                self.file.attrs["start"] = datetime.datetime(year, month, day, *clock).strftime("%Y-%m-%d %H:%M")
            except ValueError:
                pass
        self.read_summary(spec)
        self.read_grid(length)
        self.read_states()

    def beside(self, ending):
        """The file with that ending, in capitals or not."""
        for name in (self.base + "." + ending, self.base + "." + ending.lower()):
            if os.path.exists(name):
                return name
        return self.base + "." + ending

    def read_summary(self, spec):
        names = words(spec["WGNAMES"] if "WGNAMES" in spec else spec["NAMES"])
        size = [max(1, int(n)) for n in spec["DIMENS"][1:4]]
        keys, units = words(spec["KEYWORDS"]), words(spec["UNITS"])
        rows = [values for name, values in arrays(self.beside("UNSMRY")) if name == "PARAMS"]
        if any(len(row) != len(keys) for row in rows) or "TIME" not in keys:
            raise Fault("%s: does not belong to its SMSPEC" % self.beside("UNSMRY"), 2)
        table = numpy.array(rows, dtype=float).reshape(len(rows), len(keys))
        kept = table[:, keys.index("TIME")] > 0.0  # the state at time zero is no time step
        summary, wells = self.file.create_group("summary"), []
        for n, keyword in enumerate(keys):
            column = column_of(keyword, names[n], int(spec["NUMS"][n]), size)
            if column is None or "/" in column or column in summary:
                continue
            summary[column] = table[kept, n]
            summary[column].attrs["unit"] = units[n]
            if keyword.startswith("W") and names[n] not in wells:
                wells.append(names[n])
        self.file.create_group("static")
        there = self.file.create_group("wells")
        for n, well in enumerate(wells):
            group = there.create_group(well)
            injects = any(summary[c][:].any() for c in ("WWIT:" + well, "WWIR:" + well) if c in summary)
            group.attrs.update({"name": well, "index": n, "type": "injector" if injects else "producer"})
            group["path"] = numpy.empty((0, 3))

    def read_grid(self, length):
        if not os.path.exists(self.beside("EGRID")):
            return
        try:
            grid = Grid(self.beside("EGRID"), length)
        except (KeyError, ValueError) as error:
            raise Fault("%s: is damaged: %s" % (self.beside("EGRID"), error), 2) from None
        group = self.file.create_group("grid")
        group.attrs["positive"] = "up"
        group["active"] = grid.active
        group["nodes"] = grid.corners
        group["cells"] = numpy.arange(len(grid.corners)).reshape(grid.active.shape + (8,))

    def read_states(self):
        """Pressures and saturations of the report steps, of active cells."""
        if "grid" in self.file and os.path.exists(self.beside("UNRST")):
            for name, values in arrays(self.beside("UNRST")):
                if name == "SEQNUM":
                    self.states.append({})
                elif self.states and name in ("DOUBHEAD", "PRESSURE", "SWAT"):
                    self.states[-1][name] = values
        self.states = [s for s in self.states if len(s) == 3]
        self.file["time"] = [float(s["DOUBHEAD"][0]) * 86400.0 for s in self.states]
        self.file["step"] = numpy.arange(len(self.states))

    def field(self, step, array):
        active = self.file["grid/active"][:]
        values = self.states[step]["PRESSURE" if array == "pressure" else "SWAT"]
        if len(values) != numpy.count_nonzero(active):
            raise Fault("%s: does not belong to its EGRID" % self.beside("UNRST"), 2)
        out = numpy.full(active.shape, numpy.nan)
        out[active] = values * self.pressure if array == "pressure" else 1.0 - values if array == "so" else values
        return out

    def last_step(self):
        return {}
