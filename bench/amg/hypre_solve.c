/* Solves by hypre, linked with it in a module: BoomerAMG by itself or around one of hypre's Krylov methods. */
#define _DEFAULT_SOURCE /* ffs, in hypre's headers */
#include <HYPRE_krylov.h>
#include <_hypre_parcsr_ls.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "amg/hypre/system.h"
#include "bench/amg/hypre.h"

/* ---- methods ---- */

typedef HYPRE_Int on_system(HYPRE_Solver, HYPRE_ParCSRMatrix, HYPRE_ParVector, HYPRE_ParVector);

typedef struct {
  HYPRE_Int (*create)(MPI_Comm, HYPRE_Solver *); /* NULL: cycles by themselves */
  HYPRE_Int (*destroy)(HYPRE_Solver);
  HYPRE_Int (*precond)(HYPRE_Solver, HYPRE_PtrToParSolverFcn, HYPRE_PtrToParSolverFcn, HYPRE_Solver);
  HYPRE_Int (*tolerance)(HYPRE_Solver, HYPRE_Real);
  HYPRE_Int (*limit)(HYPRE_Solver, HYPRE_Int);
  on_system *setup, *solve;
  HYPRE_Int (*iterations)(HYPRE_Solver, HYPRE_Int *);
  HYPRE_Int (*residual)(HYPRE_Solver, HYPRE_Real *);
} method;

#define METHOD(name)                                                                           \
  {                                                                                            \
    HYPRE_ParCSR##name##Create, HYPRE_ParCSR##name##Destroy, HYPRE_ParCSR##name##SetPrecond,   \
        HYPRE_ParCSR##name##SetTol, HYPRE_ParCSR##name##SetMaxIter, HYPRE_ParCSR##name##Setup, \
        HYPRE_ParCSR##name##Solve, HYPRE_ParCSR##name##GetNumIterations,                       \
        HYPRE_ParCSR##name##GetFinalRelativeResidualNorm                                       \
  }

static const method cg = METHOD(PCG), bicgstab = METHOD(BiCGSTAB), gmres = METHOD(GMRES);
static const method by_itself = {
    NULL,
    HYPRE_BoomerAMGDestroy,
    NULL,
    HYPRE_BoomerAMGSetTol,
    HYPRE_BoomerAMGSetMaxIter,
    HYPRE_BoomerAMGSetup,
    HYPRE_BoomerAMGSolve,
    HYPRE_BoomerAMGGetNumIterations,
    HYPRE_BoomerAMGGetFinalRelativeResidualNorm,
};

static const method *find_method(const hp_amg_solver_options *o) {
  if (o->stationary) return &by_itself;
  if (o->method == HP_KRYLOV_CG) return &cg;
  return o->method == HP_KRYLOV_GMRES ? &gmres : &bicgstab;
}

typedef struct {
  const method *m;
  HYPRE_Solver amg, solver; /* the same where cycles go by themselves */
} solvers;

static void create_solvers(const hp_amg_solver_options *o, solvers *K, hp_hypre_result *R) {
  K->m = find_method(o);
  K->amg = K->solver = hp_hypre_create_amg(&o->amg, false, R);
  if (!o->stationary) {
    K->m->create(MPI_COMM_SELF, &K->solver);
    K->m->precond(K->solver, HYPRE_BoomerAMGSolve, HYPRE_BoomerAMGSetup, K->amg);
    if (K->m == &cg) HYPRE_ParCSRPCGSetTwoNorm(K->solver, 1);
    if (K->m == &gmres) HYPRE_ParCSRGMRESSetKDim(K->solver, o->restart);
    if (K->m == &bicgstab && o->method != HP_KRYLOV_BICGSTAB) hp_hypre_say_instead(R, "bicgstab instead of tfqmr");
  }
  K->m->tolerance(K->solver, o->tolerance);
  K->m->limit(K->solver, o->max_iterations);
}

static void destroy_solvers(solvers *K) {
  if (K->solver == NULL) return;
  if (K->solver != K->amg) HYPRE_BoomerAMGDestroy(K->amg);
  K->m->destroy(K->solver);
  K->amg = K->solver = NULL;
}

static bool create_system(const hp_sparse *A, const double *b, hp_hypre_system *S) {
  if (!hp_hypre_create_pattern(A->n, A->begin, A->column, S)) return false;
  hp_hypre_create_matrix((HYPRE_Int)A->n, A->value, S);
  hp_hypre_create_vectors((HYPRE_Int)A->n, b, S);
  return true;
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool run(const hp_amg_solver_options *o, hp_hypre_system *S, int samples, solvers *K, hp_hypre_solution *R) {
  for (int n = 0; n < samples; ++n) {
    destroy_solvers(K);
    create_solvers(o, K, &R->amg);
    const double start = now();
    K->m->setup(K->solver, S->A, S->b, S->x);
    if (hp_hypre_failed(&R->amg)) return false;
    hp_hypre_set_last_level(K->amg);
    R->setup[n] = now() - start;
    if (hp_hypre_failed(&R->amg)) return false;
  }
  hp_hypre_describe(K->amg, &R->amg);
  for (int n = 0; n < samples; ++n) {
    const double start = now();
    HYPRE_ParVectorSetConstantValues(S->x, 0.0);
    K->m->solve(K->solver, S->A, S->b, S->x);
    R->solve[n] = now() - start;
    if (hp_hypre_failed(&R->amg)) return false;
  }
  HYPRE_Int iterations;
  HYPRE_Real residual;
  K->m->iterations(K->solver, &iterations);
  K->m->residual(K->solver, &residual);
  R->iterations = (int)iterations;
  R->converged = residual <= o->tolerance;
  return true;
}

bool hp_hypre_solve(const hp_amg_solver_options *o, const hp_sparse *A, const double *b, double *x, int samples,
                    hp_hypre_solution *R) {
  hp_hypre_system S = {0};
  solvers K = {0};
  hp_hypre_start();
  snprintf(R->amg.version, sizeof R->amg.version, "hypre %s", HYPRE_RELEASE_VERSION);
  snprintf(R->amg.error, sizeof R->amg.error, "hypre: out of memory");
  R->amg.threads = hypre_NumThreads();
  bool good = create_system(A, b, &S);
  good = good && !hp_hypre_failed(&R->amg) && run(o, &S, samples, &K, R);
  if (good) HYPRE_IJVectorGetValues(S.ix, (HYPRE_Int)A->n, S.row, x);
  destroy_solvers(&K);
  hp_hypre_free_system(&S);
  return good;
}
