#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "io/eclipse/actions.h"
#include "io/eclipse/impl.h"

hp_status hp_ecl_error(hp_ecl *e, const char *file, int line, const char *fmt, ...) {
  char text[512];
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(text, sizeof text, fmt, ap);
  va_end(ap);
  hp_diag_error(e->diag, file, line, "%s%s%s", e->name, e->name[0] != '\0' ? ": " : "", text);
  return hp_fail(HP_ERR_DECK, "%s:%d: %s: %s", file != NULL ? file : "", line, e->name, text);
}

hp_status hp_ecl_item_error(hp_ecl *e, const hp_ecl_record *record, int n, const char *fmt, ...) {
  char text[400];
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(text, sizeof text, fmt, ap);
  va_end(ap);
  return hp_ecl_error(e, record->file, record->line, "item %d (%s)%s", n + 1, e->entry->item[n].name, text);
}

hp_status hp_ecl_error_at(hp_ecl *e, const char *keyword, const char *text) {
  int count;
  const hp_ecl_token name = {.kind = HP_ECL_WORD, .text = keyword, .length = (int)strlen(keyword)};
  const hp_ecl_keyword_entry *table = hp_ecl_table(&count), *entry = hp_ecl_find(&name);
  const hp_ecl_place *at = entry != NULL && entry->fate == HP_ECL_WORKS ? &e->seen[entry - table] : NULL;
  const bool placed = at != NULL && at->line > 0;
  return hp_ecl_error(e, placed ? at->file : e->c->deck, placed ? at->line : 0, "%s: %s", keyword, text);
}

void hp_ecl_note(hp_ecl *e, const char *file, int line, const char *fmt, ...) {
  char text[512];
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(text, sizeof text, fmt, ap);
  va_end(ap);
  hp_diag_note(e->diag, file, line, "%s%s%s", e->name, e->name[0] != '\0' ? ": " : "", text);
}

hp_status hp_ecl_text(const char *text, size_t n, char **out) {
  HP_TRY(hp_alloc((void **)out, (int64_t)n + 1, 1, "text of the deck"));
  memcpy(*out, text, n);
  return HP_OK;
}

/* words */

static hp_status end_missing(hp_ecl *e, const hp_ecl_token *t) {
  if (t->kind == HP_ECL_END)
    return hp_ecl_error(e, e->file, e->line, "the file ends before the '/' that ends the data");
  return hp_ecl_error(e, t->file, t->line, "%s follows: the '/' that ends the data from line %d is missing",
                      hp_ecl_show(&e->lexer, t, "").s, e->line);
}

/* Lists of SUMMARY hold names of wells and groups, also FIELD or OIL: there only what can follow is a keyword. */
static bool may_follow(const hp_ecl *e, const hp_ecl_keyword_entry *found) {
  if (e->section != HP_ECL_SUMMARY || found->handler == hp_ecl_do_wefac) return true; /* WEFAC: a vector, too */
  if (found->handler == hp_ecl_do_section) return found->argument > (int)e->section;
  return found->fate != HP_ECL_REFUSED && (found->sections & (unsigned)e->section) != 0;
}

static bool is_keyword(hp_ecl *e, const hp_ecl_token *t, const hp_ecl_keyword_entry **found) {
  if (t->kind != HP_ECL_WORD || t->defaulted || t->count != 1) return false;
  if ((unsigned char)t->text[0] < 'A') return false; /* a number: the common case, and no keyword */
  if (!hp_ecl_alone(&e->lexer, t)) return false;
  *found = hp_ecl_find(t);
  return *found != NULL && may_follow(e, *found);
}

hp_status hp_ecl_word(hp_ecl *e, hp_ecl_token *t) {
  HP_TRY(hp_ecl_word_or_gap(e, t));
  return t->kind == HP_ECL_GAP ? hp_ecl_no_planes(e, "") : HP_OK;
}

hp_status hp_ecl_word_or_gap(hp_ecl *e, hp_ecl_token *t) {
  HP_TRY(hp_ecl_next(&e->lexer, t));
  const hp_ecl_keyword_entry *found;
  if (t->kind == HP_ECL_END || is_keyword(e, t, &found)) return end_missing(e, t);
  return HP_OK;
}

/* The next token, which stays to be read; what is wrong with it is reported when it is. */
static bool look_ahead(const hp_ecl *e, hp_ecl_token *t) {
  hp_ecl_lexer ahead = e->lexer;
  hp_diag dropped;
  hp_diag_init(&dropped);
  ahead.diag = &dropped;
  const bool there = hp_ecl_next(&ahead, t) == HP_OK;
  hp_diag_clear(&dropped);
  return there;
}

/* Report keywords take mnemonics, and some of those are keywords too (RPTSOL:
 * EQUIL, SWAT; RPTSCHED: WELSPECS, NEWTON). Such a word is a mnemonic unless data follow. */
static bool is_mnemonic(hp_ecl *e, const hp_ecl_keyword_entry *found) {
  if (strncmp(e->name, "RPT", 3) != 0) return false;
  if (found->fate == HP_ECL_WORKS && found->shape != HP_ECL_RAW && found->shape != HP_ECL_RECORD &&
      found->shape != HP_ECL_TABLES && strcmp(found->name, "WELSPECS") != 0)
    return false;
  hp_ecl_token t;
  double x;
  return !(look_ahead(e, &t) && (t.defaulted || hp_ecl_number(&t, &x)));
}

hp_status hp_ecl_skip_record(hp_ecl *e, bool *empty) {
  *empty = true;
  for (;;) {
    hp_ecl_token t;
    HP_TRY(hp_ecl_next(&e->lexer, &t));
    if (t.kind == HP_ECL_SLASH) return HP_OK;
    const hp_ecl_keyword_entry *found;
    if (t.kind == HP_ECL_END || (is_keyword(e, &t, &found) && !is_mnemonic(e, found))) return end_missing(e, &t);
    *empty = false;
  }
}

/* A mnemonic that is being read, and its value. */
typedef struct {
  char name[2 * HP_ECL_KEYWORD];
  int value;
  bool open, waits; /* there is one; its value comes next */
} mnemonic;

static void end_mnemonic(hp_ecl *e, mnemonic *m, void (*take)(hp_ecl *e, const char *name, int value)) {
  if (m->open) take(e, m->name, m->value);
  *m = (mnemonic){.value = 1};
}

/* NAME, NAME=1, NAME = 1, in pieces of any kind; numbers without a name are Eclipse's old controls. */
static void add_piece(hp_ecl *e, const hp_ecl_token *t, mnemonic *m,
                      void (*take)(hp_ecl *e, const char *name, int value)) {
  char text[4 * HP_ECL_KEYWORD];
  if (t->defaulted || t->length >= (int)sizeof text) return;
  hp_ecl_copy(t, text, sizeof text);
  char *equals = strchr(text, '=');
  const bool named = equals != text && isalpha((unsigned char)text[0]);
  if (named) {
    const size_t length = equals != NULL ? (size_t)(equals - text) : strlen(text);
    end_mnemonic(e, m, take);
    if (length >= sizeof m->name) return;
    for (size_t n = 0; n < length; ++n) m->name[n] = (char)toupper((unsigned char)text[n]);
    m->open = true;
  }
  if (equals != NULL) m->waits = true;
  const char *value = equals != NULL ? equals + 1 : named ? "" : text;
  if (!m->waits || *value == '\0') return;
  m->value = atoi(value);
  m->waits = false;
}

hp_status hp_ecl_read_mnemonics(hp_ecl *e, void (*take)(hp_ecl *e, const char *name, int value)) {
  mnemonic m = {.value = 1};
  for (;;) {
    hp_ecl_token t;
    const hp_ecl_keyword_entry *found;
    HP_TRY(hp_ecl_next(&e->lexer, &t));
    if (t.kind == HP_ECL_SLASH) break;
    if (t.kind == HP_ECL_END || (is_keyword(e, &t, &found) && !is_mnemonic(e, found))) return end_missing(e, &t);
    add_piece(e, &t, &m, take);
  }
  end_mnemonic(e, &m, take);
  return HP_OK;
}

bool hp_ecl_slash_next(const hp_ecl *e) {
  hp_ecl_token t;
  return look_ahead(e, &t) && t.kind == HP_ECL_SLASH;
}

bool hp_ecl_data_follow(const hp_ecl *e) {
  hp_ecl_token t;
  double x;
  return look_ahead(e, &t) && t.kind != HP_ECL_END && (t.kind != HP_ECL_WORD || t.defaulted || hp_ecl_number(&t, &x));
}

/* items */

static hp_status item_error(hp_ecl *e, const hp_ecl_item *item, int n, const hp_ecl_token *t, const char *what) {
  return hp_ecl_error(e, t->file, t->line, "item %d (%s): %s %s", n + 1, item->name, hp_ecl_show(&e->lexer, t, "'").s,
                      what);
}

/* Place of the text in "A|B|C", by whole words or by three letters and more of them. */
static int find_choice(const char *choices, const hp_ecl_token *t) {
  int place = 0;
  for (const char *c = choices; *c != '\0'; ++place) {
    const char *end = strchr(c, '|');
    const size_t n = end != NULL ? (size_t)(end - c) : strlen(c);
    char word[32];
    if (n < sizeof word && (size_t)t->length <= n && (t->length >= 3 || (size_t)t->length == n)) {
      memcpy(word, c, (size_t)t->length);
      word[t->length] = '\0';
      if (hp_ecl_equals(t, word)) return place;
    }
    c += n + (end != NULL);
  }
  return -1;
}

/* Blanks inside quotes around a name mean nothing. */
static hp_ecl_token trimmed(hp_ecl_token t) {
  while (t.length > 0 && t.text[0] == ' ') t.text += 1, t.length -= 1;
  while (t.length > 0 && t.text[t.length - 1] == ' ') t.length -= 1;
  return t;
}

static void set_default(const hp_ecl_item *item, hp_ecl_value *v) {
  memset(v, 0, sizeof *v);
  v->x = item->fallback;
  v->i = item->type == HP_ECL_INT && isfinite(item->fallback) ? (int64_t)item->fallback : 0;
  v->choice = item->choices != NULL && item->need != HP_ECL_REQUIRED ? 0 : -1;
}

static bool has_digits_only(const hp_ecl_token *t) {
  int n = t->length > 0 && (t->text[0] == '-' || t->text[0] == '+') ? 1 : 0;
  if (t->kind != HP_ECL_WORD || n == t->length) return false;
  while (n < t->length && t->text[n] >= '0' && t->text[n] <= '9') ++n;
  return n == t->length;
}

static hp_status set_item(hp_ecl *e, const hp_ecl_item *item, int n, const hp_ecl_token *token, hp_ecl_value *v) {
  const hp_ecl_token t = item->type == HP_ECL_TEXT ? trimmed(*token) : *token;
  v->text = t;
  v->given = true;
  if (item->type == HP_ECL_TEXT) {
    if (t.length == 0) {
      set_default(item, v);
      return HP_OK;
    }
    if (item->choices == NULL || item->need == HP_ECL_UNUSED) return HP_OK;
    v->choice = find_choice(item->choices, &t);
    if (v->choice >= 0) return HP_OK;
    char what[160];
    snprintf(what, sizeof what, "is not supported, only %s", item->choices);
    return item_error(e, item, n, &t, what);
  }
  if (item->type == HP_ECL_INT) {
    if (!hp_ecl_integer(&t, &v->i) || v->i > INT32_MAX || v->i < -INT32_MAX)
      return item_error(e, item, n, &t, has_digits_only(&t) ? "is too large for an integer" : "is not an integer");
    v->x = (double)v->i;
  } else {
    double x = 0.0;
    const bool uda = item->type == HP_ECL_UDA && t.length > 1 && toupper((unsigned char)t.text[1]) == 'U';
    if (uda) {
      v->quantity = hp_ecl_quantity_named(e, &t) + 1;
      if (v->quantity == 0) return item_error(e, item, n, &t, "is not a quantity that UDQ has made before");
      if (e->c->quantity[v->quantity - 1].level == HP_EXPRESSION_GROUPS)
        return item_error(e, item, n, &t, "belongs to groups");
      v->x = 0.0;
      return HP_OK;
    }
    if (!hp_ecl_number(&t, &x)) return item_error(e, item, n, &t, "is not a number");
    v->x = x * e->units.factor[item->quantity];
  }
  if (item->range == HP_ECL_POSITIVE && !(v->x > 0.0)) return item_error(e, item, n, &t, "must be > 0");
  if (item->range == HP_ECL_NOT_NEGATIVE && !(v->x >= 0.0)) return item_error(e, item, n, &t, "must be >= 0");
  if (item->need == HP_ECL_ONLY && !(v->x == item->fallback || (isnan(item->fallback) && v->x == 0.0))) {
    char what[64];
    snprintf(what, sizeof what, "is not supported, only %g or the default",
             isnan(item->fallback) ? 0.0 : item->fallback);
    return item_error(e, item, n, &t, what);
  }
  return HP_OK;
}

hp_status hp_ecl_read_record(hp_ecl *e, const hp_ecl_item *item, int items, hp_ecl_record *out, bool *empty) {
  *empty = true;
  out->faulty = false;
  out->file = e->file;
  out->line = e->line;
  for (int n = 0; n < items; ++n) set_default(&item[n], &out->v[n]);
  int64_t n = 0;
  hp_ecl_token t;
  for (;;) {
    HP_TRY(hp_ecl_word(e, &t));
    if (*empty) {
      out->file = t.file;
      out->line = t.line;
    }
    if (t.kind == HP_ECL_SLASH) break;
    *empty = false;
    /* Defaults behind the last item are many decks' habit and say nothing. */
    if (!t.defaulted && t.count > items - n && !out->faulty) {
      out->faulty = true;
      (void)hp_ecl_error(e, t.file, t.line, "%s is one item too many: %d are supported",
                         hp_ecl_show(&e->lexer, &t, "'").s, items);
    }
    for (int64_t c = 0; c < t.count && n < items; ++c, ++n)
      if (!t.defaulted && set_item(e, &item[n], (int)n, &t, &out->v[n]) != HP_OK) out->faulty = true;
  }
  if (*empty && e->entry->shape == HP_ECL_LIST) return HP_OK;
  for (n = 0; n < items; ++n)
    if (item[n].need == HP_ECL_REQUIRED && !out->v[n].given) {
      out->faulty = true;
      (void)hp_ecl_error(e, out->file, out->line, "item %d (%s) is missing and has no default", (int)n + 1,
                         item[n].name);
    }
  return HP_OK;
}

/* numbers */

enum { WORDS_MAX = 5 }; /* of one array that are no numbers and are reported one by one */

hp_status hp_ecl_skip_numbers(hp_ecl *e) {
  int reported = 0;
  for (;;) {
    hp_ecl_token t;
    double x;
    HP_TRY(hp_ecl_word_or_gap(e, &t));
    if (t.kind == HP_ECL_SLASH) return HP_OK;
    if (t.kind == HP_ECL_GAP || t.defaulted || hp_ecl_number(&t, &x) || reported++ >= WORDS_MAX) continue;
    (void)hp_ecl_error(e, t.file, t.line, "%s is not a number", hp_ecl_show(&e->lexer, &t, "'").s);
  }
}

/* Where numbers of rows go. */
typedef struct {
  const hp_ecl_rows *r;
  int64_t count, column; /* numbers so far, of them in the row */
  double *out;           /* the next one that is kept */
} row_writer;

static void put_numbers(row_writer *w, int64_t count, double x) {
  for (int64_t c = 0; c < count; ++c) {
    if (w->column >= w->r->begin && w->column < w->r->end) *w->out++ = x;
    if (++w->column == w->r->length) w->column = 0;
  }
  w->count += count;
}

/* Numbers of a gap; a default is none, and too many are none of the deck. */
static hp_status read_gap(hp_ecl *e, const hp_ecl_token *t, double factor, row_writer *w) {
  hp_ecl_gap_numbers g;
  const int64_t all = w->r->rows * w->r->length;
  hp_status s = hp_ecl_gap_open(e, t, &g);
  do {
    if (s == HP_OK) s = hp_ecl_gap_next(&g);
    bool sound = s == HP_OK && g.count <= all - w->count;
    for (int64_t n = 0; sound && n < g.count; ++n) sound = !isnan(g.value[n]);
    if (s == HP_OK && !sound) s = hp_spread_refuse(e->c->spread, HP_SPREAD_ERRORS);
    for (int64_t n = 0; s == HP_OK && n < g.count; ++n) put_numbers(w, 1, g.value[n] * factor);
  } while (s == HP_OK && g.count > 0);
  hp_ecl_gap_close(&g);
  return s;
}

hp_status hp_ecl_read_rows(hp_ecl *e, hp_quantity quantity, const hp_ecl_rows *r, double *out) {
  const double factor = e->units.factor[quantity];
  const int errors = e->diag->errors;
  const int64_t count = r->rows * r->length;
  row_writer w = {.r = r, .out = out};
  for (;;) {
    hp_ecl_token t;
    double x = 0.0;
    HP_TRY(hp_ecl_word_or_gap(e, &t));
    if (t.kind == HP_ECL_SLASH) break;
    if (t.kind == HP_ECL_GAP) {
      HP_TRY(read_gap(e, &t, factor, &w));
      continue;
    }
    if (!hp_ecl_number(&t, &x) && e->diag->errors < errors + WORDS_MAX)
      (void)hp_ecl_error(e, t.file, t.line, "%s is not a number", hp_ecl_show(&e->lexer, &t, "'").s);
    if (t.count > count - w.count) return hp_ecl_error(e, t.file, t.line, "more than %lld values", (long long)count);
    put_numbers(&w, t.count, x * factor);
  }
  if (w.count < count)
    return hp_ecl_error(e, e->file, e->line, "%lld values, %lld are needed", (long long)w.count, (long long)count);
  return e->diag->errors == errors ? HP_OK : HP_ERR_DECK;
}

hp_status hp_ecl_read_numbers(hp_ecl *e, hp_quantity quantity, int64_t count, double *out) {
  return hp_ecl_read_rows(e, quantity, &(hp_ecl_rows){1, count, 0, count}, out);
}

hp_status hp_ecl_read_table(hp_ecl *e, int columns, int *rows, double **out) {
  enum { CELLS_MAX = 1 << 20 };
  const int errors = e->diag->errors;
  int n = 0;
  double *cell = NULL;
  hp_status s = HP_OK;
  for (;;) {
    hp_ecl_token t;
    double x = NAN;
    s = hp_ecl_word(e, &t);
    if (s != HP_OK || t.kind == HP_ECL_SLASH) break;
    if (!t.defaulted && !hp_ecl_number(&t, &x)) {
      if (e->diag->errors < errors + WORDS_MAX)
        (void)hp_ecl_error(e, t.file, t.line, "%s is not a number", hp_ecl_show(&e->lexer, &t, "'").s);
      x = INFINITY;
    }
    if (t.count > CELLS_MAX - n) {
      s = hp_ecl_error(e, t.file, t.line, "a table of more than %d values", CELLS_MAX);
      break;
    }
    for (int64_t c = 0; c < t.count && s == HP_OK; ++c) {
      s = HP_GROW(cell, n, 1);
      if (s == HP_OK) cell[n++] = x;
    }
    if (s != HP_OK) break;
  }
  if (s == HP_OK && n % columns != 0)
    s = hp_ecl_error(e, e->file, e->line, "%d values do not make rows of %d columns", n, columns);
  if (s == HP_OK && n == 0) s = hp_ecl_error(e, e->file, e->line, "the table is empty");
  if (s != HP_OK) {
    HP_FREE(cell);
    return s;
  }
  *rows = n / columns;
  *out = cell;
  return HP_OK;
}
