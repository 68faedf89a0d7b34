/* The page of a comparison: one HTML file with its style and pictures in it, without scripts and without anything from
 * elsewhere; light or dark as the reader's screen is, for wide and narrow windows. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "core/memory.h"
#include "io/text.h"
#include "sim/compare.h"
#include "sim/compare_chart.h"
#include "sim/progress.h"

enum { POINTS = 300 }; /* of a line at most; more are averaged */

static const char style[] =
    ":root{color-scheme:light dark;--back:#fff;--card:#f6f7f9;--text:#1b1f24;--soft:#57606a;--rule:#d5dae0;"
    "--good:#1a7f37;--bad:#b42318;--none:#6b7280;"
    "--c0:#0067b1;--c1:#c8500a;--c2:#00805c;--c3:#a2388a;--c4:#8a6d00;--c5:#6d4bd1;--c6:#b3202c;--c7:#4b5563;"
    "--s0:#0067b1;--s1:#7a5bc7;--s2:#d98200;--s3:#00805c;--s4:#9aa3ad;--s5:#cfd5db}\n"
    "@media(prefers-color-scheme:dark){:root{--back:#0f1419;--card:#182028;--text:#e6e9ec;--soft:#9aa5b1;--rule:#"
    "33404c;"
    "--good:#4ac26b;--bad:#ff8177;--none:#9aa5b1;"
    "--c0:#5fb0f2;--c1:#ff9a5c;--c2:#45c99b;--c3:#e58ad0;--c4:#d9bb3d;--c5:#b7a2ff;--c6:#ff7b82;--c7:#b6c0ca;"
    "--s0:#4f9fe0;--s1:#a48ae8;--s2:#eda03c;--s3:#3fbd91;--s4:#7d8893;--s5:#46525e}}\n"
    "*{box-sizing:border-box}body{margin:0;background:var(--back);color:var(--text);"
    "font:15px/1.5 system-ui,-apple-system,\"Segoe UI\",Roboto,\"DejaVu Sans\",sans-serif}\n"
    "main{max-width:1020px;margin:0 auto;padding:20px 20px 60px}h1{font-size:26px;line-height:1.25;margin:.4em 0 .2em}"
    "h2{font-size:19px;margin:2em 0 .3em}p{margin:.4em 0;max-width:80ch}.soft{color:var(--soft)}"
    "code{font:13px/1.45 ui-monospace,\"DejaVu Sans Mono\",monospace;overflow-wrap:anywhere}\n"
    ".scroll{overflow-x:auto;border:1px solid var(--rule);border-radius:6px;margin:.6em 0}"
    "table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}"
    "th,td{padding:5px 10px;text-align:right;white-space:nowrap;border-top:1px solid var(--rule)}"
    "thead "
    "th{border-top:0;vertical-align:bottom;font-weight:600;color:var(--soft);font-size:13px;background:var(--card)}"
    "tbody th{text-align:left;font-weight:600;position:sticky;left:0;background:var(--back)}"
    "thead th:first-child{text-align:left;position:sticky;left:0}"
    "#cases th{text-align:left}td.words{text-align:left;white-space:normal;min-width:12em}\n"
    ".state{font-weight:600}.finished{color:var(--good)}.failed{color:var(--bad)}.not-run{color:var(--none)}"
    ".why{border-left:3px solid var(--bad);background:var(--card);padding:6px 12px;margin:.5em "
    "0;overflow-wrap:anywhere}"
    ".why.not-run{border-color:var(--none);color:inherit}\n"
    "figure{margin:.6em 0;padding:10px;background:var(--card);border:1px solid var(--rule);border-radius:6px}"
    "svg{display:block;width:100%;height:auto;font:13px system-ui,\"DejaVu Sans\",sans-serif}svg.narrow{display:none}"
    ".grid path{stroke:var(--rule);fill:none}.grid .axis{stroke:var(--soft)}.grid text{fill:var(--soft)}"
    ".line{stroke:currentColor;fill:none;stroke-width:1.8;stroke-linejoin:round}circle{fill:currentColor}"
    ".c0{color:var(--c0)}.c1{color:var(--c1)}.c2{color:var(--c2)}.c3{color:var(--c3)}"
    ".c4{color:var(--c4)}.c5{color:var(--c5)}.c6{color:var(--c6)}.c7{color:var(--c7)}"
    ".d1{stroke-dasharray:7 4}.d2{stroke-dasharray:2 3}.d3{stroke-dasharray:9 3 2 3}"
    "p code{white-space:nowrap}.legend{display:flex;flex-wrap:wrap;gap:2px 16px;font-size:13px;margin-top:6px}"
    ".legend span{display:inline-flex;align-items:center;gap:6px}.swatch{width:26px;height:8px;flex:none;"
    "display:inline-block;vertical-align:middle;margin-right:6px}.legend .swatch{margin:0}\n"
    ".bars{display:grid;grid-template-columns:minmax(6em,max-content) 1fr max-content;gap:6px 12px;align-items:center;"
    "font-variant-numeric:tabular-nums}.bar{display:contents}.track{display:flex;height:16px;background:var(--back);"
    "border-radius:3px;"
    "overflow:hidden}.track i{display:block;height:100%}.key{width:12px;height:12px;border-radius:2px;flex:none}\n"
    "@media(max-width:760px){main{padding:12px 12px 40px}h1{font-size:21px}svg.wide{display:none}"
    "svg.narrow{display:block;max-width:560px;margin:0 auto}.bars{display:block}th,td{padding:5px 7px}"
    ".bar{display:grid;grid-template-columns:1fr max-content;gap:2px 12px;margin-bottom:8px}"
    ".bar .track{grid-row:2;grid-column:1/-1}}"
    "\n";

static const char *name_of(const hp_compare *C, int n) { return C->list.of[n].name; }

/* ---- pieces ----------------------------------------------------------------------------------- */

static void add_number(hp_text *t, const char *format, double v) {
  char text[40];
  snprintf(text, sizeof text, format, v);
  hp_text_add(t, "<td>%s</td>", isnan(v) ? "" : text);
}

static void add_memory(hp_text *t, int64_t bytes) {
  char text[32] = "";
  if (bytes > 0) hp_progress_bytes((double)bytes, text, sizeof text);
  hp_text_add(t, "<td>%s</td>", text);
}

static void add_words(hp_text *t, const char *words) {
  hp_text_add(t, "<td class=\"words\">");
  hp_text_add_xml(t, words);
  hp_text_add(t, "</td>");
}

/* The first cell of a case's row. */
static void begin_row(hp_text *t, const hp_compare *C, int n) {
  hp_text_add(t, "<tr><th scope=\"row\">");
  hp_chart_swatch(t, n);
  hp_text_add_xml(t, name_of(C, n));
  hp_text_add(t, "</th>");
}

static void add_state(hp_text *t, hp_compare_state s) {
  hp_text_add(t, "<td class=\"state %s\">%s</td>", s == HP_COMPARE_NOT_RUN ? "not-run" : hp_compare_state_name(s),
              hp_compare_state_name(s));
}

static void begin_table(hp_text *t, const char *id, const char *const *head) {
  hp_text_add(t, "<div class=\"scroll\"><table id=\"%s\"><thead><tr>", id);
  for (; *head != NULL; ++head) hp_text_add(t, "<th scope=\"col\">%s</th>", *head);
  hp_text_add(t, "</tr></thead><tbody>\n");
}

static void end_table(hp_text *t) { hp_text_add(t, "</tbody></table></div>\n"); }

/* ---- the results -------------------------------------------------------------------------------- */

static void add_run_row(hp_text *t, const hp_compare *C, int n) {
  const hp_compare_result *r = &C->result[n];
  const hp_compare_sum sum = hp_compare_sum_of(r);
  begin_row(t, C, n);
  add_state(t, r->state);
  add_number(t, "%.6g", r->has_run ? r->time / C->units.factor[HP_UNIT_TIME] : NAN);
  add_number(t, "%.0f", r->has_run ? r->counts.steps : NAN);
  add_number(t, "%.0f", r->has_run ? r->counts.cuts : NAN);
  add_number(t, "%.0f", r->has_run ? (double)(r->counts.newton + r->counts.wasted_newton) : NAN);
  add_number(t, "%.0f", r->nsolve > 0 ? (double)sum.iterations : NAN);
  add_number(t, "%.2f", r->nsolve > 0 ? (double)sum.iterations / (double)r->nsolve : NAN);
  add_number(t, "%.4g", r->nsolve > 0 ? sum.setup : NAN);
  add_number(t, "%.4g", r->nsolve > 0 ? sum.solve : NAN);
  add_number(t, "%.4g", r->has_run ? r->whole : NAN);
  hp_text_add(t, "</tr>\n");
}

static void add_system_row(hp_text *t, const hp_compare *C, int n) {
  const hp_compare_result *r = &C->result[n];
  const hp_compare_sum sum = hp_compare_sum_of(r);
  const bool any = r->nsolve > 0;
  begin_row(t, C, n);
  add_state(t, r->state);
  add_number(t, "%.0f", (double)r->nsolve);
  add_number(t, "%.0f", any ? (double)sum.iterations : NAN);
  add_number(t, "%.2f", any ? (double)sum.iterations / (double)r->nsolve : NAN);
  add_number(t, "%.0f", any ? sum.most : NAN);
  add_number(t, "%.0f", any ? (double)sum.stopped_short : NAN);
  add_number(t, "%.4g", any ? sum.setup : NAN);
  add_number(t, "%.4g", any ? sum.solve : NAN);
  add_number(t, "%.4g", any ? sum.setup + sum.solve : NAN);
  hp_text_add(t, "</tr>\n");
}

static void add_reasons(hp_text *t, const hp_compare *C) {
  for (int n = 0; n < C->list.count; ++n) {
    const hp_compare_result *r = &C->result[n];
    if (r->why[0] == '\0') continue;
    hp_text_add(t, "<p class=\"why%s\"><b>", r->state == HP_COMPARE_NOT_RUN ? " not-run" : "");
    hp_text_add_xml(t, name_of(C, n));
    hp_text_add(t, "</b>, %s: ", hp_compare_state_name(r->state));
    hp_text_add_xml(t, r->why);
    hp_text_add(t, "</p>\n");
  }
}

static void add_results(hp_text *t, const hp_compare *C) {
  char time[64];
  snprintf(time, sizeof time, "until<br>%s", C->units.label[HP_UNIT_TIME]);
  const char *const runs[] = {"case",
                              "state",
                              time,
                              "time<br>steps",
                              "cuts",
                              "Newton<br>it.",
                              "linear<br>it.",
                              "linear a<br>Newton",
                              "setup<br>s",
                              "solve<br>s",
                              "whole<br>s",
                              NULL};
  static const char *const systems[] = {"case",
                                        "state",
                                        "systems",
                                        "linear<br>it.",
                                        "a<br>system",
                                        "most",
                                        "short of<br>tolerance",
                                        "setup<br>s",
                                        "solve<br>s",
                                        "both<br>s",
                                        NULL};
  hp_text_add(t, "<h2>Results</h2>\n");
  begin_table(t, "results", C->same_steps ? systems : runs);
  for (int n = 0; n < C->list.count; ++n)
    if (C->same_steps)
      add_system_row(t, C, n);
    else
      add_run_row(t, C, n);
  end_table(t);
  add_reasons(t, C);
}

/* ---- bars ------------------------------------------------------------------------------------------ */

typedef struct {
  const char *name;
  double value;
} part;

enum { PARTS = 6 };

static int time_parts(const hp_compare *C, int n, part *out) {
  const hp_compare_result *r = &C->result[n];
  const hp_compare_sum sum = hp_compare_sum_of(r);
  if (C->same_steps) {
    out[0] = (part){"linear setup", sum.setup};
    out[1] = (part){"linear solve", sum.solve};
    return 2;
  }
  const double *s = r->seconds;
  out[0] = (part){"linear setup", s[HP_PROF_SETUP]};
  out[1] = (part){"linear solve", s[HP_PROF_SOLVE]};
  out[2] = (part){"properties and assembly", s[HP_PROF_PROPERTIES] + s[HP_PROF_ASSEMBLY] + s[HP_PROF_UPDATE]};
  out[3] = (part){"wells", s[HP_PROF_WELLS]};
  out[4] = (part){"output", s[HP_PROF_OUTPUT] + s[HP_PROF_FIELDS]};
  double known = 0.0;
  for (int p = 0; p < 5; ++p) known += out[p].value;
  out[5] = (part){"start, host and device, other", fmax(r->whole - known, 0.0)};
  return 6;
}

static double sum_of(const part *p, int count) {
  double sum = 0.0;
  for (int n = 0; n < count; ++n) sum += p[n].value;
  return sum;
}

static void add_bar(hp_text *t, const char *name, const part *p, int count, double most, const char *number) {
  hp_text_add(t, "<div class=\"bar\"><b>");
  hp_text_add_xml(t, name);
  hp_text_add(t, "</b><div class=\"track\">");
  for (int n = 0; n < count; ++n)
    hp_text_add(t, "<i style=\"width:%.3f%%;background:var(--s%d)\" title=\"%s: %.4g\"></i>",
                most > 0.0 ? 100.0 * p[n].value / most : 0.0, n, p[n].name, p[n].value);
  hp_text_add(t, "</div><span class=\"number\">%s</span></div>\n", number);
}

static void add_key(hp_text *t, const part *p, int count) {
  hp_text_add(t, "<figcaption class=\"legend\">");
  for (int n = 0; n < count; ++n)
    hp_text_add(t, "<span><i class=\"key\" style=\"background:var(--s%d)\"></i>%s</span> ", n, p[n].name);
  hp_text_add(t, "</figcaption>");
}

static bool has_times(const hp_compare *C, int n) {
  return C->same_steps ? C->result[n].nsolve > 0 : C->result[n].has_run;
}

static void add_times(hp_text *t, const hp_compare *C) {
  part p[PARTS];
  char number[32];
  double most = 0.0;
  int count = 0;
  for (int n = 0; n < C->list.count; ++n)
    if (has_times(C, n)) {
      count = time_parts(C, n, p);
      most = fmax(most, sum_of(p, count));
    }
  hp_text_add(t, "<h2>Where the time went</h2>\n");
  if (count == 0) return;
  hp_text_add(t, "<p class=\"soft\">%s</p>\n<figure><div class=\"bars\" id=\"times\">\n",
              C->same_steps ? "Seconds of all systems together; copies to a GPU and back are not counted."
                            : "Seconds of each run; a run that failed is shown up to where it stopped.");
  for (int n = 0; n < C->list.count; ++n) {
    const bool known = has_times(C, n);
    const int parts = known ? time_parts(C, n, p) : 0;
    snprintf(number, sizeof number, known ? "%.4g s" : "not run", sum_of(p, parts));
    add_bar(t, name_of(C, n), p, parts, most, number);
  }
  time_parts(C, 0, p);
  hp_text_add(t, "</div>");
  add_key(t, p, count);
  hp_text_add(t, "</figure>\n");
}

static void add_memories(hp_text *t, const hp_compare *C) {
  static const char *const runs[] = {"case",   "linear<br>solver",       "GPU<br>in all",       "CPU<br>peak",
                                     "levels", "operator<br>complexity", "hierarchies<br>made", "refreshed",
                                     NULL};
  static const char *const systems[] = {"case",
                                        "linear<br>solver",
                                        "GPU<br>in all",
                                        "levels",
                                        "operator<br>complexity",
                                        "hierarchies<br>made",
                                        "refreshed",
                                        NULL};
  char number[32];
  int64_t most = 0;
  for (int n = 0; n < C->list.count; ++n)
    if (C->result[n].solver_bytes > most) most = C->result[n].solver_bytes;
  hp_text_add(t,
              "<h2>Memory</h2>\n<p class=\"soft\">Of the linear solver: work vectors, preconditioner, and the matrix "
              "where it is stored in another format.</p>\n<figure><div class=\"bars\" id=\"memory\">\n");
  for (int n = 0; n < C->list.count; ++n) {
    const int64_t bytes = C->result[n].solver_bytes;
    const part p = {"linear solver, bytes", (double)bytes};
    snprintf(number, sizeof number, C->result[n].state == HP_COMPARE_NOT_RUN ? "not run" : "not known");
    if (bytes > 0) hp_progress_bytes((double)bytes, number, sizeof number);
    add_bar(t, name_of(C, n), &p, bytes > 0, (double)most, number);
  }
  hp_text_add(t, "</div></figure>\n");
  begin_table(t, "memories", C->same_steps ? systems : runs);
  for (int n = 0; n < C->list.count; ++n) {
    const hp_compare_result *r = &C->result[n];
    begin_row(t, C, n);
    add_memory(t, r->solver_bytes);
    add_memory(t, r->device_bytes);
    if (!C->same_steps) add_memory(t, r->peak_bytes);
    add_number(t, "%.0f", r->uses_cpr ? r->cpr.levels : NAN);
    add_number(t, "%.2f", r->uses_cpr ? r->cpr.complexity : NAN);
    add_number(t, "%.0f", r->uses_cpr ? (double)r->cpr.counts.builds : NAN);
    add_number(t, "%.0f", r->uses_cpr ? (double)r->cpr.counts.refreshes : NAN);
    hp_text_add(t, "</tr>\n");
  }
  end_table(t);
}

/* ---- lines ------------------------------------------------------------------------------------------ */

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
  L->line[l] = (hp_chart_line){.name = name_of(C, n), .style = n, .x = L->x[l], .y = L->y[l]};
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

/* ---- the sections with lines --------------------------------------------------------------------- */

static hp_status add_iterations(hp_text *t, const hp_compare *C) {
  char time[64];
  snprintf(time, sizeof time, "time, %s", C->units.label[HP_UNIT_TIME]);
  hp_text_add(t,
              "<h2>Iterations</h2>\n<p class=\"soft\">A point a time step, attempts that failed included; of long "
              "runs several steps share a point, at their mean.</p>\n");
  HP_TRY(add_lines(t, C, LINEAR, "Linear iterations a Newton iteration over time", time,
                   "linear iterations a Newton iteration"));
  if (C->same_steps) return HP_OK;
  return add_lines(t, C, NEWTON, "Newton iterations a time step over time", time, "Newton iterations a time step");
}

static void add_curve_system(hp_text *t, const hp_compare *C, int n) {
  const hp_compare_result *r = &C->result[n];
  if (r->curve_of < 0 || r->ncurve == 0) return;
  const hp_compare_solve *v = &r->solve[r->curve_of];
  hp_text_add(t, "step %d, attempt %d, Newton iteration %d, to %.6g %s", v->step, v->attempt, v->newton,
              v->time / C->units.factor[HP_UNIT_TIME], C->units.label[HP_UNIT_TIME]);
}

static hp_status add_convergence(hp_text *t, const hp_compare *C) {
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
      hp_text_add_xml(t, name_of(C, n));
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

static hp_status add_run_differences(hp_text *t, const hp_compare *C) {
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
  hp_text_add_xml(t, name_of(C, 0));
  hp_text_add(t,
              "&#8217;</h2>\n<p class=\"soft\">The largest at the report times that both have; totals relative to "
              "the largest of both. Cells are compared at the end, where both ended at the same time on the same "
              "number of cells. Empty: there is nothing to compare.</p>\n");
  begin_table(t, "differences", head);
  for (int n = 0; n < C->list.count; ++n) {
    const hp_compare_difference *d = &C->result[n].off;
    begin_row(t, C, n);
    add_number(t, "%.6g", d->until / u->factor[HP_UNIT_TIME]);
    add_number(t, "%.3g", d->oil_total);
    add_number(t, "%.3g", d->water_total);
    add_number(t, "%.3g", d->injected_total);
    add_number(t, "%.3g", d->water_cut);
    add_number(t, "%.3g", d->pressure / bar);
    add_number(t, "%.3g", d->cell_pressure / bar);
    add_number(t, "%.3g", d->cell_saturation);
    hp_text_add(t, "</tr>\n");
  }
  end_table(t);
  HP_TRY(add_lines(t, C, OIL_RATE, "Oil rate over time", time, rate));
  return add_lines(t, C, WATER_CUT, "Water cut over time", time, "water cut");
}

static void add_system_differences(hp_text *t, const hp_compare *C) {
  static const char *const head[] = {"case", "largest<br>residual", "pressures<br>off by", "saturations<br>off by",
                                     NULL};
  hp_text_add(t, "<h2>Differences to &#8216;");
  hp_text_add_xml(t, name_of(C, 0));
  hp_text_add(t,
              "&#8217;</h2>\n<p class=\"soft\">The largest of all systems: the true residual |b - A x| / |b|, and "
              "|x - x1| / |x1| of the cells&#8217; pressures and saturations, x1 being what &#8216;");
  hp_text_add_xml(t, name_of(C, 0));
  hp_text_add(t,
              "&#8217; found. A solve to a loose tolerance leaves room for such differences. The results of the run "
              "are those of the first case for all.</p>\n");
  begin_table(t, "differences", head);
  for (int n = 0; n < C->list.count; ++n) {
    const hp_compare_sum sum = hp_compare_sum_of(&C->result[n]);
    begin_row(t, C, n);
    add_number(t, "%.3g", C->result[n].nsolve > 0 ? sum.residual : NAN);
    add_number(t, "%.3g", sum.off[0]);
    add_number(t, "%.3g", sum.off[1]);
    hp_text_add(t, "</tr>\n");
  }
  end_table(t);
}

/* ---- what was compared, where ------------------------------------------------------------------------- */

static hp_status add_cases(hp_text *t, const hp_compare *C) {
  static const char *const head[] = {"case", "its own settings", "linear solver", "where", NULL};
  hp_text_add(t, "<h2>Cases</h2>\n");
  begin_table(t, "cases", head);
  for (int n = 0; n < C->list.count; ++n) {
    char *settings;
    HP_TRY(hp_compare_describe(&C->list.of[n], &settings));
    begin_row(t, C, n);
    add_words(t, settings[0] != '\0' ? settings : "none: the deck as it is");
    add_words(t, C->result[n].solver);
    add_words(t, C->result[n].where);
    hp_text_add(t, "</tr>\n");
    HP_FREE(settings);
  }
  end_table(t);
  if (C->nset > 0) hp_text_add(t, "<p>In all cases: <code>");
  for (int n = 0; n < C->nset; ++n) {
    hp_text_add_xml(t, C->set[n]);
    hp_text_add(t, " ");
  }
  if (C->nset > 0) hp_text_add(t, "</code></p>\n");
  return HP_OK;
}

static void add_line_of(hp_text *t, const char *what, const char *value) {
  hp_text_add(t, "<tr><th scope=\"row\">%s</th><td class=\"words\">", what);
  hp_text_add_xml(t, value);
  hp_text_add(t, "</td></tr>\n");
}

static hp_status add_machine(hp_text *t, const hp_compare *C) {
  char now[32] = "", seconds[32];
  const time_t clock = time(NULL);
  struct tm utc;
  if (gmtime_r(&clock, &utc) != NULL) strftime(now, sizeof now, "%Y-%m-%d %H:%M:%S UTC", &utc);
  snprintf(seconds, sizeof seconds, "%.4g s", C->whole);
  hp_text machine = {0}, versions = {0};
  hp_text_add_machine(&machine);
  hp_text_add_versions(&versions);
  hp_status s = machine.status != HP_OK ? machine.status : versions.status;
  if (s == HP_OK) {
    hp_text_add(t, "<h2>Machine and versions</h2>\n<div class=\"scroll\"><table id=\"machine\"><tbody>\n");
    add_line_of(t, "machine", machine.s);
    add_line_of(t, "versions", versions.s);
    add_line_of(t, "command", C->command_line);
    add_line_of(t, "deck", C->deck);
    add_line_of(t, "finished", now);
    add_line_of(t, "took", seconds);
    hp_text_add(t, "</tbody></table></div>\n");
  }
  hp_text_clear(&machine);
  hp_text_clear(&versions);
  return s;
}

static void add_top(hp_text *t, const hp_compare *C) {
  const char *title = C->title != NULL && C->title[0] != '\0' ? C->title : C->deck;
  hp_text_add(t,
              "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
              "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"><title>");
  hp_text_add_xml(t, title);
  hp_text_add(t, ": %d cases compared</title>\n<style>\n%s</style></head>\n<body><main>\n<h1>", C->list.count, style);
  hp_text_add_xml(t, title);
  hp_text_add(t, ": %d cases compared</h1>\n<p class=\"soft\">", C->list.count);
  hp_text_add_xml(t, C->grid);
  hp_text_add(t, "</p>\n<p>");
  if (C->same_steps) {
    hp_text_add(t, "<b>The same systems for all:</b> &#8216;");
    hp_text_add_xml(t, name_of(C, 0));
    hp_text_add(t,
                "&#8217; ran with its own time steps and Newton iterates; each of its linear systems was solved by "
                "every case, and the run went on with its own solution.");
  } else {
    hp_text_add(t,
                "<b>Each case is a run of its own,</b> with the time steps and Newton iterates that its solver led "
                "to.");
  }
  hp_text_add(t, "</p>\n");
}

static hp_status add_page(hp_text *t, const hp_compare *C) {
  add_top(t, C);
  add_results(t, C);
  add_times(t, C);
  HP_TRY(add_iterations(t, C));
  HP_TRY(add_convergence(t, C));
  add_memories(t, C);
  if (C->same_steps)
    add_system_differences(t, C);
  else
    HP_TRY(add_run_differences(t, C));
  HP_TRY(add_cases(t, C));
  HP_TRY(add_machine(t, C));
  hp_text_add(t, "</main></body></html>\n");
  return HP_OK;
}

hp_status hp_compare_write_page(const hp_compare *C) {
  hp_text t = {0};
  char *path = NULL;
  hp_status s = add_page(&t, C);
  if (s == HP_OK) s = hp_format(&path, "%s/compare.html", C->folder);
  if (s == HP_OK) s = hp_file_replace_text(path, &t);
  HP_FREE(path);
  hp_text_clear(&t);
  return s;
}
