/* The host side of the linear solver: names, refusals, and the reasons that a
 * solve may end with. */
#include <string.h>

#include "core/memory.h"
#include "linsolve/krylov.h"
#include "tests/check.h"
#include "tests/matrices.h"

static hp_team_hub *hub;

static void test_names(void) {
  for (int k = 0; k < HP_KRYLOV_COUNT; ++k) {
    hp_krylov_method m = HP_KRYLOV_COUNT;
    CHECK(hp_krylov_method_find(hp_krylov_method_name((hp_krylov_method)k), &m) && m == (hp_krylov_method)k);
  }
  for (int k = 0; k < HP_PRECOND_COUNT; ++k) {
    hp_precond_kind p = HP_PRECOND_COUNT;
    CHECK(hp_precond_find(hp_precond_name((hp_precond_kind)k), &p) && p == (hp_precond_kind)k);
  }
  hp_krylov_method m = HP_KRYLOV_GMRES;
  hp_ordering o = HP_ORDER_NATURAL;
  hp_precision p = HP_PRECISION_DOUBLE;
  CHECK(!hp_krylov_method_find("bicg", &m) && m == HP_KRYLOV_GMRES);
  CHECK(hp_ordering_find("red-black", &o) && o == HP_ORDER_RED_BLACK && !hp_ordering_find("", &o));
  CHECK(hp_precision_find("single", &p) && p == HP_PRECISION_SINGLE && !hp_precision_find("half", &p));
  CHECK(strcmp(hp_krylov_reason_text(HP_KRYLOV_CONVERGED), "converged") == 0);
}

static void test_refusals(void) {
  const hp_krylov_options good = {.method = HP_KRYLOV_GMRES, .preconditioner = HP_PRECOND_DILU,
                                  .tolerance = 1e-3, .max_iterations = 10, .restart = 5};
  CHECK(hp_krylov_refusal(&good) == NULL);
  const hp_precond_custom custom = {"x", NULL, NULL, NULL};
  hp_krylov_options bad[12];
  for (int n = 0; n < 12; ++n) bad[n] = good;
  bad[0].tolerance = 0.0;
  bad[1].tolerance = NAN;
  bad[2].max_iterations = 0;
  bad[3].restart = 0;
  bad[4].preconditioner = HP_PRECOND_JACOBI;
  bad[4].ordering = HP_ORDER_RED_BLACK;
  bad[5].preconditioner = HP_PRECOND_NONE;
  bad[5].precision = HP_PRECISION_SINGLE;
  bad[6].custom = &custom;
  bad[7].method = HP_KRYLOV_COUNT;
  bad[8].preconditioner = HP_PRECOND_COUNT;
  bad[9].ordering = HP_ORDER_COUNT;
  bad[10].preconditioner = HP_PRECOND_NONE;
  bad[10].relaxation = 0.5;
  bad[11].relaxation = 1.5;
  hp_gh *A;
  CHECK_OK(hp_gh_create(2, 2, 2, 1, &A));
  for (int n = 0; n < 12; ++n) {
    hp_krylov *K;
    const char *why = hp_krylov_refusal(&bad[n]);
    CHECK(why != NULL);
    CHECK(hp_krylov_create(hub, A, &bad[n], &K) == HP_ERR_USAGE && K == NULL);
    CHECK(why != NULL && strcmp(hp_fail_text(), why) == 0);
  }
  hp_gh_destroy(&A);
}

/* One solve of A x = b with every method; checks the reason. */
static void expect(const hp_gh *A, const double *b, hp_krylov_options opt, hp_krylov_reason reason, int64_t cell) {
  double *x = NULL;
  CHECK_OK(HP_ALLOC(x, A->n));
  for (int k = 0; k < HP_KRYLOV_COUNT; ++k) {
    hp_krylov *K;
    hp_krylov_report r;
    opt.method = (hp_krylov_method)k;
    CHECK_OK(hp_krylov_create(hub, A, &opt, &K));
    CHECK_OK(hp_krylov_setup(K, A));
    CHECK_OK(hp_krylov_solve(K, A, b, x, NULL, &r));
    if (r.reason != reason || r.singular_cell != cell)
      fprintf(stderr, "%s: %s, cell %lld\n", hp_krylov_method_name(opt.method), hp_krylov_reason_text(r.reason),
              (long long)r.singular_cell);
    CHECK(r.reason == reason);
    CHECK(r.singular_cell == cell);
    CHECK(r.iterations <= opt.max_iterations);
    hp_krylov_destroy(&K);
  }
  HP_FREE(x);
}

static void test_reasons(void) {
  hp_gh *A;
  double *b = NULL;
  CHECK_OK(matrix_random_gh(5, 4, 3, 2, 2, 0.2, 1, &A));
  CHECK_OK(HP_ALLOC(b, A->n));
  hp_krylov_options opt = {.preconditioner = HP_PRECOND_DILU, .tolerance = 1e-9, .max_iterations = 100, .restart = 20};
  expect(A, b, opt, HP_KRYLOV_CONVERGED, -1); /* b = 0 */
  for (int64_t i = 0; i < A->n; ++i) b[i] = (double)(i % 7) - 2.5;
  expect(A, b, opt, HP_KRYLOV_CONVERGED, -1);
  opt.tolerance = 1e-30; /* out of reach in double */
  expect(A, b, opt, HP_KRYLOV_STAGNATION, -1);
  opt.tolerance = 1e-9;
  opt.max_iterations = 1;
  expect(A, b, opt, HP_KRYLOV_MAX_ITERATIONS, -1);
  opt.max_iterations = 100;
  b[17] = NAN;
  expect(A, b, opt, HP_KRYLOV_NOT_FINITE, -1);
  b[17] = 0.0;
  *hp_gh_entry(A, 30, 1, 0, 0) = INFINITY;
  opt.preconditioner = HP_PRECOND_NONE;
  expect(A, b, opt, HP_KRYLOV_NOT_FINITE, -1);
  *hp_gh_entry(A, 30, 1, 0, 0) = 0.0;

  const hp_precond_kind kinds[] = {HP_PRECOND_JACOBI, HP_PRECOND_BLOCK_JACOBI, HP_PRECOND_DILU};
  for (int n = 0; n < 3; ++n) {
    opt.preconditioner = kinds[n];
    const double d = A->wells.dd[1];
    A->wells.dd[1] = 0.0;
    expect(A, b, opt, HP_KRYLOV_SINGULAR, A->ncell + 1);
    A->wells.dd[1] = d;
  }
  const int64_t m = 41;
  for (int u = -3; u <= 3; ++u)
    for (int e = 0; e < 4; ++e) *hp_gh_entry(A, m, u, e / 2, e % 2) = 0.0;
  for (int r = 0; r < A->wells.nrun; ++r)
    for (int64_t p = 0; p < A->wells.c[r]; ++p)
      if (A->wells.b[r] + p == m) A->wells.wt[(A->wells.a[r] + p) * 2] = A->wells.wt[(A->wells.a[r] + p) * 2 + 1] = 0.0;
  for (int n = 0; n < 3; ++n) {
    opt.preconditioner = kinds[n];
    expect(A, b, opt, HP_KRYLOV_SINGULAR, m);
  }
  opt.ordering = HP_ORDER_RED_BLACK;
  expect(A, b, opt, HP_KRYLOV_SINGULAR, m);
  HP_FREE(b);
  hp_gh_destroy(&A);
}

/* A rotation by a quarter turn: (b, A b) = 0, so that BiCG-Stab breaks down at
 * once and restarts do not help; GMRES solves it in two steps. */
static void test_breakdown(void) {
  hp_gh *A;
  hp_krylov *K;
  hp_krylov_report r;
  CHECK_OK(hp_gh_create(1, 1, 1, 2, &A));
  *hp_gh_entry(A, 0, 0, 0, 1) = 1.0;
  *hp_gh_entry(A, 0, 0, 1, 0) = -1.0;
  const double b[2] = {1.0, 2.0};
  double x[2], history[31];
  hp_krylov_options opt = {.method = HP_KRYLOV_BICGSTAB, .tolerance = 1e-9, .max_iterations = 30, .restart = 2};
  CHECK_OK(hp_krylov_create(hub, A, &opt, &K));
  CHECK(hp_krylov_solve(K, A, b, x, NULL, &r) == HP_ERR_INTERNAL); /* no setup yet */
  CHECK_OK(hp_krylov_setup(K, A));
  CHECK_OK(hp_krylov_solve(K, A, b, x, history, &r));
  CHECK(r.reason == HP_KRYLOV_BREAKDOWN && r.restarts == 2 && r.residual == r.norm_b);
  hp_krylov_destroy(&K);
  opt.method = HP_KRYLOV_GMRES;
  CHECK_OK(hp_krylov_create(hub, A, &opt, &K));
  CHECK_OK(hp_krylov_setup(K, A));
  CHECK_OK(hp_krylov_solve(K, A, b, x, history, &r));
  CHECK(r.reason == HP_KRYLOV_CONVERGED && r.iterations == 2);
  CHECK_NEAR(x[0], -2.0, 1e-12);
  CHECK_NEAR(x[1], 1.0, 1e-12);
  CHECK_NEAR(history[0], 1.0, 1e-15);
  CHECK(history[2] < 1e-12);
  hp_krylov_destroy(&K);
  hp_gh_destroy(&A);
}

/* Unpreconditioned BiCG-Stab passes four barriers an iteration. */
static void test_barriers(void) {
  hp_gh *A;
  double *b = NULL, *x = NULL;
  CHECK_OK(matrix_flow(6, 5, 4, 3, 1.0, 1e-3, 3, &A));
  CHECK_OK(HP_ALLOC(b, A->n));
  CHECK_OK(HP_ALLOC(x, A->n));
  for (int64_t i = 0; i < A->n; ++i) b[i] = 1.0 + (double)(i % 3);
  int64_t barriers[2];
  for (int n = 0; n < 2; ++n) {
    hp_krylov *K;
    hp_krylov_report r;
    const hp_krylov_options opt = {.method = HP_KRYLOV_BICGSTAB, .tolerance = 1e-14, .max_iterations = 4 + n};
    CHECK_OK(hp_krylov_create(hub, A, &opt, &K));
    CHECK_OK(hp_krylov_setup(K, A));
    CHECK_OK(hp_krylov_solve(K, A, b, x, NULL, &r));
    CHECK(r.iterations == 4 + n && r.restarts == 0);
    CHECK(r.products == 2 * r.iterations + 1);
    barriers[n] = r.barriers;
    hp_krylov_destroy(&K);
  }
  CHECK(barriers[1] - barriers[0] == 4);
  HP_FREE(b);
  HP_FREE(x);
  hp_gh_destroy(&A);
}

int main(void) {
  CHECK_OK(hp_team_hub_create(2, NULL, &hub));
  test_names();
  test_refusals();
  test_reasons();
  test_breakdown();
  test_barriers();
  hp_team_hub_destroy(&hub);
  CHECK(hp_memory_now() == 0);
  return check_result();
}
