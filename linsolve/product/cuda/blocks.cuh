/* The kernels of linsolve/product/cuda/blocks.cu, to be launched: `hepta bench`, and solves
 * (linsolve/krylov/baselines/matrix.cu). */
#ifndef HP_LINSOLVE_PRODUCT_CUDA_BLOCKS_CUH
#define HP_LINSOLVE_PRODUCT_CUDA_BLOCKS_CUH

#include "core/device/device.h"
#include "linsolve/bsr/device.h"
#include "linsolve/product/device.h"

enum { HP_BLOCKS_THREADS = 256 };

/* Arguments of the kernel of all pieces, before x and y. */
struct spmv_blocks {
  const int32_t *begin; /* [pieces+1] */
  const int32_t *column;
  const double *value;
  const int32_t *piece_row; /* NULL: piece n is row n */
  double *partial;
  int pieces, q;
  hp_divisor by_q;
  hp_bsr_order order;
};

/* Those of the kernel that adds the pieces of cut rows, before y. */
struct spmv_blocks_long {
  const int32_t *row, *begin;
  const double *partial;
  int64_t count;
  int q;
};

spmv_blocks hp_blocks_of(const hp_bsr_device *B);
spmv_blocks_long hp_blocks_long_of(const hp_bsr_device *B);

/* The kernels and their blocks of HP_BLOCKS_THREADS. unroll, way: as in hp_spmv_job; NULL: that way has none for this q. The
 * second is needed where rows are cut (nlong > 0). */
const void *hp_blocks_kernel(const hp_bsr_device *B, int unroll, hp_blocks_way way, int64_t *blocks);
const void *hp_blocks_long_kernel(const hp_bsr_device *B, int64_t *blocks);

/* Of linsolve/product/cuda/tiles.cu. */
const void *hp_blocks_tiles_kernel(int q, bool ahead, int64_t pieces, int64_t *blocks);

/* y, or the partial sums, of a piece. */
static __device__ __forceinline__ double *hp_blocks_rows_of(const spmv_blocks &A, int piece, int q, double *y) {
  const int m = A.piece_row != NULL ? A.piece_row[piece] : piece;
  return m >= 0 ? y + (int64_t)m * q : A.partial + (int64_t)(-1 - m) * q;
}

#endif
