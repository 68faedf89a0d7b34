/* A run that is steered: at the start and at each report time but the last it waits for lines that say what wells do from then on.
 *
 *     hepta run DECK --control FILE        FILE: a pipe, a file; -: standard input
 *
 *     well P1 bhp=150 control=bhp          keys and values of the deck's `schedule`, in its units; NAME may be a pattern
 *     well "P 2" status=shut
 *     group FIELD oil_rate=300             of `groups`
 *     tuning max=5                         of `tuning`
 *     quantity FUX assign=0                of `quantities`
 *     continue                             to the next report time
 *     stop                                 ends the run here, as Ctrl-C does
 *
 * The end of the channel lets the run go on to its end. A line becomes an entry of the case's schedule at the time where the run
 * waits, and the time loop (sim/run/run.c) makes its change as any other: the run has the bits of one whose deck has these entries.
 * Restart data keep the lines, so that a run that goes on has them too. Fields and tables are in the files when a run waits.
 *
 *     hp_steering_open       opens the channel
 *     hp_steering_restore    changes before a restart, in the case before the run is created
 *     hp_steering_wait       takes lines until the run may go on
 */
#ifndef HP_SIM_RUN_STEERING_H
#define HP_SIM_RUN_STEERING_H

#include "io/files/text.h"
#include "sim/simulator/simulator.h"

HP_EXTERN_C_BEGIN

typedef struct hp_steering hp_steering;

/* Opens the channel on the first rank, which reads for all. HP_ERR_USAGE: it cannot be opened. */
hp_status hp_steering_open(const char *path, hp_ranks *K, hp_steering **out) HP_MUST_USE;
void hp_steering_close(hp_steering **T);

/* Enters the changes of the run that the restart data come from. HP_ERR_USAGE: the deck does not take one of them. */
hp_status hp_steering_restore(const hp_restart *from, hp_case *c) HP_MUST_USE;

/* Takes a line as if the channel had it; `why` stays empty if it holds. Collective. */
hp_status hp_steering_change(hp_sim *S, const char *line, hp_text *why) HP_MUST_USE;

/* Whether the run waits now. */
bool hp_steering_waits(const hp_sim *S);
/* Waits at the start (report 0) or after a report, before the schedule's changes of that time. Collective. HP_ERR_INTERRUPTED: the run
 * is to stop. HP_ERR_USAGE: a line of a regular file is wrong; elsewhere it is refused, and the next one is read. */
hp_status hp_steering_wait(hp_sim *S, int report) HP_MUST_USE;

HP_EXTERN_C_END

#endif
