/* Which control a well obeys: targets, limits and the switch between them.
 *
 * A well has one control in force and may have limits for the others. The
 * check runs once a Newton iteration with the rates at hand: a well at a rate
 * whose bhp passes its limit goes to that bhp; a well whose rate passes a
 * limit goes to that rate. A well may switch HP_SWITCHES_MAX times in a time
 * step; after that its control stays, so that Newton's method is not kept
 * running between two controls, and the next step looks again.
 */
#ifndef HP_WELLS_CONTROL_INL_H
#define HP_WELLS_CONTROL_INL_H

#include "wells/wells.h"

enum { HP_SWITCHES_MAX = 4 };

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

/* The most that producer w makes under `control`: at its lowest bhp, from the
 * pressures and mobilities at hand. */
HP_INLINE HP_HD double hp_control_potential(const hp_wells *W, int w, int control) {
  double c[HP_PHASES], sum = 0.0;
  hp_control_weights(W, w, control, c);
  const double fall = W->bhp[w] - W->control[w].limit[HP_CONTROL_BHP];
  for (int64_t i = W->begin[w]; i < W->begin[w + 1]; ++i) {
    const hp_perf_rate *r = &W->rate[i];
    const double drawdown = r->drawdown + fall;
    if (drawdown > 0.0)
      sum += drawdown * (c[HP_OIL] * r->producible[HP_OIL] + c[HP_WATER] * r->producible[HP_WATER]);
  }
  return sum;
}

/* The control the well should be on, given rates q and its bhp. Small excesses
 * are what Newton's tolerance leaves. A producer that cannot make its rate even
 * at its bhp limit goes there at once: where the wanted phase hardly flows, the
 * bhp would creep down step by step. */
HP_INLINE HP_HD int hp_control_choose(const hp_wells *W, int w, const double q[HP_PHASES]) {
  const hp_well_control *c = &W->control[w];
  const int mode = W->mode[w];
  const double slack = 1e-6;
  if (mode != HP_CONTROL_BHP) {
    const double excess = c->injector ? W->bhp[w] - c->limit[HP_CONTROL_BHP] : c->limit[HP_CONTROL_BHP] - W->bhp[w];
    if (excess > slack * c->limit[HP_CONTROL_BHP]) return HP_CONTROL_BHP;
    if (!c->injector && hp_control_potential(W, w, mode) < c->limit[mode] * (1.0 - slack)) return HP_CONTROL_BHP;
  }
  int worst = mode;
  double most = 1.0 + slack;
  for (int k = HP_CONTROL_ORAT; k < HP_CONTROL_COUNT; ++k) {
    if (k == mode || !(c->limit[k] >= 0.0)) continue;
    const double rate = hp_control_rate(W, w, k, q);
    const double ratio = c->limit[k] > 0.0 ? rate / c->limit[k] : rate > 0.0 ? 2.0 * most : 0.0;
    if (ratio > most) {
      most = ratio;
      worst = k;
    }
  }
  return worst;
}

/* What share of the possible inflow of injector w flows: as much as flows out of it. */
HP_INLINE HP_HD double hp_well_take(const hp_wells *W, int w) {
  double in = 0.0, out = 0.0;
  for (int64_t i = W->begin[w]; i < W->begin[w + 1]; ++i) {
    const hp_perf_rate *r = &W->rate[i];
    if (r->drawdown > 0.0) in += r->drawdown * (r->producible[HP_OIL] + r->producible[HP_WATER]);
    else out -= r->q[HP_OIL] + r->q[HP_WATER];
  }
  return in > out && W->crossflow[w] ? out / in : 1.0;
}

/* What perforations that flow out of well w carry: what its other perforations
 * take in, plus what is injected at the surface. A producer puts out no more
 * than it takes in: its fractions are scaled by in / out, which moves the
 * outflow in the same proportion. */
HP_INLINE HP_HD void hp_well_mix(const hp_wells *W, int w, double mix[HP_PHASES]) {
  double in[HP_PHASES] = {0.0, 0.0}, out = 0.0;
  for (int64_t i = W->begin[w]; i < W->begin[w + 1]; ++i)
    for (int a = 0; a < HP_PHASES; ++a) {
      const double q = W->rate[i].q[a];
      if (q > 0.0) in[a] += q;
      else out -= q;
    }
  const bool injector = W->control[w].injector;
  const int phase = W->control[w].phase;
  const double inflow = in[HP_OIL] + in[HP_WATER], scale = mix[HP_OIL] + mix[HP_WATER];
  if (injector && out > inflow) in[phase] += out - inflow;
  const double sum = in[HP_OIL] + in[HP_WATER];
  double share = 1.0;
  if (!injector && out > 0.0 && scale * inflow < out) share = scale * inflow / out;
  for (int a = 0; a < HP_PHASES; ++a) mix[a] = sum > 0.0 ? share * in[a] / sum : injector && a == phase ? 1.0 : 0.0;
}

/* Switches controls and renews the mixtures. Reads the rates (a barrier must
 * stand before), writes mode, bhp and mix of its wells (and one after). */
HP_INLINE HP_HD void hp_wells_control(hp_team *t, const hp_wells *W) {
  HP_TEAM_FOR(t, i, W->nwell) {
    const int w = (int)i;
    if (W->mode[w] == HP_CONTROL_SHUT) continue;
    double q[HP_PHASES];
    hp_well_total(W, w, q);
    const int mode = hp_control_choose(W, w, q);
    if (mode != W->mode[w] && W->switches[w] < HP_SWITCHES_MAX) {
      W->mode[w] = (uint8_t)mode;
      W->switches[w] += 1;
    }
    if (W->mode[w] == HP_CONTROL_BHP) W->bhp[w] = W->control[w].limit[HP_CONTROL_BHP];
    hp_well_mix(W, w, W->mix + 2 * w);
    if (W->control[w].injector) W->take[w] = hp_well_take(W, w);
  }
}

#endif
