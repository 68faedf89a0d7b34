/* amg/cpr_device.h with CUDA. */
#include <string.h>

#include "amg/cpr_device.h"
#include "amg/cpr_execution_cuda.cuh"
#include "amg/cpr_pieces_cuda.cuh"
#include "amg/cpr_weights.inl.h"
#include "amg/cycle_device.h"
#include "amg/setup_cuda.cuh"
#include "core/memory.h"

/* ---- application: phases of the solve's kernel ----------------------------------------------------- */

#define PHASE static __host__ __device__ __noinline__

template <class REAL>
PHASE void restrict_phase(hp_team *t, const hp_cpr_pressure *C, const hp_gh *A, const double *r, REAL *rp) {
#if defined(__CUDA_ARCH__)
  hp_cpr_restrict_cuda(t, C, A, r, rp);
  hp_team_sync(t); /* r_p */
#endif
}

template <class REAL>
PHASE void residual_phase(hp_team *t, const hp_cpr_pressure *C, const hp_gh *A, const double *r, const REAL *xp) {
#if defined(__CUDA_ARCH__)
  hp_cpr_residual_cuda(t, C, A, r, xp);
  hp_team_sync(t); /* the residual */
#endif
}

/* z = x_p + y, y = M^-1 residual. For q = 2 the odd cells' y takes the place of their residual, which nobody else
 * reads, so that the sum needs no barrier of its own. Then the wells:
 *
 *     z_w = x_w + (residual_w - W y) / D,   residual_w = r_w - D x_w - W x_p,   so that   z_w = (r_w - W z) / D
 */
template <class REAL>
PHASE void colours_phase(hp_team *t, const hp_cpr_pressure *C, const hp_gh *A, const double *r, const REAL *xp,
                         double *z) {
#if defined(__CUDA_ARCH__)
  const hp_precond *M = &C->second;
  const int q = A->q;
  const double *s = C->residual;
  double *y = q == 2 ? C->residual : z;
  hp_dilu_colour_cuda(t, M, A, 1, s, s, y);
  hp_team_sync(t); /* the odd cells' y */
  hp_dilu_colour_cuda(t, M, A, 0, s, y, z);
  if (q != 2) hp_team_sync(t); /* y has been read */
  hp_cpr_sum_cuda(t, C, A, xp, z);
  hp_precond_wells(t, A, r, z);
#endif
}

/* The same with dilu in bricks, which adds x_p as it goes. */
template <class REAL>
PHASE void bricks_phase(hp_team *t, const hp_cpr_pressure *C, const hp_gh *A, const double *r, const REAL *xp,
                        double *z) {
#if defined(__CUDA_ARCH__)
  hp_dilu_bricks_apply_cuda(t, &C->second, A, C->residual, xp, z);
  hp_precond_wells(t, A, r, z);
#endif
}

template <class REAL>
static __host__ __device__ __forceinline__ void second_phase(hp_team *t, const hp_cpr_pressure *C, const hp_gh *A,
                                                             const double *r, const REAL *xp, double *z) {
  if (C->second.ordering == HP_ORDER_BRICKS) bricks_phase(t, C, A, r, xp, z);
  else colours_phase(t, C, A, r, xp, z);
}

/* See hp_precond_apply. In single precision the cycle's own vectors take r_p and give x_p. */
static __host__ __device__ __noinline__ void cpr_phase(hp_team *t, const hp_cpr_pressure *C, const hp_gh *A,
                                                       const double *r, double *z) {
#if defined(__CUDA_ARCH__)
  if (C->H->opt.precision == HP_PRECISION_SINGLE) {
    float *rp = (float *)C->H->level[0].b, *xp = (float *)C->H->level[0].x;
    restrict_phase(t, C, A, r, rp);
    hp_amg_program_cuda(t, C->H, NULL, NULL, true, true);
    residual_phase(t, C, A, r, xp);
    second_phase(t, C, A, r, xp, z);
  } else {
    restrict_phase(t, C, A, r, C->rp);
    hp_amg_program_cuda(t, C->H, C->rp, C->xp, false, true);
    residual_phase(t, C, A, r, C->xp);
    second_phase(t, C, A, r, C->xp, z);
  }
#endif
}

/* The block's threads read the data from shared memory: after a barrier a read through a pointer to the device's memory
 * comes from level 2 again. */
static __device__ __forceinline__ const hp_cpr_pressure *on_chip(const void *outer) {
#if defined(__CUDA_ARCH__)
  __shared__ hp_cpr_pressure here;
  if (threadIdx.x == 0) here = *(const hp_cpr_pressure *)outer;
  __syncthreads();
  const hp_amg *H = hp_amg_on_chip(here.H, true);
  if (threadIdx.x == 0) here.H = H;
  __syncthreads();
  return &here;
#else
  return (const hp_cpr_pressure *)outer;
#endif
}

#define HP_SOLVE_APPLY(t, P, A, r, z) cpr_phase(t, (const hp_cpr_pressure *)(P)->outer, A, r, z)
#define HP_SOLVE_IS_NONE(P) false
#define HP_SOLVE_TAKE_OUTER(outer) on_chip(outer)
#define HP_SOLVE_THREADS HP_CPR_THREADS
#include "linsolve/krylov_device.h"
#include "linsolve/krylov_kernel_cuda.cuh"

static const void *solve_kernel(int method, const hp_gh *A) {
  const bool two = A->q == 2 && A->nx > 1 && A->ny > 1 && A->nz > 1;
  switch (method) {
    case HP_KRYLOV_BICGSTAB:
      return two ? (const void *)hp_solve_kernel<HP_KRYLOV_BICGSTAB, HP_SOLVE_TWO_3D>
                 : (const void *)hp_solve_kernel<HP_KRYLOV_BICGSTAB, HP_SOLVE_ANY>;
    case HP_KRYLOV_GMRES: return (const void *)hp_solve_kernel<HP_KRYLOV_GMRES, HP_SOLVE_ANY>;
    case HP_KRYLOV_TFQMR: return (const void *)hp_solve_kernel<HP_KRYLOV_TFQMR, HP_SOLVE_ANY>;
    default: return NULL;
  }
}

static __global__ void __launch_bounds__(HP_CPR_THREADS, 1)
    apply_kernel(const __grid_constant__ hp_team_grid grid, const __grid_constant__ hp_apply_args a) {
  hp_team t;
  hp_team_enter(&t, &grid);
  cpr_phase(&t, on_chip(a.P.outer), &a.A, a.r, a.z);
  hp_team_leave(&t);
}

/* ---- the pressure system --------------------------------------------------------------------------- */

enum { THREADS = 256 };

static __device__ bool is_perforated(const hp_gh *A, int64_t m) {
  const hp_gh_wells *W = &A->wells;
  for (int r = W->nrun > 0 ? W->d[m / A->nz] : -1; r >= 0; r = W->next[r])
    if (m >= W->b[r] && m < W->b[r] + W->c[r]) return true;
  return false;
}

/* Which cells have a row: as the CPU numbers them. */
static __global__ void __launch_bounds__(THREADS)
    keep_kernel(const __grid_constant__ hp_gh A, const __grid_constant__ hp_cpr_pressure C) {
  const int64_t m = (int64_t)blockIdx.x * THREADS + threadIdx.x;
  if (m < A.ncell) C.kept[m] = hp_cpr_is_coupled(&A, m) || is_perforated(&A, m);
}

static __global__ void __launch_bounds__(THREADS)
    weights_kernel(const __grid_constant__ hp_gh A, const __grid_constant__ hp_cpr_pressure C) {
  const int64_t m = (int64_t)blockIdx.x * THREADS + threadIdx.x;
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

/* Row i of A_p: its columns, and its numbers by rows and in GH (C.A in double or `single`), where not NULL; returns how
 * many. Entries that are zero now stay in the pattern: a well that opens later has its place. */
static __device__ int32_t pressure_row(const hp_gh &A, const hp_cpr_pressure &C, int64_t i, int32_t *column,
                                       double *value, float *single) {
  const hp_gh_wells &W = A.wells;
  const int q = A.q;
  int32_t count = 0;
  if (i >= A.ncell) return well_row(A, C, (int)(i - A.ncell), column, value);
  const bool kept = C.kept[i];
  for (int u = -3; u <= 3; ++u) {
    const bool here = kept ? has(A, C, i, u) : u == 0;
    const double v = !here || value == NULL ? 0.0 : kept ? hp_cpr_entry(&A, C.weight, i, u) : 1.0;
    if (value != NULL && C.A.h != NULL) *hp_gh_entry(&C.A, i, u, 0, 0) = v;
    if (single != NULL) single[(u + 3) * C.A.ld + i] = (float)v;
    if (!here) continue;
    if (column != NULL) column[count] = (int32_t)(i + hp_gh_offset(&A, u));
    if (value != NULL) value[count] = v;
    count += 1;
  }
  for (int r = W.nrun > 0 ? W.d[i / A.nz] : -1; r >= 0; r = W.next[r]) {
    const int64_t n = i - W.b[r];
    if (n < 0 || n >= W.c[r]) continue;
    double sum = 0.0;
    for (int a = 0; a < q; ++a) sum += C.weight[i * q + a] * W.wt[(W.a[r] + n) * q + a];
    if (column != NULL) column[count] = (int32_t)(A.ncell + W.of[r]);
    if (value != NULL) C.A.wells.wt[W.a[r] + n] = value[count] = sum;
    count += 1;
  }
  return count;
}

static __global__ void __launch_bounds__(THREADS)
    count_kernel(const __grid_constant__ hp_gh A, const __grid_constant__ hp_cpr_pressure C, int32_t *count,
                 int64_t *longest) {
  const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;
  const int32_t entries = i < C.A.n ? pressure_row(A, C, i, NULL, NULL, NULL) : 0;
  if (i < C.A.n) count[i] = entries;
  hp_block_most(longest, entries);
}

static __global__ void size_kernel(int64_t *count, const int32_t *total) { *count = *total; }

/* Columns, and the couplings alone: a diagonal that makes each cell's row sum zero. */
static __global__ void __launch_bounds__(THREADS)
    pattern_kernel(const __grid_constant__ hp_gh A, const __grid_constant__ hp_cpr_pressure C, hp_csr rows) {
  const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;
  if (i >= C.A.n) return;
  double *value = rows.value + rows.begin[i], couplings = 0.0, *diagonal = NULL;
  int32_t *column = rows.column + rows.begin[i];
  const int32_t entries = pressure_row(A, C, i, column, value, NULL);
  for (int32_t k = 0; k < entries; ++k)
    if (column[k] == i) diagonal = &value[k];
    else couplings -= value[k];
  if (i < A.ncell && couplings > 0.0) *diagonal = couplings;
}

static __global__ void __launch_bounds__(THREADS)
    numbers_kernel(const __grid_constant__ hp_gh A, const __grid_constant__ hp_cpr_pressure C, hp_csr rows,
                   float *single) {
  const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;
  if (i < C.A.n) pressure_row(A, C, i, rows.column + rows.begin[i], rows.value + rows.begin[i], single);
}

struct second_args {
  hp_gh A;
  hp_precond P;
  int64_t *singular;
};

static __device__ void set_up_colours(hp_team *t, const second_args *a) {
#if defined(__CUDA_ARCH__)
  const int64_t bad = hp_dilu_setup(t, &a->P, &a->A);
  if (t->rank == 0) *a->singular = bad;
#endif
}

HP_TEAM_KERNEL(colours_kernel, second_args, set_up_colours(&t, &a))

/* One block a multiprocessor: up to 255 registers a thread. */
static __global__ void __launch_bounds__(HP_TEAM_THREADS, 1)
    bricks_kernel(const __grid_constant__ hp_team_grid grid, const __grid_constant__ second_args a) {
#if defined(__CUDA_ARCH__)
  hp_team t;
  hp_team_enter(&t, &grid);
  const int64_t bad = hp_precond_first_bad(&t, &a.A, hp_dilu_bricks_setup_cuda(&t, &a.P, &a.A));
  if (t.rank == 0) *a.singular = bad;
  hp_team_leave(&t);
#endif
}

/* ---- setup ----------------------------------------------------------------------------------------- */

enum { MARK_BEGAN = 4, MARK_ENDED }; /* of the device's marks */

struct hp_cpr_device {
  hp_device *D;
  hp_cpr_options opt;
  hp_setup S;             /* for what a new pattern needs on the way */
  hp_cpr_pressure host, *device; /* the same */
  hp_device_csr rows;     /* A_p, with room for all entries there can be: columns and values in H's work space, made
                             again for each refresh */
  hp_amg_device *H;
  hp_amg_device_cycle *cycle;
  bool stale;             /* as in hp_cpr, and pace */
  hp_cpr_pace pace;
  bool weighted;          /* weights that never change are set */
  int q;                  /* unknowns a cell */
  char *blocks;           /* device: the residual, then the second stage's packed blocks */
  int64_t most;           /* entries of A_p */
  bool own_inverse;       /* of the second stage's set-up, which is not lent */
  bool timed, built;      /* a setup's marks are not counted yet; it made the pattern anew */
  int64_t bytes;          /* of the arrays, without the hierarchy */
  int64_t apply_bytes;    /* of an application without the cycle */
  int64_t patterns;       /* made so far */
  hp_cpr_counts counts;
  hp_precond_custom custom;
  hp_precond_device precond;
};

static hp_status weigh(hp_cpr_device *C, const hp_gh *A) {
  if (C->weighted) return HP_OK;
  C->weighted = C->opt.weights == HP_CPR_TRUE_IMPES;
  return hp_launch(&C->S, "weighting the pressure system", weights_kernel, hp_parts(A->ncell, THREADS), THREADS, 0, *A,
                   C->host);
}

/* The pattern of A_p, by rows. */
static hp_status number_rows(hp_cpr_device *C, const hp_gh *A) {
  hp_setup *S = &C->S;
  const int64_t n = C->host.A.n, blocks = hp_parts(n, THREADS);
  int32_t *count = NULL;
  HP_TRY(hp_amg_device_begin(C->H));
  HP_TRY(hp_amg_device_room(C->H, (void **)&C->rows.at.column, C->most, sizeof *C->rows.at.column));
  HP_TRY(hp_amg_device_room(C->H, (void **)&C->rows.at.value, C->most, sizeof *C->rows.at.value));
  count = C->rows.at.column; /* its sums are known before the columns come */
  HP_TRY(hp_launch(S, "the pressure system's cells", keep_kernel, hp_parts(A->ncell, THREADS), THREADS, 0, *A,
                   C->host));
  HP_TRY(hp_launch(S, "the pressure system's rows", count_kernel, blocks, THREADS, 0, *A, C->host, count,
                   S->counts + 1));
  HP_TRY(hp_setup_scan(S, count, C->rows.at.begin, n));
  HP_TRY(hp_launch(S, "the pressure system's rows", size_kernel, 1, 1, 0, S->counts, C->rows.at.begin + n));
  HP_TRY(hp_setup_learn(S));
  C->rows.count = S->host_counts[0];
  C->rows.longest = (int32_t)S->host_counts[1];
  return hp_launch(S, "the pressure system's pattern", pattern_kernel, blocks, THREADS, 0, *A, C->host, C->rows.at);
}

/* Pattern, coarse points and interpolation. */
static hp_status make(hp_cpr_device *C, const hp_gh *A) {
  HP_TRY(number_rows(C, A));
  HP_TRY(hp_amg_device_build(C->H, &C->rows, A->wells.nwell));
  return hp_amg_device_cycle_prepare(C->cycle, C->H, &C->host.A);
}

static hp_status refresh(hp_cpr_device *C, const hp_gh *A) {
  float *single = C->host.A.h == NULL ? (float *)hp_amg_device_cycle_finest(C->cycle) : NULL;
  HP_TRY(hp_launch(&C->S, "the pressure system's numbers", numbers_kernel, hp_parts(C->host.A.n, THREADS), THREADS, 0,
                   *A, C->host, C->rows.at, single));
  return hp_amg_device_cycle_refresh(C->cycle, C->H);
}

/* Counts the latest setup. */
static hp_status count(hp_cpr_device *C) {
  double seconds = 0.0;
  if (!C->timed) return HP_OK;
  HP_TRY(hp_device_elapsed(C->D, MARK_BEGAN, MARK_ENDED, &seconds));
  *(C->built ? &C->counts.builds : &C->counts.refreshes) += 1;
  *(C->built ? &C->counts.build_seconds : &C->counts.refresh_seconds) += seconds;
  C->timed = false;
  return HP_OK;
}

static hp_status first_stage(hp_cpr_device *C, const hp_gh *A) {
  HP_TRY(hp_device_mark(C->D, MARK_BEGAN));
  HP_TRY(weigh(C, A));
  C->built = C->stale;
  C->patterns += C->stale;
  if (C->stale) HP_TRY(make(C, A));
  C->stale = false;
  HP_TRY(refresh(C, A));
  HP_TRY(hp_device_mark(C->D, MARK_ENDED));
  C->timed = true;
  return HP_OK;
}

static hp_status setup(void *self, const hp_gh *A, int64_t *singular) {
  hp_cpr_device *C = (hp_cpr_device *)self;
  const second_args second = {*A, C->host.second, singular};
  HP_TRY(count(C));
  C->pace.fresh = C->stale || C->pace.due || C->opt.refresh == HP_CPR_BY_SOLVE;
  C->pace.due = false;
  if (C->pace.fresh) HP_TRY(first_stage(C, A));
  const bool bricks = C->host.second.ordering == HP_ORDER_BRICKS;
  return hp_team_launch(C->D, bricks ? (const void *)bricks_kernel : (const void *)colours_kernel, &second, 0,
                        "setting up the second stage of cpr");
}

/* ---- creation -------------------------------------------------------------------------------------- */

/* A_p's shape and the places of its wells. */
static hp_status create_matrix(hp_cpr_device *C, const hp_gh *A) {
  hp_gh *p = &C->host.A;
  hp_gh_wells *W = &p->wells;
  hp_device_csr *rows = &C->rows;
  const int64_t most = C->most = HP_GH_DIAGS * A->ncell + 2 * A->wells.nperf + A->wells.nwell;
  *p = *A;
  p->q = 1;
  p->ld = A->ncell;
  p->n = A->ncell + A->wells.nwell;
  p->h = W->w = W->wt = W->dd = NULL;
  W->nlisted = 0; /* for products by chunks of rows of the full matrix */
  W->chunk_begin = W->chunk_well = NULL;
  W->chunk_cell = W->chunk_slot = NULL;
  if (most >= INT32_MAX)
    return hp_fail(HP_ERR_UNSUPPORTED, "cpr: %lld entries of the pressure system: more than 32-bit indices count",
                   (long long)most);
  if (C->opt.amg.precision != HP_PRECISION_SINGLE) HP_TRY(HP_DEVICE_ALLOC(C->D, p->h, HP_GH_DIAGS * A->ncell));
  HP_TRY(HP_DEVICE_ALLOC(C->D, W->w, W->nperf));
  HP_TRY(HP_DEVICE_ALLOC(C->D, W->wt, W->nperf));
  HP_TRY(HP_DEVICE_ALLOC(C->D, W->dd, W->nwell));
  rows->at.nrow = rows->at.ncol = (int32_t)p->n;
  return HP_DEVICE_ALLOC(C->D, rows->at.begin, p->n + 1);
}

static hp_status create_vectors(hp_cpr_device *C, const hp_gh *A) {
  hp_cpr_pressure *p = &C->host;
  const bool own = C->opt.amg.precision != HP_PRECISION_SINGLE;
  p->kind = C->opt.weights;
  p->by_nz = hp_divisor_of((uint32_t)A->nz);
  p->H = hp_amg_device_cycle_data(C->cycle);
  HP_TRY(HP_DEVICE_ALLOC(C->D, p->weight, A->ld));
  HP_TRY(HP_DEVICE_ALLOC(C->D, p->kept, A->ncell));
  HP_TRY(HP_DEVICE_ALLOC(C->D, p->rp, own ? p->A.n : 0));
  return HP_DEVICE_ALLOC(C->D, p->xp, own ? p->A.n : 0);
}

/* The second stage. Its packed blocks and the residual stand next to each other, one piece of work space for a setup. */
static hp_status create_second(hp_cpr_device *C, const hp_gh *A) {
  hp_cpr_pressure *p = &C->host;
  hp_krylov_options second;
  memset(&second, 0, sizeof second);
  second.preconditioner = HP_PRECOND_DILU;
  second.ordering = C->opt.ordering;
  second.precision = C->opt.precision;
  second.relaxation = C->opt.relaxation;
  HP_TRY(hp_device_precond_create(C->D, A, &second, &p->second));
  C->own_inverse = true;
  HP_DEVICE_FREE(C->D, p->second.pack);
  const int64_t residual = (A->ld * (int64_t)sizeof *p->residual + 255) / 256 * 256;
  const int64_t bytes = residual + hp_device_precond_pack_bytes(A, &second);
  HP_TRY(HP_DEVICE_ALLOC(C->D, C->blocks, bytes));
  p->residual = (double *)(void *)C->blocks;
  p->second.pack = C->blocks + residual;
  return hp_amg_device_lend(C->H, C->blocks, bytes);
}

/* See hp_precond_device. */
static hp_status enqueue(void *self, struct hp_execution *E, const double *r, double *z) {
  const hp_cpr_device *C = (const hp_cpr_device *)self;
  const hp_cpr_list list = {C->host.second.ordering, C->opt.amg.precision, hp_amg_device_cycle_passes(C->cycle),
                            2 * hp_device_get_info(C->D)->multiprocessors};
  return hp_cpr_enqueue(&list, E, r, z);
}

static int64_t pattern(const void *self) { return ((const hp_cpr_device *)self)->patterns; }

static hp_status create(hp_cpr_device *C, const hp_gh *A) {
  C->q = A->q;
  HP_TRY(hp_setup_open(&C->S, C->D));
  HP_TRY(hp_amg_device_create(C->D, &C->opt.amg, &C->H));
  HP_TRY(hp_amg_device_cycle_create(C->D, &C->opt.amg, &C->cycle));
  const int64_t before = hp_device_bytes(C->D);
  HP_TRY(create_matrix(C, A));
  HP_TRY(create_vectors(C, A));
  HP_TRY(create_second(C, A));
  HP_TRY(HP_DEVICE_ALLOC(C->D, C->device, 1));
  C->bytes = hp_device_bytes(C->D) - before;
  HP_TRY(hp_device_upload(C->D, C->device, &C->host, sizeof C->host));
  C->precond.data = C->device;
  C->precond.solve = solve_kernel;
  C->precond.apply = (const void *)apply_kernel;
  C->precond.self = C;
  C->precond.setup = setup;
  C->precond.enqueue = enqueue;
  C->precond.pattern = pattern;
  C->custom.name = "cpr";
  C->custom.device = &C->precond;
  return HP_OK;
}

hp_status hp_cpr_device_create(hp_device *D, const hp_gh *A, const hp_cpr_options *opt, hp_cpr_device **out) {
  *out = NULL;
  const char *refusal = hp_cpr_refusal(opt);
  if (refusal == NULL) refusal = hp_cpr_device_refusal(opt, HP_KRYLOV_BICGSTAB);
  if (refusal != NULL) return hp_fail(HP_ERR_USAGE, "cpr: %s", refusal);
  hp_cpr_device *C = NULL;
  HP_TRY(HP_ALLOC(C, 1));
  C->D = D;
  C->opt = *opt;
  C->stale = true;
  C->pace.due = true;
  C->apply_bytes = hp_cpr_apply_bytes(A, opt, 0);
  const hp_status s = create(C, A);
  if (s != HP_OK) hp_cpr_device_destroy(&C);
  *out = C;
  return s;
}

void hp_cpr_device_destroy(hp_cpr_device **slot) {
  if (slot == NULL || *slot == NULL) return;
  hp_cpr_device *C = *slot;
  hp_device *D = C->D;
  hp_cpr_pressure *p = &C->host;
  hp_amg_device_cycle_destroy(&C->cycle);
  hp_amg_device_destroy(&C->H);
  hp_setup_close(&C->S);
  HP_DEVICE_FREE(D, C->rows.at.begin);
  if (!C->own_inverse) p->second.inverse = NULL;
  if (C->blocks != NULL) p->second.pack = NULL;
  hp_device_precond_free(D, &p->second);
  HP_DEVICE_FREE(D, C->blocks);
  HP_DEVICE_FREE(D, p->A.h);
  HP_DEVICE_FREE(D, p->A.wells.w);
  HP_DEVICE_FREE(D, p->A.wells.wt);
  HP_DEVICE_FREE(D, p->A.wells.dd);
  HP_DEVICE_FREE(D, p->weight);
  HP_DEVICE_FREE(D, p->kept);
  HP_DEVICE_FREE(D, p->rp);
  HP_DEVICE_FREE(D, p->xp);
  HP_DEVICE_FREE(D, C->device);
  HP_FREE(*slot);
}

void hp_cpr_device_load(void) {
  const void *const kernel[] = {(const void *)hp_solve_kernel<HP_KRYLOV_BICGSTAB, HP_SOLVE_TWO_3D>,
                                (const void *)colours_kernel,
                                (const void *)bricks_kernel,
                                (const void *)keep_kernel,
                                (const void *)weights_kernel,
                                (const void *)count_kernel,
                                (const void *)pattern_kernel,
                                (const void *)numbers_kernel};
  for (size_t n = 0; n < sizeof kernel / sizeof kernel[0]; ++n) {
    cudaFuncAttributes of;
    if (cudaFuncGetAttributes(&of, kernel[n]) != cudaSuccess) (void)cudaGetLastError(); /* its launch tells */
  }
}

/* The inverse blocks of the second stage are read by its set-up alone. */
hp_status hp_cpr_device_lend(hp_cpr_device *C, void *memory, int64_t bytes) {
  hp_precond *M = &C->host.second;
  const int64_t q = C->q, inverse = C->host.A.ncell * q * q * (int64_t)sizeof *M->inverse;
  if (C->own_inverse && bytes >= inverse) {
    HP_DEVICE_FREE(C->D, M->inverse);
    M->inverse = (double *)memory;
    M->bytes -= inverse;
    C->bytes -= inverse;
    C->own_inverse = false;
    HP_TRY(hp_device_upload(C->D, C->device, &C->host, sizeof C->host));
  }
  return hp_amg_device_lend(C->H, memory, bytes);
}

const hp_precond_custom *hp_cpr_device_precond(const hp_cpr_device *C) { return &C->custom; }

void hp_cpr_device_rebuild(hp_cpr_device *C) { C->stale = true; }

void hp_cpr_device_begin_step(hp_cpr_device *C) {
  if (C->opt.rebuild == HP_CPR_EACH_STEP) hp_cpr_device_rebuild(C);
  C->pace.due = true;
}

bool hp_cpr_device_solved(hp_cpr_device *C, const hp_krylov_report *report) {
  return hp_cpr_pace_solved(&C->pace, report);
}

hp_status hp_cpr_device_state(hp_cpr_device *C, hp_cpr_state *out) {
  double entries = 0.0;
  HP_TRY(count(C));
  memset(out, 0, sizeof *out);
  out->counts = C->counts;
  out->levels = hp_amg_device_levels(C->H);
  hp_amg_size size[HP_AMG_LEVELS_MAX];
  for (int l = 0; l < out->levels; ++l) {
    const hp_amg_device_level *L = hp_amg_device_get_level(C->H, l);
    size[l] = hp_amg_size{L->A.at.nrow, L->A.count, L->P.count};
    entries += (double)L->A.count;
  }
  const bool direct = hp_amg_device_get_direct(C->H) != NULL;
  if (out->levels > 0)
    out->apply_bytes = C->apply_bytes + hp_amg_cycle_traffic(&C->opt.amg, true, direct, out->levels, size);
  out->complexity = C->rows.count > 0 ? entries / (double)C->rows.count : 0.0;
  out->on_host = hp_amg_device_coarsens_on_host(C->H);
  out->bytes = C->bytes + hp_amg_device_pool_bytes(C->H) + hp_amg_device_cycle_bytes(C->cycle) +
               hp_pool_bytes(&C->S.keep) + hp_pool_bytes(&C->S.scratch);
  return HP_OK;
}
