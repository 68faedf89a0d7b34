/* One choice of a solver on one system.
 *
 * A sample goes through what a run goes through, with the matrices that the run had:
 *
 *     set-up    everything anew: cpr's pattern, coarse points and interpolation from the matrix that the run made them
 *               from, their numbers, the second stage; a one-level preconditioner's numbers
 *     refresh   cpr: numbers of all levels in that pattern, and the second stage, as at the first system of a time step
 *     factors   what the run's other systems pay: with `linear.cpr.refresh = "step"` the second stage alone
 *     solve     from x = 0 to the tolerance
 *
 * After them cpr's hierarchy is the run's, and so are the iterates of the run's own solver.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/bench.h"
#include "bench/solve/solve.h"
#include "linsolve/product/spmv.inl.h"

/* ---- the solver ---- */

/* As a deck that names these keys of `linear` and no others (io/config/read.c). */
static void fill_case(const hp_bench_solve_job *B, const hp_bench_solve_choice *choice, hp_grid *g, hp_case *c) {
  const hp_gh *A = B->system.A;
  const bool cpr = choice->preconditioner >= HP_BENCH_SOLVE_CPR;
  const bool dilu = cpr || choice->preconditioner == HP_PRECOND_DILU;
  memset(g, 0, sizeof *g);
  memset(c, 0, sizeof *c);
  g->nx = A->nx;
  g->ny = A->ny;
  g->nz = A->nz;
  g->ncell = A->ncell;
  for (int64_t m = 0; m < A->ncell; ++m) g->nactive += B->system.active[m];
  c->grid = g;
  c->cpr = cpr;
  c->cpr_options = hp_cpr_default_options();
  if (choice->preconditioner == HP_BENCH_SOLVE_CPR_HYPRE) c->cpr_options.whose = HP_CPR_AMG_HYPRE;
  c->preconditioner_given = true;
  c->ordering_given = choice->ordering != HP_BENCH_SOLVE_BACKEND_ORDER;
  c->linear.method = choice->method;
  c->linear.preconditioner = cpr ? HP_PRECOND_DILU : (hp_precond_kind)choice->preconditioner;
  c->linear.ordering = c->ordering_given ? (hp_ordering)choice->ordering : HP_ORDER_NATURAL;
  c->linear.precision = dilu ? HP_PRECISION_SINGLE : HP_PRECISION_DOUBLE;
  c->linear.relaxation = dilu ? 0.8 : 0.0;
  c->linear.tolerance = B->tolerance;
  c->linear.max_iterations = B->max_iterations;
  c->linear.restart = 30;
  c->linear.matrix = HP_SPARSE_GH;
  c->linear.execution = choice->execution;
}

void hp_bench_solve_choose(const hp_bench_solve_job *B, const hp_bench_solve_choice *choice, hp_bench_solve_result *R) {
  hp_grid g;
  hp_case c;
  memset(R, 0, sizeof *R);
  fill_case(B, choice, &g, &c);
  const char *why = hp_backend_linear(B->backend, &c, &R->linear);
  const hp_krylov_options *k = &R->linear.krylov;
  if (why == NULL && !R->linear.uses_cpr) why = hp_krylov_refusal(k, B->system.A, HP_SOLVER_ANY);
  if (why == NULL) why = hp_linear_gpus_refusal(B->device.gpus, &R->linear);
  if (why != NULL) snprintf(R->why, sizeof R->why, "%s", why);
}

/* ---- samples ---- */

typedef struct {
  double setup[HP_BENCH_SOLVE_SAMPLES], refresh[HP_BENCH_SOLVE_SAMPLES], factor[HP_BENCH_SOLVE_SAMPLES],
      solve[HP_BENCH_SOLVE_SAMPLES];
} samples;

static hp_bench_solve_spread spread_of(double *v, int n) {
  const double median = hp_bench_median(v, n); /* sorts */
  return (hp_bench_solve_spread){median, v[0], v[n - 1]};
}

static hp_status set_up_by(hp_linear_solver *V, const hp_gh *A, double *seconds) {
  HP_TRY(V->ops->set_up(V, A));
  return V->ops->seconds(V, seconds, NULL);
}

static hp_status set_up(hp_bench_solve_job *B, hp_linear_solver *V, bool cpr, double *setup, double *refresh,
                        double *factor) {
  const hp_system *S = &B->system;
  const hp_gh *numbers = S->numbers != NULL ? S->numbers : S->A, *pattern = S->pattern != NULL ? S->pattern : numbers;
  if (!cpr) {
    HP_TRY(set_up_by(V, S->A, setup));
    *refresh = *factor = *setup;
    return HP_OK;
  }
  V->ops->rebuild(V);
  HP_TRY(set_up_by(V, pattern, setup));
  V->ops->begin_step(V);
  HP_TRY(set_up_by(V, numbers, refresh));
  return set_up_by(V, S->A, factor);
}

static hp_status time_samples(hp_bench_solve_job *B, hp_linear_solver *V, hp_bench_solve_result *R, samples *T) {
  const hp_system *S = &B->system;
  double *setup = T->setup, *refresh = T->refresh, *factor = T->factor, *solve = T->solve;
  for (int n = -1; n < B->samples; ++n) { /* one to warm up */
    const int at = n < 0 ? 0 : n;
    HP_TRY(set_up(B, V, R->linear.uses_cpr, &setup[at], &refresh[at], &factor[at]));
    HP_TRY(V->ops->solve(V, S->A, S->b, B->x, B->history, &R->report));
    HP_TRY(V->ops->seconds(V, NULL, &solve[at]));
  }
  R->setup = spread_of(setup, B->samples);
  R->refresh = spread_of(refresh, B->samples);
  R->factor = spread_of(factor, B->samples);
  R->solve = spread_of(solve, B->samples);
  return HP_OK;
}

/* ---- what it moves ---- */

/* Vectors that the passes of one iteration read and write beside the preconditioner's: those of the fused kernels
 * (docs/laboratory/performance.md), with none of them on chip; a product's own x and y are among them. 0: not known. */
static double vectors_of(const hp_krylov_options *k, int iteration) {
  enum { GROUP = 7 }; /* linsolve/krylov/gmres.inl.h */
  const int basis = (iteration - 1) % k->restart + 1, groups = (basis + GROUP - 1) / GROUP;
  switch (k->method) {
    case HP_KRYLOV_BICGSTAB: return 17.0;
    case HP_KRYLOV_TFQMR: return 33.0;
    case HP_KRYLOV_QMR: return 23.0;
    case HP_KRYLOV_CG: return 14.0;
    case HP_KRYLOV_GMRES: return (groups > 1 ? 4.0 : 3.0) * basis + 4.0 * groups + 5.0;
    default: return 0.0; /* of a method that is not counted here */
  }
}

static void count_bytes(const hp_bench_solve_job *B, const hp_linear_report *solver, hp_bench_solve_result *R) {
  const hp_gh *A = B->system.A;
  const hp_krylov_options *k = &R->linear.krylov;
  const double application = R->linear.uses_cpr
                                 ? (double)solver->cpr.apply_bytes
                                 : (double)hp_precond_apply_bytes(A, k->preconditioner, k->ordering, k->precision);
  R->matrix_bytes = (double)R->report.products * (double)hp_gh_bytes(A);
  R->precond_bytes = (double)R->report.applications * application;
  for (int n = 1; n <= R->report.iterations; ++n) R->vector_bytes += vectors_of(k, n) * (double)A->n * sizeof(double);
}

/* ---- what it gave ---- */

typedef struct {
  const hp_gh *A;
  const double *x;
  double *y;
} product;

static void multiply(hp_team *t, void *arg) {
  const product *p = arg;
  hp_gh_mul(t, p->A, p->x, p->y);
}

static hp_status check(hp_bench_solve_job *B, hp_bench_solve_result *R) {
  const hp_system *S = &B->system;
  product p = {S->A, B->x, B->y};
  double r = 0.0, b = 0.0, off = 0.0, run = 0.0;
  HP_TRY(hp_team_run(B->hub, multiply, &p));
  for (int64_t i = 0; i < S->A->n; ++i) {
    const double d = S->b[i] - B->y[i], e = B->x[i] - S->x[i];
    r += d * d;
    b += S->b[i] * S->b[i];
    off += e * e;
    run += S->x[i] * S->x[i];
  }
  R->residual = b > 0.0 ? sqrt(r / b) : sqrt(r);
  R->off = off == 0.0 ? 0.0 : sqrt(off / run);
  R->same = memcmp(B->x, S->x, (size_t)S->A->n * sizeof *B->x) == 0;
  return HP_OK;
}

static hp_status measure_with(hp_bench_solve_job *B, hp_linear_solver *V, hp_bench_solve_result *R) {
  samples T;
  hp_linear_report solver;
  HP_TRY(time_samples(B, V, R, &T));
  HP_TRY(V->ops->report(V, &solver));
  R->launches = solver.launches;
  count_bytes(B, &solver, R);
  return check(B, R);
}

hp_status hp_bench_solve_measure(hp_bench_solve_job *B, hp_bench_solve_result *R) {
  hp_linear_solver *V = NULL;
  hp_device_options device = B->device;
  device.cells = B->system.A->ncell;
  hp_linear_input in = {.A = B->system.A, .options = &R->linear, .hub = B->hub};
  if (B->backend == HP_BACKEND_CUDA) in = (hp_linear_input){.A = in.A, .options = in.options, .opened = &device};
  hp_status s = hp_linear_create(&in, &V);
  if (s == HP_OK) s = measure_with(B, V, R);
  hp_linear_destroy(&V);
  const bool refused = s == HP_ERR_USAGE || s == HP_ERR_UNSUPPORTED || s == HP_ERR_MEMORY;
  if (refused) snprintf(R->why, sizeof R->why, "%s", hp_fail_text());
  return refused ? HP_OK : s;
}
