#define _POSIX_C_SOURCE 200809L
/* --set key.path=value: options become settings of the tree. */
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "io/config/impl.h"
#include "io/files/text.h"

static void fault(hp_config *r, const char *option, const char *text, const char *what) {
  hp_diag_error(r->diag, option, 0, "%s%s%s", what, what[0] != '\0' ? ": " : "", text);
}

/* ---- values ---- */

/* Copies the value of `from` into `to`, which has the same type. */
static bool copy_value(const hp_setting *from, hp_setting *to) {
  const int length = config_setting_is_aggregate(from) ? config_setting_length(from) : 0;
  switch (config_setting_type(from)) {
    case CONFIG_TYPE_INT: return config_setting_set_int(to, config_setting_get_int(from)) == CONFIG_TRUE;
    case CONFIG_TYPE_INT64: return config_setting_set_int64(to, config_setting_get_int64(from)) == CONFIG_TRUE;
    case CONFIG_TYPE_FLOAT: return config_setting_set_float(to, config_setting_get_float(from)) == CONFIG_TRUE;
    case CONFIG_TYPE_BOOL: return config_setting_set_bool(to, config_setting_get_bool(from)) == CONFIG_TRUE;
    case CONFIG_TYPE_STRING: return config_setting_set_string(to, config_setting_get_string(from)) == CONFIG_TRUE;
    default: break;
  }
  for (int n = 0; n < length; ++n) {
    const hp_setting *child = config_setting_get_elem(from, (unsigned)n);
    hp_setting *copy = config_setting_add(to, config_setting_name(child), config_setting_type(child));
    if (copy == NULL || !copy_value(child, copy)) return false;
  }
  return true;
}

/* A bare word is text: the shell has taken the quotes of method="gmres"; so is "3000 psi", or "2026-07-20 06:00". */
static bool is_word(const char *s) {
  static const char letters[] = " abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+*?./:~";
  return s[0] != '\0' && strspn(s, letters + (s[0] < '0' || s[0] > '9')) == strlen(s);
}

/* Parses `value` into the only setting of *tree; NULL: it is no libconfig value. */
static const hp_setting *parse_value(const char *value, config_t *tree) {
  const size_t size = strlen(value) + 16;
  char *text = malloc(size);
  config_init(tree);
  if (text == NULL) return NULL;
  snprintf(text, size, "v = %s;", value);
  bool ok = strchr(value, '\n') == NULL || strstr(value, "@include") == NULL; /* an option names no files */
  ok = ok && config_read_string(tree, text) == CONFIG_TRUE && config_setting_length(config_root_setting(tree)) == 1;
  if (!ok && is_word(value)) {
    config_destroy(tree);
    config_init(tree);
    hp_setting *word = config_setting_add(config_root_setting(tree), "v", CONFIG_TYPE_STRING);
    ok = word != NULL && config_setting_set_string(word, value) == CONFIG_TRUE;
  }
  free(text);
  return ok ? config_setting_get_elem(config_root_setting(tree), 0) : NULL;
}

/* ---- the way through the tree ---- */

typedef struct {
  char name[HP_CONFIG_PATH]; /* "" for an index */
  int index;
} step;

enum { STEPS_MAX = 16 };

/* Cuts "wells[3].radius" into wells, [3], radius; 0: not a path. */
static int split_path(const char *path, size_t length, step out[STEPS_MAX]) {
  int count = 0;
  const char *at = path, *end = path + length;
  while (at < end && count < STEPS_MAX) {
    step *s = &out[count++];
    s->name[0] = '\0';
    s->index = -1;
    if (*at == '[') {
      char *after;
      const long index = strtol(at + 1, &after, 10);
      if (after == at + 1 || *after != ']' || index < 0 || index > 1000000000 || count == 1) return 0;
      s->index = (int)index;
      at = after + 1;
    } else {
      const size_t n = strcspn(at, ".[=");
      if (n == 0 || n >= sizeof s->name) return 0;
      memcpy(s->name, at, n);
      s->name[n] = '\0';
      at += n;
    }
    if (at < end && *at == '.') {
      at += 1;
      if (at == end || *at == '[') return 0;
    } else if (at < end && *at != '[') {
      return 0;
    }
  }
  if (count > 0 && strcmp(out[0].name, "field") == 0) strcpy(out[0].name, "groups"); /* (hp_config_read) */
  return at == end ? count : 0;
}

/* The name of an entry: its member `name`, in an overlay that of the case's well; NULL: it has none. */
static const char *entry_name(const hp_config *r, const hp_setting *list, int n) {
  const char *key = config_setting_name(list);
  const hp_setting *name = hp_config_member(config_setting_get_elem(list, (unsigned)n), "name");
  if (name != NULL && config_setting_type(name) == CONFIG_TYPE_STRING) return config_setting_get_string(name);
  const bool of_wells = hp_config_patched(r, list) && key != NULL && strcmp(key, "wells") == 0;
  return of_wells && n < r->c->nwell ? r->c->well[n].name : NULL;
}

/* Says which name was meant, or the first ones that there are. */
static void no_entry(hp_config *r, const char *option, const hp_setting *list, const char *name) {
  enum { SHOWN = 8 };
  const int length = config_setting_length(list);
  const char **names;
  if (HP_ALLOC(names, length) != HP_OK) {
    fault(r, option, "no entry of that name in the list", name);
    return;
  }
  int count = 0;
  for (int n = 0; n < length; ++n)
    if (entry_name(r, list, n) != NULL) names[count++] = entry_name(r, list, n);
  const char *near = hp_nearest(name, names, count);
  char there[SHOWN * HP_CONFIG_PATH] = "";
  for (int n = 0; near == NULL && n < count && n < SHOWN; ++n) {
    const size_t used = strlen(there);
    snprintf(there + used, sizeof there - used, "%s%s", n == 0 ? "" : ", ", names[n]);
  }
  if (near != NULL)
    hp_diag_error(r->diag, option, 0, "%s: no entry of that name in the list; did you mean '%s'?", name, near);
  else
    hp_diag_error(r->diag, option, 0, "%s: no entry of that name in the list%s%s%s", name,
                  count > 0 ? "; there are " : "", there, count > SHOWN ? ", ..." : "");
  HP_FREE(names);
}

/* The entry of a list that the step names: by its index, or by its member `name`. */
static hp_setting *list_entry(hp_config *r, const char *option, hp_setting *list, const step *s) {
  const int length = config_setting_length(list);
  if (s->name[0] == '\0') {
    if (s->index < length) return config_setting_get_elem(list, (unsigned)s->index);
    hp_diag_error(r->diag, option, 0, "[%d]: the list has %d entries, counted from 0", s->index, length);
    return NULL;
  }
  for (int n = 0; n < length; ++n) {
    const char *name = entry_name(r, list, n);
    if (name != NULL && strcmp(name, s->name) == 0) return config_setting_get_elem(list, (unsigned)n);
  }
  no_entry(r, option, list, s->name);
  return NULL;
}

/* Two ways to say the same: an option takes the place of the other one. */
static void remove_twin(hp_setting *group, const char *name) {
  static const char *const twin[][2] = {{"radius", "diameter"}, {"top", "tops"},    {"top", "depth"},
                                        {"tops", "depth"},      {"every", "times"}, {"file", "generator"}};
  for (size_t n = 0; n < sizeof twin / sizeof twin[0]; ++n)
    for (int side = 0; side < 2; ++side)
      if (strcmp(name, twin[n][side]) == 0 && config_setting_get_member(group, twin[n][1 - side]) != NULL)
        config_setting_remove(group, twin[n][1 - side]);
}

/* next: where the way goes on. In an overlay, what is counted may be a list of the case. */
static hp_setting *group_member(hp_config *r, char *option, hp_setting *group, const char *name, const step *next) {
  hp_setting *member = config_setting_get_member(group, name);
  const bool counted = next->name[0] == '\0' || strcmp(name, "wells") == 0;
  if (member == NULL && r->overlay && counted) {
    member = hp_config_list_of_case(r, group, name);
    if (member != NULL) remove_twin(group, name);
  }
  if (member == NULL && counted && next->name[0] == '\0') {
    fault(r, option, "there is no list of that name whose entries could be set", name);
    return NULL;
  }
  if (member == NULL) {
    member = config_setting_add(group, name, CONFIG_TYPE_GROUP);
    if (member != NULL) config_setting_set_hook(member, option);
  }
  if (member == NULL) fault(r, option, "not a key", name);
  return member;
}

static hp_setting *descend(hp_config *r, char *option, hp_setting *at, const step *s, const step *next) {
  const int type = config_setting_type(at);
  if (type == CONFIG_TYPE_LIST) return list_entry(r, option, at, s);
  if (type == CONFIG_TYPE_ARRAY && s->name[0] == '\0') return list_entry(r, option, at, s);
  if (type == CONFIG_TYPE_GROUP && s->name[0] != '\0') return group_member(r, option, at, s->name, next);
  char path[HP_CONFIG_PATH];
  hp_config_path(at, path);
  if (s->name[0] == '\0') fault(r, option, "is not a list, which could be counted", path);
  else fault(r, option, "is not a group and has no keys", path);
  return NULL;
}

/* A row or a cell for another one. */
static bool replace_elements(const hp_setting *value, hp_setting *entry) {
  const int type = config_setting_type(entry);
  if (type == CONFIG_TYPE_GROUP || config_setting_type(value) == CONFIG_TYPE_GROUP) return false;
  if (type == CONFIG_TYPE_ARRAY && config_setting_type(value) != type) return false;
  while (config_setting_length(entry) > 0) config_setting_remove_elem(entry, 0);
  return copy_value(value, entry);
}

/* libconfig keeps the type of a list's entry: a scalar's value can change, and the elements of a list. */
static void set_entry(hp_config *r, char *option, hp_setting *entry, const hp_setting *value) {
  bool ok = false;
  if (config_setting_type(entry) == CONFIG_TYPE_FLOAT && config_setting_type(value) == CONFIG_TYPE_INT)
    ok = config_setting_set_float(entry, config_setting_get_int(value)) == CONFIG_TRUE;
  else if (config_setting_is_aggregate(entry) && config_setting_is_aggregate(value))
    ok = replace_elements(value, entry);
  else if (!config_setting_is_aggregate(entry) && config_setting_type(entry) == config_setting_type(value))
    ok = copy_value(value, entry);
  if (ok) config_setting_set_hook(entry, option);
  else fault(r, option, "an entry of another type: give the whole list", "");
}

static void set_member(hp_config *r, char *option, hp_setting *group, const char *name, const hp_setting *value) {
  remove_twin(group, name);
  if (config_setting_get_member(group, name) != NULL) config_setting_remove(group, name);
  hp_setting *member = config_setting_add(group, name, config_setting_type(value));
  if (member != NULL && copy_value(value, member)) config_setting_set_hook(member, option);
  else fault(r, option, "not a key", name);
}

/* ---- an option ---- */

static void enter(hp_config *r, char *option, const step *way, int count, const hp_setting *value) {
  hp_setting *at = config_root_setting(&r->tree);
  for (int n = 0; n + 1 < count && at != NULL; ++n) at = descend(r, option, at, &way[n], &way[n + 1]);
  if (at == NULL) return;
  const step *last = &way[count - 1];
  if (config_setting_type(at) == CONFIG_TYPE_GROUP && last->name[0] != '\0') {
    set_member(r, option, at, last->name, value);
    return;
  }
  hp_setting *entry = descend(r, option, at, last, last);
  if (entry != NULL) set_entry(r, option, entry, value);
}

static hp_status set_one(hp_config *r, const char *set, char **kept) {
  static const char lead[] = "--set ";
  const size_t size = strlen(set) + 1;
  HP_TRY(hp_alloc((void **)kept, (int64_t)(sizeof lead - 1 + size), 1, lead));
  memcpy(*kept, lead, sizeof lead - 1);
  memcpy(*kept + sizeof lead - 1, set, size);
  const char *equal = strchr(set, '=');
  step way[STEPS_MAX];
  const int count = equal != NULL ? split_path(set, (size_t)(equal - set), way) : 0;
  if (count == 0) {
    fault(r, *kept, "must be key.path=value, such as linear.tolerance=1e-3 or wells[0].radius=0.1", "");
    return HP_OK;
  }
  config_t tree;
  const hp_setting *value = parse_value(equal + 1, &tree);
  if (value != NULL) enter(r, *kept, way, count, value);
  else fault(r, *kept, "the value is neither a number, text, true or false, nor a list [..]", "");
  config_destroy(&tree);
  return HP_OK;
}

/* Lists of a case are made in the units that the options are in. */
static void find_units(hp_config *r, int nset, const char *const *set) {
  static const char lead[] = "units=";
  for (int n = 0; n < nset; ++n) {
    if (strncmp(set[n], lead, sizeof lead - 1) != 0) continue;
    const char *name = set[n] + sizeof lead - 1 + strspn(set[n] + sizeof lead - 1, " \"");
    for (int u = 0; u < HP_UNITS_COUNT; ++u) {
      const hp_units units = hp_units_of((hp_unit_system)u);
      if (strncmp(name, units.name, strlen(units.name)) == 0) r->units = units;
    }
  }
}

/* ---- the words of a line ---- */

/* The length of the word that begins at `at`: up to a blank outside quotes and brackets. */
static size_t word_length(const char *at) {
  int depth = 0;
  bool quoted = false;
  size_t n = 0;
  for (; at[n] != '\0' && (quoted || depth > 0 || strchr(" \t", at[n]) == NULL); ++n) {
    if (quoted && at[n] == '\\' && at[n + 1] != '\0') n += 1;
    else if (at[n] == '"') quoted = !quoted;
    else if (!quoted && strchr("([{", at[n]) != NULL) depth += 1;
    else if (!quoted && strchr(")]}", at[n]) != NULL) depth -= 1;
  }
  return n;
}

/* name: of a word without one, which is a value; NULL: every word has one. */
static void set_word(hp_config *r, char *option, hp_setting *group, const char *name, char *word) {
  char *equal = strchr(word, '=');
  config_t tree;
  if (name == NULL && (equal == NULL || equal == word)) {
    fault(r, option, "must be KEY=VALUE, such as bhp=150 or control=oil-rate", word);
    return;
  }
  if (name == NULL) *equal = '\0';
  const hp_setting *value = parse_value(name == NULL ? equal + 1 : word, &tree);
  if (value != NULL) set_member(r, option, group, name == NULL ? word : name, value);
  else fault(r, option, "the value is neither a number, text, true or false, nor a list [..]", word);
  config_destroy(&tree);
}

hp_status hp_config_set_words(hp_config *r, char *option, hp_setting *group, const char *first, const char *text) {
  for (const char *at = text + strspn(text, " \t"); *at != '\0'; at += strspn(at, " \t")) {
    const size_t length = word_length(at);
    char *word = NULL;
    HP_TRY(hp_format(&word, "%.*s", (int)length, at));
    set_word(r, option, group, first, word);
    HP_FREE(word);
    first = NULL;
    at += length;
  }
  return HP_OK;
}

hp_status hp_config_set(hp_config *r, int nset, const char *const *set) {
  if (r->overlay) find_units(r, nset, set);
  HP_TRY(HP_ALLOC(r->option, nset));
  r->nset = nset;
  for (int n = 0; n < nset; ++n) HP_TRY(set_one(r, set[n], &r->option[n]));
  return HP_OK;
}

/* ---- options before there is a case ---- */

bool hp_config_claims(int nset, const char *const *set, const char *path) {
  const size_t length = strlen(path);
  for (int n = 0; n < nset; ++n) {
    const size_t given = strcspn(set[n], "=");
    const bool begins = strncmp(set[n], path, given < length ? given : length) == 0;
    if (!begins) continue;
    if (given == length || (given < length && path[given] == '.') || (given > length && set[n][length] == '.'))
      return true;
  }
  return false;
}

static void parse_size(const hp_setting *s, int size[3]) {
  if (s == NULL || config_setting_length(s) != 3) return;
  for (int d = 0; d < 3; ++d) {
    const hp_setting *element = config_setting_get_elem(s, (unsigned)d);
    if (config_setting_type(element) == CONFIG_TYPE_INT) size[d] = config_setting_get_int(element);
  }
}

/* Values that make no size are reported when the options are laid over the case. */
void hp_config_claimed_size(int nset, const char *const *set, int size[3]) {
  for (int n = 0; n < nset; ++n) {
    const char *equal = strchr(set[n], '=');
    step way[STEPS_MAX];
    const int count = equal != NULL ? split_path(set[n], (size_t)(equal - set[n]), way) : 0;
    if (count < 1 || strcmp(way[0].name, "grid") != 0 || (count > 1 && strcmp(way[1].name, "size") != 0)) continue;
    config_t tree;
    const hp_setting *value = parse_value(equal + 1, &tree);
    if (value != NULL && count == 1) parse_size(hp_config_member(value, "size"), size);
    else if (value != NULL && count == 2 && config_setting_is_aggregate(value)) parse_size(value, size);
    else if (value != NULL && count == 3 && way[2].index >= 0 && way[2].index < 3 &&
             config_setting_type(value) == CONFIG_TYPE_INT)
      size[way[2].index] = config_setting_get_int(value);
    config_destroy(&tree);
  }
}

/* Options that go into lists of the case are left out: those lists are not known. */
hp_status hp_config_check_options(int nset, const char *const *set, hp_diag *diag) {
  hp_case none = {.nwell = 0};
  hp_config r = {.diag = diag, .c = &none, .units = hp_units_of(HP_UNITS_METRIC), .overlay = true};
  const char **plain;
  int count = 0;
  HP_TRY(HP_ALLOC(plain, nset));
  for (int n = 0; n < nset; ++n) {
    const size_t given = strcspn(set[n], "=");
    if (memchr(set[n], '[', given) == NULL && strncmp(set[n], "wells.", 6) != 0) plain[count++] = set[n];
  }
  config_init(&r.tree);
  const hp_status status = hp_config_set(&r, count, plain);
  hp_config_check(&r);
  for (int n = 0; n < r.nset; ++n) HP_FREE(r.option[n]);
  HP_FREE(r.option);
  config_destroy(&r.tree);
  HP_FREE(plain);
  return status;
}

/* ---- the tree as text ---- */

static void write_string(const char *s, FILE *f) {
  fputc('"', f);
  for (; *s != '\0'; ++s) {
    const unsigned char c = (unsigned char)*s;
    if (c == '"' || c == '\\') fprintf(f, "\\%c", c);
    else if (c < ' ') fprintf(f, "\\x%02X", c);
    else fputc(c, f);
  }
  fputc('"', f);
}

/* The shortest of 15 to 17 digits that reads back to the same number. */
void hp_config_write_float(double v, FILE *f) {
  char text[40];
  for (int digits = 15; digits <= 17; ++digits) {
    snprintf(text, sizeof text, "%.*g", digits, v);
    if (strtod(text, NULL) == v) break;
  }
  fprintf(f, "%s%s", text, strpbrk(text, ".en") == NULL ? ".0" : "");
}

static void write_setting(const hp_setting *s, int depth, const hp_config *r, FILE *f);

static void write_members(const hp_setting *s, int depth, const hp_config *r, FILE *f) {
  for (int n = 0; n < config_setting_length(s); ++n) {
    const hp_setting *member = config_setting_get_elem(s, (unsigned)n);
    fprintf(f, "%*s%s = ", 2 * depth, "", config_setting_name(member));
    write_setting(member, depth, r, f);
    fputs(";\n", f);
  }
}

static void write_entries(const hp_setting *s, int depth, const hp_config *r, FILE *f) {
  const bool list = config_setting_type(s) == CONFIG_TYPE_LIST;
  hp_config_mark gap;
  fputc(list ? '(' : '[', f);
  const bool left_out = r != NULL && hp_config_is_gap(r, s, &gap);
  if (left_out) fprintf(f, "\"\\x01 %d %lld %lld\"", gap.number, (long long)gap.count, (long long)gap.columns);
  for (int n = 0; n < config_setting_length(s) && !left_out; ++n) {
    if (n > 0) fputs(n % HP_CONFIG_LINE == 0 ? ",\n" : ", ", f);
    write_setting(config_setting_get_elem(s, (unsigned)n), depth, r, f);
  }
  fputc(list ? ')' : ']', f);
}

static void write_setting(const hp_setting *s, int depth, const hp_config *r, FILE *f) {
  switch (config_setting_type(s)) {
    case CONFIG_TYPE_INT: fprintf(f, "%d", config_setting_get_int(s)); break;
    case CONFIG_TYPE_INT64: fprintf(f, "%lldL", config_setting_get_int64(s)); break;
    case CONFIG_TYPE_FLOAT: hp_config_write_float(config_setting_get_float(s), f); break;
    case CONFIG_TYPE_BOOL: fputs(config_setting_get_bool(s) ? "true" : "false", f); break;
    case CONFIG_TYPE_STRING: write_string(config_setting_get_string(s), f); break;
    case CONFIG_TYPE_GROUP:
      fputs("{\n", f);
      write_members(s, depth + 1, r, f);
      fprintf(f, "%*s}", 2 * depth, "");
      break;
    default: write_entries(s, depth, r, f);
  }
}

char *hp_config_text(const config_t *tree, const hp_config *r) {
  char *text = NULL;
  size_t size;
  FILE *f = open_memstream(&text, &size);
  if (f == NULL) return NULL;
  write_members(config_root_setting(tree), 0, r, f);
  if (fclose(f) == 0) return text;
  free(text);
  return NULL;
}
