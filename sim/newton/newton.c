#include "sim/newton/newton.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/plural.h"
#include "sim/checkpoint/checkpoint.h"
#include "sim/newton/loop.h"
#include "sim/report/progress.h"
#include "sim/simulator/files.h"
#include "wells/control.inl.h"
#include "wells/crossflow.h"

/* The results of an evaluation that the report keeps. */
static void note_evaluation(const hp_step_report *step, hp_newton_report *r) {
  r->norms = step->norms;
  r->well_residual = step->well_residual;
  r->worst_well = step->worst_well;
  r->worst_mode = (hp_control)step->worst_mode;
  r->beyond = step->beyond != 0;
}

static hp_status report_attempt(const hp_sim *S, bool again) {
  const hp_run_observer *o = S->opt.observer;
  return o != NULL ? o->attempt(o->arg, S, again) : HP_OK;
}

hp_status hp_newton_begin(hp_sim *S) {
  HP_TRY(report_attempt(S, false));
  return S->backend->ops->begin(S->backend);
}

hp_status hp_newton_restore(hp_sim *S) {
  HP_TRY(report_attempt(S, true));
  return S->backend->ops->restore(S->backend);
}

hp_status hp_newton_accept(hp_sim *S, double dt, hp_newton_report *r) {
  hp_step_report step;
  const double weight = hp_time_error_weight(S, dt);
  const double drop = r->rough ? HP_SQUEEZE_ROUGH : HP_SQUEEZE_DROP;
  HP_TRY(S->backend->ops->accept(S->backend, dt, weight, drop, S->flow, &step));
  r->max_ds = step.max_ds;
  S->now = step.in_place;
  S->mean_pressure = S->now.pressure;
  return hp_time_error_step(S, dt, weight, r->iterations, &step);
}

/* Tolerance of a phase's balance: relative to all pores, or to ten thousand times what goes through wells in a step whose
 * corrected state makes up for what is left over; and to what is there of a phase that fills less than a tenth of the pores,
 * down to what rounding leaves. */
static double mass_tolerance(const hp_sim *S, int a) {
  const double pores = S->res->total_pore_volume, share = fmax(S->start.mass[a], S->now.mass[a]) / pores;
  double flow = 0.0;
  for (int w = 0; S->time_error.on && S->newton.softness == 0.0 && w < S->wells->nwell; ++w)
    for (int b = 0; b < HP_PHASES; ++b)
      flow += 0.5 * hp_well_efficiency(S->wells, w) * fabs(S->corrected.well[w].before[b]);
  return S->newton.tolerance_mb * fmax(1.0, 1e4 * flow * S->dt / pores) * fmin(1.0, fmax(10.0 * share, 1e-5));
}

/* Where nothing is compressible all volume that is left over has to leave the reservoir in the next step, in which no well may flow
 * any more: hardly any is left of all cells together, nor in a cell before a time at which wells may change. */
static bool cells_have_converged(const hp_sim *S, const hp_newton_report *r) {
  const hp_newton_options *opt = &S->newton;
  const double most = S->stops ? fmax(r->norms.cnv[HP_OIL], r->norms.cnv[HP_WATER]) : r->norms.volume;
  if (opt->softness > 0.0 && !(fmax(most, r->norms.volume) <= HP_SQUEEZE_DROP)) return false;
  for (int a = 0; a < HP_PHASES; ++a)
    if (!(r->norms.cnv[a] <= opt->tolerance_cnv) || !(r->norms.mb[a] <= mass_tolerance(S, a))) return false;
  return r->norms.flow <= opt->tolerance_flow;
}

/* How many times what is left over is what may be. */
static double times_too_large(const hp_sim *S, const hp_newton_report *r) {
  const hp_newton_options *opt = &S->newton;
  const double most = S->stops ? fmax(r->norms.cnv[HP_OIL], r->norms.cnv[HP_WATER]) : 0.0;
  double times = fmax(r->norms.flow / opt->tolerance_flow, r->well_residual / opt->tolerance_well);
  for (int a = 0; a < HP_PHASES; ++a)
    times = fmax(times, fmax(r->norms.cnv[a] / opt->tolerance_cnv, r->norms.mb[a] / mass_tolerance(S, a)));
  return opt->softness > 0.0 ? fmax(times, fmax(most, r->norms.volume) / HP_SQUEEZE_DROP) : times;
}

/* All but for what is left of the volume in single cells, ten times of what may be at a stop: where nothing is compressible and a
 * part of the reservoir is closed, or its wells give what they take, it has nowhere to go. */
static bool is_as_good_as_can_be(const hp_sim *S, const hp_newton_report *r) {
  const double most = 0.5 * HP_SQUEEZE_ROUGH; /* of each phase */
  if (S->newton.softness == 0.0 || !(r->norms.volume <= 0.1 * most)) return false;
  for (int a = 0; a < HP_PHASES; ++a)
    if (!(r->norms.cnv[a] <= most) || !(r->norms.mb[a] <= mass_tolerance(S, a))) return false;
  return r->well_residual <= S->newton.tolerance_well;
}

/* Controls are met and limits kept, too. */
static bool has_converged(const hp_sim *S, const hp_newton_report *r) {
  return cells_have_converged(S, r) && r->well_residual <= S->newton.tolerance_well &&
         r->iterations >= S->newton.min_iterations;
}

/* The well that must leave its control: all is solved, but it is beyond a limit. -1: there is none. Where rates of wells
 * alone do not set the level of the pressure nothing is solved before a well holds its limit of the bhp. */
static int well_to_retry(const hp_sim *S, const hp_newton_report *r) {
  const bool solved = cells_have_converged(S, r) || (S->newton.softness > 0.0 && r->worst_mode == HP_CONTROL_BHP);
  return solved && r->beyond && r->well_residual > S->newton.tolerance_well ? r->worst_well : -1;
}

/* Which wells may take up a control again in each iteration, for the same reason. */
static int wells_to_retry(const hp_sim *S) { return S->newton.softness > 0.0 ? HP_RETRY_BHP : -1; }

static bool is_finite(const hp_norms *n) {
  return isfinite(n->cnv[0]) && isfinite(n->cnv[1]) && isfinite(n->mb[0]) && isfinite(n->mb[1]);
}

/* The worst cell, equation and size, for the line about a cut. */
static void explain(const hp_sim *S, hp_newton_report *r, const char *what) {
  const int a = r->norms.cnv[HP_OIL] >= r->norms.cnv[HP_WATER] ? HP_OIL : HP_WATER;
  const double oil = mass_tolerance(S, HP_OIL), water = mass_tolerance(S, HP_WATER);
  const int b = r->norms.mb[HP_OIL] * water >= r->norms.mb[HP_WATER] * oil ? HP_OIL : HP_WATER;
  const hp_newton_options *opt = &S->newton;
  int n = snprintf(r->why, sizeof r->why, "%s", what);
  if (r->norms.worst[a] >= 0 && n > 0 && (size_t)n < sizeof r->why) {
    int ijk[3];
    hp_grid_ijk(S->c->grid, r->norms.worst[a], ijk);
    n += snprintf(r->why + n, sizeof r->why - (size_t)n,
                  ": worst cell (%d, %d, %d), %s balance, CNV %.2g (limit %.2g), MB %.2g (limit %.2g)", ijk[0] + 1,
                  ijk[1] + 1, ijk[2] + 1, a == HP_OIL ? "oil" : "water", r->norms.cnv[a], opt->tolerance_cnv,
                  r->norms.mb[b], b == HP_OIL ? oil : water);
  }
  if (r->norms.worst_flow >= 0 && r->norms.flow > opt->tolerance_flow && r->norms.flow < DBL_MAX && n > 0 &&
      (size_t)n < sizeof r->why) {
    int ijk[3];
    hp_grid_ijk(S->c->grid, r->norms.worst_flow, ijk);
    n += snprintf(r->why + n, sizeof r->why - (size_t)n,
                  "; cell (%d, %d, %d) is out of balance by %.2g of what flows through it (limit %.2g)", ijk[0] + 1,
                  ijk[1] + 1, ijk[2] + 1, r->norms.flow, opt->tolerance_flow);
  }
  if (r->worst_well >= 0 && r->well_residual > opt->tolerance_well && n > 0 && (size_t)n < sizeof r->why)
    snprintf(r->why + n, sizeof r->why - (size_t)n,
             r->beyond ? "; well %s is beyond its limit of %s by %.2g of it" : "; well %s misses its %s by %.2g",
             S->c->well[r->worst_well].name, hp_control_name(r->worst_mode),
             r->well_residual / (hp_control_is_rate(r->worst_mode) ? 1.0 : HP_BHP_WEIGHT));
}

typedef struct {
  hp_gh_source system;
  char path[1200];
} matrix_file;

static hp_status write_matrix(void *arg) {
  const matrix_file *f = arg;
  return hp_gh_source_write_mtx(&f->system, f->path);
}

static hp_status dump_system(hp_sim *S) {
  matrix_file f;
  snprintf(f.path, sizeof f.path, "%s.step%d.mtx", S->base, S->step + 1);
  HP_TRY(hp_sim_pieces(S, &f.system));
  HP_TRY(hp_sim_write(S, write_matrix, &f));
  hp_progress_note(S, "wrote the first system of step %d to %s (and .rhs)", S->step + 1, f.path);
  return HP_OK;
}

/* Shares of groups' targets from the rates at hand; *changed: the wells have other limits than before. */
static hp_status share_targets(hp_sim *S, hp_share_time when, bool *changed) {
  HP_TRY(hp_backend_get(S->backend, HP_SET_WELLS));
  hp_wells_share(S->wells, &S->groups, when, changed);
  return hp_backend_put(S->backend, HP_SET_WELLS); /* limits follow in small changes, too */
}

/* A time step as the loop sees it. */
typedef struct {
  hp_sim *S;
  double dt;
  hp_newton_report *r;
  double flow[2];   /* the flow norm of the last two iterations */
  double excess[2]; /* times_too_large, of the last two iterations */
  double most_dp;   /* that the next solution changes a pressure by [Pa] (limit_level), */
  double rest;      /*   for a well that is as far from flowing; below 0: a limit was of no use */
  bool limited;     /* the last one was */
  bool to_and_fro;  /* it does not fall any more */
  int renewed;      /* iterations before a control or shares of targets last changed where all was solved */
  int most;         /* iterations from there: newton.max_iterations, or twice as many (most_iterations) */
} time_step;

/* Where nothing is compressible the level of the pressure is no nearer in a shorter step: an attempt that failed is repeated with
 * twice the iterations, too. */
static int most_iterations(const hp_sim *S) {
  return S->newton.max_iterations * (S->newton.softness > 0.0 && S->counts.cuts > S->before.cuts ? 2 : 1);
}

/* Reservoir volume that open well w makes at its control: a rate's is that of the mixture which it makes now, if it makes half of
 * that rate at least, else which its cells give; INFINITY where they give none of what is controlled. */
static double volume_at_control(const hp_wells *W, int w) {
  const int mode = W->mode[w];
  const double *b = &W->resv[HP_PHASES * w], limit = W->control[w].limit[mode];
  double c[HP_PHASES], q[HP_PHASES], controlled = 0.0, volume = 0.0;
  if (mode == HP_CONTROL_RESV || limit == 0.0) return hp_well_efficiency(W, w) * limit;
  if (W->control[w].injector) return hp_well_efficiency(W, w) * limit * b[W->control[w].phase];
  hp_control_weights(W, w, mode, c);
  hp_well_total(W, w, q);
  if (hp_control_rate(W, w, mode, q) < 0.5 * limit) q[HP_OIL] = q[HP_WATER] = 0.0;
  for (int64_t i = W->begin[w]; i < W->begin[w + 1] && q[HP_OIL] + q[HP_WATER] <= 0.0; ++i) {
    q[HP_OIL] -= W->rate[i].producible[HP_OIL];
    q[HP_WATER] -= W->rate[i].producible[HP_WATER];
  }
  for (int a = 0; a < HP_PHASES; ++a) {
    controlled += c[a] * fabs(q[a]);
    volume += b[a] * fabs(q[a]);
  }
  return hp_well_efficiency(W, w) * limit * (controlled > 0.0 ? volume / controlled : INFINITY);
}

/* Whether fluid crosses in well w so that nothing goes to or comes from the surface, whatever the level of the pressure. */
static bool only_crosses(const hp_wells *W, int w) {
  const double share = W->control[w].injector ? W->inflow_share[w] : W->mix[2 * w] + W->mix[2 * w + 1];
  return share > 0.0 && share < 1.0 - 1e-9;
}

/* By how much the reservoir volume that well w makes falls as the pressure of its cells does [m3/s/Pa]: 0 where it is not at a
 * pressure, where its perforations are all closed, or, with `lasts`, where fluid only crosses in it. */
static double level_slope(const hp_wells *W, int w, bool lasts) {
  double slope = 0.0;
  if (!hp_control_is_pressure(W->mode[w]) || (lasts && only_crosses(W, w))) return 0.0;
  for (int64_t q = W->begin[w]; q < W->begin[w + 1]; ++q)
    for (int a = 0; a < HP_PHASES; ++a) slope += fabs(W->resv[HP_PHASES * w + a] * W->rate[q].dbhp[a]);
  return hp_well_efficiency(W, w) * slope;
}

/* Reservoir volume that well w, at a pressure, makes in the direction of its job. */
static double volume_at_pressure(const hp_wells *W, int w) {
  double q[HP_PHASES];
  hp_well_total(W, w, q);
  return hp_well_efficiency(W, w) * hp_control_rate(W, w, HP_CONTROL_RESV, q);
}

/* Pressure by which the cells of well w, which stands still at a bhp, have to change for it to flow. */
static double rest_to_flow(const hp_wells *W, int w) {
  double least = INFINITY, T = 0.0;
  for (int64_t q = W->begin[w]; q < W->begin[w + 1]; ++q) {
    T += W->rate[q].transmissibility;
    if (W->rate[q].transmissibility > 0.0) least = fmin(least, fabs(W->rate[q].drawdown));
  }
  return only_crosses(W, w) ? fabs(hp_control_rate_at(W, w, HP_CONTROL_RESV, W->bhp[w])) / T : least;
}

/* The same for it to make `volume`, as far as its cells say. */
static double rest_to_make(const hp_wells *W, int w, double volume) {
  const double far = W->control[w].injector ? 1e10 : -1e10;
  volume /= hp_well_efficiency(W, w);
  return fabs(hp_control_bhp_from(W, w, HP_CONTROL_RESV, volume, W->bhp[w] + far) - W->bhp[w]);
}

/* Where the pressure has no level while all wells are at rates: the well whose limit of the bhp the level meets first, falling
 * where more is to be produced than injected, else rising. -1: there is none, a well that stands still at a pressure flows before, one at
 * a pressure holds the level, or the rates make up for each other. *rest: by how much the level may move before one that stands still
 * flows; INFINITY: as far as it likes, or those that hold the level take it less far. *most: until that one makes what is missing. stored:
 * what cells give for this step as the level falls [m3/s/Pa]; where that suffices, the level meets nothing. */
static int well_to_hold(const hp_wells *W, bool lasts, double stored, double *rest, double *most) {
  double produced = 0.0, injected = 0.0, least = INFINITY, slope = 0.0;
  int best = -1;
  *rest = *most = INFINITY;
  for (int w = 0; w < W->nwell; ++w) {
    double *volume = W->control[w].injector ? &injected : &produced;
    const double own = level_slope(W, w, lasts);
    slope += own;
    if (hp_control_is_rate(W->mode[w])) *volume += volume_at_control(W, w);
    else if (own > 0.0) *volume += volume_at_pressure(W, w);
  }
  const double too_much = injected - produced;
  if (fabs(too_much) <= 1e-9 * fmax(produced, injected)) return -1;
  for (int w = 0; w < W->nwell; ++w) {
    const bool stands = !hp_control_is_rate(W->mode[w]), meets = W->control[w].injector == (too_much > 0.0);
    if (W->mode[w] == HP_CONTROL_SHUT || stands == meets) continue;
    if (slope > 0.0 && (!stands || level_slope(W, w, lasts) > 0.0)) continue;
    const double own = stands ? rest_to_flow(W, w)
                              : fabs(hp_control_bhp_for(W, w, W->mode[w]) - W->control[w].limit[HP_CONTROL_BHP]);
    if (!(own < least)) continue;
    best = stands ? -1 : w;
    least = own;
    *most = stands && isfinite(too_much) ? rest_to_make(W, w, fmax(fabs(too_much), 0.01 * fmin(produced, injected)))
                                         : INFINITY;
  }
  if (stored * least >= fabs(too_much)) {
    *most = INFINITY;
    return -1;
  }
  if (best < 0 && !(slope * least >= fabs(too_much))) *rest = least;
  return best;
}

/* A level that little holds would pass what a well that stands still, by `rest`, begins to flow at, and what it makes what is missing at,
 * `most`, and the others would leave their controls. One that is no nearer after that is in another part of the reservoir. */
static void limit_level(time_step *T, double rest, double most) {
  enum { BEYOND = 100000 /* Pa */ };
  T->most_dp = INFINITY;
  if (T->rest < 0.0 || isinf(rest)) return;
  const bool nearer = !T->limited || rest < 0.5 * T->rest;
  T->limited = false;
  T->rest = nearer ? rest : -1.0;
  if (nearer) T->most_dp = fmin(fmax(rest, most), rest + fmax(BEYOND, 0.1 * rest));
}

static hp_status hold_level(time_step *T, hp_step_report *step) {
  hp_sim *S = T->S;
  hp_wells *W = S->wells;
  double rest, most;
  if (S->newton.softness == 0.0) return HP_OK;
  HP_TRY(hp_backend_get(S->backend, HP_SET_WELLS));
  /* late: fluid that crosses is no mere stage of Newton's method */
  const int w = well_to_hold(W, 2 * (T->r->iterations - T->renewed) > T->most, S->storage / T->dt, &rest, &most);
  limit_level(T, rest, most);
  if (w < 0) return HP_OK;
  W->left[w] |= (uint8_t)(1u << W->mode[w]);
  W->mode[w] = HP_CONTROL_BHP;
  HP_TRY(hp_backend_put(S->backend, HP_SET_WELLS));
  return S->backend->ops->assemble(S->backend, T->dt, true, true, wells_to_retry(S), step);
}

/* The system at the present state. Targets of groups are shared out before the step's first one, from rates without
 * a change of control, and again in its next iterations: after that the shares stay, so that Newton's method has fixed
 * targets to go to, until it is there (share_at_end). */
static hp_status assemble_shared(hp_sim *S, double dt, int iteration, hp_step_report *step) {
  enum { SHARED = 3 };
  const hp_backend_ops *ops = S->backend->ops;
  const bool asked = hp_groups_have_targets(&S->groups);
  bool changed;
  if (asked && iteration == 0) {
    HP_TRY(ops->assemble(S->backend, dt, false, false, -1, step));
    HP_TRY(share_targets(S, HP_SHARE_FIRST, &changed));
  }
  HP_TRY(ops->assemble(S->backend, dt, true, true, wells_to_retry(S), step));
  if (!asked || iteration == 0 || iteration > SHARED) return HP_OK;
  HP_TRY(share_targets(S, HP_SHARE_AGAIN, &changed));
  return changed ? ops->assemble(S->backend, dt, true, true, wells_to_retry(S), step) : HP_OK;
}

static hp_status assemble(time_step *T, int iteration, hp_step_report *step) {
  HP_TRY(assemble_shared(T->S, T->dt, iteration, step));
  return hold_level(T, step);
}

/* Wells in which fluid crosses look for their bhp by themselves where Newton's method takes long, or would lead astray a well that is
 * far from its rate. */
static hp_status meet_rates(const time_step *T, int iteration, hp_step_report *step) {
  const double far = 0.1; /* of the rate */
  hp_sim *S = T->S;
  const bool late = 2 * (iteration - T->renewed) >= T->most;
  if (step->well_residual <= (late ? S->newton.tolerance_well : far)) return HP_OK;
  HP_TRY(hp_backend_get(S->backend, HP_SET_WELLS));
  if (!hp_wells_meet_rates(S->wells, late)) return HP_OK;
  HP_TRY(hp_backend_put(S->backend, HP_SET_WELLS));
  return S->backend->ops->assemble(S->backend, T->dt, true, true, wells_to_retry(S), step);
}

static hp_status residual(void *problem, const hp_newton_state *at) {
  time_step *T = problem;
  hp_step_report step;
  T->r->iterations = at->iterations;
  T->r->linear = at->linear;
  T->r->unconverged_linear = at->unconverged_linear;
  HP_TRY(assemble(T, at->iterations, &step));
  HP_TRY(meet_rates(T, at->iterations, &step));
  note_evaluation(&step, T->r);
  hp_progress_newton(T->S, T->dt, T->r, at->iterations > 0 ? &at->solution : NULL);
  return HP_OK;
}

/* The system once more at the same state, with another control: retry as in hp_step_assemble. */
static hp_status assemble_again(time_step *T, int retry) {
  hp_step_report step;
  T->rest = 0.0;
  T->limited = false;
  HP_TRY(T->S->backend->ops->assemble(T->S->backend, T->dt, true, true, retry, &step));
  HP_TRY(hold_level(T, &step));
  note_evaluation(&step, T->r);
  T->r->converged = has_converged(T->S, T->r);
  return HP_OK;
}

/* All is solved: a step ends with the shares of its own rates, or Newton's method goes on with these, up to RENEWALS times
 * newton.max_iterations. Where a share and a limit take turns there is no end to that: after two thirds of newton.max_iterations
 * limits only fall, for as long as a target is exceeded. After ATTEMPTS that failed a step ends, at first where most iterations
 * have been made, unless a target is exceeded by more than FAR of the group's rate. */
enum { RENEWALS = 3 };
static hp_status share_at_end(time_step *T, const hp_newton_state *at) {
  enum { ATTEMPTS = 4 };
  const double FAR = 0.01;
  hp_sim *S = T->S;
  const double slack = S->newton.tolerance_well;
  const int failed = S->counts.cuts - S->before.cuts, most = T->most;
  const bool late = 3 * at->iterations > 2 * most;
  const bool last = failed >= 2 * ATTEMPTS || (failed >= ATTEMPTS && at->iterations > 2 * most);
  bool changed = false;
  if (!hp_groups_have_targets(&S->groups)) return HP_OK;
  if (!late && !last) HP_TRY(share_targets(S, HP_SHARE_LAST, &changed));
  if (!changed) {
    HP_TRY(hp_backend_get(S->backend, HP_SET_WELLS));
    const bool far = hp_group_excess(S->wells, &S->groups, slack, &T->r->exceeded, &T->r->exceeded_group) > FAR;
    changed = (!last || far) && hp_wells_tighten(S->wells, &S->groups, slack);
    HP_TRY(hp_backend_put(S->backend, HP_SET_WELLS));
  }
  T->r->excess = hp_group_excess(S->wells, &S->groups, slack, &T->r->exceeded, &T->r->exceeded_group);
  if (!changed) return HP_OK;
  T->renewed = at->iterations;
  return assemble_again(T, wells_to_retry(S));
}

/* Whether wells, which alone are not solved, or where nothing is compressible all, would be in the iterations that are left if
 * each were as good as the worse of the last two: where fluid crosses from layer to layer in a well, what crosses follows the rates,
 * and these close in by a factor each time. */
static bool closes_in(const time_step *T, const hp_newton_state *at) {
  const int left = RENEWALS * T->most - at->iterations;
  if (T->S->newton.softness == 0.0 && !cells_have_converged(T->S, T->r)) return false;
  const double now = times_too_large(T->S, T->r), factor = fmax(now / T->excess[1], T->excess[1] / T->excess[0]);
  return !T->r->beyond && factor < 1.0 && now * pow(factor, left) <= 1.0;
}

/* Two iterations have gained next to nothing. */
static bool has_stalled(const time_step *T, const hp_newton_state *at) {
  const double most = 0.8, now = times_too_large(T->S, T->r);
  return at->iterations - T->renewed > 2 && now > most * T->excess[1] && T->excess[1] > most * T->excess[0];
}

/* All may be solved but for a well beyond a limit: then that one leaves its control. */
static hp_status judge_newton(void *problem, const hp_newton_state *at, hp_newton_end *end) {
  time_step *T = problem;
  hp_newton_report *r = T->r;
  if (!is_finite(&r->norms)) {
    *end = HP_NEWTON_FAILED;
    explain(T->S, r, "the residual is not finite");
    return HP_OK;
  }
  r->converged = has_converged(T->S, r);
  const int retry = r->converged ? -1 : well_to_retry(T->S, r);
  if (retry >= 0) {
    if (cells_have_converged(T->S, r)) T->renewed = at->iterations;
    if (at->iterations - T->renewed < T->most) HP_TRY(assemble_again(T, retry));
  }
  r->rough = !r->converged && has_stalled(T, at) && is_as_good_as_can_be(T->S, r);
  r->converged = r->converged || r->rough;
  if (r->converged) HP_TRY(share_at_end(T, at));
  if (r->converged) *end = HP_NEWTON_CONVERGED;
  else if (at->iterations - T->renewed >= T->most && !closes_in(T, at)) *end = HP_NEWTON_MAX_ITERATIONS;
  T->excess[0] = T->excess[1];
  T->excess[1] = times_too_large(T->S, r);
  return HP_OK;
}

/* The tolerance of a solve, in linear.tolerance. The first system of a step that changes much is solved more loosely: its solution is
 * far from the step's, however exact. Where nothing is compressible the level of the pressure hangs on what all wells make together,
 * which may be a small part of what is left over in single cells: the solution is tighter, the more so the more is left over. */
static double looseness(const time_step *T, const hp_newton_state *at) {
  const hp_norms *n = &T->r->norms;
  if (T->S->newton.softness > 0.0) return 0.05 * fmin(1.0, fmax(1e-5, 1.0 / n->flow));
  return at->iterations == 0 && fmax(n->cnv[HP_OIL], n->cnv[HP_WATER]) > T->S->newton.tolerance_cnv ? 4.0 : 1.0;
}

static hp_status solve_system(void *problem, const hp_newton_state *at, hp_krylov_report *k) {
  const time_step *T = problem;
  hp_sim *S = T->S;
  if (S->opt.dump_matrix == S->step + 1 && at->iterations == 0) HP_TRY(dump_system(S));
  HP_TRY(hp_checkpoint_keep_first(S, T->dt));
  HP_TRY(S->backend->ops->solve(S->backend, looseness(T, at), k));
  return S->opt.observer != NULL ? S->opt.observer->solved(S->opt.observer->arg, S, at->iterations + 1, k) : HP_OK;
}

/* Half of each solution from where Newton's method goes to and fro, as it may at a kink of a curve, until two of these have made
 * the norm as much smaller as halves do; where it is the level of the pressure that wells switch at, one. */
static hp_status update_unknowns(void *problem) {
  time_step *T = problem;
  const double flow = T->r->norms.flow;
  if (2 * (T->r->iterations - T->renewed) >= T->most && flow > 0.9 * T->flow[0]) T->to_and_fro = true;
  else if (T->S->newton.softness > 0.0 ? flow < 0.6 * T->flow[1] : flow < 0.3 * T->flow[0]) T->to_and_fro = false;
  T->flow[0] = T->flow[1];
  T->flow[1] = flow;
  T->limited = isfinite(T->most_dp);
  return T->S->backend->ops->update(T->S->backend, T->to_and_fro ? 0.5 : 1.0, T->most_dp);
}

static void explain_linear(const hp_sim *S, hp_newton_report *r, const hp_krylov_report *k) {
  char what[160];
  r->singular = k->reason == HP_KRYLOV_SINGULAR;
  snprintf(what, sizeof what, "the linear solver failed (%s, %d iteration%s, |r|/|b| %.1e)",
           hp_krylov_reason_text(k->reason), k->iterations, hp_plural(k->iterations),
           k->norm_b > 0.0 ? k->residual / k->norm_b : 0.0);
  explain(S, r, what);
}

hp_status hp_newton_solve(hp_sim *S, double dt, hp_newton_report *r) {
  memset(r, 0, sizeof *r);
  r->worst_well = -1;
  const hp_profile before = S->profile;
  time_step T = {.S = S, .dt = dt, .r = r, .most_dp = INFINITY, .most = most_iterations(S)};
  const hp_newton_problem problem = {&T, RENEWALS * T.most, residual, judge_newton, solve_system, update_unknowns};
  hp_newton_state at;
  hp_newton_end end;
  HP_TRY(hp_newton_iterate(&problem, &at, &end));
  r->iterations = at.iterations;
  r->linear = at.linear;
  r->unconverged_linear = at.unconverged_linear;
  if (end == HP_NEWTON_MAX_ITERATIONS) explain(S, r, "Newton's method did not converge");
  if (end == HP_NEWTON_NO_LINEAR_SOLUTION) explain_linear(S, r, &at.solution);
  for (int op = 0; op < HP_PROF_COUNT; ++op) r->seconds[op] = S->profile.op[op].seconds - before.op[op].seconds;
  return HP_OK;
}
