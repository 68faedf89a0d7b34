/* Products with block rows on a GPU: the CPU's bits for every q with an order of sums of its own, with every unrolling
 * and number of threads, with rows cut into pieces, the same from one product to the next, and with the rows shared among several GPUs, or among
 * shares of one; the other formats beside them.
 * HEPTA_TEST_SMALL, for a sanitizer: 1, few sizes; 2, fewer, and hepta's kernels alone. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bsr/multiply.inl.h"
#include "bench/bsr/patterns.h"
#include "bench/generators/family.h"
#include "bench/product/device.h"
#include "bench/product/several.h"
#include "core/memory.h"
#include "tests/support/check.h"

static hp_team_hub *hub;
static hp_device *device;
static int gpus; /* visible */
static int small;

typedef struct {
  const hp_bsr *B;
  const double *x;
  double *y, *partial;
} job;

static void body(hp_team *t, void *p) {
  const job *j = p;
  hp_bsr_multiply(t, j->B, j->x, j->y, j->partial);
}

/* Rows of y with other bits than the CPU's. */
static int64_t other_rows(const hp_bsr *B, const double *x, double *y, const double *right, int unroll, int threads) {
  int64_t wrong = 0;
  hp_spmv_job j = {.B = B, .unroll = unroll, .threads = threads, .x = x, .y = y, .cold = false, .time_limit = 1e-3};
  for (int64_t i = 0; i < B->nrow * B->q; ++i) y[i] = NAN;
  CHECK_OK(hp_spmv_device_measure(device, &j));
  for (int64_t i = 0; i < B->nrow * B->q; ++i) wrong += memcmp(&y[i], &right[i], sizeof *y) != 0;
  return wrong;
}

/* On two and three shares of the first GPU, on it alone, and on all that there are. */
static void check_several(const hp_bsr *B, const double *x, double *y, const double *right, bool cold) {
  int list[HP_SPMV_GPUS_MAX];
  const int most = gpus < HP_SPMV_GPUS_MAX ? gpus : (int)HP_SPMV_GPUS_MAX, n = (int)(B->nrow * B->q);
  for (int count = 1; count <= 3 + (most > 1); ++count) {
    hp_spmv_several j = {.B = B, .gpu = list, .count = count, .x = x, .y = y, .cold = cold, .time_limit = 1e-3};
    for (int k = 0; k < 3; ++k) list[k] = 0;
    if (count == 4)
      for (j.count = 0; j.count < most && j.count < B->nrow; ++j.count) list[j.count] = j.count;
    if (j.count > B->nrow) continue;
    for (int i = 0; i < n; ++i) y[i] = NAN;
    CHECK_OK(hp_spmv_several_measure(&j));
    CHECK(j.seconds > 0.0 && j.samples > 0);
    CHECK(memcmp(y, right, (size_t)n * sizeof *y) == 0);
  }
  /* the device of this thread is what it was */
  CHECK(other_rows(B, x, y, right, 0, 0) == 0);
}

/* One that is not there: all shares end, and say which. */
static void check_missing(const hp_bsr *B, const double *x, double *y) {
  const int list[] = {0, gpus};
  hp_spmv_several j = {.B = B, .gpu = list, .count = 2, .x = x, .y = y, .time_limit = 1e-3};
  CHECK(hp_spmv_several_measure(&j) == HP_ERR_USAGE);
  CHECK(strstr(hp_fail_text(), "was asked for") != NULL);
}

/* By cuSPARSE, or the kernels for other formats; csr and sell by both. */
static void check_formats(const hp_bsr *B, const double *x, double *y, const double *right) {
  static const hp_sparse_kind kinds[] = {HP_SPARSE_BSR, HP_SPARSE_CSR, HP_SPARSE_SELL,
                                         HP_SPARSE_HYB, HP_SPARSE_CSR, HP_SPARSE_SELL};
  for (int k = B->q == 1 ? 1 : 0; k < 6; ++k) { /* cuSPARSE has no bsr of q = 1 */
    hp_sparse *F = NULL;
    double worst = 0.0;
    CHECK_OK(hp_bsr_to_sparse(B, kinds[k], &F));
    for (int64_t i = 0; i < B->nrow * B->q; ++i) y[i] = NAN;
    hp_spmv_job j = {.F = F, .own = k > 3, .x = x, .y = y, .time_limit = 1e-3};
    CHECK_OK(hp_spmv_device_measure(device, &j));
    for (int64_t i = 0; i < B->nrow * B->q; ++i) worst = fabs(y[i] - right[i]) <= worst ? worst : fabs(y[i] - right[i]);
    CHECK(worst < 1e-10);
    hp_sparse_destroy(&F);
  }
}

/* Frees B. */
static void check_matrix(hp_bsr *B, int cut, int threads) {
  static const int unroll[] = {0, 2, 4, 8}, block[] = {0, 64, 128, 256}; /* all of each kernel's; some pairs of them */
  const int64_t n = B->nrow * B->q;
  double *x = NULL, *y = NULL, *right = NULL, *partial = NULL;
  CHECK_OK(hp_bsr_cut(B, cut));
  CHECK_OK(hp_bsr_set_threads(B, threads));
  CHECK_OK(HP_ALLOC(x, n));
  CHECK_OK(HP_ALLOC(y, n));
  CHECK_OK(HP_ALLOC(right, n));
  CHECK_OK(HP_ALLOC(partial, B->nslot * B->q));
  hp_family_vector(3, n, x);
  CHECK_OK(hp_team_run(hub, body, &(job){B, x, right, partial}));
  for (int u = 0; u < 4; ++u) {
    const int64_t wrong = other_rows(B, x, y, right, unroll[u], block[(u + B->q) % 4]);
    if (wrong > 0)
      fprintf(stderr, "q = %d, cut %d, %d threads, unroll %d, blocks of %d: %lld rows of %lld with other bits\n", B->q,
              cut, threads, unroll[u], block[(u + B->q) % 4], (long long)wrong, (long long)n);
    CHECK(wrong == 0);
  }
  if (B->q == 2 || B->q == 3 || B->q == 7 || B->q == 17 || B->q == 67) check_several(B, x, y, right, B->q == 3);
  if (B->q == 3) check_missing(B, x, y);
  if (cut == 0 && small != 2) check_formats(B, x, y, right);
  HP_FREE(x);
  HP_FREE(y);
  HP_FREE(right);
  HP_FREE(partial);
  hp_bsr_destroy(&B);
}

int main(void) {
  small = getenv("HEPTA_TEST_SMALL") != NULL ? atoi(getenv("HEPTA_TEST_SMALL")) : 0;
  const hp_status s = hp_device_create(NULL, &device);
  if (s == HP_ERR_UNSUPPORTED || s == HP_ERR_DEVICE) {
    printf("skipped: %s\n", hp_fail_text());
    return CHECK_SKIPPED;
  }
  CHECK_OK(s);
  CHECK_OK(hp_device_count(&gpus));
  CHECK_OK(hp_team_hub_create(2, NULL, &hub));
  for (int q = 1; q <= 130; q += q < 34 ? 1 : q < 66 ? 3 : 11) {
    hp_bsr *B = NULL;
    if (small != 0 && q > 9 && q % 8 > 1) continue;
    if (small == 2 && q > 5 && q % 16 != 1) continue;
    CHECK_OK(hp_bsr_tailed(small != 0 ? 40 : 200, q, (uint64_t)q, &B));
    check_matrix(B, 0, q % 3 == 0 ? 64 : 256);
    CHECK_OK(hp_bsr_tailed(small != 0 ? 40 : 200, q, (uint64_t)q, &B));
    check_matrix(B, 5, 128);
    CHECK_OK(hp_bsr_scattered(small != 0 ? 40 : 200, q, (uint64_t)q, &B));
    check_matrix(B, 0, 128);
    CHECK_OK(hp_bsr_dual(3, 4, 2, q, (uint64_t)q, &B));
    check_matrix(B, 0, q % 3 == 0 ? 64 : 256);
  }
  hp_team_hub_destroy(&hub);
  hp_device_destroy(&device);
  CHECK(hp_memory_now() == 0);
  return check_result();
}
