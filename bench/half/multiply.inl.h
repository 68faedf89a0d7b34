/* Product with a GH-h matrix (bench/half/half.h): y = A x, a team program with the
 * contract of hp_gh_mul. Rows are summed in the order of their columns. */
#ifndef HP_BENCH_HALF_MULTIPLY_INL_H
#define HP_BENCH_HALF_MULTIPLY_INL_H

#include "bench/half/half.h"

/* Rows begin..end-1 of cell m, counted in the cell. */
HP_INLINE HP_HD void hp_half_cell(const hp_half *H, int64_t m, int begin, int end, const double *x, double *y) {
  const int odd = (int)(m % 2), q = odd ? H->q / 2 : H->q;
  double sum[HP_GH_Q_MAX];
  for (int a = begin; a < end; ++a) sum[a] = 0.0;
  for (int u = 0; u < HP_GH_DIAGS; ++u) {
    const int64_t n = m + H->shift[u];
    if (n < 0 || n >= H->ncell) continue;
    const double *h = H->h[odd] + H->first[odd][u] * H->ld[odd] + m / 2 * q, *xn = x + hp_half_row(H->q, n);
    for (int b = 0; b < H->width[odd][u]; ++b)
      for (int a = begin; a < end; ++a) sum[a] += h[b * H->ld[odd] + a] * xn[b];
  }
  for (int a = begin; a < end; ++a) y[hp_half_row(H->q, m) + a] = sum[a];
}

HP_INLINE HP_HD double hp_half_well_row(const hp_half *H, int w, const double *x) {
  double sum = 0.0;
  for (int r = H->run_begin[w]; r < H->run_begin[w + 1]; ++r)
    for (int64_t e = 0; e < H->length[r]; ++e) sum += H->w[H->at[r] + e] * x[H->row[r] + e];
  return sum + H->dd[w] * x[H->rows + w];
}

/* Rows begin..end-1 of A x: adds the wells' columns in the cells' rows, and the wells' rows. */
HP_INLINE HP_HD void hp_half_border(const hp_half *H, const double *x, double *y, int64_t begin, int64_t end) {
  const int64_t last = end < H->rows ? end : H->rows;
  for (int r = 0; r < H->nrun && begin < last; ++r) {
    const int64_t from = H->row[r] > begin ? H->row[r] : begin;
    const int64_t to = H->row[r] + H->length[r] < last ? H->row[r] + H->length[r] : last;
    for (int64_t k = from; k < to; ++k) y[k] += H->wt[H->at[r] + k - H->row[r]] * x[H->rows + H->of[r]];
  }
  for (int64_t i = begin > H->rows ? begin : H->rows; i < end; ++i) y[i] = hp_half_well_row(H, (int)(i - H->rows), x);
}

/* Rows begin..end-1 of A x. */
HP_INLINE HP_HD void hp_half_rows(const hp_half *H, const double *x, double *y, int64_t begin, int64_t end) {
  const int64_t last = end < H->rows ? end : H->rows, pair = H->q + H->q / 2;
  int64_t i = begin, m = 2 * (begin / pair) + (begin % pair >= H->q);
  for (; i < last; ++m) {
    const int64_t row = hp_half_row(H->q, m), next = hp_half_row(H->q, m + 1), to = next < last ? next : last;
    hp_half_cell(H, m, (int)(i - row), (int)(to - row), x, y);
    i = to;
  }
  hp_half_border(H, x, y, begin, end);
}

HP_INLINE HP_HD void hp_half_mul(hp_team *t, const hp_half *H, const double *x, double *y) {
  const hp_span rows = hp_team_span(t, H->n, 1);
  hp_half_rows(H, x, y, rows.begin, rows.end);
}

#endif
