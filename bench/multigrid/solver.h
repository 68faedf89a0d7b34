/* Multigrid for scalar systems A x = b: cycles by themselves, or one cycle as the preconditioner of a Krylov method.
 *
 *     hp_amg_solver *S;
 *     HP_TRY(hp_amg_solver_create(hub, A, G, nwell, &options, &S));
 *     HP_TRY(hp_amg_solver_build(S));        all levels from A's numbers ...
 *     HP_TRY(hp_amg_solver_refresh(S));      ... or, when only these have changed, numbers only
 *     HP_TRY(hp_amg_solver_solve(S, b, x, NULL, &report));
 *
 * CPR (amg/cpr/cpr.h) preconditions a reservoir's full system; this solver is for the pressure system by itself and for
 * matrices from files.
 */
#ifndef HP_BENCH_MULTIGRID_SOLVER_H
#define HP_BENCH_MULTIGRID_SOLVER_H

#include "amg/amg.h"
#include "linsolve/krylov/krylov.h"

HP_EXTERN_C_BEGIN

typedef struct hp_amg_solver_options {
  hp_amg_options amg;
  bool stationary;         /* x += cycle(b - A x); else the method below */
  hp_krylov_method method; /* not qmr; cg with symmetric cycles only (hp_amg_symmetric) */
  int restart;             /* gmres */
  double tolerance;        /* relative to |b| */
  int max_iterations;
  hp_sparse_kind matrix; /* storage of the matrix in the products of a method; needs G unless it is gh */
} hp_amg_solver_options;

typedef struct hp_amg_solver hp_amg_solver;

/* Whether one cycle is a symmetric operator where A is symmetric: as many sweeps before as after, V or W,
 * and the smoother is (spai-1 and schwarz are not). */
bool hp_amg_symmetric(const hp_amg_options *opt);

/* NULL, or why the options do not go together. */
const char *hp_amg_solver_refusal(const hp_amg_solver_options *opt);

/* A: the matrix as csr, which the solver reads at every build, refresh and solve. G: the same matrix as GH with q = 1,
 * for the products of the solve, or NULL: these use A too. The last nwell rows are wells (G's own). */
hp_status hp_amg_solver_create(hp_team_hub *hub, hp_sparse *A, const hp_gh *G, int32_t nwell,
                               const hp_amg_solver_options *opt, hp_amg_solver **out) HP_MUST_USE;
void hp_amg_solver_destroy(hp_amg_solver **S);

hp_status hp_amg_solver_build(hp_amg_solver *S) HP_MUST_USE;
hp_status hp_amg_solver_refresh(hp_amg_solver *S) HP_MUST_USE;

/* See hp_krylov_solve. b, x [rows]; history NULL or [max_iterations+1]. */
hp_status hp_amg_solver_solve(hp_amg_solver *S, const double *b, double *x, double *history,
                              hp_krylov_report *report) HP_MUST_USE;

/* x = M^-1 b, one cycle from zero; b, x [rows]. */
hp_status hp_amg_solver_cycle(hp_amg_solver *S, const double *b, double *x) HP_MUST_USE;

const hp_amg *hp_amg_solver_hierarchy(const hp_amg_solver *S);

/* Prints a table of all levels: rows, non-zeros, non-zeros per row, complexity, memory, seconds of the build by part. */
void hp_amg_print(const hp_amg *H, FILE *out);

HP_EXTERN_C_END

#endif
