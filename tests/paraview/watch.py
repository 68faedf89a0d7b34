"""Run by pvbatch (test_live.py) while a run goes on: opens the result again and again.

    pvbatch watch.py BASE LOOKS

Prints a line when ParaView has started, and a line a look: how many steps a fresh reader has, how many the first one has after "Reload Files", and the
injected water of the last step in view (sum of sw).
"""
import sys
import time

from paraview.simple import *

BASE, LOOKS = sys.argv[1], int(sys.argv[2])


def open_result():
    reader = OpenDataFile(BASE + ".xdmf2")
    reader.UpdatePipelineInformation()
    return reader


def wait_for_more(seen):
    """Until the result has more steps than seen, at most a minute."""
    for _ in range(600):
        fresh = open_result()
        if len(fresh.TimestepValues) > seen:
            return fresh
        Delete(fresh)
        time.sleep(0.1)
    sys.exit("no new step in a minute")


print("started", flush=True)
kept = wait_for_more(0)
for look in range(LOOKS):
    fresh = wait_for_more(len(kept.TimestepValues))
    count = len(fresh.TimestepValues)
    fresh.UpdatePipeline(fresh.TimestepValues[-1])
    sw = fresh.GetClientSideObject().GetOutputDataObject(0).GetCellData().GetArray("sw")
    total = sum(sw.GetValue(n) for n in range(sw.GetNumberOfTuples()))
    ReloadFiles(kept)
    kept.UpdatePipelineInformation()
    print("look", count, len(kept.TimestepValues), total, flush=True)
    Delete(fresh)
