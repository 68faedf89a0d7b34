/* Private to amg: how smoothers put units (rows, blocks) that do not depend on
 * each other into groups, on the host. */
#ifndef HP_AMG_SMOOTHERS_IMPL_H
#define HP_AMG_SMOOTHERS_IMPL_H

#include "amg/amg.h"

HP_EXTERN_C_BEGIN

/* ngroup, group and order of S from every unit's group. */
hp_status hp_amg_groups_sort(const int32_t *group, int32_t units, hp_amg_smooth *S) HP_MUST_USE;

/* Dependency levels of a triangular solve (Liu, Yu & Chen 2013): row i depends
 * on the columns of its entries from[i] .. to[i] - 1, all below i, or all above
 * it (`upper`). */
hp_status hp_amg_triangle_groups(int32_t n, const int32_t *from, const int32_t *to, const int32_t *column, bool upper,
                                 hp_amg_smooth *S) HP_MUST_USE;

HP_EXTERN_C_END

#endif
