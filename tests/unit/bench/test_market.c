/* MatrixMarket files: what is written is read back, what the format allows is read, mistakes are named. */
#include "bench/market/market.h"

#include <string.h>
#include <unistd.h>

#include "bench/generators/family.h"
#include "core/memory.h"
#include "tests/support/check.h"

static char path[64];

static void write_text(const char *text) {
  FILE *f = fopen(path, "w");
  CHECK(f != NULL);
  if (f == NULL) return;
  fputs(text, f);
  fclose(f);
}

static void test_round_trip(void) {
  hp_family family = hp_family_default(4, 3, 5, 1);
  hp_gh *A;
  hp_sparse *F, *back = NULL;
  double *x = NULL, *y = NULL;
  CHECK_OK(hp_family_create(&family, &A));
  CHECK_OK(hp_sparse_create(A, NULL, HP_SPARSE_CSR, &F));
  hp_sparse_set(F, A);
  CHECK_OK(hp_market_write_matrix(F, path));
  CHECK_OK(hp_market_read_matrix(path, &back));
  CHECK(back->kind == HP_SPARSE_CSR && back->n == F->n && back->count == F->count && A->wells.nwell > 0);
  CHECK(memcmp(back->begin, F->begin, (size_t)(F->n + 1) * sizeof *F->begin) == 0);
  CHECK(memcmp(back->column, F->column, (size_t)F->count * sizeof *F->column) == 0);
  CHECK(memcmp(back->value, F->value, (size_t)F->count * sizeof *F->value) == 0);
  CHECK_OK(HP_ALLOC(x, F->n));
  CHECK_OK(HP_ALLOC(y, F->n));
  hp_family_vector(3, F->n, x);
  CHECK_OK(hp_market_write_vector(x, F->n, path));
  CHECK_OK(hp_market_read_vector(path, F->n, y));
  CHECK(memcmp(x, y, (size_t)F->n * sizeof *x) == 0);
  CHECK(hp_market_read_vector(path, F->n + 1, y) == HP_ERR_FILE);
  HP_FREE(x);
  HP_FREE(y);
  hp_sparse_destroy(&back);
  hp_sparse_destroy(&F);
  hp_gh_destroy(&A);
}

/* Entries in any order, comments and empty lines between them, one triangle, whole numbers. */
static void test_forms(void) {
  hp_sparse *F = NULL;
  double x[3];
  write_text(
      "%%MatrixMarket MATRIX Coordinate Integer Symmetric\n% a comment\n\n3 3 4\n3 1 -2\n2 2 5\n%\n1 1 4\n\n3 3 6\n");
  CHECK_OK(hp_market_read_matrix(path, &F));
  const int32_t begin[] = {0, 2, 3, 5}, column[] = {0, 2, 1, 0, 2};
  const double value[] = {4.0, -2.0, 5.0, -2.0, 6.0};
  CHECK(F->n == 3 && F->count == 5 && memcmp(F->begin, begin, sizeof begin) == 0 &&
        memcmp(F->column, column, sizeof column) == 0 && memcmp(F->value, value, sizeof value) == 0);
  hp_sparse_destroy(&F);
  write_text("%%MatrixMarket matrix coordinate real general\n3 1 2\n3 1 7\n1 1 -1e-3\n");
  CHECK_OK(hp_market_read_vector(path, 3, x));
  CHECK(x[0] == -1e-3 && x[1] == 0.0 && x[2] == 7.0);
}

static void test_mistakes(void) {
  static const struct {
    const char *text, *said;
    hp_status status;
  } wrong[] = {
      {"", ":1: not a MatrixMarket file", HP_ERR_FILE},
      {"%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 1 0\n", "complex", HP_ERR_UNSUPPORTED},
      {"%%MatrixMarket matrix coordinate pattern general\n1 1 1\n1 1\n", "pattern", HP_ERR_UNSUPPORTED},
      {"%%MatrixMarket matrix coordinate real skew-symmetric\n1 1 0\n", "skew-symmetric", HP_ERR_UNSUPPORTED},
      {"%%MatrixMarket matrix array real general\n1 1\n1\n", "dense", HP_ERR_FILE},
      {"%%MatrixMarket matrix coordinate real general\n", "sizes are missing", HP_ERR_FILE},
      {"%%MatrixMarket matrix coordinate real general\n2 2\n", "sizes are not", HP_ERR_FILE},
      {"%%MatrixMarket matrix coordinate real general\n2 3 0\n", "not square", HP_ERR_FILE},
      {"%%MatrixMarket matrix coordinate real general\n4000000000 4000000000 0\n", "32-bit", HP_ERR_UNSUPPORTED},
      {"%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n", "ends before", HP_ERR_FILE},
      {"%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 1\n2 2 1\n", "more entries", HP_ERR_FILE},
      {"%%MatrixMarket matrix coordinate real general\n2 2 1\n1 3 1\n", ":3: not an entry", HP_ERR_FILE},
      {"%%MatrixMarket matrix coordinate real general\n2 2 1\n0 1 1\n", ":3: not an entry", HP_ERR_FILE},
      {"%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 nan\n", "finite", HP_ERR_FILE},
      {"%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1\n", "finite", HP_ERR_FILE},
      {"%%MatrixMarket matrix coordinate real general\n2 2 2\n1 2 1\n1 2 1\n", "(1, 2) is there twice", HP_ERR_FILE},
  };
  for (size_t n = 0; n < sizeof wrong / sizeof *wrong; ++n) {
    hp_sparse *F = NULL;
    write_text(wrong[n].text);
    CHECK(hp_market_read_matrix(path, &F) == wrong[n].status && F == NULL);
    if (strstr(hp_fail_text(), wrong[n].said) == NULL) {
      fprintf(stderr, "%zu: \"%s\" does not say \"%s\"\n", n, hp_fail_text(), wrong[n].said);
      CHECK(false);
    }
  }
  hp_sparse *F = NULL;
  double x[2];
  CHECK(hp_market_read_matrix("/nonexistent/a.mtx", &F) == HP_ERR_FILE);
  CHECK(hp_market_read_vector("/nonexistent/a.mtx", 2, x) == HP_ERR_FILE);
  CHECK(hp_market_write_vector(x, 0, "/nonexistent/a.mtx") == HP_ERR_FILE);
  write_text("%%MatrixMarket matrix array real general\n2 1\n1\n2\n3\n");
  CHECK(hp_market_read_vector(path, 2, x) == HP_ERR_FILE);
  write_text("%%MatrixMarket matrix array real general\n2 1\n1\n");
  CHECK(hp_market_read_vector(path, 2, x) == HP_ERR_FILE);
}

int main(void) {
  snprintf(path, sizeof path, "test_market_%ld.mtx", (long)getpid());
  test_round_trip();
  test_forms();
  test_mistakes();
  remove(path);
  return check_result();
}
