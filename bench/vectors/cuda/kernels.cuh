/* Kernels of operations on vectors (bench/vectors/vectors.h): the passes that variants.cuh makes kernels of, and those that are
 * of another form. Compiled with the program, and while it runs (core/compile/compile.h). */
#ifndef HP_BENCH_VECTORS_CUDA_KERNELS_CUH
#define HP_BENCH_VECTORS_CUDA_KERNELS_CUH

#include "bench/vectors/vectors.h"
#include "linsolve/vectors/cuda/variants.cuh"

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
static __global__ void HP_VECTOR_BOUNDS maxpy_kernel(const __grid_constant__ hp_vector_args a, hp_vector_share part) {
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

/* ---- sums that the last block finishes, and the kernel that follows where it does not ---- */

/* Tests: a pseudo-random pause of this block, from the seed `shake`. */
static __device__ __noinline__ void pause_block(unsigned shake) {
  const unsigned x = (unsigned)(hp_mix64(((uint64_t)shake << 32) + blockIdx.x + 1) >> 32);
  if (x % 4 == 0) __nanosleep(x % 20000);
}

/* blocks: of all parts. shake: 0, or the seed of pauses. */
template <class Pass, int UNROLL, int LOADS>
static __global__ void HP_VECTOR_BOUNDS last_kernel(const __grid_constant__ hp_vector_args a,
                                                    const __grid_constant__ hp_cut cut, hp_vector_share part,
                                                    double *partial, unsigned *finished, unsigned blocks,
                                                    unsigned shake) {
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

#endif
