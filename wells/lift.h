/* Lift tables (VFPPROD, VFPINJ): the bottom-hole pressure that a well needs at a tubing-head pressure.
 *
 *     bhp = table(flow, thp, ratio, lift)      linear between its numbers and beyond them
 *
 *     flow    surface rate of oil, water or both, in the direction of the well's job
 *     ratio   of water: its share of the liquid, or water over oil; a table of injectors has none
 *     lift    artificial lift, a number of the well
 *
 * The numbers of a table stand one behind the other: its four axes in this order, and bhp [lift][ratio][thp][flow]. A table
 * belongs to a datum; wells/lift.inl.h takes it to the reference depth of a well, and finds the pressure at which a well meets it.
 */
#ifndef HP_WELLS_LIFT_H
#define HP_WELLS_LIFT_H

#include <math.h>

#include "core/portable.h"
#include "wells/well.h"

HP_EXTERN_C_BEGIN

enum { HP_LIFT_FLOW, HP_LIFT_THP, HP_LIFT_RATIO, HP_LIFT_LIFT, HP_LIFT_AXES };

/* X(NAME, "deck name"): the ratio of a table. */
#define HP_LIFT_RATIO_LIST(X) \
  X(CUT, "water-cut")         \
  X(WOR, "water-oil-ratio")

enum {
#define HP_LIFT_RATIO_ENUM(name, text) HP_LIFT_##name,
  HP_LIFT_RATIO_LIST(HP_LIFT_RATIO_ENUM)
#undef HP_LIFT_RATIO_ENUM
};

/* Plain data, also on a device. */
typedef struct hp_lift_table {
  bool injector;
  int flow;                /* 0: oil, 1: water, 2: both; see hp_lift_control */
  int ratio;               /* of HP_LIFT_RATIO_LIST */
  int count[HP_LIFT_AXES]; /* numbers of each axis */
  double datum;            /* depth that its pressures belong to [m] */
  int64_t begin;           /* of its numbers among those of all tables */
} hp_lift_table;

/* A table of a deck. */
typedef struct hp_lift_spec {
  char name[HP_WELL_NAME];
  hp_lift_table table;
  double *number; /* [hp_lift_numbers] in SI; lift in units of the deck */
  const char *file;
  int line;
} hp_lift_spec;

/* The control whose rate is the table's flow. */
HP_INLINE HP_HD int hp_lift_control(const hp_lift_table *t) { return HP_CONTROL_ORAT + t->flow; }

HP_INLINE HP_HD int64_t hp_lift_numbers(const hp_lift_table *t) {
  int64_t axes = 0, cells = 1;
  for (int n = 0; n < HP_LIFT_AXES; ++n) {
    axes += t->count[n];
    cells *= t->count[n];
  }
  return axes + cells;
}

/* The place of an axis among the table's numbers; of HP_LIFT_AXES: that of bhp. */
HP_INLINE HP_HD int64_t hp_lift_axis(const hp_lift_table *t, int axis) {
  int64_t at = 0;
  for (int n = 0; n < axis; ++n) at += t->count[n];
  return at;
}

/* Says what is wrong with a table's numbers, NULL: nothing. */
const char *hp_lift_fault(const hp_lift_table *t, const double *number);

/* A number between the two of an axis, or beyond its ends. */
typedef struct hp_lift_place {
  int at;          /* the lower one */
  double share;    /* of the upper one */
  double by_value; /* its derivative by the number */
} hp_lift_place;

HP_INLINE HP_HD hp_lift_place hp_lift_find(int count, const double *axis, double value) {
  hp_lift_place p = {0, 0.0, 0.0};
  if (count < 2) return p;
  while (p.at < count - 2 && axis[p.at + 1] < value) ++p.at;
  p.by_value = 1.0 / (axis[p.at + 1] - axis[p.at]);
  p.share = (value - axis[p.at]) * p.by_value;
  return p;
}

/* The pressure of a table [Pa] with its derivatives. */
typedef struct hp_lift_value {
  double bhp, by_flow, by_ratio;
} hp_lift_value;

HP_INLINE HP_HD hp_lift_value hp_lift_eval(const hp_lift_table *t, const double *number, double flow, double thp,
                                           double ratio, double lift) {
  const double value[HP_LIFT_AXES] = {flow, thp, ratio, lift};
  hp_lift_place p[HP_LIFT_AXES];
  hp_lift_value out = {0.0, 0.0, 0.0};
  for (int n = 0; n < HP_LIFT_AXES; ++n) p[n] = hp_lift_find(t->count[n], number + hp_lift_axis(t, n), value[n]);
  const double *bhp = number + hp_lift_axis(t, HP_LIFT_AXES);
  for (int corner = 0; corner < 1 << HP_LIFT_AXES; ++corner) {
    int64_t at = 0;
    double weight[HP_LIFT_AXES];
    bool counts = true;
    for (int n = HP_LIFT_AXES - 1; n >= 0; --n) {
      const int upper = corner >> n & 1;
      counts = counts && (upper == 0 || t->count[n] > 1);
      weight[n] = upper ? p[n].share : 1.0 - p[n].share;
      at = at * t->count[n] + p[n].at + upper;
    }
    if (!counts) continue;
    const double held = weight[HP_LIFT_THP] * weight[HP_LIFT_LIFT] * bhp[at];
    const double sign_flow = corner >> HP_LIFT_FLOW & 1 ? 1.0 : -1.0,
                 sign_ratio = corner >> HP_LIFT_RATIO & 1 ? 1.0 : -1.0;
    out.bhp += weight[HP_LIFT_FLOW] * weight[HP_LIFT_RATIO] * held;
    out.by_flow += sign_flow * p[HP_LIFT_FLOW].by_value * weight[HP_LIFT_RATIO] * held;
    out.by_ratio += sign_ratio * p[HP_LIFT_RATIO].by_value * weight[HP_LIFT_FLOW] * held;
  }
  return out;
}

/* The tubing-head pressure [Pa] at which the table asks for bhp. Between two of the table's it is linear; beyond both ends, too. */
HP_INLINE HP_HD double hp_lift_thp(const hp_lift_table *t, const double *number, double flow, double bhp, double ratio,
                                   double lift) {
  const double *thp = number + hp_lift_axis(t, HP_LIFT_THP);
  const int count = t->count[HP_LIFT_THP];
  double low = hp_lift_eval(t, number, flow, thp[0], ratio, lift).bhp;
  if (count < 2) return thp[0];
  for (int n = 1;; ++n) {
    const double high = hp_lift_eval(t, number, flow, thp[n], ratio, lift).bhp;
    if (n < count - 1 && bhp > high) {
      low = high;
      continue;
    }
    return high > low ? thp[n - 1] + (thp[n] - thp[n - 1]) * (bhp - low) / (high - low) : thp[n - 1];
  }
}

HP_EXTERN_C_END

#endif
