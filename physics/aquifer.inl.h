/* Aquifers in a time step: team programs. Each connected cell's row is written by one member, its aquifers in their
 * order: the same bits for any team. No barrier inside.
 *
 *     hp_aquifers_begin     the water pressures that a step starts from
 *     hp_aquifers_set_step  on the host (physics/aquifer.c): what depends on the length of the step
 *     hp_assemble_aquifers  behind a barrier after hp_assemble_fluxes: rates into R and J
 *     hp_aquifers_accept    on the host: counts the rates of the last assembly
 */
#ifndef HP_PHYSICS_AQUIFER_INL_H
#define HP_PHYSICS_AQUIFER_INL_H

#include "physics/aquifer.h"

HP_INLINE HP_HD void hp_aquifers_begin(hp_team *t, const hp_reservoir *r, const hp_aquifers *A) {
  HP_TEAM_FOR(t, row, A->nrow) {
    const int64_t m = A->cell[row];
    hp_cell_props c;
    hp_cell_mass mass;
    hp_reservoir_eval_once(r, m, r->p[m], r->s[m], &c, &mass);
    A->pressure[row] = c.pw;
  }
}

/* Rate of connection e of connected cell `row` at water pressure pw; *slope: its derivative by pw. */
HP_INLINE HP_HD double hp_aquifer_rate(const hp_reservoir *r, const hp_aquifers *A, int64_t row, int64_t e, double pw,
                                       double *slope) {
  const hp_aquifer *a = &A->aquifer[A->of[e]];
  const hp_aquifer_state *now = &A->state[A->of[e]];
  const hp_aquifer_step *step = &A->step[A->of[e]];
  const double head = a->density * HP_GRAVITY * (r->depth[A->cell[row]] - a->datum_depth);
  *slope = 0.0;
  if (a->kind == HP_AQUIFER_FLUX) return A->share[e] * a->flux;
  if (a->kind == HP_AQUIFER_FETKOVICH) {
    *slope = -A->share[e] * step->index;
    return A->share[e] * step->index * (now->pressure + head - pw);
  }
  const double old = A->pressure[row];
  const double fixed = (a->beta * (a->start_pressure + head - old) - now->influx * step->decline) / step->divisor;
  *slope = -A->share[e] * (a->beta / step->divisor);
  return A->share[e] * fixed + *slope * (pw - old);
}

/* Share of the flow into an aquifer that a cell's water supplies: all of it, unless its water hardly moves. */
typedef struct hp_aquifer_part {
  double v, dp, ds;
} hp_aquifer_part;

HP_INLINE HP_HD hp_aquifer_part hp_aquifer_mobile(const hp_cell_props *c, double rate) {
  const double enough = 1.0; /* [1/(Pa s)] a thousandth of the mobility of cold water */
  hp_aquifer_part part = {1.0, 0.0, 0.0};
  if (rate >= 0.0 || c->lam_w >= enough) return part;
  part.v = c->lam_w / enough;
  part.dp = c->dlam_w_dp / enough;
  part.ds = c->dlam_w_ds / enough;
  return part;
}

/* Adds the influx to the water balances of connected cells, whose rows are scaled already. J may be NULL. */
HP_INLINE HP_HD void hp_assemble_aquifers(hp_team *t, const hp_reservoir *r, const hp_aquifers *A, const hp_gh *J,
                                          double *R) {
  HP_TEAM_FOR(t, row, A->nrow) {
    const int64_t m = A->cell[row];
    const hp_cell_props c = hp_reservoir_props(r, m);
    const double scale = r->scale[m * HP_PHASES + HP_WATER];
    for (int64_t e = A->begin[row]; e < A->begin[row + 1]; ++e) {
      double slope;
      const double rate = hp_aquifer_rate(r, A, row, e, c.pw, &slope);
      const hp_aquifer_part part = hp_aquifer_mobile(&c, rate);
      A->rate[e] = part.v * rate;
      R[m * HP_PHASES + HP_WATER] -= scale * (part.v * rate);
      if (J == NULL) continue;
      *hp_gh_entry(J, m, 0, HP_WATER, HP_P) -= scale * (part.v * slope + part.dp * rate);
      *hp_gh_entry(J, m, 0, HP_WATER, HP_S) -= scale * (part.v * slope * c.dpw_ds + part.ds * rate);
    }
  }
}

#endif
