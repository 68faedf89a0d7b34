/* Kinds of solves: what the parameter hp_solve of the methods may be (linsolve/krylov/solve.inl.h). A kind is a class derived
 * from hp_solve without further members. It overloads those functions of solve.inl.h that are different for it, and the
 * methods find them by the class of their argument. A higher layer derives the kind of its preconditioner from
 * hp_external_solve and defines hp_solve_apply for it.
 */
#ifndef HP_LINSOLVE_KRYLOV_CUDA_KINDS_CUH
#define HP_LINSOLVE_KRYLOV_CUDA_KINDS_CUH

#include "linsolve/krylov/solve.inl.h"

/* ---- a preconditioner of a higher layer ---- */

struct hp_external_solve : hp_solve {};

HP_INLINE HP_HD bool hp_solve_is_none(const hp_external_solve *) { return false; }

/* These kernels have many threads, and so few registers per thread: they do not inline the product, and all their vectors
 * are in memory. */
HP_INLINE HP_HD void hp_solve_product_local(hp_team *t, const hp_external_solve *S, const double *x, hp_local y) {
  hp_solve_product(t, S, x, y.at);
}

#endif
