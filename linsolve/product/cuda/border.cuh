/* The wells' rows and columns in a kernel of a product (bench/product/cuda/product.cuh).
 *
 * All kernels of matrices with GH's border begin with blocks that sum the wells' rows, a warp a well; the other
 * blocks have cells, so that the perforations in them are one stretch of a list (spmv_border, which
 * bench/product/cuda/border.cu makes).
 */
#ifndef HP_LINSOLVE_PRODUCT_CUDA_BORDER_CUH
#define HP_LINSOLVE_PRODUCT_CUDA_BORDER_CUH

#include <cuda_runtime.h>
#include <stdint.h>

typedef struct spmv_border_plain {
  int nwell, blocks;        /* blocks: those of the wells' rows, first in the grid */
  int64_t rows;             /* of the cells */
  const int32_t *begin;     /* [nwell+1] first entry of a well in w */
  const int32_t *entry_row; /* [entries] row of x that it multiplies */
  const double *w, *wt, *dd;
  /* what each block of the cells' kernel has of the wells' runs, in the order of the runs */
  const int2 *piece_of; /* [blocks of cells] first piece and the one after the last */
  const int4 *piece;    /* first row, row after the last (as the kernel counts rows), place of the first row's value
                           in wt, well */
} spmv_border_plain;

#if defined(HP_CONSTANT_WELL_BLOCKS)
/* Constants hide the variables in a kernel compiled for one matrix (linsolve/stencil/stencil.h). */
struct spmv_border : spmv_border_plain {
  static constexpr int nwell = HP_CONSTANT_NWELL, blocks = HP_CONSTANT_WELL_BLOCKS;
  static constexpr int64_t rows = HP_CONSTANT_ROWS;
};
#else
typedef spmv_border_plain spmv_border;
#endif

/* Row of a well, by a warp: entries go to the lanes cyclically, then a tree adds the lanes, as in hp_gh_well_row. */
__device__ __forceinline__ void spmv_well_row(const spmv_border &B, int w, const double *x, double *y) {
  const int lane = threadIdx.x & 31, begin = B.begin[w], end = B.begin[w + 1];
  double sum = 0.0;
#pragma unroll 4
  for (int e = begin + lane; e < end; e += 32) sum += B.w[e] * x[B.entry_row[e]];
#pragma unroll
  for (int apart = 16; apart > 0; apart >>= 1) sum += __shfl_down_sync(0xffffffffu, sum, apart);
  if (lane == 0) y[B.rows + w] = sum + B.dd[w] * x[B.rows + w];
}

/* Computes the wells' rows of this block; false if it has none. */
__device__ __forceinline__ bool spmv_wells(const spmv_border &B, const double *x, double *y) {
  if ((int)blockIdx.x >= B.blocks) return false;
  const int w = blockIdx.x * (blockDim.x >> 5) + (threadIdx.x >> 5);
  if (w < B.nwell) spmv_well_row(B, w, x, y);
  return true;
}

/* The wells' columns in rows i .. i+R-1 of one cell. Their loads are issued after those of the matrix, so that the one
 * well that most perforated cells have is loaded while the matrix is in flight. */
template <int R>
struct spmv_columns {
  int2 pieces; /* of the block */
  int first;   /* the piece that has the rows, -1: none */
  double wt[R], xw;
};

/* Place in wt of row i of a piece of cells with Q rows; gap: values between two of these cells (GH-h). */
__device__ __forceinline__ int spmv_slot(int Q, int gap, const int4 &piece, int i) {
  const int d = i - piece.x;
  return piece.z + d + (gap > 0 ? d / Q * gap : 0);
}

/* Is called first in a kernel and does not wait for its loads. */
__device__ __forceinline__ int2 spmv_pieces(const spmv_border &B, int block) {
  int2 p = make_int2(0, 0);
  if (B.nwell > 0) p = __ldg(B.piece_of + block);
  return p;
}

template <int R>
__device__ __forceinline__ spmv_columns<R> spmv_columns_begin(const spmv_border &B, int2 pieces, int i, const double *x,
                                                              int Q = 1, int gap = 0) {
  spmv_columns<R> c;
  c.pieces = pieces;
  c.first = -1;
  c.xw = 0.0;
#pragma unroll
  for (int j = 0; j < R; ++j) c.wt[j] = 0.0;
  for (int n = pieces.x; n < pieces.y; ++n) {
    const int4 piece = __ldg(B.piece + n);
    if (i < piece.x || i >= piece.y) continue;
    const double *wt = B.wt + spmv_slot(Q, gap, piece, i);
    c.first = n;
    c.xw = x[B.rows + piece.w];
#pragma unroll
    for (int j = 0; j < R; ++j) c.wt[j] = wt[j];
    break;
  }
  return c;
}

/* Adds them; more than one well in a cell is rare. */
template <int R>
__device__ __forceinline__ void spmv_columns_end(const spmv_border &B, const spmv_columns<R> &c, int i, const double *x,
                                                 double *sum, int Q = 1, int gap = 0) {
  if (c.first < 0) return;
#pragma unroll
  for (int j = 0; j < R; ++j) sum[j] += c.wt[j] * c.xw;
  for (int n = c.first + 1; n < c.pieces.y; ++n) {
    const int4 piece = B.piece[n];
    if (i < piece.x || i >= piece.y) continue;
    const int at = spmv_slot(Q, gap, piece, i);
#pragma unroll
    for (int j = 0; j < R; ++j) sum[j] += B.wt[at + j] * x[B.rows + piece.w];
  }
}

#endif
