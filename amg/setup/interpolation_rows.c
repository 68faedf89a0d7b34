/* The formulas of a row of P for a fine point i. False: there is none. */
#include "amg/setup/interpolation_impl.h"

/* Direct interpolation (Stueben 2001, section 4.2.1), from the coarse points on which i depends:
 *
 *     w_ij = -alpha a_ij / d,     alpha = sum_N a-_in / sum_C a-_in
 *
 * a- are the entries of the sign opposite to a_ii's, N all neighbours, C the points
 * interpolated from; d is a_ii plus the entries of the other sign and the wells'. */
bool hp_amg_interpolate_direct(hp_amg_row *r, int32_t i) {
  const hp_csr *A = r->A;
  const double aii = r->diagonal[i];
  double all = 0.0, coarse = 0.0, d = aii;
  hp_amg_row_collect(r, i, false);
  for (int64_t k = A->begin[i]; k < A->begin[i + 1]; ++k) {
    const int32_t j = A->column[k];
    if (j == i) continue;
    if (j >= r->G->ncell || !(A->value[k] * aii < 0.0)) {
      d += A->value[k];
      continue;
    }
    all += A->value[k];
    if (r->place[j] < 0) continue;
    coarse += A->value[k];
    r->weight[r->place[j]] = A->value[k];
  }
  if (coarse == 0.0 || !(d * aii > 1e-12 * aii * aii)) return false;
  for (int32_t n = 0; n < r->count; ++n) r->weight[n] *= -all / coarse / d;
  return true;
}

/* Ruge & Stueben 1987, eq. 4.27:
 *
 *     w_ij = -(a_ij + sum_k a_ik a'_kj / sum_l a'_kl) / d
 *
 * j and l run over the coarse points on which i depends, k over the fine ones, a' are the entries of row
 * k whose sign is opposite to its diagonal's; d is a_ii plus all that is neither interpolated from
 * nor distributed: weak neighbours, wells. */
bool hp_amg_interpolate_classical(hp_amg_row *r, int32_t i) {
  hp_amg_row_collect(r, i, false);
  return r->count > 0 && hp_amg_row_distributed(r, i, false);
}

/* Extended+i (De Sterck, Falgout, Nolting & Yang 2008, eq. 4.10): the classical formula in which j and l
 * run also over the coarse points on which i's strong fine neighbours depend, and l over i itself:
 * its share goes to the diagonal. Made for coarse sets as PMIS gives them, in which two fine points need
 * not share a coarse one. */
bool hp_amg_interpolate_extended(hp_amg_row *r, int32_t i) {
  hp_amg_row_collect(r, i, true);
  return r->count > 0 && hp_amg_row_distributed(r, i, true);
}

/* The second operator of Liu, Yu & Chen 2013, eq. 2 (after Haase, Liebmann, Douglas & Plank 2010): a fine
 * point is the mean of the n coarse points on which it depends, w_ij = 1/n. */
bool hp_amg_interpolate_averaging(hp_amg_row *r, int32_t i) {
  hp_amg_row_collect(r, i, false);
  for (int32_t n = 0; n < r->count; ++n) r->weight[n] = 1.0 / r->count;
  return r->count > 0;
}
