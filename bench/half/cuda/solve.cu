/* A GH-h matrix (bench/half/half.h) in solves on a GPU: its product, and the wells' borders for its forms (bench/half/forms.h) that
 * have none. */
#include "bench/half/cuda/product.cuh"
#include "core/memory.h"
#include "linsolve/krylov/host_driven/execution.cuh"

enum { THREADS = 256, WARP = 32 };

/* The wells' columns by rows of cells that have any, and their rows; arrays of the device. */
typedef struct border {
  int nrow, nwell;
  int64_t rows;                           /* of the cells */
  int32_t *row, *begin, *well, *place;    /* [nrow], [nrow+1], [begin[nrow]] the well, [same] place in wt */
  int32_t *run_begin;                     /* [nwell+1] */
  int64_t *run_at, *run_row, *run_length; /* [run_begin[nwell]] as in hp_half */
  double *w, *wt, *dd;                    /* as in hp_half */
} border;

typedef struct half_matrix {
  const hp_half *host;
  double *h[2]; /* NULL: borders only */
  border border;
} half_matrix;

/* ---- the borders ---- */

/* A well a warp in the first blocks, then a row of cells a thread, its wells in the order of the runs. */
static __global__ void __launch_bounds__(THREADS)
    border_kernel(const __grid_constant__ border B, int well_blocks, const double *x, double *y) {
  if ((int)blockIdx.x >= well_blocks) {
    const int n = ((int)blockIdx.x - well_blocks) * blockDim.x + threadIdx.x;
    if (n >= B.nrow) return;
    double sum = y[B.row[n]];
    for (int32_t e = B.begin[n]; e < B.begin[n + 1]; ++e) sum += B.wt[B.place[e]] * x[B.rows + B.well[e]];
    y[B.row[n]] = sum;
    return;
  }
  const int w = (int)(blockIdx.x * blockDim.x + threadIdx.x) / WARP, lane = threadIdx.x & 31;
  if (w >= B.nwell) return;
  double sum = 0.0;
  for (int32_t r = B.run_begin[w]; r < B.run_begin[w + 1]; ++r)
    for (int64_t e = lane; e < B.run_length[r]; e += WARP) sum += B.w[B.run_at[r] + e] * x[B.run_row[r] + e];
#pragma unroll
  for (int apart = 16; apart > 0; apart >>= 1) sum += __shfl_down_sync(0xffffffffu, sum, apart);
  if (lane == 0) y[B.rows + w] = sum + B.dd[w] * x[B.rows + w];
}

template <class T>
static hp_status send(hp_device *D, T **to, const T *from, int64_t count) {
  HP_TRY(hp_device_alloc(D, (void **)to, count, sizeof *from, "the borders of a GH-h matrix"));
  return hp_device_upload(D, *to, from, count * (int64_t)sizeof *from);
}

/* Rows of cells with wells, from `count` [rows], how many entries each has; afterwards `count` is where a row's next one goes
 * to. */
static hp_status list_rows(hp_device *D, const hp_half *H, int32_t *count, border *B) {
  int32_t *row = NULL, *begin = NULL, n = 0;
  for (int64_t i = 0; i < H->rows; ++i) B->nrow += count[i] > 0;
  hp_status s = HP_ALLOC(row, B->nrow);
  if (s == HP_OK) s = HP_ALLOC(begin, B->nrow + 1);
  for (int64_t i = 0; i < H->rows && s == HP_OK; ++i) {
    if (count[i] == 0) continue;
    row[n] = (int32_t)i;
    begin[n + 1] = begin[n] + count[i];
    count[i] = begin[n++];
  }
  if (s == HP_OK) s = send(D, &B->row, row, B->nrow);
  if (s == HP_OK) s = send(D, &B->begin, begin, B->nrow + 1);
  HP_FREE(row);
  HP_FREE(begin);
  return s;
}

static hp_status list_entries(hp_device *D, const hp_half *H, int32_t *next, border *B) {
  int32_t *well = NULL, *place = NULL;
  hp_status s = HP_ALLOC(well, H->nvalue);
  if (s == HP_OK) s = HP_ALLOC(place, H->nvalue);
  for (int r = 0; r < H->nrun && s == HP_OK; ++r)
    for (int64_t k = 0; k < H->length[r]; ++k) {
      const int32_t e = next[H->row[r] + k]++;
      well[e] = H->of[r];
      place[e] = (int32_t)(H->at[r] + k);
    }
  if (s == HP_OK) s = send(D, &B->well, well, H->nvalue);
  if (s == HP_OK) s = send(D, &B->place, place, H->nvalue);
  HP_FREE(well);
  HP_FREE(place);
  return s;
}

static hp_status send_border(hp_device *D, const hp_half *H, border *B) {
  int32_t *count = NULL;
  B->nwell = H->nwell;
  B->rows = H->rows;
  if (H->nwell == 0) return HP_OK;
  if (H->nvalue > INT32_MAX || H->rows > INT32_MAX)
    return hp_fail(HP_ERR_UNSUPPORTED, "a GH-h matrix has more rows than 32-bit indices can count");
  HP_TRY(HP_ALLOC(count, H->rows));
  for (int r = 0; r < H->nrun; ++r)
    for (int64_t k = 0; k < H->length[r]; ++k) count[H->row[r] + k] += 1;
  hp_status s = list_rows(D, H, count, B);
  if (s == HP_OK) s = list_entries(D, H, count, B);
  HP_FREE(count);
  HP_TRY(s);
  HP_TRY(send(D, &B->run_begin, H->run_begin, H->nwell + 1));
  HP_TRY(send(D, &B->run_at, H->at, H->nrun));
  HP_TRY(send(D, &B->run_row, H->row, H->nrun));
  HP_TRY(send(D, &B->run_length, H->length, H->nrun));
  HP_TRY(send(D, &B->w, H->w, H->nvalue));
  HP_TRY(send(D, &B->wt, H->wt, H->nvalue));
  return send(D, &B->dd, H->dd, H->nwell);
}

/* ---- the matrix ---- */

static void destroy(hp_device *D, void **slot) {
  half_matrix *M = (half_matrix *)*slot;
  border *B = &M->border;
  for (int odd = 0; odd < 2; ++odd) HP_DEVICE_FREE(D, M->h[odd]);
  HP_DEVICE_FREE(D, B->row);
  HP_DEVICE_FREE(D, B->begin);
  HP_DEVICE_FREE(D, B->well);
  HP_DEVICE_FREE(D, B->place);
  HP_DEVICE_FREE(D, B->run_begin);
  HP_DEVICE_FREE(D, B->run_at);
  HP_DEVICE_FREE(D, B->run_row);
  HP_DEVICE_FREE(D, B->run_length);
  HP_DEVICE_FREE(D, B->w);
  HP_DEVICE_FREE(D, B->wt);
  HP_DEVICE_FREE(D, B->dd);
  hp_free(slot);
}

static hp_status fill(hp_device *D, const hp_half *H, bool cells, half_matrix *M) {
  HP_TRY(send_border(D, H, &M->border));
  for (int odd = 0; odd < 2 && cells; ++odd) HP_TRY(send(D, &M->h[odd], H->h[odd], H->columns[odd] * H->ld[odd]));
  return HP_OK;
}

static hp_status create(hp_device *D, const void *self, bool cells, void **out) {
  const hp_half *H = (const hp_half *)self;
  half_matrix *M = NULL;
  if (cells && spmv_half_kernel_of(H->q) == NULL)
    return hp_fail(HP_ERR_UNSUPPORTED, "GH-h: no kernel for q = %d", H->q);
  HP_TRY(hp_alloc((void **)&M, 1, sizeof *M, "GH-h matrix on the GPU"));
  M->host = H;
  *out = M;
  return fill(D, H, cells, M); /* what failed is destroyed with its owner */
}

static hp_status multiply(hp_execution *E, const void *self, const double *x, double *y) {
  const half_matrix *M = (const half_matrix *)self;
  const hp_half *H = M->host;
  const int threads = spmv_half_threads(H->q);
  spmv_half G;
  spmv_border none;
  int64_t rows[2];
  memset(&none, 0, sizeof none);
  const int blocks = spmv_half_of(H, threads, &G, rows);
  G.h[0] = M->h[0];
  G.h[1] = M->h[1];
  void *args[] = {&G, &none, &x, &y};
  return hp_exec_launch(E, spmv_half_kernel_of(H->q), blocks, threads, args, 0, "multiplying by the matrix");
}

static hp_status add_border(hp_execution *E, const void *self, const double *x, double *y) {
  border B = ((const half_matrix *)self)->border;
  int well_blocks = (int)hp_parts(B.nwell, THREADS / WARP);
  void *args[] = {&B, &well_blocks, &x, &y};
  if (B.nwell == 0) return HP_OK;
  return hp_exec_launch(E, (const void *)border_kernel, well_blocks + hp_parts(B.nrow, THREADS), THREADS, args, 0,
                        "multiplying by the matrix");
}

extern "C" const hp_foreign_device hp_half_device = {create, destroy, multiply, add_border};
