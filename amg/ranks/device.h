/* A hierarchy over ranks (amg/ranks/ranks.h) on the GPU of each rank. The host makes its pattern, coarse points and
 * interpolation; the GPU makes new numbers and runs cycles, both with the CPU's bits:
 *
 *     HP_TRY(hp_amg_ranks_build_by(t, H, &rows));
 *     HP_TRY(hp_amg_ranks_device_create(D, H, &C));                  after every build
 *     numbers of level 0 --> hp_amg_ranks_device_finest(C)->value    by the caller's kernels, as often as they change
 *     HP_TRY(hp_amg_ranks_device_refresh(C, hub));
 *     HP_TRY(hp_amg_ranks_device_cycle(C, E, b, x));                 x = M^-1 b in an execution's stream
 *     hp_amg_ranks_device_destroy(&C);                               before the next build
 *
 *     refresh    levels that are spread:  A P of own rows;  entries that other ranks need, exchanged;  R (A P);
 *                                         what cycles read of them
 *                levels that are whole:   the host, from the first one's numbers, and copied
 *     cycles     the list of passes that the CPU has, a kernel each, with exchanges of ghosts between them
 *
 * A thread sums a row in the order of its entries. H's rows are in slices of HP_AMG_RANKS_SLICE rows. Of a hierarchy whose
 * levels are all whole (hp_amg_ranks_device_is_whole) the host makes numbers (hp_amg_ranks_refresh_by) and cycles. All calls
 * are collective.
 */
#ifndef HP_AMG_RANKS_DEVICE_H
#define HP_AMG_RANKS_DEVICE_H

#include "amg/ranks/ranks.h"
#include "core/device/device.h"

HP_EXTERN_C_BEGIN

enum { HP_AMG_RANKS_SLICE = 32 /* hp_amg_options.slice: a warp's */ };

typedef struct hp_amg_ranks_device hp_amg_ranks_device;

struct hp_execution; /* linsolve/krylov/host_driven/execution.cuh */

HP_GPU hp_status hp_amg_ranks_device_create(hp_device *D, hp_amg_ranks *H, hp_amg_ranks_device **out) HP_MUST_USE;
HP_GPU void hp_amg_ranks_device_destroy(hp_amg_ranks_device **C);
HP_GPU bool hp_amg_ranks_device_is_whole(const hp_amg_ranks_device *C);
/* Rows of level 0 on the device, those of the rows that it was built from. */
HP_GPU const hp_csr *hp_amg_ranks_device_finest(const hp_amg_ranks_device *C);
/* hub: a team of the host, for whole levels, whose member 0 is the caller. Waits. */
HP_GPU hp_status hp_amg_ranks_device_refresh(hp_amg_ranks_device *C, hp_team_hub *hub) HP_MUST_USE;
/* b, x [own rows of level 0] on the device. */
HP_GPU hp_status hp_amg_ranks_device_cycle(hp_amg_ranks_device *C, struct hp_execution *E, const double *b,
                                           double *x) HP_MUST_USE;
/* Bytes on the device. */
HP_GPU int64_t hp_amg_ranks_device_bytes(const hp_amg_ranks_device *C);

HP_EXTERN_C_END

#endif
