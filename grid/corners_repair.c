/* Corners as decks have them: what is checked, what is repaired, sizes of cells. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "grid/corners.h"

static bool is_active(const hp_corners *c, const double *active, int i, int j, int k) {
  return active == NULL || active[i - c->first + (int64_t)c->nx * (j + (int64_t)c->ny * k)] != 0.0;
}

static double mean_thickness(const hp_corners *c, int i, int j, int k) {
  double sum = 0.0;
  for (int n = 0; n < 4; ++n) sum += 0.25 * (hp_corners_depth(c, i, j, k, n + 4) - hp_corners_depth(c, i, j, k, n));
  return sum;
}

bool hp_corners_upside_down(const hp_corners *c, const double *active, int cell[3], double *above) {
  for (int j = 0; j < c->ny; ++j)
    for (int i = c->first; i < c->first + c->nx; ++i)
      for (int k = 0; k < c->nz; ++k)
        for (int n = 0; n < 4 && is_active(c, active, i, j, k); ++n) {
          const double h = hp_corners_depth(c, i, j, k, n + 4) - hp_corners_depth(c, i, j, k, n);
          if (h >= 0.0) continue;
          cell[0] = i, cell[1] = j, cell[2] = k;
          *above = -h;
          return true;
        }
  return false;
}

typedef struct {
  const hp_corners *c;
  double *zcorn;
  const double *active;
  double tolerance, thickness; /* of all active cells */
  hp_corners_repair done;      /* of own columns */
} repair;

static bool is_own(const hp_corners *c, int i) { return i < c->first + c->nx - c->behind; }

static double *depth_at(const hp_corners *c, double *zcorn, int i, int j, int k, int n) {
  const int64_t row = 2 * (int64_t)c->nx, layer = row * 2 * c->ny;
  return &zcorn[(2 * k + n / 4) * layer + (2 * j + n / 2 % 2) * row + 2 * (i - c->first) + n % 2];
}

static void move_down(repair *r, int i, int j, int k, int n, double to) {
  double *z = depth_at(r->c, r->zcorn, i, j, k, n);
  const double step = to - *z;
  *z = to;
  if (!is_own(r->c, i)) return;
  if (r->done.corners++ == 0) r->done.cell[0] = i, r->done.cell[1] = j, r->done.cell[2] = k;
  r->done.largest = fmax(r->done.largest, step);
}

/* Layer k begins another system of pillars, whose corner n lies wherever it may beside those of the layer above. */
static bool begins_apart(const hp_corners *c, int i, int j, int k, int n) {
  int layers[2];
  if (k == 0 || hp_pillar_systems_of(&c->systems, k - 1) == hp_pillar_systems_of(&c->systems, k)) return false;
  hp_pillar_systems_beside(&c->systems, c->nz, k, layers);
  if (hp_pillar_systems_closed(&c->systems, k - 1) && layers[0] == k) return true;
  const double *above = hp_corners_pillar(c, i + n % 2, j + n / 2, k - 1);
  return memcmp(above, hp_corners_pillar(c, i + n % 2, j + n / 2, k), 6 * sizeof *above) != 0;
}

/* Down one corner of the active cells of a column: none lies above the one before it. */
static void repair_corner(repair *r, int i, int j, int n) {
  const hp_corners *c = r->c;
  int above = -1;
  for (int k = 0; k < c->nz; ++k) {
    if (begins_apart(c, i, j, k, n)) above = -1;
    if (!is_active(c, r->active, i, j, k)) continue;
    const double step = above >= 0 ? hp_corners_depth(c, i, j, above, n + 4) - hp_corners_depth(c, i, j, k, n) : 0.0;
    if (step > 0.0 && step > r->tolerance * fmax(mean_thickness(c, i, j, above), mean_thickness(c, i, j, k)))
      move_down(r, i, j, k, n, hp_corners_depth(c, i, j, above, n + 4));
    const double top = hp_corners_depth(c, i, j, k, n);
    if (hp_corners_depth(c, i, j, k, n + 4) < top) move_down(r, i, j, k, n + 4, top);
    above = k;
  }
}

/* Own columns, in the order of planes. */
static void add_thickness(void *arg) {
  repair *r = arg;
  const hp_corners *c = r->c;
  for (int i = c->first; i < c->first + c->nx && is_own(c, i); ++i)
    for (int j = 0; j < c->ny; ++j)
      for (int k = 0; k < c->nz; ++k)
        r->thickness += is_active(c, r->active, i, j, k) ? mean_thickness(c, i, j, k) : 0.0;
}

/* The first cell is that of the first row, there of the first plane: of columns, which are one rank's each. */
static hp_status unite(hp_spread *P, hp_corners_repair *done) {
  double row = done->corners > 0 ? done->cell[1] : INFINITY, plane = INFINITY;
  HP_TRY(hp_spread_min(P, &row, 1));
  if (done->corners > 0 && done->cell[1] == row) plane = done->cell[0];
  const double mine = plane;
  HP_TRY(hp_spread_min(P, &plane, 1));
  int64_t sums[2] = {done->corners, isfinite(mine) && mine == plane ? done->cell[2] : 0};
  HP_TRY(hp_spread_sum(P, sums, 2));
  HP_TRY(hp_spread_max(P, &done->largest, 1));
  done->corners = sums[0];
  if (sums[0] == 0) return HP_OK;
  done->cell[0] = (int)plane;
  done->cell[1] = (int)row;
  done->cell[2] = (int)sums[1];
  return HP_OK;
}

hp_status hp_corners_repair_columns(hp_spread *P, const hp_corners *c, double *zcorn, const double *active,
                                    double tolerance, hp_corners_repair *done) {
  repair r = {.c = c, .zcorn = zcorn, .active = active, .tolerance = tolerance};
  *done = r.done;
  HP_TRY(hp_spread_chain(P, &r.thickness, sizeof r.thickness, true, add_thickness, &r));
  if (!(r.thickness > 0.0)) return HP_OK;
  for (int j = 0; j < c->ny; ++j)
    for (int i = c->first; i < c->first + c->nx; ++i)
      for (int n = 0; n < 4; ++n) repair_corner(&r, i, j, n);
  *done = r.done;
  return unite(P, done);
}

/* Largest difference of rounded depths that are meant to be equal, over the depth: two to four units in the last place. */
static const double rounding = 2.0 * FLT_EPSILON;

static bool is_thin_by_rounding(const hp_corners *c, int i, int j, int k, bool *flat) {
  *flat = true;
  for (int n = 0; n < 4; ++n) {
    const double top = hp_corners_depth(c, i, j, k, n), bottom = hp_corners_depth(c, i, j, k, n + 4);
    if (!(fabs(bottom - top) <= rounding * fmax(fabs(top), fabs(bottom)))) return false;
    *flat = *flat && bottom == top;
  }
  return true;
}

hp_status hp_corners_flatten_rounded(hp_spread *P, const hp_corners *c, double *zcorn, const double *active,
                                     int64_t *flat) {
  *flat = 0;
  for (int j = 0; j < c->ny; ++j)
    for (int i = c->first; i < c->first + c->nx; ++i)
      for (int k = 0; k < c->nz; ++k) {
        bool flat_already;
        if (!is_active(c, active, i, j, k) || !is_thin_by_rounding(c, i, j, k, &flat_already) || flat_already) continue;
        for (int n = 0; n < 4; ++n) *depth_at(c, zcorn, i, j, k, n + 4) = *depth_at(c, zcorn, i, j, k, n);
        *flat += is_own(c, i);
      }
  return hp_spread_sum(P, flat, 1);
}

void hp_corners_sizes(const hp_corners *c, int i, int j, int k, bool active, double size[3], double *top) {
  const hp_hexahedron cell = hp_corners_cell(c, i, j, k);
  double middle[3];
  for (int d = 0; d < HP_DIRS; ++d) {
    const double length = hp_hexahedron_size(&cell, HP_DIR_I - d);
    size[d] = length > 0.0 || d == 2 || active ? length : 1e-6;
  }
  hp_hexahedron_face_centre(&cell, HP_DIR_K, false, middle);
  *top = middle[2];
}
