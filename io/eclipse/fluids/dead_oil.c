/* PVTO without DISGAS: the oil holds no gas, Rs = 0. As in OPM Flow the first two lines of the table, each B and viscosity by
 * pressure at one Rs, are continued to Rs = 0 along the bubble point: 1/B and 1/(B mu) there are linear in pressure between the
 * pressures of both lines, shifted to the bubble point of Rs = 0, which is what the rows of PVDO say.
 *
 *     1/B
 *      |  line 0 \___
 *      |  line 1   \_____      a line of one row takes the compressibilities of the next line that has several
 *      +------------------ p
 */
#include <math.h>

#include "core/memory.h"
#include "io/eclipse/fluids/impl.h"

/* Rows of one Rs. */
typedef struct {
  double rs;
  int rows;
  double *p, *b, *mu; /* [rows] in the deck's units */
} line_of_rs;

static void clear_line(line_of_rs *l) {
  HP_FREE(l->p);
  HP_FREE(l->b);
  HP_FREE(l->mu);
}

static hp_status add_row(line_of_rs *l, double p, double b, double mu) {
  HP_TRY(HP_GROW(l->p, l->rows, 1));
  HP_TRY(HP_GROW(l->b, l->rows, 1));
  HP_TRY(HP_GROW(l->mu, l->rows, 1));
  l->p[l->rows] = p;
  l->b[l->rows] = b;
  l->mu[l->rows++] = mu;
  return HP_OK;
}

/* The record of a line: Rs, then rows of pressure, B, viscosity. */
static hp_status read_line(hp_ecl *e, line_of_rs *l) {
  int count;
  double *cell = NULL;
  HP_TRY(hp_ecl_read_table(e, 1, &count, &cell));
  hp_status s = HP_OK;
  if (count % 3 != 1 || count == 1)
    s = hp_ecl_error(e, e->file, e->line, "%d values of one Rs: it is followed by rows of 3 columns", count);
  for (int n = 1; n < count && s == HP_OK; n += 3) {
    if (!(cell[n + 1] > 0.0) || !(cell[n + 2] > 0.0) || isinf(cell[n] + cell[n + 1] + cell[n + 2]) || !(cell[n] >= 0.0))
      s = hp_ecl_error(e, e->file, e->line, "Rs %g, row %d: pressure, B and viscosity must be given and positive",
                       cell[0], 1 + n / 3);
    else if (l->rows > 0 && !(cell[n] > l->p[l->rows - 1]))
      s = hp_ecl_error(e, e->file, e->line, "Rs %g, row %d: the pressure must rise", cell[0], 1 + n / 3);
    else s = add_row(l, cell[n], cell[n + 1], cell[n + 2]);
  }
  l->rs = cell[0];
  HP_FREE(cell);
  return s;
}

/* The number that stands to x as a to b, in differences over means. */
static double in_step(double x, double a, double b) {
  const double rise = (a - b) / (0.5 * (a + b));
  return x * (1.0 + 0.5 * rise) / (1.0 - 0.5 * rise);
}

/* Rows behind the only one of a line, by those of another one. */
static hp_status extend(line_of_rs *l, const line_of_rs *by) {
  for (int n = 1; n < by->rows; ++n) {
    const int last = l->rows - 1;
    HP_TRY(add_row(l, l->p[last] + by->p[n] - by->p[n - 1], in_step(l->b[last], by->b[n], by->b[n - 1]),
                   in_step(l->mu[last], by->mu[n], by->mu[n - 1])));
  }
  return HP_OK;
}

/* 1/B and 1/(B mu) of a line at p, straight on beyond its rows. */
static void line_at(const line_of_rs *l, double p, double *inv_b, double *inv_bmu) {
  int n = 0;
  while (n + 2 < l->rows && p > l->p[n + 1]) ++n;
  const double t = (p - l->p[n]) / (l->p[n + 1] - l->p[n]);
  *inv_b = (1.0 - t) / l->b[n] + t / l->b[n + 1];
  *inv_bmu = (1.0 - t) / (l->b[n] * l->mu[n]) + t / (l->b[n + 1] * l->mu[n + 1]);
}

/* The rows at Rs = 0, of both lines. */
static hp_status at_no_gas(hp_ecl *e, const line_of_rs l[2], line_of_rs *out) {
  const double alpha = -l[0].rs / (l[1].rs - l[0].rs), shift = l[1].p[0] - l[0].p[0];
  const double from[2] = {alpha * shift, (alpha - 1.0) * shift}; /* from a line's pressures to those at Rs = 0 */
  for (int a = 0, b = alpha == 0.0 ? l[1].rows : 0; a < l[0].rows || b < l[1].rows;) {
    const double pa = a < l[0].rows ? l[0].p[a] + from[0] : INFINITY,
                 pb = b < l[1].rows ? l[1].p[b] + from[1] : INFINITY;
    const double p = fmin(pa, pb), same = 1e-9 * fmax(1.0, fabs(p));
    double inv_b[2], inv_bmu[2];
    a += pa <= p + same;
    b += pb <= p + same;
    for (int n = 0; n < 2; ++n) line_at(&l[n], p - from[n], &inv_b[n], &inv_bmu[n]);
    const double x = (1.0 - alpha) * inv_b[0] + alpha * inv_b[1], y = (1.0 - alpha) * inv_bmu[0] + alpha * inv_bmu[1];
    if (!(x > 0.0) || !(y > 0.0) || (out->rows > 0 && 1.0 / x > out->b[out->rows - 1]))
      return hp_ecl_error(
          e, e->file, e->line,
          "table %d: continued from Rs %g and %g to Rs 0 it gives B %g, viscosity %g at a pressure of %g: "
          "give PVDO",
          e->table + 1, l[0].rs, l[1].rs, 1.0 / x, x / y, p);
    HP_TRY(add_row(out, p, 1.0 / x, x / y));
  }
  return HP_OK;
}

static hp_status keep_rows(hp_ecl *e, const line_of_rs *l) {
  hp_pvt_spec *pvt = &e->c->fluid.pvt[e->table][HP_OIL];
  HP_FREE(pvt->p);
  HP_FREE(pvt->b);
  HP_FREE(pvt->mu);
  HP_TRY(HP_ALLOC(pvt->p, l->rows));
  HP_TRY(HP_ALLOC(pvt->b, l->rows));
  HP_TRY(HP_ALLOC(pvt->mu, l->rows));
  for (int n = 0; n < l->rows; ++n) {
    pvt->p[n] = l->p[n] * e->units.factor[HP_UNIT_PRESSURE];
    pvt->b[n] = l->b[n];
    pvt->mu[n] = l->mu[n] * e->units.factor[HP_UNIT_VISCOSITY];
  }
  pvt->rows = l->rows;
  return HP_OK;
}

/* A table ends with a record that holds nothing. Kept are its first two lines, and the first ones with several rows. */
static hp_status read_lines(hp_ecl *e, line_of_rs l[2]) {
  int lines = 0;
  double before = 0.0;
  hp_status s = HP_OK;
  while (s == HP_OK && !hp_ecl_slash_next(e)) {
    line_of_rs one = {.rows = 0};
    s = read_line(e, &one);
    if (s == HP_OK && lines > 0 && !(one.rs > before)) s = hp_ecl_error(e, e->file, e->line, "Rs must rise");
    if (s == HP_OK && one.rows > 1)
      for (int n = 0; n < 2 && s == HP_OK; ++n)
        if (n < lines && l[n].rows == 1) s = extend(&l[n], &one);
    before = one.rs;
    if (s == HP_OK && lines < 2) l[lines] = one;
    else clear_line(&one);
    lines += s == HP_OK;
  }
  if (s != HP_OK) return s;
  hp_ecl_token slash;
  HP_TRY(hp_ecl_word(e, &slash));
  if (lines < 2) return hp_ecl_error(e, e->file, e->line, "table %d: fewer than two Rs", e->table + 1);
  if (l[0].rows < 2 || l[1].rows < 2)
    return hp_ecl_error(e, e->file, e->line, "table %d: its last Rs needs rows of undersaturated oil", e->table + 1);
  return HP_OK;
}

hp_status hp_ecl_do_pvto(hp_ecl *e, const hp_ecl_record *record) {
  (void)record;
  hp_status s = HP_OK;
  for (e->table = 0; e->table < e->tables[HP_ECL_BY_PVTNUM] && s == HP_OK; ++e->table) {
    line_of_rs l[2] = {{.rows = 0}, {.rows = 0}}, out = {.rows = 0};
    s = read_lines(e, l);
    if (s == HP_OK) s = at_no_gas(e, l, &out);
    if (s == HP_OK) s = keep_rows(e, &out);
    clear_line(&l[0]);
    clear_line(&l[1]);
    clear_line(&out);
  }
  if (s == HP_OK) hp_ecl_note(e, e->file, e->line, "without DISGAS the oil holds no gas: Rs is 0, as in OPM Flow");
  return s;
}
