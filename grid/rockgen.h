/* Synthetic rock: random fields that stand in for a reservoir's heterogeneity.
 *
 *   hp_rock_gauss     a standard normal field g with correlation lengths; decks
 *                     make it a permeability by exp(mean + sigma g) (log-normal)
 *                     or a porosity by mean + sigma g
 *   hp_rock_channels  two facies: sinuous channels (1) in a background (0)
 *
 * All fields are in natural order as in decks: [nz][ny][nx], i fastest.
 *
 * The same seed gives the same field to the bit on every machine and with every
 * compiler: only + - * /, sqrt (all correctly rounded) and integer arithmetic
 * are used, never libm's exp, log or sin, which differ between versions. This
 * holds as long as the build neither contracts a*b+c nor reorders sums
 * (-ffp-contract=off, no -ffast-math). Callers that map a field onwards use
 * hp_rock_exp for the same reason.
 */
#ifndef HP_GRID_ROCKGEN_H
#define HP_GRID_ROCKGEN_H

#include "core/ranks/spread.h"

HP_EXTERN_C_BEGIN

/* Planes i0 .. i0 + ni - 1 of a field of nx x ny x nz cells, in arrays [nz][ny][ni]: those that a rank holds
 * (core/ranks/spread.h), or all if P is NULL. */
typedef struct hp_rock_planes {
  hp_spread *P;
  int nx, ny, nz;
  int i0, ni, owned; /* own: the first ones, which no other rank counts as its own */
} hp_rock_planes;

/* Correlation of two cells d apart in units of the correlation lengths, the
 * product over the three directions of
 *   exponential  exp(-|d|)   rough, as measured permeability mostly is
 *   gaussian     exp(-d^2)   smooth */
typedef enum { HP_ROCK_EXPONENTIAL, HP_ROCK_GAUSSIAN } hp_rock_covariance;

typedef struct hp_rock_gauss_spec {
  uint64_t seed;
  hp_rock_covariance covariance;
  double correlation[3]; /* lengths along i, j, k [cells], >= 0; 0: uncorrelated */
} hp_rock_gauss_spec;

/* field [nz][ny][nx]: mean 0, variance 1 in every cell, up to the boundary.
 * HP_ERR_DECK if a correlation length is negative or not finite.
 * Exponential: white noise through a first-order autoregressive filter along
 * each direction, x_0 = w_0, x_i = r x_(i-1) + sqrt(1-r^2) w_i, r = exp(-1/l),
 * whose covariance is exactly r^|d| (e.g. Box & Jenkins, Time Series Analysis,
 * 3.2; separable in space: Martin, Biometrika 66 (1979) 209).
 * Gaussian: moving average with weights exp(-2 d^2/l^2), cut where they fall
 * below 1e-7, divided by the root of the sum of squares of those inside the grid. */
hp_status hp_rock_gauss(const hp_rock_gauss_spec *spec, int nx, int ny, int nz, double *field) HP_MUST_USE;
/* Planes of the same field, with the same bits. */
hp_status hp_rock_gauss_planes(const hp_rock_gauss_spec *spec, const hp_rock_planes *p, double *field) HP_MUST_USE;

typedef struct hp_rock_channels_spec {
  uint64_t seed;
  double proportion;  /* of channel cells, 0..1 */
  double width;       /* of a channel across its flow [cells], >= 1 */
  double thickness;   /* at the middle of a channel [cells], >= 1 */
  double wavelength;  /* of the meanders along j [cells], > 0 */
  double amplitude;   /* of the meanders along i [cells], >= 0 */
  double variability; /* 0..0.9: sizes vary from channel to channel by up to this share */
} hp_rock_channels_spec;

/* seed 1, proportion 0.35, width 8, thickness 5, wavelength 70, amplitude 9, variability 0.3. */
hp_rock_channels_spec hp_rock_channels_default(void);

/* facies [nz][ny][nx]: 1 in channels that cross the grid along j, 0 elsewhere.
 * Channels are added until their share is as near to the proportion as whole
 * channels allow. HP_ERR_DECK if the spec is out of range, HP_ERR_NUMERIC if the
 * proportion is out of reach.
 * Object-based (Boolean) simulation as in Deutsch & Wang, Math. Geology 28
 * (1996) 857: flat top, parabolic base, a sinuous axis made of two harmonics. */
hp_status hp_rock_channels(const hp_rock_channels_spec *spec, int nx, int ny, int nz, uint8_t *facies) HP_MUST_USE;
hp_status hp_rock_channels_planes(const hp_rock_channels_spec *spec, const hp_rock_planes *p,
                                  uint8_t *facies) HP_MUST_USE;

/* Portable elementary functions: a few ulp, the same bits everywhere. */

double hp_rock_exp(double x);                               /* 0 below -708, +inf above 709 */
void hp_rock_exp_of(int64_t n, const double *x, double *y); /* y [n] of x [n], which may be y */
double hp_rock_ln(double x);                                /* x normal and > 0; otherwise NaN */
double hp_rock_sin_turns(double u);                         /* sin(2 pi u), |u| < 2^52 */
double hp_rock_normal(double p);                            /* quantile of the standard normal distribution, 0 < p < 1;
                                         Wichura's algorithm AS 241 (Applied Statistics 37 (1988) 477) */

/* Number `index` of stream `stream` of a seed, uniform in (0,1) without its ends:
 * counter-based, the finaliser of splitmix64 (Steele, Lea & Flood, OOPSLA 2014). */
double hp_rock_uniform(uint64_t seed, uint64_t stream, uint64_t index);

/* field[m - begin] = hp_rock_normal(hp_rock_uniform(seed, 0, m)) for m = begin .. end-1. */
void hp_rock_noise(uint64_t seed, int64_t begin, int64_t end, double *field);

HP_EXTERN_C_END

#endif
