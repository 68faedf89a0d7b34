/* The module that is linked with hypre: a system goes to one process of it, and BoomerAMG takes hepta's choices.
 *
 * What hypre does otherwise by default is switched to hepta's: every point in every sweep, in rising order before and
 * falling after (no C-F relaxation), no weakening of rows with a large sum, the last level as hp_hypre_set_last_level has it. */
#define _DEFAULT_SOURCE /* ffs, in hypre's headers */
#include "amg/hypre/system.h"

#include <HYPRE.h>
#include <HYPRE_parcsr_ls.h>
#include <_hypre_parcsr_ls.h>
#include <stdlib.h>
#include <string.h>

/* ---- choices ---- */

/* hypre's numbers of what hepta has, or of what is nearest (amg/hypre/boomeramg.h). */
static const int coarsenings[HP_AMG_COARSENING_COUNT] = {
    [HP_AMG_PMIS] = 8, [HP_AMG_HMIS] = 10, [HP_AMG_CLJP] = 0, [HP_AMG_RS] = 3};

static const int interpolations[HP_AMG_INTERPOLATION_COUNT] = {
    [HP_AMG_EXTENDED] = 6, [HP_AMG_CLASSICAL] = 0, [HP_AMG_DIRECT] = 3, [HP_AMG_AVERAGING] = 3};

enum {
  JACOBI = 0,
  FORWARD = 3,
  BACKWARD = 4,
  GAUSS = 9,
  L1_FORWARD = 13,
  L1_BACKWARD = 14,
  CHEBYSHEV = 16,
  L1_JACOBI = 18
};
enum { DOWN = 1, UP, LAST }; /* where in a cycle */

static const int smoothers[HP_AMG_SMOOTHER_COUNT] = {
    [HP_AMG_DAMPED_JACOBI] = JACOBI,    [HP_AMG_JACOBI] = JACOBI,    [HP_AMG_L1_JACOBI] = L1_JACOBI,
    [HP_AMG_BLOCK_JACOBI] = JACOBI,     [HP_AMG_COLOURED] = FORWARD, [HP_AMG_BLOCK_GAUSS_SEIDEL] = FORWARD,
    [HP_AMG_LEVEL_SCHEDULED] = FORWARD, [HP_AMG_HYBRID] = FORWARD,   [HP_AMG_GAUSS_SEIDEL] = FORWARD,
    [HP_AMG_CHEBYSHEV] = CHEBYSHEV,     [HP_AMG_SPAI0] = L1_JACOBI,  [HP_AMG_SPAI1] = L1_JACOBI,
    [HP_AMG_SCHWARZ] = FORWARD,
};

static const char *interpolation_name(hp_amg_interpolation i) {
#define TEXT_OF(name, text, ...) text,
  static const char *const names[] = {HP_AMG_INTERPOLATION_LIST(TEXT_OF)};
  return names[i];
}

static const char *smoother_name(hp_amg_smoother s) {
  static const char *const names[] = {HP_AMG_SMOOTHER_LIST(TEXT_OF)};
#undef TEXT_OF
  return names[s];
}

void hp_hypre_say_instead(hp_hypre_result *R, const char *what) {
  const size_t n = strlen(R->instead);
  if (what != NULL) snprintf(R->instead + n, sizeof R->instead - n, "%s%s", n > 0 ? "; " : "", what);
}

static void say_choice(hp_hypre_result *R, const char *ours, const char *theirs) {
  char what[HP_HYPRE_TEXT];
  snprintf(what, sizeof what, "%s instead of %s", theirs, ours);
  hp_hypre_say_instead(R, strcmp(ours, theirs) != 0 ? what : NULL);
}

/* over: several processes. Gauss-Seidel is Jacobi between them, which converges with the l1 norm of what is elsewhere on the
 * diagonal (Baker, Falgout, Kolev & Yang 2011). */
HYPRE_Solver hp_hypre_create_amg(const hp_amg_options *o, bool over, hp_hypre_result *R) {
  enum { ORDER_MAX = 4 };
  HYPRE_Solver amg;
  const int smoother = smoothers[o->smoother];
  const bool gauss_seidel = smoother == FORWARD;
  const int down = gauss_seidel && over ? L1_FORWARD : smoother;
  const int up = !gauss_seidel ? smoother : over ? L1_BACKWARD : BACKWARD;
  const bool damped = o->smoother == HP_AMG_DAMPED_JACOBI || o->smoother == HP_AMG_BLOCK_JACOBI;
  R->instead[0] = '\0';
  say_choice(R, interpolation_name(o->interpolation), hp_hypre_interpolation_name(o->interpolation));
  say_choice(R, smoother_name(o->smoother), hp_hypre_smoother_name(o->smoother, over));
  if (smoother == CHEBYSHEV && o->order > ORDER_MAX) hp_hypre_say_instead(R, "chebyshev of order 4, its highest");
  if (o->precision != HP_PRECISION_DOUBLE) hp_hypre_say_instead(R, "double instead of single precision");
  HYPRE_BoomerAMGCreate(&amg);
  HYPRE_BoomerAMGSetCoarsenType(amg, coarsenings[o->coarsening]);
  HYPRE_BoomerAMGSetInterpType(amg, interpolations[o->interpolation]);
  HYPRE_BoomerAMGSetPMaxElmts(amg, o->max_weights);
  HYPRE_BoomerAMGSetTruncFactor(amg, o->truncation);
  HYPRE_BoomerAMGSetStrongThreshold(amg, o->strength);
  HYPRE_BoomerAMGSetMaxRowSum(amg, 1.0);
  HYPRE_BoomerAMGSetAggNumLevels(amg, 0);
  HYPRE_BoomerAMGSetMaxLevels(amg, o->max_levels);
  HYPRE_BoomerAMGSetMaxCoarseSize(amg, o->coarsest);
  HYPRE_BoomerAMGSetCycleType(amg, o->cycle == HP_AMG_W ? 2 : 1);
  HYPRE_BoomerAMGSetFCycle(amg, o->cycle == HP_AMG_F);
  HYPRE_BoomerAMGSetCycleNumSweeps(amg, o->pre, DOWN);
  HYPRE_BoomerAMGSetCycleNumSweeps(amg, o->post, UP);
  HYPRE_BoomerAMGSetCycleNumSweeps(amg, HP_AMG_SWEEPS_LAST, LAST);
  HYPRE_BoomerAMGSetRelaxOrder(amg, 0);
  HYPRE_BoomerAMGSetCycleRelaxType(amg, down, DOWN);
  HYPRE_BoomerAMGSetCycleRelaxType(amg, up, UP);
  HYPRE_BoomerAMGSetCycleRelaxType(amg, down, LAST);
  HYPRE_BoomerAMGSetRelaxWt(amg, damped ? o->damping : 1.0);
  HYPRE_BoomerAMGSetChebyOrder(amg, o->order < ORDER_MAX ? o->order : ORDER_MAX);
  HYPRE_BoomerAMGSetChebyFraction(amg, 0.3);
  HYPRE_BoomerAMGSetPrintLevel(amg, 0);
  HYPRE_BoomerAMGSetTol(amg, 0.0);
  HYPRE_BoomerAMGSetMaxIter(amg, 1);
  return amg;
}

/* After a set-up: a last level of at most HP_AMG_DIRECT_MAX rows is solved directly, as hepta's is, also where the number of levels
 * is what ended coarsening. By itself hypre does so only up to the rows at which coarsening ends. */
void hp_hypre_set_last_level(HYPRE_Solver amg) {
  hypre_ParAMGData *data = (hypre_ParAMGData *)amg;
  const HYPRE_Int last = hypre_ParAMGDataNumLevels(data) - 1;
  if (hypre_ParCSRMatrixGlobalNumRows(hypre_ParAMGDataAArray(data)[last]) > HP_AMG_DIRECT_MAX) return;
  hypre_GaussElimSetup(data, last, GAUSS);
  HYPRE_BoomerAMGSetCycleRelaxType(amg, GAUSS, LAST);
  HYPRE_BoomerAMGSetCycleNumSweeps(amg, 1, LAST);
}

/* ---- systems ---- */

static HYPRE_IJVector create_vector(HYPRE_Int n, const double *value, const hp_hypre_system *S) {
  HYPRE_IJVector v;
  HYPRE_IJVectorCreate(S->comm, S->first, S->first + n - 1, &v);
  HYPRE_IJVectorSetObjectType(v, HYPRE_PARCSR);
  HYPRE_IJVectorInitialize(v);
  HYPRE_IJVectorSetValues(v, n, S->row, value);
  HYPRE_IJVectorAssemble(v);
  return v;
}

/* Rows `first` .. of a system of comm's processes; columns are the caller's to fill. */
static bool create_rows(MPI_Comm comm, int64_t first, int64_t rows, const int32_t *begin, hp_hypre_system *S) {
  S->comm = comm;
  S->first = (HYPRE_BigInt)first;
  S->width = malloc((size_t)(rows + 1) * sizeof *S->width);
  S->row = malloc((size_t)(rows + 1) * sizeof *S->row);
  S->column = malloc((size_t)(begin[rows] + 1) * sizeof *S->column);
  if (S->width == NULL || S->row == NULL || S->column == NULL) return false;
  for (int64_t i = 0; i < rows; ++i) {
    S->row[i] = (HYPRE_BigInt)(first + i);
    S->width[i] = begin[i + 1] - begin[i];
  }
  return true;
}

bool hp_hypre_create_pattern(int64_t rows, const int32_t *begin, const int32_t *column, hp_hypre_system *S) {
  if (!create_rows(MPI_COMM_SELF, 0, rows, begin, S)) return false;
  for (int64_t k = 0; k < begin[rows]; ++k) S->column[k] = column[k];
  return true;
}

/* The pattern over all processes. False: a column is beyond what this build of hypre counts. */
static bool create_pattern_over(int64_t first, int64_t rows, const int32_t *begin, const int64_t *column,
                                hp_hypre_system *S) {
  const int64_t end = first + rows;
  int good = create_rows(MPI_COMM_WORLD, first, rows, begin, S) && (int64_t)(HYPRE_BigInt)end == end;
  for (int64_t k = 0; k < begin[rows] && good; ++k) {
    S->column[k] = (HYPRE_BigInt)column[k];
    good = (int64_t)S->column[k] == column[k];
  }
  int all;
  MPI_Allreduce(&good, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  return all != 0;
}

void hp_hypre_create_matrix(HYPRE_Int n, const double *value, hp_hypre_system *S) {
  void *object;
  HYPRE_IJMatrixCreate(S->comm, S->first, S->first + n - 1, S->first, S->first + n - 1, &S->ij);
  HYPRE_IJMatrixSetObjectType(S->ij, HYPRE_PARCSR);
  HYPRE_IJMatrixSetRowSizes(S->ij, S->width);
  HYPRE_IJMatrixInitialize(S->ij);
  HYPRE_IJMatrixSetValues(S->ij, n, S->width, S->row, S->column, value);
  HYPRE_IJMatrixAssemble(S->ij);
  HYPRE_IJMatrixGetObject(S->ij, &object);
  S->A = object;
}

void hp_hypre_create_vectors(HYPRE_Int n, const double *b, hp_hypre_system *S) {
  void *object;
  S->ib = create_vector(n, b, S);
  S->ix = create_vector(n, b, S);
  HYPRE_IJVectorGetObject(S->ib, &object);
  S->b = object;
  HYPRE_IJVectorGetObject(S->ix, &object);
  S->x = object;
}

void hp_hypre_free_system(hp_hypre_system *S) {
  if (S->ij != NULL) HYPRE_IJMatrixDestroy(S->ij);
  if (S->ib != NULL) HYPRE_IJVectorDestroy(S->ib);
  if (S->ix != NULL) HYPRE_IJVectorDestroy(S->ix);
  free(S->width);
  free(S->row);
  free(S->column);
}

/* ---- what came of it ---- */

/* True if hypre has met an error besides not converging, and what it was. */
bool hp_hypre_failed(hp_hypre_result *R) {
  const HYPRE_Int code = HYPRE_GetError() & ~HYPRE_ERROR_CONV;
  char text[HP_HYPRE_TEXT] = "";
  if (code != 0) HYPRE_DescribeError(code, text);
  if (code != 0) snprintf(R->error, sizeof R->error, "hypre: %.390s", text);
  HYPRE_ClearAllErrors();
  return code != 0;
}

static double entries_here(hypre_ParCSRMatrix *A) {
  return (double)hypre_CSRMatrixNumNonzeros(hypre_ParCSRMatrixDiag(A)) +
         (double)hypre_CSRMatrixNumNonzeros(hypre_ParCSRMatrixOffd(A));
}

/* After a set-up. */
void hp_hypre_describe(HYPRE_Solver amg, hp_hypre_result *R) {
  const hypre_ParAMGData *data = (const hypre_ParAMGData *)amg;
  hypre_ParCSRMatrix *const *A = hypre_ParAMGDataAArray(data);
  hypre_ParCSRMatrix *const *P = hypre_ParAMGDataPArray(data);
  double entries = 0.0, rows = 0.0, here = 0.0, vectors = 0.0;
  R->levels = hypre_ParAMGDataNumLevels(data);
  for (int l = 0; l < R->levels; ++l) {
    entries += (double)hypre_ParCSRMatrixNumNonzeros(A[l]);
    rows += (double)hypre_ParCSRMatrixGlobalNumRows(A[l]);
    vectors += 4.0 * hypre_CSRMatrixNumRows(hypre_ParCSRMatrixDiag(A[l]));
    here += entries_here(A[l]) + (l + 1 < R->levels ? entries_here(P[l]) : 0.0);
  }
  R->coarsest = hypre_ParCSRMatrixGlobalNumRows(A[R->levels - 1]);
  R->bytes = (int64_t)here * (int64_t)(sizeof(double) + sizeof(HYPRE_Int)) + (int64_t)vectors * (int64_t)sizeof(double);
  R->operators = entries / (double)hypre_ParCSRMatrixNumNonzeros(A[0]);
  R->grids = rows / (double)hypre_ParCSRMatrixGlobalNumRows(A[0]);
}

static bool started_mpi, started_hypre;

static void start_hypre(void) {
  if (started_hypre) return;
  HYPRE_Init();
  HYPRE_SetMemoryLocation(HYPRE_MEMORY_HOST);
  HYPRE_SetExecutionPolicy(HYPRE_EXEC_HOST);
  started_hypre = true;
}

/* Open MPI looks for networks and starts helpers unless it is told that there is one process: 0.3 s. Other MPIs have
 * other names and pass over these. */
void hp_hypre_start(void) {
  int started;
  MPI_Initialized(&started);
  if (started) {
    start_hypre();
    return;
  }
  setenv("OMPI_MCA_ess_singleton_isolated", "1", 0);
  setenv("OMPI_MCA_pml", "ob1", 0);
  setenv("OMPI_MCA_btl", "self", 0);
  setenv("OMPI_MCA_osc", "^ucx", 0);
  MPI_Init(NULL, NULL);
  started_mpi = true;
  start_hypre();
}

/* ---- cycles ---- */

struct hp_hypre_cycle {
  hp_amg_options opt;
  int32_t n;
  hp_hypre_system S;
  HYPRE_Solver amg;
};

/* K with the pattern that was made, or not; K may be NULL. */
static hp_hypre_cycle *finish_create(hp_hypre_cycle *K, const hp_amg_options *o, int32_t n, double *zero, bool good) {
  if (good) {
    K->opt = *o;
    K->n = n;
    hp_hypre_create_vectors(n, zero, &K->S);
  } else if (K != NULL) {
    hp_hypre_cycle_destroy(K);
    K = NULL;
  }
  free(zero);
  return K;
}

hp_hypre_cycle *hp_hypre_cycle_create(const hp_amg_options *o, int32_t n, const int32_t *begin, const int32_t *column) {
  hp_hypre_cycle *K = calloc(1, sizeof *K);
  double *zero = calloc((size_t)n, sizeof *zero);
  hp_hypre_start();
  return finish_create(K, o, n, zero, K != NULL && zero != NULL && hp_hypre_create_pattern(n, begin, column, &K->S));
}

hp_hypre_cycle *hp_hypre_cycle_create_over(const hp_amg_options *o, int64_t first, int32_t n, const int32_t *begin,
                                           const int64_t *column) {
  hp_hypre_cycle *K = calloc(1, sizeof *K);
  double *zero = calloc((size_t)n + 1, sizeof *zero);
  hp_hypre_start();
  if (K == NULL || zero == NULL) MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE); /* others wait */
  return finish_create(K, o, n, zero, create_pattern_over(first, n, begin, column, &K->S));
}

bool hp_hypre_cycle_set_up(hp_hypre_cycle *K, const double *value, hp_hypre_result *R) {
  if (K->amg != NULL) HYPRE_BoomerAMGDestroy(K->amg);
  if (K->S.ij != NULL) HYPRE_IJMatrixDestroy(K->S.ij);
  snprintf(R->version, sizeof R->version, "hypre %s", HYPRE_RELEASE_VERSION);
  R->threads = hypre_NumThreads();
  K->amg = hp_hypre_create_amg(&K->opt, K->S.comm != MPI_COMM_SELF, R);
  hp_hypre_create_matrix(K->n, value, &K->S);
  HYPRE_BoomerAMGSetup(K->amg, K->S.A, K->S.b, K->S.x);
  if (hp_hypre_failed(R)) return false;
  hp_hypre_set_last_level(K->amg);
  if (hp_hypre_failed(R)) return false;
  hp_hypre_describe(K->amg, R);
  return true;
}

void hp_hypre_cycle_run(hp_hypre_cycle *K, const double *r, double *x) {
  HYPRE_IJVectorSetValues(K->S.ib, K->n, K->S.row, r);
  HYPRE_ParVectorSetConstantValues(K->S.x, 0.0);
  HYPRE_BoomerAMGSolve(K->amg, K->S.A, K->S.b, K->S.x);
  HYPRE_IJVectorGetValues(K->S.ix, K->n, K->S.row, x);
  HYPRE_ClearAllErrors(); /* of not converging in one cycle; what is no number is seen by the solver */
}

void hp_hypre_cycle_destroy(hp_hypre_cycle *K) {
  if (K->amg != NULL) HYPRE_BoomerAMGDestroy(K->amg);
  hp_hypre_free_system(&K->S);
  free(K);
}

void hp_hypre_close(void) {
  int ended = 0;
  if (started_hypre) MPI_Finalized(&ended);
  if (!started_hypre || ended) return; /* where others started MPI, they may have ended it */
  HYPRE_Finalize();
  if (started_mpi) MPI_Finalize();
}
