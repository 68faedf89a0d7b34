/* Sliced ELL, HEC and CSR of one matrix: widths, padding and bytes counted by hand, and the products of rows of all
 * lengths against the matrix's own. */
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
  test_products(1, 1, 2);
  test_products(9, 14, 5);
  test_products(257, 300, 77);
  test_products(1000, 40, 9);
  hp_team_hub_destroy(&hub);
  return check_result();
}
