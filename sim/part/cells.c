/* Arrays of cells of the whole grid, on rank 0, become those of parts: message by message of a size that does not depend on
 * the grid's.
 *
 * A rank's cells in messages: own ones, planes of i of its box one after the other, each of which lies together in both
 * arrays; then its ghosts. */
#include <string.h>

#include "core/memory.h"
#include "sim/part/subdomain.h"

static int64_t plane_of(const hp_subdomain *D, int r) {
  return (int64_t)D->part.size[0] * (D->boxes[r].j1 - D->boxes[r].j0);
}
static int64_t own_of(const hp_subdomain *D, int r) { return plane_of(D, r) * (D->boxes[r].i1 - D->boxes[r].i0); }

int64_t hp_subdomain_message(int64_t cells) {
  return hp_smaller(HP_SUBDOMAIN_MESSAGE, cells * HP_SUBDOMAIN_CELL_BYTES);
}

hp_status hp_subdomain_cells_create(hp_subdomain *D) {
  hp_ranks *K = D->K;
  const hp_part *p = &D->part;
  hp_subdomain_cells *C = &D->cells;
  int64_t *number = NULL, largest = C->count;
  hp_status s = HP_ALLOC(C->begin, D->ranks + 1);
  if (s == HP_OK) s = HP_ALLOC(number, p->nghost);
  s = hp_ranks_agree(K, s);
  if (s == HP_OK) {
    hp_ranks_begins(K, p->nghost, C->begin);
    for (int r = 0; r < D->ranks && D->rank == 0; ++r)
      largest = hp_larger(largest, own_of(D, r) + C->begin[r + 1] - C->begin[r]);
    s = HP_ALLOC_UNSET(C->message, hp_subdomain_message(largest));
    if (s == HP_OK && D->rank == 0) s = HP_ALLOC(C->ghost, C->begin[D->ranks]);
    s = hp_ranks_agree(K, s);
  }
  if (s == HP_OK) {
    for (int64_t n = 0; n < p->nghost; ++n) number[n] = p->global[p->ghost[n]];
    hp_ranks_gather(K, 0, number, C->ghost, C->begin, sizeof *number);
  }
  HP_FREE(number);
  return s;
}

void hp_subdomain_cells_destroy(hp_subdomain *D) {
  HP_FREE(D->cells.begin);
  HP_FREE(D->cells.ghost);
  HP_FREE(D->cells.message);
}

/* ---- a rank's cells, from the first item of a message on ---- */

/* Own items of rank r lie together from `item` on: how many, at most `most`; *cell: the first in the whole grid. */
static int64_t run_of(const hp_subdomain *D, int r, int64_t item, int64_t most, int64_t *cell) {
  const int64_t plane = plane_of(D, r), i = D->boxes[r].i0 + item / plane, in = item % plane;
  *cell = D->part.size[0] * (D->boxes[r].j0 + D->part.size[1] * i) + in;
  return hp_smaller(hp_smaller(plane - in, most), own_of(D, r) - item);
}

/* Rank 0: items of rank r into a message. */
static void pack(const hp_subdomain *D, int r, int64_t item, int64_t count, const char *whole, size_t size, char *to) {
  const int64_t owned = own_of(D, r);
  int64_t cell;
  for (int64_t n; count > 0 && item < owned; item += n, count -= n, to += (size_t)n * size) {
    n = run_of(D, r, item, count, &cell);
    memcpy(to, whole + (size_t)cell * size, (size_t)n * size);
  }
  for (; count > 0; ++item, --count, to += size)
    memcpy(to, whole + (size_t)D->cells.ghost[D->cells.begin[r] + item - owned] * size, size);
}

/* The same in this rank's part. */
static void place(const hp_subdomain *D, int64_t item, int64_t count, const char *from, size_t size, char *here) {
  const int64_t owned = own_of(D, D->rank);
  int64_t cell;
  for (int64_t n; count > 0 && item < owned; item += n, count -= n, from += (size_t)n * size) {
    n = run_of(D, D->rank, item, count, &cell);
    memcpy(here + (size_t)hp_subdomain_place(D, cell) * size, from, (size_t)n * size);
  }
  for (; count > 0; ++item, --count, from += size)
    memcpy(here + (size_t)D->part.ghost[item - owned] * size, from, size);
}

/* ---- to the parts ---- */

/* The ranks that this one has to do with: rank 0 with all, its own part too. */
static int end_of(const hp_subdomain *D) { return D->rank == 0 ? D->ranks : D->rank + 1; }

void hp_subdomain_fill(const hp_subdomain *D, size_t size, void *array) {
  char *here = array;
  int64_t cell;
  if (run_of(D, D->rank, 0, 1, &cell) == 0) return;
  const char *owned = here + (size_t)hp_subdomain_place(D, cell) * size;
  for (int64_t m = 0; m < D->part.ncell; ++m)
    if (D->part.global[m] < 0) memcpy(here + (size_t)m * size, owned, size);
}

static void put_whole(hp_subdomain *D, const void *whole, void *here, size_t size) {
  const int64_t most = HP_SUBDOMAIN_MESSAGE / (int64_t)size;
  char *message = D->cells.message;
  for (int r = D->rank; r < end_of(D); ++r) {
    const int64_t all = own_of(D, r) + (D->rank == 0 ? D->cells.begin[r + 1] - D->cells.begin[r] : D->part.nghost);
    for (int64_t item = 0; item < all; item += most) {
      const int64_t count = hp_smaller(most, all - item), bytes = count * (int64_t)size;
      if (D->rank == 0) pack(D, r, item, count, whole, size, message);
      else hp_ranks_receive(D->K, 0, message, bytes);
      if (r == D->rank) place(D, item, count, message, size, here);
      else hp_ranks_send(D->K, r, message, bytes);
    }
  }
}

hp_status hp_subdomain_put(hp_subdomain *D, const void *whole, void *here, size_t size) {
  if (D->planes != NULL) HP_TRY(hp_subdomain_planes_put(D, whole, here, size));
  else put_whole(D, whole, here, size);
  hp_subdomain_fill(D, size, here);
  return HP_OK;
}

void hp_subdomain_leave_planes(hp_subdomain *D) {
  hp_subdomain_planes_destroy(D);
  D->spread = NULL;
}
