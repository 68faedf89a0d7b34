/* Private to linsolve/product/cuda: a matrix ready to multiply on the GPU, one launch per product, for
 * bench/product/device.h. A family of formats a file:
 *
 *   device.cu            places copies of the matrix, times graphs of products
 *   gh.cu, .cuh          GH in its layouts
 *   half.cu, .cuh        GH-h
 *   blocks.cu, .cuh      block rows (linsolve/bsr/bsr.h)
 *   columns.cu, .cuh     dia, sg-dia, ell, hyb, hec
 *   library.cu           csr, bsr, sell by cuSPARSE
 *   rows.cu              csr, sell by kernels of this program
 *   border.cu, .cuh      the wells' rows and columns: lists, device functions, a kernel of its own
 *   load.cuh             loads
 *
 * Beside them team.cu launches the product that solves have.
 */
#ifndef HP_BENCH_PRODUCT_CUDA_PRODUCT_CUH
#define HP_BENCH_PRODUCT_CUDA_PRODUCT_CUH

#include <cusparse.h>

#include "bench/product/device.h"
#include "core/compile/device.h"
#include "core/memory.h"
#include "linsolve/product/cuda/border.cuh"

enum { HP_SPMV_ARRAYS_MAX = 24, HP_SPMV_COPIES_MAX = 256 };

/* Arrays of the host that stand behind each other in every copy on the device. */
typedef struct hp_spmv_image {
  int count;
  const void *host[HP_SPMV_ARRAYS_MAX];
  int64_t bytes[HP_SPMV_ARRAYS_MAX], offset[HP_SPMV_ARRAYS_MAX], size;
} hp_spmv_image;

/* A matrix ready to multiply. */
struct hp_spmv_product {
  hp_device *D;
  const hp_spmv_job *J;
  cudaStream_t stream;
  hp_spmv_image I;
  char *memory; /* [copies][I.size] */
  int copies;
  int64_t n;
  int x, y, value, index[8], border[8], link[4]; /* numbers of arrays in the image */
  spmv_border B;
  int32_t *list[5];      /* host: what the border is made of */
  int nlist, longest;    /* longest run, in rows */
  int threads, blocks;   /* of a block; blocks of the cells */
  hp_compiled *compiled; /* GH's kernel for this matrix; NULL: the build's */
  cusparseHandle_t sparse;
  cusparseSpMatDescr_t matrix[HP_SPMV_COPIES_MAX];
  cusparseDnVecDescr_t vector[2][HP_SPMV_COPIES_MAX];
  void *buffer[HP_SPMV_COPIES_MAX];
  cudaGraphExec_t graph; /* of products, and which copy the last one has */
  int last;
};

/* Puts an array of the host into the image; its number there. */
static inline int hp_spmv_put(hp_spmv_image *I, const void *host, int64_t bytes) {
  const int n = I->count++;
  I->host[n] = host;
  I->bytes[n] = bytes;
  I->offset[n] = I->size;
  I->size += (bytes + 255) / 256 * 256;
  return n;
}

/* An array of the image in one of the copies. */
template <class T>
static inline T *hp_spmv_at(const hp_spmv_product *P, int copy, int array) {
  return (T *)(void *)(P->memory + copy * P->I.size + P->I.offset[array]);
}

static inline hp_status hp_spmv_launch(const hp_spmv_product *P, const void *kernel, int blocks, void **args,
                                       size_t shared) {
  HP_CUDA_TRY(P->D,
              cudaLaunchKernel(kernel, dim3((unsigned)blocks), dim3((unsigned)P->threads), args, shared, P->stream));
  return HP_OK;
}

/* Put the lists of the wells' border into the image: of GH in blocks of `length` rows (0: one list for all), of GH-h in
 * blocks of length[0] rows of the even cells and length[1] of the odd ones. */
hp_status hp_spmv_put_border_gh(hp_spmv_product *P, const hp_gh *A, int64_t length) HP_MUST_USE;
hp_status hp_spmv_put_border_half(hp_spmv_product *P, const hp_half *H, const int64_t length[2]) HP_MUST_USE;

/* The border in one of the copies, as kernels take it. */
spmv_border hp_spmv_border_of(const hp_spmv_product *P, int copy);

/* Adds it to a product without it, of GH with one list for all. */
hp_status hp_spmv_border_run(const hp_spmv_product *P, int copy) HP_MUST_USE;

/* Each family of formats: `prepare` puts the arrays into the image, `run` launches a product with one of the copies. */
hp_status hp_spmv_gh_prepare(hp_spmv_product *P) HP_MUST_USE;
hp_status hp_spmv_gh_run(const hp_spmv_product *P, int copy) HP_MUST_USE;
hp_status hp_spmv_half_prepare(hp_spmv_product *P) HP_MUST_USE;
hp_status hp_spmv_half_run(const hp_spmv_product *P, int copy) HP_MUST_USE;
hp_status hp_spmv_blocks_prepare(hp_spmv_product *P) HP_MUST_USE;
hp_status hp_spmv_blocks_run(const hp_spmv_product *P, int copy) HP_MUST_USE;
hp_status hp_spmv_columns_prepare(hp_spmv_product *P) HP_MUST_USE;
hp_status hp_spmv_columns_run(const hp_spmv_product *P, int copy) HP_MUST_USE;
hp_status hp_spmv_rows_prepare(hp_spmv_product *P) HP_MUST_USE;
hp_status hp_spmv_rows_run(const hp_spmv_product *P, int copy) HP_MUST_USE;

/* cuSPARSE also has descriptors of every copy: `start` makes them when the copies are in place, `stop` ends them. */
hp_status hp_spmv_library_prepare(hp_spmv_product *P) HP_MUST_USE;
hp_status hp_spmv_library_start(hp_spmv_product *P) HP_MUST_USE;
hp_status hp_spmv_library_run(const hp_spmv_product *P, int copy) HP_MUST_USE;
void hp_spmv_library_stop(hp_spmv_product *P);

#endif
