/* A launch of a product with SG-DIA: kernel(args, tiles), for benches and for solves (linsolve/krylov/host_driven/baselines/matrix.cu). */
#ifndef HP_LINSOLVE_SGDIA_CUDA_LAUNCH_CUH
#define HP_LINSOLVE_SGDIA_CUDA_LAUNCH_CUH

#include "core/compile/device.h"
#include "linsolve/sgdia/cuda/args.cuh"
#include "linsolve/sgdia/device.h"

typedef struct hp_sgdia_launch {
  const void *kernel;
  stencil_args args;
  int tiles, blocks, threads;
  size_t shared; /* [bytes] */
} hp_sgdia_launch;

HP_EXTERN_C_BEGIN

/* The launch of a possible shape, with the build's kernel; value, x and y are the device's. */
hp_sgdia_launch hp_sgdia_launch_of(const hp_sgdia *A, const hp_kernel_shape *shape, int multiprocessors, const void *x,
                                   void *y);

/* The kernel compiled for the shape, or NULL for the build's. HP_ERR_UNSUPPORTED if it cannot be compiled. */
hp_status hp_sgdia_compile(hp_device *D, const hp_sgdia *A, const hp_kernel_shape *shape,
                           hp_compiled **out) HP_MUST_USE;

HP_EXTERN_C_END

#endif
