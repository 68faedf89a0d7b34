/* Solves with GH-h and its forms on a GPU, per-operation and graph, BiCG-Stab and GMRES, against the CPU's with the same
 * form: iterations and solutions to rounding; the same bits again; per-operation and graph the same bits; without wells and
 * with such that share cells; the same of the matrix as one that is not known to be GH-h, in csr, bsr, sell and hyb; what is
 * refused. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/half/forms.h"
#include "bench/krylov/solver.h"
#include "core/memory.h"
#include "linsolve/krylov/device.h"
#include "tests/support/check.h"
#include "tests/support/matrices.h"

static hp_device *device;
static hp_team_hub *hub;
static int
    small; /* HEPTA_TEST_SMALL, for a sanitizer: 1, small systems, and no graphs; 2, two systems by hepta's kernels */

typedef struct {
  hp_half *H;
  hp_sparse *csr, *F;
  hp_gh *shape;
  double *b, *x, *y, *again, *db, *dx;
} problem;

static void problem_open(const hp_gh *A, problem *P) {
  uint64_t seed = 5;
  memset(P, 0, sizeof *P);
  CHECK_OK(hp_half_create(A, &P->H));
  CHECK_OK(hp_half_to_csr(P->H, A, &P->csr));
  const int64_t n = P->H->n;
  CHECK_OK(hp_gh_create_shape(1, 1, (int)n, 1, &P->shape));
  CHECK_OK(HP_ALLOC(P->b, n));
  CHECK_OK(HP_ALLOC(P->x, n));
  CHECK_OK(HP_ALLOC(P->y, n));
  CHECK_OK(HP_ALLOC(P->again, n));
  for (int64_t i = 0; i < n; ++i) P->b[i] = matrix_random(&seed);
  CHECK_OK(HP_DEVICE_ALLOC(device, P->db, n));
  CHECK_OK(HP_DEVICE_ALLOC(device, P->dx, n));
  CHECK_OK(hp_device_upload(device, P->db, P->b, n * 8));
}

static void problem_close(problem *P) {
  hp_half_destroy(&P->H);
  hp_sparse_destroy(&P->csr);
  hp_gh_destroy(&P->shape);
  HP_FREE(P->b);
  HP_FREE(P->x);
  HP_FREE(P->y);
  HP_FREE(P->again);
  HP_DEVICE_FREE(device, P->db);
  HP_DEVICE_FREE(device, P->dx);
}

static hp_linear_options options_of(hp_krylov_method method, hp_execution_kind execution) {
  const hp_linear_options o = {.krylov = {.method = method,
                                          .preconditioner = HP_PRECOND_NONE,
                                          .tolerance = 1e-9,
                                          .max_iterations = 500,
                                          .restart = 30,
                                          .execution = execution}};
  return o;
}

static void solve_on_host(problem *P, hp_krylov_method method, hp_krylov_report *report) {
  const hp_linear_options o = options_of(method, HP_EXECUTION_IN_KERNEL);
  const hp_linear_input in = {.A = P->shape, .options = &o, .hub = hub};
  const hp_own_choice own = {.product = P->F};
  hp_linear_solver *K = NULL;
  CHECK_OK(hp_own_create(&in, &own, &K));
  CHECK_OK(K->ops->set_up(K, P->shape));
  CHECK_OK(K->ops->solve(K, P->shape, P->b, P->x, NULL, report));
  hp_linear_destroy(&K);
}

static bool by_cusparse(const hp_sparse *F) { return F->kind == HP_SPARSE_CSR || F->kind == HP_SPARSE_SELL; }

/* Into y; twice by the same solver. */
static void solve_on_device(problem *P, hp_krylov_method method, hp_execution_kind execution,
                            hp_krylov_report *report) {
  const hp_linear_options o = options_of(method, execution);
  const hp_linear_input in = {.A = P->shape, .options = &o, .D = device};
  const hp_own_choice own = {.product = P->F};
  const size_t bytes = (size_t)P->H->n * sizeof *P->y;
  hp_linear_solver *K = NULL;
  CHECK_OK(hp_own_create(&in, &own, &K));
  CHECK_OK(K->ops->set_up(K, P->shape));
  for (int n = 0; n < 2; ++n) {
    CHECK_OK(K->ops->solve(K, P->shape, P->db, P->dx, NULL, report));
    CHECK_OK(hp_device_download(device, n == 0 ? P->again : P->y, P->dx, (int64_t)bytes));
  }
  /* hyb adds by atomic operations; cuSPARSE says that its products may have other last digits in each run */
  const bool varies = P->F->kind == HP_SPARSE_HYB || by_cusparse(P->F);
  const bool same = memcmp(P->again, P->y, bytes) == 0;
  if (!varies && !same) fprintf(stderr, "%s of GH-h: other bits the second time\n", hp_sparse_name(P->F->kind));
  CHECK(varies || same);
  hp_linear_destroy(&K);
}

static double difference(const problem *P) {
  double worst = 0.0, most = 0.0;
  for (int64_t i = 0; i < P->H->n; ++i) {
    worst = fmax(worst, fabs(P->x[i] - P->y[i]));
    most = fmax(most, fabs(P->x[i]));
  }
  return worst / most;
}

/* By a form, P->F. */
static void check_form(problem *P, hp_krylov_method method) {
  hp_krylov_report host, here;
  double *first = NULL;
  if (small == 2 && by_cusparse(P->F)) return;
  const int executions = small || by_cusparse(P->F) ? 1 : 2;
  CHECK_OK(HP_ALLOC(first, P->H->n));
  solve_on_host(P, method, &host);
  CHECK(host.reason == HP_KRYLOV_CONVERGED);
  for (int e = 0; e < executions; ++e) {
    solve_on_device(P, method, e == 0 ? HP_EXECUTION_PER_OPERATION : HP_EXECUTION_GRAPH, &here);
    const bool good = here.reason == HP_KRYLOV_CONVERGED &&
                      abs(here.iterations - host.iterations) <= 2 + host.iterations / 5 && difference(P) < 1e-6 &&
                      here.residual <= 1e-9 * here.norm_b;
    CHECK(good);
    if (!good)
      fprintf(stderr, "q = %d, %d wells, %s of GH-h, %s, %s: %d iterations, the CPU %d, difference %.2e\n", P->H->q,
              P->H->nwell, hp_sparse_name(P->F->kind), hp_krylov_method_name(method),
              e == 0 ? "per-operation" : "graph", here.iterations, host.iterations, difference(P));
    const size_t bytes = (size_t)P->H->n * sizeof *first;
    if (e == 0) memcpy(first, P->y, bytes);
    CHECK(P->F->kind == HP_SPARSE_HYB || memcmp(first, P->y, bytes) == 0);
  }
  HP_FREE(first);
}

/* The same matrix, which nobody knows to be GH-h. */
static void check_plain(problem *P) {
  static const hp_sparse_kind kind[] = {HP_SPARSE_CSR, HP_SPARSE_BSR, HP_SPARSE_SELL, HP_SPARSE_HYB};
  hp_bsr *rows;
  CHECK_OK(hp_bsr_promote(P->csr, 1, 0, &rows));
  for (int k = 0; k < 4; ++k) {
    CHECK_OK(hp_bsr_to_sparse(rows, kind[k], &P->F));
    check_form(P, HP_KRYLOV_BICGSTAB);
    check_form(P, HP_KRYLOV_GMRES);
    hp_sparse_destroy(&P->F);
  }
  hp_bsr_destroy(&rows);
}

static void check_matrix(hp_gh *A) {
  static const hp_sparse_kind kind[] = {HP_SPARSE_GH, HP_SPARSE_CSR, HP_SPARSE_BSR, HP_SPARSE_DIA, HP_SPARSE_HYB};
  const int64_t before = hp_device_bytes(device);
  problem P;
  problem_open(A, &P);
  for (int k = 0; k < 5; ++k) {
    CHECK_OK(hp_half_to_sparse(P.H, P.csr, kind[k], &P.F));
    check_form(&P, HP_KRYLOV_BICGSTAB);
    check_form(&P, HP_KRYLOV_GMRES);
    hp_sparse_destroy(&P.F);
  }
  check_plain(&P);
  problem_close(&P);
  hp_gh_destroy(&A);
  CHECK(hp_device_bytes(device) == before);
}

static void check_refusals(void) {
  hp_gh *A;
  problem P;
  CHECK_OK(matrix_random_gh(3, 4, 5, 2, 0, 0.1, 1, &A));
  problem_open(A, &P);
  CHECK_OK(hp_half_to_sparse(P.H, P.csr, HP_SPARSE_CSR, &P.F));
  hp_krylov_options o = options_of(HP_KRYLOV_BICGSTAB, HP_EXECUTION_IN_KERNEL).krylov;
  const hp_own_choice own = {.product = P.F};
  CHECK(hp_own_refusal(&o, &own, P.shape, true) != NULL);
  o.execution = HP_EXECUTION_LIBRARY;
  CHECK(hp_own_refusal(&o, &own, P.shape, true) != NULL);
  o.execution = HP_EXECUTION_GRAPH; /* has no part of cuSPARSE */
  CHECK(hp_own_refusal(&o, &own, P.shape, true) != NULL);
  o.execution = HP_EXECUTION_PER_OPERATION;
  CHECK(hp_own_refusal(&o, &own, P.shape, true) == NULL && hp_krylov_refusal(&o, NULL, HP_SOLVER_GPU) == NULL);
  o.method = HP_KRYLOV_TFQMR;
  CHECK(hp_krylov_refusal(&o, NULL, HP_SOLVER_GPU) != NULL);
  hp_sparse_destroy(&P.F);
  problem_close(&P);
  hp_gh_destroy(&A);
}

int main(void) {
  static const int size[][3] = {{1, 1, 31}, {5, 4, 3}, {1, 9, 8}, {11, 7, 9}, {24, 23, 25}};
  static const int unknowns[] = {2, 4, 6, 8, 16};
  const hp_device_options options = {0};
  small = getenv("HEPTA_TEST_SMALL") != NULL ? atoi(getenv("HEPTA_TEST_SMALL")) : 0;
  if (hp_device_create(&options, &device) != HP_OK) {
    printf("skipped: %s\n", hp_fail_text());
    return 77;
  }
  CHECK_OK(hp_team_hub_create(2, NULL, &hub));
  for (int n = 0; n < (small == 0 ? 5 : 3 - small); ++n)
    for (int k = 0; k < (small == 0 ? 5 : 3 - small); ++k)
      for (int nwell = 0; nwell <= 5; nwell += 5) {
        hp_gh *A;
        CHECK_OK(matrix_random_gh(size[n][0], size[n][1], size[n][2], unknowns[k], nwell, 0.1,
                                  (uint64_t)(7 * n + k + 1), &A));
        check_matrix(A);
      }
  check_refusals();
  hp_team_hub_destroy(&hub);
  hp_device_destroy(&device);
  return check_result();
}
