/* The verbs of `hepta bench`. A verb is a file NAME.c of bench/, or command.c of a folder there, with a function that parses its own options, with
 * the help of sim/cli/args.c, and returns the exit code, and a line here. `hepta tune` shares the helpers. */
#ifndef HP_BENCH_BENCH_H
#define HP_BENCH_BENCH_H

#include <stdbool.h>
#include <stdio.h>

#include "core/status.h"

/* X("name", "what it measures", function) */
#define HP_BENCH_LIST(X)                                                                \
  X("barrier", "what a barrier of the team costs, on a GPU or a CPU", hp_bench_barrier) \
  X("spmv", "products y = A x with the matrix in all storage formats", hp_bench_spmv)   \
  X("vectors", "axpy, maxpy, waxpy, dot, norm, scale, beside cuBLAS", hp_bench_vectors) \
  X("sgdia", "products with SG-DIA of stencils, beside dia and csr", hp_bench_sgdia)    \
  X("bsr", "products with q x q blocks in any pattern", hp_bench_bsr)                   \
  X("krylov", "iterations and solves of the Krylov methods", hp_bench_krylov)           \
  X("step", "properties, assembly, wells and norms of a deck", hp_bench_step)           \
  X("amg", "multigrid: set-up, refresh and solve of scalar systems", hp_bench_amg)      \
  X("bratu", "solid-fuel ignition by Newton's method", hp_bench_bratu)                  \
  X("solve", "solvers on linear systems of real runs", hp_bench_solve)                  \
  X("paper", "tables and figures of papers, beside their numbers", hp_bench_paper)

#define HP_BENCH_DECLARE(name, what, run) int run(int argc, char **argv);
HP_BENCH_LIST(HP_BENCH_DECLARE)
#undef HP_BENCH_DECLARE

int hp_bench_tune(int argc, char **argv); /* the command `hepta tune` */

/* Names of a choice by number, for hp_args_names. */
const char *hp_bench_method_name(int n);    /* hp_krylov_method */
const char *hp_bench_execution_name(int n); /* hp_execution_kind */
const char *hp_bench_matrix_name(int n);    /* hp_sparse_kind */

/* The function of the verb of that name; NULL: there is none. */
typedef int hp_bench_verb(int argc, char **argv);
hp_bench_verb *hp_bench_find(const char *name);

/* The median; sorts v [n], n > 0. */
double hp_bench_median(double *v, int n);

/* The bandwidth of a copy within buffer [count], from its first half to the second by a CPU's team [bytes/s, read and
 * written]; so many numbers that no cache keeps them (bench/bench.c). */
struct hp_team_hub;
int64_t hp_bench_past_caches(void);
hp_status hp_bench_copy(struct hp_team_hub *hub, double *buffer, int64_t count, double *rate) HP_MUST_USE;

/* Double-precision multiplications and additions per second that a CPU's team does in registers. */
hp_status hp_bench_peak(struct hp_team_hub *hub, double *rate) HP_MUST_USE;

#endif
