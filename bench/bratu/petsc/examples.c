/* The module that is linked with PETSc: its own examples solve the problem of bench/bratu/bratu.h, ex14.c in three
 * directions and ex5.c in two. Their texts are compiled where PETSc's package has them, unchanged but for the name of `main`
 * (CMakeLists.txt), and get what their users would write on a command line. What they do not print is read by the functions
 * that PETSc calls. Written against the interface of PETSc 3.18.
 *
 * Vectors are made orthogonal twice, as hepta does: once, PETSc's default, loses so much on symmetric problems that a solve
 * may take an iteration more.
 */
#define _DEFAULT_SOURCE /* setenv */
#include <mpi.h>
#include <petscsnes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bratu/snes.h"

int hp_petsc_ex5(int argc, char **argv), hp_petsc_ex14(int argc, char **argv);

/* The solve of the example that runs; PETSc's functions of options have no context. */
static struct {
  hp_petsc_result *R; /* NULL: none */
  double *u, start;
  int64_t nodes, across; /* across: 0, or of a square whose directions are exchanged, the nodes of PETSc's first one */
  FILE *nowhere;         /* what the example prints */
} now;

/* Called before each linear solve and at the end: the linear iterations so far. */
static PetscErrorCode monitor(SNES snes, PetscInt newton, PetscReal norm, void *context) {
  hp_petsc_result *R = context;
  PetscInt linear;
  PetscFunctionBeginUser;
  PetscCall(SNESGetLinearSolveIterations(snes, &linear));
  R->newton = (int)newton;
  R->history[newton].norm = (double)norm;
  R->history[newton].linear = (int)linear;
  PetscFunctionReturn(0);
}

/* u from the solution of PETSc. */
static void take(const PetscScalar *v) {
  const int64_t n = now.across, along = n > 0 ? now.nodes / n : 0;
  if (n == 0) memcpy(now.u, v, (size_t)now.nodes * sizeof *v);
  for (int64_t i = 0; i < n; ++i)
    for (int64_t k = 0; k < along; ++k) now.u[i * along + k] = v[k * n + i];
}

/* Called after the solve. */
static PetscErrorCode finish(SNES snes, void *context) {
  hp_petsc_result *R = context;
  SNESConvergedReason reason;
  Vec x;
  PetscInt n;
  const PetscScalar *v;
  PetscFunctionBeginUser;
  R->seconds = MPI_Wtime() - now.start;
  PetscCall(SNESGetConvergedReason(snes, &reason));
  R->converged = reason > 0;
  snprintf(R->reason, sizeof R->reason, "%s", SNESConvergedReasons[reason]);
  PetscCall(SNESGetSolution(snes, &x));
  PetscCall(VecGetLocalSize(x, &n));
  PetscCheck((int64_t)n == now.nodes, PETSC_COMM_SELF, PETSC_ERR_ARG_SIZ, "%" PetscInt_FMT " nodes", n);
  PetscCall(VecGetArrayRead(x, &v));
  take(v);
  PetscCall(VecRestoreArrayRead(x, &v));
  PetscFunctionReturn(0);
}

/* Called when an example sets the options of its solver: the first guess follows, then the solve. */
static PetscErrorCode attach(SNES snes) {
  PetscFunctionBeginUser;
  if (now.R == NULL) PetscFunctionReturn(0);
  if (now.nowhere != NULL) PETSC_STDOUT = now.nowhere;
  PetscCall(SNESMonitorSet(snes, monitor, now.R, NULL));
  PetscCall(SNESConvergedReasonViewSet(snes, finish, now.R, NULL));
  now.start = MPI_Wtime();
  PetscFunctionReturn(0);
}

/* MPI outlives the examples, each of which starts and ends PETSc. Open MPI is told that there is one process, as in
 * amg/hypre/boomeramg.c. Errors return. */
static PetscErrorCode start_mpi(void) {
  int started;
  setenv("OMPI_MCA_ess_singleton_isolated", "1", 0);
  setenv("OMPI_MCA_pml", "ob1", 0);
  setenv("OMPI_MCA_btl", "self", 0);
  setenv("OMPI_MCA_osc", "^ucx", 0);
  MPI_Initialized(&started);
  if (started) return 0;
  if (MPI_Init(NULL, NULL) != MPI_SUCCESS) return PETSC_ERR_MPI;
  PetscCall(PetscPushErrorHandler(PetscReturnErrorHandler, NULL));
  PetscCall(SNESAddOptionsChecker(attach));
  return 0;
}

enum { ARGUMENTS = 40, LENGTH = 32 };

typedef struct {
  int count;
  char text[ARGUMENTS][LENGTH], *list[ARGUMENTS + 1];
} arguments;

static void add(arguments *A, const char *text) {
  snprintf(A->text[A->count], LENGTH, "%s", text);
  A->list[A->count] = A->text[A->count];
  A->list[++A->count] = NULL;
}

static void add_pair(arguments *A, const char *name, const char *value) {
  add(A, name);
  add(A, value);
}

static void add_whole(arguments *A, const char *name, int value) {
  char text[LENGTH];
  snprintf(text, sizeof text, "%d", value);
  add_pair(A, name, text);
}

static void add_real(arguments *A, const char *name, double value) {
  char text[LENGTH];
  snprintf(text, sizeof text, "%.17g", value);
  add_pair(A, name, text);
}

/* Directions of one node are left out; PETSc's first direction is the fastest. Their number. The Jacobian of ex5.c is right
 * only where the first of two has as many nodes as the second at least (3.18: it compares j with mx): else they change
 * places. */
static int add_grid(arguments *A, const hp_bratu_options *o) {
  static const char *const names[] = {"-da_grid_x", "-da_grid_y", "-da_grid_z"};
  const int all[] = {o->nz, o->ny, o->nx};
  int nodes[3], count = 0;
  for (int d = 0; d < 3; ++d)
    if (all[d] > 1) nodes[count++] = all[d];
  now.across = count == 2 && nodes[0] < nodes[1] ? nodes[1] : 0;
  for (int d = 0; d < count; ++d) add_whole(A, names[d], nodes[now.across > 0 ? 1 - d : d]);
  return count;
}

/* Newton's method with full steps, gmres without a preconditioner. */
static void add_solver(arguments *A, const hp_bratu_options *o) {
  add_real(A, "-par", o->lambda);
  add_pair(A, "-snes_type", "newtonls");
  add_pair(A, "-snes_linesearch_type", "basic");
  add_real(A, "-snes_rtol", o->newton_tolerance);
  add_real(A, "-snes_stol", o->step_tolerance);
  add_whole(A, "-snes_max_it", o->newton_iterations);
  add_pair(A, "-ksp_type", "gmres");
  add_whole(A, "-ksp_gmres_restart", o->restart);
  add_pair(A, "-ksp_gmres_cgs_refinement_type", "refine_always");
  add_real(A, "-ksp_rtol", o->tolerance);
  add_whole(A, "-ksp_max_it", o->linear_iterations);
  add_pair(A, "-pc_type", "none");
  add(A, "-no_signal_handler");
  add(A, "-skip_petscrc");
}

bool hp_petsc_solve(const hp_bratu_options *o, double *u, hp_petsc_result *R) {
  arguments A = {.count = 0};
  add(&A, "hepta");
  const int directions = add_grid(&A, o);
  add_solver(&A, o);
  if (directions == 2) add_pair(&A, "-mms", "0"); /* ex5: u = 0 on the boundary, as in the other example */
  snprintf(R->version, sizeof R->version, "PETSc %d.%d.%d, %s", PETSC_VERSION_MAJOR, PETSC_VERSION_MINOR,
           PETSC_VERSION_SUBMINOR, directions == 3 ? "ex14.c" : "ex5.c");
  PetscErrorCode failed = start_mpi();
  now.nowhere = fopen("/dev/null", "w");
  now.R = R;
  now.u = u;
  now.nodes = (int64_t)o->nx * o->ny * o->nz;
  if (!failed) failed = directions == 3 ? hp_petsc_ex14(A.count, A.list) : hp_petsc_ex5(A.count, A.list);
  now.R = NULL;
  PETSC_STDOUT = stdout;
  if (now.nowhere != NULL) fclose(now.nowhere);
  if (failed) {
    const char *text = NULL;
    PetscErrorMessage(failed, &text, NULL);
    snprintf(R->error, sizeof R->error, "PETSc: %s", text != NULL ? text : "it failed");
  }
  return !failed;
}

void hp_petsc_close(void) {
  int started = 0, ended = 0;
  MPI_Initialized(&started);
  if (started) MPI_Finalized(&ended);
  if (started && !ended) MPI_Finalize();
}
