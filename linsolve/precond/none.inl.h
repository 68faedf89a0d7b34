/* No preconditioner: z = r. The Krylov methods test hp_krylov_precond_is_none and
 * avoid even the copy. */
#ifndef HP_LINSOLVE_PRECOND_NONE_INL_H
#define HP_LINSOLVE_PRECOND_NONE_INL_H

#include "linsolve/precond/precond.h"

HP_INLINE HP_HD int64_t hp_precond_none_setup(hp_team *t, const hp_precond *P, const hp_gh *A) {
  (void)t;
  (void)P;
  (void)A;
  return -1;
}

HP_INLINE HP_HD void hp_precond_none_apply(hp_team *t, const hp_precond *P, const hp_gh *A, const double *r,
                                           double *z) {
  (void)P;
  HP_TEAM_FOR(t, i, A->n) z[i] = r[i];
}

HP_INLINE HP_HD void hp_precond_none_apply_transposed(hp_team *t, const hp_precond *P, const hp_gh *A, const double *r,
                                                      double *z) {
  hp_precond_none_apply(t, P, A, r, z);
}

#endif
