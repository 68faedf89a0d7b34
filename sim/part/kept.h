/* The state at the end of a run by ranks, with which that of later runs is compared: each rank keeps its own cells, and later
 * gets from the others those of the part that it has then.
 *
 *     first run   +-------+----+      a later one   +----+-------+      the columns that both boxes have go from their owner
 *                 |   0   | 1  |                    | 0  |   1   |      in the first run to that in the later one
 *                 +-------+----+                    +----+-------+
 */
#ifndef HP_SIM_PART_KEPT_H
#define HP_SIM_PART_KEPT_H

#include "sim/part/subdomain.h"

HP_EXTERN_C_BEGIN

enum { HP_KEPT_ARRAYS = 2 };

typedef struct hp_kept_state {
  hp_box *boxes;                 /* [ranks] columns of all ranks in that run; NULL: nothing is kept */
  double *array[HP_KEPT_ARRAYS]; /* [columns of this rank's box][nz] along i, then j; 0 in inactive cells */
} hp_kept_state;

void hp_kept_state_clear(hp_kept_state *K);

/* Collective. array [HP_KEPT_ARRAYS] of the part [D->part.ncell]; what was kept before goes. */
hp_status hp_kept_state_put(const hp_subdomain *D, const double *const *array, hp_kept_state *K) HP_MUST_USE;
/* Collective, on a grid of the same size: off [HP_KEPT_ARRAYS] the largest differences of all cells, 0 standing for inactive ones;
 * the same on all ranks. */
hp_status hp_kept_state_compare(const hp_subdomain *D, const double *const *array, const hp_kept_state *K,
                                double *off) HP_MUST_USE;

HP_EXTERN_C_END

#endif
