/* hepta tune */
#define _POSIX_C_SOURCE 200809L
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "bench/args.h"
#include "bench/bench.h"
#include "bench/tuning/kernels.h"
#include "bench/tuning/tune.h"
#include "bench/tuning/write.h"
#include "linsolve/matrix/gh.h"
#include "sim/cli/cli.h"

static const char help[] =
    "usage: hepta tune [options]\n\n"
    "Measures launches on this GPU and keeps the fastest in a file that later runs with\n"
    "--backend cuda use (docs/guide/gpu.md). They change speed, never results.\n"
    "  solves     the team's shape: blocks, barrier and delay, vectors on chip, layout and width of\n"
    "             loads, unrolling, recomputing, searched together by solves with BiCG-Stab: with cpr\n"
    "             (of two unknowns), block DILU and no preconditioner;\n"
    "             compiled for the matrix also threads a block, registers and options of the compiler;\n"
    "             of several GPUs also which levels of multigrid the first of them works on alone\n"
    "  vectors    launches of operations on vectors: linear.execution = \"per-operation\", \"graph\"\n"
    "  products   the launch of products in SG-DIA and with block rows (linear.matrix = \"sg-dia\", \"bsr\");\n"
    "             and says which storage format is the fastest\n\n"
    "      --what LIST          some of these (default all; with --gpus solves, the only one for it)\n"
    "      --gpus LIST          GPUs that work as one: how many, their numbers as in 0,1 (one may stand\n"
    "                           twice), or all (default 1); runs with as many take what is found\n"
    "      --size NXxNYxNZ      cells; may be repeated (default 20x20x20, 32x32x32, 64x64x64,\n"
    "                           60x220x85); a run takes the nearest by number of cells\n"
    "      --q LIST             unknowns per cell, 1 to 16 (default 2, as runs have)\n"
    "      --trials N           shapes of solves that are drawn at random (default 300; 0: all, 4031);\n"
    "                           two thirds as many launches of a kernel\n"
    "      --compile            options of the compiler are searched, too, solves compiled for the\n"
    "                           matrix: up to a second for a kernel of vectors, two of products, about\n"
    "                           ten for a shape of solves (--trials); they are kept\n"
    "      --seed N             of what is drawn (default 1)\n"
    "      --rounds N           of those left in the end, whose medians count (default 7)\n"
    "      --iterations N       of BiCG-Stab in a measurement (default 40)\n"
    "  -o, --output FILE        instead of the place where runs look: $XDG_CACHE_HOME/hepta or\n"
    "                           ~/.cache/hepta, tune-DEVICE.cfg\n"
    "      --csv FILE           every shape of solves that was measured, as comma-separated values\n"
    "  -h, --help\n\n"
    "What is already in the file stays unless it is measured again.\n";

enum {
  SIZES_MAX = 16,
  OPT_SIZE = 256,
  OPT_WHAT,
  OPT_GPUS,
  OPT_Q,
  OPT_TRIALS,
  OPT_COMPILE,
  OPT_SEED,
  OPT_ROUNDS,
  OPT_ITERATIONS,
  OPT_CSV
};

enum { SOLVES, VECTORS, PRODUCTS, WHATS };

typedef struct {
  int size[SIZES_MAX][3], count, q[HP_ARGS_LIST_MAX], nq;
  bool what[WHATS], what_given;
  hp_device_options device; /* of --gpus */
  hp_tune_options tune;
  const char *output, *csv;
} arguments;

static const char *what_name(int n) {
  static const char *const names[WHATS] = {"solves", "vectors", "products"};
  return names[n];
}

static int parse_size(const char *text, arguments *a) {
  if (a->count == SIZES_MAX) return hp_cli_usage_error("tune", "more than %d sizes", (int)SIZES_MAX);
  const char *end = text;
  if (hp_args_size(&end, a->size[a->count++]) == 3 && *end == '\0') return HP_EXIT_OK;
  return hp_cli_usage_error("tune", "--size takes NXxNYxNZ, as 60x220x85, not '%s'", text);
}

static int parse_rounds(const char *text, arguments *a) {
  const int code = hp_args_count("tune", "--rounds", text, HP_SEARCH_ROUNDS_MAX, &a->tune.search.rounds);
  a->tune.kernels.rounds = a->tune.search.rounds;
  return code;
}

static int value_or_not(bool good) { return good ? HP_EXIT_OK : HP_ARGS_NOT_A_VALUE; }

static int parse_trials(const char *text, arguments *a) {
  const bool good = hp_args_whole(text, 0, 100000, &a->tune.search.trials);
  a->tune.kernels.trials = (2 * a->tune.search.trials + 2) / 3;
  return value_or_not(good);
}

static int parse_seed(const char *text, arguments *a) {
  const bool good = hp_args_seed(text, &a->tune.search.seed);
  a->tune.kernels.seed = a->tune.search.seed;
  return value_or_not(good);
}

static int set_option(int option, const char *text, void *arg) {
  arguments *a = arg;
  switch (option) {
    case 'o': a->output = text; return *text != '\0' ? HP_EXIT_OK : hp_cli_usage_error("tune", "-o needs a name");
    case OPT_SIZE: return parse_size(text, a);
    case OPT_WHAT: a->what_given = true; return value_or_not(hp_args_names(text, what_name, WHATS, a->what));
    case OPT_GPUS: return hp_cli_gpus("tune", text, &a->device);
    case OPT_Q: return value_or_not(hp_args_wholes(text, 1, HP_GH_Q_MAX, HP_ARGS_LIST_MAX, a->q, &a->nq));
    case OPT_TRIALS: return parse_trials(text, a);
    case OPT_COMPILE: a->tune.compile = true; return HP_EXIT_OK;
    case OPT_SEED: return parse_seed(text, a);
    case OPT_CSV: a->csv = text; return HP_EXIT_OK;
    case OPT_ROUNDS: return parse_rounds(text, a);
    case OPT_ITERATIONS: return hp_args_count("tune", "--iterations", text, 100000, &a->tune.iterations);
    default: return HP_ARGS_NOT_A_VALUE;
  }
}

static const struct option options[] = {{"size", required_argument, NULL, OPT_SIZE},
                                        {"what", required_argument, NULL, OPT_WHAT},
                                        {"gpus", required_argument, NULL, OPT_GPUS},
                                        {"q", required_argument, NULL, OPT_Q},
                                        {"trials", required_argument, NULL, OPT_TRIALS},
                                        {"compile", no_argument, NULL, OPT_COMPILE},
                                        {"seed", required_argument, NULL, OPT_SEED},
                                        {"rounds", required_argument, NULL, OPT_ROUNDS},
                                        {"iterations", required_argument, NULL, OPT_ITERATIONS},
                                        {"csv", required_argument, NULL, OPT_CSV},
                                        {"output", required_argument, NULL, 'o'},
                                        {"help", no_argument, NULL, 'h'},
                                        {NULL, 0, NULL, 0}};

static const hp_bench_args_syntax syntax = {"tune", help, options, false, set_option};

static void choose_usual_sizes(arguments *a) {
  static const int usual[][3] = {{20, 20, 20}, {32, 32, 32}, {64, 64, 64}, {60, 220, 85}};
  a->count = (int)(sizeof usual / sizeof *usual);
  memcpy(a->size, usual, sizeof usual);
}

/* ---- solves ---- */

/* Levels that the first of several GPUs works on alone, into r: runs have cpr's pressures, one unknown a cell, whatever q is. */
static hp_status tune_levels(hp_device *D, const arguments *a, hp_tuned_row *r) {
  hp_tune_rows found;
  if (hp_device_gpus(D) == 1) return HP_OK;
  HP_TRY(hp_tune_levels(D, r->size, &a->tune, &found));
  r->shape.one_gpu_rows = found.rows;
  printf(
      "  levels of %d rows at most on the first GPU: %.2f us an iteration with multigrid; of %d, as by default, %.2f\n",
      found.rows, 1e6 * found.seconds, (int)HP_ONE_GPU_ROWS, 1e6 * found.default_seconds);
  return HP_OK;
}

static hp_status tune_solves(hp_device *D, const arguments *a, hp_tuned *t) {
  printf(
      "\nsolves: microseconds of iterations of BiCG-Stab: of two unknowns with cpr, with block DILU, without "
      "preconditioner\n");
  printf("%-16s %3s %9s %9s %8s  %6s %7s %-10s %-11s %8s %4s %5s %6s %9s\n", "cells", "q", "default", "tuned", "gain",
         "blocks", "threads", "compile", "barrier", "delay ns", "chip", "wide", "unroll", "recompute");
  for (int n = 0; n < a->count; ++n)
    for (int k = 0; k < a->nq; ++k) {
      hp_tuned_row r;
      char size[48];
      HP_TRY(hp_tune_solves(D, a->size[n], a->q[k], &a->tune, &r));
      snprintf(size, sizeof size, "%d x %d x %d", r.size[0], r.size[1], r.size[2]);
      printf("%-16s %3d %9.2f %9.2f %6.1f %%  %6d %7d %-10s %-11s %8d %4d %5s %6d %9s\n", size, r.q,
             1e6 * r.default_seconds, 1e6 * r.seconds, 100.0 * (1.0 - r.seconds / r.default_seconds), r.shape.blocks,
             r.shape.threads, hp_kernel_compile_name(r.shape.compile), hp_barrier_name(r.shape.barrier), r.shape.delay,
             r.shape.chip, r.shape.wide ? "yes" : "no", r.shape.unroll, r.shape.recompute ? "yes" : "no");
      HP_TRY(tune_levels(D, a, &r));
      hp_tuned_put(t, &r);
      fflush(stdout);
    }
  return HP_OK;
}

/* ---- kernels ---- */

static void keep_kernel(const hp_tuned_kernel *k, hp_tuned *t) {
  char text[96];
  hp_tuned_put_kernel(t, k);
  hp_kernel_describe(&k->shape, text, sizeof text);
  printf("%-32s %10lld %9.2f %9.2f %6.1f %%  %s\n", k->name, (long long)k->n, 1e6 * k->default_seconds,
         1e6 * k->seconds, 100.0 * (1.0 - k->seconds / k->default_seconds), text);
  fflush(stdout);
}

static void print_kernels_head(const char *what) {
  printf("\n%s: microseconds\n%-32s %10s %9s %9s %8s  launch\n", what, "kernel", "n", "default", "tuned", "gain");
}

static hp_status tune_vectors(hp_device *D, const arguments *a, hp_tuned *t) {
  print_kernels_head("vectors");
  for (int n = 0; n < a->count; ++n)
    for (int k = 0; k < a->nq; ++k)
      for (int op = 0; op < HP_VECTOR_OPERATIONS; ++op) {
        hp_tuned_kernel found;
        const int *s = a->size[n];
        HP_TRY(hp_tune_vector(D, op, (int64_t)s[0] * s[1] * s[2] * a->q[k], &a->tune, &found));
        keep_kernel(&found, t);
      }
  return HP_OK;
}

static hp_status tune_products(hp_device *D, const arguments *a, hp_tuned *t) {
  print_kernels_head("products");
  for (int n = 0; n < a->count; ++n)
    for (int k = 0; k < a->nq; ++k) {
      hp_tuned_kernel found;
      hp_tune_format format;
      const int *s = a->size[n];
      HP_TRY(hp_tune_product(D, s, a->q[k], &a->tune, &found));
      keep_kernel(&found, t);
      HP_TRY(hp_tune_blocks(D, s, a->q[k], &a->tune, &found));
      keep_kernel(&found, t);
      HP_TRY(hp_tune_formats(D, s, a->q[k], &a->tune, &format));
      printf("  of all formats on %d x %d x %d cells, q = %d: %s, %.2f us; gh %.2f us\n", s[0], s[1], s[2], a->q[k],
             format.fastest, 1e6 * format.seconds, 1e6 * format.default_seconds);
    }
  return HP_OK;
}

static hp_status measure(hp_device *D, const arguments *a, hp_tuned *t) {
  const hp_device_info *info = hp_device_get_info(D);
  char where[160];
  hp_device_describe(D, where, sizeof where);
  printf("%s (%d.%d), %d multiprocessors%s\n", where, info->major, info->minor, info->multiprocessors,
         hp_device_gpus(D) > 1 ? " each" : "");
  if (a->what[SOLVES]) HP_TRY(tune_solves(D, a, t));
  if (a->what[VECTORS]) HP_TRY(tune_vectors(D, a, t));
  return a->what[PRODUCTS] ? tune_products(D, a, t) : HP_OK;
}

/* The new shape replaces a file that cannot be read. */
static hp_status tune(hp_device *D, const arguments *a) {
  const hp_device_info *info = hp_device_get_info(D);
  char usual[1024] = "";
  hp_tuned t;
  const hp_status placed = hp_tuned_path(info, usual, sizeof usual);
  if (placed != HP_OK && a->output == NULL) return placed;
  const char *path = a->output != NULL ? a->output : usual;
  if (a->output == NULL) HP_TRY(hp_tuned_check_path(path)); /* before the minutes that it takes to measure */
  if (hp_tuned_read(path, info, &t) != HP_OK) fprintf(stderr, "hepta: %s: the file is replaced\n", hp_fail_text());
  HP_TRY(measure(D, a, &t));
  HP_TRY(hp_tuned_write(path, info, &t));
  printf("\nWritten to %s%s\n", path, strcmp(path, usual) == 0 ? ": runs on this kind of GPU use it" : "");
  if (strcmp(path, usual) != 0 && usual[0] != '\0') printf("Runs look for it as %s\n", usual);
  return HP_OK;
}

/* Kernels that are not of the team run on one GPU. */
static int check_what(arguments *a) {
  if (a->device.gpus == 0 || a->device.gpus == 1) return HP_EXIT_OK;
  if (a->what_given && (a->what[VECTORS] || a->what[PRODUCTS]))
    return hp_cli_usage_error("tune", "of several GPUs only solves are tuned: launches of kernels are for one");
  a->what[SOLVES] = true;
  a->what[VECTORS] = a->what[PRODUCTS] = false;
  return HP_EXIT_OK;
}

int hp_bench_tune(int argc, char **argv) {
  arguments a = {.tune = hp_tune_default(), .q = {2}, .nq = 1, .what = {true, true, true}};
  int code;
  if (!hp_bench_args_parse(&syntax, argc, argv, &a, &code)) return code;
  code = check_what(&a);
  if (code != HP_EXIT_OK) return code;
  if (a.count == 0) choose_usual_sizes(&a);
  if (a.output != NULL && hp_tuned_check_path(a.output) != HP_OK)
    return hp_cli_usage_error("tune", "-o %s", hp_fail_text());
  if (hp_args_csv_open(NULL, a.csv, &a.tune.csv) != HP_OK) return hp_cli_usage_error("tune", "%s", hp_fail_text());
  if (a.csv != NULL) hp_tune_csv_head(a.tune.csv);
  hp_device *D = NULL;
  hp_status s = hp_device_create(&a.device, &D);
  if (s == HP_OK) s = tune(D, &a);
  hp_device_destroy(&D);
  return hp_cli_exit(hp_args_csv_close(a.csv, a.tune.csv, s));
}
