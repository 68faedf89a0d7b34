/* Files of a run. Of several ranks rank 0 writes them; cells that others hold it requests piece by piece, while they wait.
 *
 *     rank 0                                          the others
 *     hp_sim_write: write(arg)                        hp_sim_write
 *        hp_remote, hp_gh_source -- request -->          their share (sim/part/remote.h, sim/part/pieces.h)
 *        ...                                             ...
 *     its status              -- end -->              the same
 */
#ifndef HP_SIM_SIMULATOR_FILES_H
#define HP_SIM_SIMULATOR_FILES_H

#include "io/files/remote.h"
#include "linsolve/matrix/pieces.h"
#include "sim/simulator/simulator.h"

HP_EXTERN_C_BEGIN

/* S->files, before anything is written. */
hp_status hp_sim_files_create(hp_sim *S) HP_MUST_USE;
void hp_sim_files_destroy(hp_sim *S);

/* Collective: write(arg) by rank 0, or by a process by itself. Inside, the functions of what the following return may be called.
 * The same status on all ranks. */
hp_status hp_sim_write(hp_sim *S, hp_status (*write)(void *arg), void *arg) HP_MUST_USE;

/* The cells of the state; NULL: they are here as a whole. */
const hp_remote *hp_sim_state_cells(const hp_sim *S);
/* Collective: the latest system, until the backend's next operation. */
hp_status hp_sim_pieces(hp_sim *S, hp_gh_source *out) HP_MUST_USE;

/* Result files. hp_sim_prepare_output: collective; the paths of wells, on rank 0, and files under temporary names, of which that of
 * the grid needs cells that ranks give up when they have their parts. hp_sim_use_parts: on rank 0; from here on the files get
 * the cells of the state. hp_sim_close_output: collective. */
hp_status hp_sim_prepare_output(hp_sim *S, hp_well_path **paths) HP_MUST_USE;
hp_output_parts hp_sim_use_parts(hp_sim *S);
hp_status hp_sim_close_output(hp_sim *S) HP_MUST_USE;

HP_EXTERN_C_END

#endif
