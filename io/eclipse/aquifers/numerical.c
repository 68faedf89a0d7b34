/* Numerical aquifers: cells of the grid with sizes of their own (AQUNUM), one behind the other, the first of which is
 * connected to faces of other cells (AQUCON). Nothing else flows into them.
 *
 *     half of cell i       T_i = 2 k_i A_i / L_i
 *     cells i and i + 1    T_i T_(i+1) / (T_i + T_(i+1))
 *     face f of cell m     T_m T_1 / (T_m + T_1) times item 9,    T_m = 2 mult k_m A_f / d_m; item 10 = 1: T_1 = 2 k_1 A_f / L_1
 *
 * as in OPM Flow 2022.10. A_f is the product of the cell's sizes along the face, times its net to gross on faces along
 * i and j; mult that of MULTX and the like.
 */
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "io/eclipse/impl.h"

hp_status hp_ecl_do_aqunum(hp_ecl *e, const hp_ecl_record *record) {
  const hp_ecl_value *v = record->v;
  const int n[3] = {e->nx, e->ny, e->nz};
  const double length = e->units.factor[HP_UNIT_LENGTH];
  hp_ecl_numerical one = {.number = (int)v[0].i,
                          .area = v[4].x * length * length,
                          .length = v[5].x,
                          .porosity = v[6].x,
                          .permeability = v[7].x,
                          .depth = v[8].x,
                          .pressure = v[9].x,
                          .table = {(int)v[10].i, (int)v[11].i},
                          .file = record->file,
                          .line = record->line};
  if (e->unsized) return HP_OK;
  if (e->resized)
    return hp_ecl_error(e, record->file, record->line, "cells of aquifers do not move to a grid of another size");
  for (int d = 0; d < 3; ++d) {
    if (v[1 + d].i > n[d])
      return hp_ecl_error(e, record->file, record->line, "item %d: %c%lld: the grid has %d", d + 2, "ijk"[d],
                          (long long)v[1 + d].i, n[d]);
    one.ijk[d] = (int)v[1 + d].i - 1;
  }
  for (int k = 0; k < e->numericals; ++k)
    if (memcmp(e->numerical[k].ijk, one.ijk, sizeof one.ijk) == 0)
      return hp_ecl_error(e, record->file, record->line, "cell (%d,%d,%d) is of aquifer %d already", one.ijk[0] + 1,
                          one.ijk[1] + 1, one.ijk[2] + 1, e->numerical[k].number);
  HP_TRY(HP_ECL_GROW(e->numerical, e->numericals, e->numerical_capacity));
  e->numerical[e->numericals++] = one;
  return HP_OK;
}

hp_status hp_ecl_do_aqucon(hp_ecl *e, const hp_ecl_record *record) {
  const hp_ecl_value *v = record->v;
  hp_ecl_aquifer_faces f = {.number = (int)v[0].i,
                            .inside = v[10].choice == 1,
                            .multiplier = v[8].x,
                            .by_face = v[9].i == 1,
                            .file = record->file,
                            .line = record->line};
  if (e->resized)
    return hp_ecl_error(e, record->file, record->line, "connections of aquifers do not move to a grid of another size");
  if (v[9].i != 0 && v[9].i != 1)
    return hp_ecl_error(e, record->file, record->line, "item 10: option %lld: must be 0 or 1", (long long)v[9].i);
  hp_ecl_aquifer_face(v[7].choice, &f);
  HP_TRY(hp_ecl_read_box(e, record, 1, f.box));
  HP_TRY(HP_ECL_GROW(e->numerical_face, e->numerical_faces, e->numerical_faces_capacity));
  e->numerical_face[e->numerical_faces++] = f;
  return HP_OK;
}

static int64_t cell_of(const hp_ecl *e, const hp_ecl_numerical *a) {
  return hp_grid_cell(e->c->grid, a->ijk[0], a->ijk[1], a->ijk[2]);
}

static int64_t natural_of(const hp_ecl *e, const int ijk[3]) {
  return ijk[0] + e->nx * (ijk[1] + (int64_t)e->ny * ijk[2]);
}

static const hp_ecl_numerical *first_of(const hp_ecl *e, int number) {
  for (int n = 0; n < e->numericals; ++n)
    if (e->numerical[n].number == number) return &e->numerical[n];
  return NULL;
}

static bool is_numerical(const hp_ecl *e, int64_t m) {
  for (int n = 0; n < e->numericals; ++n)
    if (cell_of(e, &e->numerical[n]) == m) return true;
  return false;
}

/* ---- before the grid is made: tables and multipliers of faces ---- */

static hp_status set_table(hp_ecl *e, hp_ecl_array_id id, const hp_ecl_numerical *a, int table) {
  hp_ecl_array *to = &e->array[id];
  if (table == 0) return HP_OK;
  if (to->value == NULL) {
    HP_TRY(hp_ecl_array_make(e, id));
    for (int64_t m = 0; m < (int64_t)e->nx * e->ny * e->nz; ++m) to->value[m] = 1.0;
    to->file = a->file;
    to->line = a->line;
  }
  to->value[natural_of(e, a->ijk)] = table;
  return HP_OK;
}

static double multiplier_at(const hp_ecl *e, hp_ecl_array_id id, int64_t natural) {
  const hp_ecl_array *a = &e->array[id];
  double x = a->value != NULL && !isnan(a->value[natural]) ? a->value[natural] : 1.0;
  if (a->before != NULL && !isnan(a->before[natural])) x *= a->before[natural];
  return x;
}

hp_status hp_ecl_start_numerical(hp_ecl *e) {
  static const hp_ecl_array_id mult[2][HP_DIRS] = {
      {[HP_DIR_I] = HP_ECL_MULTX, [HP_DIR_J] = HP_ECL_MULTY, [HP_DIR_K] = HP_ECL_MULTZ},
      {[HP_DIR_I] = HP_ECL_MULTX_, [HP_DIR_J] = HP_ECL_MULTY_, [HP_DIR_K] = HP_ECL_MULTZ_}};
  for (int n = 0; n < e->numericals; ++n) {
    HP_TRY(set_table(e, HP_ECL_PVTNUM, &e->numerical[n], e->numerical[n].table[0]));
    HP_TRY(set_table(e, HP_ECL_SATNUM, &e->numerical[n], e->numerical[n].table[1]));
  }
  for (int n = 0; n < e->numerical_faces; ++n) {
    hp_ecl_aquifer_faces *f = &e->numerical_face[n];
    int64_t at = 0;
    HP_TRY(HP_ALLOC(f->mult,
                    (int64_t)(f->box[1] - f->box[0] + 1) * (f->box[3] - f->box[2] + 1) * (f->box[5] - f->box[4] + 1)));
    for (int i = f->box[0]; i <= f->box[1]; ++i)
      for (int j = f->box[2]; j <= f->box[3]; ++j)
        for (int k = f->box[4]; k <= f->box[5]; ++k)
          f->mult[at++] = multiplier_at(e, mult[f->minus][f->d], natural_of(e, (const int[3]){i, j, k}));
  }
  return HP_OK;
}

/* ---- the grid ---- */

/* Pore volumes; and nothing flows between neighbours on the lattice. */
hp_status hp_ecl_isolate_numerical(hp_ecl *e) {
  hp_case *c = e->c;
  hp_grid *g = c->grid;
  if (e->numericals > 0 && c->porv == NULL) {
    HP_TRY(HP_ALLOC(c->porv, g->ncell));
    for (int64_t m = 0; m < g->ncell; ++m) c->porv[m] = NAN;
  }
  for (int n = 0; n < e->numericals; ++n) {
    const hp_ecl_numerical *a = &e->numerical[n];
    const int64_t m = cell_of(e, a);
    if (isnan(a->porosity) && !(g->porosity[m] > 0.0))
      return hp_ecl_error(e, a->file, a->line, "AQUNUM: item 7 (porosity) must be given: cell (%d,%d,%d) has none",
                          a->ijk[0] + 1, a->ijk[1] + 1, a->ijk[2] + 1);
    if (!isnan(a->porosity)) g->porosity[m] = a->porosity;
    c->given_active[m] = g->active[m] = 1;
    c->porv[m] = a->area * a->length * g->porosity[m];
    if (c->mult_pv != NULL) c->mult_pv[m] = 1.0;
    for (int d = 0; d < HP_DIRS; ++d) {
      int64_t stride = hp_grid_stride(g, d);
      g->perm[d][m] = 0.0;
      if (c->tran[d] == NULL) continue;
      c->tran[d][m] = 0.0;
      if (a->ijk[2 - d] > 0) c->tran[d][m - stride] = 0.0;
    }
  }
  return HP_OK;
}

static double half(const hp_ecl_numerical *a, double area) { return 2.0 * a->permeability * area / a->length; }

static double series(double a, double b) { return a > 0.0 && b > 0.0 ? a * b / (a + b) : 0.0; }

static hp_status link(hp_case_links *links, int64_t a, int64_t b, double trans) {
  const hp_case_link one = {a < b ? a : b, a < b ? b : a, -1, trans};
  return hp_case_link_add(links, &one);
}

static hp_status link_faces(hp_ecl *e, const hp_ecl_aquifer_faces *f, hp_case_links *links, int64_t *count) {
  const hp_grid *g = e->c->grid;
  const hp_ecl_numerical *a = first_of(e, f->number);
  int64_t at = 0;
  for (int i = f->box[0]; i <= f->box[1]; ++i)
    for (int j = f->box[2]; j <= f->box[3]; ++j)
      for (int k = f->box[4]; k <= f->box[5]; ++k) {
        const double mult = f->mult[at++];
        const int64_t m = hp_grid_cell(g, i, j, k);
        if (!hp_ecl_aquifer_face_is_open(g, f, i, j, k) || is_numerical(e, m)) continue;
        const double area = hp_ecl_face_area(g, m, f->d) * (f->d == HP_DIR_K ? 1.0 : g->ntg[m]);
        const double size = f->d == HP_DIR_I ? g->dx[m] : f->d == HP_DIR_J ? g->dy[m] : g->dz[m];
        const double own = 2.0 * mult * g->perm[f->d][m] * area / size;
        const double first = half(a, f->by_face ? hp_ecl_face_area(g, m, f->d) : a->area);
        HP_TRY(link(links, cell_of(e, a), m, series(own, first) * f->multiplier));
        *count += 1;
      }
  return HP_OK;
}

hp_status hp_ecl_link_numerical(hp_ecl *e, hp_case_links *links) {
  for (int n = 0; n < e->numericals; ++n) {
    const hp_ecl_numerical *a = &e->numerical[n], *next = NULL;
    for (int k = n + 1; k < e->numericals && next == NULL; ++k)
      if (e->numerical[k].number == a->number) next = &e->numerical[k];
    if (next != NULL)
      HP_TRY(link(links, cell_of(e, a), cell_of(e, next), series(half(a, a->area), half(next, next->area))));
  }
  for (int n = 0; n < e->numerical_faces; ++n) {
    const hp_ecl_aquifer_faces *f = &e->numerical_face[n];
    int64_t count = 0;
    if (first_of(e, f->number) == NULL)
      return hp_ecl_error(e, f->file, f->line, "AQUCON: aquifer %d: no AQUNUM defines it", f->number);
    HP_TRY(link_faces(e, f, links, &count));
    if (count == 0)
      hp_ecl_note(e, f->file, f->line, "AQUCON: aquifer %d: no face of this box is open to it", f->number);
  }
  return HP_OK;
}

/* ---- the start ---- */

/* The aquifer of record n into the case, where numbers rise, if it is its first. */
static hp_status place(hp_ecl *e, int n) {
  hp_case *c = e->c;
  const int number = e->numerical[n].number;
  int at = c->nnumerical;
  if (first_of(e, number) != &e->numerical[n]) return HP_OK;
  for (; at > 0 && c->numerical[at - 1].number > number; --at) c->numerical[at] = c->numerical[at - 1];
  hp_numerical_aquifer *to = &c->numerical[at];
  *to = (hp_numerical_aquifer){.number = number};
  c->nnumerical += 1;
  HP_TRY(HP_ALLOC(to->cell, e->numericals));
  for (int k = n; k < e->numericals; ++k)
    if (e->numerical[k].number == number) to->cell[to->ncell++] = cell_of(e, &e->numerical[k]);
  return HP_OK;
}

hp_status hp_ecl_complete_numerical(hp_ecl *e) {
  hp_initial *start = &e->c->initial;
  if (e->numericals == 0 || e->c->grid == NULL || e->unsized) return HP_OK;
  HP_TRY(HP_ALLOC(e->c->numerical, e->numericals));
  HP_TRY(HP_ALLOC(start->flooded, e->numericals));
  HP_TRY(HP_ALLOC(start->flooded_pressure, e->numericals));
  for (int n = 0; n < e->numericals; ++n) {
    const hp_ecl_numerical *a = &e->numerical[n];
    const int64_t m = cell_of(e, a);
    if (!isnan(a->depth)) e->c->grid->depth[m] = a->depth;
    start->flooded[n] = m;
    start->flooded_pressure[n] = a->pressure;
    HP_TRY(place(e, n));
  }
  start->nflooded = e->numericals;
  return HP_OK;
}

void hp_ecl_numerical_clear(hp_ecl *e) {
  for (int n = 0; n < e->numerical_faces; ++n) HP_FREE(e->numerical_face[n].mult);
  HP_FREE(e->numerical_face);
  HP_FREE(e->numerical);
}
