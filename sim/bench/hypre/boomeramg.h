/* hypre's BoomerAMG as a peer of hepta's multigrid (`hepta bench amg --peer hypre`).
 *
 *     hepta ── dlopen ──> hepta_hypre.so (boomeramg.c) ──> libHYPRE, MPI
 *
 * The module alone is linked with hypre, whose libraries and MPI would cost every command of the program 10 ms of
 * loading. It uses no function of hepta; plain data goes in and out. sim/bench/amg_hypre.c opens it and prints.
 */
#ifndef HP_SIM_BENCH_HYPRE_BOOMERAMG_H
#define HP_SIM_BENCH_HYPRE_BOOMERAMG_H

#include "amg/solver/solver.h"

enum { HP_HYPRE_TEXT = 400 };

typedef struct hp_hypre_result {
  double *setup, *solve; /* [samples] seconds; the caller's */
  int iterations;
  bool converged;
  int levels;
  int64_t coarsest;        /* rows of the last level */
  double operators, grids; /* complexities */
  int threads;             /* 1 where hypre was built without OpenMP */
  char version[40];
  char instead[HP_HYPRE_TEXT]; /* "direct instead of averaging; ...": choices that hypre lacks, or "" */
  char error[HP_HYPRE_TEXT];
} hp_hypre_result;

/* A: csr with every row's columns and a diagonal. b, x [A->n]. Solves from zero with o's choices, or what is nearest
 * to them, samples > 0 set-ups and then solves with the last of these. False: R->error says why. */
typedef bool hp_hypre_solve_function(const hp_amg_solver_options *o, const hp_sparse *A, const double *b, double *x,
                                     int samples, hp_hypre_result *R);
/* Ends MPI; nothing can be solved afterwards. */
typedef void hp_hypre_close_function(void);

hp_hypre_solve_function hp_hypre_solve;
hp_hypre_close_function hp_hypre_close;

#endif
