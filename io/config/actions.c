/* quantities, quantity_tables and actions: what the user computes after every time step, and what becomes of wells then. */
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/show.h"
#include "io/config/impl.h"
#include "io/files/text.h"

/* ---- texts ---- */

/* Text n of a text or a list of texts; NULL, with an error, where it is none. */
static const char *text_of(hp_config *r, const hp_setting *s, int n) {
  const hp_setting *one = config_setting_is_aggregate(s) ? config_setting_get_elem(s, (unsigned)n) : s;
  if (config_setting_type(one) == CONFIG_TYPE_STRING) return config_setting_get_string(one);
  hp_config_error(r, one, "must be text in quotes");
  return NULL;
}

static int texts_of(const hp_setting *s) { return config_setting_is_aggregate(s) ? config_setting_length(s) : 1; }

/* Reads the expression of a key; *out and *text are NULL where it is at fault. */
static hp_status read_expression(hp_config *r, const hp_setting *s, const char *path, hp_expression_kind kind,
                                 char **text, hp_expression **out) {
  const char *given = NULL;
  char why[HP_EXPRESSION_WHY];
  if (!hp_config_string(r, s, path, &given)) return HP_OK;
  HP_TRY(hp_expression_parse(given, kind, out, why));
  if (*out == NULL) hp_config_error(r, hp_config_member(s, strrchr(path, '.') + 1), "%s", why);
  return *out != NULL ? hp_format(text, "%s", given) : HP_OK;
}

/* ---- quantities ---- */

static hp_status read_assigned(hp_config *r, const hp_setting *s, hp_quantity_entry *e) {
  const hp_setting *of = hp_config_member(s, "of");
  e->says = HP_QUANTITY_ASSIGNS;
  (void)hp_config_float(r, s, "quantities[].assign", &e->number);
  if (of == NULL) return HP_OK;
  HP_TRY(HP_ALLOC(e->name, texts_of(of)));
  for (int n = 0; n < texts_of(of); ++n) {
    const char *name = text_of(r, of, n);
    if (name == NULL) continue;
    if (name[0] == '\0' || strlen(name) >= HP_WELL_NAME) {
      hp_config_error(r, of, "'%.40s': a name has 1 to %d characters", name, HP_WELL_NAME - 1);
      continue;
    }
    snprintf(e->name[e->names++], HP_WELL_NAME, "%s", name);
  }
  return HP_OK;
}

static hp_status read_unit(hp_config *r, const hp_setting *s, int quantity) {
  const char *unit = NULL;
  hp_user_quantity *q = &r->c->quantity[quantity];
  if (hp_config_member(s, "unit") == NULL || !hp_config_string(r, s, "quantities[].unit", &unit)) return HP_OK;
  if (strlen(unit) >= sizeof q->unit) hp_config_error(r, s, "unit: at most %d characters", (int)sizeof q->unit - 1);
  else strcpy(q->unit, unit);
  return HP_OK;
}

/* Reads the entry, once its quantity is known; *any: it says more than a unit. */
static hp_status read_said(hp_config *r, const hp_setting *s, hp_quantity_entry *e, bool *any) {
  const bool define = hp_config_member(s, "define") != NULL, assign = hp_config_member(s, "assign") != NULL,
             update = hp_config_member(s, "update") != NULL;
  int choice = 0;
  *any = define || assign || update;
  if (define + assign + update > 1) hp_config_error(r, s, "give one of define, assign and update");
  if (!*any && hp_config_member(s, "unit") == NULL)
    hp_config_error(r, s, "says nothing: give define, assign or update");
  if (hp_config_member(s, "of") != NULL && !assign) hp_config_refuse(r, s, "of", "is for assign");
  if (define) return read_expression(r, s, "quantities[].define", HP_EXPRESSION_OF_QUANTITY, &e->text, &e->value);
  if (assign) return read_assigned(r, s, e);
  if (!update) return HP_OK;
  e->says = HP_QUANTITY_UPDATES;
  (void)hp_config_choice(r, s, "quantities[].update", &choice);
  e->update = (hp_update)choice;
  return HP_OK;
}

/* known: the quantity must be one of the case. */
static hp_status read_quantity(hp_config *r, const hp_setting *s, double time, bool known) {
  const int errors = r->diag->errors;
  const char *name = NULL;
  char why[HP_EXPRESSION_WHY] = "";
  hp_quantity_entry e = {.time = time, .line = hp_config_line(s)};
  bool any = false;
  if (!hp_config_string(r, s, "quantities[].name", &name)) return HP_OK;
  hp_quantity_fault(name, why);
  if (why[0] == '\0' && known && hp_case_quantity(r->c, name) < 0)
    snprintf(why, sizeof why, "'%s': no such quantity in the deck", name);
  if (why[0] != '\0') {
    hp_config_error(r, hp_config_member(s, "name"), "%s", why);
    return HP_OK;
  }
  HP_TRY(hp_case_quantity_add(r->c, name, &e.quantity));
  HP_TRY(hp_case_file(r->c, hp_config_file(r, s), &e.file));
  HP_TRY(read_unit(r, s, e.quantity));
  hp_status status = read_said(r, s, &e, &any);
  if (status == HP_OK && any && r->diag->errors == errors) return hp_case_quantity_entry_add(r->c, &e);
  hp_quantity_entry_clear(&e);
  return status;
}

hp_status hp_config_quantity_add(hp_config *r, const hp_setting *s, double time) {
  return read_quantity(r, s, time, true);
}

static hp_status read_quantities(hp_config *r, const hp_setting *list) {
  for (int n = 0; n < hp_config_length(list); ++n) {
    const hp_setting *s = hp_config_group(list, n);
    double time = 0.0;
    if (s == NULL) continue;
    if (hp_config_member(s, "time") != NULL && !hp_config_float(r, s, "quantities[].time", &time)) continue;
    HP_TRY(read_quantity(r, s, time, false));
  }
  return HP_OK;
}

/* ---- tables ---- */

/* *out [*count] (HP_ALLOC) numbers of an array; NULL, with an error, where they are none. */
static hp_status read_numbers(hp_config *r, const hp_setting *s, const char *name, int *count, double **out) {
  const hp_setting *list = hp_config_member(s, name);
  const int errors = r->diag->errors;
  *out = NULL;
  *count = list != NULL && config_setting_is_aggregate(list) ? config_setting_length(list) : 0;
  if (*count == 0) {
    hp_config_error(r, s, "%s is missing: numbers of the table", name);
    return HP_OK;
  }
  HP_TRY(HP_ALLOC(*out, *count));
  for (int n = 0; n < *count; ++n) (void)hp_config_number(r, config_setting_get_elem(list, (unsigned)n), &(*out)[n]);
  if (r->diag->errors > errors) HP_FREE(*out);
  return HP_OK;
}

static hp_status read_table(hp_config *r, const hp_setting *s) {
  hp_case *c = r->c;
  const char *name = NULL;
  int how = 0, columns = 0, errors = r->diag->errors;
  hp_quantity_table t = {.count = 0};
  if (!hp_config_string(r, s, "quantity_tables[].name", &name)) return HP_OK;
  (void)hp_config_choice(r, s, "quantity_tables[].how", &how);
  t.how = (hp_lookup)how;
  if (strlen(name) >= sizeof t.name || strncmp(name, "TU", 2) != 0)
    hp_config_error(r, s, "'%.40s': a table's name begins with TU and has at most 8 letters", name);
  else strcpy(t.name, name);
  HP_TRY(read_numbers(r, s, "points", &t.count, &t.x));
  HP_TRY(read_numbers(r, s, "values", &columns, &t.y));
  if (t.x != NULL && t.y != NULL && columns != t.count)
    hp_config_error(r, s, "%d points and %d values", t.count, columns);
  for (int n = 1; t.x != NULL && n < t.count; ++n)
    if (!(t.x[n] > t.x[n - 1])) {
      hp_config_error(r, s, "points must rise");
      break;
    }
  if (r->diag->errors == errors) {
    HP_TRY(HP_GROW(c->quantity_table, c->nquantity_table, 1));
    c->quantity_table[c->nquantity_table++] = t;
    return HP_OK;
  }
  HP_FREE(t.x);
  HP_FREE(t.y);
  return HP_OK;
}

/* ---- actions ---- */

static hp_status read_lines(hp_config *r, const hp_setting *s, hp_action *a) {
  const hp_setting *does = hp_config_member(s, "does");
  if (does == NULL) {
    hp_config_error(r, s, "does is missing: %s", hp_config_key_find("actions[].does")->what);
    return HP_OK;
  }
  const int lines = texts_of(does);
  if (lines > HP_ACTION_LINES_MOST) {
    hp_config_error(r, does, "more than %d lines", HP_ACTION_LINES_MOST);
    return HP_OK;
  }
  HP_TRY(HP_ALLOC(a->does, lines));
  for (int n = 0; n < lines; ++n) {
    const char *line = text_of(r, does, n);
    if (line == NULL) continue;
    HP_TRY(hp_format(&a->does[a->lines], "%s", line));
    a->lines += 1;
  }
  return HP_OK;
}

static hp_status fill_action(hp_config *r, const hp_setting *s, hp_action *a) {
  const char *name = NULL;
  a->times = 1;
  if (hp_config_string(r, s, "actions[].name", &name)) {
    if (name[0] == '\0' || strlen(name) >= sizeof a->name || hp_name_fault(name) != NULL)
      hp_config_error(r, s, "'%.40s': an action's name has 1 to %d characters", name, (int)sizeof a->name - 1);
    else strcpy(a->name, name);
  }
  if (hp_config_member(s, "time") != NULL) (void)hp_config_float(r, s, "actions[].time", &a->time);
  if (hp_config_member(s, "times") != NULL) (void)hp_config_int(r, s, "actions[].times", &a->times);
  if (hp_config_member(s, "interval") != NULL) (void)hp_config_float(r, s, "actions[].interval", &a->interval);
  HP_TRY(read_expression(r, s, "actions[].condition", HP_EXPRESSION_OF_CONDITION, &a->condition, &a->when));
  HP_TRY(read_lines(r, s, a));
  a->line = hp_config_line(s);
  return hp_case_file(r->c, hp_config_file(r, s), &a->file);
}

static hp_status read_action(hp_config *r, const hp_setting *s) {
  const int errors = r->diag->errors;
  hp_action a = {.time = 0.0};
  hp_status status = fill_action(r, s, &a);
  if (status == HP_OK && r->diag->errors == errors && a.when != NULL) return hp_case_action_add(r->c, &a);
  hp_action_clear(&a);
  return status;
}

/* ---- the lists ---- */

/* An option gives a list anew. */
hp_status hp_config_read_quantities(hp_config *r, const hp_setting *root) {
  const hp_setting *quantities = hp_config_member(root, "quantities"),
                   *tables = hp_config_member(root, "quantity_tables");
  const bool overlay = r->overlay;
  hp_case *c = r->c;
  (void)hp_config_float(r, root, "quantity_undefined", &c->quantity_undefined);
  (void)hp_config_float(r, root, "quantity_epsilon", &c->quantity_epsilon);
  r->overlay = false; /* it is read whole */
  if (overlay && quantities != NULL)
    while (c->nquantity_entry > 0) hp_quantity_entry_clear(&c->quantity_entry[--c->nquantity_entry]);
  hp_status status = read_quantities(r, quantities);
  for (int n = 0; n < hp_config_length(tables) && status == HP_OK; ++n)
    if (hp_config_group(tables, n) != NULL) status = read_table(r, hp_config_group(tables, n));
  r->overlay = overlay;
  return status;
}

hp_status hp_config_read_actions(hp_config *r, const hp_setting *root) {
  const hp_setting *actions = hp_config_member(root, "actions");
  const bool overlay = r->overlay;
  hp_case *c = r->c;
  hp_status status = HP_OK;
  r->overlay = false;
  if (overlay && actions != NULL)
    while (c->naction > 0) hp_action_clear(&c->action[--c->naction]);
  for (int n = 0; n < hp_config_length(actions) && status == HP_OK; ++n)
    if (hp_config_group(actions, n) != NULL) status = read_action(r, hp_config_group(actions, n));
  r->overlay = overlay;
  return status;
}

int hp_config_quantity_named(const hp_config *r, const hp_setting *s) {
  if (config_setting_type(s) != CONFIG_TYPE_STRING) return -1;
  return hp_case_quantity(r->c, config_setting_get_string(s));
}

/* ---- lines of actions, before the run ---- */

/* Lists that a trial changes, as they were. */
typedef struct {
  hp_case *c;
  int nevent, nperf, ngroup_event, ngroup, ntuning, nquantity;
  hp_well_event *event;
  hp_perf_event *perf;
  hp_group_event *group;
  hp_tuning *tuning;
} kept_lists;

#define KEEP(to, from, count)  \
  HP_TRY(HP_ALLOC(to, count)); \
  if ((count) > 0) memcpy(to, from, (size_t)(count) * sizeof *(to))

static hp_status keep_lists(hp_case *c, kept_lists *k) {
  *k = (kept_lists){.c = c,
                    .nevent = c->nevent,
                    .nperf = c->nperf_event,
                    .ngroup_event = c->ngroup_event,
                    .ngroup = c->ngroup,
                    .ntuning = c->ntuning};
  KEEP(k->event, c->event, c->nevent);
  KEEP(k->perf, c->perf_event, c->nperf_event);
  KEEP(k->group, c->group_event, c->ngroup_event);
  KEEP(k->tuning, c->tuning, c->ntuning);
  return HP_OK;
}

static void put_lists_back(kept_lists *k) {
  hp_case *c = k->c;
  HP_FREE(c->event);
  HP_FREE(c->perf_event);
  HP_FREE(c->group_event);
  HP_FREE(c->tuning);
  c->event = k->event;
  c->perf_event = k->perf;
  c->group_event = k->group;
  c->tuning = k->tuning;
  c->nevent = k->nevent;
  c->nperf_event = k->nperf;
  c->ngroup_event = k->ngroup_event;
  c->ngroup = k->ngroup;
  c->ntuning = k->ntuning;
}

/* Tries a line at a time; the case stays as it is. */
static hp_status try_line(hp_case *c, double time, const char *line, hp_diag *diag) {
  kept_lists k;
  const int entries = c->nquantity_entry;
  HP_TRY(keep_lists(c, &k));
  hp_status s = hp_config_add_entry(c, time, line, true, diag);
  put_lists_back(&k);
  for (int n = c->nquantity_entry - 1; c->nquantity_entry > entries && n >= 0;
       --n) /* the new one, of the latest time */
    if (c->quantity_entry[n].time == time) {
      hp_quantity_entry_clear(&c->quantity_entry[n]);
      memmove(c->quantity_entry + n, c->quantity_entry + n + 1,
              (size_t)(--c->nquantity_entry - n) * sizeof *c->quantity_entry);
    }
  return s == HP_ERR_DECK && diag->errors > 0 ? HP_OK : s;
}

/* A line that holds neither now nor at the end of the schedule is at fault: in between wells may get what it needs. */
static hp_status check_line(hp_case *c, const hp_action *a, const char *line, hp_diag *diag) {
  hp_diag now, later;
  hp_diag_init(&now);
  hp_diag_init(&later);
  const double end = c->nreport > 0 ? c->report[c->nreport - 1] : a->time;
  hp_status s = try_line(c, a->time, line, &now);
  if (s == HP_OK && now.errors > 0) s = try_line(c, end, line, &later);
  if (s == HP_OK && now.errors > 0 && later.errors > 0)
    hp_diag_error(diag, a->file, a->line, "action %s: '%s': %s", a->name, line, later.item[0].text);
  hp_diag_clear(&later);
  hp_diag_clear(&now);
  return s;
}

static hp_status check_action_line(hp_case *c, const hp_action *a, const char *line, hp_diag *diag) {
  bool any = false;
  if (!hp_action_line_asks(line)) return check_line(c, a, line, diag);
  for (int w = 0; w < c->nwell && diag->errors == 0; ++w) {
    char *one = NULL;
    if (!hp_expression_asks_about(a->when, c->well[w].name)) continue;
    any = true;
    HP_TRY(hp_action_line_for(line, c->well[w].name, &one));
    const hp_status s = check_line(c, a, one, diag);
    HP_FREE(one);
    HP_TRY(s);
  }
  if (!any)
    hp_diag_note(diag, a->file, a->line, "action %s: '%s' is about no well: its condition asks for none that is there",
                 a->name, line);
  return HP_OK;
}

hp_status hp_config_check_action_lines(hp_case *c, hp_diag *diag) {
  for (int n = 0; n < c->naction; ++n)
    for (int k = 0; k < c->action[n].lines && diag->errors == 0; ++k)
      HP_TRY(check_action_line(c, &c->action[n], c->action[n].does[k], diag));
  return HP_OK;
}
