/* Lines of the comparison's page: iterations over time, residuals, rates; and the differences beside the latter. */
#include <math.h>
#include <stdio.h>

#include "core/memory.h"
#include "sim/compare/chart.h"
#include "sim/compare/page_impl.h"

enum { POINTS = 300 }; /* of a line at most; more are averaged */

/* ---- lines ---- */

/* The lines of a chart and the numbers behind them. */
typedef struct {
  hp_chart_line line[HP_COMPARE_CASES];
  double *x[HP_COMPARE_CASES], *y[HP_COMPARE_CASES];
  int count;
} lines;

static void clear_lines(lines *L) {
  for (int n = 0; n < L->count; ++n) {
    HP_FREE(L->x[n]);
    HP_FREE(L->y[n]);
  }
}

/* Room for `most` points of case n, as the line that comes next. */
static hp_status begin_line(lines *L, const hp_compare *C, int n, int64_t most) {
  const int l = L->count;
  HP_TRY(HP_ALLOC(L->x[l], most));
  L->count += 1;
  HP_TRY(HP_ALLOC(L->y[l], most));
  L->line[l] = (hp_chart_line){.name = hp_page_name(C, n), .style = n, .x = L->x[l], .y = L->y[l]};
  return HP_OK;
}

static void add_point(lines *L, double x, double y) {
  const int l = L->count - 1, n = L->line[l].n++;
  L->x[l][n] = x;
  L->y[l][n] = y;
}

/* Neighbours of a line with many points become one, at their mean. */
static void thin(lines *L) {
  hp_chart_line *line = &L->line[L->count - 1];
  double *x = L->x[L->count - 1], *y = L->y[L->count - 1];
  const int every = (line->n + POINTS - 1) / POINTS, n = line->n;
  if (every <= 1) return;
  line->n = 0;
  for (int m = 0; m < n; m += every) {
    const int end = m + every < n ? m + every : n;
    double sum_x = 0.0, sum_y = 0.0;
    for (int k = m; k < end; ++k) {
      sum_x += x[k];
      sum_y += y[k];
    }
    add_point(L, sum_x / (end - m), sum_y / (end - m));
  }
}

/* Per time step: linear iterations a Newton iteration, or Newton iterations; attempts that failed included. */
static hp_status step_line(lines *L, const hp_compare *C, int n, bool newton) {
  const hp_compare_result *r = &C->result[n];
  const double day = C->units.factor[HP_UNIT_TIME];
  if (r->nsolve == 0) return HP_OK;
  HP_TRY(begin_line(L, C, n, r->nsolve));
  for (int64_t m = 0; m < r->nsolve;) {
    int64_t end = m, iterations = 0;
    for (; end < r->nsolve && r->solve[end].step == r->solve[m].step; ++end) iterations += r->solve[end].iterations;
    const double solves = (double)(end - m);
    add_point(L, r->solve[end - 1].time / day, newton ? solves : (double)iterations / solves);
    m = end;
  }
  thin(L);
  return HP_OK;
}

static hp_status residual_line(lines *L, const hp_compare *C, int n) {
  const hp_compare_result *r = &C->result[n];
  if (r->ncurve == 0) return HP_OK;
  HP_TRY(begin_line(L, C, n, r->ncurve));
  for (int i = 0; i < r->ncurve; ++i) add_point(L, i, r->curve[i]);
  return HP_OK;
}

static hp_status rate_line(lines *L, const hp_compare *C, int n, bool cut) {
  const hp_compare_result *r = &C->result[n];
  const hp_units *u = &C->units;
  if (r->nreport == 0) return HP_OK;
  HP_TRY(begin_line(L, C, n, r->nreport));
  for (int m = 0; m < r->nreport; ++m) {
    const double *rate = r->report[m].field.rate, liquid = rate[HP_OIL] + rate[HP_WATER];
    add_point(L, r->report[m].time / u->factor[HP_UNIT_TIME],
              cut ? (liquid > 0.0 ? rate[HP_WATER] / liquid : 0.0) : rate[HP_OIL] / u->factor[HP_UNIT_RATE]);
  }
  thin(L);
  return HP_OK;
}

/* Whether small values would lie on the axis of an even scale. */
static bool spreads(const lines *L) {
  enum { RATIO = 30 };
  double low = INFINITY, high = 0.0;
  for (int l = 0; l < L->count; ++l)
    for (int n = 0; n < L->line[l].n; ++n) {
      high = fmax(high, L->y[l][n]);
      if (L->y[l][n] > 0.0) low = fmin(low, L->y[l][n]);
    }
  return high > RATIO * low;
}

typedef enum { LINEAR, NEWTON, RESIDUAL, OIL_RATE, WATER_CUT } quantity;

static hp_status case_line(lines *L, const hp_compare *C, int n, quantity q) {
  switch (q) {
    case LINEAR: return step_line(L, C, n, false);
    case NEWTON: return step_line(L, C, n, true);
    case RESIDUAL: return residual_line(L, C, n);
    case OIL_RATE: return rate_line(L, C, n, false);
    case WATER_CUT: return rate_line(L, C, n, true);
  }
  return HP_OK;
}

static hp_status add_lines(hp_text *t, const hp_compare *C, quantity q, const char *name, const char *x_label,
                           const char *y_label) {
  lines *L = NULL;
  HP_TRY(HP_ALLOC(L, 1));
  hp_status s = HP_OK;
  for (int n = 0; n < C->list.count && s == HP_OK; ++n) s = case_line(L, C, n, q);
  const hp_chart chart = {.name = name,
                          .x_label = x_label,
                          .y_label = y_label,
                          .log_y = q == RESIDUAL || (q == LINEAR && spreads(L)),
                          .whole_x = q == RESIDUAL,
                          .nline = L->count,
                          .line = L->line};
  if (s == HP_OK) hp_chart_draw(t, &chart);
  clear_lines(L);
  HP_FREE(L);
  return s;
}

/* ---- the sections with lines ---- */

hp_status hp_page_iterations(hp_text *t, const hp_compare *C) {
  char time[64];
  snprintf(time, sizeof time, "time, %s", C->units.label[HP_UNIT_TIME]);
  hp_text_add(t,
              "<h2>Iterations</h2>\n<p class=\"soft\">One point per time step, attempts that failed included; of long "
              "runs several steps share a point, at their mean.</p>\n");
  HP_TRY(add_lines(t, C, LINEAR, "Linear iterations per Newton iteration over time", time,
                   "linear iterations per Newton iteration"));
  if (C->same_steps) return HP_OK;
  return add_lines(t, C, NEWTON, "Newton iterations per time step over time", time, "Newton iterations per time step");
}

static void add_curve_system(hp_text *t, const hp_compare *C, int n) {
  const hp_compare_result *r = &C->result[n];
  if (r->curve_of < 0 || r->ncurve == 0) return;
  const hp_compare_solve *v = &r->solve[r->curve_of];
  hp_text_add(t, "step %d, attempt %d, Newton iteration %d, to %.6g %s", v->step, v->attempt, v->newton,
              v->time / C->units.factor[HP_UNIT_TIME], C->units.label[HP_UNIT_TIME]);
}

hp_status hp_page_convergence(hp_text *t, const hp_compare *C) {
  bool first = true;
  hp_text_add(t, "<h2>Convergence of one system</h2>\n<p class=\"soft\">");
  if (C->same_steps) {
    hp_text_add(t, "The same system for all: ");
    add_curve_system(t, C, 0);
  } else {
    hp_text_add(t,
                "Each case has a system of its own here, so that the curves cannot be compared point by point "
                "(<code>--same-steps</code> gives all the same one): ");
    for (int n = 0; n < C->list.count; ++n) {
      if (C->result[n].ncurve == 0) continue;
      hp_text_add(t, first ? "" : "; ");
      first = false;
      hp_text_add_xml(t, hp_page_name(C, n));
      hp_text_add(t, ": ");
      add_curve_system(t, C, n);
    }
  }
  hp_text_add(t, C->curve_step > 0 ? " (as asked for)." : " (the one with the most iterations).");
  hp_text_add(t,
              " Methods with short recurrences estimate the residual as they go; the true one at the end is in the "
              "tables.</p>\n");
  return add_lines(t, C, RESIDUAL, "Residual over iterations", "iteration", "|r| / |b|");
}

hp_status hp_page_run_differences(hp_text *t, const hp_compare *C) {
  const hp_units *u = &C->units;
  const double bar = u->factor[HP_UNIT_PRESSURE];
  char until[64], pressure[96], cell[96], time[64], rate[64];
  snprintf(until, sizeof until, "until<br>%s", u->label[HP_UNIT_TIME]);
  snprintf(pressure, sizeof pressure, "average<br>pressure<br>%s", u->label[HP_UNIT_PRESSURE]);
  snprintf(cell, sizeof cell, "a cell&#8217;s<br>pressure<br>%s", u->label[HP_UNIT_PRESSURE]);
  snprintf(time, sizeof time, "time, %s", u->label[HP_UNIT_TIME]);
  snprintf(rate, sizeof rate, "oil rate, %s", u->label[HP_UNIT_RATE]);
  const char *const head[] = {"case",
                              until,
                              "oil<br>total",
                              "water<br>total",
                              "injected<br>total",
                              "water<br>cut",
                              pressure,
                              cell,
                              "a cell&#8217;s<br>water<br>saturation",
                              NULL};
  hp_text_add(t, "<h2>Differences to &#8216;");
  hp_text_add_xml(t, hp_page_name(C, 0));
  hp_text_add(t,
              "&#8217;</h2>\n<p class=\"soft\">The largest at the report times that both have; totals relative to "
              "the largest of both. Cells are compared at the end, where both ended at the same time on the same "
              "number of cells. Empty: there is nothing to compare.</p>\n");
  hp_page_begin_table(t, "differences", head);
  for (int n = 0; n < C->list.count; ++n) {
    const hp_compare_difference *d = &C->result[n].off;
    hp_page_begin_row(t, C, n);
    hp_page_number(t, "%.6g", d->until / u->factor[HP_UNIT_TIME]);
    hp_page_number(t, "%.3g", d->oil_total);
    hp_page_number(t, "%.3g", d->water_total);
    hp_page_number(t, "%.3g", d->injected_total);
    hp_page_number(t, "%.3g", d->water_cut);
    hp_page_number(t, "%.3g", d->pressure / bar);
    hp_page_number(t, "%.3g", d->cell_pressure / bar);
    hp_page_number(t, "%.3g", d->cell_saturation);
    hp_text_add(t, "</tr>\n");
  }
  hp_page_end_table(t);
  HP_TRY(add_lines(t, C, OIL_RATE, "Oil rate over time", time, rate));
  return add_lines(t, C, WATER_CUT, "Water cut over time", time, "water cut");
}

void hp_page_system_differences(hp_text *t, const hp_compare *C) {
  static const char *const head[] = {"case", "largest<br>residual", "pressures<br>off by", "saturations<br>off by",
                                     NULL};
  hp_text_add(t, "<h2>Differences to &#8216;");
  hp_text_add_xml(t, hp_page_name(C, 0));
  hp_text_add(t,
              "&#8217;</h2>\n<p class=\"soft\">The largest of all systems: the true residual |b - A x| / |b|, and "
              "|x - x1| / |x1| of the cells&#8217; pressures and saturations, x1 being what &#8216;");
  hp_text_add_xml(t, hp_page_name(C, 0));
  hp_text_add(t,
              "&#8217; found. A solve to a loose tolerance leaves room for such differences. The results of the run "
              "are those of the first case for all.</p>\n");
  hp_page_begin_table(t, "differences", head);
  for (int n = 0; n < C->list.count; ++n) {
    const hp_compare_sum sum = hp_compare_sum_of(&C->result[n]);
    hp_page_begin_row(t, C, n);
    hp_page_number(t, "%.3g", C->result[n].nsolve > 0 ? sum.residual : NAN);
    hp_page_number(t, "%.3g", sum.off[0]);
    hp_page_number(t, "%.3g", sum.off[1]);
    hp_text_add(t, "</tr>\n");
  }
  hp_page_end_table(t);
}
