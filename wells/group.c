#include "wells/group.h"

#include <math.h>

#include "core/memory.h"
#include "wells/control.inl.h"
#include "wells/group_impl.h"

typedef struct hp_group_part part;

hp_group_control hp_group_nothing(void) {
  hp_group_control f = {.efficiency = 1.0,
                        .in_production = true,
                        .in_injection = true,
                        .injection_rate = NAN,
                        .injection_volume = NAN,
                        .reinjection = NAN,
                        .voidage = NAN};
  for (int k = 0; k < HP_CONTROL_COUNT; ++k) f.production[k] = NAN;
  return f;
}

bool hp_group_has_targets(const hp_group_control *f) {
  for (int k = HP_CONTROL_ORAT; k < HP_CONTROL_COUNT; ++k)
    if (!isnan(f->production[k])) return true;
  return !isnan(f->injection_rate) || !isnan(f->injection_volume) || !isnan(f->reinjection) || !isnan(f->voidage);
}

bool hp_group_has_limits(const hp_group_control *f) {
  return f->min_oil_rate > 0.0 || f->max_water_cut > 0.0 || f->end_run;
}

/* ---- the tree ---- */

static int depth_of(const hp_groups *G, int g) {
  int depth = 0;
  for (; g > 0; g = G->of[g].control.parent) ++depth;
  return depth;
}

/* By depth, the deepest first, and by number. */
static void sort_groups(hp_groups *G) {
  int count = 0;
  for (int depth = G->count; depth >= 0; --depth)
    for (int g = 0; g < G->count; ++g)
      if (depth_of(G, g) == depth) G->order[count++] = g;
}

hp_status hp_groups_create(int count, hp_groups *out) {
  *out = (hp_groups){.count = count};
  HP_TRY(HP_ALLOC(out->of, count));
  HP_TRY(HP_ALLOC(out->order, count));
  for (int g = 0; g < count; ++g) out->of[g].control = hp_group_nothing();
  sort_groups(out);
  return HP_OK;
}

void hp_groups_destroy(hp_groups *G) {
  HP_FREE(G->of);
  HP_FREE(G->order);
}

void hp_groups_set(hp_groups *G, int g, const hp_group_control *control) {
  G->of[g].control = *control;
  sort_groups(G);
}

bool hp_group_is_elsewhere(const hp_group_control *a, const hp_group_control *b) {
  return a->parent != b->parent || a->efficiency != b->efficiency || a->in_production != b->in_production ||
         a->in_injection != b->in_injection;
}

bool hp_groups_have_targets(const hp_groups *G) {
  for (int g = 0; g < G->count; ++g)
    if (hp_group_has_targets(&G->of[g].control)) return true;
  return false;
}

bool hp_group_is_below(const hp_groups *G, int g, int above) {
  while (g != above && g > 0) g = G->of[g].control.parent;
  return g == above;
}

static double own_efficiency(const hp_wells *W, int w) { return hp_well_control_efficiency(&W->deck_control[w]); }

void hp_groups_weigh(const hp_groups *G, hp_wells *W) {
  for (int w = 0; w < W->nwell; ++w) {
    double efficiency = own_efficiency(W, w);
    for (int g = W->deck_control[w].group; g > 0; g = G->of[g].control.parent)
      efficiency *= G->of[g].control.efficiency;
    W->control[w].efficiency = efficiency;
  }
}

void hp_group_select(hp_wells *W, const hp_groups *G, int g) {
  for (int w = 0; w < W->nwell; ++w) {
    part *p = &W->part[w];
    int at = W->deck_control[w].group;
    double efficiency = own_efficiency(W, w);
    p->shares = p->takes_part;
    for (; at > 0 && at != g; at = G->of[at].control.parent) {
      const hp_group_control *c = &G->of[at].control;
      efficiency *= c->efficiency;
      p->shares = p->shares && (W->control[w].injector ? c->in_injection : c->in_production);
    }
    p->inside = at == g;
    p->shares = p->shares && p->inside;
    p->efficiency = p->inside ? efficiency : 0.0;
  }
}

/* ---- one well ---- */

/* Surface rates of producer w at the bottom-hole pressure bhp. */
static void rates_at(const hp_wells *W, int w, double bhp, double q[HP_PHASES]) {
  q[HP_OIL] = fmax(0.0, hp_control_rate_at(W, w, HP_CONTROL_ORAT, bhp));
  q[HP_WATER] = fmax(0.0, hp_control_rate_at(W, w, HP_CONTROL_WRAT, bhp));
}

/* The lowest pressure from `lowest` on at which the rate under `control` is no more than `limit`. */
static double pressure_for(const hp_wells *W, int w, int control, double limit, double lowest) {
  return hp_control_rate_at(W, w, control, lowest) > limit ? hp_control_bhp_from(W, w, control, limit, lowest) : lowest;
}

static double weighted(const hp_wells *W, int w, int control, const double q[HP_PHASES]) {
  double c[HP_PHASES];
  hp_control_weights(W, w, control, c);
  return c[HP_OIL] * q[HP_OIL] + c[HP_WATER] * q[HP_WATER];
}

/* The limits that the deck gives the well. */
static const double *deck_limits(const hp_wells *W, int w) {
  return W->deck_control[w].in_field ? W->deck_control[w].limit : W->control[w].limit;
}

/* The bottom-hole pressure from `from` on that keeps the tubing-head pressure, too. */
static double lifted(const hp_wells *W, int w, double from) {
  bool still;
  return hp_well_has_thp(W, w) ? hp_control_lift_bhp(W, w, from, &still) : from;
}

static void look_at_producer(const hp_wells *W, int w, part *p) {
  const double *limit = deck_limits(W, w);
  p->lowest = limit[HP_CONTROL_BHP];
  for (int k = HP_CONTROL_ORAT; k < HP_CONTROL_COUNT; ++k)
    if (limit[k] >= 0.0) p->lowest = pressure_for(W, w, k, limit[k], p->lowest);
  p->lowest = lifted(W, w, p->lowest);
  rates_at(W, w, p->lowest, p->potential);
}

/* Rates of injector w at its highest bottom-hole pressure, surface volumes. */
static double injectable(const hp_wells *W, int w) {
  const int phase = W->control[w].phase;
  const double highest = lifted(W, w, W->control[w].limit[HP_CONTROL_BHP]);
  double sum = 0.0;
  for (int64_t i = W->begin[w]; i < W->begin[w + 1]; ++i) {
    const hp_perf_rate *r = &W->rate[i];
    const double fall = highest - W->bhp[w] - r->drawdown;
    const double slope = r->dbhp[phase] < 0.0 ? -r->dbhp[phase] : r->transmissibility / W->resv[HP_PHASES * w + phase];
    if (fall > 0.0) sum += slope * fall;
  }
  return sum;
}

static void look_at_injector(const hp_wells *W, int w, part *p) {
  const double *limit = deck_limits(W, w);
  const int phase = W->control[w].phase, rate = phase == HP_WATER ? HP_CONTROL_WRAT : HP_CONTROL_ORAT;
  double most = injectable(W, w);
  if (limit[rate] >= 0.0) most = fmin(most, limit[rate]);
  if (limit[HP_CONTROL_RESV] >= 0.0) most = fmin(most, limit[HP_CONTROL_RESV] / W->resv[HP_PHASES * w + phase]);
  p->potential[HP_OIL] = p->potential[HP_WATER] = 0.0;
  p->potential[phase] = most;
}

static void look(hp_wells *W) {
  part *p = W->part;
  for (int w = 0; w < W->nwell; ++w) {
    const hp_well_control *c = &W->control[w];
    p[w] = (part){.open = W->mode[w] != HP_CONTROL_SHUT, .by = HP_CONTROL_SHUT};
    p[w].takes_part = p[w].open && W->deck_control[w].in_field && (!c->injector || c->phase == HP_WATER);
    if (!p[w].open) continue;
    if (c->injector) look_at_injector(W, w, &p[w]);
    else look_at_producer(W, w, &p[w]);
  }
}

/* ---- guide rates ---- */

/* Rate of the well under `control` were pressures its only limits. */
static double potential(const hp_wells *W, int w, int control) {
  double q[HP_PHASES];
  if (W->control[w].injector) return injectable(W, w);
  rates_at(W, w, lifted(W, w, W->control[w].limit[HP_CONTROL_BHP]), q);
  return weighted(W, w, control, q);
}

static const int guide_control[] = {
#define GUIDE_CONTROL(name, text, control) HP_CONTROL_##control,
    HP_GUIDE_LIST(GUIDE_CONTROL)
#undef GUIDE_CONTROL
};

/* A guide rate of another quantity is carried over in the proportion of the potentials. */
static double guide_rate(const hp_wells *W, int w, int control) {
  const hp_well_control *own = &W->deck_control[w];
  const double most = potential(W, w, control);
  if (!(own->guide_rate > 0.0)) return most;
  const int rate = guide_control[own->guide_by];
  if (own->injector || rate == control || rate == HP_CONTROL_SHUT) return own->guide_rate;
  const double by = potential(W, w, rate);
  return by > 0.0 ? own->guide_rate * most / by : 0.0;
}

/* The guide rate of the step: that of its start, or of the first iteration in which the well can flow. */
static void set_guide(hp_wells *W, int w, int control, hp_share_time when) {
  double *guide = &W->guide[w * HP_CONTROL_COUNT + control];
  if (when == HP_SHARE_FIRST || !(*guide > 0.0)) *guide = guide_rate(W, w, control);
}

/* ---- sharing ---- */

/* x of the method, and the shares x g: the wells whose cap is below theirs are told apart round by round. */
static void divide(hp_wells *W, bool injector, int control, double target) {
  double x = 0.0;
  for (int round = 0; round <= W->nwell; ++round) {
    double rest = target, guides = 0.0;
    for (int w = 0; w < W->nwell; ++w) {
      if (!hp_group_has(W, w, injector)) continue;
      const double guide = W->guide[w * HP_CONTROL_COUNT + control];
      if (round > 0 && W->part[w].cap <= x * guide) rest -= W->part[w].efficiency * W->part[w].cap;
      else guides += W->part[w].efficiency * guide;
    }
    const double next = guides > 0.0 ? fmax(rest, 0.0) / guides : x;
    if (round > 0 && !(next > x)) break;
    x = next;
  }
  for (int w = 0; w < W->nwell; ++w)
    if (hp_group_has(W, w, injector)) W->part[w].share = x * W->guide[w * HP_CONTROL_COUNT + control];
}

/* Whether what well w makes of `target` counts: the rest of what it makes would be given up for next to nothing. What had a
 * share in this time step keeps it for longer, so that a well at the border does not lose and take it up by turns. */
static bool counts(const hp_wells *W, int w, int control, double target) {
  const part *p = &W->part[w];
  const double least = W->shared[w] == control ? 1e-9 : 1e-7;
  return p->cap > 1e-9 * (p->potential[HP_OIL] + p->potential[HP_WATER]) && p->cap > least * target;
}

/* Shares of `target`. Where all wells together cannot make it each makes what it can, and the rest is room for what
 * changes within the step. A well that makes next to nothing of it has no share. */
static void share_out(hp_wells *W, bool injector, int control, double target) {
  double most = 0.0, guides = 0.0;
  for (int w = 0; w < W->nwell; ++w) {
    if (!hp_group_has(W, w, injector)) continue;
    part *p = &W->part[w];
    p->by = counts(W, w, control, target) ? control : HP_CONTROL_SHUT;
    most += W->part[w].efficiency * W->part[w].cap;
    guides += W->part[w].efficiency * W->guide[w * HP_CONTROL_COUNT + control];
  }
  if (most > target) {
    divide(W, injector, control, target);
    return;
  }
  for (int w = 0; w < W->nwell; ++w)
    if (hp_group_has(W, w, injector))
      W->part[w].share = W->part[w].cap +
                         (guides > 0.0 ? (target - most) / guides : 0.0) * W->guide[w * HP_CONTROL_COUNT + control];
}

/* Surface rates of producer w with its share, if it has one, and the bottom-hole pressure of these. */
static double rates_with_share(const hp_wells *W, int w, double q[HP_PHASES]) {
  const part *p = &W->part[w];
  const double bhp = p->by == HP_CONTROL_SHUT ? p->lowest : pressure_for(W, w, p->by, p->share, p->lowest);
  for (int a = 0; a < HP_PHASES; ++a) q[a] = p->potential[a];
  if (p->by != HP_CONTROL_SHUT) rates_at(W, w, bhp, q);
  return bhp;
}

/* Rates of the group's producers with their shares. */
static void add_up(const hp_wells *W, double total[HP_CONTROL_COUNT]) {
  for (int k = 0; k < HP_CONTROL_COUNT; ++k) total[k] = 0.0;
  for (int w = 0; w < W->nwell; ++w) {
    const part *p = &W->part[w];
    if (!p->open || W->control[w].injector) continue;
    double q[HP_PHASES];
    (void)rates_with_share(W, w, q);
    for (int k = HP_CONTROL_ORAT; k < HP_CONTROL_COUNT; ++k) total[k] += W->part[w].efficiency * weighted(W, w, k, q);
  }
}

/* Shares of one target of production, and what the group's producers make with them. */
static void share_production(hp_wells *W, int control, double target, hp_share_time when,
                             double total[HP_CONTROL_COUNT]) {
  for (int w = 0; w < W->nwell; ++w) {
    part *p = &W->part[w];
    if (!p->open || !p->inside || W->control[w].injector) continue;
    p->cap = weighted(W, w, control, p->potential);
    if (!p->shares) target -= p->efficiency * p->cap;
    else set_guide(W, w, control, when);
  }
  share_out(W, false, control, fmax(target, 0.0));
  add_up(W, total);
}

/* A share of a group below, or of another target, is a limit of what follows. */
static void settle(hp_wells *W) {
  for (int w = 0; w < W->nwell; ++w) {
    part *p = &W->part[w];
    if (!p->open || !p->inside || W->control[w].injector) continue;
    p->lowest = rates_with_share(W, w, p->potential);
    p->by_before = p->by;
    p->share_before = p->share;
  }
}

/* Wells that the new shares do not restrict keep those that they had. */
static void adopt(hp_wells *W, int g, bool injector) {
  for (int w = 0; w < W->nwell; ++w) {
    part *p = &W->part[w];
    if (!hp_group_has(W, w, injector)) continue;
    if (p->by != HP_CONTROL_SHUT && (p->share < p->cap || p->by_before == HP_CONTROL_SHUT)) {
      p->of = g;
      continue;
    }
    p->by = p->by_before;
    p->share = p->share_before;
  }
}

/* The target that leaves the others unexceeded, or exceeds them least, and then what is still exceeded, by wells that give little
 * of the first. */
static void share_among_producers(hp_wells *W, const hp_group_control *f, int g, hp_share_time when) {
  int best = HP_CONTROL_SHUT;
  double least = INFINITY, total[HP_CONTROL_COUNT];
  settle(W);
  for (int k = HP_CONTROL_ORAT; k < HP_CONTROL_COUNT; ++k) {
    if (isnan(f->production[k])) continue;
    double excess = 0.0;
    share_production(W, k, f->production[k], when, total);
    for (int other = HP_CONTROL_ORAT; other < HP_CONTROL_COUNT; ++other)
      if (other != k && total[other] > 0.0 && !isnan(f->production[other]))
        excess = fmax(excess, f->production[other] > 0.0 ? total[other] / f->production[other] - 1.0 : INFINITY);
    if (!(excess < least) && best != HP_CONTROL_SHUT) continue;
    best = k;
    least = excess;
  }
  if (best == HP_CONTROL_SHUT) return;
  share_production(W, best, f->production[best], HP_SHARE_AGAIN, total);
  adopt(W, g, false);
  for (int k = HP_CONTROL_ORAT; k < HP_CONTROL_COUNT; ++k) {
    if (k == best || !(total[k] > f->production[k] * (1.0 + HP_LIMIT_SLACK))) continue;
    settle(W);
    share_production(W, k, f->production[k], HP_SHARE_AGAIN, total);
    adopt(W, g, false);
  }
}

double hp_group_water_of(const hp_wells *W, int w, bool could) {
  double q[HP_PHASES];
  hp_well_total(W, w, q);
  return W->part[w].efficiency * (could ? W->part[w].potential[HP_WATER] : fmax(0.0, -q[HP_WATER]));
}

double hp_group_water_volume(const hp_wells *W) {
  double volume = 0.0, water = 0.0, mean = 0.0;
  bool could = true;
  int count = 0;
  for (int w = 0; w < W->nwell; ++w)
    if (W->part[w].open && W->control[w].injector && hp_group_water_of(W, w, false) > 0.0) could = false;
  for (int w = 0; w < W->nwell; ++w) {
    const double own = hp_group_water_of(W, w, could), b = W->resv[HP_PHASES * w + HP_WATER];
    if (!W->part[w].open || !W->part[w].inside || !W->control[w].injector) continue;
    volume += own * b;
    water += own;
    mean += b;
    count += 1;
  }
  return water > 0.0 ? volume / water : count > 0 ? mean / count : 1.0;
}

void hp_group_add_up(const hp_wells *W, double total[HP_CONTROL_COUNT]) {
  for (int k = 0; k < HP_CONTROL_COUNT; ++k) total[k] = 0.0;
  for (int w = 0; w < W->nwell; ++w) {
    double q[HP_PHASES];
    if (W->control[w].injector) continue;
    hp_well_total(W, w, q);
    for (int k = HP_CONTROL_ORAT; k < HP_CONTROL_COUNT; ++k)
      total[k] += W->part[w].efficiency * hp_control_rate(W, w, k, q);
  }
}

/* The water that the group's injectors together are to inject, NAN: none is asked for. total: of its producers. */
static double water_asked(const hp_wells *W, hp_group *of, const double total[HP_CONTROL_COUNT]) {
  const hp_group_control *f = &of->control;
  const double volume = hp_group_water_volume(W);
  double other = 0.0; /* reservoir volume of injected oil */
  for (int w = 0; w < W->nwell; ++w)
    if (W->part[w].open && W->control[w].injector)
      other += W->part[w].efficiency * W->part[w].potential[HP_OIL] * W->resv[HP_PHASES * w + HP_OIL];
  const double asked[] = {f->injection_rate, (f->injection_volume - other) / volume,
                          f->reinjection * total[HP_CONTROL_WRAT],
                          (f->voidage * total[HP_CONTROL_RESV] - other) / volume};
  double water = NAN;
  for (int n = 0; n < 4; ++n)
    if (asked[n] < water || (isnan(water) && !isnan(asked[n]))) {
      water = asked[n];
      of->injects_by = n + 1;
    }
  return water;
}

double hp_group_follow_water(const hp_wells *W, hp_group *of, hp_share_time when, double asked) {
  double injected = 0.0, q[HP_PHASES];
  const double before = of->injected, asked_before = of->asked;
  if (when == HP_SHARE_FIRST) of->injected = of->asked = NAN;
  if (when != HP_SHARE_LAST) return asked;
  for (int w = 0; w < W->nwell; ++w) {
    if (!W->part[w].open || !W->control[w].injector) continue;
    hp_well_total(W, w, q);
    injected -= W->part[w].efficiency * fmin(q[HP_WATER], 0.0);
  }
  of->injected = injected;
  of->asked = asked;
  const double slope = (asked - asked_before) / (injected - before); /* NAN: the first time, or nothing has changed */
  return slope > 0.0 && slope < 0.999 ? fmax(0.0, (asked - slope * injected) / (1.0 - slope)) : asked;
}

/* Injection follows what producers are asked for; at the end of a step, of a rate that they miss by more than Newton's method may,
 * what they make, which is all that injectors can follow. */
static void share_among_injectors(hp_wells *W, hp_group *of, int g, hp_share_time when) {
  double total[HP_CONTROL_COUNT], now[HP_CONTROL_COUNT];
  add_up(W, total);
  if (when == HP_SHARE_LAST) {
    hp_group_add_up(W, now);
    for (int k = 0; k < HP_CONTROL_COUNT; ++k)
      if (now[k] < 0.9999 * total[k]) total[k] = now[k];
  }
  for (int w = 0; w < W->nwell; ++w) {
    part *p = &W->part[w];
    if (!p->open || !p->inside || !W->control[w].injector) continue;
    if (p->by != HP_CONTROL_SHUT) p->potential[HP_WATER] = fmin(p->potential[HP_WATER], p->share);
    p->by_before = p->by;
    p->share_before = p->share;
  }
  double target = water_asked(W, of, total);
  if (isnan(target)) return;
  target = hp_group_follow_water(W, of, when, target);
  for (int w = 0; w < W->nwell; ++w) {
    part *p = &W->part[w];
    if (!p->open || !p->inside || !W->control[w].injector) continue;
    p->cap = p->potential[HP_WATER];
    if (!p->shares) target -= p->efficiency * p->cap;
    else set_guide(W, w, HP_CONTROL_WRAT, when);
  }
  share_out(W, true, HP_CONTROL_WRAT, fmax(target, 0.0));
  adopt(W, g, true);
}

/* ---- limits ---- */

/* The well's own limits, and its share of what is shared out. True if they are others than before. */
static bool set_limits(hp_wells *W, int w) {
  hp_well_control *c = &W->control[w];
  bool changed = false;
  W->shared[w] = HP_CONTROL_SHUT;
  for (int k = HP_CONTROL_BHP; k < HP_CONTROL_COUNT; ++k) {
    double limit = W->deck_control[w].limit[k];
    if (k == W->part[w].by && W->part[w].takes_part && !(limit <= W->part[w].share)) {
      limit = W->part[w].share;
      W->shared[w] = (uint8_t)k;
    }
    const double before = c->limit[k];
    changed = changed || isnan(before) != isnan(limit) || fabs(limit - before) > 1e-5 * fabs(limit);
    c->limit[k] = limit;
  }
  /* a share that is no more leaves the well with its own control */
  if (W->mode[w] != HP_CONTROL_SHUT && isnan(c->limit[W->mode[w]])) W->mode[w] = (uint8_t)W->deck_control[w].control;
  return changed;
}

void hp_wells_share(hp_wells *W, hp_groups *G, hp_share_time when, bool *changed) {
  for (int w = 0; w < W->nwell && when == HP_SHARE_FIRST; ++w) W->shared[w] = HP_CONTROL_SHUT;
  look(W);
  for (int n = 0; n < 2 * G->count; ++n) { /* production of all groups, then injection, which follows it */
    const int g = G->order[n % G->count];
    if (!hp_group_has_targets(&G->of[g].control)) continue;
    hp_group_select(W, G, g);
    if (n < G->count) share_among_producers(W, &G->of[g].control, g, when);
    else share_among_injectors(W, &G->of[g], g, when);
  }
  *changed = false;
  for (int w = 0; w < W->nwell; ++w) {
    W->shared[w] = HP_CONTROL_SHUT;
    if (!W->deck_control[w].in_field) continue;
    const bool other = set_limits(W, w);
    *changed = *changed || (other && W->part[w].open);
  }
}
