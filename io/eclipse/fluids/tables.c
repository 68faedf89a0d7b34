/* Tables of PVT, saturation functions and rock. */
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/plural.h"
#include "io/eclipse/fluids/impl.h"

/* Column c of cells [rows][columns] times factor. */
static hp_status column(const double *cell, int rows, int columns, int c, double factor, double **out) {
  HP_FREE(*out);
  HP_TRY(HP_ALLOC(*out, rows));
  for (int n = 0; n < rows; ++n) (*out)[n] = cell[n * columns + c] * factor;
  return HP_OK;
}

void hp_ecl_interpolate_gaps(hp_ecl *e, double *cell, int rows, int columns, int c, const char *name) {
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

void hp_ecl_check_column(hp_ecl *e, const double *cell, int rows, int columns, int c, const char *name, int slope,
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
    if (gaps) hp_ecl_interpolate_gaps(e, *cell, *rows, columns, c, rule[c].name);
    hp_ecl_check_column(e, *cell, *rows, columns, c, rule[c].name, rule[c].slope, rule[c].lo, rule[c].hi);
  }
  for (int c = 0; c < columns; ++c) {
    const double v = (*cell)[rule[c].zero > 0 ? c : (*rows - 1) * columns + c];
    if (rule[c].zero != 0 && isfinite(v) && v != 0.0)
      (void)hp_ecl_error(e, e->file, e->line, "%s of the %s row is %g: it must be 0", rule[c].name,
                         rule[c].zero > 0 ? "first" : "last", v);
  }
  return e->diag->errors == errors ? HP_OK : HP_ERR_DECK;
}

hp_status hp_ecl_each_table(hp_ecl *e, hp_ecl_by by, hp_status (*read)(hp_ecl *e), hp_status (*repeat)(hp_ecl *e)) {
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
  if (rows > 0) memcpy(*to, from, (size_t)rows * sizeof **to); /* none where the table before was refused */
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

/* The last column of SWOF and SWFN: a pressure, or Leverett's J. */
static double pc_factor(const hp_ecl *e) { return e->leverett.file != NULL ? 1.0 : e->units.factor[HP_UNIT_PRESSURE]; }

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
  if (s == HP_OK) s = column(cell, rows, 4, 3, pc_factor(e), &sat->pc);
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
  if (s == HP_OK) s = column(cell, rows, 3, 2, pc_factor(e), &e->swfn[e->table].pc);
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

/* SOF3 by oil saturation: kro with water is SOF2's, kro with gas that of a table with gas. */
static hp_status read_sof3(hp_ecl *e) {
  static const column_rule rule[3] = {{"the oil saturation", 2, 0.0, 1.0, 0},
                                      {"kro with water", 1, 0.0, INFINITY, 1},
                                      {"kro with gas", 1, 0.0, INFINITY, 1}};
  int rows = 0;
  double *cell = NULL;
  hp_status s = read_checked(e, 3, rule, true, &rows, &cell);
  if (s == HP_OK) s = column(cell, rows, 3, 0, 1.0, &e->sof2[e->table].s);
  if (s == HP_OK) s = column(cell, rows, 3, 1, 1.0, &e->sof2[e->table].kro);
  if (s == HP_OK) e->sof2[e->table].rows = rows;
  if (s == HP_OK) s = hp_ecl_gas_at_start(e, 0.0, cell[3 * rows - 1]);
  HP_FREE(cell);
  return s;
}

hp_status hp_ecl_do_pvdo(hp_ecl *e, const hp_ecl_record *record) {
  (void)record;
  return hp_ecl_each_table(e, HP_ECL_BY_PVTNUM, read_pvdo, repeat_pvdo);
}

hp_status hp_ecl_do_rocktab(hp_ecl *e, const hp_ecl_record *record) {
  (void)record;
  if (!e->compacts) {
    if ((e->lost & HP_ECL_RUNSPEC) == 0) (void)hp_ecl_error(e, e->file, e->line, "needs ROCKCOMP in RUNSPEC");
    return hp_ecl_skip_numbers(e);
  }
  e->rocktab = true;
  e->tables[HP_ECL_BY_ROCKNUM] = hp_ecl_compaction_tables(e);
  HP_TRY(hp_fluid_spec_grow(&e->c->fluid, 1, 1, e->tables[HP_ECL_BY_ROCKNUM]));
  return hp_ecl_each_table(e, HP_ECL_BY_ROCKNUM, read_rocktab, repeat_rocktab);
}

hp_status hp_ecl_do_swof(hp_ecl *e, const hp_ecl_record *record) {
  (void)record;
  return hp_ecl_each_table(e, HP_ECL_BY_SATNUM, read_swof, repeat_swof);
}

hp_status hp_ecl_do_swfn(hp_ecl *e, const hp_ecl_record *record) {
  (void)record;
  if (e->swfn == NULL) HP_TRY(HP_ALLOC(e->swfn, e->tables[HP_ECL_BY_SATNUM]));
  return hp_ecl_each_table(e, HP_ECL_BY_SATNUM, read_swfn, repeat_swfn);
}

hp_status hp_ecl_do_sof2(hp_ecl *e, const hp_ecl_record *record) {
  (void)record;
  if (e->sof2 == NULL) HP_TRY(HP_ALLOC(e->sof2, e->tables[HP_ECL_BY_SATNUM]));
  return hp_ecl_each_table(e, HP_ECL_BY_SATNUM, read_sof2, repeat_sof2);
}

hp_status hp_ecl_do_sof3(hp_ecl *e, const hp_ecl_record *record) {
  (void)record;
  if (e->sof2 == NULL) HP_TRY(HP_ALLOC(e->sof2, e->tables[HP_ECL_BY_SATNUM]));
  return hp_ecl_each_table(e, HP_ECL_BY_SATNUM, read_sof3, repeat_sof2);
}

/* y at x, linear between the rows and constant outside. */
static double table_at(const double *x, const double *y, int rows, double at) {
  if (at <= x[0]) return y[0];
  for (int n = 1; n < rows; ++n)
    if (at <= x[n]) return y[n - 1] + (at - x[n - 1]) / (x[n] - x[n - 1]) * (y[n] - y[n - 1]);
  return y[rows - 1];
}

/* Saturations that differ only by rounding are one. */
hp_status hp_ecl_merge_tables(hp_ecl *e, int table) {
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
