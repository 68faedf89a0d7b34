/* The section SUMMARY: which vectors are written beside those that always are. */
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "io/case/vectors.h"
#include "io/eclipse/impl.h"

/* Names or numbers of one record; *empty: it holds none, which means all. */
static hp_status read_words(hp_ecl *e, bool numbers, bool *empty) {
  *empty = true;
  for (;;) {
    hp_ecl_token t;
    char text[2 * HP_ECL_KEYWORD + HP_WELL_NAME];
    HP_TRY(hp_ecl_word(e, &t));
    if (t.kind == HP_ECL_SLASH) return HP_OK;
    *empty = false;
    if (t.defaulted) continue;
    int64_t region;
    if (numbers && (!hp_ecl_integer(&t, &region) || region < 1)) {
      (void)hp_ecl_error(e, t.file, t.line, "%s is not the number of %s", hp_ecl_show(&e->lexer, &t, "'").s,
                         e->name[0] == 'A' ? "an aquifer" : "a region");
      continue;
    }
    snprintf(text, sizeof text, "%s:%.*s", e->name, t.length > HP_WELL_NAME ? HP_WELL_NAME : t.length, t.text);
    HP_TRY(hp_case_vector(e->c, text));
  }
}

static hp_status read_all_of(hp_ecl *e, bool numbers) {
  bool empty;
  HP_TRY(read_words(e, numbers, &empty));
  return empty ? hp_case_vector(e->c, e->name) : HP_OK;
}

/* A record of a list, up to an empty one. */
static hp_status read_next(hp_ecl *e, const hp_ecl_item *item, int count, hp_ecl_record *record, bool *empty) {
  static const hp_ecl_keyword_entry list = {.name = "", .sections = HP_ECL_SUMMARY, .shape = HP_ECL_LIST};
  e->entry = &list;
  return hp_ecl_read_record(e, item, count, record, empty);
}

/* WELL I J K, or a well alone: all its connections. */
static hp_status read_connections(hp_ecl *e) {
  bool any = false;
  for (;;) {
    hp_ecl_record record;
    bool empty;
    char text[2 * HP_ECL_KEYWORD + HP_WELL_NAME + 40];
    HP_TRY(read_next(e, hp_ecl_vector, HP_ECL_COUNT(vector), &record, &empty));
    if (empty) return any ? HP_OK : hp_case_vector(e->c, e->name);
    any = true;
    if (record.faulty) continue;
    const hp_ecl_items_vector *v = &record.vector;
    const int length = v->well.text.length > HP_WELL_NAME ? HP_WELL_NAME : v->well.text.length;
    const int n = snprintf(text, sizeof text, "%s:%.*s", e->name, length, v->well.text.text);
    if (v->i.i > 0 && v->j.i > 0 && v->k.i > 0)
      snprintf(text + n, sizeof text - (size_t)n, ":%d,%d,%d", (int)v->i.i, (int)v->j.i, (int)v->k.i);
    HP_TRY(hp_case_vector(e->c, text));
  }
}

/* WELL SEGMENT, or a well alone: all its segments. */
static hp_status read_segments(hp_ecl *e) {
  bool any = false;
  for (;;) {
    hp_ecl_record record;
    bool empty;
    char text[2 * HP_ECL_KEYWORD + HP_WELL_NAME + 40];
    HP_TRY(read_next(e, hp_ecl_segment_vector, HP_ECL_COUNT(segment_vector), &record, &empty));
    if (empty) return any ? HP_OK : hp_case_vector(e->c, e->name);
    any = true;
    if (record.faulty) continue;
    const hp_ecl_items_segment_vector *v = &record.segment_vector;
    const int length = v->well.text.length > HP_WELL_NAME ? HP_WELL_NAME : v->well.text.length;
    const int n = snprintf(text, sizeof text, "%s:%.*s", e->name, length, v->well.text.text);
    if (v->segment.i > 0) snprintf(text + n, sizeof text - (size_t)n, ":%d", (int)v->segment.i);
    HP_TRY(hp_case_vector(e->c, text));
  }
}

/* I J K */
static hp_status read_cells(hp_ecl *e) {
  for (;;) {
    hp_ecl_record record;
    bool empty;
    char text[HP_ECL_KEYWORD + 40];
    HP_TRY(read_next(e, hp_ecl_block, HP_ECL_COUNT(block), &record, &empty));
    if (empty) return HP_OK;
    if (record.faulty) continue;
    const hp_ecl_items_block *v = &record.block;
    snprintf(text, sizeof text, "%s:%d,%d,%d", e->name, (int)v->i.i, (int)v->j.i, (int)v->k.i);
    HP_TRY(hp_case_vector(e->c, text));
  }
}

/* Vectors of the program's work, and what asks for all of them. */
static const char *const work[] = {
#define NAME(name, level, quantity, what) #name,
    HP_WORK_VECTOR_LIST(NAME)
#undef NAME
        "PERFORMA"};
enum { WORK = sizeof work / sizeof work[0] };

bool hp_ecl_is_work(const hp_ecl *e) {
  for (int n = 0; n < WORK; ++n)
    if (strcmp(work[n], e->name) == 0) return true;
  return false;
}

static hp_status ask_for_work(hp_ecl *e) {
  for (int n = 0; n < WORK - 1; ++n) HP_TRY(hp_case_vector(e->c, work[n]));
  return HP_OK;
}

hp_status hp_ecl_read_vector(hp_ecl *e, bool *known) {
  const size_t n = strlen(e->name);
  const hp_summary_vector_id id = hp_summary_vector_find(e->name, n);
  const bool all = strcmp(e->name, work[WORK - 1]) == 0;
  *known = all || id != HP_SUMMARY_VECTOR_COUNT;
  if (all) return ask_for_work(e);
  if (!*known) return hp_summary_vector_is_always_written(e->name, n) ? HP_OK : hp_ecl_names_add(&e->absent, e->name);
  switch (hp_summary_vector_level_of(id)) {
    case HP_OF_FIELD: return hp_case_vector(e->c, e->name);
    case HP_OF_GROUP:
    case HP_OF_WELL: return read_all_of(e, false);
    case HP_OF_AQUIFER:
    case HP_OF_NUMERICAL:
    case HP_OF_REGION: return read_all_of(e, true);
    case HP_OF_CONNECTION: return read_connections(e);
    case HP_OF_SEGMENT: return read_segments(e);
    case HP_OF_CELL: return read_cells(e);
  }
  return HP_OK;
}

/* "WVPR:*LIST", "COPR:*LIST:1,1,2", and likewise with a pattern that begins with "\*". */
static bool names_list(const char *text) {
  const char *name = strchr(text, ':');
  return name != NULL && (name[1] == '\\' || (name[1] == '*' && name[2] != '\0' && name[2] != ':'));
}

/* The vector of each well that the name means at the end of the schedule. */
static hp_status ask_for_wells(hp_ecl *e, const char *text) {
  const hp_case *c = e->c;
  const char *from = strchr(text, ':') + 1, *rest = from + strcspn(from, ":");
  char name[2 * HP_WELL_NAME], one[2 * HP_ECL_KEYWORD + 2 * HP_WELL_NAME + 40];
  bool any = false;
  snprintf(name, sizeof name, "%.*s", (int)(rest - from), from);
  for (int n = 0; n < c->nwell; ++n)
    for (int w = 0; w < e->wells; ++w) {
      if (strcmp(e->well[w].spec.name, c->well[n].name) != 0 || !hp_ecl_means_well(e, name, w)) continue;
      any = true;
      snprintf(one, sizeof one, "%.*s%s%s", (int)(from - text), text, c->well[n].name, rest);
      HP_TRY(hp_case_vector(e->c, one));
    }
  if (!any) hp_diag_note(e->diag, c->deck, 0, "SUMMARY: '%s': no well is meant: left out", text);
  return HP_OK;
}

/* Vectors of wells and regions that the deck does not have are left out. */
hp_status hp_ecl_complete_summary(hp_ecl *e) {
  hp_output_options *o = &e->c->output;
  const int asked = o->nvector;
  int kept = 0;
  for (int n = 0; n < asked; ++n)
    if (names_list(o->vector[n])) HP_TRY(ask_for_wells(e, o->vector[n]));
  for (int n = 0; n < o->nvector; ++n) {
    const bool listed = names_list(o->vector[n]);
    char why[HP_CASE_WHY];
    hp_summary_vector_fault(e->c, o->vector[n], why);
    if (!listed && why[0] == '\0') {
      o->vector[kept++] = o->vector[n];
      continue;
    }
    if (!listed) hp_diag_note(e->diag, e->c->deck, 0, "SUMMARY: %s: left out", why);
    HP_FREE(o->vector[n]);
  }
  o->nvector = kept;
  return HP_OK;
}
