#include "physics/fluid.h"

#include <math.h>
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

bool hp_pvt_spec_is_rigid(const hp_pvt_spec *f) {
  for (int n = 1; n < f->rows; ++n)
    if (f->b[n] != f->b[0]) return false;
  return f->rows > 0 || f->compressibility == 0.0;
}

/* The smallest of rows' y. */
static double least_row(int rows, const double *y) {
  double least = y[0];
  for (int n = 1; n < rows; ++n) least = fmin(least, y[n]);
  return least;
}

/* Adds the ends of a curve y over p that go down to 0. */
static void add_ends(int rows, const double *p, const double *y, hp_table_end end, int *count, hp_table_end *out) {
  for (int side = 0; side < 2; ++side) {
    const int from = side == 0 ? 0 : rows - 1, in = side == 0 ? 1 : rows - 2;
    const double slope = (y[from] - y[in]) / (p[from] - p[in]);
    end.above = side == 1;
    if (!(y[from] < y[in])) continue;
    end.held = p[from] + (HP_TABLE_LEAST * least_row(rows, y) - y[from]) / slope;
    end.zero = p[from] - y[from] / slope;
    out[(*count)++] = end;
  }
}

static hp_status add_pvt_ends(const hp_pvt_spec *f, hp_table_end end, int *count, hp_table_end *out) {
  double *y;
  if (f->rows < 2) return HP_OK;
  HP_TRY(HP_ALLOC(y, f->rows));
  for (int curve = 0; curve < 2; ++curve) {
    end.viscosity = curve == 1;
    for (int n = 0; n < f->rows; ++n) y[n] = 1.0 / (f->b[n] * (end.viscosity ? f->mu[n] : 1.0));
    add_ends(f->rows, f->p, y, end, count, out);
  }
  HP_FREE(y);
  return HP_OK;
}

hp_status hp_fluid_spec_ends(const hp_fluid_spec *f, int *count, hp_table_end **out) {
  *count = 0;
  HP_TRY(HP_ALLOC(*out, 4 * HP_PHASES * f->npvt + 2 * f->nrock));
  hp_status s = HP_OK;
  for (int n = 0; n < f->npvt; ++n)
    for (int a = 0; a < HP_PHASES && s == HP_OK; ++a)
      s = add_pvt_ends(&f->pvt[n][a], (hp_table_end){.phase = a, .region = n}, count, *out);
  for (int n = 0; n < f->nrock; ++n)
    if (f->rock[n].rows > 1)
      add_ends(f->rock[n].rows, f->rock[n].p, f->rock[n].pv, (hp_table_end){.rock = true, .region = n}, count, *out);
  if (s != HP_OK) HP_FREE(*out);
  return s;
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
  HP_FREE(f->of_imbibition);
  HP_FREE(f->of_pvt);
  HP_FREE(f->of_rock);
  for (int n = 0; n < HP_FACES; ++n) HP_FREE(f->of_face[n]);
  for (int n = 0; n < HP_ENDS; ++n) {
    HP_FREE(f->end[n]);
    HP_FREE(f->imbibition_end[n]);
  }
  *f = (hp_fluid_spec){0};
}
