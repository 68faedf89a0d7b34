/* Multigrid on a GPU. */
#include "bench/multigrid/multigrid.h"

#include <stdio.h>
#include <string.h>

#include "bench/multigrid/device.h"
#include "core/memory.h"
#include "core/profile.h"
#include "linsolve/matrix/device.h"

enum { CYCLES = 20 /* that are timed together */ };

typedef struct {
  hp_multigrid base;
  hp_device *D;
  hp_amg_solver_options opt;
  hp_gh A;       /* on the device, as the two */
  double *b, *x; /* [A.n] */
  hp_amg_device_solver *K;
  double setup, solve; /* [s] */
} gpu;

static void destroy(hp_multigrid **slot) {
  gpu *C = (gpu *)*slot;
  hp_amg_device_solver_destroy(&C->K);
  HP_DEVICE_FREE(C->D, C->b);
  HP_DEVICE_FREE(C->D, C->x);
  hp_gh_device_free(C->D, &C->A);
  HP_FREE(*slot);
}

static hp_status build(hp_multigrid *S) {
  gpu *C = (gpu *)S;
  const double began = hp_now();
  HP_TRY(hp_amg_device_solver_build(C->K));
  HP_TRY(hp_device_sync(C->D));
  C->setup = hp_now() - began;
  return HP_OK;
}

static hp_status refresh(hp_multigrid *S) {
  gpu *C = (gpu *)S;
  const double began = hp_now();
  HP_TRY(hp_amg_device_solver_refresh(C->K));
  HP_TRY(hp_device_sync(C->D));
  C->setup = hp_now() - began;
  return HP_OK;
}

static hp_status solve(hp_multigrid *S, const double *b, double *x, double *history, hp_krylov_report *report) {
  gpu *C = (gpu *)S;
  const int64_t bytes = C->A.n * (int64_t)sizeof *b;
  HP_TRY(hp_device_upload(C->D, C->b, b, bytes));
  HP_TRY(hp_device_sync(C->D));
  const double began = hp_now();
  HP_TRY(hp_amg_device_solver_solve(C->K, C->b, C->x, history, report));
  C->solve = hp_now() - began;
  return hp_device_download(C->D, x, C->x, bytes);
}

static void seconds(const hp_multigrid *S, double *setup, double *solved) {
  const gpu *C = (const gpu *)S;
  if (setup != NULL) *setup = C->setup;
  if (solved != NULL) *solved = C->solve;
}

static void report(hp_multigrid *S, hp_multigrid_report *out) {
  const gpu *C = (const gpu *)S;
  const hp_amg_device *H = hp_amg_device_solver_hierarchy(C->K);
  double entries = 0.0, rows = 0.0;
  out->levels = hp_amg_device_levels(H);
  for (int l = 0; l < out->levels; ++l) {
    entries += (double)hp_amg_device_get_level(H, l)->A.count;
    rows += hp_amg_device_get_level(H, l)->A.at.nrow;
  }
  out->coarsest = hp_amg_device_get_level(H, out->levels - 1)->A.at.nrow;
  out->operators = entries / (double)hp_amg_device_get_level(H, 0)->A.count;
  out->grids = rows / hp_amg_device_get_level(H, 0)->A.at.nrow;
  out->bytes = hp_amg_device_solver_bytes(C->K);
}

/* ---- levels, passes and parts ---- */

/* Device time of a cycle for the latest right-hand side, its launch included. */
static hp_status cycle(hp_multigrid *S, double *time) {
  const gpu *C = (const gpu *)S;
  HP_TRY(hp_amg_device_solver_cycle(C->K, C->b, C->x));
  HP_TRY(hp_device_mark(C->D, 0));
  for (int n = 0; n < CYCLES; ++n) HP_TRY(hp_amg_device_solver_cycle(C->K, C->b, C->x));
  HP_TRY(hp_device_mark(C->D, 1));
  HP_TRY(hp_device_elapsed(C->D, 0, 1, time));
  *time /= CYCLES;
  return HP_OK;
}

/* A pass ends with a barrier of the whole device: the price of smoothers that go by groups of rows. */
static void print_passes(const gpu *C) {
  const hp_amg_device_cycle *cycle = hp_amg_device_solver_get_cycle(C->K);
  const hp_amg_smoother smoother = C->opt.amg.smoother;
  printf("\n%d passes per cycle; of a sweep of %s, by level:", hp_amg_device_cycle_passes(cycle),
         hp_amg_smoother_name(smoother));
  for (int l = 0; l + 1 < hp_amg_device_levels(hp_amg_device_solver_hierarchy(C->K)); ++l)
    printf(" %d", hp_amg_device_cycle_sweep_passes(cycle, l));
  if (hp_amg_device_smoother_on_host(smoother)) printf("; its groups are made on the host, from a copy of every level");
}

static hp_status print(hp_multigrid *S) {
  gpu *C = (gpu *)S;
  hp_amg_device *H = hp_amg_device_solver_hierarchy(C->K);
  hp_amg_device_watch(H, true);
  HP_TRY(build(S));
  hp_amg_device_watch(H, false);
  printf("level     rows     entries/row  complexity      MB   time by part [us]:");
  for (int p = 0; p < HP_AMG_DEVICE_PHASE_COUNT; ++p)
    printf("%s %s", p > 0 ? "," : "", hp_amg_device_phase_name((hp_amg_device_phase)p));
  for (int l = 0; l < hp_amg_device_levels(H); ++l) {
    const hp_csr_device *A = &hp_amg_device_get_level(H, l)->A;
    printf("\n%5d %8d %11lld %5.1f %11.3f %7.1f  ", l, A->at.nrow, (long long)A->count, (double)A->count / A->at.nrow,
           (double)A->count / (double)hp_amg_device_get_level(H, 0)->A.count,
           1e-6 * (double)hp_amg_device_level_bytes(H, l));
    for (int p = 0; p < HP_AMG_DEVICE_PHASE_COUNT; ++p)
      printf(" %6.0f", 1e6 * hp_amg_device_time(H, l, (hp_amg_device_phase)p));
  }
  double time;
  HP_TRY(cycle(S, &time));
  print_passes(C);
  const double cells = hp_amg_device_get_level(H, 0)->A.at.nrow;
  printf("\n%sone cycle %.1f us\n",
         hp_amg_device_coarsens_on_host(H) ? "coarse points are picked on the host, from a copy of every level; " : "",
         1e6 * time);
  printf(
      "bytes per cell: hierarchy %.0f, while it is set up %.0f at most (allocated %.0f), with cycles and method "
      "%.0f\n",
      (double)hp_amg_device_bytes(H) / cells, (double)hp_amg_device_peak_bytes(H) / cells,
      (double)hp_amg_device_pool_bytes(H) / cells, (double)hp_amg_device_solver_bytes(C->K) / cells);
  return HP_OK;
}

static const hp_multigrid_ops gpu_ops = {.destroy = destroy,
                                         .build = build,
                                         .refresh = refresh,
                                         .solve = solve,
                                         .cycle = cycle,
                                         .seconds = seconds,
                                         .report = report,
                                         .print = print};

static hp_status create(const hp_gh *G, gpu *C) {
  HP_TRY(hp_gh_device_upload(C->D, G, &C->A));
  HP_TRY(HP_DEVICE_ALLOC(C->D, C->b, G->n));
  HP_TRY(HP_DEVICE_ALLOC(C->D, C->x, G->n));
  HP_TRY(hp_amg_device_solver_create(C->D, &C->A, &C->opt, &C->K));
  return build(&C->base);
}

hp_status hp_multigrid_device_create(const hp_multigrid_input *in, hp_multigrid **out) {
  gpu *C = NULL;
  if (in->G == NULL)
    return hp_fail(HP_ERR_USAGE, "--backend cuda takes the model problems; a matrix from a file runs on the CPU");
  HP_TRY(HP_ALLOC(C, 1));
  C->base.ops = &gpu_ops;
  C->D = in->D;
  C->opt = *in->options;
  *out = &C->base;
  const hp_status s = create(in->G, C);
  if (s != HP_OK) hp_multigrid_destroy(out);
  return s;
}
