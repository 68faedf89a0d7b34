/* Extended+i (De Sterck, Falgout, Nolting & Yang 2008, eq. 4.10): the classical formula in which j and l
 * run also over the coarse points on which i's strong fine neighbours depend, and l over i itself:
 * its share goes to the diagonal. Made for coarse sets as PMIS gives them, in which two fine points need
 * not share a coarse one. */
#include "amg/setup/interpolation_impl.h"

bool hp_amg_interpolate_extended(hp_amg_row *r, int32_t i) {
  hp_amg_row_collect(r, i, true);
  return r->count > 0 && hp_amg_row_distributed(r, i, true);
}
