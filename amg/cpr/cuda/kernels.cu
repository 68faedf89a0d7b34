/* See amg/cpr/cuda/kernels.cuh. CMakeLists.txt compiles this text for HP_CPR_PLAIN true and false. */
#include "amg/cpr/cuda/kernels.cuh"

#include "amg/cpr/cuda/apply.cuh"

/* The solve's kernel of bicgstab for two unknowns in three dimensions. */
template <bool PLAIN>
static const void *two_3d(void) {
  return (const void *)hp_solve_kernel<HP_KRYLOV_BICGSTAB, HP_SOLVE_TWO_3D, hp_cpr_shape<PLAIN>>;
}

template <bool PLAIN>
const void *hp_cpr_kernels<PLAIN>::solve(int method, const hp_gh *A) {
  typedef hp_cpr_shape<PLAIN> shape;
  switch (method) {
    case HP_KRYLOV_BICGSTAB:
      return A->q == 2 && A->nx > 1 && A->ny > 1 && A->nz > 1
                 ? two_3d<PLAIN>()
                 : (const void *)hp_solve_kernel<HP_KRYLOV_BICGSTAB, HP_SOLVE_ANY, shape>;
    case HP_KRYLOV_GMRES: return (const void *)hp_solve_kernel<HP_KRYLOV_GMRES, HP_SOLVE_ANY, shape>;
    case HP_KRYLOV_TFQMR: return (const void *)hp_solve_kernel<HP_KRYLOV_TFQMR, HP_SOLVE_ANY, shape>;
    default: return NULL;
  }
}

template <bool PLAIN>
static __global__ void __launch_bounds__(HP_CPR_THREADS, 1)
    apply_kernel(const __grid_constant__ hp_team_grid grid, const __grid_constant__ hp_apply_args a) {
  hp_team t;
  hp_team_enter(&t, &grid);
  hp_precond P = a.P;
  P.external_data = hp_cpr_on_chip(P.external_data);
  hp_cpr_apply_cuda<PLAIN>(&t, &P, &a.A, a.r, a.z);
  hp_team_leave(&t);
}

template <bool PLAIN>
const void *hp_cpr_kernels<PLAIN>::apply(void) {
  return (const void *)apply_kernel<PLAIN>;
}

template <bool PLAIN>
void hp_cpr_kernels<PLAIN>::load(void) {
  cudaFuncAttributes of;
  if (cudaFuncGetAttributes(&of, two_3d<PLAIN>()) != cudaSuccess) (void)cudaGetLastError(); /* the launch reports it */
}

template struct hp_cpr_kernels<HP_CPR_PLAIN>;
