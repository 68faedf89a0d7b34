/* Helper of test_barrier_removed.py: a few iterations of a Krylov method with block
 * DILU in red-black order by a rotating team, one barrier left out.
 *
 *     barrier_removed METHOD count                      prints the numbers of the program's barriers
 *     barrier_removed METHOD skip NUMBER MEMBERS SEED   0: none. ThreadSanitizer is to see the race.
 *     barrier_removed end SKIP                          the barrier at the end of a run (SKIP 1: left out)
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/profile.h"
#include "linsolve/krylov/krylov.h"
#include "tests/support/matrices.h"

enum { ITERATIONS = 2, LENGTH = 4096 };

/* Sets up and solves; the barriers passed after each are in passed[2]. */
static hp_status solve(hp_team_hub *hub, hp_krylov_method method, int64_t passed[2]) {
  const hp_krylov_options opt = {.method = method,
                                 .preconditioner = HP_PRECOND_DILU,
                                 .ordering = HP_ORDER_RED_BLACK,
                                 .tolerance = 1e-14,
                                 .max_iterations = ITERATIONS,
                                 .restart = ITERATIONS};
  hp_gh *A;
  hp_krylov *K;
  hp_krylov_report report;
  double *b = NULL, *x = NULL;
  if (method == HP_KRYLOV_CG) HP_TRY(matrix_random_spd(9, 8, 5, 2, 3, 0.01, 5, &A));
  else HP_TRY(matrix_flow(9, 8, 5, 3, 1.0, 1e-2, 5, &A));
  HP_TRY(HP_ALLOC(b, A->n));
  HP_TRY(HP_ALLOC(x, A->n));
  for (int64_t i = 0; i < A->n; ++i) b[i] = 1.0 + (double)(i % 5);
  HP_TRY(hp_krylov_create(hub, A, &opt, &K));
  HP_TRY(hp_krylov_setup(K, A));
  passed[0] = hp_team_barriers(hub);
  HP_TRY(hp_krylov_solve(K, A, b, x, NULL, &report));
  passed[1] = hp_team_barriers(hub);
  hp_krylov_destroy(&K);
  hp_gh_destroy(&A);
  HP_FREE(b);
  HP_FREE(x);
  return HP_OK;
}

static hp_status run_solve(hp_krylov_method method, int members, const hp_team_options *opt, int64_t passed[2]) {
  hp_team_hub *hub;
  HP_TRY(hp_team_hub_create(members, opt, &hub));
  HP_TRY(solve(hub, method, passed));
  hp_team_hub_destroy(&hub);
  return HP_OK;
}

static void fill(hp_team *t, void *p) {
  double *v = p;
  HP_TEAM_FOR(t, i, LENGTH) v[i] = (double)i;
}

/* Writes by all members, read by the caller after the run. Without the barrier
 * the caller must not be so early that it ends the team before all have begun:
 * looking at the clock orders nothing. */
static hp_status run_end(const hp_team_options *opt) {
  hp_team_hub *hub;
  double *v = NULL, sum = 0.0;
  HP_TRY(HP_ALLOC(v, LENGTH));
  HP_TRY(hp_team_hub_create(3, opt, &hub));
  HP_TRY(hp_team_run(hub, fill, v));
  for (const double since = hp_now(); hp_now() - since < 0.1;) {
  }
  for (int i = 0; i < LENGTH; ++i) sum += v[i];
  printf("%g\n", sum);
  hp_team_hub_destroy(&hub);
  HP_FREE(v);
  return HP_OK;
}

int main(int argc, char **argv) {
  hp_team_options opt = {.time_limit = 20.0, .rotate = 1};
  hp_status s = HP_ERR_USAGE;
  int64_t passed[2];
  hp_krylov_method method = HP_KRYLOV_COUNT;
  if (argc == 3 && hp_krylov_method_find(argv[1], &method) && strcmp(argv[2], "count") == 0) {
    s = run_solve(method, 1, &opt, passed);
    /* each run's last barrier is the team's own */
    for (int64_t n = 1; n < passed[1] && s == HP_OK; ++n)
      if (n != passed[0]) printf("%lld\n", (long long)n);
  } else if (argc == 6 && hp_krylov_method_find(argv[1], &method) && strcmp(argv[2], "skip") == 0) {
    opt.skip_barrier = atoll(argv[3]);
    opt.rotate = (uint32_t)atoi(argv[5]);
    s = run_solve(method, atoi(argv[4]), &opt, passed);
  } else if (argc == 3 && strcmp(argv[1], "end") == 0) {
    opt.skip_barrier = atoll(argv[2]);
    s = run_end(&opt);
  }
  if (s != HP_OK) fprintf(stderr, "barrier_removed: %s: %s\n", hp_status_text(s), hp_fail_text());
  return s == HP_OK ? 0 : 1;
}
