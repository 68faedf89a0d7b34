/* Nodes of a grid by corners whose cells do not meet at common ones, as at faults: each cell's own corners, those at one
 * place of a pillar as one node. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "io/results/impl.h"

enum { CORNERS = 8, PLACE = 3, ROUND = 4 };

typedef struct {
  double at[PLACE]; /* x, y, depth */
  double height;    /* of the cell at its pillar */
  int64_t corner;   /* CORNERS m + c of cell m */
} corner;

static int by_depth(const void *x, const void *y) {
  const corner *a = x, *b = y;
  for (int d = PLACE - 1; d >= 0; --d)
    if (a->at[d] != b->at[d]) return a->at[d] > b->at[d] ? 1 : -1;
  return (a->corner > b->corner) - (a->corner < b->corner);
}

/* The corners of active cells on pillar (i, j); room: 2 nz ROUND of them. */
static int64_t gather(const hp_case *c, int i, int j, corner *out) {
  const hp_grid *g = c->grid;
  const hp_corners corners = hp_case_corners(c);
  int64_t count = 0;
  for (int around = 0; around < ROUND; ++around) {
    const int di = around & 1, dj = around >> 1, ci = i - di, cj = j - dj;
    if (ci < 0 || ci >= g->nx || cj < 0 || cj >= g->ny) continue;
    for (int k = 0; k < g->nz; ++k) {
      const int64_t m = hp_grid_cell(g, ci, cj, k);
      if (!g->active[m]) continue;
      const hp_hexahedron cell = hp_corners_cell(&corners, ci, cj, k);
      for (int dk = 0; dk < 2; ++dk) {
        const int n = di + 2 * dj + 4 * dk;
        memcpy(out[count].at, cell.at[n], sizeof out[count].at);
        out[count].height = cell.at[di + 2 * dj + 4][2] - cell.at[di + 2 * dj][2];
        out[count++].corner = CORNERS * m + n;
      }
    }
  }
  return count;
}

/* Whether corners of layers with different pillars meet at one of them. */
static bool stands_apart(const hp_case *c, int i, int j) {
  const hp_corners corners = hp_case_corners(c);
  for (int n = 1; n < c->systems.count; ++n) {
    const int k = c->systems.at[n].first;
    const double *above = hp_corners_pillar(&corners, i, j, k - 1), *below = hp_corners_pillar(&corners, i, j, k);
    if (memcmp(above, below, 6 * sizeof *above) != 0) return true;
  }
  return false;
}

/* Whether corners of one number of layer on the pillar are further apart than what the reader takes for one place. */
static bool parts(const hp_case *c, int64_t count, const corner *at, double *first) {
  const int nz = c->grid->nz;
  for (int k = 0; k <= nz; ++k) first[k] = NAN;
  for (int64_t n = 0; n < count; ++n) {
    const int layer = (int)(at[n].corner / CORNERS % nz) + (at[n].corner % CORNERS >= ROUND ? 1 : 0);
    if (isnan(first[layer])) first[layer] = at[n].at[2];
    else if (fabs(first[layer] - at[n].at[2]) > 1e-4 * at[n].height + 1e-9 * fabs(first[layer])) return true;
  }
  return false;
}

typedef struct {
  corner *at;    /* of a pillar */
  double *first; /* [nz+1] */
} work;

static bool is_split(const hp_case *c, const work *w) {
  for (int j = 0; j <= c->grid->ny; ++j)
    for (int i = 0; i <= c->grid->nx; ++i)
      if (stands_apart(c, i, j) || parts(c, gather(c, i, j, w->at), w->at, w->first)) return true;
  return false;
}

/* Numbers the nodes of all pillars; place NULL: only counts them. */
static int64_t number_all(const hp_case *c, const work *w, int32_t *number, double *place) {
  int64_t nodes = 0;
  for (int j = 0; j <= c->grid->ny; ++j)
    for (int i = 0; i <= c->grid->nx; ++i) {
      const int64_t count = gather(c, i, j, w->at);
      qsort(w->at, (size_t)count, sizeof *w->at, by_depth);
      for (int64_t n = 0; n < count; ++n) {
        const double *p = w->at[n].at;
        nodes += n == 0 || memcmp(p, w->at[n - 1].at, sizeof w->at[n].at) != 0;
        if (place == NULL) continue;
        double *to = place + PLACE * (nodes - 1);
        to[0] = p[0], to[1] = p[1], to[2] = -p[2];
        number[w->at[n].corner] = (int32_t)(nodes - 1);
      }
    }
  return nodes;
}

static hp_status number_nodes(const hp_case *c, const work *w, hp_output_nodes *out) {
  out->count = number_all(c, w, NULL, NULL);
  if (out->count > INT32_MAX)
    return hp_fail(HP_ERR_UNSUPPORTED, "%lld nodes: a result file has room for 2147483647", (long long)out->count);
  HP_TRY(HP_ALLOC(out->number, CORNERS * c->grid->ncell));
  HP_TRY(HP_ALLOC(out->place, PLACE * out->count));
  number_all(c, w, out->number, out->place);
  return HP_OK;
}

hp_status hp_output_split_nodes(const hp_case *c, bool count_only, hp_output_nodes *out) {
  work w = {.at = NULL};
  memset(out, 0, sizeof *out);
  if (c->coord == NULL) return HP_OK;
  hp_status s = HP_ALLOC(w.at, 2 * ROUND * (int64_t)c->grid->nz);
  if (s == HP_OK) s = HP_ALLOC(w.first, (int64_t)c->grid->nz + 1);
  if (s == HP_OK && is_split(c, &w)) {
    if (count_only) out->count = number_all(c, &w, NULL, NULL);
    else s = number_nodes(c, &w, out);
  }
  HP_FREE(w.at);
  HP_FREE(w.first);
  if (s != HP_OK) hp_output_free_nodes(out);
  return s;
}

void hp_output_free_nodes(hp_output_nodes *n) {
  HP_FREE(n->number);
  HP_FREE(n->place);
  n->count = 0;
}
