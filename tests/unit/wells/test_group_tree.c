/* Shares of random trees of groups: no target and no limit is exceeded, no well gives way without need, and the order of wells
 * does not matter. */
#include <string.h>

#include "core/memory.h"
#include "tests/unit/wells/row_of_wells.h"
#include "wells/group.h"

enum { PRODUCERS = 9, INJECTORS = 3, WELLS = PRODUCERS + INJECTORS, GROUPS = 6, TREES = 3000, BAR = 100000 };

static uint64_t seed;

static double uniform(void) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(seed >> 11) * 0x1p-53;
}
static bool chance(double p) { return uniform() < p; }
static int below(int n) { return (int)(uniform() * n); }

/* A well and what it makes, or takes, at its limit of the bhp [m3/s]. */
typedef struct {
  hp_well_control control;
  double most[HP_CONTROL_COUNT];
} well;

static double volume[HP_PHASES] = {1.2, 1.05};

static well random_well(bool injector) {
  well d = {.control = {.control = HP_CONTROL_BHP, .injector = injector, .phase = HP_WATER, .in_field = !chance(0.15)}};
  const double oil = injector ? 0.0 : 10.0 + 90.0 * uniform(),
               water = injector ? 300.0 * uniform() : oil * 4.0 * uniform();
  for (int k = 0; k < HP_CONTROL_COUNT; ++k) d.control.limit[k] = NAN;
  d.control.limit[HP_CONTROL_BHP] = (injector ? 300.0 : 100.0) * BAR;
  d.control.efficiency = chance(0.3) ? 0.3 + 0.7 * uniform() : 1.0;
  d.control.group = below(GROUPS);
  d.control.guide_rate = chance(0.3) ? 100.0 * uniform() : 0.0;
  d.most[HP_CONTROL_ORAT] = oil;
  d.most[HP_CONTROL_WRAT] = water;
  d.most[HP_CONTROL_LRAT] = oil + water;
  d.most[HP_CONTROL_RESV] = volume[HP_OIL] * oil + volume[HP_WATER] * water;
  const int limited = injector ? HP_CONTROL_WRAT : HP_CONTROL_ORAT + below(4);
  if (chance(0.3)) d.control.limit[limited] = d.most[limited] * (0.2 + uniform());
  return d;
}

static hp_group_control random_group(int g) {
  hp_group_control c = hp_group_nothing();
  c.parent = g > 0 ? below(g) : 0;
  if (g > 0 && chance(0.3)) c.efficiency = 0.3 + 0.7 * uniform();
  c.in_production = !chance(0.15);
  c.in_injection = !chance(0.15);
  for (int k = HP_CONTROL_ORAT; k < HP_CONTROL_COUNT; ++k)
    if (chance(0.2)) c.production[k] = chance(0.05) ? 0.0 : 600.0 * uniform();
  if (chance(0.2)) c.injection_rate = 500.0 * uniform();
  if (chance(0.2)) c.injection_volume = 500.0 * uniform();
  if (chance(0.2)) c.reinjection = 2.0 * uniform();
  if (chance(0.2)) c.voidage = 2.0 * uniform();
  return c;
}

/* Well d becomes well w. */
static void put(hp_wells *W, int w, const well *d) {
  const bool injector = d->control.injector;
  const int64_t q = W->begin[w];
  hp_wells_set_control(W, w, &d->control);
  W->bhp[w] = d->control.limit[HP_CONTROL_BHP];
  W->rate[q] = (hp_perf_rate){.drawdown = (injector ? -100.0 : 100.0) * BAR, .transmissibility = 1.0 / BAR};
  if (injector) W->rate[q].dbhp[HP_WATER] = -d->most[HP_CONTROL_WRAT] / (100.0 * BAR);
  else {
    W->rate[q].producible[HP_OIL] = d->most[HP_CONTROL_ORAT] / (100.0 * BAR);
    W->rate[q].producible[HP_WATER] = d->most[HP_CONTROL_WRAT] / (100.0 * BAR);
  }
  for (int a = 0; a < HP_PHASES; ++a) {
    W->resv[2 * w + a] = volume[a];
    W->rate[q].q[a] = 0.0;
  }
}

/* The part of what it could make that the limits leave to a well. */
static double part_of(const well *d, const double *limit) {
  double part = 1.0;
  for (int k = HP_CONTROL_ORAT; k < HP_CONTROL_COUNT; ++k)
    if (limit[k] < part * d->most[k]) part = limit[k] / d->most[k];
  return part;
}

/* The share of group g's time that a well flows; 0: it is not in it. */
static double flows_in(const hp_groups *G, const well *d, int g) {
  double efficiency = d->control.efficiency;
  int at = d->control.group;
  for (; at != g && at > 0; at = G->of[at].control.parent) efficiency *= G->of[at].control.efficiency;
  return at == g ? efficiency : 0.0;
}

/* Whether well d takes part in targets of group g, which it is in. */
static bool takes_part(const hp_groups *G, const well *d, int g) {
  bool part = d->control.in_field;
  for (int at = d->control.group; at != g; at = G->of[at].control.parent)
    part = part && (d->control.injector ? G->of[at].control.in_injection : G->of[at].control.in_production);
  return part;
}

/* Rates of group g's producers or injectors with parts of what they could make, and how many of its wells take no part. */
static int rates_of(const hp_groups *G, const well *d, const double *part, int g, bool injectors,
                    double rate[HP_CONTROL_COUNT]) {
  int apart = 0;
  for (int k = 0; k < HP_CONTROL_COUNT; ++k) rate[k] = 0.0;
  for (int w = 0; w < WELLS; ++w) {
    const double e = flows_in(G, &d[w], g);
    if (d[w].control.injector != injectors || e == 0.0) continue;
    apart += !takes_part(G, &d[w], g);
    for (int k = HP_CONTROL_ORAT; k < HP_CONTROL_COUNT; ++k) rate[k] += e * part[w] * d[w].most[k];
  }
  return apart;
}

/* Checks the targets of group g, and notes whether one binds its producers [0], its injectors [1]. */
static void check_targets(const hp_groups *G, const well *d, const double *part, int g, bool binds[2]) {
  const hp_group_control *c = &G->of[g].control;
  double made[HP_CONTROL_COUNT], taken[HP_CONTROL_COUNT];
  const int apart[2] = {rates_of(G, d, part, g, false, made), rates_of(G, d, part, g, true, taken)};
  const struct {
    double is, most;
  } target[] = {{made[HP_CONTROL_ORAT], c->production[HP_CONTROL_ORAT]},
                {made[HP_CONTROL_WRAT], c->production[HP_CONTROL_WRAT]},
                {made[HP_CONTROL_LRAT], c->production[HP_CONTROL_LRAT]},
                {made[HP_CONTROL_RESV], c->production[HP_CONTROL_RESV]},
                {taken[HP_CONTROL_WRAT], c->injection_rate},
                {taken[HP_CONTROL_RESV], c->injection_volume},
                {taken[HP_CONTROL_WRAT], c->reinjection * made[HP_CONTROL_WRAT]},
                {taken[HP_CONTROL_RESV], c->voidage * made[HP_CONTROL_RESV]}};
  binds[0] = binds[1] = false;
  for (int n = 0; n < 8; ++n) {
    const int job = n >= 4;
    if (target[n].is >= target[n].most * (1.0 - 1e-5)) binds[job] = true;
    if (apart[job] == 0) CHECK(!(target[n].is > target[n].most * (1.0 + 1e-5) + 1e-4));
  }
}

static void check_tree(hp_wells *W, hp_groups *G, const well *d) {
  double limit[WELLS][HP_CONTROL_COUNT], part[WELLS];
  bool changed, binds[GROUPS][2];
  for (int w = 0; w < WELLS; ++w) put(W, w, &d[w]);
  hp_wells_share(W, G, HP_SHARE_FIRST, &changed);
  for (int w = 0; w < WELLS; ++w) {
    memcpy(limit[w], W->control[w].limit, sizeof limit[w]);
    part[w] = part_of(&d[w], limit[w]);
    CHECK(part[w] <= part_of(&d[w], d[w].control.limit) * (1.0 + 1e-9));
  }
  for (int g = 0; g < GROUPS; ++g) check_targets(G, d, part, g, binds[g]);
  for (int w = 0; w < WELLS; ++w) {
    bool bound = part[w] >= part_of(&d[w], d[w].control.limit) * (1.0 - 1e-5);
    for (int g = 0; g < GROUPS; ++g)
      bound = bound || (flows_in(G, &d[w], g) > 0.0 && takes_part(G, &d[w], g) && binds[g][d[w].control.injector]);
    CHECK(bound);
  }
  int order[WELLS];
  for (int w = 0; w < WELLS; ++w) order[w] = w;
  for (int w = WELLS - 1; w > 0; --w) {
    const int other = below(w + 1), kept = order[w];
    order[w] = order[other];
    order[other] = kept;
  }
  for (int w = 0; w < WELLS; ++w) put(W, w, &d[order[w]]);
  hp_wells_share(W, G, HP_SHARE_FIRST, &changed);
  for (int w = 0; w < WELLS; ++w) CHECK_NEAR(part_of(&d[order[w]], W->control[w].limit), part[order[w]], 1e-9);
}

int main(void) {
  hp_wells *W = row_of_wells(WELLS, 1);
  hp_groups G;
  well d[WELLS];
  CHECK_OK(hp_groups_create(GROUPS, &G));
  for (int n = 0; n < TREES && check_result() == 0; ++n) {
    seed = (uint64_t)n;
    for (int g = 0; g < GROUPS; ++g) {
      const hp_group_control c = random_group(g);
      hp_groups_set(&G, g, &c);
    }
    for (int w = 0; w < WELLS; ++w) d[w] = random_well(w >= PRODUCERS);
    check_tree(W, &G, d);
    if (check_result() != 0) fprintf(stderr, "tree %d\n", n);
  }
  hp_wells_destroy(&W);
  hp_groups_destroy(&G);
  CHECK(hp_memory_now() == 0);
  return check_result();
}
