/* Depths of a deck's equilibria: what a slip of the pen or another unit makes of them is reported at its line. */
#include <math.h>
#include <stdlib.h>

#include "core/memory.h"
#include "io/case/case.h"

static const double FAR = 1e5; /* [m] */

/* The cells of a region. */
typedef struct {
  double top, bottom; /* [m] */
  double active_top;  /* [m] of those that take part */
  double pvt;         /* the number of their fluids, that of the first one; -1: there are none */
} span;

/* Of all ranks' cells; those of a region have one pvt there (hp_case_check_spread_equilibria). */
static hp_status combine(const hp_case *c, span *s) {
  enum { NUMBERS = sizeof(span) / sizeof(double) };
  for (int n = 0; n < c->initial.nregion; ++n) s[n].top = -s[n].top, s[n].active_top = -s[n].active_top;
  const hp_status status = hp_spread_max(c->grid->spread, (double *)s, (int64_t)NUMBERS * c->initial.nregion);
  for (int n = 0; n < c->initial.nregion; ++n) s[n].top = -s[n].top, s[n].active_top = -s[n].active_top;
  return status;
}

static hp_status find_spans(const hp_case *c, span *s) {
  const hp_grid *g = c->grid;
  for (int n = 0; n < c->initial.nregion; ++n) s[n] = (span){INFINITY, -INFINITY, INFINITY, -1.0};
  for (int64_t m = 0; m < g->ncell; ++m) {
    const int n = c->initial.of != NULL ? c->initial.of[m] : 0;
    span *of = &s[n];
    if (n >= c->initial.nregion) continue; /* the number is of a deck without equilibria, which an option gives it */
    if (of->pvt < 0.0) of->pvt = c->fluid.of_pvt != NULL ? c->fluid.of_pvt[m] : 0.0;
    of->top = fmin(of->top, g->depth[m] - 0.5 * g->dz[m]);
    of->bottom = fmax(of->bottom, g->depth[m] + 0.5 * g->dz[m]);
    if (g->active[m]) of->active_top = fmin(of->active_top, g->depth[m] - 0.5 * g->dz[m]);
  }
  return combine(c, s);
}

hp_status hp_case_equilibrium_tops(const hp_case *c, double **top, int64_t *cell) {
  const hp_grid *g = c->grid;
  const int regions = c->initial.nregion;
  HP_TRY(HP_ALLOC(*top, regions));
  for (int n = 0; n < regions; ++n) (*top)[n] = -INFINITY;
  for (int n = 0; n < regions && cell != NULL; ++n) cell[n] = -1;
  for (int64_t m = 0; m < g->ncell; ++m) {
    const int n = c->initial.of != NULL ? c->initial.of[m] : 0;
    if (n >= regions || !g->active[m]) continue;
    const int parts = 2 * abs(c->initial.region[n].accuracy); /* sub-layers of a cell, else its centre */
    const double here = -(g->depth[m] - (parts > 0 ? 0.5 * g->dz[m] * (1.0 - 1.0 / parts) : 0.0));
    if (!(here > (*top)[n])) continue;
    (*top)[n] = here;
    if (cell != NULL) cell[n] = g->first + m;
  }
  const hp_status s = hp_spread_max(g->spread, *top, regions);
  for (int n = 0; n < regions; ++n) (*top)[n] = -(*top)[n];
  return s;
}

hp_status hp_case_check_spread_equilibria(const hp_case *c) {
  const int regions = c->initial.nregion;
  double *pvt; /* largest of each region, then minus the smallest */
  bool several = false;
  if (c->grid->spread == NULL || c->fluid.of_pvt == NULL || regions == 0) return HP_OK;
  HP_TRY(HP_ALLOC(pvt, 2 * (int64_t)regions));
  for (int n = 0; n < 2 * regions; ++n) pvt[n] = -INFINITY;
  for (int64_t m = 0; m < c->grid->ncell; ++m) {
    const int n = c->initial.of != NULL ? c->initial.of[m] : 0;
    if (n >= regions) continue;
    pvt[n] = fmax(pvt[n], c->fluid.of_pvt[m]);
    pvt[regions + n] = fmax(pvt[regions + n], -(double)c->fluid.of_pvt[m]);
  }
  const hp_status s = hp_spread_max(c->grid->spread, pvt, 2 * (int64_t)regions);
  for (int n = 0; n < regions && s == HP_OK; ++n) several = several || pvt[n] > -pvt[regions + n];
  HP_FREE(pvt);
  return s == HP_OK && several ? hp_spread_refuse(c->grid->spread, HP_SPREAD_ERRORS) : s;
}

/* Whether the depth may be; at: HP_AT_DATUM or HP_AT_CONTACT. */
static bool is_near(const hp_case *c, const hp_equilibrium *e, int at, const span *s, hp_diag *diag) {
  const double z = at == HP_AT_DATUM ? e->datum_depth : e->contact_depth, u = c->units.factor[HP_UNIT_LENGTH];
  const char *unit = c->units.label[HP_UNIT_LENGTH];
  if (!(s->top - z > FAR) && !(z - s->bottom > FAR)) return true;
  hp_diag_error(diag, e->file[at], e->line[at],
                "the depth of the %s, %.6g %s, is more than %.6g %s away from the "
                "cells, which are at %.6g to %.6g %s",
                at == HP_AT_DATUM ? "datum" : "contact", z / u, unit, FAR / u, unit, s->top / u, s->bottom / u, unit);
  return false;
}

/* The fluids of number pvt; made anew where they are not those of `*made`, -1: none. */
static hp_status fluid_of(const hp_case *c, int pvt, int *made, hp_fluid *f) {
  const hp_fluid_spec *r = &c->fluid;
  if (*made == pvt) return HP_OK;
  if (*made >= 0) hp_fluid_destroy(f);
  *made = -1;
  HP_TRY(hp_fluid_create(r->pvt[pvt], &r->sat[0], &r->rock[0], f));
  *made = pvt;
  return HP_OK;
}

static void check_pressure(const hp_case *c, const hp_fluid *f, const hp_equilibrium *e, const span *s, hp_diag *diag) {
  const double z = hp_equilibrium_fault(f, e, s->top, s->bottom), u = c->units.factor[HP_UNIT_LENGTH];
  const char *unit = c->units.label[HP_UNIT_LENGTH];
  if (isnan(z)) return;
  hp_diag_error(diag, e->file[HP_AT_DATUM], e->line[HP_AT_DATUM],
                "with %.6g %s at the datum, %.6g %s, the pressure in "
                "equilibrium overflows at a depth of %.6g %s: a depth, a pressure, a density or a compressibility in "
                "another unit?",
                e->datum_pressure / c->units.factor[HP_UNIT_PRESSURE], c->units.label[HP_UNIT_PRESSURE],
                e->datum_depth / u, unit, z / u, unit);
}

static void note_contact(const hp_case *c, const hp_equilibrium *e, const span *s, hp_diag *diag) {
  const double z = e->contact_depth, u = c->units.factor[HP_UNIT_LENGTH];
  const char *unit = c->units.label[HP_UNIT_LENGTH];
  if (!(z <= s->active_top) || isinf(s->active_top) || e->line[HP_AT_CONTACT] == HP_AT_NO_LINE) return;
  hp_diag_note(diag, e->file[HP_AT_CONTACT] != NULL ? e->file[HP_AT_CONTACT] : c->deck, e->line[HP_AT_CONTACT],
               "the contact, %.6g %s, is above all cells%s, which begin at %.6g %s: they are in the water zone", z / u,
               unit, c->initial.nregion > 1 ? " of its region" : "", s->active_top / u, unit);
}

static hp_status check(const hp_case *c, const span *s, hp_diag *diag) {
  int made = -1;
  hp_fluid f;
  hp_status status = HP_OK;
  for (int n = 0; n < c->initial.nregion && status == HP_OK; ++n) {
    const hp_equilibrium *e = &c->initial.region[n];
    if (s[n].pvt < 0.0) continue;
    const bool datum = is_near(c, e, HP_AT_DATUM, &s[n], diag), contact = is_near(c, e, HP_AT_CONTACT, &s[n], diag);
    if (!datum || !contact) continue;
    note_contact(c, e, &s[n], diag);
    status = fluid_of(c, (int)s[n].pvt, &made, &f);
    if (status == HP_OK) check_pressure(c, &f, e, &s[n], diag);
  }
  if (made >= 0) hp_fluid_destroy(&f);
  return status;
}

hp_status hp_case_check_equilibria(const hp_case *c, hp_diag *diag) {
  span *s;
  const int errors = diag->errors;
  if (c->initial.nregion == 0 || c->grid == NULL) return HP_OK;
  HP_TRY(HP_ALLOC(s, c->initial.nregion));
  hp_status status = find_spans(c, s);
  if (status == HP_OK) status = check(c, s, diag);
  HP_FREE(s);
  if (status == HP_OK && diag->errors > errors) return hp_fail(HP_ERR_DECK, "%s: the deck has errors", c->deck);
  return status;
}
