/* Transmissibilities that change in a run: those of the grid until then, and products of them. */
#include <string.h>

#include "core/memory.h"
#include "physics/reservoir.h"

hp_status hp_reservoir_change_trans(hp_reservoir *r) {
  for (int d = 0; d < HP_DIRS; ++d) {
    HP_TRY(HP_ALLOC(r->variable_trans[d], r->ncell));
    memcpy(r->variable_trans[d], r->trans[d], (size_t)r->ncell * sizeof *r->variable_trans[d]);
    r->trans[d] = r->variable_trans[d];
  }
  const int64_t count = r->connection != NULL ? r->connection->count : 0;
  HP_TRY(HP_ALLOC(r->variable_link_trans, count));
  if (count > 0) memcpy(r->variable_link_trans, r->link_trans, (size_t)count * sizeof *r->variable_link_trans);
  r->link_trans = r->variable_link_trans;
  return HP_OK;
}

int64_t hp_reservoir_find_pair(const hp_reservoir *r, int64_t a, int64_t b, int *d) {
  const int64_t column = r->nz, slice = (int64_t)r->nz * r->ny;
  *d = b == a + 1 && b % column != 0               ? HP_DIR_K
       : b == a + column && a / slice == b / slice ? HP_DIR_J
       : b == a + slice                            ? HP_DIR_I
                                                   : -1;
  if (*d >= 0) return a;
  const hp_grid_connections *c = r->connection;
  int64_t low = 0, high = c != NULL ? c->count : 0;
  while (low < high) {
    const int64_t mid = low + (high - low) / 2;
    if (c->a[mid] < a || (c->a[mid] == a && c->b[mid] < b)) low = mid + 1;
    else high = mid;
  }
  return c != NULL && low < c->count && c->a[low] == a && c->b[low] == b ? low : -1;
}

void hp_reservoir_multiply_trans(hp_reservoir *r, int64_t count, const int64_t *a, const int64_t *b,
                                 const double *factor) {
  for (int64_t n = 0; n < count; ++n) {
    int d;
    const int64_t at = hp_reservoir_find_pair(r, a[n], b[n], &d);
    if (at >= 0) (d >= 0 ? r->variable_trans[d] : r->variable_link_trans)[at] *= factor[n];
  }
}
