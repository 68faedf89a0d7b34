/* The kernels of linsolve/product/cuda/blocks.cu, for `hepta bench` and for solves
 * (linsolve/krylov/host_driven/baselines/matrix.cu). */
#ifndef HP_LINSOLVE_PRODUCT_CUDA_BLOCKS_CUH
#define HP_LINSOLVE_PRODUCT_CUDA_BLOCKS_CUH

#include "core/device/device.h"
#include "linsolve/bsr/device.h"

enum { HP_BLOCKS_THREADS = 256 /* of a block, unless there are fewer */ };

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

/* Arguments of the kernel that adds the pieces of cut rows, before y. */
struct spmv_blocks_long {
  const int32_t *row, *begin;
  const double *partial;
  int64_t count;
  int q;
};

spmv_blocks hp_blocks_of(const hp_bsr_device *B);
spmv_blocks_long hp_blocks_long_of(const hp_bsr_device *B);

/* The threads per block of the kernel of all pieces: `wanted`, or its default if that is 0. */
int hp_blocks_threads(const hp_bsr *B, int wanted);

/* The kernels, and the number of their blocks of so many threads. unroll is that of hp_spmv_job. Cut rows (nlong > 0)
 * need the second kernel, too. */
const void *hp_blocks_kernel(const hp_bsr_device *B, int unroll, int threads, int64_t *blocks);
const void *hp_blocks_long_kernel(const hp_bsr_device *B, int threads, int64_t *blocks);

#endif
