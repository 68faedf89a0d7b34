#include "io/case/history.h"

#include <math.h>

#include "core/memory.h"

hp_status hp_history_create(const hp_case *c, hp_history *out) {
  *out = (hp_history){.c = c};
  HP_TRY(HP_ALLOC(out->well, c->nwell));
  HP_TRY(HP_ALLOC(out->group, c->ngroup + 1));
  for (int g = 0; g <= c->ngroup; ++g) out->group[g].efficiency = 1.0;
  return HP_OK;
}

void hp_history_destroy(hp_history *h) {
  HP_FREE(h->well);
  HP_FREE(h->group);
}

double hp_history_share(const hp_history *h, int w, int g) {
  double share = h->well[w].efficiency;
  for (int at = h->well[w].group; at != g; at = h->group[at].parent) {
    if (at == 0) return 0.0;
    share *= h->group[at].efficiency;
  }
  return share;
}

static void add_up(hp_history *h, double until) {
  for (int w = 0; w < h->c->nwell; ++w) {
    hp_history_well *well = &h->well[w];
    const double time = hp_history_share(h, w, 0) * (until - h->time);
    double *sum = well->injector ? well->injected : well->made;
    for (int a = 0; a < HP_PHASES; ++a) sum[a] += time * well->rate[a];
    for (int g = well->group;; g = h->group[g].parent) {
      double *all = well->injector ? h->group[g].injected : h->group[g].made;
      for (int a = 0; a < HP_PHASES; ++a) all[a] += time * well->rate[a];
      if (g == 0) break;
    }
  }
  h->time = until;
}

static void take(hp_history *h, const hp_well_event *e) {
  const hp_well_control *c = &e->control;
  hp_history_well *well = &h->well[e->well];
  well->injector = c->injector;
  well->group = c->group;
  well->efficiency = hp_well_control_efficiency(c);
  well->rate[HP_OIL] = c->history_oil_rate;
  well->rate[HP_WATER] = c->history_water_rate;
  well->bhp = c->history_bhp;
  well->thp = c->history_thp;
}

static void take_group(hp_history *h, const hp_group_event *e) {
  h->group[e->group].parent = e->control.parent;
  h->group[e->group].efficiency = e->control.efficiency;
}

void hp_history_advance(hp_history *h, double time) {
  const hp_case *c = h->c;
  const double before = time * (1.0 - 1e-12);
  for (;;) {
    const double well = h->next < c->nevent ? c->event[h->next].time : INFINITY;
    const double group = h->next_group < c->ngroup_event ? c->group_event[h->next_group].time : INFINITY;
    if (!(fmin(well, group) < before)) break;
    if (fmin(well, group) > h->time) add_up(h, fmin(well, group));
    if (well <= group) take(h, &c->event[h->next++]);
    else take_group(h, &c->group_event[h->next_group++]);
  }
  if (time > h->time) add_up(h, time);
}
