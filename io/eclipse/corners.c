/* Corner point grids (COORD, ZCORN): read, checked, and made into the deck's arrays. What cells, volumes and half
 * transmissibilities are: grid/corners.h; across faults: grid/faults.h.
 */
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "grid/corners.h"
#include "io/config/config.h"
#include "io/eclipse/impl.h"

hp_status hp_ecl_do_coord(hp_ecl *e, const hp_ecl_record *record) {
  (void)record;
  e->corners = true;
  e->corners_file = e->file;
  e->corners_line = e->line;
  if (e->unsized || e->resized) return hp_ecl_skip_numbers(e);
  const int64_t count = 6 * (int64_t)(e->nx + 1) * (e->ny + 1);
  HP_FREE(e->coord);
  HP_TRY(HP_ALLOC(e->coord, count));
  return hp_ecl_read_numbers(e, HP_UNIT_LENGTH, count, e->coord);
}

hp_status hp_ecl_do_zcorn(hp_ecl *e, const hp_ecl_record *record) {
  (void)record;
  e->corners = true;
  e->corners_file = e->file;
  e->corners_line = e->line;
  if (e->unsized || e->resized) return hp_ecl_skip_numbers(e);
  const int64_t count = 8 * (int64_t)e->nx * e->ny * e->nz;
  HP_FREE(e->zcorn);
  HP_TRY(HP_ALLOC(e->zcorn, count));
  return hp_ecl_read_numbers(e, HP_UNIT_LENGTH, count, e->zcorn);
}

static hp_corners corners(const hp_ecl *e) {
  return (hp_corners){.nx = e->nx, .ny = e->ny, .nz = e->nz, .coord = e->coord, .zcorn = e->zcorn};
}

static double zcorn(const hp_ecl *e, int i, int j, int k, int n) {
  const hp_corners c = corners(e);
  return hp_corners_depth(&c, i, j, k, n);
}

/* what stops the run */

static bool is_active(const hp_ecl *e, int i, int j, int k) {
  const double *actnum = e->array[HP_ECL_ACTNUM].value;
  return actnum == NULL || actnum[i + (int64_t)e->nx * (j + (int64_t)e->ny * k)] != 0.0;
}

static double mean_thickness(const hp_ecl *e, int i, int j, int k) {
  double sum = 0.0;
  for (int n = 0; n < 4; ++n) sum += 0.25 * (zcorn(e, i, j, k, n + 4) - zcorn(e, i, j, k, n));
  return sum;
}

static hp_status check_cell(hp_ecl *e, int i, int j, int k) {
  for (int n = 0; n < 4; ++n) {
    const double h = zcorn(e, i, j, k, n + 4) - zcorn(e, i, j, k, n);
    if (!(h >= 0.0))
      return hp_ecl_error(e, e->corners_file, e->corners_line,
                          "ZCORN: cell (%d,%d,%d): its bottom lies %.6g %s above its top; depths are "
                          "positive down",
                          i + 1, j + 1, k + 1, -h / e->units.factor[HP_UNIT_LENGTH], e->units.label[HP_UNIT_LENGTH]);
  }
  return HP_OK;
}

static hp_status check(hp_ecl *e) {
  for (int j = 0; j < e->ny; ++j)
    for (int i = 0; i < e->nx; ++i)
      for (int k = 0; k < e->nz; ++k)
        if (is_active(e, i, j, k)) HP_TRY(check_cell(e, i, j, k));
  return HP_OK;
}

/* what is repaired */

typedef struct {
  int64_t corners;
  int cell[3];    /* the first one, 0-based */
  double largest; /* [m] that one is moved */
} repair;

static void move_down(hp_ecl *e, int i, int j, int k, int n, double to, repair *r) {
  const int64_t row = 2 * (int64_t)e->nx, layer = row * 2 * e->ny;
  double *z = &e->zcorn[(2 * k + n / 4) * layer + (2 * j + n / 2 % 2) * row + 2 * i + n % 2];
  if (r->corners++ == 0) r->cell[0] = i, r->cell[1] = j, r->cell[2] = k;
  r->largest = fmax(r->largest, to - *z);
  *z = to;
}

/* Down one corner of the active cells of a column: none lies above the one before it. Tops that come within the limit
 * at which corners match stay. */
static void repair_corner(hp_ecl *e, int i, int j, int n, repair *r) {
  int above = -1;
  for (int k = 0; k < e->nz; ++k) {
    if (!is_active(e, i, j, k)) continue;
    const double step = above >= 0 ? zcorn(e, i, j, above, n + 4) - zcorn(e, i, j, k, n) : 0.0;
    if (step > 0.0 && step > HP_CASE_MATCH * fmax(mean_thickness(e, i, j, above), mean_thickness(e, i, j, k)))
      move_down(e, i, j, k, n, zcorn(e, i, j, above, n + 4), r);
    const double top = zcorn(e, i, j, k, n);
    if (zcorn(e, i, j, k, n + 4) < top) move_down(e, i, j, k, n + 4, top, r);
    above = k;
  }
}

/* Cells that overlap, or stand on their heads at a corner, as decks of fields have them. A grid that does as a whole is
 * left to be reported. */
static void repair_columns(hp_ecl *e) {
  double thickness = 0.0;
  repair r = {0};
  for (int j = 0; j < e->ny; ++j)
    for (int i = 0; i < e->nx; ++i)
      for (int k = 0; k < e->nz; ++k) thickness += is_active(e, i, j, k) ? mean_thickness(e, i, j, k) : 0.0;
  if (!(thickness > 0.0)) return;
  for (int j = 0; j < e->ny; ++j)
    for (int i = 0; i < e->nx; ++i)
      for (int n = 0; n < 4; ++n) repair_corner(e, i, j, n, &r);
  if (r.corners > 0)
    hp_ecl_note(
        e, e->corners_file, e->corners_line,
        "ZCORN: %lld corner%s above the one before, the first of cell (%d,%d,%d), by at most %.6g %s: moved down to it",
        (long long)r.corners, r.corners == 1 ? " lies" : "s lie", r.cell[0] + 1, r.cell[1] + 1, r.cell[2] + 1,
        r.largest / e->units.factor[HP_UNIT_LENGTH], e->units.label[HP_UNIT_LENGTH]);
}

/* into the deck's arrays, and into the case */

hp_status hp_ecl_corner_sizes(hp_ecl *e) {
  static const hp_ecl_array_id given[] = {HP_ECL_DX, HP_ECL_DY, HP_ECL_DZ, HP_ECL_TOPS};
  if (!e->corners || e->unsized) return HP_OK;
  if (hp_ecl_claims_cells(e))
    return hp_ecl_error(e, e->corners_file, e->corners_line,
                        "the grid is given by its corners (COORD, ZCORN): options about grid cannot be "
                        "laid over it");
  if (e->coord == NULL || e->zcorn == NULL)
    return hp_ecl_missing(e, HP_ECL_GRID, e->coord == NULL ? "COORD" : "ZCORN",
                          e->coord == NULL ? "COORD is missing beside ZCORN" : "ZCORN is missing beside COORD");
  for (int n = 0; n < 4; ++n) {
    const hp_ecl_array *a = &e->array[given[n]];
    if (a->value != NULL || (n < 3 && e->sizes[n] != NULL))
      return hp_ecl_error(e, a->file != NULL ? a->file : e->c->deck, a->line, "%s and COORD are both given",
                          hp_ecl_array_name(given[n]));
    HP_TRY(hp_ecl_array_make(e, given[n]));
    e->array[given[n]].file = e->corners_file;
    e->array[given[n]].line = e->corners_line;
  }
  repair_columns(e);
  HP_TRY(check(e));
  const hp_corners grid = corners(e);
  for (int k = 0; k < e->nz; ++k)
    for (int j = 0; j < e->ny; ++j)
      for (int i = 0; i < e->nx; ++i) {
        const int64_t m = i + (int64_t)e->nx * (j + (int64_t)e->ny * k);
        const hp_hexahedron c = hp_corners_cell(&grid, i, j, k);
        double top[3], size[3];
        for (int d = 0; d < HP_DIRS; ++d) size[d] = hp_hexahedron_size(&c, HP_DIR_I - d);
        hp_hexahedron_face_centre(&c, HP_DIR_K, false, top);
        for (int d = 0; d < 3; ++d) /* a flat cell has no pore volume; its size only draws it */
          e->array[given[d]].value[m] = size[d] > 0.0 || (d < 2 && is_active(e, i, j, k)) ? size[d] : 1e-6;
        e->array[HP_ECL_TOPS].value[m] = top[2];
      }
  return HP_OK;
}

/* blocks */

/* Sizes along i (d 0) or j (1) are the same in all rows and layers. */
static bool is_even(const hp_ecl *e, int d) {
  const double *size = e->array[d == 0 ? HP_ECL_DX : HP_ECL_DY].value;
  const int64_t cells = (int64_t)e->nx * e->ny * e->nz;
  for (int64_t m = 0; m < cells; ++m) {
    const double first = size[d == 0 ? m % e->nx : m / e->nx % e->ny * e->nx];
    if (fabs(size[m] - first) > 1e-6 * first) return false;
  }
  return true;
}

/* All columns have the tops and thicknesses of the first one. */
static bool line_up(const hp_ecl *e) {
  const double *tops = e->array[HP_ECL_TOPS].value, *dz = e->array[HP_ECL_DZ].value;
  const int64_t layer = (int64_t)e->nx * e->ny;
  for (int64_t m = 0; m < layer * e->nz; ++m) {
    const int64_t first = m / layer * layer;
    if (fabs(tops[m] - tops[first]) > 1e-6 * dz[first] || fabs(dz[m] - dz[first]) > 1e-6 * dz[first]) return false;
  }
  return true;
}

/* Upright pillars at the sums of DX and DY. */
static void stand_pillars(const hp_ecl *e, double *coord) {
  const double *dx = e->array[HP_ECL_DX].value, *dy = e->array[HP_ECL_DY].value;
  double y = 0.0;
  for (int j = 0; j <= e->ny; ++j) {
    double x = 0.0;
    for (int i = 0; i <= e->nx; ++i, coord += 6) {
      coord[0] = coord[3] = x;
      coord[1] = coord[4] = y;
      coord[5] = 1.0;
      x += i < e->nx ? dx[i] : 0.0;
    }
    y += j < e->ny ? dy[(int64_t)j * e->nx] : 0.0;
  }
}

static void lay_blocks(const hp_ecl *e, double *zcorn) {
  const double *tops = e->array[HP_ECL_TOPS].value, *dz = e->array[HP_ECL_DZ].value;
  for (int k = 0; k < 2 * e->nz; ++k)
    for (int j = 0; j < 2 * e->ny; ++j)
      for (int i = 0; i < 2 * e->nx; ++i) {
        const int64_t m = i / 2 + (int64_t)e->nx * (j / 2 + (int64_t)e->ny * (k / 2));
        *zcorn++ = tops[m] + (k % 2 == 1 ? dz[m] : 0.0);
      }
}

hp_status hp_ecl_block_corners(hp_ecl *e) {
  if (!e->newtran || e->corners || line_up(e)) return HP_OK;
  if (!is_even(e, 0) || !is_even(e, 1))
    return hp_ecl_error_at(e, "NEWTRAN",
                           "cells of neighbouring columns do not line up, and DX varies along j or k, or DY along i or "
                           "k: give COORD and ZCORN");
  if (hp_ecl_claims_cells(e))
    return hp_ecl_error_at(e, "NEWTRAN",
                           "cells of neighbouring columns do not line up: options about grid cannot be laid over it");
  HP_TRY(HP_ALLOC(e->coord, 6 * (int64_t)(e->nx + 1) * (e->ny + 1)));
  HP_TRY(HP_ALLOC(e->zcorn, 8 * (int64_t)e->nx * e->ny * e->nz));
  stand_pillars(e, e->coord);
  lay_blocks(e, e->zcorn);
  e->corners = true;
  e->corners_file = e->array[HP_ECL_TOPS].file;
  e->corners_line = e->array[HP_ECL_TOPS].line;
  repair_columns(e);
  return check(e);
}

hp_status hp_ecl_corner_fill(hp_ecl *e) {
  if (!e->corners) return HP_OK;
  e->c->coord = e->coord;
  e->c->zcorn = e->zcorn;
  e->coord = e->zcorn = NULL;
  HP_TRY(hp_ecl_close_gaps(e));
  return hp_case_fill_corners(e->c, HP_CASE_MATCH, &e->links);
}
