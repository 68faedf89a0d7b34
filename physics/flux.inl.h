/* The flux of both phases through one face, with derivatives.
 *
 *     F_a = T lam_a,up (Phi_a,m - Phi_a,n)          surface volume / time, m -> n; beyond a threshold where there is one
 *     Phi_a,m - Phi_a,n = p_a,m - p_a,n - (rho_a,m + rho_a,n)/2 g (D_m - D_n)
 *
 * up is m where the potential difference is >= 0. T [m3], lam [1/(Pa s)].
 */
#ifndef HP_PHYSICS_FLUX_INL_H
#define HP_PHYSICS_FLUX_INL_H

#include "physics/cell.inl.h"

/* Value, and derivatives by p and s of cell m (own) and cell n (other). */
typedef struct {
  double v, dp_own, ds_own, dp_other, ds_other;
} hp_flux;

/* |F|, and what a hundredth of a pascal more in the cell would add: where nothing flows rounding errors are less. */
HP_INLINE HP_HD double hp_flux_size(const hp_flux *f) { return fabs(f->v) + 0.01 * fabs(f->dp_own); }

/* One phase. dphi: potential difference m - n with its derivatives; lam of both cells. */
HP_INLINE HP_HD hp_flux hp_flux_upstream(double T, hp_flux dphi, hp_grad own, hp_grad other) {
  hp_flux f;
  const bool from_own = dphi.v >= 0.0;
  const double t = T * (from_own ? own.v : other.v), td = T * dphi.v;
  f.v = t * dphi.v;
  f.dp_own = t * dphi.dp_own + (from_own ? td * own.dp : 0.0);
  f.ds_own = t * dphi.ds_own + (from_own ? td * own.ds : 0.0);
  f.dp_other = t * dphi.dp_other + (from_own ? 0.0 : td * other.dp);
  f.ds_other = t * dphi.ds_other + (from_own ? 0.0 : td * other.ds);
  return f;
}

/* Potential differences [Pa] that hold a phase back from m to n and from n to m; 0: none. */
typedef struct hp_threshold {
  double there, back;
} hp_threshold;

/* A potential difference beyond the threshold of its direction, which holds the phase back until then. */
HP_INLINE HP_HD void hp_flux_beyond(hp_threshold t, hp_flux *dphi) {
  if (dphi->v > t.there) dphi->v -= t.there;
  else if (dphi->v < -t.back) dphi->v += t.back;
  else dphi->v = dphi->dp_own = dphi->ds_own = dphi->dp_other = dphi->ds_other = 0.0;
}

/* Both phases; g_dz = g (D_m - D_n) [m2/s2]. */
HP_INLINE HP_HD void hp_flux_face(double T, double g_dz, hp_threshold t, const hp_cell_props *m, const hp_cell_props *n,
                                  hp_flux f[HP_PHASES]) {
  const bool held = t.there > 0.0 || t.back > 0.0;
  const double h = 0.5 * g_dz;
  hp_flux dphi;
  hp_grad own, other;
  dphi.v = m->p - n->p - (m->rho_o + n->rho_o) * h;
  dphi.dp_own = 1.0 - m->drho_o_dp * h;
  dphi.dp_other = -1.0 - n->drho_o_dp * h;
  dphi.ds_own = dphi.ds_other = 0.0;
  if (held) hp_flux_beyond(t, &dphi);
  own.v = m->lam_o, own.dp = m->dlam_o_dp, own.ds = m->dlam_o_ds;
  other.v = n->lam_o, other.dp = n->dlam_o_dp, other.ds = n->dlam_o_ds;
  f[HP_OIL] = hp_flux_upstream(T, dphi, own, other);

  dphi.v = m->pw - n->pw - (m->rho_w + n->rho_w) * h;
  dphi.dp_own = 1.0 - m->drho_w_dp * h;
  dphi.dp_other = -1.0 - n->drho_w_dp * h;
  dphi.ds_own = m->dpw_ds * dphi.dp_own;
  dphi.ds_other = n->dpw_ds * dphi.dp_other;
  if (held) hp_flux_beyond(t, &dphi);
  own.v = m->lam_w, own.dp = m->dlam_w_dp, own.ds = m->dlam_w_ds;
  other.v = n->lam_w, other.dp = n->dlam_w_dp, other.ds = n->dlam_w_ds;
  f[HP_WATER] = hp_flux_upstream(T, dphi, own, other);
}

#endif
