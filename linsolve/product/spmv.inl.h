/* Products with a GH matrix and the residual: team programs.
 *
 *     y = A x          hp_gh_mul
 *     y = b - A x      hp_gh_residual
 *     y = A^T x        hp_gh_mul_transposed
 *     y = A x          hp_gh_mul_local, y an owner-local vector (core/team/local.h)
 *     some rows        hp_gh_rows: of the first two, without a team
 *
 * All keep the ownership of HP_TEAM_FOR_OWNED(t, i, A->n): row i of y is
 * written by the member that owns index i, so that an owned loop or reduction
 * over n may follow without a barrier. Contract of all:
 *   before   a barrier after the last write to x (every member reads all of it)
 *   after    a barrier before another member reads y, or writes to x
 * x and y do not overlap; b may be y.
 *
 * The sum of a row runs over u = -3 .. 3, then its unknowns, then the wells'
 * runs in the order of their numbers, then the connections beyond the diagonals
 * in the order of their cells: one order, whatever the team.
 *
 * Bdia needs no index arrays (Al-Mouhamed & Khan 2017, section 6.1): the 7q
 * columns of a row are 7q streams, fused in one pass. A dimension of size 1 has
 * no diagonals. Near both ends of the cell range some diagonals leave the
 * matrix: the range is split into at most 7 stretches with a fixed set of
 * diagonals each, so that no inner loop has a test.
 */
#ifndef HP_LINSOLVE_PRODUCT_SPMV_INL_H
#define HP_LINSOLVE_PRODUCT_SPMV_INL_H

#include "core/team/local.h"
#include "linsolve/matrix/gh.h"
#include "linsolve/matrix/pair.inl.h"
#include "linsolve/product/links.inl.h"

/* The diagonals that exist, in the order of u. */
typedef struct hp_gh_stencil {
  int count;
  int u[HP_GH_DIAGS];
  int64_t shift[HP_GH_DIAGS]; /* of cells */
} hp_gh_stencil;

HP_INLINE HP_HD hp_gh_stencil hp_gh_stencil_of(const hp_gh *A) {
  hp_gh_stencil s;
  s.count = 0;
  for (int u = -3; u <= 3; ++u) {
    const int length = (u == 1 || u == -1) ? A->nz : (u == 2 || u == -2) ? A->ny : A->nx;
    if (u != 0 && length == 1) continue;
    s.u[s.count] = u;
    s.shift[s.count] = hp_gh_offset(A, u);
    s.count += 1;
  }
  return s;
}

/* The diagonals of `all` that stay inside the matrix for cell m; lowers *end to the first cell after m for which
 * they differ. */
HP_INLINE HP_HD hp_gh_stencil hp_gh_stencil_at(const hp_gh *A, const hp_gh_stencil *all, int64_t m, int64_t *end) {
  hp_gh_stencil s;
  s.count = 0;
  for (int d = 0; d < all->count; ++d) {
    const int64_t first = all->shift[d] < 0 ? -all->shift[d] : 0;
    const int64_t last = all->shift[d] > 0 ? A->ncell - all->shift[d] : A->ncell;
    if (m < first) {
      if (first < *end) *end = first;
    } else if (m < last) {
      if (last < *end) *end = last;
      s.u[s.count] = all->u[d];
      s.shift[s.count] = all->shift[d];
      s.count += 1;
    }
  }
  return s;
}

/* Rows of the cells begin..end-1, all with the diagonals of s: y = H x, or
 * b - H x if b is not NULL. q and nd (= s->count) are constants where the
 * caller writes constants: the loops over them vanish. */
HP_INLINE HP_HD void hp_gh_cells(const hp_gh *A, const hp_gh_stencil *s, int q, int nd, const double *b,
                                 const double *x, double *y, int64_t begin, int64_t end) {
  const double *column[HP_GH_DIAGS], *shifted[HP_GH_DIAGS];
  const int64_t ld = A->ld;
  for (int d = 0; d < nd; ++d) {
    column[d] = A->h + (int64_t)(s->u[d] + 3) * q * ld;
    shifted[d] = x + s->shift[d] * q;
  }
  for (int64_t m = begin; m < end; ++m) {
    double sum[HP_GH_Q_MAX];
    for (int a = 0; a < q; ++a) sum[a] = 0.0;
    for (int d = 0; d < nd; ++d)
      for (int c = 0; c < q; ++c) {
        const double xc = shifted[d][m * q + c];
        const double *h = column[d] + c * ld + m * q;
        for (int a = 0; a < q; ++a) sum[a] += h[a] * xc;
      }
    if (b != NULL)
      for (int a = 0; a < q; ++a) y[m * q + a] = b[m * q + a] - sum[a];
    else
      for (int a = 0; a < q; ++a) y[m * q + a] = sum[a];
  }
}

/* The same for q = 2, a cell's two rows as a pair. */
HP_INLINE HP_HD void hp_gh_cells_pairs(const hp_gh *A, const hp_gh_stencil *s, int nd, const double *b, const double *x,
                                       double *y, int64_t begin, int64_t end) {
  const double *column[HP_GH_DIAGS], *shifted[HP_GH_DIAGS];
  const int64_t ld = A->ld;
  for (int d = 0; d < nd; ++d) {
    column[d] = A->h + (int64_t)(s->u[d] + 3) * 2 * ld;
    shifted[d] = x + s->shift[d] * 2;
  }
  for (int64_t i = 2 * begin; i < 2 * end; i += 2) {
    hp_pair sum = hp_pair_both(0.0);
    for (int d = 0; d < nd; ++d) {
      const double *h = column[d] + i;
      sum = hp_pair_add(sum, hp_pair_mul(hp_pair_load_double(h), hp_pair_both(shifted[d][i])));
      sum = hp_pair_add(sum, hp_pair_mul(hp_pair_load_double(h + ld), hp_pair_both(shifted[d][i + 1])));
    }
    hp_pair_store(y + i, b != NULL ? hp_pair_sub(hp_pair_load_double(b + i), sum) : sum);
  }
}

/* Picks the compiled form: two unknowns (two-phase flow) in 3, 2 and 1
 * dimensions, one unknown (pressure), anything else. */
HP_INLINE HP_HD void hp_gh_cells_any(const hp_gh *A, const hp_gh_stencil *s, const double *b, const double *x,
                                     double *y, int64_t begin, int64_t end) {
  if (A->q == 2 && s->count == 7) hp_gh_cells_pairs(A, s, 7, b, x, y, begin, end);
  else if (A->q == 2 && s->count == 5) hp_gh_cells_pairs(A, s, 5, b, x, y, begin, end);
  else if (A->q == 2) hp_gh_cells_pairs(A, s, s->count, b, x, y, begin, end);
  else if (A->q == 1 && s->count == 7) hp_gh_cells(A, s, 1, 7, b, x, y, begin, end);
  else if (A->q == 1) hp_gh_cells(A, s, 1, s->count, b, x, y, begin, end);
  else hp_gh_cells(A, s, A->q, s->count, b, x, y, begin, end);
}

/* Rows begin..end-1 of one cell: a chunk may end inside a cell when q does not divide 32. */
HP_INLINE HP_HD void hp_gh_part_of_cell(const hp_gh *A, const hp_gh_stencil *all, const double *b, const double *x,
                                        double *y, int64_t begin, int64_t end) {
  const int64_t m = begin / A->q;
  int64_t until = m + 1;
  const hp_gh_stencil s = hp_gh_stencil_at(A, all, m, &until);
  for (int64_t i = begin; i < end; ++i) {
    double sum = 0.0;
    for (int d = 0; d < s.count; ++d)
      for (int c = 0; c < A->q; ++c)
        sum += A->h[((int64_t)(s.u[d] + 3) * A->q + c) * A->ld + i] * x[(m + s.shift[d]) * A->q + c];
    y[i] = b != NULL ? b[i] - sum : sum;
  }
}

/* Adds (sign +1) or subtracts (-1) value[p][a] x_w to y in rows begin..end-1:
 * the wells' columns. Every member visits all runs; there are few. */
HP_INLINE HP_HD void hp_gh_well_columns(const hp_gh *A, const double *value, double sign, const double *x, double *y,
                                        int64_t begin, int64_t end) {
  const hp_gh_wells *W = &A->wells;
  for (int r = 0; r < W->nrun; ++r) {
    const int64_t first = W->b[r] * A->q, last = first + (int64_t)W->c[r] * A->q;
    const int64_t from = first > begin ? first : begin, to = last < end ? last : end;
    const double xw = sign * x[A->rows + W->of[r]];
    for (int64_t i = from; i < to; ++i) y[i] += value[W->a[r] * A->q + (i - first)] * xw;
  }
}

enum { HP_WELL_LANES = 32 };

/* Sum over the entries of well w, value . x_cells: the entries go to 32 lanes
 * cyclically, then a tree adds the lanes. By one member. */
HP_INLINE HP_HD double hp_gh_well_dot(const hp_gh *A, int w, const double *value, const double *x) {
  const hp_gh_wells *W = &A->wells;
  double lane[HP_WELL_LANES];
  for (int l = 0; l < HP_WELL_LANES; ++l) lane[l] = 0.0;
  int at = 0;
  for (int r = W->run_begin[w]; r < W->run_begin[w + 1]; ++r) {
    const double *v = value + W->a[r] * A->q, *xr = x + W->b[r] * A->q;
    for (int64_t n = 0; n < (int64_t)W->c[r] * A->q; ++n) {
      lane[at] += v[n] * xr[n];
      at = (at + 1) % HP_WELL_LANES;
    }
  }
  for (int apart = HP_WELL_LANES / 2; apart > 0; apart /= 2)
    for (int l = 0; l < apart; ++l) lane[l] += lane[l + apart];
  return lane[0];
}

/* The row of well w with the border's values: value . x_cells + D x_w. */
HP_INLINE HP_HD double hp_gh_well_row(const hp_gh *A, int w, const double *value, const double *x) {
  return hp_gh_well_dot(A, w, value, x) + A->wells.dd[w] * x[A->rows + w];
}

/* Rows begin..end-1 of A x or b - A x; b == NULL: the product. */
HP_INLINE HP_HD void hp_gh_rows(const hp_gh *A, const double *b, const double *x, double *y, int64_t begin,
                                int64_t end) {
  const int q = A->q;
  const hp_gh_stencil all = hp_gh_stencil_of(A);
  const int64_t last = end < A->rows ? end : A->rows; /* of the cells' rows */
  int64_t i = begin;
  if (i < last && i % q != 0) {
    const int64_t to = (i / q + 1) * q < last ? (i / q + 1) * q : last;
    hp_gh_part_of_cell(A, &all, b, x, y, i, to);
    i = to;
  }
  int64_t m = i / q;
  while (m < last / q) {
    int64_t to = last / q;
    const hp_gh_stencil s = hp_gh_stencil_at(A, &all, m, &to);
    hp_gh_cells_any(A, &s, b, x, y, m, to);
    m = to;
    i = m * q;
  }
  if (i < last) hp_gh_part_of_cell(A, &all, b, x, y, i, last);
  if (begin < last) hp_gh_well_columns(A, A->wells.wt, b != NULL ? -1.0 : 1.0, x, y, begin, last);
  if (hp_gh_is_linked(A) && begin < last) hp_gh_link_rows(A, b != NULL ? -1.0 : 1.0, x, y, begin, last);
  for (int64_t n = begin > A->rows ? begin : A->rows; n < end; ++n) {
    const double sum = hp_gh_well_row(A, (int)(n - A->rows), A->wells.w, x);
    y[n] = b != NULL ? b[n] - sum : sum;
  }
}

/* Row i of A^T x for unknown b of cell n: over u, the entries of diagonal u in
 * the cells n - h(u), whose column is this row. */
HP_INLINE HP_HD double hp_gh_transposed_row(const hp_gh *A, const hp_gh_stencil *s, int64_t n, int b, const double *x) {
  const int q = A->q;
  double sum = 0.0;
  for (int d = 0; d < s->count; ++d) {
    const int64_t m = n - s->shift[d];
    if (m < 0 || m >= A->ncell) continue;
    const double *h = A->h + ((int64_t)(s->u[d] + 3) * q + b) * A->ld + m * q;
    for (int a = 0; a < q; ++a) sum += h[a] * x[m * q + a];
  }
  return sum;
}

/* Cells begin..end-1 of A^T x, all with the diagonals of s, whose shifts are
 * the negative ones: the cells n - h(u). The sums have the order of
 * hp_gh_transposed_row. q and nd are constants where the caller writes constants. */
HP_INLINE HP_HD void hp_gh_cells_transposed(const hp_gh *A, const hp_gh_stencil *s, int q, int nd, const double *x,
                                            double *y, int64_t begin, int64_t end) {
  const double *column[HP_GH_DIAGS], *shifted[HP_GH_DIAGS];
  const int64_t ld = A->ld;
  for (int d = 0; d < nd; ++d) {
    column[d] = A->h + (int64_t)(s->u[d] + 3) * q * ld + s->shift[d] * q;
    shifted[d] = x + s->shift[d] * q;
  }
  for (int64_t i = begin * q; i < end * q; i += q)
    for (int b = 0; b < q; ++b) {
      double sum = 0.0;
      for (int d = 0; d < nd; ++d)
        for (int a = 0; a < q; ++a) sum += column[d][b * ld + i + a] * shifted[d][i + a];
      y[i + b] = sum;
    }
}

/* Rows begin..end-1 of the cells of A^T x. */
HP_INLINE HP_HD void hp_gh_transposed_rows(const hp_gh *A, const double *x, double *y, int64_t begin, int64_t end) {
  const int q = A->q;
  const hp_gh_stencil all = hp_gh_stencil_of(A);
  hp_gh_stencil back = all;
  for (int d = 0; d < all.count; ++d) back.shift[d] = -all.shift[d];
  int64_t i = begin;
  for (; i < end && i % q != 0; ++i) y[i] = hp_gh_transposed_row(A, &all, i / q, (int)(i % q), x);
  for (int64_t n = i / q, to; n < end / q; n = to, i = to * q) {
    to = end / q;
    const hp_gh_stencil s = hp_gh_stencil_at(A, &back, n, &to);
    if (q == 2 && s.count == 7) hp_gh_cells_transposed(A, &s, 2, 7, x, y, n, to);
    else if (q == 2) hp_gh_cells_transposed(A, &s, 2, s.count, x, y, n, to);
    else if (q == 1 && s.count == 7) hp_gh_cells_transposed(A, &s, 1, 7, x, y, n, to);
    else hp_gh_cells_transposed(A, &s, q, s.count, x, y, n, to);
  }
  for (; i < end; ++i) y[i] = hp_gh_transposed_row(A, &all, i / q, (int)(i % q), x);
}

#if defined(__CUDACC__)
/* The forms of a matrix with code for it: two unknowns in three dimensions, a cell's rows together or separately; anything else.
 * Further ones have numbers from HP_GH_FORMS on (hp_gh_form_rows in linsolve/product/cuda/spmv.cuh). */
enum { HP_GH_ANY, HP_GH_TWO_3D, HP_GH_TWO_3D_ROWS, HP_GH_FORMS };
#endif

#if defined(__CUDA_ARCH__)
#include "linsolve/product/cuda/spmv.cuh"
#include "linsolve/product/cuda/transposed.cuh"
#endif

/* y = A x; see the contract above. x, y [n]. */
HP_INLINE HP_HD void hp_gh_mul(hp_team *t, const hp_gh *A, const double *x, double *y) {
#if defined(__CUDA_ARCH__)
  hp_gh_product_cuda(t, A, NULL, x, y);
#else
  const hp_span rows = hp_team_span(t, A->n, 1);
  hp_gh_rows(A, NULL, x, y, rows.begin, rows.end);
#endif
}

/* y = b - A x; see the contract above. b, x, y [n]. */
HP_INLINE HP_HD void hp_gh_residual(hp_team *t, const hp_gh *A, const double *b, const double *x, double *y) {
#if defined(__CUDA_ARCH__)
  hp_gh_product_cuda(t, A, b, x, y);
#else
  const hp_span rows = hp_team_span(t, A->n, 1);
  hp_gh_rows(A, b, x, y, rows.begin, rows.end);
#endif
}

/* y = A^T x, for methods with a shadow recurrence; the contract above. x, y [n]. */
HP_INLINE HP_HD void hp_gh_mul_transposed(hp_team *t, const hp_gh *A, const double *x, double *y) {
#if defined(__CUDA_ARCH__)
  hp_gh_transposed_cuda(t, A, x, y);
#else
  const hp_span rows = hp_team_span(t, A->n, 1);
  const int64_t last = rows.end < A->rows ? rows.end : A->rows;
  hp_gh_transposed_rows(A, x, y, rows.begin, last);
  if (rows.begin < last) hp_gh_well_columns(A, A->wells.w, 1.0, x, y, rows.begin, last);
  if (hp_gh_is_linked(A) && rows.begin < last) hp_gh_link_rows_transposed(A, x, y, rows.begin, last);
  for (int64_t i = rows.begin > A->rows ? rows.begin : A->rows; i < rows.end; ++i)
    y[i] = hp_gh_well_row(A, (int)(i - A->rows), A->wells.wt, x);
#endif
}

/* y = A x; see the contract above. x [n]. */
HP_INLINE HP_HD void hp_gh_mul_local(hp_team *t, const hp_gh *A, const double *x, hp_local y) {
#if defined(__CUDA_ARCH__)
  hp_gh_product_local_cuda(t, A, x, y);
#else
  hp_gh_mul(t, A, x, y.at);
#endif
}

/* Ghosts of a rank's part, on a CPU: those of x are renewed before a product reads it, and zero in x and y afterwards, where sums
 * read them. A barrier before the first; both end with one. All: also those that the product does not read, for the equations
 * of all wells. */
HP_INLINE HP_HD void hp_gh_renew(hp_team *t, const hp_gh *A, const double *x) {
#if !defined(__CUDA_ARCH__)
  if (A->part != NULL) hp_team_renew(t, A->part, (double *)x, A->q);
#else
  (void)t, (void)A, (void)x;
#endif
}
HP_INLINE HP_HD void hp_gh_renew_all(hp_team *t, const hp_gh *A, const double *x) {
#if !defined(__CUDA_ARCH__)
  if (A->part != NULL) hp_team_renew_all(t, A->part, (double *)x, A->q);
#else
  (void)t, (void)A, (void)x;
#endif
}
HP_INLINE HP_HD void hp_gh_drop(hp_team *t, const hp_gh *A, const double *x, double *y) {
#if !defined(__CUDA_ARCH__)
  if (A->part == NULL) return;
  hp_team_sync(t); /* the product */
  hp_team_drop(t, A->part, (double *)x, A->q);
  hp_team_drop(t, A->part, y, A->q);
#else
  (void)t, (void)A, (void)x, (void)y;
#endif
}

#endif
