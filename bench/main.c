/* hepta-bench, the laboratory: the commands `hepta bench` and `hepta tune`, for which hepta starts it. */
#include <stdio.h>
#include <string.h>

#include "bench/bench.h"
#include "sim/cli/cli.h"
#include "sim/cli/main.h"

extern const char hepta_commit[]; /* made by the build (scripts/commit.cmake) */

static const struct {
  const char *name, *what;
} verbs[] = {
#define VERB(name, what, run) {name, what},
    HP_BENCH_LIST(VERB)
#undef VERB
};

enum { VERBS = sizeof verbs / sizeof verbs[0] };

static void print_help(FILE *f) {
  fputs("usage: hepta bench VERB [options]\n\nMeasures parts of the program on this machine:\n\n", f);
  for (int v = 0; v < VERBS; ++v) fprintf(f, "  %-9s %s\n", verbs[v].name, verbs[v].what);
  fputs("\n'hepta bench VERB --help' says more.\n", f);
}

static int run_bench(int argc, char **argv) {
  if (argc < 2) {
    print_help(stderr);
    return HP_EXIT_USAGE;
  }
  if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
    print_help(stdout);
    return HP_EXIT_OK;
  }
  hp_bench_verb *run = hp_bench_find(argv[1]);
  if (run != NULL) return run(argc - 1, argv + 1);
  return hp_cli_usage_error("bench", "unknown measurement '%s'", argv[1]);
}

int main(int argc, char **argv) {
  static const hp_command commands[] = {
      {"bench", "measure parts of the program", run_bench, false},
      {"tune", "find the fastest launch shapes for this GPU", hp_bench_tune, false},
  };
  const hp_program program = {
      "usage: hepta-bench COMMAND ...\n\nThe laboratory of hepta; 'hepta bench' and 'hepta tune' start it.\n\n",
      "\n'hepta COMMAND --help' says more, 'hepta-bench --version' which version this is.\n", commands,
      sizeof commands / sizeof *commands, hepta_commit};
  return hp_cli_main(argc, argv, &program);
}
