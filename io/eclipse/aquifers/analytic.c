/* Analytic aquifers: AQUCT, AQUTAB, AQUFETP, AQUFLUX, and the faces that AQUANCON connects them to. */
#include <math.h>

#include "core/memory.h"
#include "io/config/config.h"
#include "io/eclipse/impl.h"

/* ---- tables ---- */

static hp_status check_influence(hp_ecl *e, int table, const hp_ecl_influence *t) {
  int row;
  const char *fault = hp_aquifer_influence_fault(t->rows, t->td, t->pd, &row);
  if (fault == NULL) return HP_OK;
  if (row == 0) return hp_ecl_error(e, e->file, e->line, "table %d: %s", table, fault);
  return hp_ecl_error(e, e->file, e->line, "table %d, row %d: %s", table, row, fault);
}

static hp_status keep_influence(hp_ecl *e, int rows, const double *cell) {
  HP_TRY(HP_GROW(e->influence, e->influences, 1));
  hp_ecl_influence *t = &e->influence[e->influences++];
  *t = (hp_ecl_influence){.rows = rows};
  HP_TRY(HP_ALLOC(t->td, rows));
  HP_TRY(HP_ALLOC(t->pd, rows));
  for (int n = 0; n < rows; ++n) t->td[n] = cell[2 * n], t->pd[n] = cell[2 * n + 1];
  return check_influence(e, e->influences + 1, t);
}

static hp_status read_influence(hp_ecl *e) {
  int rows;
  double *cell;
  HP_TRY(hp_ecl_read_table(e, 2, &rows, &cell));
  const hp_status s = keep_influence(e, rows, cell);
  HP_FREE(cell);
  return s;
}

hp_status hp_ecl_do_aqutab(hp_ecl *e, const hp_ecl_record *record) {
  (void)record;
  bool first = true;
  for (hp_ecl_token t; first || hp_ecl_data_follow(e); first = false) {
    const bool empty = !first && hp_ecl_slash_next(e);
    const hp_status s = empty ? hp_ecl_word(e, &t) : read_influence(e);
    if (s != HP_OK) return s;
  }
  return HP_OK;
}

/* ---- aquifers ---- */

/* In place of an earlier record of the same aquifer, which must be of the same keyword. */
static hp_status add_aquifer(hp_ecl *e, const hp_ecl_record *record, hp_ecl_aquifer a) {
  static const char *const keyword[HP_AQUIFER_KINDS] = {
      [HP_AQUIFER_CARTER_TRACY] = "AQUCT", [HP_AQUIFER_FETKOVICH] = "AQUFETP", [HP_AQUIFER_FLUX] = "AQUFLUX"};
  a.file = record->file;
  a.line = record->line;
  for (int n = 0; n < e->aquifers; ++n)
    if (e->aquifer[n].spec.number == a.spec.number) {
      const hp_ecl_aquifer *old = &e->aquifer[n];
      if (old->spec.kind != a.spec.kind)
        return hp_ecl_error(e, record->file, record->line, "aquifer %d is one of %s (line %d): give another number",
                            a.spec.number, keyword[old->spec.kind], old->line);
      e->aquifer[n] = a;
      return HP_OK;
    }
  HP_TRY(HP_GROW(e->aquifer, e->aquifers, 1));
  e->aquifer[e->aquifers++] = a;
  return HP_OK;
}

hp_status hp_ecl_do_aquct(hp_ecl *e, const hp_ecl_record *record) {
  const hp_ecl_items_aquct *v = &record->aquct;
  if (v->angle.x > 360.0)
    return hp_ecl_error(e, record->file, record->line, "item %d (angle): %g: must be <= 360",
                        HP_ECL_NUMBER(aquct, angle), v->angle.x);
  return add_aquifer(e, record,
                     (hp_ecl_aquifer){.spec = {.kind = HP_AQUIFER_CARTER_TRACY,
                                               .number = (int)v->aquifer.i,
                                               .datum_depth = v->datum_depth.x,
                                               .pressure = v->pressure.x,
                                               .permeability = v->permeability.x,
                                               .porosity = v->porosity.x,
                                               .compressibility = v->compressibility.x,
                                               .radius = v->radius.x,
                                               .thickness = v->thickness.x,
                                               .angle = v->angle.x / 360.0,
                                               .pvt = (int)v->pvt_table.i - 1},
                                      .table = (int)v->influence.i});
}

hp_status hp_ecl_do_aqufetp(hp_ecl *e, const hp_ecl_record *record) {
  const hp_ecl_items_aqufetp *v = &record->aqufetp;
  const hp_units *u = &e->units;
  return add_aquifer(e, record,
                     (hp_ecl_aquifer){.spec = {.kind = HP_AQUIFER_FETKOVICH,
                                               .number = (int)v->aquifer.i,
                                               .datum_depth = v->datum_depth.x,
                                               .pressure = v->pressure.x,
                                               .volume = v->volume.x,
                                               .compressibility = v->compressibility.x,
                                               .productivity = v->productivity.x *
                                                               (u->factor[HP_UNIT_RATE] / u->factor[HP_UNIT_PRESSURE]),
                                               .pvt = (int)v->pvt_table.i - 1}});
}

hp_status hp_ecl_do_aquflux(hp_ecl *e, const hp_ecl_record *record) {
  const double length = e->units.factor[HP_UNIT_LENGTH];
  return add_aquifer(
      e, record,
      (hp_ecl_aquifer){.spec = {.kind = HP_AQUIFER_FLUX,
                                .number = (int)record->aquflux.aquifer.i,
                                .flux = record->aquflux.flux.x * (e->units.factor[HP_UNIT_RATE] / (length * length))}});
}

/* ---- connections ---- */

void hp_ecl_aquifer_face(int choice, hp_aquifer_faces *f) {
  static const int direction[] = {HP_DIR_I, HP_DIR_J, HP_DIR_K};
  const int face = choice < 12 ? choice % 6 : 2 * ((choice - 12) % 3) + 1; /* I alone is I+ */
  f->d = direction[face / 2];
  f->minus = face % 2 == 0;
}

hp_status hp_ecl_do_aquancon(hp_ecl *e, const hp_ecl_record *record) {
  const hp_ecl_items_aquancon *v = &record->aquancon;
  const double length = e->units.factor[HP_UNIT_LENGTH];
  hp_aquifer_faces f = {.number = (int)v->aquifer.i,
                        .inside = v->inside.choice == 1,
                        .coefficient = v->coefficient.x * length * length,
                        .multiplier = v->multiplier.x,
                        .file = record->file,
                        .line = record->line};
  if (e->resized)
    return hp_ecl_error(e, record->file, record->line, "connections of aquifers do not move to a grid of another size");
  hp_ecl_aquifer_face(v->face.choice, &f);
  HP_TRY(hp_ecl_read_box(e, record, HP_ECL_AT(aquancon, i1), f.box));
  if (f.box[1] < e->planes.first || !(f.box[0] < e->planes.first + e->planes.held)) return HP_OK; /* other ranks' */
  HP_TRY(HP_GROW(e->aquifer_face, e->aquifer_faces, 1));
  e->aquifer_face[e->aquifer_faces++] = f;
  return HP_OK;
}

static hp_status connect_aquifer(hp_ecl *e, hp_aquifer_spec *a, double *weight, bool *none) {
  const hp_grid *g = e->c->grid;
  for (int64_t m = 0; m < g->ncell; ++m) weight[m] = NAN;
  for (int n = 0; n < e->aquifer_faces; ++n)
    if (e->aquifer_face[n].number == a->number) hp_aquifer_add_faces(g, &e->aquifer_face[n], weight);
  return hp_aquifer_connect(g, weight, a, none);
}

static hp_status copy_influence(const hp_ecl *e, int table, hp_aquifer_spec *a) {
  const hp_ecl_influence *t = table > 1 ? &e->influence[table - 2] : NULL;
  a->table = table;
  return t != NULL ? hp_aquifer_influence(a, t->rows, t->td, t->pd) : hp_aquifer_influence(a, 0, NULL, NULL);
}

/* Into the case, where its numbers rise. */
static hp_status place_aquifer(hp_ecl *e, const hp_ecl_aquifer *a, double *weight) {
  static const char *const name[] = {"AQUCT", "AQUFETP", "AQUFLUX"};
  bool none;
  if (a->spec.kind == HP_AQUIFER_CARTER_TRACY && a->table > e->influences + 1)
    return hp_ecl_error(e, a->file, a->line, "AQUCT: item %d: table %d: AQUTAB has %d, from table 2 on",
                        HP_ECL_NUMBER(aquct, influence), a->table, e->influences);
  if (a->spec.pvt >= e->tables[HP_ECL_BY_PVTNUM])
    return hp_ecl_error(e, a->file, a->line, "%s: table %d of water properties: there are %d", name[a->spec.kind],
                        a->spec.pvt + 1, e->tables[HP_ECL_BY_PVTNUM]);
  hp_aquifer_spec *spec = hp_case_place_aquifer(e->c, a->spec.number);
  *spec = a->spec;
  HP_TRY(connect_aquifer(e, spec, weight, &none));
  if (none)
    hp_ecl_note(e, a->file, a->line, "%s: aquifer %d is connected to no cell: nothing flows from it", name[spec->kind],
                spec->number);
  HP_TRY(hp_ecl_restart_aquifer(e, spec, a->file, a->line));
  return spec->kind == HP_AQUIFER_CARTER_TRACY ? copy_influence(e, a->table, spec) : HP_OK;
}

static bool is_known(const hp_ecl *e, int number) {
  for (int n = 0; n < e->aquifers; ++n)
    if (e->aquifer[n].spec.number == number) return true;
  return (e->lost & (HP_ECL_GRID | HP_ECL_PROPS | HP_ECL_SOLUTION)) != 0;
}

hp_status hp_ecl_complete_aquifers(hp_ecl *e) {
  double *weight = NULL;
  HP_TRY(hp_ecl_complete_numerical(e));
  if (hp_config_claims(e->nset, e->set, "aquifers")) return HP_OK; /* those of the options are there */
  for (int n = 0; n < e->aquifer_faces; ++n) {
    const hp_aquifer_faces *f = &e->aquifer_face[n];
    if (!is_known(e, f->number) && e->diag->errors == 0)
      (void)hp_ecl_error(e, f->file, f->line, "AQUANCON: aquifer %d: no AQUCT, AQUFETP or AQUFLUX defines it",
                         f->number);
  }
  if (e->c->grid == NULL || e->unsized) return HP_OK;
  HP_TRY(hp_ecl_restart_aquifers(e));
  if (e->aquifers == 0) return HP_OK;
  HP_TRY(hp_grid_learn_before(e->c->grid));
  HP_TRY(HP_ALLOC(e->c->aquifer, e->aquifers));
  hp_status s = HP_ALLOC(weight, e->c->grid->ncell);
  for (int n = 0; s == HP_OK && n < e->aquifers; ++n) s = place_aquifer(e, &e->aquifer[n], weight);
  HP_FREE(weight);
  return s;
}

void hp_ecl_aquifers_clear(hp_ecl *e) {
  for (int n = 0; n < e->influences; ++n) {
    HP_FREE(e->influence[n].td);
    HP_FREE(e->influence[n].pd);
  }
  HP_FREE(e->influence);
  HP_FREE(e->aquifer);
  HP_FREE(e->aquifer_face);
  hp_ecl_numerical_clear(e);
}
