/* Rows of a level in double and in float: hp_amg_dot and what fills them. */
#ifndef HP_AMG_ROWS_ROWS_INL_H
#define HP_AMG_ROWS_ROWS_INL_H

#include <math.h>

#include "amg/rows/form.inl.h"

/* A's diagonal entry in row i, and the row's sums of absolute values and squares; 0 where there is none. */
HP_INLINE HP_HD double hp_amg_diagonal(const hp_csr *A, int64_t i, double *sum, double *squares) {
  double diagonal = 0.0;
  *sum = *squares = 0.0;
  for (int64_t k = A->begin[i]; k < A->begin[i + 1]; ++k) {
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

#if defined(__CUDACC__)
#include "amg/rows/cuda/rows.cuh"
#endif

#define HP_BOTH "amg/rows/rows_real.inl.h"
#include "amg/rows/both.inl.h"

#endif
