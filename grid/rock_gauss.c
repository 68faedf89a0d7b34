#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "grid/rockgen.h"

/* A field seen as [outer][n][inner]: the filter runs along the middle index. */
typedef struct {
  int64_t outer, n, inner;
} axis;

/* The autoregressive filter, in place. The first entry is left as it is: its
 * variance is 1 already, so the filtered line is stationary from the start. */
static void filter_exponential(axis a, double length, double *field) {
  const double r = hp_rock_exp(-1.0 / length), q = sqrt(1.0 - r * r);
  for (int64_t o = 0; o < a.outer; ++o)
    for (int64_t s = 1; s < a.n; ++s) {
      const double *before = field + (o * a.n + s - 1) * a.inner;
      double *x = field + (o * a.n + s) * a.inner;
      for (int64_t c = 0; c < a.inner; ++c) x[c] = r * before[c] + q * x[c];
    }
}

/* Two moving averages whose weights are e^(-2 d^2/l^2) correlate as e^(-d^2/l^2).
 * weight [reach+1], line [n][inner] scratch. Weights outside the grid are left out
 * of the sum and of its norm: variance 1 up to the boundary. */
static void filter_gaussian(axis a, const double *weight, int64_t reach, double *line, double *field) {
  const int64_t size = a.n * a.inner;
  for (int64_t o = 0; o < a.outer; ++o) {
    double *block = field + o * size;
    memcpy(line, block, (size_t)size * sizeof *line);
    for (int64_t s = 0; s < a.n; ++s) {
      double *x = block + s * a.inner;
      const int64_t from = s > reach ? s - reach : 0, to = s + reach < a.n ? s + reach : a.n - 1;
      double squares = 0.0;
      for (int64_t c = 0; c < a.inner; ++c) x[c] = 0.0;
      for (int64_t t = from; t <= to; ++t) {
        const double w = weight[t < s ? s - t : t - s], *y = line + t * a.inner;
        squares += w * w;
        for (int64_t c = 0; c < a.inner; ++c) x[c] += w * y[c];
      }
      const double scale = 1.0 / sqrt(squares);
      for (int64_t c = 0; c < a.inner; ++c) x[c] *= scale;
    }
  }
}

static hp_status apply_gaussian(axis a, double length, double *field) {
  const double widest = 2.84 * length; /* exp(-2 * 2.84^2) = 1e-7 */
  const int64_t reach = widest < (double)(a.n - 1) ? (int64_t)widest : a.n - 1;
  double *weight = NULL, *line = NULL;
  hp_status s = HP_ALLOC(weight, reach + 1);
  if (s == HP_OK) s = HP_ALLOC(line, a.n * a.inner);
  if (s == HP_OK) {
    for (int64_t d = 0; d <= reach; ++d) weight[d] = hp_rock_exp(-2.0 * (double)(d * d) / (length * length));
    filter_gaussian(a, weight, reach, line, field);
  }
  HP_FREE(weight);
  HP_FREE(line);
  return s;
}

hp_status hp_rock_gauss(const hp_rock_gauss_spec *spec, int nx, int ny, int nz, double *field) {
  static const char along[3] = {'i', 'j', 'k'};
  for (int d = 0; d < 3; ++d)
    if (!(spec->correlation[d] >= 0.0) || !isfinite(spec->correlation[d]))
      return hp_fail(HP_ERR_DECK, "correlation length along %c is %g cells, must be >= 0", along[d],
                     spec->correlation[d]);

  const int64_t layer = (int64_t)nx * ny, n = layer * nz;
  for (int64_t m = 0; m < n; ++m) field[m] = hp_rock_normal(hp_rock_uniform(spec->seed, 0, (uint64_t)m));

  const axis axes[3] = {{(int64_t)ny * nz, nx, 1}, {nz, ny, nx}, {1, nz, layer}};
  for (int d = 0; d < 3; ++d) {
    const double length = spec->correlation[d];
    /* Below a hundredth of a cell neighbours are uncorrelated in double precision (and 1/length may overflow). */
    if (length < 0.01) continue;
    if (spec->covariance == HP_ROCK_EXPONENTIAL)
      filter_exponential(axes[d], length, field);
    else
      HP_TRY(apply_gaussian(axes[d], length, field));
  }
  return HP_OK;
}
