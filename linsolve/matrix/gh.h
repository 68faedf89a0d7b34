/* The generalized hepta-diagonal matrix (GH) with well borders, in Bdia storage.
 *
 * ncell = nx ny nz cells with q unknowns each, vertical fastest, and nwell wells
 * with one unknown each (the bottom-hole pressure):
 *
 *      cells   wells
 *    [   H      WT  ]  cells    H : 7 block diagonals, q x q blocks, at the block offsets
 *    [   W      D   ]  wells        h(u) = -nz ny, -nz, -1, 0, 1, nz, nz ny,  u = -3 .. 3
 *
 * Vectors are [ncell*q + nwell]: x[m*q + b] is unknown b of cell m, x[ncell*q + w]
 * that of well w.
 *
 * Bdia storage (Al-Mouhamed & Khan 2017, section 6.1): H is the rectangular
 * matrix of ncell*q rows and 7q columns, stored by columns, without indices:
 *
 *    entry (row a of cell m, unknown b of cell m + h(u))
 *        = h[((u+3) q + b) * ld + m q + a]
 *
 *      columns:   u=-3 | u=-2 | u=-1 | u=0 | u=1 | u=2 | u=3      (q each)
 *      row m q+a    .      .      x     x     x     .     .      . = cut off: zero
 *
 * A column has rows = ncell q numbers, and ld is the distance from one to the next: rows, but in the memory of several GPUs
 * whole pages (linsolve/matrix/device.h).
 *
 * Blocks cut off by the boundary and blocks of inactive neighbours hold zeros;
 * an inactive cell is an identity row.
 *
 * Wells (section 6.2 of the paper, for wells of any shape). A well is a list of
 * runs; a run is a stretch of consecutive cells in one vertical column. A
 * vertical well has one run, a horizontal one one run per column. The values of W
 * and WT stand perforation by perforation, run after run, well after well:
 *
 *    run r of well w (run_begin[w] <= r < run_begin[w+1]):
 *        a[r]  its first perforation    b[r]  its first cell    c[r]  its length
 *    perforation a[r]+n is cell b[r]+n:   w[(a[r]+n) q + b] = d R_well / d unknown b
 *                                         wt[(a[r]+n) q + a] = d R_(cell, a) / d bhp
 *    d[j + ny i]  first run in the vertical column (i, j), -1: none
 *    next[r]      next run in the same column, -1: none
 *    of[r]        the well of run r
 *
 * so that a cell finds its entry of WT with one look-up for its column. The
 * runs of a well stand in the order of their cells, the runs of a column
 * (linked by next) in the order of their numbers, so that sums over them have
 * one order.
 *
 * Connections of cells that are not neighbours on the lattice (faults, pinched-out layers) are entries of H beyond the
 * seven diagonals, in compact arrays by row (grid/links.h):
 *
 *    entry (row a of links.cell[r], unknown b of links.other[e]), links.begin[r] <= e < links.begin[r+1]
 *        = link[(e q + b) q + a]
 *
 * A matrix without them has links.count 0, and nothing of this is read.
 */
#ifndef HP_LINSOLVE_MATRIX_GH_H
#define HP_LINSOLVE_MATRIX_GH_H

#include "core/team/team.h"
#include "grid/links.h"

HP_EXTERN_C_BEGIN

enum { HP_GH_DIAGS = 7, HP_GH_Q_MAX = 16 };
enum { HP_GH_CHUNK_LINKED = 1 << 30 /* above all counts of perforations: hp_gh_wells.chunk_begin */ };

typedef struct hp_gh_wells {
  int nwell, nrun;
  int64_t nperf;
  int32_t *run_begin; /* [nwell+1] */
  int64_t *a, *b;     /* [nrun] */
  int32_t *c;         /* [nrun] */
  int32_t *d;         /* [nx*ny] */
  int32_t *next, *of; /* [nrun] */
  double *w, *wt;     /* [nperf*q] */
  /* perforations by the chunks of a loop over the rows (core/team/team.h), in a chunk by cell, then run; a
   * cell that two chunks share stands in both */
  int64_t nlisted;
  int32_t *chunk_begin; /* [chunks+1]; on a GPU with HP_GH_CHUNK_LINKED behind a chunk that has connections */
  int64_t *chunk_cell;  /* [nlisted] */
  int64_t *chunk_slot;  /* [nlisted] place of its values in w and wt: (slot q) */
  int32_t *chunk_well;  /* [nlisted] */
  double *dd;           /* [nwell] the diagonal D */
} hp_gh_wells;

typedef struct hp_gh_plain {
  int nx, ny, nz, q;
  int64_t ncell, rows, n; /* nx ny nz; ncell q; ncell q + nwell */
  int64_t ld;             /* rows or more */
  double *h;              /* [7 q][ld] */
  hp_gh_wells wells;
  hp_links links;
  double *link;        /* [links.count q q] */
  const hp_part *part; /* on a CPU: the cells are those of a rank's part, and perforations and connections stand in the
                            order of the whole grid's cells; NULL: all cells. Borrowed; set before wells and connections */
} hp_gh_plain;

#if defined(HP_CONSTANT_N)
/* The shape as constants, which hide the variables, in a kernel compiled for one matrix (linsolve/stencil/stencil.h). */
struct hp_gh : hp_gh_plain {
  static constexpr int nx = HP_CONSTANT_NX, ny = HP_CONSTANT_NY, nz = HP_CONSTANT_NZ, q = HP_CONSTANT_Q;
  static constexpr int64_t ncell = HP_CONSTANT_NCELL, rows = HP_CONSTANT_ROWS, n = HP_CONSTANT_N;
  static constexpr int64_t ld = HP_CONSTANT_ROWS; /* on one GPU */
};
#else
typedef hp_gh_plain hp_gh; /* the plain one is of any shape in every kernel, such as cpr's pressure system */
#endif

/* Block offset of diagonal u = -3 .. 3. */
HP_INLINE HP_HD int64_t hp_gh_offset(const hp_gh *A, int u) {
  const int64_t abs_h = u == 0 ? 0 : (u == 1 || u == -1) ? 1 : (u == 2 || u == -2) ? A->nz : (int64_t)A->nz * A->ny;
  return u < 0 ? -abs_h : abs_h;
}

/* Entry (row a of cell m, column b of diagonal u). */
HP_INLINE HP_HD double *hp_gh_entry(const hp_gh *A, int64_t m, int u, int a, int b) {
  return A->h + (int64_t)((u + 3) * A->q + b) * A->ld + m * A->q + a;
}

/* A zero matrix without wells; 1 <= q <= HP_GH_Q_MAX. */
hp_status hp_gh_create(int nx, int ny, int nz, int q, hp_gh **out) HP_MUST_USE;
/* The same in two parts: a shape has no values of H (h is NULL), which is all
 * that the host needs of a matrix in a device's memory. */
hp_status hp_gh_create_shape(int nx, int ny, int nz, int q, hp_gh **out) HP_MUST_USE;
hp_status hp_gh_allocate(hp_gh *A) HP_MUST_USE;
void hp_gh_destroy(hp_gh **A);

/* Sets the wells' structure, values zero: well w perforates the cells
 * cell[begin[w] .. begin[w+1]), in the caller's order; begin[0] is 0. A cell
 * out of range or twice in one well is HP_ERR_INTERNAL; then A keeps its wells.
 * Two wells may share cells. slot[p], if not NULL, receives for
 * the caller's perforation p its place in w and wt: the values of perforation
 * p are w[slot[p]*q + b]. Replaces an earlier structure. */
hp_status hp_gh_set_wells(hp_gh *A, int nwell, const int64_t *begin, const int64_t *cell, int64_t *slot) HP_MUST_USE;

/* Sets the connections beyond the diagonals, as hp_links_create takes them, values zero; replaces earlier ones. Cells are
 * below ncell. */
hp_status hp_gh_set_links(hp_gh *A, int64_t count, const int64_t *a, const int64_t *b) HP_MUST_USE;

/* HP_ERR_UNSUPPORTED, naming `what`, for a matrix with connections beyond the diagonals. */
hp_status hp_gh_require_lattice(const hp_gh *A, const char *what) HP_MUST_USE;

/* The connections of A, values zero, for another matrix of its shape. */
hp_status hp_gh_copy_links(const hp_gh *A, hp_gh *to) HP_MUST_USE;

/* Whether A has connections beyond the diagonals. */
HP_INLINE HP_HD bool hp_gh_is_linked(const hp_gh_plain *A) { return A->links.count > 0; }

/* Entry (row a of the cell of entry e, column b of the other one). */
HP_INLINE HP_HD double *hp_gh_link(const hp_gh *A, int64_t e, int a, int b) {
  return A->link + (e * A->q + b) * A->q + a;
}

/* Bytes of the matrix, and those that one product y = A x moves at least
 * (matrix, x and y once). */
int64_t hp_gh_bytes(const hp_gh *A);
int64_t hp_gh_link_bytes(const hp_gh *A); /* of those, the connections' */
int64_t hp_gh_product_bytes(const hp_gh *A);

/* Writes A in MatrixMarket coordinate format (general, real, rows rising,
 * 1-based, explicit zeros left out) and b [n], if not NULL, in array format as
 * a second file "<path>.rhs". Numbers keep all their digits. HP_ERR_FILE. */
hp_status hp_gh_write_mtx(const hp_gh *A, const double *b, const char *path) HP_MUST_USE;

HP_EXTERN_C_END

#endif
