/* Matrices of the family box-27 (linsolve/stencil/stencil.h), with wells: what a nine-point scheme in every plane couples.
 *
 *      cells   wells
 *    [   B      WT  ]      B: 27 block diagonals, stored as sg-dia stores the seven of GH (linsolve/matrix/sparse.h)
 *    [   W      D   ]      W, WT, D: those of the GH matrix of the same cells
 *
 *     entry (row a of cell m, unknown b of cell m + offset[p])  =  value[(p q + b) ld + m q + a],   p = 0 .. 26
 *
 * Points rise with their offsets in memory. Blocks cut off by the boundary hold zeros. Solvers of
 * bench/krylov/solver.h take it with that GH matrix: a CPU's team multiplies by it as by sg-dia, a GPU inside BiCG-Stab's kernel
 * (bench/box/cuda/kernel.cuh), by the kernel of the build or one compiled for the matrix, with the same bits.
 */
#ifndef HP_BENCH_BOX_BOX_H
#define HP_BENCH_BOX_BOX_H

#include "linsolve/matrix/sparse.h"
#include "linsolve/stencil/stencil.h"

HP_EXTERN_C_BEGIN

enum { HP_BOX_POINTS = 27 };

HP_INLINE bool hp_stencil_box_is(const hp_sparse *F) { return F->kind == HP_SPARSE_SGDIA && F->width == HP_BOX_POINTS; }

/* The family of a box beside A, its GH matrix. */
hp_stencil_family hp_stencil_box_family_of(const hp_gh *A);

/* A's blocks, and seeded ones for the neighbours across edges and corners: negative entries, a tenth to a third in the
 * diagonal of a block and a tenth of that beside it, whose sum times 1.001 is added to the diagonal entry of their row. So a
 * matrix of bench/generators/family.h stays strictly diagonally dominant, and symmetric if it was.
 * HP_ERR_UNSUPPORTED for connections beyond the diagonals. */
hp_status hp_stencil_box_create(const hp_gh *A, uint64_t seed, hp_sparse **out) HP_MUST_USE;

/* The whole matrix, wells included, as csr: entries in the order in which a box adds them. HP_ERR_UNSUPPORTED for more
 * entries than 32-bit numbers count. */
hp_status hp_stencil_box_to_csr(const hp_sparse *F, const hp_gh *A, hp_sparse **out) HP_MUST_USE;

HP_EXTERN_C_END

#endif
