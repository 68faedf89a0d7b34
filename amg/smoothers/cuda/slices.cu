/* Rows of levels, in slices or as hp_amg_options.format says, for cycles on a GPU: what follows from the pattern, and room
 * for the numbers (made by amg/rows/rows_real.inl.h).
 *
 *     measure   lanes of a row, lengths of slices, their beginnings; the host reads the sums of all matrices together.
 *               HEC: the host reads how many rows have a length, for the width
 *     fill      columns
 */
#include "amg/rows/form.inl.h"
#include "amg/smoothers/cuda/image.cuh"
#include "linsolve/matrix/sparse.h"

bool hp_amg_cycle_single(const hp_amg_device_cycle *C) { return C->host.H.opt.precision == HP_PRECISION_SINGLE; }

int64_t hp_amg_cycle_real_bytes(const hp_amg_device_cycle *C) {
  return hp_amg_cycle_single(C) ? (int64_t)sizeof(float) : (int64_t)sizeof(double);
}

hp_status hp_amg_cycle_alloc(hp_amg_device_cycle *C, void **out, int64_t count) {
  return hp_pool_alloc(&C->S.keep, out, count, (size_t)hp_amg_cycle_real_bytes(C));
}

int64_t hp_amg_cycle_rows(const hp_amg_device_cycle *C, int l) { return C->host.matrix[3 * l].nrow; }

static __host__ __device__ int64_t slices_of(const hp_amg_rows *R) {
  return ((int64_t)R->nrow + (1 << R->shift) - 1) >> R->shift;
}

/* The rows of a window by length, the longest first; a block a window, a thread a row. */
static __global__ void __launch_bounds__(HP_AMG_WINDOW) order_kernel(hp_csr A, hp_amg_rows R) {
  __shared__ int32_t length[HP_AMG_WINDOW];
  const int thread = (int)threadIdx.x;
  const int64_t first = (int64_t)blockIdx.x * HP_AMG_WINDOW, i = first + thread;
  length[thread] = i < A.nrow ? hp_csr_length(&A, i) : -1; /* places without a row come last */
  __syncthreads();
  int place = 0;
  for (int n = 0; n < HP_AMG_WINDOW; ++n)
    place += length[n] > length[thread] || (length[n] == length[thread] && n < thread);
  if (first + place < slices_of(&R) << R.shift) R.row[first + place] = (uint8_t)thread;
}

/* Entries of every slice, as many as its longest row makes them: a multiple of `share` for each row. */
static __global__ void measure_kernel(hp_csr A, hp_amg_rows R, int share) {
  const int64_t s = (int64_t)blockIdx.x * blockDim.x + threadIdx.x, slices = slices_of(&R);
  if (s > slices) return;
  int32_t most = 0;
  for (int64_t p = s << R.shift; p < (s + 1) << R.shift && p < A.nrow; ++p) {
    const int64_t i = hp_amg_row_at(&R, p);
    const int32_t length = hp_csr_length(&A, i);
    most = length > most ? length : most;
  }
  R.begin[s] = s < slices ? (uint32_t)((most + share - 1) / share * share) << R.shift : 0;
}

static __global__ void total_kernel(hp_amg_rows R, uint32_t *total) { *total = R.begin[slices_of(&R)]; }

/* Columns; places beyond the end of a row name a column that exists. */
static __global__ void columns_kernel(hp_csr A, hp_amg_rows R) {
  const int64_t p = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (p >= slices_of(&R) << R.shift) return;
  const int64_t i = hp_amg_row_at(&R, p), slice = p >> R.shift;
  const uint32_t from = i < A.nrow ? A.begin[i] : 0;
  const int32_t steps = (int32_t)((R.begin[slice + 1] - R.begin[slice]) >> R.shift);
  const int32_t length = i < A.nrow ? hp_csr_length(&A, i) : 0;
  for (int32_t k = 0; k < steps; ++k) R.column[hp_amg_place(&R, p, k)] = k < length ? A.column[from + k] : 0;
}

/* ---- HEC ---- */

enum { LONGEST = 1024 /* rows that are longer count as such */ };

/* histogram [LONGEST+1]: rows of a length. */
static __global__ void count_kernel(hp_csr A, int32_t *histogram) {
  __shared__ int32_t here[LONGEST + 1];
  for (int k = threadIdx.x; k <= LONGEST; k += blockDim.x) here[k] = 0;
  __syncthreads();
  for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < A.nrow; i += (int64_t)gridDim.x * blockDim.x) {
    const int32_t length = hp_csr_length(&A, i);
    atomicAdd(&here[length < LONGEST ? length : LONGEST], 1);
  }
  __syncthreads();
  for (int k = threadIdx.x; k <= LONGEST; k += blockDim.x)
    if (here[k] > 0) atomicAdd(&histogram[k], here[k]);
}

/* begin: lengths beyond the width. */
static __global__ void rest_kernel(hp_csr A, hp_amg_rows R) {
  const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i > A.nrow) return;
  const int32_t length = i < A.nrow ? hp_csr_length(&A, i) : 0;
  R.begin[i] = length > R.width ? (uint32_t)(length - R.width) : 0;
}

/* Behind the columns of ELL. */
static __global__ void shift_kernel(hp_amg_rows R) {
  const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= R.nrow) R.begin[i] += (uint32_t)R.width * (uint32_t)R.nrow;
}

static __global__ void hec_columns_kernel(hp_csr A, hp_amg_rows R) {
  const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= A.nrow) return;
  const uint32_t from = A.begin[i];
  const int32_t length = hp_csr_length(&A, i);
  for (int32_t k = 0; k < length || k < R.width; ++k)
    R.column[hp_amg_place(&R, i, k)] = k < length ? A.column[from + k] : 0;
}

static hp_status find_width(hp_amg_device_cycle *C, const hp_csr_device *A, hp_amg_rows *R) {
  hp_setup *S = &C->S;
  int32_t *here = NULL, histogram[LONGEST + 1];
  const hp_pool_mark mark = hp_pool_get_mark(&S->scratch);
  HP_TRY(HP_POOL_ALLOC(&S->scratch, here, LONGEST + 1));
  HP_TRY(hp_device_zero(C->D, here, sizeof histogram));
  HP_TRY(hp_launch(S, "lengths of rows", count_kernel, 2 * S->multiprocessors, 256, 0, A->at, here));
  HP_TRY(hp_device_download(C->D, histogram, here, sizeof histogram));
  hp_pool_rewind(&S->scratch, mark);
  R->width = hp_sparse_typical_width(histogram, LONGEST, A->at.nrow);
  return hp_csr_check_entries("of a level as hec, at most", A->count + (int64_t)R->width * R->nrow);
}

static hp_status measure_hec(hp_amg_device_cycle *C, const hp_csr_device *A, hp_amg_rows *R) {
  hp_setup *S = &C->S;
  const int64_t n = R->nrow, blocks = hp_parts(n + 1, 256);
  HP_TRY(find_width(C, A, R));
  HP_TRY(hp_launch(S, "rows as hec", rest_kernel, blocks, 256, 0, A->at, *R));
  HP_TRY(hp_setup_scan32(S, R->begin, R->begin, n));
  return hp_launch(S, "rows as hec", shift_kernel, blocks, 256, 0, *R);
}

/* ---- all formats ---- */

/* Lanes per row: enough that the rows keep all threads busy, but not more than a row has entries. Where the groups have
 * few rows each, many are idle in the last round: rows with more than 8 entries per lane then get more lanes. Of csr at least
 * half of a row's entries, so that neighbouring threads read neighbouring numbers. */
static int lanes_of(const hp_amg_device_cycle *C, const hp_csr_device *A) {
  const int64_t threads = (int64_t)C->S.multiprocessors * HP_BLOCK_MAX;
  const int64_t n = A->at.nrow > 0 ? A->at.nrow : 1, entries = A->count / n;
  int lanes = 0;
  while (lanes < 5 && (1 << lanes) < entries && n << lanes < threads) lanes += 1;
  while (lanes < 5 && entries >> lanes > 8 && 2 * (n << lanes) < 5 * threads) lanes += 1;
  while (C->host.H.opt.format == HP_AMG_FORMAT_CSR && lanes < 5 && (2 << lanes) < entries) lanes += 1;
  if (C->host.H.opt.format == HP_AMG_FORMAT_CSR) return lanes;
  return lanes == 1 || lanes == 4 ? lanes + 1 : lanes; /* fewer kinds of passes to compile */
}

/* Places of all slices of A at most: each is as long as its longest row, of which it has at most 32, and no longer than all of
 * its rows together times that. */
static int64_t most_places(const hp_csr_device *A) {
  enum { ROWS = 32 };
  const int64_t by_longest = ((int64_t)A->at.nrow + ROWS) * (A->longest + ROWS),
                by_all = ROWS * (A->count + A->at.nrow);
  return by_longest < by_all ? by_longest : by_all;
}

/* Sizes of slices; the host reads *total later. sorted: rows by length. */
static hp_status measure(hp_amg_device_cycle *C, const hp_csr_device *A, hp_amg_rows *R, bool sorted, uint32_t *total) {
  hp_setup *S = &C->S;
  const hp_amg_format_kind format = C->host.H.opt.format;
  const bool plain = hp_amg_is_plain(&C->host.H.opt);
  R->nrow = A->at.nrow;
  R->lanes = lanes_of(C, A);
  R->shift = plain ? 0 : 5 - R->lanes;
  const int64_t slices = slices_of(R);
  if (sorted && R->shift > 0) {
    HP_TRY(HP_POOL_ALLOC(&S->keep, R->row, slices << R->shift));
    HP_TRY(hp_launch(S, "rows by length", order_kernel, hp_parts(R->nrow, HP_AMG_WINDOW), HP_AMG_WINDOW, 0, A->at, *R));
  }
  HP_TRY(HP_POOL_ALLOC(&S->keep, R->begin, slices + 1));
  if (format == HP_AMG_FORMAT_HEC) {
    HP_TRY(measure_hec(C, A, R));
  } else {
    const int share = plain ? 1 : 1 << R->lanes;
    HP_TRY(hp_launch(S, "slices of rows", measure_kernel, (slices + 256) / 256, 256, 0, A->at, *R, share));
    HP_TRY(hp_setup_check_entries(S, R->begin, slices, most_places(A)));
    HP_TRY(hp_setup_scan32(S, R->begin, R->begin, slices));
  }
  return hp_launch(S, "slices of rows", total_kernel, 1, 1, 0, *R, total);
}

hp_status hp_amg_cycle_measure(hp_amg_device_cycle *C, const hp_csr_device *A, hp_amg_rows *R, int which) {
  const hp_amg_options *opt = &C->host.H.opt;
  const bool by_rows = which % 3 == 0 && !hp_amg_smoother_is_diagonal(opt->smoother); /* others read rows of A */
  C->source[which] = *A;
  return measure(C, A, R, !by_rows, C->totals + which);
}

/* Columns, and room for the numbers, padding zero. */
static hp_status fill(hp_amg_device_cycle *C, const hp_csr_device *A, hp_amg_rows *R, uint32_t total) {
  HP_TRY(HP_POOL_ALLOC(&C->S.keep, R->column, total));
  HP_TRY(hp_amg_cycle_alloc(C, &R->value, total));
  HP_TRY(hp_device_zero(C->D, R->value, total * hp_amg_cycle_real_bytes(C)));
  const int64_t rows = ((int64_t)R->nrow + 31) / 32 * 32;
  if (R->width > 0) return hp_launch(&C->S, "rows as hec", hec_columns_kernel, hp_parts(rows, 256), 256, 0, A->at, *R);
  return hp_launch(&C->S, "slices of rows", columns_kernel, (rows + 255) / 256, 256, 0, A->at, *R);
}

hp_status hp_amg_cycle_slices(hp_amg_device_cycle *C, const hp_csr_device *A, hp_amg_rows *R) {
  uint32_t total = 0;
  HP_TRY(measure(C, A, R, false, C->totals));
  HP_TRY(hp_device_download(C->D, &total, C->totals, sizeof total));
  return fill(C, A, R, total);
}

static hp_amg_rows *rows_of(hp_amg_device_cycle *C, int which) {
  hp_amg_level *L = &C->host.H.level[which / 3];
  return which % 3 == 0 ? &L->a : which % 3 == 1 ? &L->p : &L->r;
}

hp_status hp_amg_cycle_fill(hp_amg_device_cycle *C, const uint32_t *total) {
  for (int k = 0; k < 3 * C->host.H.nlevel; ++k) {
    C->S.keep.on_first = hp_amg_is_on_first(&C->host.H.opt, C->host.H.level[k / 3].nrow);
    if (rows_of(C, k)->begin != NULL) HP_TRY(fill(C, &C->source[k], rows_of(C, k), total[k]));
  }
  return HP_OK;
}
