/* hepta bench amg: four systems, the examples of a paper beside its numbers, and formats of a cycle's rows. */
#include <math.h>
#include <string.h>

#include "bench/amg/amg.h"
#include "core/memory.h"

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
  int iterations;  /* of the paper; 0: it has no such example */
  double cpu, gpu; /* its solves [s]: on a core of a Xeon X5570, and on a Tesla C2050/C2070 */
} example;

/* core: the solve on one core of the CPU [s]. */
static void print_result(const char *where, const hp_amg_bench_result *R, double core) {
  printf("  %-40s %6d %8d %10.3f ", where, R->hierarchy.levels, R->hierarchy.coarsest, R->setup);
  if (R->peer) printf("%10s", "-");
  else printf("%10.3f", R->refresh);
  printf(" %10.4f %6d %8.3f %9.2f%s\n", R->solve, R->report.iterations, R->factor, core / R->solve, mark(R));
  fflush(stdout);
}

static void print_paper(const example *e) {
  if (e->iterations == 0) return;
  printf("  %-40s %38.3f %6d %8s %9.2f\n", "paper: Xeon X5570, one core", e->cpu, e->iterations, "", 1.0);
  printf("  %-40s %38.3f %6d %8s %9.2f\n", "paper: Tesla C2050/C2070", e->gpu, e->iterations, "", e->cpu / e->gpu);
}

/* On one core; on all threads, if they are more; on the GPU; by the peer. */
static hp_status measure_example(hp_amg_bench *B, hp_team_hub *core, const hp_pressure *model) {
  hp_team_hub *const hub = B->hub;
  hp_device *const device = B->device;
  hp_amg_bench_result R, peer;
  char where[160];
  B->device = NULL;
  B->hub = core;
  hp_status s = measure_model(B, model, "poisson", &R, B->beside ? &peer : NULL);
  B->hub = hub;
  const double one = R.solve;
  if (s == HP_OK) print_result("one core of the CPU", &R, one);
  if (s == HP_OK && hp_team_hub_size(hub) > 1) {
    s = measure_model(B, model, "poisson", &R, NULL);
    if (s == HP_OK) print_result(hp_amg_bench_where(B, where, sizeof where), &R, one);
  }
  B->device = device;
  if (s == HP_OK && device != NULL) {
    s = measure_model(B, model, "poisson", &R, NULL);
    if (s == HP_OK) print_result(hp_amg_bench_where(B, where, sizeof where), &R, one);
  }
  if (s == HP_OK && B->beside) print_result(hp_amg_bench_peer_where(B, where, sizeof where), &peer, one);
  return s;
}

static void print_title(const hp_amg_bench *B) {
  static const char kind[] = {'V', 'W', 'F'};
  const hp_amg_options *o = &B->solver.amg;
  printf(
      "Examples of Liu, Yu & Chen 2013 (SPE 163661). They name coarsening and smoother, neither the interpolation of "
      "an\n"
      "example nor its sweeps. Here: %s, %c(%d,%d), ",
      hp_amg_coarsening_name(o->coarsening), kind[o->cycle], o->pre, o->post);
  if (B->solver.stationary) printf("by itself");
  else printf("%s", hp_krylov_method_name(B->solver.method));
  printf(" to %g, at most %d levels%s\n\n", B->solver.tolerance, o->max_levels,
         B->device != NULL && o->coarsening == HP_AMG_RS ? "; RS picks coarse points on the host" : "");
  printf("  %-40s %6s %8s %10s %10s %10s %6s %8s %9s\n", "", "levels", "coarsest", "set-up s", "refresh s", "solve s",
         "its", "factor", "speed-up");
}

static hp_status run_example(hp_amg_bench *B, hp_team_hub *core, const example *e) {
  static const hp_amg_interpolation both[] = {HP_AMG_CLASSICAL, HP_AMG_AVERAGING};
  const hp_amg_interpolation given = B->solver.amg.interpolation;
  hp_status s = HP_OK;
  if (!B->smoother_given) B->solver.amg.smoother = e->smoother;
  for (int n = 0; n < (B->interpolation_given ? 1 : 2) && s == HP_OK; ++n) {
    if (!B->interpolation_given) B->solver.amg.interpolation = both[n];
    printf("%d x %d x %d, %s, %s\n", e->model.nx, e->model.ny, e->model.nz,
           hp_amg_smoother_name(B->solver.amg.smoother), hp_amg_interpolation_name(B->solver.amg.interpolation));
    s = measure_example(B, core, &e->model);
    if (s == HP_OK) print_paper(e);
  }
  B->solver.amg.interpolation = given;
  return s;
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
  hp_team_hub *core = NULL;
  print_title(B);
  hp_status s = hp_team_hub_create(1, NULL, &core);
  for (int n = 0; n < (B->sized ? 2 : 4) && s == HP_OK; ++n) s = run_example(B, core, &examples[n]);
  hp_team_hub_destroy(&core);
  if (s == HP_OK && B->beside) hp_amg_bench_print_peer_choices(B);
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

/* ---- formats of a cycle's rows ---- */

/* Largest difference of x to `first`, over the largest value of that. */
static double difference(const double *first, const double *x, int64_t n) {
  double worst = 0.0, most = 0.0;
  for (int64_t i = 0; i < n; ++i) {
    worst = fmax(worst, fabs(x[i] - first[i]));
    most = fmax(most, fabs(first[i]));
  }
  return most > 0.0 ? worst / most : worst;
}

static hp_status measure_formats(hp_amg_bench *B, hp_amg_bench_system *S, double *first) {
  const size_t bytes = (size_t)S->F->n * sizeof *first;
  bool begun = false, converged = true;
  printf("%-8s %10s %10s %10s %10s %10s %8s %12s\n", "rows", "set-up ms", "refresh ms", "cycle us", "solve ms",
         "iterations", "MB", "difference");
  for (int k = 0; k <= HP_AMG_FORMAT_AUTO; ++k) {
    hp_amg_bench_result R;
    if (!B->chosen[k]) continue;
    B->solver.amg.format = (hp_amg_format_kind)k;
    HP_TRY(hp_amg_bench_measure(B, S, &R));
    if (!begun) memcpy(first, S->x, bytes);
    begun = true;
    printf("%-8s %10.2f %10.2f %10.1f %10.2f %10d %8.1f %12.1e%s\n", hp_amg_format_name(B->solver.amg.format),
           1e3 * R.setup, 1e3 * R.refresh, 1e6 * R.cycle, 1e3 * R.solve, R.report.iterations,
           1e-6 * (double)R.hierarchy.bytes, difference(first, S->x, S->F->n), mark(&R));
    fflush(stdout);
    converged = converged && R.report.reason == HP_KRYLOV_CONVERGED;
  }
  printf("cycle: one alone; difference: of the solution to that of the first row, over its largest value\n");
  return converged ? HP_OK : hp_fail(HP_ERR_NUMERIC, "multigrid: a solve did not converge");
}

hp_status hp_amg_bench_cycle_formats(hp_amg_bench *B, hp_amg_bench_system *S) {
  double *first = NULL;
  HP_TRY(HP_ALLOC(first, S->F->n));
  const hp_status s = measure_formats(B, S, first);
  HP_FREE(first);
  return s;
}
