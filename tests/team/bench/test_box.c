/* Boxes of 27 points (bench/box/box.h): products against the dense matrix, csr against both; solves of all methods that
 * have no transposed product against csr and against the true residual, with the same bits for every size of the team; grids
 * whose dimensions are 1; symmetric matrices stay symmetric; what goes with what. */
#include <math.h>
#include <string.h>

#include "bench/generators/family.h"
#include "bench/krylov/solver.h"
#include "core/memory.h"
#include "linsolve/krylov/device.h"
#include "linsolve/product/sparse_mul.inl.h"
#include "tests/support/check.h"

enum { HUBS = 2 };
static hp_team_hub *hub[HUBS];

typedef struct {
  const hp_gh *A;
  const hp_sparse *F;
  const double *x;
  double *y;
} job;

static void multiply(hp_team *t, void *arg) {
  const job *j = arg;
  hp_team_split(t, j->A->rows, j->A->n);
  hp_sparse_mul(t, j->F, j->A, j->x, j->y);
}

/* ---- the dense matrix, from what the headers say ---- */

static void put_cells(const hp_gh *A, const hp_sparse *F, double *dense) {
  const int q = A->q;
  for (int64_t m = 0; m < A->ncell; ++m)
    for (int64_t n = 0; n < A->ncell; ++n) {
      const int64_t d[3] = {n / A->nz / A->ny - m / A->nz / A->ny, n / A->nz % A->ny - m / A->nz % A->ny,
                            n % A->nz - m % A->nz};
      if (d[0] * d[0] > 1 || d[1] * d[1] > 1 || d[2] * d[2] > 1) continue;
      const int64_t p = 13 + 9 * d[0] + 3 * d[1] + d[2];
      for (int a = 0; a < q; ++a)
        for (int b = 0; b < q; ++b) dense[(m * q + a) * A->n + n * q + b] = F->value[(p * q + b) * F->ld + m * q + a];
    }
}

static void put_wells(const hp_gh *A, double *dense) {
  const hp_gh_wells *W = &A->wells;
  for (int w = 0; w < W->nwell; ++w) dense[(A->rows + w) * A->n + A->rows + w] = W->dd[w];
  for (int r = 0; r < W->nrun; ++r)
    for (int64_t e = 0; e < (int64_t)W->c[r] * A->q; ++e) {
      const int64_t i = W->b[r] * A->q + e, w = A->rows + W->of[r];
      dense[w * A->n + i] = W->w[W->a[r] * A->q + e];
      dense[i * A->n + w] = W->wt[W->a[r] * A->q + e];
    }
}

static void check_product(const hp_gh *A, const hp_sparse *F, const double *dense, const double *x) {
  double *y[HUBS] = {NULL};
  for (int h = 0; h < HUBS; ++h) {
    CHECK_OK(HP_ALLOC(y[h], A->n));
    job j = {A, F, x, y[h]};
    CHECK_OK(hp_team_run(hub[h], multiply, &j));
    CHECK(memcmp(y[0], y[h], (size_t)A->n * sizeof *x) == 0);
  }
  for (int64_t i = 0; i < A->n; ++i) {
    double sum = 0.0, size = 0.0;
    for (int64_t k = 0; k < A->n; ++k) {
      sum += dense[i * A->n + k] * x[k];
      size += fabs(dense[i * A->n + k] * x[k]);
    }
    CHECK(fabs(sum - y[0][i]) <= 1e-13 * size);
  }
  for (int h = 0; h < HUBS; ++h) HP_FREE(y[h]);
}

static void check_csr(const hp_gh *A, const hp_sparse *C, const double *dense) {
  double *back = NULL;
  CHECK_OK(HP_ALLOC(back, A->n * A->n));
  for (int64_t i = 0; i < A->n; ++i)
    for (int32_t e = C->begin[i]; e < C->begin[i + 1]; ++e) back[i * A->n + C->column[e]] = C->value[e];
  CHECK(C->begin[A->n] == C->count && memcmp(back, dense, (size_t)(A->n * A->n) * sizeof *back) == 0);
  HP_FREE(back);
}

/* Diagonally dominant by rows, or (symmetric) equal to its mirror image as well. */
static void check_kind(const hp_gh *A, const double *dense, bool symmetric) {
  for (int64_t i = 0; i < A->n; ++i) {
    double others = 0.0;
    for (int64_t k = 0; k < A->n; ++k) {
      others += k != i ? fabs(dense[i * A->n + k]) : 0.0;
      if (symmetric) CHECK(fabs(dense[i * A->n + k] - dense[k * A->n + i]) <= 1e-15);
    }
    CHECK(dense[i * A->n + i] > others);
  }
}

/* ---- solves ---- */

/* F: a box, or the matrix as csr, whose A is a shape. */
static void solve(hp_team_hub *on, const hp_gh *A, const hp_sparse *F, hp_krylov_method method, const double *b,
                  double *x, hp_krylov_report *report) {
  const hp_linear_options options = {
      .krylov = {.method = method, .tolerance = 1e-10, .max_iterations = 2000, .restart = 20}};
  const hp_linear_input in = {.A = A, .options = &options, .hub = on};
  const hp_own_choice own = {.product = F};
  hp_linear_solver *K = NULL;
  CHECK_OK(hp_own_create(&in, &own, &K));
  CHECK_OK(K->ops->set_up(K, A));
  CHECK_OK(K->ops->solve(K, A, b, x, NULL, report));
  hp_linear_destroy(&K);
}

/* By the larger teams too: BiCG-Stab. */
static void check_solves(const hp_gh *A, const hp_sparse *F, const hp_sparse *C, const double *dense, const double *b) {
  static const hp_krylov_method methods[] = {HP_KRYLOV_BICGSTAB, HP_KRYLOV_GMRES, HP_KRYLOV_TFQMR};
  hp_gh *shape = NULL;
  double *x[HUBS + 1] = {NULL};
  for (int h = 0; h <= HUBS; ++h) CHECK_OK(HP_ALLOC(x[h], A->n));
  CHECK_OK(hp_gh_create_shape(1, 1, (int)A->n, 1, &shape));
  for (int m = 0; m < 3; ++m) {
    hp_krylov_report report[HUBS + 1];
    for (int h = 0; h < (m == 0 ? HUBS : 1); ++h) {
      solve(hub[h], A, F, methods[m], b, x[h], &report[h]);
      CHECK(report[h].reason == HP_KRYLOV_CONVERGED && report[h].iterations == report[0].iterations);
      CHECK(memcmp(x[0], x[h], (size_t)A->n * sizeof *b) == 0);
    }
    solve(hub[0], shape, C, methods[m], b, x[HUBS], &report[HUBS]);
    CHECK(report[HUBS].reason == HP_KRYLOV_CONVERGED);
    double apart = 0.0, size = 0.0, residual = 0.0, right = 0.0;
    for (int64_t i = 0; i < A->n; ++i) {
      double r = b[i];
      for (int64_t k = 0; k < A->n; ++k) r -= dense[i * A->n + k] * x[0][k];
      residual += r * r;
      right += b[i] * b[i];
      apart = fmax(apart, fabs(x[0][i] - x[HUBS][i]));
      size = fmax(size, fabs(x[0][i]));
    }
    CHECK(sqrt(residual) <= 2e-10 * sqrt(right) && apart <= 1e-5 * size);
  }
  for (int h = 0; h <= HUBS; ++h) HP_FREE(x[h]);
  hp_gh_destroy(&shape);
}

static void check_box(const int *size, int q, int nwell, bool symmetric) {
  hp_family f = hp_family_default(size[0], size[1], size[2], q);
  hp_gh *A = NULL;
  hp_sparse *F = NULL, *C = NULL;
  double *dense = NULL, *b = NULL;
  f.nwell = nwell;
  f.symmetric = symmetric;
  CHECK_OK(hp_family_create(&f, &A));
  CHECK_OK(hp_stencil_box_create(A, 5, &F));
  CHECK_OK(hp_stencil_box_to_csr(F, A, &C));
  CHECK_OK(HP_ALLOC(dense, A->n * A->n));
  CHECK_OK(HP_ALLOC(b, A->n));
  hp_family_vector(3, A->n, b);
  put_cells(A, F, dense);
  put_wells(A, dense);
  check_kind(A, dense, symmetric);
  check_csr(A, C, dense);
  check_product(A, F, dense, b);
  check_solves(A, F, C, dense, b);
  HP_FREE(dense);
  HP_FREE(b);
  hp_sparse_destroy(&F);
  hp_sparse_destroy(&C);
  hp_gh_destroy(&A);
}

static void check_refusals(void) {
  hp_family f = hp_family_default(4, 3, 3, 2);
  hp_gh *A = NULL, *linked = NULL, *other = NULL;
  hp_sparse *F = NULL, *none = NULL;
  CHECK_OK(hp_family_create(&f, &A));
  CHECK_OK(hp_gh_create(4, 3, 3, 1, &other));
  f.connections = 3;
  CHECK_OK(hp_family_create(&f, &linked));
  CHECK(hp_stencil_box_create(linked, 1, &none) == HP_ERR_UNSUPPORTED && none == NULL);
  CHECK_OK(hp_stencil_box_create(A, 1, &F));
  hp_krylov_options opt = {.tolerance = 1e-6, .max_iterations = 10, .restart = 5};
  const hp_own_choice own = {.product = F};
  CHECK(hp_stencil_box_is(F) && hp_own_refusal(&opt, &own, A, false) == NULL &&
        hp_own_refusal(&opt, &own, A, true) == NULL);
  CHECK(hp_own_refusal(&opt, &own, other, false) != NULL && hp_own_refusal(&opt, &own, linked, false) != NULL);
  opt.specialise = true;
  CHECK(hp_own_refusal(&opt, &own, A, true) == NULL);
  opt.specialise = false;
  opt.execution = HP_EXECUTION_GRAPH;
  CHECK(hp_own_refusal(&opt, &own, A, true) != NULL);
  opt.execution = HP_EXECUTION_IN_KERNEL;
  opt.method = HP_KRYLOV_GMRES;
  CHECK(hp_own_refusal(&opt, &own, A, false) == NULL && hp_own_refusal(&opt, &own, A, true) != NULL);
  opt.method = HP_KRYLOV_QMR;
  CHECK(hp_own_refusal(&opt, &own, A, false) != NULL);
  opt.method = HP_KRYLOV_CG;
  CHECK(hp_own_refusal(&opt, &own, A, false) != NULL);
  opt.method = HP_KRYLOV_BICGSTAB;
  opt.preconditioner = HP_PRECOND_JACOBI;
  CHECK(hp_own_refusal(&opt, &own, A, false) != NULL);
  hp_sparse_destroy(&F);
  hp_gh_destroy(&A);
  hp_gh_destroy(&linked);
  hp_gh_destroy(&other);
}

/* Any matrix: its format, what goes with it, and the shape that it needs. */
static void check_other_matrices(void) {
  const hp_precond_external external = {.name = "x"}, symmetric = {.name = "y", .symmetric = true};
  const hp_sparse csr = {.kind = HP_SPARSE_CSR, .n = 8}, ell = {.kind = HP_SPARSE_ELL, .n = 8};
  const hp_own_choice own = {.product = &csr}, wrong = {.product = &ell};
  const hp_krylov_options good = {.method = HP_KRYLOV_GMRES, .tolerance = 1e-3, .max_iterations = 10, .restart = 5};
  hp_krylov_options opt = good;
  hp_gh *A, *larger;
  CHECK_OK(hp_gh_create(2, 2, 2, 1, &A));
  CHECK_OK(hp_gh_create(3, 2, 2, 1, &larger));
  CHECK(hp_own_refusal(&opt, &own, A, false) == NULL && hp_own_refusal(&opt, &wrong, A, false) != NULL);
  CHECK(hp_own_refusal(&opt, &own, larger, false) != NULL && hp_own_refusal(&opt, &own, A, true) != NULL);
  opt.execution = HP_EXECUTION_GRAPH;
  CHECK(hp_own_refusal(&opt, &own, A, true) != NULL);
  opt.execution = HP_EXECUTION_PER_OPERATION;
  CHECK(hp_own_refusal(&opt, &own, A, true) == NULL);
  opt = good;
  opt.preconditioner = HP_PRECOND_DILU;
  CHECK(hp_own_refusal(&opt, &own, A, false) != NULL);
  opt = good;
  opt.matrix = HP_SPARSE_CSR;
  CHECK(hp_own_refusal(&opt, &own, A, false) != NULL);
  opt = good;
  opt.method = HP_KRYLOV_QMR;
  CHECK(hp_own_refusal(&opt, &own, A, false) != NULL);
  opt.method = HP_KRYLOV_CG;
  opt.external = &symmetric;
  CHECK(hp_own_refusal(&opt, &own, A, false) == NULL);
  opt.external = &external;
  CHECK(hp_krylov_refusal(&opt, NULL, HP_SOLVER_ANY) != NULL);
  hp_gh_destroy(&A);
  hp_gh_destroy(&larger);
}

int main(void) {
  static const int size[][3] = {{5, 4, 3}, {1, 6, 5}, {4, 1, 5}, {5, 4, 1}, {1, 1, 9}, {3, 3, 3}};
  for (int h = 0; h < HUBS; ++h) {
    const hp_team_options team = {.time_limit = 60.0, .rotate = (uint32_t)(h + 1)};
    CHECK_OK(hp_team_hub_create(1 + 2 * h, &team, &hub[h]));
  }
  for (int s = 0; s < 6; ++s)
    for (int q = 1 + s % 2; q <= 3; q += 1 + (s > 0)) check_box(size[s], q, s % 2 == 0 ? 1 : 0, s == 5);
  check_refusals();
  check_other_matrices();
  for (int h = 0; h < HUBS; ++h) hp_team_hub_destroy(&hub[h]);
  return check_result();
}
