/* Ruge & Stueben 1987, eq. 4.27:
 *
 *     w_ij = -(a_ij + sum_k a_ik a'_kj / sum_l a'_kl) / d
 *
 * j and l run over the coarse points on which i depends, k over the fine ones, a' are the entries of row
 * k whose sign is opposite to its diagonal's; d is a_ii plus all that is neither interpolated from
 * nor distributed: weak neighbours, wells. */
#include "amg/setup/interpolation_impl.h"

bool hp_amg_interpolate_classical(hp_amg_row *r, int32_t i) {
  hp_amg_row_collect(r, i, false);
  return r->count > 0 && hp_amg_row_distributed(r, i, false);
}
