/* Private to amg: what smoothers prepare on the host, by the pattern alone. */
#ifndef HP_AMG_SMOOTHERS_IMPL_H
#define HP_AMG_SMOOTHERS_IMPL_H

#include "amg/amg.h"

HP_EXTERN_C_BEGIN

/* Memory and patterns for a level whose A exists; its rows are in L->a. */
typedef hp_status hp_amg_prepare_function(const hp_amg_options *opt, const hp_amg_level *L, hp_amg_smooth *S);

#define HP_AMG_PREPARE_OF(name, text, setup, sweep, rows, prepare, in_kernel, device, by_host) \
  hp_amg_prepare_function hp_amg_prepare_##prepare;
HP_AMG_SMOOTHER_LIST(HP_AMG_PREPARE_OF)
#undef HP_AMG_PREPARE_OF

/* Room for numbers of the cycle's precision. */
hp_status hp_amg_smooth_numbers(const hp_amg_options *opt, void **out, int64_t count) HP_MUST_USE;

/* Dependency levels of a triangular solve (Liu, Yu & Chen 2013): row i depends
 * on the columns of its entries from[i] .. to[i] - 1, all below i, or all above
 * it (`upper`). */
hp_status hp_amg_triangle_groups(int32_t n, const uint32_t *from, const uint32_t *to, const int32_t *column, bool upper,
                                 hp_amg_smooth *S) HP_MUST_USE;

HP_EXTERN_C_END

#endif
