/* GH-h: the hepta-diagonal matrix whose rows are offset alternately by a block
 * and by half a block, in Bdia storage.
 *
 * Al-Mouhamed & Khan 2017 (section 7.2) know two types of hepta-diagonal matrices: GH-b, "in which successive rows
 * differ by a block bias" (linsolve/matrix/gh.h), and GH-h, "alternating between a block and a half-block bias from one
 * row to the next", "due to the nature of the components and the possibility of state changes". They define it no
 * further. Here the state of a cell, and so its number of unknowns, alternates from cell to cell: cell m has q unknowns
 * if m is even and q/2 if it is odd (q even), so that the columns of block row m+1 begin a block (q) or half a block
 * (q/2) after those of row m, and the matrix stays square:
 *
 *     first row and column of cell m:   s(m) = (m/2) (q + q/2) + (m odd: q)
 *
 *     q = 2, cells along k only:      cell 0  1  2  3
 *                                        [a a|b|   | ]  0     blocks of four shapes:
 *                                        [a a|b|   | ]        even row, even column  q   x q
 *                                        [c c|d|e e| ]  1     even row, odd column   q   x q/2
 *                                        [   |b|a a|b]  2     odd row,  even column  q/2 x q
 *                                        [   |b|a a|b]        odd row,  odd column   q/2 x q/2
 *                                        [   | |c c|d]  3
 *
 * Storage: the block rows of the even cells are one rectangular matrix, those of
 * the odd cells another, each by columns as in Bdia. A column block u of a parity
 * has as many columns as the neighbours m + h(u) have unknowns: q if m + h(u) is
 * even, else q/2. So nothing is padded and no index is stored:
 *
 *     row a of cell m, unknown b of cell m + h(u), parity o = m mod 2
 *         = h[o][(first[o][u+3] + b) ld[o] + (m/2) q_o + a],     q_0 = q, q_1 = q/2
 *
 * Rows of the vectors are in the order of the cells, then the wells. A well's run
 * of cells is a run of rows; its values stand in w and wt one after the other.
 */
#ifndef HP_BENCH_HALF_HALF_H
#define HP_BENCH_HALF_HALF_H

#include "linsolve/matrix/sparse.h"

HP_EXTERN_C_BEGIN

typedef struct hp_half {
  int q;                      /* even */
  int64_t ncell, rows, n;     /* rows: of the cells; n: with the wells */
  int64_t shift[HP_GH_DIAGS]; /* h(u) of diagonal u+3 */
  int first[2][HP_GH_DIAGS];  /* first column of diagonal u+3 */
  int width[2][HP_GH_DIAGS];  /* its columns; 0: a dimension of size 1 */
  int columns[2];
  int64_t ld[2]; /* rows of the even and of the odd cells */
  double *h[2];  /* [columns][ld] */

  int nwell, nrun;
  int64_t nvalue;
  int32_t *run_begin, *of;    /* [nwell+1] runs of a well; [nrun] its well */
  int64_t *at, *row, *length; /* [nrun] place of its first value, its first row, rows */
  double *w, *wt, *dd;        /* [nvalue], [nvalue], [nwell] */
  hp_foreign product;         /* the matrix in solves */
} hp_half;

/* First row of cell m. */
HP_INLINE HP_HD int64_t hp_half_row(int q, int64_t m) { return m / 2 * (q + q / 2) + m % 2 * q; }

/* The principal submatrix of A in which odd cells keep their first q/2
 * unknowns. HP_ERR_USAGE for an odd q. */
hp_status hp_half_create(const hp_gh *A, hp_half **out) HP_MUST_USE;
void hp_half_destroy(hp_half **H);

/* The same matrix as CSR (linsolve/matrix/sparse.h), zero blocks at boundaries left out. */
hp_status hp_half_to_csr(const hp_half *H, const hp_gh *A, hp_sparse **out) HP_MUST_USE;

/* Bytes of the matrix; with x and y. */
int64_t hp_half_bytes(const hp_half *H);
int64_t hp_half_product_bytes(const hp_half *H);

HP_EXTERN_C_END

#endif
