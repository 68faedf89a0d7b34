/* The transposed application of every preconditioner is the transpose of its
 * application: (M^-1 r, s) = (r, M^-T s) to rounding, for random r and s and
 * for all pairs of unit vectors of small systems; every kind, ordering, precision
 * and relaxation, with wells, inactive cells and columns, odd and thin grids.
 * The application itself is checked against dense algebra in test_dilu.c. */
#include <string.h>

#include "core/memory.h"
#include "linsolve/krylov/precond.inl.h"
#include "tests/support/check.h"
#include "tests/support/matrices.h"

enum { HUBS = 2, PAIRS = 3, SMALL = 90 };

static hp_team_hub *hubs[HUBS];

typedef struct {
  const hp_precond *P;
  const hp_gh *A;
  bool setup, transposed;
  int64_t count;   /* of vectors */
  const double *r; /* [count][n] */
  double *z;       /* [count][n] */
} application;

static void body(hp_team *t, void *p) {
  const application *a = p;
  if (a->setup) {
    const int64_t bad = hp_krylov_precond_setup(t, a->P, a->A);
    if (t->rank == 0) CHECK(bad == -1);
  }
  for (int64_t v = 0; v < a->count; ++v) {
    const double *r = a->r + v * a->A->n;
    double *z = a->z + v * a->A->n;
    if (a->transposed) hp_krylov_precond_apply_transposed(t, a->P, a->A, r, z);
    else hp_krylov_precond_apply(t, a->P, a->A, r, z);
    hp_team_sync(t);
  }
}

static double dot(int64_t n, const double *x, const double *y) {
  double sum = 0.0;
  for (int64_t i = 0; i < n; ++i) sum += x[i] * y[i];
  return sum;
}

/* Runs M^-1 and M^-T on `count` vectors r (and s) by a team; zr = M^-1 r, zs = M^-T s. */
static void apply_both(hp_team_hub *hub, const hp_precond *P, const hp_gh *A, int64_t count, const double *r,
                       double *zr, const double *s, double *zs) {
  application a = {P, A, true, false, count, r, zr};
  CHECK_OK(hp_team_run(hub, body, &a));
  a.setup = false;
  a.transposed = true;
  a.r = s;
  a.z = zs;
  CHECK_OK(hp_team_run(hub, body, &a));
}

/* Largest |(M^-1 r, s) - (r, M^-T s)| / (|M^-1 r| |s| + |r| |M^-T s|) of random pairs. */
static double random_error(hp_team_hub *hub, const hp_precond *P, const hp_gh *A, uint64_t *seed) {
  const int64_t n = A->n;
  double *v = NULL, worst = 0.0;
  CHECK_OK(HP_ALLOC(v, 4 * PAIRS * n));
  double *r = v, *s = v + PAIRS * n, *zr = s + PAIRS * n, *zs = zr + PAIRS * n;
  for (int64_t i = 0; i < 2 * PAIRS * n; ++i) v[i] = matrix_random(seed);
  apply_both(hub, P, A, PAIRS, r, zr, s, zs);
  for (int k = 0; k < PAIRS; ++k) {
    const int64_t at = k * n;
    const double size = sqrt(dot(n, zr + at, zr + at)) * sqrt(dot(n, s + at, s + at)) +
                        sqrt(dot(n, r + at, r + at)) * sqrt(dot(n, zs + at, zs + at));
    worst = fmax(worst, fabs(dot(n, zr + at, s + at) - dot(n, r + at, zs + at)) / size);
  }
  HP_FREE(v);
  return worst;
}

/* Largest |M^-1 - (M^-T)^T| of an entry, relative to the largest entry. */
static double entry_error(hp_team_hub *hub, const hp_precond *P, const hp_gh *A) {
  const int64_t n = A->n;
  double *v = NULL, worst = 0.0, size = 0.0;
  CHECK_OK(HP_ALLOC(v, 3 * n * n));
  double *unit = v, *column = v + n * n, *row = column + n * n;
  for (int64_t i = 0; i < n; ++i) unit[i * n + i] = 1.0;
  apply_both(hub, P, A, n, unit, column, unit, row);
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < n; ++j) {
      worst = fmax(worst, fabs(column[j * n + i] - row[i * n + j]));
      size = fmax(size, fabs(column[j * n + i]));
    }
  HP_FREE(v);
  return worst / size;
}

static void test_precond(const hp_gh *A, const hp_precond *P, const char *what, uint64_t *seed) {
  for (int h = 0; h < HUBS; ++h) {
    const double random = random_error(hubs[h], P, A, seed);
    const double entry = A->n <= SMALL && h == 1 ? entry_error(hubs[h], P, A) : 0.0;
    if (!(random <= 1e-14) || !(entry <= 1e-14))
      fprintf(stderr, "%s%s, %s, %s, relaxation %g, q = %d, %d x %d x %d, %d wells, %d members: %.1e, entries %.1e\n",
              what, hp_precond_name(P->kind), hp_ordering_name(P->ordering), hp_precision_name(P->precision),
              P->relaxation, A->q, A->nx, A->ny, A->nz, A->wells.nwell, hp_team_hub_size(hubs[h]), random, entry);
    CHECK(random <= 1e-14);
    CHECK(entry <= 1e-14);
  }
}

/* An identity row in every cell of a column, and no coupling to it; unless `coupled`: then its
 * neighbours keep theirs, as to a cell whose unknowns are given. */
static void make_idle(hp_gh *A, int64_t column, bool coupled) {
  for (int64_t m = column * A->nz; m < (column + 1) * A->nz; ++m)
    for (int u = -3; u <= 3; ++u)
      for (int a = 0; a < A->q && matrix_has(A, m, u); ++a)
        for (int b = 0; b < A->q; ++b) {
          *hp_gh_entry(A, m, u, a, b) = u == 0 && a == b ? 1.0 : 0.0;
          if (!coupled && u != 0) *hp_gh_entry(A, m + hp_gh_offset(A, u), -u, a, b) = 0.0;
        }
}

static void test_matrix(const int *shape, int q, int nwell, uint64_t seed) {
  hp_gh *A;
  CHECK_OK(matrix_random_gh(shape[0], shape[1], shape[2], q, nwell, 0.02, seed, &A));
  hp_precond *P[HP_PRECOND_COUNT * HP_ORDER_COUNT * HP_PRECISION_COUNT * 2];
  int count = 0;
  for (int kind = 0; kind < HP_PRECOND_COUNT; ++kind)
    for (int o = 0; o < HP_ORDER_COUNT; ++o)
      for (int p = 0; p < HP_PRECISION_COUNT; ++p)
        for (int relaxed = 0; relaxed < 2; ++relaxed)
          if (kind == HP_PRECOND_DILU || o + p + relaxed == 0)
            CHECK_OK(hp_precond_create(A, (hp_precond_kind)kind, (hp_ordering)o, (hp_precision)p, relaxed ? 0.9 : 0.0,
                                       NULL, &P[count++]));
  for (int k = 0; k < count; ++k) test_precond(A, P[k], "", &seed);
  if (nwell == 0 && shape[0] * shape[1] > 2) {
    /* after the setups above, so that stale packed blocks are there to be found */
    make_idle(A, shape[0] * shape[1] / 2, false);
    for (int k = 0; k < count; ++k) test_precond(A, P[k], "idle column, ", &seed);
    make_idle(A, shape[0] * shape[1] / 2 - 1, true);
    for (int k = 0; k < count; ++k) test_precond(A, P[k], "given column, ", &seed);
  }
  for (int k = 0; k < count; ++k) hp_precond_destroy(&P[k]);
  hp_gh_destroy(&A);
}

int main(void) {
  static const int shapes[][3] = {{1, 1, 1}, {1, 1, 7}, {1, 7, 1}, {5, 1, 1}, {3, 5, 1}, {1, 3, 5},
                                  {3, 1, 3}, {3, 3, 3}, {5, 7, 3}, {9, 5, 4}, {6, 4, 2}};
  static const int unknowns[] = {1, 2, 3, 8};
  static const int sizes[HUBS] = {1, 3};
  for (int h = 0; h < HUBS; ++h) {
    const hp_team_options opt = {.time_limit = 60.0, .rotate = (uint32_t)(h + 1)};
    CHECK_OK(hp_team_hub_create(sizes[h], &opt, &hubs[h]));
  }
  uint64_t seed = 700;
  const uint64_t every = (uint64_t)check_every(6);
  for (size_t n = 0; n < sizeof unknowns / sizeof *unknowns; ++n)
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; ++k)
      for (int nwell = 0; nwell <= 4; nwell += 4)
        if (++seed % every == 0) test_matrix(shapes[k], unknowns[n], nwell, seed);
  for (int h = 0; h < HUBS; ++h) hp_team_hub_destroy(&hubs[h]);
  CHECK(hp_memory_now() == 0);
  return check_result();
}
