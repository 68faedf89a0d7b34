/* The indices of a loop that a thread has.
 *
 * Owned loops: chunk 8 g + w of group g belongs to warp w of a set of 8 warps; groups go round the blocks, so that
 * a small system is spread over all multiprocessors. Thread l of the warp has the indices 2l and 2l+1 of every 64.
 * Free loops: a grid stride over the indices of the thread's GPU.
 * Of several GPUs each has consecutive groups of chunks, and consecutive indices of a free loop.
 */
#ifndef HP_CORE_TEAM_CUDA_LOOPS_CUH
#define HP_CORE_TEAM_CUDA_LOOPS_CUH

#include "core/team/cuda/grid.cuh"
#include "core/team/share.h"

#if defined(__CUDACC__)

HP_INLINE __device__ hp_cut hp_team_gpu_share(const hp_team *t, hp_cut c) {
  if (t->gpus <= 1) return c;
  const int from = hp_cut_share(&c, t->grid->gpu, t->grid->gpus),
            end = hp_cut_share(&c, t->grid->gpu + 1, t->grid->gpus);
  c.from = from;
  c.chunks = end < c.chunks ? end : c.chunks;
  return c;
}

/* Things begin .. end-1 for this GPU's members: each takes those numbered rank, rank + size, ... from begin on. */
struct hp_team_share {
  int64_t begin, end;
  int rank, size; /* among the members that take part, and how many */
};

/* This GPU's part of n things in a free loop: all on one GPU; on several consecutive ones in its memory, shared as
 * `rows` indices of an owned loop. light: the first GPU takes as many as its warps do in one turn. */
HP_INLINE __device__ hp_team_share hp_team_share_of(const hp_team *t, int64_t n, int64_t rows, bool light) {
  hp_team_share p = {0, n, t->rank, t->size};
#if !defined(HP_CONSTANT_N) /* kernels compiled for one matrix are for one GPU */
  if (t->gpus <= 1) return p;
  const int gpu = t->grid->gpu, gpus = t->gpus;
  p.rank = (int)((threadIdx.x >> 5) * gridDim.x + blockIdx.x) * 32 + (int)(threadIdx.x & 31);
  p.size = (int)(gridDim.x * blockDim.x);
  const bool few = light && n <= p.size / 32;
  p.begin = few ? (gpu == 0 ? 0 : n) : hp_cut_share_free(n, rows, gpu, gpus);
  p.end = few ? n : hp_cut_share_free(n, rows, gpu + 1, gpus);
#endif
  return p;
}

/* This GPU's part of a loop whose members have one index each: whole warps of neighbouring indices. */
HP_INLINE __device__ hp_team_share hp_team_share_free(const hp_team *t, int64_t n) {
  hp_team_share p = hp_team_share_of(t, (n + 31) / 32, n, true);
  p.begin *= 32;
  p.end = 32 * p.end < n ? 32 * p.end : n;
  return p;
}

/* The member's place among those of `gpus` GPUs, of which this is number `gpu`. */
static __device__ __forceinline__ void hp_team_place(hp_team *t, int gpu, int gpus) {
  const int warp = threadIdx.x >> 5, block = gpu * gridDim.x + blockIdx.x, blocks = gpus * gridDim.x;
  t->rank = (warp * blocks + block) * 32 + (threadIdx.x & 31); /* small loops use all multiprocessors */
  t->size = blocks * blockDim.x;
  t->gpus = gpus;
}

/* Warps of the team, numbered so that consecutive ones run on different multiprocessors. */
static __device__ __forceinline__ int hp_team_warp(const hp_team *t) { return t->rank >> 5; }
static __device__ __forceinline__ int hp_team_warps(const hp_team *t) { return t->size >> 5; }
/* Blocks of the team; a team of separate kernels (linsolve/krylov/host_driven/execution.cuh) has no grid. */
static __device__ __forceinline__ int hp_team_block(const hp_team *t) {
  return t->grid == NULL ? (int)blockIdx.x : (int)(t->grid->gpu * gridDim.x + blockIdx.x);
}

/* The threads of a kernel that has no barrier: for loops over indices alone. */
HP_INLINE __device__ hp_team hp_team_of_threads(void) {
  hp_team t = {};
  t.rank = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  t.size = (int)(gridDim.x * blockDim.x);
  t.lane = (int)threadIdx.x & 31;
  return t;
}

#endif /* __CUDACC__ */

#endif
