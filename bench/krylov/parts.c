#include "bench/krylov/parts.h"
#include "bench/barrier.inl.h"

#include "bench/bench.h"
#include "bench/generators/family.h"
#include "bench/product/device.h"
#include "core/memory.h"
#include "core/profile.h"
#include "linsolve/krylov/gmres.inl.h"
#include "linsolve/product/sparse_mul.inl.h"
#include "linsolve/product/spmv.inl.h"

enum { ROUNDS = 2000, FEW_ROUNDS = 20, TIMES = 5 };

/* ---- operations ---- */

/* GMRES: `steps` steps from an empty basis, and the update of x. A step makes its vector orthogonal to j+1 others twice, in passes
 * with a group of them and the vector's own square, and scales it. */
static double gmres_operations(int64_t steps) {
  double sum = 0.0;
  for (int64_t j = 0; j < steps; ++j) sum += 8.0 * (double)(j + 1) + 4.0 * (double)(j / HP_GMRES_GROUP + 1) + 1.0;
  return steps > 0 ? sum + 2.0 * (double)steps + 2.0 : 0.0; /* and the first vector, and x */
}

enum { START = 2, RESIDUAL = 3 }; /* |b|; b - A x and its norm */

double hp_bench_krylov_vector_operations(hp_krylov_method method, int restart) {
  switch (method) {
    case HP_KRYLOV_CG: return 24.0;    /* 8 sums, 4 updates */
    case HP_KRYLOV_TFQMR: return 30.0; /* 5 sums, 10 updates */
    case HP_KRYLOV_QMR: return 33.0;   /* 8 sums, 7 updates, 3 scalings */
    case HP_KRYLOV_GMRES: return (gmres_operations(restart) + RESIDUAL) / restart;
    default: return 26.0; /* BiCG-Stab: 7 sums, 6 updates */
  }
}

double hp_bench_krylov_solve_operations(hp_krylov_method method, int restart, int64_t iterations, int64_t restarts) {
  if (method == HP_KRYLOV_GMRES) {
    const int64_t full = iterations / restart, rest = iterations % restart;
    return START + (double)full * (gmres_operations(restart) + RESIDUAL) +
           (rest > 0 ? gmres_operations(rest) + RESIDUAL : 0.0);
  }
  const double begin = method == HP_KRYLOV_QMR ? 1.0 : 0.0; /* its first p */
  return START + hp_bench_krylov_vector_operations(method, restart) * (double)iterations +
         (begin + RESIDUAL) * (double)(restarts + 1);
}

double hp_bench_krylov_flops(double products, int64_t entries, double vector_operations, int64_t rows) {
  return 2.0 * products * (double)entries + vector_operations * (double)rows;
}

/* ---- times ---- */

typedef struct {
  const hp_gh *A;
  const hp_sparse *F;
  const hp_bsr *B;
  double *x, *y; /* [n] */
} job;

static void multiply(hp_team *t, void *arg) {
  const job *j = arg;
  hp_team_split(t, j->A->rows, j->A->n);
  if (j->F != NULL) hp_sparse_mul(t, j->F, j->A, j->x, j->y);
  else hp_gh_mul(t, j->A, j->x, j->y);
}

static void rounds(hp_team *t, void *arg) { hp_barrier_rounds(t, arg); }

static hp_status time_barrier(const hp_bench_place *place, int count, double *seconds) {
  double sums[HP_BARRIER_OUT];
  hp_barrier_args args = {HP_BARRIER_BARE, count, 0, sums};
  const double start = hp_now();
  HP_TRY(hp_team_run(place->hub, rounds, &args));
  *seconds = (hp_now() - start) / count;
  return HP_OK;
}

/* Samples of some milliseconds: a team larger than its processors has slow barriers, and needs few of them. */
hp_status hp_bench_krylov_time_barrier(const hp_bench_place *place, double *seconds) {
  const double wanted = 5e-3;
  double sample[TIMES], first;
  int count;
  if (place->device != NULL) return hp_device_time_barrier(place->device, HP_BARRIER_BARE, ROUNDS, seconds);
  HP_TRY(time_barrier(place, FEW_ROUNDS, &first)); /* warms up */
  count = first * ROUNDS < wanted ? ROUNDS : first * FEW_ROUNDS > wanted ? FEW_ROUNDS : (int)(wanted / first);
  for (int n = 0; n < TIMES; ++n) HP_TRY(time_barrier(place, count, &sample[n]));
  *seconds = hp_bench_median(sample, TIMES);
  return HP_OK;
}

static hp_status time_on_cpu(const hp_bench_place *place, job *j, hp_bench_krylov_parts *out) {
  int count;
  HP_TRY(hp_bench_place_time(place, multiply, j, false, 0.05, &out->product, &count));
  return hp_bench_krylov_time_barrier(place, &out->barrier);
}

static hp_status time_on_gpu(const hp_bench_place *place, const job *j, bool in_kernel, hp_bench_krylov_parts *out) {
  hp_spmv_job product = {
      .A = j->A, .F = j->B == NULL ? j->F : NULL, .B = j->B, .x = j->x, .y = j->y, .time_limit = 0.05};
  if (j->F != NULL && j->F->other != NULL && j->F->kind == HP_SPARSE_GH) {
    product.F = NULL;
    product.H = (const hp_half *)j->F->other->self;
  }
  HP_TRY(hp_spmv_device_measure(place->device, &product));
  out->product = product.seconds;
  return in_kernel ? hp_bench_krylov_time_barrier(place, &out->barrier) : HP_OK;
}

hp_status hp_bench_krylov_time_parts(const hp_bench_place *place, const hp_gh *A, const hp_sparse *F, const hp_bsr *B,
                                     bool in_kernel, hp_bench_krylov_parts *out) {
  job j = {A, F, B, NULL, NULL};
  *out = (hp_bench_krylov_parts){0.0, 0.0};
  hp_status s = HP_ALLOC(j.x, A->n);
  if (s == HP_OK) s = HP_ALLOC(j.y, A->n);
  if (s == HP_OK) hp_family_vector(1, A->n, j.x);
  if (s == HP_OK) s = place->device != NULL ? time_on_gpu(place, &j, in_kernel, out) : time_on_cpu(place, &j, out);
  HP_FREE(j.x);
  HP_FREE(j.y);
  return s;
}
