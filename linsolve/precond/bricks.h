/* Bricks: boxes of cells that an incomplete factorization in the order "bricks" processes independently.
 *
 * Inside a brick the cells are eliminated in natural order; couplings between bricks are left out (additive Schwarz
 * without overlap, block Jacobi of bricks). No brick waits for another, and a brick is as long as 32 lanes of a warp
 * have work in: a lane owns a line of cells along one axis, the march, and the lines stand side by side along the two
 * others. Cell number c of the lane at (a, b) is done at step a + b + c, when its lower neighbours, which are the
 * previous cells of this lane and of the lanes at a-1 and b-1, have just been.
 *
 * The bricks of a grid depend on its size alone, so every machine and every rank has the same.
 */
#ifndef HP_LINSOLVE_PRECOND_BRICKS_H
#define HP_LINSOLVE_PRECOND_BRICKS_H

#include "core/portable.h"

enum { HP_BRICK_LANES = 32 };

/* Shared memory, in bytes, of a warp that factorizes with the rows of two steps there: 7 blocks of 2 x 2 a row. */
enum { HP_BRICK_CHIP = 2 * 7 * 4 * 8 * HP_BRICK_LANES };

/* Axes: 0 k, 1 j, 2 i, as those of the stencil are counted. */
typedef struct hp_dilu_bricks {
  int size[3];  /* cells of a brick along an axis; the last brick of a row may have fewer */
  int count[3]; /* bricks along an axis; of a rank's part those that have a cell in its lattice */
  int march;    /* the axis of a lane's cells */
  int side[2];  /* the axes of a and b */
  int lanes[2]; /* of them: lane = a + lanes[0] b; their product is HP_BRICK_LANES */
  int steps;    /* of a sweep through a brick */
  int first[3]; /* of a rank's part: the place of its first cell in the first brick; else 0 */
} hp_dilu_bricks;

/* Bricks of a grid of nx x ny x nz cells: lines along k where there are enough layers, otherwise along the longer areal
 * axis; long enough to be worth the steps in which some lanes wait, and short enough to give a large GPU's warps a
 * brick each (docs/laboratory/tried.md). */
static inline hp_dilu_bricks hp_dilu_bricks_of(int nx, int ny, int nz) {
  enum { DEEP = 16, SHORTEST = 16, LONGEST = 64, CELLS_A_STEP = 16384 };
  const int n[3] = {nz, ny, nx};
  hp_dilu_bricks b;
  b.march = nz >= DEEP ? 0 : nx >= ny ? 2 : 1;
  b.side[0] = b.march == 0 ? 1 : 0;
  b.side[1] = b.march == 2 ? 1 : 2;
  b.lanes[0] = 1;
  while (b.lanes[0] < 8 && b.lanes[0] < n[b.side[0]]) b.lanes[0] *= 2;
  b.lanes[1] = HP_BRICK_LANES / b.lanes[0];
  const int64_t wanted = (int64_t)nx * ny * nz / CELLS_A_STEP;
  const int length = wanted < SHORTEST ? SHORTEST : wanted > LONGEST ? LONGEST : (int)wanted;
  const int pieces = (n[b.march] + length - 1) / length;
  b.size[b.march] = (n[b.march] + pieces - 1) / pieces;
  for (int s = 0; s < 2; ++s) b.size[b.side[s]] = b.lanes[s];
  for (int axis = 0; axis < 3; ++axis) b.count[axis] = (n[axis] + b.size[axis] - 1) / b.size[axis];
  b.steps = b.size[b.march] + b.lanes[0] + b.lanes[1] - 2;
  b.first[0] = b.first[1] = b.first[2] = 0;
  return b;
}

HP_INLINE HP_HD int64_t hp_dilu_bricks_count(const hp_dilu_bricks *b) {
  return (int64_t)b->count[0] * b->count[1] * b->count[2];
}

/* Places where a GPU keeps blocks of cells (linsolve/precond/dilu/cuda/bricks.cuh): one for each cell of each lane. */
HP_INLINE HP_HD int64_t hp_dilu_bricks_places(const hp_dilu_bricks *b) {
  return hp_dilu_bricks_count(b) * b->size[b->march] * HP_BRICK_LANES;
}

#endif
