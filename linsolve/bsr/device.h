/* Block rows in a GPU's memory, for linsolve/product/cuda/blocks.cuh. */
#ifndef HP_LINSOLVE_BSR_DEVICE_H
#define HP_LINSOLVE_BSR_DEVICE_H

#include "core/device/device.h"
#include "linsolve/bsr/bsr.h"

HP_EXTERN_C_BEGIN

/* The arrays are the device's. */
typedef struct hp_bsr_device {
  hp_bsr B;
  double *partial; /* [nslot q] sums of the pieces */
} hp_bsr_device;

/* A copy of B; with_values: false leaves values zero. */
hp_status hp_bsr_device_upload(hp_device *D, const hp_bsr *B, bool with_values, hp_bsr_device *out) HP_MUST_USE;
void hp_bsr_device_free(hp_device *D, hp_bsr_device *B);

HP_EXTERN_C_END

#endif
