/* The functions of amg/cycle/device.h and amg/solver/device.h that are the same with and without CUDA. */
#include "amg/solver/device.h"

/* 1 and what its pattern is made by; 0: a GPU has no such smoother. */
static int on_device(hp_amg_smoother smoother, bool *on_host) {
  switch (smoother) {
#define HP_AMG_CASE(name, entry, host) \
  case HP_AMG_##name: *on_host = (host) != 0; return 1;
    HP_AMG_SMOOTHER_GPU_LIST(HP_AMG_CASE)
#undef HP_AMG_CASE
    default: *on_host = false; return 0;
  }
}

const char *hp_amg_device_cycle_refusal(const hp_amg_options *opt) {
  bool on_host;
  if (on_device(opt->smoother, &on_host)) return NULL;
  return "gauss-seidel takes one row after the other, which is for the CPU; on a GPU level-scheduled makes the same "
         "sweep, coloured one in another order of rows";
}

bool hp_amg_device_smoother_on_host(hp_amg_smoother smoother) {
  bool on_host;
  return on_device(smoother, &on_host) && on_host;
}

const char *hp_amg_device_solver_refusal(const hp_amg_solver_options *opt) {
  if (!opt->stationary && opt->method != HP_KRYLOV_BICGSTAB && opt->method != HP_KRYLOV_GMRES &&
      opt->method != HP_KRYLOV_CG)
    return "on a GPU multigrid preconditions bicgstab, gmres and cg";
  return hp_amg_device_cycle_refusal(&opt->amg);
}
