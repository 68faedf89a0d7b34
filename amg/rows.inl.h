/* Rows of a level in double and in float: hp_amg_dot and what fills them. */
#ifndef HP_AMG_ROWS_INL_H
#define HP_AMG_ROWS_INL_H

#include <math.h>

#include "amg/amg.h"

/* A's diagonal entry in row i, and the row's sums of absolute values and squares; 0 where there is none. */
HP_INLINE HP_HD double hp_amg_diagonal(const hp_csr *A, int64_t i, double *sum, double *squares) {
  double diagonal = 0.0;
  *sum = *squares = 0.0;
  for (int32_t k = A->begin[i]; k < A->begin[i + 1]; ++k) {
    if (A->column[k] == i) diagonal = A->value[k];
    *sum += fabs(A->value[k]);
    *squares += A->value[k] * A->value[k];
  }
  return diagonal;
}

/* Domains of consecutive rows that a level of n rows is cut into; domain c is the rows n c / domains ..
 * n (c + 1) / domains - 1. */
HP_INLINE HP_HD int64_t hp_amg_domains(const hp_amg_options *opt, int64_t n) {
  const int64_t domains = n / opt->domain;
  return domains < 1 ? 1 : domains < opt->domains ? domains : opt->domains;
}

/* How often a sweep from a stored x exchanges the iterate's two vectors. */
HP_INLINE HP_HD int hp_amg_moves(const hp_amg_options *opt) {
  switch (opt->smoother) {
#define HP_AMG_CASE(name, text, setup, sweep, moves, rows, prepare) \
  case HP_AMG_##name: return (moves) == HP_AMG_BY_ORDER ? opt->order : (moves);
    HP_AMG_SMOOTHERS_HERE(HP_AMG_CASE)
#undef HP_AMG_CASE
  default: break;
  }
  return 0;
}

/* Place of entry k of row i. */
HP_INLINE HP_HD int64_t hp_amg_place(const hp_amg_rows *A, int64_t i, int32_t k) {
  const int64_t in_slice = i & ((1 << A->shift) - 1);
  return A->begin[i >> A->shift] + ((int64_t)(k >> A->lanes) << (A->shift + A->lanes)) + (in_slice << A->lanes) +
         (k & ((1 << A->lanes) - 1));
}

/* A part of a cycle that ends with a barrier: in a kernel it is a function of its own, so that the kernel holds its text
 * once. */
#if defined(__CUDACC__)
#define HP_AMG_PHASE static __noinline__
#else
#define HP_AMG_PHASE HP_INLINE
#endif

/* Loops over a matrix's rows, or a level's, whose body calls hp_amg_rows_dot (hp_amg_dot) once for row i. On a GPU
 * the threads of a row run it together, and HP_AMG_FIRST(lanes) picks the one that stores. */
#if defined(__CUDA_ARCH__)
#define HP_AMG_FOR_LANES(t, i, n, lanes) \
  for (int64_t i = (t)->rank >> (lanes), hp_step_ = (t)->size >> (lanes); i < (n); i += hp_step_)
#define HP_AMG_FIRST(lanes) ((threadIdx.x & ((1 << (lanes)) - 1)) == 0)
#else
#define HP_AMG_FOR_LANES(t, i, n, lanes) HP_TEAM_FOR(t, i, n)
#define HP_AMG_FIRST(lanes) true
#endif
#define HP_AMG_FOR_ROWS(t, i, rows) HP_AMG_FOR_LANES(t, i, (rows)->nrow, (rows)->lanes)
#define HP_AMG_LANES(L) ((L)->finest.A != NULL ? 0 : (L)->a.lanes)
#define HP_AMG_FOR_LEVEL(t, i, L) HP_AMG_FOR_LANES(t, i, (L)->A->nrow, HP_AMG_LANES(L))

#if defined(__CUDACC__)
#include "amg/rows_cuda.cuh"
#endif

#define HP_REAL double
#define HP_AMG_NAME(name) name##_double
#include "amg/rows_real.inl.h"
#undef HP_REAL
#undef HP_AMG_NAME
#define HP_REAL float
#define HP_AMG_NAME(name) name##_float
#include "amg/rows_real.inl.h"
#undef HP_REAL
#undef HP_AMG_NAME

#endif
