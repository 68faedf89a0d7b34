/* Fluids in place in each region of reports (FIPNUM), what flows through each connection, and cells: for the vectors of the
 * summary that ask for it. One thread of each process adds its cells up, a state on a device is fetched first; the sums
 * are exact (physics/regions.h), so they are the same on every backend and for any team and number of ranks. */
#include <math.h>
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
  *row = (hp_region_row){.oil_at_start = row->oil_at_start, .water_at_start = row->water_at_start, .pores = row->pores};
  row->volume = v[HP_REGION_VOLUME];
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

/* The numbers of regions of the connections' cells, each of which one rank has. */
static hp_status find_regions(hp_sim *S) {
  const hp_grid *g = S->c->grid;
  const hp_wells *W = S->wells;
  HP_TRY(HP_ALLOC(S->connection_region, W->nperf));
  for (int64_t q = 0; q < W->nperf; ++q) {
    const int64_t at = hp_grid_place(g, W->cell[q]);
    if (at >= 0 && at < g->owned) S->connection_region[q] = S->c->fip != NULL ? S->c->fip[at] : 1;
  }
  return hp_spread_sum(S->c->spread, S->connection_region, W->nperf);
}

/* Reference pore volumes of the regions: whole cubic millimetres, so that ranks add up the same. */
static hp_status add_pores(hp_sim *S) {
  const hp_grid *g = S->c->grid;
  const double unit = 1e-9;
  int64_t *sum;
  HP_TRY(HP_ALLOC(sum, S->c->nfip));
  for (int64_t m = 0; m < g->owned; ++m) {
    const int region = S->c->fip != NULL ? S->c->fip[m] : 1;
    if (g->active[m] && region > 0) sum[region - 1] += (int64_t)llround(g->pore_volume[m] / unit);
  }
  const hp_status s = hp_spread_sum(S->c->spread, sum, S->c->nfip);
  for (int n = 0; n < S->c->nfip; ++n) S->region[n].pores = unit * (double)sum[n];
  HP_FREE(sum);
  return s;
}

hp_status hp_sim_regions_create(hp_sim *S) {
  const hp_case *c = S->c;
  const bool sheets = c->output.sheets == HP_SHEETS_REGIONS || c->output.sheets_at_start == HP_SHEETS_REGIONS;
  HP_TRY(HP_ALLOC(S->connection, S->wells->nperf));
  if (!c->output.summary && !sheets) return HP_OK;
  int64_t *cell;
  HP_TRY(hp_summary_vectors_cells(c, &cell, &S->ncell));
  S->cell_place = cell;
  HP_TRY(HP_ALLOC(S->cell, S->ncell));
  const bool segments = hp_summary_vectors_need(c, HP_OF_SEGMENT);
  S->follows_connections = hp_summary_vectors_need(c, HP_OF_CONNECTION) || hp_summary_vectors_need(c, HP_OF_REGION) ||
                           segments;
  if (segments) HP_TRY(HP_ALLOC(S->segment, S->wells->nsegment));
  if (!hp_summary_vectors_need(c, HP_OF_REGION) && !sheets) return HP_OK;
  HP_TRY(HP_ALLOC(S->region, c->nfip));
  HP_TRY(find_regions(S));
  HP_TRY(add_up(S));
  const hp_initial *init = &c->initial;
  HP_TRY(add_pores(S));
  for (int n = 0; n < c->nfip; ++n) S->region[n].water_at_start = S->region[n].in_place[HP_WATER];
  for (int n = 0; n < c->nfip; ++n)
    S->region[n].oil_at_start = init->nfip == c->nfip ? init->oil[n] : S->region[n].in_place[HP_OIL];
  return HP_OK;
}

void hp_sim_regions_place(hp_sim *S) {
  for (int n = 0; n < S->ncell; ++n) S->cell_place[n] = hp_backend_place_of(S->backend, S->cell_place[n]);
}

void hp_sim_regions_destroy(hp_sim *S) {
  HP_FREE(S->region);
  HP_FREE(S->connection);
  HP_FREE(S->segment);
  HP_FREE(S->connection_region);
  HP_FREE(S->cell);
  HP_FREE(S->cell_place);
}

/* Rates of a connection, and its totals at the end of this step. */
static void add_flow(double dt, const double rate[HP_PHASES], hp_flow *f) {
  for (int a = 0; a < HP_PHASES; ++a) {
    f->rate[a] = rate[a] > 0.0 ? rate[a] : 0.0;
    f->injection_rate[a] = rate[a] < 0.0 ? -rate[a] : 0.0;
    f->total[a] += dt * f->rate[a];
    f->injection_total[a] += dt * f->injection_rate[a];
  }
}

static hp_status follow_connections(hp_sim *S) {
  const hp_wells *W = S->wells;
  HP_TRY(hp_backend_get(S->backend, HP_SET_WELLS));
  for (int w = 0; w < W->nwell; ++w)
    for (int64_t q = W->begin[w]; q < W->begin[w + 1]; ++q) {
      double rate[HP_PHASES];
      for (int a = 0; a < HP_PHASES; ++a)
        rate[a] = W->mode[w] == HP_CONTROL_SHUT ? 0.0 : hp_corrected_share(S, w, a) * W->rate[q].q[a];
      add_flow(S->dt * hp_well_efficiency(W, w), rate, &S->connection[q]);
    }
  return HP_OK;
}

/* Segments with the flows of the reported rates. */
static void follow_segments(hp_sim *S) {
  const hp_wells *W = S->wells;
  for (int w = 0; w < W->nwell; ++w) {
    const int64_t begin = W->segment_begin[w], end = W->segment_begin[w + 1];
    memset(S->segment + begin, 0, (size_t)(end - begin) * sizeof *S->segment);
    if (begin == end || W->mode[w] == HP_CONTROL_SHUT) continue;
    for (int64_t q = W->begin[w]; q < W->begin[w + 1]; ++q)
      for (int a = 0; a < HP_PHASES; ++a)
        S->segment[W->seat[q]].flow[a] += S->connection[q].rate[a] - S->connection[q].injection_rate[a];
    for (int64_t s = end - 1; s >= begin; --s) {
      S->segment[s].pressure = S->flow[w].bhp + W->segments[s].head;
      memcpy(S->segment[s].drop, W->segments[s].drop, sizeof S->segment[s].drop);
      for (int a = 0; a < HP_PHASES && s > begin; ++a)
        S->segment[W->segment[s].outlet].flow[a] += S->segment[s].flow[a];
    }
  }
}

/* Rates of regions count by the time that wells are on, as those of groups do. */
static void add_connections(hp_sim *S) {
  const hp_wells *W = S->wells;
  for (int w = 0; w < W->nwell; ++w)
    for (int64_t q = W->begin[w]; q < W->begin[w + 1]; ++q) {
      if (S->connection_region[q] == 0) continue;
      const hp_flow *from = &S->connection[q];
      hp_flow *to = &S->region[S->connection_region[q] - 1].flow;
      for (int a = 0; a < HP_PHASES; ++a) {
        to->rate[a] += hp_well_efficiency(W, w) * from->rate[a];
        to->injection_rate[a] += hp_well_efficiency(W, w) * from->injection_rate[a];
        to->total[a] += from->total[a];
        to->injection_total[a] += from->injection_total[a];
      }
    }
}

hp_status hp_sim_look_at_cells(hp_sim *S, int64_t count, const int64_t *place, hp_cell_row *cell) {
  enum { WORDS = sizeof(hp_cell_row) / sizeof(int64_t) };
  HP_TRY(hp_backend_get(S->backend, HP_ARRAYS_STATE));
  const hp_reservoir *r = S->backend->res;
  for (int64_t n = 0; n < count; ++n) {
    const int64_t m = place[n];
    const bool here = m >= 0 && r->active[m] != HP_CELL_INACTIVE;
    cell[n] = here ? (hp_cell_row){r->p[m], r->s[m]} : (hp_cell_row){0.0, 0.0};
  }
  hp_ranks_sum(S->K, (int64_t *)(void *)cell, (int)(count * WORDS)); /* bits of the one that has the cell */
  return HP_OK;
}

hp_status hp_sim_regions(hp_sim *S) {
  if (S->follows_connections) HP_TRY(follow_connections(S));
  if (S->segment != NULL) follow_segments(S);
  if (S->region != NULL) {
    HP_TRY(add_up(S));
    add_connections(S);
  }
  return S->ncell > 0 ? hp_sim_look_at_cells(S, S->ncell, S->cell_place, S->cell) : HP_OK;
}
