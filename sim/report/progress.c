#define _POSIX_C_SOURCE 200809L

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/folders.h"
#include "core/memory.h"
#include "core/plural.h"
#include "core/program.h"
#include "core/show.h"
#include "io/date.h"
#include "io/files/file.h"
#include "sim/report/progress_columns.h"
#include "sim/report/progress_impl.h"

enum { YELLOW = 33, BOLD = 1 };
enum { BAR_MIN = 7, BAR_ROOM = BAR_MIN + 3 }; /* letters of the bar, and with its brackets and a space */

static double in_units(const hp_sim *S, hp_quantity q, double value) { return value / S->c->units.factor[q]; }

hp_time_text hp_progress_time(const hp_sim *S, double time) {
  hp_time_text out;
  const hp_date_text date = hp_date_at(S->c->start, time, false);
  snprintf(out.s, sizeof out.s, "%.6g %s%s%s", in_units(S, HP_UNIT_TIME, time), S->c->units.label[HP_UNIT_TIME],
           date.s[0] != '\0' ? "  " : "", date.s);
  return out;
}

/* ---- the object ---- */

hp_status hp_progress_create(const hp_progress_options *opt, double began, hp_progress **out) {
  hp_progress *P;
  *out = NULL;
  HP_TRY(HP_ALLOC(P, 1));
  P->opt = *opt;
  P->began = began;
  const size_t length = opt->log != NULL ? strlen(opt->log) : 0;
  P->prt = length > 4 && strcasecmp(opt->log + length - 4, ".PRT") == 0;
  P->shown = !opt->quiet && !opt->only_bar && opt->when != 0;
  P->terminal = hp_terminal_look(opt->when);
  if (opt->quiet || opt->no_bar) P->terminal.bar = false;
  *out = P;
  return HP_OK;
}

static const char log_mark[] = "hepta ", events_fingerprint[] = "{\"event\": ";

static bool is_file(const char *path) { return path != NULL && strcmp(path, "-") != 0; }

hp_status hp_progress_check(const hp_progress_options *opt, const hp_inputs *read) {
  if (opt->log != NULL) HP_TRY(hp_inputs_check(read, "--log", opt->log, HP_INPUTS_TEXT));
  if (!is_file(opt->json)) return HP_OK;
  HP_TRY(hp_inputs_check(read, "--json", opt->json, HP_INPUTS_TEXT));
  hp_inputs log = {0};
  if (opt->log != NULL) hp_inputs_add(&log, opt->log);
  const hp_status s = hp_inputs_check(&log, "--json", opt->json, HP_INPUTS_TEXT);
  hp_inputs_clear(&log);
  return s;
}

/* Logs of simulators are replaced, as each of them does: what reads NAME.PRT must not find the words of an earlier run. */
static hp_status check_prt(const hp_progress *P) {
  const char *const words[] = {log_mark, "Flow is", "ECLIPSE", "imulation"}, *path = P->opt.log;
  struct stat st;
  if (!P->prt || P->opt.append || lstat(path, &st) != 0 || !S_ISREG(st.st_mode)) return HP_OK;
  if (hp_file_has_word(path, false, sizeof words / sizeof *words, words)) return HP_OK;
  return hp_fail(HP_ERR_USAGE, "--log %s: exists and is not a log of a simulator; refusing to overwrite it: remove it",
                 path);
}

/* Whether it may be written while not all files that are read are known: it is new, empty, or begins with `mark`. */
static bool may_begin(const char *option, const char *path, const char *mark) {
  char head[16] = "";
  struct stat st;
  if (stat(path, &st) != 0 || !S_ISREG(st.st_mode) || st.st_size == 0) return true;
  FILE *f = fopen(path, "r");
  const size_t n = f != NULL ? fread(head, 1, sizeof head - 1, f) : 0;
  if (f != NULL) fclose(f);
  if (n >= strlen(mark) && strncmp(head, mark, strlen(mark)) == 0) return true;
  fprintf(stderr, "hepta: %s %s: stays as it is: it may belong to the deck, which could not be read\n", option, path);
  return false;
}

static hp_status open_log(hp_progress *P) {
  const hp_progress_options *o = &P->opt;
  if (hp_make_folders_of(o->log) != HP_OK) return HP_ERR_USAGE;
  P->log = fopen(o->log, o->append ? "a" : "w");
  if (P->log == NULL) return hp_fail(HP_ERR_USAGE, "--log %s: cannot be opened for writing", o->log);
  fprintf(P->log, "%s%s%s%s\n", log_mark, hp_version, o->command_line != NULL ? ": " : "",
          o->command_line != NULL ? hp_show(o->command_line).s : "");
  return HP_OK;
}

hp_status hp_progress_open(hp_progress *P, const hp_inputs *read, bool all_read) {
  const hp_progress_options *o = &P->opt;
  HP_TRY(hp_progress_check(o, read));
  HP_TRY(check_prt(P));
  if (o->log != NULL && (all_read || P->prt || may_begin("--log", o->log, log_mark))) HP_TRY(open_log(P));
  if (o->json == NULL || (is_file(o->json) && !all_read && !may_begin("--json", o->json, events_fingerprint)))
    return HP_OK;
  return hp_events_open(read, o->json, o->append, P->began, &P->events);
}

hp_status hp_progress_destroy(hp_progress **slot) {
  hp_progress *P = *slot;
  if (P == NULL) return HP_OK;
  hp_status s = hp_events_close(&P->events);
  if (P->log != NULL) {
    const bool bad = ferror(P->log) != 0;
    if ((fclose(P->log) != 0 || bad) && s == HP_OK)
      s = hp_fail(HP_ERR_FILE, "--log %s: not everything could be written", P->opt.log);
  }
  HP_FREE(P->well);
  HP_FREE(P->group);
  hp_text_clear(&P->kept);
  HP_FREE(*slot);
  return s;
}

/* ---- messages of NAME.PRT ---- */

/* " @--  ERROR  AT TIME       30.5   DAYS    (2020-01-31):" and the lines of the text, which programs look for behind a simulator. */
static void put_message(hp_progress *P, bool error, const char *text) {
  if (!P->prt || P->log == NULL) return;
  const double day = 86400.0;
  const hp_date_text date = P->c != NULL ? hp_date_at(P->c->start, P->last.time, false) : (hp_date_text){""};
  P->messages[error] += 1;
  fprintf(P->log, "\n @--%s  AT TIME %10.1f   DAYS    (%s):\n", error ? "  ERROR" : "WARNING", P->last.time / day,
          date.s[0] != '\0' ? date.s : "no date");
  for (const char *line = text; *line != '\0';) {
    const int length = (int)strcspn(line, "\n");
    fprintf(P->log, " @           %.*s\n", length, line);
    line += length + (line[length] == '\n');
  }
  fputc('\n', P->log);
  fflush(P->log);
}

/* Returns what print(of, f) prints (malloc); NULL: nothing, or memory ran out. */
static char *printed(void (*print)(const void *of, FILE *f), const void *of) {
  char *text = NULL;
  size_t size = 0;
  FILE *f = open_memstream(&text, &size);
  if (f == NULL) return NULL;
  print(of, f);
  if (fclose(f) == 0 && size > 0) return text;
  free(text);
  return NULL;
}

static void print_item(const void *item, FILE *f) { hp_diag_print_item(item, f); }

static void put_diag(hp_progress *P, const hp_diag *diag) {
  for (int n = 0; n < diag->count; ++n) {
    char *text = printed(print_item, &diag->item[n]);
    if (text != NULL) put_message(P, diag->item[n].error, text);
    free(text);
  }
}

static void end_prt(hp_progress *P, int exit_code) {
  if (!P->prt || P->log == NULL) return;
  fprintf(P->log, "\nError summary:\nWarnings %16d\nErrors   %16d\nBugs     %16d\n", P->messages[0], P->messages[1], 0);
  if (exit_code == HP_EXIT_OK) fputs("\nEnd of simulation\n", P->log);
}

/* ---- lines ---- */

static void clear_bar(hp_progress *P) {
  if (P->drawn_now) fputs("\r\033[K", stderr);
  P->drawn_now = false;
}

/* Adds to what is kept until that is long; what comes at the end is kept all the same. */
static void keep(hp_progress *P, bool always, const char *text) {
  enum { LONG = 1 << 18 };
  const bool full = P->kept.length >= LONG;
  if (always || !full) hp_text_add(&P->kept, "%s\n", text);
  if (!full && P->kept.length >= LONG) hp_text_add(&P->kept, "  ... --log has all\n");
}

const hp_text *hp_progress_said(const hp_progress *P) { return P != NULL ? &P->kept : NULL; }

/* Where a line goes: to the log alone, to standard error, too, and into what is kept. */
typedef enum { LOG, SHOWN, KEPT } place;

static void tell(hp_progress *P, place to, int colour, const char *text) {
  if (to == KEPT) keep(P, false, text);
  if (to != LOG && P->shown) {
    hp_terminal_check_reader(STDERR_FILENO);
    clear_bar(P);
    if (P->terminal.colour && colour != 0) fprintf(stderr, "\033[%dm%s\033[0m\n", colour, text);
    else fprintf(stderr, "%s\n", text);
  }
  if (P->log == NULL) return;
  fprintf(P->log, "%s\n", text);
  fflush(P->log);
}

static void say(hp_progress *P, place to, int colour, const char *fmt, ...) HP_PRINTF(4, 5);
static void say(hp_progress *P, place to, int colour, const char *fmt, ...) {
  char raw[2048], text[sizeof raw];
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(raw, sizeof raw, fmt, ap);
  va_end(ap);
  tell(P, to, colour, hp_escape(raw, text, sizeof text));
}

void hp_progress_line(hp_progress *P, bool wanted, const char *text) { say(P, wanted ? KEPT : LOG, 0, "%s", text); }

static void tell_note(hp_sim *S, bool warns, const char *fmt, va_list ap) {
  hp_progress *P = S->progress;
  char text[1024];
  vsnprintf(text, sizeof text, fmt, ap);
  say(P, KEPT, YELLOW, "  %s", text);
  if (warns) put_message(P, false, text);
  if (warns && !P->shown && !P->opt.quiet && !P->opt.only_bar) fprintf(stderr, "hepta: note: %s\n", hp_show(text).s);
  hp_event_begin(P->events, "warning");
  hp_event_number(P->events, "time", in_units(S, HP_UNIT_TIME, S->time));
  hp_event_text(P->events, "text", text);
  hp_event_end(P->events);
}

void hp_progress_note(hp_sim *S, const char *fmt, ...) {
  va_list ap;
  if (S->progress == NULL) return;
  va_start(ap, fmt);
  tell_note(S, false, fmt, ap);
  va_end(ap);
}

void hp_progress_warn(hp_sim *S, const char *fmt, ...) {
  va_list ap;
  if (S->progress == NULL) return;
  va_start(ap, fmt);
  tell_note(S, true, fmt, ap);
  va_end(ap);
}

void hp_progress_text(hp_sim *S, const char *text) {
  hp_progress *P = S->progress;
  if (P == NULL) return;
  hp_terminal_check_reader(STDERR_FILENO);
  clear_bar(P);
  if (P->shown) fputs(text, stderr);
  if (P->log != NULL) fputs(text, P->log);
}

static void keep_printed(hp_progress *P, void (*print)(const void *of, FILE *f), const void *of) {
  char *text = printed(print, of);
  if (text != NULL) keep(P, true, text);
  free(text);
}

static void print_diag(const void *diag, FILE *f) { hp_diag_print(diag, f); }

void hp_progress_diag(hp_progress *P, const hp_diag *diag) {
  if (P == NULL) return;
  if (P->opt.quiet) hp_diag_print_errors(diag, stderr);
  else hp_diag_print(diag, stderr);
  if (P->prt) put_diag(P, diag);
  else if (P->log != NULL) hp_diag_print(diag, P->log);
  keep_printed(P, print_diag, diag);
  hp_event_diag(P->events, diag);
}

int hp_progress_error(hp_progress *P, hp_status s) {
  if (s == HP_OK) return HP_EXIT_OK;
  if (P == NULL) return hp_exit_code(s);
  const char *text = hp_fail_text()[0] != '\0' ? hp_fail_text() : hp_status_text(s);
  const bool first = hp_sim_first_to_say();
  P->said = s == HP_ERR_INTERRUPTED && !first;
  hp_terminal_check_reader(STDERR_FILENO);
  clear_bar(P);
  if (!P->said)
    fprintf(stderr, "%shepta:%s %s\n", P->terminal.colour ? "\033[31m" : "", P->terminal.colour ? "\033[0m" : "", text);
  if (P->prt) put_message(P, true, text);
  else if (P->log != NULL) fprintf(P->log, "hepta: %s\n", text);
  hp_event_error(P->events, text);
  return hp_exit_code(s);
}

void hp_progress_go_on(hp_progress *P, hp_status s, const char *command) {
  const char *how = s == HP_ERR_INTERRUPTED ? "To go on: "
                    : s == HP_ERR_NUMERIC   ? "To go on from there, after a change of deck or options: "
                                            : HP_PROGRESS_GO_ON_FROM_FILES;
  if (!P->said) fprintf(stderr, "%s%s\n", how, command);
  if (P->log != NULL) fprintf(P->log, "%s%s\n", how, command);
  P->go_on = command;
}

/* The water cut of the step holds for the shares of the run's time that it covers. */
static void mark(hp_progress *P, double done, double water_cut) {
  const int passed = done >= 1.0 ? HP_MARKS : (int)(done * HP_MARKS);
  for (; P->marks < passed; ++P->marks) P->mark[P->marks] = water_cut;
}

/* ---- the start ---- */

/* A restart: what came before is not known, but for the controls of its wells. */
static hp_status resume(hp_sim *S) {
  hp_progress *P = S->progress;
  say(P, KEPT, 0, "  restart  step %d at %s", S->step, hp_progress_time(S, S->time).s);
  mark(P, S->time / S->c->report[S->c->nreport - 1], NAN);
  return hp_progress_wells_start(S, S->wells->mode);
}

/* A table of influence that ends before the run. */
static void note_short_tables(hp_sim *S) {
  const hp_case *c = S->c;
  for (int n = 0; S->aquifers != NULL && n < S->aquifers->count; ++n) {
    const hp_aquifer *a = &S->aquifers->aquifer[n];
    if (a->kind != HP_AQUIFER_CARTER_TRACY) continue;
    const double end = a->td[a->rows - 1] * a->time_constant;
    if (end < c->report[c->nreport - 1])
      hp_progress_warn(S, "aquifer %d: its table of influence ends at %.6g %s, from where on it goes straight on",
                       c->aquifer[n].number, in_units(S, HP_UNIT_TIME, end), c->units.label[HP_UNIT_TIME]);
  }
}

hp_status hp_progress_start(hp_sim *S) {
  hp_progress *P = S->progress;
  if (P == NULL) return HP_OK;
  char where[1024], precond[160]; /* where: several GPUs have a memory each */
  S->backend->ops->describe(S->backend, where, sizeof where);
  const hp_case *c = P->c = S->c;
  const hp_grid *g = c->grid;
  const bool titled = c->title != NULL && c->title[0] != '\0';
  say(P, KEPT, 0, "hepta: %s%s%s", c->deck, titled ? ": " : "", titled ? c->title : "");
  say(P, KEPT, 0, "  grid     %d x %d x %d, %lld cell%s, %lld active; %d well%s, %d report time%s", g->nx, g->ny, g->nz,
      (long long)g->ncell, hp_plural(g->ncell), (long long)g->nactive, c->nwell, hp_plural(c->nwell), c->nreport,
      hp_plural(c->nreport));
  if (c->deck_size[0] > 0)
    say(P, KEPT, 0, "           refined from %d x %d x %d", c->deck_size[0], c->deck_size[1], c->deck_size[2]);
  const hp_krylov_options *l = &S->linear.krylov;
  hp_linear_describe_precond(&S->linear, precond, sizeof precond);
  const bool ordered = l->preconditioner == HP_PRECOND_DILU;
  say(P, KEPT, 0, "  solver   %s, %s%s%s%s, tolerance %g; %s", hp_krylov_method_name(l->method), precond,
      ordered ? " (" : "", ordered ? hp_ordering_name(l->ordering) : "", ordered ? " order)" : "", l->tolerance, where);
  say(P, KEPT, 0, "  results  %s.h5, %s.summary.csv%s", S->base, S->base,
      hp_output_replaces(S->output) ? ", in place of an earlier result" : "");
  say(P, KEPT, 0, "  rates    oil and water produced, %s", c->units.label[HP_UNIT_RATE]);
  if (S->step > 0) HP_TRY(resume(S));
  hp_progress_event_start(S);
  if (S->held.groups > 0) {
    char text[512];
    hp_sim_describe_held(c, &S->held, text, sizeof text);
    hp_progress_warn(S, "%s", text);
  }
  if (c->left_out != NULL) hp_progress_warn(S, "without %s, as asked for: the answer may be another one", c->left_out);
  note_short_tables(S);
  if (S->backend->warning == NULL) return HP_OK;
  say(P, KEPT, YELLOW, "  warning  %s", S->backend->warning);
  hp_event_begin(P->events, "warning");
  hp_event_text(P->events, "text", S->backend->warning);
  hp_event_end(P->events);
  return HP_OK;
}

/* ---- a time step ---- */

void hp_progress_newton(const hp_sim *S, double dt, const hp_newton_report *r, const hp_krylov_report *k) {
  hp_progress *P = S->progress;
  if (!S->opt.monitor || P == NULL) return;
  if (r->iterations == 0) {
    const char *unit = S->c->units.label[HP_UNIT_TIME];
    say(P, SHOWN, 0, "  step %d, dt %.6g %s", S->step + 1, in_units(S, HP_UNIT_TIME, dt), unit);
    say(P, SHOWN, 0, "    it     CNV oil   CNV water      MB oil    MB water        flow        well  linear");
  }
  char linear[160] = "";
  const bool short_of = k != NULL && k->reason != HP_KRYLOV_CONVERGED;
  if (k != NULL)
    snprintf(linear, sizeof linear, "  %d its, |r|/|b| %.1e%s%s", k->iterations,
             k->norm_b > 0.0 ? k->residual / k->norm_b : 0.0, short_of ? ", " : "",
             short_of ? hp_krylov_reason_text(k->reason) : "");
  say(P, SHOWN, 0, "    %2d  %10.3e  %10.3e  %10.3e  %10.3e  %10.3e  %10.3e%s", r->iterations, r->norms.cnv[HP_OIL],
      r->norms.cnv[HP_WATER], r->norms.mb[HP_OIL], r->norms.mb[HP_WATER], r->norms.flow, r->well_residual, linear);
  hp_progress_event_newton(S, dt, r, k);
}

void hp_progress_cut(hp_sim *S, const hp_newton_report *r, double next) {
  hp_progress *P = S->progress;
  const char *unit = S->c->units.label[HP_UNIT_TIME];
  if (P == NULL) return;
  say(P, KEPT, YELLOW, "  time %s: step of %.4g %s cut to %.4g: %s", hp_progress_time(S, S->time).s,
      in_units(S, HP_UNIT_TIME, S->dt), unit, in_units(S, HP_UNIT_TIME, next), r->why);
  hp_progress_event_cut(S, r, next);
}

/* Seconds as people say them. */
static void format_seconds(double s, char *out, size_t size) {
  if (s < 100.0) snprintf(out, size, "%.0f s", s);
  else if (s < 6000.0) snprintf(out, size, "%.0f min", s / 60.0);
  else snprintf(out, size, "%.1f h", s / 3600.0);
}

/* The bar itself: its full part shows the water cut from the start until now. */
static void add_bar(const hp_progress *P, hp_line *l, int width) {
  double value[HP_MARKS];
  const int full = P->marks * width / HP_MARKS;
  for (int i = 0; i < full; ++i) value[i] = P->mark[(i + 1) * HP_MARKS / width - 1];
  hp_line_add(l, 0, 0, "[");
  hp_line_add_spark(l, P->terminal.blocks, 34, full, value);
  hp_line_add(l, 0, 0, "%*s] ", width - full, "");
}

/* All behind the bar; what comes first matters most where there is little room. Widths change little from one drawing
 * to the next, and the bar's with them. */
static void add_numbers(const hp_sim *S, const char *left, hp_line *l) {
  enum { DAY = 10 }; /* letters of a date without its time */
  const hp_report_row *r = &S->progress->last;
  const double end = S->c->report[S->c->nreport - 1];
  hp_line_add(l, 0, BOLD, "%3.0f%%", floor(100.0 * r->time / end));
  hp_line_add(l, 0, 0, "  %5.4g of %.5g %s", in_units(S, HP_UNIT_TIME, r->time), in_units(S, HP_UNIT_TIME, end),
              S->c->units.label[HP_UNIT_TIME]);
  if (S->c->start[0] != '\0') hp_line_add(l, 2 * BAR_ROOM, 0, "  %.*s", DAY, hp_date_at(S->c->start, r->time, false).s);
  for (int v = 0; v < hp_progress_column_count; ++v) {
    char value[32];
    if (hp_progress_columns[v].label == NULL) continue;
    hp_progress_format_short(&hp_progress_columns[v], &S->c->units, r, value, sizeof value);
    const int width = hp_progress_columns[v].digits < 0 ? 4 : 5, length = (int)strlen(value);
    if (hp_line_add(l, BAR_ROOM + (length > width ? length : width), 0, "  %s ", hp_progress_columns[v].label))
      hp_line_add(l, BAR_ROOM, hp_progress_columns[v].colour, "%-*s", width, value);
  }
  hp_line_add(l, BAR_ROOM, 0, "  left %-4s", left);
  hp_line_add(l, 2 * BAR_ROOM, 0, "  step %.3g", in_units(S, HP_UNIT_TIME, r->dt));
  hp_line_add(l, 2 * BAR_ROOM, 0, "  newton %d", r->newton);
  hp_line_add(l, 2 * BAR_ROOM, 0, "  linear %d", r->linear);
}

static void draw(hp_sim *S, double now) {
  enum { BAR_MAX = 32, LETTERS_MAX = 240 };
  hp_progress *P = S->progress;
  const double done = S->time / S->c->report[S->c->nreport - 1];
  const int columns = hp_terminal_columns();
  char left[32];
  /* the last column stays free: some terminals wrap when it is written */
  hp_line numbers = {.room = columns - 1 < LETTERS_MAX ? columns - 1 : LETTERS_MAX, .colour = P->terminal.colour};
  hp_line bar = numbers;
  format_seconds(done > 0.0 ? (now - S->began) * (1.0 - done) / done : 0.0, left, sizeof left);
  add_numbers(S, left, &numbers);
  const int spare = numbers.room - numbers.letters - 3;
  if (spare >= BAR_MIN) add_bar(P, &bar, spare > BAR_MAX ? BAR_MAX : spare);
  hp_terminal_check_reader(STDERR_FILENO);
  fprintf(stderr, "\r\033[K%s%s", bar.text, numbers.text);
  P->drawn_now = true;
  fflush(stderr);
}

/* "  time 12 day: step 5, dt 1.5, newton 4, ...": one a step, in the log only. */
static void log_step(const hp_sim *S) {
  hp_progress *P = S->progress;
  const hp_report_row *r = &P->last;
  if (P->log == NULL) return;
  fprintf(P->log, "  %s  step %d  dt %.4g  newton %d  linear %d  cuts %d", hp_progress_time(S, r->time).s, r->step,
          in_units(S, HP_UNIT_TIME, r->dt), r->newton, r->linear, r->cuts);
  for (int v = 0; v < hp_progress_column_count; ++v) {
    char value[32];
    if (hp_progress_columns[v].label == NULL) continue;
    hp_progress_format(&hp_progress_columns[v], &S->c->units, r, value, sizeof value);
    fprintf(P->log, "  %s %s", hp_progress_columns[v].label, value);
  }
  fputc('\n', P->log);
  fflush(P->log);
}

static hp_report_row row_of(const hp_sim *S) {
  return (hp_report_row){
      .time = S->time, .pressure = S->now.pressure, .field = hp_sim_field_flow(S), .step = S->step, .dt = S->dt};
}

hp_status hp_progress_step(hp_sim *S, const hp_newton_report *r, int cuts) {
  hp_progress *P = S->progress;
  if (P == NULL) return HP_OK;
  const double now = hp_now(), end = S->c->report[S->c->nreport - 1];
  P->last = row_of(S);
  P->last.newton = r->iterations;
  P->last.linear = r->linear;
  P->last.cuts = cuts;
  P->last.max_ds = r->max_ds;
  mark(P, S->time / end, hp_water_cut(&P->last.field));
  HP_TRY(hp_progress_wells(S));
  log_step(S);
  hp_progress_event_step(S, &P->last);
  if (!P->terminal.bar || (now - P->drawn < 0.1 && S->time < end)) return HP_OK;
  P->drawn = now;
  draw(S, now);
  return HP_OK;
}

/* ---- a report time ---- */

/* Without a terminal: about twenty lines a run. */
static void say_report(const hp_sim *S, const hp_report_row *row, int report) {
  const int every = (S->c->nreport + 19) / 20;
  const char *unit = S->c->units.label[HP_UNIT_TIME];
  if (S->progress->terminal.bar || !S->progress->shown) return;
  if ((report + 1) % every != 0 && report + 1 != S->c->nreport) return;
  hp_terminal_check_reader(STDERR_FILENO);
  fprintf(stderr, "  %s", hp_progress_time(S, S->time).s);
  for (int v = 0; v < hp_progress_column_count; ++v) {
    char value[32];
    if (hp_progress_columns[v].label == NULL) continue;
    hp_progress_format(&hp_progress_columns[v], &S->c->units, row, value, sizeof value);
    fprintf(stderr, "  %s %s", hp_progress_columns[v].label, value);
  }
  fprintf(stderr, "  step %d (last %.3g %s)  newton %lld  linear %lld  cuts %d  %.1f s\n", S->step,
          in_units(S, HP_UNIT_TIME, S->dt), unit, (long long)S->counts.newton, (long long)S->counts.linear,
          S->counts.cuts, hp_now() - S->began);
}

void hp_progress_report(hp_sim *S, int report) {
  hp_report_row *row = &S->report[S->nreport++];
  *row = row_of(S);
  if (S->progress == NULL || report < 0) return;
  say(S->progress, LOG, 0, "  report %d of %d at %s", report + 1, S->c->nreport, hp_progress_time(S, S->time).s);
  hp_progress_event_report(S, row, report);
  say_report(S, row, report);
  hp_progress_sheets(S, false);
}

/* ---- a run that is steered ---- */

void hp_progress_waits(hp_sim *S, int report) {
  hp_progress *P = S->progress;
  if (P == NULL) return;
  if (report == 0)
    say(P, SHOWN, 0,
        "  waits at each report time for lines of --control: well NAME KEY=VALUE ..., group, tuning, continue, stop");
  say(P, P->opt.when == 0 ? LOG : SHOWN, 0, "  %s: waits", hp_progress_time(S, S->time).s);
  hp_progress_event_waits(S, report);
}

void hp_progress_change(hp_sim *S, const char *line) {
  if (S->progress == NULL) return;
  say(S->progress, KEPT, 0, "  %s: %s, as told by --control", hp_progress_time(S, S->time).s, line);
  hp_progress_event_told(S, "change", line);
}

void hp_progress_refuses(hp_sim *S, const char *why) {
  hp_progress *P = S->progress;
  if (P == NULL) return;
  hp_progress_clear(S);
  fprintf(stderr, "hepta: %s\n", hp_show(why).s);
  if (P->log != NULL) fprintf(P->log, "  %s\n", hp_show(why).s);
  hp_progress_event_told(S, "refused", why);
}

/* ---- the end ---- */

void hp_progress_clear(const hp_sim *S) {
  if (S->progress != NULL) clear_bar(S->progress);
}

static void print_end(const void *S, FILE *f) { hp_report_print_end(S, f); }

void hp_progress_keep_end(const hp_sim *S, const char *why) {
  hp_progress *P = S->progress;
  if (P == NULL) return;
  keep_printed(P, print_end, S);
  if (why != NULL) keep(P, true, "Stopped:");
  if (why != NULL) keep(P, true, why);
}

void hp_progress_finish(hp_sim *S, double seconds) {
  hp_progress *P = S->progress;
  if (P == NULL) return;
  clear_bar(P);
  const bool taken = P->opt.json != NULL && strcmp(P->opt.json, "-") == 0;
  FILE *tables = !taken ? stdout : P->shown ? stderr : NULL;
  hp_terminal_check_reader(STDERR_FILENO);
  hp_terminal_check_reader(STDOUT_FILENO);
  if (!P->opt.quiet && !P->opt.only_bar && tables != NULL) hp_report_print(S, seconds, tables);
  fflush(stdout);
  if (P->log != NULL) hp_report_print(S, seconds, P->log);
  hp_progress_event_ranks(S);
  hp_progress_event_totals(S, seconds);
}

void hp_progress_end(hp_progress *P, int exit_code) {
  if (P == NULL) return;
  end_prt(P, exit_code);
  hp_event_ended(P->events, exit_code, P->go_on);
}
