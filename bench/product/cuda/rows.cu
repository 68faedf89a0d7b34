/* Products with csr and sell by kernels of this program, beside cuSPARSE's (library.cu): several threads a row, as many as
 * its typical length keeps busy.
 *
 *   csr     neighbouring lanes of a warp have a row (Bell & Garland 2009)
 *   sell    a slice has several warps, each of them some of its columns: SELL-P of MAGMA (Anzt, Tomov & Dongarra 2014)
 */
#include "bench/product/cuda/product.cuh"

enum { WARP = HP_SPARSE_SLICE, LEAST_THREADS = 256, LANES_MAX = 32, OF_A_THREAD = 8 /* entries, about */ };

template <int LANES>
static __global__ void __launch_bounds__(LEAST_THREADS)
    spmv_csr_rows(int64_t rows, const int32_t *__restrict__ begin, const int32_t *__restrict__ column,
                  const double *__restrict__ value, const double *__restrict__ x, double *y) {
  const int64_t i = ((int64_t)blockIdx.x * blockDim.x + threadIdx.x) / LANES;
  const int lane = (int)threadIdx.x % LANES;
  double sum = 0.0;
  if (i < rows) {
    const int32_t end = begin[i + 1];
#pragma unroll 4
    for (int64_t p = begin[i] + lane; p < end; p += LANES) sum += __ldcs(value + p) * x[__ldcs(column + p)];
  }
#pragma unroll
  for (int apart = LANES / 2; apart > 0; apart /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, apart);
  if (i < rows && lane == 0) y[i] = sum;
}

/* Warp w of the `lanes` of a slice has its columns w, w + lanes, ... */
static __global__ void __launch_bounds__(WARP *LANES_MAX)
    spmv_sell_rows(int64_t rows, int64_t slices, int lanes, const int32_t *__restrict__ begin,
                   const int32_t *__restrict__ column, const double *__restrict__ value, const double *__restrict__ x,
                   double *y) {
  __shared__ double part[WARP * LANES_MAX];
  const int warp = (int)threadIdx.x / WARP, w = warp % lanes, r = (int)threadIdx.x % WARP;
  const int64_t slice = (int64_t)blockIdx.x * ((int)blockDim.x / WARP / lanes) + warp / lanes, i = slice * WARP + r;
  double sum = 0.0;
  if (slice < slices) {
    const int32_t end = begin[slice + 1];
#pragma unroll 4
    for (int64_t p = begin[slice] + w * WARP + r; p < end; p += lanes * WARP) {
      const int32_t c = __ldcs(column + p);
      if (c >= 0) sum += __ldcs(value + p) * x[c];
    }
  }
  part[threadIdx.x] = sum;
  __syncthreads();
  if (w != 0 || i >= rows) return;
  for (int k = 1; k < lanes; ++k) sum += part[threadIdx.x + k * WARP];
  y[i] = sum;
}

/* ---- launches ---- */

enum { BEGIN, COLUMN };

/* A power of two. */
static int lanes_of(const hp_sparse *F) {
  const int64_t typical = F->count / (F->rows > 0 ? F->rows : 1);
  int lanes = 1;
  while (lanes < LANES_MAX && lanes * OF_A_THREAD < typical) lanes *= 2;
  return lanes;
}

static int64_t slices_of(const hp_sparse *F) { return hp_parts(F->rows, HP_SPARSE_SLICE); }

hp_status hp_spmv_rows_prepare(hp_spmv_product *P) {
  const hp_sparse *F = P->J->F;
  const int lanes = lanes_of(F);
  const bool sell = F->kind == HP_SPARSE_SELL;
  P->threads = sell && WARP * lanes > LEAST_THREADS ? WARP * lanes : LEAST_THREADS;
  P->blocks = (int)(sell ? hp_parts(slices_of(F), P->threads / WARP / lanes) : hp_parts(F->rows * lanes, P->threads));
  P->value = hp_spmv_put(&P->I, F->value, F->count * 8);
  P->index[BEGIN] = hp_spmv_put(&P->I, F->begin, ((sell ? slices_of(F) : F->rows) + 1) * 4);
  P->index[COLUMN] = hp_spmv_put(&P->I, F->column, F->count * 4);
  return HP_OK;
}

static const void *csr_kernel(int lanes) {
  switch (lanes) {
    case 1: return (const void *)spmv_csr_rows<1>;
    case 2: return (const void *)spmv_csr_rows<2>;
    case 4: return (const void *)spmv_csr_rows<4>;
    case 8: return (const void *)spmv_csr_rows<8>;
    case 16: return (const void *)spmv_csr_rows<16>;
    default: return (const void *)spmv_csr_rows<32>;
  }
}

hp_status hp_spmv_rows_run(const hp_spmv_product *P, int copy) {
  const hp_sparse *F = P->J->F;
  int lanes = lanes_of(F);
  int64_t rows = F->rows, slices = slices_of(F);
  const int32_t *begin = hp_spmv_at<int32_t>(P, copy, P->index[BEGIN]);
  const int32_t *column = hp_spmv_at<int32_t>(P, copy, P->index[COLUMN]);
  const double *value = hp_spmv_at<double>(P, copy, P->value), *x = hp_spmv_at<double>(P, copy, P->x);
  double *y = hp_spmv_at<double>(P, copy, P->y);
  void *csr[] = {&rows, &begin, &column, &value, &x, &y};
  void *sell[] = {&rows, &slices, &lanes, &begin, &column, &value, &x, &y};
  if (F->kind == HP_SPARSE_SELL) return hp_spmv_launch(P, (const void *)spmv_sell_rows, P->blocks, sell, 0);
  return hp_spmv_launch(P, csr_kernel(lanes), P->blocks, csr, 0);
}
