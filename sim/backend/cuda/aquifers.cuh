/* Aquifers on a GPU: their arrays in two pieces of its memory, what stays and what each time step changes. Their state
 * is the host's: it sums up the rates, which come from the device at the end of a step. */
#ifndef HP_SIM_BACKEND_CUDA_AQUIFERS_CUH
#define HP_SIM_BACKEND_CUDA_AQUIFERS_CUH

#include "core/device/device.h"
#include "physics/aquifer.h"

HP_EXTERN_C_BEGIN

typedef struct hp_aquifers_device {
  hp_device *D;
  void *fixed, *step; /* on the device, in one piece each */
  int64_t step_bytes;
  char *staging;                 /* host [step_bytes] */
  double *rate, *error, *mobile; /* device [nconnection] */
  double dt;                     /* of the step that the device has [s]; 0: none of the present state */
} hp_aquifers_device;

/* *out: A with the device's arrays, all zero for NULL. What failed is to be destroyed, too. */
hp_status hp_aquifers_device_create(hp_device *D, const hp_aquifers *A, hp_aquifers_device *P,
                                    hp_aquifers *out) HP_MUST_USE;
void hp_aquifers_device_destroy(hp_aquifers_device *P);

/* The host's state was changed. */
void hp_aquifers_device_renew(hp_aquifers_device *P);
/* hp_aquifers_set_step, here and there. A may be NULL. */
hp_status hp_aquifers_device_set_step(hp_aquifers_device *P, hp_aquifers *A, double dt) HP_MUST_USE;
/* States and coefficients to the device; rates back: on a rank's part, where rank 0 counts the steps of aquifers. A may be NULL. */
hp_status hp_aquifers_device_put(hp_aquifers_device *P, const hp_aquifers *A) HP_MUST_USE;
hp_status hp_aquifers_device_get(hp_aquifers_device *P, hp_aquifers *A) HP_MUST_USE;
/* Errors of rates likewise. */
hp_status hp_aquifers_device_get_errors(hp_aquifers_device *P, hp_aquifers *A) HP_MUST_USE;
/* hp_aquifers_accept with the device's rates. A may be NULL. */
hp_status hp_aquifers_device_accept(hp_aquifers_device *P, hp_aquifers *A, double dt) HP_MUST_USE;

HP_EXTERN_C_END

#endif
