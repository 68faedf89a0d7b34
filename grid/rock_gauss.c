#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "grid/rockgen.h"

/* A field seen as [outer][n][inner]: the filter runs along the middle index. Lines of the filter do not depend on each
 * other, so that threads share them: blocks (outer) where there are several, else the lines of the one block
 * (inner). */
typedef struct {
  int64_t outer, n, inner;
  double *field;
} axis;

static bool by_block(const axis *a) { return a->outer > 1; }

/* Lines c = inner .. inner_end-1 of blocks o = outer .. outer_end-1. */
typedef struct {
  int64_t outer, outer_end, inner, inner_end;
} lines;

static lines lines_of(const axis *a, int64_t begin, int64_t end) {
  return by_block(a) ? (lines){begin, end, 0, a->inner} : (lines){0, 1, begin, end};
}

static void over_lines(const axis *a, void (*body)(void *arg, int64_t begin, int64_t end), void *arg) {
  const int64_t count = by_block(a) ? a->outer : a->inner, line = by_block(a) ? a->n * a->inner : a->n;
  hp_parallel(count, 1 + HP_PARALLEL_GRAIN / line, body, arg);
}

/* ---- exponential covariance ---- */

typedef struct {
  axis a;
  double r, q;
  const double *begun; /* [outer][inner] the entries before the first ones; NULL: there are none */
} regression;

/* The autoregressive filter, in place. The first entry is left as it is: its
 * variance is 1 already, so the filtered line is stationary from the start. A line that goes on has its beginning. */
static void regress(void *arg, int64_t begin, int64_t end) {
  const regression *f = arg;
  const axis *a = &f->a;
  const double r = f->r, q = f->q;
  const lines l = lines_of(a, begin, end);
  for (int64_t o = l.outer; o < l.outer_end; ++o) {
    double *first = a->field + o * a->n * a->inner;
    for (int64_t c = l.inner; f->begun != NULL && c < l.inner_end; ++c)
      first[c] = r * f->begun[o * a->inner + c] + q * first[c];
    for (int64_t s = 1; s < a->n; ++s) {
      const double *before = a->field + (o * a->n + s - 1) * a->inner;
      double *x = a->field + (o * a->n + s) * a->inner;
      for (int64_t c = l.inner; c < l.inner_end; ++c) x[c] = r * before[c] + q * x[c];
    }
  }
}

static void filter_exponential(axis a, double length) {
  const double r = hp_rock_exp(-1.0 / length);
  regression f = {a, r, sqrt(1.0 - r * r), NULL};
  over_lines(&a, regress, &f);
}

/* Along i, where lines go from rank to rank. */
typedef struct {
  regression f;
  const hp_rock_planes *p;
  double *edge; /* [ny nz] the last own entries of the rank before, then this one's */
} chained;

static void go_on(void *arg) {
  chained *g = arg;
  for (int64_t o = 0; o < g->f.a.outer && g->p->owned == 0; ++o) /* its one plane is the last one of another rank */
    g->f.a.field[o * g->p->ni] = g->edge[o];
  if (g->p->owned == 0) return;
  if (g->p->i0 > 0) g->f.begun = g->edge;
  over_lines(&g->f.a, regress, &g->f);
  for (int64_t o = 0; o < g->f.a.outer; ++o) g->edge[o] = g->f.a.field[o * g->p->ni + g->p->owned - 1];
}

static hp_status filter_exponential_planes(const hp_rock_planes *p, double length, double *field) {
  const double r = hp_rock_exp(-1.0 / length);
  const int64_t rows = (int64_t)p->ny * p->nz;
  chained g = {.f = {{rows, p->ni, 1, field}, r, sqrt(1.0 - r * r), NULL}, .p = p};
  HP_TRY(HP_ALLOC(g.edge, rows));
  const hp_status s = hp_spread_chain(p->P, g.edge, rows * (int64_t)sizeof *g.edge, false, go_on, &g);
  HP_FREE(g.edge);
  return s;
}

/* ---- gaussian covariance ---- */

typedef struct {
  axis a;
  const double *weight; /* [reach+1] */
  int64_t reach;
  double *before; /* [outer][n][inner] the field as it was */
} average;

/* Two moving averages whose weights are e^(-2 d^2/l^2) correlate as e^(-d^2/l^2). Weights outside the grid are left
 * out of the sum and of its norm: variance 1 up to the boundary. */
static void move_average(void *arg, int64_t begin, int64_t end) {
  const average *f = arg;
  const axis *a = &f->a;
  const lines l = lines_of(a, begin, end);
  for (int64_t o = l.outer; o < l.outer_end; ++o)
    for (int64_t s = 0; s < a->n; ++s) {
      double *x = a->field + (o * a->n + s) * a->inner;
      const int64_t from = s > f->reach ? s - f->reach : 0, to = s + f->reach < a->n ? s + f->reach : a->n - 1;
      double squares = 0.0;
      for (int64_t c = l.inner; c < l.inner_end; ++c) x[c] = 0.0;
      for (int64_t t = from; t <= to; ++t) {
        const double w = f->weight[t < s ? s - t : t - s], *y = f->before + (o * a->n + t) * a->inner;
        squares += w * w;
        for (int64_t c = l.inner; c < l.inner_end; ++c) x[c] += w * y[c];
      }
      const double scale = 1.0 / sqrt(squares);
      for (int64_t c = l.inner; c < l.inner_end; ++c) x[c] *= scale;
    }
}

/* Weights of cells 0 .. *reach apart along n cells. */
static hp_status weigh(int64_t n, double length, int64_t *reach, double **weight) {
  const double widest = 2.84 * length; /* exp(-2 * 2.84^2) = 1e-7 */
  *reach = widest < (double)(n - 1) ? (int64_t)widest : n - 1;
  HP_TRY(HP_ALLOC(*weight, *reach + 1));
  for (int64_t d = 0; d <= *reach; ++d) (*weight)[d] = hp_rock_exp(-2.0 * (double)(d * d) / (length * length));
  return HP_OK;
}

static hp_status filter_gaussian(axis a, double length) {
  const int64_t count = a.outer * a.n * a.inner;
  double *weight = NULL;
  average f = {.a = a};
  hp_status s = weigh(a.n, length, &f.reach, &weight);
  if (s == HP_OK) s = HP_ALLOC_UNSET(f.before, count);
  if (s == HP_OK) {
    memcpy(f.before, a.field, (size_t)count * sizeof *f.before);
    f.weight = weight;
    over_lines(&a, move_average, &f);
  }
  HP_FREE(weight);
  HP_FREE(f.before);
  return s;
}

/* ---- the field ---- */

typedef struct {
  uint64_t seed;
  const hp_rock_planes *p;
  double *field;
} noise;

static void fill_noise(void *arg, int64_t begin, int64_t end) {
  const noise *w = arg;
  hp_rock_noise(w->seed, begin, end, w->field + begin);
}

/* Rows j, k of the planes that are held. */
static void fill_rows(void *arg, int64_t begin, int64_t end) {
  const noise *w = arg;
  const hp_rock_planes *p = w->p;
  for (int64_t row = begin; row < end; ++row)
    hp_rock_noise(w->seed, p->nx * row + p->i0, p->nx * row + p->i0 + p->ni, w->field + p->ni * row);
}

/* Along i by planes: the white noise of those that are averaged is made one after the other. */
static hp_status average_planes(const hp_rock_planes *p, uint64_t seed, double length, double *field) {
  const int64_t rows = (int64_t)p->ny * p->nz;
  int64_t reach;
  double *weight = NULL, *plane = NULL, *squares = NULL;
  hp_status s = weigh(p->nx, length, &reach, &weight);
  if (s == HP_OK) s = HP_ALLOC(plane, rows);
  if (s == HP_OK) s = HP_ALLOC(squares, p->ni);
  for (int64_t m = 0; m < rows * p->ni && s == HP_OK; ++m) field[m] = 0.0;
  for (int64_t t = p->i0 - reach; t < p->i0 + p->ni + reach && s == HP_OK; ++t) {
    if (t < 0 || t >= p->nx) continue;
    for (int64_t row = 0; row < rows; ++row) hp_rock_noise(seed, p->nx * row + t, p->nx * row + t + 1, &plane[row]);
    for (int64_t i = 0; i < p->ni; ++i) {
      const int64_t apart = t < p->i0 + i ? p->i0 + i - t : t - p->i0 - i;
      if (apart > reach) continue;
      squares[i] += weight[apart] * weight[apart];
      for (int64_t row = 0; row < rows; ++row) field[i + p->ni * row] += weight[apart] * plane[row];
    }
  }
  for (int64_t i = 0; i < p->ni && s == HP_OK; ++i) {
    const double scale = 1.0 / sqrt(squares[i]);
    for (int64_t row = 0; row < rows; ++row) field[i + p->ni * row] *= scale;
  }
  HP_FREE(weight);
  HP_FREE(plane);
  HP_FREE(squares);
  return s;
}

/* White noise, filtered along i. */
static hp_status begin_planes(const hp_rock_gauss_spec *spec, const hp_rock_planes *p, double *field) {
  const double length = spec->correlation[0];
  noise white = {spec->seed, p, field};
  if (length >= 0.01 && spec->covariance != HP_ROCK_EXPONENTIAL) return average_planes(p, spec->seed, length, field);
  hp_parallel((int64_t)p->ny * p->nz, 1 + HP_PARALLEL_GRAIN / 8 / p->ni, fill_rows, &white);
  return length >= 0.01 ? filter_exponential_planes(p, length, field) : HP_OK;
}

hp_status hp_rock_gauss(const hp_rock_gauss_spec *spec, int nx, int ny, int nz, double *field) {
  const hp_rock_planes all = {NULL, nx, ny, nz, 0, nx, nx};
  return hp_rock_gauss_planes(spec, &all, field);
}

hp_status hp_rock_gauss_planes(const hp_rock_gauss_spec *spec, const hp_rock_planes *p, double *field) {
  static const char along[3] = {'i', 'j', 'k'};
  for (int d = 0; d < 3; ++d)
    if (!(spec->correlation[d] >= 0.0) || !isfinite(spec->correlation[d]))
      return hp_fail(HP_ERR_DECK, "correlation length along %c is %g cells, must be >= 0", along[d],
                     spec->correlation[d]);

  const int nx = p->ni, ny = p->ny, nz = p->nz;
  const int64_t layer = (int64_t)nx * ny, n = layer * nz;
  noise white = {spec->seed, p, field};
  if (p->P != NULL) HP_TRY(begin_planes(spec, p, field));
  else hp_parallel(n, HP_PARALLEL_GRAIN / 8, fill_noise, &white);

  const axis axes[3] = {{(int64_t)ny * nz, nx, 1, field}, {nz, ny, nx, field}, {1, nz, layer, field}};
  for (int d = p->P != NULL ? 1 : 0; d < 3; ++d) {
    const double length = spec->correlation[d];
    /* Below a hundredth of a cell neighbours are uncorrelated in double precision (and 1/length may overflow). */
    if (length < 0.01) continue;
    if (spec->covariance == HP_ROCK_EXPONENTIAL) filter_exponential(axes[d], length);
    else HP_TRY(filter_gaussian(axes[d], length));
  }
  return HP_OK;
}
