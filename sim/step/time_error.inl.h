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
 *     hp_time_error_begin    in hp_step_accept: rates of change, the right-hand side b
 *       (linear solve)       J d = b
 *     hp_time_error_end      e, and dq/du d of each well
 */
#ifndef HP_SIM_STEP_TIME_ERROR_INL_H
#define HP_SIM_STEP_TIME_ERROR_INL_H

#include "linsolve/product/spmv.inl.h"
#include "physics/assembly.inl.h"
#include "sim/step/step.h"

/* The right-hand side b and the sizes of the step's own error; S->error_weight is 1, or 0 where the rate of change
 * before the step is not that at its start. Reads mass and mass_old: before they are carried over; contains one
 * barrier. */
HP_INLINE HP_HD void hp_time_error_begin(hp_team *t, const hp_step *S, double dt, hp_step_report *out) {
  const hp_reservoir *r = S->res;
  double sum[2];
  HP_TEAM_REDUCE(t, m, r->ncell, 2) {
    for (int a = 0; a < HP_PHASES; ++a) {
      const int64_t row = m * HP_PHASES + a;
      const double change = (r->mass[row] - r->mass_old[row]) / dt;
      const double local = 0.5 * S->error_weight * (change - (double)S->change[row]);
      const double scale = r->active[m] ? r->scale[row] : 0.0;
      S->b[row] = scale * ((double)S->error[row] / dt + local);
      S->change[row] = (float)change;
      HP_ACC(0) += dt * scale * fabs(local);
      HP_ACC(1) += dt * scale * fabs(change);
    }
  }
  HP_TEAM_REDUCE_END(t);
  hp_team_sum(t, r->ncell, 2, sum);
  HP_TEAM_FOR(t, w, S->wells->nwell) { S->b[r->ncell * HP_PHASES + w] = 0.0; }
  if (t->rank != 0) return;
  out->sums.error[0] = sum[0];
  out->sums.error[1] = sum[1];
  hp_step_conclude_error(out);
}

/* The change of well w's surface rates with d = x, times its efficiency. */
HP_INLINE HP_HD void hp_time_error_rate(const hp_step *S, int w, double out[HP_PHASES]) {
  const hp_wells *W = S->wells;
  const double bhp = S->x[S->res->ncell * HP_PHASES + w];
  out[HP_OIL] = out[HP_WATER] = 0.0;
  for (int64_t q = W->begin[w]; q < W->begin[w + 1]; ++q) {
    const hp_perf_rate *rate = &W->rate[q];
    const double *cell = S->x + W->cell[q] * HP_PHASES;
    for (int a = 0; a < HP_PHASES; ++a)
      out[a] += rate->dp[a] * cell[HP_P] + rate->ds[a] * cell[HP_S] + rate->dbhp[a] * bhp;
  }
}

/* Called after the solve, when x holds d. Without one (`solved` false) the error stays where it is made. The residual's memory is
 * used, and what the properties of perforated cells stand in is filled again, for a device's solver has used it. */
HP_INLINE HP_HD void hp_time_error_end(hp_team *t, const hp_step *S, double dt, bool solved) {
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
  HP_TEAM_FOR(t, m, r->ncell) {
    if (r->active[m]) {
      hp_cell_props c;
      hp_cell_mass mass;
      hp_reservoir_eval(r, m, r->p[m], r->s[m], &c, &mass);
      for (int a = 0; a < HP_PHASES; ++a) {
        const int64_t row = m * HP_PHASES + a;
        const double moved = mass.mass[a].dp * S->x[m * HP_PHASES + HP_P] +
                             mass.mass[a].ds * S->x[m * HP_PHASES + HP_S];
        S->error[row] = (float)(r->pore_volume[m] * moved + dt * mass.b[a] * S->R[row]);
      }
    }
  }
  HP_TEAM_FOR(t, n2, W->ncell) {
    const int64_t m = W->perforated[n2];
    hp_cell_props c;
    hp_cell_mass mass;
    hp_reservoir_eval(r, m, r->p[m], r->s[m], &c, &mass);
    hp_props_store(&r->props, m, &c);
  }
  HP_TEAM_FOR(t, i, W->nwell) { hp_time_error_rate(S, (int)i, S->row[i].error); }
}

#endif
