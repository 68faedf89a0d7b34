/* Block rows from GH: which block comes where, and the values, on the CPU and on a GPU.
 *
 * Pattern and values come from the same walk, so that they cannot disagree.
 */
#ifndef HP_LINSOLVE_BSR_FILL_INL_H
#define HP_LINSOLVE_BSR_FILL_INL_H

#include "linsolve/bsr/bsr.h"

/* A cell's walk over its blocks, in the order of their columns. */
typedef struct hp_bsr_walk {
  int64_t m;
  int u;             /* diagonal of the latest block that is on one, -4: none yet */
  int64_t link, end; /* the next connection beyond the diagonals, behind the last one */
  bool in_link;      /* the block is connection link - 1 */
  int64_t column;    /* of blocks */
} hp_bsr_walk;

/* Whether the neighbour of cell m on diagonal u is in the grid. */
HP_INLINE HP_HD bool hp_bsr_is_inside(const hp_gh *A, int64_t m, int u) {
  switch (u) {
    case -3: return m >= (int64_t)A->nz * A->ny;
    case -2: return m / A->nz % A->ny > 0;
    case -1: return m % A->nz > 0;
    case 1: return m % A->nz < A->nz - 1;
    case 2: return m / A->nz % A->ny < A->ny - 1;
    case 3: return m < A->ncell - (int64_t)A->nz * A->ny;
    default: return true;
  }
}

/* A walk that stands before the first block of cell m. */
HP_INLINE HP_HD hp_bsr_walk hp_bsr_walk_row(const hp_gh *A, int64_t m) {
  hp_bsr_walk w;
  w.m = m;
  w.u = -4;
  w.link = w.end = 0;
  w.in_link = false;
  w.column = -1;
  if (hp_gh_is_linked(A)) hp_links_of(&A->links, m, &w.link, &w.end);
  return w;
}

/* Goes to the next block; false after the last. */
HP_INLINE HP_HD bool hp_bsr_walk_next(const hp_gh *A, hp_bsr_walk *w) {
  int u = w->u + 1;
  while (u < 4 && !hp_bsr_is_inside(A, w->m, u)) u += 1;
  w->in_link = w->link < w->end && (u == 4 || A->links.other[w->link] < w->m + hp_gh_offset(A, u));
  if (w->in_link) {
    w->column = A->links.other[w->link++];
    return true;
  }
  if (u == 4) return false;
  w->u = u;
  w->column = w->m + hp_gh_offset(A, u);
  return true;
}

/* Row i (of the matrix, not of blocks) from A, which has the pattern B was made from. */
HP_INLINE HP_HD void hp_bsr_fill_row(const hp_bsr *B, const hp_gh *A, int64_t i) {
  const int q = B->q, a = (int)(i % q);
  hp_bsr_walk w = hp_bsr_walk_row(A, i / q);
  for (int64_t p = B->begin[i / q]; hp_bsr_walk_next(A, &w); ++p)
    for (int b = 0; b < q; ++b)
      B->value[(p * q + b) * q + a] = w.in_link ? *hp_gh_link(A, w.link - 1, a, b) : *hp_gh_entry(A, w.m, w.u, a, b);
}

#endif
