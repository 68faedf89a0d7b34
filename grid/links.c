#include "grid/links.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

typedef struct {
  int64_t cell, other, of;
} half_link;

static int by_cell(const void *x, const void *y) {
  const half_link *a = x, *b = y;
  if (a->cell != b->cell) return (a->cell > b->cell) - (a->cell < b->cell);
  return (a->other > b->other) - (a->other < b->other);
}

static hp_status check(int64_t count, const int64_t *a, const int64_t *b) {
  for (int64_t n = 0; n < count; ++n) {
    const bool rises = n == 0 || a[n] > a[n - 1] || (a[n] == a[n - 1] && b[n] > b[n - 1]);
    if (a[n] < 0 || a[n] >= b[n] || !rises)
      return hp_fail(HP_ERR_INTERNAL, "connections: number %lld, of cells %lld and %lld, is out of order", (long long)n,
                     (long long)a[n], (long long)b[n]);
  }
  return HP_OK;
}

static hp_status allocate(hp_links *L, int64_t nrow, int64_t count) {
  L->nrow = nrow;
  L->count = count;
  HP_TRY(HP_ALLOC(L->cell, nrow));
  HP_TRY(HP_ALLOC(L->begin, nrow + 1));
  HP_TRY(HP_ALLOC(L->other, count));
  HP_TRY(HP_ALLOC(L->twin, count));
  return HP_ALLOC(L->of, count);
}

/* h: all entries by cell; place [connections]: the first entry of each, -1: not met yet. */
static void fill(hp_links *L, const half_link *h, int64_t *place) {
  int64_t row = -1;
  for (int64_t e = 0; e < L->count; ++e) {
    if (e == 0 || h[e].cell != h[e - 1].cell) {
      row += 1;
      L->cell[row] = h[e].cell;
      L->begin[row] = e;
    }
    L->other[e] = h[e].other;
    L->of[e] = h[e].of;
    if (place[h[e].of] < 0) {
      place[h[e].of] = e;
    } else {
      L->twin[e] = place[h[e].of];
      L->twin[L->twin[e]] = e;
    }
  }
  L->begin[L->nrow] = L->count;
}

static hp_status build(int64_t count, const int64_t *a, const int64_t *b, half_link *h, int64_t *place, hp_links *L) {
  for (int64_t n = 0; n < count; ++n) {
    h[2 * n] = (half_link){a[n], b[n], n};
    h[2 * n + 1] = (half_link){b[n], a[n], n};
    place[n] = -1;
  }
  qsort(h, 2 * (size_t)count, sizeof *h, by_cell);
  int64_t nrow = 1;
  for (int64_t e = 1; e < 2 * count; ++e) nrow += h[e].cell != h[e - 1].cell;
  HP_TRY(allocate(L, nrow, 2 * count));
  fill(L, h, place);
  return HP_OK;
}

hp_status hp_links_create(int64_t count, const int64_t *a, const int64_t *b, hp_links *L) {
  half_link *h = NULL;
  int64_t *place = NULL;
  memset(L, 0, sizeof *L);
  if (count == 0) return HP_OK;
  HP_TRY(check(count, a, b));
  hp_status s = HP_ALLOC(h, 2 * count);
  if (s == HP_OK) s = HP_ALLOC(place, count);
  if (s == HP_OK) s = build(count, a, b, h, place, L);
  HP_FREE(h);
  HP_FREE(place);
  if (s != HP_OK) hp_links_destroy(L);
  return s;
}

static void swap_entries(hp_links *L, int64_t x, int64_t y) {
  const int64_t other = L->other[x], of = L->of[x], twin = L->twin[x];
  L->other[x] = L->other[y];
  L->of[x] = L->of[y];
  L->twin[x] = L->twin[y];
  L->other[y] = other;
  L->of[y] = of;
  L->twin[y] = twin;
  L->twin[L->twin[x]] = x;
  L->twin[L->twin[y]] = y;
}

void hp_links_order(hp_links *L, const int64_t *key) {
  for (int64_t r = 0; r < L->nrow; ++r)
    for (int64_t e = L->begin[r] + 1; e < L->begin[r + 1]; ++e)
      for (int64_t at = e; at > L->begin[r] && key[L->other[at]] < key[L->other[at - 1]]; --at)
        swap_entries(L, at, at - 1);
}

void hp_links_destroy(hp_links *L) {
  HP_FREE(L->cell);
  HP_FREE(L->begin);
  HP_FREE(L->other);
  HP_FREE(L->twin);
  HP_FREE(L->of);
  memset(L, 0, sizeof *L);
}

void hp_links_pairs(const hp_links *L, int64_t *a, int64_t *b) {
  for (int64_t r = 0; r < L->nrow; ++r)
    for (int64_t e = L->begin[r]; e < L->begin[r + 1]; ++e)
      if (L->cell[r] < L->other[e]) {
        a[L->of[e]] = L->cell[r];
        b[L->of[e]] = L->other[e];
      }
}
