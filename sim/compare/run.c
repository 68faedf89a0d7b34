/* hepta compare with each case's own time steps: an ordinary run of each, one after the other. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/memory.h"
#include "io/files/text.h"
#include "sim/compare/compare.h"
#include "sim/report/progress.h"
#include "sim/report/terminal.h"
#include "sim/run/run.h"
#include "sim/simulator/files.h"
#include "sim/simulator/well_paths.h"

/* ---- one run ---- */

/* Runs, closes the files whatever happened, keeps what there is to keep. */
static hp_status run_open(hp_sim *S, hp_compare *C, int n, double began) {
  hp_compare_result *r = &C->result[n];
  hp_status s = hp_sim_run(S);
  hp_progress_clear(S);
  if (s != HP_OK) snprintf(r->why, sizeof r->why, "%s", hp_fail_text());
  const double t0 = hp_now();
  const hp_status closed = hp_sim_close_output(S);
  if (s == HP_OK && closed != HP_OK) snprintf(r->why, sizeof r->why, "%s", hp_fail_text());
  hp_profile_add(&S->profile, HP_PROF_OUTPUT, hp_now() - t0, 0.0);
  const double whole = hp_now() - began;
  hp_status kept = HP_OK;
  if (s == HP_OK || s == HP_ERR_NUMERIC || s == HP_ERR_INTERRUPTED) /* else the state is void */
    kept = hp_compare_keep_run(C, n, S, whole);
  return s != HP_OK ? s : closed != HP_OK ? closed : kept;
}

static hp_status look_at_memory(hp_sim *S, int64_t held, hp_compare_result *r) {
  hp_linear_report k;
  HP_TRY(S->backend->linear->ops->report(S->backend->linear, &k));
  hp_compare_keep_solver(r, &k);
  r->peak_bytes = hp_memory_peak() - held;
  return HP_OK;
}

typedef struct {
  hp_sim *S;
  hp_well_path *paths;
} files;

static hp_status write_begun(void *arg) {
  files *f = arg;
  return hp_output_begin(f->S->c->nwell, f->paths, hp_sim_use_parts(f->S), &f->S->output);
}

static hp_status run_with_bar(hp_sim *S, hp_compare *C, int n, double began) {
  const hp_progress_options bar = {.when = C->progress, .only_bar = true};
  hp_progress *progress = NULL;
  hp_status s = hp_ranks_agree(S->K, hp_ranks_is_first(S->K) ? hp_progress_create(&bar, began, &progress) : HP_OK);
  S->progress = progress;
  if (s == HP_OK) s = run_open(S, C, n, began);
  const hp_status closed = hp_progress_destroy(&progress);
  S->progress = NULL;
  return s == HP_OK ? closed : s;
}

/* From the first time step on. */
static hp_status run_sim(hp_sim *S, hp_compare *C, int n, int64_t held, double began, const hp_compare_watch *watch,
                         files *f) {
  hp_compare_result *r = &C->result[n];
  double *history = NULL;
  hp_compare_describe_solver(&S->linear, r);
  S->backend->ops->describe(S->backend, r->where, sizeof r->where);
  *strrchr(r->where, ',') = '\0'; /* its memory is reported elsewhere */
  hp_status s = hp_ranks_agree(S->K, HP_ALLOC(history, 2 * (int64_t)S->linear.krylov.max_iterations + 1));
  S->backend->history = history;
  if (s == HP_OK) s = watch->ready(watch->observer.arg, S);
  if (s == HP_OK) s = hp_sim_write(S, write_begun, f);
  if (s == HP_OK) {
    hp_sim_end_start(S, began);
    s = run_with_bar(S, C, n, began);
    const hp_status done = watch->done != NULL ? watch->done(watch->observer.arg, S) : HP_OK;
    if (s == HP_OK) s = done;
  }
  if (s == HP_OK || s == HP_ERR_NUMERIC) {
    const hp_status looked = look_at_memory(S, held, r);
    if (s == HP_OK) s = looked;
  }
  S->backend->history = NULL;
  HP_FREE(history);
  return s;
}

static hp_status create_and_run(hp_compare *C, int n, hp_case *c, int64_t held, const hp_compare_watch *watch) {
  const double began = hp_now();
  const hp_run_options opt = {.backend = hp_compare_backend(C, n),
                              .threads = hp_compare_threads(C, n),
                              .device = hp_compare_device(C, n),
                              .command_line = C->command_line,
                              .observer = &watch->observer,
                              .cut_bricks = C->cut_bricks,
                              .no_restart = true};
  char *base;
  hp_sim *S = NULL;
  HP_TRY(hp_format(&base, "%s/%s", C->folder, C->list.of[n].file));
  hp_status s = hp_sim_prepare(c, &opt, base, &S);
  files f = {.S = S};
  if (s == HP_OK) s = hp_sim_prepare_output(S, &f.paths);
  if (s == HP_OK && S->K != NULL) S->releases = c;
  if (s == HP_OK) s = hp_sim_start(S);
  if (s == HP_OK) s = run_sim(S, C, n, held, began, watch, &f);
  hp_ranks_check_alone(hp_ranks_world(), s);
  if (S != NULL) hp_output_give_up(&S->output); /* of a run that did not begin */
  hp_well_paths_destroy(&f.paths, c->nwell);
  hp_sim_destroy(&S);
  HP_FREE(base);
  return s;
}

static hp_status read_case(const hp_compare *C, int n, hp_case **out) {
  const char *set[HP_COMPARE_SETS];
  hp_diag diag; /* its notes were printed when the case was judged */
  hp_diag_init(&diag);
  const hp_status s = hp_sim_read(C->deck, hp_compare_settings(C, n, set), set, &diag, out);
  hp_diag_clear(&diag);
  return s;
}

hp_status hp_compare_run_case(hp_compare *C, int n, const hp_compare_watch *watch) {
  hp_compare_result *r = &C->result[n];
  r->curve_of = -1;
  if (hp_compare_available(C, n) != HP_OK) {
    snprintf(r->why, sizeof r->why, "%s", hp_fail_text());
    return HP_OK;
  }
  hp_case *c = NULL;
  hp_memory_restart_peak();
  const int64_t held = hp_memory_now();
  hp_status s = read_case(C, n, &c);
  if (s == HP_OK) s = create_and_run(C, n, c, held, watch);
  hp_case_destroy(&c);
  r->state = s == HP_OK ? HP_COMPARE_FINISHED : HP_COMPARE_FAILED;
  if (s != HP_OK && r->why[0] == '\0') snprintf(r->why, sizeof r->why, "%s", hp_fail_text());
  return s == HP_ERR_INTERRUPTED ? hp_fail(s, "%s", r->why) : HP_OK;
}

/* ---- all of them ---- */

/* Observer of a run. */
typedef struct {
  const hp_compare *C;
  hp_compare_result *r;
  int attempt;
  double setup, solve; /* [s] of the profile at the end of the latest solve */
} watch;

static hp_status on_attempt(void *arg, const hp_sim *S, bool again) {
  watch *w = arg;
  (void)S;
  w->attempt = again ? w->attempt + 1 : 1;
  return HP_OK;
}

static hp_status on_solved(void *arg, hp_sim *S, int newton, const hp_krylov_report *k) {
  watch *w = arg;
  hp_compare_result *r = w->r;
  HP_TRY(hp_compare_keep_solve(r, S, w->attempt, newton, k));
  hp_compare_solve *v = &r->solve[r->nsolve - 1];
  v->setup = S->profile.op[HP_PROF_SETUP].seconds - w->setup;
  v->solve = S->profile.op[HP_PROF_SOLVE].seconds - w->solve;
  w->setup += v->setup;
  w->solve += v->solve;
  const bool keep = w->C->curve_step > 0 ? hp_compare_is_chosen(w->C, v)
                                         : r->curve_of < 0 || v->iterations > r->solve[r->curve_of].iterations;
  return keep ? hp_compare_keep_curve(r, S->backend->history) : HP_OK;
}

static hp_status on_ready(void *arg, hp_sim *S) {
  watch *w = arg;
  w->setup = S->profile.op[HP_PROF_SETUP].seconds;
  w->solve = S->profile.op[HP_PROF_SOLVE].seconds;
  return HP_OK;
}

static void say(const hp_compare *C, int n) {
  const hp_compare_result *r = &C->result[n];
  if (C->quiet || !hp_ranks_is_first(hp_ranks_world())) return;
  hp_terminal_check_reader(STDERR_FILENO);
  fprintf(stderr, "hepta compare: %d of %d, %s: %s", n + 1, C->list.count, C->list.of[n].name,
          hp_compare_state_name(r->state));
  if (r->has_run) fprintf(stderr, " in %.3g s", r->whole);
  fprintf(stderr, "%s%s\n", r->why[0] != '\0' ? ": " : "", r->why);
}

hp_status hp_compare_run(hp_compare *C) {
  hp_status s = HP_OK;
  for (int n = 0; n < C->list.count; ++n) {
    hp_compare_result *r = &C->result[n];
    if (s != HP_OK) {
      r->curve_of = -1;
      snprintf(r->why, sizeof r->why, "the comparison was interrupted before this case");
    } else {
      watch w = {.C = C, .r = r};
      const hp_compare_watch looks = {.observer = {.arg = &w, .attempt = on_attempt, .solved = on_solved},
                                      .ready = on_ready};
      s = hp_compare_run_case(C, n, &looks);
    }
    hp_compare_differences(&C->result[0], r);
    say(C, n);
  }
  return s;
}
