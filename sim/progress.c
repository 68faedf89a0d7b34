#include "sim/progress.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>


static double in_units(const hp_sim *S, hp_quantity q, double value) { return value / S->c->units.factor[q]; }

static void clear_bar(const hp_sim *S) {
  if (S->bar) fputs("\r\033[K", stderr);
}

void hp_progress_bytes(double bytes, char *out, size_t size) {
  static const char *const unit[] = {"B", "kB", "MB", "GB", "TB"};
  size_t u = 0;
  for (; bytes >= 999.5 && u + 1 < sizeof unit / sizeof unit[0]; ++u) bytes /= 1000.0;
  snprintf(out, size, u > 0 && bytes < 9.95 ? "%.1f %s" : "%.0f %s", bytes, unit[u]);
}

void hp_progress_start(const hp_sim *S) {
  if (S->opt.progress == 0) return;
  char where[256];
  S->backend->ops->describe(S->backend, where, sizeof where);
  const hp_case *c = S->c;
  const hp_grid *g = c->grid;
  fprintf(stderr, "hepta: %s%s%s\n", c->deck, c->title != NULL && c->title[0] != '\0' ? ": " : "",
          c->title != NULL ? c->title : "");
  fprintf(stderr, "  grid     %d x %d x %d, %lld cells, %lld active; %d wells, %d report times\n", g->nx, g->ny, g->nz,
          (long long)g->ncell, (long long)g->nactive, c->nwell, c->nreport);
  const hp_krylov_options *l = &S->linear.krylov;
  char precond[160];
  hp_backend_describe_precond(&S->linear, precond, sizeof precond);
  fprintf(stderr, "  solver   %s, %s", hp_krylov_method_name(l->method), precond);
  if (l->preconditioner == HP_PRECOND_DILU) fprintf(stderr, " (%s order)", hp_ordering_name(l->ordering));
  fprintf(stderr, ", tolerance %g; %s\n", l->tolerance, where);
  if (S->backend->warning != NULL) fprintf(stderr, "  warning  %s\n", S->backend->warning);
  fprintf(stderr, "  results  %s.h5, %s.summary.csv\n", S->base, S->base);
}

/* Seconds as people say them. */
static void format_seconds(double s, char *out, size_t size) {
  if (s < 100.0) snprintf(out, size, "%.0f s", s);
  else if (s < 6000.0) snprintf(out, size, "%.0f min", s / 60.0);
  else snprintf(out, size, "%.1f h", s / 3600.0);
}

/* Letters in a line of the terminal; 80 where it does not say. */
static int columns(void) {
  struct winsize size;
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return size.ws_col;
}

/* Appends a piece if all of it fits. */
static void append(char *line, size_t room, const char *fmt, ...) HP_PRINTF(3, 4);
static void append(char *line, size_t room, const char *fmt, ...) {
  char piece[128];
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(piece, sizeof piece, fmt, ap);
  va_end(ap);
  if (strlen(line) + strlen(piece) <= room) strcat(line, piece);
}

void hp_progress_step(hp_sim *S, int newton, int linear) {
  enum { BAR_MAX = 24, BAR_MIN = 8, LINE_MAX_ = 240 };
  const double now = hp_now(), end = S->c->report[S->c->nreport - 1];
  if (!S->bar || (now - S->drawn < 0.1 && S->time < end)) return;
  S->drawn = now;
  char line[LINE_MAX_ + 1] = "", bar[BAR_MAX + 1], left[32];
  const char *unit = S->c->units.label[HP_UNIT_TIME];
  const double done = S->time / end;
  format_seconds(done > 0.0 ? (now - S->began) * (1.0 - done) / done : 0.0, left, sizeof left);
  /* the last column stays free: some terminals wrap when it is written */
  const int wide = columns() - 1, room = wide < LINE_MAX_ ? wide : LINE_MAX_;
  append(line, (size_t)room, "%3.0f%%", floor(100.0 * done));
  append(line, (size_t)room, "  %.5g of %.5g %s", in_units(S, HP_UNIT_TIME, S->time), in_units(S, HP_UNIT_TIME, end),
         unit);
  append(line, (size_t)room, "  left %s", left);
  append(line, (size_t)room, "  step %.3g", in_units(S, HP_UNIT_TIME, S->dt));
  append(line, (size_t)room, "  newton %d", newton);
  append(line, (size_t)room, "  linear %d", linear);
  const int spare = room - (int)strlen(line) - 3, width = spare > BAR_MAX ? BAR_MAX : spare;
  fputs("\r\033[K", stderr);
  if (width >= BAR_MIN) {
    const int full = (int)(done * width);
    for (int i = 0; i < width; ++i) bar[i] = i < full ? '=' : i == full ? '>' : ' ';
    fprintf(stderr, "[%.*s] ", width, bar);
  }
  fputs(line, stderr);
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
  const char *unit = S->c->units.label[HP_UNIT_TIME];
  fprintf(stderr, "  %.6g %s  step %d (last %.3g %s)  newton %lld  linear %lld  cuts %d  %.1f s\n",
          in_units(S, HP_UNIT_TIME, S->time), unit, S->step, in_units(S, HP_UNIT_TIME, S->dt), unit,
          (long long)S->counts.newton, (long long)S->counts.linear, S->counts.cuts, hp_now() - S->began);
}

void hp_progress_note(const hp_sim *S, const char *fmt, ...) {
  va_list ap;
  if (S->opt.progress == 0) return;
  clear_bar(S);
  fputs("  ", stderr);
  va_start(ap, fmt);
  vfprintf(stderr, fmt, ap);
  va_end(ap);
  fputc('\n', stderr);
}

void hp_progress_end(const hp_sim *S) { clear_bar(S); }
