/* CPR on systems like two-phase flow's: solves that converge in few iterations where block DILU alone needs many,
 * the same bits for every team, a refresh as good as a new pattern. */
#include <string.h>

#include "amg/cpr/cpr.h"
#include "core/memory.h"
#include "linsolve/krylov/krylov.h"
#include "tests/support/check.h"
#include "tests/support/matrices.h"

typedef struct {
  double *x;
  hp_krylov_report first, second;
} outcome;

static hp_cpr_options options_of(hp_cpr_weights weights) {
  hp_cpr_options opt = hp_cpr_default_options();
  opt.weights = weights;
  return opt;
}

/* Solves with A, then with B in the same pattern without building anew. */
static void solve(hp_team_hub *hub, const hp_gh *A, const hp_gh *B, const double *b, const hp_cpr_options *cpr,
                  hp_krylov_method method, outcome *o) {
  hp_krylov_options opt = {.method = method, .tolerance = 1e-8, .max_iterations = 300, .restart = 30};
  hp_krylov *K;
  hp_cpr *C = NULL;
  if (cpr != NULL) {
    CHECK_OK(hp_cpr_create(A, cpr, &C));
    opt.external = hp_cpr_precond(C);
  } else {
    opt.preconditioner = HP_PRECOND_DILU;
    opt.relaxation = 0.8;
  }
  CHECK_OK(hp_krylov_create(hub, A, &opt, &K));
  CHECK_OK(hp_krylov_setup(K, A));
  if (C != NULL) CHECK_OK(hp_cpr_status(C));
  CHECK_OK(hp_krylov_solve(K, A, b, o->x, NULL, &o->first));
  CHECK_OK(hp_krylov_setup(K, B));
  CHECK_OK(hp_krylov_solve(K, B, b, o->x + A->n, NULL, &o->second));
  if (C != NULL) CHECK(C->H->builds == 1);
  hp_krylov_destroy(&K);
  hp_cpr_destroy(&C);
}

static void check_system(hp_team_hub **hubs, int count, int nx, int ny, int nz, int nwell, double decades,
                         uint64_t seed) {
  hp_gh *A, *B;
  outcome one = {0}, other = {0};
  double *b = NULL;
  CHECK_OK(matrix_flow(nx, ny, nz, nwell, decades, 1e-4, seed, &A));
  CHECK_OK(matrix_flow(nx, ny, nz, nwell, decades, 3e-4, seed, &B));
  CHECK_OK(HP_ALLOC(b, A->n));
  CHECK_OK(HP_ALLOC(one.x, 2 * A->n));
  CHECK_OK(HP_ALLOC(other.x, 2 * A->n));
  for (int64_t i = 0; i < A->n; ++i) b[i] = matrix_random(&seed);
  outcome dilu = {.x = other.x};
  const int every = check_every(7); /* of what teams give: each team is among them */
  int pair = 0;
  solve(hubs[0], A, B, b, NULL, HP_KRYLOV_BICGSTAB, &dilu);
  for (int w = 0; w < HP_CPR_WEIGHTS_COUNT; ++w)
    for (int method = 0; method < 3; ++method) {
      const hp_cpr_options cpr = options_of((hp_cpr_weights)w);
      solve(hubs[0], A, B, b, &cpr, (hp_krylov_method)method, &one);
      CHECK(one.first.reason == HP_KRYLOV_CONVERGED && one.second.reason == HP_KRYLOV_CONVERGED);
      CHECK(one.first.residual <= 1e-8 * one.first.norm_b);
      if (method == HP_KRYLOV_BICGSTAB && w == HP_CPR_TRUE_IMPES) {
        CHECK(2 * one.first.iterations < dilu.first.iterations);
        CHECK(one.second.iterations <= one.first.iterations + 5);
      }
      for (int h = 1; h < count; ++h) {
        if (pair++ % every != 0) continue;
        solve(hubs[h], A, B, b, &cpr, (hp_krylov_method)method, &other);
        CHECK(memcmp(one.x, other.x, 2 * (size_t)A->n * sizeof *one.x) == 0);
        CHECK(one.first.iterations == other.first.iterations && one.second.residual == other.second.residual);
      }
    }
  HP_FREE(b);
  HP_FREE(one.x);
  HP_FREE(other.x);
  hp_gh_destroy(&A);
  hp_gh_destroy(&B);
}

int main(void) {
  enum { COUNT = 4 };
  static const int sizes[COUNT] = {1, 2, 3, 8};
  hp_team_hub *hubs[COUNT];
  for (int h = 0; h < COUNT; ++h) {
    const hp_team_options opt = {.time_limit = 60.0, .rotate = (uint32_t)(h + 1)};
    CHECK_OK(hp_team_hub_create(sizes[h], &opt, &hubs[h]));
  }
  check_system(hubs, COUNT, 15, 14, 6, 4, 2.0, 1);
  check_system(hubs, COUNT, 30, 20, 1, 3, 6.0, 2);
  for (int h = 0; h < COUNT; ++h) hp_team_hub_destroy(&hubs[h]);
  return check_result();
}
