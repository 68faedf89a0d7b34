/* Cycles of a hierarchy over ranks (amg/ranks/ranks.h) on the GPU of each rank: the list of passes that the CPU has, a kernel
 * each, with exchanges of ghosts between them. The host makes levels and numbers.
 *
 *     HP_TRY(hp_amg_ranks_build_by(t, H, &rows));
 *     HP_TRY(hp_amg_ranks_device_create(D, H, &C));       after every build
 *     HP_TRY(hp_amg_ranks_device_numbers(C));             after it, and after every refresh of H
 *     HP_TRY(hp_amg_ranks_device_cycle(C, E, b, x));      x = M^-1 b in an execution's stream
 *     hp_amg_ranks_device_destroy(&C);                    before the next build
 *
 * A thread sums a row in the order of its entries, so that cycles have the CPU's bits. H's rows are in slices of
 * HP_AMG_RANKS_SLICE rows. All calls are collective.
 */
#ifndef HP_AMG_RANKS_DEVICE_H
#define HP_AMG_RANKS_DEVICE_H

#include "amg/ranks/ranks.h"
#include "core/device/device.h"

HP_EXTERN_C_BEGIN

enum { HP_AMG_RANKS_SLICE = 32 /* hp_amg_options.slice: a warp's */ };

typedef struct hp_amg_ranks_device hp_amg_ranks_device;

struct hp_execution; /* linsolve/krylov/baselines/execution.cuh */

HP_GPU hp_status hp_amg_ranks_device_create(hp_device *D, hp_amg_ranks *H, hp_amg_ranks_device **out) HP_MUST_USE;
HP_GPU void hp_amg_ranks_device_destroy(hp_amg_ranks_device **C);
HP_GPU hp_status hp_amg_ranks_device_numbers(hp_amg_ranks_device *C) HP_MUST_USE;
/* b, x [own rows of level 0] on the device. */
HP_GPU hp_status hp_amg_ranks_device_cycle(hp_amg_ranks_device *C, struct hp_execution *E, const double *b,
                                           double *x) HP_MUST_USE;
/* Bytes on the device. */
HP_GPU int64_t hp_amg_ranks_device_bytes(const hp_amg_ranks_device *C);

HP_EXTERN_C_END

#endif
