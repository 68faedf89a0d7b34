/* A reservoir on a GPU: the arrays of its cells, connections and regions, and the tables of its fluids, in memory of the device.
 *
 * The properties of cells, the mass in place and the residual are of no use after the system they belong to is assembled,
 * judged and, if it is the last one of its step, carried into the next. They are scratch: they stand among the solver's
 * vectors, as far as there is room, and in memory of their own otherwise.
 */
#ifndef HP_SIM_BACKEND_CUDA_RESERVOIR_CUH
#define HP_SIM_BACKEND_CUDA_RESERVOIR_CUH

#include "core/device/device.h"
#include "linsolve/matrix/gh.h"
#include "physics/reservoir.h"
#include "sim/backend/cuda/compaction.cuh"

HP_EXTERN_C_BEGIN

typedef struct hp_scratch_device {
  hp_device *D;
  char *work; /* device: the solver's vectors */
  int64_t bytes, used;
} hp_scratch_device;

/* Memory for `count` elements of `size` bytes; `what` they are, for errors. free may come after the solver is gone. */
hp_status hp_scratch_device_alloc(hp_scratch_device *W, void **out, int64_t count, size_t size,
                                  const char *what) HP_MUST_USE;
void hp_scratch_device_free(const hp_scratch_device *W, double **p);
#define HP_SCRATCH_ALLOC(W, pointer, count, what) \
  hp_scratch_device_alloc(W, (void **)&(pointer), count, sizeof *(pointer), what)

/* *out: r with the device's arrays, which do not hold its state before a put. J: the matrix on the device, which has the
 * pattern of the connections. one_fluid: the kernels know one set of fluids and no regions. has: the arrays of the run.
 * compaction: rock tables, which are destroyed by themselves. What failed is to be destroyed, too. */
hp_status hp_reservoir_device_create(hp_scratch_device *W, const hp_reservoir *r, const hp_gh *J, bool one_fluid,
                                     hp_arrays has, hp_compaction_device *compaction, hp_reservoir *out) HP_MUST_USE;
void hp_reservoir_device_destroy(const hp_scratch_device *W, hp_reservoir *r);

HP_EXTERN_C_END

#endif
