/* Long lists of numbers stay out of the text that rank 0 sends to all ranks. A mark stands in their place:
 *
 *     porosity = [ 0.21, 0.19, 0.20, ... ];        porosity = [ "\x01 0 264000 0" ];      number of the gap, how many numbers there are
 *     connections = ( [1, 1, 1, ... ], ... );      connections = ( "\x01 1 4000 7" );     or rows, of so many numbers each
 *
 * Rank 0 sends the numbers from its own tree, some thousand at a time, when the ranks come to the gap.
 */
#include <string.h>

#include "core/memory.h"
#include "io/config/impl.h"

enum { LONG = 128 /* numbers of a list */, PIECE = 1 << 13 /* that are sent at once */ };

/* ---- what is left out ---- */

static bool is_list(const hp_setting *s) {
  return config_setting_type(s) == CONFIG_TYPE_ARRAY || config_setting_type(s) == CONFIG_TYPE_LIST;
}

static bool allows_gaps(const hp_setting *s) {
  int count;
  const hp_config_key *key = hp_config_keys(&count);
  const char *name = config_setting_name(s);
  if (name == NULL) return false;
  if (strcmp(name, "connections") == 0) return true;
  for (int n = 0; n < count; ++n) {
    const char *dot = strrchr(key[n].path, '.');
    if (key[n].kind == HP_KEY_CELLS && strcmp(dot != NULL ? dot + 1 : key[n].path, name) == 0) return true;
  }
  return false;
}

static bool are_numbers(const hp_setting *s) {
  for (int n = 0; n < config_setting_length(s); ++n) {
    const int type = config_setting_type(config_setting_get_elem(s, (unsigned)n));
    if (type != CONFIG_TYPE_INT && type != CONFIG_TYPE_FLOAT) return false;
  }
  return true;
}

/* Whether s is a long list of numbers, or of rows of equally many. */
static bool is_long(const hp_setting *s, hp_config_mark *m) {
  const int64_t length = config_setting_length(s);
  const hp_setting *first = length > 0 ? config_setting_get_elem(s, 0) : NULL;
  m->count = length;
  m->columns = first != NULL && is_list(first) ? config_setting_length(first) : 0;
  if (length * (m->columns > 0 ? m->columns : 1) < LONG) return false;
  if (m->columns == 0) return are_numbers(s);
  for (int n = 0; n < length; ++n) {
    const hp_setting *row = config_setting_get_elem(s, (unsigned)n);
    if (!is_list(row) || config_setting_length(row) != m->columns || !are_numbers(row)) return false;
  }
  return true;
}

static hp_status add_gap(hp_config *r, const hp_setting *s, hp_config_mark m) {
  HP_TRY(HP_GROW(r->gap, r->gaps, 1));
  m.number = r->gaps;
  r->gap[r->gaps++] = (hp_config_gap){s, m};
  return HP_OK;
}

hp_status hp_config_find_gaps(hp_config *r, const hp_setting *s) {
  hp_config_mark m;
  if (is_list(s) && allows_gaps(s) && is_long(s, &m)) return add_gap(r, s, m);
  if (!config_setting_is_aggregate(s) || config_setting_type(s) == CONFIG_TYPE_ARRAY) return HP_OK;
  for (int n = 0; n < config_setting_length(s); ++n)
    HP_TRY(hp_config_find_gaps(r, config_setting_get_elem(s, (unsigned)n)));
  return HP_OK;
}

bool hp_config_is_gap(const hp_config *r, const hp_setting *s, hp_config_mark *m) {
  long long count, columns;
  if (r->c->spread == NULL) return false;
  for (int n = 0; n < r->gaps; ++n)
    if (r->gap[n].list == s) {
      *m = r->gap[n].mark;
      return true;
    }
  const char *text = config_setting_length(s) == 1 ? config_setting_get_string_elem(s, 0) : NULL;
  if (text == NULL || sscanf(text, "\1 %d %lld %lld", &m->number, &count, &columns) != 3) return false;
  m->count = count;
  m->columns = columns;
  return true;
}

const hp_setting *hp_config_row(const hp_config *r, const hp_setting *s, int64_t n) {
  hp_config_mark m;
  return hp_config_is_gap(r, s, &m) ? s : config_setting_get_elem(s, (unsigned)n);
}

/* ---- its numbers ---- */

hp_status hp_config_gap_open(const hp_config *r, const hp_config_mark *m, hp_config_numbers *g) {
  const int64_t columns = m->columns > 0 ? m->columns : 1;
  *g = (hp_config_numbers){.P = r->c->spread, .columns = m->columns, .left = m->count * columns};
  if (hp_spread_opens_files(g->P)) g->list = r->gap[m->number].list;
  g->most = PIECE / columns * columns;
  if (g->most == 0) return hp_spread_refuse(g->P, HP_SPREAD_ERRORS);
  return HP_ALLOC_UNSET(g->value, g->most);
}

static double number_at(const hp_config_numbers *g, int64_t at) {
  const int64_t columns = g->columns;
  const hp_setting *row = columns > 0 ? config_setting_get_elem(g->list, (unsigned)(at / columns)) : g->list;
  const hp_setting *s = config_setting_get_elem(row, (unsigned)(columns > 0 ? at % columns : at));
  return config_setting_type(s) == CONFIG_TYPE_INT ? config_setting_get_int(s) : config_setting_get_float(s);
}

hp_status hp_config_gap_next(hp_config_numbers *g) {
  g->count = g->left < g->most ? g->left : g->most;
  for (int64_t n = 0; n < g->count && g->list != NULL; ++n) g->value[n] = number_at(g, g->next + n);
  g->left -= g->count;
  g->next += g->count;
  return hp_spread_share(g->P, g->value, g->count * (int64_t)sizeof *g->value);
}

void hp_config_gap_close(hp_config_numbers *g) { HP_FREE(g->value); }

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
  *rows = 0;
  *out = NULL;
  hp_status s = hp_config_gap_open(r, m, &g);
  while (s == HP_OK && g.left > 0) {
    s = hp_config_gap_next(&g);
    for (int64_t n = 0; n < g.count && s == HP_OK; n += m->columns) {
      if (!is_here(r, m->columns, g.value + n)) continue;
      s = HP_GROW(*out, *rows * m->columns, m->columns);
      if (s != HP_OK) break;
      memcpy(*out + *rows * m->columns, g.value + n, (size_t)m->columns * sizeof **out);
      *rows += 1;
    }
  }
  hp_config_gap_close(&g);
  if (s != HP_OK) HP_FREE(*out);
  return s;
}
