/* Block DILU: M = (D + L) D^-1 (D + U) with L and U the off-diagonal blocks of
 * the matrix in the order of elimination and
 *
 *     D_m = A_mm - sum over eliminated neighbours n of A_mn D_n^-1 A_nm.
 *
 * On a 7-point graph no two neighbours of a cell are neighbours of each other,
 * so nothing but the diagonal fills in: this is block ILU(0), in every order.
 *
 * Relaxed (hp_precond.relaxation = w > 0), the fill that is dropped between
 * other cells is added, in its pressure column and times w, to the diagonal
 * (modified incomplete factorization, Gustafsson 1978; Axelsson & Lindskog
 * 1986): at w = 1, M and A agree on a pressure that is the same everywhere.
 * Pressure is smooth, saturation is not, hence the one column. Measured:
 * docs/laboratory/tried.md.
 *
 * An inactive cell is an identity row and stays one.
 *
 * Application in natural order, everything prescaled by D^-1:
 *
 *     y_m = D_m^-1 r_m - sum over lower n of (D_m^-1 A_mn) y_n      m rising
 *     z_m = y_m        - sum over upper n of (D_m^-1 A_mn) z_n      m falling
 *
 * as a pipeline: a member owns the columns of a range of j and walks along i,
 * so that its memory is contiguous in every slab i; it waits for the member
 * before it to have done the same slab. Columns without active cells (a
 * quarter of many a field model) are passed over. Red-black order, first colour i+j+k
 * even, needs two phases with one barrier between, and reads r only:
 *
 *     odd:  z_m = D_m^-1 r_m - sum over n of (D_m^-1 A_mn D_n^-1) r_n
 *     even: z_m = D_m^-1 r_m - sum over n of (D_m^-1 A_mn) z_n
 *
 * Bricks (linsolve/precond/bricks.h) are the natural order with the blocks between bricks left out; the CPU's team
 * goes through them in the same pipeline, a GPU's warps each by itself (linsolve/precond/dilu/cuda/bricks.cuh).
 *
 * A cell's factors: linsolve/precond/dilu/factor.inl.h. Transposed: transposed.inl.h. The packed blocks: pack.inl.h.
 */
#ifndef HP_LINSOLVE_PRECOND_DILU_DILU_INL_H
#define HP_LINSOLVE_PRECOND_DILU_DILU_INL_H

#include "linsolve/precond/dilu/factor.inl.h"
#include "linsolve/precond/dilu/pack.inl.h"
#include "linsolve/precond/dilu/transposed.inl.h"
#include "linsolve/precond/precond.h"
#include "linsolve/precond/wells.inl.h"

/* ---- the pipeline of the natural order ---- */

/* A member's part: columns j0..j1-1 of every slab i, after rank-1 and before
 * rank+1 of `working` members; slabs a step, so that a step is worth a signal. */
typedef struct hp_dilu_share {
  int j0, j1, working, step, steps;
} hp_dilu_share;

HP_INLINE HP_HD hp_dilu_share hp_dilu_share_of(const hp_team *t, const hp_gh *A) {
  enum { CELLS_A_SIGNAL = 256 };
  hp_dilu_share p;
  p.working = t->size < A->ny ? t->size : A->ny;
  p.j0 = t->rank < p.working ? (int)((int64_t)A->ny * t->rank / p.working) : 0;
  p.j1 = t->rank < p.working ? (int)((int64_t)A->ny * (t->rank + 1) / p.working) : 0;
  const int64_t cells = (int64_t)A->nz * A->ny / p.working;
  p.step = (int)((CELLS_A_SIGNAL + cells - 1) / cells);
  p.steps = (A->nx + p.step - 1) / p.step;
  return p;
}

/* ---- setup ---- */

/* Factorizes a cell and packs its row. */
HP_INLINE HP_HD bool hp_dilu_natural_cell(const hp_precond *P, const hp_gh *A, int q, int i, int j, int k) {
  const hp_dilu_cell c = {k + (int64_t)A->nz * (j + (int64_t)A->ny * i), i, j, k, false, false};
  double inverse[HP_GH_Q_MAX * HP_GH_Q_MAX], scaled[HP_GH_Q_MAX * HP_GH_Q_MAX];
  const bool regular = hp_dilu_factor(P, A, q, &c, inverse);
  hp_dilu_put(P, q * q, inverse, hp_dilu_place(A, c.m, 0));
  for (int n = 1; n < HP_DILU_BLOCKS; ++n) {
    hp_dilu_scaled(P, A, q, &c, hp_dilu_diagonal_of(false, n), inverse, scaled);
    hp_dilu_put(P, q * q, scaled, hp_dilu_place(A, c.m, n));
  }
  return regular;
}

/* Two unknowns: hp_dilu_natural_cell with a block's columns as pairs, operation by operation. */
typedef struct hp_dilu_pairs {
  hp_pair c0, c1;
} hp_dilu_pairs;

HP_INLINE HP_HD hp_dilu_pairs hp_dilu_pairs_load(const double *column, int64_t stride) {
  hp_dilu_pairs x;
  x.c0 = hp_pair_load_double(column);
  x.c1 = hp_pair_load_double(column + stride);
  return x;
}

/* x times the column (y_0, y_1); a sum begins at zero, as in hp_block_mul. */
HP_INLINE HP_HD hp_pair hp_dilu_pairs_column(hp_dilu_pairs x, hp_pair y) {
  const hp_pair first = hp_pair_add(hp_pair_both(0.0), hp_pair_mul(x.c0, hp_pair_first(y)));
  return hp_pair_add(first, hp_pair_mul(x.c1, hp_pair_second(y)));
}

HP_INLINE HP_HD hp_dilu_pairs hp_dilu_pairs_mul(hp_dilu_pairs x, hp_dilu_pairs y) {
  hp_dilu_pairs z;
  z.c0 = hp_dilu_pairs_column(x, y.c0);
  z.c1 = hp_dilu_pairs_column(x, y.c1);
  return z;
}

HP_INLINE HP_HD void hp_dilu_pairs_put(const hp_precond *P, hp_dilu_pairs x, int64_t place) {
  if (P->precision == HP_PRECISION_SINGLE) {
    hp_pair_store_float((float *)P->pack + place, x.c0);
    hp_pair_store_float((float *)P->pack + place + 2, x.c1);
  } else {
    hp_pair_store((double *)P->pack + place, x.c0);
    hp_pair_store((double *)P->pack + place + 2, x.c1);
  }
}

HP_INLINE HP_HD void hp_dilu_eliminate_pairs(const hp_precond *P, const hp_gh *A, int64_t m, int u,
                                             hp_dilu_pairs *block) {
  const int64_t n = m + hp_gh_offset(A, u), ld = A->ld;
  const hp_dilu_pairs amn = hp_dilu_pairs_load(A->h + (u + 3) * 2 * ld + 2 * m, ld);
  hp_dilu_pairs anm = hp_dilu_pairs_load(A->h + (3 - u) * 2 * ld + 2 * n, ld);
  for (int other = 1; other <= 3 && P->relaxation > 0.0; ++other)
    if (other != -u && hp_dilu_fills(P, A, n, other))
      anm.c0 = hp_pair_add(
          anm.c0, hp_pair_mul(hp_pair_both(P->relaxation), hp_pair_load_double(A->h + (other + 3) * 2 * ld + 2 * n)));
  const hp_dilu_pairs fill = hp_dilu_pairs_mul(hp_dilu_pairs_mul(amn, hp_dilu_pairs_load(P->inverse + 4 * n, 2)), anm);
  block->c0 = hp_pair_sub(block->c0, fill.c0);
  block->c1 = hp_pair_sub(block->c1, fill.c1);
}

HP_INLINE HP_HD bool hp_dilu_natural_cell_pairs(const hp_precond *P, const hp_gh *A, int i, int j, int k) {
  const int64_t m = k + (int64_t)A->nz * (j + (int64_t)A->ny * i), ld = A->ld;
  bool has[7] = {i > 0, j > 0, k > 0, false, k + 1 < A->nz, j + 1 < A->ny, i + 1 < A->nx}; /* u + 3 */
  double diagonal[4], *inverse = P->inverse + m * 4;
  for (int u = -3; u <= 3 && P->ordering == HP_ORDER_BRICKS; ++u) has[u + 3] = u != 0 && hp_dilu_sees(P, A, i, j, k, u);
  hp_block_diagonal(A, 2, m, diagonal);
  hp_dilu_pairs block = hp_dilu_pairs_load(diagonal, 2);
  for (int u = -3; u < 0; ++u)
    if (has[u + 3]) hp_dilu_eliminate_pairs(P, A, m, u, &block);
  hp_pair_store(diagonal, block.c0);
  hp_pair_store(diagonal + 2, block.c1);
  const bool regular = hp_block_invert_pairs(diagonal, inverse);
  const hp_dilu_pairs scale = hp_dilu_pairs_load(inverse, 2);
  hp_dilu_pairs_put(P, scale, m * 16);
  for (int n = 1; n <= 6; ++n) {
    const int u = n <= 3 ? -n : n - 3; /* of the pack's block n */
    const int64_t place = n <= 3 ? m * 16 + n * 4 : A->ncell * 16 + m * 12 + (n - 4) * 4;
    hp_dilu_pairs scaled;
    scaled.c0 = scaled.c1 = hp_pair_both(0.0);
    if (has[u + 3]) scaled = hp_dilu_pairs_mul(scale, hp_dilu_pairs_load(A->h + (u + 3) * 2 * ld + 2 * m, ld));
    hp_dilu_pairs_put(P, scaled, place);
  }
  return regular;
}

/* Whether all rows of the column are identity rows, as those of inactive cells are. */
HP_INLINE HP_HD bool hp_dilu_is_idle(const hp_gh *A, int q, int64_t column) {
  if (A->wells.nrun > 0 && A->wells.d[column] >= 0) return false;
  for (int64_t row = column * A->nz * q; row < (column + 1) * A->nz * q; ++row)
    for (int c = 0; c < HP_GH_DIAGS * q; ++c)
      if (A->h[c * A->ld + row] != (c == 3 * q + (int)(row % q) ? 1.0 : 0.0)) return false;
  return true;
}

/* One column of the natural order; returns its first singular cell or -1. */
HP_INLINE HP_HD int64_t hp_dilu_natural_column(const hp_precond *P, const hp_gh *A, int q, int i, int j) {
  const int64_t column = j + (int64_t)A->ny * i;
  int64_t bad = -1;
  P->idle[column] = hp_dilu_is_idle(A, q, column);
  for (int k = 0; k < A->nz; ++k) {
    const int64_t m = k + A->nz * column;
    if (P->idle[column])
      for (int e = 0; e < q * q; ++e) P->inverse[m * q * q + e] = e / q == e % q ? 1.0 : 0.0;
    else if (!(q == 2 ? hp_dilu_natural_cell_pairs(P, A, i, j, k) : hp_dilu_natural_cell(P, A, q, i, j, k)) && bad < 0)
      bad = m;
  }
  return bad;
}

HP_INLINE HP_HD int64_t hp_dilu_natural_setup(hp_team *t, const hp_precond *P, const hp_gh *A, int q) {
  const hp_dilu_share p = hp_dilu_share_of(t, A);
  int64_t bad = -1;
  hp_team_sweep_begin(t);
  if (t->rank >= p.working) return bad;
  for (int s = 0; s < p.steps; ++s) {
    if (t->rank > 0) hp_team_wait_for(t, t->rank - 1, s + 1);
    for (int i = s * p.step; i < (s + 1) * p.step && i < A->nx; ++i)
      for (int j = p.j0; j < p.j1; ++j) {
        const int64_t here = hp_dilu_natural_column(P, A, q, i, j);
        if (bad < 0) bad = here;
      }
    hp_team_post(t, s + 1);
  }
  return bad;
}

/* The cells of one colour (parity of i+j+k) in one column. */
HP_INLINE HP_HD int64_t hp_dilu_colour_column(const hp_precond *P, const hp_gh *A, int q, int64_t column, int odd) {
  const int i = (int)(column / A->ny), j = (int)(column % A->ny);
  double inverse[HP_GH_Q_MAX * HP_GH_Q_MAX], scaled[HP_GH_Q_MAX * HP_GH_Q_MAX];
  int64_t bad = -1, place = hp_dilu_colour_place(A, column, (i + j) & 1, odd);
  for (int k = (i + j + odd) & 1; k < A->nz; k += 2, place += HP_DILU_BLOCKS * q * q) {
    const hp_dilu_cell c = {column * A->nz + k, i, j, k, true, odd != 0};
    if (!hp_dilu_factor(P, A, q, &c, inverse) && bad < 0) bad = c.m;
    hp_dilu_put(P, q * q, inverse, place);
    for (int n = 1; n < HP_DILU_BLOCKS; ++n) {
      hp_dilu_scaled(P, A, q, &c, hp_dilu_diagonal_of(true, n), inverse, scaled);
      hp_dilu_put(P, q * q, scaled, place + n * q * q);
    }
  }
  return bad;
}

HP_INLINE HP_HD int64_t hp_dilu_colours_setup(hp_team *t, const hp_precond *P, const hp_gh *A, int q) {
  int64_t bad = -1;
  for (int odd = 0; odd < 2; ++odd) {
    HP_TEAM_FOR(t, column, (int64_t)A->nx * A->ny) {
      const int64_t here = hp_dilu_colour_column(P, A, q, column, odd);
      if (here >= 0 && (bad < 0 || here < bad)) bad = here;
    }
    if (odd == 0) hp_team_sync(t);
  }
  return bad;
}

HP_INLINE HP_HD int64_t hp_dilu_setup_q(hp_team *t, const hp_precond *P, const hp_gh *A, int q) {
  return P->ordering == HP_ORDER_RED_BLACK ? hp_dilu_colours_setup(t, P, A, q) : hp_dilu_natural_setup(t, P, A, q);
}

#if defined(__CUDA_ARCH__)
#include "linsolve/precond/dilu/cuda/dilu.cuh"
#endif

/* Factorizes; see hp_krylov_precond_setup. */
HP_INLINE HP_HD int64_t hp_dilu_setup(hp_team *t, const hp_precond *P, const hp_gh *A) {
#if defined(__CUDA_ARCH__)
  return hp_precond_first_bad(t, A, hp_dilu_setup_cuda(t, P, A));
#else
  return hp_precond_first_bad(t, A, A->q == 2 ? hp_dilu_setup_q(t, P, A, 2) : hp_dilu_setup_q(t, P, A, A->q));
#endif
}

/* ---- application ---- */

HP_INLINE HP_HD void hp_dilu_forward_slab(const hp_precond *P, const hp_gh *A, int q, int i, int j0, int j1,
                                          const double *r, double *y) {
  const int64_t slab = (int64_t)A->nz * A->ny * q, line = (int64_t)A->nz * q;
  for (int j = j0; j < j1; ++j) {
    const int64_t at = i * slab + j * line, place = at * q * 4;
    const double *yi = i > 0 ? y + at - slab : P->zero, *yj = j > 0 ? y + at - line : P->zero;
    const float *single = (const float *)P->pack + place;
    const double *full = (const double *)P->pack + place;
    if (P->idle[i * (int64_t)A->ny + j])
      for (int64_t e = 0; e < line; ++e) y[at + e] = r[at + e];
    else if (P->precision == HP_PRECISION_SINGLE && q == 2)
      hp_dilu_forward_pairs_float(A->nz, single, r + at, yj, yi, y + at);
    else if (P->precision == HP_PRECISION_SINGLE) hp_dilu_forward_float(q, A->nz, single, r + at, yj, yi, y + at);
    else if (q == 2) hp_dilu_forward_pairs_double(A->nz, full, r + at, yj, yi, y + at);
    else hp_dilu_forward_double(q, A->nz, full, r + at, yj, yi, y + at);
  }
}

HP_INLINE HP_HD void hp_dilu_backward_slab(const hp_precond *P, const hp_gh *A, int q, int i, int j0, int j1,
                                           double *z) {
  const int64_t slab = (int64_t)A->nz * A->ny * q, line = (int64_t)A->nz * q;
  for (int j = j1 - 1; j >= j0; --j) {
    if (P->idle[i * (int64_t)A->ny + j]) continue;
    const int64_t at = i * slab + j * line, place = A->ncell * 4 * q * q + at * q * 3;
    const double *zi = i + 1 < A->nx ? z + at + slab : P->zero, *zj = j + 1 < A->ny ? z + at + line : P->zero;
    const float *single = (const float *)P->pack + place;
    const double *full = (const double *)P->pack + place;
    if (P->precision == HP_PRECISION_SINGLE && q == 2) hp_dilu_backward_pairs_float(A->nz, single, zj, zi, z + at);
    else if (P->precision == HP_PRECISION_SINGLE) hp_dilu_backward_float(q, A->nz, single, zj, zi, z + at);
    else if (q == 2) hp_dilu_backward_pairs_double(A->nz, full, zj, zi, z + at);
    else hp_dilu_backward_double(q, A->nz, full, zj, zi, z + at);
  }
}

/* The pipeline's work on columns j0..j1-1 of slab i, transposed or not. */
HP_INLINE HP_HD void hp_dilu_forward(const hp_precond *P, const hp_gh *A, int q, bool transposed, int i, int j0, int j1,
                                     const double *r, double *z) {
  if (!transposed) hp_dilu_forward_slab(P, A, q, i, j0, j1, r, z);
  for (int j = j0; j < j1 && transposed; ++j) hp_dilu_forward_transposed(P, A, q, i, j, r, z);
}

HP_INLINE HP_HD void hp_dilu_backward(const hp_precond *P, const hp_gh *A, int q, bool transposed, int i, int j0,
                                      int j1, double *z) {
  if (!transposed) hp_dilu_backward_slab(P, A, q, i, j0, j1, z);
  for (int j = j1 - 1; j >= j0 && transposed; --j) hp_dilu_backward_transposed(P, A, q, i, j, z);
}

/* Forward and backward without a barrier between: a member turns back once the
 * one after it has, and that one read this member's y on its way there. */
HP_INLINE HP_HD void hp_dilu_natural(hp_team *t, const hp_precond *P, const hp_gh *A, int q, bool transposed,
                                     const double *r, double *z) {
  const hp_dilu_share p = hp_dilu_share_of(t, A);
  hp_team_sweep_begin(t);
  if (t->rank >= p.working) return;
  for (int s = 0; s < p.steps; ++s) {
    if (t->rank > 0) hp_team_wait_for(t, t->rank - 1, s + 1);
    for (int i = s * p.step; i < (s + 1) * p.step && i < A->nx; ++i)
      hp_dilu_forward(P, A, q, transposed, i, p.j0, p.j1, r, z);
    hp_team_post(t, s + 1);
  }
  for (int s = p.steps - 1; s >= 0; --s) {
    const int64_t done = 2 * (int64_t)p.steps - s;
    if (t->rank + 1 < p.working) hp_team_wait_for(t, t->rank + 1, done);
    const int last = (s + 1) * p.step < A->nx ? (s + 1) * p.step : A->nx;
    for (int i = last - 1; i >= s * p.step; --i) hp_dilu_backward(P, A, q, transposed, i, p.j0, p.j1, z);
    hp_team_post(t, done);
  }
}

/* One colour: neighbours are taken from x (r for the odd cells, z for the even ones). */
HP_INLINE HP_HD void hp_dilu_colour_phase(hp_team *t, const hp_precond *P, const hp_gh *A, int q, int odd,
                                          const double *r, const double *x, double *z) {
  const int64_t slab = (int64_t)A->nz * A->ny * q, line = (int64_t)A->nz * q;
  HP_TEAM_FOR(t, column, (int64_t)A->nx * A->ny) {
    const int i = (int)(column / A->ny), j = (int)(column % A->ny), first = (i + j + odd) & 1;
    const int64_t at = column * line, place = hp_dilu_colour_place(A, column, (i + j) & 1, odd);
    const double *beside[4];
    beside[0] = i > 0 ? x + at - slab : P->zero;
    beside[1] = j > 0 ? x + at - line : P->zero;
    beside[2] = j + 1 < A->ny ? x + at + line : P->zero;
    beside[3] = i + 1 < A->nx ? x + at + slab : P->zero;
    const float *single = (const float *)P->pack + place;
    const double *full = (const double *)P->pack + place;
    if (P->precision == HP_PRECISION_SINGLE && q == 2)
      hp_dilu_colour_pairs_float(A->nz, first, single, r + at, x + at, beside, z + at);
    else if (P->precision == HP_PRECISION_SINGLE)
      hp_dilu_colour_float(q, A->nz, first, single, r + at, x + at, beside, z + at);
    else if (q == 2) hp_dilu_colour_pairs_double(A->nz, first, full, r + at, x + at, beside, z + at);
    else hp_dilu_colour_double(q, A->nz, first, full, r + at, x + at, beside, z + at);
  }
}

HP_INLINE HP_HD void hp_dilu_apply_q(hp_team *t, const hp_precond *P, const hp_gh *A, int q, const double *r,
                                     double *z) {
  if (P->ordering != HP_ORDER_RED_BLACK) {
    hp_dilu_natural(t, P, A, q, false, r, z);
  } else {
    hp_dilu_colour_phase(t, P, A, q, 1, r, r, z);
    hp_team_sync(t); /* the odd cells' z */
    hp_dilu_colour_phase(t, P, A, q, 0, r, z, z);
  }
}

/* z = M^-1 r; see hp_krylov_precond_apply. */
HP_INLINE HP_HD void hp_dilu_apply(hp_team *t, const hp_precond *P, const hp_gh *A, const double *r, double *z) {
#if defined(__CUDA_ARCH__)
  hp_dilu_apply_cuda(t, P, A, r, z);
#else
  if (A->q == 2) hp_dilu_apply_q(t, P, A, 2, r, z);
  else if (A->q == 1) hp_dilu_apply_q(t, P, A, 1, r, z);
  else hp_dilu_apply_q(t, P, A, A->q, r, z);
#endif
  hp_precond_wells(t, A, r, z);
}

HP_INLINE HP_HD void hp_dilu_apply_transposed_q(hp_team *t, const hp_precond *P, const hp_gh *A, int q, const double *r,
                                                double *z) {
#if !defined(__CUDA_ARCH__)
  if (P->ordering != HP_ORDER_RED_BLACK) {
    hp_dilu_natural(t, P, A, q, true, r, z);
    hp_team_sync(t); /* y has been read */
    hp_dilu_scale_transposed(t, P, A, q, z);
    return;
  }
#endif
  hp_dilu_red_black_transposed(t, P, A, q, r, z);
}

/* z = M^-T r; see hp_krylov_precond_apply_transposed. */
HP_INLINE HP_HD void hp_dilu_apply_transposed(hp_team *t, const hp_precond *P, const hp_gh *A, const double *r,
                                              double *z) {
  if (A->q == 2) hp_dilu_apply_transposed_q(t, P, A, 2, r, z);
  else hp_dilu_apply_transposed_q(t, P, A, A->q, r, z);
  hp_precond_wells_transposed(t, A, r, z);
}

#endif
