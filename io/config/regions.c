/* regions, endpoints and thresholds: which fluids and saturation functions hold in a cell,
 * and end points of its own. */
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "io/case/faults.h"
#include "io/config/impl.h"

const hp_setting *hp_config_entry(const hp_setting *s, int n) {
  if (s == NULL || config_setting_type(s) != CONFIG_TYPE_LIST) return n == 0 ? s : NULL;
  return n < config_setting_length(s) ? config_setting_get_elem(s, (unsigned)n) : NULL;
}

int hp_config_entries(const hp_setting *s) {
  if (s == NULL) return 0;
  return config_setting_type(s) == CONFIG_TYPE_LIST ? config_setting_length(s) : 1;
}

/* The array of a key in cell order (HP_ALLOC); NULL: it is not there. */
static hp_status read_array(hp_config *r, const hp_setting *group, const char *path, double **out) {
  const hp_grid *g = r->c->grid;
  const hp_setting *s = hp_config_member(group, strrchr(path, '.') + 1);
  double *natural;
  *out = NULL;
  if (s == NULL || g == NULL) return HP_OK;
  HP_TRY(HP_ALLOC(*out, g->ncell));
  HP_TRY(HP_ALLOC(natural, g->ncell));
  const hp_status status = hp_array_read(r, s, hp_config_key_find(path), hp_array_shape_of(r, HP_DIR_K), natural);
  if (status == HP_OK) hp_grid_from_natural(g->planes.held, g->ny, g->nz, natural, *out);
  HP_FREE(natural);
  return status;
}

/* Numbers 1 .. count of all cells into *to, from 0; NULL where all are 1, unless they are kept. */
static hp_status read_numbers(hp_config *r, const hp_setting *group, const char *path, int count, bool kept,
                              uint16_t **to) {
  const hp_grid *g = r->c->grid;
  double *value;
  bool reported = false, one = true;
  HP_TRY(read_array(r, group, path, &value));
  if (value == NULL) return HP_OK;
  HP_FREE(*to);
  hp_status status = HP_ALLOC(*to, g->ncell);
  for (int64_t m = 0; status == HP_OK && m < g->ncell && !reported; ++m) {
    const double v = value[m];
    one = one && v == 1.0;
    if (v >= 1.0 && v <= count && v == floor(v)) {
      (*to)[m] = (uint16_t)(v - 1.0);
      continue;
    }
    reported = true; /* NaN: reported by the array itself */
    int ijk[3];
    hp_grid_ijk(g, g->first + m, ijk);
    if (!isnan(v))
      hp_config_error(r, hp_config_member(group, strrchr(path, '.') + 1),
                      "%g in cell %d,%d,%d: must be a whole number in "
                      "1..%d, the entries of the list",
                      v, ijk[0] + 1, ijk[1] + 1, ijk[2] + 1, count);
  }
  HP_FREE(value);
  if (status == HP_OK) status = hp_spread_all(g->spread, &one);
  if ((one && !kept) || reported) HP_FREE(*to);
  return status;
}

/* Numbers of a deck that had pressures and saturations, in whose place an option has put equilibria: one holds in all
 * cells, of several each number has one. */
static void fit_equilibria(hp_config *r, const hp_setting *root) {
  hp_initial *o = &r->c->initial;
  if (o->nregion == 1) HP_FREE(o->of);
  for (int64_t m = 0; o->of != NULL && o->nregion > 0 && m < r->c->grid->ncell; ++m) {
    if (o->of[m] < o->nregion) continue;
    hp_config_error(r, hp_config_member(root, "initial"), "%d entries, and a cell of the deck is in region %d of them",
                    o->nregion, o->of[m] + 1);
    return;
  }
}

/* A region of equilibrium takes the PVT of its first cell: it may have no other. */
static hp_status check_equilibria(hp_config *r, const hp_setting *group) {
  const hp_case *c = r->c;
  const uint16_t *pvt = c->fluid.of_pvt, *of = c->initial.of;
  int *first;
  if (pvt == NULL || c->initial.nregion == 0) return HP_OK;
  HP_TRY(hp_case_check_spread_equilibria(c));
  HP_TRY(HP_ALLOC(first, c->initial.nregion));
  for (int64_t m = 0; m < c->grid->ncell; ++m) {
    if (of != NULL && of[m] >= c->initial.nregion) continue; /* as in io/case/equilibrium.c */
    int *n = &first[of != NULL ? of[m] : 0];
    if (*n == 0) *n = 1 + pvt[m];
    if (*n == 1 + pvt[m]) continue;
    hp_config_error(r, group, "cells of one region of equilibrium have the pvt %d and %d: one region, one pvt", *n,
                    1 + pvt[m]);
    break;
  }
  HP_FREE(first);
  return HP_OK;
}

/* Regions of reports: any whole numbers. */
static hp_status read_fip(hp_config *r, const hp_setting *group) {
  hp_case *c = r->c;
  double *value;
  HP_TRY(read_array(r, group, "regions.fip", &value));
  if (value == NULL) return HP_OK;
  int64_t fault;
  const hp_status status = hp_case_fip(c, value, &fault);
  if (status == HP_OK && fault >= 0 && !isnan(value[fault])) {
    int ijk[3];
    hp_grid_ijk(c->grid, c->grid->first + fault, ijk);
    hp_config_error(r, hp_config_member(group, "fip"), "%g in cell %d,%d,%d: must be a whole number in 0..65535",
                    value[fault], ijk[0] + 1, ijk[1] + 1, ijk[2] + 1);
  }
  HP_FREE(value);
  return status;
}

/* Of drainage, or of imbibition: keys endpoints.swl, endpoints.iswl. */
static hp_status read_ends(hp_config *r, const hp_setting *group, bool imbibition) {
  static const char *const name[HP_ENDS] = {
#define END_NAME(id, key) key,
      HP_END_LIST(END_NAME)
#undef END_NAME
  };
  hp_fluid_spec *g = &r->c->fluid;
  for (int n = 0; n < HP_ENDS; ++n) {
    char path[HP_CONFIG_PATH];
    double *value;
    double **end = &(imbibition ? g->imbibition_end : g->end)[n];
    snprintf(path, sizeof path, "endpoints.%s%s", imbibition ? "i" : "", name[n]);
    HP_TRY(read_array(r, group, path, &value));
    if (value == NULL) continue;
    for (int64_t m = 0; m < r->c->grid->ncell; ++m)
      if (value[m] < 0.0) value[m] = NAN;
    HP_FREE(*end);
    *end = value;
    r->c->end_line[imbibition][n] = 0;
  }
  return HP_OK;
}

static hp_status read_end_points(hp_config *r, const hp_setting *group) {
  HP_TRY(read_ends(r, group, false));
  HP_TRY(read_ends(r, group, true));
  hp_config_bool(r, group, "endpoints.three_point", &r->c->fluid.three_point);
  return HP_OK;
}

hp_status hp_config_read_regions(hp_config *r, const hp_setting *root) {
  const hp_setting *regions = hp_config_member(root, "regions"), *ends = hp_config_member(root, "endpoints");
  static const char *const face[HP_FACES] = {
#define FACE_KEY(id, key, keyword) "regions." key,
      HP_FACE_LIST(FACE_KEY)
#undef FACE_KEY
  };
  hp_case *c = r->c;
  hp_fluid_spec *g = &c->fluid;
  if (regions != NULL && config_setting_type(regions) == CONFIG_TYPE_GROUP) {
    HP_TRY(read_numbers(r, regions, "regions.saturation", g->nsat, false, &g->of_sat));
    HP_TRY(read_numbers(r, regions, "regions.imbibition", g->nsat, true, &g->of_imbibition));
    for (int n = 0; n < HP_FACES; ++n) HP_TRY(read_numbers(r, regions, face[n], g->nsat, true, &g->of_face[n]));
    HP_TRY(read_numbers(r, regions, "regions.pvt", g->npvt, false, &g->of_pvt));
    HP_TRY(read_numbers(r, regions, "regions.rock", g->nrock, false, &g->of_rock));
    HP_TRY(read_numbers(r, regions, "regions.equilibrium", c->initial.nregion > 0 ? c->initial.nregion : 1, false,
                        &c->initial.of));
    HP_TRY(read_fip(r, regions));
  }
  HP_TRY(hp_config_aquifer_tables(r));
  fit_equilibria(r, root);
  const hp_setting *initial = hp_config_member(root, "initial");
  HP_TRY(check_equilibria(r, regions != NULL ? regions : initial != NULL ? initial : root));
  return ends != NULL && config_setting_type(ends) == CONFIG_TYPE_GROUP ? read_end_points(r, ends) : HP_OK;
}

/* ---- thresholds ---- */

/* The two regions of an entry, from 0. */
static bool read_regions(hp_config *r, const hp_setting *entry, int of[2]) {
  const hp_setting *s = hp_config_member(entry, "regions");
  const int type = s != NULL ? config_setting_type(s) : CONFIG_TYPE_NONE, count = r->c->initial.nregion;
  if (s == NULL) {
    hp_config_error(r, entry, "regions or connections is missing: %s",
                    hp_config_key_find("thresholds[].regions")->what);
    return false;
  }
  if ((type != CONFIG_TYPE_ARRAY && type != CONFIG_TYPE_LIST) || config_setting_length(s) != 2) {
    hp_config_error(r, s, "must be two integers [a, b]");
    return false;
  }
  for (int n = 0; n < 2; ++n) {
    const hp_setting *one = config_setting_get_elem(s, (unsigned)n);
    if (!hp_config_integer(r, one, &of[n])) return false;
    if (of[n] < 1 || of[n] > count) {
      hp_config_error(r, one, "%d: must be in 1..%d, the entries of initial", of[n], count);
      return false;
    }
    of[n] -= 1;
  }
  if (of[0] == of[1]) hp_config_error(r, s, "a threshold within region %d", of[0] + 1);
  return of[0] != of[1];
}

/* Rows of cells and the pressure between them. */
static hp_status read_pairs(hp_config *r, const hp_setting *s) {
  static const hp_quantity q[7] = {HP_UNIT_NONE, HP_UNIT_NONE, HP_UNIT_NONE,    HP_UNIT_NONE,
                                   HP_UNIT_NONE, HP_UNIT_NONE, HP_UNIT_PRESSURE};
  int rows, columns;
  double *v, *si;
  bool good;
  HP_TRY(hp_config_rows(r, s, q, 7, 7, 0, &rows, &columns, &v, &si, &good));
  hp_cell_pair *list;
  int64_t count = 0;
  hp_status status = HP_ALLOC(list, rows);
  for (int n = 0; n < rows && good && !r->stand_in && status == HP_OK; ++n) {
    const hp_setting *row = hp_config_row(r, s, n);
    const int64_t from = hp_config_cell(r, row, &si[7 * n]), to = hp_config_cell(r, row, &si[7 * n + 3]);
    if (from < 0 || to < 0) continue; /* reported */
    if (!(si[7 * n + 6] >= 0.0)) hp_config_error(r, row, "the pressure must be >= 0");
    if (from == to) hp_config_error(r, row, "a cell and itself");
    const int64_t place = hp_grid_place(r->c->grid, from < to ? from : to);
    if (place < 0 || place >= r->c->grid->owned) continue;
    list[count++] = (hp_cell_pair){from < to ? from : to, from < to ? to : from, si[7 * n + 6]};
  }
  if (status == HP_OK) status = hp_case_add_thresholds(r->c, count, list);
  HP_FREE(list);
  HP_FREE(v);
  HP_FREE(si);
  return status;
}

static hp_status read_threshold(hp_config *r, const hp_setting *s) {
  hp_initial *o = &r->c->initial;
  const hp_setting *connections = hp_config_member(s, "connections");
  double pressure = NAN;
  bool one_way = false;
  int of[2];
  if (connections != NULL) return read_pairs(r, connections);
  (void)hp_config_float(r, s, "thresholds[].pressure", &pressure);
  hp_config_bool(r, s, "thresholds[].one_way", &one_way);
  if (o->threshold == NULL) {
    hp_config_error(r, s, "regions are not used without equilibrium, whose regions thresholds are between");
    return HP_OK;
  }
  if (!read_regions(r, s, of)) return HP_OK; /* reported */
  o->threshold[of[0] * o->nregion + of[1]] = pressure;
  if (!one_way) o->threshold[of[1] * o->nregion + of[0]] = pressure;
  return HP_OK;
}

hp_status hp_config_read_thresholds(hp_config *r, const hp_setting *list) {
  hp_initial *o = &r->c->initial;
  const bool overlay = r->overlay;
  if (list == NULL || config_setting_type(list) != CONFIG_TYPE_LIST) return HP_OK;
  HP_FREE(o->threshold);
  if (o->nregion > 0) HP_TRY(HP_ALLOC(o->threshold, (int64_t)o->nregion * o->nregion));
  o->nthreshold = o->nregion;
  r->overlay = false; /* a new list is read whole */
  hp_status status = HP_OK;
  for (int n = 0; n < hp_config_length(list) && status == HP_OK; ++n) {
    const hp_setting *s = hp_config_group(list, n);
    if (s != NULL) status = read_threshold(r, s);
  }
  r->overlay = overlay;
  return status;
}
