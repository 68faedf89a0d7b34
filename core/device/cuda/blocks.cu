/* See core/device/cuda/blocks.cuh. */
#include "core/device/cuda/blocks.cuh"

#include "core/device/cuda/device_impl.cuh"

enum { SHARED_DEFAULT = 40 * 1024 /* [bytes] more must be asked for; static shared memory counts, too */ };

/* GPUs that run blocks of a launch. */
static int gpus_of(const hp_device *D, const hp_blocks_launch *L) {
  return L->one_gpu || L->blocks < D->gpus ? 1 : D->gpus;
}

/* Blocks, of which each GPU has room for its share at once if they must be resident. */
static hp_status count_blocks(hp_device *D, const hp_blocks_launch *L, int gpus, int64_t *blocks) {
  int fits = 0;
  *blocks = L->blocks;
  if (!L->resident) return HP_OK;
  HP_TRY(hp_device_check(D, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fits, L->kernel, L->threads, L->shared),
                         L->what));
  const int64_t most = (int64_t)fits * D->multiprocessors * gpus;
  if (*blocks > most) *blocks = most;
  return HP_OK;
}

static cudaError_t allow_shared(const hp_blocks_launch *L) {
  if (L->shared <= SHARED_DEFAULT) return cudaSuccess;
  return cudaFuncSetAttribute(L->kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)L->shared);
}

static cudaError_t launch_share(hp_device *D, int g, int gpus, const hp_blocks_launch *L, int64_t blocks) {
  const int64_t first = blocks * g / gpus, count = blocks * (g + 1) / gpus - first;
  hp_blocks share = {first, blocks};
  hp_device_gpu_launch launch = {L->kernel, L->arguments, L->threads, (int)count, L->shared, L->resident};
  L->arguments[0] = &share;
  return hp_device_launch_on(D, g, &launch);
}

static cudaError_t run(hp_device *D, const hp_blocks_launch *L, int gpus, int64_t blocks) {
  cudaError_t e = gpus > 1 ? hp_device_fork(D) : cudaSuccess;
  for (int g = 0; g < gpus && e == cudaSuccess; ++g) {
    if (g > 0) e = cudaSetDevice(D->gpu[g].ordinal);
    if (e == cudaSuccess) e = allow_shared(L);
    if (e == cudaSuccess) e = launch_share(D, g, gpus, L, blocks);
  }
  return gpus > 1 ? hp_device_join(D, e) : e;
}

hp_status hp_blocks_run(hp_device *D, const hp_blocks_launch *L) {
  const int gpus = gpus_of(D, L);
  int64_t blocks = 0;
  if (L->blocks <= 0) return HP_OK;
  if (D->lost) return hp_device_check(D, cudaSuccess, L->what);
  if (L->blocks > INT32_MAX) return hp_fail(HP_ERR_UNSUPPORTED, "%s: too many rows for a launch", L->what);
  HP_TRY(count_blocks(D, L, gpus, &blocks));
  hp_device_count_launches(D, 1);
  return hp_device_check(D, run(D, L, gpus, blocks), L->what);
}
