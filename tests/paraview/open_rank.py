"""Run by pvbatch (test_rank.py): the field `rank` as ParaView reads it is that of the file, and colours the surface.

    pvbatch open_rank.py BASE RANKS COLUMNS... (of each rank)
"""
import sys

from paraview.simple import *

BASE, RANKS, COLUMNS = sys.argv[1], int(sys.argv[2]), [int(n) for n in sys.argv[3:]]

reservoir = OpenDataFile(BASE + ".xdmf2")
reservoir.UpdatePipeline(reservoir.TimestepValues[-1])
data = reservoir.GetClientSideObject().GetOutputDataObject(0)
rank = data.GetCellData().GetArray("rank")
cells = [rank.GetValue(n) for n in range(data.GetNumberOfCells())]
layers = len(cells) // sum(COLUMNS)
assert [cells.count(r) for r in range(RANKS)] == [n * layers for n in COLUMNS], cells[:100]
assert len(cells) == layers * sum(COLUMNS)
for r in range(RANKS):  # in space a box, as the file's numbers say
    bounds = [data.GetCell(n).GetBounds() for n in range(len(cells)) if cells[n] == r]
    area = {(b[0], b[1], b[2], b[3]): (b[1] - b[0]) * (b[3] - b[2]) for b in bounds}
    box = (max(b[1] for b in bounds) - min(b[0] for b in bounds)) * (max(b[3] for b in bounds) - min(b[2] for b in bounds))
    assert abs(sum(area.values()) - box) < 1e-6 * box, (r, sum(area.values()), box)
print("all right")
