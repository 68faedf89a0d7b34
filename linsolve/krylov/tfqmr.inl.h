/* Transpose-free QMR (Freund 1993; Saad, Iterative Methods for Sparse Linear
 * Systems, algorithm 7.8), right preconditioned. An iteration is an even and
 * an odd half step: two products. The method signals convergence when the
 * bound |r| <= tau sqrt(half steps + 1) reaches the goal.
 *
 * A preconditioner whose rounding errors are large (single precision) can
 * spoil rho and alpha without a breakdown: from then on tau no longer
 * decreases. When the bound has had no new minimum for HP_TFQMR_PATIENCE
 * iterations, the method restarts from the true residual. Plateaus that end by
 * themselves look the same, so the patience doubles with every restart.
 */
#ifndef HP_LINSOLVE_KRYLOV_TFQMR_INL_H
#define HP_LINSOLVE_KRYLOV_TFQMR_INL_H

#include "linsolve/krylov/solve.inl.h"

/* Longer than most solves that need no restart: those with cpr and dilu end within it. */
enum { HP_TFQMR_PATIENCE = 50, HP_TFQMR_DOUBLINGS = 16 };

/* Scalars of the quasi-minimization. */
typedef struct hp_tfqmr_state {
  double tau, theta, eta, bound;
  int half_steps;
  double least; /* smallest bound since the restart, and the iterations since then */
  int waited, patience;
} hp_tfqmr_state;

HP_INLINE HP_HD hp_tfqmr_state hp_tfqmr_state_of(const hp_run *run) {
  hp_tfqmr_state q;
  q.tau = q.bound = q.least = run->residual;
  q.theta = q.eta = 0.0;
  q.half_steps = q.waited = 0;
  q.patience = HP_TFQMR_PATIENCE << (run->restarts < HP_TFQMR_DOUBLINGS ? run->restarts : HP_TFQMR_DOUBLINGS);
  return q;
}

/* Once an iteration. */
HP_INLINE HP_HD bool hp_tfqmr_stagnates(hp_tfqmr_state *q) {
  q->waited = q->bound < q->least ? 0 : q->waited + 1;
  if (q->waited == 0) q->least = q->bound;
  return q->waited > q->patience;
}

/* The half step's scalars from |w|^2. */
HP_INLINE HP_HD void hp_tfqmr_scalars(hp_tfqmr_state *q, double ww, double alpha) {
  q->theta = sqrt(ww) / q->tau;
  const double c2 = 1.0 / (1.0 + q->theta * q->theta);
  q->tau *= q->theta * sqrt(c2);
  q->eta = c2 * alpha;
  q->half_steps += 1;
  q->bound = q->tau * sqrt((double)q->half_steps + 1.0);
}

/* All [n]; u is multiplied, z = M^-1 u belongs to the preconditioner, the others are owner-local. */
typedef struct hp_tfqmr_vectors {
  hp_local x, r0, w, v, d, a, c;
  double *u, *z;
} hp_tfqmr_vectors;

/* The vectors that an iteration touches most often come first. */
HP_INLINE HP_HD hp_tfqmr_vectors hp_tfqmr_vectors_of(hp_team *t, const hp_solve *S) {
  hp_local_room room = hp_solve_room(t, S);
  hp_tfqmr_vectors V;
  V.d = hp_local_alloc(hp_solve_vector(S, 4), &room);
  V.w = hp_local_alloc(hp_solve_vector(S, 1), &room);
  V.x = hp_local_alloc(S->x, &room);
  V.r0 = hp_local_alloc(hp_solve_vector(S, 0), &room);
  V.v = hp_local_alloc(hp_solve_vector(S, 3), &room);
  V.a = hp_local_alloc(hp_solve_vector(S, 6), &room);
  V.c = hp_local_alloc(hp_solve_vector(S, 7), &room);
  V.u = hp_solve_vector(S, 2);
  V.z = hp_solve_vector(S, 5);
  return V;
}

/* a = A M^-1 u. Before: u is visible, and no member still reads the previous z. Returns M^-1 u. */
HP_METHOD const double *hp_tfqmr_product(hp_team *t, const hp_solve *S, hp_run *run, const hp_tfqmr_vectors *V,
                                         hp_local a) {
  const double *mu = hp_krylov_run_precondition(t, S, run, V->u, V->z);
  hp_solve_product_local(t, S, mu, a);
  run->products += 1;
  return mu;
}

/* x += eta d */
HP_INLINE HP_HD void hp_tfqmr_add(hp_team *t, int64_t n, double eta, hp_local d, hp_local x) {
  if (eta == 0.0) return;
  HP_LOCAL_FOR(t, i, n) {
    const HP_NUM xi = HP_GET(x, i), di = HP_GET(d, i);
    HP_PUT(x, i, xi + eta * di);
  }
}

/* w = u = r0,  v = d = c = 0; x and r0 where they are kept. */
HP_INLINE HP_HD void hp_tfqmr_begin(hp_team *t, const hp_solve *S, const hp_tfqmr_vectors *V) {
  const int64_t n = S->A->n;
  const hp_local r = hp_local_to_read(hp_solve_vector(S, 0)), u = hp_local_in_memory(V->u), r0 = V->r0, w = V->w;
  const hp_local v = V->v, d = V->d, c = V->c;
  hp_local_load(t, n, V->x, S->x);
  HP_LOCAL_FOR(t, i, n) {
    const HP_NUM ri = HP_GET(r, i), zero = HP_NUM_OF(0.0);
    HP_PUT(r0, i, ri);
    HP_PUT(w, i, ri);
    HP_PUT(u, i, ri);
    HP_PUT(v, i, zero);
    HP_PUT(d, i, zero);
    HP_PUT(c, i, zero);
  }
}

/* v = a + beta (c + beta v) and the sum (r0,v). */
HP_INLINE HP_HD void hp_tfqmr_direction(hp_team *t, int64_t n, const hp_tfqmr_vectors *V, double beta) {
  const hp_local a = V->a, c = V->c, v = V->v, r0 = V->r0;
  HP_LOCAL_REDUCE(t, i, n, 1) {
    const HP_NUM ai = HP_GET(a, i), ci = HP_GET(c, i), v_old = HP_GET(v, i), ri = HP_GET(r0, i);
    const HP_NUM vi = beta * (ci + beta * v_old) + ai;
    HP_PUT(v, i, vi);
    HP_ACC(0) += ri * vi;
  }
  HP_LOCAL_REDUCE_END(t);
}

/* The even half step: w -= alpha a,  d = mu + carry d,  u -= alpha v and the sums (w,w) (r0,w). */
HP_INLINE HP_HD void hp_tfqmr_even(hp_team *t, int64_t n, const hp_tfqmr_vectors *V, const double *mu, double alpha,
                                   double carry) {
  const hp_local a = V->a, v = V->v, d = V->d, w = V->w, r0 = V->r0, u = hp_local_in_memory(V->u);
  const hp_local m = hp_local_to_read(mu);
  const bool none = mu == V->u;
  HP_LOCAL_REDUCE(t, i, n, 2) {
    const HP_NUM ai = HP_GET(a, i), w_old = HP_GET(w, i), d_old = HP_GET(d, i), ui = HP_GET(u, i), vi = HP_GET(v, i);
    const HP_NUM ri = HP_GET(r0, i), mi = none ? ui : HP_GET(m, i), wi = w_old - alpha * ai;
    HP_PUT(w, i, wi);
    HP_PUT(d, i, mi + carry * d_old);
    HP_PUT(u, i, ui - alpha * vi);
    HP_ACC(0) += wi * wi;
    HP_ACC(1) += ri * wi;
  }
  HP_LOCAL_REDUCE_END(t);
}

/* The odd one: x += eta d of the even one, w -= alpha c,  d = mu + carry d and the sums (w,w) (r0,w). */
HP_INLINE HP_HD void hp_tfqmr_odd(hp_team *t, int64_t n, const hp_tfqmr_vectors *V, const double *mu, double eta,
                                  double alpha, double carry) {
  const hp_local c = V->c, x = V->x, d = V->d, w = V->w, r0 = V->r0, m = hp_local_to_read(mu);
  HP_LOCAL_REDUCE(t, i, n, 2) {
    const HP_NUM ci = HP_GET(c, i), w_old = HP_GET(w, i), d_old = HP_GET(d, i), mi = HP_GET(m, i), xi = HP_GET(x, i);
    const HP_NUM ri = HP_GET(r0, i), wi = w_old - alpha * ci;
    HP_PUT(x, i, xi + eta * d_old);
    HP_PUT(w, i, wi);
    HP_PUT(d, i, mi + carry * d_old);
    HP_ACC(0) += wi * wi;
    HP_ACC(1) += ri * wi;
  }
  HP_LOCAL_REDUCE_END(t);
}

/* u = w + beta u */
HP_INLINE HP_HD void hp_tfqmr_next(hp_team *t, int64_t n, const hp_tfqmr_vectors *V, double beta) {
  const hp_local u = hp_local_in_memory(V->u), w = V->w;
  HP_LOCAL_FOR(t, i, n) {
    const HP_NUM ui = HP_GET(u, i), wi = HP_GET(w, i);
    HP_PUT(u, i, wi + beta * ui);
  }
}

/* The odd half step's part of x, which only its owner touches, is added in the next iteration between arriving at
 * the first reduction's barrier and waiting (work sharing with synchronization, Al-Mouhamed & Khan 2017, section 6.4);
 * *late: the eta of a half step that x has still to get. */
HP_METHOD hp_krylov_reason hp_tfqmr_steps(hp_team *t, const hp_solve *S, hp_run *run, const hp_tfqmr_vectors *V,
                                          double *late) {
  const int64_t n = S->A->n;
  hp_tfqmr_state q = hp_tfqmr_state_of(run);
  double rho = run->residual * run->residual, beta = 0.0, sum[2];
  while (run->iterations < S->max_iterations) {
    hp_team_sync(t); /* u */
    const double *mu = hp_tfqmr_product(t, S, run, V, V->a);
    hp_tfqmr_direction(t, n, V, beta);
    hp_team_sum_begin(t);
    hp_tfqmr_add(t, n, *late, V->d, V->x);
    *late = 0.0;
    hp_team_sum_end(t, n, 1, sum);
    const double alpha = rho / sum[0];
    if (!hp_is_finite(sum[0])) return HP_KRYLOV_NOT_FINITE;
    if (sum[0] == 0.0 || !hp_is_finite(alpha) || alpha == 0.0) return HP_KRYLOV_BREAKDOWN;

    double carry = q.theta * q.theta * q.eta / alpha;
    hp_tfqmr_even(t, n, V, mu, alpha, carry);
    hp_team_sum(t, n, 2, sum); /* and u */
    hp_tfqmr_scalars(&q, sum[0], alpha);
    if (!hp_is_finite(q.bound) || !hp_is_finite(carry)) return HP_KRYLOV_NOT_FINITE;

    mu = hp_tfqmr_product(t, S, run, V, V->c);
    carry = q.theta * q.theta * q.eta / alpha;
    hp_tfqmr_odd(t, n, V, mu, q.eta, alpha, carry);
    hp_team_sum(t, n, 2, sum);
    hp_tfqmr_scalars(&q, sum[0], alpha);
    if (!hp_is_finite(q.bound) || !hp_is_finite(carry)) return HP_KRYLOV_NOT_FINITE;
    *late = q.eta;
    run->iterations += 1;
    hp_krylov_run_record(t, S, run, q.bound);
    beta = sum[1] / rho;
    if (q.bound <= run->goal) return HP_KRYLOV_CONVERGED;
    if (fabs(sum[1]) <= 1e-16 * sqrt(sum[0]) * run->residual || !hp_is_finite(beta)) return HP_KRYLOV_BREAKDOWN;
    if (hp_tfqmr_stagnates(&q)) return HP_KRYLOV_STAGNATION;
    rho = sum[1];
    hp_tfqmr_next(t, n, V, beta);
  }
  return HP_KRYLOV_MAX_ITERATIONS;
}

/* Iterates from the true residual, vector 0. */
HP_METHOD hp_krylov_reason hp_tfqmr_iterate(hp_team *t, const hp_solve *S, hp_run *run) {
  const hp_tfqmr_vectors V = hp_tfqmr_vectors_of(t, S);
  double late = 0.0;
  hp_tfqmr_begin(t, S, &V);
  const hp_krylov_reason reason = hp_tfqmr_steps(t, S, run, &V, &late);
  hp_tfqmr_add(t, S->A->n, late, V.d, V.x);
  hp_local_store(t, S->A->n, V.x, S->x);
  return reason;
}

HP_METHOD void hp_tfqmr(hp_team *t, const hp_solve *S) {
  double *r0 = hp_solve_vector(S, 0);
  hp_krylov_reason reason;
  hp_run run;
  bool done = hp_krylov_run_start(t, S, &run, r0, &reason);
  while (!done) done = hp_krylov_run_judge(t, S, &run, hp_tfqmr_iterate(t, S, &run), false, r0, &reason);
  hp_krylov_run_finish(t, S, &run, reason);
}

#endif
