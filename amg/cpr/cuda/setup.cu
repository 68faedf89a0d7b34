/* See amg/cpr/cuda/setup.cuh. The numbers are one team program in one launch, or in one for each part (setup_kernel):
 *
 *     numbers   weights;  barrier;  rows of A_p, as the products read them and as cycles do;  barrier
 *     refresh   the hierarchy: amg/cycle/cuda/refresh.cu
 *     second    factors of dilu
 */
#include <string.h>

#include "amg/cpr/cuda/setup.cuh"
#include "amg/cpr/weights.inl.h"
#include "amg/cycle/cuda/refresh.cuh"

/* ---- the pressure system ---- */

enum { THREADS = 256, SETUP_THREADS = HP_BLOCK_MAX };

static __device__ bool is_perforated(const hp_gh *A, int64_t m) {
  const hp_gh_wells *W = &A->wells;
  for (int r = W->nrun > 0 ? W->d[m / A->nz] : -1; r >= 0; r = W->next[r])
    if (m >= W->b[r] && m < W->b[r] + W->c[r]) return true;
  return false;
}

/* Which cells have a row, by the CPU's rule. */
static __global__ void __launch_bounds__(THREADS)
    keep_kernel(hp_blocks blocks, const __grid_constant__ hp_gh A, const __grid_constant__ hp_cpr_pressure C) {
  const int64_t m = hp_block(blocks) * THREADS + threadIdx.x;
  if (m < A.ncell) C.kept[m] = hp_cpr_is_coupled(&A, m) || is_perforated(&A, m);
}

static __global__ void __launch_bounds__(THREADS)
    weights_kernel(hp_blocks blocks, const __grid_constant__ hp_gh A, const __grid_constant__ hp_cpr_pressure C) {
  const int64_t m = hp_block(blocks) * THREADS + threadIdx.x;
  if (m < A.ncell) hp_cpr_cell_weights(&A, C.kind, m, C.weight + m * A.q);
}

/* Whether cell m has a neighbour in diagonal u, and both have rows. */
static __device__ __forceinline__ bool has(const hp_gh &A, const hp_cpr_pressure &C, int64_t m, int u) {
  const int64_t column = m / A.nz, line = column / A.ny;
  const int k = (int)(m - column * A.nz), j = (int)(column - line * A.ny), i = (int)line;
  return u == 0 || (hp_dilu_has(&A, i, j, k, u) && C.kept[m + hp_gh_offset(&A, u)]);
}

static __device__ int32_t well_row(const hp_gh &A, const hp_cpr_pressure &C, int w, int32_t *column, double *value) {
  const hp_gh_wells &W = A.wells;
  int32_t count = 0;
  for (int r = W.run_begin[w]; r < W.run_begin[w + 1]; ++r)
    for (int64_t n = 0; n < W.c[r]; ++n, ++count) {
      if (column != NULL) column[count] = (int32_t)(W.b[r] + n);
      if (value != NULL) C.A.wells.w[W.a[r] + n] = value[count] = W.w[(W.a[r] + n) * A.q];
    }
  if (column != NULL) column[count] = (int32_t)(A.ncell + w);
  if (value != NULL) C.A.wells.dd[w] = value[count] = W.dd[w];
  return count + 1;
}

/* The wells' columns in the row of cell i, as below; count: entries before them. */
static __device__ __forceinline__ int32_t well_columns(const hp_gh &A, const hp_cpr_pressure &C, int64_t i,
                                                       int32_t count, int32_t *column, double *value) {
  const hp_gh_wells &W = A.wells;
  const int q = A.q;
  for (int r = W.nrun > 0 ? W.d[i / A.nz] : -1; r >= 0; r = W.next[r]) {
    const int64_t n = i - W.b[r];
    if (n < 0 || n >= W.c[r]) continue;
    double sum = 0.0;
    for (int a = 0; a < q; ++a) sum += hp_cpr_weight(C.weight, i * q + a) * W.wt[(W.a[r] + n) * q + a];
    if (column != NULL) column[count] = (int32_t)(A.ncell + W.of[r]);
    if (value != NULL) C.A.wells.wt[W.a[r] + n] = value[count] = sum;
    count += 1;
  }
  return count;
}

/* Row i of A_p: its columns, and its numbers by rows and in GH (C.A in double or `single`), where not NULL; returns how
 * many. Entries that are zero now stay in the pattern: a well that opens later has its place. Connections beyond the
 * diagonals are left out. */
static __device__ int32_t pressure_row(const hp_gh &A, const hp_cpr_pressure &C, int64_t i, int32_t *column,
                                       double *value, float *single) {
  int32_t count = 0;
  if (i >= A.ncell) return well_row(A, C, (int)(i - A.ncell), column, value);
  const bool kept = C.kept[i];
  bool here[HP_GH_DIAGS];
  double v[HP_GH_DIAGS];
#pragma unroll
  for (int u = -3; u <= 3; ++u) { /* all loads before the first store, so that they are in flight together */
    here[u + 3] = kept ? has(A, C, i, u) : u == 0;
    v[u + 3] = !here[u + 3] || value == NULL ? 0.0 : kept ? hp_cpr_entry(&A, C.weight, i, u) : 1.0;
  }
#pragma unroll
  for (int u = -3; u <= 3; ++u) {
    if (value != NULL && C.A.h != NULL) *hp_gh_entry(&C.A, i, u, 0, 0) = v[u + 3];
    if (single != NULL) single[(u + 3) * C.A.ld + i] = (float)v[u + 3];
    if (!here[u + 3]) continue;
    if (column != NULL) column[count] = (int32_t)(i + hp_gh_offset(&A, u));
    if (value != NULL) value[count] = v[u + 3];
    count += 1;
  }
  return well_columns(A, C, i, count, column, value);
}

/* ---- connections beyond the diagonals ---- */

/* Entry e of a connection in the row of cell i, as in pressure_row; C.A.link has a zero where a cell is left out. */
static __device__ int32_t link_entry(const hp_gh &A, const hp_cpr_pressure &C, int64_t i, int64_t e, int32_t *column,
                                     double *value) {
  const int64_t other = A.links.other[e];
  const bool in = C.kept[i] && C.kept[other];
  const double v = in && value != NULL ? hp_cpr_link(&A, C.weight, i, e) : 0.0;
  if (value != NULL) C.A.link[e] = v;
  if (in && column != NULL) *column = (int32_t)other;
  if (in && value != NULL) *value = v;
  return in;
}

/* The row of cell i with its connections: columns and numbers by rows, as in pressure_row; columns rise. */
static __device__ __noinline__ int32_t linked_row(const hp_gh &A, const hp_cpr_pressure &C, int64_t i, int32_t *column,
                                                  double *value) {
  const bool kept = C.kept[i];
  int32_t count = 0;
  int64_t e, end;
  hp_links_of(&A.links, i, &e, &end);
  for (int u = -3; u <= 4; ++u) {
    const int64_t next = u < 4 ? i + hp_gh_offset(&A, u) : A.ncell;
    for (; e < end && A.links.other[e] < next; ++e)
      count += link_entry(A, C, i, e, column != NULL ? column + count : NULL, value != NULL ? value + count : NULL);
    if (u == 4 || !(kept ? has(A, C, i, u) : u == 0)) continue;
    if (column != NULL) column[count] = (int32_t)next;
    if (value != NULL) value[count] = kept ? hp_cpr_entry(&A, C.weight, i, u) : 1.0;
    count += 1;
  }
  return well_columns(A, C, i, count, column, value);
}

static __device__ __forceinline__ bool has_links(const hp_gh &A, int64_t i) {
  return hp_gh_is_linked(&A) && i < A.ncell && A.links.row_of[i] >= 0;
}

static __device__ int32_t any_row(const hp_gh &A, const hp_cpr_pressure &C, int64_t i, int32_t *column, double *value) {
  return has_links(A, i) ? linked_row(A, C, i, column, value) : pressure_row(A, C, i, column, value, NULL);
}

static __global__ void __launch_bounds__(THREADS)
    count_kernel(hp_blocks blocks, const __grid_constant__ hp_gh A, const __grid_constant__ hp_cpr_pressure C,
                 uint32_t *count, int64_t *longest) {
  const int64_t i = hp_block(blocks) * THREADS + threadIdx.x;
  const int32_t entries = i < C.A.n ? any_row(A, C, i, NULL, NULL) : 0;
  if (i < C.A.n) count[i] = (uint32_t)entries;
  hp_block_most(blocks, longest, entries);
}

static __global__ void size_kernel(int64_t *count, const uint32_t *total) { *count = *total; }

/* Columns, and the couplings alone: a diagonal that makes each cell's row sum zero. */
static __global__ void __launch_bounds__(THREADS)
    pattern_kernel(hp_blocks blocks, const __grid_constant__ hp_gh A, const __grid_constant__ hp_cpr_pressure C,
                   hp_csr rows) {
  const int64_t i = hp_block(blocks) * THREADS + threadIdx.x;
  if (i >= C.A.n) return;
  double *value = rows.value + rows.begin[i], couplings = 0.0, *diagonal = NULL;
  int32_t *column = rows.column + rows.begin[i];
  const int32_t entries = any_row(A, C, i, column, value);
  for (int32_t k = 0; k < entries; ++k)
    if (column[k] == i) diagonal = &value[k];
    else couplings -= value[k];
  if (i < A.ncell && couplings > 0.0) *diagonal = couplings;
}

/* ---- what the host calls ---- */

hp_status hp_cpr_weigh(hp_setup *S, const hp_gh *A, const hp_cpr_pressure *C) {
  if (C->weight == NULL) return HP_OK;
  return hp_launch_all(S, "weighting the pressure system", weights_kernel, hp_parts(A->ncell, THREADS), THREADS, 0, *A,
                       *C);
}

hp_status hp_cpr_number_rows(hp_setup *S, const hp_gh *A, const hp_cpr_pressure *C, hp_csr_device *rows) {
  const int64_t n = C->A.n, blocks = hp_parts(n, THREADS);
  uint32_t *count = (uint32_t *)rows->at.column; /* its sums are known before the columns come */
  HP_TRY(hp_launch_all(S, "the pressure system's cells", keep_kernel, hp_parts(A->ncell, THREADS), THREADS, 0, *A, *C));
  HP_TRY(
      hp_launch_all(S, "the pressure system's rows", count_kernel, blocks, THREADS, 0, *A, *C, count, S->counts + 1));
  HP_TRY(hp_setup_scan32(S, count, rows->at.begin, n));
  HP_TRY(hp_launch(S, "the pressure system's rows", size_kernel, 1, 1, 0, S->counts, rows->at.begin + n));
  HP_TRY(hp_setup_read_counts(S));
  rows->count = S->host_counts[0];
  rows->longest = (int32_t)S->host_counts[1];
  return hp_launch_all(S, "the pressure system's pattern", pattern_kernel, blocks, THREADS, 0, *A, *C, rows->at);
}

/* ---- numbers: a team program ---- */

enum { NUMBERS = 1, REFRESH = 2, SECOND = 4 /* parts */ };
enum { BRICK_WARPS = 7 /* as much shared memory as the sums of products have */ };

struct setup_data {
  hp_gh A;
  hp_cpr_pressure C;
  hp_csr rows;
  float *single; /* A_p as cycles read it; NULL: as doubles, or not at all */
  const hp_refresh_args *refresh;
  int64_t *singular;
  unsigned parts;
  int brick_warps; /* of a block that factorize bricks */
};

#if defined(__CUDA_ARCH__)

/* Copies the arguments to shared memory: after a barrier, reads of kernel arguments through a pointer would go to L2. */
static __device__ __noinline__ void copy_arguments(setup_data *to, const setup_data &from) {
  for (unsigned w = threadIdx.x; w < sizeof *to / 4; w += blockDim.x) ((int *)to)[w] = ((const int *)&from)[w];
  __syncthreads();
}

/* Rows with connections once more, as a whole, by the threads that have just written them without: so that a pass over
 * all rows has no registers for them. */
static __device__ __noinline__ void linked_numbers(hp_team *t, const setup_data *a) {
  HP_TEAM_FOR(t, i, a->C.A.n) {
    const uint32_t begin = a->rows.begin[i];
    if (has_links(a->A, i)) linked_row(a->A, a->C, i, a->rows.column + begin, a->rows.value + begin);
  }
}

template <bool PLAIN>
static __device__ __noinline__ void numbers(hp_team *t, const setup_data *a) {
  if (!PLAIN && a->C.weight != NULL) {
    HP_TEAM_FOR(t, m, a->A.ncell) hp_cpr_cell_weights(&a->A, a->C.kind, m, a->C.weight + m * a->A.q);
    hp_team_sync(t); /* the weights */
  }
  HP_TEAM_FOR(t, i, a->C.A.n) {
    const uint32_t begin = a->rows.begin[i];
    pressure_row(a->A, a->C, i, a->rows.column + begin, a->rows.value + begin, a->single);
  }
  if (hp_gh_is_linked(&a->A)) linked_numbers(t, a);
  hp_team_sync(t); /* A_p */
}

template <bool PLAIN>
static __device__ __noinline__ void second(hp_team *t, const setup_data *a) {
  const hp_precond *M = &a->C.second;
  int64_t bad;
  if (PLAIN)
    bad = hp_precond_first_bad(t, &a->A,
                               hp_dilu_bricks_setup_on_chip_cuda(t, M, &a->A, a->brick_warps, hp_shared_rest(t)));
  else if (M->ordering == HP_ORDER_BRICKS) bad = hp_precond_first_bad(t, &a->A, hp_dilu_bricks_setup_cuda(t, M, &a->A));
  else bad = hp_dilu_setup(t, M, &a->A);
  if (t->rank == 0) *a->singular = bad;
}

#endif

/* PLAIN: two unknowns per cell, weights of one, dilu in bricks. Else blocks of any size stand in local memory, some
 * kilobytes for every thread that the GPU could run, which the driver takes from what is free; and the hierarchy's
 * refresh, most of the kernel, is a launch by itself. */
template <bool PLAIN>
static __global__ void __launch_bounds__(SETUP_THREADS, 1)
    setup_kernel(const __grid_constant__ hp_team_grid grid, const __grid_constant__ setup_data a) {
#if defined(__CUDA_ARCH__)
  __shared__ setup_data data;
  hp_team t;
  hp_team_enter(&t, &grid);
  copy_arguments(&data, a);
  if (data.parts & NUMBERS) numbers<PLAIN>(&t, &data);
  if (PLAIN && (data.parts & REFRESH)) {
    hp_refresh_program(&t, *data.refresh);
    hp_team_sync(&t); /* the work space has been read: the second stage's blocks may overwrite it */
  }
  if (data.parts & SECOND) second<PLAIN>(&t, &data);
  hp_team_leave(&t);
#endif
}

static bool is_plain(const hp_cpr_setup *C, const hp_gh *A) {
  const hp_cpr_pressure *p = C->pressure;
  return A->q == 2 && p->weight == NULL && p->second.ordering == HP_ORDER_BRICKS;
}

static const void *kernel_for(const hp_cpr_setup *C, const hp_gh *A) {
  return is_plain(C, A) ? (const void *)setup_kernel<true> : (const void *)setup_kernel<false>;
}

static setup_data data_of(const hp_cpr_setup *C, const hp_gh *A, unsigned parts) {
  setup_data a;
  memset(&a, 0, sizeof a);
  a.A = *A;
  a.C = *C->pressure;
  a.rows = C->rows.at;
  a.refresh = C->refresh;
  a.parts = parts;
  a.brick_warps = BRICK_WARPS;
  return a;
}

hp_status hp_cpr_make_rows(hp_setup *S, const hp_cpr_setup *C, const hp_gh *A) {
  const setup_data a = data_of(C, A, NUMBERS);
  return hp_team_launch(S->D, kernel_for(C, A), &a, 0, "making the pressure system's rows");
}

hp_status hp_cpr_prepare(hp_setup *S, hp_cpr_setup *C) {
  hp_refresh_args refresh;
  C->in_one = hp_amg_device_cycle_refresh_args(C->cycle, C->H, SETUP_THREADS, &refresh, &C->shared);
  return C->in_one ? hp_device_upload(S->D, C->refresh, &refresh, sizeof refresh) : HP_OK;
}

hp_status hp_cpr_set_up(hp_setup *S, const hp_cpr_setup *C, const hp_gh *A, bool fresh, int64_t *singular) {
  const void *kernel = kernel_for(C, A);
  const bool plain = is_plain(C, A);
  setup_data a = data_of(C, A, SECOND);
  size_t shared = plain ? BRICK_WARPS * HP_BRICK_CHIP : 0;
  a.single = a.C.A.h == NULL ? (float *)hp_amg_device_cycle_finest(C->cycle) : NULL;
  a.singular = singular;
  if (fresh && plain && C->in_one) {
    a.parts = NUMBERS | REFRESH | SECOND;
    if (C->shared > shared) shared = C->shared;
  } else if (fresh) { /* separate kernels of some smoothers read the work space, too */
    a.parts = NUMBERS;
    HP_TRY(hp_team_launch(S->D, kernel, &a, 0, "making the numbers of the pressure system"));
    HP_TRY(hp_amg_device_cycle_refresh(C->cycle, C->H));
    a.parts = SECOND;
  }
  return hp_team_launch(S->D, kernel, &a, shared, "setting up cpr");
}

void hp_cpr_load_setup(void) {
  const void *const kernel[] = {(const void *)setup_kernel<true>, (const void *)keep_kernel,
                                (const void *)weights_kernel, (const void *)count_kernel, (const void *)pattern_kernel};
  for (size_t n = 0; n < sizeof kernel / sizeof kernel[0]; ++n) {
    cudaFuncAttributes of;
    if (cudaFuncGetAttributes(&of, kernel[n]) != cudaSuccess) (void)cudaGetLastError(); /* the launch reports it */
  }
}
