/* The grid as it is: blocks, or corners beside them; rock; pore volumes and transmissibilities where they are given;
 * connections of cells that are not neighbours. */
#include <math.h>

#include "core/memory.h"
#include "grid/corners.h"
#include "io/export/impl.h"

/* Rock of inactive cells means nothing: that of the first active one, so that one value can stand for all. */
static hp_status rock_cells(hp_export *e, const char *name, hp_quantity q, const double *a) {
  const hp_grid *g = e->c->grid;
  int64_t first = 0;
  while (first < g->ncell - 1 && !g->active[first]) ++first;
  return hp_export_sound_cells(e, "grid", name, q, a, a[first], a[first]);
}

/* The top t with t + dz/2 == depth; false: no number is one, as where dz/2 is an odd multiple of half the last bit. */
static bool top_of(double depth, double dz, double *t) {
  const double first = depth - 0.5 * dz;
  double up = first, down = first;
  for (int n = 0; n < 8; ++n) {
    if (up + 0.5 * dz == depth) return *t = up, true;
    if (down + 0.5 * dz == depth) return *t = down, true;
    up = nextafter(up, INFINITY);
    down = nextafter(down, -INFINITY);
  }
  return false;
}

/* One top for all columns, from which the thicknesses give all depths. */
static bool one_top(const hp_grid *g, double *t) {
  if (!top_of(g->depth[0], g->dz[0], t) || *t != g->depth[0] - 0.5 * g->dz[0]) return false;
  double z = *t;
  for (int64_t m = 0; m < g->ncell; ++m) {
    if (m % g->nz == 0) z = *t;
    if (g->depth[m] != z + 0.5 * g->dz[m]) return false;
    z += g->dz[m];
  }
  return true;
}

/* The top of the grid, or tops where every cell has one, else depths; a [ncell] is scratch. */
static hp_status depths(hp_export *e, double *a) {
  const hp_grid *g = e->c->grid;
  double t;
  bool all = true;
  if (one_top(g, &t)) {
    hp_export_key(e, "  ", "top", HP_UNIT_LENGTH, t);
    return HP_OK;
  }
  for (int64_t m = 0; m < g->ncell && all; ++m) all = top_of(g->depth[m], g->dz[m], &a[m]);
  return hp_export_cells(e, "grid", all ? "tops" : "depth", HP_UNIT_LENGTH, HP_DIR_K, all ? a : g->depth);
}

static bool all_are(const hp_grid *g, const double *a, double v) {
  for (int64_t m = 0; m < g->ncell; ++m)
    if (g->active[m] && a[m] != v) return false;
  return true;
}

static bool same(const hp_grid *g, const double *a, const double *b) {
  for (int64_t m = 0; m < g->ncell; ++m)
    if (g->active[m] && a[m] != b[m]) return false;
  return true;
}

/* Connections of cells that are not neighbours: what NNC gives to neighbours is in tranx, trany, tranz. */
static hp_status connections(hp_export *e) {
  const hp_grid_connections *list = &e->c->grid->connection;
  if (list->count == 0) return HP_OK;
  fputs("  connections = ", e->f);
  HP_TRY(hp_export_pairs(e, list->count, list->a, list->b, HP_UNIT_CONNECTION, list->trans));
  fputs(";\n", e->f);
  return HP_OK;
}

/* Whether sizes and depths of the active cells are those of the corners; depths of aquifers' cells are said there. */
static bool sizes_follow(const hp_case *c) {
  const hp_grid *g = c->grid;
  const hp_corners corners = hp_case_corners(c);
  for (int64_t m = 0; c->coord != NULL && m < g->ncell; ++m) {
    int at[3];
    double size[3], top;
    if (!g->active[m]) continue;
    hp_grid_ijk(g, m, at);
    hp_corners_sizes(&corners, at[0], at[1], at[2], true, size, &top);
    if (size[0] != g->dx[m] || size[1] != g->dy[m] || size[2] != g->dz[m]) return false;
  }
  return c->coord != NULL;
}

static void systems(hp_export *e) {
  const hp_pillar_systems *s = &e->c->systems;
  if (s->count < 2) return;
  fputs("    systems = (\n", e->f);
  for (int n = 0; n < s->count; ++n) {
    const hp_pillar_system *one = &s->at[n];
    fprintf(e->f, "      { k = [%d, %d];%s", one->first + 1, one->last + 1, one->joined ? " joined = true;" : "");
    if (one->beside[0] < one->beside[1]) fprintf(e->f, " beside = [%d, %d];", one->beside[0] + 1, one->beside[1] + 1);
    fputs(n + 1 < s->count ? " },\n" : " }\n    );\n", e->f);
  }
}

/* All numbers are given beside them. */
static hp_status corners(hp_export *e) {
  const hp_grid *g = e->c->grid;
  const int sets = hp_pillar_systems_sets(&e->c->systems);
  const int coord[3] = {sets * (g->ny + 1), g->nx + 1, 6}, zcorn[3] = {2 * g->nz, 2 * g->ny, 2 * g->nx};
  fputs("  corner_point = {\n    connect = false;\n", e->f);
  HP_TRY(hp_export_lengths(e, "coord", coord, e->c->coord));
  HP_TRY(hp_export_lengths(e, "zcorn", zcorn, e->c->zcorn));
  systems(e);
  fputs("  };\n", e->f);
  return HP_OK;
}

static hp_status blocks(hp_export *e, double *scratch) {
  const hp_grid *g = e->c->grid;
  HP_TRY(hp_export_cells(e, "grid", "dx", HP_UNIT_LENGTH, HP_DIR_I, g->dx));
  HP_TRY(hp_export_cells(e, "grid", "dy", HP_UNIT_LENGTH, HP_DIR_J, g->dy));
  HP_TRY(hp_export_cells(e, "grid", "dz", HP_UNIT_LENGTH, HP_DIR_K, g->dz));
  return depths(e, scratch);
}

hp_status hp_export_grid(hp_export *e) {
  const hp_case *c = e->c;
  const hp_grid *g = c->grid;
  if (c->begin > 0.0) return hp_fail(HP_ERR_DECK, "%s: a run that begins with RESTART is not imported", c->deck);
  const bool given = c->porv != NULL || c->tran[0] != NULL || c->tran[1] != NULL || c->tran[2] != NULL ||
                     c->connection.count > 0; /* some may have gone to neighbours */
  static const char *const perm[HP_DIRS] = {"permz", "permy", "permx"}, *const mult[HP_DIRS] = {"multz", "multy",
                                                                                                "multx"};
  static const char *const tran[HP_DIRS] = {"tranz", "trany", "tranx"};
  double *a;
  HP_TRY(HP_ALLOC(a, g->ncell));
  fprintf(e->f, "grid = {\n  size = [%d, %d, %d];\n", g->nx, g->ny, g->nz);
  hp_status s = hp_h5_group(&e->h5, "/grid");
  e->corners = sizes_follow(c);
  if (s == HP_OK) s = e->corners ? corners(e) : blocks(e, a);
  if (s == HP_OK) s = rock_cells(e, "porosity", HP_UNIT_NONE, g->porosity);
  if (s == HP_OK && !all_are(g, g->ntg, 1.0)) s = rock_cells(e, "ntg", HP_UNIT_NONE, g->ntg);
  for (int d = HP_DIRS - 1; d >= 0 && s == HP_OK; --d) /* along j and k it is that along i where it is not given */
    if (d == HP_DIR_I || !same(g, g->perm[d], g->perm[HP_DIR_I]))
      s = rock_cells(e, perm[d], HP_UNIT_PERMEABILITY, g->perm[d]);
  for (int64_t m = 0; m < g->ncell; ++m) a[m] = g->active[m];
  if (s == HP_OK && g->nactive < g->ncell) s = hp_export_cells(e, "grid", "active", HP_UNIT_NONE, HP_DIR_K, a);
  if (s == HP_OK)
    hp_export_key(e, "  ", "minpv", HP_UNIT_RESERVOIR_VOLUME, 0.0); /* what is too small is inactive above */
  if (s == HP_OK && given)
    s = hp_export_cells(e, "grid", "pore_volume", HP_UNIT_RESERVOIR_VOLUME, HP_DIR_K, g->pore_volume);
  if (s == HP_OK && !given && c->mult_pv != NULL && !all_are(g, c->mult_pv, 1.0))
    s = hp_export_sound_cells(e, "grid", "multpv", HP_UNIT_NONE, c->mult_pv, 1.0, 1.0);
  for (int d = HP_DIRS - 1; d >= 0 && s == HP_OK; --d) {
    if (given) s = hp_export_cells(e, "grid", tran[d], HP_UNIT_CONNECTION, HP_DIR_K, g->trans[d]);
    else if (c->mult[d] != NULL && !all_are(g, c->mult[d], 1.0))
      s = hp_export_sound_cells(e, "grid", mult[d], HP_UNIT_NONE, c->mult[d], 1.0, 1.0);
  }
  if (s == HP_OK) s = connections(e);
  fputs("};\n\n", e->f);
  HP_FREE(a);
  return s;
}
