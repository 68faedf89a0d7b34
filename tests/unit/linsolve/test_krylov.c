/* The host side of the linear solver: names, refusals, and the reasons that a
 * solve may end with. */
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "linsolve/krylov/krylov.h"
#include "tests/support/check.h"
#include "tests/support/dense.h"
#include "tests/support/matrices.h"

static hp_team_hub *hub;

static void test_names(void) {
  for (int k = 0; k < HP_KRYLOV_COUNT; ++k) {
    hp_krylov_method m = HP_KRYLOV_COUNT;
    CHECK(hp_krylov_method_find(hp_krylov_method_name((hp_krylov_method)k), &m) && m == (hp_krylov_method)k);
  }
  hp_krylov_method m = HP_KRYLOV_GMRES;
  hp_precision p = HP_PRECISION_DOUBLE;
  CHECK(!hp_krylov_method_find("bicg", &m) && m == HP_KRYLOV_GMRES);
  CHECK(hp_precision_find("single", &p) && p == HP_PRECISION_SINGLE && !hp_precision_find("half", &p));
  CHECK(strcmp(hp_krylov_reason_text(HP_KRYLOV_CONVERGED), "converged") == 0);
}

static void test_refusals(void) {
  const hp_krylov_options good = {.method = HP_KRYLOV_GMRES,
                                  .preconditioner = HP_PRECOND_DILU,
                                  .tolerance = 1e-3,
                                  .max_iterations = 10,
                                  .restart = 5};
  CHECK(hp_krylov_refusal(&good, NULL, HP_SOLVER_ANY) == NULL);
  const hp_precond_external external = {.name = "x"}, symmetric = {.name = "y", .symmetric = true};
  enum { BAD = 14 };
  hp_krylov_options bad[BAD];
  for (int n = 0; n < BAD; ++n) bad[n] = good;
  bad[0].tolerance = 0.0;
  bad[1].tolerance = NAN;
  bad[2].max_iterations = 0;
  bad[3].restart = 0;
  bad[4].preconditioner = HP_PRECOND_JACOBI;
  bad[4].ordering = HP_ORDER_RED_BLACK;
  bad[5].preconditioner = HP_PRECOND_NONE;
  bad[5].precision = HP_PRECISION_SINGLE;
  bad[6].external = &external;
  bad[7].method = HP_KRYLOV_COUNT;
  bad[8].preconditioner = HP_PRECOND_COUNT;
  bad[9].ordering = HP_ORDER_COUNT;
  bad[10].preconditioner = HP_PRECOND_NONE;
  bad[10].relaxation = 0.5;
  bad[11].relaxation = 1.5;
  for (int n = 12; n < 14; ++n) {
    bad[n].external = &external;
    bad[n].preconditioner = HP_PRECOND_NONE;
    bad[n].method = n == 12 ? HP_KRYLOV_QMR : HP_KRYLOV_CG;
  }
  hp_krylov_options taken = bad[13];
  taken.external = &symmetric;
  CHECK(hp_krylov_refusal(&taken, NULL, HP_SOLVER_ANY) == NULL);
  hp_gh *A;
  CHECK_OK(hp_gh_create(2, 2, 2, 1, &A));
  for (int n = 0; n < BAD; ++n) {
    hp_krylov *K;
    const char *why = hp_krylov_refusal(&bad[n], NULL, HP_SOLVER_ANY);
    CHECK(why != NULL);
    CHECK(hp_krylov_create(hub, A, &bad[n], &K) == HP_ERR_USAGE && K == NULL);
    CHECK(why != NULL && strcmp(hp_fail_text(), why) == 0);
  }
  hp_gh_destroy(&A);
}

/* cg with relaxed dilu: with one unknown a cell it is symmetric, with two it is refused. */
static void test_refusal_by_matrix(void) {
  const hp_krylov_options opt = {.method = HP_KRYLOV_CG,
                                 .preconditioner = HP_PRECOND_DILU,
                                 .relaxation = 0.5,
                                 .tolerance = 1e-3,
                                 .max_iterations = 10};
  CHECK(hp_krylov_refusal(&opt, NULL, HP_SOLVER_ANY) == NULL);
  for (int q = 1; q <= 2; ++q) {
    hp_gh *A;
    hp_krylov *K;
    CHECK_OK(hp_gh_create(2, 2, 2, q, &A));
    CHECK(hp_krylov_create(hub, A, &opt, &K) == (q == 1 ? HP_OK : HP_ERR_USAGE));
    CHECK(q == 1 || strstr(hp_fail_text(), "symmetric") != NULL);
    hp_krylov_destroy(&K);
    hp_gh_destroy(&A);
  }
}

/* One solve of A x = b with every method that may take A; checks the reason. */
static void expect(const hp_gh *A, bool spd, const double *b, hp_krylov_options opt, hp_krylov_reason reason,
                   int64_t cell) {
  double *x = NULL;
  CHECK_OK(HP_ALLOC(x, A->n));
  for (int k = 0; k < HP_KRYLOV_COUNT; ++k) {
    hp_krylov *K;
    hp_krylov_report r;
    if (k == HP_KRYLOV_CG && !spd) continue;
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

static void test_reasons(bool spd) {
  hp_gh *A;
  double *b = NULL;
  CHECK_OK((spd ? matrix_random_spd : matrix_random_gh)(5, 4, 3, 2, 2, 0.2, 1, &A));
  CHECK_OK(HP_ALLOC(b, A->n));
  hp_krylov_options opt = {.preconditioner = HP_PRECOND_DILU, .tolerance = 1e-9, .max_iterations = 100, .restart = 20};
  expect(A, spd, b, opt, HP_KRYLOV_CONVERGED, -1); /* b = 0 */
  for (int64_t i = 0; i < A->n; ++i) b[i] = (double)(i % 7) - 2.5;
  expect(A, spd, b, opt, HP_KRYLOV_CONVERGED, -1);
  opt.tolerance = 1e-30; /* out of reach in double */
  expect(A, spd, b, opt, HP_KRYLOV_STAGNATION, -1);
  opt.tolerance = 1e-9;
  opt.max_iterations = 1;
  expect(A, spd, b, opt, HP_KRYLOV_MAX_ITERATIONS, -1);
  opt.max_iterations = 100;
  b[17] = NAN;
  expect(A, spd, b, opt, HP_KRYLOV_NOT_FINITE, -1);
  b[17] = 0.0;
  const double finite = *hp_gh_entry(A, 30, 0, 0, 0);
  *hp_gh_entry(A, 30, 0, 0, 0) = INFINITY;
  opt.preconditioner = HP_PRECOND_NONE;
  expect(A, spd, b, opt, HP_KRYLOV_NOT_FINITE, -1);
  *hp_gh_entry(A, 30, 0, 0, 0) = finite;

  const hp_precond_kind kinds[] = {HP_PRECOND_JACOBI, HP_PRECOND_BLOCK_JACOBI, HP_PRECOND_DILU};
  for (int n = 0; n < 3; ++n) {
    opt.preconditioner = kinds[n];
    const double d = A->wells.dd[1];
    A->wells.dd[1] = 0.0;
    expect(A, spd, b, opt, HP_KRYLOV_SINGULAR, A->ncell + 1);
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
    expect(A, spd, b, opt, HP_KRYLOV_SINGULAR, m);
  }
  opt.ordering = HP_ORDER_RED_BLACK;
  expect(A, spd, b, opt, HP_KRYLOV_SINGULAR, m);
  HP_FREE(b);
  hp_gh_destroy(&A);
}

/* A rotation by a quarter turn: (b, A b) = 0, so that BiCG-Stab and QMR break down at
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
  opt.method = HP_KRYLOV_QMR;
  CHECK_OK(hp_krylov_create(hub, A, &opt, &K));
  CHECK_OK(hp_krylov_setup(K, A));
  CHECK_OK(hp_krylov_solve(K, A, b, x, NULL, &r));
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

/* Every method has systems on which it breaks down, starts again twice and gives up with what it had: GMRES believes
 * in its exhausted space, so that the true residual stagnates. */
static void test_all_break_down(void) {
  static const struct {
    hp_krylov_method method;
    int which;
    hp_krylov_reason reason;
  } cases[] = {{HP_KRYLOV_BICGSTAB, 0, HP_KRYLOV_BREAKDOWN},
               {HP_KRYLOV_TFQMR, 0, HP_KRYLOV_BREAKDOWN},
               {HP_KRYLOV_QMR, 0, HP_KRYLOV_BREAKDOWN},
               {HP_KRYLOV_CG, 1, HP_KRYLOV_BREAKDOWN},
               {HP_KRYLOV_GMRES, 2, HP_KRYLOV_STAGNATION}};
  for (size_t n = 0; n < sizeof cases / sizeof *cases; ++n) {
    const hp_krylov_options opt = {.method = cases[n].method, .tolerance = 1e-9, .max_iterations = 30, .restart = 5};
    hp_gh *A;
    hp_krylov *K;
    hp_krylov_report r;
    double b[2], x[2];
    CHECK_OK(matrix_breakdown(cases[n].which, &A, b));
    CHECK_OK(hp_krylov_create(hub, A, &opt, &K));
    CHECK_OK(hp_krylov_setup(K, A));
    CHECK_OK(hp_krylov_solve(K, A, b, x, NULL, &r));
    CHECK(r.reason == cases[n].reason && r.restarts == 2 && r.residual == r.norm_b);
    CHECK(x[1] == 0.0 && (x[0] == 0.0 || cases[n].method == HP_KRYLOV_GMRES));
    hp_krylov_destroy(&K);
    hp_gh_destroy(&A);
  }
}

/* Single precision spoils TFQMR's scalars on a hard system: without a return to the true residual it stays at 4e-4 for
 * good, with 3000 and more iterations. */
static void test_tfqmr_returns(void) {
  const hp_krylov_options opt = {.method = HP_KRYLOV_TFQMR,
                                 .preconditioner = HP_PRECOND_DILU,
                                 .precision = HP_PRECISION_SINGLE,
                                 .tolerance = 1e-9,
                                 .max_iterations = 3000};
  hp_gh *A;
  double *b = NULL, *x = NULL;
  hp_krylov *K;
  hp_krylov_report r;
  uint64_t seed = 1;
  CHECK_OK(matrix_flow(8, 8, 4, 3, 14.0, 1e-6, 1, &A));
  CHECK_OK(HP_ALLOC(b, A->n));
  CHECK_OK(HP_ALLOC(x, A->n));
  for (int64_t i = 0; i < A->n; ++i) b[i] = matrix_random(&seed);
  CHECK_OK(hp_krylov_create(hub, A, &opt, &K));
  CHECK_OK(hp_krylov_setup(K, A));
  CHECK_OK(hp_krylov_solve(K, A, b, x, NULL, &r));
  CHECK(r.reason == HP_KRYLOV_CONVERGED && r.restarts > 0 && r.iterations < 1000);
  CHECK(r.residual <= 1e-9 * r.norm_b);
  hp_krylov_destroy(&K);
  HP_FREE(b);
  HP_FREE(x);
  hp_gh_destroy(&A);
}

/* Solves with cg; checks the reason, and that x is zero if no iteration was made. */
static void expect_cg(const hp_gh *A, const double *b, hp_krylov_reason reason, bool iterates) {
  double *x = NULL, sum = 0.0;
  hp_krylov *K;
  hp_krylov_report r;
  const hp_krylov_options opt = {.method = HP_KRYLOV_CG, .tolerance = 1e-9, .max_iterations = 50};
  CHECK_OK(HP_ALLOC(x, A->n));
  CHECK_OK(hp_krylov_create(hub, A, &opt, &K));
  CHECK_OK(hp_krylov_setup(K, A));
  CHECK_OK(hp_krylov_solve(K, A, b, x, NULL, &r));
  CHECK(r.reason == reason && r.restarts == 0);
  CHECK((r.iterations > 0) == iterates);
  for (int64_t i = 0; i < A->n; ++i) sum += fabs(x[i]);
  CHECK(iterates || (sum == 0.0 && r.residual == r.norm_b));
  CHECK(strstr(hp_krylov_reason_text(HP_KRYLOV_NOT_SPD), "not symmetric positive definite") != NULL);
  hp_krylov_destroy(&K);
  HP_FREE(x);
}

/* cg on [1 2; 2 1], whose eigenvalues are 3 and -1: with b = (1, -1) the first
 * direction has negative curvature, with b = (1, 0) the second. */
static void test_indefinite(void) {
  hp_gh *A;
  CHECK_OK(hp_gh_create(1, 1, 2, 1, &A));
  const double b[2][2] = {{1.0, -1.0}, {1.0, 0.0}};
  *hp_gh_entry(A, 0, 0, 0, 0) = *hp_gh_entry(A, 1, 0, 0, 0) = 1.0;
  *hp_gh_entry(A, 0, 1, 0, 0) = *hp_gh_entry(A, 1, -1, 0, 0) = 2.0;
  expect_cg(A, b[0], HP_KRYLOV_NOT_SPD, true);
  expect_cg(A, b[1], HP_KRYLOV_NOT_SPD, true);
  *hp_gh_entry(A, 0, 1, 0, 0) = *hp_gh_entry(A, 1, -1, 0, 0) = 0.5;
  expect_cg(A, b[0], HP_KRYLOV_CONVERGED, true);
  *hp_gh_entry(A, 1, 0, 0, 0) = -1.0;
  expect_cg(A, b[1], HP_KRYLOV_NOT_SPD, false);
  hp_gh_destroy(&A);
}

/* cg notices any one entry that breaks the symmetry: of a diagonal block, between cells, of a well's border. */
static void test_not_symmetric(void) {
  hp_gh *A;
  double *b = NULL;
  CHECK_OK(matrix_random_spd(4, 3, 5, 2, 3, 0.2, 11, &A));
  CHECK_OK(HP_ALLOC(b, A->n));
  for (int64_t i = 0; i < A->n; ++i) b[i] = (double)(i % 5) - 1.5;
  expect_cg(A, b, HP_KRYLOV_CONVERGED, true);
  int64_t m = 0; /* active, as are its upper neighbours */
  for (bool found = false; !found; m += !found) {
    found = matrix_has(A, m, 1) && matrix_has(A, m, 2) && matrix_has(A, m, 3);
    for (int u = 1; u <= 3 && found; ++u) found = *hp_gh_entry(A, m, u, 1, 0) != 0.0;
  }
  const int diagonals[] = {0, 1, 2, 3, -1, -2, -3};
  for (int n = 0; n < 7; ++n) {
    const int u = diagonals[n];
    double *entry = hp_gh_entry(A, u < 0 ? m + hp_gh_offset(A, -u) : m, u, 1, 0);
    const double kept = *entry;
    *entry += 1e-6;
    expect_cg(A, b, HP_KRYLOV_NOT_SPD, false);
    *entry = kept;
  }
  for (int w = 0; w < A->wells.nwell; ++w) {
    double *entry = A->wells.wt + A->wells.a[A->wells.run_begin[w + 1] - 1] * 2 + 1;
    const double kept = *entry;
    *entry += 1e-6;
    expect_cg(A, b, HP_KRYLOV_NOT_SPD, false);
    *entry = kept;
    A->wells.dd[w] *= -1.0;
    expect_cg(A, b, HP_KRYLOV_NOT_SPD, false);
    A->wells.dd[w] *= -1.0;
  }
  expect_cg(A, b, HP_KRYLOV_CONVERGED, true);
  HP_FREE(b);
  hp_gh_destroy(&A);
}

/* The norm that each method recurs is that of the true residual, for TFQMR a bound of it. */
static void test_estimates(void) {
  hp_gh *A;
  double *b = NULL, *x = NULL, history[101];
  CHECK_OK(matrix_random_spd(7, 6, 5, 2, 3, 1e-3, 21, &A));
  CHECK_OK(HP_ALLOC(b, A->n));
  CHECK_OK(HP_ALLOC(x, A->n));
  for (int64_t i = 0; i < A->n; ++i) b[i] = 1.0 + (double)(i % 3);
  for (int k = 0; k < HP_KRYLOV_COUNT; ++k)
    for (int most = 1; most <= 9; most += 4) {
      hp_krylov *K;
      hp_krylov_report r;
      const hp_krylov_options opt = {.method = (hp_krylov_method)k,
                                     .preconditioner = HP_PRECOND_JACOBI,
                                     .tolerance = 1e-12,
                                     .max_iterations = most,
                                     .restart = 20};
      CHECK_OK(hp_krylov_create(hub, A, &opt, &K));
      CHECK_OK(hp_krylov_setup(K, A));
      CHECK_OK(hp_krylov_solve(K, A, b, x, history, &r));
      CHECK(r.reason == HP_KRYLOV_MAX_ITERATIONS && r.iterations == most);
      const double estimate = history[most] * r.norm_b / r.residual;
      CHECK(k == HP_KRYLOV_TFQMR ? estimate >= 1.0 : fabs(estimate - 1.0) < 1e-9);
      hp_krylov_destroy(&K);
    }
  HP_FREE(b);
  HP_FREE(x);
  hp_gh_destroy(&A);
}

/* Iterations of the plain method (Hestenes & Stiefel 1952), with (p, A p) and
 * |r|^2 reduced one after the other, to |r| <= tolerance |b|; a [n][n]. */
static int textbook_cg(int64_t n, const double *a, const double *b, double tolerance) {
  double *v = NULL, rr = 0.0;
  CHECK_OK(HP_ALLOC(v, 3 * n));
  double *r = v, *p = v + n, *s = p + n;
  for (int64_t i = 0; i < n; ++i) {
    r[i] = p[i] = b[i];
    rr += b[i] * b[i];
  }
  const double goal = tolerance * tolerance * rr;
  int iterations = 0;
  for (; rr > goal; ++iterations) {
    double ps = 0.0, old = rr;
    for (int64_t i = 0; i < n; ++i) {
      s[i] = 0.0;
      for (int64_t j = 0; j < n; ++j) s[i] += a[i * n + j] * p[j];
      ps += p[i] * s[i];
    }
    rr = 0.0;
    for (int64_t i = 0; i < n; ++i) {
      r[i] -= old / ps * s[i];
      rr += r[i] * r[i];
    }
    for (int64_t i = 0; i < n; ++i) p[i] = r[i] + rr / old * p[i];
  }
  HP_FREE(v);
  return iterations;
}

/* One reduction instead of two costs no iterations. */
static void test_textbook(void) {
  for (int q = 1; q <= 2; ++q) {
    hp_gh *A;
    hp_krylov *K;
    hp_krylov_report r;
    double *b = NULL, *x = NULL, *dense = NULL;
    CHECK_OK(matrix_random_spd(7, 6, 5, q, 3, 1e-5, 31, &A));
    CHECK_OK(HP_ALLOC(b, A->n));
    CHECK_OK(HP_ALLOC(x, A->n));
    CHECK_OK(HP_ALLOC(dense, A->n * A->n));
    for (int64_t i = 0; i < A->n; ++i) b[i] = (double)(i % 5) - 1.5;
    dense_from_gh(A, dense);
    const hp_krylov_options opt = {.method = HP_KRYLOV_CG, .tolerance = 1e-10, .max_iterations = 500};
    CHECK_OK(hp_krylov_create(hub, A, &opt, &K));
    CHECK_OK(hp_krylov_setup(K, A));
    CHECK_OK(hp_krylov_solve(K, A, b, x, NULL, &r));
    const int expected = textbook_cg(A->n, dense, b, opt.tolerance);
    CHECK(r.reason == HP_KRYLOV_CONVERGED && r.restarts == 0);
    CHECK(expected > 20 && abs(r.iterations - expected) <= 1);
    hp_krylov_destroy(&K);
    hp_gh_destroy(&A);
    HP_FREE(b);
    HP_FREE(x);
    HP_FREE(dense);
  }
}

/* Barriers an iteration of A, by the difference between two solves. */
static int64_t barriers_an_iteration(const hp_gh *A, hp_krylov_options opt) {
  double *b = NULL, *x = NULL;
  CHECK_OK(HP_ALLOC(b, A->n));
  CHECK_OK(HP_ALLOC(x, A->n));
  for (int64_t i = 0; i < A->n; ++i) b[i] = 1.0 + (double)(i % 3);
  int64_t barriers[2];
  for (int n = 0; n < 2; ++n) {
    hp_krylov *K;
    hp_krylov_report r;
    opt.max_iterations = 3 + n;
    CHECK_OK(hp_krylov_create(hub, A, &opt, &K));
    CHECK_OK(hp_krylov_setup(K, A));
    const int64_t before = hp_team_barriers(hub);
    CHECK_OK(hp_krylov_solve(K, A, b, x, NULL, &r));
    CHECK(r.iterations == 3 + n && r.restarts == 0);
    CHECK(r.products == (opt.method == HP_KRYLOV_CG ? 1 : 2) * r.iterations + 1);
    barriers[n] = r.barriers;
    CHECK(hp_team_barriers(hub) - before == r.barriers + 1); /* the run ends with one */
    hp_krylov_destroy(&K);
  }
  HP_FREE(b);
  HP_FREE(x);
  return barriers[1] - barriers[0];
}

/* Barriers an iteration: BiCG-Stab four as published, TFQMR four, QMR three (published:
 * nine), CG two; with a preconditioner and with wells at most nine. */
static void test_barriers(void) {
  static const struct {
    hp_krylov_method method;
    hp_precond_kind kind;
    hp_ordering ordering;
    int64_t plain, wells; /* without and with wells */
  } expected[] = {
      {HP_KRYLOV_BICGSTAB, HP_PRECOND_NONE, HP_ORDER_NATURAL, 4, 4},
      {HP_KRYLOV_BICGSTAB, HP_PRECOND_BLOCK_JACOBI, HP_ORDER_NATURAL, 6, 8},
      {HP_KRYLOV_TFQMR, HP_PRECOND_NONE, HP_ORDER_NATURAL, 4, 4},
      {HP_KRYLOV_TFQMR, HP_PRECOND_BLOCK_JACOBI, HP_ORDER_NATURAL, 6, 8},
      {HP_KRYLOV_TFQMR, HP_PRECOND_DILU, HP_ORDER_RED_BLACK, 8, 10},
      {HP_KRYLOV_QMR, HP_PRECOND_NONE, HP_ORDER_NATURAL, 3, 3},
      {HP_KRYLOV_QMR, HP_PRECOND_JACOBI, HP_ORDER_NATURAL, 4, 5},
      {HP_KRYLOV_QMR, HP_PRECOND_BLOCK_JACOBI, HP_ORDER_NATURAL, 4, 5},
      {HP_KRYLOV_QMR, HP_PRECOND_DILU, HP_ORDER_NATURAL, 5, 6},
      {HP_KRYLOV_QMR, HP_PRECOND_DILU, HP_ORDER_RED_BLACK, 7, 8},
      {HP_KRYLOV_CG, HP_PRECOND_NONE, HP_ORDER_NATURAL, 2, 2},
      {HP_KRYLOV_CG, HP_PRECOND_JACOBI, HP_ORDER_NATURAL, 3, 5},
      {HP_KRYLOV_CG, HP_PRECOND_DILU, HP_ORDER_NATURAL, 3, 5},
      {HP_KRYLOV_CG, HP_PRECOND_DILU, HP_ORDER_RED_BLACK, 4, 6},
  };
  for (int wells = 0; wells < 2; ++wells) {
    hp_gh *A;
    CHECK_OK(matrix_random_spd(6, 5, 4, 2, wells ? 3 : 0, 0.01, 3, &A));
    for (size_t n = 0; n < sizeof expected / sizeof *expected; ++n) {
      const hp_krylov_options opt = {.method = expected[n].method,
                                     .preconditioner = expected[n].kind,
                                     .ordering = expected[n].ordering,
                                     .tolerance = 1e-14};
      const int64_t count = barriers_an_iteration(A, opt);
      if (count != (wells ? expected[n].wells : expected[n].plain))
        fprintf(stderr, "%s, %s, %s: %lld barriers an iteration\n", hp_krylov_method_name(opt.method),
                hp_precond_name(opt.preconditioner), wells ? "wells" : "no wells", (long long)count);
      CHECK(count == (wells ? expected[n].wells : expected[n].plain));
    }
    hp_gh_destroy(&A);
  }
}

int main(void) {
  CHECK_OK(hp_team_hub_create(2, NULL, &hub));
  test_names();
  test_refusals();
  test_refusal_by_matrix();
  test_reasons(false);
  test_reasons(true);
  test_breakdown();
  test_all_break_down();
  test_tfqmr_returns();
  test_indefinite();
  test_not_symmetric();
  test_estimates();
  test_textbook();
  test_barriers();
  hp_team_hub_destroy(&hub);
  CHECK(hp_memory_now() == 0);
  return check_result();
}
