"""The gravity-capillary column: starts where the analytic equilibrium says, and stays there.

Densities of slightly compressible fluids, rho = rho_ref (1 + X + X^2/2) with
X = c (p - p_ref), are integrated with fine Runge-Kutta steps from the datum and
the contact; the saturation inverts Brooks-Corey's pc = pe e^(-1/lambda).
"""
import sys

import numpy

import runs

G = 9.80665


def density(surface, b, c, p):
    x = c * (p - 100e5)
    return surface / b * (1.0 + x + 0.5 * x * x)


def oil(p):
    return density(850.0, 1.1, 1.2e-4 / 1e5, p)


def water(p):
    return density(1030.0, 1.01, 4.5e-5 / 1e5, p)


def integrate(rho, z0, p0, z1, steps=400):
    """dp/dz = rho(p) g from z0 to z1 by classical Runge-Kutta steps."""
    h, p = (z1 - z0) / steps, p0
    for _ in range(steps):
        a = G * rho(p)
        b = G * rho(p + 0.5 * h * a)
        c = G * rho(p + 0.5 * h * b)
        d = G * rho(p + h * c)
        p += h / 6.0 * (a + 2.0 * b + 2.0 * c + d)
    return p


def analytic(depths):
    """Oil pressure [Pa] and saturation by depth; below the entry pressure there is no oil and p follows water."""
    contact = integrate(oil, 1000.0, 100e5, 1099.0)
    pressure, saturation = [], []
    for z in depths:
        po, pw = integrate(oil, 1000.0, 100e5, z), integrate(water, 1099.0, contact, z)
        pc, entry = po - pw, 0.2e5
        saturation.append(0.2 + 0.8 * (entry / pc) ** 2 if pc > entry else 1.0)
        pressure.append(po if pc > entry else pw + entry)
    return numpy.array(pressure), numpy.array(saturation)


def main():
    checks = runs.Checks()
    with runs.folder() as where:
        # Double precision in the file: 1e-3 bar of 1e7 Pa is 1e-5 of it, near the resolution of float.
        r = runs.run("gravity_capillary", where, ["output.double=true"])
        depths = 1000.5 + numpy.arange(100)
        p_exact, s_exact = analytic(depths)
        p0, s0 = r.field("pressure", 0)[:, 0, 0], r.field("sw", 0)[:, 0, 0]
        checks.near("initial pressure against the analytic one [Pa]", numpy.abs(p0 - p_exact).max(), 0.0, 1.0)
        checks.near("initial saturation against the analytic one", numpy.abs(s0 - s_exact).max(), 0.0, 1e-6)
        checks.near("ten years", r.times[-1], 3650.0, 1e-6)
        for report in range(1, len(r.times)):
            p, s = r.field("pressure", report)[:, 0, 0], r.field("sw", report)[:, 0, 0]
            checks.near("change of pressure [Pa] at %g days" % r.times[report], numpy.abs(p - p0).max(), 0.0, 1e2)
            checks.near("change of saturation at %g days" % r.times[report], numpy.abs(s - s0).max(), 0.0, 1e-5)
        checks.true("few steps without cuts", len(r.solver["step"]) <= 40 and sum(r.solver["cuts"]) == 0,
                    "%d steps" % len(r.solver["step"]))

        # Averages over the cells are no equilibrium of cell centres: they move, a little, and lose nothing.
        averaged = runs.run("gravity_capillary", where, ["output.double=true", "initial.accuracy=-10"], "averaged")
        s_first, s_last = averaged.field("sw", 0), averaged.field("sw")
        checks.near("water in place is kept", s_last.mean() / s_first.mean(), 1.0, 1e-4)
        moved = numpy.abs(s_last - s_first).max()
        checks.between("averaged saturations relax a little", moved, 1e-7, 0.05)
    return checks.result()


if __name__ == "__main__":
    sys.exit(main())
