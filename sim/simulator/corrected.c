#include "sim/simulator/corrected.h"

#include <math.h>

#include "core/memory.h"
#include "sim/simulator/simulator.h"
#include "wells/control.inl.h"

hp_status hp_corrected_create(hp_sim *S) {
  hp_corrected *C = &S->corrected;
  const int aquifers = S->aquifers != NULL ? S->aquifers->count : 0;
  HP_TRY(HP_ALLOC(C->well, S->c->nwell));
  HP_TRY(HP_ALLOC(C->aquifer, aquifers));
  HP_TRY(HP_ALLOC(C->influx, aquifers));
  HP_TRY(HP_ALLOC(C->state, aquifers));
  for (int n = 0; n < aquifers; ++n) C->state[n].rate = S->aquifers->state[n].rate;
  hp_corrected_report_aquifers(S);
  return HP_OK;
}

void hp_corrected_destroy(hp_sim *S) {
  HP_FREE(S->corrected.well);
  HP_FREE(S->corrected.aquifer);
  HP_FREE(S->corrected.influx);
  HP_FREE(S->corrected.state);
}

/* ---- errors of volumes ---- */

/* The error of a volume by the rate at the end, which is taken for the whole step, and by the error carried to it. */
static double error_of(double dt, double weight, double rate, double before, double error) {
  return dt * (error + (weight > 0.0 ? 0.5 * weight * (rate - before) : 0.0));
}

bool hp_corrected_shares(const hp_sim *S, int w, bool injectors) {
  const hp_wells *W = S->wells;
  return W->control[w].injector == injectors && W->shared[w] != HP_CONTROL_SHUT && W->shared[w] == S->flow[w].mode;
}

/* The rate that well w has of what is shared, and that of the step before. */
static void shared_rates(const hp_sim *S, int w, double *now, double *then) {
  *now = hp_control_rate(S->wells, w, S->flow[w].mode, S->flow[w].rate);
  *then = hp_control_rate(S->wells, w, S->flow[w].mode, S->corrected.well[w].before);
}

/* Potentials that weigh shares are those at the start of the step: what the rate of well w has changed by for them, relative to it, is
 * what the next step's will change by at its start. */
static double change_of_guide(const hp_sim *S, int w) {
  const hp_wells *W = S->wells;
  const bool injector = W->control[w].injector;
  double now, then, all[2] = {0.0, 0.0};
  if (!hp_corrected_shares(S, w, injector) || W->deck_control[w].guide_rate > 0.0) return 0.0;
  for (int v = 0; v < W->nwell; ++v) {
    if (!hp_corrected_shares(S, v, injector) || W->part[v].of != W->part[w].of) continue;
    shared_rates(S, v, &now, &then);
    all[0] += hp_well_efficiency(W, v) * now;
    all[1] += hp_well_efficiency(W, v) * then;
  }
  shared_rates(S, w, &now, &then);
  return now > 0.0 && all[0] > 0.0 && then > 0.0 ? all[1] / all[0] - then / now : 0.0;
}

static void add_errors(hp_sim *S, double dt, double weight) {
  hp_corrected *C = &S->corrected;
  for (int w = 0; w < S->wells->nwell; ++w) {
    const hp_step_well *row = &S->flow[w];
    const double late = 2.0 * change_of_guide(S, w);
    for (int a = 0; a < HP_PHASES; ++a) {
      const double before = C->well[w].before[a] + late * row->rate[a];
      C->well[w].made[a] = hp_well_efficiency(S->wells, w) * error_of(dt, weight, row->rate[a], before, row->error[a]);
      C->well[w].error[a] += C->well[w].made[a];
    }
  }
  for (int n = 0; S->aquifers != NULL && n < S->aquifers->count; ++n) S->aquifers->state[n].error += dt * C->influx[n];
}

/* ---- rates ---- */

/* Limits that are a share of a group's target are not the well's own. */
static double own_limit(const hp_wells *W, int w, int control) {
  const hp_well_control *c = W->shared[w] == control ? &W->deck_control[w] : &W->control[w];
  return c->limit[control];
}

/* As much of correction c as leaves rate q in the direction of the well's job, and at most doubles it: what is left is made up for
 * in later steps. */
static double within_job(bool injector, double q, double c) {
  const double most = injector ? fmax(0.0, -q) : fmax(0.0, q);
  return fmax(-most, fmin(most, c));
}

/* The share of well w's rate by which Newton's method missed limit `mode`; 0 where it is too much for that. */
static double missed(const hp_wells *W, int w, int mode, const double q[HP_PHASES]) {
  const double rate = hp_control_rate(W, w, mode, q), by = rate > 0.0 ? 1.0 - own_limit(W, w, mode) / rate : 0.0;
  return fabs(by) < 1e-3 ? by : 0.0;
}

/* The other phase is changed by what one cannot be corrected by: the rate that is given stays, or, where the pressure is given,
 * the volume in the reservoir. A rate that is the well's own limit becomes that limit, and where nothing changes its volume
 * no well's volume is corrected. */
static void keep_job(const hp_wells *W, int w, int mode, bool rigid, const double q[HP_PHASES], double c[HP_PHASES]) {
  const bool injector = W->control[w].injector, given = hp_control_is_rate(mode) && W->shared[w] != mode;
  const bool own = rigid || given;
  if (rigid && hp_control_is_rate(mode) && mode != HP_CONTROL_RESV) c[0] = c[1] = 0.0;
  double weight[HP_PHASES];
  hp_control_weights(W, w, hp_control_is_rate(mode) ? mode : HP_CONTROL_RESV, weight);
  const double rate = weight[HP_OIL] * q[HP_OIL] + weight[HP_WATER] * q[HP_WATER];
  const double change = weight[HP_OIL] * c[HP_OIL] + weight[HP_WATER] * c[HP_WATER];
  for (int a = 0; a < HP_PHASES && own && rate != 0.0; ++a)
    if (weight[a] > 0.0) c[a] -= change * q[a] / rate;
  for (int a = 0; a < HP_PHASES && given && !rigid; ++a) c[a] += missed(W, w, mode, q) * q[a];
  double lost = 0.0;
  for (int a = 0; a < HP_PHASES; ++a) {
    const double wanted = c[a];
    c[a] = within_job(injector, q[a], wanted);
    lost += weight[a] * (wanted - c[a]);
  }
  for (int a = 0; a < HP_PHASES; ++a) {
    const double now = c[a];
    if (weight[a] > 0.0) c[a] = within_job(injector, q[a], now + lost / weight[a]);
    lost -= weight[a] * (c[a] - now);
  }
}

/* The share of a correction that takes a quantity from `now` to `then` and leaves it at `limit`, or where it is if that is beyond. */
static double share_within(double limit, double now, double then, double size) {
  const double most = fmax(limit, now);
  return then > most + 1e-9 * size ? (most - now) / (then - now) : 1.0;
}

/* As much of a correction as keeps the limits of well w. */
static void keep_limits(const hp_sim *S, int w, double c[HP_PHASES]) {
  const hp_wells *W = S->wells;
  const double *q = S->flow[w].rate;
  double share = 1.0;
  const double then[HP_PHASES] = {q[0] - c[0], q[1] - c[1]};
  for (int k = HP_CONTROL_ORAT; k < HP_CONTROL_COUNT; ++k) {
    const double limit = own_limit(W, w, k);
    if (limit >= 0.0)
      share = fmin(share, share_within(limit, hp_control_rate(W, w, k, q), hp_control_rate(W, w, k, then), limit));
  }
  for (int a = 0; a < HP_PHASES; ++a) c[a] *= share;
}

/* Of both phases, so far and in this step [m3]. */
static double volume_through(const hp_sim *S, int w, double dt) {
  const hp_flow *f = &S->totals[w];
  double sum = 0.0;
  for (int a = 0; a < HP_PHASES; ++a)
    sum += f->total[a] + f->injection_total[a] + dt * hp_well_efficiency(S->wells, w) * fabs(S->flow[w].rate[a]);
  return sum;
}

/* The part of a correction upwards that is made in a step in which the rate falls, as far as it falls exponentially: with x = k dt,
 * the error of backward Euler is 1/(1+x) - exp(-x), and the estimate of it x^2 / (2 (1+x)). The square of
 * that part, for what is too much could not be made up for by a well that runs dry. */
static double raised_part(const hp_sim *S, int w) {
  const double *q = S->flow[w].rate, *before = S->corrected.well[w].before;
  const double now = fabs(q[0] + q[1]), then = fabs(before[0] + before[1]), x = now > 0.0 ? then / now - 1.0 : INFINITY;
  if (x > 1e3) return 0.0;
  const double part = x > 1e-3 ? 2.0 * (1.0 - (1.0 + x) * exp(-x)) / (x * x) : 1.0;
  return part * part;
}

static void correct_well(const hp_sim *S, int w, double dt, bool rigid, double c[HP_PHASES]) {
  const hp_wells *W = S->wells;
  const hp_corrected_well *well = &S->corrected.well[w];
  const double *q = S->flow[w].rate;
  const double most = HP_CORRECTED_MOST * volume_through(S, w, dt);
  for (int a = 0; a < HP_PHASES; ++a)
    c[a] = (fmax(-most, fmin(most, well->error[a])) - well->taken[a]) / (dt * hp_well_efficiency(W, w));
  const double part = raised_part(S, w);
  for (int a = 0; a < HP_PHASES; ++a)
    if ((q[a] > 0.0) == (c[a] < 0.0)) c[a] *= part;
  keep_job(W, w, S->flow[w].mode, rigid, q, c);
  keep_limits(S, w, c);
}

/* The selected group's rate under `control` of producers or injectors, of rates less `share` of c. */
static double group_rate(const hp_sim *S, bool injectors, int control, double share, const double (*c)[HP_PHASES]) {
  const hp_wells *W = S->wells;
  double sum = 0.0;
  for (int w = 0; w < W->nwell; ++w) {
    if (W->control[w].injector != injectors || S->flow[w].mode == HP_CONTROL_SHUT) continue;
    const double *q = S->flow[w].rate;
    const double rate[HP_PHASES] = {q[0] - share * c[w][0], q[1] - share * c[w][1]};
    sum += W->part[w].efficiency * hp_control_rate(W, w, control, rate);
  }
  return sum;
}

/* The share of all corrections that keeps a rate of the group at `target`, or at `part` times what is produced of it. */
static double group_share(const hp_sim *S, bool injectors, int control, double target, double part,
                          const double (*c)[HP_PHASES]) {
  double now = group_rate(S, injectors, control, 0.0, c), then = group_rate(S, injectors, control, 1.0, c);
  const double size = 1e3 * fmax(fabs(now), target); /* shares of targets are not more exact than 1e-5 of them */
  if (part > 0.0) {
    now -= part * group_rate(S, false, control, 0.0, c);
    then -= part * group_rate(S, false, control, 1.0, c);
  }
  if (now > target + 1e-6 * size) return 1.0; /* wells that take no part exceed it */
  return share_within(target, now, then, size);
}

/* Wells that share targets make up for what corrections take a rate of the group g to beyond `target` and `part` of what is produced. */
static void keep_target(const hp_sim *S, int g, bool injectors, int control, double target, double part,
                        double (*c)[HP_PHASES]) {
  const hp_wells *W = S->wells;
  const double(*of)[HP_PHASES] = (const double(*)[HP_PHASES])c;
  double shared = 0.0, now = group_rate(S, injectors, control, 0.0, of),
         then = group_rate(S, injectors, control, 1.0, of);
  if (isnan(target) || isnan(part)) return;
  if (part > 0.0) {
    now -= part * group_rate(S, false, control, 0.0, of);
    then -= part * group_rate(S, false, control, 1.0, of);
  }
  for (int w = 0; w < W->nwell; ++w)
    if (hp_corrected_shares(S, w, injectors) && W->part[w].of == g)
      shared += W->part[w].efficiency * hp_control_rate(W, w, control, S->flow[w].rate);
  const bool met = fabs(now - target) <= 1e-4 * shared;
  const double excess = fmax(0.0, then - fmax(target, now)) - (met ? fmax(0.0, now - then) : 0.0);
  const double share = shared > 0.0 ? fmax(-1.0, fmin(1.0, excess / shared)) : 0.0;
  for (int w = 0; w < W->nwell && share != 0.0; ++w)
    if (hp_corrected_shares(S, w, injectors) && W->part[w].of == g) {
      for (int a = 0; a < HP_PHASES; ++a)
        c[w][a] = within_job(injectors, S->flow[w].rate[a], c[w][a] + share * S->flow[w].rate[a]);
      keep_limits(S, w, c[w]);
    }
}

/* X(injectors, control, target, part of what is produced), of hp_group_control *f. */
#define TARGET_LIST(X)                                           \
  X(false, HP_CONTROL_ORAT, f->production[HP_CONTROL_ORAT], 0.0) \
  X(false, HP_CONTROL_WRAT, f->production[HP_CONTROL_WRAT], 0.0) \
  X(false, HP_CONTROL_LRAT, f->production[HP_CONTROL_LRAT], 0.0) \
  X(false, HP_CONTROL_RESV, f->production[HP_CONTROL_RESV], 0.0) \
  X(true, HP_CONTROL_WRAT, f->injection_rate, 0.0)               \
  X(true, HP_CONTROL_RESV, f->injection_volume, 0.0)             \
  X(true, HP_CONTROL_WRAT, 0.0, f->reinjection)                  \
  X(true, HP_CONTROL_RESV, 0.0, f->voidage)

/* Injection that is a part of what is produced follows what that is corrected to, after the production itself. */
static void keep_targets(const hp_sim *S, double (*c)[HP_PHASES]) {
  for (int n = 0; n < S->groups.count; ++n) {
    const int g = S->groups.order[n];
    const hp_group_control *f = &S->groups.of[g].control;
    if (!hp_group_has_targets(f)) continue;
    hp_group_select(S->wells, &S->groups, g);
#define KEEP(injectors, control, target, part) keep_target(S, g, injectors, control, target, part, c);
    TARGET_LIST(KEEP)
#undef KEEP
  }
}

static double share_of_groups(const hp_sim *S, const double (*c)[HP_PHASES]) {
  double share = 1.0;
  for (int g = 0; g < S->groups.count; ++g) {
    const hp_group_control *f = &S->groups.of[g].control;
    if (!hp_group_has_targets(f)) continue;
    hp_group_select(S->wells, &S->groups, g);
#define LEAST(injectors, control, target, part) \
  if (!isnan(target) && !isnan(part)) share = fmin(share, group_share(S, injectors, control, target, part, c));
    TARGET_LIST(LEAST)
#undef LEAST
  }
  return share;
}

/* The bottom-hole pressure at the end of the step, within its limit; at a tubing-head pressure that of the corrected rates. */
static void correct_bhp(const hp_wells *W, int w, hp_step_well *row) {
  const double limit = W->control[w].limit[HP_CONTROL_BHP], bhp = row->bhp - row->bhp_error;
  const bool injector = W->control[w].injector, lifted = hp_well_has_thp(W, w) && hp_well_flows(W, w, row->rate);
  double by[HP_PHASES];
  if (row->mode == HP_CONTROL_THP && lifted) row->bhp = hp_lift_asked(W, w, row->rate, by);
  if (!hp_control_is_rate(row->mode)) return;
  row->bhp = injector ? fmin(bhp, fmax(limit, row->bhp)) : fmax(bhp, fmin(limit, row->bhp));
  if (!lifted) return;
  const double asked = hp_lift_asked(W, w, row->rate, by);
  row->bhp = injector ? fmin(row->bhp, asked) : fmax(row->bhp, asked);
}

/* Nothing changes its volume, as far as numbers tell. */
static bool is_rigid(const hp_step_corrected *c) {
  return fabs(c->by_pressure[HP_OIL] + c->by_pressure[HP_WATER]) <= 1e-13 * (c->mass[HP_OIL] + c->mass[HP_WATER]);
}

/* The most [m3] that corrections may change what is in place by: a tenth of the mean pressure. What changes it more is no small
 * error, for which the estimate holds. */
static double most_volume(const hp_sim *S, const hp_step_corrected *c) {
  const double by_pressure = c->by_pressure[HP_OIL] + c->by_pressure[HP_WATER];
  if (is_rigid(c)) return INFINITY;
  return 0.1 * by_pressure * fmax(fabs(S->now.pressure), 1e7);
}

/* Volumes in the reservoir of surface volumes, a mean over the wells [-]. */
static void mean_volumes(const hp_wells *W, double b[HP_PHASES]) {
  b[HP_OIL] = b[HP_WATER] = 1.0;
  for (int w = 0; w < W->nwell; ++w)
    for (int a = 0; a < HP_PHASES; ++a) b[a] += (W->resv[HP_PHASES * w + a] - b[a]) / (w + 1);
}

/* The share of the step's corrections that keeps what all of them take from what is in place below `most`. */
static double share_of_volume(const hp_sim *S, double dt, const double (*c)[HP_PHASES], double most) {
  double now = 0.0, more = 0.0, b[HP_PHASES];
  mean_volumes(S->wells, b);
  for (int w = 0; w < S->wells->nwell; ++w)
    for (int a = 0; a < HP_PHASES; ++a) {
      now += b[a] * S->corrected.well[w].taken[a];
      more += b[a] * dt * hp_well_efficiency(S->wells, w) * c[w][a];
    }
  for (int n = 0; S->aquifers != NULL && n < S->aquifers->count; ++n) {
    now -= b[HP_WATER] * S->corrected.aquifer[n].taken;
    more -= b[HP_WATER] * (S->aquifers->state[n].error - S->corrected.aquifer[n].taken);
  }
  return fmin(share_within(most, now, now + more, most), share_within(most, -now, -now - more, most));
}

/* The masses in place after the step: what has not gone through wells and aquifers by what is reported, so that what Newton's
 * method left over is made up for; where nothing is compressible it is not. */
static void find_target(const hp_sim *S, double dt, double mass[HP_PHASES]) {
  const hp_aquifers *A = S->aquifers;
  const bool rigid = S->newton.softness > 0.0;
  for (int a = 0; a < HP_PHASES; ++a) mass[a] = rigid ? S->now.mass[a] : S->start.mass[a];
  for (int w = 0; w < S->wells->nwell; ++w)
    for (int a = 0; a < HP_PHASES; ++a)
      mass[a] += rigid ? S->corrected.well[w].taken[a]
                       : S->totals[w].injection_total[a] - S->totals[w].total[a] -
                             dt * hp_well_efficiency(S->wells, w) * S->flow[w].rate[a];
  for (int n = 0; A != NULL && n < A->count; ++n)
    mass[HP_WATER] += (rigid ? 0.0 : A->state[n].influx) - S->corrected.aquifer[n].taken;
}

/* A volume that is missing in place [m3 in the reservoir] for the pressures of the correction is that of wells whose pressure is given,
 * as far as they make up for it in the step: what the loose solve leaves over would else be a change of all pressures. It changes
 * them by missing / (C + J dt), with what the reservoir gives by pressure, C, and its wells by their drawdowns, J; in a short step,
 * whose leftovers are as large a part of the flow, only the pressures. */
static void keep_pressure(const hp_sim *S, double dt, const hp_step_corrected *whole, double missing,
                          double (*c)[HP_PHASES]) {
  const hp_wells *W = S->wells;
  double flow = 0.0, by_wells = 0.0;
  for (int w = 0; w < W->nwell; ++w) {
    const double *b = &W->resv[HP_PHASES * w], of = dt * hp_well_efficiency(W, w);
    for (int a = 0; a < HP_PHASES; ++a) {
      missing -= b[a] * of * c[w][a];
      const double given = S->flow[w].mode == HP_CONTROL_BHP ? b[a] * of * fabs(S->flow[w].rate[a]) : 0.0;
      flow += given;
      by_wells += given / fmax(1.0, fabs(S->now.pressure - S->flow[w].bhp));
    }
  }
  if (!(flow > 0.0)) return;
  const double part = by_wells / (by_wells + whole->by_pressure[HP_OIL] + whole->by_pressure[HP_WATER]);
  const double most = 0.005, share = fmax(-most, fmin(most, part * missing / flow)); /* more is not of the solve */
  for (int w = 0; w < W->nwell; ++w) {
    if (S->flow[w].mode != HP_CONTROL_BHP || raised_part(S, w) < 0.9) continue;
    for (int a = 0; a < HP_PHASES; ++a)
      c[w][a] = within_job(W->control[w].injector, S->flow[w].rate[a], c[w][a] + share * fabs(S->flow[w].rate[a]));
    keep_limits(S, w, c[w]);
  }
}

/* Reservoir volume [m3] of what the correction adds to what is in place, beyond what wells and aquifers have been corrected by. */
static double missing_volume(const hp_sim *S, double dt, const hp_step_corrected *whole) {
  double mass[HP_PHASES], b[HP_PHASES], sum = 0.0;
  find_target(S, dt, mass);
  mean_volumes(S->wells, b);
  for (int a = 0; a < HP_PHASES; ++a) sum += b[a] * (whole->mass[a] - mass[a]);
  for (int n = 0; S->aquifers != NULL && n < S->aquifers->count; ++n)
    sum += b[HP_WATER] * (S->aquifers->state[n].error - S->corrected.aquifer[n].taken);
  return sum;
}

static hp_status correct_wells(hp_sim *S, double dt, bool trusted, double most, const hp_step_corrected *whole) {
  const hp_wells *W = S->wells;
  double(*c)[HP_PHASES] = NULL;
  HP_TRY(HP_ALLOC(c, W->nwell));
  for (int w = 0; w < W->nwell && trusted; ++w) correct_well(S, w, dt, isinf(most), c[w]);
  if (trusted && !isinf(most)) { /* a volume that changes has to go somewhere */
    keep_targets(S, c);
    keep_pressure(S, dt, whole, missing_volume(S, dt, whole), c);
    keep_targets(S, c);
  }
  const double(*all)[HP_PHASES] = (const double(*)[HP_PHASES])c;
  const double share = fmin(share_of_groups(S, all), share_of_volume(S, dt, all, most));
  for (int w = 0; w < W->nwell; ++w) {
    hp_corrected_well *well = &S->corrected.well[w];
    hp_step_well *row = &S->flow[w];
    for (int a = 0; a < HP_PHASES; ++a) {
      well->before[a] = row->rate[a];
      well->taken[a] += dt * hp_well_efficiency(W, w) * share * c[w][a];
      row->rate[a] -= share * c[w][a];
    }
    correct_bhp(W, w, row);
  }
  for (int n = 0; trusted && S->aquifers != NULL && n < S->aquifers->count; ++n) {
    hp_corrected_aquifer *of = &S->corrected.aquifer[n];
    of->taken += share * (S->aquifers->state[n].error - of->taken);
  }
  HP_FREE(c);
  return HP_OK;
}

double hp_corrected_share(const hp_sim *S, int w, int phase) {
  const double before = S->corrected.well[w].before[phase];
  return S->time_error.on && before != 0.0 ? S->flow[w].rate[phase] / before : 1.0;
}

void hp_corrected_report_aquifers(hp_sim *S) {
  const hp_aquifers *A = S->aquifers;
  for (int n = 0; A != NULL && n < A->count; ++n) {
    hp_aquifer_state *state = &S->corrected.state[n];
    const double taken = S->corrected.aquifer[n].taken, rate = state->rate;
    *state = A->state[n];
    state->influx -= taken;
    state->rate = rate;
    if (A->aquifer[n].kind == HP_AQUIFER_FETKOVICH) state->pressure += taken / A->aquifer[n].storage;
  }
}

void hp_corrected_aquifers(hp_sim *S, double dt) {
  const hp_aquifers *A = S->aquifers;
  for (int n = 0; A != NULL && n < A->count; ++n) {
    hp_aquifer_state *state = &S->corrected.state[n];
    state->rate = (A->state[n].influx - S->corrected.aquifer[n].taken - state->influx) / dt;
  }
  hp_corrected_report_aquifers(S);
}

/* ---- the state ---- */

/* The phase that there is less of: where nothing is compressible one share makes up for one phase, and what volumes do not balance
 * by is less of the other. */
static int lesser(const double mass[HP_PHASES]) { return mass[HP_OIL] < mass[HP_WATER] ? HP_OIL : HP_WATER; }

/* The share of one sign's corrections to be added, and the change of all pressures, that make up for masses `off`. */
static bool solve(const hp_step_corrected *c, const double by_share[HP_PHASES], const double off[HP_PHASES],
                  double *pressure, double *share) {
  const double *by_pressure = c->by_pressure;
  const double one = by_pressure[HP_OIL] * by_share[HP_WATER], other = by_pressure[HP_WATER] * by_share[HP_OIL];
  *pressure = *share = 0.0;
  if (by_share[HP_WATER] == 0.0) return false;
  if (is_rigid(c)) {
    const int a = lesser(c->mass);
    *share = off[a] / by_share[a];
  } else {
    *share = (by_pressure[HP_OIL] * off[HP_WATER] - by_pressure[HP_WATER] * off[HP_OIL]) / (one - other);
    *pressure = (off[HP_OIL] * by_share[HP_WATER] - off[HP_WATER] * by_share[HP_OIL]) / (one - other);
  }
  return *share <= 0.0 && *share >= -1.0;
}

/* The whole correction, less of it in the cells where there is too much for the masses of both phases to be those of the
 * balance, with a change of all pressures. */
static hp_step_correction balance(const hp_step_corrected *c, const double mass[HP_PHASES]) {
  const double off[HP_PHASES] = {mass[0] - c->mass[0], mass[1] - c->mass[1]};
  double pressure, share;
  if (solve(c, c->by_rising, off, &pressure, &share))
    return (hp_step_correction){.pressure = pressure, .whole = 1.0, .rising = 1.0 + share, .falling = 1.0};
  if (solve(c, c->by_falling, off, &pressure, &share))
    return (hp_step_correction){.pressure = pressure, .whole = 1.0, .rising = 1.0, .falling = 1.0 + share};
  return (hp_step_correction){.whole = 1.0, .rising = 1.0, .falling = 1.0};
}

/* Saturations rise (side 1) or fall (-1) by a share of what they may, for what corrections and pressures cannot make up for:
 * a step of Newton's method from the state that is shown, at most half of the way to the end. False: they cannot. */
static bool spread(const hp_step_corrected *now, int side, const double off[HP_PHASES], hp_step_correction *of) {
  const double *room = side > 0 ? now->by_rising : now->by_falling, *by_pressure = now->by_pressure;
  const double gone = fabs(of->spread), by[HP_PHASES] = {room[0] / (1.0 - gone), room[1] / (1.0 - gone)};
  const double size = by_pressure[HP_OIL] * by[HP_WATER] - by_pressure[HP_WATER] * by[HP_OIL];
  if (of->spread * side < 0.0 || by[HP_WATER] == 0.0) return false;
  const double share = is_rigid(now)
                           ? off[lesser(now->mass)] / by[lesser(now->mass)]
                           : (by_pressure[HP_OIL] * off[HP_WATER] - by_pressure[HP_WATER] * off[HP_OIL]) / size;
  const double then = side * (of->spread + share);
  if (then <= 0.0 && of->spread == 0.0) return false;
  of->spread = side * fmax(0.0, fmin(0.5 * (1.0 + gone), then));
  if (!is_rigid(now)) of->pressure += (off[HP_OIL] * by[HP_WATER] - off[HP_WATER] * by[HP_OIL]) / size;
  return true;
}

/* Where no saturation may change there is one phase alone: by the pressure. */
static void make_up(const hp_step_corrected *now, const hp_step_report *shown, const double mass[HP_PHASES],
                    hp_step_correction *of) {
  const double off[HP_PHASES] = {mass[0] - shown->in_place.mass[0], mass[1] - shown->in_place.mass[1]};
  if (spread(now, 1, off, of) || spread(now, -1, off, of) || is_rigid(now)) return;
  of->pressure += (off[0] + off[1]) / (now->by_pressure[0] + now->by_pressure[1]);
}

static bool is_balanced(const hp_step_report *shown, const double mass[HP_PHASES]) {
  const double *now = shown->in_place.mass, both = mass[HP_OIL] + mass[HP_WATER];
  for (int a = 0; a < HP_PHASES; ++a) /* of next to nothing down to what rounding leaves */
    if (!(fabs(now[a] - mass[a]) <= 1e-9 * fmin(both, fmax(1e3 * mass[a], 1e-6 * both)))) return false;
  return true;
}

hp_status hp_corrected_step(hp_sim *S, double dt, double weight, const hp_step_report *error) {
  /* what to begin with where that was not balanced: without the correction, then with saturations that change everywhere */
  enum { TRIES = 8, STARTS = 4 };
  static const hp_step_correction start[STARTS] = {
      {.everywhere = 0}, {.everywhere = 1}, {.everywhere = 2}, {.everywhere = 0}};
  double mass[HP_PHASES];
  hp_step_report shown;
  add_errors(S, dt, weight);
  const hp_step_corrected *whole = &error->corrected;
  const double most = most_volume(S, whole), change = whole->mass[0] - S->now.mass[0] + whole->mass[1] - S->now.mass[1];
  const bool trusted = fabs(change) <= most,
             none = whole->by_rising[HP_WATER] == 0.0 && whole->by_falling[HP_WATER] == 0.0;
  if (S->wells->nlift > 0) HP_TRY(hp_backend_get(S->backend, HP_SET_WELLS));
  HP_TRY(correct_wells(S, dt, trusted, most, whole));
  hp_corrected_aquifers(S, dt);
  find_target(S, dt, mass);
  hp_step_correction correction = {.pressure = 0.0};
  if (trusted) correction = balance(whole, mass);
  correction.everywhere = none;
  HP_TRY(S->backend->ops->show(S->backend, &correction, &shown));
  for (int again = 0; again < TRIES * STARTS && !is_balanced(&shown, mass); ++again) {
    hp_step_report now;
    correction.measures = 1;
    HP_TRY(S->backend->ops->show(S->backend, &correction, &now));
    correction.measures = 0;
    for (int a = 0; a < HP_PHASES; ++a) now.corrected.mass[a] = shown.in_place.mass[a];
    if (again % TRIES == TRIES - 1) correction = start[again / TRIES];
    else make_up(&now.corrected, &shown, mass, &correction);
    HP_TRY(S->backend->ops->show(S->backend, &correction, &shown));
  }
  S->now = shown.in_place;
  return HP_OK;
}
