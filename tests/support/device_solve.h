/* Solves on a GPU, for tests of what a solver is made of. */
#ifndef HP_TESTS_DEVICE_SOLVE_H
#define HP_TESTS_DEVICE_SOLVE_H

#include "bench/generators/family.h"
#include "sim/linear/linear.h"
#include "tests/support/check.h"

/* A x = b with A in the device's memory and a b that is always the same; x [A->n] on the host. */
static void device_solve(hp_device *device, const hp_gh *A, const hp_linear_options *o, double *x) {
  const hp_linear_input in = {.A = A, .options = o, .D = device};
  hp_linear_solver *K = NULL;
  hp_krylov_report r;
  double *b = NULL, *dx = NULL;
  hp_family_vector(5, A->n, x);
  CHECK_OK(HP_DEVICE_ALLOC(device, b, A->n));
  CHECK_OK(HP_DEVICE_ALLOC(device, dx, A->n));
  CHECK_OK(hp_device_upload(device, b, x, A->n * (int64_t)sizeof *b));
  CHECK_OK(hp_linear_create(&in, &K));
  CHECK_OK(K->ops->set_up(K, A));
  CHECK_OK(K->ops->solve(K, A, b, dx, NULL, &r));
  CHECK(r.iterations > 3);
  CHECK_OK(hp_device_download(device, x, dx, A->n * (int64_t)sizeof *x));
  hp_linear_destroy(&K);
  HP_DEVICE_FREE(device, b);
  HP_DEVICE_FREE(device, dx);
}

#endif
