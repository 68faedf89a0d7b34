/* Entries of a level beyond 2^31: products, transposes, rows in all formats and refusals beyond 2^32. */
#include <string.h>

#include "amg/rows/rows.inl.h"
#include "amg/setup/setup_impl.h"
#include "core/memory.h"
#include "tests/support/amg_formats.h"
#include "tests/support/amg_matrices.h"
#include "tests/support/check.h"

enum { N = 203, M = 87, MOST = 9 };

static void check_same(const hp_csr *A, const hp_csr *B) {
  CHECK(A->nrow == B->nrow && A->ncol == B->ncol && hp_csr_count(A) == hp_csr_count(B));
  CHECK(memcmp(A->begin, B->begin, ((size_t)A->nrow + 1) * sizeof *A->begin) == 0);
  CHECK(memcmp(A->column, B->column, (size_t)hp_csr_count(A) * sizeof *A->column) == 0);
  CHECK(memcmp(A->value, B->value, (size_t)hp_csr_count(A) * sizeof *A->value) == 0);
}

/* Both factors far, the product made anew and by its plan. */
static void test_products(const hp_csr *A, const hp_csr *B, uint32_t start) {
  static uint32_t a[N + 1], b[M + 1], c[N + 1];
  const hp_csr X
  = far_csr(A, start, a), Y = far_csr(B, start, b);
  hp_csr_plan plan = {0}, other = {0};
  hp_csr *C, *D, *T, *U;
  CHECK_OK(hp_csr_product(A, B, &C, &plan));
  CHECK_OK(hp_csr_product(&X, &Y, &D, &other));
  check_same(C, D);
  CHECK(hp_csr_plan_bytes(&plan, C) == hp_csr_plan_bytes(&other, D));
  memset(D->value, 0, (size_t)hp_csr_count(D) * sizeof *D->value);
  const hp_csr Z = far_csr(D, start, c);
  hp_csr_product_rows(&X, &Y, &Z, &other, 0, N);
  check_same(C, D);
  CHECK_OK(hp_csr_transpose(A, &T));
  CHECK_OK(hp_csr_transpose(&X, &U));
  check_same(T, U);
  hp_csr_destroy(&C);
  hp_csr_destroy(&D);
  hp_csr_destroy(&T);
  hp_csr_destroy(&U);
  hp_csr_plan_free(&plan);
  hp_csr_plan_free(&other);
}

/* A pass over rows R [n] as `form` says; bits of both to the same place. */
static int64_t differences(hp_team *t, const hp_amg_rows *R, const hp_amg_rows *far, bool single) {
  static double x[2 * N], b[N], y[N], z[N];
  static float xf[2 * N], bf[N], yf[N], zf[N];
  uint64_t seed = 5;
  for (int i = 0; i < 2 * N; ++i) xf[i] = (float)(x[i] = matrix_random(&seed));
  for (int i = 0; i < N; ++i) bf[i] = (float)(b[i] = matrix_random(&seed));
  if (single) {
    hp_amg_pass_over_float(t, R, NULL, R->nrow, xf, hp_amg_form_of_float(HP_AMG_FORM_RESIDUAL, bf, yf));
    hp_amg_pass_over_float(t, far, NULL, R->nrow, xf, hp_amg_form_of_float(HP_AMG_FORM_RESIDUAL, bf, zf));
    return memcmp(yf, zf, (size_t)R->nrow * sizeof *yf);
  }
  hp_amg_pass_over_double(t, R, NULL, R->nrow, x, hp_amg_form_of_double(HP_AMG_FORM_RESIDUAL, b, y));
  hp_amg_pass_over_double(t, far, NULL, R->nrow, x, hp_amg_form_of_double(HP_AMG_FORM_RESIDUAL, b, z));
  return memcmp(y, z, (size_t)R->nrow * sizeof *y);
}

/* The finest level of a hierarchy of one level, and the same with far rows. */
static void test_rows(hp_team *t, hp_csr *A, hp_amg_format_kind format, hp_precision precision, uint32_t start) {
  static uint32_t begin[N + 1], csr[N + 1];
  const bool single = precision == HP_PRECISION_SINGLE;
  const int64_t real = single ? sizeof(float) : sizeof(double);
  hp_amg_options opt = hp_amg_default_options();
  hp_amg *H;
  opt.smoother = HP_AMG_JACOBI;
  opt.precision = precision;
  opt.max_levels = 1;
  opt.format = format;
  CHECK_OK(hp_amg_create(&opt, &H));
  CHECK_OK(hp_amg_build(H, A, 0));
  const hp_amg_rows *R = &H->level[0].a;
  const int64_t slices = (R->nrow + (1 << R->shift) - 1) >> R->shift, count = R->begin[slices];
  hp_amg_rows far = *R;
  far_begin(R->begin, slices, start, begin);
  far.begin = begin;
  far.column = far_below(R->column, start, sizeof *R->column);
  far.value = far_below(R->value, start, real);
  CHECK(differences(t, R, &far, single) == 0);
  if (!R->shared) {
    const hp_csr from = far_csr(A, start, csr);
    void *kept = NULL;
    CHECK_OK(hp_alloc(&kept, count, (size_t)real, "numbers"));
    memcpy(kept, R->value, (size_t)(count * real));
    memset(R->value, 0, (size_t)(count * real));
    if (single) hp_amg_rows_fill_float(t, &from, &far);
    else hp_amg_rows_fill_double(t, &from, &far);
    CHECK(memcmp(kept, R->value, (size_t)(count * real)) == 0);
    HP_FREE(kept);
  }
  hp_amg_destroy(&H);
}

/* HEC counts entries by columns without `begin`: products of k and the number of rows beyond 2^31. */
static void test_places(void) {
  uint32_t begin[2] = {UINT32_C(0xe0000000), UINT32_C(0xe0000008)};
  const hp_amg_rows hec = {.nrow = 1 << 29, .width = 7, .begin = begin}, csr = {.nrow = 1, .begin = begin};
  const hp_amg_rows sliced = {.nrow = 8, .shift = 3, .lanes = 2, .begin = begin};
  CHECK(hp_amg_place(&hec, 5, 6) == INT64_C(6) * (1 << 29) + 5);
  CHECK(hp_amg_place(&hec, 0, 9) == INT64_C(0xe0000002));
  CHECK(hp_amg_place(&csr, 0, 3) == INT64_C(0xe0000003));
  CHECK(hp_amg_place(&sliced, 7, 6) == INT64_C(0xe0000000) + 32 + 7 * 4 + 2);
}

/* More than `begin` counts. */
static void test_refusals(hp_team *t, hp_amg_work *w) {
  uint32_t length[3] = {0, UINT32_C(0x80000000), UINT32_C(0x7ffff000)};
  hp_csr *A = NULL;
  CHECK_OK(hp_amg_scan(t, w, length, 1));
  CHECK(length[1] == UINT32_C(0x80000000)); /* 2^31 */
  CHECK(hp_amg_scan(t, w, length, 2) == HP_ERR_UNSUPPORTED);
  CHECK(strstr(hp_fail_text(), "4294963200 entries") != NULL && strstr(hp_fail_text(), "4294963199") != NULL);
  length[2] -= 1;
  CHECK_OK(hp_amg_scan(t, w, length, 2));
  CHECK(length[1] == UINT32_C(0x80000000) && length[2] == HP_CSR_ENTRIES_MAX);
  CHECK(hp_csr_create(1, 1, HP_CSR_ENTRIES_MAX + 1, &A) == HP_ERR_UNSUPPORTED && A == NULL);
  CHECK(strstr(hp_fail_text(), "4294963200") != NULL);
}

int main(void) {
  const hp_amg_format_kind format[] = {HP_AMG_FORMAT_AUTO, HP_AMG_FORMAT_SLICED, HP_AMG_FORMAT_CSR};
  hp_amg_alone one;
  CHECK_OK(hp_amg_alone_begin(&one, N));
  for (int k = 0; k < FAR_STARTS; ++k) {
    hp_csr *A = formats_matrix(N, M, MOST, 3), *B = formats_matrix(M, N, MOST, 4), *C = formats_matrix(N, N, MOST, 5);
    test_products(A, B, far_start(k));
    for (int n = 0; n < 3; ++n)
      for (int p = 0; p < HP_PRECISION_COUNT; ++p) test_rows(&one.t, C, format[n], (hp_precision)p, far_start(k));
    hp_csr_destroy(&A);
    hp_csr_destroy(&B);
    hp_csr_destroy(&C);
  }
  test_places();
  test_refusals(&one.t, &one.w);
  hp_amg_alone_end(&one);
  return check_result();
}
