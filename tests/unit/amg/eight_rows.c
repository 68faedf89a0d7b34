/* amg/rows/eight.inl.h compiled for what the flags say: tests/CMakeLists.txt makes two of this, EIGHT_ROWS with and
 * without AVX2, for tests/unit/amg/test_amg_eight.c. */
#include "amg/rows/rows.inl.h"

/* The products of A's rows in slices of eight; sum [8 slices]. Returns whether it used AVX2. */
bool EIGHT_ROWS(const hp_amg_rows *A, int slices, const float *x, float *sum);
bool EIGHT_ROWS(const hp_amg_rows *A, int slices, const float *x, float *sum) {
  for (int n = 0; n < slices; ++n) hp_amg_slice_dot_float(A, n, x, sum + HP_AMG_SLICE * n);
#if defined(__AVX2__)
  return true;
#else
  return false;
#endif
}
