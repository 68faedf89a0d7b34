/* Runs by several ranks whose cells are spread over them from the start (core/ranks/spread.h): no rank ever has all.
 *
 *     rank 0                                   the others
 *     hp_sim_read           -- program -->     hp_sim_serve: the deck, each for its planes of i
 *     hp_sim_prepare        -- program -->     state and wells likewise
 *     hp_sim_spread_cells   -- program -->     cells for the file of the grid, piece by piece
 *     hp_sim_start                             parts get their cells from planes, which go
 *
 * A deck that ranks do not read together, such as one with errors, rank 0 reads alone; what it has of cells goes when the parts
 * have theirs (sim/run/release.c).
 */
#ifndef HP_SIM_RUN_SPREAD_H
#define HP_SIM_RUN_SPREAD_H

#include "sim/run/run.h"

HP_EXTERN_C_BEGIN

/* hp_case_read for a run, of several ranks by all of them where that can be: then c->spread is not NULL. */
hp_status hp_sim_read(const char *path, int nset, const char *const *set, hp_diag *diag, hp_case **out) HP_MUST_USE;

/* The places of the cells of S, which hp_sim_prepare has made of a case that is spread, for hp_output_prepare; NULL: here. */
hp_status hp_sim_spread_cells(hp_sim *S, const hp_remote **out) HP_MUST_USE;
void hp_sim_spread_cells_destroy(struct hp_sim_cells **cells);

/* hp_sim_prepare by all ranks, which rank 0 begins by hp_sim_spread_prepare; c: NULL on ranks without planes, as *out is then. */
void hp_sim_spread_prepare(const hp_run_options *opt);
hp_status hp_sim_prepare_spread(hp_spread *P, const hp_case *c, const hp_run_options *opt, const char *base,
                                hp_sim **out) HP_MUST_USE;

/* Ranks but 0: hp_backend_serve with these programs. */
hp_status hp_sim_serve(hp_ranks *K, int *code) HP_MUST_USE;

HP_EXTERN_C_END

#endif
