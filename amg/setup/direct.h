/* The last level on the CPU: its LU factors and its inverse, by the whole team.
 *
 * Every entry is changed by one operation after the other in the order of the
 * textbook's loops (columns ascending; back substitution the other way), however
 * rows and columns are cut into blocks and shared. So the bits are those of one
 * member with plain loops, for any team, and amg/setup/cuda/direct.cuh finds the same
 * factors on a GPU.
 *
 *     columns   0        c         c+32          n
 *               +--------+---------+-------------+
 *               |        |  panel  | U of these  |   panel: member 0, with the pivots
 *               |  done  | (rows c |   rows      |   the rest: a member exchanges the rows of its columns, then
 *               |        |  .. n)  | ----------- |   solves with the panel's triangle and subtracts the product
 *               |        |         | what is left|
 *               +--------+---------+-------------+
 *
 * The inverse is made sixteen columns at a time, so that the factors are read once for sixteen.
 */
#ifndef HP_AMG_SETUP_DIRECT_H
#define HP_AMG_SETUP_DIRECT_H

#include "amg/amg.h"

HP_EXTERN_C_BEGIN

/* lu of the last level's A, with row pivoting: the multipliers below the diagonal, on it the pivots' inverses. Rows are
 * divided by their largest entry (lu_scale). A pivot below 1e-13 marks an unknown that the rest determines but for a
 * constant (a closed box): it is set to zero. Before: A is visible. No barrier at its end. */
void hp_amg_factorize(hp_team *t, const hp_amg *H);

/* inverse [n][n], by columns, from the factors, which are visible. No barrier. */
void hp_amg_invert(const hp_team *t, const hp_amg *H);

HP_EXTERN_C_END

#endif
