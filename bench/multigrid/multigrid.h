/* The multigrid solver (bench/multigrid/solver.h) as benchmarks use it, on a team of the CPU or on a GPU: as
 * sim/linear/linear.h, a table of operations that is chosen once, by hp_multigrid_create.
 *
 *     bench/multigrid/multigrid.c         hub: the host's memory
 *     bench/multigrid/cuda/multigrid.c    D:   copies of matrix and vectors there
 *
 *     const hp_multigrid_input in = {.F = F, .G = G, .options = &options, .hub = hub};
 *     HP_TRY(hp_multigrid_create(&in, &S));
 *     HP_TRY(S->ops->build(S));                          all levels from the matrix's numbers ...
 *     HP_TRY(S->ops->refresh(S));                        ... or, when only these have changed, numbers only
 *     HP_TRY(S->ops->solve(S, b, x, history, &report));
 *     S->ops->seconds(S, &setup, &solve);
 *     hp_multigrid_destroy(&S);
 */
#ifndef HP_BENCH_MULTIGRID_MULTIGRID_H
#define HP_BENCH_MULTIGRID_MULTIGRID_H

#include "bench/multigrid/solver.h"
#include "core/device/device.h"

HP_EXTERN_C_BEGIN

/* The system and the place of a solver, hub or D. All of it is borrowed, and the host's. */
typedef struct hp_multigrid_input {
  hp_sparse *F;   /* csr, for a team */
  const hp_gh *G; /* the same matrix; a team needs none, a GPU nothing else */
  int32_t nwell;  /* rows of wells behind the cells' that a team keeps apart; a GPU does with all of G's */
  const hp_amg_solver_options *options;
  hp_team_hub *hub;
  hp_device *D;
} hp_multigrid_input;

/* The state of a hierarchy that tables show. */
typedef struct hp_multigrid_report {
  int levels;
  int32_t coarsest;        /* rows of the last level */
  double operators, grids; /* complexities */
  int64_t bytes;           /* of the hierarchy; on a GPU with matrix copies, cycle and the method's vectors */
} hp_multigrid_report;

typedef struct hp_multigrid hp_multigrid;

/* All wait for what they begin. */
typedef struct hp_multigrid_ops {
  void (*destroy)(hp_multigrid **S);
  hp_status (*build)(hp_multigrid *S);
  hp_status (*refresh)(hp_multigrid *S);
  /* See hp_amg_solver_solve. b, x [rows], history and report are the host's. */
  hp_status (*solve)(hp_multigrid *S, const double *b, double *x, double *history, hp_krylov_report *report);
  /* [s] of one cycle from zero, the mean of some; on a GPU in a kernel of its own. */
  hp_status (*cycle)(hp_multigrid *S, double *seconds);
  /* [s] of the latest build or refresh, and of the latest solve, without copies of the system. Either may be NULL. */
  void (*seconds)(const hp_multigrid *S, double *setup, double *solve);
  /* The latest build. */
  void (*report)(hp_multigrid *S, hp_multigrid_report *out);
  /* Prints, after a solve, the levels on standard output; a GPU builds once more for it, with a clock on every part. */
  hp_status (*print)(hp_multigrid *S);
} hp_multigrid_ops;

struct hp_multigrid {
  const hp_multigrid_ops *ops;
};

/* NULL, or why the options do not go together, or not on a GPU. */
const char *hp_multigrid_refusal(const hp_amg_solver_options *options, bool on_gpu);

hp_status hp_multigrid_create(const hp_multigrid_input *in, hp_multigrid **out) HP_MUST_USE;
void hp_multigrid_destroy(hp_multigrid **S);

/* Only in builds with CUDA. The first build, which finds the memory that later ones work in, is done. */
HP_GPU hp_status hp_multigrid_device_create(const hp_multigrid_input *in, hp_multigrid **out) HP_MUST_USE;

HP_EXTERN_C_END

#endif
