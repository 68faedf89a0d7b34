/* Sparse matrices by rows (CSR), as the coarse levels of algebraic multigrid hold them.
 *
 *     row i:   column[k], value[k],   begin[i] <= k < begin[i+1]
 *
 * No column stands twice in a row; the order inside a row is the order of sums. In every matrix
 * made here the columns of a row rise. hp_csr is plain data.
 *
 * A product C = A B comes in two parts: the pattern once (host), the values as
 * often as A changes (by rows, so that members of a team share them). C_ij is summed in the order
 * of the a_ik in row i of A. A Galerkin product is two of them: AP = A P, then R (AP).
 */
#ifndef HP_AMG_CSR_H
#define HP_AMG_CSR_H

#include "core/team.h"

HP_EXTERN_C_BEGIN

typedef struct hp_csr {
  int32_t nrow, ncol;
  int32_t *begin;  /* [nrow+1] */
  int32_t *column; /* [begin[nrow]] */
  double *value;   /* [begin[nrow]] */
} hp_csr;

/* Arrays for `count` entries, all zero. HP_ERR_UNSUPPORTED beyond 32-bit indices. */
hp_status hp_csr_create(int64_t nrow, int64_t ncol, int64_t count, hp_csr **out) HP_MUST_USE;
void hp_csr_destroy(hp_csr **A);
HP_INLINE HP_HD int64_t hp_csr_count(const hp_csr *A) { return A->begin[A->nrow]; }
int64_t hp_csr_bytes(const hp_csr *A);

/* Sorts v [count], rising. */
void hp_csr_sort(int32_t *v, int32_t count);

/* A^T. */
hp_status hp_csr_transpose(const hp_csr *A, hp_csr **out) HP_MUST_USE;

/* The pattern of A B, values zero. */
hp_status hp_csr_product_pattern(const hp_csr *A, const hp_csr *B, hp_csr **out) HP_MUST_USE;

/* Rows begin..end-1 of the values of C = A B, C of hp_csr_product_pattern;
 * marker [B->ncol], of the caller alone, is overwritten and needs no start. */
HP_INLINE HP_HD void hp_csr_product_rows(const hp_csr *A, const hp_csr *B, const hp_csr *C, int32_t *marker,
                                         int64_t begin, int64_t end) {
  for (int64_t i = begin; i < end; ++i) {
    for (int32_t k = C->begin[i]; k < C->begin[i + 1]; ++k) {
      marker[C->column[k]] = k;
      C->value[k] = 0.0;
    }
    for (int32_t k = A->begin[i]; k < A->begin[i + 1]; ++k) {
      const double a = A->value[k];
      for (int32_t n = B->begin[A->column[k]]; n < B->begin[A->column[k] + 1]; ++n)
        C->value[marker[B->column[n]]] += a * B->value[n];
    }
  }
}

/* The pattern of R A P and, on the way, of A P; values of both. */
hp_status hp_csr_galerkin(const hp_csr *R, const hp_csr *A, const hp_csr *P, hp_csr **AP, hp_csr **RAP) HP_MUST_USE;

/* Row i of A x. */
HP_INLINE HP_HD double hp_csr_dot(const hp_csr *A, int64_t i, const double *x) {
  double sum = 0.0;
  for (int32_t k = A->begin[i]; k < A->begin[i + 1]; ++k) sum += A->value[k] * x[A->column[k]];
  return sum;
}

HP_EXTERN_C_END

#endif
