/* Fluids in place in each region of reports (FIPNUM), and what flows through each connection: for the vectors of the
 * summary that ask for it. One thread of the host adds the cells up in their order, so the sums are the same on every
 * backend and for any team; a state on a device is fetched first. */
#include "core/memory.h"
#include "io/case/vectors.h"
#include "sim/simulator/simulator.h"

/* Adds cell m to its region; pressures are sums over hydrocarbon, and over all pore volume where there is none. */
typedef struct {
  double oil_pressure, oil, pressure, volume;
} average;

static void add_cell(const hp_reservoir *r, int64_t m, hp_region_row *row, average *mean) {
  hp_cell_props props;
  hp_cell_mass mass;
  hp_reservoir_eval(r, m, r->p[m], r->s[m], &props, &mass);
  for (int a = 0; a < HP_PHASES; ++a) row->in_place[a] += r->pore_volume[m] * mass.mass[a].v;
  const double volume = r->pore_volume[m] * hp_reservoir_rock(r, m, r->p[m]).v;
  mean->oil_pressure += volume * (1.0 - r->s[m]) * r->p[m];
  mean->oil += volume * (1.0 - r->s[m]);
  mean->pressure += volume * r->p[m];
  mean->volume += volume;
}

static hp_status add_up(hp_sim *S) {
  const hp_case *c = S->c;
  average *mean;
  HP_TRY(HP_ALLOC(mean, c->nfip));
  for (int n = 0; n < c->nfip; ++n) S->region[n] = (hp_region_row){.oil_at_start = S->region[n].oil_at_start};
  for (int64_t m = 0; m < S->res->ncell; ++m) {
    const int of = c->fip != NULL ? c->fip[m] : 1;
    if (S->res->active[m] && of > 0) add_cell(S->res, m, &S->region[of - 1], &mean[of - 1]);
  }
  for (int n = 0; n < c->nfip; ++n) {
    const average *a = &mean[n];
    if (a->volume > 0.0)
      S->region[n].pressure = a->oil > 1e-12 * a->volume ? a->oil_pressure / a->oil : a->pressure / a->volume;
  }
  HP_FREE(mean);
  return HP_OK;
}

hp_status hp_sim_regions_create(hp_sim *S) {
  if (!S->c->output.summary) return HP_OK;
  if (hp_summary_vectors_need(S->c, HP_OF_CONNECTION)) HP_TRY(HP_ALLOC(S->connection, S->wells->nperf));
  if (!hp_summary_vectors_need(S->c, HP_OF_REGION)) return HP_OK;
  HP_TRY(HP_ALLOC(S->region, S->c->nfip));
  HP_TRY(add_up(S));
  for (int n = 0; n < S->c->nfip; ++n) S->region[n].oil_at_start = S->region[n].in_place[HP_OIL];
  return HP_OK;
}

hp_status hp_sim_regions(hp_sim *S) {
  const hp_wells *W = S->wells;
  if (S->region != NULL) {
    HP_TRY(S->backend->ops->get_state(S->backend));
    HP_TRY(add_up(S));
  }
  if (S->connection == NULL) return HP_OK;
  HP_TRY(S->backend->ops->get_wells(S->backend));
  for (int w = 0; w < W->nwell; ++w)
    for (int64_t q = W->begin[w]; q < W->begin[w + 1]; ++q)
      for (int a = 0; a < HP_PHASES; ++a) S->connection[q][a] = W->mode[w] == HP_CONTROL_SHUT ? 0.0 : W->rate[q].q[a];
  return HP_OK;
}
