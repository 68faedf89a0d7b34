/* Preconditioned conjugate gradients (Hestenes & Stiefel 1952) with one
 * reduction an iteration (Chronopoulos & Gear 1989), for symmetric positive
 * definite A and M, such as a pressure system.
 *
 *     z = M^-1 r,  w = A z                      1  r is visible
 *     (r,z) (w,z) ...                           2  reduction
 *     beta = (r,z) / (r,z)_old,  alpha = (r,z) / ((w,z) - beta (r,z) / alpha_old)
 *     p = z + beta p,  s = w + beta s           s = A p
 *     x += alpha p,  r -= alpha s
 *
 * Two synchronizations an iteration. The norm of the new residual comes from
 * sums of the same reduction, |r - alpha s|^2 with s = w + beta s_old. A
 * preconditioner adds one and those inside it; wells one more.
 *
 * On another matrix the recurrences may seem to work and stall, so A's symmetry is
 * tested first, at the price of a product or less, and the scalars that must be
 * positive are watched; either ends with HP_KRYLOV_NOT_SPD.
 *
 * Wells. The preconditioners' M = [ M_c 0; W D ] (linsolve/precond.h) is not
 * symmetric; CG applies them, but for those from outside, to r - W^T D^-1 r_w, which makes it
 * [ I W^T D^-1; 0 I ] diag(M_c, D) [ I 0; D^-1 W I ].
 */
#ifndef HP_LINSOLVE_CG_INL_H
#define HP_LINSOLVE_CG_INL_H

#include "linsolve/solve.inl.h"

/* ---- symmetry of the matrix --------------------------------------------------- */

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

/* Row i against column i: also an entry whose mirror image is not stored is seen, from one side or the other. */
HP_INLINE HP_HD bool hp_cg_symmetric_csr_row(const hp_sparse *F, int64_t i) {
  const double aii = hp_cg_csr_entry(F, i, i);
  bool equal = aii > 0.0;
  for (int64_t p = F->begin[i]; p < F->begin[i + 1] && equal; ++p) {
    const int64_t j = F->column[p];
    equal = hp_cg_equal(F->value[p], hp_cg_csr_entry(F, j, i), aii, hp_cg_csr_entry(F, j, j));
  }
  return equal;
}

/* Whether A is symmetric and its diagonal positive, as far as rounding tells; the same on every
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

/* ---- the method ------------------------------------------------------------------ */

/* M^-1 r, in z or r itself; r is visible. f [n]: room for the wells' part. */
HP_INLINE HP_HD const double *hp_cg_precondition(hp_team *t, const hp_solve *S, hp_run *run, const double *r, double *f,
                                                 double *z) {
  const hp_gh *A = S->A;
  if (HP_SOLVE_IS_NONE(S->P) || S->P->custom != NULL || S->P->outer != NULL || A->wells.nwell == 0)
    return hp_run_precondition(t, S, run, r, z);
  HP_TEAM_FOR(t, m, A->ncell) hp_precond_fold_wells(A, A->q, m / A->nz, m, r, f + m * A->q);
  HP_TEAM_FOR(t, w, A->wells.nwell) f[A->ld + w] = r[A->ld + w];
  hp_team_sync(t); /* f */
  return hp_run_precondition(t, S, run, f, z);
}

/* (p, s) by itself: where the recurrence for it cancels. One barrier. */
HP_INLINE HP_HD double hp_cg_curvature(hp_team *t, int64_t n, const double *p, const double *s) {
  double sum[1];
  HP_TEAM_REDUCE_OWNED(t, i, n, 1) { HP_ACC(0) += p[i] * s[i]; }
  HP_TEAM_REDUCE_END(t);
  hp_team_sum(t, n, 1, sum);
  return sum[0];
}

/* Iterates from the true residual r until the method believes in convergence,
 * finds a scalar negative, breaks down or reaches the limit. r [n] stays the residual. */
HP_INLINE HP_HD hp_krylov_reason hp_cg_iterate(hp_team *t, const hp_solve *S, hp_run *run, double *r) {
  const int64_t n = S->A->n;
  double *x = S->x, *p = hp_solve_vector(S, 1), *s = hp_solve_vector(S, 2), *w = hp_solve_vector(S, 3);
  double *z = hp_solve_vector(S, 4), *f = hp_solve_vector(S, 5);
  double rz_old = 0.0, alpha = 1.0;
  HP_TEAM_FOR_OWNED(t, i, n) p[i] = s[i] = 0.0;
  while (run->iterations < S->max_iterations) {
    double sum[8];
    if (rz_old > 0.0) hp_team_sync(t); /* r; a true residual is visible already */
    const double *mr = hp_cg_precondition(t, S, run, r, f, z);
    hp_solve_product(t, S, mr, w);
    HP_TEAM_REDUCE_OWNED(t, i, n, 8) {
      HP_ACC(0) += r[i] * mr[i];
      HP_ACC(1) += w[i] * mr[i];
      HP_ACC(2) += r[i] * r[i];
      HP_ACC(3) += r[i] * w[i];
      HP_ACC(4) += r[i] * s[i];
      HP_ACC(5) += w[i] * w[i];
      HP_ACC(6) += w[i] * s[i];
      HP_ACC(7) += s[i] * s[i];
    }
    HP_TEAM_REDUCE_END(t);
    hp_team_sum(t, n, 8, sum);
    run->products += 1;
    run->iterations += 1;
    const double rz = sum[0], wz = sum[1];
    if (!hp_is_finite(rz) || !hp_is_finite(wz) || !hp_is_finite(sum[5])) return HP_KRYLOV_NOT_FINITE;
    if (rz < 0.0 || wz < 0.0) return HP_KRYLOV_NOT_SPD;

    const double beta = rz_old > 0.0 ? rz / rz_old : 0.0;
    double ps = wz - beta * rz / alpha;
    HP_TEAM_FOR_OWNED(t, i, n) {
      p[i] = mr[i] + beta * p[i];
      s[i] = w[i] + beta * s[i];
    }
    if (!(ps > 1e-6 * wz)) ps = hp_cg_curvature(t, n, p, s);
    if (ps < 0.0) return HP_KRYLOV_NOT_SPD;
    alpha = rz / ps;
    if (!hp_is_finite(alpha) || alpha == 0.0) return HP_KRYLOV_BREAKDOWN;
    const double step = alpha;
    HP_TEAM_FOR_OWNED(t, i, n) {
      x[i] += step * p[i];
      r[i] -= step * s[i];
    }
    const double rs = sum[3] + beta * sum[4], ss = sum[5] + beta * (2.0 * sum[6] + beta * sum[7]);
    const double square = sum[2] - alpha * (2.0 * rs - alpha * ss), norm = square > 0.0 ? sqrt(square) : 0.0;
    rz_old = rz;
    hp_run_record(t, S, run, norm);
    if (norm <= run->goal) return HP_KRYLOV_CONVERGED;
  }
  return HP_KRYLOV_MAX_ITERATIONS;
}

HP_INLINE HP_HD void hp_cg(hp_team *t, const hp_solve *S) {
  double *r = hp_solve_vector(S, 0);
  hp_krylov_reason reason;
  hp_run run;
  bool done = hp_run_start(t, S, &run, r, &reason);
  if (!done && !hp_cg_symmetric(t, S->A, S->F)) {
    done = true;
    reason = HP_KRYLOV_NOT_SPD;
  }
  while (!done) {
    const hp_krylov_reason ended = hp_cg_iterate(t, S, &run, r);
    const int restarts = run.restarts;
    done = hp_run_judge(t, S, &run, ended, false, r, &reason);
    if (ended != HP_KRYLOV_NOT_SPD || reason == HP_KRYLOV_CONVERGED) continue;
    done = true;
    run.restarts = restarts;
    reason = HP_KRYLOV_NOT_SPD;
  }
  hp_run_finish(t, S, &run, reason);
}

#endif
