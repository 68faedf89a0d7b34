/* Lists of a case as settings, so that options can change single entries of
 * what an Eclipse deck has filled: grid.porosity[7], wells.P1.cells[2],
 * schedule[3].bhp, saturation.table[1][2], report.times[4].
 *
 * A list is made when the first option goes into it. Numbers are those of the
 * deck: written in its units they read back to the same value in SI. */
#include <math.h>
#include <string.h>

#include "io/config/impl.h"

/* The number v with v * factor == si, which exists where si came from such a number. */
static double deck_number(double si, double factor) {
  const double v = si / factor, near[3] = {v, nextafter(v, -INFINITY), nextafter(v, INFINITY)};
  for (int n = 0; n < 3; ++n)
    if (near[n] * factor == si) return near[n];
  return v;
}

static double factor_of(const hp_config *r, const char *path) {
  return r->units.factor[hp_config_key_find(path)->unit];
}

static bool add_float(hp_setting *list, double v) { return config_setting_set_float_elem(list, -1, v) != NULL; }

/* ---- groups for entries ---- */

static hp_setting *empty_groups(hp_setting *group, const char *name, int count) {
  hp_setting *list = config_setting_add(group, name, CONFIG_TYPE_LIST);
  for (int n = 0; list != NULL && n < count; ++n)
    if (config_setting_add(list, NULL, CONFIG_TYPE_GROUP) == NULL) return NULL;
  return list;
}

static int schedule_length(const hp_case *c) {
  int count = 0;
  for (int n = 0; n < c->nevent; ++n)
    if (c->event[n].entry >= count) count = c->event[n].entry + 1;
  return count;
}

/* ---- cell arrays ---- */

/* A value for each cell in the deck's order, i fastest; layers: only the first so many. */
static hp_setting *cell_list(hp_setting *group, const char *name, const hp_grid *g, int layers, double factor,
                             double (*value)(const hp_case *c, int64_t m), const double *array, const hp_case *c) {
  hp_setting *list = config_setting_add(group, name, CONFIG_TYPE_ARRAY);
  for (int k = 0; list != NULL && k < layers; ++k)
    for (int j = 0; j < g->ny; ++j)
      for (int i = 0; i < g->nx; ++i) {
        const int64_t m = hp_grid_cell(g, i, j, k);
        if (!add_float(list, deck_number(value != NULL ? value(c, m) : array != NULL ? array[m] : 1.0, factor)))
          return NULL;
      }
  return list;
}

static double active_of(const hp_case *c, int64_t m) { return c->given_active != NULL ? c->given_active[m] != 0 : 1.0; }

static double top_of(const hp_case *c, int64_t m) { return c->grid->depth[m] - 0.5 * c->grid->dz[m]; }
static double column_top(const hp_case *c, int64_t m) { return c->top[m / c->grid->nz]; }

/* Rows of two cells, from 1, and the connection factor. */
static hp_setting *connection_list(const hp_config *r, hp_setting *group, const char *name) {
  const hp_case *c = r->c;
  const hp_grid_connections *from = &c->connection;
  if (from->count == 0) return NULL;
  hp_setting *list = config_setting_add(group, name, CONFIG_TYPE_LIST);
  for (int64_t n = 0; list != NULL && n < from->count; ++n) {
    hp_setting *row = config_setting_add(list, NULL, CONFIG_TYPE_ARRAY);
    for (int x = 0; row != NULL && x < 6; ++x) {
      int at[3];
      hp_grid_ijk(c->grid, x < 3 ? from->a[n] : from->b[n], at);
      if (!add_float(row, at[x % 3] + 1.0)) return NULL;
    }
    if (row == NULL || !add_float(row, deck_number(from->trans[n], r->units.factor[HP_UNIT_CONNECTION]))) return NULL;
  }
  return list;
}

static hp_setting *grid_list(hp_config *r, hp_setting *group, const char *name) {
  const hp_case *c = r->c;
  const hp_grid *g = c->grid;
  const struct {
    const char *name;
    const double *array;
    double (*value)(const hp_case *c, int64_t m);
    int layers;
  } list[] = {{"dx", g->dx, NULL, g->nz},
              {"dy", g->dy, NULL, g->nz},
              {"dz", g->dz, NULL, g->nz},
              {"top", NULL, column_top, 1},
              {"tops", NULL, top_of, g->nz},
              {"depth", g->depth, NULL, g->nz},
              {"porosity", g->porosity, NULL, g->nz},
              {"permx", g->perm[HP_DIR_I], NULL, g->nz},
              {"permy", g->perm[HP_DIR_J], NULL, g->nz},
              {"permz", g->perm[HP_DIR_K], NULL, g->nz},
              {"ntg", g->ntg, NULL, g->nz},
              {"active", NULL, active_of, g->nz},
              {"multpv", c->mult_pv, NULL, g->nz},
              {"multx", c->mult[HP_DIR_I], NULL, g->nz},
              {"multy", c->mult[HP_DIR_J], NULL, g->nz},
              {"multz", c->mult[HP_DIR_K], NULL, g->nz},
              {"pore_volume", g->pore_volume, NULL, g->nz},
              {"tranx", g->trans[HP_DIR_I], NULL, g->nz},
              {"trany", g->trans[HP_DIR_J], NULL, g->nz},
              {"tranz", g->trans[HP_DIR_K], NULL, g->nz}};
  char path[HP_CONFIG_PATH];
  snprintf(path, sizeof path, "grid.%s", name);
  for (size_t n = 0; n < sizeof list / sizeof list[0]; ++n)
    if (strcmp(list[n].name, name) == 0)
      return cell_list(group, name, g, list[n].layers, factor_of(r, path), list[n].value, list[n].array, c);
  if (strcmp(name, "connections") == 0) return connection_list(r, group, name);
  if (strcmp(name, "boxes") == 0) return empty_groups(group, name, 0); /* what boxes did is in the arrays */
  const bool refine = strcmp(name, "refine") == 0;
  if (!refine && strcmp(name, "size") != 0) return NULL;
  const int size[3] = {g->nx, g->ny, g->nz};
  hp_setting *three = config_setting_add(group, name, CONFIG_TYPE_ARRAY);
  for (int d = 0; d < 3 && three != NULL; ++d)
    if (config_setting_set_int_elem(three, -1, refine ? c->refine[d] : size[d]) == NULL) return NULL;
  return three;
}

static hp_setting *initial_list(hp_config *r, hp_setting *group, const char *name) {
  const hp_initial *o = &r->c->initial;
  const double *array = strcmp(name, "pressure") == 0 ? o->pressure : strcmp(name, "saturation") == 0 ? o->sw : NULL;
  if (array == NULL) return NULL;
  const double factor = strcmp(name, "pressure") == 0 ? r->units.factor[HP_UNIT_PRESSURE] : 1.0;
  return cell_list(group, name, r->c->grid, r->c->grid->nz, factor, NULL, array, r->c);
}

/* ---- tables, times, places ---- */

/* Rows of `columns` numbers, column n times 1/factor[n]. */
static hp_setting *table(hp_setting *group, const char *name, int rows, int columns, const double *const *column,
                         const double *factor) {
  if (rows == 0) return NULL;
  hp_setting *list = config_setting_add(group, name, CONFIG_TYPE_LIST);
  for (int n = 0; list != NULL && n < rows; ++n) {
    hp_setting *row = config_setting_add(list, NULL, CONFIG_TYPE_ARRAY);
    for (int k = 0; k < columns; ++k)
      if (row == NULL || !add_float(row, deck_number(column[k][n], factor[k]))) return NULL;
  }
  return list;
}

static hp_setting *oil_table(hp_config *r, hp_setting *group, const char *name) {
  const hp_pvt_spec *f = &r->c->fluid.pvt[0][HP_OIL];
  const double *const column[] = {f->p, f->b, f->mu};
  const double factor[] = {r->units.factor[HP_UNIT_PRESSURE], 1.0, r->units.factor[HP_UNIT_VISCOSITY]};
  return table(group, name, f->rows, 3, column, factor);
}

static hp_setting *saturation_table(hp_config *r, hp_setting *group, const char *name) {
  const hp_sat_spec *f = &r->c->fluid.sat[0];
  const double *const column[] = {f->s, f->krw, f->kro, f->pc};
  const double factor[] = {1.0, 1.0, 1.0, r->units.factor[HP_UNIT_PRESSURE]};
  return table(group, name, f->rows, 4, column, factor);
}

static hp_setting *report_times(hp_config *r, hp_setting *group, const char *name) {
  hp_setting *list = config_setting_add(group, name, CONFIG_TYPE_ARRAY);
  for (int n = 0; list != NULL && n < r->c->nreport; ++n)
    if (!add_float(list, deck_number(r->c->report[n], r->units.factor[HP_UNIT_TIME]))) return NULL;
  return list;
}

static hp_setting *well_list(hp_config *r, hp_setting *group, const char *name) {
  const int well = config_setting_index(group);
  if (well >= r->c->nwell) return NULL;
  const hp_well_spec *w = &r->c->well[well];
  if (strcmp(name, "cells") != 0 || w->nperf == 0) return NULL;
  static const char *const direction[HP_DIRS] = {[HP_DIR_K] = "z", [HP_DIR_J] = "y", [HP_DIR_I] = "x"};
  hp_setting *list = config_setting_add(group, name, CONFIG_TYPE_LIST);
  for (int q = 0; list != NULL && q < w->nperf; ++q) {
    const hp_perf_spec *p = &w->perf[q];
    const int ijk[3] = {p->i + 1, p->j + 1, p->k + 1};
    hp_setting *cell = config_setting_add(list, NULL, CONFIG_TYPE_LIST);
    for (int d = 0; d < 3; ++d)
      if (cell == NULL || config_setting_set_int_elem(cell, -1, ijk[d]) == NULL) return NULL;
    if (config_setting_set_string_elem(cell, -1, direction[p->dir]) == NULL) return NULL;
  }
  return list;
}

/* ---- which ---- */

hp_setting *hp_config_list_of_case(hp_config *r, hp_setting *group, const char *name) {
  char path[HP_CONFIG_PATH];
  if (hp_config_given_whole(group)) return NULL;
  hp_config_key_path(group, path);
  if (strcmp(path, "") == 0 && strcmp(name, "wells") == 0) return empty_groups(group, name, r->c->nwell);
  if (strcmp(path, "") == 0 && strcmp(name, "schedule") == 0) return empty_groups(group, name, schedule_length(r->c));
  if (strcmp(path, "") == 0 && strcmp(name, "groups") == 0) return empty_groups(group, name, r->c->ngroup_event);
  if (strcmp(path, "") == 0 && strcmp(name, "tuning") == 0) return empty_groups(group, name, r->c->ntuning);
  if (strcmp(path, "wells[]") == 0) return well_list(r, group, name);
  if (strcmp(path, "report") == 0 && strcmp(name, "times") == 0) return report_times(r, group, name);
  if (strcmp(path, "fluids.oil") == 0 && strcmp(name, "table") == 0) return oil_table(r, group, name);
  if (strcmp(path, "saturation") == 0 && strcmp(name, "table") == 0) return saturation_table(r, group, name);
  if (r->c->grid == NULL) return NULL;
  if (r->c->spread != NULL) hp_config_error(r, group, "%s", HP_SPREAD_ERRORS); /* entries are one process's to change */
  if (strcmp(path, "grid") == 0) return grid_list(r, group, name);
  return strcmp(path, "initial") == 0 ? initial_list(r, group, name) : NULL;
}

static void swap(char *a, char *b, size_t size) {
  for (; size > 0; --size, ++a, ++b) {
    const char kept = *a;
    *a = *b;
    *b = kept;
  }
}

/* By insertion: decks say it in order. */
void hp_config_sort_by_time(void *list, int count, size_t size) {
  char *first = list;
  for (int n = 1; n < count; ++n)
    for (char *at = first + (size_t)n * size; at > first && *(double *)at < *(double *)(at - size); at -= size)
      swap(at - size, at, size);
}
