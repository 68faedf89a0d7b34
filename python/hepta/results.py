"""Results: tables, fields, wells and grid of NAME.h5 (docs/reference/output.md)."""
from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any, Callable, Iterable

import h5py
import numpy

from .grids import Grid, draw_map
from .program import HeptaError, need

if TYPE_CHECKING:
    import pandas
    import xarray

PRESSURES = {"Pa": 1.0, "kPa": 1e3, "bar": 1e5, "atm": 101325.0, "MPa": 1e6, "psi": 6894.757293168361}


class Field:
    """An array of cells: `values` [nz][ny][nx] with NaN in inactive cells, its `name` and `unit`, and `step`, `time` (in the deck's
    unit), `date` of the report, which are None for what does not change. numpy takes it as its values."""

    def __init__(self, values: numpy.ndarray, name: str, unit: str, step: int | None = None, time: float | None = None,
                 date: numpy.datetime64 | None = None) -> None:
        self.values, self.name, self.unit, self.step, self.time, self.date = values, name, unit, step, time, date

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> numpy.ndarray:
        if copy is False and dtype is not None and dtype != self.values.dtype:
            raise ValueError("values of %s are copied as %s" % (self.values.dtype, dtype))
        return numpy.array(self.values, dtype=dtype) if copy else numpy.asarray(self.values, dtype=dtype)

    def to(self, unit: str) -> Field:
        """A pressure in another unit: Pa, kPa, bar, atm, MPa, psi.

        >>> Field(numpy.array([2e5]), "pressure", "Pa").to("bar").values
        array([2.])
        """
        if self.unit not in PRESSURES or unit not in PRESSURES:
            raise ValueError("%s in '%s' has no unit '%s'; pressures have %s" % (self.name, self.unit, unit, ", ".join(PRESSURES)))
        return Field(self.values * (PRESSURES[self.unit] / PRESSURES[unit]), self.name, unit, self.step, self.time, self.date)

    def __repr__(self) -> str:
        when = "" if self.step is None else ", step %d, time %g" % (self.step, self.time)
        return "<field %s [%s] %s%s>" % (self.name, self.unit, "x".join(str(n) for n in self.values.shape), when)


class Well:
    """A well: `name`, `type` (producer, injector: how it begins), `path` [n][3] of x, y, z = -depth in m, `index` in the deck."""

    def __init__(self, result: Result, key: str, group: Any) -> None:
        self._result, self._key = result, key
        self.name, self.type, self.index = str(group.attrs["name"]), str(group.attrs["type"]), int(group.attrs["index"])
        self.path = group["path"][:]

    @property
    def summary(self) -> pandas.DataFrame:
        """Its columns of the summary, WOPR and so on, as a pandas table."""
        return self._result._table("summary", lambda name: name.partition(":")[2] == self._key, lambda name: name.partition(":")[0])

    def __repr__(self) -> str:
        return "<%s %s>" % (self.type, self.name)


class Result:
    """The result of a run. Its files are read whenever something is asked for, so that a run that goes on may be looked at."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        path = os.fspath(path)
        self.path = path if path.endswith(".h5") else path + ".h5"
        with self._open() as f:
            self.title, self.deck = str(f.attrs["title"]), str(f.attrs["deck"])
            self.time_unit, self._second = str(f.attrs["time_unit"]), float(f.attrs["time_factor"])
            start = str(f.attrs.get("start", ""))
            self.start = numpy.datetime64(start.replace(" ", "T"), "s") if start else None
        self._grid: Grid | None = None

    def _open(self) -> h5py.File:
        if not os.path.exists(self.path):
            raise HeptaError("%s: no such result" % self.path)
        try:
            f = h5py.File(self.path, "r")
        except OSError as error:
            raise HeptaError("%s: cannot be opened as an HDF5 file: %s" % (self.path, error)) from None
        if f.attrs.get("format") != "hepta result" or "time" not in f:
            f.close()
            raise HeptaError("%s: not the master file of a result; give NAME.h5, which names all others" % self.path)
        return f

    def __repr__(self) -> str:
        return "<result %s: %s>" % (self.path, self.title)

    # ---- times ----

    def _read(self, name: str) -> numpy.ndarray:
        with self._open() as f:
            return f[name][:]

    @property
    def steps(self) -> numpy.ndarray:
        """Numbers of the time steps at whose end there are fields, that of the start included."""
        return self._read("step")

    @property
    def times(self) -> numpy.ndarray:
        """Their times, in the deck's unit (`time_unit`)."""
        return self._read("time") / self._second

    @property
    def dates(self) -> numpy.ndarray | None:
        """Their dates (numpy.datetime64); None: the deck has no start."""
        return self._dates(self._read("time"))

    def _dates(self, seconds: numpy.ndarray) -> numpy.ndarray | None:
        return None if self.start is None else self.start + numpy.round(seconds).astype("timedelta64[s]")

    # ---- tables ----

    @property
    def summary(self) -> pandas.DataFrame:
        """Rates, totals, pressures of each time step as a pandas table by TIME, with DATE where the deck has a start; units of the
        columns are in attrs["units"]."""
        return self._table("summary")

    @property
    def solver(self) -> pandas.DataFrame:
        """Iterations, cuts, norms, seconds of each time step, likewise."""
        return self._table("solver")

    def vector(self, name: str, group: str = "summary") -> numpy.ndarray:
        """A column of the summary, such as FOPR or WBHP:P1, as numpy has it."""
        with self._open() as f:
            return self._column(f, group, name)

    def _column(self, f: h5py.File, group: str, name: str) -> numpy.ndarray:
        if group not in f or name not in f[group]:
            raise HeptaError("%s: has no %s: its summary has %s" % (self.path, name, ", ".join(f[group]) if group in f else "no columns yet"))
        data = f[group][name]
        return data.asstr()[:] if h5py.check_string_dtype(data.dtype) else data[:]

    def _table(self, group: str, wanted: Callable[[str], bool] = lambda name: True,
               column: Callable[[str], str] = lambda name: name) -> pandas.DataFrame:
        tables = need("pandas", "a table")
        with self._open() as f:
            data = f[group] if group in f else {}
            clock = {"summary": "TIME", "solver": "time"}[group]
            names = [name for name in data if name == clock or wanted(name)]
            values = {column(name): self._column(f, group, name) for name in names}
            units = {column(name): str(data[name].attrs.get("unit", "")) for name in names}
        times = values.pop(clock, numpy.empty(0))
        table = tables.DataFrame(values, index=tables.Index(times, name=clock))
        if self.start is not None:
            table.insert(0, "DATE", tables.to_datetime(self._dates(times * self._second), errors="coerce"))
        table.attrs["units"] = units
        return table

    # ---- fields ----

    def _find(self, f: h5py.File, report: int, time: float | None, date: Any) -> int:
        """The index of a report step."""
        seconds = f["time"][:]
        if date is not None:
            if self.start is None:
                raise ValueError("%s: the deck has no start, and steps no dates: give time or report" % self.path)
            time = (numpy.datetime64(date, "s") - self.start).astype(float) / self._second
        if time is None:
            if not -len(seconds) <= report < len(seconds):
                raise IndexError("%s: there is no report step %d of %d" % (self.path, report, len(seconds)))
            return report % len(seconds)
        nearest = int(numpy.abs(seconds - time * self._second).argmin())
        if abs(seconds[nearest] - time * self._second) > max(0.5, 1e-9 * seconds[nearest]):
            raise ValueError("%s: there is no report step at %g %s; the nearest is at %g" % (
                self.path, time, self.time_unit, seconds[nearest] / self._second))
        return nearest

    def field(self, name: str, report: int = -1, time: float | None = None, date: Any = None) -> Field:
        """An array of cells: pressure, sw, so of a report step, given by its place in `steps` (-1: the last), its time in the deck's
        unit, or its date; or what does not change: porosity, permx, permy, permz, depth, ntg, pore_volume."""
        with self._open() as f:
            active = f["grid/active"][:] == 1
            if "static" in f and name in f["static"]:
                return self._field(f["static"][name], active, name)
            if len(f["step"]) == 0:
                raise HeptaError("%s: no report step has been written yet" % self.path)
            n = self._find(f, report, time, date)
            step, seconds = int(f["step"][n]), f["time"][n]
            try:
                group = f["steps/%06d" % step]
            except KeyError:
                raise HeptaError("%s: the file of report step %d is missing" % (self.path, step)) from None
            if name not in group:
                raise HeptaError("%s: has no field '%s'; there are %s" % (self.path, name, ", ".join([*group, *f["static"]])))
            dates = self._dates(numpy.array([seconds]))
            return self._field(group[name], active, name, step, seconds / self._second, None if dates is None else dates[0])

    @staticmethod
    def _field(data: h5py.Dataset, active: numpy.ndarray, name: str, *when: Any) -> Field:
        values = data[:]
        return Field(numpy.where(active, values, numpy.nan).astype(values.dtype if values.dtype.kind == "f" else float), name,
                     str(data.attrs.get("unit", "")), *when)

    def dataset(self, names: Iterable[str] = ("pressure", "sw", "so")) -> xarray.Dataset:
        """Fields of all report steps, and those that do not change, as an xarray.Dataset over time, k, j, i."""
        arrays = need("xarray", "dataset()")
        cells = ("k", "j", "i")
        with self._open() as f:
            static = [name for name in f["static"] if f["static"][name].ndim == 3]
            count = len(f["step"])
        data = {name: (cells, field.values, {"unit": field.unit}) for name, field in ((n, self.field(n)) for n in static)}
        for name in names:
            fields = [self.field(name, n) for n in range(count)]
            data[name] = (("time",) + cells, numpy.array([field.values for field in fields]), {"unit": fields[0].unit if fields else ""})
        shape = self.grid.shape
        coords = {"time": ("time", self.times, {"unit": self.time_unit}), "step": ("time", self.steps)}
        coords.update((name, numpy.arange(1, n + 1)) for name, n in zip(cells, shape))
        if self.start is not None:
            coords["date"] = ("time", self.dates.astype("datetime64[ns]"))
        return arrays.Dataset(data, coords, {"title": self.title, "deck": self.deck})

    # ---- the rest ----

    @property
    def grid(self) -> Grid:
        """Cells and their corners."""
        if self._grid is None:
            with self._open() as f:
                self._grid = Grid(f["grid"])
        return self._grid

    @property
    def wells(self) -> dict[str, Well]:
        """{name: Well}, in the deck's order."""
        with self._open() as f:
            wells = [Well(self, key, group) for key, group in f["wells"].items()] if "wells" in f else []
        return {well.name: well for well in sorted(wells, key=lambda well: well.index)}

    @property
    def said(self) -> str:
        """Words of the run: first lines, notes, warnings, changes of control, mass balance, work."""
        with self._open() as f:
            return f["said"].asstr()[0] if "said" in f and h5py.check_string_dtype(f["said"].dtype) else ""

    def map(self, name: str, layer: int = 1, report: int = -1, time: float | None = None, date: Any = None, unit: str | None = None,
            axes: Any = None, **options: Any) -> Any:
        """Draws an array of cells in one layer (k from 1), seen from above, with wells; returns matplotlib's axes. Options are those of
        matplotlib's collections: cmap, clim."""
        field = self.field(name, report, time, date)
        return draw_map(self, field if unit is None else field.to(unit), layer, axes, options)


def open(name: str | os.PathLike[str]) -> Result:
    """The result NAME, or NAME.h5.

    result = hepta.open("quarter_five_spot")
    result.summary["FOPR"].plot()
    """
    return Result(re.sub(r"\.h5$", "", os.fspath(name)))
