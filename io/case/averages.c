#include "io/case/averages.h"

#include <math.h>

#include "core/memory.h"
#include "io/case/case.h"

hp_average hp_average_nothing(void) {
  return (hp_average){.well = "*", .inner = NAN, .by_factor = NAN, .depth = NAN, .head = -1, .of = -1};
}

hp_status hp_average_add(hp_case *c, const hp_average *entry) {
  hp_output_options *o = &c->output;
  HP_TRY(HP_GROW(o->average, o->naverage, 1));
  o->average[o->naverage++] = *entry;
  return HP_OK;
}

hp_average hp_average_at(const hp_case *c, int w, double time) {
  hp_average a = {.inner = 0.5, .by_factor = 1.0, .depth = NAN};
  for (int n = 0; n < c->output.naverage; ++n) {
    const hp_average *e = &c->output.average[n];
    if (e->time >= time || !hp_name_matches(e->well, c->well[w].name)) continue;
    if (!isnan(e->inner)) a.inner = e->inner;
    if (!isnan(e->by_factor)) a.by_factor = e->by_factor;
    if (!isnan(e->depth)) a.depth = e->depth;
    if (e->head >= 0) a.head = e->head;
    if (e->of >= 0) a.of = e->of;
  }
  return a;
}
