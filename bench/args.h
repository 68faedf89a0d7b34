/* Lists of values on command lines, and the tables that --csv asks for. */
#ifndef HP_BENCH_ARGS_H
#define HP_BENCH_ARGS_H

#include <getopt.h>
#include <stdio.h>

#include "io/inputs.h"
#include "sim/cli/args.h"

/* hp_args_syntax of a bench, whose options have numbers: those of `options`, which ends with zeros and has all that the help
 * lists. */
typedef struct hp_bench_args_syntax {
  const char *command, *help;
  const struct option *options;
  bool operands;
  int (*set)(int option, const char *text, void *arguments);
} hp_bench_args_syntax;
bool hp_bench_args_parse(const hp_bench_args_syntax *syntax, int argc, char **argv, void *arguments, int *code);

/* A whole number 0 .. 1e9. */
bool hp_args_seed(const char *text, uint64_t *out);

/* Whole numbers min .. max, comma between: at most `most` of them, to out [most]. */
bool hp_args_wholes(const char *text, long min, long max, int most, int *out, int *count);

/* A size V (a cube: returns 1) or NXxNYxNZ (returns 3) at the start of *text, which is moved behind it; 0: there is
 * none, or one of its numbers is not 1 .. 4096. */
int hp_args_size(const char **text, int size[3]);

/* Sizes, comma between: at most HP_ARGS_LIST_MAX. */
enum { HP_ARGS_LIST_MAX = 32 };
typedef struct hp_args_size_list {
  int count, size[HP_ARGS_LIST_MAX][3];
} hp_args_size_list;
bool hp_args_sizes(const char *text, hp_args_size_list *out);

/* The cubes 20, 32, 41, 51 and 64 that are measured if no sizes are asked for. */
hp_args_size_list hp_args_usual_sizes(void);

/* The number of the name that is all of the text, among name(0) .. name(count-1); -1: it is none of them. */
int hp_args_find(const char *text, const char *(*name)(int), int count);

/* Names, comma between: chosen [count], whether each was among them. False: one is none of them. */
bool hp_args_names(const char *text, const char *(*name)(int), int count, bool *chosen);

/* Opens the table of --csv for writing; path NULL: there is none, *csv is NULL. HP_ERR_USAGE, also for one of the files
 * `read` (NULL: none). */
hp_status hp_args_csv_open(const hp_inputs *read, const char *path, FILE **csv) HP_MUST_USE;

/* Closes it, if there is one. Returns `s`, what became of the measurement, or HP_ERR_FILE where that was well and the
 * table could not be written. */
hp_status hp_args_csv_close(const char *path, FILE *csv, hp_status s) HP_MUST_USE;

#endif
