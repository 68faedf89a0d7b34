/* Passes over the rows of a level: the layout of entries, and what a pass computes from a row's product, in double and
 * float. */
#ifndef HP_AMG_ROWS_FORM_INL_H
#define HP_AMG_ROWS_FORM_INL_H

#include "amg/amg.h"

/* The row at place p of the slices. */
HP_INLINE HP_HD int64_t hp_amg_row_at(const hp_amg_rows *A, int64_t p) {
  return A->row != NULL ? (p & -(int64_t)HP_AMG_WINDOW) + A->row[p] : p;
}

/* The place of entry k of the row at place i. */
HP_INLINE HP_HD int64_t hp_amg_place(const hp_amg_rows *A, int64_t i, int32_t k) {
  const int64_t in_slice = i & ((1 << A->shift) - 1);
  if (A->width > 0) return k < A->width ? (int64_t)k * A->nrow + i : (int64_t)A->begin[i] + k - A->width;
  return A->begin[i >> A->shift] + ((int64_t)(k >> A->lanes) << (A->shift + A->lanes)) + (in_slice << A->lanes) +
         (k & ((1 << A->lanes) - 1));
}

/* Whether a GPU has the rows in slices, of 32 / 2^lanes rows; csr of 32 lanes is read as such. */
HP_INLINE HP_HD bool hp_amg_is_sliced(const hp_amg_rows *A) { return A->width == 0 && A->shift + A->lanes == 5; }

/* A phase of the computation of a level's values. Not inlined in a kernel, so that the kernel contains its code once.
 * (Cycles are lists of passes there: amg/cycle/program.h.) */
#if defined(__CUDACC__)
#define HP_AMG_PHASE static __noinline__
#else
#define HP_AMG_PHASE HP_INLINE
#endif

/* The number that a pass over rows stores in out_i, from the product p_i = (A x)_i:
 *
 *   PRODUCT          p_i           RESIDUAL   b_i - p_i
 *   SCALED_PRODUCT   s_i p_i       CORRECT    x_i + p_i
 *   STEP             x_i + momentum (x_i - last_i) + factor s_i (b_i - p_i)
 */
enum { HP_AMG_FORM_PRODUCT, HP_AMG_FORM_RESIDUAL, HP_AMG_FORM_SCALED_PRODUCT, HP_AMG_FORM_CORRECT, HP_AMG_FORM_STEP };

#define HP_BOTH "amg/rows/form_real.inl.h"
#include "amg/rows/both.inl.h"

#endif
