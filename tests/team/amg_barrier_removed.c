/* Helper of test_amg_barrier_removed.py: a hierarchy refreshed and a cycle by a rotating team, one barrier left out.
 *
 *     amg_barrier_removed SMOOTHER count                      prints the numbers of the program's barriers, of the two
 *                                                             around the smoothers' numbers only where the first
 *                                                             sweep is a loop that reads them at once
 *     amg_barrier_removed SMOOTHER skip NUMBER MEMBERS SEED   0: none. ThreadSanitizer is to see the race.
 *     amg_barrier_removed SMOOTHER count-first GPUS           the members stand for GPUs, and levels but the finest are
 *     amg_barrier_removed SMOOTHER skip NUMBER MEMBERS SEED GPUS   the first one's: numbers of its own barriers, negative,
 *                                                             then of those of all
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "amg/amg.h"
#include "amg/cycle/numbers.inl.h"
#include "amg/cycle/program.h"
#include "core/memory.h"
#include "tests/support/amg_matrices.h"

typedef struct {
  const hp_amg *H;
  const double *b;
  double *x, *y;
  int64_t products, numbers; /* barriers passed after them */
  int64_t first;             /* of the first GPU's own */
} job;

static void run(hp_team *t, void *arg) {
  job *j = arg;
  const int64_t n = j->H->level[0].A->nrow;
  hp_amg_refresh_products(t, j->H, 0);
  if (t->rank == 0) j->products = t->barriers;
  hp_amg_numbers(t, j->H);
  if (t->rank == 0) j->numbers = t->barriers;
  hp_amg_cycle(t, j->H, j->b, j->x);
  HP_TEAM_FOR(t, i, n) j->y[i] = j->x[n - 1 - i];
  if (t->rank == 0) j->first = t->first_barriers;
}

/* Even ones in double, odd ones in float: both are the same text. */
static hp_amg_options options_of(int smoother) {
  hp_amg_options opt = hp_amg_default_options();
  opt.smoother = (hp_amg_smoother)smoother;
  opt.precision = smoother % 2 == 0 ? HP_PRECISION_DOUBLE : HP_PRECISION_SINGLE;
  opt.slice = smoother % 2 == 0 ? 1 : 4;
  opt.coarsest = 24; /* leaves 19: more than one member inverts at once, so that others read what it factorized */
  opt.domain = 20;
  opt.order = 2;
  opt.one_gpu_rows = 80; /* but the finest level, which has 122 */
  return opt;
}

static hp_status cycles(int smoother, int members, const hp_team_options *team, job *j, int64_t *passed) {
  const amg_reservoir r = {.nx = 5, .ny = 6, .nz = 4, .vertical = 0.01, .storage = 1e-2, .nwell = 2, .seed = 3};
  const hp_amg_options opt = options_of(smoother);
  hp_team_hub *hub;
  hp_csr *A;
  hp_amg *H;
  double *b = NULL;
  HP_TRY(amg_reservoir_csr(&r, &A));
  HP_TRY(HP_ALLOC(b, 3 * (int64_t)A->nrow));
  for (int32_t i = 0; i < A->nrow; ++i) b[i] = 1.0 + (double)(i % 5);
  HP_TRY(hp_amg_create(&opt, &H));
  HP_TRY(hp_amg_build(H, A, r.nwell));
  j->H = H;
  j->b = b;
  j->x = b + A->nrow;
  j->y = b + 2 * A->nrow;
  HP_TRY(hp_team_hub_create(members, team, &hub));
  HP_TRY(hp_team_run(hub, run, j));
  *passed = hp_team_barriers(hub);
  hp_team_hub_destroy(&hub);
  hp_amg_destroy(&H);
  hp_csr_destroy(&A);
  HP_FREE(b);
  return HP_OK;
}

int main(int argc, char **argv) {
  hp_team_options team = {.time_limit = 20.0, .rotate = 1, .gpus = argc == 7 ? atoi(argv[6]) : 0};
  hp_status s = HP_ERR_USAGE;
  int64_t passed = 0;
  job j = {0};
  int smoother = 0;
  while (argc > 1 && smoother < HP_AMG_SMOOTHER_COUNT &&
         strcmp(argv[1], hp_amg_smoother_name((hp_amg_smoother)smoother)) != 0)
    ++smoother;
  if (smoother == HP_AMG_SMOOTHER_COUNT) return 2;
  if (argc == 3 && strcmp(argv[2], "count") == 0) {
    s = cycles(smoother, 1, &team, &j, &passed);
    for (int64_t n = 1; n < passed && s == HP_OK; ++n) /* the last is the team's own */
      if (smoother == HP_AMG_DAMPED_JACOBI || (n != j.products + 1 && n != j.numbers)) printf("%lld\n", (long long)n);
  } else if (argc == 4 && strcmp(argv[2], "count-first") == 0) {
    team.gpus = atoi(argv[3]);
    s = cycles(smoother, 2 * team.gpus, &team, &j, &passed);
    for (int64_t n = 1; n <= j.first && s == HP_OK; ++n) printf("%lld\n", -(long long)n);
    for (int64_t n = 1; n < passed - j.first && s == HP_OK; ++n) printf("%lld\n", (long long)n);
  } else if ((argc == 6 || argc == 7) && strcmp(argv[2], "skip") == 0) {
    const long long number = atoll(argv[3]);
    team.skip_barrier = number > 0 ? number : 0;
    team.skip_first = number < 0 ? -number : 0;
    team.rotate = (uint32_t)atoi(argv[5]);
    s = cycles(smoother, atoi(argv[4]), &team, &j, &passed);
  }
  if (s != HP_OK) fprintf(stderr, "amg_barrier_removed: %s: %s\n", hp_status_text(s), hp_fail_text());
  return s == HP_OK ? 0 : 1;
}
