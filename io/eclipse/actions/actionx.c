/* ACTIONX ... ENDACTIO: a condition, and keywords for the time when it holds.
 *
 * The keywords between are read by their handlers as if they came at the end of time; what these add to the schedule
 * becomes the action's lines (io/export/export.h), and wells are put back as they were.
 */
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/show.h"
#include "io/eclipse/actions.h"
#include "io/export/export.h"

/* The well lists of a text, '*NAME', become their wells. bare: names may stand without quotes. */
static void add_token(const hp_ecl *e, hp_text *t, const char *at, size_t length, bool quoted) {
  int found = 0;
  char name[HP_WELL_NAME];
  const bool list = length > 1 && length < sizeof name && at[0] == '*';
  snprintf(name, sizeof name, "%.*s", list ? (int)length : 0, at);
  for (int w = 0; list && w < e->wells; ++w)
    for (int n = 0; n < e->lists; ++n) {
      bool holds = false;
      for (int k = 0; k < e->list[n].count; ++k) holds = holds || e->list[n].well[k] == w;
      if (!holds || !hp_name_matches(name + 1, e->list[n].name + 1)) continue;
      hp_text_add(t, "%s'%s'", found++ > 0 ? " " : "", e->well[w].spec.name);
      break;
    }
  if (found == 0) hp_text_add(t, quoted ? "'%.*s'" : "%.*s", (int)length, at);
}

static void add_with_lists(const hp_ecl *e, hp_text *t, const char *line, size_t length, bool bare) {
  for (size_t n = 0; n < length;) {
    const bool quote = line[n] == '\'' || line[n] == '"';
    const char *end = quote ? memchr(line + n + 1, line[n], length - n - 1) : NULL;
    const bool begins = n == 0 || strchr(" \t(", line[n - 1]) != NULL;
    if (end != NULL) {
      add_token(e, t, line + n + 1, (size_t)(end - line - (ptrdiff_t)n) - 1, true);
      n = (size_t)(end - line) + 1;
    } else if (bare && begins && line[n] == '*') {
      size_t word = 1;
      while (n + word < length && strchr(" \t()<>=!/", line[n + word]) == NULL) ++word;
      add_token(e, t, line + n, word, false);
      n += word;
    } else {
      hp_text_add(t, "%c", line[n++]);
    }
  }
}

/* The length of a line without its comment. *slash: where the first '/' outside quotes is, and the last one; -1: there is none. */
static int content(const hp_ecl_token *line, int *first, int *last) {
  char quote = '\0';
  int n = 0;
  *first = *last = -1;
  for (; n < line->length; ++n) {
    const char c = line->text[n];
    if (quote != '\0') quote = c == quote ? '\0' : quote;
    else if (c == '\'' || c == '"') quote = c;
    else if (c == '-' && n + 1 < line->length && line->text[n + 1] == '-') break;
    else if (c == '/') {
      *first = *first < 0 ? n : *first;
      *last = n;
    }
  }
  while (n > 0 && strchr(" \t\r", line->text[n - 1]) != NULL) --n;
  return n;
}

hp_status hp_ecl_text_record(hp_ecl *e, bool divides, bool bare, hp_text *out, hp_ecl_place *place) {
  out->length = 0;
  *place = (hp_ecl_place){e->file, e->line};
  for (bool ended = false; !ended;) {
    hp_ecl_token line, word;
    int first, last;
    const bool keyword = hp_ecl_peek(&e->lexer, &word) && hp_ecl_find(&word) != NULL && out->length > 0;
    hp_ecl_line(&e->lexer, &line);
    if (line.kind == HP_ECL_END || (keyword && line.length == word.length))
      return hp_ecl_error(e, place->file, place->line, "the '/' that ends this record is missing");
    const int length = content(&line, &first, &last);
    const int slash = divides ? (last >= 0 && last == length - 1 ? last : -1) : first;
    if (out->length == 0) *place = (hp_ecl_place){line.file, line.line};
    if (out->length > HP_EXPRESSION_TEXT)
      return hp_ecl_error(e, place->file, place->line, "a record of more than %d characters", HP_EXPRESSION_TEXT);
    if (out->length > 0) hp_text_add(out, " ");
    add_with_lists(e, out, line.text, (size_t)(slash >= 0 ? slash : length), bare);
    ended = slash >= 0;
    HP_TRY(out->status);
  }
  return HP_OK;
}

/* ---- the beginning ---- */

/* Without blanks at its end. */
static int trimmed_length(const hp_text *t) {
  int length = (int)t->length;
  while (length > 0 && strchr(" \t\r", t->s[length - 1]) != NULL) --length;
  return length;
}

static bool is_blank(const hp_text *t) { return t->s == NULL || t->length == 0 || t->s[strspn(t->s, " \t\r")] == '\0'; }

/* Records of the condition, joined; up to an empty one. */
static hp_status read_condition(hp_ecl *e, hp_text *all, hp_ecl_place *place) {
  hp_text record = {0};
  hp_status s = HP_OK;
  for (bool empty = false; !empty && s == HP_OK;) {
    hp_ecl_place at;
    s = hp_ecl_text_record(e, false, true, &record, &at);
    if (s != HP_OK) break;
    empty = is_blank(&record);
    if (all->length == 0) *place = at;
    if (!empty) hp_text_add(all, "%s%.*s", all->length > 0 ? " " : "", trimmed_length(&record), record.s);
    if (all->length > 2 * HP_EXPRESSION_TEXT)
      s = hp_ecl_error(e, place->file, place->line, "a condition of more than %d characters", HP_EXPRESSION_TEXT);
    if (s == HP_OK) s = all->status;
  }
  hp_text_clear(&record);
  return s;
}

/* Wells as they are, for the end of the action. */
static hp_status keep_wells(hp_ecl *e, hp_ecl_action *a) {
  HP_TRY(HP_ALLOC(a->well, e->wells));
  HP_TRY(HP_ALLOC(a->open_last, e->wells));
  a->wells = e->wells;
  for (int w = 0; w < e->wells; ++w) {
    a->well[w] = e->well[w];
    HP_TRY(HP_ALLOC(a->open_last[w], e->well[w].spec.nperf));
    for (int q = 0; q < e->well[w].spec.nperf; ++q) a->open_last[w][q] = e->well[w].spec.perf[q];
  }
  a->group_events = e->c->ngroup_event;
  a->tunings = e->c->ntuning;
  return HP_OK;
}

/* Connections that the action has added stay, shut. */
static void put_wells_back(hp_ecl *e, const hp_ecl_action *a) {
  for (int w = 0; w < a->wells; ++w) {
    const hp_well_spec now = e->well[w].spec;
    for (int q = 0; q < now.nperf; ++q) {
      hp_perf_spec *p = &now.perf[q];
      bool found = false;
      for (int k = 0; k < a->well[w].spec.nperf; ++k) {
        const hp_perf_spec *was = &a->open_last[w][k];
        if (was->i != p->i || was->j != p->j || was->k != p->k) continue;
        p->open_last = was->open_last;
        found = true;
      }
      if (!found) p->open_last = false;
    }
    const hp_ecl_place connected = {e->well[w].connected_file, e->well[w].connected_line};
    e->well[w] = a->well[w];
    e->well[w].spec = now;
    if (e->well[w].connected_file != NULL) continue;
    e->well[w].connected_file = connected.file; /* all that it has may be the action's */
    e->well[w].connected_line = connected.line;
  }
}

void hp_ecl_action_clear(hp_ecl *e) {
  hp_ecl_action *a = e->action;
  if (a == NULL) return;
  for (int w = 0; a->open_last != NULL && w < a->wells; ++w) HP_FREE(a->open_last[w]);
  HP_FREE(a->open_last);
  HP_FREE(a->well);
  hp_action_clear(&a->is);
  HP_FREE(e->action);
}

static hp_status begin(hp_ecl *e, const hp_ecl_record *record, const hp_text *condition, const hp_ecl_place *place) {
  const hp_ecl_items_actionx *v = &record->actionx;
  char why[HP_EXPRESSION_WHY];
  HP_TRY(HP_ALLOC(e->action, 1));
  hp_ecl_action *a = e->action;
  a->is = (hp_action){
      .time = e->now, .times = (int)v->times.i, .interval = v->interval.x, .file = record->file, .line = record->line};
  hp_ecl_copy(&v->name.text, a->is.name, sizeof a->is.name);
  HP_TRY(hp_ecl_text(condition->s != NULL ? condition->s : "", (size_t)condition->length, &a->is.condition));
  HP_TRY(keep_wells(e, a));
  HP_TRY(hp_expression_parse(a->is.condition, HP_EXPRESSION_OF_CONDITION, &a->is.when, why));
  if (a->is.when == NULL)
    (void)hp_ecl_error(e, place->file, place->line, "action %s: its condition: %s", a->is.name, why);
  a->now = e->now;
  e->now = INFINITY;
  return HP_OK;
}

hp_status hp_ecl_do_actionx(hp_ecl *e, const hp_ecl_record *none) {
  (void)none;
  hp_ecl_record record;
  bool empty;
  hp_text condition = {0};
  hp_ecl_place place = {e->file, e->line};
  if (e->action != NULL)
    return hp_ecl_error(e, e->file, e->line, "action %s has no ENDACTIO before this one", e->action->is.name);
  HP_TRY(hp_ecl_read_record(e, e->entry->item, e->entry->items, &record, &empty));
  hp_status s = read_condition(e, &condition, &place);
  if (s == HP_OK && !record.faulty && record.actionx.name.text.length >= HP_WELL_NAME)
    s = hp_ecl_item_error(e, &record, HP_ECL_AT(actionx, name), ": more than %d letters", HP_WELL_NAME - 1);
  if (s == HP_OK) s = begin(e, &record, &condition, &place);
  hp_text_clear(&condition);
  return s;
}

/* ---- what it does ---- */

bool hp_ecl_acts(const hp_ecl_keyword_entry *entry) {
  static hp_status (*const may[])(hp_ecl *, const hp_ecl_record *) = {
      hp_ecl_do_welopen, hp_ecl_do_wconprod, hp_ecl_do_wconinje, hp_ecl_do_weltarg,  hp_ecl_do_welcntl,
      hp_ecl_do_wefac,   hp_ecl_do_wecon,    hp_ecl_do_wtest,    hp_ecl_do_wgrupcon, hp_ecl_do_wpimult,
      hp_ecl_do_compdat, hp_ecl_do_gconprod, hp_ecl_do_gconinje, hp_ecl_do_gefac,    hp_ecl_do_gruptree,
      hp_ecl_do_tuning,  hp_ecl_do_udq,      hp_ecl_do_endactio, hp_ecl_do_include,  hp_ecl_do_endinc,
      hp_ecl_do_skip,    hp_ecl_do_endskip,  hp_ecl_do_actionx};
  for (size_t n = 0; n < sizeof may / sizeof *may; ++n)
    if (may[n] == entry->handler) return true;
  return false;
}

hp_status hp_ecl_action_line(hp_ecl *e, char *line) {
  hp_action *a = &e->action->is;
  hp_status s = a->lines < HP_ACTION_LINES_MOST
                    ? HP_GROW(a->does, a->lines, 1)
                    : hp_ecl_error(e, e->file, e->line, "an action of more than %d lines", HP_ACTION_LINES_MOST);
  if (s == HP_OK) a->does[a->lines++] = line;
  else HP_FREE(line);
  return s;
}

/* Lines of events and changes behind those that were there, all of one well; the lists become as they were. */
static hp_status take_lines(hp_ecl *e, const char *name, int events, int changes) {
  hp_case *c = e->c;
  hp_status s = HP_OK;
  for (int n = changes; n < c->nperf_event && s == HP_OK; ++n) {
    char *line = NULL;
    if (c->perf_event[n].anew && isnan(c->perf_event[n].spec.transmissibility))
      s = hp_ecl_error(e, c->perf_event[n].file, c->perf_event[n].line,
                       "in an action a connection needs its factor (item %d)", HP_ECL_NUMBER(compdat, factor));
    if (s == HP_OK) s = hp_export_change_line(c, &e->units, name, &c->perf_event[n], &line);
    if (s == HP_OK) s = hp_ecl_action_line(e, line);
  }
  for (int n = events; n < c->nevent && s == HP_OK; ++n) {
    char *line = NULL;
    s = hp_export_well_line(c, &e->units, name, &c->event[n], &line);
    if (s == HP_OK) s = hp_ecl_action_line(e, line);
  }
  c->nevent = events;
  c->nperf_event = changes;
  return s;
}

/* Lines that the wells of a record have alike become one, of all of them. */
static void join_lines(hp_action *a, int first, int each, int wells) {
  for (int w = 1; w < wells; ++w)
    for (int n = 0; n < each; ++n)
      if (strcmp(a->does[first + n], a->does[first + w * each + n]) != 0) return;
  for (int n = first + each; n < first + wells * each; ++n) HP_FREE(a->does[n]);
  a->lines = first + each;
}

static hp_status visit_one(hp_ecl *e, int w, const char *name, const hp_ecl_record *record,
                           hp_status (*visit)(hp_ecl *e, hp_ecl_well *w, const hp_ecl_record *record)) {
  const int events = e->c->nevent, changes = e->c->nperf_event;
  const hp_status s = visit(e, &e->well[w], record);
  if (s == HP_OK) return take_lines(e, name, events, changes);
  e->c->nevent = events;
  e->c->nperf_event = changes;
  return s;
}

/* Wells that may fulfil the condition need not all take what is said of those that do: one that does is enough. */
static hp_status visit_asked(hp_ecl *e, const hp_ecl_record *record,
                             hp_status (*visit)(hp_ecl *e, hp_ecl_well *w, const hp_ecl_record *record)) {
  hp_action *a = &e->action->is;
  const int first = a->lines;
  int each = 0, wells = 0, candidates = 0;
  hp_diag faults, *kept = e->diag;
  hp_diag_init(&faults);
  hp_status s = HP_OK;
  for (int w = 0; w < e->wells && s == HP_OK; ++w) {
    if (a->when == NULL || !hp_expression_asks_about(a->when, e->well[w].spec.name)) continue;
    const int before = a->lines;
    candidates += 1;
    e->diag = &faults;
    s = visit_one(e, w, "?", record, visit);
    e->diag = kept;
    if (s == HP_ERR_DECK) {
      s = HP_OK;
      while (a->lines > before) HP_FREE(a->does[--a->lines]);
      continue;
    }
    if (wells++ == 0) {
      each = a->lines - before;
      continue;
    }
    if (a->lines - before == each) {
      join_lines(a, first, each, 2);
      if (a->lines == first + each) continue;
    }
    if (s == HP_OK)
      s = hp_ecl_error(e, record->file, record->line,
                       "the wells that may fulfil the condition need different entries: name them");
  }
  if (s == HP_OK && candidates == 0)
    hp_ecl_note(e, record->file, record->line, "'?': the condition asks for no well that is there");
  if (s == HP_OK && candidates > 0 && wells == 0 && faults.count > 0)
    s = hp_ecl_error(e, faults.item[0].file, faults.item[0].line, "%s", faults.item[0].text);
  hp_diag_clear(&faults);
  return s;
}

hp_status hp_ecl_action_wells(hp_ecl *e, const char *name, const hp_ecl_record *record,
                              hp_status (*visit)(hp_ecl *e, hp_ecl_well *w, const hp_ecl_record *record), int *found) {
  hp_action *a = &e->action->is;
  const int first = a->lines;
  int each = 0;
  bool same = true;
  *found = 1;
  if (strcmp(name, "?") == 0) return visit_asked(e, record, visit);
  *found = 0;
  const bool list = name[0] == '*' && name[1] != '\0';
  const char *pattern = list ? NULL : name + (strncmp(name, "\\*", 2) == 0);
  for (int w = 0; w < e->wells; ++w) {
    if (!hp_ecl_means_well(e, name, w)) continue;
    const int before = a->lines;
    HP_TRY(visit_one(e, w, pattern != NULL ? pattern : e->well[w].spec.name, record, visit));
    if ((*found)++ == 0) each = a->lines - before;
    same = same && a->lines - before == each;
  }
  if (same && !list && *found > 1) join_lines(a, first, each, *found);
  if (list || *found <= 1 || a->lines == first + each) return HP_OK;
  while (a->lines > first) HP_FREE(a->does[--a->lines]); /* different ones: each well by its name */
  for (int w = 0; w < e->wells; ++w)
    if (hp_ecl_means_well(e, name, w)) HP_TRY(visit_one(e, w, e->well[w].spec.name, record, visit));
  return HP_OK;
}

/* ---- the end ---- */

static hp_status take_others(hp_ecl *e, const hp_ecl_action *a) {
  hp_case *c = e->c;
  hp_status s = HP_OK;
  for (int n = a->group_events; n < c->ngroup_event && s == HP_OK; ++n) {
    char *line = NULL;
    s = hp_export_group_line(c, &e->units, &c->group_event[n], &line);
    if (s == HP_OK) s = hp_ecl_action_line(e, line);
  }
  for (int n = a->tunings; n < c->ntuning && s == HP_OK; ++n) {
    char *line = NULL;
    s = hp_export_tuning_line(c, &e->units, &c->tuning[n], &line);
    if (s == HP_OK) s = hp_ecl_action_line(e, line);
  }
  c->ngroup_event = a->group_events;
  c->ntuning = a->tunings;
  return s;
}

hp_status hp_ecl_do_endactio(hp_ecl *e, const hp_ecl_record *record) {
  (void)record;
  hp_ecl_action *a = e->action;
  if (a == NULL) return hp_ecl_error(e, e->file, e->line, "no ACTIONX stands before it");
  hp_status s = take_others(e, a);
  put_wells_back(e, a);
  e->now = a->now;
  if (s == HP_OK && a->is.when != NULL) {
    s = hp_case_action_add(e->c, &a->is);
    if (s == HP_OK) a->is = (hp_action){.lines = 0};
  }
  hp_ecl_action_clear(e);
  return s;
}

void hp_ecl_check_action_ended(hp_ecl *e) {
  if (e->action == NULL) return;
  (void)hp_ecl_error(e, e->action->is.file, e->action->is.line, "action %s: ENDACTIO is missing", e->action->is.name);
  put_wells_back(e, e->action);
  e->c->ngroup_event = e->action->group_events;
  e->c->ntuning = e->action->tunings;
  e->now = e->action->now;
  hp_ecl_action_clear(e);
}
