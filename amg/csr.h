/* Sparse matrices by rows (CSR), as the coarse levels of algebraic multigrid hold them.
 *
 *     row i:   column[k], value[k],   begin[i] <= k < begin[i+1]
 *
 * No column stands twice in a row; the order inside a row is the order of sums. In every matrix
 * made here the columns of a row rise. hp_csr is plain data.
 *
 * A product C = A B comes in two parts: pattern and plan once (host), the values as often as A's
 * change (by rows, so that members of a team share them). The plan holds, for every product a_ik b_kj,
 * the place of C_ij in row i, so that nothing is looked up:
 *
 *     row i of C:   C_i. = 0;   for k in row i of A, j in row k of B, one after the other:
 *                               C_i[place[n++]] += a_ik b_kj
 *
 * C_ij is summed in the order of the a_ik in row i of A, a rounding for each product and sum. A Galerkin
 * product is two of them: AP = A P, then R (AP).
 */
#ifndef HP_AMG_CSR_H
#define HP_AMG_CSR_H

#include "core/team/team.h"

HP_EXTERN_C_BEGIN

typedef struct hp_csr {
  int32_t nrow, ncol;
  uint32_t *begin; /* [nrow+1] */
  int32_t *column; /* [begin[nrow]] */
  double *value;   /* [begin[nrow]] */
} hp_csr;

/* Entries at most: begin's numbers count them, and those that a warp would read next. */
#define HP_CSR_ENTRIES_MAX (INT64_C(0xffffffff) - 4096)

/* Arrays for `count` entries, all zero. HP_ERR_UNSUPPORTED for more than HP_CSR_ENTRIES_MAX. */
hp_status hp_csr_create(int64_t nrow, int64_t ncol, int64_t count, hp_csr **out) HP_MUST_USE;
void hp_csr_destroy(hp_csr **A);
/* HP_ERR_UNSUPPORTED, saying what and how many, for more than HP_CSR_ENTRIES_MAX. */
hp_status hp_csr_check_entries(const char *what, int64_t entries) HP_MUST_USE;
HP_INLINE HP_HD int64_t hp_csr_count(const hp_csr *A) { return A->begin[A->nrow]; }
/* Entries of row i. */
HP_INLINE HP_HD int32_t hp_csr_length(const hp_csr *A, int64_t i) { return (int32_t)(A->begin[i + 1] - A->begin[i]); }
int64_t hp_csr_bytes(const hp_csr *A);

/* Sorts v [count], rising. */
void hp_csr_sort(int32_t *v, int32_t count);

/* A^T. */
hp_status hp_csr_transpose(const hp_csr *A, hp_csr **out) HP_MUST_USE;

/* Plain data. Places are of 1 byte in rows of C with at most 256 entries, of 2 with at most 65536, else of 4. */
typedef struct hp_csr_plan {
  int64_t *begin; /* [nrow+1] byte at which the places of row i begin, a multiple of 4 */
  uint8_t *place; /* [begin[nrow]] */
} hp_csr_plan;

HP_INLINE HP_HD int hp_csr_place_bytes(int32_t length) { return length <= 256 ? 1 : length <= 65536 ? 2 : 4; }

void hp_csr_plan_free(hp_csr_plan *plan);
int64_t hp_csr_plan_bytes(const hp_csr_plan *plan, const hp_csr *C);

/* The values of row i of C; bytes as hp_csr_place_bytes has them for that row. */
HP_INLINE HP_HD void hp_csr_product_row(const hp_csr *A, const hp_csr *B, const hp_csr *C, int64_t i, const void *place,
                                        int bytes) {
  double *c = C->value + C->begin[i];
  const int32_t length = hp_csr_length(C, i);
  int64_t at = 0;
  for (int32_t k = 0; k < length; ++k) c[k] = 0.0;
  for (int64_t k = A->begin[i]; k < A->begin[i + 1]; ++k) {
    const double a = A->value[k];
    const int64_t end = B->begin[A->column[k] + 1];
    for (int64_t n = B->begin[A->column[k]]; n < end; ++n, ++at) {
      const uint32_t p = bytes == 1   ? ((const uint8_t *)place)[at]
                         : bytes == 2 ? ((const uint16_t *)place)[at]
                                      : ((const uint32_t *)place)[at];
      c[p] += a * B->value[n];
    }
  }
}

/* Rows begin..end-1 of the values of C = A B as planned. */
HP_INLINE HP_HD void hp_csr_product_rows(const hp_csr *A, const hp_csr *B, const hp_csr *C, const hp_csr_plan *plan,
                                         int64_t begin, int64_t end) {
  for (int64_t i = begin; i < end; ++i) {
    const void *place = plan->place + plan->begin[i];
    const int bytes = hp_csr_place_bytes(hp_csr_length(C, i));
    if (bytes == 1) hp_csr_product_row(A, B, C, i, place, 1);
    else if (bytes == 2) hp_csr_product_row(A, B, C, i, place, 2);
    else hp_csr_product_row(A, B, C, i, place, 4);
  }
}

HP_EXTERN_C_END

#endif
