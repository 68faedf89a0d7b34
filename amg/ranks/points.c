/* Points of levels over ranks: orders, numbers, and what their owners have. */
#include <stdlib.h>
#include <string.h>

#include "amg/ranks/impl.h"
#include "core/memory.h"

/* ---- orders ---- */

static int by_point(const void *a, const void *b) {
  const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return x < y ? -1 : x > y;
}

int64_t hp_amg_sort_points(int64_t *v, int64_t n) {
  int64_t count = 0;
  if (n > 0) qsort(v, (size_t)n, sizeof *v, by_point);
  for (int64_t i = 0; i < n; ++i)
    if (count == 0 || v[i] != v[count - 1]) v[count++] = v[i];
  return count;
}

int64_t hp_amg_find_point(const int64_t *v, int64_t n, int64_t point) {
  int64_t low = 0, high = n;
  while (low < high) {
    const int64_t middle = (low + high) / 2;
    if (v[middle] < point) low = middle + 1;
    else high = middle;
  }
  return low < n && v[low] == point ? low : -1;
}

static void merge(hp_amg_rising *r) {
  for (int32_t i = 0, g = 0; r->n < r->nowned + r->nghost; ++r->n) {
    const bool owned = g == r->nghost || (i < r->nowned && r->owned[i] < r->ghost[g]);
    r->point[r->n] = owned ? r->owned[i] : r->ghost[g];
    *(owned ? &r->owned_at[i++] : &r->ghost_at[g++]) = r->n;
  }
}

hp_status hp_amg_rising_create(const int64_t *owned, int64_t nowned, int64_t *ghost, int64_t nghost,
                               hp_amg_rising *out) {
  memset(out, 0, sizeof *out);
  out->ghost = ghost;
  out->owned = owned;
  nghost = hp_amg_sort_points(ghost, nghost);
  if (nowned + nghost >= INT32_MAX)
    return hp_fail(HP_ERR_UNSUPPORTED, "multigrid: %lld rows of one rank: more than 32-bit indices can count",
                   (long long)(nowned + nghost));
  out->nowned = (int32_t)nowned;
  out->nghost = (int32_t)nghost;
  HP_TRY(HP_ALLOC(out->point, nowned + nghost));
  HP_TRY(HP_ALLOC(out->owned_at, nowned));
  HP_TRY(HP_ALLOC(out->ghost_at, nghost));
  merge(out);
  return HP_OK;
}

void hp_amg_rising_free(hp_amg_rising *r) {
  HP_FREE(r->ghost);
  HP_FREE(r->point);
  HP_FREE(r->owned_at);
  HP_FREE(r->ghost_at);
}

int32_t hp_amg_rising_at(const hp_amg_rising *r, int rank, int64_t point) {
  return hp_amg_point_rank(point) == rank ? r->owned_at[hp_amg_find_point(r->owned, r->nowned, point)]
                                          : r->ghost_at[hp_amg_find_point(r->ghost, r->nghost, point)];
}

/* ---- numbers ---- */

void hp_amg_scan_counts(int64_t *begin, int n) {
  for (int r = 0; r < n; ++r) begin[r + 1] += begin[r];
}

/* Rank r counts the points with numbers r block .. (r + 1) block - 1: v [n] of these becomes how many of them are below
 * each; returns how many there are. below [block + 1]: zero. */
static int64_t count_below(int64_t *v, int64_t n, int64_t block, int rank, int32_t *below) {
  for (int64_t i = 0; i < n; ++i) below[v[i] - rank * block + 1] = 1;
  for (int64_t i = 0; i < block; ++i) below[i + 1] += below[i];
  for (int64_t i = 0; i < n; ++i) v[i] = below[v[i] - rank * block];
  return below[block];
}

hp_status hp_amg_number_points(hp_ranks *K, int64_t n, int64_t *number, int64_t range) {
  const int size = hp_ranks_size(K), rank = hp_ranks_rank(K);
  const int64_t block = range / size + 1;
  int64_t *begin = NULL, *asked = NULL, *before = NULL, *v = NULL, *back = NULL;
  int32_t *below = NULL;
  hp_status s = HP_ALLOC(begin, size + 1);
  if (s == HP_OK) s = HP_ALLOC(asked, size + 1);
  if (s == HP_OK) s = HP_ALLOC(before, size + 1);
  if (s == HP_OK) s = HP_ALLOC(below, block + 1);
  s = hp_ranks_agree(K, s);
  for (int64_t i = 0; i < n && s == HP_OK; ++i) begin[number[i] / block + 1] += 1;
  if (s == HP_OK) hp_amg_scan_counts(begin, size);
  if (s == HP_OK) s = hp_ranks_all_to_all(K, number, begin, sizeof *number, (void **)&v, asked);
  if (s == HP_OK) {
    hp_ranks_begins(K, count_below(v, asked[size], block, rank, below), before);
    for (int64_t i = 0; i < asked[size]; ++i) v[i] += before[rank];
    s = hp_ranks_all_to_all(K, v, asked, sizeof *v, (void **)&back, begin);
  }
  if (s == HP_OK && n > 0) memcpy(number, back, (size_t)n * sizeof *number);
  HP_FREE(begin);
  HP_FREE(asked);
  HP_FREE(before);
  HP_FREE(below);
  HP_FREE(v);
  HP_FREE(back);
  return s;
}

/* ---- other ranks' points ---- */

/* Points that this rank asks of others, and they of it. */
typedef struct {
  int64_t *order, *begin; /* [n] the points asked for by rank, [ranks+1] */
  int64_t *row, *asked;   /* own points that others ask for, by rank, [ranks+1] */
} asking;

static void asking_free(asking *q) {
  HP_FREE(q->order);
  HP_FREE(q->begin);
  HP_FREE(q->row);
  HP_FREE(q->asked);
}

/* order: places of point [n] by rank; begin: where each rank's begin. */
static hp_status sort_by_rank(int size, int64_t n, const int64_t *point, asking *q) {
  int64_t *at = NULL;
  HP_TRY(HP_ALLOC(q->order, n));
  HP_TRY(HP_ALLOC(q->begin, size + 1));
  HP_TRY(HP_ALLOC(q->asked, size + 1));
  HP_TRY(HP_ALLOC(at, size + 1));
  for (int64_t i = 0; i < n; ++i) q->begin[hp_amg_point_rank(point[i]) + 1] += 1;
  hp_amg_scan_counts(q->begin, size);
  memcpy(at, q->begin, (size_t)(size + 1) * sizeof *at);
  for (int64_t i = 0; i < n; ++i) q->order[at[hp_amg_point_rank(point[i])]++] = i;
  HP_FREE(at);
  return HP_OK;
}

static hp_status ask(hp_ranks *K, const int64_t *owned, int64_t nowned, int64_t n, const int64_t *point, asking *q) {
  const int size = hp_ranks_size(K);
  int64_t *wanted = NULL;
  memset(q, 0, sizeof *q);
  hp_status s = HP_ALLOC(wanted, n);
  if (s == HP_OK) s = sort_by_rank(size, n, point, q);
  s = hp_ranks_agree(K, s);
  for (int64_t i = 0; i < n && s == HP_OK; ++i) wanted[i] = point[q->order[i]];
  if (s == HP_OK) s = hp_ranks_all_to_all(K, wanted, q->begin, sizeof *wanted, (void **)&q->row, q->asked);
  HP_FREE(wanted);
  HP_TRY(s);
  for (int64_t i = 0; i < q->asked[size]; ++i) {
    const int64_t asked = q->row[i];
    q->row[i] = hp_amg_find_point(owned, nowned, asked);
    if (q->row[i] < 0)
      s = hp_fail(HP_ERR_INTERNAL, "multigrid over ranks: rank %d has no row %lld, which another one has as a column",
                  hp_ranks_rank(K), (long long)hp_amg_point_number(asked));
  }
  return hp_ranks_agree(K, s);
}

/* wanted, owner and there of hp_exchange_create. */
static hp_status exchange_asked(hp_ranks *K, int64_t n, const int64_t *point, const int64_t *place, const asking *q,
                                const int64_t *there, hp_exchange **out) {
  int64_t *wanted = NULL;
  int *owner = NULL;
  hp_status s = HP_ALLOC(wanted, n);
  if (s == HP_OK) s = HP_ALLOC(owner, n);
  s = hp_ranks_agree(K, s);
  for (int64_t i = 0; i < n && s == HP_OK; ++i) {
    wanted[i] = place[q->order[i]];
    owner[i] = hp_amg_point_rank(point[q->order[i]]);
  }
  if (s == HP_OK) s = hp_exchange_create(K, n, wanted, owner, there, out);
  HP_FREE(wanted);
  HP_FREE(owner);
  return s;
}

hp_status hp_amg_exchange_points(hp_ranks *K, const int64_t *owned, int64_t nowned, const int32_t *owned_at, int64_t n,
                                 const int64_t *point, const int64_t *place, hp_exchange **out) {
  asking q;
  int64_t *there = NULL;
  *out = NULL;
  hp_status s = ask(K, owned, nowned, n, point, &q);
  if (s == HP_OK) {
    for (int64_t i = 0; i < q.asked[hp_ranks_size(K)] && owned_at != NULL; ++i) q.row[i] = owned_at[q.row[i]];
    s = hp_ranks_all_to_all(K, q.row, q.asked, sizeof *q.row, (void **)&there, q.begin);
  }
  if (s == HP_OK) s = exchange_asked(K, n, point, place, &q, there, out);
  HP_FREE(there);
  asking_free(&q);
  return s;
}

/* ---- other ranks' rows ---- */

/* The rows that others ask for, one after the other; sent [ranks+1] entries. */
static hp_status pack_rows(int size, const hp_csr *M, const int64_t *column, const asking *q, int64_t **length,
                           int64_t *sent, hp_amg_entry **entry) {
  int64_t at = 0;
  HP_TRY(HP_ALLOC(*length, q->asked[size]));
  for (int r = 0; r < size; ++r) {
    for (int64_t i = q->asked[r]; i < q->asked[r + 1]; ++i)
      at += (*length)[i] = M->begin[q->row[i] + 1] - M->begin[q->row[i]];
    sent[r + 1] = at;
  }
  HP_TRY(HP_ALLOC(*entry, at));
  at = 0;
  for (int64_t i = 0; i < q->asked[size]; ++i)
    for (int64_t k = M->begin[q->row[i]]; k < M->begin[q->row[i] + 1]; ++k)
      (*entry)[at++] = (hp_amg_entry){column[M->column[k]], M->value[k]};
  return HP_OK;
}

/* first and length of the rows as they were asked for, from lengths by rank. */
static hp_status place_rows(int64_t n, const asking *q, const int64_t *length, hp_amg_fetched *out) {
  int64_t at = 0;
  HP_TRY(HP_ALLOC(out->first, n));
  HP_TRY(HP_ALLOC(out->length, n));
  for (int64_t i = 0; i < n; ++i) {
    out->first[q->order[i]] = at;
    at += out->length[q->order[i]] = length[i];
  }
  return HP_OK;
}

hp_status hp_amg_fetch_rows(hp_ranks *K, const int64_t *owned, int64_t nowned, const hp_csr *M, const int64_t *column,
                            int64_t n, const int64_t *point, hp_amg_fetched *out) {
  const int size = hp_ranks_size(K);
  asking q;
  int64_t *length = NULL, *theirs = NULL, *sent = NULL;
  hp_amg_entry *entry = NULL;
  memset(out, 0, sizeof *out);
  hp_status s = ask(K, owned, nowned, n, point, &q);
  if (s == HP_OK) {
    s = HP_ALLOC(sent, size + 1);
    if (s == HP_OK) s = pack_rows(size, M, column, &q, &length, sent, &entry);
    s = hp_ranks_agree(K, s);
  }
  if (s == HP_OK) s = hp_ranks_all_to_all(K, length, q.asked, sizeof *length, (void **)&theirs, q.begin);
  if (s == HP_OK) s = hp_ranks_agree(K, place_rows(n, &q, theirs, out));
  /* `asked` is done with: it takes where what comes begins */
  if (s == HP_OK) s = hp_ranks_all_to_all(K, entry, sent, sizeof *entry, (void **)&out->entry, q.asked);
  HP_FREE(length);
  HP_FREE(theirs);
  HP_FREE(sent);
  HP_FREE(entry);
  asking_free(&q);
  if (s != HP_OK) hp_amg_fetched_free(out);
  return s;
}

void hp_amg_fetched_free(hp_amg_fetched *f) {
  HP_FREE(f->first);
  HP_FREE(f->length);
  HP_FREE(f->entry);
}

/* ---- vectors ---- */

typedef struct {
  int64_t point, place;
} placed_point;

static int by_placed_point(const void *a, const void *b) {
  const placed_point *x = a, *y = b;
  return x->point < y->point ? -1 : x->point > y->point;
}

static int by_rank(const void *a, const void *b) {
  const placed_point *x = a, *y = b;
  const int r = hp_amg_point_rank(x->point), q = hp_amg_point_rank(y->point);
  return r != q ? r - q : by_placed_point(a, b);
}

/* Where a point stands in v [n], -1: nowhere. */
static int64_t place_of(const placed_point *v, int64_t n, int64_t point) {
  const placed_point key = {point, 0};
  const placed_point *found = n > 0 ? bsearch(&key, v, (size_t)n, sizeof *v, by_placed_point) : NULL;
  return found != NULL ? found->place : -1;
}

/* place [n] of the points that are there; the others' places in `point` into more; returns how many. */
static int64_t place_known(const hp_amg_part *p, placed_point *known, int64_t n, const int64_t *point, int32_t *place,
                           placed_point *more) {
  int64_t count = 0;
  for (int32_t g = 0; g < p->nghost; ++g) known[g] = (placed_point){p->point[p->nowned + g], p->nowned + g};
  if (p->nghost > 0) qsort(known, (size_t)p->nghost, sizeof *known, by_placed_point);
  for (int64_t i = 0; i < n; ++i) {
    place[i] = (int32_t)place_of(known, p->nghost, point[i]);
    if (place[i] < 0) more[count++] = (placed_point){point[i], i};
  }
  return count;
}

hp_status hp_amg_part_place(hp_amg_part *p, int64_t n, const int64_t *point, int32_t *place) {
  placed_point *known = NULL, *more = NULL;
  int64_t *all = NULL, count = 0, held = p->nowned + (int64_t)p->nghost;
  hp_status s = HP_ALLOC(known, p->nghost);
  if (s == HP_OK) s = HP_ALLOC(more, n);
  if (s == HP_OK) count = place_known(p, known, n, point, place, more);
  if (s == HP_OK && held + count >= INT32_MAX)
    s = hp_fail(HP_ERR_UNSUPPORTED, "multigrid: vectors of %lld rows on one rank", (long long)(held + count));
  if (s == HP_OK) s = HP_ALLOC(all, held + count);
  if (s == HP_OK) {
    if (held > 0) memcpy(all, p->point, (size_t)held * sizeof *all);
    if (count > 0) qsort(more, (size_t)count, sizeof *more, by_rank);
    for (int64_t i = 0; i < count; ++i) {
      all[held + i] = more[i].point;
      place[more[i].place] = (int32_t)(held + i);
    }
    HP_FREE(p->point);
    p->point = all;
    p->nghost += (int32_t)count;
  }
  HP_FREE(known);
  HP_FREE(more);
  return s;
}
