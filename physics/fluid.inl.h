/* Point functions of fluids and rock: plain data in, plain data out by value.
 *
 * PVT as Eclipse defines it (the formulas stand beside hp_pvt_spec in
 * physics/fluid.h). What a flux needs is b = 1/B and 1/(mu B), so these two are
 * what is interpolated, and no division is left in the inner loops.
 */
#ifndef HP_PHYSICS_FLUID_INL_H
#define HP_PHYSICS_FLUID_INL_H

#include "physics/fluid.h"

/* A value and its derivative. */
typedef struct {
  double v, d;
} hp_dual;

/* One phase, ready to evaluate. Pointers are on the team's memory. */
typedef struct {
  double density;               /* at surface conditions [kg/m3] */
  double p_ref, b_ref, bmu_ref; /* [Pa], 1/Bref [-], 1/(muref Bref) [1/(Pa s)] */
  double c, c_minus_cv;         /* [1/Pa] */
  int rows;                     /* > 0: table */
  const double *p, *b, *bmu;    /* [rows] pressure [Pa], 1/B, 1/(mu B) */
  double b_least, bmu_least;    /* they are held at beyond the rows */
} hp_pvt;

typedef struct {
  double p_ref, c; /* [Pa], [1/Pa] */
} hp_rock;

/* 1 + X + X^2/2 with X = c (p - p_ref), and its derivative by p. */
HP_INLINE HP_HD hp_dual hp_expansion(double c, double p, double p_ref) {
  const double x = c * (p - p_ref);
  hp_dual r;
  r.v = 1.0 + x * (1.0 + 0.5 * x);
  r.d = c * (1.0 + x);
  return r;
}

/* Index n of the interval x[n] <= v < x[n+1], clipped to 0 .. rows-2. */
HP_INLINE HP_HD int hp_table_interval(const double *x, int rows, double v) {
  int lo = 0, hi = rows - 1;
  while (hi - lo > 1) {
    const int mid = (lo + hi) / 2;
    if (v >= x[mid]) lo = mid;
    else hi = mid;
  }
  return lo;
}

/* Linear between the rows of interval n and, beyond them, extrapolated. */
HP_INLINE HP_HD hp_dual hp_table_linear(const double *x, const double *y, int n, double v) {
  hp_dual r;
  r.d = (y[n + 1] - y[n]) / (x[n + 1] - x[n]);
  r.v = y[n] + r.d * (v - x[n]);
  return r;
}

HP_INLINE HP_HD hp_dual hp_dual_hold(hp_dual a, double least) {
  if (a.v < least) {
    a.v = least;
    a.d = 0.0;
  }
  return a;
}

/* b = 1/B and 1/(mu B) of a phase at its pressure. */
HP_INLINE HP_HD void hp_pvt_eval(const hp_pvt *f, double p, hp_dual *b, hp_dual *bmu) {
  if (f->rows > 1) {
    const int n = hp_table_interval(f->p, f->rows, p);
    *b = hp_dual_hold(hp_table_linear(f->p, f->b, n, p), f->b_least);
    *bmu = hp_dual_hold(hp_table_linear(f->p, f->bmu, n, p), f->bmu_least);
    return;
  }
  *b = hp_expansion(f->c, p, f->p_ref);
  b->v *= f->b_ref;
  b->d *= f->b_ref;
  *bmu = hp_expansion(f->c_minus_cv, p, f->p_ref);
  bmu->v *= f->bmu_ref;
  bmu->d *= f->bmu_ref;
}

/* Pore volume at p as a multiple of the reference pore volume. */
HP_INLINE HP_HD hp_dual hp_rock_eval(const hp_rock *r, double p) { return hp_expansion(r->c, p, r->p_ref); }

#endif
