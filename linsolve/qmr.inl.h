/* QMR by coupled two-term recurrences without look-ahead (Freund & Nachtigal
 * 1994), for B = A M^-1 (right preconditioned), with merged reductions.
 *
 * The two-sided Lanczos process keeps v, w biorthogonal and p, q biconjugate.
 * With rho = |v~|, xi = |w~|, delta = (w~, v~) / (rho xi), v~ = w~ = r at the start:
 *
 *     p = v~/rho - (xi  delta/eps) p                 eps, p, q on the right: the old ones
 *     q = w~/xi  - (rho delta/eps) q            1  p and q are visible
 *     a = B p,  b = B^T q,  eps = (q, a)        2  reduction
 *     beta = eps / delta
 *     v~ = a - beta v~/rho,  w~ = b - beta w~/xi
 *     rho, xi, delta                            3  reduction
 *
 * and the iterate minimizes the coordinates of the residual in v:
 *
 *     theta = rho / (gamma |beta|)               gamma, eta, rho, theta' on the right: the old ones
 *     gamma = 1 / sqrt(1 + theta^2),  eta = -eta rho gamma^2 / (beta gamma^2)
 *     d = eta M^-1 p + (theta' gamma)^2 d,  x += d
 *
 * The residual is a mean of the old one and that of BiCG, phi v with
 * phi = -phi rho / beta (Zhou & Walker 1994): r = theta^2 gamma^2 r + gamma^2 phi v.
 * Its norm thus comes from the sums of the third synchronization, with (r, v~)
 * and (r, r) added, and not from the bound sqrt(iterations + 1) tau.
 *
 * Three synchronizations an iteration, where Al-Mouhamed & Khan 2017 (section
 * 6.5) count nine. A preconditioner adds one, and those inside M^-1 and M^-T.
 */
#ifndef HP_LINSOLVE_QMR_INL_H
#define HP_LINSOLVE_QMR_INL_H

#include "linsolve/solve.inl.h"

/* Scalars below this, relative to the norms of their vectors, are rounding errors: a breakdown. */
#define HP_QMR_TINY 1e-16

/* a = A M^-1 p and b = M^-T A^T q; returns M^-1 p, in z [n] or p itself. p and q by
 * owned loops. a may be read by owned loops at once, b after the next barrier. u [n]: room. */
HP_INLINE HP_HD const double *hp_qmr_products(hp_team *t, const hp_solve *S, hp_run *run, const double *p,
                                              const double *q, double *z, double *u, double *a, double *b) {
  const bool none = HP_SOLVE_IS_NONE(S->P);
  run->products += 2;
  hp_team_sync(t); /* p, q */
  hp_gh_mul_transposed(t, S->A, q, none ? b : u);
  const double *mp = hp_run_precondition(t, S, run, p, z); /* and u, with its barrier */
  hp_solve_product(t, S, mp, a);
  if (!none) {
    run->applications += 1;
    hp_precond_apply_transposed(t, S->P, S->A, u, b);
  }
  return mp;
}

/* Scalars of one step; see above. */
typedef struct hp_qmr_state {
  double rho, xi, delta;          /* of the Lanczos vectors */
  double gamma, theta, eta, phi;  /* of the quasi-minimization */
  double carry, keep, lead, norm; /* d = eta M^-1 p + carry d;  r = keep r + lead v~;  |r| */
} hp_qmr_state;

HP_INLINE HP_HD hp_qmr_state hp_qmr_start(double norm) {
  hp_qmr_state s;
  s.rho = s.xi = s.phi = s.norm = norm;
  s.delta = s.gamma = 1.0;
  s.eta = -1.0;
  s.theta = s.carry = s.keep = s.lead = 0.0;
  return s;
}

/* The step's scalars from sum = (v~,v~) (w~,w~) (v~,w~) (r,v~) (r,r). */
HP_INLINE HP_HD hp_qmr_state hp_qmr_step(const hp_qmr_state *old, double beta, const double *sum) {
  hp_qmr_state s;
  s.rho = sqrt(sum[0]);
  s.xi = sqrt(sum[1]);
  s.delta = sum[2] / (s.rho * s.xi);
  s.theta = s.rho / (old->gamma * fabs(beta));
  s.gamma = 1.0 / sqrt(1.0 + s.theta * s.theta);
  const double ratio = s.gamma / old->gamma;
  s.eta = -old->eta * old->rho * ratio * ratio / beta;
  s.phi = -old->phi * s.rho / beta;
  s.carry = old->theta * s.gamma * old->theta * s.gamma;
  s.keep = s.theta * s.gamma * s.theta * s.gamma;
  s.lead = -s.gamma * s.gamma * old->phi / beta;
  const double square = s.keep * s.keep * sum[4] + s.lead * (2.0 * s.keep * sum[3] + s.lead * sum[0]);
  s.norm = square > 0.0 || !hp_is_finite(square) ? sqrt(square) : 0.0;
  return s;
}

/* Iterates from the true residual r until the method believes in convergence,
 * breaks down or reaches the limit. r [n] stays the residual. */
HP_INLINE HP_HD hp_krylov_reason hp_qmr_iterate(hp_team *t, const hp_solve *S, hp_run *run, double *r) {
  const int64_t n = S->A->n;
  double *x = S->x, *v = hp_solve_vector(S, 1), *w = hp_solve_vector(S, 2), *p = hp_solve_vector(S, 3);
  double *q = hp_solve_vector(S, 4), *a = hp_solve_vector(S, 5), *b = hp_solve_vector(S, 6);
  double *d = hp_solve_vector(S, 7), *z = hp_solve_vector(S, 8), *u = hp_solve_vector(S, 9);
  hp_qmr_state s = hp_qmr_start(run->residual);
  double back_p = 0.0, back_q = 0.0;
  HP_TEAM_FOR_OWNED(t, i, n) {
    v[i] = w[i] = r[i];
    p[i] = q[i] = d[i] = 0.0;
  }
  while (run->iterations < S->max_iterations) {
    double first[3], sum[5];
    const double scale_v = 1.0 / s.rho, scale_w = 1.0 / s.xi;
    HP_TEAM_FOR_OWNED(t, i, n) {
      p[i] = scale_v * v[i] - back_p * p[i];
      q[i] = scale_w * w[i] - back_q * q[i];
    }
    const double *mp = hp_qmr_products(t, S, run, p, q, z, u, a, b);
    HP_TEAM_REDUCE_OWNED(t, i, n, 3) {
      HP_ACC(0) += q[i] * a[i];
      HP_ACC(1) += q[i] * q[i];
      HP_ACC(2) += a[i] * a[i];
    }
    HP_TEAM_REDUCE_END(t);
    hp_team_sum(t, n, 3, first); /* and b */
    const double eps = first[0], beta = eps / s.delta;
    if (!hp_is_finite(first[1]) || !hp_is_finite(first[2])) return HP_KRYLOV_NOT_FINITE;
    if (fabs(eps) <= HP_QMR_TINY * sqrt(first[1]) * sqrt(first[2]) || !hp_is_finite(beta)) return HP_KRYLOV_BREAKDOWN;

    const double from_v = beta * scale_v, from_w = beta * scale_w;
    HP_TEAM_FOR_OWNED(t, i, n) {
      v[i] = a[i] - from_v * v[i];
      w[i] = b[i] - from_w * w[i];
    }
    HP_TEAM_REDUCE_OWNED(t, i, n, 5) {
      HP_ACC(0) += v[i] * v[i];
      HP_ACC(1) += w[i] * w[i];
      HP_ACC(2) += v[i] * w[i];
      HP_ACC(3) += r[i] * v[i];
      HP_ACC(4) += r[i] * r[i];
    }
    HP_TEAM_REDUCE_END(t);
    hp_team_sum(t, n, 5, sum);
    s = hp_qmr_step(&s, beta, sum);
    if (!hp_is_finite(s.norm) || !hp_is_finite(s.eta)) return HP_KRYLOV_NOT_FINITE;

    const double eta = s.eta, carry = s.carry, keep = s.keep, lead = s.lead;
    HP_TEAM_FOR_OWNED(t, i, n) {
      d[i] = eta * mp[i] + carry * d[i];
      x[i] += d[i];
      r[i] = keep * r[i] + lead * v[i];
    }
    run->iterations += 1;
    hp_run_record(t, S, run, s.norm);
    if (s.norm <= run->goal) return HP_KRYLOV_CONVERGED;
    back_p = s.xi * s.delta / eps;
    back_q = s.rho * s.delta / eps;
    if (!(fabs(s.delta) > HP_QMR_TINY) || !hp_is_finite(back_p) || !hp_is_finite(back_q)) return HP_KRYLOV_BREAKDOWN;
  }
  return HP_KRYLOV_MAX_ITERATIONS;
}

HP_INLINE HP_HD void hp_qmr(hp_team *t, const hp_solve *S) {
  double *r = hp_solve_vector(S, 0);
  hp_krylov_reason reason;
  hp_run run;
  bool done = hp_run_start(t, S, &run, r, &reason);
  while (!done) done = hp_run_judge(t, S, &run, hp_qmr_iterate(t, S, &run, r), false, r, &reason);
  hp_run_finish(t, S, &run, reason);
}

#endif
