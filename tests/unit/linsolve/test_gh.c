/* GH matrix: entries, offsets, the wells' runs, MatrixMarket files. */
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "linsolve/matrix/gh.h"
#include "linsolve/product/spmv.inl.h"
#include "tests/support/check.h"
#include "tests/support/matrices.h"

static void test_entries(void) {
  hp_gh *A;
  CHECK_OK(hp_gh_create(4, 3, 2, 2, &A));
  CHECK(A->ncell == 24 && A->rows == 48 && A->n == 48);
  const int64_t offset[] = {-6, -2, -1, 0, 1, 2, 6};
  for (int u = -3; u <= 3; ++u) CHECK(hp_gh_offset(A, u) == offset[u + 3]);
  CHECK(hp_gh_entry(A, 5, -3, 1, 0) == A->h + 0 * 48 + 11);
  CHECK(hp_gh_entry(A, 5, 0, 0, 1) == A->h + 7 * 48 + 10);
  CHECK(hp_gh_entry(A, 23, 3, 1, 1) == A->h + 14 * 48 - 1);
  CHECK(hp_gh_bytes(A) >= 14 * 48 * 8 && hp_gh_product_bytes(A) == hp_gh_bytes(A) + 2 * 48 * 8);
  hp_gh_destroy(&A);
  CHECK(A == NULL);
  hp_gh_destroy(&A);
  hp_gh_destroy(NULL);
  CHECK(hp_gh_create(0, 1, 1, 1, &A) == HP_ERR_INTERNAL && A == NULL);
  CHECK(hp_gh_create(1, 1, 1, 17, &A) == HP_ERR_INTERNAL && A == NULL);
}

/* Columns of 4 cells, 3 x 2 of them. Well 0 is vertical and given from the
 * bottom; well 1 runs along i; well 2 has a gap, leaves its column at the
 * bottom and enters the next at its top, which is no run; it meets well 0. */
static void test_wells(void) {
  hp_gh *A;
  CHECK_OK(hp_gh_create(3, 2, 4, 2, &A));
  const int64_t begin[] = {0, 3, 6, 11};
  const int64_t cell[] = {6, 5, 4, 9, 1, 17, 0, 3, 4, 5, 1};
  int64_t slot[11];
  CHECK_OK(hp_gh_set_wells(A, 3, begin, cell, slot));
  const hp_gh_wells *W = &A->wells;
  CHECK(A->n == 51 && W->nwell == 3 && W->nperf == 11 && W->nrun == 7);
  const int32_t run_begin[] = {0, 1, 4, 7}, c[] = {3, 1, 1, 1, 2, 1, 2}, of[] = {0, 1, 1, 1, 2, 2, 2};
  const int64_t a[] = {0, 3, 4, 5, 6, 8, 9}, b[] = {4, 1, 9, 17, 0, 3, 4};
  CHECK(memcmp(W->run_begin, run_begin, sizeof run_begin) == 0);
  CHECK(memcmp(W->a, a, sizeof a) == 0);
  CHECK(memcmp(W->b, b, sizeof b) == 0);
  CHECK(memcmp(W->c, c, sizeof c) == 0);
  CHECK(memcmp(W->of, of, sizeof of) == 0);
  const int64_t slots[] = {2, 1, 0, 4, 3, 5, 6, 8, 9, 10, 7};
  CHECK(memcmp(slot, slots, sizeof slots) == 0);
  /* column 0 has runs 1, 4, 5; column 1 runs 0, 6; column 2 run 2; column 4 run 3 */
  const int32_t d[] = {1, 0, 2, -1, 3, -1}, next[] = {6, 4, -1, -1, 5, -1, -1};
  CHECK(memcmp(W->d, d, sizeof d) == 0);
  CHECK(memcmp(W->next, next, sizeof next) == 0);

  const int64_t twice[] = {7, 7}, outside[] = {7, 24}, two[] = {0, 2}, backwards[] = {0, 2, 1};
  CHECK(hp_gh_set_wells(A, 1, two, twice, NULL) == HP_ERR_INTERNAL);
  CHECK(hp_gh_set_wells(A, 1, two, outside, NULL) == HP_ERR_INTERNAL);
  CHECK(hp_gh_set_wells(A, 2, backwards, cell, NULL) == HP_ERR_INTERNAL);
  CHECK(A->n == 51 && A->wells.nrun == 7);
  CHECK_OK(hp_gh_set_wells(A, 0, NULL, NULL, NULL));
  CHECK(A->n == 48 && A->wells.nrun == 0);
  hp_gh_destroy(&A);
}

/* Reads "<path>" as a dense matrix [n][n]; returns the number of entries, -1: not as expected. */
static int64_t read_mtx(const char *path, int64_t n, double *dense) {
  FILE *f = fopen(path, "r");
  char line[200];
  long long rows, columns, count, i, j, last = 0;
  if (f == NULL || fgets(line, sizeof line, f) == NULL) return -1;
  if (strcmp(line, "%%MatrixMarket matrix coordinate real general\n") != 0) return -1;
  while (fgets(line, sizeof line, f) != NULL && line[0] == '%') {
  }
  if (sscanf(line, "%lld %lld %lld", &rows, &columns, &count) != 3 || rows != n || columns != n) return -1;
  for (long long e = 0; e < count; ++e) {
    double v;
    if (fscanf(f, "%lld %lld %lf", &i, &j, &v) != 3 || i < last || i < 1 || i > n || j < 1 || j > n) return -1;
    dense[(i - 1) * n + j - 1] += v;
    last = i;
  }
  const int more = fscanf(f, "%199s", line);
  fclose(f);
  return more == EOF ? count : -1;
}

static bool read_rhs(const char *path, int64_t n, double *b) {
  FILE *f = fopen(path, "r");
  long long rows, columns;
  if (f == NULL || fscanf(f, "%%%%MatrixMarket matrix array real general %lld %lld", &rows, &columns) != 2)
    return false;
  bool good = rows == n && columns == 1;
  for (int64_t i = 0; i < n && good; ++i) good = fscanf(f, "%lf", &b[i]) == 1;
  fclose(f);
  return good;
}

/* The file, read back, times x is A x, for every unit vector x: bit by bit. */
static void test_mtx(void) {
  enum { N_MAX = 128 };
  static double dense[N_MAX * N_MAX], b[N_MAX], back[N_MAX], x[N_MAX], y[N_MAX];
  char path[64], rhs[80];
  snprintf(path, sizeof path, "test_gh_%d.mtx", rand());
  snprintf(rhs, sizeof rhs, "%s.rhs", path);
  hp_gh *A;
  CHECK_OK(matrix_random_gh(3, 4, 3, 3, 4, 0.1, 11, &A));
  uint64_t seed = 3;
  for (int64_t i = 0; i < A->n; ++i) b[i] = matrix_random(&seed) * 1e-7;
  CHECK_OK(hp_gh_write_mtx(A, b, path));
  CHECK(A->n <= N_MAX);
  CHECK(read_mtx(path, A->n, dense) > A->n);
  CHECK(read_rhs(rhs, A->n, back));
  CHECK(memcmp(b, back, (size_t)A->n * sizeof *b) == 0);
  int wrong = 0;
  for (int64_t c = 0; c < A->n; ++c) {
    memset(x, 0, sizeof x);
    x[c] = 1.0;
    hp_gh_rows(A, NULL, x, y, 0, A->n);
    for (int64_t i = 0; i < A->n; ++i) wrong += y[i] != dense[i * A->n + c];
  }
  CHECK(wrong == 0);
  CHECK(hp_gh_write_mtx(A, NULL, "/nonexistent/folder/a.mtx") == HP_ERR_FILE);
  remove(path);
  remove(rhs);
  hp_gh_destroy(&A);
}

int main(void) {
  test_entries();
  test_wells();
  test_mtx();
  CHECK(hp_memory_now() == 0);
  return check_result();
}
