/* Values that live in a struct each (AT in io/config/keys.c): read and looked at one after the other. */
#include <string.h>

#include "io/config/impl.h"

/* Whether a path is `list`, a dot and a name. */
static bool is_of(const char *list, const char *path) {
  const size_t length = strlen(list);
  return strncmp(path, list, length) == 0 && path[length] == '.' && strchr(path + length + 1, '.') == NULL;
}

const hp_config_key *hp_config_next(const char *list, hp_home home, const hp_config_key *before) {
  int count;
  const hp_config_key *keys = hp_config_keys(&count);
  for (const hp_config_key *at = before == NULL ? keys : before + 1; at < keys + count; ++at)
    if (at->home == home && is_of(list, at->path)) return at;
  return NULL;
}

double hp_config_value(const hp_config_key *key, const void *home) {
  const void *at = (const char *)home + key->offset;
  double value;
  bool yes;
  int whole;
  uint64_t number;
  switch (key->stored) {
    case HP_AS_DOUBLE: memcpy(&value, at, sizeof value); return value;
    case HP_AS_BOOL: memcpy(&yes, at, sizeof yes); return yes;
    case HP_AS_LONG: memcpy(&number, at, sizeof number); return (double)number;
    default: memcpy(&whole, at, sizeof whole); return whole;
  }
}

/* The number of what the text names; "none" is no lift table. */
static void read_name(hp_config *r, const hp_setting *group, const hp_config_key *key, int *number) {
  const bool table = key->kind == HP_KEY_OF_TABLE;
  const char *name = strrchr(key->path, '.') + 1, *text = NULL;
  if (hp_config_member(group, name) == NULL || !hp_config_string(r, group, key->path, &text)) return;
  const int found = !table ? hp_case_group(r->c, text) : strcmp(text, "none") == 0 ? 0 : hp_case_lift(r->c, text);
  if (found >= 0) *number = found;
  else
    hp_config_error(r, hp_config_member(group, name), "'%s': no such %s; %s[].name names them", text,
                    table ? "table" : "group", table ? "vfp" : "groups");
}

/* One whose value is not sound stays. */
static void read_one(hp_config *r, const hp_setting *group, const hp_config_key *key, void *at) {
  int whole;
  uint64_t number;
  if (key->stored == HP_AS_DOUBLE) {
    hp_config_float(r, group, key->path, at);
    return;
  }
  if (key->stored == HP_AS_BOOL) {
    hp_config_bool(r, group, key->path, at);
    return;
  }
  if (key->stored == HP_AS_LONG) {
    memcpy(&number, at, sizeof number);
    whole = (int)number;
  } else {
    memcpy(&whole, at, sizeof whole);
  }
  if (key->kind == HP_KEY_CHOICE) hp_config_choice(r, group, key->path, &whole);
  else if (key->kind == HP_KEY_OF_GROUP || key->kind == HP_KEY_OF_TABLE) read_name(r, group, key, &whole);
  else hp_config_int(r, group, key->path, &whole);
  number = (uint64_t)whole;
  if (key->stored == HP_AS_LONG) memcpy(at, &number, sizeof number);
  else memcpy(at, &whole, sizeof whole);
}

void hp_config_settings(hp_config *r, const hp_setting *group, const char *list, hp_home home, bool given, void *out) {
  const size_t length = strlen(list) + 1;
  for (const hp_config_key *key = hp_config_next(list, home, NULL); key != NULL; key = hp_config_next(list, home, key))
    if (!given || hp_config_member(group, key->path + length) != NULL)
      read_one(r, group, key, (char *)out + key->offset);
}
