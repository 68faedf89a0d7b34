/* Transpose-free QMR (Freund 1993; Saad, Iterative Methods for Sparse Linear
 * Systems, algorithm 7.8), right preconditioned. An iteration is an even and
 * an odd half step: two products. Convergence is believed when the bound
 * |r| <= tau sqrt(half steps + 1) reaches the goal.
 */
#ifndef HP_LINSOLVE_TFQMR_INL_H
#define HP_LINSOLVE_TFQMR_INL_H

#include "linsolve/solve.inl.h"

/* Scalars of the quasi-minimization. */
typedef struct hp_tfqmr_state {
  double tau, theta, eta, bound;
  int half_steps;
} hp_tfqmr_state;

/* The half step's scalars from |w|^2. */
HP_INLINE HP_HD void hp_tfqmr_scalars(hp_tfqmr_state *q, double ww, double alpha) {
  q->theta = sqrt(ww) / q->tau;
  const double c2 = 1.0 / (1.0 + q->theta * q->theta);
  q->tau *= q->theta * sqrt(c2);
  q->eta = c2 * alpha;
  q->half_steps += 1;
  q->bound = q->tau * sqrt((double)q->half_steps + 1.0);
}

/* a = A M^-1 u; u by owned loops, returns M^-1 u. */
HP_INLINE HP_HD const double *hp_tfqmr_product(hp_team *t, const hp_solve *S, hp_run *run, const double *u, double *z,
                                               double *a) {
  hp_team_sync(t); /* u; and everybody is done with the last z */
  const double *mu = hp_run_precondition(t, S, run, u, z);
  hp_solve_product(t, S, mu, a);
  run->products += 1;
  return mu;
}

/* x += eta d */
HP_INLINE HP_HD void hp_tfqmr_add(hp_team *t, int64_t n, double eta, const double *d, double *x) {
  if (eta == 0.0) return;
  HP_TEAM_FOR_OWNED(t, i, n) x[i] += eta * d[i];
}

/* Iterates from the true residual r0. The second half step's part of x, which only its owner touches, is added in the
 * next iteration between the halves of the first reduction's barrier (work sharing with synchronization,
 * Al-Mouhamed & Khan 2017, section 6.4). */
HP_INLINE HP_HD hp_krylov_reason hp_tfqmr_iterate(hp_team *t, const hp_solve *S, hp_run *run, double *r0) {
  const int64_t n = S->A->n;
  double *x = S->x, *w = hp_solve_vector(S, 1), *u = hp_solve_vector(S, 2), *v = hp_solve_vector(S, 3);
  double *d = hp_solve_vector(S, 4), *z = hp_solve_vector(S, 5), *a = hp_solve_vector(S, 6);
  hp_tfqmr_state q = {run->residual, 0.0, 0.0, run->residual, 0};
  double rho = run->residual * run->residual, beta = 0.0, sum[2];
  double late = 0.0; /* eta of a half step that x has still to get */
  hp_krylov_reason reason = HP_KRYLOV_MAX_ITERATIONS;
  HP_TEAM_FOR_OWNED(t, i, n) {
    w[i] = u[i] = r0[i];
    v[i] = d[i] = a[i] = 0.0;
  }
  while (run->iterations < S->max_iterations) {
    HP_TEAM_FOR_OWNED(t, i, n) v[i] = beta * (a[i] + beta * v[i]);
    const double *mu = hp_tfqmr_product(t, S, run, u, z, a);
    HP_TEAM_FOR_OWNED(t, i, n) v[i] += a[i];
    HP_TEAM_REDUCE_OWNED(t, i, n, 1) { HP_ACC(0) += r0[i] * v[i]; }
    HP_TEAM_REDUCE_END(t);
    hp_team_sum_begin(t);
    hp_tfqmr_add(t, n, late, d, x);
    late = 0.0;
    hp_team_sum_end(t, n, 1, sum);
    const double alpha = rho / sum[0];
    if (!hp_is_finite(sum[0])) return HP_KRYLOV_NOT_FINITE;
    if (sum[0] == 0.0 || !hp_is_finite(alpha) || alpha == 0.0) return HP_KRYLOV_BREAKDOWN;

    for (int half = 0; half < 2; ++half) {
      if (half == 1) {
        HP_TEAM_FOR_OWNED(t, i, n) u[i] -= alpha * v[i];
        mu = hp_tfqmr_product(t, S, run, u, z, a);
      }
      const double carry = q.theta * q.theta * q.eta / alpha;
      HP_TEAM_FOR_OWNED(t, i, n) {
        w[i] -= alpha * a[i];
        d[i] = mu[i] + carry * d[i];
      }
      HP_TEAM_REDUCE_OWNED(t, i, n, 2) {
        HP_ACC(0) += w[i] * w[i];
        HP_ACC(1) += r0[i] * w[i];
      }
      HP_TEAM_REDUCE_END(t);
      hp_team_sum(t, n, 2, sum);
      hp_tfqmr_scalars(&q, sum[0], alpha);
      if (!hp_is_finite(q.bound) || !hp_is_finite(carry)) return HP_KRYLOV_NOT_FINITE;
      if (half == 0) hp_tfqmr_add(t, n, q.eta, d, x);
      late = q.eta;
    }
    run->iterations += 1;
    hp_run_record(t, S, run, q.bound);
    beta = sum[1] / rho;
    if (q.bound <= run->goal) reason = HP_KRYLOV_CONVERGED;
    else if (fabs(sum[1]) <= 1e-16 * sqrt(sum[0]) * run->residual || !hp_is_finite(beta)) reason = HP_KRYLOV_BREAKDOWN;
    if (reason != HP_KRYLOV_MAX_ITERATIONS) break;
    rho = sum[1];
    HP_TEAM_FOR_OWNED(t, i, n) u[i] = w[i] + beta * u[i];
  }
  hp_tfqmr_add(t, n, late, d, x);
  return reason;
}

HP_INLINE HP_HD void hp_tfqmr(hp_team *t, const hp_solve *S) {
  double *r0 = hp_solve_vector(S, 0);
  hp_krylov_reason reason;
  hp_run run;
  bool done = hp_run_start(t, S, &run, r0, &reason);
  while (!done) done = hp_run_judge(t, S, &run, hp_tfqmr_iterate(t, S, &run, r0), false, r0, &reason);
  hp_run_finish(t, S, &run, reason);
}

#endif
