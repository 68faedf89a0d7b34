/* Entries of a hierarchy's matrices beyond 2^31: counted, refused with their number beyond 2^32; sums; rows of all formats and
 * products whose entries have such numbers. */
#include <string.h>

#include "amg/cycle/numbers.inl.h"
#include "amg/setup/cuda/setup.cuh"
#include "bench/multigrid/device.h"
#include "tests/support/amg_formats.h"
#include "tests/support/amg_matrices.h"

enum { ROWS = 1000003 };

static void upload_counts(hp_device *D, uint32_t *host, uint32_t *count, uint32_t each) {
  for (int i = 0; i < ROWS; ++i) host[i] = each + (uint32_t)(i % 3);
  CHECK_OK(hp_device_upload(D, count, host, ROWS * (int64_t)sizeof *count));
}

/* Sum of i % 3 over the rows. */
static int64_t remainders() { return ROWS / 3 * INT64_C(3); }

static void test_check(hp_setup *S, uint32_t *host, uint32_t *count) {
  char number[32];
  upload_counts(S->D, host, count, 4293);
  CHECK_OK(
      hp_setup_check_entries(S, count, ROWS, INT64_C(1) << 40)); /* 4.294 billion and 13 thousand: less than 2^32 */
  upload_counts(S->D, host, count, 5000);
  CHECK(hp_setup_check_entries(S, count, ROWS, INT64_C(1) << 40) == HP_ERR_UNSUPPORTED);
  snprintf(number, sizeof number, "%lld", (long long)(INT64_C(5000) * ROWS + remainders()));
  CHECK(strstr(hp_fail_text(), number) != NULL);
  CHECK_OK(hp_setup_check_entries(S, count, ROWS, HP_CSR_ENTRIES_MAX)); /* cannot be: not looked at */
}

static void test_scan(hp_setup *S, int64_t *host) {
  int64_t *v = NULL, last = 0;
  for (int i = 0; i <= ROWS; ++i) host[i] = 5000 + i % 3;
  CHECK_OK(HP_POOL_ALLOC(&S->scratch, v, ROWS + 1));
  CHECK_OK(hp_device_upload(S->D, v, host, (ROWS + 1) * (int64_t)sizeof *v));
  CHECK_OK(hp_setup_scan64(S, v, v, ROWS));
  CHECK_OK(hp_setup_read_long(S, v + ROWS, &last));
  CHECK(last == INT64_C(5000) * ROWS + remainders());
}

/* out [ROWS+1]: their sums, and 4 billion at the end. */
static void test_scan32(hp_setup *S, uint32_t *host, uint32_t *count) {
  uint32_t *v = NULL, last = 0;
  upload_counts(S->D, host, count, 4000);
  CHECK_OK(HP_POOL_ALLOC(&S->scratch, v, ROWS + 1));
  CHECK_OK(hp_device_copy(S->D, v, count, ROWS * (int64_t)sizeof *v));
  CHECK_OK(hp_setup_scan32(S, v, v, ROWS));
  CHECK_OK(hp_device_download(S->D, &last, v + ROWS, sizeof last));
  CHECK((int64_t)last == INT64_C(4000) * ROWS + remainders());
}

/* ---- rows ---- */

struct rows_args {
  hp_amg_rows rows;
  const void *x;
  void *y;
  bool single;
};

static __device__ void multiply(hp_team *t, const rows_args *a) {
#if defined(__CUDA_ARCH__)
  if (a->single)
    hp_amg_rows_pass_cuda<float>(t, &a->rows, NULL, (const float *)a->x,
                                 hp_amg_form_of_float(HP_AMG_FORM_PRODUCT, NULL, (float *)a->y));
  else
    hp_amg_rows_pass_cuda<double>(t, &a->rows, NULL, (const double *)a->x,
                                  hp_amg_form_of_double(HP_AMG_FORM_PRODUCT, NULL, (double *)a->y));
#endif
}
HP_TEAM_KERNEL(rows_kernel, rows_args, multiply(&t, &a))

static void *sent(hp_device *D, const void *from, int64_t bytes) {
  void *p = NULL;
  CHECK_OK(hp_device_alloc(D, &p, bytes, 1, "a test's array"));
  CHECK_OK(hp_device_upload(D, p, from, bytes));
  return p;
}

/* The product of R with x [ncol] in y [nrow], bits of which the host compares. */
static void product(hp_device *D, const hp_amg_rows *R, bool single, const void *x, void *y) {
  const int64_t bytes = R->nrow * (single ? (int64_t)sizeof(float) : (int64_t)sizeof(double));
  rows_args a = {*R, x, NULL, single};
  CHECK_OK(hp_device_alloc(D, &a.y, bytes, 1, "a test's product"));
  CHECK_OK(hp_team_launch(D, (const void *)rows_kernel, &a, 0, "a test's product"));
  CHECK_OK(hp_device_download(D, y, a.y, bytes));
  HP_DEVICE_FREE(D, a.y);
}

static void test_rows(hp_device *D, const hp_csr *A, hp_amg_format_kind kind, hp_precision precision, int lanes) {
  const bool single = precision == HP_PRECISION_SINGLE;
  const int64_t real = single ? sizeof(float) : sizeof(double), n = A->nrow;
  const int shift = kind == HP_AMG_FORMAT_SLICED ? 5 - lanes : 0;
  const int64_t slices = (n + (1 << shift) - 1) >> shift, bytes = (slices + 1) * (int64_t)sizeof(uint32_t);
  hp_amg_format F;
  double *x = NULL, *near_y = NULL, *far_y = NULL, worst;
  uint32_t *begin = NULL;
  uint64_t seed = 7;
  CHECK_OK(hp_amg_format_create(A, kind, precision, lanes, &F));
  CHECK_OK(HP_ALLOC(x, A->ncol));
  CHECK_OK(HP_ALLOC(near_y, n));
  CHECK_OK(HP_ALLOC(far_y, n));
  CHECK_OK(HP_ALLOC(begin, slices + 1));
  for (int32_t i = 0; i < A->ncol; ++i) {
    const float v = (float)matrix_random(&seed);
    if (single) ((float *)x)[i] = v;
    else x[i] = v;
  }
  hp_amg_rows R;
  memset(&R, 0, sizeof R);
  R.nrow = (int32_t)n;
  R.lanes = lanes;
  R.shift = shift;
  R.begin = (uint32_t *)sent(D, F.begin, bytes);
  R.column = (int32_t *)sent(D, F.column, F.count * (int64_t)sizeof *F.column);
  R.value = sent(D, F.value, F.count * real);
  void *x_there = sent(D, x, A->ncol * real);
  product(D, &R, single, x_there, near_y);
  double *exact = NULL;
  CHECK_OK(HP_ALLOC(exact, A->ncol));
  for (int32_t i = 0; i < A->ncol; ++i) exact[i] = single ? (double)((const float *)x)[i] : x[i];
  worst = formats_difference(A, exact, &F, near_y);
  CHECK(worst <= (single ? 1e-5 : 1e-13));
  for (int k = 0; k < FAR_STARTS; ++k) {
    hp_amg_rows far = R;
    far_begin((const uint32_t *)F.begin, slices, far_start(k), begin);
    far.begin = (uint32_t *)sent(D, begin, bytes);
    far.column = (int32_t *)far_below(R.column, far_start(k), sizeof *R.column);
    far.value = far_below(R.value, far_start(k), real);
    product(D, &far, single, x_there, far_y);
    CHECK(memcmp(near_y, far_y, (size_t)(n * real)) == 0);
    HP_DEVICE_FREE(D, far.begin);
  }
  HP_DEVICE_FREE(D, R.begin);
  HP_DEVICE_FREE(D, R.column);
  HP_DEVICE_FREE(D, R.value);
  HP_DEVICE_FREE(D, x_there);
  HP_FREE(x);
  HP_FREE(near_y);
  HP_FREE(far_y);
  HP_FREE(exact);
  HP_FREE(begin);
  hp_amg_format_free(&F);
}

static void test_all_rows(hp_device *D) {
  static const int lanes[] = {0, 2, 3, 5};
  hp_csr *A = formats_matrix(20011, 9973, 70, 3);
  for (int p = 0; p < HP_PRECISION_COUNT; ++p)
    for (int k = 0; k < 4; ++k) {
      test_rows(D, A, HP_AMG_FORMAT_SLICED, (hp_precision)p, lanes[k]);
      test_rows(D, A, HP_AMG_FORMAT_CSR, (hp_precision)p, k + 1);
    }
  hp_csr_destroy(&A);
}

/* ---- products ---- */

/* A copy of A's begin, moved up. */
static hp_csr_device far_matrix(hp_device *D, const hp_csr_device *A, uint32_t start) {
  hp_csr_device far = *A;
  uint32_t *begin = NULL;
  const int64_t count = (int64_t)A->at.nrow + 1;
  CHECK_OK(HP_ALLOC(begin, count));
  CHECK_OK(hp_device_download(D, begin, A->at.begin, count * (int64_t)sizeof *begin));
  far_begin(begin, A->at.nrow, start, begin);
  far.at.begin = (uint32_t *)sent(D, begin, count * (int64_t)sizeof *begin);
  far.at.column = (int32_t *)far_below(A->at.column, start, sizeof *A->at.column);
  far.at.value = (double *)far_below(A->at.value, start, sizeof *A->at.value);
  HP_FREE(begin);
  return far;
}

/* C = A B again by its plan, all three far: the same bits as the host's. */
static void test_numbers(hp_setup *S, uint32_t start) {
  hp_csr *a = formats_matrix(1501, 701, 60, 3), *b = formats_matrix(701, 1207, 50, 4), *c, *got;
  hp_csr_device A, B, C;
  hp_device_plan plan;
  memset(&C, 0, sizeof C);
  memset(&plan, 0, sizeof plan);
  CHECK_OK(hp_csr_product(a, b, &c, NULL));
  CHECK_OK(hp_csr_device_upload(S->D, a, &A));
  CHECK_OK(hp_csr_device_upload(S->D, b, &B));
  CHECK_OK(hp_setup_count_products(S, &A.at, B.at.begin, &plan, 2));
  CHECK_OK(hp_setup_read_counts(S));
  plan.count = S->host_counts[2];
  CHECK_OK(hp_setup_pattern(S, &A, &B, NULL, S->host_counts[3], &C, &plan, NULL, NULL, NULL));
  CHECK_OK(HP_POOL_ALLOC(&S->keep, C.at.value, C.count));
  hp_csr_device X
  = far_matrix(S->D, &A, start), Y = far_matrix(S->D, &B, start), Z = far_matrix(S->D, &C, start);
  CHECK_OK(hp_setup_numbers(S, &X, &Y, &plan, &Z));
  CHECK_OK(hp_csr_device_download(S->D, &C, &got));
  CHECK(hp_csr_count(c) == C.count && memcmp(c->column, got->column, (size_t)C.count * sizeof *c->column) == 0);
  CHECK(memcmp(c->value, got->value, (size_t)C.count * sizeof *c->value) == 0);
  HP_DEVICE_FREE(S->D, X.at.begin);
  HP_DEVICE_FREE(S->D, Y.at.begin);
  HP_DEVICE_FREE(S->D, Z.at.begin);
  hp_csr_device_free(S->D, &A);
  hp_csr_device_free(S->D, &B);
  hp_csr_destroy(&a);
  hp_csr_destroy(&b);
  hp_csr_destroy(&c);
  hp_csr_destroy(&got);
}

int main(void) {
  hp_device *D = NULL;
  const hp_status s = hp_device_create(NULL, &D);
  if (s == HP_ERR_UNSUPPORTED || s == HP_ERR_DEVICE) {
    printf("skipped: %s\n", hp_fail_text());
    return CHECK_SKIPPED;
  }
  CHECK_OK(s);
  hp_setup S;
  memset(&S, 0, sizeof S);
  uint32_t *counts = NULL, *count = NULL;
  int64_t *numbers = NULL;
  CHECK_OK(hp_setup_open(&S, D));
  CHECK_OK(HP_ALLOC(counts, ROWS));
  CHECK_OK(HP_ALLOC(numbers, ROWS + 1));
  CHECK_OK(HP_DEVICE_ALLOC(D, count, ROWS));
  test_check(&S, counts, count);
  test_scan(&S, numbers);
  test_scan32(&S, counts, count);
  test_all_rows(D);
  for (int k = 0; k < FAR_STARTS; ++k) test_numbers(&S, far_start(k));
  HP_DEVICE_FREE(D, count);
  hp_setup_close(&S);
  hp_device_destroy(&D);
  HP_FREE(counts);
  HP_FREE(numbers);
  CHECK(hp_memory_now() == 0);
  return check_result();
}
