/* Fluids in place in each region of reports (FIPNUM), and what flows through each connection: for the vectors of the
 * summary that ask for it. One thread of each process adds its cells up, a state on a device is fetched first; the sums
 * are exact (physics/regions.h), so they are the same on every backend and for any team and number of ranks. */
#include <string.h>

#include "core/memory.h"
#include "io/case/vectors.h"
#include "sim/simulator/simulator.h"

/* Exact sums of some regions; before there is a backend, of planes on all ranks that have any. */
static hp_status add_some(hp_sim *S, int first, int count, hp_region_totals *total) {
  enum { WORDS = sizeof *total / sizeof(int64_t) };
  if (S->backend != NULL) return hp_backend_regions(S->backend, first, count, total);
  memset(total, 0, (size_t)count * sizeof *total);
  hp_regions_add(S->res, S->c->grid->owned, S->c->fip, first, count, total);
  return hp_spread_sum(S->c->spread, (int64_t *)(void *)total, (int64_t)count * WORDS);
}

/* Pressures are means over hydrocarbon, and over all pore volume where there is none. */
static void fill(const hp_region_values *sum, hp_region_row *row) {
  const double *v = sum->of;
  const double oil_at_start = row->oil_at_start;
  *row = (hp_region_row){.oil_at_start = oil_at_start};
  row->in_place[HP_OIL] = v[HP_REGION_OIL];
  row->in_place[HP_WATER] = v[HP_REGION_WATER];
  if (!(v[HP_REGION_VOLUME] > 0.0)) return;
  row->pressure = v[HP_REGION_OIL_VOLUME] > 1e-12 * v[HP_REGION_VOLUME]
                      ? v[HP_REGION_OIL_PRESSURE] / v[HP_REGION_OIL_VOLUME]
                      : v[HP_REGION_PRESSURE] / v[HP_REGION_VOLUME];
}

static hp_status add_up(hp_sim *S) {
  const int all = S->c->nfip, most = all < HP_REGIONS_AT_ONCE ? all : HP_REGIONS_AT_ONCE;
  hp_region_totals *total = NULL;
  HP_TRY(HP_ALLOC_UNSET(total, most));
  hp_status s = HP_OK;
  for (int first = 0; first < all && s == HP_OK; first += most) {
    const int count = all - first < most ? all - first : most;
    s = add_some(S, first, count, total);
    for (int n = 0; n < count && s == HP_OK; ++n) {
      const hp_region_values sum = hp_regions_round(&total[n]);
      fill(&sum, &S->region[first + n]);
    }
  }
  HP_FREE(total);
  return s;
}

hp_status hp_sim_regions_create(hp_sim *S) {
  if (!S->c->output.summary) return HP_OK;
  if (hp_summary_vectors_need(S->c, HP_OF_CONNECTION)) HP_TRY(HP_ALLOC(S->connection, S->wells->nperf));
  if (!hp_summary_vectors_need(S->c, HP_OF_REGION)) return HP_OK;
  HP_TRY(HP_ALLOC(S->region, S->c->nfip));
  HP_TRY(add_up(S));
  const hp_initial *init = &S->c->initial;
  for (int n = 0; n < S->c->nfip; ++n)
    S->region[n].oil_at_start = init->nfip == S->c->nfip ? init->oil[n] : S->region[n].in_place[HP_OIL];
  return HP_OK;
}

hp_status hp_sim_regions(hp_sim *S) {
  const hp_wells *W = S->wells;
  if (S->region != NULL) HP_TRY(add_up(S));
  if (S->connection == NULL) return HP_OK;
  HP_TRY(hp_backend_get(S->backend, HP_SET_WELLS));
  for (int w = 0; w < W->nwell; ++w)
    for (int64_t q = W->begin[w]; q < W->begin[w + 1]; ++q)
      for (int a = 0; a < HP_PHASES; ++a)
        S->connection[q][a] = W->mode[w] == HP_CONTROL_SHUT ? 0.0 : hp_corrected_share(S, w, a) * W->rate[q].q[a];
  return HP_OK;
}
