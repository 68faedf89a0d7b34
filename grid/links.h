/* Connections of cells that are not neighbours on the lattice, listed by cell: the pattern of the assembly, the matrix
 * and its products.
 *
 *     row r: cell[r], its entries begin[r] .. begin[r+1]; entry e: to cell other[e], of connection of[e]
 *
 * A connection has an entry in the row of each of its cells, twin[e] is the other one.
 */
#ifndef HP_GRID_LINKS_H
#define HP_GRID_LINKS_H

#include "core/portable.h"
#include "core/status.h"

HP_EXTERN_C_BEGIN

typedef struct hp_links {
  int64_t nrow, count; /* cells that have any; entries, two a connection */
  int64_t *cell;       /* [nrow] rising */
  int64_t *begin;      /* [nrow+1] */
  int64_t *other;      /* [count] rising in a row */
  int64_t *twin, *of;  /* [count] */
  int32_t *row_of;     /* [cells] the row of each cell, -1: none; on a GPU only, else NULL */
} hp_links;

/* Makes the lists of the connections a[n], b[n] [count], where a[n] < b[n] and pairs rise, each once (else
 * HP_ERR_INTERNAL). L is empty before, and after a failure. */
hp_status hp_links_create(int64_t count, const int64_t *a, const int64_t *b, hp_links *L) HP_MUST_USE;
void hp_links_destroy(hp_links *L);

/* Sorts the entries of each row by key[other]. */
void hp_links_order(hp_links *L, const int64_t *key);

/* Returns the connections a[n], b[n] [count / 2]. */
void hp_links_pairs(const hp_links *L, int64_t *a, int64_t *b);

/* The first row whose cell is m or higher; nrow if there is none. */
HP_INLINE HP_HD int64_t hp_links_from(const hp_links *L, int64_t m) {
  int64_t low = 0, high = L->nrow;
  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    if (L->cell[middle] < m) low = middle + 1;
    else high = middle;
  }
  return low;
}

/* The entries *begin .. *end - 1 of cell m. */
HP_INLINE HP_HD void hp_links_of(const hp_links *L, int64_t m, int64_t *begin, int64_t *end) {
#if defined(__CUDA_ARCH__)
  const int64_t row = L->nrow > 0 ? L->row_of[m] : -1;
  const bool any = row >= 0;
#else
  const int64_t row = L->nrow > 0 ? hp_links_from(L, m) : 0;
  const bool any = row < L->nrow && L->cell[row] == m;
#endif
  *begin = any ? L->begin[row] : 0;
  *end = any ? L->begin[row + 1] : 0;
}

HP_EXTERN_C_END

#endif
