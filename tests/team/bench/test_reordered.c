/* BiCG-Stab and QMR with reordered synchronization have the bits of the methods as they are, solutions, histories and reports,
 * for teams of 1, 2, 3 and 8 members whose ownership rotates: every built-in preconditioner, limits of 1 to 7 iterations,
 * breakdowns, a right-hand side of zero; as many barriers; what goes with what. */
#include <string.h>

#include "bench/krylov/solver.h"
#include "core/memory.h"
#include "tests/support/check.h"
#include "tests/support/matrices.h"

enum { HUBS = 4 };
static hp_team_hub *hub[HUBS];

typedef struct {
  double *x, *history;
  hp_krylov_report report;
} answer;

static void solve(hp_team_hub *on, const hp_gh *A, const hp_krylov_options *opt, bool reordered, const double *b,
                  answer *a) {
  const hp_linear_options options = {.krylov = *opt};
  const hp_linear_input in = {.A = A, .options = &options, .hub = on};
  const hp_own_choice own = {.reordered = true};
  hp_linear_solver *K = NULL;
  CHECK_OK(HP_ALLOC(a->x, A->n));
  CHECK_OK(HP_ALLOC(a->history, opt->max_iterations + 1));
  CHECK_OK(reordered ? hp_own_create(&in, &own, &K) : hp_linear_create(&in, &K));
  CHECK_OK(K->ops->set_up(K, A));
  CHECK_OK(K->ops->solve(K, A, b, a->x, a->history, &a->report));
  hp_linear_destroy(&K);
}

static void release(answer *a) {
  HP_FREE(a->x);
  HP_FREE(a->history);
}

static void compare(const hp_gh *A, const hp_krylov_options *given, const double *b) {
  const hp_krylov_options opt = *given;
  answer plain;
  solve(hub[0], A, &opt, false, b, &plain);
  for (int h = 0; h < HUBS; ++h) {
    answer other;
    solve(hub[h], A, &opt, true, b, &other);
    const hp_krylov_report *p = &plain.report, *o = &other.report;
    const bool same = memcmp(plain.x, other.x, (size_t)A->n * sizeof *b) == 0 && p->iterations == o->iterations &&
                      memcmp(plain.history, other.history, (size_t)(opt.max_iterations + 1) * sizeof *b) == 0 &&
                      p->reason == o->reason && p->restarts == o->restarts && p->products == o->products &&
                      p->applications == o->applications && p->barriers == o->barriers && p->residual == o->residual;
    CHECK(same);
    if (!same)
      fprintf(stderr, "%s, %s, q = %d, limit %d: %d iterations (%s), as it is %d (%s)\n",
              hp_krylov_method_name(opt.method), hp_precond_name(opt.preconditioner), A->q, opt.max_iterations,
              o->iterations, hp_krylov_reason_text(o->reason), p->iterations, hp_krylov_reason_text(p->reason));
    release(&other);
  }
  release(&plain);
}

static hp_krylov_options options_of(hp_krylov_method method, int precond, int limit) {
  const hp_krylov_options o = {.method = method,
                               .preconditioner = (hp_precond_kind)precond,
                               .precision = HP_PRECISION_DOUBLE,
                               .tolerance = 1e-9,
                               .max_iterations = limit,
                               .restart = 10};
  return o;
}

static void check_matrices(hp_krylov_method method) {
  static const int size[][4] = {{7, 6, 5, 3}, {1, 1, 61, 2}, {9, 8, 1, 0}};
  for (int n = 0; n < 3; ++n)
    for (int q = 1; q <= 3; ++q)
      for (int precond = 0; precond < HP_PRECOND_COUNT; ++precond) {
        double *b = NULL;
        uint64_t seed = 4;
        hp_gh *A;
        CHECK_OK(matrix_random_gh(size[n][0], size[n][1], size[n][2], q, size[n][3], 0.05, (uint64_t)(n + 3 * q), &A));
        CHECK_OK(HP_ALLOC(b, A->n));
        hp_krylov_options opt = options_of(method, precond, 200);
        compare(A, &opt, b); /* zero */
        for (int64_t i = 0; i < A->n; ++i) b[i] = matrix_random(&seed);
        compare(A, &opt, b);
        for (opt.max_iterations = 1; opt.max_iterations <= 7; opt.max_iterations += 2 * check_every(3))
          compare(A, &opt, b);
        HP_FREE(b);
        hp_gh_destroy(&A);
      }
}

static void check_breakdowns(hp_krylov_method method) {
  for (int which = 0; which < 2; ++which) {
    const hp_krylov_options opt = options_of(method, HP_PRECOND_NONE, 50);
    double b[2];
    hp_gh *A;
    CHECK_OK(matrix_breakdown(which, &A, b));
    compare(A, &opt, b);
    hp_gh_destroy(&A);
  }
}

static void check_refusals(void) {
  hp_krylov_options opt = options_of(HP_KRYLOV_GMRES, HP_PRECOND_NONE, 10);
  const hp_own_choice own = {.reordered = true};
  CHECK(hp_own_refusal(&opt, &own, NULL, false) != NULL);
  opt.method = HP_KRYLOV_QMR;
  CHECK(hp_own_refusal(&opt, &own, NULL, false) == NULL && hp_own_refusal(&opt, &own, NULL, true) == NULL);
  opt.execution = HP_EXECUTION_GRAPH;
  CHECK(hp_own_refusal(&opt, &own, NULL, false) != NULL);
}

int main(void) {
  static const int sizes[HUBS] = {1, 2, 3, 8};
  for (int h = 0; h < HUBS; ++h) {
    const hp_team_options team = {.time_limit = 60.0, .rotate = (uint32_t)(h + 1), .gpus = h > 1 ? h : 0};
    CHECK_OK(hp_team_hub_create(sizes[h], &team, &hub[h]));
  }
  check_matrices(HP_KRYLOV_BICGSTAB);
  check_matrices(HP_KRYLOV_QMR);
  check_breakdowns(HP_KRYLOV_BICGSTAB);
  check_breakdowns(HP_KRYLOV_QMR);
  check_refusals();
  for (int h = 0; h < HUBS; ++h) hp_team_hub_destroy(&hub[h]);
  return check_result();
}
