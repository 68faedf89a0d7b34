/* The formats of linsolve/matrix/sparse.h in solves on a GPU: filled there from GH in every set-up, multiplied by the
 * kernels of linsolve/product/cuda/columns.cuh, or by cuSPARSE (csr, sell). bsr is cuSPARSE's in the execution library, else
 * the block rows of linsolve/bsr/bsr.h. A separate kernel adds the wells' borders from GH's arrays for formats without
 * them. Matrices that are not GH are copied as they are. */
#include <cusparse.h>
#include <stdlib.h>
#include <string.h>

#include "core/device/cuda/cusparse.cuh"
#include "core/memory.h"
#include "linsolve/bsr/fill.inl.h"
#include "linsolve/krylov/host_driven/execution.cuh"
#include "linsolve/matrix/sparse_fill.inl.h"
#include "linsolve/product/cuda/blocks.cuh"
#include "linsolve/product/cuda/columns.cuh"
#include "linsolve/sgdia/cuda/launch.cuh"

enum { THREADS = 256, LONG_ROW = 64, PIECE = 32 /* blocks: rows of more are cut into such pieces */ };

struct hp_exec_matrix {
  hp_device *D;
  bool by_blocks; /* with `blocks`; else with F */
  hp_bsr_device blocks;
  int unroll, threads;      /* of their products, those of the tune file where it has some */
  const hp_sparse *product; /* not NULL: not GH, the caller's */
  void *other;              /* of product->other; NULL: none */
  hp_sparse *host;          /* the pattern; its values stay zero */
  hp_sparse F;              /* pointers to the device */
  bool tuned; /* sg-dia: the tune file has a launch, `shape`, for `stencil`, F as products with stencils have it */
  hp_kernel_shape shape;
  hp_sgdia stencil;
  hp_compiled *compiled; /* its kernel; NULL: the build's */
  cusparseHandle_t sparse;
  cusparseSpMatDescr_t matrix;
  cusparseDnVecDescr_t x, y;
  void *buffer;
};

/* ---- kernels ---- */

static __global__ void __launch_bounds__(THREADS)
    fill_kernel(const __grid_constant__ hp_sparse F, const __grid_constant__ hp_gh A) {
  const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < F.rows) hp_sparse_fill_row(&F, &A, i);
}

static __global__ void __launch_bounds__(THREADS)
    fill_blocks_kernel(const __grid_constant__ hp_bsr B, const __grid_constant__ hp_gh A) {
  const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < B.nrow * B.q) hp_bsr_fill_row(&B, &A, i);
}

/* Adds the wells' columns to row a of cell m, which is in run r: all runs of the cell, by the first of them. */
static __device__ __forceinline__ void add_wells(const hp_gh *A, int r, int64_t m, int a, const double *x, double *y) {
  const hp_gh_wells *W = &A->wells;
  bool first = true;
  double sum = y[m * A->q + a];
  for (int s = W->d[m / A->nz]; s >= 0; s = W->next[s]) {
    const int64_t n = m - W->b[s];
    if (n < 0 || n >= W->c[s]) continue;
    if (first && s != r) return;
    first = false;
    sum += W->wt[(W->a[s] + n) * A->q + a] * x[A->rows + W->of[s]];
  }
  y[m * A->q + a] = sum;
}

/* y += WT x_w in the cells, one run per block; y_w = W x + D x_w, one well per warp in the blocks before. */
static __global__ void __launch_bounds__(THREADS)
    border_kernel(const __grid_constant__ hp_gh A, int well_blocks, const double *x, double *y) {
#if defined(__CUDA_ARCH__)
  const hp_gh_wells *W = &A.wells;
  if ((int)blockIdx.x < well_blocks) {
    const int w = (int)((blockIdx.x * blockDim.x + threadIdx.x) >> 5);
    if (w >= W->nwell) return;
    const double sum = hp_gh_well_dot_cuda(&A, w, W->w, x);
    if ((threadIdx.x & 31) == 0) y[A.rows + w] = sum + W->dd[w] * x[A.rows + w];
    return;
  }
  const int r = (int)blockIdx.x - well_blocks;
  for (int64_t e = threadIdx.x; e < (int64_t)W->c[r] * A.q; e += blockDim.x)
    add_wells(&A, r, W->b[r] + e / A.q, (int)(e % A.q), x, y);
#endif
}

/* A kernel of a product. */
static hp_status launch(hp_execution *E, const void *kernel, int64_t blocks, void **args) {
  return hp_exec_launch(E, kernel, blocks, THREADS, args, 0, "multiplying by the matrix");
}

/* ---- the pattern ---- */

/* Wells of the device's matrix: their cells, well after well. */
static hp_status copy_wells(hp_device *D, const hp_gh *A, hp_gh *shape) {
  const hp_gh_wells *W = &A->wells;
  int32_t *run_begin = NULL, *c = NULL;
  int64_t *b = NULL, *begin = NULL, *cell = NULL;
  hp_status s = HP_ALLOC(run_begin, W->nwell + 1);
  if (s == HP_OK) s = HP_ALLOC(c, W->nrun);
  if (s == HP_OK) s = HP_ALLOC(b, W->nrun);
  if (s == HP_OK) s = HP_ALLOC(begin, W->nwell + 1);
  if (s == HP_OK) s = HP_ALLOC(cell, W->nperf);
  if (s == HP_OK) s = hp_device_download(D, run_begin, W->run_begin, (W->nwell + 1) * (int64_t)sizeof *run_begin);
  if (s == HP_OK) s = hp_device_download(D, c, W->c, W->nrun * (int64_t)sizeof *c);
  if (s == HP_OK) s = hp_device_download(D, b, W->b, W->nrun * (int64_t)sizeof *b);
  if (s == HP_OK) {
    for (int w = 0; w < W->nwell; ++w) {
      begin[w + 1] = begin[w];
      for (int r = run_begin[w]; r < run_begin[w + 1]; ++r)
        for (int64_t n = 0; n < c[r]; ++n) cell[begin[w + 1]++] = b[r] + n;
    }
    s = hp_gh_set_wells(shape, W->nwell, begin, cell, NULL);
  }
  HP_FREE(run_begin);
  HP_FREE(c);
  HP_FREE(b);
  HP_FREE(begin);
  HP_FREE(cell);
  return s;
}

/* Connections of the device's matrix beyond the diagonals. */
static hp_status get_links(hp_device *D, const hp_gh *A, hp_gh *shape) {
  const int64_t word = sizeof(int64_t), count = A->links.count / 2;
  hp_links L;
  int64_t *a = NULL, *b = NULL;
  memset(&L, 0, sizeof L);
  L.nrow = A->links.nrow;
  L.count = A->links.count;
  hp_status s = HP_ALLOC(L.cell, L.nrow);
  if (s == HP_OK) s = HP_ALLOC(L.begin, L.nrow + 1);
  if (s == HP_OK) s = HP_ALLOC(L.other, L.count);
  if (s == HP_OK) s = HP_ALLOC(L.of, L.count);
  if (s == HP_OK) s = HP_ALLOC(a, count);
  if (s == HP_OK) s = HP_ALLOC(b, count);
  if (s == HP_OK) s = hp_device_download(D, L.cell, A->links.cell, L.nrow * word);
  if (s == HP_OK) s = hp_device_download(D, L.begin, A->links.begin, (L.nrow + 1) * word);
  if (s == HP_OK) s = hp_device_download(D, L.other, A->links.other, L.count * word);
  if (s == HP_OK) s = hp_device_download(D, L.of, A->links.of, L.count * word);
  if (s == HP_OK) {
    hp_links_pairs(&L, a, b);
    s = hp_gh_set_links(shape, count, a, b);
  }
  hp_links_destroy(&L);
  HP_FREE(a);
  HP_FREE(b);
  return s;
}

static hp_status create_blocks(hp_exec_matrix *M, const hp_gh *shape) {
  hp_bsr *B = NULL;
  HP_TRY(hp_bsr_pattern(shape, &B));
  hp_status s = hp_bsr_longest_row(B) > LONG_ROW ? hp_bsr_cut(B, PIECE) : HP_OK;
  if (s == HP_OK) s = hp_bsr_device_upload(M->D, B, false, &M->blocks);
  hp_bsr_destroy(&B);
  return s;
}

static hp_status create_pattern(hp_exec_matrix *M, const hp_gh *A, hp_sparse_kind kind) {
  hp_gh *shape = NULL;
  HP_TRY(hp_gh_create(A->nx, A->ny, A->nz, A->q, &shape));
  hp_status s = A->wells.nwell > 0 ? copy_wells(M->D, A, shape) : HP_OK;
  if (s == HP_OK && hp_gh_is_linked(A)) s = get_links(M->D, A, shape);
  if (s == HP_OK) s = M->by_blocks ? create_blocks(M, shape) : hp_sparse_create(shape, NULL, kind, &M->host);
  hp_gh_destroy(&shape);
  return s;
}

/* A device copy of an array of the pattern, if there is one. */
template <class T>
static hp_status copy(hp_device *D, T **to, const T *from, int64_t count, const char *what) {
  *to = NULL;
  if (from == NULL || count == 0) return HP_OK;
  HP_TRY(hp_device_alloc(D, (void **)to, count, sizeof *from, what));
  return hp_device_upload(D, *to, from, count * (int64_t)sizeof *from);
}

static int64_t begins(const hp_sparse *H) {
  return 1 + (H->kind == HP_SPARSE_BSR    ? H->ncell
              : H->kind == HP_SPARSE_SELL ? hp_parts(H->rows, HP_SPARSE_SLICE)
                                          : H->rows);
}

static const hp_sparse *pattern_of(const hp_exec_matrix *M) { return M->product != NULL ? M->product : M->host; }

static hp_status upload(hp_exec_matrix *M) {
  const hp_sparse *H = pattern_of(M);
  hp_sparse *F = &M->F;
  hp_device *D = M->D;
  const int64_t columns = H->kind == HP_SPARSE_BSR ? H->count / ((int64_t)H->q * H->q) : H->count;
  const int64_t diagonals = HP_GH_DIAGS * (int64_t)(H->kind == HP_SPARSE_DIA ? 2 * H->q - 1 : 1);
  *F = *H;
  F->stencil = NULL;
  F->begin = F->column = F->offset = F->diagonal = F->rest_begin = F->rest_row = F->rest_column = NULL;
  F->value = F->rest_value = NULL;
  HP_TRY(copy(D, &F->stencil, H->stencil, H->ncell, "pattern of the matrix"));
  HP_TRY(copy(D, &F->begin, H->begin, begins(H), "rows of the matrix"));
  HP_TRY(copy(D, &F->column, H->column, columns, "columns of the matrix"));
  HP_TRY(copy(D, &F->offset, H->offset, H->width, "diagonals of the matrix"));
  HP_TRY(copy(D, &F->diagonal, H->diagonal, diagonals, "diagonals of the matrix"));
  HP_TRY(copy(D, &F->rest_begin, H->rest_begin, H->rows + 1, "rest of the matrix"));
  HP_TRY(copy(D, &F->rest_row, H->rest_row, H->rest, "rest of the matrix"));
  HP_TRY(copy(D, &F->rest_column, H->rest_column, H->rest, "rest of the matrix"));
  HP_TRY(hp_device_alloc(D, (void **)&F->rest_value, H->rest, sizeof *F->rest_value, "rest of the matrix"));
  return hp_device_alloc(D, (void **)&F->value, H->count, sizeof *F->value, "values of the matrix");
}

/* The launch of sg-dia that the tune file has. */
static void find_launch(hp_exec_matrix *M, const hp_gh *A) {
  const hp_sparse *F = &M->F;
  hp_sgdia *G = &M->stencil;
  char name[HP_SGDIA_NAME_MAX];
  G->size[0] = A->nz;
  G->size[1] = A->ny;
  G->size[2] = A->nx;
  G->q = F->q;
  G->points = F->width;
  for (int d = 0; d < F->width; ++d) {
    G->offset[d] = M->host->offset[d];
    G->shift[d][0] = A->nz > 1 && abs(G->offset[d]) == 1 ? G->offset[d] : 0;
  }
  G->ncell = F->ncell;
  G->n = G->ld = F->rows;
  G->value = F->value;
  hp_sgdia_kernel_name(G, name, sizeof name);
  M->tuned = hp_device_find_kernel(M->D, name, G->n, &M->shape);
  if (!M->tuned) return;
  M->shape = hp_sgdia_possible_shape(G, &M->shape);
  if (hp_sgdia_compile(M->D, G, &M->shape, &M->compiled) != HP_OK) M->compiled = NULL; /* the build's is as right */
}

/* The same of block rows. Bits stay: where rows are cut does not depend on the file. */
static void find_blocks_launch(hp_exec_matrix *M) {
  const hp_bsr *B = &M->blocks.B;
  char name[HP_BSR_NAME_MAX];
  hp_kernel_shape shape = hp_bsr_usual_shape(B->q);
  hp_bsr_kernel_name(B->q, NULL, name, sizeof name);
  (void)hp_device_find_kernel(M->D, name, B->nrow * B->q, &shape);
  M->unroll = hp_bsr_unroll_of(&shape);
  M->threads = hp_blocks_threads(B, shape.threads);
}

/* ---- cuSPARSE ---- */

static bool by_cusparse(const hp_exec_matrix *M) {
  const hp_sparse_kind kind = M->F.kind;
  return !M->by_blocks && (kind == HP_SPARSE_CSR || kind == HP_SPARSE_BSR || kind == HP_SPARSE_SELL);
}

static const double one = 1.0, zero = 0.0;
static const cusparseOperation_t as_is = CUSPARSE_OPERATION_NON_TRANSPOSE;

static hp_status describe(hp_exec_matrix *M) {
  const hp_sparse *F = &M->F;
  const cusparseIndexType_t i32 = CUSPARSE_INDEX_32I;
  const int64_t q2 = (int64_t)F->q * F->q;
  int64_t entries = 0; /* that are no padding */
  if (F->kind == HP_SPARSE_CSR)
    return hp_cusparse_check(cusparseCreateCsr(&M->matrix, F->rows, F->n, F->count, F->begin, F->column, F->value, i32,
                                               i32, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F),
                             "matrix as csr");
  if (F->kind == HP_SPARSE_BSR && F->q == 1)
    return hp_fail(HP_ERR_UNSUPPORTED,
                   "cuSPARSE takes bsr with blocks of 2 x 2 and larger only: use csr, or the execution per-operation");
  if (F->kind == HP_SPARSE_BSR)
    return hp_cusparse_check(
        cusparseCreateBsr(&M->matrix, F->ncell, F->ncell, F->count / q2, F->q, F->q, F->begin, F->column, F->value, i32,
                          i32, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F, CUSPARSE_ORDER_ROW),
        "matrix as bsr");
  for (int64_t p = 0; p < F->count; ++p) entries += pattern_of(M)->column[p] >= 0;
  return hp_cusparse_check(
      cusparseCreateSlicedEll(&M->matrix, F->rows, F->n, entries, F->count, HP_SPARSE_SLICE, F->begin, F->column,
                              F->value, i32, i32, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F),
      "matrix as sell");
}

/* The vectors' addresses are set for each product; the values' address is arbitrary until then. */
static hp_status start_cusparse(hp_exec_matrix *M) {
  const int64_t n = M->F.kind == HP_SPARSE_BSR ? M->F.ld : M->F.n;
  size_t bytes = 0;
  double *any = NULL;
  HP_CUSPARSE_TRY(cusparseCreate(&M->sparse));
  HP_CUSPARSE_TRY(cusparseSetStream(M->sparse, hp_device_stream(M->D)));
  HP_TRY(describe(M));
  HP_TRY(hp_device_alloc(M->D, (void **)&any, 2 * n, sizeof *any, "vectors of cuSPARSE"));
  hp_status s = hp_cusparse_check(cusparseCreateDnVec(&M->x, n, any, CUDA_R_64F), "vector");
  if (s == HP_OK) s = hp_cusparse_check(cusparseCreateDnVec(&M->y, n, any + n, CUDA_R_64F), "vector");
  if (s == HP_OK)
    s = hp_cusparse_check(cusparseSpMV_bufferSize(M->sparse, as_is, &one, M->matrix, M->x, &zero, M->y, CUDA_R_64F,
                                                  CUSPARSE_SPMV_ALG_DEFAULT, &bytes),
                          "size of the workspace");
  if (s == HP_OK) s = hp_device_alloc(M->D, &M->buffer, (int64_t)bytes + 1, 1, "workspace of cuSPARSE");
  if (s == HP_OK)
    s = hp_cusparse_check(cusparseSpMV_preprocess(M->sparse, as_is, &one, M->matrix, M->x, &zero, M->y, CUDA_R_64F,
                                                  CUSPARSE_SPMV_ALG_DEFAULT, M->buffer),
                          "analysis of the matrix");
  if (s == HP_OK) s = hp_device_sync(M->D);
  hp_device_free(M->D, &any);
  return s;
}

static hp_status multiply_cusparse(hp_exec_matrix *M, const double *x, double *y, int64_t *launches) {
  *launches += 1;
  HP_CUSPARSE_TRY(cusparseDnVecSetValues(M->x, (void *)x));
  HP_CUSPARSE_TRY(cusparseDnVecSetValues(M->y, y));
  return hp_cusparse_check(cusparseSpMV(M->sparse, as_is, &one, M->matrix, M->x, &zero, M->y, CUDA_R_64F,
                                        CUSPARSE_SPMV_ALG_DEFAULT, M->buffer),
                           "product");
}

/* ---- products by the kernels here ---- */

static spmv_columns_of columns_of(const hp_exec_matrix *M) {
  const hp_sparse *F = &M->F;
  spmv_columns_of C;
  memset(&C, 0, sizeof C);
  C.value = F->value;
  C.column = F->column;
  C.rest_begin = F->rest_begin;
  C.rest_row = F->rest_row;
  C.rest_column = F->rest_column;
  C.rest_value = F->rest_value;
  C.rows = F->rows;
  C.width = F->width;
  C.q = F->q;
  C.ncell = (int)F->ncell;
  C.rest = (int)F->rest;
  C.nwell = (int)(F->n - F->ld);
  for (int d = 0; d < F->width && pattern_of(M)->offset != NULL; ++d) C.offset[d] = pattern_of(M)->offset[d];
  return C;
}

static hp_status multiply_tuned(hp_execution *E, const double *x, double *y) {
  const hp_exec_matrix *M = E->F;
  hp_sgdia_launch L = hp_sgdia_launch_of(&M->stencil, &M->shape, hp_device_get_info(M->D)->multiprocessors, x, y);
  if (M->compiled != NULL) L.kernel = hp_compiled_handle(M->compiled);
  void *args[] = {&L.args, &L.tiles};
  return hp_exec_launch(E, L.kernel, L.blocks, L.threads, args, L.shared, "multiplying by the matrix");
}

static hp_status multiply(hp_execution *E, const double *x, double *y) {
  hp_exec_matrix *M = E->F;
  if (M->tuned) return multiply_tuned(E, x, y);
  const hp_sparse *F = &M->F;
  spmv_columns_of C = columns_of(M);
  spmv_border none;
  memset(&none, 0, sizeof none);
  int well_blocks = (int)hp_parts(C.nwell, THREADS / 32);
  void *cells[] = {&C, &none, &x, &y}, *all[] = {&C, &x, &y}, *hec[] = {&C, &well_blocks, &x, &y};
  const int64_t blocks = hp_parts(F->rows, THREADS);
  switch (F->kind) {
    case HP_SPARSE_DIA: return launch(E, (const void *)spmv_dia, blocks, cells);
    case HP_SPARSE_SGDIA: return launch(E, (const void *)spmv_sgdia, blocks, cells);
    case HP_SPARSE_ELL: return launch(E, (const void *)spmv_ell, blocks, cells);
    case HP_SPARSE_HEC: return launch(E, (const void *)spmv_hec, well_blocks + hp_parts(F->ld, THREADS), hec);
    default: break;
  }
  HP_TRY(launch(E, (const void *)spmv_hyb, blocks, all));
  if (F->rest == 0) return HP_OK;
  return launch(E, (const void *)spmv_hyb_rest, hp_parts(F->rest, THREADS), all);
}

static hp_status multiply_blocks(hp_execution *E, const double *x, double *y) {
  const hp_bsr_device *B = &E->F->blocks;
  spmv_blocks rows = hp_blocks_of(B);
  spmv_blocks_long sums = hp_blocks_long_of(B);
  void *rows_args[] = {&rows, &x, &y}, *sums_args[] = {&sums, &y};
  int64_t blocks;
  const int threads = E->F->threads;
  const void *kernel = hp_blocks_kernel(B, E->F->unroll, threads, &blocks);
  HP_TRY(hp_exec_launch(E, kernel, blocks, threads, rows_args, 0, "multiplying by the matrix"));
  if (B->B.nlong == 0) return HP_OK;
  kernel = hp_blocks_long_kernel(B, THREADS, &blocks);
  return launch(E, kernel, blocks, sums_args);
}

/* A matrix that is not GH. */
static hp_status multiply_product(hp_execution *E, const double *x, double *y) {
  hp_exec_matrix *M = E->F;
  const hp_sparse *F = M->product;
  if (F->kind == HP_SPARSE_GH) HP_TRY(F->other->device->multiply(E, M->other, x, y));
  else if (M->by_blocks) HP_TRY(multiply_blocks(E, x, y));
  else HP_TRY(by_cusparse(M) ? multiply_cusparse(M, x, y, &E->launches) : multiply(E, x, y));
  return M->other != NULL ? F->other->device->add_border(E, M->other, x, y) : HP_OK;
}

hp_status hp_exec_matrix_mul(hp_execution *E, const double *x, double *y) {
  hp_exec_matrix *M = E->F;
  const hp_gh *A = &E->args.A;
  if (M->product != NULL) return multiply_product(E, x, y);
  if (M->by_blocks) HP_TRY(multiply_blocks(E, x, y));
  else HP_TRY(by_cusparse(M) ? multiply_cusparse(M, x, y, &E->launches) : multiply(E, x, y));
  if (A->wells.nwell == 0 || (!M->by_blocks && hp_sparse_holds_wells(M->F.kind))) return HP_OK;
  int well_blocks = (int)hp_parts(A->wells.nwell, THREADS / 32);
  void *args[] = {&E->args.A, &well_blocks, &x, &y};
  return launch(E, (const void *)border_kernel, well_blocks + A->wells.nrun, args);
}

hp_status hp_exec_matrix_fill(hp_exec_matrix *M, const hp_gh *A) {
  void *sparse[] = {&M->F, (void *)A}, *blocks[] = {&M->blocks.B, (void *)A};
  const int64_t rows = M->by_blocks ? M->blocks.B.nrow * M->blocks.B.q : M->F.rows;
  const void *kernel = M->by_blocks ? (const void *)fill_blocks_kernel : (const void *)fill_kernel;
  if (M->product != NULL) return HP_OK;
  return hp_device_check(M->D,
                         cudaLaunchKernel(kernel, dim3((unsigned)hp_parts(rows, THREADS)), dim3(THREADS),
                                          M->by_blocks ? blocks : sparse, 0, hp_device_stream(M->D)),
                         "storing the matrix in another format");
}

/* ---- creation ---- */

static hp_status create(hp_exec_matrix *M, const hp_gh *A, hp_sparse_kind kind) {
  HP_TRY(create_pattern(M, A, kind));
  if (M->by_blocks) return HP_OK;
  HP_TRY(upload(M));
  return by_cusparse(M) ? start_cusparse(M) : HP_OK;
}

hp_status hp_exec_matrix_create(hp_device *D, const hp_gh *A, hp_sparse_kind kind, bool library, hp_exec_matrix **out) {
  hp_exec_matrix *M = NULL;
  HP_TRY(hp_alloc((void **)&M, 1, sizeof *M, "matrix on the GPU"));
  M->D = D;
  M->by_blocks = kind == HP_SPARSE_BSR && !library;
  const hp_status s = create(M, A, kind);
  if (s == HP_OK && kind == HP_SPARSE_SGDIA) find_launch(M, A);
  if (s == HP_OK && M->by_blocks) find_blocks_launch(M);
  if (s != HP_OK) hp_exec_matrix_destroy(&M);
  *out = M;
  return s;
}

/* The blocks of bsr, which hp_sparse has by rows. */
static hp_status create_product_blocks(hp_exec_matrix *M) {
  const hp_sparse *F = M->product;
  hp_bsr *B = NULL;
  HP_TRY(hp_bsr_create(F->q, F->ncell, F->begin, F->column, &B));
  for (int64_t p = 0; p < B->nblock; ++p)
    for (int a = 0; a < F->q; ++a)
      for (int b = 0; b < F->q; ++b) B->value[(p * F->q + b) * F->q + a] = F->value[(p * F->q + a) * F->q + b];
  const hp_status s = hp_bsr_device_upload(M->D, B, true, &M->blocks);
  hp_bsr_destroy(&B);
  return s;
}

static hp_status create_product(hp_exec_matrix *M) {
  const hp_sparse *F = M->product;
  const bool cells = F->kind == HP_SPARSE_GH;
  if (cells || F->rows < F->n) HP_TRY(F->other->device->create(M->D, F->other->self, cells, &M->other));
  if (cells) return HP_OK;
  if (M->by_blocks) return create_product_blocks(M);
  HP_TRY(upload(M));
  if (F->rest > 0)
    HP_TRY(hp_device_upload(M->D, M->F.rest_value, F->rest_value, F->rest * (int64_t)sizeof *F->rest_value));
  HP_TRY(hp_device_upload(M->D, M->F.value, F->value, F->count * (int64_t)sizeof *F->value));
  return by_cusparse(M) ? start_cusparse(M) : HP_OK;
}

hp_status hp_exec_matrix_of(hp_device *D, const hp_sparse *product, hp_exec_matrix **out) {
  hp_exec_matrix *M = NULL;
  HP_TRY(hp_alloc((void **)&M, 1, sizeof *M, "matrix on the GPU"));
  M->D = D;
  M->product = product;
  M->by_blocks = product->kind == HP_SPARSE_BSR;
  const hp_status s = create_product(M);
  if (s == HP_OK && M->by_blocks) find_blocks_launch(M);
  if (s != HP_OK) hp_exec_matrix_destroy(&M);
  *out = M;
  return s;
}

void hp_exec_matrix_destroy(hp_exec_matrix **slot) {
  if (slot == NULL || *slot == NULL) return;
  hp_exec_matrix *M = *slot;
  hp_sparse *F = &M->F;
  if (M->matrix != NULL) cusparseDestroySpMat(M->matrix);
  if (M->x != NULL) cusparseDestroyDnVec(M->x);
  if (M->y != NULL) cusparseDestroyDnVec(M->y);
  if (M->sparse != NULL) cusparseDestroy(M->sparse);
  hp_device_free(M->D, &M->buffer);
  hp_compiled_destroy(&M->compiled);
  hp_bsr_device_free(M->D, &M->blocks);
  if (M->other != NULL) M->product->other->device->destroy(M->D, &M->other);
  HP_DEVICE_FREE(M->D, F->stencil);
  HP_DEVICE_FREE(M->D, F->begin);
  HP_DEVICE_FREE(M->D, F->column);
  HP_DEVICE_FREE(M->D, F->offset);
  HP_DEVICE_FREE(M->D, F->diagonal);
  HP_DEVICE_FREE(M->D, F->rest_begin);
  HP_DEVICE_FREE(M->D, F->rest_row);
  HP_DEVICE_FREE(M->D, F->rest_column);
  HP_DEVICE_FREE(M->D, F->rest_value);
  HP_DEVICE_FREE(M->D, F->value);
  hp_sparse_destroy(&M->host);
  hp_free(slot);
}
