/* The part of a reservoir that a rank has: a box of whole columns with a ring of ghosts, and what its vectors share with
 * those of other ranks.
 *
 *     . g g g .          a box of 3 x 2 columns, seen from above; g: ghosts, copies of cells that other ranks own;
 *     g o o o g          a vector of the part has places for them as for any cell, so that neighbours stand where they
 *     g o o o g          always stand
 *     . g g g .
 *     g - - - -          further ghosts: cells of wells and of connections that reach farther
 *
 * Every rank has all wells; the owner of a well is that of its first perforation's cell. Vectors of unknowns are
 * x[ncell q + nwell]. Before a product the ghosts that rows of own cells and wells read are renewed; in vectors that
 * sums read all ghosts are zero. Once per evaluation all are renewed, for the equations of all wells.
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

/* Renews the ghosts of x [ncell q + nwell] that rows of own cells and wells read; x is [ncell q] without wells. One
 * thread calls this and the following. */
void hp_part_renew(const hp_part *p, double *x, int q, bool wells);
/* Renews only the ghosts of x [ncell q + nwell] that own wells perforate. */
void hp_part_renew_perforated(const hp_part *p, double *x, int q);
/* Renews all ghosts and, with wells, all wells. */
void hp_part_renew_all(const hp_part *p, double *x, int q, bool wells);
/* Sets the ghosts of x [ncell q + nwell] to zero. */
void hp_part_drop(const hp_part *p, double *x, int q);

/* The number in the whole system of `index` in a loop over cells, then wells: a cell's number, or whole + w; -1 for
 * -1. */
int64_t hp_part_global(const hp_part *p, int64_t index);

HP_EXTERN_C_END

#endif
