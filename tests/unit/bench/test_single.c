/* GH in single precision: products within rounding of those in double precision, wells, connections and any q among them; BiCG-Stab
 * reaches 1e-5 in about the iterations of double precision and the solution; the same bits for teams of 1, 2, 3 and 8 members. */
#include <string.h>

#include "bench/generators/family.h"
#include "bench/single/single.h"
#include "core/memory.h"
#include "linsolve/product/spmv.inl.h"
#include "tests/support/check.h"

enum { HUBS = 4 };
static hp_team_hub *hub[HUBS];

typedef struct {
  const hp_gh *A;
  const hp_single *S;
  double *x, *y;
  float *b, *xs, *ys, *work;
  hp_single_report report;
} job;

static void multiply(hp_team *t, void *arg) {
  job *j = arg;
  hp_team_split(t, j->A->rows, j->A->n);
  hp_gh_mul(t, j->A, j->x, j->y);
  hp_single_mul(t, &j->S->as, j->xs, j->ys);
}

static void solve(hp_team *t, void *arg) {
  job *j = arg;
  hp_single_solve(t, &j->S->as, 1e-5f, 1000, j->b, j->xs, j->work, &j->report);
}

static int iterations_in_double(const hp_gh *A, const double *b, double *x) {
  const hp_krylov_options opt = {.method = HP_KRYLOV_BICGSTAB, .tolerance = 1e-5, .max_iterations = 1000, .restart = 1};
  hp_krylov *K;
  hp_krylov_report report;
  CHECK_OK(hp_krylov_create(hub[0], A, &opt, &K));
  CHECK_OK(hp_krylov_setup(K, A));
  CHECK_OK(hp_krylov_solve(K, A, b, x, NULL, &report));
  CHECK(report.reason == HP_KRYLOV_CONVERGED);
  hp_krylov_destroy(&K);
  return report.iterations;
}

static void check_product(job *j) {
  for (int64_t i = 0; i < j->A->n; ++i) j->xs[i] = (float)j->x[i];
  for (int h = 0; h < HUBS; ++h) {
    for (int64_t i = 0; i < j->A->n; ++i) j->ys[i] = NAN;
    CHECK_OK(hp_team_run(hub[h], multiply, j));
    double worst = 0.0, most = 0.0;
    for (int64_t i = 0; i < j->A->n; ++i) {
      const double off = fabs(j->ys[i] - j->y[i]);
      worst = off <= worst ? worst : off;
      most = fmax(most, fabs(j->y[i]));
    }
    CHECK(worst > 1e-9 * most && worst < 1e-5 * most); /* rounded, and no more */
  }
}

static void check_solve(job *j) {
  const int64_t n = j->A->n;
  float *first = NULL;
  CHECK_OK(HP_ALLOC(first, n));
  for (int64_t i = 0; i < n; ++i) j->b[i] = (float)j->x[i];
  for (int64_t i = 0; i < n; ++i) j->x[i] = j->b[i];
  const int usual = iterations_in_double(j->A, j->x, j->y);
  for (int h = 0; h < HUBS; ++h) {
    CHECK_OK(hp_team_run(hub[h], solve, j));
    const hp_single_report *r = &j->report;
    CHECK(r->reason == HP_KRYLOV_CONVERGED && r->residual <= 1e-5f * r->norm_b && r->products >= 2 * r->iterations);
    CHECK(r->iterations >= usual - usual / 4 - 2 && r->iterations <= usual + usual / 2 + 4);
    if (h == 0) memcpy(first, j->xs, (size_t)n * sizeof *first);
    CHECK(memcmp(first, j->xs, (size_t)n * sizeof *first) == 0);
  }
  double off = 0.0, norm = 0.0;
  for (int64_t i = 0; i < n; ++i) {
    off += (j->xs[i] - j->y[i]) * (j->xs[i] - j->y[i]);
    norm += j->y[i] * j->y[i];
  }
  CHECK(sqrt(off) < 1e-2 * sqrt(norm));
  HP_FREE(first);
}

static void check_matrix(int nx, int ny, int nz, int q, int nwell, int connections) {
  hp_family f = hp_family_default(nx, ny, nz, q);
  hp_gh *A;
  hp_single *S;
  f.nwell = nwell;
  f.connections = connections;
  CHECK_OK(hp_family_create(&f, &A));
  CHECK_OK(hp_single_create(A, &S));
  job j = {.A = A, .S = S};
  CHECK_OK(HP_ALLOC(j.x, A->n));
  CHECK_OK(HP_ALLOC(j.y, A->n));
  CHECK_OK(HP_ALLOC(j.b, A->n));
  CHECK_OK(HP_ALLOC(j.xs, A->n));
  CHECK_OK(HP_ALLOC(j.ys, A->n));
  CHECK_OK(HP_ALLOC(j.work, HP_SINGLE_VECTORS * A->n));
  hp_family_vector(5, A->n, j.x);
  check_product(&j);
  check_solve(&j);
  CHECK(hp_single_product_bytes(A) < 3 * hp_gh_product_bytes(A) / 4);
  HP_FREE(j.x);
  HP_FREE(j.y);
  HP_FREE(j.b);
  HP_FREE(j.xs);
  HP_FREE(j.ys);
  HP_FREE(j.work);
  hp_single_destroy(&S);
  hp_gh_destroy(&A);
}

int main(void) {
  static const int size[HUBS] = {1, 2, 3, 8};
  for (int h = 0; h < HUBS; ++h) CHECK_OK(hp_team_hub_create(size[h], NULL, &hub[h]));
  check_matrix(9, 8, 7, 2, 5, 0);
  check_matrix(9, 8, 7, 1, 0, 30);
  check_matrix(6, 5, 1, 3, 4, 0);
  check_matrix(1, 1, 70, 2, 1, 0);
  for (int h = 0; h < HUBS; ++h) hp_team_hub_destroy(&hub[h]);
  return check_result();
}
