/* Quantities of the user and actions, with the texts that the case has; and what an action does as lines. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/export/export.h"
#include "io/export/impl.h"
#include "io/files/text.h"
#include "wells/group.h"

/* ---- the lists of a deck ---- */

static void tables(hp_export *e) {
  const hp_case *c = e->c;
  for (int n = 0; n < c->nquantity_table; ++n) {
    const hp_quantity_table *t = &c->quantity_table[n];
    fprintf(e->f, "%s  { name = \"%s\"; how = \"%s\";\n    points = ", n == 0 ? "quantity_tables = (\n" : ",\n",
            t->name, hp_lookup_name[t->how]);
    hp_export_list(e, HP_UNIT_NONE, t->count, t->x, 10, "      ");
    fputs(";\n    values = ", e->f);
    hp_export_list(e, HP_UNIT_NONE, t->count, t->y, 10, "      ");
    fputs("; }", e->f);
  }
  if (c->nquantity_table > 0) fputs("\n);\n\n", e->f);
}

static void head(hp_export *e, int quantity, double time, bool *some) {
  fprintf(e->f, "%s  { name = \"%s\";", *some ? ",\n" : "quantities = (\n", e->c->quantity[quantity].name);
  if (time > 0.0) hp_export_assign(e, "time", HP_UNIT_TIME, time);
  *some = true;
}

static void entry(hp_export *e, const hp_quantity_entry *v) {
  switch (v->says) {
    case HP_QUANTITY_DEFINES:
      fputs(" define = ", e->f);
      hp_export_quoted(e, v->text);
      fputs(";", e->f);
      break;
    case HP_QUANTITY_ASSIGNS:
      hp_export_assign(e, "assign", HP_UNIT_NONE, v->number);
      for (int n = 0; n < v->names; ++n) {
        fputs(n == 0 ? " of = [" : ", ", e->f);
        hp_export_quoted(e, v->name[n]);
      }
      if (v->names > 0) fputs("];", e->f);
      break;
    case HP_QUANTITY_UPDATES: fprintf(e->f, " update = \"%s\";", hp_update_name[v->update]); break;
  }
  fputs(" }", e->f);
}

/* Units first, in the order of their numbers, in which values are computed. */
void hp_export_quantities(hp_export *e) {
  const hp_case *c = e->c;
  bool some = false;
  if (c->quantity_undefined != 0.0) hp_export_key(e, "", "quantity_undefined", HP_UNIT_NONE, c->quantity_undefined);
  if (c->quantity_epsilon != 1e-4) hp_export_key(e, "", "quantity_epsilon", HP_UNIT_NONE, c->quantity_epsilon);
  tables(e);
  for (int q = 0; q < c->nquantity && c->nquantity_entry > 0; ++q) {
    head(e, q, 0.0, &some);
    fputs(" unit = ", e->f);
    hp_export_quoted(e, c->quantity[q].unit);
    fputs("; }", e->f);
  }
  for (int n = 0; n < c->nquantity_entry; ++n) {
    head(e, c->quantity_entry[n].quantity, c->quantity_entry[n].time, &some);
    entry(e, &c->quantity_entry[n]);
  }
  if (some) fputs("\n);\n\n", e->f);
}

void hp_export_actions(hp_export *e) {
  const hp_case *c = e->c;
  for (int n = 0; n < c->naction; ++n) {
    const hp_action *a = &c->action[n];
    fputs(n == 0 ? "actions = (\n  { name = " : ",\n  { name = ", e->f);
    hp_export_quoted(e, a->name);
    fputs(";", e->f);
    if (a->time > 0.0) hp_export_assign(e, "time", HP_UNIT_TIME, a->time);
    if (a->times != 1) fprintf(e->f, " times = %d;", a->times);
    if (a->interval > 0.0) hp_export_assign(e, "interval", HP_UNIT_TIME, a->interval);
    fputs("\n    condition = ", e->f);
    hp_export_quoted(e, a->condition);
    fputs(";\n    does = (", e->f);
    for (int k = 0; k < a->lines; ++k) {
      fputs(k == 0 ? "" : ",\n            ", e->f);
      hp_export_quoted(e, a->does[k]);
    }
    fputs("); }", e->f);
  }
  if (c->naction > 0) fputs("\n);\n\n", e->f);
}

/* ---- lines ---- */

/* "well P1" and keys as a deck has them, " bhp = 150.0;", become words, " bhp=150.0". */
static hp_status make_line(const char *first, const char *keys, char **out) {
  hp_text t = {0};
  bool quoted = false;
  hp_text_add(&t, "%s", first);
  for (const char *at = keys; *at != '\0'; ++at) {
    const bool escaped = at > keys && at[-1] == '\\';
    if (*at == '"' && !escaped) quoted = !quoted;
    if (quoted || (*at != ';' && strncmp(at, " = ", 3) != 0)) {
      hp_text_add(&t, "%c", *at);
    } else if (*at == ' ') {
      hp_text_add(&t, "=");
      at += 2;
    }
  }
  *out = t.s;
  return t.status;
}

typedef struct {
  hp_export e;
  char *keys;
  size_t size;
} line_writer;

static hp_status open_line(const hp_case *c, const hp_units *u, line_writer *w) {
  *w = (line_writer){.e = {.c = c, .units = *u}};
  w->e.f = open_memstream(&w->keys, &w->size);
  return w->e.f != NULL ? HP_OK : hp_fail(HP_ERR_MEMORY, "no memory for a line: %s", strerror(errno));
}

/* word: "well"; name: "?" stands for itself, NULL: there is none. */
static hp_status close_line(line_writer *w, hp_status s, const char *word, const char *name, char **out) {
  hp_text first = {0};
  if (fclose(w->e.f) != 0 && s == HP_OK) s = hp_fail(HP_ERR_MEMORY, "no memory for a line");
  const bool plain = name == NULL || strcmp(name, "?") == 0;
  hp_text_add(&first, "%s%s", word, name == NULL ? "" : plain ? " ?" : " ");
  if (!plain) hp_text_add_quoted(&first, name);
  if (s == HP_OK) s = first.status;
  if (s == HP_OK) s = make_line(first.s, w->keys, out);
  hp_text_clear(&first);
  free(w->keys);
  return s;
}

hp_status hp_export_well_line(const hp_case *c, const hp_units *u, const char *name, const hp_well_event *v,
                              char **out) {
  line_writer w;
  HP_TRY(open_line(c, u, &w));
  hp_export_given(&w.e, v);
  return close_line(&w, HP_OK, "well", name, out);
}

hp_status hp_export_change_line(const hp_case *c, const hp_units *u, const char *name, const hp_perf_event *v,
                                char **out) {
  line_writer w;
  HP_TRY(open_line(c, u, &w));
  const hp_status s = hp_export_change(&w.e, v);
  return close_line(&w, s, "well", name, out);
}

hp_status hp_export_group_line(const hp_case *c, const hp_units *u, const hp_group_event *v, char **out) {
  hp_group_event nothing = {.time = v->time, .group = v->group, .control = hp_group_nothing()};
  line_writer w;
  HP_TRY(open_line(c, u, &w));
  if (!hp_export_settings(&w.e, "", "groups[]", HP_IN_GROUP, v, &nothing)) fputs(" efficiency = 1.0;", w.e.f);
  return close_line(&w, HP_OK, "group", hp_case_group_name(c, v->group), out);
}

hp_status hp_export_tuning_line(const hp_case *c, const hp_units *u, const hp_tuning *v, char **out) {
  hp_tuning nothing = hp_tuning_nothing();
  line_writer w;
  HP_TRY(open_line(c, u, &w));
  nothing.time = v->time;
  (void)hp_export_settings(&w.e, "", "tuning[]", HP_IN_TUNING, v, &nothing);
  return close_line(&w, HP_OK, "tuning", NULL, out);
}
