/* One row of P at work, shared by the interpolations (interpolation_*.c).
 *
 * Row i of P is the unit vector for a coarse point. For a fine one each formula is a function
 *
 *     bool hp_amg_interpolate_NAME(hp_amg_row *r, int32_t i)
 *
 * that leaves the points i interpolates from in `set`, rising, and their weights; false: no
 * sensible weights exist (interpolation.c then tries the direct formula).
 *
 * Sums run in the order of A's rows and of `set`, so that they depend on the matrix alone. */
#ifndef HP_AMG_INTERPOLATION_IMPL_H
#define HP_AMG_INTERPOLATION_IMPL_H

#include "amg/amg.h"

typedef struct hp_amg_row {
  const hp_csr *A;
  const hp_amg_graph *G;
  const uint8_t *point;
  const double *diagonal; /* [nrow] */
  int32_t *place;         /* [nrow] place of a point in `set`, -1: not there */
  int32_t *set;           /* [nrow] coarse points of the row at hand */
  double *weight;         /* [nrow] */
  int32_t count;
} hp_amg_row;

#define HP_AMG_DECLARE_ROW(name, text, function) bool hp_amg_interpolate_##function(hp_amg_row *r, int32_t i);
HP_AMG_INTERPOLATION_LIST(HP_AMG_DECLARE_ROW)
#undef HP_AMG_DECLARE_ROW

HP_INLINE void hp_amg_row_add(hp_amg_row *r, int32_t j) {
  if (r->place[j] >= 0) return;
  r->place[j] = 0;
  r->set[r->count++] = j;
}

/* The coarse points on which i depends; with `extended` also those on which its strong fine neighbours do. */
HP_INLINE void hp_amg_row_collect(hp_amg_row *r, int32_t i, bool extended) {
  const hp_csr *A = r->A;
  r->count = 0;
  for (int32_t k = A->begin[i]; k < A->begin[i + 1]; ++k) {
    const int32_t j = A->column[k];
    if (!r->G->strong[k]) continue;
    if (r->point[j] == HP_AMG_COARSE) hp_amg_row_add(r, j);
    for (int32_t n = A->begin[j]; n < A->begin[j + 1] && extended && r->point[j] == HP_AMG_FINE; ++n)
      if (r->G->strong[n] && r->point[A->column[n]] == HP_AMG_COARSE) hp_amg_row_add(r, A->column[n]);
  }
  hp_csr_sort(r->set, r->count);
  for (int32_t n = 0; n < r->count; ++n) {
    r->place[r->set[n]] = n;
    r->weight[n] = 0.0;
  }
}

/* Divides entry a_ik of row i among the points of the set (and, if `extended`, i itself, in proportion to row
 * k's entries a'_kl of the sign opposite to its diagonal; returns what goes to i's diagonal. */
HP_INLINE double hp_amg_row_distribute(hp_amg_row *r, int32_t i, int32_t k, double aik, bool extended) {
  const hp_csr *A = r->A;
  const int32_t ncell = r->G->ncell;
  const double akk = r->diagonal[k];
  double sum = 0.0, back = 0.0;
  for (int32_t n = A->begin[k]; n < A->begin[k + 1]; ++n) {
    const int32_t l = A->column[n];
    if (l < ncell && l != k && A->value[n] * akk < 0.0 && (r->place[l] >= 0 || (extended && l == i)))
      sum += A->value[n];
  }
  if (sum == 0.0) return aik;
  for (int32_t n = A->begin[k]; n < A->begin[k + 1]; ++n) {
    const int32_t l = A->column[n];
    if (l >= ncell || l == k || !(A->value[n] * akk < 0.0)) continue;
    if (r->place[l] >= 0) r->weight[r->place[l]] += aik * (A->value[n] / sum);
    else if (extended && l == i) back += aik * (A->value[n] / sum);
  }
  return back;
}

/* Weights of the set: strong fine neighbours are distributed, all else that is not in the set goes to d.
 * d of the other sign than a_ii, or next to nothing, makes no sense. */
HP_INLINE bool hp_amg_row_distributed(hp_amg_row *r, int32_t i, bool extended) {
  const hp_csr *A = r->A;
  const double aii = r->diagonal[i];
  double d = 0.0;
  for (int32_t k = A->begin[i]; k < A->begin[i + 1]; ++k) {
    const int32_t j = A->column[k];
    if (j < r->G->ncell && r->place[j] >= 0) r->weight[r->place[j]] += A->value[k];
    else if (r->G->strong[k]) d += hp_amg_row_distribute(r, i, j, A->value[k], extended);
    else d += A->value[k];
  }
  for (int32_t n = 0; n < r->count; ++n) r->weight[n] /= -d;
  return d * aii > 1e-12 * aii * aii;
}

#endif
