/* The numbers of a cycle and a cycle by themselves, a kernel each. */
#include "amg/cycle/cuda/program.cuh"
#include "amg/cycle/numbers.inl.h"
#include "amg/smoothers/cuda/image.cuh"
#include "bench/multigrid/device.h"

struct cycle_args {
  const hp_amg *H;
  const double *b;
  double *x;
};

static __global__ void __launch_bounds__(HP_BLOCK_MAX, 1)
    numbers_kernel(const __grid_constant__ hp_team_grid grid, const __grid_constant__ cycle_args a) {
  hp_team t;
  hp_team_enter(&t, &grid);
  hp_amg_numbers(&t, hp_amg_on_chip(a.H));
  hp_team_leave(&t);
}

template <bool PLAIN>
static __global__ void __launch_bounds__(HP_BLOCK_MAX, 1)
    cycle_kernel(const __grid_constant__ hp_team_grid grid, const __grid_constant__ cycle_args a) {
  hp_team t;
  hp_team_enter(&t, &grid);
  hp_amg_program_cuda<false, PLAIN>(&t, hp_amg_on_chip(a.H), a.b, a.x, false, false);
  hp_team_leave(&t);
}

static hp_status launch(hp_amg_device_cycle *C, const void *kernel, const double *b, double *x, const char *what) {
  const cycle_args a = {&C->device->H, b, x};
  if (C->host.H.nlevel == 0) return hp_fail(HP_ERR_INTERNAL, "multigrid: a cycle before its preparation");
  return hp_team_launch(C->D, kernel, &a, 0, what);
}

hp_status hp_amg_device_cycle_numbers(hp_amg_device_cycle *C) {
  HP_TRY(launch(C, (const void *)numbers_kernel, NULL, NULL, "making the numbers of a multigrid cycle"));
  return hp_amg_cycle_smoother_numbers(C);
}

hp_status hp_amg_device_cycle_apply(hp_amg_device_cycle *C, const double *b, double *x) {
  const void *kernel = hp_amg_is_plain(&C->host.H.opt) ? (const void *)cycle_kernel<true>
                                                       : (const void *)cycle_kernel<false>;
  return launch(C, kernel, b, x, "running a multigrid cycle");
}
