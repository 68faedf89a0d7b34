/* V, W and F cycles as lists of passes (amg/smoothers/pass.h), and how a CPU runs them.
 *
 * The passes of one level of a V(1,1) cycle with a diagonal smoother, a barrier after each:
 *
 *     x = s b                         stored on a CPU only; on a GPU the readers of x multiply
 *     z = b - A x                     the residual
 *     b of the next level = R z
 *       ... the next level ...
 *     z = x + P x of the next level   where the sweeps that follow end in x
 *     x = z + s (b - A z)
 *
 * The same bits for every team. In single precision the cycle's vectors and matrices are float: the first pass converts
 * b, the last one x.
 */
#ifndef HP_AMG_CYCLE_PROGRAM_H
#define HP_AMG_CYCLE_PROGRAM_H

#include "amg/smoothers/pass.h"

HP_EXTERN_C_BEGIN

/* One cycle from zero for the levels of W->H, whose memory and patterns exist. */
hp_status hp_amg_write_cycle(hp_amg_writer *W) HP_MUST_USE;

/* Team program (CPU): x = M^-1 b, one cycle from zero. b, x [rows of level 0], double. Before: a barrier after the last
 * write to b. Ends with a barrier: x is visible to all. */
void hp_amg_cycle(hp_team *t, const hp_amg *H, const double *b, double *x);

/* The same with other passes for H's levels. */
void hp_amg_run(hp_team *t, const hp_amg *H, const hp_amg_pass *pass, int count, const double *b, double *x);

HP_EXTERN_C_END

#endif
