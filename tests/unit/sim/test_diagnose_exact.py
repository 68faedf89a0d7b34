"""hepta diagnose against closed solutions: a line of cells, two layers, the homogeneous five-spot, whose streamlines are known, and a
heterogeneous reservoir whose shares and times are solved for here, from pressures, by dense matrices."""
import math
import sys

import diagnoses
import runs

import numpy

GRAVITY = 9.80665  # [m/s2]


def line(checks, where):
    """Cells of different pore volumes: times are volumes over the rate, from end to end the same everywhere."""
    porosity = [0.1, 0.3, 0.2, 0.05, 0.25, 0.15]
    diagnoses.make(where, """
grid = { size = [6, 1, 1]; dx = 50.0; dy = 20.0; dz = 10.0; top = 1000.0; permx = 100.0; porosity = %s; };
wells = ( { name = "A"; type = "injector"; i = 1; j = 1; radius = 0.1; control = "rate"; rate = 10.0; bhp = 9000.0; },
          { name = "B"; type = "producer"; i = 6; j = 1; radius = 0.1; control = "bhp"; bhp = 100.0; } );
""" % porosity + diagnoses.FLUIDS, "line")
    d = diagnoses.Diagnosis(where, "line")
    diagnoses.check_balance(checks, "line", d)
    volume = 10000.0 * numpy.array(porosity)
    middle = (numpy.cumsum(volume) - 0.5 * volume) / 10.0
    checks.near("line: from the injector", abs(d.fields["time_from_injectors"][0, 0] - middle).max(), 0.0, 1e-3)
    checks.near("line: to the producer", abs(d.fields["time_to_producers"][0, 0] - (volume.sum() / 10.0 - middle)).max(), 0.0, 1e-3)
    checks.near("line: in all", abs(d.fields["time_in_all"] - volume.sum() / 10.0).max(), 0.0, 2e-3)
    checks.near("line: Lorenz", d.numbers["lorenz"], 0.0, 1e-6)
    checks.near("line: swept", d.numbers["swept_at_one"], 1.0, 1e-6)
    rate, of_from, of_to, pores = d.pairs["A", "B"]
    checks.near("line: rate", rate, 10.0, 1e-6)
    checks.near("line: shares", of_from + of_to, 2.0, 1e-6)
    checks.near("line: pore volume", pores, volume.sum(), 1e-2)
    checks.true("line: the unit of times", d.units["time_in_all"] == "day" and d.head[2] == "RATE[RM3/DAY]", d.units)


def layers(checks, where):
    """Two layers of one thickness and porosity, four times as permeable and not connected: F has the points (1/2, 4/5) and (1, 1), so
    that L = 0.3; one pore volume fills the fast one and 2/5 of the other."""
    diagnoses.make(where, """
grid = { size = [12, 1, 2]; dx = 25.0; dy = 20.0; dz = 5.0; top = 1000.0; porosity = 0.2;
         permx = { layers = ( { k = 1; value = 400.0; }, { k = 2; value = 100.0; } ); }; permz = 0.0; };
wells = ( { name = "A"; type = "injector"; i = 1; j = 1; k = [1, 2]; radius = 0.1; control = "rate"; rate = 10.0; bhp = 9000.0; },
          { name = "B"; type = "producer"; i = 12; j = 1; k = [1, 2]; radius = 0.1; control = "bhp"; bhp = 100.0; } );
""" + diagnoses.FLUIDS, "layers")
    d = diagnoses.Diagnosis(where, "layers")
    diagnoses.check_balance(checks, "layers", d)
    checks.near("layers: Lorenz", d.numbers["lorenz"], 0.3, 1e-5)
    checks.near("layers: swept after one pore volume", d.numbers["swept_at_one"], 0.7, 1e-5)
    checks.near("layers: times", (d.fields["time_in_all"][1] / d.fields["time_in_all"][0]).mean(), 4.0, 1e-5)
    at = int(abs(d.curve["PHI"] - 0.5).argmin())
    checks.near("layers: F where the fast one ends", d.curve["F"][at], 0.8, 1e-5)
    checks.near("layers: the fast one is through", d.curve["INJECTED"][at], 0.625, 1e-5)


def half_period(m1):
    """The complete elliptic integral K of the complementary parameter m1, by means."""
    a, b = 1.0, numpy.sqrt(m1)
    for _ in range(40):
        a, b = 0.5 * (a + b), numpy.sqrt(a * b)
    return 0.5 * math.pi / a


def cn(u):
    """Jacobi's cn at parameter 1/2, by Landen's descent (Abramowitz and Stegun 16.4)."""
    a, c = [1.0], [math.sqrt(0.5)]
    b = math.sqrt(0.5)
    for _ in range(8):
        c.append(0.5 * (a[-1] - b))
        a_next = 0.5 * (a[-1] + b)
        b = math.sqrt(a[-1] * b)
        a.append(a_next)
    phi = 2 ** 8 * a[-1] * u
    for n in range(8, 0, -1):
        phi = 0.5 * (phi + math.asin(c[n] / a[n] * math.sin(phi)))
    return math.cos(phi)


def five_spot(checks, where):
    """Unit mobility (Morel-Seytoux, Unit mobility ratio displacement calculations for pattern floods in homogeneous medium, SPE J.
    6(3), 1966). Of the streamlines' flow a share F arrives before t = pi K(m) / (2 K(1/2)^2) pore volumes, sqrt(m) = sin(pi F / 2): at
    breakthrough, F = 0, t = 0.7178. Along the diagonal the potential is ln((1 - cn X) / (1 + cn X)), X = 2 K s, and the time up to the
    share s of its length that of breakthrough times 1/2 - 2/pi arctan(cn X). First-order errors are extrapolated from two grids."""
    found = []
    for n in (27, 81):
        diagnoses.make(where, """
grid = { size = [%d, %d, 1]; dx = %.17g; dy = %.17g; dz = 10.0; top = 1000.0; porosity = 0.2; permx = 100.0; };
wells = ( { name = "A"; type = "injector"; i = 1; j = 1; radius = 0.001; control = "rate"; rate = 20.0; bhp = 9000.0; },
          { name = "B"; type = "producer"; i = %d; j = %d; radius = 0.001; control = "bhp"; bhp = 100.0; } );
""" % (n, n, 200.0 / n, 200.0 / n, n, n) + diagnoses.FLUIDS, "five%d" % n)
        d = diagnoses.Diagnosis(where, "five%d" % n)
        diagnoses.check_balance(checks, "five-spot of %d cells" % n, d)
        checks.near("five-spot: its diagonal", abs(d.fields["time_in_all"][0] - d.fields["time_in_all"][0].T).max(), 0.0, 0.05)
        cells = slice(1, None, 3) if n == 81 else slice(None)  # the same places
        times = [numpy.diag(d.fields[name][0])[cells].astype(float) / 4000.0 for name in ("time_from_injectors", "time_in_all")]
        found.append(times + [d.numbers["lorenz"], d.numbers["swept_at_one"]])
    arriving, in_all, lorenz, swept = (1.5 * fine - 0.5 * coarse for coarse, fine in zip(*found))
    K = half_period(0.5)
    through = math.pi ** 2 / (4.0 * K * K)
    share = (numpy.arange(200000) + 0.5) / 200000
    t = 0.5 * math.pi * half_period(numpy.cos(0.5 * math.pi * share) ** 2) / K ** 2
    checks.near("five-spot: one pore volume in all", t.mean(), 1.0, 1e-4)
    checks.near("five-spot: area swept at breakthrough", through, 0.7178, 1e-4)
    for n in range(4, 23):
        exact = through * (0.5 - 2.0 / math.pi * math.atan(cn(2.0 * K * (n + 0.5) / 27.0)))
        checks.near("five-spot: time on the diagonal, cell %d" % n, arriving[n], exact, 0.004)
        checks.near("five-spot: breakthrough through cell %d" % n, in_all[n], through, 0.004)
    checks.near("five-spot: Lorenz", lorenz, 2.0 * (share * t).mean() - 1.0, 0.003)
    checks.near("five-spot: swept after one pore volume", swept, numpy.minimum(t, 1.0).mean(), 0.002)


def dense(checks, where):
    """The definitions, solved by LU."""
    size = nx, ny, nz = 5, 4, 2
    random = numpy.random.default_rng(7)
    kx, kz, porosity = 10.0 ** random.uniform(1, 3, (nz, ny, nx)), 10.0 ** random.uniform(0, 2, (nz, ny, nx)), random.uniform(0.1, 0.3, (nz, ny, nx))
    listed = lambda a: "[%s]" % ", ".join("%.17g" % v for v in a.ravel())
    run = diagnoses.make(where, """
grid = { size = [5, 4, 2]; dx = 30.0; dy = 20.0; dz = 5.0; top = 1000.0; porosity = %s; permx = %s; permz = %s; };
wells = ( { name = "I1"; type = "injector"; i = 1; j = 1; k = [1, 2]; radius = 0.1; control = "rate"; rate = 12.0; bhp = 9000.0; },
          { name = "I2"; type = "injector"; i = 5; j = 1; k = 1; radius = 0.1; control = "rate"; rate = 5.0; bhp = 9000.0; },
          { name = "P1"; type = "producer"; i = 1; j = 4; k = [1, 2]; radius = 0.1; control = "bhp"; bhp = 150.0; },
          { name = "P2"; type = "producer"; i = 5; j = 4; k = 1; radius = 0.1; control = "bhp"; bhp = 150.0; } );
""" % tuple(map(listed, (porosity, kx, kz))) + diagnoses.FLUIDS, "dense")
    d = diagnoses.Diagnosis(where, "dense")
    diagnoses.check_balance(checks, "dense", d)
    p, cells = run.field("pressure") - 1000.0 * GRAVITY * run.static("depth"), nx * ny * nz
    number = numpy.arange(cells).reshape(nz, ny, nx)
    flow = numpy.zeros((cells, cells))  # [from][to]
    for axis, k, area, length in ((2, kx, 100.0, 30.0), (1, kx, 150.0, 20.0), (0, kz, 600.0, 5.0)):
        one, other = (numpy.take(number, range(a, size[2 - axis] - 1 + a), axis=axis).ravel() for a in (0, 1))
        k = k.ravel() * runs.MILLIDARCY
        rate = 2.0 * area / length / (1.0 / k[one] + 1.0 / k[other]) * (p.ravel()[one] - p.ravel()[other]) / runs.CENTIPOISE * runs.DAY
        flow[one, other], flow[other, one] = numpy.maximum(rate, 0.0), numpy.maximum(-rate, 0.0)
    net = flow.sum(axis=1) - flow.sum(axis=0)
    well = {"I1": number[:, 0, 0], "I2": number[0, 0, 4:], "P1": number[:, 3, 0], "P2": number[0, 3, 4:]}
    through = flow.sum(axis=1) + numpy.maximum(-net, 0.0)
    volume = 3000.0 * porosity.ravel()
    shares = {}
    for names, matrix, sign, head, time in ((("I1", "I2"), numpy.diag(through) - flow.T, 1.0, "from_", "time_from_injectors"),
                                            (("P1", "P2"), numpy.diag(through) - flow, -1.0, "to_", "time_to_producers")):
        for name in names:
            b = numpy.zeros(cells)
            b[well[name]] = sign * net[well[name]]
            shares[name] = numpy.linalg.solve(matrix, b)
            checks.near("dense: share of " + name, abs(d.fields[head + name].ravel() - shares[name]).max(), 0.0, 1e-4)
        exact = numpy.linalg.solve(matrix, volume) - 0.5 * volume / through
        checks.near("dense: " + time, abs(d.fields[time].ravel() / exact - 1.0).max(), 0.0, 1e-4)
    for i in ("I1", "I2"):
        for n in ("P1", "P2"):
            rate = (-net[well[n]] * shares[i][well[n]]).sum()
            checks.near("dense: from %s to %s" % (i, n), d.pairs.get((i, n), [0.0])[0], rate, 1e-3)
            pores = (volume * shares[i] * shares[n]).sum()
            checks.near("dense: pore volume from %s to %s" % (i, n), d.pairs.get((i, n), [0.0] * 4)[3], pores, 1e-4 * volume.sum())


def main():
    checks = runs.Checks()
    with runs.folder() as where:
        for check in (line, layers, five_spot, dense):
            check(checks, where)
    return checks.result()


sys.exit(main())
