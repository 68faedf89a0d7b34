#include "io/case/history.h"

#include <math.h>

#include "core/memory.h"

hp_status hp_history_create(const hp_case *c, hp_history *out) {
  *out = (hp_history){.c = c};
  return HP_ALLOC(out->well, c->nwell);
}

void hp_history_destroy(hp_history *h) { HP_FREE(h->well); }

static void add_up(hp_history *h, double until) {
  for (int w = 0; w < h->c->nwell; ++w) {
    hp_history_well *well = &h->well[w];
    double *sum = well->injector ? well->injected : well->made;
    for (int a = 0; a < HP_PHASES; ++a) sum[a] += well->efficiency * well->rate[a] * (until - h->time);
  }
  h->time = until;
}

static void take(hp_history *h, const hp_well_event *e) {
  const hp_well_control *c = &e->control;
  hp_history_well *well = &h->well[e->well];
  well->injector = c->injector;
  well->efficiency = hp_well_control_efficiency(c);
  well->rate[HP_OIL] = c->history_oil_rate;
  well->rate[HP_WATER] = c->history_water_rate;
  well->bhp = c->history_bhp;
}

void hp_history_advance(hp_history *h, double time) {
  const double before = time * (1.0 - 1e-12);
  for (; h->next < h->c->nevent && h->c->event[h->next].time < before; ++h->next) {
    if (h->c->event[h->next].time > h->time) add_up(h, h->c->event[h->next].time);
    take(h, &h->c->event[h->next]);
  }
  if (time > h->time) add_up(h, time);
}
