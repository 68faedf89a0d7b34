"""The grid of a result: cells, their corners, and pictures of them."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy

from .program import need

if TYPE_CHECKING:
    from .results import Field, Result

VTK_HEXAHEDRON = 12


class Grid:
    """`shape` (nz, ny, nx); `active` [nz][ny][nx]; `points` [n][3], the nodes in m, z = -depth; `corners` [nz][ny][nx][8], the nodes of
    each cell in VTK's order: first the four of one face across k, then those of the other."""

    def __init__(self, group: Any) -> None:
        self.active = group["active"][:] == 1
        self.shape = self.active.shape
        self.points = group["nodes"][:].reshape(-1, 3)
        self.corners = group["cells"][:]

    @property
    def cells(self) -> numpy.ndarray:
        """[nactive][8]: nodes of the active cells, in the order of `field.values[grid.active]`."""
        return self.corners[self.active]

    @property
    def centres(self) -> numpy.ndarray:
        """[nz][ny][nx][3]: the mean of each cell's corners in m, NaN for inactive cells."""
        centres = numpy.full(self.shape + (3,), numpy.nan)
        centres[self.active] = self.points[self.cells].mean(axis=1)
        return centres

    def mesh(self, *fields: Field) -> Any:
        """The active cells as a pyvista.UnstructuredGrid with these fields (Result.field) as data of its cells; without PyVista
        (points, cells), two arrays."""
        try:
            pyvista = need("pyvista", "mesh()")
        except ImportError:
            if fields:
                raise
            return self.points, self.cells
        cells = self.cells
        counted = numpy.hstack([numpy.full((len(cells), 1), 8), cells]).ravel()
        mesh = pyvista.UnstructuredGrid(counted, numpy.full(len(cells), VTK_HEXAHEDRON, numpy.uint8), self.points)
        for field in fields:
            mesh.cell_data[field.name] = field.values[self.active]
        return mesh


def draw_map(result: Result, field: Field, layer: int, axes: Any, options: dict[str, Any]) -> Any:
    """Result.map, of a field."""
    collections = need("matplotlib.collections", "map()")
    grid = result.grid
    if not 1 <= layer <= grid.shape[0]:
        raise ValueError("there is no layer %d: the grid has %d, from 1 at the top" % (layer, grid.shape[0]))
    active = grid.active[layer - 1]
    if axes is None:
        axes = need("matplotlib.pyplot", "map()").subplots()[1]
    faces = grid.points[grid.corners[layer - 1][active][:, :4], :2]
    cells = collections.PolyCollection(faces, array=field.values[layer - 1][active], **{"edgecolors": "face", "linewidths": 0.2, **options})
    axes.add_collection(cells)
    label = field.name + (" [%s]" % field.unit if field.unit else "")
    axes.figure.colorbar(cells, ax=axes, label=label)
    for well in result.wells.values():
        x, y = well.path[-1, :2] if len(well.path) else (numpy.nan, numpy.nan)
        axes.plot(x, y, "v" if well.type == "injector" else "o", color="white", markeredgecolor="black")
        axes.annotate(well.name, (x, y), xytext=(4, 4), textcoords="offset points")
    axes.set_aspect("equal")
    axes.autoscale_view()
    axes.set_xlabel("x [m]")
    axes.set_ylabel("y [m]")
    when = "" if field.step is None else ", %g %s" % (field.time, result.time_unit)
    axes.set_title("%s, layer %d%s" % (result.title or result.path, layer, when))
    return axes
