/* Sliced ELL, HEC and CSR of one matrix: widths, padding and bytes counted by hand, and the products of rows of all
 * lengths against the matrix's own; where a cycle has the entries of rows in each format. */
#include "amg/rows/rows.inl.h"
#include "tests/support/amg_formats.h"

static hp_team_hub *hub;

typedef struct {
  const hp_amg_format *F;
  const void *x;
  void *y;
} job;

static void multiply(hp_team *t, void *arg) {
  const job *j = arg;
  hp_amg_format_multiply(t, j->F, j->x, j->y);
}

/* Rows of 1, 2, 2, 5, 0, 2, 1, 3, 1 entries: 17 in 9 rows. */
static hp_csr *small(void) {
  static const int32_t length[9] = {1, 2, 2, 5, 0, 2, 1, 3, 1};
  hp_csr *A;
  int32_t at = 0;
  CHECK_OK(hp_csr_create(9, 9, 17, &A));
  for (int32_t i = 0; i < 9; ++i) {
    for (int32_t k = 0; k < length[i]; ++k, ++at) {
      A->column[at] = k;
      A->value[at] = 1.0 + at;
    }
    A->begin[i + 1] = at;
  }
  return A;
}

static void test_counts(void) {
  hp_csr *A = small();
  hp_amg_format F;
  CHECK_OK(hp_amg_format_create(A, HP_AMG_FORMAT_CSR, HP_PRECISION_DOUBLE, 0, &F));
  CHECK(F.count == 17 && F.rest == 0 && hp_amg_format_bytes(&F) == 17 * 12 + 10 * 4);
  CHECK(hp_amg_format_traffic(&F) == hp_amg_format_bytes(&F) + 18 * 8);
  hp_amg_format_free(&F);
  /* two rows or more: 5 of 9; three or more: 2 of 9, less than a third */
  CHECK_OK(hp_amg_format_create(A, HP_AMG_FORMAT_HEC, HP_PRECISION_SINGLE, 0, &F));
  CHECK(F.width == 2 && F.count == 18 && F.rest == 4 && hp_amg_format_bytes(&F) == 22 * 8 + 10 * 4);
  CHECK(F.rest_begin[3] == 0 && F.rest_begin[4] == 3 && F.rest_begin[8] == 4 && F.rest_column[3] == 2);
  hp_amg_format_free(&F);
  /* slices of 8 rows: 5 wide, then 1 */
  CHECK_OK(hp_amg_format_create(A, HP_AMG_FORMAT_SLICED, HP_PRECISION_DOUBLE, -1, &F));
  CHECK(F.count == 8 * 5 + 8 && F.begin[1] == 40 && hp_amg_format_bytes(&F) == 48 * 12 + 3 * 4);
  CHECK(((double *)F.value)[0] == 1.0 && ((double *)F.value)[3] == 6.0 && ((double *)F.value)[3 + 8] == 7.0);
  hp_amg_format_free(&F);
  /* four lanes, slices of 8 rows: two steps of four entries, then one */
  CHECK_OK(hp_amg_format_create(A, HP_AMG_FORMAT_SLICED, HP_PRECISION_DOUBLE, 2, &F));
  CHECK(F.count == 8 * 8 + 8 * 4 && ((double *)F.value)[3 * 4 + 1] == 7.0 && ((double *)F.value)[32 + 3 * 4] == 10.0);
  hp_amg_format_free(&F);
  hp_csr_destroy(&A);
}

/* The rows of a cycle's level: every entry in its place, padding zero and in a column of its row. */
static void check_level(const hp_csr *A, const hp_amg_rows *R, int64_t total) {
  const float *value = R->value;
  double all = 0.0, mine = 0.0;
  for (int32_t i = 0; i < A->nrow; ++i)
    for (int32_t k = 0; k < hp_csr_length(A, i); ++k) {
      const int64_t at = hp_amg_place(R, i, k);
      CHECK(at >= 0 && at < total && R->column[at] == A->column[A->begin[i] + k]);
      CHECK(value[at] == (float)A->value[A->begin[i] + k]);
      mine += fabs(value[at]);
    }
  for (int64_t e = 0; e < total; ++e) all += fabs(value[e]);
  CHECK(fabs(all - mine) <= 1e-12 * all);
  for (int32_t i = 0; i < A->nrow; ++i)
    for (int64_t k = A->begin[i + 1] - A->begin[i]; k < R->width; ++k) {
      const int64_t at = hp_amg_place(R, i, k);
      CHECK(value[at] == 0.0f && R->column[at] == A->column[A->begin[i + 1] - 1]);
    }
}

/* Rows of 1, 2, 3, 4, 5, 1, .. entries, the diagonal the largest. */
static void test_levels(void) {
  enum { N = 45, MOST = 5 };
  const hp_amg_format_kind format[] = {HP_AMG_FORMAT_AUTO, HP_AMG_FORMAT_SLICED, HP_AMG_FORMAT_HEC, HP_AMG_FORMAT_CSR};
  const int width[] = {0, 0, 4, 0}; /* 18 of 45 rows have four entries or more, 9 five */
  const int64_t total[] = {135, 6 * 8 * MOST, 4 * N + 9, 135};
  hp_csr *A;
  int32_t at = 0;
  CHECK_OK(hp_csr_create(N, N, 135, &A));
  for (int32_t i = 0; i < N; ++i) {
    const int32_t length = i % MOST + 1;
    for (int32_t k = 0; k < length; ++k, ++at) {
      A->column[at] = (i + k * 7) % N;
      A->value[at] = k == 0 ? 10.0 : -0.1 * i - k;
    }
    A->begin[i + 1] = at;
  }
  for (int n = 0; n < 4; ++n) {
    hp_amg_options opt = hp_amg_default_options();
    hp_amg *H;
    opt.smoother = HP_AMG_JACOBI;
    opt.precision = HP_PRECISION_SINGLE;
    opt.max_levels = 1;
    opt.format = format[n];
    CHECK_OK(hp_amg_create(&opt, &H));
    CHECK_OK(hp_amg_build(H, A, 0));
    const hp_amg_rows *R = &H->level[0].a;
    const int64_t slices = (N + (1 << R->shift) - 1) >> R->shift;
    CHECK(R->width == width[n] && R->shift == (n == 1 ? 3 : 0) && R->begin[slices] == total[n]);
    check_level(A, R, total[n]);
    hp_amg_destroy(&H);
  }
  hp_csr_destroy(&A);
}

static void test_products(int32_t nrow, int32_t ncol, int32_t most) {
  hp_csr *A = formats_matrix(nrow, ncol, most, (uint64_t)nrow);
  double *x, *y;
  float *xf;
  uint64_t seed = 8;
  CHECK_OK(HP_ALLOC(x, ncol));
  CHECK_OK(HP_ALLOC(xf, ncol));
  CHECK_OK(HP_ALLOC(y, nrow));
  for (int32_t i = 0; i < ncol; ++i) x[i] = xf[i] = (float)matrix_random(&seed);
  for (int kind = 0; kind < HP_AMG_FORMAT_COUNT; ++kind)
    for (int p = 0; p < HP_PRECISION_COUNT; ++p) {
      hp_amg_format F;
      CHECK_OK(hp_amg_format_create(A, (hp_amg_format_kind)kind, (hp_precision)p, -1, &F));
      job j = {&F, F.single ? (const void *)xf : x, y};
      memset(y, 0x7f, (size_t)nrow * sizeof *y);
      CHECK_OK(hp_team_run(hub, multiply, &j));
      CHECK(formats_difference(A, x, &F, y) <= (F.single ? 1e-5 : 1e-13));
      hp_amg_format_free(&F);
    }
  hp_csr_destroy(&A);
  HP_FREE(x);
  HP_FREE(xf);
  HP_FREE(y);
}

int main(void) {
  CHECK_OK(hp_team_hub_create(3, NULL, &hub));
  test_counts();
  test_levels();
  test_products(1, 1, 2);
  test_products(9, 14, 5);
  test_products(257, 300, 77);
  test_products(1000, 40, 9);
  hp_team_hub_destroy(&hub);
  return check_result();
}
