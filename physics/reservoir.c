#include "physics/reservoir.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"

/* Copies `rows` values into the store and returns where they stand there. */
static const double *keep(double **store, const double *src, int rows) {
  double *at = *store;
  memcpy(at, src, (size_t)rows * sizeof *at);
  *store += rows;
  return at;
}

static void pvt_create(const hp_pvt_spec *spec, double **store, hp_pvt *out) {
  out->density = spec->density;
  out->rows = spec->rows;
  if (spec->rows > 0) {
    double *b = *store, *bmu = b + spec->rows;
    for (int n = 0; n < spec->rows; ++n) {
      b[n] = 1.0 / spec->b[n];
      bmu[n] = 1.0 / (spec->mu[n] * spec->b[n]);
    }
    *store += 2 * spec->rows;
    out->b = b;
    out->bmu = bmu;
    out->p = keep(store, spec->p, spec->rows);
    return;
  }
  out->p_ref = spec->p_ref;
  out->b_ref = 1.0 / spec->b_ref;
  out->bmu_ref = 1.0 / (spec->viscosity * spec->b_ref);
  out->c = spec->compressibility;
  out->c_minus_cv = spec->compressibility - spec->viscosibility;
}

static void satfunc_create(const hp_sat_spec *spec, double **store, hp_satfunc *out) {
  out->model = spec->model;
  out->par = *spec;
  out->par.s = out->par.krw = out->par.kro = out->par.pc = NULL;
  if (spec->model != HP_SAT_TABLE) {
    out->s_min = out->s_water_mobile = spec->swc;
    out->s_max = out->s_oil_immobile = 1.0 - spec->sor;
    return;
  }
  const int rows = out->rows = spec->rows;
  out->s = keep(store, spec->s, rows);
  out->krw = keep(store, spec->krw, rows);
  out->kro = keep(store, spec->kro, rows);
  out->pc = keep(store, spec->pc, rows);
  out->s_min = spec->s[0];
  out->s_max = spec->s[rows - 1];
  int water = 0, oil = rows - 1;
  while (water + 1 < rows && spec->krw[water + 1] <= 0.0) ++water;
  while (oil > 0 && spec->kro[oil - 1] <= 0.0) --oil;
  out->s_water_mobile = spec->s[water];
  out->s_oil_immobile = spec->s[oil];
}

hp_status hp_fluid_create(const hp_fluid_spec *spec, hp_fluid *out) {
  memset(out, 0, sizeof *out);
  const int64_t count =
      3 * (int64_t)(spec->phase[HP_OIL].rows + spec->phase[HP_WATER].rows) + 4 * (int64_t)spec->sat.rows;
  HP_TRY(HP_ALLOC(out->store, count));
  double *store = out->store;
  for (int a = 0; a < HP_PHASES; ++a) pvt_create(&spec->phase[a], &store, &out->phase[a]);
  satfunc_create(&spec->sat, &store, &out->sat);
  out->rock.p_ref = spec->rock.p_ref;
  out->rock.c = spec->rock.compressibility;
  return HP_OK;
}

void hp_fluid_destroy(hp_fluid *f) {
  if (f != NULL) HP_FREE(f->store);
}

static hp_status reservoir_fill(const hp_grid *g, const hp_fluid_spec *spec, hp_reservoir *r) {
  r->nx = g->nx;
  r->ny = g->ny;
  r->nz = g->nz;
  r->ncell = g->ncell;
  r->active = g->active;
  r->depth = g->depth;
  r->pore_volume = g->pore_volume;
  for (int d = 0; d < HP_DIRS; ++d) r->trans[d] = g->trans[d];
  for (int64_t m = 0; m < g->ncell; ++m) r->total_pore_volume += g->pore_volume[m];
  HP_TRY(hp_fluid_create(spec, &r->fluid));
  HP_TRY(HP_ALLOC(r->p, r->ncell));
  HP_TRY(HP_ALLOC(r->s, r->ncell));
  return HP_OK;
}

hp_status hp_reservoir_allocate(hp_reservoir *r) {
  if (r->props.at != NULL) return HP_OK;
  HP_TRY(HP_ALLOC(r->props.at, r->ncell * HP_CELL_NFIELDS));
  HP_TRY(HP_ALLOC(r->mass, r->ncell * HP_PHASES));
  HP_TRY(HP_ALLOC(r->mass_old, r->ncell * HP_PHASES));
  HP_TRY(HP_ALLOC(r->scale, r->ncell * HP_PHASES));
  return HP_OK;
}

hp_status hp_reservoir_create(const hp_grid *g, const hp_fluid_spec *spec, hp_reservoir **out) {
  *out = NULL;
  hp_reservoir *r = NULL;
  HP_TRY(HP_ALLOC(r, 1));
  const hp_status s = reservoir_fill(g, spec, r);
  if (s != HP_OK) {
    hp_reservoir_destroy(&r);
    return s;
  }
  *out = r;
  return HP_OK;
}

void hp_reservoir_destroy(hp_reservoir **slot) {
  if (slot == NULL || *slot == NULL) return;
  hp_reservoir *r = *slot;
  hp_fluid_destroy(&r->fluid);
  HP_FREE(r->props.at);
  HP_FREE(r->p);
  HP_FREE(r->s);
  HP_FREE(r->mass);
  HP_FREE(r->mass_old);
  HP_FREE(r->scale);
  HP_FREE(*slot);
}
