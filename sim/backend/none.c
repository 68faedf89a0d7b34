/* sim/backend/cuda/backend.cu in a build without CUDA. */
#include "sim/backend/backend.h"

hp_status hp_backend_cuda_available(void) {
  return hp_fail(HP_ERR_UNSUPPORTED,
                 "--backend cuda: this build has no CUDA: configure with -DHEPTA_CUDA=ON where nvcc is installed, or "
                 "run with --backend cpu");
}

hp_status hp_backend_cuda_ahead(hp_device_ahead **out) {
  *out = NULL;
  return hp_backend_cuda_available();
}

hp_status hp_backend_cuda_create(const hp_backend_input *in, hp_backend **out) {
  (void)in;
  *out = NULL;
  return hp_backend_cuda_available();
}
