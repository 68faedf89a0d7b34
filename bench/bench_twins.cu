/* Time on a GPU of the CUDA texts of products and of block DILU, beside that of the shared texts for which they stand,
 * compiled for the same GPU in kernels of the same shape. Both must give the same bits.
 *
 *     bench_twins [nx ny nz]      default 60 220 85
 *
 * A kernel repeats an operation with a barrier after each; the median of five launches is reported. The shared text of a
 * product has a cell a thread, that of DILU by colours a column a thread, that of DILU in bricks a brick a thread. A x and
 * A^T x together are compared with the CUDA texts of both, one after the other.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/generators/family.h"
#include "core/device/device.h"
#include "core/memory.h"
#include "linsolve/krylov/precond.inl.h"
#include "linsolve/matrix/device.h"
#include "linsolve/precond/device.h"
#include "linsolve/product/spmv.inl.h"
#if defined(__CUDA_ARCH__)
#include "linsolve/precond/dilu/cuda/bricks_apply.cuh"
#endif

/* X(operation, what it is, threads of a block in solves, file with its CUDA text) */
#define OPERATIONS(X)                                                                                \
  X(PRODUCT, "y = A x", 256, "linsolve/product/cuda/spmv.cuh")                                       \
  X(LOCAL, "y = A x, inlined", 256, "linsolve/product/cuda/spmv.cuh")                                \
  X(TRANSPOSED, "y = A^T x", 256, "linsolve/product/cuda/transposed.cuh")                            \
  X(BOTH, "A x, A^T x and sums", 256, "linsolve/product/cuda/transposed.cuh")                        \
  X(COLOURS_SETUP, "dilu red-black, set-up", 256, "linsolve/precond/dilu/cuda/dilu.cuh")             \
  X(COLOURS_APPLY, "dilu red-black", 256, "linsolve/precond/dilu/cuda/dilu.cuh")                     \
  X(COLOURS_TRANSPOSED, "dilu red-black, transposed", 256, "linsolve/precond/dilu/transposed.inl.h") \
  X(BRICKS_SETUP, "dilu bricks, set-up", 1024, "linsolve/precond/dilu/cuda/bricks_setup.cuh")        \
  X(BRICKS_CHIP, "dilu bricks, set-up on chip", 1024, "linsolve/precond/dilu/cuda/bricks_setup.cuh") \
  X(BRICKS_APPLY, "dilu bricks", 512, "linsolve/precond/dilu/cuda/bricks_apply.cuh")

typedef enum {
#define OPERATION_ENUM(name, text, threads, file) name,
  OPERATIONS(OPERATION_ENUM)
#undef OPERATION_ENUM
      OPERATION_COUNT
} operation;

enum { BRICK_WARPS = 7 /* of amg/cpr/cuda/setup.cu */, SAMPLES = 5 };

typedef struct {
  hp_gh A;
  hp_precond P;
  const double *x;
  double *y, *u;   /* results, [n] */
  const float *xp; /* [ncell] */
  int64_t *singular;
  int rounds;
} arguments;

#if defined(__CUDA_ARCH__)

/* ---- the shared texts ---- */

/* A cell or a well a thread. */
static __device__ __noinline__ void plain_product(hp_team *t, const hp_gh *A, bool transposed, const double *x,
                                                  double *y) {
  HP_TEAM_FOR(t, m, A->ncell + A->wells.nwell) {
    const bool cell = m < A->ncell;
    const int64_t begin = cell ? m * A->q : A->rows + m - A->ncell, end = cell ? begin + A->q : begin + 1;
    if (!transposed) {
      hp_gh_rows(A, NULL, x, y, begin, end);
    } else if (cell) {
      hp_gh_transposed_rows(A, x, y, begin, end);
      hp_gh_well_columns(A, A->wells.w, 1.0, x, y, begin, end);
    } else {
      y[begin] = hp_gh_well_row(A, (int)(begin - A->rows), A->wells.wt, x);
    }
  }
}

static __device__ __noinline__ void separate_products(hp_team *t, const arguments *a) {
  const hp_gh *A = &a->A;
  const double *x = a->x;
  hp_gh_mul_transposed(t, A, x, a->u);
  hp_gh_mul(t, A, x, a->y);
  HP_TEAM_REDUCE_OWNED(t, i, A->n, 3) {
    HP_ACC(0) += x[i] * a->y[i];
    HP_ACC(1) += x[i] * x[i];
    HP_ACC(2) += a->y[i] * a->y[i];
  }
  HP_TEAM_REDUCE_END(t);
}

static __device__ __noinline__ void plain_transposed(hp_team *t, const arguments *a) {
  const hp_gh *A = &a->A;
  for (int phase = 0; phase < 3; ++phase) {
    HP_TEAM_FOR(t, column, (int64_t)A->nx * A->ny) {
      const int i = (int)(column / A->ny), j = (int)(column % A->ny);
      for (int k = (i + j + (phase != 1)) & 1; k < A->nz; k += 2)
        hp_dilu_colour_cell_transposed(&a->P, A, A->q == 2 ? 2 : A->q, phase, i, j, k, a->x, a->y);
    }
    if (phase < 2) hp_team_sync(t);
  }
  hp_precond_wells_transposed(t, A, a->x, a->y);
}

/* The cells begin .. end - 1 of a brick along each axis. */
struct brick_box {
  int begin[3], end[3];
};

static __device__ brick_box box_of(const hp_gh *A, const hp_dilu_bricks *B, int64_t brick) {
  const int n[3] = {A->nz, A->ny, A->nx};
  brick_box b;
  for (int axis = 0; axis < 3; ++axis, brick /= B->count[axis - 1]) {
    b.begin[axis] = (int)(brick % B->count[axis]) * B->size[axis];
    b.end[axis] = b.begin[axis] + B->size[axis] < n[axis] ? b.begin[axis] + B->size[axis] : n[axis];
  }
  return b;
}

static __device__ __noinline__ int64_t plain_bricks_setup(hp_team *t, const hp_precond *P, const hp_gh *A) {
  int64_t bad = -1;
  HP_TEAM_FOR(t, brick, hp_dilu_bricks_count(&P->bricks)) {
    const brick_box b = box_of(A, &P->bricks, brick);
    for (int i = b.begin[2]; i < b.end[2]; ++i)
      for (int j = b.begin[1]; j < b.end[1]; ++j)
        for (int k = b.begin[0]; k < b.end[0]; ++k)
          if (!(A->q == 2 ? hp_dilu_natural_cell_pairs(P, A, i, j, k) : hp_dilu_natural_cell(P, A, A->q, i, j, k)))
            bad = k + A->nz * (j + (int64_t)A->ny * i);
  }
  return bad;
}

/* One column of a brick, forward or backward, as hp_dilu_forward_slab and hp_dilu_backward_slab process a whole one. */
static __device__ void plain_brick_column(const hp_precond *P, const hp_gh *A, const brick_box *b, int i, int j,
                                          bool forward, const double *r, double *z) {
  const int q = A->q, nk = b->end[0] - b->begin[0];
  const int64_t line = (int64_t)A->nz * q, slab = line * A->ny, m = b->begin[0] + A->nz * (j + (int64_t)A->ny * i);
  const int64_t at = m * q, place = hp_dilu_place(A, m, forward ? 0 : 4);
  const bool single = P->precision == HP_PRECISION_SINGLE;
  const float *f = (const float *)P->pack + place;
  const double *g = (const double *)P->pack + place;
  if (forward) {
    const double *yi = i > b->begin[2] ? z + at - slab : P->zero, *yj = j > b->begin[1] ? z + at - line : P->zero;
    if (single && q == 2) hp_dilu_forward_pairs_float(nk, f, r + at, yj, yi, z + at);
    else if (single) hp_dilu_forward_float(q, nk, f, r + at, yj, yi, z + at);
    else if (q == 2) hp_dilu_forward_pairs_double(nk, g, r + at, yj, yi, z + at);
    else hp_dilu_forward_double(q, nk, g, r + at, yj, yi, z + at);
  } else {
    const double *zi = i + 1 < b->end[2] ? z + at + slab : P->zero, *zj = j + 1 < b->end[1] ? z + at + line : P->zero;
    if (single && q == 2) hp_dilu_backward_pairs_float(nk, f, zj, zi, z + at);
    else if (single) hp_dilu_backward_float(q, nk, f, zj, zi, z + at);
    else if (q == 2) hp_dilu_backward_pairs_double(nk, g, zj, zi, z + at);
    else hp_dilu_backward_double(q, nk, g, zj, zi, z + at);
  }
}

static __device__ __noinline__ void plain_bricks_apply(hp_team *t, const arguments *a) {
  const hp_gh *A = &a->A;
  HP_TEAM_FOR(t, brick, hp_dilu_bricks_count(&a->P.bricks)) {
    const brick_box b = box_of(A, &a->P.bricks, brick);
    for (int i = b.begin[2]; i < b.end[2]; ++i)
      for (int j = b.begin[1]; j < b.end[1]; ++j) plain_brick_column(&a->P, A, &b, i, j, true, a->x, a->y);
    for (int i = b.end[2] - 1; i >= b.begin[2]; --i)
      for (int j = b.end[1] - 1; j >= b.begin[1]; --j) plain_brick_column(&a->P, A, &b, i, j, false, a->x, a->y);
    for (int i = b.begin[2]; i < b.end[2]; ++i)
      for (int j = b.begin[1]; j < b.end[1]; ++j)
        for (int k = b.begin[0]; k < b.end[0]; ++k) {
          const int64_t m = k + A->nz * (j + (int64_t)A->ny * i);
          a->y[m * A->q] += (double)a->xp[m];
        }
  }
}

/* ---- both texts ---- */

template <operation what>
static __device__ __forceinline__ void run_plain(hp_team *t, const arguments *a) {
  const hp_gh *A = &a->A;
  const hp_precond *P = &a->P;
  if (what == PRODUCT || what == LOCAL) plain_product(t, A, false, a->x, a->y);
  if (what == TRANSPOSED) plain_product(t, A, true, a->x, a->y);
  if (what == BOTH) separate_products(t, a);
  if (what == COLOURS_SETUP) {
    const int64_t bad = hp_dilu_colours_setup(t, P, A, A->q == 2 ? 2 : A->q);
    if (bad >= 0) *a->singular = bad;
  }
  if (what == COLOURS_APPLY) {
    const int q = A->q;
    if (q == 2) hp_dilu_colour_phase(t, P, A, 2, 1, a->x, a->x, a->y);
    else hp_dilu_colour_phase(t, P, A, q, 1, a->x, a->x, a->y);
    hp_team_sync(t);
    if (q == 2) hp_dilu_colour_phase(t, P, A, 2, 0, a->x, a->y, a->y);
    else hp_dilu_colour_phase(t, P, A, q, 0, a->x, a->y, a->y);
  }
  if (what == COLOURS_TRANSPOSED) plain_transposed(t, a);
  if (what == BRICKS_SETUP || what == BRICKS_CHIP) {
    const int64_t bad = plain_bricks_setup(t, P, A);
    if (bad >= 0) *a->singular = bad;
  }
  if (what == BRICKS_APPLY) plain_bricks_apply(t, a);
}

template <operation what>
static __device__ __forceinline__ void run_cuda(hp_team *t, const arguments *a) {
  const hp_gh *A = &a->A;
  const hp_precond *P = &a->P;
  int64_t bad = -1;
  if (what == PRODUCT) hp_gh_mul(t, A, a->x, a->y);
  if (what == LOCAL) hp_gh_mul_local(t, A, a->x, hp_local_in_memory(a->y));
  if (what == TRANSPOSED) hp_gh_mul_transposed(t, A, a->x, a->y);
  if (what == BOTH) hp_gh_both_cuda(t, A, a->x, hp_local_in_memory(a->y), a->x, hp_local_in_memory(a->u));
  if (what == COLOURS_SETUP) bad = hp_dilu_setup_cuda(t, P, A);
  if (what == COLOURS_APPLY) hp_dilu_apply_cuda(t, P, A, a->x, a->y);
  if (what == COLOURS_TRANSPOSED) hp_dilu_apply_transposed(t, P, A, a->x, a->y);
  if (what == BRICKS_SETUP) bad = hp_dilu_bricks_setup_cuda(t, P, A);
  if (what == BRICKS_CHIP) bad = hp_dilu_bricks_setup_on_chip_cuda(t, P, A, BRICK_WARPS, hp_shared_rest(t));
  if (what == BRICKS_APPLY) hp_dilu_bricks_apply_cuda(t, P, A, a->x, a->xp, a->y);
  if (bad >= 0) *a->singular = bad;
}

#endif

template <operation what, bool plain, int threads>
static __global__ void __launch_bounds__(threads, 1)
    twin_kernel(const __grid_constant__ hp_team_grid grid, const __grid_constant__ arguments given) {
#if defined(__CUDA_ARCH__)
  __shared__ arguments a; /* as in solves */
  hp_team t;
  hp_team_enter(&t, &grid);
  if (threadIdx.x == 0) a = given;
  __syncthreads();
  for (int n = 0; n < a.rounds; ++n) {
    if (plain) run_plain<what>(&t, &a);
    else run_cuda<what>(&t, &a);
    hp_team_sync(&t);
  }
  hp_team_leave(&t);
#endif
}

static const void *kernel_of(operation what, bool plain) {
  static const void *const kernel[OPERATION_COUNT][2] = {
#define OPERATION_KERNEL(name, text, threads, file) \
  {(const void *)twin_kernel<name, false, threads>, (const void *)twin_kernel<name, true, threads>},
      OPERATIONS(OPERATION_KERNEL)
#undef OPERATION_KERNEL
  };
  return kernel[what][plain];
}

static const char *const operation_text[] = {
#define OPERATION_TEXT(name, text, threads, file) text,
    OPERATIONS(OPERATION_TEXT)
#undef OPERATION_TEXT
};

static const char *const operation_file[] = {
#define OPERATION_FILE(name, text, threads, file) file,
    OPERATIONS(OPERATION_FILE)
#undef OPERATION_FILE
};

/* ---- the host ---- */

static hp_status launch(hp_device *D, operation what, bool plain, arguments *a, int rounds, double *seconds) {
  const size_t chip = what == BRICKS_CHIP && !plain ? BRICK_WARPS * HP_BRICK_CHIP : 0;
  a->rounds = rounds;
  HP_TRY(hp_device_mark(D, 0));
  HP_TRY(hp_team_launch(D, kernel_of(what, plain), a, chip, operation_text[what]));
  HP_TRY(hp_device_mark(D, 1));
  HP_TRY(hp_device_elapsed(D, 0, 1, seconds));
  HP_TRY(hp_device_sync(D));
  *seconds /= rounds;
  return HP_OK;
}

static int by_value(const void *x, const void *y) {
  const double a = *(const double *)x, b = *(const double *)y;
  return (a > b) - (a < b);
}

static hp_status measure(hp_device *D, operation what, bool plain, arguments *a, double *seconds) {
  double sample[SAMPLES], first;
  HP_TRY(launch(D, what, plain, a, 1, &first));
  HP_TRY(launch(D, what, plain, a, 2, &first));
  const int rounds = first < 10e-3 ? (int)(20e-3 / first) : 2;
  for (int n = 0; n < SAMPLES; ++n) HP_TRY(launch(D, what, plain, a, rounds, &sample[n]));
  qsort(sample, SAMPLES, sizeof *sample, by_value);
  *seconds = sample[SAMPLES / 2];
  return HP_OK;
}

typedef struct {
  arguments a;
  double *text[2], *u[2]; /* results of the CUDA text and of the shared one, on the host */
} bench;

/* The operation that makes, by the same text, the factors that `what` reads. */
static operation setup_of(operation what) {
  return what == COLOURS_APPLY || what == COLOURS_TRANSPOSED ? COLOURS_SETUP
         : what == BRICKS_APPLY                              ? BRICKS_SETUP
                                                             : OPERATION_COUNT;
}

static hp_status run_text(hp_device *D, bench *B, operation what, bool plain, double *seconds) {
  const int64_t n = B->a.A.n * (int64_t)sizeof(double);
  const operation setup = setup_of(what);
  double ignored;
  HP_TRY(hp_device_zero(D, B->a.y, n));
  HP_TRY(hp_device_zero(D, B->a.u, n));
  if (setup != OPERATION_COUNT) /* the transposed application by columns reads what the CUDA text has stored */
    HP_TRY(launch(D, setup, plain && what != COLOURS_TRANSPOSED, &B->a, 1, &ignored));
  HP_TRY(measure(D, what, plain, &B->a, seconds));
  HP_TRY(hp_device_download(D, B->text[plain], B->a.y, n));
  return hp_device_download(D, B->u[plain], B->a.u, n);
}

static hp_status compare(hp_device *D, bench *B, operation what) {
  double seconds[2];
  int64_t singular = -1;
  for (int plain = 0; plain < 2; ++plain) HP_TRY(run_text(D, B, what, plain, &seconds[plain]));
  HP_TRY(hp_device_download(D, &singular, B->a.singular, sizeof singular));
  if (singular >= 0) return hp_fail(HP_ERR_INTERNAL, "the block of cell %lld is singular", (long long)singular);
  printf("%-27s %10.1f %10.1f %7.1f %%   %s\n", operation_text[what], seconds[1] * 1e6, seconds[0] * 1e6,
         100.0 * (1.0 - seconds[0] / seconds[1]), operation_file[what]);
  fflush(stdout);
  const size_t n = (size_t)B->a.A.n * sizeof(double);
  if (memcmp(B->text[0], B->text[1], n) != 0 || memcmp(B->u[0], B->u[1], n) != 0)
    return hp_fail(HP_ERR_INTERNAL, "%s: the two texts have different bits", operation_text[what]);
  return HP_OK;
}

static void title(const hp_gh *A, const char *what) {
  printf("\n%d x %d x %d, q = %d, %d wells%s\n%-27s %10s %10s %9s\n", A->nx, A->ny, A->nz, A->q, A->wells.nwell, what,
         "", "shared us", "CUDA us", "saves");
}

static hp_status with_precond(hp_device *D, bench *B, hp_ordering ordering, hp_precision precision) {
  hp_gh *A = &B->a.A;
  char what[80];
  snprintf(what, sizeof what, ", dilu %s, %s", hp_ordering_name(ordering), hp_precision_name(precision));
  title(A, what);
  HP_TRY(hp_precond_device_create(D, A, HP_PRECOND_DILU, ordering, precision, 0.5, true, &B->a.P));
  hp_status s = HP_DEVICE_ALLOC(D, B->a.P.zero, (int64_t)A->nz * A->q);
  const operation first = ordering == HP_ORDER_BRICKS ? BRICKS_SETUP : COLOURS_SETUP;
  const operation last = ordering == HP_ORDER_BRICKS ? BRICKS_APPLY : COLOURS_TRANSPOSED;
  if (s == HP_OK) s = hp_device_zero(D, B->a.P.zero, (int64_t)A->nz * A->q * (int64_t)sizeof(double));
  for (int what_of = first; what_of <= last && s == HP_OK; ++what_of)
    if (what_of != BRICKS_CHIP || A->q == 2) s = compare(D, B, (operation)what_of);
  HP_DEVICE_FREE(D, B->a.P.zero);
  hp_precond_device_free(D, &B->a.P);
  return s;
}

static hp_status all_of(hp_device *D, bench *B) {
  title(&B->a.A, "");
  for (int what = PRODUCT; what <= BOTH; ++what) HP_TRY(compare(D, B, (operation)what));
  if (B->a.A.q == 1) return HP_OK;
  for (int precision = 0; precision < HP_PRECISION_COUNT; ++precision) {
    HP_TRY(with_precond(D, B, HP_ORDER_RED_BLACK, (hp_precision)precision));
    HP_TRY(with_precond(D, B, HP_ORDER_BRICKS, (hp_precision)precision));
  }
  return HP_OK;
}

static hp_status of_matrix(hp_device *D, const hp_gh *A) {
  bench B;
  memset(&B, 0, sizeof B);
  const int64_t minus_one = -1;
  double *x = NULL;
  float *xp = NULL;
  HP_TRY(hp_gh_device_upload(D, A, &B.a.A));
  HP_TRY(HP_ALLOC(x, A->n));
  HP_TRY(HP_ALLOC(xp, A->ncell));
  for (int k = 0; k < 2; ++k) HP_TRY(HP_ALLOC(B.text[k], A->n));
  for (int k = 0; k < 2; ++k) HP_TRY(HP_ALLOC(B.u[k], A->n));
  hp_family_vector(3, A->n, x);
  for (int64_t m = 0; m < A->ncell; ++m) xp[m] = (float)x[A->q * m];
  double *dx = NULL;
  float *dxp = NULL;
  HP_TRY(HP_DEVICE_ALLOC(D, dx, A->n));
  HP_TRY(HP_DEVICE_ALLOC(D, dxp, A->ncell));
  HP_TRY(HP_DEVICE_ALLOC(D, B.a.y, A->n));
  HP_TRY(HP_DEVICE_ALLOC(D, B.a.u, A->n));
  HP_TRY(HP_DEVICE_ALLOC(D, B.a.singular, 1));
  HP_TRY(hp_device_upload(D, dx, x, A->n * (int64_t)sizeof *x));
  HP_TRY(hp_device_upload(D, dxp, xp, A->ncell * (int64_t)sizeof *xp));
  HP_TRY(hp_device_upload(D, B.a.singular, &minus_one, sizeof minus_one));
  B.a.x = dx;
  B.a.xp = dxp;
  HP_TRY(all_of(D, &B));
  HP_DEVICE_FREE(D, dx);
  HP_DEVICE_FREE(D, dxp);
  HP_DEVICE_FREE(D, B.a.y);
  HP_DEVICE_FREE(D, B.a.u);
  HP_DEVICE_FREE(D, B.a.singular);
  for (int k = 0; k < 2; ++k) HP_FREE(B.text[k]);
  for (int k = 0; k < 2; ++k) HP_FREE(B.u[k]);
  HP_FREE(x);
  HP_FREE(xp);
  hp_gh_device_free(D, &B.a.A);
  return HP_OK;
}

static hp_status run(int nx, int ny, int nz) {
  static const struct { int q, wells; } of[] = {{2, 0}, {2, 5}, {1, 0}, {3, 5}, {4, 0}};
  hp_device *D = NULL;
  HP_TRY(hp_device_create(NULL, &D));
  for (size_t n = 0; n < sizeof of / sizeof of[0]; ++n) {
    hp_gh *A = NULL;
    hp_family f = hp_family_default(nx, ny, nz, of[n].q);
    f.nwell = of[n].wells;
    HP_TRY(hp_family_create(&f, &A));
    HP_TRY(of_matrix(D, A));
    hp_gh_destroy(&A);
  }
  hp_device_destroy(&D);
  return HP_OK;
}

int main(int argc, char **argv) {
  int size[3] = {60, 220, 85};
  for (int k = 0; k < 3 && argc == 4; ++k) size[k] = atoi(argv[1 + k]);
  if ((argc != 1 && argc != 4) || size[0] < 1 || size[1] < 1 || size[2] < 1) {
    fprintf(stderr, "usage: bench_twins [nx ny nz]\n");
    return 2;
  }
  if (run(size[0], size[1], size[2]) == HP_OK) return 0;
  fprintf(stderr, "bench_twins: %s\n", hp_fail_text());
  return 1;
}
