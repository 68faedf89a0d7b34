/* A deviated well's polyline cut by the cells of a corner-point grid.
 *
 * A cell is 24 tetrahedra: its centre, the centre of a face, and an edge of that face. The part of a leg within each is where
 * its four barycentric coordinates, linear along the leg, are not negative; the parts together are the part within the cell.
 * Cells share the triangles of their faces, so that no part of the leg is left out between them. What runs along a face is the
 * first cell's.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "wells/wells.h"

enum { TETRAHEDRA = 24, WORDS = 9 };

static const double SMALL = 1e-9; /* of a leg, and of a cell */

/* Parameters 0..1 of a leg. */
typedef struct {
  double from, to;
} interval;

typedef struct {
  int leg, ijk[3];
  interval at;
  double length[HP_DIRS]; /* of the whole leg on the axes of the cell [m] */
} piece;

typedef struct {
  piece *at;
  int count;
} piece_list;

static void subtract(const double a[3], const double b[3], double out[3]) {
  for (int x = 0; x < 3; ++x) out[x] = a[x] - b[x];
}

static double triple(const double a[3], const double b[3], const double c[3]) {
  return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
}

/* The coordinates of d in the axes e; false: these lie in a plane. */
static bool solve_axes(const double e[3][3], const double d[3], double out[3]) {
  const double volume = triple(e[0], e[1], e[2]);
  double scale = 1.0;
  for (int x = 0; x < 3; ++x) scale *= sqrt(e[x][0] * e[x][0] + e[x][1] * e[x][1] + e[x][2] * e[x][2]);
  if (!(fabs(volume) > 1e-12 * scale)) return false;
  out[0] = triple(d, e[1], e[2]) / volume;
  out[1] = triple(e[0], d, e[2]) / volume;
  out[2] = triple(e[0], e[1], d) / volume;
  return true;
}

/* Cuts *t down to where a + t d is not negative, but for rounding errors: legs that run along a face are on both sides. */
static void keep_positive(double a, double d, interval *t) {
  a += SMALL;
  if (d > 0.0) t->from = fmax(t->from, -a / d);
  else if (d < 0.0) t->to = fmin(t->to, -a / d);
  else if (a < 0.0) t->to = -1.0;
}

/* Part of the leg a + t d within a tetrahedron; false: none. */
static bool cut_tetrahedron(const double corner[4][3], const double a[3], const double d[3], interval *t) {
  double e[3][3], from[3], at[3], grows[3];
  for (int n = 0; n < 3; ++n) subtract(corner[n + 1], corner[0], e[n]);
  subtract(a, corner[0], from);
  if (!solve_axes((const double(*)[3])e, from, at) || !solve_axes((const double(*)[3])e, d, grows)) return false;
  *t = (interval){0.0, 1.0};
  for (int n = 0; n < 3; ++n) keep_positive(at[n], grows[n], t);
  keep_positive(1.0 - at[0] - at[1] - at[2], -grows[0] - grows[1] - grows[2], t);
  return t->to > t->from;
}

static int by_begin(const void *a, const void *b) {
  const interval *x = a, *y = b;
  return (x->from > y->from) - (x->from < y->from);
}

/* Joins intervals that touch; returns how many are left. */
static int join(interval *t, int count) {
  int left = 0;
  if (count == 0) return 0;
  qsort(t, (size_t)count, sizeof *t, by_begin);
  for (int n = 1; n < count; ++n) {
    if (t[n].from <= t[left].to + SMALL) t[left].to = fmax(t[left].to, t[n].to);
    else t[++left] = t[n];
  }
  return left + 1;
}

/* Parts of the leg within the hexahedron. */
static int cut_cell(const hp_hexahedron *h, const double a[3], const double d[3], interval t[TETRAHEDRA]) {
  /* corners of the face towards + (add `step`) and - of each direction, in a round */
  static const int round[3][4] = {{0, 1, 3, 2}, {0, 1, 5, 4}, {0, 2, 6, 4}}, step[3] = {4, 2, 1};
  double centre[3], corner[4][3];
  int count = 0;
  hp_hexahedron_centre(h, centre);
  memcpy(corner[0], centre, sizeof centre);
  for (int dir = 0; dir < 3; ++dir)
    for (int upper = 0; upper < 2; ++upper) {
      hp_hexahedron_face_centre(h, dir, upper != 0, corner[1]);
      for (int n = 0; n < 4; ++n) {
        memcpy(corner[2], h->at[round[dir][n] + upper * step[dir]], sizeof corner[2]);
        memcpy(corner[3], h->at[round[dir][(n + 1) % 4] + upper * step[dir]], sizeof corner[3]);
        count += cut_tetrahedron((const double(*)[3])corner, a, d, &t[count]);
      }
    }
  return join(t, count);
}

/* Lengths of the leg along the axes between the centres of the cell's faces. */
static void project(const hp_hexahedron *h, const double d[3], double length[HP_DIRS]) {
  double e[HP_DIRS][3], part[HP_DIRS];
  for (int dir = 0; dir < HP_DIRS; ++dir) {
    double lower[3], upper[3];
    hp_hexahedron_face_centre(h, dir, false, lower);
    hp_hexahedron_face_centre(h, dir, true, upper);
    subtract(upper, lower, e[dir]);
  }
  const bool solved = solve_axes((const double(*)[3])e, d, part);
  for (int dir = 0; dir < HP_DIRS; ++dir)
    length[dir] = solved ? fabs(part[dir]) * hp_hexahedron_size(h, dir) : fabs(d[2 - dir]);
}

static bool meets(const double low[3], const double high[3], const double a[3], const double b[3]) {
  bool all = true;
  for (int x = 0; x < 3; ++x) all = all && fmax(a[x], b[x]) >= low[x] && fmin(a[x], b[x]) <= high[x];
  return all;
}

static bool cell_meets(const hp_hexahedron *h, const double a[3], const double b[3]) {
  double low[3], high[3];
  for (int x = 0; x < 3; ++x) low[x] = high[x] = h->at[0][x];
  for (int n = 1; n < 8; ++n)
    for (int x = 0; x < 3; ++x) {
      low[x] = fmin(low[x], h->at[n][x]);
      high[x] = fmax(high[x], h->at[n][x]);
    }
  return meets(low, high, a, b);
}

static hp_status cut_by_cell(const hp_corners *c, const int ijk[3], int n, const double (*path)[3], piece_list *list) {
  const hp_hexahedron h = hp_corners_cell(c, ijk[0], ijk[1], ijk[2]);
  interval t[TETRAHEDRA];
  for (int leg = 0; leg + 1 < n; ++leg) {
    double d[3];
    if (!cell_meets(&h, path[leg], path[leg + 1])) continue;
    subtract(path[leg + 1], path[leg], d);
    const int count = cut_cell(&h, path[leg], d, t);
    for (int m = 0; m < count; ++m) {
      HP_TRY(HP_GROW(list->at, list->count, 1));
      piece *p = &list->at[list->count++];
      *p = (piece){.leg = leg, .ijk = {ijk[0], ijk[1], ijk[2]}, .at = t[m]};
      project(&h, d, p->length);
    }
  }
  return HP_OK;
}

static hp_status cut_own_cells(const hp_grid *g, const hp_corners *c, int n, const double (*path)[3],
                               piece_list *list) {
  for (int i = g->planes.first; i < g->planes.first + g->planes.owned; ++i)
    for (int j = 0; j < g->ny; ++j)
      for (int k = 0; k < g->nz; ++k) {
        const int ijk[3] = {i, j, k};
        HP_TRY(cut_by_cell(c, ijk, n, path, list));
      }
  return HP_OK;
}

/* ---- all ranks' pieces ---- */

static hp_status keep_piece(void *arg, const int64_t *item) {
  piece_list *all = arg;
  double number[WORDS];
  memcpy(number, item, sizeof number);
  HP_TRY(HP_GROW(all->at, all->count, 1));
  all->at[all->count++] = (piece){.leg = (int)number[0],
                                  .ijk = {(int)number[1], (int)number[2], (int)number[3]},
                                  .at = {number[4], number[5]},
                                  .length = {number[6], number[7], number[8]}};
  return HP_OK;
}

static hp_status share_pieces(hp_spread *P, const piece_list *mine, piece_list *all) {
  double(*number)[WORDS] = NULL;
  HP_TRY(HP_ALLOC(number, mine->count));
  for (int n = 0; n < mine->count; ++n) {
    const piece *p = &mine->at[n];
    const double of[WORDS] = {p->leg,   p->ijk[0],    p->ijk[1],    p->ijk[2],   p->at.from,
                              p->at.to, p->length[0], p->length[1], p->length[2]};
    memcpy(number[n], of, sizeof of);
  }
  const hp_status s = hp_spread_distribute(P, number, mine->count, WORDS, keep_piece, all);
  HP_FREE(number);
  return s;
}

/* Where two begin together but for rounding errors, the first cell's. */
static int along_path(const void *a, const void *b) {
  const piece *x = a, *y = b;
  if (x->leg != y->leg) return x->leg < y->leg ? -1 : 1;
  const double from[2] = {floor(x->at.from / (100.0 * SMALL) + 0.5), floor(y->at.from / (100.0 * SMALL) + 0.5)};
  if (from[0] != from[1]) return from[0] < from[1] ? -1 : 1;
  for (int d = 2; d >= 0; --d)
    if (x->ijk[d] != y->ijk[d]) return x->ijk[d] < y->ijk[d] ? -1 : 1;
  return 0;
}

/* Each part of the path goes to the first cell that has it. */
static hp_status add_pieces(const piece_list *all, const double (*path)[3], double radius, double skin,
                            hp_perf_spec **perf, int *count, double *found) {
  double done = 0.0;
  *found = 0.0;
  for (int n = 0; n < all->count; ++n) {
    const piece *p = &all->at[n];
    double length[HP_DIRS], d[3];
    if (n > 0 && p->leg != all->at[n - 1].leg) done = 0.0;
    const double part = p->at.to - fmax(p->at.from, done);
    if (part <= 10.0 * SMALL) continue;
    done = p->at.to;
    for (int dir = 0; dir < HP_DIRS; ++dir) length[dir] = part * p->length[dir];
    HP_TRY(hp_well_path_add(perf, count, p->ijk, length, radius, skin));
    subtract(path[p->leg + 1], path[p->leg], d);
    *found += part * sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
  }
  return HP_OK;
}

hp_status hp_well_path_cut_corners(const hp_grid *g, const hp_corners *c, int n, const double (*path)[3], double radius,
                                   double skin, hp_perf_spec **perf, int *count, double *inside) {
  piece_list mine = {NULL, 0}, all = {NULL, 0};
  double whole = 0.0, found = 0.0;
  *perf = NULL;
  *count = 0;
  for (int leg = 0; leg + 1 < n; ++leg) {
    double d[3];
    subtract(path[leg + 1], path[leg], d);
    whole += sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
  }
  hp_status s = cut_own_cells(g, c, n, path, &mine);
  if (s == HP_OK) s = share_pieces(g->spread, &mine, &all);
  if (s == HP_OK && all.count > 1) qsort(all.at, (size_t)all.count, sizeof *all.at, along_path);
  if (s == HP_OK) s = add_pieces(&all, path, radius, skin, perf, count, &found);
  *inside = found / whole;
  HP_FREE(mine.at);
  HP_FREE(all.at);
  if (s != HP_OK) HP_FREE(*perf);
  return s;
}
