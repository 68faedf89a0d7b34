/* Rows in groups on a GPU: slots, entries and factors of amg/smoothers/groups.h. */
#ifndef HP_AMG_SMOOTHERS_CUDA_SLOTS_CUH
#define HP_AMG_SMOOTHERS_CUDA_SLOTS_CUH

#include "amg/smoothers/cuda/image.cuh"
#include "amg/smoothers/groups.h"

enum { HP_AMG_NO_FACTOR, HP_AMG_FACTOR };

/* Divides n rows into units of `rows` rows each, in the groups and the order of `by`
 * (the host's; NULL: all in one group). Waits for sizes. Its memory lives until
 * the cycle's next preparation, `first` until hp_amg_groups_clear. */
hp_status hp_amg_groups_create(hp_amg_device_cycle *C, const hp_amg_entries *E, int64_t n, int rows,
                               const hp_amg_smooth *by, int factor, hp_amg_groups *G) HP_MUST_USE;
void hp_amg_groups_clear(hp_amg_groups *G);
/* All entries of A. */
hp_amg_entries hp_amg_entries_of(const hp_csr_device *A);

/* Values of the entries: `value` is of doubles, or of the cycle's precision. In
 * the stream. */
hp_status hp_amg_groups_fill(hp_amg_device_cycle *C, const hp_amg_groups *G, const void *value,
                             bool is_double) HP_MUST_USE;
/* F of blocks of one row: of row i the number at place[i], NULL: at i. In the
 * stream. */
hp_status hp_amg_groups_set_factor(hp_amg_device_cycle *C, const hp_amg_groups *G, const void *number,
                                   const uint32_t *place) HP_MUST_USE;

#endif
