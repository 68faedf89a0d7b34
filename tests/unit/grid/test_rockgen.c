/* Synthetic rock: portable functions against libm, fields against their statistics, and against stored bits. */
#include "core/parallel.h"
#include "grid/rockgen.h"

#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"

static void check_functions(void) {
  double worst_exp = 0.0, worst_ln = 0.0, worst_sin = 0.0;
  for (int a = 0; a <= 20000; ++a) {
    const double x = -700.0 + 0.07 * a, u = -3.0 + 3e-4 * a, y = exp(x / 1.1);
    worst_exp = fmax(worst_exp, fabs(hp_rock_exp(x) / exp(x) - 1.0));
    worst_ln = fmax(worst_ln, fabs(hp_rock_ln(y) - log(y)) / fmax(1.0, fabs(log(y))));
    worst_sin = fmax(worst_sin, fabs(hp_rock_sin_turns(u) - sin(6.283185307179586 * u)));
  }
  CHECK(worst_exp < 1e-15 && worst_ln < 1e-15 && worst_sin < 1e-14);
  CHECK(hp_rock_exp(0.0) == 1.0 && hp_rock_exp(-1000.0) == 0.0 && isinf(hp_rock_exp(1000.0)));
  CHECK(hp_rock_ln(1.0) == 0.0 && isnan(hp_rock_ln(0.0)) && isnan(hp_rock_ln(-1.0)));
  CHECK(hp_rock_sin_turns(0.25) == 1.0 && hp_rock_sin_turns(7.0) == 0.0 && hp_rock_sin_turns(-2.25) == -1.0);

  /* Tabulated quantiles, and the distribution function as the inverse. */
  CHECK(hp_rock_normal(0.5) == 0.0);
  CHECK_NEAR(hp_rock_normal(0.975), 1.959963984540054, 1e-14);
  CHECK_NEAR(hp_rock_normal(0.025), -1.959963984540054, 1e-14);
  CHECK_NEAR(hp_rock_normal(0.00135), -2.999976992703392, 1e-12);
  for (double p = 1e-15; p < 0.6; p *= 1.7) CHECK_NEAR(0.5 * erfc(-hp_rock_normal(p) / sqrt(2.0)) / p, 1.0, 1e-12);
}

static void check_uniform(void) {
  double sum = 0.0, square = 0.0, product = 0.0, streams = 0.0;
  const int n = 100000;
  for (int a = 0; a < n; ++a) {
    const double u = hp_rock_uniform(7, 0, (uint64_t)a), v = hp_rock_uniform(7, 0, (uint64_t)a + 1);
    CHECK(u > 0.0 && u < 1.0);
    sum += u;
    square += u * u;
    product += (u - 0.5) * (v - 0.5);
    streams += (u - 0.5) * (hp_rock_uniform(7, 1, (uint64_t)a) - 0.5);
  }
  /* Four standard deviations of the mean. */
  CHECK_NEAR(sum / n, 0.5, 4 * 0.2887 / sqrt(n));
  CHECK_NEAR(square / n, 1.0 / 3.0, 4 * 0.2982 / sqrt(n));
  CHECK_NEAR(product / n, 0.0, 4 / 12.0 / sqrt(n));
  CHECK_NEAR(streams / n, 0.0, 4 / 12.0 / sqrt(n));
}

/* Mean of g(cell) g(cell shifted by `shift` along axis d). */
static double covariance(const double *g, const int n[3], int d, int shift) {
  double sum = 0.0;
  int64_t pairs = 0;
  const int64_t stride = d == 0 ? 1 : d == 1 ? n[0] : (int64_t)n[0] * n[1];
  for (int k = 0; k < n[2]; ++k)
    for (int j = 0; j < n[1]; ++j)
      for (int i = 0; i < n[0]; ++i) {
        const int at[3] = {i, j, k};
        if (at[d] + shift >= n[d]) continue;
        const int64_t m = i + (int64_t)n[0] * (j + (int64_t)n[1] * k);
        sum += g[m] * g[m + shift * stride];
        pairs += 1;
      }
  return sum / (double)pairs;
}

static void check_statistics(hp_rock_covariance kind) {
  enum { NX = 120, NY = 100, NZ = 40 };
  const int n[3] = {NX, NY, NZ};
  const int64_t ncell = (int64_t)NX * NY * NZ;
  const hp_rock_gauss_spec spec = {.seed = 42, .covariance = kind, .correlation = {4.0, 2.0, 0.0}};
  double *g = malloc((size_t)ncell * sizeof *g);
  if (g == NULL) return;
  CHECK_OK(hp_rock_gauss(&spec, NX, NY, NZ, g));
  double mean = 0.0;
  for (int64_t m = 0; m < ncell; ++m) mean += g[m] / (double)ncell;
  /* 480,000 cells in patches of about 8 x 4 or less: more than 15,000 independent values. */
  CHECK_NEAR(mean, 0.0, 4.0 / sqrt(15000.0));
  CHECK_NEAR(covariance(g, n, 0, 0), 1.0, 0.045);
  for (int d = 0; d < 3; ++d)
    for (int shift = 1; shift <= 6; shift += d == 2 ? 1 : 2) {
      const double l = spec.correlation[d], x = l > 0.0 ? shift / l : 1e9;
      CHECK_NEAR(covariance(g, n, d, shift), kind == HP_ROCK_EXPONENTIAL ? exp(-x) : exp(-x * x), 0.045);
    }

  /* The boundary is no different from the middle: variance of the first i-plane. */
  double edge = 0.0;
  for (int64_t m = 0; m < ncell; m += NX) edge += g[m] * g[m] / (NY * NZ);
  CHECK_NEAR(edge, 1.0, 0.15);
  free(g);
}

/* Made with gcc 12; equal with clang 14, at every optimisation level. */
#define GOLDEN_EXPONENTIAL 0x6e154d2ec9bdebd8u
#define GOLDEN_GAUSSIAN 0x0e18b6dea43dc88du
#define GOLDEN_CHANNELS 0x21d2895c9c0de6a5u

static uint64_t hash(const void *data, size_t bytes) {
  const unsigned char *p = data;
  uint64_t h = 0xcbf29ce484222325u; /* FNV-1a */
  for (size_t a = 0; a < bytes; ++a) h = (h ^ p[a]) * 0x100000001b3u;
  return h;
}

#define CHECK_HASH(array, golden)                                                                       \
  do {                                                                                                  \
    const uint64_t check_h = hash(array, sizeof array);                                                 \
    if (check_h != (golden)) fprintf(stderr, #array ": hash 0x%016llx\n", (unsigned long long)check_h); \
    CHECK(check_h == (golden));                                                                         \
  } while (0)

/* Little-endian machines only, as the stored hashes are of bytes in memory. */
static void check_bits(void) {
  enum { NX = 30, NY = 44, NZ = 17, N = NX * NY * NZ };
  static double g[N], again[N];
  hp_rock_gauss_spec spec = {.seed = 2024, .covariance = HP_ROCK_EXPONENTIAL, .correlation = {5.0, 7.5, 2.0}};
  CHECK_OK(hp_rock_gauss(&spec, NX, NY, NZ, g));
  CHECK_HASH(g, GOLDEN_EXPONENTIAL);
  CHECK_OK(hp_rock_gauss(&spec, NX, NY, NZ, again));
  CHECK(memcmp(g, again, sizeof g) == 0);
  spec.seed = 2025;
  CHECK_OK(hp_rock_gauss(&spec, NX, NY, NZ, again));
  CHECK(memcmp(g, again, sizeof g) != 0);
  spec.covariance = HP_ROCK_GAUSSIAN;
  CHECK_OK(hp_rock_gauss(&spec, NX, NY, NZ, g));
  CHECK_HASH(g, GOLDEN_GAUSSIAN);

  static uint8_t facies[N];
  hp_rock_channels_spec channels = hp_rock_channels_default();
  CHECK_OK(hp_rock_channels(&channels, NX, NY, NZ, facies));
  CHECK_HASH(facies, GOLDEN_CHANNELS);
}

/* Several numbers at a time: what they are one by one, wherever the eights begin and end. */
static void check_many(void) {
  enum { N = 1000 };
  static double x[N], y[N], noise[N];
  int unlike = 0;
  for (int m = 0; m < N; ++m)
    x[m] = m % 97 == 0 ? 4000.0 * hp_rock_uniform(1, 0, (uint64_t)m) - 2000.0 : -40.0 + 0.08 * m;
  x[500] = (double)NAN;
  for (int n = 0; n <= 20; ++n) {
    memset(y, 0, sizeof y);
    hp_rock_exp_of(N - n, x + n, y + n);
    hp_rock_noise(9, n, N - 2 * n, noise + n);
    for (int m = n; m < N; ++m) {
      const double e = hp_rock_exp(x[m]), w = hp_rock_normal(hp_rock_uniform(9, 0, (uint64_t)m));
      unlike += !(y[m] == e || (isnan(y[m]) && isnan(e))) || (m < N - 2 * n && noise[m] != w);
    }
  }
  CHECK(unlike == 0);
  hp_rock_exp_of(20, x, x);
  CHECK(memcmp(x + 1, (double[]){hp_rock_exp(-40.0 + 0.08)}, sizeof *x) == 0);
}

/* Cells of value 1 that a path through faces of such cells joins to j = 0, as a share of those at j = ny-1. */
static double connected_share(const uint8_t *facies, int nx, int ny, int nz) {
  const int64_t ncell = (int64_t)nx * ny * nz;
  uint8_t *seen = calloc((size_t)ncell, 1);
  int64_t *stack = malloc((size_t)ncell * sizeof *stack), height = 0;
  if (seen == NULL || stack == NULL) return -1.0;
  for (int64_t m = 0; m < ncell; ++m)
    if ((m / nx) % ny == 0 && facies[m]) {
      seen[m] = 1;
      stack[height++] = m;
    }
  while (height > 0) {
    const int64_t m = stack[--height], i = m % nx, j = (m / nx) % ny, k = m / ((int64_t)nx * ny);
    const int64_t next[6] = {
        i > 0 ? m - 1 : m,       i < nx - 1 ? m + 1 : m,           j > 0 ? m - nx : m,
        j < ny - 1 ? m + nx : m, k > 0 ? m - (int64_t)nx * ny : m, k < nz - 1 ? m + (int64_t)nx * ny : m};
    for (int a = 0; a < 6; ++a)
      if (facies[next[a]] && !seen[next[a]]) {
        seen[next[a]] = 1;
        stack[height++] = next[a];
      }
  }
  int64_t reached = 0, all = 0;
  for (int64_t m = 0; m < ncell; ++m)
    if ((m / nx) % ny == ny - 1 && facies[m]) {
      all += 1;
      reached += seen[m];
    }
  free(seen);
  free(stack);
  return all > 0 ? (double)reached / (double)all : 0.0;
}

static void check_channels(void) {
  enum { NX = 60, NY = 220, NZ = 25, N = NX * NY * NZ };
  static uint8_t facies[N];
  for (int a = 1; a <= 9; a += 2) {
    hp_rock_channels_spec spec = hp_rock_channels_default();
    spec.seed = (uint64_t)a;
    spec.proportion = 0.1 * a;
    CHECK_OK(hp_rock_channels(&spec, NX, NY, NZ, facies));
    int64_t count = 0;
    for (int64_t m = 0; m < N; ++m) {
      CHECK(facies[m] <= 1);
      count += facies[m];
    }
    /* Half of the largest channel: 8 x 5 cells, both 30 % larger, wider in bends. */
    CHECK_NEAR((double)count / N, spec.proportion, 0.5 * (8 * 5 * 1.69 * 1.5) / (NX * NZ));
    CHECK(connected_share(facies, NX, NY, NZ) > 0.85);
  }

  /* A single channel of known size: 10 wide, 6 thick, no meander. The parabola holds 2/3 of the box. */
  hp_rock_channels_spec one = hp_rock_channels_default();
  one.width = 10.0, one.thickness = 6.0, one.amplitude = 0.0, one.variability = 0.0, one.proportion = 0.02;
  CHECK_OK(hp_rock_channels(&one, NX, NY, NZ, facies));
  int64_t count = 0, same = 0;
  for (int64_t m = 0; m < N; ++m) {
    count += facies[m];
    same += facies[m] == facies[m - m / NX % NY * NX]; /* the same cell at j = 0 */
  }
  CHECK(same == N);
  CHECK(count > 0 && count <= 10 * 6 * NY);
  CHECK(connected_share(facies, NX, NY, NZ) == 1.0);

  one.proportion = 1.0;
  CHECK_OK(hp_rock_channels(&one, 4, 4, 4, facies));
  CHECK(facies[0] == 1 && facies[63] == 1);
  one.proportion = 0.0;
  CHECK_OK(hp_rock_channels(&one, 4, 4, 4, facies));
  CHECK(facies[0] == 0 && facies[63] == 0);
}

static void check_refused(void) {
  double g[8];
  uint8_t facies[8];
  const hp_rock_gauss_spec spec = {.seed = 1, .correlation = {1.0, -2.0, 1.0}};
  CHECK(hp_rock_gauss(&spec, 2, 2, 2, g) == HP_ERR_DECK);
  CHECK(strstr(hp_fail_text(), "along j is -2") != NULL);
  hp_rock_channels_spec channels = hp_rock_channels_default();
  channels.proportion = 1.2;
  CHECK(hp_rock_channels(&channels, 2, 2, 2, facies) == HP_ERR_DECK);
  CHECK(strstr(hp_fail_text(), "proportion is 1.2") != NULL);
}

int main(void) {
  check_functions();
  check_uniform();
  check_statistics(HP_ROCK_EXPONENTIAL);
  check_statistics(HP_ROCK_GAUSSIAN);
  for (int threads = 1; threads <= 7; threads += 3) { /* 1, 4, 7: the same bits */
    hp_parallel_limit(threads);
    check_bits();
  }
  hp_parallel_limit(0);
  check_many();
  check_channels();
  check_refused();
  return check_result();
}
