/* sim/newton/loop.h on a problem of one unknown, u^2 = 2: the order of the calls and every way to end. */
#include "sim/newton/loop.h"

#include <math.h>
#include <string.h>

#include "tests/support/check.h"

typedef struct {
  double u, f, step, left; /* left: of each linear system, unsolved */
  hp_krylov_reason reason;
  double residual_at; /* |r| / |b| that the linear solver reports */
  hp_status fails;    /* of the solve */
  char calls[64];
} root;

static void note(root *r, char what) {
  const size_t n = strlen(r->calls);
  if (n + 1 < sizeof r->calls) r->calls[n] = what;
}

static hp_status residual(void *problem, const hp_newton_state *at) {
  root *r = problem;
  note(r, 'r');
  CHECK(at->iterations == 0 || at->solution.iterations == 2);
  r->f = r->u * r->u - 2.0;
  return HP_OK;
}

static hp_status judge(void *problem, const hp_newton_state *at, hp_newton_end *end) {
  root *r = problem;
  note(r, 'j');
  CHECK(at->linear == 2 * at->iterations && *end == HP_NEWTON_GO_ON);
  if (fabs(r->f) < 1e-11) *end = HP_NEWTON_CONVERGED;
  if (!isfinite(r->f)) *end = HP_NEWTON_FAILED;
  return HP_OK;
}

static hp_status solve(void *problem, const hp_newton_state *at, hp_krylov_report *k) {
  root *r = problem;
  (void)at;
  note(r, 's');
  memset(k, 0, sizeof *k);
  k->reason = r->reason;
  k->iterations = 2;
  k->norm_b = fabs(r->f);
  k->residual = r->residual_at * fabs(r->f);
  r->step = r->f / (2.0 * r->u) * (1.0 - r->left);
  return r->fails;
}

static hp_status update(void *problem) {
  root *r = problem;
  note(r, 'u');
  r->u -= r->step;
  return HP_OK;
}

static hp_status run(root *r, int most, hp_newton_state *at, hp_newton_end *end) {
  const hp_newton_problem P = {r, most, residual, judge, solve, update};
  return hp_newton_iterate(&P, at, end);
}

int main(void) {
  hp_newton_state at;
  hp_newton_end end;
  root exact = {.u = 1.5};
  CHECK_OK(run(&exact, 10, &at, &end));
  CHECK(end == HP_NEWTON_CONVERGED && at.iterations == 3 && at.linear == 6 && at.unconverged_linear == 0);
  CHECK(strcmp(exact.calls, "rjsurjsurjsurj") == 0);
  CHECK_NEAR(exact.u, sqrt(2.0), 1e-11);

  root short_of = {.u = 1.5, .left = 0.01, .reason = HP_KRYLOV_MAX_ITERATIONS, .residual_at = 0.01};
  CHECK_OK(run(&short_of, 20, &at, &end)); /* loosely solved systems are good enough */
  CHECK(end == HP_NEWTON_CONVERGED && at.unconverged_linear == at.iterations && at.iterations > 3);

  root useless = {.u = 1.5, .reason = HP_KRYLOV_STAGNATION, .residual_at = 0.2};
  CHECK_OK(run(&useless, 20, &at, &end));
  CHECK(end == HP_NEWTON_NO_LINEAR_SOLUTION && at.iterations == 0 && at.linear == 2 && useless.u == 1.5);
  CHECK(at.solution.reason == HP_KRYLOV_STAGNATION && strcmp(useless.calls, "rjs") == 0);
  root nothing = {.u = 1.5, .reason = HP_KRYLOV_BREAKDOWN, .residual_at = NAN};
  CHECK_OK(run(&nothing, 20, &at, &end));
  CHECK(end == HP_NEWTON_NO_LINEAR_SOLUTION);

  root cut = {.u = 1.5};
  CHECK_OK(run(&cut, 2, &at, &end));
  CHECK(end == HP_NEWTON_MAX_ITERATIONS && at.iterations == 2 && strcmp(cut.calls, "rjsurjsurj") == 0);

  root wild = {.u = 0.0}; /* the derivative vanishes */
  CHECK_OK(run(&wild, 20, &at, &end));
  CHECK(end == HP_NEWTON_FAILED && at.iterations == 1);

  root lost = {.u = 1.5, .fails = HP_ERR_DEVICE};
  CHECK(run(&lost, 20, &at, &end) == HP_ERR_DEVICE && strcmp(lost.calls, "rjs") == 0);
  return check_result();
}
