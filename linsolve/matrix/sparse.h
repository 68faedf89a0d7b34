/* One matrix, several storage formats: the peers of GH (linsolve/matrix/gh.h).
 *
 * A format holds the matrix of an hp_gh a second time, arranged in another way,
 * and multiplies with it. The pattern is made once; a refresh moves new values
 * into the same places. For comparison (`hepta bench spmv`, linear.matrix): no
 * preconditioner reads a format.
 *
 *   csr     begin [n+1], per entry column and value; rows one after the other
 *   bsr     the same of q x q blocks, stored by rows (Fig. 1d of [1]); begin [ncell+1]
 *   sell    sliced ELLPACK: slices of 32 rows, each as wide as its longest row and
 *           stored by columns; begin [slices+1]; padding has column -1 (as in cuSPARSE).
 *           Papers' SELL-P, whose slices are padded to whole threads of a row, with one
 *           thread a row
 *   dia     every scalar diagonal as a column of ncell q values, its offset once
 *   ell     ELLPACK: width x (ncell q) columns and values, stored by columns;
 *           padding has the row's own index as column and the value 0
 *   hyb     ELLPACK of a typical width for all rows, the rest of longer rows as
 *           triples (row, column, value), rows rising
 *   hec     the same with the rest as CSR (Liu, Yu & Chen 2013 [3], Fig. 3)
 *   sg-dia  the block diagonals that exist as q columns each and their offsets
 *           (Lowell et al. 2013 [2], Fig. 3.1): Bdia without the absent diagonals
 *
 * The width of hyb and hec is the largest K such that a third of the rows have
 * K entries or more ([1], section 4).
 *
 * What is stored: q x q blocks of the neighbours that exist, zeros in them
 * included, and the wells' borders. csr, sell, hyb and hec hold the whole matrix;
 * bsr, dia, ell and sg-dia hold H and read W, WT and D in the arrays of the GH
 * matrix: blocks have no place for a well's scalar row, a well would lengthen
 * every row of ell to that of the longest well, and its entries do not lie on a diagonal.
 *
 * hp_sparse is plain data: a copy of it with device pointers works as well.
 *
 * [1] Al-Mouhamed & Khan 2017  [2] Lowell et al., SIAM J. Sci. Comput. 35(5), 2013
 * [3] Liu, Yu & Chen, SPE 163661, 2013
 */
#ifndef HP_LINSOLVE_MATRIX_SPARSE_H
#define HP_LINSOLVE_MATRIX_SPARSE_H

#include "linsolve/matrix/gh.h"

HP_EXTERN_C_BEGIN

/* X(NAME, "deck name", 1: holds the wells' borders too) */
#define HP_SPARSE_LIST(X) \
  X(GH, "gh", 1)          \
  X(CSR, "csr", 1)        \
  X(BSR, "bsr", 0)        \
  X(SELL, "sell", 1)      \
  X(DIA, "dia", 0)        \
  X(ELL, "ell", 0)        \
  X(HYB, "hyb", 1)        \
  X(HEC, "hec", 1)        \
  X(SGDIA, "sg-dia", 0)

typedef enum {
#define HP_SPARSE_ENUM(name, text, wells) HP_SPARSE_##name,
  HP_SPARSE_LIST(HP_SPARSE_ENUM)
#undef HP_SPARSE_ENUM
      HP_SPARSE_COUNT
} hp_sparse_kind;

enum { HP_SPARSE_SLICE = 32 };

/* A matrix of a higher layer in place of GH, or its wells' borders; on a GPU in separate kernels. */
typedef struct hp_foreign {
  const void *self;
  /* Rows begin..end-1 of y = A x; adds the borders to rows begin..end-1 of y. */
  void (*rows)(const void *self, const double *x, double *y, int64_t begin, int64_t end);
  void (*border)(const void *self, const double *x, double *y, int64_t begin, int64_t end);
  const struct hp_foreign_device *device; /* linsolve/krylov/host_driven/execution.cuh; NULL: on the CPU only */
} hp_foreign;

typedef struct hp_sparse {
  hp_sparse_kind kind;
  const hp_foreign *other; /* not NULL: kind gh is that matrix, and formats without wells take its borders */
  int q;
  int64_t ncell, ld, n; /* as in hp_gh */
  int64_t rows;         /* held here: n, or ld without the wells' borders */
  uint8_t *stencil;     /* [ncell] bit u+3: the block of diagonal u is stored */

  int width;         /* ell, hyb, hec: entries a row; sg-dia: block diagonals; dia: diagonals */
  int64_t count;     /* places in value */
  int32_t *begin;    /* csr [n+1], bsr [ncell+1], sell [slices+1]: first place (bsr: block) of a row or slice */
  int32_t *column;   /* csr, sell, ell, hyb, hec [count], bsr [blocks] */
  double *value;     /* [count] */
  int32_t *offset;   /* dia, sg-dia [width]: column less row; of cells in sg-dia */
  int32_t *diagonal; /* dia [7][2q-1]: number of the diagonal for u+3 and (column - row in the block) + q-1,
                        sg-dia [7]: for u+3; -1: none (conversion only) */

  int64_t rest;         /* hyb, hec: entries beyond the width */
  int32_t *rest_begin;  /* hec [n+1]: first entry of a row */
  int32_t *rest_row;    /* hyb [rest] */
  int32_t *rest_column; /* [rest] */
  double *rest_value;   /* [rest] */
} hp_sparse;

/* The pattern of A in a format other than gh, values zero. `active`, if not
 * NULL, [ncell]: the blocks of inactive cells and of inactive neighbours are left
 * out (but for the diagonal); NULL: all blocks inside the grid are stored.
 * HP_ERR_UNSUPPORTED for more entries than 32-bit indices count. */
hp_status hp_sparse_create(const hp_gh *A, const uint8_t *active, hp_sparse_kind kind, hp_sparse **out) HP_MUST_USE;
void hp_sparse_destroy(hp_sparse **F);

/* All values from A, by the caller alone (a team: linsolve/matrix/sparse_fill.inl.h). */
void hp_sparse_set(const hp_sparse *F, const hp_gh *A);

/* Bytes of its arrays. */
int64_t hp_sparse_held(const hp_sparse *F);

/* The same before there is one: an estimate for ncell cells without wells. */
int64_t hp_sparse_estimate(hp_sparse_kind kind, int64_t ncell, int q);

/* Bytes that a product reads of the matrix (the wells' borders included, also
 * where they are GH's), and those with x read and y written once. */
int64_t hp_sparse_bytes(const hp_sparse *F, const hp_gh *A);
int64_t hp_sparse_product_bytes(const hp_sparse *F, const hp_gh *A);

/* Nonzero places of the matrix, padding not counted: an entry costs two operations. */
int64_t hp_sparse_entries(const hp_sparse *F, const hp_gh *A);

const char *hp_sparse_name(hp_sparse_kind kind);
/* Whether the format has the wells' borders in its own arrays. */
bool hp_sparse_holds_wells(hp_sparse_kind kind);

/* The width of hyb and hec: the largest K such that a third of the rows have K entries or more; histogram [longest+1]: rows of a length. */
HP_INLINE int hp_sparse_typical_width(const int32_t *histogram, int64_t longest, int64_t rows) {
  int64_t width = longest, have = 0;
  for (; width > 0; --width) {
    have += histogram[width];
    if (3 * have >= rows) break;
  }
  return (int)width;
}

HP_EXTERN_C_END

#endif
