/* Products on a GPU against the CPU team's: every layout of GH, every format and
 * GH-h, for every q from 1 to 16, odd sizes, one to three dimensions, wells in every
 * direction and in corners, connections beyond the diagonals. Cells' rows of kernels that sum in the CPU's order have its bits, and so
 * have the wells' rows of those that read GH's border. The team's product, residual and transposed product
 * likewise; and the CPU's against sums in long double by the definition in linsolve/matrix/gh.h.
 * HEPTA_TEST_SMALL, for a sanitizer: 1, few sizes; 2, a quarter of these, and each product once, where a measurement has thousands. */
#include <stdlib.h>
#include <string.h>

#include "bench/half/multiply.inl.h"
#include "bench/product/device.h"
#include "core/memory.h"
#include "linsolve/krylov/device.h"
#include "linsolve/product/sparse_mul.inl.h"
#include "tests/support/check.h"
#include "tests/support/matrices.h"

static hp_team_hub *hub;
static hp_device *device;
static int small; /* HEPTA_TEST_SMALL */

typedef enum { PRODUCT, TRANSPOSED, RESIDUAL } operation;
static const char *const operation_name[] = {"product", "transposed product", "residual"};

typedef struct {
  const hp_gh *A;
  const hp_half *H;
  const double *x;
  double *y;
  operation what;  /* with A */
  const double *b; /* of a residual */
} job;

static void body(hp_team *t, void *p) {
  const job *j = p;
  if (j->H != NULL) hp_half_mul(t, j->H, j->x, j->y);
  else if (j->what == TRANSPOSED) hp_gh_mul_transposed(t, j->A, j->x, j->y);
  else if (j->what == RESIDUAL) hp_gh_residual(t, j->A, j->b, j->x, j->y);
  else hp_gh_mul(t, j->A, j->x, j->y);
}

/* Compares y with the right answer; `exact` rows must have its bits. */
static void compare(const char *what, const hp_gh *A, const double *y, const double *right, int64_t n, int64_t exact) {
  int64_t wrong = 0;
  double worst = 0.0;
  for (int64_t i = 0; i < n; ++i) {
    wrong += i < exact && y[i] != right[i];
    const double d = fabs(y[i] - right[i]);
    if (!(d <= worst)) worst = d;
  }
  if (wrong > 0 || !(worst < 1e-12))
    fprintf(stderr, "%s: %d x %d x %d, q = %d, %d wells: %lld rows with other bits, largest difference %.2e\n", what,
            A->nx, A->ny, A->nz, A->q, A->wells.nwell, (long long)wrong, worst);
  CHECK(wrong == 0);
  CHECK(worst < 1e-12); /* entries and x are below 1, rows short */
}

/* Adds entry (row, column) = v to `sum`, of A x or A^T x. */
static void add(long double *sum, bool transposed, int64_t row, int64_t column, double v, const double *x) {
  if (transposed) sum[column] += (long double)v * x[row];
  else sum[row] += (long double)v * x[column];
}

/* A x or A^T x by the definition of the entries; sum [n]. */
static void define(const hp_gh *A, bool transposed, const double *x, long double *sum) {
  const hp_gh_wells *W = &A->wells;
  for (int64_t i = 0; i < A->n; ++i) sum[i] = 0.0L;
  for (int64_t m = 0; m < A->ncell; ++m)
    for (int u = -3; u <= 3; ++u)
      for (int e = 0; e < A->q * A->q && matrix_has(A, m, u); ++e)
        add(sum, transposed, m * A->q + e % A->q, (m + hp_gh_offset(A, u)) * A->q + e / A->q,
            *hp_gh_entry(A, m, u, e % A->q, e / A->q), x);
  for (int64_t r = 0; r < A->links.nrow; ++r)
    for (int64_t e = A->links.begin[r]; e < A->links.begin[r + 1]; ++e)
      for (int i = 0; i < A->q * A->q; ++i)
        add(sum, transposed, A->links.cell[r] * A->q + i % A->q, A->links.other[e] * A->q + i / A->q,
            *hp_gh_link(A, e, i % A->q, i / A->q), x);
  for (int w = 0; w < W->nwell; ++w) {
    add(sum, transposed, A->rows + w, A->rows + w, W->dd[w], x);
    for (int r = W->run_begin[w]; r < W->run_begin[w + 1]; ++r)
      for (int64_t e = 0; e < (int64_t)W->c[r] * A->q; ++e) {
        add(sum, transposed, A->rows + w, W->b[r] * A->q + e, W->w[W->a[r] * A->q + e], x);
        add(sum, transposed, W->b[r] * A->q + e, A->rows + w, W->wt[W->a[r] * A->q + e], x);
      }
  }
}

/* The team's operations in its kernel: the CPU's bits; and the CPU's against long double. */
static void test_team(const hp_gh *A, const double *x, double *y, double *right) {
  const int64_t bytes = A->n * (int64_t)sizeof(double);
  hp_gh G;
  long double *sum = NULL;
  double *b = NULL, *dx, *dy, *db;
  CHECK_OK(HP_ALLOC(sum, A->n));
  CHECK_OK(HP_ALLOC(b, A->n));
  for (int64_t i = 0; i < A->n; ++i) b[i] = 0.5 - x[A->n - 1 - i];
  CHECK_OK(hp_gh_device_upload(device, A, &G));
  CHECK_OK(HP_DEVICE_ALLOC(device, dx, A->n));
  CHECK_OK(HP_DEVICE_ALLOC(device, dy, A->n));
  CHECK_OK(HP_DEVICE_ALLOC(device, db, A->n));
  CHECK_OK(hp_device_upload(device, dx, x, bytes));
  CHECK_OK(hp_device_upload(device, db, b, bytes));
  for (int what = PRODUCT; what <= RESIDUAL; ++what) {
    job j = {A, NULL, x, right, (operation)what, b};
    for (int64_t i = 0; i < A->n; ++i) right[i] = y[i] = NAN;
    CHECK_OK(hp_device_upload(device, dy, y, bytes));
    CHECK_OK(hp_team_run(hub, body, &j));
    CHECK_OK(what == RESIDUAL ? hp_gh_device_residual(device, &G, db, dx, dy)
                              : hp_gh_device_product(device, &G, dx, dy, what == TRANSPOSED));
    CHECK_OK(hp_device_download(device, y, dy, bytes));
    compare(operation_name[what], A, y, right, A->n, A->n);
    define(A, what == TRANSPOSED, x, sum);
    for (int64_t i = 0; i < A->n; ++i) y[i] = (double)(what == RESIDUAL ? b[i] - sum[i] : sum[i]);
    compare("the CPU beside long double", A, right, y, A->n, 0);
  }
  hp_gh_device_free(device, &G);
  HP_DEVICE_FREE(device, dx);
  HP_DEVICE_FREE(device, dy);
  HP_DEVICE_FREE(device, db);
  HP_FREE(sum);
  HP_FREE(b);
}

/* Whether bench/product/device.h promises a kernel for the job's layout or format. */
static bool promised(const hp_gh *A, const hp_spmv_job *j) {
  if (j->H != NULL) return A->q <= 8;
  if (j->F != NULL) return A == NULL || j->F->kind != HP_SPARSE_BSR || A->q > 1;
  return j->layout == HP_SPMV_AUTO || j->layout == HP_SPMV_ROWS;
}

/* From the caches or, every other shape, from memory. */
static bool cold;

static hp_status run_once(hp_spmv_job *j) {
  hp_spmv_product *P = NULL;
  HP_TRY(hp_spmv_device_arrange(device, j, &P));
  hp_status s = hp_spmv_device_place(P, 1);
  if (s == HP_OK) s = hp_spmv_device_once(P, &j->seconds);
  if (s == HP_OK) s = hp_spmv_device_fetch(P, j->y);
  hp_spmv_device_release(&P);
  j->samples = 1;
  return s;
}

static void multiply(const char *what, const hp_gh *A, hp_spmv_job *j, const double *right, int64_t n, int64_t exact) {
  for (int64_t i = 0; i < n; ++i) j->y[i] = NAN;
  j->cold = cold;
  const hp_status s = small > 1 ? run_once(j) : hp_spmv_device_measure(device, j);
  if (s == HP_ERR_UNSUPPORTED && !promised(A, j)) return;
  CHECK_OK(s);
  CHECK(j->seconds > 0.0 && j->samples > 0);
  compare(what, A, j->y, right, n, exact);
}

/* The right answer of row lengths up to 7 q with a diagonal of up to 8 q is scaled to be about 1. */
static void scale(hp_gh *A) {
  const double f = 1.0 / (64.0 * A->q);
  for (int64_t p = 0; p < 7 * A->q * A->ld; ++p) A->h[p] *= f;
  for (int64_t p = 0; p < A->wells.nperf * A->q; ++p) {
    A->wells.w[p] *= f;
    A->wells.wt[p] *= f;
  }
  for (int w = 0; w < A->wells.nwell; ++w) A->wells.dd[w] *= f;
  for (int64_t e = 0; e < A->links.count * A->q * A->q; ++e) A->link[e] *= f;
}

static void test_half(hp_gh *A, double *x, double *y, double *right) {
  hp_half *H;
  hp_sparse *csr;
  if (A->q % 2 != 0 || hp_gh_is_linked(A)) return; /* no place for connections */
  CHECK_OK(hp_half_create(A, &H));
  CHECK_OK(hp_half_to_csr(H, A, &csr));
  job j = {A, H, x, right, PRODUCT, NULL};
  CHECK_OK(hp_team_run(hub, body, &j));
  hp_spmv_job half = {.A = A, .H = H, .x = x, .y = y}, other = {.F = csr, .x = x, .y = y};
  multiply("gh-h", A, &half, right, H->n, H->rows);
  multiply("csr of gh-h", A, &other, right, H->n, 0);
  hp_sparse_destroy(&csr);
  hp_half_destroy(&H);
}

/* Block rows, with the wells' border by a kernel of its own. */
static void test_blocks(const hp_gh *A, const double *x, double *y, const double *right) {
  hp_bsr *B;
  CHECK_OK(hp_bsr_from_gh(A, &B));
  hp_spmv_job blocks = {.A = A, .B = B, .x = x, .y = y};
  multiply("block rows", A, &blocks, right, A->n, 0);
  hp_bsr_destroy(&B);
}

/* The team's operations; if all, also every layout and format by itself, which takes longer. links: connections. */
static void test_shape(const int *shape, int q, int nwell, int links, bool all, uint64_t seed) {
  static const char *const layout[] = {"auto", "rows", "pairs", "shared", "fma"};
  hp_gh *A;
  double *x = NULL, *y = NULL, *right = NULL;
  CHECK_OK(matrix_random_gh(shape[0], shape[1], shape[2], q, nwell, 0.1, seed, &A));
  if (links > 0) CHECK_OK(matrix_add_links(A, links, false, seed));
  CHECK(hp_gh_is_linked(A) == (links > 0));
  scale(A);
  cold = seed % 2 == 0;
  CHECK_OK(HP_ALLOC(x, A->n));
  CHECK_OK(HP_ALLOC(y, A->n));
  CHECK_OK(HP_ALLOC(right, A->n));
  for (int64_t i = 0; i < A->n; ++i) x[i] = matrix_random(&seed);
  job j = {A, NULL, x, right, PRODUCT, NULL};
  test_team(A, x, y, right);
  CHECK_OK(hp_team_run(hub, body, &j));
  for (int l = 0; l < (all ? 5 : 0); ++l)
    for (int loads = 0; loads < (l == HP_SPMV_PAIRS ? 4 : 1); ++loads) {
      hp_spmv_job gh = {.A = A, .layout = (hp_spmv_layout)l, .loads = (hp_spmv_loads)loads, .x = x, .y = y};
      multiply(layout[l], A, &gh, right, A->n, l == HP_SPMV_FMA ? 0 : A->n);
    }
  for (int k = HP_SPARSE_GH + 1; k < (all ? HP_SPARSE_COUNT : 0); ++k) {
    const bool cusparse = k == HP_SPARSE_CSR || k == HP_SPARSE_BSR || k == HP_SPARSE_SELL;
    hp_sparse *F;
    const hp_status s = hp_sparse_create(A, NULL, (hp_sparse_kind)k, &F);
    if (links > 0 && s == HP_ERR_UNSUPPORTED) continue; /* dia, sg-dia */
    CHECK_OK(s);
    hp_sparse_set(F, A);
    hp_spmv_job sparse = {.A = A, .F = F, .x = x, .y = y};
    multiply(hp_sparse_name((hp_sparse_kind)k), A, &sparse, right, A->n,
             k == HP_SPARSE_HYB || cusparse || links > 0 ? 0 /* connections stand among the other columns */
             : F->rows == A->n                           ? A->rows
                                                         : A->n);
    hp_sparse_destroy(&F);
  }
  if (all) test_blocks(A, x, y, right);
  if (all) test_half(A, x, y, right);
  HP_FREE(x);
  HP_FREE(y);
  HP_FREE(right);
  hp_gh_destroy(&A);
}

/* Every number of unknowns on every shape without wells, with wells across and in corners; one of the three in turn
 * with every kernel. */
int main(void) {
  static const int shapes[][3] = {{1, 1, 1}, {1, 1, 31},  {33, 1, 1}, {1, 5, 6},
                                  {5, 1, 6}, {199, 1, 3}, {5, 7, 9},  {12, 11, 10}};
  static const int wells[] = {0, 4, MATRIX_CORNER_WELLS};
  small = getenv("HEPTA_TEST_SMALL") != NULL ? atoi(getenv("HEPTA_TEST_SMALL")) : 0;
  const hp_status s = hp_device_create(NULL, &device);
  if (s == HP_ERR_UNSUPPORTED || s == HP_ERR_DEVICE) {
    printf("skipped: %s\n", hp_fail_text());
    return CHECK_SKIPPED;
  }
  CHECK_OK(s);
  CHECK_OK(hp_team_hub_create(2, NULL, &hub));
  uint64_t seed = 1;
  for (int n = 0; n < (int)(sizeof shapes / sizeof *shapes); ++n)
    for (int q = 1; q <= HP_GH_Q_MAX; ++q)
      for (int w = 0; w < 3; ++w) {
        const int cells = shapes[n][0] * shapes[n][1] * shapes[n][2];
        seed += 1;
        if (small > 0 && (cells > 100 || (n + q + w) % 3 != 0)) continue;
        if (small > 1 && (n + q) % 4 != 0) continue;
        test_shape(shapes[n], q, wells[w], 0, small > 0 ? (n + q) % 8 == 0 : w == (n + q) % 3, seed);
      }
  for (int q = small > 1 ? 2 : 1; q <= (small > 1 ? 2 : small > 0 ? 3 : HP_GH_Q_MAX); ++q)
    for (int n = 6; n < (q > 4 || small > 0 ? 7 : 8); ++n) test_shape(shapes[n], q, wells[q % 3], 60, true, seed++);
  hp_team_hub_destroy(&hub);
  hp_device_destroy(&device);
  CHECK(hp_memory_now() == 0);
  return check_result();
}
