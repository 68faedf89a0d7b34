/* Derived from the corners of a grid's cells: depths, pore volumes, transmissibilities, connections across faults. */
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "grid/corners.h"
#include "grid/faults.h"
#include "io/case/case.h"

double hp_case_corner_half(const hp_case *c, int64_t m, int d, bool upper) {
  const hp_corners corners = hp_case_corners(c);
  int at[3];
  hp_grid_ijk(c->grid, m, at);
  const hp_hexahedron cell = hp_corners_cell(&corners, at[0], at[1], at[2]);
  const int64_t here = hp_grid_place(c->grid, m);
  return c->grid->perm[d][here] * hp_hexahedron_half(&cell, d, upper) * (d == HP_DIR_K ? 1.0 : c->grid->ntg[here]);
}

static hp_status nothing_yet(const hp_grid *g, double **a) {
  if (*a != NULL) return HP_OK;
  HP_TRY(HP_ALLOC(*a, g->ncell));
  for (int64_t m = 0; m < g->ncell; ++m) (*a)[m] = NAN;
  return HP_OK;
}

hp_corners hp_case_corners(const hp_case *c) {
  const hp_grid *g = c->grid;
  return (hp_corners){.nx = g->planes.held,
                      .ny = g->ny,
                      .nz = g->nz,
                      .coord = c->coord,
                      .zcorn = c->zcorn,
                      .first = g->planes.first,
                      .behind = g->planes.held - g->planes.owned,
                      .systems = c->systems};
}

double hp_case_corner_trans(const hp_case *c, int64_t m, int d) {
  const hp_grid *g = c->grid;
  int at[3];
  hp_grid_ijk(g, m, at);
  const int other[3] = {at[0] + (d == HP_DIR_I), at[1] + (d == HP_DIR_J), at[2] + (d == HP_DIR_K)};
  const int end = g->planes.first + g->planes.held;
  if (other[0] == end || other[1] == g->ny || other[2] == g->nz) return NAN;
  if (d == HP_DIR_K && hp_pillar_systems_closed(&c->systems, at[2])) return 0.0;
  const double t = hp_grid_in_series(hp_case_corner_half(c, m, d, true),
                                     hp_case_corner_half(c, m + hp_grid_stride(g, d), d, false));
  return t * (c->mult[d] != NULL ? c->mult[d][hp_grid_place(g, m)] : 1.0);
}

/* ---- across faults ---- */

hp_status hp_case_link_add(hp_case_links *l, const hp_case_link *one) {
  HP_TRY(HP_GROW(l->at, l->count, 1));
  l->at[l->count++] = *one;
  return HP_OK;
}

void hp_case_links_clear(hp_case_links *l) {
  HP_FREE(l->at);
  l->count = 0;
}

/* Through the overlap of cell a's face towards +d and cell b's towards -d, without multipliers. */
static double trans_across(const hp_case *c, const hp_corners *corners, int64_t a, int64_t b, int d,
                           const double area[3]) {
  double half[2];
  for (int n = 0; n < 2; ++n) {
    const int64_t m = n == 0 ? a : b;
    int at[3];
    hp_grid_ijk(c->grid, m, at);
    const hp_hexahedron cell = hp_corners_cell(corners, at[0], at[1], at[2]);
    const int64_t here = hp_grid_place(c->grid, m);
    half[n] = c->grid->perm[d][here] * c->grid->ntg[here] * hp_hexahedron_half_across(&cell, d, n == 0, area);
  }
  return hp_grid_in_series(half[0], half[1]);
}

/* Between two columns with a fault: where the deck gives no number, faces of cells of the same k have what overlaps.
 * links: NULL, or for cells of different k. */
static hp_status fill_columns(hp_case *c, const hp_corners *corners, int i, int j, int d, const int layers[2],
                              const hp_overlaps *o, hp_case_links *links) {
  const hp_grid *g = c->grid;
  const int64_t first = hp_grid_cell(g, i, j, 0), next = first + hp_grid_stride(g, d);
  double *tran = c->tran[d] + hp_grid_place(g, first); /* of the column */
  const double *mult = c->mult[d] != NULL ? c->mult[d] + hp_grid_place(g, first) : NULL;
  int filled = layers[0]; /* cells from here on have no number for faces that do not overlap */
  for (int64_t n = 0; n < o->count; ++n) {
    const hp_overlap *one = &o->at[n];
    const int64_t a = first + one->k[0], b = next + one->k[1];
    if (one->whole) continue;
    const double t = trans_across(c, corners, a, b, d, one->area);
    if (one->k[0] != one->k[1]) {
      const hp_case_link link = {.a = a, .b = b, .d = d, .trans = t};
      if (links != NULL) HP_TRY(hp_case_link_add(links, &link));
      continue;
    }
    for (; filled < one->k[0]; ++filled)
      if (isnan(tran[filled])) tran[filled] = 0.0;
    filled = one->k[0] + 1;
    if (isnan(tran[one->k[0]])) tran[one->k[0]] = t * (mult != NULL ? mult[one->k[0]] : 1.0);
  }
  for (; !o->match && filled <= layers[1]; ++filled)
    if (isnan(tran[filled])) tran[filled] = 0.0;
  return HP_OK;
}

/* Down two columns, all layers at once that meet across faults (grid/pillars.h); `o` is scratch. */
static hp_status fill_sides(hp_case *c, const hp_corners *corners, int i, int j, int d, double tolerance,
                            hp_overlaps *o, hp_case_links *links) {
  for (int k = 0, layers[2]; k < c->grid->nz; k = layers[1] + 1) {
    hp_pillar_systems_beside(&c->systems, c->grid->nz, k, layers);
    HP_TRY(hp_corners_overlaps(corners, c->grid->active, i, j, d, layers, tolerance, o));
    HP_TRY(fill_columns(c, corners, i, j, d, layers, o, links));
  }
  return HP_OK;
}

static hp_status fill_faults(hp_case *c, double tolerance, hp_case_links *links) {
  const hp_grid *g = c->grid;
  const hp_corners corners = hp_case_corners(c);
  hp_overlaps o = {0};
  hp_status s = HP_OK;
  const int owned = g->planes.first + g->planes.owned, end = g->planes.first + g->planes.held;
  for (int i = g->planes.first; i < end && s == HP_OK; ++i)
    for (int j = 0; j < g->ny && s == HP_OK; ++j)
      for (int d = HP_DIR_J; d <= HP_DIR_I && s == HP_OK; ++d) {
        if (d == HP_DIR_I ? i == end - 1 : j == g->ny - 1) continue;
        s = fill_sides(c, &corners, i, j, d, tolerance, &o, i < owned ? links : NULL);
      }
  hp_overlaps_clear(&o);
  return s;
}

/* ---- all of it ---- */

/* Cells whose corners meet have no volume, where rounding would leave them some. */
static double volume_of(const hp_hexahedron *shape) {
  bool flat = true;
  for (int n = 0; n < 4 && flat; ++n) flat = shape->at[n][2] == shape->at[n + 4][2];
  return flat ? 0.0 : hp_hexahedron_volume(shape);
}

static void fill_cells(void *arg, int64_t begin, int64_t end) {
  hp_case *c = arg;
  hp_grid *g = c->grid;
  const hp_corners corners = hp_case_corners(c);
  for (int64_t m = begin; m < end; ++m) {
    int at[3];
    double middle[3];
    hp_grid_ijk(g, g->first + m, at);
    const hp_hexahedron shape = hp_corners_cell(&corners, at[0], at[1], at[2]);
    hp_hexahedron_centre(&shape, middle);
    g->depth[m] = middle[2];
    if (!g->active[m]) continue;
    if (isnan(c->porv[m]))
      c->porv[m] = volume_of(&shape) * g->porosity[m] * g->ntg[m] * (c->mult_pv != NULL ? c->mult_pv[m] : 1.0);
    for (int d = 0; d < HP_DIRS; ++d)
      if (isnan(c->tran[d][m])) c->tran[d][m] = hp_case_corner_trans(c, g->first + m, d);
  }
}

hp_status hp_case_fill_corners(hp_case *c, double tolerance, hp_case_links *links) {
  enum { GRAIN = 4096 };
  HP_TRY(nothing_yet(c->grid, &c->porv));
  for (int d = 0; d < HP_DIRS; ++d) HP_TRY(nothing_yet(c->grid, &c->tran[d]));
  HP_TRY(fill_faults(c, tolerance, links));
  hp_parallel(c->grid->ncell, GRAIN, fill_cells, c);
  return HP_OK;
}
