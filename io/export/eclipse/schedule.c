/* SCHEDULE: what holds at time zero, then all changes in the order of time, with the report steps between them. */
#include <math.h>

#include "core/memory.h"
#include "io/export/eclipse/impl.h"

/* ---- time steps ---- */

static void tuning_numbers(hp_deck_out *o, double initial, double max, double min, double growth, double cut,
                           int max_newton, int min_newton) {
  fputs("TUNING\n", o->f);
  hp_out_number(o, HP_UNIT_TIME, initial);
  hp_out_number(o, HP_UNIT_TIME, max);
  hp_out_number(o, HP_UNIT_TIME, min);
  fputs(" 1*", o->f);
  hp_out_number(o, HP_UNIT_NONE, growth);
  fputs(" 1*", o->f);
  hp_out_number(o, HP_UNIT_NONE, cut);
  fputs(" /\n /\n", o->f);
  hp_out_number(o, HP_UNIT_NONE, max_newton >= 0 ? max_newton : NAN);
  hp_out_number(o, HP_UNIT_NONE, min_newton >= 0 ? min_newton : NAN);
  fputs(" /\n", o->f);
}

static void first_tuning(hp_deck_out *o) {
  const hp_timestep_options *t = &o->c->timestep;
  const hp_newton_options *n = &o->c->newton;
  tuning_numbers(o, t->initial, t->max, t->min, t->growth, t->cut, n->max_iterations, n->min_iterations);
}

static void later_tuning(hp_deck_out *o, const hp_tuning *t) {
  tuning_numbers(o, t->initial, t->max, t->min, t->growth, t->cut, t->max_iterations, t->min_iterations);
}

/* ---- changes ---- */

typedef struct {
  int group, perf, well, trans, tuning; /* the next change of each list */
  hp_well_control *was;                 /* [nwell] */
} changes;

/* The time of the next change; INFINITY: there is none. */
static double next_change(const hp_case *c, const changes *at) {
  double t = INFINITY;
  if (at->group < c->ngroup_event) t = fmin(t, c->group_event[at->group].time);
  if (at->perf < c->nperf_event) t = fmin(t, c->perf_event[at->perf].time);
  if (at->well < c->nevent) t = fmin(t, c->event[at->well].time);
  if (at->trans < c->ntrans_event) t = fmin(t, c->trans_event[at->trans].time);
  if (at->tuning < c->ntuning) t = fmin(t, c->tuning[at->tuning].time);
  return t;
}

static hp_status changes_until(hp_deck_out *o, double time, changes *at) {
  const hp_case *c = o->c;
  for (; at->group < c->ngroup_event && c->group_event[at->group].time <= time; ++at->group)
    hp_out_group_event(o, at->group);
  for (; at->perf < c->nperf_event && c->perf_event[at->perf].time <= time; ++at->perf)
    HP_TRY(hp_out_perf_event(o, &c->perf_event[at->perf]));
  for (; at->well < c->nevent && c->event[at->well].time <= time; ++at->well)
    if (c->event[at->well].time > 0.0)
      HP_TRY(hp_out_control(o, &c->event[at->well], false, &at->was[c->event[at->well].well]));
  for (; at->trans < c->ntrans_event && c->trans_event[at->trans].time <= time; ++at->trans)
    hp_out_multiply_faults(o, at->trans);
  for (; at->tuning < c->ntuning && c->tuning[at->tuning].time <= time; ++at->tuning)
    later_tuning(o, &c->tuning[at->tuning]);
  return HP_OK;
}

/* ---- all of it ---- */

static hp_status begin(hp_deck_out *o, changes *at) {
  const hp_case *c = o->c;
  first_tuning(o);
  for (; at->group < c->ngroup_event && c->group_event[at->group].time <= 0.0; ++at->group)
    hp_out_group_event(o, at->group);
  for (int w = 0; w < c->nwell; ++w) {
    const hp_well_event *first = hp_out_first_event(c, w);
    hp_out_well_head(o, w, first != NULL ? first->control.group : 0);
  }
  HP_TRY(hp_out_perforations(o));
  hp_out_lift_tables(o);
  for (int w = 0; w < c->nwell; ++w) {
    const hp_well_event *first = hp_out_first_event(c, w);
    if (first == NULL) return hp_fail(HP_ERR_INTERNAL, "well %s has no control at time zero", c->well[w].name);
    at->was[w] = hp_well_control_default(first->control.injector);
    at->was[w].group = first->control.group;
    HP_TRY(hp_out_control(o, first, true, &at->was[w]));
  }
  return HP_OK;
}

/* A change this close to a report is at its time. */
#define SAME_TIME 1e-9

static void write_steps(hp_deck_out *o, int count, const double *step) {
  if (count == 0) return;
  fputs("TSTEP\n", o->f);
  hp_out_list(o, HP_UNIT_TIME, count, step);
}

/* Report steps, cut where something changes between them. Steps that differ by rounding alone become one word. */
static hp_status go_on(hp_deck_out *o, changes *at) {
  const hp_case *c = o->c;
  double now = 0.0, *step;
  int count = 0;
  HP_TRY(HP_ALLOC(step, c->nreport + c->nevent + c->nperf_event + c->ngroup_event + c->ntrans_event + c->ntuning));
  hp_status s = changes_until(o, 0.0, at);
  for (int r = 0; r < c->nreport && s == HP_OK;) {
    const double change = next_change(c, at), report = c->report[r];
    const bool reports = report <= change * (1.0 + SAME_TIME), changed = change <= report * (1.0 + SAME_TIME);
    const double to = reports ? report : change, length = to - now;
    const bool alike = count > 0 && fabs(length - step[count - 1]) <= 1e-12 * to;
    step[count] = alike ? step[count - 1] : length;
    ++count;
    now = to;
    r += reports;
    if (r < c->nreport && !changed) continue;
    write_steps(o, count, step);
    count = 0;
    if (r < c->nreport) s = changes_until(o, to * (1.0 + SAME_TIME), at);
  }
  HP_FREE(step);
  return s;
}

hp_status hp_out_schedule(hp_deck_out *o) {
  changes at = {0};
  HP_TRY(HP_ALLOC(at.was, o->c->nwell));
  hp_status s = begin(o, &at);
  if (s == HP_OK) s = go_on(o, &at);
  HP_FREE(at.was);
  return s;
}
