/* Every format against the matrix it was made from: entry by entry against the
 * dense matrix, its product against a dense product and, in the cells' rows bit by
 * bit, against hp_gh_mul; a refresh after all values changed; one, two and three dimensions,
 * odd sizes, inactive cells, wells in corners, across columns and sharing cells. */
#include <string.h>

#include "core/memory.h"
#include "linsolve/matrix/sparse.h"
#include "linsolve/matrix/sparse_fill.inl.h"
#include "linsolve/product/sparse_mul.inl.h"
#include "tests/support/check.h"
#include "tests/support/dense.h"
#include "tests/support/matrices.h"

/* Entry (row, column) added to m [n*n]; false if it is outside or there already. */
static bool put(const hp_gh *A, double *m, int64_t row, int64_t column, double value) {
  if (row < 0 || row >= A->n || column < 0 || column >= A->n) return false;
  if (value == 0.0) return true;
  const bool first = m[row * A->n + column] == 0.0;
  m[row * A->n + column] += value;
  return first;
}

/* The arrays of F written out by the definitions in linsolve/matrix/sparse.h. */
static bool dense_from_format(const hp_sparse *F, const hp_gh *A, double *m) {
  const int q = F->q;
  bool good = true;
  memset(m, 0, (size_t)(A->n * A->n) * sizeof *m);
  for (int64_t p = 0; p < F->count; ++p) {
    int64_t row = p, column = 0, item = 0;
    const double v = F->value[p];
    switch (F->kind) {
      case HP_SPARSE_CSR:
        while (F->begin[item + 1] <= p) ++item;
        row = item;
        column = F->column[p];
        break;
      case HP_SPARSE_BSR:
        while (F->begin[item + 1] <= p / (q * q)) ++item;
        row = item * q + p / q % q;
        column = (int64_t)F->column[p / (q * q)] * q + p % q;
        break;
      case HP_SPARSE_SELL:
        while (F->begin[item + 1] <= p) ++item;
        row = item * 32 + (p - F->begin[item]) % 32;
        column = F->column[p];
        break;
      case HP_SPARSE_DIA:
        row = p % A->rows;
        column = row + F->offset[p / A->rows];
        break;
      case HP_SPARSE_SGDIA:
        row = p % A->rows;
        column = (row / q + F->offset[p / A->rows / q]) * q + p / A->rows % q;
        break;
      default:
        row = p % F->rows;
        column = F->column[p];
        break;
    }
    if (v != 0.0 || F->kind == HP_SPARSE_CSR || F->kind == HP_SPARSE_ELL) good = put(A, m, row, column, v) && good;
  }
  for (int64_t p = 0; p < F->rest; ++p) {
    int64_t row = 0;
    if (F->kind == HP_SPARSE_HYB) row = F->rest_row[p];
    else
      while (F->rest_begin[row + 1] <= p) ++row;
    good = put(A, m, row, F->rest_column[p], F->rest_value[p]) && good;
  }
  return good;
}

/* The border that bsr, dia, ell and sg-dia leave to GH's arrays, from the dense matrix. */
static void add_border(const hp_sparse *F, const hp_gh *A, const double *dense, double *m) {
  if (hp_sparse_holds_wells(F->kind)) return;
  for (int64_t i = 0; i < A->n; ++i)
    for (int64_t j = 0; j < A->n; ++j)
      if (i >= A->rows || j >= A->rows) m[i * A->n + j] += dense[i * A->n + j];
}

typedef struct {
  hp_sparse *F;
  const hp_gh *A;
  const double *x;
  double *y, *gh;
} job;

static void body(hp_team *t, void *p) {
  const job *j = p;
  hp_sparse_fill(t, j->F, j->A);
  hp_team_sync(t);
  hp_sparse_mul(t, j->F, j->A, j->x, j->y);
  hp_gh_mul(t, j->A, j->x, j->gh);
}

static void check_product(const job *j, const double *dense) {
  const int64_t n = j->A->n;
  double worst = 0.0;
  for (int64_t i = 0; i < n; ++i) {
    double sum = 0.0, scale = 1e-300;
    for (int64_t c = 0; c < n; ++c) {
      sum += dense[i * n + c] * j->x[c];
      scale += fabs(dense[i * n + c] * j->x[c]);
    }
    worst = fmax(worst, fabs(j->y[i] - sum) / scale);
  }
  CHECK(worst < 1e-14);
  CHECK(memcmp(j->y, j->gh, (size_t)j->A->ld * sizeof *j->y) == 0);
}

/* Bytes are those of the arrays. */
static void check_bytes(const hp_sparse *F, const hp_gh *A) {
  const int64_t values = 8 * (F->count + F->rest);
  CHECK(hp_sparse_bytes(F, A) >= values);
  CHECK(hp_sparse_product_bytes(F, A) == hp_sparse_bytes(F, A) + 16 * A->n);
  CHECK(F->count + F->rest >=
        hp_sparse_entries(F, A) - (hp_sparse_holds_wells(F->kind) ? 0 : 2 * A->wells.nperf * A->q + A->wells.nwell));
}

static void test_kind(hp_team_hub *hub, hp_gh *A, const uint8_t *active, hp_sparse_kind kind, double *dense,
                      double *copy, const double *x) {
  job j = {NULL, A, x, NULL, NULL};
  const int before = check_failures;
  CHECK_OK(hp_sparse_create(A, active, kind, &j.F));
  CHECK_OK(HP_ALLOC(j.y, A->n));
  CHECK_OK(HP_ALLOC(j.gh, A->n));
  for (int refresh = 0; refresh < 2; ++refresh) {
    for (int64_t i = 0; i < A->n; ++i) j.y[i] = NAN; /* every row must be written */
    dense_from_gh(A, dense);
    CHECK_OK(hp_team_run(hub, body, &j));
    CHECK(dense_from_format(j.F, A, copy));
    add_border(j.F, A, dense, copy);
    int64_t wrong = 0;
    for (int64_t e = 0; e < A->n * A->n; ++e) wrong += dense[e] != copy[e];
    CHECK(wrong == 0);
    check_product(&j, dense);
    check_bytes(j.F, A);
    for (int64_t p = 0; p < 7 * A->q * A->ld; ++p) A->h[p] *= refresh == 0 ? -1.5 : 1.0 / -1.5;
    for (int64_t p = 0; p < A->wells.nperf * A->q; ++p) A->wells.w[p] *= -3.0;
    for (int w = 0; w < A->wells.nwell; ++w) A->wells.dd[w] += 1.0;
  }
  if (check_failures > before)
    fprintf(stderr, "%s: %d x %d x %d, q = %d, %d wells\n", hp_sparse_name(kind), A->nx, A->ny, A->nz, A->q,
            A->wells.nwell);
  HP_FREE(j.y);
  HP_FREE(j.gh);
  hp_sparse_destroy(&j.F);
}

/* Cells whose row is that of the identity. */
static void find_active(const hp_gh *A, uint8_t *active) {
  for (int64_t m = 0; m < A->ncell; ++m) {
    active[m] = 0;
    for (int u = -3; u <= 3; ++u)
      for (int a = 0; a < A->q; ++a)
        for (int b = 0; b < A->q; ++b)
          if (*hp_gh_entry(A, m, u, a, b) != (u == 0 && a == b ? 1.0 : 0.0)) active[m] = 1;
  }
}

static void test_shape(hp_team_hub *hub, const int *shape, int q, int wells, uint64_t seed) {
  hp_gh *A;
  double *dense = NULL, *copy = NULL, *x = NULL;
  uint8_t *active = NULL;
  const int nwell = wells == 2 ? MATRIX_CORNER_WELLS : 4 * wells;
  CHECK_OK(matrix_random_gh(shape[0], shape[1], shape[2], q, nwell, 0.1, seed, &A));
  CHECK_OK(HP_ALLOC(dense, A->n * A->n));
  CHECK_OK(HP_ALLOC(copy, A->n * A->n));
  CHECK_OK(HP_ALLOC(x, A->n));
  CHECK_OK(HP_ALLOC(active, A->ncell));
  for (int64_t i = 0; i < A->n; ++i) x[i] = matrix_random(&seed);
  find_active(A, active);
  for (int kind = HP_SPARSE_GH + 1; kind < HP_SPARSE_COUNT; ++kind) {
    test_kind(hub, A, NULL, (hp_sparse_kind)kind, dense, copy, x);
    test_kind(hub, A, active, (hp_sparse_kind)kind, dense, copy, x);
  }
  HP_FREE(dense);
  HP_FREE(copy);
  HP_FREE(x);
  HP_FREE(active);
  hp_gh_destroy(&A);
}

static void test_gh(void) {
  hp_gh *A;
  hp_sparse *F;
  CHECK_OK(hp_gh_create(2, 2, 2, 1, &A));
  CHECK(hp_sparse_create(A, NULL, HP_SPARSE_GH, &F) == HP_ERR_INTERNAL && F == NULL);
  hp_gh_destroy(&A);
  hp_sparse_destroy(&F);
  hp_sparse_destroy(NULL);
}

/* The width of hyb and hec: on 4 x 4 x 4 cells 8 rows have 4 blocks, 24 have 5,
 * 24 have 6 and 8 have 7: a third of 64 rows have 6 or more, not 7. */
static void test_width(void) {
  hp_gh *A;
  hp_sparse *F;
  CHECK_OK(hp_gh_create(4, 4, 4, 1, &A));
  CHECK_OK(hp_sparse_create(A, NULL, HP_SPARSE_HYB, &F));
  CHECK(F->width == 6 && F->rest == 8 && F->count == 6 * 64);
  hp_sparse_destroy(&F);
  CHECK_OK(hp_sparse_create(A, NULL, HP_SPARSE_CSR, &F));
  CHECK(F->count == 7 * 64 - 6 * 16);
  hp_sparse_destroy(&F);
  CHECK_OK(hp_sparse_create(A, NULL, HP_SPARSE_DIA, &F));
  CHECK(F->width == 7 && hp_sparse_bytes(F, A) >= 8 * 7 * 64 + 7 * 4);
  hp_sparse_destroy(&F);
  hp_gh_destroy(&A);
}

int main(void) {
  static const int shapes[][3] = {{1, 1, 1}, {1, 1, 31}, {1, 33, 1}, {31, 1, 1}, {1, 5, 6}, {5, 1, 6},
                                  {6, 5, 1}, {2, 2, 2},  {2, 3, 4},  {3, 11, 1}, {3, 4, 5}};
  static const int unknowns[] = {1, 2, 3, 8, 16};
  static const int odd[] = {199, 1, 3}; /* 597 cells */
  hp_team_hub *hub;
  CHECK_OK(hp_team_hub_create(3, NULL, &hub));
  uint64_t seed = 1;
  test_gh();
  test_width();
  for (size_t s = 0; s < sizeof shapes / sizeof *shapes; ++s)
    for (size_t n = 0; n < sizeof unknowns / sizeof *unknowns; ++n)
      for (int wells = 0; wells < 3; ++wells)
        if (shapes[s][0] * shapes[s][1] * shapes[s][2] * unknowns[n] <= 700 &&
            (s + n + (size_t)wells) % (size_t)check_every(3) == 0)
          test_shape(hub, shapes[s], unknowns[n], wells, ++seed);
  for (int q = 1; q <= 3; ++q) test_shape(hub, odd, q, 1 + q % 2, ++seed);
  hp_team_hub_destroy(&hub);
  CHECK(hp_memory_now() == 0);
  return check_result();
}
