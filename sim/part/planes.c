/* Arrays of planes of i (core/ranks/spread.h) become those of parts: each rank asks the others for the columns that it has
 * cells of, once; then they send these of one array after the other. */
#include <string.h>

#include "core/memory.h"
#include "sim/part/subdomain.h"

struct hp_subdomain_planes {
  int64_t first;       /* number of the first cell that is held */
  int64_t *want_begin; /* [ranks + 1] columns of the part by who has them, */
  int64_t *want;       /* [want_begin[ranks]] their places in its lattice */
  int64_t *give_begin; /* [ranks + 1] columns here that others want, */
  int64_t *give;       /* [give_begin[ranks]] their numbers in the whole grid */
};

void hp_subdomain_planes_destroy(hp_subdomain *D) {
  struct hp_subdomain_planes *P = D->planes;
  if (P == NULL) return;
  HP_FREE(P->want_begin);
  HP_FREE(P->want);
  HP_FREE(P->give_begin);
  HP_FREE(P->give);
  HP_FREE(D->planes);
}

/* Whether the part has any cell of its column c. */
static bool has_cells(const hp_subdomain *D, int64_t c) {
  const int64_t nz = D->part.size[0];
  for (int64_t k = 0; k < nz; ++k)
    if (D->part.global[c * nz + k] >= 0) return true;
  return false;
}

/* plane_owner [nx]: ranks that have the planes. */
static void find_owners(const hp_subdomain *D, const hp_spread *S, int *plane_owner) {
  const int nx = D->part.size[2];
  for (int r = 0; r < D->ranks; ++r) {
    const hp_spread_planes p = hp_spread_planes_of(S, r, nx);
    for (int i = p.first; i < p.first + p.owned; ++i) plane_owner[i] = r;
  }
}

/* Columns sorted by their owners. number [columns of the part]: those in the whole grid, in that order. */
static void sort_by_owner(const hp_subdomain *D, const int *plane_owner, struct hp_subdomain_planes *P,
                          int64_t *number) {
  const int64_t columns = D->part.ncell / D->part.size[0];
  for (int turn = 0; turn < 2; ++turn) { /* counts, then places */
    for (int64_t c = 0; c < columns; ++c) {
      if (D->column[c] < 0 || !has_cells(D, c)) continue;
      const int owner = plane_owner[D->column[c] / D->part.size[1]];
      if (turn == 0) P->want_begin[owner + 1] += 1;
      if (turn == 0) continue;
      number[P->want_begin[owner]] = D->column[c];
      P->want[P->want_begin[owner]++] = c;
    }
    for (int r = 0; r < D->ranks && turn == 0; ++r) P->want_begin[r + 1] += P->want_begin[r];
    for (int r = D->ranks; r > 0 && turn == 1; --r) P->want_begin[r] = P->want_begin[r - 1];
    if (turn == 1) P->want_begin[0] = 0;
  }
}

hp_status hp_subdomain_planes_create(hp_subdomain *D, const hp_grid *planes) {
  const int64_t columns = D->part.ncell / D->part.size[0];
  struct hp_subdomain_planes *P = NULL;
  int64_t *number = NULL;
  int *plane_owner = NULL;
  hp_status s = HP_ALLOC(P, 1);
  D->planes = P;
  if (s == HP_OK) s = HP_ALLOC(P->want_begin, D->ranks + 1);
  if (s == HP_OK) s = HP_ALLOC(P->give_begin, D->ranks + 1);
  if (s == HP_OK) s = HP_ALLOC(P->want, columns);
  if (s == HP_OK) s = HP_ALLOC(number, columns);
  if (s == HP_OK) s = HP_ALLOC(plane_owner, D->part.size[2]);
  s = hp_ranks_agree(D->K, s);
  if (s == HP_OK) {
    P->first = planes->first;
    find_owners(D, D->spread, plane_owner);
    sort_by_owner(D, plane_owner, P, number);
    s = hp_ranks_all_to_all(D->K, number, P->want_begin, sizeof *number, (void **)&P->give, P->give_begin);
  }
  HP_FREE(number);
  HP_FREE(plane_owner);
  return s;
}

hp_status hp_subdomain_planes_put(hp_subdomain *D, const void *planes, void *here, size_t size) {
  const struct hp_subdomain_planes *P = D->planes;
  const int64_t nz = D->part.size[0], *global = D->part.global;
  const size_t column = (size_t)nz * size;
  int64_t *begin = NULL;
  char *send = NULL, *received = NULL;
  hp_status s = hp_alloc_unset((void **)&send, P->give_begin[D->ranks], column, "columns that a rank sends");
  if (s == HP_OK) s = HP_ALLOC(begin, D->ranks + 1);
  s = hp_ranks_agree(D->K, s);
  for (int64_t n = 0; s == HP_OK && n < P->give_begin[D->ranks]; ++n)
    memcpy(send + (size_t)n * column, (const char *)planes + (size_t)(P->give[n] * nz - P->first) * size, column);
  if (s == HP_OK) s = hp_ranks_all_to_all(D->K, send, P->give_begin, column, (void **)&received, begin);
  for (int64_t n = 0; s == HP_OK && n < P->want_begin[D->ranks]; ++n)
    for (int64_t k = 0; k < nz; ++k) {
      const int64_t m = P->want[n] * nz + k;
      if (global[m] >= 0)
        memcpy((char *)here + (size_t)m * size, received + (size_t)n * column + (size_t)k * size, size);
    }
  HP_FREE(begin);
  HP_FREE(send);
  HP_FREE(received);
  return s;
}
