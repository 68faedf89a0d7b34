/* The schedule loop: from report time to report time, events in between. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/plural.h"
#include "sim/checkpoint/restart.h"
#include "sim/newton.h"
#include "sim/report/progress.h"
#include "sim/simulator.h"
#include "sim/timestep.h"

/* Whether a time has come; a relative hair covers rounding of times. */
static bool is_due(const hp_sim *S, double time) { return time <= S->time * (1.0 + 1e-12) + 1e-6; }

static bool event_due(const hp_sim *S) {
  return S->next_event < S->c->nevent && is_due(S, S->c->event[S->next_event].time);
}

static bool change_due(const hp_sim *S) {
  return S->next_change < S->c->nperf_event && is_due(S, S->c->perf_event[S->next_change].time);
}

static bool field_due(const hp_sim *S) {
  return S->next_field < S->c->nfield && is_due(S, S->c->field[S->next_field].time);
}

/* A well that was given up stays shut until an event speaks of its status. */
static void apply_event(hp_sim *S, const hp_well_event *e) {
  hp_well_control control = e->control;
  if (e->said & HP_SAID_STATUS) S->given_up[e->well] = false;
  if (S->given_up[e->well]) control.control = HP_CONTROL_SHUT;
  hp_time_error_event(S, e->well, &control);
  hp_wells_set_control(S->wells, e->well, &control);
  hp_restart_mark_event(S, e);
}

static hp_status apply_change(hp_sim *S, const hp_perf_event *e) {
  hp_time_error_jump(S, 1.0);
  hp_restart_mark_change(S, e);
  return hp_wells_change(S->wells, S->c->grid, e);
}

static void apply_field(hp_sim *S, const hp_field_event *e) {
  hp_time_error_jump(S, 1.0);
  S->field = e->control;
  hp_restart_mark_field(S, e);
}

static void apply_tuning(hp_sim *S) {
  for (; S->next_tuning < S->c->ntuning && is_due(S, S->c->tuning[S->next_tuning].time); ++S->next_tuning) {
    const hp_tuning *t = &S->c->tuning[S->next_tuning];
    hp_tuning_apply(t, &S->timestep, &S->newton);
    if (!isnan(t->initial)) S->wish = t->initial;
    S->wish = fmin(S->timestep.max, fmax(S->timestep.min, S->wish));
  }
}

static hp_status apply_events(hp_sim *S) {
  apply_tuning(S);
  if (!event_due(S) && !change_due(S) && !field_due(S)) {
    hp_time_error_shorten(S); /* a well may have been given up */
    return HP_OK;
  }
  HP_TRY(S->backend->ops->get_wells(S->backend));
  for (; field_due(S); ++S->next_field) apply_field(S, &S->c->field[S->next_field]);
  for (; change_due(S); ++S->next_change) HP_TRY(apply_change(S, &S->c->perf_event[S->next_change]));
  for (; event_due(S); ++S->next_event) apply_event(S, &S->c->event[S->next_event]);
  if (!hp_field_asks(&S->field)) { /* every well its own limits */
    bool changed;
    hp_wells_share(S->wells, &S->field, true, &changed);
  }
  hp_time_error_shorten(S);
  return S->backend->ops->put_wells(S->backend);
}

/* The time after now at which output.interval asks for fields; none: infinity. */
static double next_fields(const hp_sim *S) {
  const double every = S->c->output.interval;
  return every > 0.0 ? every * (floor(S->time / every * (1.0 + 1e-12) + 1e-9) + 1.0) : INFINITY;
}

/* The next time that a step must hit: a report, an event, or fields. Rounding
 * does not make two times out of one. */
static double next_stop(const hp_sim *S, int report) {
  const double end = S->c->report[report], fields = next_fields(S);
  double stop = end;
  if (S->next_event < S->c->nevent) stop = fmin(stop, S->c->event[S->next_event].time);
  if (S->next_field < S->c->nfield) stop = fmin(stop, S->c->field[S->next_field].time);
  if (S->next_tuning < S->c->ntuning) stop = fmin(stop, S->c->tuning[S->next_tuning].time);
  if (S->next_change < S->c->nperf_event) stop = fmin(stop, S->c->perf_event[S->next_change].time);
  return fields < stop * (1.0 - 1e-12) ? fields : stop;
}

/* The fluid that well w's volumes are converted by: that of its first perforation's cell. */
static const hp_fluid *fluid_of(const hp_sim *S, int w) {
  const hp_wells *W = S->wells;
  return hp_reservoir_fluid(S->res, W->begin[w] < W->begin[w + 1] ? W->cell[W->begin[w]] : 0);
}

/* B_a at the average pressure, for RESV control, and the targets of wells that make the volume of given rates. */
static hp_status update_reservoir_volumes(hp_sim *S) {
  hp_wells *W = S->wells;
  HP_TRY(S->backend->ops->get_wells(S->backend));
  for (int w = 0; w < W->nwell; ++w) {
    hp_well_control *c = &W->control[w];
    double *volume = &W->resv[HP_PHASES * w];
    for (int a = 0; a < HP_PHASES; ++a) {
      hp_dual b, bmu;
      hp_pvt_eval(&fluid_of(S, w)->phase[a], S->now.pressure, &b, &bmu);
      volume[a] = 1.0 / b.v;
    }
    if (c->by_history)
      c->limit[HP_CONTROL_RESV] = volume[HP_OIL] * c->history[HP_OIL] + volume[HP_WATER] * c->history[HP_WATER];
  }
  return S->backend->ops->put_wells(S->backend);
}

/* Adds the step's volumes to the totals of each well. */
static void count_flow(hp_sim *S, double dt) {
  for (int w = 0; w < S->wells->nwell; ++w) {
    const double *q = S->flow[w].rate;
    hp_flow *f = &S->totals[w];
    for (int a = 0; a < HP_PHASES; ++a) {
      f->rate[a] = q[a] > 0.0 ? q[a] : 0.0;
      f->injection_rate[a] = q[a] < 0.0 ? -q[a] : 0.0;
      f->total[a] += dt * hp_well_efficiency(S->wells, w) * f->rate[a];
      f->injection_total[a] += dt * hp_well_efficiency(S->wells, w) * f->injection_rate[a];
    }
    const double *b = &S->wells->resv[HP_PHASES * w];
    f->volume_rate = b[HP_OIL] * f->rate[HP_OIL] + b[HP_WATER] * f->rate[HP_WATER];
    f->injection_volume_rate = b[HP_OIL] * f->injection_rate[HP_OIL] + b[HP_WATER] * f->injection_rate[HP_WATER];
  }
}

static hp_status write_rows(hp_sim *S, double dt, const hp_newton_report *r, const hp_solver_row *cuts) {
  const double t0 = hp_now();
  hp_well_row *well = S->row;
  for (int w = 0; w < S->wells->nwell; ++w) {
    well[w].flow = S->totals[w];
    well[w].bhp = S->flow[w].mode == HP_CONTROL_SHUT ? 0.0 : S->flow[w].bhp;
    well[w].control = (hp_control)S->flow[w].mode;
    well[w].injector = S->wells->control[w].injector;
    well[w].shared = well[w].control != HP_CONTROL_SHUT && S->wells->shared[w] == well[w].control;
  }
  HP_TRY(hp_sim_regions(S));
  const hp_summary_row summary = {.time = S->time,
                                  .field = hp_sim_field_flow(S),
                                  .pressure = S->now.pressure,
                                  .well = well,
                                  .in_place = {S->now.mass[0], S->now.mass[1]},
                                  .oil_at_start = S->start.mass[HP_OIL],
                                  .region = S->region,
                                  .connection = (const double(*)[HP_PHASES])S->connection};
  hp_solver_row row = *cuts;
  row.step = S->step;
  row.time = S->time;
  row.dt = dt;
  row.newton = r->iterations;
  row.linear = r->linear;
  for (int a = 0; a < HP_PHASES; ++a) {
    row.mb[a] = r->norms.mb[a];
    row.cnv[a] = r->norms.cnv[a];
  }
  row.seconds_assembly = r->seconds[HP_PROF_PROPERTIES] + r->seconds[HP_PROF_ASSEMBLY] + r->seconds[HP_PROF_UPDATE];
  row.seconds_setup = r->seconds[HP_PROF_SETUP];
  row.seconds_solve = r->seconds[HP_PROF_SOLVE];
  row.seconds_wells = r->seconds[HP_PROF_WELLS];
  row.seconds_output = S->profile.op[HP_PROF_OUTPUT].seconds - S->output_counted;
  S->output_counted = S->profile.op[HP_PROF_OUTPUT].seconds;
  if (S->writer != NULL) {
    HP_TRY(hp_write_behind_rows(S->writer, S->output, &summary, &row));
  } else {
    HP_TRY(hp_output_summary(S->output, &summary));
    HP_TRY(hp_output_solver(S->output, &row));
  }
  hp_profile_add(&S->profile, HP_PROF_OUTPUT, hp_now() - t0, 0.0);
  return HP_OK;
}

static hp_status interrupted(const hp_sim *S) {
  return hp_fail(HP_ERR_INTERRUPTED, "interrupted at time %.6g %s%s; results up to here are complete",
                 S->time / S->c->units.factor[HP_UNIT_TIME], S->c->units.label[HP_UNIT_TIME],
                 hp_sim_interrupted == HP_SIM_UNREAD ? ": the reader of its output has gone" : "");
}

/* No cell's volume and no well sets the level of the pressure. */
static bool is_loose(const hp_sim *S) {
  for (int w = 0; w < S->wells->nwell; ++w)
    if (S->wells->mode[w] == HP_CONTROL_BHP) return false;
  for (int64_t m = 0; m < S->res->ncell; ++m)
    if (S->res->active[m] && !hp_reservoir_is_rigid(S->res, m)) return false;
  return true;
}

/* Preconditioners that may work where the one at hand meets a singular block. */
static const char *others(const hp_sim *S) {
  if (S->linear.uses_cpr) return "Try linear.preconditioner = dilu or block-jacobi";
  if (S->linear.krylov.preconditioner == HP_PRECOND_DILU) return "Try linear.preconditioner = cpr or block-jacobi";
  if (S->linear.krylov.preconditioner == HP_PRECOND_BLOCK_JACOBI) return "Try linear.preconditioner = dilu or cpr";
  return "Try linear.preconditioner = dilu, cpr or block-jacobi, which divide by no single entry of the matrix";
}

/* Advice on a step that failed for good; the host's state and wells are as at its start. */
static const char *advice(const hp_sim *S, const hp_newton_report *r) {
  if (is_loose(S) && hp_sim_incompressible(S->c))
    return "Rock, oil and water are incompressible and no well holds a pressure, so what goes in must come out and the "
           "pressure has no fixed level: give one of them a compressibility, or a well the control bhp";
  if (is_loose(S))
    return "Rock is incompressible, so is all that the cells hold (of the phase that is not, there is nothing in "
           "them), and no well holds a pressure, so the pressure has no fixed level: give the rock a compressibility, "
           "as in "
           "rock.compressibility = 1e-5";
  if (r->singular) return others(S);
  return "Try --monitor to watch the iterations, smaller timestep.initial or timestep.max, or linear.tolerance = 1e-4";
}

/* One time step towards `stop`: cuts until Newton's method converges. */
static hp_status make_step(hp_sim *S, double stop) {
  const hp_timestep_options *opt = &S->timestep;
  const double day = S->c->units.factor[HP_UNIT_TIME];
  const char *unit = S->c->units.label[HP_UNIT_TIME];
  hp_newton_report r;
  hp_solver_row row = {.why = ""};
  char why[sizeof r.why] = "";
  double wish = S->wish;
  HP_TRY(update_reservoir_volumes(S));
  HP_TRY(hp_newton_begin(S));
  for (int attempt = 0;; ++attempt) {
    S->dt = hp_timestep_fit(S->time, stop, wish);
    HP_TRY(hp_newton_solve(S, S->dt, &r));
    S->counts.unconverged_linear += r.unconverged_linear;
    if (r.converged) break;
    HP_TRY(hp_newton_restore(S));
    row.cuts += 1;
    row.wasted_newton += r.iterations;
    row.wasted_linear += r.linear;
    memcpy(why, r.why, sizeof why);
    row.why = why;
    S->counts.cuts += 1;
    S->counts.wasted_newton += r.iterations;
    S->counts.wasted_linear += r.linear;
    if (hp_sim_interrupted) return interrupted(S);
    wish = S->dt * opt->cut;
    hp_progress_cut(S, &r, wish);
    if (attempt + 1 >= opt->max_cuts || wish < opt->min) {
      HP_TRY(S->backend->ops->get_wells(S->backend));
      HP_TRY(S->backend->ops->get_state(S->backend));
      return hp_fail(HP_ERR_NUMERIC,
                     "stopped at time %.6g %s: %s after %d failed attempt%s, the last with a step of %.4g %s. %s. %s",
                     S->time / day, unit,
                     wish < opt->min ? "the next step would be shorter than timestep.min" : "no convergence",
                     attempt + 1, hp_plural(attempt + 1), S->dt / day, unit, r.why, advice(S, &r));
    }
  }
  HP_TRY(hp_newton_accept(S, S->dt, &r));
  S->time = S->dt >= stop - S->time ? stop : S->time + S->dt;
  S->step += 1;
  count_flow(S, S->dt);
  S->counts.steps += 1;
  S->counts.newton += r.iterations;
  S->counts.linear += r.linear;
  S->before = S->counts;
  const double next = hp_timestep_next(opt, S->dt, r.iterations, r.max_ds, &S->time_error.sizes);
  /* a step that was only shortened to hit a stop says little about the next */
  S->wish = row.cuts == 0 && S->dt < wish * 0.999 ? fmax(next, fmin(wish, S->wish)) : next;
  HP_TRY(write_rows(S, S->dt, &r, &row));
  HP_TRY(hp_progress_step(S, &r, row.cuts));
  return HP_OK;
}

/* The wells as the fields that follow see them: in the step that ended, before the events at its end. */
static hp_status tell_wells(hp_sim *S) {
  if (!S->c->output.eclipse) return HP_OK;
  HP_TRY(S->backend->ops->get_wells(S->backend));
  HP_TRY(hp_write_behind_wait(S->writer));
  return hp_output_wells(S->output, S->wells);
}

static hp_status write_in_line(hp_sim *S, const hp_restart *kept) {
  if (kept != NULL) HP_TRY(hp_output_restart(S->output, kept));
  return hp_output_fields(S->output, S->time, S->step, S->res->p, S->res->s);
}

static hp_status write_fields(hp_sim *S) {
  if (!S->c->output.fields) return HP_OK;
  HP_TRY(S->backend->ops->get_state(S->backend));
  if (S->keeps) HP_TRY(hp_restart_gather(S));
  const double t0 = hp_now();
  const hp_restart *kept = S->keeps ? &S->kept : NULL;
  const hp_status s = S->writer != NULL
                          ? hp_write_behind_fields(S->writer, S->output, S->time, S->step, S->res->p, S->res->s, kept)
                          : write_in_line(S, kept);
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

/* A time step towards a report, fields where they are due, what the schedule changes then. A signal is looked at once a
 * step, after it: what was kept for a restart stands before the changes. */
static hp_status step_and_events(hp_sim *S, int report) {
  HP_TRY(make_step(S, next_stop(S, report)));
  const bool stop = hp_sim_interrupted && S->time < S->c->report[S->c->nreport - 1];
  const bool fields = stop || fields_due(S, S->time >= S->c->report[report]);
  if (fields) HP_TRY(tell_wells(S));
  HP_TRY(hp_sim_economy(S));
  if (fields) HP_TRY(hp_restart_keep(S, false));
  HP_TRY(apply_events(S));
  if (fields) HP_TRY(write_fields(S));
  return stop ? interrupted(S) : HP_OK;
}

/* Its table goes where all that is told of a run goes. */
static hp_status tell_jacobian(hp_sim *S) {
  char *text = NULL;
  size_t size;
  double largest;
  FILE *f = open_memstream(&text, &size);
  if (f == NULL) return hp_fail(HP_ERR_MEMORY, "no memory for the table of --check-jacobian: %s", strerror(errno));
  hp_status s = hp_jacobian_check(S, S->wish, f, &largest);
  if (fclose(f) != 0 && s == HP_OK) s = hp_fail(HP_ERR_MEMORY, "no memory for the table of --check-jacobian");
  if (s == HP_OK) hp_progress_text(S, text);
  free(text);
  return s;
}

static hp_status check_jacobian(hp_sim *S) {
  HP_TRY(hp_newton_begin(S));
  HP_TRY(S->backend->ops->get_state(S->backend));
  HP_TRY(S->backend->ops->get_wells(S->backend));
  hp_jacobian_leave_kinks(S);
  HP_TRY(tell_jacobian(S));
  return hp_newton_restore(S);
}

static hp_status run(hp_sim *S) {
  HP_TRY(hp_restart_keep(S, S->kept_done));
  HP_TRY(apply_events(S));
  if (S->opt.check_jacobian) HP_TRY(check_jacobian(S));
  if (S->fields_step < S->step) {
    HP_TRY(tell_wells(S));
    HP_TRY(write_fields(S));
  }
  if (hp_sim_interrupted) return interrupted(S);
  int report = 0;
  while (report < S->c->nreport && is_due(S, S->c->report[report])) ++report;
  for (; report < S->c->nreport && !S->ending; ++report) {
    while (S->time < S->c->report[report]) HP_TRY(step_and_events(S, report));
    hp_progress_report(S, report);
  }
  return HP_OK;
}

/* A run that stops early leaves the state of its last step, in the fields and as a row of the table. */
static hp_status keep_last_state(hp_sim *S) {
  if (S->step > 0 && (S->nreport == 0 || S->report[S->nreport - 1].time < S->time)) hp_progress_report(S, -1);
  if (S->fields_step >= S->step) return HP_OK;
  HP_TRY(tell_wells(S));
  const hp_counts all = S->counts; /* with the attempts at the next step, which a run that goes on makes again */
  S->counts = S->before;
  const hp_status s = hp_restart_keep(S, true);
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
  const hp_status s = run(S);
  char why[1024];
  snprintf(why, sizeof why, "%s", hp_fail_text());
  const hp_status written = may_keep_state(s) ? keep_last_state(S) : HP_OK;
  char why_written[1024];
  snprintf(why_written, sizeof why_written, "%s", hp_fail_text());
  const hp_status waited = wait_for_output(S);
  if (written != HP_OK) return hp_fail(written, "%s", why_written);
  if (waited != HP_OK && (s == HP_OK || may_keep_state(s))) return waited;
  if (s == HP_ERR_DEVICE || s == HP_ERR_TEAM || s == HP_ERR_MEMORY) return lost(S, s, why);
  return s != HP_OK ? hp_fail(s, "%s", why) : HP_OK;
}
