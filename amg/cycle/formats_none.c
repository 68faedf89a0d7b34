/* amg/cycle/formats.h in a build without CUDA: there is no device. */
#include "amg/cycle/formats.h"

static hp_status no_cuda(void) { return hp_fail(HP_ERR_UNSUPPORTED, "this build of hepta has no CUDA"); }

hp_status hp_amg_format_time(hp_device *D, const hp_amg_format *F, const void *x, void *y, int count, double *seconds) {
  (void)D, (void)F, (void)x, (void)y, (void)count, (void)seconds;
  return no_cuda();
}
hp_status hp_amg_format_time_reading(hp_device *D, int64_t bytes, int count, double *seconds) {
  (void)D, (void)bytes, (void)count, (void)seconds;
  return no_cuda();
}
