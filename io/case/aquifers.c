/* Aquifers as decks describe them: the table of the infinite aquifer, faces of cells, cells of numerical aquifers. */
#include "io/case/aquifers.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "io/case/connections.h"

/* ---- pressure influence functions ---- */

/* The infinite aquifer, constant rate at its inner radius, of van Everdingen and Hurst (1949),
 * Table 1. The
 * times beyond 1000, where the solution is close to (ln td + 0.80907) / 2, end as OPM Flow's do. */
static const double infinite_time[] = {0.01,  0.05,  0.1,    0.15,   0.2,    0.25,   0.3,    0.4,   0.5,   0.6,   0.7,
                                       0.8,   0.9,   1.0,    1.5,    2.0,    2.5,    3.0,    4.0,   5.0,   6.0,   7.0,
                                       8.0,   9.0,   10.0,   15.0,   20.0,   25.0,   30.0,   40.0,  50.0,  60.0,  70.0,
                                       80.0,  90.0,  100.0,  150.0,  200.0,  250.0,  300.0,  400.0, 500.0, 600.0, 700.0,
                                       800.0, 900.0, 1000.0, 2000.0, 5000.0, 8000.0, 10000.0};
static const double infinite_pressure[] = {
    0.112, 0.229, 0.315, 0.376, 0.424, 0.469, 0.503, 0.564, 0.616,  0.659,  0.702,  0.735, 0.772,
    0.802, 0.927, 1.020, 1.101, 1.169, 1.275, 1.362, 1.436, 1.500,  1.556,  1.604,  1.651, 1.829,
    1.960, 2.067, 2.147, 2.282, 2.388, 2.476, 2.550, 2.615, 2.672,  2.723,  2.921,  3.064, 3.173,
    3.263, 3.406, 3.516, 3.608, 3.684, 3.750, 3.809, 3.860, 4.1801, 4.6350, 4.8732, 4.9815};
enum { INFINITE_ROWS = sizeof infinite_time / sizeof *infinite_time };

hp_status hp_aquifer_influence(hp_aquifer_spec *a, int rows, const double *td, const double *pd) {
  a->rows = td != NULL ? rows : INFINITE_ROWS;
  HP_TRY(HP_ALLOC(a->td, a->rows));
  HP_TRY(HP_ALLOC(a->pd, a->rows));
  memcpy(a->td, td != NULL ? td : infinite_time, (size_t)a->rows * sizeof *td);
  memcpy(a->pd, pd != NULL ? pd : infinite_pressure, (size_t)a->rows * sizeof *pd);
  return HP_OK;
}

bool hp_aquifer_is_infinite(const hp_aquifer_spec *a) {
  return a->rows == INFINITE_ROWS && memcmp(a->td, infinite_time, sizeof infinite_time) == 0 &&
         memcmp(a->pd, infinite_pressure, sizeof infinite_pressure) == 0;
}

const char *hp_aquifer_influence_fault(int rows, const double *td, const double *pd, int *row) {
  *row = 0;
  if (rows < 2) return "at least two rows are needed";
  for (int n = 0; n < rows; ++n) {
    *row = n + 1;
    if (!(td[n] >= 0.0 && pd[n] >= 0.0 && isfinite(td[n]) && isfinite(pd[n])))
      return "time and pressure must be given and >= 0";
    if (n == 0) continue;
    if (!(td[n] > td[n - 1] && pd[n] > pd[n - 1])) return "times and pressures must rise";
    if (pd[n - 1] * td[n] < pd[n] * td[n - 1] * (1.0 - 1e-9))
      return "the pressure rises by more than in proportion to the time";
  }
  return NULL;
}

/* ---- faces ---- */

static double face_area(const hp_grid *g, int64_t m, int d) {
  return d == HP_DIR_I ? g->dy[m] * g->dz[m] : d == HP_DIR_J ? g->dx[m] * g->dz[m] : g->dx[m] * g->dy[m];
}

/* Whether the face of an active cell held here is open to an aquifer: no active cell lies behind it, or f->inside. With
 * several ranks the grid must know the plane before (hp_grid_learn_before). */
static bool face_is_open(const hp_grid *g, const hp_aquifer_faces *f, int i, int j, int k) {
  const int at = f->d == HP_DIR_I ? i : f->d == HP_DIR_J ? j : k;
  const int n = f->d == HP_DIR_I ? g->nx : f->d == HP_DIR_J ? g->ny : g->nz;
  const int64_t m = hp_grid_place(g, hp_grid_cell(g, i, j, k)), stride = hp_grid_stride(g, f->d);
  if (!g->active[m]) return false;
  if (f->inside || (f->minus ? at == 0 : at == n - 1)) return true;
  if (f->minus && f->d == HP_DIR_I && i == g->planes.first) return !g->before[m];
  return !g->active[f->minus ? m - stride : m + stride];
}

void hp_aquifer_add_faces(const hp_grid *g, const hp_aquifer_faces *f, double *weight) {
  const int owned = g->planes.first + g->planes.owned;
  for (int i = f->box[0] > g->planes.first ? f->box[0] : g->planes.first; i <= f->box[1] && i < owned; ++i)
    for (int j = f->box[2]; j <= f->box[3]; ++j)
      for (int k = f->box[4]; k <= f->box[5]; ++k) {
        const int64_t m = hp_grid_place(g, hp_grid_cell(g, i, j, k));
        if (!face_is_open(g, f, i, j, k)) continue;
        const double coefficient = isnan(f->coefficient) ? face_area(g, m, f->d) : f->coefficient;
        weight[m] = (isnan(weight[m]) ? 0.0 : weight[m]) + coefficient * f->multiplier;
      }
}

static void add_weights(void *arg) {
  hp_aquifer_spec *a = arg;
  for (int64_t n = 0; n < a->nconnection; ++n) a->total += a->weight[n];
}

hp_status hp_aquifer_connect(const hp_grid *g, const double *weight, hp_aquifer_spec *a, bool *none) {
  int64_t at = 0;
  for (int64_t m = 0; m < g->owned; ++m) a->nconnection += !isnan(weight[m]);
  HP_TRY(HP_ALLOC(a->cell, a->nconnection));
  HP_TRY(HP_ALLOC(a->weight, a->nconnection));
  for (int64_t m = 0; m < g->owned; ++m) {
    if (isnan(weight[m])) continue;
    a->cell[at] = g->first + m;
    a->weight[at++] = weight[m];
  }
  HP_TRY(hp_spread_number(g->spread, a->nconnection, &a->first, &a->connections));
  HP_TRY(hp_spread_chain(g->spread, &a->total, sizeof a->total, true, add_weights, a));
  *none = !(a->total > 0.0);
  if (*none) hp_aquifer_spec_clear(a);
  return HP_OK;
}

hp_aquifer_spec *hp_case_place_aquifer(hp_case *c, int number) {
  int at = c->naquifer++;
  for (; at > 0 && c->aquifer[at - 1].number > number; --at) c->aquifer[at] = c->aquifer[at - 1];
  c->aquifer[at] = (hp_aquifer_spec){.number = number};
  return &c->aquifer[at];
}

/* ---- cells ---- */

static int64_t cell_of(const hp_case *c, const hp_aquifer_cell *a) {
  return hp_grid_cell(c->grid, a->ijk[0], a->ijk[1], a->ijk[2]);
}

static const hp_aquifer_cell *first_of(int count, const hp_aquifer_cell *cell, int number) {
  for (int n = 0; n < count; ++n)
    if (cell[n].number == number) return &cell[n];
  return NULL;
}

static bool is_numerical(const hp_case *c, int count, const hp_aquifer_cell *cell, int64_t m) {
  for (int n = 0; n < count; ++n)
    if (cell_of(c, &cell[n]) == m) return true;
  return false;
}

/* Faces whose transmissibilities are given; those that are computed close with the permeability. */
static void close_faces(hp_case *c, const hp_aquifer_cell *a) {
  const hp_grid *g = c->grid;
  const int64_t m = cell_of(c, a);
  for (int d = 0; d < HP_DIRS; ++d) {
    const int64_t before = m - hp_grid_stride(g, d);
    if (c->tran[d] == NULL) continue;
    if (hp_grid_holds(g, m)) c->tran[d][hp_grid_place(g, m)] = 0.0;
    if (a->ijk[2 - d] > 0 && hp_grid_holds(g, before)) c->tran[d][hp_grid_place(g, before)] = 0.0;
  }
}

hp_status hp_aquifer_isolate(hp_case *c, int count, const hp_aquifer_cell *cell, const hp_aquifer_cell **fault) {
  hp_grid *g = c->grid;
  *fault = NULL;
  for (int n = 0; n < count; ++n) {
    const hp_aquifer_cell *a = &cell[n];
    const int64_t cell_number = cell_of(c, a), m = hp_grid_place(g, cell_number);
    if (isnan(a->area)) continue;
    if (c->porv == NULL) {
      HP_TRY(HP_ALLOC(c->porv, g->ncell));
      for (int64_t k = 0; k < g->ncell; ++k) c->porv[k] = NAN;
    }
    close_faces(c, a);
    if (!hp_grid_holds(g, cell_number)) continue;
    if (isnan(a->porosity) && !(g->porosity[m] > 0.0)) {
      *fault = a;
      return HP_OK;
    }
    if (!isnan(a->porosity)) g->porosity[m] = a->porosity;
    c->given_active[m] = g->active[m] = 1;
    c->porv[m] = a->area * a->length * g->porosity[m];
    if (c->mult_pv != NULL) c->mult_pv[m] = 1.0;
    for (int d = 0; d < HP_DIRS; ++d) g->perm[d][m] = 0.0;
  }
  return HP_OK;
}

static double half(const hp_aquifer_cell *a, double area) { return 2.0 * a->permeability * area / a->length; }

static double series(double a, double b) { return a > 0.0 && b > 0.0 ? a * b / (a + b) : 0.0; }

static hp_status link(hp_case_links *links, int64_t a, int64_t b, double trans) {
  const hp_case_link one = {.a = a < b ? a : b, .b = a < b ? b : a, .d = -1, .trans = trans};
  return hp_case_link_add(links, &one);
}

hp_status hp_aquifer_link_cells(const hp_case *c, int count, const hp_aquifer_cell *cell, hp_case_links *links) {
  for (int n = 0; n < count; ++n) {
    const hp_aquifer_cell *a = &cell[n], *next = first_of(count - n - 1, a + 1, a->number);
    if (next == NULL || isnan(a->area)) continue;
    HP_TRY(link(links, cell_of(c, a), cell_of(c, next), series(half(a, a->area), half(next, next->area))));
  }
  hp_case_keep_links(c->grid, links);
  return HP_OK;
}

void hp_aquifer_own_planes(const hp_case *c, const hp_aquifer_faces *f, int *begin, int *end) {
  const hp_spread_planes p = c->grid->planes;
  *begin = f->box[0] > p.first ? f->box[0] : p.first;
  *end = f->box[1] < p.first + p.owned ? f->box[1] + 1 : p.first + p.owned;
}

/* Those of own cells. */
static hp_status link_own(const hp_case *c, int count, const hp_aquifer_cell *cell, const hp_aquifer_faces *f,
                          hp_case_links *links) {
  const hp_grid *g = c->grid;
  const hp_aquifer_cell *a = first_of(count, cell, f->number);
  int64_t at = 0;
  int first_i, end_i;
  hp_aquifer_own_planes(c, f, &first_i, &end_i);
  for (int i = first_i; i < end_i; ++i)
    for (int j = f->box[2]; j <= f->box[3]; ++j)
      for (int k = f->box[4]; k <= f->box[5]; ++k) {
        const double mult = f->mult[at++];
        const int64_t number = hp_grid_cell(g, i, j, k), m = hp_grid_place(g, number);
        if (!face_is_open(g, f, i, j, k) || is_numerical(c, count, cell, number)) continue;
        const double area = face_area(g, m, f->d) * (f->d == HP_DIR_K ? 1.0 : g->ntg[m]);
        const double size = f->d == HP_DIR_I ? g->dx[m] : f->d == HP_DIR_J ? g->dy[m] : g->dz[m];
        const double near = 2.0 * mult * g->perm[f->d][m] * area / size;
        const double first = half(a, f->by_face ? face_area(g, m, f->d) : a->area);
        HP_TRY(link(links, cell_of(c, a), number, series(near, first) * f->multiplier));
      }
  return HP_OK;
}

hp_status hp_aquifer_link_faces(const hp_case *c, int count, const hp_aquifer_cell *cell, const hp_aquifer_faces *f,
                                hp_case_links *links, int64_t *linked) {
  hp_case_links here = {0};
  hp_status s = link_own(c, count, cell, f, &here);
  if (s == HP_OK) s = hp_case_distribute_links(c->grid, &here, links, linked);
  hp_case_links_clear(&here);
  return s;
}

/* The aquifer of cell n into the case, where numbers rise, if it is its first. */
static hp_status place_aquifer(hp_case *c, int count, const hp_aquifer_cell *cell, int n) {
  const int number = cell[n].number;
  int at = c->nnumerical;
  if (first_of(count, cell, number) != &cell[n]) return HP_OK;
  for (; at > 0 && c->numerical[at - 1].number > number; --at) c->numerical[at] = c->numerical[at - 1];
  hp_numerical_aquifer *to = &c->numerical[at];
  *to = (hp_numerical_aquifer){.number = number};
  c->nnumerical += 1;
  HP_TRY(HP_ALLOC(to->cell, count));
  for (int k = n; k < count; ++k)
    if (cell[k].number == number) to->cell[to->ncell++] = cell_of(c, &cell[k]);
  return HP_OK;
}

static const hp_aquifer_cell *at_cell(const hp_case *c, int count, const hp_aquifer_cell *cell, int64_t m) {
  const hp_aquifer_cell *a = cell;
  while (a < cell + count - 1 && cell_of(c, a) != m) ++a;
  return a;
}

hp_status hp_aquifer_complete_numerical(hp_case *c, int count, const hp_aquifer_cell *cell) {
  hp_initial *start = &c->initial;
  if (count == 0) return HP_OK;
  HP_TRY(HP_ALLOC(c->numerical, count));
  HP_TRY(HP_ALLOC(start->flooded, count));
  HP_TRY(HP_ALLOC(start->flooded_pressure, count));
  for (int n = 0; n < count; ++n) {
    const int64_t m = cell_of(c, &cell[n]);
    if (!isnan(cell[n].depth) && hp_grid_holds(c->grid, m)) c->grid->depth[hp_grid_place(c->grid, m)] = cell[n].depth;
    HP_TRY(place_aquifer(c, count, cell, n));
  }
  for (int n = 0; n < c->nnumerical; ++n)
    for (int64_t k = 0; k < c->numerical[n].ncell; ++k) {
      const int64_t m = c->numerical[n].cell[k];
      start->flooded[start->nflooded] = m;
      start->flooded_pressure[start->nflooded++] = at_cell(c, count, cell, m)->pressure;
    }
  return HP_OK;
}
