/* Which cells a well perforates. */
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "io/config/wells/wells.h"

/* "wells[3] (P1): " reads better than a bare index; the place is part of the text. */
static const char *well_name(const hp_well_spec *w) { return w->name[0] != '\0' ? w->name : "the well"; }

/* "4 x ? x 2" where a size is not known. */
static const char *size_text(const hp_config *r, char out[64]) {
  char n[3][16];
  for (int d = 0; d < 3; ++d) snprintf(n[d], sizeof n[d], r->size[d] > 0 ? "%d" : "?", r->size[d]);
  snprintf(out, 64, "%s x %s x %s", n[0], n[1], n[2]);
  return out;
}

/* As far as the grid's size is known. */
static bool in_grid(hp_config *r, const hp_setting *s, const hp_well_spec *w, const int ijk[3]) {
  char size[64];
  bool in = true;
  for (int d = 0; d < 3; ++d) in = in && ijk[d] >= 1 && (r->size[d] == 0 || ijk[d] <= r->size[d]);
  if (!in)
    hp_config_error(r, s, "well %s: cell %d,%d,%d is outside the grid of %s", well_name(w), ijk[0], ijk[1], ijk[2],
                    size_text(r, size));
  return in;
}

/* Over an Eclipse deck, connections in inactive cells are left out later, as in the deck itself. */
static bool may_be_perforated(const hp_config *r, const int ijk[3]) {
  const hp_grid *g = r->c->grid;
  return r->overlay || hp_grid_rock_of(g, hp_grid_cell(g, ijk[0] - 1, ijk[1] - 1, ijk[2] - 1)).active != 0;
}

static bool is_active(hp_config *r, const hp_setting *s, const hp_well_spec *w, const int ijk[3]) {
  if (may_be_perforated(r, ijk)) return true;
  hp_config_error(r, s, "well %s: cell %d,%d,%d is inactive", well_name(w), ijk[0], ijk[1], ijk[2]);
  return false;
}

static bool is_new(hp_config *r, const hp_setting *s, const hp_well_spec *w, int count, const int ijk[3]) {
  for (int q = 0; q < count; ++q)
    if (w->perf[q].i == ijk[0] - 1 && w->perf[q].j == ijk[1] - 1 && w->perf[q].k == ijk[2] - 1) {
      hp_config_error(r, s, "well %s: cell %d,%d,%d is there twice", well_name(w), ijk[0], ijk[1], ijk[2]);
      return false;
    }
  return true;
}

static hp_perf_spec perforation(const int ijk[3], int dir) {
  return (hp_perf_spec){.i = ijk[0] - 1,
                        .j = ijk[1] - 1,
                        .k = ijk[2] - 1,
                        .dir = dir,
                        .open = true,
                        .transmissibility = NAN,
                        .kh = NAN,
                        .r0 = NAN,
                        .length = {NAN, NAN, NAN}};
}

static hp_status new_perforations(hp_well_spec *w, int count) {
  HP_FREE(w->perf);
  HP_FREE(w->path);
  w->nperf = w->npath = 0;
  return HP_ALLOC(w->perf, count);
}

static void add(hp_config *r, const hp_setting *s, hp_well_spec *w, const int ijk[3], int dir) {
  if (in_grid(r, s, w, ijk) && !r->stand_in && is_active(r, s, w, ijk) && is_new(r, s, w, w->nperf, ijk))
    w->perf[w->nperf++] = perforation(ijk, dir);
}

/* ---- i, j, k = [k1, k2] ---- */

/* The index that key `name` gives, judged by the grid's size along it as far as that is known. */
static bool check_index(hp_config *r, const hp_setting *s, const hp_well_spec *w, const char *name, int d, int value) {
  const hp_setting *member = hp_config_member(s, name);
  if (r->size[d] == 0 || value <= r->size[d]) return true;
  hp_config_error(r, member != NULL ? member : s, "well %s: %d: the grid has %d cells along %s", well_name(w), value,
                  r->size[d], name);
  return false;
}

/* Layers of a column in inactive cells are left out, all of them are a fault. */
static void add_column(hp_config *r, const hp_setting *s, hp_well_spec *w, const int head[2], const int span[2]) {
  int ijk[3] = {head[0], head[1], span[0]}, left_out = 0, first = 0;
  for (; ijk[2] <= span[1]; ++ijk[2]) {
    if (span[1] == span[0] || may_be_perforated(r, ijk)) add(r, s, w, ijk, HP_DIR_K);
    else if (left_out++ == 0) first = ijk[2];
  }
  if (left_out > span[1] - span[0])
    hp_config_error(r, s, "well %s: all its cells %d,%d,%d..%d are inactive", well_name(w), head[0], head[1], span[0],
                    span[1]);
  else if (left_out > 0)
    hp_config_note(r, s, "well %s: %d of %d layers are inactive here and left out, the first in cell %d,%d,%d",
                   well_name(w), left_out, span[1] - span[0] + 1, head[0], head[1], first);
}

static hp_status read_column(hp_config *r, const hp_setting *s, hp_well_spec *w) {
  static const char *const name[2] = {"i", "j"}, *const path[2] = {"wells[].i", "wells[].j"};
  int head[2] = {0, 0}, span[2] = {1, r->size[2]};
  bool good = true;
  for (int d = 0; d < 2; ++d) {
    if (hp_config_member(s, name[d]) == NULL)
      hp_config_error(r, s, "%s is missing: a well needs i, j and k, or cells, or a path", name[d]);
    if (!hp_config_int(r, s, path[d], &head[d]) || !check_index(r, s, w, name[d], d, head[d])) good = false;
  }
  if (hp_config_member(s, "k") != NULL &&
      (!hp_config_span(r, s, "wells[].k", span) || !check_index(r, s, w, "k", 2, span[1])))
    good = false;
  if (!good || r->stand_in) return HP_OK;
  HP_TRY(new_perforations(w, span[1] - span[0] + 1));
  if (!r->overlay)
    HP_TRY(hp_grid_learn_column(r->c->grid, hp_grid_cell(r->c->grid, head[0] - 1, head[1] - 1, span[0] - 1)));
  add_column(r, s, w, head, span);
  return HP_OK;
}

/* ---- a column that an option moves ---- */

static bool is_column(const hp_well_spec *w) {
  for (int q = 0; q < w->nperf; ++q)
    if (w->perf[q].i != w->perf[0].i || w->perf[q].j != w->perf[0].j || w->perf[q].dir != HP_DIR_K) return false;
  return w->nperf > 0;
}

/* The perforation of layer k, the first one where there is none. */
static const hp_perf_spec *of_layer(const hp_perf_spec *perf, int count, int k) {
  for (int q = 0; q < count; ++q)
    if (perf[q].k == k) return &perf[q];
  return &perf[0];
}

/* i and j move the perforations, k gives other layers; each keeps the bore that
 * its layer had, a new layer takes that of the first. */
static hp_status move_column(hp_config *r, const hp_setting *s, hp_well_spec *w) {
  int i = w->perf[0].i + 1, j = w->perf[0].j + 1, span[2];
  const bool has_i = hp_config_int(r, s, "wells[].i", &i), has_j = hp_config_int(r, s, "wells[].j", &j);
  const bool has_k = hp_config_span(r, s, "wells[].k", span);
  const hp_setting *k = hp_config_member(s, "k");
  if ((!has_i && hp_config_member(s, "i") != NULL) || (!has_j && hp_config_member(s, "j") != NULL) ||
      (!has_k && k != NULL) || !check_index(r, s, w, "i", 0, i) || !check_index(r, s, w, "j", 1, j) ||
      (has_k && !check_index(r, s, w, "k", 2, span[1])))
    return HP_OK;
  if (!is_column(w) && !(has_i && has_j && has_k)) {
    hp_config_error(r, s, "well %s: its cells are not a column: give i, j and k, or cells", well_name(w));
    return HP_OK;
  }
  if (has_k) {
    hp_perf_spec *perf;
    const int count = span[1] - span[0] + 1;
    HP_TRY(HP_ALLOC(perf, count));
    for (int q = 0; q < count; ++q) {
      perf[q] = *of_layer(w->perf, w->nperf, span[0] - 1 + q);
      perf[q].k = span[0] - 1 + q;
      perf[q].dir = HP_DIR_K;
    }
    HP_FREE(w->perf);
    w->perf = perf;
    w->nperf = count;
  }
  for (int q = 0; q < w->nperf; ++q) {
    w->perf[q].i = i - 1;
    w->perf[q].j = j - 1;
  }
  return HP_OK;
}

/* ---- cells ---- */

static bool read_place(hp_config *r, const hp_setting *s, int ijk[3], int *dir) {
  const int type = config_setting_type(s);
  const int length = type == CONFIG_TYPE_ARRAY || type == CONFIG_TYPE_LIST ? config_setting_length(s) : 0;
  *dir = HP_DIR_K;
  if (length != 3 && length != 4) {
    hp_config_error(r, s, "must be a cell [i, j, k] or (i, j, k, \"x\")");
    return false;
  }
  bool good = true;
  for (int d = 0; d < 3; ++d)
    if (!hp_config_integer(r, config_setting_get_elem(s, (unsigned)d), &ijk[d])) good = false;
  if (length == 3) return good;
  const hp_setting *last = config_setting_get_elem(s, 3);
  const char *text = config_setting_type(last) == CONFIG_TYPE_STRING ? config_setting_get_string(last) : "";
  if (strcmp(text, "x") == 0) *dir = HP_DIR_I;
  else if (strcmp(text, "y") == 0) *dir = HP_DIR_J;
  else if (strcmp(text, "z") != 0) {
    hp_config_error(r, last, "must be the direction of the bore, \"x\", \"y\" or \"z\"");
    good = false;
  }
  return good;
}

/* Cells whose numbers are sound, before it is asked whether they are active. Spread over ranks, a deck with a fault is read
 * again, which tells it. */
static hp_status learn_cells(hp_config *r, const hp_setting *s, int count) {
  const hp_grid *g = r->c->grid;
  int64_t *cell = NULL, known = 0;
  if (g->spread == NULL || r->overlay) return HP_OK;
  HP_TRY(HP_ALLOC(cell, count));
  for (int n = 0; n < count; ++n) {
    const hp_setting *place = config_setting_get_elem(s, (unsigned)n);
    int ijk[3];
    bool in = true;
    for (int d = 0; d < 3 && in; ++d) {
      const hp_setting *one = config_setting_is_aggregate(place) ? config_setting_get_elem(place, (unsigned)d) : NULL;
      in = one != NULL && hp_config_integer(r, one, &ijk[d]) && ijk[d] >= 1 && ijk[d] <= r->size[d];
    }
    if (in) cell[known++] = hp_grid_cell(g, ijk[0] - 1, ijk[1] - 1, ijk[2] - 1);
  }
  const hp_status status = hp_grid_learn(g, known, cell);
  HP_FREE(cell);
  return status;
}

static hp_status read_cells(hp_config *r, const hp_setting *s, hp_well_spec *w) {
  const int type = config_setting_type(s);
  const int count = type == CONFIG_TYPE_LIST ? config_setting_length(s) : 0;
  if (count == 0) {
    hp_config_error(r, s, "must be a list of cells ( [i, j, k], ... )");
    return HP_OK;
  }
  HP_TRY(new_perforations(w, count));
  HP_TRY(learn_cells(r, s, count));
  for (int n = 0; n < count; ++n) {
    const hp_setting *place = config_setting_get_elem(s, (unsigned)n);
    int ijk[3], dir;
    if (read_place(r, place, ijk, &dir)) add(r, place, w, ijk, dir);
  }
  return HP_OK;
}

/* ---- path ---- */

static hp_status read_path(hp_config *r, const hp_setting *s, hp_well_spec *w) {
  static const hp_quantity q[] = {HP_UNIT_LENGTH, HP_UNIT_LENGTH, HP_UNIT_LENGTH};
  int rows, columns;
  double *v, *si;
  bool good;
  HP_TRY(hp_config_rows(r, s, q, 3, 3, 2, &rows, &columns, &v, &si, &good));
  for (int n = 1; n < rows; ++n)
    if (v[3 * n] == v[3 * n - 3] && v[3 * n + 1] == v[3 * n - 2] && v[3 * n + 2] == v[3 * n - 1]) {
      hp_config_error(r, config_setting_get_elem(s, (unsigned)n), "the same point twice");
      good = false;
    }
  hp_status status = HP_OK;
  if (good) {
    status = new_perforations(w, 0);
    if (status == HP_OK) status = HP_ALLOC(w->path, rows);
    if (status == HP_OK) w->npath = rows;
    for (int n = 0; n < w->npath; ++n)
      for (int d = 0; d < 3; ++d) w->path[n][d] = si[3 * n + d];
  }
  HP_FREE(v);
  HP_FREE(si);
  return status;
}

/* ---- the bore ---- */

void hp_config_bore(hp_config *r, const hp_setting *s, hp_well_spec *w) {
  double radius = NAN, diameter = NAN, skin = NAN, factor = NAN, kh = NAN;
  const bool has_radius = hp_config_float(r, s, "wells[].radius", &radius);
  const bool has_diameter = hp_config_float(r, s, "wells[].diameter", &diameter);
  const bool has_skin = hp_config_float(r, s, "wells[].skin", &skin);
  const bool has_factor = hp_config_float(r, s, "wells[].connection_factor", &factor);
  const bool has_kh = hp_config_float(r, s, "wells[].kh", &kh);
  int table = 0;
  const bool has_table = hp_config_member(s, "saturation") != NULL && hp_config_int(r, s, "wells[].saturation", &table);
  const bool named = hp_config_member(s, "radius") != NULL || hp_config_member(s, "diameter") != NULL;
  if (has_radius && has_diameter) hp_config_error(r, hp_config_member(s, "diameter"), "give either radius or diameter");
  if (has_diameter) radius = 0.5 * diameter;
  if (!r->overlay && !named && hp_config_member(s, "connection_factor") == NULL &&
      hp_config_member(s, "connection_factors") == NULL)
    hp_config_error(r, s, "radius is missing: give radius, diameter or connection_factor");
  if (w->npath > 0 && has_factor) hp_config_error(r, hp_config_member(s, "connection_factor"), "not used with a path");
  if (w->npath > 0 && has_table) hp_config_error(r, hp_config_member(s, "saturation"), "not used with a path");
  if (w->npath > 0 && has_kh) hp_config_error(r, hp_config_member(s, "kh"), "not used with a path");
  /* New perforations carry radius 0: with a connection factor nothing asks for it. */
  for (int q = 0; q < w->nperf; ++q) {
    hp_perf_spec *p = &w->perf[q];
    if (has_radius || has_diameter) p->radius = radius;
    if (has_skin || !r->overlay) p->skin = skin;
    if (has_factor) p->transmissibility = factor;
    if (has_kh) p->kh = kh;
    if (has_table) p->table = table;
  }
  if (has_radius || has_diameter) w->path_radius = radius;
  if (has_skin || !r->overlay) w->path_skin = skin;
}

/* The list of that key, with a number for each perforation; NULL: it is not there, or has a fault. */
static const hp_setting *list_of_cells(hp_config *r, const hp_setting *s, const char *key, const hp_well_spec *w) {
  const hp_setting *list = hp_config_member(s, key);
  const int type = list != NULL ? config_setting_type(list) : CONFIG_TYPE_NONE;
  if (list == NULL) return NULL;
  if ((type == CONFIG_TYPE_ARRAY || type == CONFIG_TYPE_LIST) && config_setting_length(list) == w->nperf &&
      w->npath == 0)
    return list;
  hp_config_error(r, list, "must be a list of %d numbers, one for each perforated cell", w->nperf);
  return NULL;
}

/* saturations: one for each perforation. */
void hp_config_tables(hp_config *r, const hp_setting *s, hp_well_spec *w) {
  const hp_setting *list = list_of_cells(r, s, "saturations", w);
  for (int q = 0; list != NULL && q < w->nperf; ++q) {
    const hp_setting *element = config_setting_get_elem(list, (unsigned)q);
    if (!hp_config_integer(r, element, &w->perf[q].table)) continue;
    if (w->perf[q].table >= 0) continue;
    hp_config_error(r, element, "%d: must be >= 0", w->perf[q].table);
    w->perf[q].table = 0;
  }
}

/* connection_factors: one for each perforation. */
void hp_config_factors(hp_config *r, const hp_setting *s, hp_well_spec *w) {
  const hp_setting *list = list_of_cells(r, s, "connection_factors", w);
  if (list == NULL) return;
  for (int q = 0; q < w->nperf; ++q) {
    double v, si;
    const hp_setting *element = config_setting_get_elem(list, (unsigned)q);
    if (!hp_config_quantity(r, element, HP_UNIT_CONNECTION, &v, &si)) continue;
    if (v >= 0.0) w->perf[q].transmissibility = si;
    else hp_config_error(r, element, "%g: must be >= 0", v);
  }
}

/* The bore that the deck gave goes along: entry n of a list made from the case
 * keeps its own, a cell that had one too, others take the first one's. */
static void keep_bores(const hp_perf_spec *old, int count, bool by_entry, hp_well_spec *w) {
  for (int q = 0; q < w->nperf && count > 0; ++q) {
    hp_perf_spec *p = &w->perf[q];
    const hp_perf_spec *from = by_entry && q < count ? &old[q] : &old[0];
    for (int n = 0; n < count && !by_entry; ++n)
      if (old[n].i == p->i && old[n].j == p->j && old[n].k == p->k) from = &old[n];
    const hp_perf_spec place = *p;
    *p = *from;
    p->i = place.i;
    p->j = place.j;
    p->k = place.k;
    p->dir = place.dir;
  }
}

/* An option puts the well somewhere else. */
static hp_status move_places(hp_config *r, const hp_setting *s, const hp_setting *cells, const hp_setting *path,
                             hp_well_spec *w) {
  if (cells == NULL && path == NULL && w->nperf > 0) return move_column(r, s, w);
  const int count = w->nperf;
  hp_perf_spec *old = w->perf, alone = {.radius = w->path_radius,
                                        .skin = w->path_skin,
                                        .open = true,
                                        .transmissibility = NAN,
                                        .kh = NAN,
                                        .r0 = NAN,
                                        .length = {NAN, NAN, NAN}};
  w->perf = NULL;
  w->nperf = 0;
  hp_status status;
  if (cells != NULL) status = read_cells(r, cells, w);
  else status = path != NULL ? read_path(r, path, w) : read_column(r, s, w);
  const bool by_entry = cells != NULL && hp_config_patched(r, cells);
  keep_bores(count > 0 ? old : &alone, count > 0 ? count : 1, by_entry, w);
  w->path_radius = count > 0 ? old[0].radius : alone.radius;
  w->path_skin = count > 0 ? old[0].skin : alone.skin;
  HP_FREE(old);
  return status;
}

hp_status hp_config_places(hp_config *r, const hp_setting *s, hp_well_spec *w) {
  const hp_setting *cells = hp_config_member(s, "cells"), *path = hp_config_member(s, "path");
  const bool column = hp_config_member(s, "i") != NULL || hp_config_member(s, "j") != NULL ||
                      hp_config_member(s, "k") != NULL;
  if (column + (cells != NULL) + (path != NULL) > 1)
    hp_config_error(r, s, "give either i, j and k, or cells, or a path");
  if (r->overlay) return column || cells != NULL || path != NULL ? move_places(r, s, cells, path, w) : HP_OK;
  if (cells != NULL) HP_TRY(read_cells(r, cells, w));
  if (path != NULL) HP_TRY(read_path(r, path, w));
  const bool other = cells != NULL || path != NULL;
  const bool whole = hp_config_member(s, "i") != NULL && hp_config_member(s, "j") != NULL;
  return !other || whole ? read_column(r, s, w) : HP_OK;
}
