/* Hysteresis of saturation functions in water-wet rock: Eclipse's SATOPTS HYSTER, EHYSTR, IMBNUM.
 *
 *     kro                                       d: drainage, the cell's functions
 *      |\                                       i: imbibition, those of another table
 *      | \\     d                               scanning curve: of a cell that has been drained
 *      |  \ \___                                to `driest` and takes up water again
 *      |   \    \___
 *      |  i \___ scanning                       Drained below `driest` a cell is on d, and takes
 *      +--------+----+-----> s                  `driest` along. On the scanning curve it goes forth
 *      driest   1 - trapped                     and back.
 *
 *     Carlson    kro(s) = kro_i(s + shift), so that it starts from kro_d(driest)
 *     Killough   kro(s) = kro_d(driest) / kro_i(swl) kro_i(1 - n),  n = crit_i + (1 - s - trapped) (most - crit_i) / (top - trapped)
 *     pc         pc_d + F (pc_i - pc_d),  F = x (X + E) / (X (x + E)),  x = s - driest,  X = 1 - trapped - driest; 1 beyond X,
 *                0 where X is not above 0; pc_i has a factor so that it begins like pc_d
 *     trapped    crit_d + y / (1 + a (most - top) + C y),  y = top - crit_d,  C = 1/(crit_i - crit_d) - 1/(most - crit_d)
 *
 * with oil saturations top = 1 - driest, most = 1 - swl, crit: critical, E `curvature` and a `trapping`. (F. Carlson, SPE
 * 10157 (1981). J. Killough, SPE J. 16 (1976). Land's trapping with a: Eclipse's item 4 of EHYSTR.) krw is that of drainage, or that
 * of imbibition throughout. The forms are those of OPM Flow 2022.10.
 *
 * `driest` [ncell] and `turn` [ncell][HP_TURNS] are the reservoir's; hp_step_accept changes them, so that a step has one
 * scanning curve in a cell. Where there is any: hp_reservoir_hysteresis.
 */
#ifndef HP_PHYSICS_HYSTERESIS_H
#define HP_PHYSICS_HYSTERESIS_H

#include "physics/cell.inl.h"

HP_EXTERN_C_BEGIN

/* Numbers of a cell that `driest` determines: the saturation they are computed for, Carlson's shift, the oil saturation that stays
 * trapped, factors of kro and pc of imbibition. */
enum { HP_TURN_AT, HP_TURN_SHIFT, HP_TURN_TRAPPED, HP_TURN_KRO, HP_TURN_PC, HP_TURNS };

typedef struct hp_hysteresis {
  hp_hysteresis_spec par;
  int count;
  hp_fluid *fluid;          /* [count] of the deck's tables; their saturation functions are the ones used */
  const uint16_t *of;       /* [ncell] the cell's table of imbibition; NULL: 0 */
  hp_sat_scale *end_points; /* [ncell] the cell's end points of imbibition; NULL: those of the table */
} hp_hysteresis;

/* Makes it from a deck, whose numbers of cells stay the caller's. *out: NULL where there is none. */
hp_status hp_hysteresis_create(const hp_fluid_spec *spec, hp_hysteresis **out) HP_MUST_USE;
void hp_hysteresis_destroy(hp_hysteresis **h);

HP_INLINE HP_HD const hp_satfunc *hp_hysteresis_table(const hp_hysteresis *h, int64_t m) {
  return &h->fluid[h->of != NULL ? h->of[m] : 0].sat;
}

/* Functions of drainage or imbibition of a cell: the table and its end points, NULL: those of the table. */
typedef struct hp_hysteresis_curve {
  const hp_satfunc *f;
  const hp_sat_scale *c;
} hp_hysteresis_curve;

HP_INLINE HP_HD hp_sat_value hp_hysteresis_at(hp_hysteresis_curve i, double s) {
  return i.c != NULL ? hp_sat_eval_scaled(i.f, i.c, s) : hp_sat_eval(i.f, s);
}

HP_INLINE HP_HD hp_hysteresis_curve hp_hysteresis_imbibed(const hp_hysteresis *h, int64_t m) {
  const hp_hysteresis_curve i = {hp_hysteresis_table(h, m), h->end_points != NULL ? &h->end_points[m] : NULL};
  return i;
}

/* Water saturations where its curves begin, and from where oil does not flow. */
HP_INLINE HP_HD double hp_hysteresis_first(hp_hysteresis_curve i) { return i.c != NULL ? i.c->swl : i.f->s_min; }
HP_INLINE HP_HD double hp_hysteresis_last(hp_hysteresis_curve i) { return i.c != NULL ? i.c->so : i.f->s_oil_critical; }

/* The cell's functions of drainage; c: its end points, NULL: those of the table. */
HP_INLINE HP_HD hp_sat_value hp_hysteresis_drained(const hp_satfunc *f, const hp_sat_scale *c, double s) {
  const hp_hysteresis_curve d = {f, c};
  return hp_hysteresis_at(d, s);
}

/* Oil saturations where oil begins to flow when it is drained, and of the driest cell. */
HP_INLINE HP_HD void hp_hysteresis_ends(const hp_satfunc *f, const hp_sat_scale *c, double *critical, double *most) {
  *critical = 1.0 - (c != NULL ? c->so : f->s_oil_critical);
  *most = 1.0 - (c != NULL ? c->swl : f->s_min);
}

/* The least saturation at which kro of imbibition is no more than k. */
HP_INLINE HP_HD double hp_hysteresis_find(hp_hysteresis_curve i, double k) {
  double low = hp_hysteresis_first(i), high = hp_hysteresis_last(i);
  if (hp_hysteresis_at(i, low).kro.v <= k) return low;
  for (int n = 0; n < 60; ++n) {
    const double s = 0.5 * (low + high);
    if (!(s > low && s < high)) break;
    if (hp_hysteresis_at(i, s).kro.v > k) low = s;
    else high = s;
  }
  return high;
}

/* Computes `turn` of cell m, drained to `driest`. */
HP_INLINE HP_HD void hp_hysteresis_turn(const hp_hysteresis *h, const hp_satfunc *f, const hp_sat_scale *c, int64_t m,
                                        double driest, double turn[HP_TURNS]) {
  const hp_hysteresis_curve i = hp_hysteresis_imbibed(h, m);
  double critical, most;
  hp_hysteresis_ends(f, c, &critical, &most);
  const double rest = 1.0 - hp_hysteresis_last(i), top = 1.0 - driest, y = top - critical;
  double trapped = critical, shift = 0.0, start = 1.0 - most;
  if (y > 0.0 && rest > critical && most > critical) {
    const double C = 1.0 / (rest - critical) - 1.0 / (most - critical);
    trapped = critical + y / (1.0 + h->par.trapping * (most - top) + C * y);
  }
  const double drained = hp_hysteresis_drained(f, c, driest).kro.v;
  if (h->par.oil == HP_OIL_CARLSON) {
    start = hp_hysteresis_find(i, drained);
    shift = start - driest;
  }
  const double from = hp_hysteresis_at(i, start).kro.v;
  turn[HP_TURN_AT] = driest;
  turn[HP_TURN_SHIFT] = shift;
  turn[HP_TURN_KRO] = from > 0.0 ? drained / from : 0.0;
  const double pc = hp_hysteresis_at(i, hp_hysteresis_first(i)).pc.v;
  turn[HP_TURN_PC] = pc > 0.0 ? hp_hysteresis_drained(f, c, 1.0 - most).pc.v / pc : c != NULL ? c->pc : 1.0;
  turn[HP_TURN_TRAPPED] = trapped;
}

/* kro on the scanning curve. */
HP_INLINE HP_HD hp_dual hp_hysteresis_kro(const hp_hysteresis *h, hp_hysteresis_curve i, double most,
                                          const double *turn, double s) {
  if (h->par.oil == HP_OIL_CARLSON)
    return hp_dual_scale(hp_hysteresis_at(i, s + turn[HP_TURN_SHIFT]).kro, turn[HP_TURN_KRO]);
  const double rest = 1.0 - hp_hysteresis_last(i), trapped = turn[HP_TURN_TRAPPED];
  const double width = 1.0 - turn[HP_TURN_AT] - trapped, stretch = (most - rest) / (width > 1e-12 ? width : 1e-12);
  hp_dual k = hp_hysteresis_at(i, 1.0 - (rest + (1.0 - s - trapped) * stretch)).kro;
  k = hp_dual_scale(k, turn[HP_TURN_KRO]);
  k.d *= stretch;
  return k;
}

/* pc on the scanning curve, between drainage d and imbibition i. */
HP_INLINE HP_HD hp_dual hp_hysteresis_pc(const hp_hysteresis *h, const double *turn, hp_dual d, hp_dual i, double s) {
  const double E = h->par.curvature, x = s - turn[HP_TURN_AT];
  const double span = 1.0 - turn[HP_TURN_TRAPPED] - turn[HP_TURN_AT], below = span * (x + E); /* span: X */
  hp_dual F = {1.0, 0.0}, r;
  if (!(span > 0.0)) {
    F.v = 0.0;
  } else if (x < span) {
    F.v = x * (span + E) / below;
    F.d = E * (span + E) / (below * (x + E));
  }
  r.v = d.v + F.v * (i.v - d.v);
  r.d = d.d + F.v * (i.d - d.d) + F.d * (i.v - d.v);
  return r;
}

/* Functions of cell m at s and their derivatives; f, c: as above; turn: NULL while the cell cannot have turned. */
#if defined(__CUDA_ARCH__)
static __host__ __device__ __noinline__ hp_sat_value
#else
HP_INLINE HP_HD hp_sat_value
#endif
hp_hysteresis_eval(const hp_hysteresis *h, const hp_satfunc *f, const hp_sat_scale *c, int64_t m, const double *turn,
                   double s) {
  hp_sat_value v = hp_hysteresis_drained(f, c, s);
  const hp_hysteresis_curve i = hp_hysteresis_imbibed(h, m);
  const bool turned = turn != NULL && s > turn[HP_TURN_AT];
  if (h->par.water == HP_WATER_IMBIBITION) v.krw = hp_hysteresis_at(i, s).krw;
  if (turned && h->par.oil != HP_OIL_NONE) {
    double critical, most;
    hp_hysteresis_ends(f, c, &critical, &most);
    v.kro = hp_hysteresis_kro(h, i, most, turn, s);
  }
  if (turned && h->par.pc)
    v.pc = hp_hysteresis_pc(h, turn, v.pc, hp_dual_scale(hp_hysteresis_at(i, s).pc, turn[HP_TURN_PC]), s);
  return v;
}

/* The water saturations between which both phases flow, of drainage before. */
HP_INLINE HP_HD void hp_hysteresis_range(const hp_hysteresis *h, int64_t m, const double *turn, double *water_mobile,
                                         double *oil_immobile) {
  const hp_hysteresis_curve i = hp_hysteresis_imbibed(h, m);
  if (h->par.water == HP_WATER_IMBIBITION) *water_mobile = i.c != NULL ? i.c->swcr : i.f->s_water_mobile;
  if (h->par.oil == HP_OIL_NONE || turn == NULL || !(turn[HP_TURN_AT] < *oil_immobile)) return;
  double end = 1.0 - turn[HP_TURN_TRAPPED];
  if (h->par.oil == HP_OIL_CARLSON) end = (i.c != NULL ? i.c->so : i.f->s_oil_immobile) - turn[HP_TURN_SHIFT];
  *oil_immobile = end > turn[HP_TURN_AT] ? end : turn[HP_TURN_AT];
}

HP_EXTERN_C_END

#endif
