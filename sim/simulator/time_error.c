#include "sim/simulator/time_error.h"

#include <math.h>
#include <stdio.h>

#include "physics/compaction.h"
#include "sim/simulator/simulator.h"

double hp_time_error_weight(const hp_sim *S, double dt) {
  const hp_time_error *e = &S->time_error;
  if (!e->follows) return 0.0;
  /* the slope of this step gives the error of the one before it, too, unless that was much longer */
  const double ratio = fmin(e->deferred / dt, 3.0);
  return 1.0 + ratio * ratio;
}

/* Adds what went through the wells so far and in this step, out of the reservoir and into it [m3]. */
static void add_totals(const hp_sim *S, double dt, double out[HP_PHASES], double in[HP_PHASES]) {
  for (int w = 0; w < S->wells->nwell; ++w)
    for (int a = 0; a < HP_PHASES; ++a) {
      const double now = dt * hp_well_efficiency(S->wells, w) * S->flow[w].rate[a];
      out[a] += S->totals[w].total[a] + fmax(now, 0.0);
      in[a] += S->totals[w].injection_total[a] + fmax(-now, 0.0);
    }
}

/* How much the rates of the field's wells changed, in all that flows through wells; and what flowed. Injectors count
 * by `kept` (hp_step_sizes). Where next to nothing flows any more, of what has gone through wells so far a millionth in this
 * step counts as flowing, or of the pores what Newton's method may leave: rates that change for all that say nothing. */
static double rate_change(const hp_sim *S, double dt, double kept, double *flow) {
  double produced[HP_PHASES] = {0.0, 0.0}, injected[HP_PHASES] = {0.0, 0.0};
  double out[HP_PHASES] = {0.0, 0.0}, in[HP_PHASES] = {0.0, 0.0};
  *flow = 0.0;
  for (int w = 0; w < S->wells->nwell; ++w) {
    const double share = hp_well_efficiency(S->wells, w);
    double *change = S->wells->control[w].injector ? injected : produced;
    for (int a = 0; a < HP_PHASES; ++a) {
      const double q = S->flow[w].rate[a];
      *flow += share * fabs(q);
      change[a] += share * (q - S->corrected.well[w].before[a]);
    }
  }
  const double change = fabs(produced[HP_OIL]) + fabs(produced[HP_WATER]) +
                        kept * (fabs(injected[HP_OIL]) + fabs(injected[HP_WATER]));
  add_totals(S, dt, out, in);
  const double noise = (S->newton.softness > 0.0 ? 1e-8 : 1e-12) * S->res->total_pore_volume;
  const double least = fmax(noise, 1e-6 * (out[HP_OIL] + out[HP_WATER] + in[HP_OIL] + in[HP_WATER])) / dt;
  return *flow > 0.0 ? change / fmax(*flow, least) : 0.0;
}

/* Half of what the rates change by, for the whole step: all that is known of when in the step they do; and by what that differs from
 * the change of the step before. */
static void add_turns(hp_sim *S, double dt) {
  hp_time_error *e = &S->time_error;
  for (int w = 0; w < S->wells->nwell; ++w) {
    hp_corrected_well *well = &S->corrected.well[w];
    const int of = S->wells->control[w].injector ? 1 : 0;
    const double volume = dt * hp_well_efficiency(S->wells, w);
    for (int a = 0; a < HP_PHASES; ++a) {
      const double change = S->flow[w].rate[a] - well->before[a];
      e->turned[of][a] += 0.5 * volume * fabs(change);
      e->bent[of][a] += volume * fabs(change - dt * well->slope[a]);
      well->slope[a] = change / dt;
    }
  }
}

/* Errors of the volumes of all producers, and of all injectors. */
static void add_up_errors(hp_sim *S) {
  hp_time_error *e = &S->time_error;
  for (int a = 0; a < HP_PHASES; ++a) e->produced[a] = e->injected[a] = 0.0;
  for (int w = 0; w < S->wells->nwell; ++w)
    for (int a = 0; a < HP_PHASES; ++a) {
      const double error = S->corrected.well[w].error[a];
      if (S->wells->control[w].injector) e->injected[a] -= error;
      else e->produced[a] += error;
    }
}

/* The step's errors of wells, as far as the estimate does not know their causes. */
static void add_unknown(hp_sim *S) {
  bool shares = false, follows = false;
  for (int w = 0; w < S->wells->nwell; ++w) {
    const bool injector = S->wells->control[w].injector, share = hp_corrected_shares(S, w, injector);
    shares = shares || share;
    const hp_group_control *f = &S->groups.of[S->wells->part[w].of].control;
    follows = follows || (share && injector && !(isnan(f->reinjection) && isnan(f->voidage)));
  }
  const double unknown = (shares ? HP_TIME_ERROR_SHARES : 0.0) + (follows ? HP_TIME_ERROR_FOLLOWS : 0.0) +
                         (hp_arrays_of_fluids(&S->c->fluid) != 0 ? HP_TIME_ERROR_STAYS : 0.0);
  for (int w = 0; w < S->wells->nwell; ++w)
    for (int a = 0; a < HP_PHASES; ++a)
      S->time_error.unknown[S->wells->control[w].injector ? 1 : 0][a] += unknown * fabs(S->corrected.well[w].made[a]);
}

/* Sizes of what was produced so far. The error is the larger of both phases', in what was produced of it, or in half of
 * all: where the first drops of a phase come, their error says little of that of the total to come. What is injected
 * counts as far as it stays: in a flood its errors are those of what is produced once more. */
static void size_volumes(const hp_sim *S, double dt, hp_step_sizes *sizes) {
  const hp_time_error *e = &S->time_error;
  double out[HP_PHASES] = {0.0, 0.0}, in[HP_PHASES] = {0.0, 0.0}, worst = 0.0;
  add_totals(S, dt, out, in);
  const double produced = out[HP_OIL] + out[HP_WATER], injected = in[HP_OIL] + in[HP_WATER];
  const double kept = injected > produced ? 1.0 - produced / injected : 0.0;
  for (int a = 0; a < HP_PHASES; ++a) {
    if (produced > 0.0) worst = fmax(worst, fabs(e->produced[a]) / fmax(out[a], 0.4 * produced));
    if (injected > 0.0) worst = fmax(worst, kept * fabs(e->injected[a]) / injected);
  }
  sizes->error = worst;
  sizes->kept = kept;
  sizes->both = produced > 0.0 ? fmin(out[HP_OIL], out[HP_WATER]) / produced : 0.0;
}

/* Of the solve, over that of Newton's systems. */
static double tolerance(const hp_sim *S) {
  const double part = S->linear.uses_cpr ? 1.0 : S->time_error.sizes.volume / HP_TIME_ERROR_SHORT;
  return HP_TIME_ERROR_TOLERANCE * fmax(0.01, fmin(1.0, part * part));
}

hp_status hp_time_error_step(hp_sim *S, double dt, double weight, int newton, const hp_step_report *step) {
  hp_time_error *e = &S->time_error;
  hp_krylov_report k;
  if (!e->on) {
    hp_corrected_aquifers(S, dt);
    return HP_OK;
  }
  k.iterations = 0;
  hp_step_report carried;
  double flow;
  e->sizes.rates = rate_change(S, dt, e->sizes.kept, &flow);
  /* what goes in and what comes out are the same volume twice, and so are the phases that a cell exchanges */
  const double moved = fmax(0.5 * fmax(flow * dt, step->moved) / S->res->total_pore_volume, 1e-9);
  e->moved += moved;
  e->sizes.volume = moved / cbrt(e->moved);
  HP_TRY(S->backend->ops->error(S->backend, dt, newton > 0, tolerance(S), S->flow, S->corrected.influx, &k, &carried));
  e->linear += newton > 0 ? k.iterations : 0;
  add_turns(S, dt);
  HP_TRY(hp_corrected_step(S, dt, weight, &carried));
  add_up_errors(S);
  add_unknown(S);
  for (int i = 0; i < 2; ++i)
    for (int a = 0; a < HP_PHASES; ++a)
      e->corrected_most[i][a] = fmax(e->corrected_most[i][a], fabs(hp_time_error_correction(S, i == 1, a)));
  size_volumes(S, dt, &e->sizes);
  e->sizes.known = e->follows;
  e->deferred = e->follows ? 0.0 : dt;
  e->follows = true;
  return HP_OK;
}

/* ---- changes by the schedule ---- */

static double total_rate(const hp_sim *S, int w) {
  double sum = 0.0;
  for (int a = 0; a < HP_PHASES; ++a) sum += fabs(S->totals[w].rate[a]) + fabs(S->totals[w].injection_rate[a]);
  return sum;
}

/* Share of its rate that well w may lose or gain. */
static double change_of(const hp_well_control *before, const hp_well_control *after) {
  if (before->control != after->control || before->injector != after->injector) return 1.0;
  if (after->control == HP_CONTROL_SHUT) return 0.0;
  const double from = before->limit[after->control], to = after->limit[after->control];
  if (from == to) return 0.0;
  /* a pressure: by the drawdown, which is some tenths of it */
  const double share = fabs(to - from) / fmax(fabs(from), fabs(to)) * (hp_control_is_rate(after->control) ? 1.0 : 5.0);
  return fmin(share, 1.0);
}

/* Well w becomes an injector or a producer: its corrections so far are those of what it did before. */
static void change_job(hp_sim *S, int w, bool injector) {
  for (int a = 0; a < HP_PHASES; ++a) {
    const double taken = S->corrected.well[w].taken[a];
    S->time_error.dropped[injector ? 0 : 1][a] += fabs(S->corrected.well[w].error[a] - taken);
    S->time_error.past[injector ? 0 : 1][a] += taken;
    S->time_error.past[injector ? 1 : 0][a] -= taken;
  }
}

void hp_time_error_event(hp_sim *S, int w, const hp_well_control *control) {
  const hp_well_control *before = &S->wells->deck_control[w];
  double all = 0.0;
  if (control->injector != S->wells->control[w].injector) change_job(S, w, control->injector);
  for (int v = 0; v < S->wells->nwell; ++v) all += total_rate(S, v);
  /* one that was shut: an average well */
  double rate = total_rate(S, w);
  if (before->control == HP_CONTROL_SHUT) rate = fmax(rate, all / S->wells->nwell);
  hp_time_error_jump(S, all > 0.0 ? change_of(before, control) * rate / all : change_of(before, control));
}

void hp_time_error_limit(hp_sim *S, int w) {
  for (int a = 0; a < HP_PHASES; ++a)
    S->time_error.shut[a] += S->dt * hp_well_efficiency(S->wells, w) * fmax(0.0, S->flow[w].rate[a]);
}

void hp_time_error_jump(hp_sim *S, double share) { S->time_error.jump = fmin(1.0, S->time_error.jump + share); }

void hp_time_error_shorten(hp_sim *S) {
  hp_time_error *e = &S->time_error;
  if (!e->on || !(e->jump > 0.0)) return;
  if (S->timestep.accuracy < 1.0)
    S->suggested_dt = fmax(S->timestep.min, S->suggested_dt / (1.0 + HP_TIMESTEP_JUMP * e->jump));
  e->follows = false;
  e->jump = 0.0;
}

/* ---- what is said ---- */

static double all_of(const double both[2][HP_PHASES]) {
  return both[0][HP_OIL] + both[0][HP_WATER] + both[1][HP_OIL] + both[1][HP_WATER];
}

/* The volumes of the field's wells so far, as reported: produced, [0], and injected, [1]. */
static void find_totals(const hp_sim *S, double total[2][HP_PHASES]) {
  const hp_flow f = hp_sim_field_flow(S);
  for (int a = 0; a < HP_PHASES; ++a) {
    total[0][a] = f.total[a];
    total[1][a] = f.injection_total[a];
  }
}

double hp_time_error_whole(const hp_sim *S, bool injectors, int phase) {
  double total[2][HP_PHASES];
  find_totals(S, total);
  const double whole = total[injectors ? 1 : 0][phase];
  return whole > 1e-5 * all_of((const double(*)[HP_PHASES])total) ? whole : 0.0;
}

/* The volume in doubt by where in a step rates turn, of second order in their part: that of the phase or, because one changes the
 * others, that of all. */
static double by_turns(const hp_sim *S, bool injectors, int phase) {
  const hp_time_error *e = &S->time_error;
  double total[2][HP_PHASES];
  find_totals(S, total);
  const double own = total[injectors ? 1 : 0][phase], all = all_of((const double(*)[HP_PHASES])total);
  if (!(own > 0.0)) return 0.0;
  const double of_all = all_of(e->turned) / all, part = fmax(e->turned[injectors ? 1 : 0][phase] / own, of_all);
  return own * fmin(1.0, HP_TIME_ERROR_TURNS_ALL * of_all * of_all +
                             HP_TIME_ERROR_TURNS * part * part * fmax(1.0, part / HP_TIME_ERROR_SMALL));
}

double hp_time_error_left(const hp_sim *S, bool injectors, int phase) {
  const hp_time_error *e = &S->time_error;
  const int of = injectors ? 1 : 0;
  double rest = 0.0;
  for (int w = 0; w < S->wells->nwell; ++w) {
    const hp_corrected_well *well = &S->corrected.well[w];
    if (S->wells->control[w].injector == injectors) rest += well->error[phase] - well->taken[phase];
  }
  return HP_TIME_ERROR_LEFT * e->corrected_most[of][phase] + HP_TIME_ERROR_REST * fabs(rest) +
         HP_TIME_ERROR_DROPPED * e->dropped[of][phase] + e->unknown[of][phase] +
         HP_TIME_ERROR_BENDS * e->bent[of][phase] + by_turns(S, injectors, phase) +
         (injectors ? 0.0 : HP_TIME_ERROR_SHUT * e->shut[phase]);
}

double hp_time_error_correction(const hp_sim *S, bool injectors, int phase) {
  double sum = -S->time_error.past[injectors ? 1 : 0][phase];
  for (int w = 0; w < S->wells->nwell; ++w)
    if (S->wells->control[w].injector == injectors) sum -= S->corrected.well[w].taken[phase];
  return injectors ? -sum : sum;
}

static int add_phase(char *out, size_t size, const char *format, double error, double whole, const char *name,
                     bool first) {
  int n = 0;
  if (!(whole > 0.0)) return 0;
  if (!first) n = snprintf(out, size, ", ");
  n += snprintf(out + n, size - (size_t)n, format, 100.0 * error / whole);
  return n + snprintf(out + n, size - (size_t)n, " %% of %s", name);
}

void hp_time_error_text(const hp_sim *S, char *out, size_t size) {
  if (!S->time_error.on) {
    snprintf(out, size, "not estimated (timestep.accuracy = 0)");
    return;
  }
  static const char *const name[HP_PHASES] = {[HP_OIL] = "oil", [HP_WATER] = "water"};
  const bool injectors = !(hp_time_error_whole(S, false, HP_OIL) > 0.0 ||
                           hp_time_error_whole(S, false, HP_WATER) > 0.0);
  char left[96] = "", by[96] = "";
  int n = 0, m = 0;
  for (int a = 0; a < HP_PHASES; ++a) {
    const double whole = hp_time_error_whole(S, injectors, a);
    n += add_phase(left + n, sizeof left - (size_t)n, "%.2g", hp_time_error_left(S, injectors, a), whole, name[a],
                   n == 0);
    m += add_phase(by + m, sizeof by - (size_t)m, "%+.2g", hp_time_error_correction(S, injectors, a), whole, name[a],
                   m == 0);
  }
  if (n == 0) snprintf(out, size, "nothing flowed through wells");
  else
    snprintf(out, size, "within about %s %s, after a correction of %s", left, injectors ? "injected" : "produced", by);
}
