"""The Buckley-Leverett deck against the exact solution on refined grids.

With u the total velocity, the saturation s > s_shock stands at
x = u t f'(s) / phi; s_shock is where the tangent from the connate point touches
f (Welge 1952). First-order upstream weighting converges in L1 with order 1 or
a little less; grid and time step are refined together: decks with more cells,
and one deck of 25 cells with grid.refine, whose wells stay in the middle of the
deck's first and last cell.
"""
import sys

import numpy

import runs

SWC, SOR, MU_W, MU_O = 0.2, 0.2, 0.5, 2.0
LENGTH, AREA, POROSITY, RATE, TIME = 1000.0, 100.0, 0.2, 20.0, 300.0


def fractional_flow(s):
    e = (s - SWC) / (1.0 - SWC - SOR)
    w, o = e ** 2 / MU_W, (1.0 - e) ** 2 / MU_O
    return w / (w + o)


def slope(s):
    h = 1e-6
    return (fractional_flow(s + h) - fractional_flow(s - h)) / (2.0 * h)


def shock():
    """The tangent condition f'(s) (s - swc) = f(s), by bisection between the inflection and 1 - sor."""
    low, high = 0.4, 1.0 - SOR - 1e-5
    for _ in range(60):
        s = 0.5 * (low + high)
        if slope(s) * (s - SWC) > fractional_flow(s):
            low = s
        else:
            high = s
    return 0.5 * (low + high)


def exact_cells(n):
    """Cell averages of the exact profile, from a fine sampling of each cell."""
    scale = RATE * TIME / (AREA * POROSITY)
    s_shock = shock()
    s = numpy.linspace(1.0 - SOR - 1e-6, s_shock, 20001)
    x = scale * slope(s)
    front = x[-1]
    fine = (numpy.arange(n * 200) + 0.5) * LENGTH / (n * 200)
    profile = numpy.where(fine <= front, numpy.interp(fine, x, s), SWC)
    return profile.reshape(n, 200).mean(axis=1), front, s_shock


def refined(checks, where):
    """25 cells cut into r: water enters in the middle part of the first one, and stands still before it."""
    coarse, errors = 25, []
    for r in (2, 4, 8, 16):
        n, behind = coarse * r, (r - 1) // 2
        options = ["grid.size=[%d, 1, 1]" % coarse, "grid.dx=%.17g" % (LENGTH / coarse), "grid.refine=[%d, 1, 1]" % r, "wells.PROD.i=%d" % coarse,
                   "timestep.initial=%g" % (100.0 / n), "timestep.max=%g" % (100.0 / n),
                   "timestep.target_saturation_change=1.0", "newton.tolerance_cnv=1e-5", "linear.tolerance=1e-6"]
        run = runs.run("buckley_leverett", where, options, "refined%d" % r)
        sw = run.field("sw")[0, 0, :]
        exact, front, _ = exact_cells(n)
        shifted = numpy.concatenate([numpy.full(behind, SWC), exact[:n - behind]])
        errors.append(numpy.abs(sw - shifted).mean())
        checks.near("water in the line, refined by %d" % r, (sw - SWC).sum() * LENGTH / n * AREA * POROSITY, RATE * TIME,
                    1e-4 * RATE * TIME)
        checks.near("nothing behind the well, refined by %d" % r, numpy.abs(sw[:behind] - SWC).sum(), 0.0, 1e-5)
        at = LENGTH / n * (numpy.argmax(sw[behind:] < 0.33) + 0.5)
        print("refined by %d: %d cells, L1 error %.5f, front %.1f m, exact %.1f m" % (r, n, errors[-1], at, front))
    for order in (numpy.log2(errors[k] / errors[k + 1]) for k in range(len(errors) - 1)):
        checks.between("order of convergence under grid.refine", order, 0.7, 1.1)
    checks.near("front on 400 refined cells", at, front, 0.02 * front)
    checks.between("L1 error on 400 refined cells", errors[-1], 0.0, 0.006)


def main():
    checks = runs.Checks()
    errors = []
    with runs.folder() as where:
        for n in (50, 100, 200, 400):
            options = ["grid.size=[%d, 1, 1]" % n, "grid.dx=%.17g" % (LENGTH / n), "wells.PROD.i=%d" % n,
                       "timestep.initial=%g" % (100.0 / n), "timestep.max=%g" % (100.0 / n),
                       "timestep.target_saturation_change=1.0", "newton.tolerance_cnv=1e-5", "linear.tolerance=1e-6"]
            r = runs.run("buckley_leverett", where, options, "bl%d" % n)
            sw = r.field("sw")[0, 0, :]
            exact, front, s_shock = exact_cells(n)
            errors.append(numpy.abs(sw - exact).mean())
            checks.near("time of the last report", r.times[-1], TIME, 1e-9)
            # The injected volume is in the line: exact for any conservative scheme, before breakthrough.
            checks.near("water in the line, n=%d" % n, (sw - SWC).sum() * LENGTH / n * AREA * POROSITY, RATE * TIME,
                        1e-4 * RATE * TIME)
            checks.true("monotone profile, n=%d" % n, numpy.all(numpy.diff(sw) < 1e-5))
            checks.near("oil rate, n=%d" % n, r.vector("FOPR")[-1], RATE, 1e-3 * RATE)
        middle = 0.5 * (s_shock + SWC)
        at = LENGTH / n * (numpy.argmax(sw < middle) + 0.5)
        checks.near("front on the finest grid", at, front, 0.02 * front)
    orders = [numpy.log2(errors[n] / errors[n + 1]) for n in range(len(errors) - 1)]
    print("L1 errors %s, observed orders %s" % (errors, orders))
    for order in orders:
        checks.between("order of convergence", order, 0.7, 1.1)
    checks.between("L1 error on 400 cells", errors[-1], 0.0, 0.006)
    with runs.folder() as where:
        refined(checks, where)
    return checks.result()


if __name__ == "__main__":
    sys.exit(main())
