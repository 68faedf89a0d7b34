#include "grid/corners.h"

#include <math.h>
#include <string.h>

double hp_corners_depth(const hp_corners *c, int i, int j, int k, int n) {
  const int64_t row = 2 * (int64_t)c->nx, layer = row * 2 * c->ny;
  return c->zcorn[(2 * k + n / 4) * layer + (2 * j + n / 2 % 2) * row + 2 * (i - c->first) + n % 2];
}

const double *hp_corners_pillar(const hp_corners *c, int i, int j, int k) {
  const int64_t row = c->nx + 1, all = row * (c->ny + 1);
  return c->coord + 6 * (i - c->first + row * j + all * hp_pillar_systems_of(&c->systems, k));
}

void hp_corners_on_pillar(const hp_corners *c, int i, int j, int k, double z, double out[3]) {
  const double *p = hp_corners_pillar(c, i, j, k);
  const double height = p[5] - p[2], t = height != 0.0 ? (z - p[2]) / height : 0.0;
  out[0] = p[0] + t * (p[3] - p[0]);
  out[1] = p[1] + t * (p[4] - p[1]);
  out[2] = z;
}

hp_hexahedron hp_corners_cell(const hp_corners *c, int i, int j, int k) {
  hp_hexahedron cell;
  for (int n = 0; n < 8; ++n)
    hp_corners_on_pillar(c, i + n % 2, j + n / 2 % 2, k, hp_corners_depth(c, i, j, k, n), cell.at[n]);
  return cell;
}

void hp_hexahedron_centre(const hp_hexahedron *c, double out[3]) {
  for (int x = 0; x < 3; ++x) {
    out[x] = 0.0;
    for (int n = 0; n < 8; ++n) out[x] += c->at[n][x] / 8.0;
  }
}

/* Numbers of the four corners of the face towards +d (upper) or -d, around it. */
static void face_nodes(int d, bool upper, int out[4]) {
  static const int lower_face[HP_DIRS][4] = {
      [HP_DIR_K] = {0, 1, 3, 2}, [HP_DIR_J] = {0, 1, 5, 4}, [HP_DIR_I] = {0, 2, 6, 4}};
  static const int step[HP_DIRS] = {[HP_DIR_K] = 4, [HP_DIR_J] = 2, [HP_DIR_I] = 1};
  for (int n = 0; n < 4; ++n) out[n] = lower_face[d][n] + (upper ? step[d] : 0);
}

void hp_hexahedron_face_centre(const hp_hexahedron *c, int d, bool upper, double out[3]) {
  int n[4];
  face_nodes(d, upper, n);
  for (int x = 0; x < 3; ++x) out[x] = 0.25 * (c->at[n[0]][x] + c->at[n[1]][x] + c->at[n[2]][x] + c->at[n[3]][x]);
}

static void cross(const double a[3], const double b[3], double out[3]) {
  for (int x = 0; x < 3; ++x) out[x] = a[(x + 1) % 3] * b[(x + 2) % 3] - a[(x + 2) % 3] * b[(x + 1) % 3];
}

double hp_hexahedron_half_across(const hp_hexahedron *c, int d, bool upper, const double area[3]) {
  double from[3], to[3], dot = 0.0, square = 0.0;
  hp_hexahedron_centre(c, from);
  hp_hexahedron_face_centre(c, d, upper, to);
  for (int x = 0; x < 3; ++x) {
    dot += area[x] * (to[x] - from[x]);
    square += (to[x] - from[x]) * (to[x] - from[x]);
  }
  return square > 0.0 ? fabs(dot) / square : 0.0;
}

double hp_hexahedron_half(const hp_hexahedron *c, int d, bool upper) {
  int n[4];
  double a[3], b[3], area[3];
  face_nodes(d, upper, n);
  for (int x = 0; x < 3; ++x) {
    a[x] = c->at[n[2]][x] - c->at[n[0]][x];
    b[x] = c->at[n[3]][x] - c->at[n[1]][x];
  }
  cross(a, b, area);
  for (int x = 0; x < 3; ++x) area[x] *= 0.5;
  return hp_hexahedron_half_across(c, d, upper, area);
}

static double jacobian(const hp_hexahedron *c, const double t[3]) {
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

double hp_hexahedron_volume(const hp_hexahedron *c) {
  const double point[2] = {0.5 - 0.5 / sqrt(3.0), 0.5 + 0.5 / sqrt(3.0)};
  double sum = 0.0;
  for (int n = 0; n < 8; ++n) {
    const double t[3] = {point[n % 2], point[n / 2 % 2], point[n / 4]};
    sum += jacobian(c, t) / 8.0;
  }
  return fabs(sum);
}

double hp_hexahedron_size(const hp_hexahedron *c, int d) {
  double a[3], b[3];
  hp_hexahedron_face_centre(c, d, false, a);
  hp_hexahedron_face_centre(c, d, true, b);
  return d == HP_DIR_K ? b[2] - a[2] : hypot(b[0] - a[0], b[1] - a[1]);
}

/* finer */

/* Line `fine` of pieces of n cells in r: its cell, and where it stands there, 0..1. */
static int cell_of(int fine, int n, int r, double *share) {
  const int at = fine / r < n ? fine / r : n - 1;
  *share = (double)(fine - at * r) / r;
  return at;
}

/* The four pillars of layer k around a column, weighted: 0 0 is the first one itself. */
static void mean_pillar(const hp_corners *c, int i, int j, int k, double a, double b, double out[6]) {
  const double weight[4] = {(1.0 - a) * (1.0 - b), a * (1.0 - b), (1.0 - a) * b, a * b};
  const double *pillar[4];
  for (int n = 0; n < 4; ++n) pillar[n] = hp_corners_pillar(c, i + n % 2, j + n / 2, k);
  for (int n = 0; n < 4; ++n)
    if (weight[n] == 1.0) {
      memcpy(out, pillar[n], 6 * sizeof *out);
      return;
    }
  memset(out, 0, 6 * sizeof *out);
  for (int n = 0; n < 4; ++n)
    for (int end = 2; end < 6; end += 3) out[end] += weight[n] * pillar[n][end];
  for (int end = 2; end < 6 && out[2] == out[5]; end += 3) out[end] = pillar[0][end]; /* any two depths will do */
  for (int end = 0; end < 6; end += 3)
    for (int n = 0; n < 4; ++n) {
      double on[3];
      hp_corners_on_pillar(c, i + n % 2, j + n / 2, k, out[end + 2], on);
      for (int x = 0; x < 2; ++x) out[end + x] += weight[n] * on[x];
    }
}

/* Depth of the point a, b, t of a cell, each 0..1. */
static double depth_inside(const hp_corners *c, int i, int j, int k, double a, double b, double t) {
  double z = 0.0;
  for (int n = 0; n < 8; ++n) {
    const double weight = (n % 2 ? a : 1.0 - a) * (n / 2 % 2 ? b : 1.0 - b) * (n / 4 ? t : 1.0 - t);
    z += weight * hp_corners_depth(c, i, j, k, n);
  }
  return z;
}

static void refine_pillars(const hp_corners *c, int k, const int r[3], double *coord) {
  for (int j = 0; j <= c->ny * r[1]; ++j)
    for (int i = 0; i <= c->nx * r[0]; ++i, coord += 6) {
      double a, b;
      const int ci = cell_of(i, c->nx, r[0], &a), cj = cell_of(j, c->ny, r[1], &b);
      mean_pillar(c, ci, cj, k, a, b, coord);
    }
}

void hp_corners_refine(const hp_corners *c, const int r[3], double *coord, double *zcorn) {
  const int nx = c->nx * r[0], ny = c->ny * r[1], nz = c->nz * r[2];
  refine_pillars(c, 0, r, coord);
  for (int s = 1; s < c->systems.count; ++s)
    refine_pillars(c, c->systems.at[s].first, r, coord + 6 * (int64_t)(nx + 1) * (ny + 1) * s);
  for (int k = 0; k < 2 * nz; ++k)
    for (int j = 0; j < 2 * ny; ++j)
      for (int i = 0; i < 2 * nx; ++i) {
        const int at[3] = {i / 2, j / 2, k / 2};
        const double a = (double)(at[0] % r[0] + i % 2) / r[0], b = (double)(at[1] % r[1] + j % 2) / r[1];
        const double t = (double)(at[2] % r[2] + k % 2) / r[2];
        *zcorn++ = depth_inside(c, at[0] / r[0], at[1] / r[1], at[2] / r[2], a, b, t);
      }
}
