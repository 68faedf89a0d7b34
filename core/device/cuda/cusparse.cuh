/* Errors of cuSPARSE, which core/device/cuda/libraries.cu opens at its first call. Its products serve comparisons, by
 * themselves (bench/product/cuda/library.cu) and inside a solve (linsolve/krylov/host_driven/baselines/matrix.cu). */
#ifndef HP_CORE_DEVICE_CUDA_CUSPARSE_CUH
#define HP_CORE_DEVICE_CUDA_CUSPARSE_CUH

#include <cusparse.h>

#include "core/status.h"

/* HP_ERR_UNSUPPORTED: the library has no product of this kind. */
static inline hp_status hp_cusparse_check(cusparseStatus_t s, const char *what) {
  if (s == CUSPARSE_STATUS_SUCCESS) return HP_OK;
  if (s == CUSPARSE_STATUS_NOT_SUPPORTED)
    return hp_fail(HP_ERR_UNSUPPORTED, "cuSPARSE does not support this: %s", what);
  return hp_fail(HP_ERR_DEVICE, "cuSPARSE: %s: %s", what, cusparseGetErrorString(s));
}

#define HP_CUSPARSE_TRY(call) HP_TRY(hp_cusparse_check(call, #call))

#endif
