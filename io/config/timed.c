/* Lists whose entries hold from a time on and give values alone: tuning (time steps and Newton's iterations), groups (what
 * wells are asked for together). */
#include <string.h>

#include "core/memory.h"
#include "core/show.h"
#include "io/config/impl.h"
#include "wells/group.h"

typedef struct {
  const char *list;
  hp_home home;
  size_t size, file, line; /* of an entry; where its place in the deck stands */
  const void *nothing;     /* an entry that says nothing */
  const char *(*fault)(const void *entry);
} timed_list;

static hp_status read_entry(hp_config *r, const timed_list *L, const hp_setting *s, bool patched, char *entry) {
  if (!patched) {
    const int line = hp_config_line(s);
    const char *file;
    HP_TRY(hp_case_file(r->c, hp_config_file(r, s), &file));
    memcpy(entry, L->nothing, L->size);
    memcpy(entry + L->file, &file, sizeof file);
    memcpy(entry + L->line, &line, sizeof line);
  }
  hp_config_settings(r, s, L->list, L->home, patched, entry);
  const char *fault = L->fault != NULL ? L->fault(entry) : NULL;
  if (fault != NULL) hp_config_error(r, s, "%s", fault);
  return HP_OK;
}

/* entry [*count] is made anew but where an overlay changes single ones. */
static hp_status read_list(hp_config *r, const timed_list *L, const hp_setting *s, void **entry, int *count) {
  if (s == NULL || config_setting_type(s) != CONFIG_TYPE_LIST) return HP_OK;
  const int length = config_setting_length(s);
  const bool patched = hp_config_patched(r, s), overlay = r->overlay;
  if (!patched) {
    HP_FREE(*entry);
    *count = 0;
    HP_TRY(hp_alloc(entry, length, L->size, L->list));
    r->overlay = false; /* a new list is read whole */
  }
  hp_status status = HP_OK;
  for (int n = 0; n < length && status == HP_OK; ++n) {
    const hp_setting *one = config_setting_get_elem(s, (unsigned)n);
    if (config_setting_type(one) != CONFIG_TYPE_GROUP || (patched && config_setting_length(one) == 0)) continue;
    const int place = patched ? n : (*count)++;
    status = read_entry(r, L, one, patched, (char *)*entry + (size_t)place * L->size);
  }
  r->overlay = overlay;
  hp_config_sort_by_time(*entry, *count, L->size);
  return status;
}

static const char *fault_of_tuning(const void *entry) {
  const hp_tuning *t = entry;
  return t->min > t->max ? "the shortest step is longer than the longest one" : NULL;
}

static timed_list list_of_tuning(const hp_tuning *nothing) {
  return (timed_list){.list = "tuning[]",
                      .home = HP_IN_TUNING,
                      .size = sizeof *nothing,
                      .file = offsetof(hp_tuning, file),
                      .line = offsetof(hp_tuning, line),
                      .nothing = nothing,
                      .fault = fault_of_tuning};
}

static timed_list list_of_groups(const hp_group_event *nothing) {
  return (timed_list){.list = "groups[]",
                      .home = HP_IN_GROUP,
                      .size = sizeof *nothing,
                      .file = offsetof(hp_group_event, file),
                      .line = offsetof(hp_group_event, line),
                      .nothing = nothing};
}

hp_status hp_config_read_tuning(hp_config *r, const hp_setting *tuning) {
  const hp_tuning nothing = hp_tuning_nothing();
  const timed_list list = list_of_tuning(&nothing);
  void *entry = r->c->tuning;
  const hp_status status = read_list(r, &list, tuning, &entry, &r->c->ntuning);
  r->c->tuning = entry;
  return status;
}

/* Names of groups, which entries may have before the one that names them. */
static hp_status learn_names(hp_config *r, const hp_setting *groups) {
  const bool list = groups != NULL && config_setting_type(groups) == CONFIG_TYPE_LIST;
  for (int n = 0; list && n < config_setting_length(groups); ++n) {
    const hp_setting *one = config_setting_get_elem(groups, (unsigned)n);
    const char *name = NULL;
    int g;
    if (config_setting_type(one) != CONFIG_TYPE_GROUP || !config_setting_lookup_string(one, "name", &name)) continue;
    const size_t length = strlen(name);
    if (length == 0 || length >= HP_WELL_NAME || hp_name_fault(name) != NULL)
      hp_config_error(r, hp_config_member(one, "name"), "'%s': a group's name must have 1 to %d characters%s%s", name,
                      HP_WELL_NAME - 1, hp_name_fault(name) != NULL ? ", and " : "",
                      hp_name_fault(name) != NULL ? hp_name_fault(name) : "");
    else HP_TRY(hp_case_group_add(r->c, name, &g));
  }
  return HP_OK;
}

/* Each change must leave a tree, whose root is the field. */
static void check_tree(hp_config *r, const hp_setting *groups) {
  const hp_case *c = r->c;
  for (int n = 0; n < c->ngroup_event; ++n) {
    const hp_group_event *e = &c->group_event[n];
    const bool root = e->group == 0, loops = !root && hp_case_group_is_below(c, n, e->control.parent, e->group);
    if (root && e->control.parent != 0) hp_config_error(r, groups, "FIELD: it has no parent");
    else if (root && e->control.efficiency != 1.0) hp_config_error(r, groups, "FIELD: it has no efficiency");
    else if (loops)
      hp_config_error(r, groups, "group %s: its parent %s is below it", hp_case_group_name(c, e->group),
                      hp_case_group_name(c, e->control.parent));
  }
}

hp_status hp_config_read_groups(hp_config *r, const hp_setting *groups) {
  const hp_group_event nothing = {.control = hp_group_nothing()};
  const timed_list list = list_of_groups(&nothing);
  void *entry = r->c->group_event;
  HP_TRY(learn_names(r, groups));
  const hp_status status = read_list(r, &list, groups, &entry, &r->c->ngroup_event);
  r->c->group_event = entry;
  if (status == HP_OK && groups != NULL) check_tree(r, groups);
  return status;
}

/* ---- entries of a run that is steered ---- */

/* Adds the entry s behind those of its time, unless it is at fault; *place: where. */
static hp_status add_entry(hp_config *r, const timed_list *L, const hp_setting *s, double time, void **list, int *count,
                           int *place) {
  char *more, *at;
  HP_TRY(hp_alloc((void **)&more, *count + 1, L->size, L->list));
  if (*count > 0) memcpy(more, *list, (size_t)*count * L->size);
  HP_FREE(*list);
  *list = more;
  at = more + (size_t)*count * L->size;
  HP_TRY(read_entry(r, L, s, false, at));
  memcpy(at, &time, sizeof time);
  if (r->diag->errors > 0) return HP_OK;
  *count += 1;
  hp_config_sort_by_time(more, *count, L->size);
  for (*place = *count - 1; *(const double *)(more + (size_t)*place * L->size) > time;) *place -= 1;
  return HP_OK;
}

hp_status hp_config_tuning_add(hp_config *r, const hp_setting *s, double time) {
  const hp_tuning nothing = hp_tuning_nothing();
  const timed_list list = list_of_tuning(&nothing);
  void *entry = r->c->tuning;
  int place;
  const hp_status status = add_entry(r, &list, s, time, &entry, &r->c->ntuning, &place);
  r->c->tuning = entry;
  return status;
}

hp_status hp_config_group_add(hp_config *r, const hp_setting *s, double time) {
  hp_case *c = r->c;
  const hp_group_event nothing = {.control = hp_group_nothing()};
  const timed_list list = list_of_groups(&nothing);
  void *entry = c->group_event;
  int place = -1;
  const hp_status status = add_entry(r, &list, s, time, &entry, &c->ngroup_event, &place);
  c->group_event = entry;
  if (status != HP_OK || r->diag->errors > 0) return status;
  check_tree(r, s);
  if (r->diag->errors == 0) return HP_OK;
  c->ngroup_event -= 1;
  memmove(c->group_event + place, c->group_event + place + 1, (size_t)(c->ngroup_event - place) * sizeof nothing);
  return HP_OK;
}
