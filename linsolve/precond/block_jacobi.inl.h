/* Block Jacobi: every cell by the inverse of its diagonal block. */
#ifndef HP_LINSOLVE_PRECOND_BLOCK_JACOBI_INL_H
#define HP_LINSOLVE_PRECOND_BLOCK_JACOBI_INL_H

#include "linsolve/matrix/block.inl.h"
#include "linsolve/precond/precond.h"
#include "linsolve/precond/wells.inl.h"

HP_INLINE HP_HD int64_t hp_block_jacobi_setup(hp_team *t, const hp_precond *P, const hp_gh *A) {
  const int q = A->q;
  double block[HP_GH_Q_MAX * HP_GH_Q_MAX];
  int64_t bad = -1;
  HP_TEAM_FOR(t, m, A->ncell) {
    hp_block_diagonal(A, q, m, block);
    if (!hp_block_invert(q, block, P->inverse + m * q * q) && bad < 0) bad = m;
  }
  return hp_precond_first_bad(t, A, bad);
}

/* q is a constant where the caller writes one. */
HP_INLINE HP_HD void hp_block_jacobi_cells(hp_team *t, const hp_precond *P, const hp_gh *A, int q, const double *r,
                                           double *z) {
  HP_TEAM_FOR(t, m, A->ncell) {
    const double *v = P->inverse + m * q * q;
    double sum[HP_GH_Q_MAX];
    for (int a = 0; a < q; ++a) sum[a] = 0.0;
    for (int c = 0; c < q; ++c)
      for (int a = 0; a < q; ++a) sum[a] += v[c * q + a] * r[m * q + c];
    for (int a = 0; a < q; ++a) z[m * q + a] = sum[a];
  }
}

HP_INLINE HP_HD void hp_block_jacobi_apply(hp_team *t, const hp_precond *P, const hp_gh *A, const double *r,
                                           double *z) {
  if (A->q == 2) hp_block_jacobi_cells(t, P, A, 2, r, z);
  else hp_block_jacobi_cells(t, P, A, A->q, r, z);
  hp_precond_wells(t, A, r, z);
}

HP_INLINE HP_HD void hp_block_jacobi_cells_transposed(hp_team *t, const hp_precond *P, const hp_gh *A, int q,
                                                      const double *r, double *z) {
  HP_TEAM_FOR(t, m, A->ncell) {
    const double *v = P->inverse + m * q * q;
    double s[HP_GH_Q_MAX];
    hp_precond_fold_wells(A, q, m / A->nz, m, r, s);
    for (int a = 0; a < q; ++a) {
      double sum = 0.0;
      for (int c = 0; c < q; ++c) sum += v[a * q + c] * s[c];
      z[m * q + a] = sum;
    }
  }
}

HP_INLINE HP_HD void hp_block_jacobi_apply_transposed(hp_team *t, const hp_precond *P, const hp_gh *A, const double *r,
                                                      double *z) {
  if (A->q == 2) hp_block_jacobi_cells_transposed(t, P, A, 2, r, z);
  else hp_block_jacobi_cells_transposed(t, P, A, A->q, r, z);
  hp_precond_wells_transposed(t, A, r, z);
}

#endif
