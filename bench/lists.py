#!/usr/bin/env python3
"""Writes a deck of hepta's own with all numbers of its cells in its text: a five-spot in lognormal rock, for runs by several ranks
(docs/developer/ranks.md).

    bench/lists.py LISTS.cfg [--size 160x160x12]

Numbers depend on the size alone."""
import argparse
import random

HEAD = """title = "A five-spot whose text has all numbers of its cells";
grid = {
  size = [%d, %d, %d]; dx = 20.0; dy = 20.0; dz = 4.0; top = 2000.0;
"""
REST = """};
fluids = {
  water = { density = 1020.0; reference_pressure = 200.0; compressibility = 4.5e-5; viscosity = 0.5; };
  oil = { density = 850.0; reference_pressure = 200.0; compressibility = 1.2e-4; viscosity = 2.0; };
};
saturation = { model = "corey"; swc = 0.2; sor = 0.2; krw_max = 0.5; nw = 2.0; no = 2.0; };
rock = { reference_pressure = 200.0; compressibility = 5.0e-5; };
initial = { datum_depth = 2000.0; datum_pressure = 200.0; contact_depth = 2100.0; };
wells = (
  { name = "I"; type = "injector"; i = %d; j = %d; radius = 0.1; control = "rate"; rate = 1000.0; bhp = 400.0; },
  { name = "P1"; type = "producer"; i = 1; j = 1; radius = 0.1; control = "bhp"; bhp = 150.0; },
  { name = "P2"; type = "producer"; i = %d; j = 1; radius = 0.1; control = "bhp"; bhp = 150.0; },
  { name = "P3"; type = "producer"; i = 1; j = %d; radius = 0.1; control = "bhp"; bhp = 150.0; },
  { name = "P4"; type = "producer"; i = %d; j = %d; radius = 0.1; control = "bhp"; bhp = 150.0; }
);
report = { end = 1.0; };
timestep = { initial = 0.5; };
"""


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("deck")
    p.add_argument("--size", default="160x160x12")
    o = p.parse_args()
    nx, ny, nz = (int(n) for n in o.size.split("x"))
    draw = random.Random(7)
    with open(o.deck, "w", encoding="ascii") as f:
        f.write(HEAD % (nx, ny, nz))
        for name, mean, spread in (("porosity", -1.6, 0.1), ("permx", 4.5, 1.0), ("permy", 4.5, 1.0), ("permz", 2.0, 1.0), ("ntg", -0.1, 0.02)):
            f.write("  %s = [\n" % name)
            for row in range(ny * nz):
                numbers = ", ".join("%.8f" % min(0.9 if name in ("porosity", "ntg") else 1e9, draw.lognormvariate(mean, spread)) for _ in range(nx))
                f.write("    %s%s\n" % (numbers, "," if row < ny * nz - 1 else ""))
            f.write("  ];\n")
        f.write(REST % (nx // 2, ny // 2, nx, ny, nx, ny))


if __name__ == "__main__":
    main()
