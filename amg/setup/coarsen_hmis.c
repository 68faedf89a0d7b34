/* HMIS (De Sterck, Yang & Heys 2006): the coarse points of RS's first pass, then PMIS among the points
 * that it leaves undecided. The first pass is one member's. */
#include "amg/setup/setup_impl.h"

hp_status hp_amg_coarsen_hmis(hp_team *t, hp_amg_work *w, const hp_csr *A, const hp_amg_graph *G, uint64_t seed,
                              uint8_t *point) {
  HP_TRY(hp_amg_first_pass(t, w, A, G, point));
  return hp_amg_independent_set(t, w, A, G, seed, point);
}
