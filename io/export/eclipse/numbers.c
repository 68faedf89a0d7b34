#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "io/export/eclipse/impl.h"
#include "io/export/export.h"
#include "io/export/impl.h"

enum { SHORT_ARRAY = 60 /* words of an array in the deck itself */, LINE = 100 };

/* The fewest digits, of some lengths, that read back to the same bits; if no number does, all digits. */
static void digits(double v, double factor, char out[HP_EXPORT_DIGITS]) {
  static const int length[] = {6, 9, 12, 15, 16, 17};
  double x = v / factor;
  const bool exact = hp_export_exact(v, factor, &x);
  for (size_t n = 0; n < sizeof length / sizeof length[0]; ++n) {
    snprintf(out, HP_EXPORT_DIGITS, "%.*g", length[n], x);
    if (exact ? strtod(out, NULL) * factor == v : strtod(out, NULL) == x) return;
  }
}

void hp_out_number(hp_deck_out *o, hp_quantity q, double v) {
  char text[HP_EXPORT_DIGITS] = "1*";
  if (!isnan(v)) digits(v, o->units.factor[q], text);
  fprintf(o->f, " %s", text);
}

void hp_out_name(hp_deck_out *o, const char *name) { fprintf(o->f, " '%s'", name); }

/* ---- lists ---- */

/* Equal numbers, bit for bit, or defaults. */
static bool same(double a, double b) { return a == b || (isnan(a) && isnan(b)); }

static int64_t words_of(int64_t count, const double *v) {
  int64_t words = count > 0;
  for (int64_t n = 1; n < count; ++n) words += !same(v[n], v[n - 1]);
  return words;
}

static void write_list(FILE *f, double factor, int64_t count, const double *v) {
  int column = 0;
  for (int64_t n = 0, next; n < count; n = next) {
    char text[HP_EXPORT_DIGITS], word[HP_EXPORT_DIGITS + 24];
    for (next = n + 1; next < count && same(v[next], v[n]);) ++next;
    if (isnan(v[n])) snprintf(word, sizeof word, " %lld*", (long long)(next - n));
    else {
      digits(v[n], factor, text);
      if (next - n > 1) snprintf(word, sizeof word, " %lld*%s", (long long)(next - n), text);
      else snprintf(word, sizeof word, " %s", text);
    }
    if (column > 0 && column + (int)strlen(word) > LINE) {
      fputc('\n', f);
      column = 0;
    }
    fputs(word, f);
    column += (int)strlen(word);
  }
  fputs(" /\n", f);
}

void hp_out_list(hp_deck_out *o, hp_quantity q, int64_t count, const double *v) {
  write_list(o->f, o->units.factor[q], count, v);
}

void hp_out_table(hp_deck_out *o, int rows, int columns, const hp_quantity *q, const double *const *column) {
  for (int n = 0; n < rows; ++n) {
    for (int k = 0; k < columns; ++k) hp_out_number(o, q[k], column[k][n]);
    fputs(n + 1 < rows ? "\n" : " /\n", o->f);
  }
}

/* ---- arrays ---- */

/* Sections with arrays. */
static const char *const with_arrays[] = {"GRID", "EDIT", "PROPS", "REGIONS", "SOLUTION"};
enum { WITH_ARRAYS = sizeof with_arrays / sizeof with_arrays[0] };

bool hp_case_export_file(const char *path, int n, char *out, size_t size) {
  const size_t length = strlen(path);
  if (n == 0) snprintf(out, size, "%s", path);
  else if (n <= WITH_ARRAYS)
    snprintf(out, size, "%.*s.%s.inc", length >= 5 ? (int)length - 5 : 0, path, with_arrays[n - 1]);
  return n <= WITH_ARRAYS;
}

/* The deck itself for a short array, or the section's file of arrays. */
static FILE *place(hp_deck_out *o, int64_t words) {
  char path[1100];
  if (words <= SHORT_ARRAY) return o->f;
  if (o->arrays != NULL) return o->arrays;
  (void)hp_case_export_file(o->path, o->section, path, sizeof path);
  o->arrays = fopen(path, "w");
  if (o->arrays == NULL && o->status == HP_OK)
    o->status = hp_fail(HP_ERR_FILE, "%s: cannot be written: %s", path, strerror(errno));
  if (o->arrays != NULL) o->made |= 1u << o->section;
  return o->arrays;
}

void hp_out_array(hp_deck_out *o, const char *keyword, hp_quantity q, int64_t count, const double *v) {
  FILE *f = place(o, words_of(count, v));
  if (f == NULL) return;
  fprintf(f, "%s\n", keyword);
  write_list(f, o->units.factor[q], count, v);
}

void hp_out_cells(hp_deck_out *o, const char *keyword, hp_quantity q, const double *v) {
  const hp_grid *g = o->c->grid;
  hp_grid_to_natural(g->nx, g->ny, g->nz, v, o->natural);
  hp_out_array(o, keyword, q, g->ncell, o->natural);
}

hp_status hp_out_regions(hp_deck_out *o, const char *keyword, const uint16_t *of, double first) {
  const int64_t count = o->c->grid->ncell;
  double *a;
  if (of == NULL) return HP_OK;
  HP_TRY(HP_ALLOC(a, count));
  for (int64_t m = 0; m < count; ++m) a[m] = first + of[m];
  hp_out_cells(o, keyword, HP_UNIT_NONE, a);
  HP_FREE(a);
  return HP_OK;
}

/* ---- sections ---- */

void hp_out_section(hp_deck_out *o, const char *name) {
  fprintf(o->f, "\n%s\n", name);
  o->section = 0;
  for (int n = 0; n < WITH_ARRAYS; ++n)
    if (strcmp(with_arrays[n], name) == 0) o->section = n + 1;
}

void hp_out_include(hp_deck_out *o) {
  char path[1100];
  if (o->arrays == NULL) return;
  (void)hp_case_export_file(o->path, o->section, path, sizeof path);
  const bool sound = ferror(o->arrays) == 0;
  if ((fclose(o->arrays) != 0 || !sound) && o->status == HP_OK)
    o->status = hp_fail(HP_ERR_FILE, "%s: cannot be written", path);
  o->arrays = NULL;
  const char *slash = strrchr(path, '/');
  fprintf(o->f, "INCLUDE\n '%s' /\n", slash != NULL ? slash + 1 : path);
}

void hp_out_note(hp_deck_out *o, const char *fmt, ...) {
  char text[512];
  va_list args;
  va_start(args, fmt);
  vsnprintf(text, sizeof text, fmt, args);
  va_end(args);
  hp_diag_note(o->diag, o->c->deck, 0, "%s", text);
}
