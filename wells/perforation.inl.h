/* The rate of one perforation, with derivatives.
 *
 *     producing  (p > p_w):   q_a = WI lam_a (p - p_w)                      lam_a = b_a kr_a / mu_a
 *     against its well:       q_a = -x_a WI lam_t (p_w - p) / V             lam_t = sum kr_a / mu_a
 *
 * p: oil pressure of the cell, p_w = bhp + head. x_a: surface volume fractions
 * of what flows out of the well, V = sum x_a / b_a its volume in the cell. The
 * fractions belong to the last Newton iteration; only the rows of wells at a rate have
 * their slopes (hp_well_mixture_weights).
 * An injector's perforations flow out of the well as a rule, a producer's only
 * in crossflow; there the fractions are stored scaled down where less flows
 * into the well than would flow out, so that a producer never takes from the
 * surface.
 */
#ifndef HP_WELLS_PERFORATION_INL_H
#define HP_WELLS_PERFORATION_INL_H

#include "wells/wells.h"

/* Total mobility of the cell in reservoir volumes, sum kr_a / mu_a = sum lam_a / b_a. */
HP_INLINE HP_HD hp_grad hp_total_mobility(const hp_fluid *f, const hp_cell_props *c) {
  const double dens_o = f->phase[HP_OIL].density, dens_w = f->phase[HP_WATER].density;
  const double inv_bo = dens_o / c->rho_o, inv_bw = dens_w / c->rho_w;
  const double dbo = c->drho_o_dp / dens_o, dbw = c->drho_w_dp / dens_w;
  hp_grad t;
  t.v = c->lam_o * inv_bo + c->lam_w * inv_bw;
  t.dp = (c->dlam_o_dp - c->lam_o * dbo * inv_bo) * inv_bo + (c->dlam_w_dp - c->lam_w * dbw * inv_bw) * inv_bw;
  t.ds = c->dlam_o_ds * inv_bo + (c->dlam_w_ds - c->lam_w * dbw * c->dpw_ds * inv_bw) * inv_bw;
  return t;
}

HP_INLINE HP_HD void hp_perf_produce(double wi, double drawdown, const hp_cell_props *c, hp_perf_rate *r) {
  const double lam[HP_PHASES] = {c->lam_o, c->lam_w};
  const double dp[HP_PHASES] = {c->dlam_o_dp, c->dlam_w_dp}, ds[HP_PHASES] = {c->dlam_o_ds, c->dlam_w_ds};
  for (int a = 0; a < HP_PHASES; ++a) {
    r->q[a] = wi * lam[a] * drawdown;
    r->dp[a] = wi * (lam[a] + dp[a] * drawdown);
    r->ds[a] = wi * ds[a] * drawdown;
    r->dbhp[a] = -wi * lam[a];
  }
}

HP_INLINE HP_HD void hp_perf_inject(const hp_fluid *f, double wi, double drawdown, const double *mix, hp_grad mobility,
                                    const hp_cell_props *c, hp_perf_rate *r) {
  const double dens_o = f->phase[HP_OIL].density, dens_w = f->phase[HP_WATER].density;
  const double inv_bo = dens_o / c->rho_o, inv_bw = dens_w / c->rho_w;
  const double scale = mix[HP_OIL] + mix[HP_WATER], xo = mix[HP_OIL] / scale, xw = mix[HP_WATER] / scale;
  const double volume = xo * inv_bo + xw * inv_bw;
  const double dvolume_dp = -(xo * inv_bo * c->drho_o_dp / c->rho_o + xw * inv_bw * c->drho_w_dp / c->rho_w);
  const double dvolume_ds = -xw * inv_bw * c->drho_w_dp * c->dpw_ds / c->rho_w;
  for (int a = 0; a < HP_PHASES; ++a) {
    const double x = wi * mix[a] / volume;
    r->q[a] = x * mobility.v * drawdown;
    r->dp[a] = x * (mobility.v + drawdown * (mobility.dp - mobility.v * dvolume_dp / volume));
    r->ds[a] = x * drawdown * (mobility.ds - mobility.v * dvolume_ds / volume);
    r->dbhp[a] = -x * mobility.v;
    const double share = (a == HP_WATER ? scale : -scale) - mix[a] * (inv_bw - inv_bo) / volume;
    r->dmix[a] = wi / volume * share * mobility.v * drawdown;
  }
}

/* Volume in the cell of a surface volume of the mixture in proportion `mix`. */
HP_INLINE HP_HD double hp_mixture_volume(const hp_fluid *f, const double *mix, const hp_cell_props *c) {
  const double o = mix[HP_OIL] * f->phase[HP_OIL].density / c->rho_o;
  const double w = mix[HP_WATER] * f->phase[HP_WATER].density / c->rho_w;
  return (o + w) / (mix[HP_OIL] + mix[HP_WATER]);
}

/* Properties of the cell of perforation q, with the mobilities that it sees: those of rock tables along i, by relative permeabilities of
 * its table if it has one. */
HP_INLINE HP_HD hp_cell_props hp_perf_props(const hp_reservoir *r, const hp_wells *W, int64_t q) {
  const int64_t m = W->cell[q];
  hp_cell_props c = hp_reservoir_props(r, m);
  if (HP_TABLES_NAMED && r->table != NULL && W->table[q] > 0)
    hp_reservoir_use_table(r, m, W->table[q] - 1, r->s[m], &c);
  if (hp_reservoir_compaction(r) != NULL)
    hp_compaction_mobility(hp_reservoir_compaction(r), r->lowest, m, HP_DIR_I, &c);
  return c;
}

/* Rate of perforation q of an open well, which gives the mixture `mix` [2]. A perforation that would flow against
 * its well and may not (no crossflow, or the well holds nothing) is closed. */
HP_INLINE HP_HD hp_perf_rate hp_perf_eval(const hp_reservoir *r, const hp_wells *W, int64_t q, const double *mix) {
  const int w = W->of[q];
  const hp_cell_props c = hp_perf_props(r, W, q);
  const double drawdown = c.p - (W->bhp[w] + W->head[q]), wi = W->wi[q];
  const hp_fluid *fluid = hp_reservoir_fluid(r, W->cell[q]);
  const hp_grad mobility = hp_total_mobility(fluid, &c);
  const bool produces = drawdown >= 0.0, backwards = produces == (bool)W->control[w].injector;
  hp_perf_rate rate = {{0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}, 0.0, {0.0, 0.0}, 0.0, 0.0};
  rate.transmissibility = wi * mobility.v;
  rate.producible[HP_OIL] = wi * c.lam_o;
  rate.producible[HP_WATER] = wi * c.lam_w;
  rate.drawdown = drawdown;
  if (mix[HP_OIL] + mix[HP_WATER] > 0.0) rate.receivable = rate.transmissibility / hp_mixture_volume(fluid, mix, &c);
  if (W->mode[w] == HP_CONTROL_SHUT || (backwards && !W->crossflow[w])) return rate;
  if (produces) hp_perf_produce(backwards ? wi * W->inflow_share[w] : wi, drawdown, &c, &rate);
  else if (mix[HP_OIL] + mix[HP_WATER] > 0.0) hp_perf_inject(fluid, wi, drawdown, mix, mobility, &c, &rate);
  return rate;
}

#endif
