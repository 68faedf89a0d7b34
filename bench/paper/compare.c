#include "bench/paper/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "io/files/text.h"

/* ---- the file ---- */

/* Ends the field at *at in place and moves *at behind its end; *last: it was the last of its line. */
static char *cut_field(char **at, bool *last) {
  char *begin = *at, *end;
  if (*begin == '"') {
    begin += 1;
    end = begin + strcspn(begin, "\"");
    *at = *end != '\0' ? end + 1 : end;
    *end = '\0';
    end = *at;
  } else {
    end = begin + strcspn(begin, ",\n");
  }
  *last = *end != ',';
  *at = *end != '\0' ? end + 1 : end;
  *end = '\0';
  return begin;
}

static int64_t count_of(const char *text, char c) {
  int64_t count = 0;
  for (; *text != '\0'; ++text) count += *text == c;
  return count;
}

static hp_status cut(const char *path, hp_paper_rows *R) {
  const int64_t most = count_of(R->text, ',') + count_of(R->text, '\n') + 1;
  int64_t count = 0, row = 0;
  HP_TRY(HP_ALLOC(R->field, most));
  for (char *at = R->text; *at != '\0'; ++row) {
    bool last = false;
    const int64_t begin = count;
    while (!last) R->field[count++] = cut_field(&at, &last);
    if (row == 0) R->columns = (int)count;
    if (count - begin != R->columns)
      return hp_fail(HP_ERR_FILE, "%s:%lld: another number of columns", path, (long long)row + 1);
  }
  if (row == 0) return hp_fail(HP_ERR_FILE, "%s: it is empty", path);
  R->rows = row - 1;
  return HP_OK;
}

hp_status hp_paper_rows_read(const char *path, hp_paper_rows *out) {
  *out = (hp_paper_rows){0};
  size_t size;
  HP_TRY(hp_file_read(path, &out->text, &size));
  const hp_status s = cut(path, out);
  if (s != HP_OK) hp_paper_rows_free(out);
  return s;
}

void hp_paper_rows_free(hp_paper_rows *R) {
  HP_FREE(R->text);
  HP_FREE(R->field);
}

/* ---- conditions ---- */

static int column_of(const hp_paper_rows *R, const char *name, size_t length) {
  for (int c = 0; c < R->columns; ++c)
    if (strlen(R->field[c]) == length && strncmp(R->field[c], name, length) == 0) return c;
  return -1;
}

static const char *field_of(const hp_paper_rows *R, int64_t row, int column) {
  return R->field[(row + 1) * R->columns + column];
}

/* Whether the text is one of those with '|' between. */
static bool is_among(const char *text, const char *list, size_t length) {
  for (const char *end = list + length; list <= end;) {
    const size_t one = strcspn(list, "|") < (size_t)(end - list) ? strcspn(list, "|") : (size_t)(end - list);
    if (strlen(text) == one && strncmp(text, list, one) == 0) return true;
    list += one + 1;
  }
  return false;
}

static hp_status check_column(int column, const char *name, size_t length) {
  if (column >= 0) return HP_OK;
  return hp_fail(HP_ERR_INTERNAL, "no column %.*s", (int)length, name);
}

static hp_status is_picked(const hp_paper_rows *R, int64_t row, const char *where, bool *picked) {
  *picked = true;
  for (const char *at = where; *at != '\0';) {
    const size_t all = strcspn(at, ";"), name = strcspn(at, "=!");
    const bool negated = at[name] == '!';
    const char *value = at + name + (negated ? 2 : 1);
    const int column = column_of(R, at, name);
    HP_TRY(check_column(column, at, name));
    if (is_among(field_of(R, row, column), value, (size_t)(at + all - value)) == negated) *picked = false;
    at += all + (at[all] == ';');
  }
  return HP_OK;
}

/* Whether two rows are equal in the columns with ',' between. */
static hp_status are_same(const hp_paper_rows *R, int64_t a, int64_t b, const char *columns, bool *same) {
  *same = true;
  for (const char *at = columns; *at != '\0';) {
    const size_t length = strcspn(at, ",");
    const int column = column_of(R, at, length);
    HP_TRY(check_column(column, at, length));
    *same = *same && strcmp(field_of(R, a, column), field_of(R, b, column)) == 0;
    at += length + (at[length] == ',');
  }
  return HP_OK;
}

/* ---- numbers ---- */

static void add(double v, int *count, double *least, double *largest) {
  if (!isfinite(v)) return;
  *least = *count == 0 ? v : fmin(*least, v);
  *largest = *count == 0 ? v : fmax(*largest, v);
  *count += 1;
}

static double number_of(const hp_paper_rows *R, int64_t row, int column) {
  char *end;
  const char *text = field_of(R, row, column);
  const double v = strtod(text, &end);
  return end != text && *end == '\0' ? v : NAN;
}

hp_status hp_paper_line_numbers(const hp_paper_rows *R, const hp_paper_line *line, int *count, double *least,
                                double *largest) {
  const int column = column_of(R, line->column, strlen(line->column));
  *count = 0;
  *least = *largest = NAN;
  HP_TRY(check_column(column, line->column, strlen(line->column)));
  for (int64_t row = 0; row < R->rows; ++row) {
    bool picked, same;
    HP_TRY(is_picked(R, row, line->where, &picked));
    if (!picked) continue;
    const double own = number_of(R, row, column);
    if (line->over == NULL) add(own, count, least, largest);
    for (int64_t other = 0; line->over != NULL && other < R->rows; ++other) {
      HP_TRY(is_picked(R, other, line->over, &picked));
      HP_TRY(are_same(R, row, other, line->same, &same));
      const double others = number_of(R, other, column);
      if (picked && same && own > 0.0 && others > 0.0) add(others / own, count, least, largest);
    }
  }
  return HP_OK;
}
