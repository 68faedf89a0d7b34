/* Corner point grids (COORD, ZCORN) whose neighbouring columns match.
 *
 *     COORD  a pillar for each corner of the columns: two points x, y, z
 *     ZCORN  the depth of each cell's eight corners on its four pillars
 *
 *          0-----1        corners of a cell: a + 2 b + 4 c, a along i, b along j, c down
 *         /|    /|
 *        2-----3 |        [2 nz][2 ny][2 nx] depths: 2 k + c, 2 j + b, 2 i + a
 *        | 4---|-5
 *        |/    |/
 *        6-----7
 *
 * A cell is the image of a cube under the trilinear map of its corners: volume
 * by Gauss's rule with two points a direction, which is exact for it. The face
 * towards a neighbour has the area vector A (half the cross product of its
 * diagonals) and its corners' mean as centre; from the cell's centre, the mean
 * of its corners, d goes there, and the half transmissibility is
 *     K |A.d| / d.d    times NTG in lateral directions
 * as Eclipse's NEWTRAN and OPM Flow have it. Sizes for Peaceman's formula are
 * the distances of opposite faces' centres, lateral ones in the plane.
 */
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "io/config.h"
#include "io/eclipse_impl.h"

typedef struct {
  double at[8][3]; /* x, y, depth [m] */
} cell;

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

static double zcorn(const hp_ecl *e, int i, int j, int k, int n) {
  const int64_t row = 2 * (int64_t)e->nx, layer = row * 2 * e->ny;
  return e->zcorn[(2 * k + n / 4) * layer + (2 * j + n / 2 % 2) * row + 2 * i + n % 2];
}

/* The point of depth z on the pillar at the corner (i, j) of the columns. */
static void on_pillar(const hp_ecl *e, int i, int j, double z, double out[3]) {
  const double *p = e->coord + 6 * (i + (int64_t)(e->nx + 1) * j);
  const double height = p[5] - p[2], t = height != 0.0 ? (z - p[2]) / height : 0.0;
  out[0] = p[0] + t * (p[3] - p[0]);
  out[1] = p[1] + t * (p[4] - p[1]);
  out[2] = z;
}

static cell corners_of(const hp_ecl *e, int i, int j, int k) {
  cell c;
  for (int n = 0; n < 8; ++n) on_pillar(e, i + n % 2, j + n / 2 % 2, zcorn(e, i, j, k, n), c.at[n]);
  return c;
}

/* geometry */

static void centre(const cell *c, double out[3]) {
  for (int x = 0; x < 3; ++x) {
    out[x] = 0.0;
    for (int n = 0; n < 8; ++n) out[x] += c->at[n][x] / 8.0;
  }
}

/* The corners of the face towards +d (upper) or -d, around it. */
static void face_corners(int d, bool upper, int out[4]) {
  static const int lower_face[HP_DIRS][4] = {
      [HP_DIR_K] = {0, 1, 3, 2}, [HP_DIR_J] = {0, 1, 5, 4}, [HP_DIR_I] = {0, 2, 6, 4}};
  static const int step[HP_DIRS] = {[HP_DIR_K] = 4, [HP_DIR_J] = 2, [HP_DIR_I] = 1};
  for (int n = 0; n < 4; ++n) out[n] = lower_face[d][n] + (upper ? step[d] : 0);
}

static void face_centre(const cell *c, int d, bool upper, double out[3]) {
  int n[4];
  face_corners(d, upper, n);
  for (int x = 0; x < 3; ++x) out[x] = 0.25 * (c->at[n[0]][x] + c->at[n[1]][x] + c->at[n[2]][x] + c->at[n[3]][x]);
}

static void cross(const double a[3], const double b[3], double out[3]) {
  for (int x = 0; x < 3; ++x) out[x] = a[(x + 1) % 3] * b[(x + 2) % 3] - a[(x + 2) % 3] * b[(x + 1) % 3];
}

/* A.d / d.d of the face [m]: the half transmissibility of rock of permeability 1. */
static double half(const cell *c, int d, bool upper) {
  int n[4];
  double a[3], b[3], area[3], from[3], to[3], dot = 0.0, square = 0.0;
  face_corners(d, upper, n);
  for (int x = 0; x < 3; ++x) {
    a[x] = c->at[n[2]][x] - c->at[n[0]][x];
    b[x] = c->at[n[3]][x] - c->at[n[1]][x];
  }
  cross(a, b, area);
  centre(c, from);
  face_centre(c, d, upper, to);
  for (int x = 0; x < 3; ++x) {
    dot += 0.5 * area[x] * (to[x] - from[x]);
    square += (to[x] - from[x]) * (to[x] - from[x]);
  }
  return square > 0.0 ? fabs(dot) / square : 0.0;
}

static double jacobian(const cell *c, const double t[3]) {
  double edge[3][3] = {{0.0}};
  for (int n = 0; n < 8; ++n) {
    const int up[3] = {n % 2, n / 2 % 2, n / 4};
    for (int d = 0; d < 3; ++d) {
      double weight = up[d] ? 1.0 : -1.0;
      for (int o = 0; o < 3; ++o)
        if (o != d) weight *= up[o] ? t[o] : 1.0 - t[o];
      for (int x = 0; x < 3; ++x) edge[d][x] += weight * c->at[n][x];
    }
  }
  double normal[3];
  cross(edge[0], edge[1], normal);
  return normal[0] * edge[2][0] + normal[1] * edge[2][1] + normal[2] * edge[2][2];
}

static double volume(const cell *c) {
  const double point[2] = {0.5 - 0.5 / sqrt(3.0), 0.5 + 0.5 / sqrt(3.0)};
  double sum = 0.0;
  for (int n = 0; n < 8; ++n) {
    const double t[3] = {point[n % 2], point[n / 2 % 2], point[n / 4]};
    sum += jacobian(c, t) / 8.0;
  }
  return fabs(sum);
}

static double size_along(const cell *c, int d) {
  double a[3], b[3];
  face_centre(c, d, false, a);
  face_centre(c, d, true, b);
  return d == HP_DIR_K ? b[2] - a[2] : hypot(b[0] - a[0], b[1] - a[1]);
}

/* what stops the run */

static bool is_active(const hp_ecl *e, int i, int j, int k) {
  const double *actnum = e->array[HP_ECL_ACTNUM].value;
  return actnum == NULL || actnum[i + (int64_t)e->nx * (j + (int64_t)e->ny * k)] != 0.0;
}

static hp_status check_cell(hp_ecl *e, int i, int j, int k) {
  double thickest = 0.0;
  for (int n = 0; n < 4; ++n) {
    const double h = zcorn(e, i, j, k, n + 4) - zcorn(e, i, j, k, n);
    if (!(h >= 0.0))
      return hp_ecl_error(e, e->corners_file, e->corners_line,
                          "ZCORN: cell (%d,%d,%d): its bottom lies %.6g %s above its top; depths are "
                          "positive down",
                          i + 1, j + 1, k + 1, -h / e->units.factor[HP_UNIT_LENGTH], e->units.label[HP_UNIT_LENGTH]);
    thickest = fmax(thickest, h);
  }
  if (thickest > 0.0) return HP_OK;
  return hp_ecl_error(e, e->corners_file, e->corners_line,
                      "ZCORN: cell (%d,%d,%d) has no thickness: pinch-outs are not supported; make it "
                      "inactive by ACTNUM",
                      i + 1, j + 1, k + 1);
}

/* The face towards +d is one and the same for both cells. */
static hp_status check_face(hp_ecl *e, int i, int j, int k, int d) {
  static const char *const what[HP_DIRS] = {[HP_DIR_K] = "there is a gap between them",
                                            [HP_DIR_J] = "faults are not supported",
                                            [HP_DIR_I] = "faults are not supported"};
  const int other[3] = {i + (d == HP_DIR_I), j + (d == HP_DIR_J), k + (d == HP_DIR_K)};
  if (other[0] == e->nx || other[1] == e->ny || other[2] == e->nz) return HP_OK;
  if (!is_active(e, other[0], other[1], other[2])) return HP_OK;
  int own[4], its[4];
  face_corners(d, true, own);
  face_corners(d, false, its);
  double height = 0.0;
  for (int n = 0; n < 4; ++n) height += 0.25 * (zcorn(e, i, j, k, n + 4) - zcorn(e, i, j, k, n));
  for (int n = 0; n < 4; ++n) {
    const double step = zcorn(e, other[0], other[1], other[2], its[n]) - zcorn(e, i, j, k, own[n]);
    if (fabs(step) > 1e-4 * height)
      return hp_ecl_error(e, e->corners_file, e->corners_line,
                          "ZCORN: cells (%d,%d,%d) and (%d,%d,%d) do not match, one corner lies %.6g %s "
                          "below the other: %s",
                          i + 1, j + 1, k + 1, other[0] + 1, other[1] + 1, other[2] + 1,
                          step / e->units.factor[HP_UNIT_LENGTH], e->units.label[HP_UNIT_LENGTH], what[d]);
  }
  return HP_OK;
}

static hp_status check(hp_ecl *e) {
  for (int k = 0; k < e->nz; ++k)
    for (int j = 0; j < e->ny; ++j)
      for (int i = 0; i < e->nx; ++i) {
        if (!is_active(e, i, j, k)) continue;
        HP_TRY(check_cell(e, i, j, k));
        for (int d = 0; d < HP_DIRS; ++d) HP_TRY(check_face(e, i, j, k, d));
      }
  return HP_OK;
}

/* into the deck's arrays, and into the case */

hp_status hp_ecl_corner_sizes(hp_ecl *e) {
  static const hp_ecl_array_id given[] = {HP_ECL_DX, HP_ECL_DY, HP_ECL_DZ, HP_ECL_TOPS};
  if (!e->corners || e->unsized) return HP_OK;
  if (hp_config_claims(e->nset, e->set, "grid"))
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
  }
  HP_TRY(check(e));
  for (int k = 0; k < e->nz; ++k)
    for (int j = 0; j < e->ny; ++j)
      for (int i = 0; i < e->nx; ++i) {
        const int64_t m = i + (int64_t)e->nx * (j + (int64_t)e->ny * k);
        const cell c = corners_of(e, i, j, k);
        double top[3], size[3] = {size_along(&c, HP_DIR_I), size_along(&c, HP_DIR_J), size_along(&c, HP_DIR_K)};
        face_centre(&c, HP_DIR_K, false, top);
        for (int d = 0; d < 3; ++d) /* an inactive cell may be flat; its size only draws it */
          e->array[given[d]].value[m] = size[d] > 0.0 || is_active(e, i, j, k) ? size[d] : 1e-6;
        e->array[HP_ECL_TOPS].value[m] = top[2];
      }
  return HP_OK;
}

static double in_series(double a, double b) { return a > 0.0 && b > 0.0 ? 1.0 / (1.0 / a + 1.0 / b) : 0.0; }

static double half_of(const hp_ecl *e, const int at[3], int d, bool upper) {
  const hp_grid *g = e->c->grid;
  const int64_t m = hp_grid_cell(g, at[0], at[1], at[2]);
  const cell c = corners_of(e, at[0], at[1], at[2]);
  return g->perm[d][m] * half(&c, d, upper) * (d == HP_DIR_K ? 1.0 : g->ntg[m]);
}

static hp_status nothing_yet(const hp_grid *g, double **a) {
  if (*a != NULL) return HP_OK;
  HP_TRY(HP_ALLOC(*a, g->ncell));
  for (int64_t m = 0; m < g->ncell; ++m) (*a)[m] = NAN;
  return HP_OK;
}

hp_status hp_ecl_corner_fill(hp_ecl *e) {
  hp_case *c = e->c;
  hp_grid *g = c->grid;
  if (!e->corners) return HP_OK;
  HP_TRY(nothing_yet(g, &c->porv));
  for (int d = 0; d < HP_DIRS; ++d) HP_TRY(nothing_yet(g, &c->tran[d]));
  for (int64_t m = 0; m < g->ncell; ++m) {
    int at[3];
    double middle[3];
    hp_grid_ijk(g, m, at);
    const cell own = corners_of(e, at[0], at[1], at[2]);
    centre(&own, middle);
    g->depth[m] = middle[2];
    if (!g->active[m]) continue;
    if (isnan(c->porv[m]))
      c->porv[m] = volume(&own) * g->porosity[m] * g->ntg[m] * (c->mult_pv != NULL ? c->mult_pv[m] : 1.0);
    for (int d = 0; d < HP_DIRS; ++d) {
      int other[3] = {at[0] + (d == HP_DIR_I), at[1] + (d == HP_DIR_J), at[2] + (d == HP_DIR_K)};
      if (!isnan(c->tran[d][m]) || other[0] == g->nx || other[1] == g->ny || other[2] == g->nz) continue;
      const double t = in_series(half_of(e, at, d, true), half_of(e, other, d, false));
      c->tran[d][m] = t * (c->mult[d] != NULL ? c->mult[d][m] : 1.0);
    }
  }
  c->coord = e->coord;
  c->zcorn = e->zcorn;
  e->coord = e->zcorn = NULL;
  return HP_OK;
}
