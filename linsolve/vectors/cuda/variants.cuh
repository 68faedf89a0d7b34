/* Variants of a pass over vectors on a GPU (core/device/kernels.h). A pass is a class:
 *
 *     struct add {                                          element by element, hp_vector_each_kernel
 *       enum { READS = 2, WRITES = 1 };
 *       const double *in[READS];
 *       double *out[WRITES], alpha;
 *       __device__ bool begin(const my_args &a);            sets these; false: there is nothing to do
 *       __device__ void compute(const double *v, double *o) const { o[0] = alpha * v[0] + v[1]; }
 *     };
 *     struct product {                                      sums, hp_vector_sums_kernel
 *       enum { READS = 2, SUMS = 1 };
 *       const double *in[READS];
 *       __device__ bool begin(const my_args &a);
 *       __device__ void add(const double *v, double *sum) const { sum[0] += v[0] * v[1]; }
 *     };
 *
 * v are the entries of one index, all read before any is written, so that `in` and `out` may be the same vectors.
 *
 * Kernels are compiled with the program or while it runs; hp_vector_pass_expression names them for the compiler.
 *
 * Order of sums: the team's. A warp has a chunk, its thread l the entries 2l and 2l+1 of every 64; 8 warps have a group of
 * chunks, whose sum goes to partial [SUMS][HP_GROUPS_MAX]. Blocks take groups, one or two at a time.
 */
#ifndef HP_LINSOLVE_VECTORS_CUDA_VARIANTS_CUH
#define HP_LINSOLVE_VECTORS_CUDA_VARIANTS_CUH

#include "core/device/kernels.h"
#include "core/team/team.h"
#include "linsolve/vectors/vectors.h"

/* The part of a pass that one stream has: indices, or groups of chunks. */
typedef struct hp_vector_share {
  int64_t begin, end;
} hp_vector_share;

/* Parts are cut where 16-byte loads of every chunk stay aligned. */
HP_INLINE hp_vector_share hp_vector_share_of(int64_t count, int64_t multiple, int part, int parts) {
  const int64_t units = hp_parts(count, multiple);
  hp_vector_share p;
  p.begin = units * part / parts * multiple;
  p.end = units * (part + 1) / parts * multiple;
  if (p.end > count) p.end = count;
  return p;
}

#if defined(__CUDACC__)

/* The least blocks per multiprocessor if registers are limited (hp_kernel_compile). */
#if defined(HP_KERNEL_BLOCKS)
#define HP_VECTOR_BOUNDS __launch_bounds__(HP_KERNEL_THREADS_MAX, HP_KERNEL_BLOCKS)
#else
#define HP_VECTOR_BOUNDS __launch_bounds__(HP_KERNEL_THREADS_MAX)
#endif

template <int LOADS>
static __device__ __forceinline__ double2 hp_vector_load(const double *p) {
  if (LOADS == HP_LOADS_PLAIN) return make_double2(p[0], p[1]);
  if (LOADS == HP_LOADS_STREAM) return __ldcs((const double2 *)(const void *)p);
  return *(const double2 *)(const void *)p;
}

template <int LOADS>
static __device__ __forceinline__ void hp_vector_store(double *p, double2 v) {
  if (LOADS == HP_LOADS_STREAM) __stcs((double2 *)(void *)p, v);
  else *(double2 *)(void *)p = v;
}

/* ---- element by element ---- */

/* Pieces of one entry with plain loads, else of two. */
template <class Pass, int UNROLL, int LOADS>
static __device__ __forceinline__ void hp_vector_each(const Pass &pass, hp_vector_share part) {
  const int64_t width = LOADS == HP_LOADS_PLAIN ? 1 : 2;
  const int64_t step = (int64_t)gridDim.x * blockDim.x * width;
  int64_t i = part.begin + ((int64_t)blockIdx.x * blockDim.x + threadIdx.x) * width;
  for (; i + (UNROLL - 1) * step + width <= part.end; i += UNROLL * step) {
    double2 v[UNROLL][Pass::READS];
#pragma unroll
    for (int u = 0; u < UNROLL; ++u)
#pragma unroll
      for (int r = 0; r < Pass::READS; ++r) {
        const double *p = pass.in[r] + i + u * step;
        v[u][r] = LOADS == HP_LOADS_PLAIN ? make_double2(*p, 0.0) : hp_vector_load<LOADS>(p);
      }
#pragma unroll
    for (int u = 0; u < UNROLL; ++u) {
      double x[Pass::READS], y[Pass::READS], first[Pass::WRITES], second[Pass::WRITES];
#pragma unroll
      for (int r = 0; r < Pass::READS; ++r) {
        x[r] = v[u][r].x;
        y[r] = v[u][r].y;
      }
      pass.compute(x, first);
      if (LOADS != HP_LOADS_PLAIN) pass.compute(y, second);
#pragma unroll
      for (int w = 0; w < Pass::WRITES; ++w) {
        double *p = pass.out[w] + i + u * step;
        if (LOADS == HP_LOADS_PLAIN) *p = first[w];
        else hp_vector_store<LOADS>(p, make_double2(first[w], second[w]));
      }
    }
  }
  for (; i < part.end; i += step)
    for (int64_t j = i; j < i + width && j < part.end; ++j) {
      double x[Pass::READS], y[Pass::WRITES];
#pragma unroll
      for (int r = 0; r < Pass::READS; ++r) x[r] = pass.in[r][j];
      pass.compute(x, y);
#pragma unroll
      for (int w = 0; w < Pass::WRITES; ++w) pass.out[w][j] = y[w];
    }
}

template <class Pass, class Args, int UNROLL, int LOADS>
static __global__ void HP_VECTOR_BOUNDS hp_vector_each_kernel(const __grid_constant__ Args a, hp_vector_share part) {
  Pass pass;
  if (!pass.begin(a)) return;
  hp_vector_each<Pass, UNROLL, LOADS>(pass, part);
}

/* ---- sums ---- */

/* A thread's entries of the chunk from .. to-1; acc: of the lanes 2l and 2l+1. */
template <class Pass, int UNROLL, int LOADS>
static __device__ __forceinline__ void hp_vector_chunk(const Pass &pass, int64_t from, int64_t to,
                                                       double (&acc)[2][Pass::SUMS]) {
  int64_t i = from + 2 * (threadIdx.x & 31);
  for (; i + (UNROLL - 1) * HP_LANES + 1 < to; i += UNROLL * HP_LANES) {
    double2 v[UNROLL][Pass::READS];
#pragma unroll
    for (int u = 0; u < UNROLL; ++u)
#pragma unroll
      for (int r = 0; r < Pass::READS; ++r) v[u][r] = hp_vector_load<LOADS>(pass.in[r] + i + u * HP_LANES);
#pragma unroll
    for (int u = 0; u < UNROLL; ++u) {
      double x[Pass::READS], y[Pass::READS];
#pragma unroll
      for (int r = 0; r < Pass::READS; ++r) {
        x[r] = v[u][r].x;
        y[r] = v[u][r].y;
      }
      pass.add(x, acc[0]);
      pass.add(y, acc[1]);
    }
  }
  for (; i < to; i += HP_LANES)
    for (int lane = 0; lane < 2 && i + lane < to; ++lane) {
      double x[Pass::READS];
#pragma unroll
      for (int r = 0; r < Pass::READS; ++r) x[r] = pass.in[r][i + lane];
      pass.add(x, acc[lane]);
    }
}

/* Computes the sums of the groups part.begin .. part.end-1, in whole blocks of 8 or 16 warps. */
template <class Pass, int UNROLL, int LOADS>
static __device__ __forceinline__ void hp_vector_sums(const Pass &pass, const hp_cut &cut, hp_vector_share part,
                                                      double *partial) {
  __shared__ double chunk[HP_KERNEL_THREADS_MAX / 32][Pass::SUMS];
  const int warp = (int)threadIdx.x >> 5, lane = (int)threadIdx.x & 31, sets = (int)blockDim.x / (32 * HP_GROUP);
  const int set = warp / HP_GROUP;
  for (int64_t first = part.begin + (int64_t)blockIdx.x * sets; first < part.end; first += (int64_t)gridDim.x * sets) {
    const int64_t g = first + set, c = g * HP_GROUP + warp % HP_GROUP;
    double acc[2][Pass::SUMS] = {{0.0}};
    if (g < part.end && c < cut.chunks) {
      const int64_t from = hp_cut_begin(&cut, (int)c), to = hp_cut_end(&cut, (int)c);
      /* chunks of a system's well rows may begin anywhere */
      if (LOADS == HP_LOADS_PLAIN || from % 2 != 0) hp_vector_chunk<Pass, UNROLL, HP_LOADS_PLAIN>(pass, from, to, acc);
      else hp_vector_chunk<Pass, UNROLL, LOADS>(pass, from, to, acc);
    }
#pragma unroll
    for (int k = 0; k < Pass::SUMS; ++k) {
      double v = acc[0][k] + acc[1][k];
#pragma unroll
      for (int apart = 16; apart > 0; apart >>= 1) v += __shfl_down_sync(0xffffffffu, v, apart);
      if (lane == 0) chunk[warp][k] = v;
    }
    __syncthreads();
    if (warp % HP_GROUP == 0 && lane < Pass::SUMS && g < part.end) {
      double p[HP_GROUP];
#pragma unroll
      for (int w = 0; w < HP_GROUP; ++w) p[w] = chunk[set * HP_GROUP + w][lane];
      partial[lane * HP_GROUPS_MAX + g] = hp_sum_group(p);
    }
    __syncthreads(); /* read before the next groups' are written */
  }
}

/* The sum of all groups in the order of hp_team_grid_totals, computed by a warp and returned on its first lane. */
static __device__ __forceinline__ double hp_vector_total(const double *partial, int groups) {
  const int lane = (int)threadIdx.x & 31;
  double v = hp_team_lane_total(partial, lane, groups);
#pragma unroll
  for (int apart = 16; apart > 0; apart >>= 1) v += __shfl_down_sync(0xffffffffu, v, apart);
  return v;
}

template <class Pass, class Args, int UNROLL, int LOADS>
static __global__ void HP_VECTOR_BOUNDS hp_vector_sums_kernel(const __grid_constant__ Args a,
                                                              const __grid_constant__ hp_cut cut, hp_vector_share part,
                                                              double *partial) {
  Pass pass;
  if (!pass.begin(a)) return;
  hp_vector_sums<Pass, UNROLL, LOADS>(pass, cut, part, partial);
}

/* ---- the variant that a shape asks for ---- */

template <class Pass, class Args, int LOADS>
static const void *hp_vector_each_of(int unroll) {
  switch (hp_vector_unroll(unroll, Pass::READS)) {
    case 1: return (const void *)hp_vector_each_kernel<Pass, Args, 1, LOADS>;
    case 2: return (const void *)hp_vector_each_kernel<Pass, Args, 2, LOADS>;
    case 4: return (const void *)hp_vector_each_kernel<Pass, Args, 4, LOADS>;
    default: return (const void *)hp_vector_each_kernel<Pass, Args, hp_vector_unroll(8, Pass::READS), LOADS>;
  }
}

template <class Pass, class Args, int LOADS>
static const void *hp_vector_sums_of(int unroll) {
  switch (hp_vector_unroll(unroll, Pass::READS)) {
    case 1: return (const void *)hp_vector_sums_kernel<Pass, Args, 1, LOADS>;
    case 2: return (const void *)hp_vector_sums_kernel<Pass, Args, 2, LOADS>;
    case 4: return (const void *)hp_vector_sums_kernel<Pass, Args, 4, LOADS>;
    default: return (const void *)hp_vector_sums_kernel<Pass, Args, hp_vector_unroll(8, Pass::READS), LOADS>;
  }
}

/* aligned: all vectors, to 16 bytes. */
template <class Pass, class Args>
static const void *hp_vector_each_variant(const hp_kernel_shape *s, bool aligned) {
  const hp_kernel_loads loads = aligned ? s->loads : HP_LOADS_PLAIN;
  return loads == HP_LOADS_PLAIN  ? hp_vector_each_of<Pass, Args, HP_LOADS_PLAIN>(s->unroll)
         : loads == HP_LOADS_WIDE ? hp_vector_each_of<Pass, Args, HP_LOADS_WIDE>(s->unroll)
                                  : hp_vector_each_of<Pass, Args, HP_LOADS_STREAM>(s->unroll);
}

template <class Pass, class Args>
static const void *hp_vector_sums_variant(const hp_kernel_shape *s, bool aligned) {
  const hp_kernel_loads loads = aligned ? s->loads : HP_LOADS_PLAIN;
  return loads == HP_LOADS_PLAIN  ? hp_vector_sums_of<Pass, Args, HP_LOADS_PLAIN>(s->unroll)
         : loads == HP_LOADS_WIDE ? hp_vector_sums_of<Pass, Args, HP_LOADS_WIDE>(s->unroll)
                                  : hp_vector_sums_of<Pass, Args, HP_LOADS_STREAM>(s->unroll);
}

#endif

/* Threads of a block of sums. */
HP_INLINE int hp_vector_sum_threads(const hp_kernel_shape *s) {
  return s->threads > HP_GROUP * 32 ? s->threads : HP_GROUP * 32;
}

/* Blocks for `units` of work, each a block's at once; 1 at least. */
HP_INLINE int64_t hp_vector_blocks(const hp_kernel_shape *s, int64_t units, int multiprocessors) {
  const int64_t most = s->blocks > 0 ? (int64_t)s->blocks * multiprocessors : units;
  const int64_t blocks = units < most ? units : most;
  return blocks > 0 ? blocks : 1;
}

#endif
