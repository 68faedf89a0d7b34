/* The kernel that solves, and its launch: for linsolve/krylov/cuda/krylov.cu and solvers with kernels of their own. */
#ifndef HP_LINSOLVE_KRYLOV_CUDA_LAUNCH_CUH
#define HP_LINSOLVE_KRYLOV_CUDA_LAUNCH_CUH

#include "core/device/device.h"
#include "linsolve/krylov/cuda/kernel.cuh"

/* The form of hp_solve_kernel for A. */
int hp_solve_form(hp_device *D, const hp_krylov_options *opt, const hp_gh *A);

/* Completes *a and launches a kernel that takes it, in the stream, with shared memory for as many owner-local vectors
 * as fit (core/team/local.h), or for none with an external preconditioner. */
hp_status hp_solve_launch(hp_device *D, const void *kernel, hp_solve_args *a, bool external) HP_MUST_USE;

#endif
