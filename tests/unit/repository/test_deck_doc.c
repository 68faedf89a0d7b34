/* docs/reference/deck.md holds one row for every key of the table, word for word; choices too many for a row stand below the
 * table. With --print the rows are written, to be put into the document. */
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

static void row_of(const hp_config_key *key, char *out, size_t size) {
  char choices[CHOICES_MAX], range[300];
  list_choices(key->choices, choices, sizeof choices);
  snprintf(range, sizeof range, "%s", choices[0] != '\0' ? choices : key->range);
  if (strlen(choices) > CHOICES_OF_ROW) snprintf(range, sizeof range, "listed below");
  const bool unit = key->unit != HP_UNIT_NONE;
  snprintf(out, size, "| `%s` | %s%s%s | %s | %s | %s |", key->path, hp_config_kind_text(key->kind), unit ? ", " : "",
           unit ? quantity[key->unit] : "", key->fallback, range, key->what);
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

/* Rows of the tables of keys: those of five columns whose first is code. */
static int rows_in(const char *text) {
  int count = 0;
  for (const char *at = text; (at = strstr(at, "\n| `")) != NULL; ++at) {
    int bars = 0;
    for (const char *c = at + 1; *c != '\0' && *c != '\n'; ++c) bars += *c == '|';
    count += bars == 6;
  }
  return count;
}

int main(int argc, char **argv) {
  int count;
  const hp_config_key *key = hp_config_keys(&count);
  const bool print = argc > 1 && strcmp(argv[1], "--print") == 0;
  char *text = print ? NULL : read_document();
  CHECK(print || text != NULL);
  for (int n = 0; n < count; ++n) {
    char row[1024];
    row_of(&key[n], row, sizeof row);
    if (print) {
      puts(row);
    } else if (text != NULL && strstr(text, row) == NULL) {
      fprintf(stderr, "docs/reference/deck.md lacks the row\n%s\n", row);
      CHECK(false);
    }
    if (text != NULL) CHECK(lists_choices(&key[n], text));
  }
  if (text != NULL) CHECK(rows_in(text) == count); /* and none of keys that are gone */
  free(text);
  return check_result();
}
