/* Wells on a GPU: their arrays in two pieces of its memory, what never changes and what events and steps change. */
#ifndef HP_SIM_BACKEND_CUDA_WELLS_CUH
#define HP_SIM_BACKEND_CUDA_WELLS_CUH

#include "core/device/device.h"
#include "wells/wells.h"

HP_EXTERN_C_BEGIN

typedef struct hp_wells_device {
  hp_device *D;
  void *fixed, *state; /* on the device, in one piece each */
  int64_t fixed_bytes, state_bytes;
  char *staging; /* host [state_bytes] */
} hp_wells_device;

/* *out: W with the device's arrays, which do not hold its state before a put. What failed is to be destroyed, too. */
hp_status hp_wells_device_create(hp_device *D, const hp_wells *W, hp_wells_device *P, hp_wells *out) HP_MUST_USE;
void hp_wells_device_destroy(hp_wells_device *P);

/* Copies the well data that events and steps change to the device and back. */
hp_status hp_wells_device_put(hp_wells_device *P, const hp_wells *W) HP_MUST_USE;
hp_status hp_wells_device_get(hp_wells_device *P, hp_wells *W) HP_MUST_USE;

HP_EXTERN_C_END

#endif
