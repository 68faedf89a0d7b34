/* hepta bench step DECK: the programs of a time step, one evaluation after the other. */
#define _POSIX_C_SOURCE 200809L
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "bench/args.h"
#include "bench/bench.h"
#include "core/device/device.h"
#include "sim/cli/cli.h"
#include "sim/newton/newton.h"
#include "sim/run/run.h"

enum { OPT_SET = 256, OPT_BACKEND, OPT_GPUS, OPT_THREADS, OPT_REPEAT, OPT_BLOCKS, REPEAT_MAX = 1000 };

/* The least bytes that properties and assembly move for a cell: p, s, pore
 * volume, old mass, depth, three transmissibilities, active; mass, scale, R and
 * the row of J. Its number of region and its end points come on top. */
static const double FLOOR_BYTES = 8.0 * (3 + 2 + 1 + 3) + 1 + 8.0 * (2 + 2 + 2 + 28);

static const char help[] =
    "usage: hepta bench step DECK [options]\n\n"
    "Evaluates properties, assembly, wells and norms of a deck's first time step again and\n"
    "again: the median time of each, and how far properties and assembly are from the time that\n"
    "a copy of the bytes they must move takes. Nothing is written.\n\n"
    "      --backend cpu|cuda   where (default cpu)\n"
    "      --gpus LIST          GPUs that work as one: how many, their numbers as in 0,1 (one may\n"
    "                           stand twice), or all (default 1)\n"
    "      --threads N          members of the CPU team (default: one per processor)\n"
    "      --blocks N           GPU: blocks per multiprocessor\n"
    "      --repeat N           evaluations (default 50, at most 1000)\n"
    "      --set KEY=VALUE      overrides a key of the deck; may be repeated\n"
    "  -h, --help\n";

typedef struct {
  hp_run_options run;
  hp_device_options device;
  hp_device_shape shape;
  hp_cli_sets sets;
  int repeat;
  bool blocks_given;
  const char *deck;
} arguments;

/* Bytes read and written a second when a gigabyte is copied on the GPU: the fastest of ten. */
static hp_status time_copies(hp_device *D, double *rate) {
  const int64_t bytes = INT64_C(1) << 30;
  char *from = NULL, *to = NULL;
  hp_status s = hp_device_alloc_whole(D, (void **)&from, bytes, 1, "source of a copy");
  if (s == HP_OK) s = hp_device_alloc_whole(D, (void **)&to, bytes, 1, "target of a copy");
  for (int n = 0; n < 10 && s == HP_OK; ++n) {
    double seconds = 0.0;
    s = hp_device_mark(D, 0);
    if (s == HP_OK) s = hp_device_copy(D, to, from, bytes);
    if (s == HP_OK) s = hp_device_mark(D, 1);
    if (s == HP_OK) s = hp_device_elapsed(D, 0, 1, &seconds);
    if (s == HP_OK && 2.0 * (double)bytes / seconds > *rate) *rate = 2.0 * (double)bytes / seconds;
  }
  HP_DEVICE_FREE(D, from);
  HP_DEVICE_FREE(D, to);
  return s;
}

/* Where the state lives, on one of several GPUs; 0: not measured. */
static hp_status copy_rate(const hp_run_options *opt, double *rate, int *gpus) {
  *rate = 0.0;
  *gpus = 1;
  if (opt->backend == HP_BACKEND_CPU) return HP_OK;
  hp_device *D = NULL;
  HP_TRY(hp_device_create(opt->device, &D));
  int gpu[HP_GPUS_MAX];
  const hp_status s = time_copies(D, rate);
  *gpus = hp_device_gpu_list(D, gpu);
  hp_device_destroy(&D);
  return s;
}

static hp_status evaluate(hp_sim *S, int repeat, double seconds[HP_PROF_COUNT][REPEAT_MAX]) {
  hp_step_report report;
  for (int e = 0; e < S->c->nevent && S->c->event[e].time <= 0.0; ++e)
    hp_wells_set_control(S->wells, S->c->event[e].well, &S->c->event[e].control);
  HP_TRY(hp_backend_put(S->backend, HP_SET_WELLS));
  HP_TRY(hp_newton_begin(S));
  for (int n = -3; n < repeat; ++n) {
    HP_TRY(S->backend->ops->assemble(S->backend, S->c->timestep.initial, true, true, -1, &report));
    for (int op = 0; op < HP_PROF_COUNT && n >= 0; ++op) seconds[op][n] = report.seconds[op];
  }
  return HP_OK;
}

static void print_rows(const hp_sim *S, const arguments *a, double rate, int gpus,
                       double seconds[HP_PROF_COUNT][REPEAT_MAX]) {
  static const hp_profile_op ops[] = {HP_PROF_PROPERTIES, HP_PROF_ASSEMBLY, HP_PROF_WELLS, HP_PROF_UPDATE};
  static const char *const text[] = {"properties", "cell rows", "wells: controls and rows", "norms and b = -R"};
  const double cells = (double)S->res->ncell, least = FLOOR_BYTES + (double)hp_reservoir_region_bytes(S->res);
  char where[256];
  S->backend->ops->describe(S->backend, where, sizeof where);
  printf("%.0f cells; %s; median of %d\n\n  %-26s %10s %9s %9s\n", cells, where, a->repeat, "", "us", "B per cell",
         "GB/s");
  double both = 0.0;
  for (size_t n = 0; n < sizeof ops / sizeof *ops; ++n) {
    const hp_profile_entry *e = &S->profile.op[ops[n]];
    const double t = hp_bench_median(seconds[ops[n]], a->repeat);
    const double bytes = e->calls > 0 ? e->bytes / (double)e->calls : 0.0;
    if (n < 2) both += t;
    printf("  %-26s %10.1f", text[n], 1e6 * t);
    if (n < 2) printf(" %9.0f %9.1f", bytes / cells, bytes / t / 1e9);
    fputc('\n', stdout);
  }
  printf("  %-26s %10.1f %9.0f %9.1f\n", "must be moved", 1e6 * both, least, cells * least / both / 1e9);
  if (rate > 0.0)
    printf("\nA copy%s moves %.1f GB/s: properties and assembly take %.2f times what their bytes would\n",
           gpus > 1 ? " on one GPU" : "", rate / 1e9, both * rate * gpus / (cells * least));
}

static hp_status bench(hp_case *c, const arguments *a) {
  static double seconds[HP_PROF_COUNT][REPEAT_MAX];
  hp_sim *S = NULL;
  double rate;
  int gpus;
  if (hp_ranks_world() != NULL)
    return hp_fail(HP_ERR_USAGE, "bench step measures one process: start it without mpirun");
  HP_TRY(copy_rate(&a->run, &rate, &gpus));
  HP_TRY(hp_sim_create(c, &a->run, "bench", &S));
  memset(&S->profile, 0, sizeof S->profile);
  const hp_status s = evaluate(S, a->repeat, seconds);
  if (s == HP_OK) print_rows(S, a, rate, gpus, seconds);
  hp_sim_destroy(&S);
  return s;
}

/* ---- the command line ---- */

static int set_option(int option, const char *text, void *arg) {
  arguments *a = arg;
  switch (option) {
    case OPT_SET: return hp_cli_add_set("bench step", text, &a->sets);
    case OPT_BACKEND: return hp_cli_backend("bench step", text, &a->run.backend);
    case OPT_GPUS: return hp_cli_gpus("bench step", text, &a->device);
    case OPT_THREADS: return hp_args_count("bench step", "--threads", text, HP_TEAM_MAX, &a->run.threads);
    case OPT_REPEAT: return hp_args_count("bench step", "--repeat", text, REPEAT_MAX, &a->repeat);
    case OPT_BLOCKS: a->blocks_given = true; return hp_args_count("bench step", "--blocks", text, 8, &a->shape.blocks);
    default: return HP_ARGS_NOT_A_VALUE;
  }
}

static const struct option options[] = {{"set", required_argument, NULL, OPT_SET},
                                        {"backend", required_argument, NULL, OPT_BACKEND},
                                        {"gpus", required_argument, NULL, OPT_GPUS},
                                        {"threads", required_argument, NULL, OPT_THREADS},
                                        {"repeat", required_argument, NULL, OPT_REPEAT},
                                        {"blocks", required_argument, NULL, OPT_BLOCKS},
                                        {"help", no_argument, NULL, 'h'},
                                        {NULL, 0, NULL, 0}};

static const hp_bench_args_syntax syntax = {"bench step", help, options, true, set_option};

/* The deck, and what the options say together. */
static int check(int argc, char **argv, arguments *a) {
  if (optind + 1 != argc)
    return hp_cli_usage_error("bench step", optind == argc ? "which deck?" : "one deck at a time");
  if (a->blocks_given && a->run.backend != HP_BACKEND_CUDA)
    return hp_cli_usage_error("bench step", "--blocks is for --backend cuda");
  const int code = hp_cli_check_gpus("bench step", a->run.backend, &a->device);
  if (code != HP_EXIT_OK) return code;
  a->deck = argv[optind];
  return hp_cli_exit(hp_backend_available(a->run.backend));
}

int hp_bench_step(int argc, char **argv) {
  arguments a = {.repeat = 50, .shape = hp_device_default_shape()};
  int code;
  a.device.shape = &a.shape;
  a.run.device = &a.device;
  if (!hp_bench_args_parse(&syntax, argc, argv, &a, &code)) return code;
  code = check(argc, argv, &a);
  hp_case *c = NULL;
  if (code == HP_EXIT_OK) code = hp_cli_read_case(a.deck, &a.sets, NULL, &c);
  if (code == HP_EXIT_OK) code = hp_cli_exit(bench(c, &a));
  hp_case_destroy(&c);
  return code;
}
