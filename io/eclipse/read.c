#define _POSIX_C_SOURCE 200809L
#include <string.h>
#include <strings.h>

#include "core/memory.h"
#include "core/plural.h"
#include "core/threads/stage.h"
#include "io/config/config.h"
#include "io/eclipse/actions.h"
#include "io/eclipse/eclipse.h"
#include "io/eclipse/impl.h"
#include "io/files/text.h"
#include "wells/group.h"

/* More faults than this are not worth reading on for. */
enum { ERRORS_MAX = 100 };

/* skipping */

hp_status hp_ecl_names_add(hp_ecl_names *names, const char *name) {
  for (int n = 0; n < names->count; ++n)
    if (strcmp(names->name[n], name) == 0) return HP_OK;
  HP_TRY(HP_GROW(names->name, names->count, 1));
  snprintf(names->name[names->count++], sizeof *names->name, "%s", name);
  return HP_OK;
}

/* The words that end blocks (HP_ECL_BLOCK). */
static bool ends_block(const hp_ecl_token *word) {
  static const char *const end[] = {"ENDFIN", "ENDDYN", "ENDACTIO", "PYEND"};
  for (size_t n = 0; n < sizeof end / sizeof end[0]; ++n)
    if (hp_ecl_equals(word, end[n])) return true;
  return false;
}

/* To the end of a block; a section's name ends it, too. */
static void skip_block(hp_ecl *e) {
  hp_ecl_token t = {.kind = HP_ECL_WORD};
  while (e->lexer.depth > 0 && t.kind != HP_ECL_END) {
    const bool word = hp_ecl_peek(&e->lexer, &t);
    const bool ends = word && ends_block(&t);
    const hp_ecl_keyword_entry *found = word && !ends ? hp_ecl_find(&t) : NULL;
    if (found != NULL && found->handler == hp_ecl_do_section) return;
    hp_ecl_line(&e->lexer, &t);
    if (ends) return;
  }
}

static hp_status skip_records(hp_ecl *e, hp_ecl_shape shape) {
  bool empty = false;
  switch (shape) {
    case HP_ECL_RECORD: HP_TRY(hp_ecl_skip_record(e, &empty)); break;
    case HP_ECL_LIST:
      while (!empty) HP_TRY(hp_ecl_skip_record(e, &empty));
      return HP_OK;
    case HP_ECL_BLOCK: skip_block(e); return HP_OK;
    default: break;
  }
  while (hp_ecl_data_follow(e)) HP_TRY(hp_ecl_skip_record(e, &empty));
  return HP_OK;
}

/* Vectors of the SUMMARY section: the first letter says what they belong to,
 * and so what stands behind the name: nothing for the field (F), a list of
 * names or numbers for wells, groups, regions, aquifers, one record each for
 * blocks, connections and segments. Those of the program's work have other names. */
static bool is_vector(const hp_ecl *e, const hp_ecl_token *name) {
  return hp_ecl_is_work(e) || (name->length >= 3 && strchr("FGWRABCSL", name->text[0] & ~0x20) != NULL);
}

static hp_status read_vector(hp_ecl *e) {
  bool known;
  HP_TRY(hp_ecl_read_vector(e, &known));
  if (known) return HP_OK;
  if (e->name[0] == 'F') return skip_records(e, HP_ECL_FLAG);
  return skip_records(e, strchr("BCSL", e->name[0]) != NULL ? HP_ECL_LIST : HP_ECL_RECORD);
}

/* one keyword */

static bool same_name(const char *a, const char *b) {
  for (; *a != '\0' && *b != '\0'; ++a, ++b)
    if ((*a | 0x20) != (*b | 0x20)) return false;
  return *a == *b;
}

/* Whether a keyword that would stop the run is to be left out. */
static bool is_left_out(const hp_ecl *e, const char *name) {
  for (const char *at = e->without; at != NULL && *at != '\0';) {
    const size_t length = strcspn(at, ",");
    if (length == 1 && *at == '*') return true;
    if (strlen(name) == length && strncasecmp(at, name, length) == 0) return true;
    at += length + (at[length] == ',');
  }
  return false;
}

/* A keyword that stops the run is kept, and counted, for one message. */
static hp_status stop_at(hp_ecl *e, const hp_ecl_token *name, const char *remark) {
  if (is_left_out(e, e->name)) return hp_ecl_names_add(&e->left_out, e->name);
  hp_ecl_stop stop = {.remark = remark, .file = name->file, .line = name->line, .count = 1};
  snprintf(stop.name, sizeof stop.name, "%.40s", hp_ecl_show(&e->lexer, name, "").s);
  for (int n = 0; n < e->stops; ++n)
    if (same_name(e->stop[n].name, stop.name)) {
      e->stop[n].count += 1;
      return HP_OK;
    }
  HP_TRY(HP_GROW(e->stop, e->stops, 1));
  e->stop[e->stops++] = stop;
  return HP_OK;
}

static void report_stops(hp_ecl *e) {
  for (int n = 0; n < e->stops; ++n) {
    const hp_ecl_stop *s = &e->stop[n];
    char times[48] = "", upper[sizeof s->name], near[HP_ECL_KEYWORD + 1];
    if (s->count > 1) snprintf(times, sizeof times, " (%d times, here first)", s->count);
    if (s->remark != NULL) {
      hp_diag_error(e->diag, s->file, s->line, "%s: not supported: %s%s", s->name, s->remark, times);
      continue;
    }
    for (size_t c = 0; c < sizeof upper; ++c)
      upper[c] = s->name[c] >= 'a' && s->name[c] <= 'z' ? (char)(s->name[c] - 'a' + 'A') : s->name[c];
    hp_ecl_nearest(upper, near);
    hp_diag_error(e->diag, s->file, s->line, "%s: unknown keyword%s%s%s%s", s->name,
                  near[0] != '\0' ? "; did you mean '" : "", near, near[0] != '\0' ? "'?" : "", times);
  }
}

/* Where nothing else stops the deck the reader knows that taking these out is all it needs. */
static void note_only_stops(const hp_ecl *e, int errors) {
  char text[900];
  size_t n = 0;
  if (e->stops == 0 || e->diag->errors != errors + e->stops) return;
  text[0] = '\0';
  for (int k = 0; k < e->stops && n + sizeof e->stop[k].name + 8 < sizeof text; ++k)
    n += (size_t)snprintf(text + n, sizeof text - n, " %s%s", e->stop[k].name,
                          k + 1 < e->stops && n + 2 * sizeof e->stop[k].name + 16 > sizeof text ? " ..." : "");
  hp_diag_note(e->diag, e->c->deck, 0, "only keywords that are unknown or not supported stop this deck:%s", text);
}

/* Faults in the data of a keyword that stops the run anyhow are not reported. HP_ERR_DECK: the data's end was not found. */
static hp_status skip_silently(hp_ecl *e, hp_ecl_shape shape) {
  hp_diag dropped, *kept = e->diag;
  hp_diag_init(&dropped);
  e->diag = e->lexer.diag = &dropped;
  hp_status s = skip_records(e, shape);
  if (s == HP_OK && shape != HP_ECL_BLOCK) s = skip_records(e, HP_ECL_FLAG); /* more of it than there should be */
  e->diag = e->lexer.diag = kept;
  hp_diag_clear(&dropped);
  return s;
}

static bool holds_data(const hp_ecl_token *rest) {
  return rest->kind != HP_ECL_END &&
         (rest->text[rest->length - 1] == '/' || strchr("0123456789'\"+-.*", rest->text[0]) != NULL);
}

/* Eclipse ignores what stands behind a keyword on its line; data there would be lost. */
static hp_status check_rest(hp_ecl *e, const hp_ecl_token *rest) {
  if (rest->kind == HP_ECL_END || e->entry->handler == hp_ecl_do_section) return HP_OK;
  if (e->entry->shape == HP_ECL_FLAG && rest->text[0] == '/') return HP_OK;
  if (holds_data(rest))
    return hp_ecl_error(e, rest->file, rest->line, "%s on the keyword's line is ignored; data start on the next line",
                        hp_ecl_show(&e->lexer, rest, "'").s);
  hp_ecl_note(e, rest->file, rest->line, "ignored on the keyword's line: %s", hp_ecl_show(&e->lexer, rest, "'").s);
  return HP_OK;
}

/* Faults inside a record leave the list readable: go on, to find them all. */
static hp_status read_entry(hp_ecl *e, bool *empty) {
  hp_ecl_record record;
  HP_TRY(hp_ecl_read_record(e, e->entry->item, e->entry->items, &record, empty));
  if (*empty) return HP_OK;
  const hp_status s = record.faulty ? hp_ecl_faulty(e, &record) : e->entry->handler(e, &record);
  return s == HP_ERR_DECK ? HP_OK : s;
}

/* One that is left out of the text; none is empty there. */
static hp_status read_left_out(hp_ecl *e) {
  bool empty;
  HP_TRY(read_entry(e, &empty));
  return empty ? hp_spread_refuse(e->c->spread, HP_SPREAD_ERRORS) : HP_OK;
}

/* A keyword where a record would begin with a number: the '/' that ends the list is missing. */
static bool ends_without_slash(hp_ecl *e) {
  hp_ecl_token t;
  if (e->entry->item[0].type == HP_ECL_TEXT || !hp_ecl_peek(&e->lexer, &t)) return false;
  if ((unsigned char)t.text[0] < 'A' || hp_ecl_find(&t) == NULL) return false;
  hp_ecl_note(e, t.file, t.line, "%.*s follows: the '/' that ends the records is missing", t.length, t.text);
  return true;
}

static hp_status read_list(hp_ecl *e) {
  bool empty = false;
  hp_ecl_gap gap;
  int line;
  while (!empty && e->diag->errors < ERRORS_MAX) {
    if (ends_without_slash(e)) return HP_OK;
    if (hp_ecl_pass_records_gap(&e->lexer, &gap, &line)) HP_TRY(hp_ecl_read_gap_records(e, &gap, line, read_left_out));
    else HP_TRY(read_entry(e, &empty));
  }
  return HP_OK;
}

/* A record for each region; one that holds nothing repeats the one before. */
static hp_status read_tables(hp_ecl *e) {
  hp_ecl_record record = {.faulty = true};
  for (e->table = 0; e->table < e->tables[e->entry->argument]; ++e->table) {
    hp_ecl_token t;
    bool empty;
    if (e->table > 0 && hp_ecl_peek(&e->lexer, &t) && hp_ecl_find(&t) != NULL)
      return hp_ecl_error(e, e->file, e->line, "%d record%s, %d %s needed", e->table, hp_plural(e->table),
                          e->tables[e->entry->argument], hp_is(e->tables[e->entry->argument]));
    if (e->table > 0 && hp_ecl_slash_next(e)) HP_TRY(hp_ecl_word(e, &t));
    else HP_TRY(hp_ecl_read_record(e, e->entry->item, e->entry->items, &record, &empty));
    if (record.faulty) continue;
    const hp_status s = e->entry->handler(e, &record);
    if (s != HP_OK && s != HP_ERR_DECK) return s;
  }
  return HP_OK;
}

static hp_status read_keyword(hp_ecl *e, const hp_ecl_token *name, const hp_ecl_token *rest) {
  e->entry = hp_ecl_find(name);
  /* Some vectors share the name of a keyword that means something else elsewhere (WEFAC). */
  const bool other = e->entry == NULL || e->entry->fate == HP_ECL_REFUSED || e->entry->handler == hp_ecl_do_wefac;
  if (e->section == HP_ECL_SUMMARY && is_vector(e, name) && other) return read_vector(e);
  if (e->entry == NULL) {
    if (!is_left_out(e, e->name)) e->lost |= e->section;
    HP_TRY(stop_at(e, name, NULL));
    return HP_ERR_DECK; /* reported when the deck has been read */
  }
  if (e->action != NULL && e->entry->fate != HP_ECL_SKIPPED && !hp_ecl_acts(e->entry)) {
    (void)hp_ecl_error(e, name->file, name->line, "is not supported between ACTIONX and ENDACTIO");
    return e->entry->handler == hp_ecl_do_section ? HP_ERR_DECK : skip_silently(e, e->entry->shape);
  }
  int count;
  const hp_ecl_keyword_entry *table = hp_ecl_table(&count);
  if (e->entry->fate == HP_ECL_WORKS) e->seen[e->entry - table] = (hp_ecl_place){name->file, name->line};
  if (e->entry->fate == HP_ECL_REFUSED) {
    const bool stands_in = !is_left_out(e, e->name) && e->entry->argument == HP_ECL_STANDS_IN &&
                           e->entry->shape != HP_ECL_FLAG;
    if (stands_in) e->lost |= e->section;
    HP_TRY(stop_at(e, name, e->entry->remark));
    return skip_silently(e, e->entry->shape);
  }
  if (e->entry->fate == HP_ECL_SKIPPED) {
    HP_TRY(hp_ecl_names_add(&e->skipped, e->name));
    if (e->gas && e->entry->argument == HP_ECL_GAS_CELLS) return hp_ecl_judge_gas_cells(e);
    if (!e->gas || e->entry->argument != HP_ECL_GAS_TABLES) return skip_records(e, e->entry->shape);
    HP_TRY(hp_ecl_judge_gas_tables(e));
    return skip_records(e, HP_ECL_FLAG);
  }
  if (e->entry->handler != hp_ecl_do_section && e->entry->sections != HP_ECL_ANYWHERE &&
      (e->entry->sections & (unsigned)e->section) == 0)
    return hp_ecl_error(e, name->file, name->line, "belongs in %s, not in %s", hp_ecl_section_name(e->entry->sections),
                        hp_ecl_section_name(e->section));
  HP_TRY(check_rest(e, rest));
  if (e->section == HP_ECL_SCHEDULE && e->entry->sections == HP_ECL_SCHEDULE && e->entry->handler != hp_ecl_do_skiprest)
    HP_TRY(hp_ecl_restart_begin(e));
  memcpy(e->record_box, e->box, sizeof e->box);
  hp_ecl_record record;
  bool empty;
  switch (e->entry->shape) {
    case HP_ECL_LIST: return read_list(e);
    case HP_ECL_TABLES: return read_tables(e);
    case HP_ECL_RECORD:
      HP_TRY(hp_ecl_read_record(e, e->entry->item, e->entry->items, &record, &empty));
      return record.faulty ? HP_OK : e->entry->handler(e, &record);
    default: return e->entry->handler(e, NULL);
  }
}

hp_status hp_ecl_do_section(hp_ecl *e, const hp_ecl_record *record) {
  (void)record;
  const hp_ecl_section section = (hp_ecl_section)e->entry->argument;
  if (section == e->section) {
    hp_ecl_note(e, e->file, e->line, "the section has begun already");
    return HP_OK;
  }
  if (section <= e->section)
    return hp_ecl_error(e, e->file, e->line,
                        "the section %s has begun already; they come in the order RUNSPEC, GRID, "
                        "EDIT, PROPS, REGIONS, SOLUTION, SUMMARY, SCHEDULE",
                        hp_ecl_section_name(e->section));
  e->section = section;
  const bool missing = section >= HP_ECL_GRID && e->nx == 0;
  if (missing) { /* a grid of one cell stands in, so that all else can be read */
    HP_TRY(hp_ecl_no_planes(e, "without DIMENS"));
    e->nx = e->ny = e->nz = 1;
    e->planes = (hp_spread_planes){0, 1, 1};
    e->unsized = true;
  }
  hp_ecl_box_reset(e);
  return missing ? hp_ecl_missing(e, HP_ECL_RUNSPEC, "DIMENS", "DIMENS is missing in RUNSPEC") : HP_OK;
}

/* the loop */

/* A word alone on its line. */
static bool is_lone_word(const hp_ecl *e, const hp_ecl_token *word) {
  hp_ecl_lexer ahead = e->lexer;
  hp_ecl_token line;
  hp_ecl_line(&ahead, &line);
  return line.length == word->length;
}

/* A line of data that begins with a name which is a keyword elsewhere: FIELD 10 / of GECON. Behind an unknown keyword
 * any line on which data follow the name is one. */
static bool is_data(const hp_ecl *e, const hp_ecl_keyword_entry *found, bool unknown) {
  const bool flag = found->shape == HP_ECL_FLAG && found->fate != HP_ECL_REFUSED;
  if (!(flag || unknown) || found->handler == hp_ecl_do_section) return false;
  hp_ecl_lexer ahead = e->lexer; /* stays in its file: a word is there */
  hp_ecl_token name, rest;
  return hp_ecl_keyword(&ahead, &name, &rest) == HP_OK && holds_data(&rest) && rest.text[0] != '/';
}

/* After a fault whose data look like what follows: to the next line,
 * at `floor` or behind it, that starts with a known keyword, or with a lone
 * word behind a line that ended a record (an unknown keyword, to be reported too). */
static void resynchronise(hp_ecl *e, int64_t floor) {
  const bool unknown = e->entry == NULL || e->entry->fate == HP_ECL_REFUSED;
  hp_ecl_line_start(&e->lexer, floor);
  hp_ecl_token t = {.kind = HP_ECL_WORD};
  bool record_ended = false;
  while (e->lexer.depth > 0 && t.kind != HP_ECL_END) {
    const bool word = hp_ecl_peek(&e->lexer, &t);
    const hp_ecl_keyword_entry *found = word ? hp_ecl_find(&t) : NULL;
    if (found != NULL ? !is_data(e, found, unknown) : word && record_ended && is_lone_word(e, &t)) return;
    hp_ecl_line(&e->lexer, &t);
    record_ended = t.length > 0 && memchr(t.text, '/', (size_t)t.length) != NULL;
  }
}

/* Spread over ranks, a deck with an error is read again, which tells all of them. */
static hp_status is_sound(const hp_ecl *e) {
  return e->diag->errors + e->stops > 0 ? hp_spread_refuse(e->c->spread, HP_SPREAD_ERRORS) : HP_OK;
}

static hp_status read_deck(hp_ecl *e) {
  hp_stage("reading the deck");
  while (!e->ended && e->diag->errors + e->stops < ERRORS_MAX) {
    hp_ecl_token name, rest;
    e->name[0] = '\0';
    HP_TRY(is_sound(e));
    hp_status s = hp_ecl_keyword(&e->lexer, &name, &rest);
    if (s == HP_OK && name.kind == HP_ECL_END) break;
    const int64_t floor = hp_ecl_position(&e->lexer);
    const int depth = e->lexer.depth;
    if (s == HP_OK) {
      hp_ecl_copy(&name, e->name, sizeof e->name);
      for (char *c = e->name; *c != '\0'; ++c)
        if (*c >= 'a' && *c <= 'z') *c = (char)(*c - 'a' + 'A');
      e->file = name.file;
      e->line = name.line;
      s = read_keyword(e, &name, &rest);
    }
    if (s == HP_ERR_DECK) resynchronise(e, e->lexer.depth == depth ? floor : 0);
    else if (s != HP_OK) return s;
  }
  e->name[0] = '\0';
  return HP_OK;
}

/* In as many notes as it takes. */
static void note_names(hp_ecl *e, const char *what, const hp_ecl_names *names) {
  for (int k = 0; k < names->count;) {
    char text[900];
    size_t n = 0;
    for (; k < names->count && n + 2 * HP_ECL_KEYWORD < sizeof text; ++k)
      n += (size_t)snprintf(text + n, sizeof text - n, "%s%s", n > 0 ? " " : "", names->name[k]);
    hp_diag_note(e->diag, e->c->deck, 0, "%s: %s", what, text);
  }
}

hp_status hp_ecl_missing(hp_ecl *e, hp_ecl_section section, const char *keywords, const char *text) {
  int count;
  const hp_ecl_keyword_entry *table = hp_ecl_table(&count);
  const bool faults = e->diag->errors + e->stops > 0;
  bool reported = (e->lost & section) != 0 && faults;
  for (int n = 0; n < count && !reported && faults; ++n)
    for (const char *at = keywords; *at != '\0' && !reported;) {
      const size_t length = strcspn(at, "|");
      reported = e->seen[n].line > 0 && strlen(table[n].name) == length && strncmp(table[n].name, at, length) == 0;
      at += length + (at[length] == '|');
    }
  if (reported) return HP_OK; /* its own fault, or the one that hides it */
  return hp_ecl_error(e, e->name[0] != '\0' ? e->file : e->c->deck, e->name[0] != '\0' ? e->line : 0, "%s", text);
}

typedef hp_status (*part_of)(hp_ecl *e);

/* All parts are checked even where one fails, so that every fault is reported. */
static hp_status go_through(hp_ecl *e, const part_of *part, int count) {
  for (int n = 0; n < count; ++n) {
    const hp_status s = part[n](e);
    if (s != HP_OK && s != HP_ERR_DECK) return s;
    HP_TRY(is_sound(e));
  }
  return HP_OK;
}

static hp_status finish(hp_ecl *e) {
  static const part_of part[] = {hp_ecl_finish_grid, hp_ecl_finish_fluid, hp_ecl_finish_initial,
                                 hp_ecl_finish_schedule};
  if (e->nothing) return hp_ecl_error(e, e->c->deck, 1, "DIMENS is missing: the file is empty");
  if (e->nx == 0) return hp_ecl_missing(e, HP_ECL_RUNSPEC, "DIMENS", "DIMENS is missing");
  if (!e->water || (!e->oil && e->gas))
    (void)hp_ecl_missing(e, HP_ECL_RUNSPEC, "", "RUNSPEC must name both phases, OIL and WATER, or WATER alone");
  return go_through(e, part, (int)(sizeof part / sizeof *part));
}

/* The options are laid over a sound deck; of one with faults only what is
 * wrong with them anyhow is reported. */
static hp_status overlay(hp_ecl *e, int errors) {
  if (e->nset == 0) return HP_OK;
  if (e->diag->errors > errors) return hp_config_check_options(e->nset, e->set, e->diag);
  return hp_config_overlay(e->nset, e->set, e->diag, e->c);
}

static hp_status complete(hp_ecl *e) {
  hp_stage("completing the deck");
  static const part_of part[] = {hp_ecl_complete_grid,     hp_ecl_complete_fluid,    hp_ecl_complete_initial,
                                 hp_ecl_complete_aquifers, hp_ecl_complete_schedule, hp_ecl_complete_summary,
                                 hp_ecl_complete_gas};
  return e->nx == 0 ? HP_OK : go_through(e, part, (int)(sizeof part / sizeof *part));
}

static void clean_up(hp_ecl *e) {
  hp_ecl_close_all(&e->lexer);
  HP_FREE(e->folder);
  for (int n = 0; n < e->aliases; ++n) {
    HP_FREE(e->alias[n].name);
    HP_FREE(e->alias[n].path);
  }
  HP_FREE(e->alias);
  for (int n = 0; n < HP_ECL_ARRAYS; ++n) {
    HP_FREE(e->array[n].value);
    HP_FREE(e->array[n].before);
    HP_FREE(e->array[n].factor);
    HP_FREE(e->array[n].shift);
    HP_FREE(e->array[n].low);
    HP_FREE(e->array[n].high);
  }
  HP_FREE(e->fault);
  HP_FREE(e->coord);
  HP_FREE(e->zcorn);
  HP_FREE(e->systems.at);
  HP_FREE(e->region);
  HP_FREE(e->pair);
  hp_case_links_clear(&e->links);
  for (int d = 0; d < HP_DIRS; ++d)
    for (int n = 0; n < 2; ++n) HP_FREE(e->side[d][n]);
  for (int n = 0; n < 3; ++n) HP_FREE(e->sizes[n]);
  for (int n = 0; n < e->tables[HP_ECL_BY_SATNUM]; ++n) {
    if (e->swfn != NULL) hp_sat_spec_clear(&e->swfn[n]);
    if (e->sof2 != NULL) hp_sat_spec_clear(&e->sof2[n]);
  }
  HP_FREE(e->swfn);
  HP_FREE(e->sof2);
  for (int n = 0; n < HP_ECL_DEPTHS; ++n) {
    for (int t = 0; e->depths[n].table != NULL && t < e->tables[HP_ECL_BY_ENDNUM]; ++t)
      HP_FREE(e->depths[n].table[t].cell);
    HP_FREE(e->depths[n].table);
  }
  HP_FREE(e->kro_at_no_gas);
  HP_FREE(e->gas_contact);
  HP_FREE(e->rock_record);
  hp_ecl_aquifers_clear(e);
  hp_ecl_restart_clear(e);
  hp_ecl_action_clear(e);
  hp_ecl_changes_clear(e);
  HP_FREE(e->table_of);
  for (int n = 0; n < e->wells; ++n) {
    HP_FREE(e->well[n].spec.perf);
    HP_FREE(e->well[n].spec.segment);
  }
  HP_FREE(e->well);
  for (int n = 0; n < e->lists; ++n) HP_FREE(e->list[n].well);
  HP_FREE(e->list);
  HP_FREE(e->skipped.name);
  HP_FREE(e->absent.name);
  HP_FREE(e->left_out.name);
  HP_FREE(e->seen);
  HP_FREE(e->stop);
}

static hp_status read_all(hp_ecl *e, const char *path) {
  const int errors = e->diag->errors;
  int count;
  (void)hp_ecl_table(&count);
  HP_TRY(HP_ALLOC(e->seen, count));
  hp_ecl_claim(e);
  HP_TRY(hp_ecl_file_start(e, path));
  const char *text = e->lexer.source[0].text;
  e->nothing = (int64_t)strspn(text, " \t\r\n\xEF\xBB\xBF\x1a") == e->lexer.source[0].size;
  HP_TRY(read_deck(e));
  hp_ecl_check_action_ended(e);
  report_stops(e);
  HP_TRY(finish(e));
  hp_status s = overlay(e, errors);
  if (s != HP_OK && s != HP_ERR_DECK) return s;
  return complete(e);
}

/* Takes keywords to be left out from the options; one that would not stop the run is a mistake. */
static void take_without(hp_ecl *e, const char **set) {
  int n = 0;
  for (int k = 0; k < e->nset; ++k) {
    if (strncmp(e->set[k], HP_ECL_WITHOUT, strlen(HP_ECL_WITHOUT)) == 0)
      e->without = e->set[k] + strlen(HP_ECL_WITHOUT);
    else set[n++] = e->set[k];
  }
  e->nset = n;
  e->set = set;
  for (const char *at = e->without; at != NULL && *at != '\0';) {
    const hp_ecl_token word = {.kind = HP_ECL_WORD, .text = at, .length = (int)strcspn(at, ",")};
    const hp_ecl_keyword_entry *found = hp_ecl_find(&word);
    if (found != NULL && found->fate != HP_ECL_REFUSED)
      hp_diag_error(
          e->diag, NULL, 0, "without %.*s: it %s", word.length, at,
          found->fate == HP_ECL_SKIPPED ? "has no bearing on the results anyhow" : "works; take it out of the deck");
    at += word.length + (at[word.length] == ',');
  }
}

/* Keeps what was left out for those who read the answer. */
static hp_status keep_left_out(hp_ecl *e) {
  hp_text t = {0};
  for (int n = 0; n < e->left_out.count; ++n) hp_text_add(&t, "%s%s", n > 0 ? " " : "", e->left_out.name[n]);
  note_names(e, "left out, as asked for", &e->left_out);
  e->c->left_out = t.s;
  return t.status;
}

hp_status hp_ecl_read(const char *path, int nset, const char *const *set, hp_diag *diag, hp_case *c) {
  hp_ecl e = {.diag = diag, .c = c, .nset = nset, .set = set, .units = hp_units_of(HP_UNITS_METRIC)};
  e.lexer.diag = diag;
  e.history = -1;
  e.rock_by = HP_ECL_BY_PVTNUM;
  for (int n = 0; n < HP_ECL_BY; ++n) e.tables[n] = 1;
  e.start_day = 4748; /* 1 JAN 1983 */
  const int errors = diag->errors;
  const char **rest = NULL;
  HP_TRY(HP_ALLOC(rest, nset + 1));
  take_without(&e, rest);
  hp_status s = read_all(&e, path);
  const hp_status kept = keep_left_out(&e);
  if (s == HP_OK) s = kept;
  note_names(&e, "skipped, no bearing on the results", &e.skipped);
  note_only_stops(&e, errors);
  note_names(&e, "SUMMARY: vectors that hepta does not have", &e.absent);
  clean_up(&e);
  HP_FREE(rest);
  if (s == HP_OK || s == HP_ERR_DECK)
    s = diag->errors == errors ? s : hp_fail(HP_ERR_DECK, "%s: the deck has errors", path);
  return s;
}
