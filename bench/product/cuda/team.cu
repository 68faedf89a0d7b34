/* The products of linsolve/product/spmv.inl.h as single kernels: the same text as inside a solve. */
#include "bench/product/device.h"
#include "core/device/device.h"
#include "linsolve/product/spmv.inl.h"

struct product_args {
  hp_gh A;
  const double *b, *x; /* b: of the residual */
  double *y;
};
HP_TEAM_KERNEL(product_kernel, product_args, hp_gh_mul(&t, &a.A, a.x, a.y))
HP_TEAM_KERNEL(residual_kernel, product_args, hp_gh_residual(&t, &a.A, a.b, a.x, a.y))
HP_TEAM_KERNEL(transposed_kernel, product_args, hp_gh_mul_transposed(&t, &a.A, a.x, a.y))

struct rounds_args {
  product_args of;
  int rounds;
};

/* The same product again and again, as a solver has it between its barriers. */
static __device__ __forceinline__ void multiply_rounds(hp_team *t, const rounds_args *a) {
  for (int n = 0; n < a->rounds; ++n) {
    hp_gh_mul(t, &a->of.A, a->of.x, a->of.y);
    hp_team_sync(t);
  }
}
HP_TEAM_KERNEL(rounds_kernel, rounds_args, multiply_rounds(&t, &a))

hp_status hp_gh_device_products(hp_device *D, const hp_gh *A, const double *x, double *y, int rounds) {
  const rounds_args a = {{*A, NULL, x, y}, rounds};
  return hp_team_launch(D, (const void *)rounds_kernel, &a, 0, "multiplying by the matrix");
}

hp_status hp_gh_device_product(hp_device *D, const hp_gh *A, const double *x, double *y, bool transposed) {
  const product_args a = {*A, NULL, x, y};
  return hp_team_launch(D, transposed ? (const void *)transposed_kernel : (const void *)product_kernel, &a, 0,
                        "multiplying by the matrix");
}

hp_status hp_gh_device_residual(hp_device *D, const hp_gh *A, const double *b, const double *x, double *y) {
  const product_args a = {*A, b, x, y};
  return hp_team_launch(D, (const void *)residual_kernel, &a, 0, "evaluating a linear system's residual");
}
