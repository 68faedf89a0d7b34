/* See sim/step/cuda/kernels.cuh. CMakeLists.txt compiles this text once for each of its functions, whose name is
 * HP_STEP_KERNELS, with the macros of what a deck has. */
#include "sim/step/cuda/kernels.cuh"

#include "sim/step/step.inl.h"

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

#if defined(HP_DEVICE_DIFFER) /* a text too long to have twice */
STEP_KERNEL(assemble_kernel, hp_step_assemble(&t, &S, a.dt, a.jacobian, a.control, a.retry, a.report))
static const auto residual_kernel = assemble_kernel;
#else
STEP_KERNEL(assemble_kernel, hp_step_assemble(&t, &S, a.dt, true, a.control, a.retry, a.report))
STEP_KERNEL(residual_kernel, hp_step_assemble(&t, &S, a.dt, false, a.control, a.retry, a.report))
#endif
STEP_KERNEL(start_kernel, hp_step_start(&t, &S, a.report))
STEP_KERNEL(begin_kernel, hp_step_begin(&t, &S, a.report))
STEP_KERNEL(update_kernel, hp_step_update(&t, &S, a.report))
STEP_KERNEL(restore_kernel, hp_step_restore(&t, &S, a.report))
STEP_KERNEL(accept_kernel, hp_step_accept(&t, &S, a.dt, a.report))
STEP_KERNEL(error_kernel, hp_step_error(&t, &S, a.dt, a.control, a.report))
STEP_KERNEL(show_kernel, hp_step_show(&t, &S, a.report))

#undef STEP_KERNEL

static const hp_step_kernel kernels[HP_STEP_COUNT] = {
#define STEP_ENTRY(NAME, name, purpose) {(const void *)name##_kernel, purpose},
    HP_STEP_LIST(STEP_ENTRY)
#undef STEP_ENTRY
};

const hp_step_kernel *HP_STEP_KERNELS(void) { return kernels; }
