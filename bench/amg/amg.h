/* Private to bench/amg: a scalar system, and what multigrid takes to solve it. */
#ifndef HP_BENCH_AMG_AMG_H
#define HP_BENCH_AMG_AMG_H

#include <stdio.h>

#include "bench/amg/products.h"
#include "bench/generators/pressure.h"
#include "bench/multigrid/multigrid.h"
#include "bench/multigrid/solver.h"
#include "core/device/device.h"

HP_EXTERN_C_BEGIN

enum { HP_AMG_BENCH_SAMPLES = 100 };

typedef struct hp_amg_bench_peer hp_amg_bench_peer; /* bench/amg/hypre.c */

typedef struct hp_amg_bench {
  hp_pressure model;
  const char *problem;                    /* what `model` is called; NULL: the table of four */
  const char *matrix, *rhs, *write, *csv; /* files; rhs also "ones" and "random" */
  hp_amg_solver_options solver;
  int samples, threads; /* threads 0: one a processor */
  bool view, formats, paper, names, smoother_given, interpolation_given;
  bool chosen[HP_AMG_FORMAT_AUTO + 1]; /* --cycle-format, */
  int nchosen;                         /* of several formats */
  bool sized;                          /* --size: --paper takes one grid instead of four */
  bool wells_apart;                    /* hp_amg_build is told which rows are wells */
  FILE *table;                         /* csv */
  hp_team_hub *hub;
  bool gpu;
  hp_device_options gpus; /* of --gpus */
  hp_device *device;      /* NULL: on the CPU */
  bool beside;            /* --peer hypre */
  hp_amg_bench_peer *peer;
} hp_amg_bench;

typedef struct hp_amg_bench_system {
  char name[160];
  hp_gh *G; /* NULL: a matrix from a file */
  hp_sparse *F;
  int32_t nwell;
  double *b, *x; /* [rows] */
} hp_amg_bench_system;

typedef struct hp_amg_bench_result {
  double setup, refresh, solve; /* seconds, medians */
  double cycle;                 /* seconds, of one alone; where B has several formats */
  double factor;                /* (|r_k| / |r_0|)^(1/k) after the last iteration k */
  hp_krylov_report report;
  hp_multigrid_report hierarchy;
  bool peer;         /* of the peer: no refresh, no bytes, no count of cycles */
  double difference; /* of the peer's solution from ours, over the largest value */
} hp_amg_bench_result;

/* Makes the system from B's matrix file or its model. */
hp_status hp_amg_bench_system_create(const hp_amg_bench *B, hp_amg_bench_system *S) HP_MUST_USE;
void hp_amg_bench_system_free(hp_amg_bench_system *S);

/* B->samples builds, refreshes and solves with B->solver; with B->view prints the levels. On
 * B->device where there is one: refreshes and builds include their transfers, the system is there already. */
hp_status hp_amg_bench_measure(const hp_amg_bench *B, hp_amg_bench_system *S, hp_amg_bench_result *R) HP_MUST_USE;
/* A table of solves, a row for each of B's formats of rows in a cycle; HP_ERR_NUMERIC if one fails. */
hp_status hp_amg_bench_cycle_formats(hp_amg_bench *B, hp_amg_bench_system *S) HP_MUST_USE;
/* A table of the products with every level's matrices in several formats; HP_ERR_NUMERIC if they differ. */
hp_status hp_amg_bench_formats(const hp_amg_bench *B, hp_amg_bench_system *S) HP_MUST_USE;
/* "CPU, 2 threads" or the GPU's name. */
const char *hp_amg_bench_where(const hp_amg_bench *B, char *text, size_t size);
void hp_amg_bench_csv(const hp_amg_bench *B, const hp_amg_bench_system *S, const hp_amg_bench_result *R);
/* "pmis, extended+i of at most 4 weights" */
void hp_amg_bench_print_hierarchy(const hp_amg_options *o);
/* "pmis, extended+i of at most 4 weights, gauss-seidel, V(1,1), bicgstab to 1e-06" */
void hp_amg_bench_print_choices(const hp_amg_solver_options *o, bool smoother);

/* NULL, or why this build has no peer. */
const char *hp_amg_bench_peer_refusal(void);
hp_status hp_amg_bench_peer_open(hp_amg_bench_peer **out) HP_MUST_USE;
void hp_amg_bench_peer_close(hp_amg_bench_peer **P);
/* hp_amg_bench_measure by B->peer, after it: S->x is our solution, with which the peer's is compared. */
hp_status hp_amg_bench_measure_peer(const hp_amg_bench *B, const hp_amg_bench_system *S,
                                    hp_amg_bench_result *R) HP_MUST_USE;
/* Says after a system: "hypre 2.26.0, CPU, 1 process, 1 thread"; a line of the choices that are not ours, if any; a table
 * of both. */
const char *hp_amg_bench_peer_where(const hp_amg_bench *B, char *text, size_t size);
void hp_amg_bench_print_peer_choices(const hp_amg_bench *B);
void hp_amg_bench_print_peer(const hp_amg_bench *B, const hp_amg_bench_result *ours, const hp_amg_bench_result *peer);

/* The paper's four examples beside its numbers, or its choices on B->model's grid; four systems. */
hp_status hp_amg_bench_paper(hp_amg_bench *B) HP_MUST_USE;
hp_status hp_amg_bench_four(hp_amg_bench *B) HP_MUST_USE;

HP_EXTERN_C_END

#endif
