/* Relative permeabilities and capillary pressure of the water saturation.
 * The models and their parameters stand beside hp_sat_spec in physics/fluid.h.
 *
 * A new model is one function here and one line in HP_SAT_FORMULA_LIST, its parameters
 * a line each in HP_SAT_PARAMETER_LIST (physics/fluid.h).
 */
#ifndef HP_PHYSICS_SATFUNC_INL_H
#define HP_PHYSICS_SATFUNC_INL_H

#include <math.h>

#include "physics/fluid.inl.h"

/* krw, kro and pc [Pa], each with its derivative by s. */
typedef struct {
  hp_dual krw, kro, pc;
} hp_sat_value;

/* A relative permeability up to this is none where end points of a table are looked for (Eclipse's TOLCRIT). */
#define HP_SAT_CRITICAL 1e-6

/* Saturation functions ready to evaluate; pointers are on the team's memory. */
typedef struct {
  hp_sat_model model;
  int rows;
  int number;                       /* of the deck's saturation functions, from 0 */
  const double *s, *krw, *kro, *pc; /* [rows] */
  hp_sat_spec par;                  /* analytic parameters; its table pointers are not used here */
  double s_water_mobile;            /* krw = 0 up to here */
  double s_oil_immobile;            /* kro = 0 from here on */
  double s_water_critical;          /* the ends that scaling goes by: krw <= HP_SAT_CRITICAL up to here, */
  double s_oil_critical;            /* kro from here on */
  double s_min, s_max;              /* connate and largest water saturation */
  double s_pc_max;                  /* a formula's pc is pc_max below this; below 0: nowhere */
} hp_satfunc;

/* The krw of a formula is that of the water zone from s_oil_immobile up to s_max. A table has it in its rows. */
HP_INLINE HP_HD bool hp_sat_has_water_zone(const hp_satfunc *f) { return f->model != HP_SAT_TABLE; }

/* x^n and its derivative for 0 <= x <= 1, n >= 0, without pow where it is cheap. */
HP_INLINE HP_HD hp_dual hp_power(double x, double n) {
  hp_dual r;
  if (n == 2.0) {
    r.v = x * x;
    r.d = 2.0 * x;
  } else if (n == 1.0) {
    r.v = x;
    r.d = 1.0;
  } else if (n == 3.0) {
    r.v = x * x * x;
    r.d = 3.0 * x * x;
  } else if (x <= 0.0) {
    r.v = n == 0.0 ? 1.0 : 0.0;
    r.d = 0.0;
  } else {
    r.v = pow(x, n);
    r.d = n * r.v / x;
  }
  return r;
}

HP_INLINE HP_HD hp_dual hp_dual_times(hp_dual a, hp_dual b) {
  hp_dual r;
  r.v = a.v * b.v;
  r.d = a.d * b.v + a.v * b.d;
  return r;
}

HP_INLINE HP_HD hp_dual hp_dual_scale(hp_dual a, double c) {
  a.v *= c;
  a.d *= c;
  return a;
}

/* f(1 - e) from f(x) and df/dx at x = 1 - e. */
HP_INLINE HP_HD hp_dual hp_dual_mirror(hp_dual a) {
  a.d = -a.d;
  return a;
}

/* a(e) / (a(e) + c t(e)): the LET form. */
HP_INLINE HP_HD hp_dual hp_let(hp_dual a, double c, hp_dual t) {
  const double sum = a.v + c * t.v;
  hp_dual r;
  r.v = a.v / sum;
  r.d = (a.d * c * t.v - a.v * c * t.d) / (sum * sum);
  return r;
}

/* Each model below gives its functions of e in 0..1 with derivatives by e. */
HP_INLINE HP_HD hp_sat_value hp_sat_corey(const hp_sat_spec *p, double e) {
  hp_sat_value v;
  v.krw = hp_dual_scale(hp_power(e, p->nw), p->krw_max);
  v.kro = hp_dual_scale(hp_dual_mirror(hp_power(1.0 - e, p->no)), p->kro_max);
  v.pc = hp_dual_scale(hp_dual_mirror(hp_power(1.0 - e, p->npc)), p->pc_entry);
  return v;
}

HP_INLINE HP_HD hp_sat_value hp_sat_brooks_corey(const hp_sat_spec *p, double e) {
  hp_sat_value v;
  hp_dual g = hp_power(e, (2.0 + p->lambda) / p->lambda);
  v.krw = hp_dual_scale(hp_power(e, (2.0 + 3.0 * p->lambda) / p->lambda), p->krw_max);
  g.v = 1.0 - g.v;
  g.d = -g.d;
  v.kro = hp_dual_scale(hp_dual_times(hp_dual_mirror(hp_power(1.0 - e, 2.0)), g), p->kro_max);
  v.pc.v = p->pc_max;
  v.pc.d = 0.0;
  if (p->pc_entry == 0.0) v.pc.v = 0.0;
  else if (e > 0.0) {
    const double pc = p->pc_entry * pow(e, -1.0 / p->lambda);
    if (pc < p->pc_max) {
      v.pc.v = pc;
      v.pc.d = -pc / (p->lambda * e);
    }
  }
  return v;
}

/* Goes from the value and slope a at x = 1 - rest straight to `end` at 1, where e is beyond x. */
HP_INLINE HP_HD hp_dual hp_dual_line(hp_dual a, double end, double e, double rest) {
  const double x = 1.0 - rest;
  if (!(e > x)) return a;
  a.d = (end - a.v) / rest;
  a.v = end - a.d * (1.0 - e);
  return a;
}

HP_INLINE HP_HD hp_sat_value hp_sat_van_genuchten(const hp_sat_spec *p, double e) {
  /* Slopes are infinite at e = 0 (pc) and e = 1 (krw, pc; kro where m < 1/4): the curves are cut there, with straight ends. Within
   * the upper one krw changes by percents, which Newton's method could not follow in steps of 1e-7. */
  const double tiny = 1e-6, steep = 1e-4, m = p->m;
  const double x = e < tiny ? tiny : e > 1.0 - steep ? 1.0 - steep : e;
  hp_sat_value v;
  const double root = pow(x, 1.0 / m), droot = root / (m * x); /* e^(1/m) */
  const double rest = pow(1.0 - root, m), drest = -m * rest / (1.0 - root) * droot;
  hp_dual a, b;
  a.v = sqrt(x);
  a.d = 0.5 / a.v;
  b.v = (1.0 - rest) * (1.0 - rest);
  b.d = -2.0 * (1.0 - rest) * drest;
  v.krw = hp_dual_line(hp_dual_scale(hp_dual_times(a, b), p->krw_max), p->krw_max, e, steep);
  a.v = sqrt(1.0 - x);
  a.d = -0.5 / a.v;
  b.v = rest * rest;
  b.d = 2.0 * rest * drest;
  v.kro = hp_dual_line(hp_dual_scale(hp_dual_times(a, b), p->kro_max), 0.0, e, steep);
  if (e <= tiny) v.krw.v = v.krw.d = 0.0;
  const double inv = 1.0 / root - 1.0; /* e^(-1/m) - 1 */
  v.pc.v = p->pc_entry * pow(inv, 1.0 - m);
  v.pc.d = p->pc_entry * (1.0 - m) * pow(inv, -m) * (-1.0 / (m * root * x));
  v.pc = hp_dual_line(v.pc, 0.0, e, steep);
  if (v.pc.v > p->pc_max) {
    v.pc.v = p->pc_max;
    v.pc.d = 0.0;
  }
  return v;
}

HP_INLINE HP_HD hp_sat_value hp_sat_let(const hp_sat_spec *p, double e) {
  hp_sat_value v;
  v.krw = hp_dual_scale(hp_let(hp_power(e, p->lw), p->ew, hp_dual_mirror(hp_power(1.0 - e, p->tw))), p->krw_max);
  v.kro = hp_dual_scale(hp_let(hp_dual_mirror(hp_power(1.0 - e, p->lo)), p->eo, hp_power(e, p->to)), p->kro_max);
  v.pc = hp_dual_scale(hp_dual_mirror(hp_power(1.0 - e, p->npc)), p->pc_entry);
  return v;
}

/* Constant outside the table. */
HP_INLINE HP_HD hp_sat_value hp_sat_table(const hp_satfunc *f, double s) {
  hp_sat_value v;
  const int n = hp_table_interval(f->s, f->rows, s);
  const double x = s < f->s[0] ? f->s[0] : s > f->s[f->rows - 1] ? f->s[f->rows - 1] : s;
  v.krw = hp_table_linear(f->s, f->krw, n, x);
  v.kro = hp_table_linear(f->s, f->kro, n, x);
  v.pc = hp_table_linear(f->s, f->pc, n, x);
  if (x != s) v.krw.d = v.kro.d = v.pc.d = 0.0;
  return v;
}

/* krw in the water zone a .. b: straight from `end`, its value up to a, to `full`; constant beyond. A zone that is
 * there by rounding alone is none. */
HP_INLINE HP_HD hp_dual hp_sat_water_zone(hp_dual end, double full, double a, double b, double s) {
  hp_dual krw = end;
  if (s <= a || b - a < 1e-9 || full <= end.v) return krw;
  krw.v = s < b ? end.v + (full - end.v) * ((s - a) / (b - a)) : full;
  krw.d = s < b ? (full - end.v) / (b - a) : 0.0;
  return krw;
}

HP_INLINE HP_HD hp_sat_value hp_sat_eval(const hp_satfunc *f, double s) {
  if (f->model == HP_SAT_TABLE) return hp_sat_table(f, s);
  const double width = 1.0 - f->par.swc - f->par.sor, raw = (s - f->par.swc) / width;
  const double e = raw < 0.0 ? 0.0 : raw > 1.0 ? 1.0 : raw;
  const double de = e == raw ? 1.0 / width : 0.0;
  hp_sat_value v;
  switch (f->model) {
#define HP_SAT_CASE(name, text, function) \
  case HP_SAT_##name: v = function(&f->par, e); break;
    HP_SAT_FORMULA_LIST(HP_SAT_CASE)
#undef HP_SAT_CASE
    default: v = hp_sat_corey(&f->par, e); break;
  }
  v.krw.d *= de;
  v.kro.d *= de;
  v.pc.d *= de;
  v.krw = hp_sat_water_zone(v.krw, f->par.krw_full, f->s_oil_immobile, f->s_max, s);
  return v;
}

/* How the functions of a cell are stretched. Saturations between two points of
 * the cell are those at the same share of the way between the table's points:
 *
 *     krw  SWCR .. SWU           table: s_water_critical .. s_max
 *     kro  SWL .. 1 - SOWCR             s_min .. s_oil_critical
 *     pc   SWL .. SWU                   s_min .. s_max
 *
 * and with three points krw and kro have the other one's critical saturation
 * in between. Outside they are constant. (Eclipse's ENDSCALE, SCALECRS.) Of a
 * formula krw and pc end at 1 - SOWCR and s_oil_critical, too; from there to
 * SWU is the water zone, where krw goes on to krw_full.
 *
 * A value that a cell has at the other phase's critical saturation (KRWR,
 * KRORW) is a bend: factors reach up to it, and what exceeds it is multiplied
 * once more. Where the table is flat beyond, a straight line leads to the end. */
typedef struct {
  double value; /* at the bend, 0: there is none */
  double rise;  /* factor of what exceeds it; below 0: minus the value at the end of the line */
} hp_sat_bend;

typedef struct {
  double swl, swcr, swu, so; /* so: 1 - SOWCR */
  double krw, kro, pc;       /* factors of the values */
  bool three_point;
  bool has_krw, has_kro; /* the ends of krw and kro are the cell's for any table, not that table's */
  double pc_shift;       /* pc begins at swl + pc_shift (SWLPC) */
  hp_sat_bend krw_bend, kro_bend;
} hp_sat_scale;

/* The table's saturation for s between a and b, which are at x and y there; its derivative in *d. */
HP_INLINE HP_HD double hp_sat_between(double s, double a, double b, double x, double y, double *d) {
  *d = 0.0;
  if (s < a) return x;
  if (s > b || !(b > a)) return y;
  *d = (y - x) / (b - a);
  return x + *d * (s - a);
}

HP_INLINE HP_HD double hp_sat_between3(double s, double a, double b, double c, double x, double y, double z,
                                       double *d) {
  return s < b ? hp_sat_between(s, a, b, x, y, d) : hp_sat_between(s, b, c, y, z, d);
}

/* The table's saturation for kro, krw and pc at s of a cell. */
HP_INLINE HP_HD double hp_sat_place_oil(const hp_satfunc *f, const hp_sat_scale *c, double s, double *d) {
  if (c->three_point)
    return hp_sat_between3(s, c->swl, c->swcr, c->so, f->s_min, f->s_water_critical, f->s_oil_critical, d);
  return hp_sat_between(s, c->swl, c->so, f->s_min, f->s_oil_critical, d);
}

HP_INLINE HP_HD double hp_sat_place_water(const hp_satfunc *f, const hp_sat_scale *c, double s, double *d) {
  if (hp_sat_has_water_zone(f)) return hp_sat_between(s, c->swcr, c->so, f->s_water_critical, f->s_oil_critical, d);
  if (c->three_point)
    return hp_sat_between3(s, c->swcr, c->so, c->swu, f->s_water_critical, f->s_oil_critical, f->s_max, d);
  return hp_sat_between(s, c->swcr, c->swu, f->s_water_critical, f->s_max, d);
}

HP_INLINE HP_HD double hp_sat_place_pc(const hp_satfunc *f, const hp_sat_scale *c, double s, double *d) {
  if (hp_sat_has_water_zone(f)) return hp_sat_between(s, c->swl + c->pc_shift, c->so, f->s_min, f->s_oil_critical, d);
  return hp_sat_between(s, c->swl + c->pc_shift, c->swu, f->s_min, f->s_max, d);
}

/* k beyond a bend, which is at x of a scale that rises with k, whose end is at y. */
HP_INLINE HP_HD hp_dual hp_sat_beyond_bend(const hp_sat_bend *b, hp_dual k, double x, double y, double s) {
  if (b->rise < 0.0) return s > x ? hp_sat_water_zone(k, -b->rise, x, y, s) : k;
  if (k.v > b->value) {
    k.v = b->value + b->rise * (k.v - b->value);
    k.d *= b->rise;
  }
  return k;
}

/* Functions and derivatives by s of a cell with end points of its own. */
HP_INLINE HP_HD hp_sat_value hp_sat_eval_scaled(const hp_satfunc *f, const hp_sat_scale *c, double s) {
  double dw, dn, dp;
  const bool zone = hp_sat_has_water_zone(f);
  const double o = hp_sat_place_oil(f, c, s, &dn), w = hp_sat_place_water(f, c, s, &dw);
  const double p = hp_sat_place_pc(f, c, s, &dp);
  hp_sat_value v;
  v.krw = hp_dual_scale(hp_sat_eval(f, w).krw, c->krw);
  v.kro = hp_dual_scale(hp_sat_eval(f, o).kro, c->kro);
  v.pc = hp_dual_scale(hp_sat_eval(f, p).pc, c->pc);
  v.krw.d *= dw;
  v.kro.d *= dn;
  v.pc.d *= dp;
  if (zone) v.krw = hp_sat_water_zone(v.krw, f->par.krw_full, c->so, c->swu, s);
  if (c->krw_bend.value > 0.0) v.krw = hp_sat_beyond_bend(&c->krw_bend, v.krw, c->so, c->swu, s);
  if (c->kro_bend.value > 0.0) {
    const hp_dual mirrored = hp_sat_beyond_bend(&c->kro_bend, hp_dual_mirror(v.kro), -c->swcr, -c->swl, -s);
    v.kro = hp_dual_mirror(mirrored);
  }
  return v;
}

/* The bend of a function that `value` ends, for a table with `at` at the other phase's critical saturation and `most` at its end;
 * *factor: of what is below the bend. Without a bend `value` alone counts. */
HP_INLINE HP_HD void hp_sat_bend_to(double given, double value, double at, double most, double *factor,
                                    hp_sat_bend *out) {
  *factor = most > 0.0 ? value / most : 1.0;
  if (!(given > 0.0) || !(at > 0.0)) {
    out->value = out->rise = 0.0;
    return;
  }
  *factor = given / at;
  out->value = given;
  out->rise = most > at ? (value - given) / ((most - at) * *factor) : -value;
}

/* The end points c of a cell, whose table is f, for another table: the same saturations, and the same values if the cell has its
 * own. */
HP_INLINE HP_HD hp_sat_scale hp_sat_scale_to(const hp_satfunc *f, const hp_sat_scale *c, const hp_satfunc *other) {
  hp_sat_scale to = *c;
  const double last = hp_sat_has_water_zone(other) ? other->s_oil_critical : other->s_max;
  double d;
  if (c->has_krw || c->krw_bend.value > 0.0)
    hp_sat_bend_to(c->krw_bend.value, hp_sat_eval_scaled(f, c, hp_sat_has_water_zone(f) ? c->so : c->swu).krw.v,
                   hp_sat_eval(other, hp_sat_place_water(other, c, c->so, &d)).krw.v, hp_sat_eval(other, last).krw.v,
                   &to.krw, &to.krw_bend);
  if (c->has_kro || c->kro_bend.value > 0.0)
    hp_sat_bend_to(c->kro_bend.value, hp_sat_eval_scaled(f, c, c->swl).kro.v,
                   hp_sat_eval(other, hp_sat_place_oil(other, c, c->swcr, &d)).kro.v,
                   hp_sat_eval(other, other->s_min).kro.v, &to.kro, &to.kro_bend);
  return to;
}

#endif
