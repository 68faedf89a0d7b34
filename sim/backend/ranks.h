/* The backend of a run by several ranks, as each of them has it: a part of the grid (sim/part/subdomain.h), and a backend of the
 * CPU or of a GPU on it.
 *
 *     every rank:   hp_backend_ops of sim/backend/ranks.c   exchanges and sums over ranks around
 *                      |
 *                   hp_backend_ops of cpu.c, cuda/backend.cu   on the part
 *
 * All ranks call the same operations in the same order. Sums and decisions in the programs are the same on all
 * (core/team/team.h), so that their reports are. A failure on one rank is one of all at the end of each operation.
 */
#ifndef HP_SIM_BACKEND_RANKS_H
#define HP_SIM_BACKEND_RANKS_H

#include "sim/backend/backend.h"

HP_EXTERN_C_BEGIN

/* Collective, for an other solver: its threads, and the GPU of this rank. */
hp_status hp_backend_ranks_place(const hp_backend *B, hp_other_options *options) HP_MUST_USE;

/* Collective: s is that of an operation in which ranks waited for each other, if `waits`. Returns the status of all. */
hp_status hp_backend_ranks_agree(const hp_backend *B, bool waits, bool on_device, hp_status s) HP_MUST_USE;

HP_EXTERN_C_END

#endif
