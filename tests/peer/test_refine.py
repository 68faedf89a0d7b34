"""grid.refine beside OPM Flow: hepta cuts the cells of a deck, Flow runs the deck that is written here cell by cell at the
fine size: corner points under a dome, a hole, multipliers of faces, wells completed later; and blocks of even layers."""
import sys

import flow
import runs

flow.need()
checks = runs.Checks(say=True)
NX, NY, NZ = 10, 6, 3
LEAN = (6.0, -4.0)  # of all pillars over 130 m of depth
LIMITS = {"FOPT": 0.002, "FWPT": 0.004, "FPR": 0.001, "WBHP:I": 0.002, "WBHP:P1": 0.004, "WBHP:P2": 0.004}
PERM = (200.0, 50.0, 400.0)


def depth(i, j, k):
    """Of a corner of the deck's cells, bent along both directions."""
    return 2000.0 + 0.0005 * ((40.0 * i - 180.0) ** 2 + (50.0 * j - 130.0) ** 2) + 8.0 * k + 0.02 * i * j * k


def between(i, j, k):
    """The same inside cells: linear along each direction."""
    low = [min(int(x), n - 1) for x, n in zip((i, j, k), (NX, NY, NZ))]
    share = [x - n for x, n in zip((i, j, k), low)]
    z = 0.0
    for n in range(8):
        up = (n % 2, n // 2 % 2, n // 4)
        weight = 1.0
        for d in range(3):
            weight *= share[d] if up[d] else 1.0 - share[d]
        z += weight * depth(*(low[d] + up[d] for d in range(3)))
    return z


def cells(r):
    """All cells of the grid cut into r, i fastest: their numbers from 0, those of the deck's cell, their place in it."""
    for k in range(NZ * r[2]):
        for j in range(NY * r[1]):
            for i in range(NX * r[0]):
                yield (i // r[0], j // r[1], k // r[2]), (i % r[0], j % r[1], k % r[2])


def array(name, r, value):
    return name + "\n" + "".join(" %g\n" % value(cell, part) for cell, part in cells(r)) + "/\n"


def rock(r):
    last = [n - 1 for n in r]
    return (array("PORO", r, lambda c, p: 0.15 + 0.01 * ((c[0] + 2 * c[1]) % 7))
            + "".join(array(name, r, lambda c, p: factor * PERM[c[2]] * (1 + (c[0] * 3 + c[1]) % 4))
                      for name, factor in (("PERMX", 1.0), ("PERMY", 0.7), ("PERMZ", 0.1)))
            + array("NTG", r, lambda c, p: 0.7 if c[2] == 1 else 1.0)
            + array("ACTNUM", r, lambda c, p: 0 if c[:2] == (4, 2) and c[2] < 2 else 1)
            + array("MULTX", r, lambda c, p: 0.1 if c[0] == 3 and p[0] == last[0] else 1.0)
            + array("MULTZ", r, lambda c, p: 0.05 if c[2] == 1 and p[2] == last[2] else 1.0))


def corners(r):
    coord = "COORD\n"
    for j in range(NY * r[1] + 1):
        for i in range(NX * r[0] + 1):
            x, y = 40.0 * i / r[0], 50.0 * j / r[1]
            coord += " %.9f %.9f 1950 %.9f %.9f 2080\n" % (x, y, x + LEAN[0], y + LEAN[1])
    zcorn = "/\nZCORN\n"
    for k in range(2 * NZ * r[2]):
        for j in range(2 * NY * r[1]):
            zcorn += "".join(" %.9f\n" % between((i + 1) // 2 / r[0], (j + 1) // 2 / r[1], (k + 1) // 2 / r[2])
                             for i in range(2 * NX * r[0]))
    return coord + zcorn + "/\n"


def blocks(r):
    n = NX * NY * NZ * r[0] * r[1] * r[2]
    return "DX\n %d*%.9f /\nDY\n %d*%.9f /\nDZ\n %d*%.9f /\nTOPS\n %d*2000 /\n" % (
        n, 40.0 / r[0], n, 50.0 / r[1], n, 8.0 / r[2], NX * NY * r[0] * r[1])


def deck(geometry, r):
    """Wells in the middle parts; the depth of their pressure is said."""
    def at(i, j):
        return "%d %d" % ((i - 1) * r[0] + (r[0] - 1) // 2 + 1, (j - 1) * r[1] + (r[1] - 1) // 2 + 1)

    def layers(first, last):
        return "%d %d" % ((first - 1) * r[2] + 1, last * r[2])

    wells = ("WELSPECS\n I G %s 2004 WATER /\n P1 G %s 2004 OIL /\n P2 G %s 2004 OIL /\n/\n" % (at(1, 1), at(10, 6), at(10, 1))
             + "COMPDAT\n I 2* %s OPEN 2* 0.2 /\n P1 2* %s OPEN 2* 0.2 /\n P2 2* %s OPEN 1* %.9f 0.2 /\n/\n" % (
                 layers(1, 3), layers(1, 2), layers(1, 3), 12.0 / r[2]))
    schedule = "TSTEP\n 5*30 /\nCOMPDAT\n P1 2* %s OPEN 2* 0.3 1* 1.5 /\n/\nTSTEP\n 5*30 /\n" % layers(3, 3)
    return flow.Deck(runspec=flow.BASE["runspec"].replace("10 6 3 /\nOIL", "%d %d %d /\nOIL" % (NX * r[0], NY * r[1], NZ * r[2])),
                     grid=geometry(r) + rock(r), wells=wells, schedule=schedule, solution="EQUIL\n 2000 200 2400 0 /\n")


with runs.folder() as folder:
    for name, geometry, r in (("corners", corners, (2, 3, 2)), ("blocks", blocks, (3, 2, 2))):
        mine = flow.compare(checks, folder, name, deck(geometry, r), LIMITS, ["grid.refine=[%d,%d,%d]" % r], mine=deck(geometry, (1, 1, 1)))
        n = mine.static("pore_volume").size
        checks.true("%s: refined" % name, n == NX * NY * NZ * r[0] * r[1] * r[2], n)
sys.exit(checks.result())
