/* Nodes of a mesh whose cells do not line up: the mean of the corners that meet at each. */
#include <string.h>

#include "core/memory.h"
#include "io/case/case.h"

enum { CORNERS = 8, PLACE = 3, SUMS = PLACE + 1 /* and the weight */ };

/* Planes of nodes while cells are added; at the edges the sums of one rank go on to the next. */
typedef struct {
  const hp_case *c;
  int first;    /* plane of nodes that is held */
  double *sums; /* [planes][ny+1][nz+1][SUMS] */
  /* [ny nz] running low corners of blocks, then the first plane's sums, [ny+1][nz+1][SUMS]: from rank to rank */
  double *x;
  double *y; /* [nz] likewise, within a plane */
} averaging;

static int64_t plane_of(const hp_grid *g) { return (int64_t)(g->ny + 1) * (g->nz + 1); }

/* Adds the corners of cell i, j, k to the nodes they belong to. An inactive cell counts only where no active one meets: its
 * depth may be anything. */
static void add_corners(const averaging *a, int i, int j, int k, bool active, const hp_hexahedron *cell) {
  const hp_grid *g = a->c->grid;
  const double weight = active ? 1.0 : 1e-12;
  for (int c = 0; c < CORNERS; ++c) {
    const int di = c & 1, dj = (c >> 1) & 1, dk = (c >> 2) & 1;
    double *n = a->sums + SUMS * (k + dk + (g->nz + 1) * (int64_t)(j + dj) + plane_of(g) * (i + di - a->first));
    n[0] += weight * cell->at[c][0];
    n[1] += weight * cell->at[c][1];
    n[2] -= weight * cell->at[c][2];
    n[3] += weight;
  }
}

/* The block of the cell that stands at m with its low corner at x, y. */
static hp_hexahedron block(const hp_grid *g, int64_t m, double x, double y) {
  hp_hexahedron cell;
  for (int c = 0; c < CORNERS; ++c) {
    cell.at[c][0] = x + (c & 1) * g->dx[m];
    cell.at[c][1] = y + ((c >> 1) & 1) * g->dy[m];
    cell.at[c][2] = g->depth[m] + (((c >> 2) & 1) - 0.5) * g->dz[m];
  }
  return cell;
}

/* Own cells, in their order. */
static void add_cells(void *arg) {
  averaging *a = arg;
  const hp_case *c = a->c;
  const hp_grid *g = c->grid;
  const hp_corners corners = hp_case_corners(c);
  double *edge = a->x + (int64_t)g->ny * g->nz;
  const size_t plane = (size_t)(SUMS * plane_of(g)) * sizeof *edge;
  int64_t m = 0;
  if (g->planes.first > 0) memcpy(a->sums, edge, plane);
  for (int i = g->planes.first; i < g->planes.first + g->planes.owned; ++i) {
    memset(a->y, 0, (size_t)g->nz * sizeof *a->y);
    for (int j = 0; j < g->ny; ++j)
      for (int k = 0; k < g->nz; ++k, ++m) {
        double *row = &a->x[k + (int64_t)g->nz * j];
        const hp_hexahedron cell = c->coord != NULL ? hp_corners_cell(&corners, i, j, k) : block(g, m, *row, a->y[k]);
        add_corners(a, i, j, k, g->active[m], &cell);
        *row += g->dx[m];
        a->y[k] += g->dy[m];
      }
  }
  memcpy(edge, a->sums + SUMS * plane_of(g) * g->planes.owned, plane);
}

/* Twice the area of all columns seen from above, with the sign of the turn from i to j, is that of their diagonals.
 * top [nx+1][ny+1][2]: x, y of the nodes of the first layer. */
static bool turns_right(const hp_grid *g, const double *top) {
  const int64_t along = 2 * ((int64_t)g->ny + 1);
  double area = 0.0;
  for (int j = 0; j < g->ny; ++j)
    for (int i = 0; i < g->nx; ++i) {
      const double *at = top + along * i + 2 * j, *beside = at + 2;
      const double one[2] = {beside[along] - at[0], beside[along + 1] - at[1]};
      const double other[2] = {beside[0] - at[along], beside[1] - at[along + 1]};
      area += one[0] * other[1] - one[1] * other[0];
    }
  return area < 0.0;
}

/* Of all ranks' nodes: each number is one rank's. */
static hp_status look_from_above(const hp_grid *g, hp_case_nodes *N) {
  const int64_t row = g->ny + 1, count = 2 * (g->nx + 1) * row;
  double *top = NULL;
  HP_TRY(HP_ALLOC(top, count));
  for (int64_t n = 0; n < N->count * row; ++n)
    memcpy(top + 2 * (N->first * row + n), N->place + PLACE * n * (g->nz + 1), 2 * sizeof *top);
  const hp_status s = hp_spread_sum(g->spread, (int64_t *)(void *)top, count);
  N->downwards = s == HP_OK && turns_right(g, top);
  HP_FREE(top);
  return s;
}

static hp_status average(averaging *a, hp_case_nodes *N) {
  const hp_grid *g = a->c->grid;
  const int64_t plane = plane_of(g), edge = (int64_t)g->ny * g->nz + SUMS * plane;
  HP_TRY(HP_ALLOC(a->sums, SUMS * plane * (g->planes.owned + 1)));
  HP_TRY(HP_ALLOC(a->x, edge));
  HP_TRY(HP_ALLOC(a->y, g->nz));
  HP_TRY(hp_spread_chain(g->spread, a->x, edge * (int64_t)sizeof *a->x, false, add_cells, a));
  N->first = g->planes.first;
  N->count = g->planes.owned + (g->planes.owned == g->planes.held); /* the last plane is the last rank's */
  HP_TRY(HP_ALLOC_UNSET(N->place, PLACE * plane * N->count));
  for (int64_t n = 0; n < plane * N->count; ++n)
    for (int d = 0; d < PLACE; ++d) N->place[PLACE * n + d] = a->sums[SUMS * n + d] / a->sums[SUMS * n + PLACE];
  return HP_OK;
}

hp_status hp_case_mean_nodes(const hp_case *c, hp_case_nodes *out) {
  averaging a = {.c = c, .first = c->grid->planes.first};
  *out = (hp_case_nodes){.place = NULL};
  hp_status s = average(&a, out);
  HP_FREE(a.sums);
  HP_FREE(a.x);
  HP_FREE(a.y);
  if (s == HP_OK) s = look_from_above(c->grid, out);
  if (s != HP_OK) hp_case_nodes_clear(out);
  return s;
}

void hp_case_nodes_clear(hp_case_nodes *N) { HP_FREE(N->place); }
