/* Up to which size a level of multigrid is for the first of several GPUs alone: hp_tune_levels. */
#include <string.h>

#include "bench/bench.h"
#include "bench/generators/family.h"
#include "bench/generators/pressure.h"
#include "bench/multigrid/multigrid.h"
#include "bench/tuning/tune.h"
#include "core/memory.h"

enum { WARM = 2 /* solves before those that count */ };

static const int limits[] = {HP_ONE_GPU_ROWS, 0, 4096, 16384, 32768, 131072, 262144, 524288, 1 << 20};

/* A pressure system with rock that varies as a reservoir's; x of the first limit. */
typedef struct {
  hp_device *D;
  const hp_tune_options *opt;
  hp_gh *G;
  double *b, *x, *expected;
} system_of;

static hp_status create(const int size[3], system_of *P) {
  const hp_pressure p = {.nx = size[0],
                         .ny = size[1],
                         .nz = size[2],
                         .sigma = 2.5,
                         .vertical = 1.0,
                         .storage = 1e-3,
                         .seed = P->opt->search.seed};
  HP_TRY(hp_pressure_create(&p, &P->G));
  HP_TRY(HP_ALLOC(P->b, P->G->n));
  HP_TRY(HP_ALLOC(P->x, P->G->n));
  HP_TRY(HP_ALLOC(P->expected, P->G->n));
  hp_family_vector(p.seed + 7, P->G->n, P->b);
  return HP_OK;
}

static void release(system_of *P) {
  hp_gh_destroy(&P->G);
  HP_FREE(P->b);
  HP_FREE(P->x);
  HP_FREE(P->expected);
}

/* Median of the seconds an iteration. */
static hp_status time_solves(system_of *P, hp_multigrid *K, double *seconds) {
  double sample[HP_SEARCH_ROUNDS_MAX];
  const int rounds = P->opt->search.rounds;
  HP_TRY(K->ops->build(K));
  for (int n = -WARM; n < rounds; ++n) {
    hp_krylov_report report;
    double solve;
    HP_TRY(K->ops->solve(K, P->b, P->x, NULL, &report));
    K->ops->seconds(K, NULL, &solve);
    if (n >= 0) sample[n] = solve / (report.iterations > 0 ? report.iterations : 1);
  }
  *seconds = hp_bench_median(sample, rounds);
  return HP_OK;
}

/* As `cpr` has it on a GPU. */
static hp_status measure(system_of *P, int rows, double *seconds) {
  hp_amg_solver_options opt = {.amg = hp_amg_default_options(),
                               .method = HP_KRYLOV_BICGSTAB,
                               .restart = 1,
                               .tolerance = 1e-6,
                               .max_iterations = 500};
  opt.amg.smoother = HP_AMG_DAMPED_JACOBI;
  opt.amg.precision = HP_PRECISION_SINGLE;
  opt.amg.one_gpu_rows = rows;
  const hp_multigrid_input in = {.G = P->G, .options = &opt, .D = P->D};
  hp_multigrid *K = NULL;
  hp_status s = hp_multigrid_create(&in, &K);
  if (s == HP_OK) s = time_solves(P, K, seconds);
  hp_multigrid_destroy(&K);
  return s;
}

static hp_status choose(system_of *P, hp_tune_rows *out) {
  const size_t bytes = (size_t)P->G->n * sizeof *P->x;
  for (size_t n = 0; n < sizeof limits / sizeof *limits; ++n) {
    double seconds;
    HP_TRY(measure(P, limits[n], &seconds));
    if (n == 0) {
      memcpy(P->expected, P->x, bytes);
      *out = (hp_tune_rows){limits[n], seconds, seconds};
    }
    if (memcmp(P->expected, P->x, bytes) != 0)
      return hp_fail(HP_ERR_INTERNAL, "results change with the size of levels that the first GPU has alone: %d rows",
                     limits[n]);
    if (seconds < 0.99 * out->default_seconds && seconds < out->seconds) {
      out->rows = limits[n];
      out->seconds = seconds;
    }
  }
  return HP_OK;
}

hp_status hp_tune_levels(hp_device *D, const int size[3], const hp_tune_options *opt, hp_tune_rows *out) {
  system_of P = {.D = D, .opt = opt};
  memset(out, 0, sizeof *out);
  if (opt->search.rounds < 1 || opt->search.rounds > HP_SEARCH_ROUNDS_MAX)
    return hp_fail(HP_ERR_USAGE, "%d rounds: 1 to %d are measured", opt->search.rounds, (int)HP_SEARCH_ROUNDS_MAX);
  hp_status s = create(size, &P);
  if (s == HP_OK) s = choose(&P, out);
  release(&P);
  return s;
}
