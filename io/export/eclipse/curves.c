#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "io/export/eclipse/impl.h"
#include "physics/fluid.inl.h"
#include "physics/satfunc.inl.h"

enum { COLUMNS = 4, ROWS_MAX = 5000, FIRST_PIECES = 16, DEPTH = 24 };

#define CURVE_CLOSE 1e-5 /* how far straight lines may leave a formula: of the largest value; of pc, of itself */

typedef struct {
  const hp_satfunc *f;
  int rows, room;
  double *row; /* [room][COLUMNS] */
} curve;

static void values_at(const hp_satfunc *f, double s, double out[COLUMNS]) {
  const hp_sat_value v = hp_sat_eval(f, s);
  out[0] = s;
  out[1] = v.krw.v > 0.0 ? v.krw.v : 0.0;
  out[2] = v.kro.v > 0.0 ? v.kro.v : 0.0;
  out[3] = v.pc.v;
}

static hp_status put_row(curve *t, double s) {
  HP_TRY(HP_GROW(t->row, (int64_t)t->rows * COLUMNS, COLUMNS));
  values_at(t->f, s, t->row + (int64_t)t->rows++ * COLUMNS);
  return HP_OK;
}

/* Rows between a and b, and that of b: halves them until straight lines are close enough. */
static hp_status divide(curve *t, double a, double b, int depth) {
  double at[3][COLUMNS];
  bool close = true;
  const double middle = 0.5 * (a + b);
  values_at(t->f, a, at[0]);
  values_at(t->f, middle, at[1]);
  values_at(t->f, b, at[2]);
  for (int k = 1; k < COLUMNS; ++k) {
    const double size = k < 3 ? 1.0 : fabs(at[1][k]);
    close = close && fabs(at[1][k] - 0.5 * (at[0][k] + at[2][k])) <= CURVE_CLOSE * size;
  }
  if (close || depth == 0 || t->rows >= ROWS_MAX || b - a < 1e-9) return put_row(t, b);
  HP_TRY(divide(t, a, middle, depth - 1));
  return divide(t, middle, b, depth - 1);
}

static hp_status tabulate(const hp_satfunc *f, curve *t) {
  const double low = f->s_min, high = f->s_oil_immobile;
  HP_TRY(put_row(t, low));
  for (int n = 0; n < FIRST_PIECES; ++n) {
    const double a = n == 0 ? low : low + (high - low) * n / FIRST_PIECES;
    const double b = n + 1 == FIRST_PIECES ? high : low + (high - low) * (n + 1) / FIRST_PIECES;
    HP_TRY(divide(t, a, b, DEPTH));
  }
  if (f->s_max > high) HP_TRY(put_row(t, f->s_max)); /* the water zone */
  t->row[1] = 0.0;
  for (int n = 0; n < t->rows; ++n) /* rounding alone makes a curve turn */
    for (int k = 1; n > 0 && k < COLUMNS; ++k) {
      double *v = t->row + n * COLUMNS + k, before = v[-COLUMNS];
      if (k == 1 ? *v < before : *v > before) *v = before;
    }
  return HP_OK;
}

/* Rows become columns. */
static hp_status columns_of(const curve *t, double **out) {
  HP_TRY(HP_ALLOC(*out, (int64_t)t->rows * COLUMNS));
  for (int n = 0; n < t->rows; ++n)
    for (int k = 0; k < COLUMNS; ++k) (*out)[k * t->rows + n] = t->row[n * COLUMNS + k];
  return HP_OK;
}

hp_status hp_out_curve(const hp_case *c, int region, int *rows, double **out) {
  const hp_sat_spec *s = &c->fluid.sat[region];
  hp_fluid fluid;
  if (s->model == HP_SAT_TABLE) {
    const double *const column[COLUMNS] = {s->s, s->krw, s->kro, s->pc};
    *rows = s->rows;
    HP_TRY(HP_ALLOC(*out, (int64_t)s->rows * COLUMNS));
    for (int k = 0; k < COLUMNS; ++k) memcpy(*out + k * s->rows, column[k], (size_t)s->rows * sizeof(double));
    return HP_OK;
  }
  HP_TRY(hp_fluid_create(c->fluid.pvt[0], s, &c->fluid.rock[0], &fluid));
  curve t = {.f = &fluid.sat};
  hp_status status = tabulate(&fluid.sat, &t);
  *rows = t.rows;
  if (status == HP_OK) status = columns_of(&t, out);
  HP_FREE(t.row);
  hp_fluid_destroy(&fluid);
  return status;
}

hp_status hp_out_curves(hp_deck_out *o) {
  static const hp_quantity q[COLUMNS] = {HP_UNIT_NONE, HP_UNIT_NONE, HP_UNIT_NONE, HP_UNIT_PRESSURE};
  const hp_fluid_spec *r = &o->c->fluid;
  fputs("SWOF\n", o->f);
  for (int n = 0; n < r->nsat; ++n) {
    double *v;
    int rows;
    HP_TRY(hp_out_curve(o->c, n, &rows, &v));
    hp_out_table(o, rows, COLUMNS, q, (const double *const[]){v, v + rows, v + 2 * rows, v + 3 * rows});
    HP_FREE(v);
  }
  return HP_OK;
}
