#include "io/diag.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/show.h"

/* Items beyond this many are counted, not kept: a deck can be wrong in a million places. */
enum { KEPT_MAX = 4096, TEXT_MAX = 1000 };

static char *copy_text(const char *s) {
  const size_t n = strlen(s) + 1;
  char *t = malloc(n);
  if (t != NULL) memcpy(t, s, n);
  return t;
}

void hp_diag_init(hp_diag *d) { memset(d, 0, sizeof *d); }

void hp_diag_clear(hp_diag *d) {
  for (int n = 0; n < d->count; ++n) {
    free(d->item[n].file);
    free(d->item[n].text);
  }
  free(d->item);
  hp_inputs_clear(&d->read);
  hp_diag_init(d);
}

/* An item that finds no memory is still counted, so an error is never lost. */
static void add(hp_diag *d, bool error, const char *file, int line, const char *fmt, va_list ap) {
  if (error) d->errors += 1;
  else d->notes += 1;
  if (d->count == d->capacity) {
    const int capacity = d->capacity == 0 ? 16 : 2 * d->capacity;
    hp_diag_item *item = d->count < KEPT_MAX ? realloc(d->item, (size_t)capacity * sizeof *item) : NULL;
    if (item == NULL) return;
    d->item = item;
    d->capacity = capacity;
  }
  char raw[TEXT_MAX], text[TEXT_MAX];
  vsnprintf(raw, sizeof raw, fmt, ap);
  hp_escape(raw, text, sizeof text);
  hp_diag_item *it = &d->item[d->count];
  it->error = error;
  it->line = line;
  it->file = file != NULL ? copy_text(file) : NULL;
  it->text = copy_text(text);
  if (it->text == NULL) {
    free(it->file);
    return;
  }
  d->count += 1;
}

void hp_diag_error(hp_diag *d, const char *file, int line, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  add(d, true, file, line, fmt, ap);
  va_end(ap);
}

void hp_diag_note(hp_diag *d, const char *file, int line, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  add(d, false, file, line, fmt, ap);
  va_end(ap);
}

/* ---- printing ---- */

typedef struct {
  const hp_diag_item *item;
  int file, place; /* files in the order in which they were first named; place keeps the sort stable */
} sorted_item;

static int by_place(const void *a, const void *b) {
  const sorted_item *x = a, *y = b;
  if (x->file != y->file) return x->file < y->file ? -1 : 1;
  if (x->item->line != y->item->line) return x->item->line < y->item->line ? -1 : 1;
  return x->place < y->place ? -1 : x->place > y->place;
}

static bool same_file(const char *a, const char *b) { return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0); }

static int file_number(const hp_diag *d, int n) {
  for (int m = 0; m < n; ++m)
    if (same_file(d->item[m].file, d->item[n].file)) return m;
  return n;
}

void hp_diag_print_item(const hp_diag_item *it, FILE *f) {
  if (it->file != NULL && it->line > 0) fprintf(f, "%s:%d: ", hp_show(it->file).s, it->line);
  else if (it->file != NULL) fprintf(f, "%s: ", hp_show(it->file).s);
  fprintf(f, "%s%s\n", it->error ? "" : "note: ", it->text);
}

static bool has_note(const hp_diag *d, const hp_diag_item *it) {
  for (int n = 0; d != NULL && n < d->count; ++n) {
    const hp_diag_item *o = &d->item[n];
    if (!o->error && o->line == it->line && same_file(o->file, it->file) && strcmp(o->text, it->text) == 0) return true;
  }
  return false;
}

void hp_diag_keep_notes(hp_diag *said, const hp_diag *d) {
  for (int n = 0; n < d->count; ++n)
    if (!d->item[n].error && !has_note(said, &d->item[n]))
      hp_diag_note(said, d->item[n].file, d->item[n].line, "%s", d->item[n].text);
}

static void print(const hp_diag *d, bool notes, const hp_diag *said, FILE *f) {
  sorted_item *order = d->count > 0 ? malloc((size_t)d->count * sizeof *order) : NULL;
  for (int n = 0; order != NULL && n < d->count; ++n) order[n] = (sorted_item){&d->item[n], file_number(d, n), n};
  if (order != NULL) qsort(order, (size_t)d->count, sizeof *order, by_place);
  int printed = 0;
  for (int n = 0; n < d->count; ++n) {
    const hp_diag_item *it = order != NULL ? order[n].item : &d->item[n];
    if (it->error ? printed == HP_DIAG_MAX : !notes || has_note(said, it)) continue;
    printed += it->error;
    hp_diag_print_item(it, f);
  }
  if (d->errors > printed) fprintf(f, "... and %d more errors\n", d->errors - printed);
  free(order);
}

void hp_diag_print(const hp_diag *d, FILE *f) { print(d, true, NULL, f); }
void hp_diag_print_new(const hp_diag *d, const hp_diag *said, FILE *f) { print(d, true, said, f); }
void hp_diag_print_errors(const hp_diag *d, FILE *f) { print(d, false, NULL, f); }

/* ---- the nearest name ---- */

enum { NAME_MAX_LENGTH = 63 };

static int least(int a, int b) { return a < b ? a : b; }

/* Optimal string alignment distance: insert, delete, replace, swap neighbours. */
static int distance(const char *a, const char *b) {
  const int na = (int)strlen(a), nb = (int)strlen(b);
  int row[3][NAME_MAX_LENGTH + 1];
  for (int j = 0; j <= nb; ++j) row[0][j] = j;
  for (int i = 1; i <= na; ++i) {
    int *now = row[i % 3], *above = row[(i + 2) % 3], *above2 = row[(i + 1) % 3];
    now[0] = i;
    for (int j = 1; j <= nb; ++j) {
      now[j] = least(least(above[j], now[j - 1]) + 1, above[j - 1] + (a[i - 1] != b[j - 1]));
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) now[j] = least(now[j], above2[j - 2] + 1);
    }
  }
  return row[na % 3][nb];
}

const char *hp_nearest(const char *name, const char *const *names, int count) {
  const size_t length = strlen(name);
  if (length > NAME_MAX_LENGTH) return NULL;
  const char *best = NULL;
  int limit = length < 2 ? 0 : (int)(length + 2) / 3; /* more than about a third wrong is another word */
  for (int n = 0; n < count; ++n)
    if (names[n] != NULL && strcasecmp(name, names[n]) == 0) return names[n];
  for (int n = 0; n < count; ++n) {
    if (names[n] == NULL || strlen(names[n]) > NAME_MAX_LENGTH) continue;
    const int away = distance(name, names[n]);
    if (away > limit) continue;
    best = names[n];
    limit = away - 1; /* the next one must be nearer */
  }
  return best;
}

bool hp_name_matches(const char *pattern, const char *name) {
  const char *star = NULL, *from = NULL;
  while (*name != '\0') {
    if (*pattern == '*') {
      star = pattern++;
      from = name;
    } else if (*pattern == '?' || *pattern == *name) {
      ++pattern;
      ++name;
    } else if (star != NULL) {
      pattern = star + 1;
      name = ++from;
    } else {
      return false;
    }
  }
  while (*pattern == '*') ++pattern;
  return *pattern == '\0';
}
