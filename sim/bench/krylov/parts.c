#include "sim/bench/krylov/parts.h"

#include "core/device/barrier.inl.h"
#include "core/memory.h"
#include "core/profile.h"
#include "linsolve/generators/family.h"
#include "linsolve/product/device.h"
#include "linsolve/product/sparse_mul.inl.h"
#include "linsolve/product/spmv.inl.h"
#include "sim/bench/bench.h"

enum { ROUNDS = 2000, FEW_ROUNDS = 20, TIMES = 5 };

/* ---- operations ---- */

/* Sums of products and updates a row: 2 operations for each term. */
static double vector_flops(hp_krylov_method method, int restart) {
  switch (method) {
    case HP_KRYLOV_CG: return 12.0;    /* 3 sums, 3 updates */
    case HP_KRYLOV_TFQMR: return 28.0; /* Saad, algorithm 7.8, two half steps */
    case HP_KRYLOV_QMR: return 35.0;   /* 5 sums, 9 updates, 7 scalings (Al-Mouhamed & Khan 2017, section 6.6) */
    case HP_KRYLOV_GMRES:
      return 2.0 * restart + 7.0; /* mean of Gram-Schmidt's over a restart, norm, scaling, solution */
    default: return 22.0;         /* BiCG-Stab: 5 sums, 6 updates */
  }
}

double hp_bench_krylov_flops(hp_krylov_method method, int restart, double products, int64_t entries, int64_t rows) {
  return 2.0 * products * (double)entries + vector_flops(method, restart) * (double)rows;
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
static hp_status time_on_cpu(const hp_bench_place *place, job *j, hp_bench_krylov_parts *out) {
  const double wanted = 5e-3;
  double sample[TIMES], first;
  int count;
  HP_TRY(hp_bench_place_time(place, multiply, j, false, 0.05, &out->product, &count));
  HP_TRY(time_barrier(place, FEW_ROUNDS, &first)); /* warms up */
  count = first * ROUNDS < wanted ? ROUNDS : first * FEW_ROUNDS > wanted ? FEW_ROUNDS : (int)(wanted / first);
  for (int n = 0; n < TIMES; ++n) HP_TRY(time_barrier(place, count, &sample[n]));
  out->barrier = hp_bench_median(sample, TIMES);
  return HP_OK;
}

static hp_status time_on_gpu(const hp_bench_place *place, const job *j, bool in_kernel, hp_bench_krylov_parts *out) {
  hp_spmv_job product = {
      .A = j->A, .F = j->B == NULL ? j->F : NULL, .B = j->B, .x = j->x, .y = j->y, .time_limit = 0.05};
  if (j->F != NULL && j->F->half != NULL && j->F->kind == HP_SPARSE_GH) {
    product.F = NULL;
    product.H = j->F->half;
  }
  HP_TRY(hp_spmv_device_measure(place->device, &product));
  out->product = product.seconds;
  return in_kernel ? hp_device_time_barrier(place->device, HP_BARRIER_BARE, ROUNDS, &out->barrier) : HP_OK;
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
