/* linsolve/product/device.h in a build without CUDA; there is no hp_device to call it with. */
#include "linsolve/product/device.h"

hp_status hp_spmv_device_measure(hp_device *D, hp_spmv_job *job) {
  (void)D, (void)job;
  return hp_fail(HP_ERR_UNSUPPORTED, "this build of hepta has no CUDA");
}

hp_status hp_spmv_device_copy(hp_device *D, int64_t bytes, double *rate) {
  (void)D, (void)bytes;
  *rate = 0.0;
  return hp_fail(HP_ERR_UNSUPPORTED, "this build of hepta has no CUDA");
}
