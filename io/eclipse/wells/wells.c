/* Wells and their connections: WELSPECS, COMPDAT, WLIST, and wells by name. */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/plural.h"
#include "core/show.h"
#include "io/eclipse/actions.h"
#include "io/eclipse/impl.h"

/* Eclipse gives no default for the wellbore's diameter; where the connection
 * factor is given it is not needed, and OPM's one foot stands in. */
static const double FOOT = 0.3048;

/* names */

static hp_status read_name(hp_ecl *e, const hp_ecl_token *t, char out[HP_WELL_NAME]) {
  if (t->length >= HP_WELL_NAME)
    return hp_ecl_error(e, t->file, t->line, "%s: a name of more than %d characters", hp_ecl_show(&e->lexer, t, "'").s,
                        HP_WELL_NAME - 1);
  hp_ecl_copy(t, out, HP_WELL_NAME);
  const char *fault = hp_name_fault(out);
  return fault == NULL ? HP_OK : hp_ecl_error(e, t->file, t->line, "'%s': a name that %s", out, fault);
}

hp_status hp_ecl_check_name(hp_ecl *e, const hp_ecl_token *t) {
  char name[256];
  if (t->length >= (int)sizeof name)
    return hp_ecl_error(e, t->file, t->line, "%s: a name of more than 255 characters",
                        hp_ecl_show(&e->lexer, t, "'").s);
  hp_ecl_copy(t, name, sizeof name);
  const char *fault = hp_name_fault(name);
  return fault == NULL ? HP_OK : hp_ecl_error(e, t->file, t->line, "'%s': a name that %s", name, fault);
}

/* "*NAME": a list, or a pattern of lists. */
static bool names_lists(const char *name) { return name[0] == '*' && name[1] != '\0'; }

static int find_list(const hp_ecl *e, const char *name) {
  for (int n = 0; n < e->lists; ++n)
    if (hp_name_matches(name + 1, e->list[n].name + 1)) return n;
  return -1;
}

static bool holds_well(const hp_ecl_well_list *list, int well) {
  for (int n = 0; n < list->count; ++n)
    if (list->well[n] == well) return true;
  return false;
}

bool hp_ecl_means_well(const hp_ecl *e, const char *name, int well) {
  if (!names_lists(name)) return hp_name_matches(name + (strncmp(name, "\\*", 2) == 0), e->well[well].spec.name);
  for (int n = 0; n < e->lists; ++n)
    if (hp_name_matches(name + 1, e->list[n].name + 1) && holds_well(&e->list[n], well)) return true;
  return false;
}

static int find_well(const hp_ecl *e, const char *name) {
  for (int n = 0; n < e->wells; ++n)
    if (strcmp(e->well[n].spec.name, name) == 0) return n;
  return -1;
}

/* After a well that could not be read none is missed. */
static hp_status no_well(hp_ecl *e, const hp_ecl_token *t, const char *name) {
  if (e->lost & HP_ECL_SCHEDULE) return HP_ERR_DECK;
  const char **names;
  HP_TRY(HP_ALLOC(names, e->wells));
  for (int n = 0; n < e->wells; ++n) names[n] = e->well[n].spec.name;
  const char *near = hp_nearest(name, names, e->wells);
  const hp_status s = near != NULL ? hp_ecl_error(e, t->file, t->line, "no well '%s'; did you mean '%s'?", name, near)
                                   : hp_ecl_error(e, t->file, t->line, "no well '%s' (WELSPECS defines wells)", name);
  HP_FREE(names);
  return s;
}

/* After a list that could not be read none is missed. */
static hp_status no_list(hp_ecl *e, const hp_ecl_token *t, const char *name) {
  if (e->lost & HP_ECL_SCHEDULE) return HP_ERR_DECK;
  return hp_ecl_error(e, t->file, t->line, "no list '%s' (WLIST makes lists; a pattern of wells is '\\%s')", name,
                      name);
}

/* Marks a well whose record in the present keyword is at fault. */
static void mark(const hp_ecl *e, hp_ecl_well *w) {
  const bool places = e->entry->handler == hp_ecl_do_welspecs || e->entry->handler == hp_ecl_do_compdat ||
                      e->entry->handler == hp_ecl_do_wpimult || e->entry->handler == hp_ecl_do_complump;
  w->faulty = w->faulty || places;
  w->control_faulty = w->control_faulty || !places;
}

/* A fault of one well does not hide those of others. */
static hp_status visit_well(hp_ecl *e, int well, const hp_ecl_record *record,
                            hp_status (*visit)(hp_ecl *e, hp_ecl_well *w, const hp_ecl_record *record),
                            hp_status *worst) {
  const hp_status s = visit(e, &e->well[well], record);
  if (s == HP_ERR_DECK) {
    mark(e, &e->well[well]);
    *worst = s;
  }
  return s == HP_ERR_DECK ? HP_OK : s;
}

/* Of all that come here item 1 names wells. */
#define OF_WELLS(keyword) (HP_ECL_AT(keyword, well) == HP_ECL_AT(welspecs, well))
_Static_assert(OF_WELLS(compdat) && OF_WELLS(compord) && OF_WELLS(wconprod) && OF_WELLS(wconinje) &&
                   OF_WELLS(welopen) && OF_WELLS(weltarg) && OF_WELLS(wconhist) && OF_WELLS(wconinjh) &&
                   OF_WELLS(wefac) && OF_WELLS(wecon) && OF_WELLS(wcutback) && OF_WELLS(wgrupcon) &&
                   OF_WELLS(wpimult) && OF_WELLS(complump) && OF_WELLS(welsegs) && OF_WELLS(compsegs),
               "the item of wells");

hp_status hp_ecl_wells_each(hp_ecl *e, const hp_ecl_record *record,
                            hp_status (*visit)(hp_ecl *e, hp_ecl_well *w, const hp_ecl_record *record)) {
  char name[HP_WELL_NAME];
  const hp_ecl_token *t = &record->welspecs.well.text;
  HP_TRY(read_name(e, t, name));
  if (names_lists(name) && find_list(e, name) < 0) return no_list(e, t, name);
  int found = 0;
  hp_status worst = HP_OK;
  if (e->action != NULL) worst = hp_ecl_action_wells(e, name, record, visit, &found);
  for (int n = 0; n < e->wells && e->action == NULL; ++n)
    if (hp_ecl_means_well(e, name, n)) {
      HP_TRY(visit_well(e, n, record, visit, &worst));
      ++found;
    }
  return found > 0 || names_lists(name) ? worst : no_well(e, t, name); /* an empty list is no mistake */
}

/* lists */

static hp_status list_add(hp_ecl_well_list *list, int well) {
  if (holds_well(list, well)) return HP_OK;
  HP_TRY(HP_GROW(list->well, list->count, 1));
  list->well[list->count++] = well;
  return HP_OK;
}

static void list_remove(hp_ecl_well_list *list, int well) {
  int kept = 0;
  for (int n = 0; n < list->count; ++n)
    if (list->well[n] != well) list->well[kept++] = list->well[n];
  list->count = kept;
}

/* meant [wells]: those that the record names. A pattern may mean none, as in OPM Flow. */
static hp_status read_members(hp_ecl *e, const hp_ecl_record *record, bool *meant) {
  for (int v = HP_ECL_AT(wlist, well_a0); v < e->entry->items; ++v) {
    const hp_ecl_token *t = &record->v[v].text;
    char name[HP_WELL_NAME];
    if (!record->v[v].given) continue;
    HP_TRY(read_name(e, t, name));
    if (names_lists(name) && find_list(e, name) < 0) return no_list(e, t, name);
    int found = 0;
    for (int w = 0; w < e->wells; ++w)
      if (hp_ecl_means_well(e, name, w)) meant[w] = true, ++found;
    if (found == 0 && strpbrk(name, "*?") == NULL) return no_well(e, t, name);
    if (found == 0) hp_ecl_note(e, t->file, t->line, "no well is meant by '%s'", name);
  }
  return HP_OK;
}

static hp_status change_list(hp_ecl *e, const hp_ecl_record *record, const char *name, const bool *meant) {
  enum { NEW, ADD, DEL, MOV };
  const int operation = record->wlist.operation.choice;
  int n = 0;
  while (n < e->lists && strcmp(e->list[n].name, name) != 0) ++n;
  if (n == e->lists && operation != NEW)
    return hp_ecl_error(e, record->file, record->line, "no list '%s' (NEW makes one)", name);
  if (n == e->lists) {
    HP_TRY(HP_GROW(e->list, e->lists, 1));
    memset(&e->list[e->lists++], 0, sizeof e->list[n]);
    memcpy(e->list[n].name, name, sizeof e->list[n].name);
  }
  if (operation == NEW) e->list[n].count = 0;
  for (int w = 0; w < e->wells; ++w) {
    if (!meant[w]) continue;
    for (int other = 0; other < e->lists; ++other)
      if (operation == MOV || (operation == DEL && other == n)) list_remove(&e->list[other], w);
    if (operation != DEL) HP_TRY(list_add(&e->list[n], w));
  }
  return HP_OK;
}

hp_status hp_ecl_do_wlist(hp_ecl *e, const hp_ecl_record *record) {
  char name[HP_WELL_NAME];
  HP_TRY(read_name(e, &record->wlist.list.text, name));
  if (!names_lists(name))
    return hp_ecl_error(e, record->file, record->line, "'%s': the name of a list starts with '*'", name);
  bool *meant;
  HP_TRY(HP_ALLOC(meant, e->wells));
  hp_status s = read_members(e, record, meant);
  if (s == HP_OK) s = change_list(e, record, name, meant);
  if (s == HP_ERR_DECK) e->lost |= HP_ECL_SCHEDULE;
  HP_FREE(meant);
  return s;
}

/* wells */

static hp_status add_well(hp_ecl *e, const hp_well_spec *spec, int group, bool faulty) {
  HP_TRY(HP_GROW(e->well, e->wells, 1));
  hp_ecl_well *w = &e->well[e->wells++];
  const hp_well_control start = hp_well_control_default(false);
  *w = (hp_ecl_well){.spec = *spec, .opened = NAN, .faulty = faulty};
  hp_well_take_settings(&w->control, ~0u, &start);
  w->control.group = group;
  return HP_OK;
}

/* A well that is there already takes the new numbers, where that can be. Connections stay where they are. */
static hp_status change_well(hp_ecl *e, const hp_ecl_record *record, hp_ecl_well *old, int group, hp_well_spec *spec) {
  const bool same = old->spec.crossflow == spec->crossflow &&
                    (old->spec.ref_depth == spec->ref_depth || (isnan(old->spec.ref_depth) && isnan(spec->ref_depth)));
  if (!same && old->opened < e->now)
    return hp_ecl_error(e, record->file, record->line,
                        "well %s has flowed: its reference depth and crossflow cannot be changed", spec->name);
  if (!old->moved && old->spec.nperf > 0) {
    old->first_head[0] = old->spec.head_i;
    old->first_head[1] = old->spec.head_j;
    old->moved = spec->head_i != old->spec.head_i || spec->head_j != old->spec.head_j;
  }
  spec->nperf = old->spec.nperf;
  spec->perf = old->spec.perf;
  spec->nsegment = old->spec.nsegment;
  spec->segment = old->spec.segment;
  spec->drops = old->spec.drops;
  old->spec = *spec;
  if (old->control.group == group) return HP_OK;
  old->control.group = group;
  return old->controlled ? hp_ecl_event_add(e, old, record, HP_GIVEN_OF(group)) : HP_OK;
}

/* Others than WATER and LIQ mean oil: it is nobody's error, and matters for WPI alone. */
static hp_preferred preferred_phase(const hp_ecl_value *v) {
  const char first = v->given && v->text.length > 0 ? (char)toupper((unsigned char)v->text.text[0]) : 'O';
  return first == 'W' ? HP_PREFERRED_WATER : first == 'L' ? HP_PREFERRED_LIQUID : HP_PREFERRED_OIL;
}

hp_status hp_ecl_do_welspecs(hp_ecl *e, const hp_ecl_record *record) {
  const hp_ecl_items_welspecs *v = &record->welspecs;
  char name[HP_WELL_NAME];
  HP_TRY(read_name(e, &v->well.text, name));
  int group;
  HP_TRY(hp_ecl_group_of_well(e, record, &group));
  if (strpbrk(name, "*?") != NULL)
    return hp_ecl_error(e, record->file, record->line, "'%s': a well's name must not contain '*' or '?'", name);
  /* On a grid of another size the well may be moved by --set, and is checked when that is done. */
  const bool inside = v->head_i.i >= 1 && v->head_i.i <= e->deck_size[0] && v->head_j.i >= 1 &&
                      v->head_j.i <= e->deck_size[1];
  const bool outside = !e->unsized && !inside;
  if (outside)
    (void)hp_ecl_error(e, record->file, record->line, "well %s: head (%lld,%lld) is outside the grid of %d x %d", name,
                       (long long)v->head_i.i, (long long)v->head_j.i, e->deck_size[0], e->deck_size[1]);
  hp_well_spec spec = {.ref_depth = v->ref_depth.x,
                       .crossflow = v->crossflow.choice == 0,
                       .preferred = preferred_phase(&v->phase),
                       .head_i = (int)v->head_i.i - 1,
                       .head_j = (int)v->head_j.i - 1,
                       .file = record->file,
                       .line = record->line};
  memcpy(spec.name, name, sizeof name);
  if (v->pvt_table.given && v->pvt_table.x > 0.0 && e->tables[HP_ECL_BY_PVTNUM] > 1)
    hp_diag_note(e->diag, record->file, record->line,
                 "well %s, item %d: reservoir volumes are by the PVT table of the "
                 "first connection's cell",
                 name, HP_ECL_NUMBER(welspecs, pvt_table));
  if (v->density.choice == 1)
    hp_ecl_note(e, record->file, record->line,
                "well %s: item %d: AVG is taken as SEG: the density in the wellbore is "
                "that of each section",
                name, HP_ECL_NUMBER(welspecs, density));
  const int n = find_well(e, name);
  for (int other = 0; n < 0 && other < e->wells; ++other)
    if (hp_case_names_clash(e->well[other].spec.name, name))
      (void)hp_ecl_error(e, record->file, record->line,
                         "'%s': well '%s' has the same name in result files: '/' is '_' "
                         "there",
                         name, e->well[other].spec.name);
  if (n >= 0) return outside ? HP_ERR_DECK : change_well(e, record, &e->well[n], group, &spec);
  HP_TRY(add_well(e, &spec, group, outside));
  return outside ? HP_ERR_DECK : HP_OK;
}

/* A well whose WELSPECS has a fault is there for what follows, if it has a name. */
static hp_status faulty_welspecs(hp_ecl *e, const hp_ecl_record *record) {
  hp_well_spec spec = {.ref_depth = NAN, .crossflow = true, .file = record->file, .line = record->line};
  const hp_ecl_token *t = &record->welspecs.well.text;
  if (!record->welspecs.well.given || t->length >= HP_WELL_NAME || t->length == 0) {
    e->lost |= e->section;
    return HP_OK;
  }
  hp_ecl_copy(t, spec.name, HP_WELL_NAME);
  return find_well(e, spec.name) < 0 ? add_well(e, &spec, 0, true) : HP_OK;
}

static hp_status mark_faulty(hp_ecl *e, hp_ecl_well *w, const hp_ecl_record *record) {
  (void)record;
  mark(e, w);
  return HP_OK;
}

hp_status hp_ecl_faulty(hp_ecl *e, const hp_ecl_record *record) {
  hp_status (*const handler)(hp_ecl *, const hp_ecl_record *) = e->entry->handler;
  _Static_assert(HP_ECL_AT(operate, array) == HP_ECL_AT(operation, array) &&
                     HP_ECL_AT(operater, array) == HP_ECL_AT(operation, array) &&
                     HP_ECL_AT(copyreg, to) == HP_ECL_AT(copy, to),
                 "the item of the array");
  if (handler == hp_ecl_do_welspecs) return faulty_welspecs(e, record);
  if (handler == hp_ecl_do_equals || handler == hp_ecl_do_add || handler == hp_ecl_do_multiply ||
      handler == hp_ecl_do_minvalue || handler == hp_ecl_do_maxvalue || handler == hp_ecl_do_equalreg ||
      handler == hp_ecl_do_addreg || handler == hp_ecl_do_multireg || handler == hp_ecl_do_operate ||
      handler == hp_ecl_do_operater)
    return hp_ecl_array_faulty(e, &record->operation.array);
  if (handler == hp_ecl_do_copy || handler == hp_ecl_do_copyreg) return hp_ecl_array_faulty(e, &record->copy.to);
  if (handler == hp_ecl_do_wlist) e->lost |= e->section;
  const bool of_wells = handler == hp_ecl_do_compdat || handler == hp_ecl_do_wconprod ||
                        handler == hp_ecl_do_wconinje || handler == hp_ecl_do_welopen || handler == hp_ecl_do_weltarg ||
                        handler == hp_ecl_do_welcntl || handler == hp_ecl_do_wconhist ||
                        handler == hp_ecl_do_wconinjh || handler == hp_ecl_do_wefac || handler == hp_ecl_do_wecon ||
                        handler == hp_ecl_do_wtest || handler == hp_ecl_do_wcutback || handler == hp_ecl_do_wpimult ||
                        handler == hp_ecl_do_wgrupcon || handler == hp_ecl_do_compord || handler == hp_ecl_do_complump;
  if (!of_wells || !record->welspecs.well.given) return HP_OK;
  const hp_status s = hp_ecl_wells_each(e, record, mark_faulty);
  return s == HP_ERR_DECK ? HP_OK : s;
}

/* connections */

static bool is_at(const hp_perf_spec *p, int i, int j, int k) { return p->i == i && p->j == j && p->k == k; }

/* A cell that is connected again takes the new numbers, and stays in its completion. */
static hp_status add_perforation(hp_ecl_well *w, const hp_perf_spec *perf) {
  hp_well_spec *spec = &w->spec;
  for (int n = 0; n < spec->nperf; ++n)
    if (is_at(&spec->perf[n], perf->i, perf->j, perf->k)) {
      const hp_perf_spec old = spec->perf[n];
      spec->perf[n] = *perf;
      spec->perf[n].completion = old.completion;
      spec->perf[n].segment = old.segment;
      spec->perf[n].depth = old.depth;
      return HP_OK;
    }
  HP_TRY(HP_GROW(spec->perf, spec->nperf, 1));
  spec->perf[spec->nperf] = *perf;
  spec->perf[spec->nperf].completion = spec->nperf + 1;
  spec->nperf += 1;
  return HP_OK;
}

bool hp_ecl_has_flowed(const hp_ecl *e, const hp_ecl_well *w) {
  return w->opened < e->now || w->changes || e->action != NULL;
}

hp_status hp_ecl_change_add(hp_ecl *e, hp_ecl_well *w, const hp_ecl_record *record, hp_perf_event change) {
  hp_case *c = e->c;
  change.time = e->now;
  change.well = (int)(w - e->well);
  change.file = record->file;
  change.line = record->line;
  w->changes = w->changes || !hp_perf_event_only_numbers(&change);
  HP_TRY(HP_GROW(c->perf_event, c->nperf_event, 1));
  c->perf_event[c->nperf_event++] = change;
  return HP_OK;
}

/* A new connection of a well that has flowed; those of a vertical bore stay in order of depth. */
static hp_status add_later(hp_ecl_well *w, const hp_perf_spec *perf) {
  hp_well_spec *spec = &w->spec;
  int place = spec->nperf;
  HP_TRY(HP_GROW(spec->perf, spec->nperf, 1));
  while (place > 0 && perf->dir == HP_DIR_K && spec->perf[place - 1].i == perf->i &&
         spec->perf[place - 1].j == perf->j && spec->perf[place - 1].k > perf->k)
    --place;
  memmove(&spec->perf[place + 1], &spec->perf[place], (size_t)(spec->nperf - place) * sizeof *spec->perf);
  spec->perf[place] = *perf;
  spec->perf[place].open = false;
  spec->perf[place].later = true;
  spec->nperf += 1;
  spec->perf[place].completion = spec->nperf;
  return HP_OK;
}

/* A connection of a well that has flowed is an event; one that is new is shut until then. */
static hp_status change_perforation(hp_ecl *e, hp_ecl_well *w, const hp_ecl_record *record, const hp_perf_spec *perf) {
  hp_well_spec *spec = &w->spec;
  bool there = false;
  for (int n = 0; n < spec->nperf; ++n)
    if (is_at(&spec->perf[n], perf->i, perf->j, perf->k)) {
      spec->perf[n].later = there = true;
      spec->perf[n].open_last = perf->open;
    }
  if (!there) HP_TRY(add_later(w, perf));
  hp_perf_event change = {.state = perf->open ? HP_PERF_OPEN : HP_PERF_SHUT,
                          .multiply = 1.0,
                          .anew = true,
                          .spec = *perf,
                          .first = {perf->i, perf->j, perf->k},
                          .last = {perf->i, perf->j, perf->k}};
  return hp_ecl_change_add(e, w, record, change);
}

hp_status hp_ecl_tell_numbers(hp_ecl *e, hp_ecl_well *w, const hp_ecl_record *record, const hp_perf_spec *at) {
  for (int n = 0; n < w->spec.nperf; ++n) {
    const hp_perf_spec *p = &w->spec.perf[n];
    if (at != NULL && !is_at(p, at->i, at->j, at->k)) continue;
    HP_TRY(hp_ecl_change_add(
        e, w, record,
        (hp_perf_event){
            .completion = p->completion, .multiply = 1.0, .first = {p->i, p->j, p->k}, .last = {p->i, p->j, p->k}}));
  }
  return HP_OK;
}

static hp_status complete(hp_ecl *e, hp_ecl_well *w, const hp_ecl_record *record) {
  static const int direction[] = {HP_DIR_K, HP_DIR_I, HP_DIR_J}; /* Z X Y */
  const hp_ecl_items_compdat *v = &record->compdat;
  const char *name = w->spec.name;
  const int head[2] = {w->moved ? w->first_head[0] : w->spec.head_i, w->moved ? w->first_head[1] : w->spec.head_j};
  hp_perf_spec perf = {.i = v->i.i == 0 ? head[0] : (int)v->i.i - 1,
                       .j = v->j.i == 0 ? head[1] : (int)v->j.i - 1,
                       .dir = direction[v->direction.choice],
                       .open = v->status.choice == 0,
                       .open_last = v->status.choice == 0,
                       .skin = v->skin.x,
                       .table = e->tables[HP_ECL_BY_SATNUM] > 1 && !e->hysteresis && v->saturation_table.i > 0
                                    ? (int)v->saturation_table.i
                                    : 0,
                       /* 0 or less says "from the cell" as leaving it out does */
                       .transmissibility = v->factor.x > 0.0 ? v->factor.x : NAN,
                       .kh = v->kh.x > 0.0 ? v->kh.x : NAN,
                       .r0 = v->r0.x > 0.0 ? v->r0.x : NAN,
                       .length = {NAN, NAN, NAN}};
  const int errors = e->diag->errors, *n = e->deck_size;
  if (!e->unsized && !w->faulty &&
      (perf.i < 0 || perf.i >= n[0] || perf.j < 0 || perf.j >= n[1] || v->k1.i > v->k2.i || v->k2.i > n[2]))
    (void)hp_ecl_error(e, record->file, record->line,
                       "well %s: connections (%d,%d,%d..%d) are outside the grid of "
                       "%d x %d x %d, or not rising",
                       name, perf.i + 1, perf.j + 1, (int)v->k1.i, (int)v->k2.i, n[0], n[1], n[2]);
  const bool by_workover = v->status.choice == 2;
  if (by_workover) w->auto_file = record->file, w->auto_line = record->line;
  const int tables = e->tables[HP_ECL_BY_SATNUM];
  if (v->saturation_table.i > tables)
    (void)hp_ecl_error(e, record->file, record->line,
                       "item %d: saturation table %d: there %s only %d (TABDIMS item %d)",
                       HP_ECL_NUMBER(compdat, saturation_table), (int)v->saturation_table.i, hp_is(tables), tables,
                       HP_ECL_NUMBER(tabdims, saturation_tables));
  if (e->diag->errors > errors) return HP_ERR_DECK;
  if (e->unsized || w->faulty) return HP_OK;
  if ((perf.i >= e->nx || perf.j >= e->ny || v->k2.i > e->nz) && w->misfit_file == NULL) {
    w->misfit_file = record->file;
    w->misfit_line = record->line;
  }
  if (!v->diameter.given && isnan(perf.transmissibility))
    hp_ecl_note(e, record->file, record->line, "well %s: item %d (%s) is left out: 1 ft", name,
                HP_ECL_NUMBER(compdat, diameter), e->entry->item[HP_ECL_AT(compdat, diameter)].name);
  if (w->moved && (v->i.i == 0 || v->j.i == 0))
    hp_ecl_note(
        e, record->file, record->line,
        "well %s: items %d, %d left out are the head of its first connections, (%d,%d), as in OPM Flow; WELSPECS has "
        "moved the head since",
        name, HP_ECL_NUMBER(compdat, i), HP_ECL_NUMBER(compdat, j), head[0] + 1, head[1] + 1);
  perf.radius = 0.5 * (v->diameter.given ? v->diameter.x : FOOT);
  w->connected_file = record->file;
  w->connected_line = record->line;
  if (v->saturation_table.i > 0 && e->hysteresis) {
    HP_TRY(HP_GROW(e->table_of, e->tables_of, 1));
    e->table_of[e->tables_of++] = (hp_ecl_table_of){.well = (int)(w - e->well),
                                                    .i = perf.i,
                                                    .j = perf.j,
                                                    .k = {(int)v->k1.i - 1, (int)v->k2.i - 1},
                                                    .table = (int)v->saturation_table.i,
                                                    .file = record->file,
                                                    .line = record->line};
  }
  const bool flowed = hp_ecl_has_flowed(e, w);
  for (perf.k = (int)v->k1.i - 1; perf.k < v->k2.i; ++perf.k) {
    HP_TRY(flowed ? change_perforation(e, w, record, &perf) : add_perforation(w, &perf));
    if (w->lumped) HP_TRY(hp_ecl_tell_numbers(e, w, record, &perf));
  }
  return HP_OK;
}

/* Connections flow in the order of COMPDAT: that of INPUT, and any other where it is the order of depth. */
static hp_status order(hp_ecl *e, hp_ecl_well *w, const hp_ecl_record *record) {
  (void)e;
  w->ordered_file = record->compord.order.choice != 1 ? record->file : NULL;
  w->ordered_line = record->line;
  return HP_OK;
}

hp_status hp_ecl_do_compord(hp_ecl *e, const hp_ecl_record *record) { return hp_ecl_wells_each(e, record, order); }

hp_status hp_ecl_do_compdat(hp_ecl *e, const hp_ecl_record *record) { return hp_ecl_wells_each(e, record, complete); }

static bool has_perforation(const hp_well_spec *w, int i, int j, int k) {
  for (int q = 0; q < w->nperf; ++q)
    if (is_at(&w->perf[q], i, j, k)) return true;
  return false;
}

/* Connections that --set has moved, or that lie outside a grid which it has made smaller, are not judged here. */
static hp_status check_table(hp_ecl *e, const hp_ecl_table_of *t) {
  const hp_case *c = e->c;
  const hp_grid *g = c->grid;
  const char *name = e->well[t->well].spec.name;
  const hp_well_spec *w = NULL;
  for (int n = 0; n < c->nwell; ++n)
    if (strcmp(c->well[n].name, name) == 0) w = &c->well[n];
  if (w == NULL || t->i >= g->nx || t->j >= g->ny || e->array[HP_ECL_SATNUM].faulty) return HP_OK;
  if (!hp_grid_holds(g, hp_grid_cell(g, t->i, t->j, 0))) return HP_OK; /* another rank looks */
  for (int k = t->k[0]; k <= t->k[1] && k < g->nz; ++k) {
    const int64_t m = hp_grid_place(g, hp_grid_cell(g, t->i, t->j, k));
    const int number = c->fluid.of_sat != NULL ? c->fluid.of_sat[m] + 1 : 1;
    if (number == t->table || !g->active[m] || !has_perforation(w, t->i, t->j, k)) continue;
    return hp_ecl_error(e, t->file, t->line,
                        "COMPDAT: well %s: item %d: saturation table %d, where SATNUM of cell "
                        "(%d,%d,%d) is %d: with hysteresis connections have the saturation functions of their cells",
                        name, HP_ECL_NUMBER(compdat, saturation_table), t->table, t->i + 1, t->j + 1, k + 1, number);
  }
  return HP_OK;
}

hp_status hp_ecl_check_tables(hp_ecl *e) {
  hp_status worst = HP_OK;
  for (int n = 0; n < e->tables_of; ++n) {
    const hp_status s = check_table(e, &e->table_of[n]);
    if (s != HP_OK && s != HP_ERR_DECK) return s;
    if (s != HP_OK) worst = s;
  }
  return worst;
}

/* A well that was opened without a control has one by WELTARG when time goes on. */
static hp_status check_opened(hp_ecl *e, const hp_ecl_well *w) {
  const hp_case *c = e->c;
  if (!w->open || !w->controlled || w->control.control != HP_CONTROL_SHUT) return HP_OK;
  for (int n = c->nevent - 1; n >= 0; --n)
    if (c->event[n].well == (int)(w - e->well))
      return hp_ecl_error(e, c->event[n].file, c->event[n].line, "well %s: an open well needs a control (item %d)",
                          w->spec.name, hp_ecl_control_number(w->control.injector));
  return HP_OK;
}

/* An open well whose connections are all shut when time goes on is shut, and waits until it is opened itself, as in OPM
 * Flow. */
hp_status hp_ecl_shut_closed_wells(hp_ecl *e) {
  for (int n = 0; n < e->wells; ++n) {
    hp_ecl_well *w = &e->well[n];
    if (check_opened(e, w) != HP_OK) w->open = false;
    bool open = w->spec.nperf == 0 || !w->open;
    for (int q = 0; q < w->spec.nperf && !open; ++q) open = w->spec.perf[q].open_last;
    if (open) continue;
    const hp_ecl_record said = {.file = w->connected_file, .line = w->connected_line};
    hp_ecl_note(e, said.file, said.line,
                "well %s: all its connections are shut, and with them the well until it is "
                "opened",
                w->spec.name);
    HP_TRY(hp_ecl_shut(e, w, &said));
  }
  return HP_OK;
}
