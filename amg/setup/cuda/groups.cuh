/* Rows in groups, on a GPU: the rows of a group do not depend on each other, a
 * group after the other is a pass each. It is what Gauss-Seidel by colours or
 * by levels, triangular solves (Liu, Yu & Chen 2013) and blocks have in common:
 *
 *     out_i = x_i + sum_k F_ik r_k,   r = b - A from,   k in the block of row i
 *
 * A group's rows are copied side by side, in slices (sliced ELL), each group
 * from a slice of its own on:
 *
 *     slot          0    1    2    3  |  4    5    6   7  |  8 ...
 *     at           17   20   33   -1  |  2    3    9  -1  |         row of a
 * slot, -1: none group        ------- 0 --------    ------ 1 -------
 *
 * 2^lanes neighbouring threads of a warp share a row, so that a warp reads 32
 * numbers of a slice at a time:
 *
 *     lanes = 2, 8 slots a slice:    a0 a1 a2 a3 b0 b1 b2 b3 ... h3 | a4 a5 a6
 * a7 b4 ...       column -1: none
 *
 * A block has `width` slots, a power of two, and lies in one slice, so that a
 * warp holds all of its residuals; the rows of a block stand one after the
 * other. Blocks of one row: F is a number a row.
 */
#ifndef HP_AMG_SETUP_CUDA_GROUPS_CUH
#define HP_AMG_SETUP_CUDA_GROUPS_CUH

#include "amg/cycle/device.h"

/* The entries of a matrix that count: those of row i are from[i] .. to[i] - 1,
 * rising. On the device. */
typedef struct hp_amg_entries {
  const int32_t *from, *to, *column;
  int64_t count; /* about */
} hp_amg_entries;

typedef struct hp_amg_groups {
  hp_amg_rows rows; /* nrow: slots */
  hp_amg_entries entries;
  int32_t ngroup, width;
  int32_t *first; /* [ngroup+1] slice where a group begins; the host's */
  int32_t *at;    /* [slots] */
  void *factor;   /* [slots*width] F: of slot s and the block's k-th row at ((s /
                 * R) width + k) R + s % R, R rows of a slice; NULL: 1 */
} hp_amg_groups;

enum { HP_AMG_NO_FACTOR, HP_AMG_FACTOR };

/* For n rows: units of `rows` rows each, in the groups and the order of `by`
 * (the host's; NULL: all in one group). Waits for sizes. What it takes lives
 * until the cycle's next preparation; `first` until hp_amg_groups_clear. */
hp_status hp_amg_groups_create(hp_amg_device_cycle *C, const hp_amg_entries *E, int64_t n, int rows,
                               const hp_amg_smooth *by, int factor, hp_amg_groups *G) HP_MUST_USE;
void hp_amg_groups_clear(hp_amg_groups *G);
/* All entries of A. */
hp_amg_entries hp_amg_entries_of(const hp_device_csr *A);

/* Values of the entries: `value` is of doubles, or of the cycle's precision. In
 * the stream. */
hp_status hp_amg_groups_fill(hp_amg_device_cycle *C, const hp_amg_groups *G, const void *value,
                             bool is_double) HP_MUST_USE;
/* F of blocks of one row: of row i the number at place[i], NULL: at i. In the
 * stream. */
hp_status hp_amg_groups_set_factor(hp_amg_device_cycle *C, const hp_amg_groups *G, const void *number,
                                   const int32_t *place) HP_MUST_USE;

/* The pass of group g. from NULL: products are zero; x NULL: zero; b's number
 * of row i is at own[i], own NULL: at i. `all`: what is not in the group
 * becomes zero. */
hp_status hp_amg_add_group(hp_amg_device_cycle *C, const hp_amg_groups *G, int g, const void *from, const void *x,
                           const void *b, const int32_t *own, void *out, bool all) HP_MUST_USE;

#endif
