/* The programs of a Newton iteration (bratu.h), for a CPU's team and for a GPU's. */
#ifndef HP_BENCH_BRATU_INL_H
#define HP_BENCH_BRATU_INL_H

#include <math.h>

#include "linsolve/matrix/gh.h"

/* The discrete problem; plain data. */
typedef struct hp_bratu {
  int nx, ny, nz;
  double wx, wy, wz;     /* of second differences; 0 in a direction of one node */
  double hx, hy, hz;     /* distances of nodes; 1 there */
  double lambda, source; /* source: lambda hx hy hz */
} hp_bratu;

HP_INLINE hp_bratu hp_bratu_of(int nx, int ny, int nz, double lambda) {
  hp_bratu P;
  P.nx = nx;
  P.ny = ny;
  P.nz = nz;
  P.hx = nx > 1 ? 1.0 / (nx - 1) : 1.0;
  P.hy = ny > 1 ? 1.0 / (ny - 1) : 1.0;
  P.hz = nz > 1 ? 1.0 / (nz - 1) : 1.0;
  P.wx = nx > 1 ? P.hy * P.hz / P.hx : 0.0;
  P.wy = ny > 1 ? P.hx * P.hz / P.hy : 0.0;
  P.wz = nz > 1 ? P.hx * P.hy / P.hz : 0.0;
  P.lambda = lambda;
  P.source = lambda * (P.hx * P.hy * P.hz);
  return P;
}

HP_INLINE HP_HD int64_t hp_bratu_nodes(const hp_bratu *P) { return (int64_t)P->nx * P->ny * P->nz; }

/* Node m's place. */
typedef struct hp_bratu_node {
  int i, j, k;
  bool inside;
} hp_bratu_node;

HP_INLINE HP_HD bool hp_bratu_between(int n, int i) { return n == 1 || (i > 0 && i < n - 1); }

HP_INLINE HP_HD hp_bratu_node hp_bratu_node_of(const hp_bratu *P, int64_t m) {
  const int64_t column = m / P->nz;
  hp_bratu_node at;
  at.k = (int)(m - column * P->nz);
  at.i = (int)(column / P->ny);
  at.j = (int)(column - (int64_t)at.i * P->ny);
  at.inside = hp_bratu_between(P->nx, at.i) && hp_bratu_between(P->ny, at.j) && hp_bratu_between(P->nz, at.k);
  return at;
}

/* w (2 u - u_left - u_right) at place i of n. */
HP_INLINE HP_HD double hp_bratu_difference(const double *u, int64_t m, int64_t stride, int i, int n, double w) {
  const double left = i > 1 ? u[m - stride] : 0.0, right = i < n - 2 ? u[m + stride] : 0.0;
  return w * (2.0 * u[m] - left - right);
}

/* F at node m. */
HP_INLINE HP_HD double hp_bratu_residual_at(const hp_bratu *P, const double *u, int64_t m) {
  const hp_bratu_node at = hp_bratu_node_of(P, m);
  if (!at.inside) return u[m];
  const double x = hp_bratu_difference(u, m, (int64_t)P->ny * P->nz, at.i, P->nx, P->wx);
  const double y = hp_bratu_difference(u, m, P->nz, at.j, P->ny, P->wy);
  const double z = hp_bratu_difference(u, m, 1, at.k, P->nz, P->wz);
  return x + y + z - P->source * exp(u[m]);
}

/* u: the first guess. */
HP_INLINE HP_HD void hp_bratu_start(hp_team *t, const hp_bratu *P, double *u) {
  const double height = P->lambda / (P->lambda + 1.0);
  HP_TEAM_FOR(t, m, hp_bratu_nodes(P)) {
    const hp_bratu_node at = hp_bratu_node_of(P, m);
    double distance = 1.0;
    if (P->nx > 1) distance = fmin(distance, P->hx * (at.i < P->nx - 1 - at.i ? at.i : P->nx - 1 - at.i));
    if (P->ny > 1) distance = fmin(distance, P->hy * (at.j < P->ny - 1 - at.j ? at.j : P->ny - 1 - at.j));
    if (P->nz > 1) distance = fmin(distance, P->hz * (at.k < P->nz - 1 - at.k ? at.k : P->nz - 1 - at.k));
    u[m] = at.inside ? height * sqrt(distance) : 0.0;
  }
}

/* f = F(u), u visible to all; sum [1]: |f|^2. */
HP_INLINE HP_HD void hp_bratu_residual(hp_team *t, const hp_bratu *P, const double *u, double *f, double *sum) {
  const int64_t n = hp_bratu_nodes(P);
  HP_TEAM_FOR(t, m, n) f[m] = hp_bratu_residual_at(P, u, m);
  hp_team_sync(t); /* f */
  HP_TEAM_REDUCE(t, m, n, 1) { HP_ACC(0) += f[m] * f[m]; }
  HP_TEAM_REDUCE_END(t);
  hp_team_sum(t, n, 1, sum);
}

/* Row m of J = dF/du, its diagonals stored in J. */
HP_INLINE HP_HD void hp_bratu_jacobian_at(const hp_bratu *P, const double *u, const hp_gh *J, int64_t m) {
  const hp_bratu_node at = hp_bratu_node_of(P, m);
  const bool in = at.inside;
  *hp_gh_entry(J, m, -3, 0, 0) = in && at.i > 1 ? -P->wx : 0.0;
  *hp_gh_entry(J, m, -2, 0, 0) = in && at.j > 1 ? -P->wy : 0.0;
  *hp_gh_entry(J, m, -1, 0, 0) = in && at.k > 1 ? -P->wz : 0.0;
  *hp_gh_entry(J, m, 0, 0, 0) = in ? 2.0 * (P->wx + P->wy + P->wz) - P->source * exp(u[m]) : 1.0;
  *hp_gh_entry(J, m, 1, 0, 0) = in && at.k < P->nz - 2 ? -P->wz : 0.0;
  *hp_gh_entry(J, m, 2, 0, 0) = in && at.j < P->ny - 2 ? -P->wy : 0.0;
  *hp_gh_entry(J, m, 3, 0, 0) = in && at.i < P->nx - 2 ? -P->wx : 0.0;
}

HP_INLINE HP_HD void hp_bratu_jacobian(hp_team *t, const hp_bratu *P, const double *u, const hp_gh *J) {
  HP_TEAM_FOR(t, m, hp_bratu_nodes(P)) hp_bratu_jacobian_at(P, u, J, m);
}

/* u -= d; sum [2]: |d|^2, |u|^2. */
HP_INLINE HP_HD void hp_bratu_update(hp_team *t, const hp_bratu *P, const double *d, double *u, double *sum) {
  const int64_t n = hp_bratu_nodes(P);
  HP_TEAM_FOR_OWNED(t, m, n) u[m] -= d[m];
  HP_TEAM_REDUCE_OWNED(t, m, n, 2) {
    HP_ACC(0) += d[m] * d[m];
    HP_ACC(1) += u[m] * u[m];
  }
  HP_TEAM_REDUCE_END(t);
  hp_team_sum(t, n, 2, sum);
}

#endif
