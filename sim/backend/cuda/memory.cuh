/* Memory that a run needs and holds on a GPU, or on each of several. The need is estimated before arrays are made
 * (sim/backend/device_memory.c); the device counts what it holds. */
#ifndef HP_SIM_BACKEND_CUDA_MEMORY_CUH
#define HP_SIM_BACKEND_CUDA_MEMORY_CUH

#include "core/device/device.h"
#include "sim/backend/backend.h"

HP_EXTERN_C_BEGIN

/* Called before anything is allocated or computed. HP_ERR_MEMORY, with the bytes that the run needs and those that are free, where it
 * does not fit. */
hp_status hp_backend_device_check_memory(hp_device *D, const hp_backend_input *in) HP_MUST_USE;

/* "1.6 MB taken of 84 GB that were free", of several GPUs "1.6 MB taken of 84 GB that were free on GPU 0 and 1.5 MB taken of 84 GB
 * on GPU 1". */
void hp_backend_device_describe_memory(const hp_device *D, char *out, size_t size);

HP_EXTERN_C_END

#endif
