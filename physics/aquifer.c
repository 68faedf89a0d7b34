#include "physics/aquifer.h"

#include <math.h>
#include <stdlib.h>

#include "core/memory.h"

void hp_aquifer_spec_clear(hp_aquifer_spec *a) {
  HP_FREE(a->td);
  HP_FREE(a->pd);
  HP_FREE(a->cell);
  HP_FREE(a->weight);
  a->rows = 0;
  a->nconnection = a->connections = 0;
  a->total = 0.0;
}

bool hp_aquifer_holds_pressure(const hp_aquifer_spec *a) { return a->kind != HP_AQUIFER_FLUX && a->connections > 0; }

/* ---- connections ---- */

typedef struct {
  int64_t cell;
  int32_t of;
  double share;
} connection;

static int by_cell(const void *x, const void *y) {
  const connection *a = x, *b = y;
  if (a->cell != b->cell) return (a->cell > b->cell) - (a->cell < b->cell);
  return (a->of > b->of) - (a->of < b->of);
}

static void list_all(int count, const hp_aquifer_spec *spec, connection *out) {
  int64_t e = 0;
  for (int n = 0; n < count; ++n)
    for (int64_t k = 0; k < spec[n].nconnection; ++k)
      out[e++] = (connection){spec[n].cell[k], n, spec[n].total > 0.0 ? spec[n].weight[k] / spec[n].total : 0.0};
}

static hp_status place_connections(hp_aquifers *A, const connection *all) {
  for (int64_t e = 0; e < A->nconnection; ++e) A->nrow += e == 0 || all[e].cell != all[e - 1].cell;
  HP_TRY(HP_ALLOC(A->cell, A->nrow));
  HP_TRY(HP_ALLOC(A->begin, A->nrow + 1));
  HP_TRY(HP_ALLOC(A->of, A->nconnection));
  HP_TRY(HP_ALLOC(A->share, A->nconnection));
  HP_TRY(HP_ALLOC(A->pressure, A->nrow));
  HP_TRY(HP_ALLOC(A->rate, A->nconnection));
  HP_TRY(HP_ALLOC(A->error, A->nconnection));
  HP_TRY(HP_ALLOC(A->mobile, A->nconnection));
  int64_t row = 0;
  for (int64_t e = 0; e < A->nconnection; ++e) {
    if (e == 0 || all[e].cell != all[e - 1].cell) {
      A->cell[row] = all[e].cell;
      A->begin[row++] = e;
    }
    A->of[e] = all[e].of;
    A->share[e] = all[e].share;
  }
  A->begin[A->nrow] = A->nconnection;
  return HP_OK;
}

static hp_status connect_aquifers(int count, const hp_aquifer_spec *spec, hp_aquifers *A) {
  connection *all;
  for (int n = 0; n < count; ++n) A->nconnection += spec[n].nconnection;
  HP_TRY(HP_ALLOC(all, A->nconnection));
  list_all(count, spec, all);
  if (A->nconnection > 0) qsort(all, (size_t)A->nconnection, sizeof *all, by_cell);
  const hp_status s = place_connections(A, all);
  HP_FREE(all);
  return s;
}

/* ---- what a start needs ---- */

/* The place of a connected cell. */
static int64_t place_of(const hp_reservoir *r, int64_t cell) {
  const hp_spread *P = r->spread;
  const hp_spread_planes mine = hp_spread_planes_of(P, P != NULL ? hp_ranks_rank(hp_spread_ranks(P)) : 0, r->nx);
  return cell - mine.first * (int64_t)r->ny * r->nz;
}

static hp_cell_props props_of(const hp_reservoir *r, int64_t m) {
  hp_cell_props c;
  hp_cell_mass mass;
  hp_reservoir_eval(r, m, r->p[m], r->s[m], &c, &mass);
  return c;
}

/* Levels of the water at rest with the cells of aquifer n, in their order. */
typedef struct {
  const hp_reservoir *r;
  const hp_aquifers *A;
  int n;
  double datum;
  double sum[2]; /* of shares times levels, of shares */
} levels;

static void add_levels(void *arg) {
  levels *l = arg;
  for (int64_t row = 0; row < l->A->nrow; ++row)
    for (int64_t e = l->A->begin[row]; e < l->A->begin[row + 1]; ++e) {
      if (l->A->of[e] != l->n) continue;
      const int64_t m = place_of(l->r, l->A->cell[row]);
      const hp_cell_props c = props_of(l->r, m);
      l->sum[0] += l->A->share[e] * (c.pw - c.rho_w * HP_GRAVITY * (l->r->depth[m] - l->datum));
      l->sum[1] += l->A->share[e];
    }
}

/* The pressure at the datum of water at rest with the connected cells, a mean by their shares. */
static hp_status pressure_at_rest(const hp_reservoir *r, const hp_aquifers *A, int n, double datum, double *out) {
  levels l = {.r = r, .A = A, .n = n, .datum = datum};
  HP_TRY(hp_spread_chain(r->spread, l.sum, sizeof l.sum, true, add_levels, &l));
  *out = l.sum[1] > 0.0 ? l.sum[0] / l.sum[1] : 0.0;
  return HP_OK;
}

/* Density and viscosity of the aquifer's water at its start. */
static hp_status water(const hp_aquifer_spec *s, const hp_fluid_spec *fluid, double p, double *density,
                       double *viscosity) {
  hp_fluid f = {.store = NULL};
  hp_dual b, bmu;
  HP_TRY(hp_fluid_create(fluid->pvt[s->pvt], &fluid->sat[0], &fluid->rock[0], &f));
  hp_pvt_eval(&f.phase[HP_WATER], p, &b, &bmu);
  *density = f.phase[HP_WATER].density * b.v;
  *viscosity = b.v / bmu.v;
  hp_fluid_destroy(&f);
  return HP_OK;
}

static hp_status begin(const hp_aquifer_spec *s, const hp_fluid_spec *fluid, const hp_reservoir *r, hp_aquifers *A,
                       int n) {
  const double circle = 6.283,
               held = s->porosity * s->compressibility * s->radius * s->radius; /* 2 pi, as Eclipse has it */
  hp_aquifer *a = &A->aquifer[n];
  double viscosity;
  a->kind = s->kind;
  A->state[n].rate = s->before.rate;
  A->state[n].influx = s->before.influx;
  A->time = s->before.time;
  if (s->kind == HP_AQUIFER_FLUX) {
    a->flux = s->flux * s->total;
    return HP_OK;
  }
  a->datum_depth = s->datum_depth;
  a->start_pressure = s->pressure;
  if (isnan(s->pressure)) HP_TRY(pressure_at_rest(r, A, n, s->datum_depth, &a->start_pressure));
  A->state[n].pressure = a->start_pressure;
  HP_TRY(water(s, fluid, a->start_pressure, &a->density, &viscosity));
  if (s->kind == HP_AQUIFER_FETKOVICH) {
    a->storage = s->compressibility * s->volume;
    a->productivity = s->productivity;
    A->state[n].pressure -= s->before.influx / a->storage;
    a->time_constant = a->storage / s->productivity;
    return HP_OK;
  }
  a->time_constant = viscosity * held / s->permeability;
  a->beta = circle * s->thickness * s->angle * held;
  a->rows = s->rows;
  a->td = s->td;
  a->pd = s->pd;
  return HP_OK;
}

static hp_status fill(int count, const hp_aquifer_spec *spec, const hp_fluid_spec *fluid, const hp_reservoir *r,
                      hp_aquifers *A) {
  HP_TRY(HP_ALLOC(A->aquifer, count));
  HP_TRY(HP_ALLOC(A->state, count));
  HP_TRY(HP_ALLOC(A->step, count));
  A->count = count;
  HP_TRY(connect_aquifers(count, spec, A));
  for (int64_t row = 0; row < A->nrow; ++row) A->pressure[row] = props_of(r, place_of(r, A->cell[row])).pw;
  for (int n = 0; n < count; ++n) HP_TRY(begin(&spec[n], fluid, r, A, n));
  return HP_OK;
}

hp_status hp_aquifers_create(int count, const hp_aquifer_spec *spec, const hp_fluid_spec *fluid, const hp_reservoir *r,
                             hp_aquifers **out) {
  hp_aquifers *A = NULL;
  *out = NULL;
  if (count == 0) return HP_OK;
  HP_TRY(HP_ALLOC(A, 1));
  const hp_status s = fill(count, spec, fluid, r, A);
  if (s != HP_OK) hp_aquifers_destroy(&A);
  *out = A;
  return s;
}

void hp_aquifers_destroy(hp_aquifers **slot) {
  if (slot == NULL || *slot == NULL) return;
  hp_aquifers *A = *slot;
  HP_FREE(A->aquifer);
  HP_FREE(A->state);
  HP_FREE(A->step);
  HP_FREE(A->cell);
  HP_FREE(A->begin);
  HP_FREE(A->of);
  HP_FREE(A->share);
  HP_FREE(A->pressure);
  HP_FREE(A->rate);
  HP_FREE(A->error);
  HP_FREE(A->mobile);
  HP_FREE(*slot);
}

/* ---- time steps ---- */

/* The part of a difference of pressures that flows on average while it decays by exp(-steps). */
static double mean_of_decay(double steps) { return -expm1(-steps) / steps; }

static void set_fetkovich(const hp_aquifer *a, const hp_aquifer_state *now, double dt, hp_aquifer_step *s) {
  const double steps = dt / a->time_constant, mean = mean_of_decay(steps);
  s->index = a->productivity * mean;
  s->memory = -steps * mean / dt;
  s->lag = steps > 1e-3 ? (mean - exp(-steps)) / (steps * mean) : 0.5 - steps / 12.0;
  s->of_each = now->mobile > 0.0 ? 1.0 - 1.0 / mean : 0.0;
  s->of_all = now->mobile > 0.0 ? (1.0 - mean_of_decay(now->mobile * steps)) / (mean * now->mobile) : 0.0;
}

/* The mean rate of a step in which pressures and the influx change evenly, less the rate that stands for the step (aquifer.h): between
 * two rows of the influence function P' and G = P - td P' are constant. A row that the aquifer forgets within is held to one time
 * constant. */
static void set_carter_tracy(const hp_aquifer *a, const hp_aquifer_state *now, double time, double dt,
                             hp_aquifer_step *s) {
  const double td = time / a->time_constant, next = (time + dt) / a->time_constant;
  const hp_dual influence = hp_table_linear(a->td, a->pd, hp_table_interval(a->td, a->rows, next), next);
  double one = 0.0, left = 0.0, decline = 0.0, gone = 0.0,
         from = 0.0; /* means over the step, of 1/(Tc G) and P'/(Tc G) */
  s->divisor = a->time_constant * (influence.v - td * influence.d);
  s->decline = influence.d;
  for (int n = hp_table_interval(a->td, a->rows, td); from < 1.0; ++n) {
    const double slope = (a->pd[n + 1] - a->pd[n]) / (a->td[n + 1] - a->td[n]);
    const double to = n + 2 < a->rows ? fmin(1.0, (a->td[n + 1] - td) / (next - td)) : 1.0, part = fmax(0.0, to - from);
    const double g = fmax(a->pd[n] - slope * a->td[n], part * (next - td) * slope);
    const double mean = part > 0.0 ? part / (a->time_constant * g) : 0.0, middle = 0.5 * (from + to);
    one += mean;
    left += (1.0 - middle) * mean;
    decline += slope * mean;
    gone += middle * slope * mean;
    from = to;
  }
  s->lag = s->divisor * left;
  s->of_each = 1.0 - s->divisor * one;
  s->of_all = dt * gone;
  s->past = now->influx * (decline - influence.d * one);
  s->memory = -s->decline / s->divisor;
}

void hp_aquifers_set_step(hp_aquifers *A, double dt) {
  for (int n = 0; A != NULL && n < A->count; ++n) {
    const hp_aquifer *a = &A->aquifer[n];
    if (a->kind == HP_AQUIFER_FETKOVICH) set_fetkovich(a, &A->state[n], dt, &A->step[n]);
    if (a->kind == HP_AQUIFER_CARTER_TRACY) set_carter_tracy(a, &A->state[n], A->time, dt, &A->step[n]);
  }
}

void hp_aquifers_accept(hp_aquifers *A, double dt) {
  if (A == NULL) return;
  for (int n = 0; n < A->count; ++n) A->state[n].rate = 0.0;
  for (int64_t e = 0; e < A->nconnection; ++e) A->state[A->of[e]].rate += A->rate[e];
  hp_aquifers_advance(A, dt);
}

void hp_aquifers_errors(hp_aquifers *A, double *out) {
  for (int n = 0; n < A->count; ++n) out[n] = A->state[n].mobile = 0.0;
  for (int64_t e = 0; e < A->nconnection; ++e) {
    out[A->of[e]] += A->error[e];
    A->state[A->of[e]].mobile += A->mobile[e];
  }
}

void hp_aquifers_advance(hp_aquifers *A, double dt) {
  for (int n = 0; n < A->count; ++n) {
    const hp_aquifer *a = &A->aquifer[n];
    hp_aquifer_state *now = &A->state[n];
    now->influx += dt * now->rate;
    if (a->kind == HP_AQUIFER_FETKOVICH) now->pressure = a->start_pressure - now->influx / a->storage;
  }
  A->time += dt;
}

int64_t hp_aquifers_bytes(int count, int64_t nconnection) {
  const size_t one = sizeof(hp_aquifer) + sizeof(hp_aquifer_state) + sizeof(hp_aquifer_step);
  const size_t connected = 2 * sizeof(int64_t) + sizeof(int32_t) + 5 * sizeof(double); /* each in a cell of its own */
  return count * (int64_t)one + nconnection * (int64_t)connected;
}
