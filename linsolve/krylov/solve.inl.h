/* Shared by the Krylov methods: their arguments, start, judgement and report.
 *
 * A method is a team program `void f(hp_team *t, const hp_solve *S)`. All
 * members hold equal scalars, computed from the same reduced sums; member 0
 * writes the results. Vectors are updated by owned loops over n (a member's
 * indices are always the same), so that barriers are needed only where a
 * product or a preconditioner reads what other members wrote.
 *
 *     hp_run run;
 *     hp_krylov_reason reason;
 *     if (!hp_krylov_run_start(t, S, &run, r, &reason)) do {
 *       ... iterate from the true residual r ...
 *     } while (!hp_krylov_run_judge(t, S, &run, how the iterations ended, false, r, &reason));
 *     hp_krylov_run_finish(t, S, &run, reason);
 *
 * In CUDA hp_solve is a parameter of the functions that begin with HP_METHOD: kernels are compiled for kinds of solves, classes
 * derived from hp_solve, each with one preconditioner or one form of the matrix (linsolve/krylov/cuda/kinds.cuh). Five
 * functions depend on the kind:
 *
 *     the preconditioner     hp_solve_is_none, hp_solve_apply
 *     the matrix             hp_solve_product, hp_solve_product_local, hp_solve_residual
 *
 * A function that calls one of them, directly or not, begins with HP_METHOD. Without it the function would have the
 * preconditioners of HP_PRECOND_LIST and the matrix's diagonals, whatever the kind.
 */
#ifndef HP_LINSOLVE_KRYLOV_SOLVE_INL_H
#define HP_LINSOLVE_KRYLOV_SOLVE_INL_H

#include <math.h>
#include <string.h>

#include "linsolve/krylov/krylov.h"
#include "linsolve/krylov/precond.inl.h"
#include "linsolve/product/sparse_mul.inl.h"
#include "linsolve/product/spmv.inl.h"

#if defined(__cplusplus)
#define HP_METHOD           \
  template <class hp_solve> \
  HP_INLINE HP_HD
#else
#define HP_METHOD HP_INLINE HP_HD
#endif

/* Plain data: a copy on a device works as well. */
typedef struct hp_solve {
  const hp_gh *A;
  const hp_sparse *F; /* the same matrix for the products; NULL: A itself, always so on a GPU */
  const hp_precond *P;
  const double *b; /* [n] */
  double *x;       /* [n] starts from zero */
  double *work;    /* [vectors of the method][stride] */
  int64_t stride;
  double *small; /* GMRES: see there */
#if defined(HP_CONSTANT_UNROLL)
  /* constants of a kernel compiled for one matrix (linsolve/stencil/stencil.h), in the places of the host's variables */
  static constexpr int unroll = HP_CONSTANT_UNROLL;
  int place;
#else
  int unroll; /* GPU: as in hp_device_shape */
#endif
  int64_t chip_bytes; /* GPU: shared memory of a block for owner-local vectors */
  double tolerance;
  int max_iterations, restart;
  int64_t singular; /* from hp_krylov_precond_setup */
  double *history;  /* [max_iterations+1] or NULL */
  hp_krylov_report *report;
} hp_solve;

/* A solve with the options' limits; the caller adds the matrix, the preconditioner, history and report. */
HP_INLINE hp_solve hp_solve_of(const hp_krylov_options *opt, double *work, int64_t stride, double *small,
                               const double *b, double *x) {
  hp_solve S;
  memset(&S, 0, sizeof S);
  S.b = b;
  S.x = x;
  S.work = work;
  S.stride = stride;
  S.small = small;
  S.tolerance = opt->tolerance;
  S.max_iterations = opt->max_iterations;
  S.restart = opt->restart;
  return S;
}

/* The state of a solve, equal on all members. */
typedef struct hp_run {
  int iterations, restarts, fruitless;
  int64_t products, applications, barriers;
  double norm_b, goal; /* |b|; the residual norm to reach */
  double residual;     /* true |b - A x| at the latest start or judgement */
} hp_run;

HP_INLINE HP_HD double *hp_solve_vector(const hp_solve *S, int k) { return S->work + k * S->stride; }

HP_INLINE HP_HD bool hp_is_finite(double v) { return v - v == 0.0; }

/* Whether M^-1 v is v, so that callers need neither apply nor its barriers. */
HP_INLINE HP_HD bool hp_solve_is_none(const hp_solve *S) { return hp_krylov_precond_is_none(S->P); }

/* z = M^-1 v with the contract of hp_precond_external.apply. */
HP_INLINE HP_HD void hp_solve_apply(hp_team *t, const hp_solve *S, const double *v, double *z) {
  hp_krylov_precond_apply(t, S->P, S->A, v, z);
}

/* y = A x with the contract of hp_gh_mul. */
HP_INLINE HP_HD void hp_solve_product(hp_team *t, const hp_solve *S, const double *x, double *y) {
  hp_gh_renew(t, S->A, x);
#if defined(__CUDA_ARCH__)
  hp_gh_mul(t, S->A, x, y);
#else
  if (S->F != NULL) hp_sparse_mul(t, S->F, S->A, x, y);
  else hp_gh_mul(t, S->A, x, y);
#endif
  hp_gh_drop(t, S->A, x, y);
}

/* Room for owner-local vectors; the loops over n must have been split (hp_krylov_run_start). */
HP_INLINE HP_HD hp_local_room hp_solve_room(const hp_team *t, const hp_solve *S) {
  return hp_local_room_of(t, S->A->n, S->chip_bytes);
}

/* y = A x with the contract of hp_gh_mul_local. */
HP_INLINE HP_HD void hp_solve_product_local(hp_team *t, const hp_solve *S, const double *x, hp_local y) {
#if defined(__CUDA_ARCH__)
  hp_gh_mul_local(t, S->A, x, y);
#else
  hp_solve_product(t, S, x, y.at);
#endif
}

/* r = b - A x with the contract of hp_gh_residual. */
HP_INLINE HP_HD void hp_solve_residual(hp_team *t, const hp_solve *S, double *r) {
  hp_gh_renew(t, S->A, S->x);
#if defined(__CUDA_ARCH__)
  hp_gh_residual(t, S->A, S->b, S->x, r);
#else
  if (S->F != NULL) {
    hp_sparse_mul(t, S->F, S->A, S->x, r);
    HP_TEAM_FOR_OWNED(t, i, S->A->n) r[i] = S->b[i] - r[i];
  } else {
    hp_gh_residual(t, S->A, S->b, S->x, r);
  }
#endif
  hp_gh_drop(t, S->A, S->x, r);
}

/* History after the current iteration, from an estimated residual norm. */
HP_INLINE HP_HD void hp_krylov_run_record(const hp_team *t, const hp_solve *S, const hp_run *run, double residual) {
  if (t->rank == 0 && S->history != NULL && run->iterations <= S->max_iterations)
    S->history[run->iterations] = run->norm_b > 0.0 ? residual / run->norm_b : 0.0;
}

/* The state at the start, x = 0 and r = b. True if there is nothing to solve; then *reason says why. */
HP_INLINE HP_HD bool hp_krylov_run_begin(const hp_solve *S, hp_run *run, double norm_b, hp_krylov_reason *reason) {
  run->iterations = run->restarts = run->fruitless = 0;
  run->products = run->applications = 0;
  run->norm_b = run->residual = norm_b;
  run->goal = S->tolerance * norm_b;
  *reason = S->singular >= 0 ? HP_KRYLOV_SINGULAR : HP_KRYLOV_NOT_FINITE;
  if (S->singular >= 0 || !hp_is_finite(norm_b)) return true;
  *reason = HP_KRYLOV_CONVERGED;
  return norm_b == 0.0;
}

/* hp_krylov_run_begin with x = 0, r = b (r by owned loop, not synchronized). Contains one barrier. */
HP_INLINE HP_HD bool hp_krylov_run_start(hp_team *t, const hp_solve *S, hp_run *run, double *r,
                                         hp_krylov_reason *reason) {
  const int64_t n = S->A->n;
  const double *b = S->b;
  double *x = S->x, sum[1];
  hp_team_split(t, S->A->rows, n);
  run->barriers = t->barriers;
  HP_TEAM_FOR_OWNED(t, i, n) {
    x[i] = 0.0;
    r[i] = b[i];
  }
  HP_TEAM_REDUCE_OWNED(t, i, n, 1) { HP_ACC(0) += b[i] * b[i]; }
  HP_TEAM_REDUCE_END(t);
  hp_team_sum(t, n, 1, sum);
  const bool over = hp_krylov_run_begin(S, run, sqrt(sum[0]), reason);
  hp_krylov_run_record(t, S, run, run->norm_b);
  return over;
}

/* Returns M^-1 v in z, or v itself if there is no preconditioner. v must be
 * visible to all; so is the result. */
HP_METHOD const double *hp_krylov_run_precondition(hp_team *t, const hp_solve *S, hp_run *run, const double *v,
                                                   double *z) {
  if (hp_solve_is_none(S)) return v;
  run->applications += 1;
  hp_solve_apply(t, S, v, z);
  hp_team_sync(t); /* z: the product and owned loops read what others wrote */
  return z;
}

/* r = b - A x and its norm, after x was written by an owned loop. Two barriers. */
HP_METHOD double hp_krylov_run_residual(hp_team *t, const hp_solve *S, hp_run *run, double *r) {
  const int64_t n = S->A->n;
  double sum[1];
  hp_team_sync(t); /* x */
  hp_solve_residual(t, S, r);
  run->products += 1;
  HP_TEAM_REDUCE_OWNED(t, i, n, 1) { HP_ACC(0) += r[i] * r[i]; }
  HP_TEAM_REDUCE_END(t);
  hp_team_sum(t, n, 1, sum);
  return sqrt(sum[0]);
}

/* Decides, from the true residual norm `residual`, how to go on after the
 * iterations ended (`ended`: CONVERGED by the recurrence, BREAKDOWN, STAGNATION,
 * MAX_ITERATIONS, NOT_FINITE). False: iterate again from there. That counts as a
 * restart, since the recurrence was wrong or broke down, unless `ordinary`: the
 * basis of a restarted method is full. The solve is given up after three restarts
 * in a row without progress (the residual not halved; if ordinary, not reduced by
 * 0.1 %), but not after STAGNATION, which may be a plateau and is bounded by the
 * limit of iterations. */
HP_INLINE HP_HD bool hp_krylov_run_decide(const hp_solve *S, hp_run *run, double residual, hp_krylov_reason ended,
                                          bool ordinary, hp_krylov_reason *reason) {
  enum { FRUITLESS_MAX = 3 };
  const double before = run->residual;
  run->residual = residual;
  if (!hp_is_finite(run->residual)) {
    *reason = HP_KRYLOV_NOT_FINITE;
  } else if (run->residual <= run->goal) {
    *reason = HP_KRYLOV_CONVERGED;
  } else if (run->iterations >= S->max_iterations) {
    *reason = HP_KRYLOV_MAX_ITERATIONS;
  } else if (ended == HP_KRYLOV_STAGNATION) {
    run->restarts += 1;
    return false;
  } else {
    run->fruitless = run->residual < (ordinary ? 0.999 : 0.5) * before ? 0 : run->fruitless + 1;
    *reason = ordinary || ended == HP_KRYLOV_CONVERGED ? HP_KRYLOV_STAGNATION : HP_KRYLOV_BREAKDOWN;
    if (run->fruitless < FRUITLESS_MAX) {
      run->restarts += ordinary ? 0 : 1;
      return false;
    }
  }
  return true;
}

/* Computes the true residual r and decides. */
HP_METHOD bool hp_krylov_run_judge(hp_team *t, const hp_solve *S, hp_run *run, hp_krylov_reason ended, bool ordinary,
                                   double *r, hp_krylov_reason *reason) {
  return hp_krylov_run_decide(S, run, hp_krylov_run_residual(t, S, run, r), ended, ordinary, reason);
}

HP_INLINE HP_HD void hp_krylov_run_finish(const hp_team *t, const hp_solve *S, const hp_run *run,
                                          hp_krylov_reason reason) {
  if (t->rank != 0) return;
  hp_krylov_report *report = S->report;
  report->reason = reason;
  report->iterations = run->iterations;
  report->restarts = run->restarts;
  report->products = run->products;
  report->applications = run->applications;
  report->barriers = t->barriers - run->barriers;
  report->singular_cell = reason == HP_KRYLOV_SINGULAR ? S->singular : -1;
  report->norm_b = run->norm_b;
  report->residual = run->residual;
}

#endif
