/* Aquifers in a time step: team programs. Each connected cell's row is written by one member, its aquifers in their
 * order, and the influx of an aquifer is summed by one member: the same bits for any team. No barrier inside.
 *
 *     hp_aquifers_begin     the water pressures that a step starts from
 *     hp_assemble_aquifers  behind a barrier after hp_assemble_fluxes: rates into R and J
 *     hp_aquifers_accept    counts the rates of the last assembly
 *
 * A step that fails needs no restoring: nothing but the last of these changes the state.
 */
#ifndef HP_PHYSICS_AQUIFER_INL_H
#define HP_PHYSICS_AQUIFER_INL_H

#include <math.h>

#include "physics/aquifer.h"

HP_INLINE HP_HD void hp_aquifers_begin(hp_team *t, const hp_reservoir *r, const hp_aquifers *A) {
  HP_TEAM_FOR(t, row, A->nrow) {
    const int64_t m = A->cell[row];
    hp_cell_props c;
    hp_cell_mass mass;
    hp_reservoir_eval(r, m, r->p[m], r->s[m], &c, &mass);
    A->pressure[row] = c.pw;
  }
}

/* Rate of connection e of connected cell `row` at water pressure pw; *slope: its derivative by pw. */
HP_INLINE HP_HD double hp_aquifer_rate(const hp_reservoir *r, const hp_aquifers *A, int64_t row, int64_t e, double pw,
                                       double dt, double *slope) {
  const hp_aquifer *a = &A->aquifer[A->of[e]];
  const hp_aquifer_state *now = &A->state[A->of[e]];
  const double head = a->density * HP_GRAVITY * (r->depth[A->cell[row]] - a->datum_depth);
  *slope = 0.0;
  if (a->kind == HP_AQUIFER_FLUX) return A->share[e] * a->flux;
  if (a->kind == HP_AQUIFER_FETKOVICH) {
    const double steps = dt / a->time_constant, index = a->productivity * (-expm1(-steps) / steps);
    *slope = -A->share[e] * index;
    return A->share[e] * index * (now->pressure + head - pw);
  }
  const double td = A->time / a->time_constant, next = (A->time + dt) / a->time_constant;
  const hp_dual influence = hp_table_linear(a->td, a->pd, hp_table_interval(a->td, a->rows, next), next);
  const double divisor = a->time_constant * (influence.v - td * influence.d), old = A->pressure[row];
  const double fixed = (a->beta * (a->start_pressure + head - old) - now->influx * influence.d) / divisor;
  *slope = -A->share[e] * (a->beta / divisor);
  return A->share[e] * fixed + *slope * (pw - old);
}

/* Adds the influx to the water balances of connected cells, whose rows are scaled already. J may be NULL. */
HP_INLINE HP_HD void hp_assemble_aquifers(hp_team *t, const hp_reservoir *r, const hp_aquifers *A, double dt,
                                          const hp_gh *J, double *R) {
  HP_TEAM_FOR(t, row, A->nrow) {
    const int64_t m = A->cell[row];
    const hp_cell_props c = hp_reservoir_props(r, m);
    const double scale = r->scale[m * HP_PHASES + HP_WATER];
    for (int64_t e = A->begin[row]; e < A->begin[row + 1]; ++e) {
      double slope;
      const double rate = hp_aquifer_rate(r, A, row, e, c.pw, dt, &slope);
      A->rate[e] = rate;
      R[m * HP_PHASES + HP_WATER] -= scale * rate;
      if (J == NULL) continue;
      *hp_gh_entry(J, m, 0, HP_WATER, HP_P) -= scale * slope;
      *hp_gh_entry(J, m, 0, HP_WATER, HP_S) -= scale * slope * c.dpw_ds;
    }
  }
}

/* Ends a step of length dt. */
HP_INLINE HP_HD void hp_aquifers_accept(hp_team *t, hp_aquifers *A, double dt) {
  HP_TEAM_FOR(t, n, A->count) {
    const hp_aquifer *a = &A->aquifer[n];
    hp_aquifer_state *now = &A->state[n];
    double rate = 0.0;
    for (int64_t e = 0; e < A->nconnection; ++e)
      if (A->of[e] == n) rate += A->rate[e];
    now->rate = rate;
    now->influx += dt * rate;
    if (a->kind == HP_AQUIFER_FETKOVICH) now->pressure = a->start_pressure - now->influx / a->storage;
  }
  if (t->rank == 0) A->time += dt;
}

#endif
