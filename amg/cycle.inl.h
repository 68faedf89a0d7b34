/* Multigrid cycles and the refresh of a hierarchy's numbers: team programs.
 *
 *   hp_amg_cycle     x = M^-1 b, one cycle from zero. Before: a barrier after the last
 *                    write to b. Ends with a barrier: x is visible to all.
 *   hp_amg_refresh   level 0's values have changed (and are visible): products, smoothers
 *                    and the factors of the last level again. Ends with a barrier.
 *
 * The same bits for every team: Gauss-Seidel runs inside blocks of rows whose
 * number depends on the level's size only, and takes older values of the others.
 */
#ifndef HP_AMG_CYCLE_INL_H
#define HP_AMG_CYCLE_INL_H

#include <math.h>

#include "amg/refresh.inl.h"

/* ---- numbers ---------------------------------------------------------------------- */

/* Blocks of Gauss-Seidel on a level of n rows; block c is the rows n c / blocks .. n (c + 1) / blocks - 1. */
HP_INLINE HP_HD int hp_amg_blocks(int64_t n) {
  const int64_t blocks = n / 2048;
  return blocks < 1 ? 1 : blocks > HP_AMG_BLOCKS ? (int)HP_AMG_BLOCKS : (int)blocks;
}

/* Half the sum of |a_ij| outside row i's block, if it is not small: added to the diagonal it makes Gauss-Seidel in
 * blocks converge where strong couplings cross their borders (Baker, Falgout, Kolev & Yang 2011, section 6.1 and
 * remark 6.2). */
HP_INLINE HP_HD double hp_amg_outside_block(const hp_csr *A, int64_t i, double diagonal) {
  const int64_t n = A->nrow, blocks = hp_amg_blocks(n), c = ((i + 1) * blocks - 1) / n;
  const int64_t begin = n * c / blocks, end = n * (c + 1) / blocks;
  double sum = 0.0;
  for (int32_t k = A->begin[i]; k < A->begin[i + 1]; ++k)
    if (A->column[k] < begin || A->column[k] >= end) sum += fabs(A->value[k]);
  return 0.5 * sum > fabs(diagonal) / 3.0 ? 0.5 * sum : 0.0;
}

/* What a residual of row i is multiplied by; 0 for a row without a diagonal. */
HP_INLINE HP_HD double hp_amg_scale_of(const hp_amg_options *opt, const hp_csr *A, int64_t i) {
  double diagonal = 0.0, sum = 0.0;
  for (int32_t k = A->begin[i]; k < A->begin[i + 1]; ++k) {
    if (A->column[k] == i) diagonal = A->value[k];
    sum += fabs(A->value[k]);
  }
  if (diagonal == 0.0) return 0.0;
  if (opt->smoother == HP_AMG_L1_JACOBI) return diagonal < 0.0 ? -1.0 / sum : 1.0 / sum;
  if (opt->smoother == HP_AMG_JACOBI) return opt->damping / diagonal;
  const double outside = hp_amg_outside_block(A, i, diagonal);
  return 1.0 / (diagonal < 0.0 ? diagonal - outside : diagonal + outside);
}

HP_INLINE HP_HD void hp_amg_level_scale(hp_team *t, const hp_amg *H, int l) {
  const hp_csr *A = H->level[l].A;
  double *scale = H->level[l].scale;
  HP_TEAM_FOR(t, i, A->nrow) scale[i] = hp_amg_scale_of(&H->opt, A, i);
}

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

HP_INLINE HP_HD void hp_amg_refresh(hp_team *t, const hp_amg *H) {
  hp_amg_refresh_products(t, H);
  for (int l = 0; l < H->nlevel; ++l) hp_amg_level_scale(t, H, l);
  if (H->lu != NULL && t->rank == 0) hp_amg_factorize(H);
  hp_team_sync(t);
}

/* ---- smoothing ---------------------------------------------------------------------- */

/* One row of Gauss-Seidel: inside the block from x, outside from y (not at all if that is NULL). */
HP_INLINE HP_HD void hp_amg_relax_row(const hp_csr *A, const double *scale, int64_t i, int64_t begin, int64_t end,
                                      const double *b, const double *y, double *x) {
  double sum = b[i];
  for (int32_t k = A->begin[i]; k < A->begin[i + 1]; ++k) {
    const int64_t j = A->column[k];
    if (j >= begin && j < end) sum -= A->value[k] * x[j];
    else if (y != NULL) sum -= A->value[k] * y[j];
  }
  x[i] += scale[i] * sum;
}

HP_INLINE HP_HD void hp_amg_relax(hp_team *t, const hp_amg_level *L, bool forward, bool zero, const double *b,
                                  double *x) {
  const int64_t n = L->A->nrow;
  const int blocks = hp_amg_blocks(n);
  double *y = L->y;
  if (!zero) {
    HP_TEAM_FOR(t, i, n) y[i] = x[i];
    hp_team_sync(t); /* y; nobody reads x of others from here on */
  }
  for (int c = t->rank; c < blocks; c += t->size) {
    const int64_t begin = n * c / blocks, end = n * (c + 1) / blocks;
    for (int64_t i = begin; i < end && zero; ++i) x[i] = 0.0;
    for (int64_t i = begin; i < end && forward; ++i)
      hp_amg_relax_row(L->A, L->scale, i, begin, end, b, zero ? NULL : y, x);
    for (int64_t i = end - 1; i >= begin && !forward; --i)
      hp_amg_relax_row(L->A, L->scale, i, begin, end, b, zero ? NULL : y, x);
  }
  hp_team_sync(t); /* x */
}

/* One sweep, x visible before (unless it starts from zero) and after. */
HP_INLINE HP_HD void hp_amg_sweep(hp_team *t, const hp_amg *H, const hp_amg_level *L, bool forward, bool zero,
                                  const double *b, double *x) {
  const int64_t n = L->A->nrow;
  const double *scale = L->scale;
  double *y = L->y;
  if (H->opt.smoother == HP_AMG_GAUSS_SEIDEL) {
    hp_amg_relax(t, L, forward, zero, b, x);
  } else if (zero) {
    HP_TEAM_FOR(t, i, n) x[i] = scale[i] * b[i];
    hp_team_sync(t); /* x */
  } else {
    HP_TEAM_FOR(t, i, n) y[i] = scale[i] * (b[i] - hp_csr_dot(L->A, i, x));
    hp_team_sync(t); /* y */
    HP_TEAM_FOR(t, i, n) x[i] += y[i];
    hp_team_sync(t); /* x */
  }
}

/* ---- cycles ------------------------------------------------------------------------- */

/* The last level: by its factors, or by sweeps if it is too large for them. */
HP_INLINE HP_HD void hp_amg_solve_last(hp_team *t, const hp_amg *H, const double *b, double *x) {
  const hp_amg_level *L = &H->level[H->nlevel - 1];
  const int64_t n = L->A->nrow;
  if (H->lu == NULL) {
    for (int s = 0; s < 4; ++s) {
      hp_amg_sweep(t, H, L, true, s == 0, b, x);
      hp_amg_sweep(t, H, L, false, false, b, x);
    }
    return;
  }
  if (t->rank == 0) {
    const double *lu = H->lu;
    for (int64_t i = 0; i < n; ++i) x[i] = b[i] * H->lu_scale[i];
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
  hp_team_sync(t); /* x */
}

/* One cycle from level l on; x starts from zero or, in the later visits of W and F, from what it is. */
HP_INLINE HP_HD void hp_amg_cycle_at(hp_team *t, const hp_amg *H, int l, hp_amg_cycle_kind kind, bool zero,
                                     const double *b, double *x) {
  const hp_amg_level *L = &H->level[l];
  if (l + 1 == H->nlevel) {
    hp_amg_solve_last(t, H, b, x);
    return;
  }
  const hp_amg_level *N = &H->level[l + 1];
  const int64_t n = L->A->nrow;
  double *y = L->y;
  for (int s = 0; s < H->opt.pre; ++s) hp_amg_sweep(t, H, L, true, zero && s == 0, b, x);
  const bool nothing = zero && H->opt.pre == 0;
  HP_TEAM_FOR(t, i, n) y[i] = nothing ? b[i] : b[i] - hp_csr_dot(L->A, i, x);
  hp_team_sync(t); /* the residual */
  HP_TEAM_FOR(t, i, N->A->nrow) N->b[i] = hp_csr_dot(L->R, i, y);
  hp_team_sync(t);
  const bool twice = kind != HP_AMG_V && l + 2 < H->nlevel;
  hp_amg_cycle_at(t, H, l + 1, kind, true, N->b, N->x);
  if (twice) hp_amg_cycle_at(t, H, l + 1, kind == HP_AMG_W ? HP_AMG_W : HP_AMG_V, false, N->b, N->x);
  HP_TEAM_FOR(t, i, n) x[i] = (nothing ? 0.0 : x[i]) + hp_csr_dot(L->P, i, N->x);
  hp_team_sync(t); /* x */
  for (int s = 0; s < H->opt.post; ++s) hp_amg_sweep(t, H, L, false, false, b, x);
}

HP_INLINE HP_HD void hp_amg_cycle(hp_team *t, const hp_amg *H, const double *b, double *x) {
  hp_amg_cycle_at(t, H, 0, H->opt.cycle, true, b, x);
}

#endif
