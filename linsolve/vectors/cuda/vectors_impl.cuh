/* Shared by the files of linsolve/vectors/cuda. */
#ifndef HP_LINSOLVE_VECTORS_CUDA_VECTORS_IMPL_CUH
#define HP_LINSOLVE_VECTORS_CUDA_VECTORS_IMPL_CUH

#include <cuda_runtime.h>

#include "core/device/device.h"
#include "linsolve/vectors/cuda/parts.cuh"
#include "linsolve/vectors/vectors.h"

struct hp_vector_kernels {
  hp_device *D;
  hp_vector_streams *streams;
  double *partial;    /* [HP_GROUPS_MAX] sums of groups */
  unsigned *finished; /* blocks that are; 0 between sums */
};

#endif
