/* Matrices whose entries have numbers beyond 2^31, without the memory of so many: begin is moved up, and column and value are
 * addressed from so far below. Only entries that are there may be read. */
#ifndef HP_TESTS_SUPPORT_AMG_FAR_H
#define HP_TESTS_SUPPORT_AMG_FAR_H

#include "amg/smooth.h"

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
