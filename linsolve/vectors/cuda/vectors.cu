/* Operations of linsolve/vectors/vectors.h: their passes and launches. */
#include <string.h>

#include "core/device/device.h"
#include "core/memory.h"
#include "linsolve/vectors/cuda/variants.cuh"
#include "linsolve/vectors/cuda/vectors_impl.cuh"

/* ---- passes ---- */

struct axpy_pass {
  enum { READS = 2, WRITES = 1 };
  const double *in[READS];
  double *out[WRITES], alpha;
  __device__ bool begin(const hp_vector_args &a) {
    in[0] = a.x;
    in[1] = out[0] = a.y;
    alpha = a.alpha;
    return true;
  }
  __device__ void compute(const double *v, double *o) const { o[0] = alpha * v[0] + v[1]; }
};

struct waxpy_pass {
  enum { READS = 2, WRITES = 1 };
  const double *in[READS];
  double *out[WRITES], alpha;
  __device__ bool begin(const hp_vector_args &a) {
    in[0] = a.x;
    in[1] = a.y;
    out[0] = a.w;
    alpha = a.alpha;
    return true;
  }
  __device__ void compute(const double *v, double *o) const { o[0] = v[1] + alpha * v[0]; }
};

struct scale_pass {
  enum { READS = 1, WRITES = 1 };
  const double *in[READS];
  double *out[WRITES], alpha;
  __device__ bool begin(const hp_vector_args &a) {
    in[0] = out[0] = a.y;
    alpha = a.alpha;
    return true;
  }
  __device__ void compute(const double *v, double *o) const { o[0] = alpha * v[0]; }
};

struct dot_pass {
  enum { READS = 2, SUMS = 1 };
  const double *in[READS];
  __device__ bool begin(const hp_vector_args &a) {
    in[0] = a.x;
    in[1] = a.y;
    return true;
  }
  __device__ void add(const double *v, double *sum) const { sum[0] += v[0] * v[1]; }
  static __device__ double finish(double sum) { return sum; }
};

struct norm_pass {
  enum { READS = 1, SUMS = 1 };
  const double *in[READS];
  __device__ bool begin(const hp_vector_args &a) {
    in[0] = a.x;
    return true;
  }
  __device__ void add(const double *v, double *sum) const { sum[0] += v[0] * v[0]; }
  static __device__ double finish(double sum) { return sqrt(sum); }
};

/* ---- maxpy: y stays in registers while the vectors go by ---- */

template <int UNROLL, int LOADS>
static __global__ void __launch_bounds__(HP_KERNEL_THREADS_MAX)
    maxpy_kernel(const __grid_constant__ hp_vector_args a, hp_vector_share part) {
  const int64_t width = LOADS == HP_LOADS_PLAIN ? 1 : 2;
  const int64_t step = (int64_t)gridDim.x * blockDim.x * width;
  int64_t i = part.begin + ((int64_t)blockIdx.x * blockDim.x + threadIdx.x) * width;
  for (; i + (UNROLL - 1) * step + width <= part.end; i += UNROLL * step) {
    double2 y[UNROLL];
#pragma unroll
    for (int u = 0; u < UNROLL; ++u)
      y[u] = width == 1 ? make_double2(a.y[i + u * step], 0.0) : hp_vector_load<LOADS>(a.y + i + u * step);
#pragma unroll 4
    for (int k = 0; k < a.count; ++k) {
      const double alpha = __ldg(a.alphas + k);
      const double *x = a.x + k * a.stride + i;
      double2 v[UNROLL];
#pragma unroll
      for (int u = 0; u < UNROLL; ++u)
        v[u] = width == 1 ? make_double2(x[u * step], 0.0) : hp_vector_load<LOADS>(x + u * step);
#pragma unroll
      for (int u = 0; u < UNROLL; ++u) {
        y[u].x = y[u].x + alpha * v[u].x;
        if (width == 2) y[u].y = y[u].y + alpha * v[u].y;
      }
    }
#pragma unroll
    for (int u = 0; u < UNROLL; ++u) {
      if (width == 1) a.y[i + u * step] = y[u].x;
      else hp_vector_store<LOADS>(a.y + i + u * step, y[u]);
    }
  }
  for (; i < part.end; i += step)
    for (int64_t j = i; j < i + width && j < part.end; ++j) {
      double y = a.y[j];
      for (int k = 0; k < a.count; ++k) y = y + __ldg(a.alphas + k) * a.x[k * a.stride + j];
      a.y[j] = y;
    }
}

template <int LOADS>
static const void *maxpy_of(int unroll) {
  switch (unroll) {
    case 1: return (const void *)maxpy_kernel<1, LOADS>;
    case 2: return (const void *)maxpy_kernel<2, LOADS>;
    case 4: return (const void *)maxpy_kernel<4, LOADS>;
    default: return (const void *)maxpy_kernel<8, LOADS>;
  }
}

static const void *maxpy_variant(const hp_kernel_shape *s, bool aligned) {
  const hp_kernel_loads loads = aligned ? s->loads : HP_LOADS_PLAIN;
  return loads == HP_LOADS_PLAIN  ? maxpy_of<HP_LOADS_PLAIN>(s->unroll)
         : loads == HP_LOADS_WIDE ? maxpy_of<HP_LOADS_WIDE>(s->unroll)
                                  : maxpy_of<HP_LOADS_STREAM>(s->unroll);
}

/* ---- sums that the last block finishes, and the kernel that follows where it does not ---- */

/* Tests: a pseudo-random pause of this block, from the seed `shake`. */
static __device__ __noinline__ void pause_block(unsigned shake) {
  const unsigned x = (unsigned)(hp_mix64(((uint64_t)shake << 32) + blockIdx.x + 1) >> 32);
  if (x % 4 == 0) __nanosleep(x % 20000);
}

/* blocks: of all parts. shake: 0, or the seed of pauses. */
template <class Pass, int UNROLL, int LOADS>
static __global__ void __launch_bounds__(HP_KERNEL_THREADS_MAX)
    last_kernel(const __grid_constant__ hp_vector_args a, const __grid_constant__ hp_cut cut, hp_vector_share part,
                double *partial, unsigned *finished, unsigned blocks, unsigned shake) {
  __shared__ bool is_last;
  Pass pass;
  pass.begin(a);
  hp_vector_sums<Pass, UNROLL, LOADS>(pass, cut, part, partial); /* ends with a barrier of the block */
  if (threadIdx.x == 0) {
    if (shake != 0) pause_block(shake);
    __threadfence();
    is_last = atomicAdd(finished, 1u) + 1 == blocks;
    __threadfence();
  }
  __syncthreads();
  if (!is_last || threadIdx.x >= 32) return;
  const double sum = hp_vector_total(partial, (int)hp_parts(cut.chunks, HP_GROUP));
  if (threadIdx.x != 0) return;
  *a.result = Pass::finish(sum);
  *finished = 0;
}

template <class Pass>
static __global__ void __launch_bounds__(32) total_kernel(const double *partial, int groups, double *result) {
  const double sum = hp_vector_total(partial, groups);
  if (threadIdx.x == 0) *result = Pass::finish(sum);
}

template <class Pass, int LOADS>
static const void *last_of(int unroll) {
  switch (unroll) {
    case 1: return (const void *)last_kernel<Pass, 1, LOADS>;
    case 2: return (const void *)last_kernel<Pass, 2, LOADS>;
    case 4: return (const void *)last_kernel<Pass, 4, LOADS>;
    default: return (const void *)last_kernel<Pass, 8, LOADS>;
  }
}

template <class Pass>
static const void *last_variant(const hp_kernel_shape *s, bool aligned) {
  const hp_kernel_loads loads = aligned ? s->loads : HP_LOADS_PLAIN;
  return loads == HP_LOADS_PLAIN  ? last_of<Pass, HP_LOADS_PLAIN>(s->unroll)
         : loads == HP_LOADS_WIDE ? last_of<Pass, HP_LOADS_WIDE>(s->unroll)
                                  : last_of<Pass, HP_LOADS_STREAM>(s->unroll);
}

/* ---- launches ---- */

static bool is_aligned(const hp_vector_args *a) {
  const uintptr_t all = (uintptr_t)a->x | (uintptr_t)a->y | (uintptr_t)a->w;
  return all % 16 == 0 && (a->count <= 1 || a->stride % 2 == 0);
}

static hp_status each(hp_vector_kernels *V, const void *kernel, const hp_vector_args *a, const hp_kernel_shape *s,
                      int width) {
  const int multiprocessors = hp_device_get_info(V->D)->multiprocessors;
  hp_vector_args args = *a;
  HP_TRY(hp_vector_streams_fork(V->streams, s->streams));
  for (int p = 0; p < s->streams; ++p) {
    hp_vector_share part = hp_vector_share_of(a->n, HP_LANES, p, s->streams);
    if (part.begin == part.end) continue;
    void *list[] = {&args, &part};
    const int64_t units = hp_parts(part.end - part.begin, (int64_t)s->threads * s->unroll * width);
    const dim3 grid((unsigned)hp_vector_blocks(s, units, multiprocessors)), block((unsigned)s->threads);
    HP_TRY(hp_device_check(V->D, cudaLaunchKernel(kernel, grid, block, list, 0, hp_vector_stream(V->streams, p)),
                           "an operation on vectors"));
  }
  return hp_vector_streams_join(V->streams, s->streams);
}

template <class Pass>
static hp_status sums(hp_vector_kernels *V, const hp_vector_args *a, const hp_kernel_shape *s) {
  static const char what[] = "a sum over vectors";
  const int multiprocessors = hp_device_get_info(V->D)->multiprocessors, threads = hp_vector_sum_threads(s);
  hp_vector_args args = *a;
  hp_team t;
  memset(&t, 0, sizeof t);
  hp_cut cut = hp_team_cut(&t, a->n);
  int groups = (int)hp_parts(cut.chunks, HP_GROUP);
  hp_vector_share part[HP_KERNEL_STREAMS_MAX];
  unsigned blocks[HP_KERNEL_STREAMS_MAX], all = 0, shake = hp_device_shake(V->D);
  for (int p = 0; p < s->streams; ++p) {
    part[p] = hp_vector_share_of(groups, 1, p, s->streams);
    const int64_t units = hp_parts(part[p].end - part[p].begin, threads / (32 * HP_GROUP));
    blocks[p] = (unsigned)(units > 0 ? hp_vector_blocks(s, units, multiprocessors) : 0);
    all += blocks[p];
  }
  const bool aligned = is_aligned(a);
  const void *kernel = s->last ? last_variant<Pass>(s, aligned)
                               : hp_vector_sums_variant<Pass, hp_vector_args>(s, aligned);
  HP_TRY(hp_vector_streams_fork(V->streams, s->streams));
  for (int p = 0; p < s->streams; ++p) {
    if (blocks[p] == 0) continue;
    void *list[] = {&args, &cut, &part[p], &V->partial, &V->finished, &all, &shake};
    HP_TRY(hp_device_check(
        V->D,
        cudaLaunchKernel(kernel, dim3(blocks[p]), dim3((unsigned)threads), list, 0, hp_vector_stream(V->streams, p)),
        what));
  }
  HP_TRY(hp_vector_streams_join(V->streams, s->streams));
  if (s->last) return HP_OK;
  void *list[] = {&V->partial, &groups, &args.result};
  return hp_device_check(
      V->D,
      cudaLaunchKernel((const void *)total_kernel<Pass>, dim3(1), dim3(32), list, 0, hp_vector_stream(V->streams, 0)),
      what);
}

hp_status hp_vector_kernels_run(hp_vector_kernels *V, hp_vector_operation op, const hp_vector_args *a,
                                const hp_kernel_shape *s) {
  HP_TRY(hp_kernel_check_shape(s));
  const bool aligned = is_aligned(a);
  const int width = aligned && s->loads != HP_LOADS_PLAIN ? 2 : 1;
  switch (op) {
    case HP_VECTOR_AXPY: return each(V, hp_vector_each_variant<axpy_pass, hp_vector_args>(s, aligned), a, s, width);
    case HP_VECTOR_MAXPY: return each(V, maxpy_variant(s, aligned), a, s, width);
    case HP_VECTOR_WAXPY: return each(V, hp_vector_each_variant<waxpy_pass, hp_vector_args>(s, aligned), a, s, width);
    case HP_VECTOR_SCALE: return each(V, hp_vector_each_variant<scale_pass, hp_vector_args>(s, aligned), a, s, width);
    case HP_VECTOR_DOT: return sums<dot_pass>(V, a, s);
    default: return sums<norm_pass>(V, a, s);
  }
}

/* ---- creation ---- */

hp_status hp_vector_kernels_create(hp_device *D, hp_vector_kernels **out) {
  hp_vector_kernels *V = NULL;
  HP_TRY(hp_alloc((void **)&V, 1, sizeof *V, "operations on vectors"));
  *out = V;
  V->D = D;
  HP_TRY(hp_vector_streams_create(D, &V->streams));
  HP_TRY(HP_DEVICE_ALLOC(D, V->partial, HP_GROUPS_MAX));
  return HP_DEVICE_ALLOC(D, V->finished, 1);
}

void hp_vector_kernels_destroy(hp_vector_kernels **slot) {
  if (slot == NULL || *slot == NULL) return;
  hp_vector_kernels *V = *slot;
  hp_vector_streams_destroy(&V->streams);
  HP_DEVICE_FREE(V->D, V->partial);
  HP_DEVICE_FREE(V->D, V->finished);
  hp_free(slot);
}
