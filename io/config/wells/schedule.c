/* schedule: what wells are asked to do later. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "io/config/wells/wells.h"

/* ---- names ---- */

static hp_status unknown_well(hp_config *r, const hp_setting *s, const char *pattern) {
  const hp_case *c = r->c;
  const char **name;
  HP_TRY(HP_ALLOC(name, c->nwell));
  for (int w = 0; w < c->nwell; ++w) name[w] = c->well[w].name;
  const char *near = hp_nearest(pattern, name, c->nwell);
  if (strpbrk(pattern, "*?") != NULL) hp_config_error(r, s, "'%s': no well has such a name", pattern);
  else if (near != NULL) hp_config_error(r, s, "'%s': no such well; did you mean '%s'?", pattern, near);
  else hp_config_error(r, s, "'%s': no such well", pattern);
  HP_FREE(name);
  return HP_OK;
}

/* NULL: at fault, which is reported. */
static const char *pattern_of(hp_config *r, const hp_setting *s) {
  if (config_setting_type(s) == CONFIG_TYPE_STRING) return config_setting_get_string(s);
  hp_config_error(r, s, "must be a well's name in quotes");
  return NULL;
}

static hp_status mark_one(hp_config *r, const hp_setting *s, bool *marked) {
  const char *pattern = pattern_of(r, s);
  bool found = pattern == NULL;
  for (int w = 0; w < r->c->nwell && pattern != NULL; ++w)
    if (hp_name_matches(pattern, r->c->well[w].name)) marked[w] = found = true;
  return found ? HP_OK : unknown_well(r, s, pattern);
}

hp_status hp_config_check_well(hp_config *r, const hp_setting *s, bool *found) {
  const char *pattern = pattern_of(r, s);
  *found = false;
  for (int w = 0; w < r->c->nwell && pattern != NULL; ++w)
    *found = *found || hp_name_matches(pattern, r->c->well[w].name);
  return pattern == NULL || *found ? HP_OK : unknown_well(r, s, pattern);
}

/* Marks in marked [nwell] the wells that a name, a pattern or a list of them means. */
static hp_status mark_wells(hp_config *r, const hp_setting *s, bool *marked) {
  for (int w = 0; w < r->c->nwell; ++w) marked[w] = false;
  const int type = config_setting_type(s);
  if (type != CONFIG_TYPE_ARRAY && type != CONFIG_TYPE_LIST) return mark_one(r, s, marked);
  for (int n = 0; n < config_setting_length(s); ++n)
    HP_TRY(mark_one(r, config_setting_get_elem(s, (unsigned)n), marked));
  return HP_OK;
}

/* ---- entries in the order of time ---- */

typedef struct {
  const hp_setting *s;
  double time;
  int place; /* in the deck: entries of one time keep its order */
} entry;

static int by_time(const void *a, const void *b) {
  const entry *x = a, *y = b;
  if (x->time != y->time) return x->time < y->time ? -1 : 1;
  return x->place < y->place ? -1 : x->place > y->place;
}

/* The wells of an entry; none is marked where its name is missing or unknown, which is reported. */
static hp_status wells_of(hp_config *r, const hp_setting *s, bool *marked) {
  const hp_setting *well = hp_config_member(s, "well");
  for (int w = 0; w < r->c->nwell; ++w) marked[w] = false;
  if (well != NULL) return mark_wells(r, well, marked);
  hp_config_error(r, s, "well is missing: %s", hp_config_key_find("schedule[].well")->what);
  return HP_OK;
}

/* The keys of an entry about perforations. */
static bool changes_perforations(const hp_setting *s) {
  return hp_config_member(s, "perforations") != NULL || hp_config_member(s, "multiply_index") != NULL ||
         hp_config_member(s, "completion") != NULL || hp_config_member(s, "connection_factor") != NULL;
}

static bool says_something(hp_config *r, const hp_setting *s) {
  static const char *const of_cells[] = {"i", "j", "k"};
  for (int d = 0; d < 3; ++d) {
    const hp_setting *span = hp_config_member(s, of_cells[d]);
    if (span != NULL && !changes_perforations(s))
      hp_config_error(r, span, "needs perforations, multiply_index, completion or connection_factor");
  }
  if (hp_config_control_given(s) != 0 || changes_perforations(s)) return true;
  hp_config_error(r, s, "changes nothing: give control, status or a number");
  return false;
}

/* *good: sound, and *v is what the entry says about perforations. */
static bool read_change(hp_config *r, const hp_setting *s, double time, hp_perf_event *v) {
  const int errors = r->diag->errors;
  static const char *const path[] = {"schedule[].i", "schedule[].j", "schedule[].k"};
  int state = 0;
  *v = (hp_perf_event){.time = time, .last = {INT_MAX, INT_MAX, INT_MAX}, .multiply = 1.0};
  for (int d = 0; d < 3; ++d) {
    int span[2] = {1, INT_MAX};
    if (hp_config_member(s, strrchr(path[d], '.') + 1) == NULL) continue;
    (void)hp_config_span(r, s, path[d], span);
    v->first[d] = span[0] - 1;
    v->last[d] = span[1] - 1;
  }
  if (hp_config_member(s, "perforations") != NULL && hp_config_choice(r, s, "schedule[].perforations", &state))
    v->state = state == 0 ? HP_PERF_OPEN : HP_PERF_SHUT;
  if (hp_config_member(s, "multiply_index") != NULL)
    (void)hp_config_float(r, s, "schedule[].multiply_index", &v->multiply);
  if (hp_config_member(s, "completion") != NULL) (void)hp_config_int(r, s, "schedule[].completion", &v->completion);
  if (hp_config_member(s, "connection_factor") != NULL) {
    v->anew = true;
    v->spec = (hp_perf_spec){.open = true, .table = -1, .kh = NAN, .r0 = NAN, .length = {NAN, NAN, NAN}};
    (void)hp_config_float(r, s, "schedule[].connection_factor", &v->spec.transmissibility);
  }
  const hp_setting *table = hp_config_member(s, "saturation");
  if (table != NULL && !v->anew) hp_config_error(r, table, "needs connection_factor");
  if (table != NULL) (void)hp_config_int(r, s, "schedule[].saturation", &v->spec.table);
  return r->diag->errors == errors;
}

static hp_status add_change(hp_config *r, const hp_setting *s, int well, hp_perf_event v) {
  hp_case *c = r->c;
  const hp_well_spec *w = &c->well[well];
  bool any = w->npath > 0;
  for (int q = 0; q < w->nperf; ++q) {
    const int at[3] = {w->perf[q].i, w->perf[q].j, w->perf[q].k};
    bool in = true;
    for (int d = 0; d < 3; ++d) in = in && at[d] >= v.first[d] && at[d] <= v.last[d];
    any = any || in;
  }
  if (!any) {
    hp_config_error(r, s, "well %s has no perforation there", w->name);
    return HP_OK;
  }
  hp_perf_event *more;
  HP_TRY(HP_ALLOC(more, c->nperf_event + 1));
  if (c->nperf_event > 0) memcpy(more, c->perf_event, (size_t)c->nperf_event * sizeof *more);
  HP_FREE(c->perf_event);
  c->perf_event = more;
  v.well = well;
  v.line = hp_config_line(s);
  HP_TRY(hp_case_file(c, hp_config_file(r, s), &v.file));
  c->perf_event[c->nperf_event++] = v;
  return HP_OK;
}

/* A fault that the entry has for several wells alike is reported once. */
static hp_status apply_entry(hp_config *r, const entry *e, hp_config_control *state, bool *marked) {
  hp_case *c = r->c;
  HP_TRY(wells_of(r, e->s, marked));
  if (!says_something(r, e->s)) return HP_OK;
  bool any = false;
  hp_perf_event change;
  const bool sound = changes_perforations(e->s) && read_change(r, e->s, e->time, &change);
  r->reported_from = r->diag->count + 1;
  for (int w = 0; w < c->nwell; ++w) {
    if (!marked[w]) continue;
    any = true;
    if (sound) HP_TRY(add_change(r, e->s, w, change));
    if (hp_config_control_given(e->s) == 0) continue;
    hp_config_control_read(r, e->s, "schedule[]", c->well[w].name, &state[w]);
    HP_TRY(hp_config_event(r, e->time, w, &state[w], e->place, hp_config_file(r, e->s), hp_config_line(e->s)));
    c->event[c->nevent - 1].given = hp_config_control_given(e->s);
  }
  r->reported_from = 0;
  if (!any) hp_config_control_judge(r, e->s, "schedule[]");
  return HP_OK;
}

/* An entry without a time holds nowhere, but what else is wrong with it is reported. */
static hp_status judge_entry(hp_config *r, const hp_setting *s, bool *marked) {
  HP_TRY(wells_of(r, s, marked));
  if (says_something(r, s)) hp_config_control_judge(r, s, "schedule[]");
  return HP_OK;
}

/* Events after time zero of the deck under an overlay make room for the new schedule. */
static void drop_later_events(hp_case *c) {
  int kept = 0;
  while (kept < c->nevent && c->event[kept].time <= 0.0) ++kept;
  c->nevent = kept;
  for (kept = 0; kept < c->nperf_event && c->perf_event[kept].time <= 0.0;) ++kept;
  c->nperf_event = kept;
}

hp_status hp_config_schedule(hp_config *r, const hp_setting *schedule, hp_config_control *state) {
  if (config_setting_type(schedule) != CONFIG_TYPE_LIST) return HP_OK; /* reported by hp_config_check */
  const int length = config_setting_length(schedule);
  const bool overlay = r->overlay;
  entry *list = NULL;
  bool *marked = NULL;
  int count = 0;
  hp_status status = HP_ALLOC(list, length);
  if (status == HP_OK) status = HP_ALLOC(marked, r->c->nwell);
  r->overlay = false; /* a new schedule is read whole */
  drop_later_events(r->c);
  for (int n = 0; status == HP_OK && n < length; ++n) {
    entry e = {.s = config_setting_get_elem(schedule, (unsigned)n), .place = n};
    if (config_setting_type(e.s) != CONFIG_TYPE_GROUP) continue;
    if (hp_config_float(r, e.s, "schedule[].time", &e.time)) list[count++] = e;
    else status = judge_entry(r, e.s, marked);
  }
  if (count > 1) qsort(list, (size_t)count, sizeof *list, by_time);
  for (int n = 0; status == HP_OK && n < count; ++n) status = apply_entry(r, &list[n], state, marked);
  r->overlay = overlay;
  HP_FREE(marked);
  HP_FREE(list);
  return status;
}

/* ---- single entries over a case ---- */

/* The entry's events for other wells: the first one's words for each of them. */
static hp_status move_to_wells(hp_config *r, const hp_setting *well, int number, bool *marked) {
  hp_case *c = r->c;
  HP_TRY(mark_wells(r, well, marked));
  hp_well_event first = {.entry = -1};
  int kept = 0;
  for (int n = 0; n < c->nevent; ++n) {
    if (c->event[n].entry != number) c->event[kept++] = c->event[n];
    else if (first.entry < 0) first = c->event[n];
  }
  c->nevent = kept;
  const hp_config_control state = hp_config_control_of(&first);
  for (int w = 0; w < c->nwell; ++w) {
    if (!marked[w]) continue;
    HP_TRY(hp_config_event(r, first.time, w, &state, number, first.file, first.line));
    c->event[c->nevent - 1].given = first.given;
  }
  return HP_OK;
}

static hp_status patch(hp_config *r, const hp_setting *s, int number, bool *marked) {
  hp_case *c = r->c;
  const hp_setting *well = hp_config_member(s, "well");
  double time;
  if (changes_perforations(s))
    hp_config_error(r, s, "perforations and multiply_index can be given in a whole schedule=(...) only");
  const bool moved = hp_config_float(r, s, "schedule[].time", &time);
  if (well != NULL) HP_TRY(move_to_wells(r, well, number, marked));
  r->reported_from = r->diag->count + 1;
  for (int n = 0; n < c->nevent; ++n) {
    hp_well_event *e = &c->event[n];
    if (e->entry != number) continue;
    if (moved) e->time = time;
    if (hp_config_control_given(s) == 0) continue;
    hp_config_control state = hp_config_control_of(e);
    hp_config_control_read(r, s, "schedule[]", c->well[e->well].name, &state);
    hp_config_control_into(&state, e);
    e->given |= hp_config_control_given(s);
  }
  r->reported_from = 0;
  return HP_OK;
}

/* By time; those of one time by their numbers. */
static int by_event_time(const void *a, const void *b) {
  const hp_well_event *x = a, *y = b;
  if (x->time != y->time) return x->time < y->time ? -1 : 1;
  if (x->entry != y->entry) return x->entry < y->entry ? -1 : 1;
  return x->well < y->well ? -1 : x->well > y->well;
}

/* An event takes over what it does not say itself from the same well's event before it. One that gives the well another job, without
 * all that Eclipse's keywords give, begins with that job's defaults. */
static void inherit(const hp_well_event *before, hp_well_event *e) {
  const bool turns = (e->given & HP_GIVEN_TYPE) != 0 && (e->given & HP_GIVEN_ALL) != HP_GIVEN_ALL &&
                     e->control.injector != before->control.injector;
  const bool open = e->given & HP_GIVEN_STATUS ? e->control.control != HP_CONTROL_SHUT
                                               : before->control.control != HP_CONTROL_SHUT;
  hp_well_control from = before->control;
  if (turns) {
    from = hp_well_control_default(e->control.injector);
    hp_well_take_settings(&from, HP_WELL_KEEPS, &before->control);
  }
  if (!(e->given & HP_GIVEN_CONTROL) && !turns) e->wanted = before->wanted;
  for (int n = 0; n < HP_CONTROL_COUNT; ++n)
    if (!(e->given >> n & 1u)) {
      e->control.limit[n] = from.limit[n];
      e->control.quantity[n] = from.quantity[n];
    }
  if (!(e->given & HP_GIVEN_TYPE)) {
    e->control.injector = from.injector;
    e->control.phase = from.phase;
  }
  hp_well_take_settings(&e->control, ~e->given >> HP_GIVEN_FIRST, &from);
  if (!(e->given >> HP_CONTROL_RESV & 1u)) e->control.by_history = from.by_history;
  e->control.control = open ? e->wanted : HP_CONTROL_SHUT;
}

/* changes: whose; what follows from them may not make sense. */
static void judge_event(hp_config *r, const hp_well_event *e, const char *changes) {
  if (e->control.control == HP_CONTROL_SHUT || !isnan(e->control.limit[e->wanted])) return;
  hp_diag_error(r->diag, e->file, e->line,
                "well %s: with the changes %s it has a control by %s without a number for it", r->c->well[e->well].name,
                changes, hp_control_name(e->wanted));
}

/* Goes through the events once more: changes of one reach those after it. */
static hp_status replay(hp_config *r) {
  hp_case *c = r->c;
  const hp_well_event **before;
  HP_TRY(HP_ALLOC(before, c->nwell));
  if (c->nevent > 1) qsort(c->event, (size_t)c->nevent, sizeof *c->event, by_event_time);
  for (int n = 0; n < c->nevent; ++n) {
    hp_well_event *e = &c->event[n];
    if (before[e->well] != NULL) inherit(before[e->well], e);
    before[e->well] = e;
    judge_event(r, e, "of --set");
  }
  HP_FREE(before);
  return HP_OK;
}

hp_status hp_config_schedule_patch(hp_config *r, const hp_setting *schedule) {
  bool *marked;
  HP_TRY(HP_ALLOC(marked, r->c->nwell));
  hp_status status = HP_OK;
  for (int n = 0; status == HP_OK && n < config_setting_length(schedule); ++n) {
    const hp_setting *s = config_setting_get_elem(schedule, (unsigned)n);
    if (config_setting_type(s) == CONFIG_TYPE_GROUP && config_setting_length(s) > 0) status = patch(r, s, n, marked);
  }
  HP_FREE(marked);
  return status == HP_OK ? replay(r) : status;
}

/* ---- an entry of a run that is steered ---- */

/* The events of the entry s for the marked wells, behind all others. */
static hp_status append_events(hp_config *r, const hp_setting *s, double time, bool opens, const bool *marked) {
  hp_case *c = r->c;
  const int before = c->nevent;
  int number = 0; /* in the list `schedule` */
  if (hp_config_control_given(s) == 0) return HP_OK;
  for (int n = 0; n < before; ++n)
    if (c->event[n].entry >= number) number = c->event[n].entry + 1;
  r->reported_from = r->diag->count + 1;
  for (int w = 0; w < c->nwell; ++w) {
    if (!marked[w]) continue;
    hp_config_control state = {.control = hp_well_control_default(false)};
    const bool ever_open = hp_case_first_control(c, w) != NULL;
    for (int n = 0; n < before && c->event[n].time <= time; ++n)
      if (c->event[n].well == w) state = hp_config_control_of(&c->event[n]);
    hp_config_control_read(r, s, "schedule[]", c->well[w].name, &state);
    if (state.open && !ever_open && !opens)
      hp_config_error(r, s,
                      "well %s is never open in the deck, which has cells whose pressure hangs on that: open it in the "
                      "deck's schedule at a later time",
                      c->well[w].name);
    HP_TRY(hp_config_event(r, time, w, &state, number, "--control", 0));
    c->event[c->nevent - 1].given = hp_config_control_given(s);
  }
  r->reported_from = 0;
  return HP_OK;
}

/* Likewise the changes of their perforations. */
static hp_status append_changes(hp_config *r, const hp_setting *s, double time, const bool *marked) {
  hp_perf_event change;
  if (!read_change(r, s, time, &change)) return HP_OK;
  for (int w = 0; w < r->c->nwell; ++w)
    if (marked[w]) HP_TRY(add_change(r, s, w, change));
  return HP_OK;
}

/* Brings the events from `first` on, all of one time, to their place, and lets later ones take over what they do not say. */
static hp_status place_events(hp_config *r, int first) {
  hp_case *c = r->c;
  const int count = c->nevent - first;
  int place = first;
  hp_well_event *added;
  if (count == 0) return HP_OK;
  HP_TRY(HP_ALLOC(added, count));
  memcpy(added, c->event + first, (size_t)count * sizeof *added);
  while (place > 0 && c->event[place - 1].time > added[0].time) place -= 1;
  memmove(c->event + place + count, c->event + place, (size_t)(first - place) * sizeof *added);
  memcpy(c->event + place, added, (size_t)count * sizeof *added);
  for (int a = 0; a < count; ++a) {
    const hp_well_event *before = &c->event[place + a];
    for (int n = place + count; n < c->nevent; ++n) {
      hp_well_event *e = &c->event[n];
      if (e->well != before->well) continue;
      inherit(before, e);
      judge_event(r, e, "of --control");
      before = e;
    }
  }
  HP_FREE(added);
  return HP_OK;
}

hp_status hp_config_schedule_add(hp_config *r, const hp_setting *s, double time, bool opens) {
  hp_case *c = r->c;
  bool *marked;
  const int first = c->nevent, changes = c->nperf_event;
  HP_TRY(HP_ALLOC(marked, c->nwell));
  hp_status status = wells_of(r, s, marked);
  const bool sound = says_something(r, s) && r->diag->errors == 0;
  if (status == HP_OK && sound) status = append_events(r, s, time, opens, marked);
  if (status == HP_OK && sound && changes_perforations(s)) status = append_changes(r, s, time, marked);
  if (status == HP_OK && r->diag->errors == 0) status = place_events(r, first);
  if (status == HP_OK && r->diag->errors == 0)
    hp_config_sort_by_time(c->perf_event, c->nperf_event, sizeof *c->perf_event);
  else c->nperf_event = changes;
  HP_FREE(marked);
  return status;
}
