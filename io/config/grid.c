#include "io/config/grid.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/profile.h"

static const char *const property_path[HP_PROPERTY_COUNT] = {
    "grid.dx",    "grid.dy",          "grid.dz",     "grid.porosity", "grid.permx", "grid.permy",
    "grid.permz", "grid.ntg",         "grid.active", "grid.multpv",   "grid.multx", "grid.multy",
    "grid.multz", "grid.pore_volume", "grid.tranx",  "grid.trany",    "grid.tranz"};

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
    case HP_PROPERTY_PORE_VOLUME: return &c->porv;
    case HP_PROPERTY_TRANX: return &c->tran[HP_DIR_I];
    case HP_PROPERTY_TRANY: return &c->tran[HP_DIR_J];
    case HP_PROPERTY_TRANZ: return &c->tran[HP_DIR_K];
    default: return NULL;
  }
}

hp_status hp_config_property_need(hp_config_grid *w, hp_config_property p) {
  double **slot = optional(w->c, p);
  if (slot == NULL || *slot != NULL) return HP_OK;
  const int64_t n = w->c->grid->ncell;
  HP_TRY(HP_ALLOC(*slot, n));
  for (int64_t m = 0; m < n; ++m) (*slot)[m] = p >= HP_PROPERTY_PORE_VOLUME ? NAN : 1.0;
  w->array[p] = *slot;
  return HP_OK;
}

/* ---- size ---- */

/* Those of three numbers along i, j, k that are sound into n; the others stay. */
static void read_three(hp_config *r, const hp_setting *s, const char *form, int n[3]) {
  const int type = config_setting_type(s);
  if ((type != CONFIG_TYPE_ARRAY && type != CONFIG_TYPE_LIST) || config_setting_length(s) != 3) {
    hp_config_error(r, s, "must be three integers %s", form);
    return;
  }
  for (int d = 0; d < 3; ++d) {
    const hp_setting *element = config_setting_get_elem(s, (unsigned)d);
    int v;
    if (!hp_config_integer(r, element, &v)) continue;
    if (v >= 1) n[d] = v;
    else hp_config_error(r, element, "%d: must be > 0", v);
  }
}

/* The dimensions that are sound into size; the others keep 0. */
static void read_size(hp_config *r, const hp_setting *grid, int size[3]) {
  const hp_setting *s = hp_config_member(grid, "size");
  if (s == NULL) {
    hp_config_error(r, grid, "size is missing: %s", hp_config_key_find("grid.size")->what);
    return;
  }
  r->sizing = true;
  read_three(r, s, "[nx, ny, nz]", size);
  r->sizing = false;
}

/* Only kept here: the case is refined when all of it is read (io/case/refine.c). */
static hp_status read_refine(hp_config *r, const hp_setting *grid) {
  hp_case *c = r->c;
  const hp_setting *s = hp_config_member(grid, "refine");
  for (int d = 0; d < 3 && !r->overlay; ++d) c->refine[d] = 1;
  if (s == NULL) return HP_OK;
  read_three(r, s, "[rx, ry, rz]", c->refine);
  c->refine_line = hp_config_line(s);
  return hp_case_file(c, hp_config_file(r, s), &c->refine_file);
}

/* Where the size is at fault, a grid of one cell stands in, so that all else can be read and its faults reported. */
static hp_status make_grid(hp_config *r, const hp_setting *grid) {
  int size[3] = {0, 0, 0};
  const bool group = grid != NULL && config_setting_type(grid) == CONFIG_TYPE_GROUP;
  if (group) read_size(r, grid, size);
  const double cells = (double)size[0] * size[1] * size[2];
  char why[HP_GRID_WHY];
  const bool many = cells > 2147483647.0, large = many || !hp_grid_fits(r->c->spread, cells, why);
  if (many)
    hp_config_error(r, hp_config_member(grid, "size"), "%d x %d x %d: more than 2147483647 cells", size[0], size[1],
                    size[2]);
  else if (large)
    hp_config_error(r, hp_config_member(grid, "size"), "%d x %d x %d: %s", size[0], size[1], size[2], why);
  memcpy(r->size, size, sizeof size);
  r->stand_in = large || cells == 0.0;
  hp_grid_destroy(&r->c->grid);
  if (!r->stand_in) return hp_grid_begin(r->c->spread, size[0], size[1], size[2], &r->c->grid);
  HP_TRY(hp_spread_refuse(r->c->spread, HP_SPREAD_ERRORS));
  return hp_grid_create(1, 1, 1, &r->c->grid);
}

/* Under an overlay the grid is there; its size was settled when it was made. */
static void keep_grid(hp_config *r, const hp_setting *grid) {
  const hp_grid *g = r->c->grid;
  int size[3] = {g->nx, g->ny, g->nz};
  if (hp_config_member(grid, "size") != NULL) read_size(r, grid, size);
  char why[HP_GRID_WHY];
  if (!hp_grid_fits(r->c->spread, (double)size[0] * size[1] * size[2], why))
    hp_config_error(r, hp_config_member(grid, "size"), "%d x %d x %d: %s", size[0], size[1], size[2], why);
  else if (size[0] != g->nx || size[1] != g->ny || size[2] != g->nz)
    hp_config_error(r, hp_config_member(grid, "size"), "the grid of this deck is %d x %d x %d and stays so", g->nx,
                    g->ny, g->nz);
}

hp_array_shape hp_array_shape_of(const hp_config *r, int along) {
  const hp_grid *g = r->c->grid;
  hp_array_shape a = {
      .nx = g->planes.held, .ny = g->ny, .nz = g->nz, .along = along, .i0 = g->planes.first, .whole = g->nx};
  const bool large = r->stand_in && r->size[0] > 0 && r->size[1] > 0 && r->size[2] > 0; /* reported */
  for (int d = 0; d < 3 && !large; ++d) a.deck[d] = r->size[d];
  return a;
}

/* ---- arrays ---- */

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
                                            c->mult[HP_DIR_K],
                                            c->porv,
                                            c->tran[HP_DIR_I],
                                            c->tran[HP_DIR_J],
                                            c->tran[HP_DIR_K]};
  memcpy(w->array, array, sizeof array);
  return HP_OK;
}

static hp_status read_property(hp_config_grid *w, const hp_setting *grid, hp_config_property p) {
  const hp_config_key *key = hp_config_property_key(p);
  const hp_setting *s = hp_config_member(grid, strrchr(key->path, '.') + 1);
  const hp_grid *g = w->c->grid;
  if (w->corners && p <= HP_PROPERTY_DZ) {
    if (s != NULL) hp_config_error(w->r, s, "not used with corner_point");
    return HP_OK;
  }
  if (s == NULL) {
    if (!w->r->overlay && strcmp(key->fallback, "required") == 0)
      hp_config_error(w->r, grid, "%s is missing: %s", strrchr(key->path, '.') + 1, key->what);
    return HP_OK;
  }
  HP_TRY(hp_config_property_need(w, p));
  const int along = p == HP_PROPERTY_DX ? HP_DIR_I : p == HP_PROPERTY_DY ? HP_DIR_J : HP_DIR_K;
  HP_TRY(hp_array_read(w->r, s, key, hp_array_shape_of(w->r, along), w->natural));
  hp_grid_from_natural(g->planes.held, g->ny, g->nz, w->natural, w->array[p]);
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

/* ---- depth ---- */

/* Whether each layer lies on the one below it. */
static bool is_stacked(const hp_grid *g) {
  for (int64_t m = 1; m < g->ncell; ++m)
    if (m % g->nz != 0 &&
        !(fabs(g->depth[m] - g->depth[m - 1] - 0.5 * (g->dz[m] + g->dz[m - 1])) <= 1e-6 * (g->dz[m] + g->dz[m - 1])))
      return false;
  return true;
}

/* Tops that do not follow from thicknesses are kept by an overlay that changes these. */
static hp_status keep_tops(hp_config_grid *w) {
  const hp_grid *g = w->c->grid;
  if (!w->r->overlay) return HP_OK;
  bool stacked = is_stacked(g);
  HP_TRY(hp_spread_all(g->spread, &stacked));
  if (stacked) return HP_OK;
  HP_TRY(HP_ALLOC(w->tops, g->ncell));
  for (int64_t m = 0; m < g->ncell; ++m) w->tops[m] = g->depth[m] - 0.5 * g->dz[m];
  return HP_OK;
}

/* From the top of each column downwards. */
static void stack(hp_grid *g, const double *top) {
  for (int64_t column = 0; column < (int64_t)g->planes.held * g->ny; ++column) {
    double z = top[column];
    for (int64_t m = column * g->nz; m < (column + 1) * g->nz; ++m) {
      g->depth[m] = z + 0.5 * g->dz[m];
      z += g->dz[m];
    }
  }
}

static hp_status read_top(hp_config_grid *w, const hp_setting *s, hp_grid *g, double *top) {
  const hp_config_key *key = hp_config_key_find("grid.top");
  hp_array_shape shape = hp_array_shape_of(w->r, HP_DIR_K);
  shape.nz = shape.deck[2] = 1;
  HP_TRY(hp_array_read(w->r, s, key, shape, w->natural));
  hp_grid_from_natural(g->planes.held, g->ny, 1, w->natural, top);
  return HP_OK;
}

static hp_status read_tops(hp_config_grid *w, const hp_setting *s, hp_grid *g, double *top) {
  const hp_config_key *key = hp_config_key_find("grid.tops");
  HP_TRY(hp_array_read(w->r, s, key, hp_array_shape_of(w->r, HP_DIR_K), w->natural));
  hp_grid_from_natural(g->planes.held, g->ny, g->nz, w->natural, g->depth);
  for (int64_t column = 0; column < (int64_t)g->planes.held * g->ny; ++column) top[column] = g->depth[column * g->nz];
  for (int64_t m = 0; m < g->ncell; ++m) g->depth[m] += 0.5 * g->dz[m];
  return HP_OK;
}

static hp_status read_middles(hp_config_grid *w, const hp_setting *s, hp_grid *g, double *top) {
  const hp_config_key *key = hp_config_key_find("grid.depth");
  HP_TRY(hp_array_read(w->r, s, key, hp_array_shape_of(w->r, HP_DIR_K), w->natural));
  hp_grid_from_natural(g->planes.held, g->ny, g->nz, w->natural, g->depth);
  for (int64_t column = 0; column < (int64_t)g->planes.held * g->ny; ++column)
    top[column] = g->depth[column * g->nz] - 0.5 * g->dz[column * g->nz];
  return HP_OK;
}

static hp_status read_corners(hp_config_grid *w, const hp_setting *grid) {
  static const char *const name[] = {"top", "tops", "depth"};
  const hp_grid *g = w->c->grid;
  for (int n = 0; n < 3; ++n)
    if (hp_config_member(grid, name[n]) != NULL)
      hp_config_error(w->r, hp_config_member(grid, name[n]), "not used with corner_point");
  hp_grid_to_natural(g->planes.held, g->ny, g->nz, w->active, w->natural);
  return hp_config_read_corners(w->r, grid, w->natural);
}

/* Flat layers are bent and broken. */
static hp_status read_structure(hp_config_grid *w, const hp_setting *grid) {
  static const char *const name[] = {"tops", "depth"};
  const hp_grid *g = w->c->grid;
  for (int n = 0; n < 2; ++n) hp_config_refuse(w->r, grid, name[n], "not used with structure: give top");
  if (w->r->diag->errors > 0) return HP_OK;
  hp_grid_to_natural(g->planes.held, g->ny, g->nz, w->active, w->natural);
  return hp_config_read_structure(w->r, grid, w->natural);
}

static hp_status read_flat(hp_config_grid *w, const hp_setting *grid) {
  hp_case *c = w->c;
  const hp_setting *top = hp_config_member(grid, "top"), *tops = hp_config_member(grid, "tops"),
                   *depth = hp_config_member(grid, "depth");
  if (c->top == NULL) HP_TRY(HP_ALLOC(c->top, (int64_t)c->grid->planes.held * c->grid->ny));
  if (top != NULL && tops != NULL) hp_config_error(w->r, tops, "give either top or tops");
  if (depth != NULL && (top != NULL || tops != NULL))
    hp_config_error(w->r, depth, "give either depth or %s", top != NULL ? "top" : "tops");
  if (top != NULL) HP_TRY(read_top(w, top, c->grid, c->top));
  if (depth != NULL) return read_middles(w, depth, c->grid, c->top);
  if (tops != NULL) return read_tops(w, tops, c->grid, c->top);
  if (top != NULL || !w->r->overlay || (w->touched[HP_PROPERTY_DZ] && w->tops == NULL)) stack(c->grid, c->top);
  else if (w->touched[HP_PROPERTY_DZ])
    for (int64_t m = 0; m < c->grid->ncell; ++m) c->grid->depth[m] = w->tops[m] + 0.5 * c->grid->dz[m];
  return HP_OK;
}

static hp_status read_depth(hp_config_grid *w, const hp_setting *grid) {
  const bool shaped = hp_config_member(grid, "structure") != NULL;
  if (w->corners) hp_config_refuse(w->r, grid, "structure", "not used with corner_point");
  if (w->corners) return read_corners(w, grid);
  HP_TRY(read_flat(w, grid));
  return shaped ? read_structure(w, grid) : HP_OK;
}

/* ---- connections ---- */

static hp_status keep_connections(hp_config_grid *w, const hp_setting *s, int rows, const double *si) {
  hp_grid_connections *to = &w->c->connection;
  hp_grid_connections_clear(to);
  HP_TRY(HP_ALLOC(to->a, rows));
  HP_TRY(HP_ALLOC(to->b, rows));
  HP_TRY(HP_ALLOC(to->trans, rows));
  for (int n = 0; n < rows; ++n, si += 7) {
    const hp_setting *row = hp_config_row(w->r, s, n);
    const int64_t a = hp_config_cell(w->r, row, si), b = hp_config_cell(w->r, row, si + 3);
    if (a < 0 || b < 0) continue;
    if (a == b) hp_config_error(w->r, row, "a cell and itself");
    if (!(si[6] >= 0.0)) hp_config_error(w->r, row, "the connection factor must be >= 0");
    if (!hp_grid_holds(w->c->grid, a < b ? a : b)) continue;
    to->a[to->count] = a;
    to->b[to->count] = b;
    to->trans[to->count++] = si[6];
  }
  return HP_OK;
}

static hp_status read_connections(hp_config_grid *w, const hp_setting *s) {
  static const hp_quantity q[7] = {HP_UNIT_NONE, HP_UNIT_NONE, HP_UNIT_NONE,      HP_UNIT_NONE,
                                   HP_UNIT_NONE, HP_UNIT_NONE, HP_UNIT_CONNECTION};
  int rows, columns;
  double *deck, *si;
  bool good;
  if (s == NULL) return HP_OK;
  HP_TRY(hp_config_rows(w->r, s, q, 7, 7, 0, &rows, &columns, &deck, &si, &good));
  const hp_status status = good && !w->r->stand_in ? keep_connections(w, s, rows, si) : HP_OK;
  HP_FREE(deck);
  HP_FREE(si);
  return status;
}

/* ---- the whole ---- */

/* A grid that cannot be finished is the deck's fault. */
static hp_status finish(hp_config_grid *w, const hp_setting *grid) {
  hp_case *c = w->c;
  for (int64_t m = 0; m < c->grid->ncell; ++m) c->grid->active[m] = c->given_active[m] = w->active[m] != 0.0;
  hp_array_forget(w->r); /* before more is made */
  HP_FREE(w->active);
  HP_FREE(w->natural);
  const int errors = w->r->diag->errors;
  HP_TRY(hp_config_make_connections(w->r));
  if (w->r->diag->errors > errors) return HP_OK;
  const hp_status status = hp_case_finish_grid(c, true);
  HP_FREE(c->minpv_of);
  if (status == HP_ERR_DECK) {
    hp_config_error(w->r, grid, "%s", hp_fail_text());
    return HP_OK;
  }
  HP_TRY(status);
  w->r->grid_ready = true;
  return hp_case_mesh(c);
}

/* NaN: the array itself was at fault. */
static void check_active(hp_config_grid *w, const hp_setting *grid) {
  for (int64_t m = 0; m < w->c->grid->ncell; ++m)
    if (!isnan(w->active[m]) && w->active[m] != 0.0 && w->active[m] != 1.0) {
      int ijk[3];
      hp_grid_ijk(w->c->grid, w->c->grid->first + m, ijk);
      hp_config_error(w->r, grid, "active: %g in cell %d,%d,%d: must be 0 or 1", w->active[m], ijk[0] + 1, ijk[1] + 1,
                      ijk[2] + 1);
      return;
    }
}

/* Cells without length or width must be switched off; those without thickness have no pore volume. */
static void check_sizes(hp_config_grid *w, const hp_setting *grid) {
  static const char *const name[] = {"dx", "dy"};
  for (int n = 0; n < 2; ++n)
    for (int64_t m = 0; m < w->c->grid->ncell; ++m) {
      int ijk[3];
      if (w->array[HP_PROPERTY_DX + n][m] != 0.0 || w->active[m] == 0.0 || !w->given[HP_PROPERTY_DX + n]) continue;
      hp_grid_ijk(w->c->grid, w->c->grid->first + m, ijk);
      hp_config_error(w->r, hp_config_member(grid, name[n]), "0 in cell %d,%d,%d: must be > 0 where cells are active",
                      ijk[0] + 1, ijk[1] + 1, ijk[2] + 1);
      break;
    }
}

/* A grid with a fault is not finished. Cells that are inactive whatever the
 * fault is are marked, so that wells in them are reported all the same. */
static void mark_inactive(hp_config_grid *w, const hp_setting *grid) {
  static const hp_config_property of_volume[] = {HP_PROPERTY_ACTIVE, HP_PROPERTY_POROSITY, HP_PROPERTY_NTG,
                                                 HP_PROPERTY_MULTPV};
  hp_grid *g = w->c->grid;
  int64_t active = 0;
  for (int64_t m = 0; m < g->ncell; ++m) {
    bool none = false;
    for (size_t n = 0; n < sizeof of_volume / sizeof of_volume[0]; ++n) {
      const hp_config_property p = of_volume[n];
      const bool there = w->array[p] != NULL && (w->given[p] || p != HP_PROPERTY_POROSITY);
      none = none || (there && w->array[p][m] == 0.0);
    }
    g->active[m] = !none;
    active += !none;
  }
  if (active == 0) hp_config_error(w->r, grid, "no active cell: all are switched off or without pore volume");
}

/* Sizes and depths of all cells are sound. */
static bool is_geometry(const hp_grid *g) {
  for (int64_t m = 0; m < g->ncell; ++m)
    if (!(g->dx[m] >= 0.0 && g->dy[m] >= 0.0 && g->dz[m] >= 0.0) || !isfinite(g->depth[m])) return false;
  return true;
}

static hp_status read_cells(hp_config_grid *w, const hp_setting *grid, int errors) {
  HP_TRY(start(w));
  HP_TRY(keep_tops(w));
  HP_TRY(read_properties(w, grid));
  HP_TRY(hp_config_boxes(w, hp_config_member(grid, "boxes")));
  HP_TRY(read_connections(w, hp_config_member(grid, "connections")));
  HP_TRY(read_depth(w, grid));
  hp_config_float(w->r, grid, "grid.minpv", &w->c->minpv);
  hp_config_read_pinch(w->r, grid);
  check_active(w, grid);
  check_sizes(w, grid);
  w->r->geometry_ready = !w->r->stand_in && is_geometry(w->c->grid);
  if (w->r->diag->errors == errors) return finish(w, grid);
  if (!w->r->stand_in) mark_inactive(w, grid);
  return HP_OK;
}

/* A grid that an option gives whole replaces what the deck said about cells. */
static void forget_grid(hp_case *c) {
  HP_FREE(c->given_active);
  HP_FREE(c->mult_pv);
  HP_FREE(c->porv);
  for (int d = 0; d < HP_DIRS; ++d) {
    HP_FREE(c->mult[d]);
    HP_FREE(c->tran[d]);
  }
  hp_grid_connections_clear(&c->connection);
  HP_FREE(c->top);
  HP_FREE(c->coord);
  HP_FREE(c->zcorn);
  HP_FREE(c->systems.at);
  c->systems.count = 0;
}

static hp_status read_group(hp_config *r, const hp_setting *grid) {
  const bool group = grid != NULL && config_setting_type(grid) == CONFIG_TYPE_GROUP;
  const int errors = r->diag->errors;
  r->grid_ready = r->geometry_ready = r->overlay;
  if (!r->overlay) HP_TRY(make_grid(r, grid));
  else if (group) keep_grid(r, grid);
  HP_TRY(hp_config_read_aquifer_cells(r));
  HP_TRY(hp_config_read_faults(r));
  if (!group) return HP_OK;
  HP_TRY(read_refine(r, grid));
  r->grid_ready = r->geometry_ready = false;
  hp_config_grid w = {.r = r, .c = r->c, .corners = hp_config_member(grid, "corner_point") != NULL};
  if (r->overlay &&
      (w.corners || hp_config_member(grid, "structure") != NULL || hp_config_member(grid, "pinch") != NULL)) {
    hp_config_error(r, grid, "corner_point, structure and pinch are for a whole grid={...}");
    return HP_OK;
  }
  const hp_status status = read_cells(&w, grid, errors);
  hp_array_forget(r);
  HP_FREE(w.active);
  HP_FREE(w.natural);
  HP_FREE(w.tops);
  return status;
}

hp_status hp_config_read_grid(hp_config *r, const hp_setting *grid) {
  const bool overlay = r->overlay;
  if (overlay && grid != NULL && hp_config_given_whole(grid)) {
    r->overlay = false;
    forget_grid(r->c);
  }
  const double t0 = hp_now();
  const hp_status status = read_group(r, grid);
  r->c->grid_seconds += hp_now() - t0;
  r->overlay = overlay;
  return status;
}
