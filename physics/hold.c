/* Groups of cells where nothing sets the level of the pressure: hp_reservoir_hold.
 *
 *     cells here              groups of cells here, each named by its first cell      one process is done here
 *     faces, connections  ->  pairs of groups of two ranks, which all ranks get   ->  groups of these
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "physics/assembly.inl.h"
#include "physics/reservoir.h"

static bool is_rigid(const hp_reservoir *r, int64_t m) {
  const double none = 1e-6, share[HP_PHASES] = {[HP_OIL] = 1.0 - r->s[m], [HP_WATER] = r->s[m]};
  const hp_fluid *f = hp_reservoir_fluid(r, m);
  for (int a = 0; a < HP_PHASES; ++a) {
    hp_dual b, bmu;
    hp_pvt_eval(&f->phase[a], r->p[m], &b, &bmu);
    if (share[a] > none && b.d != 0.0) return false;
  }
  return hp_reservoir_rock(r, m, r->p[m]).d == 0.0;
}

bool hp_reservoir_is_all_rigid(const hp_reservoir *r) {
  for (int64_t m = 0; m < r->ncell; ++m)
    if (r->active[m] != HP_CELL_INACTIVE && !is_rigid(r, m)) return false;
  return true;
}

/* Most decks have compressible rock, and no cell need be looked at. */
static bool may_be_rigid(const hp_reservoir *r) {
  bool any = r->region == NULL && r->fluid.rock.c == 0.0;
  for (int n = 0; n < r->nregion; ++n) any = any || r->region[n].rock.c == 0.0;
  return any;
}

/* A group of cells of one rank, and two groups that are connected. */
typedef struct {
  int64_t name, cells, rigid; /* its first cell */
} group;
typedef struct {
  int64_t a, b; /* names */
} pair;

enum { RIGID = 1, SHARED = 2 /* with cells of other ranks */ };

typedef struct {
  const hp_grid *g;
  hp_reservoir *r;
  int64_t *first; /* [own cells] a cell of the same group, not behind it; of the first one itself */
  int64_t *cells; /* [own cells] of the group that begins there */
  uint8_t *kind;  /* [own cells] RIGID, SHARED, both or neither, likewise */
  int64_t npair, nall, nshared;
  pair *mine, *all;  /* [npair] with groups of other ranks; [nall] of all ranks */
  group *shared;     /* [nshared] groups in these, names rising */
  int64_t *together; /* [nshared] as `first` */
} search;

static void destroy(search *s) {
  HP_FREE(s->first);
  HP_FREE(s->cells);
  HP_FREE(s->kind);
  HP_FREE(s->mine);
  HP_FREE(s->all);
  HP_FREE(s->shared);
  HP_FREE(s->together);
}

static int64_t first_of(int64_t *first, int64_t m) {
  while (first[m] != m) m = first[m] = first[first[m]];
  return m;
}

static void unite(int64_t *first, int64_t a, int64_t b) {
  a = first_of(first, a);
  b = first_of(first, b);
  if (a < b) first[b] = a;
  else first[a] = b;
}

/* ---- groups of cells here ---- */

/* Calls meet(s, m, cell) with each cell of the whole grid that own cell m is connected to, once a connection. */
static void for_connections(search *s, void (*meet)(search *s, int64_t m, int64_t cell)) {
  const hp_grid *g = s->g;
  const hp_grid_connections *c = &g->connection;
  for (int64_t m = 0; m < g->owned; ++m)
    for (int d = 0; d < HP_DIRS; ++d)
      if (s->r->trans[d][m] != 0.0) meet(s, m, g->first + m + hp_grid_stride(g, d));
  for (int64_t n = 0; n < c->count; ++n)
    if (c->trans[n] != 0.0) meet(s, hp_grid_place(g, c->a[n]), c->b[n]);
}

static bool is_own(const hp_grid *g, int64_t cell) { return cell >= g->first && cell < g->first + g->owned; }

static void meet_own(search *s, int64_t m, int64_t cell) {
  if (is_own(s->g, cell)) unite(s->first, m, hp_grid_place(s->g, cell));
}

static hp_status find_own(search *s, int64_t nopen, const int64_t *open, bool *any) {
  const hp_grid *g = s->g;
  HP_TRY(HP_ALLOC(s->first, g->owned));
  HP_TRY(HP_ALLOC(s->cells, g->owned));
  HP_TRY(HP_ALLOC(s->kind, g->owned));
  for (int64_t m = 0; m < g->owned; ++m) {
    s->first[m] = m;
    s->kind[m] = RIGID;
  }
  for_connections(s, meet_own);
  for (int64_t m = 0; m < g->owned; ++m) {
    const int64_t at = first_of(s->first, m);
    s->cells[at] += 1;
    if (s->r->active[m] == HP_CELL_INACTIVE || !is_rigid(s->r, m)) s->kind[at] = 0;
  }
  for (int64_t q = 0; q < nopen; ++q)
    if (is_own(g, open[q])) s->kind[first_of(s->first, hp_grid_place(g, open[q]))] = 0;
  for (int64_t m = 0; m < g->owned; ++m) *any = *any || (s->first[m] == m && s->kind[m] == RIGID);
  return HP_OK;
}

/* ---- groups of several ranks ---- */

static void count_pair(search *s, int64_t m, int64_t cell) {
  (void)m;
  s->npair += !is_own(s->g, cell);
}

static void note_pair(search *s, int64_t m, int64_t cell) {
  if (!is_own(s->g, cell)) s->mine[s->npair++] = (pair){s->g->first + first_of(s->first, m), cell};
}

static bool find_name(void *arg, int64_t cell, int64_t *value) {
  const search *s = arg;
  if (!is_own(s->g, cell)) return false;
  *value = s->g->first + first_of(s->first, hp_grid_place(s->g, cell));
  return true;
}

static int by_names(const void *x, const void *y) {
  const pair *p = x, *q = y;
  if (p->a != q->a) return (p->a > q->a) - (p->a < q->a);
  return (p->b > q->b) - (p->b < q->b);
}

static int by_name(const void *x, const void *y) {
  const int64_t a = ((const group *)x)->name, b = ((const group *)y)->name;
  return (a > b) - (a < b);
}

/* The cells of others become the names of their groups; each pair is there once. */
static hp_status name_pairs(search *s) {
  int64_t *cell = NULL, *name = NULL, count = 0;
  hp_status status = HP_ALLOC(cell, s->npair);
  if (status == HP_OK) status = HP_ALLOC(name, s->npair);
  for (int64_t n = 0; n < s->npair && status == HP_OK; ++n) cell[n] = s->mine[n].b;
  if (status == HP_OK) status = hp_spread_ask(s->g->spread, s->npair, cell, 1, find_name, s, name);
  for (int64_t n = 0; n < s->npair && status == HP_OK; ++n) s->mine[n].b = name[n];
  HP_FREE(cell);
  HP_FREE(name);
  HP_TRY(status);
  if (s->npair > 0) qsort(s->mine, (size_t)s->npair, sizeof *s->mine, by_names);
  for (int64_t n = 0; n < s->npair; ++n)
    if (count == 0 || by_names(&s->mine[count - 1], &s->mine[n]) != 0) s->mine[count++] = s->mine[n];
  s->npair = count;
  return HP_OK;
}

static hp_status keep_pair(void *arg, const int64_t *item) {
  search *s = arg;
  memcpy(&s->all[s->nall++], item, sizeof *s->all);
  return HP_OK;
}

static hp_status keep_group(void *arg, const int64_t *item) {
  search *s = arg;
  memcpy(&s->shared[s->nshared++], item, sizeof *s->shared);
  return HP_OK;
}

/* Pairs of all ranks on all ranks. */
static hp_status share_pairs(search *s) {
  enum { WORDS = sizeof(pair) / sizeof(int64_t) };
  int64_t begin, all;
  for_connections(s, count_pair);
  HP_TRY(HP_ALLOC(s->mine, s->npair));
  s->npair = 0;
  for_connections(s, note_pair);
  HP_TRY(name_pairs(s));
  HP_TRY(hp_spread_number(s->g->spread, s->npair, &begin, &all));
  HP_TRY(HP_ALLOC(s->all, all));
  return hp_spread_distribute(s->g->spread, s->mine, s->npair, WORDS, keep_pair, s);
}

/* Own groups in pairs, each once, names rising; those of all ranks are in that order, too. */
static hp_status share_groups(search *s) {
  enum { WORDS = sizeof(group) / sizeof(int64_t) };
  const hp_grid *g = s->g;
  group *mine = NULL;
  int64_t count = 0, begin, all;
  for (int64_t n = 0; n < s->nall; ++n)
    for (int end = 0; end < 2; ++end) {
      const int64_t name = end == 0 ? s->all[n].a : s->all[n].b, m = hp_grid_place(g, name);
      if (!is_own(g, name) || (s->kind[m] & SHARED) != 0) continue;
      s->kind[m] |= SHARED;
      count += 1;
    }
  HP_TRY(HP_ALLOC(mine, count));
  count = 0;
  for (int64_t m = 0; m < g->owned; ++m)
    if ((s->kind[m] & SHARED) != 0) mine[count++] = (group){g->first + m, s->cells[m], (s->kind[m] & RIGID) != 0};
  hp_status status = hp_spread_number(g->spread, count, &begin, &all);
  if (status == HP_OK) status = HP_ALLOC(s->shared, all);
  if (status == HP_OK) status = hp_spread_distribute(g->spread, mine, count, WORDS, keep_group, s);
  HP_FREE(mine);
  return status;
}

static int64_t place_of(const search *s, int64_t name) {
  const group key = {.name = name};
  const group *at = bsearch(&key, s->shared, (size_t)s->nshared, sizeof key, by_name);
  return at - s->shared;
}

/* The first of groups that are one gets what all of them have; the others are not rigid. */
static hp_status join_groups(search *s) {
  HP_TRY(HP_ALLOC(s->together, s->nshared));
  for (int64_t n = 0; n < s->nshared; ++n) s->together[n] = n;
  for (int64_t n = 0; n < s->nall; ++n) unite(s->together, place_of(s, s->all[n].a), place_of(s, s->all[n].b));
  for (int64_t n = 0; n < s->nshared; ++n) {
    group *of = &s->shared[first_of(s->together, n)], *one = &s->shared[n];
    if (of == one) continue;
    of->cells += one->cells;
    of->rigid = of->rigid && one->rigid;
    one->rigid = false;
  }
  return HP_OK;
}

/* ---- what is held ---- */

static hp_status hold(hp_reservoir *r, int64_t m) {
  if (r->held == NULL) {
    HP_TRY(HP_ALLOC(r->held, r->ncell));
    memcpy(r->held, r->active, (size_t)r->ncell);
    r->active = r->held;
  }
  r->held[m] = HP_CELL_HELD;
  return HP_OK;
}

/* A group whose first cell is own cell m. */
static hp_status hold_group(search *s, int64_t m, int64_t cells, hp_held *out) {
  HP_TRY(hold(s->r, m));
  if (out->groups == 0 || s->g->first + m < out->first) {
    out->first = s->g->first + m;
    out->size = cells;
  }
  out->groups += 1;
  out->cells += cells;
  return HP_OK;
}

static hp_status hold_own(search *s, hp_held *out) {
  const hp_grid *g = s->g;
  for (int64_t m = 0; m < g->owned; ++m)
    if (s->first[m] == m && s->kind[m] == RIGID) HP_TRY(hold_group(s, m, s->cells[m], out));
  for (int64_t n = 0; n < s->nshared; ++n) {
    const group *of = &s->shared[n];
    if (of->rigid && is_own(g, of->name)) HP_TRY(hold_group(s, hp_grid_place(g, of->name), of->cells, out));
  }
  return HP_OK;
}

/* Those of all ranks. */
static hp_status add_up(hp_spread *P, hp_held *out) {
  const int64_t own = out->first;
  double first = out->groups > 0 ? (double)own : INFINITY;
  HP_TRY(hp_spread_min(P, &first, 1));
  out->first = isfinite(first) ? (int64_t)first : -1;
  int64_t sum[3] = {out->groups, out->cells, out->groups > 0 && own == out->first ? out->size : 0};
  HP_TRY(hp_spread_sum(P, sum, 3));
  out->groups = sum[0];
  out->cells = sum[1];
  out->size = sum[2];
  return HP_OK;
}

static hp_status find(search *s, int64_t nopen, const int64_t *open, hp_held *out) {
  bool any = false;
  HP_TRY(find_own(s, nopen, open, &any));
  HP_TRY(hp_spread_any(s->g->spread, &any));
  if (!any) return HP_OK;
  if (s->g->spread != NULL) {
    HP_TRY(share_pairs(s));
    HP_TRY(share_groups(s));
    HP_TRY(join_groups(s));
  }
  HP_TRY(hold_own(s, out));
  return add_up(s->g->spread, out);
}

hp_status hp_reservoir_hold(const hp_grid *g, hp_reservoir *r, int64_t nopen, const int64_t *open, hp_held *out) {
  search s = {.g = g, .r = r};
  bool may = may_be_rigid(r);
  *out = (hp_held){.first = -1};
  HP_TRY(hp_spread_any(g->spread, &may));
  if (!may) return HP_OK;
  const hp_status status = find(&s, nopen, open, out);
  destroy(&s);
  return status;
}
