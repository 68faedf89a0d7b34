/* Private to linsolve/sgdia: the rows that a block of a GPU's kernel processes at once, and the x that it reads. The
 * points of a stencil lie on lines along x; a block needs the cells of its rows on each line, and one more on either
 * side.
 *
 *     line 1          . . . . . . .        cells of the tile + y and z of the line, and 1 on either side
 *     line 0 (rows)   . o o o o o .        `length` numbers, all q unknowns
 */
#ifndef HP_LINSOLVE_SGDIA_TILE_H
#define HP_LINSOLVE_SGDIA_TILE_H

#include "core/device/kernels.h"
#include "linsolve/sgdia/sgdia.h"

typedef struct hp_sgdia_tile {
  int rows, lines, length;                                    /* length: of a line in shared memory */
  int64_t bytes;                                              /* of all lines */
  int line_of[HP_SGDIA_POINTS_MAX], line[HP_SGDIA_LINES_MAX]; /* of a point; offset of a line in cells */
} hp_sgdia_tile;

/* The rows of a thread: as many as a load has entries. */
static inline int hp_sgdia_rows_of(bool single, hp_kernel_loads loads) {
  return loads == HP_LOADS_PLAIN ? 1 : single ? 4 : 2;
}

static inline hp_sgdia_tile hp_sgdia_tile_of(const hp_sgdia *A, int rows) {
  hp_sgdia_tile t;
  t.rows = rows;
  t.lines = 0;
  for (int p = 0; p < A->points; ++p) {
    const int offset = A->offset[p] - A->shift[p][0];
    int l = 0;
    while (l < t.lines && t.line[l] != offset) l += 1;
    if (l == t.lines) t.line[t.lines++] = offset;
    t.line_of[p] = l;
  }
  t.length = ((rows + A->q - 1) / A->q + 1 + 2) * A->q; /* cells that the rows touch, and two */
  t.bytes = (int64_t)t.lines * t.length * (A->single ? (int64_t)sizeof(float) : (int64_t)sizeof(double));
  return t;
}

#endif
