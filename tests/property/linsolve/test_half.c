/* GH-h against the principal submatrix of the dense GH matrix that it is by
 * definition: the product, the CSR form entry by entry, every shape and parity. */
#include <string.h>

#include "core/memory.h"
#include "linsolve/matrix/half.h"
#include "linsolve/product/half_mul.inl.h"
#include "linsolve/product/sparse_mul.inl.h"
#include "tests/support/check.h"
#include "tests/support/dense.h"
#include "tests/support/matrices.h"

typedef struct {
  const hp_half *H;
  const hp_sparse *csr;
  const double *x;
  double *y, *z;
} job;

static void body(hp_team *t, void *p) {
  const job *j = p;
  hp_half_mul(t, j->H, j->x, j->y);
  hp_sparse_mul(t, j->csr, NULL, j->x, j->z);
}

/* Rows of the dense matrix that remain; their number. */
static int64_t kept_rows(const hp_gh *A, int64_t *kept) {
  int64_t count = 0;
  for (int64_t m = 0; m < A->ncell; ++m)
    for (int a = 0; a < (m % 2 == 0 ? A->q : A->q / 2); ++a) kept[count++] = m * A->q + a;
  for (int w = 0; w < A->wells.nwell; ++w) kept[count++] = A->ld + w;
  return count;
}

static void check(const job *j, const double *dense, int64_t full, const int64_t *kept) {
  const int64_t n = j->H->n;
  double worst = 0.0;
  int64_t wrong = 0;
  for (int64_t i = 0; i < n; ++i) {
    double sum = 0.0, scale = 1e-300;
    for (int64_t c = 0; c < n; ++c) {
      const double v = dense[kept[i] * full + kept[c]];
      double stored = 0.0;
      for (int32_t p = j->csr->begin[i]; p < j->csr->begin[i + 1]; ++p)
        if (j->csr->column[p] == c) stored += j->csr->value[p];
      wrong += stored != v;
      sum += v * j->x[c];
      scale += fabs(v * j->x[c]);
    }
    worst = fmax(worst, fmax(fabs(j->y[i] - sum), fabs(j->z[i] - sum)) / scale);
  }
  CHECK(wrong == 0);
  CHECK(worst < 1e-14);
}

static void test_shape(hp_team_hub *hub, const int *shape, int q, int nwell, uint64_t seed) {
  hp_gh *A;
  hp_half *H;
  hp_sparse *csr;
  double *dense = NULL, *x = NULL, *y = NULL, *z = NULL;
  int64_t *kept = NULL;
  CHECK_OK(matrix_random_gh(shape[0], shape[1], shape[2], q, nwell, 0.1, seed, &A));
  CHECK_OK(hp_half_create(A, &H));
  CHECK_OK(hp_half_to_csr(H, A, &csr));
  CHECK_OK(HP_ALLOC(dense, A->n * A->n));
  CHECK_OK(HP_ALLOC(kept, A->n));
  CHECK_OK(HP_ALLOC(x, H->n));
  CHECK_OK(HP_ALLOC(y, H->n));
  CHECK_OK(HP_ALLOC(z, H->n));
  CHECK(kept_rows(A, kept) == H->n && hp_half_row(q, A->ncell) == H->rows);
  CHECK(hp_half_product_bytes(H) == hp_half_bytes(H) + 16 * H->n);
  CHECK(hp_half_bytes(H) < hp_gh_bytes(A) || A->ncell < 2);
  for (int64_t i = 0; i < H->n; ++i) {
    x[i] = matrix_random(&seed);
    y[i] = z[i] = NAN;
  }
  dense_from_gh(A, dense);
  job j = {H, csr, x, y, z};
  CHECK_OK(hp_team_run(hub, body, &j));
  check(&j, dense, A->n, kept);
  HP_FREE(dense);
  HP_FREE(kept);
  HP_FREE(x);
  HP_FREE(y);
  HP_FREE(z);
  hp_sparse_destroy(&csr);
  hp_half_destroy(&H);
  hp_gh_destroy(&A);
}

int main(void) {
  static const int shapes[][3] = {{1, 1, 1}, {1, 1, 2}, {1, 1, 31}, {1, 9, 1}, {3, 3, 1}, {1, 3, 4},
                                  {2, 2, 2}, {2, 3, 4}, {4, 2, 3},  {3, 5, 3}, {5, 3, 2}, {3, 4, 5}};
  static const int unknowns[] = {2, 4, 6, 16};
  hp_team_hub *hub;
  CHECK_OK(hp_team_hub_create(3, NULL, &hub));
  uint64_t seed = 1;
  for (size_t s = 0; s < sizeof shapes / sizeof *shapes; ++s)
    for (size_t n = 0; n < sizeof unknowns / sizeof *unknowns; ++n)
      for (int nwell = 0; nwell <= 4; nwell += 4) test_shape(hub, shapes[s], unknowns[n], nwell, ++seed);
  hp_gh *A;
  hp_half *H;
  CHECK_OK(hp_gh_create(2, 2, 2, 3, &A));
  CHECK(hp_half_create(A, &H) == HP_ERR_USAGE && H == NULL);
  hp_gh_destroy(&A);
  hp_half_destroy(NULL);
  hp_team_hub_destroy(&hub);
  CHECK(hp_memory_now() == 0);
  return check_result();
}
