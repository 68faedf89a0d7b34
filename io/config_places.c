/* Which cells a well perforates. */
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "io/config_wells.h"

/* "wells[3] (P1): " reads better than a bare index; the place is part of the text. */
static const char *well_name(const hp_well_spec *w) { return w->name[0] != '\0' ? w->name : "the well"; }

static bool in_grid(hp_config *r, const hp_setting *s, const hp_well_spec *w, const int ijk[3]) {
  const hp_grid *g = r->c->grid;
  if (g == NULL) return false; /* the grid's own fault is reported */
  if (ijk[0] >= 1 && ijk[0] <= g->nx && ijk[1] >= 1 && ijk[1] <= g->ny && ijk[2] >= 1 && ijk[2] <= g->nz) return true;
  hp_config_error(r, s, "well %s: cell %d,%d,%d is outside the grid of %d x %d x %d", well_name(w), ijk[0], ijk[1],
                  ijk[2], g->nx, g->ny, g->nz);
  return false;
}

static bool is_active(hp_config *r, const hp_setting *s, const hp_well_spec *w, const int ijk[3]) {
  const hp_grid *g = r->c->grid;
  if (!r->grid_ready || g->active[hp_grid_cell(g, ijk[0] - 1, ijk[1] - 1, ijk[2] - 1)]) return true;
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
  if (in_grid(r, s, w, ijk) && is_active(r, s, w, ijk) && is_new(r, s, w, w->nperf, ijk))
    w->perf[w->nperf++] = perforation(ijk, dir);
}

/* ---- i, j, k = [k1, k2] ---------------------------------------------------- */

static hp_status read_column(hp_config *r, const hp_setting *s, hp_well_spec *w) {
  const hp_grid *g = r->c->grid;
  int ijk[3] = {0, 0, 0}, span[2] = {1, g != NULL ? g->nz : 1};
  if (r->overlay && w->nperf > 0) { /* keep what the option does not say */
    ijk[0] = w->perf[0].i + 1;
    ijk[1] = w->perf[0].j + 1;
    span[0] = w->perf[0].k + 1;
    span[1] = w->perf[w->nperf - 1].k + 1;
  }
  const bool has_i = hp_config_int(r, s, "wells[].i", &ijk[0]), has_j = hp_config_int(r, s, "wells[].j", &ijk[1]);
  for (int n = 0; n < 2 && !r->overlay; ++n) {
    const char *name = n == 0 ? "i" : "j";
    if (hp_config_member(s, name) == NULL)
      hp_config_error(r, s, "%s is missing: a well needs i, j and k, or cells, or a path", name);
  }
  const bool has_k = hp_config_span(r, s, "wells[].k", span);
  if (g == NULL || (!r->overlay && (!has_i || !has_j)) || (hp_config_member(s, "k") != NULL && !has_k)) return HP_OK;
  const int last[3] = {ijk[0], ijk[1], span[1]};
  ijk[2] = span[0];
  if (!in_grid(r, s, w, ijk) || !in_grid(r, s, w, last)) return HP_OK;
  HP_TRY(new_perforations(w, span[1] - span[0] + 1));
  for (ijk[2] = span[0]; ijk[2] <= span[1]; ++ijk[2]) add(r, s, w, ijk, HP_DIR_K);
  return HP_OK;
}

/* ---- cells ----------------------------------------------------------------- */

static bool read_place(hp_config *r, const hp_setting *s, int ijk[3], int *dir) {
  const int type = config_setting_type(s);
  const int length = type == CONFIG_TYPE_ARRAY || type == CONFIG_TYPE_LIST ? config_setting_length(s) : 0;
  *dir = HP_DIR_K;
  if (length != 3 && length != 4) {
    hp_config_error(r, s, "must be a cell [i, j, k] or (i, j, k, \"x\")");
    return false;
  }
  for (int d = 0; d < 3; ++d)
    if (!hp_config_integer(r, config_setting_get_elem(s, (unsigned)d), &ijk[d])) return false;
  if (length == 3) return true;
  const hp_setting *last = config_setting_get_elem(s, 3);
  const char *text = config_setting_type(last) == CONFIG_TYPE_STRING ? config_setting_get_string(last) : "";
  if (strcmp(text, "x") == 0)
    *dir = HP_DIR_I;
  else if (strcmp(text, "y") == 0)
    *dir = HP_DIR_J;
  else if (strcmp(text, "z") != 0) {
    hp_config_error(r, last, "must be the direction of the bore, \"x\", \"y\" or \"z\"");
    return false;
  }
  return true;
}

static hp_status read_cells(hp_config *r, const hp_setting *s, hp_well_spec *w) {
  const int type = config_setting_type(s);
  const int count = type == CONFIG_TYPE_LIST ? config_setting_length(s) : 0;
  if (count == 0) {
    hp_config_error(r, s, "must be a list of cells ( [i, j, k], ... )");
    return HP_OK;
  }
  HP_TRY(new_perforations(w, count));
  for (int n = 0; n < count; ++n) {
    const hp_setting *place = config_setting_get_elem(s, (unsigned)n);
    int ijk[3], dir;
    if (read_place(r, place, ijk, &dir)) add(r, place, w, ijk, dir);
  }
  return HP_OK;
}

/* ---- path ------------------------------------------------------------------ */

static hp_status read_path(hp_config *r, const hp_setting *s, hp_well_spec *w) {
  int rows, columns;
  double *v;
  HP_TRY(hp_config_rows(r, s, 3, 3, 2, &rows, &columns, &v));
  for (int n = 1; n < rows; ++n)
    if (memcmp(v + 3 * n, v + 3 * (n - 1), 3 * sizeof *v) == 0) {
      hp_config_error(r, config_setting_get_elem(s, (unsigned)n), "the same point twice");
      rows = 0;
    }
  hp_status status = HP_OK;
  if (rows > 0) {
    status = new_perforations(w, 0);
    if (status == HP_OK) status = HP_ALLOC(w->path, rows);
    if (status == HP_OK) w->npath = rows;
    for (int n = 0; n < w->npath; ++n)
      for (int d = 0; d < 3; ++d) w->path[n][d] = v[3 * n + d] * r->units.factor[HP_UNIT_LENGTH];
  }
  HP_FREE(v);
  return status;
}

/* ---- the bore -------------------------------------------------------------- */

static void read_bore(hp_config *r, const hp_setting *s, hp_well_spec *w) {
  double radius = NAN, diameter = NAN, skin = NAN, factor = NAN, kh = NAN;
  const bool has_radius = hp_config_float(r, s, "wells[].radius", &radius);
  const bool has_diameter = hp_config_float(r, s, "wells[].diameter", &diameter);
  const bool has_skin = hp_config_float(r, s, "wells[].skin", &skin);
  const bool has_factor = hp_config_float(r, s, "wells[].connection_factor", &factor);
  const bool has_kh = hp_config_float(r, s, "wells[].kh", &kh);
  const bool named = hp_config_member(s, "radius") != NULL || hp_config_member(s, "diameter") != NULL;
  if (has_radius && has_diameter) hp_config_error(r, hp_config_member(s, "diameter"), "give either radius or diameter");
  if (has_diameter) radius = 0.5 * diameter;
  if (!r->overlay && !named && hp_config_member(s, "connection_factor") == NULL)
    hp_config_error(r, s, "radius is missing: give radius, diameter or connection_factor");
  if (w->npath > 0 && has_factor)
    hp_config_error(r, hp_config_member(s, "connection_factor"), "not used with a path");
  if (w->npath > 0 && has_kh) hp_config_error(r, hp_config_member(s, "kh"), "not used with a path");
  /* New perforations carry radius 0: with a connection factor nothing asks for it. */
  for (int q = 0; q < w->nperf; ++q) {
    hp_perf_spec *p = &w->perf[q];
    if (has_radius || has_diameter) p->radius = radius;
    if (has_skin || !r->overlay) p->skin = skin;
    if (has_factor) p->transmissibility = factor;
    if (has_kh) p->kh = kh;
  }
  if (has_radius || has_diameter) w->path_radius = radius;
  if (has_skin || !r->overlay) w->path_skin = skin;
}

hp_status hp_config_places(hp_config *r, const hp_setting *s, hp_well_spec *w) {
  const hp_setting *cells = hp_config_member(s, "cells"), *path = hp_config_member(s, "path");
  const bool column = hp_config_member(s, "i") != NULL || hp_config_member(s, "j") != NULL ||
                      hp_config_member(s, "k") != NULL;
  const hp_perf_spec old = w->nperf > 0 ? w->perf[0] : (hp_perf_spec){.radius = w->path_radius, .skin = w->path_skin};
  if (column + (cells != NULL) + (path != NULL) > 1)
    hp_config_error(r, s, "give either i, j and k, or cells, or a path");
  else if (cells != NULL)
    HP_TRY(read_cells(r, cells, w));
  else if (path != NULL)
    HP_TRY(read_path(r, path, w));
  else if (column || !r->overlay)
    HP_TRY(read_column(r, s, w));
  const bool moved = column || cells != NULL || path != NULL;
  if (r->overlay && moved) { /* the bore that the deck gave goes along */
    for (int q = 0; q < w->nperf; ++q) {
      w->perf[q].radius = old.radius;
      w->perf[q].skin = old.skin;
    }
    w->path_radius = old.radius;
    w->path_skin = old.skin;
  }
  read_bore(r, s, w);
  return HP_OK;
}
