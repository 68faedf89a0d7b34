"""Well pressure of a repeated five-spot in steady single-phase flow.

Muskat's solution for injectors and producers in turn on a square lattice, a
distance d from each other (The Flow of Homogeneous Fluids, 9.16; Peaceman, SPEJ 1978):

    p_injector - p_producer = q mu / (pi k h) (ln(d/rw) - 0.6190) + skins q mu s / (2 pi k h)

Grid: one injector in the middle, a quarter of a producer in every corner, on
nodes: the outermost cells are half as wide, their centres stand a quarter of a
cell from the boundary, so the transmissibility of the next face is taken
back to the distance of the nodes (factor 3/4). The corner wells get a quarter of
Peaceman's connection factor from here; the injector's is the program's own.

Anisotropic: with Lx/Ly = sqrt(kx/ky) the transformation to sqrt(kx ky) gives a square,
and wells that act like circular ones of radius rw ((ky/kx)^1/4 + (kx/ky)^1/4) / 2 (Peaceman, SPEJ 1983).
"""
import math
import os
import sys

import runs

DECK = """
units = "metric";
grid = { size = [%(n)d, %(n)d, 1]; dx = [%(dx)s]; dy = [%(dy)s]; dz = 10.0; top = 1000.0; porosity = 0.2;
  permx = %(kx)g; permy = %(ky)g;
  boxes = ( { i = 1; set = { multx = 0.75; }; }, { i = %(last)d; set = { multx = 0.75; }; },
            { j = 1; set = { multy = 0.75; }; }, { j = %(last)d; set = { multy = 0.75; }; } ); };
fluids = { water = { density = 1000.0; viscosity = 0.5; }; oil = { density = 800.0; viscosity = 1.0; }; };
saturation = { model = "corey"; };
initial = { pressure = 200.0; saturation = 1.0; };
wells = (
  { name = "INJ"; type = "injector"; i = %(middle)d; j = %(middle)d; radius = 0.1; skin = %(skin)g;
    control = "rate"; rate = %(rate)g; bhp = 5000.0; },
%(producers)s );
report = { end = 10.0; };
"""
PRODUCER = """  { name = "P%d"; type = "producer"; i = %d; j = %d; radius = 0.1; connection_factor = %.12g;
    control = "bhp"; bhp = 200.0; }"""
H, RW, MU, RATE = 10.0, 0.1, 0.5 * runs.CENTIPOISE, 100.0


def connection_factor(kx, ky, dx, dy):
    """Peaceman's for a whole cell [m3]."""
    a, b = (ky / kx) ** 0.25, (kx / ky) ** 0.25
    r0 = 0.28 * math.hypot(a * dx, b * dy) / (a + b)
    return 2.0 * math.pi * math.sqrt(kx * ky) * runs.MILLIDARCY * H / math.log(r0 / RW)


def simulate(where, name, n, kx, ky, skin):
    size_y = 400.0
    size_x = size_y * math.sqrt(kx / ky)
    dx, dy = size_x / (n - 1), size_y / (n - 1)
    line = lambda d: ", ".join("%.17g" % v for v in [0.5 * d] + [d] * (n - 2) + [0.5 * d])
    metric = connection_factor(kx, ky, dx, dy) / 4.0 / (runs.CENTIPOISE / (runs.DAY * runs.BAR))
    corners = [(1, 1), (n, 1), (1, n), (n, n)]
    text = DECK % {"n": n, "last": n - 1, "middle": (n + 1) // 2, "kx": kx, "ky": ky, "skin": skin, "rate": RATE,
                   "dx": line(dx), "dy": line(dy),
                   "producers": ",\n".join(PRODUCER % (p + 1, i, j, metric) for p, (i, j) in enumerate(corners))}
    path = os.path.join(where, name + ".cfg")
    with open(path, "w") as f:
        f.write(text)
    return runs.run(path, where, ["linear.tolerance=1e-8", "newton.tolerance_well=1e-8", "newton.tolerance_mb=1e-10"])


def analytic(kx, ky, skin):
    k = math.sqrt(kx * ky)
    a = (ky / kx) ** 0.25
    d = 400.0 / a / math.sqrt(2.0)  # in coordinates x (ky/kx)^1/4, y (kx/ky)^1/4
    rw = RW * (a + 1.0 / a) / 2.0
    drop = RATE / runs.DAY * MU / (math.pi * k * runs.MILLIDARCY * H)
    return drop * (math.log(d / rw) - 0.6190 + 0.5 * skin) / runs.BAR


def main():
    checks = runs.Checks()
    with runs.folder() as where:
        for name, n, kx, ky, skin, tolerance in (("coarse", 11, 100.0, 100.0, 0.0, 0.01),
                                                 ("fine", 41, 100.0, 100.0, 0.0, 0.005),
                                                 ("skin", 21, 100.0, 100.0, 5.0, 0.005),
                                                 ("anisotropic", 41, 400.0, 25.0, 0.0, 0.01)):
            r = simulate(where, name, n, kx, ky, skin)
            drop = r.vector("WBHP:INJ")[-1] - 200.0
            expected = analytic(kx, ky, skin)
            off = 100.0 * (drop / expected - 1.0)
            print("%s: %.6g bar, analytic %.6g bar (%+.3f %%)" % (name, drop, expected, off))
            checks.near("pressure drop, " + name, drop, expected, tolerance * expected)
            for p in range(1, 5):
                checks.near("a quarter of the rate, " + name, r.vector("WWPR:P%d" % p)[-1], RATE / 4.0, 1e-5 * RATE)
    return checks.result()


if __name__ == "__main__":
    sys.exit(main())
