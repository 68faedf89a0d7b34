/* The team on a GPU: the grid of one cooperative kernel, one member per thread.
 *
 *     HP_TEAM_KERNEL(my_kernel, my_args, my_team_program(&t, &a));
 *     HP_TRY(hp_team_launch(D, (const void *)my_kernel, &args, "what it does"));
 *
 * The same names as in core/team/team.h: HP_TEAM_FOR, HP_TEAM_REDUCE, hp_team_sync,
 * hp_team_sum, hp_team_max. A block is a multiple of 8 warps, so that a group
 * of chunks is summed on chip. Ownership (owned loops): chunk 8 g + w of group g
 * belongs to warp w of a set of 8 warps; groups go round the blocks, so that
 * a small system is spread over all multiprocessors. Thread l of the warp has
 * the indices 2l and 2l+1 of every 64.
 *
 * The barrier (hp_barrier_kind in core/team/barrier.h): the threads of a block meet,
 * one signals for the block, waits, and the block goes on. A release fence
 * before the signal and an acquire fence after the wait make what was written
 * before visible after. Waiting is limited in time: the block that waited too
 * long records the place, and all others stop waiting.
 *
 * Several GPUs of a host: each runs the kernel with as many blocks, and the team is all of them (hp_team_links).
 * Ownership: each GPU has consecutive groups of chunks. The barrier is that of the counter. The block that signals last on
 * its GPU writes a flag into the memory of every GPU, its own too, at system scope, and all blocks watch the flags in their
 * GPU's memory. Sums of groups are written to every GPU's memory, so that each adds them up from its own. The first
 * GPU's own barrier (hp_team_first_sync) has a counter of its own, so that the others need not know how often it was passed.
 */
#ifndef HP_CORE_TEAM_CUDA_TEAM_CUH
#define HP_CORE_TEAM_CUDA_TEAM_CUH

#include <cuda_runtime.h>
#if defined(__CUDACC_RTC__) || defined(HP_WITHOUT_COOPERATIVE_GROUPS)
#define HP_COOPERATIVE_BARRIER() __trap() /* kernels compiled at run time have one of the team's own barriers */
#else
#include <cooperative_groups.h>
#define HP_COOPERATIVE_BARRIER() cooperative_groups::this_grid().sync()
#endif

#include "core/team/barrier.h"
#if defined(HP_DEVICE_RANKS)
#include "core/ranks/cuda/exact.cuh"
#endif

struct hp_exact;

enum { HP_LINK_STRIDE = 32 /* words between the flags of GPUs */ };

/* Shared between all kernels of a device, in its memory. */
struct hp_team_grid_state {
  unsigned counter, counter_base, root, go, generation;
  unsigned first_counter, first_count; /* the first GPU's own barrier; what it has reached */
  int broken;
  long long barriers;
};

/* Report on a broken team, in the host's memory. */
struct hp_team_grid_post {
  volatile int broken, gpu; /* gpu: which one of the team waited */
  volatile int missing; /* 1 and more: the one that it waited for has this number, counted from 1; 0: its own blocks */
  volatile long long barriers;
  volatile char place[120];
};

enum { HP_LEAF_STRIDE = 32 /* words between the counters of a tree's leaves */ };

/* Where each GPU of a team has its part of what they share; every GPU has a copy. */
struct hp_team_links {
  struct hp_team_grid_state *state[HP_GPUS_MAX];
  unsigned *flag[HP_GPUS_MAX]; /* [gpus * HP_LINK_STRIDE]: flag k is written by GPU k */
  double *partial[HP_GPUS_MAX], *max[HP_GPUS_MAX];
  long long *argmax[HP_GPUS_MAX];
};

struct hp_team_grid {
  struct hp_team_grid_state *state;
  struct hp_team_grid_post *post;
  unsigned *arrive, *depart, *leaf;  /* [blocks], [blocks], [leaves * HP_LEAF_STRIDE] */
  double *partial;                   /* [2][HP_SUMS_MAX][HP_GROUPS_MAX] */
  double *max;                       /* [2][blocks of all GPUs] */
  long long *argmax;                 /* [2][blocks of all GPUs] */
  const struct hp_team_links *links; /* NULL: one GPU */
  int gpu, gpus;                     /* which of how many */
#if defined(HP_CONSTANT_BARRIER)
  /* constants of a kernel compiled for one matrix (linsolve/stencil/stencil.h), in the places of the host's variables */
  static constexpr int barrier = HP_CONSTANT_BARRIER;
  int place;
#else
  int barrier;
#endif
  int delay, leaf_size;
  int slots; /* chunks of a block's warps in any loop: of the shared memory */
  unsigned shake;
  unsigned long long time_limit;    /* [ns] */
  long long part_cells, part_chunk; /* of a rank's part: its cells, those of a chunk (core/ranks/part.h) */
  struct hp_exact *exact;           /* [HP_SUMS_MAX] what its sums are added to */
};

enum { HP_BLOCK_MAX = 1024 };

/* Threads of a block. Few with many registers each: a pass over a matrix has all loads of a cell in flight at once
 * (84 registers), and fewer warps meet at a barrier. */
enum { HP_TEAM_THREADS = 256 };

/* The block's shared memory: hp_team_grid_shared, then [slots][HP_SUMS_MAX] sums of chunks, then what a kernel asks for,
 * all of them in whole pairs of numbers. */
struct alignas(16) hp_team_grid_shared {
  hp_team_grid grid;
  double sum[HP_SUMS_MAX];
  double max[HP_BLOCK_MAX / 32];
  long long argmax[HP_BLOCK_MAX / 32];
};

static inline size_t hp_team_shared_bytes(int slots) {
  return sizeof(struct hp_team_grid_shared) + (size_t)slots * HP_SUMS_MAX * sizeof(double);
}

#if defined(__CUDACC__)

extern __shared__ __align__(16) unsigned char hp_shared_memory[];

static __device__ __forceinline__ hp_team_grid_shared *hp_shared() { return (hp_team_grid_shared *)hp_shared_memory; }
static __device__ __forceinline__ double *hp_shared_chunks() {
  return (double *)(hp_shared_memory + sizeof(hp_team_grid_shared));
}
/* Shared memory after the team's own; 16-byte aligned. */
static __device__ __forceinline__ void *hp_shared_rest(const hp_team *t) {
  return hp_shared_chunks() + t->slots * HP_SUMS_MAX;
}

static __device__ __forceinline__ unsigned hp_load_acquire(const unsigned *p) {
  unsigned v;
  asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
  return v;
}
static __device__ __forceinline__ void hp_count_release(unsigned *p) {
  asm volatile("red.release.gpu.global.add.u32 [%0], 1;" ::"l"(p) : "memory");
}
static __device__ __forceinline__ void hp_store_release(unsigned *p, unsigned v) {
  asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(p), "r"(v) : "memory");
}
/* Between GPUs. */
static __device__ __forceinline__ unsigned hp_load_acquire_system(const unsigned *p) {
  unsigned v;
  asm volatile("ld.acquire.sys.global.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
  return v;
}
static __device__ __forceinline__ void hp_store_system(unsigned *p, unsigned v) {
  asm volatile("st.relaxed.sys.global.u32 [%0], %1;" ::"l"(p), "r"(v) : "memory");
}
static __device__ __forceinline__ unsigned hp_add_release(unsigned *p, unsigned v) {
  unsigned old;
  asm volatile("atom.add.acq_rel.gpu.global.u32 %0, [%1], %2;" : "=r"(old) : "l"(p), "r"(v) : "memory");
  return old;
}
static __device__ __forceinline__ unsigned long long hp_global_ns() {
  unsigned long long t;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
  return t;
}

HP_INLINE __device__ hp_cut hp_team_own(const hp_team *t, hp_cut c) {
  if (t->gpus <= 1) return c;
  const int from = hp_cut_share(&c, t->grid->gpu, t->grid->gpus),
            end = hp_cut_share(&c, t->grid->gpu + 1, t->grid->gpus);
  c.from = from;
  c.chunks = end < c.chunks ? end : c.chunks;
  return c;
}

/* Things begin .. end-1 that this GPU's members take in turns: first those of numbers rank, rank + size, ... from begin on. */
struct hp_team_part {
  int64_t begin, end;
  int rank, size; /* among the members that take part, and how many */
};

/* This GPU's part of n things in a free loop: of one GPU all, of several consecutive ones, whose memory lies there. light: as
 * many as one GPU's warps take in one turn are the first GPU's. */
HP_INLINE __device__ hp_team_part hp_team_part_of(const hp_team *t, int64_t n, bool light) {
  hp_team_part p = {0, n, t->rank, t->size};
#if !defined(HP_CONSTANT_N) /* kernels compiled for one matrix are for one GPU */
  if (t->gpus <= 1) return p;
  const int gpu = t->grid->gpu, gpus = t->gpus;
  p.rank = (int)((threadIdx.x >> 5) * gridDim.x + blockIdx.x) * 32 + (int)(threadIdx.x & 31);
  p.size = (int)(gridDim.x * blockDim.x);
  const bool few = light && n <= p.size / 32;
  p.begin = few ? (gpu == 0 ? 0 : n) : n * gpu / gpus;
  p.end = few ? n : n * (gpu + 1) / gpus;
#endif
  return p;
}

/* Of a loop whose members take one index each: whole warps of neighbouring indices. */
HP_INLINE __device__ hp_team_part hp_team_part_free(const hp_team *t, int64_t n) {
  hp_team_part p = hp_team_part_of(t, (n + 31) / 32, true);
  p.begin *= 32;
  p.end = 32 * p.end < n ? 32 * p.end : n;
  return p;
}

/* Whether a wait that began at *since (0: now) goes on; missing: see the post. Of several GPUs the one that waits for another
 * reports first: its other blocks have begun to wait before, and wait a little longer. */
static __device__ __noinline__ bool hp_team_grid_may_wait(const hp_team_grid *G, unsigned long long *since,
                                                          const char *place, int missing) {
  if (*(volatile int *)&G->state->broken) return false;
  if (G->links != NULL)
    for (int g = 0; g < G->gpus; ++g)
      if (*(volatile int *)&G->links->state[g]->broken) return false;
  const unsigned long long now = hp_global_ns();
  if (*since == 0) *since = now;
  const unsigned long long more = G->links != NULL && missing == 0 ? G->time_limit / 8 : 0;
  if (now - *since < G->time_limit + more) return true;
  if (atomicExch(&G->state->broken, 1) == 0) {
    for (int c = 0; c < (int)sizeof G->post->place - 1 && place[c] != 0; ++c) G->post->place[c] = place[c];
    G->post->gpu = G->gpu;
    G->post->missing = missing;
    __threadfence_system();
    G->post->broken = 1;
    __threadfence_system();
  }
  return false;
}

/* A lane waits until *word has reached `value` (numbers wrap). */
static __device__ __forceinline__ void hp_team_grid_watch(const hp_team_grid *G, const unsigned *word, unsigned value,
                                                          const char *place) {
  unsigned long long since = 0;
  for (unsigned n = 1; (int)(hp_load_acquire(word) - value) < 0; ++n) {
    if (G->delay > 0) __nanosleep((unsigned)G->delay);
    if (n % 1024 == 0 && !hp_team_grid_may_wait(G, &since, place, 0)) return;
  }
}

/* ---- of several GPUs ---- */

/* By the thread that signalled last on its GPU: all of its blocks have. What they wrote is visible to it, and so to
 * whoever sees the flag. */
static __device__ __noinline__ void hp_team_gpus_signal(const hp_team_grid *G, unsigned generation) {
  __threadfence_system();
  for (int g = 0; g < G->gpus; ++g) hp_store_system(&G->links->flag[g][G->gpu * HP_LINK_STRIDE], generation);
}

/* By warp 0 of a block: the blocks of all GPUs have signalled. A lane watches a GPU's flag. */
static __device__ __noinline__ void hp_team_gpus_await(const hp_team_grid *G, unsigned generation, const char *place) {
  const int lane = threadIdx.x;
  if (lane < G->gpus) {
    const unsigned *word = &G->links->flag[G->gpu][lane * HP_LINK_STRIDE];
    unsigned long long since = 0;
    for (unsigned n = 1; (int)(hp_load_acquire_system(word) - generation) < 0; ++n) {
      if (G->delay > 0) __nanosleep((unsigned)G->delay);
      if (n % 1024 == 0 && !hp_team_grid_may_wait(G, &since, place, lane == G->gpu ? 0 : lane + 1)) break;
    }
  }
  __syncwarp();
}

/* Tests: a pseudo-random pause of this block. */
static __device__ __noinline__ void hp_team_grid_pause(const hp_team_grid *G, unsigned generation) {
  unsigned x = G->shake * 0x9e3779b9u + generation * 0x85ebca6bu + blockIdx.x * 0xc2b2ae35u;
  x = (x ^ (x >> 16)) * 0x7feb352du;
  x = (x ^ (x >> 15)) * 0x846ca68bu;
  x ^= x >> 16;
  if (x % 8 == 0) __nanosleep(x % 20000);
}

/* Signals for the block; by warp 0, after the block's threads met. count: what the counter barrier reaches. Not for
 * cooperative groups. */
static __device__ __noinline__ void hp_team_grid_signal(const hp_team_grid *G, unsigned generation, unsigned count) {
  if (G->shake != 0) hp_team_grid_pause(G, generation);
  if (threadIdx.x != 0) return;
  switch (G->barrier) {
    case HP_BARRIER_COUNTER:
      if (G->links == NULL) hp_count_release(&G->state->counter);
      else if (hp_add_release(&G->state->counter, 1) + 1 == count) hp_team_gpus_signal(G, generation);
      break;
    case HP_BARRIER_FLAGS:
    case HP_BARRIER_MESH: hp_store_release(&G->arrive[blockIdx.x], generation); break;
    case HP_BARRIER_TREE: {
      const unsigned leaf = blockIdx.x / G->leaf_size, leaves = (gridDim.x + G->leaf_size - 1) / G->leaf_size;
      const unsigned members = leaf + 1 < leaves ? G->leaf_size : gridDim.x - leaf * G->leaf_size;
      /* counts start from zero with every kernel; `go` goes on */
      if (hp_add_release(&G->leaf[leaf * HP_LEAF_STRIDE], 1) + 1 != members) break;
      G->leaf[leaf * HP_LEAF_STRIDE] = 0;
      if (hp_add_release(&G->state->root, 1) + 1 != leaves) break;
      G->state->root = 0;
      hp_store_release(&G->state->go, generation);
      break;
    }
    default: break;
  }
}

static __device__ __forceinline__ unsigned hp_team_grid_count(const hp_team *t) {
  return t->counter_base + t->generation * gridDim.x;
}

/* Waits for the blocks; by warp 0. The block's threads must meet after it. */
static __device__ __noinline__ void hp_team_grid_await(const hp_team_grid *G, unsigned generation, unsigned count,
                                                       const char *place) {
  const int lane = threadIdx.x;
  switch (G->barrier) {
    case HP_BARRIER_COUNTER:
      if (G->links != NULL) hp_team_gpus_await(G, generation, place);
      else if (lane == 0) hp_team_grid_watch(G, &G->state->counter, count, place);
      break;
    case HP_BARRIER_FLAGS:
      if (blockIdx.x == 0) {
        for (int b = lane; b < (int)gridDim.x; b += 32) hp_team_grid_watch(G, &G->arrive[b], generation, place);
        __syncwarp();
        for (int b = lane; b < (int)gridDim.x; b += 32) hp_store_release(&G->depart[b], generation);
      } else if (lane == 0) {
        hp_team_grid_watch(G, &G->depart[blockIdx.x], generation, place);
      }
      break;
    case HP_BARRIER_MESH:
      for (int b = lane; b < (int)gridDim.x; b += 32) hp_team_grid_watch(G, &G->arrive[b], generation, place);
      break;
    case HP_BARRIER_TREE:
      if (lane == 0) hp_team_grid_watch(G, &G->state->go, generation, place);
      break;
    default: break;
  }
}

/* ---- entering and leaving a kernel ---- */

/* The member's place among those of `gpus` GPUs, of which this is number `gpu`. */
static __device__ __forceinline__ void hp_team_place(hp_team *t, int gpu, int gpus) {
  const int warp = threadIdx.x >> 5, block = gpu * gridDim.x + blockIdx.x, blocks = gpus * gridDim.x;
  t->rank = (warp * blocks + block) * 32 + (threadIdx.x & 31); /* small loops use all multiprocessors */
  t->size = blocks * blockDim.x;
  t->gpus = gpus;
}

/* Also copies what the team needs to know into shared memory: a kernel's arguments, read through a pointer, come
 * from L2 again after every barrier. */
static __device__ __forceinline__ void hp_team_enter(hp_team *t, const hp_team_grid *arguments) {
  if (threadIdx.x == 0) hp_shared()->grid = *arguments;
  __syncthreads();
  const hp_team_grid *G = &hp_shared()->grid;
  const int warp = threadIdx.x >> 5, warps = blockDim.x >> 5, sets = warps / HP_GROUP;
  hp_team_place(t, G->gpu, G->gpus);
  t->hub = NULL;
  t->split_at = t->split_n = 0;
  t->turn = 0;
  t->generation = G->state->generation;
  t->first_generation = G->state->first_count;
  t->counter_base = G->state->counter_base - t->generation * gridDim.x;
  t->sums = 0;
  t->barriers = 0;
  t->sweep = 0;
  t->partial[0] = G->partial;
  t->partial[1] = G->partial + HP_SUMS_MAX * HP_GROUPS_MAX;
  t->grid = G;
  t->lane = threadIdx.x & 31;
  t->chunk = ((warp / HP_GROUP) * gridDim.x + blockIdx.x) * HP_GROUP + warp % HP_GROUP;
  t->chunk_step = gridDim.x * sets * HP_GROUP;
  t->slot = warp;
  t->slot_step = warps;
  t->slots = G->slots;
  t->reduce_count = 0;
  t->reduce_n = 0;
  t->summed = 0;
}

static __device__ __forceinline__ void hp_team_leave(hp_team *t) {
  if (blockIdx.x != 0 || threadIdx.x != 0) return;
  const hp_team_grid *G = t->grid;
  G->state->generation = t->generation;
  G->state->first_count = t->first_generation;
  G->state->counter_base = G->barrier == HP_BARRIER_COUNTER ? hp_team_grid_count(t) : G->state->counter_base;
  G->state->barriers += t->barriers;
  if (G->gpu == 0) G->post->barriers = G->state->barriers;
}

/* ---- barrier ---- */

static __device__ __forceinline__ void hp_team_grid_arrive(hp_team *t) {
  t->generation += 1;
  t->barriers += 1;
  __syncthreads();
  if (threadIdx.x < 32) hp_team_grid_signal(t->grid, t->generation, hp_team_grid_count(t));
}

static __device__ __noinline__ void hp_team_grid_cooperative() { HP_COOPERATIVE_BARRIER(); }

static __device__ __forceinline__ void hp_team_grid_sync(hp_team *t, const char *place) {
  const hp_team_grid *G = t->grid;
  if (G->barrier == HP_BARRIER_COOPERATIVE) {
    t->generation += 1;
    t->barriers += 1;
    hp_team_grid_cooperative();
    return;
  }
  hp_team_grid_arrive(t);
  if (threadIdx.x < 32) hp_team_grid_await(G, t->generation, hp_team_grid_count(t), place);
  __syncthreads();
}

/* ---- on the first of several GPUs ---- */

static __device__ __forceinline__ bool hp_team_grid_first_begin(hp_team *t) {
#if !defined(HP_CONSTANT_N) /* kernels compiled for one matrix are for one GPU */
  if (t->gpus <= 1) return true;
  if (t->grid->gpu != 0) return false;
  hp_team_place(t, 0, 1);
#endif
  return true;
}

static __device__ __forceinline__ void hp_team_grid_first_end(hp_team *t) {
#if !defined(HP_CONSTANT_N)
  if (t->grid->gpus > 1) hp_team_place(t, t->grid->gpu, t->grid->gpus);
#endif
}

static __device__ __noinline__ void hp_team_grid_first_await(const hp_team_grid *G, unsigned count, const char *place) {
  if (G->shake != 0) hp_team_grid_pause(G, count);
  if (threadIdx.x != 0) return;
  hp_count_release(&G->state->first_counter);
  hp_team_grid_watch(G, &G->state->first_counter, count, place);
}

static __device__ __forceinline__ void hp_team_grid_first_sync(hp_team *t, const char *place) {
  if (t->gpus > 1 || t->grid->gpus == 1) {
    hp_team_grid_sync(t, place);
    return;
  }
  t->first_generation += gridDim.x;
  t->barriers += 1;
  __syncthreads();
  if (threadIdx.x < 32) hp_team_grid_first_await(t->grid, t->first_generation, place);
  __syncthreads();
}

/* ---- sums ---- */

#if defined(HP_DEVICE_RANKS)

/* Chunks of whole columns, as a rank of the CPU has them (hp_team_cut). */
static __device__ __forceinline__ hp_cut hp_team_rank_cut(const hp_team *t, int64_t n) {
  hp_cut c;
  c.total = n;
  c.at = n == t->split_n ? t->split_at : n;
  c.length = t->grid->part_chunk * (c.at / t->grid->part_cells);
  c.few = 1;
  c.first = (int)((c.at + c.length - 1) / c.length);
  c.chunks = c.first + (int)(n - c.at);
  c.from = 0;
  return c;
}

/* Adds a chunk's sums exactly. */
template <int count>
static __device__ __forceinline__ void hp_team_rank_sums(const hp_team *t, double (&acc)[count][2]) {
#pragma unroll
  for (int k = 0; k < count; ++k) {
    double v = acc[k][0] + acc[k][1];
#pragma unroll
    for (int apart = 16; apart > 0; apart >>= 1) v += __shfl_down_sync(0xffffffffu, v, apart);
    if ((threadIdx.x & 31) == 0) hp_exact_add_cuda(&t->grid->exact[t->summed + k], v);
  }
}

/* hp_team_sum of these: to be made by the host. */
static __device__ __forceinline__ void hp_team_rank_sum(hp_team *t, int count, double *out, const char *place) {
  hp_team_grid_sync(t, place);
  t->summed += count;
  for (int k = 0; k < count; ++k) out[k] = 0.0;
}

#endif

/* Clears the places of this warp's sums; returns the first. */
static __device__ __forceinline__ int hp_team_reduce_start(hp_team *t, int64_t n, int count) {
  t->reduce_n = n;
  t->reduce_count = count;
  if (t->lane < HP_SUMS_MAX)
    for (int s = t->slot; s < t->slots; s += t->slot_step) hp_shared_chunks()[s * HP_SUMS_MAX + t->lane] = 0.0;
  __syncwarp();
  return t->slot;
}

template <int count>
static __device__ __forceinline__ void hp_team_warp_sums(int slot, double (&acc)[count][2]) {
#pragma unroll
  for (int k = 0; k < count; ++k) {
    double v = acc[k][0] + acc[k][1];
#pragma unroll
    for (int apart = 16; apart > 0; apart >>= 1) v += __shfl_down_sync(0xffffffffu, v, apart);
    if ((threadIdx.x & 31) == 0) hp_shared_chunks()[slot * HP_SUMS_MAX + k] = v;
  }
}

/* Warp 0: the sums of the block's groups, `first` .. `end`-1 in steps of the grid, to each of the copies at `offset`. */
static __device__ __noinline__ void hp_team_grid_groups(double *const *copy, int copies, int offset, int count,
                                                        int first, int end, int slots) {
  const int k = threadIdx.x & 7, warps = blockDim.x >> 5, sets = warps / HP_GROUP;
  const double *chunk = hp_shared_chunks();
  if (k >= count) return;
  for (int set = threadIdx.x >> 3; set < slots / HP_GROUP; set += 4) {
    const int round = set / sets, g = first + (round * sets + set % sets) * gridDim.x + blockIdx.x;
    if (g >= end) continue;
    double p[HP_GROUP];
    for (int c = 0; c < HP_GROUP; ++c) p[c] = chunk[(round * warps + (set % sets) * HP_GROUP + c) * HP_SUMS_MAX + k];
    const double sum = hp_sum_group(p);
    for (int n = 0; n < copies; ++n) copy[n][offset + k * HP_GROUPS_MAX + g] = sum;
  }
}

/* Warp k < count: the sum number k of all groups, to the block's shared memory. */
static __device__ __forceinline__ void hp_team_grid_totals(const double *partial, int count, int groups) {
  const int k = threadIdx.x >> 5, lane = threadIdx.x & 31;
  if (k >= count) return;
  double part[(HP_GROUPS_MAX + 31) / 32], v = 0.0;
#pragma unroll
  for (int j = 0; j < (HP_GROUPS_MAX + 31) / 32; ++j)
    part[j] = lane + 32 * j < groups ? __ldcg(&partial[k * HP_GROUPS_MAX + lane + 32 * j]) : 0.0;
#pragma unroll
  for (int j = 0; j < (HP_GROUPS_MAX + 31) / 32; ++j)
    if (lane + 32 * j < groups) v += part[j];
#pragma unroll
  for (int apart = 16; apart > 0; apart >>= 1) v += __shfl_down_sync(0xffffffffu, v, apart);
  if (lane == 0) hp_shared()->sum[k] = v;
}

static __device__ __forceinline__ int hp_team_grid_group_count(const hp_team *t, int64_t n) {
  return (hp_team_cut(t, n).chunks + HP_GROUP - 1) / HP_GROUP;
}

static __device__ __forceinline__ void hp_team_grid_sum_begin(hp_team *t) {
  const hp_team_grid *G = t->grid;
  t->generation += 1;
  t->barriers += 1;
  const hp_cut cut = hp_team_cut_own(t, t->reduce_n);
  __syncthreads();
  if (threadIdx.x < 32) {
    hp_team_grid_groups(G->links == NULL ? &G->partial : G->links->partial, G->gpus,
                        (int)(t->sums & 1u) * HP_SUMS_MAX * HP_GROUPS_MAX, t->reduce_count, cut.from / HP_GROUP,
                        (cut.chunks + HP_GROUP - 1) / HP_GROUP, t->slots);
    __syncwarp();
    if (G->barrier != HP_BARRIER_COOPERATIVE) hp_team_grid_signal(G, t->generation, hp_team_grid_count(t));
  }
}

static __device__ __forceinline__ void hp_team_grid_sum_end(hp_team *t, int64_t n, int count, double *out,
                                                            const char *place) {
  const hp_team_grid *G = t->grid;
  const double *partial = t->partial[t->sums & 1u];
  if (G->barrier == HP_BARRIER_COOPERATIVE) hp_team_grid_cooperative();
  const int groups = hp_team_grid_group_count(t, n);
  if (G->barrier != HP_BARRIER_COOPERATIVE) {
    if (threadIdx.x < 32) hp_team_grid_await(G, t->generation, hp_team_grid_count(t), place);
    __syncthreads();
  }
  hp_team_grid_totals(partial, count, groups);
  __syncthreads();
  t->sums += 1;
#pragma unroll
  for (int k = 0; k < HP_SUMS_MAX; ++k)
    if (k < count) out[k] = hp_shared()->sum[k];
}

/* ---- the largest value ---- */

/* The better of two: the larger, at equality the smaller index; index < 0 loses. */
static __device__ __forceinline__ void hp_max_of(double *v, long long *at, double v2, long long at2) {
  if (at2 >= 0 && (*at < 0 || v2 > *v || (v2 == *v && at2 < *at))) {
    *v = v2;
    *at = at2;
  }
}

static __device__ __forceinline__ void hp_max_warp(double *v, long long *at) {
#pragma unroll
  for (int apart = 16; apart > 0; apart >>= 1) {
    const double v2 = __shfl_down_sync(0xffffffffu, *v, apart);
    const long long at2 = __shfl_down_sync(0xffffffffu, *at, apart);
    hp_max_of(v, at, v2, at2);
  }
}

static __device__ __forceinline__ void hp_team_grid_max(hp_team *t, double value, int64_t index, double *max,
                                                        int64_t *argmax, const char *place) {
  const hp_team_grid *G = t->grid;
  hp_team_grid_shared *s = hp_shared();
  const int warp = threadIdx.x >> 5, warps = blockDim.x >> 5;
  const unsigned blocks = gridDim.x * G->gpus, at = (t->sums & 1u) * blocks,
                 here = at + G->gpu * gridDim.x + blockIdx.x;
  double v = value;
  long long i = index;
  hp_max_warp(&v, &i);
  if (t->lane == 0) {
    s->max[warp] = v;
    s->argmax[warp] = i;
  }
  __syncthreads();
  if (threadIdx.x < 32) {
    v = (int)threadIdx.x < warps ? s->max[threadIdx.x] : 0.0;
    i = (int)threadIdx.x < warps ? s->argmax[threadIdx.x] : -1;
    hp_max_warp(&v, &i);
    if (threadIdx.x == 0) {
      G->max[here] = v;
      G->argmax[here] = i;
      for (int g = 0; g < G->gpus && G->links != NULL; ++g) {
        G->links->max[g][here] = v;
        G->links->argmax[g][here] = i;
      }
    }
  }
  hp_team_grid_sync(t, place);
  if (threadIdx.x < 32) {
    v = 0.0;
    i = -1;
    for (unsigned b = threadIdx.x; b < blocks; b += 32)
      hp_max_of(&v, &i, __ldcg(&G->max[at + b]), __ldcg(&G->argmax[at + b]));
    hp_max_warp(&v, &i);
    if (threadIdx.x == 0) {
      s->max[0] = v;
      s->argmax[0] = i;
    }
  }
  __syncthreads();
  v = s->max[0];
  i = s->argmax[0];
  __syncthreads(); /* read, before the next use writes */
  t->sums += 1;
  *max = i >= 0 ? v : 0.0;
  *argmax = i;
}

/* Warps of the team, numbered so that consecutive ones run on different multiprocessors. */
static __device__ __forceinline__ int hp_team_warp(const hp_team *t) { return t->rank >> 5; }
static __device__ __forceinline__ int hp_team_warps(const hp_team *t) { return t->size >> 5; }
/* Blocks of the team; a team of separate kernels (linsolve/krylov/baselines/execution.cuh) has no grid. */
static __device__ __forceinline__ int hp_team_block(const hp_team *t) {
  return t->grid == NULL ? (int)blockIdx.x : (int)(t->grid->gpu * gridDim.x + blockIdx.x);
}
static __device__ __forceinline__ int hp_team_blocks(const hp_team *t) {
  return t->grid == NULL ? (int)gridDim.x : (int)(t->grid->gpus * gridDim.x);
}

/* The threads of a kernel that has no barrier: for loops over indices alone. */
HP_INLINE __device__ hp_team hp_team_of_threads(void) {
  hp_team t = {};
  t.rank = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  t.size = (int)(gridDim.x * blockDim.x);
  t.lane = (int)threadIdx.x & 31;
  return t;
}

/* A kernel of the team: `call` runs team programs on hp_team t with arguments `const args a`. */
#define HP_TEAM_KERNEL(name, args, call)                                                \
  static __global__ void __launch_bounds__(HP_TEAM_THREADS, 2)                          \
      name(const __grid_constant__ hp_team_grid grid, const __grid_constant__ args a) { \
    hp_team t;                                                                          \
    hp_team_enter(&t, &grid);                                                           \
    call;                                                                               \
    hp_team_leave(&t);                                                                  \
  }

#endif /* __CUDACC__ */

#endif
