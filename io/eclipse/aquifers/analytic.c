/* Analytic aquifers: AQUCT, AQUTAB, AQUFETP, AQUFLUX, and the faces that AQUANCON connects them to. */
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "io/eclipse/impl.h"

/* Table 1: the infinite aquifer, constant rate at its inner radius, of van Everdingen and Hurst (1949), Table 1. The
 * times beyond 1000, where the solution is close to (ln td + 0.80907) / 2, end as OPM Flow's do. */
static const double infinite_time[] = {0.01,  0.05,  0.1,    0.15,   0.2,    0.25,   0.3,    0.4,   0.5,   0.6,   0.7,
                                       0.8,   0.9,   1.0,    1.5,    2.0,    2.5,    3.0,    4.0,   5.0,   6.0,   7.0,
                                       8.0,   9.0,   10.0,   15.0,   20.0,   25.0,   30.0,   40.0,  50.0,  60.0,  70.0,
                                       80.0,  90.0,  100.0,  150.0,  200.0,  250.0,  300.0,  400.0, 500.0, 600.0, 700.0,
                                       800.0, 900.0, 1000.0, 2000.0, 5000.0, 8000.0, 10000.0};
static const double infinite_pressure[] = {
    0.112, 0.229, 0.315, 0.376, 0.424, 0.469, 0.503, 0.564, 0.616,  0.659,  0.702,  0.735, 0.772,
    0.802, 0.927, 1.020, 1.101, 1.169, 1.275, 1.362, 1.436, 1.500,  1.556,  1.604,  1.651, 1.829,
    1.960, 2.067, 2.147, 2.282, 2.388, 2.476, 2.550, 2.615, 2.672,  2.723,  2.921,  3.064, 3.173,
    3.263, 3.406, 3.516, 3.608, 3.684, 3.750, 3.809, 3.860, 4.1801, 4.6350, 4.8732, 4.9815};
enum { INFINITE_ROWS = sizeof infinite_time / sizeof *infinite_time };

/* ---- tables ---- */

/* Times and pressures rise, and no row starts from less than nothing: the divisor of Carter and Tracy's rate is positive. */
static hp_status check_influence(hp_ecl *e, int table, const hp_ecl_influence *t) {
  const double *c = t->cell;
  if (t->rows < 2) return hp_ecl_error(e, e->file, e->line, "table %d: at least two rows are needed", table);
  for (int n = 0; n < t->rows; ++n) {
    if (!(c[2 * n] >= 0.0 && c[2 * n + 1] >= 0.0 && isfinite(c[2 * n]) && isfinite(c[2 * n + 1])))
      return hp_ecl_error(e, e->file, e->line, "table %d, row %d: time and pressure must be given and >= 0", table,
                          n + 1);
    if (n == 0) continue;
    if (!(c[2 * n] > c[2 * n - 2] && c[2 * n + 1] > c[2 * n - 1]))
      return hp_ecl_error(e, e->file, e->line, "table %d, row %d: times and pressures must rise", table, n + 1);
    if (c[2 * n - 1] * c[2 * n] < c[2 * n + 1] * c[2 * n - 2] * (1.0 - 1e-9))
      return hp_ecl_error(e, e->file, e->line,
                          "table %d, row %d: the pressure rises by more than in proportion to the time", table, n + 1);
  }
  return HP_OK;
}

static hp_status read_influence(hp_ecl *e) {
  hp_ecl_influence t = {0};
  HP_TRY(hp_ecl_read_table(e, 2, &t.rows, &t.cell));
  hp_status s = HP_ECL_GROW(e->influence, e->influences, e->influence_capacity);
  if (s != HP_OK) {
    HP_FREE(t.cell);
    return s;
  }
  e->influence[e->influences++] = t;
  return check_influence(e, e->influences + 1, &t);
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

/* In place of an earlier record of the same aquifer. */
static hp_status add(hp_ecl *e, const hp_ecl_record *record, hp_ecl_aquifer a) {
  a.spec.number = (int)record->v[0].i;
  a.spec.datum_depth = record->v[1].x;
  a.file = record->file;
  a.line = record->line;
  for (int n = 0; n < e->aquifers; ++n)
    if (e->aquifer[n].spec.number == a.spec.number) {
      e->aquifer[n] = a;
      return HP_OK;
    }
  HP_TRY(HP_ECL_GROW(e->aquifer, e->aquifers, e->aquifer_capacity));
  e->aquifer[e->aquifers++] = a;
  return HP_OK;
}

hp_status hp_ecl_do_aquct(hp_ecl *e, const hp_ecl_record *record) {
  const hp_ecl_value *v = record->v;
  if (v[8].x > 360.0) return hp_ecl_error(e, record->file, record->line, "item 9 (angle): %g: must be <= 360", v[8].x);
  return add(e, record,
             (hp_ecl_aquifer){.spec = {.kind = HP_AQUIFER_CARTER_TRACY,
                                       .pressure = v[2].x,
                                       .permeability = v[3].x,
                                       .porosity = v[4].x,
                                       .compressibility = v[5].x,
                                       .radius = v[6].x,
                                       .thickness = v[7].x,
                                       .angle = v[8].x / 360.0,
                                       .pvt = (int)v[9].i - 1},
                              .table = (int)v[10].i});
}

hp_status hp_ecl_do_aqufetp(hp_ecl *e, const hp_ecl_record *record) {
  const hp_ecl_value *v = record->v;
  const hp_units *u = &e->units;
  return add(e, record,
             (hp_ecl_aquifer){.spec = {.kind = HP_AQUIFER_FETKOVICH,
                                       .pressure = v[2].x,
                                       .volume = v[3].x,
                                       .compressibility = v[4].x,
                                       .productivity = v[5].x * (u->factor[HP_UNIT_RATE] / u->factor[HP_UNIT_PRESSURE]),
                                       .pvt = (int)v[6].i - 1}});
}

/* Item 2 is the flux. */
hp_status hp_ecl_do_aquflux(hp_ecl *e, const hp_ecl_record *record) {
  const double length = e->units.factor[HP_UNIT_LENGTH];
  return add(e, record,
             (hp_ecl_aquifer){.spec = {.kind = HP_AQUIFER_FLUX,
                                       .flux = record->v[1].x * (e->units.factor[HP_UNIT_RATE] / (length * length))}});
}

/* ---- connections ---- */

void hp_ecl_aquifer_face(int choice, hp_ecl_aquifer_faces *f) {
  static const int direction[] = {HP_DIR_I, HP_DIR_J, HP_DIR_K};
  const int face = choice < 12 ? choice % 6 : 2 * ((choice - 12) % 3) + 1; /* I alone is I+ */
  f->d = direction[face / 2];
  f->minus = face % 2 == 0;
}

hp_status hp_ecl_do_aquancon(hp_ecl *e, const hp_ecl_record *record) {
  const hp_ecl_value *v = record->v;
  const double length = e->units.factor[HP_UNIT_LENGTH];
  hp_ecl_aquifer_faces f = {.number = (int)v[0].i,
                            .inside = v[10].choice == 1,
                            .coefficient = v[8].x * length * length,
                            .multiplier = v[9].x,
                            .file = record->file,
                            .line = record->line};
  if (e->resized)
    return hp_ecl_error(e, record->file, record->line, "connections of aquifers do not move to a grid of another size");
  hp_ecl_aquifer_face(v[7].choice, &f);
  HP_TRY(hp_ecl_read_box(e, record, 1, f.box));
  HP_TRY(HP_ECL_GROW(e->aquifer_face, e->aquifer_faces, e->aquifer_faces_capacity));
  e->aquifer_face[e->aquifer_faces++] = f;
  return HP_OK;
}

double hp_ecl_face_area(const hp_grid *g, int64_t m, int d) {
  return d == HP_DIR_I ? g->dy[m] * g->dz[m] : d == HP_DIR_J ? g->dx[m] * g->dz[m] : g->dx[m] * g->dy[m];
}

bool hp_ecl_aquifer_face_is_open(const hp_grid *g, const hp_ecl_aquifer_faces *f, int i, int j, int k) {
  const int at = f->d == HP_DIR_I ? i : f->d == HP_DIR_J ? j : k;
  const int n = f->d == HP_DIR_I ? g->nx : f->d == HP_DIR_J ? g->ny : g->nz;
  const int64_t m = hp_grid_cell(g, i, j, k), stride = hp_grid_stride(g, f->d);
  if (!g->active[m]) return false;
  if (f->inside || (f->minus ? at == 0 : at == n - 1)) return true;
  return !g->active[f->minus ? m - stride : m + stride];
}

/* Adds the record's faces to weight [ncell]: NAN in cells that are not connected. */
static int64_t add_faces(const hp_grid *g, const hp_ecl_aquifer_faces *f, double *weight) {
  int64_t count = 0;
  for (int i = f->box[0]; i <= f->box[1]; ++i)
    for (int j = f->box[2]; j <= f->box[3]; ++j)
      for (int k = f->box[4]; k <= f->box[5]; ++k) {
        const int64_t m = hp_grid_cell(g, i, j, k);
        if (!hp_ecl_aquifer_face_is_open(g, f, i, j, k)) continue;
        const double coefficient = isnan(f->coefficient) ? hp_ecl_face_area(g, m, f->d) : f->coefficient;
        count += isnan(weight[m]);
        weight[m] = (isnan(weight[m]) ? 0.0 : weight[m]) + coefficient * f->multiplier;
      }
  return count;
}

static hp_status connect(hp_ecl *e, hp_aquifer_spec *a, double *weight) {
  const hp_grid *g = e->c->grid;
  for (int64_t m = 0; m < g->ncell; ++m) weight[m] = NAN;
  for (int n = 0; n < e->aquifer_faces; ++n)
    if (e->aquifer_face[n].number == a->number) a->nconnection += add_faces(g, &e->aquifer_face[n], weight);
  HP_TRY(HP_ALLOC(a->cell, a->nconnection));
  HP_TRY(HP_ALLOC(a->weight, a->nconnection));
  int64_t at = 0;
  for (int64_t m = 0; m < g->ncell; ++m) {
    if (isnan(weight[m])) continue;
    a->cell[at] = m;
    a->weight[at++] = weight[m];
  }
  return HP_OK;
}

static hp_status copy_influence(const hp_ecl *e, int table, hp_aquifer_spec *a) {
  const hp_ecl_influence *t = table > 1 ? &e->influence[table - 2] : NULL;
  a->table = table;
  a->rows = t != NULL ? t->rows : INFINITE_ROWS;
  HP_TRY(HP_ALLOC(a->td, a->rows));
  HP_TRY(HP_ALLOC(a->pd, a->rows));
  for (int n = 0; n < a->rows; ++n) {
    a->td[n] = t != NULL ? t->cell[2 * n] : infinite_time[n];
    a->pd[n] = t != NULL ? t->cell[2 * n + 1] : infinite_pressure[n];
  }
  return HP_OK;
}

/* Into the case, where its numbers rise. */
static hp_status place(hp_ecl *e, const hp_ecl_aquifer *a, double *weight) {
  static const char *const name[] = {"AQUCT", "AQUFETP", "AQUFLUX"};
  hp_case *c = e->c;
  int at = c->naquifer;
  if (a->spec.kind == HP_AQUIFER_CARTER_TRACY && a->table > e->influences + 1)
    return hp_ecl_error(e, a->file, a->line, "AQUCT: item 11: table %d: AQUTAB has %d, from table 2 on", a->table,
                        e->influences);
  if (a->spec.pvt >= e->tables[HP_ECL_BY_PVTNUM])
    return hp_ecl_error(e, a->file, a->line, "%s: table %d of water properties: there are %d", name[a->spec.kind],
                        a->spec.pvt + 1, e->tables[HP_ECL_BY_PVTNUM]);
  for (; at > 0 && c->aquifer[at - 1].number > a->spec.number; --at) c->aquifer[at] = c->aquifer[at - 1];
  hp_aquifer_spec *spec = &c->aquifer[at];
  *spec = a->spec;
  c->naquifer += 1;
  HP_TRY(connect(e, spec, weight));
  double sum = 0.0;
  for (int64_t n = 0; n < spec->nconnection; ++n) sum += spec->weight[n];
  if (!(sum > 0.0)) {
    hp_ecl_note(e, a->file, a->line, "%s: aquifer %d is connected to no cell: nothing flows from it", name[spec->kind],
                spec->number);
    hp_aquifer_spec_clear(spec);
  }
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
  for (int n = 0; n < e->aquifer_faces; ++n) {
    const hp_ecl_aquifer_faces *f = &e->aquifer_face[n];
    if (!is_known(e, f->number) && e->diag->errors == 0)
      (void)hp_ecl_error(e, f->file, f->line, "AQUANCON: aquifer %d: no AQUCT, AQUFETP or AQUFLUX defines it",
                         f->number);
  }
  if (e->c->grid == NULL || e->unsized) return HP_OK;
  HP_TRY(hp_ecl_restart_aquifers(e));
  if (e->aquifers == 0) return HP_OK;
  HP_TRY(HP_ALLOC(e->c->aquifer, e->aquifers));
  hp_status s = HP_ALLOC(weight, e->c->grid->ncell);
  for (int n = 0; s == HP_OK && n < e->aquifers; ++n) s = place(e, &e->aquifer[n], weight);
  HP_FREE(weight);
  return s;
}

void hp_ecl_aquifers_clear(hp_ecl *e) {
  for (int n = 0; n < e->influences; ++n) HP_FREE(e->influence[n].cell);
  HP_FREE(e->influence);
  HP_FREE(e->aquifer);
  HP_FREE(e->aquifer_face);
  hp_ecl_numerical_clear(e);
}
