/* docs/reference/deck.md holds a row for every key of the table, word for word: neighbours that differ in their names alone
 * share one, and so do keys that another list explains. Choices too many for a row stand below the table. With --print the rows
 * are written, to be put into the document. */
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>
#include <string.h>

#include "io/config/config.h"
#include "tests/support/check.h"

static const char *const quantity[] = {
#define QUANTITY(name, text) text,
    HP_QUANTITY_LIST(QUANTITY)
#undef QUANTITY
};

/* "a|b|c" as "a, b, c" */
static void list_choices(const char *choices, char *out, size_t size) {
  size_t n = 0;
  if (*choices == '|') ++choices;
  for (; *choices != '\0' && n + 3 < size; ++choices) {
    if (*choices == '|') out[n++] = ',';
    out[n++] = *choices == '|' ? ' ' : *choices;
  }
  out[n] = '\0';
}

enum { CHOICES_MAX = 256, CHOICES_OF_ROW = 120 /* characters */ };

/* Lists whose keys are explained once: `list` has these of `as`, with defaults of its own. */
static const struct {
  const char *list, *as;
} shared[] = {{"fluids.oil.", "fluids.water."},
              {"schedule[].", "wells[]."},
              {"tuning[].", "timestep."},
              {"tuning[].", "newton."}};

/* Equal but for name and, of shared keys, default. */
static bool alike(const hp_config_key *a, const hp_config_key *b) {
  return a->kind == b->kind && a->unit == b->unit && strcmp(a->range, b->range) == 0 &&
         strcmp(a->choices, b->choices) == 0 && strcmp(a->what, b->what) == 0;
}

/* Whole groups and lists have a heading instead of a row. */
static bool has_row(const hp_config_key *key) {
  return strchr(key->path, '.') != NULL || (key->kind != HP_KEY_GROUP && key->kind != HP_KEY_LIST);
}

/* The list that explains a key of another one, or NULL. */
static const char *explained_by(const hp_config_key *key) {
  for (size_t n = 0; n < sizeof shared / sizeof shared[0]; ++n) {
    const size_t length = strlen(shared[n].list);
    if (strncmp(key->path, shared[n].list, length) != 0) continue;
    char path[128];
    snprintf(path, sizeof path, "%s%s", shared[n].as, key->path + length);
    const hp_config_key *other = hp_config_key_find(path);
    if (other != NULL && alike(key, other)) return shared[n].as;
  }
  return NULL;
}

/* The last name of a path. */
static const char *name_of(const hp_config_key *key) {
  const char *dot = strrchr(key->path, '.');
  return dot != NULL ? dot + 1 : key->path;
}

/* Keys of one group, side by side, that a row explains together; their number. */
static int keys_of_row(const hp_config_key *key, int count) {
  enum { NAMES_MAX = 120 /* characters */ };
  const char *as = explained_by(key);
  size_t length = strlen(key->path);
  int n = 1;
  for (; n < count; ++n) {
    const char *other = explained_by(&key[n]);
    const size_t parent = (size_t)(name_of(key) - key->path);
    length += strlen(name_of(&key[n])) + 4;
    if (!has_row(&key[n]) || (size_t)(name_of(&key[n]) - key[n].path) != parent ||
        strncmp(key->path, key[n].path, parent) != 0)
      break;
    if (strcmp(key->fallback, key[n].fallback) != 0 && as == NULL) break;
    if (as != NULL ? other == NULL || strcmp(as, other) != 0 : other != NULL || !alike(key, &key[n])) break;
    if (length > NAMES_MAX) break;
  }
  return n;
}

static void row_of(const hp_config_key *key, int count, char *out, size_t size) {
  size_t n = (size_t)snprintf(out, size, "| `%s`", key->path);
  for (int k = 1; k < count; ++k) n += (size_t)snprintf(out + n, size - n, ", `%s`", name_of(&key[k]));
  const char *as = explained_by(key);
  if (as != NULL) {
    snprintf(out + n, size - n, " | as in `%.*s` | | |", (int)strlen(as) - 1, as);
    return;
  }
  char choices[CHOICES_MAX];
  list_choices(key->choices, choices, sizeof choices);
  const char *value = choices[0] != '\0' ? choices : hp_config_kind_text(key->kind), *unit = "";
  if (strlen(choices) > CHOICES_OF_ROW) value = "listed below";
  if (key->unit != HP_UNIT_NONE) { /* a number is named by its quantity: "length > 0" */
    unit = quantity[key->unit];
    if (key->kind == HP_KEY_FLOAT) value = unit, unit = "";
  }
  snprintf(out + n, size - n, " | %s%s%s%s%s | %s | %s |", value, unit[0] != '\0' ? ", " : "", unit,
           key->range[0] != '\0' ? " " : "", key->range, key->fallback, key->what);
}

/* The key's choices, where its row does not list them. */
static bool lists_choices(const hp_config_key *key, const char *text) {
  char choices[CHOICES_MAX];
  list_choices(key->choices, choices, sizeof choices);
  return strlen(choices) <= CHOICES_OF_ROW || strstr(text, choices) != NULL;
}

static char *read_document(void) {
  char path[1024];
  const char *root = getenv("HEPTA_SOURCE");
  snprintf(path, sizeof path, "%s/docs/reference/deck.md", root != NULL ? root : ".");
  FILE *f = fopen(path, "rb");
  if (f == NULL) {
    fprintf(stderr, "%s: cannot open\n", path);
    return NULL;
  }
  enum { ROOM = 1 << 20 };
  char *text = calloc(ROOM, 1);
  if (text != NULL && fread(text, 1, ROOM - 1, f) == 0) text[0] = '\0';
  fclose(f);
  return text;
}

/* Rows of the tables of keys: those of four columns whose first is code. */
static int rows_in(const char *text) {
  int count = 0;
  for (const char *at = text; (at = strstr(at, "\n| `")) != NULL; ++at) {
    int bars = 0;
    for (const char *c = at + 1; *c != '\0' && *c != '\n'; ++c) bars += *c == '|';
    count += bars == 5;
  }
  return count;
}

int main(int argc, char **argv) {
  int count;
  const hp_config_key *key = hp_config_keys(&count);
  const bool print = argc > 1 && strcmp(argv[1], "--print") == 0;
  char *text = print ? NULL : read_document();
  CHECK(print || text != NULL);
  int rows = 0;
  for (int n = 0, of = 0; n < count; n += of) {
    char row[1024];
    of = 1;
    if (!has_row(&key[n])) continue;
    of = keys_of_row(&key[n], count - n);
    ++rows;
    row_of(&key[n], of, row, sizeof row);
    if (print) {
      puts(row);
    } else if (text != NULL && strstr(text, row) == NULL) {
      fprintf(stderr, "docs/reference/deck.md lacks the row\n%s\n", row);
      CHECK(false);
    }
  }
  for (int n = 0; n < count; ++n) CHECK(text == NULL || lists_choices(&key[n], text));
  if (text != NULL) CHECK(rows_in(text) == rows); /* and none of keys that are gone */
  free(text);
  return check_result();
}
