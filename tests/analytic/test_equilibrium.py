"""The gravity-capillary column: starts where the analytic equilibrium says, and stays there.

Densities of slightly compressible fluids, rho = rho_ref (1 + X + X^2/2) with
X = c (p - p_ref), are integrated with fine Runge-Kutta steps from the datum and
the contact; the saturation inverts Brooks-Corey's pc = pe e^(-1/lambda).
The water zone of formulas is full of water, whatever the residual oil, at rest,
and one with a table that says the same.
"""
import os
import re
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


# 20 layers of 2 m from 2000 m, with the contact between two of them and residual oil.
ZONE = """
grid = { size = [2, 1, 20]; dx = 50.0; dy = 50.0; dz = 2.0; top = 2000.0; porosity = 0.2; permx = 200.0; };
%s
initial = { datum_depth = 2000.0; datum_pressure = 180.0; contact_depth = 2020.0; };
wells = ( { name = "P"; type = "producer"; i = 1; j = 1; k = [13, 15]; radius = 0.1; control = "bhp"; bhp = 170.0; } );
report = { every = 50.0; end = 100.0; };
""" % runs.FLUIDS


def water_zone(checks, where):
    path = os.path.join(where, "zone.cfg")
    with open(path, "w") as f:
        f.write(ZONE)

    def run(name, *options):
        return runs.run(path, where, ["output.double=true", "timestep.accuracy=0"] + list(options), name)

    r = run("zone")
    sw = r.field("sw", 0)[:, 0, 0]
    checks.true("connate above the contact, 1 below", (sw[:10] == 0.2).all() and (sw[10:] == 1.0).all(), sw)
    checks.near("a well in the water zone makes no oil", r.vector("FOPT")[-1], 0.0, 0.0)
    at_rest = run("rest", "wells.P.status=shut", "saturation.krw_full=1.0")
    checks.near("at rest", numpy.abs(at_rest.field("sw") - at_rest.field("sw", 0)).max(), 0.0, 1e-9)
    for value in (0.8, 0.93):
        given = run("given", "saturation.sw_max=%g" % value).field("sw", 0)[:, 0, 0]
        right = (given[:10] == 0.2).all() and (given[10:] == value).all()
        checks.true("sw_max = %g below the contact" % value, right, given)
    dry = runs.hepta("run", path, "-o", os.path.join(where, "dry"), "--set", "initial.contact_depth=1990")
    oil = re.search(r"\n  oil +(\S+)", dry.stdout)
    checks.true("a contact above the field: no oil", oil is not None and float(oil.group(1)) == 0.0, dry.stdout)
    # Corey with exponents of 1 is linear between swc, 1 - sor and 1: a table of three rows.
    linear = "saturation={model=\"corey\";swc=0.2;sor=0.2;krw_max=0.5;nw=1.0;no=1.0;pc_entry=0.4;npc=1.0;krw_full=0.9;}"
    table = "saturation={model=\"table\";table=([0.2,0.0,1.0,0.4],[0.8,0.5,0.0,0.0],[1.0,0.9,0.0,0.0]);}"
    a, b = run("formula", linear), run("table", table)
    checks.near("a table that says the same: saturations", numpy.abs(a.field("sw") - b.field("sw")).max(), 0.0, 1e-9)
    checks.near("and water produced", a.vector("FWPT")[-1] / b.vector("FWPT")[-1], 1.0, 1e-9)
    more = a.vector("FWPR")[0] / run("less", linear.replace("krw_full=0.9;", "")).vector("FWPR")[0]
    checks.between("krw_full = 0.9 for 0.5: more water", more, 1.05, 1.8)


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
        water_zone(checks, where)
    return checks.result()


if __name__ == "__main__":
    sys.exit(main())
