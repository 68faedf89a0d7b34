/* Products with formats stored by columns, one row per thread: dia, sg-dia, ell, hyb and hec. For hepta bench spmv
 * (bench/product/cuda/columns.cu) and for solves (linsolve/krylov/host_driven/baselines/matrix.cu).
 */
#ifndef HP_LINSOLVE_PRODUCT_CUDA_COLUMNS_CUH
#define HP_LINSOLVE_PRODUCT_CUDA_COLUMNS_CUH

#include "linsolve/matrix/gh.h"
#include "linsolve/product/cuda/border.cuh"
#include "linsolve/product/cuda/load.cuh"

typedef struct spmv_columns_of {
  const double *value;
  const int32_t *column, *rest_begin, *rest_row, *rest_column;
  const double *rest_value;
  int64_t rows;
  int width, q, ncell, rest, nwell;
  int offset[HP_GH_DIAGS * (2 * HP_GH_Q_MAX - 1)]; /* dia, sg-dia */
} spmv_columns_of;

static __global__ void __launch_bounds__(256)
    spmv_dia(const __grid_constant__ spmv_columns_of F, const __grid_constant__ spmv_border B, const double *x,
             double *y) {
  if (spmv_wells(B, x, y)) return;
  const int block = blockIdx.x - B.blocks, i = block * blockDim.x + threadIdx.x, ld = (int)F.rows;
  if (i >= ld) return;
  const spmv_columns<1> wells = spmv_columns_begin<1>(B, spmv_pieces(B, block), i, x);
  double sum = 0.0;
#pragma unroll 8
  for (int d = 0; d < F.width; ++d) {
    const int j = i + F.offset[d];
    const bool has = (unsigned)j < (unsigned)ld;
    sum += spmv_load1(F.value + d * F.rows + i, has) * spmv_x1(x + j, has);
  }
  spmv_columns_end<1>(B, wells, i, x, &sum);
  y[i] = sum;
}

/* Algorithm 1 of Lowell et al. 2013; x through the read-only cache in place of the texture. */
static __global__ void __launch_bounds__(256)
    spmv_sgdia(const __grid_constant__ spmv_columns_of F, const __grid_constant__ spmv_border B,
               const double *__restrict__ x, double *__restrict__ y) {
  if (spmv_wells(B, x, y)) return;
  const int block = blockIdx.x - B.blocks, i = block * blockDim.x + threadIdx.x, m = i / F.q;
  if (i >= F.rows) return;
  double sum = 0.0;
  for (int d = 0; d < F.width; ++d) {
    const int n = m + F.offset[d];
    if ((unsigned)n >= (unsigned)F.ncell) continue;
    const double *value = F.value + (int64_t)d * F.q * F.rows + i;
#pragma unroll 4
    for (int c = 0; c < F.q; ++c) sum += spmv_load1(value + c * F.rows, true) * __ldg(x + (int64_t)n * F.q + c);
  }
  const spmv_columns<1> wells = spmv_columns_begin<1>(B, spmv_pieces(B, block), i, x);
  spmv_columns_end<1>(B, wells, i, x, &sum);
  y[i] = sum;
}

__device__ __forceinline__ double spmv_ell_row(const spmv_columns_of &F, int i, const double *x) {
  double sum = 0.0;
#pragma unroll 8
  for (int w = 0; w < F.width; ++w) {
    const int64_t p = w * F.rows + i;
    sum += spmv_load1(F.value + p, true) * x[spmv_load_index(F.column + p)];
  }
  return sum;
}

/* ell: cells only, with GH's border. */
static __global__ void __launch_bounds__(256)
    spmv_ell(const __grid_constant__ spmv_columns_of F, const __grid_constant__ spmv_border B, const double *x,
             double *y) {
  if (spmv_wells(B, x, y)) return;
  const int block = blockIdx.x - B.blocks, i = block * blockDim.x + threadIdx.x;
  if (i >= F.rows) return;
  const spmv_columns<1> wells = spmv_columns_begin<1>(B, spmv_pieces(B, block), i, x);
  double sum = spmv_ell_row(F, i, x);
  spmv_columns_end<1>(B, wells, i, x, &sum);
  y[i] = sum;
}

/* hyb, first of two kernels: all rows up to the width. */
static __global__ void __launch_bounds__(256)
    spmv_hyb(const __grid_constant__ spmv_columns_of F, const double *x, double *y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < F.rows) y[i] = spmv_ell_row(F, i, x);
}

/* hyb, second: one triple per thread; a warp adds up the triples of a row, with one atomic addition to y per row and
 * warp (Bell & Garland 2009). Rows with one triple have one order of summation, longer ones have none. */
static __global__ void __launch_bounds__(256)
    spmv_hyb_rest(const __grid_constant__ spmv_columns_of F, const double *x, double *y) {
  const int e = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
  const int row = e < F.rest ? F.rest_row[e] : -1;
  double v = e < F.rest ? F.rest_value[e] * x[F.rest_column[e]] : 0.0;
#pragma unroll
  for (int apart = 1; apart < 32; apart <<= 1) {
    const double other = __shfl_up_sync(0xffffffffu, v, apart);
    const int other_row = __shfl_up_sync(0xffffffffu, row, apart);
    if (lane >= apart && other_row == row) v += other;
  }
  const int next = __shfl_down_sync(0xffffffffu, row, 1);
  if (row >= 0 && (lane == 31 || next != row)) atomicAdd(y + row, v);
}

/* hec: one cell row per thread, both parts; one well row per warp, in the first blocks. */
static __global__ void __launch_bounds__(256)
    spmv_hec(const __grid_constant__ spmv_columns_of F, int well_blocks, const double *x, double *y) {
  const int cells = (int)F.rows - F.nwell, lane = threadIdx.x & 31;
  if ((int)blockIdx.x < well_blocks) {
    const int w = blockIdx.x * (blockDim.x >> 5) + (threadIdx.x >> 5), i = cells + w;
    if (w >= F.nwell) return;
    double sum = 0.0;
    for (int k = lane; k < F.width; k += 32) sum += F.value[k * F.rows + i] * x[F.column[k * F.rows + i]];
#pragma unroll 4
    for (int p = F.rest_begin[i] + lane; p < F.rest_begin[i + 1]; p += 32) sum += F.rest_value[p] * x[F.rest_column[p]];
#pragma unroll
    for (int apart = 16; apart > 0; apart >>= 1) sum += __shfl_down_sync(0xffffffffu, sum, apart);
    if (lane == 0) y[i] = sum;
    return;
  }
  const int i = (blockIdx.x - well_blocks) * blockDim.x + threadIdx.x;
  if (i >= cells) return;
  const int begin = F.rest_begin[i], end = F.rest_begin[i + 1];
  double sum = spmv_ell_row(F, i, x);
  for (int p = begin; p < end; ++p) sum += F.rest_value[p] * x[F.rest_column[p]];
  y[i] = sum;
}

#endif
