/* The error that the length of the time steps makes, carried along with the run.
 *
 * With m the mass in place and F what flows out of the cells, a step of backward Euler solves
 *
 *     (m(u_new) - m_old) / dt + F(u_new) = 0
 *
 * The exact solution leaves -dt/2 m'' there. With e = m(computed) - m(exact) and J the step's Jacobian, to first order
 *
 *     J d = e_old / dt + dt/2 m''          e_new = (dm/du) d                 (Skeel 1986)
 *
 * dt m'' is taken as the difference of the mean rates of change of two steps. One loose linear solve per step gives d:
 * what it leaves over, r = b - J d, goes to the next step as mass, e_new = (dm/du) d + dt r, so that volumes are
 * conserved however loose it is. The error of what a well has produced follows from d at its perforations and from the
 * rate that stands for the whole step:
 *
 *     E_new = E_old + dt (dq/du d) + dt/2 (q_new - q_old)
 *
 * What its mixture and heads add to both is in sim/step/time_error_wells.inl.h.
 *
 * An aquifer's rate q is the mean over the step for cells whose pressure stays what it is at the end. So only what q changes by with
 * their pressure, lag dq/dp (p_new - p_old), takes the place of (q_new - q_old) / 2, and in m'' that of half the change of q.
 * Fetkovich's aquifer follows a pressure that changes evenly with, x = dt / Tc,
 *
 *     lag = (1 - (1 + x) e^-x) / (x (1 - e^-x))
 *
 * and what it gives depends on the influx W so far, whose error adds dq/dW E_old to the right-hand side and dt dq/dW E_old to E_new.
 * Carter and Tracy's formula is backward Euler of a rate equation, whose coefficients are known between the rows of the influence
 * function (physics/aquifer.c).
 *
 *     hp_time_error_begin    in hp_step_accept: rates of change, the right-hand side b
 *       (linear solve)       J d = b
 *     hp_time_error_end      e, and dq/du d of each well
 */
#ifndef HP_SIM_STEP_TIME_ERROR_INL_H
#define HP_SIM_STEP_TIME_ERROR_INL_H

#include "linsolve/product/spmv.inl.h"
#include "physics/aquifer.inl.h"
#include "physics/assembly.inl.h"
#include "sim/step/step.h"
#include "sim/step/time_error_wells.inl.h"

/* The share of the flow of connection e that its cell's water supplies. By the rate of the step, which is 0 where that share is: the
 * aquifer may have advanced since. */
HP_INLINE HP_HD hp_aquifer_part hp_time_error_mobile(const hp_aquifers *A, int64_t e, const hp_cell_props *c) {
  const hp_aquifer_part none = {0.0, 0.0, 0.0};
  return A->rate[e] != 0.0 ? hp_aquifer_mobile(c, A->rate[e]) : none;
}

/* The error of the rate of connection e by the change of pressure in the step of connected cell `row`, which has properties c. */
HP_INLINE HP_HD double hp_time_error_lag(const hp_step *S, int64_t row, int64_t e, const hp_cell_props *c) {
  const hp_aquifers *A = S->aquifers;
  double slope;
  (void)hp_aquifer_rate(S->res, A, row, e, c->pw, &slope);
  return A->step[A->of[e]].lag * hp_time_error_mobile(A, e, c).v * slope * (c->pw - A->pressure[row]);
}

/* The error of the rate of connection e by that of the influx so far. */
HP_INLINE HP_HD double hp_time_error_memory(const hp_aquifers *A, int64_t e, const hp_cell_props *c) {
  const int32_t n = A->of[e];
  return hp_time_error_mobile(A, e, c).v * A->share[e] * A->step[n].memory * A->state[n].error;
}

/* The error of the rate of connection e where cells are at different levels: those of one aquifer share a pressure that follows none of
 * them (docs/developer/method.md). The next step carries it, for what all of them get is known only after the step. */
HP_INLINE HP_HD double hp_time_error_spread(const hp_aquifers *A, int64_t e, double mobile) {
  const hp_aquifer_step *s = &A->step[A->of[e]];
  return A->rate[e] * s->of_each + mobile * A->share[e] * (s->of_all * A->state[A->of[e]].rate + s->past);
}

/* b and the rate of change of connected cells, after hp_time_error_begin's barrier. */
HP_INLINE HP_HD void hp_time_error_aquifers(hp_team *t, const hp_step *S) {
  const hp_reservoir *r = S->res;
  const hp_aquifers *A = S->aquifers;
  HP_TEAM_FOR(t, row, A->nrow) {
    const int64_t m = A->cell[row], water = m * HP_PHASES + HP_WATER;
    double rate = 0.0, lag = 0.0, memory = 0.0;
    hp_cell_props c;
    hp_cell_mass mass;
    hp_reservoir_eval_once(r, m, r->p[m], r->s[m], &c, &mass);
    for (int64_t e = A->begin[row]; e < A->begin[row + 1]; ++e) {
      rate += A->rate[e];
      lag += hp_time_error_lag(S, row, e, &c);
      memory += hp_time_error_memory(A, e, &c);
    }
    S->b[water] += S->error_weight * r->scale[water] * (lag - 0.5 * rate) + r->scale[water] * memory;
    S->res->change[water] = (float)((double)S->res->change[water] - rate);
  }
}

/* The right-hand side b and the sizes of the step's own error; S->error_weight is 1, or 0 where the rate of change
 * before the step is not that at its start; of cells connected to aquifers S->res->change is without the influx. Reads mass and
 * mass_old: before they are carried over; contains two barriers. */
HP_INLINE HP_HD void hp_time_error_begin(hp_team *t, const hp_step *S, double dt, hp_step_report *out) {
  const hp_reservoir *r = S->res;
  double sum[2];
  hp_time_error_wells(t, S);
  HP_TEAM_REDUCE(t, m, r->ncell, 2) {
    for (int a = 0; a < HP_PHASES; ++a) {
      const int64_t row = m * HP_PHASES + a;
      const double change = (r->mass[row] - r->mass_old[row]) / dt;
      const double local = 0.5 * S->error_weight * (change - (double)S->res->change[row]);
      const double scale = r->active[m] ? r->scale[row] : 0.0;
      S->b[row] = scale * ((double)S->res->error[row] / dt + local);
      S->res->change[row] = (float)change;
      HP_ACC(0) += dt * scale * fabs(local);
      HP_ACC(1) += dt * scale * fabs(change);
    }
  }
  HP_TEAM_REDUCE_END(t);
  hp_team_sum(t, r->ncell, 2, sum);
  hp_time_error_perforations(t, S);
  if (HP_CELLS_DIFFER && S->aquifers != NULL) {
    hp_team_sync(t);
    hp_time_error_aquifers(t, S);
  }
  if (t->rank != 0) return;
  out->sums.error[0] = sum[0];
  out->sums.error[1] = sum[1];
  hp_step_conclude_error(out);
}

/* The error of what connected cells get from aquifers: by d, by the influx so far, and by the pressure that stands for the whole
 * step. */
HP_INLINE HP_HD void hp_time_error_influx(hp_team *t, const hp_step *S, double dt) {
  const hp_reservoir *r = S->res;
  const hp_aquifers *A = S->aquifers;
  HP_TEAM_FOR(t, row, A->nrow) {
    const int64_t m = A->cell[row];
    hp_cell_props c;
    hp_cell_mass mass;
    hp_reservoir_eval_once(r, m, r->p[m], r->s[m], &c, &mass);
    const double dp = S->x[m * HP_PHASES + HP_P], ds = S->x[m * HP_PHASES + HP_S];
    for (int64_t e = A->begin[row]; e < A->begin[row + 1]; ++e) {
      double slope;
      (void)hp_aquifer_rate(r, A, row, e, c.pw, &slope);
      const hp_aquifer_part part = hp_time_error_mobile(A, e, &c);
      const double spread = hp_time_error_spread(A, e, part.v);
      A->error[e] = part.v * slope * (dp + c.dpw_ds * ds);
      if (part.v > 0.0) A->error[e] += A->rate[e] / part.v * (part.dp * dp + part.ds * ds);
      A->error[e] += S->error_weight * hp_time_error_lag(S, row, e, &c) + hp_time_error_memory(A, e, &c) + spread;
      A->mobile[e] = part.v * A->share[e];
      S->res->error[m * HP_PHASES + HP_WATER] = (float)((double)S->res->error[m * HP_PHASES + HP_WATER] + dt * spread);
    }
  }
}

/* Water saturations that may be at all in cell m, and s; where nothing else makes up for the masses any. */
HP_INLINE HP_HD void hp_time_error_ends(const hp_step *S, int64_t m, double s, double *low, double *high) {
  const hp_sat_range f = hp_reservoir_range(S->res, m);
  *low = S->correction.everywhere == 2 ? 0.0 : s < f.min ? s : f.min;
  *high = S->correction.everywhere == 2 ? 1.0 : s > f.max ? s : f.max;
}

/* Whether saturations of cell m may be spread: where there is no correction, as in a part that no well reaches, only if none
 * is made anywhere. */
HP_INLINE HP_HD bool hp_time_error_spreads(const hp_step *S, int64_t m) {
  return S->correction.everywhere != 0 || S->x[m * HP_PHASES + HP_P] != 0.0 || S->x[m * HP_PHASES + HP_S] != 0.0;
}

/* Cell m's correction: its pressure less d's, and what its water saturation changes by, between those at which both phases flow. */
HP_INLINE HP_HD double hp_time_error_correct(const hp_step *S, int64_t m, double p, double s, double *ds) {
  const hp_sat_range f = hp_reservoir_range(S->res, m);
  const double low = s < f.water_mobile ? s : f.water_mobile, high = s > f.oil_immobile ? s : f.oil_immobile;
  const double next = s - S->x[m * HP_PHASES + HP_S];
  *ds = (next < low ? low : next > high ? high : next) - s;
  return p - S->x[m * HP_PHASES + HP_P];
}

/* Called after the solve, when x holds d. Without one (`solved` false) the error stays where it is made. The residual's memory is
 * used, and what the properties of perforated cells stand in is filled again, for a device's solver has used it. */
HP_INLINE HP_HD void hp_time_error_end(hp_team *t, const hp_step *S, double dt, bool solved, hp_step_report *out) {
  const hp_reservoir *r = S->res;
  const hp_wells *W = S->wells;
  const int64_t n = r->ncell * HP_PHASES + W->nwell;
  if (!solved) {
    HP_TEAM_FOR(t, row, n) { S->x[row] = 0.0; }
    hp_team_sync(t);
  }
  hp_gh_renew_all(t, S->J, S->x);
  hp_gh_residual(t, S->J, S->b, S->x, S->R);
  hp_team_sync(t);
  double sum[HP_STEP_CORRECTED];
  HP_TEAM_REDUCE(t, m, r->ncell, HP_STEP_CORRECTED) {
    if (r->active[m]) {
      hp_cell_props c;
      hp_cell_mass mass;
      hp_reservoir_eval_once(r, m, r->p[m], r->s[m], &c, &mass);
      for (int a = 0; a < HP_PHASES; ++a) {
        const int64_t row = m * HP_PHASES + a;
        const double moved = mass.mass[a].dp * S->x[m * HP_PHASES + HP_P] +
                             mass.mass[a].ds * S->x[m * HP_PHASES + HP_S];
        S->res->error[row] = (float)(r->pore_volume[m] * moved + dt * mass.b[a] * S->R[row]);
      }
      double ds;
      const double p = hp_time_error_correct(S, m, r->p[m], r->s[m], &ds);
      hp_reservoir_eval_once(r, m, p, r->s[m] + ds, &c, &mass);
      for (int a = 0; a < HP_PHASES; ++a) {
        HP_ACC(a) += r->pore_volume[m] * mass.mass[a].v;
        HP_ACC(HP_PHASES + a) += r->pore_volume[m] * mass.mass[a].dp;
        HP_ACC(2 * HP_PHASES + a) += ds > 0.0 ? r->pore_volume[m] * mass.mass[a].ds * ds : 0.0;
        HP_ACC(3 * HP_PHASES + a) += ds < 0.0 ? r->pore_volume[m] * mass.mass[a].ds * ds : 0.0;
      }
    }
  }
  HP_TEAM_REDUCE_END(t);
  hp_team_sum(t, r->ncell, HP_STEP_CORRECTED, sum);
  HP_TEAM_FOR(t, n2, W->ncell) {
    const int64_t m = W->perforated[n2];
    hp_cell_props c;
    hp_cell_mass mass;
    hp_reservoir_eval_once(r, m, r->p[m], r->s[m], &c, &mass);
    hp_props_store(&r->props, m, &c);
  }
  HP_TEAM_FOR(t, i, W->nwell) { hp_time_error_well(S, (int)i); }
  if (HP_CELLS_DIFFER && S->aquifers != NULL) hp_time_error_influx(t, S, dt);
  if (t->rank != 0) return;
  for (int k = 0; k < HP_STEP_CORRECTED; ++k) out->sums.corrected[k] = sum[k];
  hp_step_conclude_corrected(out);
}

/* p and s become the corrected state, p_old and s_old what they were; what is then in place. Contains one barrier. */
HP_INLINE HP_HD void hp_time_error_show(hp_team *t, const hp_step *S, hp_step_report *out) {
  const hp_reservoir *r = S->res;
  const hp_step_correction *of = &S->correction;
  double place[6];
  HP_TEAM_REDUCE(t, m, r->ncell, 6) {
    const double p = S->shown ? S->res->p_old[m] : r->p[m], s = S->shown ? S->res->s_old[m] : r->s[m];
    S->res->p_old[m] = p;
    S->res->s_old[m] = s;
    if (r->active[m]) {
      double ds, low, high;
      hp_cell_props c;
      hp_cell_mass mass;
      const double corrected = hp_time_error_correct(S, m, p, s, &ds);
      hp_time_error_ends(S, m, s, &low, &high);
      const double next = s + of->whole * ds * (ds > 0.0 ? of->rising : of->falling);
      r->p[m] = p + of->whole * (corrected - p) + of->pressure;
      const double spread = hp_time_error_spreads(S, m) ? of->spread : 0.0;
      r->s[m] = next + spread * (spread > 0.0 ? high - next : next - low);
      hp_reservoir_eval_once(r, m, r->p[m], r->s[m], &c, &mass);
      const double pv = r->pore_volume[m] * hp_reservoir_rock(r, m, r->p[m]).v;
      HP_ACC(0) += r->pore_volume[m] * mass.mass[HP_OIL].v;
      HP_ACC(1) += r->pore_volume[m] * mass.mass[HP_WATER].v;
      HP_ACC(2) += pv * (1.0 - r->s[m]) * r->p[m];
      HP_ACC(3) += pv * (1.0 - r->s[m]);
      HP_ACC(4) += pv * r->p[m];
      HP_ACC(5) += pv;
    }
  }
  HP_TEAM_REDUCE_END(t);
  hp_team_sum(t, r->ncell, 6, place);
  if (t->rank != 0) return;
  for (int n = 0; n < 6; ++n) out->sums.in_place[n] = place[n];
  hp_step_conclude_place(out);
}

/* p and s, which are those at the start of a step, become what was shown then. */
HP_INLINE HP_HD void hp_time_error_show_again(hp_team *t, const hp_step *S) {
  HP_TEAM_FOR(t, m, S->res->ncell) {
    S->res->p[m] = S->res->p_shown[m];
    S->res->s[m] = S->res->s_shown[m];
  }
}

/* Derivatives of the masses that are shown by all pressures, and the masses by which saturations may rise and fall. Contains one
 * barrier. A program has at most HP_SUMS_MAX sums, so this is none of showing. */
HP_INLINE HP_HD void hp_time_error_measure(hp_team *t, const hp_step *S, hp_step_report *out) {
  const hp_reservoir *r = S->res;
  double sum[3 * HP_PHASES];
  HP_TEAM_REDUCE(t, m, r->ncell, 3 * HP_PHASES) {
    if (r->active[m]) {
      const double change = hp_time_error_spreads(S, m) ? r->pore_volume[m] : 0.0;
      double low, high;
      hp_cell_props c;
      hp_cell_mass mass;
      hp_time_error_ends(S, m, S->res->s_old[m], &low, &high);
      hp_reservoir_eval_once(r, m, r->p[m], r->s[m], &c, &mass);
      for (int a = 0; a < HP_PHASES; ++a) {
        HP_ACC(a) += r->pore_volume[m] * mass.mass[a].dp;
        HP_ACC(HP_PHASES + a) += change * mass.mass[a].ds * (high - r->s[m]);
        HP_ACC(2 * HP_PHASES + a) += change * mass.mass[a].ds * (r->s[m] - low);
      }
    }
  }
  HP_TEAM_REDUCE_END(t);
  hp_team_sum(t, r->ncell, 3 * HP_PHASES, sum);
  if (t->rank != 0) return;
  for (int n = 0; n < 3 * HP_PHASES; ++n) out->sums.corrected[HP_PHASES + n] = sum[n];
  hp_step_conclude_corrected(out);
}

#endif
