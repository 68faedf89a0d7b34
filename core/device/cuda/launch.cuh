/* Launches of the team's kernels (core/team/team.h) and errors of CUDA: the part of core/device/device.h for CUDA
 * sources. */
#ifndef HP_CORE_DEVICE_CUDA_LAUNCH_CUH
#define HP_CORE_DEVICE_CUDA_LAUNCH_CUH

#include "core/team/team.h"

HP_EXTERN_C_BEGIN

/* Launches a HP_TEAM_KERNEL on the whole device, without waiting, with `args` as its second argument and `shared` more
 * bytes of shared memory. Blocks have the threads of the kernel's launch bounds, rounded down to a multiple of
 * HP_TEAM_THREADS. */
hp_status hp_team_launch(hp_device *D, const void *kernel, const void *args, size_t shared,
                         const char *what) HP_MUST_USE;

/* Launches a kernel without barriers on the first GPU, without waiting; nothing if there are no blocks. */
hp_status hp_device_launch(hp_device *D, const void *kernel, int64_t blocks, int threads, void **args, size_t shared,
                           const char *what) HP_MUST_USE;

/* The threads per block and the blocks that hp_team_launch would use, for reports. */
hp_status hp_team_launch_shape(hp_device *D, const void *kernel, size_t shared, int *threads, int *blocks) HP_MUST_USE;

/* Shared memory per block left for a kernel's own use [bytes]. */
hp_status hp_team_spare_shared(hp_device *D, const void *kernel, int64_t *bytes) HP_MUST_USE;

cudaStream_t hp_device_stream(hp_device *D);

/* hp_device_options.shake, for kernels that are not the team's. */
uint32_t hp_device_shake(const hp_device *D);

/* Translates a CUDA error into a status with a message; `what` was being done. */
hp_status hp_device_check(hp_device *D, cudaError_t error, const char *what) HP_MUST_USE;
/* The error of hp_device_alloc. */
hp_status hp_device_no_memory(const hp_device *D, int64_t bytes, const char *what) HP_MUST_USE;

HP_EXTERN_C_END

#define HP_CUDA_TRY(D, call) HP_TRY(hp_device_check(D, call, #call))

#endif
