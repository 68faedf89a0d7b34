/* Sparse matrices by rows on a GPU: copies of the host's, and what a GH matrix with one unknown per cell is in this form. */
#include "amg/setup/cuda/setup.cuh"
#include "bench/multigrid/device.h"
#include "core/memory.h"

enum { THREADS = HP_SETUP_THREADS };

hp_status hp_csr_device_upload(hp_device *D, const hp_csr *A, hp_csr_device *out) {
  const hp_csr_device none = {{0, 0, NULL, NULL, NULL}, 0, 0};
  *out = none;
  for (int32_t i = 0; i < A->nrow; ++i) {
    for (int64_t k = (int64_t)A->begin[i] + 1; k < A->begin[i + 1]; ++k)
      if (A->column[k - 1] >= A->column[k])
        return hp_fail(HP_ERR_INTERNAL, "multigrid: columns %d and %d of row %d do not rise", A->column[k - 1],
                       A->column[k], i);
    if (hp_csr_length(A, i) > out->longest) out->longest = hp_csr_length(A, i);
  }
  out->at.nrow = A->nrow;
  out->at.ncol = A->ncol;
  out->count = hp_csr_count(A);
  hp_status s = HP_DEVICE_ALLOC(D, out->at.begin, (int64_t)A->nrow + 1);
  if (s == HP_OK) s = HP_DEVICE_ALLOC(D, out->at.column, out->count);
  if (s == HP_OK) s = HP_DEVICE_ALLOC(D, out->at.value, out->count);
  if (s == HP_OK) s = hp_device_upload(D, out->at.begin, A->begin, ((int64_t)A->nrow + 1) * (int64_t)sizeof *A->begin);
  if (s == HP_OK) s = hp_device_upload(D, out->at.column, A->column, out->count * (int64_t)sizeof *A->column);
  if (s == HP_OK) s = hp_device_upload(D, out->at.value, A->value, out->count * (int64_t)sizeof *A->value);
  if (s != HP_OK) hp_csr_device_free(D, out);
  return s;
}

/* ---- from GH ---- */

/* Row i: columns and values where not NULL; returns how many. Zeros that are not the diagonal are left out, unless
 * the pattern is given: then value [count] belongs to column [count]. */
static __device__ int32_t gh_row(const hp_gh &A, int64_t i, int32_t *column, double *value) {
  const hp_gh_wells &W = A.wells;
  int32_t count = 0;
  if (i >= A.ncell) {
    const int w = (int)(i - A.ncell);
    for (int r = W.run_begin[w]; r < W.run_begin[w + 1]; ++r)
      for (int64_t n = 0; n < W.c[r]; ++n) {
        const double v = W.w[W.a[r] + n];
        if (v == 0.0) continue;
        if (column != NULL) column[count] = (int32_t)(W.b[r] + n);
        if (value != NULL) value[count] = v;
        count += 1;
      }
    if (column != NULL) column[count] = (int32_t)i;
    if (value != NULL) value[count] = W.dd[w];
    return count + 1;
  }
  for (int u = -3; u <= 3; ++u) {
    const double v = *hp_gh_entry(&A, i, u, 0, 0);
    if (v == 0.0 && u != 0) continue;
    if (column != NULL) column[count] = (int32_t)(i + hp_gh_offset(&A, u));
    if (value != NULL) value[count] = v;
    count += 1;
  }
  for (int r = W.nrun > 0 ? W.d[i / A.nz] : -1; r >= 0; r = W.next[r]) {
    const int64_t n = i - W.b[r];
    if (n < 0 || n >= W.c[r] || W.wt[W.a[r] + n] == 0.0) continue;
    if (column != NULL) column[count] = (int32_t)(A.ncell + W.of[r]);
    if (value != NULL) value[count] = W.wt[W.a[r] + n];
    count += 1;
  }
  return count;
}

/* Entry (i, j) of A. */
static __device__ double gh_value(const hp_gh &A, int64_t i, int64_t j) {
  const hp_gh_wells &W = A.wells;
  if (i >= A.ncell && j >= A.ncell) return W.dd[i - A.ncell];
  if (i < A.ncell && j < A.ncell) {
    double sum = 0.0; /* where the grid is one cell thick two diagonals have one offset, and one of them is zero */
    for (int u = -3; u <= 3; ++u)
      if (hp_gh_offset(&A, u) == j - i) sum += *hp_gh_entry(&A, i, u, 0, 0);
    return sum;
  }
  const int64_t m = i < A.ncell ? i : j;
  const int w = (int)((i < A.ncell ? j : i) - A.ncell);
  for (int r = W.d[m / A.nz]; r >= 0; r = W.next[r]) {
    const int64_t n = m - W.b[r];
    if (W.of[r] == w && n >= 0 && n < W.c[r]) return i < A.ncell ? W.wt[W.a[r] + n] : W.w[W.a[r] + n];
  }
  return 0.0;
}

static __global__ void __launch_bounds__(THREADS)
    count_kernel(hp_blocks blocks, hp_gh A, uint32_t *count, int64_t *longest) {
  const int64_t i = hp_block(blocks) * THREADS + threadIdx.x;
  const int32_t entries = i < A.n ? gh_row(A, i, NULL, NULL) : 0;
  if (i < A.n) count[i] = (uint32_t)entries;
  hp_block_most(blocks, longest, entries);
}

static __global__ void __launch_bounds__(THREADS) fill_kernel(hp_blocks blocks, hp_gh A, hp_csr C) {
  const int64_t i = hp_block(blocks) * THREADS + threadIdx.x;
  if (i < A.n) gh_row(A, i, C.column + C.begin[i], C.value + C.begin[i]);
}

static __global__ void __launch_bounds__(THREADS) refresh_kernel(hp_blocks blocks, hp_gh A, hp_csr C) {
  const int64_t i = hp_block(blocks) * THREADS + threadIdx.x;
  if (i >= A.n) return;
  for (uint32_t k = C.begin[i]; k < C.begin[i + 1]; ++k) C.value[k] = gh_value(A, i, C.column[k]);
}

static __global__ void size_kernel(int64_t *count, const uint32_t *total) { *count = *total; }

static hp_status from_gh(hp_setup *S, const hp_gh *A, hp_csr_device *out) {
  hp_device *D = S->D;
  uint32_t *count = NULL;
  HP_TRY(HP_POOL_ALLOC(&S->scratch, count, A->n + 1));
  HP_TRY(HP_DEVICE_ALLOC(D, out->at.begin, A->n + 1));
  HP_TRY(hp_launch_all(S, "turning GH into csr", count_kernel, hp_parts(A->n, THREADS), THREADS, 0, *A, count,
                       S->counts + 1));
  HP_TRY(hp_setup_scan32(S, count, out->at.begin, A->n));
  HP_TRY(hp_launch(S, "turning GH into csr", size_kernel, 1, 1, 0, S->counts, out->at.begin + A->n));
  HP_TRY(hp_setup_read_counts(S));
  out->at.nrow = out->at.ncol = (int32_t)A->n;
  out->count = S->host_counts[0];
  out->longest = (int32_t)S->host_counts[1];
  HP_TRY(HP_DEVICE_ALLOC(D, out->at.column, out->count));
  HP_TRY(HP_DEVICE_ALLOC(D, out->at.value, out->count));
  return hp_launch_all(S, "turning GH into csr", fill_kernel, hp_parts(A->n, THREADS), THREADS, 0, *A, out->at);
}

static hp_status check_gh(const hp_gh *A) {
  if (A->q != 1) return hp_fail(HP_ERR_INTERNAL, "csr of a GH matrix with %d unknowns per cell", A->q);
  HP_TRY(hp_gh_require_lattice(A, "csr of a GH matrix on a GPU"));
  if (A->n >= INT32_MAX)
    return hp_fail(HP_ERR_UNSUPPORTED, "multigrid: %lld rows, and 32-bit numbers count %d", (long long)A->n, INT32_MAX);
  return hp_csr_check_entries("of the finest level", HP_GH_DIAGS * A->ncell + 2 * A->wells.nperf + A->wells.nwell);
}

hp_status hp_csr_device_from_gh(hp_device *D, const hp_gh *A, hp_csr_device *out) {
  const hp_csr_device none = {{0, 0, NULL, NULL, NULL}, 0, 0};
  hp_setup *S = NULL;
  *out = none;
  HP_TRY(check_gh(A));
  HP_TRY(HP_ALLOC(S, 1));
  hp_status s = hp_setup_open(S, D);
  if (s == HP_OK) s = from_gh(S, A, out);
  if (s == HP_OK) s = hp_device_sync(D);
  hp_setup_close(S);
  HP_FREE(S);
  if (s != HP_OK) hp_csr_device_free(D, out);
  return s;
}

hp_status hp_csr_device_refresh(hp_device *D, const hp_gh *A, hp_csr_device *C) {
  HP_TRY(check_gh(A));
  hp_gh gh = *A;
  void *list[] = {NULL, &gh, &C->at};
  const hp_blocks_launch L = {(const void *)refresh_kernel, hp_parts(A->n, THREADS), THREADS, 0, false, false, list,
                              "turning GH into csr"};
  return hp_blocks_run(D, &L);
}
