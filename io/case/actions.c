/* Quantities and actions of a case. */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "io/case/vectors.h"
#include "io/files/text.h"

/* ---- names ---- */

int hp_case_quantity(const hp_case *c, const char *name) {
  for (int n = 0; n < c->nquantity; ++n)
    if (strcmp(c->quantity[n].name, name) == 0) return n;
  return -1;
}

static const char *const level_letter = "FWG"; /* by hp_expression_level */

hp_status hp_case_quantity_add(hp_case *c, const char *name, int *quantity) {
  *quantity = hp_case_quantity(c, name);
  if (*quantity >= 0) return HP_OK;
  if (c->nquantity == HP_QUANTITIES_MOST) return hp_fail(HP_ERR_DECK, "more than %d quantities", HP_QUANTITIES_MOST);
  HP_TRY(HP_GROW(c->quantity, c->nquantity, 1));
  hp_user_quantity *q = &c->quantity[c->nquantity];
  *q = (hp_user_quantity){.level = (hp_expression_level)(strchr(level_letter, name[0]) - level_letter)};
  snprintf(q->name, sizeof q->name, "%s", name);
  *quantity = c->nquantity++;
  return HP_OK;
}

/* ---- entries ---- */

hp_status hp_case_quantity_entry_add(hp_case *c, const hp_quantity_entry *e) {
  HP_TRY(HP_GROW(c->quantity_entry, c->nquantity_entry, 1));
  int n = c->nquantity_entry++;
  for (; n > 0 && c->quantity_entry[n - 1].time > e->time; --n) c->quantity_entry[n] = c->quantity_entry[n - 1];
  c->quantity_entry[n] = *e;
  return HP_OK;
}

hp_status hp_case_action_add(hp_case *c, const hp_action *a) {
  if (c->naction == HP_ACTIONS_MOST) return hp_fail(HP_ERR_DECK, "more than %d actions", HP_ACTIONS_MOST);
  HP_TRY(HP_GROW(c->action, c->naction, 1));
  int n = c->naction++;
  for (; n > 0 && c->action[n - 1].time > a->time; --n) c->action[n] = c->action[n - 1];
  c->action[n] = *a;
  return HP_OK;
}

void hp_case_actions_clear(hp_case *c) {
  for (int n = 0; n < c->nquantity_entry; ++n) hp_quantity_entry_clear(&c->quantity_entry[n]);
  for (int n = 0; n < c->naction; ++n) hp_action_clear(&c->action[n]);
  for (int n = 0; n < c->nquantity_table; ++n) {
    HP_FREE(c->quantity_table[n].x);
    HP_FREE(c->quantity_table[n].y);
  }
  HP_FREE(c->quantity_table);
  HP_FREE(c->quantity_entry);
  HP_FREE(c->quantity);
  HP_FREE(c->action);
  c->nquantity = c->nquantity_entry = c->nquantity_table = c->naction = 0;
}

bool hp_case_has_actions(const hp_case *c) { return c->nquantity_entry > 0 || c->naction > 0; }

void hp_case_each_expression(const hp_case *c, void *arg, bool (*visit)(void *arg, const hp_expression *x)) {
  for (int n = 0; n < c->nquantity_entry; ++n)
    if (c->quantity_entry[n].value != NULL && !visit(arg, c->quantity_entry[n].value)) return;
  for (int n = 0; n < c->naction; ++n)
    if (!visit(arg, c->action[n].when)) return;
}

/* ---- what is asked for is there ---- */

typedef struct {
  const hp_case *c;
  hp_diag *diag;
  const char *file;
  int line;
  char what[64]; /* "action A1", "quantity FUX" */
} place;

/* Of the calendar, which only conditions and expressions have. */
static bool is_of_calendar(const char *name) {
  return strcmp(name, "DAY") == 0 || strcmp(name, "MNTH") == 0 || strcmp(name, "YEAR") == 0;
}

/* A vector as the summary would have it; "": a set of all wells or groups, which needs no check of names. */
static void as_vector(const hp_expression_node *v, char out[64]) {
  switch (hp_expression_argument_of(v->name)) {
    case HP_ARGUMENT_NUMBER: snprintf(out, 64, "%s:%d", v->name, v->at[0]); break;
    case HP_ARGUMENT_CELL: snprintf(out, 64, "%s:%d,%d,%d", v->name, v->at[0], v->at[1], v->at[2]); break;
    default: snprintf(out, 64, "%s", v->name); break;
  }
}

static void check_vector(const place *p, const hp_expression_node *v) {
  char text[64], why[HP_CASE_WHY];
  if (is_of_calendar(v->name)) {
    if (p->c->start[0] == '\0')
      hp_diag_error(p->diag, p->file, p->line, "%s: %s needs the date of time zero: give start", p->what, v->name);
    return;
  }
  const bool user = strlen(v->name) >= 2 && v->name[1] == 'U' && strchr("FWGABCRS", v->name[0]) != NULL;
  if (user && hp_case_quantity(p->c, v->name) >= 0) return;
  if (user) {
    hp_quantity_fault(v->name, why);
    if (why[0] != '\0') hp_diag_error(p->diag, p->file, p->line, "%s: %s", p->what, why);
    else
      hp_diag_error(p->diag, p->file, p->line, "%s: there is no quantity %s (UDQ DEFINE or ASSIGN, or quantities)",
                    p->what, v->name);
    return;
  }
  as_vector(v, text);
  hp_summary_vector_fault(p->c, text, why);
  if (why[0] != '\0') hp_diag_error(p->diag, p->file, p->line, "%s: %s", p->what, why);
  else if (strcmp(v->name, "WMCTL") == 0) hp_diag_error(p->diag, p->file, p->line, "%s: WMCTL is no number", p->what);
}

static bool means_any(const hp_case *c, char letter, const char *name) {
  for (int w = 0; letter == 'W' && w < c->nwell; ++w)
    if (hp_name_matches(name, c->well[w].name)) return true;
  for (int g = 1; letter == 'G' && g <= c->ngroup; ++g)
    if (hp_name_matches(name, hp_case_group_name(c, g))) return true;
  return false;
}

/* Names that mean nothing; true: none of them means a well or group. */
static bool check_names(const place *p, char letter, int names, const char (*name)[HP_WELL_NAME]) {
  int found = 0;
  for (int n = 0; n < names; ++n) {
    if (means_any(p->c, letter, name[n])) {
      found += 1;
      continue;
    }
    hp_diag_note(p->diag, p->file, p->line, "%s: no %s is meant by '%s'", p->what, letter == 'W' ? "well" : "group",
                 name[n]);
  }
  return names > 0 && found == 0;
}

/* Whether no value can come of node n. */
static bool is_never(const hp_expression *x, const bool *never, int n) {
  const hp_expression_node *e = &x->node[n];
  if (e->kind != HP_NODE_BINARY) return e->a >= 0 && never[e->a] && e->kind != HP_NODE_CALL;
  if (e->of == HP_OPERATOR_OR || e->of <= HP_OPERATOR_UMAX) return never[e->a] && never[e->b];
  return never[e->a] || never[e->b];
}

const hp_quantity_table *hp_case_quantity_table(const hp_case *c, const char *name) {
  for (int n = 0; n < c->nquantity_table; ++n)
    if (strcmp(c->quantity_table[n].name, name) == 0) return &c->quantity_table[n];
  return NULL;
}

/* *never: it has no value, or never holds. */
static void check_expression(const place *p, const hp_expression *x, bool *never) {
  bool none[HP_EXPRESSION_NODES] = {false};
  for (int n = 0; n < x->count; ++n) {
    const hp_expression_node *e = &x->node[n];
    none[n] = is_never(x, none, n);
    if (e->kind == HP_NODE_TABLE && hp_case_quantity_table(p->c, e->name) == NULL)
      hp_diag_error(p->diag, p->file, p->line, "%s: there is no table %s (UDT, or quantity_tables)", p->what, e->name);
    if (e->kind != HP_NODE_VECTOR) continue;
    check_vector(p, e);
    none[n] = check_names(p, e->name[0], e->names, (const char(*)[HP_WELL_NAME])(x->name + e->first));
  }
  *never = none[x->root];
}

static void check_quantity_entry(const hp_case *c, hp_diag *diag, const hp_quantity_entry *e) {
  static const char *const belongs[] = {"one number", "a number for each well", "a number for each group"};
  const hp_user_quantity *q = &c->quantity[e->quantity];
  place p = {.c = c, .diag = diag, .file = e->file, .line = e->line};
  bool never;
  snprintf(p.what, sizeof p.what, "quantity %s", q->name);
  if (e->says == HP_QUANTITY_ASSIGNS) (void)check_names(&p, q->name[0], e->names, (const char(*)[HP_WELL_NAME])e->name);
  if (e->value == NULL) return;
  check_expression(&p, e->value, &never);
  const hp_expression_level level = e->value->node[e->value->root].level;
  if (level != HP_EXPRESSION_SCALAR && level != q->level)
    hp_diag_error(diag, e->file, e->line, "%s: the expression gives %s, and %s is %s%s", p.what, belongs[level],
                  q->name, belongs[q->level],
                  q->level == HP_EXPRESSION_SCALAR ? ": SUM, MAX, AVEA and the like make one of them" : "");
}

void hp_case_check_actions(const hp_case *c, hp_diag *diag) {
  for (int n = 0; n < c->nquantity_entry; ++n) check_quantity_entry(c, diag, &c->quantity_entry[n]);
  for (int n = 0; n < c->naction; ++n) {
    const hp_action *a = &c->action[n];
    place p = {.c = c, .diag = diag, .file = a->file, .line = a->line};
    bool never;
    snprintf(p.what, sizeof p.what, "action %s", a->name);
    check_expression(&p, a->when, &never);
    if (never) hp_diag_note(diag, a->file, a->line, "action %s: its condition can never hold", a->name);
    if (a->lines == 0) hp_diag_note(diag, a->file, a->line, "action %s: nothing is done when it runs", a->name);
  }
}
