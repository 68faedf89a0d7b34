/* A GPU of a team that never comes to a barrier: the run ends in time, with a message that names the one that waited and the one
 * that is missing. One GPU counts as two; where there are several, two of them are taken. */
#include <string.h>

#include "core/device/device.h"
#include "core/profile.h"
#include "tests/support/check.h"

struct missing_args {
  int gpu; /* that leaves at once */
};

static __device__ void meet(hp_team *t, const missing_args *a) {
  hp_team_sync(t);
  if (t->grid->gpu == a->gpu) return;
  hp_team_sync(t);
}
HP_TEAM_KERNEL(missing_kernel, missing_args, meet(&t, &a))

static void test_missing(const hp_device_options *given, int gpu) {
  hp_device *D = NULL;
  hp_device_options opt = *given;
  char waits[64], for_whom[64];
  const missing_args a = {gpu};
  opt.time_limit = 0.5;
  CHECK_OK(hp_device_create(&opt, &D));
  if (D == NULL) return;
  const double start = hp_now();
  CHECK_OK(hp_team_launch(D, (const void *)missing_kernel, &a, 0, "waiting"));
  CHECK(hp_device_sync(D) == HP_ERR_TEAM);
  CHECK(hp_now() - start < 20.0);
  snprintf(waits, sizeof waits, "GPU %d, number %d of the team", opt.gpu[1 - gpu], 2 - gpu);
  snprintf(for_whom, sizeof for_whom, "for GPU %d, number %d", opt.gpu[gpu], gpu + 1);
  CHECK(strstr(hp_fail_text(), waits) != NULL && strstr(hp_fail_text(), for_whom) != NULL);
  CHECK(strstr(hp_fail_text(), "test_missing.cu:") != NULL);
  if (strstr(hp_fail_text(), waits) == NULL || strstr(hp_fail_text(), for_whom) == NULL)
    fprintf(stderr, "said: %s\n", hp_fail_text());
  hp_device_destroy(&D);
}

int main(void) {
  int visible = 0;
  const hp_status s = hp_device_count(&visible);
  if (s != HP_OK) {
    printf("skipped: %s\n", hp_fail_text());
    return CHECK_SKIPPED;
  }
  for (int gpu = 0; gpu < 2; ++gpu) {
    hp_device_options halves;
    memset(&halves, 0, sizeof halves);
    halves.gpus = 2;
    test_missing(&halves, gpu);
    if (visible < 2) continue;
    halves.gpu[1] = 1;
    test_missing(&halves, gpu);
  }
  return check_result();
}
