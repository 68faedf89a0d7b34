/* hepta bench solve: choices of the linear solver side by side on systems that real runs had to solve. */
#define _POSIX_C_SOURCE 200809L
#include <getopt.h>
#include <math.h>
#include <string.h>

#include "bench/args.h"
#include "bench/bench.h"
#include "bench/product/device.h"
#include "bench/solve/solve.h"
#include "core/memory.h"
#include "core/profile.h"
#include "sim/cli/child.h"
#include "sim/cli/cli.h"

static const char help[] =
    "usage: hepta bench solve FILE... [options]\n\n"
    "Solves linear systems that 'hepta run DECK --dump-systems NAME' wrote, with every choice of the lists.\n\n"
    "      --method LIST          bicgstab, gmres, tfqmr, qmr, cg (default bicgstab)\n"
    "      --preconditioner LIST  none, jacobi, block-jacobi, dilu, cpr, cpr-hypre: with hypre's multigrid\n"
    "                             (default dilu,cpr)\n"
    "      --ordering LIST        natural, red-black, bricks: of dilu, also as cpr's second stage (default the\n"
    "                             backend's own)\n"
    "      --execution LIST       in-kernel, per-operation, graph, library (default in-kernel;\n"
    "                             all but the first on a GPU only)\n"
    "      --tolerance X          relative to |b| (default that of the run)\n"
    "      --iterations N         at most (default 200)\n"
    "      --samples N            set-ups, refreshes and solves, 1 to 100 (default 5): medians, ranges beneath\n"
    "      --backend NAME         cpu or cuda (default cpu)\n"
    "      --gpus LIST            GPUs that work as one: how many, their numbers as in 0,1 (one\n"
    "                             may stand twice), or all (default 1)\n"
    "      --threads N            of the CPU (default one per processor)\n"
    "      --csv FILE             also as a table of comma-separated values\n"
    "      --json[=FILE]          also as JSON objects, one per line, to FILE or standard output (then the table\n"
    "                             goes to standard error)\n"
    "  -h, --help\n\n"
    "Columns: set-up: all of the preconditioner; refresh: cpr's numbers in its pattern, as once per time step;\n"
    "factors: what every system pays; barriers of the team; MB: moved at least, GB/s with that, beside a copy\n"
    "measured here; |r|/|b|: of b - A x, computed again from x. A choice that does not converge, or does not\n"
    "run, is a row that says why (docs/reference/solvers.md). Exit codes: 0 done, 2 wrong use or a file that is not\n"
    "a system.\n";

typedef struct {
  bool method[HP_KRYLOV_COUNT], preconditioner[HP_BENCH_SOLVE_PRECONDS], execution[HP_EXECUTION_COUNT];
  bool ordering[HP_ORDER_COUNT], ordered; /* ordered: --ordering was given */
  int threads;
  const char *csv, *json;
  hp_bench_solve_job B;
} arguments;

/* ---- the command line ---- */

static const char *ordering_name(int n) { return hp_ordering_name((hp_ordering)n); }

enum { METHOD = 256, PRECOND, ORDERING, EXECUTION, TOLERANCE, ITERATIONS, SAMPLES, BACKEND, GPUS, THREADS, CSV, JSON };

static bool parse_option(int option, const char *text, arguments *a) {
  hp_bench_solve_job *B = &a->B;
  switch (option) {
    case METHOD: return hp_args_names(text, hp_bench_method_name, HP_KRYLOV_COUNT, a->method);
    case PRECOND: return hp_args_names(text, hp_bench_solve_precond_name, HP_BENCH_SOLVE_PRECONDS, a->preconditioner);
    case ORDERING: a->ordered = true; return hp_args_names(text, ordering_name, HP_ORDER_COUNT, a->ordering);
    case EXECUTION: return hp_args_names(text, hp_bench_execution_name, HP_EXECUTION_COUNT, a->execution);
    case TOLERANCE: return hp_args_real(text, 0.0, 1.0, &B->asked) && B->asked > 0.0 && B->asked < 1.0;
    case ITERATIONS: return hp_args_whole(text, 1, 100000, &B->max_iterations);
    case SAMPLES: return hp_args_whole(text, 1, HP_BENCH_SOLVE_SAMPLES, &B->samples);
    case BACKEND: return hp_backend_find(text, &B->backend);
    case GPUS: return hp_device_parse_gpus(text, HP_GPUS_MAX, B->device.gpu, &B->device.gpus);
    case THREADS: return hp_args_whole(text, 1, HP_TEAM_MAX, &a->threads);
    case CSV: a->csv = text; return true;
    case JSON: a->json = text != NULL ? text : "-"; return *a->json != '\0';
    default: return false;
  }
}

static int set_option(int option, const char *text, void *a) {
  return parse_option(option, text, a) ? HP_EXIT_OK : HP_ARGS_NOT_A_VALUE;
}

static const struct option names[] = {{"method", required_argument, NULL, METHOD},
                                      {"preconditioner", required_argument, NULL, PRECOND},
                                      {"ordering", required_argument, NULL, ORDERING},
                                      {"execution", required_argument, NULL, EXECUTION},
                                      {"tolerance", required_argument, NULL, TOLERANCE},
                                      {"iterations", required_argument, NULL, ITERATIONS},
                                      {"samples", required_argument, NULL, SAMPLES},
                                      {"backend", required_argument, NULL, BACKEND},
                                      {"gpus", required_argument, NULL, GPUS},
                                      {"threads", required_argument, NULL, THREADS},
                                      {"csv", required_argument, NULL, CSV},
                                      {"json", optional_argument, NULL, JSON},
                                      {"help", no_argument, NULL, 'h'},
                                      {NULL, 0, NULL, 0}};

static const hp_bench_args_syntax syntax = {"bench solve", help, names, true, set_option};

/* ---- where it runs ---- */

static hp_status open_cpu(hp_bench_solve_job *B) {
  const int64_t count = hp_bench_past_caches();
  double *buffer = NULL;
  HP_TRY(HP_ALLOC(buffer, count));
  const hp_status s = hp_bench_copy(B->hub, buffer, count, &B->copy);
  HP_FREE(buffer);
  const int threads = hp_team_hub_size(B->hub);
  snprintf(B->where, sizeof B->where, "CPU, %d thread%s", threads, threads > 1 ? "s" : "");
  return s;
}

static hp_status open_gpu(hp_bench_solve_job *B) {
  hp_device *D = NULL;
  HP_TRY(hp_device_create(&B->device, &D));
  const hp_status s = hp_spmv_device_copy(D, INT64_C(1) << 30, &B->copy);
  hp_device_describe(D, B->where, sizeof B->where);
  hp_device_destroy(&D);
  return s;
}

/* ---- files and choices ---- */

static hp_status run_choice(hp_bench_solve_job *B, const hp_bench_solve_choice *choice) {
  hp_bench_solve_result R;
  hp_bench_solve_choose(B, choice, &R);
  if (R.why[0] == '\0') HP_TRY(hp_bench_solve_measure(B, &R));
  hp_bench_solve_print(B, choice, &R);
  return HP_OK;
}

/* Each order of a preconditioner that has one. */
static hp_status run_orders(arguments *a, hp_bench_solve_choice choice) {
  const bool has_order = choice.preconditioner == HP_PRECOND_DILU || choice.preconditioner >= HP_BENCH_SOLVE_CPR;
  if (!has_order || !a->ordered) return run_choice(&a->B, &choice);
  for (int o = 0; o < HP_ORDER_COUNT; ++o) {
    choice.ordering = o;
    if (a->ordering[o]) HP_TRY(run_choice(&a->B, &choice));
  }
  return HP_OK;
}

static hp_status run_choices(arguments *a) {
  hp_bench_solve_choice choice = {.ordering = HP_BENCH_SOLVE_BACKEND_ORDER};
  for (int m = 0; m < HP_KRYLOV_COUNT; ++m)
    for (int p = 0; p < HP_BENCH_SOLVE_PRECONDS; ++p)
      for (int e = 0; e < HP_EXECUTION_COUNT; ++e) {
        choice.method = (hp_krylov_method)m;
        choice.preconditioner = p;
        choice.execution = (hp_execution_kind)e;
        if (a->method[m] && a->preconditioner[p] && a->execution[e]) HP_TRY(run_orders(a, choice));
      }
  return HP_OK;
}

/* A file that is no system is a mistake in the command line. */
static hp_status read_file(hp_bench_solve_job *B, const char *path) {
  const hp_status s = hp_system_read(path, &B->system);
  B->tolerance = B->asked > 0.0 ? B->asked : B->system.tolerance;
  if (s != HP_ERR_FILE) return s;
  char why[1024];
  snprintf(why, sizeof why, "%s", hp_fail_text());
  return hp_fail(HP_ERR_USAGE, "%s", why);
}

static hp_status run_system(arguments *a) {
  hp_bench_solve_job *B = &a->B;
  const int64_t n = B->system.A->n;
  hp_status s = HP_ALLOC(B->x, n);
  if (s == HP_OK) s = HP_ALLOC(B->y, n);
  if (s == HP_OK) s = HP_ALLOC(B->history, (int64_t)B->max_iterations + 1);
  if (s == HP_OK) {
    hp_bench_solve_print_head(B);
    s = run_choices(a);
  }
  HP_FREE(B->x);
  HP_FREE(B->y);
  HP_FREE(B->history);
  return s;
}

static hp_status open_bench(arguments *a) {
  hp_bench_solve_job *B = &a->B;
  HP_TRY(hp_team_hub_create(a->threads > 0 ? a->threads : hp_processors(), NULL, &B->hub));
  HP_TRY(B->backend == HP_BACKEND_CUDA ? open_gpu(B) : open_cpu(B));
  fprintf(B->out, "%s; a copy%s moves %.1f GB/s (read and written)\n", B->where,
          B->device.gpus > 1 || B->device.gpus == HP_DEVICE_ALL_GPUS ? " on one" : "", 1e-9 * B->copy);
  return HP_OK;
}

static hp_status run(arguments *a, int count, char **path) {
  hp_bench_solve_job *B = &a->B;
  HP_TRY(hp_backend_available(B->backend));
  for (int n = 0; n < count; ++n) {
    B->path = path[n];
    HP_TRY(read_file(B, path[n]));
    hp_status s = n == 0 ? open_bench(a) : HP_OK; /* not for a name mistyped */
    if (s == HP_OK) s = run_system(a);
    hp_system_clear(&B->system);
    HP_TRY(s);
  }
  return HP_OK;
}

/* Keeps the first failure. */
static hp_status close_events(hp_bench_solve_job *B, hp_status s) {
  char why[1024];
  snprintf(why, sizeof why, "%s", hp_fail_text());
  const hp_status closed = hp_events_close(&B->events);
  return s != HP_OK ? hp_fail(s, "%s", why) : closed;
}

int hp_bench_solve(int argc, char **argv) {
  arguments a = {.B = {.max_iterations = 200, .samples = 5, .out = stdout}};
  hp_bench_solve_job *B = &a.B;
  int code;
  a.method[HP_KRYLOV_BICGSTAB] = a.execution[HP_EXECUTION_IN_KERNEL] = true;
  a.preconditioner[HP_PRECOND_DILU] = a.preconditioner[HP_BENCH_SOLVE_CPR] = true;
  if (!hp_bench_args_parse(&syntax, argc, argv, &a, &code)) return code;
  if (optind == argc)
    return hp_cli_usage_error("bench solve", "which systems? 'hepta run DECK --dump-systems NAME' writes them");
  if (a.threads > 0 && B->backend == HP_BACKEND_CUDA)
    return hp_cli_usage_error("bench solve", "--threads is for --backend cpu");
  code = hp_cli_check_gpus("bench solve", B->backend, &B->device);
  if (code != HP_EXIT_OK) return code;
  for (int n = optind; n < argc; ++n) {
    const hp_status tried = hp_child_try_result(argv[n], false);
    if (tried != HP_OK) return hp_cli_exit(tried);
  }
  hp_inputs read = {0};
  for (int n = optind; n < argc; ++n) hp_inputs_add(&read, argv[n]);
  hp_status s = hp_events_open(&read, a.json, false, hp_now(), &B->events);
  if (B->events != NULL) hp_inputs_add(&read, a.json);
  if (s == HP_OK) s = hp_args_csv_open(&read, a.csv, &B->csv);
  hp_inputs_clear(&read);
  if (s != HP_OK) return hp_cli_refused("bench solve", s);
  if (a.json != NULL && strcmp(a.json, "-") == 0) B->out = stderr;
  s = hp_args_csv_close(a.csv, B->csv, run(&a, argc - optind, argv + optind));
  s = close_events(B, s);
  hp_team_hub_destroy(&B->hub);
  return hp_cli_exit(s);
}
