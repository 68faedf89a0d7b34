"""A corner point grid with tilted pillars and bent layers beside OPM Flow: pore
volumes, transmissibilities, depths and well indices of hexahedra, then the run."""
import math
import sys

import flow
import runs

flow.need()
checks = runs.Checks(say=True)
NX, NY, NZ = 10, 6, 3


def pillar(i, j):
    """Top and bottom of the pillar: not vertical, and no two alike."""
    x, y = 40.0 * i + 4.0 * math.sin(0.9 * j), 50.0 * j + 5.0 * math.sin(0.7 * i)
    return (x, y, 1950.0), (x + 6.0 * math.sin(1.0 * i + j), y + 8.0 * math.cos(0.5 * i * j), 2080.0)


def depth(i, j, k):
    dome = 0.02 * ((40.0 * i - 180.0) ** 2 + (50.0 * j - 130.0) ** 2) / 40.0
    return 2000.0 + dome + 8.0 * k + 1.5 * k * math.sin(0.8 * i + 0.3 * j * k)


coord = "COORD\n" + "".join(" %.6f %.6f %.6f %.6f %.6f %.6f\n" % (pillar(i, j)[0] + pillar(i, j)[1])
                             for j in range(NY + 1) for i in range(NX + 1)) + "/\n"
zcorn = "ZCORN\n" + "".join(" %.6f" % depth(i + a, j + b, k + c) + "\n" * a for k in range(NZ) for c in (0, 1)
                             for j in range(NY) for b in (0, 1) for i in range(NX) for a in (0, 1)) + "/\n"
ROCK = flow.BASE["grid"][flow.BASE["grid"].index("PORO"):]
DECKS = {
    "corners": {"grid": "SPECGRID\n 10 6 3 1 F /\n" + coord + zcorn + ROCK},
    "edited": {"grid": coord + zcorn + ROCK + "EQUALS\n NTG 0.7 1 10 3 6 2 2 /\n MULTX 0.1 4 4 1 6 1 3 /\n"
               " MULTPV 1.5 1 3 4* /\n ACTNUM 0 3 3 3 3 1 3 /\n/\n", "edit": "EQUALS\n TRANY 0.5 1 10 2 2 1 3 /\n/\n"},
}
LIMITS = {"FOPT": 0.002, "FWPT": 0.004, "FPR": 0.001, "WBHP:I": 0.002, "WBHP:P1": 0.004, "WBHP:P2": 0.004,
          "FOIP": 0.00002}
with runs.folder() as folder:
    for name, sections in DECKS.items():
        deck = flow.Deck(solution="EQUIL\n 2000 200 2400 0 /\n", add={"summary": "FOIP\n"}, **sections)
        foip = LIMITS["FOIP"]
        mine = flow.compare(checks, folder, name, deck, {v: x for v, x in LIMITS.items() if v != "FOIP"})
        times, theirs = flow.vector(folder + "/%s.flow/%s" % (name, name.upper()), "FOIP")
        start = mine.stdout[mine.stdout.index("Mass balance"):].splitlines()[1].split()
        now = float(start[4])
        checks.near("%s: oil in place" % name, now / theirs[-1], 1.0, foip)
sys.exit(checks.result())
