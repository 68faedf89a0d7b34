/* The programs of sim/step/step.inl.h as cooperative kernels, [HP_STEP_COUNT]. CMakeLists.txt compiles sim/step/cuda/kernels.cu
 * once for each function below:
 *
 *     hp_step_kernels_uniform()   one set of fluids, a constant of the launch; nothing of a cell but its state
 *     hp_step_kernels_any()       HP_DEVICE_DIFFER: whatever a deck may have (HP_CELLS_DIFFER), but for
 *     hp_step_kernels_tables()    HP_DEVICE_TABLES as well: faces or perforations with saturation functions of their own, whose
 *                                 evaluation takes registers (HP_TABLES_NAMED)
 *     hp_step_kernels_of_ranks()  HP_DEVICE_RANKS as well as both: a rank's part, with sums by chunks of whole columns, which the host
 *                                 adds up over ranks (core/device/part.h)
 *
 * One kernel for all would read the fluids through pointers for every deck. The options are macros of the build because the
 * physics between the kernel and its constants and the sums of a team are C as well, which has no
 * templates.
 */
#ifndef HP_SIM_STEP_CUDA_KERNELS_CUH
#define HP_SIM_STEP_CUDA_KERNELS_CUH

#include "core/team/team.h"
#include "sim/step/step.h"

/* Arguments of every kernel: the structs themselves, so that their members are
 * constants of the launch. */
struct hp_step_args {
  hp_reservoir res;
  hp_wells wells;
  hp_gh J;
  hp_step step; /* res, wells, J and aquifers are set inside */
  double dt;
  bool jacobian, control; /* error: control is whether there is a solution */
  int retry;
  hp_step_report *report;
  hp_aquifers aquifers;
};

/* A program of a time step; `what` it does, for errors. */
struct hp_step_kernel {
  const void *kernel;
  const char *what;
};

const hp_step_kernel *hp_step_kernels_uniform(void);
const hp_step_kernel *hp_step_kernels_any(void);
const hp_step_kernel *hp_step_kernels_tables(void);
const hp_step_kernel *hp_step_kernels_of_ranks(void);

#endif
