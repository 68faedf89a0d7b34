/* Matrices of stencils with any list of points on structured grids in SG-DIA (Lowell et al. 2013, section 3.1), in
 * single or double precision, with open or periodic boundaries. linear.matrix = "sg-dia" (linsolve/matrix/sparse.h) is
 * the same for the seven diagonals of a reservoir.
 *
 *        star 5      box 9           cell  m = x + size[0] (y + size[1] z)
 *          o         o o o           row   i = m q + a, unknown a of q
 *        o + o       o + o           value [points][q][ld]: entry (a, b) of point p stands at (p q + b) ld + m q + a,
 *          o         o o o                 so that threads with a row each read along a column
 *
 * Points are sorted by their distance in memory. Entries of points outside of an open grid are stored zeros; their x is
 * that of another cell, or 0 beyond the vector (Algorithm 1). Periodic neighbours are found by the cell's place in the
 * grid, so a stencil has as many columns as with open boundaries; DIA, which has offsets only, then needs more
 * diagonals.
 *
 * Every variant sums a row by points, then unknowns, and gives the same bits.
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

const char *hp_sgdia_kind_name(hp_sgdia_kind kind); /* "star", "box" */

HP_EXTERN_C_END

#endif
