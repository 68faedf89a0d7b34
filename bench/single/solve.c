/* The product and BiCG-Stab on a CPU. */
#include "bench/single/real.h"
/* in single precision from here on */
#include "bench/single/single.h"
#include "linsolve/krylov/bicgstab.inl.h"

void hp_single_mul(hp_team *t, const hp_gh *A, const float *x, float *y) { hp_gh_mul(t, A, x, y); }

void hp_single_solve(hp_team *t, const hp_gh *A, float tolerance, int max_iterations, const float *b, float *x,
                     float *work, hp_single_report *report) {
  hp_krylov_report r = {.iterations = 0};
  hp_precond none;
  hp_solve S;
  memset(&none, 0, sizeof none);
  memset(&S, 0, sizeof S);
  none.kind = HP_PRECOND_NONE;
  S.A = A;
  S.P = &none;
  S.b = b;
  S.x = x;
  S.work = work;
  S.stride = A->n;
  S.tolerance = tolerance;
  S.max_iterations = max_iterations;
  S.singular = -1;
  S.report = &r;
  hp_bicgstab(t, &S);
  if (t->rank == 0)
    *report = (hp_single_report){r.reason, r.iterations, r.restarts, r.products, r.barriers, r.norm_b, r.residual};
}
