/* hepta bench amg on a GPU. */
#include <math.h>
#include <string.h>

#include "amg/solver/device.h"
#include "core/memory.h"
#include "core/profile.h"
#include "linsolve/krylov/device.h"
#include "sim/bench/amg.h"
#include "sim/bench/bench.h"

typedef struct {
  hp_gh A; /* on the device, as the two */
  double *b, *x;
  hp_amg_device_solver *K;
} on_device;

static hp_status copy(hp_device *D, const hp_amg_bench *B, const hp_amg_bench_system *S, on_device *d) {
  const int64_t bytes = S->G->n * (int64_t)sizeof(double);
  HP_TRY(hp_gh_to_device(D, S->G, &d->A));
  HP_TRY(HP_DEVICE_ALLOC(D, d->b, S->G->n));
  HP_TRY(HP_DEVICE_ALLOC(D, d->x, S->G->n));
  HP_TRY(hp_device_upload(D, d->b, S->b, bytes));
  return hp_amg_device_solver_create(D, &d->A, &B->solver, &d->K);
}

static hp_status build(hp_device *D, hp_amg_device_solver *K) {
  HP_TRY(hp_amg_device_solver_build(K));
  return hp_device_sync(D);
}

static hp_status refresh(hp_device *D, hp_amg_device_solver *K) {
  HP_TRY(hp_amg_device_solver_refresh(K));
  return hp_device_sync(D);
}

static hp_status run_samples(const hp_amg_bench *B, const on_device *d, double *history, hp_amg_bench_result *R) {
  double time[HP_AMG_BENCH_SAMPLES];
  HP_TRY(build(B->device, d->K)); /* finds the memory that the others work in */
  for (int n = 0; n < B->samples; ++n) {
    const double start = hp_now();
    HP_TRY(build(B->device, d->K));
    time[n] = hp_now() - start;
  }
  R->setup = hp_bench_median(time, B->samples);
  for (int n = 0; n < B->samples; ++n) {
    const double start = hp_now();
    HP_TRY(refresh(B->device, d->K));
    time[n] = hp_now() - start;
  }
  R->refresh = hp_bench_median(time, B->samples);
  for (int n = 0; n < B->samples; ++n) {
    const double start = hp_now();
    HP_TRY(hp_amg_device_solver_solve(d->K, d->b, d->x, history, &R->report));
    time[n] = hp_now() - start;
  }
  R->solve = hp_bench_median(time, B->samples);
  return HP_OK;
}

static void describe(const on_device *d, const double *history, hp_amg_bench_result *R) {
  const hp_amg_device *H = hp_amg_device_solver_hierarchy(d->K);
  const int k = R->report.iterations;
  double entries = 0.0, rows = 0.0;
  R->levels = hp_amg_device_levels(H);
  for (int l = 0; l < R->levels; ++l) {
    entries += (double)hp_amg_device_get_level(H, l)->A.count;
    rows += hp_amg_device_get_level(H, l)->A.at.nrow;
  }
  R->coarsest = hp_amg_device_get_level(H, R->levels - 1)->A.at.nrow;
  R->operators = entries / (double)hp_amg_device_get_level(H, 0)->A.count;
  R->grids = rows / hp_amg_device_get_level(H, 0)->A.at.nrow;
  R->bytes = hp_amg_device_solver_bytes(d->K);
  R->factor = k > 0 ? pow(history[k], 1.0 / k) : 0.0;
}

/* Device time of a cycle, its launch included. */
static hp_status time_cycle(hp_device *D, const on_device *d, double *seconds) {
  enum { CYCLES = 20 };
  HP_TRY(hp_amg_device_solver_cycle(d->K, d->b, d->x));
  HP_TRY(hp_device_mark(D, 0));
  for (int n = 0; n < CYCLES; ++n) HP_TRY(hp_amg_device_solver_cycle(d->K, d->b, d->x));
  HP_TRY(hp_device_mark(D, 1));
  HP_TRY(hp_device_elapsed(D, 0, 1, seconds));
  *seconds /= CYCLES;
  return HP_OK;
}

/* A pass ends with a barrier of the whole device: the price of smoothers that go by groups of rows. */
static void print_passes(const hp_amg_bench *B, const on_device *d) {
  const hp_amg_device_cycle *C = hp_amg_device_solver_get_cycle(d->K);
  const hp_amg_smoother smoother = B->solver.amg.smoother;
  printf("\n%d passes per cycle; of a sweep of %s, by level:", hp_amg_device_cycle_passes(C),
         hp_amg_smoother_name(smoother));
  for (int l = 0; l + 1 < hp_amg_device_levels(hp_amg_device_solver_hierarchy(d->K)); ++l)
    printf(" %d", hp_amg_device_cycle_sweep_passes(C, l));
  if (hp_amg_device_smoother_on_host(smoother)) printf("; its groups are made on the host, from a copy of every level");
}

/* One more build, watched. */
static hp_status view(const hp_amg_bench *B, const on_device *d) {
  hp_amg_device *H = hp_amg_device_solver_hierarchy(d->K);
  hp_amg_device_watch(H, true);
  HP_TRY(build(B->device, d->K));
  hp_amg_device_watch(H, false);
  printf("level     rows     entries/row  complexity      MB   time by part [us]:");
  for (int p = 0; p < HP_AMG_DEVICE_PART_COUNT; ++p)
    printf("%s %s", p > 0 ? "," : "", hp_amg_device_part_name((hp_amg_device_part)p));
  for (int l = 0; l < hp_amg_device_levels(H); ++l) {
    const hp_csr_device *A = &hp_amg_device_get_level(H, l)->A;
    printf("\n%5d %8d %11lld %5.1f %11.3f %7.1f  ", l, A->at.nrow, (long long)A->count, (double)A->count / A->at.nrow,
           (double)A->count / (double)hp_amg_device_get_level(H, 0)->A.count,
           1e-6 * (double)hp_amg_device_level_bytes(H, l));
    for (int p = 0; p < HP_AMG_DEVICE_PART_COUNT; ++p)
      printf(" %6.0f", 1e6 * hp_amg_device_time(H, l, (hp_amg_device_part)p));
  }
  double cycle;
  HP_TRY(time_cycle(B->device, d, &cycle));
  print_passes(B, d);
  const double cells = hp_amg_device_get_level(H, 0)->A.at.nrow;
  printf("\n%sone cycle %.1f us\n",
         hp_amg_device_coarsens_on_host(H) ? "coarse points are picked on the host, from a copy of every level; " : "",
         1e6 * cycle);
  printf(
      "bytes per cell: hierarchy %.0f, while it is set up %.0f at most (allocated %.0f), with cycles and method "
      "%.0f\n",
      (double)hp_amg_device_bytes(H) / cells, (double)hp_amg_device_peak_bytes(H) / cells,
      (double)hp_amg_device_pool_bytes(H) / cells, (double)hp_amg_device_solver_bytes(d->K) / cells);
  return HP_OK;
}

hp_status hp_amg_bench_measure_on_gpu(const hp_amg_bench *B, hp_amg_bench_system *S, hp_amg_bench_result *R) {
  on_device d;
  double *history = NULL;
  memset(R, 0, sizeof *R);
  memset(&d, 0, sizeof d);
  if (S->G == NULL)
    return hp_fail(HP_ERR_USAGE, "--backend cuda takes the model problems; a matrix from a file runs on the CPU");
  hp_status s = copy(B->device, B, S, &d);
  if (s == HP_OK) s = HP_ALLOC(history, (int64_t)B->solver.max_iterations + 1);
  if (s == HP_OK) s = run_samples(B, &d, history, R);
  if (s == HP_OK) describe(&d, history, R);
  if (s == HP_OK) s = hp_device_download(B->device, S->x, d.x, S->G->n * (int64_t)sizeof(double));
  if (s == HP_OK && B->view) s = view(B, &d);
  hp_amg_device_solver_destroy(&d.K);
  HP_DEVICE_FREE(B->device, d.b);
  HP_DEVICE_FREE(B->device, d.x);
  hp_gh_device_free(B->device, &d.A);
  HP_FREE(history);
  return s;
}
