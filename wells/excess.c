#include <math.h>

#include "wells/control.inl.h"
#include "wells/group_impl.h"

/* Water that the group's injectors take, `part` of it those that take part, and the reservoir volume that they take [m3/s]. */
typedef struct {
  double water, part, volume;
} injected;

static injected injected_now(const hp_wells *W) {
  injected now = {0.0, 0.0, 0.0};
  for (int w = 0; w < W->nwell; ++w) {
    double q[HP_PHASES];
    if (!W->control[w].injector) continue;
    hp_well_total(W, w, q);
    const double water = hp_group_water_of(W, w, false);
    now.water += water;
    if (hp_group_has(W, w, true)) now.part += water;
    now.volume += W->part[w].efficiency * hp_control_rate(W, w, HP_CONTROL_RESV, q);
  }
  return now;
}

/* X(what it is called, the most water that injectors may take by it; NAN: it is not asked for); b: reservoir volume of water,
 * other: that of what else is injected. */
#define INJECTION_LIST(X)                                  \
  X("injection_rate", f->injection_rate)                   \
  X("injection_volume", (f->injection_volume - other) / b) \
  X("reinjection", f->reinjection *total[HP_CONTROL_WRAT]) \
  X("voidage", (f->voidage * total[HP_CONTROL_RESV] - other) / b)

/* The most water that injectors may take, by what they and the producers make; INFINITY: as much as they like. *target: what
 * asks for it. */
static double water_allowed(const hp_wells *W, const hp_group_control *f, const injected *now,
                            const double total[HP_CONTROL_COUNT], const char **target) {
  const double b = hp_group_water_volume(W), other = now->volume - b * now->water;
  double most = INFINITY;
#define LEAST_OF(name, water) \
  if ((water) < most) {       \
    most = fmax(0.0, water);  \
    *target = name;           \
  }
  INJECTION_LIST(LEAST_OF)
#undef LEAST_OF
  return most;
}

/* Whether a rate of producers, or injectors, is more than `most` by a share of more than `slack`, and by more than next to nothing. */
static bool is_exceeded(const hp_wells *W, bool injector, double rate, double most, double slack) {
  double least = 0.0;
  for (int w = 0; w < W->nwell; ++w)
    if (W->part[w].open && W->part[w].inside && W->control[w].injector == injector) least += hp_control_least(W, w);
  return rate > most * (1.0 + slack) + slack * least;
}

/* Makes a limit of well w under `control` `factor` of what it makes. True if that is less than it may. */
static bool tighten(hp_wells *W, int w, int control, int group, double factor) {
  double q[HP_PHASES], *limit = &W->control[w].limit[control];
  hp_well_total(W, w, q);
  const double most = fmax(0.0, factor * hp_control_rate(W, w, control, q));
  if (*limit <= most) return false;
  *limit = most;
  W->shared[w] = (uint8_t)control;
  W->part[w].of = group;
  W->left[w] &= (uint8_t) ~(1u << control);
  return true;
}

static bool tighten_group(hp_wells *W, hp_group *of, int g, double slack) {
  const hp_group_control *f = &of->control;
  double total[HP_CONTROL_COUNT];
  bool changed = false;
  hp_group_add_up(W, total);
  for (int k = HP_CONTROL_ORAT; k < HP_CONTROL_COUNT; ++k) {
    double q[HP_PHASES], parts = 0.0;
    if (isnan(f->production[k]) || !is_exceeded(W, false, total[k], f->production[k], slack)) continue;
    for (int w = 0; w < W->nwell; ++w) {
      if (!hp_group_has(W, w, false)) continue;
      hp_well_total(W, w, q);
      parts += W->part[w].efficiency * hp_control_rate(W, w, k, q);
    }
    const double factor = fmax(0.0, 1.0 - (total[k] - f->production[k]) / parts);
    for (int w = 0; w < W->nwell && parts > 0.0; ++w)
      if (hp_group_has(W, w, false) && tighten(W, w, k, g, factor)) changed = true;
  }
  const injected now = injected_now(W);
  const char *target;
  const double allowed = water_allowed(W, f, &now, total, &target);
  if (!is_exceeded(W, true, now.water, allowed, slack) || !(now.part > 0.0)) return changed;
  const double most = fmin(allowed, hp_group_follow_water(W, of, HP_SHARE_LAST, allowed));
  const double factor = fmax(0.0, 1.0 - (now.water - most) / now.part);
  for (int w = 0; w < W->nwell; ++w)
    if (hp_group_has(W, w, true) && tighten(W, w, HP_CONTROL_WRAT, g, factor)) changed = true;
  return changed;
}

bool hp_wells_tighten(hp_wells *W, hp_groups *G, double slack) {
  bool changed = false;
  for (int n = 0; n < G->count; ++n) {
    const int g = G->order[n];
    if (!hp_group_has_targets(&G->of[g].control)) continue;
    hp_group_select(W, G, g);
    if (tighten_group(W, &G->of[g], g, slack)) changed = true;
  }
  return changed;
}

/* Of the selected group. */
static double excess_of(const hp_wells *W, const hp_group_control *f, double slack, const char **target) {
  double total[HP_CONTROL_COUNT], worst = 0.0;
  const char *by;
  hp_group_add_up(W, total);
  const injected now = injected_now(W);
  const double allowed = water_allowed(W, f, &now, total, &by);
  if (is_exceeded(W, true, now.water, allowed, slack)) {
    worst = 1.0 - allowed / now.water;
    *target = by;
  }
  for (int k = HP_CONTROL_ORAT; k < HP_CONTROL_COUNT; ++k) {
    if (isnan(f->production[k]) || !is_exceeded(W, false, total[k], f->production[k], slack)) continue;
    if (!(1.0 - f->production[k] / total[k] > worst)) continue;
    worst = 1.0 - f->production[k] / total[k];
    *target = hp_control_key((hp_control)k);
  }
  return worst;
}

double hp_group_excess(hp_wells *W, const hp_groups *G, double slack, const char **target, int *group) {
  double worst = 0.0;
  for (int g = 0; g < G->count; ++g) {
    const char *by = NULL;
    if (!hp_group_has_targets(&G->of[g].control)) continue;
    hp_group_select(W, G, g);
    const double excess = excess_of(W, &G->of[g].control, slack, &by);
    if (!(excess > worst)) continue;
    worst = excess;
    *target = by;
    *group = g;
  }
  return worst;
}
