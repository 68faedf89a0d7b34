/* vfp: lift tables of wells at tubing-head pressures. */
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "io/config/impl.h"

/* The axes and the pressures of a table, in the order of its numbers. */
static const struct {
  const char *path;
  hp_quantity unit;
} part[] = {[HP_LIFT_FLOW] = {"vfp[].flow", HP_UNIT_RATE},
            [HP_LIFT_THP] = {"vfp[].thp", HP_UNIT_PRESSURE},
            [HP_LIFT_RATIO] = {"vfp[].ratio", HP_UNIT_NONE},
            [HP_LIFT_LIFT] = {"vfp[].lift", HP_UNIT_NONE},
            [HP_LIFT_AXES] = {"vfp[].bhp", HP_UNIT_PRESSURE}};

static const hp_setting *list_of(const hp_setting *s, int n) {
  return hp_config_member(s, strchr(part[n].path, '.') + 1);
}

/* The length of a list; 0: it is missing or none, which is reported. */
static int length_of(hp_config *r, const hp_setting *s, int n) {
  const hp_setting *list = list_of(s, n);
  const int type = list != NULL ? config_setting_type(list) : CONFIG_TYPE_NONE;
  const bool is_list = type == CONFIG_TYPE_ARRAY || type == CONFIG_TYPE_LIST;
  if (is_list && config_setting_length(list) > 0) return config_setting_length(list);
  const char *name = strchr(part[n].path, '.') + 1;
  if (list == NULL) hp_config_error(r, s, "%s is missing: %s", name, hp_config_key_find(part[n].path)->what);
  else hp_config_error(r, list, "must be a list of numbers [..]");
  return 0;
}

/* False: at fault. */
static bool read_list(hp_config *r, const hp_setting *s, int n, int64_t count, double *out) {
  bool good = true;
  for (int64_t i = 0; i < count; ++i) {
    double deck;
    good = hp_config_quantity(r, config_setting_get_elem(list_of(s, n), (unsigned)i), part[n].unit, &deck, &out[i]) &&
           good;
  }
  return good;
}

/* An axis that is left out has the one number 0. */
static bool may_be_missing(int n) { return n == HP_LIFT_RATIO || n == HP_LIFT_LIFT; }

static hp_status read_numbers(hp_config *r, const hp_setting *s, hp_lift_spec *v) {
  hp_lift_table *t = &v->table;
  bool good = true;
  for (int n = 0; n < HP_LIFT_AXES; ++n) {
    t->count[n] = may_be_missing(n) && list_of(s, n) == NULL ? 1 : length_of(r, s, n);
    good = good && t->count[n] > 0;
  }
  const int given = length_of(r, s, HP_LIFT_AXES);
  if (!good || given == 0) return HP_OK;
  const int64_t bhp = hp_lift_axis(t, HP_LIFT_AXES), needed = hp_lift_numbers(t) - bhp;
  if (given != needed) {
    hp_config_error(r, list_of(s, HP_LIFT_AXES), "%d numbers, %lld are needed: [lift][ratio][thp][flow], flow fastest",
                    given, (long long)needed);
    return HP_OK;
  }
  HP_TRY(HP_ALLOC(v->number, hp_lift_numbers(t)));
  for (int n = 0; n < HP_LIFT_AXES; ++n)
    if (list_of(s, n) != NULL) good = read_list(r, s, n, t->count[n], v->number + hp_lift_axis(t, n)) && good;
  good = read_list(r, s, HP_LIFT_AXES, needed, v->number + bhp) && good;
  const char *fault = good ? hp_lift_fault(t, v->number) : NULL;
  if (fault != NULL) hp_config_error(r, s, "table %s: %s", v->name, fault);
  return HP_OK;
}

static hp_status read_table(hp_config *r, const hp_setting *s, hp_lift_spec *v) {
  const char *name = "";
  if (hp_config_string(r, s, "vfp[].name", &name)) {
    const hp_setting *member = hp_config_member(s, "name");
    if (name[0] == '\0' || strlen(name) >= sizeof v->name || strcmp(name, "none") == 0)
      hp_config_error(r, member, "'%s': a table's name must have 1 to %d characters, and not be none", name,
                      (int)sizeof v->name - 1);
    else if (hp_case_lift(r->c, name) > 0) hp_config_error(r, member, "'%s': another table has the same name", name);
    snprintf(v->name, sizeof v->name, "%.*s", (int)sizeof v->name - 1, name);
  }
  hp_config_settings(r, s, "vfp[]", HP_IN_LIFT, false, v);
  const hp_setting *of = hp_config_member(s, "of");
  if (v->table.injector && v->table.flow == 2)
    hp_config_error(r, of != NULL ? of : s, "of: liquid: an injector has oil or water");
  v->line = hp_config_line(s);
  HP_TRY(hp_case_file(r->c, hp_config_file(r, s), &v->file));
  return read_numbers(r, s, v);
}

hp_status hp_config_read_lift(hp_config *r, const hp_setting *list) {
  if (list == NULL || config_setting_type(list) != CONFIG_TYPE_LIST) return HP_OK;
  if (r->overlay) {
    hp_config_error(r, list, "lift tables cannot be laid over a deck, whose wells name its own");
    return HP_OK;
  }
  for (int n = 0; n < config_setting_length(list); ++n) {
    const hp_setting *s = hp_config_group(list, n);
    hp_lift_spec v = {.line = 0};
    if (s == NULL) continue;
    hp_status status = read_table(r, s, &v);
    if (status == HP_OK) status = hp_case_lift_add(r->c, &v);
    if (status != HP_OK) {
      HP_FREE(v.number);
      return status;
    }
  }
  return HP_OK;
}
