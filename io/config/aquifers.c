/* aquifers: analytic ones, and cells of the grid that are numerical ones. */
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "io/config/impl.h"

enum { NUMERICAL = HP_AQUIFER_KINDS }; /* behind the kinds, in the order of the choices */

/* Whether the entry is a numerical one; what is wrong with its type is reported by read_one. */
static bool is_numerical(const hp_setting *s) {
  const hp_setting *type = hp_config_member(s, "type");
  return type != NULL && config_setting_type(type) == CONFIG_TYPE_STRING &&
         strcmp(config_setting_get_string(type), "numerical") == 0;
}

static int number_of(hp_config *r, const hp_setting *s, int place) {
  int number = place + 1;
  if (hp_config_member(s, "number") != NULL) (void)hp_config_int(r, s, "aquifers[].number", &number);
  return number;
}

/* ---- faces ---- */

/* False: at fault. */
static bool read_faces(hp_config *r, const hp_setting *s, hp_aquifer_faces *f) {
  const int errors = r->diag->errors;
  f->coefficient = NAN;
  const bool box = hp_config_box(r, s, "aquifers[].faces", f->box);
  hp_config_face(r, s, "aquifers[].faces[].face", &f->d, &f->minus);
  (void)hp_config_bool(r, s, "aquifers[].faces[].inner", &f->inside);
  (void)hp_config_float(r, s, "aquifers[].faces[].coefficient", &f->coefficient);
  (void)hp_config_float(r, s, "aquifers[].faces[].multiplier", &f->multiplier);
  (void)hp_config_bool(r, s, "aquifers[].faces[].of_face", &f->by_face);
  return box && r->diag->errors == errors;
}

/* ---- cells of numerical aquifers ---- */

static bool read_cell(hp_config *r, const hp_setting *s, hp_aquifer_cell *a) {
  static const char *const index[] = {"aquifers[].cells[].i", "aquifers[].cells[].j", "aquifers[].cells[].k"};
  const int errors = r->diag->errors;
  a->area = a->porosity = a->depth = a->pressure = NAN;
  for (int d = 0; d < 3; ++d) {
    int v = 1;
    if (hp_config_int(r, s, index[d], &v) && r->size[d] > 0 && v > r->size[d])
      hp_config_error(r, hp_config_member(s, strrchr(index[d], '.') + 1), "%d: the grid has %d cells along %c", v,
                      r->size[d], "ijk"[d]);
    a->ijk[d] = v - 1;
  }
  if (hp_config_member(s, "area") != NULL) {
    (void)hp_config_float(r, s, "aquifers[].cells[].area", &a->area);
    (void)hp_config_float(r, s, "aquifers[].cells[].length", &a->length);
    (void)hp_config_float(r, s, "aquifers[].cells[].permeability", &a->permeability);
    (void)hp_config_float(r, s, "aquifers[].cells[].porosity", &a->porosity);
  } else {
    static const char *const with_area[] = {"length", "permeability", "porosity"};
    for (size_t n = 0; n < sizeof with_area / sizeof *with_area; ++n)
      hp_config_refuse(r, s, with_area[n], "not used without area");
  }
  (void)hp_config_float(r, s, "aquifers[].cells[].depth", &a->depth);
  (void)hp_config_float(r, s, "aquifers[].cells[].pressure", &a->pressure);
  (void)hp_config_int(r, s, "aquifers[].cells[].pvt", &a->table[0]);
  (void)hp_config_int(r, s, "aquifers[].cells[].saturation", &a->table[1]);
  return r->diag->errors == errors;
}

/* A cell is of one aquifer, once; all cells of an aquifer have an area, or none has. */
static bool check_cell(hp_config *r, const hp_setting *s, const hp_aquifer_cell *a) {
  for (int n = 0; n < r->ncell; ++n) {
    const hp_aquifer_cell *b = &r->cell[n];
    if (memcmp(a->ijk, b->ijk, sizeof a->ijk) == 0) {
      hp_config_error(r, s, "cell %d,%d,%d is of aquifer %d already", a->ijk[0] + 1, a->ijk[1] + 1, a->ijk[2] + 1,
                      b->number);
      return false;
    }
    if (a->number == b->number && isnan(a->area) != isnan(b->area)) {
      hp_config_error(r, s, "%s an area, other cells of aquifer %d %s", isnan(a->area) ? "has not" : "has", a->number,
                      isnan(a->area) ? "have" : "have not");
      return false;
    }
  }
  return true;
}

static void read_numerical(hp_config *r, const hp_setting *s, int number) {
  const hp_setting *cells = hp_config_member(s, "cells"), *faces = hp_config_member(s, "faces");
  const bool area = hp_config_length(cells) > 0 && hp_config_member(hp_config_group(cells, 0), "area") != NULL;
  if (hp_config_length(cells) == 0)
    hp_config_error(r, s, "cells is missing: %s", hp_config_key_find("aquifers[].cells")->what);
  for (int n = 0; n < hp_config_length(cells); ++n) {
    hp_aquifer_cell a = {.number = number};
    if (hp_config_group(cells, n) == NULL || !read_cell(r, hp_config_group(cells, n), &a)) continue;
    if (r->stand_in || !check_cell(r, hp_config_group(cells, n), &a)) continue;
    r->cell_at[r->ncell] = hp_config_group(cells, n);
    r->cell[r->ncell++] = a;
  }
  if (faces != NULL && !area && hp_config_length(cells) > 0)
    hp_config_error(r, faces, "not used where cells have no area: their connections are those of the grid");
  for (int n = 0; n < hp_config_length(faces); ++n) {
    hp_aquifer_faces f = {.number = number};
    if (hp_config_group(faces, n) == NULL) continue;
    hp_config_refuse(r, hp_config_group(faces, n), "coefficient", "not used by a numerical aquifer");
    if (!read_faces(r, hp_config_group(faces, n), &f)) continue;
    r->face_at[r->nface] = hp_config_group(faces, n);
    r->face[r->nface++] = f;
  }
}

static hp_status make_room(hp_config *r, const hp_setting *list) {
  int cells = 0, faces = 0;
  for (int n = 0; n < config_setting_length(list); ++n) {
    cells += hp_config_length(hp_config_member(hp_config_group(list, n), "cells"));
    faces += hp_config_length(hp_config_member(hp_config_group(list, n), "faces"));
  }
  HP_TRY(HP_ALLOC(r->cell, cells));
  HP_TRY(HP_ALLOC(r->cell_at, cells));
  HP_TRY(HP_ALLOC(r->face, faces));
  return HP_ALLOC(r->face_at, faces);
}

hp_status hp_config_read_aquifer_cells(hp_config *r) {
  const hp_setting *list = hp_config_list(r, "aquifers");
  if (list == NULL) return HP_OK;
  HP_TRY(make_room(r, list));
  for (int n = 0; n < config_setting_length(list); ++n) {
    const hp_setting *s = hp_config_group(list, n);
    if (s == NULL || !is_numerical(s)) continue;
    if (r->overlay)
      hp_config_error(r, s, "a numerical aquifer cannot be laid over a deck, to whose grid its cells belong");
    else read_numerical(r, s, number_of(r, s, n));
  }
  return HP_OK;
}

/* A face towards - has no multiplier of its own. */
static hp_status multipliers(hp_config *r, hp_aquifer_faces *f) {
  const int *b = f->box;
  const double *mult = f->minus ? NULL : r->c->mult[f->d];
  const hp_grid *g = r->c->grid;
  int64_t at = 0;
  int begin, end;
  hp_aquifer_own_planes(r->c, f, &begin, &end);
  if (begin >= end) return HP_OK;
  HP_TRY(HP_ALLOC(f->mult, (int64_t)(end - begin) * (b[3] - b[2] + 1) * (b[5] - b[4] + 1)));
  for (int i = begin; i < end; ++i)
    for (int j = b[2]; j <= b[3]; ++j)
      for (int k = b[4]; k <= b[5]; ++k)
        f->mult[at++] = mult != NULL ? mult[hp_grid_place(g, hp_grid_cell(g, i, j, k))] : 1.0;
  return HP_OK;
}

hp_status hp_config_aquifer_multipliers(hp_config *r) {
  for (int n = 0; n < r->nface; ++n) HP_TRY(multipliers(r, &r->face[n]));
  return HP_OK;
}

static hp_status link_all(hp_config *r, hp_case_links *links) {
  HP_TRY(hp_aquifer_link_cells(r->c, r->ncell, r->cell, links));
  if (r->nface > 0) HP_TRY(hp_grid_learn_before(r->c->grid));
  for (int n = 0; n < r->nface; ++n) {
    int64_t count;
    HP_TRY(hp_aquifer_link_faces(r->c, r->ncell, r->cell, &r->face[n], links, &count));
    if (count == 0) hp_config_note(r, r->face_at[n], "no face of this box is open to aquifer %d", r->face[n].number);
  }
  return HP_OK;
}

hp_status hp_config_isolate_aquifer_cells(hp_config *r) {
  const hp_aquifer_cell *fault;
  HP_TRY(hp_aquifer_isolate(r->c, r->ncell, r->cell, &fault));
  if (fault != NULL) hp_config_error(r, r->cell_at[fault - r->cell], "porosity must be given: the cell has none");
  return HP_OK;
}

hp_status hp_config_link_aquifer_cells(hp_config *r) {
  hp_case_links links = {0};
  if (r->ncell == 0) return HP_OK;
  hp_status s = link_all(r, &links);
  if (s == HP_OK) s = hp_case_add_links(r->c, &links, HP_CASE_LEAST * r->units.factor[HP_UNIT_CONNECTION]);
  hp_case_links_clear(&links);
  return s;
}

static hp_status set_table(hp_config *r, const hp_aquifer_cell *a, const hp_setting *s, const char *name, int table,
                           int count, uint16_t **of) {
  const hp_grid *g = r->c->grid;
  if (table == 0) return HP_OK;
  if (table > count) {
    hp_config_error(r, hp_config_member(s, name), "%d: there %s %d", table, count == 1 ? "is" : "are", count);
    return HP_OK;
  }
  if (count == 1 || r->stand_in) return HP_OK;
  if (*of == NULL) HP_TRY(HP_ALLOC(*of, g->ncell));
  const int64_t m = hp_grid_cell(g, a->ijk[0], a->ijk[1], a->ijk[2]);
  if (hp_grid_holds(g, m)) (*of)[hp_grid_place(g, m)] = (uint16_t)(table - 1);
  return HP_OK;
}

hp_status hp_config_aquifer_tables(hp_config *r) {
  hp_fluid_spec *f = &r->c->fluid;
  for (int n = 0; n < r->ncell; ++n) {
    HP_TRY(set_table(r, &r->cell[n], r->cell_at[n], "pvt", r->cell[n].table[0], f->npvt, &f->of_pvt));
    HP_TRY(set_table(r, &r->cell[n], r->cell_at[n], "saturation", r->cell[n].table[1], f->nsat, &f->of_sat));
  }
  return HP_OK;
}

/* ---- analytic aquifers ---- */

static hp_status read_table(hp_config *r, const hp_setting *s, hp_aquifer_spec *a) {
  static const hp_quantity q[] = {HP_UNIT_NONE, HP_UNIT_NONE};
  int rows, columns, row;
  double *v, *si, *column[2] = {NULL, NULL};
  bool good;
  if (s == NULL) return hp_aquifer_influence(a, 0, NULL, NULL);
  HP_TRY(hp_config_rows(r, s, q, 2, 2, 2, &rows, &columns, &v, &si, &good));
  hp_status status = HP_OK;
  for (int c = 0; c < 2 && status == HP_OK; ++c) status = HP_ALLOC(column[c], rows);
  for (int n = 0; status == HP_OK && n < rows; ++n)
    for (int c = 0; c < 2; ++c) column[c][n] = si[2 * n + c];
  const char *fault = good && status == HP_OK ? hp_aquifer_influence_fault(rows, column[0], column[1], &row) : NULL;
  if (fault != NULL) hp_config_error(r, config_setting_get_elem(s, (unsigned)(row - 1)), "%s", fault);
  else if (good && status == HP_OK) status = hp_aquifer_influence(a, rows, column[0], column[1]);
  HP_FREE(column[0]);
  HP_FREE(column[1]);
  HP_FREE(v);
  HP_FREE(si);
  return status;
}

/* Keys of some kinds only. */
static const struct {
  const char *name;
  unsigned kinds; /* bits of hp_aquifer_kind and NUMERICAL */
} used[] = {{"datum_depth", 3}, {"pressure", 3}, {"compressibility", 3}, {"pvt", 3},         {"permeability", 1},
            {"porosity", 1},    {"radius", 1},   {"thickness", 1},       {"angle", 1},       {"table", 1},
            {"volume", 2},      {"flux", 4},     {"productivity", 2},    {"connections", 7}, {"cells", 8}};

static void read_numbers(hp_config *r, const hp_setting *s, hp_aquifer_spec *a) {
  const struct {
    const char *path;
    unsigned kinds;
    double *to;
  } number[] = {{"aquifers[].datum_depth", 3, &a->datum_depth},
                {"aquifers[].pressure", 3, &a->pressure},
                {"aquifers[].compressibility", 3, &a->compressibility},
                {"aquifers[].permeability", 1, &a->permeability},
                {"aquifers[].porosity", 1, &a->porosity},
                {"aquifers[].radius", 1, &a->radius},
                {"aquifers[].thickness", 1, &a->thickness},
                {"aquifers[].angle", 1, &a->angle},
                {"aquifers[].volume", 2, &a->volume},
                {"aquifers[].productivity", 2, &a->productivity},
                {"aquifers[].flux", 4, &a->flux}};
  int pvt = 1;
  if (a->kind != HP_AQUIFER_FLUX) a->pressure = NAN;
  for (size_t n = 0; n < sizeof number / sizeof *number; ++n)
    if (number[n].kinds >> a->kind & 1u) (void)hp_config_float(r, s, number[n].path, number[n].to);
  a->angle /= 360.0;
  if (a->kind == HP_AQUIFER_FLUX || !hp_config_int(r, s, "aquifers[].pvt", &pvt)) return;
  if (pvt > r->c->fluid.npvt)
    hp_config_error(r, hp_config_member(s, "pvt"), "%d: there %s %d", pvt, r->c->fluid.npvt == 1 ? "is" : "are",
                    r->c->fluid.npvt);
  a->pvt = pvt - 1;
}

/* Rows of cells and coefficients into weight [ncell]. */
static hp_status read_connections(hp_config *r, const hp_setting *s, double *weight) {
  static const hp_quantity q[] = {HP_UNIT_NONE, HP_UNIT_NONE, HP_UNIT_NONE, HP_UNIT_AREA};
  int rows, columns;
  double *v, *si;
  bool good;
  if (s == NULL) return HP_OK;
  HP_TRY(hp_config_rows(r, s, q, 4, 4, 0, &rows, &columns, &v, &si, &good));
  for (int n = 0; n < rows && good && !r->stand_in; ++n) {
    const hp_setting *row = hp_config_row(r, s, n);
    const int64_t m = hp_config_cell(r, row, si + 4 * n);
    const double coefficient = si[4 * n + 3];
    if (!(coefficient >= 0.0)) hp_config_error(r, row, "the influx coefficient must be >= 0");
    if (m < 0 || !hp_grid_holds(r->c->grid, m)) continue;
    const int64_t at = hp_grid_place(r->c->grid, m);
    if (r->grid_ready && !r->c->grid->active[at])
      hp_config_error(r, row, "cell %g,%g,%g is inactive", si[4 * n], si[4 * n + 1], si[4 * n + 2]);
    weight[at] = (isnan(weight[at]) ? 0.0 : weight[at]) + coefficient;
  }
  HP_FREE(v);
  HP_FREE(si);
  return HP_OK;
}

static hp_status connect(hp_config *r, const hp_setting *s, hp_aquifer_spec *a, double *weight) {
  const hp_setting *faces = hp_config_member(s, "faces");
  const hp_grid *g = r->c->grid;
  const int errors = r->diag->errors;
  bool none;
  for (int64_t m = 0; m < g->ncell; ++m) weight[m] = NAN;
  HP_TRY(read_connections(r, hp_config_member(s, "connections"), weight));
  for (int n = 0; n < hp_config_length(faces); ++n) {
    hp_aquifer_faces f = {.number = a->number};
    if (hp_config_group(faces, n) == NULL) continue;
    hp_config_refuse(r, hp_config_group(faces, n), "of_face", "only of a numerical aquifer");
    if (read_faces(r, hp_config_group(faces, n), &f) && r->grid_ready) hp_aquifer_add_faces(g, &f, weight);
  }
  if (r->diag->errors > errors || !r->grid_ready) return HP_OK;
  HP_TRY(hp_aquifer_connect(g, weight, a, &none));
  if (none) hp_config_note(r, s, "aquifer %d is connected to no cell: nothing flows from it", a->number);
  return HP_OK;
}

/* Numbers of analytic aquifers differ, and those of numerical ones. */
static void check_number(hp_config *r, const hp_setting *list, int place, int number) {
  for (int n = 0; n < place; ++n) {
    const hp_setting *s = hp_config_group(list, n);
    int other = n + 1;
    if (s == NULL || is_numerical(s) != is_numerical(hp_config_group(list, place))) continue;
    const hp_setting *given = hp_config_member(s, "number");
    if (given != NULL && config_setting_type(given) == CONFIG_TYPE_INT) other = config_setting_get_int(given);
    if (other != number) continue;
    hp_config_error(r, hp_config_group(list, place), "aquifers[%d] has the number %d, too", n, number);
    return;
  }
}

static hp_status read_one(hp_config *r, const hp_setting *list, int n, int *tables, double *weight) {
  static const char *const type_name[] = {"carter-tracy", "fetkovich", "flux", "numerical"};
  const hp_setting *s = hp_config_group(list, n);
  int type = 0;
  if (s == NULL) return HP_OK;
  const bool numerical = is_numerical(s);
  const int number = number_of(r, s, n);
  check_number(r, list, n, number);
  if (!hp_config_choice(r, s, "aquifers[].type", &type)) return HP_OK;
  for (size_t k = 0; k < sizeof used / sizeof *used; ++k)
    if (!(used[k].kinds >> type & 1u)) {
      char why[64];
      snprintf(why, sizeof why, "not used by the type %s", type_name[type]);
      hp_config_refuse(r, s, used[k].name, why);
    }
  if (numerical) return HP_OK;
  hp_aquifer_spec *a = hp_case_place_aquifer(r->c, number);
  a->kind = (hp_aquifer_kind)type;
  read_numbers(r, s, a);
  HP_TRY(connect(r, s, a, weight));
  if (a->kind != HP_AQUIFER_CARTER_TRACY) return HP_OK;
  const hp_setting *table = hp_config_member(s, "table");
  a->table = table == NULL ? 1 : 2 + (*tables)++;
  return read_table(r, table, a);
}

/* A new list is read whole. */
hp_status hp_config_read_aquifers(hp_config *r) {
  const hp_setting *list = hp_config_list(r, "aquifers");
  const bool overlay = r->overlay;
  hp_case *c = r->c;
  double *weight;
  int tables = 0;
  if (list == NULL) return HP_OK;
  for (int n = 0; n < c->naquifer; ++n) hp_aquifer_spec_clear(&c->aquifer[n]);
  HP_FREE(c->aquifer);
  c->naquifer = 0;
  if (r->grid_ready) HP_TRY(hp_grid_learn_before(c->grid));
  HP_TRY(HP_ALLOC(c->aquifer, config_setting_length(list)));
  HP_TRY(HP_ALLOC(weight, c->grid->ncell));
  r->overlay = false;
  hp_status s = HP_OK;
  for (int n = 0; s == HP_OK && n < config_setting_length(list); ++n) s = read_one(r, list, n, &tables, weight);
  r->overlay = overlay;
  HP_FREE(weight);
  if (s != HP_OK || r->stand_in || r->diag->errors > 0) return s;
  return hp_aquifer_complete_numerical(c, r->ncell, r->cell);
}

void hp_config_aquifers_clear(hp_config *r) {
  for (int n = 0; n < r->nface; ++n) HP_FREE(r->face[n].mult);
  HP_FREE(r->face);
  HP_FREE(r->face_at);
  HP_FREE(r->cell);
  HP_FREE(r->cell_at);
}
