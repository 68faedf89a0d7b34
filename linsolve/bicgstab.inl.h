/* BiCG-Stab (van der Vorst 1992), right preconditioned, with merged reductions.
 *
 * Al-Mouhamed & Khan 2017 (section 6.4, algorithm 2) run it inside one kernel
 * with four synchronizations an iteration. Here they are, without
 * preconditioner:
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
 * (r0,s) - omega (r0,t), where the paper reduces once more. What cancellation
 * costs there is caught by the true residual (hp_run_judge). A preconditioner
 * adds its own barriers and one after each application.
 */
#ifndef HP_LINSOLVE_BICGSTAB_INL_H
#define HP_LINSOLVE_BICGSTAB_INL_H

#include "linsolve/solve.inl.h"

/* Scalars below this, relative to the norms of their vectors, are rounding errors: a breakdown. */
#define HP_BICGSTAB_TINY 1e-16

/* Iterates from the true residual r until the method believes in convergence,
 * breaks down or reaches the limit. r [n] holds r and s in turn. */
HP_INLINE HP_HD hp_krylov_reason hp_bicgstab_iterate(hp_team *t, const hp_solve *S, hp_run *run, double *r) {
  const int64_t n = S->A->n;
  double *x = S->x, *r0 = hp_solve_vector(S, 1), *p = hp_solve_vector(S, 2), *v = hp_solve_vector(S, 3);
  double *w = hp_solve_vector(S, 4), *zp = hp_solve_vector(S, 5), *zs = hp_solve_vector(S, 6);
  double norm = run->residual, rho = norm * norm, alpha = 1.0, omega = 0.0, beta = 0.0;
  const double norm0 = norm;
  HP_TEAM_FOR_OWNED(t, i, n) {
    r0[i] = r[i];
    p[i] = 0.0;
    v[i] = 0.0;
  }
  while (run->iterations < S->max_iterations) {
    double first[2], sum[5];
    HP_TEAM_FOR_OWNED(t, i, n) p[i] = r[i] + beta * (p[i] - omega * v[i]);
    hp_team_sync(t); /* p */
    const double *mp = hp_run_precondition(t, S, run, p, zp);
    hp_solve_product(t, S, mp, v);
    HP_TEAM_REDUCE_OWNED(t, i, n, 2) {
      HP_ACC(0) += r0[i] * v[i];
      HP_ACC(1) += v[i] * v[i];
    }
    HP_TEAM_REDUCE_END(t);
    hp_team_sum(t, n, 2, first);
    run->products += 1;
    if (!hp_is_finite(first[1])) return HP_KRYLOV_NOT_FINITE;
    alpha = rho / first[0];
    if (fabs(first[0]) <= HP_BICGSTAB_TINY * norm0 * sqrt(first[1]) || !hp_is_finite(alpha))
      return HP_KRYLOV_BREAKDOWN;

    HP_TEAM_FOR_OWNED(t, i, n) r[i] -= alpha * v[i];
    hp_team_sync(t); /* s */
    const double *ms = hp_run_precondition(t, S, run, r, zs);
    hp_solve_product(t, S, ms, w);
    HP_TEAM_REDUCE_OWNED(t, i, n, 5) {
      HP_ACC(0) += w[i] * r[i];
      HP_ACC(1) += w[i] * w[i];
      HP_ACC(2) += r[i] * r[i];
      HP_ACC(3) += r0[i] * r[i];
      HP_ACC(4) += r0[i] * w[i];
    }
    HP_TEAM_REDUCE_END(t);
    hp_team_sum(t, n, 5, sum);
    run->products += 1;
    run->iterations += 1;
    if (!hp_is_finite(sum[0]) || !hp_is_finite(sum[1])) return HP_KRYLOV_NOT_FINITE;

    omega = sum[1] > 0.0 ? sum[0] / sum[1] : 0.0;
    HP_TEAM_FOR_OWNED(t, i, n) {
      x[i] += alpha * mp[i] + omega * ms[i];
      r[i] -= omega * w[i];
    }
    const double square = sum[2] - omega * (2.0 * sum[0] - omega * sum[1]);
    const double rho_old = rho;
    rho = sum[3] - omega * sum[4];
    norm = square > 0.0 ? sqrt(square) : 0.0;
    hp_run_record(t, S, run, norm);
    if (norm <= run->goal) return HP_KRYLOV_CONVERGED;
    beta = (rho / rho_old) * (alpha / omega);
    const double stalled = sum[0] * sum[0], scale = sum[1] * sum[2];
    if (stalled <= HP_BICGSTAB_TINY * HP_BICGSTAB_TINY * scale || fabs(rho) <= HP_BICGSTAB_TINY * norm * norm0 ||
        !hp_is_finite(beta))
      return HP_KRYLOV_BREAKDOWN;
  }
  return HP_KRYLOV_MAX_ITERATIONS;
}

HP_INLINE HP_HD void hp_bicgstab(hp_team *t, const hp_solve *S) {
  double *r = hp_solve_vector(S, 0);
  hp_krylov_reason reason;
  hp_run run;
  bool done = hp_run_start(t, S, &run, r, &reason);
  while (!done) done = hp_run_judge(t, S, &run, hp_bicgstab_iterate(t, S, &run, r), false, r, &reason);
  hp_run_finish(t, S, &run, reason);
}

#endif
