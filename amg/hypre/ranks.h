/* hypre's BoomerAMG over ranks, with the rows and calls of hepta's own multigrid (amg/ranks/ranks.h). All calls are
 * collective, by the thread that opened the ranks. hypre's own ways with ranks (random numbers of coarse points, smoothing and
 * interpolation between ranks) make its cycles depend on the partition, within what iterations forgive.
 */
#ifndef HP_AMG_HYPRE_RANKS_H
#define HP_AMG_HYPRE_RANKS_H

#include "amg/hypre/boomeramg.h"
#include "amg/ranks/ranks.h"

HP_EXTERN_C_BEGIN

typedef struct hp_hypre_ranks hp_hypre_ranks;

/* opt's choices, or what is nearest to them. HP_ERR_UNSUPPORTED: a build without hypre. */
hp_status hp_hypre_ranks_create(hp_ranks *K, const hp_amg_options *opt, hp_hypre_ranks **out) HP_MUST_USE;
void hp_hypre_ranks_destroy(hp_hypre_ranks **H);

/* Pattern and numbers of rows->A, which must outlive the hierarchy or the next build. HP_ERR_UNSUPPORTED: more rows than this
 * build of hypre counts. */
hp_status hp_hypre_ranks_build(hp_hypre_ranks *H, const hp_amg_ranks_rows *rows) HP_MUST_USE;
/* A's values have changed: a set-up from the start, which is the only one that hypre has. */
hp_status hp_hypre_ranks_set_up(hp_hypre_ranks *H) HP_MUST_USE;
/* x = M^-1 r, one cycle from zero. r, x [rows of this rank]. */
void hp_hypre_ranks_cycle(hp_hypre_ranks *H, const double *r, double *x);

/* The latest set-up: levels, complexities, bytes of this rank, version, choices that hypre lacks. */
const hp_hypre_result *hp_hypre_ranks_result(const hp_hypre_ranks *H);

HP_EXTERN_C_END

#endif
