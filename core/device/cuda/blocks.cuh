/* Kernels without barriers over rows that lie on several GPUs: each GPU runs consecutive blocks of one launch, those
 * whose rows are in its memory (core/device/pages.h).
 *
 *     blocks of the launch      0 . . . . . . . . . . count - 1
 *     GPU                       0 0 0 0 0 0 1 1 1 1 1 1
 *                                           first of GPU 1
 *
 * A kernel's first argument says which blocks are its GPU's; on one GPU these are all.
 */
#ifndef HP_CORE_DEVICE_CUDA_BLOCKS_CUH
#define HP_CORE_DEVICE_CUDA_BLOCKS_CUH

#include "core/device/device.h"

struct hp_blocks {
  int64_t first, count; /* this GPU's first block; blocks of all GPUs */
};

/* A launch of `blocks` blocks. arguments[0] is reserved for hp_blocks. */
struct hp_blocks_launch {
  const void *kernel;
  int64_t blocks;
  int threads;
  size_t shared; /* [bytes] a block */
  bool one_gpu;  /* all blocks on the first GPU */
  bool resident; /* all blocks run at once, because threads wait for each other: at most as many blocks as can */
  void **arguments;
  const char *what; /* is being done, for errors */
};

/* Puts the launch into the device's stream without waiting. */
hp_status hp_blocks_run(hp_device *D, const hp_blocks_launch *L) HP_MUST_USE;

/* The number of this block among those of all GPUs. */
static __device__ __forceinline__ int64_t hp_block(const hp_blocks &b) { return b.first + blockIdx.x; }

static __device__ __forceinline__ bool hp_blocks_are_all(const hp_blocks &b) { return gridDim.x == b.count; }

/* This GPU's share begin .. end-1 of n items. */
struct hp_blocks_share {
  int64_t begin, end;
};
static __device__ __forceinline__ hp_blocks_share hp_blocks_share_of(const hp_blocks &b, int64_t n) {
  if (hp_blocks_are_all(b)) return {0, n};
  return {n * b.first / b.count, n * (b.first + gridDim.x) / b.count};
}

/* Atomic operations on memory that blocks of several GPUs change. */
template <class T>
static __device__ __forceinline__ T hp_blocks_add(const hp_blocks &b, T *at, T v) {
#if defined(__CUDA_ARCH__)
  return hp_blocks_are_all(b) ? atomicAdd(at, v) : atomicAdd_system(at, v);
#else
  return *at;
#endif
}
template <class T>
static __device__ __forceinline__ void hp_blocks_max(const hp_blocks &b, T *at, T v) {
#if defined(__CUDA_ARCH__)
  if (hp_blocks_are_all(b)) atomicMax(at, v);
  else atomicMax_system(at, v);
#endif
}

#endif
