/* Products on a GPU in sliced ELL, HEC and CSR, with every number of threads a row, against the matrix's own.
 * HEPTA_TEST_SMALL=2, for a sanitizer: one matrix. */
#include <stdio.h>
#include <stdlib.h>

#include "tests/support/amg_formats.h"

static hp_device *device;

static void test_products(int32_t nrow, int32_t ncol, int32_t most) {
  hp_csr *A = formats_matrix(nrow, ncol, most, (uint64_t)nrow);
  double *x, *y, seconds;
  float *xf;
  uint64_t seed = 8;
  CHECK_OK(HP_ALLOC(x, ncol));
  CHECK_OK(HP_ALLOC(xf, ncol));
  CHECK_OK(HP_ALLOC(y, nrow));
  for (int32_t i = 0; i < ncol; ++i) x[i] = xf[i] = (float)matrix_random(&seed);
  for (int kind = 0; kind < HP_AMG_FORMAT_COUNT; ++kind)
    for (int lanes = 0; lanes <= 5; ++lanes)
      for (int p = 0; p < HP_PRECISION_COUNT; ++p) {
        hp_amg_format F;
        CHECK_OK(hp_amg_format_create(A, (hp_amg_format_kind)kind, (hp_precision)p, lanes, &F));
        memset(y, 0x7f, (size_t)nrow * sizeof *y);
        CHECK_OK(hp_amg_format_time(device, &F, F.single ? (const void *)xf : x, y, 3, &seconds));
        CHECK(seconds > 0.0 && formats_difference(A, x, &F, y) <= (F.single ? 1e-5 : 1e-13));
        hp_amg_format_free(&F);
      }
  hp_csr_destroy(&A);
  HP_FREE(x);
  HP_FREE(xf);
  HP_FREE(y);
}

int main(void) {
  if (hp_device_create(NULL, &device) != HP_OK) {
    printf("skipped: %s\n", hp_fail_text());
    return 77;
  }
  const char *small = getenv("HEPTA_TEST_SMALL");
  test_products(257, 300, 77);
  if (small == NULL || strcmp(small, "2") != 0) {
    test_products(1, 1, 2);
    test_products(9, 14, 5);
    test_products(3000, 40, 9);
  }
  hp_device_destroy(&device);
  return check_result();
}
