/* The programs of sim/step/step.inl.h as cooperative kernels. They are compiled six times:
 *
 *     sim/backend/cuda/backend.cu  one set of fluids, a constant of the launch; nothing of a cell but its state
 *     sim/step/cuda/regions.cu     with HP_DEVICE_REGIONS: each cell has its region's fluids and its own end points
 *     sim/step/cuda/connected.cu   with HP_DEVICE_CONNECTIONS, too: connections beyond the lattice, threshold pressures
 *     sim/step/cuda/aquifers.cu    with HP_DEVICE_AQUIFERS, too: analytic aquifers
 *     sim/step/cuda/rock_tables.cu with HP_DEVICE_ROCK_TABLES, too: rock tables
 *     sim/step/cuda/ranks.cu       with HP_DEVICE_RANKS, too: a rank's part
 *
 * One kernel for all would read the fluids through pointers for every deck. The options are macros because the physics
 * between the kernel and its constants (HP_CELLS_DIFFER, ...) is C as well, which has no templates.
 */
#ifndef HP_SIM_STEP_CUDA_KERNELS_CUH
#define HP_SIM_STEP_CUDA_KERNELS_CUH

#include "core/team/team.h"
#include "sim/step/step.inl.h"

/* Arguments of every kernel: the structs themselves, so that their members are
 * constants of the launch. */
struct hp_step_args {
  hp_reservoir res;
  hp_wells wells;
  hp_gh J;
  hp_step step; /* res, wells, J and aquifers are set inside */
  double dt;
  bool control; /* error: whether there is a solution */
  int retry;
  hp_step_report *report;
  hp_aquifers aquifers;
};

/* A program of a time step; `what` it does, for errors. */
struct hp_step_kernel {
  const void *kernel;
  const char *what;
};

/* [HP_STEP_COUNT] those of sim/step/cuda/regions.cu, connected.cu, aquifers.cu, rock_tables.cu, ranks.cu. */
const hp_step_kernel *hp_step_kernels_with_regions(void);
const hp_step_kernel *hp_step_kernels_with_connections(void);
const hp_step_kernel *hp_step_kernels_with_aquifers(void);
const hp_step_kernel *hp_step_kernels_with_rock_tables(void);
const hp_step_kernel *hp_step_kernels_of_ranks(void);

static __device__ __forceinline__ hp_step step_of(const hp_step_args *a) {
  hp_step S = a->step;
  S.res = &a->res;
  S.wells = &a->wells;
  S.J = &a->J;
  S.aquifers = a->aquifers.count > 0 ? &a->aquifers : NULL;
  return S;
}

/* A kernel that runs a program of S. */
#define STEP_KERNEL(name, program)     \
  HP_TEAM_KERNEL(name, hp_step_args, { \
    const hp_step S = step_of(&a);     \
    program;                           \
  })

STEP_KERNEL(assemble_kernel, hp_step_assemble(&t, &S, a.dt, true, a.control, a.retry, a.report))
STEP_KERNEL(residual_kernel, hp_step_assemble(&t, &S, a.dt, false, a.control, a.retry, a.report))
STEP_KERNEL(start_kernel, hp_step_start(&t, &S, a.report))
STEP_KERNEL(begin_kernel, hp_step_begin(&t, &S, a.report))
STEP_KERNEL(update_kernel, hp_step_update(&t, &S, a.report))
STEP_KERNEL(restore_kernel, hp_step_restore(&t, &S, a.report))
STEP_KERNEL(accept_kernel, hp_step_accept(&t, &S, a.dt, a.report))
STEP_KERNEL(error_kernel, hp_step_error(&t, &S, a.dt, a.control, a.report))

#undef STEP_KERNEL

static const hp_step_kernel kernels[HP_STEP_COUNT] = {
#define STEP_ENTRY(NAME, name, purpose) {(const void *)name##_kernel, purpose},
    HP_STEP_LIST(STEP_ENTRY)
#undef STEP_ENTRY
};

#endif
