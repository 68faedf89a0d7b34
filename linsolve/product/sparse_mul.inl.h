/* Products with a matrix in one of the formats of linsolve/matrix/sparse.h.
 *
 *     y = A x      hp_sparse_mul, a team program with the contract of hp_gh_mul
 *
 * Every row is summed in the order of its columns, as hp_gh_mul does it in the
 * cells' rows, so that these have the same bits in all formats (an infinite or
 * undefined x excepted: padding multiplies some entry of x by zero).
 *
 * Formats stored by columns go through their rows in strips of 32: the inner
 * loop runs over the rows of a strip, whose sums stay in registers or in L1.
 */
#ifndef HP_LINSOLVE_PRODUCT_SPARSE_MUL_INL_H
#define HP_LINSOLVE_PRODUCT_SPARSE_MUL_INL_H

#include "linsolve/matrix/sparse.h"
#include "linsolve/product/spmv.inl.h"

HP_INLINE HP_HD void hp_sparse_csr_rows(const hp_sparse *F, const double *x, double *y, int64_t begin, int64_t end) {
  for (int64_t i = begin; i < end; ++i) {
    double sum = 0.0;
    for (int64_t p = F->begin[i]; p < F->begin[i + 1]; ++p) sum += F->value[p] * x[F->column[p]];
    y[i] = sum;
  }
}

/* q is a constant where the caller writes one. */
HP_INLINE HP_HD void hp_sparse_bsr_rows(const hp_sparse *F, int q, const double *x, double *y, int64_t begin,
                                        int64_t end) {
  int64_t m = begin / q;
  int a = (int)(begin % q);
  for (int64_t i = begin; i < end; ++i) {
    double sum = 0.0;
    for (int64_t p = F->begin[m]; p < F->begin[m + 1]; ++p) {
      const double *v = F->value + (p * q + a) * q, *xp = x + (int64_t)F->column[p] * q;
      for (int b = 0; b < q; ++b) sum += v[b] * xp[b];
    }
    y[i] = sum;
    if (++a == q) {
      a = 0;
      m += 1;
    }
  }
}

/* Rows of one slice. */
HP_INLINE HP_HD void hp_sparse_sell_slice(const hp_sparse *F, const double *x, double *y, int64_t begin, int64_t end) {
  double sum[HP_SPARSE_SLICE];
  const int64_t s = begin / HP_SPARSE_SLICE;
  const int first = (int)(begin % HP_SPARSE_SLICE), last = first + (int)(end - begin);
  for (int l = first; l < last; ++l) sum[l] = 0.0;
  for (int64_t p = F->begin[s]; p < F->begin[s + 1]; p += HP_SPARSE_SLICE)
    for (int l = first; l < last; ++l) {
      const int32_t c = F->column[p + l];
      if (c >= 0) sum[l] += F->value[p + l] * x[c];
    }
  for (int64_t i = begin; i < end; ++i) y[i] = sum[i % HP_SPARSE_SLICE];
}

/* The part of ell, hyb and hec that has a fixed width. */
HP_INLINE HP_HD void hp_sparse_ell_strip(const hp_sparse *F, const double *x, double *y, int64_t begin, int64_t end) {
  double sum[HP_SPARSE_SLICE];
  const int count = (int)(end - begin);
  for (int l = 0; l < count; ++l) sum[l] = 0.0;
  for (int w = 0; w < F->width; ++w) {
    const int32_t *column = F->column + w * F->rows + begin;
    const double *value = F->value + w * F->rows + begin;
    for (int l = 0; l < count; ++l) sum[l] += value[l] * x[column[l]];
  }
  for (int l = 0; l < count; ++l) y[begin + l] = sum[l];
}

HP_INLINE HP_HD void hp_sparse_hyb_rest(const hp_sparse *F, const double *x, double *y, int64_t begin, int64_t end) {
  int64_t from = 0, to = F->rest;
  while (from < to) { /* first triple of row `begin` or later */
    const int64_t middle = (from + to) / 2;
    if (F->rest_row[middle] < begin) from = middle + 1;
    else to = middle;
  }
  for (int64_t p = from; p < F->rest && F->rest_row[p] < end; ++p)
    y[F->rest_row[p]] += F->rest_value[p] * x[F->rest_column[p]];
}

HP_INLINE HP_HD void hp_sparse_hec_rest(const hp_sparse *F, const double *x, double *y, int64_t begin, int64_t end) {
  for (int64_t i = begin; i < end; ++i)
    for (int64_t p = F->rest_begin[i]; p < F->rest_begin[i + 1]; ++p) y[i] += F->rest_value[p] * x[F->rest_column[p]];
}

HP_INLINE HP_HD void hp_sparse_dia_strip(const hp_sparse *F, const double *x, double *y, int64_t begin, int64_t end) {
  double sum[HP_SPARSE_SLICE];
  const int count = (int)(end - begin);
  for (int l = 0; l < count; ++l) sum[l] = 0.0;
  for (int d = 0; d < F->width; ++d) {
    const int64_t shift = begin + F->offset[d]; /* column of the strip's first row */
    const double *value = F->value + d * F->ld + begin;
    const int first = shift < 0 ? (int)(shift < -count ? count : -shift) : 0;
    const int last = shift + count > F->ld ? (int)(F->ld - shift > 0 ? F->ld - shift : 0) : count;
    for (int l = first; l < last; ++l) sum[l] += value[l] * x[shift + l];
  }
  for (int l = 0; l < count; ++l) y[begin + l] = sum[l];
}

HP_INLINE HP_HD void hp_sparse_sgdia_strip(const hp_sparse *F, const double *x, double *y, int64_t begin, int64_t end) {
  const int q = F->q, count = (int)(end - begin);
  double sum[HP_SPARSE_SLICE];
  int64_t cell[HP_SPARSE_SLICE];
  for (int l = 0; l < count; ++l) {
    sum[l] = 0.0;
    cell[l] = (begin + l) / q;
  }
  for (int d = 0; d < F->width; ++d)
    for (int b = 0; b < q; ++b) {
      const double *value = F->value + ((int64_t)d * q + b) * F->ld + begin;
      for (int l = 0; l < count; ++l) {
        const int64_t n = cell[l] + F->offset[d];
        if (n >= 0 && n < F->ncell) sum[l] += value[l] * x[n * q + b];
      }
    }
  for (int l = 0; l < count; ++l) y[begin + l] = sum[l];
}

/* Rows begin..end-1 of a format stored by columns, in strips that end where a slice ends. */
HP_INLINE HP_HD void hp_sparse_strips(const hp_sparse *F, const double *x, double *y, int64_t begin, int64_t end) {
  for (int64_t i = begin, to; i < end; i = to) {
    to = (i / HP_SPARSE_SLICE + 1) * HP_SPARSE_SLICE;
    if (to > end) to = end;
    if (F->kind == HP_SPARSE_SELL) hp_sparse_sell_slice(F, x, y, i, to);
    else if (F->kind == HP_SPARSE_DIA) hp_sparse_dia_strip(F, x, y, i, to);
    else if (F->kind == HP_SPARSE_SGDIA) hp_sparse_sgdia_strip(F, x, y, i, to);
    else hp_sparse_ell_strip(F, x, y, i, to);
  }
}

/* Rows begin..end-1 of A x. */
HP_INLINE HP_HD void hp_sparse_rows(const hp_sparse *F, const hp_gh *A, const double *x, double *y, int64_t begin,
                                    int64_t end) {
  const int64_t last = end < F->rows ? end : F->rows;
  switch (F->kind) {
    case HP_SPARSE_GH: F->other->rows(F->other->self, x, y, begin, end); return;
    case HP_SPARSE_CSR: hp_sparse_csr_rows(F, x, y, begin, last); break;
    case HP_SPARSE_BSR:
      if (F->q == 2) hp_sparse_bsr_rows(F, 2, x, y, begin, last);
      else if (F->q == 4) hp_sparse_bsr_rows(F, 4, x, y, begin, last);
      else hp_sparse_bsr_rows(F, F->q, x, y, begin, last);
      break;
    default: hp_sparse_strips(F, x, y, begin, last); break;
  }
  if (F->kind == HP_SPARSE_HYB) hp_sparse_hyb_rest(F, x, y, begin, last);
  if (F->kind == HP_SPARSE_HEC) hp_sparse_hec_rest(F, x, y, begin, last);
  if (F->rows == F->n) return;
  if (F->other != NULL) {
    F->other->border(F->other->self, x, y, begin, end);
    return;
  }
  if (begin < last) hp_gh_well_columns(A, A->wells.wt, 1.0, x, y, begin, last);
  for (int64_t i = begin > A->rows ? begin : A->rows; i < end; ++i)
    y[i] = hp_gh_well_row(A, (int)(i - A->rows), A->wells.w, x);
}

/* y = A x with the values of F (and GH's borders, or F->other's, where F has none); A gives
 * the shape. The contract of hp_gh_mul (linsolve/product/spmv.inl.h). */
HP_INLINE HP_HD void hp_sparse_mul(hp_team *t, const hp_sparse *F, const hp_gh *A, const double *x, double *y) {
  const hp_span rows = hp_team_span(t, F->n, 1);
  hp_sparse_rows(F, A, x, y, rows.begin, rows.end);
}

#endif
