/* Solves with the preconditioners of HP_PRECOND_LIST: linsolve/krylov/solve.inl.h says what is defined here. */
#ifndef HP_LINSOLVE_KRYLOV_LISTED_INL_H
#define HP_LINSOLVE_KRYLOV_LISTED_INL_H

#include "linsolve/krylov/solve.inl.h"

HP_INLINE HP_HD void hp_solve_apply(hp_team *t, const hp_precond *P, const hp_gh *A, const double *r, double *z) {
  hp_precond_apply(t, P, A, r, z);
}

HP_INLINE HP_HD bool hp_solve_is_none(const hp_precond *P) { return hp_precond_is_none(P); }

HP_INLINE HP_HD void hp_solve_product_local(hp_team *t, const hp_solve *S, const double *x, hp_local y) {
#if defined(__CUDA_ARCH__)
  hp_gh_mul_local(t, S->A, x, y);
#else
  hp_solve_product(t, S, x, y.at);
#endif
}

#endif
