#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "io/export/impl.h"

/* ---- digits ---- */

/* A decimal of p digits as people write it: 250.0, 0.0123, 4.5e-5; always a float of libconfig's. */
static void plain(double x, int p, char out[HP_EXPORT_DIGITS]) {
  char text[HP_EXPORT_DIGITS];
  snprintf(text, sizeof text, "%.*e", p - 1, x);
  char *e = strchr(text, 'e');
  const int power = atoi(e + 1), decimals = p - 1 - power;
  if (power >= -4 && power < 15) {
    snprintf(out, HP_EXPORT_DIGITS, "%.*f", decimals > 1 ? decimals : 1, x);
    return;
  }
  *e = '\0';
  snprintf(out, HP_EXPORT_DIGITS, "%.40se%d", text, power);
}

static bool reads_back(const char *text, double v, double factor) {
  const double x = strtod(text, NULL);
  return x * factor == v && signbit(x * factor) == signbit(v);
}

/* It is next to v / factor, if there is one. */
bool hp_export_exact(double v, double factor, double *x) {
  double up = v / factor, down = up;
  for (int n = 0; n < 4; ++n) {
    if (up * factor == v) return *x = up, true;
    if (down * factor == v) return *x = down, true;
    up = nextafter(up, INFINITY);
    down = nextafter(down, -INFINITY);
  }
  return false;
}

/* Finds the fewest digits x with x * factor == v to the last bit; false if there is no such number. */
static bool shortest_text(double v, double factor, char out[HP_EXPORT_DIGITS]) {
  double x;
  if (!hp_export_exact(v, factor, &x)) return false;
  for (int p = 1; p <= 17; ++p) {
    char text[HP_EXPORT_DIGITS];
    plain(x, p, text);
    if (!reads_back(text, v, factor)) continue;
    memcpy(out, text, sizeof text);
    return true;
  }
  return false;
}

/* ---- keys ---- */

static void write_number(hp_export *e, hp_quantity q, double v) {
  char text[HP_EXPORT_DIGITS];
  if (shortest_text(v, e->units.factor[q], text)) {
    fputs(text, e->f);
    return;
  }
  const hp_units own = e->c->units, si = hp_units_of(HP_UNITS_SI);
  const bool by_deck = shortest_text(v, own.factor[q], text);
  if (!by_deck && !shortest_text(v, 1.0, text)) snprintf(text, sizeof text, "%.17g", v);
  fprintf(e->f, "\"%s %s\"", text, (by_deck ? own : si).label[q]);
}

void hp_export_number(hp_export *e, hp_quantity q, double v) { write_number(e, q, v); }

void hp_export_key(hp_export *e, const char *lead, const char *name, hp_quantity q, double v) {
  fprintf(e->f, "%s%s = ", lead, name);
  write_number(e, q, v);
  fputs(";\n", e->f);
}

void hp_export_assign(hp_export *e, const char *name, hp_quantity q, double v) {
  fprintf(e->f, " %s = ", name);
  if (isnan(v)) fputs("\"none\"", e->f);
  else write_number(e, q, v);
  fputs(";", e->f);
}

void hp_export_quoted(hp_export *e, const char *text) {
  fputc('"', e->f);
  for (; *text != '\0'; ++text) {
    if (*text == '"' || *text == '\\') fputc('\\', e->f);
    fputc(*text == '\n' || *text == '\r' ? ' ' : *text, e->f);
  }
  fputc('"', e->f);
}

static bool has_number(const hp_export *e, hp_quantity q, double v) {
  double x;
  return hp_export_exact(v, e->units.factor[q], &x);
}

void hp_export_list(hp_export *e, hp_quantity q, int count, const double *v, int per, const char *lead) {
  bool all = true;
  for (int n = 0; n < count; ++n) all = all && has_number(e, q, v[n]);
  fputc(all ? '[' : '(', e->f);
  for (int n = 0; n < count; ++n) {
    if (n > 0 && n % per == 0) fprintf(e->f, ",\n%s", lead);
    else if (n > 0) fputs(", ", e->f);
    write_number(e, q, v[n]);
  }
  fputc(all ? ']' : ')', e->f);
}

void hp_export_rows(hp_export *e, int count, int columns, const hp_quantity *q, const double *const *column) {
  fputs("(", e->f);
  for (int n = 0; n < count; ++n) {
    bool all = true;
    for (int k = 0; k < columns; ++k) all = all && has_number(e, q[k], column[k][n]);
    fprintf(e->f, "%s%c", n > 0 ? ",\n      " : " ", all ? '[' : '(');
    for (int k = 0; k < columns; ++k) {
      if (k > 0) fputs(", ", e->f);
      write_number(e, q[k], column[k][n]);
    }
    fputc(all ? ']' : ')', e->f);
  }
  fputs(" )", e->f);
}

/* ---- cell arrays ---- */

enum { LINE_MAX_CELLS = 100 }; /* longer lists are no help to anybody */

/* The values along one direction, where the others do not matter: NULL where they do. */
static hp_status along_one(const hp_export *e, int along, hp_quantity q, const double *a, int *count, double **line) {
  const hp_grid *g = e->c->grid;
  const int n = along == HP_DIR_I ? g->nx : along == HP_DIR_J ? g->ny : g->nz;
  *line = NULL;
  *count = n;
  if (n < 2 || n > LINE_MAX_CELLS) return HP_OK;
  HP_TRY(HP_ALLOC(*line, n));
  bool one = true;
  for (int k = 0; k < n; ++k) (*line)[k] = a[k * hp_grid_stride(g, along)];
  for (int64_t m = 0; m < g->ncell && one; ++m) {
    int at[3];
    hp_grid_ijk(g, m, at);
    one = a[m] == (*line)[at[2 - along]];
  }
  for (int k = 0; k < n && one; ++k) one = has_number(e, q, (*line)[k]);
  if (!one) HP_FREE(*line);
  return HP_OK;
}

/* In the deck's unit, where that has a number for every value, else in SI; in the deck's order into e->natural. */
static bool in_deck_units(hp_export *e, hp_quantity q, const double *a) {
  const hp_grid *g = e->c->grid;
  bool all = true;
  hp_grid_to_natural(g->nx, g->ny, g->nz, a, e->natural);
  for (int64_t m = 0; m < g->ncell && all; ++m) all = isnan(a[m]) || has_number(e, q, a[m]);
  for (int64_t m = 0; m < g->ncell && all; ++m) {
    double x = NAN;
    if (!isnan(e->natural[m])) (void)hp_export_exact(e->natural[m], e->units.factor[q], &x);
    e->natural[m] = x;
  }
  return all;
}

hp_status hp_export_cells(hp_export *e, const char *group, const char *name, hp_quantity q, int along,
                          const double *a) {
  const hp_grid *g = e->c->grid;
  bool one = true;
  for (int64_t m = 1; m < g->ncell && one; ++m) one = a[m] == a[0];
  if (one && has_number(e, q, a[0])) {
    hp_export_key(e, "  ", name, q, a[0]);
    return HP_OK;
  }
  double *line;
  int count;
  HP_TRY(along_one(e, along, q, a, &count, &line));
  if (line != NULL) {
    fprintf(e->f, "  %s = ", name);
    hp_export_list(e, q, count, line, 10, "    ");
    fputs(";\n", e->f);
    HP_FREE(line);
    return HP_OK;
  }
  char path[80];
  const int dims[3] = {g->nz, g->ny, g->nx};
  snprintf(path, sizeof path, "/%s/%s", group, name);
  const bool own = in_deck_units(e, q, a);
  HP_TRY(hp_h5_field(&e->h5, path, HP_H5_F64, dims, e->natural, NULL));
  e->written += 1;
  fprintf(e->f, "  %s = { file = ", name);
  hp_export_quoted(e, e->arrays);
  fprintf(e->f, "; format = \"hdf5\"; dataset = \"%s\";%s };\n", path, own ? "" : " units = \"si\";");
  return HP_OK;
}

hp_status hp_export_lengths(hp_export *e, const char *name, const int dims[3], const double *a) {
  char path[80];
  snprintf(path, sizeof path, "/grid/%s", name);
  HP_TRY(hp_h5_field(&e->h5, path, HP_H5_F64, dims, a, NULL));
  e->written += 1;
  fprintf(e->f, "    %s = { file = ", name);
  hp_export_quoted(e, e->arrays);
  fprintf(e->f, "; format = \"hdf5\"; dataset = \"%s\";%s };\n", path,
          e->units.factor[HP_UNIT_LENGTH] == 1.0 ? "" : " units = \"si\";");
  return HP_OK;
}

hp_status hp_export_sound_cells(hp_export *e, const char *group, const char *name, hp_quantity q, const double *a,
                                double inactive, double none) {
  const hp_grid *g = e->c->grid;
  double *copy;
  HP_TRY(HP_ALLOC(copy, g->ncell));
  for (int64_t m = 0; m < g->ncell; ++m) copy[m] = !g->active[m] ? inactive : isnan(a[m]) ? none : a[m];
  const hp_status s = hp_export_cells(e, group, name, q, HP_DIR_K, copy);
  HP_FREE(copy);
  return s;
}

hp_status hp_export_pairs(hp_export *e, int64_t count, const int64_t *a, const int64_t *b, hp_quantity unit,
                          const double *value) {
  const hp_quantity q[7] = {HP_UNIT_NONE, HP_UNIT_NONE, HP_UNIT_NONE, HP_UNIT_NONE, HP_UNIT_NONE, HP_UNIT_NONE, unit};
  double *ijk;
  HP_TRY(HP_ALLOC(ijk, 6 * count));
  const double *column[7] = {[6] = value};
  for (int x = 0; x < 6; ++x) column[x] = ijk + x * count;
  for (int64_t n = 0; n < count; ++n)
    for (int end = 0; end < 2; ++end) {
      int at[3];
      hp_grid_ijk(e->c->grid, end == 0 ? a[n] : b[n], at);
      for (int x = 0; x < 3; ++x) ijk[(3 * end + x) * count + n] = at[x] + 1;
    }
  hp_export_rows(e, (int)count, value != NULL ? 7 : 6, q, column);
  HP_FREE(ijk);
  return HP_OK;
}

void hp_export_setting(hp_export *e, const hp_config_key *key, const char *name, double v) {
  char choice[64];
  hp_config_choice_name(key, (int)v, choice);
  if (key->kind == HP_KEY_BOOL) fprintf(e->f, " %s = %s;", name, v != 0.0 ? "true" : "false");
  else if (key->kind == HP_KEY_INT) fprintf(e->f, " %s = %.0f;", name, v);
  else if (key->kind == HP_KEY_CHOICE) fprintf(e->f, " %s = \"%s\";", name, choice);
  else if (key->kind == HP_KEY_OF_TABLE || key->kind == HP_KEY_OF_GROUP) {
    const bool table = key->kind == HP_KEY_OF_TABLE;
    fprintf(e->f, " %s = ", name);
    hp_export_quoted(e, !table ? hp_case_group_name(e->c, (int)v) : v > 0.0 ? e->c->lift[(int)v - 1].name : "none");
    fputs(";", e->f);
  } else hp_export_assign(e, name, key->unit, v);
}

bool hp_export_settings(hp_export *e, const char *lead, const char *list, hp_home home, const void *now,
                        const void *was) {
  const hp_config_key *key = NULL;
  bool any = false;
  while ((key = hp_config_next(list, home, key)) != NULL) {
    const double v = hp_config_value(key, now), old = was != NULL ? hp_config_value(key, was) : NAN;
    if (v == old || (isnan(v) && (was == NULL || isnan(old)))) continue;
    if (!any) fputs(lead, e->f);
    any = true;
    hp_export_setting(e, key, key->path + strlen(list) + 1, v);
  }
  return any;
}
