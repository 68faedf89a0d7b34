/* Rows in groups: the rows of a group do not depend on each other, a group after the other is a pass each. It is what
 * Gauss-Seidel by colours or by levels, triangular solves (Liu, Yu & Chen 2013) and blocks have in common:
 *
 *     out_i = x_i + sum_k F_ik r_k,   r = b - A from,   k in the block of row i
 *
 * On a CPU a group is a stretch of hp_amg_smooth.order, whose rows are read where the level has them. On a GPU its rows
 * are copied side by side, in slices (sliced ELL), each group from a slice of its own on:
 *
 *     slot          0    1    2    3  |  4    5    6   7  |  8 ...
 *     at           17   20   33   -1  |  2    3    9  -1  |         row of a slot, -1: none
 *     group        ------- 0 --------    ------ 1 -------
 *
 * 2^lanes neighbouring threads of a warp share a row, so that a warp reads 32 numbers of a slice at a time:
 *
 *     lanes = 2, 8 slots a slice:    a0 a1 a2 a3 b0 b1 b2 b3 ... h3 | a4 a5 a6 a7 b4 ...       column -1: none
 *
 * A block has `width` slots, a power of two, and lies in one slice, so that a warp holds all of its residuals; the rows
 * of a block stand one after the other. Blocks of one row: F is a number a row.
 */
#ifndef HP_AMG_SMOOTHERS_GROUPS_H
#define HP_AMG_SMOOTHERS_GROUPS_H

#include "amg/setup/device.h"

HP_EXTERN_C_BEGIN

/* The entries of a matrix that count: those of row i are from[i] .. to[i] - 1, rising. On the device. */
typedef struct hp_amg_entries {
  const uint32_t *from, *to;
  const int32_t *column;
  int64_t count; /* about */
} hp_amg_entries;

typedef struct hp_amg_groups {
  hp_amg_rows rows;       /* GPU: of the slots, nrow of them; CPU: the level's */
  hp_amg_entries entries; /* GPU */
  int32_t ngroup, width;
  int32_t *first; /* [ngroup+1] where a group begins, the host's; GPU: its slice; CPU: its place in `at` */
  int32_t *at;    /* GPU: [slots]; CPU: [rows or blocks] one after the other; NULL: all in their order */
  void *factor; /* F; GPU: [slots*width] of slot s and the block's k-th row at ((s / R) width + k) R + s % R, R rows of
                   * a slice; NULL: 1 */
} hp_amg_groups;

/* Arrays of a level's smoother on a GPU besides hp_amg_smooth. */
typedef struct hp_amg_smoothing {
  hp_csr_device A;
  hp_amg_groups lower, upper; /* those of the way back, where they differ */
  int32_t *index;             /* [n] where a row's value is among those of the domains */
} hp_amg_smoothing;

HP_EXTERN_C_END

#endif
