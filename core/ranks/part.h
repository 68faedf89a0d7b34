/* The part of a reservoir that a rank has: a box of whole columns with a ring of ghosts, and what its vectors share with
 * those of other ranks.
 *
 *     . g g g .          a box of 3 x 2 columns, seen from above; g: ghosts, copies of cells that other ranks own;
 *     g o o o g          a vector of the part has places for them as for any cell, so that neighbours stand where they
 *     g o o o g          always stand
 *     . g g g .
 *     g - - - -          further ghosts: cells of wells and of connections that reach farther
 *
 * Every rank has all wells, one rank owns each. Vectors of unknowns are x[ncell q + nwell]. In a vector that products
 * read, ghosts are renewed before; in one that sums read, they are zero.
 */
#ifndef HP_CORE_RANKS_PART_H
#define HP_CORE_RANKS_PART_H

#include "core/ranks/ranks.h"

HP_EXTERN_C_BEGIN

typedef struct hp_part {
  hp_ranks *K;
  int64_t ncell; /* of the box, ghosts and places without a cell among them */
  int64_t chunk; /* cells that a sum takes together: columns side by side, cut alike on all ranks; divides ncell */
  int64_t whole; /* cells of the whole grid */
  int size[3],
      first[3];    /* by HP_DIR_*: of the whole grid; place of the box's first cell in it, which may be negative */
  int64_t *global; /* [ncell] number of a cell in the whole grid, -1: there is none */
  int64_t nghost, *ghost; /* [nghost] rising */
  int *owner;             /* [nghost] their ranks */
  hp_exchange *cells;     /* renews them */
  int nwell;
  bool *owns_well;    /* [nwell] */
  int *well_owner;    /* [nwell] */
  hp_exchange *wells; /* renews entries of wells that others own */
  bool wells_cross;   /* on any rank: a well has perforations in cells that its owner does not own */
} hp_part;

/* Ghosts of x [ncell q + nwell] become what their owners have; of x [ncell q] without wells. By one thread. */
void hp_part_renew(const hp_part *p, double *x, int q, bool wells);
/* Ghosts of x [ncell q + nwell] become zero. */
void hp_part_drop(const hp_part *p, double *x, int q);

/* The number in the whole system of what a loop over cells, then wells, counts as `index`: a cell's number, or
 * whole + w. -1 stays. */
int64_t hp_part_global(const hp_part *p, int64_t index);

HP_EXTERN_C_END

#endif
