/* The grid of a cooperative kernel: data that its blocks share in the memory of each GPU, and a block's shared memory.
 * The host makes hp_team_grid (core/device/cuda/team.cu), the first argument of every kernel of a team. */
#ifndef HP_CORE_TEAM_CUDA_GRID_CUH
#define HP_CORE_TEAM_CUDA_GRID_CUH

#include <cuda_runtime.h>

#include "core/team/barrier.h"

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

/* Addresses of the data that each GPU of a team shares with the others; every GPU has a copy. */
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

#endif /* __CUDACC__ */

#endif
