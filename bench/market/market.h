/* MatrixMarket files (Boisvert, Pozo & Remington 1996): square sparse matrices and vectors, to exchange
 * systems with other programs.
 *
 *     %%MatrixMarket matrix coordinate real general        %%MatrixMarket matrix array real general
 *     % comments                                           3 1
 *     3 3 4                                                0.5
 *     1 1 2.5         row, column (from 1), value          -1
 *     2 2 1e-3        in any order                         4
 *     ...
 *
 * Read: real and integer numbers; general and symmetric matrices (one triangle is stored); vectors as array or
 * coordinate. Written: general, rows and columns rising, numbers with all their digits.
 */
#ifndef HP_BENCH_MARKET_MARKET_H
#define HP_BENCH_MARKET_MARKET_H

#include "linsolve/matrix/sparse.h"

HP_EXTERN_C_BEGIN

/* A square matrix as csr with q = 1, columns rising in every row. HP_ERR_FILE, with file and line, for what
 * cannot be read, is no square matrix of finite numbers or names an entry twice; HP_ERR_UNSUPPORTED for complex
 * and pattern matrices and more entries than 32-bit indices count. */
hp_status hp_market_read_matrix(const char *path, hp_sparse **out) HP_MUST_USE;

/* x [n], one column. HP_ERR_FILE also where the file has another length. */
hp_status hp_market_read_vector(const char *path, int64_t n, double *x) HP_MUST_USE;

/* A csr matrix; entries that are zero are left out. HP_ERR_FILE. */
hp_status hp_market_write_matrix(const hp_sparse *A, const char *path) HP_MUST_USE;
hp_status hp_market_write_vector(const double *x, int64_t n, const char *path) HP_MUST_USE;

HP_EXTERN_C_END

#endif
