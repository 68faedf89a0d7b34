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
 * Three synchronizations per iteration, where Al-Mouhamed & Khan 2017 (section
 * 6.5) count nine. A preconditioner adds one, and those inside M^-1 and M^-T.
 */
#ifndef HP_LINSOLVE_KRYLOV_QMR_INL_H
#define HP_LINSOLVE_KRYLOV_QMR_INL_H

#include "linsolve/krylov/solve.inl.h"

/* Scalars below this, relative to the norms of their vectors, are rounding errors: a breakdown. */
#define HP_QMR_TINY 1e-16

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

/* All [n]; p and q are multiplied, z = M^-1 p and u = A^T q belong to the preconditioner, the others are
 * owner-local. */
typedef struct hp_qmr_vectors {
  hp_local x, r, v, w, a, b, d;
  double *p, *q, *z, *u;
} hp_qmr_vectors;

/* The vectors that an iteration touches most often come first; b is included only if no preconditioner computes it. */
HP_METHOD hp_qmr_vectors hp_qmr_vectors_of(hp_team *t, const hp_solve *S) {
  hp_local_room room = hp_solve_room(t, S);
  hp_qmr_vectors V;
  V.v = hp_local_alloc(hp_solve_vector(S, 1), &room);
  V.w = hp_local_alloc(hp_solve_vector(S, 2), &room);
  V.a = hp_local_alloc(hp_solve_vector(S, 5), &room);
  V.r = hp_local_alloc(hp_solve_vector(S, 0), &room);
  V.d = hp_local_alloc(hp_solve_vector(S, 7), &room);
  V.x = hp_local_alloc(S->x, &room);
  V.b = hp_solve_is_none(S) ? hp_local_alloc(hp_solve_vector(S, 6), &room) : hp_local_in_memory(hp_solve_vector(S, 6));
  V.p = hp_solve_vector(S, 3);
  V.q = hp_solve_vector(S, 4);
  V.z = hp_solve_vector(S, 8);
  V.u = hp_solve_vector(S, 9);
  return V;
}

/* The sums (q,a) (q,q) (a,a). */
HP_INLINE HP_HD void hp_qmr_sums(hp_team *t, int64_t n, const hp_qmr_vectors *V) {
  const hp_local q = hp_local_to_read(V->q), a = V->a;
  HP_LOCAL_REDUCE(t, i, n, 3) {
    const HP_NUM qi = HP_GET(q, i), ai = HP_GET(a, i);
    HP_ACC(0) += qi * ai;
    HP_ACC(1) += qi * qi;
    HP_ACC(2) += ai * ai;
  }
  HP_LOCAL_REDUCE_END(t);
}

/* a = A p, b = A^T q and the sums, without a preconditioner. */
HP_METHOD void hp_qmr_plain_products(hp_team *t, const hp_solve *S, const hp_qmr_vectors *V) {
#if defined(__CUDA_ARCH__)
  hp_gh_both_cuda(t, S->A, V->p, V->a, V->q, V->b);
#else
  hp_gh_mul_transposed(t, S->A, V->q, V->b.at);
  hp_solve_product(t, S, V->p, V->a.at);
  hp_qmr_sums(t, S->A->n, V);
#endif
}

/* a = A M^-1 p and b = M^-T A^T q; p and q by owned loops. Returns M^-1 p, which is p itself where there is no
 * preconditioner. The sums (q,a) (q,q) (a,a) are for hp_team_sum, after which b may be read. */
HP_METHOD const double *hp_qmr_products(hp_team *t, const hp_solve *S, hp_run *run, const hp_qmr_vectors *V) {
  run->products += 2;
  hp_team_sync(t); /* p, q */
  if (hp_solve_is_none(S)) {
    hp_qmr_plain_products(t, S, V);
    return V->p;
  }
  hp_gh_mul_transposed(t, S->A, V->q, V->u);
  hp_krylov_run_precondition(t, S, run, V->p, V->z); /* and u, with its barrier */
  hp_solve_product_local(t, S, V->z, V->a);
  run->applications += 1;
  hp_krylov_precond_apply_transposed(t, S->P, S->A, V->u, V->b.at);
  hp_qmr_sums(t, S->A->n, V);
  return V->z;
}

/* v~, w~ = r,  p, q = r / |r|,  d = 0; x and r where they are kept. */
HP_INLINE HP_HD void hp_qmr_begin(hp_team *t, const hp_solve *S, const hp_qmr_vectors *V, double norm) {
  const int64_t n = S->A->n;
  const hp_local r0 = hp_local_to_read(hp_solve_vector(S, 0)), r = V->r, v = V->v, w = V->w, d = V->d;
  const hp_local p = hp_local_in_memory(V->p), q = hp_local_in_memory(V->q);
  const double scale = 1.0 / norm;
  hp_local_load(t, n, V->x, S->x);
  HP_LOCAL_FOR(t, i, n) {
    const HP_NUM ri = HP_GET(r0, i), first = scale * ri;
    HP_PUT(r, i, ri);
    HP_PUT(v, i, ri);
    HP_PUT(w, i, ri);
    HP_PUT(p, i, first);
    HP_PUT(q, i, first);
    HP_PUT(d, i, HP_NUM_OF(0.0));
  }
}

/* v~ = a - from_v v~,  w~ = b - from_w w~ and the five sums of hp_qmr_step. */
HP_INLINE HP_HD void hp_qmr_lanczos(hp_team *t, int64_t n, const hp_qmr_vectors *V, double from_v, double from_w) {
  const hp_local a = V->a, b = V->b, r = V->r, v = V->v, w = V->w;
  HP_LOCAL_REDUCE(t, i, n, 5) {
    const HP_NUM ai = HP_GET(a, i), bi = HP_GET(b, i), v_old = HP_GET(v, i), w_old = HP_GET(w, i), ri = HP_GET(r, i);
    const HP_NUM vi = ai - from_v * v_old, wi = bi - from_w * w_old;
    HP_PUT(v, i, vi);
    HP_PUT(w, i, wi);
    HP_ACC(0) += vi * vi;
    HP_ACC(1) += wi * wi;
    HP_ACC(2) += vi * wi;
    HP_ACC(3) += ri * vi;
    HP_ACC(4) += ri * ri;
  }
  HP_LOCAL_REDUCE_END(t);
}

/* d, x and r of the step, and p and q of the next one; mp = M^-1 p. */
HP_INLINE HP_HD void hp_qmr_update(hp_team *t, int64_t n, const hp_qmr_vectors *V, const double *mp,
                                   const hp_qmr_state *s, double back_p, double back_q) {
  const hp_local p = hp_local_in_memory(V->p), q = hp_local_in_memory(V->q), m = hp_local_to_read(mp);
  const hp_local x = V->x, r = V->r, v = V->v, w = V->w, d = V->d;
  const double eta = s->eta, carry = s->carry, keep = s->keep, lead = s->lead, scale_v = 1.0 / s->rho,
               scale_w = 1.0 / s->xi;
  const bool none = mp == V->p;
  HP_LOCAL_FOR(t, i, n) {
    const HP_NUM pi = HP_GET(p, i), qi = HP_GET(q, i), vi = HP_GET(v, i), wi = HP_GET(w, i);
    const HP_NUM xi = HP_GET(x, i), ri = HP_GET(r, i), d_old = HP_GET(d, i), mi = none ? pi : HP_GET(m, i);
    const HP_NUM di = eta * mi + carry * d_old;
    HP_PUT(d, i, di);
    HP_PUT(x, i, xi + di);
    HP_PUT(r, i, keep * ri + lead * vi);
    HP_PUT(p, i, scale_v * vi - back_p * pi);
    HP_PUT(q, i, scale_w * wi - back_q * qi);
  }
}

HP_METHOD hp_krylov_reason hp_qmr_steps(hp_team *t, const hp_solve *S, hp_run *run, const hp_qmr_vectors *V) {
  const int64_t n = S->A->n;
  hp_qmr_state s = hp_qmr_start(run->residual);
  while (run->iterations < S->max_iterations) {
    double first[3], sum[5];
    const double *mp = hp_qmr_products(t, S, run, V);
    hp_team_sum(t, n, 3, first); /* and b */
    const double eps = first[0], beta = eps / s.delta;
    if (!hp_is_finite(first[1]) || !hp_is_finite(first[2])) return HP_KRYLOV_NOT_FINITE;
    if (fabs(eps) <= HP_QMR_TINY * sqrt(first[1]) * sqrt(first[2]) || !hp_is_finite(beta)) return HP_KRYLOV_BREAKDOWN;

    hp_qmr_lanczos(t, n, V, beta * (1.0 / s.rho), beta * (1.0 / s.xi));
    hp_team_sum(t, n, 5, sum);
    s = hp_qmr_step(&s, beta, sum);
    if (!hp_is_finite(s.norm) || !hp_is_finite(s.eta)) return HP_KRYLOV_NOT_FINITE;

    const double back_p = s.xi * s.delta / eps, back_q = s.rho * s.delta / eps;
    hp_qmr_update(t, n, V, mp, &s, back_p, back_q);
    run->iterations += 1;
    hp_krylov_run_record(t, S, run, s.norm);
    if (s.norm <= run->goal) return HP_KRYLOV_CONVERGED;
    if (!(fabs(s.delta) > HP_QMR_TINY) || !hp_is_finite(back_p) || !hp_is_finite(back_q)) return HP_KRYLOV_BREAKDOWN;
  }
  return HP_KRYLOV_MAX_ITERATIONS;
}

/* Iterates from the true residual, vector 0, until the recurrence signals convergence, breaks down or reaches the
 * limit. */
HP_METHOD hp_krylov_reason hp_qmr_iterate(hp_team *t, const hp_solve *S, hp_run *run) {
  const hp_qmr_vectors V = hp_qmr_vectors_of(t, S);
  hp_qmr_begin(t, S, &V, run->residual);
  const hp_krylov_reason reason = hp_qmr_steps(t, S, run, &V);
  hp_local_store(t, S->A->n, V.x, S->x);
  return reason;
}

HP_METHOD void hp_qmr(hp_team *t, const hp_solve *S) {
  double *r = hp_solve_vector(S, 0);
  hp_krylov_reason reason;
  hp_run run;
  bool done = hp_krylov_run_start(t, S, &run, r, &reason);
  while (!done) done = hp_krylov_run_judge(t, S, &run, hp_qmr_iterate(t, S, &run), false, r, &reason);
  hp_krylov_run_finish(t, S, &run, reason);
}

#endif
