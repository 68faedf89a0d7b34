/* hepta bench amg: four systems, and the examples of a paper beside its numbers. */
#include "sim/bench/amg.h"

/* peer: NULL, or the result of B->peer. */
static hp_status measure_model(hp_amg_bench *B, const hp_pressure *model, const char *problem, hp_amg_bench_result *R,
                               hp_amg_bench_result *peer) {
  hp_amg_bench_system S;
  B->model = *model;
  B->problem = problem;
  HP_TRY(hp_amg_bench_system_create(B, &S));
  hp_status s = hp_amg_bench_measure(B, &S, R);
  if (s == HP_OK) hp_amg_bench_csv(B, &S, R);
  if (s == HP_OK && peer != NULL) {
    s = hp_amg_bench_measure_peer(B, &S, peer);
    if (s == HP_OK) hp_amg_bench_csv(B, &S, peer);
  }
  hp_amg_bench_system_free(&S);
  return s;
}

static const char *mark(const hp_amg_bench_result *R) {
  return R->report.reason == HP_KRYLOV_CONVERGED ? "" : " (not converged)";
}

/* ---- Liu, Yu & Chen 2013 ---- */

typedef struct example {
  hp_pressure model;
  hp_amg_smoother smoother;
  int iterations;
  double cpu, gpu; /* s */
} example;

static void print_example(const hp_amg_bench *B, const example *e, const hp_amg_bench_result *R) {
  char grid[32];
  snprintf(grid, sizeof grid, "%d x %d x %d", e->model.nx, e->model.ny, e->model.nz);
  printf("%-16s %-13s %6d %8d %10.3f %10.3f %10.3f %6d %8.3f |", B->device != NULL ? "  on the GPU" : grid,
         hp_amg_smoother_name(B->solver.amg.smoother), R->levels, R->coarsest, R->setup, R->refresh, R->solve,
         R->report.iterations, R->factor);
  if (e->iterations > 0) printf(" %6d %8.3f %8.3f", e->iterations, e->cpu, e->gpu);
  printf("%s\n", mark(R));
  fflush(stdout);
}

hp_status hp_amg_bench_paper(hp_amg_bench *B) {
  static const example of_paper[] = {
      {{1000, 1000, 1, .vertical = 1.0, .open = true, .seed = 1}, HP_AMG_DAMPED_JACOBI, 36, 12.261, 1.305},
      {{1500, 1500, 1, .vertical = 1.0, .open = true, .seed = 1}, HP_AMG_L1_JACOBI, 31, 24.501, 2.584},
      {{100, 100, 100, .vertical = 1.0, .open = true, .seed = 1}, HP_AMG_DAMPED_JACOBI, 21, 10.8, 1.127},
      {{130, 130, 130, .vertical = 1.0, .open = true, .seed = 1}, HP_AMG_L1_JACOBI, 25, 37.86, 3.02},
  };
  const hp_pressure sized = {B->model.nx, B->model.ny, B->model.nz, .vertical = 1.0, .open = true, .seed = 1};
  const example of_size[] = {{sized, HP_AMG_DAMPED_JACOBI, 0, 0.0, 0.0}, {sized, HP_AMG_L1_JACOBI, 0, 0.0, 0.0}};
  const example *examples = B->sized ? of_size : of_paper;
  const int count = B->sized ? 2 : 4;
  char where[160];
  hp_device *const device = B->device;
  B->device = NULL;
  printf("Examples of Liu, Yu & Chen 2013 (SPE 163661), to %g; %s", B->solver.tolerance,
         hp_amg_bench_where(B, where, sizeof where));
  B->device = device;
  if (device != NULL)
    printf(" and %s, for which RS picks coarse points on the host", hp_amg_bench_where(B, where, sizeof where));
  printf("\nHere: ");
  hp_amg_bench_print_choices(&B->solver, false);
  printf("%-16s %-13s %6s %8s %10s %10s %10s %6s %8s |%s\n", "grid", "smoother", "levels", "coarsest", "set-up s",
         "refresh s", "solve s", "its", "factor", B->sized ? "" : "  paper    CPU s    GPU s");
  hp_status s = HP_OK;
  for (int n = 0; n < count && s == HP_OK; ++n) {
    if (!B->smoother_given) B->solver.amg.smoother = examples[n].smoother;
    for (int where_to = 0; where_to < (device != NULL ? 2 : 1) && s == HP_OK; ++where_to) {
      hp_amg_bench_result R;
      B->device = where_to == 1 ? device : NULL;
      s = measure_model(B, &examples[n].model, "poisson", &R, NULL);
      if (s == HP_OK) print_example(B, &examples[n], &R);
    }
  }
  B->device = device;
  return s;
}

/* ---- four systems ---- */

hp_status hp_amg_bench_four(hp_amg_bench *B) {
  static const struct {
    const char *problem;
    hp_pressure model;
  } systems[] = {
      {"poisson", {100, 100, 100, .vertical = 1.0, .open = true, .seed = 1}},
      {"poisson", {130, 130, 130, .vertical = 1.0, .open = true, .seed = 1}},
      {"lognormal", {60, 220, 85, .sigma = 2.5, .vertical = 1.0, .storage = 1e-3, .seed = 1}},
      {"poisson", {256, 256, 256, .vertical = 1.0, .open = true, .seed = 1}},
  };
  char where[160];
  printf("7-point pressure systems; %s. Times in ms. Here: ", hp_amg_bench_where(B, where, sizeof where));
  hp_amg_bench_print_choices(&B->solver, true);
  printf("%-24s %10s %10s %10s %10s\n", "system", "set-up", "refresh", "solve", "iterations");
  for (size_t n = 0; n < sizeof systems / sizeof *systems; ++n) {
    hp_amg_bench_result R, peer;
    const hp_pressure *m = &systems[n].model;
    char name[48];
    HP_TRY(measure_model(B, m, systems[n].problem, &R, B->beside ? &peer : NULL));
    snprintf(name, sizeof name, "%s %dx%dx%d", systems[n].problem, m->nx, m->ny, m->nz);
    printf("%-24s %10.1f %10.1f %10.1f %10d%s\n", name, 1e3 * R.setup, 1e3 * R.refresh, 1e3 * R.solve,
           R.report.iterations, mark(&R));
    if (B->beside)
      printf("%-24s %10.1f %10s %10.1f %10d%s\n", "  hypre", 1e3 * peer.setup, "-", 1e3 * peer.solve,
             peer.report.iterations, mark(&peer));
    fflush(stdout);
  }
  if (B->beside) {
    printf("%s\n", hp_amg_bench_peer_where(B, where, sizeof where));
    hp_amg_bench_print_peer_choices(B);
  }
  return HP_OK;
}
