/* A deviated well's polyline cut by the cells it passes.
 *
 * Along each leg the parameters t where it crosses the planes between cells
 * are collected and sorted; between two crossings the leg is in one cell.
 * Lateral planes are those of the first layer's row and column (dx along j = 0,
 * dy along i = 0); the layers are those of the column at hand, so that tops
 * and thicknesses may vary from column to column.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "wells/wells.h"

typedef struct {
  hp_perf_spec *at;
  int count;
  double radius, skin;
} perf_list;

static int compare_double(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Index n with plane[n] <= v < plane[n+1], -1 outside. */
static int locate(const double *plane, int n, double v) {
  if (v < plane[0] || v >= plane[n]) return -1;
  int lo = 0, hi = n;
  while (hi - lo > 1) {
    const int mid = (lo + hi) / 2;
    if (v >= plane[mid]) lo = mid;
    else hi = mid;
  }
  return lo;
}

static int layer_at(const hp_grid *g, int i, int j, double depth) {
  for (int k = 0; k < g->nz; ++k) {
    const hp_grid_rock c = hp_grid_rock_of(g, hp_grid_cell(g, i, j, k));
    if (fabs(depth - c.depth) <= 0.5 * c.dz) return k;
  }
  return -1;
}

/* A path that comes back to a cell lengthens its entry. */
hp_status hp_well_path_add(hp_perf_spec **perf, int *count, const int ijk[3], const double length[HP_DIRS],
                           double radius, double skin) {
  for (int n = 0; n < *count; ++n) {
    hp_perf_spec *p = &(*perf)[n];
    if (p->i != ijk[0] || p->j != ijk[1] || p->k != ijk[2]) continue;
    for (int d = 0; d < HP_DIRS; ++d) p->length[d] += length[d];
    return HP_OK;
  }
  HP_TRY(HP_GROW(*perf, *count, 1));
  hp_perf_spec *p = &(*perf)[(*count)++];
  p->i = ijk[0];
  p->j = ijk[1];
  p->k = ijk[2];
  p->open = true;
  p->radius = radius;
  p->skin = skin;
  p->transmissibility = p->kh = p->r0 = NAN;
  p->dir = HP_DIR_K;
  for (int d = 0; d < HP_DIRS; ++d) {
    p->length[d] = length[d];
    if (p->length[d] > p->length[p->dir]) p->dir = d;
  }
  return HP_OK;
}

/* Parameters 0 < t < 1 where a + t d meets the planes; returns how many. */
static int crossings(const double *plane, int n, double a, double d, double *t) {
  int count = 0;
  for (int i = 0; d != 0.0 && i <= n; ++i) {
    const double x = (plane[i] - a) / d;
    if (x > 0.0 && x < 1.0) t[count++] = x;
  }
  return count;
}

typedef struct {
  double *x, *y;         /* [nx+1], [ny+1] planes [m] */
  double *lateral, *all; /* crossings: [nx+ny+4], [nz+3] */
  int64_t *cell;         /* [nx+ny] those along the first row and column */
} work;

static hp_status cut_leg(const hp_grid *g, const work *W, const double a[3], const double b[3], perf_list *list) {
  const double d[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
  int n = 0;
  W->lateral[n++] = 0.0;
  n += crossings(W->x, g->nx, a[0], d[0], W->lateral + n);
  n += crossings(W->y, g->ny, a[1], d[1], W->lateral + n);
  W->lateral[n++] = 1.0;
  qsort(W->lateral, (size_t)n, sizeof(double), compare_double);
  for (int c = 0; c + 1 < n; ++c) {
    const double t0 = W->lateral[c], t1 = W->lateral[c + 1], mid = 0.5 * (t0 + t1);
    const int i = locate(W->x, g->nx, a[0] + mid * d[0]), j = locate(W->y, g->ny, a[1] + mid * d[1]);
    if (t1 <= t0 || i < 0 || j < 0) continue;
    HP_TRY(hp_grid_learn_column(g, hp_grid_cell(g, i, j, 0)));
    int count = 0;
    W->all[count++] = t0;
    for (int k = 0; k <= g->nz && d[2] != 0.0; ++k) {
      const hp_grid_rock m = hp_grid_rock_of(g, hp_grid_cell(g, i, j, k < g->nz ? k : g->nz - 1));
      const double plane = k < g->nz ? m.depth - 0.5 * m.dz : m.depth + 0.5 * m.dz;
      const double t = (plane - a[2]) / d[2];
      if (t > t0 && t < t1) W->all[count++] = t;
    }
    W->all[count++] = t1;
    qsort(W->all, (size_t)count, sizeof(double), compare_double);
    for (int s = 0; s + 1 < count; ++s) {
      const double dt = W->all[s + 1] - W->all[s], at = 0.5 * (W->all[s] + W->all[s + 1]);
      const int k = layer_at(g, i, j, a[2] + at * d[2]);
      if (dt <= 1e-12 || k < 0) continue;
      const int ijk[3] = {i, j, k};
      const double length[HP_DIRS] = {
          [HP_DIR_I] = fabs(dt * d[0]), [HP_DIR_J] = fabs(dt * d[1]), [HP_DIR_K] = fabs(dt * d[2])};
      HP_TRY(hp_well_path_add(&list->at, &list->count, ijk, length, list->radius, list->skin));
    }
  }
  return HP_OK;
}

static hp_status cut_path(const hp_grid *g, work *W, int n, const double (*path)[3], perf_list *list) {
  HP_TRY(HP_ALLOC(W->x, g->nx + 1));
  HP_TRY(HP_ALLOC(W->y, g->ny + 1));
  HP_TRY(HP_ALLOC(W->lateral, g->nx + g->ny + 4));
  HP_TRY(HP_ALLOC(W->all, g->nz + 3));
  HP_TRY(HP_ALLOC(W->cell, g->nx + g->ny));
  for (int i = 0; i < g->nx; ++i) W->cell[i] = hp_grid_cell(g, i, 0, 0);
  for (int j = 0; j < g->ny; ++j) W->cell[g->nx + j] = hp_grid_cell(g, 0, j, 0);
  HP_TRY(hp_grid_gather(g, g->nx, W->cell, g->dx, W->x + 1));
  HP_TRY(hp_grid_gather(g, g->ny, W->cell + g->nx, g->dy, W->y + 1));
  for (int i = 0; i < g->nx; ++i) W->x[i + 1] += W->x[i];
  for (int j = 0; j < g->ny; ++j) W->y[j + 1] += W->y[j];
  for (int leg = 0; leg + 1 < n; ++leg) HP_TRY(cut_leg(g, W, path[leg], path[leg + 1], list));
  return HP_OK;
}

hp_status hp_well_path_cut(const hp_grid *g, int n, const double (*path)[3], double radius, double skin,
                           hp_perf_spec **perf, int *count) {
  perf_list list = {NULL, 0, radius, skin};
  work W = {.x = NULL};
  const hp_status s = cut_path(g, &W, n, path, &list);
  HP_FREE(W.x);
  HP_FREE(W.y);
  HP_FREE(W.lateral);
  HP_FREE(W.all);
  HP_FREE(W.cell);
  if (s != HP_OK) HP_FREE(list.at);
  *perf = list.at;
  *count = s == HP_OK ? list.count : 0;
  return s;
}

hp_status hp_well_perforations_of(const hp_grid *g, const hp_well_spec *w, hp_well_perforations *out) {
  *out = (hp_well_perforations){.at = w->perf, .count = w->nperf};
  if (w->npath < 2 || w->nperf > 0) return HP_OK;
  HP_TRY(
      hp_well_path_cut(g, w->npath, (const double(*)[3])w->path, w->path_radius, w->path_skin, &out->cut, &out->count));
  out->at = out->cut;
  return HP_OK;
}
