/* The schedule of a case in time: which of its entries are due, and when the next one is.
 *
 *     hp_schedule_cursor at = {0};
 *     while ((event = hp_schedule_pass_event(c, &at, hp_schedule_until(time))) != NULL) ...
 *     stop = hp_schedule_next_stop(c, &at, time);
 *
 * Runs, restarts and the prediction of memory pass the same entries in the same way.
 */
#ifndef HP_SIM_SCHEDULE_H
#define HP_SIM_SCHEDULE_H

#include "io/case/case.h"

HP_EXTERN_C_BEGIN

/* The first entry of each kind that has not been passed. */
typedef struct hp_schedule_cursor {
  int report;       /* report times */
  int event;        /* changes of wells */
  int perforations; /* changes of perforations */
  int group;        /* changes of groups */
  int tuning;       /* changes of time steps and of Newton's method */
  int trans;        /* changes of transmissibilities */
  int quantity;     /* what quantities of the user are */
  int action;       /* actions */
} hp_schedule_cursor;

/* The latest time [s] that is the same as `time`: rounding of times is covered. */
double hp_schedule_until(double time);

/* The next entry whose time is at most `until` [s], which is passed; NULL: there is none. */
const hp_well_event *hp_schedule_pass_event(const hp_case *c, hp_schedule_cursor *at, double until);
const hp_perf_event *hp_schedule_pass_perforations(const hp_case *c, hp_schedule_cursor *at, double until);
const hp_group_event *hp_schedule_pass_group(const hp_case *c, hp_schedule_cursor *at, double until);
const hp_trans_event *hp_schedule_pass_trans(const hp_case *c, hp_schedule_cursor *at, double until);
const hp_quantity_entry *hp_schedule_pass_quantity(const hp_case *c, hp_schedule_cursor *at, double until);
const hp_action *hp_schedule_pass_action(const hp_case *c, hp_schedule_cursor *at, double until);
void hp_schedule_pass_reports(const hp_case *c, hp_schedule_cursor *at, double until);

/* Passes the changes of step control up to `until` [s] and makes them. *suggested_dt [s], NULL: none, is brought within
 * the new limits. */
void hp_schedule_pass_tuning(const hp_case *c, hp_schedule_cursor *at, double until, hp_timestep_options *step,
                             hp_newton_options *newton, double *suggested_dt);

/* Passes all entries up to `until` [s] without a look at them. */
void hp_schedule_skip(const hp_case *c, hp_schedule_cursor *at, double until);

/* Whether a well, perforations or groups change at a time up to `until`. */
bool hp_schedule_changes_wells(const hp_case *c, const hp_schedule_cursor *at, double until);

/* The next time [s] after `time` at which a step must end: a report, a change, or fields that output.interval asks for.
 * Infinity: there is none. Two times that differ by rounding are one. */
double hp_schedule_next_stop(const hp_case *c, const hp_schedule_cursor *at, double time);

HP_EXTERN_C_END

#endif
