/* Numerical aquifers: AQUNUM, and the faces that AQUCON connects them to (io/case/aquifers.h). */
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "io/eclipse/impl.h"

hp_status hp_ecl_do_aqunum(hp_ecl *e, const hp_ecl_record *record) {
  const hp_ecl_items_aqunum *v = &record->aqunum;
  const int n[3] = {e->nx, e->ny, e->nz};
  const double length = e->units.factor[HP_UNIT_LENGTH];
  hp_aquifer_cell one = {.number = (int)v->aquifer.i,
                         .area = v->area.x * length * length,
                         .length = v->length.x,
                         .porosity = v->porosity.x,
                         .permeability = v->permeability.x,
                         .depth = v->depth.x,
                         .pressure = v->pressure.x,
                         .table = {(int)v->pvt_table.i, (int)v->saturation_table.i},
                         .file = record->file,
                         .line = record->line};
  if (e->unsized) return HP_OK;
  if (e->resized)
    return hp_ecl_error(e, record->file, record->line, "cells of aquifers do not move to a grid of another size");
  for (int d = 0; d < 3; ++d) {
    const int at = HP_ECL_AT(aqunum, i) + d;
    if (record->v[at].i > n[d])
      return hp_ecl_error(e, record->file, record->line, "item %d: %c%lld: the grid has %d", at + 1, "ijk"[d],
                          (long long)record -> v[at].i, n[d]);
    one.ijk[d] = (int)record->v[at].i - 1;
  }
  for (int k = 0; k < e->numericals; ++k)
    if (memcmp(e->numerical[k].ijk, one.ijk, sizeof one.ijk) == 0)
      return hp_ecl_error(e, record->file, record->line, "cell (%d,%d,%d) is of aquifer %d already", one.ijk[0] + 1,
                          one.ijk[1] + 1, one.ijk[2] + 1, e->numerical[k].number);
  HP_TRY(HP_GROW(e->numerical, e->numericals, 1));
  e->numerical[e->numericals++] = one;
  return HP_OK;
}

hp_status hp_ecl_do_aqucon(hp_ecl *e, const hp_ecl_record *record) {
  const hp_ecl_items_aqucon *v = &record->aqucon;
  hp_aquifer_faces f = {.number = (int)v->aquifer.i,
                        .inside = v->inside.choice == 1,
                        .multiplier = v->multiplier.x,
                        .by_face = v->transmissibility.i == 1,
                        .file = record->file,
                        .line = record->line};
  if (e->resized)
    return hp_ecl_error(e, record->file, record->line, "connections of aquifers do not move to a grid of another size");
  if (v->transmissibility.i != 0 && v->transmissibility.i != 1)
    return hp_ecl_error(e, record->file, record->line, "item %d: option %lld: must be 0 or 1",
                        HP_ECL_NUMBER(aqucon, transmissibility), (long long)v->transmissibility.i);
  hp_ecl_aquifer_face(v->face.choice, &f);
  HP_TRY(hp_ecl_read_box(e, record, HP_ECL_AT(aqucon, i1), f.box));
  HP_TRY(HP_GROW(e->numerical_face, e->numerical_faces, 1));
  e->numerical_face[e->numerical_faces++] = f;
  return HP_OK;
}

static bool is_known(const hp_ecl *e, int number) {
  for (int n = 0; n < e->numericals; ++n)
    if (e->numerical[n].number == number) return true;
  return false;
}

/* ---- before the grid is made: tables and multipliers of faces ---- */

static hp_status set_table(hp_ecl *e, hp_ecl_array_id id, const hp_aquifer_cell *a, int table) {
  hp_ecl_array *to = &e->array[id];
  if (table == 0) return HP_OK;
  if (to->value == NULL) {
    HP_TRY(hp_ecl_array_make(e, id));
    for (int64_t m = 0; m < hp_ecl_cells(e); ++m) to->value[m] = 1.0;
    to->file = a->file;
    to->line = a->line;
  }
  if (hp_ecl_holds(e, a->ijk[0])) to->value[hp_ecl_natural(e, a->ijk[0], a->ijk[1], a->ijk[2])] = table;
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
    hp_aquifer_faces *f = &e->numerical_face[n];
    int64_t at = 0;
    int begin, end;
    hp_aquifer_own_planes(e->c, f, &begin, &end);
    if (begin >= end) continue;
    HP_TRY(HP_ALLOC(f->mult, (int64_t)(end - begin) * (f->box[3] - f->box[2] + 1) * (f->box[5] - f->box[4] + 1)));
    for (int i = begin; i < end; ++i)
      for (int j = f->box[2]; j <= f->box[3]; ++j)
        for (int k = f->box[4]; k <= f->box[5]; ++k)
          f->mult[at++] = multiplier_at(e, mult[f->minus][f->d], hp_ecl_natural(e, i, j, k));
  }
  return HP_OK;
}

/* ---- the grid ---- */

hp_status hp_ecl_isolate_numerical(hp_ecl *e) {
  const hp_aquifer_cell *a;
  HP_TRY(hp_aquifer_isolate(e->c, e->numericals, e->numerical, &a));
  if (a == NULL) return HP_OK;
  return hp_ecl_error(e, a->file, a->line, "AQUNUM: item %d (porosity) must be given: cell (%d,%d,%d) has none",
                      HP_ECL_NUMBER(aqunum, porosity), a->ijk[0] + 1, a->ijk[1] + 1, a->ijk[2] + 1);
}

hp_status hp_ecl_link_numerical(hp_ecl *e, hp_case_links *links) {
  HP_TRY(hp_aquifer_link_cells(e->c, e->numericals, e->numerical, links));
  if (e->numerical_faces > 0) HP_TRY(hp_grid_learn_before(e->c->grid));
  for (int n = 0; n < e->numerical_faces; ++n) {
    const hp_aquifer_faces *f = &e->numerical_face[n];
    int64_t count;
    if (!is_known(e, f->number))
      return hp_ecl_error(e, f->file, f->line, "AQUCON: aquifer %d: no AQUNUM defines it", f->number);
    HP_TRY(hp_aquifer_link_faces(e->c, e->numericals, e->numerical, f, links, &count));
    if (count == 0)
      hp_ecl_note(e, f->file, f->line, "AQUCON: aquifer %d: no face of this box is open to it", f->number);
  }
  for (int n = 0; n < e->numericals; ++n) {
    const hp_aquifer_cell *a = &e->numerical[n];
    bool other = false; /* an earlier cell of the same aquifer, or a face */
    for (int k = 0; k < n; ++k) other = other || e->numerical[k].number == a->number;
    for (int k = 0; k < e->numerical_faces; ++k) other = other || e->numerical_face[k].number == a->number;
    if (!other)
      hp_ecl_note(e, a->file, a->line, "AQUNUM: aquifer %d: no AQUCON connects it: nothing flows from it", a->number);
  }
  return HP_OK;
}

/* ---- the start ---- */

hp_status hp_ecl_complete_numerical(hp_ecl *e) {
  if (e->c->grid == NULL || e->unsized) return HP_OK;
  HP_TRY(hp_aquifer_complete_numerical(e->c, e->numericals, e->numerical));
  hp_ecl_restart_numerical(e);
  return HP_OK;
}

void hp_ecl_numerical_clear(hp_ecl *e) {
  for (int n = 0; n < e->numerical_faces; ++n) HP_FREE(e->numerical_face[n].mult);
  HP_FREE(e->numerical_face);
  HP_FREE(e->numerical);
}
