#include "grid/faults.h"

#include <math.h>

#include "core/memory.h"

/* ---- the overlap of two faces ---- */

static double line(const double z[2], double s) { return (1.0 - s) * z[0] + s * z[1]; }

/* Keeps the part of a convex polygon below (sign +1) or above (-1) a line; the clipping of Sutherland and Hodgman. */
static int cut(int n, double p[HP_OVERLAP_CORNERS][2], const double z[2], double sign) {
  double out[HP_OVERLAP_CORNERS][2];
  int kept = 0;
  for (int c = 0; c < n; ++c) {
    const double *from = p[c], *to = p[(c + 1) % n];
    const double u = sign * (from[1] - line(z, from[0])), v = sign * (to[1] - line(z, to[0]));
    if (u >= 0.0 && kept < HP_OVERLAP_CORNERS) {
      out[kept][0] = from[0];
      out[kept++][1] = from[1];
    }
    if (((u > 0.0 && v < 0.0) || (u < 0.0 && v > 0.0)) && kept < HP_OVERLAP_CORNERS) {
      const double t = u / (u - v);
      out[kept][0] = from[0] + t * (to[0] - from[0]);
      out[kept++][1] = from[1] + t * (to[1] - from[1]);
    }
  }
  for (int c = 0; c < kept; ++c) {
    p[c][0] = out[c][0];
    p[c][1] = out[c][1];
  }
  return kept;
}

/* Whether a lies nowhere below the top of b. */
static bool is_above(const double a[4], const double b[4]) { return a[2] <= b[0] && a[3] <= b[1]; }

int hp_face_overlap(const double a[4], const double b[4], double out[HP_OVERLAP_CORNERS][2]) {
  if (is_above(a, b) || is_above(b, a)) return 0;
  for (int c = 0; c < 4; ++c) { /* around: top 0, top 1, bottom 1, bottom 0 */
    out[c][0] = c == 1 || c == 2;
    out[c][1] = a[c < 2 ? c : 5 - c];
  }
  int n = cut(4, out, b, 1.0);
  if (n > 0) n = cut(n, out, b + 2, -1.0);
  return n > 2 ? n : 0;
}

/* ---- columns ---- */

typedef struct {
  const hp_corners *c;
  const uint8_t *active[2]; /* [nz] of the two columns */
  int at[2][2];             /* i, j of the two columns */
  int upper[4], lower[4];   /* corners of the faces of the first and the second one, as in hp_face_overlap */
  int pillar[2][2];         /* i, j */
  int from, to;             /* layers, the last one not included */
} neighbours;

static neighbours neighbours_of(const hp_corners *c, const uint8_t *active, int i, int j, int d, const int layers[2]) {
  const bool along_i = d == HP_DIR_I;
  neighbours p = {.c = c, .at = {{i, j}, {i + along_i, j + !along_i}}, .from = layers[0], .to = layers[1] + 1};
  for (int n = 0; n < 4; ++n) {
    p.lower[n] = (n % 2) * (along_i ? 2 : 1) + 4 * (n / 2);
    p.upper[n] = p.lower[n] + (along_i ? 1 : 2);
  }
  for (int n = 0; n < 2; ++n) {
    p.active[n] = active + (int64_t)c->nz * (p.at[n][1] + (int64_t)c->ny * (p.at[n][0] - c->first));
    p.pillar[n][0] = i + (along_i || n == 1);
    p.pillar[n][1] = j + (!along_i || n == 1);
  }
  return p;
}

static void face(const neighbours *p, int side, int k, double out[4]) {
  const int *corner = side == 0 ? p->upper : p->lower;
  for (int n = 0; n < 4; ++n) out[n] = hp_corners_depth(p->c, p->at[side][0], p->at[side][1], k, corner[n]);
}

static double height(const neighbours *p, int side, int k) {
  double sum = 0.0;
  for (int n = 0; n < 4; ++n)
    sum += 0.25 * (hp_corners_depth(p->c, p->at[side][0], p->at[side][1], k, n + 4) -
                   hp_corners_depth(p->c, p->at[side][0], p->at[side][1], k, n));
  return sum;
}

/* Cells of the same k that are both active have the same face. *alone: some cell is active in one column only. */
static bool all_match(const neighbours *p, double tolerance, bool *alone) {
  *alone = false;
  for (int k = p->from; k < p->to; ++k) {
    *alone = *alone || p->active[0][k] != p->active[1][k];
    if (!p->active[0][k] || !p->active[1][k]) continue;
    double a[4], b[4];
    face(p, 0, k, a);
    face(p, 1, k, b);
    const double most = tolerance * height(p, 0, k);
    for (int n = 0; n < 4; ++n)
      if (fabs(a[n] - b[n]) > most) return false;
  }
  return true;
}

/* ---- overlaps of columns ---- */

static hp_status add(hp_overlaps *o, const hp_overlap *one) {
  HP_TRY(HP_GROW(o->at, o->count, 1));
  o->at[o->count++] = *one;
  return HP_OK;
}

void hp_overlaps_clear(hp_overlaps *o) {
  HP_FREE(o->at);
  o->count = 0;
}

/* The point (s, z) of the surface between the pillars. */
static void point(const neighbours *p, const double sz[2], double out[3]) {
  double on[2][3];
  for (int n = 0; n < 2; ++n) hp_corners_on_pillar(p->c, p->pillar[n][0], p->pillar[n][1], p->from, sz[1], on[n]);
  for (int x = 0; x < 2; ++x) out[x] = (1.0 - sz[0]) * on[0][x] + sz[0] * on[1][x];
  out[2] = sz[1];
}

/* Half the sum of the cross products of its corners, from the first one. */
static void area_vector(const neighbours *p, int n, const double (*polygon)[2], double area[3]) {
  double first[3], last[3], next[3];
  area[0] = area[1] = area[2] = 0.0;
  point(p, polygon[0], first);
  point(p, polygon[1], last);
  for (int x = 0; x < 3; ++x) last[x] -= first[x];
  for (int c = 2; c < n; ++c) {
    point(p, polygon[c], next);
    for (int x = 0; x < 3; ++x) next[x] -= first[x];
    for (int x = 0; x < 3; ++x)
      area[x] += 0.5 * (last[(x + 1) % 3] * next[(x + 2) % 3] - last[(x + 2) % 3] * next[(x + 1) % 3]);
    for (int x = 0; x < 3; ++x) last[x] = next[x];
  }
}

/* Mean height of a polygon between the pillars. */
static double mean_height(int n, const double (*polygon)[2]) {
  double sum = 0.0;
  for (int c = 0; c < n; ++c) {
    const double *p = polygon[c], *q = polygon[(c + 1) % n];
    sum += 0.5 * (p[0] * q[1] - p[1] * q[0]);
  }
  return fabs(sum);
}

static hp_status add_overlap(const neighbours *p, const double a[4], const double b[4], hp_overlap *one, double least,
                             hp_overlaps *out) {
  double polygon[HP_OVERLAP_CORNERS][2];
  const int n = hp_face_overlap(a, b, polygon);
  if (n == 0 || mean_height(n, (const double(*)[2])polygon) <= least) return HP_OK;
  area_vector(p, n, (const double(*)[2])polygon, one->area);
  return add(out, one);
}

/* Where columns match, a cell that is active in both has its neighbour; the others meet whom they overlap. */
static hp_status add_alone(const neighbours *p, double tolerance, hp_overlaps *out) {
  int first = p->from;
  for (int k = p->from; k < p->to; ++k) {
    hp_overlap one = {.k = {k, k}, .whole = true};
    if (!p->active[0][k]) continue;
    if (p->active[1][k]) {
      HP_TRY(add(out, &one));
      continue;
    }
    double a[4], b[4];
    face(p, 0, k, a);
    one.whole = false;
    for (int other = first; other < p->to; ++other) {
      if (!p->active[1][other]) continue;
      face(p, 1, other, b);
      if (is_above(b, a)) {
        first = other + 1;
        continue;
      }
      if (is_above(a, b)) break;
      if (p->active[0][other]) continue;
      one.k[1] = other;
      HP_TRY(add_overlap(p, a, b, &one, tolerance * fmin(height(p, 0, k), height(p, 1, other)), out));
    }
  }
  return HP_OK;
}

/* Down both columns at once: what lies above a cell of the first one lies above the next ones. */
static hp_status add_all(const neighbours *p, hp_overlaps *out) {
  int first = p->from;
  for (int k = p->from; k < p->to; ++k) {
    if (!p->active[0][k]) continue;
    double a[4], b[4];
    face(p, 0, k, a);
    bool passed = true; /* all cells up to here lie above this one */
    for (int other = first; other < p->to; ++other) {
      if (!p->active[1][other]) continue;
      face(p, 1, other, b);
      if (is_above(b, a)) {
        if (passed) first = other + 1;
        continue;
      }
      passed = false;
      if (is_above(a, b)) break;
      hp_overlap one = {.k = {k, other}};
      HP_TRY(add_overlap(p, a, b, &one, 0.0, out));
    }
  }
  return HP_OK;
}

static hp_status add_same(const neighbours *p, hp_overlaps *out) {
  for (int k = p->from; k < p->to; ++k) {
    const hp_overlap one = {.k = {k, k}, .whole = true};
    if (p->active[0][k] && p->active[1][k]) HP_TRY(add(out, &one));
  }
  return HP_OK;
}

hp_status hp_corners_overlaps(const hp_corners *c, const uint8_t *active, int i, int j, int d, const int layers[2],
                              double tolerance, hp_overlaps *out) {
  const neighbours p = neighbours_of(c, active, i, j, d, layers);
  bool alone;
  out->count = 0;
  out->match = all_match(&p, tolerance, &alone);
  if (!out->match) return add_all(&p, out);
  return alone ? add_alone(&p, tolerance, out) : add_same(&p, out);
}
