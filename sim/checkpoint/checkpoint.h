/* A run that goes on from a report step: what crosses from one time step to the next, kept and put back.
 *
 *     state    p, s, and the volumes that the balance carries (what Newton's method left over)
 *     wells    control in force and what it asks for, bhp, mixtures, rates of the perforations (the next step's heads
 *              come from them), well indices, economic shut-ins, totals
 *     error    in time, of cells and of what was produced, where it is estimated
 *     run      time, number of the step, the step that the controller would like next, counts, mass balance
 *     first    the wells as they were in the first linear system, from which cpr has made the coarse points and the
 *              interpolation that serve a whole run; its p and s are those of the deck, for nothing had moved
 *     fingerprints    of grid, fluids, initial state, wells and the schedule so far: what must be the same in the deck
 *
 * Fields and wells are kept before the schedule's changes of that very time, so that another schedule may change them.
 */
#ifndef HP_SIM_CHECKPOINT_CHECKPOINT_H
#define HP_SIM_CHECKPOINT_CHECKPOINT_H

#include "io/results/restart.h"
#include "sim/simulator/simulator.h"

HP_EXTERN_C_BEGIN

/* Room and fingerprints, at the creation of a run, if the case wants restart data or
 * is to go on. */
hp_status hp_checkpoint_create(hp_sim *S) HP_MUST_USE;

/* Bytes of what is kept beside the cells: wells, those of the first system, fingerprints. */
int64_t hp_checkpoint_bytes(const hp_wells *W);
int64_t hp_checkpoint_fingerprint_bytes(const hp_wells *W); /* of the fingerprints alone */

/* Keeps wells and run as they are now; events_done: the schedule's changes of
 * this time are made already. */
hp_status hp_checkpoint_keep(hp_sim *S, bool events_done) HP_MUST_USE;

/* Keeps the wells of the first linear system, over a step dt, at its solution.
 */
hp_status hp_checkpoint_keep_first(hp_sim *S, double dt) HP_MUST_USE;

/* Borrows the state's fields for what was kept last: S->kept is whole until the
 * state changes. */
void hp_checkpoint_gather(hp_sim *S);

void hp_checkpoint_destroy(hp_sim *S);

/* The schedule's entry is in force now: counts in its well's fingerprint. */
void hp_checkpoint_note_event(hp_sim *S, const hp_well_event *e);
void hp_checkpoint_note_group(hp_sim *S, const hp_group_event *e);
void hp_checkpoint_note_trans(hp_sim *S, const hp_trans_event *e);
void hp_checkpoint_note_perforations(hp_sim *S, const hp_perf_event *e);

/* Puts `from` into a run that was just created. HP_ERR_USAGE: the deck differs, and in what. */
hp_status hp_checkpoint_resume(hp_sim *S, const hp_restart *from) HP_MUST_USE;

HP_EXTERN_C_END

#endif
