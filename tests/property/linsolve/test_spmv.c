/* Products, transposed products and residuals of random GH matrices against a
 * dense product, for all numbers of unknowns and shapes down to one cell. */
#include "core/memory.h"
#include "linsolve/product/spmv.inl.h"
#include "tests/support/check.h"
#include "tests/support/dense.h"
#include "tests/support/matrices.h"

typedef struct {
  const hp_gh *A;
  const double *x, *b;
  double *y, *r, *yt;
} products;

static void body(hp_team *t, void *p) {
  products *a = p;
  hp_gh_mul(t, a->A, a->x, a->y);
  hp_gh_residual(t, a->A, a->b, a->x, a->r);
  hp_gh_mul_transposed(t, a->A, a->x, a->yt);
}

static void compare(const hp_gh *A, const double *dense, const products *a) {
  double worst = 0.0;
  for (int64_t i = 0; i < A->n; ++i) {
    double sum = 0.0, turned = 0.0, scale = 1e-300;
    for (int64_t j = 0; j < A->n; ++j) {
      sum += dense[i * A->n + j] * a->x[j];
      turned += dense[j * A->n + i] * a->x[j];
      scale += fabs(dense[i * A->n + j] * a->x[j]) + fabs(dense[j * A->n + i] * a->x[j]);
    }
    worst = fmax(worst, fabs(a->y[i] - sum) / scale);
    worst = fmax(worst, fabs(a->yt[i] - turned) / scale);
    worst = fmax(worst, fabs(a->r[i] - (a->b[i] - a->y[i])) / (scale + fabs(a->b[i])));
  }
  if (!(worst < 1e-14))
    fprintf(stderr, "%d x %d x %d, q = %d, %d wells: %.2e\n", A->nx, A->ny, A->nz, A->q, A->wells.nwell, worst);
  CHECK(worst < 1e-14);
}

static void test_shape(hp_team_hub *hub, const int *shape, int q, int nwell, uint64_t seed) {
  hp_gh *A;
  products a = {0};
  double *dense = NULL, *x = NULL, *b = NULL;
  CHECK_OK(matrix_random_gh(shape[0], shape[1], shape[2], q, nwell, 0.1, seed, &A));
  CHECK_OK(HP_ALLOC(dense, A->n * A->n));
  CHECK_OK(HP_ALLOC(x, A->n));
  CHECK_OK(HP_ALLOC(b, A->n));
  CHECK_OK(HP_ALLOC(a.y, A->n));
  CHECK_OK(HP_ALLOC(a.r, A->n));
  CHECK_OK(HP_ALLOC(a.yt, A->n));
  for (int64_t i = 0; i < A->n; ++i) {
    x[i] = matrix_random(&seed);
    b[i] = matrix_random(&seed);
    a.y[i] = a.r[i] = a.yt[i] = NAN; /* every row must be written */
  }
  a.A = A;
  a.x = x;
  a.b = b;
  dense_from_gh(A, dense);
  CHECK_OK(hp_team_run(hub, body, &a));
  compare(A, dense, &a);
  HP_FREE(dense);
  HP_FREE(x);
  HP_FREE(b);
  HP_FREE(a.y);
  HP_FREE(a.r);
  HP_FREE(a.yt);
  hp_gh_destroy(&A);
}

int main(void) {
  static const int shapes[][3] = {{1, 1, 1}, {1, 1, 9}, {1, 9, 1}, {9, 1, 1}, {1, 5, 6}, {5, 1, 6},
                                  {6, 5, 1}, {2, 2, 2}, {2, 3, 4}, {4, 2, 3}, {3, 4, 5}, {7, 3, 2}};
  static const int unknowns[] = {1, 2, 3, 5, 16};
  hp_team_hub *hub;
  CHECK_OK(hp_team_hub_create(3, NULL, &hub));
  uint64_t seed = 1;
  for (size_t s = 0; s < sizeof shapes / sizeof *shapes; ++s)
    for (size_t n = 0; n < sizeof unknowns / sizeof *unknowns; ++n)
      for (int nwell = 0; nwell <= 4; nwell += 4) test_shape(hub, shapes[s], unknowns[n], nwell, ++seed);
  hp_team_hub_destroy(&hub);
  CHECK(hp_memory_now() == 0);
  return check_result();
}
