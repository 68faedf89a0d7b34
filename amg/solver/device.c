/* The functions of amg/solver/device.h that are the same with and without CUDA. */
#include "amg/solver/device.h"

const char *hp_amg_device_solver_refusal(const hp_amg_solver_options *opt) {
  if (!opt->stationary && opt->method != HP_KRYLOV_BICGSTAB && opt->method != HP_KRYLOV_GMRES &&
      opt->method != HP_KRYLOV_CG)
    return "on a GPU multigrid preconditions bicgstab, gmres and cg";
  return hp_amg_device_cycle_refusal(&opt->amg);
}
