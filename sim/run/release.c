/* Cells that ranks give up once all have their parts and the files of the grid are written: planes, or the whole grid where each
 * has read all of the deck. */
#include "core/memory.h"
#include "sim/run/run.h"

/* Perforations that the schedule makes anew ask for the permeabilities of their cells. Where cells are spread over ranks, all know
 * these from the start. */
static hp_status learn_perforations(const hp_sim *S) {
  hp_grid *g = S->releases->grid;
  if (g->known != NULL) return HP_OK;
  HP_TRY(hp_grid_known_create(&g->known));
  return hp_grid_learn(g, S->wells->nperf, S->wells->cell);
}

/* Arrays of cells of the case c and its grid g that go: X(array, numbers of a cell). PARTS: those that parts are made of. */
/* clang-format off */
#define REST_LIST(X)                                                                                      \
  X(g->dx, 1) X(g->dy, 1) X(g->dz, 1) X(g->porosity, 1) X(g->ntg, 1)                                      \
  X(g->perm[0], 1) X(g->perm[1], 1) X(g->perm[2], 1) X(c->zcorn, 8) X(c->given_active, 1)                 \
  X(c->mult_pv, 1) X(c->porv, 1) X(c->mult[0], 1) X(c->mult[1], 1) X(c->mult[2], 1)                       \
  X(c->tran[0], 1) X(c->tran[1], 1) X(c->tran[2], 1)                                                      \
  X(c->initial.water, 1) X(c->initial.pressure, 1) X(c->initial.sw, 1) X(c->initial.driest, 1)
#define PARTS_LIST(X)                                                                                     \
  X(g->depth, 1) X(g->pore_volume, 1) X(g->active, 1) X(g->trans[0], 1) X(g->trans[1], 1) X(g->trans[2], 1) \
  X(c->fluid.of_sat, 1) X(c->fluid.of_imbibition, 1) X(c->fluid.of_pvt, 1) X(c->fluid.of_rock, 1) X(c->initial.of, 1) X(c->fip, 1)
/* clang-format on */
#define RELEASE(array, numbers) HP_FREE(array);
#define COUNT_BYTES(array, numbers) bytes += (array) != NULL ? (numbers)*n * (int64_t)sizeof *(array) : 0;

static void release_parts(hp_case *c) {
  hp_grid *g = c->grid;
  PARTS_LIST(RELEASE)
  for (int n = 0; n < HP_FACES; ++n) HP_FREE(c->fluid.of_face[n]);
  for (int n = 0; n < HP_ENDS; ++n) {
    HP_FREE(c->fluid.end[n]);
    HP_FREE(c->fluid.imbibition_end[n]);
  }
  hp_grid_connections_clear(&g->connection);
}

static void release_rest(hp_case *c) {
  hp_grid *g = c->grid;
  REST_LIST(RELEASE)
  HP_FREE(c->coord);
  HP_FREE(c->top);
  hp_case_nodes_clear(&c->facts.nodes);
  hp_case_split_clear(&c->facts.split);
  HP_FREE(c->text); /* results have it */
  hp_grid_connections_clear(&c->connection);
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
  for (int n = 0; n < HP_FACES; ++n) r->face_table[n] = NULL;
  if (r->hysteresis == NULL) return;
  r->hysteresis->of = NULL;
  HP_FREE(r->hysteresis->end_points);
}

/* From here on there are no planes: what is fetched of parts is of all cells. */
static void leave_planes(hp_sim *S) {
  hp_case *c = S->releases;
  hp_grid *g = c->grid;
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
  release_parts(S->releases);
  release_reservoir(S->res);
  leave_planes(S);
  S->releases = NULL;
}

int64_t hp_sim_released_bytes(const hp_case *c) {
  const hp_grid *g = c->grid;
  const int64_t n = g->ncell;
  int64_t bytes = n * hp_arrays_bytes(hp_case_arrays(c) & HP_ARRAYS_STATE);
  bytes += 3 * (c->connection.count + g->connection.count) * (int64_t)sizeof(double);
  REST_LIST(COUNT_BYTES)
  PARTS_LIST(COUNT_BYTES)
  for (int face = 0; face < HP_FACES; ++face) COUNT_BYTES(c->fluid.of_face[face], 1)
  for (int e = 0; e < HP_ENDS; ++e) COUNT_BYTES(c->fluid.end[e], 1)
  for (int e = 0; e < HP_ENDS; ++e) COUNT_BYTES(c->fluid.imbibition_end[e], 1)
  return bytes;
}
