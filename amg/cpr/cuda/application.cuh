/* The solve's kernels with cpr, for the file that includes this one and defines HP_SOLVE_APPLY before, which
 * amg/cpr/cuda/apply.cuh explains. */
#ifndef HP_AMG_CPR_CUDA_APPLICATION_CUH
#define HP_AMG_CPR_CUDA_APPLICATION_CUH

#include "amg/cpr/cuda/apply.cuh"
#include "amg/cpr/cuda/setup.cuh"
#include "linsolve/krylov/device.h"
#include "linsolve/precond/device.h"

static const void *solve_kernel(int method, const hp_gh *A) {
  const bool two = A->q == 2 && A->nx > 1 && A->ny > 1 && A->nz > 1;
  switch (method) {
    case HP_KRYLOV_BICGSTAB:
      return two ? (const void *)hp_solve_kernel<HP_KRYLOV_BICGSTAB, HP_SOLVE_TWO_3D, hp_cpr_shape>
                 : (const void *)hp_solve_kernel<HP_KRYLOV_BICGSTAB, HP_SOLVE_ANY, hp_cpr_shape>;
    case HP_KRYLOV_GMRES: return (const void *)hp_solve_kernel<HP_KRYLOV_GMRES, HP_SOLVE_ANY, hp_cpr_shape>;
    case HP_KRYLOV_TFQMR: return (const void *)hp_solve_kernel<HP_KRYLOV_TFQMR, HP_SOLVE_ANY, hp_cpr_shape>;
    default: return NULL;
  }
}

static __global__ void __launch_bounds__(HP_CPR_THREADS, 1)
    apply_kernel(const __grid_constant__ hp_team_grid grid, const __grid_constant__ hp_apply_args a) {
  hp_team t;
  hp_team_enter(&t, &grid);
  hp_precond P = a.P;
  P.external_data = hp_cpr_on_chip(P.external_data);
  HP_SOLVE_APPLY(&t, &P, &a.A, a.r, a.z);
  hp_team_leave(&t);
}

#endif
