/* Sums and largest values over a team on a GPU. A block is a multiple of 8 warps, so that a group of chunks is summed
 * on chip. Each block writes the sums of its groups to the memory of every GPU, which adds up all groups in one fixed
 * order (core/team/team.h).
 */
#ifndef HP_CORE_TEAM_CUDA_SUMS_CUH
#define HP_CORE_TEAM_CUDA_SUMS_CUH

#include "core/team/cuda/barrier.cuh"
#if defined(HP_DEVICE_RANKS)
#include "core/ranks/cuda/exact.cuh"
#endif

#if defined(__CUDACC__)

/* ---- sums ---- */

#if defined(HP_DEVICE_RANKS)

/* Chunks of whole columns, as a rank of the CPU has them (hp_team_cut). */
static __device__ __forceinline__ hp_cut hp_team_rank_cut(const hp_team *t, int64_t n) {
  const int64_t at = n == t->split_n ? t->split_at : n;
  return hp_cut_even(at, n, t->grid->part_chunk * (at / t->grid->part_cells), 1);
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

/* hp_team_sum for a rank, whose sums the host completes. */
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

/* A lane's part of the sum of all groups: those of numbers lane, lane + 32, ..., from low to high. */
static __device__ __forceinline__ double hp_team_lane_total(const double *partial, int lane, int groups) {
  enum {
    TOGETHER = (HP_GROUPS_CUT + HP_TAIL_CHUNKS / HP_GROUP + 31) / 32 /* loads in flight: all but of long loops */
  };
  double v = 0.0;
  for (int first = lane; first < groups; first += 32 * TOGETHER) {
    double part[TOGETHER];
#pragma unroll
    for (int j = 0; j < TOGETHER; ++j) part[j] = first + 32 * j < groups ? __ldcg(&partial[first + 32 * j]) : 0.0;
#pragma unroll
    for (int j = 0; j < TOGETHER; ++j)
      if (first + 32 * j < groups) v += part[j];
  }
  return v;
}

/* Warp k < count: the sum number k of all groups, to the block's shared memory. */
static __device__ __forceinline__ void hp_team_grid_totals(const double *partial, int count, int groups) {
  const int k = threadIdx.x >> 5, lane = threadIdx.x & 31;
  if (k >= count) return;
  double v = hp_team_lane_total(partial + k * HP_GROUPS_MAX, lane, groups);
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
  const hp_cut cut = hp_team_cut_owned(t, t->reduce_n);
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

/* Keeps the larger of two values, of equal ones that with the smaller index; an index < 0 loses. */
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

#endif /* __CUDACC__ */

#endif
