/* The time loop: from report time to report time, time steps and changes by the schedule in between. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "sim/checkpoint/checkpoint.h"
#include "sim/checkpoint/write_behind.h"
#include "sim/newton/newton.h"
#include "sim/report/progress.h"
#include "sim/run/run.h"
#include "sim/run/steering.h"
#include "sim/run/time_step.h"
#include "sim/simulator/actions.h"
#include "sim/simulator/files.h"
#include "sim/simulator/schedule.h"
#include "sim/simulator/simulator.h"

/* A well that was given up stays shut until an event speaks of its status. */
static void apply_event(hp_sim *S, const hp_well_event *e) {
  hp_well_control control = e->control;
  hp_given_up *given_up = &S->given_up[e->well];
  if (e->given & HP_GIVEN_STATUS) *given_up = (hp_given_up){.is = false};
  if (given_up->is) {
    control.control = HP_CONTROL_SHUT;
    if (e->wanted != HP_CONTROL_SHUT) given_up->control = e->wanted;
  }
  hp_time_error_event(S, e->well, &control);
  hp_wells_set_control(S->wells, e->well, &control);
  hp_actions_note_event(S, e);
  hp_checkpoint_note_event(S, e);
}

static hp_status apply_change(hp_sim *S, const hp_perf_event *e) {
  if (!hp_perf_event_only_numbers(e)) hp_time_error_jump(S, 1.0);
  hp_checkpoint_note_perforations(S, e);
  hp_sim_forget_limited(S, e);
  return hp_wells_change(S->wells, S->c->grid, e);
}

static void apply_group(hp_sim *S, const hp_group_event *e) {
  const hp_group_control *was = &S->groups.of[e->group].control;
  if (hp_group_has_targets(was) || hp_group_has_targets(&e->control) || hp_group_is_elsewhere(was, &e->control))
    hp_time_error_jump(S, 1.0);
  hp_groups_set(&S->groups, e->group, &e->control);
  hp_checkpoint_note_group(S, e);
}

static hp_status apply_trans(hp_sim *S, double until) {
  const int before = S->at.trans;
  for (const hp_trans_event *t; (t = hp_schedule_pass_trans(S->c, &S->at, until)) != NULL;) {
    hp_time_error_jump(S, 1.0);
    HP_TRY(hp_sim_change_trans(S, (int)(t - S->c->trans_event)));
    hp_checkpoint_note_trans(S, t);
  }
  return S->at.trans > before ? hp_sim_put_trans(S) : HP_OK;
}

/* Limits that are quantities of the user, where nothing else changes. */
static hp_status change_targets(hp_sim *S) {
  bool changed;
  if (!hp_actions_have_targets(S)) return HP_OK;
  HP_TRY(hp_backend_get(S->backend, HP_SET_WELLS));
  hp_actions_target(S, &changed);
  return changed ? hp_backend_put(S->backend, HP_SET_WELLS) : HP_OK;
}

hp_status hp_sim_apply_events(hp_sim *S) {
  const double until = hp_schedule_until(S->time);
  bool changed;
  hp_actions_pass(S, until, false);
  hp_schedule_pass_tuning(S->c, &S->at, until, &S->timestep, &S->newton, &S->suggested_dt);
  HP_TRY(apply_trans(S, until));
  if (!hp_schedule_changes_wells(S->c, &S->at, until)) {
    HP_TRY(change_targets(S));
    hp_time_error_shorten(S); /* a well may have been given up */
    return HP_OK;
  }
  const hp_group_event *group;
  const hp_perf_event *change;
  const hp_well_event *event;
  HP_TRY(hp_backend_get(S->backend, HP_SET_WELLS));
  const bool later = S->time > S->c->begin;
  if (later) hp_sim_move_totals(S, 1.0);
  while ((group = hp_schedule_pass_group(S->c, &S->at, until)) != NULL) apply_group(S, group);
  while ((change = hp_schedule_pass_perforations(S->c, &S->at, until)) != NULL) HP_TRY(apply_change(S, change));
  while ((event = hp_schedule_pass_event(S->c, &S->at, until)) != NULL) apply_event(S, event);
  hp_actions_target(S, &changed);
  hp_groups_weigh(&S->groups, S->wells);
  if (later) hp_sim_move_totals(S, -1.0);
  if (!hp_groups_have_targets(&S->groups)) { /* every well its own limits */
    hp_wells_share(S->wells, &S->groups, HP_SHARE_FIRST, &changed);
  }
  hp_time_error_shorten(S);
  return hp_backend_put(S->backend, HP_SET_WELLS);
}

static hp_status write_wells(void *arg) {
  hp_sim *S = arg;
  HP_TRY(hp_write_behind_wait(S->writer));
  return hp_output_wells(S->output, S->wells);
}

/* The wells as the fields that follow see them: in the step that ended, before the events at its end. */
static hp_status output_wells(hp_sim *S) {
  if (!S->c->output.eclipse) return HP_OK;
  HP_TRY(hp_backend_get(S->backend, HP_SET_WELLS));
  return hp_sim_write(S, write_wells, S);
}

/* rank: as hp_remote.blind has it. */
static void note_blind(hp_sim *S, int rank) {
  if (rank == 0)
    hp_progress_note(S,
                     "the folder of results is on a file system whose hosts write whole pages, such as NFS: rank 0 "
                     "writes for all");
  else
    hp_progress_note(S, "rank %d on %s does not find the files of results that rank 0 makes: rank 0 writes for all",
                     rank, hp_ranks_host(S->K, rank));
}

static hp_status write_in_line(hp_sim *S, const hp_restart *kept) {
  if (kept != NULL) HP_TRY(hp_output_restart(S->output, kept));
  const hp_status s = hp_output_fields(S->output, S->time, S->step, S->res->p, S->res->s);
  int rank;
  if (hp_output_finds_blind(S->output, &rank)) note_blind(S, rank);
  return s;
}

static hp_status write_step(void *arg) {
  hp_sim *S = arg;
  const hp_restart *kept = S->keeps ? &S->kept : NULL;
  return S->writer != NULL ? hp_write_behind_fields(S->writer, S->output, S->time, S->step, S->res->p, S->res->s, kept)
                           : write_in_line(S, kept);
}

static hp_status write_fields(hp_sim *S) {
  if (!S->c->output.fields) return HP_OK;
  if (S->K == NULL) { /* else piece by piece */
    HP_TRY(hp_backend_get(S->backend, HP_ARRAYS_STATE | (S->keeps ? HP_ARRAYS_OWN | HP_ARRAYS_CARRIED : 0)));
    hp_sim_watch_cells(S);
  }
  if (S->keeps) hp_checkpoint_gather(S);
  if (S->derived != NULL) HP_TRY(hp_write_behind_wait(S->writer)); /* it has those of the report before */
  HP_TRY(hp_sim_derive(S));
  const double t0 = hp_now();
  const hp_status s = hp_sim_write(S, write_step, S);
  hp_profile_add(&S->profile, HP_PROF_OUTPUT, hp_now() - t0, 0.0);
  S->fields_step = S->step;
  return s;
}

/* Whether fields are due now: at report times, or at the multiples of output.interval and at the end. */
static bool fields_due(const hp_sim *S, bool at_report) {
  const double every = S->c->output.interval;
  if (!(every > 0.0)) return at_report;
  const double n = S->time / every;
  return (n > 0.5 && fabs(n - round(n)) < 1e-9 * n) || S->time >= S->c->report[S->c->nreport - 1];
}

/* Waits for lines about wells (sim/run/steering.h): fields come first, for whoever decides by them. */
static hp_status steer(hp_sim *S, bool fields, int report) {
  if (fields) HP_TRY(write_fields(S));
  const hp_failure waited = hp_fail_keep(hp_steering_wait(S, report));
  if (waited.status == HP_ERR_INTERRUPTED &&
      S->fields_step < S->step) { /* without the schedule's changes of this time */
    HP_TRY(output_wells(S));
    HP_TRY(hp_checkpoint_keep(S, false));
    HP_TRY(write_fields(S));
  }
  return hp_fail_again(waited);
}

/* A time step towards a report, fields where they are due, what the schedule changes then. A signal is looked at once a
 * step, after it: what was kept for a restart stands before the changes. */
static hp_status step_and_events(hp_sim *S) {
  HP_TRY(hp_time_step(S, hp_schedule_next_stop(S->c, &S->at, S->time)));
  const bool stop = hp_sim_is_interrupted(S) && S->time < S->c->report[S->c->nreport - 1];
  const bool at_report = S->time >= S->c->report[S->at.report];
  const bool fields = stop || fields_due(S, at_report);
  if (fields) HP_TRY(output_wells(S));
  HP_TRY(hp_sim_write_logs(S, at_report));
  HP_TRY(hp_sim_economy(S));
  HP_TRY(hp_sim_act(S));
  if (fields) HP_TRY(hp_checkpoint_keep(S, false));
  const bool steered = at_report && !stop && hp_steering_waits(S);
  if (steered) HP_TRY(steer(S, fields, S->at.report + 1));
  HP_TRY(hp_sim_apply_events(S));
  if (fields && !steered) HP_TRY(write_fields(S));
  return stop ? hp_sim_stopped(S) : HP_OK;
}

/* Its table goes where all reports of a run go. */
static hp_status report_jacobian(hp_sim *S) {
  char *text = NULL;
  size_t size;
  double largest;
  FILE *f = open_memstream(&text, &size);
  if (f == NULL) return hp_fail(HP_ERR_MEMORY, "no memory for the table of --check-jacobian: %s", strerror(errno));
  hp_status s = hp_jacobian_check(S, S->suggested_dt, true, f, &largest);
  if (fclose(f) != 0 && s == HP_OK) s = hp_fail(HP_ERR_MEMORY, "no memory for the table of --check-jacobian");
  if (s == HP_OK) hp_progress_text(S, text);
  free(text);
  return s;
}

static hp_status compare_jacobian(hp_sim *S) {
  hp_step_report step;
  HP_TRY(hp_newton_begin(S));
  HP_TRY(report_jacobian(S));
  HP_TRY(hp_newton_restore(S));
  /* mobilities of that state once more, from which wells begin */
  return S->backend->ops->assemble(S->backend, HP_STEP_START_DT, false, false, -1, &step);
}

/* Wells of a run that goes on have the rates of its last step, which an evaluation at its end does not give. */
static hp_status check_jacobian(hp_sim *S) {
  char *wells = NULL;
  HP_TRY(hp_backend_get(S->backend, HP_SET_WELLS));
  HP_TRY(HP_ALLOC_UNSET(wells, hp_wells_state_bytes(S->wells)));
  hp_wells_pack_state(S->wells, wells);
  hp_status s = compare_jacobian(S);
  if (s == HP_OK) {
    hp_wells_unpack_state(S->wells, wells);
    s = hp_backend_put(S->backend, HP_SET_WELLS);
  }
  HP_FREE(wells);
  return s;
}

static int reports_passed(const hp_sim *S) {
  hp_schedule_cursor at = S->at;
  hp_schedule_pass_reports(S->c, &at, hp_schedule_until(S->time));
  return at.report;
}

static hp_status run_to_end(hp_sim *S) {
  HP_TRY(hp_checkpoint_keep(S, S->kept_done));
  if (hp_steering_waits(S)) /* Eclipse's report 0 has the wells behind the events of that time */
    HP_TRY(steer(S, S->fields_step < S->step && !S->c->output.eclipse, reports_passed(S)));
  HP_TRY(hp_sim_apply_events(S));
  if (!S->opt.goes_on && !(S->time > 0.0)) HP_TRY(hp_sim_write_logs(S, true));
  if (!S->opt.goes_on) hp_progress_sheets(S, true);
  if (S->fields_step < S->step) {
    HP_TRY(output_wells(S));
    HP_TRY(write_fields(S));
  }
  if (S->opt.check_jacobian) HP_TRY(check_jacobian(S));
  if (hp_sim_is_interrupted(S)) return hp_sim_stopped(S);
  hp_schedule_pass_reports(S->c, &S->at, hp_schedule_until(S->time));
  for (; S->at.report < S->c->nreport && !S->ending; ++S->at.report) {
    while (S->time < S->c->report[S->at.report]) HP_TRY(step_and_events(S));
    hp_progress_report(S, S->at.report);
  }
  HP_TRY(hp_backend_get(S->backend, HP_SET_WELLS));
  hp_sim_watch_wells(S);
  return HP_OK;
}

/* A run that stops early leaves the state of its last step, in the fields and as a row of the table. */
static hp_status keep_last_state(hp_sim *S) {
  if (S->step > 0 && (S->nreport == 0 || S->report[S->nreport - 1].time < S->time)) hp_progress_report(S, -1);
  if (S->fields_step >= S->step) return HP_OK;
  if (S->time_error.on && !S->backend->shown) {
    hp_step_report shown;
    HP_TRY(S->backend->ops->show(S->backend, &(hp_step_correction){.again = 1}, &shown));
  }
  HP_TRY(output_wells(S));
  const hp_counts all = S->counts; /* with the attempts at the next step, which a run that goes on makes again */
  S->counts = S->before;
  const hp_status s = hp_checkpoint_keep(S, true);
  S->counts = all;
  return s == HP_OK ? write_fields(S) : s;
}

/* A GPU or a team that failed, or has no more memory, holds the state: there is nothing to go on from. */
static hp_status lost(const hp_sim *S, hp_status s, const char *why) {
  return hp_fail(s, "stopped at time %.6g %s: %s. Results up to here are kept; the rest is not computed elsewhere",
                 S->time / S->c->units.factor[HP_UNIT_TIME], S->c->units.label[HP_UNIT_TIME], why);
}

/* Until all is in the files: these may be closed then, however the run went. */
static hp_status wait_for_output(hp_sim *S) {
  if (S->writer == NULL) return HP_OK;
  const double t0 = hp_now();
  const hp_status s = hp_write_behind_wait(S->writer);
  hp_profile_add(&S->profile, HP_PROF_OUTPUT, hp_now() - t0, 0.0);
  return s;
}

static bool may_keep_state(hp_status s) { return s == HP_ERR_NUMERIC || s == HP_ERR_INTERRUPTED; }

hp_status hp_sim_run(hp_sim *S) {
  if (S->writer != NULL) hp_output_use_threads(S->output, hp_write_behind_threads());
  const hp_failure ran = hp_fail_keep(run_to_end(S));
  const hp_status s = ran.status;
  hp_ranks_check_alone(S->K, s);
  const hp_failure written = hp_fail_keep(may_keep_state(s) ? keep_last_state(S) : HP_OK);
  const hp_failure waited = hp_fail_keep(wait_for_output(S));
  if (written.status != HP_OK) return hp_fail_again(written); /* its code: there is nothing to go on from */
  if (may_keep_state(s) && waited.status != HP_OK) return hp_fail_again(waited);
  if (s == HP_ERR_DEVICE || s == HP_ERR_TEAM || s == HP_ERR_MEMORY) return lost(S, s, ran.text);
  return hp_fail_both(ran, waited);
}
