/* Tables: rows that go to a CSV file at once and to columns of the master file at report times. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/memory.h"
#include "io/date.h"
#include "io/files/file.h"
#include "io/files/table.h"
#include "io/files/text.h"

/* ---- columns ---- */

hp_status hp_table_create(hp_table *t, int max_column) {
  *t = (hp_table){.max_column = max_column, .fd = -1, .start = ""};
  return HP_ALLOC(t->column, max_column);
}

void hp_table_destroy(hp_table *t) {
  for (int c = 0; c < t->ncolumn; ++c) {
    hp_column *column = &t->column[c];
    if (column->kind == HP_COLUMN_TEXT)
      for (int64_t r = 0; r < t->nrow; ++r) HP_FREE(column->text[r]);
    HP_FREE(column->text);
    HP_FREE(column->number);
    HP_FREE(column->name);
  }
  HP_FREE(t->column);
  if (t->fd >= 0) close(t->fd);
  *t = (hp_table){.fd = -1};
}

hp_status hp_table_column(hp_table *t, hp_column_kind kind, const char *unit, const char *fmt, ...) {
  if (t->ncolumn == t->max_column) return hp_fail(HP_ERR_INTERNAL, "a table has more than %d columns", t->max_column);
  char name[128];
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(name, sizeof name, fmt, ap);
  va_end(ap);
  hp_column *column = &t->column[t->ncolumn];
  HP_TRY(hp_format(&column->name, "%s", name));
  column->kind = kind;
  column->unit = unit;
  t->ncolumn += 1;
  return HP_OK;
}

void hp_table_date(hp_table *t, const char *start, double unit, const char *head) {
  t->start = start;
  t->time = t->ncolumn - 1;
  t->unit = unit;
  t->dated = head;
}

bool hp_column_has_numbers(const hp_column *c) { return c->kind == HP_COLUMN_NUMBER || c->kind == HP_COLUMN_INTEGER; }

/* ---- the CSV file ---- */

static hp_status open_csv(hp_table *t, const char *path, int how) {
  t->path = path;
  t->fd = how == O_TRUNC ? hp_file_create(path, O_WRONLY | O_APPEND)
                         : open(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC | how, 0666);
  return t->fd >= 0 ? HP_OK : hp_fail(HP_ERR_FILE, "%s: cannot create: %s", path, strerror(errno));
}

/* NAME[UNIT],... */
static void add_header(hp_text *header, const hp_table *t) {
  for (int c = 0; c < t->ncolumn; ++c) {
    hp_text label = {0}; /* NAME[UNIT] is quoted as a whole */
    hp_text_add(&label, "%s", t->column[c].name);
    if (t->column[c].unit[0] != '\0') hp_text_add(&label, "[%s]", t->column[c].unit);
    if (c > 0) hp_text_add(header, ",");
    if (label.status == HP_OK) hp_text_add_csv(header, label.s);
    else header->status = label.status;
    hp_text_clear(&label);
    if (t->start[0] != '\0' && c == t->time) hp_text_add(header, ",%s", t->dated);
  }
  hp_text_add(header, "\n");
}

static void add_row(hp_text *line, const hp_table *t, int64_t r) {
  for (int c = 0; c < t->ncolumn; ++c) {
    const hp_column *column = &t->column[c];
    if (c > 0) hp_text_add(line, ",");
    if (hp_column_has_numbers(column)) hp_text_add(line, "%.12g", column->number[r]);
    else hp_text_add_csv(line, column->text[r] != NULL ? column->text[r] : "");
    if (t->start[0] != '\0' && c == t->time)
      hp_text_add(line, ",%s", hp_date_at(t->start, column->number[r] * t->unit, true).s);
  }
  hp_text_add(line, "\n");
}

hp_status hp_table_open_csv(hp_table *t, const char *path) {
  HP_TRY(open_csv(t, path, O_TRUNC));
  hp_text header = {0};
  add_header(&header, t);
  hp_status s = header.status;
  if (s == HP_OK) s = hp_file_write(t->fd, path, header.s, (size_t)header.length);
  hp_text_clear(&header);
  return s;
}

hp_status hp_table_reopen_csv(hp_table *t, const char *path) {
  hp_text all = {0};
  add_header(&all, t);
  for (int64_t r = 0; r < t->nrow; ++r) add_row(&all, t, r);
  const hp_status s = hp_file_replace_text(path, &all);
  hp_text_clear(&all);
  return s == HP_OK ? open_csv(t, path, 0) : s;
}

hp_status hp_table_sync(hp_table *t) { return t->fd >= 0 ? hp_file_sync(t->fd, t->path) : HP_OK; }

hp_status hp_table_close_csv(hp_table *t) {
  if (t->fd < 0) return HP_OK;
  hp_status s = hp_file_sync(t->fd, t->path);
  if (close(t->fd) != 0 && s == HP_OK) s = hp_fail(HP_ERR_FILE, "%s: cannot close: %s", t->path, strerror(errno));
  t->fd = -1;
  return s;
}

/* ---- rows ---- */

/* By an eighth at a time, so that memory is known to a tenth where the number of rows is. */
int64_t hp_table_capacity(int64_t rows) {
  int64_t capacity = 256;
  while (capacity < rows) capacity += capacity / 8;
  return capacity;
}

hp_status hp_table_reserve(hp_table *t, int64_t rows) {
  if (rows <= t->capacity) return HP_OK;
  const int64_t capacity = hp_table_capacity(rows);
  for (int c = 0; c < t->ncolumn; ++c) {
    hp_column *column = &t->column[c];
    if (hp_column_has_numbers(column)) {
      double *number;
      HP_TRY(HP_ALLOC(number, capacity));
      if (t->nrow > 0) memcpy(number, column->number, (size_t)t->nrow * sizeof *number);
      HP_FREE(column->number);
      column->number = number;
    } else {
      char **text;
      HP_TRY(HP_ALLOC(text, capacity));
      if (t->nrow > 0) memcpy(text, column->text, (size_t)t->nrow * sizeof *text);
      HP_FREE(column->text);
      column->text = text;
    }
  }
  t->capacity = capacity;
  return HP_OK;
}

hp_status hp_table_begin_row(hp_table *t) {
  t->cursor = 0;
  return hp_table_reserve(t, t->nrow + 1);
}

/* Adding zero turns -0 into 0, which is what a rate of a shut well should read. */
void hp_table_number(hp_table *t, double value) { t->column[t->cursor++].number[t->nrow] = value + 0.0; }

void hp_table_name(hp_table *t, const char *value) { t->column[t->cursor++].text[t->nrow] = (char *)value; }

hp_status hp_table_text(hp_table *t, const char *value) {
  return hp_column_set(&t->column[t->cursor++], t->nrow, value);
}

hp_status hp_column_set(hp_column *c, int64_t row, const char *value) {
  c->text[row] = c->kind == HP_COLUMN_NAME ? (char *)value : NULL;
  if (c->kind == HP_COLUMN_NAME || value[0] == '\0') return HP_OK;
  return hp_format(&c->text[row], "%s", value);
}

hp_status hp_table_end_row(hp_table *t) {
  if (t->cursor != t->ncolumn)
    return hp_fail(HP_ERR_INTERNAL, "a row of %d values in a table of %d columns", t->cursor, t->ncolumn);
  const int64_t r = t->nrow++;
  if (t->fd < 0) return HP_OK;
  hp_text line = {0};
  add_row(&line, t, r);
  hp_status s = line.status;
  if (s == HP_OK) s = hp_file_write(t->fd, t->path, line.s, (size_t)line.length);
  hp_text_clear(&line);
  return s;
}

/* ---- in the master file ---- */

static hp_status write_integers(hp_h5 *h, const char *name, int64_t count, const double *number) {
  int32_t *integer;
  HP_TRY(HP_ALLOC(integer, count));
  for (int64_t r = 0; r < count; ++r) integer[r] = (int32_t)number[r];
  const hp_status s = hp_h5_array(h, name, HP_H5_I32, 1, &count, integer, NULL);
  HP_FREE(integer);
  return s;
}

hp_status hp_table_write(const hp_table *t, hp_h5 *h, const char *group) {
  HP_TRY(hp_h5_group(h, group));
  for (int c = 0; c < t->ncolumn; ++c) {
    const hp_column *column = &t->column[c];
    char *name, prefix[32];
    snprintf(prefix, sizeof prefix, "%s/", group);
    HP_TRY(hp_h5_name(&name, prefix, column->name));
    hp_status s;
    if (column->kind == HP_COLUMN_NUMBER)
      s = hp_h5_array(h, name, HP_H5_F64, 1, &t->nrow, column->number, column->unit);
    else if (column->kind == HP_COLUMN_INTEGER) s = write_integers(h, name, t->nrow, column->number);
    else s = hp_h5_strings(h, name, t->nrow, (const char *const *)column->text);
    if (s == HP_OK && strchr(column->name, '/') != NULL) s = hp_h5_text(h, name, "name", column->name);
    HP_FREE(name);
    HP_TRY(s);
  }
  return HP_OK;
}

int64_t hp_table_bytes(const hp_table *t) { return t->nrow * t->ncolumn * (int64_t)sizeof(double); }
