/* Reordered synchronization (Al-Mouhamed & Khan 2017, section 6.4) in BiCG-Stab and QMR: the vectors of an iteration that
 * the next product does not need are updated between the halves of that iteration's first sum, while the other members
 * arrive, instead of before its product. A team program each, to measure (`hepta bench krylov --reordered`), with the
 * operations of linsolve/krylov/bicgstab.inl.h and qmr.inl.h and the same bits:
 *
 *     bicgstab   v = A M^-1 p,  (r0,v) (v,v)      arrive;  x += alpha M^-1 p + omega M^-1 s of the last iteration;  wait
 *     qmr        a = B p, b = B^T q,  (q,a) ..    arrive;  d, x and r of the last iteration;  wait
 *
 * The second sums have no such work: what follows them needs them. M^-1 p of the last iteration is kept while the next one
 * is made, and so is s where it is its own M^-1 s: the vectors swap places with one more, two in BiCG-Stab.
 */
#ifndef HP_BENCH_KRYLOV_REORDERED_INL_H
#define HP_BENCH_KRYLOV_REORDERED_INL_H

#include "linsolve/krylov/bicgstab.inl.h"
#include "linsolve/krylov/qmr.inl.h"

/* Vectors beside those of the method: swapped with M^-1 p, and with s. */
enum { HP_REORDERED_VECTORS = 2 };

HP_INLINE HP_HD void hp_reordered_swap(double **a, double **b) {
  double *const first = *a;
  *a = *b;
  *b = first;
}

/* ---- BiCG-Stab ---- */

/* x += alpha mp + omega ms, still to be done if `pending`. */
typedef struct hp_reordered_update {
  bool pending;
  double alpha, omega;
  const double *mp, *ms;
} hp_reordered_update;

HP_INLINE HP_HD void hp_reordered_finish(hp_team *t, const hp_solve *S, hp_reordered_update *u) {
  double *x = S->x;
  const double *mp = u->mp, *ms = u->ms, alpha = u->alpha, omega = u->omega;
  if (u->pending) HP_TEAM_FOR_OWNED(t, i, S->A->n) x[i] += alpha * mp[i] + omega * ms[i];
  u->pending = false;
}

/* See hp_bicgstab_iterate. Where there is no preconditioner mp is p and ms is r. */
HP_METHOD hp_krylov_reason hp_reordered_bicgstab_iterate(hp_team *t, const hp_solve *S, hp_run *run, double *r,
                                                         hp_reordered_update *u) {
  const int64_t n = S->A->n;
  const bool none = hp_solve_is_none(S);
  double *r0 = hp_solve_vector(S, 1), *p = hp_solve_vector(S, 2), *v = hp_solve_vector(S, 3);
  double *w = hp_solve_vector(S, 4), *zp = hp_solve_vector(S, 5), *zs = hp_solve_vector(S, 6);
  double *other = hp_solve_vector(S, 7), *other_r = hp_solve_vector(S, 8);
  hp_bicgstab_state c = hp_bicgstab_state_of(run->residual);
  hp_krylov_reason reason;
  hp_bicgstab_begin(t, n, r, r0, p, v);
  while (run->iterations < S->max_iterations) {
    double first[2], sum[5];
    const double beta = c.beta, omega_old = c.omega;
    double *next = none ? other : p;
    HP_TEAM_FOR_OWNED(t, i, n) next[i] = r[i] + beta * (p[i] - omega_old * v[i]);
    hp_reordered_swap(none ? &p : &zp, &other); /* the last M^-1 p is in `other` */
    hp_team_sync(t);                            /* p */
    const double *mp = hp_krylov_run_precondition(t, S, run, p, zp);
    hp_solve_product(t, S, mp, v);
    hp_bicgstab_first_dots(t, n, r0, v);
    hp_team_sum_begin(t);
    hp_reordered_finish(t, S, u);
    hp_team_sum_end(t, n, 2, first);
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
    double *after = none ? other_r : r;
    HP_TEAM_FOR_OWNED(t, i, n) after[i] = r[i] - omega * w[i];
    u->pending = true;
    u->alpha = alpha;
    u->omega = omega;
    u->mp = mp;
    u->ms = ms;
    if (none) hp_reordered_swap(&r, &other_r);
    hp_krylov_run_record(t, S, run, c.norm);
    if (!go_on) return reason;
  }
  return HP_KRYLOV_MAX_ITERATIONS;
}

HP_METHOD void hp_reordered_bicgstab(hp_team *t, const hp_solve *S) {
  double *r = hp_solve_vector(S, 0);
  hp_krylov_reason reason;
  hp_run run;
  bool done = hp_krylov_run_start(t, S, &run, r, &reason);
  while (!done) {
    hp_reordered_update u = {false, 0.0, 0.0, NULL, NULL};
    const hp_krylov_reason ended = hp_reordered_bicgstab_iterate(t, S, &run, r, &u);
    hp_reordered_finish(t, S, &u);
    done = hp_krylov_run_judge(t, S, &run, ended, false, r, &reason);
  }
  hp_krylov_run_finish(t, S, &run, reason);
}

/* ---- QMR ---- */

/* p and q of the next step, p into `next`; back_p, back_q as in hp_qmr_update. */
HP_INLINE HP_HD void hp_reordered_advance(hp_team *t, int64_t n, const hp_qmr_vectors *V, double *next,
                                          const hp_qmr_state *s, double back_p, double back_q) {
  const hp_local p = hp_local_in_memory(V->p), to = hp_local_in_memory(next), q = hp_local_in_memory(V->q);
  const hp_local v = V->v, w = V->w;
  const double scale_v = 1.0 / s->rho, scale_w = 1.0 / s->xi;
  HP_LOCAL_FOR(t, i, n) {
    const HP_NUM pi = HP_GET(p, i), qi = HP_GET(q, i), vi = HP_GET(v, i), wi = HP_GET(w, i);
    HP_PUT(to, i, scale_v * vi - back_p * pi);
    HP_PUT(q, i, scale_w * wi - back_q * qi);
  }
}

/* d, x and r of the step with the scalars s, before v changes; mp is its M^-1 p, NULL: nothing is to be done. */
HP_INLINE HP_HD void hp_reordered_complete(hp_team *t, int64_t n, const hp_qmr_vectors *V, const double *mp,
                                           const hp_qmr_state *s) {
  const hp_local x = V->x, r = V->r, v = V->v, d = V->d;
  const double eta = s->eta, carry = s->carry, keep = s->keep, lead = s->lead;
  if (mp == NULL) return;
  const hp_local m = hp_local_to_read(mp);
  HP_LOCAL_FOR(t, i, n) {
    const HP_NUM mi = HP_GET(m, i), vi = HP_GET(v, i), xi = HP_GET(x, i), ri = HP_GET(r, i), d_old = HP_GET(d, i);
    const HP_NUM di = eta * mi + carry * d_old;
    HP_PUT(d, i, di);
    HP_PUT(x, i, xi + di);
    HP_PUT(r, i, keep * ri + lead * vi);
  }
}

/* See hp_qmr_steps; *mp and *s are of the step that hp_reordered_complete still has to do, *mp NULL: of none. */
HP_METHOD hp_krylov_reason hp_reordered_qmr_steps(hp_team *t, const hp_solve *S, hp_run *run, hp_qmr_vectors *V,
                                                  const double **mp, hp_qmr_state *s) {
  const int64_t n = S->A->n;
  const bool none = hp_solve_is_none(S);
  double *other = hp_solve_vector(S, 10);
  *s = hp_qmr_start(run->residual);
  *mp = NULL;
  while (run->iterations < S->max_iterations) {
    double first[3], sum[5];
    const double *const now = hp_qmr_products(t, S, run, V);
    hp_team_sum_begin(t);
    hp_reordered_complete(t, n, V, *mp, s);
    *mp = NULL;
    hp_team_sum_end(t, n, 3, first); /* and b */
    const double eps = first[0], beta = eps / s->delta;
    if (!hp_is_finite(first[1]) || !hp_is_finite(first[2])) return HP_KRYLOV_NOT_FINITE;
    if (fabs(eps) <= HP_QMR_TINY * sqrt(first[1]) * sqrt(first[2]) || !hp_is_finite(beta)) return HP_KRYLOV_BREAKDOWN;

    hp_qmr_lanczos(t, n, V, beta * (1.0 / s->rho), beta * (1.0 / s->xi));
    hp_team_sum(t, n, 5, sum);
    *s = hp_qmr_step(s, beta, sum);
    if (!hp_is_finite(s->norm) || !hp_is_finite(s->eta)) return HP_KRYLOV_NOT_FINITE;

    const double back_p = s->xi * s->delta / eps, back_q = s->rho * s->delta / eps;
    hp_reordered_advance(t, n, V, none ? other : V->p, s, back_p, back_q);
    *mp = now;
    hp_reordered_swap(none ? &V->p : &V->z, &other); /* the next M^-1 p does not overwrite this one */
    run->iterations += 1;
    hp_krylov_run_record(t, S, run, s->norm);
    if (s->norm <= run->goal) return HP_KRYLOV_CONVERGED;
    if (!(fabs(s->delta) > HP_QMR_TINY) || !hp_is_finite(back_p) || !hp_is_finite(back_q)) return HP_KRYLOV_BREAKDOWN;
  }
  return HP_KRYLOV_MAX_ITERATIONS;
}

HP_METHOD hp_krylov_reason hp_reordered_qmr_iterate(hp_team *t, const hp_solve *S, hp_run *run) {
  hp_qmr_vectors V = hp_qmr_vectors_of(t, S);
  const double *mp;
  hp_qmr_state s;
  hp_qmr_begin(t, S, &V, run->residual);
  const hp_krylov_reason reason = hp_reordered_qmr_steps(t, S, run, &V, &mp, &s);
  hp_reordered_complete(t, S->A->n, &V, mp, &s);
  hp_local_store(t, S->A->n, V.x, S->x);
  return reason;
}

HP_METHOD void hp_reordered_qmr(hp_team *t, const hp_solve *S) {
  double *r = hp_solve_vector(S, 0);
  hp_krylov_reason reason;
  hp_run run;
  bool done = hp_krylov_run_start(t, S, &run, r, &reason);
  while (!done) done = hp_krylov_run_judge(t, S, &run, hp_reordered_qmr_iterate(t, S, &run), false, r, &reason);
  hp_krylov_run_finish(t, S, &run, reason);
}

#endif
