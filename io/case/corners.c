/* Derived from the corners of a grid's cells: depths, pore volumes, transmissibilities. */
#include <math.h>

#include "core/memory.h"
#include "grid/corners.h"
#include "io/case/case.h"

static double in_series(double a, double b) { return a > 0.0 && b > 0.0 ? 1.0 / (1.0 / a + 1.0 / b) : 0.0; }

static double half(const hp_case *c, const hp_corners *corners, const int at[3], int d, bool upper) {
  const hp_grid *g = c->grid;
  const int64_t m = hp_grid_cell(g, at[0], at[1], at[2]);
  const hp_hexahedron cell = hp_corners_cell(corners, at[0], at[1], at[2]);
  return g->perm[d][m] * hp_hexahedron_half(&cell, d, upper) * (d == HP_DIR_K ? 1.0 : g->ntg[m]);
}

static hp_status nothing_yet(const hp_grid *g, double **a) {
  if (*a != NULL) return HP_OK;
  HP_TRY(HP_ALLOC(*a, g->ncell));
  for (int64_t m = 0; m < g->ncell; ++m) (*a)[m] = NAN;
  return HP_OK;
}

hp_corners hp_case_corners(const hp_case *c) {
  const hp_grid *g = c->grid;
  return (hp_corners){.nx = g->nx, .ny = g->ny, .nz = g->nz, .coord = c->coord, .zcorn = c->zcorn};
}

double hp_case_corner_trans(const hp_case *c, int64_t m, int d) {
  const hp_grid *g = c->grid;
  const hp_corners corners = hp_case_corners(c);
  int at[3];
  hp_grid_ijk(g, m, at);
  const int other[3] = {at[0] + (d == HP_DIR_I), at[1] + (d == HP_DIR_J), at[2] + (d == HP_DIR_K)};
  if (other[0] == g->nx || other[1] == g->ny || other[2] == g->nz) return NAN;
  const double t = in_series(half(c, &corners, at, d, true), half(c, &corners, other, d, false));
  return t * (c->mult[d] != NULL ? c->mult[d][m] : 1.0);
}

hp_status hp_case_fill_corners(hp_case *c) {
  hp_grid *g = c->grid;
  const hp_corners corners = hp_case_corners(c);
  HP_TRY(nothing_yet(g, &c->porv));
  for (int d = 0; d < HP_DIRS; ++d) HP_TRY(nothing_yet(g, &c->tran[d]));
  for (int64_t m = 0; m < g->ncell; ++m) {
    int at[3];
    double middle[3];
    hp_grid_ijk(g, m, at);
    const hp_hexahedron own = hp_corners_cell(&corners, at[0], at[1], at[2]);
    hp_hexahedron_centre(&own, middle);
    g->depth[m] = middle[2];
    if (!g->active[m]) continue;
    if (isnan(c->porv[m]))
      c->porv[m] = hp_hexahedron_volume(&own) * g->porosity[m] * g->ntg[m] * (c->mult_pv != NULL ? c->mult_pv[m] : 1.0);
    for (int d = 0; d < HP_DIRS; ++d)
      if (isnan(c->tran[d][m])) c->tran[d][m] = hp_case_corner_trans(c, m, d);
  }
  return HP_OK;
}
