/* hepta compare --same-steps: the first case runs as `hepta run` would; each of its linear systems is then solved by
 * every other case, too, before the first case's update is made.
 *
 *     attempt  ->  cpr's hierarchies may be made anew, as in a run
 *     solved   ->  J and b on the host, the first case's x;  for each other case: set up, solve, compare x
 *
 * So all cases get the same J and b to the bit, the systems of attempts that fail included, in the same order.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "io/deck/deck.h"
#include "sim/compare/compare.h"
#include "sim/newton/loop.h"

/* A case beside the first. */
typedef struct {
  hp_linear_solver *V;
  bool lost; /* it cannot go on; its result says why */
  hp_linear_options linear;
  double *history;  /* [max_iterations + 1] */
  int64_t unsolved; /* systems whose solution a run would not have used */
} guest;

typedef struct {
  hp_compare *C;
  guest of[HP_COMPARE_CASES];         /* [0] is not used */
  hp_team_hub *hub[HP_COMPARE_CASES]; /* one a number of threads */
  int nhub;
  double *x; /* [n] of the solve at hand */
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

/* A team of so many threads, one for all guests that want it. */
static hp_status find_hub(table *T, int threads, hp_team_hub **out) {
  if (threads == 0) threads = hp_processors();
  for (int n = 0; n < T->nhub; ++n)
    if (hp_team_hub_size(T->hub[n]) == threads) {
      *out = T->hub[n];
      return HP_OK;
    }
  HP_TRY(hp_team_hub_create(threads, NULL, &T->hub[T->nhub]));
  *out = T->hub[T->nhub++];
  return HP_OK;
}

static hp_status make_guest(table *T, int n, const hp_gh *A) {
  const hp_compare *C = T->C;
  guest *g = &T->of[n];
  hp_compare_result *r = &T->C->result[n];
  hp_device_options device = *hp_compare_device(C, n);
  device.cells = A->ncell;
  hp_linear_input in = {.A = A, .options = &g->linear};
  hp_linear_report k;
  if (hp_compare_backend(C, n) == HP_BACKEND_CUDA) in.opened = &device;
  else HP_TRY(find_hub(T, hp_compare_threads(C, n), &in.hub));
  HP_TRY(HP_ALLOC(g->history, g->linear.krylov.max_iterations + 1));
  HP_TRY(hp_linear_create(&in, &g->V));
  HP_TRY(g->V->ops->report(g->V, &k));
  snprintf(r->where, sizeof r->where, "%s", k.where);
  return HP_OK;
}

/* Solvers are made for the first system, whose matrix shows its shape and wells. */
static void make_guests(table *T, const hp_gh *A) {
  for (int n = 1; n < T->C->list.count; ++n) {
    guest *g = &T->of[n];
    if (g->V == NULL && !g->lost && make_guest(T, n, A) != HP_OK) lose(T, n);
  }
}

/* |x - x1| / |x1| over the cells' unknowns of kind a. */
static double off_by(const hp_gh *A, const double *x, const double *x1, int a) {
  double off = 0.0, size = 0.0;
  for (int64_t m = 0; m < A->ncell; ++m) {
    const double v = x1[m * HP_PHASES + a], d = x[m * HP_PHASES + a] - v;
    off += d * d;
    size += v * v;
  }
  return size > 0.0 ? sqrt(off / size) : off > 0.0 ? INFINITY : 0.0;
}

static void note_unsolved(guest *g, hp_compare_result *r, const hp_compare_solve *v) {
  if (g->unsolved++ == 0)
    snprintf(r->why, sizeof r->why,
             "first in step %d, attempt %d, Newton iteration %d: %s, %d iterations, |r|/|b| %.1e", v->step, v->attempt,
             v->newton, hp_krylov_reason_text(v->reason), v->iterations, v->residual);
}

static hp_status solve_by(table *T, int n, const hp_sim *S, int newton, const hp_backend_system *sys) {
  guest *g = &T->of[n];
  hp_compare_result *r = &T->C->result[n];
  hp_krylov_report k;
  double setup, solve;
  HP_TRY(g->V->ops->set_up(g->V, sys->J));
  HP_TRY(g->V->ops->solve(g->V, sys->J, sys->b, T->x, g->history, &k));
  HP_TRY(g->V->ops->seconds(g->V, &setup, &solve));
  HP_TRY(hp_compare_keep_solve(r, S, T->attempt, newton, &k));
  hp_compare_solve *v = &r->solve[r->nsolve - 1];
  v->setup = setup;
  v->solve = solve;
  for (int a = 0; a < 2; ++a) v->off[a] = off_by(sys->J, T->x, sys->x, a == 0 ? HP_P : HP_S);
  if (!hp_newton_is_usable(&k)) note_unsolved(g, r, v);
  return HP_OK;
}

/* ---- what looks on during the first case's run ---- */

static hp_status on_attempt(void *arg, const hp_sim *S, bool again) {
  table *T = arg;
  (void)S;
  T->attempt = again ? T->attempt + 1 : 1;
  for (int n = 1; n < T->C->list.count; ++n)
    if (T->of[n].V != NULL && !T->of[n].lost) T->of[n].V->ops->begin_step(T->of[n].V);
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
  hp_backend_system sys;
  HP_TRY(keep_first(T, S, newton, k));
  HP_TRY(S->backend->ops->system(S->backend, true, &sys));
  if (T->x == NULL) HP_TRY(HP_ALLOC(T->x, sys.J->n));
  make_guests(T, sys.J);
  for (int n = 1; n < T->C->list.count; ++n)
    if (!T->of[n].lost && solve_by(T, n, S, newton, &sys) != HP_OK) lose(T, n);
  return keep_curves(T, S);
}

static hp_status on_ready(void *arg, hp_sim *S) {
  table *T = arg;
  T->setup = S->profile.op[HP_PROF_SETUP].seconds;
  T->solve = S->profile.op[HP_PROF_SOLVE].seconds;
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
  const hp_status s = hp_case_read(C->deck, hp_compare_settings(C, n, set), set, &diag, &c);
  hp_diag_clear(&diag);
  HP_TRY(s);
  const char *refusal = hp_backend_linear(hp_compare_backend(C, n), c, &T->of[n].linear);
  if (refusal == NULL) refusal = hp_linear_gpus_refusal(hp_compare_device(C, n)->gpus, &T->of[n].linear);
  hp_compare_describe_solver(&T->of[n].linear, r);
  hp_case_destroy(&c);
  if (refusal != NULL) return hp_fail(HP_ERR_USAGE, "%s", refusal);
  if (hp_backend_available(hp_compare_backend(C, n)) == HP_OK) return HP_OK;
  T->of[n].lost = true; /* not run */
  snprintf(r->why, sizeof r->why, "%s", hp_fail_text());
  return HP_OK;
}

/* Closes a guest after the last system and keeps how it ended. */
static hp_status end_guest(table *T, int n, hp_status run) {
  guest *g = &T->of[n];
  hp_compare_result *r = &T->C->result[n];
  if (g->lost) return HP_OK;
  if (g->V == NULL) {
    snprintf(r->why, sizeof r->why, "the first case solved no linear system");
    return HP_OK;
  }
  HP_TRY(hp_compare_keep_solver(r, g->V));
  r->state = g->unsolved > 0 ? HP_COMPARE_FAILED : HP_COMPARE_FINISHED;
  if (g->unsolved > 0) {
    char first[sizeof r->why];
    memcpy(first, r->why, sizeof first);
    snprintf(r->why, sizeof r->why, "%lld of %lld systems not solved to a tenth of |b|, %.900s", (long long)g->unsolved,
             (long long)r->nsolve, first);
  } else if (run == HP_ERR_INTERRUPTED) {
    snprintf(r->why, sizeof r->why, "interrupted: only the systems up to then");
  }
  return HP_OK;
}

static void say(const hp_compare *C) {
  for (int n = 0; n < C->list.count && !C->quiet; ++n) {
    const hp_compare_result *r = &C->result[n];
    fprintf(stderr, "hepta compare: %d of %d, %s: %s, %lld systems%s%s\n", n + 1, C->list.count, C->list.of[n].name,
            hp_compare_state_name(r->state), (long long)r->nsolve, r->why[0] != '\0' ? ": " : "", r->why);
  }
}

static hp_status run(table *T) {
  hp_compare *C = T->C;
  for (int n = 1; n < C->list.count; ++n) HP_TRY(read_guest(T, n));
  const hp_run_observer observer = {.arg = T, .attempt = on_attempt, .solved = on_solved};
  const hp_status s = hp_compare_run_case(C, 0, &observer, on_ready);
  C->result[0].peak_bytes = 0; /* of all cases together */
  for (int n = 0; n < C->list.count; ++n) {
    if (n > 0) HP_TRY(end_guest(T, n, s));
    hp_compare_differences(&C->result[0], &C->result[n]);
  }
  say(C);
  return s;
}

hp_status hp_compare_systems(hp_compare *C) {
  table *T = NULL;
  HP_TRY(HP_ALLOC(T, 1));
  T->C = C;
  const hp_status s = run(T);
  for (int n = 1; n < C->list.count; ++n) {
    hp_linear_destroy(&T->of[n].V);
    HP_FREE(T->of[n].history);
  }
  for (int n = 0; n < T->nhub; ++n) hp_team_hub_destroy(&T->hub[n]);
  HP_FREE(T->x);
  HP_FREE(T);
  return s;
}
