/* hepta bench barrier: what it costs a team to wait for all its members. */
#define _POSIX_C_SOURCE 200809L
#include <getopt.h>
#include <stdio.h>

#include "bench/args.h"
#include "bench/barrier.inl.h"
#include "bench/bench.h"
#include "core/memory.h"
#include "core/profile.h"
#include "sim/cli/cli.h"

static const char help[] =
    "usage: hepta bench barrier [options]\n\n"
    "Times the barriers of the GPU's team, with several pauses between two looks of a waiting\n"
    "block, or those of the CPU's team of 1, 2, ... threads. Microseconds per round, medians of:\n"
    "  bare       nothing but the barrier\n"
    "  sum        a reduction of five numbers, which contains one\n"
    "  work       a reduction, then a hundred operations that wait for each other\n"
    "  overlapped the same operations between arriving at the reduction's barrier and waiting\n\n"
    "      --rounds N         barriers in a measurement (default 2000)\n"
    "      --repeat N         measurements, whose median counts (default 9, at most 99)\n"
    "      --csv FILE         also as a table of comma-separated values\n"
    "      --backend NAME     cuda or cpu (default cuda)\n"
    "      --gpus LIST        GPUs that work as one: how many, their numbers as in 0,1 (one may\n"
    "                         stand twice), or all (default 1); the counter is the barrier of several\n"
    "      --threads N        CPU: teams of 1 to N threads (default one per processor)\n"
    "  -h, --help\n";

enum { TESTS = 4, REPEAT_MAX = 99, OPT_ROUNDS = 256, OPT_REPEAT, OPT_CSV, OPT_BACKEND, OPT_GPUS, OPT_THREADS };

static const char *const test_names[TESTS] = {"bare", "sum", "work", "overlapped"}; /* as hp_barrier_test */

typedef struct {
  int rounds, repeat, threads;
  hp_backend_kind backend;
  hp_device_options device; /* of --gpus */
  const char *csv;
} arguments;

/* One line of the table. */
typedef struct {
  const char *barrier;
  int delay, blocks, threads; /* delay < 0: it has none; threads of a block, or of the CPU's team */
} row;

static double sample[TESTS][REPEAT_MAX];

/* ---- tables ---- */

static void print_head(FILE *csv) {
  printf("%-12s %8s %7s %8s", "barrier", "delay ns", "blocks", "threads");
  for (int t = 0; t < TESTS; ++t) printf(" %10s", test_names[t]);
  putchar('\n');
  if (csv != NULL) fputs("backend,barrier,delay_ns,blocks,threads,test,rounds,repeat,seconds,least,most\n", csv);
}

/* The samples of all tests, sorted by the median. */
static void print_row(const arguments *a, const row *r, FILE *csv) {
  char delay[16] = "-";
  if (r->delay >= 0) snprintf(delay, sizeof delay, "%d", r->delay);
  printf("%-12s %8s %7d %8d", r->barrier, delay, r->blocks, r->threads);
  for (int t = 0; t < TESTS; ++t) {
    const double median = hp_bench_median(sample[t], a->repeat);
    printf(" %10.3f", 1e6 * median);
    if (csv == NULL) continue;
    fprintf(csv, "%s,%s,%s,%d,%d,%s,%d,%d,%.6g,%.6g,%.6g\n", hp_backend_name(a->backend), r->barrier,
            r->delay >= 0 ? delay : "", r->blocks, r->threads, test_names[t], a->rounds, a->repeat, median,
            sample[t][0], sample[t][a->repeat - 1]);
  }
  putchar('\n');
  fflush(stdout);
}

/* ---- GPU ---- */

static hp_status gpu_row(hp_device *D, const arguments *a, const hp_device_shape *shape, FILE *csv) {
  row r = {hp_barrier_name(shape->barrier), shape->barrier == HP_BARRIER_COOPERATIVE ? -1 : shape->delay, 0, 0};
  HP_TRY(hp_device_set_shape(D, shape));
  HP_TRY(hp_device_barrier_team(D, &r.threads, &r.blocks));
  for (int n = 0; n < a->repeat; ++n)
    for (int t = 0; t < TESTS; ++t) HP_TRY(hp_device_time_barrier(D, (hp_barrier_test)t, a->rounds, &sample[t][n]));
  print_row(a, &r, csv);
  return HP_OK;
}

static hp_status bench_gpu(const arguments *a, FILE *csv) {
  static const int delays[] = {0, 20, 50, 100, 200, 500};
  hp_device *D = NULL;
  char where[256];
  HP_TRY(hp_device_create(&a->device, &D));
  const bool several = hp_device_gpus(D) > 1;
  hp_device_describe(D, where, sizeof where);
  printf("%s, %d multiprocessors%s; microseconds per round, medians of %d times %d rounds\n", where,
         hp_device_get_info(D)->multiprocessors, several ? " each" : "", a->repeat, a->rounds);
  print_head(csv);
  hp_status s = HP_OK;
  for (int blocks = 1; blocks <= 2; ++blocks)
    for (int barrier = 0; barrier < HP_BARRIER_COUNT; ++barrier)
      for (size_t d = 0; d < sizeof delays / sizeof *delays && s == HP_OK; ++d) {
        hp_device_shape shape = hp_device_default_shape();
        shape.blocks = blocks;
        shape.barrier = (hp_barrier_kind)barrier;
        shape.delay = delays[d];
        if (several && barrier != HP_BARRIER_COUNTER) continue;
        if (barrier != HP_BARRIER_COOPERATIVE || d == 0) s = gpu_row(D, a, &shape, csv);
      }
  hp_device_destroy(&D);
  return s;
}

/* ---- CPU ---- */

static void rounds_body(hp_team *t, void *arg) { hp_barrier_rounds(t, arg); }

static hp_status cpu_row(hp_team_hub *hub, const arguments *a, FILE *csv) {
  double out[HP_BARRIER_OUT];
  const row r = {"team", -1, 1, hp_team_hub_size(hub)};
  for (int n = -1; n < a->repeat; ++n) /* one to warm up */
    for (int t = 0; t < TESTS; ++t) {
      hp_barrier_args args = {t, a->rounds, 16 * HP_LANES, out};
      const double start = hp_now();
      HP_TRY(hp_team_run(hub, rounds_body, &args));
      if (n >= 0) sample[t][n] = (hp_now() - start) / a->rounds;
    }
  print_row(a, &r, csv);
  return HP_OK;
}

static hp_status bench_cpu(const arguments *a, FILE *csv) {
  const int most = a->threads > 0 ? a->threads : hp_processors();
  printf("CPU, %d processors; microseconds per round, medians of %d times %d rounds\n", hp_processors(), a->repeat,
         a->rounds);
  print_head(csv);
  for (int threads = 1; threads <= most; ++threads) {
    hp_team_hub *hub = NULL;
    HP_TRY(hp_team_hub_create(threads, NULL, &hub));
    const hp_status s = cpu_row(hub, a, csv);
    hp_team_hub_destroy(&hub);
    HP_TRY(s);
  }
  return HP_OK;
}

/* ---- the command line ---- */

static int set_option(int option, const char *text, void *arg) {
  arguments *a = arg;
  switch (option) {
    case OPT_ROUNDS: return hp_args_count("bench barrier", "--rounds", text, 10000000, &a->rounds);
    case OPT_REPEAT: return hp_args_count("bench barrier", "--repeat", text, REPEAT_MAX, &a->repeat);
    case OPT_CSV: a->csv = text; return HP_EXIT_OK;
    case OPT_BACKEND: return hp_cli_backend("bench barrier", text, &a->backend);
    case OPT_GPUS: return hp_cli_gpus("bench barrier", text, &a->device);
    case OPT_THREADS: return hp_args_count("bench barrier", "--threads", text, HP_TEAM_MAX, &a->threads);
    default: return HP_ARGS_NOT_A_VALUE;
  }
}

static const struct option options[] = {{"rounds", required_argument, NULL, OPT_ROUNDS},
                                        {"repeat", required_argument, NULL, OPT_REPEAT},
                                        {"csv", required_argument, NULL, OPT_CSV},
                                        {"backend", required_argument, NULL, OPT_BACKEND},
                                        {"gpus", required_argument, NULL, OPT_GPUS},
                                        {"threads", required_argument, NULL, OPT_THREADS},
                                        {"help", no_argument, NULL, 'h'},
                                        {NULL, 0, NULL, 0}};

static const hp_bench_args_syntax syntax = {"bench barrier", help, options, false, set_option};

static hp_status bench(const arguments *a) {
  FILE *csv;
  HP_TRY(hp_args_csv_open(NULL, a->csv, &csv));
  return hp_args_csv_close(a->csv, csv, a->backend == HP_BACKEND_CUDA ? bench_gpu(a, csv) : bench_cpu(a, csv));
}

int hp_bench_barrier(int argc, char **argv) {
  arguments a = {.rounds = 2000, .repeat = 9, .backend = HP_BACKEND_CUDA};
  int code;
  if (!hp_bench_args_parse(&syntax, argc, argv, &a, &code)) return code;
  if (a.threads > 0 && a.backend != HP_BACKEND_CPU)
    return hp_cli_usage_error("bench barrier", "--threads is for --backend cpu");
  code = hp_cli_check_gpus("bench barrier", a.backend, &a.device);
  if (code == HP_EXIT_OK) code = hp_cli_exit(hp_backend_available(a.backend));
  return code != HP_EXIT_OK ? code : hp_cli_exit(bench(&a));
}
