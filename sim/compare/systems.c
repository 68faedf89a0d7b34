/* hepta compare --same-steps: the first case runs as `hepta run` would; each of its linear systems is then solved by
 * every other case, too, before the first case's update is made.
 *
 *     attempt  ->  cpr's hierarchies may be made anew, as in a run
 *     solved   ->  J and b on the host, the first case's x;  for each other case: set up, solve, compare x
 *                  (sim/backend/others.h), of several ranks each for its part
 *
 * So all cases get the same J and b to the bit, the systems of attempts that fail included, in the same order.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/memory.h"
#include "sim/compare/compare.h"
#include "sim/newton/loop.h"
#include "sim/report/terminal.h"
#include "sim/run/run.h"

/* A case beside the first. */
typedef struct {
  bool made, lost; /* lost: it cannot go on; its result says why */
  hp_other_options options;
  double *history;  /* [max_iterations + 1] */
  int64_t unsolved; /* systems whose solution a run would not have used */
} guest;

typedef struct {
  hp_compare *C;
  guest of[HP_COMPARE_CASES]; /* [0] is not used */
  int attempt;
  double setup, solve; /* [s] of the first case's profile at its latest solve */
  int64_t most;        /* iterations of all cases together in the system whose residuals are kept */
} table;

/* ---- guests ---- */

static void lose(table *T, int n) {
  hp_compare_result *r = &T->C->result[n];
  T->of[n].lost = true;
  r->state = HP_COMPARE_FAILED;
  snprintf(r->why, sizeof r->why, "%s", hp_fail_text());
}

static hp_status make_guest(table *T, int n, hp_backend *B) {
  guest *g = &T->of[n];
  hp_compare_result *r = &T->C->result[n];
  hp_linear_report k;
  HP_TRY(HP_ALLOC(g->history, g->options.linear.krylov.max_iterations + 1));
  HP_TRY(hp_backend_other_create(B, n, &g->options));
  g->made = true;
  HP_TRY(hp_backend_other_report(B, n, &k));
  snprintf(r->where, sizeof r->where, "%s", k.where);
  return HP_OK;
}

/* Solvers are made for the first system, whose matrix shows its shape and wells. */
static void make_guests(table *T, hp_backend *B) {
  for (int n = 1; n < T->C->list.count; ++n) {
    guest *g = &T->of[n];
    if (!g->made && !g->lost && make_guest(T, n, B) != HP_OK) lose(T, n);
  }
}

static void note_unsolved(guest *g, hp_compare_result *r, const hp_compare_solve *v) {
  if (g->unsolved++ == 0)
    snprintf(r->why, sizeof r->why,
             "first in step %d, attempt %d, Newton iteration %d: %s, %d iterations, |r|/|b| %.1e", v->step, v->attempt,
             v->newton, hp_krylov_reason_text(v->reason), v->iterations, v->residual);
}

static hp_status solve_by(table *T, int n, const hp_sim *S, int newton) {
  guest *g = &T->of[n];
  hp_compare_result *r = &T->C->result[n];
  hp_other_report k;
  HP_TRY(hp_backend_other_solve(S->backend, n, g->history, &k));
  HP_TRY(hp_compare_keep_solve(r, S, T->attempt, newton, &k.k));
  hp_compare_solve *v = &r->solve[r->nsolve - 1];
  v->setup = k.setup;
  v->solve = k.solve;
  v->off[0] = k.off[HP_P];
  v->off[1] = k.off[HP_S];
  if (!hp_newton_is_usable(&k.k)) note_unsolved(g, r, v);
  return HP_OK;
}

/* ---- what looks on during the first case's run ---- */

static hp_status on_attempt(void *arg, const hp_sim *S, bool again) {
  table *T = arg;
  T->attempt = again ? T->attempt + 1 : 1;
  hp_backend_others_begin_step(S->backend);
  return HP_OK;
}

static hp_status keep_first(table *T, const hp_sim *S, int newton, const hp_krylov_report *k) {
  hp_compare_result *r = &T->C->result[0];
  HP_TRY(hp_compare_keep_solve(r, S, T->attempt, newton, k));
  hp_compare_solve *v = &r->solve[r->nsolve - 1];
  v->setup = S->profile.op[HP_PROF_SETUP].seconds - T->setup;
  v->solve = S->profile.op[HP_PROF_SOLVE].seconds - T->solve;
  v->off[0] = v->off[1] = 0.0;
  T->setup += v->setup;
  T->solve += v->solve;
  return HP_OK;
}

/* The residuals of the system that was asked for, or of the one with the most iterations of all cases together. */
static hp_status keep_curves(table *T, const hp_sim *S) {
  hp_compare *C = T->C;
  const hp_compare_solve *v = &C->result[0].solve[C->result[0].nsolve - 1];
  int64_t together = v->iterations;
  for (int n = 1; n < C->list.count; ++n)
    if (!T->of[n].lost) together += C->result[n].solve[C->result[n].nsolve - 1].iterations;
  if (C->curve_step > 0 ? !hp_compare_is_chosen(C, v) : together <= T->most) return HP_OK;
  T->most = together;
  HP_TRY(hp_compare_keep_curve(&C->result[0], S->backend->history));
  for (int n = 1; n < C->list.count; ++n)
    if (!T->of[n].lost) HP_TRY(hp_compare_keep_curve(&C->result[n], T->of[n].history));
  return HP_OK;
}

static hp_status on_solved(void *arg, hp_sim *S, int newton, const hp_krylov_report *k) {
  table *T = arg;
  HP_TRY(keep_first(T, S, newton, k));
  HP_TRY(hp_backend_others_fetch(S->backend));
  make_guests(T, S->backend);
  for (int n = 1; n < T->C->list.count; ++n)
    if (!T->of[n].lost && solve_by(T, n, S, newton) != HP_OK) lose(T, n);
  return keep_curves(T, S);
}

static hp_status on_ready(void *arg, hp_sim *S) {
  table *T = arg;
  T->setup = S->profile.op[HP_PROF_SETUP].seconds;
  T->solve = S->profile.op[HP_PROF_SOLVE].seconds;
  return HP_OK;
}

/* The solvers end with the run. */
static hp_status on_done(void *arg, hp_sim *S) {
  table *T = arg;
  for (int n = 1; n < T->C->list.count; ++n) {
    hp_linear_report k;
    if (!T->of[n].made || T->of[n].lost) continue;
    if (hp_backend_other_report(S->backend, n, &k) != HP_OK) lose(T, n);
    else hp_compare_keep_solver(&T->C->result[n], &k);
  }
  return HP_OK;
}

/* ---- before and after ---- */

/* The solver of a guest, from the deck with its settings. */
static hp_status read_guest(table *T, int n) {
  hp_compare *C = T->C;
  hp_compare_result *r = &C->result[n];
  const char *set[HP_COMPARE_SETS];
  r->curve_of = -1;
  hp_case *c = NULL;
  hp_diag diag;
  hp_diag_init(&diag);
  const hp_status s = hp_sim_read(C->deck, hp_compare_settings(C, n, set), set, &diag, &c);
  hp_diag_clear(&diag);
  HP_TRY(s);
  hp_other_options *o = &T->of[n].options;
  const char *refusal = hp_compare_linear(C, n, c, &o->linear);
  o->on_device = hp_compare_backend(C, n) == HP_BACKEND_CUDA;
  o->threads = hp_compare_threads(C, n);
  o->device = *hp_compare_device(C, n);
  hp_compare_describe_solver(&o->linear, r);
  hp_case_destroy(&c);
  if (refusal != NULL) return hp_fail(HP_ERR_USAGE, "%s", refusal);
  if (hp_compare_available(C, n) == HP_OK) return HP_OK;
  T->of[n].lost = true; /* not run */
  snprintf(r->why, sizeof r->why, "%s", hp_fail_text());
  return HP_OK;
}

/* How a guest ended. */
static void end_guest(table *T, int n, hp_status run) {
  guest *g = &T->of[n];
  hp_compare_result *r = &T->C->result[n];
  if (g->lost) return;
  if (!g->made) {
    snprintf(r->why, sizeof r->why, "the first case solved no linear system");
    return;
  }
  r->state = g->unsolved > 0 ? HP_COMPARE_FAILED : HP_COMPARE_FINISHED;
  if (g->unsolved > 0) {
    char first[sizeof r->why];
    memcpy(first, r->why, sizeof first);
    snprintf(r->why, sizeof r->why, "%lld of %lld systems not solved to a tenth of |b|, %.900s", (long long)g->unsolved,
             (long long)r->nsolve, first);
  } else if (run == HP_ERR_INTERRUPTED) {
    snprintf(r->why, sizeof r->why, "interrupted: only the systems up to then");
  }
}

static void say(const hp_compare *C) {
  if (C->quiet || !hp_ranks_is_first(hp_ranks_world())) return;
  hp_terminal_check_reader(STDERR_FILENO);
  for (int n = 0; n < C->list.count; ++n) {
    const hp_compare_result *r = &C->result[n];
    fprintf(stderr, "hepta compare: %d of %d, %s: %s, %lld systems%s%s\n", n + 1, C->list.count, C->list.of[n].name,
            hp_compare_state_name(r->state), (long long)r->nsolve, r->why[0] != '\0' ? ": " : "", r->why);
  }
}

static hp_status run_table(table *T) {
  hp_compare *C = T->C;
  for (int n = 1; n < C->list.count; ++n) HP_TRY(read_guest(T, n));
  const hp_compare_watch watch = {
      .observer = {.arg = T, .attempt = on_attempt, .solved = on_solved}, .ready = on_ready, .done = on_done};
  const hp_status s = hp_compare_run_case(C, 0, &watch);
  C->result[0].peak_bytes = 0; /* of all cases together */
  for (int n = 0; n < C->list.count; ++n) {
    if (n > 0) end_guest(T, n, s);
    hp_compare_differences(&C->result[0], &C->result[n]);
  }
  say(C);
  return s;
}

hp_status hp_compare_systems(hp_compare *C) {
  table *T = NULL;
  HP_TRY(HP_ALLOC(T, 1));
  T->C = C;
  const hp_status s = run_table(T);
  for (int n = 1; n < C->list.count; ++n) HP_FREE(T->of[n].history);
  HP_FREE(T);
  return s;
}
