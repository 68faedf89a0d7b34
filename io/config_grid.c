#include "io/config_grid.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"

static const char *const property_path[HP_PROPERTY_COUNT] = {
    "grid.dx",  "grid.dy",     "grid.dz",     "grid.porosity", "grid.permx", "grid.permy", "grid.permz",
    "grid.ntg", "grid.active", "grid.multpv", "grid.multx",    "grid.multy", "grid.multz"};

hp_config_property hp_config_property_find(const char *path) {
  int p = 0;
  while (p < HP_PROPERTY_COUNT && strcmp(property_path[p], path) != 0) ++p;
  return (hp_config_property)p;
}

const hp_config_key *hp_config_property_key(hp_config_property p) { return hp_config_key_find(property_path[p]); }

/* Where the case keeps an array that is not always there; NULL: it always is. */
static double **optional(hp_case *c, hp_config_property p) {
  switch (p) {
    case HP_PROPERTY_MULTPV: return &c->mult_pv;
    case HP_PROPERTY_MULTX: return &c->mult[HP_DIR_I];
    case HP_PROPERTY_MULTY: return &c->mult[HP_DIR_J];
    case HP_PROPERTY_MULTZ: return &c->mult[HP_DIR_K];
    default: return NULL;
  }
}

hp_status hp_config_property_need(hp_config_grid *w, hp_config_property p) {
  double **slot = optional(w->c, p);
  if (slot == NULL || *slot != NULL) return HP_OK;
  const int64_t n = w->c->grid->ncell;
  HP_TRY(HP_ALLOC(*slot, n));
  for (int64_t m = 0; m < n; ++m) (*slot)[m] = 1.0;
  w->array[p] = *slot;
  return HP_OK;
}

/* ---- size ------------------------------------------------------------------ */

static bool read_size(hp_config *r, const hp_setting *grid, int size[3]) {
  const hp_setting *s = hp_config_member(grid, "size");
  if (s == NULL) {
    if (!r->overlay) hp_config_error(r, grid, "size is missing: %s", hp_config_key_find("grid.size")->what);
    return false;
  }
  const int type = config_setting_type(s);
  if ((type != CONFIG_TYPE_ARRAY && type != CONFIG_TYPE_LIST) || config_setting_length(s) != 3) {
    hp_config_error(r, s, "must be three integers [nx, ny, nz]");
    return false;
  }
  for (int d = 0; d < 3; ++d) {
    const hp_setting *element = config_setting_get_elem(s, (unsigned)d);
    if (!hp_config_integer(r, element, &size[d])) return false;
    if (size[d] < 1) {
      hp_config_error(r, element, "%d: must be > 0", size[d]);
      return false;
    }
  }
  if ((double)size[0] * size[1] * size[2] > 2147483647.0) {
    hp_config_error(r, s, "%d x %d x %d: more than 2147483647 cells", size[0], size[1], size[2]);
    return false;
  }
  return true;
}

/* The grid of a new case; under an overlay the deck's, whose size stays. */
static hp_status make_grid(hp_config *r, const hp_setting *grid, bool *ok) {
  int size[3];
  *ok = read_size(r, grid, size);
  if (!r->overlay) return *ok ? hp_grid_create(size[0], size[1], size[2], &r->c->grid) : HP_OK;
  const hp_grid *g = r->c->grid;
  if (*ok && (size[0] != g->nx || size[1] != g->ny || size[2] != g->nz))
    hp_config_error(r, hp_config_member(grid, "size"), "the grid of this deck is %d x %d x %d and stays so", g->nx,
                    g->ny, g->nz);
  *ok = true;
  return HP_OK;
}

/* ---- arrays ---------------------------------------------------------------- */

static hp_status start(hp_config_grid *w) {
  hp_case *c = w->c;
  hp_grid *g = c->grid;
  HP_TRY(HP_ALLOC(w->active, g->ncell));
  HP_TRY(HP_ALLOC(w->natural, g->ncell));
  if (c->given_active == NULL) {
    HP_TRY(HP_ALLOC(c->given_active, g->ncell));
    memcpy(c->given_active, g->active, (size_t)g->ncell);
  }
  for (int64_t m = 0; m < g->ncell; ++m) w->active[m] = c->given_active[m];
  double *const array[HP_PROPERTY_COUNT] = {g->dx,
                                            g->dy,
                                            g->dz,
                                            g->porosity,
                                            g->perm[HP_DIR_I],
                                            g->perm[HP_DIR_J],
                                            g->perm[HP_DIR_K],
                                            g->ntg,
                                            w->active,
                                            c->mult_pv,
                                            c->mult[HP_DIR_I],
                                            c->mult[HP_DIR_J],
                                            c->mult[HP_DIR_K]};
  memcpy(w->array, array, sizeof array);
  return HP_OK;
}

static hp_status read_property(hp_config_grid *w, const hp_setting *grid, hp_config_property p) {
  const hp_config_key *key = hp_config_property_key(p);
  const hp_setting *s = hp_config_member(grid, strrchr(key->path, '.') + 1);
  const hp_grid *g = w->c->grid;
  if (s == NULL) {
    if (!w->r->overlay && strcmp(key->fallback, "required") == 0)
      hp_config_error(w->r, grid, "%s is missing: %s", strrchr(key->path, '.') + 1, key->what);
    return HP_OK;
  }
  HP_TRY(hp_config_property_need(w, p));
  const int along = p == HP_PROPERTY_DX ? HP_DIR_I : p == HP_PROPERTY_DY ? HP_DIR_J : HP_DIR_K;
  HP_TRY(hp_array_read(w->r, s, key, (hp_array_shape){g->nx, g->ny, g->nz, along}, w->natural));
  hp_grid_from_natural(g->nx, g->ny, g->nz, w->natural, w->array[p]);
  w->given[p] = w->touched[p] = true;
  return HP_OK;
}

static hp_status read_properties(hp_config_grid *w, const hp_setting *grid) {
  const size_t bytes = (size_t)w->c->grid->ncell * sizeof(double);
  for (int p = 0; p < HP_PROPERTY_COUNT; ++p) HP_TRY(read_property(w, grid, (hp_config_property)p));
  for (int p = HP_PROPERTY_PERMY; p <= HP_PROPERTY_PERMZ && !w->r->overlay; ++p)
    if (!w->given[p]) memcpy(w->array[p], w->array[HP_PROPERTY_PERMX], bytes);
  return HP_OK;
}

/* ---- depth ----------------------------------------------------------------- */

/* From the top of each column downwards. */
static void stack(hp_grid *g, const double *top) {
  for (int64_t column = 0; column < (int64_t)g->nx * g->ny; ++column) {
    double z = top[column];
    for (int64_t m = column * g->nz; m < (column + 1) * g->nz; ++m) {
      g->depth[m] = z + 0.5 * g->dz[m];
      z += g->dz[m];
    }
  }
}

static hp_status read_top(hp_config_grid *w, const hp_setting *s, hp_grid *g, double *top) {
  const hp_config_key *key = hp_config_key_find("grid.top");
  HP_TRY(hp_array_read(w->r, s, key, (hp_array_shape){g->nx, g->ny, 1, HP_DIR_K}, w->natural));
  hp_grid_from_natural(g->nx, g->ny, 1, w->natural, top);
  return HP_OK;
}

static hp_status read_tops(hp_config_grid *w, const hp_setting *s, hp_grid *g, double *top) {
  const hp_config_key *key = hp_config_key_find("grid.tops");
  HP_TRY(hp_array_read(w->r, s, key, (hp_array_shape){g->nx, g->ny, g->nz, HP_DIR_K}, w->natural));
  hp_grid_from_natural(g->nx, g->ny, g->nz, w->natural, g->depth);
  for (int64_t column = 0; column < (int64_t)g->nx * g->ny; ++column) top[column] = g->depth[column * g->nz];
  for (int64_t m = 0; m < g->ncell; ++m) g->depth[m] += 0.5 * g->dz[m];
  return HP_OK;
}

static hp_status read_depth(hp_config_grid *w, const hp_setting *grid) {
  hp_case *c = w->c;
  const hp_setting *top = hp_config_member(grid, "top"), *tops = hp_config_member(grid, "tops");
  if (c->top == NULL) HP_TRY(HP_ALLOC(c->top, (int64_t)c->grid->nx * c->grid->ny));
  if (top != NULL && tops != NULL) hp_config_error(w->r, tops, "give either top or tops");
  if (tops != NULL) return read_tops(w, tops, c->grid, c->top);
  if (top != NULL) HP_TRY(read_top(w, top, c->grid, c->top));
  if (top != NULL || !w->r->overlay || w->touched[HP_PROPERTY_DZ]) stack(c->grid, c->top);
  return HP_OK;
}

/* ---- the whole ------------------------------------------------------------- */

/* A grid that cannot be finished is the deck's fault. */
static hp_status finish(hp_config_grid *w, const hp_setting *grid) {
  hp_case *c = w->c;
  for (int64_t m = 0; m < c->grid->ncell; ++m) c->grid->active[m] = c->given_active[m] = w->active[m] != 0.0;
  const double *const mult[HP_DIRS] = {c->mult[0], c->mult[1], c->mult[2]};
  const hp_status status = hp_grid_finish(c->grid, c->minpv, c->mult_pv, mult);
  if (status == HP_ERR_DECK) {
    hp_config_error(w->r, grid, "%s", hp_fail_text());
    return HP_OK;
  }
  HP_TRY(status);
  w->r->grid_ready = true;
  return hp_case_mesh(c);
}

static void check_active(hp_config_grid *w, const hp_setting *grid) {
  for (int64_t m = 0; m < w->c->grid->ncell; ++m)
    if (w->active[m] != 0.0 && w->active[m] != 1.0) {
      int ijk[3];
      hp_grid_ijk(w->c->grid, m, ijk);
      hp_config_error(w->r, grid, "active: %g in cell %d,%d,%d: must be 0 or 1", w->active[m], ijk[0] + 1, ijk[1] + 1,
                      ijk[2] + 1);
      return;
    }
}

static hp_status read_cells(hp_config_grid *w, const hp_setting *grid, int errors) {
  HP_TRY(start(w));
  HP_TRY(read_properties(w, grid));
  HP_TRY(hp_config_boxes(w, hp_config_member(grid, "boxes")));
  HP_TRY(read_depth(w, grid));
  hp_config_float(w->r, grid, "grid.minpv", &w->c->minpv);
  if (w->r->diag->errors == errors) check_active(w, grid);
  return w->r->diag->errors == errors ? finish(w, grid) : HP_OK;
}

hp_status hp_config_read_grid(hp_config *r, const hp_setting *grid) {
  r->grid_ready = r->overlay;
  if (grid == NULL || config_setting_type(grid) != CONFIG_TYPE_GROUP) return HP_OK;
  const int errors = r->diag->errors;
  bool ok;
  HP_TRY(make_grid(r, grid, &ok));
  if (!ok) return HP_OK;
  r->grid_ready = false;
  hp_config_grid w = {.r = r, .c = r->c};
  const hp_status status = read_cells(&w, grid, errors);
  HP_FREE(w.active);
  HP_FREE(w.natural);
  return status;
}
