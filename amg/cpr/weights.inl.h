/* A cell's part in CPR's pressure system: whether it takes part, the weights of its rows, entries. */
#ifndef HP_AMG_CPR_WEIGHTS_INL_H
#define HP_AMG_CPR_WEIGHTS_INL_H

#include <math.h>

#include "amg/cpr/cpr.h"
#include "linsolve/matrix/block.inl.h"

/* Whether the pressure of cell m is coupled to another cell's. */
HP_INLINE HP_HD bool hp_cpr_is_coupled(const hp_gh *A, int64_t m) {
  for (int u = -3; u <= 3; ++u)
    for (int a = 0; a < A->q && u != 0; ++a)
      if (*hp_gh_entry(A, m, u, a, 0) != 0.0) return true;
  if (!hp_gh_is_linked(A)) return false;
  int64_t begin, end;
  hp_links_of(&A->links, m, &begin, &end);
  for (int64_t e = begin; e < end; ++e)
    for (int a = 0; a < A->q; ++a)
      if (*hp_gh_link(A, e, a, 0) != 0.0) return true;
  return false;
}

/* The dynamic row sum's weights; the guards are those of amgcl. All one if no row qualifies. */
HP_INLINE HP_HD void hp_cpr_row_sum(const hp_gh *A, int64_t m, double *w) {
  const double dominance = 0.2, coupling = 0.02, first = fabs(*hp_gh_entry(A, m, 0, 0, 0));
  bool any = false;
  int64_t begin = 0, end = 0;
  if (hp_gh_is_linked(A)) hp_links_of(&A->links, m, &begin, &end);
  for (int a = 0; a < A->q; ++a) {
    double others = 0.0, moves = 0.0;
    for (int u = -3; u <= 3; ++u) {
      others += u != 0 ? fabs(*hp_gh_entry(A, m, u, a, 0)) : 0.0;
      moves += fabs(*hp_gh_entry(A, m, u, 0, a));
    }
    for (int64_t e = begin; e < end; ++e) {
      others += fabs(*hp_gh_link(A, e, a, 0));
      moves += fabs(*hp_gh_link(A, e, 0, a));
    }
    w[a] = *hp_gh_entry(A, m, 0, a, 0) >= dominance * others && moves >= coupling * first ? 1.0 : 0.0;
    any = any || w[a] > 0.0;
  }
  for (int a = 0; a < A->q && !any; ++a) w[a] = 1.0;
}

/* Weights w^T of the diagonal block D with w^T D = e_0^T but for a factor, the largest 1 in size; all one if
 * D is singular. */
HP_INLINE HP_HD void hp_cpr_quasi_impes(const hp_gh *A, int64_t m, double *w) {
  const int q = A->q;
  double block[HP_GH_Q_MAX * HP_GH_Q_MAX], inverse[HP_GH_Q_MAX * HP_GH_Q_MAX], most = 0.0;
  hp_block_load(A, q, m, 0, block);
  const bool regular = hp_block_invert(q, block, inverse);
  for (int a = 0; a < q && regular; ++a) most = fmax(most, fabs(inverse[a * q]));
  for (int a = 0; a < q; ++a) w[a] = most > 0.0 ? inverse[a * q] / most : 1.0;
}

/* Weights of cell m's rows. */
HP_INLINE HP_HD void hp_cpr_cell_weights(const hp_gh *A, hp_cpr_weights kind, int64_t m, double *w) {
  if (kind == HP_CPR_QUASI_IMPES) hp_cpr_quasi_impes(A, m, w);
  else if (kind == HP_CPR_ROW_SUM) hp_cpr_row_sum(A, m, w);
  else
    for (int a = 0; a < A->q; ++a) w[a] = 1.0;
}

/* Entry i of weights, which are one where none are stored. */
HP_INLINE HP_HD double hp_cpr_weight(const double *weight, int64_t i) { return weight != NULL ? weight[i] : 1.0; }

/* The weighted pressure derivative of cell m's rows in diagonal u. */
HP_INLINE HP_HD double hp_cpr_entry(const hp_gh *A, const double *weight, int64_t m, int u) {
  double sum = 0.0;
  for (int a = 0; a < A->q; ++a) sum += hp_cpr_weight(weight, m * A->q + a) * *hp_gh_entry(A, m, u, a, 0);
  return sum;
}

/* The same in entry e of its connections beyond the diagonals. */
HP_INLINE HP_HD double hp_cpr_link(const hp_gh *A, const double *weight, int64_t m, int64_t e) {
  double sum = 0.0;
  for (int a = 0; a < A->q; ++a) sum += hp_cpr_weight(weight, m * A->q + a) * *hp_gh_link(A, e, a, 0);
  return sum;
}

/* The same in the well's column for the perforation at place `slot` of the matrix's. */
HP_INLINE HP_HD double hp_cpr_well_coupling(const hp_gh *A, const double *weight, int64_t m, int64_t slot) {
  double sum = 0.0;
  for (int a = 0; a < A->q; ++a) sum += hp_cpr_weight(weight, m * A->q + a) * A->wells.wt[slot * A->q + a];
  return sum;
}

/* The number of an entry in the row of cell m that comes from `source`: diagonal source - 3; behind the diagonals the
 * entries of connections, behind these the perforations' places. In the row of well w: a perforation's place; -1: the
 * well's diagonal. */
HP_INLINE HP_HD double hp_cpr_cell_number(const hp_gh *A, const double *weight, int64_t m, int32_t source) {
  const int64_t e = (int64_t)source - HP_GH_DIAGS, slot = e - A->links.count;
  if (e < 0) return hp_cpr_entry(A, weight, m, source - 3);
  return slot < 0 ? hp_cpr_link(A, weight, m, e) : hp_cpr_well_coupling(A, weight, m, slot);
}
HP_INLINE HP_HD double hp_cpr_well_number(const hp_gh *A, int w, int32_t source) {
  return source < 0 ? A->wells.dd[w] : A->wells.w[(int64_t)source * A->q];
}

#endif
