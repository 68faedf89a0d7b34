/* Cells where nothing sets the level of the pressure (hp_reservoir_hold): which wells and aquifers reach them, and what
 * is reported. */
#include <stdio.h>

#include "core/memory.h"
#include "core/ranks/exact.h"
#include "sim/simulator/simulator.h"

/* Why nothing flows to and from a group, which cell h->first has the permeability of, wherever it is held. */
static hp_status find_why(const hp_case *c, hp_held *h) {
  const hp_grid *g = c->grid;
  const int64_t at = hp_grid_place(g, h->first);
  bool permeable = false;
  for (int d = 0; d < HP_DIRS && at >= 0 && at < g->owned; ++d) permeable = permeable || g->perm[d][at] > 0.0;
  HP_TRY(hp_spread_any(c->spread, &permeable));
  h->why = h->size > 1 ? "no transmissibility leads out of its group"
           : permeable ? "its transmissibilities are 0"
                       : "its permeability is 0";
  return HP_OK;
}

hp_status hp_sim_hold(const hp_case *c, const hp_wells *W, hp_reservoir *r, hp_held *out) {
  int64_t *open, count = 0;
  int64_t most = W->nperf;
  for (int n = 0; n < c->naquifer; ++n) most += c->aquifer[n].nconnection;
  HP_TRY(HP_ALLOC(open, most));
  for (int w = 0; w < W->nwell; ++w)
    for (int64_t q = W->begin[w]; q < W->begin[w + 1] && hp_case_first_control(c, w) != NULL; ++q)
      open[count++] = W->cell[q];
  for (int n = 0; n < c->naquifer; ++n)
    for (int64_t e = 0; e < c->aquifer[n].nconnection && hp_aquifer_holds_pressure(&c->aquifer[n]); ++e)
      open[count++] = c->aquifer[n].cell[e];
  hp_status s = hp_reservoir_hold(c->grid, r, count, open, out);
  if (s == HP_OK && out->groups > 0) s = find_why(c, out);
  HP_FREE(open);
  return s;
}

/* Rock and one of the phases keep their volumes somewhere. */
static bool may_be_rigid(const hp_case *c) {
  const hp_fluid_spec *f = &c->fluid;
  bool rock = false, phase = false;
  for (int n = 0; n < f->nrock; ++n) rock = rock || (f->rock[n].compressibility == 0.0 && f->rock[n].rows == 0);
  for (int n = 0; n < f->npvt; ++n)
    for (int a = 0; a < HP_PHASES; ++a) phase = phase || hp_pvt_spec_is_rigid(&f->pvt[n][a]);
  return rock && phase;
}

void hp_sim_soften(const hp_case *c, hp_newton_options *options) {
  for (int n = 0; n < c->naquifer; ++n)
    if (hp_aquifer_holds_pressure(&c->aquifer[n])) return;
  if (!may_be_rigid(c)) return;
  options->softness = 1e-13;
  options->max_dp_relative *= 4.0;
}

hp_status hp_sim_find_storage(hp_sim *S) {
  enum { WORDS = sizeof(hp_exact) / sizeof(int64_t) };
  const hp_reservoir *r = S->res;
  hp_exact sum = {0};
  for (int64_t m = 0; m < S->c->grid->owned; ++m) {
    hp_cell_props props;
    hp_cell_mass mass;
    double grows = 0.0;
    if (r->active[m] == HP_CELL_INACTIVE) continue;
    hp_reservoir_eval(r, m, r->p[m], r->s[m], &props, &mass);
    for (int a = 0; a < HP_PHASES; ++a) {
      const double s = a == HP_OIL ? 1.0 - r->s[m] : r->s[m];
      if (mass.mass[a].v > 0.0) grows += s * mass.mass[a].dp / mass.mass[a].v;
    }
    hp_exact_add(&sum, r->pore_volume[m] * grows);
  }
  HP_TRY(hp_spread_sum(S->c->spread, (int64_t *)(void *)&sum, WORDS));
  S->storage = hp_exact_value(&sum);
  return HP_OK;
}

void hp_sim_describe_held(const hp_case *c, const hp_held *h, char *out, size_t size) {
  int ijk[3];
  char which[160];
  hp_grid_ijk(c->grid, h->first, ijk);
  if (h->cells == 1) snprintf(which, sizeof which, "cell (%d,%d,%d) has", ijk[0] + 1, ijk[1] + 1, ijk[2] + 1);
  else if (h->cells == h->groups)
    snprintf(which, sizeof which, "%lld cells, the first of them (%d,%d,%d), have", (long long)h->cells, ijk[0] + 1,
             ijk[1] + 1, ijk[2] + 1);
  else
    snprintf(which, sizeof which, "%lld cells in %lld group%s, the first with cell (%d,%d,%d), have",
             (long long)h->cells, (long long)h->groups, h->groups == 1 ? "" : "s", ijk[0] + 1, ijk[1] + 1, ijk[2] + 1);
  snprintf(out, size, "%s no flow to the rest (%s), no well and no compressibility: the pressure there is held", which,
           h->why);
}
