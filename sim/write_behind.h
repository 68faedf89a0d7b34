/* Fields are written while a GPU computes the next time step.
 *
 * A thread of its own writes a report step from a copy of the state; everything
 * else that touches the result files first waits for it, so that they are used
 * by one thread at a time and their order on disk is that of the program. A
 * failure comes back from the next wait. (Where the CPU computes, that thread
 * would take its time from the team: there fields are written in line.)
 */
#ifndef HP_SIM_WRITE_BEHIND_H
#define HP_SIM_WRITE_BEHIND_H

#include "io/restart.h"

typedef struct hp_write_behind hp_write_behind;

/* ncell: length of the fields. */
hp_status hp_write_behind_create(int64_t ncell, hp_write_behind **out) HP_MUST_USE;
/* Waits first; what it waited for is lost if it failed: call wait before. */
void hp_write_behind_destroy(hp_write_behind **w);

/* hp_output_restart, if `kept` is not NULL, and hp_output_fields with copies of kept, p and sw [ncell]; returns while
 * they go on. */
hp_status hp_write_behind_fields(hp_write_behind *w, hp_output *o, double time, int step, const double *p,
                                 const double *sw, const hp_restart *kept) HP_MUST_USE;

/* Waits for the fields on their way, if any, and says how it went. w may be NULL. */
hp_status hp_write_behind_wait(hp_write_behind *w) HP_MUST_USE;

#endif
