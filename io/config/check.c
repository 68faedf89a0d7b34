/* Walks the tree beside the key table: keys nobody knows, groups that are none. */
#include <string.h>

#include "io/config/impl.h"

enum { SIBLINGS_MAX = 64 };

static const char *last_name(const char *path) {
  const char *dot = strrchr(path, '.');
  return dot != NULL ? dot + 1 : path;
}

/* True if path is prefix + "." + one name; prefix "" is the top of the deck. */
static bool is_child(const char *path, const char *prefix) {
  const size_t length = strlen(prefix);
  if (length == 0) return strchr(path, '.') == NULL;
  return strncmp(path, prefix, length) == 0 && path[length] == '.' && strchr(path + length + 1, '.') == NULL;
}

static const hp_config_key *child(const char *prefix, const char *name) {
  char path[2 * HP_CONFIG_PATH];
  snprintf(path, sizeof path, "%s%s%s", prefix, prefix[0] != '\0' ? "." : "", name);
  return hp_config_key_find(path);
}

/* A key with this last name elsewhere in the deck, if there is exactly one. */
static const char *elsewhere(const char *name) {
  int count;
  const hp_config_key *key = hp_config_keys(&count);
  const char *found = NULL;
  for (int n = 0; n < count; ++n)
    if (strcmp(last_name(key[n].path), name) == 0) {
      if (found != NULL) return NULL;
      found = key[n].path;
    }
  return found;
}

static void unknown_key(hp_config *r, const hp_setting *s, const char *prefix) {
  int count, siblings = 0;
  const hp_config_key *key = hp_config_keys(&count);
  const char *sibling[SIBLINGS_MAX];
  for (int n = 0; n < count && siblings < SIBLINGS_MAX; ++n)
    if (is_child(key[n].path, prefix)) sibling[siblings++] = last_name(key[n].path);
  const char *near = hp_nearest(config_setting_name(s), sibling, siblings);
  char lead[HP_CONFIG_PATH + 1] = "";
  if (near != NULL && hp_config_option(s) != NULL && prefix[0] != '\0') {
    hp_config_path(config_setting_parent(s), lead);
    strcat(lead, ".");
  }
  if (near == NULL) near = elsewhere(config_setting_name(s));
  if (near != NULL) hp_config_error(r, s, "unknown key; did you mean '%s%s'?", lead, near);
  else hp_config_error(r, s, "unknown key");
}

/* Groups that may be lists of groups, one for each region: fluids, saturation, rock, initial. */
static bool may_repeat(const char *path) {
  static const char *const group[] = {"fluids", "saturation", "rock", "initial"};
  for (size_t n = 0; n < sizeof group / sizeof group[0]; ++n)
    if (strcmp(group[n], path) == 0) return true;
  return false;
}

static void check_group(hp_config *r, const hp_setting *group, const char *prefix);

static void check_value(hp_config *r, const hp_setting *s, const hp_config_key *key) {
  const int type = config_setting_type(s);
  if (key->kind == HP_KEY_GROUP && type == CONFIG_TYPE_LIST && may_repeat(key->path)) {
    if (config_setting_length(s) == 0) hp_config_error(r, s, "must be a group { ... }, or a list of groups");
    for (int n = 0; n < config_setting_length(s); ++n) {
      const hp_setting *element = config_setting_get_elem(s, (unsigned)n);
      if (config_setting_type(element) == CONFIG_TYPE_GROUP) check_group(r, element, key->path);
      else hp_config_error(r, element, "must be a group { ... }");
    }
  } else if (key->kind == HP_KEY_GROUP) {
    if (type != CONFIG_TYPE_GROUP) hp_config_error(r, s, "must be a group { ... }");
    else if (strncmp(key->path, "grid.boxes[].", strlen("grid.boxes[].")) == 0) check_group(r, s, "grid");
    else check_group(r, s, key->path);
  } else if (key->kind == HP_KEY_LIST) {
    /* libconfig reads an empty [ ] as well as ( ) */
    if (type != CONFIG_TYPE_LIST && !(type == CONFIG_TYPE_ARRAY && config_setting_length(s) == 0)) {
      hp_config_error(r, s, "must be a list of groups ( { ... }, ... )");
      return;
    }
    char prefix[HP_CONFIG_PATH];
    snprintf(prefix, sizeof prefix, "%s[]", key->path);
    for (int n = 0; n < config_setting_length(s); ++n) {
      const hp_setting *element = config_setting_get_elem(s, (unsigned)n);
      if (config_setting_type(element) == CONFIG_TYPE_GROUP) check_group(r, element, prefix);
      else hp_config_error(r, element, "must be a group { ... }");
    }
  } else if (key->kind == HP_KEY_CELLS && type == CONFIG_TYPE_GROUP) {
    check_group(r, s, "array");
  }
}

static void check_group(hp_config *r, const hp_setting *group, const char *prefix) {
  for (int n = 0; n < config_setting_length(group); ++n) {
    const hp_setting *s = config_setting_get_elem(group, (unsigned)n);
    const hp_config_key *key = child(prefix, config_setting_name(s));
    if (key == NULL) unknown_key(r, s, prefix);
    else check_value(r, s, key);
  }
}

void hp_config_check(hp_config *r) { check_group(r, config_root_setting(&r->tree), ""); }
