/* Preconditioned conjugate gradients (Hestenes & Stiefel 1952) with one
 * reduction per iteration (Chronopoulos & Gear 1989), for symmetric positive
 * definite A and M, such as a pressure system.
 *
 *     z = M^-1 r,  w = A z                      1  r is visible
 *     (r,z) (w,z) ...                           2  reduction
 *     beta = (r,z) / (r,z)_old,  alpha = (r,z) / ((w,z) - beta (r,z) / alpha_old)
 *     p = z + beta p,  s = w + beta s           s = A p
 *     x += alpha p,  r -= alpha s
 *
 * Two synchronizations per iteration. The norm of the new residual comes from
 * sums of the same reduction, |r - alpha s|^2 with s = w + beta s_old. A
 * preconditioner adds one and those inside it; wells one more.
 *
 * For other matrices the recurrences may look sound and yet stall. So the symmetry of A is
 * tested first, which costs a product or less, and the scalars that must be positive are
 * checked; a failure of either ends the solve with HP_KRYLOV_NOT_SPD.
 *
 * Wells. The preconditioners' M = [ M_c 0; W D ] (linsolve/precond/precond.h) is not
 * symmetric. CG applies all but external preconditioners to r - W^T D^-1 r_w, which makes M
 * [ I W^T D^-1; 0 I ] diag(M_c, D) [ I 0; D^-1 W I ].
 */
#ifndef HP_LINSOLVE_KRYLOV_CG_INL_H
#define HP_LINSOLVE_KRYLOV_CG_INL_H

#include "linsolve/krylov/solve.inl.h"

/* ---- symmetry of the matrix ---- */

/* Whether |aij - aji| is rounding beside sqrt(aii ajj), which no |aij| of a positive definite matrix exceeds. */
HP_INLINE HP_HD bool hp_cg_equal(double aij, double aji, double aii, double ajj) {
  return aii > 0.0 && ajj > 0.0 && (aij == aji || fabs(aij - aji) <= 1e-10 * sqrt(aii) * sqrt(ajj));
}

/* Rows of cell m against the columns of itself and its upper neighbours. */
HP_INLINE HP_HD bool hp_cg_symmetric_cell(const hp_gh *A, const hp_gh_stencil *s, int64_t m) {
  bool equal = true;
  for (int e = 0; e < s->count; ++e) {
    const int64_t n = m + s->shift[e];
    if (s->u[e] < 0 || n >= A->ncell) continue;
    for (int a = 0; a < A->q; ++a)
      for (int b = 0; b < A->q; ++b)
        equal = equal && hp_cg_equal(*hp_gh_entry(A, m, s->u[e], a, b), *hp_gh_entry(A, n, -s->u[e], b, a),
                                     *hp_gh_entry(A, m, 0, a, a), *hp_gh_entry(A, n, 0, b, b));
  }
  return equal;
}

/* W against WT in run r. */
HP_INLINE HP_HD bool hp_cg_symmetric_run(const hp_gh *A, int64_t r) {
  const hp_gh_wells *W = &A->wells;
  bool equal = true;
  for (int64_t n = 0; n < W->c[r]; ++n)
    for (int a = 0; a < A->q; ++a) {
      const int64_t e = (W->a[r] + n) * A->q + a;
      equal = equal && hp_cg_equal(W->w[e], W->wt[e], *hp_gh_entry(A, W->b[r] + n, 0, a, a), W->dd[W->of[r]]);
    }
  return equal;
}

/* Entry (i, j) of a matrix as csr; 0 if it is not stored. */
HP_INLINE HP_HD double hp_cg_csr_entry(const hp_sparse *F, int64_t i, int64_t j) {
  for (int64_t p = F->begin[i]; p < F->begin[i + 1]; ++p)
    if (F->column[p] == j) return F->value[p];
  return 0.0;
}

/* Row i against column i. An entry whose mirror image is not stored is found as well, from one of the two sides. */
HP_INLINE HP_HD bool hp_cg_symmetric_csr_row(const hp_sparse *F, int64_t i) {
  const double aii = hp_cg_csr_entry(F, i, i);
  bool equal = aii > 0.0;
  for (int64_t p = F->begin[i]; p < F->begin[i + 1] && equal; ++p) {
    const int64_t j = F->column[p];
    equal = hp_cg_equal(F->value[p], hp_cg_csr_entry(F, j, i), aii, hp_cg_csr_entry(F, j, j));
  }
  return equal;
}

/* Whether A is symmetric up to rounding and its diagonal positive; the same on every
 * member. F: A as csr where A is a shape without values, else not read. One barrier. */
HP_INLINE HP_HD bool hp_cg_symmetric(hp_team *t, const hp_gh *A, const hp_sparse *F) {
  const hp_gh_stencil s = hp_gh_stencil_of(A);
  int64_t bad = -1, first;
  double one;
#if !defined(__CUDA_ARCH__)
  if (A->h == NULL) {
    HP_TEAM_FOR(t, i, A->n) {
      if (bad < 0 && !hp_cg_symmetric_csr_row(F, i)) bad = i;
    }
    hp_team_max(t, 1.0, bad, &one, &first);
    return first < 0;
  }
#endif
  HP_TEAM_FOR(t, m, A->ncell) {
    if (bad < 0 && !hp_cg_symmetric_cell(A, &s, m)) bad = m;
  }
  HP_TEAM_FOR(t, r, A->wells.nrun) {
    if (bad < 0 && !hp_cg_symmetric_run(A, r)) bad = A->ncell + r;
  }
  for (int w = 0; w < A->wells.nwell && bad < 0; ++w)
    if (!(A->wells.dd[w] > 0.0)) bad = A->ncell + A->wells.nrun + w;
  hp_team_max(t, 1.0, bad, &one, &first);
  return first < 0;
}

/* ---- the method ---- */

/* M^-1 r, in z or r itself; r is visible. f [n]: room for the wells' part. */
HP_METHOD const double *hp_cg_precondition(hp_team *t, const hp_solve *S, hp_run *run, const double *r, double *f,
                                           double *z) {
  const hp_gh *A = S->A;
  if (hp_solve_is_none(S) || S->P->external != NULL || S->P->external_data != NULL || A->wells.nwell == 0)
    return hp_krylov_run_precondition(t, S, run, r, z);
  HP_TEAM_FOR(t, m, A->ncell) hp_precond_fold_wells(A, A->q, m / A->nz, m, r, f + m * A->q);
  HP_TEAM_FOR(t, w, A->wells.nwell) f[A->rows + w] = r[A->rows + w];
  hp_team_sync(t); /* f */
  return hp_krylov_run_precondition(t, S, run, f, z);
}

/* All [n]; r is preconditioned and multiplied, z and f belong to the preconditioner, the others are owner-local. */
typedef struct hp_cg_vectors {
  hp_local x, p, s, w;
  double *r, *z, *f;
} hp_cg_vectors;

/* The vectors that an iteration touches most often come first. */
HP_INLINE HP_HD hp_cg_vectors hp_cg_vectors_of(hp_team *t, const hp_solve *S) {
  hp_local_room room = hp_solve_room(t, S);
  hp_cg_vectors V;
  V.s = hp_local_alloc(hp_solve_vector(S, 2), &room);
  V.w = hp_local_alloc(hp_solve_vector(S, 3), &room);
  V.p = hp_local_alloc(hp_solve_vector(S, 1), &room);
  V.x = hp_local_alloc(S->x, &room);
  V.r = hp_solve_vector(S, 0);
  V.z = hp_solve_vector(S, 4);
  V.f = hp_solve_vector(S, 5);
  return V;
}

/* The eight sums of an iteration: (r,z) (w,z) (r,r) (r,w) (r,s) (w,w) (w,s) (s,s), z = M^-1 r at mr. */
HP_INLINE HP_HD void hp_cg_sums(hp_team *t, int64_t n, const hp_cg_vectors *V, const double *mr) {
  const hp_local r = hp_local_to_read(V->r), m = hp_local_to_read(mr), w = V->w, s = V->s;
  const bool none = mr == V->r;
  HP_LOCAL_REDUCE(t, i, n, 8) {
    const HP_NUM ri = HP_GET(r, i), wi = HP_GET(w, i), si = HP_GET(s, i), zi = none ? ri : HP_GET(m, i);
    HP_ACC(0) += ri * zi;
    HP_ACC(1) += wi * zi;
    HP_ACC(2) += ri * ri;
    HP_ACC(3) += ri * wi;
    HP_ACC(4) += ri * si;
    HP_ACC(5) += wi * wi;
    HP_ACC(6) += wi * si;
    HP_ACC(7) += si * si;
  }
  HP_LOCAL_REDUCE_END(t);
}

/* (p, s) of the new p and s by itself: where the recurrence for it cancels. One barrier. */
HP_INLINE HP_HD double hp_cg_curvature(hp_team *t, int64_t n, const hp_cg_vectors *V, const double *mr, double beta) {
  const hp_local m = hp_local_to_read(mr), w = V->w, p = V->p, s = V->s;
  double sum[1];
  HP_LOCAL_REDUCE(t, i, n, 1) {
    const HP_NUM zi = HP_GET(m, i), wi = HP_GET(w, i), pi = HP_GET(p, i), si = HP_GET(s, i);
    HP_ACC(0) += (zi + beta * pi) * (wi + beta * si);
  }
  HP_LOCAL_REDUCE_END(t);
  hp_team_sum(t, n, 1, sum);
  return sum[0];
}

/* p = z + beta p,  s = w + beta s,  x += alpha p,  r -= alpha s. */
HP_INLINE HP_HD void hp_cg_update(hp_team *t, int64_t n, const hp_cg_vectors *V, const double *mr, double beta,
                                  double alpha) {
  const hp_local r = hp_local_in_memory(V->r), m = hp_local_to_read(mr), w = V->w, p = V->p, s = V->s, x = V->x;
  const bool none = mr == V->r;
  HP_LOCAL_FOR(t, i, n) {
    const HP_NUM ri = HP_GET(r, i), wi = HP_GET(w, i), p_old = HP_GET(p, i), s_old = HP_GET(s, i), xi = HP_GET(x, i);
    const HP_NUM zi = none ? ri : HP_GET(m, i), pi = zi + beta * p_old, si = wi + beta * s_old;
    HP_PUT(p, i, pi);
    HP_PUT(s, i, si);
    HP_PUT(x, i, xi + alpha * pi);
    HP_PUT(r, i, ri - alpha * si);
  }
}

HP_METHOD hp_krylov_reason hp_cg_steps(hp_team *t, const hp_solve *S, hp_run *run, const hp_cg_vectors *V) {
  const int64_t n = S->A->n;
  double rz_old = 0.0, alpha = 1.0;
  while (run->iterations < S->max_iterations) {
    double sum[8];
    if (rz_old > 0.0) hp_team_sync(t); /* r; a true residual is visible already */
    const double *mr = hp_cg_precondition(t, S, run, V->r, V->f, V->z);
    hp_solve_product_local(t, S, mr, V->w);
    hp_cg_sums(t, n, V, mr);
    hp_team_sum(t, n, 8, sum);
    run->products += 1;
    run->iterations += 1;
    const double rz = sum[0], wz = sum[1];
    if (!hp_is_finite(rz) || !hp_is_finite(wz) || !hp_is_finite(sum[5])) return HP_KRYLOV_NOT_FINITE;
    if (rz < 0.0 || wz < 0.0) return HP_KRYLOV_NOT_SPD;

    const double beta = rz_old > 0.0 ? rz / rz_old : 0.0;
    double ps = wz - beta * rz / alpha;
    if (!(ps > 1e-6 * wz)) ps = hp_cg_curvature(t, n, V, mr, beta);
    if (ps < 0.0) return HP_KRYLOV_NOT_SPD;
    alpha = rz / ps;
    if (!hp_is_finite(alpha) || alpha == 0.0) return HP_KRYLOV_BREAKDOWN;
    hp_cg_update(t, n, V, mr, beta, alpha);
    const double rs = sum[3] + beta * sum[4], ss = sum[5] + beta * (2.0 * sum[6] + beta * sum[7]);
    const double square = sum[2] - alpha * (2.0 * rs - alpha * ss), norm = square > 0.0 ? sqrt(square) : 0.0;
    rz_old = rz;
    hp_krylov_run_record(t, S, run, norm);
    if (norm <= run->goal) return HP_KRYLOV_CONVERGED;
  }
  return HP_KRYLOV_MAX_ITERATIONS;
}

/* Iterates from the true residual, vector 0, until the recurrence signals convergence, a scalar turns negative, the
 * method breaks down or the limit is reached. */
HP_METHOD hp_krylov_reason hp_cg_iterate(hp_team *t, const hp_solve *S, hp_run *run) {
  const int64_t n = S->A->n;
  const hp_cg_vectors V = hp_cg_vectors_of(t, S);
  const hp_local p = V.p, s = V.s;
  hp_local_load(t, n, V.x, S->x);
  HP_LOCAL_FOR(t, i, n) {
    HP_PUT(p, i, HP_NUM_OF(0.0));
    HP_PUT(s, i, HP_NUM_OF(0.0));
  }
  const hp_krylov_reason reason = hp_cg_steps(t, S, run, &V);
  hp_local_store(t, n, V.x, S->x);
  return reason;
}

HP_METHOD void hp_cg(hp_team *t, const hp_solve *S) {
  double *r = hp_solve_vector(S, 0);
  hp_krylov_reason reason;
  hp_run run;
  bool done = hp_krylov_run_start(t, S, &run, r, &reason);
  if (!done && !hp_cg_symmetric(t, S->A, S->F)) {
    done = true;
    reason = HP_KRYLOV_NOT_SPD;
  }
  while (!done) {
    const hp_krylov_reason ended = hp_cg_iterate(t, S, &run);
    const int restarts = run.restarts;
    done = hp_krylov_run_judge(t, S, &run, ended, false, r, &reason);
    if (ended != HP_KRYLOV_NOT_SPD || reason == HP_KRYLOV_CONVERGED) continue;
    done = true;
    run.restarts = restarts;
    reason = HP_KRYLOV_NOT_SPD;
  }
  hp_krylov_run_finish(t, S, &run, reason);
}

#endif
