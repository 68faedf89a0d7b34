/* Groups and their targets: GRUPTREE, GEFAC, GCONPROD, GCONINJE, WGRUPCON, and the groups of WELSPECS. */
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "io/eclipse/impl.h"
#include "wells/group.h"

/* All that come here name groups in item 1. */
_Static_assert(HP_ECL_AT(gconprod, group) == HP_ECL_AT(gconinje, group) &&
                   HP_ECL_AT(gconprod, group) == HP_ECL_AT(gefac, group) &&
                   HP_ECL_AT(gconprod, group) == HP_ECL_AT(gecon, group),
               "groups_each reads them");

/* The targets of group g, and its place, as of now. */
static hp_group_control control_of(const hp_ecl *e, int g) {
  const hp_group_control *now = hp_case_group_control(e->c, e->c->ngroup_event, g);
  return now != NULL ? *now : hp_group_nothing();
}

/* The last word at a time counts. */
static hp_status add_event(hp_ecl *e, int g, const hp_group_control *control, const hp_ecl_record *record) {
  hp_case *c = e->c;
  const hp_group_event event = {e->now, g, *control, record->file, record->line};
  for (int n = c->ngroup_event - 1; n >= 0 && c->group_event[n].time == e->now; --n)
    if (c->group_event[n].group == g) {
      c->group_event[n] = event;
      return HP_OK;
    }
  HP_TRY(HP_GROW(c->group_event, c->ngroup_event, 1));
  c->group_event[c->ngroup_event++] = event;
  return HP_OK;
}

/* The number of a group, which is there from now on. */
static hp_status find_group(hp_ecl *e, const hp_ecl_token *t, const hp_ecl_record *record, int *g) {
  const hp_group_control nothing = hp_group_nothing();
  char name[HP_WELL_NAME];
  HP_TRY(hp_ecl_check_name(e, t));
  if (t->length >= HP_WELL_NAME || t->length == 0)
    return hp_ecl_error(e, t->file, t->line, "%s: a group's name must have 1 to %d characters",
                        hp_ecl_show(&e->lexer, t, "'").s, HP_WELL_NAME - 1);
  hp_ecl_copy(t, name, sizeof name);
  if (strpbrk(name, "*?") != NULL)
    return hp_ecl_error(e, t->file, t->line, "'%s': a group's name must not contain '*' or '?'", name);
  *g = hp_ecl_equals(t, "FIELD") ? 0 : hp_case_group(e->c, name);
  if (*g >= 0) return HP_OK;
  HP_TRY(hp_case_group_add(e->c, name, g));
  return add_event(e, *g, &nothing, record);
}

/* Visits the groups that item 1 names. */
static hp_status groups_each(hp_ecl *e, const hp_ecl_record *record,
                             hp_status (*visit)(hp_ecl *e, int g, const hp_ecl_record *record)) {
  const hp_ecl_token *t = &record->gconprod.group.text;
  char name[256];
  int found = 0;
  HP_TRY(hp_ecl_check_name(e, t));
  hp_ecl_copy(t, name, sizeof name);
  for (int g = 0; g <= e->c->ngroup; ++g)
    if (g > 0 ? hp_name_matches(name, hp_case_group_name(e->c, g)) : hp_ecl_equals(t, "FIELD")) {
      HP_TRY(visit(e, g, record));
      ++found;
    }
  if (found > 0 || (e->lost & HP_ECL_SCHEDULE)) return HP_OK;
  return hp_ecl_error(e, t->file, t->line, "no group '%s' (WELSPECS and GRUPTREE name groups)", name);
}

/* ---- the tree ---- */

static bool has_wells(const hp_ecl *e, int g) {
  for (int w = 0; w < e->wells; ++w)
    if (e->well[w].control.group == g) return true;
  return false;
}

static bool has_groups(const hp_ecl *e, int g) {
  for (int n = 1; n <= e->c->ngroup; ++n)
    if (control_of(e, n).parent == g) return true;
  return false;
}

static hp_status no_mixture(hp_ecl *e, const hp_ecl_record *record, int g) {
  return hp_ecl_error(e, record->file, record->line, "group %s: it would have wells and groups",
                      hp_case_group_name(e->c, g));
}

hp_status hp_ecl_group_of_well(hp_ecl *e, const hp_ecl_record *record, int *g) {
  const hp_ecl_value *group = &record->v[HP_ECL_AT(welspecs, group)];
  *g = 0;
  if (!group->given) return HP_OK;
  HP_TRY(find_group(e, &group->text, record, g));
  return *g > 0 && has_groups(e, *g) ? no_mixture(e, record, *g) : HP_OK;
}

hp_status hp_ecl_do_gruptree(hp_ecl *e, const hp_ecl_record *record) {
  const hp_ecl_items_gruptree *v = &record->gruptree;
  int g, parent = 0;
  if (v->parent.given) HP_TRY(find_group(e, &v->parent.text, record, &parent));
  HP_TRY(find_group(e, &v->group.text, record, &g));
  if (g == 0) return hp_ecl_error(e, record->file, record->line, "FIELD is above all groups");
  if (parent > 0 && has_wells(e, parent)) return no_mixture(e, record, parent);
  if (hp_case_group_is_below(e->c, e->c->ngroup_event, parent, g))
    return hp_ecl_error(e, record->file, record->line, "group %s: its parent %s is below it",
                        hp_case_group_name(e->c, g), hp_case_group_name(e->c, parent));
  hp_group_control c = control_of(e, g);
  c.parent = parent;
  return add_event(e, g, &c, record);
}

static hp_status set_efficiency(hp_ecl *e, int g, const hp_ecl_record *record) {
  hp_group_control c = control_of(e, g);
  c.efficiency = record->gefac.efficiency.x;
  if (g == 0) return hp_ecl_error(e, record->file, record->line, "FIELD has no efficiency factor");
  return add_event(e, g, &c, record);
}

hp_status hp_ecl_do_gefac(hp_ecl *e, const hp_ecl_record *record) {
  if (record->gefac.efficiency.x > 1.0)
    return hp_ecl_item_error(e, record, HP_ECL_AT(gefac, efficiency), ": %g: must be <= 1", record->gefac.efficiency.x);
  return groups_each(e, record, set_efficiency);
}

static hp_status set_limits(hp_ecl *e, int g, const hp_ecl_record *record) {
  const hp_ecl_items_gecon *v = &record->gecon;
  hp_group_control c = control_of(e, g);
  c.min_oil_rate = v->min_oil_rate.x;
  c.max_water_cut = v->max_water_cut.x;
  c.workover = v->workover.choice; /* hp_group_workover is in the order of the item's choices */
  c.end_run = v->end_run.choice == 1;
  return add_event(e, g, &c, record);
}

hp_status hp_ecl_do_gecon(hp_ecl *e, const hp_ecl_record *record) {
  const hp_ecl_items_gecon *v = &record->gecon;
  if (v->max_water_cut.x > 1.0)
    return hp_ecl_item_error(e, record, HP_ECL_AT(gecon, max_water_cut), ": %g: must be <= 1", v->max_water_cut.x);
  if (v->min_oil_rate.x > 0.0 && hp_ecl_water_alone(e))
    return hp_ecl_error(e, record->file, record->line, "item %d asks for oil, which RUNSPEC does not name",
                        HP_ECL_NUMBER(gecon, min_oil_rate));
  return groups_each(e, record, set_limits);
}

/* ---- targets ---- */

/* Groups below the field have no guide rates of their own: those of their wells add up. */
static hp_status no_guide(hp_ecl *e, int g, const hp_ecl_record *record, int rate, int definition) {
  const hp_ecl_value *v = record->v;
  if (g == 0 || ((!v[rate].given || v[rate].x == 0.0) && !v[definition].given)) return HP_OK;
  return hp_ecl_item_error(e, record, v[definition].given ? definition : rate,
                           ": guide rates of groups are not supported, only those of wells (WGRUPCON)");
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

static hp_status produce(hp_ecl *e, int g, const hp_ecl_record *record) {
  enum { ORAT = 1, WRAT, LRAT, RESV }; /* in the choices of the control */
  enum { ALL = HP_ECL_AT(gconprod, procedure) };
  const hp_ecl_items_gconprod *v = &record->gconprod;
  const int control = v->control.choice;
  hp_group_control c = control_of(e, g);
  double *to = c.production;
  if (control == ORAT && hp_ecl_water_alone(e))
    return hp_ecl_error(e, record->file, record->line, "item %d asks for oil, which RUNSPEC does not name",
                        HP_ECL_NUMBER(gconprod, control));
#define LIMIT(item, is_target, by, to) HP_TRY(read_limit(e, record, HP_ECL_AT(gconprod, item), is_target, by, to))
  HP_TRY(no_guide(e, g, record, HP_ECL_AT(gconprod, guide_rate), HP_ECL_AT(gconprod, guide_definition)));
  c.in_production = v->by_higher_group.choice == 0;
  LIMIT(orat, control == ORAT, ALL, &to[HP_CONTROL_ORAT]);
  LIMIT(wrat, control == WRAT, HP_ECL_AT(gconprod, wrat_procedure), &to[HP_CONTROL_WRAT]);
  LIMIT(lrat, control == LRAT, HP_ECL_AT(gconprod, lrat_procedure), &to[HP_CONTROL_LRAT]);
  LIMIT(resv, control == RESV, ALL, &to[HP_CONTROL_RESV]);
#undef LIMIT
  return add_event(e, g, &c, record);
}

hp_status hp_ecl_do_gconprod(hp_ecl *e, const hp_ecl_record *record) { return groups_each(e, record, produce); }

/* Of injection every number that is given is an upper limit; they stand in the order of the control's choices. */
_Static_assert(HP_ECL_AT(gconinje, voidage) == HP_ECL_AT(gconinje, rate) + 3 &&
                   HP_ECL_AT(gconinje, resv) == HP_ECL_AT(gconinje, rate) + 1,
               "RATE, RESV, REIN, VREP");
static hp_status of_itself(hp_ecl *e, int g, const hp_ecl_record *record, int item) {
  const hp_ecl_value *v = &record->v[item];
  if (!v->given || hp_ecl_equals(&v->text, hp_case_group_name(e->c, g))) return HP_OK;
  return hp_ecl_item_error(e, record, item, ": only the group's own production is followed");
}

static hp_status inject(hp_ecl *e, int g, const hp_ecl_record *record) {
  const hp_ecl_items_gconinje *v = &record->gconinje;
  const int control = v->control.choice; /* 0: none, then the rate and the items behind it */
  const int target = HP_ECL_AT(gconinje, rate) + control - 1;
  hp_group_control c = control_of(e, g);
  if (control > 0 && !record->v[target].given)
    return hp_ecl_error(e, record->file, record->line, "control without a target for it (item %d)", target + 1);
  HP_TRY(no_guide(e, g, record, HP_ECL_AT(gconinje, guide_rate), HP_ECL_AT(gconinje, guide_definition)));
  HP_TRY(of_itself(e, g, record, HP_ECL_AT(gconinje, reinjection_group)));
  HP_TRY(of_itself(e, g, record, HP_ECL_AT(gconinje, voidage_group)));
  c.in_injection = v->by_higher_group.choice == 0;
  c.injection_rate = v->rate.x;
  c.injection_volume = v->resv.x;
  c.reinjection = v->reinjection.x;
  c.voidage = v->voidage.x;
  return add_event(e, g, &c, record);
}

hp_status hp_ecl_do_gconinje(hp_ecl *e, const hp_ecl_record *record) { return groups_each(e, record, inject); }

/* ---- guide rates ---- */

static hp_status set_guide(hp_ecl *e, hp_ecl_well *w, const hp_ecl_record *record) {
  static const hp_guide by[] = {HP_GUIDE_OIL, HP_GUIDE_WATER, HP_GUIDE_LIQUID, HP_GUIDE_RESERVOIR, HP_GUIDE_SHARED};
  const hp_ecl_items_wgrupcon *v = &record->wgrupcon;
  w->apart = v->takes_part.choice == 1;
  w->control.in_field = !w->apart && !w->by_history;
  w->control.guide_rate = v->guide_rate.given && v->guide_rate.x > 0.0 ? v->guide_rate.x * v->scale.x : 0.0;
  w->control.guide_by = v->guide_by.given ? by[v->guide_by.choice] : HP_GUIDE_SHARED;
  const hp_given given = HP_GIVEN_OF(in_field) | HP_GIVEN_OF(guide_rate) | HP_GIVEN_OF(guide_by);
  return w->controlled || e->action != NULL ? hp_ecl_event_add(e, w, record, given) : HP_OK;
}

hp_status hp_ecl_do_wgrupcon(hp_ecl *e, const hp_ecl_record *record) {
  const hp_ecl_items_wgrupcon *v = &record->wgrupcon;
  if (v->scale.given && v->scale.x != 1.0 && !(v->guide_rate.x > 0.0))
    return hp_ecl_item_error(e, record, HP_ECL_AT(wgrupcon, scale), " needs a guide rate (item %d)",
                             HP_ECL_NUMBER(wgrupcon, guide_rate));
  return hp_ecl_wells_each(e, record, set_guide);
}
