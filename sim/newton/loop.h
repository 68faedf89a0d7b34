/* Newton's method as a loop over what a problem provides. It knows the order of the parts, the limit of iterations, and
 * when the solution of a linear system is worth a step; everything else is the problem's:
 *
 *     for (;;) {
 *       residual     F(u) and its norms
 *       judge        converged, failed, or go on
 *       solve        J(u) and J d = F, which may be solved loosely
 *       update       u - d
 *     }
 *
 * Time steps of a reservoir (sim/newton/newton.c) and the solid-fuel ignition of `hepta bench bratu`
 * (bench/bratu/bratu.h) are solved by it.
 */
#ifndef HP_SIM_NEWTON_LOOP_H
#define HP_SIM_NEWTON_LOOP_H

#include "linsolve/krylov/krylov.h"

HP_EXTERN_C_BEGIN

typedef enum {
  HP_NEWTON_GO_ON,
  HP_NEWTON_CONVERGED,
  HP_NEWTON_FAILED,            /* the problem says so, and why */
  HP_NEWTON_MAX_ITERATIONS,    /* not converged after as many as allowed */
  HP_NEWTON_NO_LINEAR_SOLUTION /* the linear solver left a residual that makes no step */
} hp_newton_end;

/* The state of the loop. */
typedef struct hp_newton_state {
  int iterations, linear;    /* updates made, linear iterations in all */
  int unconverged_linear;    /* linear solves that stopped short */
  hp_krylov_report solution; /* of the latest solve, once there was one */
} hp_newton_state;

/* The problem to solve; `problem` is the first argument of each function. */
typedef struct hp_newton_problem {
  void *problem;
  int max_iterations;
  /* The residual at the present unknowns. */
  hp_status (*residual)(void *problem, const hp_newton_state *at);
  /* GO_ON, CONVERGED or FAILED, of that residual. It may change the residual, not the unknowns. */
  hp_status (*judge)(void *problem, const hp_newton_state *at, hp_newton_end *end);
  /* The linear system, and its solution. */
  hp_status (*solve)(void *problem, const hp_newton_state *at, hp_krylov_report *report);
  /* Applies the solution; not called when it is not worth it. */
  hp_status (*update)(void *problem);
} hp_newton_problem;

/* Whether the solution of a linear solve is worth a step: a tenth of the residual is gone at least. */
bool hp_newton_is_usable(const hp_krylov_report *k);

/* Iterates from the problem's unknowns at hand. Not converging is no error: *end says how it ended. */
hp_status hp_newton_iterate(const hp_newton_problem *P, hp_newton_state *at, hp_newton_end *end) HP_MUST_USE;

HP_EXTERN_C_END

#endif
