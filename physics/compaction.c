#include "physics/compaction.h"

#include <math.h>

#include "core/memory.h"

/* A spec's columns are along x, y, z. */
static hp_compaction_table of_spec(const hp_rock_spec *s) {
  static const int column[HP_DIRS] = {[HP_DIR_I] = 0, [HP_DIR_J] = 1, [HP_DIR_K] = 2};
  hp_compaction_table t = {.rows = s->rows, .irreversible = s->irreversible && s->rows > 0, .p = s->p, .pv = s->pv};
  for (int n = 0; n < t.rows; ++n) t.pv_least = n == 0 ? s->pv[n] : fmin(t.pv_least, s->pv[n]);
  t.pv_least *= HP_TABLE_LEAST;
  for (int d = 0; d < HP_DIRS && s->columns > 0; ++d) t.trans[d] = s->trans[s->columns > 1 ? column[d] : 0];
  return t;
}

bool hp_compaction_is_irreversible(const hp_fluid_spec *spec) {
  for (int n = 0; n < spec->nrock; ++n)
    if (of_spec(&spec->rock[n]).irreversible) return true;
  return false;
}

hp_status hp_compaction_create(const hp_fluid_spec *spec, hp_compaction **out) {
  hp_compaction *c;
  bool any = false;
  *out = NULL;
  for (int n = 0; n < spec->nrock; ++n) any = any || spec->rock[n].rows > 0;
  if (!any) return HP_OK;
  HP_TRY(HP_ALLOC(c, 1));
  hp_status s = HP_ALLOC(c->table, spec->nrock);
  c->count = s == HP_OK ? spec->nrock : 0;
  c->of = spec->of_rock;
  for (int n = 0; n < c->count; ++n) c->table[n] = of_spec(&spec->rock[n]);
  if (s == HP_OK) *out = c;
  else hp_compaction_destroy(&c);
  return s;
}

void hp_compaction_destroy(hp_compaction **slot) {
  if (slot == NULL || *slot == NULL) return;
  HP_FREE((*slot)->table);
  HP_FREE(*slot);
}
