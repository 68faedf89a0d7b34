/* Bars of the comparison's page: where the time went, and memory. */
#include <math.h>
#include <stdio.h>

#include "core/show.h"
#include "sim/compare/page_impl.h"

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

void hp_page_times(hp_text *t, const hp_compare *C) {
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
    add_bar(t, hp_page_name(C, n), p, parts, most, number);
  }
  time_parts(C, 0, p);
  hp_text_add(t, "</div>");
  add_key(t, p, count);
  hp_text_add(t, "</figure>\n");
}

void hp_page_memories(hp_text *t, const hp_compare *C) {
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
    if (bytes > 0) hp_show_bytes((double)bytes, number, sizeof number);
    add_bar(t, hp_page_name(C, n), &p, bytes > 0, (double)most, number);
  }
  hp_text_add(t, "</div></figure>\n");
  hp_page_begin_table(t, "memories", C->same_steps ? systems : runs);
  for (int n = 0; n < C->list.count; ++n) {
    const hp_compare_result *r = &C->result[n];
    hp_page_begin_row(t, C, n);
    hp_page_memory(t, r->solver_bytes);
    hp_page_memory(t, r->device_bytes);
    if (!C->same_steps) hp_page_memory(t, r->peak_bytes);
    hp_page_number(t, "%.0f", r->uses_cpr ? r->cpr.levels : NAN);
    hp_page_number(t, "%.2f", r->uses_cpr ? r->cpr.complexity : NAN);
    hp_page_number(t, "%.0f", r->uses_cpr ? (double)r->cpr.counts.builds : NAN);
    hp_page_number(t, "%.0f", r->uses_cpr ? (double)r->cpr.counts.refreshes : NAN);
    hp_text_add(t, "</tr>\n");
  }
  hp_page_end_table(t);
}
