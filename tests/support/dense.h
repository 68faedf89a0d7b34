/* Plain dense algebra to check the sparse one against: row-major [n][n]. */
#ifndef HP_TESTS_SUPPORT_DENSE_H
#define HP_TESTS_SUPPORT_DENSE_H

#include <math.h>
#include <string.h>

#include "linsolve/matrix/gh.h"

/* A written out by its definition in linsolve/matrix/gh.h, entry by entry; m [n*n]. */
HP_INLINE void dense_from_gh(const hp_gh *A, double *m) {
  const hp_gh_wells *W = &A->wells;
  const int64_t n = A->n;
  memset(m, 0, (size_t)(n * n) * sizeof *m);
  for (int64_t i = 0; i < A->nx; ++i)
    for (int64_t j = 0; j < A->ny; ++j)
      for (int64_t k = 0; k < A->nz; ++k) {
        const int64_t at[7][3] = {{i - 1, j, k}, {i, j - 1, k}, {i, j, k - 1}, {i, j, k},
                                  {i, j, k + 1}, {i, j + 1, k}, {i + 1, j, k}};
        const int64_t cell = k + A->nz * (j + A->ny * i);
        for (int u = 0; u < 7; ++u) {
          if (at[u][0] < 0 || at[u][0] >= A->nx || at[u][1] < 0 || at[u][1] >= A->ny || at[u][2] < 0 ||
              at[u][2] >= A->nz)
            continue;
          const int64_t other = at[u][2] + A->nz * (at[u][1] + A->ny * at[u][0]);
          for (int a = 0; a < A->q; ++a)
            for (int b = 0; b < A->q; ++b)
              m[(cell * A->q + a) * n + other * A->q + b] = A->h[(u * A->q + b) * A->ld + cell * A->q + a];
        }
      }
  for (int w = 0; w < W->nwell; ++w) {
    const int64_t row = A->rows + w;
    m[row * n + row] = W->dd[w];
    for (int r = W->run_begin[w]; r < W->run_begin[w + 1]; ++r)
      for (int64_t e = 0; e < (int64_t)W->c[r] * A->q; ++e) {
        m[row * n + W->b[r] * A->q + e] = W->w[W->a[r] * A->q + e];
        m[(W->b[r] * A->q + e) * n + row] = W->wt[W->a[r] * A->q + e];
      }
  }
}

/* Solves m x = b by elimination with row pivoting; m and b are destroyed, b becomes x. */
HP_INLINE void dense_solve(int64_t n, double *m, double *b) {
  for (int64_t k = 0; k < n; ++k) {
    int64_t p = k;
    for (int64_t r = k + 1; r < n; ++r)
      if (fabs(m[r * n + k]) > fabs(m[p * n + k])) p = r;
    for (int64_t c = 0; c < n && p != k; ++c) {
      const double v = m[k * n + c];
      m[k * n + c] = m[p * n + c];
      m[p * n + c] = v;
    }
    const double v = b[k];
    b[k] = b[p];
    b[p] = v;
    for (int64_t r = k + 1; r < n; ++r) {
      const double f = m[r * n + k] / m[k * n + k];
      if (f == 0.0) continue;
      for (int64_t c = k; c < n; ++c) m[r * n + c] -= f * m[k * n + c];
      b[r] -= f * b[k];
    }
  }
  for (int64_t k = n - 1; k >= 0; --k) {
    for (int64_t c = k + 1; c < n; ++c) b[k] -= m[k * n + c] * b[c];
    b[k] /= m[k * n + k];
  }
}

#endif
