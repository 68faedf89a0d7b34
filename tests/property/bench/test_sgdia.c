/* Matrices of stencils against dense matrices put together from the places of cells: SG-DIA, csr and dia multiply as they
 * do, in both precisions, with open and periodic boundaries, for every number of threads; numbers of points, entries,
 * diagonals and bytes; what does not fit is refused. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/generators/family.h"
#include "bench/sgdia/device.h"
#include "bench/sgdia/multiply.inl.h"
#include "core/memory.h"
#include "linsolve/sgdia/tile.h"
#include "tests/support/check.h"

enum { HUBS = 3 };
static hp_team_hub *hub[HUBS]; /* of 1, 2 and 5 members */

typedef struct {
  const hp_sgdia *A;
  const hp_sgdia_rows *R;
  const void *x;
  void *y;
} job;

static void body(hp_team *t, void *arg) {
  const job *j = arg;
  if (j->R != NULL) hp_sgdia_multiply_rows(t, j->A, j->R, j->x, j->y);
  else hp_sgdia_multiply(t, j->A, j->x, j->y);
}

/* Distance along one dimension, the short way round where it is periodic. */
static int apart(int a, int b, int size, bool periodic) {
  const int d = abs(a - b);
  return periodic && size - d < d ? size - d : d;
}

static bool are_coupled(const hp_sgdia *A, hp_sgdia_kind kind, int64_t m, int64_t n) {
  int sum = 0, largest = 0;
  for (int d = 0; d < 3; ++d) {
    const int one = apart((int)(m % A->size[d]), (int)(n % A->size[d]), A->size[d], A->periodic);
    sum += one;
    largest = one > largest ? one : largest;
    m /= A->size[d];
    n /= A->size[d];
  }
  return kind == HP_SGDIA_STAR ? sum <= 1 : largest <= 1;
}

/* The dense matrix [n][n] from entries of points; that it has those of coupled cells, and only these. */
static double *dense_of(const hp_sgdia *A, hp_sgdia_kind kind) {
  double *dense = NULL;
  CHECK_OK(HP_ALLOC(dense, A->n * A->n));
  for (int64_t m = 0; m < A->ncell; ++m)
    for (int p = 0; p < A->points; ++p) {
      const int64_t n = hp_sgdia_neighbour(A, m, p);
      for (int a = 0; a < A->q; ++a)
        for (int b = 0; b < A->q; ++b) {
          const double v = hp_sgdia_entry(A, m, p, a, b);
          CHECK(n >= 0 || v == 0.0);
          if (n >= 0) dense[(m * A->q + a) * A->n + n * A->q + b] += v;
        }
    }
  for (int64_t m = 0; m < A->ncell; ++m)
    for (int64_t n = 0; n < A->ncell; ++n) {
      const bool coupled = are_coupled(A, kind, m, n);
      for (int a = 0; a < A->q; ++a)
        for (int b = 0; b < A->q; ++b) CHECK((dense[(m * A->q + a) * A->n + n * A->q + b] != 0.0) == coupled);
    }
  return dense;
}

static double number(const hp_sgdia *A, const void *v, int64_t i) {
  return A->single ? (double)((const float *)v)[i] : ((const double *)v)[i];
}

/* y = dense x to rounding. */
static void check_close(const hp_sgdia *A, const double *dense, const void *x, const void *y) {
  const double unit = A->single ? 6e-8 : 1.2e-16;
  int64_t wrong = 0;
  for (int64_t i = 0; i < A->n; ++i) {
    long double sum = 0.0L, scale = 0.0L;
    for (int64_t j = 0; j < A->n; ++j) {
      const long double term = (long double)dense[i * A->n + j] * number(A, x, j);
      sum += term;
      scale += fabsl(term);
    }
    wrong += !(fabsl(number(A, y, i) - sum) <= unit * (A->points * A->q + 2) * scale);
  }
  CHECK(wrong == 0);
}

/* By every team, the same bits. */
static void check_products(const hp_sgdia *A, const hp_sgdia_rows *R, const double *dense, const void *x, void *y,
                           void *first) {
  const size_t bytes = (size_t)A->n * (A->single ? sizeof(float) : sizeof(double));
  for (int h = 0; h < HUBS; ++h) {
    memset(y, 0xff, bytes);
    CHECK_OK(hp_team_run(hub[h], body, &(job){A, R, x, y}));
    if (h == 0) memcpy(first, y, bytes);
    CHECK(memcmp(first, y, bytes) == 0);
  }
  check_close(A, dense, x, y);
}

/* Row by row the dense matrix's, columns rising. */
static void check_csr(const hp_sgdia *A, const hp_sgdia_rows *R, const double *dense) {
  int64_t nonzero = 0;
  for (int64_t k = 0; k < A->n * A->n; ++k) nonzero += dense[k] != 0.0;
  CHECK(R->count == nonzero && R->begin[A->n] == nonzero && hp_sgdia_entries(A) == nonzero);
  for (int64_t i = 0; i < A->n; ++i)
    for (int32_t e = R->begin[i]; e < R->begin[i + 1]; ++e) {
      CHECK(e == R->begin[i] || R->column[e - 1] < R->column[e]);
      CHECK(number(A, R->value, e) == dense[i * A->n + R->column[e]]);
    }
}

static void test_matrix(hp_sgdia_kind kind, const int size[3], int q, bool periodic, bool single) {
  hp_sgdia *A = NULL;
  hp_sgdia_rows *csr = NULL, *dia = NULL;
  void *x = NULL, *y = NULL, *first = NULL;
  double *numbers = NULL;
  CHECK_OK(hp_sgdia_create(kind, size, q, periodic, single, 5, &A));
  const size_t real = single ? sizeof(float) : sizeof(double);
  double *dense = dense_of(A, kind);
  CHECK_OK(hp_alloc(&x, A->n, real, "x"));
  CHECK_OK(hp_alloc(&y, A->n, real, "y"));
  CHECK_OK(hp_alloc(&first, A->n, real, "first"));
  CHECK_OK(HP_ALLOC(numbers, A->n));
  hp_family_vector(9, A->n, numbers);
  for (int64_t i = 0; i < A->n; ++i) {
    if (single) ((float *)x)[i] = (float)numbers[i];
    else ((double *)x)[i] = numbers[i];
  }
  check_products(A, NULL, dense, x, y, first);
  CHECK_OK(hp_sgdia_to_csr(A, 0, &csr));
  check_csr(A, csr, dense);
  check_products(A, csr, dense, x, y, first);
  CHECK_OK(hp_sgdia_to_dia(A, 0, &dia));
  check_products(A, dia, dense, x, y, first);
  CHECK(hp_sgdia_bytes(A) == (int64_t)real * A->n * (A->points * q + 2));
  CHECK(hp_sgdia_rows_bytes(A, dia) == (int64_t)real * A->n * (dia->diagonals + 2));
  if (!periodic && size[0] > 2 && q > 1)
    CHECK(dia->diagonals <= A->points * (2 * q - 1) && dia->diagonals >= A->points * q);
  hp_sgdia_rows_destroy(&csr);
  hp_sgdia_rows_destroy(&dia);
  hp_sgdia_destroy(&A);
  HP_FREE(dense);
  HP_FREE(numbers);
  hp_free(&x);
  hp_free(&y);
  hp_free(&first);
}

static void test_all(void) {
  static const int sizes[][3] = {{4, 3, 5}, {7, 5, 1}, {3, 3, 3}, {9, 1, 1}, {1, 1, 6}, {1, 1, 1}, {5, 1, 4}};
  static const int open_alone[][3] = {{2, 2, 2}, {2, 5, 1}};
  for (int kind = 0; kind < 2; ++kind)
    for (int single = 0; single < 2; ++single)
      for (int q = 1; q <= 3; ++q) {
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; ++s)
          for (int periodic = 0; periodic < 2; ++periodic)
            test_matrix((hp_sgdia_kind)kind, sizes[s], q, periodic != 0, single != 0);
        for (size_t s = 0; s < 2; ++s) test_matrix((hp_sgdia_kind)kind, open_alone[s], q, false, single != 0);
      }
}

static void test_points(void) {
  static const struct {
    hp_sgdia_kind kind;
    int size[3], points;
  } expected[] = {{HP_SGDIA_STAR, {5, 5, 1}, 5},
                  {HP_SGDIA_BOX, {5, 5, 1}, 9},
                  {HP_SGDIA_STAR, {4, 4, 4}, 7},
                  {HP_SGDIA_BOX, {4, 4, 4}, 27}};
  for (size_t k = 0; k < 4; ++k) {
    hp_sgdia *A = NULL;
    char name[64], text[64];
    CHECK_OK(hp_sgdia_create(expected[k].kind, expected[k].size, 2, k % 2 == 0, k > 1, 1, &A));
    CHECK(A->points == expected[k].points);
    for (int p = 1; p < A->points; ++p) CHECK(A->offset[p - 1] < A->offset[p]);
    hp_sgdia_kernel_name(A, name, sizeof name);
    snprintf(text, sizeof text, "sg-dia %s %dd q2 %s %s", hp_sgdia_kind_name(expected[k].kind), k > 1 ? 3 : 2,
             k > 1 ? "single" : "double", k % 2 == 0 ? "periodic" : "open");
    CHECK(strcmp(name, text) == 0);
    const hp_sgdia_tile t = hp_sgdia_tile_of(A, 64);
    CHECK(t.lines == (A->points == 5 ? 3 : A->points == 7 ? 5 : A->points / 3) && t.length == 70);
    for (int p = 0; p < A->points; ++p) CHECK(t.line[t.line_of[p]] + A->shift[p][0] == A->offset[p]);
    hp_kernel_shape s = hp_sgdia_untuned_shape();
    s.shared = true;
    CHECK(hp_sgdia_shape_fits(A, &s));
    s.threads = 512;
    s.loads = HP_LOADS_WIDE;
    CHECK(hp_sgdia_shape_fits(A, &s) == (A->points < 27));
    hp_sgdia_destroy(&A);
  }
}

static void test_errors(void) {
  hp_sgdia *A = NULL;
  hp_sgdia_rows *R = NULL;
  const int size[3] = {4, 4, 4}, two[3] = {4, 2, 4}, none[3] = {4, 0, 4}, large[3] = {4096, 4096, 200};
  CHECK(hp_sgdia_create(HP_SGDIA_STAR, size, 0, false, false, 1, &A) == HP_ERR_USAGE && A == NULL);
  CHECK(hp_sgdia_create(HP_SGDIA_STAR, size, 17, false, false, 1, &A) == HP_ERR_USAGE);
  CHECK(hp_sgdia_create(HP_SGDIA_STAR, two, 1, true, false, 1, &A) == HP_ERR_USAGE);
  CHECK(hp_sgdia_create(HP_SGDIA_STAR, none, 1, false, false, 1, &A) == HP_ERR_USAGE);
  CHECK(hp_sgdia_create(HP_SGDIA_STAR, large, 1, false, false, 1, &A) == HP_ERR_UNSUPPORTED);
  CHECK_OK(hp_sgdia_create(HP_SGDIA_STAR, size, 1, false, false, 1, &A));
  CHECK(hp_sgdia_to_csr(A, 100, &R) == HP_ERR_UNSUPPORTED && R == NULL);
  CHECK(hp_sgdia_to_dia(A, 100, &R) == HP_ERR_UNSUPPORTED && R == NULL);
  hp_sgdia_destroy(&A);
}

int main(void) {
  static const int members[HUBS] = {1, 2, 5};
  for (int h = 0; h < HUBS; ++h) CHECK_OK(hp_team_hub_create(members[h], NULL, &hub[h]));
  test_all();
  test_points();
  test_errors();
  for (int h = 0; h < HUBS; ++h) hp_team_hub_destroy(&hub[h]);
  CHECK(hp_memory_now() == 0);
  return check_result();
}
