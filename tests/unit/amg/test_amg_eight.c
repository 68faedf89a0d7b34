/* Rows eight at a time (amg/rows/eight.inl.h): AVX2's registers, an array and one row after the other give the same
 * bits, for numbers of all sizes. */
#include <math.h>
#include <string.h>

#include "amg/rows/rows.inl.h"
#include "tests/support/check.h"
#include "tests/support/matrices.h"

enum { SLICES = 40, STEPS = 13, ENTRIES = SLICES * STEPS * HP_AMG_SLICE, COLUMNS = 300, ROWS = SLICES * HP_AMG_SLICE };

bool eight_rows_with(const hp_amg_rows *A, int slices, const float *x, float *sum);
bool eight_rows_without(const hp_amg_rows *A, int slices, const float *x, float *sum);

#if defined(__x86_64__)
/* Of size 2^-30 .. 2^30, so that another order of a sum shows. */
static float number(uint64_t *seed) {
  const double size = 30.0 * matrix_random(seed);
  return (float)ldexp(matrix_random(seed), (int)size);
}

static void by_rows(const hp_amg_rows *A, const float *x, float *sum) {
  for (int i = 0; i < ROWS; ++i) {
    sum[i] = 0.0f;
    const int slice = i / HP_AMG_SLICE, lane = i % HP_AMG_SLICE;
    for (int64_t e = A->begin[slice] + lane; e < A->begin[slice + 1]; e += HP_AMG_SLICE)
      sum[i] += ((const float *)A->value)[e] * x[A->column[e]];
  }
}

int main(void) {
  static float value[ENTRIES], x[COLUMNS], with[ROWS], without[ROWS], rows[ROWS];
  static int32_t column[ENTRIES];
  static uint32_t begin[SLICES + 1];
  hp_amg_rows A = {.nrow = ROWS, .shift = 3, .begin = begin, .column = column, .value = value};
  uint64_t seed = 1;
  if (!__builtin_cpu_supports("avx2")) return 77;
  for (int n = 0; n < SLICES; ++n) begin[n + 1] = begin[n] + HP_AMG_SLICE * (n % (STEPS + 1)); /* one is empty */
  for (int e = 0; e < ENTRIES; ++e) {
    value[e] = number(&seed);
    column[e] = (int32_t)((0.5 + 0.5 * matrix_random(&seed)) * (COLUMNS - 1));
  }
  for (int j = 0; j < COLUMNS; ++j) x[j] = number(&seed);
  CHECK(eight_rows_with(&A, SLICES, x, with) && !eight_rows_without(&A, SLICES, x, without));
  by_rows(&A, x, rows);
  CHECK(memcmp(with, without, sizeof with) == 0 && memcmp(with, rows, sizeof with) == 0);
  for (int i = 0; i < ROWS; ++i) CHECK(isfinite(rows[i]) && (rows[i] != 0.0f || begin[i / 8] == begin[i / 8 + 1]));
  return check_result();
}
#else
int main(void) { return 77; }
#endif
