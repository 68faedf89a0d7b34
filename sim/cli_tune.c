/* hepta tune */
#define _POSIX_C_SOURCE 200809L
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/cli.h"
#include "sim/tune.h"

static const char help[] =
    "usage: hepta tune [options]\n\n"
    "Measures launch shapes of the solver on this GPU (blocks, barrier, delay, reordering,\n"
    "vectors on chip, layout and width of loads, unrolling, recomputing: docs/gpu.md) and\n"
    "keeps the fastest in a file that later runs with\n"
    "--backend cuda use. Shapes change speed, never results.\n\n"
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

static bool parse_size(const char *text, int size[3]) {
  for (int d = 0; d < 3; ++d) {
    char *end;
    const long v = strtol(text, &end, 10);
    if (end == text || v < 1 || v > 4096 || *end != (d < 2 ? 'x' : '\0')) return false;
    size[d] = (int)v;
    text = end + 1;
  }
  return true;
}

static int parse_count(const char *option, const char *text, int most, int *out) {
  char *end;
  const long v = strtol(text, &end, 10);
  if (end == text || *end != '\0' || v < 1 || v > most)
    return hp_cli_usage_error("tune", "%s takes 1 to %d, not '%s'", option, most, text);
  *out = (int)v;
  return HP_EXIT_OK;
}

/* HP_EXIT_OK to go on, -1 after --help, or the exit code of a mistake. */
static int parse_option(arguments *a, int opt, char **argv) {
  switch (opt) {
    case 'h': fputs(help, stdout); return -1;
    case 'o':
      a->output = optarg;
      return optarg[0] != '\0' ? HP_EXIT_OK : hp_cli_usage_error("tune", "-o needs a name");
    case OPT_SIZE:
      if (a->count == SIZES_MAX) return hp_cli_usage_error("tune", "more than %d sizes", (int)SIZES_MAX);
      if (parse_size(optarg, a->size[a->count++])) return HP_EXIT_OK;
      return hp_cli_usage_error("tune", "--size takes NXxNYxNZ, as 60x220x85, not '%s'", optarg);
    case OPT_CSV: a->csv = optarg; return HP_EXIT_OK;
    case OPT_ROUNDS: return parse_count("--rounds", optarg, HP_TUNE_ROUNDS_MAX, &a->tune.rounds);
    case OPT_ITERATIONS: return parse_count("--iterations", optarg, 100000, &a->tune.iterations);
    default: return hp_cli_bad_option("tune", opt, optopt, argv[optind - 1]);
  }
}

static int parse(int argc, char **argv, arguments *a) {
  static const struct option options[] = {{"size", required_argument, NULL, OPT_SIZE},
                                          {"rounds", required_argument, NULL, OPT_ROUNDS},
                                          {"iterations", required_argument, NULL, OPT_ITERATIONS},
                                          {"csv", required_argument, NULL, OPT_CSV},
                                          {"output", required_argument, NULL, 'o'},
                                          {"help", no_argument, NULL, 'h'},
                                          {NULL, 0, NULL, 0}};
  static const int usual[][3] = {{20, 20, 20}, {32, 32, 32}, {64, 64, 64}, {60, 220, 85}};
  opterr = 0;
  for (int opt; (opt = getopt_long(argc, argv, ":o:h", options, NULL)) != -1;) {
    const int code = parse_option(a, opt, argv);
    if (code != HP_EXIT_OK) return code;
  }
  if (optind < argc) return hp_cli_usage_error("tune", "there is nothing to do with '%s'", argv[optind]);
  if (a->count > 0) return HP_EXIT_OK;
  a->count = (int)(sizeof usual / sizeof *usual);
  memcpy(a->size, usual, sizeof usual);
  return HP_EXIT_OK;
}

static void print_row(const hp_tuned_row *r) {
  char size[48];
  snprintf(size, sizeof size, "%d x %d x %d", r->size[0], r->size[1], r->size[2]);
  printf("%-16s %9.2f %9.2f %6.1f %%  %6d %-11s %8d %4d %5s %6d %9s %7s\n", size, 1e6 * r->default_seconds,
         1e6 * r->seconds, 100.0 * (1.0 - r->seconds / r->default_seconds), r->shape.blocks,
         hp_barrier_name(r->shape.barrier), r->shape.delay, r->shape.chip, r->shape.wide ? "yes" : "no",
         r->shape.unroll, r->shape.recompute ? "yes" : "no", r->shape.reorder ? "yes" : "no");
  fflush(stdout);
}

static hp_status measure(hp_device *D, const arguments *a, hp_tuned *t) {
  const hp_device_info *info = hp_device_get_info(D);
  printf("%s (%d.%d), %d multiprocessors; microseconds an iteration of BiCG-Stab with block DILU\n", info->name,
         info->major, info->minor, info->multiprocessors);
  printf("%-16s %9s %9s %8s  %6s %-11s %8s %4s %5s %6s %9s %7s\n", "cells", "default", "tuned", "gain", "blocks",
         "barrier", "delay ns", "chip", "wide", "unroll", "recompute", "reorder");
  for (int n = 0; n < a->count; ++n) {
    hp_tuned_row row;
    HP_TRY(hp_tune_size(D, a->size[n], &a->tune, &row));
    print_row(&row);
    hp_tuned_put(t, &row);
  }
  return HP_OK;
}

/* What is found replaces a file that cannot be read. */
static hp_status tune(hp_device *D, const arguments *a) {
  const hp_device_info *info = hp_device_get_info(D);
  char usual[1024] = "";
  hp_tuned t;
  const hp_status placed = hp_tuned_path(info, usual, sizeof usual);
  if (placed != HP_OK && a->output == NULL) return placed;
  const char *path = a->output != NULL ? a->output : usual;
  if (hp_tuned_read(path, info, &t) != HP_OK) fprintf(stderr, "hepta: %s: it is replaced\n", hp_fail_text());
  HP_TRY(measure(D, a, &t));
  HP_TRY(hp_tuned_write(path, info, &t));
  printf("\nWritten to %s%s\n", path, strcmp(path, usual) == 0 ? ": runs on this kind of GPU use it" : "");
  if (strcmp(path, usual) != 0 && usual[0] != '\0') printf("Runs look for it as %s\n", usual);
  return HP_OK;
}

int hp_cli_tune(int argc, char **argv) {
  arguments a = {.tune = hp_tune_default()};
  const int code = parse(argc, argv, &a);
  if (code != HP_EXIT_OK) return code < 0 ? HP_EXIT_OK : code;
  if (a.csv != NULL && (a.tune.csv = fopen(a.csv, "w")) == NULL)
    return hp_cli_usage_error("tune", "--csv %s: cannot be opened for writing", a.csv);
  if (a.csv != NULL) hp_tune_csv_head(a.tune.csv);
  hp_device *D = NULL;
  hp_status s = hp_device_create(NULL, &D);
  if (s == HP_OK) s = tune(D, &a);
  hp_device_destroy(&D);
  if (a.csv != NULL) {
    const bool bad = ferror(a.tune.csv) != 0;
    if ((fclose(a.tune.csv) != 0 || bad) && s == HP_OK) s = hp_fail(HP_ERR_FILE, "%s: cannot be written", a.csv);
  }
  return hp_cli_exit(s);
}
