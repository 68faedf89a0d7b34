/* The barrier of a team on a GPU (hp_barrier_kind in core/team/barrier.h): the threads of a block meet,
 * one signals for the block, waits, and the block goes on. A release fence
 * before the signal and an acquire fence after the wait make what was written
 * before visible after. Waiting is limited in time: the block that waited too
 * long records the place, and all others stop waiting.
 *
 * Several GPUs use the counter's barrier. The block that signals last on its GPU writes a flag into the memory of every
 * GPU, its own too, at system scope, and all blocks watch the flags in their GPU's memory. The first GPU's own barrier
 * (hp_team_first_sync) has its own counter, so that the others need not count it.
 */
#ifndef HP_CORE_TEAM_CUDA_BARRIER_CUH
#define HP_CORE_TEAM_CUDA_BARRIER_CUH

#if defined(__CUDACC_RTC__) || defined(HP_WITHOUT_COOPERATIVE_GROUPS)
#define HP_COOPERATIVE_BARRIER() __trap() /* kernels compiled at run time have one of the team's own barriers */
#else
#include <cooperative_groups.h>
#define HP_COOPERATIVE_BARRIER() cooperative_groups::this_grid().sync()
#endif

#include "core/team/cuda/loops.cuh"

#if defined(__CUDACC__)

/* ---- memory order ---- */

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
/* The same for what another GPU writes. */
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

/* ---- waiting ---- */

/* Whether a wait that began at *since (0: now) goes on; missing is that of the post. The GPU that waits for another one
 * reports first: its other blocks began to wait earlier, and wait a little longer. */
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

/* Is called by the thread that signalled last on its GPU. The writes of all its blocks are visible to it, and so to
 * readers of the flag. */
static __device__ __noinline__ void hp_team_gpus_signal(const hp_team_grid *G, unsigned generation) {
  __threadfence_system();
  for (int g = 0; g < G->gpus; ++g) hp_store_system(&G->links->flag[g][G->gpu * HP_LINK_STRIDE], generation);
}

/* Is called by warp 0 of a block and returns when the blocks of all GPUs have signalled. Each lane watches one GPU's
 * flag. */
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

/* Signals for the block, by warp 0, after the block's threads have met. count is the counter's goal. Not for
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

/* Waits for the blocks, by warp 0. The block's threads must meet afterwards. */
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

#endif /* __CUDACC__ */

#endif
