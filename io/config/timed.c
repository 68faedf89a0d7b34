/* Lists whose entries hold from a time on and give values alone: tuning (time steps and Newton's iterations), field (what all
 * wells together are asked for). */
#include <string.h>

#include "core/memory.h"
#include "io/config/impl.h"
#include "wells/field.h"

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

hp_status hp_config_read_tuning(hp_config *r, const hp_setting *tuning) {
  const hp_tuning nothing = hp_tuning_nothing();
  const timed_list list = {.list = "tuning[]",
                           .home = HP_IN_TUNING,
                           .size = sizeof nothing,
                           .file = offsetof(hp_tuning, file),
                           .line = offsetof(hp_tuning, line),
                           .nothing = &nothing,
                           .fault = fault_of_tuning};
  void *entry = r->c->tuning;
  const hp_status status = read_list(r, &list, tuning, &entry, &r->c->ntuning);
  r->c->tuning = entry;
  return status;
}

hp_status hp_config_read_field(hp_config *r, const hp_setting *field) {
  const hp_field_event nothing = {.control = hp_field_nothing()};
  const timed_list list = {.list = "field[]",
                           .home = HP_IN_FIELD,
                           .size = sizeof nothing,
                           .file = offsetof(hp_field_event, file),
                           .line = offsetof(hp_field_event, line),
                           .nothing = &nothing};
  void *entry = r->c->field;
  const hp_status status = read_list(r, &list, field, &entry, &r->c->nfield);
  r->c->field = entry;
  return status;
}
