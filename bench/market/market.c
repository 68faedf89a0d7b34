#define _POSIX_C_SOURCE 200809L
#include "bench/market/market.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/memory.h"

/* ---- reading ---- */

typedef struct {
  FILE *f;
  const char *path;
  char *line;
  size_t room;
  int64_t number;        /* of the line, from 1 */
  bool array, symmetric; /* from the head */
} reader;

typedef struct {
  int64_t rows, columns, count;
  int32_t *row, *column; /* [count], from 0 */
  double *value;
} triples;

static hp_status bad(const reader *r, const char *what) {
  return hp_fail(HP_ERR_FILE, "%s:%lld: %s", r->path, (long long)r->number, what);
}

/* The next line that is neither empty nor a comment; false at the end. */
static bool next_line(reader *r) {
  while (getline(&r->line, &r->room, r->f) >= 0) {
    const char *at = r->line;
    r->number += 1;
    while (isspace((unsigned char)*at)) ++at;
    if (*at != '\0' && *at != '%') return true;
  }
  return false;
}

static hp_status read_head(reader *r) {
  char object[16], format[16], field[16], symmetry[24];
  r->number = 1;
  if (getline(&r->line, &r->room, r->f) < 0 ||
      sscanf(r->line, "%%%%MatrixMarket %15s %15s %15s %23s", object, format, field, symmetry) != 4 ||
      strcasecmp(object, "matrix") != 0)
    return bad(r, "not a MatrixMarket file: it should start with '%%MatrixMarket matrix ...'");
  r->array = strcasecmp(format, "array") == 0;
  r->symmetric = strcasecmp(symmetry, "symmetric") == 0;
  if (!r->array && strcasecmp(format, "coordinate") != 0) return bad(r, "neither coordinate nor array format");
  if (strcasecmp(field, "real") != 0 && strcasecmp(field, "double") != 0 && strcasecmp(field, "integer") != 0)
    return hp_fail(HP_ERR_UNSUPPORTED, "%s: %s numbers: only real and integer ones are read", r->path, field);
  if (!r->symmetric && strcasecmp(symmetry, "general") != 0)
    return hp_fail(HP_ERR_UNSUPPORTED, "%s: %s: only general and symmetric matrices are read", r->path, symmetry);
  return HP_OK;
}

/* Opens the file and reads up to the sizes; *count: entries that follow. */
static hp_status open_file(reader *r, const char *path, int64_t *rows, int64_t *columns, int64_t *count) {
  memset(r, 0, sizeof *r);
  r->path = path;
  r->f = fopen(path, "r");
  if (r->f == NULL) return hp_fail(HP_ERR_FILE, "%s: cannot be opened", path);
  HP_TRY(read_head(r));
  if (!next_line(r)) return bad(r, "the sizes are missing");
  const int wanted = r->array ? 2 : 3;
  *count = 0;
  if (sscanf(r->line, "%" SCNd64 " %" SCNd64 " %" SCNd64, rows, columns, count) < wanted || *rows < 1 || *columns < 1 ||
      *count < 0)
    return bad(r, "the sizes are not positive whole numbers");
  if (*rows >= INT32_MAX || *columns >= INT32_MAX || *count >= INT32_MAX / 2)
    return hp_fail(HP_ERR_UNSUPPORTED, "%s: more rows or entries than 32-bit indices can count", path);
  if (r->array) *count = *rows;
  return HP_OK;
}

static void close_file(reader *r) {
  if (r->f != NULL) fclose(r->f);
  free(r->line);
}

/* One number; *at moves behind it. */
static bool parse_number(char **at, double *value) {
  char *end;
  *value = strtod(*at, &end);
  const bool good = end != *at && isfinite(*value);
  *at = end;
  return good;
}

/* An index from 1 to n, *out from 0. */
static bool parse_index(char **at, int64_t n, int64_t *out) {
  char *end;
  *out = strtoll(*at, &end, 10) - 1;
  const bool good = end != *at && *out >= 0 && *out < n;
  *at = end;
  return good;
}

/* One line of a coordinate file. */
static hp_status parse_entry(reader *r, int64_t rows, int64_t columns, int64_t *row, int64_t *column, double *value) {
  if (!next_line(r)) return bad(r, "the file ends before its last entry");
  char *at = r->line;
  if (!parse_index(&at, rows, row) || !parse_index(&at, columns, column)) return bad(r, "not an entry of this matrix");
  return parse_number(&at, value) ? HP_OK : bad(r, "not a finite number");
}

static hp_status read_triples(reader *r, int64_t stored, triples *t) {
  const int64_t most = r->symmetric ? 2 * stored : stored;
  HP_TRY(HP_ALLOC(t->row, most));
  HP_TRY(HP_ALLOC(t->column, most));
  HP_TRY(HP_ALLOC(t->value, most));
  for (int64_t n = 0; n < stored; ++n) {
    int64_t i, j;
    double v;
    HP_TRY(parse_entry(r, t->rows, t->columns, &i, &j, &v));
    for (int mirror = 0; mirror < (r->symmetric && i != j ? 2 : 1); ++mirror) {
      t->row[t->count] = (int32_t)(mirror ? j : i);
      t->column[t->count] = (int32_t)(mirror ? i : j);
      t->value[t->count++] = v;
    }
  }
  return next_line(r) ? bad(r, "more entries than the sizes say") : HP_OK;
}

/* order [count]: the triples by column, one column after the other. */
static hp_status sort_by_column(const triples *t, int32_t *order) {
  int32_t *at = NULL;
  HP_TRY(HP_ALLOC(at, t->columns + 1));
  for (int64_t n = 0; n < t->count; ++n) at[t->column[n] + 1] += 1;
  for (int64_t j = 0; j < t->columns; ++j) at[j + 1] += at[j];
  for (int64_t n = 0; n < t->count; ++n) order[at[t->column[n]]++] = (int32_t)n;
  HP_FREE(at);
  return HP_OK;
}

/* Rows of csr: the triples by column fall into their rows with columns rising. */
static void fill_rows(const triples *t, const int32_t *order, hp_sparse *A) {
  for (int64_t n = 0; n < t->count; ++n) A->begin[t->row[n] + 1] += 1;
  for (int64_t i = 0; i < t->rows; ++i) A->begin[i + 1] += A->begin[i];
  for (int64_t n = 0; n < t->count; ++n) {
    const int32_t from = order[n], at = A->begin[t->row[from]]++;
    A->column[at] = t->column[from];
    A->value[at] = t->value[from];
  }
  for (int64_t i = t->rows; i > 0; --i) A->begin[i] = A->begin[i - 1];
  A->begin[0] = 0;
}

static hp_status make_csr(const char *path, const triples *t, hp_sparse **out) {
  hp_sparse *A = NULL;
  int32_t *order = NULL;
  HP_TRY(HP_ALLOC(A, 1));
  A->kind = HP_SPARSE_CSR;
  A->q = 1;
  A->n = A->ld = A->ncell = A->rows = t->rows;
  A->count = t->count;
  hp_status s = HP_ALLOC(A->begin, t->rows + 1);
  if (s == HP_OK) s = HP_ALLOC(A->column, t->count);
  if (s == HP_OK) s = HP_ALLOC(A->value, t->count);
  if (s == HP_OK) s = HP_ALLOC(order, t->count);
  if (s == HP_OK) s = sort_by_column(t, order);
  if (s == HP_OK) fill_rows(t, order, A);
  for (int64_t i = 0; i < t->rows && s == HP_OK; ++i)
    for (int32_t k = A->begin[i] + 1; k < A->begin[i + 1] && s == HP_OK; ++k)
      if (A->column[k] == A->column[k - 1])
        s = hp_fail(HP_ERR_FILE, "%s: entry (%lld, %d) is there twice", path, (long long)i + 1, A->column[k] + 1);
  HP_FREE(order);
  if (s != HP_OK) hp_sparse_destroy(&A);
  *out = A;
  return s;
}

hp_status hp_market_read_matrix(const char *path, hp_sparse **out) {
  reader r;
  triples t = {0};
  int64_t stored;
  *out = NULL;
  hp_status s = open_file(&r, path, &t.rows, &t.columns, &stored);
  if (s == HP_OK && r.array) s = bad(&r, "a dense matrix; the coordinate format is read");
  if (s == HP_OK && t.rows != t.columns) s = bad(&r, "the matrix is not square");
  if (s == HP_OK) s = read_triples(&r, stored, &t);
  if (s == HP_OK) s = make_csr(path, &t, out);
  close_file(&r);
  HP_FREE(t.row);
  HP_FREE(t.column);
  HP_FREE(t.value);
  return s;
}

static hp_status read_numbers(reader *r, int64_t n, int64_t stored, double *x) {
  for (int64_t i = 0; i < n; ++i) x[i] = 0.0;
  for (int64_t k = 0; k < stored; ++k) {
    int64_t i = k, j;
    double v;
    if (r->array) {
      if (!next_line(r)) return bad(r, "the file ends before its last number");
      char *at = r->line;
      if (!parse_number(&at, &v)) return bad(r, "not a finite number");
    } else {
      HP_TRY(parse_entry(r, n, 1, &i, &j, &v));
    }
    x[i] = v;
  }
  return next_line(r) ? bad(r, "more numbers than the sizes say") : HP_OK;
}

hp_status hp_market_read_vector(const char *path, int64_t n, double *x) {
  reader r;
  int64_t rows, columns, stored;
  hp_status s = open_file(&r, path, &rows, &columns, &stored);
  if (s == HP_OK && (rows != n || columns != 1))
    s = hp_fail(HP_ERR_FILE, "%s: %lld x %lld numbers where a vector of %lld is needed", path, (long long)rows,
                (long long)columns, (long long)n);
  if (s == HP_OK) s = read_numbers(&r, n, stored, x);
  close_file(&r);
  return s;
}

/* ---- writing ---- */

static hp_status open_for_writing(const char *path, FILE **f) {
  *f = fopen(path, "w");
  return *f != NULL ? HP_OK : hp_fail(HP_ERR_FILE, "%s: cannot be opened for writing", path);
}

static hp_status close_written(FILE *f, const char *path) {
  const bool failed = ferror(f) != 0;
  if (fclose(f) != 0 || failed) return hp_fail(HP_ERR_FILE, "%s: cannot be written", path);
  return HP_OK;
}

hp_status hp_market_write_matrix(const hp_sparse *A, const char *path) {
  FILE *f;
  int64_t count = 0;
  HP_TRY(open_for_writing(path, &f));
  for (int64_t k = 0; k < A->count; ++k) count += A->value[k] != 0.0;
  fprintf(f, "%%%%MatrixMarket matrix coordinate real general\n%" PRId64 " %" PRId64 " %" PRId64 "\n", A->n, A->n,
          count);
  for (int64_t i = 0; i < A->n; ++i)
    for (int32_t k = A->begin[i]; k < A->begin[i + 1]; ++k)
      if (A->value[k] != 0.0) fprintf(f, "%" PRId64 " %d %.17g\n", i + 1, A->column[k] + 1, A->value[k]);
  return close_written(f, path);
}

hp_status hp_market_write_vector(const double *x, int64_t n, const char *path) {
  FILE *f;
  HP_TRY(open_for_writing(path, &f));
  fprintf(f, "%%%%MatrixMarket matrix array real general\n%" PRId64 " 1\n", n);
  for (int64_t i = 0; i < n; ++i) fprintf(f, "%.17g\n", x[i]);
  return close_written(f, path);
}
