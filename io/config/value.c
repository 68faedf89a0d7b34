#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "io/config/impl.h"

hp_status hp_config_copy(const char *text, char **out) {
  const size_t size = strlen(text) + 1;
  char *copy;
  HP_TRY(hp_alloc((void **)&copy, (int64_t)size, 1, "text"));
  memcpy(copy, text, size);
  HP_FREE(*out);
  *out = copy;
  return HP_OK;
}

hp_setting *hp_config_member(const hp_setting *group, const char *name) {
  if (group == NULL || config_setting_type(group) != CONFIG_TYPE_GROUP) return NULL;
  return config_setting_get_member(group, name);
}

void hp_config_refuse(hp_config *r, const hp_setting *group, const char *name, const char *why) {
  const hp_setting *s = hp_config_member(group, name);
  if (s != NULL) hp_config_error(r, s, "%s", why);
}

const hp_setting *hp_config_list(const hp_config *r, const char *name) {
  const hp_setting *s = hp_config_member(config_root_setting(&r->tree), name);
  return s != NULL && config_setting_type(s) == CONFIG_TYPE_LIST ? s : NULL;
}

int hp_config_length(const hp_setting *s) {
  return s != NULL && config_setting_type(s) == CONFIG_TYPE_LIST ? config_setting_length(s) : 0;
}

const hp_setting *hp_config_group(const hp_setting *list, int n) {
  const hp_setting *s = config_setting_get_elem(list, (unsigned)n);
  return config_setting_type(s) == CONFIG_TYPE_GROUP ? s : NULL;
}

static const char *last_name(const char *path) {
  const char *dot = strrchr(path, '.');
  return dot != NULL ? dot + 1 : path;
}

/* ---- ranges and units ---- */

const char *hp_config_out_of_range(const char *range, double v) {
  for (const char *at = range; *at != '\0';) {
    while (*at == ' ' || *at == ',') ++at;
    const bool above = *at == '>', below = *at == '<', equal = (above || below) && at[1] == '=';
    if (above || below) at += equal ? 2 : 1;
    char *end;
    const double bound = strtod(at, &end);
    at = end;
    if (above && !(equal ? v >= bound : v > bound)) return range;
    if (below && !(equal ? v <= bound : v < bound)) return range;
    if (above || below) continue;
    /* "a..b"; strtod takes the first dot of ".." for its own */
    while (*at == '.') ++at;
    const double last = strtod(at, &end);
    at = end;
    if (!(v >= bound && v <= last)) return range;
  }
  return NULL;
}

/* Numbers carry the deck's unit, or one of their own after a space. */
static double fallback_of(const hp_config_key *key, const hp_units *units) {
  char *end;
  const double v = strtod(key->fallback, &end);
  if (end == key->fallback) return NAN;
  const hp_units metric = hp_units_of(HP_UNITS_METRIC);
  if (*end == '\0') return v * units->factor[key->unit];
  return v * metric.factor[key->unit];
}

const char *hp_config_show(const hp_config *r, const hp_config_key *key, double deck_value, char out[64]) {
  const char *label = r->units.label[key->unit];
  snprintf(out, 64, "%.12g%s%s", deck_value, label[0] != '\0' ? " " : "", label);
  return out;
}

/* ---- scalars ---- */

static const char *type_text(const hp_setting *s) {
  switch (config_setting_type(s)) {
    case CONFIG_TYPE_GROUP: return "a group";
    case CONFIG_TYPE_INT:
    case CONFIG_TYPE_INT64: return "an integer";
    case CONFIG_TYPE_FLOAT: return "a number with a fraction";
    case CONFIG_TYPE_STRING: return "text";
    case CONFIG_TYPE_BOOL: return "true or false";
    case CONFIG_TYPE_ARRAY: return "an array";
    case CONFIG_TYPE_LIST: return "a list";
    default: return "nothing";
  }
}

/* "3000 psi": the SI value of a number with a unit of its quantity, of any system of units. */
static bool with_unit(const char *text, hp_quantity q, double *si) {
  char *end;
  const double v = strtod(text, &end);
  if (end == text) return false;
  while (*end == ' ') ++end;
  for (int n = 0; n < HP_UNITS_COUNT; ++n) {
    const hp_units units = hp_units_of((hp_unit_system)n);
    if (units.label[q][0] == '\0' || strcmp(end, units.label[q]) != 0) continue;
    *si = v * units.factor[q];
    return true;
  }
  return false;
}

static bool is_plain_text(const hp_setting *s) {
  return config_setting_type(s) == CONFIG_TYPE_STRING && !hp_config_is_expression(config_setting_get_string(s));
}

bool hp_config_quantity(hp_config *r, const hp_setting *s, hp_quantity q, double *deck, double *si) {
  const double factor = r->units.factor[q];
  const char *text = config_setting_get_string(s);
  if (text != NULL && with_unit(text, q, si)) {
    *deck = *si / factor;
    if (isfinite(*si)) return true;
    hp_config_error(r, s, "must be a finite number; this one is too large");
    return false;
  }
  if (q != HP_UNIT_NONE && is_plain_text(s) && strpbrk(text, "0123456789") != NULL) {
    char units[160] = "";
    for (int n = 0; n < HP_UNITS_COUNT; ++n) {
      const char *label = hp_units_of((hp_unit_system)n).label[q];
      const size_t used = strlen(units);
      if (strstr(units, label) == NULL)
        snprintf(units + used, sizeof units - used, "%s%s", used > 0 ? ", " : "", label);
    }
    hp_config_error(r, s, "'%s': must be a number, or text with a number and its unit (%s)", text, units);
    return false;
  }
  if (!hp_config_number(r, s, deck)) return false;
  *si = *deck * factor;
  return true;
}

bool hp_config_time(hp_config *r, const hp_setting *s, double *deck, double *si) {
  const char *text = config_setting_get_string(s);
  char why[HP_DATE_WHY];
  if (text == NULL || !hp_date_is_meant(text)) return hp_config_quantity(r, s, HP_UNIT_TIME, deck, si);
  const bool faulty_start = r->c->start[0] == '\0' && hp_config_member(config_root_setting(&r->tree), "start") != NULL;
  if (!hp_date_time(text, r->c->start, si, why)) {
    if (!faulty_start) hp_config_error(r, s, "%s", why); /* else that has been reported */
    return false;
  }
  *deck = *si / r->units.factor[HP_UNIT_TIME];
  return true;
}

bool hp_config_number(hp_config *r, const hp_setting *s, double *out) {
  if (r->ncut > 0 && config_setting_type(s) == CONFIG_TYPE_INT && hp_config_is_cut(r, s)) return false;
  switch (config_setting_type(s)) {
    case CONFIG_TYPE_INT: *out = config_setting_get_int(s); return true;
    case CONFIG_TYPE_INT64: *out = (double)config_setting_get_int64(s); return true;
    case CONFIG_TYPE_FLOAT: *out = config_setting_get_float(s); break;
    case CONFIG_TYPE_STRING:
      if (hp_config_is_expression(config_setting_get_string(s))) {
        if (!hp_config_expression(r, s, out)) return false;
        break;
      } /* fall through */
    default: hp_config_error(r, s, "must be a number, not %s", type_text(s)); return false;
  }
  if (isfinite(*out)) return true;
  hp_config_error(r, s, "must be a finite number; this one is too large");
  return false;
}

/* An expression that is to be an integer is rounded to the nearest one, halves up. */
static bool rounded(hp_config *r, const hp_setting *s, int *out) {
  double v;
  if (!hp_config_expression(r, s, &v)) return false;
  v = floor(v + 0.5);
  if (v >= INT_MIN && v <= INT_MAX) {
    *out = (int)v;
    return true;
  }
  hp_config_error(r, s, "'%s': must fit in 32 bits", config_setting_get_string(s));
  return false;
}

bool hp_config_integer(hp_config *r, const hp_setting *s, int *out) {
  const int type = config_setting_type(s);
  if (type == CONFIG_TYPE_INT && r->ncut > 0 && hp_config_is_cut(r, s)) return false;
  if (type == CONFIG_TYPE_INT) {
    *out = config_setting_get_int(s);
    return true;
  }
  if (type == CONFIG_TYPE_INT64) {
    const long long v = config_setting_get_int64(s);
    if (v >= INT_MIN && v <= INT_MAX) {
      *out = (int)v;
      return true;
    }
    hp_config_error(r, s, "%lld: must fit in 32 bits", v);
  } else if (type == CONFIG_TYPE_STRING && hp_config_is_expression(config_setting_get_string(s))) {
    return rounded(r, s, out);
  } else {
    hp_config_error(r, s, "must be an integer, not %s", type_text(s));
  }
  return false;
}

/* The member of a key; NULL when it is missing, which is reported if the key is required. */
static hp_setting *find(hp_config *r, const hp_setting *group, const hp_config_key *key) {
  hp_setting *s = hp_config_member(group, last_name(key->path));
  const bool sought = !r->overlay && group != NULL && config_setting_type(group) == CONFIG_TYPE_GROUP;
  if (s == NULL && sought && strcmp(key->fallback, "required") == 0)
    hp_config_error(r, group, "%s is missing: %s", last_name(key->path), key->what);
  return s;
}

static bool in_range(hp_config *r, const hp_setting *s, const hp_config_key *key, double v) {
  const char *range = hp_config_out_of_range(key->range, v);
  if (range == NULL) return true;
  char shown[64];
  hp_config_error(r, s, "%s: must be %s%s", hp_config_show(r, key, v, shown), strstr(range, "..") ? "in " : "", range);
  return false;
}

bool hp_config_float(hp_config *r, const hp_setting *group, const char *path, double *out) {
  const hp_config_key *key = hp_config_key_find(path);
  const hp_setting *s = find(r, group, key);
  if (s == NULL) {
    const double v = fallback_of(key, &r->units);
    if (!r->overlay && !isnan(v)) *out = v;
    return false;
  }
  double v, si;
  if (key->kind == HP_KEY_LIMIT && is_plain_text(s) && strpbrk(config_setting_get_string(s), "0123456789") == NULL) {
    if (strcmp(config_setting_get_string(s), "none") == 0) {
      *out = NAN;
      return true;
    }
    hp_config_error(r, s, "'%s': must be a number or \"none\"", config_setting_get_string(s));
    return false;
  }
  const bool read = key->kind == HP_KEY_TIME ? hp_config_time(r, s, &v, &si)
                                             : hp_config_quantity(r, s, key->unit, &v, &si);
  if (!read || !in_range(r, s, key, v)) return false;
  *out = si;
  return true;
}

bool hp_config_int(hp_config *r, const hp_setting *group, const char *path, int *out) {
  const hp_config_key *key = hp_config_key_find(path);
  const hp_setting *s = find(r, group, key);
  if (s == NULL) {
    const double v = strtod(key->fallback, NULL);
    if (!r->overlay && (key->fallback[0] == '-' || (key->fallback[0] >= '0' && key->fallback[0] <= '9'))) *out = (int)v;
    return false;
  }
  int v;
  if (!hp_config_integer(r, s, &v) || !in_range(r, s, key, v)) return false;
  *out = v;
  return true;
}

bool hp_config_bool(hp_config *r, const hp_setting *group, const char *path, bool *out) {
  const hp_config_key *key = hp_config_key_find(path);
  const hp_setting *s = find(r, group, key);
  if (s == NULL) {
    if (!r->overlay) *out = strcmp(key->fallback, "true") == 0;
    return false;
  }
  if (config_setting_type(s) != CONFIG_TYPE_BOOL) {
    hp_config_error(r, s, "must be true or false, not %s", type_text(s));
    return false;
  }
  *out = config_setting_get_bool(s) != 0;
  return true;
}

bool hp_config_string(hp_config *r, const hp_setting *group, const char *path, const char **out) {
  const hp_setting *s = find(r, group, hp_config_key_find(path));
  if (s == NULL) return false;
  if (config_setting_type(s) != CONFIG_TYPE_STRING) {
    hp_config_error(r, s, "must be text in quotes, not %s", type_text(s));
    return false;
  }
  *out = config_setting_get_string(s);
  return true;
}

/* ---- choices ---- */

enum { CHOICES_MAX = 24 };

typedef struct {
  char text[256];
  const char *name[CHOICES_MAX];
  int count;
} choices;

/* A leading bar of "a|b|c" is skipped. */
static void split_choices(const hp_config_key *key, choices *out) {
  snprintf(out->text, sizeof out->text, "%s", key->choices);
  out->count = 0;
  for (char *at = out->text; at != NULL && out->count < CHOICES_MAX;) {
    char *bar = strchr(at, '|');
    if (bar != NULL) *bar = '\0';
    if (*at != '\0') out->name[out->count++] = at;
    at = bar != NULL ? bar + 1 : NULL;
  }
}

int hp_config_choices(const hp_config_key *key) {
  choices of;
  split_choices(key, &of);
  return of.count;
}

void hp_config_choice_name(const hp_config_key *key, int choice, char out[64]) {
  choices of;
  split_choices(key, &of);
  snprintf(out, 64, "%s", choice >= 0 && choice < of.count ? of.name[choice] : "");
}

bool hp_config_choice(hp_config *r, const hp_setting *group, const char *path, int *out) {
  const hp_config_key *key = hp_config_key_find(path);
  const hp_setting *s = find(r, group, key);
  const char *value = key->fallback;
  if (s == NULL && r->overlay) return false;
  if (s != NULL && !hp_config_string(r, group, path, &value)) return false;
  choices of;
  split_choices(key, &of);
  for (int n = 0; n < of.count; ++n)
    if (strcmp(value, of.name[n]) == 0) {
      *out = n;
      return s != NULL;
    }
  if (s == NULL) return false;
  const char *near = hp_nearest(value, of.name, of.count);
  if (near != NULL) {
    hp_config_error(r, s, "'%s': no such choice; did you mean '%s'?", value, near);
    return false;
  }
  char list[256] = "";
  for (int n = 0; n < of.count; ++n) {
    const size_t used = strlen(list);
    snprintf(list + used, sizeof list - used, "%s%s", n == 0 ? "" : n + 1 == of.count ? " or " : ", ", of.name[n]);
  }
  hp_config_error(r, s, "'%s': must be %s", value, list);
  return false;
}

/* ---- aggregates ---- */

static bool is_sequence(const hp_setting *s) {
  return config_setting_type(s) == CONFIG_TYPE_ARRAY || config_setting_type(s) == CONFIG_TYPE_LIST;
}

bool hp_config_span(hp_config *r, const hp_setting *group, const char *path, int out[2]) {
  const hp_config_key *key = hp_config_key_find(path);
  const hp_setting *s = find(r, group, key);
  if (s == NULL) return false;
  int v[2];
  bool good = true;
  if (!is_sequence(s)) {
    if (!hp_config_integer(r, s, &v[0]) || !in_range(r, s, key, v[0])) return false;
    v[1] = v[0];
  } else {
    if (config_setting_length(s) != 2) {
      hp_config_error(r, s, "%d values: must be one integer or [first, last]", config_setting_length(s));
      return false;
    }
    for (int n = 0; n < 2; ++n)
      if (!hp_config_integer(r, config_setting_get_elem(s, (unsigned)n), &v[n]) || !in_range(r, s, key, v[n]))
        good = false;
  }
  if (!good) return false;
  if (v[0] > v[1]) {
    hp_config_error(r, s, "[%d, %d]: the first must not be larger than the last", v[0], v[1]);
    return false;
  }
  out[0] = v[0];
  out[1] = v[1];
  return true;
}

int64_t hp_config_cell(hp_config *r, const hp_setting *row, const double ijk[3]) {
  for (int d = 0; d < 3; ++d)
    if (!(ijk[d] >= 1.0 && ijk[d] <= r->size[d] && ijk[d] == floor(ijk[d]))) {
      hp_config_error(r, row, "cell %g,%g,%g: must be whole numbers in 1..%d, 1..%d, 1..%d", ijk[0], ijk[1], ijk[2],
                      r->size[0], r->size[1], r->size[2]);
      return -1;
    }
  return hp_grid_cell(r->c->grid, (int)ijk[0] - 1, (int)ijk[1] - 1, (int)ijk[2] - 1);
}

/* The numbers of a row, in deck units and in SI, NaN where one is none. */
static bool read_row(hp_config *r, const hp_setting *row, const hp_quantity *q, int columns, double *out, double *si) {
  bool good = true;
  for (int c = 0; c < columns; ++c)
    if (!hp_config_quantity(r, config_setting_get_elem(row, (unsigned)c), q[c], &out[c], &si[c])) {
      out[c] = si[c] = NAN;
      good = false;
    }
  return good;
}

/* Rows have min..max numbers, all as many as the first one that does. */
static bool check_rows(hp_config *r, const hp_setting *s, int min_columns, int max_columns, int *columns) {
  bool good = true;
  *columns = 0;
  for (int n = 0; n < config_setting_length(s); ++n) {
    const hp_setting *row = config_setting_get_elem(s, (unsigned)n);
    const int length = is_sequence(row) ? config_setting_length(row) : 0;
    const bool fits = length >= min_columns && length <= max_columns;
    if (fits && *columns == 0) *columns = length;
    if (fits && length == *columns) continue;
    if (!is_sequence(row)) hp_config_error(r, row, "must be a row of numbers [..], not %s", type_text(row));
    else if (!fits) hp_config_error(r, row, "%d numbers: a row must have %d to %d", length, min_columns, max_columns);
    else hp_config_error(r, row, "%d numbers: the first row has %d", length, *columns);
    good = false;
  }
  return good;
}

/* Rows that are left out of the text: those of cells that are held. */
static hp_status read_gap(hp_config *r, const hp_config_mark *m, const hp_quantity *q, int *rows, double **out,
                          double **si, bool *good) {
  int64_t count;
  HP_TRY(hp_config_gap_rows(r, m, &count, out));
  const int64_t numbers = count * m->columns;
  const hp_status s = HP_ALLOC(*si, numbers);
  if (s != HP_OK) {
    HP_FREE(*out);
    return s;
  }
  bool sound = true;
  for (int64_t n = 0; n < numbers; ++n) {
    (*si)[n] = (*out)[n] * r->units.factor[q[n % m->columns]];
    sound = sound && isfinite((*si)[n]);
  }
  *rows = (int)count;
  *good = sound;
  return sound ? HP_OK : hp_spread_refuse(r->c->spread, HP_SPREAD_ERRORS);
}

hp_status hp_config_rows(hp_config *r, const hp_setting *s, const hp_quantity *q, int min_columns, int max_columns,
                         int min_rows, int *rows, int *columns, double **out, double **si, bool *good) {
  hp_config_mark gap;
  *rows = *columns = 0;
  *out = *si = NULL;
  *good = false;
  if (is_sequence(s) && hp_config_is_gap(r, s, &gap)) {
    if (gap.columns < min_columns || gap.columns > max_columns || gap.count < min_rows)
      return hp_spread_refuse(r->c->spread, HP_SPREAD_ERRORS);
    *columns = (int)gap.columns;
    return read_gap(r, &gap, q, rows, out, si, good);
  }
  if (!is_sequence(s)) {
    hp_config_error(r, s, "must be a list of rows ( [..], [..], ... ), not %s", type_text(s));
    return HP_OK;
  }
  const int count = config_setting_length(s);
  *good = count >= min_rows;
  if (!*good) hp_config_error(r, s, "%d rows: must be at least %d", count, min_rows);
  if (!check_rows(r, s, min_columns, max_columns, columns)) *good = false;
  HP_TRY(HP_ALLOC(*out, (int64_t)count * *columns));
  const hp_status status = HP_ALLOC(*si, (int64_t)count * *columns);
  if (status != HP_OK) {
    HP_FREE(*out);
    return status;
  }
  for (int n = 0; n < count; ++n) {
    const hp_setting *row = config_setting_get_elem(s, (unsigned)n);
    const int64_t first = (int64_t)n * *columns;
    if (is_sequence(row) && config_setting_length(row) == *columns) {
      if (!read_row(r, row, q, *columns, *out + first, *si + first)) *good = false;
    } else {
      for (int c = 0; c < *columns; ++c) (*out)[first + c] = (*si)[first + c] = NAN;
    }
  }
  *rows = *columns > 0 ? count : 0;
  return HP_OK;
}
