/* Cells that ranks give up once all have their parts and the files of the grid are written: planes, or the whole grid where rank
 * 0 has read the deck alone, which tests let it do. */
#include "core/memory.h"
#include "sim/run/spread.h"

/* Perforations that the schedule makes anew ask for the permeabilities of their cells. Where cells are spread over ranks, all know
 * these from the start. */
static hp_status learn_perforations(const hp_sim *S) {
  hp_grid *g = S->releases->grid;
  if (g->known != NULL) return HP_OK;
  HP_TRY(hp_grid_known_create(&g->known));
  return hp_grid_learn(g, S->wells->nperf, S->wells->cell);
}

/* The cells that parts are made of. */
static void release_parts(hp_grid *g) {
  HP_FREE(g->depth);
  HP_FREE(g->pore_volume);
  HP_FREE(g->active);
  for (int d = 0; d < HP_DIRS; ++d) HP_FREE(g->trans[d]);
  hp_grid_connections_clear(&g->connection);
}

/* Cells that are in no part. */
static void release_rest(hp_case *c) {
  hp_grid *g = c->grid;
  HP_FREE(g->dx);
  HP_FREE(g->dy);
  HP_FREE(g->dz);
  HP_FREE(g->porosity);
  HP_FREE(g->ntg);
  for (int d = 0; d < HP_DIRS; ++d) HP_FREE(g->perm[d]);
  HP_FREE(c->coord);
  HP_FREE(c->zcorn);
  HP_FREE(c->top);
  hp_case_nodes_clear(&c->facts.nodes);
  hp_case_split_clear(&c->facts.split);
  HP_FREE(c->text); /* results have it */
  HP_FREE(c->given_active);
  HP_FREE(c->mult_pv);
  HP_FREE(c->porv);
  for (int d = 0; d < HP_DIRS; ++d) {
    HP_FREE(c->mult[d]);
    HP_FREE(c->tran[d]);
  }
  hp_grid_connections_clear(&c->connection);
  HP_FREE(c->initial.water);
  HP_FREE(c->initial.pressure);
  HP_FREE(c->initial.sw);
}

static void release_regions(hp_case *c) {
  for (int n = 0; n < HP_ENDS; ++n) HP_FREE(c->fluid.end[n]);
  HP_FREE(c->fluid.of_sat);
  HP_FREE(c->fluid.of_pvt);
  HP_FREE(c->fluid.of_rock);
  HP_FREE(c->initial.of);
  HP_FREE(c->fip);
}

/* The fluids stay with the numbers of cells, for wells. */
static void release_reservoir(hp_reservoir *r) {
  r->active = NULL;
  r->depth = r->pore_volume = r->link_trans = NULL;
  r->connection = NULL;
  for (int d = 0; d < HP_DIRS; ++d) {
    r->trans[d] = NULL;
    HP_FREE(r->variable_trans[d]);
    HP_FREE(r->fault_threshold[d]);
  }
  HP_FREE(r->variable_link_trans);
  HP_FREE(r->link_threshold);
  HP_FREE(r->end_points);
  HP_FREE(r->held);
  hp_links_destroy(&r->links);
  hp_reservoir_drop(r, HP_ARRAYS_ALL);
  r->threshold_of = NULL;
  if (r->compaction != NULL) r->compaction->of = NULL;
}

/* From here on there are no planes: what is fetched of parts is of all cells. */
static void leave_planes(hp_sim *S) {
  hp_case *c = S->releases;
  hp_grid *g = c->grid;
  hp_sim_spread_cells_destroy(&S->cells);
  g->spread = S->res->spread = NULL;
  hp_spread_destroy(&c->spread);
  g->planes = hp_spread_planes_of(NULL, 0, g->nx);
  g->first = 0;
  g->owned = g->ncell = S->res->ncell = hp_grid_cells(g);
}

hp_status hp_sim_release_rest(hp_sim *S) {
  if (S->releases == NULL) return HP_OK;
  HP_TRY(learn_perforations(S));
  release_rest(S->releases);
  return HP_OK;
}

void hp_sim_release_cells(hp_sim *S) {
  if (S->releases == NULL) return;
  release_regions(S->releases);
  release_parts(S->releases->grid);
  release_reservoir(S->res);
  leave_planes(S);
  S->releases = NULL;
}

static int64_t bytes_of(const void *array, int64_t ncell, size_t size) {
  return array != NULL ? ncell * (int64_t)size : 0;
}

int64_t hp_sim_released_bytes(const hp_case *c) {
  enum { OF_GRID = 13, OF_STATE = 2 };
  const hp_grid *g = c->grid;
  const int64_t n = g->ncell;
  int64_t bytes = n * (OF_GRID + OF_STATE) * (int64_t)sizeof(double) + 2 * n; /* active, as given and found */
  bytes += 3 * (c->connection.count + g->connection.count) * (int64_t)sizeof(double);
  bytes += bytes_of(c->zcorn, n, 8 * sizeof(double)) + bytes_of(c->mult_pv, n, sizeof(double));
  bytes += bytes_of(c->porv, n, sizeof(double)) + bytes_of(c->fip, n, sizeof *c->fip);
  for (int d = 0; d < HP_DIRS; ++d)
    bytes += bytes_of(c->mult[d], n, sizeof(double)) + bytes_of(c->tran[d], n, sizeof(double));
  for (int e = 0; e < HP_ENDS; ++e) bytes += bytes_of(c->fluid.end[e], n, sizeof(double));
  bytes += bytes_of(c->initial.pressure, n, sizeof(double)) + bytes_of(c->initial.sw, n, sizeof(double));
  return bytes + bytes_of(c->initial.water, n, sizeof(double)) + bytes_of(c->initial.of, n, sizeof *c->initial.of);
}
