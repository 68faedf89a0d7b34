/* The generated family: what its header promises of the numbers, that they
 * depend on the seed and nothing else, and that the Krylov methods solve it. */
#include <stdlib.h>
#include <string.h>

#include "bench/generators/family.h"
#include "core/memory.h"
#include "linsolve/krylov/krylov.h"
#include "linsolve/product/spmv.inl.h"
#include "tests/support/check.h"
#include "tests/support/dense.h"

/* Signs, dominance by the margin, and no block where there is no neighbour. */
static void test_numbers(int nx, int ny, int nz, int q, int nwell, bool symmetric) {
  hp_gh *A, *B;
  double *dense = NULL;
  hp_family f = hp_family_default(nx, ny, nz, q);
  f.nwell = nwell;
  f.margin = 0.01;
  f.symmetric = symmetric;
  CHECK_OK(hp_family_create(&f, &A));
  CHECK_OK(HP_ALLOC(dense, A->n * A->n));
  dense_from_gh(A, dense);
  double worst = 0.0;
  int64_t positive = 0, unequal = 0;
  for (int64_t i = 0; i < A->n; ++i) {
    double off = 0.0;
    for (int64_t j = 0; j < A->n; ++j) {
      if (i == j) continue;
      off += fabs(dense[i * A->n + j]);
      positive += dense[i * A->n + j] > 0.0;
      unequal += dense[i * A->n + j] != dense[j * A->n + i];
    }
    worst = fmax(worst, fabs(dense[i * A->n + i] - 1.01 * off) / fmax(off, 1e-300));
  }
  CHECK(positive == 0 && (unequal == 0) == symmetric);
  CHECK(worst < 1e-14);
  double sum = 0.0, all = 0.0; /* what the dense matrix misses would stand across a boundary */
  for (int64_t p = 0; p < 7 * q * A->ld; ++p) sum += A->h[p];
  for (int64_t p = 0; p < A->wells.nperf * q; ++p) sum += A->wells.w[p] + A->wells.wt[p];
  for (int w = 0; w < nwell; ++w) sum += A->wells.dd[w];
  for (int64_t p = 0; p < A->n * A->n; ++p) all += dense[p];
  CHECK_NEAR(sum, all, 1e-9 * (double)A->n);
  CHECK(A->wells.nrun == nwell && A->wells.nperf == (int64_t)nwell * nz);
  CHECK_OK(hp_family_create(&f, &B));
  CHECK(memcmp(A->h, B->h, (size_t)(7 * q * A->ld) * sizeof *A->h) == 0);
  hp_gh_destroy(&B);
  f.seed = 2;
  CHECK_OK(hp_family_create(&f, &B));
  CHECK(memcmp(A->h, B->h, (size_t)(7 * q * A->ld) * sizeof *A->h) != 0);
  hp_gh_destroy(&B);
  hp_gh_destroy(&A);
  HP_FREE(dense);
}

/* All methods, the one for symmetric matrices on those, converge without a preconditioner, in more than a handful of
 * iterations. */
static void test_solve(hp_team_hub *hub, int v, int q, bool symmetric) {
  static int pair; /* of a system and a method */
  const int every = check_every(11);
  hp_family f = hp_family_default(v, v, v, q);
  hp_gh *A;
  double *b = NULL, *x = NULL;
  f.symmetric = symmetric;
  CHECK_OK(hp_family_create(&f, &A));
  CHECK(A->wells.nwell == (v >= 15 ? 50 : v * v / 4));
  CHECK_OK(HP_ALLOC(b, A->n));
  CHECK_OK(HP_ALLOC(x, A->n));
  hp_family_vector(3, A->n, b);
  for (int method = 0; method < HP_KRYLOV_COUNT; ++method) {
    if (pair++ % every != 0) continue;
    hp_krylov_options opt = {
        .method = (hp_krylov_method)method, .tolerance = 1e-8, .max_iterations = 2000, .restart = 50};
    hp_krylov *K;
    hp_krylov_report r;
    CHECK_OK(hp_krylov_create(hub, A, &opt, &K));
    CHECK_OK(hp_krylov_setup(K, A));
    CHECK_OK(hp_krylov_solve(K, A, b, x, NULL, &r));
    const bool refused = method == HP_KRYLOV_CG && !symmetric;
    CHECK(r.reason == (refused ? HP_KRYLOV_NOT_SPD : HP_KRYLOV_CONVERGED));
    CHECK(r.products > 20 || refused);
    if (getenv("HEPTA_VERBOSE") != NULL)
      fprintf(stderr, "%d^3, q = %d, %s: %d iterations, %s\n", v, q, hp_krylov_method_name(opt.method), r.iterations,
              hp_krylov_reason_text(r.reason));
    hp_krylov_destroy(&K);
  }
  HP_FREE(b);
  HP_FREE(x);
  hp_gh_destroy(&A);
}

static void test_refusals(void) {
  hp_gh *A;
  hp_family f = hp_family_default(4, 4, 4, 2);
  CHECK(f.nwell == 4);
  f.nwell = 17;
  CHECK(hp_family_create(&f, &A) == HP_ERR_USAGE && A == NULL);
  f.nwell = 16;
  CHECK_OK(hp_family_create(&f, &A));
  hp_gh_destroy(&A);
  f.q = 17;
  CHECK(hp_family_create(&f, &A) == HP_ERR_USAGE && A == NULL);
}

int main(void) {
  hp_team_hub *hub;
  CHECK_OK(hp_team_hub_create(2, NULL, &hub));
  test_refusals();
  for (int symmetric = 0; symmetric < 2; ++symmetric) {
    test_numbers(4, 3, 5, 2, 3, symmetric);
    test_numbers(6, 5, 4, 1, 7, symmetric);
    test_numbers(3, 2, 2, 8, 1, symmetric);
    test_numbers(1, 7, 1, 3, 2, symmetric);
    test_solve(hub, 20, 2, symmetric);
    test_solve(hub, 12, 4, symmetric);
    test_solve(hub, 8, 8, symmetric);
  }
  hp_team_hub_destroy(&hub);
  CHECK(hp_memory_now() == 0);
  return check_result();
}
