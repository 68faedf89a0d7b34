/* A kernel compiled at run time, loaded on a GPU (core/compile/compile.h).
 *
 *     const hp_compile_job job = {...};      without the compute capability, which is the device's
 *     if (hp_compiled_create(D, &job, &K) == HP_OK) hp_team_launch(D, hp_compiled_handle(K), ...);
 *
 * A failure here is not one of the device: the caller continues with a kernel of the build.
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

/* Compiles or reads the kernel and loads it. HP_ERR_UNSUPPORTED with the reason if that fails. */
HP_GPU hp_status hp_compiled_create(hp_device *D, const hp_compile_job *job, hp_compiled **out) HP_MUST_USE;
HP_GPU void hp_compiled_destroy(hp_compiled **K);
/* The handle stands for a kernel's function in launches and attributes. */
HP_GPU const void *hp_compiled_handle(const hp_compiled *K);
HP_GPU const hp_compiled_report *hp_compiled_get_report(const hp_compiled *K);

HP_EXTERN_C_END

#endif
