/* The solid-fuel ignition problem of sim/bench/bratu/bratu.h by PETSc: SNES with full steps, GMRES(30) without a
 * preconditioner, tolerances as PETSc has them. For tests/peer/petsc/test_petsc.py, which compiles it where PETSc is.
 *
 *     bratu NX NY NZ LAMBDA SOLUTION [options of PETSc]
 *
 * Vectors are made orthogonal twice, as hepta does: once, PETSc's default, loses so much on symmetric problems that a solve
 * may take an iteration more.
 *
 * Prints a line "newton |F| linear" for each iteration and "end REASON"; writes the solution, nz fastest, a number a line.
 * Written against the interface of PETSc 3.18, with rows of the boundary and couplings to it as PETSc's users write them.
 */
#include <petscdmda.h>
#include <petscsnes.h>

typedef struct {
  PetscInt n[3]; /* of z, y, x: PETSc's first direction is the fastest */
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
  PetscInt linear;
  PetscFunctionBeginUser;
  (void)context;
  PetscCall(SNESGetLinearSolveIterations(snes, &linear));
  printf("%d %.12e %d\n", (int)newton, (double)norm, (int)linear);
  PetscFunctionReturn(0);
}

static PetscErrorCode configure(SNES snes) {
  SNESLineSearch search;
  KSP ksp;
  PC pc;
  PetscFunctionBeginUser;
  PetscCall(SNESSetType(snes, SNESNEWTONLS));
  PetscCall(SNESGetLineSearch(snes, &search));
  PetscCall(SNESLineSearchSetType(search, SNESLINESEARCHBASIC));
  PetscCall(SNESSetTolerances(snes, 1e-50, 1e-8, 1e-8, 50, 10000));
  PetscCall(SNESGetKSP(snes, &ksp));
  PetscCall(KSPSetType(ksp, KSPGMRES));
  PetscCall(KSPGMRESSetRestart(ksp, 30));
  PetscCall(KSPGMRESSetCGSRefinementType(ksp, KSP_GMRES_CGS_REFINE_ALWAYS));
  PetscCall(KSPSetTolerances(ksp, 1e-5, PETSC_DEFAULT, PETSC_DEFAULT, 10000));
  PetscCall(KSPGetPC(ksp, &pc));
  PetscCall(PCSetType(pc, PCNONE));
  PetscCall(SNESMonitorSet(snes, monitor, NULL, NULL));
  PetscCall(SNESSetFromOptions(snes));
  PetscFunctionReturn(0);
}

static PetscErrorCode write_solution(Vec u, const char *path) {
  const PetscScalar *v;
  PetscInt n;
  FILE *f = fopen(path, "w");
  PetscFunctionBeginUser;
  PetscCheck(f != NULL, PETSC_COMM_SELF, PETSC_ERR_FILE_OPEN, "%s", path);
  PetscCall(VecGetLocalSize(u, &n));
  PetscCall(VecGetArrayRead(u, &v));
  for (PetscInt m = 0; m < n; ++m) fprintf(f, "%.17g\n", (double)v[m]);
  PetscCall(VecRestoreArrayRead(u, &v));
  PetscCheck(fclose(f) == 0, PETSC_COMM_SELF, PETSC_ERR_FILE_WRITE, "%s", path);
  PetscFunctionReturn(0);
}

int main(int argc, char **argv) {
  const PetscInt n[3] = {atoi(argv[3]), atoi(argv[2]), atoi(argv[1])};
  problem P = make_problem(n, atof(argv[4]));
  SNES snes;
  SNESConvergedReason reason;
  DM dm;
  Mat J;
  Vec u;
  PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
  PetscCall(DMDACreate3d(PETSC_COMM_SELF, DM_BOUNDARY_NONE, DM_BOUNDARY_NONE, DM_BOUNDARY_NONE, DMDA_STENCIL_STAR, n[0],
                         n[1], n[2], 1, 1, 1, 1, 1, NULL, NULL, NULL, &dm));
  PetscCall(DMSetUp(dm));
  PetscCall(DMCreateGlobalVector(dm, &u));
  PetscCall(DMCreateMatrix(dm, &J));
  PetscCall(SNESCreate(PETSC_COMM_SELF, &snes));
  PetscCall(SNESSetDM(snes, dm));
  PetscCall(SNESSetFunction(snes, NULL, residual, &P));
  PetscCall(SNESSetJacobian(snes, J, J, jacobian, &P));
  PetscCall(configure(snes));
  PetscCall(first_guess(&P, dm, u));
  PetscCall(SNESSolve(snes, NULL, u));
  PetscCall(SNESGetConvergedReason(snes, &reason));
  printf("end %s\n", SNESConvergedReasons[reason]);
  PetscCall(write_solution(u, argv[5]));
  PetscCall(SNESDestroy(&snes));
  PetscCall(MatDestroy(&J));
  PetscCall(VecDestroy(&u));
  PetscCall(DMDestroy(&dm));
  return PetscFinalize() != 0;
}
