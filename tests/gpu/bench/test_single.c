/* GH in single precision on a GPU: products and solves with BiCG-Stab have the bits of the CPU's team, for matrices
 * with wells, one to four unknowns, and s made on the fly or stored. HEPTA_TEST_SMALL: small matrices only. */
#include <string.h>

#include "bench/generators/family.h"
#include "bench/single/device.h"
#include "core/memory.h"
#include "tests/support/check.h"

static hp_team_hub *hub;
static hp_device *device;

typedef struct {
  const hp_single *S;
  float *b, *x, *y, *work;
  hp_single_report report;
} job;

static void multiply(hp_team *t, void *arg) {
  job *j = arg;
  hp_team_split(t, j->S->as.rows, j->S->as.n);
  hp_single_mul(t, &j->S->as, j->b, j->y);
}

static void solve(hp_team *t, void *arg) {
  job *j = arg;
  hp_single_solve(t, &j->S->as, 1e-5f, 300, j->b, j->x, j->work, &j->report);
}

static void check_same(const job *j, hp_single_device *K, const char *what, int q) {
  const size_t bytes = (size_t)j->S->as.n * sizeof *j->b;
  float *out = NULL;
  double seconds;
  hp_single_report r;
  CHECK_OK(HP_ALLOC(out, j->S->as.n));
  CHECK_OK(hp_single_device_products(K, j->b, out, 3, &seconds));
  CHECK(memcmp(out, j->y, bytes) == 0 && seconds > 0.0);
  CHECK_OK(hp_single_device_solve(K, 1e-5f, 300, j->b, out, &r, &seconds));
  const bool same = memcmp(out, j->x, bytes) == 0 && r.iterations == j->report.iterations &&
                    r.residual == j->report.residual && r.reason == j->report.reason;
  CHECK(same);
  if (!same)
    fprintf(stderr, "q = %d, %s: %d iterations to %g, on the CPU %d to %g\n", q, what, r.iterations, (double)r.residual,
            j->report.iterations, (double)j->report.residual);
  HP_FREE(out);
}

static void check_matrix(int nx, int ny, int nz, int q, int nwell) {
  hp_family f = hp_family_default(nx, ny, nz, q);
  hp_device_shape shape = hp_device_get_shape(device);
  hp_gh *A;
  hp_single *S;
  hp_single_device *K;
  double *b = NULL;
  f.nwell = nwell;
  CHECK_OK(hp_family_create(&f, &A));
  CHECK_OK(hp_single_create(A, &S));
  job j = {.S = S};
  CHECK_OK(HP_ALLOC(b, A->n));
  CHECK_OK(HP_ALLOC(j.b, A->n));
  CHECK_OK(HP_ALLOC(j.x, A->n));
  CHECK_OK(HP_ALLOC(j.y, A->n));
  CHECK_OK(HP_ALLOC(j.work, HP_SINGLE_VECTORS * A->n));
  hp_family_vector(5, A->n, b);
  for (int64_t i = 0; i < A->n; ++i) j.b[i] = (float)b[i];
  CHECK_OK(hp_team_run(hub, multiply, &j));
  CHECK_OK(hp_team_run(hub, solve, &j));
  CHECK(j.report.iterations > 0); /* converged or not: both have the same reason */
  CHECK_OK(hp_single_device_create(device, S, &K));
  for (int fly = 0; fly < 2; ++fly) {
    shape.recompute = fly != 0;
    shape.unroll = fly != 0 ? 2 : 4;
    CHECK_OK(hp_device_set_shape(device, &shape));
    check_same(&j, K, fly ? "s on the fly" : "s stored", q);
  }
  hp_single_device_destroy(&K);
  HP_FREE(b);
  HP_FREE(j.b);
  HP_FREE(j.x);
  HP_FREE(j.y);
  HP_FREE(j.work);
  hp_single_destroy(&S);
  hp_gh_destroy(&A);
}

int main(void) {
  const bool small = getenv("HEPTA_TEST_SMALL") != NULL;
  if (hp_device_create(NULL, &device) != HP_OK) {
    printf("skipped: %s\n", hp_fail_text());
    return CHECK_SKIPPED;
  }
  if (hp_device_gpus(device) > 1) {
    printf("skipped: for one GPU\n");
    return CHECK_SKIPPED;
  }
  CHECK_OK(hp_team_hub_create(2, NULL, &hub));
  for (int q = 1; q <= 4; ++q) check_matrix(7, 6, 5, q, 3);
  check_matrix(1, 1, 99, 2, 0);
  if (!small) check_matrix(32, 31, 30, 2, 9);
  if (!small) check_matrix(24, 23, 22, 1, 9);
  hp_team_hub_destroy(&hub);
  hp_device_destroy(&device);
  return check_result();
}
