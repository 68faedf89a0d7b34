/* Wells at a tubing-head pressure: the bottom-hole pressure that their lift table asks for at their rates, and the one at which
 * both agree.
 *
 *     rate |  .   cells: the rate falls as the bhp rises
 *          |    .         table: a stream is heavy where little flows, and has friction where much does
 *          |      S  .  '
 *          |   '    .
 *          |         U.        S stays: a little less flow asks for less bhp than the cells then leave
 *          |     .      .      U does not
 *          +------------------ bhp
 *
 * From the largest rate that the other limits leave, hp_control_lift_bhp goes on to the first bhp that is at least (producer) what the table
 * asks for. Where there is none nothing flows: the well stands still at what the table asks for without a rate.
 * The bottom-hole pressure is at the well's reference depth: that at the table's datum less the column between, which has the
 * density above the first perforation.
 */
#ifndef HP_WELLS_LIFT_INL_H
#define HP_WELLS_LIFT_INL_H

#include "wells/wells.h"

HP_INLINE HP_HD bool hp_well_has_thp(const hp_wells *W, int w) {
  return W->control[w].limit[HP_CONTROL_THP] >= 0.0 && W->control[w].vfp > 0;
}

/* Weights c_a of the rate in the table of well w: the flow is sum c_a q_a in the direction of its job. */
HP_INLINE HP_HD void hp_lift_weights(const hp_wells *W, int w, double c[HP_PHASES]) {
  const hp_well_control *k = &W->control[w];
  const int flow = W->lift[k->vfp - 1].flow;
  c[HP_OIL] = k->injector || flow != 1 ? 1.0 : 0.0;
  c[HP_WATER] = k->injector || flow != 0 ? 1.0 : 0.0;
}

/* The ratio of water in the rates q of producer w, with its derivatives; where nothing flows, that of what its cells would give. */
HP_INLINE HP_HD double hp_lift_ratio(const hp_wells *W, int w, const double q[HP_PHASES], double by[HP_PHASES]) {
  const bool cut = W->lift[W->control[w].vfp - 1].ratio == HP_LIFT_CUT;
  double oil = q[HP_OIL] > 0.0 ? q[HP_OIL] : 0.0, water = q[HP_WATER] > 0.0 ? q[HP_WATER] : 0.0;
  const bool flows = oil + water > 0.0;
  for (int64_t i = W->begin[w]; i < W->begin[w + 1] && !flows; ++i) {
    oil += W->rate[i].producible[HP_OIL];
    water += W->rate[i].producible[HP_WATER];
  }
  const double below = cut ? oil + water : oil;
  const double most = 1e6; /* water over oil of a stream that is all water */
  by[HP_OIL] = by[HP_WATER] = 0.0;
  if (water > most * below) return most;
  if (!(below > 0.0)) return 0.0;
  if (flows) {
    by[HP_OIL] = -water / (below * below);
    by[HP_WATER] = cut ? oil / (below * below) : 1.0 / below;
  }
  return water / below;
}

/* The pressure that the column between datum and reference depth of well w adds to the table's pressure. */
HP_INLINE HP_HD double hp_lift_column(const hp_wells *W, int w) {
  const int64_t first = W->begin[w];
  const double density = first < W->begin[w + 1] ? W->density[first] : 0.0;
  return density * HP_GRAVITY * (W->ref_depth[w] - W->lift[W->control[w].vfp - 1].datum);
}

/* The bhp [Pa] that the table of well w asks for at rates q, out of the reservoir, with its derivatives by these. */
HP_INLINE HP_HD double hp_lift_asked(const hp_wells *W, int w, const double q[HP_PHASES], double by[HP_PHASES]) {
  const hp_well_control *k = &W->control[w];
  const hp_lift_table *t = &W->lift[k->vfp - 1];
  const double sign = k->injector ? -1.0 : 1.0;
  double c[HP_PHASES], ratio_by[HP_PHASES] = {0.0, 0.0};
  hp_lift_weights(W, w, c);
  const double flow = sign * (c[HP_OIL] * q[HP_OIL] + c[HP_WATER] * q[HP_WATER]);
  const double ratio = k->injector ? 0.0 : hp_lift_ratio(W, w, q, ratio_by);
  const hp_lift_value v = hp_lift_eval(t, W->lift_number + t->begin, flow, k->limit[HP_CONTROL_THP], ratio, k->lift);
  for (int a = 0; a < HP_PHASES; ++a) by[a] = sign * c[a] * v.by_flow + v.by_ratio * ratio_by[a];
  return v.bhp + hp_lift_column(W, w);
}

/* The tubing-head pressure [Pa] of well w, which has a table, at its rates and bhp. */
HP_INLINE HP_HD double hp_lift_head(const hp_wells *W, int w, const double q[HP_PHASES], double bhp) {
  const hp_well_control *k = &W->control[w];
  const hp_lift_table *t = &W->lift[k->vfp - 1];
  double c[HP_PHASES], by[HP_PHASES];
  hp_lift_weights(W, w, c);
  const double flow = (k->injector ? -1.0 : 1.0) * (c[HP_OIL] * q[HP_OIL] + c[HP_WATER] * q[HP_WATER]);
  return hp_lift_thp(t, W->lift_number + t->begin, flow, bhp - hp_lift_column(W, w),
                     k->injector ? 0.0 : hp_lift_ratio(W, w, q, by), k->lift);
}

#endif
