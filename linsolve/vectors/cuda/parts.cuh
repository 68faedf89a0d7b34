/* Work in parts, each in its own stream. The device's stream has the first; the others begin after its earlier work,
 * and its later work waits for them. This also holds while a graph is recorded from the device's stream. */
#ifndef HP_LINSOLVE_VECTORS_CUDA_PARTS_CUH
#define HP_LINSOLVE_VECTORS_CUDA_PARTS_CUH

#include <cuda_runtime.h>

#include "core/device/device.h"

HP_EXTERN_C_BEGIN

typedef struct hp_vector_streams hp_vector_streams;

hp_status hp_vector_streams_create(hp_device *D, hp_vector_streams **out) HP_MUST_USE;
void hp_vector_streams_destroy(hp_vector_streams **S);

/* Fork and join enclose the launches of `parts` <= HP_KERNEL_STREAMS_MAX parts; hp_vector_stream is the stream of
 * one. */
hp_status hp_vector_streams_fork(hp_vector_streams *S, int parts) HP_MUST_USE;
cudaStream_t hp_vector_stream(hp_vector_streams *S, int part);
hp_status hp_vector_streams_join(hp_vector_streams *S, int parts) HP_MUST_USE;

HP_EXTERN_C_END

#endif
