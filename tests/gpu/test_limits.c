/* Random decks whose wells meet their limits, on a GPU (tests/support/limits.h). */
#define _DEFAULT_SOURCE
#include "core/device/device.h"
#include "tests/support/limits.h"

int main(void) {
  hp_device *D = NULL;
  const hp_status s = hp_device_create(NULL, &D);
  if (s == HP_ERR_UNSUPPORTED || s == HP_ERR_DEVICE) {
    printf("skipped: %s\n", hp_fail_text());
    return CHECK_SKIPPED;
  }
  CHECK_OK(s);
  hp_device_destroy(&D);
  limits_check(HP_BACKEND_CUDA, 1, getenv("HEPTA_TEST_SMALL") != NULL ? 2 : 100, 1);
  CHECK(hp_memory_now() == 0);
  return check_result();
}
