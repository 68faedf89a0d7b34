#include "amg/setup/direct.h"

#include <math.h>

enum {
  ALONE = 128, /* rows up to which one member is faster than the barriers of several */
  PANEL = 32,
  WIDTH = 16 /* columns that are worked on together; divides PANEL */
};

/* Rows `from`, `from` + step .. of lu = A, divided by the largest entry of each; lu_scale: the factors. */
static void fill(const hp_amg *H, int64_t n, int64_t from, int64_t step) {
  const hp_csr *A = H->level[H->nlevel - 1].A;
  for (int64_t i = from; i < n; i += step) {
    double most = 0.0, *row = H->lu + i * n;
    for (int64_t k = 0; k < n; ++k) row[k] = 0.0;
    for (int64_t k = A->begin[i]; k < A->begin[i + 1]; ++k) most = fmax(most, fabs(A->value[k]));
    H->lu_scale[i] = most > 0.0 ? 1.0 / most : 0.0;
    for (int64_t k = A->begin[i]; k < A->begin[i + 1]; ++k) row[A->column[k]] = A->value[k] * H->lu_scale[i];
  }
}

static void exchange(double *lu, int64_t n, int64_t one, int64_t other, int64_t from, int64_t end) {
  for (int64_t k = from; k < end && one != other; ++k) {
    const double v = lu[one * n + k];
    lu[one * n + k] = lu[other * n + k];
    lu[other * n + k] = v;
  }
}

/* Columns from .. end-1 below and on the diagonal, with row pivoting. */
static void panel(const hp_amg *H, int64_t n, int64_t from, int64_t end) {
  double *lu = H->lu;
  for (int64_t c = from; c < end; ++c) {
    int64_t p = c;
    for (int64_t i = c + 1; i < n; ++i)
      if (fabs(lu[i * n + c]) > fabs(lu[p * n + c])) p = i;
    H->pivot[c] = (int32_t)p;
    exchange(lu, n, c, p, from, end);
    const double inverse = fabs(lu[c * n + c]) > 1e-13 ? 1.0 / lu[c * n + c] : 0.0;
    lu[c * n + c] = inverse;
    for (int64_t i = c + 1; i < n; ++i) {
      const double f = lu[i * n + c] * inverse;
      lu[i * n + c] = f;
      for (int64_t k = c + 1; k < end && f != 0.0; ++k) lu[i * n + k] -= f * lu[c * n + k];
    }
  }
}

/* x [width] less the products of f [count] with the rows of y [count][width], `apart` from each other, one after the
 * other. */
static void subtract(double *x, int64_t width, const double *f, const double *y, int64_t apart, int64_t count) {
  if (width == WIDTH) { /* in registers */
    double sum[WIDTH];
    for (int j = 0; j < WIDTH; ++j) sum[j] = x[j];
    for (int64_t k = 0; k < count; ++k)
      for (int j = 0; j < WIDTH; ++j) sum[j] -= f[k] * y[k * apart + j];
    for (int j = 0; j < WIDTH; ++j) x[j] = sum[j];
    return;
  }
  for (int64_t k = 0; k < count; ++k)
    for (int64_t j = 0; j < width; ++j) x[j] -= f[k] * y[k * apart + j];
}

/* Applies the panel of columns from .. end-1 to the columns c .. c+width-1: all below on the right of it, on its left
 * the exchange of rows. */
static void update(const hp_amg *H, int64_t n, int64_t from, int64_t end, int64_t c, int64_t width) {
  double *lu = H->lu;
  for (int64_t i = from; i < end; ++i) exchange(lu, n, i, H->pivot[i], c, c + width);
  for (int64_t i = from + 1; i < n && c >= end; ++i)
    subtract(lu + i * n + c, width, lu + i * n + from, lu + from * n + c, n, (i < end ? i : end) - from);
}

void hp_amg_factorize(hp_team *t, const hp_amg *H) {
  const int64_t n = H->level[H->nlevel - 1].A->nrow;
  const int members = n <= ALONE ? 1 : t->size;
  if (t->rank >= members) return;
  fill(H, n, t->rank, members);
  for (int64_t from = 0; from < n; from += PANEL) {
    const int64_t end = from + PANEL < n ? from + PANEL : n;
    if (members > 1) hp_team_sync(t); /* the rows that are left */
    if (t->rank == 0) panel(H, n, from, end);
    if (members > 1) hp_team_sync(t); /* the panel */
    for (int64_t c = WIDTH * t->rank; c < n; c += WIDTH * members)
      if (c < from || c >= end) update(H, n, from, end, c, c + WIDTH < n ? WIDTH : n - c);
  }
}

/* Columns c .. c+width-1 of the inverse from the factors; inverse [n][n] by columns. */
static void inverse_columns(const hp_amg *H, int64_t n, int64_t c, int64_t width) {
  const double *lu = H->lu;
  double x[HP_AMG_DIRECT_MAX][WIDTH];
  int64_t first = n; /* row of the first number that is not zero */
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < WIDTH; ++j) x[i][j] = j < width && i == c + j ? H->lu_scale[i] : 0.0;
  for (int64_t i = 0; i < n; ++i) /* whole rows were exchanged, multipliers too */
    exchange(&x[0][0], WIDTH, i, H->pivot[i], 0, WIDTH);
  for (int64_t i = n - 1; i >= 0; --i)
    for (int64_t j = 0; j < WIDTH; ++j)
      if (x[i][j] != 0.0) first = i;
  for (int64_t i = first + 1; i < n; ++i) subtract(x[i], WIDTH, lu + i * n + first, x[first], WIDTH, i - first);
  for (int64_t i = n - 1; i >= 0; --i) {
    if (i + 1 < n) subtract(x[i], WIDTH, lu + i * n + i + 1, x[i + 1], WIDTH, n - i - 1);
    for (int64_t j = 0; j < WIDTH; ++j) x[i][j] *= lu[i * n + i];
  }
  for (int64_t j = 0; j < width; ++j)
    for (int64_t i = 0; i < n; ++i) H->inverse[(c + j) * n + i] = x[i][j];
}

void hp_amg_invert(const hp_team *t, const hp_amg *H) {
  const int64_t n = H->level[H->nlevel - 1].A->nrow;
  for (int64_t c = WIDTH * t->rank; c < n; c += WIDTH * t->size)
    inverse_columns(H, n, c, c + WIDTH < n ? WIDTH : n - c);
}
