/* A launch of a product with SG-DIA: kernel(args, tiles), for benches and for solves (linsolve/krylov/baselines/matrix.cu). */
#ifndef HP_LINSOLVE_SGDIA_CUDA_LAUNCH_CUH
#define HP_LINSOLVE_SGDIA_CUDA_LAUNCH_CUH

#include "linsolve/sgdia/cuda/args.cuh"
#include "linsolve/sgdia/device.h"

typedef struct hp_sgdia_launch {
  const void *kernel;
  stencil_args args;
  int tiles, blocks, threads;
  size_t shared; /* [bytes] */
} hp_sgdia_launch;

HP_EXTERN_C_BEGIN

/* value, x and y are the device's. 16-byte loads become those of one entry where ld is odd, and x stays in memory where
 * a tile's does not fit. */
hp_sgdia_launch hp_sgdia_launch_of(const hp_sgdia *A, const hp_kernel_shape *shape, int multiprocessors, const void *x,
                                   void *y);

HP_EXTERN_C_END

#endif
