/* The team on a GPU: the grid of one cooperative kernel, one member per thread.
 *
 *     HP_TEAM_KERNEL(my_kernel, my_args, my_team_program(&t, &a));
 *     HP_TRY(hp_team_launch(D, (const void *)my_kernel, &args, "what it does"));
 *
 * The same names as in core/team/team.h: HP_TEAM_FOR, HP_TEAM_REDUCE, hp_team_sync, hp_team_sum, hp_team_max.
 *
 *     core/team/cuda/grid.cuh      what the blocks of a kernel share
 *     core/team/cuda/loops.cuh     the indices that a thread has
 *     core/team/cuda/barrier.cuh   waiting for each other
 *     core/team/cuda/sums.cuh      sums and largest values
 *     core/team/cuda/local.cuh     vectors that only their owners touch
 *
 * Several GPUs of a host: each runs the kernel with as many blocks, and the team is all of them (hp_team_links).
 */
#ifndef HP_CORE_TEAM_CUDA_TEAM_CUH
#define HP_CORE_TEAM_CUDA_TEAM_CUH

#include "core/team/cuda/sums.cuh"

#if defined(__CUDACC__)

/* Enters the team and copies its data into shared memory, because a kernel's arguments, read through a pointer, come
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
