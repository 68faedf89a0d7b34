/* Overlaps of faces across a fault: against the integral of the common height, against the whole face, and down two
 * columns at once against all pairs. */
#include "grid/faults.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"

static uint64_t state = 12345;

/* 0..1 */
static double draw(void) {
  state = state * 6364136223846793005ULL + 1442695040888963407ULL;
  return (double)(state >> 11) / 9007199254740992.0;
}

static void draw_face(double z[4]) {
  for (int n = 0; n < 2; ++n) {
    z[n] = floor(8.0 * draw());
    z[n + 2] = z[n] + floor(4.0 * draw());
  }
}

static double common_height(const double a[4], const double b[4], double s) {
  const double r = 1.0 - s, top = fmax(r * a[0] + s * a[1], r * b[0] + s * b[1]);
  return fmax(0.0, fmin(r * a[2] + s * a[3], r * b[2] + s * b[3]) - top);
}

/* Between the places where two of the four lines cross, the height is a straight line. */
static double integral(const double a[4], const double b[4]) {
  const double *line[4] = {a, a + 2, b, b + 2};
  double at[9] = {0.0, 1.0}, sum = 0.0;
  int n = 2;
  for (int x = 0; x < 4; ++x)
    for (int y = 0; y < x; ++y) {
      const double first = line[x][0] - line[y][0], last = line[x][1] - line[y][1];
      if (first * last < 0.0) at[n++] = first / (first - last);
    }
  for (int x = 0; x < n; ++x)
    for (int y = x; y > 0 && at[y] < at[y - 1]; --y) {
      const double swap = at[y];
      at[y] = at[y - 1];
      at[y - 1] = swap;
    }
  for (int x = 1; x < n; ++x) sum += (at[x] - at[x - 1]) * common_height(a, b, 0.5 * (at[x] + at[x - 1]));
  return sum;
}

static double polygon_area(int n, double p[HP_OVERLAP_CORNERS][2]) {
  double sum = 0.0;
  for (int c = 0; c < n; ++c) sum += 0.5 * (p[c][0] * p[(c + 1) % n][1] - p[c][1] * p[(c + 1) % n][0]);
  return sum;
}

static void check_polygons(void) {
  int corners[HP_OVERLAP_CORNERS + 1] = {0};
  for (int n = 0; n < 20000; ++n) {
    double a[4], b[4], p[HP_OVERLAP_CORNERS][2], q[HP_OVERLAP_CORNERS][2];
    draw_face(a);
    draw_face(b);
    const int count = hp_face_overlap(a, b, p);
    CHECK(count >= 0 && count <= HP_OVERLAP_CORNERS);
    corners[count] += 1;
    CHECK_NEAR(polygon_area(count, p), integral(a, b), 1e-12);
    CHECK_NEAR(polygon_area(hp_face_overlap(b, a, q), q), integral(a, b), 1e-12);
  }
  CHECK(corners[0] > 0 && corners[3] > 0 && corners[4] > 0 && corners[5] > 0 && corners[6] > 0);
}

enum { NZ = 6 };

/* Two columns side by side on slanted pillars, layers of each one below the other, some flat. */
static void draw_columns(double *coord, double *zcorn, uint8_t *active) {
  for (int n = 0; n < 6; ++n) {
    const double x = 100.0 * (n % 3), y = 80.0 * (n / 3);
    const double point[6] = {x + 30.0 * draw(), y + 30.0 * draw(), 0.0, x + 30.0 * draw(), y + 30.0 * draw(), 50.0};
    memcpy(coord + 6 * n, point, sizeof point);
  }
  for (int column = 0; column < 2; ++column)
    for (int corner = 0; corner < 4; ++corner) {
      double z = 10.0 * draw();
      for (int k = 0; k < NZ; ++k)
        for (int c = 0; c < 2; ++c) {
          if (c == 1) z += fmax(0.0, floor(4.0 * draw() - 1.0));
          zcorn[(2 * k + c) * 8 + 4 * (corner / 2) + 2 * column + corner % 2] = z;
        }
    }
  for (int m = 0; m < 2 * NZ; ++m) active[m] = draw() < 0.8;
}

/* Every pair that a walk finds is the one that two loops find, and all of those. */
static void check_walks(void) {
  for (int n = 0; n < 2000; ++n) {
    double coord[36], zcorn[8 * 2 * NZ];
    uint8_t active[2 * NZ];
    hp_overlaps o = {0};
    draw_columns(coord, zcorn, active);
    const hp_corners c = {.nx = 2, .ny = 1, .nz = NZ, .coord = coord, .zcorn = zcorn};
    CHECK_OK(hp_corners_overlaps(&c, active, 0, 0, HP_DIR_I, (const int[]){0, NZ - 1}, 1e-4, &o));
    int64_t found = 0;
    for (int k = 0; k < NZ && !o.match; ++k)
      for (int other = 0; other < NZ; ++other) {
        if (!active[k] || !active[NZ + other]) continue;
        const hp_hexahedron left = hp_corners_cell(&c, 0, 0, k), right = hp_corners_cell(&c, 1, 0, other);
        const double a[4] = {left.at[1][2], left.at[3][2], left.at[5][2], left.at[7][2]};
        const double b[4] = {right.at[0][2], right.at[2][2], right.at[4][2], right.at[6][2]};
        if (integral(a, b) < 1e-9) continue;
        while (found < o.count && o.at[found].k[0] * NZ + o.at[found].k[1] < k * NZ + other) ++found;
        CHECK(found < o.count && o.at[found].k[0] == k && o.at[found].k[1] == other && !o.at[found].whole);
      }
    hp_overlaps_clear(&o);
  }
}

/* A full overlap is the whole face; its parts add up to it. */
static void check_areas(void) {
  for (int n = 0; n < 200; ++n) {
    double coord[36], zcorn[8 * 2 * NZ], area[3] = {0.0};
    uint8_t active[2 * NZ] = {0};
    hp_overlaps o = {0};
    draw_columns(coord, zcorn, active);
    const int parts = 1 + n % 3; /* of the second column, beside cell 0 of the first one */
    for (int row = 0; row < 2; ++row)
      for (int i = 0; i < 2; ++i) zcorn[8 + 4 * row + i] += 5.0;
    for (int row = 0; row < 2; ++row)
      for (int k = 0; k < parts; ++k)
        for (int c = 0; c < 2; ++c)
          zcorn[(2 * k + c) * 8 + 4 * row + 2] = zcorn[4 * row + 1] +
                                                 (zcorn[8 + 4 * row + 1] - zcorn[4 * row + 1]) * (k + c) / parts;
    memset(active, 0, sizeof active);
    active[0] = 1;
    for (int k = 0; k < parts; ++k) active[NZ + k] = 1;
    const hp_corners c = {.nx = 2, .ny = 1, .nz = NZ, .coord = coord, .zcorn = zcorn};
    const hp_hexahedron cell = hp_corners_cell(&c, 0, 0, 0);
    CHECK_OK(hp_corners_overlaps(&c, active, 0, 0, HP_DIR_I, (const int[]){0, NZ - 1}, 1e-4, &o));
    CHECK(o.match == (parts == 1));
    if (o.match && o.count == 1) CHECK(o.at[0].whole);
    for (int64_t k = 0; k < o.count && !o.at[k].whole; ++k)
      for (int x = 0; x < 3; ++x) area[x] += o.at[k].area[x];
    const double whole = hp_hexahedron_half(&cell, HP_DIR_I, true);
    if (!o.match) CHECK_NEAR(hp_hexahedron_half_across(&cell, HP_DIR_I, true, area), whole, 1e-10 * whole);
    hp_overlaps_clear(&o);
  }
}

int main(void) {
  check_polygons();
  check_walks();
  check_areas();
  return check_result();
}
