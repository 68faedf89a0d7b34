/* See amg/cpr/cuda/kernels.cuh. CMakeLists.txt compiles this text for HP_CPR_PLAIN true and false. */
#include "amg/cpr/cuda/kernels.cuh"

#include "amg/cpr/cuda/apply.cuh"

/* The tasks beside that of most solves, whose kernel is alone. */
template <bool PLAIN>
struct hp_cpr_tasks : hp_cpr_shape<PLAIN> {
  static __device__ __forceinline__ void run(hp_team *t, const hp_cpr_solve<PLAIN> *S, int task) {
    switch (task) {
      case HP_KRYLOV_BICGSTAB: hp_solve_run<HP_KRYLOV_BICGSTAB, HP_SOLVE_ANY>(t, S); break;
      case HP_KRYLOV_GMRES: hp_solve_run<HP_KRYLOV_GMRES, HP_SOLVE_ANY>(t, S); break;
      case HP_KRYLOV_TFQMR: hp_solve_run<HP_KRYLOV_TFQMR, HP_SOLVE_ANY>(t, S); break;
      case HP_TASK_APPLY: hp_cpr_apply_cuda<PLAIN>(t, S->P, S->A, S->b, S->x); break;
    }
  }
};

template <bool PLAIN>
const void *hp_cpr_kernel(int task, const hp_gh *A) {
  if (task == HP_KRYLOV_BICGSTAB && A->q == 2 && A->nx > 1 && A->ny > 1 && A->nz > 1)
    return (const void *)hp_solve_kernel<HP_KRYLOV_BICGSTAB, HP_SOLVE_TWO_3D, hp_cpr_shape<PLAIN>>;
  return (const void *)hp_tasks_kernel<hp_cpr_tasks<PLAIN>>;
}

template const void *hp_cpr_kernel<HP_CPR_PLAIN>(int task, const hp_gh *A);
