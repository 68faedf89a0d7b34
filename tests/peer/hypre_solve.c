/* Solves A x = 1 with hypre's BoomerAMG, for test_hypre.py:
 *
 *     hypre_solve FILE.mtx COARSENING INTERPOLATION WEIGHTS SMOOTHER METHOD[,METHOD...] TOLERANCE ITERATIONS
 *
 * with hepta's names. METHOD is none (V cycles by themselves), cg or bicgstab. The matrix is general, its rows
 * rising. Prints for each method: iterations, relative residual, levels, operator complexity.
 *
 * What hypre does otherwise by default is switched to hepta's: every point in every sweep, in rising order before and
 * falling after (no C-F relaxation), no weakening of rows with a large sum, direct solution of at most 64 rows. */
#define _DEFAULT_SOURCE /* ffs, in hypre's headers */
#include <HYPRE.h>
#include <HYPRE_krylov.h>
#include <HYPRE_parcsr_ls.h>
#include <_hypre_parcsr_ls.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const char *name;
  int number;
} choice;

static const choice coarsenings[] = {{"cljp", 0}, {"rs", 3}, {"pmis", 8}, {"hmis", 10}, {NULL, 0}};
static const choice interpolations[] = {{"classical", 0}, {"direct", 3}, {"extended+i", 6}, {NULL, 0}};
static const choice smoothers[] = {{"jacobi", 0}, {"gauss-seidel", 3}, {"l1-jacobi", 18}, {NULL, 0}};

static int fail(const char *what, const char *name) {
  fprintf(stderr, "hypre_solve: %s %s\n", what, name);
  exit(1);
}

static int find(const choice *list, const char *name) {
  for (; list->name != NULL; ++list)
    if (strcmp(list->name, name) == 0) return list->number;
  return fail("no such choice:", name);
}

static HYPRE_IJMatrix read_matrix(const char *path, int *n) {
  HYPRE_IJMatrix ij;
  int columns, count, row, last = 0, width = 0, column[10000];
  double value[10000];
  FILE *f = fopen(path, "r");
  if (f == NULL || fscanf(f, "%%%%MatrixMarket matrix coordinate real general %d %d %d", n, &columns, &count) != 3 ||
      *n != columns)
    fail("no such matrix:", path);
  HYPRE_IJMatrixCreate(MPI_COMM_WORLD, 0, *n - 1, 0, *n - 1, &ij);
  HYPRE_IJMatrixSetObjectType(ij, HYPRE_PARCSR);
  HYPRE_IJMatrixInitialize(ij);
  for (int k = 0; k <= count; ++k) {
    int j = 0;
    double v = 0.0;
    if (k == count) row = *n + 1;
    else if (fscanf(f, "%d %d %lf", &row, &j, &v) != 3 || row < last || width == 10000) fail("bad entry in", path);
    if (row != last && width > 0) {
      const int index = last - 1;
      HYPRE_IJMatrixSetValues(ij, 1, &width, &index, column, value);
      width = 0;
    }
    last = row;
    column[width] = j - 1;
    value[width++] = v;
  }
  fclose(f);
  HYPRE_IJMatrixAssemble(ij);
  return ij;
}

static HYPRE_IJVector make_vector(int n, double value) {
  HYPRE_IJVector ij;
  HYPRE_IJVectorCreate(MPI_COMM_WORLD, 0, n - 1, &ij);
  HYPRE_IJVectorSetObjectType(ij, HYPRE_PARCSR);
  HYPRE_IJVectorInitialize(ij);
  for (int i = 0; i < n; ++i) HYPRE_IJVectorSetValues(ij, 1, &i, &value);
  HYPRE_IJVectorAssemble(ij);
  return ij;
}

static HYPRE_Solver make_amg(char **argv) {
  HYPRE_Solver amg;
  const int smoother = find(smoothers, argv[5]);
  HYPRE_BoomerAMGCreate(&amg);
  HYPRE_BoomerAMGSetCoarsenType(amg, find(coarsenings, argv[2]));
  HYPRE_BoomerAMGSetInterpType(amg, find(interpolations, argv[3]));
  HYPRE_BoomerAMGSetPMaxElmts(amg, atoi(argv[4]));
  HYPRE_BoomerAMGSetStrongThreshold(amg, 0.25);
  HYPRE_BoomerAMGSetMaxRowSum(amg, 1.0);
  HYPRE_BoomerAMGSetAggNumLevels(amg, 0);
  HYPRE_BoomerAMGSetMaxCoarseSize(amg, 64);
  HYPRE_BoomerAMGSetNumSweeps(amg, 1);
  HYPRE_BoomerAMGSetRelaxOrder(amg, 0);
  HYPRE_BoomerAMGSetCycleRelaxType(amg, smoother, 1);
  HYPRE_BoomerAMGSetCycleRelaxType(amg, smoother == 3 ? 4 : smoother, 2);
  HYPRE_BoomerAMGSetCycleRelaxType(amg, 9, 3);
  HYPRE_BoomerAMGSetRelaxWt(amg, smoother == 0 ? 2.0 / 3.0 : 1.0);
  HYPRE_BoomerAMGSetPrintLevel(amg, 0);
  HYPRE_BoomerAMGSetTol(amg, 0.0);
  HYPRE_BoomerAMGSetMaxIter(amg, 1);
  return amg;
}

/* Solves with one method from zero and prints what it took. */
static void run(char **argv, const char *method, void *a, void *b, void *x) {
  HYPRE_Solver amg = make_amg(argv), K;
  const double tolerance = atof(argv[7]);
  const int most = atoi(argv[8]);
  const HYPRE_PtrToSolverFcn solve = (HYPRE_PtrToSolverFcn)HYPRE_BoomerAMGSolve;
  const HYPRE_PtrToSolverFcn setup = (HYPRE_PtrToSolverFcn)HYPRE_BoomerAMGSetup;
  int iterations = 0;
  double residual = 0.0, entries = 0.0;
  HYPRE_ParVectorSetConstantValues(x, 0.0);
  if (strcmp(method, "none") == 0) {
    HYPRE_BoomerAMGSetTol(amg, tolerance);
    HYPRE_BoomerAMGSetMaxIter(amg, most);
    HYPRE_BoomerAMGSetup(amg, a, b, x);
    HYPRE_BoomerAMGSolve(amg, a, b, x);
    HYPRE_BoomerAMGGetNumIterations(amg, &iterations);
    HYPRE_BoomerAMGGetFinalRelativeResidualNorm(amg, &residual);
  } else if (strcmp(method, "cg") == 0) {
    HYPRE_ParCSRPCGCreate(MPI_COMM_WORLD, &K);
    HYPRE_PCGSetTol(K, tolerance);
    HYPRE_PCGSetMaxIter(K, most);
    HYPRE_PCGSetTwoNorm(K, 1);
    HYPRE_PCGSetPrecond(K, solve, setup, amg);
    HYPRE_ParCSRPCGSetup(K, a, b, x);
    HYPRE_ParCSRPCGSolve(K, a, b, x);
    HYPRE_PCGGetNumIterations(K, &iterations);
    HYPRE_PCGGetFinalRelativeResidualNorm(K, &residual);
    HYPRE_ParCSRPCGDestroy(K);
  } else if (strcmp(method, "bicgstab") == 0) {
    HYPRE_ParCSRBiCGSTABCreate(MPI_COMM_WORLD, &K);
    HYPRE_BiCGSTABSetTol(K, tolerance);
    HYPRE_BiCGSTABSetMaxIter(K, most);
    HYPRE_BiCGSTABSetPrecond(K, solve, setup, amg);
    HYPRE_ParCSRBiCGSTABSetup(K, a, b, x);
    HYPRE_ParCSRBiCGSTABSolve(K, a, b, x);
    HYPRE_BiCGSTABGetNumIterations(K, &iterations);
    HYPRE_BiCGSTABGetFinalRelativeResidualNorm(K, &residual);
    HYPRE_ParCSRBiCGSTABDestroy(K);
  } else {
    fail("no such method:", method);
  }
  const hypre_ParAMGData *data = (const hypre_ParAMGData *)amg;
  const int levels = hypre_ParAMGDataNumLevels(data);
  for (int l = 0; l < levels; ++l) entries += hypre_ParCSRMatrixNumNonzeros(hypre_ParAMGDataAArray(data)[l]);
  printf("%d %.6e %d %.4f\n", iterations, residual, levels,
         entries / hypre_ParCSRMatrixNumNonzeros(hypre_ParAMGDataAArray(data)[0]));
  HYPRE_BoomerAMGDestroy(amg);
}

int main(int argc, char **argv) {
  int n;
  void *a, *b, *x;
  if (argc != 9) return fail("takes 8 arguments,", "see the source");
  MPI_Init(&argc, &argv);
  HYPRE_Init();
  HYPRE_IJMatrix A = read_matrix(argv[1], &n);
  HYPRE_IJVector vb = make_vector(n, 1.0), vx = make_vector(n, 0.0);
  HYPRE_IJMatrixGetObject(A, &a);
  HYPRE_IJVectorGetObject(vb, &b);
  HYPRE_IJVectorGetObject(vx, &x);
  for (const char *m = strtok(argv[6], ","); m != NULL; m = strtok(NULL, ",")) run(argv, m, a, b, x);
  HYPRE_IJMatrixDestroy(A);
  HYPRE_IJVectorDestroy(vb);
  HYPRE_IJVectorDestroy(vx);
  HYPRE_Finalize();
  MPI_Finalize();
  return 0;
}
