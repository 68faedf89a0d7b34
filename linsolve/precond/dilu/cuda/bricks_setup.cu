/* The set-up of dilu in bricks by a kernel of its own, for solves whose kernels are driven by the host. */
#include "linsolve/precond/device.h"
#include "linsolve/precond/dilu/dilu.inl.h"
#if defined(__CUDA_ARCH__)
#include "linsolve/precond/dilu/cuda/bricks_setup.cuh"
#endif

typedef struct {
  hp_gh A;
  hp_precond P;
  int64_t *singular;
} setup_args;

static __device__ void factorize(hp_team *t, const setup_args *a) {
#if defined(__CUDA_ARCH__)
  const int64_t bad = hp_precond_first_bad(t, &a->A, hp_dilu_bricks_setup_cuda(t, &a->P, &a->A));
  if (t->rank == 0) *a->singular = bad;
#endif
}

static __global__ void __launch_bounds__(HP_TEAM_THREADS, 1)
    bricks_kernel(const __grid_constant__ hp_team_grid grid, const __grid_constant__ setup_args a) {
  hp_team t;
  hp_team_enter(&t, &grid);
  factorize(&t, &a);
  hp_team_leave(&t);
}

hp_status hp_precond_device_factorize(hp_device *D, const hp_gh *A, const hp_precond *P, int64_t *singular) {
  const setup_args a = {*A, *P, singular};
  return hp_team_launch(D, (const void *)bricks_kernel, &a, 0, "setting up the preconditioner");
}
