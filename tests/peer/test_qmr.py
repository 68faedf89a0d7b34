"""hepta's QMR takes as many iterations as SciPy's on the same system, with the same preconditioner.

The first system of a time step is written by --dump-matrix; here the preconditioners are built again from
their definitions (linsolve/precond/precond.h, linsolve/precond/dilu/dilu.inl.h) as sparse matrices, and scipy.sparse.linalg.qmr,
an independent text after Barrett et al., Templates (1994), solves with the operator A M^-1. Both start from
zero, take the residual as the shadow vector and stop at the same |r| / |b|. Without a preconditioner
biorthogonality is lost long before the end and rounding decides, so that case is left out.
"""
import inspect
import re
import sys

import runs

try:
    import numpy
    import scipy.io
    from scipy.sparse import block_diag, bmat, csc_matrix, diags, lil_matrix
    from scipy.sparse.linalg import LinearOperator, qmr, splu
except ImportError:
    runs.skip("needs numpy and scipy")

STEP, TOLERANCE = 2, 1e-8
SIZE = (9, 8, 5)  # nx ny nz
OPTIONS = ["grid.size=[%d, %d, %d]" % SIZE, "wells.INJ.i=5", "wells.INJ.j=4", "wells.P2.i=9", "wells.P2.j=1",
           "wells.P3.i=9", "wells.P3.j=8", "timestep.initial=5", "timestep.max=5", "report.end=10", "report.every=10",
           "linear.method=qmr", "linear.tolerance=%g" % TOLERANCE, "linear.max_iterations=2000", "newton.tolerance_cnv=1"]
CASES = {"jacobi": [], "block-jacobi": [], "dilu": ["linear.precision=double", "linear.relaxation=0"],
         "dilu red-black": ["linear.precision=double", "linear.relaxation=0", "linear.ordering=red-black"]}


def split(A):
    """H, WT, W and the diagonal D of the bordered system."""
    cells = 2 * SIZE[0] * SIZE[1] * SIZE[2]
    A = A.tocsr()
    return A[:cells, :cells], A[:cells, cells:], A[cells:, :cells], A[cells:, cells:].diagonal()


def own_blocks(H, W, WT, D):
    """Diagonal blocks [ncell][2][2] less what the wells add to them."""
    S = H - WT @ diags(1.0 / D) @ W
    even = S.diagonal(0)[0::2], S.diagonal(1)[0::2], S.diagonal(-1)[0::2], S.diagonal(0)[1::2]
    return numpy.stack(even, axis=-1).reshape(-1, 2, 2)


def block_diagonal(blocks):
    return csc_matrix(block_diag(list(blocks)))


def dilu(H, blocks, colours):
    """(D + L) D^-1 (D + U) of the cells by its definition; the order is that of rising m, or odd i+j+k last."""
    nx, ny, nz = SIZE
    H, blocks = H.tolil(), blocks.copy()
    cells = numpy.arange(nx * ny * nz)
    colour = (cells % nz + cells // nz % ny + cells // (nz * ny)) % 2
    order = numpy.argsort(colour, kind="stable") if colours else cells
    place = numpy.empty_like(order)
    place[order] = cells
    L, U = lil_matrix(H.shape), lil_matrix(H.shape)
    for m in order:
        k, j, i = m % nz, m // nz % ny, m // (nz * ny)
        for inside, n in ((i > 0, m - nz * ny), (j > 0, m - nz), (k > 0, m - 1), (k < nz - 1, m + 1),
                          (j < ny - 1, m + nz), (i < nx - 1, m + nz * ny)):
            if not inside:
                continue
            row, column = slice(2 * m, 2 * m + 2), slice(2 * n, 2 * n + 2)
            if place[n] < place[m]:
                blocks[m] -= H[row, column].toarray() @ numpy.linalg.inv(blocks[n]) @ H[column, row].toarray()
                L[row, column] = H[row, column]
            else:
                U[row, column] = H[row, column]
    D = block_diagonal(blocks)
    return (D + L) @ block_diagonal(numpy.linalg.inv(blocks)) @ (D + U)


def preconditioner(A, kind):
    """M = [M_c 0; W D]."""
    H, WT, W, D = split(A)
    blocks = own_blocks(H, W, WT, D)
    if kind == "jacobi":
        cells = diags(numpy.stack((blocks[:, 0, 0], blocks[:, 1, 1]), axis=-1).ravel())
    elif kind == "block-jacobi":
        cells = block_diagonal(blocks)
    else:
        cells = dilu(H, blocks, kind.endswith("red-black"))
    return csc_matrix(bmat([[cells, None], [W, diags(D)]]))


def scipy_iterations(A, b, kind):
    """Iterations and the true |b - A x| / |b|."""
    M = splu(preconditioner(A, kind))
    B = LinearOperator(A.shape, matvec=lambda p: A @ M.solve(p), rmatvec=lambda q: M.solve(A.T @ q, trans="T"))
    count = [0]

    def step(_):
        count[0] += 1

    relative = "rtol" if "rtol" in inspect.signature(qmr).parameters else "tol"
    y, _ = qmr(B, b, maxiter=2000, callback=step, atol=TOLERANCE * numpy.linalg.norm(b), **{relative: 0.0})
    return count[0], numpy.linalg.norm(b - A @ M.solve(y)) / numpy.linalg.norm(b)


def hepta_iterations(stderr):
    """Of the first linear solve of the step, from --monitor."""
    table = stderr.split("  step %d, dt" % STEP, 1)[1]
    return int(re.search(r"(\d+) its, \|r\|/\|b\|", table).group(1))


checks = runs.Checks()
with runs.folder() as folder:
    for number, (kind, options) in enumerate(CASES.items()):
        r = runs.run("schedule", folder, OPTIONS + ["linear.preconditioner=" + kind.split()[0]] + options,
                     name="case%d" % number, arguments=["--monitor", "--dump-matrix", str(STEP)])
        A = scipy.io.mmread("%s.step%d.mtx" % (r.base, STEP)).tocsc()
        b = scipy.io.mmread("%s.step%d.mtx.rhs" % (r.base, STEP)).ravel()
        here, (there, residual) = hepta_iterations(r.stderr), scipy_iterations(A, b, kind)
        print("%s: hepta %d, scipy %d, |r|/|b| %.1e" % (kind, here, there, residual))
        checks.true(kind + ": scipy's residual", residual <= 2.0 * TOLERANCE, residual)
        checks.true(kind + ": iterations", abs(here - there) <= max(1.0, 0.03 * there), (here, there))
sys.exit(checks.result())
