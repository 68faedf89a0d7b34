/* The part of a reservoir that a rank has: a box of whole columns with a ring of ghosts, and what its vectors share with
 * those of other ranks.
 *
 *     . g g g .          a box of 3 x 2 columns, seen from above; g: ghosts, copies of cells that other ranks own;
 *     g o o o g          a vector of the part has places for them as for any cell, so that neighbours stand where they
 *     g o o o g          always stand
 *     . g g g .
 *     g - - - -          further ghosts: cells of wells and of connections that reach farther
 *
 * Every rank has all wells, one rank owns each: that of its first perforation's cell. Vectors of unknowns are
 * x[ncell q + nwell]. In a vector that products read, the ghosts that rows of own cells and wells read are renewed before; in
 * one that sums read, all ghosts are zero. Once per evaluation all of them are renewed, for the equations of all wells.
 *
 *     rows of      read ghosts                                                 messages
 *     own cells    the ring, ends of connections; wells that perforate them    with these neighbours
 *     own wells    their perforated cells                                      with the ranks that own these
 *     evaluations  perforated cells of all wells, all wells                    one gather of all
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
  bool *is_read;          /* [nghost] by rows of own cells and wells */
  hp_exchange *cells;     /* renews these */
  int nwell;
  bool *owns_well;             /* [nwell] */
  bool *reads_well;            /* [nwell] that others own: it has perforations in own cells */
  int *well_owner;             /* [nwell] */
  hp_exchange *wells;          /* renews entries of wells that are read */
  hp_exchange *perforated;     /* renews ghosts that own wells perforate */
  bool wells_cross;            /* on any rank: a well has perforations in cells that its owner does not own */
  hp_exchange *all_perforated; /* gathers: cells that any well perforates, and */
  hp_exchange *all_wells;      /* entries of all wells, from their owners to all ranks */
} hp_part;

/* Ghosts of x [ncell q + nwell] that rows of own cells and wells read become what their owners have; of x [ncell q] without
 * wells. By one thread, as the following. */
void hp_part_renew(const hp_part *p, double *x, int q, bool wells);
/* Only the ghosts of x [ncell q + nwell] that own wells perforate. */
void hp_part_renew_perforated(const hp_part *p, double *x, int q);
/* All ghosts and, with wells, all wells. */
void hp_part_renew_all(const hp_part *p, double *x, int q, bool wells);
/* Ghosts of x [ncell q + nwell] become zero. */
void hp_part_drop(const hp_part *p, double *x, int q);

/* The number in the whole system of what a loop over cells, then wells, counts as `index`: a cell's number, or
 * whole + w. -1 stays. */
int64_t hp_part_global(const hp_part *p, int64_t index);

HP_EXTERN_C_END

#endif
