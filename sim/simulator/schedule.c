#include "sim/simulator/schedule.h"

#include <math.h>

double hp_schedule_until(double time) { return time * (1.0 + 1e-12) + 1e-6; }

/* ---- entries that are due ---- */

static bool event_due(const hp_case *c, const hp_schedule_cursor *at, double until) {
  return at->event < c->nevent && c->event[at->event].time <= until;
}

static bool perforations_due(const hp_case *c, const hp_schedule_cursor *at, double until) {
  return at->perforations < c->nperf_event && c->perf_event[at->perforations].time <= until;
}

static bool group_due(const hp_case *c, const hp_schedule_cursor *at, double until) {
  return at->group < c->ngroup_event && c->group_event[at->group].time <= until;
}

static bool tuning_due(const hp_case *c, const hp_schedule_cursor *at, double until) {
  return at->tuning < c->ntuning && c->tuning[at->tuning].time <= until;
}

static bool trans_due(const hp_case *c, const hp_schedule_cursor *at, double until) {
  return at->trans < c->ntrans_event && c->trans_event[at->trans].time <= until;
}

static bool quantity_due(const hp_case *c, const hp_schedule_cursor *at, double until) {
  return at->quantity < c->nquantity_entry && c->quantity_entry[at->quantity].time <= until;
}

static bool action_due(const hp_case *c, const hp_schedule_cursor *at, double until) {
  return at->action < c->naction && c->action[at->action].time <= until;
}

const hp_well_event *hp_schedule_pass_event(const hp_case *c, hp_schedule_cursor *at, double until) {
  return event_due(c, at, until) ? &c->event[at->event++] : NULL;
}

const hp_perf_event *hp_schedule_pass_perforations(const hp_case *c, hp_schedule_cursor *at, double until) {
  return perforations_due(c, at, until) ? &c->perf_event[at->perforations++] : NULL;
}

const hp_group_event *hp_schedule_pass_group(const hp_case *c, hp_schedule_cursor *at, double until) {
  return group_due(c, at, until) ? &c->group_event[at->group++] : NULL;
}

const hp_trans_event *hp_schedule_pass_trans(const hp_case *c, hp_schedule_cursor *at, double until) {
  return trans_due(c, at, until) ? &c->trans_event[at->trans++] : NULL;
}

const hp_quantity_entry *hp_schedule_pass_quantity(const hp_case *c, hp_schedule_cursor *at, double until) {
  return quantity_due(c, at, until) ? &c->quantity_entry[at->quantity++] : NULL;
}

const hp_action *hp_schedule_pass_action(const hp_case *c, hp_schedule_cursor *at, double until) {
  return action_due(c, at, until) ? &c->action[at->action++] : NULL;
}

void hp_schedule_pass_reports(const hp_case *c, hp_schedule_cursor *at, double until) {
  while (at->report < c->nreport && c->report[at->report] <= until) ++at->report;
}

void hp_schedule_pass_tuning(const hp_case *c, hp_schedule_cursor *at, double until, hp_timestep_options *step,
                             hp_newton_options *newton, double *suggested_dt) {
  for (; tuning_due(c, at, until); ++at->tuning) {
    const hp_tuning *t = &c->tuning[at->tuning];
    hp_tuning_apply(t, step, newton);
    if (suggested_dt == NULL) continue;
    if (!isnan(t->initial)) *suggested_dt = t->initial;
    *suggested_dt = fmin(step->max, fmax(step->min, *suggested_dt));
  }
}

void hp_schedule_skip(const hp_case *c, hp_schedule_cursor *at, double until) {
  while (event_due(c, at, until)) ++at->event;
  while (perforations_due(c, at, until)) ++at->perforations;
  while (group_due(c, at, until)) ++at->group;
  while (tuning_due(c, at, until)) ++at->tuning;
  while (trans_due(c, at, until)) ++at->trans;
  while (quantity_due(c, at, until)) ++at->quantity;
  while (action_due(c, at, until)) ++at->action;
  hp_schedule_pass_reports(c, at, until);
}

bool hp_schedule_changes_wells(const hp_case *c, const hp_schedule_cursor *at, double until) {
  return event_due(c, at, until) || perforations_due(c, at, until) || group_due(c, at, until);
}

/* ---- times to come ---- */

/* The time after this one at which output.interval asks for fields. */
static double next_fields(const hp_case *c, double time) {
  const double every = c->output.interval;
  return every > 0.0 ? every * (floor(time / every * (1.0 + 1e-12) + 1e-9) + 1.0) : INFINITY;
}

double hp_schedule_next_stop(const hp_case *c, const hp_schedule_cursor *at, double time) {
  const double fields = next_fields(c, time);
  double stop = INFINITY;
  if (at->report < c->nreport) stop = fmin(stop, c->report[at->report]);
  if (at->event < c->nevent) stop = fmin(stop, c->event[at->event].time);
  if (at->perforations < c->nperf_event) stop = fmin(stop, c->perf_event[at->perforations].time);
  if (at->group < c->ngroup_event) stop = fmin(stop, c->group_event[at->group].time);
  if (at->tuning < c->ntuning) stop = fmin(stop, c->tuning[at->tuning].time);
  if (at->trans < c->ntrans_event) stop = fmin(stop, c->trans_event[at->trans].time);
  stop = fmin(stop, hp_rft_next(c, time));
  if (at->quantity < c->nquantity_entry) stop = fmin(stop, c->quantity_entry[at->quantity].time);
  if (at->action < c->naction) stop = fmin(stop, c->action[at->action].time);
  return fields < stop * (1.0 - 1e-12) ? fields : stop;
}
