/* Matrices with rows of very different lengths, for the tests of bench/amg/products.h, and with entries of large numbers. */
#ifndef HP_TESTS_SUPPORT_AMG_FORMATS_H
#define HP_TESTS_SUPPORT_AMG_FORMATS_H

#include <math.h>
#include <string.h>

#include "amg/smooth.h"
#include "bench/amg/products.h"
#include "core/memory.h"
#include "tests/support/check.h"
#include "tests/support/matrices.h"

/* Row i has i * i % most entries, none in every third; values between -0.5 and 0.5 that a float holds. */
HP_INLINE hp_csr *formats_matrix(int32_t nrow, int32_t ncol, int32_t most, uint64_t seed) {
  hp_csr *A;
  int32_t at = 0;
  CHECK_OK(hp_csr_create(nrow, ncol, (int64_t)nrow * most, &A));
  for (int32_t i = 0; i < nrow; ++i) {
    const int32_t length = i % 3 == 2 ? 0 : (int32_t)((int64_t)i * i % most);
    for (int32_t k = 0; k < length && k < ncol; ++k, ++at) {
      A->column[at] = (int32_t)((int64_t)k * ncol / length);
      A->value[at] = (double)(float)matrix_random(&seed);
    }
    A->begin[i + 1] = at;
  }
  return A;
}

/* Largest difference of y (doubles or floats) to A x, computed entry after entry. */
HP_INLINE double formats_difference(const hp_csr *A, const double *x, const hp_amg_format *F, const void *y) {
  double worst = 0.0;
  for (int32_t i = 0; i < A->nrow; ++i) {
    double sum = 0.0;
    for (int64_t k = A->begin[i]; k < A->begin[i + 1]; ++k) sum += A->value[k] * x[A->column[k]];
    const double v = F->single ? (double)((const float *)y)[i] : ((const double *)y)[i];
    if (!(fabs(v - sum) <= worst)) worst = fabs(v - sum);
  }
  return worst;
}

/* ---- far entries ---- */

/* Numbers of entries beyond 2^31 without the memory of so many: begin is moved up, and column and value are addressed from
 * so far below. Only entries that are there may be read. */

enum { FAR_STARTS = 2 };

/* Starts beyond 2^31; rows of the first one cross it. A multiple of 32, as slices' starts are. */
HP_INLINE uint32_t far_start(int which) { return which == 0 ? UINT32_C(0x7fffff80) : UINT32_C(0xf0000000); }

HP_INLINE void *far_below(const void *p, uint32_t start, int64_t bytes) {
  return (void *)((uintptr_t)p - (uintptr_t)start * (uintptr_t)bytes);
}

/* begin [n+1] of the caller's. */
HP_INLINE void far_begin(const uint32_t *from, int64_t n, uint32_t start, uint32_t *begin) {
  for (int64_t i = 0; i <= n; ++i) begin[i] = from[i] + start;
}

/* A with its begin in begin [nrow+1]. */
HP_INLINE hp_csr far_csr(const hp_csr *A, uint32_t start, uint32_t *begin) {
  hp_csr far = *A;
  far_begin(A->begin, A->nrow, start, begin);
  far.begin = begin;
  far.column = (int32_t *)far_below(A->column, start, sizeof *A->column);
  far.value = (double *)far_below(A->value, start, sizeof *A->value);
  return far;
}

#endif
