"""Which linear solver runs must not matter: every method, preconditioner, order and
precision gives the same waterflood when solved tightly on the same steps, the
pressures to 1e-6 of their size and the saturations to 1e-6."""
import sys

import numpy

import runs

TIGHT = ["linear.tolerance=1e-10", "linear.max_iterations=5000",
         "newton.tolerance_cnv=1e-8", "newton.tolerance_mb=1e-11",
         "newton.max_iterations=30", "timestep.initial=5", "timestep.max=5", "timestep.accuracy=0",
         "report.every=10", "report.end=30", "output.double=true",
         "grid.size=[12, 12, 3]", "wells.INJ.i=6", "wells.INJ.j=6", "wells.P2.i=12", "wells.P3.j=12"]
CASES = {
    "bicgstab, dilu": [],
    "bicgstab, dilu in double, not relaxed": ["linear.precision=double", "linear.relaxation=0"],
    "bicgstab, dilu red-black": ["linear.ordering=red-black"],
    "bicgstab, block Jacobi": ["linear.preconditioner=block-jacobi"],
    "bicgstab, Jacobi": ["linear.preconditioner=jacobi"],
    "gmres, dilu": ["linear.method=gmres", "linear.restart=60"],
    "gmres, dilu red-black": ["linear.method=gmres", "linear.restart=60", "linear.ordering=red-black"],
    "qmr, dilu": ["linear.method=qmr"],
    "qmr, dilu in double, red-black": ["linear.method=qmr", "linear.precision=double", "linear.ordering=red-black"],
    "qmr, block Jacobi": ["linear.method=qmr", "linear.preconditioner=block-jacobi"],
    "tfqmr, dilu": ["linear.method=tfqmr"],
    "tfqmr, block Jacobi": ["linear.method=tfqmr", "linear.preconditioner=block-jacobi"],
    "bicgstab, cpr": ["linear.preconditioner=cpr"],
    "bicgstab, cpr anew in every step": ["linear.preconditioner=cpr", "linear.cpr.rebuild=step"],
    "bicgstab, cpr quasi-impes": ["linear.cpr.weights=quasi-impes", "linear.cpr.precision=double"],
    "bicgstab, cpr row-sum": ["linear.cpr.weights=row-sum"],
    "gmres, cpr red-black": ["linear.preconditioner=cpr", "linear.method=gmres", "linear.ordering=red-black"],
    "tfqmr, cpr": ["linear.preconditioner=cpr", "linear.method=tfqmr"],
}
for matrix in ("csr", "bsr", "sell", "dia", "ell", "hyb", "hec", "sg-dia"):
    CASES["matrix stored as " + matrix] = ["linear.matrix=" + matrix]

checks = runs.Checks()
with runs.folder() as folder:
    first = None
    for number, (name, options) in enumerate(CASES.items()):
        r = runs.run("schedule", folder, TIGHT + options, name="case%d" % number)
        if first is None:
            first = r
            continue
        checks.true(name + ": the same steps", list(r.times) == list(first.times))
        p, p0 = r.field("pressure"), first.field("pressure")
        checks.near(name + ": pressure", float(numpy.abs(p / p0 - 1).max()), 0.0, 1e-6)
        checks.near(name + ": saturation", float(numpy.abs(r.field("sw") - first.field("sw")).max()), 0.0, 1e-6)
        for vector in ("FOPT", "FWIT", "FPR"):
            a, b = r.vector(vector)[-1], first.vector(vector)[-1]
            checks.near(name + ": " + vector, a / b, 1.0, 1e-6)
sys.exit(checks.result())
