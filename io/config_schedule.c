/* schedule: what wells are asked to do later. */
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "io/config_wells.h"

/* ---- names ----------------------------------------------------------------- */

static hp_status unknown_well(hp_config *r, const hp_setting *s, const char *pattern) {
  const hp_case *c = r->c;
  const char **name;
  HP_TRY(HP_ALLOC(name, c->nwell));
  for (int w = 0; w < c->nwell; ++w) name[w] = c->well[w].name;
  const char *near = hp_nearest(pattern, name, c->nwell);
  if (strpbrk(pattern, "*?") != NULL)
    hp_config_error(r, s, "'%s': no well has such a name", pattern);
  else if (near != NULL)
    hp_config_error(r, s, "'%s': no such well; did you mean '%s'?", pattern, near);
  else
    hp_config_error(r, s, "'%s': no such well", pattern);
  HP_FREE(name);
  return HP_OK;
}

static hp_status mark_one(hp_config *r, const hp_setting *s, bool *marked) {
  if (config_setting_type(s) != CONFIG_TYPE_STRING) {
    hp_config_error(r, s, "must be a well's name in quotes");
    return HP_OK;
  }
  const char *pattern = config_setting_get_string(s);
  bool found = false;
  for (int w = 0; w < r->c->nwell; ++w)
    if (hp_name_matches(pattern, r->c->well[w].name)) marked[w] = found = true;
  return found ? HP_OK : unknown_well(r, s, pattern);
}

static hp_status mark_wells(hp_config *r, const hp_setting *s, bool *marked) {
  for (int w = 0; w < r->c->nwell; ++w) marked[w] = false;
  const int type = config_setting_type(s);
  if (type != CONFIG_TYPE_ARRAY && type != CONFIG_TYPE_LIST) return mark_one(r, s, marked);
  for (int n = 0; n < config_setting_length(s); ++n)
    HP_TRY(mark_one(r, config_setting_get_elem(s, (unsigned)n), marked));
  return HP_OK;
}

/* ---- entries in the order of time ------------------------------------------ */

typedef struct {
  const hp_setting *s;
  double time;
  int place; /* in the deck: entries of one time keep its order */
} entry;

static int by_time(const void *a, const void *b) {
  const entry *x = a, *y = b;
  if (x->time != y->time) return x->time < y->time ? -1 : 1;
  return x->place < y->place ? -1 : x->place > y->place;
}

static hp_status apply(hp_config *r, const entry *e, hp_config_control *state, bool *marked) {
  hp_case *c = r->c;
  const hp_setting *well = hp_config_member(e->s, "well");
  if (well == NULL) {
    hp_config_error(r, e->s, "well is missing: %s", hp_config_key_find("schedule[].well")->what);
    return HP_OK;
  }
  if (!hp_config_control_named(e->s)) {
    hp_config_error(r, e->s, "says nothing: give control, status or a number");
    return HP_OK;
  }
  HP_TRY(mark_wells(r, well, marked));
  const int errors = r->diag->errors;
  for (int w = 0; w < c->nwell && r->diag->errors == errors; ++w) {
    if (!marked[w]) continue;
    hp_config_control_read(r, e->s, "schedule[]", c->well[w].name, &state[w]);
    HP_TRY(hp_config_event(r, e->time, w, &state[w], hp_config_file(r, e->s), hp_config_line(e->s)));
  }
  return HP_OK;
}

/* Events after time zero of the deck under an overlay make room for the new schedule. */
static void drop_later_events(hp_case *c) {
  int kept = 0;
  while (kept < c->nevent && c->event[kept].time <= 0.0) ++kept;
  c->nevent = kept;
}

hp_status hp_config_schedule(hp_config *r, const hp_setting *schedule, hp_config_control *state) {
  if (config_setting_type(schedule) != CONFIG_TYPE_LIST) return HP_OK; /* reported by hp_config_check */
  const int length = config_setting_length(schedule);
  const bool overlay = r->overlay;
  entry *list = NULL;
  bool *marked = NULL;
  int count = 0;
  hp_status status = HP_ALLOC(list, length);
  if (status == HP_OK) status = HP_ALLOC(marked, r->c->nwell);
  r->overlay = false; /* a new schedule is read whole */
  drop_later_events(r->c);
  for (int n = 0; status == HP_OK && n < length; ++n) {
    entry e = {.s = config_setting_get_elem(schedule, (unsigned)n), .place = n};
    if (config_setting_type(e.s) != CONFIG_TYPE_GROUP) continue;
    if (hp_config_float(r, e.s, "schedule[].time", &e.time)) list[count++] = e;
  }
  if (count > 1) qsort(list, (size_t)count, sizeof *list, by_time);
  for (int n = 0; status == HP_OK && n < count; ++n) status = apply(r, &list[n], state, marked);
  r->overlay = overlay;
  HP_FREE(marked);
  HP_FREE(list);
  return status;
}
