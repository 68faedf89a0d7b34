#include "wells/crossflow.h"

#include <math.h>

#include "wells/control.inl.h"

/* The rate of producer w under `control` at the bottom-hole pressure bhp, with the mixture of that. V is that of the mixture at hand. */
static double crossing_rate(const hp_wells *W, int w, int control, double bhp) {
  double c[HP_PHASES], in[HP_PHASES] = {0.0, 0.0}, out = 0.0;
  hp_control_weights(W, w, control, c);
  for (int64_t i = W->begin[w]; i < W->begin[w + 1]; ++i) {
    const hp_perf_rate *r = &W->rate[i];
    const double drawdown = r->drawdown + W->bhp[w] - bhp;
    for (int a = 0; a < HP_PHASES && drawdown > 0.0; ++a) in[a] += drawdown * r->producible[a];
    if (drawdown < 0.0) out -= drawdown * r->receivable;
  }
  const double all = in[HP_OIL] + in[HP_WATER];
  return all > out ? (c[HP_OIL] * in[HP_OIL] + c[HP_WATER] * in[HP_WATER]) * (1.0 - out / all) : 0.0;
}

static bool crosses(const hp_wells *W, int w) {
  const int mode = W->mode[w];
  if (!hp_control_is_rate(mode) || W->control[w].injector || !W->crossflow[w] || !(W->control[w].limit[mode] > 0.0) ||
      hp_well_has_segments(W, w))
    return false;
  for (int64_t i = W->begin[w]; i < W->begin[w + 1]; ++i)
    if (W->rate[i].drawdown < 0.0 && W->rate[i].receivable > 0.0) return true;
  return false;
}

/* Whether the slope of the rate at the well's bhp leads farther than several times as far as `to`, where the rate is the target. */
static bool leads_astray(const hp_wells *W, int w, int control, double target, double to) {
  enum { TIMES = 4 };
  if (target < hp_control_scale(W, w, control)) return false;
  const double way = to - W->bhp[w], step = 1e-3 * way;
  const double rate = crossing_rate(W, w, control, W->bhp[w]),
               change = crossing_rate(W, w, control, W->bhp[w] + step) - rate;
  return fabs(target - rate) * fabs(step) > TIMES * fabs(change) * fabs(way);
}

/* The rate falls as the bhp rises, to 0 at the highest pressure of its cells: bisection. */
static bool meet_rate(hp_wells *W, int w, bool late) {
  enum { HALVES = 100 };
  const int mode = W->mode[w];
  const double target = W->control[w].limit[mode];
  double low = W->control[w].limit[HP_CONTROL_BHP], high = low;
  for (int64_t i = W->begin[w]; i < W->begin[w + 1]; ++i) high = fmax(high, W->rate[i].drawdown + W->bhp[w]);
  if (!(crossing_rate(W, w, mode, low) > target)) return false;
  for (int n = 0; n < HALVES; ++n) {
    const double middle = 0.5 * (low + high);
    if (crossing_rate(W, w, mode, middle) > target) low = middle;
    else high = middle;
  }
  if (high == W->bhp[w] || !(late || leads_astray(W, w, mode, target, high))) return false;
  W->bhp[w] = high;
  return true;
}

bool hp_wells_meet_rates(hp_wells *W, bool late) {
  bool moved = false;
  for (int w = 0; w < W->nwell; ++w)
    if (crosses(W, w) && meet_rate(W, w, late)) moved = true;
  return moved;
}
