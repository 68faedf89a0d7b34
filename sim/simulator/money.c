/* The cash flow of time steps (io/economics.h). */
#include <math.h>

#include "sim/simulator/simulator.h"

#define YEAR (365.25 * 86400.0)

/* The value at time zero of a unit of money at time t. */
static double discount(const hp_economics *e, double t) { return exp(-log1p(e->discount_rate) * (t / YEAR)); }

/* The mean of the discount factor from a to b. */
static double mean_discount(const hp_economics *e, double a, double b) {
  const double x = log1p(e->discount_rate) * ((b - a) / YEAR); /* d(b) = d(a) exp(-x) */
  return discount(e, a) * (x > 0.0 ? -expm1(-x) / x : 1.0);
}

/* The time at which a well first opens [s]; INFINITY: it never does. */
static double opening(const hp_case *c, int well) {
  for (int n = 0; n < c->nevent; ++n)
    if (c->event[n].well == well && c->event[n].control.control != HP_CONTROL_SHUT) return c->event[n].time;
  return INFINITY;
}

void hp_sim_earn(hp_sim *S) {
  const hp_case *c = S->c;
  const hp_economics *e = &c->economics;
  const hp_flow now = hp_sim_field_flow(S);
  const double t = S->time, dt = S->dt;
  hp_money *money = &S->money;
  if (!e->given) return;
  const double begin = t - dt > dt * 1e-9 ? t - dt : 0.0;
  const double oil = now.total[HP_OIL], water = now.total[HP_WATER], injected = now.injection_total[HP_WATER];
  const double made = (e->oil_price - e->oil_cost) * (oil - money->oil) - e->water_cost * (water - money->water) -
                      e->injection_cost * (injected - money->injected) - e->fixed_cost * dt;
  money->oil = oil;
  money->water = water;
  money->injected = injected;
  money->rate = made / dt;
  money->earned += made;
  money->cash += made;
  money->npv += made * mean_discount(e, begin, t);
  for (int w = 0; w < c->nwell && e->well_cost > 0.0; ++w) {
    const double opens = opening(c, w);
    if (opens > begin + dt * 1e-9 ? opens > t - dt * 1e-9 : opens < begin - dt * 1e-9) continue; /* in another step */
    money->cash -= e->well_cost;
    money->npv -= e->well_cost * discount(e, opens);
  }
}
