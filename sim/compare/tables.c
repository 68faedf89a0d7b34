/* The results of a comparison as text: the table on the terminal, and CSV files. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/show.h"
#include "io/files/text.h"
#include "sim/compare/compare.h"

/* ---- the terminal ---- */

/* A number in so many columns, "-" where there is none. */
static void print_number(FILE *f, int width, int digits, double v) {
  if (isnan(v)) fprintf(f, " %*s", width, "-");
  else fprintf(f, " %*.*g", width, digits, v);
}

static int name_width(const hp_compare *C) {
  int width = 8;
  for (int n = 0; n < C->list.count; ++n) {
    const int length = (int)strlen(C->list.of[n].name);
    if (length > width) width = length < 28 ? length : 28;
  }
  return width;
}

static void print_memory(FILE *f, int64_t bytes) {
  char text[32] = "-";
  if (bytes > 0) hp_show_bytes((double)bytes, text, sizeof text);
  fprintf(f, " %8s", text);
}

static void print_runs(const hp_compare *C, int width, FILE *f) {
  fprintf(f, "\n%-*s %-8s %6s %7s %8s %8s %5s %9s %9s %9s %8s %8s\n", width, "case", "state", "steps", "newton",
          "linear", "a newton", "cuts", "setup s", "solve s", "whole s", "solver", "peak");
  for (int n = 0; n < C->list.count; ++n) {
    const hp_compare_result *r = &C->result[n];
    const hp_compare_sum sum = hp_compare_sum_of(r);
    fprintf(f, "%-*.*s %-8s", width, width, C->list.of[n].name, hp_compare_state_name(r->state));
    if (!r->has_run) {
      fprintf(f, " %6s\n", "-");
      continue;
    }
    fprintf(f, " %6d %7lld %8lld", r->counts.steps, (long long)(r->counts.newton + r->counts.wasted_newton),
            (long long)sum.iterations);
    print_number(f, 8, 3, r->nsolve > 0 ? (double)sum.iterations / (double)r->nsolve : NAN);
    fprintf(f, " %5d %9.3f %9.3f %9.3f", r->counts.cuts, sum.setup, sum.solve, r->whole);
    print_memory(f, r->solver_bytes);
    print_memory(f, r->peak_bytes);
    fputc('\n', f);
  }
}

static void print_differences(const hp_compare *C, int width, FILE *f) {
  const hp_units *u = &C->units;
  const double p = u->factor[HP_UNIT_PRESSURE];
  fprintf(f, "\nLargest differences to '%s'\n%-*s %9s %10s %10s %10s %10s %10s %12s %10s\n", C->list.of[0].name, width,
          "", "until", "oil total", "water t.", "injected", "water cut", "pressure", "cell press.", "cell sw");
  fprintf(f, "%-*s %9s %10s %10s %10s %10s %10s %12s %10s\n", width, "", u->label[HP_UNIT_TIME], "relative", "relative",
          "relative", "", u->label[HP_UNIT_PRESSURE], u->label[HP_UNIT_PRESSURE], "");
  for (int n = 1; n < C->list.count; ++n) {
    const hp_compare_difference *d = &C->result[n].off;
    fprintf(f, "%-*.*s", width, width, C->list.of[n].name);
    print_number(f, 9, 6, d->until / u->factor[HP_UNIT_TIME]);
    print_number(f, 10, 3, d->oil_total);
    print_number(f, 10, 3, d->water_total);
    print_number(f, 10, 3, d->injected_total);
    print_number(f, 10, 3, d->water_cut);
    print_number(f, 10, 3, d->pressure / p);
    print_number(f, 12, 3, d->cell_pressure / p);
    print_number(f, 10, 3, d->cell_saturation);
    fputc('\n', f);
  }
}

static void print_systems(const hp_compare *C, int width, FILE *f) {
  fprintf(f, "\n%-*s %-8s %7s %8s %8s %6s %6s %9s %9s %8s %9s %9s %9s\n", width, "case", "state", "systems", "linear",
          "a system", "most", "short", "setup s", "solve s", "solver", "residual", "off p", "off s");
  for (int n = 0; n < C->list.count; ++n) {
    const hp_compare_result *r = &C->result[n];
    const hp_compare_sum sum = hp_compare_sum_of(r);
    fprintf(f, "%-*.*s %-8s %7lld", width, width, C->list.of[n].name, hp_compare_state_name(r->state),
            (long long)r->nsolve);
    if (r->nsolve == 0) {
      fputc('\n', f);
      continue;
    }
    fprintf(f, " %8lld", (long long)sum.iterations);
    print_number(f, 8, 3, (double)sum.iterations / (double)r->nsolve);
    fprintf(f, " %6d %6lld %9.3f %9.3f", sum.most, (long long)sum.stopped_short, sum.setup, sum.solve);
    print_memory(f, r->solver_bytes);
    print_number(f, 9, 2, sum.residual);
    print_number(f, 9, 2, sum.off[0]);
    print_number(f, 9, 2, sum.off[1]);
    fputc('\n', f);
  }
  fprintf(f,
          "\nEvery case got the systems of '%s'. residual: the largest |b - A x| / |b|; off: the largest\n"
          "|x - x1| / |x1| against x1 of '%s', of pressures and of saturations.\n",
          C->list.of[0].name, C->list.of[0].name);
}

void hp_compare_print(const hp_compare *C, FILE *f) {
  const int width = name_width(C);
  if (C->same_steps) {
    print_systems(C, width, f);
  } else {
    print_runs(C, width, f);
    print_differences(C, width, f);
  }
  bool head = false;
  for (int n = 0; n < C->list.count; ++n) {
    const hp_compare_result *r = &C->result[n];
    if (r->why[0] == '\0') continue;
    fprintf(f, "%s  %s, %s: %s\n", head ? "" : "\n", C->list.of[n].name, hp_compare_state_name(r->state), r->why);
    head = true;
  }
}

/* ---- CSV ---- */

/* A value, empty where there is none. */
static void add_number(hp_text *t, double v) {
  if (isnan(v)) hp_text_add(t, ",");
  else hp_text_add(t, ",%.12g", v);
}

static void add_count(hp_text *t, bool known, int64_t v) {
  if (known) hp_text_add(t, ",%lld", (long long)v);
  else hp_text_add(t, ",");
}

static void add_text(hp_text *t, const char *s) {
  hp_text_add(t, ",");
  hp_text_add_csv(t, s);
}

/* Time and reservoir columns have the deck's units, as those of NAME.summary.csv. */
static void add_head(hp_text *t, const hp_units *u) {
  const char *day = u->summary[HP_UNIT_TIME], *bar = u->summary[HP_UNIT_PRESSURE];
  hp_text_add(t,
              "case,settings,solver,where,state,why,time[%s],steps,cuts,newton,corrected_FOPT,"
              "corrected_FWPT,error_FOPT,error_FWPT,solves,linear,most,stopped_short,residual,assembly[s],wells[s],"
              "setup[s],solve[s],output[s],whole[s],solver_memory[B],device_memory[B],"
              "peak_memory[B],hierarchy_builds,hierarchy_refreshes,levels,operator_complexity,",
              day);
  hp_text_add(t,
              "compared_until[%s],off_FOPT,off_FWPT,off_injected,off_FWCT,off_FPR[%s],off_cell_pressure[%s],"
              "off_cell_sw,off_update_p,off_update_s\n",
              day, bar, bar);
}

static hp_status add_case(hp_text *t, const hp_compare *C, int n) {
  const hp_units *u = &C->units;
  const hp_compare_result *r = &C->result[n];
  const hp_compare_difference *d = &r->off;
  const hp_compare_sum sum = hp_compare_sum_of(r);
  const bool run = r->has_run, timed = run && !C->same_steps, solved = r->nsolve > 0;
  const double *seconds = r->seconds, bar = u->factor[HP_UNIT_PRESSURE], day = u->factor[HP_UNIT_TIME];
  char *settings;
  HP_TRY(hp_compare_describe(&C->list.of[n], &settings));
  hp_text_add_csv(t, C->list.of[n].name);
  add_text(t, settings);
  HP_FREE(settings);
  add_text(t, r->solver);
  add_text(t, r->where);
  add_text(t, hp_compare_state_name(r->state));
  add_text(t, r->why);
  add_number(t, run ? r->time / day : NAN);
  add_count(t, run, r->counts.steps);
  add_count(t, run, r->counts.cuts);
  add_count(t, run, r->counts.newton + r->counts.wasted_newton);
  add_number(t, run ? r->corrected[HP_OIL] : NAN);
  add_number(t, run ? r->corrected[HP_WATER] : NAN);
  add_number(t, run ? r->error[HP_OIL] : NAN);
  add_number(t, run ? r->error[HP_WATER] : NAN);
  add_count(t, true, r->nsolve);
  add_count(t, solved, sum.iterations);
  add_count(t, solved, sum.most);
  add_count(t, solved, sum.stopped_short);
  add_number(t, solved ? sum.residual : NAN);
  add_number(t, run ? seconds[HP_PROF_PROPERTIES] + seconds[HP_PROF_ASSEMBLY] + seconds[HP_PROF_UPDATE] : NAN);
  add_number(t, run ? seconds[HP_PROF_WELLS] : NAN);
  add_number(t, solved ? sum.setup : NAN);
  add_number(t, solved ? sum.solve : NAN);
  add_number(t, run ? seconds[HP_PROF_OUTPUT] + seconds[HP_PROF_FIELDS] : NAN);
  add_number(t, timed ? r->whole : NAN);
  add_count(t, r->solver_bytes > 0, r->solver_bytes);
  add_count(t, r->device_bytes > 0, r->device_bytes);
  add_count(t, r->peak_bytes > 0, r->peak_bytes);
  add_count(t, r->uses_cpr, r->cpr.counts.builds);
  add_count(t, r->uses_cpr, r->cpr.counts.refreshes);
  add_count(t, r->uses_cpr, r->cpr.levels);
  add_number(t, r->uses_cpr ? r->cpr.complexity : NAN);
  add_number(t, d->until / day);
  add_number(t, d->oil_total);
  add_number(t, d->water_total);
  add_number(t, d->injected_total);
  add_number(t, d->water_cut);
  add_number(t, d->pressure / bar);
  add_number(t, d->cell_pressure / bar);
  add_number(t, d->cell_saturation);
  add_number(t, sum.off[0]);
  add_number(t, sum.off[1]);
  hp_text_add(t, "\n");
  return HP_OK;
}

static void add_solves(hp_text *t, const hp_compare *C, int n) {
  const hp_compare_result *r = &C->result[n];
  const double day = C->units.factor[HP_UNIT_TIME];
  for (int64_t m = 0; m < r->nsolve; ++m) {
    const hp_compare_solve *v = &r->solve[m];
    hp_text_add_csv(t, C->list.of[n].name);
    hp_text_add(t, ",%d,%d,%d,%.12g,%.12g,%d", v->step, v->attempt, v->newton, v->time / day, v->dt / day,
                v->iterations);
    add_text(t, hp_krylov_reason_text(v->reason));
    add_number(t, v->residual);
    add_number(t, v->setup);
    add_number(t, v->solve);
    add_number(t, v->off[0]);
    add_number(t, v->off[1]);
    hp_text_add(t, "\n");
  }
}

static void add_curve(hp_text *t, const hp_compare *C, int n) {
  const hp_compare_result *r = &C->result[n];
  for (int i = 0; i < r->ncurve; ++i) {
    const hp_compare_solve *v = &r->solve[r->curve_of];
    hp_text_add_csv(t, C->list.of[n].name);
    hp_text_add(t, ",%d,%d,%d,%d", v->step, v->attempt, v->newton, i);
    add_number(t, r->curve[i]);
    hp_text_add(t, "\n");
  }
}

/* Writes FOLDER/compare.NAME and clears the text. */
static hp_status put(const hp_compare *C, const char *name, hp_text *t) {
  char *path = NULL;
  hp_status s = hp_format(&path, "%s/compare.%s", C->folder, name);
  if (s == HP_OK) s = hp_file_replace_text(path, t);
  HP_FREE(path);
  hp_text_clear(t);
  return s;
}

hp_status hp_compare_write_tables(const hp_compare *C) {
  const char *day = C->units.summary[HP_UNIT_TIME];
  hp_text t = {0};
  add_head(&t, &C->units);
  hp_status s = HP_OK;
  for (int n = 0; n < C->list.count && s == HP_OK; ++n) s = add_case(&t, C, n);
  if (s == HP_OK) s = put(C, "csv", &t);
  if (s == HP_OK) {
    hp_text_add(&t, "case,step,attempt,newton,time[%s],dt[%s],iterations,end,residual,setup[s],solve[s],off_p,off_s\n",
                day, day);
    for (int n = 0; n < C->list.count; ++n) add_solves(&t, C, n);
    s = put(C, "solves.csv", &t);
  }
  if (s == HP_OK) {
    hp_text_add(&t, "case,step,attempt,newton,iteration,residual\n");
    for (int n = 0; n < C->list.count; ++n) add_curve(&t, C, n);
    s = put(C, "residuals.csv", &t);
  }
  hp_text_clear(&t);
  return s;
}
