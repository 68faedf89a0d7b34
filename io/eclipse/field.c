/* Targets of all wells together: GCONPROD and GCONINJE of FIELD, and WGRUPCON. */
#include <math.h>

#include "core/memory.h"
#include "io/eclipse/impl.h"

_Static_assert(HP_ECL_AT(gconprod, group) == HP_ECL_AT(gconinje, group), "check_group reads both");

/* *none: a group below the field, which is asked for nothing. */
static hp_status check_group(hp_ecl *e, const hp_ecl_record *record, bool asks, bool *none) {
  const hp_ecl_token *t = &record->gconprod.group.text;
  *none = false;
  if (hp_ecl_equals(t, "FIELD")) return HP_OK;
  HP_TRY(hp_ecl_check_name(e, t));
  *none = !asks;
  if (*none) return HP_OK;
  return hp_ecl_error(e, t->file, t->line, "'%.*s': groups below FIELD have no targets of their own",
                      t->length > 60 ? 60 : t->length, t->text);
}

/* The whole of what is asked is an event; the last word at a time counts. */
static hp_status add_event(hp_ecl *e, const hp_ecl_record *record) {
  hp_case *c = e->c;
  const hp_field_event event = {.time = e->now, .control = e->field, .file = record->file, .line = record->line};
  if (c->nfield > 0 && c->field[c->nfield - 1].time == e->now) {
    c->field[c->nfield - 1] = event;
    return HP_OK;
  }
  HP_TRY(HP_ECL_GROW(c->field, c->nfield, e->field_capacity));
  c->field[c->nfield++] = event;
  return HP_OK;
}

enum { NONE, RATE }; /* of procedures: the order of the items' choices; those behind are not supported */

/* A limit that is not the target holds if its procedure says so: `by`, or that for all where it is left out. */
static hp_status read_limit(hp_ecl *e, const hp_ecl_record *record, int item, bool is_target, int by, double *limit) {
  static const char *const name[] = {"NONE", "RATE", "CON", "+CON", "WELL", "PLUG"};
  enum { ALL = HP_ECL_AT(gconprod, procedure) };
  const hp_ecl_value *v = record->v;
  const int procedure = v[by].given ? by : ALL, choice = v[procedure].choice;
  *limit = NAN;
  if (is_target && !v[item].given)
    return hp_ecl_error(e, record->file, record->line, "control without a target for it (item %d)", item + 1);
  if (!v[item].given) return HP_OK;
  if (!is_target && choice > RATE)
    return hp_ecl_error(e, record->file, record->line, "item %d (%s): '%s' is not supported, only NONE|RATE",
                        procedure + 1, e->entry->item[ALL].name, name[choice]);
  if (is_target || choice == RATE) *limit = v[item].x;
  return HP_OK;
}

static bool asks_for(const hp_ecl_value *procedure) { return procedure->given && procedure->choice > NONE; }

hp_status hp_ecl_do_gconprod(hp_ecl *e, const hp_ecl_record *record) {
  enum { ORAT = 1, WRAT, LRAT, RESV }; /* in the choices of the control */
  enum { ALL = HP_ECL_AT(gconprod, procedure) };
  const hp_ecl_items_gconprod *v = &record->gconprod;
  const int control = v->control.choice;
  double *to = e->field.production;
  const bool asks = control > 0 || asks_for(&v->procedure) || asks_for(&v->wrat_procedure) ||
                    asks_for(&v->lrat_procedure);
  bool none;
  HP_TRY(check_group(e, record, asks, &none));
  if (none) return HP_OK;
  if (control == ORAT && hp_ecl_water_alone(e))
    return hp_ecl_error(e, record->file, record->line, "item %d asks for oil, which RUNSPEC does not name",
                        HP_ECL_NUMBER(gconprod, control));
#define LIMIT(item, is_target, by, to) HP_TRY(read_limit(e, record, HP_ECL_AT(gconprod, item), is_target, by, to))
  LIMIT(orat, control == ORAT, ALL, &to[HP_CONTROL_ORAT]);
  LIMIT(wrat, control == WRAT, HP_ECL_AT(gconprod, wrat_procedure), &to[HP_CONTROL_WRAT]);
  LIMIT(lrat, control == LRAT, HP_ECL_AT(gconprod, lrat_procedure), &to[HP_CONTROL_LRAT]);
  LIMIT(resv, control == RESV, ALL, &to[HP_CONTROL_RESV]);
#undef LIMIT
  return add_event(e, record);
}

/* Of injection every number that is given is an upper limit; they stand in the order of the control's choices. */
_Static_assert(HP_ECL_AT(gconinje, voidage) == HP_ECL_AT(gconinje, rate) + 3 &&
                   HP_ECL_AT(gconinje, resv) == HP_ECL_AT(gconinje, rate) + 1,
               "RATE, RESV, REIN, VREP");
hp_status hp_ecl_do_gconinje(hp_ecl *e, const hp_ecl_record *record) {
  const hp_ecl_items_gconinje *v = &record->gconinje;
  const int control = v->control.choice; /* 0: none, then the rate and the items behind it */
  const int target = HP_ECL_AT(gconinje, rate) + control - 1;
  bool none;
  HP_TRY(check_group(e, record,
                     control > 0 || v->rate.given || v->resv.given || v->reinjection.given || v->voidage.given, &none));
  if (none) return HP_OK;
  if (control > 0 && !record->v[target].given)
    return hp_ecl_error(e, record->file, record->line, "control without a target for it (item %d)", target + 1);
  e->field.injection_rate = v->rate.x;
  e->field.injection_volume = v->resv.x;
  e->field.reinjection = v->reinjection.x;
  e->field.voidage = v->voidage.x;
  return add_event(e, record);
}

static hp_status set_guide(hp_ecl *e, hp_ecl_well *w, const hp_ecl_record *record) {
  static const hp_guide by[] = {HP_GUIDE_OIL, HP_GUIDE_WATER, HP_GUIDE_LIQUID, HP_GUIDE_RESERVOIR, HP_GUIDE_SHARED};
  const hp_ecl_items_wgrupcon *v = &record->wgrupcon;
  w->apart = v->takes_part.choice == 1;
  w->control.in_field = !w->apart && !w->by_history;
  w->control.guide_rate = v->guide_rate.given && v->guide_rate.x > 0.0 ? v->guide_rate.x * v->scale.x : 0.0;
  w->control.guide_by = v->guide_by.given ? by[v->guide_by.choice] : HP_GUIDE_SHARED;
  const unsigned given = HP_GIVEN_OF(in_field) | HP_GIVEN_OF(guide_rate) | HP_GIVEN_OF(guide_by);
  return w->controlled ? hp_ecl_event_add(e, w, record, given) : HP_OK;
}

hp_status hp_ecl_do_wgrupcon(hp_ecl *e, const hp_ecl_record *record) {
  const hp_ecl_items_wgrupcon *v = &record->wgrupcon;
  if (v->scale.given && v->scale.x != 1.0 && !(v->guide_rate.x > 0.0))
    return hp_ecl_item_error(e, record, HP_ECL_AT(wgrupcon, scale), " needs a guide rate (item %d)",
                             HP_ECL_NUMBER(wgrupcon, guide_rate));
  return hp_ecl_wells_each(e, record, set_guide);
}
