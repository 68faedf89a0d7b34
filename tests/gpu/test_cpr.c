/* CPR on a GPU against the CPU's with the second stage in red-black order: one application (1e-10 in double, 1e-4 in
 * single precision, relative to the largest entry) for every kind of weights, with vertical and horizontal wells, wells
 * in corners and by steps, inactive cells, one to four unknowns a cell, after a build, a refresh and another build;
 * whole solves, whose iterations agree within a tenth; the executions per-operation and graph, which have the in-kernel
 * solver's bits; rows of the levels in slices, as HEC and as csr; all of it with connections beyond the diagonals, too;
 * what is singular and what is refused. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "amg/cpr/cpr.inl.h"
#include "amg/cpr/device.h"
#include "bench/generators/family.h"
#include "linsolve/krylov/device.h"
#include "tests/support/check.h"
#include "tests/support/matrices.h"

static hp_device *device;
static hp_team_hub *hub;
/* HEPTA_TEST_SMALL: 1, fewer systems; 2, hardly any, short solves, and only the barrier of cooperative groups, for a sanitizer that
 * writes down every look of a waiting block at shared memory. */
static int small;

typedef struct {
  hp_gh *A, dA;
  double *b, *x, *y, *db, *dx;
} problem;

static void problem_open(hp_gh *A, problem *P) {
  uint64_t seed = 3;
  P->A = A;
  CHECK_OK(HP_ALLOC(P->b, A->n));
  CHECK_OK(HP_ALLOC(P->x, A->n));
  CHECK_OK(HP_ALLOC(P->y, A->n));
  for (int64_t i = 0; i < A->n; ++i) P->b[i] = matrix_random(&seed);
  CHECK_OK(hp_gh_device_upload(device, A, &P->dA));
  CHECK_OK(HP_DEVICE_ALLOC(device, P->db, A->n));
  CHECK_OK(HP_DEVICE_ALLOC(device, P->dx, A->n));
  CHECK_OK(hp_device_upload(device, P->db, P->b, A->n * (int64_t)sizeof(double)));
}

static void problem_close(problem *P) {
  hp_gh_destroy(&P->A);
  hp_gh_device_free(device, &P->dA);
  HP_FREE(P->b);
  HP_FREE(P->x);
  HP_FREE(P->y);
  HP_DEVICE_FREE(device, P->db);
  HP_DEVICE_FREE(device, P->dx);
}

/* Other numbers in the same places, more of a diagonal. */
static void problem_change(problem *P) {
  for (int64_t m = 0; m < P->A->ncell; ++m)
    for (int a = 0; a < P->A->q; ++a) *hp_gh_entry(P->A, m, 0, a, a) *= 1.0 + 0.05 * (double)(m % 5);
  CHECK_OK(hp_gh_device_upload_values(device, P->A, &P->dA));
}

static bool is_perforated(const hp_gh *A, int64_t m) {
  for (int r = 0; r < A->wells.nrun; ++r)
    if (m >= A->wells.b[r] && m < A->wells.b[r] + A->wells.c[r]) return true;
  return false;
}

/* Every cell that `seed` picks and no well perforates becomes a row of the identity. */
static void deactivate(hp_gh *A, uint64_t seed) {
  for (int64_t m = 0; m < A->ncell; ++m) {
    if (matrix_bits(&seed) % 9 != 0 || is_perforated(A, m)) continue;
    for (int u = -3; u <= 3; ++u)
      for (int a = 0; a < A->q; ++a)
        for (int b = 0; b < A->q; ++b) {
          *hp_gh_entry(A, m, u, a, b) = u == 0 && a == b ? 1.0 : 0.0;
          if (u != 0 && matrix_has(A, m, u)) *hp_gh_entry(A, m + hp_gh_offset(A, u), -u, a, b) = 0.0;
        }
  }
}

/* Whether the diagonals of cell m are those of the identity. */
static bool is_identity(const hp_gh *A, int64_t m) {
  for (int u = -3; u <= 3; ++u)
    for (int a = 0; a < A->q; ++a)
      for (int b = 0; b < A->q; ++b)
        if (*hp_gh_entry(A, m, u, a, b) != (u == 0 && a == b ? 1.0 : 0.0)) return false;
  return true;
}

static double difference(const problem *P) {
  double worst = 0.0, most = 0.0;
  for (int64_t i = 0; i < P->A->n; ++i) {
    worst = fmax(worst, fabs(P->x[i] - P->y[i]));
    most = fmax(most, fabs(P->x[i]));
    if (!(P->y[i] - P->y[i] == 0.0)) return INFINITY;
  }
  return worst / most;
}

/* ---- one application ---- */

typedef struct {
  hp_cpr *C;
  const problem *P;
} host_side;

static void run_setup(hp_team *t, void *arg) {
  const host_side *h = arg;
  CHECK(hp_cpr_setup(t, h->C, h->P->A) == -1);
}

static void run_apply(hp_team *t, void *arg) {
  const host_side *h = arg;
  hp_cpr_apply(t, h->C, h->P->A, h->P->b, h->P->x);
}

/* Fills the solver's vectors, which nobody may read before a solve writes them, with numbers that spoil the results. */
static void spoil_vectors(const hp_krylov_device *K) {
  int64_t bytes;
  char *junk = NULL;
  void *work = hp_krylov_device_work(K, &bytes);
  CHECK_OK(HP_ALLOC(junk, bytes));
  memset(junk, 0xff, (size_t)bytes);
  CHECK_OK(hp_device_upload(device, work, junk, bytes));
  HP_FREE(junk);
}

/* The solver's vectors as work space of its preconditioner, every other time. */
static void attach_vectors(hp_cpr_device *G, const hp_krylov_device *K) {
  static int times;
  int64_t bytes;
  void *work = hp_krylov_device_work(K, &bytes);
  if (times++ % 2 == 0) CHECK_OK(hp_cpr_device_attach(G, work, bytes));
}

static void compare(const char *what, problem *P, hp_cpr *C, hp_krylov_device *K, double tolerance) {
  host_side host = {C, P};
  CHECK_OK(hp_team_run(hub, run_setup, &host));
  CHECK_OK(hp_cpr_status(C));
  CHECK_OK(hp_team_run(hub, run_apply, &host));
  CHECK_OK(hp_krylov_device_setup(K, &P->dA));
  spoil_vectors(K);
  CHECK_OK(hp_krylov_device_apply(K, &P->dA, P->db, P->dx));
  CHECK_OK(hp_device_download(device, P->y, P->dx, P->A->n * (int64_t)sizeof(double)));
  const double d = difference(P);
  CHECK(d <= tolerance);
  if (!(d <= tolerance)) fprintf(stderr, "%s: the GPU's application differs by %.2e\n", what, d);
}

static hp_krylov_options krylov_of(hp_krylov_method method, const hp_precond_external *external) {
  const hp_krylov_options k = {.method = method,
                               .tolerance = small > 1 ? 1e-4 : 1e-8,
                               .max_iterations = 300,
                               .restart = 30,
                               .external = external};
  return k;
}

/* Takes A. A build, a refresh, a build in the place of the first. */
static void check_application(hp_gh *A, const hp_cpr_options *opt) {
  const double tolerance = opt->amg.precision == HP_PRECISION_SINGLE ? 1e-4 : 1e-10;
  const int64_t before = hp_device_bytes(device);
  char what[200];
  problem P;
  hp_cpr *C;
  hp_cpr_device *G;
  hp_krylov_device *K;
  hp_cpr_state state;
  snprintf(what, sizeof what, "%d x %d x %d, q = %d, %d wells, %s, %s, %s, %s", A->nx, A->ny, A->nz, A->q,
           A->wells.nwell, hp_cpr_weights_name(opt->weights), hp_amg_coarsening_name(opt->amg.coarsening),
           hp_amg_smoother_name(opt->amg.smoother), hp_precision_name(opt->amg.precision));
  problem_open(A, &P);
  CHECK_OK(hp_cpr_create(A, opt, &C));
  CHECK_OK(hp_cpr_device_create(device, &P.dA, opt, &G));
  const hp_krylov_options k = krylov_of(HP_KRYLOV_BICGSTAB, hp_cpr_device_precond(G));
  CHECK_OK(hp_krylov_device_create(device, &P.dA, &k, &K));
  attach_vectors(G, K);
  compare(what, &P, C, K, tolerance);
  problem_change(&P);
  hp_cpr_begin_step(C);
  hp_cpr_device_begin_step(G);
  compare(what, &P, C, K, tolerance);
  compare(what, &P, C, K, tolerance); /* with the numbers of the step's first system */
  hp_cpr_rebuild(C);
  hp_cpr_device_rebuild(G);
  compare(what, &P, C, K, tolerance);
  CHECK_OK(hp_cpr_device_state(G, &state));
  CHECK(state.counts.builds == 2 && state.counts.refreshes == 1 && state.counts.build_seconds > 0.0);
  CHECK(state.levels == hp_cpr_get_state(C).levels && state.bytes > 0);
  hp_krylov_device_destroy(&K);
  hp_cpr_device_destroy(&G);
  hp_cpr_destroy(&C);
  problem_close(&P);
  CHECK(hp_device_bytes(device) == before);
}

static hp_ordering second_order; /* of the second stage, in turn */

static hp_cpr_options options_of(int weights, hp_amg_smoother smoother, hp_precision precision) {
  hp_cpr_options opt = hp_cpr_default_options();
  opt.weights = (hp_cpr_weights)weights;
  opt.ordering = second_order;
  opt.precision = opt.amg.precision = precision;
  opt.relaxation = weights == 1 ? 0.5 : 0.0;
  opt.amg.smoother = smoother;
  return opt;
}

static void check_applications(void) {
  static const hp_amg_smoother smoother[] = {HP_AMG_DAMPED_JACOBI, HP_AMG_L1_JACOBI, HP_AMG_CHEBYSHEV};
  static const hp_amg_smoother all[] = {
      HP_AMG_DAMPED_JACOBI,      HP_AMG_L1_JACOBI,       HP_AMG_CHEBYSHEV, HP_AMG_BLOCK_JACOBI, HP_AMG_COLOURED,
      HP_AMG_BLOCK_GAUSS_SEIDEL, HP_AMG_LEVEL_SCHEDULED, HP_AMG_HYBRID,    HP_AMG_SPAI1,        HP_AMG_SCHWARZ};
  int next = 0;
  static const int size[][4] = {{4, 3, 2, 2},   {1, 1, 41, 1},  {33, 1, 1, 2},
                                {17, 13, 1, 3}, {11, 9, 13, 6}, {40, 31, 9, 9}};
  for (int n = 0; n < (small > 1 ? 1 : small ? 5 : 6); n += small ? 4 : 1)
    for (int weights = 0; weights < (small > 1 ? 1 : HP_CPR_WEIGHTS_COUNT); ++weights)
      for (int p = small > 1 ? 1 : 0; p < 2; ++p) {
        const int *s = size[n];
        hp_cpr_options opt = options_of(weights, all[next++ % 10], (hp_precision)p);
        hp_gh *A;
        CHECK_OK(matrix_flow(s[0], s[1], s[2], s[3], 2.0, 1e-2, (uint64_t)(5 + n), &A));
        check_application(A, &opt);
        opt.amg.smoother = smoother[(n + weights) % 3]; /* the others' blocks and domains count rows */
        /* rows left out do not change what a serial coarsening picks, but what random numbers do */
        opt.amg.coarsening = HP_AMG_RS;
        opt.amg.interpolation = HP_AMG_CLASSICAL;
        CHECK_OK(matrix_flow(s[0], s[1], s[2], s[3], 2.0, 1e-2, (uint64_t)(50 + n), &A));
        deactivate(A, 8);
        check_application(A, &opt);
      }
}

/* Wells at the grid's ends, and all kinds of weights, smoothers and precisions in turn. */
static void check_corners(void) {
  static const hp_amg_smoother smoother[] = {HP_AMG_CHEBYSHEV, HP_AMG_DAMPED_JACOBI, HP_AMG_L1_JACOBI};
  static const int size[][3] = {{7, 5, 9},  {1, 1, 1},   {1, 1, 31},  {31, 1, 1}, {1, 33, 1},
                                {3, 11, 1}, {1, 1, 597}, {199, 1, 3}, {3, 199, 1}};
  for (int n = 0; n < (small > 1 ? 0 : small ? 1 : 9); ++n)
    for (int k = 0; k < 4; ++k) {
      const int *s = size[n];
      hp_cpr_options opt = options_of((n + k) % HP_CPR_WEIGHTS_COUNT, smoother[(n + k) % 3], (hp_precision)(k % 2));
      hp_gh *A;
      CHECK_OK(matrix_flow(s[0], s[1], s[2], MATRIX_CORNER_WELLS, 2.0, 1e-2, (uint64_t)(70 + n), &A));
      if (k > 1) { /* as above */
        opt.amg.coarsening = HP_AMG_RS;
        opt.amg.interpolation = HP_AMG_CLASSICAL;
        deactivate(A, 8);
      }
      check_application(A, &opt);
    }
}

/* Other numbers of unknowns than two. */
static void check_unknowns(void) {
  for (int q = 1; q <= (small > 1 ? 0 : 4); ++q)
    for (int p = 0; p < 2; ++p) {
      hp_family f = hp_family_default(9, 8, 7, q);
      const hp_cpr_options opt = options_of(q % 3, HP_AMG_DAMPED_JACOBI, (hp_precision)p);
      hp_gh *A;
      f.margin = 0.05;
      CHECK_OK(hp_family_create(&f, &A));
      check_application(A, &opt);
    }
}

/* ---- solves ---- */

/* Takes A. The GPU's iterations and the CPU's differ by at most one and `share` of them. */
static void check_solve(hp_gh *A, const hp_cpr_options *opt, hp_krylov_method method, double share) {
  problem P;
  hp_cpr *C;
  hp_cpr_device *G;
  hp_krylov *K;
  hp_krylov_device *L;
  hp_krylov_report host, here;
  problem_open(A, &P);
  CHECK_OK(hp_cpr_create(A, opt, &C));
  CHECK_OK(hp_cpr_device_create(device, &P.dA, opt, &G));
  hp_krylov_options k = krylov_of(method, hp_cpr_precond(C));
  CHECK_OK(hp_krylov_create(hub, A, &k, &K));
  k.external = hp_cpr_device_precond(G);
  CHECK_OK(hp_krylov_device_create(device, &P.dA, &k, &L));
  attach_vectors(G, L);
  for (int round = 0; round < 2; ++round) {
    if (round == 1) {
      problem_change(&P);
      hp_cpr_begin_step(C);
      hp_cpr_device_begin_step(G);
    }
    CHECK_OK(hp_krylov_setup(K, A));
    const int64_t launches = hp_device_get_traffic(device).launches;
    CHECK_OK(hp_krylov_device_setup(L, &P.dA));
    const int64_t in_setup = hp_device_get_traffic(device).launches - launches;
    spoil_vectors(L);
    CHECK_OK(hp_krylov_solve(K, A, P.b, P.x, NULL, &host));
    CHECK_OK(hp_krylov_device_solve(L, &P.dA, P.db, P.dx, NULL, &here));
    const int64_t in_all = hp_device_get_traffic(device).launches - launches;
    /* new numbers are one launch, or three (amg/cpr/cuda/setup.cu), the solve is one more */
    const bool plain = A->q == 2 && opt->weights == HP_CPR_TRUE_IMPES && opt->ordering == HP_ORDER_BRICKS;
    CHECK(round == 0 || !hp_amg_smoother_is_diagonal(opt->amg.smoother) ||
          (in_setup == (plain ? 1 : 3) && in_all == in_setup + 1));
    CHECK_OK(hp_device_download(device, P.y, P.dx, A->n * (int64_t)sizeof(double)));
    const bool good = host.reason == HP_KRYLOV_CONVERGED && here.reason == HP_KRYLOV_CONVERGED &&
                      abs(host.iterations - here.iterations) <= 1 + (int)(share * host.iterations) &&
                      difference(&P) < 1e-5 && here.residual <= 1e-8 * here.norm_b;
    CHECK(good);
    if (!good)
      fprintf(stderr,
              "%s, %s, round %d: %d iterations (%s), the CPU %d (%s), "
              "difference %.2e\n",
              hp_krylov_method_name(method), hp_precision_name(opt->amg.precision), round, here.iterations,
              hp_krylov_reason_text(here.reason), host.iterations, hp_krylov_reason_text(host.reason), difference(&P));
  }
  hp_krylov_device_destroy(&L);
  hp_krylov_destroy(&K);
  hp_cpr_device_destroy(&G);
  hp_cpr_destroy(&C);
  problem_close(&P);
}

static void check_solves(void) {
  static const hp_krylov_method method[] = {HP_KRYLOV_BICGSTAB, HP_KRYLOV_GMRES, HP_KRYLOV_TFQMR};
  for (int n = 0; n < (small > 1 ? 0 : 3); ++n)
    for (int p = 0; p < 2; ++p)
      for (int holes = 0; holes < 3; ++holes) { /* the second time with a coarsening that draws no random numbers */
        hp_cpr_options opt = options_of(HP_CPR_TRUE_IMPES, HP_AMG_DAMPED_JACOBI, (hp_precision)p);
        hp_gh *A;
        if (holes == 1) {
          opt.amg.coarsening = HP_AMG_RS;
          opt.amg.interpolation = HP_AMG_CLASSICAL;
        }
        if (small) CHECK_OK(matrix_flow(9, 8, 5, 4, 2.0, 1e-2, 1, &A));
        else CHECK_OK(matrix_flow(30, 29, 8, 7, 3.0, 1e-3, (uint64_t)(1 + n), &A));
        if (holes > 0) deactivate(A, 4);
        check_solve(A, &opt, method[n], holes == 2 || method[n] == HP_KRYLOV_TFQMR ? 0.25 : 0.1);
      }
  for (int n = 0; n < (small > 1 ? 0 : 3); ++n) {
    const hp_cpr_options opt = options_of(HP_CPR_TRUE_IMPES, HP_AMG_DAMPED_JACOBI, (hp_precision)(n % 2));
    hp_gh *A;
    CHECK_OK(matrix_flow(small ? 7 : 19, 11, 9, MATRIX_CORNER_WELLS, 3.0, 1e-3, (uint64_t)(1 + n), &A));
    check_solve(A, &opt, method[n], 0.1);
  }
  if (small) return;
  hp_gh *flat; /* one cell thick: the kernel for any shape of matrix */
  const hp_cpr_options opt = options_of(HP_CPR_TRUE_IMPES, HP_AMG_DAMPED_JACOBI, HP_PRECISION_SINGLE);
  CHECK_OK(matrix_flow(60, 50, 1, 4, 4.0, 1e-3, 2, &flat));
  check_solve(flat, &opt, HP_KRYLOV_BICGSTAB, 0.1);
}

/* ---- the other executions ---- */

enum { ROUNDS = 3 }; /* a build, a refresh, another build, for which a graph is made anew */

/* Solutions x [ROUNDS*n] and reports [ROUNDS] by one execution. */
static void solve_by(problem *P, const hp_cpr_options *opt, hp_krylov_method method, hp_execution_kind execution,
                     double *x, hp_krylov_report *report) {
  hp_cpr_device *G;
  hp_krylov_device *K;
  CHECK_OK(hp_gh_device_upload_values(device, P->A, &P->dA));
  CHECK_OK(hp_cpr_device_create(device, &P->dA, opt, &G));
  hp_krylov_options k = krylov_of(method, hp_cpr_device_precond(G));
  k.execution = execution;
  CHECK_OK(hp_krylov_device_create(device, &P->dA, &k, &K));
  attach_vectors(G, K);
  for (int round = 0; round < ROUNDS; ++round) {
    if (round == 1) hp_cpr_device_begin_step(G);
    if (round == 2) hp_cpr_device_rebuild(G);
    CHECK_OK(hp_krylov_device_setup(K, &P->dA));
    CHECK_OK(hp_krylov_device_solve(K, &P->dA, P->db, P->dx, NULL, &report[round]));
    CHECK_OK(hp_device_download(device, x + round * P->A->n, P->dx, P->A->n * (int64_t)sizeof(double)));
  }
  hp_krylov_device_destroy(&K);
  hp_cpr_device_destroy(&G);
}

/* The executions per-operation and graph have the in-kernel solver's iterations and bits; no graphs for a sanitizer, as in
 * test_executions.c. */
static void check_execution_of(problem *P, const hp_cpr_options *opt, hp_krylov_method method) {
  const hp_gh *A = P->A;
  double *x[2] = {NULL, NULL};
  hp_krylov_report report[2][ROUNDS];
  for (int n = 0; n < 2; ++n) CHECK_OK(HP_ALLOC(x[n], ROUNDS * A->n));
  solve_by(P, opt, method, HP_EXECUTION_IN_KERNEL, x[0], report[0]);
  for (int e = 0; e < (small ? 1 : 2); ++e) {
    const hp_execution_kind execution = e == 0 ? HP_EXECUTION_PER_OPERATION : HP_EXECUTION_GRAPH;
    solve_by(P, opt, method, execution, x[1], report[1]);
    for (int round = 0; round < ROUNDS; ++round) {
      const hp_krylov_report *one = &report[0][round], *other = &report[1][round];
      const bool same = one->iterations == other->iterations && one->applications == other->applications &&
                        memcmp(x[0] + round * A->n, x[1] + round * A->n, (size_t)A->n * sizeof(double)) == 0;
      CHECK(one->reason == HP_KRYLOV_CONVERGED && one->iterations > 1 && other->reason == HP_KRYLOV_CONVERGED);
      CHECK(same);
      if (!same)
        fprintf(stderr, "%s, %s, %s, q = %d, round %d: %d iterations, in-kernel %d\n", hp_krylov_method_name(method),
                hp_execution_name(execution), hp_precision_name(opt->amg.precision), A->q, round, other->iterations,
                one->iterations);
    }
  }
  for (int n = 0; n < 2; ++n) HP_FREE(x[n]);
}

/* Takes A. */
static void check_execution(hp_gh *A, const hp_cpr_options *opt) {
  problem P;
  problem_open(A, &P);
  check_execution_of(&P, opt, HP_KRYLOV_BICGSTAB);
  if (small < 2) check_execution_of(&P, opt, HP_KRYLOV_GMRES);
  problem_close(&P);
}

static void check_executions(void) {
  static const hp_amg_smoother smoother[] = {HP_AMG_DAMPED_JACOBI, HP_AMG_CHEBYSHEV, HP_AMG_SCHWARZ,
                                             HP_AMG_LEVEL_SCHEDULED};
  for (int n = 0; n < (small > 1 ? 1 : 4); ++n)
    for (int p = small > 1 ? 1 : 0; p < 2; ++p) {
      const hp_cpr_options opt = options_of(n % HP_CPR_WEIGHTS_COUNT, smoother[n], (hp_precision)p);
      hp_gh *A;
      CHECK_OK(matrix_flow(small ? 9 : 24, small ? 8 : 23, n == 3 ? 1 : 5, 3, 2.0, 1e-2, (uint64_t)(1 + n), &A));
      if (n == 2) deactivate(A, 4);
      check_execution(A, &opt);
    }
  if (small > 1) return;
  hp_family f = hp_family_default(9, 8, 7, 3);
  hp_gh *A;
  f.margin = 0.05;
  CHECK_OK(hp_family_create(&f, &A));
  const hp_cpr_options opt = options_of(HP_CPR_TRUE_IMPES, HP_AMG_DAMPED_JACOBI, HP_PRECISION_SINGLE);
  check_execution(A, &opt);
}

/* Rows as HEC and as csr: an application, solves by every method, the executions. */
static void check_formats(void) {
  static const hp_krylov_method method[] = {HP_KRYLOV_BICGSTAB, HP_KRYLOV_GMRES, HP_KRYLOV_TFQMR};
  for (int f = HP_AMG_FORMAT_HEC; f <= HP_AMG_FORMAT_CSR; ++f)
    for (int n = 0; n < (small > 1 ? 0 : 6); ++n) {
      hp_cpr_options opt = options_of(n % HP_CPR_WEIGHTS_COUNT, n < 3 ? HP_AMG_DAMPED_JACOBI : HP_AMG_CHEBYSHEV,
                                      (hp_precision)(n % 2));
      hp_gh *A;
      opt.amg.format = (hp_amg_format_kind)f;
      CHECK_OK(matrix_flow(17, 13, small ? 3 : 12, 5, 2.0, 1e-2, (uint64_t)(90 + n), &A));
      check_application(A, &opt);
      opt.weights = HP_CPR_TRUE_IMPES;
      opt.relaxation = 0.0;
      if (small) CHECK_OK(matrix_flow(9, 8, 5, 4, 2.0, 1e-2, 1, &A));
      else CHECK_OK(matrix_flow(30, 29, n == 5 ? 1 : 8, 7, 3.0, 1e-3, (uint64_t)(1 + n), &A));
      check_solve(A, &opt, method[n % 3], method[n % 3] == HP_KRYLOV_TFQMR ? 0.25 : 0.1);
      CHECK_OK(matrix_flow(small ? 9 : 24, small ? 8 : 23, n == 3 ? 1 : 5, 3, 2.0, 1e-2, (uint64_t)(1 + n), &A));
      check_execution(A, &opt);
    }
}

/* ---- connections beyond the diagonals ---- */

static hp_gh *linked_family(int nx, int ny, int nz, int q, int connections) {
  hp_family f = hp_family_default(nx, ny, nz, q);
  hp_gh *A;
  f.margin = 0.02;
  f.connections = connections;
  CHECK_OK(hp_family_create(&f, &A));
  CHECK(hp_gh_is_linked(A));
  return A;
}

static void check_links(void) {
  static const hp_amg_smoother smoother[] = {HP_AMG_DAMPED_JACOBI, HP_AMG_CHEBYSHEV,    HP_AMG_L1_JACOBI,
                                             HP_AMG_COLOURED,      HP_AMG_BLOCK_JACOBI, HP_AMG_SPAI1};
  static const hp_krylov_method method[] = {HP_KRYLOV_BICGSTAB, HP_KRYLOV_GMRES, HP_KRYLOV_TFQMR};
  for (int n = 0; n < (small > 1 ? 1 : 6); ++n)
    for (int p = small > 1 ? 1 : 0; p < 2; ++p) {
      hp_cpr_options opt = options_of(n % HP_CPR_WEIGHTS_COUNT, smoother[n], (hp_precision)p);
      if (small > 1) check_application(linked_family(5, 4, 3, 2, 20), &opt);
      else check_application(linked_family(12, 9, 8, n == 4 ? 3 : 2, n == 5 ? 800 : 100), &opt);
      if (n >= 3 || small > 1) continue;
      opt = options_of(HP_CPR_TRUE_IMPES, HP_AMG_DAMPED_JACOBI, (hp_precision)p);
      check_solve(linked_family(small ? 9 : 31, 17, 9, 2, small ? 100 : 470), &opt, method[n], 0.25);
      opt.amg.smoother = smoother[n];
      check_execution(linked_family(small ? 9 : 21, 17, 9, 2, 300), &opt);
    }
  /* cells that are left out, and connections to them */
  hp_cpr_options opt = options_of(HP_CPR_TRUE_IMPES, HP_AMG_DAMPED_JACOBI, HP_PRECISION_DOUBLE);
  opt.amg.coarsening = HP_AMG_RS;
  opt.amg.interpolation = HP_AMG_CLASSICAL;
  hp_gh *A;
  CHECK_OK(small > 1 ? matrix_flow(7, 5, 3, 2, 2.0, 1e-2, 9, &A) : matrix_flow(17, 13, 6, 3, 2.0, 1e-2, 9, &A));
  CHECK_OK(matrix_add_links(A, small > 1 ? 15 : 80, false, 4));
  deactivate(A, 8);
  const hp_links *L = &A->links;
  for (int64_t r = 0; r < L->nrow; ++r)
    for (int64_t e = L->begin[r]; e < L->begin[r + 1]; ++e) {
      const bool none = is_identity(A, L->cell[r]) || is_identity(A, L->other[e]);
      for (int i = 0; i < A->q; ++i)
        for (int j = 0; j < A->q; ++j) {
          double *v = hp_gh_link(A, e, i, j);
          *v = none ? 0.0 : i == j ? -fabs(*v) : 0.1 * *v;
        }
    }
  check_application(A, &opt);
}

/* A cell whose block is zero is named. */
static void check_singular(void) {
  const hp_cpr_options opt = options_of(HP_CPR_TRUE_IMPES, HP_AMG_DAMPED_JACOBI, HP_PRECISION_DOUBLE);
  hp_gh *A;
  problem P;
  hp_cpr_device *G;
  hp_krylov_device *K;
  hp_krylov_report report;
  CHECK_OK(matrix_flow(6, 5, 4, 0, 1.0, 1e-2, 7, &A));
  for (int u = -3; u <= 3; ++u)
    for (int e = 0; e < 4; ++e) *hp_gh_entry(A, 33, u, e / 2, e % 2) = 0.0;
  problem_open(A, &P);
  CHECK_OK(hp_cpr_device_create(device, &P.dA, &opt, &G));
  const hp_krylov_options k = krylov_of(HP_KRYLOV_BICGSTAB, hp_cpr_device_precond(G));
  CHECK_OK(hp_krylov_device_create(device, &P.dA, &k, &K));
  CHECK_OK(hp_krylov_device_setup(K, &P.dA));
  CHECK_OK(hp_krylov_device_solve(K, &P.dA, P.db, P.dx, NULL, &report));
  CHECK(report.reason == HP_KRYLOV_SINGULAR && report.singular_cell == 33);
  hp_krylov_device_destroy(&K);
  hp_cpr_device_destroy(&G);
  problem_close(&P);
}

static void check_refusals(void) {
  const hp_krylov_options tfqmr = {.method = HP_KRYLOV_TFQMR}, qmr = {.method = HP_KRYLOV_QMR};
  hp_cpr_options opt = options_of(HP_CPR_TRUE_IMPES, HP_AMG_DAMPED_JACOBI, HP_PRECISION_SINGLE);
  hp_cpr_device *G;
  hp_gh *A, dA;
  CHECK(hp_cpr_refusal(&opt, &tfqmr, HP_SOLVER_GPU) == NULL && hp_cpr_refusal(&opt, &qmr, HP_SOLVER_GPU) != NULL);
  CHECK_OK(matrix_flow(3, 3, 3, 0, 1.0, 1e-2, 7, &A));
  CHECK_OK(hp_gh_device_upload(device, A, &dA));
  opt.ordering = HP_ORDER_NATURAL;
  CHECK(hp_cpr_device_create(device, &dA, &opt, &G) == HP_ERR_USAGE && G == NULL);
  opt.ordering = HP_ORDER_RED_BLACK;
  opt.amg.smoother = HP_AMG_GAUSS_SEIDEL;
  CHECK(hp_cpr_device_create(device, &dA, &opt, &G) == HP_ERR_USAGE && G == NULL);
  hp_gh_device_free(device, &dA);
  hp_gh_destroy(&A);
}

int main(void) {
  const char *how = getenv("HEPTA_TEST_SMALL");
  hp_device_shape shape = hp_device_default_shape();
  small = how != NULL ? atoi(how) : 0;
  if (small > 1) shape.barrier = HP_BARRIER_COOPERATIVE;
  const hp_device_options opt = {.shape = &shape};
  if (hp_device_create(&opt, &device) != HP_OK) {
    printf("skipped: %s\n", hp_fail_text());
    return 77;
  }
  CHECK_OK(hp_team_hub_create(2, NULL, &hub));
  for (int o = 0; o < 2; ++o) {
    second_order = o == 0 ? HP_ORDER_BRICKS : HP_ORDER_RED_BLACK;
    check_applications();
    check_corners();
    check_unknowns();
    check_solves();
    check_executions();
    check_formats();
    check_links();
    check_singular();
  }
  check_refusals();
  hp_team_hub_destroy(&hub);
  hp_device_destroy(&device);
  return check_result();
}
