/* Nodes of a grid by corners whose cells do not meet at common ones, as at faults: each cell's own corners, those at one
 * place of a pillar as one node. Nodes are numbered pillar by pillar, along i, then along j. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "io/case/case.h"

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

/* The corners of active cells on pillar (i, j), around which all cells are held; room: 2 nz ROUND of them. */
static int64_t gather(const hp_case *c, int i, int j, corner *out) {
  const hp_grid *g = c->grid;
  const hp_corners corners = hp_case_corners(c);
  int64_t count = 0;
  for (int around = 0; around < ROUND; ++around) {
    const int di = around & 1, dj = around >> 1, ci = i - di, cj = j - dj;
    if (ci < 0 || ci >= g->nx || cj < 0 || cj >= g->ny) continue;
    for (int k = 0; k < g->nz; ++k) {
      const int64_t m = hp_grid_cell(g, ci, cj, k);
      if (!g->active[hp_grid_place(g, m)]) continue;
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
  int32_t *edge; /* [ny][nz][ROUND] numbers of the corners that the next rank's first cells have on its first pillars */
  int begin, end; /* pillars i = begin .. end - 1 are this rank's: all cells around them are held */
} work;

static bool is_split(const hp_case *c, const work *w) {
  for (int j = 0; j <= c->grid->ny; ++j)
    for (int i = w->begin; i < w->end; ++i)
      if (stands_apart(c, i, j) || parts(c, gather(c, i, j, w->at), w->at, w->first)) return true;
  return false;
}

/* The nodes of a pillar; number [CORNERS cells held], place [nodes]: NULL, they are only counted. */
static int64_t number_pillar(const hp_case *c, const work *w, int i, int j, int64_t node, int32_t *number,
                             double *place) {
  const int64_t count = gather(c, i, j, w->at);
  int64_t nodes = 0;
  qsort(w->at, (size_t)count, sizeof *w->at, by_depth);
  for (int64_t n = 0; n < count; ++n) {
    const double *p = w->at[n].at;
    nodes += n == 0 || memcmp(p, w->at[n - 1].at, sizeof w->at[n].at) != 0;
    if (place == NULL) continue;
    double *to = place + PLACE * (nodes - 1);
    to[0] = p[0], to[1] = p[1], to[2] = -p[2];
    number[w->at[n].corner - CORNERS * c->grid->first] = (int32_t)(node + nodes - 1);
  }
  return nodes;
}

/* out->begin: in the order of all pillars, each of which one rank has. */
static hp_status count_nodes(const hp_case *c, const work *w, hp_case_split *out) {
  const hp_grid *g = c->grid;
  const int64_t row = g->nx + 1, pillars = row * (g->ny + 1);
  HP_TRY(HP_ALLOC(out->begin, pillars + 1));
  for (int j = 0; j <= g->ny; ++j)
    for (int i = w->begin; i < w->end; ++i) out->begin[i + row * j + 1] = number_pillar(c, w, i, j, 0, NULL, NULL);
  HP_TRY(hp_spread_sum(g->spread, out->begin + 1, pillars));
  for (int64_t n = 0; n < pillars; ++n) out->begin[n + 1] += out->begin[n];
  out->count = out->begin[pillars];
  return HP_OK;
}

/* Corners of the first plane on pillars that the rank before has. */
typedef struct {
  const hp_grid *g;
  int32_t *number, *edge;
} border;

static void pass_numbers(void *arg) {
  const border *b = arg;
  const hp_grid *g = b->g;
  const int64_t plane = (int64_t)g->ny * g->nz;
  for (int64_t m = 0; m < plane && g->planes.first > 0; ++m)
    for (int n = 0; n < ROUND; ++n) b->number[CORNERS * m + 2 * n] = b->edge[ROUND * m + n];
  for (int64_t m = 0; m < plane && g->planes.held > g->planes.owned; ++m)
    for (int n = 0; n < ROUND; ++n) b->edge[ROUND * m + n] = b->number[CORNERS * (g->owned + m) + 2 * n];
}

static hp_status number_nodes(const hp_case *c, const work *w, hp_case_split *out) {
  const hp_grid *g = c->grid;
  const int64_t row = g->nx + 1, edge = ROUND * (int64_t)g->ny * g->nz;
  int64_t here = 0;
  if (out->count > INT32_MAX)
    return hp_fail(HP_ERR_UNSUPPORTED, "%lld nodes: a result file has room for 2147483647", (long long)out->count);
  for (int j = 0; j <= g->ny; ++j) here += out->begin[w->end + row * j] - out->begin[w->begin + row * j];
  HP_TRY(HP_ALLOC(out->number, CORNERS * g->ncell));
  HP_TRY(HP_ALLOC(out->place, PLACE * here));
  here = 0;
  for (int j = 0; j <= g->ny; ++j)
    for (int i = w->begin; i < w->end; ++i)
      here += number_pillar(c, w, i, j, out->begin[i + row * j], out->number, out->place + PLACE * here);
  border b = {g, out->number, w->edge};
  return hp_spread_chain(g->spread, w->edge, edge * (int64_t)sizeof *w->edge, false, pass_numbers, &b);
}

static hp_status split(const hp_case *c, bool count_only, work *w, hp_case_split *out) {
  const hp_grid *g = c->grid;
  HP_TRY(HP_ALLOC(w->at, 2 * ROUND * (int64_t)g->nz));
  HP_TRY(HP_ALLOC(w->first, (int64_t)g->nz + 1));
  HP_TRY(HP_ALLOC(w->edge, ROUND * (int64_t)g->ny * g->nz));
  bool any = is_split(c, w);
  HP_TRY(hp_spread_any(g->spread, &any));
  if (!any) return HP_OK;
  HP_TRY(count_nodes(c, w, out));
  return count_only ? HP_OK : number_nodes(c, w, out);
}

hp_status hp_case_split_nodes(const hp_case *c, bool count_only, hp_case_split *out) {
  const hp_spread_planes p = c->grid->planes;
  work w = {.begin = p.first + (p.first > 0), .end = p.first + p.owned + 1};
  memset(out, 0, sizeof *out);
  if (c->coord == NULL) return HP_OK;
  out->from = w.begin;
  out->to = w.end;
  const hp_status s = split(c, count_only, &w, out);
  HP_FREE(w.at);
  HP_FREE(w.first);
  HP_FREE(w.edge);
  if (s != HP_OK) hp_case_split_clear(out);
  return s;
}

void hp_case_split_places(const hp_case *c, int64_t first, int64_t count, double *place) {
  const hp_case_split *S = &c->facts.split;
  const int64_t row = c->grid->nx + 1;
  const double *at = S->place;
  for (int j = 0; j <= c->grid->ny; ++j) {
    const int64_t begin = S->begin[S->from + row * j], end = S->begin[S->to + row * j];
    const int64_t low = begin > first ? begin : first, high = end < first + count ? end : first + count;
    if (low < high)
      memcpy(place + PLACE * (low - first), at + PLACE * (low - begin), (size_t)(PLACE * (high - low)) * sizeof *place);
    at += PLACE * (end - begin);
  }
}

void hp_case_split_clear(hp_case_split *S) {
  HP_FREE(S->begin);
  HP_FREE(S->number);
  HP_FREE(S->place);
  S->count = 0;
}
