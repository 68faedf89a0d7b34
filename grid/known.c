/* Cells that others hold, by their numbers. */
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "grid/grid.h"

/* Bits of a double in an integer that ranks add up: one of them has it, the others 0. */
static int64_t bits_of(double v) {
  int64_t bits;
  memcpy(&bits, &v, sizeof bits);
  return bits;
}

/* Of an array whose entries from `first` on are here, `own` of them this rank's. */
static hp_status gather(hp_spread *P, int64_t first, int64_t owned, int64_t count, const int64_t *which,
                        const double *array, double *value) {
  int64_t *bits = NULL;
  HP_TRY(HP_ALLOC(bits, count));
  for (int64_t n = 0; n < count; ++n) {
    const int64_t at = which[n] - first;
    bits[n] = at >= 0 && at < owned ? bits_of(array[at]) : 0;
  }
  const hp_status s = hp_spread_sum(P, bits, count);
  if (s == HP_OK && count > 0) memcpy(value, bits, (size_t)count * sizeof *value);
  HP_FREE(bits);
  return s;
}

hp_status hp_grid_gather(const hp_grid *g, int64_t count, const int64_t *cell, const double *array, double *value) {
  return gather(g->spread, g->first, g->owned, count, cell, array, value);
}

hp_status hp_grid_gather_columns(const hp_grid *g, int64_t count, const int64_t *column, const double *array,
                                 double *value) {
  return gather(g->spread, g->first / g->nz, g->owned / g->nz, count, column, array, value);
}

static hp_grid_rock rock_here(const hp_grid *g, int64_t m) {
  const int64_t at = hp_grid_place(g, m);
  return (hp_grid_rock){.cell = m,
                        .dx = g->dx[at],
                        .dy = g->dy[at],
                        .dz = g->dz[at],
                        .depth = g->depth[at],
                        .ntg = g->ntg[at],
                        .perm = {g->perm[0][at], g->perm[1][at], g->perm[2][at]},
                        .active = g->active[at]};
}

/* By cell, each once. */
struct hp_grid_known {
  int64_t count;
  hp_grid_rock *at; /* [count] */
};

void hp_grid_known_destroy(struct hp_grid_known **known) {
  if (*known == NULL) return;
  HP_FREE((*known)->at);
  HP_FREE(*known);
}

static int by_cell(const void *x, const void *y) {
  const int64_t a = ((const hp_grid_rock *)x)->cell, b = ((const hp_grid_rock *)y)->cell;
  return (a > b) - (a < b);
}

static hp_grid_rock *find(const struct hp_grid_known *K, int64_t m) {
  const hp_grid_rock key = {.cell = m};
  return K != NULL && K->count > 0 ? bsearch(&key, K->at, (size_t)K->count, sizeof key, by_cell) : NULL;
}

/* Arrays go when parts have been made. */
hp_grid_rock hp_grid_rock_of(const hp_grid *g, int64_t m) {
  const hp_grid_rock *known = NULL;
  if (g->dx != NULL && hp_grid_holds(g, m)) return rock_here(g, m);
  known = find(g->known, m);
  return known != NULL ? *known : (hp_grid_rock){.cell = m};
}

/* New ones stand behind the others; then all in order, each as it was seen last. */
static void sort_in(struct hp_grid_known *K, int64_t more) {
  const int64_t all = K->count + more;
  int64_t kept = K->count;
  for (int64_t n = K->count; n < all; ++n) {
    hp_grid_rock *old = find(K, K->at[n].cell);
    if (old != NULL) *old = K->at[n];
    else K->at[kept++] = K->at[n];
  }
  if (kept == K->count) return;
  qsort(K->at, (size_t)kept, sizeof *K->at, by_cell);
  K->count = 0;
  for (int64_t n = 0; n < kept; ++n)
    if (n == 0 || K->at[n].cell != K->at[K->count - 1].cell) K->at[K->count++] = K->at[n];
}

/* As words, each of which one rank has and the others 0. */
hp_status hp_grid_learn(const hp_grid *g, int64_t count, const int64_t *cell) {
  struct hp_grid_known *K = g->known;
  const int64_t words = sizeof *K->at / sizeof(int64_t);
  if (K == NULL || count == 0) return HP_OK;
  HP_TRY(HP_GROW(K->at, K->count, count));
  hp_grid_rock *at = K->at + K->count;
  memset(at, 0, (size_t)count * sizeof *at);
  for (int64_t n = 0; n < count; ++n) {
    const int64_t here = hp_grid_place(g, cell[n]);
    if (here >= 0 && here < g->owned) at[n] = rock_here(g, cell[n]);
  }
  HP_TRY(hp_spread_sum(g->spread, (int64_t *)(void *)at, count * words));
  sort_in(K, count);
  return HP_OK;
}

hp_status hp_grid_learn_column(const hp_grid *g, int64_t m) {
  int64_t *cell = NULL;
  if (g->known == NULL) return HP_OK;
  HP_TRY(HP_ALLOC(cell, g->nz));
  for (int k = 0; k < g->nz; ++k) cell[k] = m - m % g->nz + k;
  const hp_status s = hp_grid_learn(g, g->nz, cell);
  HP_FREE(cell);
  return s;
}

hp_status hp_grid_known_create(struct hp_grid_known **out) { return HP_ALLOC(*out, 1); }

/* The last plane of the rank before. */
typedef struct {
  hp_grid *g;
  uint8_t *plane; /* from rank to rank */
} border;

static void pass_on(void *arg) {
  const border *b = arg;
  const int64_t plane = (int64_t)b->g->ny * b->g->nz;
  memcpy(b->g->before, b->plane, (size_t)plane);
  memcpy(b->plane, b->g->active + b->g->owned - plane, (size_t)plane);
}

hp_status hp_grid_learn_before(hp_grid *g) {
  border b = {.g = g};
  const int64_t plane = (int64_t)g->ny * g->nz;
  if (g->spread == NULL) return HP_OK;
  if (g->before == NULL) HP_TRY(HP_ALLOC(g->before, plane));
  HP_TRY(HP_ALLOC(b.plane, plane));
  const hp_status s = hp_spread_chain(g->spread, b.plane, plane, false, pass_on, &b);
  HP_FREE(b.plane);
  return s;
}
