/* The execution library: BiCG-Stab as usually written with cuBLAS and cuSPARSE, one call per vector operation; the dot
 * products of a step are copied to the host together. The preconditioners are hepta's kernels. The formulas of the
 * scalars and the tests of a solve are those of linsolve/krylov/bicgstab.inl.h; sums have cuBLAS's order, so that
 * iterates differ by rounding. */
#include <cublas_v2.h>
#include <string.h>

#include "core/memory.h"
#include "linsolve/krylov/baselines/execution.cuh"

struct hp_exec_library {
  cublasHandle_t blas;
  double *history; /* host [max_iterations+1] */
  double *sums;    /* host, pinned [HP_SUMS_MAX] */
};

static hp_status check_blas(cublasStatus_t s, const char *what) {
  if (s == CUBLAS_STATUS_SUCCESS) return HP_OK;
  return hp_fail(s == CUBLAS_STATUS_ALLOC_FAILED ? HP_ERR_MEMORY : HP_ERR_DEVICE, "cuBLAS: %s: %s", what,
                 cublasGetStatusString(s));
}
#define BLAS_TRY(call) HP_TRY(check_blas(call, #call))

hp_status hp_exec_library_create(hp_execution *E, hp_exec_library **out) {
  hp_exec_library *L = NULL;
  HP_TRY(hp_alloc((void **)&L, 1, sizeof *L, "libraries of the GPU"));
  *out = L;
  HP_TRY(HP_ALLOC(L->history, E->opt.max_iterations + 1));
  HP_CUDA_TRY(E->D, cudaHostAlloc((void **)&L->sums, HP_SUMS_MAX * sizeof *L->sums, cudaHostAllocDefault));
  BLAS_TRY(cublasCreate(&L->blas));
  return check_blas(cublasSetStream(L->blas, hp_device_stream(E->D)), "setting the stream");
}

void hp_exec_library_destroy(hp_exec_library **slot) {
  if (slot == NULL || *slot == NULL) return;
  if ((*slot)->blas != NULL) cublasDestroy((*slot)->blas);
  if ((*slot)->sums != NULL) cudaFreeHost((*slot)->sums);
  HP_FREE((*slot)->history);
  hp_free(slot);
}

/* One solve on the host's side. */
typedef struct solve {
  hp_execution *E;
  hp_solve S; /* history, report: the host's */
  hp_run run;
  hp_bicgstab_state c;
} solve;

/* `count` dot products, of xy[0] and xy[1], xy[2] and xy[3], ...; they come to the host together. */
static hp_status dots(solve *V, int count, const double *const *xy, double *out) {
  hp_execution *E = V->E;
  hp_exec_library *L = E->lib;
  BLAS_TRY(cublasSetPointerMode(L->blas, CUBLAS_POINTER_MODE_DEVICE));
  for (int k = 0; k < count; ++k)
    BLAS_TRY(cublasDdot_64(L->blas, V->S.A->n, xy[2 * k], 1, xy[2 * k + 1], 1, E->args.partial + k));
  BLAS_TRY(cublasSetPointerMode(L->blas, CUBLAS_POINTER_MODE_HOST));
  E->launches += count;
  HP_TRY(hp_device_download(E->D, L->sums, E->args.partial, count * (int64_t)sizeof *L->sums));
  memcpy(out, L->sums, (size_t)count * sizeof *out);
  return HP_OK;
}

/* y += a x */
static hp_status add(solve *V, double a, const double *x, double *y) {
  V->E->launches += 1;
  return check_blas(cublasDaxpy_64(V->E->lib->blas, V->S.A->n, &a, x, 1, y, 1), "sum of vectors");
}

static hp_status scale(solve *V, double a, double *x) {
  V->E->launches += 1;
  return check_blas(cublasDscal_64(V->E->lib->blas, V->S.A->n, &a, x, 1), "multiple of a vector");
}

static hp_status copy(solve *V, const double *from, double *to) {
  V->E->launches += 1;
  return check_blas(cublasDcopy_64(V->E->lib->blas, V->S.A->n, from, 1, to, 1), "copy of a vector");
}

static hp_status multiply(solve *V, const double *x, double *y) {
  V->run.products += 1;
  return hp_exec_matrix_mul(V->E, x, y);
}

static hp_status precondition(solve *V, const double *r, double *z, const double **out) {
  V->run.applications += V->E->opt.preconditioner != HP_PRECOND_NONE;
  return hp_exec_precondition(V->E, r, z, out);
}

/* One iteration; *ended: the iterations end, for *reason. */
static hp_status iterate(solve *V, bool *ended, hp_krylov_reason *reason) {
  const hp_solve *S = &V->S;
  double *x = S->x, *r = hp_solve_vector(S, 0), *r0 = hp_solve_vector(S, 1), *p = hp_solve_vector(S, 2);
  double *v = hp_solve_vector(S, 3), *w = hp_solve_vector(S, 4), first[2], sum[5];
  const double *mp, *ms;
  *ended = true;
  HP_TRY(add(V, -V->c.omega, v, p));
  HP_TRY(scale(V, V->c.beta, p));
  HP_TRY(add(V, 1.0, r, p));
  HP_TRY(precondition(V, p, hp_solve_vector(S, 5), &mp));
  HP_TRY(multiply(V, mp, v));
  const double *const one[] = {r0, v, v, v};
  HP_TRY(dots(V, 2, one, first));
  if (!hp_bicgstab_first_sums(&V->c, first, reason)) return HP_OK;
  HP_TRY(add(V, -V->c.alpha, v, r));
  HP_TRY(precondition(V, r, hp_solve_vector(S, 6), &ms));
  HP_TRY(multiply(V, ms, w));
  const double *const two[] = {w, r, w, w, r, r, r0, r, r0, w};
  HP_TRY(dots(V, 5, two, sum));
  V->run.iterations += 1;
  *ended = !hp_bicgstab_second_sums(&V->c, sum, V->run.goal, reason);
  if (*ended && *reason == HP_KRYLOV_NOT_FINITE) return HP_OK;
  HP_TRY(add(V, V->c.alpha, mp, x));
  HP_TRY(add(V, V->c.omega, ms, x));
  return add(V, -V->c.omega, w, r);
}

/* Iterates from the true residual r. */
static hp_status iterations(solve *V, hp_krylov_reason *reason) {
  const hp_solve *S = &V->S;
  const int64_t bytes = S->A->n * (int64_t)sizeof(double);
  hp_team t;
  t.rank = 0;
  V->c = hp_bicgstab_state_of(V->run.residual);
  HP_TRY(copy(V, hp_solve_vector(S, 0), hp_solve_vector(S, 1)));
  HP_TRY(hp_device_zero(V->E->D, hp_solve_vector(S, 2), bytes));
  HP_TRY(hp_device_zero(V->E->D, hp_solve_vector(S, 3), bytes));
  for (bool ended = false; !ended;) {
    const int before = V->run.iterations;
    HP_TRY(iterate(V, &ended, reason));
    if (V->run.iterations > before && (!ended || *reason != HP_KRYLOV_NOT_FINITE))
      hp_krylov_run_record(&t, S, &V->run, V->c.norm);
    if (!ended && V->run.iterations >= S->max_iterations) {
      *reason = HP_KRYLOV_MAX_ITERATIONS;
      return HP_OK;
    }
  }
  return HP_OK;
}

/* r = b - A x and its norm. */
static hp_status residual(solve *V, double *norm) {
  double *r = hp_solve_vector(&V->S, 0);
  HP_TRY(multiply(V, V->S.x, r));
  HP_TRY(scale(V, -1.0, r));
  HP_TRY(add(V, 1.0, V->S.b, r));
  V->E->launches += 1;
  return check_blas(cublasDnrm2_64(V->E->lib->blas, V->S.A->n, r, 1, norm), "norm");
}

static hp_status run(solve *V) {
  const hp_solve *S = &V->S;
  hp_krylov_reason reason;
  double norm;
  hp_team t;
  t.rank = 0;
  t.barriers = V->run.barriers = 0;
  HP_TRY(hp_device_zero(V->E->D, S->x, S->A->n * (int64_t)sizeof(double)));
  HP_TRY(copy(V, S->b, hp_solve_vector(S, 0)));
  V->E->launches += 1;
  BLAS_TRY(cublasDnrm2_64(V->E->lib->blas, S->A->n, S->b, 1, &norm));
  bool done = hp_krylov_run_begin(S, &V->run, norm, &reason);
  hp_krylov_run_record(&t, S, &V->run, norm);
  while (!done) {
    HP_TRY(iterations(V, &reason));
    HP_TRY(residual(V, &norm));
    done = hp_krylov_run_decide(S, &V->run, norm, reason, false, &reason);
  }
  hp_krylov_run_finish(&t, S, &V->run, reason);
  return HP_OK;
}

hp_status hp_exec_library_solve(hp_execution *E, hp_krylov_report *report) {
  solve V;
  memset(&V, 0, sizeof V);
  V.E = E;
  V.S = E->args.S;
  V.S.A = &E->args.A;
  V.S.report = report;
  V.S.history = E->lib->history;
  HP_TRY(hp_device_download(E->D, &V.S.singular, E->args.singular, sizeof V.S.singular));
  HP_TRY(run(&V));
  if (E->args.S.history == NULL) return HP_OK;
  return hp_device_upload(E->D, E->args.S.history, E->lib->history,
                          (report->iterations + 1) * (int64_t)sizeof *E->lib->history);
}
