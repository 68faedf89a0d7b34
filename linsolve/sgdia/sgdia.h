/* Matrices of stencils on structured grids in SG-DIA (Lowell et al. 2013, section 3.1), in single or double precision, with
 * open or periodic boundaries: what linear.matrix = "sg-dia" is for the seven diagonals of a reservoir
 * (linsolve/matrix/sparse.h), for any list of points.
 *
 *        star 5      box 9           cell  m = x + size[0] (y + size[1] z)
 *          o         o o o           row   i = m q + a, unknown a of q
 *        o + o       o + o           value [points][q][ld]: entry (a, b) of point p stands at (p q + b) ld + m q + a,
 *          o         o o o                 so that threads with a row each read along a column
 *
 * Points are sorted by their distance in memory. Entries of points outside of an open grid are stored zeros, whose x is 0
 * where there is none and another cell's elsewhere (Algorithm 1). A periodic neighbour is found by its cell's place in the
 * grid, so that a stencil has as many columns as with open boundaries; DIA, by offsets alone, has more diagonals then.
 *
 * A row is summed by points, then unknowns, everywhere: every variant gives the same bits.
 */
#ifndef HP_LINSOLVE_SGDIA_SGDIA_H
#define HP_LINSOLVE_SGDIA_SGDIA_H

#include "core/status.h"

HP_EXTERN_C_BEGIN

enum { HP_SGDIA_LINES_MAX = 9 /* on which points lie */, HP_SGDIA_POINTS_MAX = 27, HP_SGDIA_Q_MAX = 16 };

typedef enum { HP_SGDIA_STAR, HP_SGDIA_BOX } hp_sgdia_kind;

typedef struct hp_sgdia {
  int size[3]; /* cells; size[2] = 1: two dimensions */
  int q, points;
  bool periodic, single;
  int shift[HP_SGDIA_POINTS_MAX][3], offset[HP_SGDIA_POINTS_MAX]; /* in the grid; in cells of memory */
  int64_t ncell, n, ld; /* n = ncell q; ld >= n, of a column, even where cut into 16 bytes */
  void *value;          /* [points][q][ld] double, or float where `single` */
} hp_sgdia;

/* The matrix as csr: columns rise in a row, entries of points outside of an open grid left out; or as dia: diagonal d has the entries
 * (i, i + offset[d]) at d ld + i, zeros outside. Of the same precision. */
typedef struct hp_sgdia_rows {
  int64_t n, count, ld; /* count: of entries stored */
  int diagonals;        /* dia; csr: 0 */
  int32_t *begin;       /* [n+1] csr */
  int32_t *column;      /* [count] csr; [diagonals] dia: offsets */
  void *value;          /* [count]; dia: [diagonals][ld] */
} hp_sgdia_rows;

const char *hp_sgdia_kind_name(hp_sgdia_kind kind); /* "star", "box" */

/* A star has one point on either side along each dimension that has more than one cell, a box all neighbours: 5 or 9
 * points in two dimensions, 7 or 27 in three. Values are drawn from the seed: a nonsymmetric matrix of negative entries with a
 * diagonal of a thousandth more than the others of its row in sum. HP_ERR_USAGE: a periodic dimension of two cells, whose
 * neighbours are one; a q that is not 1 .. HP_SGDIA_Q_MAX. HP_ERR_UNSUPPORTED: more rows than 2^31 - 1. */
hp_status hp_sgdia_create(hp_sgdia_kind kind, const int size[3], int q, bool periodic, bool single, uint64_t seed,
                          hp_sgdia **out) HP_MUST_USE;
void hp_sgdia_destroy(hp_sgdia **A);

/* The cell of point p seen from m; -1: outside of the grid. */
int64_t hp_sgdia_neighbour(const hp_sgdia *A, int64_t m, int p);

/* Entry (a, b) of point p in cell m. */
double hp_sgdia_entry(const hp_sgdia *A, int64_t m, int p, int a, int b);

/* HP_ERR_UNSUPPORTED: more entries than 32-bit numbers count (csr), or more bytes than `most` (0: any number). */
hp_status hp_sgdia_to_csr(const hp_sgdia *A, int64_t most, hp_sgdia_rows **out) HP_MUST_USE;
hp_status hp_sgdia_to_dia(const hp_sgdia *A, int64_t most, hp_sgdia_rows **out) HP_MUST_USE;
void hp_sgdia_rows_destroy(hp_sgdia_rows **R);

/* Entries inside the grid; bytes of a product: the matrix and x read, y written once. */
int64_t hp_sgdia_entries(const hp_sgdia *A);
int64_t hp_sgdia_bytes(const hp_sgdia *A);
int64_t hp_sgdia_rows_bytes(const hp_sgdia *A, const hp_sgdia_rows *R);

HP_EXTERN_C_END

#endif
