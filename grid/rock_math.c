/* Elementary functions from + - * / and sqrt only: the same bits everywhere. */
#include "grid/rockgen.h"

#include <math.h>
#include <string.h>

static double from_bits(uint64_t bits) {
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

static uint64_t to_bits(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

/* c[0] + c[1] x + ... + c[n-1] x^(n-1) by Horner's rule. */
static inline double polynomial(const double *c, int n, double x) {
  double sum = c[n - 1];
  for (int a = n - 2; a >= 0; --a) sum = sum * x + c[a];
  return sum;
}

/* ln 2 in two parts; the first has 21 trailing zero bits, so that a multiple of it by an exponent is exact. */
static const double LN2_HIGH = 6.93147180369123816490e-01, LN2_LOW = 1.90821492927058770002e-10;

/* -708 <= x <= 709 */
static inline double exp_inside(double x) {
  static const double inverse_factorial[14] = {1.0,
                                               1.0,
                                               1.0 / 2,
                                               1.0 / 6,
                                               1.0 / 24,
                                               1.0 / 120,
                                               1.0 / 720,
                                               1.0 / 5040.0,
                                               1.0 / 40320.0,
                                               1.0 / 362880.0,
                                               1.0 / 3628800.0,
                                               1.0 / 39916800.0,
                                               1.0 / 479001600.0,
                                               1.0 / 6227020800.0};
  const double turns = x * 1.44269504088896338700;
  const int n = (int)(turns < 0.0 ? turns - 0.5 : turns + 0.5);
  const double r = (x - n * LN2_HIGH) - n * LN2_LOW; /* |r| <= ln(2)/2: the 14th term is below 1e-17 */
  return polynomial(inverse_factorial, 14, r) * from_bits((uint64_t)(n + 1023) << 52);
}

double hp_rock_exp(double x) {
  if (isnan(x)) return x;
  if (x < -708.0) return 0.0;
  if (x > 709.0) return (double)INFINITY;
  return exp_inside(x);
}

/* Several at a time: the same operations, without branches, for the compiler to make vectors of. */
enum { LANES = 8 };

void hp_rock_exp_of(int64_t n, const double *x, double *y) {
  int64_t m = 0;
  for (; m + LANES <= n; m += LANES) {
    double in[LANES];
    bool inside = true;
    for (int l = 0; l < LANES; ++l) {
      in[l] = x[m + l];
      inside &= in[l] >= -708.0 && in[l] <= 709.0;
    }
    if (inside)
      for (int l = 0; l < LANES; ++l) y[m + l] = exp_inside(in[l]);
    else
      for (int l = 0; l < LANES; ++l) y[m + l] = hp_rock_exp(in[l]);
  }
  for (; m < n; ++m) y[m] = hp_rock_exp(x[m]);
}

double hp_rock_ln(double x) {
  static const double odd[12] = {1.0,        1.0 / 3.0,  1.0 / 5.0,  1.0 / 7.0,  1.0 / 9.0,  1.0 / 11.0,
                                 1.0 / 13.0, 1.0 / 15.0, 1.0 / 17.0, 1.0 / 19.0, 1.0 / 21.0, 1.0 / 23.0};
  if (!(x >= 2.2250738585072014e-308) || !isfinite(x)) return (double)NAN;
  const uint64_t bits = to_bits(x), fraction_mask = 0x000fffffffffffffu;
  int n = (int)(bits >> 52) - 1023;
  double y = from_bits((bits & fraction_mask) | 0x3ff0000000000000u); /* x = 2^n y, 1 <= y < 2 */
  if (y > 1.41421356237309504880) {
    y *= 0.5;
    n += 1;
  }
  /* ln y = 2 artanh s, |s| <= 0.1716: the 13th term is below 1e-17 of the first. */
  const double s = (y - 1.0) / (y + 1.0);
  return n * LN2_HIGH + (2.0 * s * polynomial(odd, 12, s * s) + n * LN2_LOW);
}

double hp_rock_sin_turns(double u) {
  static const double taylor[12] = {1.0,
                                    -1.0 / 6.0,
                                    1.0 / 120.0,
                                    -1.0 / 5040.0,
                                    1.0 / 362880.0,
                                    -1.0 / 39916800.0,
                                    1.0 / 6227020800.0,
                                    -1.0 / 1307674368000.0,
                                    1.0 / 355687428096000.0,
                                    -1.0 / 121645100408832000.0,
                                    1.0 / 51090942171709440000.0,
                                    -1.0 / 25852016738884976640000.0};
  double t = u - (double)(int64_t)u; /* -1 < t < 1 */
  if (t > 0.5) t -= 1.0;
  if (t < -0.5) t += 1.0;
  if (t > 0.25) t = 0.5 - t;
  if (t < -0.25) t = -0.5 - t;
  const double x = 6.28318530717958647693 * t; /* |x| <= pi/2: the 13th term is below 1e-19 */
  return x * polynomial(taylor, 12, x * x);
}

/* The quantile of p = 1/2 + q, |q| <= CENTRE. */
static const double CENTRE = 0.425;
static inline double normal_inside(double q) {
  static const double a[8] = {3.3871328727963666080e0, 1.3314166789178437745e2, 1.9715909503065514427e3,
                              1.3731693765509461125e4, 4.5921953931549871457e4, 6.7265770927008700853e4,
                              3.3430575583588128105e4, 2.5090809287301226727e3};
  static const double b[8] = {1.0,
                              4.2313330701600911252e1,
                              6.8718700749205790830e2,
                              5.3941960214247511077e3,
                              2.1213794301586595867e4,
                              3.9307895800092710610e4,
                              2.8729085735721942674e4,
                              5.2264952788528545610e3};
  const double r = 0.180625 - q * q;
  return q * polynomial(a, 8, r) / polynomial(b, 8, r);
}

static double normal_outside(double p) {
  static const double c[8] = {1.42343711074968357734e0,  4.63033784615654529590e0, 5.76949722146069140550e0,
                              3.64784832476320460504e0,  1.27045825245236838258e0, 2.41780725177450611770e-1,
                              2.27238449892691845833e-2, 7.74545014278341407640e-4};
  static const double d[8] = {1.0,
                              2.05319162663775882187e0,
                              1.67638483018380384940e0,
                              6.89767334985100004550e-1,
                              1.48103976427480074590e-1,
                              1.51986665636164571966e-2,
                              5.47593808499534494600e-4,
                              1.05075007164441684324e-9};
  static const double e[8] = {6.65790464350110377720e0,  5.46378491116411436990e0,  1.78482653991729133580e0,
                              2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
                              2.71155556874348757815e-5, 2.01033439929228813265e-7};
  static const double f[8] = {1.0,
                              5.99832206555887937690e-1,
                              1.36929880922735805310e-1,
                              1.48753612908506148525e-2,
                              7.86869131145613259100e-4,
                              1.84631831751005468180e-5,
                              1.42151175831644588870e-7,
                              2.04426310338993978564e-15};
  const double q = p - 0.5;
  const double r = sqrt(-hp_rock_ln(q < 0.0 ? p : 1.0 - p));
  const double tail = r <= 5.0 ? polynomial(c, 8, r - 1.6) / polynomial(d, 8, r - 1.6)
                               : polynomial(e, 8, r - 5.0) / polynomial(f, 8, r - 5.0);
  return q < 0.0 ? -tail : tail;
}

static bool is_inside(double q) { return q >= -CENTRE && q <= CENTRE; }

double hp_rock_normal(double p) { return is_inside(p - 0.5) ? normal_inside(p - 0.5) : normal_outside(p); }

double hp_rock_uniform(uint64_t seed, uint64_t stream, uint64_t index) {
  const uint64_t golden = 0x9e3779b97f4a7c15u;
  const uint64_t start = hp_mix64(hp_mix64(seed + golden) + (stream + 1) * golden);
  const uint64_t bits = hp_mix64(start + (index + 1) * golden);
  /* 52 bits and a half are exact in a double and never 0 or 1. */
  return ((double)(bits >> 12) + 0.5) * (1.0 / 4503599627370496.0);
}

/* All as if in the middle, then those that are not. */
void hp_rock_noise(uint64_t seed, int64_t begin, int64_t end, double *field) {
  int64_t m = begin;
  for (; m + LANES <= end; m += LANES) {
    double p[LANES];
    for (int l = 0; l < LANES; ++l) p[l] = hp_rock_uniform(seed, 0, (uint64_t)(m + l));
    for (int l = 0; l < LANES; ++l) field[m - begin + l] = normal_inside(p[l] - 0.5);
    for (int l = 0; l < LANES; ++l)
      if (!is_inside(p[l] - 0.5)) field[m - begin + l] = normal_outside(p[l]);
  }
  for (; m < end; ++m) field[m - begin] = hp_rock_normal(hp_rock_uniform(seed, 0, (uint64_t)m));
}
