#!/usr/bin/env python3
"""Writes an Eclipse deck of a faulted field: corner points, folded layers, faults along both axes whose throw changes
along them, lognormal permeability by layers, injectors and producers in turn over the area, ten years.

    bench/faulted_field.py FIELD.DATA [--size 60x60x20] [--faults 6] [--throw 3.4] [--wells 20]
        [--years 10] [--no-faults] [--aquifer] [--aquifers N] [--nnc N]

--throw is the largest throw in thicknesses of a layer. --no-faults writes the same field without throws, to compare
times with; --aquifer puts a Carter-Tracy aquifer below it, --aquifers N so many, with a record for each of their faces.
--nnc N connects so many pairs of cells that are some columns apart. Numbers depend on the options alone."""
import argparse
import math
import random


def parse():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("deck")
    p.add_argument("--size", default="60x60x20")
    p.add_argument("--faults", type=int, default=6)
    p.add_argument("--throw", type=float, default=3.4)
    p.add_argument("--wells", type=int, default=20)
    p.add_argument("--years", type=int, default=10)
    p.add_argument("--no-faults", action="store_true")
    p.add_argument("--aquifer", action="store_true")
    p.add_argument("--aquifers", type=int, default=0)
    p.add_argument("--nnc", type=int, default=0)
    return p.parse_args()


DX, DZ, TOP = 50.0, 4.0, 2000.0


class Field:
    def __init__(self, o):
        self.nx, self.ny, self.nz = (int(n) for n in o.size.split("x"))
        self.random = random.Random(7)
        self.cut_i = [] if o.no_faults else [(n + 1) * self.nx // (o.faults // 2 + 1) for n in range(o.faults // 2)]
        self.cut_j = [] if o.no_faults else [(n + 1) * self.ny // (o.faults - o.faults // 2 + 1) for n in range(o.faults - o.faults // 2)]
        self.throw = o.throw * DZ

    def fold(self, i, j):
        return 30.0 * math.sin(2.0 * math.pi * i / self.nx) * math.cos(1.5 * math.pi * j / self.ny) + 0.2 * i

    def displaced(self, ci, cj, i, j):
        """Of column (ci, cj) at its corner (i, j): the throw of a fault falls from its middle to its ends."""
        down = 0.0
        for n, cut in enumerate(self.cut_i):
            down += self.throw * math.sin(math.pi * j / self.ny) * (1 if n % 2 else -1) * (ci >= cut)
        for n, cut in enumerate(self.cut_j):
            down += self.throw * math.sin(math.pi * i / self.nx) * (1 if n % 2 else -1) * (cj >= cut)
        return down

    def edge(self, cj, b):
        """Depths of the top layer's corners along a row of cells, at its j or j + 1."""
        return [TOP + self.fold(ci + a, cj + b) + self.displaced(ci, cj, ci + a, cj + b) for ci in range(self.nx) for a in (0, 1)]

    def corners(self, f):
        f.write("COORD\n")
        for j in range(self.ny + 1):
            for i in range(self.nx + 1):
                f.write("%g %g 0 %g %g 4000\n" % (DX * i, DX * j, DX * i, DX * j))
        f.write("/\nZCORN\n")
        edges = [self.edge(cj, b) for cj in range(self.ny) for b in (0, 1)]
        layout = " ".join(["%.7g"] * (2 * self.nx)) + "\n"
        for k in range(self.nz):
            for c in (0, 1):
                for edge in edges:
                    f.write(layout % tuple(z + DZ * (k + c) for z in edge))
        f.write("/\n")

    def contact(self):
        """Of water and oil, above all of the lowest layer: an aquifer takes nothing but water."""
        return min(2060.0, TOP + DZ * (self.nz - 1) - 30.0 - self.throw)

    def aquifer(self, count, one_by_one):
        """Infinite, below the lowest layer, of the field's area."""
        radius = DX * math.sqrt(self.nx * self.ny / math.pi)
        aquifers = "".join(" %d %g 1* 300 0.25 1E-4 %g 60 360 1 1 /\n" % (n + 1, TOP + DZ * self.nz, radius) for n in range(count))
        columns = [(i + 1, i + 1, j + 1, j + 1) for i in range(self.nx) for j in range(self.ny)] if one_by_one else [(1, self.nx, 1, self.ny)]
        faces = "".join(" %d %d %d %d %d %d %d K+ /\n" % ((n + 1,) + box + (self.nz, self.nz)) for n in range(count) for box in columns)
        return "AQUCT\n%s/\nAQUANCON\n%s/\n" % (aquifers, faces)

    def pairs(self, f, count):
        f.write("NNC\n")
        for _ in range(count):
            i, j, k = (self.random.randrange(n) for n in (self.nx - 4, self.ny, self.nz))
            f.write(" %d %d %d %d %d %d %.4g /\n" % (i + 1, j + 1, k + 1, i + 2 + self.random.randrange(1, 3), j + 1,
                                                    1 + self.random.randrange(self.nz), self.random.uniform(0.01, 1.0)))
        f.write("/\n")

    def rock(self, f):
        perm = []
        for k in range(self.nz):
            mean = 3.5 + 1.2 * math.sin(2.1 * k)
            perm += ["%.5g" % math.exp(mean + self.random.gauss(0, 0.7)) for _ in range(self.nx * self.ny)]
        f.write("PERMX\n")
        for n in range(0, len(perm), 20):
            f.write(" ".join(perm[n:n + 20]) + "\n")
        cells = self.nx * self.ny * self.nz
        f.write("/\nCOPY\n PERMX PERMY /\n PERMX PERMZ /\n/\nMULTIPLY\n PERMZ 0.1 /\n/\nPORO\n %d*0.22 /\n" % cells)

    def wells(self, f, count):
        across = max(1, round(math.sqrt(count * self.nx / self.ny)))
        places = []
        for n in range(count):
            row, column = divmod(n, across)
            rows = (count + across - 1) // across
            places.append((int((column + 0.5) * self.nx / across) + 1, int((row + 0.5) * self.ny / rows) + 1))
        f.write("WELSPECS\n")
        for n, (i, j) in enumerate(places):
            f.write(" %s%d G %d %d 1* %s /\n" % ("PI"[n % 3 == 1], n + 1, i, j, "WATER" if n % 3 == 1 else "OIL"))
        f.write("/\nCOMPDAT\n")
        for n, (i, j) in enumerate(places):
            f.write(" %s%d 2* 1 %d OPEN 2* 0.2 /\n" % ("PI"[n % 3 == 1], n + 1, self.nz))
        f.write("/\nWCONINJE\n 'I*' WATER OPEN RATE %g 1* 400 /\n/\nWCONPROD\n 'P*' OPEN LRAT 3* %g 1* 100 /\n/\n" % (
            1200.0, 600.0))


HEAD = """RUNSPEC
DIMENS
 %d %d %d /
OIL
WATER
METRIC
TABDIMS
 1 1 30 30 /
WELLDIMS
 %d %d 2 %d /
START
 1 JAN 2020 /
UNIFOUT
%sGRID
INIT
NOECHO
"""
PROPS = """PROPS
DENSITY
 850 1020 1 /
PVTW
 200 1.01 4.5E-5 0.5 0 /
PVDO
 100 1.06 2.8
 200 1.05 3.0
 400 1.03 3.4 /
ROCK
 200 5E-5 /
SWOF
 0.2 0 1 0.1
 0.4 0.05 0.5 0.05
 0.6 0.2 0.1 0.02
 0.8 0.5 0 0 /
SOLUTION
EQUIL
 2000 200 %.7g 0 /
%sSUMMARY
FOPR
FWPR
FOPT
FWPT
FWIT
FPR
SCHEDULE
"""


def main():
    o = parse()
    field = Field(o)
    aquifers = o.aquifers if o.aquifers > 0 else int(o.aquifer)
    with open(o.deck, "w", encoding="ascii") as f:
        f.write(HEAD % (field.nx, field.ny, field.nz, o.wells + 1, field.nz + 1, o.wells + 1,
                        "AQUDIMS\n 4* %d %d /\n" % (aquifers, field.nx * field.ny) if aquifers > 0 else ""))
        field.corners(f)
        field.rock(f)
        if o.nnc > 0:
            field.pairs(f, o.nnc)
        f.write(PROPS % ((field.contact(), field.aquifer(aquifers, o.aquifers > 0)) if aquifers > 0 else (2060.0, "")))
        field.wells(f, o.wells)
        f.write("TSTEP\n %d*30.4375 /\nEND\n" % (12 * o.years))


if __name__ == "__main__":
    main()
