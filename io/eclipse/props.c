/* Fluids, saturation functions, rock. */
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/plural.h"
#include "io/config/config.h"
#include "io/eclipse/impl.h"

/* PVT and rock */

hp_status hp_ecl_do_density(hp_ecl *e, const hp_ecl_record *record) {
  hp_pvt_spec *pvt = e->c->fluid.pvt[e->table];
  pvt[HP_OIL].density = record->v[0].x;
  pvt[HP_WATER].density = record->v[1].x;
  return HP_OK;
}

static hp_status set_pvt(hp_ecl *e, const hp_ecl_record *record, int phase) {
  hp_pvt_spec *pvt = &e->c->fluid.pvt[e->table][phase];
  const hp_ecl_value *v = record->v;
  pvt->p_ref = v[0].x;
  pvt->b_ref = v[1].x;
  pvt->compressibility = v[2].x;
  pvt->viscosity = v[3].x;
  pvt->viscosibility = v[4].x;
  return HP_OK;
}

hp_status hp_ecl_do_pvtw(hp_ecl *e, const hp_ecl_record *record) { return set_pvt(e, record, HP_WATER); }
hp_status hp_ecl_do_pvcdo(hp_ecl *e, const hp_ecl_record *record) { return set_pvt(e, record, HP_OIL); }

/* ROCKOPTS, which may come later, says how many records there must be: all that stand here are read, and counted when
 * the deck has been read. */
hp_status hp_ecl_do_rock(hp_ecl *e, const hp_ecl_record *record) {
  (void)record;
  const hp_ecl_keyword_entry *entry = e->entry;
  e->rock = true;
  e->rocks = 0;
  e->rock_file = e->file;
  e->rock_line = e->line;
  do {
    hp_ecl_record one;
    bool empty = false;
    if (e->rocks > 0 && hp_ecl_slash_next(e)) {
      hp_ecl_token slash;
      HP_TRY(hp_ecl_word(e, &slash));
      one = (hp_ecl_record){.file = slash.file, .line = slash.line};
      empty = true;
    } else {
      const hp_status s = hp_ecl_read_record(e, entry->item, entry->items, &one, &empty);
      e->rock_faulty = e->rock_faulty || s != HP_OK || one.faulty;
      HP_TRY(s);
      empty = false;
    }
    HP_TRY(HP_ECL_GROW(e->rock_record, e->rocks, e->rock_capacity));
    hp_ecl_rock *to = &e->rock_record[e->rocks++];
    if (empty) *to = to[-1];
    else to->spec = (hp_rock_spec){.p_ref = one.v[0].x, .compressibility = one.v[1].x};
    to->repeats = empty;
    to->file = one.file;
    to->line = one.line;
  } while (hp_ecl_data_follow(e));
  return HP_OK;
}

/* Tables of ROCKTAB: ROCKCOMP item 2, else TABDIMS item 13. */
static int compaction_tables(const hp_ecl *e) {
  if (e->compaction_tables > 0) return e->compaction_tables;
  return e->rock_tables > 0 ? e->rock_tables : 1;
}

/* As many records as ROCKOPTS says; a '/' behind the last one says nothing. */
static hp_status finish_rock(hp_ecl *e) {
  static const char *const of[] = {
      [HP_ECL_BY_SATNUM] = "saturation functions (TABDIMS item 1)", [HP_ECL_BY_PVTNUM] = "PVT (TABDIMS item 2)"};
  hp_fluid_spec *f = &e->c->fluid;
  const bool by_rocknum = e->rock_by_rocknum && e->rock_tables > 0;
  const int count = e->rock_count = e->compacts  ? compaction_tables(e)
                                    : by_rocknum ? e->rock_tables
                                                 : e->tables[e->rock_by];
  const char *what = e->compacts ? "ROCKTAB (ROCKCOMP item 2)" : by_rocknum ? "ROCK (TABDIMS item 13)" : of[e->rock_by];
  HP_TRY(hp_fluid_spec_grow(f, 1, 1, count));
  if (e->rocks == 0 || e->rock_faulty) return HP_OK; /* reported */
  if (e->rocks < count)
    return hp_ecl_error(e, e->rock_file, e->rock_line, "ROCK: %d record%s, %d %s needed: the tables of %s", e->rocks,
                        hp_plural(e->rocks), count, hp_is(count), what);
  for (int n = 0; n < e->rocks; ++n) {
    const hp_ecl_rock *from = &e->rock_record[n];
    if (n < count) {
      f->rock[n].p_ref = from->spec.p_ref;
      f->rock[n].compressibility = from->spec.compressibility;
    } else if (!from->repeats)
      return hp_ecl_error(e, from->file, from->line,
                          "ROCK: record %d, there %s only %d table%s of %s; ROCKOPTS item 3 "
                          "says which count",
                          n + 1, hp_is(count), count, hp_plural(count), what);
  }
  return HP_OK;
}

/* tables */

/* Column c of cells [rows][columns] times factor. */
static hp_status column(const double *cell, int rows, int columns, int c, double factor, double **out) {
  HP_FREE(*out);
  HP_TRY(HP_ALLOC(*out, rows));
  for (int n = 0; n < rows; ++n) (*out)[n] = cell[n * columns + c] * factor;
  return HP_OK;
}

/* Where values of column c are left out they are interpolated in column 0; at the column's ends they are those of the
 * nearest row that has one. */
static void interpolate_gaps(hp_ecl *e, double *cell, int rows, int columns, int c, const char *name) {
  for (int n = 0; n < rows; ++n) {
    if (!isnan(cell[n * columns + c])) continue;
    int next = n + 1;
    while (next < rows && isnan(cell[next * columns + c])) ++next;
    if (c == 0 || (n == 0 && next == rows)) {
      (void)hp_ecl_error(e, e->file, e->line, "row %d: %s must be given", n + 1, name);
      cell[n * columns + c] = INFINITY;
      continue;
    }
    const double *a = &cell[(n > 0 ? n - 1 : next) * columns], *b = &cell[(next < rows ? next : n - 1) * columns];
    const double t = a == b ? 0.0 : (cell[n * columns] - a[0]) / (b[0] - a[0]);
    const double v = a[c] + t * (b[c] - a[c]);
    cell[n * columns + c] = isnan(v) ? INFINITY : v; /* between faults */
  }
}

static bool rises_so(int slope, double rise) {
  switch (slope) {
    case 2: return rise > 0.0;
    case 1: return rise >= 0.0;
    case -1: return rise <= 0.0;
    case -2: return rise < 0.0;
    default: return true;
  }
}

/* How a column runs: strictly rising (2), not falling (1), not rising (-1), strictly falling (-2); within lo..hi.
 * Infinite values have been reported. */
static void check_column(hp_ecl *e, const double *cell, int rows, int columns, int c, const char *name, int slope,
                         double lo, double hi) {
  static const char *const text[] = {"must fall", "must not rise", "", "must not fall", "must rise"};
  for (int n = 0; n < rows; ++n) {
    const double v = cell[n * columns + c], before = n > 0 ? cell[(n - 1) * columns + c] : NAN;
    if (isinf(v)) continue;
    if (isnan(v)) (void)hp_ecl_error(e, e->file, e->line, "row %d: %s must be given", n + 1, name);
    else if (!(v >= lo && v <= hi) && hi < INFINITY)
      (void)hp_ecl_error(e, e->file, e->line, "row %d: %s is %g, must be in %g..%g", n + 1, name, v, lo, hi);
    else if (!(v >= lo && v <= hi))
      (void)hp_ecl_error(e, e->file, e->line, "row %d: %s is %g, must be >= %g", n + 1, name, v, lo);
    else if (isfinite(before) && !rises_so(slope, v - before))
      (void)hp_ecl_error(e, e->file, e->line, "row %d: %s is %g after %g, it %s", n + 1, name, v, before,
                         text[slope + 2]);
  }
}

typedef struct {
  const char *name;
  int slope;
  double lo, hi;
  int zero; /* 1: begins with 0, -1: ends with 0 */
} column_rule;

/* Reads a table and checks it; gaps: values may be left out; zero: the columns
 * that begin (1) or end (-1) with 0. *cell is the caller's to free also after a failure. */
static hp_status read_checked(hp_ecl *e, int columns, const column_rule *rule, bool gaps, int *rows, double **cell) {
  const int errors = e->diag->errors;
  HP_TRY(hp_ecl_read_table(e, columns, rows, cell));
  if (*rows < 2) (void)hp_ecl_error(e, e->file, e->line, "one row, at least two are needed");
  for (int c = 0; c < columns; ++c) {
    if (gaps) interpolate_gaps(e, *cell, *rows, columns, c, rule[c].name);
    check_column(e, *cell, *rows, columns, c, rule[c].name, rule[c].slope, rule[c].lo, rule[c].hi);
  }
  for (int c = 0; c < columns; ++c) {
    const double v = (*cell)[rule[c].zero > 0 ? c : (*rows - 1) * columns + c];
    if (rule[c].zero != 0 && isfinite(v) && v != 0.0)
      (void)hp_ecl_error(e, e->file, e->line, "%s of the %s row is %g: it must be 0", rule[c].name,
                         rule[c].zero > 0 ? "first" : "last", v);
  }
  return e->diag->errors == errors ? HP_OK : HP_ERR_DECK;
}

/* Calls `read` for each table. One that holds nothing repeats the one before, which it finds in e->table - 1. */
static hp_status each_table(hp_ecl *e, hp_ecl_by by, hp_status (*read)(hp_ecl *e), hp_status (*repeat)(hp_ecl *e)) {
  const int errors = e->diag->errors;
  for (e->table = 0; e->table < e->tables[by]; ++e->table) {
    hp_ecl_token t;
    const bool word = hp_ecl_peek(&e->lexer, &t);
    if (e->table > 0 && word && hp_ecl_find(&t) != NULL)
      return hp_ecl_error(e, e->file, e->line, "%d table%s, %d %s needed", e->table, hp_plural(e->table), e->tables[by],
                          hp_is(e->tables[by]));
    const bool empty = e->table > 0 && hp_ecl_slash_next(e);
    if (empty) HP_TRY(hp_ecl_word(e, &t));
    const hp_status s = empty ? repeat(e) : read(e);
    if (s != HP_OK && (s != HP_ERR_DECK || e->tables[by] == 1)) return s;
  }
  return e->diag->errors == errors ? HP_OK : HP_ERR_DECK;
}

static hp_status copy_numbers(const double *from, int rows, double **to) {
  HP_FREE(*to);
  HP_TRY(HP_ALLOC(*to, rows));
  memcpy(*to, from, (size_t)rows * sizeof **to);
  return HP_OK;
}

static hp_status repeat_pvdo(hp_ecl *e) {
  const hp_pvt_spec *from = &e->c->fluid.pvt[e->table - 1][HP_OIL];
  hp_pvt_spec *to = &e->c->fluid.pvt[e->table][HP_OIL];
  HP_TRY(copy_numbers(from->p, from->rows, &to->p));
  HP_TRY(copy_numbers(from->b, from->rows, &to->b));
  HP_TRY(copy_numbers(from->mu, from->rows, &to->mu));
  to->rows = from->rows;
  return HP_OK;
}

static hp_status copy_sat(const hp_sat_spec *from, hp_sat_spec *to) {
  if (from->s != NULL) HP_TRY(copy_numbers(from->s, from->rows, &to->s));
  if (from->krw != NULL) HP_TRY(copy_numbers(from->krw, from->rows, &to->krw));
  if (from->kro != NULL) HP_TRY(copy_numbers(from->kro, from->rows, &to->kro));
  if (from->pc != NULL) HP_TRY(copy_numbers(from->pc, from->rows, &to->pc));
  to->model = from->model;
  to->rows = from->rows;
  return HP_OK;
}

static hp_status repeat_swof(hp_ecl *e) { return copy_sat(&e->c->fluid.sat[e->table - 1], &e->c->fluid.sat[e->table]); }
static hp_status repeat_swfn(hp_ecl *e) { return copy_sat(&e->swfn[e->table - 1], &e->swfn[e->table]); }
static hp_status repeat_sof2(hp_ecl *e) { return copy_sat(&e->sof2[e->table - 1], &e->sof2[e->table]); }

static hp_status read_pvdo(hp_ecl *e) {
  static const column_rule rule[3] = {{"the pressure", 2, 0.0, INFINITY, 0},
                                      {"the formation volume factor", -1, 1e-10, INFINITY, 0},
                                      {"the viscosity", 0, 1e-10, INFINITY, 0}};
  hp_pvt_spec *pvt = &e->c->fluid.pvt[e->table][HP_OIL];
  int rows = 0;
  double *cell = NULL;
  hp_status s = read_checked(e, 3, rule, false, &rows, &cell);
  if (s == HP_OK) s = column(cell, rows, 3, 0, e->units.factor[HP_UNIT_PRESSURE], &pvt->p);
  if (s == HP_OK) s = column(cell, rows, 3, 1, 1.0, &pvt->b);
  if (s == HP_OK) s = column(cell, rows, 3, 2, e->units.factor[HP_UNIT_VISCOSITY], &pvt->mu);
  if (s == HP_OK) pvt->rows = rows;
  HP_FREE(cell);
  return s;
}

static hp_status repeat_rocktab(hp_ecl *e) {
  const hp_rock_spec *from = &e->c->fluid.rock[e->table - 1];
  hp_rock_spec *to = &e->c->fluid.rock[e->table];
  HP_TRY(copy_numbers(from->p, from->rows, &to->p));
  HP_TRY(copy_numbers(from->pv, from->rows, &to->pv));
  for (int c = 0; c < from->columns; ++c) HP_TRY(copy_numbers(from->trans[c], from->rows, &to->trans[c]));
  to->rows = from->rows;
  to->columns = from->columns;
  to->irreversible = from->irreversible;
  return HP_OK;
}

static hp_status read_rocktab(hp_ecl *e) {
  static const column_rule one[] = {{"the pressure", 2, -INFINITY, INFINITY, 0},
                                    {"the multiplier of the pore volume", 0, 1e-10, INFINITY, 0},
                                    {"the multiplier of the transmissibility", 0, 0.0, INFINITY, 0}};
  static const column_rule three[] = {{"the pressure", 2, -INFINITY, INFINITY, 0},
                                      {"the multiplier of the pore volume", 0, 1e-10, INFINITY, 0},
                                      {"the multiplier along x", 0, 0.0, INFINITY, 0},
                                      {"the multiplier along y", 0, 0.0, INFINITY, 0},
                                      {"the multiplier along z", 0, 0.0, INFINITY, 0}};
  hp_rock_spec *rock = &e->c->fluid.rock[e->table];
  const int columns = e->directional ? 3 : 1;
  int rows = 0;
  double *cell = NULL;
  hp_status s = read_checked(e, 2 + columns, e->directional ? three : one, true, &rows, &cell);
  if (s == HP_OK) s = column(cell, rows, 2 + columns, 0, e->units.factor[HP_UNIT_PRESSURE], &rock->p);
  if (s == HP_OK) s = column(cell, rows, 2 + columns, 1, 1.0, &rock->pv);
  for (int c = 0; c < columns && s == HP_OK; ++c) s = column(cell, rows, 2 + columns, 2 + c, 1.0, &rock->trans[c]);
  if (s == HP_OK) {
    rock->rows = rows;
    rock->columns = columns;
    rock->irreversible = e->irreversible;
  }
  HP_FREE(cell);
  return s;
}

/* saturation functions */

static hp_status read_swof(hp_ecl *e) {
  static const column_rule rule[4] = {{"the water saturation", 2, 0.0, 1.0, 0},
                                      {"krw", 1, 0.0, INFINITY, 1},
                                      {"kro", -1, 0.0, INFINITY, -1},
                                      {"the capillary pressure", -1, -INFINITY, INFINITY, 0}};
  hp_sat_spec *sat = &e->c->fluid.sat[e->table];
  int rows = 0;
  double *cell = NULL;
  hp_status s = read_checked(e, 4, rule, true, &rows, &cell);
  if (s == HP_OK) s = column(cell, rows, 4, 0, 1.0, &sat->s);
  if (s == HP_OK) s = column(cell, rows, 4, 1, 1.0, &sat->krw);
  if (s == HP_OK) s = column(cell, rows, 4, 2, 1.0, &sat->kro);
  if (s == HP_OK) s = column(cell, rows, 4, 3, e->units.factor[HP_UNIT_PRESSURE], &sat->pc);
  if (s == HP_OK) {
    sat->model = HP_SAT_TABLE;
    sat->rows = rows;
  }
  HP_FREE(cell);
  return s;
}

static hp_status read_swfn(hp_ecl *e) {
  static const column_rule rule[3] = {{"the water saturation", 2, 0.0, 1.0, 0},
                                      {"krw", 1, 0.0, INFINITY, 1},
                                      {"the capillary pressure", -1, -INFINITY, INFINITY, 0}};
  int rows = 0;
  double *cell = NULL;
  hp_status s = read_checked(e, 3, rule, true, &rows, &cell);
  if (s == HP_OK) s = column(cell, rows, 3, 0, 1.0, &e->swfn[e->table].s);
  if (s == HP_OK) s = column(cell, rows, 3, 1, 1.0, &e->swfn[e->table].krw);
  if (s == HP_OK) s = column(cell, rows, 3, 2, e->units.factor[HP_UNIT_PRESSURE], &e->swfn[e->table].pc);
  if (s == HP_OK) e->swfn[e->table].rows = rows;
  HP_FREE(cell);
  return s;
}

static hp_status read_sof2(hp_ecl *e) {
  static const column_rule rule[2] = {{"the oil saturation", 2, 0.0, 1.0, 0}, {"kro", 1, 0.0, INFINITY, 1}};
  int rows = 0;
  double *cell = NULL;
  hp_status s = read_checked(e, 2, rule, true, &rows, &cell);
  if (s == HP_OK) s = column(cell, rows, 2, 0, 1.0, &e->sof2[e->table].s);
  if (s == HP_OK) s = column(cell, rows, 2, 1, 1.0, &e->sof2[e->table].kro);
  if (s == HP_OK) e->sof2[e->table].rows = rows;
  HP_FREE(cell);
  return s;
}

hp_status hp_ecl_do_pvdo(hp_ecl *e, const hp_ecl_record *record) {
  (void)record;
  return each_table(e, HP_ECL_BY_PVTNUM, read_pvdo, repeat_pvdo);
}

hp_status hp_ecl_do_rocktab(hp_ecl *e, const hp_ecl_record *record) {
  (void)record;
  if (!e->compacts) {
    if ((e->lost & HP_ECL_RUNSPEC) == 0) (void)hp_ecl_error(e, e->file, e->line, "needs ROCKCOMP in RUNSPEC");
    return hp_ecl_skip_numbers(e);
  }
  e->rocktab = true;
  e->tables[HP_ECL_BY_ROCKNUM] = compaction_tables(e);
  HP_TRY(hp_fluid_spec_grow(&e->c->fluid, 1, 1, e->tables[HP_ECL_BY_ROCKNUM]));
  return each_table(e, HP_ECL_BY_ROCKNUM, read_rocktab, repeat_rocktab);
}

hp_status hp_ecl_do_swof(hp_ecl *e, const hp_ecl_record *record) {
  (void)record;
  return each_table(e, HP_ECL_BY_SATNUM, read_swof, repeat_swof);
}

hp_status hp_ecl_do_swfn(hp_ecl *e, const hp_ecl_record *record) {
  (void)record;
  if (e->swfn == NULL) HP_TRY(HP_ALLOC(e->swfn, e->tables[HP_ECL_BY_SATNUM]));
  return each_table(e, HP_ECL_BY_SATNUM, read_swfn, repeat_swfn);
}

hp_status hp_ecl_do_sof2(hp_ecl *e, const hp_ecl_record *record) {
  (void)record;
  if (e->sof2 == NULL) HP_TRY(HP_ALLOC(e->sof2, e->tables[HP_ECL_BY_SATNUM]));
  return each_table(e, HP_ECL_BY_SATNUM, read_sof2, repeat_sof2);
}

hp_status hp_ecl_do_scalecrs(hp_ecl *e, const hp_ecl_record *record) {
  e->three_point = record->v[0].choice == 1;
  return HP_OK;
}

hp_status hp_ecl_do_ppcwmax(hp_ecl *e, const hp_ecl_record *record) {
  hp_sat_spec *sat = &e->c->fluid.sat[e->table];
  sat->swatinit_pc_max = record->v[0].x;
  sat->swatinit_swl = record->v[1].choice == 1;
  return HP_OK;
}

hp_status hp_ecl_do_rockcomp(hp_ecl *e, const hp_ecl_record *record) {
  enum { TABLES_MAX = 10000 };
  if (record->v[1].i > TABLES_MAX)
    return hp_ecl_error(e, record->file, record->line, "item 2: more than %d tables", TABLES_MAX);
  e->compacts = true;
  e->irreversible = record->v[0].choice == 1;
  e->compaction_tables = (int)record->v[1].i;
  return HP_OK;
}

hp_status hp_ecl_do_rktrmdir(hp_ecl *e, const hp_ecl_record *record) {
  (void)record;
  e->directional = true;
  return HP_OK;
}

hp_status hp_ecl_do_rockopts(hp_ecl *e, const hp_ecl_record *record) {
  static const hp_ecl_by by[] = {HP_ECL_BY_PVTNUM, HP_ECL_BY_SATNUM, HP_ECL_BY_PVTNUM};
  e->rock_by = by[record->v[2].choice];
  e->rock_by_rocknum = record->v[2].choice == 2;
  return HP_OK;
}

/* y at x, linear between the rows and constant outside. */
static double table_at(const double *x, const double *y, int rows, double at) {
  if (at <= x[0]) return y[0];
  for (int n = 1; n < rows; ++n)
    if (at <= x[n]) return y[n - 1] + (at - x[n - 1]) / (x[n] - x[n - 1]) * (y[n] - y[n - 1]);
  return y[rows - 1];
}

/* One table from two: the rows of both, so that nothing of the piecewise
 * linear functions is lost. Saturations that differ by rounding only are one.
 * The range of water saturation is SWFN's; SOF2 is constant outside its own. */
static hp_status merge_tables(hp_ecl *e, int table) {
  enum { NEAR = 1000000000 };
  const hp_sat_spec *w = &e->swfn[table], *o = &e->sof2[table];
  hp_sat_spec *sat = &e->c->fluid.sat[table];
  if (w->rows == 0 || o->rows == 0) return HP_OK; /* reported */
  const int most = w->rows + o->rows;
  HP_TRY(HP_ALLOC(sat->s, most));
  HP_TRY(HP_ALLOC(sat->krw, most));
  HP_TRY(HP_ALLOC(sat->kro, most));
  HP_TRY(HP_ALLOC(sat->pc, most));
  int rows = 0;
  for (int a = 0, b = o->rows - 1; a < w->rows || b >= 0;) {
    const double from_w = a < w->rows ? w->s[a] : INFINITY, from_o = b >= 0 ? 1.0 - o->s[b] : INFINITY;
    const double s = from_w <= from_o + 1.0 / NEAR ? from_w : from_o;
    if (from_w <= s + 1.0 / NEAR) ++a;
    if (from_o <= s + 1.0 / NEAR) --b;
    if (s < w->s[0] - 1.0 / NEAR || s > w->s[w->rows - 1] + 1.0 / NEAR) continue;
    sat->s[rows] = s;
    sat->krw[rows] = table_at(w->s, w->krw, w->rows, s);
    sat->pc[rows] = table_at(w->s, w->pc, w->rows, s);
    sat->kro[rows] = table_at(o->s, o->kro, o->rows, 1.0 - s);
    rows += 1;
  }
  sat->model = HP_SAT_TABLE;
  sat->rows = rows;
  if (sat->kro[rows - 1] <= 1e-9) return HP_OK;
  char why[128];
  snprintf(why, sizeof why, "kro is %g at the largest water saturation of SWFN: it must be 0", sat->kro[rows - 1]);
  return hp_ecl_error_at(e, "SOF2", why);
}

/* regions */

/* Numbers of tables of all cells, in cell order; NULL: all are the first. */
static hp_status region_numbers(hp_ecl *e, hp_ecl_array_id id, int count, uint16_t **to) {
  hp_ecl_array *a = &e->array[id];
  const int64_t cells = (int64_t)e->nx * e->ny * e->nz;
  bool one = true;
  double *in_cells = NULL;
  if (a->value == NULL || a->faulty) return HP_OK;
  for (int64_t m = 0; m < cells; ++m) {
    one = one && a->value[m] == 1.0;
    if (a->value[m] <= count) continue;
    a->faulty = true;
    return hp_ecl_error(e, a->file, a->line, "%s: cell (%d,%d,%d): %g, there %s only %d", hp_ecl_array_name(id),
                        (int)(m % e->nx) + 1, (int)(m / e->nx % e->ny) + 1, (int)(m / e->nx / e->ny) + 1, a->value[m],
                        hp_is(count), count);
  }
  if (one) return HP_OK;
  HP_TRY(HP_ALLOC(*to, cells));
  HP_TRY(HP_ALLOC(in_cells, cells));
  hp_grid_from_natural(e->nx, e->ny, e->nz, a->value, in_cells);
  for (int64_t m = 0; m < cells; ++m) (*to)[m] = (uint16_t)(in_cells[m] - 1.0);
  HP_FREE(in_cells);
  return HP_OK;
}

static hp_status keep(hp_ecl *e, hp_ecl_array_id id, double **to) {
  if (e->array[id].value == NULL || e->array[id].faulty) return HP_OK;
  HP_TRY(HP_ALLOC(*to, (int64_t)e->nx * e->ny * e->nz));
  hp_grid_from_natural(e->nx, e->ny, e->nz, e->array[id].value, *to);
  return HP_OK;
}

static hp_status finish_end_points(hp_ecl *e) {
  static const hp_ecl_array_id array[HP_ENDS] = {
      [HP_END_SWL] = HP_ECL_SWL, [HP_END_SWCR] = HP_ECL_SWCR, [HP_END_SWU] = HP_ECL_SWU, [HP_END_SOWCR] = HP_ECL_SOWCR,
      [HP_END_KRW] = HP_ECL_KRW, [HP_END_KRO] = HP_ECL_KRO,   [HP_END_PCW] = HP_ECL_PCW};
  hp_fluid_spec *r = &e->c->fluid;
  for (int n = 0; n < HP_ENDS; ++n) {
    const hp_ecl_array *a = &e->array[array[n]];
    if (a->value != NULL && !e->endscale)
      (void)hp_ecl_error(e, a->file, a->line, "%s needs ENDSCALE in RUNSPEC", hp_ecl_array_name(array[n]));
    HP_TRY(keep(e, array[n], &r->end[n]));
    e->c->end_file[n] = a->file;
    e->c->end_line[n] = a->line;
  }
  r->three_point = e->three_point && e->endscale;
  const hp_ecl_array *water = &e->array[HP_ECL_SWATINIT];
  if (water->value != NULL && !e->endscale)
    (void)hp_ecl_error(e, water->file, water->line, "SWATINIT needs ENDSCALE in RUNSPEC");
  if (water->value != NULL && !e->equil) (void)hp_ecl_error(e, water->file, water->line, "SWATINIT needs EQUIL");
  return keep(e, HP_ECL_SWATINIT, &e->c->initial.water);
}

/* A region of EQUIL has one PVT. */
static hp_status check_equilibria(hp_ecl *e) {
  const hp_ecl_array *eql = &e->array[HP_ECL_EQLNUM], *pvt = &e->array[HP_ECL_PVTNUM];
  const int64_t cells = (int64_t)e->nx * e->ny * e->nz;
  int *first;
  if (!e->equil || pvt->value == NULL || pvt->faulty || eql->faulty) return HP_OK;
  HP_TRY(HP_ALLOC(first, e->tables[HP_ECL_BY_EQLNUM] + 1));
  hp_status s = HP_OK;
  for (int64_t m = 0; m < cells && s == HP_OK; ++m) {
    int *of = &first[eql->value != NULL ? (int)eql->value[m] : 1];
    if (*of == 0) *of = (int)pvt->value[m];
    if (*of != (int)pvt->value[m])
      s = hp_ecl_error(e, pvt->file, pvt->line,
                       "PVTNUM: cell (%d,%d,%d): %g, where its region of EQUIL begins with %d: "
                       "one region of EQUIL with several PVT tables is not supported",
                       (int)(m % e->nx) + 1, (int)(m / e->nx % e->ny) + 1, (int)(m / e->nx / e->ny) + 1, pvt->value[m],
                       *of);
  }
  HP_FREE(first);
  return s;
}

/* FIPNUM. A grid that has a fault, which is reported, has no cells to have regions. */
static hp_status report_regions(hp_ecl *e) {
  double *number = NULL;
  int64_t fault = -1;
  if (e->c->grid == NULL || e->array[HP_ECL_FIPNUM].claimed) return HP_OK;
  HP_TRY(keep(e, HP_ECL_FIPNUM, &number));
  if (number == NULL) return HP_OK;
  const hp_status s = hp_case_fip(e->c, number, &fault);
  if (s == HP_OK && fault >= 0) {
    const hp_ecl_array *a = &e->array[HP_ECL_FIPNUM];
    int ijk[3];
    hp_grid_ijk(e->c->grid, fault, ijk);
    (void)hp_ecl_error(e, a->file, a->line, "FIPNUM: cell (%d,%d,%d): %g: there can be 65535 regions", ijk[0] + 1,
                       ijk[1] + 1, ijk[2] + 1, number[fault]);
  }
  HP_FREE(number);
  return s;
}

static hp_status finish_regions(hp_ecl *e) {
  hp_fluid_spec *r = &e->c->fluid;
  const int nsat = e->tables[HP_ECL_BY_SATNUM], npvt = e->tables[HP_ECL_BY_PVTNUM];
  const hp_ecl_array *rocknum = &e->array[HP_ECL_ROCKNUM];
  const hp_status rock = finish_rock(e);
  if (rock != HP_OK && rock != HP_ERR_DECK) return rock;
  (void)check_equilibria(e);
  const hp_status sat = region_numbers(e, HP_ECL_SATNUM, nsat, &r->of_sat);
  const hp_status pvt = region_numbers(e, HP_ECL_PVTNUM, npvt, &r->of_pvt);
  const hp_status eql = region_numbers(e, HP_ECL_EQLNUM, e->tables[HP_ECL_BY_EQLNUM], &e->c->initial.of);
  if (sat != HP_OK || pvt != HP_OK || eql != HP_OK) return HP_ERR_DECK;
  HP_TRY(report_regions(e));
  const bool without_rock_tables = (e->lost & (HP_ECL_RUNSPEC | HP_ECL_PROPS)) == 0; /* those that are not supported */
  if (rocknum->value != NULL && !e->rock_by_rocknum && !e->compacts && without_rock_tables) {
    const int64_t cells = (int64_t)e->nx * e->ny * e->nz;
    for (int64_t m = 0; m < cells; ++m)
      if (rocknum->value[m] != 1.0)
        return hp_ecl_error(e, rocknum->file, rocknum->line,
                            "ROCKNUM has an effect with ROCKOPTS item 3 = ROCKNUM only; without "
                            "it the rock follows PVTNUM");
  }
  const bool by_rocknum = e->rock_by_rocknum || (e->compacts && rocknum->value != NULL);
  return region_numbers(e,
                        by_rocknum                       ? HP_ECL_ROCKNUM
                        : e->rock_by == HP_ECL_BY_SATNUM ? HP_ECL_SATNUM
                                                         : HP_ECL_PVTNUM,
                        e->rock_count, &r->of_rock);
}

hp_status hp_ecl_finish_fluid(hp_ecl *e) {
  const bool pair = e->swfn != NULL || e->sof2 != NULL;
  const hp_pvt_spec *oil = &e->c->fluid.pvt[0][HP_OIL];
  if (oil->viscosity > 0.0 && oil->rows > 0) (void)hp_ecl_error_at(e, "PVDO", "PVDO and PVCDO are both given");
  if (!e->unsized) {
    const hp_status s = finish_regions(e);
    if (s != HP_OK && s != HP_ERR_DECK) return s;
    HP_TRY(finish_end_points(e));
  }
  if (e->c->fluid.sat[0].rows > 0 && pair) return hp_ecl_error_at(e, "SWOF", "SWOF and SWFN or SOF2 are both given");
  for (int n = 0; e->swfn != NULL && e->sof2 != NULL && n < e->tables[HP_ECL_BY_SATNUM]; ++n) {
    const hp_status s = merge_tables(e, n);
    if (s != HP_OK && s != HP_ERR_DECK) return s;
  }
  return HP_OK;
}

/* The option --set may have given what the deck lacks. */
hp_status hp_ecl_complete_fluid(hp_ecl *e) {
  const hp_pvt_spec *pvt = e->c->fluid.pvt[0];
  const hp_sat_spec *sat = &e->c->fluid.sat[0];
  hp_status s = HP_OK;
  if (!(pvt[HP_OIL].density > 0.0 && pvt[HP_WATER].density > 0.0))
    s = hp_ecl_missing(e, HP_ECL_PROPS, "DENSITY", "DENSITY is missing");
  if (!(pvt[HP_WATER].viscosity > 0.0)) s = hp_ecl_missing(e, HP_ECL_PROPS, "PVTW", "PVTW is missing");
  if (!(pvt[HP_OIL].viscosity > 0.0) && pvt[HP_OIL].rows == 0)
    s = hp_ecl_missing(e, HP_ECL_PROPS, "PVDO|PVCDO", "PVDO (or PVCDO) is missing");
  if (sat->model == HP_SAT_TABLE && sat->rows == 0) {
    const bool swfn = e->swfn != NULL && e->swfn[0].rows > 0, sof2 = e->sof2 != NULL && e->sof2[0].rows > 0;
    if (!swfn && !sof2) s = hp_ecl_missing(e, HP_ECL_PROPS, "SWOF|SWFN|SOF2", "SWOF (or SWFN and SOF2) is missing");
    else if (!swfn || !sof2)
      s = hp_ecl_missing(e, HP_ECL_PROPS, !swfn ? "SWFN" : "SOF2", !swfn ? "SWFN is missing" : "SOF2 is missing");
  }
  if (e->compacts && !e->rocktab)
    s = hp_ecl_missing(e, HP_ECL_PROPS, "ROCKTAB", "ROCKTAB is missing: RUNSPEC has ROCKCOMP");
  if (!e->rock && !e->rocktab && !hp_config_claims(e->nset, e->set, "rock"))
    hp_diag_note(e->diag, e->c->deck, 0, "no ROCK: the rock is rigid");
  return s;
}
