/* The coarsenings by name, and HMIS, which is two others one after the other. */
#include "amg/setup/setup_impl.h"

hp_amg_coarsen_function *hp_amg_coarsen_function_of(hp_amg_coarsening kind) {
  static hp_amg_coarsen_function *const functions[] = {
#define FUNCTION_OF(name, text, function) hp_amg_coarsen_##function,
      HP_AMG_COARSENING_LIST(FUNCTION_OF)
#undef FUNCTION_OF
  };
  return functions[kind];
}

hp_status hp_amg_coarsen(hp_amg_coarsening kind, const hp_csr *A, const hp_amg_graph *G, uint64_t seed,
                         uint8_t *point) {
  hp_amg_alone one;
  HP_TRY(hp_amg_alone_begin(&one, A->nrow));
  const hp_status s = hp_amg_coarsen_function_of(kind)(&one.t, &one.w, A, G, seed, point);
  hp_amg_alone_end(&one);
  return s;
}

/* De Sterck, Yang & Heys 2006: the coarse points of RS's first pass, by one member, then PMIS among the points that it
 * leaves undecided. */
hp_status hp_amg_coarsen_hmis(hp_team *t, hp_amg_work *w, const hp_csr *A, const hp_amg_graph *G, uint64_t seed,
                              uint8_t *point) {
  HP_TRY(hp_amg_first_pass(t, w, A, G, point));
  return hp_amg_independent_set(t, w, A, G, seed, point);
}
