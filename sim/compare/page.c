/* The page of a comparison, its sections in their order, and what they are made of. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <time.h>

#include "core/memory.h"
#include "core/show.h"
#include "sim/compare/chart.h"
#include "sim/compare/page_impl.h"

/* ---- pieces ---- */

const char *hp_page_name(const hp_compare *C, int n) { return C->list.of[n].name; }

void hp_page_number(hp_text *t, const char *format, double v) {
  char text[40];
  snprintf(text, sizeof text, format, v);
  hp_text_add(t, "<td>%s</td>", isnan(v) ? "" : text);
}

void hp_page_memory(hp_text *t, int64_t bytes) {
  char text[32] = "";
  if (bytes > 0) hp_show_bytes((double)bytes, text, sizeof text);
  hp_text_add(t, "<td>%s</td>", text);
}

static void add_words(hp_text *t, const char *words) {
  hp_text_add(t, "<td class=\"words\">");
  hp_text_add_xml(t, words);
  hp_text_add(t, "</td>");
}

/* The first cell of a case's row. */
void hp_page_begin_row(hp_text *t, const hp_compare *C, int n) {
  hp_text_add(t, "<tr><th scope=\"row\">");
  hp_chart_swatch(t, n);
  hp_text_add_xml(t, hp_page_name(C, n));
  hp_text_add(t, "</th>");
}

static void add_state(hp_text *t, hp_compare_state s) {
  hp_text_add(t, "<td class=\"state %s\">%s</td>", s == HP_COMPARE_NOT_RUN ? "not-run" : hp_compare_state_name(s),
              hp_compare_state_name(s));
}

/* Keys scroll it, too. */
static void begin_scroll(hp_text *t, const char *id) {
  hp_text_add(t, "<div class=\"scroll\" tabindex=\"0\"><table id=\"%s\">", id);
}

void hp_page_begin_table(hp_text *t, const char *id, const char *const *head) {
  begin_scroll(t, id);
  hp_text_add(t, "<thead><tr>");
  for (; *head != NULL; ++head) hp_text_add(t, "<th scope=\"col\">%s</th>", *head);
  hp_text_add(t, "</tr></thead><tbody>\n");
}

void hp_page_end_table(hp_text *t) { hp_text_add(t, "</tbody></table></div>\n"); }

/* ---- the results ---- */

static void add_run_row(hp_text *t, const hp_compare *C, int n) {
  const hp_compare_result *r = &C->result[n];
  const hp_compare_sum sum = hp_compare_sum_of(r);
  hp_page_begin_row(t, C, n);
  add_state(t, r->state);
  hp_page_number(t, "%.6g", r->has_run ? r->time / C->units.factor[HP_UNIT_TIME] : NAN);
  hp_page_number(t, "%.0f", r->has_run ? r->counts.steps : NAN);
  hp_page_number(t, "%.0f", r->has_run ? r->counts.cuts : NAN);
  hp_page_number(t, "%.0f", r->has_run ? (double)(r->counts.newton + r->counts.wasted_newton) : NAN);
  hp_page_number(t, "%.0f", r->nsolve > 0 ? (double)sum.iterations : NAN);
  hp_page_number(t, "%.2f", r->nsolve > 0 ? (double)sum.iterations / (double)r->nsolve : NAN);
  hp_page_number(t, "%.4g", r->nsolve > 0 ? sum.setup : NAN);
  hp_page_number(t, "%.4g", r->nsolve > 0 ? sum.solve : NAN);
  hp_page_number(t, "%.4g", r->has_run ? r->whole : NAN);
  hp_text_add(t, "</tr>\n");
}

static void add_system_row(hp_text *t, const hp_compare *C, int n) {
  const hp_compare_result *r = &C->result[n];
  const hp_compare_sum sum = hp_compare_sum_of(r);
  const bool any = r->nsolve > 0;
  hp_page_begin_row(t, C, n);
  add_state(t, r->state);
  hp_page_number(t, "%.0f", (double)r->nsolve);
  hp_page_number(t, "%.0f", any ? (double)sum.iterations : NAN);
  hp_page_number(t, "%.2f", any ? (double)sum.iterations / (double)r->nsolve : NAN);
  hp_page_number(t, "%.0f", any ? sum.most : NAN);
  hp_page_number(t, "%.0f", any ? (double)sum.stopped_short : NAN);
  hp_page_number(t, "%.4g", any ? sum.setup : NAN);
  hp_page_number(t, "%.4g", any ? sum.solve : NAN);
  hp_page_number(t, "%.4g", any ? sum.setup + sum.solve : NAN);
  hp_text_add(t, "</tr>\n");
}

static void add_reasons(hp_text *t, const hp_compare *C) {
  for (int n = 0; n < C->list.count; ++n) {
    const hp_compare_result *r = &C->result[n];
    if (r->why[0] == '\0') continue;
    hp_text_add(t, "<p class=\"why%s\"><b>", r->state == HP_COMPARE_NOT_RUN ? " not-run" : "");
    hp_text_add_xml(t, hp_page_name(C, n));
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
  hp_page_begin_table(t, "results", C->same_steps ? systems : runs);
  for (int n = 0; n < C->list.count; ++n)
    if (C->same_steps) add_system_row(t, C, n);
    else add_run_row(t, C, n);
  hp_page_end_table(t);
  add_reasons(t, C);
}

/* ---- what was compared, where ---- */

static hp_status add_cases(hp_text *t, const hp_compare *C) {
  static const char *const head[] = {"case", "its own settings", "linear solver", "where", NULL};
  hp_text_add(t, "<h2>Cases</h2>\n");
  hp_page_begin_table(t, "cases", head);
  for (int n = 0; n < C->list.count; ++n) {
    char *settings;
    HP_TRY(hp_compare_describe(&C->list.of[n], &settings));
    hp_page_begin_row(t, C, n);
    add_words(t, settings[0] != '\0' ? settings : "none: the deck as it is");
    add_words(t, C->result[n].solver);
    add_words(t, C->result[n].where);
    hp_text_add(t, "</tr>\n");
    HP_FREE(settings);
  }
  hp_page_end_table(t);
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
    hp_text_add(t, "<h2>Machine and versions</h2>\n");
    begin_scroll(t, "machine");
    hp_text_add(t, "<tbody>\n");
    add_line_of(t, "machine", machine.s);
    add_line_of(t, "versions", versions.s);
    add_line_of(t, "command", C->command_line);
    add_line_of(t, "deck", C->deck);
    add_line_of(t, "finished", now);
    add_line_of(t, "took", seconds);
    hp_page_end_table(t);
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
  hp_text_add(t, ": %d cases compared</title>\n<style>\n%s</style></head>\n<body><main>\n<h1>", C->list.count,
              hp_page_style);
  hp_text_add_xml(t, title);
  hp_text_add(t, ": %d cases compared</h1>\n<p class=\"soft\">", C->list.count);
  hp_text_add_xml(t, C->grid);
  hp_text_add(t, "</p>\n<p>");
  if (C->same_steps) {
    hp_text_add(t, "<b>The same systems for all:</b> &#8216;");
    hp_text_add_xml(t, hp_page_name(C, 0));
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
  hp_page_times(t, C);
  HP_TRY(hp_page_iterations(t, C));
  HP_TRY(hp_page_convergence(t, C));
  hp_page_memories(t, C);
  if (C->same_steps) hp_page_system_differences(t, C);
  else HP_TRY(hp_page_run_differences(t, C));
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
