/* Dense q x q blocks, stored by columns: block[c*q + a] is row a, column c.
 * q is 1 .. HP_GH_Q_MAX; where the caller writes a constant the loops unroll. */
#ifndef HP_LINSOLVE_MATRIX_BLOCK_INL_H
#define HP_LINSOLVE_MATRIX_BLOCK_INL_H

#include "linsolve/matrix/gh.h"

/* The block of cell m in diagonal u. */
HP_INLINE HP_HD void hp_block_load(const hp_gh *A, int q, int64_t m, int u, double *block) {
  const double *h = A->h + (int64_t)(u + 3) * q * A->ld + m * q;
  for (int c = 0; c < q; ++c)
    for (int a = 0; a < q; ++a) block[c * q + a] = h[c * A->ld + a];
}

/* z = x y; z is neither x nor y. */
HP_INLINE HP_HD void hp_block_mul(int q, const double *x, const double *y, double *z) {
  for (int c = 0; c < q; ++c)
    for (int a = 0; a < q; ++a) {
      double sum = 0.0;
      for (int k = 0; k < q; ++k) sum += x[k * q + a] * y[c * q + k];
      z[c * q + a] = sum;
    }
}

/* z -= x y */
HP_INLINE HP_HD void hp_block_mul_subtract(int q, const double *x, const double *y, double *z) {
  for (int c = 0; c < q; ++c)
    for (int a = 0; a < q; ++a) {
      double sum = 0.0;
      for (int k = 0; k < q; ++k) sum += x[k * q + a] * y[c * q + k];
      z[c * q + a] -= sum;
    }
}

HP_INLINE HP_HD double hp_block_abs(double v) { return v < 0.0 ? -v : v; }

/* Puts the row with the largest entry of column k at or below row k there; that entry, with its sign. */
HP_INLINE HP_HD double hp_block_pivot(int q, double *x, double *inverse, int k) {
  int p = k;
  for (int a = k + 1; a < q; ++a)
    if (hp_block_abs(x[k * q + a]) > hp_block_abs(x[k * q + p])) p = a;
  for (int c = 0; c < q && p != k; ++c) {
    const double t = x[c * q + k], s = inverse[c * q + k];
    x[c * q + k] = x[c * q + p];
    x[c * q + p] = t;
    inverse[c * q + k] = inverse[c * q + p];
    inverse[c * q + p] = s;
  }
  return x[k * q + k];
}

/* inverse = x^-1 by Gauss-Jordan elimination with row pivoting; x is
 * destroyed. A pivot below 1e-14 of its column's largest entry counts as
 * singular (columns, because pressure and saturation have different units):
 * then false, and the inverse is the identity. */
HP_INLINE HP_HD bool hp_block_invert(int q, double *x, double *inverse) {
  double largest[HP_GH_Q_MAX];
  bool regular = true;
  for (int c = 0; c < q; ++c) {
    largest[c] = 0.0;
    for (int a = 0; a < q; ++a) {
      if (hp_block_abs(x[c * q + a]) > largest[c]) largest[c] = hp_block_abs(x[c * q + a]);
      inverse[c * q + a] = a == c ? 1.0 : 0.0;
    }
  }
  for (int k = 0; k < q && regular; ++k) {
    const double pivot = hp_block_pivot(q, x, inverse, k), factor = 1.0 / pivot;
    regular = hp_block_abs(pivot) > 1e-14 * largest[k] && factor - factor == 0.0 && factor != 0.0;
    for (int c = 0; c < q; ++c) {
      x[c * q + k] *= factor;
      inverse[c * q + k] *= factor;
    }
    for (int a = 0; a < q; ++a) {
      if (a == k) continue;
      const double f = x[k * q + a];
      for (int c = 0; c < q; ++c) {
        x[c * q + a] -= f * x[c * q + k];
        inverse[c * q + a] -= f * inverse[c * q + k];
      }
    }
  }
  for (int c = 0; c < q && !regular; ++c)
    for (int a = 0; a < q; ++a) inverse[c * q + a] = a == c ? 1.0 : 0.0;
  return regular;
}

/* The same for q = 2, operation by operation; x stays. */
HP_INLINE HP_HD bool hp_block_invert_pairs(const double *x, double *inverse) {
  const double a0 = hp_block_abs(x[0]), a1 = hp_block_abs(x[1]), a2 = hp_block_abs(x[2]), a3 = hp_block_abs(x[3]);
  const bool swap = a1 > a0;
  const double one = swap ? 0.0 : 1.0, other = swap ? 1.0 : 0.0; /* the identity, its rows in the pivots' order */
  const double pivot = swap ? x[1] : x[0], factor = 1.0 / pivot, f = swap ? x[0] : x[1];
  const double x2 = (swap ? x[3] : x[2]) * factor, y0 = one * factor, y2 = other * factor;
  const double x3 = (swap ? x[2] : x[3]) - f * x2, second = 1.0 / x3;
  const double y1 = (other - f * y0) * second, y3 = (one - f * y2) * second;
  const bool regular = hp_block_abs(pivot) > 1e-14 * (swap ? a1 : a0) && factor - factor == 0.0 && factor != 0.0 &&
                       hp_block_abs(x3) > 1e-14 * (a3 > a2 ? a3 : a2) && second - second == 0.0 && second != 0.0;
  inverse[0] = regular ? y0 - x2 * y1 : 1.0;
  inverse[1] = regular ? y1 : 0.0;
  inverse[2] = regular ? y2 - x2 * y3 : 0.0;
  inverse[3] = regular ? y3 : 1.0;
  return regular;
}

/* Diagonal block of cell m less what its wells add to it: A_mm - sum WT D^-1 W. */
HP_INLINE HP_HD void hp_block_diagonal(const hp_gh *A, int q, int64_t m, double *block) {
  const hp_gh_wells *W = &A->wells;
  hp_block_load(A, q, m, 0, block);
  if (W->nrun == 0) return;
  for (int r = W->d[m / A->nz]; r >= 0; r = W->next[r]) {
    const int64_t n = m - W->b[r];
    if (n < 0 || n >= W->c[r] || W->dd[W->of[r]] == 0.0) continue;
    const double *wt = W->wt + (W->a[r] + n) * q, *w = W->w + (W->a[r] + n) * q;
    for (int c = 0; c < q; ++c)
      for (int a = 0; a < q; ++a) block[c * q + a] -= wt[a] * (w[c] / W->dd[W->of[r]]);
  }
}

#endif
