#include "physics/fluid.h"

#include <string.h>

#include "core/memory.h"

/* An array of *length entries becomes one of `count`; the new ones are zeroed. */
static hp_status grow(void **array, int *length, int count, size_t size, const char *what) {
  void *longer = NULL;
  if (count <= *length) return HP_OK;
  HP_TRY(hp_alloc(&longer, count, size, what));
  if (*length > 0) memcpy(longer, *array, (size_t)*length * size);
  hp_free(array);
  *array = longer;
  *length = count;
  return HP_OK;
}

#define GROW(array, length, count) grow((void **)&(array), &(length), (count), sizeof *(array), #array)

hp_status hp_fluid_spec_grow(hp_fluid_spec *f, int nsat, int npvt, int nrock) {
  HP_TRY(GROW(f->sat, f->nsat, nsat));
  HP_TRY(GROW(f->pvt, f->npvt, npvt));
  return GROW(f->rock, f->nrock, nrock);
}

static void clear_pvt(hp_pvt_spec *f) {
  HP_FREE(f->p);
  HP_FREE(f->b);
  HP_FREE(f->mu);
  f->rows = 0;
}

void hp_sat_spec_clear(hp_sat_spec *f) {
  HP_FREE(f->s);
  HP_FREE(f->krw);
  HP_FREE(f->kro);
  HP_FREE(f->pc);
  f->rows = 0;
}

void hp_rock_spec_clear(hp_rock_spec *f) {
  HP_FREE(f->p);
  HP_FREE(f->pv);
  for (int c = 0; c < 3; ++c) HP_FREE(f->trans[c]);
  f->rows = f->columns = 0;
}

void hp_fluid_spec_clear(hp_fluid_spec *f) {
  for (int n = 0; n < f->nrock; ++n) hp_rock_spec_clear(&f->rock[n]);
  for (int n = 0; n < f->nsat; ++n) hp_sat_spec_clear(&f->sat[n]);
  for (int n = 0; n < f->npvt; ++n)
    for (int a = 0; a < HP_PHASES; ++a) clear_pvt(&f->pvt[n][a]);
  HP_FREE(f->sat);
  HP_FREE(f->pvt);
  HP_FREE(f->rock);
  HP_FREE(f->of_sat);
  HP_FREE(f->of_pvt);
  HP_FREE(f->of_rock);
  for (int n = 0; n < HP_ENDS; ++n) HP_FREE(f->end[n]);
  *f = (hp_fluid_spec){0};
}
