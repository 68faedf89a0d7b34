#include "sim/simulator/simulator.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

volatile int hp_sim_interrupted;

bool hp_sim_is_interrupted(const hp_sim *S) {
  int why = hp_sim_interrupted;
  hp_ranks_broadcast(S->K, 0, &why, sizeof why);
  if (!hp_ranks_is_first(S->K)) hp_sim_interrupted = why;
  return why != 0;
}

bool hp_sim_first_to_say(void) {
  static atomic_flag said = ATOMIC_FLAG_INIT;
  return !atomic_flag_test_and_set(&said);
}

/* Cells that begin full of water. */
static void flood(const hp_initial *start, const hp_grid *g, hp_reservoir *r) {
  for (int64_t n = 0; n < start->nflooded; ++n) {
    if (!hp_grid_holds(g, start->flooded[n])) continue;
    const int64_t m = hp_grid_place(g, start->flooded[n]);
    const bool water = r->s[m] >= hp_reservoir_range(r, m).oil_immobile;
    if (water) r->p[m] += hp_reservoir_sat(r, m, 1.0).pc.v - hp_reservoir_sat(r, m, r->s[m]).pc.v;
    if (!isnan(start->flooded_pressure[n])) r->p[m] = start->flooded_pressure[n];
    r->s[m] = 1.0;
  }
}

hp_status hp_sim_initial_state(const hp_case *c, hp_reservoir *r) {
  const hp_initial *start = &c->initial;
  if (start->nregion > 0) {
    HP_TRY(hp_equilibrate(r, start->nregion, start->region, start->of, c->grid->dz, start->water));
    flood(start, c->grid, r);
  } else {
    memcpy(r->p, start->pressure, (size_t)r->ncell * sizeof *r->p);
    memcpy(r->s, start->sw, (size_t)r->ncell * sizeof *r->s);
  }
  for (int64_t m = 0; r->driest != NULL && m < r->ncell; ++m)
    r->driest[m] = start->driest != NULL && start->driest[m] < r->s[m] ? start->driest[m] : r->s[m];
  if (r->lowest != NULL) memcpy(r->lowest, r->p, (size_t)r->ncell * sizeof *r->p);
  return HP_OK;
}

hp_flow hp_sim_group_flow(const hp_sim *S, int g) {
  hp_flow f;
  memset(&f, 0, sizeof f);
  for (int a = 0; a < HP_PHASES; ++a) {
    f.total[a] = S->group_past[g][a];
    f.injection_total[a] = S->group_past[g][HP_PHASES + a];
  }
  hp_group_select(S->wells, &S->groups, g);
  for (int w = 0; w < S->wells->nwell; ++w) {
    const struct hp_group_part *p = &S->wells->part[w];
    const hp_flow *well = &S->totals[w];
    for (int a = 0; a < HP_PHASES; ++a) {
      f.rate[a] += p->efficiency * well->rate[a];
      f.total[a] += p->inside ? well->total[a] : 0.0;
      f.injection_rate[a] += p->efficiency * well->injection_rate[a];
      f.injection_total[a] += p->inside ? well->injection_total[a] : 0.0;
    }
    f.volume_rate += p->efficiency * well->volume_rate;
    f.injection_volume_rate += p->efficiency * well->injection_volume_rate;
  }
  return f;
}

void hp_sim_move_totals(hp_sim *S, double sign) {
  for (int g = 1; g < S->groups.count; ++g) {
    hp_group_select(S->wells, &S->groups, g);
    for (int w = 0; w < S->wells->nwell; ++w)
      for (int a = 0; a < HP_PHASES && S->wells->part[w].inside; ++a) {
        S->group_past[g][a] += sign * S->totals[w].total[a];
        S->group_past[g][HP_PHASES + a] += sign * S->totals[w].injection_total[a];
      }
  }
}

hp_flow hp_sim_field_flow(const hp_sim *S) { return hp_sim_group_flow(S, 0); }

hp_status hp_sim_stopped(const hp_sim *S) {
  return hp_fail(HP_ERR_INTERRUPTED, "interrupted at time %.6g %s%s; results up to here are complete",
                 S->time / S->c->units.factor[HP_UNIT_TIME], S->c->units.label[HP_UNIT_TIME],
                 hp_sim_interrupted == HP_SIM_UNREAD ? ": the reader of its output has gone" : "");
}

double hp_sim_influx(const hp_sim *S) {
  double sum = 0.0;
  for (int n = 0; S->aquifers != NULL && n < S->aquifers->count; ++n) sum += S->corrected.state[n].influx;
  return sum;
}

void hp_sim_mass_balance(const hp_sim *S, double error[HP_PHASES]) {
  const hp_flow f = hp_sim_field_flow(S);
  const double influx[HP_PHASES] = {[HP_WATER] = hp_sim_influx(S)};
  for (int a = 0; a < HP_PHASES; ++a) {
    const double change = S->now.mass[a] - S->start.mass[a] - influx[a];
    double size = 1e-9 * (S->start.mass[HP_OIL] + S->start.mass[HP_WATER]); /* of less, what is left is rounding */
    size = fmax(size, fmax(S->start.mass[a], S->now.mass[a]));
    error[a] = size > 0.0 ? (change - f.injection_total[a] + f.total[a]) / size : 0.0;
  }
}

bool hp_sim_incompressible(const hp_case *c) {
  const hp_fluid_spec *f = &c->fluid;
  for (int n = 0; n < f->nrock; ++n)
    if (f->rock[n].compressibility != 0.0 || f->rock[n].rows > 0) return false;
  for (int n = 0; n < f->npvt; ++n)
    if (!hp_pvt_spec_is_rigid(&f->pvt[n][HP_OIL]) || !hp_pvt_spec_is_rigid(&f->pvt[n][HP_WATER])) return false;
  return true;
}

hp_status hp_sim_change_trans(hp_sim *S, int n) {
  const hp_trans_event *t = &S->c->trans_event[n];
  if (S->K != NULL) return hp_subdomain_change_trans(S->backend->D, n);
  hp_reservoir_multiply_trans(S->res, t->count, t->a, t->b, t->by);
  return HP_OK;
}

hp_status hp_sim_put_trans(hp_sim *S) { return hp_backend_put(S->backend, HP_SET_TRANS); }
