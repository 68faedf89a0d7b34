/* The kernels of linsolve/product/cuda/blocks.cu, to be launched: `hepta bench`, and solves
 * (linsolve/krylov/baselines/matrix.cu). */
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

/* Those of the kernel that adds the pieces of cut rows, before y. */
struct spmv_blocks_long {
  const int32_t *row, *begin;
  const double *partial;
  int64_t count;
  int q;
};

spmv_blocks hp_blocks_of(const hp_bsr_device *B);
spmv_blocks_long hp_blocks_long_of(const hp_bsr_device *B);

/* Threads of a block of the kernel of all pieces where `wanted` are asked for, 0: as it likes. */
int hp_blocks_threads(const hp_bsr *B, int wanted);

/* The kernels and their blocks of so many threads. unroll: as in hp_spmv_job. The second is needed
 * where rows are cut (nlong > 0). */
const void *hp_blocks_kernel(const hp_bsr_device *B, int unroll, int threads, int64_t *blocks);
const void *hp_blocks_long_kernel(const hp_bsr_device *B, int threads, int64_t *blocks);

#endif
