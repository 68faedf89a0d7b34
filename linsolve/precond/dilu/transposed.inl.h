/* Block DILU transposed, z = M^-T r, from the same packed blocks as M^-1
 * (linsolve/precond/dilu/dilu.inl.h): an exact transpose, in single precision too.
 *
 * Natural order. M^-1 = (I + D^-1 U)^-1 (I + D^-1 L)^-1 D^-1, hence
 *
 *     t_m = r_m - sum over lower n of (D_n^-1 A_nm)^T t_n      m rising
 *     y_m = t_m - sum over upper n of (D_n^-1 A_nm)^T y_n      m falling
 *     z_m = D_m^-T y_m
 *
 * in the same pipeline; the neighbours read y, so the last line waits for all.
 * Rows of columns without active cells couple to nothing and have no packed
 * blocks (hp_precond.idle), but active rows may still couple to them.
 *
 * Red-black order. M^-1 reads, with B = D_o^-1 A_oe D_e^-1 and C = D_e^-1 A_eo,
 * z_o = D_o^-1 r_o - B r_e and z_e = D_e^-1 r_e - C z_o, hence
 *
 *     odd:  u = r_o - C^T r_e
 *     even: z_e = D_e^-T r_e - B^T u
 *     odd:  z_o = D_o^-T u
 *
 * Each cell gathers: the block that couples neighbour n to it stands in the
 * row of n.
 */
#ifndef HP_LINSOLVE_PRECOND_DILU_TRANSPOSED_INL_H
#define HP_LINSOLVE_PRECOND_DILU_TRANSPOSED_INL_H

#include "linsolve/precond/dilu/pack.inl.h"
#include "linsolve/precond/wells.inl.h"

/* ---- natural order ---- */

/* t of column (i, j), in z [n], whose lower neighbours are done; r [n] with the wells' part to come. */
HP_INLINE HP_HD void hp_dilu_forward_transposed(const hp_precond *P, const hp_gh *A, int q, int i, int j,
                                                const double *r, double *z) {
  const int64_t column = j + (int64_t)A->ny * i, line = A->nz, slab = line * A->ny;
  const bool beside_i = i > 0 && !P->idle[column - A->ny], beside_j = j > 0 && !P->idle[column - 1];
  const bool above = !P->idle[column];
  for (int64_t m = column * line; m < (column + 1) * line; ++m) {
    double s[HP_GH_Q_MAX];
    hp_precond_fold_wells(A, q, column, m, r, s);
    if (beside_i) hp_dilu_subtract_transposed(P, q, hp_dilu_natural_block(A, m - slab, 6), z + (m - slab) * q, s);
    if (beside_j) hp_dilu_subtract_transposed(P, q, hp_dilu_natural_block(A, m - line, 5), z + (m - line) * q, s);
    if (above && m > column * line)
      hp_dilu_subtract_transposed(P, q, hp_dilu_natural_block(A, m - 1, 4), z + (m - 1) * q, s);
    for (int a = 0; a < q; ++a) z[m * q + a] = s[a];
  }
}

/* y in place of t, of column (i, j), whose upper neighbours are done. */
HP_INLINE HP_HD void hp_dilu_backward_transposed(const hp_precond *P, const hp_gh *A, int q, int i, int j, double *z) {
  const int64_t column = j + (int64_t)A->ny * i, line = A->nz, slab = line * A->ny, last = (column + 1) * line - 1;
  const bool beside_i = i + 1 < A->nx && !P->idle[column + A->ny], beside_j = j + 1 < A->ny && !P->idle[column + 1];
  const bool below = !P->idle[column];
  for (int64_t m = last; m >= column * line; --m) {
    double s[HP_GH_Q_MAX];
    for (int a = 0; a < q; ++a) s[a] = z[m * q + a];
    if (beside_i) hp_dilu_subtract_transposed(P, q, hp_dilu_natural_block(A, m + slab, 3), z + (m + slab) * q, s);
    if (beside_j) hp_dilu_subtract_transposed(P, q, hp_dilu_natural_block(A, m + line, 2), z + (m + line) * q, s);
    if (below && m < last) hp_dilu_subtract_transposed(P, q, hp_dilu_natural_block(A, m + 1, 1), z + (m + 1) * q, s);
    for (int a = 0; a < q; ++a) z[m * q + a] = s[a];
  }
}

/* z = D^-T y in place, once all cells have y. */
HP_INLINE HP_HD void hp_dilu_scale_transposed(hp_team *t, const hp_precond *P, const hp_gh *A, int q, double *z) {
  HP_TEAM_FOR(t, m, A->ncell) {
    double s[HP_GH_Q_MAX];
    if (P->idle[m / A->nz]) continue;
    hp_dilu_multiply_transposed(P, q, hp_dilu_natural_block(A, m, 0), z + m * q, s);
    for (int a = 0; a < q; ++a) z[m * q + a] = s[a];
  }
}

/* ---- red-black order ---- */

/* s -= (block that couples cell (i, j, k) to the one in diagonal u of it)^T x of cell (i, j, k). `folded`: x
 * is taken with the wells' part. */
HP_INLINE HP_HD void hp_dilu_colour_subtract(const hp_precond *P, const hp_gh *A, int q, int i, int j, int k, int u,
                                             bool folded, const double *x, double *s) {
  const int64_t column = j + (int64_t)A->ny * i, n = k + A->nz * column;
  const hp_dilu_block block = hp_dilu_colour_block(A, i, j, k, u < 0 ? u + 4 : u + 3);
  double xn[HP_GH_Q_MAX];
  if (folded) hp_precond_fold_wells(A, q, column, n, x, xn);
  else
    for (int a = 0; a < q; ++a) xn[a] = x[n * q + a];
  hp_dilu_subtract_transposed(P, q, block, xn, s);
}

/* s -= sum over the neighbours n of cell (i, j, k) of (block that couples n to it)^T x_n. */
HP_INLINE HP_HD void hp_dilu_colour_gather(const hp_precond *P, const hp_gh *A, int q, int i, int j, int k, bool folded,
                                           const double *x, double *s) {
  if (i > 0) hp_dilu_colour_subtract(P, A, q, i - 1, j, k, 3, folded, x, s);
  if (j > 0) hp_dilu_colour_subtract(P, A, q, i, j - 1, k, 2, folded, x, s);
  if (k > 0) hp_dilu_colour_subtract(P, A, q, i, j, k - 1, 1, folded, x, s);
  if (k + 1 < A->nz) hp_dilu_colour_subtract(P, A, q, i, j, k + 1, -1, folded, x, s);
  if (j + 1 < A->ny) hp_dilu_colour_subtract(P, A, q, i, j + 1, k, -2, folded, x, s);
  if (i + 1 < A->nx) hp_dilu_colour_subtract(P, A, q, i + 1, j, k, -3, folded, x, s);
}

/* Cell (i, j, k), whose colour is that of the phase. 0: odd cells, u; 1: even cells; 2: odd cells, scaled. */
HP_INLINE HP_HD void hp_dilu_colour_cell_transposed(const hp_precond *P, const hp_gh *A, int q, int phase, int i, int j,
                                                    int k, const double *r, double *z) {
  const int64_t column = j + (int64_t)A->ny * i, m = k + A->nz * column;
  double s[HP_GH_Q_MAX], folded[HP_GH_Q_MAX];
  if (phase == 2) {
    hp_dilu_multiply_transposed(P, q, hp_dilu_colour_block(A, i, j, k, 0), z + m * q, s);
  } else {
    hp_precond_fold_wells(A, q, column, m, r, folded);
    if (phase == 1) hp_dilu_multiply_transposed(P, q, hp_dilu_colour_block(A, i, j, k, 0), folded, s);
    else
      for (int a = 0; a < q; ++a) s[a] = folded[a];
    hp_dilu_colour_gather(P, A, q, i, j, k, phase == 0, phase == 0 ? r : z, s);
  }
  for (int a = 0; a < q; ++a) z[m * q + a] = s[a];
}

HP_INLINE HP_HD void hp_dilu_colour_transposed(hp_team *t, const hp_precond *P, const hp_gh *A, int q, int phase,
                                               const double *r, double *z) {
#if defined(__CUDA_ARCH__) /* a cell a thread: 337 us instead of 1178 (docs/developer/gpu.md) */
  const uint32_t half = (uint32_t)(A->nz + 1) / 2, places = (uint32_t)A->nx * (uint32_t)A->ny * half;
  const hp_team_share part = hp_team_share_free(t, (int64_t)places);
  for (uint32_t h = (uint32_t)(part.begin + part.rank); h < (uint32_t)part.end; h += (uint32_t)part.size) {
    const uint32_t column = hp_divide(h, P->by_half), line = hp_divide(column, P->by_ny);
    const int i = (int)line, j = (int)(column - line * (uint32_t)A->ny);
    const int k = 2 * (int)(h - column * half) + ((i + j + (phase != 1)) & 1);
    if (k < A->nz) hp_dilu_colour_cell_transposed(P, A, q, phase, i, j, k, r, z);
  }
#else
  HP_TEAM_FOR(t, column, (int64_t)A->nx * A->ny) {
    const int i = (int)(column / A->ny), j = (int)(column % A->ny);
    for (int k = (i + j + (phase != 1)) & 1; k < A->nz; k += 2)
      hp_dilu_colour_cell_transposed(P, A, q, phase, i, j, k, r, z);
  }
#endif
}

HP_INLINE HP_HD void hp_dilu_red_black_transposed(hp_team *t, const hp_precond *P, const hp_gh *A, int q,
                                                  const double *r, double *z) {
  hp_dilu_colour_transposed(t, P, A, q, 0, r, z);
  hp_team_sync(t); /* u */
  hp_dilu_colour_transposed(t, P, A, q, 1, r, z);
  hp_team_sync(t); /* the even cells have read u */
  hp_dilu_colour_transposed(t, P, A, q, 2, r, z);
}

#endif
