#include "sim/run/time_step.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/plural.h"
#include "sim/newton/newton.h"
#include "sim/report/progress.h"
#include "sim/report/rows.h"
#include "sim/run/run.h"
#include "sim/simulator/step_control.h"
#include "wells/control.inl.h"

/* ---- volumes ---- */

/* B_a at the average pressure, for RESV control, and the targets of wells that make the volume of given rates. */
static hp_status update_reservoir_volumes(hp_sim *S) {
  hp_wells *W = S->wells;
  HP_TRY(hp_backend_get(S->backend, HP_SET_WELLS));
  for (int w = 0; w < W->nwell; ++w) {
    hp_well_control *c = &W->control[w];
    double *volume = &W->resv[HP_PHASES * w];
    for (int a = 0; a < HP_PHASES; ++a) {
      hp_dual b, bmu;
      hp_pvt_eval(&S->fluid[S->well_pvt[w]].phase[a], S->mean_pressure, &b, &bmu);
      volume[a] = 1.0 / b.v;
    }
    if (c->by_history)
      c->limit[HP_CONTROL_RESV] = volume[HP_OIL] * c->history_oil_rate + volume[HP_WATER] * c->history_water_rate;
  }
  return hp_backend_put(S->backend, HP_SET_WELLS);
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

/* ---- a step that fails ---- */

/* No cell's volume, no well and no aquifer sets the level of the pressure. */
static hp_status find_undetermined(const hp_sim *S, bool *undetermined) {
  *undetermined = false;
  for (int n = 0; n < S->c->naquifer; ++n)
    if (hp_aquifer_holds_pressure(&S->c->aquifer[n])) return HP_OK;
  for (int w = 0; w < S->wells->nwell; ++w)
    if (hp_control_is_pressure(S->wells->mode[w])) return HP_OK;
  return hp_backend_rigid(S->backend, undetermined);
}

/* Preconditioners that may work where the one at hand meets a singular block. */
static const char *others(const hp_sim *S) {
  if (S->linear.uses_cpr) return "Try linear.preconditioner = dilu or block-jacobi";
  if (S->linear.krylov.preconditioner == HP_PRECOND_DILU) return "Try linear.preconditioner = cpr or block-jacobi";
  if (S->linear.krylov.preconditioner == HP_PRECOND_BLOCK_JACOBI) return "Try linear.preconditioner = dilu or cpr";
  return "Try linear.preconditioner = dilu, cpr or block-jacobi, which divide by no single entry of the matrix";
}

/* Advice on a step that failed for good; wells are as at its start. */
static const char *advice(const hp_sim *S, const hp_newton_report *r, bool undetermined) {
  if (undetermined && hp_sim_incompressible(S->c))
    return "Rock, oil and water are incompressible and no well holds a pressure, so what goes in must come out and the "
           "pressure has no fixed level: give one of them a compressibility, or a well the control bhp";
  if (undetermined)
    return "Rock is incompressible, so is all that the cells hold (of the phase that is not, there is nothing in "
           "them), and no well holds a pressure, so the pressure has no fixed level: give the rock a compressibility, "
           "as in "
           "rock.compressibility = 1e-5";
  if (r->singular) return others(S);
  return "Try --monitor to watch the iterations, smaller timestep.initial or timestep.max, or linear.tolerance = 1e-4";
}

static hp_status give_up(const hp_sim *S, const hp_newton_report *r, int attempts, bool too_short) {
  const double unit = S->c->units.factor[HP_UNIT_TIME];
  const char *label = S->c->units.label[HP_UNIT_TIME];
  bool undetermined;
  HP_TRY(hp_backend_get(S->backend, HP_SET_WELLS));
  HP_TRY(find_undetermined(S, &undetermined));
  return hp_fail(
      HP_ERR_NUMERIC, "stopped at time %.6g %s: %s after %d failed attempt%s, the last with a step of %.4g %s: %s. %s",
      S->time / unit, label, too_short ? "the next step would be shorter than timestep.min" : "no convergence",
      attempts, hp_plural(attempts), S->dt / unit, label, r->why, advice(S, r, undetermined));
}

/* ---- a step ---- */

static void count_failed(hp_sim *S, const hp_newton_report *r, hp_solver_row *row) {
  row->cuts += 1;
  row->wasted_newton += r->iterations;
  row->wasted_linear += r->linear;
  S->counts.cuts += 1;
  S->counts.wasted_newton += r->iterations;
  S->counts.wasted_linear += r->linear;
}

/* Whether the well flows, and its reservoir volume does not depend on what it produces. */
static bool has_fixed_volume(const hp_wells *W, int w) {
  const int mode = W->mode[w];
  const double *b = &W->resv[HP_PHASES * w];
  return W->control[w].injector || mode == HP_CONTROL_RESV ||
         (mode == HP_CONTROL_LRAT && fabs(b[HP_OIL] - b[HP_WATER]) < 1e-9);
}

/* Fixed volumes that make up for each other leave the pressure at any level. */
static hp_status refuse_undetermined(hp_sim *S) {
  const double unit = S->c->units.factor[HP_UNIT_TIME];
  const hp_wells *W = S->wells;
  const hp_newton_report none = {.converged = true};
  bool undetermined, flows = false, fixed = true;
  if (S->newton.softness == 0.0) return HP_OK;
  HP_TRY(hp_backend_get(S->backend, HP_SET_WELLS));
  for (int w = 0; w < W->nwell; ++w) {
    if (!hp_control_is_rate(W->mode[w]) || W->control[w].limit[W->mode[w]] < hp_control_scale(W, w, W->mode[w]))
      continue;
    flows = true;
    fixed = fixed && has_fixed_volume(W, w);
  }
  if (!flows || !fixed) return HP_OK;
  HP_TRY(find_undetermined(S, &undetermined));
  if (!undetermined) return HP_OK;
  HP_TRY(hp_newton_restore(S));
  return hp_fail(HP_ERR_NUMERIC, "stopped at time %.6g %s: all open wells are at rates that make up for each other. %s",
                 S->time / unit, S->c->units.label[HP_UNIT_TIME], advice(S, &none, true));
}

/* Newton's method with shorter and shorter steps until it converges; `row` counts what fails, `why` [size] says why the
 * last failed. */
static hp_status converge(hp_sim *S, double stop, double suggested, hp_newton_report *r, hp_solver_row *row, char *why,
                          size_t size) {
  const hp_timestep_options *opt = &S->timestep;
  for (int attempts = 1;; ++attempts) {
    S->dt = hp_timestep_fit(S->time, stop, suggested);
    S->stops = S->dt >= stop - S->time;
    HP_TRY(hp_newton_solve(S, S->dt, r));
    S->counts.unconverged_linear += r->unconverged_linear;
    if (r->converged) return refuse_undetermined(S);
    HP_TRY(hp_newton_restore(S));
    count_failed(S, r, row);
    snprintf(why, size, "%s", r->why);
    row->why = why;
    if (hp_sim_is_interrupted(S)) return hp_sim_stopped(S);
    suggested = S->dt * opt->cut;
    hp_progress_cut(S, r, suggested);
    if (attempts >= opt->max_cuts || suggested < opt->min) return give_up(S, r, attempts, suggested < opt->min);
  }
}

/* Says once that the run would take hundreds of thousands of steps, and what may help. */
static void warn_of_short_steps(hp_sim *S, const hp_newton_report *r) {
  enum { IN_A_ROW = 1000, MANY = 100000 };
  const double unit = S->c->units.factor[HP_UNIT_TIME], left = S->c->report[S->c->nreport - 1] - S->time;
  if (S->short_steps > IN_A_ROW) return;
  S->short_steps = left > MANY * S->dt && S->dt < 0.5 * S->timestep.max ? S->short_steps + 1 : 0;
  if (S->short_steps <= IN_A_ROW) return;
  hp_progress_warn(
      S, "%d time steps in a row were so short, the last %.3g %s, that %.1g more would lead to the end. Try %s",
      IN_A_ROW, S->dt / unit, S->c->units.label[HP_UNIT_TIME], left / S->dt,
      r->iterations > S->timestep.target_newton
          ? "--monitor to see what does not converge, and a larger newton.max_iterations"
          : "timestep.accuracy = 1, with which iterations alone choose the length of steps");
}

/* Says so when a step is the first to exceed a target of a group, which wells that take no part may do, or the last resort of
 * share_at_end in sim/newton/newton.c. */
static void warn_of_excess(hp_sim *S, const hp_newton_report *r) {
  const char *exceeded = r->excess > 0.0 ? r->exceeded : NULL;
  if (exceeded != NULL && (exceeded != S->exceeded || r->exceeded_group != S->exceeded_group))
    hp_progress_warn(S, "time %.6g %s: %.2g %% of the rate of %s is more than its target %s allows",
                     S->time / S->c->units.factor[HP_UNIT_TIME], S->c->units.label[HP_UNIT_TIME], 100.0 * r->excess,
                     hp_case_group_name(S->c, r->exceeded_group), exceeded);
  S->exceeded = exceeded;
  S->exceeded_group = r->exceeded_group;
}

hp_status hp_time_step(hp_sim *S, double stop) {
  const double suggested = S->suggested_dt;
  hp_newton_report r;
  hp_solver_row row = {.why = ""};
  char why[sizeof r.why] = "";
  HP_TRY(update_reservoir_volumes(S));
  hp_sim_watch_wells(S); /* as the step before left them, which have been fetched */
  HP_TRY(hp_newton_begin(S));
  HP_TRY(converge(S, stop, suggested, &r, &row, why, sizeof why));
  HP_TRY(hp_newton_accept(S, S->dt, &r));
  S->time = S->dt >= stop - S->time ? stop : S->time + S->dt;
  S->step += 1;
  S->stepped = true;
  count_flow(S, S->dt);
  S->counts.steps += 1;
  S->counts.newton += r.iterations;
  S->counts.linear += r.linear;
  S->before = S->counts;
  const double next = hp_timestep_next(&S->timestep, S->dt, r.iterations, r.max_ds, &S->time_error.sizes);
  /* a step that was only shortened to hit a stop says little about the next */
  S->suggested_dt = row.cuts == 0 && S->dt < suggested * 0.999 ? fmax(next, fmin(suggested, S->suggested_dt)) : next;
  HP_TRY(hp_write_rows(S, &r, &row));
  warn_of_short_steps(S, &r);
  warn_of_excess(S, &r);
  return hp_progress_step(S, &r, row.cuts);
}
