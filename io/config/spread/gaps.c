/* Numbers that are left out of a deck's text: rank 0 reads them from the file, some thousand at a time, for all ranks or into the
 * text that results keep. */
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "io/config/impl.h"

enum { PIECE = 1 << 13 /* numbers that are sent at once */ };

bool hp_config_is_gap(const hp_config *r, const hp_setting *s, hp_config_mark *m) {
  long long count, columns;
  if (r->c->spread == NULL || config_setting_length(s) != 1) return false;
  const char *text = config_setting_get_string_elem(s, 0);
  if (text == NULL || sscanf(text, "\1 %d %lld %lld", &m->number, &count, &columns) != 3) return false;
  m->count = count;
  m->columns = columns;
  return true;
}

const hp_setting *hp_config_row(const hp_config *r, const hp_setting *s, int64_t n) {
  hp_config_mark m;
  return hp_config_is_gap(r, s, &m) ? s : config_setting_get_elem(s, (unsigned)n);
}

static hp_status open_gap(const hp_config *r, int number, hp_stream *in) {
  if (number < 0 || number >= r->gaps) return hp_fail(HP_ERR_INTERNAL, "%s: there is no gap %d", r->path, number);
  HP_TRY(hp_stream_open(r->gap[number].path, in));
  return fseeko(in->file, (off_t)r->gap[number].offset, SEEK_SET) == 0
             ? HP_OK
             : hp_fail(HP_ERR_FILE, "%s: cannot be read to its end", r->gap[number].path);
}

/* ---- numbers that options give ---- */

hp_status hp_config_give(hp_config *r, const hp_config_mark *m, int64_t at, int count, const hp_setting *const *value,
                         bool row, bool any_kind) {
  hp_config_given *larger = NULL;
  HP_TRY(HP_ALLOC(larger, r->ngiven + count));
  if (r->ngiven > 0) memcpy(larger, r->given, (size_t)r->ngiven * sizeof *larger);
  HP_FREE(r->given);
  r->given = larger;
  for (int n = 0; n < count; ++n) {
    const bool real = config_setting_type(value[n]) == CONFIG_TYPE_FLOAT;
    const double v = real ? config_setting_get_float(value[n]) : config_setting_get_int(value[n]);
    r->given[r->ngiven++] = (hp_config_given){m->number, at + n, v, real, row, any_kind};
  }
  return HP_OK;
}

/* The number that options give for that place; NULL: none. */
static const hp_config_given *given_at(const hp_config *r, int gap, int64_t at) {
  for (int n = r->ngiven - 1; n >= 0; --n)
    if (r->given[n].gap == gap && r->given[n].at == at) return &r->given[n];
  return NULL;
}

/* As libconfig has it: an entry keeps its type, but for an integer given for a real number, and so does a row. */
static bool fits(const hp_config_given *g, bool real, char bracket) {
  return g->row ? !g->any_kind || bracket == '(' : real || !g->real;
}

/* ---- reading ---- */

static bool is_real(const char *number, size_t length) {
  return memchr(number, '.', length) != NULL || memchr(number, 'e', length) != NULL ||
         memchr(number, 'E', length) != NULL;
}

/* To the next number or bracket. */
static bool look(hp_stream *in) {
  while (hp_stream_more(in)) {
    const bool block = in->at[0] == '/' && in->at[1] == '*';
    if (in->at[0] == '#' || (in->at[0] == '/' && in->at[1] == '/')) {
      while (hp_stream_more(in) && *in->at != '\n') ++in->at;
    } else if (block) {
      for (in->at += 2; hp_stream_more(in) && !(in->at[0] == '*' && in->at[1] == '/');) ++in->at;
      if (hp_stream_more(in)) in->at += 2;
    } else if (strchr(" \t\r\n\f,", *in->at) != NULL) {
      ++in->at;
    } else {
      return true;
    }
  }
  return false;
}

/* bracket: the latest one, in front of the number. */
static bool next_number(hp_stream *in, double *v, bool *real, char *bracket) {
  char *end;
  while (look(in) && strchr("[]()", *in->at) != NULL) *bracket = *in->at++;
  if (!look(in)) return false;
  *v = strtod(in->at, &end);
  if (end == in->at) return false;
  *real = is_real(in->at, (size_t)(end - in->at));
  in->at = end;
  return true;
}

/* Rank 0: the numbers of the piece from the file; false: they are not there, or options give others that do not fit. */
static bool read_piece(hp_config_numbers *g, int64_t first) {
  char bracket = g->bracket;
  for (int64_t n = 0; n < g->count; ++n) {
    bool real;
    if (!next_number(&g->in, &g->value[n], &real, &bracket)) return false;
    const hp_config_given *given = given_at(g->r, g->number, first + n);
    if (given != NULL && !fits(given, real, bracket)) return false;
  }
  g->bracket = bracket;
  return true;
}

hp_status hp_config_gap_open(const hp_config *r, const hp_config_mark *m, hp_config_numbers *g) {
  *g = (hp_config_numbers){
      .P = r->c->spread, .r = r, .number = m->number, .left = m->count * (m->columns > 0 ? m->columns : 1)};
  g->most = m->columns > 0 ? PIECE / m->columns * m->columns : PIECE;
  if (g->most == 0 || m->count < 0) return hp_spread_refuse(g->P, HP_SPREAD_ERRORS);
  HP_TRY(HP_ALLOC_UNSET(g->value, g->most));
  return hp_spread_opens_files(g->P) ? open_gap(r, m->number, &g->in) : HP_OK;
}

hp_status hp_config_gap_next(hp_config_numbers *g) {
  const int64_t first = g->next;
  g->count = g->left < g->most ? g->left : g->most;
  g->left -= g->count;
  g->next += g->count;
  if (hp_spread_opens_files(g->P) && !read_piece(g, first)) return hp_spread_refuse(g->P, HP_SPREAD_ERRORS);
  HP_TRY(hp_spread_share(g->P, g->value, g->count * (int64_t)sizeof *g->value));
  for (int n = 0; n < g->r->ngiven; ++n) { /* the last of an entry stays */
    const hp_config_given *given = &g->r->given[n];
    if (given->gap == g->number && given->at >= first && given->at < g->next)
      g->value[given->at - first] = given->value;
  }
  return HP_OK;
}

void hp_config_gap_close(hp_config_numbers *g) {
  const hp_status s = hp_stream_close(&g->in); /* a file that cannot be read to its end has had too few numbers */
  (void)s;
  HP_FREE(g->value);
}

/* ---- rows ---- */

/* Whether a row names a cell that is held, or one that is none, which all ranks report. */
static bool is_here(const hp_config *r, int64_t columns, const double *row) {
  const hp_grid *g = r->c->grid;
  if (g == NULL) return true;
  for (int64_t at = 0; at + 3 <= columns && at < 6; at += 3) {
    const double i = row[at] - 1.0;
    const bool sound = i >= 0.0 && i < g->nx && i == (double)(int)i;
    if (!sound || (i >= g->planes.first && i < g->planes.first + g->planes.held)) return true;
  }
  return false;
}

hp_status hp_config_gap_rows(const hp_config *r, const hp_config_mark *m, int64_t *rows, double **out) {
  hp_config_numbers g;
  int64_t capacity = 0;
  *rows = 0;
  *out = NULL;
  hp_status s = hp_config_gap_open(r, m, &g);
  while (s == HP_OK && g.left > 0) {
    s = hp_config_gap_next(&g);
    for (int64_t n = 0; n < g.count && s == HP_OK; n += m->columns) {
      if (!is_here(r, m->columns, g.value + n)) continue;
      if (*rows == capacity) {
        double *larger = NULL;
        capacity = capacity > 0 ? 2 * capacity : 256;
        s = HP_ALLOC_UNSET(larger, capacity * m->columns);
        if (s != HP_OK) break;
        if (*rows > 0) memcpy(larger, *out, (size_t)(*rows * m->columns) * sizeof *larger);
        HP_FREE(*out);
        *out = larger;
      }
      memcpy(*out + *rows * m->columns, g.value + n, (size_t)m->columns * sizeof **out);
      *rows += 1;
    }
  }
  hp_config_gap_close(&g);
  if (s != HP_OK) HP_FREE(*out);
  return s;
}

/* ---- the text ---- */

static void separate(int64_t n, FILE *f) {
  if (n > 0) fputs(n % HP_CONFIG_LINE == 0 ? ",\n" : ", ", f);
}

/* The number as libconfig has it, or what an option gives. */
static bool write_number(hp_stream *in, const hp_config_given *given, FILE *f) {
  char *end;
  double v = strtod(in->at, &end);
  const size_t length = (size_t)(end - in->at);
  if (length == 0) return false;
  bool real = is_real(in->at, length);
  if (given != NULL) {
    v = given->value;
    real = given->row ? given->real : real;
  }
  if (real) hp_config_write_float(v, f);
  else fprintf(f, "%d", (int)v);
  in->at = end;
  return true;
}

/* Numbers up to the bracket that closes them, the first of which has place `at`. */
static bool write_numbers(const hp_config *r, int gap, int64_t at, hp_stream *in, int64_t count, FILE *f) {
  bool read = true;
  for (int64_t n = 0; n < count && read; ++n) {
    separate(n, f);
    read = look(in) && write_number(in, given_at(r, gap, at + n), f);
  }
  return read;
}

static bool write_row(const hp_config *r, int gap, int64_t at, hp_stream *in, int64_t columns, FILE *f) {
  if (!look(in)) return false;
  fputc(*in->at++, f);
  if (!write_numbers(r, gap, at, in, columns, f) || !look(in)) return false;
  fputc(*in->at++, f);
  return true;
}

bool hp_config_write_gap(const hp_config *r, const hp_config_mark *m, FILE *f) {
  hp_stream in = {.at = NULL};
  bool read = open_gap(r, m->number, &in) == HP_OK;
  if (read && m->columns == 0) read = write_numbers(r, m->number, 0, &in, m->count, f);
  for (int64_t n = 0; read && m->columns > 0 && n < m->count; ++n) {
    separate(n, f);
    read = write_row(r, m->number, n * m->columns, &in, m->columns, f);
  }
  return hp_stream_close(&in) == HP_OK && read;
}
