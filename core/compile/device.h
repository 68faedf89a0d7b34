/* A kernel compiled while the program runs, on a GPU (core/compile/compile.h).
 *
 *     const hp_compile_job job = {...};      without the compute capability, which is the device's
 *     if (hp_compiled_create(D, &job, &K) == HP_OK) hp_team_launch(D, hp_compiled_handle(K), ...);
 *
 * What goes wrong here is no failure of the device: the caller has a kernel of the build to go on with.
 */
#ifndef HP_CORE_COMPILE_DEVICE_H
#define HP_CORE_COMPILE_DEVICE_H

#include "core/compile/compile.h"
#include "core/device/device.h"

HP_EXTERN_C_BEGIN

typedef struct hp_compiled hp_compiled;

typedef struct hp_compiled_report {
  bool kept;      /* came from a file of an earlier run */
  double seconds; /* that it took to have it */
  int registers;  /* of a thread */
  int64_t local;  /* [bytes] of local memory of a thread */
  char note[600]; /* what was wrong with the file, "": nothing */
} hp_compiled_report;

/* HP_ERR_UNSUPPORTED with the reason where it cannot be compiled or loaded. */
HP_GPU hp_status hp_compiled_create(hp_device *D, const hp_compile_job *job, hp_compiled **out) HP_MUST_USE;
HP_GPU void hp_compiled_destroy(hp_compiled **K);
/* Stands for a kernel's function in launches and attributes. */
HP_GPU const void *hp_compiled_handle(const hp_compiled *K);
HP_GPU const hp_compiled_report *hp_compiled_get_report(const hp_compiled *K);

HP_EXTERN_C_END

#endif
