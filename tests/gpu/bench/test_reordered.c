/* BiCG-Stab and QMR with reordered synchronization on a GPU have the bits of the methods as they are: solutions, histories and
 * reports, for every preconditioner and limit of iterations, and every form of the matrix in kernels of BiCG-Stab. HEPTA_TEST_SMALL: 1, small systems only; 2, with the barrier
 * of cooperative groups alone, for a sanitizer that writes down what waiting blocks do. */
#include <stdlib.h>
#include <string.h>

#include "bench/krylov/solver.h"
#include "core/memory.h"
#include "linsolve/matrix/device.h"
#include "tests/support/check.h"
#include "tests/support/matrices.h"

static hp_device *device;
static int small;

static void solve(const hp_gh *dA, const hp_krylov_options *opt, bool reordered, const double *db, double *dx,
                  double *x, double *history, hp_krylov_report *report) {
  const hp_linear_options options = {.krylov = *opt};
  const hp_linear_input in = {.A = dA, .options = &options, .D = device};
  const hp_own_choice own = {.reordered = true};
  hp_linear_solver *K = NULL;
  CHECK_OK(reordered ? hp_own_create(&in, &own, &K) : hp_linear_create(&in, &K));
  CHECK_OK(K->ops->set_up(K, dA));
  CHECK_OK(K->ops->solve(K, dA, db, dx, history, report));
  CHECK_OK(hp_device_download(device, x, dx, dA->n * (int64_t)sizeof *x));
  hp_linear_destroy(&K);
}

static void compare(const hp_gh *A, const hp_gh *dA, hp_krylov_options opt, const double *db, double *dx) {
  double *x[2] = {NULL, NULL}, *history[2] = {NULL, NULL};
  hp_krylov_report report[2];
  for (int n = 0; n < 2; ++n) {
    CHECK_OK(HP_ALLOC(x[n], A->n));
    CHECK_OK(HP_ALLOC(history[n], opt.max_iterations + 1));
    solve(dA, &opt, n == 1, db, dx, x[n], history[n], &report[n]);
  }
  const bool same = memcmp(x[0], x[1], (size_t)A->n * sizeof *x[0]) == 0 && report[0].reason == report[1].reason &&
                    report[0].iterations == report[1].iterations && report[0].barriers == report[1].barriers &&
                    memcmp(history[0], history[1], (size_t)(report[0].iterations + 1) * sizeof *x[0]) == 0;
  CHECK(same);
  if (!same)
    fprintf(stderr, "%s, %d x %d x %d, q = %d, %s, limit %d: %d iterations, as it is %d\n",
            hp_krylov_method_name(opt.method), A->nx, A->ny, A->nz, A->q, hp_precond_name(opt.preconditioner),
            opt.max_iterations, report[1].iterations, report[0].iterations);
  for (int n = 0; n < 2; ++n) {
    HP_FREE(x[n]);
    HP_FREE(history[n]);
  }
}

static void check_matrix(int nx, int ny, int nz, int q, int nwell) {
  double *b = NULL, *db = NULL, *dx = NULL;
  uint64_t seed = 6;
  hp_gh *A, dA;
  CHECK_OK(matrix_random_gh(nx, ny, nz, q, nwell, 0.05, (uint64_t)(nx + q), &A));
  CHECK_OK(HP_ALLOC(b, A->n));
  for (int64_t i = 0; i < A->n; ++i) b[i] = matrix_random(&seed);
  CHECK_OK(hp_gh_device_upload(device, A, &dA));
  CHECK_OK(HP_DEVICE_ALLOC(device, db, A->n));
  CHECK_OK(HP_DEVICE_ALLOC(device, dx, A->n));
  CHECK_OK(hp_device_upload(device, db, b, A->n * (int64_t)sizeof *b));
  for (int precond = 0; precond < HP_PRECOND_COUNT; ++precond)
    for (int limit = 1; limit <= (small > 1 ? 5 : 125); limit *= 5) {
      const bool dilu = precond == HP_PRECOND_DILU;
      const hp_krylov_options opt = {.method = HP_KRYLOV_QMR,
                                     .preconditioner = (hp_precond_kind)precond,
                                     .ordering = dilu ? HP_ORDER_RED_BLACK : HP_ORDER_NATURAL,
                                     .precision = HP_PRECISION_DOUBLE,
                                     .tolerance = 1e-9,
                                     .max_iterations = limit};
      hp_krylov_options bicgstab = opt;
      bicgstab.method = HP_KRYLOV_BICGSTAB;
      compare(A, &dA, opt, db, dx);
      compare(A, &dA, bicgstab, db, dx);
    }
  HP_FREE(b);
  HP_DEVICE_FREE(device, db);
  HP_DEVICE_FREE(device, dx);
  hp_gh_device_free(device, &dA);
  hp_gh_destroy(&A);
}

int main(void) {
  const char *how = getenv("HEPTA_TEST_SMALL");
  small = how != NULL ? atoi(how) : 0;
  hp_device_shape shape = hp_device_default_shape();
  if (small > 1) shape.barrier = HP_BARRIER_COOPERATIVE;
  const hp_device_options options = {.shape = &shape};
  if (hp_device_create(&options, &device) != HP_OK) {
    printf("skipped: %s\n", hp_fail_text());
    return 77;
  }
  for (int form = 0; form < (small > 0 ? 0 : 4); ++form) { /* of two unknowns: how they are read, s on the fly */
    shape.wide = form % 2 == 0;
    shape.recompute = form / 2 == 0;
    shape.unroll = 1 << form % 3;
    CHECK_OK(hp_device_set_shape(device, &shape));
    check_matrix(13, 12, 11, 2, 5);
  }
  for (int q = 1; q <= (small > 0 ? 1 : 4); ++q) {
    check_matrix(5, 4, 7, q, 3);
    if (small == 0) check_matrix(33, 32, 31, q, 9);
    if (small == 0) check_matrix(1, 1, 299, q, 0);
  }
  hp_device_destroy(&device);
  return check_result();
}
