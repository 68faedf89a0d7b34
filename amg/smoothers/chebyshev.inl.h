/* Chebyshev: the polynomial in D^-1 A of degree hp_amg_options.order that is smallest on [0.3 e, e] and 1 at
 * 0 (Adams, Brezina, Hu & Tuminaro 2003; the recurrence: Saad 2003, algorithm 12.1). e is 1.1 times what a
 * few power iterations from a fixed vector find, at most the largest row sum of |D^-1 A|.
 *
 *     x_1 = x_0 + (1 / theta) D^-1 r_0           theta, delta: middle and half length of the interval
 *     x_k+1 = x_k + rho_k rho_k-1 (x_k - x_k-1) + (2 rho_k / delta) D^-1 r_k
 *     rho_0 = delta / theta, rho_k = 1 / (2 theta / delta - rho_k-1)
 *
 * Here scale = D^-1 / theta, so that the first pass is one of Jacobi's.
 */
#include "amg/smoothers/jacobi.inl.h"

/* to = scale A from, of the member's rows. */
HP_AMG_PHASE HP_HD void HP_AMG_NAME(hp_amg_power)(hp_team *t, const hp_amg_level *L, const HP_REAL *from, HP_REAL *to) {
  HP_AMG_NAME(hp_amg_form) power = HP_AMG_NAME(hp_amg_form_of)(HP_AMG_FORM_SCALED_PRODUCT, NULL, to);
  power.s = (const HP_REAL *)L->smooth.scale;
  HP_AMG_NAME(hp_amg_level_pass)(t, L, from, power);
}

/* Scale = D^-1, a start for the power iteration in y, and the member's largest row sum of |D^-1 A|. */
HP_INLINE HP_HD double HP_AMG_NAME(hp_amg_chebyshev_begin)(hp_team *t, const hp_amg_level *L, int64_t *where) {
  HP_REAL *scale = (HP_REAL *)L->smooth.scale, *y = (HP_REAL *)L->y;
  double most = 0.0;
  *where = -1;
  HP_TEAM_FOR(t, i, L->A->nrow) {
    double sum, squares;
    const double d = hp_amg_diagonal(L->A, i, &sum, &squares);
    scale[i] = (HP_REAL)(d != 0.0 ? 1.0 / d : 0.0);
    y[i] = (HP_REAL)((double)(((uint32_t)i + 1u) * 2654435761u) / 4294967296.0 - 0.5);
    if (d == 0.0 || (*where >= 0 && sum / fabs(d) <= most)) continue;
    most = sum / fabs(d);
    *where = i;
  }
  return most;
}

/* The upper end of the interval, the same on every member; the level's numbers are visible to all before. */
HP_INLINE HP_HD double HP_AMG_NAME(hp_amg_chebyshev_bound)(hp_team *t, const hp_amg_level *L) {
  enum { STEPS = 10 };
  const int64_t n = L->A->nrow;
  HP_REAL *from = (HP_REAL *)L->y, *to = (HP_REAL *)L->z;
  double largest, norm[2];
  int64_t where;
  const double mine = HP_AMG_NAME(hp_amg_chebyshev_begin)(t, L, &where);
  hp_team_max(t, mine, where, &largest, &where); /* scale and y are visible */
  for (int k = 0; k < STEPS; ++k) {
    HP_AMG_NAME(hp_amg_power)(t, L, from, to);
    hp_team_sync(t); /* the next vector */
    HP_REAL *const last = from;
    from = to;
    to = last;
  }
  HP_TEAM_REDUCE(t, i, n, 2) { /* the last two vectors */
    HP_ACC(0) += (double)from[i] * from[i];
    HP_ACC(1) += (double)to[i] * to[i];
  }
  HP_TEAM_REDUCE_END(t);
  hp_team_sum(t, n, 2, norm);
  const double e = norm[1] > 0.0 ? 1.1 * sqrt(norm[0] / norm[1]) : 0.0;
  return e > 0.0 && e < largest ? e : largest > 0.0 ? largest : 1.0;
}

HP_AMG_PHASE HP_HD void HP_AMG_NAME(hp_amg_chebyshev_setup)(hp_team *t, const hp_amg *H, const hp_amg_level *L) {
  HP_REAL *scale = (HP_REAL *)L->smooth.scale;
  const double e = HP_AMG_NAME(hp_amg_chebyshev_bound)(t, L), theta = 0.65 * e, delta = 0.35 * e;
  HP_TEAM_FOR(t, i, L->A->nrow) scale[i] = (HP_REAL)(scale[i] / theta);
  if (t->rank != 0) return;
  double *c = L->smooth.coefficient, rho = delta / theta;
  *L->smooth.eigenvalue = e;
  c[0] = 0.0;
  c[1] = 1.0;
  for (int k = 1; k < H->opt.order; ++k) {
    const double next = 1.0 / (2.0 * theta / delta - rho);
    c[2 * k] = next * rho;
    c[2 * k + 1] = 2.0 * next / delta * theta;
    rho = next;
  }
}
