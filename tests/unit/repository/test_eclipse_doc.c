/* docs/reference/eclipse.md lists the keyword table: every keyword, under its fate, with its sections and remark; no
 * others. Neighbours of one remark share a row. With --print the lists are written, to be put into the document. */
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
    for (unsigned bit = 1; bit <= HP_ECL_SCHEDULE; bit *= 2) {
      unsigned last = bit; /* of sections side by side; three and more are "first to last" */
      if (!(entry->sections & bit)) continue;
      while (last < HP_ECL_SCHEDULE && (entry->sections & (2 * last))) last *= 2;
      n += (size_t)snprintf(out + n, size - n, "%s%s", n > 0 ? ", " : "", hp_ecl_section_name(bit));
      if (last < 4 * bit) continue;
      n += (size_t)snprintf(out + n, size - n, " to %s", hp_ecl_section_name(last));
      bit = last;
    }
}

static bool has(const char *text, const char *row, const char *name) {
  if (text != NULL && strstr(text, row) != NULL) return true;
  fprintf(stderr, "docs/reference/eclipse.md: %s: expected: %s\n", name, row);
  return false;
}

/* `name` stands in backquotes in the list's item that begins with the remark. */
static bool listed(const char *text, const char *name, const char *remark) {
  char word[32], head[256];
  snprintf(word, sizeof word, "`%s`", name);
  snprintf(head, sizeof head, "\n- **%s**:", remark);
  const char *item = text != NULL ? strstr(text, head) : NULL;
  if (item == NULL) return has("", head + 1, name);
  const char *end = strstr(item + 1, "\n- "), *found = strstr(item, word);
  return (found != NULL && (end == NULL || found < end)) || has("", word, remark);
}

/* Keywords in rows of the first table, or in items of the other lists. */
static int count_words(const char *text) {
  int count = 0;
  for (const char *line = text; line != NULL; line = strchr(line + 1, '\n')) {
    const char *cell = NULL;
    if (strncmp(line, "\n| `", 4) == 0) cell = strchr(line + 3, '|');
    if (strncmp(line, "\n- **", 5) == 0 || strncmp(line, "\n  `", 4) == 0) cell = line + 1 + strcspn(line + 1, "\n");
    for (const char *c = line; cell != NULL && c < cell; ++c) count += *c == '`';
  }
  return count / 2;
}

/* Entries side by side that a row explains together; their number. */
static int entries_of_row(const hp_ecl_keyword_entry *entry, int count) {
  enum { NAMES_MAX = 80 /* characters */ };
  char sections[2][128];
  size_t length = strlen(entry->name);
  int n = 1;
  section_names(entry, sections[0], sizeof sections[0]);
  for (; n < count; ++n) {
    section_names(&entry[n], sections[1], sizeof sections[1]);
    length += strlen(entry[n].name) + 4;
    if (strcmp(entry->remark, entry[n].remark) != 0 || strcmp(sections[0], sections[1]) != 0 || length > NAMES_MAX)
      break;
  }
  return n;
}

static void row_of(const hp_ecl_keyword_entry *entry, int count, char *out, size_t size) {
  char sections[128];
  section_names(entry, sections, sizeof sections);
  size_t at = (size_t)snprintf(out, size, "\n| `%s`", entry->name);
  for (int n = 1; n < count; ++n) at += (size_t)snprintf(out + at, size - at, ", `%s`", entry[n].name);
  snprintf(out + at, size - at, " | %s | %s |\n", sections, entry->remark);
}

/* The lists of one fate, for --print. */
static void print_lists(hp_ecl_fate fate) {
  int count;
  const hp_ecl_keyword_entry *row = hp_ecl_others(&count);
  for (int n = 0; n < count; ++n) {
    bool first = row[n].fate == fate;
    for (int other = 0; other < n; ++other) first = first && strcmp(row[other].remark, row[n].remark) != 0;
    if (!first) continue;
    size_t column = (size_t)printf("- **%s**:", row[n].remark);
    for (int other = n; other < count; ++other) {
      if (strcmp(row[other].remark, row[n].remark) != 0) continue;
      for (const char *at = row[other].name; *at != '\0';) {
        const size_t length = strcspn(at, " ");
        if (column + length > 140) column = (size_t)printf("\n ") - 1;
        column += (size_t)printf(" `%.*s`", (int)length, at);
        at += length + strspn(at + length, " ");
      }
    }
    printf("\n");
  }
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

static int print(void) {
  int count;
  const hp_ecl_keyword_entry *entry = hp_ecl_table(&count);
  for (int n = 0, of = 0; n < count; n += of) {
    char row[512];
    of = entries_of_row(&entry[n], count - n);
    row_of(&entry[n], of, row, sizeof row);
    printf("%s", row + 1);
  }
  for (int fate = HP_ECL_WORKS + 1; fate < 3; ++fate) {
    printf("\n");
    print_lists((hp_ecl_fate)fate);
  }
  return 0;
}

int main(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "--print") == 0) return print();
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
    CHECK(entry[n].handler != NULL && entry[n].items <= HP_ECL_ITEMS && strlen(entry[n].name) <= HP_ECL_KEYWORD);
    for (int other = 0; other < n; ++other) CHECK(strcmp(entry[other].name, entry[n].name) != 0);
  }
  for (int n = 0, together = 0; n < count; n += together) {
    char row[512];
    together = entries_of_row(&entry[n], count - n);
    row_of(&entry[n], together, row, sizeof row);
    CHECK(has(in[0], row, entry[n].name));
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
