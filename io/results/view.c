/* NAME.view.py: a script that opens a result in ParaView.
 *
 * It stands alone, so that it can be copied away with the result files: a few constants, which say what is known about
 * the result, before the text of io/results/view.py. A run writes it, and `hepta paraview` for a result that is there,
 * both with the functions of this file.
 */
#define _XOPEN_SOURCE 700
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/memory.h"
#include "io/results/impl.h"

/* Subject of a script. */
typedef struct {
  const char *name;   /* of the result, without folder and ending */
  const char *folder; /* where it stands */
  const char *title;  /* of the deck */
  const hp_units *units;
  bool up;         /* z of its files is -depth, else depth */
  int64_t size[3]; /* cells along i, j, k */
} subject;

static void add_limit(hp_text *t, const char *name, bool has, double value, const char *side) {
  if (has) hp_text_add(t, "\n%s = %.17g", name, value);
  else hp_text_add(t, "\n%s = None", name);
  hp_text_add(t, "  # of what is shown; cells %s are left out", side);
}

static void add_constants(hp_text *t, const subject *s, const hp_view *view) {
  hp_text_add(t,
              "# Shows a result of hepta in ParaView 5.11 or later:\n"
              "#   paraview --script=NAME.view.py            in the program (or: File > Load State)\n"
              "#   pvbatch NAME.view.py PICTURE.png [ARRAY]  into a file\n"
              "#   pvbatch NAME.view.py --frames FOLDER      one picture per report time\n"
              "NAME = ");
  hp_text_add_python(t, s->name);
  hp_text_add(t, "\nTITLE = ");
  hp_text_add_python(t, s->title);
  hp_text_add(t, "\nFOLDER = ");
  hp_text_add_python(t, s->folder);
  hp_text_add(t, "  # where the result is, unless it is beside this script\nFIELD = ");
  hp_text_add_python(t, view->field != NULL ? view->field : "sw");
  if (view->exaggeration > 0.0) hp_text_add(t, "\nEXAGGERATION = %.17g  # of depth", view->exaggeration);
  else hp_text_add(t, "\nEXAGGERATION = None  # of depth; None: the picture is a third as high as it is wide");
  hp_text_add(t, "\nOPACITY = %.17g  # of the cells; below 1 wells inside are seen\nTIME_UNIT = ",
              view->opacity > 0.0 ? view->opacity : 1.0);
  hp_text_add_python(t, s->units->label[HP_UNIT_TIME]);
  hp_text_add(t, "\nPRESSURE_UNIT, PRESSURE_FACTOR = ");
  hp_text_add_python(t, s->units->label[HP_UNIT_PRESSURE]);
  hp_text_add(t, ", %.17g\nABOVE = %s  # True: seen from above, as a map", s->units->factor[HP_UNIT_PRESSURE],
              view->above ? "True" : "False");
  add_limit(t, "LOW", view->has_low, view->low, "below");
  add_limit(t, "HIGH", view->has_high, view->high, "above");
  hp_text_add(t, "\nSIZE = {\"i\": %lld, \"j\": %lld, \"k\": %lld}  # cells of the grid", (long long)s->size[0],
              (long long)s->size[1], (long long)s->size[2]);
  if (view->section != 0) hp_text_add(t, "\nSECTION = \"%c=%lld\"", view->section, (long long)view->number);
  else hp_text_add(t, "\nSECTION = None");
  hp_text_add(t, "  # \"j=3\": cells before those of that i, j or k are left out");
  hp_text_add(t, "\nUP = %s  # of z in the files: %s\n\n", s->up ? "1.0" : "-1.0", s->up ? "-depth" : "depth");
}

/* ---- the mark by which an edited script is known ---- */

static const char mark_line[] = "# As written by hepta, mark ";
enum { MARK_DIGITS = 16 };

/* FNV-1a (Fowler, Noll, Vo) of the text. */
static uint64_t mark_of(const char *text, size_t size) {
  uint64_t mark = 14695981039346656037u;
  for (size_t n = 0; n < size; ++n) mark = (mark ^ (unsigned char)text[n]) * 1099511628211u;
  return mark;
}

/* The mark stands in the first line and is that of all that follows. */
static bool is_as_written(const char *text, size_t size) {
  const size_t head = strlen(mark_line), line = head + MARK_DIGITS + 1;
  char mark[MARK_DIGITS + 1];
  if (size < line || memcmp(text, mark_line, head) != 0 || text[line - 1] != '\n') return false;
  snprintf(mark, sizeof mark, "%016llx", (unsigned long long)mark_of(text + line, size - line));
  return memcmp(text + head, mark, MARK_DIGITS) == 0;
}

bool hp_output_view_is_edited(const char *script) {
  char *text;
  size_t size;
  if (access(script, F_OK) != 0) return false;
  if (hp_file_read(script, &text, &size) != HP_OK) return true;
  const bool edited = !is_as_written(text, size);
  HP_FREE(text);
  return edited;
}

static hp_status write_script(const char *path, const subject *s, const hp_view *view) {
  hp_text t = {0}, body = {0};
  add_constants(&body, s, view);
  hp_text_add(&body, "%s", hp_output_view_script);
  if (body.status == HP_OK)
    hp_text_add(&t, "%s%016llx\n%s", mark_line, (unsigned long long)mark_of(body.s, (size_t)body.length), body.s);
  else t.status = body.status;
  hp_text_clear(&body);
  const hp_status status = hp_file_place_text(path, &t);
  hp_text_clear(&t);
  return status;
}

/* The folder of `path` as seen from everywhere. */
static hp_status find_folder(const char *path, char **out) {
  char *folder;
  const char *slash = strrchr(path, '/');
  *out = NULL;
  if (slash == NULL) HP_TRY(hp_format(&folder, "."));
  else HP_TRY(hp_format(&folder, "%.*s", (int)(slash - path + 1), path));
  char *real = realpath(folder, NULL);
  const hp_status s = hp_format(out, "%s", real != NULL ? real : folder);
  free(real);
  HP_FREE(folder);
  return s;
}

/* name_length: of NAME at the start of `file`, which stands in the folder of `path`; `about` without name and
 * folder. */
static hp_status write_about(const char *path, const char *file, size_t name_length, subject about, const char *script,
                             const hp_view *view) {
  char *name = NULL, *folder = NULL;
  hp_status s = hp_format(&name, "%.*s", (int)name_length, file);
  if (s == HP_OK) s = find_folder(path, &folder);
  if (s == HP_OK) {
    about.name = name;
    about.folder = folder;
    s = write_script(script, &about, view);
  }
  HP_FREE(name);
  HP_FREE(folder);
  return s;
}

hp_status hp_output_write_view(hp_output *o) {
  const char *path = o->path[HP_OUTPUT_VIEW], *file = o->name[HP_OUTPUT_VIEW];
  const hp_view usual = {0};
  const hp_grid *grid = o->c->grid;
  const subject about = {.title = o->c->title != NULL ? o->c->title : "",
                         .units = &o->c->units,
                         .up = true,
                         .size = {grid->nx, grid->ny, grid->nz}};
  return write_about(path, file, strlen(file) - strlen(".view.py"), about, path, &usual);
}

/* ---- for a result that is there ---- */

/* An array of the last report step. */
static hp_status is_in_steps(const hp_h5 *h, const char *field, bool *there) {
  double *step;
  int64_t nstep;
  char *name = NULL;
  *there = false;
  HP_TRY(hp_h5_read(h, "/step", &step, &nstep));
  const hp_status s = nstep > 0 ? hp_format(&name, "/steps/%06d/%s", (int)step[nstep - 1], field) : HP_OK;
  if (name != NULL) *there = hp_h5_exists(h, name);
  HP_FREE(name);
  HP_FREE(step);
  return s;
}

static hp_status is_static(const hp_h5 *h, const char *field, bool *there) {
  char *name;
  *there = false;
  HP_TRY(hp_format(&name, "/static/%s", field));
  *there = hp_h5_exists(h, name);
  HP_FREE(name);
  return HP_OK;
}

static hp_status check_field(const hp_h5 *h, const char *field) {
  bool moving = false, fixed = false;
  if (strcmp(field, "active") == 0) return HP_OK;
  if (field[0] != '\0' && strchr(field, '/') == NULL) {
    HP_TRY(is_in_steps(h, field, &moving));
    HP_TRY(is_static(h, field, &fixed));
  }
  if (moving || fixed) return HP_OK;
  return hp_fail(
      HP_ERR_USAGE,
      "%s has no array '%s': those of a result are sw, so, pressure (from the first report "
      "on), porosity, permx, permy, permz, depth, ntg, pore_volume, active, of several ranks rank, and those of "
      "'hepta diagnose' (docs/guide/diagnose.md)",
      h->path, field);
}

static hp_status check_beside(const char *result, size_t base, const char *ending) {
  char *path;
  HP_TRY(hp_format(&path, "%.*s%s", (int)base, result, ending));
  const hp_status s = access(path, R_OK) == 0 ? HP_OK : hp_fail(HP_ERR_FILE, "%s: %s", path, strerror(errno));
  HP_FREE(path);
  return s;
}

static hp_status read_units(const hp_h5 *h, hp_units *units) {
  char *name;
  hp_unit_system system;
  HP_TRY(hp_h5_read_text(h, "/", "units", &name));
  const bool found = hp_units_find(name, &system);
  HP_FREE(name);
  if (!found) return hp_fail(HP_ERR_FILE, "%s: its attribute 'units' names no system of units", h->path);
  *units = hp_units_of(system);
  return HP_OK;
}

/* Results of earlier versions do not say what is positive: z is depth. */
static hp_status read_direction(const hp_h5 *h, bool *up) {
  char *positive = NULL;
  *up = true;
  if (!hp_h5_exists(h, "/grid")) return HP_OK;
  HP_TRY(hp_h5_read_text(h, "/grid", "positive", &positive));
  *up = strcmp(positive, "up") == 0;
  HP_FREE(positive);
  return HP_OK;
}

/* 0 where the grid file is missing. */
static hp_status read_size(const hp_h5 *h, int64_t size[3]) {
  const char *const nodes[3] = {"/grid/x", "/grid/y", "/grid/z"};
  for (int d = 0; d < 3; ++d) {
    double *at = NULL;
    size[d] = 0;
    if (!hp_h5_exists(h, nodes[d])) continue;
    HP_TRY(hp_h5_read(h, nodes[d], &at, &size[d]));
    HP_FREE(at);
    size[d] -= 1;
  }
  return HP_OK;
}

/* A section shows cells: there is that i, j or k, and it has active ones. active: [nz][ny][nx] */
static hp_status check_section(const hp_h5 *h, const int64_t size[3], const hp_view *view) {
  const int axis = view->section - 'i';
  const int64_t cells = size[0] * size[1] * size[2], stride = axis == 0 ? 1 : axis == 1 ? size[0] : size[0] * size[1];
  double *active;
  int64_t count;
  bool any = false;
  if (cells <= 0) return hp_fail(HP_ERR_USAGE, "%s: its grid file is missing", h->path);
  if (view->number > size[axis])
    return hp_fail(HP_ERR_USAGE, "--section %c=%lld: the grid has %c from 1 to %lld", view->section,
                   (long long)view->number, view->section, (long long)size[axis]);
  HP_TRY(hp_h5_read(h, "/grid/active", &active, &count));
  for (int64_t m = 0; m < count && m < cells; ++m)
    if (m / stride % size[axis] == view->number - 1 && active[m] != 0.0) any = true;
  HP_FREE(active);
  if (any) return HP_OK;
  return hp_fail(HP_ERR_USAGE, "--section %c=%lld: no cell of it is active", view->section, (long long)view->number);
}

/* *title is the caller's to free. */
static hp_status look_at(const char *result, const hp_view *view, hp_units *units, subject *about, char **title) {
  hp_h5 h;
  HP_TRY(hp_h5_as_usage(hp_result_open(&h, result)));
  hp_status s = read_units(&h, units);
  if (s == HP_OK) s = read_direction(&h, &about->up);
  if (s == HP_OK) s = hp_h5_read_text(&h, "/", "title", title);
  if (s == HP_OK && view->field != NULL) s = check_field(&h, view->field);
  if (s == HP_OK) s = read_size(&h, about->size);
  if (s == HP_OK && view->section != 0) s = check_section(&h, about->size, view);
  hp_h5_discard(&h);
  return hp_h5_as_usage(s);
}

static hp_status view_result(const char *result, const char *script, const hp_view *view, char **title) {
  hp_units units;
  subject about = {.up = true, .units = &units};
  HP_TRY(look_at(result, view, &units, &about, title));
  about.title = *title;
  const size_t base = strlen(result) - strlen(".h5");
  HP_TRY(check_beside(result, base, ".xdmf2"));
  HP_TRY(check_beside(result, base, ".wells.vtp"));
  const char *slash = strrchr(result, '/'), *file = slash != NULL ? slash + 1 : result;
  return write_about(result, file, base - (size_t)(file - result), about, script, view);
}

hp_status hp_output_view(const char *result, const char *script, const hp_view *view) {
  char *title = NULL;
  const hp_status s = view_result(result, script, view, &title);
  HP_FREE(title);
  return s;
}
