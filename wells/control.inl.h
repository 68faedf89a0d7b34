/* The control that a well obeys: targets, limits and the switch between them.
 *
 * A well has one control in force and may have limits for the others. With the
 * pressures and mobilities of the cells held, every rate of a producer falls with
 * its bhp and every rate of an injector grows with it. So of the bottom-hole
 * pressures that belong to its controls only one keeps them all: a producer's
 * highest, an injector's lowest. hp_control_choose finds whose it is. It looks at
 * the cells alone, not at the bhp and rates that Newton's method has come to, which
 * belong together only once it has converged. A tubing-head pressure is one more: its
 * bhp is that of wells/lift.inl.h.
 *
 * A control that a well has left in a time step it does not take up again by
 * itself: a rate with limits on both sides is flat at both ends, and Newton's method
 * may jump from one to the other for ever. The step is not accepted before
 * hp_control_excess is small for every well; once all else has converged, a well that
 * is beyond a limit goes to the control that governs, one well at a time
 * (well_to_retry in sim/newton/newton.c), and the iteration goes on. docs/developer/method.md has the
 * reasons.
 */
#ifndef HP_WELLS_CONTROL_INL_H
#define HP_WELLS_CONTROL_INL_H

#include "wells/lift.inl.h"
#include "wells/wells.h"

/* Sum over the well's perforations of each phase [m3/s], positive out of the reservoir. */
HP_INLINE HP_HD void hp_well_total(const hp_wells *W, int w, double q[HP_PHASES]) {
  q[HP_OIL] = q[HP_WATER] = 0.0;
  for (int64_t i = W->begin[w]; i < W->begin[w + 1]; ++i)
    for (int a = 0; a < HP_PHASES; ++a) q[a] += W->rate[i].q[a];
}

/* Weights c_a of a rate control: the controlled rate is sum c_a q_a. What an
 * injector takes from the surface is all that flows out of it less all that
 * flows into it; the phases are told apart by the mixture alone. (The net rate
 * of the injected phase would not do: it is zero, whatever the bhp, while the
 * other phase goes round the well.) */
HP_INLINE HP_HD void hp_control_weights(const hp_wells *W, int w, int control, double c[HP_PHASES]) {
  const bool all = W->control[w].injector && control != HP_CONTROL_RESV;
  c[HP_OIL] = all || control == HP_CONTROL_ORAT || control == HP_CONTROL_LRAT ? 1.0 : 0.0;
  c[HP_WATER] = all || control == HP_CONTROL_WRAT || control == HP_CONTROL_LRAT ? 1.0 : 0.0;
  if (control == HP_CONTROL_RESV) {
    c[HP_OIL] = W->resv[HP_PHASES * w + HP_OIL];
    c[HP_WATER] = W->resv[HP_PHASES * w + HP_WATER];
  }
}

/* Rate under `control`, positive in the direction of the well's job. */
HP_INLINE HP_HD double hp_control_rate(const hp_wells *W, int w, int control, const double q[HP_PHASES]) {
  double c[HP_PHASES];
  hp_control_weights(W, w, control, c);
  const double sum = c[HP_OIL] * q[HP_OIL] + c[HP_WATER] * q[HP_WATER];
  return W->control[w].injector ? -sum : sum;
}

/* The same at another bottom-hole pressure, from the pressures, mobilities and the well's mixture at hand. Crossflow
 * counts as it would flow, not scaled to what there is for it, so that the rate is monotone in the bhp. */
HP_INLINE HP_HD double hp_control_rate_at(const hp_wells *W, int w, int control, double bhp) {
  const bool injector = W->control[w].injector;
  const double *mix = W->mix + 2 * w, scale = mix[HP_OIL] + mix[HP_WATER], fall = W->bhp[w] - bhp;
  double c[HP_PHASES], sum = 0.0;
  hp_control_weights(W, w, control, c);
  const double received = scale > 0.0 ? (c[HP_OIL] * mix[HP_OIL] + c[HP_WATER] * mix[HP_WATER]) / scale : 0.0;
  for (int64_t i = W->begin[w]; i < W->begin[w + 1]; ++i) {
    const hp_perf_rate *r = &W->rate[i];
    const double drawdown = r->drawdown + fall;
    const bool produces = drawdown >= 0.0;
    if (produces == injector && !W->crossflow[w]) continue;
    if (produces) sum += drawdown * (c[HP_OIL] * r->producible[HP_OIL] + c[HP_WATER] * r->producible[HP_WATER]);
    else sum += drawdown * received * r->receivable;
  }
  return injector ? -sum : sum;
}

/* A slope of a rate, relative to the wells' transmissibility, that is none. */
#define HP_CONTROL_FLAT 1e-9

/* Part of a limit that Newton's tolerance leaves. */
#define HP_LIMIT_SLACK 1e-6

HP_INLINE HP_HD bool hp_control_exceeds(const hp_wells *W, int w, int control, double bhp) {
  return hp_control_rate_at(W, w, control, bhp) > W->control[w].limit[control] * (1.0 + HP_LIMIT_SLACK);
}

/* The bottom-hole pressure at which the rate under `control`, above `limit` at the pressure `from`, is `limit`. The rate is
 * linear between the pressures at which a perforation turns: the interval that holds the root is found first. */
HP_INLINE HP_HD double hp_control_bhp_from(const hp_wells *W, int w, int control, double limit, double from) {
  const bool injector = W->control[w].injector;
  double over = from, under = over; /* the rate is above its limit there, and not above */
  for (int64_t i = W->begin[w]; i < W->begin[w + 1]; ++i) {
    const double rest = W->rate[i].drawdown + W->bhp[w];
    if (injector ? rest < under : rest > under) under = rest;
  }
  for (int64_t i = W->begin[w]; i < W->begin[w + 1]; ++i) {
    const double rest = W->rate[i].drawdown + W->bhp[w];
    if (!(injector ? rest < over && rest > under : rest > over && rest < under)) continue;
    if (hp_control_rate_at(W, w, control, rest) > limit) over = rest;
    else under = rest;
  }
  const double high = hp_control_rate_at(W, w, control, over), low = hp_control_rate_at(W, w, control, under);
  return high > low ? over + (under - over) * (high - limit) / (high - low) : over;
}

/* The one at which the rate under `control`, exceeded at the bhp limit, is its limit. */
HP_INLINE HP_HD double hp_control_bhp_for(const hp_wells *W, int w, int control) {
  const double *limit = W->control[w].limit;
  return hp_control_bhp_from(W, w, control, limit[control], limit[HP_CONTROL_BHP]);
}

/* Rates of well w, out of the reservoir, at the bottom-hole pressure bhp (hp_control_rate_at), none of them against its job. */
HP_INLINE HP_HD void hp_control_rates_at(const hp_wells *W, int w, double bhp, double q[HP_PHASES]) {
  const bool injector = W->control[w].injector;
  const double oil = hp_control_rate_at(W, w, HP_CONTROL_ORAT, bhp);
  const double water = injector ? 0.0 : hp_control_rate_at(W, w, HP_CONTROL_WRAT, bhp);
  q[HP_OIL] = oil > 0.0 && !injector ? oil : 0.0;
  q[HP_WATER] = water > 0.0 ? water : 0.0;
  if (injector) q[W->control[w].phase] = oil > 0.0 ? -oil : 0.0; /* all of it (hp_control_weights) */
}

HP_INLINE HP_HD bool hp_control_flows_at(const hp_wells *W, int w, double bhp) {
  double q[HP_PHASES];
  hp_control_rates_at(W, w, bhp, q);
  return fabs(q[HP_OIL]) + fabs(q[HP_WATER]) > 0.0;
}

/* The distance [Pa] by which bhp is on the right side of what the table of well w asks for at the rates of that bhp. */
HP_INLINE HP_HD double hp_control_lift_rest(const hp_wells *W, int w, double bhp) {
  double q[HP_PHASES], by[HP_PHASES];
  hp_control_rates_at(W, w, bhp, q);
  const double rest = bhp - hp_lift_asked(W, w, q, by);
  return W->control[w].injector ? -rest : rest;
}

/* The pressure between `bad` and `good`, on the wrong and the right side, where one turns into the other: by secants, and by halves
 * where these do not halve. */
HP_INLINE HP_HD double hp_control_lift_meet(const hp_wells *W, int w, double bad, double bad_rest, double good,
                                            double good_rest) {
  const double close = 1e-3; /* Pa */
  for (int n = 0; n < 200 && good_rest > close; ++n) {
    const double way = good - bad, secant = bad - way * bad_rest / (good_rest - bad_rest);
    const double at = n % 3 == 2 ? bad + 0.5 * way : secant;
    const double rest = hp_control_lift_rest(W, w, at);
    if (at == good || at == bad) return good;
    if (rest >= 0.0) {
      good = at;
      good_rest = rest;
    } else {
      bad = at;
      bad_rest = rest;
    }
    if (-bad_rest <= close) return bad;
  }
  return good;
}

/* Pressure at which well w would make nothing: the highest of its cells (an injector: the lowest), less the head. */
HP_INLINE HP_HD double hp_control_rest(const hp_wells *W, int w) {
  const bool injector = W->control[w].injector;
  double rest = W->bhp[w];
  for (int64_t i = W->begin[w]; i < W->begin[w + 1]; ++i) {
    const double own = W->rate[i].drawdown + W->bhp[w];
    if (i == W->begin[w] || (injector ? own < rest : own > rest)) rest = own;
  }
  return rest;
}

/* The bhp at which well w stands still at its tubing-head pressure. */
HP_INLINE HP_HD double hp_control_lift_still(const hp_wells *W, int w) {
  const double none[HP_PHASES] = {0.0, 0.0}, rest = hp_control_rest(W, w);
  double by[HP_PHASES];
  const double asked = hp_lift_asked(W, w, none, by);
  return (W->control[w].injector ? asked < rest : asked > rest) ? asked : rest;
}

/* The first bottom-hole pressure from `from` on that keeps the tubing-head pressure of well w: `from` itself, if it does or nothing
 * flows there. *still: only one at which nothing flows. Goes through the intervals of the table's rates. */
HP_INLINE HP_HD double hp_control_lift_bhp(const hp_wells *W, int w, double from, bool *still) {
  const hp_well_control *k = &W->control[w];
  const hp_lift_table *t = &W->lift[k->vfp - 1];
  const double *flow = W->lift_number + t->begin;
  const int control = k->injector ? HP_CONTROL_WRAT : hp_lift_control(t);
  *still = false;
  if (!hp_control_flows_at(W, w, from)) return from;
  double bad = from, bad_rest = hp_control_lift_rest(W, w, from);
  if (bad_rest >= 0.0) return from;
  for (int n = t->count[HP_LIFT_FLOW] - 1; n >= -1; --n) {
    if (n >= 0 && !(flow[n] > 0.0 && flow[n] < hp_control_rate_at(W, w, control, bad))) continue;
    const double good = n >= 0 ? hp_control_bhp_from(W, w, control, flow[n], bad) : hp_control_rest(W, w);
    const double good_rest = hp_control_lift_rest(W, w, good);
    if (good_rest >= 0.0) return hp_control_lift_meet(W, w, bad, bad_rest, good, good_rest);
    bad = good;
    bad_rest = good_rest;
  }
  *still = true;
  return hp_control_lift_still(W, w);
}

/* Bits of `left` beside those of the controls: nothing flowed at the well's tubing-head pressure in this step, and then
 * something did. With both it stays still where it does not, so that it does not come and go for ever. */
#define HP_LEFT_STILL 0x01u
#define HP_LEFT_AGAIN 0x80u /* HP_CONTROL_COUNT controls are between */

/* The bottom-hole pressure of the control, a rate or the bhp limit. */
HP_INLINE HP_HD double hp_control_bhp_at(const hp_wells *W, int w, int control) {
  return hp_control_is_rate(control) ? hp_control_bhp_for(W, w, control) : W->control[w].limit[HP_CONTROL_BHP];
}

/* The control the well should be on without regard to its tubing-head pressure: its bhp limit if that keeps all rates, otherwise the
 * rate that takes the bhp furthest from it. The one in force stays where another is stricter by no more than HP_LIMIT_SLACK. */
HP_INLINE HP_HD int hp_control_choose_rate(const hp_wells *W, int w) {
  const hp_well_control *c = &W->control[w];
  const double limit = c->limit[HP_CONTROL_BHP];
  int base = W->mode[w] == HP_CONTROL_THP ? (int)HP_CONTROL_BHP : W->mode[w];
  if (base != HP_CONTROL_BHP && hp_control_rate_at(W, w, base, limit) < c->limit[base] * (1.0 - HP_LIMIT_SLACK))
    base = HP_CONTROL_BHP;
  int best = base;
  double at = limit, strictest = limit;
  for (int k = HP_CONTROL_ORAT; k < HP_CONTROL_COUNT; ++k) {
    if (k == base || !(c->limit[k] >= 0.0) || !hp_control_exceeds(W, w, k, limit)) continue;
    if (base != HP_CONTROL_BHP && at == limit) at = hp_control_bhp_for(W, w, base);
    if (at != limit && !hp_control_exceeds(W, w, k, at)) continue;
    const double bhp = hp_control_bhp_for(W, w, k);
    if (best != base && !(c->injector ? bhp < strictest : bhp > strictest)) continue;
    best = k;
    strictest = bhp;
  }
  return best;
}

/* The control the well should be on: that one, or its tubing-head pressure if that takes the bhp farther from its limit. A well that
 * is to make nothing, or cannot at its bhp limit, breaks none. */
HP_INLINE HP_HD int hp_control_choose(const hp_wells *W, int w) {
  const int best = hp_control_choose_rate(W, w);
  const hp_well_control *c = &W->control[w];
  if (!hp_well_has_thp(W, w) || (best != HP_CONTROL_BHP && c->limit[best] == 0.0)) return best;
  const double at = hp_control_bhp_at(W, w, best), slack = HP_LIMIT_SLACK * (at > 1.0 ? at : 1.0);
  if (!hp_control_flows_at(W, w, at)) return best;
  return hp_control_lift_rest(W, w, at) < (W->mode[w] == HP_CONTROL_THP ? slack : -slack) ? HP_CONTROL_THP : best;
}

/* Takes well w to the bottom-hole pressure of its tubing-head pressure with the cells held, so that Newton's method is always on the
 * branch that stays. */
HP_INLINE HP_HD void hp_control_meet_lift(const hp_wells *W, int w) {
  const unsigned both = HP_LEFT_STILL | HP_LEFT_AGAIN;
  bool still;
  double bhp = hp_control_lift_bhp(W, w, hp_control_bhp_at(W, w, hp_control_choose_rate(W, w)), &still);
  if (still) W->left[w] |= (uint8_t)HP_LEFT_STILL;
  else if ((W->left[w] & both) == both) bhp = hp_control_lift_still(W, w);
  else if (W->left[w] & HP_LEFT_STILL) W->left[w] = (uint8_t)((W->left[w] | HP_LEFT_AGAIN) & ~HP_LEFT_STILL);
  W->bhp[w] = bhp;
}

/* Whether the rate that well w is on does not change with its bhp: Newton's method has no slope then. */
HP_INLINE HP_HD bool hp_control_has_no_slope(const hp_wells *W, int w) {
  double c[HP_PHASES], slope = 0.0, T = 0.0;
  hp_control_weights(W, w, W->mode[w], c);
  for (int64_t i = W->begin[w]; i < W->begin[w + 1]; ++i) {
    const hp_perf_rate *r = &W->rate[i];
    slope -= c[HP_OIL] * r->dbhp[HP_OIL] + c[HP_WATER] * r->dbhp[HP_WATER];
    T += r->transmissibility;
  }
  return !(slope > HP_CONTROL_FLAT * T);
}

/* The same, though its bhp limit would make the rate change: the perforations that would give it are closed, or flow the other way. */
HP_INLINE HP_HD bool hp_control_is_flat(const hp_wells *W, int w) {
  const int mode = W->mode[w];
  return hp_control_has_no_slope(W, w) && W->control[w].limit[mode] > 0.0 &&
         hp_control_exceeds(W, w, mode, W->control[w].limit[HP_CONTROL_BHP]);
}

/* A rate of well w that is next to nothing [m3/s]: the one that a ten-millionth of its bhp limit would drive. */
HP_INLINE HP_HD double hp_control_least(const hp_wells *W, int w) {
  double least = 0.0;
  for (int64_t i = W->begin[w]; i < W->begin[w + 1]; ++i)
    least += 1e-7 * W->control[w].limit[HP_CONTROL_BHP] * W->rate[i].transmissibility;
  return least;
}

/* All that flows through the perforations of well w [m3/s], either way. */
HP_INLINE HP_HD double hp_well_gross(const hp_wells *W, int w) {
  double gross = 0.0;
  for (int64_t i = W->begin[w]; i < W->begin[w + 1]; ++i)
    for (int a = 0; a < HP_PHASES; ++a) gross += fabs(W->rate[i].q[a]);
  return gross;
}

/* Scale of the excess over a rate limit of well w [m3/s]: the limit; where that is next to 0, as a share of a target of the field
 * may become, a rate that is, or a ten-thousandth of all that flows through the well: what it makes of a phase that it hardly has
 * says next to nothing about its bhp. */
HP_INLINE HP_HD double hp_control_scale(const hp_wells *W, int w, int control) {
  const double limit = W->control[w].limit[control], least = hp_control_least(W, w), part = 1e-4 * hp_well_gross(W, w);
  const double nothing = least > part ? least : part;
  return limit > nothing ? limit : nothing;
}

/* Share of what would flow against a well at a bhp below which fluid only crosses in it. */
#define HP_CROSSING_SHARE 0.9

/* Whether well w is at a bhp and what flows against it is scaled by less than that. */
HP_INLINE HP_HD bool hp_control_is_crossing(const hp_wells *W, int w) {
  const double share = W->control[w].injector ? W->inflow_share[w] : W->mix[2 * w] + W->mix[2 * w + 1];
  return W->mode[w] == HP_CONTROL_BHP && W->crossflow[w] && share < HP_CROSSING_SHARE;
}

/* Whether rates q of well w go in the direction of its job, by more than next to nothing. */
HP_INLINE HP_HD bool hp_well_flows(const hp_wells *W, int w, const double q[HP_PHASES]) {
  const double sum = q[HP_OIL] + q[HP_WATER];
  return (W->control[w].injector ? -sum : sum) > hp_control_least(W, w);
}

/* How far well w is beyond a limit, relative to it: of a rate the excess itself, of a pressure HP_BHP_WEIGHT times the
 * excess, so that a tolerance of 1e-4 is 1e-6 of a bhp. *which: that limit's control, HP_CONTROL_SHUT: all are kept.
 * Reads the rates. */
#define HP_BHP_WEIGHT 100.0

HP_INLINE HP_HD double hp_control_excess(const hp_wells *W, int w, int *which) {
  const hp_well_control *c = &W->control[w];
  *which = HP_CONTROL_SHUT;
  if (W->mode[w] == HP_CONTROL_SHUT) return 0.0;
  double q[HP_PHASES];
  hp_well_total(W, w, q);
  const double limit = c->limit[HP_CONTROL_BHP];
  const double beyond = (c->injector ? W->bhp[w] - limit : limit - W->bhp[w]) / (limit > 1.0 ? limit : 1.0);
  double most = 0.0;
  if (beyond > 0.0) {
    most = HP_BHP_WEIGHT * beyond;
    *which = HP_CONTROL_BHP;
  }
  if (hp_control_is_crossing(W, w)) return most; /* nothing comes from or goes to the surface */
  if (hp_well_has_thp(W, w) && W->mode[w] != HP_CONTROL_THP && hp_well_flows(W, w, q)) {
    double by[HP_PHASES];
    const double asked = hp_lift_asked(W, w, q, by);
    const double lacks = HP_BHP_WEIGHT * (c->injector ? W->bhp[w] - asked : asked - W->bhp[w]) /
                         (asked > 1.0 ? asked : 1.0);
    if (lacks > most) {
      most = lacks;
      *which = HP_CONTROL_THP;
    }
  }
  for (int k = HP_CONTROL_ORAT; k < HP_CONTROL_COUNT; ++k) {
    if (!(c->limit[k] >= 0.0)) continue;
    const double over = hp_control_rate(W, w, k, q) - c->limit[k];
    if (!(over > 0.0)) continue;
    const double size = hp_control_scale(W, w, k);
    if (over > most * size) {
      most = over / size;
      *which = k;
    }
  }
  return most;
}

/* Mixture that perforations flowing out of producer w carry: what its other perforations take in. It puts out no more than it
 * takes in: its fractions are scaled by in / out, which moves the outflow in the same proportion. */
HP_INLINE HP_HD void hp_producer_mix(const hp_wells *W, int w, double mix[HP_PHASES]) {
  double in[HP_PHASES] = {0.0, 0.0}, out = 0.0;
  for (int64_t i = W->begin[w]; i < W->begin[w + 1]; ++i)
    for (int a = 0; a < HP_PHASES; ++a) {
      if (W->rate[i].drawdown > 0.0) in[a] += W->rate[i].q[a];
      else out -= W->rate[i].q[a];
    }
  const double inflow = in[HP_OIL] + in[HP_WATER], scale = mix[HP_OIL] + mix[HP_WATER];
  const bool scaled = !hp_control_is_rate(W->mode[w]) && out > 0.0 && scale * inflow < out;
  const double share = scaled ? scale * inflow / out : 1.0;
  for (int a = 0; a < HP_PHASES; ++a) mix[a] = inflow > 0.0 ? share * in[a] / inflow : 0.0;
}

/* That of injector w: what its other perforations could take in, made up from the surface to what flows out. Where they could
 * take in more, nothing is injected, and *share of it flows, as much as flows out. */
HP_INLINE HP_HD void hp_injector_mix(const hp_wells *W, int w, double mix[HP_PHASES], double *share) {
  const int phase = W->control[w].phase;
  double in[HP_PHASES] = {0.0, 0.0}, out = 0.0;
  for (int64_t i = W->begin[w]; i < W->begin[w + 1]; ++i) {
    const hp_perf_rate *r = &W->rate[i];
    for (int a = 0; a < HP_PHASES; ++a) {
      if (r->drawdown > 0.0 && W->crossflow[w]) in[a] += r->drawdown * r->producible[a];
      if (r->drawdown < 0.0) out -= r->q[a];
    }
  }
  const double inflow = in[HP_OIL] + in[HP_WATER];
  *share = !hp_control_is_rate(W->mode[w]) && inflow > out ? out / inflow : 1.0;
  if (out > inflow) in[phase] += out - inflow;
  const double sum = in[HP_OIL] + in[HP_WATER];
  for (int a = 0; a < HP_PHASES; ++a) mix[a] = sum > 0.0 ? in[a] / sum : a == phase ? 1.0 : 0.0;
}

/* The error of well w's mixture: what an injector takes to the surface of the phase that it does not inject, or a producer at a rate
 * from the surface altogether, in all that flows through its perforations or in the rate that it is at, the smaller, which is not next
 * to nothing. It is nothing once the mixture is that of the well's own inflow. */
HP_INLINE HP_HD double hp_well_mix_error(const hp_wells *W, int w) {
  const bool injector = W->control[w].injector;
  const bool at_rate = hp_control_is_rate(W->mode[w]);
  if (W->mode[w] == HP_CONTROL_SHUT || !W->crossflow[w] || (!injector && !at_rate)) return 0.0;
  const int other = W->control[w].phase == HP_WATER ? HP_OIL : HP_WATER;
  const double gross = hp_well_gross(W, w);
  double q[HP_PHASES];
  hp_well_total(W, w, q);
  const double taken = q[HP_OIL] + q[HP_WATER], net = injector ? q[other] : taken < 0.0 ? taken : 0.0;
  const double least = hp_control_least(W, w), rate = at_rate ? hp_control_scale(W, w, W->mode[w]) : gross;
  double size = gross > least ? gross : least;
  if (at_rate && rate < size) size = rate;
  return gross > 0.0 ? fabs(net) / size : 0.0;
}

/* Whether the rate that well w is on takes its bhp so far beyond the limit that it cannot be the control that governs: the cells
 * do not give it, and Newton's method would look for it ever farther away. */
HP_INLINE HP_HD bool hp_control_is_lost(const hp_wells *W, int w) {
  const double limit = W->control[w].limit[HP_CONTROL_BHP], beyond = W->bhp[w] - limit;
  return (W->control[w].injector ? beyond : -beyond) > 0.3 * (limit > 1e7 ? limit : 1e7);
}

/* Every well may take up its limit of the bhp again: in place of a well to retry. */
#define HP_RETRY_BHP (-2)

/* Switches controls and renews the mixtures; well `retry`, if there is one, may take up a control again that it has
 * left. Reads the rates (a barrier must stand before), writes mode, bhp and mix of its wells (and one after). */
HP_INLINE HP_HD void hp_wells_control(hp_team *t, const hp_wells *W, int retry) {
  HP_TEAM_FOR(t, i, W->nwell) {
    const int w = (int)i;
    if (W->mode[w] == HP_CONTROL_SHUT) continue;
    int mode = hp_control_choose(W, w);
    if (w == retry && mode == W->mode[w]) { /* too close to call from the cells */
      hp_control_excess(W, w, &mode);
      if (mode == HP_CONTROL_SHUT) mode = W->mode[w];
    }
    const bool again = w == retry || (mode == HP_CONTROL_BHP && (retry == HP_RETRY_BHP || hp_control_is_lost(W, w)));
    if (mode != W->mode[w] && (again || (W->left[w] & 1u << mode) == 0)) {
      W->left[w] |= (uint8_t)(1u << W->mode[w]);
      W->mode[w] = (uint8_t)mode;
    }
    if (W->mode[w] == HP_CONTROL_BHP) W->bhp[w] = W->control[w].limit[HP_CONTROL_BHP];
    else if (W->mode[w] == HP_CONTROL_THP) hp_control_meet_lift(W, w);
    else if (hp_control_is_flat(W, w)) W->bhp[w] = hp_control_bhp_for(W, w, W->mode[w]);
    if (W->control[w].injector) hp_injector_mix(W, w, W->mix + 2 * w, &W->inflow_share[w]);
    else hp_producer_mix(W, w, W->mix + 2 * w);
  }
}

#endif
