/* Results are written while a GPU computes the next time steps.
 *
 *     run                                      thread that writes
 *       rows of step 1  ─┐                       rows of step 1
 *       rows of step 2   ├─ copies, in order ──> rows of step 2
 *       fields           │                       fields: packed by several threads
 *       rows of step 3  ─┘                       ...
 *
 * All that a run writes to its result files goes through one queue to one thread, so that the files are used by one thread
 * at a time and their order on disk is that of the program. The queue holds the rows of some time steps and a few
 * report steps; a run that is ahead by more waits. After a failure nothing more is written, and it comes back from the
 * next call. (Where the CPU computes, that thread would take its time from the team: there results are written in
 * line.)
 */
#ifndef HP_SIM_CHECKPOINT_WRITE_BEHIND_H
#define HP_SIM_CHECKPOINT_WRITE_BEHIND_H

#include "io/results/restart.h"

HP_EXTERN_C_BEGIN

typedef struct hp_write_behind hp_write_behind;

/* Writes the results of this case. */
hp_status hp_write_behind_create(const hp_case *c, hp_write_behind **out) HP_MUST_USE;
/* Waits first; a failure that no call has brought back is lost: call wait before. */
void hp_write_behind_destroy(hp_write_behind **w);

/* Threads that pack fields for it: all processors but the one that runs the GPU. */
int hp_write_behind_threads(void);
/* Bytes of fields that it holds at most. */
int64_t hp_write_behind_bytes(const hp_case *c);

/* hp_output_summary and hp_output_solver with copies of the rows. */
hp_status hp_write_behind_rows(hp_write_behind *w, hp_output *o, const hp_summary_row *summary,
                               const hp_solver_row *solver) HP_MUST_USE;
/* hp_output_restart, if `kept` is not NULL, and hp_output_fields with copies of kept, p and sw [ncell]. */
hp_status hp_write_behind_fields(hp_write_behind *w, hp_output *o, double time, int step, const double *p,
                                 const double *sw, const hp_restart *kept) HP_MUST_USE;

/* Waits until all is written, and says how it went. w may be NULL. */
hp_status hp_write_behind_wait(hp_write_behind *w) HP_MUST_USE;

HP_EXTERN_C_END

#endif
