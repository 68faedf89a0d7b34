/* GH-h against the principal submatrix of the dense GH matrix that it is by
 * definition: the product, the CSR form entry by entry, every shape and parity; its
 * forms have the product's bits, and solves with each the same, which solve the
 * dense system. */
#include <string.h>

#include "bench/half/forms.h"
#include "bench/half/half.h"
#include "bench/half/multiply.inl.h"
#include "bench/krylov/solver.h"
#include "core/memory.h"
#include "linsolve/krylov/krylov.h"
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
  for (int w = 0; w < A->wells.nwell; ++w) kept[count++] = A->rows + w;
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

typedef struct {
  const hp_sparse *F;
  const double *x;
  double *y;
} form_job;

static void form_body(hp_team *t, void *p) {
  const form_job *j = p;
  hp_sparse_mul(t, j->F, NULL, j->x, j->y);
}

/* Largest |b - A x| over |b|, A the remaining rows and columns of the dense matrix. */
static double residual(const double *dense, int64_t full, const int64_t *kept, int64_t n, const double *b,
                       const double *x) {
  double worst = 0.0, most = 0.0;
  for (int64_t i = 0; i < n; ++i) {
    double r = b[i];
    for (int64_t c = 0; c < n; ++c) r -= dense[kept[i] * full + kept[c]] * x[c];
    worst = fmax(worst, fabs(r));
    most = fmax(most, fabs(b[i]));
  }
  return worst / most;
}

/* Solves with a form by every method that has no transposed product; x [HP_KRYLOV_COUNT][n]. */
static void solve(hp_team_hub *hub, const hp_sparse *F, const hp_gh *shape, const double *b, double *x,
                  int *iterations) {
  for (int m = 0; m < HP_KRYLOV_COUNT; ++m) {
    const hp_linear_options options = {.krylov = {.method = (hp_krylov_method)m,
                                                  .preconditioner = HP_PRECOND_NONE,
                                                  .tolerance = 1e-9,
                                                  .max_iterations = 2000,
                                                  .restart = 40}};
    const hp_linear_input in = {.A = shape, .options = &options, .hub = hub};
    const hp_own_choice own = {.product = F};
    hp_linear_solver *K = NULL;
    hp_krylov_report report;
    if (m == HP_KRYLOV_CG) continue;
    if (m == HP_KRYLOV_QMR) {
      CHECK(hp_own_refusal(&options.krylov, &own, shape, false) != NULL);
      continue;
    }
    CHECK_OK(hp_own_create(&in, &own, &K));
    CHECK_OK(K->ops->set_up(K, shape));
    CHECK_OK(K->ops->solve(K, shape, b, x + m * F->n, NULL, &report));
    CHECK(report.reason == HP_KRYLOV_CONVERGED && report.iterations > 0);
    iterations[m] = report.iterations;
    hp_linear_destroy(&K);
  }
}

static void test_forms(hp_team_hub *hub, const hp_gh *A, const hp_half *H, const hp_sparse *csr, const double *x,
                       const double *y, const double *dense, const int64_t *kept) {
  static const hp_sparse_kind kind[] = {HP_SPARSE_GH, HP_SPARSE_CSR, HP_SPARSE_BSR, HP_SPARSE_DIA, HP_SPARSE_HYB};
  const size_t all = HP_KRYLOV_COUNT * (size_t)H->n;
  double *z = NULL, *solution[2] = {NULL, NULL};
  int iterations[2][HP_KRYLOV_COUNT] = {{0}};
  hp_sparse *F;
  hp_gh *shape;
  CHECK_OK(HP_ALLOC(z, H->n));
  for (int n = 0; n < 2; ++n) CHECK_OK(HP_ALLOC(solution[n], (int64_t)all));
  CHECK_OK(hp_gh_create_shape(1, 1, (int)H->n, 1, &shape));
  for (int k = 0; k < 5; ++k) {
    CHECK_OK(hp_half_to_sparse(H, csr, kind[k], &F));
    CHECK(F->kind == kind[k] && F->n == H->n && F->other == &H->product);
    form_job j = {F, x, z};
    for (int64_t i = 0; i < H->n; ++i) z[i] = NAN;
    CHECK_OK(hp_team_run(hub, form_body, &j));
    /* wells' rows of csr and hyb begin with the cells, GH-h's end with the well: the same order, but for cells' rows */
    CHECK(memcmp(z, y, (size_t)H->rows * sizeof *z) == 0);
    for (int64_t i = H->rows; i < H->n; ++i) CHECK(fabs(z[i] - y[i]) <= 1e-12 * (1.0 + fabs(y[i])));
    solve(hub, F, shape, x, solution[k > 0], iterations[k > 0]);
    for (int m = 0; m < HP_KRYLOV_COUNT; ++m) {
      const double *one = solution[k > 0] + m * H->n;
      if (m == HP_KRYLOV_CG || m == HP_KRYLOV_QMR) continue;
      CHECK(residual(dense, A->n, kept, H->n, x, one) < 1e-7);
      CHECK(iterations[k > 0][m] == iterations[0][m]);
    }
    CHECK(H->nwell > 0 || memcmp(solution[k > 0], solution[0], all * sizeof *z) == 0);
    hp_sparse_destroy(&F);
  }
  CHECK(hp_half_to_sparse(H, csr, HP_SPARSE_SGDIA, &F) == HP_ERR_UNSUPPORTED && F == NULL);
  hp_gh_destroy(&shape);
  HP_FREE(z);
  for (int n = 0; n < 2; ++n) HP_FREE(solution[n]);
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
  test_forms(hub, A, H, csr, x, y, dense, kept);
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
