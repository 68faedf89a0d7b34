/* Block DILU on one vertical column of cells, for one type HP_REAL of the
 * packed blocks (linsolve/dilu.inl.h includes this text for double and float).
 * All arithmetic is in double. q is a constant where the caller writes one.
 */
#ifndef HP_REAL
#include "core/portable.h"
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

/* y_k = D^-1 r_k - L_i yi_k - L_j yj_k - L_k y_(k-1) downwards. f [nz][4][q][q]:
 * D^-1, then D^-1 times the blocks of the neighbours k-1, j-1, i-1. r, y and
 * the neighbour columns yj, yi [nz*q]. The term of k-1 comes last: it is the
 * chain of dependent operations that the processor waits for. */
HP_INLINE HP_HD void HP_DILU_NAME(hp_dilu_forward)(int q, int nz, const HP_REAL *f, const double *r, const double *yj,
                                                   const double *yi, double *y) {
  double above[HP_DILU_Q_MAX];
  for (int a = 0; a < q; ++a) above[a] = 0.0;
  for (int k = 0; k < nz; ++k) {
    double s[HP_DILU_Q_MAX];
    HP_DILU_NAME(hp_dilu_multiply)(q, f, r, s);
    HP_DILU_NAME(hp_dilu_subtract)(q, f + 3 * q * q, yi, s);
    HP_DILU_NAME(hp_dilu_subtract)(q, f + 2 * q * q, yj, s);
    HP_DILU_NAME(hp_dilu_subtract)(q, f + q * q, above, s);
    for (int a = 0; a < q; ++a) y[a] = above[a] = s[a];
    f += 4 * q * q;
    r += q;
    yi += q;
    yj += q;
    y += q;
  }
}

/* z_k = y_k - U_i zi_k - U_j zj_k - U_k z_(k+1) upwards, z in place of y.
 * g [nz][3][q][q]: D^-1 times the blocks of the neighbours k+1, j+1, i+1. */
HP_INLINE HP_HD void HP_DILU_NAME(hp_dilu_backward)(int q, int nz, const HP_REAL *g, const double *zj,
                                                    const double *zi, double *z) {
  double below[HP_DILU_Q_MAX];
  for (int a = 0; a < q; ++a) below[a] = 0.0;
  for (int k = nz - 1; k >= 0; --k) {
    const HP_REAL *block = g + (int64_t)k * 3 * q * q;
    double s[HP_DILU_Q_MAX];
    for (int a = 0; a < q; ++a) s[a] = z[k * q + a];
    HP_DILU_NAME(hp_dilu_subtract)(q, block + 2 * q * q, zi + k * q, s);
    HP_DILU_NAME(hp_dilu_subtract)(q, block + q * q, zj + k * q, s);
    HP_DILU_NAME(hp_dilu_subtract)(q, block, below, s);
    for (int a = 0; a < q; ++a) z[k * q + a] = below[a] = s[a];
  }
}

/* The cells k = first, first + 2, ... of a column: z_m = D^-1 r_m - sum over
 * the six neighbours of block x_n. f: 7 blocks a cell of these, D^-1 and u =
 * -3, -2, -1, 1, 2, 3; x: the column itself in the vector that the neighbours
 * are taken from, beside[4] the columns of u = -3, -2, 2, 3 in it. */
HP_INLINE HP_HD void HP_DILU_NAME(hp_dilu_colour)(int q, int nz, int first, const HP_REAL *f, const double *r,
                                                  const double *x, const double *const *beside, double *z) {
  for (int k = first; k < nz; k += 2) {
    double s[HP_DILU_Q_MAX];
    HP_DILU_NAME(hp_dilu_multiply)(q, f, r + k * q, s);
    HP_DILU_NAME(hp_dilu_subtract)(q, f + q * q, beside[0] + k * q, s);
    HP_DILU_NAME(hp_dilu_subtract)(q, f + 2 * q * q, beside[1] + k * q, s);
    if (k > 0) HP_DILU_NAME(hp_dilu_subtract)(q, f + 3 * q * q, x + (k - 1) * q, s);
    if (k + 1 < nz) HP_DILU_NAME(hp_dilu_subtract)(q, f + 4 * q * q, x + (k + 1) * q, s);
    HP_DILU_NAME(hp_dilu_subtract)(q, f + 5 * q * q, beside[2] + k * q, s);
    HP_DILU_NAME(hp_dilu_subtract)(q, f + 6 * q * q, beside[3] + k * q, s);
    for (int a = 0; a < q; ++a) z[k * q + a] = s[a];
    f += 7 * q * q;
  }
}
