/* Kernels of products with GH: a row a thread, two cells (q = 1), two rows of a cell (even q). bench/product/cuda/gh.cu has
 * those of the build, and compiles them for one matrix. */
#ifndef HP_BENCH_PRODUCT_CUDA_GH_CUH
#define HP_BENCH_PRODUCT_CUDA_GH_CUH

#include "bench/half/cuda/load.cuh"
#include "linsolve/matrix/gh.h"
#include "linsolve/product/cuda/border.cuh"

typedef struct spmv_gh_plain {
  const double *h;
  int64_t ld;
  int ncell, shift[HP_GH_DIAGS]; /* of cells */
  bool exists[HP_GH_DIAGS];      /* a dimension of size 1 has no neighbours */
} spmv_gh_plain;

#if defined(HP_CONSTANT_N)
/* Constants hide the variables in a kernel compiled for one matrix (linsolve/stencil/stencil.h). */
struct spmv_gh : spmv_gh_plain {
  static constexpr int64_t ld = HP_CONSTANT_ROWS;
  static constexpr int ncell = HP_CONSTANT_NCELL, shift[HP_CONSTANT_DIAGS] = HP_CONSTANT_SHIFTS;
  static constexpr bool exists[HP_CONSTANT_DIAGS] = HP_CONSTANT_EXISTS;
};
#define SPMV_THREADS HP_CONSTANT_THREADS
#define SPMV_THREADS_MAX HP_CONSTANT_THREADS
#else
typedef spmv_gh_plain spmv_gh;
#define SPMV_THREADS (int)blockDim.x
#define SPMV_THREADS_MAX 512
#endif

__device__ __forceinline__ bool spmv_has(const spmv_gh &A, int u, int n) {
  return A.exists[u] && (unsigned)n < (unsigned)A.ncell;
}

/* One scalar row per thread. */
template <int Q>
__global__ void __launch_bounds__(SPMV_THREADS_MAX)
    spmv_gh_rows(const __grid_constant__ spmv_gh A, const __grid_constant__ spmv_border B, const double *x, double *y) {
  if (spmv_wells(B, x, y)) return;
  constexpr int G = spmv_group(Q, 28);
  const int block = blockIdx.x - B.blocks, i = block * SPMV_THREADS + threadIdx.x, m = i / Q;
  if (i >= A.ld) return;
  const int2 pieces = spmv_pieces(B, block);
  spmv_columns<1> wells;
  double sum = 0.0;
#pragma unroll
  for (int g = 0; g < HP_GH_DIAGS; g += G) {
    double h[G][Q], v[G][Q];
#pragma unroll
    for (int d = 0; d < G; ++d) {
      const int u = g + d;
      if (u >= HP_GH_DIAGS) continue;
      const int n = m + A.shift[u];
      const bool has = spmv_has(A, u, n);
#pragma unroll
      for (int c = 0; c < Q; ++c) {
        h[d][c] = spmv_load1(A.h + (int64_t)(u * Q + c) * A.ld + i, has);
        v[d][c] = spmv_x1(x + (int64_t)n * Q + c, has);
      }
    }
    if (g == 0) wells = spmv_columns_begin<1>(B, pieces, i, x);
#pragma unroll
    for (int d = 0; d < G; ++d)
#pragma unroll
      for (int c = 0; c < Q; ++c)
        if (g + d < HP_GH_DIAGS) sum += h[d][c] * v[d][c];
  }
  spmv_columns_end<1>(B, wells, i, x, &sum);
  y[i] = sum;
}

/* One unknown: two cells a thread; ld is even. */
template <int LOADS, bool FMA>
__global__ void __launch_bounds__(SPMV_THREADS_MAX)
    spmv_gh_cells(const __grid_constant__ spmv_gh A, const __grid_constant__ spmv_border B, const double *x,
                  double *y) {
  if (spmv_wells(B, x, y)) return;
  const int block = blockIdx.x - B.blocks, i = 2 * (block * SPMV_THREADS + threadIdx.x);
  if (i >= A.ld) return;
  const int2 pieces = spmv_pieces(B, block);
  double2 h[HP_GH_DIAGS];
  double v[HP_GH_DIAGS][2], sum[2] = {0.0, 0.0};
#pragma unroll
  for (int u = 0; u < HP_GH_DIAGS; ++u) {
    const int n = i + A.shift[u];
    h[u] = spmv_load2<LOADS>(A.h + u * A.ld + i, A.exists[u]);
    v[u][0] = spmv_x1(x + n, spmv_has(A, u, n));
    v[u][1] = spmv_x1(x + n + 1, spmv_has(A, u, n + 1));
  }
  const spmv_columns<1> wells = spmv_columns_begin<1>(B, pieces, i, x);
  const spmv_columns<1> more = spmv_columns_begin<1>(B, pieces, i + 1, x);
#pragma unroll
  for (int u = 0; u < HP_GH_DIAGS; ++u) {
    sum[0] = spmv_add<FMA>(sum[0], h[u].x, v[u][0]);
    sum[1] = spmv_add<FMA>(sum[1], h[u].y, v[u][1]);
  }
  spmv_columns_end<1>(B, wells, i, x, sum);
  spmv_columns_end<1>(B, more, i + 1, x, sum + 1);
  *(double2 *)(y + i) = make_double2(sum[0], sum[1]);
}

/* Two rows per thread (even Q; Q = 2: a cell), 16-byte loads. */
template <int Q, int LOADS, bool FMA>
__global__ void __launch_bounds__(SPMV_THREADS_MAX)
    spmv_gh_pairs(const __grid_constant__ spmv_gh A, const __grid_constant__ spmv_border B, const double *x,
                  double *y) {
  if (spmv_wells(B, x, y)) return;
  constexpr int G = spmv_group(Q, 16);
  const int block = blockIdx.x - B.blocks, i = 2 * (block * SPMV_THREADS + threadIdx.x), m = i / Q;
  if (i >= A.ld) return;
  const int2 pieces = spmv_pieces(B, block);
  spmv_columns<2> wells;
  double sum[2] = {0.0, 0.0};
#pragma unroll
  for (int g = 0; g < HP_GH_DIAGS; g += G) {
    double2 h[G][Q], v[G][Q / 2];
#pragma unroll
    for (int d = 0; d < G; ++d) {
      const int u = g + d;
      if (u >= HP_GH_DIAGS) continue;
      const int n = m + A.shift[u];
      const bool has = spmv_has(A, u, n);
      const double *column = A.h + (int64_t)u * Q * A.ld + i;
#pragma unroll
      for (int c = 0; c < Q; ++c) h[d][c] = spmv_load2<LOADS>(column + c * A.ld, has);
#pragma unroll
      for (int c = 0; c < Q / 2; ++c) v[d][c] = spmv_x2(x + (int64_t)n * Q + 2 * c, has);
    }
    if (g == 0) wells = spmv_columns_begin<2>(B, pieces, i, x);
#pragma unroll
    for (int d = 0; d < G; ++d)
#pragma unroll
      for (int c = 0; c < Q / 2; ++c)
        if (g + d < HP_GH_DIAGS) {
          sum[0] = spmv_add<FMA>(sum[0], h[d][2 * c].x, v[d][c].x);
          sum[1] = spmv_add<FMA>(sum[1], h[d][2 * c].y, v[d][c].x);
          sum[0] = spmv_add<FMA>(sum[0], h[d][2 * c + 1].x, v[d][c].y);
          sum[1] = spmv_add<FMA>(sum[1], h[d][2 * c + 1].y, v[d][c].y);
        }
  }
  spmv_columns_end<2>(B, wells, i, x, sum);
  *(double2 *)(y + i) = make_double2(sum[0], sum[1]);
}

#endif
