/* Block DILU equals an independently written dense block ILU(0), relaxed and
 * not, in every order, and its single-precision form comes close; fully relaxed
 * it is exact for a constant pressure, but for bricks; block Jacobi and Jacobi equal their
 * definitions. */
#include <string.h>

#include "core/memory.h"
#include "linsolve/krylov/precond.inl.h"
#include "tests/support/check.h"
#include "tests/support/dense.h"
#include "tests/support/matrices.h"

static hp_team_hub *hub;

typedef struct {
  const hp_precond *P;
  const hp_gh *A;
  const double *r;
  double *z;
  int64_t bad;
} application;

static void body(hp_team *t, void *p) {
  application *a = p;
  const int64_t bad = hp_krylov_precond_setup(t, a->P, a->A);
  if (t->rank == 0) a->bad = bad;
  hp_krylov_precond_apply(t, a->P, a->A, a->r, a->z);
}

/* Adds the effect of the wells' rows to the cells' matrix: see linsolve/precond/precond.h. */
static void fold_wells(const hp_gh *A, double *m) {
  const int64_t n = A->n;
  for (int w = 0; w < A->wells.nwell; ++w)
    for (int64_t cell = 0; cell < A->ncell; ++cell)
      for (int a = 0; a < A->q; ++a)
        for (int b = 0; b < A->q; ++b) {
          const int64_t row = cell * A->q + a, column = cell * A->q + b, well = A->rows + w;
          m[row * n + column] -= m[row * n + well] * m[well * n + column] / m[well * n + well];
        }
}

/* In place, block ILU(0) of the cells' rows of m in the order given by
 * place[cell], with the pattern of the nonzero blocks of the matrix: a block
 * of L is A_mn U_nn^-1, kept where A_mn stood. What falls outside the pattern
 * goes to the diagonal block in its first column, times `relaxation`. */
static void block_ilu0(const hp_gh *A, const int64_t *order, const int64_t *place, double relaxation, double *m) {
  const int64_t n = A->n;
  const int q = A->q;
  bool *pattern = NULL;
  CHECK_OK(HP_ALLOC(pattern, A->ncell * A->ncell));
  for (int64_t r = 0; r < A->rows; ++r)
    for (int64_t c = 0; c < A->rows; ++c)
      if (m[r * n + c] != 0.0) pattern[(r / q) * A->ncell + c / q] = true;
  for (int64_t step = 0; step < A->ncell; ++step) {
    const int64_t row = order[step];
    for (int64_t s = 0; s < step; ++s) {
      const int64_t pivot = order[s];
      if (!pattern[row * A->ncell + pivot]) continue;
      for (int a = 0; a < q; ++a) { /* l U_pp = a: solve the transposed system for one row of the block */
        double u[HP_GH_Q_MAX * HP_GH_Q_MAX], l[HP_GH_Q_MAX];
        for (int b = 0; b < q; ++b) {
          l[b] = m[(row * q + a) * n + pivot * q + b];
          for (int c = 0; c < q; ++c) u[b * q + c] = m[(pivot * q + c) * n + pivot * q + b];
        }
        dense_solve(q, u, l);
        for (int b = 0; b < q; ++b) m[(row * q + a) * n + pivot * q + b] = l[b];
        for (int64_t other = 0; other < A->ncell; ++other) {
          if (place[other] <= s || !pattern[pivot * A->ncell + other]) continue;
          const bool kept = pattern[row * A->ncell + other];
          for (int c = 0; c < (kept ? q : 1); ++c)
            for (int b = 0; b < q; ++b)
              m[(row * q + a) * n + (kept ? other : row) * q + c] -= (kept ? 1.0 : relaxation) * l[b] *
                                                                     m[(pivot * q + b) * n + other * q + c];
        }
      }
    }
  }
  HP_FREE(pattern);
}

/* z = U^-1 L^-1 r with the factors of block_ilu0, then the wells. */
static void ilu0_solve(const hp_gh *A, const int64_t *order, const int64_t *place, const double *m, const double *r,
                       double *z) {
  const int64_t n = A->n;
  const int q = A->q;
  memcpy(z, r, (size_t)n * sizeof *z);
  for (int64_t step = 0; step < A->ncell; ++step)
    for (int64_t other = 0; other < A->ncell; ++other)
      for (int a = 0; a < q && place[other] < step; ++a)
        for (int b = 0; b < q; ++b)
          z[order[step] * q + a] -= m[(order[step] * q + a) * n + other * q + b] * z[other * q + b];
  for (int64_t step = A->ncell - 1; step >= 0; --step) {
    const int64_t cell = order[step];
    double u[HP_GH_Q_MAX * HP_GH_Q_MAX];
    for (int64_t other = 0; other < A->ncell; ++other)
      for (int a = 0; a < q && place[other] > step; ++a)
        for (int b = 0; b < q; ++b) z[cell * q + a] -= m[(cell * q + a) * n + other * q + b] * z[other * q + b];
    for (int a = 0; a < q; ++a)
      for (int b = 0; b < q; ++b) u[a * q + b] = m[(cell * q + a) * n + cell * q + b];
    dense_solve(q, u, z + cell * q);
  }
  for (int64_t w = A->rows; w < n; ++w) {
    for (int64_t c = 0; c < A->rows; ++c) z[w] -= m[w * n + c] * z[c];
    z[w] /= m[w * n + w];
  }
}

/* Drops the couplings of cells in different bricks. */
static void cut_bricks(const hp_gh *A, double *m) {
  const hp_dilu_bricks bricks = hp_dilu_bricks_of(A->nx, A->ny, A->nz);
  for (int64_t r = 0; r < A->rows; ++r)
    for (int64_t c = 0; c < A->rows; ++c) {
      int64_t a = r / A->q, b = c / A->q;
      const int size[3] = {A->nz, A->ny, A->nx};
      for (int axis = 0; axis < 3; a /= size[axis], b /= size[axis], ++axis)
        if (a % size[axis] / bricks.size[axis] != b % size[axis] / bricks.size[axis]) m[r * A->n + c] = 0.0;
    }
}

static void make_order(const hp_gh *A, hp_ordering ordering, int64_t *order, int64_t *place) {
  int64_t step = 0;
  for (int pass = 0; pass < (ordering == HP_ORDER_RED_BLACK ? 2 : 1); ++pass)
    for (int64_t m = 0; m < A->ncell; ++m) {
      const int64_t parity = (m % A->nz + m / A->nz % A->ny + m / A->nz / A->ny) % 2;
      if (ordering == HP_ORDER_RED_BLACK && parity != pass) continue;
      order[step] = m;
      place[m] = step++;
    }
}

/* Largest difference between the preconditioner's z and `expected`, relative to the largest z. */
static double difference(const hp_gh *A, hp_precond_kind kind, hp_ordering ordering, hp_precision precision,
                         double relaxation, const double *r, const double *expected) {
  hp_precond *P;
  double *z = NULL, worst = 0.0, size = 0.0;
  CHECK_OK(HP_ALLOC(z, A->n));
  CHECK_OK(hp_precond_create(A, kind, ordering, precision, relaxation, NULL, &P));
  application a = {P, A, r, z, -2};
  CHECK_OK(hp_team_run(hub, body, &a));
  CHECK(a.bad == -1);
  for (int64_t i = 0; i < A->n; ++i) {
    worst = fmax(worst, fabs(z[i] - expected[i]));
    size = fmax(size, fabs(expected[i]));
  }
  hp_precond_destroy(&P);
  HP_FREE(z);
  return worst / size;
}

/* Keeps only what Jacobi (block == 1) or block Jacobi (block == q) see of the cells' matrix. */
static void keep_diagonal(const hp_gh *A, int block, double *m) {
  for (int64_t r = 0; r < A->rows; ++r)
    for (int64_t c = 0; c < A->rows; ++c)
      if (r / block != c / block) m[r * A->n + c] = 0.0;
}

/* M^-1 A e = e for e = 1 in every first unknown, 0 else, with relaxation 1. m, z: room. */
static void test_constant_pressure(const hp_gh *A, hp_ordering ordering, double *m, double *z) {
  double *e = NULL;
  CHECK_OK(HP_ALLOC(e, A->n));
  dense_from_gh(A, m);
  for (int64_t i = 0; i < A->n; i += A->q) e[i] = 1.0;
  for (int64_t i = 0; i < A->n; ++i) {
    z[i] = 0.0;
    for (int64_t c = 0; c < A->n; ++c) z[i] += m[i * A->n + c] * e[c];
  }
  CHECK(difference(A, HP_PRECOND_DILU, ordering, HP_PRECISION_DOUBLE, 1.0, z, e) < 1e-10);
  HP_FREE(e);
}

static void test_matrix(const int *shape, int q, int nwell, uint64_t seed) {
  hp_gh *A;
  double *m = NULL, *r = NULL, *z = NULL;
  int64_t *order = NULL, *place = NULL;
  CHECK_OK(matrix_random_gh(shape[0], shape[1], shape[2], q, nwell, 0.02, seed, &A));
  CHECK_OK(HP_ALLOC(m, A->n * A->n));
  CHECK_OK(HP_ALLOC(r, A->n));
  CHECK_OK(HP_ALLOC(z, A->n));
  CHECK_OK(HP_ALLOC(order, A->ncell));
  CHECK_OK(HP_ALLOC(place, A->ncell));
  for (int64_t i = 0; i < A->n; ++i) r[i] = matrix_random(&seed);
  for (int o = 0; o < HP_ORDER_COUNT; ++o) {
    for (double relaxation = 0.0; relaxation < 1.0; relaxation += 0.4) {
      dense_from_gh(A, m);
      fold_wells(A, m);
      if (o == HP_ORDER_BRICKS) cut_bricks(A, m);
      make_order(A, (hp_ordering)o, order, place);
      block_ilu0(A, order, place, relaxation, m);
      ilu0_solve(A, order, place, m, r, z);
      CHECK(difference(A, HP_PRECOND_DILU, (hp_ordering)o, HP_PRECISION_DOUBLE, relaxation, r, z) < 1e-12);
      const double single = difference(A, HP_PRECOND_DILU, (hp_ordering)o, HP_PRECISION_SINGLE, relaxation, r, z);
      CHECK(single < 1e-5 && (single > 1e-12 || A->ncell == 1));
    }
    if (nwell == 0 && o != HP_ORDER_BRICKS) test_constant_pressure(A, (hp_ordering)o, m, z);
  }
  for (int block = 1; block <= q; block += q > 1 ? q - 1 : 1) {
    dense_from_gh(A, m);
    fold_wells(A, m);
    keep_diagonal(A, block, m);
    make_order(A, HP_ORDER_NATURAL, order, place);
    ilu0_solve(A, order, place, m, r, z);
    const hp_precond_kind kind = block == 1 ? HP_PRECOND_JACOBI : HP_PRECOND_BLOCK_JACOBI;
    CHECK(difference(A, kind, HP_ORDER_NATURAL, HP_PRECISION_DOUBLE, 0.0, r, z) < 1e-12);
  }
  hp_gh_destroy(&A);
  HP_FREE(m);
  HP_FREE(r);
  HP_FREE(z);
  HP_FREE(order);
  HP_FREE(place);
}

int main(void) {
  static const int shapes[][3] = {{1, 1, 1}, {1, 1, 7}, {1, 8, 1}, {7, 1, 1},  {4, 5, 1},  {1, 3, 4},
                                  {3, 1, 4}, {3, 4, 3}, {5, 5, 2}, {1, 40, 1}, {35, 2, 2}, {2, 9, 17}};
  static const int unknowns[] = {1, 2, 3, 5, 16};
  CHECK_OK(hp_team_hub_create(3, NULL, &hub));
  uint64_t seed = 100;
  for (size_t n = 0; n < sizeof unknowns / sizeof *unknowns; ++n)
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; ++s)
      for (int nwell = 0; nwell <= 4; nwell += 4)
        if (unknowns[n] < 16 || s < 5) test_matrix(shapes[s], unknowns[n], nwell, ++seed);
  hp_team_hub_destroy(&hub);
  CHECK(hp_memory_now() == 0);
  return check_result();
}
