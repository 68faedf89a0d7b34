/* The computation of one row of P, shared by the interpolations (interpolation_*.c).
 *
 * Row i of P is the unit vector for a coarse point. For a fine one each formula is a function
 *
 *     bool hp_amg_interpolate_NAME(hp_amg_row *r, int32_t i)
 *
 * that stores the points from which i is interpolated in `set`, ascending, and their weights; false:
 * no sensible weights exist (interpolation.c then tries the direct formula).
 *
 * Sums run in the order of A's rows and of `set`, so that they depend on the matrix alone. */
#ifndef HP_AMG_SETUP_INTERPOLATION_IMPL_H
#define HP_AMG_SETUP_INTERPOLATION_IMPL_H

#include "amg/amg.h"

/* An entry of a fine row whose column is a coarse cell. They are listed, because they are few and the formulas read
 * each row many times. */
typedef struct hp_amg_coarse_entry {
  double value;
  int32_t column;
  uint32_t at : 31, strong : 1; /* place in A's row */
} hp_amg_coarse_entry;

typedef struct hp_amg_row {
  const hp_csr *A;
  const struct hp_amg_share *share; /* NULL: A is whole */
  const hp_amg_graph *G;
  const uint8_t *point;
  const double *diagonal; /* [nrow] */
  const uint32_t *begin;  /* [nrow+1] of a row's entries in `coarse_entry`, in the order of A's row */
  const hp_amg_coarse_entry *coarse_entry;
  int32_t *place; /* [nrow] place of a point in `set`, -1: not there */
  int32_t *set;   /* coarse points of the current row, ascending; room for the duplicates met, or nrow+1 */
  double *weight; /* of the same length */
  int32_t count;
} hp_amg_row;

#define HP_AMG_DECLARE_ROW(name, text, function) bool hp_amg_interpolate_##function(hp_amg_row *r, int32_t i);
HP_AMG_INTERPOLATION_LIST(HP_AMG_DECLARE_ROW)
#undef HP_AMG_DECLARE_ROW

/* Branch-free: a branch would be mispredicted often. */
HP_INLINE void hp_amg_row_add(hp_amg_row *r, int32_t j) {
  r->set[r->count] = j;
  r->count += r->place[j] < 0;
  r->place[j] = 0;
}

/* The coarse points on which i depends; with `extended` also those on which its strong fine neighbours do. */
HP_INLINE_ALWAYS void hp_amg_row_collect(hp_amg_row *r, int32_t i, bool extended) {
  const hp_csr *A = r->A;
  r->count = 0;
  for (int64_t k = A->begin[i]; k < A->begin[i + 1]; ++k) {
    const int32_t j = A->column[k];
    if (!r->G->strong[k]) continue;
    if (r->point[j] == HP_AMG_COARSE) hp_amg_row_add(r, j);
    for (int64_t n = r->begin[j]; n < r->begin[j + 1] && extended; ++n)
      if (r->coarse_entry[n].strong) hp_amg_row_add(r, r->coarse_entry[n].column);
  }
  hp_csr_sort(r->set, r->count);
  for (int32_t n = 0; n < r->count; ++n) {
    r->place[r->set[n]] = n;
    r->weight[n] = 0.0;
  }
}

/* The entry of row i of A in column j, -1: none. */
HP_INLINE int64_t hp_amg_row_find(const hp_csr *A, int32_t i, int32_t j) {
  for (int64_t k = A->begin[i]; k < A->begin[i + 1]; ++k)
    if (A->column[k] == j) return k;
  return -1;
}

/* Divides entry a_ik of row i among the points of the set (and, if `extended`, i itself) in proportion to row
 * k's entries a'_kl of the sign opposite to its diagonal; returns what goes to i's diagonal. */
HP_INLINE_ALWAYS double hp_amg_row_distribute(hp_amg_row *r, int32_t i, int32_t k, double aik, bool extended) {
  const hp_csr *A = r->A;
  const double akk = r->diagonal[k];
  const hp_amg_coarse_entry *to = r->coarse_entry + r->begin[k], *end = r->coarse_entry + r->begin[k + 1];
  const int64_t back = extended ? hp_amg_row_find(A, k, i) : -1;
  const double aki = back >= 0 && A->value[back] * akk < 0.0 ? A->value[back] : 0.0;
  const int64_t back_at = back >= 0 ? back - A->begin[k] : INT32_MAX;
  double sum = 0.0;
  const hp_amg_coarse_entry *n = to;
  for (; n < end && n->at < back_at; ++n)
    if (r->place[n->column] >= 0 && n->value * akk < 0.0) sum += n->value;
  sum += aki;
  for (; n < end; ++n)
    if (r->place[n->column] >= 0 && n->value * akk < 0.0) sum += n->value;
  if (sum == 0.0) return aik;
  for (n = to; n < end; ++n)
    if (r->place[n->column] >= 0 && n->value * akk < 0.0) r->weight[r->place[n->column]] += aik * (n->value / sum);
  return aik * (aki / sum);
}

/* Weights of the set: strong fine neighbours are distributed, all else that is not in the set goes to d.
 * False if d has not the sign of a_ii, or is close to zero. */
HP_INLINE_ALWAYS bool hp_amg_row_distributed(hp_amg_row *r, int32_t i, bool extended) {
  const hp_csr *A = r->A;
  const double aii = r->diagonal[i];
  double d = 0.0;
  for (int64_t k = A->begin[i]; k < A->begin[i + 1]; ++k) {
    const int32_t j = A->column[k];
    if (j < r->G->ncell && r->place[j] >= 0) r->weight[r->place[j]] += A->value[k];
    else if (r->G->strong[k]) d += hp_amg_row_distribute(r, i, j, A->value[k], extended);
    else d += A->value[k];
  }
  for (int32_t n = 0; n < r->count; ++n) r->weight[n] /= -d;
  return d * aii > 1e-12 * aii * aii;
}

#endif
