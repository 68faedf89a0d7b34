#include "sim/newton/loop.h"

#include <math.h>
#include <string.h>

bool hp_newton_is_usable(const hp_krylov_report *k) {
  return k->reason == HP_KRYLOV_CONVERGED || (isfinite(k->residual) && k->residual < 0.1 * k->norm_b);
}

hp_status hp_newton_iterate(const hp_newton_problem *P, hp_newton_state *at, hp_newton_end *end) {
  memset(at, 0, sizeof *at);
  for (;;) {
    *end = HP_NEWTON_GO_ON;
    HP_TRY(P->residual(P->problem, at));
    HP_TRY(P->judge(P->problem, at, end));
    if (*end != HP_NEWTON_GO_ON) return HP_OK;
    if (at->iterations == P->max_iterations) break;
    HP_TRY(P->solve(P->problem, at, &at->solution));
    at->linear += at->solution.iterations;
    at->unconverged_linear += at->solution.reason != HP_KRYLOV_CONVERGED;
    if (!hp_newton_is_usable(&at->solution)) {
      *end = HP_NEWTON_NO_LINEAR_SOLUTION;
      return HP_OK;
    }
    HP_TRY(P->update(P->problem));
    at->iterations += 1;
  }
  *end = HP_NEWTON_MAX_ITERATIONS;
  return HP_OK;
}
