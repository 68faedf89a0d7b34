/* Aquifers of a report step, with which a run can begin (io/eclipse/restart/aquifers.c): IAAQ, SAAQ, XAAQ by number, then
 * for each its cells; IAQN, RAQN: cells of numerical ones. */
#include "core/memory.h"
#include "io/results/eclipse/eclipse.h"

static double in_units(const hp_ebin_out *e, double value, hp_quantity quantity) {
  return value / e->units.factor[quantity];
}

int hp_ebin_most_aquifers(const hp_ebin_out *e) {
  const hp_case *c = e->c;
  return c->naquifer > 0 && e->stepped ? c->aquifer[c->naquifer - 1].number : 0;
}

int hp_ebin_most_aquifer_cells(const hp_ebin_out *e) {
  int64_t most = 0;
  for (int n = 0; n < e->c->naquifer; ++n)
    if (e->faces[n].count > most) most = e->faces[n].count;
  return (int)most;
}

static void fill(const hp_ebin_out *e, int n, int32_t *integer, float *real, double *number) {
  const hp_aquifer_spec *a = &e->c->aquifer[n];
  const hp_aquifer_state *state = &e->aquifer[n];
  const double length = e->units.factor[HP_UNIT_LENGTH];
  const bool carter_tracy = a->kind == HP_AQUIFER_CARTER_TRACY, fetkovich = a->kind == HP_AQUIFER_FETKOVICH;
  const double start = fetkovich ? state->pressure + state->influx / (a->compressibility * a->volume) : state->pressure;
  integer[0] = (int32_t)e->faces[n].count;
  integer[1] = a->pvt + 1;
  integer[9] = carter_tracy ? a->table : 0;
  integer[10] = fetkovich ? 0 : carter_tracy ? 1 : 2;
  integer[11] = 1;
  real[0] = (float)in_units(e, a->compressibility, HP_UNIT_COMPRESSIBILITY);
  real[4] = (float)in_units(e, start, HP_UNIT_PRESSURE);
  real[5] = (float)in_units(e, a->datum_depth, HP_UNIT_LENGTH);
  if (carter_tracy) {
    real[1] = (float)in_units(e, a->radius, HP_UNIT_LENGTH);
    real[2] = (float)in_units(e, a->permeability, HP_UNIT_PERMEABILITY);
    real[3] = (float)a->porosity;
    real[6] = (float)in_units(e, a->thickness, HP_UNIT_LENGTH);
    real[7] = (float)a->angle;
  } else if (fetkovich) {
    real[1] = (float)in_units(e, a->volume, HP_UNIT_VOLUME);
    real[2] = (float)(in_units(e, a->productivity, HP_UNIT_RATE) * e->units.factor[HP_UNIT_PRESSURE]);
    real[3] = (float)in_units(e, a->compressibility * a->volume / a->productivity, HP_UNIT_TIME);
  } else {
    real[1] = (float)(in_units(e, a->flux, HP_UNIT_RATE) * length * length);
  }
  number[0] = in_units(e, state->rate, HP_UNIT_RATE);
  number[1] = in_units(e, state->pressure, HP_UNIT_PRESSURE);
  number[2] = in_units(e, state->influx, HP_UNIT_VOLUME);
  for (int64_t c = 0; c < e->faces[n].count; ++c) number[3] += e->faces[n].at[c].weight / (length * length);
}

/* Fluxes are by area: their weights are in square lengths. */
static hp_status put_cells(hp_ebin_bytes *b, const hp_ebin_out *e, int n, int most) {
  const hp_aquifer_spec *a = &e->c->aquifer[n];
  const hp_ebin_faces *f = &e->faces[n];
  const int32_t number = a->number;
  const double length = e->units.factor[HP_UNIT_LENGTH];
  int32_t *integer = NULL;
  float *real = NULL;
  double sum = 0.0;
  hp_status s = HP_ALLOC(integer, (int64_t)most * HP_EBIN_NICAQ);
  if (s == HP_OK) s = HP_ALLOC(real, (int64_t)most * HP_EBIN_NSCAQ);
  for (int64_t c = 0; c < f->count; ++c) sum += f->at[c].weight;
  for (int64_t c = 0; s == HP_OK && c < f->count; ++c) {
    int at[3];
    hp_grid_ijk(e->c->grid, f->at[c].cell, at);
    for (int d = 0; d < 3; ++d) integer[c * HP_EBIN_NICAQ + d] = at[d] + 1;
    const double area = f->at[c].weight / (length * length);
    real[c * HP_EBIN_NSCAQ] = (float)(a->kind == HP_AQUIFER_FLUX ? area : f->at[c].weight / sum);
    real[c * HP_EBIN_NSCAQ + 1] = (float)area;
  }
  if (s == HP_OK) {
    hp_ebin_put_int(b, "ICAQNUM", 1, &number);
    hp_ebin_put_int(b, "ICAQ", (int64_t)most * HP_EBIN_NICAQ, integer);
    hp_ebin_put_int(b, "SCAQNUM", 1, &number);
    hp_ebin_put_real(b, "SCAQ", (int64_t)most * HP_EBIN_NSCAQ, real);
  }
  HP_FREE(integer);
  HP_FREE(real);
  return s;
}

int64_t hp_ebin_numerical_cells(const hp_ebin_out *e) {
  int64_t sum = 0;
  for (int n = 0; n < e->c->nnumerical && e->stepped; ++n) sum += e->c->numerical[n].ncell;
  return sum;
}

/* A row for each cell; what the aquifer gives, has given and its pressure stand in that of its first one. */
static hp_status put_numerical(hp_ebin_bytes *b, const hp_ebin_out *e) {
  const hp_case *c = e->c;
  const int64_t rows = hp_ebin_numerical_cells(e);
  int32_t *integer = NULL;
  double *number = NULL;
  if (rows == 0) return HP_OK;
  hp_status s = HP_ALLOC(integer, rows * HP_EBIN_NIAQN);
  if (s == HP_OK) s = HP_ALLOC(number, rows * HP_EBIN_NRAQN);
  int32_t *i = integer;
  double *x = number;
  const hp_ebin_pool *pool = e->pool;
  for (int n = 0; s == HP_OK && n < c->nnumerical; ++n) {
    x[10] = in_units(e, e->numerical[n].rate, HP_UNIT_RATE);
    x[11] = in_units(e, e->numerical[n].influx, HP_UNIT_VOLUME);
    x[12] = in_units(e, e->numerical[n].pressure, HP_UNIT_PRESSURE);
    for (int64_t k = 0; k < c->numerical[n].ncell; ++k, i += HP_EBIN_NIAQN, x += HP_EBIN_NRAQN, ++pool) {
      int at[3];
      hp_grid_ijk(c->grid, c->numerical[n].cell[k], at);
      i[0] = c->numerical[n].number;
      for (int d = 0; d < 3; ++d) i[1 + d] = at[d] + 1;
      x[4] = in_units(e, pool->depth, HP_UNIT_LENGTH);
      x[9] = in_units(e, pool->pore_volume, HP_UNIT_RESERVOIR_VOLUME);
    }
  }
  if (s == HP_OK) {
    hp_ebin_put_int(b, "IAQN", rows * HP_EBIN_NIAQN, integer);
    hp_ebin_put_double(b, "RAQN", rows * HP_EBIN_NRAQN, number);
  }
  HP_FREE(integer);
  HP_FREE(number);
  return s;
}

static hp_status put_analytic(hp_ebin_bytes *b, const hp_ebin_out *e) {
  const int most = hp_ebin_most_aquifers(e), cells = hp_ebin_most_aquifer_cells(e);
  int32_t *integer = NULL;
  float *real = NULL;
  double *number = NULL;
  if (most == 0) return HP_OK;
  hp_status s = HP_ALLOC(integer, (int64_t)most * HP_EBIN_NIAAQ);
  if (s == HP_OK) s = HP_ALLOC(real, (int64_t)most * HP_EBIN_NSAAQ);
  if (s == HP_OK) s = HP_ALLOC(number, (int64_t)most * HP_EBIN_NXAAQ);
  for (int n = 0; s == HP_OK && n < e->c->naquifer; ++n) {
    const int64_t slot = e->c->aquifer[n].number - 1;
    fill(e, n, integer + slot * HP_EBIN_NIAAQ, real + slot * HP_EBIN_NSAAQ, number + slot * HP_EBIN_NXAAQ);
  }
  if (s == HP_OK) {
    hp_ebin_put_int(b, "IAAQ", (int64_t)most * HP_EBIN_NIAAQ, integer);
    hp_ebin_put_real(b, "SAAQ", (int64_t)most * HP_EBIN_NSAAQ, real);
    hp_ebin_put_double(b, "XAAQ", (int64_t)most * HP_EBIN_NXAAQ, number);
  }
  for (int n = 0; s == HP_OK && n < e->c->naquifer; ++n) s = put_cells(b, e, n, cells);
  HP_FREE(integer);
  HP_FREE(real);
  HP_FREE(number);
  return s;
}

hp_status hp_ebin_put_aquifers(hp_ebin_bytes *b, const hp_ebin_out *e) {
  HP_TRY(put_analytic(b, e));
  return put_numerical(b, e);
}
