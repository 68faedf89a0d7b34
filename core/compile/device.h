/* A kernel compiled while the program runs, on a GPU (core/compile/compile.h).
 *
 *     const hp_compile_job job = {...};      without the compute capability, which is the device's
 *     if (hp_kernel_create(D, &job, &K) == HP_OK) hp_team_launch(D, hp_kernel_handle(K), ...);
 *
 * What goes wrong here is no failure of the device: the caller has a kernel of the build to go on with.
 */
#ifndef HP_CORE_COMPILE_DEVICE_H
#define HP_CORE_COMPILE_DEVICE_H

#include "core/compile/compile.h"
#include "core/device/device.h"

HP_EXTERN_C_BEGIN

typedef struct hp_kernel hp_kernel;

typedef struct hp_kernel_report {
  bool kept;      /* came from a file of an earlier run */
  double seconds; /* that it took to have it */
  int registers;  /* of a thread */
  int64_t local;  /* [bytes] of local memory of a thread */
  char note[600]; /* what was wrong with the file, "": nothing */
} hp_kernel_report;

/* HP_ERR_UNSUPPORTED with the reason where it cannot be compiled or loaded. */
HP_GPU hp_status hp_kernel_create(hp_device *D, const hp_compile_job *job, hp_kernel **out) HP_MUST_USE;
HP_GPU void hp_kernel_destroy(hp_kernel **K);
/* In place of a kernel's function in launches and attributes. */
HP_GPU const void *hp_kernel_handle(const hp_kernel *K);
HP_GPU const hp_kernel_report *hp_kernel_get_report(const hp_kernel *K);

HP_EXTERN_C_END

#endif
