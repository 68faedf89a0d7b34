/* Kernels of products with stencils stored as dia and csr, to compare with SG-DIA (linsolve/sgdia/cuda/kernels.cuh). */
#ifndef HP_BENCH_SGDIA_CUDA_ROWS_CUH
#define HP_BENCH_SGDIA_CUDA_ROWS_CUH

#include <cuda_runtime.h>
#include <stdint.h>

typedef struct stencil_rows_args {
  const void *value, *x;
  const int32_t *begin, *column; /* dia: column has the offsets */
  void *y;
  int64_t ld;
  int n, diagonals;
} stencil_rows_args;

template <class Real>
static __global__ void __launch_bounds__(256) stencil_dia_kernel(const __grid_constant__ stencil_rows_args R) {
  const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  const Real *value = (const Real *)R.value, *x = (const Real *)R.x;
  Real sum = Real(0);
  if (i >= R.n) return;
#pragma unroll 4
  for (int d = 0; d < R.diagonals; ++d) {
    const int j = i + __ldg(R.column + d);
    if ((unsigned)j < (unsigned)R.n) sum += __ldg(value + d * R.ld + i) * __ldg(x + j);
  }
  ((Real *)R.y)[i] = sum;
}

/* THREADS of a warp process a row. */
template <class Real, int THREADS>
static __global__ void __launch_bounds__(256) stencil_csr_kernel(const __grid_constant__ stencil_rows_args R) {
  const int i = (int)((blockIdx.x * blockDim.x + threadIdx.x) / THREADS), lane = (int)threadIdx.x % THREADS;
  const Real *value = (const Real *)R.value, *x = (const Real *)R.x;
  Real sum = Real(0);
  if (i < R.n)
    for (int e = R.begin[i] + lane; e < R.begin[i + 1]; e += THREADS)
      sum += __ldg(value + e) * __ldg(x + __ldg(R.column + e));
#pragma unroll
  for (int apart = THREADS / 2; apart > 0; apart >>= 1) sum += __shfl_down_sync(0xffffffffu, sum, apart, THREADS);
  if (i < R.n && lane == 0) ((Real *)R.y)[i] = sum;
}

#endif
