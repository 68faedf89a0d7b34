/* Team size and ownership must not matter: every method with every
 * preconditioner, ordering and precision gives the same bits, history and
 * counts for 1, 2, 3 and 8 members whose ownership rotates. */
#include <string.h>

#include "core/memory.h"
#include "linsolve/krylov/krylov.h"
#include "tests/support/check.h"
#include "tests/support/matrices.h"

enum { ITERATIONS = 12, ROUNDING = 8 /* iterations in which rounding errors stay small */ };

typedef struct {
  double *x, history[ITERATIONS + 1];
  hp_krylov_report report;
} outcome;

static void solve(hp_team_hub *hub, const hp_gh *A, const double *b, const hp_krylov_options *opt, outcome *o) {
  hp_krylov *K;
  memset(o->history, 0, sizeof o->history);
  CHECK_OK(hp_krylov_create(hub, A, opt, &K));
  CHECK_OK(hp_krylov_setup(K, A));
  CHECK_OK(hp_krylov_solve(K, A, b, o->x, o->history, &o->report));
  hp_krylov_destroy(&K);
}

static bool same(const hp_gh *A, const outcome *a, const outcome *b) {
  const hp_krylov_report *r = &a->report, *s = &b->report;
  return memcmp(a->x, b->x, (size_t)A->n * sizeof *a->x) == 0 &&
         memcmp(a->history, b->history, sizeof a->history) == 0 && r->reason == s->reason &&
         r->iterations == s->iterations && r->restarts == s->restarts && r->products == s->products &&
         r->applications == s->applications && r->barriers == s->barriers && r->norm_b == s->norm_b &&
         r->residual == s->residual && r->singular_cell == s->singular_cell;
}

/* The matrix in every storage; beside GH, well rows and residuals are summed otherwise. */
static void compare_formats(hp_team_hub **hubs, int count, const hp_gh *A, const double *b, outcome *one,
                            outcome *other) {
  hp_krylov_options opt = {.tolerance = 1e-9, .max_iterations = ITERATIONS, .restart = 9};
  for (int kind = 0; kind < HP_SPARSE_COUNT; ++kind) {
    opt.matrix = (hp_sparse_kind)kind;
    opt.preconditioner = kind % 2 == 0 ? HP_PRECOND_NONE : HP_PRECOND_DILU;
    solve(hubs[0], A, b, &opt, one);
    for (int h = 1; h < count; ++h) {
      solve(hubs[h], A, b, &opt, other);
      if (!same(A, one, other))
        fprintf(stderr, "matrix stored as %s, q = %d: %d members differ from 1\n", hp_sparse_name(opt.matrix), A->q,
                hp_team_hub_size(hubs[h]));
      CHECK(same(A, one, other));
    }
    opt.matrix = HP_SPARSE_GH;
    solve(hubs[0], A, b, &opt, other);
    for (int n = 0; n <= ROUNDING; ++n) CHECK_NEAR(one->history[n], other->history[n], 1e-6 * other->history[n]);
  }
}

static void compare_sizes(hp_team_hub **hubs, int count, const hp_gh *A, const double *b, outcome *one,
                          outcome *other) {
  hp_krylov_options opt = {.tolerance = 1e-9, .max_iterations = ITERATIONS, .restart = 9};
  for (int method = 0; method < HP_KRYLOV_COUNT; ++method)
    for (int kind = 0; kind < HP_PRECOND_COUNT; ++kind)
      for (int ordering = 0; ordering < HP_ORDER_COUNT; ++ordering)
        for (int precision = 0; precision < HP_PRECISION_COUNT; ++precision) {
          opt.method = (hp_krylov_method)method;
          opt.preconditioner = (hp_precond_kind)kind;
          opt.ordering = (hp_ordering)ordering;
          opt.precision = (hp_precision)precision;
          opt.relaxation = kind == HP_PRECOND_DILU && (method != HP_KRYLOV_CG || A->q == 1) ? 0.8 : 0.0;
          if (hp_krylov_refusal(&opt, NULL, HP_SOLVER_ANY) != NULL) continue;
          solve(hubs[0], A, b, &opt, one);
          for (int h = 1 + (method + kind + ordering) % check_every(4); h < count; h += check_every(4)) {
            solve(hubs[h], A, b, &opt, other);
            if (!same(A, one, other))
              fprintf(stderr, "%s, %s, %s, %s, q = %d: %d members differ from 1\n", hp_krylov_method_name(opt.method),
                      hp_precond_name(opt.preconditioner), hp_ordering_name(opt.ordering),
                      hp_precision_name(opt.precision), A->q, hp_team_hub_size(hubs[h]));
            CHECK(same(A, one, other));
          }
        }
}

int main(void) {
  static const int sizes[] = {1, 2, 3, 8};
  static const int shapes[][4] = {{7, 9, 5, 2}, {5, 5, 4, 3}, {40, 1, 3, 1}, {9, 7, 5, 1}, {5, 6, 7, 2}};
  enum { NOT_SYMMETRIC = 3 }; /* of the shapes */
  enum { COUNT = sizeof sizes / sizeof *sizes };
  hp_team_hub *hubs[COUNT];
  for (int h = 0; h < COUNT; ++h) {
    const hp_team_options opt = {.time_limit = 60.0, .rotate = (uint32_t)(h + 1), .gpus = h > 1 ? h : 0};
    CHECK_OK(hp_team_hub_create(sizes[h], &opt, &hubs[h]));
  }
  for (size_t s = 0; s < sizeof shapes / sizeof *shapes; ++s) {
    hp_gh *A;
    double *b = NULL;
    outcome one, other;
    uint64_t seed = 9;
    CHECK_OK((s < NOT_SYMMETRIC ? matrix_random_gh : matrix_random_spd)(shapes[s][0], shapes[s][1], shapes[s][2],
                                                                        shapes[s][3], 4, 0.01, s + 1, &A));
    CHECK_OK(HP_ALLOC(b, A->n));
    CHECK_OK(HP_ALLOC(one.x, A->n));
    CHECK_OK(HP_ALLOC(other.x, A->n));
    for (int64_t i = 0; i < A->n; ++i) b[i] = matrix_random(&seed);
    compare_sizes(hubs, COUNT, A, b, &one, &other);
    if (s < NOT_SYMMETRIC) compare_formats(hubs, COUNT, A, b, &one, &other);
    HP_FREE(b);
    HP_FREE(one.x);
    HP_FREE(other.x);
    hp_gh_destroy(&A);
  }
  for (int h = 0; h < COUNT; ++h) hp_team_hub_destroy(&hubs[h]);
  CHECK(hp_memory_now() == 0);
  return check_result();
}
