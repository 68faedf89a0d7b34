/* Single cells that report steps speak of, noted while there are all cells: perforated ones, those of numerical aquifers, the
 * connections of analytic ones. */
#include <string.h>

#include "core/memory.h"
#include "io/results/eclipse/eclipse.h"

static hp_status note_perforations(hp_ebin_out *e, const hp_ebin_cells *C, int nwell, const hp_well_path *path) {
  const hp_grid *g = e->c->grid;
  int64_t q = 0;
  for (int w = 0; w < nwell; ++w) e->nperf += path[w].nperf;
  HP_TRY(HP_ALLOC(e->perf, e->nperf));
  for (int w = 0; w < nwell; ++w)
    for (int n = 0; n < path[w].nperf; ++n, ++q) {
      const int *at = path[w].perf[n];
      const int64_t m = hp_grid_cell(g, at[0], at[1], at[2]);
      double number = 0.0;
      if (e->c->fluid.of_sat != NULL) HP_TRY(hp_ebin_get_one(C, HP_ARRAY_SATURATION, m, &number));
      e->perf[q].rock = hp_grid_rock_of(g, m);
      e->perf[q].saturation = 1 + (int)number;
    }
  return HP_OK;
}

static hp_status note_faces(hp_ebin_out *e, const hp_ebin_cells *C, int n) {
  const hp_aquifer_spec *a = &e->c->aquifer[n];
  hp_ebin_faces *f = &e->faces[n];
  f->count = a->connections;
  HP_TRY(HP_ALLOC(f->at, f->count));
  for (int64_t first = 0; C->remote != NULL && first < f->count; first += HP_EBIN_PIECE) {
    const int64_t count = f->count - first < HP_EBIN_PIECE ? f->count - first : HP_EBIN_PIECE;
    HP_TRY(C->remote->faces(C->remote->arg, n, first, count, f->at + first));
  }
  for (int64_t c = 0; C->remote == NULL && c < f->count; ++c) f->at[c] = (hp_remote_face){a->cell[c], a->weight[c]};
  return HP_OK;
}

static hp_status note_pools(hp_ebin_out *e, const hp_ebin_cells *C) {
  const hp_case *c = e->c;
  int64_t cells = 0, at = 0;
  for (int n = 0; n < c->nnumerical; ++n) cells += c->numerical[n].ncell;
  HP_TRY(HP_ALLOC(e->pool, cells));
  for (int n = 0; n < c->nnumerical; ++n)
    for (int64_t k = 0; k < c->numerical[n].ncell; ++k, ++at) {
      HP_TRY(hp_ebin_get_one(C, HP_ARRAY_DEPTH, c->numerical[n].cell[k], &e->pool[at].depth));
      HP_TRY(hp_ebin_get_one(C, HP_ARRAY_PORES, c->numerical[n].cell[k], &e->pool[at].pore_volume));
    }
  return HP_OK;
}

hp_status hp_ebin_known_create(hp_ebin_out *e, const hp_ebin_cells *C, int nwell, const hp_well_path *path) {
  HP_TRY(note_perforations(e, C, nwell, path));
  HP_TRY(HP_ALLOC(e->faces, e->c->naquifer));
  for (int n = 0; n < e->c->naquifer; ++n) HP_TRY(note_faces(e, C, n));
  return note_pools(e, C);
}

void hp_ebin_known_destroy(hp_ebin_out *e) {
  HP_FREE(e->perf);
  for (int n = 0; e->faces != NULL && n < e->c->naquifer; ++n) HP_FREE(e->faces[n].at);
  HP_FREE(e->faces);
  HP_FREE(e->pool);
}
