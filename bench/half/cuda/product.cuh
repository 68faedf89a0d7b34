/* The product with GH-h: for hepta bench spmv (bench/product/cuda/half.cu) and for solves (bench/half/cuda/solve.cu). */
#ifndef HP_BENCH_HALF_CUDA_PRODUCT_CUH
#define HP_BENCH_HALF_CUDA_PRODUCT_CUH

#include <string.h>

#include "bench/half/cuda/load.cuh"
#include "bench/half/half.h"
#include "linsolve/product/cuda/border.cuh"

typedef struct spmv_half {
  const double *h[2];
  int64_t ld[2];
  int ncell, blocks[2], shift[HP_GH_DIAGS]; /* blocks: of the even and the odd cells' rows */
  int first[2][HP_GH_DIAGS], width[2][HP_GH_DIAGS];
} spmv_half;

/* The even cells' rows (ODD = 0: Q a cell, two a thread) or the odd cells' (Q/2 a cell, two a thread where that is
 * even). Pieces count the rows of the even cells, then
 * those of the odd cells; the values of a cell of the other kind stand between two of theirs. */
template <int Q, int ODD>
__device__ __forceinline__ void spmv_half_part(const spmv_half &A, const spmv_border &B, int block, const double *x,
                                               double *y) {
  constexpr int QR = ODD ? Q / 2 : Q, R = QR % 2 == 0 ? 2 : 1, G = spmv_group(Q, 16);
  const int part = block - (ODD ? A.blocks[0] : 0);
  const int i = R * (part * blockDim.x + threadIdx.x), p = i / QR, m = 2 * p + ODD;
  if (i >= A.ld[ODD]) return;
  const int2 pieces = spmv_pieces(B, block);
  const int at = i + (ODD ? (int)A.ld[0] : 0); /* as the pieces count rows */
  spmv_columns<R> wells;
  double sum[2] = {0.0, 0.0};
#pragma unroll
  for (int g = 0; g < HP_GH_DIAGS; g += G) {
    double2 h[G][Q];
    double v[G][Q];
#pragma unroll
    for (int d = 0; d < G; ++d) {
      const int u = g + d;
      if (u >= HP_GH_DIAGS) continue;
      const int n = m + A.shift[u], width = (unsigned)n < (unsigned)A.ncell ? A.width[ODD][u] : 0;
      const double *column = A.h[ODD] + A.first[ODD][u] * A.ld[ODD] + i;
      const double *xn = x + (int64_t)(n >> 1) * (Q + Q / 2) + (n & 1) * Q;
#pragma unroll
      for (int c = 0; c < Q; ++c) {
        if (R == 2) h[d][c] = spmv_load2<SPMV_STREAM>(column + c * A.ld[ODD], c < width);
        else h[d][c].x = spmv_load1(column + c * A.ld[ODD], c < width);
        v[d][c] = spmv_x1(xn + c, c < width);
      }
    }
    if (g == 0) wells = spmv_columns_begin<R>(B, pieces, at, x, QR, Q + Q / 2 - QR);
#pragma unroll
    for (int d = 0; d < G; ++d)
#pragma unroll
      for (int c = 0; c < Q; ++c)
        if (g + d < HP_GH_DIAGS) {
          sum[0] += h[d][c].x * v[d][c];
          if (R == 2) sum[1] += h[d][c].y * v[d][c];
        }
  }
  spmv_columns_end<R>(B, wells, at, x, sum, QR, Q + Q / 2 - QR);
  double *to = y + (int64_t)p * (Q + Q / 2) + ODD * Q + (i - p * QR);
  to[0] = sum[0];
  if (R == 2) to[1] = sum[1];
}

/* Blocks of even cells alternate with blocks of the odd cells between them, so that x is read and y is written
 * once: one of each, or two and one where two odd cells have as many rows as one even cell. */
__host__ __device__ constexpr int spmv_half_step(int q) { return q % 4 == 0 ? 3 : 2; }

template <int Q>
static __global__ void __launch_bounds__(512)
    spmv_half_kernel(const __grid_constant__ spmv_half A, const __grid_constant__ spmv_border B, const double *x,
                     double *y) {
  if (spmv_wells(B, x, y)) return;
  constexpr int STEP = spmv_half_step(Q);
  const int group = ((int)blockIdx.x - B.blocks) / STEP, r = ((int)blockIdx.x - B.blocks) % STEP;
  const int even = group * (STEP - 1) + r;
  if (r == STEP - 1) {
    if (group < A.blocks[1]) spmv_half_part<Q, 1>(A, B, A.blocks[0] + group, x, y);
  } else if (even < A.blocks[0]) {
    spmv_half_part<Q, 0>(A, B, even, x, y);
  }
}

static inline const void *spmv_half_kernel_of(int q) {
  switch (q) {
    case 2: return (const void *)spmv_half_kernel<2>;
    case 4: return (const void *)spmv_half_kernel<4>;
    case 6: return (const void *)spmv_half_kernel<6>;
    case 8: return (const void *)spmv_half_kernel<8>;
    case 16: return (const void *)spmv_half_kernel<16>;
    default: return NULL;
  }
}

/* The default threads of a block. */
static inline int spmv_half_threads(int q) { return q >= 8 ? 128 : 256; }

/* Fills G without the values. Returns the kernel's blocks without those of the wells' rows; rows: those of a block, for
 * each kind of cells. */
static inline int spmv_half_of(const hp_half *H, int threads, spmv_half *G, int64_t *rows) {
  const int step = spmv_half_step(H->q);
  for (int odd = 0; odd < 2; ++odd) {
    rows[odd] = (!odd || H->q / 2 % 2 == 0 ? 2 : 1) * threads;
    G->blocks[odd] = (int)hp_parts(H->ld[odd], rows[odd]);
    G->h[odd] = NULL;
  }
  G->ncell = (int)H->ncell;
  for (int u = 0; u < HP_GH_DIAGS; ++u) G->shift[u] = (int)H->shift[u];
  memcpy(G->ld, H->ld, sizeof G->ld);
  memcpy(G->first, H->first, sizeof G->first);
  memcpy(G->width, H->width, sizeof G->width);
  const int groups = (int)hp_parts(G->blocks[0], step - 1);
  return step * (groups > G->blocks[1] ? groups : G->blocks[1]);
}

#endif
