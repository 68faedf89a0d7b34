/* Direct interpolation (Stueben 2001, section 4.2.1), from the coarse points on which i depends:
 *
 *     w_ij = -alpha a_ij / d,     alpha = sum_N a-_in / sum_C a-_in
 *
 * a- are the entries of the sign opposite to a_ii's, N all neighbours, C the points
 * interpolated from; d is a_ii plus the entries of the other sign and the wells'. */
#include "amg/setup/interpolation_impl.h"

bool hp_amg_interpolate_direct(hp_amg_row *r, int32_t i) {
  const hp_csr *A = r->A;
  const double aii = r->diagonal[i];
  double all = 0.0, coarse = 0.0, d = aii;
  hp_amg_row_collect(r, i, false);
  for (int32_t k = A->begin[i]; k < A->begin[i + 1]; ++k) {
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
