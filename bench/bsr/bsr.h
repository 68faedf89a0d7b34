/* Block rows (linsolve/bsr/bsr.h) of other matrices, and in other formats, for products beside them. */
#ifndef HP_BENCH_BSR_BSR_H
#define HP_BENCH_BSR_BSR_H

#include "linsolve/bsr/bsr.h"
#include "linsolve/matrix/sparse.h"

HP_EXTERN_C_BEGIN

/* hp_bsr_pattern with the values of A. */
hp_status hp_bsr_from_gh(const hp_gh *A, hp_bsr **out) HP_MUST_USE;

/* Another order of sums, for tuning: hp_bsr_order_with; HP_ERR_USAGE for other numbers of threads. */
hp_status hp_bsr_set_threads(hp_bsr *B, int threads) HP_MUST_USE;

/* Each entry of a csr matrix with q = 1 becomes a q x q block ([1], section 6.2). q = 1: its values; else random ones of
 * [-1, 1) that depend on the seed and their place. */
hp_status hp_bsr_promote(const hp_sparse *csr, int q, uint64_t seed, hp_bsr **out) HP_MUST_USE;

/* Shares of consecutive rows with about as many blocks each, none empty: share n has rows first[n] .. first[n+1]-1,
 * first [count+1]. HP_ERR_USAGE for more shares than rows. */
hp_status hp_bsr_shares(const hp_bsr *B, int count, int64_t *first) HP_MUST_USE;

/* A view of the rows from .. to-1, cut as B is: a matrix of fewer rows than columns. Columns and values are B's. */
hp_status hp_bsr_view(const hp_bsr *B, int64_t from, int64_t to, hp_bsr *out) HP_MUST_USE;
void hp_bsr_view_release(hp_bsr *view);

/* The same matrix as csr, bsr (blocks by rows), sell, hyb or another format whose rows may have any pattern, for products
 * beside it. HP_ERR_UNSUPPORTED for another format, and for more entries than 32-bit numbers count. */
hp_status hp_bsr_to_sparse(const hp_bsr *B, hp_sparse_kind kind, hp_sparse **out) HP_MUST_USE;

/* Bytes of a product: the matrix read, x read and y written once; partial sums written and read. */
int64_t hp_bsr_product_bytes(const hp_bsr *B);

HP_EXTERN_C_END

#endif
