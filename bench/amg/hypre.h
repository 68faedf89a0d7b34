/* hypre as the peer of `hepta bench amg`: a module that is linked with it (bench/amg/hypre_solve.c), opened by bench/amg/hypre.c. */
#ifndef HP_BENCH_AMG_HYPRE_H
#define HP_BENCH_AMG_HYPRE_H

#include "amg/hypre/boomeramg.h"
#include "bench/multigrid/solver.h"

typedef struct hp_hypre_solution {
  hp_hypre_result amg;
  double *setup, *solve; /* [samples] seconds; the caller's */
  int iterations;
  bool converged;
} hp_hypre_solution;

/* A: csr with every row's columns and a diagonal. b, x [A->n]. Solves from zero with o's choices, or what is nearest
 * to them, samples > 0 set-ups and then solves with the last of these. False: R->amg.error says why. */
typedef bool hp_hypre_solve_function(const hp_amg_solver_options *o, const hp_sparse *A, const double *b, double *x,
                                     int samples, hp_hypre_solution *R);
hp_hypre_solve_function hp_hypre_solve;

#endif
