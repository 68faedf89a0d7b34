#include <math.h>

#include "io/export/eclipse/impl.h"
#include "wells/group.h"

/* The control of the event's group before it. */
static hp_group_control before(const hp_case *c, int event) {
  const hp_group_control *found = hp_case_group_control(c, event, c->group_event[event].group);
  return found != NULL ? *found : hp_group_nothing();
}

static bool differ(double a, double b) { return a != b && !(isnan(a) && isnan(b)); }

static bool production_differs(const hp_group_control *a, const hp_group_control *b) {
  bool any = a->in_production != b->in_production;
  for (int n = HP_CONTROL_ORAT; n < HP_CONTROL_COUNT; ++n) any = any || differ(a->production[n], b->production[n]);
  return any;
}

static bool injection_differs(const hp_group_control *a, const hp_group_control *b) {
  return a->in_injection != b->in_injection || differ(a->injection_rate, b->injection_rate) ||
         differ(a->injection_volume, b->injection_volume) || differ(a->reinjection, b->reinjection) ||
         differ(a->voidage, b->voidage);
}

/* The first target is the control, the others are limits; all hold. */
static void production(hp_deck_out *o, const char *name, bool field, const hp_group_control *k) {
  static const char *const mode[HP_CONTROL_COUNT] = {
      [HP_CONTROL_ORAT] = "ORAT", [HP_CONTROL_WRAT] = "WRAT", [HP_CONTROL_LRAT] = "LRAT", [HP_CONTROL_RESV] = "RESV"};
  int first = HP_CONTROL_ORAT;
  while (first < HP_CONTROL_COUNT && isnan(k->production[first])) ++first;
  fputs("GCONPROD\n", o->f);
  hp_out_name(o, name);
  fprintf(o->f, " %s", first < HP_CONTROL_COUNT ? mode[first] : "NONE");
  hp_out_number(o, HP_UNIT_RATE, k->production[HP_CONTROL_ORAT]);
  hp_out_number(o, HP_UNIT_RATE, k->production[HP_CONTROL_WRAT]);
  fputs(" 1*", o->f);
  hp_out_number(o, HP_UNIT_RATE, k->production[HP_CONTROL_LRAT]);
  fprintf(o->f, " RATE %s 2* RATE 1* RATE", field ? "1*" : k->in_production ? "YES" : "NO");
  hp_out_number(o, HP_UNIT_RESERVOIR_RATE, k->production[HP_CONTROL_RESV]);
  fputs(" /\n/\n", o->f);
}

static void injection(hp_deck_out *o, const char *name, bool field, const hp_group_control *k) {
  const char *mode = !isnan(k->injection_rate)     ? "RATE"
                     : !isnan(k->injection_volume) ? "RESV"
                     : !isnan(k->reinjection)      ? "REIN"
                     : !isnan(k->voidage)          ? "VREP"
                                                   : "NONE";
  fputs("GCONINJE\n", o->f);
  hp_out_name(o, name);
  fprintf(o->f, " WATER %s", mode);
  hp_out_number(o, HP_UNIT_RATE, k->injection_rate);
  hp_out_number(o, HP_UNIT_RESERVOIR_RATE, k->injection_volume);
  hp_out_number(o, HP_UNIT_NONE, k->reinjection);
  hp_out_number(o, HP_UNIT_NONE, k->voidage);
  fprintf(o->f, " %s /\n/\n", field ? "1*" : k->in_injection ? "YES" : "NO");
}

static void limits(hp_deck_out *o, const char *name, const hp_group_control *k) {
  static const char *const workover[] = {"NONE", "CON", "+CON", "WELL", "ALL"};
  fputs("GECON\n", o->f);
  hp_out_name(o, name);
  hp_out_number(o, HP_UNIT_RATE, k->min_oil_rate);
  fputs(" 1*", o->f);
  hp_out_number(o, HP_UNIT_NONE, k->max_water_cut);
  fprintf(o->f, " 2* %s %s /\n/\n", workover[k->workover], k->end_run ? "YES" : "NO");
}

static bool limits_differ(const hp_group_control *a, const hp_group_control *b) {
  return a->min_oil_rate != b->min_oil_rate || a->max_water_cut != b->max_water_cut || a->workover != b->workover ||
         a->end_run != b->end_run;
}

void hp_out_group_event(hp_deck_out *o, int event) {
  const hp_group_event *v = &o->c->group_event[event];
  const hp_group_control *k = &v->control, was = before(o->c, event);
  const char *name = hp_case_group_name(o->c, v->group);
  const bool known = hp_case_group_control(o->c, event, v->group) != NULL;
  if (v->group > 0 && (!known || k->parent != was.parent))
    fprintf(o->f, "GRUPTREE\n '%s' '%s' /\n/\n", name, hp_case_group_name(o->c, k->parent));
  if (v->group > 0 && k->efficiency != was.efficiency) {
    fprintf(o->f, "GEFAC\n '%s'", name);
    hp_out_number(o, HP_UNIT_NONE, k->efficiency);
    fputs(" /\n/\n", o->f);
  }
  if (production_differs(k, &was)) production(o, name, v->group == 0, k);
  if (injection_differs(k, &was)) injection(o, name, v->group == 0, k);
  if (limits_differ(k, &was)) limits(o, name, k);
}
