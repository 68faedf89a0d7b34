/* Where wells run, as polylines for the picture: the deck's path, or the
 * centres of the perforated cells, from a little above the grid down. */
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "sim/simulator/well_paths.h"

static hp_status copy_path(const hp_well_spec *spec, double (**point)[3], int *n) {
  *n = spec->npath;
  HP_TRY(HP_ALLOC(*point, spec->npath));
  memcpy(*point, spec->path, (size_t)spec->npath * sizeof **point);
  return HP_OK;
}

/* Where the cell of the well's perforation q has its centre on a map. */
static void find_column(const hp_case *c, const hp_well_spec *spec, int q, double *x, double *y) {
  const hp_perf_spec *p = &spec->perf[q];
  const double *place = c->facts.perf_place;
  if (place != NULL) {
    for (const hp_well_spec *before = c->well; before < spec; ++before) place += 2 * (int64_t)before->nperf;
    *x = place[2 * (int64_t)q];
    *y = place[2 * (int64_t)q + 1];
    return;
  }
  if (c->coord != NULL) {
    const hp_corners corners = hp_case_corners(c);
    const hp_hexahedron cell = hp_corners_cell(&corners, p->i, p->j, p->k);
    double centre[3];
    hp_hexahedron_centre(&cell, centre);
    *x = centre[0];
    *y = centre[1];
    return;
  }
  *x = 0.5 * (c->x[p->i] + c->x[p->i + 1]);
  *y = 0.5 * (c->y[p->j] + c->y[p->j + 1]);
}

/* Top of the head's column less a tenth of the grid's thickness, then the cells. */
static hp_status follow_cells(const hp_case *c, const hp_well_spec *spec, double (**point)[3], int *n) {
  const hp_grid *g = c->grid;
  const double *heads = c->facts.well_top;
  *n = 0;
  if (spec->nperf == 0) return HP_OK;
  HP_TRY(HP_ALLOC(*point, spec->nperf + 3));
  double(*at)[3] = *point;
  const double above = 0.1 * (c->z[g->nz] - c->z[0]);
  for (int q = 0; q < spec->nperf; ++q) {
    const hp_perf_spec *p = &spec->perf[q];
    const hp_grid_rock m = hp_grid_rock_of(g, hp_grid_cell(g, p->i, p->j, p->k));
    double x, y;
    find_column(c, spec, q, &x, &y);
    const bool first = q == 0, last = q == spec->nperf - 1;
    if (first) {
      at[*n][0] = x;
      at[*n][1] = y;
      at[(*n)++][2] = (heads != NULL ? heads[spec - c->well] : c->top[p->j + (int64_t)g->ny * p->i]) - above;
    }
    at[*n][0] = x;
    at[*n][1] = y;
    at[(*n)++][2] = m.depth;
    if (last && p->dir == HP_DIR_K) {
      at[*n][0] = x;
      at[*n][1] = y;
      at[(*n)++][2] = m.depth + 0.5 * m.dz;
    }
  }
  return HP_OK;
}

/* Whether the first control that opens the well makes it an injector. */
static bool injects(const hp_case *c, int well) {
  const hp_well_control *first = hp_case_first_control(c, well);
  return first != NULL && first->injector;
}

static hp_status list_connections(const hp_grid *g, const hp_wells *W, int w, hp_well_path *path) {
  const int count = (int)(W->begin[w + 1] - W->begin[w]);
  int(*ijk)[3];
  HP_TRY(HP_ALLOC(ijk, count));
  for (int q = 0; q < count; ++q) hp_grid_ijk(g, W->cell[W->begin[w] + q], ijk[q]);
  path->nperf = count;
  path->perf = (const int(*)[3])ijk;
  path->nsegment = (int)(W->segment_begin[w + 1] - W->segment_begin[w]);
  int *number;
  HP_TRY(HP_ALLOC(number, path->nsegment));
  for (int s = 0; s < path->nsegment; ++s) number[s] = W->segment[W->segment_begin[w] + s].number;
  path->segment = number;
  return HP_OK;
}

hp_status hp_well_paths_create(const hp_case *c, const hp_wells *W, hp_well_path **out) {
  HP_TRY(HP_ALLOC(*out, c->nwell));
  for (int w = 0; w < c->nwell; ++w) {
    const hp_well_spec *spec = &c->well[w];
    hp_well_path *path = &(*out)[w];
    double(*point)[3] = NULL;
    path->name = spec->name;
    path->injector = injects(c, w);
    HP_TRY(spec->npath >= 2 ? copy_path(spec, &point, &path->n) : follow_cells(c, spec, &point, &path->n));
    path->point = (const double(*)[3])point;
    HP_TRY(list_connections(c->grid, W, w, path));
  }
  return HP_OK;
}

void hp_well_paths_destroy(hp_well_path **paths, int nwell) {
  for (int w = 0; *paths != NULL && w < nwell; ++w) {
    HP_FREE((*paths)[w].point);
    HP_FREE((*paths)[w].perf);
    HP_FREE((*paths)[w].segment);
  }
  HP_FREE(*paths);
}
