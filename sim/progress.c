#include "sim/progress.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "core/memory.h"

static double in_units(const hp_sim *S, hp_quantity q, double value) { return value / S->c->units.factor[q]; }

static void clear_bar(const hp_sim *S) {
  if (S->bar) fputs("\r\033[K", stderr);
}

void hp_progress_start(const hp_sim *S) {
  const hp_case *c = S->c;
  const hp_grid *g = c->grid;
  fprintf(stderr, "hepta: %s%s%s\n", c->deck, c->title != NULL && c->title[0] != '\0' ? ": " : "",
          c->title != NULL ? c->title : "");
  fprintf(stderr, "  grid     %d x %d x %d, %lld cells, %lld active; %d wells, %d report times\n", g->nx, g->ny, g->nz,
          (long long)g->ncell, (long long)g->nactive, c->nwell, c->nreport);
  fprintf(stderr, "  solver   %s, %s", hp_krylov_method_name(c->linear.method), hp_precond_name(c->linear.preconditioner));
  if (c->linear.preconditioner == HP_PRECOND_DILU) fprintf(stderr, " (%s order)", hp_ordering_name(c->linear.ordering));
  fprintf(stderr, ", tolerance %g; CPU, %d thread%s, %.0f MB\n", c->linear.tolerance, hp_team_hub_size(S->hub),
          hp_team_hub_size(S->hub) == 1 ? "" : "s", (double)hp_memory_now() / 1e6);
  fprintf(stderr, "  results  %s.h5, %s.summary.csv\n", S->base, S->base);
}

/* Seconds as people say them. */
static void format_seconds(double s, char *out, size_t size) {
  if (s < 100.0) snprintf(out, size, "%.0f s", s);
  else if (s < 6000.0) snprintf(out, size, "%.0f min", s / 60.0);
  else snprintf(out, size, "%.1f h", s / 3600.0);
}

void hp_progress_step(hp_sim *S, int newton, int linear) {
  const double now = hp_now(), end = S->c->report[S->c->nreport - 1];
  if (!S->bar || (now - S->drawn < 0.1 && S->time < end)) return;
  S->drawn = now;
  enum { WIDTH = 24 };
  char bar[WIDTH + 1], left[32];
  const double done = S->time / end;
  for (int i = 0; i < WIDTH; ++i) bar[i] = i < (int)(done * WIDTH) ? '=' : i == (int)(done * WIDTH) ? '>' : ' ';
  bar[WIDTH] = '\0';
  format_seconds(done > 0.0 ? (now - S->began) * (1.0 - done) / done : 0.0, left, sizeof left);
  fprintf(stderr, "\r\033[K[%s] %3.0f%%  %.6g of %.6g %s  step %.3g  newton %d  linear %d  left %s", bar, 100.0 * done,
          in_units(S, HP_UNIT_TIME, S->time), in_units(S, HP_UNIT_TIME, end), S->c->units.label[HP_UNIT_TIME],
          in_units(S, HP_UNIT_TIME, S->dt), newton, linear, left);
  fflush(stderr);
}

void hp_progress_report(hp_sim *S, int report) {
  hp_report_row *row = &S->report[S->nreport++];
  row->time = S->time;
  row->pressure = S->now.pressure;
  row->field = hp_sim_field_flow(S);
  if (S->bar || S->opt.progress == 0) return;
  /* without a terminal: about twenty lines a run */
  const int every = (S->c->nreport + 19) / 20;
  if ((report + 1) % every != 0 && report + 1 != S->c->nreport) return;
  fprintf(stderr, "  %.6g %s  step %d (%.3g %s)  newton %lld  linear %lld  cuts %d  %.1f s\n", in_units(S, HP_UNIT_TIME, S->time),
          S->c->units.label[HP_UNIT_TIME], S->step, in_units(S, HP_UNIT_TIME, S->dt), S->c->units.label[HP_UNIT_TIME],
          (long long)S->counts.newton, (long long)S->counts.linear, S->counts.cuts, hp_now() - S->began);
}

void hp_progress_note(const hp_sim *S, const char *fmt, ...) {
  va_list ap;
  clear_bar(S);
  fputs("  ", stderr);
  va_start(ap, fmt);
  vfprintf(stderr, fmt, ap);
  va_end(ap);
  fputc('\n', stderr);
}

void hp_progress_end(const hp_sim *S) { clear_bar(S); }
