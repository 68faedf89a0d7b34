/* Conversion from GH: where an entry of the matrix stands in a format.
 *
 *     hp_sparse_walk(F, A, i, visit)   the entries of row i, columns rising
 *     hp_sparse_fill                   refreshes all values: a team program
 *
 * Pattern and values come from the same walk, so that they cannot disagree.
 */
#ifndef HP_LINSOLVE_MATRIX_SPARSE_FILL_INL_H
#define HP_LINSOLVE_MATRIX_SPARSE_FILL_INL_H

#include "linsolve/matrix/sparse.h"

/* A row's walk over its entries, in the order of their columns. */
typedef struct hp_sparse_walk {
  int64_t i, m;            /* row; its cell, or ncell + w for well w */
  int a;                   /* unknown of the cell */
  int ordinal;             /* of the entry in the row */
  int u, b;                /* cells: diagonal and unknown; u == 4: a well's column */
  int run;                 /* the wells' run the entry is in */
  int64_t n;               /* wells: place in the run */
  int64_t link, links_end; /* the next connection beyond the diagonals, behind the last one */
  bool in_link;            /* the entry is in connection link - 1 */
  int64_t column;
  double value;
} hp_sparse_walk;

HP_INLINE HP_HD bool hp_sparse_has(const hp_sparse *F, int64_t m, int u) { return (F->stencil[m] >> (u + 3)) & 1; }

/* The next well's column of a cell's row: continues at w->run. */
HP_INLINE HP_HD bool hp_sparse_walk_runs(const hp_gh *A, hp_sparse_walk *w) {
  const hp_gh_wells *W = &A->wells;
  for (; w->run >= 0; w->run = W->next[w->run]) {
    const int64_t n = w->m - W->b[w->run];
    if (n < 0 || n >= W->c[w->run]) continue;
    w->column = A->rows + W->of[w->run];
    w->value = W->wt[(W->a[w->run] + n) * A->q + w->a];
    w->run = W->next[w->run];
    return true;
  }
  return false;
}

/* The first entry of the next block: a connection whose cell comes before that of the next diagonal, or this. */
HP_INLINE HP_HD void hp_sparse_walk_block(const hp_sparse *F, const hp_gh *A, hp_sparse_walk *w) {
  int u = w->u;
  do u += 1;
  while (u < 4 && !hp_sparse_has(F, w->m, u));
  w->b = 0;
  w->in_link = hp_gh_is_linked(A) && w->link < w->links_end &&
               (u == 4 || A->links.other[w->link] < w->m + hp_gh_offset(A, u));
  if (w->in_link) {
    w->link += 1;
    return;
  }
  w->u = u;
  if (u == 4) w->run = F->rows > A->rows ? A->wells.d[w->m / A->nz] : -1;
}

HP_INLINE HP_HD bool hp_sparse_walk_cell(const hp_sparse *F, const hp_gh *A, hp_sparse_walk *w) {
  w->b += 1;
  if (w->u < 4 && w->b == A->q) hp_sparse_walk_block(F, A, w);
  if (w->in_link) {
    w->column = A->links.other[w->link - 1] * A->q + w->b;
    w->value = *hp_gh_link(A, w->link - 1, w->a, w->b);
    return true;
  }
  if (w->u == 4) return hp_sparse_walk_runs(A, w);
  w->column = (w->m + hp_gh_offset(A, w->u)) * A->q + w->b;
  w->value = *hp_gh_entry(A, w->m, w->u, w->a, w->b);
  return true;
}

HP_INLINE HP_HD bool hp_sparse_walk_well(const hp_gh *A, hp_sparse_walk *w) {
  const hp_gh_wells *W = &A->wells;
  const int well = (int)(w->m - A->ncell);
  if (w->run > W->run_begin[well + 1]) return false;
  w->n += 1;
  while (w->run < W->run_begin[well + 1] && w->n == (int64_t)W->c[w->run] * A->q) {
    w->run += 1;
    w->n = 0;
  }
  if (w->run == W->run_begin[well + 1]) {
    w->run += 1;
    w->column = A->rows + well;
    w->value = W->dd[well];
  } else {
    w->column = W->b[w->run] * A->q + w->n;
    w->value = W->w[W->a[w->run] * A->q + w->n];
  }
  return true;
}

/* A walk that stands before the first entry of row i. */
HP_INLINE HP_HD hp_sparse_walk hp_sparse_walk_row(const hp_gh *A, int64_t i) {
  hp_sparse_walk w;
  w.i = i;
  w.m = i < A->rows ? i / A->q : A->ncell + (i - A->rows);
  w.a = (int)(i < A->rows ? i % A->q : 0);
  w.ordinal = -1;
  w.u = -4;
  w.b = A->q - 1;
  w.run = i < A->rows ? -1 : A->wells.run_begin[i - A->rows];
  w.n = -1;
  w.column = -1;
  w.value = 0.0;
  w.link = w.links_end = 0;
  w.in_link = false;
  if (hp_gh_is_linked(A) && i < A->rows) hp_links_of(&A->links, w.m, &w.link, &w.links_end);
  return w;
}

/* Goes to the next entry; false after the last. */
HP_INLINE HP_HD bool hp_sparse_walk_next(const hp_sparse *F, const hp_gh *A, hp_sparse_walk *w) {
  const bool more = w->m < A->ncell ? hp_sparse_walk_cell(F, A, w) : hp_sparse_walk_well(A, w);
  w->ordinal += more;
  return more;
}

/* First entry of row i or later in the triples of hyb. */
HP_INLINE HP_HD int64_t hp_sparse_rest_of(const hp_sparse *F, int64_t i) {
  int64_t from = 0, to = F->rest;
  while (from < to) {
    const int64_t middle = (from + to) / 2;
    if (F->rest_row[middle] < i) from = middle + 1;
    else to = middle;
  }
  return from;
}

/* Whether an entry of hyb or hec is beyond the width. */
HP_INLINE HP_HD bool hp_sparse_in_rest(const hp_sparse *F, const hp_sparse_walk *w) {
  return (F->kind == HP_SPARSE_HYB || F->kind == HP_SPARSE_HEC) && w->ordinal >= F->width;
}

/* Place of the walk's entry in value, or in rest_value if it is in the rest. */
HP_INLINE HP_HD int64_t hp_sparse_place(const hp_sparse *F, const hp_sparse_walk *w) {
  const int q = F->q, block = w->ordinal / q;
  switch (F->kind) {
    case HP_SPARSE_CSR: return F->begin[w->i] + w->ordinal;
    case HP_SPARSE_BSR: return ((F->begin[w->m] + (int64_t)block) * q + w->a) * q + w->b;
    case HP_SPARSE_SELL:
      return F->begin[w->i / HP_SPARSE_SLICE] + (int64_t)w->ordinal * HP_SPARSE_SLICE + w->i % HP_SPARSE_SLICE;
    case HP_SPARSE_DIA: return F->diagonal[(w->u + 3) * (2 * q - 1) + w->b - w->a + q - 1] * F->ld + w->i;
    case HP_SPARSE_SGDIA: return ((int64_t)F->diagonal[w->u + 3] * q + w->b) * F->ld + w->i;
    case HP_SPARSE_HYB:
    case HP_SPARSE_HEC:
      if (w->ordinal >= F->width)
        return (F->kind == HP_SPARSE_HYB ? hp_sparse_rest_of(F, w->i) : F->rest_begin[w->i]) + w->ordinal - F->width;
      return (int64_t)w->ordinal * F->rows + w->i;
    case HP_SPARSE_ELL: return (int64_t)w->ordinal * F->rows + w->i;
    case HP_SPARSE_GH:
    case HP_SPARSE_COUNT: break;
  }
  return -1;
}

HP_INLINE HP_HD void hp_sparse_fill_row(const hp_sparse *F, const hp_gh *A, int64_t i) {
  hp_sparse_walk w = hp_sparse_walk_row(A, i);
  while (hp_sparse_walk_next(F, A, &w))
    (hp_sparse_in_rest(F, &w) ? F->rest_value : F->value)[hp_sparse_place(F, &w)] = w.value;
}

/* Values of F from A, whose shape and wells are those F was made for. No
 * barrier before; one after it before anybody multiplies. */
HP_INLINE HP_HD void hp_sparse_fill(hp_team *t, const hp_sparse *F, const hp_gh *A) {
  HP_TEAM_FOR(t, i, F->rows) hp_sparse_fill_row(F, A, i);
}

#endif
