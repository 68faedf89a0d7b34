/* Messages between the GPUs of ranks by NCCL, opened when a run begins (core/device/transport.h). They stand in the
 * stream between kernels, and the host does not wait.
 *
 *     HP_TRY(hp_nccl_open(&N));                        HP_ERR_UNSUPPORTED: it is not there
 *     HP_TRY(hp_nccl_connect(N, K, stream));           collective; every rank has a GPU of its own, which is the current
 *                                                      one; with a message from each rank to the next, as a trial
 *     HP_TRY(hp_nccl_begin(N));
 *     HP_TRY(hp_nccl_exchange(N, E, size, sent, received, stream));        one or more
 *     HP_TRY(hp_nccl_end(N));
 */
#ifndef HP_CORE_DEVICE_CUDA_NCCL_CUH
#define HP_CORE_DEVICE_CUDA_NCCL_CUH

#include <cuda_runtime.h>

#include "core/ranks/ranks.h"

typedef struct hp_nccl hp_nccl;

hp_status hp_nccl_open(hp_nccl **out) HP_MUST_USE;
hp_status hp_nccl_connect(hp_nccl *N, hp_ranks *K, cudaStream_t stream) HP_MUST_USE;
void hp_nccl_close(hp_nccl **N);
/* "NCCL 2.27.3" */
void hp_nccl_describe(const hp_nccl *N, char *out, size_t size);
hp_status hp_nccl_begin(hp_nccl *N) HP_MUST_USE;
hp_status hp_nccl_end(hp_nccl *N) HP_MUST_USE;
/* Entries of E, of `size` bytes each, in the GPU's memory. */
hp_status hp_nccl_exchange(hp_nccl *N, const hp_exchange *E, size_t size, const char *sent, char *received,
                           cudaStream_t stream) HP_MUST_USE;

#endif
