/* The execution library: BiCG-Stab and GMRES as usually written with cuBLAS and cuSPARSE, one call per vector operation; the
 * dot products of a step are copied to the host together. GMRES orthogonalizes by classical Gram-Schmidt, twice, which are
 * four products with the basis as one matrix; its small system is the host's. The preconditioners are hepta's kernels. The
 * formulas of the scalars and the tests of a solve are those of linsolve/krylov/bicgstab.inl.h and gmres.inl.h; sums have
 * cuBLAS's order, so that iterates differ by rounding. */
#include <cublas_v2.h>
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "linsolve/krylov/host_driven/execution.cuh"

struct hp_exec_library {
  cublasHandle_t blas;
  double *history; /* host [max_iterations+1] */
  double *sums;    /* host, pinned [HP_SUMS_MAX + 2 restart of GMRES] */
  double *small;   /* host; GMRES: linsolve/krylov/gmres.inl.h */
};

static hp_status check_blas(cublasStatus_t s, const char *what) {
  if (s == CUBLAS_STATUS_SUCCESS) return HP_OK;
  return hp_fail(s == CUBLAS_STATUS_ALLOC_FAILED ? HP_ERR_MEMORY : HP_ERR_DEVICE, "cuBLAS: %s: %s", what,
                 cublasGetStatusString(s));
}
#define BLAS_TRY(call) HP_TRY(check_blas(call, #call))

hp_status hp_exec_library_create(hp_execution *E, hp_exec_library **out) {
  const int64_t m = E->opt.method == HP_KRYLOV_GMRES ? E->opt.restart : 0;
  const size_t sums = (size_t)(2 * m + HP_SUMS_MAX);
  hp_exec_library *L = NULL;
  HP_TRY(hp_alloc((void **)&L, 1, sizeof *L, "libraries of the GPU"));
  *out = L;
  HP_TRY(HP_ALLOC(L->history, E->opt.max_iterations + 1));
  if (m > 0) HP_TRY(HP_ALLOC(L->small, (m + 1) * m + 4 * (m + 1)));
  HP_CUDA_TRY(E->D, cudaHostAlloc((void **)&L->sums, sums * sizeof *L->sums, cudaHostAllocDefault));
  BLAS_TRY(cublasCreate(&L->blas));
  return check_blas(cublasSetStream(L->blas, hp_device_stream(E->D)), "setting the stream");
}

void hp_exec_library_destroy(hp_exec_library **slot) {
  if (slot == NULL || *slot == NULL) return;
  if ((*slot)->blas != NULL) cublasDestroy((*slot)->blas);
  if ((*slot)->sums != NULL) cudaFreeHost((*slot)->sums);
  HP_FREE((*slot)->history);
  HP_FREE((*slot)->small);
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

/* ---- BiCG-Stab ---- */

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

/* ---- GMRES ---- */

/* y = alpha V x + beta y with the first `count` basis vectors, or with V transposed. */
static hp_status basis(solve *V, bool transposed, int count, double alpha, const double *x, double beta, double *y) {
  V->E->launches += 1;
  return check_blas(cublasDgemv_64(V->E->lib->blas, transposed ? CUBLAS_OP_T : CUBLAS_OP_N, V->S.A->n, count, &alpha,
                                   hp_solve_vector(&V->S, 0), V->S.stride, x, 1, &beta, y, 1),
                    "product with the basis");
}

/* |w|^2, left on the device. */
static hp_status square(solve *V, const double *w, double *out) {
  cublasHandle_t blas = V->E->lib->blas;
  V->E->launches += 1;
  BLAS_TRY(cublasSetPointerMode(blas, CUBLAS_POINTER_MODE_DEVICE));
  BLAS_TRY(cublasDdot_64(blas, V->S.A->n, w, 1, w, 1, out));
  return check_blas(cublasSetPointerMode(blas, CUBLAS_POINTER_MODE_HOST), "place of scalars");
}

/* Makes w orthogonal to V_0 .. V_j, with the coefficients h [j+1]; |w|^2 before and after. */
static hp_status orthogonalize(solve *V, int j, double *w, double *h, double *before, double *after) {
  const int count = j + 1;
  double *first = V->E->args.S.small, *second = first + count, *squares = second + count, *sums = V->E->lib->sums;
  HP_TRY(square(V, w, squares));
  HP_TRY(basis(V, true, count, 1.0, w, 0.0, first));
  HP_TRY(basis(V, false, count, -1.0, first, 1.0, w));
  HP_TRY(basis(V, true, count, 1.0, w, 0.0, second));
  HP_TRY(basis(V, false, count, -1.0, second, 1.0, w));
  HP_TRY(square(V, w, squares + 1));
  HP_TRY(hp_device_download(V->E->D, sums, first, (2 * count + 2) * (int64_t)sizeof *sums));
  for (int k = 0; k < count; ++k) h[k] = sums[k] + sums[count + k];
  *before = sums[2 * count];
  *after = sums[2 * count + 1];
  return HP_OK;
}

/* hp_gmres_step. */
static hp_status step(solve *V, int j, bool *more) {
  const hp_solve *S = &V->S;
  const hp_gmres_small s = hp_gmres_small_of(S);
  double *w = hp_solve_vector(S, j + 1), before, after;
  const double *mv;
  hp_team t;
  t.rank = 0;
  HP_TRY(precondition(V, hp_solve_vector(S, j), hp_solve_vector(S, S->restart + 1), &mv));
  HP_TRY(multiply(V, mv, w));
  V->run.iterations += 1;
  HP_TRY(orthogonalize(V, j, w, s.h + (int64_t)j * (s.m + 1), &before, &after));
  *more = after > 1e-28 * before;
  const double below = *more ? sqrt(after) : 0.0;
  if (*more) HP_TRY(scale(V, 1.0 / below, w));
  hp_gmres_rotate(&s, j, below);
  hp_krylov_run_record(&t, S, &V->run, fabs(s.g[j + 1]));
  return HP_OK;
}

/* hp_gmres_update. */
static hp_status update(solve *V, int k) {
  const hp_solve *S = &V->S;
  const hp_gmres_small s = hp_gmres_small_of(S);
  double *u = hp_solve_vector(S, S->restart + 2), *y = V->E->args.S.small;
  const double *mu;
  hp_gmres_back_substitute(&s, k);
  HP_TRY(hp_device_zero(V->E->D, u, S->A->n * (int64_t)sizeof *u));
  if (k > 0) HP_TRY(hp_device_upload(V->E->D, y, s.y, k * (int64_t)sizeof *y));
  if (k > 0) HP_TRY(basis(V, false, k, 1.0, y, 1.0, u));
  HP_TRY(precondition(V, u, hp_solve_vector(S, S->restart + 1), &mu));
  return add(V, 1.0, mu, S->x);
}

/* hp_gmres_cycle; *full: it ended because the basis is full. */
static hp_status cycle(solve *V, hp_krylov_reason *ended, bool *full) {
  const hp_solve *S = &V->S;
  const hp_gmres_small s = hp_gmres_small_of(S);
  bool more = true;
  int j = 0;
  HP_TRY(scale(V, 1.0 / V->run.residual, hp_solve_vector(S, 0)));
  s.g[0] = V->run.residual;
  *ended = HP_KRYLOV_MAX_ITERATIONS;
  for (;; ++j) {
    const double norm = fabs(s.g[j]);
    *full = j == s.m;
    if (!hp_is_finite(norm)) *ended = HP_KRYLOV_NOT_FINITE;
    else if (norm <= V->run.goal) *ended = HP_KRYLOV_CONVERGED;
    else if (!more) *ended = HP_KRYLOV_BREAKDOWN;
    else if (j < s.m && V->run.iterations < S->max_iterations) {
      HP_TRY(step(V, j, &more));
      continue;
    }
    break;
  }
  return update(V, j);
}

/* ---- both ---- */

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
    bool full = false;
    HP_TRY(V->E->opt.method == HP_KRYLOV_GMRES ? cycle(V, &reason, &full) : iterations(V, &reason));
    HP_TRY(residual(V, &norm));
    done = hp_krylov_run_decide(S, &V->run, norm, reason, full && reason == HP_KRYLOV_MAX_ITERATIONS, &reason);
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
  V.S.small = E->lib->small;
  HP_TRY(hp_device_download(E->D, &V.S.singular, E->args.singular, sizeof V.S.singular));
  HP_TRY(run(&V));
  if (E->args.S.history == NULL) return HP_OK;
  return hp_device_upload(E->D, E->args.S.history, E->lib->history,
                          (report->iterations + 1) * (int64_t)sizeof *E->lib->history);
}
