/* Private to bench/solve: solvers on linear systems of runs (io/systems/system.h).
 *
 *   command.c              command line; every choice on every file
 *   read.c                 a file
 *   measure.c              one choice on one system
 *   tables.c               the table, CSV, JSON
 */
#ifndef HP_BENCH_SOLVE_SOLVE_H
#define HP_BENCH_SOLVE_SOLVE_H

#include <stdio.h>

#include "bench/solve/read.h"
#include "sim/backend/backend.h"
#include "sim/report/events.h"

enum {
  HP_BENCH_SOLVE_SAMPLES = 100,
  HP_BENCH_SOLVE_CPR = HP_PRECOND_COUNT,
  HP_BENCH_SOLVE_CPR_HYPRE,
  HP_BENCH_SOLVE_PRECONDS,
  HP_BENCH_SOLVE_BACKEND_ORDER = -1
};

typedef struct hp_bench_solve_choice {
  hp_krylov_method method;
  int preconditioner; /* hp_precond_kind, or one of HP_BENCH_SOLVE_CPR.. */
  int ordering;       /* hp_ordering, or HP_BENCH_SOLVE_BACKEND_ORDER: the backend's */
  hp_execution_kind execution;
} hp_bench_solve_choice;

/* One file at a time. */
typedef struct hp_bench_solve_job {
  hp_backend_kind backend;
  hp_device_options device; /* of --gpus */
  double asked, tolerance;  /* 0: that of the system */
  int max_iterations, samples;
  hp_team_hub *hub; /* solves on a CPU, and checks */
  char where[160];  /* "CPU, 2 threads", the GPU's name */
  double copy;      /* [bytes/s] read and written */
  const char *path;
  hp_system system;
  double *x, *y, *history; /* [n], [n], [max_iterations + 1] */
  FILE *out, *csv;         /* csv NULL: none */
  hp_events *events;       /* NULL: none */
} hp_bench_solve_job;

/* Seconds of the samples. */
typedef struct hp_bench_solve_spread {
  double median, least, most;
} hp_bench_solve_spread;

/* Results of a choice. Numbers are those of the samples' solves, which all have the same bits. */
typedef struct hp_bench_solve_result {
  hp_linear_options linear;
  char why[512]; /* not "": it does not run, and why; then there is no more */
  hp_bench_solve_spread setup, refresh, factor, solve;
  hp_krylov_report report;
  int64_t launches;
  double matrix_bytes, precond_bytes, vector_bytes; /* of the solve, at least */
  double residual; /* |b - A x| / |b|, computed from x by a product of its own; b = 0: |A x| */
  double off;      /* |x - x_run| / |x_run| */
  bool same;       /* x is the run's to the bit */
} hp_bench_solve_result;

/* R->linear, and in R->why what the backend refuses. */
void hp_bench_solve_choose(const hp_bench_solve_job *B, const hp_bench_solve_choice *choice, hp_bench_solve_result *R);
/* Returns the failures that end the bench; solvers that cannot be made are results (R->why). */
hp_status hp_bench_solve_measure(hp_bench_solve_job *B, hp_bench_solve_result *R) HP_MUST_USE;

const char *hp_bench_solve_precond_name(int preconditioner);
void hp_bench_solve_print_head(const hp_bench_solve_job *B);
void hp_bench_solve_print(const hp_bench_solve_job *B, const hp_bench_solve_choice *choice,
                          const hp_bench_solve_result *R);

#endif
