/* Quantities of the user: UDQ, UDT, UDQPARAM, and quantities in place of numbers. */
#include <ctype.h>
#include <math.h>
#include <string.h>
#include <strings.h>

#include "core/memory.h"
#include "core/show.h"
#include "io/eclipse/actions.h"

/* ---- words of a record ---- */

/* The next word at *at, without quotes; false: there is none. */
static bool next_word(const char **at, char *out, size_t size) {
  const char *from = *at + strspn(*at, " \t\r,");
  const bool quoted = *from == '\'' || *from == '"';
  const char *end = quoted ? strchr(from + 1, *from) : NULL;
  if (*from == '\0') return false;
  if (end == NULL) end = from + strcspn(from, " \t\r,");
  else ++from;
  snprintf(out, size, "%.*s", (int)(end - from), from);
  *at = end + (quoted && *end != '\0');
  return true;
}

static void to_capitals(char *text) {
  for (; *text != '\0'; ++text) *text = (char)toupper((unsigned char)*text);
}

typedef struct {
  hp_ecl_place place;
  int quantity;
  const char *rest; /* of the record, behind the name */
} udq_record;

/* An action has lines in place of entries, which take effect when it runs. */
static hp_status add_entry(hp_ecl *e, const hp_quantity_entry *entry) {
  hp_text line = {0};
  if (e->action == NULL) return hp_case_quantity_entry_add(e->c, entry);
  hp_text_add(&line, "quantity %s", e->c->quantity[entry->quantity].name);
  if (entry->says == HP_QUANTITY_DEFINES) {
    hp_text_add(&line, " define=\"");
    for (const char *at = entry->text; *at != '\0'; ++at) hp_text_add(&line, "%c", *at == '"' ? '\'' : *at);
    hp_text_add(&line, "\"");
  } else if (entry->says == HP_QUANTITY_ASSIGNS) {
    hp_text_add(&line, " assign=%.17g", entry->number);
    for (int n = 0; n < entry->names; ++n) {
      hp_text_add(&line, n == 0 ? " of=[" : ",");
      hp_text_add_quoted(&line, entry->name[n]);
    }
    hp_text_add(&line, "%s", entry->names > 0 ? "]" : "");
  } else {
    hp_text_add(&line, " update=\"%s\"", hp_update_name[entry->update]);
  }
  hp_quantity_entry copy = *entry;
  hp_quantity_entry_clear(&copy);
  return line.status == HP_OK ? hp_ecl_action_line(e, line.s) : line.status;
}

static hp_status define(hp_ecl *e, const udq_record *r, hp_quantity_entry *entry) {
  char why[HP_EXPRESSION_WHY];
  const char *text = r->rest + strspn(r->rest, " \t\r");
  HP_TRY(hp_expression_parse(text, HP_EXPRESSION_OF_QUANTITY, &entry->value, why));
  if (entry->value == NULL)
    return hp_ecl_error(e, r->place.file, r->place.line, "DEFINE %s: %s", e->c->quantity[r->quantity].name, why);
  size_t length = strlen(text);
  while (length > 0 && strchr(" \t\r", text[length - 1]) != NULL) --length;
  return hp_ecl_text(text, length, &entry->text);
}

/* ASSIGN WUX 'P*' 'Q' 5.0: names, then a number. */
static hp_status assign(hp_ecl *e, const udq_record *r, hp_quantity_entry *entry) {
  char word[256], last[256] = "";
  const char *at = r->rest;
  entry->says = HP_QUANTITY_ASSIGNS;
  while (next_word(&at, word, sizeof word)) {
    if (last[0] != '\0') {
      if (strlen(last) >= HP_WELL_NAME)
        return hp_ecl_error(e, r->place.file, r->place.line, "'%.40s': a name of more than %d characters", last,
                            HP_WELL_NAME - 1);
      HP_TRY(HP_GROW(entry->name, entry->names, 1));
      memcpy(entry->name[entry->names++], last, strlen(last) + 1);
    }
    memcpy(last, word, sizeof last);
  }
  const hp_ecl_token number = {.kind = HP_ECL_WORD, .text = last, .length = (int)strlen(last)};
  const bool scalar = e->c->quantity[r->quantity].level == HP_EXPRESSION_SCALAR;
  if (last[0] == '\0' || !hp_ecl_number(&number, &entry->number))
    return hp_ecl_error(e, r->place.file, r->place.line, "ASSIGN %s: '%.40s' is not a number",
                        e->c->quantity[r->quantity].name, last);
  if (scalar && entry->names > 0)
    return hp_ecl_error(e, r->place.file, r->place.line, "ASSIGN %s: it has one value, and takes one number",
                        e->c->quantity[r->quantity].name);
  return HP_OK;
}

static hp_status update(hp_ecl *e, const udq_record *r, hp_quantity_entry *entry) {
  char word[32] = "";
  const char *at = r->rest;
  entry->says = HP_QUANTITY_UPDATES;
  (void)next_word(&at, word, sizeof word);
  for (int n = 0; n < HP_UPDATES; ++n)
    if (strcasecmp(word, hp_update_name[n]) == 0) {
      entry->update = (hp_update)n;
      return HP_OK;
    }
  return hp_ecl_error(e, r->place.file, r->place.line, "UPDATE %s: '%s' is not supported, only ON, OFF and NEXT",
                      e->c->quantity[r->quantity].name, word);
}

static hp_status set_unit(hp_ecl *e, const udq_record *r) {
  hp_user_quantity *q = &e->c->quantity[r->quantity];
  const char *at = r->rest;
  char word[32] = "";
  (void)next_word(&at, word, sizeof word);
  if (hp_name_fault(word) != NULL)
    return hp_ecl_error(e, r->place.file, r->place.line, "UNITS %s: a unit that %s", q->name, hp_name_fault(word));
  snprintf(q->unit, sizeof q->unit, "%.15s", word);
  return HP_OK;
}

static hp_status read_record(hp_ecl *e, const hp_ecl_place *place, const char *text) {
  char operation[16] = "", name[64] = "", why[HP_EXPRESSION_WHY];
  const char *at = text;
  (void)next_word(&at, operation, sizeof operation);
  to_capitals(operation);
  udq_record r = {.place = *place};
  if (strcmp(operation, "DEFINE") != 0 && strcmp(operation, "ASSIGN") != 0 && strcmp(operation, "UPDATE") != 0 &&
      strcmp(operation, "UNITS") != 0)
    return hp_ecl_error(e, place->file, place->line, "'%s' is not supported, only DEFINE, ASSIGN, UNITS and UPDATE",
                        operation);
  (void)next_word(&at, name, sizeof name);
  to_capitals(name);
  hp_quantity_fault(name, why);
  if (why[0] != '\0') return hp_ecl_error(e, place->file, place->line, "%s", why);
  HP_TRY(hp_case_quantity_add(e->c, name, &r.quantity));
  r.rest = at;
  if (operation[0] == 'U' && operation[1] == 'N') return set_unit(e, &r);
  hp_quantity_entry entry = {
      .time = e->now, .quantity = r.quantity, .file = place->file, .line = place->line, .update = HP_UPDATE_ON};
  hp_status s = operation[0] == 'D'   ? define(e, &r, &entry)
                : operation[0] == 'A' ? assign(e, &r, &entry)
                                      : update(e, &r, &entry);
  if (s == HP_OK) return add_entry(e, &entry);
  hp_quantity_entry_clear(&entry);
  return s;
}

hp_status hp_ecl_do_udq(hp_ecl *e, const hp_ecl_record *none) {
  (void)none;
  hp_text record = {0};
  hp_status s = HP_OK;
  for (bool empty = false; !empty;) {
    hp_ecl_place place;
    s = hp_ecl_text_record(e, true, false, &record, &place);
    if (s != HP_OK) break;
    empty = record.s == NULL || record.s[strspn(record.s, " \t\r")] == '\0' || record.length == 0;
    if (!empty) s = read_record(e, &place, record.s);
    if (s == HP_ERR_DECK) s = HP_OK; /* reported; the others are read */
    if (s != HP_OK) break;
  }
  hp_text_clear(&record);
  return s;
}

/* ---- a quantity in place of a number ---- */

int hp_ecl_quantity_named(const hp_ecl *e, const hp_ecl_token *t) {
  char name[HP_QUANTITY_NAME];
  if (t->length < 2 || t->length >= HP_QUANTITY_NAME) return -1;
  hp_ecl_copy(t, name, sizeof name);
  to_capitals(name);
  return hp_case_quantity(e->c, name);
}

/* ---- parameters, tables ---- */

hp_status hp_ecl_do_udqparam(hp_ecl *e, const hp_ecl_record *record) {
  const hp_ecl_items_udqparam *v = &record->udqparam;
  e->c->quantity_undefined = v->undefined.x;
  e->c->quantity_epsilon = v->epsilon.x;
  return HP_OK;
}

/* The numbers of a record into *out [*count] (HP_ALLOC). how, not NULL: a word comes first. */
static hp_status read_row(hp_ecl *e, char how[8], int *count, double **out) {
  enum { MOST = 10000 };
  *out = NULL;
  *count = 0;
  for (bool first = true;; first = false) {
    hp_ecl_token t;
    double x;
    HP_TRY(hp_ecl_word(e, &t));
    if (t.kind == HP_ECL_SLASH) return HP_OK;
    if (first && how != NULL) {
      hp_ecl_copy(&t, how, 8);
      continue;
    }
    if (!hp_ecl_number(&t, &x) || t.count != 1 || *count == MOST)
      return hp_ecl_error(e, t.file, t.line, "%s is not a number of the table", hp_ecl_show(&e->lexer, &t, "'").s);
    HP_TRY(HP_GROW(*out, *count, 1));
    (*out)[(*count)++] = x;
  }
}

static hp_status read_table(hp_ecl *e, const hp_ecl_record *record, hp_quantity_table *t) {
  static const char *const kind[] = {
#define LOOKUP_KEYWORD(name, text, keyword) keyword,
      HP_LOOKUP_LIST(LOOKUP_KEYWORD)
#undef LOOKUP_KEYWORD
  };
  char how[8] = "";
  int rows = 0, dimensions = 1;
  dimensions = (int)record->udt.dimensions.i;
  if (dimensions != 1)
    return hp_ecl_item_error(e, record, HP_ECL_AT(udt, dimensions), ": %d: only tables of one are supported",
                             dimensions);
  if (record->udt.name.text.length >= HP_QUANTITY_NAME)
    return hp_ecl_item_error(e, record, HP_ECL_AT(udt, name), ": more than 8 letters");
  hp_ecl_copy(&record->udt.name.text, t->name, sizeof t->name);
  to_capitals(t->name);
  HP_TRY(read_row(e, how, &t->count, &t->x));
  HP_TRY(read_row(e, NULL, &rows, &t->y));
  to_capitals(how);
  int n = 0;
  while (n < HP_LOOKUPS && strcmp(how, kind[n]) != 0) ++n;
  if (n == HP_LOOKUPS)
    return hp_ecl_error(e, record->file, record->line, "'%s' is not supported, only NV, LC and LL", how);
  t->how = (hp_lookup)n;
  if (rows != t->count || rows == 0)
    return hp_ecl_error(e, record->file, record->line, "table %s has %d points and %d values", t->name, t->count, rows);
  for (int k = 1; k < rows; ++k)
    if (!(t->x[k] > t->x[k - 1]))
      return hp_ecl_error(e, record->file, record->line, "table %s: its points must rise", t->name);
  return HP_OK;
}

hp_status hp_ecl_do_udt(hp_ecl *e, const hp_ecl_record *none) {
  (void)none;
  for (;;) {
    hp_ecl_record record;
    bool empty;
    hp_quantity_table t = {.count = 0};
    if (hp_ecl_slash_next(e)) return hp_ecl_skip_record(e, &empty);
    HP_TRY(hp_ecl_read_record(e, e->entry->item, e->entry->items, &record, &empty));
    hp_status s = record.faulty ? HP_ERR_DECK : read_table(e, &record, &t);
    if (s == HP_OK) s = hp_ecl_skip_record(e, &empty); /* the '/' that ends the table */
    if (s == HP_OK) s = HP_GROW(e->c->quantity_table, e->c->nquantity_table, 1);
    if (s != HP_OK) {
      HP_FREE(t.x);
      HP_FREE(t.y);
      return s;
    }
    e->c->quantity_table[e->c->nquantity_table++] = t;
  }
}
