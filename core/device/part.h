/* A rank's part (core/ranks/part.h) on its GPU: ghosts of vectors in the GPU's memory, and sums over all ranks.
 *
 *     HP_TRY(hp_device_set_part(D, part));
 *     HP_TRY(hp_device_connect(D, HP_TRANSPORT_AUTO));
 *     HP_TRY(hp_device_renew(D, x, q, true));      take kernel -> pinned memory -> messages -> pinned memory -> put kernel
 *     ...                                          kernels add to their grid's `exact` (core/ranks/cuda/exact.cuh)
 *     HP_TRY(hp_device_sum(D, 2, sum));            waits; the same bits on every rank
 *
 * A rank has one GPU, which other ranks may have, too.
 *
 * Through the host, kernels write and read messages in its memory: an exchange is two launches and one wait, and two
 * ranks may share a GPU. Other transports have the messages in the GPU's memory (core/device/transport.h); NCCL needs
 * no wait. Gathers (hp_exchange_create_gather) always go through the host. All calls are collective.
 */
#ifndef HP_CORE_DEVICE_PART_H
#define HP_CORE_DEVICE_PART_H

#include "core/device/device.h"
#include "core/device/transport.h"
#include "core/ranks/exact.h"
#include "core/ranks/part.h"

HP_EXTERN_C_BEGIN

/* Ghosts of one exchange on a device. */
typedef struct hp_device_exchange hp_device_exchange;

/* E outlives X; the host may run E, too. */
HP_GPU hp_status hp_device_exchange_create(hp_device *D, hp_exchange *E, hp_device_exchange **out) HP_MUST_USE;
HP_GPU void hp_device_exchange_destroy(hp_device_exchange **X);
/* hp_exchange_run with x on the device; size: 4, or a multiple of 8. */
HP_GPU hp_status hp_device_exchange_run(hp_device_exchange *X, void *x, size_t size) HP_MUST_USE;
HP_GPU hp_exchange *hp_device_exchange_of(const hp_device_exchange *X);

/* Is called once, before anything else of this file; p outlives the device. */
HP_GPU hp_status hp_device_set_part(hp_device *D, const hp_part *p) HP_MUST_USE;
/* Chooses the transport of later exchanges (default: host). All ranks call it and get the same status. */
HP_GPU hp_status hp_device_connect(hp_device *D, hp_transport asked) HP_MUST_USE;
/* "the host", "MPI in the memory of GPUs", "NCCL 2.27.3" */
HP_GPU void hp_device_describe_transport(const hp_device *D, char *out, size_t size);

/* These are hp_part_renew, its variants and hp_part_drop with x (and y unless NULL) on the device. */
HP_GPU hp_status hp_device_renew(hp_device *D, double *x, int q, bool wells) HP_MUST_USE;
HP_GPU hp_status hp_device_renew_perforated(hp_device *D, double *x, int q) HP_MUST_USE;
HP_GPU hp_status hp_device_renew_all(hp_device *D, double *x, int q, bool wells) HP_MUST_USE;
HP_GPU hp_status hp_device_drop(hp_device *D, double *x, double *y, int q) HP_MUST_USE;

/* Waits and returns the first `count` sums over all ranks of what kernels have added since the last call. Kernels may
 * read them in hp_device_summed(D). */
HP_GPU hp_status hp_device_sum(hp_device *D, int count, double *sum) HP_MUST_USE;
HP_GPU const double *hp_device_summed(const hp_device *D);
/* Sums [HP_SUMS_MAX] in the GPU's memory, which kernels add to. */
HP_GPU hp_exact *hp_device_exact(const hp_device *D);

HP_EXTERN_C_END

#endif
