/* Connections that a record means by their cells or completions: WELOPEN, WPIMULT, COMPLUMP. */
#include <limits.h>
#include <string.h>

#include "io/eclipse/impl.h"

/* The connections that a record means: all in the cells of `change`, in the completions first .. last. */
typedef struct meant_connections {
  hp_perf_event change;
  bool by_number;
  int first, last;
} meant_connections;

/* Items I, J, K counted from 1, and a range of completions: left out or not above 0: any. */
static meant_connections read_meant(const hp_ecl_value *ijk, const hp_ecl_value *first, const hp_ecl_value *last) {
  meant_connections m = {.change = {.last = {INT_MAX, INT_MAX, INT_MAX}, .multiply = 1.0},
                         .by_number = first->i > 0 || last->i > 0,
                         .first = (int)first->i,
                         .last = last->i > 0 ? (int)last->i : INT_MAX};
  for (int d = 0; d < 3; ++d)
    if (ijk[d].i > 0) m.change.first[d] = m.change.last[d] = (int)ijk[d].i - 1;
  return m;
}

static bool means_perforation(const meant_connections *m, const hp_perf_spec *p) {
  return hp_perf_event_means(&m->change, p) && p->completion >= m->first && p->completion <= m->last;
}

/* The well's connections that a record means must be there; a range may have none, as in OPM Flow. */
static hp_status find_connections(hp_ecl *e, hp_ecl_well *w, const hp_ecl_record *record, const meant_connections *m) {
  for (int n = 0; n < w->spec.nperf; ++n)
    if (means_perforation(m, &w->spec.perf[n])) return HP_OK;
  if (e->unsized || w->faulty) return HP_ERR_DECK; /* reported */
  if (!m->by_number && e->entry->handler != hp_ecl_do_complump)
    return hp_ecl_error(e, record->file, record->line, "well %s has no such connection (COMPDAT)", w->spec.name);
  hp_ecl_note(e, record->file, record->line, "well %s has no such connection", w->spec.name);
  return HP_OK;
}

/* One change of the cells, or one for each connection of the completions. */
static hp_status add_changes(hp_ecl *e, hp_ecl_well *w, const hp_ecl_record *record, const meant_connections *m) {
  if (!m->by_number) return hp_ecl_change_add(e, w, record, m->change);
  for (int n = 0; n < w->spec.nperf; ++n) {
    const hp_perf_spec *p = &w->spec.perf[n];
    const int cell[3] = {p->i, p->j, p->k};
    hp_perf_event one = m->change;
    if (!means_perforation(m, p)) continue;
    memcpy(one.first, cell, sizeof cell);
    memcpy(one.last, cell, sizeof cell);
    HP_TRY(hp_ecl_change_add(e, w, record, one));
  }
  return HP_OK;
}

hp_status hp_ecl_connections_open(hp_ecl *e, hp_ecl_well *w, const hp_ecl_record *record, bool open) {
  const hp_ecl_items_welopen *v = &record->welopen;
  meant_connections m = read_meant(&v->i, &v->first_completion, &v->last_completion);
  HP_TRY(find_connections(e, w, record, &m));
  const bool flowed = hp_ecl_has_flowed(e, w);
  for (int n = 0; n < w->spec.nperf; ++n) {
    hp_perf_spec *p = &w->spec.perf[n];
    if (!means_perforation(&m, p)) continue;
    p->open_last = open;
    if (flowed) p->later = true;
    else p->open = open;
  }
  w->connected_file = record->file;
  w->connected_line = record->line;
  m.change.state = open ? HP_PERF_OPEN : HP_PERF_SHUT;
  return flowed ? add_changes(e, w, record, &m) : HP_OK;
}

/* Connections of a completion share its number; the others' stay. */
static hp_status lump(hp_ecl *e, hp_ecl_well *w, const hp_ecl_record *record) {
  const hp_ecl_items_complump *v = &record->complump;
  meant_connections m = read_meant(&v->i, &(hp_ecl_value){.i = 0}, &(hp_ecl_value){.i = 0});
  if (v->k1.i > 0) m.change.first[2] = (int)v->k1.i - 1;
  m.change.last[2] = v->k2.i > 0 ? (int)v->k2.i - 1 : INT_MAX;
  HP_TRY(find_connections(e, w, record, &m));
  for (int n = 0; n < w->spec.nperf; ++n)
    if (means_perforation(&m, &w->spec.perf[n])) w->spec.perf[n].completion = (int)v->completion.i;
  w->lumped = true;
  return hp_ecl_tell_numbers(e, w, record, NULL);
}

hp_status hp_ecl_do_complump(hp_ecl *e, const hp_ecl_record *record) { return hp_ecl_wells_each(e, record, lump); }

/* For a whole well the manuals let only the last of several records at a time count. */
static hp_status multiply_index(hp_ecl *e, hp_ecl_well *w, const hp_ecl_record *record) {
  const hp_ecl_items_wpimult *v = &record->wpimult;
  const hp_case *c = e->c;
  meant_connections m = read_meant(&v->i, &v->first_completion, &v->last_completion);
  bool whole = true;
  HP_TRY(find_connections(e, w, record, &m));
  for (int n = HP_ECL_AT(wpimult, i); n <= HP_ECL_AT(wpimult, last_completion); ++n)
    whole = whole && !record->v[n].given;
  for (int n = c->nperf_event - 1; whole && n >= 0 && c->perf_event[n].time == e->now; --n)
    if (c->perf_event[n].well == (int)(w - e->well) && c->perf_event[n].whole)
      return hp_ecl_error(e, record->file, record->line,
                          "well %s has a WPIMULT for all its connections at this time "
                          "already: give one",
                          w->spec.name);
  m.change.multiply = v->multiplier.x;
  m.change.whole = whole;
  return add_changes(e, w, record, &m);
}

hp_status hp_ecl_do_wpimult(hp_ecl *e, const hp_ecl_record *record) {
  return hp_ecl_wells_each(e, record, multiply_index);
}
