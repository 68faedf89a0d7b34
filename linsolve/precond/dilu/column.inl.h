/* Block DILU on one vertical column of cells, for one type HP_REAL of the
 * packed blocks (linsolve/precond/dilu/dilu.inl.h includes this text for double and float;
 * macros, because C has no templates).
 * All arithmetic is in double. Two unknowns (q = 2) are a pair; the general
 * text does the same operations in the same order.
 */
#include "linsolve/matrix/pair.inl.h"

#ifndef HP_REAL
#define HP_REAL double
#define HP_DILU_NAME(name) name##_double
enum { HP_DILU_Q_MAX = 16 };
#endif

HP_INLINE HP_HD void HP_DILU_NAME(hp_dilu_store)(int count, const double *block, HP_REAL *to) {
  for (int i = 0; i < count; ++i) to[i] = (HP_REAL)block[i];
}

/* y -= block x */
HP_INLINE HP_HD void HP_DILU_NAME(hp_dilu_subtract)(int q, const HP_REAL *block, const double *x, double *y) {
  for (int c = 0; c < q; ++c)
    for (int a = 0; a < q; ++a) y[a] -= (double)block[c * q + a] * x[c];
}

/* y = block x */
HP_INLINE HP_HD void HP_DILU_NAME(hp_dilu_multiply)(int q, const HP_REAL *block, const double *x, double *y) {
  for (int a = 0; a < q; ++a) y[a] = (double)block[a] * x[0];
  for (int c = 1; c < q; ++c)
    for (int a = 0; a < q; ++a) y[a] += (double)block[c * q + a] * x[c];
}

/* y -= block^T x; `stride` from one column of the block to the next. */
HP_INLINE HP_HD void HP_DILU_NAME(hp_dilu_subtract_transposed)(int q, int64_t stride, const HP_REAL *block,
                                                               const double *x, double *y) {
  for (int a = 0; a < q; ++a) {
    double sum = 0.0;
    for (int c = 0; c < q; ++c) sum += (double)block[a * stride + c] * x[c];
    y[a] -= sum;
  }
}

/* block x and s - block x for q = 2. */
HP_INLINE HP_HD hp_pair HP_DILU_NAME(hp_dilu_pair_multiply)(const HP_REAL *block, hp_pair x0, hp_pair x1) {
  return hp_pair_add(hp_pair_mul(HP_DILU_NAME(hp_pair_load)(block), x0),
                     hp_pair_mul(HP_DILU_NAME(hp_pair_load)(block + 2), x1));
}

HP_INLINE HP_HD hp_pair HP_DILU_NAME(hp_dilu_pair_subtract)(hp_pair s, const HP_REAL *block, hp_pair x0, hp_pair x1) {
  return hp_pair_sub(hp_pair_sub(s, hp_pair_mul(HP_DILU_NAME(hp_pair_load)(block), x0)),
                     hp_pair_mul(HP_DILU_NAME(hp_pair_load)(block + 2), x1));
}

HP_INLINE HP_HD hp_pair HP_DILU_NAME(hp_dilu_pair_subtract_at)(hp_pair s, const HP_REAL *block, const double *x) {
  return HP_DILU_NAME(hp_dilu_pair_subtract)(s, block, hp_pair_both(x[0]), hp_pair_both(x[1]));
}

/* y_k = D^-1 r_k - L_i yi_k - L_j yj_k - L_k y_(k-1) downwards. f [nz][4][q][q]:
 * D^-1, then D^-1 times the blocks of the neighbours k-1, j-1, i-1. r, y and
 * the neighbour columns yj, yi [nz*q]. The term of k-1 comes last: it is the
 * chain of dependent operations that the processor waits for. */
HP_INLINE HP_HD void HP_DILU_NAME(hp_dilu_forward)(int q, int nz, const HP_REAL *f, const double *r, const double *yj,
                                                   const double *yi, double *y) {
  double above[HP_DILU_Q_MAX], s[HP_DILU_Q_MAX];
  for (int a = 0; a < q; ++a) above[a] = 0.0;
  for (int64_t at = 0; at < (int64_t)nz * q; at += q, f += 4 * q * q) {
    HP_DILU_NAME(hp_dilu_multiply)(q, f, r + at, s);
    HP_DILU_NAME(hp_dilu_subtract)(q, f + 3 * q * q, yi + at, s);
    HP_DILU_NAME(hp_dilu_subtract)(q, f + 2 * q * q, yj + at, s);
    HP_DILU_NAME(hp_dilu_subtract)(q, f + q * q, above, s);
    for (int a = 0; a < q; ++a) y[at + a] = above[a] = s[a];
  }
}

HP_INLINE HP_HD void HP_DILU_NAME(hp_dilu_forward_pairs)(int nz, const HP_REAL *f, const double *r, const double *yj,
                                                         const double *yi, double *y) {
  hp_pair s = hp_pair_both(0.0);
  for (int64_t at = 0; at < (int64_t)nz * 2; at += 2, f += 16) {
    const hp_pair above0 = hp_pair_first(s), above1 = hp_pair_second(s);
    s = HP_DILU_NAME(hp_dilu_pair_multiply)(f, hp_pair_both(r[at]), hp_pair_both(r[at + 1]));
    s = HP_DILU_NAME(hp_dilu_pair_subtract_at)(s, f + 12, yi + at);
    s = HP_DILU_NAME(hp_dilu_pair_subtract_at)(s, f + 8, yj + at);
    s = HP_DILU_NAME(hp_dilu_pair_subtract)(s, f + 4, above0, above1);
    hp_pair_store(y + at, s);
  }
}

/* z_k = y_k - U_i zi_k - U_j zj_k - U_k z_(k+1) upwards, z in place of y.
 * g [nz][3][q][q]: D^-1 times the blocks of the neighbours k+1, j+1, i+1. */
HP_INLINE HP_HD void HP_DILU_NAME(hp_dilu_backward)(int q, int nz, const HP_REAL *g, const double *zj, const double *zi,
                                                    double *z) {
  double below[HP_DILU_Q_MAX], s[HP_DILU_Q_MAX];
  for (int a = 0; a < q; ++a) below[a] = 0.0;
  for (int64_t at = (int64_t)(nz - 1) * q; at >= 0; at -= q) {
    const HP_REAL *block = g + at * 3 * q;
    for (int a = 0; a < q; ++a) s[a] = z[at + a];
    HP_DILU_NAME(hp_dilu_subtract)(q, block + 2 * q * q, zi + at, s);
    HP_DILU_NAME(hp_dilu_subtract)(q, block + q * q, zj + at, s);
    HP_DILU_NAME(hp_dilu_subtract)(q, block, below, s);
    for (int a = 0; a < q; ++a) z[at + a] = below[a] = s[a];
  }
}

HP_INLINE HP_HD void HP_DILU_NAME(hp_dilu_backward_pairs)(int nz, const HP_REAL *g, const double *zj, const double *zi,
                                                          double *z) {
  hp_pair s = hp_pair_both(0.0);
  for (int64_t at = (int64_t)(nz - 1) * 2; at >= 0; at -= 2) {
    const hp_pair below0 = hp_pair_first(s), below1 = hp_pair_second(s);
    const HP_REAL *block = g + at * 6;
    s = hp_pair_load_double(z + at);
    s = HP_DILU_NAME(hp_dilu_pair_subtract_at)(s, block + 8, zi + at);
    s = HP_DILU_NAME(hp_dilu_pair_subtract_at)(s, block + 4, zj + at);
    s = HP_DILU_NAME(hp_dilu_pair_subtract)(s, block, below0, below1);
    hp_pair_store(z + at, s);
  }
}

/* The cells k = first, first + 2, ... of a column: z_m = D^-1 r_m - sum over
 * the six neighbours of block x_n. f: 7 blocks a cell of these, D^-1 and u =
 * -3, -2, -1, 1, 2, 3; x: the column itself in the vector that the neighbours
 * are taken from, beside[4] the columns of u = -3, -2, 2, 3 in it. */
HP_INLINE HP_HD void HP_DILU_NAME(hp_dilu_colour)(int q, int nz, int first, const HP_REAL *f, const double *r,
                                                  const double *x, const double *const *beside, double *z) {
  for (int k = first; k < nz; k += 2, f += 7 * q * q) {
    double s[HP_DILU_Q_MAX];
    HP_DILU_NAME(hp_dilu_multiply)(q, f, r + k * q, s);
    HP_DILU_NAME(hp_dilu_subtract)(q, f + q * q, beside[0] + k * q, s);
    HP_DILU_NAME(hp_dilu_subtract)(q, f + 2 * q * q, beside[1] + k * q, s);
    if (k > 0) HP_DILU_NAME(hp_dilu_subtract)(q, f + 3 * q * q, x + (k - 1) * q, s);
    if (k + 1 < nz) HP_DILU_NAME(hp_dilu_subtract)(q, f + 4 * q * q, x + (k + 1) * q, s);
    HP_DILU_NAME(hp_dilu_subtract)(q, f + 5 * q * q, beside[2] + k * q, s);
    HP_DILU_NAME(hp_dilu_subtract)(q, f + 6 * q * q, beside[3] + k * q, s);
    for (int a = 0; a < q; ++a) z[k * q + a] = s[a];
  }
}

HP_INLINE HP_HD void HP_DILU_NAME(hp_dilu_colour_pairs)(int nz, int first, const HP_REAL *f, const double *r,
                                                        const double *x, const double *const *beside, double *z) {
  for (int k = first; k < nz; k += 2, f += 28) {
    hp_pair s = HP_DILU_NAME(hp_dilu_pair_multiply)(f, hp_pair_both(r[k * 2]), hp_pair_both(r[k * 2 + 1]));
    s = HP_DILU_NAME(hp_dilu_pair_subtract_at)(s, f + 4, beside[0] + k * 2);
    s = HP_DILU_NAME(hp_dilu_pair_subtract_at)(s, f + 8, beside[1] + k * 2);
    if (k > 0) s = HP_DILU_NAME(hp_dilu_pair_subtract_at)(s, f + 12, x + (k - 1) * 2);
    if (k + 1 < nz) s = HP_DILU_NAME(hp_dilu_pair_subtract_at)(s, f + 16, x + (k + 1) * 2);
    s = HP_DILU_NAME(hp_dilu_pair_subtract_at)(s, f + 20, beside[2] + k * 2);
    s = HP_DILU_NAME(hp_dilu_pair_subtract_at)(s, f + 24, beside[3] + k * 2);
    hp_pair_store(z + k * 2, s);
  }
}
