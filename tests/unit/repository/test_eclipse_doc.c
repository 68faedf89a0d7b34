/* docs/reference/eclipse.md lists the keyword table: every keyword, under its fate, with its sections and remark; no
 * others. */
#define _POSIX_C_SOURCE 200809L
#include "io/eclipse/impl.h"
#include "tests/support/eclipse_deck.h"

static char *read_doc(void) {
  const char *source = getenv("HEPTA_SOURCE");
  char path[1024];
  snprintf(path, sizeof path, "%s/docs/reference/eclipse.md", source != NULL ? source : ".");
  FILE *f = fopen(path, "rb");
  if (f == NULL) return NULL;
  char *text = calloc(1, 1 << 17);
  if (text != NULL && fread(text, 1, (1 << 17) - 1, f) == 0) text[0] = '\0';
  fclose(f);
  return text;
}

/* The part of the text between a heading and the next. */
static char *part(char *text, const char *heading) {
  char *from = strstr(text, heading);
  CHECK(from != NULL);
  if (from == NULL) return NULL;
  char *to = strstr(from + 1, "\n## ");
  char *copy = strdup(from);
  if (copy != NULL && to != NULL) copy[to - from] = '\0';
  return copy;
}

static void section_names(const hp_ecl_keyword_entry *entry, char *out, size_t size) {
  size_t n = 0;
  out[0] = '\0';
  if (entry->handler == hp_ecl_do_section) n = (size_t)snprintf(out, size, "-");
  else if (entry->sections == HP_ECL_ANYWHERE) n = (size_t)snprintf(out, size, "any");
  else
    for (unsigned bit = 1; bit <= HP_ECL_SCHEDULE; bit *= 2)
      if (entry->sections & bit)
        n += (size_t)snprintf(out + n, size - n, "%s%s", n > 0 ? ", " : "", hp_ecl_section_name(bit));
}

static bool has(const char *text, const char *row, const char *name) {
  if (text != NULL && strstr(text, row) != NULL) return true;
  fprintf(stderr, "docs/reference/eclipse.md: %s: expected: %s\n", name, row);
  return false;
}

/* The line of `text` on which `name` stands in backquotes ends with the remark. */
static bool listed(const char *text, const char *name, const char *remark) {
  char word[32], end[256];
  snprintf(word, sizeof word, "`%s`", name);
  snprintf(end, sizeof end, " | %s |", remark);
  const char *at = text != NULL ? strstr(text, word) : NULL;
  if (at == NULL) return has(text, word, name);
  const char *newline = strchr(at, '\n'), *found = strstr(at, end);
  if (found != NULL && (newline == NULL || found < newline)) return true;
  return has("", end, name);
}

static int count_words(const char *text) {
  int count = 0;
  for (const char *line = text; line != NULL; line = strchr(line + 1, '\n'))
    if (strncmp(line, "\n| `", 4) == 0) {
      const char *cell = strchr(line + 3, '|');
      for (const char *c = line; c != NULL && c < cell; ++c) count += *c == '`';
    }
  return count / 2;
}

/* Every name of a row, in the part of its fate, on a line that ends with the row's remark; their number. */
static int check_row(char *const in[3], const hp_ecl_keyword_entry *row) {
  int names = 0;
  for (const char *at = row->name; *at != '\0'; ++names) {
    char name[16];
    const size_t n = strcspn(at, " ");
    snprintf(name, sizeof name, "%.*s", (int)n, at);
    CHECK(listed(in[row->fate], name, row->remark));
    CHECK(n <= HP_ECL_KEYWORD && row->handler == NULL && row->sections == HP_ECL_ANYWHERE);
    const hp_ecl_token token = {.kind = HP_ECL_WORD, .count = 1, .text = at, .length = (int)n};
    CHECK(hp_ecl_find(&token) == row); /* in no other row, and not among those that work */
    at += n + strspn(at + n, " ");
  }
  return names;
}

int main(void) {
  char *text = read_doc();
  CHECK(text != NULL);
  if (text == NULL) return check_result();
  char *in[3] = {part(text, "\n## Keywords that work\n"), part(text, "\n## Keywords that are skipped\n"),
                 part(text, "\n## Keywords that stop the run\n")};
  int count, of[3] = {0, 0, 0};
  const hp_ecl_keyword_entry *entry = hp_ecl_table(&count);
  for (int n = 0; n < count; ++n) {
    of[entry[n].fate] += 1;
    CHECK(entry[n].fate == HP_ECL_WORKS);
    char row[512], sections[128];
    section_names(&entry[n], sections, sizeof sections);
    snprintf(row, sizeof row, "\n| `%s` | %s | %s |\n", entry[n].name, sections, entry[n].remark);
    CHECK(has(in[0], row, entry[n].name));
    CHECK(entry[n].handler != NULL && entry[n].items <= HP_ECL_ITEMS && strlen(entry[n].name) <= HP_ECL_KEYWORD);
    for (int other = 0; other < n; ++other) CHECK(strcmp(entry[other].name, entry[n].name) != 0);
  }
  const hp_ecl_keyword_entry *row = hp_ecl_others(&count);
  for (int n = 0; n < count; ++n) of[row[n].fate] += check_row(in, &row[n]);
  for (int fate = 0; fate < 3; ++fate) {
    CHECK(count_words(in[fate]) == of[fate]);
    free(in[fate]);
  }
  free(text);
  return check_result();
}
