/* The list of connections: made from pairs in any order, sorted, each once. */
#include <math.h>
#include <stdlib.h>

#include "core/memory.h"
#include "grid/grid.h"

void hp_grid_connections_clear(hp_grid_connections *c) {
  HP_FREE(c->a);
  HP_FREE(c->b);
  HP_FREE(c->trans);
  c->count = 0;
}

typedef struct {
  int64_t a, b;
  int64_t order; /* place in the list given: sums do not depend on how qsort treats equals */
  double trans;
} pair;

static int compare_pairs(const void *x, const void *y) {
  const pair *p = x, *q = y;
  if (p->a != q->a) return p->a < q->a ? -1 : 1;
  if (p->b != q->b) return p->b < q->b ? -1 : 1;
  return (p->order > q->order) - (p->order < q->order);
}

/* Direction in which b follows a on the lattice, -1: it does not. */
static int lattice_direction(const hp_grid *g, int64_t a, int64_t b) {
  int at[3], to[3];
  hp_grid_ijk(g, a, at);
  hp_grid_ijk(g, b, to);
  for (int x = 0; x < HP_DIRS; ++x) {
    const int d = HP_DIR_I - x;
    if (to[x] == at[x] + 1 && b - a == hp_grid_stride(g, d)) return d;
  }
  return -1;
}

static bool find_cell(void *arg, int64_t cell, int64_t *active) {
  const hp_grid *g = arg;
  const int64_t at = hp_grid_place(g, cell);
  if (at < 0 || at >= g->owned) return false;
  *active = g->active[at];
  return true;
}

/* both[n]: whether cells a[n] and b[n] are active; of several ranks one of them is held. */
static hp_status find_active(const hp_grid *g, int64_t count, const int64_t *a, const int64_t *b, uint8_t *both) {
  int64_t remote = 0, at = 0, *cell = NULL, *active = NULL;
  for (int64_t n = 0; n < count; ++n) remote += !hp_grid_holds(g, a[n]) || !hp_grid_holds(g, b[n]);
  hp_status s = HP_ALLOC(cell, remote);
  if (s == HP_OK) s = HP_ALLOC(active, remote);
  for (int64_t n = 0; n < count && s == HP_OK; ++n) {
    const bool here[2] = {hp_grid_holds(g, a[n]), hp_grid_holds(g, b[n])};
    both[n] = (!here[0] || g->active[hp_grid_place(g, a[n])]) && (!here[1] || g->active[hp_grid_place(g, b[n])]);
    if (!here[0] || !here[1]) cell[at++] = here[0] ? b[n] : a[n];
  }
  if (s == HP_OK) s = hp_spread_ask(g->spread, remote, cell, 1, find_cell, (void *)(uintptr_t)g, active);
  at = 0;
  for (int64_t n = 0; n < count && s == HP_OK; ++n)
    if (!hp_grid_holds(g, a[n]) || !hp_grid_holds(g, b[n])) both[n] &= active[at++] != 0; /* each has its answer */
  HP_FREE(cell);
  HP_FREE(active);
  return s;
}

/* The pairs of active cells, a < b; *kept of them. */
static hp_status gather(const hp_grid *g, int64_t count, const int64_t *a, const int64_t *b, const double *trans,
                        uint8_t *both, pair *list, int64_t *kept) {
  const int64_t cells = hp_grid_cells(g);
  *kept = 0;
  for (int64_t n = 0; n < count; ++n) {
    if (a[n] < 0 || a[n] >= cells || b[n] < 0 || b[n] >= cells)
      return hp_fail(HP_ERR_DECK, "connection %lld: outside the grid", (long long)n + 1);
    if (!(trans[n] >= 0.0 && isfinite(trans[n])))
      return hp_fail(HP_ERR_DECK, "connection %lld: transmissibility %g m3: must be >= 0", (long long)n + 1, trans[n]);
  }
  HP_TRY(find_active(g, count, a, b, both));
  for (int64_t n = 0; n < count; ++n) {
    if (a[n] == b[n] || !both[n]) continue;
    const bool rising = a[n] < b[n];
    list[(*kept)++] = (pair){rising ? a[n] : b[n], rising ? b[n] : a[n], n, trans[n]};
  }
  return HP_OK;
}

static bool is_own(const hp_grid *g, int64_t m) { return m >= g->first && m < g->first + g->owned; }

/* One pair for those that come again; what belongs to the lattice goes there. Returns how many are left, of several ranks
 * those of own cells. */
static int64_t merge(hp_grid *g, int64_t count, pair *list) {
  int64_t left = 0;
  for (int64_t n = 0; n < count;) {
    pair sum = list[n];
    while (++n < count && list[n].a == sum.a && list[n].b == sum.b) sum.trans += list[n].trans;
    const int d = lattice_direction(g, sum.a, sum.b);
    const bool here = hp_grid_holds(g, sum.a) && hp_grid_holds(g, sum.b);
    if (d >= 0 && here) g->trans[d][hp_grid_place(g, sum.a)] += sum.trans;
    else if (d < 0 && sum.trans > 0.0 && is_own(g, sum.a)) list[left++] = sum;
  }
  return left;
}

static hp_status keep(hp_grid_connections *c, int64_t count, const pair *list) {
  HP_TRY(HP_ALLOC(c->a, count));
  HP_TRY(HP_ALLOC(c->b, count));
  HP_TRY(HP_ALLOC(c->trans, count));
  for (int64_t n = 0; n < count; ++n) {
    c->a[n] = list[n].a;
    c->b[n] = list[n].b;
    c->trans[n] = list[n].trans;
  }
  c->count = count;
  return HP_OK;
}

hp_status hp_grid_connect(hp_grid *g, int64_t count, const int64_t *a, const int64_t *b, const double *trans) {
  pair *list;
  uint8_t *both = NULL;
  int64_t kept, all = count;
  hp_grid_connections_clear(&g->connection);
  HP_TRY(hp_spread_sum(g->spread, &all, 1));
  if (all == 0) return HP_OK;
  HP_TRY(HP_ALLOC(list, count));
  hp_status s = HP_ALLOC(both, count);
  if (s == HP_OK) s = gather(g, count, a, b, trans, both, list, &kept);
  if (s == HP_OK) {
    if (kept > 0) qsort(list, (size_t)kept, sizeof *list, compare_pairs);
    s = keep(&g->connection, merge(g, kept, list), list);
  }
  if (s != HP_OK) hp_grid_connections_clear(&g->connection);
  HP_FREE(both);
  HP_FREE(list);
  return s;
}
