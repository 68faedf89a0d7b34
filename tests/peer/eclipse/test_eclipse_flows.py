"""Flows between cells (RPTRST FLOWS) beside OPM Flow 2022.10, which has those between regions (ROFR, RWFR): the sums over the faces and
connections between two regions, halves of the field along i, j and k. Capillary pressures (PCOW) beside Flow's."""
import os
import sys

import eclipse_files
import flow
import runs

flow.need()
checks = runs.Checks()
N = (10, 6, 3)
CUTS = {"I": 5, "J": 3, "K": 1}
LIMIT = 0.003  # of the largest flow between the regions
NNC = "NNC\n 2 2 1 8 5 3 1.5 /\n/\n"


def number(i, j, k):
    return i + N[0] * (j + N[1] * k)


CELLS = [(i, j, k) for k in range(N[2]) for j in range(N[1]) for i in range(N[0])]


def between(step, pairs, axis, region, phase):
    """The flow from region 1 to 2."""
    letter = "IJK"[axis]
    total = sum(v for c, v in zip(CELLS, step["FLO%s%s+" % (phase, letter)]) if c[axis] == CUTS[letter] - 1)
    for (a, b), v in zip(pairs, step["FLO%sN+" % phase]):
        total += v * (region[b - 1] - region[a - 1])
    return total


with runs.folder() as folder:
    for axis, letter in enumerate("IJK"):
        region = [1 + (c[axis] >= CUTS[letter]) for c in CELLS]
        deck = flow.Deck(step=2, add={"solution": "RPTRST\n BASIC=2 FLOWS PCOW /\n", "grid": NNC, "summary": "ROFR\n 1 2 /\n/\nRWFR\n 1 2 /\n/\n"},
                         regions="FIPNUM\n %s /\n" % " ".join(map(str, region)), schedule="TSTEP\n 4*30 /\n")
        _, theirs = flow.both(folder, "flows" + letter, deck, ["output.eclipse=true"])
        steps = eclipse_files.reports(os.path.join(folder, "FLOWS%s.UNRST" % letter))
        grid = eclipse_files.read(os.path.join(folder, "FLOWS%s.EGRID" % letter))
        pairs = list(zip(eclipse_files.one(grid, "NNC1"), eclipse_files.one(grid, "NNC2")))
        summary = eclipse_files.Summary(theirs, consecutive=False)
        days = summary.vector("TIME")
        of_flow = {}
        for name, phase in (("ROFR", "OIL"), ("RWFR", "WAT")):
            values = next(summary.vector(*key) for key in summary.keys if key[0] == name)
            of_flow[phase] = [values[min(range(len(days)), key=lambda n: abs(days[n] - 30 * report))] for report in range(1, 5)]
        largest = max(abs(v) for values in of_flow.values() for v in values)
        checks.true("there is much flow", largest > 20, largest)
        for phase, values in of_flow.items():
            mine = [between(step, pairs, axis, region, phase) for step in steps[1:]]
            worst = max(abs(a - b) for a, b in zip(mine, values)) / largest
            checks.between("%s along %s differs" % (phase, letter), worst, 0.0, LIMIT)
        other = eclipse_files.reports(theirs + ".UNRST")
        for n in (1, 4):
            worst = max(abs(a - b) for a, b in zip(steps[n]["PCOW"], other[n]["PCOW"]))
            checks.between("PCOW, report %d, bar" % n, worst, 0.0, 0.0015)

sys.exit(checks.result())
