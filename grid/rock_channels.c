#include <math.h>
#include <string.h>

#include "grid/rockgen.h"

/* One channel. Its axis runs along j at
 *   i = middle + amplitude (0.8 sin 2pi(j/wavelength + phase[0]) + 0.2 sin 2pi(2.3 j/wavelength + phase[1]))
 * and its cross section hangs from a flat top:
 *
 *        width
 *    +-----------+  top          thickness t at the middle, t (1 - (2 d/width)^2)
 *     \         /                 at the distance d from the axis
 *       `-----'     top + t
 */
typedef struct {
  double middle, top, width, thickness, wavelength, amplitude, phase[2];
} channel;

static double varied(double mean, double share, double u) { return mean * (1.0 + share * (2.0 * u - 1.0)); }

/* Channel number n of the field. Tops follow a golden-section sequence, which
 * spreads the channels evenly over the layers whatever their number. */
static channel draw(const hp_rock_channels_spec *spec, int nx, int nz, uint64_t n) {
  const double golden = 0.61803398874989484820;
  const uint64_t stream = n + 1; /* stream 0 belongs to the field as a whole */
  channel c;
  c.width = varied(spec->width, spec->variability, hp_rock_uniform(spec->seed, stream, 0));
  c.thickness = varied(spec->thickness, spec->variability, hp_rock_uniform(spec->seed, stream, 1));
  c.wavelength = varied(spec->wavelength, spec->variability, hp_rock_uniform(spec->seed, stream, 2));
  c.amplitude = varied(spec->amplitude, spec->variability, hp_rock_uniform(spec->seed, stream, 3));
  if (c.width < 1.0) c.width = 1.0;
  if (c.thickness < 1.0) c.thickness = 1.0;
  c.middle = nx * hp_rock_uniform(spec->seed, stream, 4);
  c.phase[0] = hp_rock_uniform(spec->seed, stream, 5);
  c.phase[1] = hp_rock_uniform(spec->seed, stream, 6);
  const double at = hp_rock_uniform(spec->seed, 0, 0) + golden * (double)n;
  const double share = at - (double)(int64_t)at;
  c.top = share * (nz + c.thickness - 1.0) - (c.thickness - 1.0); /* some begin above the first layer */
  return c;
}

static double axis_at(const channel *c, double j) {
  const double u = j / c->wavelength;
  return c->middle +
         c->amplitude * (0.8 * hp_rock_sin_turns(u + c->phase[0]) + 0.2 * hp_rock_sin_turns(2.3 * u + c->phase[1]));
}

/* First and last integer whose cell centre n + 1/2 lies in from..to, cut to 0..count-1. */
static void cells_between(double from, double to, int count, int *first, int *last) {
  const double low = from - 0.5 > 0.0 ? from - 0.5 : 0.0;
  int f = low < count ? (int)low : count;
  if (f < low) f += 1;
  *first = f;
  *last = to - 0.5 < 0.0 ? -1 : to - 0.5 < count - 1 ? (int)(to - 0.5) : count - 1;
}

static int larger(int a, int b) { return a > b ? a : b; }
static int smaller(int a, int b) { return a < b ? a : b; }

/* Gives `mark` to the cells of the channel that hold `from`; the number of own ones. */
static int64_t carve(const channel *c, const hp_rock_planes *p, uint8_t from, uint8_t mark, uint8_t *facies) {
  int64_t changed = 0;
  for (int j = 0; j < p->ny; ++j) {
    const double x = axis_at(c, j + 0.5), slope = axis_at(c, j + 1.0) - axis_at(c, (double)j);
    /* The width is measured across the flow, so a bend is wider along i. */
    const double half = 0.5 * c->width * sqrt(1.0 + slope * slope);
    int i_first, i_last;
    cells_between(x - half, x + half, p->nx, &i_first, &i_last);
    for (int i = larger(i_first, p->i0); i <= smaller(i_last, p->i0 + p->ni - 1); ++i) {
      const double d = (i + 0.5 - x) / half;
      int k_first, k_last;
      cells_between(c->top, c->top + c->thickness * (1.0 - d * d), p->nz, &k_first, &k_last);
      for (int k = k_first; k <= k_last; ++k) {
        uint8_t *cell = facies + i - p->i0 + (int64_t)p->ni * (j + (int64_t)p->ny * k);
        if (*cell != from) continue;
        *cell = mark;
        changed += i < p->i0 + p->owned;
      }
    }
  }
  return changed;
}

hp_rock_channels_spec hp_rock_channels_default(void) {
  const hp_rock_channels_spec spec = {.seed = 1,
                                      .proportion = 0.35,
                                      .width = 8.0,
                                      .thickness = 5.0,
                                      .wavelength = 70.0,
                                      .amplitude = 9.0,
                                      .variability = 0.3};
  return spec;
}

static hp_status check_range(const char *name, double value, double low, double high) {
  if (value >= low && value <= high) return HP_OK;
  return hp_fail(HP_ERR_DECK, "channels: %s is %g, must be in %g..%g", name, value, low, high);
}

static hp_status validate(const hp_rock_channels_spec *spec) {
  HP_TRY(check_range("proportion", spec->proportion, 0.0, 1.0));
  HP_TRY(check_range("width", spec->width, 1.0, 1e6));
  HP_TRY(check_range("thickness", spec->thickness, 1.0, 1e6));
  HP_TRY(check_range("wavelength", spec->wavelength, 1e-3, 1e9));
  HP_TRY(check_range("amplitude", spec->amplitude, 0.0, 1e6));
  return check_range("variability", spec->variability, 0.0, 0.9);
}

hp_status hp_rock_channels(const hp_rock_channels_spec *spec, int nx, int ny, int nz, uint8_t *facies) {
  const hp_rock_planes all = {NULL, nx, ny, nz, 0, nx, nx};
  return hp_rock_channels_planes(spec, &all, facies);
}

hp_status hp_rock_channels_planes(const hp_rock_channels_spec *spec, const hp_rock_planes *p, uint8_t *facies) {
  HP_TRY(validate(spec));
  const int64_t ncell = (int64_t)p->nx * p->ny * p->nz, held = (int64_t)p->ni * p->ny * p->nz;
  const double wanted = spec->proportion * (double)ncell;
  if (spec->proportion >= 1.0) {
    memset(facies, 1, (size_t)held);
    return HP_OK;
  }
  memset(facies, 0, (size_t)held);

  /* A channel carves new cells as 2 first, so that the last one can be taken back. */
  int64_t count = 0;
  const int64_t most = 1000 + 64 * ((int64_t)p->nx + 1) * p->nz;
  for (int64_t n = 0; (double)count < wanted; ++n) {
    if (n == most)
      return hp_fail(HP_ERR_NUMERIC, "channels: proportion %g is out of reach, %g after %lld channels",
                     spec->proportion, (double)count / (double)ncell, (long long)n);
    const channel c = draw(spec, p->nx, p->nz, (uint64_t)n);
    int64_t added = carve(&c, p, 0, 2, facies);
    HP_TRY(hp_spread_sum(p->P, &added, 1));
    const double over = (double)(count + added) - wanted, under = wanted - (double)count;
    if (over > under) {
      (void)carve(&c, p, 2, 0, facies);
      break;
    }
    (void)carve(&c, p, 2, 1, facies);
    count += added;
  }
  return HP_OK;
}
