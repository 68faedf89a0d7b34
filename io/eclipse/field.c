/* Targets of all wells together: GCONPROD and GCONINJE of FIELD, and WGRUPCON. */
#include <math.h>

#include "core/memory.h"
#include "io/eclipse/impl.h"

/* *none: a group below the field, which is asked for nothing. */
static hp_status check_group(hp_ecl *e, const hp_ecl_record *record, bool asks, bool *none) {
  const hp_ecl_token *t = &record->v[0].text;
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

typedef enum { NONE, RATE } procedure; /* the order of the items' choices; those behind are not supported */

/* A limit that is not the target holds if its procedure says so. */
static hp_status read_limit(hp_ecl *e, const hp_ecl_record *record, int item, bool is_target, int by, double *limit) {
  static const char *const name[] = {"NONE", "RATE", "CON", "+CON", "WELL", "PLUG"};
  const hp_ecl_value *v = record->v;
  const int choice = by >= 0 && v[by].given ? v[by].choice : v[6].choice;
  *limit = NAN;
  if (is_target && !v[item].given)
    return hp_ecl_error(e, record->file, record->line, "control without a target for it (item %d)", item + 1);
  if (!v[item].given) return HP_OK;
  if (!is_target && choice > RATE)
    return hp_ecl_error(e, record->file, record->line, "item %d (%s): '%s' is not supported, only NONE|RATE",
                        by >= 0 && v[by].given ? by + 1 : 7, "procedure at a limit", name[choice]);
  if (is_target || choice == RATE) *limit = v[item].x;
  return HP_OK;
}

hp_status hp_ecl_do_gconprod(hp_ecl *e, const hp_ecl_record *record) {
  enum { ORAT = 1, WRAT, LRAT, RESV }; /* in item 2 */
  const hp_ecl_value *v = record->v;
  const int control = v[1].choice;
  double *to = e->field.production;
  bool asks = control > 0, none;
  for (int n = 6; n <= 12; n += n == 6 ? 4 : 2) asks = asks || (v[n].given && v[n].choice > NONE);
  HP_TRY(check_group(e, record, asks, &none));
  if (none) return HP_OK;
  if (control == ORAT && hp_ecl_water_alone(e))
    return hp_ecl_error(e, record->file, record->line, "item 2 asks for oil, which RUNSPEC does not name");
  HP_TRY(read_limit(e, record, 2, control == ORAT, -1, &to[HP_CONTROL_ORAT]));
  HP_TRY(read_limit(e, record, 3, control == WRAT, 10, &to[HP_CONTROL_WRAT]));
  HP_TRY(read_limit(e, record, 5, control == LRAT, 12, &to[HP_CONTROL_LRAT]));
  HP_TRY(read_limit(e, record, 13, control == RESV, -1, &to[HP_CONTROL_RESV]));
  return add_event(e, record);
}

/* Of injection every number that is given is an upper limit. */
hp_status hp_ecl_do_gconinje(hp_ecl *e, const hp_ecl_record *record) {
  const hp_ecl_value *v = record->v;
  const int control = v[2].choice; /* 0: none, then items 4 to 7 */
  bool none;
  HP_TRY(check_group(e, record, control > 0 || v[3].given || v[4].given || v[5].given || v[6].given, &none));
  if (none) return HP_OK;
  if (control > 0 && !v[2 + control].given)
    return hp_ecl_error(e, record->file, record->line, "control without a target for it (item %d)", 3 + control);
  e->field.injection_rate = v[3].x;
  e->field.injection_volume = v[4].x;
  e->field.reinjection = v[5].x;
  e->field.voidage = v[6].x;
  return add_event(e, record);
}

static hp_status set_guide(hp_ecl *e, hp_ecl_well *w, const hp_ecl_record *record) {
  static const hp_guide by[] = {HP_GUIDE_OIL, HP_GUIDE_WATER, HP_GUIDE_LIQUID, HP_GUIDE_RESERVOIR, HP_GUIDE_SHARED};
  const hp_ecl_value *v = record->v;
  w->apart = v[1].choice == 1;
  w->control.in_field = !w->apart && !w->by_history;
  w->control.guide_rate = v[2].given && v[2].x > 0.0 ? v[2].x * v[4].x : 0.0;
  w->control.guide_by = v[3].given ? by[v[3].choice] : HP_GUIDE_SHARED;
  const unsigned given = HP_GIVEN_OF(in_field) | HP_GIVEN_OF(guide_rate) | HP_GIVEN_OF(guide_by);
  return w->controlled ? hp_ecl_event_add(e, w, record, given) : HP_OK;
}

hp_status hp_ecl_do_wgrupcon(hp_ecl *e, const hp_ecl_record *record) {
  const hp_ecl_value *v = record->v;
  if (v[4].given && v[4].x != 1.0 && !(v[2].x > 0.0))
    return hp_ecl_error(e, record->file, record->line, "item 5 (scaling factor) needs a guide rate (item 3)");
  return hp_ecl_wells_each(e, record, set_guide);
}
