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

static bool next_number(hp_stream *in, double *v) {
  char *end;
  while (look(in) && strchr("[]()", *in->at) != NULL) ++in->at;
  if (!look(in)) return false;
  *v = strtod(in->at, &end);
  if (end == in->at) return false;
  in->at = end;
  return true;
}

hp_status hp_config_gap_open(const hp_config *r, const hp_config_mark *m, hp_config_numbers *g) {
  *g = (hp_config_numbers){.P = r->c->spread, .left = m->count * (m->columns > 0 ? m->columns : 1)};
  g->most = m->columns > 0 ? PIECE / m->columns * m->columns : PIECE;
  if (g->most == 0 || m->count < 0) return hp_spread_refuse(g->P, HP_SPREAD_ERRORS);
  HP_TRY(HP_ALLOC_UNSET(g->value, g->most));
  return hp_spread_opens_files(g->P) ? open_gap(r, m->number, &g->in) : HP_OK;
}

hp_status hp_config_gap_next(hp_config_numbers *g) {
  bool read = true;
  g->count = g->left < g->most ? g->left : g->most;
  g->left -= g->count;
  for (int64_t n = 0; hp_spread_opens_files(g->P) && read && n < g->count; ++n)
    read = next_number(&g->in, &g->value[n]);
  if (!read) return hp_spread_refuse(g->P, HP_SPREAD_ERRORS);
  return hp_spread_share(g->P, g->value, g->count * (int64_t)sizeof *g->value);
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

/* The number as libconfig has it. */
static bool write_number(hp_stream *in, FILE *f) {
  char *end;
  const double v = strtod(in->at, &end);
  const size_t length = (size_t)(end - in->at);
  if (length == 0) return false;
  if (memchr(in->at, '.', length) != NULL || memchr(in->at, 'e', length) != NULL || memchr(in->at, 'E', length) != NULL)
    hp_config_write_float(v, f);
  else fprintf(f, "%d", (int)v);
  in->at = end;
  return true;
}

/* Numbers up to the bracket that closes them. */
static bool write_numbers(hp_stream *in, int64_t count, FILE *f) {
  bool read = true;
  for (int64_t n = 0; n < count && read; ++n) {
    separate(n, f);
    read = look(in) && write_number(in, f);
  }
  return read;
}

static bool write_row(hp_stream *in, int64_t columns, FILE *f) {
  if (!look(in)) return false;
  fputc(*in->at++, f);
  if (!write_numbers(in, columns, f) || !look(in)) return false;
  fputc(*in->at++, f);
  return true;
}

bool hp_config_write_gap(const hp_config *r, const hp_config_mark *m, FILE *f) {
  hp_stream in = {.at = NULL};
  bool read = open_gap(r, m->number, &in) == HP_OK;
  if (read && m->columns == 0) read = write_numbers(&in, m->count, f);
  for (int64_t n = 0; read && m->columns > 0 && n < m->count; ++n) {
    separate(n, f);
    read = write_row(&in, m->columns, f);
  }
  return hp_stream_close(&in) == HP_OK && read;
}
