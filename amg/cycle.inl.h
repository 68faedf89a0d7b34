/* Multigrid cycles and the numbers that they read: team programs.
 *
 *   hp_amg_cycle     x = M^-1 b, one cycle from zero. b, x [rows of level 0], double. Before: a barrier after the
 *                    last write to b. Ends with a barrier: x is visible to all.
 *   hp_amg_numbers   what a cycle reads: rows in slices, the smoothers, the inverse of the last level. Before: all
 *                    levels' matrices are visible. Ends with a barrier.
 *   hp_amg_refresh   level 0's values have changed (and are visible): products, and the numbers. Ends with a
 *                    barrier.
 *
 * A level of a V(1,1) cycle with a diagonal smoother passes four barriers: after the residual (the sweep
 * before it starts from zero and is not stored), after its restriction, after the correction, after the
 * sweep that follows.
 *
 * The same bits for every team. In float the cycle's vectors and matrices are float, b and x are
 * converted on the way in and out.
 */
#ifndef HP_AMG_CYCLE_INL_H
#define HP_AMG_CYCLE_INL_H

#include <math.h>

#include "amg/refresh.inl.h"

#include "amg/rows.inl.h"

#define HP_REAL double
#define HP_AMG_NAME(name) name##_double
#include "amg/cycle_real.inl.h"
#undef HP_REAL
#undef HP_AMG_NAME
#define HP_REAL float
#define HP_AMG_NAME(name) name##_float
#include "amg/cycle_real.inl.h"
#undef HP_REAL
#undef HP_AMG_NAME

/* ---- the last level ----------------------------------------------------------------- */

/* LU with row pivoting of the last level, by the caller alone. Rows are divided by their largest entry;
 * a pivot below 1e-13 marks an unknown that the rest determines but for a constant (a closed box): it is
 * set to zero. */
HP_INLINE HP_HD void hp_amg_factorize(const hp_amg *H) {
  const hp_csr *A = H->level[H->nlevel - 1].A;
  const int64_t n = A->nrow;
  double *lu = H->lu;
  for (int64_t e = 0; e < n * n; ++e) lu[e] = 0.0;
  for (int64_t i = 0; i < n; ++i) {
    double most = 0.0;
    for (int32_t k = A->begin[i]; k < A->begin[i + 1]; ++k) most = fmax(most, fabs(A->value[k]));
    H->lu_scale[i] = most > 0.0 ? 1.0 / most : 0.0;
    for (int32_t k = A->begin[i]; k < A->begin[i + 1]; ++k) lu[i * n + A->column[k]] = A->value[k] * H->lu_scale[i];
  }
  for (int64_t c = 0; c < n; ++c) {
    int64_t p = c;
    for (int64_t i = c + 1; i < n; ++i)
      if (fabs(lu[i * n + c]) > fabs(lu[p * n + c])) p = i;
    H->pivot[c] = (int32_t)p;
    for (int64_t k = 0; k < n && p != c; ++k) {
      const double v = lu[c * n + k];
      lu[c * n + k] = lu[p * n + k];
      lu[p * n + k] = v;
    }
    const double inverse = fabs(lu[c * n + c]) > 1e-13 ? 1.0 / lu[c * n + c] : 0.0;
    lu[c * n + c] = inverse;
    for (int64_t i = c + 1; i < n; ++i) {
      const double f = lu[i * n + c] * inverse;
      lu[i * n + c] = f;
      for (int64_t k = c + 1; k < n && f != 0.0; ++k) lu[i * n + k] -= f * lu[c * n + k];
    }
  }
}

/* Column c of the inverse from the factors, into x [n]. */
HP_INLINE HP_HD void hp_amg_inverse_column(const hp_amg *H, int64_t n, int64_t c, double *x) {
  const double *lu = H->lu;
  for (int64_t i = 0; i < n; ++i) x[i] = i == c ? H->lu_scale[c] : 0.0;
  for (int64_t i = 0; i < n; ++i) { /* whole rows were exchanged, multipliers too */
    const double v = x[i];
    x[i] = x[H->pivot[i]];
    x[H->pivot[i]] = v;
  }
  for (int64_t i = 0; i < n; ++i)
    for (int64_t k = 0; k < i; ++k) x[i] -= lu[i * n + k] * x[k];
  for (int64_t i = n - 1; i >= 0; --i) {
    for (int64_t k = i + 1; k < n; ++k) x[i] -= lu[i * n + k] * x[k];
    x[i] *= lu[i * n + i];
  }
}

/* The inverse, its columns shared by the members. */
HP_INLINE HP_HD void hp_amg_invert(hp_team *t, const hp_amg *H) {
  const int64_t n = H->level[H->nlevel - 1].A->nrow;
  for (int64_t c = t->rank; c < n; c += t->size) hp_amg_inverse_column(H, n, c, H->inverse + c * n);
}

/* ---- refresh ------------------------------------------------------------------------ */

HP_AMG_PHASE HP_HD void hp_amg_numbers_of(hp_team *t, const hp_amg *H, int first, int end) {
  const bool single = H->opt.precision == HP_PRECISION_SINGLE, direct = H->lu != NULL && end == H->nlevel;
  for (int l = first; l < end; ++l) {
    if (single) hp_amg_level_rows_float(t, &H->level[l]);
    else hp_amg_level_rows_double(t, &H->level[l]);
  }
  if (direct && t->rank == 0) hp_amg_factorize(H);
  hp_team_sync(t); /* the rows, by which some smoothers multiply, and the factors */
  for (int l = first; l < end; ++l) {
    if (single) hp_amg_smoother_float(t, H, &H->level[l]);
    else hp_amg_smoother_double(t, H, &H->level[l]);
  }
  if (direct) hp_amg_invert(t, H);
  hp_team_sync(t); /* the smoothers and the inverse */
}

/* Of all levels. */
HP_INLINE HP_HD void hp_amg_numbers(hp_team *t, const hp_amg *H) { hp_amg_numbers_of(t, H, 0, H->nlevel); }

HP_INLINE HP_HD void hp_amg_refresh(hp_team *t, const hp_amg *H) {
  hp_amg_refresh_products(t, H);
  hp_amg_numbers(t, H);
}

/* ---- cycles ------------------------------------------------------------------------- */

HP_INLINE HP_HD void hp_amg_cycle(hp_team *t, const hp_amg *H, const double *b, double *x) {
  const hp_amg_level *L = &H->level[0];
  if (H->opt.precision != HP_PRECISION_SINGLE) {
    hp_amg_run_double(t, H, b, x);
    return;
  }
  float *bf = (float *)L->b, *xf = (float *)L->x;
  HP_TEAM_FOR(t, i, L->A->nrow) bf[i] = (float)b[i];
  hp_team_sync(t); /* b */
  hp_amg_run_float(t, H, bf, xf);
  HP_TEAM_FOR(t, i, L->A->nrow) x[i] = xf[i];
  hp_team_sync(t); /* x */
}

#endif
