/* The places of block DILU's blocks (linsolve/precond/dilu/dilu.inl.h), and how they are
 * written and read. hp_precond.pack, in double or float:
 *     natural     (and bricks) [ncell][4][q][q] D^-1, k-1, j-1, i-1, then [ncell][3][q][q] k+1, j+1, i+1
 *     red-black   [ncell][7][q][q] D^-1, u = -3 -2 -1 1 2 3; in every column first
 *                 its even cells, then its odd ones
 * What stands for a neighbour is its block prescaled as the application needs it.
 */
#ifndef HP_LINSOLVE_PRECOND_DILU_PACK_INL_H
#define HP_LINSOLVE_PRECOND_DILU_PACK_INL_H

#include "linsolve/matrix/gh.h"
#include "linsolve/precond/precond.h"

enum { HP_DILU_Q_MAX = HP_GH_Q_MAX };

#define HP_REAL double
#define HP_DILU_NAME(name) name##_double
#include "linsolve/precond/dilu/column.inl.h"
#undef HP_REAL
#undef HP_DILU_NAME
#define HP_REAL float
#define HP_DILU_NAME(name) name##_float
#include "linsolve/precond/dilu/column.inl.h"
#undef HP_REAL
#undef HP_DILU_NAME

/* Place of block number `block` of cell m in the pack (natural order). */
HP_INLINE HP_HD int64_t hp_dilu_place(const hp_gh *A, int64_t m, int block) {
  const int64_t q2 = (int64_t)A->q * A->q;
  return block < 4 ? (m * 4 + block) * q2 : (A->ncell * 4 + m * 3 + (block - 4)) * q2;
}

/* Place of the first block of the even (odd == 0) or odd cells of column `column`. */
HP_INLINE HP_HD int64_t hp_dilu_colour_place(const hp_gh *A, int64_t column, int parity, int odd) {
  const int64_t even = (A->nz + 1 - parity) / 2;
  return (column * A->nz + (odd ? even : 0)) * HP_DILU_BLOCKS * A->q * A->q;
}

HP_INLINE HP_HD void hp_dilu_put(const hp_precond *P, int count, const double *block, int64_t place) {
  if (P->precision == HP_PRECISION_SINGLE) hp_dilu_store_float(count, block, (float *)P->pack + place);
  else hp_dilu_store_double(count, block, (double *)P->pack + place);
}

/* A packed block: where it begins and how far its columns are apart. */
typedef struct hp_dilu_block {
  int64_t place, stride;
} hp_dilu_block;

/* Block number `block` of cell m, natural order. */
HP_INLINE HP_HD hp_dilu_block hp_dilu_natural_block(const hp_gh *A, int64_t m, int block) {
  hp_dilu_block b;
  b.place = hp_dilu_place(A, m, block);
  b.stride = A->q;
  return b;
}

/* Block number `block` of cell (i, j, k), red-black order; on a GPU in the storage of
 * linsolve/precond/dilu/cuda/dilu.cuh. */
HP_INLINE HP_HD hp_dilu_block hp_dilu_colour_block(const hp_gh *A, int i, int j, int k, int block) {
  const int64_t column = j + (int64_t)A->ny * i;
  const int parity = (i + j) & 1, odd = (parity + k) & 1;
  hp_dilu_block b;
#if defined(__CUDA_ARCH__)
  const int64_t half = (A->nz + 1) / 2, places = (int64_t)A->nx * A->ny * half;
  b.stride = places * A->q;
  b.place = (odd * HP_DILU_BLOCKS + block) * A->q * b.stride + (column * half + (k >> 1)) * A->q;
#else
  b.stride = A->q;
  b.place = hp_dilu_colour_place(A, column, parity, odd) + ((k >> 1) * HP_DILU_BLOCKS + block) * A->q * A->q;
#endif
  return b;
}

/* s -= block^T x; x, s [q]. */
HP_INLINE HP_HD void hp_dilu_subtract_transposed(const hp_precond *P, int q, hp_dilu_block b, const double *x,
                                                 double *s) {
  if (P->precision == HP_PRECISION_SINGLE)
    hp_dilu_subtract_transposed_float(q, b.stride, (const float *)P->pack + b.place, x, s);
  else hp_dilu_subtract_transposed_double(q, b.stride, (const double *)P->pack + b.place, x, s);
}

/* y = block^T x; x and y [q] do not overlap. */
HP_INLINE HP_HD void hp_dilu_multiply_transposed(const hp_precond *P, int q, hp_dilu_block b, const double *x,
                                                 double *y) {
  for (int a = 0; a < q; ++a) y[a] = 0.0;
  hp_dilu_subtract_transposed(P, q, b, x, y);
  for (int a = 0; a < q; ++a) y[a] = -y[a];
}

/* Whether cell (i, j, k) has a neighbour in diagonal u. */
HP_INLINE HP_HD bool hp_dilu_has(const hp_gh *A, int i, int j, int k, int u) {
  return u == -3   ? i > 0
         : u == -2 ? j > 0
         : u == -1 ? k > 0
         : u == 1  ? k + 1 < A->nz
         : u == 2  ? j + 1 < A->ny
                   : i + 1 < A->nx;
}

/* Whether that neighbour stands in the same brick, where there are bricks. */
HP_INLINE HP_HD bool hp_dilu_sees(const hp_precond *P, const hp_gh *A, int i, int j, int k, int u) {
  if (!hp_dilu_has(A, i, j, k, u)) return false;
  if (P->ordering != HP_ORDER_BRICKS) return true;
  const int axis = (u < 0 ? -u : u) - 1;
  const int at = P->bricks.first[axis] + (axis == 0 ? k : axis == 1 ? j : i);
  return (u < 0 ? at : at + 1) % P->bricks.size[axis] != 0;
}

/* The same for cell m. */
HP_INLINE HP_HD bool hp_dilu_sees_from(const hp_precond *P, const hp_gh *A, int64_t m, int u) {
  const int64_t column = m / A->nz;
  return hp_dilu_sees(P, A, (int)(column / A->ny), (int)(column % A->ny), (int)(m - column * A->nz), u);
}

#endif
