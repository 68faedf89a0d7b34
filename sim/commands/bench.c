/* hepta bench VERB: the measurements of sim/bench/bench.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/bench/bench.h"
#include "sim/cli/cli.h"

static const struct {
  const char *name, *what;
  int (*run)(int argc, char **argv);
} verbs[] = {
#define VERB(name, what, run) {name, what, run},
    HP_BENCH_LIST(VERB)
#undef VERB
};

enum { VERBS = sizeof verbs / sizeof verbs[0] };

static int by_value(const void *x, const void *y) {
  const double a = *(const double *)x, b = *(const double *)y;
  return (a > b) - (a < b);
}

double hp_bench_median(double *v, int n) {
  qsort(v, (size_t)n, sizeof *v, by_value);
  return n % 2 != 0 ? v[n / 2] : 0.5 * (v[n / 2 - 1] + v[n / 2]);
}

static void print_help(FILE *f) {
  fputs("usage: hepta bench VERB [options]\n\nMeasures parts of the program on this machine:\n\n", f);
  for (int v = 0; v < VERBS; ++v) fprintf(f, "  %-9s %s\n", verbs[v].name, verbs[v].what);
  fputs("\n'hepta bench VERB --help' says more.\n", f);
}

int hp_cli_bench(int argc, char **argv) {
  if (argc < 2) {
    print_help(stderr);
    return HP_EXIT_USAGE;
  }
  if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
    print_help(stdout);
    return HP_EXIT_OK;
  }
  for (int v = 0; v < VERBS; ++v)
    if (strcmp(argv[1], verbs[v].name) == 0) return verbs[v].run(argc - 1, argv + 1);
  return hp_cli_usage_error("bench", "unknown measurement '%s'", argv[1]);
}
