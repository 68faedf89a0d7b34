/* Entries of a hierarchy's matrices beyond 32 bits: counted and refused with their number; sums of 64 bits. */
#include <string.h>

#include "amg/setup/cuda/setup.cuh"
#include "core/memory.h"
#include "tests/support/check.h"

enum { ROWS = 1000003 };

static void upload_counts(hp_device *D, int32_t *host, int32_t *count, int32_t each) {
  for (int i = 0; i < ROWS; ++i) host[i] = each + i % 3;
  CHECK_OK(hp_device_upload(D, count, host, ROWS * (int64_t)sizeof *count));
}

/* Sum of i % 3 over the rows. */
static int64_t remainders() { return ROWS / 3 * INT64_C(3); }

static void test_check(hp_setup *S, int32_t *host, int32_t *count) {
  char number[32];
  upload_counts(S->D, host, count, 2146);
  CHECK_OK(hp_setup_check_entries(S, count, ROWS, INT64_C(1) << 40)); /* 2.147 billion less 475 thousand */
  upload_counts(S->D, host, count, 5000);
  CHECK(hp_setup_check_entries(S, count, ROWS, INT64_C(1) << 40) == HP_ERR_UNSUPPORTED);
  snprintf(number, sizeof number, "%lld", (long long)(INT64_C(5000) * ROWS + remainders()));
  CHECK(strstr(hp_fail_text(), number) != NULL);
  CHECK_OK(hp_setup_check_entries(S, count, ROWS, HP_AMG_DEVICE_ENTRIES_MAX)); /* cannot be: not looked at */
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
  int32_t *counts = NULL, *count = NULL;
  int64_t *numbers = NULL;
  CHECK_OK(hp_setup_open(&S, D));
  CHECK_OK(HP_ALLOC(counts, ROWS));
  CHECK_OK(HP_ALLOC(numbers, ROWS + 1));
  CHECK_OK(HP_DEVICE_ALLOC(D, count, ROWS));
  test_check(&S, counts, count);
  test_scan(&S, numbers);
  HP_DEVICE_FREE(D, count);
  hp_setup_close(&S);
  hp_device_destroy(&D);
  HP_FREE(counts);
  HP_FREE(numbers);
  CHECK(hp_memory_now() == 0);
  return check_result();
}
