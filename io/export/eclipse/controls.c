/* Controls of wells: WCONPROD, WCONINJE and their likes, and settings that hold beside them. */
#include <math.h>

#include "io/export/eclipse/impl.h"

static bool differ(double a, double b) { return a != b && !(isnan(a) && isnan(b)); }

static double if_any(double v) { return v > 0.0 ? v : NAN; }

/* Whether the group of a well, or one above it, has a target of that kind at the event's time. */
static bool has_target(const hp_case *c, const hp_well_event *v) {
  const hp_well_control *k = &v->control;
  int events = 0;
  if (!k->in_field) return false;
  while (events < c->ngroup_event && c->group_event[events].time <= v->time) ++events;
  for (int g = 0; g <= c->ngroup; ++g) {
    const hp_group_control *t = hp_case_group_control(c, events, g);
    if (t == NULL || !hp_case_group_is_below(c, events, k->group, g)) continue;
    bool any = false;
    for (int n = HP_CONTROL_ORAT; n < HP_CONTROL_COUNT; ++n) any = any || !isnan(t->production[n]);
    if (k->injector)
      any = !isnan(t->injection_rate) || !isnan(t->injection_volume) || !isnan(t->reinjection) || !isnan(t->voidage);
    if (any) return true;
  }
  return false;
}

/* At its bhp beside a share of its group's target, GRUP and BHP are the same here, but not for Eclipse. */
static const char *mode(const hp_case *c, const hp_well_event *v) {
  static const char *const name[HP_CONTROL_COUNT] = {"1*", "BHP", "THP", "ORAT", "WRAT", "LRAT", "RESV"};
  if (v->wanted == HP_CONTROL_BHP && has_target(c, v)) return "GRUP";
  if (v->control.injector && (v->wanted == HP_CONTROL_ORAT || v->wanted == HP_CONTROL_WRAT)) return "RATE";
  return name[v->wanted];
}

static const char *status(const hp_well_event *v) { return v->control.control == HP_CONTROL_SHUT ? "SHUT" : "OPEN"; }

static void lift(hp_deck_out *o, const hp_well_control *k) {
  hp_out_number(o, HP_UNIT_PRESSURE, k->limit[HP_CONTROL_THP]);
  fprintf(o->f, " %d", k->vfp > 0 ? hp_out_lift_number(o->c, k->vfp - 1) : 0);
}

static void predict(hp_deck_out *o, const hp_well_event *v) {
  const hp_well_control *k = &v->control;
  fprintf(o->f, "%s\n '%s'", k->injector ? "WCONINJE" : "WCONPROD", o->c->well[v->well].name);
  if (k->injector) fprintf(o->f, " %s", k->phase == HP_WATER ? "WATER" : "OIL");
  fprintf(o->f, " %s %s", status(v), mode(o->c, v));
  if (k->injector) hp_out_number(o, HP_UNIT_RATE, k->limit[k->phase == HP_WATER ? HP_CONTROL_WRAT : HP_CONTROL_ORAT]);
  else {
    hp_out_number(o, HP_UNIT_RATE, k->limit[HP_CONTROL_ORAT]);
    hp_out_number(o, HP_UNIT_RATE, k->limit[HP_CONTROL_WRAT]);
    fputs(" 1*", o->f);
    hp_out_number(o, HP_UNIT_RATE, k->limit[HP_CONTROL_LRAT]);
  }
  hp_out_number(o, HP_UNIT_RESERVOIR_RATE, k->limit[HP_CONTROL_RESV]);
  hp_out_number(o, HP_UNIT_PRESSURE, k->limit[HP_CONTROL_BHP]);
  lift(o, k);
  if (!k->injector) hp_out_number(o, HP_UNIT_NONE, k->lift);
  fputs(" /\n/\n", o->f);
}

/* ---- by history ---- */

static bool any_targets(const hp_case *c) {
  for (int n = 0; n < c->ngroup_event; ++n) {
    const hp_group_control *t = &c->group_event[n].control;
    for (int q = HP_CONTROL_ORAT; q < HP_CONTROL_COUNT; ++q)
      if (!isnan(t->production[q])) return true;
    if (!isnan(t->injection_rate) || !isnan(t->injection_volume) || !isnan(t->reinjection) || !isnan(t->voidage))
      return true;
  }
  return false;
}

/* Whether a well by history does the same: it is at the observed rates, with no other limit than its bhp. */
static bool is_by_history(const hp_case *c, const hp_well_event *v) {
  const hp_well_control *k = &v->control;
  const double oil = k->history_oil_rate, water = k->history_water_rate;
  const double made = k->phase == HP_WATER ? water : oil;
  const int own = k->injector ? (k->phase == HP_WATER ? HP_CONTROL_WRAT : HP_CONTROL_ORAT) : (int)v->wanted;
  if (v->wanted == HP_CONTROL_SHUT || v->wanted == HP_CONTROL_THP || !isnan(k->limit[HP_CONTROL_THP])) return false;
  if (k->in_field && any_targets(c)) return false;
  for (int n = HP_CONTROL_ORAT; n < HP_CONTROL_COUNT; ++n)
    if (n != own && !isnan(k->limit[n])) return false;
  if (v->wanted == HP_CONTROL_BHP)
    return isnan(k->limit[HP_CONTROL_RESV]) && !differ(k->history_bhp, k->limit[HP_CONTROL_BHP]);
  if (k->injector) return v->wanted == (hp_control)own && k->limit[own] == made;
  switch (v->wanted) {
    case HP_CONTROL_ORAT: return k->limit[own] == oil;
    case HP_CONTROL_WRAT: return k->limit[own] == water;
    case HP_CONTROL_LRAT: return k->limit[own] == oil + water;
    default: return k->by_history;
  }
}

static void by_history(hp_deck_out *o, const hp_well_event *v) {
  const hp_well_control *k = &v->control;
  const char *name = o->c->well[v->well].name;
  if (k->injector) {
    fprintf(o->f, "WCONINJH\n '%s' %s %s", name, k->phase == HP_WATER ? "WATER" : "OIL", status(v));
    hp_out_number(o, HP_UNIT_RATE, k->phase == HP_WATER ? k->history_water_rate : k->history_oil_rate);
    hp_out_number(o, HP_UNIT_PRESSURE, if_any(k->history_bhp));
    hp_out_number(o, HP_UNIT_PRESSURE, if_any(k->history_thp));
    fprintf(o->f, " %d 4* %s /\n/\n", k->vfp > 0 ? hp_out_lift_number(o->c, k->vfp - 1) : 0, mode(o->c, v));
  } else {
    fprintf(o->f, "WCONHIST\n '%s' %s %s", name, status(v), mode(o->c, v));
    hp_out_number(o, HP_UNIT_RATE, k->history_oil_rate);
    hp_out_number(o, HP_UNIT_RATE, k->history_water_rate);
    fprintf(o->f, " 1* %d", k->vfp > 0 ? hp_out_lift_number(o->c, k->vfp - 1) : 0);
    hp_out_number(o, HP_UNIT_NONE, k->lift);
    hp_out_number(o, HP_UNIT_PRESSURE, if_any(k->history_thp));
    hp_out_number(o, HP_UNIT_PRESSURE, if_any(k->history_bhp));
    fputs(" /\n/\n", o->f);
  }
  if (v->wanted == HP_CONTROL_BHP) return;
  fprintf(o->f, "WELTARG\n '%s' BHP", name);
  hp_out_number(o, HP_UNIT_PRESSURE, k->limit[HP_CONTROL_BHP]);
  fputs(" /\n/\n", o->f);
}

/* ---- one change ---- */

static hp_status whole_control(hp_deck_out *o, const hp_well_event *v) {
  const hp_well_control *k = &v->control;
  const bool observed = v->observed || k->by_history || k->history_oil_rate > 0.0 || k->history_water_rate > 0.0;
  if (observed && is_by_history(o->c, v)) {
    by_history(o, v);
    return HP_OK;
  }
  if (k->by_history)
    return hp_fail(HP_ERR_UNSUPPORTED,
                   "%s: well %s is at the reservoir volume of observed rates and has other limits or takes part in "
                   "targets: an Eclipse deck has no such well",
                   o->c->deck, o->c->well[v->well].name);
  if (observed)
    hp_out_note(o, "well %s from %g %s on is at other rates than the observed ones: these are left out",
                o->c->well[v->well].name, v->time / o->units.factor[HP_UNIT_TIME], o->units.label[HP_UNIT_TIME]);
  predict(o, v);
  return HP_OK;
}

/* New limits alone leave a producer's state as it is: WELTARG. False: that cannot say it. OPM Flow does not take new rates of
 * injectors from it, and nothing shuts those. */
static bool new_limits(hp_deck_out *o, const hp_well_event *v, const hp_well_control *was) {
  static const char *const name[HP_CONTROL_COUNT] = {"", "BHP", "THP", "ORAT", "WRAT", "LRAT", "RESV"};
  static const hp_quantity q[HP_CONTROL_COUNT] = {HP_UNIT_NONE, HP_UNIT_PRESSURE, HP_UNIT_PRESSURE,      HP_UNIT_RATE,
                                                  HP_UNIT_RATE, HP_UNIT_RATE,     HP_UNIT_RESERVOIR_RATE};
  const hp_well_control *k = &v->control;
  if (k->injector || (v->given & (HP_GIVEN_CONTROL | HP_GIVEN_STATUS | HP_GIVEN_TYPE)) || was->injector ||
      k->by_history || was->by_history || v->wanted == HP_CONTROL_SHUT || k->vfp != was->vfp)
    return false;
  for (int n = HP_CONTROL_BHP; n < HP_CONTROL_COUNT; ++n)
    if (isnan(k->limit[n]) && !isnan(was->limit[n])) return false;
  if (differ(k->history_oil_rate, was->history_oil_rate) || differ(k->history_water_rate, was->history_water_rate))
    return false;
  bool some = false;
  for (int n = HP_CONTROL_BHP; n < HP_CONTROL_COUNT; ++n) {
    if (isnan(k->limit[n]) || (!differ(k->limit[n], was->limit[n]) && !(v->given >> n & 1u))) continue;
    if (!some) fputs("WELTARG\n", o->f);
    some = true;
    fprintf(o->f, " '%s' %s", o->c->well[v->well].name, name[n]);
    hp_out_number(o, q[n], k->limit[n]);
    fputs(" /\n", o->f);
  }
  if (some) fputs("/\n", o->f);
  if (k->lift != was->lift) {
    fprintf(o->f, "WELTARG\n '%s' LIFT", o->c->well[v->well].name);
    hp_out_number(o, HP_UNIT_NONE, k->lift);
    fputs(" /\n/\n", o->f);
  }
  return true;
}

static void economy(hp_deck_out *o, const char *name, const hp_well_control *k, const hp_well_control *was) {
  static const char *const workover[HP_WORKOVER_COUNT] = {[HP_WORKOVER_NONE] = "NONE",
                                                          [HP_WORKOVER_CONNECTION] = "CON",
                                                          [HP_WORKOVER_BELOW] = "+CON",
                                                          [HP_WORKOVER_WELL] = "WELL",
                                                          [HP_WORKOVER_STOP] = "NONE"};
  const bool stops = k->workover == HP_WORKOVER_STOP, stopped = was->workover == HP_WORKOVER_STOP;
  if (k->min_oil_rate == was->min_oil_rate && k->min_liquid_rate == was->min_liquid_rate &&
      k->max_water_cut == was->max_water_cut && k->workover == was->workover && k->end_run == was->end_run)
    return;
  fprintf(o->f, "WECON\n '%s'", name);
  hp_out_number(o, HP_UNIT_RATE, k->min_oil_rate);
  fputs(" 1*", o->f);
  hp_out_number(o, HP_UNIT_NONE, stops ? 0.0 : k->max_water_cut);
  fprintf(o->f, " 2* %s %s 5*", workover[k->workover], k->end_run ? "YES" : "NO");
  hp_out_number(o, HP_UNIT_RATE, k->min_liquid_rate);
  fputs(" /\n/\n", o->f);
  if (!stops && !stopped) return;
  fprintf(o->f, "WCUTBACK\n '%s'", name);
  hp_out_number(o, HP_UNIT_NONE, stops ? k->max_water_cut : NAN);
  fputs(" /\n/\n", o->f);
}

static void tests(hp_deck_out *o, const char *name, const hp_well_control *k, const hp_well_control *was) {
  static const char *const of[] = {[HP_TESTS_ECONOMY] = "E", [HP_TESTS_LIFT] = "P", [HP_TESTS_BOTH] = "PE"};
  if (k->test_interval == was->test_interval && k->max_tests == was->max_tests && k->tests_of == was->tests_of) return;
  fprintf(o->f, "WTEST\n '%s'", name);
  if (k->test_interval > 0.0) {
    hp_out_number(o, HP_UNIT_TIME, k->test_interval);
    fprintf(o->f, " %s %.0f", of[k->tests_of], k->max_tests);
  }
  fputs(" /\n/\n", o->f);
}

static void guides(hp_deck_out *o, const char *name, const hp_well_control *k, const hp_well_control *was,
                   bool history) {
  static const char *const by[] = {[HP_GUIDE_OIL] = "OIL",
                                   [HP_GUIDE_WATER] = "WAT",
                                   [HP_GUIDE_LIQUID] = "LIQ",
                                   [HP_GUIDE_RESERVOIR] = "RES",
                                   [HP_GUIDE_SHARED] = "1*"};
  if (history || (k->in_field == was->in_field && k->guide_rate == was->guide_rate && k->guide_by == was->guide_by))
    return;
  fprintf(o->f, "WGRUPCON\n '%s' %s", name, k->in_field ? "YES" : "NO");
  hp_out_number(o, HP_UNIT_RATE, if_any(k->guide_rate));
  fprintf(o->f, " %s /\n/\n", by[k->guide_by]);
}

hp_status hp_out_control(hp_deck_out *o, const hp_well_event *v, bool first, hp_well_control *was) {
  const hp_well_control *k = &v->control;
  const char *name = o->c->well[v->well].name;
  const bool controls = (v->given & HP_GIVEN_ALL) || differ(k->lift, was->lift) || k->vfp != was->vfp ||
                        k->history_oil_rate != was->history_oil_rate ||
                        k->history_water_rate != was->history_water_rate || k->history_bhp != was->history_bhp ||
                        k->history_thp != was->history_thp;
  if (!first && k->group != was->group) hp_out_well_head(o, v->well, k->group);
  if (first || (controls && !new_limits(o, v, was))) HP_TRY(whole_control(o, v));
  guides(o, name, k, was, is_by_history(o->c, v) && (v->observed || k->by_history));
  if (k->efficiency != was->efficiency) {
    fprintf(o->f, "WEFAC\n '%s'", name);
    hp_out_number(o, HP_UNIT_NONE, k->efficiency);
    fputs(" /\n/\n", o->f);
  }
  economy(o, name, k, was);
  tests(o, name, k, was);
  *was = *k;
  return HP_OK;
}
