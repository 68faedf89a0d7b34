/* Products on a GPU against the CPU team's: every layout of GH, every format and
 * GH-h, for q from 1 to 16, odd sizes, one to three dimensions, wells in every
 * direction. Cells' rows of kernels that sum in the CPU's order have its bits, and so
 * have the wells' rows of those that read GH's border. */
#include <string.h>

#include "core/memory.h"
#include "linsolve/half_mul.inl.h"
#include "linsolve/sparse_mul.inl.h"
#include "linsolve/spmv_device.h"
#include "tests/check.h"
#include "tests/matrices.h"

static hp_team_hub *hub;
static hp_device *device;

typedef struct {
  const hp_gh *A;
  const hp_half *H;
  const double *x;
  double *y;
} job;

static void body(hp_team *t, void *p) {
  const job *j = p;
  if (j->H != NULL)
    hp_half_mul(t, j->H, j->x, j->y);
  else
    hp_gh_mul(t, j->A, j->x, j->y);
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

static void multiply(const char *what, const hp_gh *A, hp_spmv_job *j, const double *right, int64_t n, int64_t exact) {
  for (int cold = 0; cold < 2; ++cold) {
    for (int64_t i = 0; i < n; ++i) j->y[i] = NAN;
    j->cold = cold != 0;
    const hp_status s = hp_spmv_device_measure(device, j);
    if (s == HP_ERR_UNSUPPORTED && j->H == NULL && (j->layout != HP_SPMV_AUTO || j->F != NULL)) return;
    if (s == HP_ERR_UNSUPPORTED && j->H != NULL && A->q > 8) return;
    CHECK_OK(s);
    CHECK(j->seconds > 0.0 && j->samples > 0);
    compare(what, A, j->y, right, n, exact);
  }
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
}

static void test_half(hp_gh *A, double *x, double *y, double *right) {
  hp_half *H;
  hp_sparse *csr;
  if (A->q % 2 != 0) return;
  CHECK_OK(hp_half_create(A, &H));
  CHECK_OK(hp_half_to_csr(H, A, &csr));
  job j = {A, H, x, right};
  CHECK_OK(hp_team_run(hub, body, &j));
  hp_spmv_job half = {.A = A, .H = H, .x = x, .y = y}, other = {.F = csr, .x = x, .y = y};
  multiply("gh-h", A, &half, right, H->n, H->rows);
  multiply("csr of gh-h", A, &other, right, H->n, 0);
  hp_sparse_destroy(&csr);
  hp_half_destroy(&H);
}

static void test_shape(const int *shape, int q, int nwell, uint64_t seed) {
  static const char *const layout[] = {"auto", "rows", "pairs", "shared", "fma"};
  hp_gh *A;
  double *x = NULL, *y = NULL, *right = NULL;
  CHECK_OK(matrix_random_gh(shape[0], shape[1], shape[2], q, nwell, 0.1, seed, &A));
  scale(A);
  CHECK_OK(HP_ALLOC(x, A->n));
  CHECK_OK(HP_ALLOC(y, A->n));
  CHECK_OK(HP_ALLOC(right, A->n));
  for (int64_t i = 0; i < A->n; ++i) x[i] = matrix_random(&seed);
  job j = {A, NULL, x, right};
  CHECK_OK(hp_team_run(hub, body, &j));
  for (int l = 0; l < 5; ++l)
    for (int loads = 0; loads < (l == HP_SPMV_PAIRS ? 4 : 1); ++loads) {
      hp_spmv_job gh = {.A = A, .layout = (hp_spmv_layout)l, .loads = (hp_spmv_loads)loads, .x = x, .y = y};
      multiply(layout[l], A, &gh, right, A->n, l == HP_SPMV_FMA ? 0 : A->n);
    }
  for (int k = HP_SPARSE_GH + 1; k < HP_SPARSE_COUNT; ++k) {
    const bool cusparse = k == HP_SPARSE_CSR || k == HP_SPARSE_BSR || k == HP_SPARSE_SELL;
    hp_sparse *F;
    CHECK_OK(hp_sparse_create(A, NULL, (hp_sparse_kind)k, &F));
    hp_sparse_set(F, A);
    hp_spmv_job sparse = {.A = A, .F = F, .x = x, .y = y};
    multiply(hp_sparse_name((hp_sparse_kind)k), A, &sparse, right, A->n,
             k == HP_SPARSE_HYB || cusparse ? 0
             : F->rows == A->n              ? A->ld
                                            : A->n);
    hp_sparse_destroy(&F);
  }
  test_half(A, x, y, right);
  HP_FREE(x);
  HP_FREE(y);
  HP_FREE(right);
  hp_gh_destroy(&A);
}

int main(void) {
  static const int shapes[][3] = {{1, 1, 1}, {1, 1, 31}, {33, 1, 1}, {1, 5, 6}, {199, 1, 3}, {5, 7, 9}, {12, 11, 10}};
  static const int unknowns[] = {1, 2, 3, 4, 5, 6, 8, 16};
  const hp_status s = hp_device_create(NULL, &device);
  if (s == HP_ERR_UNSUPPORTED || s == HP_ERR_DEVICE) {
    printf("skipped: %s\n", hp_fail_text());
    return CHECK_SKIPPED;
  }
  CHECK_OK(s);
  CHECK_OK(hp_team_hub_create(2, NULL, &hub));
  uint64_t seed = 1;
  for (size_t n = 0; n < sizeof shapes / sizeof *shapes; ++n)
    for (size_t q = 0; q < sizeof unknowns / sizeof *unknowns; ++q)
      for (int nwell = 0; nwell <= 4; nwell += 4) test_shape(shapes[n], unknowns[q], nwell, ++seed);
  hp_team_hub_destroy(&hub);
  hp_device_destroy(&device);
  CHECK(hp_memory_now() == 0);
  return check_result();
}
