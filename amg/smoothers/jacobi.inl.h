/* Jacobi: M diagonal, so that a sweep is one pass over the rows, and the first one from zero is none at
 * all on a GPU: x = scale b is not stored there, those who read it multiply. A CPU stores it: a pass over vectors
 * costs less than to gather scale with every entry of the next pass.
 *
 *     jacobi         a_ii
 *     damped-jacobi  a_ii / damping (the default of Liu, Yu & Chen 2013, equation 3 with alpha < 1)
 *     l1-jacobi      sign(a_ii) sum_j |a_ij|: "weighted" there; converges for every symmetric positive
 *                    definite matrix (Baker, Falgout, Kolev & Yang 2011)
 *     spai-0         sum_j a_ij^2 / a_ii: the diagonal that makes |I - M^-1 A| smallest in the Frobenius
 *                    norm (Broeker & Grote 2002)
 */
#include "amg/cycle/rows.inl.h"

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
      const int32_t end = i < A->nrow ? A->begin[i + 1] : 0;
      double d = 0.0;
      for (int32_t k = i < A->nrow ? A->begin[i] + (lane & (GROUP - 1)) : 0; k < end; k += GROUP)
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

/* other = x + momentum (x - the iterate before) + factor scale (b - A x), then a barrier; x and other change
 * places. From zero nothing but the state changes (a factor of 1 is meant). */
HP_INLINE HP_HD void HP_AMG_NAME(hp_amg_pass)(hp_team *t, const hp_amg_level *L, HP_REAL momentum, HP_REAL factor,
                                              const HP_REAL *b, HP_AMG_NAME(hp_amg_iterate) * v) {
  const HP_REAL *s = (const HP_REAL *)L->smooth.scale, *x = v->x;
  HP_REAL *out = v->other;
  const int state = v->state;
  if (state == HP_AMG_ZERO) {
    v->before = HP_AMG_ZERO;
#if defined(__CUDA_ARCH__)
    v->state = HP_AMG_SCALED;
#else
    HP_TEAM_FOR(t, i, L->A->nrow) v->x[i] = s[i] * b[i];
    hp_team_sync(t); /* the first x */
    v->state = HP_AMG_STORED;
#endif
    return;
  }
  HP_AMG_NAME(hp_amg_form) step = HP_AMG_NAME(hp_amg_form_of)(HP_AMG_FORM_STEP, b, out);
  const bool scaled = state == HP_AMG_SCALED;
  step.x_state = state;
  step.x = x;
  step.s = s;
  step.last_state = v->before;
  step.momentum = momentum;
  step.factor = factor;
  HP_AMG_NAME(hp_amg_level_pass)(t, L, scaled ? s : NULL, scaled ? b : x, step);
  hp_team_sync(t); /* the new x */
  v->other = v->x;
  v->x = out;
  v->state = HP_AMG_STORED;
  v->before = state;
}

HP_INLINE HP_HD void HP_AMG_NAME(hp_amg_jacobi_sweep)(hp_team *t, const hp_amg *H, const hp_amg_level *L, bool forward,
                                                      const HP_REAL *b, HP_AMG_NAME(hp_amg_iterate) * v) {
  (void)H;
  (void)forward;
  HP_AMG_NAME(hp_amg_pass)(t, L, 0, 1, b, v);
}
