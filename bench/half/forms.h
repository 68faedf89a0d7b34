/* A GH-h matrix (bench/half/half.h) in the formats of linsolve/matrix/sparse.h, for products and solves beside it:
 *
 *     gh        GH-h itself: no arrays
 *     csr       all rows
 *     hyb       all rows
 *     bsr       the cells' rows in blocks of q/2 x q/2, which divide those of GH-h
 *     dia       the cells' rows by scalar diagonals, of which there are more than in GH: rows of even and odd cells are
 *               offset differently
 *
 * Products of bsr and dia take the wells' borders from H.
 */
#ifndef HP_BENCH_HALF_FORMS_H
#define HP_BENCH_HALF_FORMS_H

#include "bench/bsr/bsr.h"
#include "bench/half/half.h"

HP_EXTERN_C_BEGIN

/* H, which outlives them, in one of these formats; csr: H as hp_half_to_csr makes it. HP_ERR_UNSUPPORTED for another
 * format, and for more entries or diagonals than it can have. */
hp_status hp_half_to_sparse(const hp_half *H, const hp_sparse *csr, hp_sparse_kind kind, hp_sparse **out) HP_MUST_USE;
/* Its cells' rows as block rows, from the csr form. */
hp_status hp_half_to_bsr(const hp_half *H, const hp_sparse *csr, hp_bsr **out) HP_MUST_USE;

HP_EXTERN_C_END

#endif
