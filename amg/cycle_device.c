/* What of amg/cycle_device.h and amg/solver_device.h is the same with and without CUDA. */
#include "amg/solver_device.h"

const char *hp_amg_device_cycle_refusal(const hp_amg_options *opt) {
  switch (opt->smoother) {
    case HP_AMG_JACOBI:
    case HP_AMG_DAMPED_JACOBI:
    case HP_AMG_L1_JACOBI:
    case HP_AMG_SPAI0:
    case HP_AMG_CHEBYSHEV: return NULL;
    default: break;
  }
  return "this smoother runs on the CPU only; on a GPU there are jacobi, damped-jacobi, l1-jacobi, spai-0 and chebyshev";
}

const char *hp_amg_device_solver_refusal(const hp_amg_solver_options *opt) {
  if (!opt->stationary && opt->method != HP_KRYLOV_BICGSTAB && opt->method != HP_KRYLOV_GMRES &&
      opt->method != HP_KRYLOV_CG)
    return "on a GPU multigrid preconditions bicgstab, gmres and cg";
  return hp_amg_device_cycle_refusal(&opt->amg);
}
