/* The kernels of multigrid by itself and of methods with a cycle in them, for the file that includes this one. It defines
 * before which cycle that is:
 *
 *     HP_SOLVE_APPLY(t, P, A, r, z)     hp_amg_cycle_phase<PLAIN>(t, (P)->external_data, r, z)
 *
 * PLAIN: it reads rows as csr or HEC (amg/rows/cuda/plain.cuh), not in slices.
 */
#ifndef HP_AMG_SOLVER_CUDA_KERNELS_CUH
#define HP_AMG_SOLVER_CUDA_KERNELS_CUH

#include "amg/cycle/cuda/program.cuh"
#include "amg/solver/cuda/plain.cuh"

/* Not inlined, so that a kernel contains the code once. */
template <bool PLAIN>
static __host__ __device__ __noinline__ void hp_amg_cycle_phase(hp_team *t, const void *H, const double *r, double *z) {
#if defined(__CUDA_ARCH__)
  /* hp_krylov_run_precondition has a barrier */
  hp_amg_program_cuda<false, PLAIN>(t, (const hp_amg *)H, r, z, false, false);
#else
  (void)t, (void)H, (void)r, (void)z;
#endif
}

#include "linsolve/krylov/cuda/kernel.cuh"
#include "linsolve/krylov/device.h"
#include "linsolve/krylov/stationary.inl.h"

struct shape {
  enum { THREADS = HP_BLOCK_MAX, LOADS = true }; /* cycles need many loads in flight, hence many warps */
  static __device__ __forceinline__ const void *load(const void *data) { return hp_amg_on_chip((const hp_amg *)data); }
};

static __global__ void __launch_bounds__(shape::THREADS, 1)
    stationary_kernel(const __grid_constant__ hp_team_grid grid, const __grid_constant__ hp_solve_args arguments) {
  __shared__ hp_solve_args a;
  hp_team t;
  hp_team_enter(&t, &grid);
  hp_solve_load_args<shape>(&a, &arguments);
  hp_stationary(&t, &a.S);
  hp_team_leave(&t);
}

static const void *stationary(int method, const hp_gh *A) {
  (void)method, (void)A;
  return (const void *)stationary_kernel;
}

static const void *solve_kernel(int method, const hp_gh *A) {
  (void)A;
  switch (method) {
    case HP_KRYLOV_BICGSTAB: return (const void *)hp_solve_kernel<HP_KRYLOV_BICGSTAB, HP_SOLVE_ANY, shape>;
    case HP_KRYLOV_GMRES: return (const void *)hp_solve_kernel<HP_KRYLOV_GMRES, HP_SOLVE_ANY, shape>;
    case HP_KRYLOV_CG: return (const void *)hp_solve_kernel<HP_KRYLOV_CG, HP_SOLVE_ANY, shape>;
    default: return NULL;
  }
}

static __global__ void __launch_bounds__(HP_BLOCK_MAX, 1)
    apply_kernel(const __grid_constant__ hp_team_grid grid, const __grid_constant__ hp_apply_args a) {
  hp_team t;
  hp_team_enter(&t, &grid);
  hp_precond P = a.P;
  P.external_data = hp_amg_on_chip((const hp_amg *)P.external_data);
  HP_SOLVE_APPLY(&t, &P, &a.A, a.r, a.z);
  hp_team_leave(&t);
}

static hp_amg_solve_function *solve_of(bool alone) { return alone ? stationary : solve_kernel; }

#endif
