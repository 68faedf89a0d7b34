/* Controls of wells: WCONPROD, WCONINJE, WCONHIST, WCONINJH, WELOPEN, WELTARG, WEFAC, WECON.
 *
 * Each change becomes an event with the whole control, so that nothing of the
 * deck's "what was said before" is left to the simulator.
 */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "io/eclipse/impl.h"

typedef enum { OPEN, SHUT, STOP, AUTO } well_status; /* the order of the items' choices */

/* A stopped well gives nothing to the surface, and takes nothing from it; fluid may flow through it between its connections. */
static void stop(hp_well_control *c) {
  hp_well_control stopped = hp_well_control_default(false);
  hp_well_take_settings(&stopped, ~0u, c);
  stopped.control = HP_CONTROL_LRAT;
  stopped.limit[HP_CONTROL_LRAT] = 0.0;
  stopped.in_field = false;
  stopped.vfp = 0;
  stopped.min_oil_rate = stopped.min_liquid_rate = stopped.max_water_cut = 0.0;
  *c = stopped;
}

hp_status hp_ecl_event_add(hp_ecl *e, hp_ecl_well *w, const hp_ecl_record *record, hp_given given) {
  hp_case *c = e->c;
  const int well = (int)(w - e->well);
  hp_well_event event = {.time = e->now,
                         .well = well,
                         .control = w->control,
                         .wanted = w->control.control,
                         .observed = w->by_history,
                         .given = given,
                         .file = record->file,
                         .line = record->line};
  const bool stopped = w->stopped && w->spec.crossflow;
  if (stopped || w->told_stopped) event.given = HP_GIVEN_EVERYTHING;
  w->told_stopped = stopped;
  if (stopped) {
    stop(&event.control);
    event.wanted = event.control.control;
  } else if (!w->open) {
    event.control.control = HP_CONTROL_SHUT;
  } else if (isnan(w->opened)) {
    w->opened = e->now;
    if (e->action == NULL) HP_TRY(hp_ecl_log_opening(e, w));
  }
  /* The last word at a time counts; an action has a line for each. */
  for (int n = c->nevent - 1; e->action == NULL && n >= 0 && c->event[n].time == e->now; --n)
    if (c->event[n].well == well) {
      event.given |= c->event[n].given;
      c->event[n] = event;
      return HP_OK;
    }
  HP_TRY(HP_GROW(c->event, c->nevent, 1));
  c->event[c->nevent++] = event;
  return HP_OK;
}

static void set_status(hp_ecl *e, hp_ecl_well *w, const hp_ecl_record *record, well_status status) {
  if (status == AUTO)
    hp_ecl_note(e, record->file, record->line, "well %s: AUTO is taken as OPEN, as in OPM Flow", w->spec.name);
  if (e->action != NULL && status == STOP) {
    hp_ecl_note(e, record->file, record->line, "STOP is taken as SHUT in an action");
    status = SHUT;
  }
  const bool open = status == OPEN || status == AUTO;
  /* The opening at the same time that is taken back has not happened. */
  if (!open && w->opened == e->now) w->opened = NAN;
  w->open = open;
  w->stopped = status == STOP;
}

hp_status hp_ecl_shut(hp_ecl *e, hp_ecl_well *w, const hp_ecl_record *record) {
  set_status(e, w, record, SHUT);
  return hp_ecl_event_add(e, w, record, HP_GIVEN_STATUS);
}

/* Of a deck with water alone; item: counted from 0. */
static hp_status check_oil(hp_ecl *e, const hp_ecl_record *record, int item, bool asks) {
  if (!asks || !hp_ecl_water_alone(e)) return HP_OK;
  return hp_ecl_error(e, record->file, record->line, "item %d asks for oil, which RUNSPEC does not name", item + 1);
}

/* The target of the control must be given. */
static hp_status check_control(hp_ecl *e, const hp_ecl_well *w, const hp_ecl_record *record, const char *wanted) {
  const hp_well_control *c = &w->control;
  if (isnan(c->limit[c->control]) && c->control != HP_CONTROL_SHUT)
    return hp_ecl_error(e, record->file, record->line, "well %s: control by %s without a target for it", w->spec.name,
                        wanted);
  const bool may_follow = e->entry->handler == hp_ecl_do_welopen; /* by WELTARG, before time goes on */
  if (w->open && c->control == HP_CONTROL_SHUT && !may_follow)
    return hp_ecl_error(e, record->file, record->line, "well %s: an open well needs a control (item %d)", w->spec.name,
                        hp_ecl_control_number(c->injector));
  return HP_OK;
}

/* Where the deck names no control the well is shut and keeps its limits. */
static hp_well_control no_control(bool injector) {
  hp_well_control c = hp_well_control_default(injector);
  c.control = HP_CONTROL_SHUT;
  c.limit[HP_CONTROL_BHP] = NAN;
  return c;
}

/* Settings that only records by history give. */
enum {
  OBSERVED = 1 << HP_WELL_SETTING_history_oil_rate | 1 << HP_WELL_SETTING_history_water_rate |
             1 << HP_WELL_SETTING_history_bhp | 1 << HP_WELL_SETTING_history_thp
};

/* Settings that every record with a control gives. */
enum { LIFTED = 1 << HP_WELL_SETTING_vfp | 1 << HP_WELL_SETTING_lift };

/* The lift table of an item; 0 is none. `c` limits the tubing-head pressure by it, if thp, NULL: none, is > 0. */
static hp_status take_table(hp_ecl *e, const hp_ecl_record *record, int item, const hp_ecl_value *table,
                            const hp_ecl_value *thp, hp_well_control *c) {
  char name[HP_WELL_NAME];
  hp_ecl_lift_name(c->injector, table->i, name);
  c->limit[HP_CONTROL_THP] = thp != NULL && (thp->x > 0.0 || thp->quantity > 0) ? thp->x : NAN;
  c->quantity[HP_CONTROL_THP] = thp != NULL ? (uint16_t)thp->quantity : 0;
  c->vfp = table->i > 0 ? hp_case_lift(e->c, name) : 0;
  if (c->vfp >= 0) return HP_OK;
  c->vfp = 0;
  return hp_ecl_item_error(e, record, item, ": %s has not come yet", name);
}

/* A limit that is a number, or a quantity whose value the run puts in: until then the default of a bottom-hole pressure, 0 of others. */
static void take_limit(hp_well_control *c, hp_control control, const hp_ecl_value *v, double factor) {
  const double start = control == HP_CONTROL_BHP ? hp_well_control_default(c->injector).limit[HP_CONTROL_BHP] : 0.0;
  c->limit[control] = v->quantity > 0 ? start : v->x * factor;
  c->quantity[control] = (uint16_t)v->quantity;
}

static hp_status apply_control(hp_ecl *e, hp_ecl_well *w, const hp_ecl_record *record, const hp_well_control *control,
                               well_status status, const char *wanted, hp_given given) {
  hp_ecl_well trial = *w;
  trial.control = *control;
  hp_well_take_settings(&trial.control, ~0u, &w->control); /* of WEFAC, WECON, WGRUPCON, which hold on */
  trial.control.in_field = control->in_field && !w->apart;
  hp_well_take_settings(&trial.control, OBSERVED | LIFTED, control);
  char why[HP_CASE_WHY];
  hp_case_lift_fault(e->c, &trial.control, why);
  if (why[0] != '\0') return hp_ecl_error(e, record->file, record->line, "well %s: %s", w->spec.name, why);
  trial.open = status == OPEN || status == AUTO;
  HP_TRY(check_control(e, &trial, record, wanted));
  w->control = trial.control;
  w->controlled = true;
  w->of_gas = false;
  w->gas_file = NULL;
  if (given & HP_GIVEN_TYPE) {
    w->by_history = !control->in_field;
    given |= (hp_given)(OBSERVED | LIFTED) << HP_GIVEN_FIRST;
  }
  set_status(e, w, record, status);
  return hp_ecl_event_add(e, w, record, given);
}

static hp_status produce(hp_ecl *e, hp_ecl_well *w, const hp_ecl_record *record) {
  static const hp_control control[] = {
      HP_CONTROL_ORAT, HP_CONTROL_WRAT, HP_CONTROL_LRAT, HP_CONTROL_RESV,
      HP_CONTROL_BHP,  HP_CONTROL_THP,  HP_CONTROL_BHP}; /* GRUP: its limits, and its share */
  static const char *const wanted[] = {"ORAT", "WRAT", "LRAT", "RESV", "BHP", "THP", "GRUP"};
  const hp_ecl_items_wconprod *v = &record->wconprod;
  hp_well_control c = no_control(false);
  if (v->control.given) c.control = control[v->control.choice];
  HP_TRY(check_oil(e, record, HP_ECL_AT(wconprod, control), c.control == HP_CONTROL_ORAT));
  take_limit(&c, HP_CONTROL_ORAT, &v->orat, 1.0);
  take_limit(&c, HP_CONTROL_WRAT, &v->wrat, 1.0);
  take_limit(&c, HP_CONTROL_LRAT, &v->lrat, 1.0);
  take_limit(&c, HP_CONTROL_RESV, &v->resv, 1.0);
  take_limit(&c, HP_CONTROL_BHP, &v->bhp, 1.0);
  HP_TRY(take_table(e, record, HP_ECL_AT(wconprod, lift_table), &v->lift_table, &v->thp, &c));
  c.lift = v->artificial_lift.x;
  return apply_control(e, w, record, &c, (well_status)v->status.choice, wanted[v->control.choice],
                       HP_GIVEN_ALL | HP_GIVEN_OF(in_field));
}

hp_status hp_ecl_do_wconprod(hp_ecl *e, const hp_ecl_record *record) { return hp_ecl_wells_each(e, record, produce); }

_Static_assert(HP_ECL_AT(wconinje, phase) == HP_ECL_AT(wconinjh, phase), "injects_no_gas reads both");

/* *none: the well would inject gas, and is shut: until it has another control what is said of it is passed over. One that is still
 * open is refused where time goes on (hp_ecl_judge_gas_injectors). */
static hp_status injects_no_gas(hp_ecl *e, hp_ecl_well *w, const hp_ecl_record *record, well_status status,
                                bool *none) {
  enum { GAS = 2 };
  *none = record->wconinje.phase.choice == GAS;
  w->gas_file = *none && (status == OPEN || status == AUTO) ? record->file : NULL;
  w->gas_line = record->line;
  if (!*none) return HP_OK;
  if (w->controlled) HP_TRY(hp_ecl_shut(e, w, record));
  if (!w->of_gas)
    hp_ecl_note(e, record->file, record->line,
                "well %s injects gas and is shut: passed over until it has another control", w->spec.name);
  w->controlled = false;
  w->of_gas = true;
  return HP_OK;
}

static hp_status inject(hp_ecl *e, hp_ecl_well *w, const hp_ecl_record *record) {
  static const char *const wanted[] = {"RATE", "RESV", "BHP", "THP", "GRUP"};
  const hp_ecl_items_wconinje *v = &record->wconinje;
  hp_well_control c = no_control(true);
  bool none;
  HP_TRY(injects_no_gas(e, w, record, (well_status)v->status.choice, &none));
  if (none) return HP_OK;
  c.phase = v->phase.choice == 0 ? HP_WATER : HP_OIL;
  HP_TRY(check_oil(e, record, HP_ECL_AT(wconinje, phase), c.phase == HP_OIL));
  const hp_control rate = c.phase == HP_WATER ? HP_CONTROL_WRAT : HP_CONTROL_ORAT;
  const hp_control control[] = {rate, HP_CONTROL_RESV, HP_CONTROL_BHP, HP_CONTROL_THP, HP_CONTROL_BHP};
  if (v->control.given) c.control = control[v->control.choice];
  take_limit(&c, rate, &v->rate, 1.0);
  take_limit(&c, HP_CONTROL_RESV, &v->resv, 1.0);
  take_limit(&c, HP_CONTROL_BHP, &v->bhp, 1.0);
  HP_TRY(take_table(e, record, HP_ECL_AT(wconinje, lift_table), &v->lift_table, &v->thp, &c));
  return apply_control(e, w, record, &c, (well_status)v->status.choice, wanted[v->control.choice],
                       HP_GIVEN_ALL | HP_GIVEN_OF(in_field));
}

hp_status hp_ecl_do_wconinje(hp_ecl *e, const hp_ecl_record *record) { return hp_ecl_wells_each(e, record, inject); }

static hp_status needs_control(hp_ecl *e, const hp_ecl_well *w, const hp_ecl_record *record) {
  if (w->control_faulty) return HP_ERR_DECK; /* reported */
  return w->controlled ? HP_OK
                       : hp_ecl_error(e, record->file, record->line, "well %s has no control yet (WCONPROD, WCONINJE)",
                                      w->spec.name);
}

static hp_status open_or_shut(hp_ecl *e, hp_ecl_well *w, const hp_ecl_record *record) {
  const hp_ecl_items_welopen *v = &record->welopen;
  const well_status status = (well_status)v->status.choice;
  if (v->i.given || v->j.given || v->k.given || v->first_completion.given || v->last_completion.given)
    return hp_ecl_connections_open(e, w, record, status == OPEN || status == AUTO);
  if (status == SHUT || status == STOP) w->gas_file = NULL;
  if (e->action == NULL && !w->controlled && (status == SHUT || status == STOP)) return HP_OK; /* it is shut */
  if (w->of_gas)
    return hp_ecl_error(e, record->file, record->line,
                        "this opens well %s, which injects gas (WCONINJE): hepta simulates oil and water only",
                        w->spec.name);
  if (e->action == NULL) HP_TRY(needs_control(e, w, record)); /* it may have one when the action runs */
  const hp_well_control same = w->control;
  return apply_control(e, w, record, &same, status, "its mode", HP_GIVEN_STATUS);
}

hp_status hp_ecl_do_welopen(hp_ecl *e, const hp_ecl_record *record) {
  return hp_ecl_wells_each(e, record, open_or_shut);
}

/* WELTARG: another table, or another number of artificial lift. */
static hp_status change_lift(hp_ecl *e, hp_ecl_well *w, const hp_ecl_record *record, bool table) {
  const double value = record->weltarg.value.x;
  hp_well_control c = w->control;
  char name[HP_WELL_NAME];
  if (e->entry->handler == hp_ecl_do_welcntl)
    return hp_ecl_item_error(e, record, HP_ECL_AT(weltarg, quantity), ": VFP and LIFT are no controls: give WELTARG");
  hp_ecl_lift_name(c.injector, (int64_t)value, name);
  if (!table) c.lift = value;
  else c.vfp = value == 0.0 ? 0 : hp_case_lift(e->c, name);
  if (table && (c.vfp < 0 || value != floor(value)))
    return hp_ecl_item_error(e, record, HP_ECL_AT(weltarg, value), ": %g: there is no such table yet", value);
  return apply_control(e, w, record, &c,
                       w->open      ? OPEN
                       : w->stopped ? STOP
                                    : SHUT,
                       "its mode", table ? HP_GIVEN_OF(vfp) : HP_GIVEN_OF(lift));
}

/* A new target or limit. WELTARG leaves the control as it is, if there is one, WELCNTL sets it. */
static hp_status retarget(hp_ecl *e, hp_ecl_well *w, const hp_ecl_record *record) {
  static const hp_control control[] = {HP_CONTROL_ORAT, HP_CONTROL_WRAT, HP_CONTROL_LRAT,
                                       HP_CONTROL_RESV, HP_CONTROL_BHP,  HP_CONTROL_THP};
  static const hp_quantity quantity[] = {HP_UNIT_RATE,           HP_UNIT_RATE,     HP_UNIT_RATE,
                                         HP_UNIT_RESERVOIR_RATE, HP_UNIT_PRESSURE, HP_UNIT_PRESSURE};
  enum { GRAT = 6, RATE, VFP, LIFT }; /* behind the controls in the item's choices */
  if (w->of_gas) return HP_OK;
  HP_TRY(needs_control(e, w, record));
  const int n = record->weltarg.quantity.choice;
  if (n == RATE)
    return hp_ecl_item_error(e, record, HP_ECL_AT(weltarg, quantity),
                             ": RATE: well %s has ORAT and WRAT: give %s for the rate of %s", w->spec.name,
                             w->control.injector && w->control.phase == HP_OIL ? "ORAT" : "WRAT",
                             w->control.injector && w->control.phase == HP_OIL ? "oil" : "water");
  if (n == VFP || n == LIFT) return change_lift(e, w, record, n == VFP);
  if (n == GRAT && e->entry->handler == hp_ecl_do_weltarg) return HP_OK; /* a limit that no gas comes near */
  if (n == GRAT) return hp_ecl_item_error(e, record, HP_ECL_AT(weltarg, quantity), ": GRAT: there is no gas");
  HP_TRY(check_oil(e, record, HP_ECL_AT(weltarg, quantity),
                   control[n] == HP_CONTROL_ORAT && e->entry->handler == hp_ecl_do_welcntl));
  const bool other_phase = (control[n] == HP_CONTROL_ORAT && w->control.phase != HP_OIL) ||
                           (control[n] == HP_CONTROL_WRAT && w->control.phase != HP_WATER) ||
                           control[n] == HP_CONTROL_LRAT;
  if (w->control.injector && other_phase)
    return hp_ecl_error(e, record->file, record->line, "well %s injects %s: it has no such rate", w->spec.name,
                        w->control.phase == HP_WATER ? "water" : "oil");
  hp_well_control c = w->control;
  take_limit(&c, control[n], &record->weltarg.value, e->units.factor[quantity[n]]);
  hp_given given = 1u << control[n];
  if (control[n] == HP_CONTROL_RESV) c.by_history = false;
  if (e->entry->handler == hp_ecl_do_welcntl || c.control == HP_CONTROL_SHUT) {
    c.control = control[n];
    given |= HP_GIVEN_CONTROL;
  }
  return apply_control(e, w, record, &c, w->open ? OPEN : w->stopped ? STOP : SHUT, "its mode", given);
}

hp_status hp_ecl_do_weltarg(hp_ecl *e, const hp_ecl_record *record) { return hp_ecl_wells_each(e, record, retarget); }
hp_status hp_ecl_do_welcntl(hp_ecl *e, const hp_ecl_record *record) { return hp_ecl_wells_each(e, record, retarget); }

/* wells by history */

/* The bhp limit of a well that goes on by rates of history: what WELTARG has made of it holds on. */
static double history_bhp(const hp_ecl_well *w, bool injector) {
  const hp_well_control *c = &w->control;
  const bool goes_on = w->controlled && w->by_history && c->injector == injector && c->control != HP_CONTROL_BHP;
  return goes_on ? c->limit[HP_CONTROL_BHP] : hp_well_control_default(injector).limit[HP_CONTROL_BHP];
}

/* The target alone limits a well by history, beside the bhp. */
static hp_status produced(hp_ecl *e, hp_ecl_well *w, const hp_ecl_record *record) {
  static const hp_control control[] = {HP_CONTROL_ORAT, HP_CONTROL_WRAT, HP_CONTROL_LRAT, HP_CONTROL_RESV,
                                       HP_CONTROL_BHP};
  static const char *const wanted[] = {"ORAT", "WRAT", "LRAT", "RESV", "BHP"};
  const hp_ecl_items_wconhist *v = &record->wconhist;
  const double oil = v->orat.given ? v->orat.x : 0.0, water = v->wrat.given ? v->wrat.x : 0.0;
  const int mode = e->history >= 0 ? e->history : v->control.choice;
  hp_well_control c = no_control(false);
  if (v->control.given || e->history >= 0) c.control = control[mode];
  HP_TRY(check_oil(e, record, HP_ECL_AT(wconhist, control), c.control == HP_CONTROL_ORAT));
  if (e->gas && c.control == HP_CONTROL_RESV && v->grat.x > 0.0)
    return hp_ecl_item_error(e, record, HP_ECL_AT(wconhist, grat),
                             ": its reservoir volume is part of RESV, and hepta simulates oil and water only");
  if (c.control == HP_CONTROL_ORAT) c.limit[HP_CONTROL_ORAT] = oil;
  if (c.control == HP_CONTROL_WRAT) c.limit[HP_CONTROL_WRAT] = water;
  if (c.control == HP_CONTROL_LRAT) c.limit[HP_CONTROL_LRAT] = oil + water;
  c.by_history = c.control == HP_CONTROL_RESV;
  if (c.by_history) c.limit[HP_CONTROL_RESV] = oil + water; /* until the volume factors of the first step are known */
  c.in_field = false;
  c.history_oil_rate = oil;
  c.history_water_rate = water;
  c.history_bhp = v->bhp.given ? v->bhp.x : 0.0;
  c.history_thp = v->thp.x;
  c.limit[HP_CONTROL_BHP] = c.control == HP_CONTROL_BHP ? v->bhp.x : history_bhp(w, false);
  HP_TRY(take_table(e, record, HP_ECL_AT(wconhist, lift_table), &v->lift_table, NULL, &c));
  c.lift = v->artificial_lift.x;
  return apply_control(e, w, record, &c, (well_status)v->status.choice, wanted[mode],
                       HP_GIVEN_ALL | HP_GIVEN_OF(in_field));
}

hp_status hp_ecl_do_wconhist(hp_ecl *e, const hp_ecl_record *record) { return hp_ecl_wells_each(e, record, produced); }

static hp_status injected(hp_ecl *e, hp_ecl_well *w, const hp_ecl_record *record) {
  const hp_ecl_items_wconinjh *v = &record->wconinjh;
  const bool by_bhp = v->control.choice == 1;
  hp_well_control c = no_control(true);
  bool none;
  HP_TRY(injects_no_gas(e, w, record, (well_status)v->status.choice, &none));
  if (none) return HP_OK;
  c.phase = v->phase.choice == 0 ? HP_WATER : HP_OIL;
  HP_TRY(check_oil(e, record, HP_ECL_AT(wconinjh, phase), c.phase == HP_OIL));
  const hp_control rate = c.phase == HP_WATER ? HP_CONTROL_WRAT : HP_CONTROL_ORAT;
  c.in_field = false;
  c.control = by_bhp ? HP_CONTROL_BHP : rate;
  const double injected_rate = v->rate.given ? v->rate.x : 0.0;
  if (!by_bhp) c.limit[rate] = injected_rate;
  *(c.phase == HP_WATER ? &c.history_water_rate : &c.history_oil_rate) = injected_rate;
  const bool went_on = w->controlled && w->by_history && w->control.injector;
  c.history_bhp = v->bhp.given ? v->bhp.x : went_on ? w->control.history_bhp : 0.0;
  c.history_thp = v->thp.x;
  c.limit[HP_CONTROL_BHP] = !by_bhp ? history_bhp(w, true) : c.history_bhp > 0.0 ? c.history_bhp : NAN;
  HP_TRY(take_table(e, record, HP_ECL_AT(wconinjh, lift_table), &v->lift_table, NULL, &c));
  return apply_control(e, w, record, &c, (well_status)v->status.choice, by_bhp ? "BHP" : "RATE",
                       HP_GIVEN_ALL | HP_GIVEN_OF(in_field));
}

hp_status hp_ecl_do_wconinjh(hp_ecl *e, const hp_ecl_record *record) { return hp_ecl_wells_each(e, record, injected); }

hp_status hp_ecl_do_whistctl(hp_ecl *e, const hp_ecl_record *record) {
  enum { NONE = 5 }; /* behind the controls in the item's choices */
  e->history = record->whistctl.control.choice == NONE ? -1 : record->whistctl.control.choice;
  return HP_OK;
}

/* what holds beside the control */

/* A well without a control yet keeps it for the one it gets. */
static hp_status hold(hp_ecl *e, hp_ecl_well *w, const hp_ecl_record *record, hp_given given) {
  return w->controlled || e->action != NULL ? hp_ecl_event_add(e, w, record, given) : HP_OK;
}

static hp_status set_efficiency(hp_ecl *e, hp_ecl_well *w, const hp_ecl_record *record) {
  w->control.efficiency = record->wefac.efficiency.x;
  return hold(e, w, record, HP_GIVEN_OF(efficiency));
}

hp_status hp_ecl_do_wefac(hp_ecl *e, const hp_ecl_record *record) {
  if (record->wefac.efficiency.x > 1.0)
    return hp_ecl_item_error(e, record, HP_ECL_AT(wefac, efficiency), ": %g: must be <= 1", record->wefac.efficiency.x);
  return hp_ecl_wells_each(e, record, set_efficiency);
}

/* The smaller water cut of WECON and WCUTBACK counts. */
static hp_status put_economy(hp_ecl *e, hp_ecl_well *w, const hp_ecl_record *record) {
  hp_well_control *c = &w->control;
  c->max_water_cut = w->max_water_cut;
  c->workover = w->workover;
  if (w->cutback > 0.0 &&
      (!(c->max_water_cut > 0.0) || c->workover == HP_WORKOVER_NONE || w->cutback <= c->max_water_cut)) {
    c->max_water_cut = w->cutback;
    c->workover = HP_WORKOVER_STOP;
  }
  return hold(e, w, record,
              HP_GIVEN_OF(min_oil_rate) | HP_GIVEN_OF(min_liquid_rate) | HP_GIVEN_OF(max_water_cut) |
                  HP_GIVEN_OF(workover) | HP_GIVEN_OF(end_run));
}

static hp_status set_cutback(hp_ecl *e, hp_ecl_well *w, const hp_ecl_record *record) {
  w->cutback = record->wcutback.max_water_cut.x < 1.0 ? record->wcutback.max_water_cut.x : 0.0;
  return put_economy(e, w, record);
}

hp_status hp_ecl_do_wcutback(hp_ecl *e, const hp_ecl_record *record) {
  if (record->wcutback.max_water_cut.given && record->wcutback.max_water_cut.x < 1.0)
    hp_ecl_note(e, record->file, record->line,
                "rates are not cut back: the run stops where a well's water cut is above %g",
                record->wcutback.max_water_cut.x);
  return hp_ecl_wells_each(e, record, set_cutback);
}

static hp_status set_economy(hp_ecl *e, hp_ecl_well *w, const hp_ecl_record *record) {
  static const hp_workover workover[] = {HP_WORKOVER_NONE, HP_WORKOVER_CONNECTION, HP_WORKOVER_BELOW, HP_WORKOVER_WELL};
  const hp_ecl_items_wecon *v = &record->wecon;
  w->control.min_oil_rate = v->min_oil_rate.x;
  w->control.min_liquid_rate = v->min_liquid_rate.x;
  w->control.end_run = v->end_run.choice == 1;
  w->max_water_cut = v->max_water_cut.x;
  w->workover = workover[v->workover.choice];
  return put_economy(e, w, record);
}

hp_status hp_ecl_do_wecon(hp_ecl *e, const hp_ecl_record *record) {
  if (record->wecon.max_water_cut.x > 1.0)
    return hp_ecl_item_error(e, record, HP_ECL_AT(wecon, max_water_cut), ": %g: must be <= 1",
                             record->wecon.max_water_cut.x);
  HP_TRY(check_oil(e, record, HP_ECL_AT(wecon, min_oil_rate), record->wecon.min_oil_rate.x > 0.0));
  const hp_ecl_token *next = &record->wecon.follow_on.text;
  if (record->wecon.follow_on.given && !hp_ecl_equals(next, "0"))
    return hp_ecl_item_error(e, record, HP_ECL_AT(wecon, follow_on), ": %s: follow-on wells are not supported",
                             hp_ecl_show(&e->lexer, next, "'").s);
  return hp_ecl_wells_each(e, record, set_economy);
}

/* Whether WTEST's item 3 has the letter, or the same small. */
static bool gives_reason(const hp_ecl_token *reasons, char letter) {
  for (int n = 0; n < reasons->length; ++n)
    if (toupper((unsigned char)reasons->text[n]) == letter) return true;
  return false;
}

/* P: wells that cannot flow at their tubing-head pressure; those that cannot at their bhp wait and open by themselves. Nothing shuts
 * wells by their group (G) or tubing-head pressures of networks (D). */
static hp_status set_test(hp_ecl *e, hp_ecl_well *w, const hp_ecl_record *record) {
  const hp_ecl_items_wtest *v = &record->wtest;
  const hp_ecl_token *reasons = &v->reasons.text;
  const bool economic = v->reasons.given && gives_reason(reasons, 'E');
  const bool physical = v->reasons.given && gives_reason(reasons, 'P');
  w->control.test_interval = economic || physical ? fmax(v->interval.x, 1.0) : 0.0;
  w->control.max_tests = economic || physical ? (double)v->tests.i : 0.0;
  w->control.tests_of = !physical ? HP_TESTS_ECONOMY : economic ? HP_TESTS_BOTH : HP_TESTS_LIFT;
  return hold(e, w, record, HP_GIVEN_OF(test_interval) | HP_GIVEN_OF(max_tests) | HP_GIVEN_OF(tests_of));
}

hp_status hp_ecl_do_wtest(hp_ecl *e, const hp_ecl_record *record) {
  const hp_ecl_items_wtest *v = &record->wtest;
  const hp_ecl_token *reasons = &v->reasons.text;
  for (int n = 0; v->reasons.given && n < reasons->length; ++n)
    if (strchr("PEGDC", toupper((unsigned char)reasons->text[n])) == NULL)
      return hp_ecl_item_error(e, record, HP_ECL_AT(wtest, reasons), ": %s: letters of PEGDC",
                               hp_ecl_show(&e->lexer, reasons, "'").s);
  if (v->reasons.given && reasons->length > 0 && !v->interval.given)
    return hp_ecl_item_error(e, record, HP_ECL_AT(wtest, interval), ": missing");
  if (v->reasons.given && gives_reason(reasons, 'C'))
    hp_ecl_note(e, record->file, record->line,
                "connections that WECON has shut are tested with their well, once that is shut as well (E), not alone");
  return hp_ecl_wells_each(e, record, set_test);
}
