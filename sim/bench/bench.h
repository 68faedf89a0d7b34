/* The verbs of `hepta bench`. A verb is a file sim/bench/NAME.c with a function that parses its own options, with
 * the help of sim/bench/args.c, and returns the exit code, and a line here. `hepta tune` shares the helpers. */
#ifndef HP_SIM_BENCH_BENCH_H
#define HP_SIM_BENCH_BENCH_H

#include <stdbool.h>
#include <stdio.h>

#include "core/status.h"
#include "io/inputs.h"

/* X("name", "what it measures", function) */
#define HP_BENCH_LIST(X)                                                                \
  X("barrier", "what a barrier of the team costs, on a GPU or a CPU", hp_bench_barrier) \
  X("spmv", "products y = A x with the matrix in all storage formats", hp_bench_spmv)   \
  X("krylov", "iterations and solves of the Krylov methods", hp_bench_krylov)           \
  X("step", "properties, assembly, wells and norms of a deck", hp_bench_step)           \
  X("amg", "multigrid: set-up, refresh and solve of scalar systems", hp_bench_amg)      \
  X("solve", "solvers on linear systems of real runs", hp_bench_solve)

#define HP_BENCH_DECLARE(name, what, run) int run(int argc, char **argv);
HP_BENCH_LIST(HP_BENCH_DECLARE)
#undef HP_BENCH_DECLARE

/* The median; sorts v [n], n > 0. */
double hp_bench_median(double *v, int n);

/* The bandwidth of a copy within buffer [count], from its first half to the second by a CPU's team [bytes/s, read and
 * written]; so many numbers that no cache keeps them (sim/bench/copy.c). */
struct hp_team_hub;
int64_t hp_bench_past_caches(void);
hp_status hp_bench_copy(struct hp_team_hub *hub, double *buffer, int64_t count, double *rate) HP_MUST_USE;

/* ---- command lines: sim/bench/args.c ---- */

/* A verb's options. `take` is given one at a time with its value (NULL: it has none) and returns HP_EXIT_OK,
 * HP_BENCH_NOT_A_VALUE for "--name value: not a value it takes", or the exit code of a mistake it told of itself. */
typedef struct hp_bench_syntax {
  const char *command, *help;   /* "bench spmv", for messages; what --help prints */
  const char *letters;          /* as getopt_long takes them, ":h" at least; -h is the help */
  const struct option *options; /* ends with zeros */
  bool operands;                /* there may be others than options: argv from optind on; else they are refused */
  int (*take)(int option, const char *text, void *arguments);
} hp_bench_syntax;

enum { HP_BENCH_NOT_A_VALUE = -1 };

/* True: go on. False: *code is the exit code, after --help or after a message. */
bool hp_bench_parse(const hp_bench_syntax *syntax, int argc, char **argv, void *arguments, int *code);

/* A whole or real number min .. max that is all of the text; false otherwise. */
bool hp_bench_whole(const char *text, long min, long max, int *out);
bool hp_bench_real(const char *text, double min, double max, double *out);

/* A whole number 0 .. 1e9. */
bool hp_bench_seed(const char *text, uint64_t *out);

/* A whole number 1 .. most that is the value of `option`, "--rounds": HP_EXIT_OK or, after a message, HP_EXIT_USAGE. */
int hp_bench_count(const char *command, const char *option, const char *text, int most, int *out);

/* Whole numbers min .. max, comma between: at most `most` of them, to out [most]. */
bool hp_bench_wholes(const char *text, long min, long max, int most, int *out, int *count);

/* A size V (a cube: returns 1) or NXxNYxNZ (returns 3) at the start of *text, which is moved behind it; 0: there is
 * none, or one of its numbers is not 1 .. 4096. */
int hp_bench_size(const char **text, int size[3]);

/* Sizes, comma between: at most HP_BENCH_LIST_MAX. */
enum { HP_BENCH_LIST_MAX = 32 };
typedef struct hp_bench_size_list {
  int count, size[HP_BENCH_LIST_MAX][3];
} hp_bench_size_list;
bool hp_bench_sizes(const char *text, hp_bench_size_list *out);

/* The cubes 20, 32, 41, 51 and 64 that are measured if no sizes are asked for. */
hp_bench_size_list hp_bench_usual_sizes(void);

/* The number of the name that is all of the text, among name(0) .. name(count-1); -1: it is none of them. */
int hp_bench_find(const char *text, const char *(*name)(int), int count);

/* Names, comma between: chosen [count], whether each was among them. False: one is none of them. */
bool hp_bench_names(const char *text, const char *(*name)(int), int count, bool *chosen);

/* Opens the table of --csv for writing; path NULL: there is none, *csv is NULL. HP_ERR_USAGE, also for one of the files
 * `read` (NULL: none). */
hp_status hp_bench_csv_open(const hp_inputs *read, const char *path, FILE **csv) HP_MUST_USE;

/* Closes it, if there is one. Returns `s`, what became of the measurement, or HP_ERR_FILE where that was well and the
 * table could not be written. */
hp_status hp_bench_csv_close(const char *path, FILE *csv, hp_status s) HP_MUST_USE;

#endif
