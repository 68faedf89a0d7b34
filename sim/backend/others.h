/* Linear solvers beside a backend's own (`hepta compare --same-steps`): each solves the backend's latest system, too, and its
 * solution is compared with the backend's.
 *
 *     for each system, once the backend has solved it:
 *       HP_TRY(hp_backend_others_fetch(B));
 *       HP_TRY(hp_backend_other_create(B, 1, &options));       with the first one, whose shape all have
 *       HP_TRY(hp_backend_other_solve(B, 1, history, &report));
 *     hp_backend_destroy(&B);                                  with its other solvers
 *
 * Of several ranks each has solvers of its part; the calls are collective.
 */
#ifndef HP_SIM_BACKEND_OTHERS_H
#define HP_SIM_BACKEND_OTHERS_H

#include "physics/fluid.h"
#include "sim/linear/linear.h"

HP_EXTERN_C_BEGIN

enum { HP_OTHER_SOLVERS = 64 };

struct hp_backend;
typedef struct hp_others hp_others;

typedef struct hp_other_options {
  hp_linear_options linear;
  bool on_device;           /* a GPU of its own, to which systems are copied; else a team of the CPU */
  int threads;              /* of the team, of the host of a rank with a GPU; 0: of one process one a processor */
  hp_device_options device; /* of the GPU */
} hp_other_options;

/* One solve. */
typedef struct hp_other_report {
  hp_krylov_report k;
  double setup, solve;   /* [s] */
  double off[HP_PHASES]; /* |x - x1| / |x1| (2-norms) of the cells' HP_P and HP_S, x1 what the backend has found */
} hp_other_report;

/* The latest system becomes that of the calls below, until the backend's next operation. */
hp_status hp_backend_others_fetch(struct hp_backend *B) HP_MUST_USE;
/* Solver number n, 0 <= n < HP_OTHER_SOLVERS. After a failure there is none of that number. */
hp_status hp_backend_other_create(struct hp_backend *B, int n, const hp_other_options *options) HP_MUST_USE;
/* An attempt at a time step begins (hp_linear_ops.begin_step): all of them. */
void hp_backend_others_begin_step(struct hp_backend *B);
/* Numbers of the preconditioner, and x from J x = b. history [max_iterations + 1]. Not converging is no error. */
hp_status hp_backend_other_solve(struct hp_backend *B, int n, double *history, hp_other_report *out) HP_MUST_USE;
/* The state of a solver; of several ranks memory and cpr's counts are rank 0's. */
hp_status hp_backend_other_report(struct hp_backend *B, int n, hp_linear_report *out) HP_MUST_USE;

void hp_others_destroy(hp_others **O);

HP_EXTERN_C_END

#endif
