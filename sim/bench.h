/* What `hepta bench` measures. A verb is a file sim/bench_NAME.c with a function
 * that parses its own options and returns the exit code, and a line here. */
#ifndef HP_SIM_BENCH_H
#define HP_SIM_BENCH_H

#include <stdbool.h>

/* X("name", "what it measures", function) */
#define HP_BENCH_LIST(X)                                                                     \
  X("barrier", "what a barrier of the team costs, on a GPU or a CPU", hp_bench_barrier)       \
  X("spmv", "products y = A x with the matrix in all storage formats", hp_bench_spmv)        \
  X("krylov", "iterations and solves of the Krylov methods", hp_bench_krylov)                \
  X("step", "properties, assembly, wells and norms of a deck", hp_bench_step)              \
  X("amg", "multigrid: set-up, refresh and solve of scalar systems", hp_bench_amg)

#define HP_BENCH_DECLARE(name, what, run) int run(int argc, char **argv);
HP_BENCH_LIST(HP_BENCH_DECLARE)
#undef HP_BENCH_DECLARE

/* The median; sorts v [n], n > 0. */
double hp_bench_median(double *v, int n);

/* A whole or real number min .. max that is all of the text; false otherwise. */
bool hp_bench_whole(const char *text, long min, long max, int *out);
bool hp_bench_real(const char *text, double min, double max, double *out);

#endif
