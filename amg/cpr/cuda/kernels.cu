/* See amg/cpr/cuda/kernels.cuh. CMakeLists.txt compiles this text for HP_CPR_PLAIN true and false. */
#include "amg/cpr/cuda/kernels.cuh"

#include "amg/cpr/cuda/apply.cuh"

template <bool PLAIN>
struct hp_cpr_tasks : hp_cpr_shape<PLAIN> {
  static __device__ __forceinline__ void run(hp_team *t, const hp_cpr_solve<PLAIN> *S, int task) {
    const hp_gh *A = S->A;
    switch (task) {
      case HP_KRYLOV_BICGSTAB:
        if (A->q == 2 && A->nx > 1 && A->ny > 1 && A->nz > 1) hp_solve_run<HP_KRYLOV_BICGSTAB, HP_SOLVE_TWO_3D>(t, S);
        else hp_solve_run<HP_KRYLOV_BICGSTAB, HP_SOLVE_ANY>(t, S);
        break;
      case HP_KRYLOV_GMRES: hp_solve_run<HP_KRYLOV_GMRES, HP_SOLVE_ANY>(t, S); break;
      case HP_KRYLOV_TFQMR: hp_solve_run<HP_KRYLOV_TFQMR, HP_SOLVE_ANY>(t, S); break;
      case HP_TASK_APPLY: hp_cpr_apply_cuda<PLAIN>(t, S->P, A, S->b, S->x); break;
    }
  }
};

template <bool PLAIN>
const void *hp_cpr_kernel(void) {
  return (const void *)hp_tasks_kernel<hp_cpr_tasks<PLAIN>>;
}

template const void *hp_cpr_kernel<HP_CPR_PLAIN>(void);
