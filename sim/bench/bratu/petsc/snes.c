/* The module that is linked with PETSc: SNES with full steps and GMRES without a preconditioner solve the problem of
 * sim/bench/bratu/bratu.h, on a DMDA, with rows of the boundary and couplings to it as PETSc's users write them. Written
 * against the interface of PETSc 3.18.
 *
 * Vectors are made orthogonal twice, as hepta does: once, PETSc's default, loses so much on symmetric problems that a solve
 * may take an iteration more.
 */
#define _DEFAULT_SOURCE /* setenv */
#include "sim/bench/bratu/snes.h"

#include <math.h>
#include <mpi.h>
#include <petscdmda.h>
#include <petscsnes.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  PetscInt n[3]; /* of z, y, x */
  double lambda, w[3], source;
} problem;

static PetscBool on_boundary(const problem *P, const PetscInt at[3]) {
  for (int d = 0; d < 3; ++d)
    if (P->n[d] > 1 && (at[d] == 0 || at[d] == P->n[d] - 1)) return PETSC_TRUE;
  return PETSC_FALSE;
}

static problem make_problem(const PetscInt n[3], double lambda) {
  problem P = {.lambda = lambda};
  double volume = 1.0, h[3];
  for (int d = 0; d < 3; ++d) {
    P.n[d] = n[d];
    h[d] = n[d] > 1 ? 1.0 / (double)(n[d] - 1) : 1.0;
    volume *= h[d];
  }
  for (int d = 0; d < 3; ++d) P.w[d] = n[d] > 1 ? volume / (h[d] * h[d]) : 0.0;
  P.source = lambda * volume;
  return P;
}

static PetscErrorCode residual(SNES snes, Vec u, Vec f, void *context) {
  const problem *P = context;
  DM dm;
  Vec local;
  const PetscScalar ***v;
  PetscScalar ***r;
  PetscInt at[3];
  PetscFunctionBeginUser;
  PetscCall(SNESGetDM(snes, &dm));
  PetscCall(DMGetLocalVector(dm, &local));
  PetscCall(DMGlobalToLocal(dm, u, INSERT_VALUES, local));
  PetscCall(DMDAVecGetArrayRead(dm, local, (void *)&v));
  PetscCall(DMDAVecGetArray(dm, f, (void *)&r));
  for (at[2] = 0; at[2] < P->n[2]; ++at[2])
    for (at[1] = 0; at[1] < P->n[1]; ++at[1])
      for (at[0] = 0; at[0] < P->n[0]; ++at[0]) {
        const PetscInt x = at[0], y = at[1], z = at[2];
        const double c = v[z][y][x];
        double sum = -P->source * exp(c);
        if (on_boundary(P, at)) {
          r[z][y][x] = c;
          continue;
        }
        if (P->w[0] > 0.0) sum += P->w[0] * (2.0 * c - v[z][y][x - 1] - v[z][y][x + 1]);
        if (P->w[1] > 0.0) sum += P->w[1] * (2.0 * c - v[z][y - 1][x] - v[z][y + 1][x]);
        if (P->w[2] > 0.0) sum += P->w[2] * (2.0 * c - v[z - 1][y][x] - v[z + 1][y][x]);
        r[z][y][x] = sum;
      }
  PetscCall(DMDAVecRestoreArray(dm, f, (void *)&r));
  PetscCall(DMDAVecRestoreArrayRead(dm, local, (void *)&v));
  PetscCall(DMRestoreLocalVector(dm, &local));
  PetscFunctionReturn(0);
}

static PetscErrorCode set_row(const problem *P, Mat J, const PetscInt at[3], double c) {
  MatStencil row = {.i = at[0], .j = at[1], .k = at[2]}, column[7];
  PetscScalar value[7];
  PetscInt count = 1;
  PetscFunctionBeginUser;
  column[0] = row;
  value[0] = on_boundary(P, at) ? 1.0 : 2.0 * (P->w[0] + P->w[1] + P->w[2]) - P->source * exp(c);
  for (int d = 0; d < 3 && !on_boundary(P, at); ++d)
    for (int side = -1; side <= 1 && P->w[d] > 0.0; side += 2) {
      column[count] = row;
      if (d == 0) column[count].i += side;
      if (d == 1) column[count].j += side;
      if (d == 2) column[count].k += side;
      value[count++] = -P->w[d];
    }
  PetscCall(MatSetValuesStencil(J, 1, &row, count, column, value, INSERT_VALUES));
  PetscFunctionReturn(0);
}

static PetscErrorCode jacobian(SNES snes, Vec u, Mat J, Mat same, void *context) {
  const problem *P = context;
  DM dm;
  const PetscScalar ***v;
  PetscInt at[3];
  PetscFunctionBeginUser;
  (void)J;
  PetscCall(SNESGetDM(snes, &dm));
  PetscCall(DMDAVecGetArrayRead(dm, u, (void *)&v));
  for (at[2] = 0; at[2] < P->n[2]; ++at[2])
    for (at[1] = 0; at[1] < P->n[1]; ++at[1])
      for (at[0] = 0; at[0] < P->n[0]; ++at[0]) PetscCall(set_row(P, same, at, v[at[2]][at[1]][at[0]]));
  PetscCall(DMDAVecRestoreArrayRead(dm, u, (void *)&v));
  PetscCall(MatAssemblyBegin(same, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(same, MAT_FINAL_ASSEMBLY));
  PetscFunctionReturn(0);
}

static PetscErrorCode first_guess(const problem *P, DM dm, Vec u) {
  PetscScalar ***v;
  PetscInt at[3];
  PetscFunctionBeginUser;
  PetscCall(DMDAVecGetArray(dm, u, (void *)&v));
  for (at[2] = 0; at[2] < P->n[2]; ++at[2])
    for (at[1] = 0; at[1] < P->n[1]; ++at[1])
      for (at[0] = 0; at[0] < P->n[0]; ++at[0]) {
        double nearest = 1.0;
        for (int d = 0; d < 3; ++d) {
          const double there = (double)PetscMin(at[d], P->n[d] - 1 - at[d]) / (double)(P->n[d] - 1);
          if (P->n[d] > 1) nearest = PetscMin(nearest, there);
        }
        v[at[2]][at[1]][at[0]] = on_boundary(P, at) ? 0.0 : P->lambda / (P->lambda + 1.0) * sqrt(nearest);
      }
  PetscCall(DMDAVecRestoreArray(dm, u, (void *)&v));
  PetscFunctionReturn(0);
}

/* Called before each solve and at the end: the linear iterations so far. */
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

static PetscErrorCode configure(SNES snes, const hp_bratu_options *o, hp_petsc_result *R) {
  SNESLineSearch search;
  KSP ksp;
  PC pc;
  PetscFunctionBeginUser;
  PetscCall(SNESSetType(snes, SNESNEWTONLS));
  PetscCall(SNESGetLineSearch(snes, &search));
  PetscCall(SNESLineSearchSetType(search, SNESLINESEARCHBASIC));
  PetscCall(SNESSetTolerances(snes, 1e-50, o->newton_tolerance, o->step_tolerance, o->newton_iterations, 1000000));
  PetscCall(SNESGetKSP(snes, &ksp));
  PetscCall(KSPSetType(ksp, KSPGMRES));
  PetscCall(KSPGMRESSetRestart(ksp, o->restart));
  PetscCall(KSPGMRESSetCGSRefinementType(ksp, KSP_GMRES_CGS_REFINE_ALWAYS));
  PetscCall(KSPSetTolerances(ksp, o->tolerance, PETSC_DEFAULT, PETSC_DEFAULT, o->linear_iterations));
  PetscCall(KSPGetPC(ksp, &pc));
  PetscCall(PCSetType(pc, PCNONE));
  PetscCall(SNESMonitorSet(snes, monitor, R, NULL));
  PetscFunctionReturn(0);
}

/* One object at a time, so that those made before a failure are destroyed. */
typedef struct {
  DM dm;
  Mat J;
  Vec u;
  SNES snes;
} objects;

static PetscErrorCode run(problem *P, const hp_bratu_options *o, objects *X, double *u, hp_petsc_result *R) {
  SNESConvergedReason reason;
  const PetscScalar *v;
  PetscFunctionBeginUser;
  PetscCall(DMDACreate3d(PETSC_COMM_SELF, DM_BOUNDARY_NONE, DM_BOUNDARY_NONE, DM_BOUNDARY_NONE, DMDA_STENCIL_STAR,
                         P->n[0], P->n[1], P->n[2], 1, 1, 1, 1, 1, NULL, NULL, NULL, &X->dm));
  PetscCall(DMSetUp(X->dm));
  PetscCall(DMCreateGlobalVector(X->dm, &X->u));
  PetscCall(DMCreateMatrix(X->dm, &X->J));
  PetscCall(SNESCreate(PETSC_COMM_SELF, &X->snes));
  PetscCall(SNESSetDM(X->snes, X->dm));
  PetscCall(SNESSetFunction(X->snes, NULL, residual, P));
  PetscCall(SNESSetJacobian(X->snes, X->J, X->J, jacobian, P));
  PetscCall(configure(X->snes, o, R));
  const double start = MPI_Wtime();
  PetscCall(first_guess(P, X->dm, X->u));
  PetscCall(SNESSolve(X->snes, NULL, X->u));
  R->seconds = MPI_Wtime() - start;
  PetscCall(SNESGetConvergedReason(X->snes, &reason));
  R->converged = reason > 0;
  snprintf(R->reason, sizeof R->reason, "%s", SNESConvergedReasons[reason]);
  PetscCall(VecGetArrayRead(X->u, &v));
  memcpy(u, v, (size_t)o->nx * (size_t)o->ny * (size_t)o->nz * sizeof *u);
  PetscCall(VecRestoreArrayRead(X->u, &v));
  PetscFunctionReturn(0);
}

/* Errors return; PETSc's own handler of signals stays out. Open MPI is told that there is one process, as in
 * amg/hypre/boomeramg.c. */
static PetscErrorCode start_petsc(void) {
  char name[] = "hepta", no_signals[] = "-no_signal_handler", no_file[] = "-skip_petscrc";
  char *list[] = {name, no_signals, no_file, NULL}, **arguments = list;
  int count = 3;
  PetscBool started;
  setenv("OMPI_MCA_ess_singleton_isolated", "1", 0);
  setenv("OMPI_MCA_pml", "ob1", 0);
  setenv("OMPI_MCA_btl", "self", 0);
  setenv("OMPI_MCA_osc", "^ucx", 0);
  PetscFunctionBeginUser;
  PetscCall(PetscInitialized(&started));
  if (started) PetscFunctionReturn(0);
  PetscCall(PetscInitialize(&count, &arguments, NULL, NULL));
  PetscCall(PetscPushErrorHandler(PetscReturnErrorHandler, NULL));
  PetscFunctionReturn(0);
}

bool hp_petsc_solve(const hp_bratu_options *o, double *u, hp_petsc_result *R) {
  const PetscInt n[3] = {o->nz, o->ny, o->nx}; /* PETSc's first direction is the fastest */
  problem P = make_problem(n, o->lambda);
  objects X
  = {NULL, NULL, NULL, NULL};
  snprintf(R->version, sizeof R->version, "PETSc %d.%d.%d", PETSC_VERSION_MAJOR, PETSC_VERSION_MINOR,
           PETSC_VERSION_SUBMINOR);
  PetscErrorCode failed = start_petsc();
  if (!failed) failed = run(&P, o, &X, u, R);
  if (failed) {
    const char *text = NULL;
    PetscErrorMessage(failed, &text, NULL);
    snprintf(R->error, sizeof R->error, "PETSc: %s", text != NULL ? text : "it failed");
  }
  const bool destroyed = !SNESDestroy(&X.snes) && !MatDestroy(&X.J) && !VecDestroy(&X.u) && !DMDestroy(&X.dm);
  return !failed && destroyed;
}

void hp_petsc_close(void) {
  PetscBool started = PETSC_FALSE;
  if (!PetscInitialized(&started) && started) (void)PetscFinalize();
}
