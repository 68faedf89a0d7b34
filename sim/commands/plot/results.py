"""Files that are drawn: results, and data beside them."""
import csv
import datetime
import os
import re

import h5py
import numpy


def shown(text):
    """Text of files without control characters, overrides of direction and bytes that are no UTF-8, as core/show.c does."""
    return "".join(c if c.isprintable() else c.encode("ascii", "backslashreplace").decode()
                   if ord(c) > 126 else "\\x%02x" % ord(c) for c in str(text))


def read_date(text):
    """Dates as decks have them (io/date.h), None: it is none."""
    for form in ("%Y-%m-%d", "%Y-%m-%d %H:%M", "%Y-%m-%d %H:%M:%S", "%Y-%m-%d %H:%M:%S.%f"):
        try:
            return datetime.datetime.strptime(text.replace("T", " "), form)
        except ValueError:
            pass
    return None


class Fault(Exception):
    """A failure that ends the program, with its exit code."""

    def __init__(self, text, code=1):
        super().__init__(text)
        self.code = code


def checksum(numbers):
    """That of an array in the order and type of its file, as io/files/sums.h has it."""
    def mix(x):
        x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9 & 0xffffffffffffffff
        x = (x ^ (x >> 27)) * 0x94d049bb133111eb & 0xffffffffffffffff
        return x ^ (x >> 31)

    size = numbers.nbytes
    words = numpy.frombuffer(numbers.tobytes() + bytes(-size % 8), "<u8")
    placed = int((words * numpy.arange(1, len(words) + 1, dtype="u8")).sum(dtype="u8"))
    inner = mix(placed + mix(size) & 0xffffffffffffffff)
    return "%016x" % mix(int(words.sum(dtype="u8")) + inner & 0xffffffffffffffff)


class Result:
    """A result file: columns of /summary and /solver by name."""
    is_of_eclipse = False

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
        return read_date(self.file.attrs.get("start", ""))

    def date(self, time):
        """", 2027-02-05" of a time in the result's unit; "": nobody knows it, or it is beyond the year 9999."""
        try:
            return (self.start() + datetime.timedelta(seconds=time * float(self.file.attrs["time_factor"]))).strftime(", %Y-%m-%d")
        except (TypeError, OverflowError):
            return ""

    def column(self, group, name):
        """(values, unit)"""
        if group not in self.file or name not in self.file[group]:
            raise Fault("%s: has no /%s/%s: the run has not ended, or output.summary is off" % (self.path, group, name))
        data = self.file[group][name]
        return data[:].astype(float), shown(data.attrs.get("unit", ""))

    def field(self, step, array):
        """Numbers of a report step, which are as they were written: packed ones show damage by themselves."""
        link = "steps/%06d" % step
        if link not in self.file:
            raise Fault("%s: the file of report step %d is missing" % (self.path, step))
        file = "report step %d" % step
        try:
            data = self.file[link + "/" + array]
            file = data.file.filename
            own = [float(data.file.attrs[name]) for name in ("step", "time")]
            values = data[:]
            sums = data.file.attrs.get("checksums", "") if data.chunks is None else ""
        except (OSError, KeyError) as error:
            raise Fault("%s: %s: /%s is damaged: %s" % (self.path, file, array, error), 2) from None
        time = self.file["time"][list(self.file["step"]).index(step)]
        if own[0] != step or abs(own[1] - time) > 1e-9 * time:
            raise Fault("%s: is of report step %d, after %.10g days, and not of step %d, after %.10g days: a file was copied or renamed"
                        % (file, own[0], own[1] / 86400, step, time / 86400), 2)
        if sums and "%s /%s\n" % (checksum(values), array) not in sums:
            raise Fault("%s: %s: /%s is damaged: it is not what was written" % (self.path, file, array), 2)
        return values

    def last_step(self):
        """The group of the last report step, {}: there is none."""
        link = "steps/%06d" % self.file["step"][-1] if len(self.file["step"]) else ""
        return self.file[link] if link and link in self.file else {}

    def more_fields(self):
        """Fields of report steps beside pressure and saturations: those of hepta diagnose."""
        step = self.last_step()
        return tuple(n for n in step if n not in ("pressure", "sw", "so") and isinstance(step[n], h5py.Dataset) and step[n].ndim == 3)

    def is_diagnosis(self):
        return "pairs" in self.last_step()

    def ends(self, table):
        """Names of sources or sinks of a diagnosis, in their order."""
        return [shown(name.decode("utf-8", "replace")) for name in self.last_step()[table + "/NAME"][:]]

    def has_well(self, name):
        return "wells" in self.file and any(group.attrs["name"] == name for group in self.file["wells"].values())

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
    """Measured or reference values: a CSV file with the column TIME or DATE and others of the summary's names, each NAME or
    NAME[UNIT]. An empty entry is none. Or a line for each value: TIME or DATE, VECTOR, VALUE and, if they are known, SIGMA, its
    standard deviation, and UNIT."""

    def __init__(self, path):
        self.path, self.name, self.columns, self.used = path, os.path.basename(path), {}, False
        self.sigma, self.must_be_drawn = {}, True
        try:
            with open(path, newline="", encoding="utf-8-sig") as f:
                rows = list(csv.reader(f))
        except (OSError, UnicodeDecodeError, csv.Error) as error:
            raise Fault("%s: cannot be read: %s" % (path, error), 2) from None
        heads = [re.fullmatch(r"\s*(.*?)\s*(?:\[(.*)\])?\s*", text) for text in (rows[0] if rows else [])]
        for n, head in enumerate(heads):
            self.columns[head.group(1)] = ([self.entry(row, n, line + 2) for line, row in enumerate(rows[1:])], head.group(2))
        if "TIME" not in self.columns and "DATE" not in self.columns:
            raise Fault("%s: has no column TIME or DATE in its first line" % path, 2)
        if "VECTOR" in self.columns:
            self.spread()

    def spread(self):
        """A line for each value becomes a column for each vector."""
        def of(name):
            return self.columns.pop(name, ([float("nan")] * rows, None))[0]

        rows = len(self.columns["VECTOR"][0])
        if "VALUE" not in self.columns:
            raise Fault("%s: has VECTOR, but no column VALUE in its first line" % self.path, 2)
        vectors, values, sigmas, units = of("VECTOR"), of("VALUE"), of("SIGMA"), of("UNIT")
        unknown = [c for c in self.columns if c not in ("TIME", "DATE")]
        if unknown:
            raise Fault("%s: column %s: beside VECTOR there are TIME or DATE, VALUE, SIGMA and UNIT" % (self.path, shown(unknown[0])), 2)
        for n, (vector, value, sigma, unit) in enumerate(zip(vectors, values, sigmas, units)):
            if not isinstance(vector, str):
                raise Fault("%s:%d: VECTOR: must be a name like FOPR or WOPR:P1" % (self.path, n + 2), 2)
            if not isinstance(sigma, float) or sigma <= 0.0:
                raise Fault("%s:%d: SIGMA: '%s' must be a number > 0, or left out" % (self.path, n + 2, shown(sigma)), 2)
            unit = unit if isinstance(unit, str) else None
            column, own = self.columns.setdefault(vector, ([float("nan")] * rows, unit))
            if own != unit:
                raise Fault("%s:%d: UNIT: %s is in %s and in %s" % (self.path, n + 2, vector, own or "no unit", unit or "no unit"), 2)
            column[n] = value
            self.sigma.setdefault(vector, numpy.full(rows, numpy.nan))[n] = sigma

    def vectors(self):
        return [name for name in self.columns if name not in ("TIME", "DATE")]

    def times(self, clock):
        """In the results' unit."""
        if "TIME" in self.columns:
            return self.column("TIME", clock.unit)
        if clock.zero is None:
            raise Fault("%s: DATE: the results have no date to count from, or several: give TIME" % self.path, 2)
        values = self.columns["DATE"][0]
        dates = [read_date(v) if isinstance(v, str) else None for v in values]
        if None in dates:
            n = dates.index(None)
            raise Fault("%s:%d: DATE: '%s' must be a date that exists, like 2026-01-31 or 2026-01-31 06:00" % (
                self.path, n + 2, shown("" if values[n] != values[n] else values[n])), 2)
        return numpy.array([(date - clock.zero).total_seconds() for date in dates]) / 86400.0 / clock.factor

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
