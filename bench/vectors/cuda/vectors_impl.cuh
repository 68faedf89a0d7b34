/* Shared by the files of linsolve/vectors/cuda. */
#ifndef HP_BENCH_VECTORS_CUDA_VECTORS_IMPL_CUH
#define HP_BENCH_VECTORS_CUDA_VECTORS_IMPL_CUH

#include <cuda_runtime.h>

#include "bench/vectors/vectors.h"
#include "core/compile/device.h"
#include "core/device/device.h"
#include "linsolve/vectors/cuda/parts.cuh"

struct hp_vector_kernels {
  hp_device *D;
  hp_vector_streams *streams;
  double *partial;    /* [HP_GROUPS_MAX] sums of groups */
  unsigned *finished; /* blocks that are; 0 between sums */
  /* kernels that are not the build's, by operation, `last` of sums, unroll, loads that are made and `compile`; NULL: not yet */
  hp_compiled *compiled[HP_VECTOR_OPERATIONS][2][HP_KERNEL_UNROLL_MAX + 1][HP_LOADS_COUNT][HP_COMPILE_COUNT];
};

#endif
