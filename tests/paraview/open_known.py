"""Run by pvbatch (test_open.py): asserts what ParaView reads from the result of test_unit_output.

    pvbatch open_known.py BASE [tilted]

The numbers repeat tests/unit/io/output_case.h.
"""
import sys

from paraview.simple import *

NX, NY, NZ = 12, 10, 4
BASE, TILTED = sys.argv[1], sys.argv[2:] == ["tilted"]
ARRAYS = {"pressure", "sw", "so", "porosity", "permx", "permy", "permz", "depth", "ntg", "pore_volume", "active",
          "vtkGhostType"}


def pressure(i, j, k, step):
    return 2e7 + 1e5 * i + 1e4 * j + 1e3 * k + 1e2 * step


def water(i, j, k, step):
    return 0.2 + 0.04 * i + 0.01 * j + 0.002 * k + 0.0005 * step


def active(i, j):
    return i < 9 or j < 7


def close(a, b, tolerance):
    assert abs(a - b) <= tolerance, (a, b)


def check_values(data, step):
    cells = data.GetCellData()
    names = {cells.GetArrayName(n) for n in range(cells.GetNumberOfArrays())}
    assert names == ARRAYS, names
    assert data.GetNumberOfCells() == NX * NY * NZ
    for k in range(NZ):
        for j in range(NY):
            for i in range(NX):
                n = i + NX * (j + NY * k)
                value = {name: cells.GetArray(name).GetValue(n) for name in names}
                close(value["pressure"], pressure(i, j, k, step), 2.0)
                close(value["sw"], water(i, j, k, step), 1e-7)
                close(value["so"], 1.0 - water(i, j, k, step), 1e-7)
                close(value["permx"], 3.0 * (1 + i + 100 * k), 1e-3)
                close(value["permz"], 1.0 * (1 + i + 100 * k), 1e-3)
                close(value["porosity"], 0.1 + 0.01 * k, 1e-7)
                close(value["depth"], 2002.5 + 5.0 * k + (6.0 * i + 2.0 * j if TILTED else 0.0), 1e-3)
                assert value["active"] == active(i, j)
                assert value["vtkGhostType"] == (0 if active(i, j) else 32)


def check_mesh(data):
    assert data.IsA("vtkUnstructuredGrid"), data.GetClassName()
    bounds = data.GetCell(3 + NX * (4 + NY * 1)).GetBounds()
    close(bounds[0], 3 * 50 + 5 * 3, 1e-6)
    close(bounds[1], 4 * 50 + 5 * 6, 1e-6)
    close(bounds[2], 240.0, 1e-6)
    close(bounds[3], 300.0, 1e-6)
    # The mean z of the eight nodes; inside a tilted plane that is the cell's own depth, upwards.
    cell = data.GetCell(3 + NX * (4 + NY * 1))
    points = [cell.GetPoints().GetPoint(p) for p in range(8)]
    close(sum(p[2] for p in points) / 8, -2007.5 - (6.0 * 3 + 2.0 * 4 if TILTED else 0.0), 1e-6)


def check_probe(reservoir, wanted):
    """A point in the middle of cell (3, 4, 1), with z = -depth, finds that cell."""
    probe = ProbeLocation(Input=reservoir, ProbeType="Fixed Radius Point Source")
    probe.ProbeType.Center = [150 + 15 + 0.5 * 65, 270.0, -2007.5 - (6.0 * 3 + 2.0 * 4 if TILTED else 0.0)]
    probe.ProbeType.NumberOfPoints, probe.ProbeType.Radius = 1, 0.0
    probe.UpdatePipeline(6.0)
    close(servermanager.Fetch(probe).GetPointData().GetArray("pressure").GetValue(0), wanted, 2.0)


def check_volumes(reservoir):
    """Cells are not inside out: VTK's volume of each active one is positive, and that of a block."""
    sizes = CellSize(Input=reservoir)
    sizes.UpdatePipeline(6.0)
    volume = sizes.GetClientSideObject().GetOutputDataObject(0).GetCellData().GetArray("Volume")
    for n in range(NX * NY * NZ):
        i, j = n % NX, n // NX % NY
        close(volume.GetValue(n), (50.0 + 5.0 * i) * 60.0 * 5.0 if active(i, j) else 0.0, 3e3 if TILTED else 1e-6)


def check_hidden(reservoir):
    """Hidden cells are out of the surface, and the cells they leave open are in it."""
    surface = ExtractSurface(Input=reservoir)
    surface.UpdatePipeline(6.0)
    columns = sum(active(i, j) for i in range(NX) for j in range(NY))
    assert surface.GetDataInformation().GetNumberOfCells() == 2 * columns + 2 * (NX + NY) * NZ
    whole = Threshold(Input=reservoir, Scalars=["CELLS", "active"], LowerThreshold=1, UpperThreshold=1)
    whole.UpdatePipeline(6.0)
    assert whole.GetDataInformation().GetNumberOfCells() == columns * NZ


def check_wells(wells):
    data = servermanager.Fetch(wells)
    cells = data.GetCellData()
    names, injector, riser = (cells.GetAbstractArray(name) for name in ("well", "injector", "riser"))
    lines = []
    for n in range(data.GetNumberOfCells()):
        lines.append((names.GetValue(n), injector.GetValue(n), riser.GetValue(n), data.GetCell(n).GetBounds()))
    assert [line[:3] for line in lines] == [("INJ", 1, 0), ("INJ", 1, 1), ("P-1", 0, 0), ("P-1", 0, 1),
                                            ("H_2", 0, 0), ("H_2", 0, 1)], lines
    assert lines[0][3] == (25.0, 25.0, 30.0, 30.0, -2020.0, -2000.0)
    close(lines[4][3][0], 250 + 0.5 * 70, 200)  # the horizontal well runs along i
    assert lines[4][3][1] - lines[4][3][0] > 100.0 and lines[4][3][2] == lines[4][3][3] == 510.0
    top = -2000.0
    assert all(line[3][5] > top for line in lines if line[2])


reservoir = OpenDataFile(BASE + ".xdmf2")
assert reservoir is not None and reservoir.GetXMLName() == "XdmfReader", reservoir.GetXMLName()
assert list(reservoir.TimestepValues) == [0.0, 1.5, 4.0, 6.0], list(reservoir.TimestepValues)
for time, step in ((6.0, 6), (0.0, 0), (1.5, 2), (4.0, 4)):
    reservoir.UpdatePipeline(time)
    # Not servermanager.Fetch, which scrambles grids with hidden cells (ParaView 5.11).
    data = reservoir.GetClientSideObject().GetOutputDataObject(0)
    check_values(data, step)
    check_mesh(data)
check_probe(reservoir, pressure(3, 4, 1, 6))
check_volumes(reservoir)
check_hidden(reservoir)
wells = OpenDataFile(BASE + ".wells.vtp")
wells.UpdatePipeline()
check_wells(wells)
print("all right")
