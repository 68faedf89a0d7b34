/* The result files of a run that goes on from a report step: rows of the tables, report steps. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "core/memory.h"
#include "io/results/impl.h"

/* ---- rows from the master ---- */

static hp_status set_entry(hp_column *c, int64_t row, const char *value) {
  return hp_column_set(c, row, c->kind == HP_COLUMN_NAME ? hp_summary_name(value) : value);
}

static hp_status load_numbers(const hp_h5 *h, const char *name, int64_t nrow, hp_column *c, int64_t *have) {
  double *data = NULL;
  hp_status s = hp_h5_read(h, name, &data, have);
  if (s == HP_OK && nrow > 0 && *have >= nrow) memcpy(c->number, data, (size_t)nrow * sizeof *data);
  HP_FREE(data);
  return s;
}

static hp_status load_texts(const hp_h5 *h, const char *name, int64_t nrow, hp_column *c, int64_t *have) {
  char **text = NULL;
  hp_status s = hp_h5_read_strings(h, name, &text, have);
  for (int64_t r = 0; s == HP_OK && *have >= nrow && r < nrow; ++r) s = set_entry(c, r, text[r]);
  hp_h5_members_free(&text, *have);
  return s;
}

/* The first nrow rows of `group`; *all is false where the file does not have so many. */
static hp_status load_group(const hp_h5 *h, const char *group, int64_t nrow, hp_table *t, bool *all) {
  *all = hp_h5_exists(h, group);
  if (!*all) return HP_OK;
  HP_TRY(hp_table_reserve(t, nrow));
  for (int c = 0; *all && c < t->ncolumn; ++c) {
    hp_column *column = &t->column[c];
    char *name, prefix[32];
    int64_t have = 0;
    snprintf(prefix, sizeof prefix, "%s/", group);
    HP_TRY(hp_h5_name(&name, prefix, column->name));
    hp_status s = HP_OK;
    if (!hp_h5_exists(h, name)) s = hp_fail(HP_ERR_USAGE, "%s: has no %s", h->path, name);
    if (s == HP_OK)
      s = hp_column_has_numbers(column) ? load_numbers(h, name, nrow, column, &have)
                                        : load_texts(h, name, nrow, column, &have);
    HP_FREE(name);
    HP_TRY(s);
    *all = have >= nrow;
  }
  if (*all) t->nrow = nrow;
  return HP_OK;
}

/* ---- rows from the CSV file: of tables that were too large for a master at every report ---- */

/* Takes one entry off a row, in place, quotes undone; *end receives what ended it. */
static char *next_entry(char **at, char *end) {
  char *from = *at, *to = *at, *const start = *at;
  const bool quoted = *from == '"';
  if (quoted) ++from;
  for (; *from != '\0'; ++from) {
    if (quoted && from[0] == '"' && from[1] == '"') ++from;
    else if (quoted ? *from == '"' : *from == ',' || *from == '\n') break;
    *to++ = *from;
  }
  if (quoted && *from == '"') ++from;
  *end = *from;
  *at = *from != '\0' ? from + 1 : from;
  *to = '\0';
  return start;
}

/* Row r, from 0; dates before column `dates` are not of the table (-1: there are none). */
static hp_status load_row(const char *path, char **at, int64_t r, int dates, hp_table *t) {
  char end = ',';
  for (int c = 0; c < t->ncolumn; ++c) {
    if (c == dates) (void)next_entry(at, &end);
    if (end != ',') return hp_fail(HP_ERR_FILE, "%s: row %lld has too few entries", path, (long long)r + 1);
    const char *entry = next_entry(at, &end);
    if (hp_column_has_numbers(&t->column[c])) t->column[c].number[r] = strtod(entry, NULL);
    else HP_TRY(set_entry(&t->column[c], r, entry));
  }
  return end == '\n' ? HP_OK : hp_fail(HP_ERR_FILE, "%s: row %lld is not whole", path, (long long)r + 1);
}

static hp_status load_csv(const char *path, int64_t nrow, hp_table *t) {
  char *text, end = ',';
  size_t size;
  HP_TRY(hp_file_read(path, &text, &size));
  char *at = text;
  int dates = -1;
  for (int c = 0; end == ','; ++c) /* the header */
    if (strcasecmp(next_entry(&at, &end), "date") == 0) dates = c;
  hp_status s = hp_table_reserve(t, nrow);
  for (int64_t r = 0; s == HP_OK && r < nrow; ++r) s = load_row(path, &at, r, dates, t);
  HP_FREE(text);
  if (s == HP_OK) t->nrow = nrow;
  return s;
}

/* ---- the tables ---- */

static hp_status load_table(const hp_h5 *h, const char *base, const char *group, const char *suffix, int64_t nrow,
                            hp_table *t) {
  bool all;
  HP_TRY(load_group(h, group, nrow, t, &all));
  if (all) return HP_OK;
  char *path;
  HP_TRY(hp_format(&path, "%s%s", base, suffix));
  const bool neither = !hp_h5_exists(h, group) && access(path, F_OK) != 0 && errno == ENOENT;
  hp_status s = HP_OK;
  if (!neither) s = load_csv(path, nrow, t);
  else if (nrow > 0)
    s = hp_fail(HP_ERR_USAGE, "%s: has no %s, and there is no %s: its rows cannot be continued", h->path, group, path);
  HP_FREE(path);
  return s;
}

/* Values in the files are in the deck's units. */
static hp_status check_units(const hp_output *o, const hp_h5 *h) {
  char *units;
  HP_TRY(hp_h5_read_text(h, "/", "units", &units));
  hp_status s = HP_OK;
  if (strcmp(units, o->c->units.name) != 0)
    s = hp_fail(HP_ERR_USAGE, "%s: its tables are in %s units and cannot be continued in %s: set output.units", h->path,
                units, o->c->units.name);
  HP_FREE(units);
  return s;
}

/* A row a time step, numbered from 1. */
static hp_status load_tables(hp_output *o, const hp_h5 *h, const hp_restart *from) {
  HP_TRY(check_units(o, h));
  HP_TRY(load_table(h, from->base, "/solver", ".solver.csv", from->step, &o->solver));
  if (!o->c->output.summary) return HP_OK;
  return load_table(h, from->base, "/summary", ".summary.csv", from->step, &o->summary);
}

/* ---- report steps ---- */

static hp_status load_steps(hp_output *o, const hp_h5 *h, const hp_restart *from) {
  double *time = NULL, *step = NULL;
  int64_t ntime = 0, nstep = 0;
  hp_status s = hp_h5_read(h, "/time", &time, &ntime);
  if (s == HP_OK) s = hp_h5_read(h, "/step", &step, &nstep);
  if (s == HP_OK && ntime != nstep) s = hp_fail(HP_ERR_FILE, "%s: /time and /step differ in length", h->path);
  if (s == HP_OK && nstep > 0 && step[nstep - 1] > from->step)
    s = hp_fail(HP_ERR_USAGE,
                "%s: its report steps after %d, to %.0f, would be lost: give "
                "the new results another name with -o",
                h->path, from->step, step[nstep - 1]);
  for (int64_t n = 0; s == HP_OK && n < nstep; ++n) s = hp_output_note_step(o, time[n], (int)step[n]);
  HP_FREE(time);
  HP_FREE(step);
  return s;
}

static hp_status load_said(hp_output *o, const hp_h5 *h) {
  char **text = NULL;
  int64_t count = 0;
  if (!hp_h5_exists(h, "/said")) return HP_OK;
  hp_status s = hp_h5_read_strings(h, "/said", &text, &count);
  for (int64_t n = 0; s == HP_OK && n < count; ++n) hp_text_add(&o->said_before, "%s", text[n]);
  hp_h5_members_free(&text, count);
  return s == HP_OK ? o->said_before.status : s;
}

hp_status hp_output_load(hp_output *o, const hp_restart *from, bool *in_place) {
  char *master;
  hp_h5 h;
  HP_TRY(hp_format(&master, "%s.h5", from->base));
  hp_status s = hp_h5_open(&h, master);
  if (s == HP_OK) {
    *in_place = hp_file_is_same(master, o->path[HP_OUTPUT_MASTER]);
    s = hp_result_check(&h);
    if (s == HP_OK && *in_place) s = load_steps(o, &h, from);
    if (s == HP_OK) s = load_tables(o, &h, from);
    if (s == HP_OK && *in_place) s = load_said(o, &h);
    hp_h5_discard(&h);
  }
  HP_FREE(master);
  return hp_h5_as_usage(s);
}
