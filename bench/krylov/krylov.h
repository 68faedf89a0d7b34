/* hepta bench krylov, by phase:
 *
 *     command.c   the command line; the matrices, formats and methods that it names
 *     system.c    a matrix in the format that is measured
 *     measure.c   the times of one method on it
 *     single.c    solves in single precision
 *     solver.c    solvers of the laboratory's own: reordered synchronization, boxes of 27 points
 *     parts.c     the times of a product and of a barrier by themselves
 *     tables.c    a row of the table
 */
#ifndef HP_BENCH_KRYLOV_KRYLOV_H
#define HP_BENCH_KRYLOV_KRYLOV_H

#include "bench/args.h"
#include "bench/krylov/parts.h"
#include "bench/krylov/solver.h"
#include "bench/krylov/system.h"
#include "sim/linear/linear.h"

enum { HP_BENCH_KRYLOV_SAMPLES = 100 /* at most */ };

/* The command line. */
typedef struct hp_bench_krylov_options {
  hp_args_size_list sizes;
  int q[HP_ARGS_LIST_MAX], nq, wells, connections; /* wells < 0: the default */
  bool format[HP_BENCH_FORMATS], formats;          /* formats: some were named */
  bool box[2];                                     /* star, box */
  bool method[HP_KRYLOV_COUNT], preconditioner[HP_PRECOND_COUNT], execution[HP_EXECUTION_COUNT];
  hp_backend_kind backend;
  hp_device_options device; /* of --gpus */
  hp_precision precision;
  int iterations, samples, threads;
  int chip[HP_CHIP_MAX + 1], chips; /* chips = 0: what the device has */
  bool symmetric, specialise, tuned, reordered;
  double tolerance;
  uint64_t seed;
  const char *csv, *matrix; /* of MatrixMarket, NULL: seeded ones */
  const char *seeded;       /* an option that seeded matrices only have, NULL: none */
  bool preconditioned;      /* --preconditioner was given */
} hp_bench_krylov_options;

/* A matrix where it is solved. */
typedef struct hp_bench_krylov_run {
  const hp_bench_krylov_options *o;
  int chip;             /* the shape's */
  hp_own_choice choice; /* of a solver of bench/krylov/solver.h */
  hp_bench_place place;
  FILE *csv;
  hp_bench_system S;
} hp_bench_krylov_run;

/* One set of options: times are medians [s]. */
typedef struct hp_bench_krylov_result {
  double iteration, solve, setup;
  double products, barriers, launches; /* an iteration */
  hp_bench_krylov_parts parts;
  int pair;                /* iterations of the longer solve of a pair; 0: not measured, too few or */
  bool noise;              /* the longer solve took no longer */
  hp_krylov_report report; /* to convergence */
  hp_krylov_special special;
} hp_bench_krylov_result;

/* Two more behind the executions: in-kernel with the kernel compiled for the matrix; with reordered synchronization. */
enum { HP_BENCH_KRYLOV_SPECIALISED = HP_EXECUTION_COUNT, HP_BENCH_KRYLOV_REORDERED, HP_BENCH_KRYLOV_WAYS };
const char *hp_bench_krylov_way(const hp_bench_krylov_run *B, const hp_krylov_options *opt);

/* Measures solves of B's system. */
hp_status hp_bench_krylov_measure(const hp_bench_krylov_run *B, const hp_krylov_options *opt,
                                  hp_bench_krylov_result *R) HP_MUST_USE;

/* The first lines of a table of B's system; a row, also of B's file of comma-separated values; the head of that file. */
void hp_bench_krylov_print_head(const hp_bench_krylov_run *B);
void hp_bench_krylov_print(const hp_bench_krylov_run *B, const hp_krylov_options *opt, const hp_bench_krylov_result *R);
void hp_bench_krylov_print_csv_head(const hp_bench_krylov_run *B);

#endif
