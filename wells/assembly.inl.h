/* The wells' part of the system: perforations to their cells' rows and to WT,
 * the control equation as the well's row.
 *
 *     rate control   R_w = f (target - sum c_a q_a)            producer, q from reservoir to well
 *                    R_w = f (-sum c_a q_a - target)           injector
 *     thp control    R_w = f (bhp - table(q, thp))            wells/lift.inl.h; T (bhp - bhp) where nothing flows
 *     bhp control    R_w = T (bhp - target),  shut: R_w = T (bhp - bhp_old),  T = sum WI lam_t
 *
 *    no flow at all R_w = f (+-target - sum WI lam_t (p - bhp - head)), of one perforation where the target is 0
 *
 * f makes the row a reservoir volume rate, as the cells' rows are; D > 0 always.
 * A well at a rate whose perforations all happen to be closed (a producer with
 * its bhp above the pressure around it, as a Newton iteration may leave it)
 * has no derivative by bhp; the last form stands in until it flows again.
 */
#ifndef HP_WELLS_ASSEMBLY_INL_H
#define HP_WELLS_ASSEMBLY_INL_H

#include "wells/control.inl.h"
#include "wells/segments.inl.h"

/* Part of such a well's slope that holds the level of the pressure. */
#define HP_CROSSING_FIRM 0.02

/* Whether perforation q flows against its well. */
HP_INLINE HP_HD bool hp_perf_is_backwards(const hp_wells *W, int64_t q) {
  return (W->rate[q].drawdown >= 0.0) == (bool)W->control[W->of[q]].injector;
}

/* Mean drawdown of the perforations that flow against well w if it is at a bhp and fluid only crosses in it, else 0. What flows
 * there is scaled so that nothing goes to or comes from the surface. Then the unknown of the well is that scale instead of its bhp, which
 * is given:
 *
 *     d(scale) = scale / mean drawdown dx        R_w = - sum_a,q q_a,q
 */
HP_INLINE HP_HD double hp_well_crossing(const hp_wells *W, int w) {
  double flow = 0.0, sum = 0.0, with = 0.0;
  if (!hp_control_is_crossing(W, w)) return 0.0;
  for (int64_t q = W->begin[w]; q < W->begin[w + 1]; ++q) {
    const double size = fabs(W->rate[q].q[HP_OIL]) + fabs(W->rate[q].q[HP_WATER]);
    if (hp_perf_is_backwards(W, q)) {
      flow += size;
      sum += size * fabs(W->rate[q].drawdown);
    } else with += size;
  }
  return flow > 0.0 && with > 0.0 ? sum / flow : 0.0;
}

/* Slope of phase a's rate through perforation q by the unknown of its well, whose hp_well_crossing is `crossing`. */
HP_INLINE HP_HD double hp_perf_slope(const hp_wells *W, int64_t q, int a, double crossing) {
  if (!(crossing > 0.0)) return W->rate[q].dbhp[a];
  return hp_perf_is_backwards(W, q) ? -fabs(W->rate[q].q[a]) / crossing : 0.0;
}

/* Adds the perforations of each perforated cell to its (scaled) rows, times the
 * share of the time that the well flows, which its own row does not see. The
 * rows of the cells must be complete: a barrier before. J may be NULL. */
HP_INLINE HP_HD void hp_wells_assemble_cells(hp_team *t, const hp_reservoir *r, const hp_wells *W, const hp_gh *J,
                                             double *R) {
  HP_TEAM_FOR(t, n, W->ncell) {
    const int64_t m = W->perforated[n];
#if !defined(__CUDA_ARCH__)
    if (!r->active[m]) continue; /* a ghost: its rows are another rank's */
#endif
    for (int64_t i = W->perf_begin[n]; i < W->perf_begin[n + 1]; ++i) {
      const int64_t q = W->perf_list[i];
      const hp_perf_rate *rate = &W->rate[q];
      const double crossing = hp_well_crossing(W, W->of[q]);
      for (int a = 0; a < HP_PHASES; ++a) {
        const double scale = r->scale[m * HP_PHASES + a] * hp_well_efficiency(W, W->of[q]);
        R[m * HP_PHASES + a] += scale * rate->q[a];
        if (J == NULL) continue;
        *hp_gh_entry(J, m, 0, a, HP_P) += scale * rate->dp[a];
        *hp_gh_entry(J, m, 0, a, HP_S) += scale * rate->ds[a];
        J->wells.wt[W->slot[q] * HP_PHASES + a] = scale * hp_perf_slope(W, q, a, crossing);
        if (!hp_wells_have_segments(W) || W->row[q] < 0) continue;
        const int64_t entry = W->begin[W->row[q]] + q - W->begin[W->of[q]];
        J->wells.wt[W->slot[entry] * HP_PHASES + a] = scale * W->head_slope[HP_PHASES * q + a];
      }
    }
  }
}

/* Row of a well whose bhp is given: T (bhp - target), no other entries. */
HP_INLINE HP_HD void hp_well_row_bhp(const hp_wells *W, int w, double target, const hp_gh *J, double *R) {
  double T = 0.0;
  for (int64_t q = W->begin[w]; q < W->begin[w + 1]; ++q) {
    T += W->rate[q].transmissibility;
    if (J != NULL) J->wells.w[W->slot[q] * 2] = J->wells.w[W->slot[q] * 2 + 1] = 0.0;
  }
  if (!(T > 0.0)) T = 1e-12;
  R[w] = T * (W->bhp[w] - target);
  if (J != NULL) J->wells.dd[w] = T;
  W->residual[w] = (W->bhp[w] - target) / (target > 1.0 ? target : 1.0);
}

/* Row of a well at a bhp in which fluid only crosses (hp_well_crossing). It holds the level of the pressure, which is nothing to such a
 * well, by a small part of its slope. */
HP_INLINE HP_HD void hp_well_row_crossing(const hp_wells *W, int w, double crossing, const hp_gh *J, double *R) {
  const double firm = 1.0 + HP_CROSSING_FIRM;
  double sum = 0.0, d = 0.0;
  for (int64_t q = W->begin[w]; q < W->begin[w + 1]; ++q) {
    const hp_perf_rate *rate = &W->rate[q];
    sum += rate->q[HP_OIL] + rate->q[HP_WATER];
    d -= hp_perf_slope(W, q, HP_OIL, crossing) + hp_perf_slope(W, q, HP_WATER, crossing);
    if (J == NULL) continue;
    J->wells.w[W->slot[q] * HP_PHASES + HP_P] = -(rate->dp[HP_OIL] + rate->dp[HP_WATER]);
    J->wells.w[W->slot[q] * HP_PHASES + HP_S] = -(rate->ds[HP_OIL] + rate->ds[HP_WATER]);
  }
  R[w] = -sum;
  if (J != NULL) J->wells.dd[w] = firm * d;
  W->residual[w] = 0.0;
}

/* The perforation of well w that would flow first if its bhp moved. */
HP_INLINE HP_HD int64_t hp_well_first_to_flow(const hp_wells *W, int w) {
  int64_t first = W->begin[w];
  for (int64_t q = first + 1; q < W->begin[w + 1]; ++q)
    if (W->control[w].injector ? W->rate[q].drawdown < W->rate[first].drawdown
                               : W->rate[q].drawdown > W->rate[first].drawdown)
      first = q;
  return first;
}

/* The row of a well at a rate none of whose perforations flows. Where nothing is to flow the bhp goes by the perforation that would
 * flow first, for at the mean of all that one does. */
HP_INLINE HP_HD void hp_well_row_idle(const hp_wells *W, int w, double f, double target, const hp_gh *J, double *R) {
  const int64_t only = target == 0.0 ? hp_well_first_to_flow(W, w) : -1;
  double sum = 0.0, T = 0.0;
  for (int64_t q = W->begin[w]; q < W->begin[w + 1]; ++q) {
    const hp_perf_rate *rate = &W->rate[q];
    const double transmissibility = only < 0 || q == only ? rate->transmissibility : 0.0;
    sum += transmissibility * rate->drawdown;
    T += transmissibility;
    if (J == NULL) continue;
    J->wells.w[W->slot[q] * HP_PHASES + HP_P] = -f * transmissibility;
    J->wells.w[W->slot[q] * HP_PHASES + HP_S] = 0.0;
  }
  R[w] = f * (target - sum);
  if (J != NULL) J->wells.dd[w] = f * (T > 0.0 ? T : 1e-12);
  W->residual[w] = target != 0.0 ? fabs(target) / hp_control_scale(W, w, W->mode[w]) : 0.0; /* 1, but next to 0 */
}

/* The factor of a well's row: of a rate the reservoir volume of what it controls; of a tubing-head pressure T at a viscosity of 1 cP,
 * which moves with no unknown. */
HP_INLINE HP_HD double hp_well_row_factor(const hp_wells *W, int w, int mode) {
  if (mode == HP_CONTROL_THP) {
    double T = 0.0;
    for (int64_t q = W->begin[w]; q < W->begin[w + 1]; ++q) T += 1e3 * W->wi[q];
    return T > 0.0 ? T : 1e-12;
  }
  const double *volume = &W->resv[HP_PHASES * w];
  return mode == HP_CONTROL_RESV ? 1.0 : mode == HP_CONTROL_ORAT ? volume[HP_OIL] : volume[HP_WATER];
}

/* Weights e_a by which the inflow I of producer w, at a rate, acts on that rate through the water share x of the mixture that its other
 * perforations give to their cells, in addition to c_a:
 *
 *     d(sum c_a q_a) = sum c_a dq_a/dx dx,   dx = ((1 - x) dI_w - x dI_o) / I
 *
 * The rows of cells hold the mixture: cells of one well have no entries for each other. So does, with e = 0, that of a well whose rate
 * would rise with its bhp. */
HP_INLINE HP_HD void hp_well_mixture_weights(const hp_wells *W, int w, const double c[HP_PHASES], double e[HP_PHASES]) {
  double in[HP_PHASES] = {0.0, 0.0}, by_share = 0.0, slope = 0.0, T = 0.0;
  e[HP_OIL] = e[HP_WATER] = 0.0;
  if (W->control[w].injector || !W->crossflow[w] || hp_well_has_segments(W, w)) return;
  for (int64_t q = W->begin[w]; q < W->begin[w + 1]; ++q)
    for (int a = 0; a < HP_PHASES; ++a) {
      if (W->rate[q].drawdown >= 0.0) in[a] += W->rate[q].q[a];
      by_share += c[a] * W->rate[q].dmix[a];
    }
  const double inflow = in[HP_OIL] + in[HP_WATER];
  if (by_share == 0.0 || !(inflow > 0.0)) return;
  e[HP_OIL] = -by_share * (in[HP_WATER] / inflow) / inflow;
  e[HP_WATER] = by_share * (in[HP_OIL] / inflow) / inflow;
  for (int64_t q = W->begin[w]; q < W->begin[w + 1]; ++q) {
    const hp_perf_rate *rate = &W->rate[q];
    T += rate->transmissibility;
    for (int a = 0; a < HP_PHASES; ++a) slope -= (rate->drawdown >= 0.0 ? c[a] + e[a] : c[a]) * rate->dbhp[a];
  }
  if (!(slope > HP_CONTROL_FLAT * T)) e[HP_OIL] = e[HP_WATER] = 0.0;
}

/* Whether producer w, which is to make next to nothing of a phase, takes from the surface. Of a phase that hardly flows it would make
 * as little at any bhp: its row is that of all that flows. */
HP_INLINE HP_HD bool hp_well_takes_for_nothing(const hp_wells *W, int w) {
  double q[HP_PHASES];
  if (W->control[w].injector || W->control[w].limit[W->mode[w]] > hp_control_least(W, w)) return false;
  hp_well_total(W, w, q);
  return q[HP_OIL] + q[HP_WATER] < 0.0;
}

/* Weights c_a of the rate that is in well w's row; of a tubing-head pressure: derivatives of the table, 0 where nothing flows. */
HP_INLINE HP_HD void hp_well_row_weights(const hp_wells *W, int w, double c[HP_PHASES]) {
  if (W->mode[w] == HP_CONTROL_THP) {
    double q[HP_PHASES];
    hp_well_total(W, w, q);
    c[HP_OIL] = c[HP_WATER] = 0.0;
    if (hp_well_flows(W, w, q)) (void)hp_lift_asked(W, w, q, c);
    return;
  }
  hp_control_weights(W, w, W->mode[w], c);
  if (hp_well_takes_for_nothing(W, w)) c[HP_OIL] = c[HP_WATER] = 1.0;
}

/* Slopes of all that the well of perforation q makes of phase a by the perforation's cell: by p, or by s. */
HP_INLINE HP_HD double hp_perf_row_slope(const hp_wells *W, int64_t q, int a, int unknown) {
  if (hp_well_has_segments(W, W->of[q])) return W->row_slope[(q * 2 + unknown) * HP_PHASES + a];
  return unknown == HP_P ? W->rate[q].dp[a] : W->rate[q].ds[a];
}

/* The row of well w at a rate. follows: with the slopes of its mixture. */
HP_INLINE HP_HD void hp_well_row_rate(const hp_wells *W, int w, bool follows, const hp_gh *J, double *R) {
  const int mode = W->mode[w];
  const double limit = W->control[w].limit[mode], target = W->control[w].injector ? -limit : limit;
  double c[HP_PHASES], e[HP_PHASES] = {0.0, 0.0}, sum = 0.0, d = 0.0, flow = 0.0, T = 0.0;
  hp_well_row_weights(W, w, c);
  if (follows) hp_well_mixture_weights(W, w, c, e);
  const double f = hp_well_row_factor(W, w, mode);
  for (int64_t q = W->begin[w]; q < W->begin[w + 1]; ++q) {
    const hp_perf_rate *rate = &W->rate[q];
    const bool gives = rate->drawdown >= 0.0;
    const double oil = gives ? c[HP_OIL] + e[HP_OIL] : c[HP_OIL],
                 water = gives ? c[HP_WATER] + e[HP_WATER] : c[HP_WATER];
    sum += c[HP_OIL] * rate->q[HP_OIL] + c[HP_WATER] * rate->q[HP_WATER];
    d -= oil * rate->dbhp[HP_OIL] + water * rate->dbhp[HP_WATER];
    flow += fabs(rate->q[HP_OIL]) + fabs(rate->q[HP_WATER]);
    T += rate->transmissibility;
    if (J == NULL) continue;
    double *entry = J->wells.w + W->slot[q] * HP_PHASES;
    for (int k = 0; k < 2; ++k)
      entry[k] = -f * (oil * hp_perf_row_slope(W, q, HP_OIL, k) + water * hp_perf_row_slope(W, q, HP_WATER, k));
  }
  if (!(flow > 0.0)) {
    hp_well_row_idle(W, w, f, target, J, R);
    return;
  }
  /* The controlled phase hardly flows: the total mobility moves the bhp instead of a zero. */
  if (!(d > HP_CONTROL_FLAT * T)) d = T > 0.0 ? T : 1e-12;
  R[w] = f * (target - sum);
  if (J != NULL) J->wells.dd[w] = f * d;
  const double size = hp_control_scale(W, w, mode);
  W->residual[w] = size > 0.0 ? (target - sum) / size : 0.0;
}

/* Slope of bhp - table(q, thp) of well w by its bhp; by: the table's slopes. */
HP_INLINE HP_HD double hp_well_lift_slope(const hp_wells *W, int w, const double by[HP_PHASES]) {
  double d = 1.0;
  for (int64_t i = W->begin[w]; i < W->begin[w + 1]; ++i)
    d -= by[HP_OIL] * W->rate[i].dbhp[HP_OIL] + by[HP_WATER] * W->rate[i].dbhp[HP_WATER];
  return d;
}

/* A smaller one is next to where the well would not stay: its bhp moves as a given one does. */
#define HP_LIFT_FLAT 0.01

/* The row of well w at its tubing-head pressure; its mixture is held. What flows the wrong way is none of the table's. */
HP_INLINE HP_HD void hp_well_row_thp(const hp_wells *W, int w, const hp_gh *J, double *R) {
  double q[HP_PHASES], by[HP_PHASES];
  hp_well_total(W, w, q);
  if (!hp_well_flows(W, w, q)) {
    hp_well_row_bhp(W, w, W->bhp[w], J, R);
    return;
  }
  const double asked = hp_lift_asked(W, w, q, by), f = hp_well_row_factor(W, w, HP_CONTROL_THP);
  const double d = hp_well_lift_slope(W, w, by);
  for (int64_t i = W->begin[w]; i < W->begin[w + 1] && J != NULL; ++i) {
    double *entry = J->wells.w + W->slot[i] * HP_PHASES;
    for (int k = 0; k < 2; ++k)
      entry[k] = -f * (by[HP_OIL] * hp_perf_row_slope(W, i, HP_OIL, k) +
                       by[HP_WATER] * hp_perf_row_slope(W, i, HP_WATER, k));
  }
  R[w] = f * (W->bhp[w] - asked);
  if (J != NULL) J->wells.dd[w] = f * (d > HP_LIFT_FLAT ? d : 1.0);
  W->residual[w] = HP_BHP_WEIGHT * (W->bhp[w] - asked) / (asked > 1.0 ? asked : 1.0);
}

/* The row of the head of perforation q, times its transmissibility: what the cells of its well change, but for the share that its own
 * row has. */
HP_INLINE HP_HD void hp_wells_assemble_head(const hp_wells *W, int64_t q, const hp_gh *J, double *R) {
  const int64_t row = W->row[q];
  const double T = W->rate[q].transmissibility > 0.0 ? W->rate[q].transmissibility : 1e-12;
  R[row] = 0.0;
  if (J == NULL) return;
  J->wells.dd[row] = T;
  for (int64_t e = W->begin[row]; e < W->begin[row + 1]; ++e)
    for (int k = 0; k < 2; ++k) J->wells.w[W->slot[e] * 2 + k] = -T * W->answer[(e - W->nperf) * 2 + k];
}

/* The well rows; R is [nrow], behind the cells' rows. Reads the rates: a
 * barrier after hp_wells_rates. J may be NULL. */
HP_INLINE HP_HD void hp_wells_assemble_rows(hp_team *t, const hp_wells *W, const hp_gh *J, double *R) {
  HP_TEAM_FOR(t, i, W->nwell) {
    const int w = (int)i;
    const double crossing = hp_well_crossing(W, w);
    if (crossing > 0.0) hp_well_row_crossing(W, w, crossing, J, R);
    else if (W->mode[w] == HP_CONTROL_SHUT) hp_well_row_bhp(W, w, W->bhp_old[w], J, R);
    else if (W->mode[w] == HP_CONTROL_BHP) hp_well_row_bhp(W, w, W->control[w].limit[HP_CONTROL_BHP], J, R);
    else if (W->mode[w] == HP_CONTROL_THP) hp_well_row_thp(W, w, J, R);
    else hp_well_row_rate(W, w, true, J, R);
  }
  if (!hp_wells_have_segments(W)) return;
  HP_TEAM_FOR(t, q, W->nperf) {
    if (W->row[q] >= 0) hp_wells_assemble_head(W, q, J, R);
  }
}

#endif
