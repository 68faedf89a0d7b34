/* BiCG-Stab (van der Vorst 1992), right preconditioned, with merged reductions.
 *
 * Al-Mouhamed & Khan 2017 (section 6.4, algorithm 2) run it inside one kernel
 * with four synchronizations per iteration. Without a preconditioner they
 * are:
 *
 *     p = r + beta (p - omega v)         1  p is visible
 *     v = A M^-1 p,  (r0,v) (v,v)        2  reduction
 *     s = r - alpha v                    3  s is visible
 *     t = A M^-1 s,  (t,s) (t,t) (s,s) (r0,s) (r0,t)
 *                                        4  reduction
 *     x += alpha M^-1 p + omega M^-1 s,  r = s - omega t
 *
 * The norm and the rho of the new residual come from the five sums of the
 * fourth:  (r,r) = (s,s) - 2 omega (t,s) + omega^2 (t,t)  and  (r0,r) =
 * (r0,s) - omega (r0,t), where the paper reduces once more. The true residual
 * (hp_krylov_run_judge) catches the errors of cancellation in these formulas. A
 * preconditioner adds its own barriers and one after each application.
 */
#ifndef HP_LINSOLVE_KRYLOV_BICGSTAB_INL_H
#define HP_LINSOLVE_KRYLOV_BICGSTAB_INL_H

#include "linsolve/krylov/solve.inl.h"

/* Scalars below this, relative to the norms of their vectors, are rounding errors: a breakdown. */
#define HP_BICGSTAB_TINY 1e-16

/* The scalars of the recurrences, from a start with the residual norm norm0. */
typedef struct hp_bicgstab_state {
  double norm0, norm, rho, alpha, omega, beta;
} hp_bicgstab_state;

HP_INLINE HP_HD hp_bicgstab_state hp_bicgstab_state_of(double residual) {
  hp_bicgstab_state c;
  c.norm0 = c.norm = residual;
  c.rho = residual * residual;
  c.alpha = 1.0;
  c.omega = c.beta = 0.0;
  return c;
}

/* alpha from (r0,v) (v,v). False, with the reason, where the iterations end. */
HP_INLINE HP_HD bool hp_bicgstab_first_sums(hp_bicgstab_state *c, const double *sum, hp_krylov_reason *reason) {
  *reason = HP_KRYLOV_NOT_FINITE;
  if (!hp_is_finite(sum[1])) return false;
  *reason = HP_KRYLOV_BREAKDOWN;
  c->alpha = c->rho / sum[0];
  return !(fabs(sum[0]) <= HP_BICGSTAB_TINY * c->norm0 * sqrt(sum[1]) || !hp_is_finite(c->alpha));
}

/* omega, the new norm, rho and beta from (t,s) (t,t) (s,s) (r0,s) (r0,t). False, with the reason, where the
 * iterations end; x and r have still to be updated unless the reason is NOT_FINITE. */
HP_INLINE HP_HD bool hp_bicgstab_second_sums(hp_bicgstab_state *c, const double *sum, double goal,
                                             hp_krylov_reason *reason) {
  *reason = HP_KRYLOV_NOT_FINITE;
  if (!hp_is_finite(sum[0]) || !hp_is_finite(sum[1])) return false;
  c->omega = sum[1] > 0.0 ? sum[0] / sum[1] : 0.0;
  const double square = sum[2] - c->omega * (2.0 * sum[0] - c->omega * sum[1]);
  const double rho_old = c->rho;
  c->rho = sum[3] - c->omega * sum[4];
  c->norm = square > 0.0 ? sqrt(square) : 0.0;
  *reason = HP_KRYLOV_CONVERGED;
  if (c->norm <= goal) return false;
  *reason = HP_KRYLOV_BREAKDOWN;
  c->beta = (c->rho / rho_old) * (c->alpha / c->omega);
  const double stalled = sum[0] * sum[0], scale = sum[1] * sum[2];
  return !(stalled <= HP_BICGSTAB_TINY * HP_BICGSTAB_TINY * scale ||
           fabs(c->rho) <= HP_BICGSTAB_TINY * c->norm * c->norm0 || !hp_is_finite(c->beta));
}

/* (r0,v) (v,v), for hp_team_sum. */
HP_INLINE HP_HD void hp_bicgstab_first_dots(hp_team *t, int64_t n, const double *r0, const double *v) {
  HP_TEAM_REDUCE_OWNED(t, i, n, 2) {
    HP_ACC(0) += r0[i] * v[i];
    HP_ACC(1) += v[i] * v[i];
  }
  HP_TEAM_REDUCE_END(t);
}

/* (w,s) (w,w) (s,s) (r0,s) (r0,w), for hp_team_sum; w = A M^-1 s. */
HP_INLINE HP_HD void hp_bicgstab_second_dots(hp_team *t, int64_t n, const double *r0, const double *s,
                                             const double *w) {
  HP_TEAM_REDUCE_OWNED(t, i, n, 5) {
    HP_ACC(0) += w[i] * s[i];
    HP_ACC(1) += w[i] * w[i];
    HP_ACC(2) += s[i] * s[i];
    HP_ACC(3) += r0[i] * s[i];
    HP_ACC(4) += r0[i] * w[i];
  }
  HP_TEAM_REDUCE_END(t);
}

/* r0 = r,  p, v = 0. */
HP_INLINE HP_HD void hp_bicgstab_begin(hp_team *t, int64_t n, const double *r, double *r0, double *p, double *v) {
  HP_TEAM_FOR_OWNED(t, i, n) {
    r0[i] = r[i];
    p[i] = 0.0;
    v[i] = 0.0;
  }
}

/* Iterates from the true residual r until the recurrence signals convergence,
 * breaks down or reaches the limit. r [n] holds first r, then s. */
HP_METHOD hp_krylov_reason hp_bicgstab_iterate(hp_team *t, const hp_solve *S, hp_run *run, double *r) {
  const int64_t n = S->A->n;
  double *x = S->x, *r0 = hp_solve_vector(S, 1), *p = hp_solve_vector(S, 2), *v = hp_solve_vector(S, 3);
  double *w = hp_solve_vector(S, 4), *zp = hp_solve_vector(S, 5), *zs = hp_solve_vector(S, 6);
  hp_bicgstab_state c = hp_bicgstab_state_of(run->residual);
  hp_krylov_reason reason;
  hp_bicgstab_begin(t, n, r, r0, p, v);
  while (run->iterations < S->max_iterations) {
    double first[2], sum[5];
    const double beta = c.beta, omega_old = c.omega;
    HP_TEAM_FOR_OWNED(t, i, n) p[i] = r[i] + beta * (p[i] - omega_old * v[i]);
    hp_team_sync(t); /* p */
    const double *mp = hp_krylov_run_precondition(t, S, run, p, zp);
    hp_solve_product(t, S, mp, v);
    hp_bicgstab_first_dots(t, n, r0, v);
    hp_team_sum(t, n, 2, first);
    run->products += 1;
    if (!hp_bicgstab_first_sums(&c, first, &reason)) return reason;

    const double alpha = c.alpha;
    HP_TEAM_FOR_OWNED(t, i, n) r[i] -= alpha * v[i];
    hp_team_sync(t); /* s */
    const double *ms = hp_krylov_run_precondition(t, S, run, r, zs);
    hp_solve_product(t, S, ms, w);
    hp_bicgstab_second_dots(t, n, r0, r, w);
    hp_team_sum(t, n, 5, sum);
    run->products += 1;
    run->iterations += 1;
    const bool go_on = hp_bicgstab_second_sums(&c, sum, run->goal, &reason);
    if (!go_on && reason == HP_KRYLOV_NOT_FINITE) return reason;

    const double omega = c.omega;
    HP_TEAM_FOR_OWNED(t, i, n) {
      x[i] += alpha * mp[i] + omega * ms[i];
      r[i] -= omega * w[i];
    }
    hp_krylov_run_record(t, S, run, c.norm);
    if (!go_on) return reason;
  }
  return HP_KRYLOV_MAX_ITERATIONS;
}

HP_METHOD void hp_bicgstab(hp_team *t, const hp_solve *S) {
  double *r = hp_solve_vector(S, 0);
  hp_krylov_reason reason;
  hp_run run;
  bool done = hp_krylov_run_start(t, S, &run, r, &reason);
  while (!done) done = hp_krylov_run_judge(t, S, &run, hp_bicgstab_iterate(t, S, &run, r), false, r, &reason);
  hp_krylov_run_finish(t, S, &run, reason);
}

#endif
