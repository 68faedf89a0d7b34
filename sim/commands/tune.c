/* hepta tune */
#define _POSIX_C_SOURCE 200809L
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "sim/bench/tuning/tune.h"
#include "sim/cli/args.h"
#include "sim/commands/commands.h"

static const char help[] =
    "usage: hepta tune [options]\n\n"
    "Measures launch shapes of the solver on this GPU (blocks, barrier, delay, vectors on\n"
    "chip, layout and width of loads, unrolling, recomputing: docs/guide/gpu.md) and keeps the\n"
    "fastest in a file that later runs with --backend cuda use. Shapes change speed, never results.\n\n"
    "      --size NXxNYxNZ      cells; may be repeated (default 20x20x20, 32x32x32, 64x64x64,\n"
    "                           60x220x85); a run takes the nearest by number of cells\n"
    "      --rounds N           each shape is measured N times, its median counts (default 7)\n"
    "      --iterations N       of BiCG-Stab in a measurement (default 40)\n"
    "  -o, --output FILE        instead of the place where runs look: $XDG_CACHE_HOME/hepta or\n"
    "                           ~/.cache/hepta, tune-DEVICE.cfg\n"
    "      --csv FILE           every shape that was measured, as comma-separated values\n"
    "  -h, --help\n\n"
    "Sizes already in the file stay unless they are measured again.\n";

enum { SIZES_MAX = 16, OPT_SIZE = 256, OPT_ROUNDS, OPT_ITERATIONS, OPT_CSV };

typedef struct {
  int size[SIZES_MAX][3], count;
  hp_tune_options tune;
  const char *output, *csv;
} arguments;

static int parse_size(const char *text, arguments *a) {
  if (a->count == SIZES_MAX) return hp_cli_usage_error("tune", "more than %d sizes", (int)SIZES_MAX);
  const char *end = text;
  if (hp_args_size(&end, a->size[a->count++]) == 3 && *end == '\0') return HP_EXIT_OK;
  return hp_cli_usage_error("tune", "--size takes NXxNYxNZ, as 60x220x85, not '%s'", text);
}

static int set_option(int option, const char *text, void *arg) {
  arguments *a = arg;
  switch (option) {
    case 'o': a->output = text; return *text != '\0' ? HP_EXIT_OK : hp_cli_usage_error("tune", "-o needs a name");
    case OPT_SIZE: return parse_size(text, a);
    case OPT_CSV: a->csv = text; return HP_EXIT_OK;
    case OPT_ROUNDS: return hp_args_count("tune", "--rounds", text, HP_TUNE_ROUNDS_MAX, &a->tune.rounds);
    case OPT_ITERATIONS: return hp_args_count("tune", "--iterations", text, 100000, &a->tune.iterations);
    default: return HP_ARGS_NOT_A_VALUE;
  }
}

static const struct option options[] = {{"size", required_argument, NULL, OPT_SIZE},
                                        {"rounds", required_argument, NULL, OPT_ROUNDS},
                                        {"iterations", required_argument, NULL, OPT_ITERATIONS},
                                        {"csv", required_argument, NULL, OPT_CSV},
                                        {"output", required_argument, NULL, 'o'},
                                        {"help", no_argument, NULL, 'h'},
                                        {NULL, 0, NULL, 0}};

static const hp_args_syntax syntax = {"tune", help, ":o:h", options, false, set_option};

static void choose_usual_sizes(arguments *a) {
  static const int usual[][3] = {{20, 20, 20}, {32, 32, 32}, {64, 64, 64}, {60, 220, 85}};
  a->count = (int)(sizeof usual / sizeof *usual);
  memcpy(a->size, usual, sizeof usual);
}

static void print_row(const hp_tuned_row *r) {
  char size[48];
  snprintf(size, sizeof size, "%d x %d x %d", r->size[0], r->size[1], r->size[2]);
  printf("%-16s %9.2f %9.2f %6.1f %%  %6d %-11s %8d %4d %5s %6d %9s\n", size, 1e6 * r->default_seconds,
         1e6 * r->seconds, 100.0 * (1.0 - r->seconds / r->default_seconds), r->shape.blocks,
         hp_barrier_name(r->shape.barrier), r->shape.delay, r->shape.chip, r->shape.wide ? "yes" : "no",
         r->shape.unroll, r->shape.recompute ? "yes" : "no");
  fflush(stdout);
}

static hp_status measure(hp_device *D, const arguments *a, hp_tuned *t) {
  const hp_device_info *info = hp_device_get_info(D);
  printf("%s (%d.%d), %d multiprocessors; microseconds per iteration of BiCG-Stab with block DILU\n", info->name,
         info->major, info->minor, info->multiprocessors);
  printf("%-16s %9s %9s %8s  %6s %-11s %8s %4s %5s %6s %9s\n", "cells", "default", "tuned", "gain", "blocks", "barrier",
         "delay ns", "chip", "wide", "unroll", "recompute");
  for (int n = 0; n < a->count; ++n) {
    hp_tuned_row row;
    HP_TRY(hp_tune_size(D, a->size[n], &a->tune, &row));
    print_row(&row);
    hp_tuned_put(t, &row);
  }
  return HP_OK;
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

int hp_command_tune(int argc, char **argv) {
  arguments a = {.tune = hp_tune_default()};
  int code;
  if (!hp_args_parse(&syntax, argc, argv, &a, &code)) return code;
  if (a.count == 0) choose_usual_sizes(&a);
  if (a.output != NULL && hp_tuned_check_path(a.output) != HP_OK)
    return hp_cli_usage_error("tune", "-o %s", hp_fail_text());
  if (hp_args_csv_open(NULL, a.csv, &a.tune.csv) != HP_OK) return hp_cli_usage_error("tune", "%s", hp_fail_text());
  if (a.csv != NULL) hp_tune_csv_head(a.tune.csv);
  hp_device *D = NULL;
  hp_status s = hp_device_create(NULL, &D);
  if (s == HP_OK) s = tune(D, &a);
  hp_device_destroy(&D);
  return hp_cli_exit(hp_args_csv_close(a.csv, a.tune.csv, s));
}
