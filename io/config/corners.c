/* grid.corner_point, grid.structure and grid.pinch, and what follows from the faces of cells: connections, multipliers. */
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "grid/corners.h"
#include "grid/structure.h"
#include "io/config/grid.h"

/* ---- corners ---- */

/* A list of all numbers, or a file of them, into *out; it stays NULL where they are not there. */
static hp_status read_numbers(hp_config *r, const hp_setting *group, const char *path, hp_array_shape shape,
                              double **out) {
  const hp_config_key *key = hp_config_key_find(path);
  const hp_setting *s = hp_config_member(group, strrchr(path, '.') + 1);
  const int64_t count = (int64_t)shape.deck[0] * shape.deck[1] * shape.deck[2];
  if (s == NULL) {
    hp_config_error(r, group, "%s is missing: %s", strrchr(path, '.') + 1, key->what);
    return HP_OK;
  }
  const int type = config_setting_type(s);
  if (type == CONFIG_TYPE_GROUP ? hp_config_member(s, "file") == NULL
                                : type != CONFIG_TYPE_ARRAY && type != CONFIG_TYPE_LIST) {
    hp_config_error(r, s, "must be a list of all numbers, or a group with a file");
    return HP_OK;
  }
  if (r->stand_in) return HP_OK;
  hp_config_mark gap;
  const int64_t length = hp_config_is_gap(r, s, &gap) ? gap.count : config_setting_length(s);
  if (type != CONFIG_TYPE_GROUP && length != count) {
    hp_config_error(r, s, "%lld values: expected %lld (%d x %d x %d)", (long long)length, (long long)count,
                    shape.deck[0], shape.deck[1], shape.deck[2]);
    return HP_OK;
  }
  HP_TRY(HP_ALLOC(*out, (int64_t)shape.nx * shape.ny * shape.nz));
  return hp_array_read(r, s, key, shape, *out);
}

/* Pillars, two points each, and depths; of planes that are held. */
static hp_array_shape pillars_of(const hp_grid *g, int sets) {
  return (hp_array_shape){.nx = 6,
                          .ny = g->planes.held + 1,
                          .nz = sets * (g->ny + 1),
                          .along = HP_DIR_K,
                          .deck = {6, g->nx + 1, sets * (g->ny + 1)},
                          .whole = 6,
                          .j0 = g->planes.first,
                          .rows = g->nx + 1};
}

static hp_array_shape depths_of(const hp_grid *g) {
  return (hp_array_shape){.nx = 2 * g->planes.held,
                          .ny = 2 * g->ny,
                          .nz = 2 * g->nz,
                          .along = HP_DIR_K,
                          .deck = {2 * g->nx, 2 * g->ny, 2 * g->nz},
                          .i0 = 2 * g->planes.first,
                          .whole = 2 * g->nx};
}

/* ---- systems of pillars ---- */

/* before: those above are sound; they decide where its layers begin. */
static bool read_system(hp_config *r, const hp_setting *s, int n, bool before, hp_pillar_systems *to) {
  const hp_setting *joined = hp_config_member(s, "joined");
  int k[2], beside[2] = {n + 1, n + 1};
  hp_pillar_system *one = &to->at[n];
  char why[HP_PILLARS_WHY];
  const bool sound = hp_config_span(r, s, "grid.corner_point.systems[].k", k);
  (void)hp_config_bool(r, s, "grid.corner_point.systems[].joined", &one->joined);
  (void)hp_config_span(r, s, "grid.corner_point.systems[].beside", beside);
  if (one->joined && n + 1 == to->count) hp_config_error(r, joined, "there is no system below the last one");
  for (int x = 0; x < 2; ++x) one->beside[x] = beside[x] - 1;
  if (!sound || !before || r->stand_in) return false;
  one->first = k[0] - 1;
  one->last = k[1] - 1;
  if (!hp_pillar_systems_layers_fault(to, r->c->grid->nz, n, why)) return true;
  hp_config_error(r, s, "%s", why);
  return false;
}

/* *sound: all of them are; else it is reported, here or where all keys are checked. */
static hp_status read_systems(hp_config *r, const hp_setting *list, bool *sound) {
  hp_pillar_systems *to = &r->c->systems;
  const int count = hp_config_length(list);
  *sound = true;
  if (count == 0) return HP_OK;
  if (!r->stand_in && count > r->c->grid->nz) {
    hp_config_error(r, list, "%d systems: the grid has %d layers", count, r->c->grid->nz);
    return HP_OK;
  }
  HP_TRY(HP_ALLOC(to->at, count));
  to->count = count;
  for (int n = 0; n < count; ++n) {
    const hp_setting *s = hp_config_group(list, n);
    *sound = s != NULL && read_system(r, s, n, *sound, to);
  }
  return HP_OK;
}

/* They are known with all layers and pillars. */
static void check_beside(hp_config *r, const hp_setting *list, const hp_corners *c) {
  const int64_t size = 6 * (int64_t)(c->nx + 1) * (c->ny + 1);
  char why[HP_PILLARS_WHY];
  for (int n = 0; n < c->systems.count; ++n)
    if (hp_pillar_systems_beside_fault(&c->systems, size, c->coord, n, why)) {
      hp_config_error(r, hp_config_group(list, n), "%s", why);
      return; /* the others of its range have the same fault */
    }
}

/* ---- all of it ---- */

static hp_status repair_and_check(hp_config *r, const hp_setting *s, const hp_corners *c, const double *active) {
  const double unit = r->units.factor[HP_UNIT_LENGTH];
  const char *label = r->units.label[HP_UNIT_LENGTH];
  hp_corners_repair done;
  int cell[3];
  double above;
  HP_TRY(hp_corners_repair_columns(r->c->spread, c, r->c->zcorn, active, HP_CASE_MATCH, &done));
  if (done.corners > 0)
    hp_config_note(
        r, s, "%lld corner%s above the one before, the first of cell %d,%d,%d, by at most %.6g %s: moved down to it",
        (long long)done.corners, done.corners == 1 ? " lies" : "s lie", done.cell[0] + 1, done.cell[1] + 1,
        done.cell[2] + 1, done.largest / unit, label);
  if (hp_corners_upside_down(c, active, cell, &above))
    hp_config_error(r, s, "cell %d,%d,%d: its bottom lies %.6g %s above its top; depths are positive down", cell[0] + 1,
                    cell[1] + 1, cell[2] + 1, above / unit, label);
  return HP_OK;
}

/* As in Eclipse decks in these units (io/eclipse/corners.c). */
static hp_status flatten_rounded(hp_config *r, const hp_setting *grid, const hp_corners *c, const double *active) {
  const hp_setting *s = hp_config_member(hp_config_member(grid, "corner_point"), "zcorn");
  int64_t flat;
  if (r->units.system != HP_UNITS_LAB || hp_config_member(grid, "minpv") != NULL) return HP_OK;
  HP_TRY(hp_corners_flatten_rounded(r->c->spread, c, r->c->zcorn, active, &flat));
  if (flat > 0) hp_config_note(r, s, HP_CORNERS_FLAT, (long long)flat, flat == 1 ? " is" : "s are", "minpv");
  return HP_OK;
}

static void fill_sizes(hp_case *c, const hp_corners *corners, const double *active) {
  hp_grid *g = c->grid;
  for (int k = 0; k < g->nz; ++k)
    for (int j = 0; j < g->ny; ++j)
      for (int i = g->planes.first; i < g->planes.first + g->planes.held; ++i, ++active) {
        const int64_t m = hp_grid_place(g, hp_grid_cell(g, i, j, k));
        double size[3], top;
        hp_corners_sizes(corners, i, j, k, *active != 0.0, size, &top);
        g->dx[m] = size[0];
        g->dy[m] = size[1];
        g->dz[m] = size[2];
        g->depth[m] = top + 0.5 * size[2];
      }
}

hp_status hp_config_read_corners(hp_config *r, const hp_setting *grid, const double *active) {
  const hp_setting *s = hp_config_member(grid, "corner_point");
  const int errors = r->diag->errors;
  const hp_grid *g = r->c->grid;
  hp_case *c = r->c;
  r->connect = true;
  if (config_setting_type(s) != CONFIG_TYPE_GROUP) return HP_OK; /* reported by hp_config_check */
  (void)hp_config_bool(r, s, "grid.corner_point.connect", &r->connect);
  const hp_setting *list = hp_config_member(s, "systems");
  bool sound;
  HP_TRY(read_systems(r, list, &sound));
  const int sets = hp_pillar_systems_sets(&c->systems);
  HP_TRY(read_numbers(r, s, "grid.corner_point.coord", pillars_of(g, sets), &c->coord));
  HP_TRY(read_numbers(r, s, "grid.corner_point.zcorn", depths_of(g), &c->zcorn));
  if (!sound) c->systems.count = 0;
  if (!sound || r->diag->errors > errors || r->stand_in) return HP_OK;
  const hp_corners corners = hp_case_corners(c);
  check_beside(r, list, &corners);
  if (r->diag->errors > errors) return HP_OK;
  HP_TRY(flatten_rounded(r, grid, &corners, active));
  if (r->connect) HP_TRY(repair_and_check(r, hp_config_member(s, "zcorn"), &corners, active));
  if (r->diag->errors == errors) fill_sizes(c, &corners, active);
  return HP_OK;
}

/* ---- shapes of blocks ---- */

/* A key of one kind of shapes, which others do not read. */
static bool read_of_kind(hp_config *r, const hp_setting *s, const char *name, bool used, bool must, double *out) {
  char path[HP_CONFIG_PATH];
  snprintf(path, sizeof path, "grid.structure[].%s", name);
  if (!used) hp_config_refuse(r, s, name, "not used by a shape of this type");
  else if (hp_config_float(r, s, path, out)) return true;
  else if (must && hp_config_member(s, name) == NULL)
    hp_config_error(r, s, "%s is missing: %s", name, hp_config_key_find(path)->what);
  return false;
}

static void read_dome(hp_config *r, const hp_setting *s, bool used, hp_structure *to) {
  (void)read_of_kind(r, s, "x", used, true, &to->centre[0]);
  (void)read_of_kind(r, s, "y", used, true, &to->centre[1]);
  (void)read_of_kind(r, s, "height", used, true, &to->height);
  (void)read_of_kind(r, s, "radius", used, true, &to->radius[0]);
  to->radius[1] = to->radius[0];
  (void)read_of_kind(r, s, "radius_y", used, false, &to->radius[1]);
}

static void read_dip(hp_config *r, const hp_setting *s, bool used, hp_structure *to) {
  const double degree = acos(-1.0) / 180.0;
  double dip = 0.0, azimuth = 0.0;
  (void)read_of_kind(r, s, "dip", used, true, &dip);
  (void)read_of_kind(r, s, "azimuth", used, false, &azimuth);
  to->slope[0] = tan(degree * dip) * cos(degree * azimuth);
  to->slope[1] = tan(degree * dip) * sin(degree * azimuth);
}

static hp_status read_throws(hp_config *r, const hp_setting *s, hp_structure *to) {
  const hp_setting *list = hp_config_member(s, "throws");
  const int type = list != NULL ? config_setting_type(list) : CONFIG_TYPE_NONE;
  const int count = type == CONFIG_TYPE_ARRAY || type == CONFIG_TYPE_LIST ? config_setting_length(list) : 0;
  if (count == 0) {
    hp_config_error(r, list != NULL ? list : s, "throws: must be a list of numbers, %s",
                    hp_config_key_find("grid.structure[].throws")->what);
    return HP_OK;
  }
  HP_TRY(HP_ALLOC(to->throws, count));
  to->nthrow = count;
  for (int n = 0; n < count; ++n) {
    double deck;
    (void)hp_config_quantity(r, config_setting_get_elem(list, (unsigned)n), HP_UNIT_LENGTH, &deck, &to->throws[n]);
  }
  return HP_OK;
}

static hp_status read_throw(hp_config *r, const hp_setting *s, bool used, hp_structure *to) {
  static const char *const name[] = {"i", "j"}, *const path[] = {"grid.structure[].i", "grid.structure[].j"};
  const int last[] = {r->c->grid->nx, r->c->grid->ny};
  int given = 0;
  for (int x = 0; x < 2; ++x) {
    if (!used) hp_config_refuse(r, s, name[x], "not used by a shape of this type");
    if (!used || hp_config_member(s, name[x]) == NULL) continue;
    given += 1;
    to->d = x == 0 ? HP_DIR_I : HP_DIR_J;
    if (hp_config_int(r, s, path[x], &to->after) && to->after >= last[x] && !r->stand_in)
      hp_config_error(r, hp_config_member(s, name[x]), "%d: nothing lies behind it: the grid has %d cells along %s",
                      to->after, last[x], name[x]);
  }
  to->reach = INFINITY;
  (void)read_of_kind(r, s, "reach", used, false, &to->reach);
  if (!used) hp_config_refuse(r, s, "throws", "not used by a shape of this type");
  if (!used) return HP_OK;
  if (given != 1) hp_config_error(r, s, "give either i or j: cells with larger numbers sink");
  return read_throws(r, s, to);
}

static hp_status read_shape(hp_config *r, const hp_setting *s, hp_structure *to) {
  int kind = HP_STRUCTURE_DOME;
  if (s == NULL || !hp_config_choice(r, s, "grid.structure[].type", &kind)) return HP_OK;
  to->kind = (hp_structure_kind)kind;
  read_dome(r, s, kind == HP_STRUCTURE_DOME, to);
  read_dip(r, s, kind == HP_STRUCTURE_DIP, to);
  return read_throw(r, s, kind == HP_STRUCTURE_FAULT, to);
}

/* Sizes of the cells that begin with cell (0, 0, 0) along i, j or k, as positions of the planes between them. Cells
 * beside them have the same, or it is reported. */
static hp_status find_planes(hp_config *r, const hp_setting *grid, int d, const char *name, const double *size,
                             double first, double **plane) {
  const hp_grid *g = r->c->grid;
  const int count = d == HP_DIR_I ? g->nx : d == HP_DIR_J ? g->ny : g->nz;
  int64_t *cell = NULL;
  HP_TRY(HP_ALLOC(*plane, count + 1));
  HP_TRY(HP_ALLOC(cell, count));
  for (int n = 0; n < count; ++n) cell[n] = n * hp_grid_stride(g, d);
  const hp_status s = hp_grid_gather(g, count, cell, size, *plane + 1);
  HP_FREE(cell);
  HP_TRY(s);
  bool same = true;
  for (int64_t m = 0; m < g->ncell; ++m) {
    int at[3];
    hp_grid_ijk(g, g->first + m, at);
    same = same && size[m] == (*plane)[1 + at[2 - d]];
  }
  HP_TRY(hp_spread_all(g->spread, &same));
  if (!same)
    hp_config_error(r, hp_config_member(grid, name),
                    "%s differs between cells side by side: structure bends flat layers", name);
  (*plane)[0] = first;
  for (int n = 0; n < count; ++n) (*plane)[n + 1] += (*plane)[n];
  return HP_OK;
}

/* The top of all columns. */
static hp_status find_top(hp_config *r, const hp_setting *grid, double *top) {
  const hp_grid *g = r->c->grid;
  int64_t column = 0;
  HP_TRY(hp_grid_gather_columns(g, 1, &column, r->c->top, top));
  bool same = true;
  for (int64_t n = 0; n < (int64_t)g->planes.held * g->ny; ++n) same = same && r->c->top[n] == *top;
  HP_TRY(hp_spread_all(g->spread, &same));
  if (!same) hp_config_error(r, hp_config_member(grid, "top"), "with a structure it is one number");
  return HP_OK;
}

static hp_status fill_structure(hp_config *r, const hp_setting *grid, int count, const hp_structure *shape,
                                double *plane[3], const double *active) {
  hp_case *c = r->c;
  const hp_grid *g = c->grid;
  const int errors = r->diag->errors, size[3] = {g->nx, g->ny, g->nz};
  double top = 0.0;
  HP_TRY(find_top(r, grid, &top));
  HP_TRY(find_planes(r, grid, HP_DIR_I, "dx", g->dx, 0.0, &plane[0]));
  HP_TRY(find_planes(r, grid, HP_DIR_J, "dy", g->dy, 0.0, &plane[1]));
  HP_TRY(find_planes(r, grid, HP_DIR_K, "dz", g->dz, top, &plane[2]));
  if (r->diag->errors > errors) return HP_OK;
  HP_TRY(HP_ALLOC(c->coord, 6 * (int64_t)(g->planes.held + 1) * (g->ny + 1)));
  HP_TRY(HP_ALLOC(c->zcorn, 8 * g->ncell));
  hp_structure_fill(count, shape, size, g->planes.first, g->planes.held, plane, plane[2], c->coord, c->zcorn);
  HP_FREE(c->top);
  const hp_corners corners = hp_case_corners(c);
  fill_sizes(c, &corners, active);
  return HP_OK;
}

hp_status hp_config_read_structure(hp_config *r, const hp_setting *grid, const double *active) {
  const hp_setting *list = hp_config_member(grid, "structure");
  const int errors = r->diag->errors, count = hp_config_length(list);
  hp_structure *shape = NULL;
  double *plane[3] = {NULL, NULL, NULL};
  r->connect = true;
  if (count == 0) return HP_OK;
  HP_TRY(HP_ALLOC(shape, count));
  hp_status s = HP_OK;
  for (int n = 0; n < count && s == HP_OK; ++n) s = read_shape(r, hp_config_group(list, n), &shape[n]);
  if (s == HP_OK && r->diag->errors == errors && !r->stand_in) s = fill_structure(r, grid, count, shape, plane, active);
  for (int d = 0; d < 3; ++d) HP_FREE(plane[d]);
  for (int n = 0; n < count; ++n) HP_FREE(shape[n].throws);
  HP_FREE(shape);
  return s;
}

/* ---- pinched-out cells ---- */

void hp_config_read_pinch(hp_config *r, const hp_setting *grid) {
  const hp_setting *s = hp_config_member(grid, "pinch");
  hp_case_pinch *p = &r->pinch;
  *p = (hp_case_pinch){.given = s != NULL && config_setting_type(s) == CONFIG_TYPE_GROUP, .gap = INFINITY};
  if (!p->given) return;
  (void)hp_config_float(r, s, "grid.pinch.thickness", &p->thickness);
  (void)hp_config_bool(r, s, "grid.pinch.only_thin", &p->thin_only);
  (void)hp_config_float(r, s, "grid.pinch.gap", &p->gap);
  (void)hp_config_bool(r, s, "grid.pinch.through", &p->through);
  (void)hp_config_bool(r, s, "grid.pinch.smallest", &p->smallest);
}

/* ---- connections ---- */

/* Multipliers of faces before those of faults; a face towards - has none of its own. */
static hp_status keep_sides(const hp_case *c, double *side[HP_DIRS][2]) {
  for (int d = 0; d < HP_DIRS; ++d) {
    if (c->mult[d] == NULL) continue;
    HP_TRY(HP_ALLOC(side[d][0], c->grid->ncell));
    memcpy(side[d][0], c->mult[d], (size_t)c->grid->ncell * sizeof(double));
  }
  return HP_OK;
}

/* Their multipliers. */
static hp_status finish_links(const hp_config *r, double *side[HP_DIRS][2], hp_case_links *links) {
  const hp_case *c = r->c;
  hp_case_multiply_links(c->grid, side, r->pinch.smallest, links);
  return hp_case_fault_links(c, r->nfault, r->fault, links);
}

static hp_status add_pinched(hp_config *r, double *side[HP_DIRS][2], hp_case_links *links) {
  hp_case_links pinched = {0};
  if (!r->pinch.given) return HP_OK;
  hp_status s = hp_case_connect_pinched(r->c, &r->pinch, &pinched);
  if (s == HP_OK) s = finish_links(r, side, &pinched);
  for (int64_t n = 0; n < pinched.count && s == HP_OK; ++n) s = hp_case_link_add(links, &pinched.at[n]);
  hp_case_links_clear(&pinched);
  return s;
}

static hp_status make_links(hp_config *r, double *side[HP_DIRS][2], hp_case_links *links) {
  hp_case *c = r->c;
  if (c->coord != NULL || r->pinch.given) HP_TRY(keep_sides(c, side));
  HP_TRY(hp_case_apply_faults(c, r->nfault, r->fault));
  HP_TRY(hp_config_isolate_aquifer_cells(r));
  if (c->coord != NULL) {
    HP_TRY(hp_case_close_gaps(c, &r->pinch));
    HP_TRY(hp_case_fill_corners(c, HP_CASE_MATCH, r->connect ? links : NULL));
    HP_TRY(finish_links(r, side, links));
  }
  return add_pinched(r, side, links);
}

static hp_status make_connections(hp_config *r, double *side[HP_DIRS][2], hp_case_links *links) {
  HP_TRY(hp_config_aquifer_multipliers(r));
  HP_TRY(make_links(r, side, links));
  HP_TRY(hp_config_make_multipliers(r, links, &r->c->connection));
  HP_TRY(hp_case_add_links(r->c, links, HP_CASE_LEAST * r->units.factor[HP_UNIT_CONNECTION]));
  return hp_config_link_aquifer_cells(r);
}

hp_status hp_config_make_connections(hp_config *r) {
  double *side[HP_DIRS][2] = {{NULL}};
  hp_case_links links = {0};
  if (r->overlay) return HP_OK;
  const hp_status s = make_connections(r, side, &links);
  for (int d = 0; d < HP_DIRS; ++d) HP_FREE(side[d][0]);
  hp_case_links_clear(&links);
  return s;
}
