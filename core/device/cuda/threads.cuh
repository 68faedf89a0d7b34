/* Kernels without barriers with the team's loops (core/team/cuda/loops.cuh). Several GPUs run as many blocks each, and
 * a loop over cells or rows runs where their memory lies; short loops run on the first GPU alone.
 *
 *     __global__ void scale_kernel(const __grid_constant__ hp_team_grid grid, int64_t n, double *x) {
 *       hp_team t = hp_team_of_grid(&grid);
 *       HP_TEAM_FOR(&t, i, n) x[i] *= 2.0;
 *     }
 *
 * core/device/cuda/blocks.cuh has kernels whose blocks are numbered over all GPUs.
 */
#ifndef HP_CORE_DEVICE_CUDA_THREADS_CUH
#define HP_CORE_DEVICE_CUDA_THREADS_CUH

#include "core/device/device.h"

struct hp_threads_launch {
  const void *kernel;
  int64_t items,
      blocks; /* of the loop; of all GPUs together. No more items than one_gpu_rows (hp_device_shape): the first GPU's */
  int threads;   /* of a block */
  size_t shared; /* [bytes] a block */
  void **arguments;
  hp_team_grid *grid;   /* among the arguments: becomes the GPU's; afterwards that of the first GPU alone */
  int64_t *begin, *end; /* among the arguments, or NULL: become the GPU's share of the items, cut as an owned loop is */
  const char *what;     /* is being done, for errors */
};

HP_EXTERN_C_BEGIN

/* Puts the launch into the device's stream without waiting for it or counting it. */
hp_status hp_threads_run(hp_device *D, const hp_threads_launch *L) HP_MUST_USE;

HP_EXTERN_C_END

#if defined(__CUDACC__)

/* A thread's place among those of all GPUs. */
HP_INLINE __device__ hp_team hp_team_of_grid(const hp_team_grid *G) {
  hp_team t = hp_team_of_threads();
  if (G->gpus <= 1) return t;
  t.grid = G;
  hp_team_place(&t, G->gpu, G->gpus);
  return t;
}

#endif

#endif
