/* A system in pieces of some columns of cells each, in the order of the whole grid, for files: no rank may have all of
 * its cells.
 *
 *     writer (linsolve/matrix/gh_write.c, io/systems/write.c)
 *        hp_gh_source.get(piece)          columns first .. end - 1 of, say, b
 *           one process    hp_gh_here_fill: all of them are here
 *           ranks          hp_gh_here_fill on each, of its own columns; rank 0 puts them in order (sim/part/pieces.h)
 *
 * The wells' rows follow those of cells and are not in pieces, because every rank has them.
 */
#ifndef HP_LINSOLVE_MATRIX_PIECES_H
#define HP_LINSOLVE_MATRIX_PIECES_H

#include "linsolve/matrix/gh.h"

HP_EXTERN_C_BEGIN

/* The matrix of a system, and earlier ones of the same pattern that its preconditioner was made from. */
typedef enum { HP_GH_LATEST, HP_GH_NUMBERS, HP_GH_PATTERN, HP_GH_MATRICES } hp_gh_which;

typedef enum {
  HP_GH_PIECE_COUNTS, /* int64_t [2] of each column: entries that are not zero, and entries of connections */
  HP_GH_PIECE_ROWS,   /* text: lines of a MatrixMarket file */
  HP_GH_PIECE_H,      /* double [cells][q]: column `of` of h */
  HP_GH_PIECE_LINKS,  /* double [entries of connections][q][q] */
  HP_GH_PIECE_PAIRS,  /* int64_t [connections whose lower cell is in the columns][2] */
  HP_GH_PIECE_B,      /* double [cells][q] */
  HP_GH_PIECE_X,      /* likewise */
  HP_GH_PIECE_ACTIVE, /* uint8_t [cells] */
  HP_GH_PIECE_WT      /* double [nperf][q], of all columns */
} hp_gh_piece_kind;

/* Plain data that can be sent. */
typedef struct hp_gh_piece {
  hp_gh_piece_kind kind;
  hp_gh_which which;
  int of;
  int64_t first, end; /* columns j + ny i */
} hp_gh_piece;

/* Bytes of some columns of a piece, one column after the other. */
typedef struct hp_gh_columns {
  char *bytes;
  int64_t size;
  int64_t columns;
  int64_t *of; /* [columns] bytes of each */
} hp_gh_columns;

void hp_gh_columns_clear(hp_gh_columns *b);

/* Cells of a system that are here: all, or those of a rank's part (A->part). */
typedef struct hp_gh_here {
  const hp_gh *A[HP_GH_MATRICES];
  const double *b, *x;      /* [A->n] */
  const uint8_t *active;    /* [A->ncell] not 0: active */
  int64_t columns, *column; /* [columns] of the lattice here, in the order of the whole grid; NULL: all */
  hp_gh *kept[HP_GH_MATRICES];
  hp_gh_columns work;
} hp_gh_here;

/* A copy of matrix J, at its latest values, becomes A[which]; all copies are of matrices of one pattern. */
hp_status hp_gh_here_keep(hp_gh_here *H, hp_gh_which which, const hp_gh *J) HP_MUST_USE;
/* Fills the columns of a piece that are here; perforations (HP_GH_PIECE_WT) in inactive cells get zeros. */
hp_status hp_gh_here_fill(const hp_gh_here *H, const hp_gh_piece *q, hp_gh_columns *out) HP_MUST_USE;
void hp_gh_here_clear(hp_gh_here *H);

/* The place that a writer gets pieces from. */
typedef struct hp_gh_source {
  void *arg;
  hp_status (*get)(void *arg, const hp_gh_piece *q, const char **bytes, int64_t *size); /* bytes: until the next call */
  const hp_gh *A[HP_GH_MATRICES]; /* here: sizes, and the wells' structure and rows; NULL: there is none */
  const double *b_well, *x_well;  /* [nwell] entries of wells; NULL: there is no such vector */
} hp_gh_source;

/* The source of a system all of which is here. */
hp_gh_source hp_gh_here_source(hp_gh_here *H);

/* The size nz, ny, nx of the whole grid, its cells, and the number there of a cell here. */
void hp_gh_whole_size(const hp_gh *A, int size[3]);
int64_t hp_gh_whole_cells(const hp_gh *A);
HP_INLINE int64_t hp_gh_whole_cell(const hp_gh *A, int64_t m) { return A->part != NULL ? A->part->global[m] : m; }

/* Calls `each` with pieces of columns, of about so many cells, until all columns are through. */
typedef hp_status (*hp_gh_piece_function)(void *arg, const hp_gh_piece *q, const char *bytes, int64_t size);
hp_status hp_gh_source_read(const hp_gh_source *S, hp_gh_piece_kind kind, hp_gh_which which, int of,
                            hp_gh_piece_function each, void *arg) HP_MUST_USE;
/* All columns' HP_GH_PIECE_COUNTS. */
hp_status hp_gh_source_count(const hp_gh_source *S, hp_gh_which which, int64_t count[2]) HP_MUST_USE;

/* hp_gh_write_mtx of such a system. */
hp_status hp_gh_source_write_mtx(const hp_gh_source *S, const char *path) HP_MUST_USE;

HP_EXTERN_C_END

#endif
