/* The second operator of Liu, Yu & Chen 2013, eq. 2 (after Haase, Liebmann, Douglas & Plank 2010): a fine
 * point is the mean of the n coarse points on which it depends, w_ij = 1/n. */
#include "amg/setup/interpolation_impl.h"

bool hp_amg_interpolate_averaging(hp_amg_row *r, int32_t i) {
  hp_amg_row_collect(r, i, false);
  for (int32_t n = 0; n < r->count; ++n) r->weight[n] = 1.0 / r->count;
  return r->count > 0;
}
