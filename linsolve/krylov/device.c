/* The functions of linsolve/krylov/device.h that are the same with and without CUDA. */
#include "linsolve/krylov/device.h"

int64_t hp_krylov_device_stride(int64_t n, bool spread) {
  const int64_t stride = spread ? hp_owned_stride(n, sizeof(double), HP_PAGE_BYTES, false) : n;
  return (stride + 31) / 32 * 32;
}
