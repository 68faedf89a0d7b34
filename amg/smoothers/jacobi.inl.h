/* Jacobi: M diagonal, so that a sweep is one pass over the rows (amg/smoothers/jacobi.c).
 *
 *     jacobi         a_ii
 *     damped-jacobi  a_ii / damping (the default of Liu, Yu & Chen 2013, equation 3 with alpha < 1)
 *     l1-jacobi      sign(a_ii) sum_j |a_ij|: "weighted" there; converges for every symmetric positive
 *                    definite matrix (Baker, Falgout, Kolev & Yang 2011)
 *     spai-0         sum_j a_ij^2 / a_ii: the diagonal that makes |I - M^-1 A| smallest in the Frobenius
 *                    norm (Broeker & Grote 2002)
 */
#include "amg/rows/rows.inl.h"

#ifndef HP_REAL
#define HP_REAL double
#define HP_AMG_NAME(name) name##_double
#endif

HP_INLINE HP_HD void HP_AMG_NAME(hp_amg_jacobi_scale)(hp_team *t, const hp_amg_level *L, double factor) {
  HP_REAL *scale = (HP_REAL *)L->smooth.scale;
#if defined(__CUDA_ARCH__)
  enum { GROUP = 8, LONG = 12 /* entries from which on lanes look for a row's diagonal together */ };
  const hp_csr *A = L->A;
  if (A->begin[A->nrow] >= (int64_t)LONG * A->nrow) {
    const int lane = t->rank & 31, rows = 32 / GROUP;
    for (int64_t first = (t->rank >> 5) * rows; first < A->nrow; first += (t->size >> 5) * rows) {
      const int64_t i = first + lane / GROUP;
      const uint32_t end = i < A->nrow ? A->begin[i + 1] : 0;
      double d = 0.0;
      for (uint32_t k = i < A->nrow ? A->begin[i] + (lane & (GROUP - 1)) : 0; k < end; k += GROUP)
        if (A->column[k] == i) d = A->value[k];
      for (int apart = 1; apart < GROUP; apart <<= 1) d += __shfl_xor_sync(~0u, d, apart);
      if (i < A->nrow && (lane & (GROUP - 1)) == 0) scale[i] = (HP_REAL)(d != 0.0 ? factor / d : 0.0);
    }
    return;
  }
#endif
  HP_TEAM_FOR(t, i, L->A->nrow) {
    double sum, squares;
    const double d = hp_amg_diagonal(L->A, i, &sum, &squares);
    scale[i] = (HP_REAL)(d != 0.0 ? factor / d : 0.0);
  }
}

HP_INLINE HP_HD void HP_AMG_NAME(hp_amg_jacobi_setup)(hp_team *t, const hp_amg *H, const hp_amg_level *L) {
  (void)H;
  HP_AMG_NAME(hp_amg_jacobi_scale)(t, L, 1.0);
}

HP_INLINE HP_HD void HP_AMG_NAME(hp_amg_damped_jacobi_setup)(hp_team *t, const hp_amg *H, const hp_amg_level *L) {
  HP_AMG_NAME(hp_amg_jacobi_scale)(t, L, H->opt.damping);
}

HP_INLINE HP_HD void HP_AMG_NAME(hp_amg_l1_jacobi_setup)(hp_team *t, const hp_amg *H, const hp_amg_level *L) {
  HP_REAL *scale = (HP_REAL *)L->smooth.scale;
  (void)H;
  HP_TEAM_FOR(t, i, L->A->nrow) {
    double sum, squares;
    const double d = hp_amg_diagonal(L->A, i, &sum, &squares);
    scale[i] = (HP_REAL)(d == 0.0 ? 0.0 : d < 0.0 ? -1.0 / sum : 1.0 / sum);
  }
}

HP_INLINE HP_HD void HP_AMG_NAME(hp_amg_spai0_setup)(hp_team *t, const hp_amg *H, const hp_amg_level *L) {
  HP_REAL *scale = (HP_REAL *)L->smooth.scale;
  (void)H;
  HP_TEAM_FOR(t, i, L->A->nrow) {
    double sum, squares;
    const double d = hp_amg_diagonal(L->A, i, &sum, &squares);
    scale[i] = (HP_REAL)(squares > 0.0 ? d / squares : 0.0);
  }
}
