/* The stationary iteration x += M^-1 (b - A x), for a preconditioner that converges by itself, as multigrid
 * cycles do. A team program with the contract of the Krylov methods (linsolve/krylov/solve.inl.h). It is not in their
 * list: with most preconditioners it diverges, and decks cannot choose it.
 *
 * An iteration is one application and one product; every residual is the true one. Work vectors: 2.
 */
#ifndef HP_BENCH_MULTIGRID_STATIONARY_INL_H
#define HP_BENCH_MULTIGRID_STATIONARY_INL_H

#include "linsolve/krylov/solve.inl.h"

enum { HP_STATIONARY_VECTORS = 2 };

/* A residual that has grown by this factor counts as divergence. */
#define HP_STATIONARY_DIVERGED 1e8

HP_METHOD void hp_stationary(hp_team *t, const hp_solve *S) {
  const int64_t n = S->A->n;
  double *r = hp_solve_vector(S, 0), *z = hp_solve_vector(S, 1), *x = S->x;
  hp_krylov_reason reason;
  hp_run run;
  bool done = hp_krylov_run_start(t, S, &run, r, &reason);
  hp_team_sync(t); /* r: later residuals are visible by their reduction */
  while (!done) {
    const double *mr = hp_krylov_run_precondition(t, S, &run, r, z);
    HP_TEAM_FOR_OWNED(t, i, n) x[i] += mr[i];
    run.residual = hp_krylov_run_residual(t, S, &run, r);
    run.iterations += 1;
    hp_krylov_run_record(t, S, &run, run.residual);
    done = true;
    if (!hp_is_finite(run.residual)) reason = HP_KRYLOV_NOT_FINITE;
    else if (run.residual <= run.goal) reason = HP_KRYLOV_CONVERGED;
    else if (run.residual > HP_STATIONARY_DIVERGED * run.norm_b) reason = HP_KRYLOV_STAGNATION;
    else if (run.iterations >= S->max_iterations) reason = HP_KRYLOV_MAX_ITERATIONS;
    else done = false;
  }
  hp_krylov_run_finish(t, S, &run, reason);
}

#endif
