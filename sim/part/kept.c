#include "sim/part/kept.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"

void hp_kept_state_clear(hp_kept_state *K) {
  HP_FREE(K->boxes);
  for (int a = 0; a < HP_KEPT_ARRAYS; ++a) HP_FREE(K->array[a]);
}

static int64_t columns_of(const hp_box *b) {
  return b->i1 > b->i0 && b->j1 > b->j0 ? (int64_t)(b->i1 - b->i0) * (b->j1 - b->j0) : 0;
}

/* The columns that both have. */
static hp_box overlap(const hp_box *a, const hp_box *b) {
  return (hp_box){(int)hp_larger(a->i0, b->i0), (int)hp_smaller(a->i1, b->i1), (int)hp_larger(a->j0, b->j0),
                  (int)hp_smaller(a->j1, b->j1)};
}

/* The part's first cell of a column of the whole grid, one of its own. */
static int64_t column_place(const hp_subdomain *D, int i, int j) {
  return hp_subdomain_place(D, D->part.size[0] * (j + (int64_t)D->part.size[1] * i));
}

static double value_at(const hp_subdomain *D, const double *array, int64_t m) {
  return D->grid->active[m] != HP_CELL_INACTIVE ? array[m] : 0.0;
}

hp_status hp_kept_state_put(const hp_subdomain *D, const double *const *array, hp_kept_state *K) {
  const hp_box *b = &D->boxes[D->rank];
  const int nz = D->part.size[0];
  hp_kept_state_clear(K);
  hp_status s = HP_ALLOC(K->boxes, D->ranks);
  for (int a = 0; a < HP_KEPT_ARRAYS && s == HP_OK; ++a) s = HP_ALLOC(K->array[a], columns_of(b) * nz);
  s = hp_ranks_agree(D->K, s);
  if (s != HP_OK) {
    hp_kept_state_clear(K);
    return s;
  }
  memcpy(K->boxes, D->boxes, (size_t)D->ranks * sizeof *K->boxes);
  int64_t to = 0;
  for (int i = b->i0; i < b->i1; ++i)
    for (int j = b->j0; j < b->j1; ++j) {
      const int64_t m = column_place(D, i, j);
      for (int k = 0; k < nz; ++k, ++to)
        for (int a = 0; a < HP_KEPT_ARRAYS; ++a) K->array[a][to] = value_at(D, array[a], m + k);
    }
  return HP_OK;
}

/* Columns of an array that this rank has kept, by the ranks whose parts have them now: those of rank r from send[begin[r] nz] on;
 * begin [ranks + 1]. */
static void pack(const hp_subdomain *D, const hp_kept_state *K, const double *kept, double *send, int64_t *begin) {
  const hp_box *mine = &K->boxes[D->rank];
  const int64_t nz = D->part.size[0];
  begin[0] = 0;
  for (int r = 0; r < D->ranks; ++r) {
    const hp_box b = overlap(mine, &D->boxes[r]);
    begin[r + 1] = begin[r] + columns_of(&b);
    if (columns_of(&b) == 0) continue;
    double *to = send + begin[r] * nz;
    const int64_t width = b.j1 - b.j0;
    for (int i = b.i0; i < b.i1; ++i, to += width * nz) {
      const int64_t from = b.j0 - mine->j0 + (int64_t)(mine->j1 - mine->j0) * (i - mine->i0);
      memcpy(to, kept + from * nz, (size_t)(width * nz) * sizeof *to);
    }
  }
}

/* The largest difference to what has come, in the order of the ranks that have kept it. */
static double difference(const hp_subdomain *D, const hp_kept_state *K, const double *received, const double *array) {
  const int nz = D->part.size[0];
  double off = 0.0;
  for (int r = 0; r < D->ranks; ++r) {
    const hp_box b = overlap(&K->boxes[r], &D->boxes[D->rank]);
    for (int i = b.i0; i < b.i1; ++i)
      for (int j = b.j0; j < b.j1; ++j) {
        const int64_t m = column_place(D, i, j);
        for (int k = 0; k < nz; ++k) off = fmax(off, fabs(value_at(D, array, m + k) - *received++));
      }
  }
  return off;
}

hp_status hp_kept_state_compare(const hp_subdomain *D, const double *const *array, const hp_kept_state *K,
                                double *off) {
  const int nz = D->part.size[0];
  int64_t *begin = NULL, *come = NULL;
  double *send = NULL;
  hp_status s = HP_ALLOC(begin, D->ranks + 1);
  if (s == HP_OK) s = HP_ALLOC(come, D->ranks + 1);
  if (s == HP_OK) s = HP_ALLOC(send, columns_of(&K->boxes[D->rank]) * nz);
  s = hp_ranks_agree(D->K, s);
  for (int a = 0; a < HP_KEPT_ARRAYS && s == HP_OK; ++a) {
    double *received = NULL;
    pack(D, K, K->array[a], send, begin);
    s = hp_ranks_all_to_all(D->K, send, begin, (size_t)nz * sizeof *send, (void **)&received, come);
    if (s == HP_OK) off[a] = difference(D, K, received, array[a]);
    HP_FREE(received);
  }
  if (s == HP_OK) hp_ranks_max(D->K, off, HP_KEPT_ARRAYS);
  HP_FREE(begin);
  HP_FREE(come);
  HP_FREE(send);
  return s;
}
