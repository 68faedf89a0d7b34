/* The linear solver as everything in sim uses it: a Krylov method with a preconditioner of the table or cpr, on a team
 * of the CPU or on a GPU.
 *
 *     sim/backend, sim/compare, bench              one text for every place
 *        | hp_linear_ops                           chosen once, by hp_linear_create
 *     sim/linear/cpu.c                             hub:     matrix and vectors are the host's
 *     sim/linear/cuda/linear.cu                    D:       matrix and vectors are the device's
 *                                                  opened:  a GPU of its own; matrix and vectors are the host's, copied
 *     A rank's solver, of A->part, is made, set up and run by all ranks together.
 *
 *     const hp_linear_input in = {.A = A, .options = &options, .hub = hub};
 *     HP_TRY(hp_linear_create(&in, &S));
 *     for each system:
 *       HP_TRY(S->ops->set_up(S, A));
 *       HP_TRY(S->ops->solve(S, A, b, x, history, &report));
 *       HP_TRY(S->ops->seconds(S, &setup, &solve));
 *     hp_linear_destroy(&S);
 */
#ifndef HP_SIM_LINEAR_LINEAR_H
#define HP_SIM_LINEAR_LINEAR_H

#include "amg/cpr/cpr.h"
#include "core/device/device.h"
#include "linsolve/krylov/krylov.h"

HP_EXTERN_C_BEGIN

/* Options of a linear solver. */
typedef struct hp_linear_options {
  hp_krylov_options krylov; /* with cpr: its dilu is the second stage */
  bool uses_cpr;
  hp_cpr_options cpr;
} hp_linear_options;

/* The matrix and the place of a solver: one of hub, D, opened. All of it is borrowed. */
typedef struct hp_linear_input {
  const hp_gh *A; /* matrices to come have its shape and wells */
  const hp_linear_options *options;
  hp_team_hub *hub;
  hp_device *D;
  const hp_device_options *opened;
  hp_gh *shape; /* of a rank's part on a GPU: A on the host, whose values become copies of the GPU's */
  int threads;  /* the same: of the host, for cpr's first stage */
} hp_linear_input;

/* The state of a solver that tables show. */
typedef struct hp_linear_report {
  bool uses_cpr;
  hp_cpr_state cpr;
  int64_t solver_bytes; /* held by the Krylov method, its preconditioner and a matrix in another format, cpr apart */
  int64_t device_bytes; /* on a GPU: all that is held there, 0 without one */
  int gpus, gpu[HP_GPUS_MAX];     /* on several GPUs: the different ones, */
  int64_t gpu_bytes[HP_GPUS_MAX]; /* and all that is held on each */
  int64_t launches;               /* of the latest solve: kernels, graphs and calls of libraries; 0 on a CPU */
  hp_krylov_special special;
  char where[160]; /* "CPU, 2 threads", "GPU NVIDIA H100" */
} hp_linear_report;

typedef struct hp_linear_solver hp_linear_solver;

typedef struct hp_linear_ops {
  void (*destroy)(hp_linear_solver **S);
  /* Numbers of the preconditioner from A. On a GPU in the stream. */
  hp_status (*set_up)(hp_linear_solver *S, const hp_gh *A);
  /* x from A x = b and x = 0; waits. history [max_iterations + 1] and report are the host's; history may be NULL. Not
   * converging is no error. */
  hp_status (*solve)(hp_linear_solver *S, const hp_gh *A, const double *b, double *x, double *history,
                     hp_krylov_report *report);
  /* [s] of the latest set_up and solve without copies of systems; waits. Either may be NULL. */
  hp_status (*seconds)(hp_linear_solver *S, double *setup, double *solve);
  /* The tolerance of later solves (> 0); returns the one before. */
  double (*set_tolerance)(hp_linear_solver *S, double tolerance);
  /* cpr: hp_cpr_begin_step, hp_cpr_rebuild, hp_cpr_solved; nothing, and false, with other preconditioners. */
  void (*begin_step)(hp_linear_solver *S);
  void (*rebuild)(hp_linear_solver *S);
  bool (*solved)(hp_linear_solver *S, const hp_krylov_report *report);
  hp_status (*report)(hp_linear_solver *S, hp_linear_report *out);
} hp_linear_ops;

struct hp_linear_solver {
  const hp_linear_ops *ops;
};

hp_status hp_linear_create(const hp_linear_input *in, hp_linear_solver **out) HP_MUST_USE;
/* So many times a usual tolerance, but at most 0.3; and what `solve` does, to that of the solver's. */
double hp_linear_loosened(double usual, double times);
hp_status hp_linear_solve_loosely(hp_linear_solver *S, double times, const hp_gh *A, const double *b, double *x,
                                  double *history, hp_krylov_report *report) HP_MUST_USE;
void hp_linear_destroy(hp_linear_solver **S);

hp_status hp_linear_cpu_create(const hp_linear_input *in, hp_linear_solver **out) HP_MUST_USE;
/* Only in builds with CUDA. */
HP_GPU hp_status hp_linear_device_create(const hp_linear_input *in, hp_linear_solver **out) HP_MUST_USE;

/* Memory of a solver on a device that nobody reads between a solve and the next set_up's end; a vector [n] with
 * cpr, else NULL, that the solver leaves alone but for a set_up. */
HP_GPU void *hp_linear_device_work(const hp_linear_solver *S, int64_t *bytes);
HP_GPU double *hp_linear_device_solution(const hp_linear_solver *S);
HP_GPU const hp_krylov_special *hp_linear_device_special(const hp_linear_solver *S);

struct hp_case; /* io/case/case.h */

/* The solver of a deck there; what the deck does not name (an order of elimination, a relaxation) is the place's own. NULL, or why
 * what it asks for is refused (linsolve/krylov/combinations.h, and builds without hypre). */
const char *hp_linear_choose(hp_solver_place place, const struct hp_case *c, hp_linear_options *out);
const char *hp_linear_refusal(const hp_linear_options *options, hp_solver_place place);
/* The same of a team on one or several GPUs (gpus as in hp_device_options). */
const char *hp_linear_gpus_refusal(int gpus, const hp_linear_options *options);
/* Whether the parts of ranks are cut between bricks. */
bool hp_linear_cuts_bricks(const hp_linear_options *s);

/* "dilu", or "cpr (true-impes, pmis, extended+i, gauss-seidel), then dilu". */
void hp_linear_describe_precond(const hp_linear_options *s, char *out, size_t size);
/* "gmres, cpr (true-impes, ...), then dilu (natural, single), tolerance 0.005". */
void hp_linear_describe_solver(const hp_linear_options *s, char *out, size_t size);

/* Options of a Krylov solver that has `external` in place of the dilu of `krylov`. */
hp_krylov_options hp_linear_external_options(const hp_krylov_options *krylov, const hp_precond_external *external);

HP_EXTERN_C_END

#endif
