/* The part of wells in the error in time (sim/step/time_error.inl.h).
 *
 * A step has the mixture of a well, but its Jacobian does not differentiate it here; heads are those of the rates of the step before. Let
 * q be the rates of a perforation at the exact solution, and q_held those with mixture and heads held. Then
 *
 *     J d = e_old / dt + dt/2 m'' + (q - q_held)          error of the rate = dq_held/du d - (q - q_held)
 *
 * Mixture and heads of q belong to the rates at the end of this step less the errors of the step before. These differ from the errors
 * of this step by a quantity of second order.
 */
#ifndef HP_SIM_STEP_TIME_ERROR_WELLS_INL_H
#define HP_SIM_STEP_TIME_ERROR_WELLS_INL_H

#include "sim/step/step.h"
#include "wells/assembly.inl.h"
#include "wells/head.inl.h"

/* Share of a change of mixtures and densities that a step renews: they may answer what they make flow by more than themselves, the
 * other way. */
#define HP_TIME_ERROR_RENEW 0.3
/* The errors of rates, over the rates, up to which mixtures follow them. */
#define HP_TIME_ERROR_MOST 0.2

/* The rates of well w less their errors, in the place of these, in the direction that they have. A well that has been shut begins
 * anew. */
HP_INLINE HP_HD void hp_time_error_exact_rates(const hp_wells *W, int w) {
  const double rates = hp_well_gross(W, w);
  double errors = 0.0;
  for (int64_t q = W->begin[w]; q < W->begin[w + 1]; ++q) {
    if (!W->running[w]) W->mix_change[w] = W->density_change[q] = 0.0;
    for (int a = 0; a < HP_PHASES; ++a) {
      if (!W->running[w]) W->rate_error[HP_PHASES * q + a] = 0.0;
      errors += fabs(W->rate_error[HP_PHASES * q + a]);
    }
  }
  const double share = errors > HP_TIME_ERROR_MOST * rates ? HP_TIME_ERROR_MOST * rates / errors : 1.0;
  for (int64_t q = W->begin[w] * HP_PHASES; q < W->begin[w + 1] * HP_PHASES; ++q) {
    const double rate = W->rate[q / HP_PHASES].q[q % HP_PHASES], exact = rate - share * W->rate_error[q];
    W->rate_error[q] = (exact < 0.0) == (rate < 0.0) && rate != 0.0 ? exact : 0.0;
  }
}

/* The share of water in what flows from the reservoir, and for an injector from the surface, into well w with the exact rates, less
 * that with the step's; 0 where nothing flows out of the well. */
HP_INLINE HP_HD double hp_time_error_mixture(const hp_wells *W, int w) {
  double in[2][HP_PHASES] = {{0.0}}, out[2] = {0.0, 0.0}, share[2];
  for (int64_t q = W->begin[w]; q < W->begin[w + 1]; ++q)
    for (int a = 0; a < HP_PHASES; ++a) {
      const double rate[2] = {W->rate[q].q[a], W->rate_error[HP_PHASES * q + a]};
      for (int k = 0; k < 2; ++k) {
        if (rate[k] > 0.0) in[k][a] += rate[k];
        else out[k] -= rate[k];
      }
    }
  for (int k = 0; k < 2; ++k) {
    const double lacks = out[k] - in[k][HP_OIL] - in[k][HP_WATER];
    if (W->control[w].injector && lacks > 0.0) in[k][W->control[w].phase] += lacks;
    const double all = in[k][HP_OIL] + in[k][HP_WATER];
    if (!(out[k] > 0.0) || !(all > 0.0)) return 0.0;
    share[k] = in[k][HP_WATER] / all;
  }
  return share[1] - share[0];
}

/* q - q_held of the perforations of well w, in the place of the exact rates. */
HP_INLINE HP_HD void hp_time_error_held(const hp_reservoir *r, const hp_wells *W, int w) {
  if (hp_well_has_segments(W, w)) { /* heads are those of the step's end; mixtures are held */
    for (int64_t q = W->begin[w] * HP_PHASES; q < W->begin[w + 1] * HP_PHASES; ++q) W->rate_error[q] = 0.0;
    return;
  }
  const double *b = W->resv + HP_PHASES * w, *mix = W->mix + HP_PHASES * w, all = mix[HP_OIL] + mix[HP_WATER];
  const double water = all > 0.0 ? mix[HP_WATER] / all : 0.0, asked = all > 0.0 ? hp_time_error_mixture(W, w) : 0.0;
  double *change = &W->mix_change[w];
  *change = asked != 0.0 ? *change + HP_TIME_ERROR_RENEW * (asked - *change) : 0.0;
  const double volume = b[HP_OIL] + water * (b[HP_WATER] - b[HP_OIL]),
               next = volume + *change * (b[HP_WATER] - b[HP_OIL]);
  const double bulk = next > 0.0 ? volume / next : 1.0;
  const double mixed[HP_PHASES] = {bulk * (1.0 - water - *change) - (1.0 - water), bulk * (water + *change) - water};
  double depth = W->ref_depth[w], head = 0.0, lag = 0.0;
  hp_wellbore_densities(r, W, w, W->rate_error);
  for (int64_t q = W->begin[w]; q < W->begin[w + 1]; ++q) {
    const hp_perf_rate *rate = &W->rate[q];
    const double length = HP_GRAVITY * (W->depth[q] - depth);
    const double taken = rate->drawdown < 0.0 ? rate->q[HP_OIL] + rate->q[HP_WATER] : 0.0;
    W->density_change[q] += HP_TIME_ERROR_RENEW * (W->head[q] - W->density[q] - W->density_change[q]);
    lag += W->density_change[q] * length;
    head += W->density[q] * length;
    depth = W->depth[q];
    W->head[q] = head;
    for (int a = 0; a < HP_PHASES; ++a) W->rate_error[HP_PHASES * q + a] = rate->dbhp[a] * lag + taken * mixed[a];
  }
}

/* The right-hand side of well w's row: q - q_held of the rate that it is at. */
HP_INLINE HP_HD double hp_time_error_row(const hp_wells *W, int w) {
  const int mode = W->mode[w];
  double c[HP_PHASES], sum = 0.0;
  const bool crosses = hp_well_crossing(W, w) > 0.0;
  if (mode != HP_CONTROL_THP && !hp_control_is_rate(mode) && !crosses) return 0.0;
  if (crosses) c[HP_OIL] = c[HP_WATER] = 1.0;
  else hp_well_row_weights(W, w, c);
  for (int64_t q = W->begin[w]; q < W->begin[w + 1]; ++q)
    for (int a = 0; a < HP_PHASES; ++a) sum += c[a] * W->rate_error[HP_PHASES * q + a];
  return crosses ? -sum : -hp_well_row_factor(W, w, mode) * sum;
}

/* Part of the change of phase a's rate through perforation q that the row of its head has. */
HP_INLINE HP_HD double hp_time_error_by_head(const hp_step *S, int64_t q, int a) {
  const hp_wells *W = S->wells;
  return W->row[q] < 0 ? 0.0 : W->head_slope[HP_PHASES * q + a] * S->x[S->res->ncell * HP_PHASES + W->row[q]];
}

/* q - q_held of all perforations and the wells' rows, which hold the mixture here. Ends the step's rates; no barrier inside. */
HP_INLINE HP_HD void hp_time_error_wells(hp_team *t, const hp_step *S) {
  const hp_wells *W = S->wells;
  const int64_t rows = S->res->ncell * HP_PHASES;
  HP_TEAM_FOR(t, i, W->nwell) {
    const int w = (int)i;
    hp_time_error_exact_rates(W, w);
    W->running[w] = W->mode[w] != HP_CONTROL_SHUT;
    hp_time_error_held(S->res, W, w);
    S->b[rows + w] = hp_time_error_row(W, w);
    if (hp_control_is_rate(W->mode[w])) hp_well_row_rate(W, w, false, S->J, S->R + rows);
  }
  for (int64_t w = W->nwell + t->rank; hp_wells_have_segments(W) && w < W->nrow; w += t->size) S->b[rows + w] = 0.0;
}

/* Adds q - q_held to the right-hand sides of perforated cells: after a barrier behind both. */
HP_INLINE HP_HD void hp_time_error_perforations(hp_team *t, const hp_step *S) {
  const hp_wells *W = S->wells;
  HP_TEAM_FOR(t, n, W->ncell) {
    const int64_t m = W->perforated[n];
    for (int64_t i = W->perf_begin[n]; S->res->active[m] && i < W->perf_begin[n + 1]; ++i) {
      const int64_t q = W->perf_list[i];
      for (int a = 0; a < HP_PHASES; ++a)
        S->b[m * HP_PHASES + a] += S->res->scale[m * HP_PHASES + a] * hp_well_efficiency(W, W->of[q]) *
                                   W->rate_error[HP_PHASES * q + a];
    }
  }
}

/* The errors of well w's rates and bhp, with d = x. */
HP_INLINE HP_HD void hp_time_error_well(const hp_step *S, int w) {
  const hp_wells *W = S->wells;
  const double bhp = S->x[S->res->ncell * HP_PHASES + w];
  hp_step_well *out = &S->row[w];
  const double crossing = hp_well_crossing(W, w);
  out->bhp_error = crossing > 0.0 ? 0.0 : bhp;
  out->error[HP_OIL] = out->error[HP_WATER] = 0.0;
  for (int64_t q = W->begin[w]; q < W->begin[w + 1]; ++q) {
    const hp_perf_rate *rate = &W->rate[q];
    const double *cell = S->x + W->cell[q] * HP_PHASES;
    for (int a = 0; a < HP_PHASES; ++a) {
      double *error = &W->rate_error[HP_PHASES * q + a];
      *error = rate->dp[a] * cell[HP_P] + rate->ds[a] * cell[HP_S] + hp_perf_slope(W, q, a, crossing) * bhp - *error;
      if (hp_well_has_segments(W, w)) *error += hp_time_error_by_head(S, q, a);
      out->error[a] += *error;
    }
  }
}

#endif
