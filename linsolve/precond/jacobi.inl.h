/* Jacobi: every unknown divided by its diagonal entry. */
#ifndef HP_LINSOLVE_PRECOND_JACOBI_INL_H
#define HP_LINSOLVE_PRECOND_JACOBI_INL_H

#include "linsolve/matrix/block.inl.h"
#include "linsolve/precond/precond.h"
#include "linsolve/precond/wells.inl.h"

HP_INLINE HP_HD int64_t hp_jacobi_setup(hp_team *t, const hp_precond *P, const hp_gh *A) {
  const int q = A->q;
  double block[HP_GH_Q_MAX * HP_GH_Q_MAX];
  int64_t bad = -1;
  HP_TEAM_FOR(t, m, A->ncell) {
    hp_block_diagonal(A, q, m, block);
    for (int a = 0; a < q; ++a) {
      const double inverse = 1.0 / block[a * q + a];
      const bool regular = inverse - inverse == 0.0;
      if (!regular && bad < 0) bad = m;
      P->inverse[m * q + a] = regular ? inverse : 1.0;
    }
  }
  return hp_precond_first_bad(t, A, bad);
}

HP_INLINE HP_HD void hp_jacobi_apply(hp_team *t, const hp_precond *P, const hp_gh *A, const double *r, double *z) {
  HP_TEAM_FOR(t, i, A->rows) z[i] = P->inverse[i] * r[i];
  hp_precond_wells(t, A, r, z);
}

HP_INLINE HP_HD void hp_jacobi_apply_transposed(hp_team *t, const hp_precond *P, const hp_gh *A, const double *r,
                                                double *z) {
  const int q = A->q;
  HP_TEAM_FOR(t, m, A->ncell) {
    double s[HP_GH_Q_MAX];
    hp_precond_fold_wells(A, q, m / A->nz, m, r, s);
    for (int a = 0; a < q; ++a) z[m * q + a] = P->inverse[m * q + a] * s[a];
  }
  hp_precond_wells_transposed(t, A, r, z);
}

#endif
